//! The Go Text Protocol as the referee speaks it with engines: the moves of a game and questions as commands, answers read
//! back.
//!
//! A move is told once; only what is new follows. Black is player one and White player two. Source: G. Farneback,
//! "Specification of the Go Text Protocol, version 2", 2002.

use std::time::Duration;

use grundy_core::game::Player;
use grundy_core::text::excerpt;
use grundy_engine::engine::vertices::Vertices;
use grundy_session::{Catalog, Session};

use crate::engine_spec::Limits;
use crate::games;
use crate::setup::Setup;
use crate::verdict::EXCERPT;

/// The answer of an engine that resigns.
pub const RESIGN: &str = "resign";
/// The command for a clock.
const TIME_SETTINGS: &str = "time_settings";

/// The controller of an engine, as the specification calls it, in a game whose moves are single squares.
pub struct Controller {
    rules: Session,
    vertices: Vertices,
    /// The moves on the engine's board; `None` if it is another game's, or may be.
    told: Option<Vec<String>>,
    /// The number of the last command, by which its answer is known.
    asked: u64,
    /// The number of the last command of the question before.
    before: u64,
    /// The commands of the question, those with a number.
    commands: Vec<String>,
    times: Times,
    /// Remarks on this engine for the user.
    notes: Vec<String>,
}

/// The times that an engine reads. GTP has whole seconds only; some engines read fractions of them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Times {
    /// It has not been told a fraction yet.
    Unknown,
    /// Fractions of seconds.
    Fractions,
    /// Whole seconds.
    Whole,
    /// None.
    None,
}

impl Controller {
    /// Returns the controller for a game.
    ///
    /// # Errors
    /// The moves of the game are not single squares; one line.
    pub fn of(catalog: &Catalog, game: &str) -> Result<Controller, String> {
        let mut rules = games::rules(catalog, game)?;
        let shape = catalog.row(game).map(|row| row.shape);
        let vertices = shape.and_then(|shape| Vertices::of(&mut rules, shape));
        let vertices = vertices.ok_or_else(|| {
            format!(
                "the moves of {game} are not single squares, which GTP needs: othello, hex:11, mnk:15,15,5"
            )
        })?;
        let (commands, notes) = (Vec::new(), Vec::new());
        Ok(Controller {
            rules,
            vertices,
            told: None,
            asked: 0,
            before: 0,
            commands,
            times: Times::Unknown,
            notes,
        })
    }

    /// Returns the question whether the engine is a board for GoGui, and so leaves out the letter `i` in Hex, too, and the size
    /// of the board.
    pub fn greeting(&mut self) -> String {
        self.begin();
        let (known, size) = ("known_command gogui-rules_board", self.board_size());
        format!("{}\n{}", self.numbered(known), self.numbered(&size))
    }

    /// Reads an answer to the greeting; true for the last.
    ///
    /// # Errors
    /// The engine refuses the size of the board; one line.
    pub fn greeted(&mut self, line: &str) -> Result<bool, String> {
        let Some((fine, number, rest)) = numbered_answer(line) else { return Ok(false) };
        if number == self.asked {
            return if fine { Ok(true) } else { Err(format!("{}: {rest}", self.board_size())) };
        }
        if number == self.before + 1 && !(fine && rest == "true") {
            self.vertices = self.vertices.clone().as_in_hex();
        }
        Ok(false)
    }

    fn board_size(&self) -> String {
        format!("boardsize {}", self.vertices.size().trim_end_matches(" hex"))
    }

    /// Forgets what the engine knows of the game.
    pub fn forget(&mut self) {
        self.told = None;
    }

    /// Returns the commands that ask for a move in a position. `left` is the time left on the engine's clock, and `stones` the
    /// moves until it gets more; 0 if never.
    ///
    /// # Errors
    /// A position that no stones on the empty board make, for which there is no command; one line.
    pub fn question(
        &mut self,
        setup: &Setup,
        limits: &Limits,
        left: Option<Duration>,
        stones: u32,
    ) -> Result<String, String> {
        let moves = self.moves_to(setup)?;
        self.begin();
        let known = self.told.as_ref().filter(|told| moves.starts_with(told)).map(Vec::len);
        let mut lines = Vec::new();
        if known.is_none() {
            let size = self.board_size();
            lines.push(self.numbered(&size));
            lines.push(self.numbered("clear_board"));
        }
        self.rules.setup(None).map_err(|refusal| refusal.to_string())?;
        for (i, word) in moves.iter().enumerate() {
            if i >= known.unwrap_or(0) {
                let vertex = self.vertices.out(word, &self.rules.position());
                lines.push(self.numbered(&format!("play {} {vertex}", self.color())));
            }
            self.rules.play_moves(word).map_err(|refusal| refusal.to_string())?;
        }
        self.told = Some(moves);
        match (&limits.clock, left, limits.movetime) {
            (Some(control), Some(left), _) => {
                if !control.increment.is_zero() && self.times != Times::None {
                    let note =
                        "GTP has no increment for a move: it is told, before each, the time that is left";
                    self.notes.push(note.to_owned());
                }
                let times = match control.moves {
                    0 => [control.time, Duration::ZERO],
                    _ => [Duration::ZERO, control.time],
                };
                self.tell_time(times, control.moves, &mut lines);
                lines.push(format!("time_left {} {} {stones}", self.color(), left.as_secs()));
            }
            (_, _, Some(movetime)) => {
                self.tell_time([Duration::ZERO, Duration::from_millis(movetime)], 1, &mut lines);
            }
            _ => {}
        }
        lines.push(self.numbered(&format!("genmove {}", self.color())));
        Ok(lines.join("\n"))
    }

    /// Appends the commands for the main time, and the time for `stones` moves. An engine that may refuse fractions of a second
    /// is told whole ones, rounded down but at least 1, before them, which then remain in force.
    fn tell_time(&mut self, times: [Duration; 2], stones: u32, lines: &mut Vec<String>) {
        let [main, moves] = times.map(whole_seconds);
        let whole = format!("{TIME_SETTINGS} {main} {moves} {stones}");
        let [main, moves] = times.map(|time| time.as_secs_f64());
        let exact = format!("{TIME_SETTINGS} {main} {moves} {stones}");
        let told = match self.times {
            Times::None => Vec::new(),
            Times::Whole => vec![whole],
            Times::Unknown if whole != exact => vec![whole, exact],
            Times::Unknown | Times::Fractions => vec![exact],
        };
        lines.extend(told.iter().map(|command| self.numbered(command)));
    }

    /// Returns the moves from the game's start to a position. The stones of a start of its own are put down by turns.
    fn moves_to(&mut self, setup: &Setup) -> Result<Vec<String>, String> {
        let Some(start) = &setup.start else { return Ok(setup.moves.clone()) };
        self.rules.setup(Some(start)).map_err(|refusal| refusal.to_string())?;
        let position = self.rules.position();
        let mut stones = [Vec::new(), Vec::new()];
        for (row, cells) in self.vertices.cells(&position).iter().rev().enumerate() {
            for (letter, cell) in ('a'..='z').zip(cells) {
                if let Some(player) = ['X', 'O'].iter().position(|stone| stone == cell) {
                    stones[player].push(format!("{letter}{}", row + 1));
                }
            }
        }
        let mut stones = stones.map(Vec::into_iter);
        let mut moves = Vec::new();
        while let Some(word) = stones[moves.len() % 2].next() {
            moves.push(word);
        }
        self.rules.setup(None).map_err(|refusal| refusal.to_string())?;
        let played = moves.iter().all(|word| self.rules.play_moves(word).is_ok());
        if !played || self.rules.position() != position {
            return Err(format!(
                "GTP has no command for {start}: expected a game from its start, or a board of stones"
            ));
        }
        moves.extend(setup.moves.iter().cloned());
        Ok(moves)
    }

    /// Returns the move that a line answers with, in our notation with a blank before it, or [`RESIGN`], or an empty word if it
    /// is none; `None` if the line answers no question.
    ///
    /// # Errors
    /// The engine refuses another command of the question than that for a move; one line.
    pub fn answer_in(&mut self, line: &str) -> Option<Result<String, String>> {
        let (fine, number, rest) = numbered_answer(line)?;
        let at = usize::try_from(number.checked_sub(self.before + 1)?).ok()?;
        let command = self.commands.get(at)?;
        if command.starts_with(TIME_SETTINGS) {
            let command = command.clone();
            self.time_was_told(fine, &command);
            return None;
        }
        if number < self.asked {
            return (!fine).then(|| Err(format!("it refuses \"{command}\": {}", excerpt(rest, EXCERPT))));
        }
        if fine && rest.eq_ignore_ascii_case(RESIGN) {
            return Some(Ok(format!(" {RESIGN}")));
        }
        let word = Some(rest).filter(|rest| fine && !rest.is_empty());
        let word = word.and_then(|vertex| self.vertices.read(vertex, &self.rules.position()));
        Some(Ok(word.map_or_else(String::new, |word| format!(" {word}"))))
    }

    /// Notes whether the engine reads the times of a command.
    fn time_was_told(&mut self, fine: bool, command: &str) {
        let fraction = command.contains('.');
        self.times = match (fine, self.times) {
            (true, Times::Unknown) if fraction => Times::Fractions,
            (true, _) | (false, Times::None) => return,
            (false, _) if fraction => Times::Whole,
            (false, _) => Times::None,
        };
        match self.times {
            Times::Whole => {
                self.notes.push(format!("it refuses \"{command}\": {}", told_instead(command)));
            }
            Times::None => {
                self.notes.push(format!("it refuses \"{command}\": it plays without a clock of its own"));
            }
            Times::Unknown | Times::Fractions => {}
        }
    }

    /// Returns what the user should know of this engine, once.
    pub fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    /// Notes the engine's own move, which is on its board.
    pub fn answered(&mut self, word: &str) {
        self.told.get_or_insert_default().push(word.to_owned());
    }

    fn begin(&mut self) {
        self.before = self.asked;
        self.commands.clear();
    }

    fn numbered(&mut self, command: &str) -> String {
        self.asked += 1;
        self.commands.push(command.to_owned());
        format!("{} {command}", self.asked)
    }

    /// Returns the colour of the player to move.
    fn color(&self) -> char {
        if self.rules.turn() == Player::One { 'b' } else { 'w' }
    }
}

/// Returns the seconds of a time, rounded down, but no time as none only.
fn whole_seconds(time: Duration) -> u64 {
    time.as_secs().max(u64::from(!time.is_zero()))
}

/// Returns what an engine of whole seconds is told instead of the times of a command.
fn told_instead(command: &str) -> String {
    let mut times = command.split(' ').skip(1).take(2).zip(["--tc 1", "--movetime 1000"]);
    let short = times.find(|(time, _)| time.parse::<f64>().is_ok_and(|time| time > 0.0 && time < 1.0));
    match short {
        Some((time, enough)) => format!("it is told 1 s, but has {time} s; use {enough} or more"),
        None => "it is told whole seconds, rounded down".to_owned(),
    }
}

/// Reads a line that answers a command: whether it was obeyed, its number, and the text.
fn numbered_answer(line: &str) -> Option<(bool, u64, &str)> {
    let rest = line.strip_prefix(['=', '?'])?;
    let (number, rest) = rest.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((rest, ""));
    Some((line.starts_with('='), number.parse().ok()?, rest.trim_ascii()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine_spec::TimeControl;
    use crate::tests::CATALOG;

    fn setup(moves: &str) -> Setup {
        Setup::read(&format!("startpos moves {moves}"))
    }

    #[test]
    fn a_game_is_told_once_and_then_what_is_new() {
        let mut gtp = Controller::of(&CATALOG, "tictactoe").unwrap();
        assert_eq!(gtp.greeting(), "1 known_command gogui-rules_board\n2 boardsize 3");
        assert_eq!(
            ["= true", "=1 true", "=2"].map(|line| gtp.greeted(line)),
            [Ok(false), Ok(false), Ok(true)]
        );
        let limits = Limits { movetime: Some(150), ..Limits::default() };
        let asked = gtp.question(&setup("b2"), &limits, None, 0).unwrap();
        let whole = "3 boardsize 3\n4 clear_board\n5 play b b2\n6 time_settings 0 1 1";
        assert_eq!(asked, format!("{whole}\n7 time_settings 0 0.15 1\n8 genmove w"));
        assert_eq!((gtp.answer_in("=5"), gtp.answer_in("? syntax error")), (None, None));
        assert_eq!((gtp.answer_in("=6"), gtp.answer_in("=7"), gtp.answer_in("=9 a1")), (None, None, None));
        assert_eq!(gtp.answer_in("=8 A1"), Some(Ok(" a1".to_owned())));
        gtp.answered("a1");
        let asked = gtp.question(&setup("b2 a1 c3"), &limits, None, 0).unwrap();
        assert_eq!(asked, "9 play b c3\n10 time_settings 0 0.15 1\n11 genmove w");
        let refusal = "it refuses \"play b c3\": illegal move";
        assert_eq!(gtp.answer_in("?9 illegal move"), Some(Err(refusal.to_owned())));
        assert_eq!(gtp.answer_in("?11 cannot"), Some(Ok(String::new())));
        assert_eq!(gtp.answer_in("=11 resign"), Some(Ok(" resign".to_owned())));
        assert_eq!(gtp.take_notes(), [""; 0]);
        let other = gtp.question(&setup("a3"), &Limits::default(), None, 0).unwrap();
        assert!(other.starts_with("12 boardsize 3\n13 clear_board\n14 play b a3\n"), "{other}");
        let put =
            gtp.question(&Setup::read("fen X../.O./..X 2 moves c3"), &Limits::default(), None, 0).unwrap();
        assert!(put.ends_with("play b c1\n19 play w b2\n20 play b a3\n21 play w c3\n22 genmove b"), "{put}");
        let mut gtp = Controller::of(&CATALOG, "othello:4x4").unwrap();
        assert!(gtp.question(&Setup::position("..../.XXX/.OX./.... 2"), &limits, None, 0).is_err());
        assert!(Controller::of(&CATALOG, "nim:1,2").is_err());
    }

    #[test]
    fn a_board_that_the_engine_does_not_play_is_refused_before_the_first_move() {
        let mut gtp = Controller::of(&CATALOG, "hex:9").unwrap();
        gtp.greeting();
        assert_eq!(gtp.greeted("?1 unknown command"), Ok(false));
        assert_eq!(gtp.greeted("?2 unacceptable size"), Err("boardsize 9: unacceptable size".to_owned()));
    }

    #[test]
    fn letters_leave_out_i_unless_the_engine_is_one_for_hex() {
        for (answer, vertex) in [("=1 true", "j2"), ("=1 false", "i2"), ("?1 unknown command", "i2")] {
            let mut gtp = Controller::of(&CATALOG, "hex:9").unwrap();
            gtp.greeting();
            assert_eq!((gtp.greeted(answer), gtp.greeted("=2")), (Ok(false), Ok(true)));
            let asked = gtp.question(&setup("i2"), &Limits::default(), None, 0).unwrap();
            assert!(asked.contains(&format!("play b {vertex}\n")), "{asked}");
            assert_eq!(gtp.answer_in(&format!("=6 {vertex}")), Some(Ok(" i2".to_owned())));
        }
    }

    #[test]
    fn a_clock_for_some_moves_is_told_with_their_number() {
        let limits = Limits { clock: TimeControl::read("2/3").ok(), ..Limits::default() };
        let mut gtp = Controller::of(&CATALOG, "tictactoe").unwrap();
        let asked = gtp.question(&setup(""), &limits, Some(Duration::from_millis(1700)), 1).unwrap();
        assert!(asked.ends_with("3 time_settings 0 3 2\ntime_left b 1 1\n4 genmove b"), "{asked}");
    }

    #[test]
    fn an_engine_that_reads_no_fractions_of_a_second_is_told_whole_ones() {
        let limits = Limits { movetime: Some(1500), ..Limits::default() };
        let mut gtp = Controller::of(&CATALOG, "tictactoe").unwrap();
        let asked = gtp.question(&setup(""), &limits, None, 0).unwrap();
        assert!(asked.ends_with("3 time_settings 0 1 1\n4 time_settings 0 1.5 1\n5 genmove b"), "{asked}");
        assert_eq!((gtp.answer_in("=3"), gtp.answer_in("?4 not three integers")), (None, None));
        let note = "it refuses \"time_settings 0 1.5 1\": it is told whole seconds, rounded down";
        assert_eq!((gtp.take_notes(), gtp.take_notes()), (vec![note.to_owned()], Vec::new()));
        assert_eq!(
            told_instead("time_settings 0 0.15 1"),
            "it is told 1 s, but has 0.15 s; use --movetime 1000 or more"
        );
        gtp.forget();
        let asked = gtp.question(&setup(""), &limits, None, 0).unwrap();
        assert!(asked.ends_with("7 clear_board\n8 time_settings 0 1 1\n9 genmove b"), "{asked}");
        assert_eq!(gtp.answer_in("?8 unknown command"), None);
        assert!(gtp.take_notes()[0].ends_with("it plays without a clock of its own"));
        let limits = Limits { clock: TimeControl::read("2.5+1").ok(), ..Limits::default() };
        let left = Some(Duration::from_millis(1200));
        let asked = gtp.question(&setup(""), &limits, left, 0).unwrap();
        assert_eq!(asked, "time_left b 1 0\n10 genmove b");
        let mut gtp = Controller::of(&CATALOG, "tictactoe").unwrap();
        let asked = gtp.question(&setup(""), &limits, left, 0).unwrap();
        assert!(
            asked.contains("3 time_settings 2 0 0\n4 time_settings 2.5 0 0\ntime_left b 1 0\n"),
            "{asked}"
        );
        assert_eq!((gtp.answer_in("?3 no"), gtp.answer_in("?4 no")), (None, None));
        let notes = gtp.take_notes();
        assert!(notes[0].starts_with("GTP has no increment for a move"), "{notes:?}");
        assert!(notes.len() == 2 && notes[1].ends_with("it plays without a clock of its own"), "{notes:?}");
    }
}

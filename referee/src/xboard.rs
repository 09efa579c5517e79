//! The protocol of XBoard and WinBoard, version 2, as the referee speaks it with engines of chess: games and
//! questions as commands, answers read back.
//!
//! An engine is kept in force mode but while it thinks. It is told the moves that are new, else the position
//! by `setboard`. One that names no features is told moves as in version 1. Source: "Chess Engine
//! Communication Protocol", T. Mann and H. G. Muller (gnu.org/software/xboard/engine-intf.html).

use std::time::Duration;

use grundy_core::text::excerpt;
use grundy_session::{Catalog, REPETITIONS, Session};

use crate::claim::MATE;
use crate::engine_spec::Limits;
use crate::games;
use crate::gtp::RESIGN;
use crate::notation;
use crate::setup::Setup;
use crate::verdict::{EXCERPT, Outcome};

/// The variant that is Chess960.
const SHUFFLED: &str = "fischerandom";
/// The silence after which an engine has named all of its features, unless it says `done=0` or `done=1`.
const SILENCE: Duration = Duration::from_secs(2);
/// The answer of an engine that rightly claims a draw without a move.
pub const DRAW: &str = "1/2-1/2";
/// The most moves that a position of chess has.
const MOST_MOVES: usize = 218;
/// Commands of the referee that an engine may refuse.
const OPTIONAL: &[&str] = &[
    "protover", "accepted", "rejected", "post", "easy", "level", "st", "sd", "time", "otim", "memory",
    "cores", "option",
];

/// The host of an engine, in one kind of chess.
pub struct Host {
    rules: Session,
    /// The game's name, for messages.
    game: String,
    /// The game's start, for a game that does not begin as chess does.
    start: Option<String>,
    is_chess960: bool,
    /// `None` before the greeting.
    features: Option<Features>,
    /// Answers to features that are not sent yet.
    replies: Vec<String>,
    /// The position on the engine's board; `None` if it is another game's, or may be.
    told: Option<Setup>,
    /// Set once the engine knows the limits of the present game.
    is_limited: bool,
    /// The number of the last `ping`.
    pings: u64,
    /// The last question.
    asked: String,
    /// The result that the engine's board showed before it was set up anew, which the engine may still claim.
    shown: Option<Outcome>,
    /// Remarks on this engine for the user.
    notes: Vec<String>,
}

/// The features of an engine, from the lines of its greeting.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Features {
    ping: bool,
    setboard: bool,
    usermove: bool,
    san: bool,
    time: bool,
    reuse: bool,
    variants: Vec<String>,
    /// `None` if it says neither `done=0` nor `done=1`.
    done: Option<bool>,
}

impl Default for Features {
    /// Returns the features of an engine that names none.
    fn default() -> Features {
        Features {
            ping: false,
            setboard: false,
            usermove: false,
            san: false,
            time: true,
            reuse: true,
            variants: Vec::new(),
            done: None,
        }
    }
}

impl Features {
    /// Reads the words of a line behind `feature`: `ping=1 myname="X 1.0" done=1`. Returns the answers.
    fn learn(&mut self, line: &str) -> Vec<String> {
        let mut rest = line.trim_ascii();
        let mut answers = Vec::new();
        while let Some((name, behind)) = rest.split_once('=') {
            let (value, behind) = match behind.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
                None => behind.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((behind, "")),
            };
            rest = behind.trim_ascii_start();
            let name = name.trim_ascii();
            let answer = if self.set(name, value) { "accepted" } else { "rejected" };
            answers.push(format!("{answer} {}", excerpt(name, EXCERPT)));
        }
        answers
    }

    /// Sets a feature; returns false if the referee does not observe it.
    fn set(&mut self, name: &str, value: &str) -> bool {
        let on = value == "1";
        match name {
            "ping" => self.ping = on,
            "setboard" => self.setboard = on,
            "usermove" => self.usermove = on,
            "san" => self.san = on,
            "time" => self.time = on,
            "reuse" => self.reuse = on,
            "variants" => self.variants = value.split(',').map(|name| name.trim().to_owned()).collect(),
            "done" => self.done = Some(on),
            // The user sets options, and comments are skipped.
            "option" | "memory" | "smp" | "debug" => {}
            // The referee sends none of the other commands, so that they may be switched off.
            _ => return value == "0",
        }
        true
    }
}

impl Host {
    /// Returns the host for a game.
    ///
    /// # Errors
    /// The game is no kind of chess; one line.
    pub fn of(catalog: &Catalog, game: &str) -> Result<Host, String> {
        if !catalog.is_standard(game) {
            return Err(format!(
                "{game} is no kind of chess, which XBoard's protocol needs: chess, chess:960"
            ));
        }
        let rules = games::rules(catalog, game)?;
        let usual = catalog.row(game).is_some_and(|row| row.name == game);
        Ok(Host {
            game: game.to_owned(),
            start: (!usual).then(|| rules.position()),
            is_chess960: notation::is_chess960(catalog, game),
            rules,
            features: None,
            replies: Vec::new(),
            told: None,
            is_limited: false,
            pings: 0,
            asked: String::new(),
            shown: None,
            notes: Vec::new(),
        })
    }

    /// Returns the lines that greet the engine, or later begin a game and end with a `ping`.
    pub fn greeting(&mut self) -> String {
        if self.features.is_none() {
            return "xboard\nprotover 2".to_owned();
        }
        self.pings += 1;
        let mut lines = self.begin();
        lines.push(format!("ping {}", self.pings));
        lines.join("\n")
    }

    /// Reads an answer to the greeting; true for the last.
    ///
    /// # Errors
    /// The engine lacks a feature that the game needs; one line.
    pub fn greeted(&mut self, line: &str) -> Result<bool, String> {
        let line = line.trim_ascii();
        let Some(words) = line.strip_prefix("feature ") else {
            return Ok(self.pings > 0 && line == format!("pong {}", self.pings));
        };
        let features = self.features.get_or_insert_default();
        self.replies.extend(features.learn(words));
        if self.pings > 0 || features.done != Some(true) {
            return Ok(false);
        }
        self.check().map(|()| true)
    }

    /// Returns the answers to the features that the engine has named, once.
    pub fn take_replies(&mut self) -> Vec<String> {
        std::mem::take(&mut self.replies)
    }

    /// Returns the silence after which the greeting counts as answered; `None` if an answer has to come.
    pub fn patience(&self) -> Option<Duration> {
        let answers = self.pings > 0 || self.features().done.is_some();
        (!answers).then_some(SILENCE)
    }

    /// Ends the greeting of an engine that says no more: features that it has not named have their defaults.
    ///
    /// # Errors
    /// As [`Host::greeted`].
    pub fn settle(&mut self) -> Result<(), String> {
        if self.features.is_none() {
            let note = "it names no features, and is told moves as in version 1 of the protocol";
            self.notes.push(note.to_owned());
        }
        self.features.get_or_insert_default();
        self.check()
    }

    /// Checks that the engine has the features that the game needs.
    fn check(&self) -> Result<(), String> {
        if self.is_chess960 && !self.features().variants.iter().any(|name| name == SHUFFLED) {
            return Err(format!("{} needs the variant {SHUFFLED}, which it lacks", self.game));
        }
        self.start.as_ref().map_or(Ok(()), |start| self.check_start(start))
    }

    /// Checks that the engine can be told a position to start from.
    ///
    /// # Errors
    /// It cannot: it plays from the usual start only; one line.
    pub fn check_start(&self, start: &str) -> Result<(), String> {
        match self.features().setboard {
            true => Ok(()),
            false => Err(format!(
                "it lacks the feature setboard, and so plays from the usual start only, not from {start}"
            )),
        }
    }

    /// Returns what the answer to the greeting lacks; `None` if that is not known.
    pub fn missing(&self) -> Option<&'static str> {
        (self.features().done == Some(false)).then_some("its features do not end with done=1")
    }

    /// Prepares for a new game; returns true if the greeting begins it, which has to be repeated then.
    pub fn clear(&mut self) -> bool {
        self.told = None;
        self.features().ping
    }

    /// Reports whether one process of the engine may play several games.
    pub fn may_play_again(&self) -> bool {
        self.features().reuse
    }

    fn features(&self) -> Features {
        self.features.clone().unwrap_or_default()
    }

    /// Returns the commands for a new game, with the usual start on the board.
    fn begin(&mut self) -> Vec<String> {
        self.leave();
        (self.told, self.is_limited) = (Some(Setup::default()), false);
        let mut lines = vec!["new".to_owned()];
        if self.is_chess960 {
            lines.push(format!("variant {SHUFFLED}"));
        }
        lines.extend(["force", "post", "easy"].map(str::to_owned));
        lines
    }

    /// Notes the result on the board, which is set up anew.
    fn leave(&mut self) {
        let dead = || nobody_can_mate(&self.rules.position()).then_some(Outcome::Draw);
        self.shown = self.result().or_else(dead);
    }

    /// Returns the result of the game on the board of the rules.
    fn result(&self) -> Option<Outcome> {
        let repeats = self.rules.repetitions() >= REPETITIONS;
        repeats.then_some(Outcome::Draw).or_else(|| self.rules.result().map(Outcome::from))
    }

    /// Returns the commands that ask for a move in a position. `left` has the times left to the engine and to
    /// its opponent.
    ///
    /// # Errors
    /// The engine cannot be told the position; one line.
    pub fn question(
        &mut self,
        setup: &Setup,
        limits: &Limits,
        left: [Option<Duration>; 2],
    ) -> Result<String, String> {
        let features = self.features();
        let start = setup.start.clone().or_else(|| self.start.clone());
        start.as_ref().map_or(Ok(()), |start| self.check_start(start))?;
        let knows = |told: &&Setup| told.start == start && setup.moves.starts_with(&told.moves);
        let mut known = self.told.as_ref().filter(knows).map(|told| told.moves.len());
        let mut lines = Vec::new();
        if self.told.is_none() || known.is_none() && start.is_none() {
            lines.extend(self.begin());
            known = Some(0).filter(|_| start.is_none());
        } else {
            lines.push("force".to_owned());
        }
        if !self.is_limited {
            self.limit(limits, &mut lines);
        }
        if let (Some(position), None) = (&start, known) {
            self.leave();
            lines.push(format!("setboard {position}"));
        }
        self.rules.setup(setup.start.as_deref()).map_err(|refusal| refusal.to_string())?;
        for (i, word) in setup.moves.iter().enumerate() {
            if i >= known.unwrap_or(0) {
                let spelt = self.spelt(word, features.san);
                lines.push(if features.usermove { format!("usermove {spelt}") } else { spelt });
            }
            self.rules.play(word).map_err(|refusal| refusal.to_string())?;
        }
        self.told = Some(Setup { start, moves: setup.moves.clone() });
        if features.time && limits.clock.is_some() {
            for (command, left) in ["time", "otim"].into_iter().zip(left) {
                lines.extend(left.map(|left| format!("{command} {}", left.as_millis() / 10)));
            }
        }
        lines.push("go".to_owned());
        self.asked = lines.join("\n");
        Ok(self.asked.clone())
    }

    /// Appends the commands for the limits of a game.
    fn limit(&mut self, limits: &Limits, lines: &mut Vec<String>) {
        self.is_limited = true;
        if let Some(control) = limits.clock {
            let seconds = control.time.as_secs();
            let increment = control.increment.as_secs_f64();
            lines.push(format!("level {} {}:{:02} {increment}", control.moves, seconds / 60, seconds % 60));
        }
        if let Some(movetime) = limits.movetime {
            let command = format!("st {}", Duration::from_millis(movetime).as_secs_f64());
            if !movetime.is_multiple_of(1000) {
                self.notes.push(format!(
                    "it is told \"{command}\", but may read whole seconds only: use --movetime 1000, or --tc"
                ));
            }
            lines.push(command);
        }
        lines.extend(limits.depth.map(|depth| format!("sd {depth}")));
    }

    /// Returns a move of the position of the rules as the engine reads it.
    fn spelt(&mut self, word: &str, san: bool) -> String {
        let note = self.rules.note(word);
        let castles = |note: &String| self.is_chess960 && note.starts_with("O-O");
        match note {
            Some(note) if san => note,
            Some(note) if castles(&note) => note.trim_end_matches(['+', '#']).to_owned(),
            _ => word.to_owned(),
        }
    }

    /// Returns the move that a line answers with, in our notation with a blank before it, or [`RESIGN`] or
    /// [`DRAW`]; `None` if the line answers no question.
    ///
    /// # Errors
    /// The engine refuses a move or a position, or claims a result falsely; one line.
    pub fn answer_in(&mut self, line: &str) -> Option<Result<String, String>> {
        let line = line.trim_ascii();
        if let Some(word) = move_in(line) {
            let ours = self.rules.spelling(word);
            return Some(Ok(format!(" {}", ours.as_deref().unwrap_or(word))));
        }
        if self.is_refusal(line) {
            return Some(Err(format!("it says \"{}\"", excerpt(line, EXCERPT))));
        }
        if line.eq_ignore_ascii_case(RESIGN) {
            return Some(Ok(format!(" {RESIGN}")));
        }
        let claimed = result_in(line)?;
        if self.shown == Some(claimed) {
            return None;
        }
        let answer = self.granted(claimed).map(|word| format!(" {word}"));
        let denied = || format!("it claims \"{}\", but the game is not over", excerpt(line, EXCERPT));
        Some(answer.ok_or_else(denied))
    }

    /// Reports whether a line refuses a command of the question that cannot be left out.
    fn is_refusal(&self, line: &str) -> bool {
        let about = line.split_once(':').map_or("", |(_, about)| about);
        let command = about.split_ascii_whitespace().next().unwrap_or("");
        if OPTIONAL.contains(&command) {
            return false;
        }
        let was_told = || self.asked.split_ascii_whitespace().any(|word| word == command);
        line.starts_with("Illegal move")
            || line.starts_with("tellusererror Illegal position")
            || line.starts_with("Error (") && was_told()
    }

    /// Returns the answer that a claim amounts to: a resignation if the engine, which is to move, loses by
    /// that, a draw where neither side can mate, or the move that makes it one. A game that is over is not
    /// asked about. `None` if the claim is false.
    fn granted(&mut self, claimed: Outcome) -> Option<String> {
        if claimed == Outcome::lost_by(self.rules.turn()) {
            return Some(RESIGN.to_owned());
        }
        if claimed != Outcome::Draw {
            return None;
        }
        if nobody_can_mate(&self.rules.position()) {
            return Some(DRAW.to_owned());
        }
        // The move may not be on the engine's board.
        self.told = None;
        let mut moves = self.rules.legal_moves(MOST_MOVES).into_iter();
        moves.find(|word| {
            if self.rules.play(word).is_err() {
                return false;
            }
            let drawn = self.result() == Some(Outcome::Draw);
            self.rules.undo();
            drawn
        })
    }

    /// Notes the engine's own move, which is on its board.
    pub fn answered(&mut self, word: &str) {
        self.shown = None;
        // An illegal one ends the game.
        let _ = self.rules.play(word);
        if let Some(told) = &mut self.told {
            told.moves.push(word.to_owned());
        }
    }

    /// Reports whether a line is a move that nobody asked for.
    pub fn is_unsolicited(&self, line: &str) -> bool {
        self.told.is_some() && move_in(line).is_some()
    }

    /// Returns what the user should know of this engine, once.
    pub fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }
}

/// Returns the move of a line `move M`; `None` for another line.
fn move_in(line: &str) -> Option<&str> {
    line.strip_prefix("move ").map(str::trim_ascii)
}

/// Reports whether a line resigns or claims a result, which an engine may do at any time.
pub fn is_claim(line: &str) -> bool {
    line.eq_ignore_ascii_case(RESIGN) || result_in(line).is_some()
}

/// Returns the result that a line claims, as in `1-0 {White mates}`; `None` for another line.
fn result_in(line: &str) -> Option<Outcome> {
    let word = line.split(|c: char| c.is_ascii_whitespace() || c == '{').next()?;
    [Outcome::First, Outcome::Second, Outcome::Draw].into_iter().find(|result| result.to_string() == word)
}

/// Reports whether neither side of a chess position can mate, even with the other's help: beside the kings
/// there is at most one knight, or only bishops on squares of one colour.
pub fn nobody_can_mate(fen: &str) -> bool {
    let board = fen.split_ascii_whitespace().next().unwrap_or("");
    let (mut kings, mut knights, mut bishops) = (0_u32, 0_u32, [0_u32; 2]);
    for (row, cells) in board.split('/').enumerate() {
        let mut column = 0;
        for cell in cells.chars() {
            match cell.to_ascii_lowercase() {
                'k' => kings += 1,
                'n' => knights += 1,
                'b' => bishops[(row + column) % 2] += 1,
                _ if cell.is_ascii_digit() => {}
                _ => return false,
            }
            column += cell.to_digit(10).map_or(1, |blanks| blanks as usize);
        }
    }
    let [light, dark] = bishops;
    kings == 2 && (knights == 0 && light.min(dark) == 0 || knights == 1 && light + dark == 0)
}

/// Returns the score of a line of thinking output, `ply score time nodes pv`, in centipawns for the engine,
/// at most [`MATE`].
pub fn score_in(line: &str) -> Option<i64> {
    let mut words = line.split_ascii_whitespace();
    // Some engines mark a ply as in `9.`.
    let ply = words.next()?.trim_end_matches(['.', '&', '+', '-']);
    let mut number = || words.next()?.parse::<i64>().ok();
    let (score, _, _) = (number()?, number()?, number()?);
    ply.parse::<u32>().ok()?;
    Some(score.clamp(-MATE, MATE))
}

/// Returns the command that sets an option; `memory` and `cores` are commands of their own.
pub fn option(name: &str, value: &str) -> String {
    match name {
        "memory" | "cores" => format!("{name} {value}"),
        _ => format!("option {name}={value}"),
    }
}

#[cfg(test)]
mod tests;

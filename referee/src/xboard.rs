//! The protocol of XBoard and WinBoard, version 2, as the referee speaks it with engines of chess: games and
//! questions as commands, answers read back.
//!
//! An engine is kept in force mode but while it thinks. It is told the moves that are new, else the position
//! by `setboard`. Source: "Chess Engine Communication Protocol", T. Mann and H. G. Muller
//! (gnu.org/software/xboard/engine-intf.html).

use std::time::Duration;

use grundy_core::game::Player;
use grundy_core::text::excerpt;
use grundy_session::{Catalog, Session};

use crate::claim::MATE;
use crate::engine_spec::Limits;
use crate::games;
use crate::gtp::RESIGN;
use crate::notation;
use crate::setup::Setup;
use crate::verdict::EXCERPT;

/// The variant that is Chess960.
const SHUFFLED: &str = "fischerandom";

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
    /// The position on the engine's board; `None` if it is another game's, or may be.
    told: Option<Setup>,
    /// Set once the engine knows the limits of the present game.
    is_limited: bool,
    /// The number of the last `ping`.
    pings: u64,
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
    done: bool,
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
            done: false,
        }
    }
}

impl Features {
    /// Reads the words of a line behind `feature`: `ping=1 myname="X 1.0" done=1`. Unknown ones are skipped.
    fn learn(&mut self, line: &str) {
        let mut rest = line.trim_ascii();
        while let Some((name, behind)) = rest.split_once('=') {
            let (value, behind) = match behind.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
                None => behind.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((behind, "")),
            };
            rest = behind.trim_ascii_start();
            let on = value == "1";
            match name.trim_ascii() {
                "ping" => self.ping = on,
                "setboard" => self.setboard = on,
                "usermove" => self.usermove = on,
                "san" => self.san = on,
                "time" => self.time = on,
                "reuse" => self.reuse = on,
                "variants" => self.variants = value.split(',').map(|name| name.trim().to_owned()).collect(),
                "done" => self.done = on,
                _ => {}
            }
        }
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
            told: None,
            is_limited: false,
            pings: 0,
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
        if self.pings > 0 {
            return Ok(line.trim_ascii() == format!("pong {}", self.pings));
        }
        let Some(words) = line.trim_ascii().strip_prefix("feature ") else { return Ok(false) };
        let features = self.features.get_or_insert_default();
        features.learn(words);
        let Features { done, setboard, variants, .. } = features;
        if !*done {
            return Ok(false);
        }
        if self.is_chess960 && !variants.iter().any(|name| name == SHUFFLED) {
            return Err(format!("{} needs the variant {SHUFFLED}, which it lacks", self.game));
        }
        if self.start.is_some() && !*setboard {
            return Err(format!("{} needs the feature setboard, which it lacks", self.game));
        }
        Ok(true)
    }

    /// Returns what the answer to the greeting lacks; `None` if there was none.
    pub fn missing(&self) -> Option<&'static str> {
        let features = self.features.as_ref()?;
        (!features.done).then_some("its features do not end with done=1")
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
        (self.told, self.is_limited) = (Some(Setup::default()), false);
        let mut lines = vec!["new".to_owned()];
        if self.is_chess960 {
            lines.push(format!("variant {SHUFFLED}"));
        }
        lines.extend(["force", "post", "easy"].map(str::to_owned));
        lines
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
        match (&start, known) {
            (Some(position), None) if features.setboard => lines.push(format!("setboard {position}")),
            (Some(position), None) => {
                return Err(format!("it lacks the feature setboard, which the start {position} needs"));
            }
            _ => {}
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
        Ok(lines.join("\n"))
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

    /// Returns the move that a line answers with, in our notation with a blank before it, or [`RESIGN`];
    /// `None` if the line answers no question.
    ///
    /// # Errors
    /// The engine refuses a move or a position; one line.
    pub fn answer_in(&mut self, line: &str) -> Option<Result<String, String>> {
        let line = line.trim_ascii();
        if let Some(word) = move_in(line) {
            let ours = self.rules.spelling(word);
            return Some(Ok(format!(" {}", ours.as_deref().unwrap_or(word))));
        }
        if line.starts_with("Illegal move") || line.starts_with("tellusererror Illegal position") {
            return Some(Err(format!("it says \"{}\"", excerpt(line, EXCERPT))));
        }
        let lower = line.to_ascii_lowercase();
        // Whose move is asked for is to move on the board of the rules.
        let lost = if self.rules.turn() == Player::One { "0-1" } else { "1-0" };
        let resigned = lower == RESIGN || lower.starts_with(lost) && lower.contains("resign");
        resigned.then(|| Ok(format!(" {RESIGN}")))
    }

    /// Notes the engine's own move, which is on its board.
    pub fn answered(&mut self, word: &str) {
        self.told.get_or_insert_default().moves.push(word.to_owned());
    }

    /// Returns what the user should know of this engine, once.
    pub fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }
}

/// Returns the move of a line `move M`; `None` for another line.
pub fn move_in(line: &str) -> Option<&str> {
    line.strip_prefix("move ").map(str::trim_ascii)
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
mod tests {
    use super::*;
    use crate::engine_spec::TimeControl;
    use crate::tests::CATALOG;

    const GREETING: &str = "xboard\nprotover 2";
    const NEW: &str = "new\nforce\npost\neasy";

    fn host(game: &str, features: &str) -> Host {
        let mut host = Host::of(&CATALOG, game).unwrap();
        assert_eq!(host.greeting(), GREETING);
        assert_eq!(host.greeted("Welcome"), Ok(false));
        assert_eq!(host.greeted("feature done=0 myname=\"a ping=0 b\""), Ok(false));
        assert_eq!(host.greeted(&format!("feature {features} done=1")), Ok(true));
        host
    }

    #[test]
    fn a_game_is_told_once_and_then_what_is_new() {
        let mut host = host("chess", "ping=1 setboard=1 usermove=1");
        assert!(host.clear() && host.may_play_again());
        assert_eq!(host.greeting(), format!("{NEW}\nping 1"));
        assert_eq!([host.greeted("pong 7"), host.greeted("pong 1")], [Ok(false), Ok(true)]);
        let clock = TimeControl::read("40/1:30+0.5").ok();
        let limits = Limits { clock, depth: Some(9), ..Limits::default() };
        let left = [90_000, 4_560].map(|ms| Some(Duration::from_millis(ms)));
        let asked = host.question(&Setup::read("startpos moves e2e4"), &limits, left).unwrap();
        let expected = "force\nlevel 40 1:30 0.5\nsd 9\nusermove e2e4\ntime 9000\notim 456\ngo";
        assert_eq!(asked, expected);
        assert_eq!((host.answer_in("# thinking"), host.answer_in("9 16 1084 48000 Nf3 Nc6")), (None, None));
        assert_eq!(host.answer_in("move Nf6"), Some(Ok(" g8f6".to_owned())), "SAN is read, too");
        host.answered("g8f6");
        let next = Setup::read("startpos moves e2e4 g8f6 e4e5");
        let asked = host.question(&next, &Limits::default(), [None; 2]).unwrap();
        assert_eq!(asked, "force\nusermove e4e5\ngo");
        let other =
            host.question(&Setup::read("startpos moves d2d4"), &Limits::default(), [None; 2]).unwrap();
        assert_eq!(other, format!("{NEW}\nusermove d2d4\ngo"));
        let fen = "4k3/8/8/8/8/8/8/4KQ2 w - - 0 1";
        let put = host.question(&Setup::position(fen), &Limits::default(), [None; 2]).unwrap();
        assert_eq!(put, format!("force\nsetboard {fen}\ngo"));
        assert!(Host::of(&CATALOG, "tictactoe").is_err());
    }

    #[test]
    fn an_engine_without_features_is_told_moves_alone() {
        let mut plain = host("chess", "reuse=0");
        assert!(!plain.clear() && !plain.may_play_again());
        let limits = Limits { movetime: Some(500), ..Limits::default() };
        let asked = plain.question(&Setup::read("startpos moves e2e4"), &limits, [None; 2]).unwrap();
        assert_eq!(asked, format!("{NEW}\nst 0.5\ne2e4\ngo"));
        assert!(plain.take_notes().concat().contains("whole seconds only") && plain.take_notes().is_empty());
        let position = Setup::position("4k3/8/8/8/8/8/8/4KQ2 w - - 0 1");
        assert!(
            plain.question(&position, &limits, [None; 2]).unwrap_err().contains("lacks the feature setboard")
        );
        let mut san = host("chess", "san=1");
        let asked = san.question(&Setup::read("startpos moves g1f3"), &Limits::default(), [None; 2]).unwrap();
        assert_eq!(asked, format!("{NEW}\nNf3\ngo"));
        let mut ending = Host::of(&CATALOG, "chess:KQvK").unwrap();
        assert!(ending.greeted("feature ping=1 done=1").unwrap_err().contains("setboard, which it lacks"));
    }

    #[test]
    fn chess960_is_a_variant_with_castling_in_words() {
        let mut refused = Host::of(&CATALOG, "chess:960").unwrap();
        assert_eq!(refused.missing(), None);
        assert_eq!(refused.greeted("feature setboard=1"), Ok(false));
        assert_eq!(refused.missing(), Some("its features do not end with done=1"));
        assert!(
            refused.greeted("feature setboard=1 variants=\"normal\" done=1").unwrap_err().contains(SHUFFLED)
        );
        let mut host = host("chess:960", "setboard=1 usermove=1 variants=\"normal, fischerandom\"");
        let start = "4k3/8/8/8/8/8/8/5K1R w H - 0 1";
        let setup = Setup { moves: vec!["f1h1".to_owned()], ..Setup::position(start) };
        let asked = host.question(&setup, &Limits::default(), [None; 2]).unwrap();
        let begun = "new\nvariant fischerandom\nforce\npost\neasy";
        assert_eq!(asked, format!("{begun}\nsetboard {start}\nusermove O-O\ngo"));
        let asked = host.question(&Setup::position(start), &Limits::default(), [None; 2]).unwrap();
        assert!(asked.ends_with("go"), "{asked}");
        assert_eq!(host.answer_in("move O-O"), Some(Ok(" f1h1".to_owned())));
    }

    #[test]
    fn answers_are_moves_resignations_and_refusals() {
        let mut host = host("chess", "usermove=1");
        host.question(&Setup::default(), &Limits::default(), [None; 2]).unwrap();
        for line in ["resign", "0-1 {White resigns}"] {
            assert_eq!(host.answer_in(line), Some(Ok(format!(" {RESIGN}"))), "{line}");
        }
        assert_eq!(host.answer_in("move e2e5"), Some(Ok(" e2e5".to_owned())));
        assert!(host.answer_in("Illegal move: e7e5").is_some_and(|answer| answer.is_err()));
        for line in [
            "offer draw",
            "1-0 {White mates}",
            "1-0 {Black resigns}",
            "Error (unknown command): easy",
            "moves e2e4",
        ] {
            assert_eq!(host.answer_in(line), None, "{line}");
        }
    }

    #[test]
    fn scores_are_those_of_thinking_output() {
        for (line, score) in [
            ("9 156 1084 48000 Nf3 Nc6", Some(156)),
            ("12. -30 5 99", Some(-30)),
            ("20 100005 5 99 Qh5#", Some(MATE)),
            ("move e2e4", None),
            ("9 156 1084", None),
        ] {
            assert_eq!(score_in(line), score, "{line}");
        }
    }
}

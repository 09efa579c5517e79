//! The findings of the referee as enums; their words and exit codes are made here only.

use std::fmt;

use grundy_core::game::{GameResult, Player};
pub use grundy_core::slip::Slip;
use grundy_core::text::excerpt;
use grundy_core::value::Wdl;
use serde::{Deserialize, Serialize};

use crate::setup::command;

/// The most characters kept of a line or a word from an engine.
pub const EXCERPT: usize = 200;

/// An act of an engine that ends its game: misbehaviour, a resignation, or the claim of a draw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "fault", content = "detail")]
pub enum Fault {
    /// It could not be started, or ended before its greeting was complete.
    NoStart(String),
    /// It does not play the game or its board, as it says itself or its protocol has it.
    CannotPlay(String),
    /// It ended, or closed its output.
    Disconnects(String),
    /// No answer came, though no clock ran.
    Stalls(String),
    /// No answer came in time; it was late, or given up, after this many microseconds more.
    OnTime(u64),
    /// It played an illegal move.
    IllegalMove(String),
    /// It named no move although there are legal ones.
    NoMove(String),
    /// It sent a line that the protocol does not allow there.
    BrokenProtocol(String),
    /// Its output exceeds the limits.
    Floods(String),
    /// It resigned, where its protocol has a word for that.
    Resigns,
    /// It claimed the draw of a position where neither side can mate, if its protocol has a word for that.
    ClaimsDraw,
}

impl Fault {
    /// Returns the fault of naming `word`, which is no legal move.
    pub fn illegal_move(word: &str) -> Fault {
        let shown = excerpt(word, EXCERPT);
        if is_no_move(word) { Fault::NoMove(shown) } else { Fault::IllegalMove(shown) }
    }

    /// Returns the result of a game that the player `side` ends by this.
    pub fn result(&self, side: Player) -> Outcome {
        match self {
            Fault::ClaimsDraw => Outcome::Draw,
            _ => Outcome::lost_by(side),
        }
    }

    /// Returns the value of PGN's `Termination` tag.
    pub fn termination(&self) -> &'static str {
        match self {
            Fault::NoStart(_) | Fault::CannotPlay(_) | Fault::Disconnects(_) => "abandoned",
            Fault::Stalls(_) | Fault::Floods(_) => "stalled connection",
            Fault::OnTime(_) => "time forfeit",
            Fault::Resigns | Fault::ClaimsDraw => "normal",
            Fault::IllegalMove(_) | Fault::NoMove(_) | Fault::BrokenProtocol(_) => "illegal move",
        }
    }

    /// Returns its severity.
    pub fn severity(&self) -> Severity {
        match self {
            Fault::IllegalMove(_) | Fault::NoMove(_) | Fault::BrokenProtocol(_) => Severity::Broken,
            Fault::NoStart(_)
            | Fault::CannotPlay(_)
            | Fault::Disconnects(_)
            | Fault::Stalls(_)
            | Fault::OnTime(_)
            | Fault::Floods(_) => Severity::Crashed,
            Fault::Resigns | Fault::ClaimsDraw => Severity::Clean,
        }
    }
}

/// Reports whether the word is one by which engines say that they have no move.
fn is_no_move(word: &str) -> bool {
    matches!(word, "0000" | "(none)" | "none" | "null" | "-")
}

/// The words behind the name of the side, which scripts look for.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::NoStart(how) => write!(f, "disconnects at the start: {how}"),
            Fault::CannotPlay(why) => write!(f, "cannot play this game: {why}"),
            Fault::Disconnects(how) => write!(f, "disconnects: {how}"),
            Fault::Stalls(how) => write!(f, "stalls: {how}"),
            Fault::OnTime(over) => write!(f, "loses on time, {}.{:03} ms over", over / 1000, over % 1000),
            Fault::IllegalMove(word) => write!(f, "makes an illegal move: {word}"),
            Fault::NoMove(line) => write!(f, "makes an illegal move: none, said {line:?}"),
            Fault::BrokenProtocol(what) => write!(f, "breaks the protocol: {what}"),
            Fault::Floods(what) => write!(f, "stalls: it floods, {what}"),
            Fault::Resigns => f.write_str("resigns"),
            Fault::ClaimsDraw => f.write_str("claims the draw: neither side can mate"),
        }
    }
}

/// Players in a record: 1 and 2.
pub mod digit {
    use grundy_core::game::Player;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(player: &Player, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(player.index() as u8 + 1)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Player, D::Error> {
        let digit = u8::deserialize(deserializer)?;
        let none = || D::Error::custom(format!("there is no player {digit}: expected 1 or 2"));
        Player::read(&digit.to_string()).ok_or_else(none)
    }
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "end")]
pub enum Ending {
    /// The rules ended it.
    Rules,
    /// A position occurred for the third time.
    Repetition,
    /// The longest game was reached.
    MaxPlies,
    /// The engines' scores decided it, by `--resign` or `--draw`.
    Adjudication,
    /// An engine misbehaved, resigned or claimed a draw.
    Fault {
        /// The player it was.
        #[serde(with = "digit")]
        side: Player,
        /// The act.
        #[serde(flatten)]
        fault: Fault,
    },
    /// It is not finished: a reviewed game that stops early.
    Interrupted,
}

impl Ending {
    /// Returns the value of PGN's `Termination` tag.
    pub fn termination(&self) -> &'static str {
        match self {
            Ending::Rules => "normal",
            Ending::Repetition | Ending::MaxPlies | Ending::Adjudication => "adjudication",
            Ending::Fault { fault, .. } => fault.termination(),
            Ending::Interrupted => "unterminated",
        }
    }

    /// Returns the reason as words, for a game with this result.
    pub fn words(&self, result: Outcome) -> String {
        match self {
            Ending::Rules => match result {
                Outcome::First => "Player 1 wins".to_string(),
                Outcome::Second => "Player 2 wins".to_string(),
                _ => "Draw by the rules".to_string(),
            },
            Ending::Repetition => "Draw by 3-fold repetition".to_string(),
            Ending::MaxPlies => "Draw by adjudication: the limit of --max-plies".to_string(),
            Ending::Adjudication => match result {
                Outcome::First => "Player 1 wins by adjudication: the engines' scores".to_string(),
                Outcome::Second => "Player 2 wins by adjudication: the engines' scores".to_string(),
                _ => "Draw by adjudication: the engines' scores".to_string(),
            },
            Ending::Fault { side, fault } => format!("Player {} {fault}", side.digit()),
            Ending::Interrupted => "Interrupted".to_string(),
        }
    }
}

/// The result of a game, or that it has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// Player one won.
    #[serde(rename = "1-0")]
    First,
    /// Player two won.
    #[serde(rename = "0-1")]
    Second,
    /// Neither did.
    #[serde(rename = "1/2-1/2")]
    Draw,
    /// The game was not finished.
    #[serde(rename = "*")]
    None,
}

impl Outcome {
    /// Returns the result if this player loses.
    pub fn lost_by(player: Player) -> Outcome {
        match player {
            Player::One => Outcome::Second,
            Player::Two => Outcome::First,
        }
    }

    /// Returns the result for this player; `None` for an unfinished game.
    pub fn for_player(self, player: Player) -> Option<Wdl> {
        match self {
            Outcome::None => None,
            Outcome::Draw => Some(Wdl::Draw),
            decided if decided == Outcome::lost_by(player) => Some(Wdl::Loss),
            _ => Some(Wdl::Win),
        }
    }

    /// Returns twice the points of player one: 2 for a win, 1 for a draw; `None` for an unfinished game.
    pub fn double_points(self) -> Option<u32> {
        match self {
            Outcome::First => Some(2),
            Outcome::Second => Some(0),
            Outcome::Draw => Some(1),
            Outcome::None => None,
        }
    }
}

impl From<GameResult> for Outcome {
    fn from(result: GameResult) -> Outcome {
        match result {
            GameResult::Win(winner) => Outcome::lost_by(!winner),
            GameResult::Draw => Outcome::Draw,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outcome::First => "1-0",
            Outcome::Second => "0-1",
            Outcome::Draw => "1/2-1/2",
            Outcome::None => "*",
        })
    }
}

/// A contradiction between two judges: an engine and the rules, or the rules and the values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dispute {
    /// The judge who is contradicted.
    pub who: String,
    /// The topic: `value`, `result`, `gameover`.
    pub about: String,
    /// The statement.
    pub said: String,
    /// The referee's own result.
    pub truth: String,
    /// The position.
    #[serde(with = "command")]
    pub position: String,
}

impl Dispute {
    /// Returns the dispute about a resignation in a position that is not lost, but has the value `truth`.
    pub fn of_resignation(who: &str, truth: String, position: &str) -> Dispute {
        Dispute {
            who: who.to_owned(),
            about: "value".to_owned(),
            said: "loss, and resigns".to_owned(),
            truth,
            position: position.to_owned(),
        }
    }

    /// Returns the dispute about an adjudication that takes a position for `said` to the player to move, but
    /// whose value is `truth`.
    pub fn of_adjudication(said: Wdl, truth: String, position: &str) -> Dispute {
        Dispute {
            who: "the adjudication".to_owned(),
            about: "value".to_owned(),
            said: said.to_string(),
            truth,
            position: position.to_owned(),
        }
    }
}

impl fmt::Display for Dispute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said = if self.said.is_empty() { "(nothing)" } else { &self.said };
        write!(
            f,
            "{} says {} {said}, the truth is {}: {}",
            self.who,
            self.about,
            self.truth,
            command::of(&self.position)
        )
    }
}

/// The severity of findings in rising order; each has its [`Severity::exit_code`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Every game finished, every audit clean.
    #[default]
    Clean,
    /// A move lost value.
    Slipped,
    /// A crash, a hang or a loss on time.
    Crashed,
    /// An illegal move or a broken protocol.
    Broken,
    /// Two judges disagree.
    Disputed,
    /// Interrupted.
    Interrupted,
}

impl Severity {
    /// Returns the exit code.
    pub fn exit_code(self) -> u8 {
        match self {
            Severity::Clean => 0,
            Severity::Slipped => 1,
            Severity::Broken => 3,
            Severity::Crashed => 4,
            Severity::Disputed => 5,
            Severity::Interrupted => 130,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_seen_by_either_player() {
        let seen = |outcome: Outcome| [Player::One, Player::Two].map(|player| outcome.for_player(player));
        assert_eq!(seen(Outcome::First), [Some(Wdl::Win), Some(Wdl::Loss)]);
        assert_eq!(seen(Outcome::Second), [Some(Wdl::Loss), Some(Wdl::Win)]);
        assert_eq!(seen(Outcome::Draw), [Some(Wdl::Draw); 2]);
        assert_eq!(seen(Outcome::None), [None; 2]);
    }

    #[test]
    fn a_word_for_no_move_is_told_from_another_illegal_move() {
        for word in ["0000", "(none)", "none", "null", "-"] {
            assert_eq!(Fault::illegal_move(word), Fault::NoMove(word.to_owned()));
        }
        assert_eq!(Fault::illegal_move("a9"), Fault::IllegalMove("a9".to_owned()));
    }
}

//! What the referee can find, as enums; the one place where findings become words and exit codes.

use std::fmt;

use grundy_core::game::{GameResult, Player};
pub use grundy_core::slip::Slip;
use grundy_core::text::excerpt;
use serde::{Deserialize, Serialize};

/// The longest part of a line or a word from an engine that is kept, in characters.
pub const EXCERPT: usize = 200;

/// What an engine did that ends its game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "fault", content = "detail")]
pub enum Fault {
    /// It could not be started, or ended before it had said who it is.
    NoStart(String),
    /// It ended, or closed its output.
    Disconnects(String),
    /// No answer came, also after the time was over.
    Stalls(String),
    /// Its answer came too late, by this many microseconds.
    OnTime(u64),
    /// It played what is no legal move.
    IllegalMove(String),
    /// It named no move although there are legal ones.
    NoMove(String),
    /// It said what the protocol does not allow there.
    BrokenProtocol(String),
    /// It wrote without end.
    Floods(String),
}

impl Fault {
    /// Returns the fault of naming `word`, which is no legal move.
    pub fn illegal_move(word: &str) -> Fault {
        Fault::IllegalMove(excerpt(word, EXCERPT))
    }

    /// The word of PGN's `Termination` tag.
    pub fn termination(&self) -> &'static str {
        match self {
            Fault::NoStart(_) | Fault::Disconnects(_) => "abandoned",
            Fault::Stalls(_) | Fault::Floods(_) => "stalled connection",
            Fault::OnTime(_) => "time forfeit",
            Fault::IllegalMove(_) | Fault::NoMove(_) | Fault::BrokenProtocol(_) => "illegal move",
        }
    }

    /// What it means for the exit code.
    pub fn gravity(&self) -> Gravity {
        match self {
            Fault::IllegalMove(_) | Fault::NoMove(_) | Fault::BrokenProtocol(_) => Gravity::Broken,
            Fault::NoStart(_)
            | Fault::Disconnects(_)
            | Fault::Stalls(_)
            | Fault::OnTime(_)
            | Fault::Floods(_) => Gravity::Crashed,
        }
    }
}

/// The words that follow the name of the side: those that scripts look for.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::NoStart(how) => write!(f, "disconnects at the start: {how}"),
            Fault::Disconnects(how) => write!(f, "disconnects: {how}"),
            Fault::Stalls(how) => write!(f, "stalls: {how}"),
            Fault::OnTime(over) => write!(f, "loses on time, {}.{:03} ms over", over / 1000, over % 1000),
            Fault::IllegalMove(word) => write!(f, "makes an illegal move: {word}"),
            Fault::NoMove(line) => write!(f, "makes an illegal move: none, said {line:?}"),
            Fault::BrokenProtocol(what) => write!(f, "breaks the protocol: {what}"),
            Fault::Floods(what) => write!(f, "stalls: it floods, {what}"),
        }
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "end")]
pub enum Ending {
    /// By the rules.
    Rules,
    /// The same position for the third time.
    Repetition,
    /// As long as games may be.
    MaxPlies,
    /// By what one side did.
    Fault {
        /// The side, 1 or 2.
        side: u8,
        /// What it did.
        #[serde(flatten)]
        fault: Fault,
    },
    /// The referee was interrupted.
    Interrupted,
}

impl Ending {
    /// The word of PGN's `Termination` tag.
    pub fn termination(&self) -> &'static str {
        match self {
            Ending::Rules => "normal",
            Ending::Repetition | Ending::MaxPlies => "adjudication",
            Ending::Fault { fault, .. } => fault.termination(),
            Ending::Interrupted => "unterminated",
        }
    }

    /// The reason in words, for a game with this result.
    pub fn words(&self, result: Outcome) -> String {
        match self {
            Ending::Rules => match result {
                Outcome::First => "Player 1 wins".to_string(),
                Outcome::Second => "Player 2 wins".to_string(),
                _ => "Draw by the rules".to_string(),
            },
            Ending::Repetition => "Draw by 3-fold repetition".to_string(),
            Ending::MaxPlies => "Draw by adjudication: as long as games may be".to_string(),
            Ending::Fault { side, fault } => format!("Player {side} {fault}"),
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
    /// The result when this player loses.
    pub fn lost_by(player: Player) -> Outcome {
        match player {
            Player::One => Outcome::Second,
            Player::Two => Outcome::First,
        }
    }

    /// Twice the points of player one: 2 for a win, 1 for a draw; `None` for an unfinished game.
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

/// A quarrel between two judges: the engine and the rules, or the rules and the values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dispute {
    /// Who said it.
    pub who: String,
    /// What was said of what: `value`, `result`, `gameover`.
    pub about: String,
    /// What was said.
    pub said: String,
    /// What the referee holds to be true.
    pub truth: String,
    /// The position, as it is set up again.
    pub position: String,
}

impl fmt::Display for Dispute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} says {} {}, the truth is {}: {}",
            self.who, self.about, self.said, self.truth, self.position
        )
    }
}

/// How bad a run of the referee ended; the worse, the larger. Its number is [`Gravity::exit_code`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gravity {
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

impl Gravity {
    /// The exit code that the wire fixes.
    pub fn exit_code(self) -> u8 {
        match self {
            Gravity::Clean => 0,
            Gravity::Slipped => 1,
            Gravity::Broken => 3,
            Gravity::Crashed => 4,
            Gravity::Disputed => 5,
            Gravity::Interrupted => 130,
        }
    }
}

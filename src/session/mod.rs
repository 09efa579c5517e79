//! One game being played, its types erased: words in, words out.
//!
//! Below this line everything is generic over [`Game`](crate::game::Game); above it (engine, command line, referee)
//! everything is words. [`Session`] is that line.

mod choose;
mod play;
mod proofs;
mod seek;
mod tabled;
mod windows;

pub use play::{Play, Quest, Seeker};
pub use proofs::Proofs;
pub use tabled::{Booked, Tabled};
pub use windows::Windows;

use std::fmt;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::game::{GameResult, Player};
use crate::solve::{Limits, SolveError, Work};
use crate::table::TableError;
use crate::value::{Score, Step, Unit, Value, Wdl};

/// A game in progress with the method that knows its values.
///
/// A session can travel between threads; it is never shared.
pub trait Session: Send {
    /// The game's full name with its parameters: `nim:3,5,7:misere`.
    fn name(&self) -> &str;

    /// What the values of this game count.
    fn unit(&self) -> Unit;

    /// Starts anew from a position in words, or from the game's start with `None`.
    ///
    /// # Errors
    /// The text is no position of this game; the session is then as it was.
    fn setup(&mut self, position: Option<&str>) -> Result<(), Refusal>;

    /// Plays a move written as in `games.md`.
    ///
    /// # Errors
    /// The word is no legal move here; the session is then as it was.
    fn play(&mut self, word: &str) -> Result<(), Refusal>;

    /// Takes the last move back; false where there is none.
    fn undo(&mut self) -> bool;

    /// The moves played since the session was set up, in their first spelling.
    fn history(&self) -> &[String];

    /// The player to move, or whose turn it would be.
    fn turn(&self) -> Player;

    /// The value of a finished game for the player whose turn it would be. Knows what the rules make of the
    /// history (threefold repetition, fifty moves) where the game has such rules.
    fn over(&self) -> Option<Value>;

    /// How a finished game ended.
    fn result(&self) -> Option<GameResult>;

    /// The points so far, player one's first; `None` in games of outcome.
    fn score(&self) -> Option<(i32, i32)>;

    /// How often the present position has stood on the board in this game, now included.
    fn repetitions(&self) -> usize;

    /// The position as one line.
    fn position(&self) -> String;

    /// The line of the position that stands for this one and all its images: mirrored boards, heaps in another
    /// order; the player to move and the score are the same. Games that know no symmetry give [`Session::position`].
    fn canonical(&self) -> String;

    /// A drawing for a person at a terminal.
    fn draw(&self) -> String;

    /// The drawing with what the game so far has to add: the last move, whose is what.
    fn draw_game(&self) -> String {
        self.draw()
    }

    /// The drawing with the values of moves at their places, for games that can be drawn so.
    fn draw_values(&self, _list: &MoveList) -> String {
        self.draw()
    }

    /// What a player may want to know of the position beyond values, a line each. May search for a second or two.
    fn remarks(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// The first `limit` legal moves in words, in the game's own order; empty where the game is over.
    fn legal_moves(&self, limit: usize) -> Vec<String>;

    /// The first `limit` legal moves and where each leads, by the rules alone: what was played before is not
    /// looked at. Empty where the game is over.
    fn successors(&self, limit: usize) -> Vec<Successor>;

    /// Whether the word is a legal move.
    fn is_legal(&self, word: &str) -> bool;

    /// The first spelling of a legal move that may be written otherwise; `None` where the word is no legal move.
    fn spelling(&self, word: &str) -> Option<String>;

    /// A legal move as people write it in their notes (in chess `Nbd2`); `None` where the word is no legal move.
    fn note(&self, word: &str) -> Option<String>;

    /// Does the long work that exact answers need, once: opens or makes a table. Without it the first question
    /// does it.
    ///
    /// # Errors
    /// The work was stopped or is too large; the session then searches instead.
    fn prepare(&mut self, work: &Work<'_>) -> Result<(), SolveError>;

    /// The exact value of the position for the player to move (the points so far left out), where the method
    /// knows it without a search.
    fn value(&mut self) -> Option<Value>;

    /// Whether searches of this game rest, as its name asks, on something that is not proved: all they say is a guess.
    fn assumes(&self) -> bool {
        false
    }

    /// What the position would be worth without a rule of the game, and which, where that makes a difference.
    fn without_rule(&self) -> Option<(Value, &'static str)> {
        None
    }

    /// Legal moves with their exact values for the player who makes them, best first and at most `limit` of
    /// them: all of the best are kept, the worst are left out. `None` where the value is not known.
    fn values(&mut self, limit: usize) -> MoveList;

    /// The Grundy number of the position, where the game is impartial and the method knows it.
    fn grundy(&mut self) -> Option<u64>;

    /// Whether there is a search for where nothing else knows.
    fn searches(&self) -> bool;

    /// Finds a move: at once where the value is known, else by search within the limits. `report` sees every line
    /// as it is found; the last one holds the answer. `None` only where the game is over.
    fn go(&mut self, go: &Go, stop: &AtomicBool, report: &mut dyn FnMut(&Info)) -> Option<String>;

    /// Does the work of [`Session::prepare`] as far as a search within these limits has time for it, and says what
    /// a player should know beside the value, a line each: tables that are made, a value without a rule of the game.
    fn make_ready(&mut self, _limits: &Limits, _stop: &AtomicBool) -> Vec<String> {
        Vec::new()
    }

    /// Lines of play of exactly `depth` plies.
    fn perft(&self, depth: u32) -> u64;

    /// Changes what engine options change.
    fn configure(&mut self, settings: &Settings);

    /// Has searches go on from what a file holds and write there what they find out, every so often and at their
    /// end, until the session is configured anew: whether the file is there already. `None` where the game's search
    /// keeps nothing.
    fn keep(&mut self, _file: &Path, _every: Duration) -> Option<Result<bool, TableError>> {
        None
    }

    /// The door to the game's table, where its method is one that fills a table.
    fn tabled(&self) -> Option<Box<dyn Tabled + '_>> {
        None
    }

    /// The door to the game's table where it is one that is made part by part.
    fn booked(&self) -> Option<Box<dyn Booked + '_>> {
        None
    }

    /// How large a search of the position may get, in words, where the game has an idea of it.
    fn effort(&self) -> Option<String> {
        None
    }
}

/// How the game ends for the player to move if `value` is what the position is worth: in a game for points the
/// score so far counts too.
pub fn outcome(session: &dyn Session, value: Value) -> Wdl {
    let Some((one, two)) = session.score() else { return value.wdl() };
    let lead = if session.turn() == Player::One { one - two } else { two - one };
    value.back(Step { turn_passed: false, gain: lead }).wdl()
}

/// What engine options set for a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Threads for search and solving.
    pub threads: usize,
    /// Megabytes of transposition table.
    pub hash_mb: usize,
    /// The folder of tables, where one was named.
    pub tables: Option<std::path::PathBuf>,
    /// How many lines a search reports.
    pub multi_pv: usize,
    /// Chooses among equally good moves; `None` chooses always the same one.
    pub seed: Option<u64>,
    /// Further options by name, as `setoption` gave them.
    pub extra: Vec<(String, String)>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { threads: 1, hash_mb: 64, tables: None, multi_pv: 1, seed: None, extra: Vec::new() }
    }
}

/// What one `go` asks for.
#[derive(Clone, Debug, Default)]
pub struct Go {
    /// When a search ends.
    pub limits: Limits,
    /// Only these moves are looked at, where there are any.
    pub search_moves: Vec<String>,
    /// By the search alone, for a second witness: no table, formula or book is asked.
    pub alone: bool,
}

/// One report of a search, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// Plies searched to the full.
    pub depth: u32,
    /// Plies reached at the most.
    pub seldepth: u32,
    /// Nodes visited so far.
    pub nodes: u64,
    /// How full the transposition table is, in thousandths.
    pub hashfull: u32,
    /// 1 for the best move, 2 for the second best and so on.
    pub rank: u32,
    /// The position's worth for the player to move, if the first move of `pv` is played.
    pub score: Score,
    /// What the score counts.
    pub unit: Unit,
    /// The principal variation; empty where the game is over.
    pub pv: Vec<String>,
}

/// Legal moves with their values, best first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveList {
    /// The moves, best first.
    pub moves: Vec<MoveValue>,
    /// Whether moves were left out.
    pub truncated: bool,
}

/// A legal move and what it is worth to the player who makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveValue {
    /// The move in words.
    pub word: String,
    /// Its value, counted from before the move, the points it gains included.
    pub value: Option<Value>,
}

/// A legal move and where it leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Successor {
    /// The move in words.
    pub word: String,
    /// The position after it, as one line.
    pub position: String,
    /// What the move means for worth.
    pub step: Step,
    /// The value of the position after it for the player whose turn it would be, where the game is over there.
    pub over: Option<Value>,
}

/// Why a session refused a position or a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The text is no position of the game.
    Position {
        /// The text.
        text: String,
        /// What is wrong with it and what was expected.
        why: String,
    },
    /// The word is not a legal move.
    Move {
        /// The word.
        word: String,
        /// The position in which it was tried.
        position: String,
    },
    /// The game is over, so that no move is legal.
    Over {
        /// The word.
        word: String,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Position { text, why } => write!(f, "bad position {text:?}: {why}"),
            Refusal::Move { word, position } => write!(f, "illegal move {word:?} in position {position}"),
            Refusal::Over { word } => write!(f, "illegal move {word:?}: the game is over"),
        }
    }
}

impl std::error::Error for Refusal {}

//! The type-erased interface to one game: a stack of positions, moves as numbers, values, searches and tables.
//!
//! [`Board`] is all that generic code implements for each game, one trait for each purpose; what a session does with it is
//! written once. The stack holds the positions of the game so far. To look ahead, moves are played and taken back. Every
//! question is about the position on top of the stack.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use grundy_core::game::{GameResult, Player};
use grundy_core::table::TableError;
use grundy_core::value::{Step, Unit, Value};
use grundy_core::weights::Weights;

use crate::{
    Annotation, Canonical, Distance, Division, Go, Grundy, Home, Info, KeptTable, Limits, Need, Settings,
    SolveError, Successor, Tabled, Work,
};

/// A move of the position on top of a board, numbered among the moves that the board has listed there. It stays valid
/// until the position is left by [`Rules::undo`] or [`Rules::set_up`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move(pub u32);

/// A selection of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    /// The legal moves, in the game's order; none if the rules have ended the game.
    Legal,
    /// The moves that keep the value, if the method names them without asking every child. An empty list then means that
    /// every move keeps it.
    Keeping,
    /// The moves of exactly this value, each asked for it.
    Worth(Value),
    /// The moves that the board leaves room for, whether or not the rules have ended the game: for counting, in games
    /// that can be played on.
    Onward,
}

/// The form in which a set stores positions: positions that agree in it are stored once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The position as play sees it, without a clock that its value does not depend on.
    Position,
    /// The position without the clock of a rule that ends games.
    Clockless,
    /// The representative of its symmetry class.
    Canonical,
    /// The essence: the information that its value depends on, without score, clocks, and, if both players have the
    /// same moves, the player to move.
    Essence,
}

/// Facts about the position on top of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The player to move, or whose turn it would be.
    pub turn: Player,
    /// The value of a finished game for the player whose turn it would be, history ignored.
    pub over: Option<Value>,
    /// The result of a finished game, history ignored.
    pub result: Option<GameResult>,
    /// The points so far, player one's first; (0, 0) in games of outcome.
    pub score: (i32, i32),
    /// The clock of a rule that ends games, if values depend on it.
    pub clock: Option<u32>,
}

/// A way to write or draw a position.
#[derive(Clone, Copy)]
pub enum Drawing<'a> {
    /// As one line.
    Line,
    /// The representative of the position's symmetry class as one line.
    Canonical,
    /// For a person at a terminal, several lines.
    Board,
    /// For a person, with marks from the game so far: the last move, who took what.
    Game,
    /// For a person, with a label at the place of each move: the function returns it for the move's notation.
    Words(&'a dyn Fn(&str) -> Option<String>),
}

/// A numbering of positions that a game has beside that of its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbering {
    /// Its name: `query index NAME`.
    pub name: &'static str,
    /// Its description in a few words.
    pub about: &'static str,
    /// All numbers are below this.
    pub size: u64,
}

/// Occurrences of a position that end a game, if a rule says so.
pub const REPETITIONS: usize = 3;

/// Why a game is drawn by its history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawn {
    /// The game's own rules: a repetition, fifty moves.
    ByRules,
    /// The section `repeat=3` of the game's name. In a game for points the score decides.
    ByRepetition,
}

/// One game with its methods. It can be sent to another thread, and is used by one at a time.
pub trait Board: Rules + Values + Search + Enumeration + Tables + Send {
    /// Returns another board of this game at its start, for another thread. The two share methods and tables.
    fn fork(&self) -> Box<dyn Board>;
}

/// Positions, moves and notation, by the rules alone.
pub trait Rules {
    /// Returns what the values of this game count.
    fn unit(&self) -> Unit;

    /// Begins a new game from a position given as text, or from the game's start.
    ///
    /// # Errors
    /// The text is no position: what was expected. The board is unchanged.
    fn set_up(&mut self, position: Option<&str>) -> Result<(), String>;

    /// Reports whether a text is only the beginning of a position, which continues in the next line. Once it has more
    /// than one line it ends with a line break.
    fn is_incomplete(&self, text: &str) -> bool;

    /// Returns facts about the position.
    fn standing(&self) -> Standing;

    /// Returns why no game can go on from the position; `None` if one can. May cost a list of its moves.
    fn refusal(&self) -> Option<String>;

    /// Returns why no answer about the game holds any more; `None` if they do.
    fn breakdown(&self) -> Option<String>;

    /// Returns why positions of the game have no value, a breakdown included; `None` if they have.
    fn unvalued(&self) -> Option<String>;

    /// Ends games at the third repetition of a position, from now on and in all forks.
    fn end_by_repetition(&mut self);

    /// Leaves draws by the game's own rules about its history to claims, or not, from now on and in later forks: if a clock
    /// has ended the game, [`Standing::over`] and the lists of moves are those of a game that goes on.
    fn claim_draws(&mut self, claimed: bool);

    /// Returns why the game is drawn by its history; `None` if it is not. Costs a comparison with each earlier position.
    fn drawn(&self) -> Option<Drawn>;

    /// Returns the number of occurrences of the position in this game, clocks ignored: at least 1.
    fn repetitions(&self) -> usize;

    /// Reports whether some position has occurred twice in this game, so that a move may repeat it for the third time.
    /// Costs a hash of each position of the game.
    fn met_twice(&self) -> bool;

    /// Writes or draws the position.
    fn draw(&self, how: Drawing<'_>) -> String;

    /// Appends the position's cells as bytes: see [`Notation::cells`](grundy_core::game::Notation::cells).
    fn cells(&self, cells: &mut Vec<u8>);

    /// Plays a move; returns whether the turn passed and what the mover gained.
    fn play(&mut self, m: Move) -> Step;

    /// Takes the last move back; returns false if there is none.
    fn undo(&mut self) -> bool;

    /// Lists at most `limit` moves; `None` if there is no such list. Moves listed before keep their numbers.
    fn list(&mut self, which: Listed, limit: usize) -> Option<Vec<Move>>;

    /// Reports whether [`Listed::Keeping`] is the list of all moves that keep the value.
    fn keeping_is_whole(&self) -> bool;

    /// Visits the legal moves with the positions after them, history ignored, until `visit` returns false. None is
    /// visited if the rules have ended the game.
    fn each_successor(&self, visit: &mut dyn FnMut(Successor) -> bool);

    /// Counts the legal moves, up to `limit`.
    fn count_moves(&self, limit: usize) -> usize;

    /// Reads a legal move.
    fn find(&mut self, word: &str) -> Option<Move>;

    /// Returns a move in its standard spelling.
    fn word(&self, m: Move) -> String;

    /// Returns a move as people note it down: in chess `Nbd2`.
    fn note(&self, m: Move) -> String;

    /// Counts the lines of play of exactly `depth` plies, history ignored; `None` if `stop` ended the count.
    fn perft(&self, depth: u32, stop: &AtomicBool) -> Option<u64>;
}

/// Sets of positions, each position at an index counted from 0, and the graph of states below a position.
pub trait Enumeration {
    /// Empties a set of positions. There are as many sets as are used, numbered from 0.
    fn clear(&mut self, set: usize);

    /// Adds the position, in this form, to a set. Returns its index there, and whether it is new.
    fn insert(&mut self, set: usize, form: Form) -> (u32, bool);

    /// Returns the index of the position, in this form, in a set; `None` if it was never added.
    fn index_in(&self, set: usize, form: Form) -> Option<u32>;

    /// Begins a new game from the position at an index of a set.
    fn load(&mut self, set: usize, index: u32);

    /// Returns the approximate size of the sets and states in bytes.
    fn set_bytes(&self) -> u64;

    /// Begins a graph of states (what values depend on) with that of the position, at index 0.
    fn begin_states(&mut self);

    /// Visits the states that the moves of a state lead to, which join the graph: index, whether it is new, and the step
    /// of the move, until `visit` returns false. Returns the value, with none visited, if the game is over.
    ///
    /// # Errors
    /// One line: no graph was begun, or the game's numbering is at fault.
    fn expand(
        &mut self,
        index: u32,
        visit: &mut dyn FnMut(u32, bool, Step) -> bool,
    ) -> Result<Option<Value>, String>;

    /// Frees the states.
    fn end_states(&mut self);
}

/// A question about the value of a move.
#[derive(Clone, Copy, Debug)]
pub struct MoveQuestion {
    /// A proved upper bound of the value: no move is worth more than its position.
    pub at_most: Option<Value>,
    /// If set, only whether the move is worth this or more is asked, by a null window.
    pub target: Option<Value>,
    /// The extent of the proof of a win or a loss.
    pub distance: Distance,
}

/// Exact values from formulas, sums and tables. Only [`Values::ready`], and what takes a [`Work`], may take long.
pub trait Values {
    /// Does the long work that exact values of this position need, unless it was done before: opens or builds a table.
    ///
    /// # Errors
    /// The work was stopped or is too large; a search may then answer.
    fn ready(&mut self, need: &Need<'_>) -> Result<(), SolveError>;

    /// Answers from opening books or not, from now on and in all forks; it does at first.
    fn use_book(&mut self, on: bool);

    /// Returns the exact value for the player to move, finished or not, if a method has it at hand: after
    /// [`Values::ready`] that of the position and of those after its moves, as far as it was found.
    fn value(&self) -> Option<Value>;

    /// Returns the exact value of a move for the player who makes it.
    fn worth(&self, m: Move) -> Option<Value>;

    /// Returns the plies from a move that keeps the value until a gain or an end is forced, for games for points in which
    /// positions may repeat; `None` if no method knows it.
    fn pace(&self, m: Move) -> Option<u32>;

    /// Visits the exact values of the legal moves, as [`Values::worth`] returns them, in the game's order, until `visit`
    /// returns false.
    fn each_worth(&self, visit: &mut dyn FnMut(Option<Value>) -> bool);

    /// Returns the `limit` moves of the highest exact values with these, best first, unknown values last, equal ones in
    /// the game's order; and whether moves were left out. Moves not looked at by `until` are left out.
    fn most_valued(&mut self, limit: usize, until: Option<Instant>) -> (Vec<(Move, Option<Value>)>, bool);

    /// Returns the value that the position would have without a rule of the game, and the rule, if that makes a
    /// difference.
    fn without_rule(&self) -> Option<(Value, &'static str)>;

    /// Returns the Grundy number, or why there is none: the game is not impartial, or the work ended first.
    fn grundy(&self, work: &Work<'_>) -> Grundy;

    /// Returns the canonical form, or why there is none.
    fn canonical_form(&self, work: &Work<'_>) -> Canonical;

    /// Returns comments on the position for a player, one a line, as far as they are found before the work ends.
    fn remarks(&mut self, settings: &Settings, work: &Work<'_>) -> Vec<String>;

    /// Returns a certificate of the position's value in a form of the game's own; `None` if the game has none, or it is not
    /// found before `stop`.
    fn certificate(&self, stop: &AtomicBool) -> Option<String>;

    /// Returns the name of the game's annotation; `None` if it has none.
    fn annotation(&self) -> Option<&'static str>;

    /// Returns the marks of the position and its moves, as far as they are found before the work ends; `None` if the game
    /// has no annotation.
    fn annotate(&mut self, settings: &Settings, work: &Work<'_>) -> Option<Annotation>;

    /// Returns the approximate memory of the methods in bytes, searches excluded.
    fn bytes(&self) -> u64;
}

/// The search, for positions whose value no method knows.
pub trait Search {
    /// Reports whether the game has a search.
    fn searches(&self) -> bool;

    /// Reports whether the game has the search of the textbooks, with [`Evaluation::Lines`](crate::Evaluation::Lines).
    fn evaluates(&self) -> bool;

    /// Returns an estimate of the size of a search of the position, as text; `None` if the game has none.
    fn effort(&self) -> Option<String>;

    /// Evaluates by these weights instead of the game's own evaluation, from now on and in later forks, in searches with
    /// limits. What searches have learned is forgotten.
    fn evaluate_by(&mut self, weights: Option<Arc<Weights>>);

    /// Searches an unfinished position until the limits of `go` or `stop` end it, by playouts if the game has no search.
    /// Only the moves of `only` are considered, all if it is empty. `report` receives every line; the last of rank 1 holds
    /// the answer.
    fn search(
        &mut self,
        go: &Go,
        only: &[Move],
        settings: &Settings,
        stop: &AtomicBool,
        report: &mut dyn FnMut(Info),
    );

    /// Returns proved bounds of a move's value for the player who makes it, as close as the limits allow. A bound that
    /// nothing proves is the worst or the best value of all: `loss:1` and `win:1`, or the largest margins.
    fn bounds(
        &mut self,
        m: Move,
        question: &MoveQuestion,
        settings: &Settings,
        limits: Limits,
        stop: &AtomicBool,
    ) -> (Value, Value);

    /// Returns a move of an unfinished position that is worth at least `target`, or `None` inside if there is none; `None` if
    /// the search was stopped first, or if it answers by the [bounds](Search::bounds) of single moves only.
    fn reaching(&mut self, target: Value, settings: &Settings, stop: &AtomicBool) -> Option<Option<Move>>;

    /// Forgets what searches have learned.
    fn forget(&mut self);

    /// Starts searches from the results in a file and saves theirs to it, until [`Search::forget`]. Returns whether the
    /// file exists already; `None` if the search cannot save results.
    fn keep(
        &mut self,
        name: &str,
        file: &Path,
        every: Duration,
        settings: &Settings,
    ) -> Option<Result<bool, TableError>>;
}

/// Tables and numberings of positions.
pub trait Tables {
    /// Returns the game's table: see [`crate::Session::tabled`].
    fn tabled<'a>(&'a self, home: &'a Home, book: Option<u32>) -> Option<Box<dyn Tabled + 'a>>;

    /// Opens a file of values that the game keeps beside its tables, such as an ending that was solved for a position;
    /// `None` if it keeps none of this name.
    fn kept<'a>(&'a self, file: &Path) -> Option<Result<KeptTable<'a>, TableError>>;

    /// Returns the division of the moves into orbits and groups for tables in parts; `None` if they are not divided.
    fn division(&self) -> Option<Division>;

    /// Returns the numberings of positions that the game has beside that of its table.
    fn numberings(&self) -> Vec<Numbering>;

    /// Returns the number of the position in one of [`Tables::numberings`]; `None` if there is none of this name.
    fn number(&self, numbering: &str) -> Option<u64>;

    /// Returns the position with this number in one of [`Tables::numberings`] as text; `None` if no position has it, or
    /// there is no numbering of this name.
    fn numbered(&self, numbering: &str, number: u64) -> Option<String>;
}

//! The type-erased interface to one game: a stack of positions, moves as numbers, values and searches.
//!
//! This trait is all that generic code implements for each game; what a session does with it is written once. The stack
//! holds the positions of the game so far. To look ahead, moves are played and taken back. Every question is about the
//! position on top of the stack.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use grundy_core::game::{GameResult, Player};
use grundy_core::table::TableError;
use grundy_core::value::{Step, Unit, Value};

use crate::{
    Canonical, Division, Go, Grundy, Home, Info, LoonyMoves, Need, Settings, SolveError, Successor, Tabled,
    Work,
};

/// A move of the position on top of a board: its number among the moves that the board has listed there. It stays valid
/// until the position is left by [`Board::undo`] or [`Board::set_up`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move(pub u32);

/// Which moves are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    /// The legal moves, in the game's order; none where the rules have ended the game.
    Legal,
    /// Those that keep the value, where the method names them without asking every child. An empty list then means
    /// that every move keeps it.
    Keeping,
    /// Those of exactly this worth, each asked for it.
    Worth(Value),
    /// The moves that the board leaves room for, whether or not the rules have ended the game: for counting them, in
    /// games that can be played on.
    Onward,
}

/// What a shelf keeps of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// All that tells it from others in play: the player to move and the score, not what neither they nor the value
    /// show, such as a clock.
    Position,
    /// The same without the clock of a rule that ends games.
    Clockless,
    /// The one that stands for it and all its images.
    Image,
    /// What its value depends on, without score, clocks and, where it makes no difference, the player to move.
    Essence,
}

/// Facts about the position on top of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The player to move, or whose turn it would be.
    pub turn: Player,
    /// The value of a finished game for the player whose turn it would be, history left out.
    pub over: Option<Value>,
    /// How a finished game ended, history left out.
    pub result: Option<GameResult>,
    /// The points so far, player one's first; (0, 0) in games of outcome.
    pub score: (i32, i32),
    /// The clock of a rule that ends games, where values depend on it.
    pub clock: Option<u32>,
}

/// How a position is written or drawn.
#[derive(Clone, Copy)]
pub enum Drawing<'a> {
    /// As one line.
    Line,
    /// As one line, with the representative of the position's symmetry class in its place.
    Canonical,
    /// For a person at a terminal, several lines.
    Board,
    /// For a person, with marks from the game so far: the last move, who took what.
    Game,
    /// For a person, with a label at the place of each move, as this function gives it for the move's notation.
    Words(&'a dyn Fn(&str) -> Option<String>),
}

/// A numbering of positions that a game has beside that of its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbering {
    /// Its name: `query index NAME`.
    pub name: &'static str,
    /// How it counts, in a few words.
    pub about: &'static str,
    /// All numbers are below this.
    pub size: u64,
}

/// A request to search.
pub struct Ask<'a> {
    /// What `go` said.
    pub go: &'a Go,
    /// The moves that may be looked at, of the position on top; all, where there are none.
    pub only: &'a [Move],
    /// How many lines are asked for.
    pub lines: usize,
    /// Set from outside to end the search.
    pub stop: &'a AtomicBool,
    /// A line of play that is shown ends where a position has come so often.
    pub repeats: Option<usize>,
}

/// One game with its methods. It can be sent to another thread, and is used by one at a time.
pub trait Board: Send {
    /// What the values of this game count.
    fn unit(&self) -> Unit;

    // ---- positions ----

    /// Begins a new game from a position given as text, or from the game's start.
    ///
    /// # Errors
    /// The text is no position: what was expected. The board is then as it was.
    fn set_up(&mut self, position: Option<&str>) -> Result<(), String>;

    /// Whether a text is only the beginning of a position in words, which goes on in the next line.
    fn goes_on(&self, text: &str) -> bool;

    /// Facts about the position.
    fn standing(&self) -> Standing;

    /// Whether the game is drawn by its history.
    fn drawn(&self) -> bool;

    /// How often the position has occurred in this game, this time included, clocks left out.
    fn repetitions(&self) -> usize;

    /// Whether some position has occurred twice in this game, so that the next move may repeat it for the third time.
    fn met_twice(&self) -> bool;

    /// Writes or draws the position.
    fn draw(&self, how: Drawing<'_>) -> String;

    /// Plays a move; says whether the turn passed and what the mover gained.
    fn play(&mut self, m: Move) -> Step;

    /// Takes the last move back; false where there is none.
    fn undo(&mut self) -> bool;

    // ---- moves ----

    /// Lists moves, at most `limit`; `None` where there is no such list. Moves that were listed before keep their
    /// numbers.
    fn list(&mut self, which: Listed, limit: usize) -> Option<Vec<Move>>;

    /// Shows the legal moves one after another with where each leads by the rules alone, until `visit` says that it
    /// has seen enough. No list is made, however many there are; none is shown where the rules have ended the game.
    fn each_successor(&self, visit: &mut dyn FnMut(Successor) -> bool);

    /// How many legal moves there are, counted no further than `limit`.
    fn count_moves(&self, limit: usize) -> usize;

    /// Reads a legal move.
    fn find(&mut self, word: &str) -> Option<Move>;

    /// A move in its standard spelling.
    fn word(&self, m: Move) -> String;

    /// A move as people note it down: in chess `Nbd2`.
    fn note(&self, m: Move) -> String;

    // ---- positions under numbers ----

    /// Makes one of the board's shelves for positions empty. There are as many as are used; they are counted from 0.
    fn clear(&mut self, shelf: usize);

    /// Puts the position on top on a shelf, or what is kept of it: its place there, and whether it is new there. Places
    /// are counted from 0.
    fn shelve(&mut self, shelf: usize, kept: Kept) -> (u32, bool);

    /// Begins anew with the position at a place of a shelf.
    fn unshelve(&mut self, shelf: usize, place: u32);

    /// About how many bytes the shelves and the states take.
    fn shelved(&self) -> u64;

    // ---- states: what the values of positions depend on ----

    /// Begins a set of states with that of the position on top, at place 0.
    fn begin_states(&mut self);

    /// Visits the places of the states that the moves of a state lead to, which join the set, whether each is new, and
    /// the step of the move, until `visit` says that it has seen enough. Returns the value, with none visited, if the
    /// game is over.
    ///
    /// # Errors
    /// One line: no set was begun, or the game's numbering is at fault.
    fn expand(
        &mut self,
        place: u32,
        visit: &mut dyn FnMut(u32, bool, Step) -> bool,
    ) -> Result<Option<Value>, String>;

    /// Forgets the states.
    fn end_states(&mut self);

    // ---- values ----

    /// Does the long work that exact values of this position need, unless it was done before.
    ///
    /// # Errors
    /// The work was stopped or is too large; a search may then answer.
    fn ready(&mut self, need: &Need<'_>) -> Result<(), SolveError>;

    /// The exact value for the player to move, finished or not, where a method has it at hand: after [`Board::ready`] that
    /// of the position and of those after its moves, as far as it was found.
    fn value(&self) -> Option<Value>;

    /// The exact value of a move for the player who makes it.
    fn worth(&self, m: Move) -> Option<Value>;

    /// For a move that keeps the value, in games for points in which positions may repeat: in how many plies after it a
    /// gain or an end is forced that the value rests on, where a method knows it.
    fn pace(&self, m: Move) -> Option<u32>;

    /// Shows the exact values of the legal moves as [`Board::worth`] gives them, in the game's order, until `visit`
    /// says that it has seen enough. No list is made.
    fn each_worth(&self, visit: &mut dyn FnMut(Option<Value>) -> bool);

    /// The legal moves of the highest exact values with these, best first and at most `limit` of them, those of one
    /// value in the game's order, unknown values last; and whether moves were left out. No longer list is made. Where there
    /// are very many moves those that are not looked at until then are left out.
    fn most_valued(&mut self, limit: usize, until: Option<Instant>) -> (Vec<(Move, Option<Value>)>, bool);

    /// What the position would be worth without a rule of the game, and which, where that makes a difference.
    fn without_rule(&self) -> Option<(Value, &'static str)>;

    /// The Grundy number, where the game is impartial and a method finds it before the work ends, else why not.
    fn grundy(&self, work: &Work<'_>) -> Grundy;

    /// The canonical form, where the game has such forms and a method finds it before the work ends.
    fn canonical_form(&self, work: &Work<'_>) -> Canonical;

    /// Lines of play of exactly `depth` plies.
    fn perft(&self, depth: u32) -> u64;

    /// Comments on the position for a player, one a line, as far as they are found before the work ends.
    fn remarks(&mut self, settings: &Settings, work: &Work<'_>) -> Vec<String>;

    /// The loony states of the moves, as far as they are found before the work ends; `None` where the game has none.
    fn loony(&mut self, settings: &Settings, work: &Work<'_>) -> Option<LoonyMoves>;

    // ---- search ----

    /// Whether there is a search.
    fn searches(&self) -> bool;

    /// Whether there is the search of the textbooks, with [`Evaluation::Lines`](crate::Evaluation::Lines).
    fn evaluates(&self) -> bool;

    /// An estimate of the size of a search of the position, as text, where the game has one.
    fn effort(&self) -> Option<String>;

    /// Searches an unfinished position; `report` sees every line, the last of rank 1 holds the answer.
    fn search(&mut self, ask: &Ask<'_>, settings: &Settings, report: &mut dyn FnMut(&Info));

    /// Forgets what searches have learned.
    fn forget(&mut self);

    /// Has searches start from the results in a file and save theirs to it, until [`Board::forget`]. Says whether the
    /// file exists already; `None` where the game's search cannot save results.
    fn keep(
        &mut self,
        name: &str,
        file: &Path,
        every: Duration,
        settings: &Settings,
    ) -> Option<Result<bool, TableError>>;

    /// About how many bytes of memory its methods keep, searches left out.
    fn bytes(&self) -> u64;

    // ---- tables ----

    /// The game's table: see [`crate::Session::tabled`].
    fn tabled<'a>(&'a self, home: &'a Home, book: Option<u32>) -> Option<Box<dyn Tabled + 'a>>;

    /// How the moves are divided into orbits and groups for tables in parts; `None` where they are not.
    fn division(&self) -> Option<Division>;

    /// The numberings of positions that the game has beside that of its table.
    fn numberings(&self) -> Vec<Numbering>;

    /// Returns the number of the position in one of [`Board::numberings`]; `None` if there is none of this name.
    fn number(&self, numbering: &str) -> Option<u64>;

    /// Returns the position with this number in one of [`Board::numberings`] as text; `None` if no position has it, or
    /// there is no numbering of this name.
    fn numbered(&self, numbering: &str, number: u64) -> Option<String>;

    /// Another board of this game at its start, for another thread. It shares the methods and their tables.
    fn fork(&self) -> Box<dyn Board>;
}

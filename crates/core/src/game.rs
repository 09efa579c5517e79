//! The rules of a game as a trait, and the small ability traits that methods ask for.
//!
//! [`Game`] holds the rules with their parameters settled. Everything a method needs beyond the rules is an
//! ability: a trait of one or two functions that a game implements when it can. A method names the abilities it
//! asks for in its bounds, so that the compiler refuses a method that a game cannot serve.

use std::fmt::Debug;
use std::hash::{BuildHasher, BuildHasherDefault, Hash};
use std::ops::{ControlFlow, Not, Range};

use rustc_hash::FxHasher;

use crate::value::{Step, Unit, Value, Wdl};

/// One of the two players. Player one starts unless a position says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Player {
    /// The first player, written `1`.
    One,
    /// The second player, written `2`.
    Two,
}

impl Not for Player {
    type Output = Player;
    fn not(self) -> Player {
        match self {
            Player::One => Player::Two,
            Player::Two => Player::One,
        }
    }
}

impl Player {
    /// 0 for player one, 1 for player two.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The digit a position ends with.
    pub const fn digit(self) -> &'static str {
        match self {
            Player::One => "1",
            Player::Two => "2",
        }
    }

    /// Reads `1` or `2`.
    pub fn read(word: &str) -> Option<Player> {
        match word {
            "1" => Some(Player::One),
            "2" => Some(Player::Two),
            _ => None,
        }
    }
}

/// What a visitor returns: whether it wants to see more. `visit(m)?` inside [`Game::moves`] ends the listing early.
pub type Flow = ControlFlow<()>;

/// Go on visiting.
pub const MORE: Flow = ControlFlow::Continue(());

/// The rules of a game with given parameters.
///
/// Turns need not alternate: [`Game::turn`] is asked after every move.
///
/// ```
/// use grundy_core::game::{Flow, Game, MORE, Player, legal_moves};
/// use grundy_core::value::Value;
///
/// /// One heap: a move takes one or two counters, and who cannot move loses.
/// struct Counters(u64);
///
/// impl Game for Counters {
///     type Position = (u64, Player);
///     type Move = u64;
///     fn start(&self) -> Self::Position {
///         (self.0, Player::One)
///     }
///     fn turn(&self, position: &Self::Position) -> Player {
///         position.1
///     }
///     fn over(&self, position: &Self::Position) -> Option<Value> {
///         (position.0 == 0).then_some(Value::loss_in(0))
///     }
///     fn moves(&self, position: &Self::Position, visit: &mut impl FnMut(u64) -> Flow) -> Flow {
///         (1..=position.0.min(2)).try_for_each(visit)
///     }
///     fn play(&self, position: &Self::Position, m: u64) -> Self::Position {
///         (position.0 - m, !position.1)
///     }
/// }
///
/// let game = Counters(3);
/// assert_eq!(legal_moves(&game, &game.start()), [1, 2]);
/// assert_eq!(game.play(&game.start(), 2), (1, Player::Two));
/// ```
pub trait Game: Send + Sync + 'static {
    /// A position: plain data that holds all that later play depends on, the score so far included.
    type Position: Clone + Eq + Hash + Debug + Send + Sync;
    /// A move: plain data, as small as possible.
    type Move: Copy + Eq + Hash + Debug + Send + Sync;

    /// The position a new game starts from.
    fn start(&self) -> Self::Position;

    /// The player to move; in a finished game the player whose turn it would be.
    fn turn(&self, position: &Self::Position) -> Player;

    /// The value of a finished game for the player whose turn it would be: a win, loss or draw in 0 plies, or the
    /// points that are settled at the end (usually 0). `None` while the game goes on.
    fn over(&self, position: &Self::Position) -> Option<Value>;

    /// Visits every legal move once, in a fixed order. Not called on a finished game.
    fn moves(&self, position: &Self::Position, visit: &mut impl FnMut(Self::Move) -> Flow) -> Flow;

    /// The position after a legal move.
    fn play(&self, position: &Self::Position, m: Self::Move) -> Self::Position;

    /// Whether the game is drawn by its history: by a third repetition, or after fifty moves. `earlier` holds the
    /// positions before `now`, oldest first. Tables and searches do not ask it.
    fn drawn_by_history(&self, _earlier: &[Self::Position], _now: &Self::Position) -> bool {
        false
    }

    /// The clock of a rule that ends games, where positions hold one and their values depend on it. Symmetry
    /// ([`Game::canonical`]) leaves it out.
    fn clock(&self, _position: &Self::Position) -> Option<u32> {
        None
    }

    /// Returns the position with its clock at the start: what is counted as one position.
    fn without_clock(&self, position: &Self::Position) -> Self::Position {
        position.clone()
    }

    /// Whether a position repeats an earlier one of the same game. A game whose positions hold a clock leaves it out.
    fn repeats(&self, earlier: &Self::Position, now: &Self::Position) -> bool {
        earlier == now
    }

    /// The representative of the position's symmetry class (mirror images of a board, heaps in another order). It has
    /// the same player to move and the same score, and its moves lead to the same classes. A game without symmetry
    /// gives the position itself.
    fn canonical(&self, position: &Self::Position) -> Self::Position {
        position.clone()
    }

    /// Returns the position with everything removed that its value does not depend on: the score so far is 0-0, clocks
    /// and move numbers are at their start, and where both players have the same moves, or a board is seen by the player
    /// to move, player one is to move. The essence has the same value for the player to move, and moves with the same
    /// gains that lead to the same essences. Images of a board stay apart: [`Game::canonical`] joins them.
    ///
    /// Whatever remembers values uses it: positions of one essence share a number in tables, a value in memory, and a key
    /// in transposition tables, unless the search has to tell repetitions apart by it. A game in which every part of a position counts returns the position itself.
    fn essence(&self, position: &Self::Position) -> Self::Position {
        position.clone()
    }
}

/// What a game is played for: to win, or for points. The defaults are those of a game that is only won, drawn or lost.
pub trait Scored: Game {
    /// What values count.
    fn unit(&self) -> Unit {
        Unit::Outcome
    }

    /// The points a legal move gains its mover.
    fn gain(&self, _position: &Self::Position, _m: Self::Move) -> i32 {
        0
    }

    /// The points so far, player one's first; (0, 0) in games of outcome.
    fn score(&self, _position: &Self::Position) -> (i32, i32) {
        (0, 0)
    }
}

/// Positions and moves as text.
pub trait Notation: Game {
    /// The position as one line. Its last field is the player to move, `1` or `2`.
    fn write_position(&self, position: &Self::Position) -> String;

    /// Reads what [`Notation::write_position`] writes; a missing turn is player one's, missing scores are 0-0.
    ///
    /// # Errors
    /// One line that names what was wrong and says what was expected.
    fn read_position(&self, text: &str) -> Result<Self::Position, String>;

    /// Whether a text is only the beginning of a position, which goes on in the next line: for games whose positions
    /// are read in a form of several lines as well. Such a text ends with a line break once it has more than one line.
    fn goes_on(&self, _text: &str) -> bool {
        false
    }

    /// The move as one word without blanks and without `=`.
    fn write_move(&self, position: &Self::Position, m: Self::Move) -> String;

    /// Reads a legal move; `None` where the word is none. The default compares the word with every legal move. A game
    /// with very many moves, or with several spellings of one, overrides it.
    fn read_move(&self, position: &Self::Position, word: &str) -> Option<Self::Move> {
        let mut found = None;
        if self.over(position).is_none() {
            let _ = self.moves(position, &mut |m| {
                if self.write_move(position, m) == word {
                    found = Some(m);
                    return ControlFlow::Break(());
                }
                MORE
            });
        }
        found
    }

    /// The move as people note it down, where that differs: in chess `Nbd2`. [`Notation::read_move`] reads it as well.
    fn write_note(&self, position: &Self::Position, m: Self::Move) -> String {
        self.write_move(position, m)
    }

    /// A drawing for a person at a terminal, several lines; the default is the position's line.
    fn draw(&self, position: &Self::Position) -> String {
        self.write_position(position)
    }
}

/// A numbering of positions, for tables.
///
/// Positions that share a number have the same value: positions of one [essence](Game::essence) share it, and symmetric
/// positions may.
pub trait Indexed: Game {
    /// How many numbers there are: every number is below this. `u64::MAX` says that there are more positions than can
    /// be numbered.
    fn size(&self) -> u64;

    /// The number of a position.
    fn index(&self, position: &Self::Position) -> u64;

    /// A position with this number, of which [`Indexed::index`] gives the number back; `None` where no position has it.
    fn position(&self, index: u64) -> Option<Self::Position>;

    /// A checksum of the file that the rules were read from (a graph, a map), or 0. A table whose checksum differs is
    /// refused.
    fn checksum(&self) -> u64 {
        0
    }

    /// Whether a table may hold any value at numbers that no position has, so that it compresses better.
    fn loose(&self) -> bool {
        false
    }

    /// Visits the positions of a range of numbers in rising order, without the numbers that no position has. A game
    /// overrides it where the next position is found faster from the one before.
    fn walk(&self, range: Range<u64>, visit: &mut impl FnMut(u64, Self::Position)) {
        for n in range {
            if let Some(position) = self.position(n) {
                visit(n, position);
            }
        }
    }

    /// How many distinct children an unfinished position has, by number and by whether the turn passes; `None` where
    /// the game does not know it without numbering them.
    fn child_count(&self, _position: &Self::Position) -> Option<u32> {
        None
    }

    /// Visits the number of every child of an unfinished position with its step, in the order of the moves. Two moves
    /// may lead to one number. A game overrides it where it finds the numbers without making the children.
    fn child_numbers(&self, position: &Self::Position, visit: &mut impl FnMut(u64, Step))
    where
        Self: Scored + Sized,
    {
        let _ = children(self, position, &mut |_, child, step| {
            visit(self.index(&child), step);
            MORE
        });
    }
}

/// The value of a position without a move: who cannot move loses, in misere play he wins.
pub const fn cannot_move(misere: bool) -> Value {
    if misere { Value::win_in(0) } else { Value::loss_in(0) }
}

/// A fast hash, the same on every machine; not for keys that come from outside.
#[inline]
pub fn hash_of<T: Hash>(m: T) -> u64 {
    BuildHasherDefault::<FxHasher>::default().hash_one(m)
}

/// [`Game::moves`] for code that is seldom run: it is compiled once for a game, however many callers it has.
#[inline(never)]
pub fn each_move<G: Game>(game: &G, position: &G::Position, visit: &mut dyn FnMut(G::Move) -> Flow) -> Flow {
    game.moves(position, &mut |m| visit(m))
}

/// Is given a move, the position that it leads to, and its step; says whether more are wanted.
pub type VisitChild<'a, G> = dyn FnMut(<G as Game>::Move, &<G as Game>::Position, Step) -> Flow + 'a;

/// [`children`] for code that is seldom run: it is compiled once for a game, however many callers it has.
pub fn each_child<G: Scored>(game: &G, position: &G::Position, visit: &mut VisitChild<'_, G>) -> Flow {
    each_move(game, position, &mut |m| {
        let child = game.play(position, m);
        visit(m, &child, step(game, position, m, &child))
    })
}

/// The legal moves as a list; empty where the game is over.
pub fn legal_moves<G: Game>(game: &G, position: &G::Position) -> Vec<G::Move> {
    let mut list = Vec::new();
    if game.over(position).is_none() {
        let _ = each_move(game, position, &mut |m| {
            list.push(m);
            MORE
        });
    }
    list
}

/// What a move does to a value: whether the turn passes, and what the mover gains.
#[inline]
pub fn step<G: Scored>(game: &G, position: &G::Position, m: G::Move, child: &G::Position) -> Step {
    Step { turn_passed: game.turn(position) != game.turn(child), gain: game.gain(position, m) }
}

/// Visits every child of an unfinished position with the move that leads there and its step.
#[inline]
pub fn children<G: Scored>(
    game: &G,
    position: &G::Position,
    visit: &mut impl FnMut(G::Move, G::Position, Step) -> Flow,
) -> Flow {
    game.moves(position, &mut |m| {
        let child = game.play(position, m);
        let step = step(game, position, m, &child);
        visit(m, child, step)
    })
}

/// Counts the lines of play of exactly `depth` plies. Games that end earlier are not counted.
pub fn perft<G: Game>(game: &G, position: &G::Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if game.over(position).is_some() {
        return 0;
    }
    let mut count = 0;
    let _ = game.moves(position, &mut |m| {
        count += if depth == 1 { 1 } else { perft(game, &game.play(position, m), depth - 1) };
        MORE
    });
    count
}

/// Returns the representative of all positions that a game knows to have the value of this one: the image of its
/// [essence](Game::essence).
pub fn class_of<G: Game>(game: &G, position: &G::Position) -> G::Position {
    game.canonical(&game.essence(position))
}

/// How a finished game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// This player has won.
    Win(Player),
    /// Neither has.
    Draw,
}

/// The result of a finished game: by the outcome, or by the final score of a game for points.
pub fn result<G: Scored>(game: &G, position: &G::Position) -> Option<GameResult> {
    let ended = game.over(position)?;
    let turn = game.turn(position);
    Some(match total(game, position, ended).wdl() {
        Wdl::Win => GameResult::Win(turn),
        Wdl::Loss => GameResult::Win(!turn),
        Wdl::Draw => GameResult::Draw,
    })
}

/// The final margin for the player to move: the value with the score so far added. In a game of outcome the value
/// itself.
pub fn total<G: Scored>(game: &G, position: &G::Position, value: Value) -> Value {
    if game.unit() == Unit::Outcome {
        return value;
    }
    let (one, two) = game.score(position);
    let lead = if game.turn(position) == Player::One { one - two } else { two - one };
    value.back(Step { turn_passed: false, gain: lead })
}

//! The rules of a game as a trait, and the ability traits that methods require.
//!
//! [`Game`] holds the rules with their parameters settled. Everything else that a method needs is an ability: a trait
//! of a few functions that a game implements if it can. A method names the abilities in its bounds, so that the
//! compiler refuses a method that a game cannot serve.

use std::fmt::Debug;
use std::hash::{BuildHasher, BuildHasherDefault, Hash};
use std::ops::{ControlFlow, Not, Range};

use rustc_hash::FxHasher;

use crate::drawing;
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
    /// Returns 0 for player one, 1 for player two.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the digit that a position ends with.
    pub const fn digit(self) -> &'static str {
        match self {
            Player::One => "1",
            Player::Two => "2",
        }
    }

    /// Reads `1` or `2`; `None` for anything else.
    pub fn read(word: &str) -> Option<Player> {
        match word {
            "1" => Some(Player::One),
            "2" => Some(Player::Two),
            _ => None,
        }
    }
}

/// Result of a visitor: whether to continue. `visit(m)?` inside [`Game::moves`] ends the listing early.
pub type Flow = ControlFlow<()>;

/// Continue the visit.
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
    /// A position: plain data that holds all that later play depends on, including the score so far.
    type Position: Clone + Eq + Hash + Debug + Send + Sync;
    /// A move: plain data, as small as possible.
    type Move: Copy + Eq + Hash + Debug + Send + Sync;

    /// Returns the position that a new game starts from.
    fn start(&self) -> Self::Position;

    /// Returns the player to move; in a finished game the player whose turn it would be.
    fn turn(&self, position: &Self::Position) -> Player;

    /// Returns the value of a finished game for the player whose turn it would be: a win, loss or draw in 0 plies, or
    /// the points that are settled at the end (usually 0). `None` if the game is not over.
    fn over(&self, position: &Self::Position) -> Option<Value>;

    /// Visits every legal move once, in a fixed order. Must not be called on a finished game.
    fn moves(&self, position: &Self::Position, visit: &mut impl FnMut(Self::Move) -> Flow) -> Flow;

    /// Returns the position after a legal move.
    fn play(&self, position: &Self::Position, m: Self::Move) -> Self::Position;

    /// Reports whether the game is drawn by its history: by a third repetition, or after fifty moves. `earlier` holds
    /// the positions before `now`, oldest first. Tables and searches do not call it.
    fn drawn_by_history(&self, _earlier: &[Self::Position], _now: &Self::Position) -> bool {
        false
    }

    /// Returns the clock of a rule that ends games, if positions hold one and their values depend on it;
    /// [`Game::canonical`] leaves it out.
    fn clock(&self, _position: &Self::Position) -> Option<u32> {
        None
    }

    /// Returns the position from which play goes on if nobody claims the draw by which a clock has ended the game; `None` if
    /// no clock has.
    fn unclaimed(&self, _position: &Self::Position) -> Option<Self::Position> {
        None
    }

    /// Returns the position with its clock reset; positions that differ only by the clock are counted as one.
    fn without_clock(&self, position: &Self::Position) -> Self::Position {
        position.clone()
    }

    /// Reports whether `now` repeats `earlier`: whether they are equal [without their clocks](Game::without_clock).
    fn repeats(&self, earlier: &Self::Position, now: &Self::Position) -> bool {
        earlier == now
    }

    /// Returns the representative of the position's symmetry class (mirror images of a board, heaps in another order).
    /// It has the same player to move and the same score, and its moves lead to the same classes. A game without
    /// symmetry returns the position itself.
    fn canonical(&self, position: &Self::Position) -> Self::Position {
        position.clone()
    }

    /// Returns the position with everything removed that its value does not depend on: the score so far is 0-0, clocks
    /// and move numbers are at their start, and where both players have the same moves, or a board is seen by the player
    /// to move, player one is to move. The essence has the same value for the player to move, and moves with the same
    /// gains that lead to the same essences. Images of a board stay apart: [`Game::canonical`] joins them.
    ///
    /// Everything that stores values uses it: positions of one essence share an index in tables, a cached value, and a
    /// key in transposition tables, unless the search detects repetitions by the key. A game in which every part of a
    /// position matters returns the position itself.
    fn essence(&self, position: &Self::Position) -> Self::Position {
        position.clone()
    }
}

/// The objective of a game: to win, or to gain points. The defaults are those of a game that is only won, drawn or
/// lost.
pub trait Scored: Game {
    /// Returns the unit of the game's values.
    fn unit(&self) -> Unit {
        Unit::Outcome
    }

    /// Returns the points that a legal move gains its mover.
    fn gain(&self, _position: &Self::Position, _m: Self::Move) -> i32 {
        0
    }

    /// Returns the points so far, player one's first; (0, 0) in games of outcome.
    fn score(&self, _position: &Self::Position) -> (i32, i32) {
        (0, 0)
    }
}

/// Positions and moves as text.
pub trait Notation: Game {
    /// Returns the position as one line. Its last field is the player to move, `1` or `2`.
    fn write_position(&self, position: &Self::Position) -> String;

    /// Reads the form written by [`Notation::write_position`]; a missing turn is player one's, missing scores are 0-0.
    ///
    /// # Errors
    /// One line that names what was wrong and what was expected.
    fn read_position(&self, text: &str) -> Result<Self::Position, String>;

    /// Returns why no game can go on from a position that was typed; `None` if one can.
    fn refusal(&self, _position: &Self::Position) -> Option<String> {
        None
    }

    /// Returns why no answer holds any more: the rules could not be followed to their end somewhere. `None` if they could.
    fn breakdown(&self) -> Option<String> {
        None
    }

    /// Returns why positions have no value: the [breakdown](Notation::breakdown), or that the ends of the game, which can be
    /// played, do not say who has won. `None` if positions have values.
    fn unvalued(&self) -> Option<String> {
        self.breakdown()
    }

    /// Reports whether `text` is an incomplete position that continues on the next line. Used by games whose positions
    /// may also be given in several lines; such a text ends with a line break once it has more than one line.
    fn is_incomplete(&self, _text: &str) -> bool {
        false
    }

    /// Appends the position's cells as bytes, for evaluations that are learned. A game overrides it if it finds them
    /// faster; they are the same as those [read](crate::cells::read) from the written position.
    fn cells(&self, position: &Self::Position, cells: &mut Vec<u8>) {
        crate::cells::read(&self.write_position(position), cells);
    }

    /// Returns the move as one word without blanks and without `=`.
    fn write_move(&self, position: &Self::Position, m: Self::Move) -> String;

    /// Reads a legal move; `None` if the word is not one. The default compares the word with every legal move. A game
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

    /// Returns the move in the customary notation of players if that differs: in chess `Nbd2`. [`Notation::read_move`]
    /// reads it as well.
    fn write_note(&self, position: &Self::Position, m: Self::Move) -> String {
        self.write_move(position, m)
    }

    /// Returns a drawing for a terminal, in several lines; by default that of its rows of cells, or the position's line if it
    /// has none.
    fn draw(&self, position: &Self::Position) -> String {
        let line = self.write_position(position);
        drawing::of_rows(&line).unwrap_or(line)
    }

    /// Returns the drawing with a word, usually its value, at the place of each move for which `word` returns one.
    fn draw_words(&self, position: &Self::Position, _word: &dyn Fn(Self::Move) -> Option<String>) -> String {
        self.draw(position)
    }

    /// Returns the drawing with marks from the positions before: the last move, who took what.
    fn draw_game(&self, _earlier: &[Self::Position], position: &Self::Position) -> String {
        self.draw(position)
    }

    /// Returns an estimate of the size of a search of `position`, in words, if the game has one.
    fn effort(&self, _position: &Self::Position) -> Option<String> {
        None
    }
}

/// An indexing of positions, for tables.
///
/// Positions that share an index have the same value: positions of one [essence](Game::essence) share it, and symmetric
/// positions may.
pub trait Indexed: Game {
    /// Returns the number of indices: every index is below it. `u64::MAX` if there are too many positions to index.
    fn size(&self) -> u64;

    /// Returns the index of a position.
    fn index(&self, position: &Self::Position) -> u64;

    /// Returns a position with this index, such that [`Indexed::index`] maps it back; `None` if no position has it.
    fn position(&self, index: u64) -> Option<Self::Position>;

    /// Returns a checksum of the file that the rules were read from (a graph, a map), or 0. A table with another
    /// checksum is refused.
    fn checksum(&self) -> u64 {
        0
    }

    /// Reports whether a table may hold any value at indices that no position has, so that it compresses better.
    fn loose(&self) -> bool {
        false
    }

    /// Visits the positions of a range of indices in rising order, skipping indices that no position has. A game
    /// overrides it if the next position is found faster from the one before.
    fn walk(&self, range: Range<u64>, visit: &mut impl FnMut(u64, Self::Position)) {
        for n in range {
            if let Some(position) = self.position(n) {
                visit(n, position);
            }
        }
    }

    /// Returns the value of a position whose children a table need not have: that of a finished game. A game may add
    /// positions in which the player to move wins at once.
    fn settled(&self, position: &Self::Position) -> Option<Value> {
        self.over(position)
    }

    /// Returns the number of distinct children of an unfinished position, distinguished by index and by whether the
    /// turn passes; `None` if the game does not know it without computing their indices. A game may leave out children
    /// that are [settled](Indexed::settled) as won by the opponent in one ply: a position with no other is lost in two.
    fn child_count(&self, _position: &Self::Position) -> Option<u32> {
        None
    }

    /// Visits the index of every child of an unfinished position with its step, in the order of the moves. Two moves
    /// may lead to one index. A game overrides it if it finds the indices without making the children.
    fn child_indices(&self, position: &Self::Position, visit: &mut impl FnMut(u64, Step))
    where
        Self: Scored + Sized,
    {
        let _ = children(self, position, &mut |_, child, step| {
            visit(self.index(&child), step);
            MORE
        });
    }
}

/// Returns the value of a position without a move: the player who cannot move loses, or in misere play wins.
pub const fn cannot_move(misere: bool) -> Value {
    if misere { Value::win_in(0) } else { Value::loss_in(0) }
}

/// Returns a fast hash, the same on every machine; not for keys that come from outside.
#[inline]
pub fn hash_of<T: Hash>(m: T) -> u64 {
    BuildHasherDefault::<FxHasher>::default().hash_one(m)
}

/// Visits moves like [`Game::moves`], for code that is seldom run (see DESIGN.md, "Why types are erased").
#[inline(never)]
pub fn each_move<G: Game>(game: &G, position: &G::Position, visit: &mut dyn FnMut(G::Move) -> Flow) -> Flow {
    game.moves(position, &mut |m| visit(m))
}

/// Visitor of a move, the position it leads to, and its step; reports whether to continue.
pub type VisitChild<'a, G> = dyn FnMut(<G as Game>::Move, &<G as Game>::Position, Step) -> Flow + 'a;

/// Visits children like [`children`], for code that is seldom run (see DESIGN.md, "Why types are erased").
pub fn each_child<G: Scored>(game: &G, position: &G::Position, visit: &mut VisitChild<'_, G>) -> Flow {
    each_move(game, position, &mut |m| {
        let child = game.play(position, m);
        visit(m, &child, step(game, position, m, &child))
    })
}

/// Lists the legal moves; empty if the game is over.
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

/// Returns the effect of a move on a value: whether the turn passes, and what the mover gains.
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
    perft_while(game, position, depth, &|| true).unwrap_or(0)
}

/// Counts as [`perft`] while `go_on` returns true, which is asked at every position more than two plies above the end and
/// between the moves of positions that have many; `None` if it ended the count.
pub fn perft_while<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u32,
    go_on: &dyn Fn() -> bool,
) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    if depth > 2 && !go_on() {
        return None;
    }
    if game.over(position).is_some() {
        return Some(0);
    }
    // The moves between which `go_on` is asked: fewer where a position is counted below each.
    let stretch = if depth == 1 { 0xFFFF } else { 0x3F };
    let (mut count, mut seen) = (0, 0u64);
    let whole = game.moves(position, &mut |m| {
        seen += 1;
        if seen & stretch == 0 && !go_on() {
            return ControlFlow::Break(());
        }
        if depth == 1 {
            count += 1;
            return MORE;
        }
        match perft_while(game, &game.play(position, m), depth - 1, go_on) {
            Some(below) => {
                count += below;
                MORE
            }
            None => ControlFlow::Break(()),
        }
    });
    whole.is_continue().then_some(count)
}

/// Returns the representative of all positions that the game knows to have the value of this one: the image of its
/// [essence](Game::essence).
pub fn class_of<G: Game>(game: &G, position: &G::Position) -> G::Position {
    game.canonical(&game.essence(position))
}

/// Result of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// This player has won.
    Win(Player),
    /// Neither has.
    Draw,
}

/// Returns the result of a finished game, by its outcome or its final score; `None` if the game is not over.
pub fn result<G: Scored>(game: &G, position: &G::Position) -> Option<GameResult> {
    let ended = game.over(position)?;
    let turn = game.turn(position);
    Some(match total(game, position, ended).wdl() {
        Wdl::Win => GameResult::Win(turn),
        Wdl::Loss => GameResult::Win(!turn),
        Wdl::Draw => GameResult::Draw,
    })
}

/// Returns the final margin for the player to move: `value` plus the score so far. In a game of outcome returns
/// `value`.
pub fn total<G: Scored>(game: &G, position: &G::Position, value: Value) -> Value {
    if game.unit() == Unit::Outcome {
        return value;
    }
    let (one, two) = game.score(position);
    let lead = if game.turn(position) == Player::One { one - two } else { two - one };
    value.back(Step { turn_passed: false, gain: lead })
}

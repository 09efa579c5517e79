//! What a game must know to be searched, and what it may know in addition.

use grundy_core::game::{Flow, Game, hash_of};
use grundy_core::value::Value;

/// What the search needs beyond the rules: keys, estimates, an order of moves.
pub trait Heuristic: Game {
    /// A key for the transposition table. Positions that share a key have the same value: the score so far is left out,
    /// and symmetric positions may share one. Keys should be one-to-one where positions fit 64 bits.
    fn key(&self, position: &Self::Position) -> u64;

    /// A static evaluation of an unfinished position for the player to move, in hundredths of a point.
    fn guess(&self, _position: &Self::Position) -> i32 {
        0
    }

    /// The priority of a move before it is searched: larger ones are tried earlier. `child` is the position after it.
    fn hint(&self, _position: &Self::Position, _m: Self::Move, _child: &Self::Position) -> i32 {
        0
    }

    /// A hash of the move for the history heuristic. A game overrides it where a move does not name the square it goes
    /// to.
    fn history_key(&self, _position: &Self::Position, m: Self::Move) -> u64 {
        hash_of(m)
    }

    /// Whether a move is not quiet (a capture): the depth-limited search follows such moves beyond its depth.
    fn noisy(&self, _position: &Self::Position, _m: Self::Move) -> bool {
        false
    }

    /// Whether positions can repeat in one game. The search then counts a repetition as a draw, and proves nothing by
    /// such a draw.
    fn cyclic(&self) -> bool {
        false
    }

    /// A key by which positions repeat. A game whose keys hold a clock leaves it out here.
    fn repetition_key(&self, position: &Self::Position) -> u64 {
        self.key(position)
    }

    /// For a position whose key leaves out the clock of a rule that draws games: the plies left before the rule does
    /// so. What is proved of positions of one key is then kept only as far as it holds at any of their clocks.
    fn plies_left(&self, _position: &Self::Position) -> Option<u32> {
        None
    }
}

/// What a game can prove of a position without a search. The defaults prove nothing.
pub trait Bounds: Game {
    /// Proved bounds of an unfinished position's value for the player to move; equal bounds are the exact value. The
    /// search wants to know whether the value reaches `target`, so an expensive bound may be left out where it cannot
    /// decide that.
    fn bounds(&self, _position: &Self::Position, _target: Value) -> (Value, Value) {
        (Value::loss_in(1), Value::win_in(1))
    }

    /// Visits the legal moves that must be searched: at least one of them is best, distance included. Moves that are
    /// proved no better may be left out (such as those that lose at once, or the second of a symmetric pair).
    fn candidates(&self, position: &Self::Position, visit: &mut impl FnMut(Self::Move) -> Flow) -> Flow {
        self.moves(position, visit)
    }

    /// The only move that [`Bounds::candidates`] would visit, where that is cheap to see. The search plays such a move
    /// at once. Asked only where [`Bounds::bounds`] leaves the value open.
    fn forced(&self, _position: &Self::Position) -> Option<Self::Move> {
        None
    }
}

/// Moves taken back, for opening books: the value of a position bounds the values of its children.
pub trait Retract: Heuristic {
    /// Visits unfinished positions from which one move leads to this one, with that move. It may leave any of them out.
    fn retract(&self, position: &Self::Position, visit: &mut impl FnMut(Self::Position, Self::Move));
}

/// Endgames that the game plays out by its own code.
pub trait Endgame: Heuristic {
    /// Whether the game is nearly over, so that results are needed for a short time only. They are then stored in a
    /// small table that fits the processor's cache.
    fn brief(&self, position: &Self::Position) -> bool;

    /// Whether [`Endgame::finish`] plays the position out.
    fn finishes(&self, position: &Self::Position) -> bool;

    /// Plays out the end of the game. Gives a proved bound that decides whether the value reaches `target`: a lower
    /// bound if it does, else an upper one. The positions visited are added to `nodes`. `None` where the game does not
    /// [finish](Endgame::finishes) the position.
    fn finish(&self, position: &Self::Position, target: Value, nodes: &mut u64) -> Option<Value>;

    /// The depth of the search that orders the moves of a position before the proof search; 0 orders them by
    /// [`Heuristic::hint`] alone.
    fn foresight(&self, position: &Self::Position) -> u32;

    /// Any number of the parity that nearly all final margins have, where there is one. Targets are then chosen between
    /// two likely margins.
    fn parity(&self, position: &Self::Position) -> Option<i32>;
}

/// How a search treats the last moves of a game: [`Searched`] or [`Finished`].
pub trait EndgamePolicy<G: Game>: Send + Sync + 'static {
    /// As [`Endgame::brief`].
    fn brief(game: &G, position: &G::Position) -> bool;
    /// As [`Endgame::finishes`].
    fn finishes(game: &G, position: &G::Position) -> bool;
    /// As [`Endgame::finish`].
    fn finish(game: &G, position: &G::Position, target: Value, nodes: &mut u64) -> Option<Value>;
    /// As [`Endgame::foresight`].
    fn foresight(game: &G, position: &G::Position) -> u32;
    /// As [`Endgame::parity`].
    fn parity(game: &G, position: &G::Position) -> Option<i32>;
}

/// Every position is searched to the end of the game.
pub enum Searched {}

impl<G: Game> EndgamePolicy<G> for Searched {
    #[inline(always)]
    fn brief(_: &G, _: &G::Position) -> bool {
        false
    }
    #[inline(always)]
    fn finishes(_: &G, _: &G::Position) -> bool {
        false
    }
    #[inline(always)]
    fn finish(_: &G, _: &G::Position, _: Value, _: &mut u64) -> Option<Value> {
        None
    }
    #[inline(always)]
    fn foresight(_: &G, _: &G::Position) -> u32 {
        0
    }
    #[inline(always)]
    fn parity(_: &G, _: &G::Position) -> Option<i32> {
        None
    }
}

/// The game's own [`Endgame`] plays out the last moves.
pub enum Finished {}

impl<G: Endgame> EndgamePolicy<G> for Finished {
    #[inline(always)]
    fn brief(game: &G, position: &G::Position) -> bool {
        game.brief(position)
    }
    #[inline(always)]
    fn finishes(game: &G, position: &G::Position) -> bool {
        game.finishes(position)
    }
    #[inline(always)]
    fn finish(game: &G, position: &G::Position, target: Value, nodes: &mut u64) -> Option<Value> {
        game.finish(position, target, nodes)
    }
    #[inline(always)]
    fn foresight(game: &G, position: &G::Position) -> u32 {
        game.foresight(position)
    }
    #[inline(always)]
    fn parity(game: &G, position: &G::Position) -> Option<i32> {
        game.parity(position)
    }
}

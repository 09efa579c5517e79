//! What a game must know to be searched, and what it may know besides.

use grundy_core::game::{Flow, Game, hash_of};
use grundy_core::value::Value;

/// What the search needs to know of a position beyond the rules.
pub trait Heuristic: Game {
    /// A key for the transposition table: two positions of one key have one value (a score so far is left out,
    /// symmetric images may share a key). Where the position fits 64 bits the key should be one-to-one.
    fn key(&self, position: &Self::Position) -> u64;

    /// A guess at an unfinished position's value for the player to move, in hundredths of a point.
    fn guess(&self, _position: &Self::Position) -> i32 {
        0
    }

    /// How good a move looks before it is searched, `child` being the position after it: the larger, the earlier it is
    /// tried.
    fn hint(&self, _position: &Self::Position, _m: Self::Move, _child: &Self::Position) -> i32 {
        0
    }

    /// A hash under which the search remembers whether a move was good or bad in other positions (the history
    /// heuristic). A game overrides it where a move does not name the square it goes to.
    fn history_key(&self, _position: &Self::Position, m: Self::Move) -> u64 {
        hash_of(m)
    }

    /// Whether a guess at the position cannot be relied on until the move is played out (a capture): a depth-limited
    /// search follows such moves beyond its depth.
    fn noisy(&self, _position: &Self::Position, _m: Self::Move) -> bool {
        false
    }

    /// Whether a position can come twice in one game. The search then takes a repetition for a draw, and calls nothing
    /// proved that rests on such a draw.
    fn cyclic(&self) -> bool {
        false
    }
}

/// What is proved of a position without a search. A game that knows nothing of the kind implements it as it is.
pub trait Bounds: Game {
    /// Proved bounds of an unfinished position's value for the player to move: never wrong, as tight as is cheap. Equal
    /// bounds are the exact value (a formula for endgames, a win at hand). The search asks whether the value reaches
    /// `target`: a bound that is costly may be left out where it cannot decide that.
    fn bounds(&self, _position: &Self::Position, _target: Value) -> (Value, Value) {
        (Value::loss_in(1), Value::win_in(1))
    }

    /// Visits legal moves of which at least one is best, distance included: all of them, or fewer where the others are
    /// proved no better (forced moves, moves that do not lose at once, one of each symmetric pair).
    fn candidates(&self, position: &Self::Position, visit: &mut impl FnMut(Self::Move) -> Flow) -> Flow {
        self.moves(position, visit)
    }

    /// The only move that [`Bounds::candidates`] would visit, where that is seen at a glance: the search plays it out
    /// before it looks at what the position is worth. Asked only of positions whose value [`Bounds::bounds`] left open.
    fn forced(&self, _position: &Self::Position) -> Option<Self::Move> {
        None
    }
}

/// Moves taken back, for opening books: what a position is worth bounds what its moves lead to.
pub trait Retract: Heuristic {
    /// Visits positions that are not over and from which one move leads to this one, with that move. Not all need be
    /// visited, nor any.
    fn retract(&self, position: &Self::Position, visit: &mut impl FnMut(Self::Position, Self::Move));
}

/// How the last moves of a game are dealt with, for games that do that by code of their own.
pub trait Endgame: Heuristic {
    /// Whether so little of the game is left that what is found out of the position will soon be of no use: a table that
    /// stays in the processor's cache then remembers it, and leaves the large one to the others.
    fn brief(&self, position: &Self::Position) -> bool;

    /// Whether [`Endgame::finish`] plays the position out: so little is left that a table of positions only costs time.
    fn finishes(&self, position: &Self::Position) -> bool;

    /// Plays out the end of the game: a proved bound that decides whether the value reaches `target` (a lower bound if
    /// it does, else an upper one), the positions visited added to `nodes`. `None` where more is left than the game
    /// [`finishes`](Endgame::finishes).
    fn finish(&self, position: &Self::Position, target: Value, nodes: &mut u64) -> Option<Value>;

    /// How many plies of looking ahead are worth their time to put the moves of a position in order, before it is
    /// searched to the end; 0 where [`Heuristic::hint`] will do.
    fn foresight(&self, position: &Self::Position) -> u32;

    /// A number of the parity that nearly all margins have to which play from an unfinished position may lead, where
    /// there is one: the search then asks about the numbers between them.
    fn parity(&self, position: &Self::Position) -> Option<i32>;
}

/// Which of the two ways a search ends games: [`Searched`] or [`Finished`].
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

/// The game's own [`Endgame`] deals with the last moves.
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

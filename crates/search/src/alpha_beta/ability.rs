//! The traits that a game implements to be searched.

use std::sync::atomic::AtomicBool;

use grundy_core::game::{Flow, Game, MORE, hash_of};
use grundy_core::value::Value;

use crate::Visits;

/// Number of [lanes](Heuristic::lane).
pub const LANES: usize = 512;

/// Number of [structures](Heuristic::structures).
pub const ASPECTS: usize = 3;

/// A shallow search that predicts the score of a deeper one.
#[derive(Clone, Copy, Debug)]
pub struct Prediction {
    /// Depth of the shallow search.
    pub depth: i32,
    /// Difference from the deep score that is rarely exceeded, in hundredths of a point.
    pub margin: i32,
}

/// The parameters of the selective search, which are measured game by game.
#[derive(Clone, Copy, Debug)]
pub struct Selection {
    /// True if quiet moves are ordered by their counts above all: these learn much at low depths and from the change of the
    /// evaluation by a move, and a killer move has a bonus in place of a rank.
    pub by_counts: bool,
    /// Depth from which a move that is much better than all others is searched deeper.
    pub singular_depth: i32,
    /// Number of quiet moves that are searched near the leaves, to which the square of the depth is added.
    pub quiet_moves: i32,
    /// Divisor of the plies by which late moves are searched less deep.
    pub reduction: f64,
}

impl Selection {
    /// The parameters of games for which no others were measured.
    pub const USUAL: Selection =
        Selection { by_counts: false, singular_depth: 7, quiet_moves: 3, reduction: 2.2 };
}

/// The needs of the search beyond the rules: position keys, an evaluation, move ordering.
pub trait Heuristic: Game {
    /// True if a search with limits may be selective: it then reduces and prunes moves that look bad, and proves nothing but
    /// wins and losses.
    const SELECTIVE: bool = false;

    /// The parameters of the selective search.
    const SELECTION: Selection = Selection::USUAL;

    /// Returns a key for the transposition table. Positions that share a key must have the same value: the score so far
    /// is ignored, and symmetric positions may share one. Keys should be one-to-one if positions fit 64 bits.
    fn key(&self, position: &Self::Position) -> u64;

    /// Returns a key that positions of the same outcome may share, whatever their distances: that of the table of
    /// proof-number search where only the outcome is asked for.
    fn outcome_key(&self, position: &Self::Position) -> u64 {
        self.key(position)
    }

    /// Returns a static evaluation of an unfinished position for the player to move, in hundredths of a point.
    fn guess(&self, _position: &Self::Position) -> i32 {
        0
    }

    /// Returns the priority of a move in move ordering: larger ones are searched earlier. `child` is the position after
    /// it.
    fn hint(&self, _position: &Self::Position, _m: Self::Move, _child: &Self::Position) -> i32 {
        0
    }

    /// Returns the priority of a move to a leaf, where a cheap one is enough: the position is only evaluated.
    fn hint_at_leaf(&self, position: &Self::Position, m: Self::Move, child: &Self::Position) -> i32 {
        self.hint(position, m, child)
    }

    /// Returns how a shallower search predicts one of this depth (Multi-ProbCut). A search with a limit of time or nodes
    /// then skips positions that are almost certainly outside the window. `None` if every position is searched.
    fn prediction(&self, _position: &Self::Position, _depth: i32) -> Option<Prediction> {
        None
    }

    /// Reports whether random playouts judge positions better than [`Heuristic::guess`]: Monte-Carlo tree search then has
    /// the time of searches for proofs that ended without one.
    fn judged_by_playouts(&self) -> bool {
        false
    }

    /// Returns the nodes of the proof search and of the depth-limited search in a round of a search from this root, as a
    /// ratio; `limited` if a limit of time or nodes is set, or the search is infinite.
    fn shares(&self, _root: &Self::Position, _limited: bool) -> (u64, u64) {
        (1, 1)
    }

    /// Returns a hash of the move for the history heuristic. A game overrides it if a move does not name its target
    /// square.
    fn history_key(&self, _position: &Self::Position, m: Self::Move) -> u64 {
        hash_of(m)
    }

    /// Reports whether a move is not quiet (a capture): quiescence search follows such moves beyond the depth.
    fn noisy(&self, _position: &Self::Position, _m: Self::Move) -> bool {
        false
    }

    /// Reports whether positions can repeat in one game. The search then scores a repetition as a draw, and proves
    /// nothing by such a draw.
    fn cyclic(&self) -> bool {
        false
    }

    /// Returns the key by which positions repeat. A game whose keys contain a clock excludes it here.
    fn repetition_key(&self, position: &Self::Position) -> u64 {
        self.key(position)
    }

    /// Returns the plies left before a rule draws the game, if keys exclude that rule's clock. Proofs for a key are
    /// then stored only as far as they hold at any clock.
    fn plies_left(&self, _position: &Self::Position) -> Option<u32> {
        None
    }

    /// Visits unfinished predecessors of a position, each with the move from it. It may omit any of them. The value of a
    /// position bounds those of its children in an opening book.
    fn retract(&self, _position: &Self::Position, _visit: &mut impl FnMut(Self::Position, Self::Move)) {}

    /// Reports whether the game is nearly over, so that results are needed for a short time only. They are then stored
    /// in a small table that fits the processor's cache.
    fn brief(&self, _position: &Self::Position) -> bool {
        false
    }

    /// Reports whether [`Heuristic::finish`] solves the position.
    fn finishes(&self, _position: &Self::Position) -> bool {
        false
    }

    /// Solves the end of the game by the game's own code. Returns a proved bound that decides whether the value reaches
    /// `target`: a lower bound if it does, else an upper one. Counts the positions visited; what takes long ends where
    /// they are [cut](Visits::cut), and its value means nothing. `None` if the game does not [solve](Heuristic::finishes)
    /// the position.
    fn finish(&self, _position: &Self::Position, _target: Value, _visits: &mut Visits<'_>) -> Option<Value> {
        None
    }

    /// Returns the depth of the search that orders the moves of a position before the proof search; 0 orders them by
    /// [`Heuristic::hint`] alone.
    fn foresight(&self, _position: &Self::Position) -> u32 {
        0
    }

    /// Reports whether a search from this root may be selective, in a game with selective searches.
    fn selective(&self, _root: &Self::Position) -> bool {
        true
    }

    /// Returns the value of a finished position; may be `None` where only the lack of moves shows that the game is over,
    /// which the selective search sees when it lists them.
    fn ended(&self, position: &Self::Position) -> Option<Value> {
        self.over(position)
    }

    /// Reports whether a table might have the value of a position.
    fn tabled(&self, _position: &Self::Position) -> bool {
        true
    }

    /// Returns the position after a move that changes nothing but the player to move, for null moves; `None` where
    /// having to move may be a disadvantage.
    fn pass(&self, _position: &Self::Position) -> Option<Self::Position> {
        None
    }

    /// Reports whether the player to move must answer a threat (a check): no move may be skipped then.
    fn threatened(&self, _position: &Self::Position) -> bool {
        false
    }

    /// Reports whether the opponent is [threatened](Heuristic::threatened) after a quiet move (a check): the evaluation says
    /// little about it. A special move, as castling, may be left out.
    fn threatens(&self, _position: &Self::Position, _m: Self::Move) -> bool {
        false
    }

    /// Returns the priority of a move among those of its kind, noisy or quiet, without playing it.
    fn urgency(&self, _position: &Self::Position, _m: Self::Move) -> i32 {
        0
    }

    /// Reports whether a move and the captures on its target square gain at least `least` hundredths of a point
    /// (static exchange evaluation).
    fn exchange(&self, _position: &Self::Position, _m: Self::Move, least: i32) -> bool {
        least <= 0
    }

    /// Returns the number of a move, below [`LANES`], under which the selective search counts how often it was good: the
    /// man and the target square.
    fn lane(&self, position: &Self::Position, m: Self::Move) -> usize {
        (self.history_key(position, m) >> 52) as usize % LANES
    }

    /// Returns hashes of parts of a position that a static evaluation judges alike (the pawns; the other men of a player): its
    /// errors are learned by each; nothing is learned by 0.
    fn structures(&self, _position: &Self::Position) -> [u64; ASPECTS] {
        [0; ASPECTS]
    }

    /// Visits the moves that the selective search considers, at least one, and reports whether they are all
    /// [candidates](Bounds::candidates): otherwise the search knows no loss.
    fn promising(&self, position: &Self::Position, visit: &mut impl FnMut(Self::Move)) -> bool
    where
        Self: Bounds,
    {
        let _ = self.candidates(position, &mut |m| {
            visit(m);
            MORE
        });
        true
    }

    /// Visits the legal moves that are [noisy](Heuristic::noisy).
    fn noisy_moves(&self, position: &Self::Position, visit: &mut impl FnMut(Self::Move) -> Flow) -> Flow {
        self.moves(position, &mut |m| if self.noisy(position, m) { visit(m) } else { MORE })
    }

    /// Returns any number of the parity that nearly all final margins have, if there is one. Targets are then chosen
    /// between two likely margins.
    fn parity(&self, _position: &Self::Position) -> Option<i32> {
        None
    }
}

/// Proofs about a position without a search. The defaults prove nothing.
pub trait Bounds: Game {
    /// True if [`Bounds::bounds_of_root`] finds more than [`Bounds::bounds`].
    const STRATEGIES: bool = false;

    /// True if wins are chains of threats: proof-number search then gets most of the time and the memory.
    const THREATS: bool = false;

    /// Reports whether a position may be drawn; else who does not win loses.
    fn has_draws(&self) -> bool {
        true
    }

    /// Reports whether proof-number search gets most of the nodes, and alpha-beta a share: by default where wins are chains
    /// of threats.
    fn favours_proofs(&self) -> bool {
        Self::THREATS
    }

    /// Returns proved bounds of an unfinished position's value for the player to move; equal bounds are the exact
    /// value. The search asks whether the value reaches `target`, so an expensive bound that cannot decide that may be
    /// omitted.
    fn bounds(&self, _position: &Self::Position, _target: Value) -> (Value, Value) {
        (Value::loss_in(1), Value::win_in(1))
    }

    /// Returns the [bounds](Bounds::bounds) of a position that proof-number search lists. A game whose bounds take long leaves
    /// them to [`Bounds::open`].
    fn glance(&self, position: &Self::Position, target: Value) -> (Value, Value) {
        self.bounds(position, target)
    }

    /// Visits the moves that proof-number search must try to show whether the value reaches `target`; none, if the returned
    /// bounds decide that.
    fn open(
        &self,
        position: &Self::Position,
        _target: Value,
        visit: &mut impl FnMut(Self::Move) -> Flow,
    ) -> (Value, Value) {
        let _ = self.candidates(position, visit);
        (Value::loss_in(1), Value::win_in(1))
    }

    /// Returns [bounds](Bounds::bounds) that may take some time: asked once a search, for its root. `attempts` limits the
    /// work, in units of about 10 microseconds; it ends early after `stop`.
    fn bounds_of_root(
        &self,
        position: &Self::Position,
        _attempts: u32,
        _stop: &AtomicBool,
    ) -> (Value, Value) {
        self.bounds(position, Value::DRAW)
    }

    /// Reports whether every move keeps a draw if the position is drawn.
    fn all_keep_a_draw(&self, _position: &Self::Position) -> bool {
        false
    }

    /// Visits the legal moves that must be searched: at least one of them must be best, distance included. Moves proved
    /// no better may be omitted (those that lose at once, the second of a symmetric pair).
    fn candidates(&self, position: &Self::Position, visit: &mut impl FnMut(Self::Move) -> Flow) -> Flow {
        self.moves(position, visit)
    }

    /// Returns the only move that [`Bounds::candidates`] would visit, if that is cheap to see. The search plays it at
    /// once. Called only if [`Bounds::bounds`] leaves the value open.
    fn forced(&self, _position: &Self::Position) -> Option<Self::Move> {
        None
    }

    /// Returns the proof number and the disproof number of an unfinished position that no search has seen, at least 1: the
    /// positions that must still be examined to show that its value reaches `target`, and that it does not. Asked only if
    /// [`Bounds::bounds`] leaves that open. `rank` counts the [candidates](Bounds::candidates) before the move to the position:
    /// a costly estimate can be left to the first of them.
    fn effort(&self, _position: &Self::Position, _target: Value, _rank: usize) -> [u32; 2] {
        [1, 1]
    }
}

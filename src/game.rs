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

/// Whether a visitor wants to see more: `visit(m)?` inside [`Game::moves`] ends the listing early.
pub type Flow = ControlFlow<()>;

/// Go on visiting.
pub const MORE: Flow = ControlFlow::Continue(());

/// The rules of a game, its parameters settled.
///
/// Turns need not alternate: [`Game::turn`] is asked after every move.
pub trait Game: Send + Sync + 'static {
    /// A position: plain data, all that later play depends on (a score so far included).
    type Position: Clone + Eq + Hash + Debug + Send + Sync;
    /// A move, as small as can be.
    type Move: Copy + Eq + Hash + Debug + Send + Sync;

    /// The position a new game starts from.
    fn start(&self) -> Self::Position;

    /// The player to move; in a finished game the player whose turn it would be.
    fn turn(&self, position: &Self::Position) -> Player;

    /// The value of a finished game for the player whose turn it would be (`win:0`, `loss:0`, a draw, or the
    /// points that are still settled at the end, usually 0); `None` while the game goes on.
    fn over(&self, position: &Self::Position) -> Option<Value>;

    /// Visits every legal move once, in a fixed order. Not called on a finished game.
    fn moves(&self, position: &Self::Position, visit: &mut impl FnMut(Self::Move) -> Flow) -> Flow;

    /// The position after a legal move.
    fn play(&self, position: &Self::Position, m: Self::Move) -> Self::Position;

    /// Whether the rules call the game drawn for what came before (a third repetition, fifty moves), where a
    /// position alone does not tell. `earlier` is oldest first and leaves `now` out. Tables know nothing of it.
    fn drawn_by_history(&self, _earlier: &[Self::Position], _now: &Self::Position) -> bool {
        false
    }

    /// The one position that stands for all that are this one seen otherwise: mirror images of a board, heaps in
    /// another order. The player to move and the score stay, and the moves lead to images of each other. Where a
    /// game knows no symmetry it is the position itself.
    fn canonical(&self, position: &Self::Position) -> Self::Position {
        position.clone()
    }
}

/// What the game is played for. The defaults are those of a game of outcome, so for such a game the
/// implementation is one empty line.
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

/// Positions and moves in words, exactly as `games.md` fixes them.
pub trait Notation: Game {
    /// One line, the last field `1` or `2`.
    fn write_position(&self, position: &Self::Position) -> String;

    /// Reads what [`Notation::write_position`] writes; a missing turn is player one's, missing scores are 0-0.
    ///
    /// # Errors
    /// One line that names what was wrong and says what was expected.
    fn read_position(&self, text: &str) -> Result<Self::Position, String>;

    /// One word without blanks and without `=`.
    fn write_move(&self, position: &Self::Position, m: Self::Move) -> String;

    /// The legal move that is written so. The default asks every legal move; a game with very many moves, or one
    /// that accepts more than one spelling, reads the word itself.
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

    /// A move as people write it in their notes, where that is another word: in chess `Nbd2`. It is read as well.
    fn write_note(&self, position: &Self::Position, m: Self::Move) -> String {
        self.write_move(position, m)
    }

    /// A drawing for a person at a terminal, several lines; the default is the position's line.
    fn draw(&self, position: &Self::Position) -> String {
        self.write_position(position)
    }

    /// The drawing with a word at the place of each move that has one, usually its value; the default leaves the
    /// words out.
    fn draw_with(&self, position: &Self::Position, _word: &dyn Fn(Self::Move) -> Option<String>) -> String {
        self.draw(position)
    }

    /// The drawing with what the game so far has to add, for one who plays: the last move, whose is what.
    fn draw_game(&self, _earlier: &[Self::Position], position: &Self::Position) -> String {
        self.draw(position)
    }

    /// What a player may want to know of a position beyond values, a line each; `value` gives exact values where
    /// they can be had.
    fn remarks(
        &self,
        _position: &Self::Position,
        _value: &mut dyn FnMut(&Self::Position) -> Option<Value>,
    ) -> Vec<String> {
        Vec::new()
    }

    /// How large a search of a position may get, in words, where the game has an idea of it.
    fn effort(&self, _position: &Self::Position) -> Option<String> {
        None
    }
}

/// Positions numbered for tables. Symmetry hides in here: positions of one number have one value, so what the
/// value does not depend on (a score so far, often the turn) is left out of the number.
pub trait Indexed: Game {
    /// How many numbers there are: every number is below this.
    fn size(&self) -> u64;

    /// The number of a position.
    fn index(&self, position: &Self::Position) -> u64;

    /// A position with this number (then `index` gives the number back), or `None` where no position has it.
    fn position(&self, index: u64) -> Option<Self::Position>;

    /// A checksum of what the rules were read from (a graph, a map), 0 where the parameters say it all: tables of
    /// one name and another checksum are not believed.
    fn checksum(&self) -> u64 {
        0
    }

    /// Whether tables may say anything at numbers that no position has, as packs best: where there are many, and
    /// nobody asks for them.
    fn loose(&self) -> bool {
        false
    }

    /// Visits the positions of a range of numbers in rising order; numbers that no position has are left out. A
    /// game overrides it where going from one position to the next is faster than finding each by its number.
    fn walk(&self, range: Range<u64>, visit: &mut impl FnMut(u64, Self::Position)) {
        for n in range {
            if let Some(position) = self.position(n) {
                visit(n, position);
            }
        }
    }

    /// How many different numbers the children of an unfinished position have, those that differ in whether the turn
    /// passes counted apart, where the game knows it without numbering them.
    fn child_count(&self, _position: &Self::Position) -> Option<u32> {
        None
    }

    /// Visits the number of every child of an unfinished position with what the move means, in the order of the
    /// moves (two moves may lead to one number). A game overrides it where that is faster than making each
    /// child and numbering it.
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

/// The order in which an acyclic game's table can be filled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Every move leads to a lower number: fill from 0 upwards.
    Lower,
    /// Every move leads to a higher number: fill from the top downwards.
    Higher,
    /// These ranges, in this order, cover all numbers; every move leads from a range to one named earlier, so
    /// the numbers of one range can be filled in parallel.
    Layers(Vec<Range<u64>>),
    /// Numbers are sets of bits, and every move takes bits out: fill subsets before the sets that hold them, those
    /// that do not hold each other in parallel.
    Subsets,
}

/// An acyclic game: no position can come twice.
pub trait Acyclic: Indexed {
    /// The order in which every move leads to what is already filled.
    fn order(&self) -> Order;

    /// The moves by their bits, for games for points in which every number is a position and every move takes one bit
    /// out of the number: visits sets of such bits, each with what its moves mean; none where the game is over. A bit
    /// that gains nothing and passes the turn in a number does so in every number with more bits.
    ///
    /// `false`, nothing visited, says that the game is not so, which is the default.
    fn bit_moves(&self, _number: u64, _visit: &mut impl FnMut(u64, Step)) -> bool {
        false
    }
}

/// A game with a position typed by a user that lies outside any numbering made in advance: what can follow from
/// it is a small acyclic game of its own, which has a numbering.
pub trait Framed: Scored {
    /// The game of all that can follow from one position. Its values are those of this game; scores are left out.
    type Frame: Scored + Acyclic;

    /// The frame of a position; all that follows from the position lies in it.
    fn frame(&self, position: &Self::Position) -> Self::Frame;

    /// The position in a frame; `None` where it does not lie in it. Quick.
    fn place(
        &self,
        frame: &Self::Frame,
        position: &Self::Position,
    ) -> Option<<Self::Frame as Game>::Position>;
}

/// Moves backwards, for retrograde analysis.
pub trait Reversible: Indexed {
    /// Visits positions from which one move leads to a position of the same number as `position`: every number
    /// that has such a move at least once, and no number that has none. (With symmetry in the numbering, the
    /// predecessors of one representative reach all numbers.)
    fn predecessors(&self, position: &Self::Position, visit: &mut impl FnMut(Self::Position));
}

/// The value read off the position.
pub trait Formula: Game {
    /// The exact value of a position, finished or not. A formula that knows no distances leaves that of a finished
    /// position out too, so that the values of a position and of its moves are of one kind.
    fn formula(&self, position: &Self::Position) -> Value;

    /// Moves that keep the value: at least one in a won position that is not over, and all of them where they can
    /// be listed; may be empty in a lost one, where every move keeps the loss. In a fixed order. The default asks
    /// the formula of every child; a game with very many moves finds them itself.
    fn keeping_moves(&self, position: &Self::Position) -> Vec<Self::Move>
    where
        Self: Sized,
    {
        if self.formula(position) < Value::DRAW {
            return Vec::new();
        }
        let mut keeping = legal_moves(self, position);
        keeping.retain(|&m| self.formula(&self.play(position, m)) < Value::DRAW);
        keeping
    }

    /// The Grundy number, where the game is impartial, played to the normal end, and the formula gives it.
    fn grundy(&self, _position: &Self::Position) -> Option<u64> {
        None
    }
}

/// An impartial game that is a sum of independent parts, each worth a Grundy number (Sprague and Grundy).
///
/// Positions may be sums that the parts of one game alone never reach.
pub trait Sum: Game {
    /// An independent part: a heap, a row of pins. A move never makes a part larger in this order, so that small
    /// parts are valued before large ones.
    type Part: Clone + Eq + Hash + Ord + Debug + Send;

    /// Whether who cannot move loses. Where not (misere play) Grundy numbers say nothing of the winner.
    fn normal_play(&self) -> bool {
        true
    }

    /// The parts of a position, in the order in which moves name them.
    fn parts(&self, position: &Self::Position) -> Vec<Self::Part>;

    /// Visits what each move in one part leaves of it: a list of parts, empty where nothing is left.
    fn options(&self, part: &Self::Part, visit: &mut dyn FnMut(&[Self::Part]) -> Flow) -> Flow;

    /// The Grundy number of a part, where a formula gives it; `None` asks for the recursion.
    fn grundy_of(&self, _part: &Self::Part) -> Option<u64> {
        None
    }
}

/// Heaps of counters in an octal game: a move takes `t` counters from one heap, and the code's digit `t` says what
/// may be left of it.
pub trait Octal: Sum<Part = u64> {
    /// What taking `take` counters (0 too) may leave of the heap: the sum of 1 for nothing, 2 for one heap, 4 for two.
    fn digit(&self, take: u64) -> u8;

    /// The most that can be taken from a heap of this many counters.
    fn longest(&self, heap: u64) -> u64;

    /// The last place of a code that ends, 0 being the place before the point.
    fn code_length(&self) -> Option<u64>;

    /// Whether the two heaps of a split must differ (Grundy's game).
    fn unequal(&self) -> bool {
        false
    }

    /// The move that takes `take` counters from the heap with this place in [`Sum::parts`] and leaves two heaps, the
    /// smaller of `split`, or, where `split` is 0, one heap or none.
    fn take(&self, heap: usize, take: u64, split: u64) -> Self::Move;
}

/// A game whose positions come in families of equal value; acyclic, so that values can be remembered.
pub trait Folded: Game {
    /// One position for its whole family: of the same value for the player to move, and the same for as many
    /// positions as can be told.
    fn fold(&self, position: &Self::Position) -> Self::Position;
}

/// What the search needs to know of a position beyond the rules.
pub trait Heuristic: Game {
    /// A key for the transposition table: two positions of one key have one value (a score so far is left out,
    /// symmetric images may share a key). Where the position fits 64 bits the key should be one-to-one.
    fn key(&self, position: &Self::Position) -> u64;

    /// A guess at an unfinished position's value for the player to move, in hundredths of a point.
    fn guess(&self, _position: &Self::Position) -> i32 {
        0
    }

    /// How good a move looks before it is searched: the larger, the earlier it is tried.
    fn hint(&self, _position: &Self::Position, _m: Self::Move) -> i32 {
        0
    }

    /// [`Heuristic::hint`] with the position after the move at hand, for games that judge a move by what it leaves.
    fn hint_after(&self, position: &Self::Position, m: Self::Move, _child: &Self::Position) -> i32 {
        self.hint(position, m)
    }

    /// Under what the search remembers whether a move was good or bad, for other positions: a hash, by default that of
    /// the move. A game overrides it where a move does not name the square it goes to.
    fn history_key(&self, _position: &Self::Position, m: Self::Move) -> u64 {
        hash_of(m)
    }

    /// Proved bounds of an unfinished position's value for the player to move: never wrong, as tight as is cheap.
    /// Equal bounds are the exact value (a formula for endgames, a win at hand). The search asks whether the value
    /// reaches `target`: a bound that is costly may be left out where it cannot decide that.
    fn bounds(&self, _position: &Self::Position, _target: Value) -> (Value, Value) {
        (Value::loss_in(1), Value::win_in(1))
    }

    /// Visits legal moves of which at least one is best, distance included: all of them, or fewer where the others
    /// are proved no better (forced moves, moves that do not lose at once, one of each symmetric pair).
    fn candidates(&self, position: &Self::Position, visit: &mut impl FnMut(Self::Move) -> Flow) -> Flow {
        self.moves(position, visit)
    }

    /// Visits positions that are not over and from which one move leads to this one, with that move: what one of them is
    /// worth bounds what this is worth. Not all need be visited, nor any.
    fn retract(&self, _position: &Self::Position, _visit: &mut impl FnMut(Self::Position, Self::Move)) {}

    /// The only move that [`Heuristic::candidates`] would visit, where that is seen at a glance: the search plays it out
    /// before it looks at what the position is worth. Asked only of positions of which [`Heuristic::bounds`] left
    /// the value open.
    fn forced(&self, _position: &Self::Position) -> Option<Self::Move> {
        None
    }

    /// Whether so little of the game is left that what is found out of the position will soon be of no use: a table that
    /// stays in the processor's cache then remembers it, and leaves the large one to the others.
    fn brief(&self, _position: &Self::Position) -> bool {
        false
    }

    /// Whether [`Heuristic::finish`] plays the position out: so little is left that a table of positions only costs
    /// time, and none is asked for it.
    fn finishes(&self, _position: &Self::Position) -> bool {
        false
    }

    /// Plays out the end of the game by code of the game's own: a proved bound that decides whether the value reaches
    /// `target` (a lower bound if it does, else an upper one), the positions visited added to `nodes`. `None` where
    /// more is left than the game [`finishes`](Heuristic::finishes).
    fn finish(&self, _position: &Self::Position, _target: Value, _nodes: &mut u64) -> Option<Value> {
        None
    }

    /// How many plies of looking ahead are worth their time to put the moves of a position in order, before it is
    /// searched to the end; 0 where [`Heuristic::hint`] will do.
    fn foresight(&self, _position: &Self::Position) -> u32 {
        0
    }

    /// A number of the parity that nearly all margins have to which play from an unfinished position may lead, where there
    /// is one: the search then asks about the numbers between them.
    fn parity(&self, _position: &Self::Position) -> Option<i32> {
        None
    }

    /// Whether a move makes a guess at the position unreliable until it is played out (a capture): a depth-limited
    /// search follows such moves beyond its depth.
    fn noisy(&self, _position: &Self::Position, _m: Self::Move) -> bool {
        false
    }

    /// Whether a position can come twice in one game. The search then takes a repetition for a draw and keeps
    /// such draws out of what it calls proved.
    fn cyclic(&self) -> bool {
        false
    }
}

/// A position boiled down to what is still to be decided, for searches by windows: the moves that are certainly
/// right are made, settled parts are only counted. Cores know neither players nor scores.
///
/// Values are points. Whoever implements this proves, where it is implemented, that cores keep values.
pub trait Reduced: Scored {
    /// What is left to decide, of one kind of position only; plain data, quickly made.
    type Core: Copy + Send + Sync;

    /// What the player to move of an unfinished position makes of it.
    fn reduce(&self, position: &Self::Position) -> Offer<Self::Core>;

    /// Visits what a player who must move in a core may offer the other, the most promising first; nothing that
    /// is better than all that is visited is left out, but for offers that are quickly seen to be worth less than
    /// `beta` to him: the answer is a bound on the worth of all of these. Not called where the value is
    /// [`Reduced::known`].
    fn offers(&self, core: &Self::Core, beta: i32, visit: &mut impl FnMut(Offer<Self::Core>)) -> i32;

    /// The value of a core for the player who must move in it, where a formula knows it; always where nothing is
    /// left to decide.
    fn known(&self, core: &Self::Core) -> Option<i32>;

    /// The least and the largest value that a core may have, found quickly. Both are reached by steps of
    /// [`Reduced::step`] from each other.
    fn bounds(&self, core: &Self::Core) -> (i32, i32);

    /// Whether offers rest on something that is not proved, so that no value found by them may be called exact.
    fn assumes(&self) -> bool {
        false
    }

    /// The values of one core differ by multiples of this, at least 1.
    fn step(&self) -> i32 {
        1
    }

    /// Adds the keys of the cores that are offered, whose values are not [`Reduced::known`]: two cores of one key have
    /// one value. A hash of 128 bits.
    fn keys(&self, offers: &[Offer<Self::Core>], keys: &mut Vec<[u64; 2]>);

    /// The key of one core.
    fn key(&self, core: &Self::Core) -> [u64; 2] {
        let mut keys = Vec::with_capacity(1);
        self.keys(&[Offer { core: *core, gain: 0, price: None }], &mut keys);
        keys.first().copied().unwrap_or_default()
    }
}

/// What a player is offered: points, and then the choice between moving in a core or, where there is a price,
/// paying it to make the other player move in the core instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer<C> {
    /// What is left to decide.
    pub core: C,
    /// The points that the player gains before the choice.
    pub gain: i32,
    /// The net of points that it costs to make the other player move; `None` where there is no choice.
    pub price: Option<i32>,
}

impl<C> Offer<C> {
    /// The worth of the offer to the player who gets it, if the core is worth `value` to who moves in it.
    #[inline]
    pub fn worth(&self, value: i32) -> i32 {
        self.gain + self.price.map_or(value, |price| value.max(-price - value))
    }
}

/// A quick hash.
#[inline]
pub(crate) fn hash_of<T: Hash>(m: T) -> u64 {
    BuildHasherDefault::<FxHasher>::default().hash_one(m)
}

/// The board of a game of strings and coins: every move cuts a string; who cuts the last string of a coin gains a
/// point and moves again (E. R. Berlekamp, J. H. Conway, R. K. Guy, *Winning Ways*, chapter 16).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coins {
    /// How many strings there are at the start.
    pub strings: u32,
    /// The strings of each coin, as bits; a string holds one coin or two.
    pub coins: Vec<u64>,
    /// Permutations of the strings that carry coins to coins, as lists of where each string goes: a group, the
    /// permutation that changes nothing first.
    pub symmetries: Vec<Vec<u8>>,
    /// The points that it costs to cut the last string.
    pub fine: i32,
}

/// A game of strings and coins: values depend on the strings that are left, and on nothing else.
pub trait StringsAndCoins: Scored {
    /// The board; `None` where it has more than 64 strings.
    fn coins(&self) -> Option<Coins>;

    /// The strings that are left, as bits. Not called where there are more than 64.
    fn strings_left(&self, position: &Self::Position) -> u64;

    /// A position with these strings left.
    fn with_strings(&self, left: u64) -> Self::Position;
}

/// The legal moves as a list; empty where the game is over.
pub fn legal_moves<G: Game>(game: &G, position: &G::Position) -> Vec<G::Move> {
    let mut list = Vec::new();
    if game.over(position).is_none() {
        let _ = game.moves(position, &mut |m| {
            list.push(m);
            MORE
        });
    }
    list
}

/// What a move means for worth: whether the turn passes and what is gained.
#[inline]
pub fn step<G: Scored>(game: &G, position: &G::Position, m: G::Move, child: &G::Position) -> Step {
    Step { turn_passed: game.turn(position) != game.turn(child), gain: game.gain(position, m) }
}

/// Visits every child of an unfinished position with the move that leads there and what the move means.
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

/// Counts the lines of play of exactly `depth` plies; a game that ends earlier counts for nothing.
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

/// A value with the score so far added in a game for points: the final margin for the player to move.
pub fn total<G: Scored>(game: &G, position: &G::Position, value: Value) -> Value {
    if game.unit() == Unit::Outcome {
        return value;
    }
    let (one, two) = game.score(position);
    let lead = if game.turn(position) == Player::One { one - two } else { two - one };
    value.back(Step { turn_passed: false, gain: lead })
}

//! Games on a board of cells as one type: [`BoardGame`] is a game whose rules are behind the trait [`BoardRules`].
//!
//! A position is two sets of cells, one for the men of each player, and up to 64 bits of anything else. From that follow
//! packed positions for tables of discovered positions, keys for the search, and symmetry. So each game is a file of
//! rules and notation, and the methods are compiled once for all of them. A call through the trait costs a few
//! nanoseconds per move.

use std::fmt::Debug;
use std::ops::Range;
use std::sync::OnceLock;

use grundy_core::game::{Flow, Game, Indexed, MORE, Notation, Player, Scored, children, hash_of};
use grundy_core::grid::CellMap;
use grundy_core::random::mix_pair;
use grundy_core::value::{Step, Value};
use grundy_search::alpha_beta::{Bounds, Heuristic};
use grundy_sums::cgt::Partizan;
use grundy_tables::discovered::{Numbered, Packed, Reached};
use grundy_tables::layers::{Acyclic, Order};
use grundy_tables::retrograde::Reversible;

/// A position of any of these games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The cells of player one's men and of player two's.
    pub men: [u64; 2],
    /// Everything else that belongs to a position, as the rules encode it: arrows, hands, kinds of men.
    pub rest: u64,
    /// The player to move.
    pub turn: Player,
}

impl Position {
    /// Returns the men of the player to move.
    #[inline]
    pub fn own(&self) -> u64 {
        self.men[self.turn.index()]
    }

    /// Returns the men of the other player.
    #[inline]
    pub fn other(&self) -> u64 {
        self.men[1 - self.turn.index()]
    }

    /// Returns the cells with a man.
    #[inline]
    pub fn taken(&self) -> u64 {
        self.men[0] | self.men[1]
    }

    /// Returns the position after the player to move has moved: his men, those of the other, and the rest.
    #[inline]
    #[must_use]
    pub fn after(&self, own: u64, other: u64, rest: u64) -> Position {
        let men = if self.turn == Player::One { [own, other] } else { [other, own] };
        Position { men, rest, turn: !self.turn }
    }
}

/// A move, encoded by the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(pub u64);

impl Move {
    /// Returns the move from a cell to a cell.
    #[inline]
    pub const fn of(from: usize, to: usize) -> Move {
        Move((from | to << 6) as u64)
    }

    /// Returns the cell that a move is from.
    #[inline]
    pub const fn from(self) -> usize {
        (self.0 & 63) as usize
    }

    /// Returns the cell that a move is to.
    #[inline]
    pub const fn to(self) -> usize {
        (self.0 >> 6 & 63) as usize
    }

    /// Returns the bits above both cells.
    #[inline]
    pub const fn more(self) -> u64 {
        self.0 >> 12
    }
}

/// Numbers of bits that hold a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Cells of the board.
    pub cells: u32,
    /// Bits of [`Position::rest`].
    pub rest: u32,
    /// Bits of [`BoardRules::stage`].
    pub stage: u32,
}

/// A symmetry of a board, other than the identity.
#[derive(Clone, Debug)]
pub struct Image {
    /// The image of each cell.
    pub men: CellMap,
    /// The image of each bit of [`Position::rest`]; `None` if it does not change.
    pub rest: Option<CellMap>,
}

impl Image {
    /// Returns the image of a position.
    pub(crate) fn of(&self, position: &Position) -> Position {
        let rest = self.rest.as_ref().map_or(position.rest, |map| map.apply(position.rest));
        Position { men: position.men.map(|set| self.men.apply(set)), rest, turn: position.turn }
    }
}

/// Returns the symmetries of a board from the images of its cells, the identity first. The rest of a position is `fields`
/// sets of cells of `bits` bits a cell, or does not change if there is none.
pub fn images(cells: &[Vec<usize>], fields: usize, bits: usize) -> Vec<Image> {
    let image = |map: &Vec<usize>| {
        let (count, width) = (map.len(), fields * bits);
        let rest = (width > 0).then(|| {
            let bit = |at: usize| {
                let (field, cell) = (at / (count * bits), at % (count * bits) / bits);
                if at < count * width { field * count * bits + map[cell] * bits + at % bits } else { at }
            };
            CellMap::new(&(0..64).map(bit).collect::<Vec<_>>())
        });
        Image { men: CellMap::new(map), rest }
    };
    cells.iter().skip(1).map(image).collect()
}

/// The rules and the notation of a game on a board of at most 64 cells.
pub trait BoardRules: Debug + Send + Sync + 'static {
    /// Returns the numbers of bits that hold a position.
    fn layout(&self) -> Layout;

    /// Returns the symmetries of the board, without the identity.
    fn symmetries(&self) -> Vec<Image>;

    /// Returns the image of each cell under which the players change places, if there is one: a position has the same value
    /// for the player to move if the men change their colours and their cells. The rest must not change.
    fn exchange(&self) -> Option<Vec<usize>> {
        None
    }

    /// Returns a number that tells which positions can follow each other: tables are solved stage by stage. In a game
    /// that is not [cyclic](BoardRules::cyclic) no move stays in its stage.
    fn stage(&self, position: &Position) -> u64;

    /// Reports whether positions can repeat.
    fn cyclic(&self) -> bool;

    /// See [`Game::start`].
    fn start(&self) -> Position;

    /// Returns the value of a finished game, as [`Game::over`]; positions without a move need not be recognized if
    /// [`BoardRules::stuck`] gives their value.
    fn over(&self, _position: &Position) -> Option<Value> {
        None
    }

    /// Returns the value of a position without a move.
    fn stuck(&self, _position: &Position) -> Value {
        Value::loss_in(0)
    }

    /// See [`Game::moves`]; visits none in a position without a move.
    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow;

    /// See [`Game::play`].
    fn play(&self, position: &Position, m: Move) -> Position;

    /// See [`Notation::write_position`].
    fn write_position(&self, position: &Position) -> String;

    /// See [`Notation::read_position`].
    ///
    /// # Errors
    /// One line that names what was wrong and what was expected.
    fn read_position(&self, text: &str) -> Result<Position, String>;

    /// See [`Notation::write_move`].
    fn write_move(&self, position: &Position, m: Move) -> String;

    /// See [`Notation::draw`].
    fn draw(&self, position: &Position) -> String {
        self.write_position(position)
    }

    /// See [`Heuristic::guess`]; by default the number of moves of the player to move, less that of the other.
    fn guess(&self, position: &Position) -> i32 {
        let turned = Position { turn: !position.turn, ..*position };
        let count = |position: &Position| {
            let mut count = 0;
            let _ = self.moves(position, &mut |_| {
                count += 1;
                MORE
            });
            count
        };
        10 * (count(position) - count(&turned))
    }

    /// See [`Heuristic::hint`]; by default the fewer moves the other has left, the better.
    fn hint(&self, _position: &Position, _m: Move, child: &Position) -> i32 {
        let mut count = 0;
        let _ = self.moves(child, &mut |_| {
            count += 1;
            MORE
        });
        -count
    }

    /// See [`Bounds::bounds`].
    fn bounds(&self, _position: &Position) -> (Value, Value) {
        (Value::loss_in(1), Value::win_in(1))
    }

    /// Returns the parts whose sum a position is, as [`Partizan::parts`]; only games with canonical forms have them.
    fn parts(&self, _position: &Position) -> Vec<[u64; 2]> {
        Vec::new()
    }

    /// Returns the indices of the positions, if they have a formula.
    fn indices(&self) -> Option<&dyn Indices> {
        None
    }
}

/// Indices of positions by a formula, and their predecessors: for tables with one cell an index.
pub trait Indices {
    /// See [`Indexed::size`].
    fn size(&self) -> u64;

    /// Returns the index of a position; `None` if it has none. Symmetric positions share one.
    fn number(&self, position: &Position) -> Option<u64>;

    /// See [`Indexed::position`].
    fn position(&self, number: u64) -> Option<Position>;

    /// See [`Indexed::settled`].
    fn settled(&self, position: &Position) -> Option<Value>;

    /// See [`Indexed::child_count`].
    fn child_count(&self, position: &Position) -> u32;

    /// See [`Reversible::predecessors`].
    fn predecessors(&self, position: &Position, visit: &mut dyn FnMut(Position));
}

/// A game on a board.
#[derive(Debug)]
pub struct BoardGame {
    rules: Box<dyn BoardRules>,
    layout: Layout,
    images: Vec<Image>,
    /// The image under which the players change places.
    exchange: Option<CellMap>,
    /// True if every symmetry leaves the start as it is, so that all images of reachable positions are reachable.
    even: bool,
    /// The reachable indices, once they were found.
    reached: OnceLock<Reached>,
}

impl BoardGame {
    /// Returns the game of these rules.
    pub fn new(rules: impl BoardRules) -> BoardGame {
        let (layout, images, start) = (rules.layout(), rules.symmetries(), rules.start());
        let exchange = rules.exchange().map(|cells| CellMap::new(&cells));
        let even = exchange.is_none() && images.iter().all(|image| image.of(&start) == start);
        let reached = OnceLock::new();
        BoardGame { rules: Box::new(rules), layout, images, exchange, even, reached }
    }

    fn least(&self, position: &Position) -> Position {
        self.images.iter().map(|image| image.of(position)).fold(*position, Ord::min)
    }

    /// Returns the bits of a position below its stage.
    fn low(&self) -> u32 {
        1 + 2 * self.layout.cells + self.layout.rest
    }

    /// Returns the position of a packed form.
    fn stored(&self, code: u128) -> Position {
        let cells = self.layout.cells;
        let field = |at: u32, bits: u32| (code >> at) as u64 & u64::MAX.checked_shr(64 - bits).unwrap_or(0);
        let turn = if code & 1 == 0 { Player::One } else { Player::Two };
        let men = [field(1, cells), field(1 + cells, cells)];
        Position { men, rest: field(1 + 2 * cells, self.layout.rest), turn }
    }

    /// Returns the position with player one to move, if the players can change places.
    fn exchanged(&self, position: &Position) -> Position {
        match &self.exchange {
            Some(map) if position.turn == Player::Two => {
                let [one, two] = position.men.map(|set| map.apply(set));
                Position { men: [two, one], rest: position.rest, turn: Player::One }
            }
            _ => *position,
        }
    }

    /// Returns the packed form of the least image.
    #[inline]
    fn code(&self, position: &Position) -> u128 {
        let least = self.least(position);
        let cells = self.layout.cells;
        let stage = u128::from(self.rules.stage(&least)) << self.low();
        let men = u128::from(least.men[0]) << 1 | u128::from(least.men[1]) << (1 + cells);
        stage | men | u128::from(least.rest) << (1 + 2 * cells) | least.turn.index() as u128
    }
}

impl Game for BoardGame {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        self.rules.start()
    }

    #[inline]
    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Value> {
        self.rules.over(position).or_else(|| {
            let none = self.rules.moves(position, &mut |_| Flow::Break(())).is_continue();
            none.then(|| self.rules.stuck(position))
        })
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        self.rules.moves(position, visit)
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        self.rules.play(position, m)
    }

    fn canonical(&self, position: &Position) -> Position {
        self.least(position)
    }
}

impl Scored for BoardGame {}

impl Notation for BoardGame {
    fn write_position(&self, position: &Position) -> String {
        self.rules.write_position(position)
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        self.rules.read_position(text)
    }

    fn write_move(&self, position: &Position, m: Move) -> String {
        self.rules.write_move(position, m)
    }

    fn draw(&self, position: &Position) -> String {
        self.rules.draw(position)
    }
}

impl Packed for BoardGame {
    fn bits(&self) -> Option<u32> {
        Some(self.low() + self.layout.stage).filter(|&bits| bits <= 128)
    }

    fn class_shift(&self) -> u32 {
        self.low()
    }

    /// Returns the index of a position that has one, else its bits.
    fn pack(&self, position: &Position) -> Option<u128> {
        match self.rules.indices() {
            Some(indices) => indices.number(position).map(u128::from),
            None => Some(self.code(&self.exchanged(position))),
        }
    }

    /// Returns the position, or with the players exchanged where only that can be reached.
    fn unpack(&self, code: u128) -> Position {
        if let Some(position) = self.position(code as u64) {
            return position;
        }
        let position = self.stored(code);
        let readable = || self.rules.read_position(&self.rules.write_position(&position)).is_ok();
        match &self.exchange {
            Some(map) if !readable() => {
                let [one, two] = position.men.map(|set| map.apply(set));
                Position { men: [two, one], rest: position.rest, turn: Player::Two }
            }
            _ => position,
        }
    }

    fn expand(&self, code: u128, visit: &mut dyn FnMut(u128, Step)) -> Option<Value> {
        if let Some(indices) = self.rules.indices() {
            let position = indices.position(code as u64)?;
            let settled = indices.settled(&position);
            if settled.is_none() {
                self.child_indices(&position, &mut |child, step| visit(child.into(), step));
            }
            return settled;
        }
        let position = self.stored(code);
        let over = self.over(&position);
        if over.is_none() {
            let _ = children(self, &position, &mut |_, child, step| {
                visit(self.code(&self.exchanged(&child)), step);
                MORE
            });
        }
        over
    }

    fn alike(&self, code: u128) -> Option<u64> {
        let position = self.stored(code);
        let mut all: Vec<Position> = self.images.iter().map(|image| image.of(&position)).collect();
        all.push(position);
        grundy_core::sorting::sort(&mut all);
        all.dedup();
        self.even.then_some(all.len() as u64)
    }

    fn fault(&self) -> Option<String> {
        None
    }

    fn checksum(&self) -> u64 {
        let start = self.start();
        let words = self.rules.moves_in_words(&start);
        hash_of((self.write_position(&start), words))
    }
}

/// Games without [`Indices`] have no index.
impl Indexed for BoardGame {
    fn size(&self) -> u64 {
        self.rules.indices().map_or(u64::MAX, Indices::size)
    }

    fn index(&self, position: &Position) -> u64 {
        self.rules.indices().and_then(|indices| indices.number(position)).unwrap_or(u64::MAX)
    }

    fn position(&self, index: u64) -> Option<Position> {
        self.rules.indices()?.position(index)
    }

    fn checksum(&self) -> u64 {
        Packed::checksum(self)
    }

    fn settled(&self, position: &Position) -> Option<Value> {
        self.rules.indices().map_or_else(|| self.over(position), |indices| indices.settled(position))
    }

    fn child_count(&self, position: &Position) -> Option<u32> {
        Some(self.rules.indices()?.child_count(position))
    }

    /// Visits reachable positions only, once these were found.
    fn walk(&self, range: Range<u64>, visit: &mut impl FnMut(u64, Position)) {
        let mut visit = |number| {
            if let Some(position) = self.position(number) {
                visit(number, position);
            }
        };
        match self.reached.get() {
            Some(reached) => reached.within(range).for_each(&mut visit),
            None => range.for_each(&mut visit),
        }
    }
}

impl Reversible for BoardGame {
    fn predecessors(&self, position: &Position, visit: &mut impl FnMut(Position)) {
        if let Some(indices) = self.rules.indices() {
            indices.predecessors(position, visit);
        }
    }
}

impl Acyclic for BoardGame {
    /// Returns no order: a game with indices is cyclic.
    fn order(&self) -> Order {
        Order::Layers(Vec::new())
    }
}

impl Numbered for BoardGame {
    fn is_numbered(&self) -> bool {
        self.rules.indices().is_some()
    }

    fn is_acyclic(&self) -> bool {
        false
    }

    fn number(&self, code: u128) -> Result<u64, String> {
        let number = u64::try_from(code).ok().filter(|&number| number < self.size());
        number.ok_or_else(|| "a position without an index".to_owned())
    }

    fn reached(&self) -> Option<&Reached> {
        self.reached.get()
    }

    fn keep_reached(&self, reached: Reached) {
        let _ = self.reached.set(reached);
    }
}

impl Heuristic for BoardGame {
    /// Exchanging the players would make repetitions of positions that do not repeat.
    fn key(&self, position: &Position) -> u64 {
        let code = if self.cyclic() { self.code(position) } else { self.code(&self.exchanged(position)) };
        let bits = self.low() + self.layout.stage;
        if bits <= 64 { code as u64 } else { mix_pair(code as u64, (code >> 64) as u64) }
    }

    fn guess(&self, position: &Position) -> i32 {
        self.rules.guess(position)
    }

    fn hint(&self, position: &Position, m: Move, child: &Position) -> i32 {
        self.rules.hint(position, m, child)
    }

    fn cyclic(&self) -> bool {
        self.rules.cyclic()
    }
}

impl Bounds for BoardGame {
    fn bounds(&self, position: &Position, _target: Value) -> (Value, Value) {
        self.rules.bounds(position)
    }
}

impl Partizan for BoardGame {
    /// The men of a part, moved to the top left and turned, or where the parts keep their places, as they stand.
    type Part = [u64; 2];

    fn parts(&self, position: &Position) -> Vec<[u64; 2]> {
        self.rules.parts(position)
    }

    fn options(&self, &men: &[u64; 2], player: Player, visit: &mut dyn FnMut(Vec<[u64; 2]>)) {
        let position = Position { men, rest: 0, turn: player };
        let _ = self.rules.moves(&position, &mut |m| {
            visit(self.rules.parts(&self.rules.play(&position, m)));
            MORE
        });
    }
}

impl dyn BoardRules {
    /// Returns the moves of a position as text.
    fn moves_in_words(&self, position: &Position) -> String {
        let mut text = String::new();
        let _ = self.moves(position, &mut |m| {
            text += &self.write_move(position, m);
            text.push(' ');
            MORE
        });
        text
    }
}

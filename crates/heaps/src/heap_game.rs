//! Games of heaps as one type: [`HeapGame`] is a game whose rules are behind the trait [`HeapRules`].
//!
//! A position is a list of numbers and the player to move: counters in heaps, cells of coins, banks. From that follow
//! formulas, sums, tables and octal games for all of them. So each game is a file of rules and notation, and the methods
//! are compiled once. A call through the trait costs a few nanoseconds per move.

use std::fmt::Debug;
use std::sync::Arc;

use grundy_core::game::{Flow, Game, Indexed, MORE, Notation, Player, Scored, cannot_move};
use grundy_core::value::Value;
use grundy_core::words;
use grundy_session::Work;
use grundy_sums::formula::Formula;
use grundy_sums::impartial::Impartial;
use grundy_sums::octal::{Octal, OctalCode};
use grundy_sums::sum::{MISERE, Sum};
use grundy_tables::layers::{Acyclic, Order};

/// A position of any of these games.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Counters in each heap, or the numbers by which the rules encode a position.
    pub heaps: Vec<u64>,
    /// The player to move.
    pub turn: Player,
}

impl Position {
    /// Returns the position of these heaps with player one to move.
    pub fn new(heaps: Vec<u64>) -> Position {
        Position { heaps, turn: Player::One }
    }

    /// Reads a field by `read`, and the turn.
    ///
    /// # Errors
    /// There are more or fewer fields, the field cannot be read, or the turn is neither `1` nor `2`.
    pub fn read(
        text: &str,
        expected: &str,
        read: impl FnOnce(&str) -> Result<Vec<u64>, String>,
    ) -> Result<Position, String> {
        let ([field], turn) = words::fields(text, expected)?;
        Ok(Position { heaps: read(field)?, turn })
    }

    /// Reads heaps like `3,5,7 1`: at most `longest` of at most `most` counters each.
    ///
    /// # Errors
    /// One line that says what was expected.
    pub fn read_heaps(text: &str, most: u64, longest: usize) -> Result<Position, String> {
        Position::read(text, "heaps like 3,5,7", |heaps| words::list(heaps, "heaps", most, longest))
    }

    /// Reports whether all heaps are empty.
    pub fn is_empty(&self) -> bool {
        self.heaps.iter().all(|&heap| heap == 0)
    }
}

/// Maximum number of places that one move changes.
pub const PLACES: usize = 8;

/// A move, encoded by the rules: places and a number for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Move {
    /// Places: heaps, counted from 0, or cells.
    pub at: [u32; PLACES],
    /// Numbers: counters that are taken, or cells.
    pub by: [u64; PLACES],
}

impl Move {
    /// Returns the move with one place and one number.
    pub fn new(at: u32, by: u64) -> Move {
        let mut m = Move::default();
        (m.at[0], m.by[0]) = (at, by);
        m
    }

    /// Returns the move that takes counters from a heap and leaves a smaller part of `split`; 0 if the rest stays whole.
    pub fn take(heap: usize, take: u64, split: u64) -> Move {
        let mut m = Move::new(heap as u32, take);
        m.by[1] = split;
        m
    }

    /// Returns the move with two numbers.
    pub fn pair(first: u64, second: u64) -> Move {
        Move::take(0, first, second)
    }

    /// Returns the first place as an index.
    pub fn at(&self) -> usize {
        self.at[0] as usize
    }

    /// Returns the first number.
    pub fn by(&self) -> u64 {
        self.by[0]
    }

    /// Reads a move like `2:4` with its heap counted from 1, legal or not.
    pub fn read(word: &str) -> Option<Move> {
        let (heap, number) = word.split_once(':')?;
        let heap = words::number(heap, u32::MAX.into())?.checked_sub(1)?;
        Some(Move::new(heap as u32, words::number(number, u64::MAX)?))
    }

    /// Reads two numbers joined by a dash.
    pub fn read_dash(word: &str) -> Option<(u64, u64)> {
        let (from, to) = word.split_once('-')?;
        Some((words::number(from, u64::MAX)?, words::number(to, u64::MAX)?))
    }
}

/// The rules and the notation of a game, and what its methods need.
pub trait HeapRules: Debug + Send + Sync + 'static {
    /// Returns the heaps of the start.
    fn start(&self) -> Vec<u64>;

    /// Reports whether the player who cannot move wins.
    fn misere(&self) -> bool {
        false
    }

    /// Reports whether the player to move cannot move.
    fn is_over(&self, position: &Position) -> bool;

    /// See [`Game::moves`].
    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow;

    /// Makes a legal move in a position; the caller passes the turn.
    fn play(&self, position: &mut Position, m: Move);

    /// Replaces a position by its [essence](Game::essence).
    fn make_essence(&self, position: &mut Position) {
        position.turn = Player::One;
    }

    /// Replaces a position by the [representative](Game::canonical) of its class.
    fn make_canonical(&self, _position: &mut Position) {}

    /// Returns the text of a position without the turn.
    fn write(&self, heaps: &[u64]) -> String {
        if heaps.is_empty() { "0".to_owned() } else { words::join(heaps) }
    }

    /// See [`Notation::write_position`].
    fn write_position(&self, position: &Position) -> String {
        format!("{} {}", self.write(&position.heaps), position.turn.digit())
    }

    /// See [`Notation::read_position`].
    ///
    /// # Errors
    /// One line that names what was wrong and what was expected.
    fn read_position(&self, text: &str) -> Result<Position, String>;

    /// See [`Notation::write_move`]; by default like `2:4`, the place counted from 1.
    fn write_move(&self, _position: &Position, m: Move) -> String {
        format!("{}:{}", m.at() + 1, m.by())
    }

    /// See [`Notation::read_move`].
    fn read_move(&self, position: &Position, word: &str) -> Option<Move>;

    /// See [`Notation::draw`].
    fn draw(&self, position: &Position) -> String {
        self.write_position(position)
    }

    /// See [`Formula::grundy`].
    fn grundy(&self, _position: &Position) -> Option<u64> {
        None
    }

    /// See [`Formula::no_grundy`].
    fn no_grundy(&self) -> Option<&'static str> {
        self.misere().then_some(MISERE)
    }

    /// See [`Formula::formula`]; by default from the Grundy number. For games that a row gives the method of formulas.
    fn formula(&self, position: &Position) -> Value {
        if self.grundy(position) == Some(0) { Value::LOSS } else { Value::WIN }
    }

    /// See [`Formula::keeping_moves`]; called for won positions only. By default the formula is applied to every child.
    fn keeping_moves(&self, position: &Position) -> Vec<Move> {
        self.moves_to_lost(position)
    }

    /// See [`Formula::keeping_is_whole`].
    fn keeping_is_whole(&self, _position: &Position) -> bool {
        true
    }

    /// Returns the moves to positions that are lost by the formula, found by visiting all.
    fn moves_to_lost(&self, position: &Position) -> Vec<Move> {
        let mut list = Vec::new();
        let _ = self.moves(position, &mut |m| {
            if self.formula(&after(self, position, m)) < Value::DRAW {
                list.push(m);
            }
            MORE
        });
        list
    }

    /// Reports whether each heap is a part of a [`Sum`]; if not, all of them are one part.
    fn heaps_are_parts(&self) -> bool {
        false
    }

    /// Replaces the heaps by a part with the same options, for games in which all of them are one part.
    fn make_part(&self, _heaps: &mut Vec<u64>) {}

    /// Returns the code of an octal game.
    fn octal(&self) -> Option<&dyn OctalCode> {
        None
    }

    /// See [`Indexed::size`].
    fn size(&self) -> u64 {
        u64::MAX
    }

    /// See [`Indexed::index`].
    fn index(&self, _position: &Position) -> u64 {
        u64::MAX
    }

    /// See [`Indexed::position`].
    fn position(&self, _index: u64) -> Option<Position> {
        None
    }

    /// See [`Acyclic::order`].
    fn order(&self) -> Order {
        Order::Lower
    }

    /// See [`Impartial::excluded`].
    fn excluded(&self, _position: &Position) -> Option<String> {
        None
    }

    /// See [`Impartial::playable`].
    fn playable(&self, _m: Move) -> bool {
        true
    }
}

/// A game of heaps.
#[derive(Clone, Debug)]
pub struct HeapGame(Arc<dyn HeapRules>);

impl HeapGame {
    /// Returns the game of these rules.
    pub fn new(rules: impl HeapRules) -> HeapGame {
        HeapGame(Arc::new(rules))
    }
}

/// Returns the position after a legal move.
pub(crate) fn after<R: HeapRules + ?Sized>(rules: &R, position: &Position, m: Move) -> Position {
    let mut next = position.clone();
    rules.play(&mut next, m);
    next.turn = !next.turn;
    next
}

impl Game for HeapGame {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        Position::new(self.0.start())
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Value> {
        self.0.is_over(position).then(|| cannot_move(self.0.misere()))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        self.0.moves(position, visit)
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        after(&*self.0, position, m)
    }

    fn essence(&self, position: &Position) -> Position {
        let mut essence = position.clone();
        self.0.make_essence(&mut essence);
        essence
    }

    fn canonical(&self, position: &Position) -> Position {
        let mut canonical = position.clone();
        self.0.make_canonical(&mut canonical);
        canonical
    }
}

impl Scored for HeapGame {}

impl Notation for HeapGame {
    fn write_position(&self, position: &Position) -> String {
        self.0.write_position(position)
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        self.0.read_position(text)
    }

    fn write_move(&self, position: &Position, m: Move) -> String {
        self.0.write_move(position, m)
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        self.0.read_move(position, word)
    }

    fn draw(&self, position: &Position) -> String {
        self.0.draw(position)
    }
}

impl Formula for HeapGame {
    fn formula(&self, position: &Position) -> Value {
        self.0.formula(position)
    }

    fn keeping_moves(&self, position: &Position) -> Vec<Move> {
        let won = self.0.formula(position) > Value::DRAW && !self.0.is_over(position);
        if won { self.0.keeping_moves(position) } else { Vec::new() }
    }

    fn keeping_is_whole(&self, position: &Position) -> bool {
        self.0.keeping_is_whole(position)
    }

    fn no_grundy(&self) -> Option<&'static str> {
        self.0.no_grundy()
    }

    fn grundy(&self, position: &Position) -> Option<u64> {
        self.0.grundy(position)
    }
}

impl Sum for HeapGame {
    type Part = Vec<u64>;

    fn normal_play(&self) -> bool {
        !self.0.misere()
    }

    fn parts(&self, position: &Position) -> Vec<Vec<u64>> {
        if self.0.heaps_are_parts() {
            return position.heaps.iter().map(|&heap| vec![heap]).collect();
        }
        let mut part = position.heaps.clone();
        self.0.make_part(&mut part);
        vec![part]
    }

    fn options(&self, part: &Vec<u64>, visit: &mut dyn FnMut(&[Vec<u64>]) -> Flow) -> Flow {
        let position = Position::new(part.clone());
        let heaps_are_parts = self.0.heaps_are_parts();
        let mut next = position.clone();
        self.0.moves(&position, &mut |m| {
            next.heaps.clone_from(&position.heaps);
            self.0.play(&mut next, m);
            if heaps_are_parts {
                return visit(&self.parts(&next));
            }
            self.0.make_part(&mut next.heaps);
            visit(std::slice::from_ref(&next.heaps))
        })
    }

    fn grundy_of(&self, part: &Vec<u64>, _work: &Work<'_>) -> Option<u64> {
        self.0.octal()?.number(*part.first()?)
    }
}

impl Octal for HeapGame {
    fn code(&self) -> Option<&dyn OctalCode> {
        self.0.octal()
    }

    fn heaps(&self, position: &Position) -> Vec<u64> {
        position.heaps.clone()
    }

    fn take(&self, heap: usize, take: u64, split: u64) -> Move {
        Move::take(heap, take, split)
    }
}

impl Indexed for HeapGame {
    fn size(&self) -> u64 {
        self.0.size()
    }

    fn index(&self, position: &Position) -> u64 {
        self.0.index(position)
    }

    fn position(&self, index: u64) -> Option<Position> {
        self.0.position(index)
    }
}

impl Acyclic for HeapGame {
    fn order(&self) -> Order {
        self.0.order()
    }
}

impl Impartial for HeapGame {
    fn excluded(&self, position: &Position) -> Option<String> {
        self.0.excluded(position)
    }

    fn playable(&self, m: Move) -> bool {
        self.0.playable(m)
    }
}

//! [`BoardGame`]: a game whose rules are behind the trait [`BoardRules`].

use std::ops::Range;
use std::sync::OnceLock;

use grundy_core::game::{Flow, Game, Indexed, MORE, Notation, Player, Scored, children, hash_of};
use grundy_core::grid::CellMap;
use grundy_core::random::mix_pair;
use grundy_core::value::{Step, Value};
use grundy_sums::cgt::Partizan;
use grundy_sums::impartial::Impartial;
use grundy_sums::sum::Sum;
use grundy_tables::discovered::{Numbered, Packed, Reached, each_within};
use grundy_tables::layers::{Acyclic, ByOutcome, Order, Outcomes};
use grundy_tables::retrograde::Reversible;

use super::position::{Image, Move, Position};
use super::rules::{BoardRules, Indices, Layout};
use crate::Visits;
use crate::alpha_beta::{Bounds, Heuristic};
use crate::pns::asks_outcome;

/// A game on a board.
#[derive(Debug)]
pub struct BoardGame {
    rules: Box<dyn BoardRules>,
    layout: Layout,
    images: Vec<Image>,
    /// The image under which the players change places.
    exchange: Option<CellMap>,
    /// True if classes are those of the images and every symmetry leaves the start as it is, so that all images of reachable
    /// positions are reachable.
    even: bool,
    /// The reachable indices, once they were found.
    reached: OnceLock<Reached>,
}

impl BoardGame {
    /// Returns the game of these rules.
    pub fn new(rules: impl BoardRules) -> BoardGame {
        let (layout, images, start) = (rules.layout(), rules.symmetries(), rules.start());
        let exchange = rules.exchange().map(|cells| CellMap::new(&cells));
        let own = rules.canonical(&start).is_some();
        let even = !own && exchange.is_none() && images.iter().all(|image| image.of(&start) == start);
        let reached = OnceLock::new();
        BoardGame { rules: Box::new(rules), layout, images, exchange, even, reached }
    }

    fn least(&self, position: &Position) -> Position {
        let by_images = || self.images.iter().map(|image| image.of(position)).fold(*position, Ord::min);
        self.rules.canonical(position).unwrap_or_else(by_images)
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

    /// Returns the packed form of the least image. Positions must fit 128 bits.
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
        self.rules.ended(position)
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

    fn essence(&self, position: &Position) -> Position {
        self.rules.essence(position)
    }
}

impl Scored for BoardGame {}

impl Notation for BoardGame {
    fn write_position(&self, position: &Position) -> String {
        self.rules.write_position(position)
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let position = self.rules.read_position(text)?;
        let before = Position { turn: !position.turn, ..position };
        let decided = |position| self.rules.over(position).is_some_and(|value| value != Value::DRAW);
        if !decided(&position) && decided(&before) {
            return Err(format!(
                "player {} is to move, and the game was over before: expected a position of a game",
                position.turn.digit()
            ));
        }
        Ok(position)
    }

    fn write_move(&self, position: &Position, m: Move) -> String {
        self.rules.write_move(position, m)
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        self.rules.read_move(position, word)
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
        if let Some(position) = self.rules.indices().and_then(|indices| indices.position(code as u64)) {
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
        let indices = self.rules.indices();
        let position = indices.map_or_else(|| Some(self.stored(code)), |all| all.position(code as u64))?;
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
        self.rules.checksum()
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

    /// Returns reachable positions only, once these were found.
    fn position(&self, index: u64) -> Option<Position> {
        if self.reached.get().is_some_and(|reached| !reached.has(index)) {
            return None;
        }
        self.rules.indices()?.position(index)
    }

    fn checksum(&self) -> u64 {
        self.rules.indices().map_or(0, Indices::checksum)
    }

    fn settled(&self, position: &Position) -> Option<Value> {
        self.rules.indices().map_or_else(|| self.over(position), |indices| indices.settled(position))
    }

    fn child_count(&self, position: &Position) -> Option<u32> {
        self.rules.indices()?.child_count(position)
    }

    /// Visits reachable positions only, once these were found.
    fn walk(&self, range: Range<u64>, visit: &mut impl FnMut(u64, Position)) {
        let Some(indices) = self.rules.indices() else { return };
        if self.reached.get().is_none() {
            return indices.walk(range, visit);
        }
        each_within(self.reached.get(), range, &mut |number| {
            if let Some(position) = indices.position(number) {
                visit(number, position);
            }
        });
    }

    #[inline]
    fn child_indices(&self, position: &Position, visit: &mut impl FnMut(u64, Step)) {
        if let Some(indices) = self.rules.indices() {
            indices.child_indices(position, visit);
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
    fn order(&self) -> Order {
        self.rules.indices().map_or(Order::Layers(Vec::new()), Indices::order)
    }
}

impl ByOutcome for BoardGame {
    fn runs(&self) -> Vec<Vec<Range<u64>>> {
        self.rules.indices().map(Indices::runs).unwrap_or_default()
    }

    fn decide(&self, states: Range<u64>, outcomes: &Outcomes) {
        if let Some(indices) = self.rules.indices() {
            indices.decide(states, outcomes);
        }
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
        if let Some(key) = self.rules.key(position) {
            return key;
        }
        let position = if self.cyclic() { *position } else { self.exchanged(&self.rules.essence(position)) };
        let Some(bits) = self.bits() else { return hash_of(self.least(&position)) };
        let code = self.code(&position);
        if bits <= 64 { code as u64 } else { mix_pair(code as u64, (code >> 64) as u64) }
    }

    fn outcome_key(&self, position: &Position) -> u64 {
        match self.rules.outcome_essence(position) {
            Some((board, number)) => hash_of((self.least(&board), number)),
            None => self.key(position),
        }
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

    fn brief(&self, position: &Position) -> bool {
        self.rules.brief(position)
    }

    fn finishes(&self, position: &Position) -> bool {
        self.rules.finishes(position)
    }

    fn finish(&self, position: &Position, target: Value, visits: &mut Visits<'_>) -> Option<Value> {
        self.rules.finish(position, target, visits)
    }
}

impl Bounds for BoardGame {
    fn bounds(&self, position: &Position, _target: Value) -> (Value, Value) {
        self.rules.bounds(position)
    }

    fn candidates(&self, position: &Position, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        self.rules.candidates(position, visit)
    }

    fn open(
        &self,
        position: &Position,
        target: Value,
        visit: &mut impl FnMut(Move) -> Flow,
    ) -> (Value, Value) {
        let _ = match asks_outcome(target) {
            true => self.rules.outcome_candidates(position, visit),
            false => self.rules.candidates(position, visit),
        };
        (Value::loss_in(1), Value::win_in(1))
    }

    fn has_draws(&self) -> bool {
        self.rules.has_draws()
    }

    fn favours_proofs(&self) -> bool {
        self.rules.favours_proofs()
    }

    fn effort(&self, position: &Position, _target: Value, _rank: usize) -> [u32; 2] {
        self.rules.effort(position)
    }
}

impl Impartial for BoardGame {
    fn obstacle(&self) -> Option<String> {
        self.rules.obstacle()
    }
}

impl Sum for BoardGame {
    /// A part as [`BoardRules::parts`] gives it.
    type Part = [u64; 2];

    fn normal_play(&self) -> bool {
        self.rules.normal_play()
    }

    fn parts(&self, position: &Position) -> Vec<[u64; 2]> {
        self.rules.parts(position)
    }

    fn options(&self, &part: &[u64; 2], visit: &mut dyn FnMut(&[[u64; 2]]) -> Flow) -> Flow {
        self.rules.each_option(part, visit)
    }
}

impl Partizan for BoardGame {
    /// A part as [`BoardRules::parts`] gives it.
    type Part = [u64; 2];

    fn parts(&self, position: &Position) -> Vec<[u64; 2]> {
        self.rules.parts(position)
    }

    fn options(&self, &men: &[u64; 2], player: Player, visit: &mut dyn FnMut(Vec<[u64; 2]>)) {
        self.rules.options(men, player, visit);
    }

    fn negative(&self, &part: &[u64; 2]) -> Option<[u64; 2]> {
        self.rules.negative(part)
    }

    fn part_size(&self, [one, two]: &[u64; 2]) -> u32 {
        (one | two).count_ones()
    }

    fn mobility(&self, &part: &[u64; 2], player: Player) -> u32 {
        self.rules.moves_in(part, player)
    }
}

//! Qubic: four in a row in a cube of 4x4x4 cells.
//!
//! * The players place stones in turn, player one `X`, player two `O`. The first to make four in a row, along an axis, a
//!   diagonal of a layer or a diagonal of the cube, wins; a full cube is a draw.
//! * Position: the four layers from below, each as rows from the top, and the turn: `X.../..../..../.... ..../..../..../....
//!   ..../..../..../.... ..../..../..../.... 2`. Move `b2.3`: column, row and layer.
//!
//! Solved by proof numbers, over wins by threats that each have a single answer, up to the 192 symmetries of the lines.
//!
//! Sources: O. Patashnik, "Qubic: 4x4x4 tic-tac-toe", Mathematics Magazine 53, 1980; L. V. Allis, "Searching for solutions in
//! games and artificial intelligence", 1994.

mod threats;

use std::cmp::Reverse;

use grundy_core::bits::indices;
use grundy_core::game::{Flow, Game, Notation, Player, Scored};
use grundy_core::grid::Grid;
use grundy_core::placed::{self, Position};
use grundy_core::sorting;
use grundy_core::value::Value;
use grundy_core::words;
use grundy_search::alpha_beta::{Bounds, Heuristic};
use grundy_session::{CellForm, Plan, Spot};

use crate::mnk::{ended_earlier, visit_cells};
use threats::{CELLS, LINES, SIDE, Threats, has_line};

/// A layer.
const LAYER: Grid = Grid { columns: SIDE, rows: SIDE };
/// Positions that are examined for a win by threats.
const BUDGET: u32 = 40;
/// Moves of a player who is to win whose answers are counted.
const WIDTH: usize = 12;
/// The first proof number of the other moves.
const UNLIKELY: u32 = 10_000;
/// The most stones of a position whose symmetric ones share its key: with more, few are met.
const SYMMETRIC: u8 = 7;

/// The rules of Qubic.
#[derive(Clone, Debug)]
pub struct Qubic {
    symmetries: Vec<[u8; CELLS]>,
}

impl Default for Qubic {
    fn default() -> Qubic {
        Qubic { symmetries: symmetries() }
    }
}

/// Returns the permutations of the cells that map lines to lines, the identity first, each as the image of every cell.
fn symmetries() -> Vec<[u8; CELLS]> {
    // The same permutation of the coordinates on each axis, then mirrors and a permutation of the axes.
    let same = [[0, 1, 2, 3], [1, 0, 3, 2], [0, 2, 1, 3], [1, 3, 0, 2]];
    let axes = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let image = |coordinates: [usize; SIDE], axes: [usize; 3], mirrors: usize, cell: usize| {
        let from = [cell % SIDE, cell / SIDE % SIDE, cell / SIDE / SIDE];
        let to = [0, 1, 2].map(|axis| match coordinates[from[axes[axis]]] {
            at if mirrors >> axis & 1 == 1 => SIDE - 1 - at,
            at => at,
        });
        (to[0] + SIDE * to[1] + SIDE * SIDE * to[2]) as u8
    };
    let mut images = Vec::new();
    for coordinates in same {
        for axes in axes {
            for mirrors in 0..8 {
                images.push(std::array::from_fn(|cell| image(coordinates, axes, mirrors, cell)));
            }
        }
    }
    images
}

impl Qubic {
    /// Returns the plan of the cells for pictures: the layers two by two, the lowest first.
    pub fn plan() -> Plan {
        let spot = |cell: usize| {
            let (layer, place) = in_layer(cell);
            let (column, row) = LAYER.coordinates(place);
            let beside = |at: usize, offset: usize| (at + offset * (SIDE + 1)) as f64;
            Spot { name: name(cell), x: beside(column, layer % 2), y: beside(row, layer / 2) }
        };
        Plan { form: CellForm::Square, cells: (0..CELLS).map(in_text).map(spot).collect(), lines: Vec::new() }
    }

    /// Returns the stones of both players under each symmetry. The maps of single cells fit the first cache.
    fn images(&self, position: &Position) -> impl Iterator<Item = [u64; 2]> {
        let stones = position.stones;
        self.symmetries
            .iter()
            .map(move |map| stones.map(|set| indices(set).fold(0, |image, cell| image | 1 << map[cell])))
    }
}

/// Returns the layer of a cell and its cell there.
fn in_layer(cell: usize) -> (usize, usize) {
    let row = cell / SIDE % SIDE;
    (cell / (SIDE * SIDE), LAYER.cell(cell % SIDE, SIDE - 1 - row))
}

/// Returns the cell of a letter in the text of a position. Rows are written from the top: the map is its own inverse.
fn in_text(letter: usize) -> usize {
    let (layer, cell) = in_layer(letter);
    layer * SIDE * SIDE + cell
}

/// Returns the name of a cell: column, row and layer.
fn name(cell: usize) -> String {
    let (layer, cell) = in_layer(cell);
    format!("{}.{}", LAYER.square(cell), layer + 1)
}

impl Game for Qubic {
    type Position = Position;
    type Move = u8;

    fn start(&self) -> Position {
        Position::default()
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn()
    }

    #[inline]
    fn over(&self, position: &Position) -> Option<Value> {
        let [_, other] = position.own();
        if has_line(other) {
            return Some(Value::loss_in(0));
        }
        (position.occupied() == u64::MAX).then_some(Value::DRAW)
    }

    #[inline]
    fn moves(&self, position: &Position, visit: &mut impl FnMut(u8) -> Flow) -> Flow {
        visit_cells(!position.occupied(), visit)
    }

    #[inline]
    fn play(&self, position: &Position, m: u8) -> Position {
        position.with(m)
    }

    fn canonical(&self, position: &Position) -> Position {
        let stones = self.images(position).fold(position.stones, Ord::min);
        Position { stones, ..*position }
    }
}

impl Scored for Qubic {}

impl Notation for Qubic {
    fn write_position(&self, position: &Position) -> String {
        let layer = |layer: usize| LAYER.write(|cell| position.mark(in_text(layer * SIDE * SIDE + cell)));
        format!("{} {}", [0, 1, 2, 3].map(layer).join(" "), position.turn().digit())
    }

    fn cells(&self, position: &Position, cells: &mut Vec<u8>) {
        cells.extend((0..CELLS).map(|letter| position.mark(in_text(letter)) as u8));
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let expected = "four layers from below, each as X.../.O../..../....,";
        let (layers, turn) = words::fields::<SIDE>(text, expected)?;
        let mut marks = ['.'; CELLS];
        for (layer, rows) in layers.into_iter().enumerate() {
            LAYER.read_stones(rows, |side, cell| {
                marks[in_text(layer * SIDE * SIDE + cell)] = ['X', 'O'][side];
            })?;
        }
        let position = Position::read(&String::from_iter(marks), turn)?;
        if has_line(position.stones[turn.index()]) {
            return Err(ended_earlier(turn));
        }
        Ok(position)
    }

    fn write_move(&self, _position: &Position, m: u8) -> String {
        name(m.into())
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<u8> {
        let (square, layer) = word.split_once('.')?;
        let layer = words::number(layer, SIDE as u64)?.checked_sub(1)? as usize;
        let cell = in_text(layer * SIDE * SIDE + LAYER.read_square(square)?);
        (position.occupied() >> cell & 1 == 0 && self.over(position).is_none()).then_some(cell as u8)
    }

    fn draw(&self, position: &Position) -> String {
        let text = self.write_position(position);
        let layers: Vec<String> = text.split(' ').take(SIDE).map(|rows| LAYER.draw(rows)).collect();
        let rows = (0..=SIDE).map(|row| {
            let parts: Vec<&str> = layers.iter().filter_map(|layer| layer.lines().nth(row)).collect();
            parts.join("  ")
        });
        rows.collect::<Vec<_>>().join("\n")
    }
}

impl Heuristic for Qubic {
    fn key(&self, position: &Position) -> u64 {
        let key = |stones| placed::key_of(stones, CELLS);
        match position.ply {
            ..=SYMMETRIC => self.images(position).map(key).fold(u64::MAX, u64::min),
            _ => key(position.stones),
        }
    }

    fn guess(&self, position: &Position) -> i32 {
        let [own, other] = position.own();
        let worth = |line: u64, mine: u64, theirs: u64| match line & theirs {
            0 => 1 << (2 * (line & mine).count_ones()),
            _ => 0,
        };
        LINES.iter().map(|&line| worth(line, own, other) - worth(line, other, own)).sum()
    }

    fn hint(&self, position: &Position, m: u8, _child: &Position) -> i32 {
        let threats = Threats::new(position.own());
        match (threats.last() >> m & 1, threats.needed() >> m & 1) {
            (1, _) => 1_000,
            (_, 1) => 500,
            _ => threats.worth(m.into()),
        }
    }
}

impl Bounds for Qubic {
    const THREATS: bool = true;

    /// Bounds the value by immediate threats and, if the target is a win, by chains of threats.
    fn bounds(&self, position: &Position, target: Value) -> (Value, Value) {
        let threats = Threats::new(position.own());
        if threats.last() != 0 {
            return (Value::win_in(1), Value::win_in(1));
        }
        let needed = threats.needed();
        if needed.count_ones() > 1 {
            return (Value::loss_in(2), Value::loss_in(2));
        }
        let hi = if threats.open() { Value::win_in(3) } else { Value::DRAW };
        let lo = if threats.passed().open() { Value::loss_in(4) } else { Value::DRAW };
        if hi > Value::DRAW && target > Value::DRAW {
            let mut budget = BUDGET;
            if let Some(plies) = threats.chain(&mut budget) {
                return (Value::win_in(plies), hi);
            }
        }
        (lo, hi)
    }

    /// Visits the only cell that stops a line, or all free cells, the most valuable ones first.
    fn candidates(&self, position: &Position, visit: &mut impl FnMut(u8) -> Flow) -> Flow {
        let threats = Threats::new(position.own());
        let must = if threats.last() != 0 { threats.last() } else { threats.needed() };
        if must != 0 {
            return visit(must.trailing_zeros() as u8);
        }
        let free = threats.free();
        let mut cells: Vec<u8> = (0..CELLS as u8).filter(|&cell| free >> cell & 1 == 1).collect();
        sorting::sort_by_cached_key(&mut cells, |&cell| Reverse(threats.worth(cell.into())));
        cells.into_iter().try_for_each(visit)
    }

    fn forced(&self, position: &Position) -> Option<u8> {
        let threats = Threats::new(position.own());
        let needed = threats.needed();
        (threats.last() == 0 && needed.count_ones() == 1).then(|| needed.trailing_zeros() as u8)
    }

    /// Counts the answers to a threat: the moves of a player who does not win after which the other has no win by threats.
    fn effort(&self, position: &Position, target: Value, rank: usize) -> [u32; 2] {
        let threats = Threats::new(position.own());
        if target > Value::DRAW || threats.needed() != 0 {
            return [1, 1];
        }
        let wins = |threats: Threats| threats.chain(&mut { BUDGET }).is_some();
        let free = threats.free();
        if rank >= WIDTH {
            return [1, UNLIKELY];
        }
        if !wins(threats.passed()) {
            return [1, free.count_ones()];
        }
        let answers = (0..CELLS).filter(|&cell| free >> cell & 1 == 1 && !wins(threats.with(cell)));
        [1, answers.count().max(1) as u32]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use grundy_core::game::MORE;
    use grundy_core::grid::CellMap;
    use grundy_core::random::SplitMix64;
    use grundy_core::value::Step;

    #[test]
    fn the_cube_has_its_lines_and_symmetries() {
        let mut lines = LINES;
        lines.sort_unstable();
        assert!(lines.windows(2).all(|pair| pair[0] < pair[1]));
        let through = |cell: usize| lines.iter().filter(|&line| line >> cell & 1 == 1).count();
        let rich = (0..CELLS).filter(|&cell| through(cell) == 7).count();
        assert_eq!((rich, lines.iter().filter(|line| line.count_ones() == 4).count()), (16, 76));
        let mut images = symmetries();
        images.iter().for_each(|image| {
            let map = CellMap::new(&image.map(usize::from));
            let mut moved = LINES.map(|line| map.apply(line));
            moved.sort_unstable();
            assert_eq!(moved, lines);
        });
        images.sort_unstable();
        images.dedup();
        assert_eq!(images.len(), 192);
    }

    /// Returns the value by plain recursion.
    fn value(game: &Qubic, position: &Position) -> Value {
        if let Some(value) = game.over(position) {
            return value;
        }
        let mut best = Value::loss_in(0);
        let _ = game.moves(position, &mut |m| {
            best = best.max(value(game, &game.play(position, m)).back(Step::PASSED));
            MORE
        });
        best
    }

    #[test]
    fn bounds_hold_at_the_end_of_games() {
        let (game, mut random) = (Qubic::default(), SplitMix64(3));
        let mut proved = [0; 3];
        while proved.iter().any(|&count| count < 20) {
            let mut position = game.start();
            while position.ply < 57 && game.over(&position).is_none() {
                let free: Vec<u8> = (0..64).filter(|cell| position.occupied() >> cell & 1 == 0).collect();
                // Most players stop a line, so that games last.
                let must = game.forced(&position).filter(|_| random.below(10) > 0);
                position = game.play(&position, must.unwrap_or(free[random.below(free.len())]));
            }
            if game.over(&position).is_some() {
                continue;
            }
            let value = value(&game, &position);
            for target in [Value::DRAW, Value::WIN] {
                let (lo, hi) = game.bounds(&position, target);
                let text = game.write_position(&position);
                assert!(lo <= value && value <= hi, "{text}: {value:?} is not in {lo:?}..{hi:?}");
                proved[0] += usize::from(lo == hi);
                proved[1] += usize::from(lo > Value::DRAW && value.plies() > Some(1));
            }
            proved[2] += usize::from(value == Value::DRAW);
            let mut candidates = Vec::new();
            let _ = game.candidates(&position, &mut |m| {
                candidates.push(self::value(&game, &game.play(&position, m)).back(Step::PASSED));
                MORE
            });
            assert_eq!(candidates.into_iter().max(), Some(value), "{}", game.write_position(&position));
        }
    }
}

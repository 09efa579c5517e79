//! Tsoro Yematatu, of Zimbabwe: three stones each on a triangle of seven points.
//!
//! * Points b3 / a2 b2 c2 / a1 b1 c1 with the lines b3-a2-a1, b3-b2-b1, b3-c2-c1, a2-b2-c2 and a1-b1-c1. Each player puts
//!   three stones, one a turn; then a move takes one of them along a line to the free point, one step or over one other
//!   stone, of either player. With `stuck` a player may jump only if he has no step. Three stones on a line win; who cannot
//!   move loses; endless play is a draw.
//! * Position `./.X./... 2-3 2`: the points, and the stones in hand. Moves `a2` (put), `a2-b2`.
//!
//! Source: C. Zaslavsky, "Tic Tac Toe and Other Three-in-a-Row Games", 1982.

use grundy_core::game::{Flow, MORE};
use grundy_core::value::Value;
use grundy_core::words;
use grundy_search::board::{BoardRules, Image, Layout, Move, Position, images};
use grundy_session::Spot;

use crate::field::cells;
use crate::points::{Points, hands, in_turn};

/// The rules of Tsoro Yematatu. The stones in hand follow from those on the board.
#[derive(Clone, Debug)]
pub struct Tsoro {
    points: Points,
    jumps: Vec<[usize; 3]>,
    lines: Vec<u64>,
    /// True if a player may jump only if he has no step.
    stuck: bool,
}

/// Stones of a player.
const STONES: u32 = 3;

impl Tsoro {
    /// Returns the game, in which players may jump only if they have no step if `stuck`.
    pub fn new(stuck: bool) -> Tsoro {
        let places = [
            ("b3", 4.0, 0.0),
            ("a2", 2.0, 3.0),
            ("b2", 4.0, 3.0),
            ("c2", 6.0, 3.0),
            ("a1", 0.0, 6.0),
            ("b1", 4.0, 6.0),
            ("c1", 8.0, 6.0),
        ];
        let spots = places.map(|(name, x, y)| Spot { name: name.to_owned(), x, y }).to_vec();
        let lines = [[0, 1, 4], [0, 2, 5], [0, 3, 6], [1, 2, 3], [4, 5, 6]];
        let points = Points::new(spots, &[1, 3, 3], lines.iter().map(|line| line.to_vec()).collect());
        let lines = lines.iter().map(|line| line.iter().fold(0, |set, point| set | 1 << point)).collect();
        Tsoro { jumps: points.jumps(), points, lines, stuck }
    }

    /// Returns the board, for drawings.
    pub fn points(&self) -> &Points {
        &self.points
    }
}

impl BoardRules for Tsoro {
    fn layout(&self) -> Layout {
        Layout { cells: 7, rest: 0, stage: 3 }
    }

    fn symmetries(&self) -> Vec<Image> {
        images(&[(0..7).collect(), vec![0, 3, 2, 1, 6, 5, 4]], 0, 0)
    }

    fn exchange(&self) -> Option<Vec<usize>> {
        Some((0..7).collect())
    }

    fn stage(&self, position: &Position) -> u64 {
        u64::from(position.taken().count_ones())
    }

    fn cyclic(&self) -> bool {
        true
    }

    fn over(&self, position: &Position) -> Option<Value> {
        let won = |men: u64| self.lines.iter().any(|line| men & line == *line);
        won(position.other()).then_some(Value::loss_in(0))
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        let free = self.points.all() & !position.taken();
        if position.own().count_ones() < STONES {
            return cells(free).try_for_each(|to| visit(Move::of(to, to)));
        }
        let mut steps = false;
        for from in cells(position.own()) {
            for to in cells(self.points.near(from) & free) {
                steps = true;
                visit(Move::of(from, to))?;
            }
        }
        if steps && self.stuck {
            return MORE;
        }
        for &[from, over, to] in &self.jumps {
            if position.own() >> from & position.taken() >> over & free >> to & 1 == 1 {
                visit(Move::of(from, to))?;
            }
        }
        MORE
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let (from, to) = (m.from(), m.to());
        let kept = if from == to { position.own() } else { position.own() & !(1 << from) };
        position.after(kept | 1 << to, position.other(), 0)
    }

    fn draw(&self, position: &Position) -> String {
        self.points.plan().draw(self.write_position(position))
    }

    fn write_position(&self, position: &Position) -> String {
        let [one, two] = position.men.map(|men| STONES - men.count_ones());
        format!("{} {one}-{two} {}", self.points.write(position.men), position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([board, hand], turn) =
            words::fields(text, "the points and the stones in hand, as ./.X./... 2-3,")?;
        let men = self.points.read(board)?;
        let left = hands(hand, [STONES; 2])?;
        if men.iter().zip(left).any(|(men, left)| men.count_ones() + left != STONES) {
            return Err(format!(
                "stones that do not add up: expected {STONES} of each player, on the board or in hand"
            ));
        }
        in_turn(left, [STONES; 2], turn)?;
        Ok(Position { men, rest: 0, turn })
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        let (from, to) = (self.points.name(m.from()), self.points.name(m.to()));
        if m.from() == m.to() { to.to_owned() } else { format!("{from}-{to}") }
    }
}

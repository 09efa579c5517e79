//! Amazons: queens that shoot arrows.
//!
//! * Each player has four amazons, `X` player one's. A move takes one of them as a chess queen moves, and shoots an arrow `#`
//!   from where it stands then, again as a queen moves; nothing passes over amazons or arrows, and arrows stay for ever.
//!   Who cannot move loses.
//! * The start: in the first row the cells beside the corners, in the second the outer ones, and the mirror image at the
//!   top; on a board of four columns b1, c1, a2, d2.
//! * Position `.OO./O..O/X..X/.XX. 1`, rows from the top; move `b1-b3-d3`: from, to, arrow.
//!
//! Source: W. Zamkauskas, 1988; small boards as in J. Song and M. Mueller, "An enhanced solver for the game of Amazons",
//! IEEE Transactions on Computational Intelligence and AI in Games 7, 2015.

mod territory;

use grundy_core::game::{Flow, MORE, Player};
use grundy_core::value::Value;
use grundy_core::words;
use grundy_search::board::{BoardRules, Image, Layout, Move, Position, images};

use self::territory::{Contest, Territories};
use crate::field::{Field, cells};

/// The largest proof number of a position that was not searched.
const MOST_EFFORT: u32 = 9_000;

/// The rules of Amazons.
#[derive(Debug)]
pub struct Amazons {
    field: Field,
    territories: Territories,
}

impl Amazons {
    /// Returns the game on a board of `rows` by `columns`.
    ///
    /// # Errors
    /// The board has not 4 or 5 columns and 4 to 8 rows.
    pub fn new(rows: usize, columns: usize) -> Result<Amazons, String> {
        if !(4..=8).contains(&rows) || !(4..=5).contains(&columns) {
            return Err(format!("no board of {rows}x{columns}: expected 4 to 8 rows and 4 or 5 columns"));
        }
        let field = Field::new(rows, columns, 40)?;
        Ok(Amazons { territories: Territories::new(field.clone()), field })
    }

    fn free(&self, position: &Position) -> u64 {
        self.field.all & !(position.taken() | position.rest)
    }

    fn contest(&self, position: &Position) -> Contest {
        self.territories.contest(position.own(), position.other(), self.free(position))
    }

    /// Visits the moves of some amazons.
    fn moves_of(&self, amazons: u64, free: u64, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        for from in cells(amazons) {
            for to in cells(self.territories.slides(from, free)) {
                let left = free & !(1 << to) | 1 << from;
                for arrow in cells(self.territories.slides(to, left)) {
                    visit(Move(Move::of(from, to).0 | (arrow as u64) << 12))?;
                }
            }
        }
        MORE
    }
}

/// Returns the effort to prove a win of the player who is ahead by `ahead` halves of a cell: half as much for each cell.
fn effort_of(ahead: i32) -> u32 {
    let halves = (12 - ahead).clamp(0, 40) as u32;
    // The square root of two in 128ths.
    let part = if halves.is_multiple_of(2) { 128 } else { 181 };
    ((part << (halves / 2)) >> 7).min(MOST_EFFORT)
}

impl BoardRules for Amazons {
    fn layout(&self) -> Layout {
        let cells = self.field.cells() as u32;
        Layout { cells, rest: cells, stage: 6 }
    }

    fn symmetries(&self) -> Vec<Image> {
        images(&self.field.grid.symmetries(), 1, 1)
    }

    fn exchange(&self) -> Option<Vec<usize>> {
        Some((0..self.field.cells()).collect())
    }

    fn stage(&self, position: &Position) -> u64 {
        u64::from(position.rest.count_ones())
    }

    fn start(&self) -> Position {
        let grid = self.field.grid;
        let (right, bottom) = (grid.columns - 1, grid.rows - 1);
        let set = |places: [(usize, usize); 4]| {
            places.iter().fold(0, |set, &(column, row)| set | 1 << grid.cell(column, row))
        };
        let men =
            |first: usize, second: usize| set([(1, first), (right - 1, first), (0, second), (right, second)]);
        Position { men: [men(bottom, bottom - 1), men(0, 1)], ..Position::EMPTY }
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        self.moves_of(position.own(), self.free(position), visit)
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let own = position.own() & !(1 << m.from()) | 1 << m.to();
        position.after(own, position.other(), position.rest | 1 << m.more())
    }

    fn write_position(&self, position: &Position) -> String {
        let letter =
            |cell: usize| match [position.men[0], position.men[1], position.rest].map(|s| s >> cell & 1) {
                [1, ..] => 'X',
                [_, 1, _] => 'O',
                [.., 1] => '#',
                _ => '.',
            };
        format!("{} {}", self.field.grid.write(letter), position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([board], turn) = words::fields(text, "the board's rows from the top, as .OO./O..O/X..X/.XX.,")?;
        let mut sets = [0u64; 3];
        self.field.grid.read(board, "X, O, # and .", |cell, letter| {
            if let Some(at) = "XO#".find(letter) {
                sets[at] |= 1 << cell;
            }
            "XO#.".contains(letter)
        })?;
        Ok(Position { men: [sets[0], sets[1]], rest: sets[2], turn })
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        let [from, to, arrow] =
            [m.from(), m.to(), m.more() as usize].map(|cell| self.field.grid.square(cell));
        format!("{from}-{to}-{arrow}")
    }

    fn draw(&self, position: &Position) -> String {
        self.field.draw(&self.write_position(position))
    }

    fn guess(&self, position: &Position) -> i32 {
        let free = self.free(position);
        let reach = |amazons| self.territories.reach(amazons, free);
        10 * (reach(position.own()) - reach(position.other()))
    }

    fn hint(&self, _position: &Position, _m: Move, child: &Position) -> i32 {
        let free = self.free(child);
        self.territories.reach(child.other(), free) - 2 * self.territories.reach(child.own(), free)
    }

    fn has_draws(&self) -> bool {
        false
    }

    fn favours_proofs(&self) -> bool {
        true
    }

    /// Every move takes a free cell, so a game lasts as many plies at most.
    fn bounds(&self, position: &Position) -> (Value, Value) {
        let (worst, best) = (Value::loss_in(1), Value::win_in(1));
        let most = self.free(position).count_ones();
        match self.territories.outcome(&self.contest(position)) {
            Some(true) => (Value::win_in(most.saturating_sub(1) | 1), best),
            Some(false) => (worst, Value::loss_in(most & !1)),
            None => (worst, best),
        }
    }

    fn effort(&self, position: &Position) -> [u32; 2] {
        let Contest { own, other, free, ahead } = self.contest(position);
        let ahead = self.territories.nearer(own, other, free) + 2 * ahead;
        let reach = |amazons| self.territories.reach(amazons, free) as u32;
        [effort_of(ahead) + 1 + reach(other), effort_of(-ahead) + 1 + reach(own)]
    }

    fn outcome_essence(&self, position: &Position) -> Option<(Position, i32)> {
        let Contest { own, other, free, ahead } = self.contest(position);
        Some((Position { men: [own, other], rest: free, turn: Player::One }, ahead))
    }

    /// Visits the moves in contested regions, and one in regions of the player's own that leaves all others possible.
    fn outcome_candidates(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        let (contest, free) = (self.contest(position), self.free(position));
        self.moves_of(contest.own, free, visit)?;
        let mut at_home = None;
        let _ = self.moves_of(position.own() & !contest.own, free, &mut |m| {
            let kept = self.contest(&self.play(position, m)).ahead == 1 - contest.ahead;
            at_home = kept.then_some(m);
            if kept { Flow::Break(()) } else { MORE }
        });
        at_home.map_or(MORE, visit)
    }
}

//! Domineering: dominoes on an R x C board.
//!
//! * Player one covers two free cells one above the other, player two two free cells side by side.
//! * The player who cannot move loses.
//! * Position `#../#../... 2`, rows from the top, `#` a covered cell; move `a2`: the lower cell of an upright domino,
//!   the left cell of a flat one.
//!
//! Solved by search: the moves that a player is sure of, compared with the most the other can ever make, often decide a
//! position long before its end (D. M. Breuker, J. W. H. M. Uiterwijk and H. J. van den Herik, "Solving 8x8 Domineering",
//! Theoretical Computer Science 230, 2000; N. Bullock, "Domineering: Solving Large Combinatorial Search Spaces", ICGA Journal
//! 25, 2002). The areas that count are listed at `Areas`.
//!
//! Source: G. Andersson; M. Gardner, Scientific American, February 1974.

use std::sync::LazyLock;

use grundy_core::game::{Flow, Game, MORE, Notation, Player, Scored};
use grundy_core::grid::{CellMap, Grid};
use grundy_core::random::{fibonacci, mix_once};
use grundy_core::value::Value;
use grundy_core::words;
use grundy_search::alpha_beta::{Bounds, Heuristic};
use grundy_sums::cgt::Partizan;

/// The rules of Domineering.
#[derive(Clone, Debug)]
pub struct Domineering {
    grid: Grid,
    board: u64,
    left: u64,
    right: u64,
    symmetries: Vec<CellMap>,
}

/// The covered cells, and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Cell 0 at the top left.
    pub covered: u64,
    /// The player to move.
    pub turn: Player,
}

/// A player's room in free cells.
#[derive(Clone, Copy, Debug)]
struct Room {
    /// The cells that the other player could ever cover.
    reach: u64,
    /// The first cells of dominoes out of the other player's reach.
    safe: u64,
    /// Number of those dominoes.
    own: u32,
    /// The most dominoes that the player can ever place.
    most: u32,
}

/// Disjoint areas outside safe cells that a player can still cover, by what the other player can do about them.
///
/// * Protective: a square of two by two cells, of which a domino on one half makes the other half safe. No domino of the other
///   player reaches two such squares.
/// * Exposed: two cells for one domino. One domino of the other player may reach two exposed areas, or an exposed one and a
///   protective one.
/// * Lone: an exposed area that is destroyed by a domino only on its own.
///
/// ```text
/// ..#     the upright player: the left column of the rows 1 and 2 becomes safe by a domino beside it (protective)
/// ..#
/// #.#     and the cell below belongs to no area
/// ```
#[derive(Clone, Copy, Debug, Default)]
struct Areas {
    protective: u32,
    exposed: u32,
    lone: u32,
    /// Exposed and lone areas with a cell that the other player cannot cover.
    halves: u32,
}

/// Number of dominoes that a player is sure to place outside safe areas, by protective, exposed and lone areas, if it is the
/// player's turn, or if it is the other's.
#[derive(Debug)]
struct Sure {
    counts: Vec<[u8; 2]>,
}

/// The table of all counts, computed at its first use.
static SURE: LazyLock<Sure> = LazyLock::new(Sure::new);

impl Sure {
    /// Most protective areas; more are counted as this number. There are at most 16 on 64 cells.
    const PROTECTIVE: usize = 16;
    /// Most exposed and most lone areas.
    const EXPOSED: usize = 32;

    fn index(protective: usize, exposed: usize, lone: usize) -> usize {
        (protective * (Sure::EXPOSED + 1) + exposed) * (Sure::EXPOSED + 1) + lone
    }

    /// Computes the table by recursion: each player in turn takes or destroys areas.
    fn new() -> Sure {
        let mut counts = Vec::with_capacity(Sure::index(Sure::PROTECTIVE + 1, 0, 0));
        for protective in 0..=Sure::PROTECTIVE {
            for exposed in 0..=Sure::EXPOSED {
                for lone in 0..=Sure::EXPOSED {
                    let at = |p: usize, e: usize, l: usize, turn: usize| -> u8 {
                        let counts: &[[u8; 2]] = &counts;
                        counts[Sure::index(p, e, l)][turn]
                    };
                    // A domino on one half of a protective area makes two.
                    let taken = [
                        protective.checked_sub(1).map(|p| at(p, exposed, lone, 1) + 2),
                        exposed.checked_sub(1).map(|e| at(protective, e, lone, 1) + 1),
                        lone.checked_sub(1).map(|l| at(protective, exposed, l, 1) + 1),
                    ];
                    let destroyed = [
                        protective.checked_sub(1).map(|p| at(p, exposed.saturating_sub(1), lone, 0)),
                        exposed.checked_sub(1).map(|e| at(protective, e.saturating_sub(1), lone, 0)),
                        lone.checked_sub(1).map(|l| at(protective, exposed, l, 0)),
                    ];
                    let best = taken.into_iter().flatten().max().unwrap_or(0);
                    let worst = destroyed.into_iter().flatten().min().unwrap_or(0);
                    counts.push([best, worst]);
                }
            }
        }
        Sure { counts }
    }

    /// Returns the number for these areas; `waits` if the other player moves first.
    fn of(&self, areas: Areas, waits: bool) -> u32 {
        let protective = (areas.protective as usize).min(Sure::PROTECTIVE);
        let [exposed, lone] = [areas.exposed, areas.lone].map(|count| (count as usize).min(Sure::EXPOSED));
        u32::from(self.counts[Sure::index(protective, exposed, lone)][usize::from(waits)])
    }
}

impl Domineering {
    /// Returns the game on a board of `rows` by `columns` cells.
    ///
    /// # Errors
    /// The board has no cell, more than 64, or more than 26 columns.
    pub fn new(rows: usize, columns: usize) -> Result<Domineering, String> {
        let sides = (1..=Grid::MOST_COLUMNS).contains(&columns) && (1..=64).contains(&rows);
        if !sides || rows * columns > 64 {
            return Err(format!(
                "no board of {rows}x{columns}: expected rows x columns of 1 to 64 cells, at most 26 columns"
            ));
        }
        let grid = Grid { columns, rows };
        let cells = |inside: &dyn Fn(usize, usize) -> bool| {
            (0..grid.cells())
                .filter(|&cell| inside(grid.coordinates(cell).0, grid.coordinates(cell).1))
                .fold(0, |s, c| s | 1 << c)
        };
        Ok(Domineering {
            grid,
            board: cells(&|_, _| true),
            left: cells(&|c, _| c == 0),
            right: cells(&|c, _| c + 1 == columns),
            symmetries: grid.symmetries()[1..4].iter().map(|image| CellMap::new(image)).collect(),
        })
    }

    fn free(&self, position: &Position) -> u64 {
        self.board & !position.covered
    }

    /// Returns the first cell of every placement of a player's domino: the upper one or the left one.
    #[inline]
    fn places(&self, player: Player, free: u64) -> u64 {
        match player {
            Player::One => free & self.move_up(free),
            Player::Two => free & !self.right & free >> 1,
        }
    }

    /// Returns the set moved up by a row.
    fn move_up(&self, set: u64) -> u64 {
        set.checked_shr(self.grid.columns as u32).unwrap_or(0)
    }

    /// Returns the set moved down by a row.
    fn move_down(&self, set: u64) -> u64 {
        set.checked_shl(self.grid.columns as u32).unwrap_or(0) & self.board
    }

    /// Returns both cells of the placements that begin here.
    fn cover(&self, player: Player, places: u64) -> u64 {
        match player {
            Player::One => places | self.move_down(places),
            Player::Two => places | places << 1 & !self.left,
        }
    }

    /// Returns the cells after those of a set, in the direction of the player's dominoes.
    #[inline]
    fn after(&self, player: Player, set: u64) -> u64 {
        match player {
            Player::One => self.move_down(set),
            Player::Two => set << 1 & !self.left & self.board,
        }
    }

    /// Returns the cells before those of a set, in the direction of the player's dominoes.
    #[inline]
    fn before(&self, player: Player, set: u64) -> u64 {
        match player {
            Player::One => self.move_up(set),
            Player::Two => set >> 1 & !self.right,
        }
    }

    /// Returns the first cells of dominoes placed greedily in runs of this player's direction: as many as fit, for each run
    /// by itself.
    #[inline]
    fn packed(&self, player: Player, mut free: u64) -> u64 {
        let mut packed = 0;
        // The first placements of all runs at once, then the rest of the runs.
        loop {
            let first = self.places(player, free) & !self.after(player, free);
            if first == 0 {
                return packed;
            }
            packed |= first;
            free &= !self.cover(player, first);
        }
    }

    /// Returns areas of a player in free cells.
    fn areas(&self, player: Player, free: u64, room: &Room) -> Areas {
        let mut rest = free & !self.cover(player, room.safe);
        // Ends of the other player's runs of two cells or more, and the half beside them.
        let (next, last) = (self.before(!player, free), self.after(!player, free));
        let mut protected = 0;
        let mut closed = 0;
        let mut protective = 0;
        for (ends, begins) in [(rest & !last & next, true), (rest & !next & last, false)] {
            let mut firsts = self.places(player, ends);
            while firsts != 0 {
                let half = self.cover(player, firsts & firsts.wrapping_neg());
                firsts &= firsts - 1;
                let other = if begins { self.after(!player, half) } else { self.before(!player, half) };
                let area = half | other;
                if area & closed == 0 && area & !rest == 0 {
                    protective += 1;
                    protected |= area;
                    closed |= area | self.after(!player, area) | self.before(!player, area);
                    firsts &= !area;
                }
            }
        }
        rest &= !protected;
        let exposed = self.packed(player, rest);
        let cells = self.cover(player, exposed);
        let all = cells | protected;
        let touched = cells & (self.after(!player, all) | self.before(!player, all));
        // An area is named by its first cell.
        let any = |cells: u64| (cells | self.before(player, cells)) & exposed;
        let halves = any(cells & !room.reach).count_ones();
        let joined = any(touched).count_ones();
        let lone = exposed.count_ones() - joined;
        Areas { protective, exposed: joined, lone, halves }
    }

    /// Splits free cells into connected components, without single cells.
    fn split(&self, mut free: u64) -> Vec<u64> {
        let mut parts = Vec::new();
        while free != 0 {
            let (mut part, mut grown) = (0, free & free.wrapping_neg());
            while grown != part {
                part = grown;
                let sideways = part << 1 & !self.left | part >> 1 & !self.right;
                grown |= (sideways | self.move_up(part) | self.move_down(part)) & free;
            }
            free &= !part;
            if part.count_ones() > 1 {
                let images = self.symmetries.iter().map(|map| self.moved(map.apply(part)));
                parts.push(images.fold(self.moved(part), u64::min));
            }
        }
        parts
    }

    /// Returns the set moved to the top left.
    fn moved(&self, set: u64) -> u64 {
        set >> self.grid.corner(set)
    }

    /// Returns a player's room in free cells.
    fn room(&self, player: Player, free: u64) -> Room {
        let reach = self.reach(!player, free);
        let [safe, most] = [free & !reach, free].map(|cells| self.packed(player, cells));
        Room { reach, safe, own: safe.count_ones(), most: most.count_ones() }
    }

    /// Returns the cells that a player could ever cover.
    #[inline]
    fn reach(&self, player: Player, free: u64) -> u64 {
        self.cover(player, self.places(player, free))
    }

    /// Returns the number of dominoes that a player is sure of, and the most that the opponent can place then; the player
    /// `waits` if the opponent moves first.
    fn sure(&self, player: Player, free: u64, room: &Room, waits: bool) -> (u32, u32) {
        let areas = self.areas(player, free, room);
        let sure = SURE.of(areas, waits);
        // The sure dominoes take two of these cells each, or one if the area has but one; a half made safe takes its own.
        let taken = 2 * sure - areas.halves.min(sure);
        (room.own + sure, room.reach.count_ones().saturating_sub(taken) / 2)
    }
}

impl Game for Domineering {
    type Position = Position;
    /// The upper or left cell of the domino, cell 0 at the top left.
    type Move = u8;

    fn start(&self) -> Position {
        Position { covered: 0, turn: Player::One }
    }

    #[inline]
    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    #[inline]
    fn over(&self, position: &Position) -> Option<Value> {
        (self.places(position.turn, self.free(position)) == 0).then_some(Value::loss_in(0))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(u8) -> Flow) -> Flow {
        let mut places = self.places(position.turn, self.free(position));
        while places != 0 {
            visit(places.trailing_zeros() as u8)?;
            places &= places - 1;
        }
        MORE
    }

    #[inline]
    fn play(&self, position: &Position, m: u8) -> Position {
        let covered = position.covered | self.cover(position.turn, 1 << m);
        Position { covered, turn: !position.turn }
    }

    fn canonical(&self, position: &Position) -> Position {
        let images = self.symmetries.iter().map(|map| map.apply(position.covered));
        Position { covered: images.fold(position.covered, u64::min), turn: position.turn }
    }
}

impl Scored for Domineering {}

impl Notation for Domineering {
    fn write_position(&self, position: &Position) -> String {
        let letter = |cell| if position.covered >> cell & 1 == 1 { '#' } else { '.' };
        format!("{} {}", self.grid.write(letter), position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([board], turn) = words::fields(text, "the board's rows from the top, as #../#../...,")?;
        let mut covered = 0;
        self.grid.read(board, "# and .", |cell, letter| {
            covered |= u64::from(letter == '#') << cell;
            letter == '#' || letter == '.'
        })?;
        Ok(Position { covered, turn })
    }

    fn write_move(&self, position: &Position, m: u8) -> String {
        let cell = usize::from(m);
        // An upright domino is named by its lower cell.
        self.grid.square(if position.turn == Player::One { cell + self.grid.columns } else { cell })
    }
}

impl Partizan for Domineering {
    /// A component of free cells, turned, mirrored and moved to the top left.
    type Part = u64;

    fn parts(&self, position: &Position) -> Vec<u64> {
        self.split(self.free(position))
    }

    fn options(&self, &part: &u64, player: Player, visit: &mut dyn FnMut(Vec<u64>)) {
        let mut places = self.places(player, part);
        while places != 0 {
            let domino = self.cover(player, places & places.wrapping_neg());
            places &= places - 1;
            visit(self.split(part & !domino));
        }
    }
}

impl Heuristic for Domineering {
    /// Returns a key that the board's mirror images and half turn share; one-to-one on boards of up to 63 cells, else
    /// two positions share it with probability 2^-64.
    fn key(&self, position: &Position) -> u64 {
        let images = self.symmetries.iter().map(|map| map.apply(position.covered));
        let least = images.fold(position.covered, u64::min);
        let turn = position.turn.index() as u64;
        if self.grid.cells() < 64 {
            return least | turn << 63;
        }
        mix_once::<33, 33>(least).wrapping_add(fibonacci(turn))
    }

    fn guess(&self, position: &Position) -> i32 {
        let free = self.free(position);
        let weigh = |player| {
            let room = self.room(player, free);
            60 * room.own as i32 + 40 * room.most as i32
        };
        weigh(position.turn) - weigh(!position.turn)
    }

    fn hint(&self, position: &Position, _m: u8, child: &Position) -> i32 {
        let free = self.free(child);
        let count = |player| {
            let room = self.room(player, free);
            4 * room.own as i32 + 3 * room.most as i32 + self.places(player, free).count_ones() as i32
        };
        count(position.turn) - count(!position.turn)
    }
}

impl Bounds for Domineering {
    fn bounds(&self, position: &Position, target: Value) -> (Value, Value) {
        let free = self.free(position);
        let players = [position.turn, !position.turn];
        let rooms = players.map(|player| self.room(player, free));
        let [Room { own, most: own_most, .. }, Room { own: other, most: other_most, .. }] = rooms;
        // Each makes his sure moves before he loses.
        let quickest = |other: u32| Value::win_in(2 * other + 1);
        let latest = |own: u32| Value::loss_in(2 * own.max(1));
        let won = Value::win_in(2 * other_most + 1);
        let lost = Value::loss_in(2 * own_most);
        if own > other_most {
            return (won, quickest(other));
        }
        if other >= own_most {
            return (latest(own), lost);
        }
        if latest(own) >= target || quickest(other) < target {
            return (latest(own), quickest(other));
        }
        let (own, other_left) = self.sure(players[0], free, &rooms[0], false);
        // Whoever is out of moves has made the sure ones, and the other as many, or one more if he began.
        if own > other_most.min(other_left) {
            return (won, quickest(other));
        }
        let (other, own_left) = self.sure(players[1], free, &rooms[1], true);
        if other >= own_most.min(own_left) { (latest(own), lost) } else { (latest(own), quickest(other)) }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use grundy_core::random::SplitMix64;
    use grundy_core::value::Step;

    use super::*;

    #[test]
    fn dominoes_are_packed_as_they_fit() {
        let game = Domineering::new(4, 5).unwrap();
        assert_eq!(game.packed(Player::One, game.board).count_ones(), 10);
        assert_eq!(game.packed(Player::Two, game.board).count_ones(), 8);
        let position = game.read_position("#..#./..#../##.../..... 1").unwrap();
        assert_eq!(game.packed(Player::One, game.free(&position)).count_ones(), 5);
    }

    /// Returns a position's value by plain recursion.
    fn value(game: &Domineering, position: &Position, known: &mut HashMap<Position, Value>) -> Value {
        if let Some(over) = game.over(position) {
            return over;
        }
        if let Some(&value) = known.get(position) {
            return value;
        }
        let mut best = Value::loss_in(0);
        let mut places = game.places(position.turn, game.free(position));
        while places != 0 {
            let child = game.play(position, places.trailing_zeros() as u8);
            best = best.max(value(game, &child, known).back(Step::PASSED));
            places &= places - 1;
        }
        known.insert(*position, best);
        best
    }

    #[test]
    fn bounds_hold_and_often_tell_who_wins() {
        let (mut told, mut all) = (0, 0);
        for (rows, columns) in [(4, 4), (3, 6), (6, 3), (4, 5), (5, 4), (2, 8)] {
            let game = Domineering::new(rows, columns).unwrap();
            let (mut known, mut random) = (HashMap::new(), SplitMix64(7));
            for _ in 0..1_000 {
                let covered = random.bits() & random.bits() & game.board;
                let turn = if random.bits() & 1 == 0 { Player::One } else { Player::Two };
                let position = Position { covered, turn };
                if game.over(&position).is_some() {
                    continue;
                }
                let exact = value(&game, &position, &mut known);
                let (lo, hi) =
                    game.bounds(&position, if random.bits() & 1 == 0 { Value::DRAW } else { exact });
                let text = game.write_position(&position);
                assert!(lo <= exact && exact <= hi, "{text}: {lo:?} <= {exact:?} <= {hi:?}");
                all += 1;
                told += usize::from(lo > Value::DRAW || hi < Value::DRAW);
            }
        }
        assert!(told * 4 > all, "{told} of {all}");
    }
}

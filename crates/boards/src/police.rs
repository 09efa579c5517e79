//! A policeman and a thief on a map.
//!
//! * Player one's policeman moves to one of the 8 neighbouring cells, player two's thief to one of 4 (not diagonally);
//!   both may stay, and nobody enters a wall. The policeman moves first.
//! * On the same cell the policeman wins; on an exit without the policeman the thief wins.
//! * The map is written `C..T/.*.E`, rows from the top: `*` a wall, `E` an exit, `C` and `T` the starting cells.
//! * Position `..../.*.E a2 d2 1`: the map, the policeman's cell, the thief's, the turn; move `b1`, the cell moved to.
//!
//! Solved by retrograde analysis: an index combines the policeman's cell, the thief's cell and the turn, without walls.
//! Source: a pursuit game set as a programming exercise; the maps of `tests/truth/police_thief.tsv` fix the rules.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use grundy_core::game::{Flow, Game, Indexed, Notation, Player, Scored};
use grundy_core::grid::Grid;
use grundy_core::value::Value;
use grundy_core::words;
use grundy_tables::retrograde::Reversible;

/// The rules on one map.
#[derive(Clone, Debug)]
pub struct Police {
    grid: Grid,
    /// The map in words.
    map: String,
    start: Position,
    /// The free cells, exits included; indices count these.
    free: Vec<u16>,
    /// Index of each cell among the free ones.
    place: Vec<Option<u16>>,
    exits: Vec<bool>,
    /// Image of each cell by each symmetry of the map but the identity.
    symmetries: Vec<Vec<u16>>,
    /// Cells that policeman and thief can reach from each cell, staying included, in rising order.
    reach: [Vec<Vec<u16>>; 2],
}

/// Both cells and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The policeman's cell and the thief's, counted by rows from the top left.
    pub cells: [u16; 2],
    /// The player to move.
    pub turn: Player,
}

impl Police {
    /// Returns a canonical text of the map with both players at their starts: a line `map` and a line of the rows from
    /// the top, joined by `/`.
    pub fn canonical(&self) -> String {
        let Position { cells: [policeman, thief], .. } = self.start;
        let mut cells: Vec<char> = self.map.chars().collect();
        // Rows are joined by one character each.
        let at = |cell: u16| usize::from(cell) + usize::from(cell) / self.grid.columns;
        (cells[at(policeman)], cells[at(thief)]) = ('C', 'T');
        format!("map\n{}\n", cells.into_iter().collect::<String>())
    }

    /// Returns the game on a map whose rows are joined by `/` or separated by line ends. A first line may give the
    /// numbers of rows and columns, in either order: `3 5`.
    ///
    /// # Errors
    /// The map has rows of different lengths, too many of them, other letters, or not exactly one policeman and
    /// one thief, or it has not the size that its first line says.
    pub fn new(map: &str) -> Result<Police, String> {
        let mut rows: Vec<&str> = map.trim().split(['/', '\n']).map(str::trim_end).collect();
        let sizes = sizes(rows[0]);
        if sizes.is_some() {
            rows.remove(0);
        }
        let columns = rows.first().map_or(0, |row| row.len());
        if let Some(sizes) = sizes
            && sizes != [rows.len(), columns]
            && sizes != [columns, rows.len()]
        {
            let ([first, second], count) = (sizes, rows.len());
            return Err(format!(
                "the first line says {first} {second}: expected that many rows and columns, found {count} rows of {columns}"
            ));
        }
        let possible = |n, most| (1..=most).contains(&n);
        if !possible(columns, Grid::MOST_COLUMNS) || !possible(rows.len(), Grid::MOST_ROWS) {
            return Err(format!(
                "bad map: expected 1 to {} rows of 1 to {} cells out of . * E C T",
                Grid::MOST_ROWS,
                Grid::MOST_COLUMNS
            ));
        }
        let grid = Grid { columns, rows: rows.len() };
        let (mut walls, mut exits) = (vec![false; grid.cells()], vec![false; grid.cells()]);
        let mut stand: [Vec<u16>; 2] = Default::default();
        grid.read(&rows.join("/"), ". * E C T", |cell, letter| {
            match letter {
                '*' => walls[cell] = true,
                'E' => exits[cell] = true,
                'C' => stand[0].push(cell as u16),
                'T' => stand[1].push(cell as u16),
                _ => return letter == '.',
            }
            true
        })?;
        let (&[policeman], &[thief]) = (&stand[0][..], &stand[1][..]) else {
            let [c, t] = stand.map(|list| list.len());
            return Err(format!("bad map: {c} C and {t} T, expected one of each"));
        };
        let free: Vec<u16> = (0..grid.cells() as u16).filter(|&cell| !walls[usize::from(cell)]).collect();
        let place = (0..grid.cells() as u16).map(|cell| free.binary_search(&cell).ok().map(|p| p as u16));
        let reach = [true, false]
            .map(|slanting| (0..grid.cells()).map(|cell| neighbours(grid, &walls, cell, slanting)).collect());
        let letter = |cell: usize| {
            if walls[cell] {
                '*'
            } else if exits[cell] {
                'E'
            } else {
                '.'
            }
        };
        let kept = |image: &Vec<u16>| {
            let same = |cell: usize, to: u16| letter(cell) == letter(usize::from(to));
            image.iter().enumerate().all(|(cell, &to)| same(cell, to))
        };
        let images = grid.symmetries().into_iter().skip(1);
        let images = images.map(|image| image.into_iter().map(|cell| cell as u16).collect());
        Ok(Police {
            grid,
            symmetries: images.filter(kept).collect(),
            map: grid.write(letter),
            start: Position { cells: [policeman, thief], turn: Player::One },
            place: place.collect(),
            free,
            exits,
            reach,
        })
    }

    fn with(position: &Position, player: Player, cell: u16) -> Position {
        let mut next = Position { turn: !position.turn, ..*position };
        next.cells[player.index()] = cell;
        next
    }
}

/// Returns the two numbers of a first line that gives the size; `None` for another line.
fn sizes(line: &str) -> Option<[usize; 2]> {
    let mut numbers = line.split_ascii_whitespace().map(|word| words::number(word, u64::from(u32::MAX)));
    match (numbers.next(), numbers.next(), numbers.next()) {
        (Some(Some(first)), Some(Some(second)), None) => Some([first as usize, second as usize]),
        _ => None,
    }
}

/// Returns the free cells at most one step away, including the cell itself.
fn neighbours(grid: Grid, walls: &[bool], cell: usize, slanting: bool) -> Vec<u16> {
    let (column, row) = grid.coordinates(cell);
    let near = |other: &usize| {
        let (c, r) = grid.coordinates(*other);
        let steps = (c.abs_diff(column), r.abs_diff(row));
        steps.0 <= 1 && steps.1 <= 1 && (slanting || steps != (1, 1)) && !walls[*other]
    };
    let from = cell.saturating_sub(grid.columns + 1);
    let to = (cell + grid.columns + 2).min(grid.cells());
    (from..to).filter(near).map(|cell| cell as u16).collect()
}

impl Game for Police {
    type Position = Position;
    /// The cell moved to.
    type Move = u16;

    fn start(&self) -> Position {
        self.start
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    #[inline]
    fn over(&self, position: &Position) -> Option<Value> {
        let [policeman, thief] = position.cells;
        let winner = if policeman == thief {
            Player::One
        } else if self.exits[usize::from(thief)] {
            Player::Two
        } else {
            return None;
        };
        Some(if winner == position.turn { Value::win_in(0) } else { Value::loss_in(0) })
    }

    #[inline]
    fn moves(&self, position: &Position, visit: &mut impl FnMut(u16) -> Flow) -> Flow {
        let player = position.turn.index();
        self.reach[player][usize::from(position.cells[player])].iter().try_for_each(|&cell| visit(cell))
    }

    #[inline]
    fn play(&self, position: &Position, m: u16) -> Position {
        Police::with(position, position.turn, m)
    }

    fn canonical(&self, position: &Position) -> Position {
        let images = self.symmetries.iter().map(|image| position.cells.map(|cell| image[usize::from(cell)]));
        Position { cells: images.fold(position.cells, Ord::min), turn: position.turn }
    }
}

impl Scored for Police {}

impl Notation for Police {
    fn write_position(&self, position: &Position) -> String {
        let [policeman, thief] = position.cells.map(|cell| self.grid.square(usize::from(cell)));
        format!("{} {policeman} {thief} {}", self.map, position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([map, policeman, thief], turn) =
            words::fields(text, "the map, the policeman's cell, the thief's cell, as ../*E a2 b2,")?;
        if map != self.map {
            return Err(format!("another map: expected {}", words::short(&self.map)));
        }
        let cell = |word: &str| {
            let cell = self.grid.read_square(word).filter(|&cell| self.place[cell].is_some());
            cell.map(|cell| cell as u16)
                .ok_or_else(|| format!("{:?} is no free cell of the map", words::short(word)))
        };
        Ok(Position { cells: [cell(policeman)?, cell(thief)?], turn })
    }

    fn write_move(&self, _position: &Position, m: u16) -> String {
        self.grid.square(usize::from(m))
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<u16> {
        let cell = self.grid.read_square(word)? as u16;
        let player = position.turn.index();
        let legal = self.reach[player][usize::from(position.cells[player])].contains(&cell);
        (legal && self.over(position).is_none()).then_some(cell)
    }

    fn draw(&self, position: &Position) -> String {
        let map: Vec<char> = self.map.chars().filter(|&letter| letter != '/').collect();
        let [policeman, thief] = position.cells.map(usize::from);
        self.grid.draw(&self.grid.write(|cell| match cell {
            _ if cell == policeman => 'C',
            _ if cell == thief => 'T',
            _ => map[cell],
        }))
    }
}

impl Indexed for Police {
    fn size(&self) -> u64 {
        2 * (self.free.len() as u64).pow(2)
    }

    fn checksum(&self) -> u64 {
        let mut hasher = FxHasher::default();
        self.map.hash(&mut hasher);
        hasher.finish() | 1
    }

    #[inline]
    fn index(&self, position: &Position) -> u64 {
        let place = |cell: u16| u64::from(self.place[usize::from(cell)].unwrap_or(0));
        let [policeman, thief] = position.cells.map(place);
        2 * (policeman * self.free.len() as u64 + thief) + position.turn.index() as u64
    }

    fn position(&self, index: u64) -> Option<Position> {
        let free = self.free.len() as u64;
        let policeman = self.free.get(usize::try_from(index / 2 / free).ok()?)?;
        let thief = self.free[(index / 2 % free) as usize];
        let turn = if index.is_multiple_of(2) { Player::One } else { Player::Two };
        Some(Position { cells: [*policeman, thief], turn })
    }
}

/// Steps can be reversed, so the cells a piece may have come from are those it may go to.
impl Reversible for Police {
    fn predecessors(&self, position: &Position, visit: &mut impl FnMut(Position)) {
        let mover = !position.turn;
        for &cell in &self.reach[mover.index()][usize::from(position.cells[mover.index()])] {
            let before = Police::with(position, mover, cell);
            if self.over(&before).is_none() {
                visit(before);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_maps_are_refused() {
        for bad in [
            "",
            "/",
            "C..",
            "CT/.",
            "CT/...",
            "CCT",
            "CTx",
            "C*T\0",
            &".".repeat(27),
            &"./".repeat(100),
            "Cé T",
        ] {
            let refusal = Police::new(bad).expect_err(bad);
            assert!(!refusal.contains('\n'), "{refusal}");
        }
    }

    #[test]
    fn all_spellings_of_a_map_mean_the_same() {
        for map in ["C.*/.ET", "C.*\n.ET\n", "2 3\nC.*\n.ET"] {
            assert_eq!(Police::new(map).unwrap().canonical(), "map\nC.*/.ET\n");
        }
    }

    #[test]
    fn a_position_of_another_map_is_refused() {
        let game = Police::new("C./*T").unwrap();
        assert_eq!(game.write_position(&game.start()), "../*. a2 b1 1");
        for bad in ["../.. a2 b1 1", "../*. a1 b1 1", "../*. a2 1", "../*. a2 b1 3", "../*. a2 c1"] {
            assert!(game.read_position(bad).is_err(), "{bad}");
        }
    }
}

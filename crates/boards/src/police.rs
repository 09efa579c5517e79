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

use grundy_core::game::{Flow, Player, hash_of};
use grundy_core::grid::Grid;
use grundy_core::value::Value;
use grundy_core::words;
use grundy_search::board::{BoardRules, Indices, Layout, Move, Position};

/// The rules on one map. A position has the number of the policeman's cell and that of the thief's, counted by rows from the
/// top left, in the place of the players' men; a move is the cell moved to.
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

impl Police {
    /// Returns a canonical text of the map with both players at their starts: a line `map` and a line of the rows from
    /// the top, joined by `/`.
    pub fn canonical(&self) -> String {
        let [policeman, thief] = self.start.men;
        let mut cells: Vec<char> = self.map.chars().collect();
        // Rows are joined by one character each.
        let at = |cell: u64| cell as usize + cell as usize / self.grid.columns;
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
            start: Position { men: [policeman, thief].map(u64::from), ..Position::EMPTY },
            place: place.collect(),
            free,
            exits,
            reach,
        })
    }

    fn with(position: &Position, player: Player, cell: u64) -> Position {
        let mut next = Position { turn: !position.turn, ..*position };
        next.men[player.index()] = cell;
        next
    }

    /// Returns the cells that a player can reach, staying included, in rising order.
    fn reach(&self, position: &Position, player: Player) -> &[u16] {
        &self.reach[player.index()][position.men[player.index()] as usize]
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

impl BoardRules for Police {
    fn layout(&self) -> Layout {
        Layout { cells: 16, rest: 0, stage: 0 }
    }

    fn cyclic(&self) -> bool {
        true
    }

    fn start(&self) -> Position {
        self.start
    }

    fn ended(&self, position: &Position) -> Option<Value> {
        let [policeman, thief] = position.men;
        let winner = if policeman == thief {
            Player::One
        } else if self.exits[thief as usize] {
            Player::Two
        } else {
            return None;
        };
        Some(if winner == position.turn { Value::win_in(0) } else { Value::loss_in(0) })
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        self.reach(position, position.turn).iter().try_for_each(|&cell| visit(Move(cell.into())))
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        Police::with(position, position.turn, m.0)
    }

    fn canonical(&self, position: &Position) -> Option<Position> {
        let image = |image: &Vec<u16>| position.men.map(|cell| u64::from(image[cell as usize]));
        let least = self.symmetries.iter().map(image).fold(position.men, Ord::min);
        Some(Position { men: least, ..*position })
    }

    fn write_position(&self, position: &Position) -> String {
        let [policeman, thief] = position.men.map(|cell| self.grid.square(cell as usize));
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
            cell.map(|cell| cell as u64)
                .ok_or_else(|| format!("{:?} is no free cell of the map", words::short(word)))
        };
        Ok(Position { men: [cell(policeman)?, cell(thief)?], rest: 0, turn })
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        self.grid.square(m.0 as usize)
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        let cell = self.grid.read_square(word)? as u16;
        let legal = self.reach(position, position.turn).contains(&cell) && self.ended(position).is_none();
        legal.then_some(Move(cell.into()))
    }

    fn draw(&self, position: &Position) -> String {
        let map: Vec<char> = self.map.chars().filter(|&letter| letter != '/').collect();
        let [policeman, thief] = position.men.map(|cell| cell as usize);
        self.grid.draw(&self.grid.write(|cell| match cell {
            _ if cell == policeman => 'C',
            _ if cell == thief => 'T',
            _ => map[cell],
        }))
    }

    fn indices(&self) -> Option<&dyn Indices> {
        Some(self)
    }
}

impl Indices for Police {
    fn size(&self) -> u64 {
        2 * (self.free.len() as u64).pow(2)
    }

    fn checksum(&self) -> u64 {
        hash_of(&self.map) | 1
    }

    fn number(&self, position: &Position) -> Option<u64> {
        let place = |cell: u64| u64::from(self.place[cell as usize].unwrap_or(0));
        let [policeman, thief] = position.men.map(place);
        Some(2 * (policeman * self.free.len() as u64 + thief) + position.turn.index() as u64)
    }

    fn position(&self, number: u64) -> Option<Position> {
        let free = self.free.len() as u64;
        let policeman = *self.free.get(usize::try_from(number / 2 / free).ok()?)?;
        let thief = self.free[(number / 2 % free) as usize];
        let turn = if number.is_multiple_of(2) { Player::One } else { Player::Two };
        Some(Position { men: [policeman, thief].map(u64::from), rest: 0, turn })
    }

    /// Steps can be reversed, so the cells a piece may have come from are those it may go to.
    fn predecessors(&self, position: &Position, visit: &mut dyn FnMut(Position)) {
        let mover = !position.turn;
        for &cell in self.reach(position, mover) {
            let before = Police::with(position, mover, cell.into());
            if self.ended(&before).is_none() {
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

//! Hex on an N x N board.
//!
//! * A move places a stone on a free cell. Player one's `X` wins by a chain from the top to the bottom, player two's
//!   `O` by a chain from the left to the right; one of them always does. There is no swap.
//! * Each cell touches the cells left and right of it, the two above it (straight and to the right) and the two below
//!   it (straight and to the left), as the rows are written from the top.
//! * Position `.../.X./..O 1`; move `b2`, the cell.
//!
//! Solved by proof numbers and search; the player who needs fewer stones for a chain is ahead, and no win is nearer
//! than the stones it needs. On small boards dead and captured cells (`dead`) are filled, and virtual connections (`links`)
//! decide long before the end; moves are tried in the order of the current (`current`) through their cells.
//!
//! Source: P. Hein, 1942; J. Nash, "Some games and machines for playing them", 1952 (the first player wins).

mod current;
mod dead;
mod links;

use std::cell::RefCell;

use current::currents;
use dead::{EITHER, FIRST, Ring, SECOND, dead, filled};
use grundy_core::bits::indices;
use grundy_core::game::{Flow, Game, MORE, Notation, Player, Scored, hash_of};
use grundy_core::grid::Grid;
use grundy_core::random::fold_wide_pair;
use grundy_core::sorting;
use grundy_core::value::Value;
use grundy_search::alpha_beta::{Bounds, Heuristic};
use links::{Borders, Links, View};

/// Maximum side of boards that proof-number search searches for virtual connections.
const LINKED: usize = 8;
/// Maximum side of boards whose [bounds](Bounds::bounds), which alpha-beta asks for at every node, use them.
const LINKED_IN_BOUNDS: usize = 6;
/// Side from which on Monte-Carlo tree search plays under a clock.
const PLAYED_OUT: usize = 10;

/// Working memory of the links.
#[derive(Debug, Default)]
struct Scratch {
    links: Links,
    /// The borders of a player, and the stones.
    owner: ([u64; 2], u64),
    /// Carriers of half links between these borders with these stones. Each is valid while its cells are free: the other
    /// player must move into all of them (the must-play region).
    carriers: Vec<u64>,
    /// A cache of must-play regions, by the hash of the position: the side of the board, the position, and its region.
    opened: Vec<Option<(usize, Position, u64)>>,
}

/// Entries of the cache [`Scratch::opened`].
const OPENED: usize = 1 << 14;

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// The rules of Hex.
#[derive(Clone, Debug)]
pub struct Hex {
    grid: Grid,
    board: u128,
    not_left: u128,
    not_right: u128,
    /// The two borders of each player.
    borders: [[u128; 2]; 2],
    /// The neighbours around each cell of a board that is searched for virtual connections; empty for larger ones.
    rings: Vec<Ring>,
}

/// The stones on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Player one's stones and player two's, cell 0 at the top left.
    pub stones: [u128; 2],
    /// The player to move.
    pub turn: Player,
}

impl Hex {
    /// Maximum side.
    pub const MOST: usize = 11;

    /// Returns the game on a board of this side.
    ///
    /// # Errors
    /// The side is 0 or more than [`Hex::MOST`].
    pub fn new(side: usize) -> Result<Hex, String> {
        if !(1..=Hex::MOST).contains(&side) {
            return Err(format!("no board of side {side}: expected 1 to {}", Hex::MOST));
        }
        let board = u128::MAX >> (128 - side * side);
        let top = u128::MAX >> (128 - side);
        let left = (0..side).fold(0, |set, row| set | 1 << (row * side));
        let right = left << (side - 1);
        let bottom = top << (side * (side - 1));
        Ok(Hex {
            grid: Grid { columns: side, rows: side },
            board,
            not_left: board & !left,
            not_right: board & !right,
            borders: [[top, bottom], [left, right]],
            rings: if side <= LINKED {
                (0..side * side).map(|cell| ring(side, cell)).collect()
            } else {
                Vec::new()
            },
        })
    }

    /// Returns the cells that touch a set, and the set.
    #[inline]
    fn around(&self, set: u128) -> u128 {
        let n = self.grid.columns;
        let (left, right) = ((set & self.not_left) >> 1, (set & self.not_right) << 1);
        (set | left | right | set << n | set >> n | right >> n | left << n) & self.board
    }

    fn connected(&self, player: Player, stones: u128) -> bool {
        let [from, to] = self.borders[player.index()];
        let mut chain = from & stones;
        loop {
            if chain & to != 0 {
                return true;
            }
            let next = self.around(chain) & stones;
            if next == chain {
                return false;
            }
            chain = next;
        }
    }

    /// Returns the stones on a small board after dead and captured cells are filled.
    fn filled(&self, stones: [u128; 2]) -> [u64; 2] {
        let free = self.board & !(stones[0] | stones[1]);
        filled(&self.rings, stones.map(|set| set as u64), free as u64)
    }

    /// Returns the board as a player sees it, after dead and captured cells are filled.
    fn view(&self, player: Player, filled: [u64; 2]) -> View {
        let borders = self.borders[player.index()].map(|border| border as u64);
        View { borders, stones: filled[player.index()], free: self.board as u64 & !(filled[0] | filled[1]) }
    }

    /// Reports whether a half link joins a player's borders: he connects them if he is to move.
    fn half_linked(&self, player: Player, filled: [u64; 2]) -> bool {
        let around = |set: u64| self.around(u128::from(set)) as u64;
        let view = self.view(player, filled);
        SCRATCH.with_borrow_mut(|scratch| {
            let owner = (view.borders, view.stones);
            if scratch.owner != owner {
                scratch.owner = owner;
                scratch.carriers.clear();
            }
            if scratch.carriers.iter().any(|carrier| carrier & !view.free == 0) {
                return true;
            }
            match scratch.links.reach(&around, view, true) {
                Borders::Open => false,
                Borders::Half(carrier) | Borders::Linked(carrier) => {
                    scratch.carriers.push(carrier);
                    true
                }
            }
        })
    }

    /// Reports whether a link joins a player's borders: he connects them although the other is to move.
    fn linked(&self, player: Player, filled: [u64; 2]) -> bool {
        let around = |set: u64| self.around(u128::from(set)) as u64;
        let view = self.view(player, filled);
        SCRATCH.with_borrow_mut(|scratch| {
            matches!(scratch.links.reach(&around, view, false), Borders::Linked(_))
        })
    }

    /// Returns the least number of stones that a player's chain still needs, if the other does nothing.
    fn needed(&self, player: Player, stones: u128, other: u128) -> u32 {
        let [from, to] = self.borders[player.index()];
        let spread = |mut set: u128| loop {
            let next = set | self.around(set) & stones;
            if next == set {
                return set;
            }
            set = next;
        };
        let mut reached = spread(from & stones);
        let mut edge = from | self.around(reached);
        let mut count = 0;
        while reached & to == 0 {
            let next = edge & !other;
            if next & !reached == 0 {
                return u32::MAX;
            }
            count += 1;
            reached = spread(reached | next);
            edge = self.around(reached);
        }
        count
    }
}

/// Returns the neighbours of a cell in the order around it.
fn ring(side: usize, cell: usize) -> Ring {
    let (side, column, row) = (side as i32, (cell % side) as i32, (cell / side) as i32);
    [(-1, 0), (0, -1), (1, -1), (1, 0), (0, 1), (-1, 1)].map(|(right, down)| {
        let (column, row) = (column + right, row + down);
        match ((0..side).contains(&column), (0..side).contains(&row)) {
            (true, true) => (row * side + column) as u8,
            (true, false) => FIRST,
            (false, true) => SECOND,
            (false, false) => EITHER,
        }
    })
}

impl Game for Hex {
    type Position = Position;
    type Move = u8;

    fn start(&self) -> Position {
        Position { stones: [0; 2], turn: Player::One }
    }

    #[inline]
    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Value> {
        let last = !position.turn;
        self.connected(last, position.stones[last.index()]).then_some(Value::loss_in(0))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(u8) -> Flow) -> Flow {
        let mut free = self.board & !(position.stones[0] | position.stones[1]);
        while free != 0 {
            visit(free.trailing_zeros() as u8)?;
            free &= free - 1;
        }
        MORE
    }

    #[inline]
    fn play(&self, position: &Position, m: u8) -> Position {
        let mut next = Position { turn: !position.turn, ..*position };
        next.stones[position.turn.index()] |= 1 << m;
        next
    }

    fn canonical(&self, position: &Position) -> Position {
        let turned = position.stones.map(|set| set.reverse_bits() >> (128 - self.grid.cells()));
        Position { stones: position.stones.min(turned), turn: position.turn }
    }
}

impl Scored for Hex {}

impl Notation for Hex {
    fn write_position(&self, position: &Position) -> String {
        let board = self.grid.write_stones(|side, cell| position.stones[side] >> cell & 1 == 1);
        format!("{board} {}", position.turn.digit())
    }

    fn cells(&self, position: &Position, cells: &mut Vec<u8>) {
        self.grid.push_stones(cells, |side, cell| position.stones[side] >> cell & 1 == 1);
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let mut stones = [0u128; 2];
        let turn = self.grid.read_placed(text, ".../.X./..O", |side, cell| stones[side] |= 1 << cell)?;
        if self.connected(turn, stones[turn.index()]) {
            return Err(format!("player {} is to move and has won already", turn.digit()));
        }
        Ok(Position { stones, turn })
    }

    fn write_move(&self, _position: &Position, m: u8) -> String {
        self.grid.square(usize::from(m))
    }

    fn draw(&self, position: &Position) -> String {
        let line = self.write_position(position);
        let mut text = String::new();
        for (row, cells) in line.split(' ').next().unwrap_or_default().split('/').enumerate() {
            text.push_str(&format!("{:>2}{}", self.grid.rows - row, " ".repeat(row)));
            cells.chars().for_each(|cell| text.extend([' ', cell]));
            text.push('\n');
        }
        text.push_str(&" ".repeat(self.grid.rows + 2));
        (0..self.grid.columns as u8).for_each(|column| text.extend([' ', char::from(b'a' + column)]));
        text
    }
}

impl Heuristic for Hex {
    /// Returns a key that a half turn of the board does not change; one-to-one on boards of up to 5 x 5.
    fn key(&self, position: &Position) -> u64 {
        let cells = self.grid.cells() as u32;
        let key = |[first, second]: [u128; 2]| match cells {
            ..=31 => (first as u64) << 32 | (second as u64) << 1,
            _ => fold_wide_pair(first, second) & !1,
        };
        let turned = position.stones.map(|set| set.reverse_bits() >> (128 - cells));
        key(position.stones).min(key(turned)) | position.turn.index() as u64
    }

    fn guess(&self, position: &Position) -> i32 {
        let mover = position.turn.index();
        let [mine, other] = [position.stones[mover], position.stones[1 - mover]];
        let (own, against) =
            (self.needed(position.turn, mine, other), self.needed(!position.turn, other, mine));
        100 * (against.min(99) as i32 - own.min(99) as i32) + 50
    }

    /// From 10x10 on playouts are the better judges, in matches at equal time.
    fn judged_by_playouts(&self) -> bool {
        self.grid.columns >= PLAYED_OUT
    }

    fn hint(&self, position: &Position, m: u8, child: &Position) -> i32 {
        let mover = position.turn.index();
        let [mine, other] = [child.stones[mover], child.stones[1 - mover]];
        let (own, against) =
            (self.needed(position.turn, mine, other), self.needed(!position.turn, other, mine));
        let (column, row) = self.grid.coordinates(usize::from(m));
        let (twice_column, twice_row) = (2 * column as i32, 2 * row as i32);
        let middle = self.grid.columns as i32 - 1;
        let off = (twice_column - middle).abs() + (twice_row - middle).abs();
        64 * (against.min(99) as i32 - own.min(99) as i32) - off
    }
}

impl Hex {
    /// Returns bounds by the stones that each chain still needs, and by the free cells.
    fn bounds_by_stones(&self, position: &Position) -> (Value, Value) {
        let mover = position.turn.index();
        let [mine, other] = [position.stones[mover], position.stones[1 - mover]];
        let own = self.needed(position.turn, mine, other);
        let against = self.needed(!position.turn, other, mine);
        let (longest_win, longest_loss) = self.longest(position);
        match (own, against) {
            (1, _) => (Value::win_in(1), Value::win_in(1)),
            (u32::MAX, _) => (Value::loss_in(2 * against), longest_loss),
            (_, u32::MAX) => (longest_win, Value::win_in(2 * own - 1)),
            _ => (Value::loss_in(2 * against), Value::win_in(2 * own - 1)),
        }
    }

    /// Returns the win and the loss by the last stone that fits on the board.
    fn longest(&self, position: &Position) -> (Value, Value) {
        let free = self.grid.cells() as u32 - (position.stones[0] | position.stones[1]).count_ones();
        let win = Value::win_in(free - u32::from(free.is_multiple_of(2)));
        (win, Value::loss_in(free - u32::from(!free.is_multiple_of(2))))
    }

    /// Returns the must-play region: the cells outside of which a move lets the opponent connect his borders; `Err` with the
    /// winner if links decide the game. `filled` are the stones after dead and captured cells are filled.
    fn must_play(&self, position: &Position, filled: [u64; 2]) -> Result<u64, Player> {
        let around = |set: u64| self.around(u128::from(set)) as u64;
        let connected = |player: Player| self.connected(player, filled[player.index()].into());
        if let Some(winner) = [Player::One, Player::Two].into_iter().find(|&player| connected(player)) {
            return Err(winner);
        }
        SCRATCH.with_borrow_mut(|scratch| {
            scratch.opened.resize(OPENED, None);
            let place = hash_of(position) as usize % OPENED;
            if let Some((side, opened, must)) = scratch.opened[place]
                && (side, &opened) == (self.grid.columns, position)
            {
                return Ok(must);
            }
            let view = self.view(position.turn, filled);
            if scratch.links.reach(&around, view, true) != Borders::Open {
                return Err(position.turn);
            }
            let view = self.view(!position.turn, filled);
            if let Borders::Linked(_) = scratch.links.reach(&around, view, false) {
                return Err(!position.turn);
            }
            let must = scratch.links.half_links().iter().fold(view.free, |must, carrier| must & carrier);
            if must == 0 {
                return Err(!position.turn);
            }
            scratch.opened[place] = Some((self.grid.columns, *position, must));
            Ok(must)
        })
    }
}

impl Bounds for Hex {
    fn has_draws(&self) -> bool {
        false
    }

    /// Bounds the value by stones alone: links take long.
    fn glance(&self, position: &Position, _target: Value) -> (Value, Value) {
        self.bounds_by_stones(position)
    }

    /// Expects less of the moves with less current.
    fn effort(&self, _position: &Position, _target: Value, rank: usize) -> [u32; 2] {
        [1, if self.rings.is_empty() { 1 } else { 1 + rank as u32 }]
    }

    /// Visits the cells of the must-play region, those with most current first.
    fn open(&self, position: &Position, target: Value, visit: &mut impl FnMut(u8) -> Flow) -> (Value, Value) {
        if self.rings.is_empty() || target.plies().is_some() {
            let _ = self.candidates(position, visit);
            return (Value::loss_in(1), Value::win_in(1));
        }
        let filled = self.filled(position.stones);
        match self.must_play(position, filled) {
            Err(winner) if winner == position.turn => (Value::WIN, Value::win_in(1)),
            Err(_) => (Value::loss_in(1), Value::LOSS),
            Ok(must) => {
                let current = [Player::One, Player::Two].map(|player| {
                    let view = self.view(player, filled);
                    currents(&self.rings, view.borders, view.stones, view.free)
                });
                let mut cells: Vec<(f32, usize)> =
                    indices(must).map(|cell| (current[0][cell] + current[1][cell], cell)).collect();
                sorting::sort_by(&mut cells, |one, other| other.0.total_cmp(&one.0));
                let _ = cells.into_iter().try_for_each(|(_, cell)| visit(cell as u8));
                (Value::loss_in(1), Value::win_in(1))
            }
        }
    }

    /// Bounds the value by the stones that each chain still needs, and by the free cells.
    fn bounds(&self, position: &Position, target: Value) -> (Value, Value) {
        let (lo, hi) = self.bounds_by_stones(position);
        let decided = lo > Value::DRAW || hi < Value::DRAW;
        // Links decide who wins, but not how soon.
        if !decided && self.grid.columns <= LINKED_IN_BOUNDS && target.plies().is_none() {
            let filled = self.filled(position.stones);
            let (longest_win, longest_loss) = self.longest(position);
            if self.half_linked(position.turn, filled) {
                return (longest_win, hi);
            }
            if self.linked(!position.turn, filled) {
                return (lo, longest_loss);
            }
        }
        (lo, hi)
    }

    /// Visits only the stops if the other threatens to connect, and no dead cells: a move there is a pass.
    fn candidates(&self, position: &Position, visit: &mut impl FnMut(u8) -> Flow) -> Flow {
        let mover = position.turn.index();
        let [mine, other] = [position.stones[mover], position.stones[1 - mover]];
        let wins = |player, own, against, m: u8| self.needed(player, own | 1 << m, against) == 0;
        if self.needed(position.turn, mine, other) == 1 {
            return self
                .moves(position, &mut |m| if wins(position.turn, mine, other, m) { visit(m) } else { MORE });
        }
        if self.needed(!position.turn, other, mine) == 1 {
            let mut stops = 0;
            self.moves(position, &mut |m| {
                if !wins(!position.turn, other, mine, m) {
                    return MORE;
                }
                stops += 1;
                visit(m)
            })?;
            debug_assert!(stops > 0, "a chain that needs one stone has a cell for it");
            return MORE;
        }
        if self.grid.columns > LINKED_IN_BOUNDS {
            return self.moves(position, visit);
        }
        let free = (self.board & !(mine | other)) as u64;
        let dead = dead(&self.rings, position.stones.map(|set| set as u64), free);
        let cells = if dead == free { free } else { free & !dead };
        indices(cells).try_for_each(|cell| visit(cell as u8))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::sync::atomic::AtomicBool;

    use grundy_core::random::SplitMix64;
    use grundy_search::pns::{ProofNumberSearch, ProofOutcome};
    use grundy_session::Limits;

    use super::*;

    /// Reports by plain recursion whether the player to move wins.
    fn wins(game: &Hex, position: &Position, known: &mut HashMap<Position, bool>) -> bool {
        if game.over(position).is_some() {
            return false;
        }
        if let Some(&wins) = known.get(position) {
            return wins;
        }
        let mut found = false;
        let _ = game.moves(position, &mut |m| {
            found |= !wins(game, &game.play(position, m), known);
            if found { Flow::Break(()) } else { MORE }
        });
        known.insert(*position, found);
        found
    }

    #[test]
    fn dead_and_captured_cells_and_links_do_not_change_who_wins() {
        let (mut filled, mut told, mut all) = (0, 0, 0);
        let mut random = SplitMix64(3);
        for side in [3, 4, 5] {
            let game = Hex::new(side).unwrap();
            let mut known = HashMap::new();
            for _ in 0..800 {
                let [first, second] = [random.bits() & random.bits(), random.bits() & random.bits()];
                let [first, second] = [first & !second, second].map(|set| u128::from(set) & game.board);
                let turn = if random.bits() & 1 == 0 { Player::One } else { Player::Two };
                let position = Position { stones: [first, second], turn };
                let over = [Player::One, Player::Two]
                    .into_iter()
                    .any(|player| game.connected(player, position.stones[player.index()]));
                if over || (game.board & !(first | second)).count_ones() > 11 {
                    continue;
                }
                let exact = wins(&game, &position, &mut known);
                let stones = game.filled(position.stones).map(u128::from);
                filled += (stones[0] | stones[1]).count_ones() - (first | second).count_ones();
                let text = game.write_position(&position);
                let end = [Player::One, Player::Two]
                    .into_iter()
                    .find(|player| game.connected(*player, stones[player.index()]));
                let after = match end {
                    Some(winner) => winner == turn,
                    None => wins(&game, &Position { stones, turn }, &mut known),
                };
                assert_eq!(after, exact, "{text}: filled {stones:x?}");
                let (lo, hi) = game.bounds(&position, Value::WIN);
                assert!(if exact { hi > Value::DRAW } else { lo < Value::DRAW }, "{text}: {lo:?} {hi:?}");
                let mut search = ProofNumberSearch::new(1).unwrap();
                let stop = AtomicBool::new(false);
                match search.ask(&game, &position, Value::WIN, &Limits::default(), &stop).unwrap() {
                    ProofOutcome::Missed => assert!(!exact, "{text}"),
                    ProofOutcome::Reached(m) => {
                        let child = game.play(&position, m);
                        assert!(
                            exact && !wins(&game, &child, &mut known),
                            "{text}: {}",
                            game.write_move(&position, m)
                        );
                    }
                }
                all += 1;
                told += usize::from(lo > Value::DRAW || hi < Value::DRAW);
            }
        }
        assert!(filled > 1_000 && told * 4 > all * 3, "{filled} cells, {told} of {all}");
    }
}

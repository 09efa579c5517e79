//! Collapsi: two pawns on a torus of 16 cards.
//!
//! * The cards `1` to `4` and two jokers lie in four rows of four, joined at the edges; the pawns `X` and `O` stand on the
//!   jokers. A pawn steps as far as the number on its card says, from a joker 1 to 4 steps: straight, onto no card twice and
//!   onto none that is turned down. It may pass the other's pawn but not end there. The card left is turned down. Who cannot
//!   move loses.
//! * Position `4222/2133/43XO/1311 1`, rows from the top, `#` a card turned down. Once a pawn has moved, the cards under
//!   both follow, `-` for a joker: `422X/2133/43#O/1311 2- 2`. Move: the cell to end on.
//!
//! Solved by enumeration of the positions that follow. Cell 0 is at the top left.
//!
//! Source: M. Young, arXiv 2507.16823, 2025: the first player wins 37.5 % of all deals.

use grundy_core::bits::places;
use grundy_core::game::Flow;
use grundy_core::grid::Grid;
use grundy_core::words;
use grundy_search::board::{BoardRules, Layout, Move, Position};

/// The cards.
const GRID: Grid = Grid { columns: 4, rows: 4 };
/// The most steps from a joker.
const FARTHEST: u8 = 4;
/// The fields of a position.
const EXPECTED: &str =
    "four rows of four out of 1 to 4, X, O and #, perhaps the cards under the pawns, as 2-,";

/// Where the rest of a position has the cards turned down.
const DOWN: u32 = 32;
/// Where it has a bit for each pawn that still stands on its joker.
const FRESH: u32 = 48;

/// The rules with the deal that a game starts with. The men of a position are the pawns. The lowest bits of the rest are the
/// number of each card, two bits less one, the first card lowest; numbers of cards turned down are 0. A move is the cell
/// moved to.
#[derive(Clone, Debug)]
pub struct Collapsi {
    start: Position,
}

impl Collapsi {
    /// Returns the game from a deal.
    ///
    /// # Errors
    /// The text is no position of the game.
    pub fn new(deal: &str) -> Result<Collapsi, String> {
        read(deal).map(|start| Collapsi { start })
    }

    /// Returns the cells where a pawn may end its steps.
    fn targets(position: &Position) -> u64 {
        let from = position.own().trailing_zeros() as usize;
        let steps = match is_fresh(position, position.turn.index()) {
            true => 1..=FARTHEST,
            false => number(position, from)..=number(position, from),
        };
        let mut targets = 0;
        walk(from, 0, steps, position.rest >> DOWN, &mut targets);
        targets & !position.taken()
    }
}

/// Adds the cells where steps over free cards can end, `gone` steps from the start.
fn walk(at: usize, gone: u8, steps: std::ops::RangeInclusive<u8>, visited: u64, targets: &mut u64) {
    if steps.contains(&gone) {
        *targets |= 1 << at;
    }
    if gone == *steps.end() {
        return;
    }
    let (row, column) = (at & 12, at & 3);
    let visited = visited | 1 << at;
    for next in
        [row | (column + 1) & 3, row | (column + 3) & 3, (row + 4) & 12 | column, (row + 12) & 12 | column]
    {
        if visited >> next & 1 == 0 {
            walk(next, gone + 1, steps.clone(), visited, targets);
        }
    }
}

/// Returns the number of a card that is not turned down.
const fn number(position: &Position, cell: usize) -> u8 {
    (position.rest >> (2 * cell) & 3) as u8 + 1
}

/// Reports whether a player's pawn still stands on its joker.
const fn is_fresh(position: &Position, side: usize) -> bool {
    position.rest >> FRESH >> side & 1 == 1
}

/// Returns the letter of the card under a pawn.
fn under(position: &Position, side: usize) -> char {
    match is_fresh(position, side) {
        true => '-',
        false => char::from(b'0' + number(position, position.men[side].trailing_zeros() as usize)),
    }
}

fn read(text: &str) -> Result<Position, String> {
    let fields = text.split_ascii_whitespace().take(4).collect::<Vec<_>>();
    let (board, under, turn) = match fields.get(1).filter(|field| field.len() == 2) {
        Some(_) => words::fields::<2>(text, EXPECTED).map(|([board, under], turn)| (board, under, turn))?,
        None => words::fields::<1>(text, EXPECTED).map(|([board], turn)| (board, "--", turn))?,
    };
    let mut numbers = [0u64; 16];
    let (mut down, mut pawns) = (0, [None; 2]);
    let mut twice = false;
    GRID.read(board, "1 to 4, X, O and #", |cell, letter| {
        match letter {
            '1'..='4' => numbers[cell] = letter as u64 - u64::from(b'1'),
            '#' => down |= 1 << cell,
            'X' => twice |= pawns[0].replace(cell).is_some(),
            'O' => twice |= pawns[1].replace(cell).is_some(),
            _ => return false,
        }
        true
    })?;
    let (Some(first), Some(second), false) = (pawns[0], pawns[1], twice) else {
        return Err("expected one X and one O among the cards".to_owned());
    };
    let pawns = [first, second];
    let mut fresh = 0;
    for (side, letter) in under.bytes().enumerate() {
        match letter {
            b'-' => fresh |= 1 << side,
            b'1'..=b'4' => numbers[pawns[side]] = u64::from(letter - b'1'),
            _ => {
                return Err(format!(
                    "the cards under the pawns are 1 to 4 or -, not {:?}",
                    words::short(under)
                ));
            }
        }
    }
    let cards = (0..).zip(numbers).fold(0, |cards, (cell, number)| cards | number << (2 * cell));
    Ok(Position { men: pawns.map(|cell| 1 << cell), rest: cards | down << DOWN | fresh << FRESH, turn })
}

impl BoardRules for Collapsi {
    fn layout(&self) -> Layout {
        Layout { cells: 16, rest: FRESH + 2, stage: 0 }
    }

    fn start(&self) -> Position {
        self.start
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        places(Collapsi::targets(position)).try_for_each(|cell| visit(Move(cell.into())))
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let from = position.own().trailing_zeros();
        let left = position.rest & !(3 << (2 * from)) & !(1 << FRESH << position.turn.index());
        position.after(1 << m.0, position.other(), left | 1 << from << DOWN)
    }

    fn write_position(&self, position: &Position) -> String {
        let has = |set: u64, cell: usize| set >> cell & 1 == 1;
        let board = GRID.write(|cell| match position.men {
            [pawn, _] if has(pawn, cell) => 'X',
            [_, pawn] if has(pawn, cell) => 'O',
            _ if has(position.rest >> DOWN, cell) => '#',
            _ => char::from(b'0' + number(position, cell)),
        });
        let turn = position.turn.digit();
        match [under(position, 0), under(position, 1)] {
            ['-', '-'] => format!("{board} {turn}"),
            [one, two] => format!("{board} {one}{two} {turn}"),
        }
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        read(text)
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        GRID.square(m.0 as usize)
    }
}

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

use grundy_core::game::{Flow, Game, MORE, Notation, Player, Scored, cannot_move};
use grundy_core::grid::Grid;
use grundy_core::value::Value;
use grundy_core::words;

/// The cards.
const GRID: Grid = Grid { columns: 4, rows: 4 };
/// The mark of a joker among the cards under the pawns.
const JOKER: u8 = 0;
/// The most steps from a joker.
const FARTHEST: u8 = 4;
/// The fields of a position.
const EXPECTED: &str =
    "four rows of four out of 1 to 4, X, O and #, perhaps the cards under the pawns, as 2-,";

/// The rules with the deal that a game starts with.
#[derive(Clone, Debug)]
pub struct Collapsi {
    start: Position,
}

/// The cards, those that are turned down, the pawns, and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The number of each card, two bits less one, the first card lowest.
    cards: u32,
    /// Cards turned down; their numbers are 0.
    down: u16,
    /// Cells of both pawns.
    pawns: [u8; 2],
    /// `true` for a pawn that still stands on its joker.
    fresh: [bool; 2],
    turn: Player,
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
    fn targets(position: &Position) -> u16 {
        let mover = position.turn.index();
        let from = position.pawns[mover];
        let steps = match position.fresh[mover] {
            true => 1..=FARTHEST,
            false => position.number(from)..=position.number(from),
        };
        let mut targets = 0;
        walk(from, 0, steps, position.down, &mut targets);
        targets & !(1 << position.pawns[1 - mover]) & !(1 << from)
    }
}

/// Adds the cells where steps over free cards can end, `gone` steps from the start.
fn walk(at: u8, gone: u8, steps: std::ops::RangeInclusive<u8>, visited: u16, targets: &mut u16) {
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

impl Position {
    /// Returns the number of a card that is not turned down.
    const fn number(&self, cell: u8) -> u8 {
        (self.cards >> (2 * cell) & 3) as u8 + 1
    }
}

/// Returns the letter of the card under a pawn.
fn under(position: &Position, side: usize) -> char {
    match position.fresh[side] {
        true => '-',
        false => char::from(b'0' + position.number(position.pawns[side])),
    }
}

fn read(text: &str) -> Result<Position, String> {
    let fields = text.split_ascii_whitespace().take(4).collect::<Vec<_>>();
    let has_cards = |field: &&str| field.len() == 2;
    let (board, under, turn) = match fields.get(1).filter(|field| has_cards(field)) {
        Some(_) => words::fields::<2>(text, EXPECTED).map(|([board, under], turn)| (board, under, turn))?,
        None => words::fields::<1>(text, EXPECTED).map(|([board], turn)| (board, "--", turn))?,
    };
    let mut numbers = [0u8; 16];
    let (mut down, mut pawns) = (0u16, [None; 2]);
    let mut twice = false;
    GRID.read(board, "1 to 4, X, O and #", |cell, letter| {
        match letter {
            '1'..='4' => numbers[cell] = letter as u8 - b'1',
            '#' => down |= 1 << cell,
            'X' => twice |= pawns[0].replace(cell as u8).is_some(),
            'O' => twice |= pawns[1].replace(cell as u8).is_some(),
            _ => return false,
        }
        true
    })?;
    let (Some(first), Some(second), false) = (pawns[0], pawns[1], twice) else {
        return Err("expected one X and one O among the cards".to_owned());
    };
    let pawns = [first, second];
    let mut fresh = [true; 2];
    for (side, letter) in under.bytes().enumerate() {
        match letter {
            b'-' => {}
            b'1'..=b'4' => {
                fresh[side] = false;
                numbers[usize::from(pawns[side])] = letter - b'1';
            }
            _ => {
                return Err(format!(
                    "the cards under the pawns are 1 to 4 or -, not {:?}",
                    words::short(under)
                ));
            }
        }
    }
    let cards = (0..)
        .zip(numbers)
        .fold(u32::from(JOKER), |cards, (cell, number)| cards | u32::from(number) << (2 * cell));
    Ok(Position { cards, down, pawns, fresh, turn })
}

impl Game for Collapsi {
    type Position = Position;
    /// The cell moved to.
    type Move = u8;

    fn start(&self) -> Position {
        self.start
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Value> {
        (Collapsi::targets(position) == 0).then_some(cannot_move(false))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(u8) -> Flow) -> Flow {
        let mut targets = Collapsi::targets(position);
        while targets != 0 {
            visit(targets.trailing_zeros() as u8)?;
            targets &= targets - 1;
        }
        MORE
    }

    fn play(&self, position: &Position, m: u8) -> Position {
        let mut next = Position { turn: !position.turn, ..*position };
        let mover = position.turn.index();
        let from = position.pawns[mover];
        next.down |= 1 << from;
        next.cards &= !(3 << (2 * from));
        next.pawns[mover] = m;
        next.fresh[mover] = false;
        next
    }
}

impl Scored for Collapsi {}

impl Notation for Collapsi {
    fn write_position(&self, position: &Position) -> String {
        let board = GRID.write(|cell| {
            let cell = cell as u8;
            match position.pawns {
                [pawn, _] if pawn == cell => 'X',
                [_, pawn] if pawn == cell => 'O',
                _ if position.down >> cell & 1 == 1 => '#',
                _ => char::from(b'0' + position.number(cell)),
            }
        });
        let turn = position.turn.digit();
        match position.fresh {
            [true, true] => format!("{board} {turn}"),
            _ => format!("{board} {}{} {turn}", under(position, 0), under(position, 1)),
        }
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        read(text)
    }

    fn write_move(&self, _position: &Position, m: u8) -> String {
        GRID.square(usize::from(m))
    }
}

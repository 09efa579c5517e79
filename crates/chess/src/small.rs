//! Chess on a board of 3x3.
//!
//! * The rules of chess with any men on any squares, without castling and without the double step; a pawn promotes on the last
//!   row, and may stand on its first.
//! * Position: FEN with three rows, `KpN/bPk/BqN w - - 0 1`; moves as UCI, `c3b1`; promotions as `a2a3q`.
//!
//! A position is seen by the player to move, whose pawns go up. Square 0 is a1, and the squares rise row by row. All positions
//! are solved, so the start is a matter of taste: it is a mate in 16, the longest there is.
//!
//! Source: K. Kryukov, "3x3 chess", kirill-kryukov.com/chess/3x3-chess, 2004.

mod board;
mod numbering;
mod text;

use grundy_core::game::{Flow, Game, Indexed, MORE, Notation, Player, Scored};
use grundy_core::random::mix;
use grundy_core::value::{Step, Value};
use grundy_core::words::{number, short};
use grundy_search::alpha_beta::{Bounds, Heuristic};
use grundy_tables::tiers::{Exit, Tier, Tiered};

use board::{Board, KING, OTHER, PAWN, QUEEN, SIDE, SQUARES, flipped};
use numbering::Numbering;
use text::{GRID, letter};

/// A board and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    board: Board,
    turn: Player,
}

/// A move, with squares as its player sees them; the man that a pawn becomes, else 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    from: u8,
    to: u8,
    becomes: u8,
}

/// The rules of chess on 3x3, with at most some number of men.
#[derive(Clone, Debug)]
pub struct SmallChess {
    men: usize,
    start: Position,
    numbering: Numbering,
}

impl SmallChess {
    /// The most men that the board holds.
    pub const MOST: usize = SQUARES;

    /// Returns the game with at most `men` men, kings included. The start is one of the longest mates with as many men.
    ///
    /// # Errors
    /// There are not 2 to 9 men.
    pub fn new(men: usize) -> Result<SmallChess, String> {
        let board = match men {
            2 => "2k/3/K2",
            3 => "k2/3/KR1",
            4 => "1K1/3/kPB",
            5 => "1b1/1Bk/K1N",
            6 => "Npk/K1b/2B",
            7 => "1bN/KPk/Bb1",
            8 => "R1Q/KNP/Pqk",
            SmallChess::MOST => "KpN/bPk/BqN",
            _ => {
                return Err(format!("{men} men: expected 2men to {}men on a board of 3x3", SmallChess::MOST));
            }
        };
        let start = Position { board: text::read_board(board)?, turn: Player::One };
        Ok(SmallChess { men, start, numbering: Numbering::new(men) })
    }
}

impl Game for SmallChess {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        self.start
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Value> {
        let board = &position.board;
        if board.each_legal_step(&mut |_, _| Flow::Break(())).is_break() {
            return None;
        }
        Some(if board.in_check() { Value::loss_in(0) } else { Value::DRAW })
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        let board = &position.board;
        board.each_legal_step(&mut |from, to| {
            let becomes = if board.promotes(from, to) { QUEEN..PAWN } else { 0..1 };
            becomes
                .into_iter()
                .try_for_each(|becomes| visit(Move { from: from as u8, to: to as u8, becomes }))
        })
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let mut board = position.board.moved(usize::from(m.from), usize::from(m.to));
        if m.becomes != 0 {
            board.0[usize::from(m.to)] = m.becomes;
        }
        Position { board: board.turned(), turn: !position.turn }
    }

    fn canonical(&self, position: &Position) -> Position {
        Position { board: position.board.min(position.board.mirrored()), ..*position }
    }

    /// The board is seen by the player to move.
    fn essence(&self, position: &Position) -> Position {
        Position { turn: Player::One, ..*position }
    }
}

impl Scored for SmallChess {}

/// Values of the men, for the search.
const WORTH: [i32; 7] = [0, 0, 600, 400, 250, 300, 150];

impl Heuristic for SmallChess {
    fn key(&self, position: &Position) -> u64 {
        let board = position.board.min(position.board.mirrored());
        mix(board.0.iter().fold(position.turn.index() as u64, |key, &man| key << 4 | u64::from(man)))
    }

    fn guess(&self, position: &Position) -> i32 {
        let worth = |&man: &u8| match man {
            OTHER.. => -WORTH[usize::from(man ^ OTHER)],
            _ => WORTH[usize::from(man)],
        };
        position.board.0.iter().map(worth).sum()
    }

    fn hint(&self, position: &Position, m: Move, child: &Position) -> i32 {
        let taken = position.board.0[usize::from(m.to)] & !OTHER;
        WORTH[usize::from(taken)] + WORTH[usize::from(m.becomes)] + 200 * i32::from(child.board.in_check())
    }

    fn noisy(&self, position: &Position, m: Move) -> bool {
        m.becomes != 0 || position.board.0[usize::from(m.to)] != 0
    }

    fn cyclic(&self) -> bool {
        true
    }
}

impl Bounds for SmallChess {}

impl Indexed for SmallChess {
    fn size(&self) -> u64 {
        self.numbering.size()
    }

    fn index(&self, position: &Position) -> u64 {
        self.numbering.index(&position.board)
    }

    fn position(&self, index: u64) -> Option<Position> {
        Some(Position { board: self.numbering.board(index)?, turn: Player::One })
    }
}

impl Tiered for SmallChess {
    fn tiers(&self) -> Vec<Tier> {
        self.numbering.tiers()
    }

    fn exits(&self, tier: usize) -> Vec<usize> {
        self.numbering.exits(tier)
    }

    fn predecessors_within(&self, position: &Position, visit: &mut impl FnMut(u64, bool)) {
        let king = position.board.find(KING);
        position.board.each_origin(&mut |before| {
            // The other player was to move.
            if !before.attacks(king, OTHER) {
                visit(self.index(&Position { board: before.turned(), turn: Player::One }), true);
            }
        });
    }

    fn staying(&self, position: &Position) -> Option<u32> {
        let board = &position.board;
        // The king's moves to either side of the other's may lead to images of one board.
        if board.find(KING | OTHER) % SIDE == 1 {
            return None;
        }
        let mut count = 0;
        let _ = board.each_legal_step(&mut |from, to| {
            count += u32::from(board.0[to] == 0 && !board.promotes(from, to));
            MORE
        });
        Some(count)
    }

    fn leave(&self, position: &Position, visit: &mut impl FnMut(Exit)) {
        let board = &position.board;
        let _ = self.moves(position, &mut |m| {
            if m.becomes != 0 || board.0[usize::from(m.to)] != 0 {
                visit(Exit::To(self.index(&self.play(position, m)), Step::PASSED));
            }
            MORE
        });
    }
}

impl Notation for SmallChess {
    fn write_position(&self, position: &Position) -> String {
        let white = position.turn == Player::One;
        let rows = text::rows(&if white { position.board } else { position.board.turned() });
        let rows = rows.replace("...", "3").replace("..", "2").replace('.', "1");
        format!("{rows} {} - - 0 1", if white { 'w' } else { 'b' })
    }

    /// Reads a FEN, of which all fields after the board may be left out, or the notation of K. Kryukov: `w` or `b` and then nine squares, `wKpNbPkBqN`.
    fn read_position(&self, text: &str) -> Result<Position, String> {
        let words: Vec<&str> = text.split_ascii_whitespace().take(7).collect();
        let squares =
            words.first().filter(|word| words.len() == 1 && word.len() == 10 && !word.contains('/'));
        let joined = squares.and_then(|word| {
            let turn = word.get(..1)?;
            Some((format!("{}/{}/{}", word.get(1..4)?, word.get(4..7)?, word.get(7..)?), turn))
        });
        let (rows, turn) = match &joined {
            Some((rows, turn)) => (rows.as_str(), *turn),
            None => (words.first().copied().unwrap_or(""), words.get(1).copied().unwrap_or("w")),
        };
        let turn = match turn {
            "w" => Player::One,
            "b" => Player::Two,
            other => return Err(format!("side to move {:?}: expected w or b", short(other))),
        };
        if words.len() > 6 {
            return Err("a FEN has at most six fields".into());
        }
        if words.iter().skip(2).take(2).any(|&rights| rights != "-") {
            return Err("castling and en passant: expected - -, as neither exists on a board of 3x3".into());
        }
        if let Some(clock) = words.iter().skip(4).find(|clock| number(clock, u64::MAX).is_none()) {
            return Err(format!("clock {:?}: expected a number", short(clock)));
        }
        let board = text::read_board(rows)?;
        let board = if turn == Player::One { board } else { board.turned() };
        let men = board.0.iter().filter(|&&man| man != 0).count();
        if men > self.men {
            return Err(format!("{men} men: expected at most {}", self.men));
        }
        if !board.is_legal() {
            return Err(
                "not a legal position: each side needs one king, no pawn stands on its last row, and the side that has \
                 moved is not in check"
                    .into(),
            );
        }
        Ok(Position { board, turn })
    }

    fn write_move(&self, position: &Position, m: Move) -> String {
        let square = |square: u8| {
            let square = usize::from(square);
            GRID.square(if position.turn == Player::One { flipped(square) } else { square })
        };
        let becomes = (m.becomes != 0).then(|| letter(m.becomes | OTHER));
        [square(m.from), square(m.to)].concat() + becomes.map(String::from).as_deref().unwrap_or("")
    }

    fn draw(&self, position: &Position) -> String {
        let white = position.turn == Player::One;
        let rows = text::rows(&if white { position.board } else { position.board.turned() });
        format!("{}\n{} to move\n", GRID.draw(&rows).trim_end(), if white { "white" } else { "black" })
    }
}

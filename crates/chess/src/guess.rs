//! Abilities for the search: keys, an evaluation of unfinished positions, and move ordering.

use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Rank, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};

use super::rules::{Chess, Position};
use grundy_core::random::fibonacci;
use grundy_search::alpha_beta::{Bounds, Heuristic};

/// Material values of pawn, knight, bishop, rook, queen and king in hundredths of a pawn, by `Piece as usize`.
const WORTH: [i32; 6] = [100, 310, 330, 500, 950, 0];

/// Up to this value of the fifty-move clock a search seldom reaches the rule, and keys ignore the clock.
const CLOCK_MATTERS: u8 = 40;

impl Heuristic for Chess {
    fn key(&self, position: &Position) -> u64 {
        let key = self.repetition_key(position);
        let clock = position.board().halfmove_clock();
        if self.rule50() && clock > CLOCK_MATTERS { key ^ fibonacci(clock.into()) } else { key }
    }

    fn repetition_key(&self, position: &Position) -> u64 {
        // The right to capture en passant is in the key only if the capture is legal, as in equality.
        match position.en_passant() {
            Some(_) => position.board().hash(),
            None => position.board().hash_without_ep(),
        }
    }

    fn plies_left(&self, position: &Position) -> Option<u32> {
        let clock = position.board().halfmove_clock();
        (self.rule50() && clock <= CLOCK_MATTERS).then(|| 100 - u32::from(clock))
    }

    fn guess(&self, position: &Position) -> i32 {
        let board = position.board();
        let mover = board.side_to_move();
        let bare = |color: Color| board.colors(color).len() == 1;
        let mut score = side(board, mover) - side(board, !mover);
        // A bare king is mated at the edge of the board, with the other king near.
        if bare(!mover) && !bare(mover) {
            score += chase(board, !mover);
        } else if bare(mover) && !bare(!mover) {
            score -= chase(board, mover);
        }
        score + 8
    }

    fn noisy(&self, position: &Position, m: Move) -> bool {
        let board = position.board();
        m.promotion.is_some() || board.colors(!board.side_to_move()).has(m.to)
    }

    fn cyclic(&self) -> bool {
        true
    }

    fn hint(&self, position: &Position, m: Move, _child: &Position) -> i32 {
        let board = position.board();
        let mover = board.side_to_move();
        let moved = board.piece_on(m.from).unwrap_or(Piece::Pawn);
        let mut hint = m.promotion.map_or(0, |piece| WORTH[piece as usize]);
        match board.piece_on(m.to) {
            // Castling is written as the king taking his own rook.
            Some(_) if board.colors(mover).has(m.to) => hint += 60,
            Some(taken) => hint += 1000 + WORTH[taken as usize] - WORTH[moved as usize] / 10,
            None => {
                let threatened = get_pawn_attacks(m.to, mover) & board.colored_pieces(!mover, Piece::Pawn);
                if moved != Piece::Pawn && moved != Piece::King && !threatened.is_empty() {
                    hint -= 100;
                }
                hint += place(moved, m.to, mover) - place(moved, m.from, mover);
            }
        }
        hint
    }
}

impl Bounds for Chess {}

/// Evaluates material, mobility and the safety of the king for one colour.
fn side(board: &Board, color: Color) -> i32 {
    let occupied = board.occupied();
    let own = board.colors(color);
    let king = board.king(color);
    let enemy_ring = get_king_moves(board.king(!color));
    let heavy =
        board.colored_pieces(!color, Piece::Queen).len() + board.colored_pieces(!color, Piece::Rook).len();
    let mut score = 0;
    for &piece in &[Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
        for square in board.colored_pieces(color, piece) {
            score += WORTH[piece as usize] + place(piece, square, color);
            let reach = match piece {
                Piece::Knight => get_knight_moves(square),
                Piece::Bishop => get_bishop_moves(square, occupied),
                Piece::Rook => get_rook_moves(square, occupied),
                Piece::Queen => get_bishop_moves(square, occupied) | get_rook_moves(square, occupied),
                _ => continue,
            };
            let weight = if piece == Piece::Queen { 1 } else { 3 };
            score += weight * (reach & !own).len() as i32 + 6 * (reach & enemy_ring).len() as i32;
        }
    }
    let pawns = board.colored_pieces(color, Piece::Pawn);
    let enemy_pawns = board.colored_pieces(!color, Piece::Pawn);
    for square in pawns {
        let front = ahead(square, color);
        if (front & enemy_pawns).is_empty() {
            let steps = square.rank().relative_to(color) as i32 - Rank::Second as i32;
            score += 8 + 4 * steps * steps;
        }
    }
    if board.colored_pieces(color, Piece::Bishop).len() >= 2 {
        score += 30;
    }
    if heavy > 0 {
        // A king with pawns beside him and near his own edge while heavy pieces are on the board.
        let shelter = (get_king_moves(king) & pawns).len() as i32;
        let out = king.rank().relative_to(color) as i32;
        score += 12 * shelter.min(3) - 10 * out.min(4);
    } else {
        score -= 6 * centre_distance(king);
    }
    score
}

/// Returns the squares in front of a pawn on its own file and those beside it.
fn ahead(square: Square, color: Color) -> BitBoard {
    let files = square.file().bitboard() | square.file().adjacent();
    let rank = square.rank() as u32;
    let beyond = match color {
        Color::White => BitBoard(u64::MAX.checked_shl(8 * (rank + 1)).unwrap_or(0)),
        Color::Black => BitBoard((1u64 << (8 * rank)) - 1),
    };
    files & beyond
}

/// Returns the value of a man's square, in hundredths of a pawn.
fn place(piece: Piece, square: Square, color: Color) -> i32 {
    match piece {
        Piece::Pawn => {
            let steps = square.rank().relative_to(color) as i32;
            4 * steps + if centre_distance(square) <= 2 { 10 } else { 0 }
        }
        Piece::Knight => 24 - 8 * centre_distance(square),
        Piece::Bishop => 12 - 4 * centre_distance(square),
        Piece::Rook => {
            if square.rank().relative_to(color) == Rank::Seventh {
                20
            } else {
                0
            }
        }
        Piece::Queen | Piece::King => 6 - 2 * centre_distance(square),
    }
}

/// Returns the distance from the centre: 0 in its four squares, 6 in the corners.
fn centre_distance(square: Square) -> i32 {
    let far = |line: usize| (line as i32 * 2 - 7).abs() / 2;
    far(square.file() as usize) + far(square.rank() as usize)
}

/// Evaluates how close a bare king is to being mated.
fn chase(board: &Board, bare: Color) -> i32 {
    let (one, other) = (board.king(bare), board.king(!bare));
    let apart =
        (one.file() as i32 - other.file() as i32).abs() + (one.rank() as i32 - other.rank() as i32).abs();
    20 * centre_distance(one) + 10 * (14 - apart)
}

//! Abilities for the search: keys, move ordering, null moves and exchanges.

use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Rank, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};

use super::evaluation::evaluate;
use super::rules::{Chess, Position};
use grundy_core::game::{Flow, Game, MORE};
use grundy_core::random::{fibonacci, mix_pair};
use grundy_core::value::Value;
use grundy_search::alpha_beta::{ASPECTS, Bounds, Heuristic, Selection};

/// Material values of pawn, knight, bishop, rook, queen and king in hundredths of a pawn, by `Piece as usize`.
const WORTH: [i32; 6] = [100, 310, 330, 500, 950, 0];

/// Maximum number of men of an ending that can have a table.
const MOST_MEN: u32 = 5;

/// Up to this value of the fifty-move clock a search seldom reaches the rule, and keys ignore the clock.
const CLOCK_MATTERS: u8 = 40;

impl Heuristic for Chess {
    const SELECTIVE: bool = true;
    // Chosen by games (docs/figures.md, "Playing strength").
    const SELECTION: Selection =
        Selection { by_counts: true, singular_depth: 5, quiet_moves: 6, reduction: 1.9 };

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
        let score = evaluate(board);
        // A bare king is mated at the edge of the board, with the other king near.
        if bare(!mover) && !bare(mover) {
            score + chase(board, !mover)
        } else if bare(mover) && !bare(!mover) {
            score - chase(board, mover)
        } else {
            score
        }
    }

    fn selective(&self, root: &Position) -> bool {
        // Near the end by the fifty-move rule everything is searched, so that draws are proved.
        root.board().halfmove_clock() < 90
    }

    fn ended(&self, position: &Position) -> Option<Value> {
        if position.board().halfmove_clock() >= 100 { self.over(position) } else { None }
    }

    fn tabled(&self, position: &Position) -> bool {
        position.board().occupied().len() <= MOST_MEN
    }

    fn pass(&self, position: &Position) -> Option<Position> {
        let board = position.board();
        // Whoever has one knight or bishop beside pawns may well be in zugzwang.
        let own = board.colors(board.side_to_move());
        let minor = own & (board.pieces(Piece::Knight) | board.pieces(Piece::Bishop));
        let major = own & (board.pieces(Piece::Rook) | board.pieces(Piece::Queen));
        if major.is_empty() && minor.len() < 2 {
            return None;
        }
        board.null_move().map(Position)
    }

    fn threatened(&self, position: &Position) -> bool {
        !position.board().checkers().is_empty()
    }

    fn threatens(&self, position: &Position, m: Move) -> bool {
        let board = position.board();
        let mover = board.side_to_move();
        let (from, to, king) = (m.from.bitboard(), m.to.bitboard(), board.king(!mover));
        let occupied = (board.occupied() - from) | to;
        let piece = board.piece_on(m.from);
        let direct = match piece {
            Some(Piece::Pawn) => get_pawn_attacks(m.to, mover).has(king),
            Some(Piece::Knight) => get_knight_moves(m.to).has(king),
            _ => false,
        };
        let sliders = |kind| {
            let men = board.colored_pieces(mover, kind) | board.colored_pieces(mover, Piece::Queen);
            let moved = piece.is_some_and(|piece| piece == kind || piece == Piece::Queen);
            (men - from) | if moved { to } else { BitBoard::EMPTY }
        };
        direct
            || !(get_bishop_moves(king, occupied) & sliders(Piece::Bishop)).is_empty()
            || !(get_rook_moves(king, occupied) & sliders(Piece::Rook)).is_empty()
    }

    fn urgency(&self, position: &Position, m: Move) -> i32 {
        let board = position.board();
        if board.colors(board.side_to_move()).has(m.to) {
            return 0;
        }
        let taken = board.piece_on(m.to).map_or(0, |taken| 16 * WORTH[taken as usize]);
        let promoted =
            m.promotion.map_or(0, |piece| 16 * (WORTH[piece as usize] - WORTH[Piece::Queen as usize] / 2));
        if taken == 0 && promoted == 0 {
            return safety(board, m);
        }
        let moved = board.piece_on(m.from).map_or(0, |moved| WORTH[moved as usize]);
        taken + promoted - moved
    }

    fn exchange(&self, position: &Position, m: Move, least: i32) -> bool {
        exchange(position.board(), m, least)
    }

    fn lane(&self, position: &Position, m: Move) -> usize {
        position.board().piece_on(m.from).map_or(0, |piece| 64 * piece as usize) + m.to as usize
    }

    fn structures(&self, position: &Position) -> [u64; ASPECTS] {
        let men = |color, piece| position.board().colored_pieces(color, piece).0;
        let others = |color| {
            let two = |a, b| mix_pair(men(color, a), men(color, b));
            let minor = two(Piece::Knight, Piece::Bishop);
            mix_pair(mix_pair(minor, two(Piece::Rook, Piece::Queen)), men(color, Piece::King))
        };
        let pawns = mix_pair(men(Color::White, Piece::Pawn), men(Color::Black, Piece::Pawn));
        [pawns, others(Color::White), others(Color::Black)]
    }

    fn noisy_moves(&self, position: &Position, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        let board = position.board();
        let mover = board.side_to_move();
        let enemy = board.colors(!mover);
        let last = Rank::Eighth.relative_to(mover).bitboard();
        let ended = board.generate_moves(|mut moves| {
            moves.to &= if moves.piece == Piece::Pawn { enemy | last } else { enemy };
            // A promotion to less than a queen is seldom of use.
            let useful = |m: &Move| m.promotion.is_none_or(|piece| piece == Piece::Queen);
            moves.into_iter().filter(useful).any(|m| visit(m).is_break())
        });
        if ended { Flow::Break(()) } else { MORE }
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

/// Reports whether a move and the captures on its target square gain at least `least` hundredths of a pawn, if each side
/// takes with its least man and stops when it likes.
fn exchange(board: &Board, m: Move, least: i32) -> bool {
    let mover = board.side_to_move();
    if board.colors(mover).has(m.to) {
        return least <= 0;
    }
    let Some(moved) = board.piece_on(m.from) else { return false };
    let mut gain = board.piece_on(m.to).map_or(0, |taken| WORTH[taken as usize]) - least;
    let mut at_stake = WORTH[moved as usize];
    if moved == Piece::Pawn {
        if m.from.file() != m.to.file() && board.piece_on(m.to).is_none() {
            gain += WORTH[Piece::Pawn as usize];
        }
        if let Some(promoted) = m.promotion {
            at_stake = WORTH[promoted as usize];
            gain += at_stake - WORTH[Piece::Pawn as usize];
        }
    }
    if gain < 0 {
        return false;
    }
    // Even the loss of the man that moved leaves enough.
    let mut rest = gain - at_stake;
    if rest >= 0 {
        return true;
    }
    let diagonal = board.pieces(Piece::Bishop) | board.pieces(Piece::Queen);
    let straight = board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    let mut occupied = (board.occupied() & !m.from.bitboard()) | m.to.bitboard();
    let mut attackers = get_knight_moves(m.to) & board.pieces(Piece::Knight)
        | get_king_moves(m.to) & board.pieces(Piece::King)
        | get_pawn_attacks(m.to, Color::Black) & board.colored_pieces(Color::White, Piece::Pawn)
        | get_pawn_attacks(m.to, Color::White) & board.colored_pieces(Color::Black, Piece::Pawn)
        | get_bishop_moves(m.to, occupied) & diagonal
        | get_rook_moves(m.to, occupied) & straight;
    let mut side = !mover;
    loop {
        attackers &= occupied;
        let own = attackers & board.colors(side);
        let least_man = Piece::ALL.into_iter().find(|&piece| !(own & board.pieces(piece)).is_empty());
        let Some(piece) = least_man else { return side != mover };
        if piece == Piece::King && !(attackers & board.colors(!side)).is_empty() {
            // The king cannot take a man that is guarded.
            return side != mover;
        }
        let Some(from) = (own & board.pieces(piece)).next_square() else { return side != mover };
        rest = -rest - 1 - WORTH[piece as usize];
        side = !side;
        if rest >= 0 {
            return side != mover;
        }
        occupied &= !from.bitboard();
        if matches!(piece, Piece::Pawn | Piece::Bishop | Piece::Queen) {
            attackers |= get_bishop_moves(m.to, occupied) & diagonal;
        }
        if matches!(piece, Piece::Rook | Piece::Queen) {
            attackers |= get_rook_moves(m.to, occupied) & straight;
        }
    }
}

/// Returns the priority of a quiet move for the safety of its piece: positive if it leaves a square that an enemy man of lesser
/// worth attacks, negative if it goes to one.
fn safety(board: &Board, m: Move) -> i32 {
    let mover = board.side_to_move();
    let Some(piece) = board.piece_on(m.from) else { return 0 };
    let weight = match piece {
        Piece::Pawn | Piece::King => return 0,
        Piece::Knight | Piece::Bishop => 7_000,
        Piece::Rook => 11_000,
        Piece::Queen => 16_000,
    };
    let enemy = |piece| board.colored_pieces(!mover, piece);
    let occupied = board.occupied();
    let attacked = |square| {
        let major = matches!(piece, Piece::Rook | Piece::Queen);
        !(get_pawn_attacks(square, mover) & enemy(Piece::Pawn)).is_empty()
            || major && !(get_knight_moves(square) & enemy(Piece::Knight)).is_empty()
            || major && !(get_bishop_moves(square, occupied) & enemy(Piece::Bishop)).is_empty()
            || piece == Piece::Queen && !(get_rook_moves(square, occupied) & enemy(Piece::Rook)).is_empty()
    };
    weight * (i32::from(attacked(m.from)) - i32::from(attacked(m.to)))
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

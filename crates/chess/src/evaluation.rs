//! The static evaluation: features of a position, each with a weight for the middle game and one for the ending.
//!
//! [`features`] is the only description of the features. The evaluation adds their weights; `examples/tune.rs` fits the
//! weights to games that the engine played against itself.

use cozy_chess::{
    BitBoard, Board, Color, Piece, Rank, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_rook_moves,
};

pub use super::weights::PAIRS;

/// The first feature of each group; each ends where the next begins.
const PLACE: usize = 5;
const MOBILITY: usize = PLACE + 6 * 32;
const PASSED: usize = MOBILITY + 4 * 28;
const FREE: usize = PASSED + 8;
const ESCORT: usize = FREE + 8;
const CHASER: usize = ESCORT + 8;
const CONNECTED: usize = CHASER + 8;
const ISOLATED: usize = CONNECTED + 8;
const DOUBLED: usize = ISOLATED + 2;
const BACKWARD: usize = DOUBLED + 1;
const PAIR: usize = BACKWARD + 1;
const OPEN_FILE: usize = PAIR + 1;
const OUTPOST: usize = OPEN_FILE + 2;
const SHELTER: usize = OUTPOST + 2;
const STORM: usize = SHELTER + 8;
const DANGER: usize = STORM + 8;
const THREAT: usize = DANGER + 32;
const TEMPO: usize = THREAT + 9;
const UNGUARDED: usize = TEMPO + 1;
const PUSH: usize = UNGUARDED + 2;
const BY_PAWNS: usize = PUSH + 1;
const BAD_BISHOP: usize = BY_PAWNS + 3;
const SAFE: usize = BAD_BISHOP + 1;
/// Number of features.
pub const FEATURES: usize = SAFE + 8;

/// For each feature the weight in the ending in the high half, and that in the middle game in the low half, in hundredths
/// of a pawn.
static WEIGHTS: [i32; FEATURES] = {
    let mut packed = [0; FEATURES];
    let mut feature = 0;
    while feature < FEATURES {
        packed[feature] = PAIRS[feature][0] as i32 + ((PAIRS[feature][1] as i32) << 16);
        feature += 1;
    }
    packed
};

/// The share of the middle game in a position with all men.
pub const FULL_PHASE: i32 = 24;

const FILES: [BitBoard; 8] = {
    let mut files = [BitBoard(0); 8];
    let mut file = 0;
    while file < 8 {
        files[file] = BitBoard(0x0101_0101_0101_0101 << file);
        file += 1;
    }
    files
};

/// Returns the share of the middle game, up to [`FULL_PHASE`].
pub fn phase(board: &Board) -> i32 {
    let count = |piece| board.pieces(piece).len() as i32;
    let phase =
        count(Piece::Knight) + count(Piece::Bishop) + 2 * count(Piece::Rook) + 4 * count(Piece::Queen);
    phase.min(FULL_PHASE)
}

/// Returns the evaluation for the player to move, in hundredths of a pawn.
pub(super) fn evaluate(board: &Board) -> i32 {
    // The two weights of a feature are added as halves of one word.
    let mut sum = 0i32;
    features(board, &mut |feature, count| sum += WEIGHTS[feature] * count);
    let middle = i32::from(sum as i16);
    let ending = (sum - middle) >> 16;
    let phase = phase(board);
    let score = (middle * phase + ending * (FULL_PHASE - phase)) / FULL_PHASE;
    score * scale(board, score) / 32
}

/// Returns the share of an advantage that can be won, of 32: little without pawns.
pub fn scale(board: &Board, score: i32) -> i32 {
    let strong = if score > 0 { board.side_to_move() } else { !board.side_to_move() };
    let worth = |color| {
        let count = |piece| board.colored_pieces(color, piece).len() as i32;
        3 * (count(Piece::Knight) + count(Piece::Bishop)) + 5 * count(Piece::Rook) + 9 * count(Piece::Queen)
    };
    let pawns = board.colored_pieces(strong, Piece::Pawn).len() as i32;
    let (more, less) = (worth(strong), worth(!strong));
    if pawns == 0 && more - less <= 3 {
        return if more < 5 { 1 } else { 6 };
    }
    let bishops = |color| board.colored_pieces(color, Piece::Bishop);
    let opposite = bishops(strong).len() == 1
        && bishops(!strong).len() == 1
        && (bishops(strong) & BitBoard::DARK_SQUARES).is_empty()
            != (bishops(!strong) & BitBoard::DARK_SQUARES).is_empty();
    if opposite && more == 3 && less == 3 {
        return 16;
    }
    24 + pawns.min(8)
}

/// Visits the features of a position, each with the number of times that the player to move has it more often than his
/// opponent.
#[inline(always)]
pub fn features(board: &Board, visit: &mut impl FnMut(usize, i32)) {
    let mover = board.side_to_move();
    let [one, two] = [Scene::new(board, mover), Scene::new(board, !mover)];
    let first = one.pieces(&two, visit);
    let second = two.pieces(&one, &mut |feature, count| visit(feature, -count));
    for (scene, other, sign, attacks, theirs) in
        [(&one, &two, 1, &first, &second), (&two, &one, -1, &second, &first)]
    {
        scene.danger(other, attacks, theirs, &mut |feature| visit(feature, sign));
        scene.pawns(theirs.all, &mut |feature, count| visit(feature, sign * count));
        scene.king(&mut |feature| visit(feature, sign));
        scene.threats(other, attacks, theirs, &mut |feature, count| visit(feature, sign * count));
    }
    visit(TEMPO, 1);
}

/// The squares that the men of one colour attack.
struct Attacks {
    /// Squares attacked by any man, and by any but the king.
    all: BitBoard,
    without_king: BitBoard,
    of_minor: BitBoard,
    of_rooks: BitBoard,
    /// The weight of the attacks on squares around the enemy king, and the number of pieces that make them.
    danger: i32,
    attackers: i32,
}

/// A position as one colour sees it.
struct Scene<'a> {
    board: &'a Board,
    color: Color,
    own: BitBoard,
    pawns: BitBoard,
    theirs: BitBoard,
    king: Square,
    /// Squares that the pawns attack.
    guarded: BitBoard,
}

impl<'a> Scene<'a> {
    #[inline(always)]
    fn new(board: &'a Board, color: Color) -> Scene<'a> {
        let pawns = board.colored_pieces(color, Piece::Pawn);
        let theirs = board.colored_pieces(!color, Piece::Pawn);
        let guarded = attacked_by_pawns(pawns, color);
        Scene { board, color, own: board.colors(color), pawns, theirs, king: board.king(color), guarded }
    }

    /// Returns the feature of a man's square: files are mirrored.
    #[inline(always)]
    fn place(&self, piece: Piece, square: Square) -> usize {
        let (file, rank) = (square.file() as usize, square.rank().relative_to(self.color) as usize);
        PLACE + piece as usize * 32 + rank * 4 + file.min(7 - file)
    }

    /// Visits what belongs to pieces; returns the squares that they attack.
    #[inline(always)]
    fn pieces(&self, other: &Scene<'_>, visit: &mut impl FnMut(usize, i32)) -> Attacks {
        let occupied = self.board.occupied();
        let ring = get_king_moves(other.king) | other.king.bitboard();
        let free = !(self.own & (self.pawns | self.king.bitboard())) & !other.guarded;
        let mut all = self.guarded;
        let (mut of_minor, mut of_rooks) = (BitBoard::EMPTY, BitBoard::EMPTY);
        let number_of_pawns = self.pawns.len() as i32;
        let (mut danger, mut attackers) = (0, 0);
        let king = other.king;
        let diagonal = get_bishop_moves(king, occupied);
        let straight = get_rook_moves(king, occupied);
        for piece in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
            let check = match piece {
                Piece::Knight => get_knight_moves(king),
                Piece::Bishop => diagonal,
                Piece::Rook => straight,
                _ => diagonal | straight,
            };
            for square in self.board.colored_pieces(self.color, piece) {
                visit(piece as usize, 1);
                visit(self.place(piece, square), 1);
                if piece != Piece::Queen {
                    visit(BY_PAWNS + piece as usize - 1, number_of_pawns - 5);
                }
                let reach = match piece {
                    Piece::Knight => get_knight_moves(square),
                    Piece::Bishop => get_bishop_moves(square, occupied),
                    Piece::Rook => get_rook_moves(square, occupied),
                    _ => get_bishop_moves(square, occupied) | get_rook_moves(square, occupied),
                };
                let mobile = (reach & free).len() as usize;
                visit(MOBILITY + (piece as usize - 1) * 28 + mobile.min(27), 1);
                let near = (reach & ring).len() as i32;
                if near > 0 {
                    attackers += 1;
                    danger += near + [0, 2, 2, 3, 5, 0][piece as usize];
                }
                danger += 2 * i32::from(!(reach & check & free & !self.own).is_empty());
                all |= reach;
                match piece {
                    Piece::Knight | Piece::Bishop => {
                        of_minor |= reach;
                        if piece == Piece::Bishop {
                            let alike = if BitBoard::DARK_SQUARES.has(square) {
                                BitBoard::DARK_SQUARES
                            } else {
                                BitBoard::LIGHT_SQUARES
                            };
                            visit(BAD_BISHOP, (self.pawns & alike).len() as i32);
                        }
                        self.outpost(other, piece, square, visit);
                    }
                    Piece::Rook => {
                        of_rooks |= reach;
                        let file = FILES[square.file() as usize];
                        if (file & self.pawns).is_empty() {
                            visit(OPEN_FILE + usize::from((file & self.theirs).is_empty()), 1);
                        }
                    }
                    _ => {}
                }
            }
        }
        if self.board.colored_pieces(self.color, Piece::Bishop).len() >= 2 {
            visit(PAIR, 1);
        }
        let without_king = all;
        let all = all | get_king_moves(self.king);
        Attacks { all, without_king, of_minor, of_rooks, danger, attackers }
    }

    /// Visits the danger of the enemy king.
    #[inline(always)]
    fn danger(&self, other: &Scene<'_>, attacks: &Attacks, theirs: &Attacks, visit: &mut impl FnMut(usize)) {
        if attacks.attackers == 0 {
            return;
        }
        // Squares around the king that he alone guards.
        let alone = get_king_moves(other.king) & attacks.all & !theirs.without_king;
        let danger = attacks.danger + alone.len() as i32;
        let queen = !self.board.colored_pieces(self.color, Piece::Queen).is_empty();
        let danger = if queen { danger } else { danger / 2 };
        visit(DANGER + (danger as usize).min(31));
    }

    /// Visits a minor piece guarded by a pawn on a square that no enemy pawn can attack.
    #[inline(always)]
    fn outpost(&self, other: &Scene<'_>, piece: Piece, square: Square, visit: &mut impl FnMut(usize, i32)) {
        let rank = square.rank().relative_to(self.color);
        let beside = square.file().adjacent();
        if rank >= Rank::Fourth
            && rank <= Rank::Sixth
            && self.guarded.has(square)
            && (ahead(square, self.color) & beside & other.pawns).is_empty()
        {
            visit(OUTPOST + usize::from(piece == Piece::Bishop), 1);
        }
    }

    /// Visits the structure of the pawns; `attacked` are the squares that the enemy attacks.
    #[inline(always)]
    fn pawns(&self, attacked: BitBoard, visit: &mut impl FnMut(usize, i32)) {
        for square in self.pawns {
            visit(0, 1);
            visit(self.place(Piece::Pawn, square), 1);
            let rank = square.rank().relative_to(self.color) as usize;
            let file = FILES[square.file() as usize];
            let beside = square.file().adjacent();
            let front = ahead(square, self.color);
            let neighbours = beside & self.pawns;
            if (front & file & self.pawns).is_empty() {
                if (front & (file | beside) & self.theirs).is_empty() {
                    visit(PASSED + rank, 1);
                    let next = square.try_offset(0, if self.color == Color::White { 1 } else { -1 });
                    if let Some(next) = next {
                        if !self.board.occupied().has(next) {
                            visit(FREE + rank, 1);
                        }
                        if !attacked.has(next) {
                            visit(SAFE + rank, 1);
                        }
                        if rank >= 3 {
                            visit(ESCORT + distance(self.king, next), 1);
                            visit(CHASER + distance(self.board.king(!self.color), next), 1);
                        }
                    }
                }
            } else {
                visit(DOUBLED, 1);
            }
            let level = square.rank().bitboard();
            if self.guarded.has(square) || !(neighbours & level).is_empty() {
                visit(CONNECTED + rank, 1);
            } else if neighbours.is_empty() {
                visit(ISOLATED + usize::from((file & self.theirs).is_empty()), 1);
            } else if (neighbours & !front).is_empty() {
                visit(BACKWARD, 1);
            }
        }
    }

    /// Visits the king's square and the pawns before him, his own and the enemy's.
    #[inline(always)]
    fn king(&self, visit: &mut impl FnMut(usize)) {
        visit(self.place(Piece::King, self.king));
        let front = ahead(self.king, self.color) | self.king.rank().bitboard();
        let at = self.king.file() as usize;
        for (file, &squares) in FILES.iter().enumerate().take((at + 2).min(8)).skip(at.saturating_sub(1)) {
            let centre = usize::from(file == at) * 4;
            visit(SHELTER + centre + self.nearest(squares & front & self.pawns));
            visit(STORM + centre + self.nearest(squares & front & self.theirs));
        }
    }

    /// Returns a class of the distance in ranks to the nearest of some men before the king: 1 up to one rank, 2 for two, 3
    /// beyond, 0 if there is none.
    #[inline(always)]
    fn nearest(&self, men: BitBoard) -> usize {
        let king = self.king.rank().relative_to(self.color) as usize;
        let nearest = if self.color == Color::White { men.next_square() } else { last(men) };
        match nearest.map(|square| (square.rank().relative_to(self.color) as usize).saturating_sub(king)) {
            None => 0,
            Some(0 | 1) => 1,
            Some(2) => 2,
            Some(_) => 3,
        }
    }

    /// Visits attacks on enemy men that are worth more, or that nothing guards.
    #[inline(always)]
    fn threats(
        &self,
        other: &Scene<'_>,
        &Attacks { all, of_minor, of_rooks, .. }: &Attacks,
        theirs: &Attacks,
        visit: &mut impl FnMut(usize, i32),
    ) {
        let enemy = |piece| self.board.colored_pieces(!self.color, piece);
        let minor = enemy(Piece::Knight) | enemy(Piece::Bishop);
        let count = |men: BitBoard| men.len() as i32;
        visit(THREAT, count(self.guarded & minor));
        visit(THREAT + 1, count(self.guarded & enemy(Piece::Rook)));
        visit(THREAT + 2, count(self.guarded & enemy(Piece::Queen)));
        visit(THREAT + 3, count(of_minor & enemy(Piece::Rook)));
        visit(THREAT + 4, count(of_minor & enemy(Piece::Queen)));
        visit(THREAT + 5, count(of_rooks & enemy(Piece::Queen)));
        visit(THREAT + 6, count(of_minor & minor & !other.guarded));
        visit(THREAT + 7, count(of_rooks & minor & !other.guarded));
        visit(THREAT + 8, count(all & other.pawns & !other.guarded));
        visit(UNGUARDED, count(all & other.own & !other.pawns & !theirs.all));
        visit(UNGUARDED + 1, count(all & other.pawns & !theirs.all));
        // Pawns that could attack a piece by one step to a square where nothing takes them.
        let free = !self.board.occupied();
        let third = Rank::Third.relative_to(self.color).bitboard();
        let once = shifted(self.pawns, self.color) & free;
        let twice = shifted(once & third, self.color) & free;
        let steps = (once | twice) & !other.guarded & (all | !theirs.all);
        let pieces = other.own & !other.pawns;
        visit(PUSH, count(attacked_by_pawns(steps, self.color) & pieces & !self.guarded));
    }
}

/// Returns the number of king's moves between two squares.
#[inline(always)]
fn distance(a: Square, b: Square) -> usize {
    let files = (a.file() as usize).abs_diff(b.file() as usize);
    files.max((a.rank() as usize).abs_diff(b.rank() as usize))
}

/// Returns the squares one step ahead of some men.
#[inline(always)]
fn shifted(men: BitBoard, color: Color) -> BitBoard {
    BitBoard(if color == Color::White { men.0 << 8 } else { men.0 >> 8 })
}

/// Returns the squares attacked by pawns.
#[inline(always)]
fn attacked_by_pawns(pawns: BitBoard, color: Color) -> BitBoard {
    let (left, right) = (pawns.0 & !FILES[0].0, pawns.0 & !FILES[7].0);
    BitBoard(match color {
        Color::White => left << 7 | right << 9,
        Color::Black => left >> 9 | right >> 7,
    })
}

/// Returns the square of the highest rank among some men.
#[inline(always)]
fn last(men: BitBoard) -> Option<Square> {
    (!men.is_empty()).then(|| Square::index(63 - men.0.leading_zeros() as usize))
}

/// Returns all squares of higher ranks, as the colour sees them.
#[inline(always)]
fn ahead(square: Square, color: Color) -> BitBoard {
    let rank = square.rank() as u32;
    match color {
        Color::White => BitBoard(u64::MAX.checked_shl(8 * (rank + 1)).unwrap_or(0)),
        Color::Black => BitBoard((1u64 << (8 * rank)) - 1),
    }
}

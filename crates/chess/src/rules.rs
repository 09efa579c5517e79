//! The rules of chess: legal moves, and the end of a game.

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;

use cozy_chess::{
    Board, BoardBuilder, CastleRights, Color, File, Move, Piece, Rank, Square, get_king_moves,
    get_pawn_attacks,
};

use super::endings::Numbering;
use super::material::{Material, ORDER};
use grundy_core::game::{Flow, Game, MORE, Player, Scored};
use grundy_core::grid::Grid;
use grundy_core::value::Value;

/// A chess position with its clocks.
///
/// Positions are equal if play from them is: the number of the move is ignored, the fifty-move clock is compared, and a
/// right to capture en passant matters only if such a capture is legal.
#[derive(Clone, Debug)]
pub struct Position(pub(super) Board);

impl Position {
    /// Returns a board as a position; `None` if the kings are adjacent, which `cozy-chess` does not check.
    pub(super) fn new(board: Board) -> Option<Position> {
        let touching = get_king_moves(board.king(Color::White)).has(board.king(Color::Black));
        (!touching).then_some(Position(board))
    }

    /// Returns a legal unfinished position of these men with white to move, always the same one; `None` if none of the
    /// placements that are tried is legal.
    pub fn of(material: Material) -> Option<Position> {
        let mut men = vec![(Piece::King, Color::White), (Piece::King, Color::Black)];
        for color in [Color::White, Color::Black] {
            for (kind, &piece) in ORDER.iter().enumerate() {
                men.extend((0..material.0[color as usize][kind]).map(|_| (piece, color)));
            }
        }
        // Spread the men over the board with a stride that visits every square, until the placement is legal.
        (0..64 * 32).find_map(|attempt: usize| {
            let (first, stride) = (attempt % 64, 2 * (attempt / 64) + 1);
            let mut builder = BoardBuilder::empty();
            for (i, &man) in men.iter().enumerate() {
                builder.board[Square::index((first + 36 + i * (stride + 10)) % 64) as usize] = Some(man);
            }
            let board = builder.build().ok()?;
            let legal = board.occupied().len() == material.men() && board.generate_moves(|_| true);
            Position::new(board).filter(|_| legal)
        })
    }

    /// Returns the board with its side to move, rights and clocks.
    pub fn board(&self) -> &Board {
        &self.0
    }

    /// Returns the men on the board.
    pub fn material(&self) -> Material {
        Material::of(&self.0)
    }

    /// Reports whether a castling right is left.
    pub(super) fn may_castle(&self) -> bool {
        Color::ALL.iter().any(|&color| *self.0.castle_rights(color) != CastleRights::EMPTY)
    }

    /// Returns the file on which a capture en passant is legal now; `None` if none is.
    pub fn en_passant(&self) -> Option<File> {
        let file = self.0.en_passant()?;
        let mover = self.0.side_to_move();
        let target = Square::new(file, Rank::Sixth.relative_to(mover));
        let pawns = self.0.colored_pieces(mover, Piece::Pawn);
        let legal = (get_pawn_attacks(target, !mover) & pawns)
            .iter()
            .any(|from| self.0.is_legal(Move { from, to: target, promotion: None }));
        legal.then_some(file)
    }

    /// Reports whether both positions have the same moves, ignoring clocks.
    pub fn same(&self, other: &Position) -> bool {
        // `Board::same_position` accepts any man that can move to the square behind a jumped pawn as its captor.
        let (a, b) = (&self.0, &other.0);
        a.side_to_move() == b.side_to_move()
            && Color::ALL
                .iter()
                .all(|&c| a.colors(c) == b.colors(c) && a.castle_rights(c) == b.castle_rights(c))
            && Piece::ALL.iter().all(|&piece| a.pieces(piece) == b.pieces(piece))
            && self.en_passant() == other.en_passant()
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.0.halfmove_clock() == other.0.halfmove_clock() && self.same(other)
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash_without_ep().hash(state);
        self.0.halfmove_clock().hash(state);
    }
}

/// The set of positions of a game of chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Every legal position.
    Any,
    /// Positions with at most this many men, kings included; castling rights only if all 32 are allowed.
    Men(u32),
    /// The positions of one ending and those that captures and promotions lead to, with either colour having either
    /// side, without castling rights.
    Ending(Material),
}

/// The rules of chess. White is player one.
#[derive(Clone, Debug)]
pub struct Chess {
    start: Position,
    scope: Scope,
    rule50: bool,
    chess960: bool,
    numbering: Arc<Numbering>,
}

impl Default for Chess {
    fn default() -> Chess {
        Chess {
            start: Position(Board::startpos()),
            scope: Scope::Any,
            rule50: false,
            chess960: false,
            numbering: Arc::default(),
        }
    }
}

impl Chess {
    /// Returns chess from the usual start with any legal position allowed; values ignore the fifty-move rule.
    pub fn new() -> Chess {
        Chess::default()
    }

    /// Returns the ending of these men.
    ///
    /// # Errors
    /// One line that says why there is no such ending.
    pub fn ending(material: Material) -> Result<Chess, String> {
        let start = Position::of(material).ok_or("no legal position of these men was found")?;
        Ok(Chess { start, scope: Scope::Ending(material), ..Chess::new() }.numbered([material]))
    }

    /// Returns all endings of at most this many men, kings included (2 to 32); the start has king and queen against
    /// king and rook, or fewer men.
    ///
    /// # Errors
    /// There is no such number of men.
    pub fn men(men: u32) -> Result<Chess, String> {
        let name = match men {
            2 => "KvK",
            3 => "KQvK",
            4..=32 => "KQvKR",
            _ => return Err(format!("{men} men: 2 to 32 were expected")),
        };
        let start = Position::of(Material::read(name)?).expect("these men can stand on a board");
        let chess = Chess { start, scope: Scope::Men(men), ..Chess::new() };
        Ok(if men <= 4 { chess.numbered(Material::all(men)) } else { chess })
    }

    /// Switches the fifty-move rule on or off: if it is on, a hundred plies without a capture or a pawn's move end the
    /// game in a draw, unless the last of them mates.
    pub fn with_rule50(self, on: bool) -> Chess {
        Chess { rule50: on, ..self }
    }

    /// Switches Chess960 on or off: castling from any first row, rights as Shredder-FEN (`HAha`), castling moves as king
    /// takes rook.
    pub fn with_chess960(self, on: bool) -> Chess {
        Chess { chess960: on, ..self }
    }

    /// Adds the indexing of all positions, if they are few enough.
    fn numbered(mut self, endings: impl IntoIterator<Item = Material>) -> Chess {
        if let Some(numbering) = Numbering::new(endings) {
            self.numbering = Arc::new(numbering);
        }
        self
    }

    /// Returns the indexing of the positions; it is empty if they have no table.
    pub(super) fn numbering(&self) -> &Numbering {
        &self.numbering
    }

    /// Reports whether the fifty-move rule ends games.
    pub fn rule50(&self) -> bool {
        self.rule50
    }

    /// Reports whether kings and rooks may castle from other squares than those of the usual start.
    pub fn is_chess960(&self) -> bool {
        self.chess960
    }

    /// Returns the set of positions of the game.
    pub fn scope(&self) -> Scope {
        self.scope
    }
}

impl Game for Chess {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        self.start.clone()
    }

    fn turn(&self, position: &Position) -> Player {
        match position.0.side_to_move() {
            Color::White => Player::One,
            Color::Black => Player::Two,
        }
    }

    fn over(&self, position: &Position) -> Option<Value> {
        let board = &position.0;
        if board.generate_moves(|_| true) {
            return (self.rule50 && board.halfmove_clock() >= 100).then_some(Value::DRAW);
        }
        Some(if board.checkers().is_empty() { Value::DRAW } else { Value::loss_in(0) })
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        let ended = position.0.generate_moves(|moves| moves.into_iter().any(|m| visit(m).is_break()));
        if ended { ControlFlow::Break(()) } else { MORE }
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let mut board = position.0.clone();
        board.play_unchecked(m);
        Position(board)
    }

    /// Clocks are dropped, unless the fifty-move rule ends games.
    fn essence(&self, position: &Position) -> Position {
        if self.rule50 { position.clone() } else { self.without_clock(position) }
    }

    fn without_clock(&self, position: &Position) -> Position {
        if position.0.halfmove_clock() == 0 {
            return position.clone();
        }
        let mut builder = BoardBuilder::from_board(&position.0);
        builder.halfmove_clock = 0;
        builder.build().map_or_else(|_| position.clone(), Position)
    }

    /// Detects the third repetition and the fifty-move rule, in full games and where `rule50` is on. Repetitions do not
    /// affect values; the fifty-move rule does only where `rule50` is on. Other endings are played to the mate.
    fn drawn_by_history(&self, earlier: &[Position], now: &Position) -> bool {
        if self.scope != Scope::Any && !self.rule50 {
            return false;
        }
        let clock = now.0.halfmove_clock();
        // Nothing before the last capture or pawn's move can repeat.
        let since = earlier.len().saturating_sub(usize::from(clock));
        clock >= 100 || earlier[since..].iter().filter(|before| before.same(now)).count() >= 2
    }

    fn clock(&self, position: &Position) -> Option<u32> {
        self.rule50.then(|| position.0.halfmove_clock().into())
    }

    /// The clock goes back by a ply: every move but a capture or a pawn's move then brings the draw again.
    fn unclaimed(&self, position: &Position) -> Option<Position> {
        let clock = position.0.halfmove_clock();
        if clock < 100 || self.over(position) != Some(Value::DRAW) || !position.0.generate_moves(|_| true) {
            return None;
        }
        let mut board = position.0.clone();
        board.set_halfmove_clock(clock - 1);
        Some(Position(board))
    }

    fn repeats(&self, earlier: &Position, now: &Position) -> bool {
        earlier.same(now)
    }

    /// Clocks and move numbers are dropped; boards are mirrored if no castling is possible, and rotated too if there
    /// are no pawns.
    fn canonical(&self, position: &Position) -> Position {
        let board = &position.0;
        let mut builder = BoardBuilder::from_board(board);
        (builder.halfmove_clock, builder.fullmove_number) = (0, 1);
        let passed = position.en_passant().and(builder.en_passant);
        let images = match (position.may_castle(), board.pieces(Piece::Pawn).is_empty()) {
            (true, _) => 1,
            (false, false) => 2,
            (false, true) => 8,
        };
        let squares = Grid { columns: 8, rows: 8 }.symmetries();
        let image = |symmetry: &Vec<usize>| {
            let mut image = builder.clone();
            for square in Square::ALL {
                *image.square_mut(Square::index(symmetry[square as usize])) = builder.square(square);
            }
            image.en_passant = passed.map(|square| Square::index(symmetry[square as usize]));
            image.build().ok()
        };
        let boards = squares.iter().take(images).filter_map(image);
        let least = boards.min_by_key(|board| board.to_string());
        least.map_or_else(|| position.clone(), Position)
    }
}

impl Scored for Chess {}

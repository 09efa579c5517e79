//! Positions as FEN, moves as UCI and SAN, and a board for the terminal.

use std::fmt::Write;

use cozy_chess::util::{display_san_move, display_uci_move, parse_uci_move};
use cozy_chess::{Board, Color, FenParseError, File, Move, Piece, Rank, Square};

use super::rules::{Chess, Position, Scope};
use super::san;
use grundy_core::cells::FREE;
use grundy_core::game::{Game, Notation};
use grundy_core::text::counted;

/// Reads a FEN. Trailing fields may be omitted: white to move, no castling, no en passant, clocks `0 1`.
///
/// A fifty-move clock above 100 counts as 100. Castling rights may be those of Shredder-FEN (`HAha`).
///
/// # Errors
/// One line that says which field is wrong and what was expected.
pub fn read_fen(text: &str) -> Result<Position, String> {
    let position = read_any_fen(text)?;
    let board = &position.0;
    for color in Color::ALL {
        let rights = board.castle_rights(color);
        let (short, long) = (rights.short.unwrap_or(File::H), rights.long.unwrap_or(File::A));
        let castles = rights.short.is_some() || rights.long.is_some();
        if castles && (board.king(color).file(), short, long) != (File::E, File::H, File::A) {
            return Err(
                "castling rights: king or rook is not at home, as only Chess960 (chess:960) allows".into()
            );
        }
    }
    Ok(position)
}

/// Reads a FEN as [`read_fen`] does, with castling rights for kings and rooks on any squares of the first row: as
/// Shredder-FEN (`HAha`) or X-FEN (`KQkq`, the outermost rooks).
///
/// # Errors
/// One line that says which field is wrong and what was expected.
pub fn read_any_fen(text: &str) -> Result<Position, String> {
    let mut fields = ["", "w", "-", "-", "0", "1"];
    let mut given = 0;
    for word in text.split_ascii_whitespace() {
        *fields.get_mut(given).ok_or("a FEN has at most six fields")? = word;
        given += 1;
    }
    if given == 0 {
        return Err("empty; expected a FEN".into());
    }
    let rows: Vec<&str> = fields[0].split('/').collect();
    if let Some(fault) = fault_of_rows(&rows) {
        return Err(format!("the board must be 8 rows of 8 squares, top row first, joined by /: {fault}"));
    }
    if !matches!(fields[1], "w" | "b") {
        return Err(format!("side to move {:?}: expected w or b", fields[1]));
    }
    let number = |word: &str| {
        word.bytes().all(|b| b.is_ascii_digit()).then(|| word.parse::<u32>().unwrap_or(u32::MAX))
    };
    let halfmoves = number(fields[4])
        .ok_or_else(|| format!("fifty-move clock {:?}: expected a number of plies", fields[4]))?;
    let fullmoves =
        number(fields[5]).ok_or_else(|| format!("move number {:?}: expected a number", fields[5]))?;
    let fen = format!(
        "{} {} {} {} {} {}",
        fields[0],
        fields[1],
        shredder(&rows, fields[2]).ok_or_else(|| bad_rights(fields[2]))?,
        fields[3],
        halfmoves.min(100),
        fullmoves.clamp(1, u32::from(u16::MAX)),
    );
    let board = Board::from_fen(&fen, true).map_err(|error| match error {
        FenParseError::InvalidBoard => format!("not a legal position: {}", fault_of_men(&rows, fields[1])),
        FenParseError::InvalidCastlingRights => bad_rights(fields[2]),
        FenParseError::InvalidEnPassant => {
            format!("en passant square {:?}: expected - or the square a pawn has just jumped over", fields[3])
        }
        other => format!("bad FEN: {other}"),
    })?;
    Position::new(board).ok_or_else(|| "not a legal position: the kings stand beside each other".into())
}

/// Returns the first fault in the rows of a board; `None` if there are eight of eight squares.
fn fault_of_rows(rows: &[&str]) -> Option<String> {
    if rows.len() != 8 {
        return Some(format!("this is a text of {}", counted(rows.len(), "row")));
    }
    rows.iter().zip((1..=8).rev()).find_map(|(row, rank)| {
        let mut squares = 0;
        for c in row.chars() {
            squares += match c {
                '1'..='8' => c as usize - '0' as usize,
                _ if "KQRBNPkqrbnp".contains(c) => 1,
                _ => return Some(format!("{c:?} in rank {rank}, {row:?}, is no piece")),
            };
        }
        (squares != 8).then(|| format!("rank {rank}, {row:?}, has {squares}"))
    })
}

/// Returns the first fault of the men on a board that is not legal; `turn` is `w` or `b`.
fn fault_of_men(rows: &[&str], turn: &str) -> String {
    let count =
        |is: &dyn Fn(char) -> bool| rows.iter().flat_map(|row| row.chars()).filter(|&c| is(c)).count();
    for (side, king, pawn) in [("White", 'K', 'P'), ("Black", 'k', 'p')] {
        let is_own = |c: char| c.is_ascii_alphabetic() && c.is_ascii_uppercase() == king.is_ascii_uppercase();
        let (kings, pawns, men) = (count(&|c| c == king), count(&|c| c == pawn), count(&is_own));
        if kings != 1 {
            return format!("{side} has {}, expected one", counted(kings, "king"));
        }
        if pawns > 8 || men > 16 {
            return format!("{side} has {men} men, of them {pawns} pawns; expected at most 16 and 8");
        }
    }
    if [rows.first(), rows.last()].into_iter().flatten().any(|row| row.contains(['P', 'p'])) {
        return "a pawn stands on rank 1 or 8".to_owned();
    }
    let (moves, waits) = if turn == "w" { ("White", "Black") } else { ("Black", "White") };
    format!("{waits} is in check and {moves} is to move, or three men give check")
}

/// Returns the refusal of castling rights.
fn bad_rights(rights: &str) -> String {
    format!(
        "castling rights {rights:?}: expected - or some of KQkq with king and rook at home, or files of rooks as in HAha"
    )
}

/// Translates castling rights to the files of the rooks: `K` and `Q` are the outermost rooks beside the king. `None` if
/// there is no such rook.
fn shredder(rows: &[&str], rights: &str) -> Option<String> {
    if rights == "-" {
        return Some(rights.to_owned());
    }
    let right = |letter: char| {
        let white = letter.is_ascii_uppercase();
        let row = if white { rows.last()? } else { rows.first()? };
        let blanks = |c: char| std::iter::repeat_n('.', c.to_digit(10).unwrap_or(0) as usize);
        let cells: Vec<char> =
            row.chars().flat_map(|c| blanks(c).chain((!c.is_ascii_digit()).then_some(c))).collect();
        let (king, rook) = if white { ('K', 'R') } else { ('k', 'r') };
        let king = cells.iter().position(|&cell| cell == king)?;
        let file = match letter.to_ascii_lowercase() {
            'k' => cells.iter().rposition(|&cell| cell == rook).filter(|&at| at > king)?,
            'q' => cells.iter().position(|&cell| cell == rook).filter(|&at| at < king)?,
            _ => return Some(letter),
        };
        let file: char = File::try_index(file)?.into();
        Some(if white { file.to_ascii_uppercase() } else { file })
    };
    rights.chars().map(right).collect()
}

/// Writes a FEN, with an en passant square only if such a capture is legal.
pub fn write_fen(position: &Position) -> String {
    passed(position, position.0.to_string())
}

/// Returns the FEN without a square for a capture en passant that is not legal.
fn passed(position: &Position, fen: String) -> String {
    if position.0.en_passant().is_some() && position.en_passant().is_none() {
        let mut fields: Vec<&str> = fen.split(' ').collect();
        fields[3] = "-";
        return fields.join(" ");
    }
    fen
}

/// Returns a legal move in standard algebraic notation: `Nbd2`, `exd6`, `O-O`, `e8=Q+`, `Qxf7#`.
pub fn write_san(position: &Position, m: Move) -> String {
    display_san_move(&position.0, m).to_string()
}

impl Notation for Chess {
    fn write_position(&self, position: &Position) -> String {
        if self.is_chess960() { passed(position, format!("{:#}", position.0)) } else { write_fen(position) }
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let position = if self.is_chess960() { read_any_fen(text)? } else { read_fen(text)? };
        let material = position.material();
        match self.scope() {
            Scope::Any => {}
            // With all men nothing is left to tables, which hold no castling rights.
            Scope::Men(32) => {}
            _ if position.may_castle() => return Err("castling rights: none are allowed in an ending".into()),
            Scope::Men(men) if material.men() > men => {
                return Err(format!("{} men: at most {men} were expected", material.men()));
            }
            Scope::Ending(ending) if !ending.leads_to(material) && !ending.leads_to(material.swapped()) => {
                return Err(format!("the men are {material}: expected {ending} or what can come of it"));
            }
            Scope::Men(_) | Scope::Ending(_) => {}
        }
        Ok(position)
    }

    fn cells(&self, position: &Position, cells: &mut Vec<u8>) {
        let board = &position.0;
        let begin = cells.len();
        cells.resize(begin + Square::NUM, FREE);
        for (color, letters) in Color::ALL.into_iter().zip([b"PNBRQK", b"pnbrqk"]) {
            for (piece, &letter) in Piece::ALL.into_iter().zip(letters) {
                for square in board.colored_pieces(color, piece) {
                    // A FEN begins with the last rank.
                    cells[begin + (square as usize ^ 0b111_000)] = letter;
                }
            }
        }
    }

    fn write_move(&self, position: &Position, m: Move) -> String {
        // A move of `cozy-chess` castles as the king taking his own rook.
        if self.is_chess960() { m.to_string() } else { display_uci_move(&position.0, m).to_string() }
    }

    /// Reads UCI, castling also as king takes rook, and SAN by the import format of PGN.
    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        if self.over(position).is_some() {
            return None;
        }
        if let Ok(m) = parse_uci_move(&position.0, word) {
            let same = display_uci_move(&position.0, m).to_string() == word || m.to_string() == word;
            if same && position.0.is_legal(m) {
                return Some(m);
            }
        }
        san::read(self, position, word)
    }

    fn write_note(&self, position: &Position, m: Move) -> String {
        write_san(position, m)
    }

    fn draw(&self, position: &Position) -> String {
        let board = &position.0;
        let mut text = String::new();
        for rank in Rank::ALL.iter().rev() {
            let _ = write!(text, "{rank} ");
            for &file in &File::ALL {
                let square = Square::new(file, *rank);
                let mark = board.piece_on(square).map_or('.', |piece| {
                    let letter = char::from(piece);
                    match board.color_on(square) {
                        Some(cozy_chess::Color::White) => letter.to_ascii_uppercase(),
                        _ => letter,
                    }
                });
                let _ = write!(text, " {mark}");
            }
            text.push('\n');
        }
        text.push_str("   a b c d e f g h\n");
        let side = if board.side_to_move() == cozy_chess::Color::White { "white" } else { "black" };
        let _ = writeln!(text, "{side} to move");
        text
    }
}

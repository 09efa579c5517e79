//! Moves in algebraic notation as people and programs write them: SAN, and the extensions of PGN's import format.
//!
//! Accepted are also `0-0`, `Nge2` and `Ng1e2` when less would suffice, `Ng1-f3`, `Nf3xe5` and `N:e5`, captures without
//! their sign, `e8Q`, `e8(Q)` and `e8/Q`, `exd6 e.p.` in one word, missing or wrong check marks, and figurines (`♘f3`).
//! Source: PGN standard 8.2.3.

use cozy_chess::{File, Move, Piece, Rank, Square};

use super::rules::{Chess, Position};
use grundy_core::game::{MORE, each_move};

/// Maximum length of a word, more than `Qa1xb2=(Q)+!?e.p.` has.
const LONGEST: usize = 20;

/// Reads a move; `None` if the word fits no legal move, or several.
pub(crate) fn read(game: &Chess, position: &Position, word: &str) -> Option<Move> {
    let word = &plain(word);
    if !word.is_ascii() || word.len() > LONGEST {
        return None;
    }
    let marks = ['+', '#', '!', '?'];
    let bare = word.trim_end_matches(marks);
    let bare = bare.strip_suffix("e.p.").or(bare.strip_suffix("ep")).unwrap_or(bare).trim_end_matches(marks);
    let wanted = Wanted::castling(bare).or_else(|| Wanted::squares(bare))?;
    let mut found = [None, None];
    let _ = each_move(game, position, &mut |m| {
        if wanted.is(position, m) {
            found = [Some(m), found[0]];
        }
        MORE
    });
    match found {
        [Some(only), None] => Some(only),
        _ => None,
    }
}

/// Replaces figurines by letters.
fn plain(word: &str) -> String {
    let letter = |c: char| match c {
        '♙' | '♟' => None,
        '♔' | '♚' => Some('K'),
        '♕' | '♛' => Some('Q'),
        '♖' | '♜' => Some('R'),
        '♗' | '♝' => Some('B'),
        '♘' | '♞' => Some('N'),
        // Selects the form of the letter before it.
        '\u{fe0e}' | '\u{fe0f}' => None,
        other => Some(other),
    };
    word.chars().take(2 * LONGEST).filter_map(letter).collect()
}

/// The constraints that a word puts on a move.
enum Wanted {
    /// Castling, and whether towards the h-file.
    Castling { short: bool },
    /// The piece, the known parts of its origin, its destination, and the promotion.
    Squares { piece: Piece, file: Option<File>, rank: Option<Rank>, to: Square, becomes: Option<Piece> },
}

impl Wanted {
    fn castling(word: &str) -> Option<Wanted> {
        let same = |sign: char| word.replace(sign, "O");
        let plain = [same('0'), same('o'), same('O')];
        let short = plain.iter().any(|word| word == "O-O");
        (short || plain.iter().any(|word| word == "O-O-O")).then_some(Wanted::Castling { short })
    }

    fn squares(word: &str) -> Option<Wanted> {
        let (piece, rest) = match word.strip_prefix(['K', 'Q', 'R', 'B', 'N', 'P']) {
            Some(rest) => (word.chars().next()?.to_ascii_lowercase().try_into().ok()?, rest),
            None => (Piece::Pawn, word),
        };
        let (rest, becomes) = promotion(rest);
        let signs = ['x', ':', '-'];
        // There is at most one sign between the two squares.
        let squares: String = rest.replacen(signs, "", 1);
        let at = squares.len().checked_sub(2)?;
        let to = squares.get(at..)?.parse().ok()?;
        let (file, rank) = match &squares.as_bytes()[..at] {
            [] => (None, None),
            [file @ b'a'..=b'h'] => (Some(File::index(usize::from(file - b'a'))), None),
            [rank @ b'1'..=b'8'] => (None, Some(Rank::index(usize::from(rank - b'1')))),
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
                (Some(File::index(usize::from(file - b'a'))), Some(Rank::index(usize::from(rank - b'1'))))
            }
            _ => return None,
        };
        Some(Wanted::Squares { piece, file, rank, to, becomes })
    }

    fn is(&self, position: &Position, m: Move) -> bool {
        let board = &position.0;
        // Castling is a move of the king to his own rook here.
        let castles = board.color_on(m.to) == Some(board.side_to_move());
        match *self {
            Wanted::Castling { short } => castles && short == (m.to.file() > m.from.file()),
            Wanted::Squares { piece, file, rank, to, becomes } => {
                !castles
                    && m.to == to
                    && m.promotion == becomes
                    && board.piece_on(m.from) == Some(piece)
                    && file.is_none_or(|file| m.from.file() == file)
                    && rank.is_none_or(|rank| m.from.rank() == rank)
            }
        }
    }
}

/// Splits off a promotion: `=Q`, `Q`, `(Q)`, `=(Q)` or `/Q`, in small letters too.
fn promotion(word: &str) -> (&str, Option<Piece>) {
    let inner = word.strip_suffix(')').unwrap_or(word);
    let Some(letter) = inner.chars().next_back().filter(|c| "QRBNqrbn".contains(*c)) else {
        return (word, None);
    };
    let rest = &inner[..inner.len() - 1];
    let rest = if inner.len() < word.len() { rest.strip_suffix('(').unwrap_or(rest) } else { rest };
    let rest = rest.strip_suffix(['=', '/']).unwrap_or(rest);
    (rest, letter.to_ascii_lowercase().try_into().ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::read_fen;

    fn moves(fen: &str, words: &[&str]) -> Vec<String> {
        let game = Chess::default();
        let position = read_fen(fen).unwrap();
        let shown = |word: &&str| read(&game, &position, word).map_or("-".to_owned(), |m| m.to_string());
        words.iter().map(shown).collect()
    }

    #[test]
    fn moves_are_read_as_programs_and_people_write_them() {
        let start = "r3k2r/pP3ppp/8/3pP3/8/2N3N1/PPP2PPP/R3K2R w KQkq d6 0 1";
        let castling = ["O-O", "0-0", "o-o", "O-O+", "0-0-0", "O-O-O!?"];
        assert_eq!(moves(start, &castling), ["e1h1", "e1h1", "e1h1", "e1h1", "e1a1", "e1a1"]);
        let knights = ["Nce2", "Nc3e2", "Nc3-e2", "Nge2+", "Ne2", "N3e2", "Nd5", "Nxd5", "N:d5", "Nd5#"];
        assert_eq!(
            moves(start, &knights),
            ["c3e2", "c3e2", "c3e2", "g3e2", "-", "-", "c3d5", "c3d5", "c3d5", "c3d5"]
        );
        let promotions = ["b8=Q", "b8Q", "b8q", "b8(Q)", "b8=(Q)", "b8/N", "bxa8=R+", "b7xa8R", "b8"];
        assert_eq!(
            moves(start, &promotions),
            ["b7b8q", "b7b8q", "b7b8q", "b7b8q", "b7b8q", "b7b8n", "b7a8r", "b7a8r", "-"]
        );
        let pawns = ["exd6", "exd6e.p.", "exd6ep", "e5xd6+", "ed6", "e:d6", "Pe6", "e6", "e5-e6"];
        assert_eq!(
            moves(start, &pawns),
            ["e5d6", "e5d6", "e5d6", "e5d6", "e5d6", "e5d6", "e5e6", "e5e6", "e5e6"]
        );
        let printed = ["♘ge2", "♞c3xd5", "♙e6", "♟︎e6", "b8=♕"];
        assert_eq!(moves(start, &printed), ["g3e2", "c3d5", "e5e6", "e5e6", "b7b8q"]);
        for bad in
            ["", "x", "O", "O-O-O-O", "Kh1", "Kg1", "--", "e", "=Q", "(Q)", "b8=K", "Nd5d5d5", "e4e5", "1-0"]
        {
            assert_eq!(moves(start, &[bad]), ["-"], "{bad}");
        }
    }
}

//! Chess moves in standard algebraic notation, which PGN asks for.

use grundy::game::{Game, Notation, legal_moves};
use grundy::games::chess::{Chess, read_fen, write_san};

/// The moves of a line in SAN, from their UCI words.
///
/// # Errors
/// The start is no FEN or a word is no legal move; one line.
pub fn line<'w>(fen: &str, words: impl Iterator<Item = &'w String>) -> Result<Vec<String>, String> {
    let game = Chess::new();
    let mut position = read_fen(fen)?;
    let mut line = Vec::new();
    for word in words {
        let m =
            game.read_move(&position, word).ok_or_else(|| format!("{word:?} is no legal move of chess"))?;
        line.push(write_san(&position, m));
        position = game.play(&position, m);
    }
    Ok(line)
}

/// The UCI word of a move in SAN; signs for check and mate may be left out, and UCI words are read too.
///
/// # Errors
/// The position is no FEN, or no legal move is written so; one line.
pub fn read(fen: &str, word: &str) -> Result<String, String> {
    let game = Chess::new();
    let position = read_fen(fen)?;
    let bare = |text: &str| text.trim_end_matches(['+', '#', '!', '?']).replace("=", "");
    let wanted = bare(word);
    let named = |&m: &<Chess as Game>::Move| {
        bare(&write_san(&position, m)) == wanted || game.write_move(&position, m) == word
    };
    let found = legal_moves(&game, &position).into_iter().find(named);
    found.map(|m| game.write_move(&position, m)).ok_or_else(|| format!("{word:?} is no legal move of chess"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_named_as_chess_players_name_them() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let words = ["f2f3", "e7e5", "g2g4", "d8h4"].map(str::to_string);
        assert_eq!(line(start, words.iter()).unwrap(), ["f3", "e5", "g4", "Qh4#"]);
        assert!(line(start, ["e2e5".to_string()].iter()).is_err());
    }
}

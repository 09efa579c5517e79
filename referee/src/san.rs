//! Moves as people write them (in chess: standard algebraic notation), which PGN and EPD ask for.

use grundy_session::{Catalog, Session};

use crate::truth;

/// The game that PGN, EPD and SAN were made for.
///
/// # Errors
/// The catalog has no such game; one line.
pub fn game(catalog: &Catalog) -> Result<&'static str, String> {
    catalog
        .standard()
        .map(|row| row.name)
        .ok_or_else(|| "there is no chess here: EPD is for chess".to_string())
}

/// A session of that game in this position.
fn set_up(catalog: &Catalog, fen: &str) -> Result<Session, String> {
    let mut rules = truth::rules(catalog, game(catalog)?)?;
    rules.setup(Some(fen)).map_err(|why| why.to_string())?;
    Ok(rules)
}

/// The moves of a line in SAN, from their UCI words.
///
/// # Errors
/// The start is no FEN or a word is no legal move; one line.
pub fn line<'w>(
    catalog: &Catalog,
    fen: &str,
    words: impl Iterator<Item = &'w String>,
) -> Result<Vec<String>, String> {
    let mut rules = set_up(catalog, fen)?;
    let mut line = Vec::new();
    for word in words {
        line.push(rules.note(word).ok_or_else(|| format!("{word:?} is no legal move of chess"))?);
        rules.play(word).map_err(|why| why.to_string())?;
    }
    Ok(line)
}

/// The UCI word of a move in SAN; signs for check and mate may be left out, and UCI words are read too.
///
/// # Errors
/// The position is no FEN, or no legal move is written so; one line.
pub fn read(catalog: &Catalog, fen: &str, word: &str) -> Result<String, String> {
    let mut rules = set_up(catalog, fen)?;
    let bare = |text: &str| text.trim_end_matches(['+', '#', '!', '?']).replace("=", "");
    let wanted = bare(word);
    let moves = rules.legal_moves(usize::MAX);
    let named = |m: &String| m == word || rules.note(m).is_some_and(|note| bare(&note) == wanted);
    let found = moves.into_iter().find(named);
    found.ok_or_else(|| format!("{word:?} is no legal move of chess"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::CATALOG;

    #[test]
    fn moves_are_named_as_chess_players_name_them() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let words = ["f2f3", "e7e5", "g2g4", "d8h4"].map(str::to_string);
        assert_eq!(line(&CATALOG, start, words.iter()).unwrap(), ["f3", "e5", "g4", "Qh4#"]);
        assert!(line(&CATALOG, start, ["e2e5".to_string()].iter()).is_err());
        assert_eq!(read(&CATALOG, start, "Nf3").as_deref(), Ok("g1f3"));
    }
}

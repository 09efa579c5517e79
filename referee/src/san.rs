//! Standard algebraic notation, which PGN asks for.

use grundy_session::Catalog;

use crate::games;

/// Returns the game that PGN, EPD and SAN are for.
///
/// # Errors
/// The catalog has no such game; one line.
pub fn game(catalog: &Catalog) -> Result<&'static str, String> {
    catalog
        .standard()
        .map(|row| row.name)
        .ok_or_else(|| "there is no chess here: EPD is for chess".to_string())
}

/// Returns the moves of a line of `game`, which is chess in one of its forms, in SAN, from their UCI notation.
///
/// # Errors
/// The start is no position of the game or a word is no legal move; one line.
pub fn line<'w>(
    catalog: &Catalog,
    game: &str,
    fen: &str,
    words: impl Iterator<Item = &'w String>,
) -> Result<Vec<String>, String> {
    let mut rules = games::rules(catalog, game)?;
    rules.setup(Some(fen)).map_err(|why| why.to_string())?;
    let mut line = Vec::new();
    for word in words {
        line.push(rules.note(word).ok_or_else(|| format!("{word:?} is no legal move of chess"))?);
        rules.play(word).map_err(|why| why.to_string())?;
    }
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::CATALOG;

    #[test]
    fn moves_are_named_as_chess_players_name_them() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let words = ["f2f3", "e7e5", "g2g4", "d8h4"].map(str::to_string);
        assert_eq!(line(&CATALOG, "chess", start, words.iter()).unwrap(), ["f3", "e5", "g4", "Qh4#"]);
        assert!(line(&CATALOG, "chess", start, ["e2e5".to_string()].iter()).is_err());
    }
}

//! The notation of positions and moves for one engine: ours, or that of its UCI variant.

use grundy_session::{Catalog, Variant, sections};

use crate::games;
use crate::setup::Setup;

/// The notation that an engine reads and writes. The default is ours.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notation {
    /// The UCI variant whose notation it uses.
    variant: Option<Variant>,
    /// The game's start, for an engine that would start elsewhere, or whose notation needs the board.
    start: Option<String>,
}

impl Notation {
    /// Returns the notation of a game for an engine without an option `Game`. `variant` is the value of its option
    /// `UCI_Variant`.
    pub fn of(catalog: &Catalog, game: &str, variant: Option<&str>) -> Notation {
        let variant =
            variant.and_then(|name| catalog.variant(name)).filter(|variant| same_game(variant.game, game));
        let row = catalog.row(game).filter(|row| row.standard);
        let begins_elsewhere = row.is_some_and(|row| row.name != game);
        let start = (variant.is_some() || begins_elsewhere)
            .then(|| games::rules(catalog, game).map(|rules| rules.position()).ok())
            .flatten();
        Notation { variant, start }
    }

    /// Returns the command that sets up a position, as this engine reads it.
    pub fn position(&self, setup: &Setup) -> String {
        let Some(start) = &self.start else { return setup.to_string() };
        let start = setup.start.as_ref().unwrap_or(start);
        let (start, moves) = match self.variant {
            None => (start.clone(), setup.moves.clone()),
            Some(variant) => (variant.position_out(start), variant.line_out(&setup.moves, start)),
        };
        Setup { start: Some(start), moves }.to_string()
    }

    /// Returns a move that the engine named in our notation.
    pub fn move_in(&self, word: &str) -> String {
        self.variant.map_or_else(|| word.to_string(), |variant| variant.move_in(word))
    }
}

/// Returns the line that tells an engine the game, and the notation from then on: by its option `Game`, else by the
/// `UCI_Variant` that is the game.
pub fn choose(
    catalog: &Catalog,
    game: &str,
    has_game: bool,
    variants: &[String],
) -> (Option<String>, Notation) {
    let game = &without_repetition(game);
    if has_game {
        return (Some(format!("setoption name Game value {game}")), Notation::default());
    }
    let variant = variant_of(catalog, game, variants);
    (
        variant.map(|name| format!("setoption name UCI_Variant value {name}")),
        Notation::of(catalog, game, variant),
    )
}

/// Returns a game's name without the section `repeat=3`: the referee itself ends a game at the third repetition, and
/// other engines do not know the section.
pub fn without_repetition(game: &str) -> String {
    sections(game).into_iter().filter(|section| !section.starts_with("repeat=")).collect::<Vec<_>>().join(":")
}

/// Returns the variants that an `option` line names.
pub fn variants_in(line: &str) -> Vec<String> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let is_it = words.starts_with(&["option", "name", "UCI_Variant"]);
    let named = words.windows(2).filter(|pair| is_it && pair[0] == "var");
    named.map(|pair| pair[1].to_string()).collect()
}

/// Reports whether a game is chess from shuffled starts.
pub fn is_chess960(catalog: &Catalog, game: &str) -> bool {
    catalog.is_standard(game) && sections(game).contains(&"960")
}

/// Returns the variant that is this game.
pub fn variant_of<'a>(catalog: &Catalog, game: &str, variants: &'a [String]) -> Option<&'a str> {
    let is_it = |name: &&String| match catalog.variant(name) {
        Some(variant) => same_game(variant.game, game),
        None => catalog.row(game).is_some_and(|row| row.standard && row.name == name.as_str()),
    };
    variants.iter().find(is_it).map(String::as_str)
}

/// Reports whether a game's name, perhaps without its parameters, is that of a variant's game.
fn same_game(full: &str, game: &str) -> bool {
    full == game || full.split(':').next() == Some(game)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::CATALOG;

    #[test]
    fn the_section_for_repetition_stays_with_the_referee() {
        let (told, _) = choose(&CATALOG, "lgame:repeat=3", true, &[]);
        assert_eq!(told.unwrap(), "setoption name Game value lgame");
    }

    #[test]
    fn variants_are_spelled_in_the_words_of_others() {
        let names =
            variants_in("option name UCI_Variant type combo default chess var chess var tictactoe var cfour");
        assert_eq!(names, ["chess", "tictactoe", "cfour"]);
        assert_eq!(variant_of(&CATALOG, "connect4", &names), Some("cfour"));
        assert_eq!(variant_of(&CATALOG, "connect4:7x6", &names), Some("cfour"));
        assert_eq!(variant_of(&CATALOG, "connect4:6x5", &names), None);
        assert_eq!(variant_of(&CATALOG, "tictactoe:misere", &names), None);
        assert_eq!(variant_of(&CATALOG, "chess:KQvKR", &names), Some("chess"));

        let notation = Notation::of(&CATALOG, "tictactoe", Some("tictactoe"));
        let line = notation.position(&Setup::read("startpos moves b2 a1"));
        assert_eq!(line, "position fen 3/3/3[PPPPPpppp] w - - 0 1 moves P@b2 P@a1");
        let line = notation.position(&Setup::position("X../.O./... 1"));
        assert_eq!(line, "position fen P2/1p1/3[PPPPppp] w - - 0 2");
        assert_eq!(notation.move_in("P@c3"), "c3");

        let notation = Notation::of(&CATALOG, "connect4", Some("cfour"));
        let line = notation.position(&Setup::read("startpos moves d d"));
        assert!(line.ends_with(" w - - 0 1 moves P@d1 P@d2"), "{line}");
        assert_eq!(notation.move_in("P@d3"), "d");
    }

    #[test]
    fn an_ending_is_set_up_for_an_engine_that_knows_no_endings() {
        let notation = Notation::of(&CATALOG, "chess:KQvKR", Some("chess"));
        let line = notation.position(&Setup::read("startpos moves a1a2"));
        assert!(line.starts_with("position fen ") && line.ends_with(" moves a1a2"), "{line}");
        assert_eq!(Notation::of(&CATALOG, "chess", Some("chess")), Notation::default());
        let plain = Notation::of(&CATALOG, "nim:3,5", None);
        assert_eq!(plain.position(&Setup::default()), "position startpos");
    }
}

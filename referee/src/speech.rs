//! How positions and moves are spelled for one engine: in our words, or in those of its UCI variant.

use std::borrow::Cow;

use grundy_session::{Catalog, Variant, sections};

use crate::truth;

/// The spelling that an engine reads and writes. The default is our own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Speech {
    /// The variant whose words it speaks.
    variant: Option<Variant>,
    /// The game's start, for an engine that would begin elsewhere or whose words need the board.
    start: Option<String>,
}

impl Speech {
    /// The spelling of a game for an engine that cannot be told the game by its name. `variant` is what its option
    /// `UCI_Variant` was set to.
    pub fn of(catalog: &Catalog, game: &str, variant: Option<&str>) -> Speech {
        let variant =
            variant.and_then(|name| catalog.variant(name)).filter(|variant| same_game(variant.game, game));
        let row = catalog.row(game).filter(|row| row.standard);
        let begins_elsewhere = row.is_some_and(|row| row.name != game);
        let start = (variant.is_some() || begins_elsewhere)
            .then(|| truth::rules(catalog, game).map(|rules| rules.position()).ok())
            .flatten();
        Speech { variant, start }
    }

    /// A command that sets up a position (`position startpos moves ..`, `position fen F`), as this engine spells it;
    /// any other line as it is.
    pub fn position<'a>(&self, command: &'a str) -> Cow<'a, str> {
        let (Some(start), Some(rest)) = (&self.start, command.strip_prefix("position ")) else {
            return Cow::Borrowed(command);
        };
        let (placed, moves) = rest.split_once(" moves ").unwrap_or((rest, ""));
        let placed = match placed.trim().strip_prefix("fen ") {
            Some(fen) => fen,
            None if placed.trim() == "startpos" => start,
            None => return Cow::Borrowed(command),
        };
        let (placed, moves) = match self.variant {
            None => (placed.to_string(), moves.to_string()),
            Some(variant) => {
                let ours: Vec<String> = moves.split_ascii_whitespace().map(str::to_string).collect();
                (variant.position_out(placed), variant.line_out(&ours, placed).join(" "))
            }
        };
        let moves = if moves.is_empty() { moves } else { format!(" moves {moves}") };
        Cow::Owned(format!("position fen {placed}{moves}"))
    }

    /// A move that the engine named, in our words.
    pub fn move_in(&self, word: &str) -> String {
        self.variant.map_or_else(|| word.to_string(), |variant| variant.move_in(word))
    }
}

/// How an engine is told the game, where it can be, and how it is spoken to from then on: by its option `Game`, else by
/// that of its `UCI_Variant`s which is the game.
pub fn choose(
    catalog: &Catalog,
    game: &str,
    has_game: bool,
    variants: &[String],
) -> (Option<String>, Speech) {
    let game = &without_repetition(game);
    if has_game {
        return (Some(format!("setoption name Game value {game}")), Speech::default());
    }
    let variant = variant_of(catalog, game, variants);
    (
        variant.map(|name| format!("setoption name UCI_Variant value {name}")),
        Speech::of(catalog, game, variant),
    )
}

/// A game's name without the section `repeat=3`: the referee itself ends a game at the third repetition, and engines of
/// others do not know the section.
fn without_repetition(game: &str) -> String {
    sections(game).into_iter().filter(|section| !section.starts_with("repeat=")).collect::<Vec<_>>().join(":")
}

/// The variants that an `option` line names.
pub fn variants_in(line: &str) -> Vec<String> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let is_it = words.starts_with(&["option", "name", "UCI_Variant"]);
    let named = words.windows(2).filter(|pair| is_it && pair[0] == "var");
    named.map(|pair| pair[1].to_string()).collect()
}

/// The `UCI_Variant`, among those an engine has, that is this game.
fn variant_of<'a>(catalog: &Catalog, game: &str, variants: &'a [String]) -> Option<&'a str> {
    let is_it = |name: &&String| match catalog.variant(name) {
        Some(variant) => same_game(variant.game, game),
        None => catalog.row(game).is_some_and(|row| row.standard && row.name == name.as_str()),
    };
    variants.iter().find(is_it).map(String::as_str)
}

/// Whether a name, perhaps without its parameters, is that of a variant's game.
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

        let speech = Speech::of(&CATALOG, "tictactoe", Some("tictactoe"));
        let line = speech.position("position startpos moves b2 a1");
        assert_eq!(line, "position fen 3/3/3[PPPPPpppp] w - - 0 1 moves P@b2 P@a1");
        assert_eq!(speech.position("position fen X../.O./... 1"), "position fen P2/1p1/3[PPPPppp] w - - 0 2");
        assert_eq!(speech.move_in("P@c3"), "c3");

        let speech = Speech::of(&CATALOG, "connect4", Some("cfour"));
        let line = speech.position("position startpos moves d d");
        assert!(line.ends_with(" w - - 0 1 moves P@d1 P@d2"), "{line}");
        assert_eq!(speech.move_in("P@d3"), "d");
    }

    #[test]
    fn an_ending_is_set_up_for_an_engine_that_knows_no_endings() {
        let speech = Speech::of(&CATALOG, "chess:KQvKR", Some("chess"));
        let line = speech.position("position startpos moves a1a2");
        assert!(line.starts_with("position fen ") && line.ends_with(" moves a1a2"), "{line}");
        for other in ["isready", "position", "position nonsense", "position fen 8/8 w"] {
            assert_eq!(speech.position(other), other, "only positions are spelled");
        }
        assert_eq!(Speech::of(&CATALOG, "chess", Some("chess")), Speech::default());
        assert_eq!(Speech::of(&CATALOG, "nim:3,5", None).position("position startpos"), "position startpos");
    }
}

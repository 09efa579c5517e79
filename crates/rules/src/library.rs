//! The games of the folder `rules/`, built into the program.

/// Each game's name and its file.
const GAMES: &[(&str, &str)] = &[("tictactoe", include_str!("../../../rules/tictactoe.rbg"))];

/// The file of a game.
pub fn game(name: &str) -> Option<&'static str> {
    GAMES.iter().find(|(other, _)| *other == name).map(|(_, text)| *text)
}

/// The names of all games.
pub fn names() -> Vec<&'static str> {
    GAMES.iter().map(|(name, _)| *name).collect()
}

//! The games of the folder `rules/`, built into the program.

/// Defines the constants of the games with these names.
macro_rules! games {
    ($($name:literal)*) => {
        /// Each game's name and its file.
        const GAMES: &[(&str, &str)] = &[$(($name, include_str!(concat!("../../../rules/", $name, ".rbg")))),*];
        /// Each game's name and its name in the catalog: `konane` and `rules:konane`.
        pub const FULL_NAMES: &[(&str, &str)] = &[$(($name, concat!("rules:", $name))),*];
    };
}

games! {
    "tictactoe"
    "achi"
    "breakthrough"
    "clobber"
    "col"
    "connect4"
    "dodgem"
    "domineering"
    "fox-and-hounds"
    "hex"
    "hexapawn"
    "konane"
    "lgame"
    "mnk"
    "mu-torere"
    "nim"
    "nine-holes"
    "notakto"
    "picaria"
    "pong-hau-ki"
    "quixo"
    "quixo-4x4"
    "reversi"
    "shisima"
    "six-mens-morris"
    "snort"
    "teeko"
    "three-mens-morris"
}

/// Returns the file of a game; `None` if there is no such game.
pub fn game(name: &str) -> Option<&'static str> {
    GAMES.iter().find(|(other, _)| *other == name).map(|(_, text)| *text)
}

/// Returns the names of all games.
pub fn names() -> Vec<&'static str> {
    GAMES.iter().map(|(name, _)| *name).collect()
}

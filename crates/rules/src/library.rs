//! The games of the folder `rules/`, built into the program.

/// The games, each by its name and with its file.
macro_rules! games {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../../rules/", $name, ".rbg")))),*]
    };
}

/// Each game's name and its file.
const GAMES: &[(&str, &str)] = games! {
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
};

/// The file of a game.
pub fn game(name: &str) -> Option<&'static str> {
    GAMES.iter().find(|(other, _)| *other == name).map(|(_, text)| *text)
}

/// The names of all games.
pub fn names() -> Vec<&'static str> {
    GAMES.iter().map(|(name, _)| *name).collect()
}

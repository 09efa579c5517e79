//! The rules files of this folder, built into the programs: the games `rules:NAME`.

/// Defines the constants of the games with these names.
macro_rules! games {
    ($($name:literal)*) => {
        /// Each game's name and its file.
        const GAMES: &[(&str, &str)] = &[$(($name, include_str!(concat!($name, ".rbg")))),*];
        /// Each game's name and its name in the catalog, `konane` and `rules:konane`, and further names of some.
        pub const FULL_NAMES: &[(&str, &str)] = &[
            $(($name, concat!("rules:", $name)),)*
            ("1d-chess", "rules:chess-1d"),
            ("mu-torere:rule=A", "rules:mu-torere-a"),
            ("mu-torere:rule=B", "rules:mu-torere-b"),
            ("mu-torere:rule=C", "rules:mu-torere-c"),
            ("mu-torere:rule=D", "rules:mu-torere-d"),
            ("mu-torere:rule=E", "rules:mu-torere"),
        ];
    };
}

games! {
    "tictactoe"
    "achi"
    "amazons-4x4"
    "atari-go-3x4"
    "bagh-chal"
    "black-path"
    "breakthrough"
    "bridg-it"
    "chess-1d"
    "chung-toi"
    "clobber"
    "clobber-3x6"
    "clobber-impartial"
    "col"
    "connect4"
    "connect4-popout"
    "dao"
    "dao-trap"
    "dodgem"
    "dodgem-4x4"
    "domineering"
    "euclid"
    "four-field-kono"
    "fox-and-hounds"
    "geography"
    "hare-and-hounds"
    "hare-and-hounds-5"
    "hare-and-hounds-7"
    "hex"
    "hexapawn"
    "hip"
    "infinite-tictactoe"
    "isola"
    "joust"
    "joust-5x4"
    "joust-5x5"
    "kaooa"
    "kaooa-seven"
    "konane"
    "konane-4x5"
    "konane-4x6"
    "konane-5x5"
    "len-choa"
    "lewthwaite"
    "lgame"
    "mnk"
    "mu-torere"
    "mu-torere-a"
    "mu-torere-b"
    "mu-torere-c"
    "mu-torere-d"
    "neutreeko"
    "nim"
    "nine-holes"
    "node-kayles"
    "nogo-3x4"
    "nogo-impartial"
    "notakto"
    "numerical-tictactoe"
    "picaria"
    "pong-hau-ki"
    "quixo"
    "quixo-4x4"
    "reversi"
    "reversi-free"
    "rex"
    "shisima"
    "sim-5"
    "six-mens-morris"
    "slimetrail"
    "snort"
    "tant-fant"
    "teeko"
    "three-mens-morris"
    "tic-tac-two-4x4"
    "tictactoe-3d"
    "tictactoe-3d-gravity"
    "tictactoe-torus"
    "tippy"
    "tsoro-yematatu"
    "tsoro-yematatu-stuck"
    "wild-misere"
    "wild-tictactoe"
    "y-4"
}

/// Returns the file of a game; `None` if there is no such game.
pub fn game(name: &str) -> Option<&'static str> {
    GAMES.iter().find(|(other, _)| *other == name).map(|(_, text)| *text)
}

/// Returns the names of all games.
pub fn names() -> Vec<&'static str> {
    GAMES.iter().map(|(name, _)| *name).collect()
}

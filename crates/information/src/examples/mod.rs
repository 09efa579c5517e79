//! Named games: bimatrix games of the textbooks, and card and dice games as trees.

mod dice;
mod goofspiel;
mod kuhn;
mod leduc;
mod myerson;

use crate::bimatrix::Bimatrix;
use crate::fraction::{Fraction, ratio};
use crate::matrix::Matrix;
use crate::tree::Tree;

pub use kuhn::MOST_CARDS;

/// A bimatrix game with a name.
struct Named {
    name: &'static str,
    about: &'static str,
    /// Payoffs to the row player and the column player.
    row: &'static [&'static [i64]],
    column: Column,
}

/// The column player's payoffs.
enum Column {
    /// The negated payoffs of the row player.
    Loses,
    /// These payoffs.
    Gets(&'static [&'static [i64]]),
}

const BIMATRICES: &[Named] = &[
    Named {
        name: "prisoners-dilemma",
        about: "cooperate or defect: 3,3 0,5 / 5,0 1,1",
        row: &[&[3, 0], &[5, 1]],
        column: Column::Gets(&[&[3, 5], &[0, 1]]),
    },
    Named {
        name: "chicken",
        about: "swerve or dare: 6,6 2,7 / 7,2 0,0",
        row: &[&[6, 2], &[7, 0]],
        column: Column::Gets(&[&[6, 7], &[2, 0]]),
    },
    Named {
        name: "battle-of-the-sexes",
        about: "together, but where: 2,1 0,0 / 0,0 1,2",
        row: &[&[2, 0], &[0, 1]],
        column: Column::Gets(&[&[1, 0], &[0, 2]]),
    },
    Named {
        name: "matching-pennies",
        about: "the same side or not; zero-sum",
        row: &[&[1, -1], &[-1, 1]],
        column: Column::Loses,
    },
    Named {
        name: "rock-paper-scissors",
        about: "paper beats rock beats scissors beats paper; zero-sum",
        row: &[&[0, -1, 1], &[1, 0, -1], &[-1, 1, 0]],
        column: Column::Loses,
    },
    Named {
        name: "rock-paper-scissors-lizard-spock",
        about: "each of five beats two; zero-sum",
        row: &[
            &[0, -1, 1, 1, -1],
            &[1, 0, -1, -1, 1],
            &[-1, 1, 0, 1, -1],
            &[-1, 1, -1, 0, 1],
            &[1, -1, 1, -1, 0],
        ],
        column: Column::Loses,
    },
];

/// A tree with a name, optionally followed by a colon and a number.
struct Grown {
    name: &'static str,
    about: &'static str,
    /// The size parameter: least, default and greatest value.
    sizes: Option<[usize; 3]>,
    grow: fn(usize) -> Result<Tree, String>,
}

const TREES: &[Grown] = &[
    Grown {
        name: "kuhn",
        about: "Kuhn poker with N cards",
        sizes: Some([2, 3, kuhn::MOST_CARDS]),
        grow: kuhn::poker,
    },
    Grown {
        name: "one-card-poker",
        about: "one-card poker: Kuhn poker with N cards, 13 of them a suit",
        sizes: Some([2, 13, kuhn::MOST_CARDS]),
        grow: kuhn::poker,
    },
    Grown {
        name: "stripped-down-poker",
        about: "R. Myerson's card game: red or black, raise or pass, meet or pass",
        sizes: None,
        grow: myerson::poker,
    },
    Grown {
        name: "leduc",
        about: "Leduc poker with N ranks in two suits",
        sizes: Some([2, 3, 6]),
        grow: leduc::poker,
    },
    Grown {
        name: "liars-dice",
        about: "liar's dice, one die each with N faces, the highest wild; six faces take half a minute",
        sizes: Some([1, 6, 6]),
        grow: dice::liars,
    },
    Grown {
        name: "goofspiel",
        about: "Goofspiel with N cards, prizes at random, the winner gets the difference",
        sizes: Some([1, 3, 4]),
        grow: goofspiel::at_random,
    },
    Grown {
        name: "goofspiel-descending",
        about: "Goofspiel with N cards, the highest prize first",
        sizes: Some([1, 4, 5]),
        grow: goofspiel::descending,
    },
];

/// Reports whether a game has this name, without a size.
pub fn has(name: &str) -> bool {
    BIMATRICES.iter().any(|named| named.name == name) || TREES.iter().any(|grown| grown.name == name)
}

/// Returns all names, each with a description.
pub fn names() -> Vec<(String, &'static str)> {
    let trees = TREES.iter().map(|grown| match grown.sizes {
        Some([least, usual, most]) => (format!("{}:{usual} ({least}..{most})", grown.name), grown.about),
        None => (grown.name.to_string(), grown.about),
    });
    BIMATRICES.iter().map(|named| (named.name.to_string(), named.about)).chain(trees).collect()
}

/// Returns a bimatrix game by its name; `None` if there is none of this name.
pub fn bimatrix(name: &str) -> Option<Bimatrix> {
    let named = BIMATRICES.iter().find(|named| named.name == name)?;
    let cells = |rows: &[&[i64]], sign: i64| -> Vec<Vec<Fraction>> {
        rows.iter().map(|row| row.iter().map(|&x| ratio(sign * x, 1)).collect()).collect()
    };
    let column = match named.column {
        Column::Loses => cells(named.row, -1),
        Column::Gets(rows) => cells(rows, 1),
    };
    Bimatrix::new(Matrix::new(cells(named.row, 1)).ok()?, Matrix::new(column).ok()?).ok()
}

/// Returns a tree by its name: `kuhn`, `kuhn:4`.
///
/// # Errors
/// There is no game of this name or size; the line lists what there is.
pub fn tree(name: &str) -> Result<Tree, String> {
    let (bare, size) = name.split_once(':').map_or((name, None), |(bare, size)| (bare, Some(size)));
    let Some(grown) = TREES.iter().find(|grown| grown.name == bare) else {
        let all: Vec<String> = names().into_iter().map(|(name, _)| name).collect();
        return Err(format!("no example is called {bare:?}: expected one of {}", all.join(", ")));
    };
    let size = match (size, grown.sizes) {
        (None, sizes) => sizes.map_or(0, |[_, usual, _]| usual),
        (Some(size), Some([least, _, most])) => size
            .parse()
            .ok()
            .filter(|size| (least..=most).contains(size))
            .ok_or_else(|| format!("{bare}:{size}: expected a number from {least} to {most}"))?,
        (Some(size), None) => return Err(format!("{bare} takes no number, found {size:?}")),
    };
    (grown.grow)(size)
}

/// Reports whether there is a tree of this name, ignoring its number.
pub fn is_tree(name: &str) -> bool {
    let bare = name.split(':').next().unwrap_or(name);
    TREES.iter().any(|grown| grown.name == bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_names_make_games() {
        for named in BIMATRICES {
            assert!(bimatrix(named.name).is_some());
        }
        for grown in TREES {
            let least = grown.sizes.map_or(String::new(), |[least, _, _]| format!(":{least}"));
            let name = format!("{}{least}", grown.name);
            assert!(is_tree(&name) && tree(&name).is_ok(), "{name}");
        }
        for name in
            ["poker", "kuhn:1", "kuhn:x", "kuhn:", "kuhn:99999999999999999999", "stripped-down-poker:3"]
        {
            assert!(tree(name).is_err(), "{name}");
        }
    }
}

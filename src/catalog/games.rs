//! The rows of every family.

use grundy_session::{Family, Row, Trial};

/// The families, each with its games.
pub(super) static FAMILIES: &[Family] = &[
    Family { title: "Boards solved by tables", rows: &grundy_boards::ROWS },
    Family { title: "Boards solved by search", rows: &grundy_searched::ROWS },
    Family { title: "Captures and blockades", rows: &grundy_captures::ROWS },
    Family { title: "Morris", rows: &grundy_morris::ROWS },
    Family { title: "Partizan games", rows: &grundy_partizan::ROWS },
    Family { title: "Placements and other small games", rows: &grundy_placements::ROWS },
    Family { title: "Games of sowing", rows: &grundy_sowing::ROWS },
    Family { title: "Dots-and-Boxes", rows: &grundy_dots::ROWS },
    Family { title: "Your own rules", rows: &grundy_rules::ROWS },
    Family { title: "Chess", rows: &grundy_chess::ROWS },
    Family { title: "Heaps", rows: &grundy_heaps::ROWS },
    Family { title: "Sums", rows: &SUMS },
];

/// Solved games, and how each was solved here: the values of start positions.
pub(crate) const KNOWN: &str = include_str!("../../atlas.tsv");

/// Sums of games of all families.
static SUMS: [Row; 1] = [grundy_heaps::sum_row(|spec| {
    grundy_heaps::open_sum(
        spec,
        &[
            &grundy_boards::SUMMANDS,
            &grundy_searched::SUMMANDS,
            &grundy_captures::SUMMANDS,
            &grundy_partizan::SUMMANDS,
            &grundy_placements::SUMMANDS,
            &grundy_rules::SUMMANDS,
        ],
    )
})];

/// Positions that `grundy bench` searches.
pub(super) const TRIALS: &[Trial] = &[
    Trial { game: "nim:3,5,7", moves: "", depth: None },
    Trial { game: "connect4:5x4", moves: "", depth: None },
    Trial { game: "connect4:7x6", moves: "d d e", depth: Some(9) },
    Trial { game: "othello:4x4", moves: "", depth: None },
    Trial { game: "othello:4x4:score=win", moves: "", depth: None },
    Trial { game: "othello:8x8", moves: "d3", depth: Some(6) },
    Trial { game: "hex:4", moves: "", depth: None },
    Trial { game: "domineering:5x5", moves: "", depth: None },
    Trial { game: "breakthrough:4x4", moves: "", depth: None },
    Trial { game: "hexapawn:4x5", moves: "", depth: None },
    Trial { game: "kalah:4,3", moves: "", depth: None },
    Trial { game: "mnk:7,7,5", moves: "d4", depth: Some(3) },
];

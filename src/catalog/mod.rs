//! The catalog: one row a game, with its name, parameters, default, and the method that solves it.
//!
//! Command line, engine options, README and tests all read this one list. Only here do games and methods meet.

mod boards;
mod chess;
mod heaps;
mod spec;

pub use spec::Spec;

use crate::game::{Indexed, Notation, Scored};
use crate::games::connect4::{self, Connect4};
use crate::games::domineering::Domineering;
use crate::games::dots::{self, Bits, Dots};
use crate::games::hex::Hex;
use crate::games::kalah::Kalah;
use crate::games::mnk::Mnk;
use crate::games::othello::Othello;
use crate::games::pawns::Pawns;
use crate::games::teeko::Teeko;
use crate::session::{Play, Proofs, Seeker, Session, Settings, Windows};
use crate::solve::TableOracle;
use crate::solve::groups::{Book, MOST_STRINGS};
use crate::solve::openings::MOST_PLIES;
use crate::solve::search::Searcher;

/// A row of the catalog.
pub struct Row {
    /// The first word of the game's name.
    pub name: &'static str,
    /// The sections it takes, as a person would type them.
    pub parameters: &'static str,
    /// The full name that a bare name stands for.
    pub default: &'static str,
    /// Which method solves it, and for which sizes.
    pub method: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// Opens the game.
    open: fn(&mut Spec<'_>) -> Result<Box<dyn Session>, String>,
}

/// All games, in the order in which they are shown.
pub static ROWS: &[Row] = &[
    Row {
        name: "tictactoe",
        parameters: "misere",
        default: "tictactoe",
        method: "table by layers",
        about: "three in a row on 3x3",
        open: |spec| {
            let misere = spec.flag("misere");
            Ok(play(spec, Mnk::new(3, 3, 3, misere)?).oracle(TableOracle::layers()).boxed())
        },
    },
    Row {
        name: "mnk",
        parameters: "M,N,K misere",
        default: "mnk:4,4,4",
        method: "table by layers to 11 million numbers, else proof numbers and search",
        about: "K in a row on M columns and N rows",
        open: |spec| {
            let misere = spec.flag("misere");
            let [m, n, k] = spec.numbers("M,N,K", ',', 1..=64)?.unwrap_or([4, 4, 4]);
            let game = Mnk::new(m, n, k, misere)?;
            Ok(table_or_search(spec, game, TableOracle::layers(), Proofs::new(64, 1)).boxed())
        },
    },
    Row {
        name: "teeko",
        parameters: "CxR advanced",
        default: "teeko:4x4",
        method: "table by retrograde analysis to 11 million numbers, larger ones from a file, else search",
        about: "four men each: four in a row or in a square, C columns and R rows",
        open: |spec| {
            let advanced = spec.flag("advanced");
            let [columns, rows] = spec.numbers("CxR", 'x', 3..=5)?.unwrap_or([4, 4]);
            let table = TableOracle::reversible().quick(QUICK);
            let game = Teeko::new(columns, rows, advanced)?;
            Ok(table_or_search(spec, game, table, Searcher::new(64, 1)).boxed())
        },
    },
    boards::EULER,
    boards::LGAME,
    boards::POLICE,
    boards::GRAPH,
    boards::ROW,
    Row {
        name: "connect4",
        parameters: "CxR book=PLIES",
        default: "connect4:7x6",
        method: "search, after an opening book where there is one",
        about: "four in a row with gravity, C columns and R rows",
        open: |spec| {
            let book = spec.number("book", 1..=MOST_PLIES)?;
            let [columns, rows] = spec.numbers("CxR", 'x', 1..=64)?.unwrap_or([7, 6]);
            match Connect4::new(columns, rows) {
                Ok(game) => Ok(play(spec, game).openings(book).search(Searcher::new(64, 1)).boxed()),
                // Keys of larger boards are hashes, which no book is built on.
                Err(_) => {
                    let game = connect4::Board::<u128>::new(columns, rows)?;
                    Ok(play(spec, game).search(Searcher::new(64, 1)).boxed())
                }
            }
        },
    },
    Row {
        name: "othello",
        parameters: "4x4|6x6|8x8 score=win",
        default: "othello:8x8",
        method: "search",
        about: "enclose discs to turn them over; the value is the final difference",
        open: |spec| {
            let win = match spec.key("score") {
                None => false,
                Some("win") => true,
                Some(other) => {
                    return Err(format!("othello: score={other} is not known, expected score=win"));
                }
            };
            let [columns, rows] = spec.numbers("a size as 8x8", 'x', 1..=64)?.unwrap_or([8, 8]);
            if columns != rows {
                return Err(format!("no board of {columns}x{rows}: expected 4x4, 6x6 or 8x8"));
            }
            Ok(play(spec, Othello::new(columns, win)?).search(Searcher::new(64, 1)).boxed())
        },
    },
    Row {
        name: "hex",
        parameters: "N",
        default: "hex:5",
        method: "proof numbers and search over virtual connections",
        about: "a chain from border to border on N x N",
        open: |spec| {
            let [side] = spec.numbers("N", ',', 1..=Hex::MOST)?.unwrap_or([5]);
            Ok(play(spec, Hex::new(side)?).search(Proofs::new(64, 1)).boxed())
        },
    },
    Row {
        name: "domineering",
        parameters: "RxC",
        default: "domineering:6x6",
        method: "search",
        about: "dominoes, one player upright, one flat; who cannot move loses",
        open: |spec| {
            let [rows, columns] = spec.numbers("RxC", 'x', 1..=64)?.unwrap_or([6, 6]);
            Ok(play(spec, Domineering::new(rows, columns)?).search(Searcher::new(64, 1)).boxed())
        },
    },
    Row {
        name: "breakthrough",
        parameters: "WxH",
        default: "breakthrough:5x5",
        method: "search",
        about: "pawns that only go forwards; who reaches the last row wins",
        open: |spec| {
            let [columns, rows] = spec.numbers("WxH", 'x', 1..=64)?.unwrap_or([5, 5]);
            Ok(play(spec, Pawns::breakthrough(columns, rows)?).search(Searcher::new(64, 1)).boxed())
        },
    },
    Row {
        name: "hexapawn",
        parameters: "WxH",
        default: "hexapawn:3x3",
        method: "search",
        about: "a row of pawns each; reach the last row or leave no move",
        open: |spec| {
            let [columns, rows] = spec.numbers("WxH", 'x', 1..=64)?.unwrap_or([3, 3]);
            Ok(play(spec, Pawns::hexapawn(columns, rows)?).search(Searcher::new(64, 1)).boxed())
        },
    },
    Row {
        name: "kalah",
        parameters: "M,N",
        default: "kalah:6,4",
        method: "search",
        about: "sow seeds, M pits a side with N seeds each, empty captures",
        open: |spec| {
            let [pits, seeds] = spec.numbers("M,N", ',', 1..=160)?.unwrap_or([6, 4]);
            Ok(play(spec, Kalah::new(pits, seeds as u32)?).search(Searcher::new(64, 1)).boxed())
        },
    },
    Row {
        name: "dots",
        parameters: "RxC start=empty|icelandic|swedish penalty=P chains=assume",
        default: "dots:3x3",
        method: "table by layers to 24 open lines, by groups of lines to 52 with solve, else proof by windows over chains",
        about: "Dots-and-Boxes on R rows and C columns of boxes",
        open: |spec| {
            let setup = dots::Setup::read(spec.rest().split(':'))?;
            match setup.width() {
                ..=32 => dots::<u32>(spec, setup),
                33..=64 => dots::<u64>(spec, setup),
                _ => dots::<u128>(spec, setup),
            }
        },
    },
    Row {
        name: "chess",
        parameters: "KQvKR | Nmen, rule50",
        default: "chess",
        method: "bit-parallel tables (any ending of 5 men), else search",
        about: "chess, or an ending of few men to the shortest mate",
        open: chess::open,
    },
    heaps::NIM,
    heaps::COUNT,
    heaps::SUBTRACT,
    heaps::MATCHES,
    heaps::STONES,
    heaps::HEAPS,
    heaps::WYTHOFF,
    heaps::CHOMP,
    heaps::FIBONACCI_NIM,
    heaps::MOORE_NIM,
    heaps::STAIRCASE_NIM,
    heaps::SILVER_DOLLAR,
    heaps::NORTHCOTT,
    heaps::NIM_INCREASE,
    heaps::NIMBLE,
    heaps::TURNING_TURTLES,
    heaps::TWINS,
    heaps::SUM,
];

/// Dots-and-Boxes on words of one size.
fn dots<B: Bits>(spec: &Spec<'_>, setup: dots::Setup) -> Result<Box<dyn Session>, String> {
    /// Open lines of a board whose table is made in memory, in about a second.
    const TABLED: u32 = 24;
    let game = Dots::<B>::new(setup).ok_or("the board is too large")?;
    let session = play(spec, game).search(Windows::new(64, 1));
    if setup.assume {
        // Tables are exact, and would answer before the search that assumes.
        return Ok(session.boxed());
    }
    Ok(match setup.open_lines() {
        ..=TABLED => session.oracle(TableOracle::layers()).boxed(),
        lines if lines <= MOST_STRINGS => session.oracle(Book::new()).boxed(),
        _ => session.boxed(),
    })
}

/// Positions of which a table is made in memory, in about a second.
const QUICK: u64 = 11_000_000;

/// A session that makes a table in memory where that takes about a second; otherwise it answers from a table that
/// `grundy solve` has made, and searches where there is none.
fn table_or_search<G>(
    spec: &Spec<'_>,
    game: G,
    table: TableOracle<G>,
    seeker: impl Seeker<G> + 'static,
) -> Play<G>
where
    G: Scored + Notation + Indexed,
{
    let quick = game.size() <= QUICK;
    let session = play(spec, game).search(seeker);
    if quick { session.oracle(table) } else { session.stored(table) }
}

/// A session of this game under its full name, without a method yet.
fn play<G: Scored + Notation>(spec: &Spec<'_>, game: G) -> Play<G> {
    Play::new(spec.full(), game)
}

/// The row of a name, by its first word.
pub fn row(name: &str) -> Option<&'static Row> {
    let first = name.split(':').next().unwrap_or("");
    ROWS.iter().find(|row| row.name == first)
}

/// Opens a game by its full name (`nim:3,5,7:misere`), or by its bare name with its default parameters.
///
/// # Errors
/// One line that names what was wrong in the name and says what was expected.
pub fn open(name: &str, settings: &Settings) -> Result<Box<dyn Session>, String> {
    let row = row(name).ok_or_else(|| unknown(name))?;
    let full = if name == row.name { row.default } else { name };
    let mut spec = Spec::new(full);
    let mut session = (row.open)(&mut spec)?;
    spec.finish(row.parameters)?;
    session.configure(settings);
    Ok(session)
}

/// The refusal of a name that is in no row.
fn unknown(name: &str) -> String {
    let shown: String = name.chars().take(60).collect();
    let names: Vec<&str> = ROWS.iter().map(|row| row.name).collect();
    format!("unknown game {shown:?}: expected one of {}", names.join(", "))
}

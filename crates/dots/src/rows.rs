//! The row of Dots-and-Boxes.

use crate::{Dots, Setup};
use grundy_core::bits::Bits;
use grundy_search::play::{NullWindow, play};
use grundy_session::{Description, Parameter, Row, Session, Shape, Spec};
use grundy_tables::TableOracle;
use grundy_tables::groups::{Book, ByGroups, MOST_STRINGS, division};
use grundy_tables::loony::{ByRules, LoonyTable, Whole};

/// The games of this family.
pub static ROWS: [Row; 1] = [
    Row::new("dots", "dots:3x3", |spec| {
            let mut sections: Vec<&str> = spec.rest().split(':').collect();
            let loony = sections.iter().position(|&section| section == "loony");
            let loony = loony.map(|at| sections.remove(at)).is_some();
            let setup = Setup::read(sections)?;
            match setup.width() {
                ..=32 => dots::<u32>(spec, setup, loony),
                33..=64 => dots::<u64>(spec, setup, loony),
                _ => dots::<u128>(spec, setup, loony),
            }
        })
.parameters("RxC start=empty|icelandic|swedish penalty=P loony")
.about("Dots-and-Boxes on R rows and C columns of boxes")
.title("Dots and Boxes")
.rules(
    "Take turns to draw a line between two neighbouring dots; whoever draws the fourth side of a \
     box gets that box and must draw again. When all lines are drawn, the player with more boxes \
     wins.",
)
.described(describe)
.details(&[Parameter::new("RxC", "rows and columns of boxes", "3x3"), Parameter::new("start=S", "empty, icelandic (left and bottom edge drawn) or swedish (whole border)", "empty"), Parameter::new("penalty=P", "points off for who draws the last line", "0"), Parameter::new("loony", "for solve and tables: the table of who makes the next loony move", "values")])
.other_names(&[("dots-and-boxes", "dots"), ("käsekästchen", "dots")])
.known("for the first player 2x2 +2, 3x3 -3, 3x4 +0, 3x5 -1, 4x4 +0")
.letters("+ is a dot; lines between dots are drawn or still open. Loony states: v the player to move makes the next loony move, ^ the other, - nobody; in D. Wilson's analysis v is player one and ^ player two, whoever moves")
.moves("a1b1 draws the line between the dots a1 and b1")
.method("table by layers to 24 open lines, by groups of lines to 52 with solve, else proof by windows over chains")
.shape(Shape::Dots),
];

/// Describes the game with what is drawn at the start, and the price of the last line.
fn describe(spec: &mut Spec<'_>, usual: Description) -> Description {
    let start = spec.key("start");
    let penalty = spec.key("penalty").filter(|&points| points != "0");
    let points =
        if penalty == Some("1") { "1 point".to_owned() } else { format!("{} points", penalty.unwrap_or("")) };
    usual
        .adding(start == Some("icelandic"), "The left and the bottom edge are drawn at the start.")
        .adding(start == Some("swedish"), "The whole border is drawn at the start.")
        .adding(penalty.is_some(), &format!("Whoever draws the last line loses {points}."))
}

/// Maximum number of open lines of a board whose table is made in memory, in about a second.
const TABLED: u32 = 24;

/// Opens Dots-and-Boxes on words of one size; with `loony` its table is that of the loony states.
fn dots<B: Bits>(spec: &Spec<'_>, setup: Setup, loony: bool) -> Result<Session, String> {
    /// Maximum number of open lines of a board whose loony states are made in one piece.
    const STATES: u32 = 28;
    let game = Dots::<B>::new(setup).ok_or("the board is too large")?;
    let lines = setup.open_lines();
    if loony && (lines > MOST_STRINGS || setup.penalty != 0) {
        return Err(format!(
            "no table of loony states: expected at most {MOST_STRINGS} open lines ({lines} here) and no penalty"
        ));
    }
    let base = spec.without("loony");
    let session = play(spec, game).search::<NullWindow<_>>();
    let session = session.divided(|game| division(game, "lines", game.setup().open_lines() > TABLED));
    // No board of more than 64 dots has few enough open lines; its methods of tables are not compiled.
    if const { B::WIDTH > 64 } {
        return Ok(session.annotator(ByRules).session());
    }
    Ok(match lines {
        0..=TABLED => {
            session.annotating_oracle(LoonyTable::new(TableOracle::layers(), Whole, base, loony)).session()
        }
        _ if lines <= STATES => {
            session.annotating_oracle(LoonyTable::new(Book::new(), Whole, base, loony)).session()
        }
        _ if lines <= MOST_STRINGS => {
            session.annotating_oracle(LoonyTable::new(Book::new(), ByGroups, base, loony)).session()
        }
        _ => session.annotator(ByRules).session(),
    })
}

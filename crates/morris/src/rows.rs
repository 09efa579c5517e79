//! The row of Morris.

use grundy_search::alpha_beta::AlphaBeta;
use grundy_search::play::play;
use grundy_session::{Parameter, Row, Shape};
use grundy_tables::TierOracle;

use crate::morris::{Morris, Variant};

/// The games of this family.
pub static ROWS: [Row; 1] = [Row::new("morris", "morris:9", |spec| {
    let tier = spec.key("tier");
    let base = tier.map_or(spec.full().to_owned(), |tier| spec.without(&format!("tier={tier}")));
    let (fly, nofly) = (spec.flag("fly"), spec.flag("nofly"));
    let diagonals = !spec.flag("nodiagonals");
    let variant = match spec.word() {
        Some("3") => Variant::Three { diagonals },
        Some("6") => Variant::Six,
        Some("9") => Variant::Nine,
        Some("lasker") => Variant::Lasker,
        other => return Err(format!("bad game {:?}: expected 3, 6, 9 or lasker", other.unwrap_or(""))),
    };
    if fly && nofly {
        return Err("fly and nofly: expected one of them".to_owned());
    }
    if !diagonals && !matches!(variant, Variant::Three { .. }) {
        return Err("nodiagonals: expected morris:3, the only board with diagonals".to_owned());
    }
    let game = Morris::new(variant, if fly { Some(true) } else { nofly.then_some(false) });
    let oracle = TierOracle::new(&game, base, tier)?;
    Ok(play(spec, game).oracle(oracle).search::<AlphaBeta<_>>().session())
})
.parameters("3|6|9|lasker fly nofly nodiagonals tier=T")
.about("men on the points of a board; three in a line are a mill")
.details(&[
    Parameter::new("3|6|9|lasker", "the game: Three, Six or Nine Men's Morris, or Lasker's with ten men", "9"),
    Parameter::new("fly", "who has exactly three men moves them anywhere", "in 9 and lasker"),
    Parameter::new("nofly", "nobody flies", "in 3 and 6"),
    Parameter::new("nodiagonals", "the diagonals of the board of 3 are no lines", "they are"),
    Parameter::new("tier=T", "for solve and tables: one tier and those it needs, as 4-3, or 4+2-3+2 with men in hand", "all"),
])
.other_names(&[
    ("9mm", "morris:9"),
    ("mills", "morris:9"),
    ("merels", "morris:9"),
    ("nine-mens-morris", "morris:9"),
    ("six-mens-morris", "morris:6"),
    ("three-mens-morris", "morris:3"),
])
.known("9, lasker and 6 are draws (Gasser 1993, Stahlhacke 2003, Liou 2026); 3 is won by the first man in the centre")
.repeats()
.letters("X is a man of player one, O one of player two, . a free point")
.method("tiers by men, each by retrograde analysis, from files; else search")
.shape(Shape::Points)];

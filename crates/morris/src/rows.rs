//! The row of Morris.

use grundy_search::play::{Proofs, play};
use grundy_session::{Description, Parameter, Row, Shape, Spec};
use grundy_tables::TierOracle;

use crate::morris::{Morris, Variant};

/// The games of this family.
pub static ROWS: [Row; 1] = [Row::new("morris", "morris:9", |spec| {
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
    let oracle = TierOracle::of(&game, spec)?;
    Ok(play(spec, game).oracle(oracle).search::<Proofs<_>>().session())
})
.parameters("3|6|9|lasker fly nofly nodiagonals tier=T")
.about("men on the points of a board; three in a line are a mill")
.title("Morris")
.rules(
    "Take turns to put your nine men on free points; when all are down, move one of them each \
     turn along a line to the next point, if it is free. Whoever gets three men in a line, a \
     mill, takes a man of the other player, one outside his mills if there is one. A player with \
     fewer than three men or without a move loses; endless play is a draw.",
)
.players("White", "Black")
.described(describe)
.details(&[
    Parameter::new("3|6|9|lasker", "the game: Three, Six or Nine Men's Morris, or Lasker's with ten men", "9"),
    Parameter::new("fly", "who has exactly three men moves them anywhere", "in 9 and lasker"),
    Parameter::new("nofly", "nobody flies", "in 3 and 6"),
    Parameter::new("nodiagonals", "the diagonals of the board of 3 are no lines", "they are"),
    Parameter::new("tier=T", "for solve and tables: one tier and those it needs, as 4-3, or 4+2-3+2 with men in hand", "all"),
])
.other_names(&[
    ("9mm", "morris:9"),
    ("6mm", "morris:6"),
    ("3mm", "morris:3"),
    ("mills", "morris:9"),
    ("merels", "morris:9"),
    ("nine-mens-morris", "morris:9"),
    ("six-mens-morris", "morris:6"),
    ("three-mens-morris", "morris:3"),
    ("mühle", "morris:9"),
    ("muehle", "morris:9"),
    ("kvarn", "morris:9"),
])
.known("9, lasker and 6 are draws (Gasser 1993, Stahlhacke 2003, Liou 2026); 3 is won by the first man in the centre")
.repeats()
.letters("X is a man of player one, O one of player two, . a free point")
.moves("d6 puts a man, d6-f6 moves one; d6xa1 and d6-f6xa1 close a mill and take the man on a1")
.method("tiers by men, each by retrograde analysis, from files; else search")
.shape(Shape::Points)];

/// Describes the four games, whose rules differ by the number of men, by flying, and by the diagonals.
fn describe(spec: &mut Spec<'_>, usual: Description) -> Description {
    const MILL: &str = "Whoever gets three men in a line, a mill, takes a man of the other player, one outside his mills if \
                        there is one.";
    const END: &str = "A player with fewer than three men or without a move loses; endless play is a draw.";
    let (fly, nofly, diagonals) = (spec.flag("fly"), spec.flag("nofly"), !spec.flag("nodiagonals"));
    let which = spec.word().unwrap_or("9");
    let (title, men, flies) = match which {
        "3" => ("Three Men's Morris", "three", fly),
        "6" => ("Six Men's Morris", "six", fly),
        "lasker" => ("Lasker Morris", "ten", !nofly),
        _ => ("Nine Men's Morris", "nine", !nofly),
    };
    let step = match (which, flies) {
        ("3", true) => "to any free point",
        _ => "along a line to the next point, if it is free",
    };
    let moves = match which {
        "lasker" => format!(
            "Take turns to put one of your ten men on a free point, or to move one of those that are down {step}."
        ),
        _ => format!(
            "Take turns to put your {men} men on free points; when all are down, move one of them each turn {step}."
        ),
    };
    let title = usual.title.replacen(&format!("Morris {which}"), title, 1);
    if which == "3" {
        let line = "Whoever gets three men in a line wins; a player who cannot move loses, and endless play is a draw.";
        return usual
            .titled(title)
            .ruled(format!("{moves} {line}"))
            .adding(!diagonals, "Diagonals are no lines.");
    }
    let flying = "A player who has just three men left may move one to any free point. ";
    usual.titled(title).ruled(format!("{moves} {MILL} {}{END}", if flies { flying } else { "" }))
}

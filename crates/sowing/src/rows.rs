//! Rows of the games of sowing.

use grundy_search::alpha_beta::AlphaBeta;
use grundy_search::play::play;
use grundy_session::{Parameter, Row, Shape, Spec};
use grundy_tables::thresholds::ByThresholds;

use crate::awari::{Awari, MOST_PITS, MOST_STONES, read_pits};

/// The games of this family.
pub static ROWS: [Row; 1] = [Row::new("awari", "awari:48", |spec| {
    let game = read_awari(spec)?;
    Ok(play(spec, game).oracle(ByThresholds::default()).search::<AlphaBeta<_>>().session())
})
.parameters("S|PITS")
.about("sow stones, capture twos and threes")
.title("Awari")
.rules(
    "Take all stones out of one of your pits and sow them one by one, counterclockwise, into the \
     pits that follow, but not into the one they come from. If the last stone makes 2 or 3 in a \
     pit of the other player, you capture these, and also those of his pits just before it that \
     hold 2 or 3. If you can leave the other player a stone you must; when a player has none in \
     his turn, the other takes what is left. Whoever has captured more wins.",
)
.players("South", "North")
.described(|spec, usual| match spec.word() {
    Some(word) if word.contains('/') => usual,
    word => usual.titled(format!("Awari, {} stones", word.unwrap_or("48"))),
})
.details(&[
    Parameter::new(
        "S",
        "number of stones, spread evenly; a table holds the positions of S stones and fewer",
        "48",
    ),
    Parameter::new(
        "PITS",
        "the start: 4,4,4,4,4,4/4,4,4,4,4,4, both sides from their owner's left",
        "spread evenly",
    ),
])
.many_starts(|spec| spec.word().is_some_and(|word| word != "48" && !word.contains('/')))
.other_names(&[("oware", "awari"), ("wari", "awari"), ("awale", "awari")])
.known("48 stones are a draw (Romein and Bal 2003)")
.repeats()
.letters("the lower row, from the left, and the stones on the right are player one's")
.moves("3 sows the third of your pits, counted from your own left")
.method("table by thresholds, built automatically to 10 stones, larger ones from a file, else search")
.shape(Shape::Pits)];

fn read_awari(spec: &mut Spec<'_>) -> Result<Awari, String> {
    match spec.word() {
        None => Awari::new(MOST_STONES),
        Some(word) if word.contains('/') => Awari::with_pits(read_pits(word, MOST_PITS, MOST_STONES)?),
        Some(word) => {
            let stones = grundy_core::words::number(word, u64::from(MOST_STONES)).map(|stones| stones as u8);
            let expected =
                || format!("bad number of stones {word:?}: expected 1 to {MOST_STONES}, or the pits");
            Awari::new(stones.filter(|&stones| stones > 0).ok_or_else(expected)?)
        }
    }
}

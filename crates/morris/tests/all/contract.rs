//! The contract of every game, on the boards that are small enough, and on positions of random games elsewhere.

use grundy_contract::Contract;
use grundy_morris::morris::{Morris, Variant};

fn morris(variant: Variant, flies: Option<bool>) -> Contract<Morris> {
    Contract::new(Morris::new(variant, flies)).indexed().heuristic()
}

#[test]
fn three() {
    let three = |flies| morris(Variant::Three { diagonals: true }, flies);
    three(None).positions(5_390).canonical(744).perft(&[9, 72, 504, 3_024]).tiers().run();
    three(Some(true)).tiers().run();
}

#[test]
fn three_without_diagonals() {
    let three = |flies| morris(Variant::Three { diagonals: false }, flies);
    three(None).positions(5_466).canonical(755).tiers().run();
    three(Some(true)).tiers().run();
}

#[test]
fn larger_boards() {
    morris(Variant::Six, Some(true)).tiered().limit(1_000).run();
    morris(Variant::Nine, None).tiered().limit(1_000).run();
    morris(Variant::Lasker, Some(false)).tiered().limit(1_000).run();
}

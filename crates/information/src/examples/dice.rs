//! Liar's dice with one die each.
//!
//! Both players throw a die that the other does not see. They bid in turn how many of both dice show a face, each bid
//! higher than the last: more dice, or as many of a higher face. The highest face counts as every face. Instead of
//! bidding a player may call the last bid a lie; then its bidder wins if it is true.

use crate::fraction::ratio;
use crate::tree::{GrowStep, Side, Tree, grow};

#[derive(Clone)]
struct State {
    dice: Option<(usize, usize)>,
    /// The bids so far, as indices: dice first, then faces.
    bids: Vec<usize>,
    called: bool,
}

/// Returns the tree with dice of `faces` faces.
pub fn liars(faces: usize) -> Result<Tree, String> {
    let word = |bid: usize| format!("{}x{}", bid / faces + 1, bid % faces + 1);
    let rules = |state: &State| {
        let Some((one, two)) = state.dice else {
            let throws = (0..faces).flat_map(|a| (0..faces).map(move |b| (a, b)));
            let throws = throws.map(|(a, b)| {
                let thrown = State { dice: Some((a, b)), ..state.clone() };
                (format!("{}{}", a + 1, b + 1), ratio(1, (faces * faces) as i64), thrown)
            });
            return GrowStep::Chance(throws.collect());
        };
        let last = state.bids.last().copied();
        if let (true, Some(bid)) = (state.called, last) {
            let shown = [one, two].iter().filter(|&&die| die == bid % faces || die == faces - 1).count();
            // With an odd number of bids the last was player 1's.
            let bidder_is_one = state.bids.len() % 2 == 1;
            return GrowStep::End(ratio(if (shown > bid / faces) == bidder_is_one { 1 } else { -1 }, 1));
        }
        let (side, own) =
            if state.bids.len().is_multiple_of(2) { (Side::One, one) } else { (Side::Two, two) };
        let bids = (last.map_or(0, |bid| bid + 1)..2 * faces).map(|bid| {
            let mut next = state.clone();
            next.bids.push(bid);
            (word(bid), next)
        });
        let call = last.map(|_| ("liar".to_string(), State { called: true, ..state.clone() }));
        let said: Vec<String> = state.bids.iter().map(|&bid| word(bid)).collect();
        GrowStep::Turn(side, format!("{}/{}", own + 1, said.join("-")), bids.chain(call).collect())
    };
    let start = State { dice: None, bids: Vec::new(), called: false };
    grow(&format!("Liar's dice with {faces} faces"), start, rules).map_err(|flaw| flaw.to_string())
}

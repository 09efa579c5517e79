//! R. Myerson's card game ("Game Theory", 1991, figure 2.1), also called stripped-down poker.
//!
//! Both put in 1. Player 1 sees whether his card is red or black, and raises by 1 or passes. After a raise player 2,
//! who sees nothing, meets it or passes. Red wins for player 1, black for player 2; passing after a raise loses.

use crate::fraction::ratio;
use crate::tree::{GrowStep, Side, Tree, grow};

/// Returns the tree.
pub fn poker(_size: usize) -> Result<Tree, String> {
    let rules = |&(colour, played): &(Option<&'static str>, &'static str)| {
        let turn = |side, name: &str, actions: [(&'static str, &'static str); 2]| {
            let actions = actions.map(|(action, played)| (action.to_string(), (colour, played)));
            GrowStep::Turn(side, name.to_string(), actions.to_vec())
        };
        let showdown = |stake| GrowStep::End(ratio(if colour == Some("red") { stake } else { -stake }, 1));
        match (colour, played) {
            (None, _) => GrowStep::Chance(
                ["red", "black"].map(|colour| (colour.to_string(), ratio(1, 2), (Some(colour), ""))).to_vec(),
            ),
            (Some(colour), "") => turn(Side::One, colour, [("raise", "raise"), ("pass", "pass")]),
            (_, "raise") => turn(Side::Two, "raise", [("meet", "meet"), ("pass", "raise-pass")]),
            (_, "raise-pass") => GrowStep::End(ratio(1, 1)),
            (_, "meet") => showdown(2),
            _ => showdown(1),
        }
    };
    grow("Stripped-down poker", (None, ""), rules).map_err(|flaw| flaw.to_string())
}

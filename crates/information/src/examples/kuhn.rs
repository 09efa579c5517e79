//! Kuhn poker (H. W. Kuhn, "A simplified two-person poker", 1950) with any number of different cards.
//!
//! Both players put in 1 and get a card. Player 1 checks or bets 1. After a bet the other calls or folds; after a check
//! player 2 checks or bets 1, and player 1 calls or folds. The higher card wins the pot.

use crate::fraction::ratio;
use crate::tree::{GrowStep, Side, Tree, grow};

/// Maximum number of cards.
pub const MOST_CARDS: usize = 20;

#[derive(Clone)]
struct State {
    cards: Option<(usize, usize)>,
    played: String,
}

/// Returns the name of a card out of `count`.
pub fn card(card: usize, count: usize) -> String {
    match (count, card) {
        (3, 0) => "J".to_string(),
        (3, 1) => "Q".to_string(),
        (3, 2) => "K".to_string(),
        _ => (card + 1).to_string(),
    }
}

/// Returns the tree with `count` cards. An information set is named by the player's card and the actions so far:
/// `Q/check-bet`.
pub fn poker(count: usize) -> Result<Tree, String> {
    let rules = |state: &State| {
        let Some((one, two)) = state.cards else {
            let pairs = (0..count).flat_map(|a| (0..count).map(move |b| (a, b))).filter(|(a, b)| a != b);
            let deals = pairs.map(|(a, b)| {
                let name = format!("{}{}", card(a, count), card(b, count));
                let dealt = State { cards: Some((a, b)), played: String::new() };
                (name, ratio(1, (count * (count - 1)) as i64), dealt)
            });
            return GrowStep::Chance(deals.collect());
        };
        let higher = |stake: i64| GrowStep::End(ratio(if one > two { stake } else { -stake }, 1));
        let turn = |side: Side, own: usize, actions: [&str; 2]| {
            let next = actions.map(|action| {
                let dash = if state.played.is_empty() { "" } else { "-" };
                let played = format!("{}{dash}{action}", state.played);
                (action.to_string(), State { played, ..state.clone() })
            });
            GrowStep::Turn(side, format!("{}/{}", card(own, count), state.played), next.to_vec())
        };
        match state.played.as_str() {
            "" => turn(Side::One, one, ["check", "bet"]),
            "check" => turn(Side::Two, two, ["check", "bet"]),
            "bet" => turn(Side::Two, two, ["fold", "call"]),
            "check-bet" => turn(Side::One, one, ["fold", "call"]),
            "check-check" => higher(1),
            "bet-fold" => GrowStep::End(ratio(1, 1)),
            "check-bet-fold" => GrowStep::End(ratio(-1, 1)),
            _ => higher(2),
        }
    };
    grow(&format!("Kuhn poker with {count} cards"), State { cards: None, played: String::new() }, rules)
        .map_err(|flaw| flaw.to_string())
}

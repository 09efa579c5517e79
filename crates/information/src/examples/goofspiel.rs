//! Goofspiel, the game of pure strategy.
//!
//! Both players hold the cards 1 to N, and as many prizes are turned up one by one. Both bid a card at the same time;
//! the higher card wins the prize, equal cards lose it. The payoff is the difference of the prizes.

use crate::fraction::ratio;
use crate::tree::{GrowStep, Side, Tree, grow};

#[derive(Clone)]
struct State {
    /// Cards left, a bit each: of player 1, of player 2, among the prizes.
    left: [u32; 3],
    prize: Option<usize>,
    /// The bid of player 1, which player 2 does not know yet.
    bid: Option<usize>,
    lead: i64,
    seen: String,
}

/// Returns the tree with prizes in random order.
pub fn at_random(count: usize) -> Result<Tree, String> {
    build(count, true)
}

/// Returns the tree with the highest prize first.
pub fn descending(count: usize) -> Result<Tree, String> {
    build(count, false)
}

fn build(count: usize, random: bool) -> Result<Tree, String> {
    let order = if random { "at random" } else { "descending" };
    let start = State { left: [(1 << count) - 1; 3], prize: None, bid: None, lead: 0, seen: String::new() };
    grow(&format!("Goofspiel with {count} cards, prizes {order}"), start, |state| step(count, random, state))
        .map_err(|flaw| flaw.to_string())
}

fn step(count: usize, random: bool, state: &State) -> GrowStep<State> {
    let cards = |bits: u32| (0..count).filter(move |card| bits >> card & 1 == 1);
    let turn_up = |prize: usize| {
        let mut next = State { prize: Some(prize), ..state.clone() };
        next.left[2] &= !(1 << prize);
        next.seen = format!("{}{}?", state.seen, prize + 1);
        next
    };
    let Some(prize) = state.prize else {
        let prizes: Vec<usize> = cards(state.left[2]).collect();
        return match (prizes.as_slice(), prizes.last()) {
            (_, None) => GrowStep::End(ratio(state.lead, 1)),
            (several, Some(_)) if random => {
                let share = ratio(1, several.len() as i64);
                let branches = several.iter().map(|&p| ((p + 1).to_string(), share.clone(), turn_up(p)));
                GrowStep::Chance(branches.collect())
            }
            (_, Some(&highest)) => step(count, random, &turn_up(highest)),
        };
    };
    match state.bid {
        None => {
            let bids = cards(state.left[0]).map(|card| {
                let mut next = State { bid: Some(card), ..state.clone() };
                next.left[0] &= !(1 << card);
                ((card + 1).to_string(), next)
            });
            GrowStep::Turn(Side::One, state.seen.clone(), bids.collect())
        }
        Some(mine) => {
            let bids = cards(state.left[1]).map(|card| {
                let won = (mine.cmp(&card) as i64) * (prize as i64 + 1);
                let seen = format!("{}{}:{} ", state.seen, mine + 1, card + 1);
                let mut next =
                    State { prize: None, bid: None, lead: state.lead + won, seen, ..state.clone() };
                next.left[1] &= !(1 << card);
                ((card + 1).to_string(), next)
            });
            GrowStep::Turn(Side::Two, state.seen.clone(), bids.collect())
        }
    }
}

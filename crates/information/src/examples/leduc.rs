//! Leduc poker (F. Southey and others, "Bayes' bluff: opponent modelling in poker", 2005).
//!
//! A deck has two cards of each rank. Both players put in 1 and get a card; there is a round of betting, a card for all
//! to see, and a second round. A raise is 2 in the first round and 4 in the second, with at most two raises a round,
//! and player 1 begins both. A pair with the common card wins, else the higher rank; equal ranks share. Suits never
//! matter, so only ranks are dealt, each as probable as its cards.

use crate::fraction::ratio;
use crate::tree::{GrowStep, Side, Tree, grow};

/// Maximum number of raises in a round.
const RAISES: usize = 2;

#[derive(Clone)]
struct State {
    ranks: Option<(usize, usize)>,
    /// The common card.
    common: Option<usize>,
    /// Amounts put in by both players.
    paid: [i64; 2],
    /// The actions so far, a letter each: call (or check), fold, raise; a stroke between the rounds.
    played: String,
    turn: usize,
    raises: usize,
    /// `true` if somebody has already acted in this round.
    begun: bool,
    folded: Option<usize>,
    /// `true` if the betting of this round is over.
    closed: bool,
}

/// Returns the tree with `ranks` ranks.
pub fn poker(ranks: usize) -> Result<Tree, String> {
    let start = State {
        ranks: None,
        common: None,
        paid: [1, 1],
        played: String::new(),
        turn: 0,
        raises: 0,
        begun: false,
        folded: None,
        closed: false,
    };
    grow(&format!("Leduc poker with {ranks} ranks"), start, |state| step(ranks, state))
        .map_err(|flaw| flaw.to_string())
}

/// Returns the name of a rank out of `count`.
fn rank(rank: usize, count: usize) -> String {
    if count <= 3 { "JQK"[3 - count + rank..][..1].to_string() } else { (rank + 1).to_string() }
}

fn step(count: usize, state: &State) -> GrowStep<State> {
    let Some((one, two)) = state.ranks else {
        let total = (2 * count * (2 * count - 1)) as i64;
        let pairs = (0..count).flat_map(|a| (0..count).map(move |b| (a, b)));
        let deals = pairs.map(|(a, b)| {
            let ways = if a == b { 2 } else { 4 };
            let dealt = State { ranks: Some((a, b)), ..state.clone() };
            (format!("{}{}", rank(a, count), rank(b, count)), ratio(ways, total), dealt)
        });
        return GrowStep::Chance(deals.collect());
    };
    if let Some(folded) = state.folded {
        let won = state.paid[folded];
        return GrowStep::End(ratio(if folded == 0 { -won } else { won }, 1));
    }
    match (state.closed, state.common) {
        (true, None) => {
            let left = |r: usize| 2 - i64::from(r == one) - i64::from(r == two);
            let cards = (0..count).filter(|&r| left(r) > 0).map(|r| {
                let next = State {
                    common: Some(r),
                    played: format!("{}/{}:", state.played, rank(r, count)),
                    turn: 0,
                    raises: 0,
                    begun: false,
                    closed: false,
                    ..state.clone()
                };
                (rank(r, count), ratio(left(r), (2 * count - 2) as i64), next)
            });
            GrowStep::Chance(cards.collect())
        }
        (true, Some(common)) => {
            let strength = |r: usize| (r == common, r);
            let sign = strength(one).cmp(&strength(two)) as i64;
            GrowStep::End(ratio(sign * state.paid[0], 1))
        }
        _ => bet(count, state, if state.turn == 0 { one } else { two }),
    }
}

fn bet(count: usize, state: &State, own: usize) -> GrowStep<State> {
    let (me, other) = (state.turn, 1 - state.turn);
    let behind = state.paid[me] < state.paid[other];
    let mut actions = Vec::new();
    let mut act = |name: &str, letter: char, change: &dyn Fn(&mut State)| {
        let mut next = State { turn: other, begun: true, ..state.clone() };
        next.played.push(letter);
        change(&mut next);
        actions.push((name.to_string(), next));
    };
    if behind {
        act("fold", 'f', &|next| next.folded = Some(me));
    }
    act(if behind { "call" } else { "check" }, 'c', &|next| {
        next.paid[me] = next.paid[other];
        next.closed = state.begun;
    });
    if state.raises < RAISES {
        let size = if state.common.is_none() { 2 } else { 4 };
        act("raise", 'r', &|next| {
            next.paid[me] = next.paid[other] + size;
            next.raises += 1;
        });
    }
    let side = Side::BOTH[me];
    GrowStep::Turn(side, format!("{}/{}", rank(own, count), state.played), actions)
}

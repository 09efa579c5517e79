//! The proof of a strategy as a list of claims, each of which a reader can check by those before it.

use grundy_core::grid::CellMap;
use rustc_hash::FxHashMap;

use super::{Breaker, Key, Stones, bits, pairs};

/// The claim that Maker, who moves, completes no line if every line that meets `stones` has a stone of Breaker and no cell
/// of the claim's *zone* has one of Maker.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The cells in question.
    pub stones: u64,
    /// The reason why it is true.
    pub reason: Reason,
}

/// The reason of a [`Claim`].
#[derive(Clone, Debug)]
pub enum Reason {
    /// Disjoint pairs of cells, one in every line that does not meet the claim's stones. Their cells are the zone.
    Pairs(Vec<u64>),
    /// Answers; no cell is in the zones of all of them, so for each move of Maker there is one that it does not disturb. The
    /// claim's zone is that of all answers together.
    Answers(Vec<Answer>),
}

/// A stone of Breaker, after which an earlier claim applies. Its zone is its cell and the zone of that claim.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// The cell.
    pub cell: usize,
    /// The claim.
    pub then: Use,
}

/// An earlier claim, by its place in the list, on a board that a symmetry has mapped.
#[derive(Clone, Copy, Debug)]
pub struct Use {
    /// The claim, counted from 0.
    pub claim: usize,
    /// The symmetry that carries the claim's cells here; `None` for the identity.
    pub symmetry: Option<usize>,
}

/// The claims of proofs, each after those that it uses.
pub struct Claims {
    list: Vec<Claim>,
    zones: Vec<u64>,
    by_key: FxHashMap<Key, usize>,
    /// The symmetry that undoes each one.
    inverses: Vec<usize>,
}

impl Claims {
    /// Returns an empty list for a board with these symmetries.
    pub fn new(symmetries: &[CellMap]) -> Claims {
        let undoes = |one: &CellMap, other: &CellMap| {
            (0..64).map(|cell| 1u64 << cell).all(|cell| [0, cell].contains(&other.apply(one.apply(cell))))
        };
        let inverse = |map| symmetries.iter().position(|other| undoes(map, other));
        let inverses = symmetries.iter().map(|map| inverse(map).expect("symmetries have inverses")).collect();
        Claims { list: Vec::new(), zones: Vec::new(), by_key: FxHashMap::default(), inverses }
    }

    /// Returns the claims.
    pub fn list(&self) -> &[Claim] {
        &self.list
    }

    fn push(&mut self, key: Key, claim: Claim, zone: u64) -> usize {
        self.list.push(claim);
        self.zones.push(zone);
        self.by_key.insert(key, self.list.len() - 1);
        self.list.len() - 1
    }
}

impl Breaker<'_> {
    /// Adds the claims by which Breaker holds: his move, where he is to move and needs one, and the claim that then applies.
    /// `None` if the search finds no proof.
    pub fn claim(
        &mut self,
        (maker, breaker): (u64, u64),
        maker_moves: bool,
        claims: &mut Claims,
    ) -> Option<(Option<usize>, Use)> {
        let waiting = Stones { maker, breaker, maker_moves: true };
        // Another stone never harms Breaker: he also holds where he moves. On an empty board that is one search for both
        // players.
        if maker_moves || maker | breaker == 0 || pairs(self.lines, maker, breaker).is_some() {
            self.prove(waiting)?;
            return self.state(waiting, claims).map(|(then, _)| (None, then));
        }
        let stones = Stones { maker_moves: false, ..waiting };
        self.prove(stones)?;
        self.answer(stones, claims).map(|(answer, _)| (Some(answer.cell), answer.then))
    }

    /// States that Breaker holds in a position that the search has proved, Maker to move: the claim and its zone here.
    fn state(&mut self, stones: Stones, claims: &mut Claims) -> Option<(Use, u64)> {
        let (key, map) = self.key(stones);
        let symmetry = map.map(|map| claims.inverses[map]);
        let claim = match claims.by_key.get(&key) {
            Some(&claim) => claim,
            None => {
                let image = |set: u64| map.map_or(set, |map| self.symmetries[map].apply(set));
                let (maker, breaker) = (image(stones.maker), image(stones.breaker));
                self.reason(Stones { maker, breaker, maker_moves: true }, key, claims)?
            }
        };
        let zone = claims.zones[claim];
        Some((Use { claim, symmetry }, symmetry.map_or(zone, |map| self.symmetries[map].apply(zone))))
    }

    /// Adds the claim of a position in the form of its key.
    fn reason(&mut self, stones: Stones, key: Key, claims: &mut Claims) -> Option<usize> {
        let Stones { maker, breaker, .. } = stones;
        if let Some(pairs) = pairs(self.lines, maker, breaker) {
            let zone = pairs.iter().fold(0, |zone, pair| zone | pair);
            return Some(claims.push(key, Claim { stones: breaker, reason: Reason::Pairs(pairs) }, zone));
        }
        let passed = Stones { maker_moves: false, ..stones };
        let (answer, mut zone) = self.answer(passed, claims)?;
        let (mut answers, mut unanswered) = (vec![answer], zone);
        while unanswered != 0 {
            // Of the moves that the search has answered, the one whose answer serves most others.
            let after = |cell: u64| Stones { maker: maker | cell, ..passed };
            let answered = bits(unanswered).filter_map(|cell| {
                let known = self.seen(after(cell)).filter(|known| known.proof == 0)?;
                Some(((unanswered & known.zone).count_ones(), cell))
            });
            let cell = answered.min().map_or(unanswered & unanswered.wrapping_neg(), |(_, cell)| cell);
            self.prove(after(cell))?;
            let (answer, needed) = self.answer(after(cell), claims)?;
            if needed & cell != 0 {
                return None;
            }
            answers.push(answer);
            zone |= needed;
            unanswered &= needed;
        }
        Some(claims.push(key, Claim { stones: breaker, reason: Reason::Answers(answers) }, zone))
    }

    /// Returns Breaker's move in a position that the search has proved, and its zone.
    fn answer(&mut self, stones: Stones, claims: &mut Claims) -> Option<(Answer, u64)> {
        let child = |cell: u64| Stones { breaker: stones.breaker | cell, maker_moves: true, ..stones };
        // One that pairs answer ends the proof there. The search has not looked at every cell.
        let mut held: Vec<(bool, u32, u64)> = Vec::new();
        for seen in [true, false] {
            for cell in self.by_weight(stones) {
                let known = if seen { self.seen(child(cell)) } else { Some(self.look(child(cell))) };
                if let Some(known) = known.filter(|known| known.proof == 0) {
                    let Stones { maker, breaker, .. } = child(cell);
                    let longer = pairs(self.lines, maker, breaker).is_none();
                    held.push((longer, (known.zone | cell).count_ones(), cell));
                }
            }
            if held.iter().any(|&(longer, ..)| !longer) {
                break;
            }
        }
        let (.., cell) = held.into_iter().min()?;
        let (then, zone) = self.state(child(cell), claims)?;
        Some((Answer { cell: cell.trailing_zeros() as usize, then }, zone | cell))
    }
}

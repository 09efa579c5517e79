//! Proofs after a game: values of its positions, from its end backwards, by a search that keeps what it has learned from
//! game to game. So slips are found in games that have no table.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use grundy_core::value::{Step, Unit, Value, Wdl};
use grundy_session::{Catalog, Distance, Go, Judge, Limits, Session, Settings, Support};
use rustc_hash::FxHashMap;

use crate::engine::Claim;
use crate::play::blame_repetition;
use crate::record::{Audit, Game, Move};
use crate::truth::{self, Truth};
use crate::verdict::{Dispute, Ending, Slip};

/// Proves values of one game's positions, on so many threads.
pub struct Prover {
    session: Session,
    rules: Session,
    truth: Truth,
    /// What was proved in earlier games, by the position that stands for all its images.
    known: FxHashMap<(String, Option<u32>), Value>,
    /// The position that was searched last and the move that keeps its value.
    best: Option<(String, String)>,
}

/// Megabytes that the search keeps.
const HASH_MB: usize = 128;
/// The most proved positions that are kept from game to game.
const MOST_KNOWN: usize = 1 << 20;

impl Prover {
    /// A prover that has learned nothing yet.
    ///
    /// # Errors
    /// The name is not one of the catalog's; one line.
    pub fn new(
        catalog: &Catalog,
        game: &str,
        tables: Option<PathBuf>,
        threads: usize,
    ) -> Result<Prover, String> {
        let distance = Distance::First;
        let settings =
            Settings { threads: threads.max(1), hash_mb: HASH_MB, tables, distance, ..Settings::default() };
        let session = catalog.open(game, &settings)?;
        let truth = Truth::over(session.fork());
        Ok(Prover {
            session,
            rules: truth::rules(catalog, game)?,
            truth,
            known: FxHashMap::default(),
            best: None,
        })
    }

    /// What a position is worth by itself, where that is proved before the time is over: exactly in a game for points,
    /// else at least who wins.
    /// `has` is what the move that was played is worth.
    fn value(
        &mut self,
        position: &str,
        has: Option<Value>,
        until: Instant,
        stop: &AtomicBool,
    ) -> Option<Value> {
        self.session.setup(Some(position)).ok()?;
        if let Some(over) = self.session.over() {
            return Some(over);
        }
        let image = (self.session.canonical(), self.session.clock());
        if let Some(known) = self.known.get(&image) {
            return Some(*known);
        }
        if Instant::now() >= until {
            return None;
        }
        let limits = Limits { hard: Some(until), ..Limits::default() };
        // A loss of unknown length bounds nothing.
        let at_least = has.filter(|has| has.margin().is_some() || has.wdl() == Wdl::Draw);
        let go = Go { limits, at_least, ..Go::default() };
        let judge = Judge::new(self.session.unit(), Support::Ranks);
        let (mut proved, mut best) = (None, None);
        self.session.think(&go, stop, &mut |info| {
            if info.rank == 1 {
                proved = info.score.settled().filter(|&value| judge.admits(value).is_ok());
                best = info.pv.first().cloned();
            }
        });
        if let Some(value) = proved
            && self.known.len() < MOST_KNOWN
        {
            self.known.insert(image, value);
        }
        self.best = best.filter(|_| proved.is_some()).map(|word| (position.to_string(), word));
        proved
    }

    /// Works out what is not known yet of a game's moves, from the last to the first, until the time is over; adds
    /// values, slips and disputes to it. True where something was added.
    ///
    /// # Errors
    /// The moves are not of this game; one line.
    pub fn prove(&mut self, game: &mut Game, until: Instant, stop: &AtomicBool) -> Result<bool, String> {
        let (positions, steps) = self.replay(game)?;
        let unit = self.rules.unit();
        let known = |value: &Option<String>| value.as_deref().and_then(Value::read);
        // Claims about positions of known value were judged when they were made.
        let fresh: Vec<bool> = game.moves.iter().map(|m| m.before.is_none()).collect();
        let mut values: Vec<Option<Value>> = game.moves.iter().map(|m| known(&m.before)).collect();
        values.push(None);
        let mut added = false;
        for i in (0..positions.len()).rev() {
            let of_move = i.checked_sub(1).and_then(|before| known(&game.moves[before].after));
            let has = game.moves.get(i).and_then(|_| Some(values[i + 1]?.back(steps[i])));
            let value = match (values[i], has) {
                (Some(value), _) => Some(value),
                // Whoever has made a winning move was winning.
                (None, Some(has)) if unit == Unit::Outcome && has.wdl() == Wdl::Win => Some(Value::WIN),
                _ => match (of_move, i.checked_sub(1)) {
                    (Some(seen), Some(before)) => Some(seen.forth(steps[before])),
                    _ => self.value(&positions[i], has, until, stop),
                },
            };
            values[i] = value;
            let (Some(had), Some(has), Some(entry)) = (value, has, game.moves.get_mut(i)) else { continue };
            if entry.is_proved() {
                continue;
            }
            added = true;
            entry.before = Some(had.show(unit).to_string());
            entry.after = Some(has.show(unit).to_string());
            match truth::slip(unit, had, has) {
                Ok(slip) => entry.fault = slip.map(|slip| self.audit(slip, &positions[i])),
                Err(truth::Contradiction) => game.disputes.push(Dispute {
                    who: "the proof of the position".to_string(),
                    about: format!("value before {}", game.moves[i].word),
                    said: had.show(unit).to_string(),
                    truth: has.show(unit).to_string(),
                    position: format!("position fen {}", positions[i]),
                }),
            }
        }
        if game.ending == Ending::Repetition
            && game.moves.iter().all(|m| m.fault.as_ref().is_none_or(|audit| !audit.slip.loses_value()))
            && let Some(Some(value)) = values.last()
        {
            let mut moves = std::mem::take(&mut game.moves);
            blame_repetition(&mut self.rules, &mut self.truth, &mut moves, *value);
            added |= moves.iter().any(|m| m.fault.as_ref().is_some_and(|audit| audit.slip.loses_value()));
            game.moves = moves;
        }
        for (i, _) in fresh.iter().enumerate().filter(|(_, fresh)| **fresh) {
            let disputes = self.judge_claim(game, i, &positions, &steps, &values);
            let new = |dispute: &Dispute| !game.disputes.contains(dispute);
            let disputes: Vec<Dispute> = disputes.into_iter().filter(new).collect();
            added |= !disputes.is_empty();
            game.disputes.extend(disputes);
        }
        Ok(added)
    }

    /// The positions of a game, one more than recorded moves, and what each move means.
    fn replay(&mut self, game: &Game) -> Result<(Vec<String>, Vec<Step>), String> {
        self.rules.setup(game.start.as_deref()).map_err(|e| e.to_string())?;
        for word in &game.opening {
            self.rules.play(word).map_err(|e| e.to_string())?;
        }
        let mut positions = vec![self.rules.position()];
        let mut steps = Vec::new();
        for m in &game.moves {
            let played = self.rules.play(&m.word).map_err(|e| format!("game {}: {e}", game.id))?;
            steps.push(played.step);
            positions.push(self.rules.position());
        }
        Ok((positions, steps))
    }

    /// What a slip cost, with the moves that would have been better where they are known at once.
    fn audit(&mut self, slip: Slip, position: &str) -> Audit {
        let mut keepers = self.truth.keepers(position);
        if keepers.keeping.is_empty()
            && let Some((_, word)) = self.best.take_if(|(at, _)| at == position)
        {
            keepers.keeping.push(word);
            keepers.more = true;
        }
        Audit::of(slip, position, keepers)
    }

    /// A claim about a position against its proved value, and against what was claimed of the position after it.
    fn judge_claim(
        &mut self,
        game: &Game,
        i: usize,
        positions: &[String],
        steps: &[Step],
        values: &[Option<Value>],
    ) -> Vec<Dispute> {
        let unit = self.rules.unit();
        let Some(claim) = claim_of(&game.moves[i]) else { return Vec::new() };
        let name = |i: usize| game.players[usize::from(game.moves[i].by.clamp(1, 2)) - 1].clone();
        let dispute = |truth: String| Dispute {
            who: name(i),
            about: "value".to_string(),
            said: claim.words(unit),
            truth,
            position: format!("position fen {}", positions[i]),
        };
        let mut disputes = Vec::new();
        let ends = values[i].map_or(Wdl::Draw, |value| self.truth.ends(&positions[i], value));
        let proved = values[i].filter(|&value| !claim.agrees(value, ends));
        let next = game.moves.get(i + 1).filter(|_| game.moves[i + 1].by != game.moves[i].by);
        let reply = next.and_then(claim_of).and_then(Claim::exact).map(|value| value.back(steps[i]));
        let differs = match (claim.exact(), reply) {
            (Some(ours), Some(theirs)) => !same(ours, theirs),
            _ => false,
        };
        let word = &game.moves[i].word;
        match (proved, reply.filter(|_| differs)) {
            (Some(value), Some(reply)) => {
                let (value, reply) = (value.show(unit), reply.show(unit));
                disputes.push(dispute(format!("{value}, proved; {} says {reply} for {word}", name(i + 1))));
            }
            (Some(value), None) => disputes.push(dispute(format!("{}, proved", value.show(unit)))),
            // Where what was claimed of the position is proved, the other claim is judged by itself.
            (None, Some(reply)) if values[i].is_none() || values[i + 1].is_none() => {
                let reply = reply.show(unit);
                disputes.push(dispute(format!("not proved; {} says {reply} for {word}", name(i + 1))));
            }
            _ => {}
        }
        disputes
    }
}

/// Whether two exact claims can both be true of one move: distances count where both have one.
fn same(a: Value, b: Value) -> bool {
    let measured = a.plies().is_some() && b.plies().is_some();
    if measured || a.margin().is_some() || b.margin().is_some() { a == b } else { a.wdl() == b.wdl() }
}

/// What an engine claimed with a move, as the record has it.
fn claim_of(entry: &Move) -> Option<Claim> {
    entry.claim.as_deref().and_then(Claim::read)
}

/// How much of a game is known: `None` where every move is, or where none was looked at.
pub fn coverage(game: &Game) -> Option<String> {
    let open = |m: &Move| !m.is_proved();
    let first = game.opening.len() + 1;
    let plies: Vec<usize> = (first..).zip(&game.moves).filter(|(_, m)| open(m)).map(|(ply, _)| ply).collect();
    if plies.is_empty() {
        return None;
    }
    let (all, left) = (game.moves.len(), plies.len());
    Some(format!("proved {} of {all} moves; not proved: plies {}", all - left, ranges(&plies)))
}

/// Numbers in rising order, neighbours joined: `1-3 7`.
fn ranges(numbers: &[usize]) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut rest = numbers;
    while let Some(&first) = rest.first() {
        let length = rest.iter().zip(first..).take_while(|(number, wanted)| *number == wanted).count();
        words.push(if length == 1 { first.to_string() } else { format!("{first}-{}", first + length - 1) });
        rest = &rest[length..];
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::tests::CATALOG;
    use crate::verdict::Outcome;
    use grundy_session::NEVER;

    fn game(name: &str, words: &[&str], claims: &[(usize, &str)]) -> Game {
        let mut rules = truth::rules(&CATALOG, name).unwrap();
        let mut moves = Vec::new();
        for word in words {
            let by = if rules.turn() == grundy_core::game::Player::One { 1 } else { 2 };
            rules.play(word).unwrap();
            let word = (*word).to_string();
            moves.push(Move { by, word, us: 1, before: None, after: None, claim: None, fault: None });
        }
        for (at, claim) in claims {
            moves[*at].claim = Some((*claim).to_string());
        }
        Game {
            id: 1,
            game: name.to_string(),
            pair: 0,
            engines: [0, 1],
            players: ["A".to_string(), "B".to_string()],
            start: None,
            opening: Vec::new(),
            result: Outcome::None,
            ending: Ending::MaxPlies,
            reason: String::new(),
            began: 0,
            took_ms: 0,
            moves,
            disputes: Vec::new(),
            stderr: Vec::new(),
        }
    }

    fn proved(game: &mut Game, ms: u64) -> bool {
        let mut prover = Prover::new(&CATALOG, &game.game, None, 1).unwrap();
        prover.prove(game, Instant::now() + Duration::from_millis(ms), &NEVER).unwrap()
    }

    /// A line of hexapawn: player two wins with best play.
    fn line(plies: usize) -> Vec<String> {
        let mut rules = truth::rules(&CATALOG, "hexapawn:3x3").unwrap();
        let mut words = Vec::new();
        while words.len() < plies && rules.over().is_none() {
            let word = rules.legal_moves(1).remove(0);
            rules.play(&word).unwrap();
            words.push(word);
        }
        words
    }

    #[test]
    fn slips_of_a_searched_game_are_found_and_values_are_those_of_brute_force() {
        let words = line(100);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut game = game("hexapawn:3x3", &words, &[]);
        assert!(proved(&mut game, 10_000));
        assert_eq!(coverage(&game), None);
        let mut rules = truth::rules(&CATALOG, "hexapawn:3x3").unwrap();
        for m in &game.moves {
            let (had, position) = (brute(&rules), rules.position());
            let word = m.before.as_deref().and_then(Value::read).unwrap();
            assert_eq!(word.wdl(), had, "{position}");
            let step = rules.play(&m.word).unwrap().step;
            let has = if step.turn_passed { -brute(&rules) } else { brute(&rules) };
            assert_eq!(m.after.as_deref().and_then(Value::read).unwrap().wdl(), has, "{position}");
            let lost = m.fault.as_ref().is_some_and(|fault| fault.slip.loses_value());
            assert_eq!(lost, had > has, "{position}");
        }
        assert!(!proved(&mut game, 10_000), "nothing is added twice");
    }

    fn brute(rules: &Session) -> Wdl {
        let mut rules_at = truth::rules(&CATALOG, rules.name()).unwrap();
        rules_at.setup(Some(&rules.position())).unwrap();
        if let Some(over) = rules_at.over() {
            return over.wdl();
        }
        let mut best = Wdl::Loss;
        for next in rules_at.successors(usize::MAX) {
            rules_at.setup(Some(&next.position)).unwrap();
            let value = brute(&rules_at);
            best = best.max(if next.step.turn_passed { -value } else { value });
        }
        best
    }

    #[test]
    fn what_is_not_proved_in_time_is_counted_and_named() {
        let mut game = game("connect4:7x6", &["d1", "d2", "d3"], &[]);
        proved(&mut game, 0);
        assert_eq!(coverage(&game).unwrap(), "proved 0 of 3 moves; not proved: plies 1-3");
        assert_eq!(ranges(&[1, 2, 3, 5, 8, 9]), "1-3 5 8-9");
    }

    #[test]
    fn two_claims_that_cannot_both_be_true_are_a_dispute_with_the_proof() {
        let words = line(2);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        // Player two wins; A says that it does itself.
        let mut lied = game("hexapawn:3x3", &words, &[(0, "win:5"), (1, "win")]);
        proved(&mut lied, 10_000);
        let said: Vec<String> = lied.disputes.iter().map(Dispute::to_string).collect();
        assert!(said.iter().any(|said| said.contains("A says value win:5, the truth is loss")), "{said:?}");
        // Nobody knows who is right, and yet both cannot be.
        let mut open = game("connect4:7x6", &["d1", "d2"], &[(0, "draw"), (1, "win:20")]);
        proved(&mut open, 0);
        let said = open.disputes[0].to_string();
        assert!(said.contains("A says value draw") && said.contains("B says loss:21 for d1"), "{said}");
        let mut agreed = game("connect4:7x6", &["d1", "d2"], &[(0, "win:41"), (1, "loss:40")]);
        proved(&mut agreed, 0);
        assert!(agreed.disputes.is_empty());
        assert!(!matches!(agreed.moves[0].fault, Some(Audit { slip: Slip::WinToLoss, .. })));
    }
}

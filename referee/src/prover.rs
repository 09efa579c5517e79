//! Proofs after a game: values of its positions, from its end backwards, by a search that keeps what it has learned
//! between games. So slips are found in games without a table.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use grundy_core::value::{Step, Value, Wdl};
use grundy_review::Backward;
use grundy_session::{Catalog, Distance, Session, Settings, Work};

use crate::claim::{Claim, Text};
use crate::exact::ExactValues;
use crate::game::blame_repetition;
use crate::games;
use crate::record::{Game, Move, Recorded, SlipRecord};
use crate::verdict::{Dispute, Ending, Fault, Slip};

/// Proves the values of one game's positions by search.
pub struct Prover {
    backward: Backward,
    /// The same with distances, once they are asked for.
    distances: Option<Backward>,
    settings: Settings,
    rules: Session,
    exact: ExactValues,
    /// Values by position, from the endings that were solved after the game.
    endings: HashMap<String, Value>,
}

/// The positions of a game, and what is known of their values.
pub struct Line {
    /// The positions, one more than the moves.
    pub positions: Vec<String>,
    /// The steps of the moves.
    pub steps: Vec<Step>,
    /// The values of the positions for the player to move, as far as they are known.
    pub values: Vec<Option<Value>>,
}

/// The size of the transposition table, in megabytes.
const HASH_MB: usize = 128;
/// The most moves that are proved one by one to name those that keep a value.
const MOST_PROVED: usize = 64;

impl Prover {
    /// Opens the game for a search on `threads` threads.
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
        let settings = Settings {
            threads: threads.max(1),
            hash_mb: HASH_MB,
            tables,
            distance,
            known: false,
            ..Settings::default()
        };
        let session = catalog.open(game, &settings)?;
        let exact = ExactValues::over(session.at_start());
        Ok(Prover {
            backward: Backward::new(session, &settings),
            distances: None,
            settings,
            rules: games::rules(catalog, game)?,
            exact,
            endings: HashMap::new(),
        })
    }

    /// Solves the endings that the game came to and whose values nobody waited for during it, the last one first.
    ///
    /// # Errors
    /// The moves are not of this game; one line.
    pub fn solve_endings(&mut self, game: &Game, work: &Work<'_>) -> Result<(), String> {
        let line = self.line(game)?;
        self.endings.clear();
        for (position, value) in line.positions.into_iter().zip(&line.values).rev() {
            if value.is_none()
                && !work.stopped()
                && let Some(found) = self.exact.solve_ending(&position, work)
            {
                self.endings.insert(position, found);
            }
        }
        Ok(())
    }

    /// Proves the open moves of a game, from the last to the first, until `until`; adds values, slips and disputes to
    /// the game. Returns whether anything was added.
    ///
    /// # Errors
    /// The moves are not of this game; one line.
    pub fn prove(&mut self, game: &mut Game, until: Instant, stop: &AtomicBool) -> Result<bool, String> {
        self.prove_line(game, until, stop).map(|(_, added)| added)
    }

    /// As [`Prover::prove`]; returns the game's positions with their values, too.
    ///
    /// # Errors
    /// As [`Prover::prove`].
    pub fn prove_line(
        &mut self,
        game: &mut Game,
        until: Instant,
        stop: &AtomicBool,
    ) -> Result<(Line, bool), String> {
        // Claims about positions of known value were checked during the game.
        let fresh: Vec<bool> = game.moves.iter().map(|m| m.before.is_none()).collect();
        let mut line = self.line(game)?;
        let Line { positions, steps, values } = &mut line;
        for (position, value) in positions.iter().zip(values.iter_mut()) {
            *value = value.or_else(|| self.endings.get(position).copied());
        }
        let mut added = false;
        for i in (0..positions.len()).rev() {
            self.backward.complete_at(i, positions, steps, values, until, stop);
            // While the search's best move is at hand.
            added |= self.judge(game, i, positions, steps, values, false);
        }
        let Line { positions, steps, values } = &line;
        if game.ending == Ending::Repetition
            && game.moves.iter().all(|m| m.value_slip().is_none())
            && let Some(Some(value)) = values.last()
        {
            let mut moves = std::mem::take(&mut game.moves);
            blame_repetition(&mut self.rules, &mut self.exact, &mut moves, *value);
            added |= moves.iter().any(|m| m.value_slip().is_some());
            game.moves = moves;
        }
        let mut disputes = Vec::new();
        for (i, _) in fresh.iter().enumerate().filter(|(_, fresh)| **fresh) {
            disputes.extend(self.judge_claim(game, i, positions, steps, values));
        }
        disputes.extend(self.judge_end(game, positions, values));
        for new in disputes {
            // One may have been found with the value that a book knew.
            let same = |old: &Dispute| {
                (&new.who, &new.about, &new.said, &new.position)
                    == (&old.who, &old.about, &old.said, &old.position)
            };
            if !game.disputes.iter().any(same) {
                game.disputes.push(new);
                added = true;
            }
        }
        Ok((line, added))
    }

    /// Proves the distances of wins and losses in a game, from the last move to the first, and the moves that would have
    /// kept the value where one lost it, until `until`; judges the moves again by what was found. Of the best moves in a won or
    /// lost position a search finds one.
    pub fn refine(&mut self, game: &mut Game, line: &mut Line, until: Instant, stop: &AtomicBool) {
        let Line { positions, steps, values } = line;
        let settings = Settings { distance: Distance::Exact, ..self.settings.clone() };
        let mut distances = self.distances.take().unwrap_or_else(|| self.backward.fork(&settings));
        let mut best = vec![None; positions.len()];
        for i in (0..positions.len()).rev() {
            distances.complete_at(i, positions, steps, values, until, stop);
            best[i] = distances.take_best(&positions[i]);
            self.judge(game, i, positions, steps, values, true);
        }
        let points = self.rules.unit().is_points();
        for (i, m) in game.moves.iter_mut().enumerate() {
            let (Some(record), Some(value)) = (&mut m.slip, values[i]) else { continue };
            if record.slip.loses_value() && record.more {
                let kept = self.backward.keeping(&positions[i], value, MOST_PROVED, until, stop);
                if kept.words.len() >= record.keeping.len() {
                    (record.keeping, record.more) = (kept.words, !kept.complete);
                }
            }
            if record.best.is_empty() {
                record.best = match (best[i].take(), &positions[i]) {
                    // Points and draws have no distances.
                    _ if points || value.wdl() == Wdl::Draw => record.keeping.clone(),
                    _ if value.is_unmeasured() => Vec::new(),
                    (None, position) if distances.value(position, None, until, stop).is_some() => {
                        distances.take_best(position).into_iter().collect()
                    }
                    (found, _) => found.into_iter().collect(),
                };
            }
            if record.keeping.is_empty() {
                record.keeping.clone_from(&record.best);
            }
        }
        self.distances = Some(distances);
    }

    /// Enters the values before and after a move, and what it cost, unless they are known and `again` is not set;
    /// returns whether anything was added.
    fn judge(
        &mut self,
        game: &mut Game,
        i: usize,
        positions: &[String],
        steps: &[Step],
        values: &[Option<Value>],
        again: bool,
    ) -> bool {
        let (Some(entry), Some(had)) = (game.moves.get_mut(i), values[i]) else { return false };
        let Some(has) = values[i + 1].map(|value| value.back(steps[i])) else { return false };
        if entry.is_proved() && !again {
            return false;
        }
        let known = entry.slip.clone();
        let unit = self.rules.unit();
        let record = |slip: Slip, _: &str| match &known {
            Some(known) if known.slip == slip => known.clone(),
            _ => self.slip_record(slip, &positions[i]),
        };
        let by = "the proof of the position";
        let dispute = entry.judge(unit, [had, has], by, &positions[i], record);
        game.disputes.extend(dispute.filter(|_| !again));
        // A draw by repetition is charged to a move that kept the value of its position.
        if entry.slip.is_none() {
            entry.slip = known.filter(|known| known.slip.loses_value());
        }
        true
    }

    /// Returns the positions of a game and their recorded values.
    ///
    /// # Errors
    /// The moves are not of this game; one line.
    fn line(&mut self, game: &Game) -> Result<Line, String> {
        game.set_up(&mut self.rules)?;
        let mut line = Line { positions: vec![self.rules.position()], steps: Vec::new(), values: vec![None] };
        for m in &game.moves {
            let step = self.rules.play(&m.word).map_err(|e| format!("game {}: {e}", game.id))?.step;
            line.steps.push(step);
            line.positions.push(self.rules.position());
            let known = |value: &Option<Recorded<Value>>| value.as_ref().map(|recorded| recorded.value);
            let before = line.values.last_mut().filter(|_| m.before.is_some());
            before.into_iter().for_each(|value| *value = known(&m.before));
            line.values.push(known(&m.after).map(|after| after.forth(step)));
        }
        Ok(line)
    }

    /// Returns a slip with the value-preserving moves that are known without further search.
    fn slip_record(&mut self, slip: Slip, position: &str) -> SlipRecord {
        let mut preserving = self.exact.preserving_moves(position);
        if preserving.keeping.is_empty()
            && let Some(word) = self.backward.take_best(position)
        {
            preserving.keeping.push(word);
            preserving.more = true;
        }
        SlipRecord::of(slip, position, preserving)
    }

    /// Disputes a resignation, or an adjudication, that the proved value of the last position contradicts.
    fn judge_end(&mut self, game: &Game, positions: &[String], values: &[Option<Value>]) -> Option<Dispute> {
        let turn = self.rules.turn();
        let (resigned, said) = match &game.ending {
            Ending::Fault { side, fault: Fault::Resigns } => (Some(*side), Wdl::Loss),
            Ending::Adjudication => (None, game.result.for_player(turn)?),
            _ => return None,
        };
        let (position, value) = (positions.last()?, (*values.last()?)?);
        let truth = format!("{}, proved", value.show(self.rules.unit()));
        (self.exact.ends(position, value) != said).then(|| match resigned {
            Some(side) => Dispute::of_resignation(&game.players[side.index()], truth, position),
            None => Dispute::of_adjudication(said, truth, position),
        })
    }

    /// Compares a claim about a position with its proved value, and with the claim about the position after it.
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
        let name = |i: usize| game.players[game.moves[i].by.index()].clone();
        let dispute = |truth: String| Dispute {
            who: name(i),
            about: "value".to_string(),
            said: claim.words(unit),
            truth,
            position: positions[i].clone(),
        };
        let mut disputes = Vec::new();
        let ends = values[i].map_or(Wdl::Draw, |value| self.exact.ends(&positions[i], value));
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
            // If either value is proved, each claim is checked against its own position.
            (None, Some(reply)) if values[i].is_none() || values[i + 1].is_none() => {
                let reply = reply.show(unit);
                disputes.push(dispute(format!("not proved; {} says {reply} for {word}", name(i + 1))));
            }
            _ => {}
        }
        disputes
    }
}

/// Reports whether two exact claims can both be true of one move: distances count if both have one.
fn same(a: Value, b: Value) -> bool {
    let measured = a.plies().is_some() && b.plies().is_some();
    if measured || a.margin().is_some() || b.margin().is_some() { a == b } else { a.wdl() == b.wdl() }
}

/// Returns the claim that an engine made with a move.
fn claim_of(entry: &Move) -> Option<Claim> {
    entry.claim.as_ref().map(|recorded| recorded.value)
}

/// Reports whether there is something to prove: an open move, or the value of a position that was given up at once.
pub fn is_open(game: &Game) -> bool {
    let resigned = matches!(game.ending, Ending::Fault { fault: Fault::Resigns, .. });
    coverage(game).is_some() || resigned && game.moves.is_empty()
}

/// Returns a line on the open moves of a game; `None` if there are none.
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

/// Joins neighbours in a rising list of numbers: `1-3 7`.
pub fn ranges(numbers: &[usize]) -> String {
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
        let mut rules = games::rules(&CATALOG, name).unwrap();
        let mut moves = Vec::new();
        for word in words {
            let by = rules.turn();
            rules.play(word).unwrap();
            moves.push(Move::new(by, (*word).to_string(), 1));
        }
        for (at, claim) in claims {
            moves[*at].claim = Some(Recorded::new(Claim::read(claim).unwrap(), rules.unit()));
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
        let mut rules = games::rules(&CATALOG, "hexapawn:3x3").unwrap();
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
        let mut rules = games::rules(&CATALOG, "hexapawn:3x3").unwrap();
        for m in &game.moves {
            let (had, position) = (brute(&rules), rules.position());
            assert_eq!(m.before.as_ref().unwrap().value.wdl(), had, "{position}");
            let step = rules.play(&m.word).unwrap().step;
            let has = if step.turn_passed { -brute(&rules) } else { brute(&rules) };
            assert_eq!(m.after.as_ref().unwrap().value.wdl(), has, "{position}");
            assert_eq!(m.value_slip().is_some(), had > has, "{position}");
        }
        assert!(!proved(&mut game, 10_000), "nothing is added twice");
    }

    fn brute(rules: &Session) -> Wdl {
        let mut rules_at = games::rules(&CATALOG, rules.name()).unwrap();
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
        let mut game = game("connect4:7x7", &["d1", "d2", "d3"], &[]);
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
        let mut open = game("connect4:7x7", &["d1", "d2"], &[(0, "draw"), (1, "win:20")]);
        proved(&mut open, 0);
        let said = open.disputes[0].to_string();
        assert!(said.contains("A says value draw") && said.contains("B says loss:21 for d1"), "{said}");
        let mut agreed = game("connect4:7x7", &["d1", "d2"], &[(0, "win:41"), (1, "loss:40")]);
        proved(&mut agreed, 0);
        assert!(agreed.disputes.is_empty());
        assert!(!matches!(agreed.moves[0].slip, Some(SlipRecord { slip: Slip::WinToLoss, .. })));
    }
}

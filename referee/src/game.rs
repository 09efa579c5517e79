//! One game between two engines: asks, times, checks every move by the rules and audits it by exact values.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use grundy_core::game::{GameResult, Player};
use grundy_core::text::excerpt;
use grundy_core::value::{Value, Wdl};
use grundy_session::{Played, REPETITIONS, Session};

use crate::adjudication::{Adjudication, Adjudicator};
use crate::claim::Text;
use crate::engine::{Clocks, Engine};
use crate::exact::ExactValues;
use crate::record::{Game, Move, Recorded, SlipRecord};
use crate::schedule::Fixture;
use crate::setup::Setup;
use crate::verdict::{Dispute, EXCERPT, Ending, Fault, Outcome, Slip};

/// A game in progress as the referee sees it.
pub struct Arbiter<'a> {
    /// The rules.
    pub rules: &'a mut Session,
    /// The exact values; `None` if moves are not audited.
    pub exact: Option<&'a mut ExactValues>,
    /// The longest game, in plies.
    pub max_plies: usize,
    /// The rules by which scores end the game.
    pub adjudication: Adjudication,
}

/// Plays one game to its end.
///
/// Also returns faults that happened after the game, by engine index (0 or 1).
///
/// # Errors
/// The fixture's start or opening is not of this game; nothing an engine does is an error.
pub fn play(
    fixture: &Fixture,
    arbiter: &mut Arbiter<'_>,
    players: [&mut Engine; 2],
) -> Result<(Game, Vec<(usize, Fault)>), String> {
    fixture.opening.set_up(arbiter.rules)?;
    let began = Instant::now();
    let mut live = LiveGame::new(fixture, arbiter, players);
    let (result, ending) = live.run(fixture.seeds);
    log::debug!(
        "game {} of {}: {result:?} after {} moves, {ending:?}",
        fixture.id,
        fixture.game,
        live.moves.len()
    );
    let after = live.judge_the_end(&ending);
    let stderr = match &ending {
        Ending::Fault { side, .. } => live.players[side.index()].stderr_tail(),
        _ => Vec::new(),
    };
    let players = [live.players[0].name.clone(), live.players[1].name.clone()];
    let (moves, disputes) = (live.moves, live.disputes);
    let took_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    Ok((Game { took_ms, moves, disputes, stderr, ..unplayed(fixture, players, result, ending) }, after))
}

/// Returns the record of a game without moves.
pub fn unplayed(fixture: &Fixture, players: [String; 2], result: Outcome, ending: Ending) -> Game {
    Game {
        id: fixture.id,
        game: fixture.game.clone(),
        pair: fixture.pair,
        engines: fixture.engines,
        players,
        start: fixture.opening.start.clone(),
        opening: fixture.opening.moves.clone(),
        result,
        reason: ending.words(result),
        ending,
        began: now_ms(),
        took_ms: 0,
        moves: Vec::new(),
        disputes: Vec::new(),
        stderr: Vec::new(),
    }
}

/// Returns the time of day, in milliseconds since 1970.
pub fn now_ms() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}

struct LiveGame<'a> {
    rules: &'a mut Session,
    exact: Option<&'a mut ExactValues>,
    max_plies: usize,
    adjudicator: Adjudicator,
    /// The result by the engines' scores, once they have decided the game.
    decided: Option<Outcome>,
    players: [&'a mut Engine; 2],
    /// The current position by its moves, as engines are told it.
    setup: Setup,
    /// The current position as one line.
    here: String,
    moves: Vec<Move>,
    disputes: Vec<Dispute>,
    clocks: [Option<Duration>; 2],
    asked: [u32; 2],
    /// The exact value of the current position.
    value: Option<Value>,
}

impl<'a> LiveGame<'a> {
    fn new(fixture: &Fixture, arbiter: &'a mut Arbiter<'_>, players: [&'a mut Engine; 2]) -> LiveGame<'a> {
        let clock = |player: &Engine| player.spec.limits.clock.map(|control| control.time);
        let clocks = [clock(players[0]), clock(players[1])];
        let here = arbiter.rules.position();
        let value = arbiter.exact.as_mut().and_then(|exact| exact.value(&here));
        LiveGame {
            rules: &mut *arbiter.rules,
            exact: arbiter.exact.as_deref_mut(),
            max_plies: arbiter.max_plies,
            adjudicator: Adjudicator::new(arbiter.adjudication, fixture.opening.moves.len()),
            decided: None,
            players,
            setup: fixture.opening.clone(),
            here,
            moves: Vec::new(),
            disputes: Vec::new(),
            clocks,
            asked: [0; 2],
            value,
        }
    }

    fn run(&mut self, seeds: Option<[u64; 2]>) -> (Outcome, Ending) {
        for side in [Player::One, Player::Two] {
            let player = &mut self.players[side.index()];
            let ready = seeds.map_or(Ok(()), |seeds| player.set_seed(seeds[side.index()]));
            if let Err(fault) = ready.and_then(|()| player.new_game()) {
                return ended_by(side, fault);
            }
        }
        loop {
            // Checked first: with `:repeat=3` the rules would report a draw themselves and hide the reason.
            if self.rules.repetitions() >= REPETITIONS {
                self.blame_repetition();
                return (Outcome::Draw, Ending::Repetition);
            }
            if let Some(result) = self.rules.result() {
                return (result.into(), Ending::Rules);
            }
            if let Some(result) = self.decided {
                self.judge_adjudication(result);
                return (result, Ending::Adjudication);
            }
            if self.moves.len() >= self.max_plies {
                return (Outcome::Draw, Ending::MaxPlies);
            }
            let side = self.rules.turn();
            if let Err(fault) = self.one_move(side) {
                self.judge_resignation(side, &fault);
                return ended_by(side, fault);
            }
        }
    }

    fn one_move(&mut self, side: Player) -> Result<(), Fault> {
        let i = side.index();
        let clocks = self.clocks_of(side);
        let [one, two] = &mut self.players;
        let (player, opponent) = if side == Player::One { (one, two) } else { (two, one) };
        let answer = player.think_beside(&self.setup, &clocks, opponent)?;
        self.keep_time(i, answer.took);
        // The word is the standard spelling of the move, which every engine reads.
        let Ok(Played { word, step }) = self.rules.play(&answer.word) else {
            return Err(Fault::illegal_move(&answer.word));
        };
        self.setup.moves.push(word.clone());
        let before = std::mem::replace(&mut self.here, self.rules.position());
        let mut entry = Move::new(side, word, u64::try_from(answer.took.as_micros()).unwrap_or(u64::MAX));
        entry.claim = answer.claim.map(|claim| Recorded::new(claim, self.rules.unit()));
        entry.score = answer.score;
        self.decided = self.adjudicator.note(side, answer.score);
        if let Some(exact) = self.exact.take() {
            if let (Some(claim), Some(value)) = (answer.claim, self.value)
                && !claim.agrees(value, exact.ends(&before, value))
            {
                self.dispute(i, "value", claim.words(exact.unit()), exact.words(value), &before);
            }
            let child = exact.value(&self.here);
            if let (Some(had), Some(child)) = (self.value, child) {
                let by = "the exact value of the position";
                let record = |slip, word: &str| slip_record(exact, slip, &before, word);
                self.disputes.extend(entry.judge(
                    self.rules.unit(),
                    [had, child.back(step)],
                    by,
                    &before,
                    record,
                ));
            }
            self.value = child;
            self.exact = Some(exact);
        }
        log::debug!(
            "{} plays {} in {:?} at {before}: claim {}, value before {} and after {}{}",
            self.players[i].name,
            entry.word,
            answer.took,
            text_of(&entry.claim),
            text_of(&entry.before),
            text_of(&entry.after),
            if entry.slip.is_some() { ", a slip" } else { "" },
        );
        self.moves.push(entry);
        self.let_ponder(side, answer.expected.as_deref());
        Ok(())
    }

    /// Lets the player who has moved ponder on the reply that he expects, if the game goes on behind it.
    fn let_ponder(&mut self, side: Player, expected: Option<&str>) {
        let i = side.index();
        if !self.players[i].ponders() || self.decided.is_some() || self.rules.turn() == side {
            return;
        }
        let Some(Ok(Played { word, .. })) = expected.map(|word| self.rules.play(word)) else { return };
        let goes_on = self.rules.result().is_none()
            && self.rules.repetitions() < REPETITIONS
            && self.rules.turn() == side;
        self.rules.undo();
        if goes_on {
            let mut setup = self.setup.clone();
            setup.moves.push(word);
            let clocks = self.clocks_of(side);
            self.players[i].ponder(setup, &clocks);
        }
    }

    /// Disputes the resignation of a player who is not lost.
    fn judge_resignation(&mut self, side: Player, fault: &Fault) {
        if let (Fault::Resigns, Some(value), Some(exact)) = (fault, self.value, self.exact.as_deref_mut())
            && exact.ends(&self.here, value) != Wdl::Loss
        {
            let who = &self.players[side.index()].name;
            self.disputes.push(Dispute::of_resignation(who, exact.words(value), &self.here));
        }
    }

    /// Disputes an adjudication that the exact value of the position contradicts.
    fn judge_adjudication(&mut self, result: Outcome) {
        if let (Some(value), Some(exact)) = (self.value, self.exact.as_deref_mut())
            && let Some(said) = result.for_player(self.rules.turn())
            && exact.ends(&self.here, value) != said
        {
            self.disputes.push(Dispute::of_adjudication(said, exact.words(value), &self.here));
        }
    }

    /// Charges the slip, if a won position was drawn by repetition, to the winner's last move that could avoid it.
    fn blame_repetition(&mut self) {
        if let (Some(value), Some(exact)) = (self.value, self.exact.as_deref_mut()) {
            blame_repetition(self.rules, exact, &mut self.moves, value);
        }
    }

    /// Stops engines that ponder, and asks both for the result, if they answer queries. Returns faults by
    /// engine index.
    fn judge_the_end(&mut self, ending: &Ending) -> Vec<(usize, Fault)> {
        let mut after = Vec::new();
        for (i, player) in self.players.iter_mut().enumerate() {
            after.extend(player.stop_pondering().err().map(|fault| (i, fault)));
        }
        if *ending != Ending::Rules {
            return after;
        }
        let result = match self.rules.result() {
            Some(GameResult::Win(Player::One)) => "p1win",
            Some(GameResult::Win(Player::Two)) => "p2win",
            Some(GameResult::Draw) | None => "draw",
        };
        let position = self.here.clone();
        for i in 0..2 {
            if after.iter().any(|(at, _)| *at == i) {
                continue;
            }
            for (query, truth) in [("gameover", "true"), ("result", result)] {
                match self.players[i].query(&self.setup, query) {
                    Ok(Some(answer)) if answer != truth => {
                        self.dispute(i, query, answer, truth.to_string(), &position);
                        break;
                    }
                    Ok(Some(_)) => {}
                    Ok(None) => break,
                    Err(fault) => {
                        after.push((i, fault));
                        break;
                    }
                }
            }
        }
        after
    }

    fn dispute(&mut self, i: usize, about: &str, said: String, truth: String, position: &str) {
        self.disputes.push(Dispute {
            who: self.players[i].name.clone(),
            about: about.to_string(),
            said: excerpt(&said, EXCERPT),
            truth,
            position: position.to_owned(),
        });
    }

    /// Returns the clocks as the player `side` is told them.
    fn clocks_of(&self, side: Player) -> Clocks {
        Clocks {
            side,
            left: self.clocks,
            increment: [self.increment(0), self.increment(1)],
            moves_to_go: self.moves_to_go(side.index()),
        }
    }

    fn increment(&self, i: usize) -> Duration {
        self.players[i].spec.limits.clock.map_or(Duration::ZERO, |control| control.increment)
    }

    fn moves_to_go(&self, i: usize) -> u32 {
        match self.players[i].spec.limits.clock {
            Some(control) if control.moves > 0 => control.moves - self.asked[i] % control.moves,
            _ => 0,
        }
    }

    fn keep_time(&mut self, i: usize, took: Duration) {
        self.asked[i] += 1;
        if let (Some(left), Some(control)) = (self.clocks[i], self.players[i].spec.limits.clock) {
            let mut left = left.saturating_sub(took) + control.increment;
            if control.moves > 0 && self.asked[i].is_multiple_of(control.moves) {
                left += control.time;
            }
            self.clocks[i] = Some(left);
        }
    }
}

/// Charges a draw by repetition of a won position to the winner: to the last of his moves that had a winning
/// alternative. Charges nobody if there was none. `value` is that of the final position.
pub fn blame_repetition(rules: &mut Session, exact: &mut ExactValues, moves: &mut [Move], value: Value) {
    let winner = match value.wdl() {
        _ if value.margin().is_some() => return,
        Wdl::Draw => return,
        Wdl::Win => rules.turn(),
        Wdl::Loss => !rules.turn(),
    };
    let mut at = moves.len();
    while at > 0 && rules.undo() {
        at -= 1;
        if moves[at].by != winner {
            continue;
        }
        let before = rules.position();
        if exact.value(&before).is_none_or(|value| value.wdl() != Wdl::Win) {
            break;
        }
        let mut slip = slip_record(exact, Slip::WinToDraw, &before, &moves[at].word);
        let mut keeps = |word: &String| {
            let repeats = rules.play(word).is_ok() && rules.repetitions() >= REPETITIONS;
            rules.undo();
            !repeats
        };
        slip.keeping.retain(&mut keeps);
        slip.best.retain(&mut keeps);
        if !slip.keeping.is_empty() || slip.more {
            moves[at].slip = Some(slip);
            break;
        }
    }
    for m in &moves[at..] {
        // They were legal before.
        let _ = rules.play(&m.word);
    }
}

/// Returns what the move `played` cost, with the moves that would have kept the value.
fn slip_record(exact: &mut ExactValues, slip: Slip, before: &str, played: &str) -> SlipRecord {
    let mut preserving = exact.preserving_moves(before);
    preserving.keeping.retain(|word| !slip.loses_value() || word != played);
    preserving.best.retain(|word| word != played);
    SlipRecord::of(slip, before, preserving)
}

fn text_of<T>(recorded: &Option<Recorded<T>>) -> &str {
    recorded.as_ref().map_or("none", |recorded| &recorded.text)
}

fn ended_by(side: Player, fault: Fault) -> (Outcome, Ending) {
    (fault.result(side), Ending::Fault { side, fault })
}

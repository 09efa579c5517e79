//! One game between two engines: asks, times, checks every move by the rules and audits it by the exact values.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use grundy_core::game::{GameResult, Player};
use grundy_core::text::excerpt;
use grundy_core::value::{Step, Value, Wdl};
use grundy_session::{Played, Session};

use crate::engine::{Clocks, Engine};
use crate::record::{Audit, Game, Move};
use crate::schedule::Fixture;
use crate::truth::{self, Truth};
use crate::verdict::{Dispute, EXCERPT, Ending, Fault, Outcome, Slip};

/// A game in progress as the referee sees it.
pub struct Arbiter<'a> {
    /// The rules.
    pub rules: &'a mut Session,
    /// The exact values, where moves are audited.
    pub truth: Option<&'a mut Truth>,
    /// As long as games may be, in plies.
    pub max_plies: usize,
}

/// Plays one game to its end.
///
/// Besides the game comes what an engine (0 or 1) did wrong when all was over.
///
/// # Errors
/// The fixture's start or opening is not of this game; nothing an engine does is an error.
pub fn play(
    fixture: &Fixture,
    arbiter: &mut Arbiter<'_>,
    players: [&mut Engine; 2],
) -> Result<(Game, Vec<(usize, Fault)>), String> {
    arbiter.rules.setup(fixture.start.as_deref()).map_err(|e| e.to_string())?;
    for word in &fixture.opening {
        arbiter.rules.play(word).map_err(|e| e.to_string())?;
    }
    let began = Instant::now();
    let mut course = Course::new(fixture, arbiter, players);
    let (result, ending) = course.run(fixture.seeds);
    log::debug!(
        "game {} of {}: {result:?} after {} moves, {ending:?}",
        fixture.id,
        fixture.game,
        course.moves.len()
    );
    let after = course.judge_the_end(&ending);
    let stderr = match &ending {
        Ending::Fault { side, .. } => course.players[usize::from(*side) - 1].last_words(),
        _ => Vec::new(),
    };
    let players = [course.players[0].name.clone(), course.players[1].name.clone()];
    let (moves, disputes) = (course.moves, course.disputes);
    let took_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    Ok((Game { took_ms, moves, disputes, stderr, ..unplayed(fixture, players, result, ending) }, after))
}

/// The record of a game in which no move was made.
pub fn unplayed(fixture: &Fixture, players: [String; 2], result: Outcome, ending: Ending) -> Game {
    Game {
        id: fixture.id,
        game: fixture.game.clone(),
        pair: fixture.pair,
        engines: fixture.engines,
        players,
        start: fixture.start.clone(),
        opening: fixture.opening.clone(),
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

/// The time of day, in milliseconds since 1970.
pub fn now_ms() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}

struct Course<'a> {
    rules: &'a mut Session,
    truth: Option<&'a mut Truth>,
    max_plies: usize,
    players: [&'a mut Engine; 2],
    /// What sets up the present position, with all moves.
    position: String,
    moves: Vec<Move>,
    disputes: Vec<Dispute>,
    clocks: [Option<Duration>; 2],
    asked: [u32; 2],
    /// The exact value of the present position.
    value: Option<Value>,
}

impl<'a> Course<'a> {
    fn new(fixture: &Fixture, arbiter: &'a mut Arbiter<'_>, players: [&'a mut Engine; 2]) -> Course<'a> {
        let mut position = match &fixture.start {
            Some(fen) => format!("position fen {fen}"),
            None => "position startpos".to_string(),
        };
        if !fixture.opening.is_empty() {
            position += " moves ";
            position += &fixture.opening.join(" ");
        }
        let clock = |player: &Engine| player.spec.limits.clock.map(|control| control.time);
        let clocks = [clock(players[0]), clock(players[1])];
        let start = arbiter.rules.position();
        let value = arbiter.truth.as_mut().and_then(|truth| truth.value(&start));
        Course {
            rules: &mut *arbiter.rules,
            truth: arbiter.truth.as_deref_mut(),
            max_plies: arbiter.max_plies,
            players,
            position,
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
            let ready = seeds.map_or(Ok(()), |seeds| player.draw_lots_from(seeds[side.index()]));
            if let Err(fault) = ready.and_then(|()| player.new_game()) {
                return lost(side, fault);
            }
        }
        loop {
            // First, for with a section `:repeat=3` the rules call it a draw as well, and engines are not told of it.
            if self.rules.repetitions() >= 3 {
                self.blame_repetition();
                return (Outcome::Draw, Ending::Repetition);
            }
            if let Some(result) = self.rules.result() {
                return (result.into(), Ending::Rules);
            }
            if self.moves.len() >= self.max_plies {
                return (Outcome::Draw, Ending::MaxPlies);
            }
            let side = self.rules.turn();
            if let Err(fault) = self.one_move(side) {
                return lost(side, fault);
            }
        }
    }

    fn one_move(&mut self, side: Player) -> Result<(), Fault> {
        let i = side.index();
        let clocks = Clocks {
            side,
            left: self.clocks,
            increment: [self.increment(0), self.increment(1)],
            moves_to_go: self.moves_to_go(i),
        };
        let answer = self.players[i].think(&self.position, &clocks)?;
        self.keep_time(i, answer.took);
        let before = self.rules.position();
        // The word is the first spelling of the move, which every engine reads.
        let Ok(Played { word, step }) = self.rules.play(&answer.word) else {
            return Err(Fault::illegal_move(&answer.word));
        };
        if self.position.contains(" moves ") {
            self.position.push(' ');
        } else {
            self.position += " moves ";
        }
        self.position += &word;
        let mut entry = Move {
            by: digit(side),
            word,
            us: u64::try_from(answer.took.as_micros()).unwrap_or(u64::MAX),
            before: None,
            after: None,
            claim: answer.claim.map(|claim| claim.words(self.rules.unit())),
            fault: None,
        };
        if let Some(truth) = self.truth.take() {
            if let (Some(claim), Some(value)) = (answer.claim, self.value)
                && !claim.agrees(value, truth.ends(&before, value))
            {
                self.dispute(i, "value", claim.words(truth.unit()), truth.words(value), &before);
            }
            let child = truth.value(&self.rules.position());
            self.audit(truth, &mut entry, step, &before, child);
            self.value = child;
            self.truth = Some(truth);
        }
        log::debug!(
            "{} plays {} in {:?} at {before}: claim {}, value before {} and after {}{}",
            self.players[i].name,
            entry.word,
            answer.took,
            entry.claim.as_deref().unwrap_or("none"),
            entry.before.as_deref().unwrap_or("unknown"),
            entry.after.as_deref().unwrap_or("unknown"),
            if entry.fault.is_some() { ", a slip" } else { "" },
        );
        self.moves.push(entry);
        Ok(())
    }

    /// Compares the position before a move with what the move made of it.
    fn audit(&mut self, truth: &mut Truth, entry: &mut Move, step: Step, before: &str, child: Option<Value>) {
        let (Some(had), Some(child)) = (self.value, child) else { return };
        let has = child.back(step);
        entry.before = Some(truth.words(had));
        entry.after = Some(truth.words(has));
        match truth::slip(truth.unit(), had, has) {
            Ok(None) => {}
            Ok(Some(slip)) => entry.fault = Some(audit_of(truth, slip, before, &entry.word)),
            Err(truth::Contradiction) => self.disputes.push(Dispute {
                who: "the exact value of the position".to_string(),
                about: format!("value before {}", entry.word),
                said: truth.words(had),
                truth: truth.words(has),
                position: format!("position fen {before}"),
            }),
        }
    }

    /// A drawn game whose position was won: who had the win has given it away by repeating.
    fn blame_repetition(&mut self) {
        if let (Some(value), Some(truth)) = (self.value, self.truth.as_deref_mut()) {
            blame_repetition(self.rules, truth, &mut self.moves, value);
        }
    }

    /// Asks both engines what the result is, where they answer such questions.
    fn judge_the_end(&mut self, ending: &Ending) -> Vec<(usize, Fault)> {
        let mut after = Vec::new();
        if *ending != Ending::Rules {
            return after;
        }
        let result = match self.rules.result() {
            Some(GameResult::Win(Player::One)) => "p1win",
            Some(GameResult::Win(Player::Two)) => "p2win",
            Some(GameResult::Draw) | None => "draw",
        };
        let position = self.rules.position();
        for i in 0..2 {
            let setup = self.position.clone();
            for (query, truth) in [("gameover", "true"), ("result", result)] {
                match self.players[i].query(&setup, query) {
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
            position: format!("position fen {position}"),
        });
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

/// Charges a game that the third repetition has drawn in a position of this value to the player who had won it: to the
/// last of his moves beside which another one kept the win. Nobody is charged where there was none.
pub fn blame_repetition(rules: &mut Session, truth: &mut Truth, moves: &mut [Move], value: Value) {
    let winner = match value.wdl() {
        _ if value.margin().is_some() => return,
        Wdl::Draw => return,
        Wdl::Win => rules.turn(),
        Wdl::Loss => !rules.turn(),
    };
    let mut at = moves.len();
    while at > 0 && rules.undo() {
        at -= 1;
        if moves[at].by != digit(winner) {
            continue;
        }
        let before = rules.position();
        if truth.value(&before).is_none_or(|value| value.wdl() != Wdl::Win) {
            break;
        }
        let mut audit = audit_of(truth, Slip::WinToDraw, &before, &moves[at].word);
        let mut keeps = |word: &String| {
            let repeats = rules.play(word).is_ok() && rules.repetitions() >= 3;
            rules.undo();
            !repeats
        };
        audit.keeping.retain(&mut keeps);
        audit.best.retain(&mut keeps);
        if !audit.keeping.is_empty() || audit.more {
            moves[at].fault = Some(audit);
            break;
        }
    }
    for m in &moves[at..] {
        // They were legal a moment ago.
        let _ = rules.play(&m.word);
    }
}

/// What a move cost, with those that would have kept the value: the move itself is none of them.
fn audit_of(truth: &mut Truth, slip: Slip, before: &str, played: &str) -> Audit {
    let mut keepers = truth.keepers(before);
    keepers.keeping.retain(|word| !slip.loses_value() || word != played);
    keepers.best.retain(|word| word != played);
    Audit::of(slip, before, keepers)
}

fn lost(side: Player, fault: Fault) -> (Outcome, Ending) {
    (Outcome::lost_by(side), Ending::Fault { side: digit(side), fault })
}

fn digit(side: Player) -> u8 {
    match side {
        Player::One => 1,
        Player::Two => 2,
    }
}

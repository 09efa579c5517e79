//! The course of learning: batches of games, steps of gradient descent, and the error on positions of known value.
//!
//! A batch of games is played with the weights of its beginning, so that the result does not depend on the number of
//! threads: game n is the same game in every run of one seed.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use grundy_core::cells::FREE;
use grundy_core::game::Player;
use grundy_core::random::{SplitMix64, mix_pair};
use grundy_core::value::Value;
use grundy_core::weights::{Contents, Weights};
use grundy_session::{Board, Drawing, Go, Limits, Listed, NEVER, Session};

use crate::layout::{Layout, cells_of};
use crate::model::{Aim, Model};
use crate::selfplay::{Course, Played, Sample, play, settings, worth_of_score};
use crate::symmetry::{find, random_positions};
use crate::tuples::tables;

/// The method named in files.
const METHOD: &str = "n-tuples, TD(lambda) with temporal coherence, 1";
/// Games of a batch.
const BATCH: u64 = 64;
/// Games that are drawn by lot at first, so that there is something to evaluate by.
const RANDOM: u64 = 4 * BATCH;
/// Random games that show what positions look like.
const SHOWN: usize = 40;
/// Samples kept, to be learned again.
const KEPT: usize = 300_000;
/// Old samples learned for each new one.
const AGAIN: usize = 12;
/// Kinds of cells that are told apart at the most; numbers from the last on are alike.
const MOST_KINDS: usize = 24;
const MOST_NUMBERS: usize = 16;
/// Nodes that a search should have on average: below the first it is made deeper, above the second less deep.
const FEW_NODES: u64 = 60;
const MANY_NODES: u64 = 600;
const DEEPEST: u32 = 4;
/// Positions of known value: how many are wanted, and the nodes that one and all of them may cost.
const KNOWN: usize = 400;
const NODES: u64 = 3_000;
const ALL_NODES: u64 = 1_500_000;
/// Interval between two files.
const SAVE: Duration = Duration::from_secs(60);

/// The terms of a training.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// When to end.
    pub until: Option<Instant>,
    /// The number of games after which to end.
    pub games: Option<u64>,
    /// Threads.
    pub threads: usize,
    /// The seed.
    pub seed: u64,
    /// The file to continue and to write; `None` to keep the weights in memory.
    pub file: Option<&'a Path>,
    /// Ends early.
    pub stop: &'a AtomicBool,
}

/// The state of learning after a batch.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Games of the file so far.
    pub games: u64,
    /// Positions learned from.
    pub positions: u64,
    /// Depth of the searches.
    pub depth: u32,
    /// The error on positions of known value.
    pub held_out: HeldOut,
}

/// The error on positions of known value that were not learned from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HeldOut {
    /// Their number.
    pub positions: usize,
    /// Root of the mean square of the error, in worth (from -1 to 1) or in points.
    pub error: f32,
    /// The share estimated to be won by the wrong player.
    pub wrong: f32,
}

/// The properties of a game that are found before learning.
#[derive(Clone, Debug)]
pub struct Facts {
    /// Cells of each position.
    pub cells: usize,
    /// Kinds of cells.
    pub kinds: u8,
    /// Symmetries of the board, the identity included.
    pub symmetries: usize,
    /// True if the players have the same game.
    pub alike: bool,
    /// Tables of weights.
    pub tables: usize,
    /// Images of all tables.
    pub images: usize,
    /// Weights, equal ones counted once.
    pub weights: usize,
}

/// A game being learned.
pub struct Training<'a> {
    plan: Plan<'a>,
    /// One board for each thread.
    boards: Vec<Box<dyn Board>>,
    model: Model,
    facts: Facts,
    known: Vec<Sample>,
    kept: Vec<Sample>,
    random: SplitMix64,
    course: Course,
    positions: u64,
    name: String,
}

impl<'a> Training<'a> {
    /// Looks at a game and prepares to learn it; continues with the file of the plan if it exists.
    ///
    /// # Errors
    /// The game cannot be learned, or the file is of another game: one line.
    pub fn new(session: &Session, plan: Plan<'a>) -> Result<Training<'a>, String> {
        let name = session.name().to_owned();
        let refuse = |why: &str| Err(format!("{name} cannot be learned: {why}"));
        let mut board = session.fork().board()?;
        if !board.searches() {
            return refuse("it has no search that would use an evaluation");
        }
        let mut random = SplitMix64(mix_pair(plan.seed, 1));
        let met = random_positions(&mut *board, SHOWN, &mut random)?;
        let Some(layout) = met.first().and_then(|met| Layout::of(&met.text)) else {
            return refuse("its positions have no cells");
        };
        if met.iter().any(|met| cells_of(&met.text).len() != layout.cells()) {
            return refuse("its positions have different numbers of cells");
        }
        let (digits, base) = match digits(&layout, met.iter().map(|met| &*met.text)) {
            Some(found) => found,
            None => return refuse("its cells are of too many kinds"),
        };
        let (symmetries, swap) = find(&mut *board, &layout, &met, &mut random);
        let group: Vec<Vec<u16>> = symmetries.iter().map(|symmetry| symmetry.cells.clone()).collect();
        let tables = tables(&layout, base, &group, &mut SplitMix64(1));
        let aim = aim(&mut *board, &mut random)?;
        let shape = Contents {
            game: name.clone(),
            digest: session.digest().unwrap_or_default().to_owned(),
            method: METHOD.to_owned(),
            games: 0,
            seed: plan.seed,
            cells: layout.cells(),
            digits: [digits; 2],
            base,
            images: [Vec::new(), Vec::new()],
            unit: 0,
            weights: Vec::new(),
        };
        let mut model = Model::new(shape, &tables, swap.as_ref(), aim);
        if let Some(path) = plan.file.filter(|path| path.exists()) {
            let told = |why| format!("{}: {why}", path.display());
            let weights = Weights::read(path).map_err(|why| told(why.to_string()))?;
            weights.check(&name, session.digest()).map_err(|why| told(why.to_string()))?;
            if !model.take(weights.contents()) {
                return Err(told("made with other tables of weights: remove it to learn anew".to_owned()));
            }
        }
        let facts = Facts {
            cells: layout.cells(),
            kinds: base,
            symmetries: group.len(),
            alike: swap.is_some(),
            tables: tables.len(),
            images: tables.iter().map(|table| table.images.len()).sum(),
            weights: model.size(),
        };
        let plies = met.len() / SHOWN;
        let course =
            Course { aim, depth: 1, opening: (plies / 3).clamp(2, 16), random: model.games() < RANDOM };
        let known = known_positions(&mut *board, aim, &mut random, plan.stop);
        let boards = (0..plan.threads.max(1)).map(|_| board.fork()).collect();
        Ok(Training {
            plan,
            boards,
            model,
            facts,
            known,
            kept: Vec::new(),
            random,
            course,
            positions: 0,
            name,
        })
    }

    /// Returns what was found out about the game.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Returns the weights as they are now.
    ///
    /// # Errors
    /// None that a model of this crate causes.
    pub fn weights(&self) -> Result<Weights, String> {
        Weights::new(self.model.contents()).map_err(|why| format!("{}: {why}", self.name))
    }

    /// Learns until the plan is done; `report` is called after every batch.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn run(&mut self, report: &mut dyn FnMut(&Progress)) -> Result<Weights, String> {
        let mut saved = Instant::now();
        while !self.ended() {
            self.batch()?;
            report(&self.progress());
            if saved.elapsed() >= SAVE {
                self.save()?;
                saved = Instant::now();
            }
        }
        self.save()
    }

    /// Returns the state of learning.
    pub fn progress(&mut self) -> Progress {
        let held_out = self.held_out();
        Progress { games: self.model.games(), positions: self.positions, depth: self.course.depth, held_out }
    }

    fn ended(&self) -> bool {
        self.plan.stop.load(Relaxed)
            || self.plan.until.is_some_and(|until| Instant::now() >= until)
            || self.plan.games.is_some_and(|games| self.model.games() >= games)
    }

    fn save(&self) -> Result<Weights, String> {
        let weights = self.weights()?;
        if let Some(path) = self.plan.file {
            weights.write(path).map_err(|why| why.to_string())?;
        }
        Ok(weights)
    }

    /// Plays a batch of games and learns from them.
    fn batch(&mut self) -> Result<(), String> {
        let first = self.model.games();
        self.course.random = first < RANDOM;
        let left = self.plan.games.map_or(BATCH, |games| games.saturating_sub(first).min(BATCH));
        if !self.course.random {
            let weights = Arc::new(self.weights()?);
            self.boards.iter_mut().for_each(|board| board.evaluate_by(Some(weights.clone())));
        }
        let games = self.play(first, left);
        if self.plan.stop.load(Relaxed) {
            return Ok(());
        }
        self.model.count(left);
        let (nodes, searches): (u64, u64) =
            games.iter().fold((0, 0), |sum, game| (sum.0 + game.nodes, sum.1 + game.searches));
        match nodes / searches.max(1) {
            nodes if nodes < FEW_NODES && self.course.depth < DEEPEST => self.course.depth += 1,
            nodes if nodes > MANY_NODES && self.course.depth > 1 => self.course.depth -= 1,
            _ => {}
        }
        for sample in games.into_iter().flat_map(|game| game.samples) {
            self.positions += 1;
            self.model.learn(sample.turn, &sample.cells, sample.worth);
            for _ in 0..AGAIN.min(self.kept.len()) {
                let old = &self.kept[self.random.below(self.kept.len())];
                self.model.learn(old.turn, &old.cells, old.worth);
            }
            if self.kept.len() < KEPT {
                self.kept.push(sample);
            } else {
                let at = self.positions as usize % KEPT;
                self.kept[at] = sample;
            }
        }
        Ok(())
    }

    /// Plays games by all threads; the result is in the order of their numbers.
    fn play(&mut self, first: u64, count: u64) -> Vec<Played> {
        let (course, seed, stop) = (self.course, self.plan.seed, self.plan.stop);
        let next = AtomicUsize::new(0);
        let games: Vec<Mutex<Played>> = (0..count).map(|_| Mutex::default()).collect();
        std::thread::scope(|scope| {
            for board in &mut self.boards {
                let (games, next) = (&games, &next);
                scope.spawn(move || {
                    loop {
                        let at = next.fetch_add(1, Relaxed);
                        let Some(game) = games.get(at).filter(|_| !stop.load(Relaxed)) else { return };
                        let played = play(&mut **board, course, mix_pair(seed, first + at as u64), stop);
                        *game.lock().unwrap_or_else(PoisonError::into_inner) = played;
                    }
                });
            }
        });
        games.into_iter().map(|game| game.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
    }

    /// Returns the error on positions of known value.
    fn held_out(&mut self) -> HeldOut {
        let (mut squares, mut wrong) = (0.0, 0);
        let unit = if let Aim::Margin(points) = self.course.aim { points } else { 1.0 };
        for sample in &self.known {
            let estimate = self.model.estimate(sample.turn, &sample.cells);
            let found = self.course.aim.worth(estimate);
            squares += (unit * (found - sample.worth)).powi(2);
            wrong += usize::from(found * sample.worth < 0.0);
        }
        let count = self.known.len().max(1) as f32;
        HeldOut { positions: self.known.len(), error: (squares / count).sqrt(), wrong: wrong as f32 / count }
    }
}

/// Returns the digit of each byte of a cell, and the number of digits; `None` if there are too many kinds.
fn digits<'t>(layout: &Layout, texts: impl Iterator<Item = &'t str>) -> Option<([u8; 256], u8)> {
    let mut met = [false; 256];
    texts.flat_map(cells_of).for_each(|byte| met[usize::from(byte)] = true);
    if layout.list {
        let most = met.iter().rposition(|&met| met).unwrap_or(0).clamp(1, MOST_NUMBERS - 1);
        return Some((std::array::from_fn(|byte| byte.min(most) as u8), most as u8 + 1));
    }
    let kinds = met.iter().filter(|&&met| met).count();
    let mut digits = [0; 256];
    // Free cells have digit 0.
    met[usize::from(FREE)] = false;
    let mut next = 1;
    for byte in (0..256).filter(|&byte| met[byte]) {
        digits[byte] = next;
        next += 1;
    }
    (kinds <= MOST_KINDS).then_some((digits, next))
}

/// Returns the objective: results, or margins in a unit that random games suggest.
fn aim(board: &mut dyn Board, random: &mut SplitMix64) -> Result<Aim, String> {
    if !board.unit().is_points() {
        return Ok(Aim::Result);
    }
    let mut squares = 0.0;
    for _ in 0..SHOWN {
        board.set_up(None)?;
        while let Some(moves) = board.list(Listed::Legal, usize::MAX).filter(|moves| !moves.is_empty()) {
            board.play(moves[random.below(moves.len())]);
        }
        let standing = board.standing();
        let left = standing.over.and_then(Value::margin).unwrap_or(0);
        let lead = standing.score.0 - standing.score.1;
        let margin = if standing.turn == Player::One { lead + left } else { lead - left };
        squares += (margin as f32).powi(2);
    }
    Ok(Aim::Margin((squares / SHOWN as f32).sqrt().max(1.0)))
}

/// Returns positions of random games whose value a short search proves.
fn known_positions(
    board: &mut dyn Board,
    aim: Aim,
    random: &mut SplitMix64,
    stop: &AtomicBool,
) -> Vec<Sample> {
    let mut known: Vec<Sample> = Vec::new();
    let mut nodes = 0;
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let go = Go { limits, ..Go::default() };
    while known.len() < KNOWN && nodes < ALL_NODES && !stop.load(Relaxed) {
        let Ok(met) = random_positions(board, 1, random) else { break };
        // One position of a game: those near its end are proved more often.
        let open: Vec<&str> = met.iter().filter(|met| !met.ended).map(|met| &*met.text).collect();
        let Some(&text) = open.get(random.below(open.len()).max(random.below(open.len()))) else { break };
        if board.set_up(Some(text)).is_err() {
            break;
        }
        board.forget();
        let mut best = None;
        board.search(&go, &[], &settings(), &NEVER, &mut |info| {
            if info.rank == 1 {
                best = Some((info.score, info.nodes));
            }
        });
        let Some((score, spent)) = best else { break };
        nodes += spent.max(50);
        if let Some((worth, true)) = worth_of_score(score, aim) {
            let turn = board.standing().turn;
            known.push(Sample { turn, cells: cells_of(&board.draw(Drawing::Line)).into(), worth });
        }
    }
    known
}

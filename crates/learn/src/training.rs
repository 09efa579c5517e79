//! The course of learning: batches of games, steps of gradient descent, and the error on positions of known value.
//!
//! A batch of games is played with the weights of its beginning, so that the result does not depend on the number of
//! threads: game n is the same game in every run of one seed. Some games of each batch are played against the game's own
//! evaluation, which is the teacher until it has lost more of them than it won.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use grundy_core::cells::FREE;
use grundy_core::game::Player;
use grundy_core::random::{SplitMix64, mix_pair};
use grundy_core::weights::{Contents, Model, Tuples, Weights, WeightsError};
use grundy_session::{Board, Drawing, Go, Limits, Session};

use crate::layout::{Layout, cells_of};
use crate::model::{Aim, Learner};
use crate::network::Net;
use crate::ntuple::NTuples;
use crate::selfplay::{Course, Played, Sample, Sides, play, settings, total, worth_of, worth_of_score};
use crate::study::Positions;
use crate::symmetry::{find, random_positions};
use crate::tuples::tables;

/// The methods named in files.
const TUPLES: &str = "n-tuples, TD(lambda) with temporal coherence, 2";
const NETWORK: &str = "network of one layer, TD(lambda) with Adam, 1";
/// The end of these names where positions were learned that others have judged.
const STUDIED: &str = ", from judged positions";
/// Games of a batch.
const BATCH: u64 = 64;
/// One game in this many is played against the game's own evaluation; two in turn begin with the same moves.
const CONTESTS: u64 = 8;
/// The share of the last contest in the mean of the points won.
const LATEST: f32 = 0.02;
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
    /// The model; `None` for that of the file, or a network of [`NEURONS`].
    pub model: Option<Kind>,
    /// The file to continue and to write; `None` to keep the weights in memory.
    pub file: Option<&'a Path>,
    /// Ends early.
    pub stop: &'a AtomicBool,
}

impl Plan<'_> {
    /// Reports whether the time is up or learning was stopped.
    pub fn over(&self) -> bool {
        self.stop.load(Relaxed) || self.until.is_some_and(|until| Instant::now() >= until)
    }
}

/// The kind of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Tables over tuples of cells.
    Tuples,
    /// A network with as many neurons for each player's view.
    Network(u16),
}

/// Neurons of a network that is not told their number.
pub const NEURONS: u16 = 64;

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
    /// The share of points in the last games against the game's own evaluation, which counts from 0.
    pub points: f32,
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
    /// The model.
    pub kind: Kind,
    /// Weights, equal ones counted once.
    pub weights: usize,
}

/// A game being learned.
pub struct Training<'a> {
    plan: Plan<'a>,
    /// For each thread a board that evaluates by what was learned, and one by the game's own evaluation.
    boards: Vec<[Box<dyn Board>; 2]>,
    /// The file, with the games played so far, but for the weights.
    shape: Contents,
    learner: Box<dyn Learner>,
    facts: Facts,
    known: Vec<Sample>,
    /// The cells of these, by player to move.
    kept_out: [HashSet<Box<[u8]>>; 2],
    kept: Vec<Sample>,
    random: SplitMix64,
    course: Course,
    positions: u64,
    /// See [`Progress::points`].
    points: f32,
    /// The hundredths that an output of 1 is worth, if scores of judged positions told that.
    scale: Option<f32>,
}

impl<'a> Training<'a> {
    /// Looks at a game and prepares to learn it; continues with the file of the plan if it exists.
    ///
    /// # Errors
    /// The game cannot be learned, or the file is of another game: one line.
    pub fn new(session: &Session, plan: Plan<'a>) -> Result<Training<'a>, String> {
        let name = session.name().to_owned();
        let refuse = |why: &str| Err(format!("{name} cannot be learned: {why}"));
        let mut board = session.at_start().board()?;
        if !board.searches() {
            return refuse("it has no search that would use an evaluation");
        }
        let mut random = SplitMix64(mix_pair(plan.seed, 1));
        let met = random_positions(&mut *board, SHOWN, &mut random, &|| plan.over())?;
        if plan.over() {
            return refuse("its positions were not looked at in time: let it run for longer");
        }
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
        let strict = session.digest().is_some() && session.name().starts_with("rules:");
        let (symmetries, swap) = find(&mut *board, &layout, &met, &mut random, strict, &|| plan.over());
        if plan.over() {
            return refuse("its positions were not looked at in time: let it run for longer");
        }
        let group: Vec<Vec<u16>> = symmetries.iter().map(|symmetry| symmetry.cells.clone()).collect();
        let mut digits = [digits; 2];
        if let Some(swap) = &swap {
            digits[1] = swap.letters.map(|letter| digits[0][usize::from(letter)]);
        }
        let turned = swap.as_ref().map(|swap| &*swap.cells);
        let aim = aim(&mut *board, &mut random, &plan)?;
        let given = match plan.file.filter(|path| path.exists()) {
            Some(path) => {
                let told = |why: WeightsError| format!("{}: {why}", path.display());
                let weights = Weights::read(path).map_err(told)?;
                weights.check(&name, session.digest()).map_err(told)?;
                Some((path, weights))
            }
            None => None,
        };
        let kind =
            plan.model.unwrap_or_else(|| match given.as_ref().map(|(_, given)| &given.contents().model) {
                Some(Model::Tuples(_)) => Kind::Tuples,
                Some(Model::Network(network)) => Kind::Network(network.hidden as u16),
                None => Kind::Network(NEURONS),
            });
        let mut shape = Contents {
            game: name,
            digest: session.digest().unwrap_or_default().to_owned(),
            method: if kind == Kind::Tuples { TUPLES } else { NETWORK }.to_owned(),
            games: 0,
            seed: plan.seed,
            cells: layout.cells(),
            digits,
            base,
            unit: 0,
            model: Model::Tuples(Tuples::default()),
        };
        let symmetries = group.len();
        let mut learner: Box<dyn Learner> = match kind {
            Kind::Tuples => {
                let tables = tables(&layout, base, &group, &mut SplitMix64(1));
                Box::new(NTuples::new(&shape, &tables, turned, aim))
            }
            Kind::Network(neurons) => Box::new(Net::new(&shape, group, turned, aim, usize::from(neurons))),
        };
        if let Some((path, weights)) = given {
            if !learner.take(weights.contents()) {
                let why = "made with another model: remove it to learn anew";
                return Err(format!("{}: {why}", path.display()));
            }
            shape.games = weights.contents().games;
        }
        let facts = Facts {
            cells: layout.cells(),
            kinds: base,
            symmetries,
            alike: swap.is_some(),
            kind,
            weights: learner.size(),
        };
        let plies = met.len() / SHOWN;
        let course =
            Course { aim, depth: 1, opening: (plies / 3).clamp(2, 16), random: shape.games < RANDOM };
        let known = known_positions(&mut *board, aim, &mut random, &plan);
        let boards = (0..plan.threads.max(1)).map(|_| [board.fork(), board.fork()]).collect();
        Ok(Training {
            plan,
            boards,
            shape,
            learner,
            facts,
            kept_out: [Player::One, Player::Two].map(|player| {
                known.iter().filter(|held| held.turn == player).map(|held| held.cells.clone()).collect()
            }),
            known,
            kept: Vec::new(),
            random,
            course,
            positions: 0,
            points: 0.0,
            scale: None,
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
        let (model, unit) = self.learner.stored();
        let scaled =
            |hundredths: f32| (f64::from(unit) * f64::from(hundredths / self.course.aim.hundredths())) as u32;
        let unit = self.scale.map_or(unit, scaled);
        let contents = Contents { model, unit, ..self.shape.clone() };
        Weights::new(contents).map_err(|why| format!("{}: {why}", self.shape.game))
    }

    /// Learns until the plan is done; `report` is called after every batch.
    ///
    /// # Errors
    /// The file cannot be written, or no game was played in time: then none is written.
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
        if self.shape.games == 0 && self.plan.games != Some(0) {
            return Err(format!("no game of {} was played in time: let it run for longer", self.shape.game));
        }
        self.save()
    }

    /// Reads a file of judged positions.
    ///
    /// # Errors
    /// It cannot be read, or has a line that is no judged position.
    pub fn positions(&mut self, file: &Path) -> Result<Positions, String> {
        Positions::read(file, &mut *self.boards[0][0], self.shape.cells, self.course.aim)
    }

    /// Learns from judged positions, `epochs` times from each; `report` is called after every epoch with its number and the
    /// root of the mean square of the error on positions that are held out: in worth from -1 to 1, or in points.
    ///
    /// # Errors
    /// The weights cannot be written, or no position was learned in time: then none are written.
    pub fn study(
        &mut self,
        positions: &Positions,
        epochs: u32,
        report: &mut dyn FnMut(u32, f32),
    ) -> Result<Weights, String> {
        if !self.shape.method.ends_with(STUDIED) {
            self.shape.method.push_str(STUDIED);
        }
        self.scale = positions.scale;
        for epoch in 1..=epochs {
            for at in positions.shuffled(&mut self.random) {
                if self.plan.over() {
                    break;
                }
                let (turn, cells, worth) = positions.get(at as usize);
                self.learner.learn(turn, cells, worth);
                self.positions += 1;
            }
            if self.positions == 0 {
                let name = &self.shape.game;
                return Err(format!("no position of {name} was learned in time: let it run for longer"));
            }
            let held_out = (positions.to_learn()..positions.len()).map(|at| positions.get(at));
            report(epoch, errors(&mut *self.learner, self.course.aim, held_out).error);
            self.save()?;
            if self.plan.over() {
                break;
            }
        }
        self.weights()
    }

    /// Returns the state of learning.
    pub fn progress(&mut self) -> Progress {
        let held_out = self.held_out();
        let Training { positions, points, .. } = *self;
        Progress { games: self.shape.games, positions, depth: self.course.depth, held_out, points }
    }

    fn ended(&self) -> bool {
        self.plan.over() || self.plan.games.is_some_and(|games| self.shape.games >= games)
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
        let first = self.shape.games;
        self.course.random = first < RANDOM && !self.shape.method.ends_with(STUDIED);
        let left = self.plan.games.map_or(BATCH, |games| games.saturating_sub(first).min(BATCH));
        if !self.course.random {
            let weights = Arc::new(self.weights()?);
            self.boards.iter_mut().for_each(|boards| boards[0].evaluate_by(Some(weights.clone())));
        }
        let games = self.play(first, left);
        if self.plan.stop.load(Relaxed) {
            return Ok(());
        }
        self.shape.games += games.len() as u64;
        for points in games.iter().filter_map(|game| game.points) {
            self.points += LATEST * (points - self.points);
        }
        let (nodes, searches): (u64, u64) =
            games.iter().fold((0, 0), |sum, game| (sum.0 + game.nodes, sum.1 + game.searches));
        match nodes / searches.max(1) {
            nodes if nodes < FEW_NODES && self.course.depth < DEEPEST => self.course.depth += 1,
            nodes if nodes > MANY_NODES && self.course.depth > 1 => self.course.depth -= 1,
            _ => {}
        }
        for sample in games.into_iter().flat_map(|game| game.samples) {
            if self.kept_out[sample.turn.index()].contains(&sample.cells) {
                continue;
            }
            self.positions += 1;
            self.learner.learn(sample.turn, &sample.cells, sample.worth);
            for _ in 0..AGAIN.min(self.kept.len()) {
                let old = &self.kept[self.random.below(self.kept.len())];
                self.learner.learn(old.turn, &old.cells, old.worth);
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

    /// Plays games by all threads while there is time; the result is in the order of their numbers.
    fn play(&mut self, first: u64, count: u64) -> Vec<Played> {
        let (course, plan) = (self.course, self.plan);
        // The game's own evaluation plays until the learned one has overtaken it.
        let player = usize::from(self.points < 0.5 && !course.random);
        let next = AtomicUsize::new(0);
        let games: Vec<Mutex<Option<Played>>> = (0..count).map(|_| Mutex::default()).collect();
        std::thread::scope(|scope| {
            for boards in &mut self.boards {
                let (games, next) = (&games, &next);
                let over = move || plan.over();
                scope.spawn(move || {
                    loop {
                        let at = next.fetch_add(1, Relaxed);
                        let Some(game) = games.get(at).filter(|_| !over()) else { return };
                        let number = first + at as u64;
                        let played = if !course.random && number.is_multiple_of(CONTESTS) {
                            let side =
                                if (number / CONTESTS).is_multiple_of(2) { Player::One } else { Player::Two };
                            let [learned, own] = boards;
                            let sides = Sides::Two(side, &mut **learned, &mut **own);
                            play(sides, course, mix_pair(!plan.seed, number / CONTESTS / 2), plan.stop, &over)
                        } else {
                            play(
                                Sides::One(&mut *boards[player]),
                                course,
                                mix_pair(plan.seed, number),
                                plan.stop,
                                &over,
                            )
                        };
                        *game.lock().unwrap_or_else(PoisonError::into_inner) = played;
                    }
                });
            }
        });
        games
            .into_iter()
            .filter_map(|game| game.into_inner().unwrap_or_else(PoisonError::into_inner))
            .collect()
    }

    /// Returns the error on positions of known value.
    fn held_out(&mut self) -> HeldOut {
        let known = self.known.iter().map(|sample| (sample.turn, &*sample.cells, sample.worth));
        errors(&mut *self.learner, self.course.aim, known)
    }
}

/// Returns the error of the estimates of positions: the players to move, the cells and the worths.
fn errors<'s>(
    learner: &mut dyn Learner,
    aim: Aim,
    samples: impl ExactSizeIterator<Item = (Player, &'s [u8], f32)>,
) -> HeldOut {
    let positions = samples.len();
    let (mut squares, mut wrong) = (0.0, 0);
    let unit = if let Aim::Margin(points) = aim { points } else { 1.0 };
    for (turn, cells, worth) in samples {
        let found = aim.worth(learner.estimate(turn, cells));
        squares += (unit * (found - worth)).powi(2);
        wrong += usize::from(found * worth < 0.0);
    }
    let count = positions.max(1) as f32;
    HeldOut { positions, error: (squares / count).sqrt(), wrong: wrong as f32 / count }
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
fn aim(board: &mut dyn Board, random: &mut SplitMix64, plan: &Plan<'_>) -> Result<Aim, String> {
    if !board.unit().is_points() {
        return Ok(Aim::Result);
    }
    let points = Aim::Margin(1.0);
    let mut squares = 0.0f32;
    for _ in 0..SHOWN {
        // Leaves the board at the end of the game.
        random_positions(board, 1, random, &|| plan.over())?;
        let standing = board.standing();
        let left = standing.over.map_or(0.0, |value| worth_of(value, points));
        squares += total(&standing, left, points).powi(2);
    }
    Ok(Aim::Margin((squares / SHOWN as f32).sqrt().max(1.0)))
}

/// Returns positions of random games whose value a short search proves. Takes at most an eighth of the time that is left.
fn known_positions(board: &mut dyn Board, aim: Aim, random: &mut SplitMix64, plan: &Plan<'_>) -> Vec<Sample> {
    let mut known: Vec<Sample> = Vec::new();
    let mut nodes = 0;
    let now = Instant::now();
    let until = plan.until.map(|until| now + until.saturating_duration_since(now) / 8);
    let plan = Plan { until, ..*plan };
    let limits = Limits { nodes: Some(NODES), hard: until, ..Limits::default() };
    let go = Go { limits, ..Go::default() };
    while known.len() < KNOWN && nodes < ALL_NODES && !plan.over() {
        let Ok(met) = random_positions(board, 1, random, &|| plan.over()) else { break };
        // One position of a game: those near its end are proved more often.
        let open: Vec<&str> = met.iter().filter(|met| !met.ended).map(|met| &*met.text).collect();
        let Some(&text) = open.get(random.below(open.len()).max(random.below(open.len()))) else { break };
        if board.set_up(Some(text)).is_err() {
            break;
        }
        board.forget();
        let mut best = None;
        board.search(&go, &[], &settings(), plan.stop, &mut |info| {
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

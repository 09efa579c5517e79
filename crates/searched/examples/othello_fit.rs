//! Makes the weights of Othello's patterns (`crates/searched/src/othello/weights6.bin`, `weights8.bin`) from games that
//! the engine plays against itself.
//!
//! ```text
//! cargo run --release -p grundy-searched --example othello_fit -- play side=8 games=20000 positions.bin
//! cargo run --release -p grundy-searched --example othello_fit -- fit side=8 weights=weights8.bin positions.bin ..
//! cargo run --release -p grundy-searched --example othello_fit -- predict positions.bin
//! ```
//!
//! `play` appends games: random moves, then moves by a search of `depth` plies, then exact play with at most `exact` free
//! cells. Run again, it goes on where it ended. `fit` finds the weights of least squares, the last phase first. The target
//! of a position is a mixture of the score of its `search`, the `result` of the game and the estimates of the positions
//! `ahead`, in later phases. One game of fifty is held out, and shows the error. Further iterations play with the weights
//! of the last one: build again in between, and leave out the scores of the first files by `unscored`.
//!
//! `predict` searches `count` positions of each phase to `depth`, and prints for each phase and depth the regression of the
//! score on that of a search of about half the depth, for `prediction` in the game.

#![allow(clippy::print_stdout)]

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use grundy_core::game::{Game, Player, legal_moves};
use grundy_core::random::{SplitMix64, mix};
use grundy_core::value::Score;
use grundy_search::Question;
use grundy_search::alpha_beta::AlphaBeta;
use grundy_searched::othello::{Othello, PASS, Position, Shape, shallow};
use grundy_session::Limits;

/// Number of games of which one is held out.
const HELD_OUT: u32 = 50;
/// Number of moves of which one, on average, is random.
const WHIM: usize = 25;
/// Bytes of a record: the discs of the player to move and of the other, the score of the search in hundredths of a disc
/// (two bytes) and the final difference.
const RECORD: usize = 19;
/// The final difference of positions before a random move: unknown.
const UNKNOWN: i8 = i8::MIN;
/// Number of later positions whose estimates count.
const AHEAD: usize = 6;

fn main() -> Result<(), String> {
    let mut words = std::env::args().skip(1);
    let job = words.next().unwrap_or_default();
    let (settings, files): (Vec<String>, Vec<String>) = words.partition(|word| word.contains('='));
    let settings = Settings(settings.iter().filter_map(|word| word.split_once('=')).collect());
    match (&job[..], &files[..]) {
        ("play", [file]) => play(&settings, file),
        ("fit", [_, ..]) => fit(&settings, &files),
        ("predict", [file]) => predict(&settings, file),
        _ => Err("expected: play, fit or predict, settings NAME=VALUE, and files of games".into()),
    }
}

/// The words `NAME=VALUE` of the command line.
struct Settings<'a>(Vec<(&'a str, &'a str)>);

impl Settings<'_> {
    fn word(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(other, _)| *other == name).map(|(_, word)| *word)
    }

    fn number(&self, name: &str, usual: f64) -> Result<f64, String> {
        let Some(word) = self.word(name) else { return Ok(usual) };
        word.parse().map_err(|_| format!("{name}: not a number: {word}"))
    }
}

/// A position of a game.
struct Record {
    mine: u64,
    other: u64,
    /// The score of the search, in hundredths of a disc.
    score: i16,
    /// The final difference for the player to move, or [`UNKNOWN`].
    last: i8,
}

impl Record {
    fn bytes(&self) -> Vec<u8> {
        let last = self.last.to_le_bytes();
        [&self.mine.to_le_bytes()[..], &self.other.to_le_bytes(), &self.score.to_le_bytes(), &last].concat()
    }

    fn read(bytes: &[u8]) -> Option<Record> {
        let (mine, rest) = bytes.split_first_chunk()?;
        let (other, rest) = rest.split_first_chunk()?;
        let (score, rest) = rest.split_first_chunk()?;
        Some(Record {
            mine: u64::from_le_bytes(*mine),
            other: u64::from_le_bytes(*other),
            score: i16::from_le_bytes(*score),
            last: rest.first()?.cast_signed(),
        })
    }
}

/// Visits the games of a file: the number of each, and its records. The last one may be cut off; returns the bytes before
/// it.
fn games(bytes: &[u8], visit: &mut dyn FnMut(u32, &mut dyn Iterator<Item = Record>)) -> usize {
    let mut rest = bytes;
    while let Some((head, body)) = rest.split_first_chunk::<5>() {
        let number = u32::from_le_bytes([head[0], head[1], head[2], head[3]]);
        let Some((records, after)) = body.split_at_checked(RECORD * usize::from(head[4])) else { break };
        visit(number, &mut records.chunks_exact(RECORD).filter_map(Record::read));
        rest = after;
    }
    bytes.len() - rest.len()
}

fn play(settings: &Settings<'_>, file: &str) -> Result<(), String> {
    let error = |e: std::io::Error| format!("{file}: {e}");
    let side = settings.number("side", 8.0)? as usize;
    let count = settings.number("games", 1_000.0)? as u64;
    let seed = settings.number("seed", 1.0)? as u64;
    let plan = Plan {
        game: Othello::new(side, side, false)?,
        cells: side * side,
        depth: settings.number("depth", 4.0)? as u32,
        exact: settings.number("exact", 13.0)? as usize,
        opening: settings.number("opening", if side == 8 { 8.0 } else { 4.0 })? as usize,
    };
    let end = Instant::now() + Duration::from_secs_f64(60.0 * settings.number("minutes", 1e6)?);
    let mut done = HashSet::new();
    if let Ok(bytes) = fs::read(file) {
        let whole = games(&bytes, &mut |number, _| {
            done.insert(number);
        });
        File::options().write(true).open(file).and_then(|f| f.set_len(whole as u64)).map_err(error)?;
    }
    let out = File::options().append(true).create(true).open(file).map_err(error)?;
    let (out, next, failed) = (Mutex::new(BufWriter::new(out)), AtomicU64::new(0), AtomicBool::new(false));
    let work = || {
        let mut searcher = AlphaBeta::new(2, 1);
        while Instant::now() < end && !failed.load(Relaxed) {
            let number = next.fetch_add(1, Relaxed);
            if number >= count {
                return;
            }
            let number = number as u32;
            if done.contains(&number) {
                continue;
            }
            searcher.forget();
            let records = plan.play(&mut searcher, &mut SplitMix64(mix(seed << 32 | u64::from(number))));
            let mut block = number.to_le_bytes().to_vec();
            block.push(records.len() as u8);
            records.iter().for_each(|record| block.extend(record.bytes()));
            if out.lock().map_or(true, |mut out| out.write_all(&block).is_err()) {
                failed.store(true, Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        (1..settings.number("threads", 1.0).unwrap_or(1.0) as usize).for_each(|_| {
            scope.spawn(work);
        });
        work();
    });
    if failed.load(Relaxed) {
        return Err(format!("{file}: cannot write"));
    }
    out.into_inner().map_err(|e| e.to_string())?.flush().map_err(error)
}

/// How games are played.
struct Plan {
    game: Othello,
    /// Number of cells of the board.
    cells: usize,
    depth: u32,
    exact: usize,
    /// Minimum number of random moves at the start.
    opening: usize,
}

impl Plan {
    /// Plays a game and returns its positions, except those of random moves and of passes.
    fn play(&self, searcher: &mut AlphaBeta<Othello>, random: &mut SplitMix64) -> Vec<Record> {
        let game = &self.game;
        let free = |position: &Position| self.cells - (position.mine | position.other).count_ones() as usize;
        let mut position = game.start();
        // Some games start far from the usual positions.
        let more = if random.below(4) == 0 { 12 } else { 5 };
        for _ in 0..self.opening + random.below(more) {
            if game.over(&position).is_some() {
                return Vec::new();
            }
            let moves = legal_moves(game, &position);
            position = game.play(&position, moves[random.below(moves.len())]);
        }
        let mut seen: Vec<(Record, Player)> = Vec::new();
        let last = loop {
            if let Some(value) = game.over(&position) {
                break (value.margin().unwrap_or(0), position.turn);
            }
            let moves = legal_moves(game, &position);
            if let [only] = moves[..] {
                position = game.play(&position, only);
                continue;
            }
            let mut limits = Limits::default();
            if free(&position) > self.exact {
                if random.below(WHIM) == 0 {
                    seen.iter_mut().for_each(|(record, _)| record.last = UNKNOWN);
                    position = game.play(&position, moves[random.below(moves.len())]);
                    continue;
                }
                limits.depth = Some(self.depth);
            }
            let question = Question { limits, ..Question::new(game, &position) };
            let lines = searcher.search(&question, &mut |_| {});
            let Some(line) = lines.first() else { return Vec::new() };
            let (score, exact) = match line.score {
                Score::Guess(score) => (score, false),
                Score::Exact(value) => (100 * value.margin().unwrap_or(0), true),
                Score::AtLeast(value) | Score::AtMost(value) => (100 * value.margin().unwrap_or(0), false),
            };
            let root = position.turn;
            // An exact line is played to its end.
            for &m in &line.pv[..if exact { line.pv.len() } else { 1 }] {
                let Position { mine, other, turn, .. } = position;
                let score = if turn == root { score } else { -score } as i16;
                if m != PASS {
                    seen.push((Record { mine, other, score, last: 0 }, turn));
                }
                position = game.play(&position, m);
            }
        };
        let finish = |(mut record, turn): (Record, Player)| {
            if record.last != UNKNOWN {
                record.last = if turn == last.1 { last.0 } else { -last.0 } as i8;
            }
            record
        };
        seen.into_iter().map(finish).collect()
    }
}

/// The positions of one phase: rows of a system of linear equations.
#[derive(Default)]
struct Rows {
    /// Row by row: the places of its fillings.
    fillings: Vec<u32>,
    general: Vec<[i32; 4]>,
    /// The targets in discs, and the roots of the rows' weights.
    targets: Vec<f32>,
    roots: Vec<f32>,
}

impl Rows {
    fn len(&self) -> usize {
        self.targets.len()
    }

    /// Visits the fillings and the general terms of each row.
    fn each(&self, mut visit: impl FnMut(usize, &[u32], &[i32; 4])) {
        let width = self.fillings.len() / self.len().max(1);
        let rows = self.fillings.chunks_exact(width.max(1)).zip(&self.general);
        rows.enumerate().for_each(|(i, (fillings, general))| visit(i, fillings, general));
    }

    /// Returns the products of the rows, times their weights' roots, with a vector.
    fn times(&self, vector: &[f32]) -> Vec<f32> {
        let mut products = vec![0.0; self.len()];
        let listed = vector.len() - 4;
        self.each(|i, fillings, general| {
            let sum: f32 = fillings.iter().map(|&at| vector[at as usize]).sum();
            let terms: f32 = general.iter().zip(&vector[listed..]).map(|(&term, v)| term as f32 * v).sum();
            products[i] = (sum + terms) * self.roots[i];
        });
        products
    }

    /// Returns the sum of the rows, times their weights' roots, each times a factor.
    fn sum(&self, factors: &[f32], listed: usize) -> Vec<f32> {
        let mut sums = vec![0.0; listed + 4];
        self.each(|i, fillings, general| {
            let factor = factors[i] * self.roots[i];
            fillings.iter().for_each(|&at| sums[at as usize] += factor);
            general.iter().zip(&mut sums[listed..]).for_each(|(&term, sum)| *sum += term as f32 * factor);
        });
        sums
    }

    /// Returns the weights of least squares by conjugate gradients; `damp` is the weight of a weight's own square.
    fn solve(&self, listed: usize, damp: f32, rounds: usize) -> Vec<f32> {
        // Columns are scaled to about one length.
        let mut squares = vec![damp; listed + 4];
        self.each(|i, fillings, general| {
            let weight = self.roots[i] * self.roots[i];
            fillings.iter().for_each(|&at| squares[at as usize] += weight);
            let terms = general.iter().zip(&mut squares[listed..]);
            terms.for_each(|(&term, square)| *square += weight * (term * term) as f32);
        });
        let scale: Vec<f32> = squares.iter().map(|square| square.sqrt().recip()).collect();
        let scaled = |v: &[f32]| -> Vec<f32> { v.iter().zip(&scale).map(|(a, b)| a * b).collect() };
        let norm = |v: &[f32]| v.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>();
        let mut found = vec![0.0f32; listed + 4];
        let mut rest: Vec<f32> = self.targets.iter().zip(&self.roots).map(|(a, b)| a * b).collect();
        let mut gradient = scaled(&self.sum(&rest, listed));
        let mut way = gradient.clone();
        let mut before = norm(&gradient);
        for _ in 0..rounds {
            let step = scaled(&way);
            let moved = self.times(&step);
            let length = norm(&moved) + f64::from(damp) * norm(&step);
            let far = (before / length.max(1e-30)) as f32;
            found.iter_mut().zip(&step).for_each(|(x, s)| *x += far * s);
            rest.iter_mut().zip(&moved).for_each(|(x, m)| *x -= far * m);
            let mut down = self.sum(&rest, listed);
            down.iter_mut().zip(&found).for_each(|(d, x)| *d -= damp * x);
            gradient = scaled(&down);
            let now = norm(&gradient);
            let share = (now / before.max(1e-30)) as f32;
            way.iter_mut().zip(&gradient).for_each(|(w, g)| *w = g + share * *w);
            before = now;
        }
        found
    }

    /// Returns the error of the weights by the root of the mean square.
    fn error(&self, weights: &[f32]) -> f64 {
        let off = self.times(weights).into_iter().zip(&self.targets).zip(&self.roots);
        let sum: f64 = off.map(|((product, target), root)| f64::from(product - target * root).powi(2)).sum();
        (sum / self.len().max(1) as f64).sqrt()
    }
}

/// A game with the estimates of its positions, as far as their phases are fitted.
struct Played {
    held_out: bool,
    /// True if the scores of its searches count.
    scored: bool,
    records: Vec<Record>,
    estimates: Vec<Option<f32>>,
}

impl Played {
    /// Returns the target of a position in discs, if it has one. The final difference is that of best play with at most
    /// `exact` free cells; before, most of it is luck, and estimates of the positions to come say more.
    fn target(&self, at: usize, mixture: &Mixture) -> Option<f32> {
        let Record { mine, other, score, last } = self.records[at];
        let own = f32::from(score) / 100.0;
        if last == UNKNOWN {
            return (self.scored && mixture.search > 0.0).then_some(own);
        }
        let last = f32::from(last);
        if mixture.cells - (mine | other).count_ones() <= mixture.exact || last == 0.0 {
            return Some(last);
        }
        let (mut sum, mut weight) = (mixture.result * last, mixture.result);
        if self.scored {
            sum += mixture.search * own;
            weight += mixture.search;
        }
        // The result tells whose turn it was.
        let later = self.estimates[at..].iter().zip(&self.records[at..]);
        let later = later.filter_map(|(estimate, record)| {
            Some(estimate.as_ref()? * last.signum() * f32::from(record.last).signum())
        });
        let later: Vec<f32> = later.take(AHEAD).collect();
        if !later.is_empty() {
            sum += mixture.ahead * later.iter().sum::<f32>() / later.len() as f32;
            weight += mixture.ahead;
        }
        Some(sum / weight)
    }
}

/// The shares of the parts of a target, and what they depend on.
struct Mixture {
    search: f32,
    result: f32,
    ahead: f32,
    exact: u32,
    cells: u32,
}

fn fit(settings: &Settings<'_>, files: &[String]) -> Result<(), String> {
    let side = settings.number("side", 8.0)? as usize;
    let damp = settings.number("damp", 10.0)? as f32;
    let rounds = settings.number("rounds", 60.0)? as usize;
    // Discs by which a phase's positions reach into its neighbours, with less weight the farther away.
    let overlap = settings.number("overlap", 2.0)? as u32;
    let unscored = settings.number("unscored", 0.0)? as usize;
    let mixture = Mixture {
        search: settings.number("search", 0.5)? as f32,
        result: settings.number("result", 0.2)? as f32,
        ahead: settings.number("ahead", 0.5)? as f32,
        exact: settings.number("exact", 12.0)? as u32,
        cells: (side * side) as u32,
    };
    let game = Othello::new(side, side, false)?;
    let shape = Shape::of(side).ok_or("no patterns for this side")?;
    let mut all: Vec<Played> = Vec::new();
    for (number, file) in files.iter().enumerate() {
        let bytes = fs::read(file).map_err(|e| format!("{file}: {e}"))?;
        games(&bytes, &mut |game, records| {
            let records: Vec<Record> = records.collect();
            let estimates = vec![None; records.len()];
            let held_out = game % HELD_OUT == 0;
            all.push(Played { held_out, scored: number >= unscored, records, estimates });
        });
    }
    let mut phases = Vec::new();
    for phase in (0..shape.phases).rev() {
        let (mut rows, mut held) = (Rows::default(), Rows::default());
        for played in &all {
            for (at, &Record { mine, other, last, .. }) in played.records.iter().enumerate() {
                let discs = (mine | other).count_ones();
                let near = |away: u32| {
                    [discs + away, discs.saturating_sub(away)].iter().any(|&d| shape.phase(d) == phase)
                };
                let Some(away) = (0..=overlap).find(|&away| near(away)) else { continue };
                let (into, target) = if played.held_out {
                    (&mut held, (away == 0 && last != UNKNOWN).then_some(f32::from(last)))
                } else {
                    (&mut rows, played.target(at, &mixture))
                };
                let Some(target) = target else { continue };
                into.targets.push(target);
                into.roots.push((1.0 - away as f32 / (overlap + 1) as f32).sqrt());
                into.general.push(game.inputs(&shape, &game.with_discs(mine, other), &mut into.fillings));
            }
        }
        let weights = rows.solve(shape.listed, damp, rounds);
        let most = weights[..shape.listed].iter().fold(0.0f32, |most, w| most.max(w.abs()));
        println!(
            "phase {phase}: {} positions, off by {:.2} discs; {} held out, off the result by {:.2}; largest weight {most:.1}",
            rows.len(),
            rows.error(&weights),
            held.len(),
            held.error(&weights),
        );
        let mut fillings = Vec::new();
        for played in &mut all {
            for (record, estimate) in played.records.iter().zip(&mut played.estimates) {
                if shape.phase((record.mine | record.other).count_ones()) == phase {
                    fillings.clear();
                    let position = game.with_discs(record.mine, record.other);
                    let general = game.inputs(&shape, &position, &mut fillings);
                    let sum: f32 = fillings.iter().map(|&at| weights[at as usize]).sum();
                    let terms =
                        general.iter().zip(&weights[shape.listed..]).map(|(&term, w)| term as f32 * w);
                    *estimate = Some((sum + terms.sum::<f32>()).clamp(-64.0, 64.0));
                }
            }
        }
        phases.push(weights);
    }
    let Some(file) = settings.word("weights") else { return Ok(()) };
    let mut out = Vec::new();
    for weights in phases.iter().rev() {
        let (listed, general) = weights.split_at(shape.listed);
        general.iter().for_each(|w| out.extend(((100.0 * w).round() as i16).to_le_bytes()));
        out.extend(
            listed.iter().map(|w| (100.0 * w / shape.unit as f32).round().clamp(-127.0, 127.0) as i8 as u8),
        );
    }
    fs::write(file, out).map_err(|e| format!("{file}: {e}"))
}

fn predict(settings: &Settings<'_>, file: &str) -> Result<(), String> {
    let side = settings.number("side", 8.0)? as usize;
    let most = settings.number("depth", 9.0)? as i32;
    let count = settings.number("count", 100.0)? as usize;
    let game = Othello::new(side, side, false)?;
    let shape = Shape::of(side).ok_or("no patterns for this side")?;
    let bytes = fs::read(file).map_err(|e| format!("{file}: {e}"))?;
    let mut random = SplitMix64(settings.number("seed", 1.0)? as u64);
    let mut found: Vec<Vec<Record>> = (0..shape.phases).map(|_| Vec::new()).collect();
    games(&bytes, &mut |_, records| {
        for record in records.filter(|_| random.below(40) == 0) {
            found[shape.phase((record.mine | record.other).count_ones())].push(record);
        }
    });
    let mut searcher = AlphaBeta::new(16, 1);
    for (phase, records) in found.iter().enumerate() {
        // Scores by depth.
        let mut scores: Vec<Vec<f64>> = Vec::new();
        for record in records.iter().take(count) {
            let position = game.with_discs(record.mine, record.other);
            let limits = Limits { depth: Some(most as u32), ..Limits::default() };
            let mut own = vec![f64::NAN; most as usize + 1];
            searcher.search(&Question { limits, ..Question::new(&game, &position) }, &mut |line| {
                if let (Score::Guess(score), Some(at)) = (line.score, own.get_mut(line.depth as usize)) {
                    *at = f64::from(score);
                }
            });
            scores.push(own);
        }
        for depth in 3..=most {
            let pairs = scores.iter().map(|own| (own[shallow(depth) as usize], own[depth as usize]));
            let pairs: Vec<_> = pairs.filter(|(a, b)| !a.is_nan() && !b.is_nan()).collect();
            let n = pairs.len() as f64;
            let mean = |f: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(f).sum::<f64>() / n;
            let (a, b) = (mean(&|p| p.0), mean(&|p| p.1));
            let slope = mean(&|p| (p.0 - a) * (p.1 - b)) / mean(&|p| (p.0 - a).powi(2));
            let offset = b - slope * a;
            let deviation = mean(&|p| (p.1 - slope * p.0 - offset).powi(2)).sqrt();
            println!(
                "phase {phase} depth {depth} from {}: {n} positions, slope {slope:.3}, offset {offset:.0}, deviation {deviation:.0}",
                shallow(depth)
            );
        }
    }
    Ok(())
}

//! Fits the weights of the evaluation of chess to games that the engine plays against itself.
//!
//! ```text
//! cargo run --release -p grundy-chess --example tune -- play games.txt 2000 5000 1   # games, nodes a move, seed
//! cargo run --release -p grundy-chess --example tune -- fit games.txt crates/chess/src/weights.rs
//! ```
//!
//! `play` appends lines `FEN;RESULT;SCORE` of quiet positions, seen by the player to move: the points of the game (1, 0.5 or
//! 0), and the score of the search in hundredths of a pawn. `grundy learn chess --positions` learns from them, too. `fit`
//! minimises the error of the expected result by gradient descent, from the weights there are.

#![allow(clippy::print_stdout)]

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::sync::atomic::AtomicBool;

use grundy_chess::evaluation::{FEATURES, FULL_PHASE, PAIRS, features, phase, scale};
use grundy_chess::{Chess, Position, read_fen, write_fen};
use grundy_core::game::{Game, Player, legal_moves};
use grundy_core::random::SplitMix64;
use grundy_core::value::{Score, Value, Wdl};
use grundy_search::Question;
use grundy_search::alpha_beta::{AlphaBeta, Heuristic};
use grundy_session::Limits;

/// Random plies at the start of a game.
const OPENING: usize = 9;
/// A game ends where the score, in hundredths of a pawn, exceeds this for some plies in a row.
const DECIDED: (i32, u32) = (900, 6);
/// Share of the game's result in the target; the rest is the score of the search.
const OF_RESULT: f64 = 0.3;
/// Hundredths of a pawn for odds of ten to one.
const TENFOLD: f64 = 400.0;
const EPOCHS: usize = 60;
/// Weight of the square of a feature's change.
const PULL: f64 = 2e-8;

fn main() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let number = |word: &str| word.parse::<u64>().map_err(|_| format!("not a number: {word}"));
    match words[..] {
        ["play", file, games, nodes, seed] => play(file, number(games)?, number(nodes)?, number(seed)?),
        ["fit", games, weights] => fit(games, weights),
        _ => Err("expected: play FILE GAMES NODES SEED, or fit FILE WEIGHTS".into()),
    }
}

/// A position of a game with the score of the search, for the player to move.
type Seen = (Position, i32);

fn play(file: &str, games: u64, nodes: u64, seed: u64) -> Result<(), String> {
    let error = |e: std::io::Error| format!("{file}: {e}");
    let mut out = BufWriter::new(File::options().append(true).create(true).open(file).map_err(error)?);
    let chess = Chess::new().with_rule50(true);
    let mut search: AlphaBeta<Chess> = AlphaBeta::new(16, 1);
    let mut random = SplitMix64(seed);
    let mut played = 0;
    while played < games {
        let Some((seen, white)) = game(&chess, &mut search, nodes, &mut random) else { continue };
        played += 1;
        for (position, score) in seen {
            let halves = if chess.turn(&position) == Player::One { white } else { 2 - white };
            let result = f64::from(halves) / 2.0;
            writeln!(out, "{};{result};{score}", write_fen(&position)).map_err(error)?;
        }
        out.flush().map_err(error)?;
        search.forget();
    }
    Ok(())
}

/// Plays a game; returns its quiet positions, and White's result in halves of a point.
fn game(
    chess: &Chess,
    search: &mut AlphaBeta<Chess>,
    nodes: u64,
    random: &mut SplitMix64,
) -> Option<(Vec<Seen>, i32)> {
    let mut position = chess.start();
    let mut earlier: Vec<Position> = Vec::new();
    for _ in 0..OPENING + random.below(2) {
        let moves = legal_moves(chess, &position);
        let m = *moves.get(random.below(moves.len()))?;
        earlier.push(position.clone());
        position = chess.play(&position, m);
    }
    let mut seen = Vec::new();
    let mut decided = 0;
    let stop = AtomicBool::new(false);
    loop {
        if let Some(value) = chess.over(&position) {
            let mover = match value.wdl() {
                Wdl::Win => 2,
                Wdl::Draw => 1,
                Wdl::Loss => 0,
            };
            return Some((seen, if chess.turn(&position) == Player::One { mover } else { 2 - mover }));
        }
        if chess.drawn_by_history(&earlier, &position) || earlier.len() > 300 {
            return Some((seen, 1));
        }
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let question = Question { earlier: &earlier, limits, stop: &stop, ..Question::new(chess, &position) };
        let lines = search.search(&question, &mut |_| {});
        let line = lines.first()?;
        let m = *line.pv.first()?;
        let score = match line.score {
            Score::Guess(score) => score,
            Score::Exact(value) | Score::AtLeast(value) | Score::AtMost(value) => {
                2_000 * i32::from(value > Value::DRAW) - 2_000 * i32::from(value < Value::DRAW)
            }
        };
        if seen.is_empty() && earlier.len() <= OPENING + 2 && score.abs() > 250 {
            return None;
        }
        decided = if score.abs() > DECIDED.0 { decided + 1 } else { 0 };
        if decided >= DECIDED.1 {
            let white = if (score > 0) == (chess.turn(&position) == Player::One) { 2 } else { 0 };
            return Some((seen, white));
        }
        if !chess.threatened(&position) && !chess.noisy(&position, m) && score.abs() < 1_500 {
            seen.push((position.clone(), score));
        }
        earlier.push(position.clone());
        position = chess.play(&position, m);
    }
}

/// A position as the fit sees it.
struct Sample {
    /// Features with their counts.
    features: Vec<(u16, i8)>,
    /// The share of the middle game.
    middle: f32,
    /// The share of an advantage that counts, if the mover has it, and if the opponent has it.
    scales: [f32; 2],
    target: f32,
}

fn expected(score: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-score / TENFOLD))
}

fn sample(line: &str) -> Option<Sample> {
    let mut fields = line.split(';');
    let position = read_fen(fields.next()?).ok()?;
    let result = fields.next()?.parse::<f64>().ok()?;
    let score = fields.next()?.parse::<f64>().ok()?;
    let board = position.board();
    let mut counts = vec![0i32; FEATURES];
    features(board, &mut |feature, count| counts[feature] += count);
    let features =
        (0..).zip(&counts).filter(|&(_, &count)| count != 0).map(|(i, &count)| (i, count as i8)).collect();
    Some(Sample {
        features,
        middle: phase(board) as f32 / FULL_PHASE as f32,
        scales: [1, -1].map(|sign| scale(board, sign) as f32 / 32.0),
        target: (OF_RESULT * result + (1.0 - OF_RESULT) * expected(score)) as f32,
    })
}

fn fit(games: &str, file: &str) -> Result<(), String> {
    let text = fs::read_to_string(games).map_err(|e| format!("{games}: {e}"))?;
    let mut samples: Vec<Sample> = text.lines().filter_map(sample).collect();
    // Whole games are held out, since the positions of a game have one result.
    let held = &samples.split_off(samples.len() * 9 / 10)[..];
    SplitMix64(1).shuffle(&mut samples);
    let start: Vec<[f64; 2]> = PAIRS.iter().map(|pair| pair.map(f64::from)).collect();
    let mut weights = start.clone();
    let (mut first, mut second) = (vec![[0.0; 2]; FEATURES], vec![[0.0; 2]; FEATURES]);
    let mut step = 0;
    println!("{} positions, error {:.5}", samples.len(), error(held, &weights));
    for epoch in 0..EPOCHS {
        let rate = [1.0, 1.0, 0.3, 0.1][4 * epoch / EPOCHS];
        for batch in samples.chunks(8_192) {
            let mut gradient = vec![[0.0; 2]; FEATURES];
            for sample in batch {
                let (score, scale) = score(sample, &weights);
                let e = expected(score);
                let slope = (e - f64::from(sample.target)) * e * (1.0 - e) * scale;
                for &(feature, count) in &sample.features {
                    let g = slope * f64::from(count);
                    gradient[feature as usize][0] += g * f64::from(sample.middle);
                    gradient[feature as usize][1] += g * f64::from(1.0 - sample.middle);
                }
            }
            step += 1;
            let (fade1, fade2) = (1.0 - 0.9f64.powi(step), 1.0 - 0.999f64.powi(step));
            for i in 0..FEATURES {
                for half in 0..2 {
                    // What few positions tell is kept near the start.
                    let pull = PULL * (weights[i][half] - start[i][half]);
                    let g = gradient[i][half] / batch.len() as f64 + pull;
                    first[i][half] = 0.9 * first[i][half] + 0.1 * g;
                    second[i][half] = 0.999 * second[i][half] + 0.001 * g * g;
                    weights[i][half] -=
                        rate * first[i][half] / fade1 / ((second[i][half] / fade2).sqrt() + 1e-9);
                }
            }
        }
        if epoch % 10 == 9 {
            println!("epoch {}: error {:.5}", epoch + 1, error(held, &weights));
        }
    }
    let old = fs::read_to_string(file).map_err(|e| format!("{file}: {e}"))?;
    let (head, _) = old.split_once("] = [\n").ok_or("no list of weights in the file")?;
    let mut new = format!("{head}] = [\n");
    for row in weights.chunks(8) {
        let row: Vec<String> =
            row.iter().map(|w| format!("[{}, {}]", w[0].round() as i32, w[1].round() as i32)).collect();
        let _ = writeln!(new, "    {},", row.join(", "));
    }
    new.push_str("];\n");
    fs::write(file, new).map_err(|e| format!("{file}: {e}"))
}

/// Returns the evaluation, and the share of an advantage that counts.
fn score(sample: &Sample, weights: &[[f64; 2]]) -> (f64, f64) {
    let (mut middle, mut ending) = (0.0, 0.0);
    for &(feature, count) in &sample.features {
        let [m, e] = weights[feature as usize];
        middle += m * f64::from(count);
        ending += e * f64::from(count);
    }
    let share = f64::from(sample.middle);
    let score = middle * share + ending * (1.0 - share);
    let scale = f64::from(sample.scales[usize::from(score <= 0.0)]);
    (score * scale, scale)
}

fn error(samples: &[Sample], weights: &[[f64; 2]]) -> f64 {
    let square = |sample: &Sample| (expected(score(sample, weights).0) - f64::from(sample.target)).powi(2);
    samples.iter().map(square).sum::<f64>() / samples.len().max(1) as f64
}

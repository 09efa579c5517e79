//! Learning from positions that somebody else has judged, in place of games.
//!
//! A file has a line for each position, `POSITION;RESULT` or `POSITION;RESULT;SCORE`, seen by the player to move: the result of
//! the game that it was taken from, and the score of a search in hundredths. Games stand one after the other: the last
//! positions are held out.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use grundy_core::game::Player;
use grundy_core::random::SplitMix64;
use grundy_core::text::{counted, visible};
use grundy_session::Board;

use crate::model::Aim;

/// The share of the result in the worth of a position that has a score.
const OF_RESULT: f32 = 0.3;
/// One position in this many is held out.
const HELD_OUT: usize = 20;
/// The range in which the scale of the scores is searched, in hundredths for odds of e to 1.
const SCALES: (f32, f32) = (10.0, 2_000.0);
/// Positions by which the scale of the scores is found.
const SHOWN: usize = 200_000;
/// The longest line, in bytes.
const LINE: u64 = 64 << 10;
/// The most bytes of cells that are kept.
const MOST: usize = if usize::BITS > 32 { 8 << 30 } else { 1 << 30 };

/// Judged positions.
#[derive(Debug, Default)]
pub struct Positions {
    /// Cells of each position.
    width: usize,
    cells: Vec<u8>,
    turns: Vec<Player>,
    worths: Vec<f32>,
    /// The hundredths of a score that odds of e to 1 are worth; `None` without scores, and in games for points.
    pub scale: Option<f32>,
}

impl Positions {
    /// Reads a file of positions of the game of `board`, each of `width` cells.
    ///
    /// # Errors
    /// The file cannot be read, has fewer positions than one is held out of, more than are kept, or a line that is none: its
    /// number, and what was expected.
    pub fn read(path: &Path, board: &mut dyn Board, width: usize, aim: Aim) -> Result<Positions, String> {
        let told = |why: String| format!("{}: {why}", path.display());
        if path.is_dir() {
            return Err(told("it is a folder: expected a file".to_owned()));
        }
        let file = File::open(path).map_err(|why| told(why.to_string()))?;
        let mut lines = BufReader::new(file);
        let (mut read, mut judged) = (Positions { width, ..Positions::default() }, Vec::new());
        let mut line = String::new();
        for number in 1.. {
            line.clear();
            let length = lines.by_ref().take(LINE).read_line(&mut line);
            let told = |why: String| told(format!("line {number}: {why}"));
            if length.map_err(|why| told(why.to_string()))? == 0 {
                break;
            }
            if !line.trim().is_empty() {
                judged.push(read.take(line.trim(), board, aim).map_err(told)?);
            }
        }
        if judged.is_empty() {
            return Err(told(
                "no positions: expected lines POSITION;RESULT or POSITION;RESULT;SCORE".to_owned(),
            ));
        }
        if judged.len() < HELD_OUT {
            let few = counted(judged.len(), "position");
            return Err(told(format!("{few}: expected at least {HELD_OUT}, of which one is held out")));
        }
        if aim == Aim::Result && judged.iter().any(|judged| judged.score.is_some()) {
            read.scale = Some(scale(&judged));
        }
        read.worths = judged.iter().map(|judged| judged.worth(aim, read.scale)).collect();
        Ok(read)
    }

    /// Reads a line.
    fn take(&mut self, line: &str, board: &mut dyn Board, aim: Aim) -> Result<Judged, String> {
        if self.cells.len() + self.width > MOST || self.turns.len() >= u32::MAX as usize {
            return Err("more positions than are kept: expected a smaller file".to_owned());
        }
        let mut fields = line.split(';');
        let position = fields.next().unwrap_or_default();
        let wrong = |what: &str, found: &str, expected: &str| {
            format!("{what} {:?}: expected {expected}, seen by the player to move", visible(found))
        };
        let (result, score) = (fields.next().unwrap_or_default(), fields.next());
        let expected = match aim {
            Aim::Result => "1, 0.5 or 0",
            Aim::Margin(_) => "the points still to come",
        };
        let number = result.trim().parse::<f32>().ok();
        let result = number
            .filter(|result| result.abs() < 1e6 && (aim != Aim::Result || [0.0, 0.5, 1.0].contains(result)))
            .ok_or_else(|| wrong("result", result, expected))?;
        let score = match score {
            Some(word) => {
                let score = word.trim().parse::<f32>().ok().filter(|score| score.abs() < 1e6);
                Some(score.ok_or_else(|| wrong("score", word, "hundredths"))?)
            }
            None => None,
        };
        if fields.next().is_some() {
            return Err(
                "more than three fields: expected POSITION;RESULT or POSITION;RESULT;SCORE".to_owned()
            );
        }
        board.set_up(Some(position.trim()))?;
        let standing = board.standing();
        if standing.over.is_some() {
            return Err("the game is over there: expected a position with moves".to_owned());
        }
        let begin = self.cells.len();
        board.cells(&mut self.cells);
        let found = self.cells.len() - begin;
        if found != self.width {
            return Err(format!("{found} cells: expected {}", self.width));
        }
        self.turns.push(standing.turn);
        Ok(Judged { result, score })
    }

    /// Returns the number of positions to learn from; the others are held out.
    pub fn to_learn(&self) -> usize {
        self.turns.len() - self.turns.len() / HELD_OUT
    }

    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.turns.len()
    }

    /// Returns a position: the player to move, the cells and the worth.
    pub fn get(&self, at: usize) -> (Player, &[u8], f32) {
        (self.turns[at], &self.cells[at * self.width..(at + 1) * self.width], self.worths[at])
    }

    /// Returns the positions to learn from in an order drawn by lot.
    pub fn shuffled(&self, random: &mut SplitMix64) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.to_learn() as u32).collect();
        random.shuffle(&mut order);
        order
    }
}

/// The judgement of a position.
struct Judged {
    /// Points of the game for the player to move, or those still to come.
    result: f32,
    score: Option<f32>,
}

impl Judged {
    fn worth(&self, aim: Aim, scale: Option<f32>) -> f32 {
        let (result, score) = match aim {
            Aim::Result => {
                let score = |score: f32| aim.worth(score / scale.unwrap_or(aim.hundredths()));
                (2.0 * self.result - 1.0, self.score.map(score))
            }
            Aim::Margin(unit) => (self.result / unit, self.score.map(|score| score / aim.hundredths())),
        };
        score.map_or(result, |score| OF_RESULT * result + (1.0 - OF_RESULT) * score)
    }
}

/// Returns the hundredths of odds of e to 1 with which scores tell the results best, by golden-section search.
fn scale(judged: &[Judged]) -> f32 {
    let scored: Vec<(f32, f32)> =
        judged.iter().filter_map(|judged| Some((judged.score?, 2.0 * judged.result - 1.0))).collect();
    let every = scored.len().div_ceil(SHOWN).max(1);
    let error = |log: f32| -> f64 {
        let square =
            |&(score, result): &(f32, f32)| f64::from(Aim::Result.worth(score / log.exp()) - result).powi(2);
        scored.iter().step_by(every).map(square).sum()
    };
    let golden = (5f32.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (SCALES.0.ln(), SCALES.1.ln());
    while high - low > 0.005 {
        let (left, right) = (high - golden * (high - low), low + golden * (high - low));
        if error(left) < error(right) {
            high = right;
        } else {
            low = left;
        }
    }
    ((low + high) / 2.0).exp()
}

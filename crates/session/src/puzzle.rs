//! Puzzles: positions in which a single move keeps the value.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::time::Duration;

use grundy_core::random::SplitMix64;
use grundy_core::sorting;
use grundy_core::text::counted;
use grundy_core::value::{Value, Wdl};

use crate::{Progress, Session, Work};

/// The fewest legal moves of a puzzle.
const FEWEST: usize = 3;
/// The most legal moves of a puzzle.
const MOST: usize = 400;
/// Successive positions of a table, or ends of random games, without a known value after which the search for puzzles ends.
const UNKNOWN: usize = 32;
/// The time of a search for the values of a position.
const SEARCHING: Duration = Duration::from_millis(50);
/// The most positions of a table that are looked at.
const LOOKED: u64 = 1 << 20;
/// The most random games, and the most moves of one.
const GAMES: usize = 400;
const LONGEST: usize = 60;

/// The puzzles that are wanted.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// At most this many.
    pub count: usize,
    /// The plies to the end of the game with best play; any number if `None`.
    pub plies: Option<RangeInclusive<u32>>,
    /// Other puzzles for each seed.
    pub seed: u64,
}

/// A position in which a single move keeps the value: the win or the draw, or in games for points the margin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// The position as one line.
    pub position: String,
    /// The moves that lead to it from the game's start; `None` for a position of a table.
    pub moves: Option<Vec<String>>,
    /// The only move.
    pub only: String,
    /// The value for the player to move.
    pub value: Value,
    /// The number of legal moves.
    pub choices: usize,
}

impl Puzzle {
    /// Rates the difficulty: the number of legal moves, and two for each ply to a win or loss.
    pub fn rating(&self) -> usize {
        self.choices + 2 * self.value.plies().unwrap_or(0) as usize
    }
}

impl Session {
    /// Finds puzzles of the game, easy ones first: among the positions of its table, in an order that depends on the seed;
    /// in a game without a table that can be opened or built, among the positions of random games from the start, at most one
    /// of each game. Of the positions of a symmetry class there is one. Ends with `work`. The session itself is unchanged.
    pub fn puzzles(&self, wanted: &Wanted, work: &Work<'_>) -> Vec<Puzzle> {
        let mut hunt =
            Hunt { session: self.at_start(), wanted, work, seen: HashSet::new(), found: Vec::new() };
        hunt.session.ready(work, None);
        if !hunt.in_table(self) {
            hunt.in_random_games();
        }
        sorting::sort_by_key(&mut hunt.found, Puzzle::rating);
        hunt.found
    }
}

/// A search for puzzles.
struct Hunt<'w> {
    session: Session,
    wanted: &'w Wanted,
    work: &'w Work<'w>,
    /// The puzzles found, as representatives of their symmetry classes.
    seen: HashSet<String>,
    found: Vec<Puzzle>,
}

impl Hunt<'_> {
    fn is_over(&self) -> bool {
        self.found.len() >= self.wanted.count || self.work.stopped()
    }

    /// Reports that `done` of `total` positions or games are looked at.
    fn report(&self, what: &str, done: u64, total: u64) {
        let what = format!("{what}, {}", counted(self.found.len(), "puzzle"));
        (self.work.report)(&Progress { what: what.into(), done, total });
    }

    /// Looks at positions of the game's table, each at most once. Returns false if there is no table, or if its values are
    /// not at hand.
    fn in_table(&mut self, game: &Session) -> bool {
        let Some(table) = game.tabled(None) else { return false };
        let Some(count) = table.count_within(self.work).filter(|&count| count > 0) else { return false };
        let mut random = SplitMix64(self.wanted.seed);
        let (first, mut stride) = (random.bits() % count, (random.bits() % count) | 1);
        while divisor(stride, count) != 1 {
            stride += 2;
        }
        let mut unknown = 0;
        let most = count.min(LOOKED);
        for step in 0..most {
            if self.is_over() {
                break;
            }
            self.report("positions of the table", step, most);
            let number = (u128::from(first) + u128::from(step) * u128::from(stride)) % u128::from(count);
            let Some((_, position)) = table.position(number as u64) else { continue };
            if self.session.setup(Some(&position)).is_err() {
                continue;
            }
            match self.look(false) {
                Some(found) => {
                    unknown = 0;
                    found.into_iter().for_each(|puzzle| self.add(puzzle));
                }
                None => unknown += 1,
            }
            if unknown >= UNKNOWN {
                return !self.found.is_empty();
            }
        }
        true
    }

    /// Plays random games from the start and looks at their positions from the end backwards, as far as their values are known
    /// or found by short searches. Takes the earliest new puzzle of each game, since those near the end are easy.
    fn in_random_games(&mut self) {
        let mut random = SplitMix64(self.wanted.seed);
        let mut unknown = 0;
        for game in 0..GAMES {
            if self.is_over() || unknown >= UNKNOWN || self.session.setup(None).is_err() {
                break;
            }
            for _ in 0..LONGEST {
                let moves = self.session.legal_moves(MOST);
                let at = (random.bits() % moves.len().max(1) as u64) as usize;
                if moves.get(at).is_none_or(|word| self.session.play(word).is_err()) {
                    break;
                }
            }
            let (mut earliest, mut known) = (None, false);
            while !self.work.stopped() && self.session.undo() {
                self.report("random games", game as u64, GAMES as u64);
                let Some(found) = self.look(true) else { break };
                known = true;
                let new = found.filter(|_| !self.seen.contains(&self.session.canonical()));
                earliest = new.or(earliest);
            }
            unknown = if known { 0 } else { unknown + 1 };
            if let Some(puzzle) = earliest {
                self.add(puzzle);
            }
        }
    }

    /// Adds a puzzle unless one of its symmetry class is there.
    fn add(&mut self, puzzle: Puzzle) {
        let new =
            self.session.setup(Some(&puzzle.position)).is_ok() && self.seen.insert(self.session.canonical());
        if new {
            self.found.push(puzzle);
        }
    }

    /// Returns the puzzle of the session's position if it is one that is wanted; `None` if the position's value is not known.
    /// In a position that was `played` a short search may find it.
    fn look(&mut self, played: bool) -> Option<Option<Puzzle>> {
        let session = &mut self.session;
        let mut list = None;
        let value = session.value_within(self.work).or_else(|| {
            let found =
                (played && session.searches()).then(|| session.analyze(MOST, SEARCHING, self.work))?;
            list = Some(found.list);
            found.value
        })?;
        let points = session.unit().is_points();
        let wanted = match (&self.wanted.plies, value.plies()) {
            (None, _) => true,
            (Some(range), plies) => plies.is_some_and(|plies| range.contains(&plies)),
        };
        if !wanted || session.over().is_some() || !points && value.wdl() == Wdl::Loss {
            return Some(None);
        }
        let list = list.unwrap_or_else(|| session.values_within(MOST, self.work));
        let keeps = |other: Value| if points { other == value } else { other.wdl() == value.wdl() };
        let values: Option<Vec<Value>> = list.moves.iter().map(|m| m.value).collect();
        let Some(values) = values.filter(|values| values.len() >= FEWEST && !list.truncated) else {
            return Some(None);
        };
        let mut keeping = (0..values.len()).filter(|&at| keeps(values[at]));
        let (Some(only), None) = (keeping.next(), keeping.next()) else { return Some(None) };
        Some(Some(Puzzle {
            position: session.position(),
            moves: played.then(|| session.history().to_vec()),
            only: list.moves[only].word.clone(),
            value,
            choices: values.len(),
        }))
    }
}

/// Returns the greatest common divisor of two numbers.
fn divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { divisor(b, a % b) }
}

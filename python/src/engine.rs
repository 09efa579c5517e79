//! A game by name, asked about positions given as text.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use grundy::catalog::{self, CATALOG};
use grundy::game::{GameResult, Player};
use grundy::random::SplitMix64;
use grundy::session::{Go, Info, Level, Limits, Session, Settings};
use grundy::value::{Score, Unit, Value};

use crate::attended::{attended, quietly};

/// The most moves listed of one position.
const LISTED: usize = 1_000_000;
/// The longest time of a question in seconds: a year.
const LONGEST: f64 = 3.2e7;
/// The code of a position without a known value in arrays.
pub const UNKNOWN: i32 = i32::MIN;

/// The state of a position: its text in standard form, whose turn it is (1 or 2), whether the game is over, who has won
/// then (1, 2, or 0 for a draw), and the points of both players in a game for points.
type Standing = (String, u8, bool, Option<u8>, Option<(i32, i32)>);

/// A line of a search's report: depth, selective depth, nodes, rank, the kind of the score, the score, and the line.
type Line = (u32, u32, u64, u32, &'static str, String, Vec<String>);

/// Limits of a search in Python's types: seconds, plies, nodes.
type Bounds = (Option<f64>, Option<u32>, Option<u64>);

/// Proved facts about a position: its value as text, its moves with their values, best first, the moves of the best value
/// where it is proved which they are, and the moves that keep the outcome or the margin.
type Found = (Option<String>, Vec<(String, Option<String>)>, Option<Vec<String>>, Vec<String>);

/// A game that answers questions about any of its positions. Threads may ask at the same time; each gets a session of its own.
#[pyclass(frozen, module = "grundy._native")]
pub struct Engine {
    name: String,
    unit: Unit,
    settings: Settings,
    /// Forked for each new session.
    pattern: Mutex<Session>,
    /// Sessions that no thread is using.
    idle: Mutex<Vec<Session>>,
}

/// Locks what stays valid when a thread panics while it holds the lock.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the number of a player in Python.
pub fn number(player: Player) -> u8 {
    match player {
        Player::One => 1,
        Player::Two => 2,
    }
}

/// Encodes a value for arrays: 0 is a draw, `plies + 1` a win, `-(plies + 1)` a loss, ±2^30 one of unknown distance; a
/// margin is itself.
pub fn encode(value: Value, unit: Unit) -> i32 {
    if unit.is_points() {
        return value.margin().unwrap_or(UNKNOWN);
    }
    let sign = value.raw().signum();
    sign * value.plies().map_or(1 << 30, |plies| plies as i32 + 1)
}

/// Raises what the engine says of a refusal.
fn refused(refusal: impl ToString) -> PyErr {
    PyValueError::new_err(refusal.to_string())
}

/// Reads the waiting time of a question.
///
/// # Errors
/// `time` is negative or no number.
fn duration(time: f64) -> PyResult<Duration> {
    // The comparison is false for NaN, which `min` would take for the year.
    let seconds = if time >= 0.0 { time.min(LONGEST) } else { -1.0 };
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| refused(format!("time={time}: expected seconds, 0 or more")))
}

/// Describes the position that the session is at.
fn standing(session: &Session) -> Standing {
    let winner = session.result().map(|result| match result {
        GameResult::Win(player) => number(player),
        GameResult::Draw => 0,
    });
    (session.position(), number(session.turn()), session.over().is_some(), winner, session.score())
}

/// Turns a line of a report into plain data.
fn line(info: &Info) -> Line {
    let show = |value: Value| value.show(info.unit).to_string();
    let (kind, score) = match info.score {
        Score::Exact(value) => ("exact", show(value)),
        Score::AtLeast(value) => ("at least", show(value)),
        Score::AtMost(value) => ("at most", show(value)),
        Score::Guess(hundredths) => ("guess", hundredths.to_string()),
    };
    (info.depth, info.seldepth, info.nodes, info.rank, kind, score, info.pv.clone())
}

impl Engine {
    /// Opens a session at the start of the game.
    pub fn session(&self) -> Session {
        locked(&self.pattern).at_start()
    }

    /// Settings that the engine was opened with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Asks a session that is at `position` (`None`: the start).
    ///
    /// # Errors
    /// The text is no position of the game.
    fn with<T>(&self, position: Option<&str>, ask: impl FnOnce(&mut Session) -> T) -> PyResult<T> {
        let idle = locked(&self.idle).pop();
        let mut session = idle.unwrap_or_else(|| self.session());
        let answer = session.setup(position).map_err(refused).map(|()| ask(&mut session));
        locked(&self.idle).push(session);
        answer
    }
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (name, tables=None, threads=1, hash_mb=64, seed=None))]
    fn new(
        py: Python<'_>,
        name: &str,
        tables: Option<PathBuf>,
        threads: usize,
        hash_mb: usize,
        seed: Option<u64>,
    ) -> PyResult<Engine> {
        if !(1..=256).contains(&threads) {
            return Err(refused(format!("threads={threads}: expected 1 to 256")));
        }
        if !(1..=65_536).contains(&hash_mb) {
            return Err(refused(format!("hash_mb={hash_mb}: expected 1 to 65536")));
        }
        let settings = Settings { threads, hash_mb, tables, seed, known: false, ..Settings::default() };
        let session = py.detach(|| catalog::open(name, &settings)).map_err(refused)?;
        let (name, unit) = (session.name().to_owned(), session.unit());
        Ok(Engine { name, unit, settings, pattern: Mutex::new(session), idle: Mutex::default() })
    }

    /// Returns the full name of the game with its parameters.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// Reports whether values count points, and into how many parts a point is divided.
    #[getter]
    fn unit(&self) -> (bool, u32) {
        (self.unit.is_points(), self.unit.denominator().get())
    }

    /// Reads a position (`None`: the start).
    #[pyo3(signature = (position=None))]
    fn standing(&self, py: Python<'_>, position: Option<&str>) -> PyResult<Standing> {
        py.detach(|| self.with(position, |session| standing(session)))
    }

    /// Plays a move; returns its standard spelling, and the position after it.
    fn play(&self, py: Python<'_>, position: &str, word: &str) -> PyResult<(String, Standing)> {
        py.detach(|| {
            self.with(Some(position), |session| {
                let played = session.play(word).map_err(refused)?;
                Ok((played.word, standing(session)))
            })?
        })
    }

    /// Lists the legal moves, each with the position it leads to.
    fn successors(&self, py: Python<'_>, position: &str) -> PyResult<Vec<(String, String)>> {
        py.detach(|| {
            self.with(Some(position), |session| {
                let children = session.successors(LISTED);
                children.into_iter().map(|child| (child.word, child.position)).collect()
            })
        })
    }

    /// Returns the facts that are proved within `time` seconds about the position and its first `limit` moves.
    fn analysis(&self, py: Python<'_>, position: &str, time: f64, limit: usize) -> PyResult<Found> {
        let time = duration(time)?;
        quietly(py, |stop| {
            self.with(Some(position), |session| {
                let show = |value: Value| value.show(self.unit).to_string();
                if let Some(over) = session.over() {
                    return (Some(show(over)), Vec::new(), Some(Vec::new()), Vec::new());
                }
                let work = session.work(stop).within(time);
                let found = session.analyze(limit, time, &work);
                let (best, keeping) = (found.best(self.unit), found.keeping(self.unit));
                let moves = found.list.moves.into_iter().map(|m| (m.word, m.value.map(show))).collect();
                (found.value.map(show), moves, best.complete.then_some(best.words), keeping.words)
            })
        })?
    }

    /// Returns the codes of the values of `count` positions as little-endian `int32`, as far as they are known without a search.
    /// The positions are joined by line feeds.
    fn codes<'py>(&self, py: Python<'py>, positions: String, count: usize) -> PyResult<Bound<'py, PyBytes>> {
        if count == 0 {
            return Ok(PyBytes::new(py, &[]));
        }
        if positions.bytes().filter(|&byte| byte == b'\n').count() + 1 != count {
            return Err(PyValueError::new_err("a position has a line feed: expected one line each"));
        }
        let codes = quietly(py, |stop| {
            self.with(None, |session| {
                let work = session.work(stop);
                let mut codes = Vec::with_capacity(count * 4);
                for position in positions.split('\n') {
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                    session.setup(Some(position)).map_err(refused)?;
                    let code = session.value_within(&work).map_or(UNKNOWN, |value| encode(value, self.unit));
                    codes.extend_from_slice(&code.to_le_bytes());
                }
                Ok::<_, PyErr>(codes)
            })
        })???;
        Ok(PyBytes::new(py, &codes))
    }

    /// Searches the position; returns the best move, and the last line of the report. `on_info` is called with each line.
    #[pyo3(signature = (position, bounds, moves, on_info=None))]
    fn search(
        &self,
        py: Python<'_>,
        position: &str,
        bounds: Bounds,
        moves: Vec<String>,
        on_info: Option<Py<PyAny>>,
    ) -> PyResult<(Option<String>, Option<Line>)> {
        let (time, depth, nodes) = bounds;
        let hard = time.map(duration).transpose()?.map(|time| Instant::now() + time);
        let limits = Limits { depth, nodes, hard, ..Limits::default() };
        let mut last = None;
        let best = attended(
            py,
            |stop, reports| {
                self.with(Some(position), |session| {
                    // A search would pass over words that are no moves.
                    for word in &moves {
                        if !session.is_legal(word) {
                            return Err(session.play(word).map_or_else(refused, |_| refused(word)));
                        }
                    }
                    let go = Go { limits, search_moves: moves, ..Go::default() };
                    // Nobody may be left to hear a report.
                    Ok(session.think(&go, stop, &mut |info| drop(reports.send(line(&info)))))
                })
            },
            |py, line: Line| {
                if line.3 == 1 {
                    last = Some(line.clone());
                }
                on_info.as_ref().map_or(Ok(()), |call| call.call1(py, (line,)).map(drop))
            },
        )???;
        Ok((best, last))
    }

    /// Chooses a move at a level (`1` to `8`, or `perfect`), within `time` seconds for the full strength; `None` if the game is
    /// over. Slips follow `seed`.
    fn choose(
        &self,
        py: Python<'_>,
        position: &str,
        level: &str,
        time: f64,
        seed: u64,
    ) -> PyResult<Option<String>> {
        let level = level.parse::<Level>().map_err(|why| refused(format!("level={level}: {why}")))?;
        let time = duration(time)?;
        quietly(py, |stop| {
            self.with(Some(position), |session| level.choose(session, time, &mut SplitMix64(seed), stop))
        })?
    }

    /// Counts the lines of play of exactly `depth` plies.
    fn perft(&self, py: Python<'_>, position: &str, depth: u32) -> PyResult<u64> {
        quietly(py, |stop| self.with(Some(position), |session| session.perft(depth, stop).unwrap_or(0)))?
    }

    /// Returns the Grundy number as text, found within `time` seconds: a number, `inf(..)`, or why it is not known.
    fn grundy(&self, py: Python<'_>, position: &str, time: f64) -> PyResult<String> {
        let time = duration(time)?;
        quietly(py, |stop| {
            self.with(Some(position), |session| {
                let work = session.work(stop).within(time);
                session.grundy_within(&work).to_string()
            })
        })?
    }

    /// Returns the canonical form as text; `?` where it was not found within `time` seconds, `unknown` where the game has none.
    fn canonical_form(&self, py: Python<'_>, position: &str, time: f64) -> PyResult<String> {
        let time = duration(time)?;
        quietly(py, |stop| {
            self.with(Some(position), |session| {
                let work = session.work(stop).within(time);
                session.canonical_form_within(&work).to_string()
            })
        })?
    }

    /// Returns the representative of the position's symmetry class.
    fn canonical(&self, py: Python<'_>, position: &str) -> PyResult<String> {
        py.detach(|| self.with(Some(position), |session| session.canonical()))
    }

    /// Draws the position in letters, several lines.
    fn text(&self, py: Python<'_>, position: &str) -> PyResult<String> {
        py.detach(|| self.with(Some(position), |session| session.draw()))
    }

    /// Draws the position as SVG with its style sheet; what differs from `before` is marked.
    #[pyo3(signature = (position, before=None))]
    fn svg(&self, position: &str, before: Option<&str>) -> String {
        let mut picture = grundy_draw::svg(&CATALOG, &self.name, position, before);
        if let Some(end) = picture.find('>') {
            picture.insert_str(end + 1, &format!("<style>{}</style>", grundy_draw::STYLE));
        }
        picture
    }
}

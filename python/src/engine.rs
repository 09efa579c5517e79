//! A game by name, asked about positions given as text.

use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use grundy::catalog::{self, CATALOG};
use grundy::game::{GameResult, Player};
use grundy::session::{Go, Info, Limits, Session, Settings, quiet_work};
use grundy::value::{Unit, Value};

use crate::attended::attended;

/// The most moves listed of one position.
const LISTED: usize = 1_000_000;
/// The code of a position without a known value in arrays.
pub const UNKNOWN: i32 = i32::MIN;

/// What a position says of itself: its text in standard form, whose turn it is (1 or 2), the value it ended with, the
/// result (`1`, `2`, or 0 for a draw) where the game is over, and the points of both players where there are any.
type Standing = (String, u8, Option<String>, Option<u8>, Option<(i32, i32)>);

/// A line of a search's report: depth, selective depth, nodes, rank, what kind of score it is, the score, and the line.
type Line = (u32, u32, u64, u32, &'static str, String, Vec<String>);

/// Limits of a search in Python's types: seconds, plies, nodes.
type Bounds = (Option<f64>, Option<u32>, Option<u64>);

/// A game that answers questions about any of its positions. Threads may ask at the same time; each gets a session of its own.
#[pyclass(frozen, module = "grundy._native")]
pub struct Engine {
    pattern: Mutex<Session>,
    idle: Mutex<Vec<Session>>,
    settings: Settings,
}

/// Number that stands for a player in Python.
fn number(player: Player) -> u8 {
    match player {
        Player::One => 1,
        Player::Two => 2,
    }
}

/// Encodes a value for arrays: 0 is a draw, `plies + 1` a win, `-(plies + 1)` a loss; of unknown distance 2^30; points as
/// they are.
pub fn encode(value: Value, unit: Unit) -> i32 {
    if unit.is_points() {
        return value.margin().unwrap_or(UNKNOWN);
    }
    let sign = value.raw().signum();
    sign * value.plies().map_or(1 << 30, |plies| (plies + 1) as i32)
}

impl Engine {
    /// Lends a session that stands at `position`.
    fn with<T>(&self, position: Option<&str>, ask: impl FnOnce(&mut Session) -> T) -> PyResult<T> {
        let broken = || PyRuntimeError::new_err("a session was lost when a thread panicked");
        let idle = self.idle.lock().map_err(|_| broken())?.pop();
        let mut session = match idle {
            Some(session) => session,
            None => self.pattern.lock().map_err(|_| broken())?.fork(),
        };
        let set = session.setup(position).map_err(|refusal| PyValueError::new_err(refusal.to_string()));
        let answer = set.map(|()| ask(&mut session));
        if let Ok(mut idle) = self.idle.lock() {
            idle.push(session);
        }
        answer
    }

    /// Opens the session that a table is made from.
    pub fn session(&self) -> Session {
        self.pattern.lock().map(|session| session.fork()).unwrap_or_else(|lost| lost.into_inner().fork())
    }

    /// Settings that the engine was opened with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }
}

/// Waiting time of a question in seconds, at most a year.
fn seconds(time: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(time.min(3.2e7))
        .map_err(|_| PyValueError::new_err(format!("time={time}: expected seconds, 0 or more")))
}

/// Describes the position that the session stands at.
fn standing(session: &Session) -> Standing {
    let over = session.over().map(|value| value.show(session.unit()).to_string());
    let result = session.result().map(|result| match result {
        GameResult::Win(player) => number(player),
        _ => 0,
    });
    (session.position(), number(session.turn()), over, result, session.score())
}

/// Turns a line of a report into plain data.
fn line(info: Info) -> Line {
    use grundy::value::Score;
    let (kind, score) = match info.score {
        Score::Exact(value) => ("exact", value.show(info.unit).to_string()),
        Score::AtLeast(value) => ("at least", value.show(info.unit).to_string()),
        Score::AtMost(value) => ("at most", value.show(info.unit).to_string()),
        Score::Guess(hundredths) => ("guess", hundredths.to_string()),
    };
    (info.depth, info.seldepth, info.nodes, info.rank, kind, score, info.pv)
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
            return Err(PyValueError::new_err(format!("threads={threads}: expected 1 to 256")));
        }
        if !(1..=65_536).contains(&hash_mb) {
            return Err(PyValueError::new_err(format!("hash_mb={hash_mb}: expected 1 to 65536")));
        }
        let settings = Settings { threads, hash_mb, tables, seed, ..Settings::default() };
        let session = py.detach(|| catalog::open(name, &settings)).map_err(PyValueError::new_err)?;
        Ok(Engine { pattern: Mutex::new(session), idle: Mutex::new(Vec::new()), settings })
    }

    /// Full name of the game with its parameters.
    #[getter]
    fn name(&self) -> String {
        self.session().name().to_owned()
    }

    /// Whether values count points, and in how many parts a point is divided.
    #[getter]
    fn unit(&self) -> (bool, u32) {
        let unit = self.session().unit();
        (unit.is_points(), unit.parts().get())
    }

    /// Whether the game has a search for positions that no table or formula knows.
    #[getter]
    fn searches(&self) -> bool {
        self.session().searches()
    }

    /// Reads a position (`None`: the start) and says what it says of itself.
    #[pyo3(signature = (position=None))]
    fn standing(&self, position: Option<&str>) -> PyResult<Standing> {
        self.with(position, |session| standing(session))
    }

    /// Plays a move: its standard spelling, whether the turn passed, the points gained, and the position after it.
    fn play(&self, position: &str, word: &str) -> PyResult<(String, bool, i32, Standing)> {
        self.with(Some(position), |session| {
            let played = session.play(word)?;
            Ok((played.word, played.step.turn_passed, played.step.gain, standing(session)))
        })?
        .map_err(|refusal: grundy::session::Refusal| PyValueError::new_err(refusal.to_string()))
    }

    /// Legal moves, each with the position it leads to.
    fn successors(&self, py: Python<'_>, position: &str) -> PyResult<Vec<(String, String)>> {
        py.detach(|| {
            self.with(Some(position), |session| {
                let children = session.successors(LISTED);
                children.into_iter().map(|child| (child.word, child.position)).collect()
            })
        })
    }

    /// Exact value, found within `time` seconds; `None` where it was not.
    fn value(&self, py: Python<'_>, position: &str, time: f64) -> PyResult<Option<String>> {
        Ok(self.values(py, position, time, 0)?.0)
    }

    /// Exact value of the position and of its moves, best first, as far as they are found within `time` seconds.
    fn values(
        &self,
        py: Python<'_>,
        position: &str,
        time: f64,
        limit: usize,
    ) -> PyResult<(Option<String>, Vec<(String, Option<String>)>)> {
        let time = seconds(time)?;
        attended(
            py,
            |stop, _reports: std::sync::mpsc::Sender<()>| {
                self.with(Some(position), |session| {
                    let unit = session.unit();
                    let show = |value: Value| value.show(unit).to_string();
                    if let Some(over) = session.over() {
                        return (Some(show(over)), Vec::new());
                    }
                    let found = session.analyze(limit, time, stop);
                    let moves = found.list.moves.into_iter();
                    (found.value.map(show), moves.map(|m| (m.word, m.value.map(show))).collect())
                })
            },
            |_, ()| Ok(()),
        )?
    }

    /// Codes of the values of many positions as little-endian `int32`, as far as they are known without a search.
    fn many<'py>(&self, py: Python<'py>, positions: Vec<String>) -> PyResult<Bound<'py, PyBytes>> {
        let codes = attended(
            py,
            |stop, _reports: std::sync::mpsc::Sender<()>| {
                self.with(None, |session| {
                    session.value();
                    let unit = session.unit();
                    let mut codes = Vec::with_capacity(positions.len() * 4);
                    for position in &positions {
                        if stop.load(std::sync::atomic::Ordering::Relaxed) {
                            break;
                        }
                        session.setup(Some(position)).map_err(|refusal| refusal.to_string())?;
                        let code = session.value().map_or(UNKNOWN, |value| encode(value, unit));
                        codes.extend_from_slice(&code.to_le_bytes());
                    }
                    Ok(codes)
                })
            },
            |_, ()| Ok(()),
        )??
        .map_err(|refusal: String| PyValueError::new_err(refusal))?;
        Ok(PyBytes::new(py, &codes))
    }

    /// Searches the position: the best move and the last line of the report. `on_info` is called with each line.
    fn search(
        &self,
        py: Python<'_>,
        position: &str,
        bounds: Bounds,
        moves: Vec<String>,
        on_info: Option<Py<PyAny>>,
    ) -> PyResult<(Option<String>, Option<Line>)> {
        let (time, depth, nodes) = bounds;
        let end = time.map(seconds).transpose()?.map(|time| Instant::now() + time);
        let limits = Limits { depth, nodes, hard: end, ..Limits::default() };
        let go = Go { limits, search_moves: moves, ..Go::default() };
        let mut last = None;
        let best = attended(
            py,
            |stop, reports| {
                self.with(Some(position), |session| {
                    session.think(&go, stop, &mut |info| {
                        let _ = reports.send(line(info));
                    })
                })
            },
            |py, line: Line| {
                last = Some(line.clone()).filter(|line| line.3 == 1).or_else(|| last.take());
                match &on_info {
                    Some(call) => call.call1(py, (line,)).map(|_| ()),
                    None => Ok(()),
                }
            },
        )??;
        Ok((best, last))
    }

    /// Number of lines of play of exactly `depth` plies.
    fn perft(&self, py: Python<'_>, position: &str, depth: u32) -> PyResult<u64> {
        py.detach(|| self.with(Some(position), |session| session.perft(depth)))
    }

    /// Grundy number as text: a number, `inf(..)`, or `unknown (why)`.
    fn grundy(&self, py: Python<'_>, position: &str) -> PyResult<String> {
        py.detach(|| self.with(Some(position), |session| session.grundy().to_string()))
    }

    /// Canonical form as text, `?` where it was not found in time, `unknown` where the game has none.
    fn canonical_form(&self, py: Python<'_>, position: &str) -> PyResult<String> {
        py.detach(|| self.with(Some(position), |session| session.canonical_form().to_string()))
    }

    /// Image of the position that represents its class of symmetric positions.
    fn canonical(&self, position: &str) -> PyResult<String> {
        self.with(Some(position), |session| session.canonical())
    }

    /// Position drawn in letters, several lines.
    fn text(&self, position: &str) -> PyResult<String> {
        self.with(Some(position), |session| session.draw())
    }

    /// Position drawn as SVG with its style sheet; what differs from `before` is marked.
    #[pyo3(signature = (position, before=None))]
    fn svg(&self, position: &str, before: Option<&str>) -> String {
        let picture = grundy_draw::svg(&CATALOG, &self.name(), position, before);
        match picture.find('>') {
            Some(at) => {
                format!("{}<style>{}</style>{}", &picture[..=at], grundy_draw::STYLE, &picture[at + 1..])
            }
            None => picture,
        }
    }

    /// Waits until what exact values need is opened or made, and says why not where it is not.
    fn prepare(&self, py: Python<'_>) -> PyResult<Option<String>> {
        attended(
            py,
            |stop, _reports: std::sync::mpsc::Sender<()>| {
                self.with(None, |session| {
                    let threads = self.settings.threads;
                    let work = grundy::session::Work { stop, threads, ..quiet_work() };
                    session.ready(&work, None).refused.map(|why| why.to_string())
                })
            },
            |_, ()| Ok(()),
        )?
    }
}

//! What the board says of a position: its value, every move with its value, and what stands beside them.

use std::fmt;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::Duration;

use grundy::game::{GameResult, Player};
use grundy::session::{Analysis, Loony, LoonyMoves, NEVER, STOPPED, Session, Work};
use grundy::value::Value;
use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::app::{App, Bounds};
use crate::games::{Place, set_up};
use crate::pool::Missed;

/// The most moves that are listed.
const LISTED: usize = 2_000;
/// How long a Grundy number may take in an answer that is given at once.
const FORM_AT_ONCE: Duration = Duration::from_millis(5);
/// How long the table of loony states may take of a game that is opened.
const STATES_AT_ONCE: Duration = Duration::from_millis(100);
/// How long it may take after a request that found the states open.
const STATES_LATER: Duration = Duration::from_secs(30);
/// How long remarks may search beside a search.
pub const REMARKING: Duration = Duration::from_secs(2);

/// What is known of a position.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// The game's full name.
    pub game: String,
    /// The position as one line.
    pub position: String,
    /// Whose turn it is, or would be: 1 or 2.
    pub turn: u8,
    /// The value for the player to move: `win:12`, `loss:7`, `draw`, `+3`, or `?`.
    pub value: String,
    /// What values count: `plies` to the end, or `points`.
    pub unit: &'static str,
    /// `win`, `draw` or `loss` for the player to move, by the final score where points count; `?`.
    pub result: String,
    /// How the game ended: `1`, `2` (who won) or `draw`; none while it goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<&'static str>,
    /// The points so far, player one's first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<(i32, i32)>,
    /// Whether everything that was asked is known.
    pub complete: bool,
    /// The Grundy number, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grundy: Option<u64>,
    /// Who makes the next loony move, in games that have such moves: `v` the player to move, `^` the other, `-` nobody.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loony: Option<String>,
    /// What else there is to say without a search, a line each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// The legal moves, best first.
    pub moves: Vec<MoveAnswer>,
    /// Moves were left out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
}

/// A move and its value for the player who makes it.
#[derive(Clone, Debug, Serialize)]
pub struct MoveAnswer {
    /// The move in words.
    pub r#move: String,
    /// As people write it, where that differs: `Nbd2`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Its value, or `?`.
    pub value: String,
    /// `win`, `draw` or `loss` for the mover, or `?`.
    pub result: String,
    /// Who makes the next loony move, this one counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loony: Option<String>,
    /// The position after it.
    pub position: String,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Refused {
    /// What was asked is wrong: one line.
    Wrong(String),
    /// Too many wait.
    Full,
    /// A fault of ours.
    Broken,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refused::Wrong(why) => why,
            Refused::Full => "too many questions wait: come back in two seconds",
            Refused::Broken => "the answer broke off",
        })
    }
}

impl From<Missed> for Refused {
    fn from(missed: Missed) -> Refused {
        match missed {
            Missed::Full => Refused::Full,
            Missed::Broken => Refused::Broken,
        }
    }
}

impl App {
    /// What is known of a position: from tables at once, else as far as a search of at most `time` finds it. Without
    /// a time only what is known at once.
    pub async fn answer(self: &Arc<App>, place: &Place, time: Option<Duration>) -> Result<Answer, Refused> {
        self.games.admit(place).map_err(Refused::Wrong)?;
        let (here, bounds) = (time.is_none(), self.bounds());
        let found = self
            .at_once(place, bounds, move |session, work| {
                let found = known(session, work).or(here.then(Analysis::default));
                found.map(|found| answer(session, found, Duration::ZERO, work))
            })
            .await?;
        match found {
            Some(answer) => Ok(answer),
            None => {
                let (app, asked) = (self.clone(), place.clone());
                let time = time.unwrap_or_default().min(self.limit);
                self.slow.run(move |stop| app.look(&asked, time, &bounds.work(stop))).await?
            }
        }
    }

    fn look(&self, place: &Place, time: Duration, work: &Work<'_>) -> Result<Answer, Refused> {
        let mut session = self.games.session_at(place).map_err(Refused::Wrong)?;
        // Tables that the game makes unasked are made here, once for all visitors.
        session.ready(work, None);
        let found = known(&mut session, work).unwrap_or_else(|| session.analyze(LISTED, time, work));
        let answer = answer(&mut session, found, time.min(REMARKING), work);
        self.games.settle();
        Ok(answer)
    }

    /// Asks the session of a place something: at once where the game is open and `ask` knows the answer without any
    /// work (its flag says stop from the start), else in the pool of searches.
    pub async fn ask<T: Send + 'static>(
        self: &Arc<App>,
        place: &Place,
        ask: impl Fn(&mut Session, &Work<'_>) -> Option<T> + Clone + Send + 'static,
    ) -> Result<Option<T>, Refused> {
        self.games.admit(place).map_err(Refused::Wrong)?;
        let bounds = self.bounds();
        match self.at_once(place, bounds, ask.clone()).await? {
            Some(found) => Ok(Some(found)),
            None => self.within(bounds, place, ask).await,
        }
    }

    /// Asks the session of a place something that must be known without any work. A game that is not open yet is opened
    /// first, with the tables that it makes unasked, by threads that do nothing else.
    async fn at_once<T: Send + 'static>(
        self: &Arc<App>,
        place: &Place,
        bounds: Bounds,
        ask: impl Fn(&mut Session, &Work<'_>) -> Option<T> + Clone + Send + 'static,
    ) -> Result<Option<T>, Refused> {
        let (app, asked, at_once) = (self.clone(), place.clone(), ask.clone());
        let found = self
            .quick
            .run(move |_| {
                let Some(mut session) = app.games.kept(&asked.game) else { return Ok::<_, Refused>(None) };
                set_up(&mut session, &asked).map_err(Refused::Wrong)?;
                Ok(Some(at_once(&mut session, &bounds.work(&STOPPED))))
            })
            .await??;
        if let Some(found) = found {
            return Ok(found);
        }
        let (app, asked) = (self.clone(), place.clone());
        self.opening
            .run(move |stop| {
                let mut session = app.games.session_at(&asked).map_err(Refused::Wrong)?;
                let work = bounds.work(stop);
                session.ready(&work, None);
                // A small table of loony states is made with it.
                session.loony(&work.within(STATES_AT_ONCE));
                let found = ask(&mut session, &bounds.work(&STOPPED));
                app.games.settle();
                Ok(found)
            })
            .await?
    }

    /// Asks the session of a place something that needs the rules only: no table is made for it.
    pub async fn by_rules<T: Send + 'static>(
        self: &Arc<App>,
        place: &Place,
        ask: impl FnOnce(&mut Session) -> T + Send + 'static,
    ) -> Result<T, Refused> {
        self.games.admit(place).map_err(Refused::Wrong)?;
        let (app, asked) = (self.clone(), place.clone());
        self.opening
            .run(move |_| {
                let kept = app.games.kept(&asked.game);
                let mut session = match kept {
                    Some(session) => session,
                    None => app.catalog.open(&asked.game, &app.settings).map_err(Refused::Wrong)?,
                };
                set_up(&mut session, &asked).map_err(Refused::Wrong)?;
                Ok(ask(&mut session))
            })
            .await?
    }

    /// Makes a game's table of loony states, once, after the request that found them open; pages ask again for them.
    /// Without threads the page would wait for it, so that nothing is made there.
    pub fn make_states(self: &Arc<App>, game: &str) {
        {
            // One at a time, so that others find a thread.
            let mut making = self.making();
            if cfg!(target_family = "wasm") || !making.is_empty() {
                return;
            }
            making.insert(game.to_owned());
        }
        let (app, name) = (self.clone(), game.to_owned());
        let submitted = self.slow.submit(move || {
            if let Ok(mut session) = app.games.session(&name) {
                session.loony(&session.work(&NEVER).within(STATES_LATER));
            }
            app.making().remove(&name);
        });
        if submitted.is_err() {
            self.making().remove(game);
        }
    }

    fn making(&self) -> MutexGuard<'_, FxHashSet<String>> {
        self.making.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs something with the session of a place in the pool of searches.
    pub async fn with_session<T: Send + 'static>(
        self: &Arc<App>,
        place: &Place,
        job: impl FnOnce(&mut Session, &Work<'_>) -> T + Send + 'static,
    ) -> Result<T, Refused> {
        self.games.admit(place).map_err(Refused::Wrong)?;
        self.within(self.bounds(), place, job).await
    }

    /// [`App::with_session`] within the bounds of a question that was asked before.
    async fn within<T: Send + 'static>(
        self: &Arc<App>,
        bounds: Bounds,
        place: &Place,
        job: impl FnOnce(&mut Session, &Work<'_>) -> T + Send + 'static,
    ) -> Result<T, Refused> {
        let (app, asked) = (self.clone(), place.clone());
        self.slow
            .run(move |stop| {
                let mut session = app.games.session_at(&asked).map_err(Refused::Wrong)?;
                let done = job(&mut session, &bounds.work(stop));
                app.games.settle();
                Ok(done)
            })
            .await?
    }
}

/// What is known without any work.
fn known(session: &mut Session, work: &Work<'_>) -> Option<Analysis> {
    let at_once = Work { stop: &STOPPED, ..*work };
    let value = session.ready(&at_once, None).value?;
    let list = session.values_within(LISTED, &at_once);
    let open = list.moves.iter().any(|m| m.value.is_none());
    (!open).then_some(Analysis { value: Some(value), list })
}

/// Whether a position and all its moves are known without any work.
pub fn knows(session: &mut Session, work: &Work<'_>) -> bool {
    known(session, work).is_some()
}

/// How a game ended: `1`, `2` (who won) or `draw`.
pub fn result_of(session: &Session) -> Option<&'static str> {
    session.result().map(|result| match result {
        GameResult::Win(Player::One) => "1",
        GameResult::Win(Player::Two) => "2",
        GameResult::Draw => "draw",
    })
}

/// The loony states of a position and its moves, as a page takes them.
pub fn loony_states(found: &LoonyMoves) -> serde_json::Value {
    let moves = found.moves.iter().map(|(word, state)| (word.clone(), Loony::mark(*state).into()));
    serde_json::json!({ "state": Loony::mark(found.state), "moves": moves.collect::<serde_json::Map<_, _>>() })
}

/// Puts into words what was found; what stands beside values may take some more time.
fn answer(session: &mut Session, found: Analysis, time: Duration, work: &Work<'_>) -> Answer {
    let unit = session.unit();
    let say =
        |value: Option<Value>| value.map_or_else(|| "?".to_owned(), |value| value.show(unit).to_string());
    let list = if found.list.moves.is_empty() && session.over().is_none() {
        let words = session.legal_moves(LISTED + 1);
        let truncated = words.len() > LISTED;
        let known = words.into_iter().take(LISTED).map(|word| (word, None)).collect();
        (known, truncated)
    } else {
        let moves: Vec<_> = found.list.moves.iter().map(|m| (m.word.clone(), m.value)).collect();
        (moves, found.list.truncated)
    };
    let (words, truncated): (Vec<(String, Option<Value>)>, bool) = list;
    let result = |session: &Session, value: Option<Value>| {
        value.map_or_else(|| "?".to_owned(), |value| session.outcome(value).to_string())
    };
    let loony = session.loony(&work.within(time));
    let mut moves = Vec::with_capacity(words.len());
    for (word, value) in words {
        let note = session.note(&word).filter(|note| *note != word);
        let result = result(session, value);
        if session.play(&word).is_err() {
            continue;
        }
        let position = session.position();
        session.undo();
        let loony = loony.as_ref().map(|loony| Loony::mark(loony.of(&word)));
        moves.push(MoveAnswer { note, value: say(value), result, loony, position, r#move: word });
    }
    let over = result_of(session);
    // Where nothing may take any time a small form is found all the same.
    let form = if time.is_zero() { session.work(&NEVER).within(FORM_AT_ONCE) } else { work.within(time) };
    let complete = found.value.is_some() && moves.iter().all(|m| m.value != "?");
    Answer {
        game: session.name().to_owned(),
        position: session.position(),
        turn: if session.turn() == Player::One { 1 } else { 2 },
        value: say(found.value),
        unit: if unit.is_points() { "points" } else { "plies" },
        result: result(session, found.value),
        over,
        score: session.score(),
        complete,
        loony: loony.map(|loony| Loony::mark(loony.state)),
        grundy: session.grundy_within(&form).number(),
        remarks: if complete { session.remarks(&work.within(time)) } else { Vec::new() },
        moves,
        truncated,
    }
}

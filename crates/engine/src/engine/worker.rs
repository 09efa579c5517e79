//! The worker thread: it owns the session while it thinks and sends it back with the answer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender};

use crate::protocol::{Query, Words, clean, value_word};
use grundy_session::{Activity, Analysis, Canonical, Go, Info, Picked, Progress, Session, Work};

/// Time limit of a query of an annotation.
const ANNOTATION: Duration = Duration::from_secs(5);
/// Time limit of a Grundy number or a canonical form.
const FORM: Duration = Duration::from_secs(10);
/// Maximum number of moves listed by a `query`.
const LISTED: usize = 10_000;
/// Minimum interval between progress reports.
const TELL: Duration = Duration::from_millis(500);

/// A job for the worker.
pub(super) struct Job {
    pub session: Session,
    pub task: Task,
    pub stop: Arc<AtomicBool>,
}

/// The task of a job.
pub(super) enum Task {
    /// Find a move.
    Go(Go),
    /// Prepare exact answers with this number of threads.
    Prepare(usize),
    /// Answer a question that may need a table, or a search of this time.
    Ask(Query, Duration),
    /// Count the lines of play of this many plies.
    Perft(u32),
    /// Set up a position by its number; moves are to be played from it.
    Place { numbering: Option<String>, number: u64, moves: Words },
}

/// A message from the worker.
pub(super) enum Event {
    /// A line of a search.
    Info(Info),
    /// A note for the player.
    Note(String),
    /// The number of lines of play that begin with a move.
    Count(String, u64),
    /// The progress of long work.
    Progress(Progress),
    /// The work is done; returns the session.
    Done(Box<Session>, Answer),
    /// The work panicked; the session is lost.
    Failed(String),
}

/// The result of a task.
pub(super) enum Answer {
    /// The move, unless the game is over.
    Best(Option<String>),
    /// Prepared; if no table could be built, the reason.
    Ready(Option<String>),
    /// The result of setting up a position by its number, and the moves to be played from it.
    Placed(Box<(Result<(), String>, Words)>),
    /// Moves with suffixes (`=value`), to be written after `response`.
    Moves(Vec<(String, String)>),
    /// The same, possibly incomplete.
    SomeMoves(Vec<(String, String)>),
    /// Text to be written after `response`.
    Words(String),
    /// The number of lines of play; `None` if the count was stopped.
    Counted(Option<u64>),
}

/// Runs jobs until the loop is gone.
pub(super) fn run(jobs: &Receiver<Job>, events: &Sender<Event>) {
    for Job { mut session, task, stop } in jobs {
        let done = catch_unwind(AssertUnwindSafe(move || {
            let answer = work(&mut session, task, &stop, events);
            (Box::new(session), answer)
        }));
        let event = match done {
            Ok((session, answer)) => Event::Done(session, answer),
            Err(fault) => Event::Failed(
                fault
                    .downcast_ref::<String>()
                    .cloned()
                    .or_else(|| fault.downcast_ref::<&str>().map(|s| (*s).to_owned()))
                    .unwrap_or_default(),
            ),
        };
        if events.send(event).is_err() {
            return;
        }
    }
}

fn work(session: &mut Session, task: Task, stop: &AtomicBool, events: &Sender<Event>) -> Answer {
    match task {
        Task::Go(go) => {
            let unit = session.unit();
            // Long work is announced before it begins.
            let announced = Mutex::new(None);
            let report = |progress: &Progress| {
                if let (Activity::Beginning(what), Ok(mut announced)) = (&progress.what, announced.lock())
                    && announced.is_none()
                {
                    let note = format!("makes a table first: {what}");
                    let _ = events.send(Event::Note(note.clone()));
                    *announced = Some(note);
                }
            };
            let work = Work { report: &report, ..session.work(stop) };
            let ready = session.prepare_within(&go, &work);
            let announced = announced.into_inner().ok().flatten();
            for note in ready.notes.iter().filter(|&note| Some(note) != announced.as_ref()) {
                let _ = events.send(Event::Note(note.clone()));
            }
            match (&ready.value, &ready.refused) {
                (Some(value), _) => log::debug!("answers from the known value {}", value.show(unit)),
                (None, Some(why)) => log::debug!("searches: {why}"),
                (None, None) => log::debug!("searches: no method knows the value"),
            }
            let value = ready.value;
            if let (None, Some(known)) = (value, session.known_result().filter(|known| known.is_costly())) {
                let _ = events.send(Event::Note(format!("known: {}", known.show(unit))));
            }
            Answer::Best(session.think(&go, stop, &mut |info| {
                let _ = events.send(Event::Info(info));
            }))
        }
        Task::Prepare(threads) => {
            let told = Mutex::new(Instant::now());
            let report = |progress: &Progress| {
                if let Activity::Beginning(what) = &progress.what {
                    let _ = events.send(Event::Note(format!("makes a table first: {what}")));
                } else if let Ok(mut told) = told.lock()
                    && told.elapsed() > TELL
                {
                    *told = Instant::now();
                    let _ = events.send(Event::Progress(progress.clone()));
                }
            };
            let work = Work { threads, report: &report, ..session.work(stop) };
            Answer::Ready(session.ready(&work, None).refused.map(|error| error.to_string()))
        }
        Task::Ask(query, time) => {
            let report = |progress: &Progress| {
                if let Activity::Beginning(what) = &progress.what {
                    let _ = events.send(Event::Note(format!("makes a table first: {what}")));
                }
            };
            let work = Work { report: &report, ..session.work(stop) };
            ask(session, &query, time, &work, &|note| drop(events.send(Event::Note(note))))
        }
        Task::Perft(depth) => Answer::Counted(count_lines(session, depth, stop, &|word, count| {
            let _ = events.send(Event::Count(word, count));
        })),
        Task::Place { numbering, number, moves } => {
            let done = session.setup_number(numbering.as_deref(), number);
            Answer::Placed(Box::new((done.map_err(|why| why.to_string()), moves)))
        }
    }
}

/// Counts the lines of play of `depth` plies, and reports those of each first move unless there are very many; `None` if
/// `stop` ended the count.
fn count_lines(
    session: &mut Session,
    depth: u32,
    stop: &AtomicBool,
    report: &dyn Fn(String, u64),
) -> Option<u64> {
    let moves = session.legal_moves(LISTED + 1);
    if depth == 0 || moves.len() > LISTED {
        return session.perft(depth, stop);
    }
    let mut total = 0;
    for word in moves {
        session.play(&word).ok()?;
        let count = session.perft(depth - 1, stop);
        session.undo();
        report(word, count?);
        total += count?;
    }
    Some(total)
}

/// Answers a query; values that no method knows are searched for `time`.
fn ask(
    session: &mut Session,
    query: &Query,
    time: Duration,
    work: &Work<'_>,
    note: &dyn Fn(String),
) -> Answer {
    let unit = session.unit();
    let told = |session: &Session, found: Analysis| {
        if let Some(known) = session.known_result().filter(|_| found.source.is_some()) {
            note(format!("known: {}", known.show(unit)));
        }
        found
    };
    match query {
        Query::LegalMoves => {
            let words = session.legal_moves(LISTED);
            Answer::Moves(words.into_iter().map(|word| (word, String::new())).collect())
        }
        Query::Index(numbering) => Answer::Words(match session.number(numbering.as_deref()) {
            Ok(number) => number.to_string(),
            Err(why) => format!("unknown ({})", clean(&why)),
        }),
        Query::Value => {
            let found = session.evaluate(time, work);
            Answer::Words(value_word(told(session, found).value, unit))
        }
        Query::Grundy => Answer::Words(session.grundy_within(&work.within(FORM)).to_string()),
        Query::CanonicalForm => Answer::Words(session.canonical_form_within(&work.within(FORM)).to_string()),
        Query::Thermograph => Answer::Words(match session.canonical_form_within(&work.within(FORM)) {
            Canonical::Form { thermograph: Some(walls), .. } => {
                format!("temperature {} mean {} {walls}", walls.mast.temperature, walls.mast.mean)
            }
            Canonical::Form { .. } | Canonical::NotInTime => "?".to_owned(),
            Canonical::Unknown => "unknown".to_owned(),
        }),
        Query::Values => {
            let found = session.analyze(LISTED, time, work);
            let list = told(session, found).list;
            let moves = list.moves.iter().map(|m| (m.word.clone(), format!("={}", m.show(unit)))).collect();
            if list.truncated { Answer::SomeMoves(moves) } else { Answer::Moves(moves) }
        }
        Query::BestMoves => {
            let found = session.analyze(LISTED, time, work);
            let found = told(session, found);
            let known = session.known_result().filter(|_| found.source.is_some());
            let best = found.best(unit);
            let Picked { words, complete } = match known {
                Some(known) if best.words.is_empty() => known.keeping.clone(),
                _ => best,
            };
            if words.is_empty() {
                return Answer::Words("?".to_owned());
            }
            let moves = words.into_iter().map(|word| (word, String::new())).collect();
            if complete { Answer::Moves(moves) } else { Answer::SomeMoves(moves) }
        }
        Query::Annotation { moves, .. } => match session.annotate(&work.within(ANNOTATION)) {
            None => Answer::Words("unknown".to_owned()),
            Some(marks) if *moves && !marks.moves.is_empty() => Answer::Moves(
                marks.moves.into_iter().map(|(word, mark)| (word, format!("={mark}"))).collect(),
            ),
            Some(_) if *moves => Answer::Words("none".to_owned()),
            Some(marks) => Answer::Words(marks.position.to_string()),
        },
        _ => Answer::Words("unknown".to_owned()),
    }
}

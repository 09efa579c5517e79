//! The state that all requests share, and the one way in which they reach a session.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use grundy::session::{
    Catalog, Files, NEVER, Progress, STOPPED, Session, Settings, SolveError, Work, quiet_work,
};

use crate::answer::is_known;
use crate::cache::ResponseCache;
use crate::cli::Args;
use crate::error::ApiError;
use crate::external::ExternalEngine;
use crate::games::{Games, PositionRef, set_up};
use crate::metrics::Metrics;
use crate::pool::Pool;
use crate::uploads::Uploads;

/// Time for opening a game with its small tables, so that its page appears at once.
const OPENING: Duration = Duration::from_millis(60);
/// Time for building a table in the background, after a question that it was too large for.
const BACKGROUND: Duration = Duration::from_secs(30);

/// The state that all requests share.
pub struct App {
    pub catalog: Catalog,
    pub games: Games,
    /// Looks up what open games know.
    lookups: Pool,
    /// Opens games, and draws positions.
    openings: Pool,
    /// Chooses moves: these do not wait for analyses.
    moves: Pool,
    /// Analyses, and builds tables.
    pub analyses: Pool,
    /// Reads the games in texts.
    pub readings: Pool,
    pub metrics: Metrics,
    #[cfg_attr(target_family = "wasm", allow(dead_code))]
    pub cache: ResponseCache,
    /// The game whose table is being built in the background, and how far it is.
    building: Mutex<Option<(String, Option<Progress>)>>,
    /// The longest time that a question may take.
    pub limit: Duration,
    /// Bytes of memory that a question may use, and that open games may keep.
    memory: u64,
    pub settings: Settings,
    pub engines: Vec<ExternalEngine>,
    pub uploads: Option<Uploads>,
    /// The folder of `--rules-dir`, whose games the first page lists.
    pub rules_dir: Option<PathBuf>,
    #[cfg_attr(target_family = "wasm", allow(dead_code))]
    pub cors: bool,
    /// True if other sites may show the pages in frames.
    pub framed: bool,
}

/// The work that may be done for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Look up what is known. A game that is not open is opened, with the tables that take no longer than [`OPENING`].
    Known,
    /// Apply the rules. No table is opened, and the game is not kept open.
    Rules,
    /// Choose a move within this time, ahead of all analyses.
    Move(Duration),
    /// Search and build tables for at most this time.
    Search(Duration),
}

/// The argument of handlers that see the [`App`].
pub type State = axum::extract::State<Arc<App>>;

impl App {
    /// Makes the board of a catalog.
    ///
    /// # Errors
    /// The folder for uploads cannot be made.
    pub fn new(catalog: Catalog, args: &Args) -> std::io::Result<App> {
        let uploads = args.uploads.then(Uploads::new).transpose()?;
        let uploaded = uploads.as_ref().map(Uploads::folder);
        let folders: Vec<PathBuf> = args
            .rules_dir
            .as_deref()
            .into_iter()
            .chain(uploaded)
            .map(|dir| dir.canonicalize().unwrap_or_else(|_| dir.to_owned()))
            .collect();
        let settings = Settings {
            threads: 1,
            hash_mb: args.hash as usize,
            tables: args.tables.clone(),
            memory: Some(args.memory << 20),
            files: Files::Within(folders),
            ..Settings::default()
        };
        let (threads, queue) = (args.threads.into(), args.queue.into());
        let limit = Duration::from_secs(args.time);
        Ok(App {
            catalog,
            games: Games::new(catalog, settings.clone(), args.memory << 20),
            lookups: Pool::new("lookup", 4, 4096, 0),
            openings: Pool::new("opening", 2, 1024, 5),
            moves: Pool::new("move", threads, queue, 8),
            analyses: Pool::new("analysis", threads, queue, 10),
            readings: Pool::new("reading", 1, queue, 8),
            metrics: Metrics::default(),
            cache: ResponseCache::default(),
            building: Mutex::default(),
            limit,
            memory: args.memory << 20,
            settings,
            engines: args.engine.iter().map(|engine| engine.clone().within(limit)).collect(),
            uploads,
            rules_dir: args.rules_dir.clone(),
            cors: args.cors,
            #[cfg(not(target_family = "wasm"))]
            framed: !args.embed.is_empty(),
            #[cfg(target_family = "wasm")]
            framed: false,
        })
    }

    /// Runs `f` with a session that is set up at `target`, on the threads that `effort` asks for. The work that `f` is
    /// given ends when the effort's time is over, or when the future is dropped; for [`Effort::Known`] and
    /// [`Effort::Rules`] it has ended from the start.
    ///
    /// # Errors
    /// The game, the position or a move is refused; too many requests are waiting; or `f` panicked.
    pub async fn with<T: Send + 'static>(
        self: &Arc<App>,
        target: &PositionRef,
        effort: Effort,
        f: impl FnOnce(&mut Session, &Work<'_>) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        self.games.admit(target).map_err(|why| self.games.shown(&why))?;
        let open = effort == Effort::Known && self.games.is_open(&target.game);
        let pool = match effort {
            Effort::Known if open => &self.lookups,
            Effort::Known | Effort::Rules => &self.openings,
            Effort::Move(_) => &self.moves,
            Effort::Search(_) => &self.analyses,
        };
        let end = Instant::now() + self.limit;
        let (app, target) = (self.clone(), target.clone());
        pool.run(move |stop| {
            let mut session = match effort {
                Effort::Rules => app.games.session_once(&target.game)?,
                _ => app.games.session(&target.game)?,
            };
            set_up(&mut session, &target).map_err(|why| app.games.shown(&why))?;
            let work = Work { stop, until: Some(end), memory_limit: Some(app.memory), ..quiet_work() };
            let stopped = Work { stop: &STOPPED, ..work };
            let done = match effort {
                Effort::Known if !open => {
                    let work = work.within(OPENING);
                    session.ready(&work, work.until);
                    session.annotate(&work);
                    f(&mut session, &stopped)
                }
                Effort::Known | Effort::Rules => f(&mut session, &stopped),
                Effort::Move(time) | Effort::Search(time) => f(&mut session, &work.within(time)),
            };
            // Rules that cannot be followed in one position close the game for nobody else.
            if session.breakdown().is_some() {
                app.games.close(&target.game);
            }
            let lookup = effort == Effort::Rules || open;
            if !lookup {
                app.games.settle();
            }
            Ok(done)
        })
        .await?
    }

    /// Returns the effort for a question about a position and all its moves: a lookup if they are known, else a search.
    ///
    /// # Errors
    /// As [`App::with`].
    pub async fn effort(self: &Arc<App>, target: &PositionRef) -> Result<Effort, ApiError> {
        let known = self.with(target, Effort::Known, is_known).await?;
        Ok(if known { Effort::Known } else { Effort::Search(self.limit) })
    }

    /// Builds the table of a game in the background if a question has found it unfinished, for all clients together; says
    /// whether some table is being built. One is built at a time, so that other questions find a thread. Without threads
    /// clients would wait for it: nothing is built then.
    pub fn build(self: &Arc<App>, target: &PositionRef) -> bool {
        if cfg!(target_family = "wasm") {
            return false;
        }
        let mut building = self.under_way();
        if let Some((game, _)) = &*building {
            return *game == target.game;
        }
        let (app, target) = (self.clone(), target.clone());
        *building = Some((target.game.clone(), None));
        let submitted = self.analyses.submit(move || {
            // Also where the work panics.
            let _done = Building(&app);
            if let Ok(mut session) = app.games.session(&target.game)
                && set_up(&mut session, &target).is_ok()
            {
                let report = |progress: &Progress| {
                    if let Some((_, last)) = &mut *app.under_way() {
                        *last = Some(progress.clone());
                    }
                };
                let work = Work { report: &report, ..session.work(&NEVER).within(BACKGROUND) };
                session.ready(&work, None);
                session.annotate(&work);
                app.games.settle();
            }
        });
        if submitted.is_err() {
            *building = None;
        }
        submitted.is_ok()
    }

    /// Returns how far the table of a game is that is being built in the background; `None` if none is, or if it has not
    /// said so yet.
    pub fn built(&self, game: &str) -> Option<Progress> {
        self.under_way().clone().filter(|(building, _)| building == game).and_then(|(_, progress)| progress)
    }

    fn under_way(&self) -> MutexGuard<'_, Option<(String, Option<Progress>)>> {
        self.building.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Marks the background as free when dropped.
struct Building<'a>(&'a App);

impl Drop for Building<'_> {
    fn drop(&mut self) {
        *self.0.under_way() = None;
    }
}

/// Reports whether a table was left unfinished for want of time.
pub fn is_unfinished(refused: Option<&SolveError>) -> bool {
    matches!(refused, Some(SolveError::Stopped | SolveError::Busy))
}

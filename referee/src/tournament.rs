//! A match or tournament from its settings to its table: workers that play, one record, lines as games finish.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError};
use grundy_core::game::Player;
use grundy_core::sorting;
use grundy_core::text::counted;
use grundy_core::threads::share;
use grundy_engine::paths;
use grundy_session::{Catalog, Session, Work, quiet_work};

use crate::adjudication::Adjudication;
use crate::engine::Engine;
use crate::engine_spec::EngineSpec;
use crate::exact::{self, ValueCache};
use crate::game::{self, Arbiter};
use crate::games;
use crate::output::folded;
use crate::process::{ExitKind, GRACE};
use crate::progress::Progress;
use crate::prover::{self, Prover};
use crate::record::{Contents, Departure, FORMAT, Game, Header, Line, Move, Record};
use crate::schedule::{self, Fixture, Schedule};
use crate::settings::MatchSettings;
use crate::setup::command;
use crate::stats::Sprt;
use crate::summary;
use crate::traffic::TrafficLog;
use crate::verdict::{Ending, Fault, Outcome, Severity};

/// Default of `--prove`.
const PROVING_MS: u64 = 2_000;
/// The most unused time kept for proofs, in games' shares.
const SAVED_GAMES: u32 = 4;
/// The most time for the proofs after a game, in milliseconds: a day.
const MOST_PROVING_MS: u64 = 86_400_000;
/// The interval at which the record is checked for changes by others.
const WATCH: Duration = Duration::from_millis(100);

/// The surroundings of a run, besides its settings.
pub struct Context<'a> {
    /// The games there are.
    pub catalog: &'a Catalog,
    /// The record's file.
    pub record: Option<&'a Path>,
    /// The log of the traffic.
    pub log: TrafficLog,
    /// Set when the run is interrupted: no new game begins.
    pub stop: &'a AtomicBool,
    /// Set when the run is to end normally after the running games.
    pub rest: &'a AtomicBool,
    /// The output for lines and tables.
    pub out: &'a Mutex<dyn Write + Send>,
}

struct Run<'a> {
    settings: &'a MatchSettings,
    specs: Vec<EngineSpec>,
    names: Vec<String>,
    schedule: Schedule,
    /// Engines that were started before the first game, until a worker takes them.
    started: Mutex<HashMap<usize, (Engine, String)>>,
    next: AtomicUsize,
    decided: AtomicBool,
    values: ValueCache,
    sprt: Option<Sprt>,
    adjudication: Adjudication,
    context: &'a Context<'a>,
    progress: Progress<'a>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    record: Option<Record>,
    games: Vec<Game>,
    departures: Vec<Departure>,
    /// Twice the points of each engine in this run.
    points: Vec<u64>,
    /// Moves of this run that lost value.
    slips: usize,
    failed: Option<String>,
}

/// Plays all games of the settings, or the rest of an interrupted run whose record is `resumed`.
///
/// # Errors
/// Settings that cannot be used, or a record that cannot be written; one line.
pub fn run(
    settings: &MatchSettings,
    resumed: Option<(Record, Contents)>,
    context: &Context<'_>,
) -> Result<Severity, String> {
    let specs = if resumed.is_some() { settings.recorded_specs()? } else { settings.specs()? };
    let workers = settings.workers()?;
    if specs.len() < 2 {
        return Err("a match needs two engines: --engine 'COMMAND' --engine 'COMMAND'".to_string());
    }
    if settings.game.is_empty() {
        return Err("which game? --game NAME, as `grundy games` lists them".to_string());
    }
    let sprt = if settings.sprt.is_empty() { None } else { Some(Sprt::new(&settings.sprt)?) };
    let adjudication = settings.adjudication()?;
    let schedule = schedule::plan(context.catalog, settings, specs.len())?;
    let before = resumed.as_ref().map_or(&[][..], |(_, contents)| &contents.games);
    let decided = sprt.as_ref().is_some_and(|sprt| summary::test(before, sprt).1.is_some());
    // A match that is over needs nothing but its record.
    let plays = before.len() < schedule.len() && !decided;
    if plays {
        specs.iter().try_for_each(EngineSpec::check)?;
        if let Some(tables) = &settings.tables {
            paths::folder(tables.clone()).map_err(|why| format!("tables: {why}"))?;
        }
    }
    let values = ValueCache::new(context.catalog, settings.tables.clone());
    let mut digests = BTreeMap::new();
    for game in &settings.game {
        if let Some(digest) = games::rules(context.catalog, game)?.digest() {
            digests.insert(game.clone(), digest.to_owned());
        }
        if plays && !settings.no_audit {
            values.of(game)?;
        }
    }
    let names: Vec<String> = specs.iter().map(|spec| spec.name.clone().unwrap_or_default()).collect();
    let started = match plays {
        true => start_all(&specs, &settings.game, schedule.start_elsewhere(), context)?,
        false => HashMap::new(),
    };
    let mut state = State::default();
    match (resumed, context.record) {
        (Some((record, contents)), _) => {
            state.record = Some(record);
            state.games = contents.games;
            state.departures = contents.departures;
        }
        (None, Some(path)) => {
            let header = Header {
                format: FORMAT,
                version: env!("CARGO_PKG_VERSION").to_string(),
                began: game::now_ms(),
                settings: settings.clone(),
                names: names.clone(),
                games: schedule.len(),
                digests,
            };
            state.record = Some(Record::create(path, &header)?);
        }
        (None, None) => {}
    }
    let done: HashSet<usize> = state.games.iter().map(|game| game.id).collect();
    let run = Run {
        settings,
        specs,
        names,
        schedule,
        started: Mutex::new(started),
        next: AtomicUsize::new(0),
        decided: AtomicBool::new(decided),
        values,
        sprt,
        adjudication,
        context,
        progress: Progress::new(context.out),
        state: Mutex::new(state),
    };
    let games = settings.game.join(", ");
    run.say(&match run.schedule.open_ended {
        true => format!("games of {games} until the test is decided, {} played before", done.len()),
        false => format!("{} of {games}, {} played before", counted(run.schedule.len(), "game"), done.len()),
    });
    run.progress.begin(done.len(), Some(run.schedule.len()).filter(|_| !run.schedule.open_ended));
    std::thread::scope(|scope| {
        let (all_done, when_done) = crossbeam_channel::bounded::<()>(0);
        let watcher = std::thread::Builder::new();
        watcher
            .spawn_scoped(scope, || run.watch_the_record(when_done))
            .map_err(|error| format!("no thread to watch the record: {error}"))?;
        let (run, done) = (&run, &done);
        let worker = |working: crossbeam_channel::Sender<()>| {
            move || {
                Worker::new(run).work(done);
                drop(working);
            }
        };
        let workers: Vec<_> =
            (0..workers.min(run.schedule.len())).map(|_| worker(all_done.clone())).collect();
        drop(all_done);
        share(scope, workers);
        Ok::<_, String>(())
    })?;
    run.finish()
}

/// Starts each engine once, for the first game that it plays. `elsewhere` is a position games begin from.
///
/// # Errors
/// An engine does not start, has not the options that its user sets, or does not play one of the games, or
/// from that position; one line.
fn start_all(
    specs: &[EngineSpec],
    games: &[String],
    elsewhere: Option<&str>,
    context: &Context<'_>,
) -> Result<HashMap<usize, (Engine, String)>, String> {
    let mut started = HashMap::new();
    let Some(first) = games.first() else { return Ok(started) };
    for (i, spec) in specs.iter().enumerate() {
        let name = spec.name.as_deref().unwrap_or_default();
        let refused = |fault| format!("no game was played: engine {name} {fault}");
        let engine = Engine::start(context.catalog, spec, first, &context.log).map_err(refused)?;
        engine.check_options()?;
        games.iter().try_for_each(|game| engine.check_game(game)).map_err(refused)?;
        elsewhere.map_or(Ok(()), |start| engine.check_start(start)).map_err(refused)?;
        started.insert(i, (engine, first.clone()));
    }
    Ok(started)
}

impl Run<'_> {
    fn say(&self, line: &str) {
        self.progress.say(folded(line).trim_end());
    }

    /// Returns the next game that is still to be played.
    fn next_fixture(&self, done: &HashSet<usize>) -> Option<Fixture> {
        loop {
            let context = self.context;
            if [context.stop, context.rest, &self.decided].iter().any(|set| set.load(Ordering::SeqCst)) {
                return None;
            }
            let fixture = self.schedule.get(self.next.fetch_add(1, Ordering::SeqCst))?;
            if !done.contains(&fixture.id) {
                return Some(fixture);
            }
        }
    }

    fn announce(&self, fixture: &Fixture) {
        let [a, b] = fixture.engines.map(|i| self.names[i].as_str());
        let of = match self.schedule.open_ended {
            true => String::new(),
            false => format!(" of {}", self.schedule.len()),
        };
        self.say(&format!("Started game {}{of} ({a} vs {b})", fixture.id));
    }

    /// Records a finished game: first on disk, then on the screen.
    fn finish_game(&self, game: Game) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        self.append(&mut state, &Line::Game(Box::new(game.clone())));
        let [a, b] = &game.players;
        self.say(&format!("Finished game {} ({a} vs {b}): {} {{{}}}", game.id, game.result, game.reason));
        for line in findings(&game) {
            self.say(&line);
        }
        let proves = !self.settings.no_audit && self.settings.prove != Some(0);
        if let Some(open) = prover::coverage(&game).filter(|_| proves) {
            self.say(&format!("  {open}"));
        }
        state.games.push(game);
        self.progress.step(self.score(&mut state));
        let count = state.games.len();
        if !self.progress.is_shown() && count < self.schedule.len() && summary::is_told(count) {
            self.say(&summary::standing(&self.names, &state.games, self.sprt.as_ref()));
        }
        if let Some(sprt) = &self.sprt
            && let (_, Some(_)) = summary::test(&state.games, sprt)
        {
            self.decided.store(true, Ordering::SeqCst);
        }
    }

    /// Updates the score; returns it as a few words for the bar.
    fn score(&self, state: &mut State) -> String {
        let State { games, points, slips, .. } = state;
        if let Some(game) = games.last() {
            points.resize(self.names.len(), 0);
            let doubled = game.result.double_points();
            for (&engine, doubled) in game.engines.iter().zip([doubled, doubled.map(|p| 2 - p)]) {
                points[engine] += u64::from(doubled.unwrap_or(0));
            }
            *slips += game.moves.iter().filter_map(Move::value_slip).count();
        }
        let scores = self.names.iter().zip(points.iter());
        let scores: Vec<String> =
            scores.map(|(name, &doubled)| format!("{name} {}", summary::halves(doubled))).collect();
        match self.settings.no_audit {
            true => scores.join(", "),
            false => format!("{}, value slips {slips}", scores.join(", ")),
        }
    }

    /// Records an engine's fault outside of a game.
    fn record_departure(&self, name: &str, fault: Fault) {
        let departure = Departure { name: name.to_string(), words: fault.to_string(), fault };
        self.say(&format!("{name} {}", departure.words));
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        self.append(&mut state, &Line::Departure(departure.clone()));
        state.departures.push(departure);
    }

    /// Checks until the workers are done whether anybody else writes to the record, an engine for example. No game
    /// begins after that.
    fn watch_the_record(&self, until: Receiver<()>) {
        while until.recv_timeout(WATCH) == Err(RecvTimeoutError::Timeout) {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            if state.failed.is_none()
                && let Some(Err(why)) = state.record.as_mut().map(Record::untouched)
            {
                self.say(&why);
                state.failed = Some(why);
                self.decided.store(true, Ordering::SeqCst);
            }
        }
    }

    /// Appends a line to the record. If that fails no further game begins.
    fn append(&self, state: &mut State, line: &Line) {
        let Some(record) = &mut state.record else { return };
        let path = self.context.record.unwrap_or(Path::new("")).display();
        let kept = record.untouched().and_then(|()| {
            record.append(line).map_err(|why| {
                format!(
                    "the record could not be written: {why}; the games in it are whole, resume with --resume {path}"
                )
            })
        });
        if let Err(why) = kept {
            state.failed.get_or_insert(why);
            self.decided.store(true, Ordering::SeqCst);
        }
    }

    fn finish(self) -> Result<Severity, String> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut games = state.games;
        sorting::sort_by_key(&mut games, |game| game.id);
        let table =
            summary::report(self.context.catalog, self.settings, &self.names, &games, &state.departures);
        self.progress.end();
        self.progress.say(&format!("\n{}", table.trim_end()));
        if let Some(e) = state.failed {
            return Err(e);
        }
        if let Some(record) = state.record {
            record.reread()?;
        }
        let stopped = self.context.stop.load(Ordering::SeqCst);
        if (stopped || self.context.rest.load(Ordering::SeqCst)) && games.len() < self.schedule.len() {
            let next = match self.context.record {
                Some(path) => {
                    let path = path.display().to_string();
                    let quoted = shlex::try_quote(&path).map_or(path.clone(), |quoted| quoted.into_owned());
                    format!("resume with: referee match --resume {quoted}")
                }
                None => "it cannot be resumed without --record".to_string(),
            };
            let after = match self.schedule.open_ended {
                true => counted(games.len(), "game"),
                false => format!("{} of {}", games.len(), counted(self.schedule.len(), "game")),
            };
            self.progress.say(&format!("Ended after {after}; {next}"));
        }
        if stopped && games.len() < self.schedule.len() {
            return Ok(Severity::Interrupted);
        }
        Ok(summary::severity(&games, &state.departures))
    }
}

/// Returns the slips and disputes of a game, one per line.
pub fn findings(game: &Game) -> Vec<String> {
    let slips = game.moves.iter().enumerate().filter_map(|(i, m)| {
        let record = m.value_slip()?;
        let keeping = match record.keeping.is_empty() {
            true => String::new(),
            false => format!("; kept by {}", record.kept_by()),
        };
        let (name, slip, position) =
            (&game.players[m.by.index()], record.slip, command::of(&record.position));
        let ply = game.opening.len() + i + 1;
        Some(format!("  slip: {name} played {} at ply {ply}, {slip}: {position}{keeping}", m.word))
    });
    slips.chain(game.disputes.iter().map(|dispute| format!("  dispute: {dispute}"))).collect()
}

/// One thread that plays games, with the engines it keeps running.
struct Worker<'r, 'a> {
    run: &'r Run<'a>,
    rules: HashMap<String, Session>,
    running: HashMap<usize, (Engine, String)>,
    /// Provers by game, with what they have learned.
    provers: HashMap<String, Prover>,
    /// Unused time of earlier games for proofs.
    saved: Duration,
}

impl<'r, 'a> Worker<'r, 'a> {
    fn new(run: &'r Run<'a>) -> Worker<'r, 'a> {
        Worker {
            run,
            rules: HashMap::new(),
            running: HashMap::new(),
            provers: HashMap::new(),
            saved: Duration::ZERO,
        }
    }

    fn work(mut self, done: &HashSet<usize>) {
        while let Some(fixture) = self.run.next_fixture(done) {
            let others: Vec<usize> =
                self.running.keys().copied().filter(|engine| !fixture.engines.contains(engine)).collect();
            for engine in others {
                self.quit(engine);
            }
            if let Err(e) = self.one_game(&fixture) {
                let mut state = self.run.state.lock().unwrap_or_else(PoisonError::into_inner);
                state.failed.get_or_insert(e);
                self.run.decided.store(true, Ordering::SeqCst);
            }
        }
        let left: Vec<usize> = self.running.keys().copied().collect();
        for engine in left {
            self.quit(engine);
        }
    }

    fn one_game(&mut self, fixture: &Fixture) -> Result<(), String> {
        self.run.announce(fixture);
        let mut pair = Vec::new();
        for side in [Player::One, Player::Two] {
            match self.player(fixture.engines[side.index()], &fixture.game) {
                Ok(player) => pair.push(player),
                Err(fault) => {
                    let ending = Ending::Fault { side, fault };
                    let names = fixture.engines.map(|i| self.run.names[i].clone());
                    self.keep_running(fixture.engines[0], pair.pop(), &fixture.game);
                    self.run.finish_game(game::unplayed(fixture, names, Outcome::lost_by(side), ending));
                    return Ok(());
                }
            }
        }
        let mut exact = match self.run.settings.no_audit {
            true => None,
            false => Some(self.run.values.of(&fixture.game)?),
        };
        let open = || games::rules(self.run.context.catalog, &fixture.game);
        let rules = games::cached(&mut self.rules, &fixture.game, open)?;
        let max_plies = self.run.settings.most_plies();
        let adjudication = self.run.adjudication;
        let mut arbiter = Arbiter { rules, exact: exact.as_mut(), max_plies, adjudication };
        let [first, second] = &mut pair[..] else { return Err("a game needs two engines".to_string()) };
        let (mut game, after) = game::play(fixture, &mut arbiter, [first, second])?;
        self.prove(&mut game)?;
        let failed = match &game.ending {
            Ending::Fault { side, .. } => Some(side.index()),
            _ => None,
        };
        self.run.finish_game(game);
        for (side, mut player) in pair.into_iter().enumerate() {
            if failed == Some(side) {
                player.kill();
            } else if let Some((_, fault)) = after.iter().find(|(at, _)| *at == side) {
                player.kill();
                self.run.record_departure(&player.name, fault.clone());
            } else {
                let plays_once = player.plays_once();
                self.keep_running(fixture.engines[side], Some(player), &fixture.game);
                if plays_once {
                    self.quit(fixture.engines[side]);
                }
            }
        }
        Ok(())
    }

    /// Proves moves that no table knows, while no clock of this game runs, and compares the engines' claims. Unused
    /// time passes to later games.
    fn prove(&mut self, game: &mut Game) -> Result<(), String> {
        let Run { settings, context, .. } = *self.run;
        let allowed = settings.prove.unwrap_or(PROVING_MS);
        if settings.no_audit || !prover::is_open(game) {
            return Ok(());
        }
        let threads = settings.proving_threads();
        let open = || Prover::new(context.catalog, &game.game, settings.tables.clone(), threads);
        let prover = games::cached(&mut self.provers, &game.game, open)?;
        if allowed > 0 {
            let run = self.run;
            let report = |progress: &grundy_session::Progress| {
                if let Some(table) = exact::table_begun(progress) {
                    run.say(&format!("  makes a table to judge game {}: {table}", game.id));
                }
            };
            let work = Work { stop: context.stop, threads, report: &report, ..quiet_work() };
            prover.solve_endings(game, &work)?;
        }
        let allowed = Duration::from_millis(allowed.min(MOST_PROVING_MS));
        let (begun, time) = (Instant::now(), allowed + self.saved);
        prover.prove(game, begun + time, context.stop)?;
        self.saved = time.saturating_sub(begun.elapsed()).min(allowed * SAVED_GAMES);
        Ok(())
    }

    /// Returns a running engine that plays this game: the existing one, or a new process.
    fn player(&mut self, engine: usize, game: &str) -> Result<Engine, Fault> {
        let started = || self.run.started.lock().unwrap_or_else(PoisonError::into_inner).remove(&engine);
        let there = self.running.remove(&engine).or_else(started);
        if let Some((mut player, playing)) = there {
            if playing != game {
                player.choose(game)?;
            }
            return Ok(player);
        }
        let spec = &self.run.specs[engine];
        Engine::start(self.run.context.catalog, spec, game, &self.run.context.log)
    }

    fn keep_running(&mut self, engine: usize, player: Option<Engine>, game: &str) {
        if let Some(player) = player {
            self.running.insert(engine, (player, game.to_string()));
        }
    }

    fn quit(&mut self, engine: usize) {
        let Some((mut player, _)) = self.running.remove(&engine) else { return };
        let fault = match player.read_unsolicited() {
            Err(fault) => {
                player.kill();
                fault
            }
            Ok(()) => match player.quit() {
                ExitKind::Clean => return,
                ExitKind::Failed(status) => Fault::Disconnects(format!("at quit, {status}")),
                ExitKind::Killed => {
                    Fault::Stalls(format!("it had not ended {} ms after quit", GRACE.as_millis()))
                }
            },
        };
        self.run.record_departure(&player.name, fault);
    }
}

//! A match or tournament from its settings to its table: workers that play, one record, lines as games go by.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError};
use grundy_core::sorting;
use grundy_core::threads::share;
use grundy_session::{Catalog, Session};

use crate::engine::Engine;
use crate::play::{self, Arbiter};
use crate::process::{Farewell, GRACE};
use crate::progress::Progress;
use crate::proving::{self, Prover};
use crate::record::{Contents, Departure, FORMAT, Game, Header, Line, Move, Record};
use crate::schedule::{self, Fixture};
use crate::settings::MatchSettings;
use crate::spec::EngineSpec;
use crate::stats::Sprt;
use crate::summary;
use crate::traffic::TrafficLog;
use crate::truth::{self, Truths};
use crate::verdict::{Ending, Fault, Gravity, Outcome};

/// Milliseconds for the proofs after a game when nothing is said.
const PROVING_MS: u64 = 2_000;
/// No more than so many games' time is saved up for one.
const SAVED_GAMES: u32 = 4;
/// No game has more, in milliseconds: a day.
const MOST_PROVING_MS: u64 = 86_400_000;
/// How often the record is looked at while games are played.
const WATCH: Duration = Duration::from_millis(100);

/// What a run needs besides its settings.
pub struct Circumstances<'a> {
    /// The games there are.
    pub catalog: &'a Catalog,
    /// Where the record goes.
    pub record: Option<&'a Path>,
    /// Where the traffic goes.
    pub log: TrafficLog,
    /// Set when the run is interrupted: no new game is to begin.
    pub stop: &'a AtomicBool,
    /// Set when the run is to end after the running games, as if there were no more.
    pub rest: &'a AtomicBool,
    /// Where lines and tables go.
    pub out: &'a Mutex<dyn Write + Send>,
}

struct Run<'a> {
    settings: &'a MatchSettings,
    specs: Vec<EngineSpec>,
    names: Vec<String>,
    fixtures: Vec<Fixture>,
    next: AtomicUsize,
    decided: AtomicBool,
    truths: Truths,
    sprt: Option<Sprt>,
    around: &'a Circumstances<'a>,
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

/// Plays everything that the settings ask for, or what is left of it: `resumed` is the record of an interrupted run.
///
/// # Errors
/// Settings that cannot be used, or a record that cannot be written; one line.
pub fn run(
    settings: &MatchSettings,
    resumed: Option<(Record, Contents)>,
    around: &Circumstances<'_>,
) -> Result<Gravity, String> {
    let specs = settings.specs()?;
    let workers = settings.workers()?;
    if specs.len() < 2 {
        return Err("a match needs two engines: --engine 'COMMAND' --engine 'COMMAND'".to_string());
    }
    if settings.game.is_empty() {
        return Err("which game? --game NAME, as `grundy games` lists them".to_string());
    }
    let sprt = if settings.sprt.is_empty() { None } else { Some(Sprt::new(&settings.sprt)?) };
    let fixtures = schedule::plan(around.catalog, settings, specs.len())?;
    let truths = Truths::new(around.catalog, settings.tables.clone());
    let mut digests = BTreeMap::new();
    for game in &settings.game {
        if let Some(digest) = truth::rules(around.catalog, game)?.digest() {
            digests.insert(game.clone(), digest.to_owned());
        }
        if !settings.no_audit {
            truths.of(game)?;
        }
    }
    let names: Vec<String> = specs.iter().map(|spec| spec.name.clone().unwrap_or_default()).collect();
    let mut state = State::default();
    match (resumed, around.record) {
        (Some((record, contents)), _) => {
            state.record = Some(record);
            state.games = contents.games;
            state.departures = contents.departures;
        }
        (None, Some(path)) => {
            let header = Header {
                format: FORMAT,
                version: env!("CARGO_PKG_VERSION").to_string(),
                began: play::now_ms(),
                settings: settings.clone(),
                names: names.clone(),
                games: fixtures.len(),
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
        fixtures,
        next: AtomicUsize::new(0),
        decided: AtomicBool::new(false),
        truths,
        sprt,
        around,
        progress: Progress::new(around.out),
        state: Mutex::new(state),
    };
    run.say(&format!(
        "{} games of {}, {} played before",
        run.fixtures.len(),
        settings.game.join(", "),
        done.len()
    ));
    run.progress.begin(done.len(), run.fixtures.len());
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
            (0..workers.min(run.fixtures.len())).map(|_| worker(all_done.clone())).collect();
        drop(all_done);
        share(scope, workers);
        Ok::<_, String>(())
    })?;
    run.finish()
}

impl Run<'_> {
    fn say(&self, line: &str) {
        self.progress.say(line);
    }

    /// The next game that is still to be played.
    fn take(&self, done: &HashSet<usize>) -> Option<&Fixture> {
        loop {
            let around = self.around;
            if [around.stop, around.rest, &self.decided].iter().any(|set| set.load(Ordering::SeqCst)) {
                return None;
            }
            let fixture = self.fixtures.get(self.next.fetch_add(1, Ordering::SeqCst))?;
            if !done.contains(&fixture.id) {
                return Some(fixture);
            }
        }
    }

    fn began(&self, fixture: &Fixture) {
        let [a, b] = fixture.engines.map(|i| self.names[i].as_str());
        self.say(&format!("Started game {} of {} ({a} vs {b})", fixture.id, self.fixtures.len()));
    }

    /// Keeps a game that ended: first on disk, then on the screen.
    fn ended(&self, game: Game) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        self.keep_line(&mut state, &Line::Game(game.clone()));
        let [a, b] = &game.players;
        self.say(&format!("Finished game {} ({a} vs {b}): {} {{{}}}", game.id, game.result, game.reason));
        for line in findings(&game) {
            self.say(&line);
        }
        let proves = !self.settings.no_audit && self.settings.prove != Some(0);
        if let Some(open) = proving::coverage(&game).filter(|_| proves) {
            self.say(&format!("  {open}"));
        }
        state.games.push(game);
        self.progress.step(self.standing(&mut state));
        if let Some(sprt) = &self.sprt
            && let (_, Some(_)) = summary::test(&state.games, sprt)
        {
            self.decided.store(true, Ordering::SeqCst);
        }
    }

    /// How it stands, in the few words that a bar has room for.
    fn standing(&self, state: &mut State) -> String {
        let State { games, points, slips, .. } = state;
        if let Some(game) = games.last() {
            points.resize(self.names.len(), 0);
            let doubled = game.result.double_points();
            for (&engine, doubled) in game.engines.iter().zip([doubled, doubled.map(|p| 2 - p)]) {
                points[engine] += u64::from(doubled.unwrap_or(0));
            }
            let lost = |m: &&Move| m.fault.as_ref().is_some_and(|audit| audit.slip.loses_value());
            *slips += game.moves.iter().filter(lost).count();
        }
        let scores = self.names.iter().zip(points.iter());
        let scores: Vec<String> =
            scores.map(|(name, &doubled)| format!("{name} {}", summary::halves(doubled))).collect();
        format!("{}, value slips {slips}", scores.join(", "))
    }

    /// Keeps what an engine did wrong outside its games.
    fn departed(&self, name: &str, fault: Fault) {
        let departure = Departure { name: name.to_string(), words: fault.to_string(), fault };
        self.say(&format!("{name} {}", departure.words));
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        self.keep_line(&mut state, &Line::Farewell(departure.clone()));
        state.departures.push(departure);
    }

    /// Looks again and again, until the workers are done, whether somebody else writes into the record: an engine, for
    /// one, that would like other results. No game begins after that.
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

    /// Adds a line to the record. Where that fails no game begins any more: a run whose games are lost is no run.
    fn keep_line(&self, state: &mut State, line: &Line) {
        let Some(record) = &mut state.record else { return };
        let path = self.around.record.unwrap_or(Path::new("")).display();
        let kept = record.untouched().and_then(|()| {
            record.append(line).map_err(|why| {
                format!(
                    "the record could not be written: {why}; the games in it are whole, go on with --resume {path}"
                )
            })
        });
        if let Err(why) = kept {
            state.failed.get_or_insert(why);
            self.decided.store(true, Ordering::SeqCst);
        }
    }

    fn finish(self) -> Result<Gravity, String> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut games = state.games;
        sorting::sort_by_key(&mut games, |game| game.id);
        let table =
            summary::report(self.around.catalog, self.settings, &self.names, &games, &state.departures);
        self.progress.end();
        self.progress.say(&format!("\n{}", table.trim_end()));
        if let Some(e) = state.failed {
            return Err(e);
        }
        if let Some(record) = state.record {
            record.reread()?;
        }
        let stopped = self.around.stop.load(Ordering::SeqCst);
        if (stopped || self.around.rest.load(Ordering::SeqCst)) && games.len() < self.fixtures.len() {
            let go_on = match self.around.record {
                Some(path) => {
                    let path = path.display().to_string();
                    let quoted = shlex::try_quote(&path).map_or(path.clone(), |quoted| quoted.into_owned());
                    format!("go on with: referee match --resume {quoted}")
                }
                None => "it cannot be gone on with: there is no --record".to_string(),
            };
            self.progress.say(&format!(
                "Ended after {} of {} games; {go_on}",
                games.len(),
                self.fixtures.len()
            ));
        }
        if stopped && games.len() < self.fixtures.len() {
            return Ok(Gravity::Interrupted);
        }
        Ok(summary::gravity(&games, &state.departures))
    }
}

/// What a person wants to read of a game besides its result.
pub fn findings(game: &Game) -> Vec<String> {
    let slips = game.moves.iter().enumerate().filter_map(|(i, m)| {
        let audit = m.fault.as_ref().filter(|audit| audit.slip.loses_value())?;
        let keeping = match audit.keeping.is_empty() {
            true => String::new(),
            false => format!("; kept by {}", audit.kept_by()),
        };
        let name = &game.players[usize::from(m.by) - 1];
        let ply = game.opening.len() + i + 1;
        Some(format!(
            "  slip: {name} played {} at ply {ply}, {}: {}{keeping}",
            m.word, audit.slip, audit.position
        ))
    });
    slips.chain(game.disputes.iter().map(|dispute| format!("  dispute: {dispute}"))).collect()
}

/// One thread that plays games, with the engines it keeps running.
struct Worker<'r, 'a> {
    run: &'r Run<'a>,
    rules: HashMap<String, Session>,
    running: HashMap<usize, (Engine, String)>,
    /// What was learned of each game's values, kept from game to game.
    provers: HashMap<String, Prover>,
    /// Time that earlier games have left of what proofs may take.
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
        while let Some(fixture) = self.run.take(done) {
            let others: Vec<usize> =
                self.running.keys().copied().filter(|engine| !fixture.engines.contains(engine)).collect();
            for engine in others {
                self.dismiss(engine);
            }
            if let Err(e) = self.one_game(fixture) {
                let mut state = self.run.state.lock().unwrap_or_else(PoisonError::into_inner);
                state.failed.get_or_insert(e);
                self.run.decided.store(true, Ordering::SeqCst);
            }
        }
        let left: Vec<usize> = self.running.keys().copied().collect();
        for engine in left {
            self.dismiss(engine);
        }
    }

    fn one_game(&mut self, fixture: &Fixture) -> Result<(), String> {
        self.run.began(fixture);
        let mut pair = Vec::new();
        for (side, &engine) in fixture.engines.iter().enumerate() {
            match self.player(engine, &fixture.game) {
                Ok(player) => pair.push(player),
                Err(fault) => {
                    let loser = if side == 0 { Outcome::Second } else { Outcome::First };
                    let ending = Ending::Fault { side: if side == 0 { 1 } else { 2 }, fault };
                    let names = fixture.engines.map(|i| self.run.names[i].clone());
                    self.keep(fixture.engines[0], pair.pop(), &fixture.game);
                    self.run.ended(play::unplayed(fixture, names, loser, ending));
                    return Ok(());
                }
            }
        }
        let mut truth = match self.run.settings.no_audit {
            true => None,
            false => Some(self.run.truths.of(&fixture.game)?),
        };
        let open = || truth::rules(self.run.around.catalog, &fixture.game);
        let rules = truth::of_game(&mut self.rules, &fixture.game, open)?;
        let max_plies = self.run.settings.most_plies();
        let mut arbiter = Arbiter { rules, truth: truth.as_mut(), max_plies };
        let [first, second] = &mut pair[..] else { return Err("a game needs two engines".to_string()) };
        let (mut game, after) = play::play(fixture, &mut arbiter, [first, second])?;
        self.prove(&mut game)?;
        let failed = match &game.ending {
            Ending::Fault { side, .. } => Some(usize::from(*side) - 1),
            _ => None,
        };
        self.run.ended(game);
        for (side, mut player) in pair.into_iter().enumerate() {
            if failed == Some(side) {
                player.kill();
            } else if let Some((_, fault)) = after.iter().find(|(at, _)| *at == side) {
                player.kill();
                self.run.departed(&player.name, fault.clone());
            } else {
                self.keep(fixture.engines[side], Some(player), &fixture.game);
                if self.run.specs[fixture.engines[side]].restart {
                    self.dismiss(fixture.engines[side]);
                }
            }
        }
        Ok(())
    }

    /// Proves what no table knows, now that no clock of this game runs, and compares what the engines claimed. What a
    /// game leaves of its time is for those that follow.
    fn prove(&mut self, game: &mut Game) -> Result<(), String> {
        let Run { settings, around, .. } = *self.run;
        let allowed = settings.prove.unwrap_or(PROVING_MS);
        if settings.no_audit || proving::coverage(game).is_none() {
            return Ok(());
        }
        let threads = settings.proving_threads();
        let open = || Prover::new(around.catalog, &game.game, settings.tables.clone(), threads);
        let prover = truth::of_game(&mut self.provers, &game.game, open)?;
        let allowed = Duration::from_millis(allowed.min(MOST_PROVING_MS));
        let (begun, time) = (Instant::now(), allowed + self.saved);
        prover.prove(game, begun + time, around.stop)?;
        self.saved = time.saturating_sub(begun.elapsed()).min(allowed * SAVED_GAMES);
        Ok(())
    }

    /// A running engine that plays this game: the one we have, or a new process.
    fn player(&mut self, engine: usize, game: &str) -> Result<Engine, Fault> {
        if let Some((mut player, playing)) = self.running.remove(&engine) {
            if playing != game {
                player.choose(game)?;
            }
            return Ok(player);
        }
        let spec = &self.run.specs[engine];
        Engine::start(
            self.run.around.catalog,
            spec,
            Some(game),
            &self.run.names[engine],
            &self.run.around.log,
        )
    }

    fn keep(&mut self, engine: usize, player: Option<Engine>, game: &str) {
        if let Some(player) = player {
            self.running.insert(engine, (player, game.to_string()));
        }
    }

    fn dismiss(&mut self, engine: usize) {
        let Some((mut player, _)) = self.running.remove(&engine) else { return };
        let fault = match player.hear_strays() {
            Err(fault) => {
                player.kill();
                fault
            }
            Ok(()) => match player.quit() {
                Farewell::Clean => return,
                Farewell::Failed(status) => Fault::Disconnects(format!("at quit, {status}")),
                Farewell::Killed => {
                    Fault::Stalls(format!("it had not ended {} ms after quit", GRACE.as_millis()))
                }
            },
        };
        self.run.departed(&player.name, fault);
    }
}

//! The engine: a loop between a reader thread and a worker thread, with its streams as arguments.
//!
//! The loop owns the output and the state. The session travels to the worker with a job and comes back with the
//! answer, so there are no locks. While a search runs, `position`, `go` and `query` are refused; while a table is
//! made or a question answered, what comes in waits its turn.

mod clock;
pub mod gtp;
mod options;
mod prompt;
mod reader;
mod worker;

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded, never, select, unbounded};

use crate::protocol::{Command, Dialect, GoWords, Query, Unread, bound_free, clean, info_line, value_word};
use grundy_core::game::{GameResult, Player};
use grundy_core::random::SplitMix64;
use grundy_core::value::{Score, Unit};
use grundy_session::{Catalog, Go, Info, Session, Settings, Variant};
use options::{Change, Options};
use reader::{Input, Latest};
use worker::{Answer, Event, Job, Task};

/// Lines read ahead of the loop.
const READ_AHEAD: usize = 256;
/// Commands that wait while a table is made; beyond this the reader waits too.
const WAITING: usize = 10_000;
/// After the end of input a search that would end by itself may still do so for this long.
const LAST_MOVE: Duration = Duration::from_millis(100);
/// After `quit` or the end of input, other work (a small table, a question) may end for this long.
const LAST_WORK: Duration = Duration::from_millis(400);
/// How long a stopped search has for its answer once the engine is to end.
const LAST_WORD: Duration = Duration::from_millis(100);

/// What the command line settles before the first line is read.
#[derive(Clone, Debug)]
pub struct Config {
    /// The games there are.
    pub catalog: Catalog,
    /// The game to begin with; without one, that of UCI where the client says `uci`, else the first of the catalog.
    pub game: Option<String>,
    /// What the options are set to at first.
    pub settings: Settings,
    /// Percent of moves that are played at random.
    pub weaken: u32,
}

impl Config {
    /// The usual game of this catalog, with default settings.
    pub fn new(catalog: &Catalog) -> Config {
        Config { catalog: *catalog, game: None, settings: Settings::default(), weaken: 0 }
    }
}

/// Speaks the protocol until `quit` or the end of input.
///
/// On Linux the thread that calls this gets shorter slices of the processor, and gets them sooner.
///
/// # Errors
/// The output could not be written. A reader that closed our output is no error.
pub fn run(input: impl Read + Send + 'static, output: impl Write, config: Config) -> io::Result<()> {
    let (lines_in, lines) = bounded(READ_AHEAD);
    let latest = Latest::default();
    let search = latest.clone();
    std::thread::Builder::new()
        .name("reader".into())
        .spawn(move || reader::run(input, &lines_in, &search))?;
    let (jobs, jobs_out) = unbounded();
    let (events_in, events) = unbounded();
    std::thread::Builder::new().name("worker".into()).spawn(move || worker::run(&jobs_out, &events_in))?;
    prompt::prompt();
    let mut engine = Engine::new(output, config, jobs, latest);
    match engine.serve(&lines, &events) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        ended => ended,
    }
}

/// What the worker is at.
enum Busy {
    /// Nothing: the session is at home.
    Idle,
    /// A table or a question.
    Errand { stop: Arc<AtomicBool> },
    /// A search.
    Search(Box<Search>),
}

/// A search from `go` to `bestmove`.
struct Search {
    stop: Arc<AtomicBool>,
    words: GoWords,
    read: Instant,
    mover: Player,
    /// The position, for spellings that depend on it.
    position: String,
    /// The answer waits for `stop` or `ponderhit`.
    held: bool,
    /// When the loop itself ends the search.
    deadline: Option<Instant>,
    last: Option<Info>,
    /// The answer of a search under `infinite` that proved its value early.
    answer: Option<Option<String>>,
}

struct Engine<W> {
    out: W,
    catalog: Catalog,
    jobs: Sender<Job>,
    latest: Latest,
    options: Options,
    lots: SplitMix64,
    dialect: Dialect,
    variant: Option<Variant>,
    /// The game was chosen by somebody, so that `uci` does not change it.
    chosen: bool,
    game: String,
    /// Sections of game names that options have switched on.
    sections: Vec<&'static str>,
    session: Option<Session>,
    /// The last position was refused.
    refused: bool,
    busy: Busy,
    waiting: VecDeque<(Command, Instant)>,
}

/// Whether the loop goes on.
#[derive(PartialEq, Eq)]
enum Next {
    On,
    End,
}

impl<W: Write> Engine<W> {
    fn new(out: W, config: Config, jobs: Sender<Job>, latest: Latest) -> Engine<W> {
        let chosen = config.game.is_some();
        let game = config.game.unwrap_or_else(|| config.catalog.usual().to_owned());
        Engine {
            out,
            catalog: config.catalog,
            jobs,
            latest,
            lots: SplitMix64(config.settings.seed.unwrap_or(0)),
            options: Options { settings: config.settings, weaken: config.weaken },
            dialect: Dialect::Ugi,
            variant: None,
            chosen,
            game,
            sections: Vec::new(),
            session: None,
            refused: false,
            busy: Busy::Idle,
            waiting: VecDeque::new(),
        }
    }

    fn serve(&mut self, lines: &Receiver<Input>, events: &Receiver<Event>) -> io::Result<()> {
        self.open(None)?;
        let mut ended = false;
        let mut end_by: Option<Instant> = None;
        loop {
            while matches!(self.busy, Busy::Idle) {
                let Some((command, read)) = self.waiting.pop_front() else { break };
                if self.obey(command, read)? == Next::End {
                    return Ok(());
                }
                if ended {
                    end_by = Some(self.last_call(false)?);
                }
            }
            if ended && matches!(self.busy, Busy::Idle) {
                return Ok(());
            }
            let listen = !ended && self.waiting.len() < WAITING;
            let alarm = match (self.deadline(), end_by) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
            let timer = alarm.map_or_else(never, crossbeam_channel::at);
            let closed = never();
            select! {
                recv(if listen { lines } else { &closed }) -> input => match input {
                    Ok(Input::TooLong) => self.error("line longer than 16 MiB skipped")?,
                    Ok(Input::Line(line, read)) => {
                        if self.hear(&line, read)? == Next::End {
                            ended = true;
                            end_by = Some(self.last_call(true)?);
                        }
                    }
                    Err(_) => {
                        ended = true;
                        end_by = Some(self.last_call(false)?);
                    }
                },
                recv(events) -> event => match event {
                    Ok(event) => self.take(event)?,
                    Err(_) => return Ok(()),
                },
                recv(timer) -> _ => {
                    if end_by.is_some_and(|by| by <= Instant::now()) {
                        let searching = matches!(&self.busy, Busy::Search(s) if !s.stop.load(Ordering::Relaxed));
                        if !searching {
                            return Ok(());
                        }
                        self.stop_search()?;
                        end_by = Some(Instant::now() + LAST_WORD);
                    } else {
                        self.stop_search()?;
                    }
                },
            }
        }
    }

    /// The engine is to end: stops what would not end by itself (or at once, after `quit`) and says until when
    /// the rest may go on.
    fn last_call(&mut self, at_once: bool) -> io::Result<Instant> {
        let patience = match &self.busy {
            Busy::Search(search) if search.held || at_once => {
                self.stop_search()?;
                LAST_WORD
            }
            Busy::Search(_) => LAST_MOVE,
            _ => LAST_WORK,
        };
        Ok(Instant::now() + patience)
    }

    fn deadline(&self) -> Option<Instant> {
        match &self.busy {
            Busy::Search(search) if !search.stop.load(Ordering::Relaxed) => search.deadline,
            _ => None,
        }
    }

    /// Takes one line: at once, or into the queue while an errand is under way.
    fn hear(&mut self, line: &str, read: Instant) -> io::Result<Next> {
        let command = match Command::read(line) {
            Ok(command) => command,
            Err(Unread::Blank) => return Ok(Next::On),
            Err(why) => {
                self.error(&clean(&why.to_string()))?;
                return Ok(Next::On);
            }
        };
        match (&self.busy, command) {
            (Busy::Idle | Busy::Search(_), command) => self.obey(command, read),
            (Busy::Errand { .. }, Command::Quit) => Ok(Next::End),
            (Busy::Errand { stop }, Command::Stop) if self.waiting.is_empty() => {
                stop.store(true, Ordering::Relaxed);
                Ok(Next::On)
            }
            (Busy::Errand { .. }, command) => {
                self.waiting.push_back((command, read));
                Ok(Next::On)
            }
        }
    }

    fn obey(&mut self, command: Command, read: Instant) -> io::Result<Next> {
        let searching = matches!(self.busy, Busy::Search(_));
        match command {
            Command::Quit => return Ok(Next::End),
            Command::Silent => {}
            Command::Ugi => self.greet(Dialect::Ugi)?,
            Command::Uci => self.greet(Dialect::Uci)?,
            Command::IsReady if searching => self.say("readyok")?,
            Command::IsReady => self.errand(Task::Prepare(self.options.settings.threads))?,
            Command::Stop => self.stop_search()?,
            Command::PonderHit => self.ponder_hit()?,
            _ if searching => self.error("a search is running: send stop first")?,
            Command::NewGame => self.set_position(None, &[])?,
            Command::SetOption { name, value } => self.set_option(&name, &value)?,
            Command::Position { fen, moves } => self.set_position(Some(fen), &moves)?,
            Command::Moves(moves) => self.play_on(&moves)?,
            Command::Go(words) => self.go(words, read)?,
            Command::Query(query) => self.query(query)?,
        }
        Ok(Next::On)
    }

    // ---- handshake and options ----

    fn greet(&mut self, dialect: Dialect) -> io::Result<()> {
        self.dialect = dialect;
        let searching = matches!(self.busy, Busy::Search(_));
        let standard =
            self.catalog.standard().filter(|_| dialect == Dialect::Uci && !self.chosen && !searching);
        if let Some(row) = standard {
            self.game = self.with_sections(row.name.to_owned());
            self.open(None)?;
        }
        self.say(concat!("id name grundy ", env!("CARGO_PKG_VERSION")))?;
        self.say("id author the grundy developers")?;
        for line in options::lines(&self.catalog, dialect, &self.game) {
            self.say(&line)?;
        }
        self.say(if dialect == Dialect::Ugi { "ugiok" } else { "uciok" })
    }

    fn set_option(&mut self, name: &str, value: &str) -> io::Result<()> {
        match options::set(&mut self.options, name, value) {
            Err(why) => self.error(&clean(&why)),
            Ok(Change::Unknown) => self.note(&clean(&format!("no option {name}: ignored"))),
            Ok(change @ (Change::Settings | Change::Seed)) => {
                if matches!(change, Change::Seed) {
                    self.lots = SplitMix64(self.options.settings.seed.unwrap_or(0));
                }
                if let Some(session) = &mut self.session {
                    session.configure(&self.options.settings);
                }
                Ok(())
            }
            Ok(Change::Section(section, on)) => {
                self.sections.retain(|&known| known != section);
                if on {
                    self.sections.push(section);
                }
                let plain: Vec<&str> = self.game.split(':').filter(|&part| part != section).collect();
                let game = self.with_sections(plain.join(":"));
                if game == self.game {
                    return Ok(());
                }
                let variant = self.variant;
                self.change_game(game, variant)
            }
            Ok(Change::Game(game)) => {
                self.chosen = true;
                let game = if game.is_empty() { self.catalog.usual().to_owned() } else { game };
                self.change_game(game, None)
            }
            Ok(Change::Variant(name)) => {
                self.chosen = true;
                let known = self.catalog.variant(&name);
                let standard = self.catalog.standard().filter(|_| name == "standard");
                let ours = known.map(|variant| variant.game).or(standard.map(|row| row.name));
                let game = ours.unwrap_or(&name).to_owned();
                let variant = known.filter(|_| self.dialect == Dialect::Uci);
                self.change_game(game, variant)
            }
        }
    }

    /// The name with the sections that options have switched on, where the game takes them.
    fn with_sections(&self, mut game: String) -> String {
        let takes = self.catalog.row(&game).map_or("", |row| row.parameters);
        for section in &self.sections {
            let taken = takes.split([' ', ',', '|']).any(|word| word == *section);
            if taken && game.split(':').all(|part| part != *section) {
                game = format!("{game}:{section}");
            }
        }
        game
    }

    fn change_game(&mut self, game: String, variant: Option<Variant>) -> io::Result<()> {
        let game = self.with_sections(game);
        let before = std::mem::replace(&mut self.game, game);
        if self.open(variant)? {
            return Ok(());
        }
        self.game = before;
        Ok(())
    }

    /// Opens `self.game`; where that fails, says why and leaves the session as it was.
    fn open(&mut self, variant: Option<Variant>) -> io::Result<bool> {
        match self.catalog.open(&self.game, &self.options.settings) {
            Ok(session) => {
                self.session = Some(session);
                self.variant = variant;
                self.refused = false;
                Ok(true)
            }
            Err(why) => {
                self.error(&clean(&why))?;
                Ok(false)
            }
        }
    }

    // ---- position ----

    /// Sets up a position (`Some(None)` and `None` are the start) and plays moves from it.
    fn set_position(&mut self, fen: Option<Option<String>>, moves: &[String]) -> io::Result<()> {
        let variant = self.variant;
        let Some(session) = &mut self.session else { return self.no_game() };
        let fen = fen.flatten().map(|fen| variant.map_or_else(|| fen.clone(), |v| v.position_in(&fen)));
        match session.setup(fen.as_deref()) {
            Ok(()) => {
                self.refused = false;
                self.play_on(moves)
            }
            Err(why) => {
                self.refused = true;
                self.error(&clean(&why.to_string()))
            }
        }
    }

    fn play_on(&mut self, moves: &[String]) -> io::Result<()> {
        let variant = self.variant;
        let Some(session) = &mut self.session else { return self.no_game() };
        if self.refused {
            return self.error("no position to play on from: the last one was refused");
        }
        for word in moves {
            let ours = variant.map_or_else(|| word.clone(), |v| v.move_in(word));
            if let Err(why) = session.play(&ours) {
                self.refused = true;
                return self.error(&clean(&why.to_string()));
            }
        }
        Ok(())
    }

    // ---- go ----

    fn go(&mut self, words: GoWords, read: Instant) -> io::Result<()> {
        let Some(session) = self.session.as_ref().filter(|_| !self.refused) else {
            return self.say("bestmove 0000");
        };
        if let Some(value) = session.over() {
            return match self.dialect {
                Dialect::Ugi => self.say("bestmove 0000"),
                Dialect::Uci => {
                    let score = if value.plies().is_some() { "mate" } else { "cp" };
                    self.say(&format!("info depth 0 score {score} 0"))?;
                    self.say("bestmove (none)")
                }
            };
        }
        let mover = session.turn();
        let position = session.position();
        let limits = clock::limits(&words, mover, read);
        let stop = Arc::new(AtomicBool::new(false));
        let variant = self.variant;
        let search_moves = words
            .search_moves
            .iter()
            .map(|word| variant.map_or_else(|| word.clone(), |v| v.move_in(word)))
            .collect();
        let mut search = Box::new(Search {
            stop: stop.clone(),
            held: words.infinite || words.ponder,
            words,
            read,
            mover,
            position,
            deadline: limits.hard,
            last: None,
            answer: None,
        });
        if self.options.weaken > 0 && self.lots.below(100) < self.options.weaken as usize {
            let legal = self.session.as_mut().map(|s| s.legal_moves(1000)).unwrap_or_default();
            let at = self.lots.below(legal.len());
            if let Some(word) = legal.get(at) {
                let unit = self.session.as_ref().map_or(Unit::Outcome, |s| s.unit());
                let pv = vec![word.clone()];
                let score = Score::Guess(1);
                let info = Info { depth: 1, seldepth: 1, nodes: 1, hashfull: 0, rank: 1, score, unit, pv };
                self.tell(&search, &info)?;
                search.last = Some(info);
                let held = search.held;
                search.answer = Some(Some(word.clone()));
                self.busy = Busy::Search(search);
                return if held { Ok(()) } else { self.finish() };
            }
        }
        let Some(session) = self.session.take() else { return self.no_game() };
        let go = Go { limits, search_moves, alone: false };
        self.busy = Busy::Search(search);
        self.latest.begin(&stop);
        let _ = self.jobs.send(Job { session, task: Task::Go(go), stop });
        Ok(())
    }

    fn stop_search(&mut self) -> io::Result<()> {
        let Busy::Search(search) = &mut self.busy else { return Ok(()) };
        search.stop.store(true, Ordering::Relaxed);
        search.held = false;
        if search.answer.is_some() { self.finish() } else { Ok(()) }
    }

    fn ponder_hit(&mut self) -> io::Result<()> {
        let Busy::Search(search) = &mut self.busy else { return Ok(()) };
        if !search.words.ponder || !search.held {
            return Ok(());
        }
        search.held = search.words.infinite;
        search.deadline = Some(Instant::now() + clock::after_ponderhit(&search.words, search.mover));
        if search.answer.is_some() && !search.held { self.finish() } else { Ok(()) }
    }

    /// Says the last line and `bestmove`.
    fn finish(&mut self) -> io::Result<()> {
        let Busy::Search(search) = std::mem::replace(&mut self.busy, Busy::Idle) else { return Ok(()) };
        if let Some(last) = &search.last
            && matches!(last.score, Score::AtLeast(_) | Score::AtMost(_))
        {
            self.tell(&search, &bound_free(last))?;
        }
        match search.answer.flatten() {
            Some(word) => {
                let word = self.variant.map_or_else(|| word.clone(), |v| v.move_out(&word, &search.position));
                self.say(&format!("bestmove {word}"))
            }
            None => self.say("bestmove 0000"),
        }
    }

    fn tell(&mut self, search: &Search, info: &Info) -> io::Result<()> {
        let line = match self.variant {
            None => info_line(info, self.dialect, search.read.elapsed()),
            Some(variant) => {
                let pv = variant.line_out(&info.pv, &search.position);
                info_line(&Info { pv, ..info.clone() }, self.dialect, search.read.elapsed())
            }
        };
        self.say(&line)
    }

    // ---- queries and errands ----

    fn query(&mut self, query: Query) -> io::Result<()> {
        let Some(session) = &mut self.session else { return self.say("response none") };
        let yes_or_no = |yes: bool| if yes { "true" } else { "false" };
        let over = session.over();
        let quick = match &query {
            Query::PlayerOneTurn => yes_or_no(session.turn() == Player::One).to_owned(),
            Query::PlayerTwoTurn => yes_or_no(session.turn() == Player::Two).to_owned(),
            Query::Result if self.refused => "none".to_owned(),
            Query::GameOver => yes_or_no(over.is_some()).to_owned(),
            Query::Result => match session.result() {
                Some(GameResult::Win(Player::One)) => "p1win",
                Some(GameResult::Win(Player::Two)) => "p2win",
                Some(GameResult::Draw) => "draw",
                None => "none",
            }
            .to_owned(),
            _ if self.refused => "none".to_owned(),
            Query::Unknown => "unknown".to_owned(),
            Query::Fen => {
                let fen = session.position();
                self.variant.map_or(fen.clone(), |v| v.position_out(&fen))
            }
            Query::IsLegal(word) => {
                let ours = self.variant.map_or_else(|| word.clone(), |v| v.move_in(word));
                yes_or_no(session.is_legal(&ours)).to_owned()
            }
            Query::LegalMoves | Query::BestMoves | Query::Values if over.is_some() => "none".to_owned(),
            Query::Value if over.is_some() => value_word(over, session.unit()),
            Query::LegalMoves | Query::BestMoves | Query::Values | Query::Value | Query::Grundy => {
                return self.errand(Task::Ask(query));
            }
        };
        self.say(&format!("response {quick}"))
    }

    fn errand(&mut self, task: Task) -> io::Result<()> {
        let Some(session) = self.session.take() else { return self.say("readyok") };
        let stop = Arc::new(AtomicBool::new(false));
        self.busy = Busy::Errand { stop: stop.clone() };
        let _ = self.jobs.send(Job { session, task, stop });
        Ok(())
    }

    fn take(&mut self, event: Event) -> io::Result<()> {
        match event {
            Event::Info(info) => {
                let Busy::Search(mut search) = std::mem::replace(&mut self.busy, Busy::Idle) else {
                    return Ok(());
                };
                let told = self.tell(&search, &info);
                search.last = Some(info);
                self.busy = Busy::Search(search);
                told
            }
            Event::Note(text) => self.note(&text),
            Event::Progress(progress) => {
                let of = if progress.total > 0 { format!(" of {}", progress.total) } else { String::new() };
                self.note(&format!("{}: {}{of}", progress.what, progress.done))
            }
            Event::Done(session, Answer::Best(word)) => {
                self.session = Some(session);
                let Busy::Search(search) = &mut self.busy else { return Ok(()) };
                search.answer = Some(word);
                if search.held { Ok(()) } else { self.finish() }
            }
            Event::Done(session, answer) => {
                let position = session.position();
                self.session = Some(session);
                self.busy = Busy::Idle;
                match answer {
                    Answer::Ready(None) => self.say("readyok"),
                    Answer::Ready(Some(why)) => {
                        self.note(&format!("no table: {why}"))?;
                        self.say("readyok")
                    }
                    Answer::Words(words) => self.say(&format!("response {words}")),
                    Answer::Moves(moves) => {
                        let words: Vec<String> = moves
                            .into_iter()
                            .map(|(word, behind)| {
                                self.variant.map_or(word.clone(), |v| v.move_out(&word, &position)) + &behind
                            })
                            .collect();
                        self.say(&format!("response {}", words.join(" ")))
                    }
                    Answer::Best(_) => Ok(()),
                }
            }
            Event::Failed(fault) => {
                log::error!("a fault of our own: {fault}");
                let searching = matches!(self.busy, Busy::Search(_));
                self.busy = Busy::Idle;
                let variant = self.variant;
                self.error("a fault of our own broke off the work; the game is set up anew")?;
                self.open(variant)?;
                self.refused = true;
                self.say(if searching { "bestmove 0000" } else { "response none" })
            }
        }
    }

    // ---- output ----

    fn no_game(&mut self) -> io::Result<()> {
        self.error("no game is set up")
    }

    fn error(&mut self, text: &str) -> io::Result<()> {
        self.say(&format!("info string error {text}"))
    }

    fn note(&mut self, text: &str) -> io::Result<()> {
        self.say(&format!("info string {text}"))
    }

    /// One line in one write, flushed.
    fn say(&mut self, line: &str) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(line.len() + 1);
        bytes.extend_from_slice(line.as_bytes());
        bytes.push(b'\n');
        self.out.write_all(&bytes)?;
        self.out.flush()
    }
}

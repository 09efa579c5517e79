//! A conversation with one engine in UGI, UCI, GTP or the protocols of Gomocup and XBoard: greeting, options,
//! one question at a time.

use std::time::{Duration, Instant};

use grundy_core::game::Player;
use grundy_core::text::excerpt;
use grundy_session::{Catalog, closest};

use crate::claim::{Claim, is_of_position, read_claim, read_score};
use crate::clock;
use crate::engine_option::EngineOption;
use crate::engine_spec::{Dialect, EngineSpec, Limits};
use crate::gtp::RESIGN;
use crate::notation::{self, Notation};
use crate::output::{complain, warn_once};
use crate::process::{ExitKind, Process, ReceiveError, ReceivedLine};
use crate::setup::Setup;
use crate::traffic::TrafficLog;
use crate::translator::Translator;
use crate::verdict::{EXCERPT, Fault};
use crate::xboard::DRAW;

/// The time to read a line.
const TELL: Duration = Duration::from_secs(10);
/// The time without an answer to `ugi` after which `uci` is tried too.
const SECOND_TRY: Duration = Duration::from_millis(500);
/// The time after a deadline in which an answer is still awaited, to tell by how much it is late.
const LATE: Duration = Duration::from_millis(120);
/// The time to answer a query for an engine that has answered `isready`.
const QUERY: Duration = Duration::from_secs(1);
/// The time to answer the `isready` behind a query, or the `stop` of pondering.
const HANG: Duration = Duration::from_secs(10);
/// The time between two looks at what an engine that ponders has said.
const TURN: Duration = Duration::from_millis(2);

/// The option of UCI for chess from shuffled starts, whose castling has other rules and another notation.
const CHESS960: &str = "UCI_Chess960";

/// A running engine.
pub struct Engine {
    catalog: Catalog,
    /// Its name in tables.
    pub name: String,
    /// Its description.
    pub spec: EngineSpec,
    /// The dialect it speaks.
    pub dialect: Dialect,
    /// Its options, from its `option` lines.
    options: Vec<EngineOption>,
    /// The values of its option `UCI_Variant`.
    variants: Vec<String>,
    pub(crate) notation: Notation,
    pub(crate) process: Process,
    answers_queries: bool,
    /// The translator for an engine of another protocol than ours.
    translator: Option<Translator>,
    /// The first line since its last answer that ends the game, to be judged with the next question.
    early: Option<ReceivedLine>,
    /// The position that it ponders on.
    pondering: Option<Setup>,
    overheard: Overheard,
}

/// The output of an engine since it began to ponder.
#[derive(Default)]
struct Overheard {
    /// The last line about its position.
    info: Option<String>,
    /// Its last score that is no bound.
    score: Option<i64>,
    /// The reason why it is read no more.
    fault: Option<Fault>,
}

/// The clocks of both players.
#[derive(Clone, Copy, Debug)]
pub struct Clocks {
    /// The player to move.
    pub side: Player,
    /// The time left to player one and two; `None` without a clock.
    pub left: [Option<Duration>; 2],
    /// The increment per move.
    pub increment: [Duration; 2],
    /// Moves until more time is given; 0 if never.
    pub moves_to_go: u32,
}

impl Clocks {
    /// Returns the clocks of a game's first move, as the limits of a player have them, with `side` to move.
    pub fn full(limits: &Limits, side: Player) -> Clocks {
        let clock = limits.clock;
        Clocks {
            side,
            left: [clock.map(|control| control.time); 2],
            increment: [clock.map_or(Duration::ZERO, |control| control.increment); 2],
            moves_to_go: clock.map_or(0, |control| control.moves),
        }
    }
}

/// A move and how it was found.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The word after `bestmove`.
    pub word: String,
    /// The time from writing `go` to reading the answer.
    pub took: Duration,
    /// The engine's claim about the position.
    pub claim: Option<Claim>,
    /// Its last score of the position that is no bound, in centipawns for the player to move.
    pub score: Option<i64>,
    /// The reply that it expects: the word after `ponder`.
    pub expected: Option<String>,
}

impl Engine {
    /// Starts an engine, greets it and sets its options and the game.
    ///
    /// # Errors
    /// The engine misbehaved.
    pub fn start(
        catalog: &Catalog,
        spec: &EngineSpec,
        game: &str,
        log: &TrafficLog,
    ) -> Result<Engine, Fault> {
        let mut player = Engine::launch(catalog, spec, log).map_err(Fault::NoStart)?;
        if player.dialect.is_foreign() {
            player.choose(game)?;
            for (name, value) in player.spec.options.clone() {
                if let Some(line) =
                    player.translator.as_ref().map(|translator| translator.option(&name, &value))
                {
                    player.tell(&line)?;
                }
            }
            return Ok(player);
        }
        player.greet()?;
        player.check_game(game)?;
        for line in player.settings_for(game) {
            player.tell(&line)?;
        }
        log::debug!("{} is ready: {:?}, game {game}", player.name, player.dialect);
        Ok(player)
    }

    /// Starts an engine as [`Engine::start`], and begins a game.
    ///
    /// # Errors
    /// The engine misbehaved.
    pub fn begin(
        catalog: &Catalog,
        spec: &EngineSpec,
        game: &str,
        log: &TrafficLog,
    ) -> Result<Engine, Fault> {
        let mut player = Engine::start(catalog, spec, game, log)?;
        player.new_game()?;
        Ok(player)
    }

    /// Starts an engine's process, and with the first one the watch for stops of the referee; nothing is said yet.
    ///
    /// # Errors
    /// The process cannot be started; one line.
    pub fn launch(catalog: &Catalog, spec: &EngineSpec, log: &TrafficLog) -> Result<Engine, String> {
        clock::watch(complain);
        let name = spec.name.clone().unwrap_or_else(|| "engine".to_owned());
        Ok(Engine {
            catalog: *catalog,
            spec: spec.clone(),
            dialect: spec.dialect.unwrap_or(Dialect::Ugi),
            options: Vec::new(),
            variants: Vec::new(),
            notation: Notation::default(),
            process: Process::start(&spec.launch, log.of(&name))?,
            name,
            answers_queries: true,
            translator: None,
            early: None,
            pondering: None,
            overheard: Overheard::default(),
        })
    }

    /// Greets an engine of another protocol than ours, which empties its board.
    fn greet_foreign(&mut self) -> Result<(), Fault> {
        let Some(translator) = &mut self.translator else { return Ok(()) };
        let greeting = translator.greeting();
        self.tell(&greeting)?;
        let mut since = clock::now();
        let startup = self.spec.limits.startup();
        let deadline = since + startup;
        loop {
            let Some(translator) = &mut self.translator else { return Ok(()) };
            // An engine that goes on is heard after the deadline, too, and then refused.
            let settles = translator.patience().map(|patience| since + patience.min(startup));
            let greeted = match self.process.line(settles.unwrap_or(deadline)) {
                Ok(heard) if heard.at > deadline => {
                    return Err(fault_of(ReceiveError::Deadline, "its greeting does not end"));
                }
                Ok(heard) => translator.greeted(&heard.text),
                Err(ReceiveError::Deadline) if settles.is_some() => translator.settle().map(|()| true),
                Err(ReceiveError::Gone(how)) => {
                    return Err(Fault::Disconnects(self.with_last_words(how)));
                }
                Err(silence) => {
                    let lines = greeting.replace('\n', " and ");
                    let missing = translator.missing().map(str::to_owned);
                    let why = missing.unwrap_or_else(|| format!("it does not answer {lines}"));
                    return Err(fault_of(silence, &why));
                }
            };
            let replies = translator.take_replies();
            let complete = greeted.map_err(|why| Fault::CannotPlay(excerpt(&why, EXCERPT)))?;
            if !replies.is_empty() {
                self.tell(&replies.join("\n"))?;
                since = clock::now();
            }
            self.show_notes();
            if complete {
                return Ok(());
            }
        }
    }

    /// Tells the user the remarks on an engine of another protocol.
    fn show_notes(&mut self) {
        for note in self.translator.as_mut().map_or_else(Vec::new, Translator::take_notes) {
            warn_once(&format!("engine {}: {note}", self.name));
        }
    }

    fn greet(&mut self) -> Result<(), Fault> {
        let deadline = clock::now() + self.spec.limits.startup();
        self.tell(self.dialect.word())?;
        let mut second_try = self.spec.dialect.is_none().then(|| clock::now() + SECOND_TRY);
        loop {
            let heard = match self.process.line(second_try.map_or(deadline, |at| at.min(deadline))) {
                Ok(heard) => heard,
                Err(ReceiveError::Deadline) if second_try.is_some_and(|at| at < deadline) => {
                    second_try = None;
                    self.tell(Dialect::Uci.word())?;
                    continue;
                }
                Err(ReceiveError::Gone(how)) => {
                    return Err(Fault::NoStart(self.with_last_words(how)));
                }
                Err(silence) => {
                    let expected =
                        "it does not say ugiok or uciok; proto=gomocup, gtp or xboard names another protocol";
                    return Err(fault_of(silence, expected));
                }
            };
            let mut words = heard.text.split_ascii_whitespace();
            match (words.next(), words.next()) {
                (Some("ugiok"), None) => self.dialect = Dialect::Ugi,
                (Some("uciok"), None) => self.dialect = Dialect::Uci,
                _ => {
                    self.learn_option(&heard.text);
                    continue;
                }
            }
            return Ok(());
        }
    }

    /// Returns how an engine ended that has not greeted, with the last line that it wrote to stderr.
    fn with_last_words(&self, how: String) -> String {
        let said = self.process.last_words().filter(|_| !how.starts_with("cannot start"));
        match said {
            Some(said) => format!("{how}; it says {}", excerpt(&said, EXCERPT)),
            None => how,
        }
    }

    /// Notes the option that a line of the greeting names, if it names one.
    pub fn learn_option(&mut self, line: &str) {
        if let Some(option) = EngineOption::read(line) {
            self.variants.extend(notation::variants_in(line));
            self.options.push(option);
        }
    }

    /// Returns the lines that set the engine's own options and the game.
    pub fn settings_for(&mut self, game: &str) -> Vec<String> {
        let own = self.spec.options.iter();
        let own = own.map(|(option, value)| format!("setoption name {option} value {value}"));
        let mut lines: Vec<String> = own.collect();
        if self.spec.ponder && self.has_option("Ponder") && self.spec.given("Ponder").is_none() {
            lines.push("setoption name Ponder value true".to_owned());
        }
        lines.extend(self.choice(game));
        lines
    }

    /// Chooses the game of an engine that knows more than one: by its option `Game`, else by a `UCI_Variant` of its own,
    /// whose notation is used from then on, and `UCI_Chess960`. Returns the lines that tell the engine, if it must be
    /// told. An engine that was given one of these options by its user keeps it.
    fn choice(&mut self, game: &str) -> Vec<String> {
        if self.spec.given("Game").is_some() {
            return Vec::new();
        }
        let has_game = self.has_option("Game");
        let mut lines = Vec::new();
        if let Some(variant) = self.spec.given("UCI_Variant") {
            self.notation = Notation::of(&self.catalog, game, Some(variant));
        } else {
            let (told, notation) = notation::choose(&self.catalog, game, has_game, &self.variants);
            self.notation = notation;
            lines.extend(told);
        }
        let castles = !has_game && self.has_option(CHESS960) && self.spec.given(CHESS960).is_none();
        if castles && self.catalog.is_standard(game) {
            let on = notation::is_chess960(&self.catalog, game);
            lines.push(format!("setoption name {CHESS960} value {on}"));
        }
        lines
    }

    /// Checks that the engine can be told to play a game, by its protocol and the options that it has. An engine of UCI
    /// without an option for games plays chess, and Chess960 only with an option for that.
    ///
    /// # Errors
    /// It cannot.
    pub fn check_game(&self, game: &str) -> Result<(), Fault> {
        if self.dialect.is_foreign() {
            return Translator::of(&self.catalog, self.dialect, game).map(drop).map_err(Fault::CannotPlay);
        }
        let chosen = |name: &str| self.spec.given(name).is_some();
        if self.dialect == Dialect::Ugi || self.has_option("Game") || chosen("Game") {
            return Ok(());
        }
        let needs_960 = notation::is_chess960(&self.catalog, game);
        if needs_960 && !self.has_option(CHESS960) && !chosen(CHESS960) {
            return Err(Fault::CannotPlay(format!("{game} needs the option {CHESS960}, which it lacks")));
        }
        let game = &notation::without_repetition(game);
        let variant = notation::variant_of(&self.catalog, game, &self.variants);
        if self.catalog.is_standard(game) || variant.is_some() || chosen("UCI_Variant") {
            return Ok(());
        }
        let plays = match self.variants.is_empty() {
            true => "it has no option Game or UCI_Variant and plays only chess".to_owned(),
            false => format!("it has no option Game, and as UCI_Variant {}", self.variants.join(", ")),
        };
        Err(Fault::CannotPlay(excerpt(&plays, EXCERPT)))
    }

    /// Checks that the engine can be told a position to start from, in its game.
    ///
    /// # Errors
    /// It cannot.
    pub fn check_start(&self, start: &str) -> Result<(), Fault> {
        let checked = self.translator.as_ref().map_or(Ok(()), |translator| translator.check_start(start));
        checked.map_err(|why| Fault::CannotPlay(excerpt(&why, EXCERPT)))
    }

    /// Changes the game.
    ///
    /// # Errors
    /// The engine has gone, or does not read.
    pub fn choose(&mut self, game: &str) -> Result<(), Fault> {
        self.translator = Translator::of(&self.catalog, self.dialect, game).map_err(Fault::CannotPlay)?;
        if self.translator.is_some() {
            return self.greet_foreign();
        }
        self.check_game(game)?;
        self.choice(game).iter().try_for_each(|line| self.tell(line))
    }

    /// Reports whether the engine has this option; case does not matter.
    pub fn has_option(&self, name: &str) -> bool {
        self.options.iter().any(|option| option.is_called(name))
    }

    /// Checks that the engine has the options that its user sets, and takes their values.
    ///
    /// # Errors
    /// It lacks one, and the line names the closest; or one line that says which value was expected.
    pub fn check_options(&self) -> Result<(), String> {
        if self.dialect.is_foreign() {
            return Ok(());
        }
        let Some((wanted, _)) = self.spec.options.iter().find(|(name, _)| !self.has_option(name)) else {
            return self.spec.options.iter().try_for_each(|(name, value)| {
                let announced = self.options.iter().find(|option| option.is_called(name));
                let why = announced.map_or(Ok(()), |option| option.check(value));
                why.map_err(|why| format!("engine {}: option {name}={value}: {why}", self.name))
            });
        };
        let names: Vec<&str> = self.options.iter().map(|option| option.name.as_str()).collect();
        let lower: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
        let close = closest(wanted, lower.iter().map(String::as_str));
        let close = close.and_then(|close| lower.iter().position(|option| option == close));
        let hint = match (close, &names[..]) {
            (Some(at), names) => format!("did you mean {}?", names[at]),
            (None, []) => "it has no options".to_owned(),
            (None, names) => format!("it has {}", names.join(", ")),
        };
        Err(format!("engine {} has no option {wanted}: {hint}", self.name))
    }

    /// Seeds the engine's random generator by its option `Seed`, unless its user has set it.
    ///
    /// # Errors
    /// The engine has gone, or does not read.
    pub fn set_seed(&mut self, seed: u64) -> Result<(), Fault> {
        match self.has_option("Seed") && self.spec.given("Seed").is_none() {
            true => self.tell(&format!("setoption name Seed value {seed}")),
            false => Ok(()),
        }
    }

    /// Begins a new game and waits until the engine is ready for it.
    ///
    /// # Errors
    /// The engine misbehaved.
    pub fn new_game(&mut self) -> Result<(), Fault> {
        if let Some(translator) = &mut self.translator {
            match translator.clear() {
                true => self.greet_foreign()?,
                false => self.read_unsolicited()?,
            }
            // It was about the game before.
            self.early = None;
            return Ok(());
        }
        self.tell(&format!("{}newgame", self.dialect.word()))?;
        self.ready()
    }

    /// Waits until the engine has processed its input.
    ///
    /// # Errors
    /// The engine misbehaved.
    pub fn ready(&mut self) -> Result<(), Fault> {
        if self.dialect.is_foreign() {
            return Ok(());
        }
        self.tell("isready")?;
        let deadline = clock::now() + self.spec.limits.stall();
        loop {
            match self.process.line(deadline) {
                Ok(heard) if heard.text == "readyok" => return Ok(()),
                Ok(heard) => refuse_bestmove(&heard)?,
                Err(silence) => return Err(fault_of(silence, "it does not say readyok")),
            }
        }
    }

    /// Asks for a move in a position.
    ///
    /// # Errors
    /// The engine misbehaved, or was late.
    pub fn think(&mut self, setup: &Setup, clocks: &Clocks) -> Result<Answer, Fault> {
        self.think_of(setup, clocks, "", None)
    }

    /// Asks as [`Engine::think`], and meanwhile reads what the opponent says if he ponders.
    ///
    /// # Errors
    /// As [`Engine::think`].
    pub fn think_beside(
        &mut self,
        setup: &Setup,
        clocks: &Clocks,
        opponent: &mut Engine,
    ) -> Result<Answer, Fault> {
        self.think_of(setup, clocks, "", Some(opponent))
    }

    /// Asks as [`Engine::think`], about the move `word` only.
    ///
    /// # Errors
    /// As [`Engine::think`].
    pub fn think_of_move(&mut self, setup: &Setup, clocks: &Clocks, word: &str) -> Result<Answer, Fault> {
        self.think_of(setup, clocks, &format!(" searchmoves {word}"), None)
    }

    fn think_of(
        &mut self,
        setup: &Setup,
        clocks: &Clocks,
        more: &str,
        opponent: Option<&mut Engine>,
    ) -> Result<Answer, Fault> {
        let mut opponent = opponent.filter(|opponent| opponent.pondering.is_some());
        let is_expected = self.pondering.as_ref() == Some(setup);
        if is_expected {
            self.pondering = None;
        } else {
            self.stop_pondering()?;
            self.read_unsolicited()?;
        }
        let Overheard { info: mut last_info, mut score, fault } = std::mem::take(&mut self.overheard);
        fault.map_or(Ok(()), Err)?;
        let [left, theirs] = [clocks.side, !clocks.side].map(|side| clocks.left[side.index()]);
        let question = match &mut self.translator {
            None if is_expected => "ponderhit".to_owned(),
            None => format!("{}\n{}{more}", self.notation.position(setup), self.go_line(clocks)),
            Some(translator) => {
                let question =
                    translator.question(setup, &self.spec.limits, [left, theirs], clocks.moves_to_go);
                question.map_err(|why| Fault::CannotPlay(excerpt(&why, EXCERPT)))?
            }
        };
        let limits = &self.spec.limits;
        let timed = left.is_some() || limits.movetime.is_some();
        let limit = limits.longest(left) + limits.margin();
        let asked = clock::now();
        let deadline = asked + limit + LATE;
        // Whoever has a limit of time has overstepped it, whether an answer comes later or never.
        let overdue = |at: Instant, came: bool| match (timed, came) {
            (true, _) => {
                let over = at.saturating_duration_since(asked + limit).as_micros();
                Fault::OnTime(u64::try_from(over).unwrap_or(u64::MAX))
            }
            (false, true) => {
                let took = at.saturating_duration_since(asked).as_millis();
                Fault::Stalls(format!("its move came after {took} ms, later than stall="))
            }
            (false, false) => Fault::Stalls("no move came".to_owned()),
        };
        if let Err(silence) = self.process.send(&question, deadline) {
            return Err(fault_of(silence, "it does not read its input"));
        }
        loop {
            let early = self.early.take();
            let heard = match early.map_or_else(|| self.line(deadline, &mut opponent), Ok) {
                Ok(heard) => heard,
                Err(ReceiveError::Deadline) => return Err(overdue(clock::now(), false)),
                Err(silence) => return Err(fault_of(silence, "")),
            };
            let Some(answer) = self.answer_in(&heard.text).transpose()? else {
                if is_of_position(&heard.text) {
                    score = read_score(&heard.text).or(score);
                    last_info = Some(heard.text);
                } else if let Some(translator) = &self.translator {
                    score = translator.score_in(&heard.text).or(score);
                }
                if heard.at > deadline {
                    return Err(overdue(heard.at, false));
                }
                continue;
            };
            let took = heard.at.saturating_duration_since(asked);
            if took > limit {
                return Err(overdue(heard.at, true));
            }
            let claim = last_info.as_deref().and_then(|info| read_claim(info, self.dialect));
            let mut words = answer.split_ascii_whitespace();
            return match words.next() {
                Some(RESIGN) if self.translator.is_some() => Err(Fault::Resigns),
                Some(DRAW) if self.translator.is_some() => Err(Fault::ClaimsDraw),
                Some(word) if answer.starts_with(|c: char| c.is_ascii_whitespace()) => {
                    if let Some(translator) = &mut self.translator {
                        translator.answered(word);
                    }
                    let expected = words.next().filter(|word| *word == "ponder").and_then(|_| words.next());
                    let expected = expected.map(|word| self.notation.move_in(word));
                    Ok(Answer { word: self.notation.move_in(word), took, claim, score, expected })
                }
                _ => Err(Fault::NoMove(heard.text.chars().take(EXCERPT).collect())),
            };
        }
    }

    /// Reports whether the engine ponders if it expects a reply.
    pub fn ponders(&self) -> bool {
        self.spec.ponder && self.translator.is_none()
    }

    /// Lets the engine think on in a position that it expects, until it is asked again.
    pub fn ponder(&mut self, setup: Setup, clocks: &Clocks) {
        let go = self.go_line(clocks).replacen("go", "go ponder", 1);
        self.overheard = Overheard::default();
        // An engine that does not read is charged with that when it is asked.
        if self.tell(&format!("{}\n{go}", self.notation.position(&setup))).is_ok() {
            self.pondering = Some(setup);
        }
    }

    /// Waits for a line until `deadline`, and meanwhile reads what an `opponent` says who ponders.
    fn line(
        &mut self,
        deadline: Instant,
        opponent: &mut Option<&mut Engine>,
    ) -> Result<ReceivedLine, ReceiveError> {
        let Some(opponent) = opponent else { return self.process.line(deadline) };
        loop {
            opponent.overhear();
            match self.process.line(deadline.min(clock::now() + TURN)) {
                Err(ReceiveError::Deadline) if clock::now() < deadline => {}
                heard => return heard,
            }
        }
    }

    /// Takes in what it has said while it ponders, so that it can go on. Its move and its fault count when it is asked.
    fn overhear(&mut self) {
        while self.early.is_none()
            && self.overheard.fault.is_none()
            && let Some(heard) = self.process.waiting_line()
        {
            match heard {
                Ok(heard) if heard.text.starts_with("bestmove") => self.early = Some(heard),
                Ok(heard) if is_of_position(&heard.text) => {
                    self.overheard.score = read_score(&heard.text).or(self.overheard.score);
                    self.overheard.info = Some(heard.text);
                }
                Ok(_) => {}
                Err(flood) => self.overheard.fault = Some(fault_of(flood, "")),
            }
        }
    }

    /// Stops an engine that ponders. The move that it answers counts for nothing.
    ///
    /// # Errors
    /// The engine has gone, hangs or floods.
    pub fn stop_pondering(&mut self) -> Result<(), Fault> {
        if self.pondering.take().is_none() {
            return Ok(());
        }
        std::mem::take(&mut self.overheard).fault.map_or(Ok(()), Err)?;
        self.tell("stop")?;
        let deadline = clock::now() + HANG.min(self.spec.limits.stall());
        loop {
            match self.early.take().map_or_else(|| self.process.line(deadline), Ok) {
                Ok(heard) if heard.text.split_ascii_whitespace().next() == Some("bestmove") => return Ok(()),
                Ok(_) => {}
                Err(silence) => return Err(fault_of(silence, "it does not answer stop")),
            }
        }
    }

    /// Returns the rest of a line that answers a question, behind `bestmove`; `None` if the line does not.
    fn answer_in(&mut self, line: &str) -> Option<Result<String, Fault>> {
        let Some(translator) = &mut self.translator else {
            return line.strip_prefix("bestmove").map(|rest| Ok(rest.to_owned()));
        };
        let answer = translator.answer_in(line);
        self.show_notes();
        answer.map(|answer| answer.map_err(Fault::BrokenProtocol))
    }

    fn go_line(&self, clocks: &Clocks) -> String {
        let limits = &self.spec.limits;
        let mut line = "go".to_string();
        let names = match self.dialect {
            Dialect::Ugi | Dialect::Gomocup | Dialect::Gtp | Dialect::XBoard => {
                ["p1time", "p1inc", "p2time", "p2inc"]
            }
            Dialect::Uci => ["wtime", "winc", "btime", "binc"],
        };
        if limits.clock.is_some() {
            for (i, left) in clocks.left.iter().enumerate() {
                if let Some(left) = left {
                    let increment = clocks.increment[i].as_millis();
                    line +=
                        &format!(" {} {} {} {increment}", names[2 * i], left.as_millis(), names[2 * i + 1]);
                }
            }
            if clocks.moves_to_go > 0 {
                line += &format!(" movestogo {}", clocks.moves_to_go);
            }
        }
        if let Some(movetime) = limits.movetime {
            line += &format!(" movetime {movetime}");
        }
        if let Some(nodes) = limits.nodes {
            line += &format!(" nodes {nodes}");
        }
        if let Some(depth) = limits.depth {
            line += &format!(" depth {depth}");
        }
        line
    }

    /// Reads what was said without a question.
    ///
    /// # Errors
    /// A move without a question, or a flood.
    pub fn read_unsolicited(&mut self) -> Result<(), Fault> {
        for _ in 0..crate::process::LINES_LIMIT {
            match self.process.waiting_line() {
                Some(Ok(heard))
                    if self
                        .translator
                        .as_ref()
                        .is_some_and(|translator| translator.is_unsolicited(&heard.text)) =>
                {
                    let word = heard.text.strip_prefix("move ").unwrap_or(&heard.text);
                    return Err(Fault::BrokenProtocol(format!("the move {word} without a question")));
                }
                Some(Ok(heard))
                    if self
                        .translator
                        .as_ref()
                        .is_some_and(|translator| translator.is_claim(&heard.text)) =>
                {
                    self.early.get_or_insert(heard);
                }
                Some(Ok(heard)) => refuse_bestmove(&heard)?,
                Some(Err(silence)) => return Err(fault_of(silence, "")),
                None => return Ok(()),
            }
        }
        Err(Fault::Floods("lines that nobody asked for".to_string()))
    }

    /// Asks a query of UGI about a position; `None` if the engine does not answer queries, and is asked no more.
    ///
    /// # Errors
    /// The engine has gone, hangs or floods.
    pub fn query(&mut self, setup: &Setup, what: &str) -> Result<Option<String>, Fault> {
        if !self.answers_queries || self.dialect != Dialect::Ugi {
            return Ok(None);
        }
        self.read_unsolicited()?;
        self.ask(&format!("{}\nquery {what}", self.notation.position(setup)))
    }

    /// Sends lines, the last of them a query, and waits for the `response`. An engine that answers only the `isready`
    /// behind them knows no queries.
    ///
    /// # Errors
    /// The engine has gone, hangs or floods.
    pub fn ask(&mut self, lines: &str) -> Result<Option<String>, Fault> {
        let asked = clock::now();
        let last = asked + HANG.min(self.spec.limits.stall());
        self.process
            .send(&format!("{lines}\nisready"), last)
            .map_err(|silence| fault_of(silence, "it does not read its input"))?;
        let (mut answer, mut listens) = (None, false);
        loop {
            let deadline = if listens { last.min(asked + QUERY) } else { last };
            match self.process.line(deadline) {
                Ok(heard) if heard.text == "readyok" => listens = true,
                Ok(heard) => match heard.text.strip_prefix("response") {
                    Some(rest) if answer.is_none() => answer = Some(rest.trim_ascii().to_string()),
                    _ => refuse_bestmove(&heard)?,
                },
                Err(ReceiveError::Deadline) if listens => {
                    self.answers_queries = false;
                    return Ok(None);
                }
                Err(silence) => return Err(fault_of(silence, "it does not answer a query")),
            }
            if listens && answer.is_some() {
                return Ok(answer);
            }
        }
    }

    /// Sends one line that has no answer.
    ///
    /// # Errors
    /// The engine does not read its input.
    pub fn tell(&mut self, line: &str) -> Result<(), Fault> {
        let deadline = clock::now() + TELL.min(self.spec.limits.stall());
        self.process.send(line, deadline).map_err(|silence| fault_of(silence, "it does not read its input"))
    }

    /// Reports whether the process is to play one game only: by its user's setting, or as it says itself.
    pub fn plays_once(&self) -> bool {
        self.spec.restart || self.translator.as_ref().is_some_and(|translator| !translator.may_play_again())
    }

    /// Returns the last lines of its stderr.
    pub fn stderr_tail(&self) -> Vec<String> {
        self.process.stderr_tail()
    }

    /// Ends it by `quit` or `END`, or kills it.
    pub fn quit(&mut self) -> ExitKind {
        if let Some(end) = self.translator.as_ref().map(Translator::end) {
            let _ = self.tell(end);
            return self.process.end_input();
        }
        self.process.quit()
    }

    /// Kills it with all it started.
    pub fn kill(&mut self) {
        self.process.kill();
    }
}

fn refuse_bestmove(heard: &ReceivedLine) -> Result<(), Fault> {
    match heard.text.split_ascii_whitespace().next() {
        Some("bestmove") => {
            Err(Fault::BrokenProtocol(format!("\"{}\" without go", excerpt(&heard.text, EXCERPT))))
        }
        _ => Ok(()),
    }
}

fn fault_of(silence: ReceiveError, what: &str) -> Fault {
    match silence {
        ReceiveError::Deadline => Fault::Stalls(what.to_string()),
        ReceiveError::Gone(how) => Fault::Disconnects(how),
        ReceiveError::Flood(how) => Fault::Floods(how),
    }
}

//! A conversation with one engine in UGI or UCI: greeting, options, one question at a time.

use std::time::Duration;

use grundy_core::game::Player;
use grundy_core::text::excerpt;
use grundy_core::value::{Value, Wdl};

use crate::clock;
use crate::process::{Farewell, Heard, Process, Silence};
use crate::spec::{Dialect, EngineSpec};
use crate::speech::{self, Speech};
use crate::traffic::TrafficLog;
use crate::verdict::{EXCERPT, Fault};
use grundy_session::Catalog;

/// How long an engine may take to read a line.
const TELL: Duration = Duration::from_secs(10);
/// How long it may be silent after `ugi` before `uci` is tried as well.
const SECOND_TRY: Duration = Duration::from_millis(500);
/// How long after its deadline an answer is still waited for, to tell a late engine from a stalled one.
const LATE: Duration = Duration::from_millis(120);
/// How long it may take to answer a query where it shows that it listens.
const QUERY: Duration = Duration::from_secs(1);
/// How long it may be silent after a query; an `isready` behind the query shows whether it still listens.
const HANG: Duration = Duration::from_secs(10);

/// A running engine that has said who it is.
pub struct Engine {
    catalog: Catalog,
    /// Its name in tables.
    pub name: String,
    /// How it was described.
    pub spec: EngineSpec,
    /// What it speaks.
    pub dialect: Dialect,
    /// The options it has, as `option` lines named them.
    pub options: Vec<String>,
    /// What its option `UCI_Variant` may be set to.
    variants: Vec<String>,
    speech: Speech,
    process: Process,
    answers_queries: bool,
}

/// What is left on both clocks.
#[derive(Clone, Copy, Debug)]
pub struct Clocks {
    /// Whose turn it is.
    pub side: Player,
    /// What is left for player one and two, where they play by a clock.
    pub left: [Option<Duration>; 2],
    /// What a move adds.
    pub increment: [Duration; 2],
    /// Moves until more time is given; 0 for never.
    pub moves_to_go: u32,
}

/// A move and how it was found.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The word after `bestmove`.
    pub word: String,
    /// From the writing of `go` to the reading of the answer.
    pub took: Duration,
    /// What the engine claims the position to be worth, where it does.
    pub claim: Option<Claim>,
}

/// What an engine says a position is worth for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// `value`: exactly this.
    Exact(Value),
    /// `score mate`: won or lost at the latest after so many plies.
    Within(Wdl, u32),
}

impl Engine {
    /// Starts an engine, greets it and sets its options and the game.
    ///
    /// # Errors
    /// What it did instead of answering, and its last words on stderr.
    pub fn start(
        catalog: &Catalog,
        spec: &EngineSpec,
        game: Option<&str>,
        name: &str,
        log: &TrafficLog,
    ) -> Result<Engine, Fault> {
        let process = Process::start(&spec.launch, log.of(name)).map_err(Fault::NoStart)?;
        let mut player = Engine {
            catalog: *catalog,
            name: name.to_string(),
            spec: spec.clone(),
            dialect: spec.dialect.unwrap_or(Dialect::Ugi),
            options: Vec::new(),
            variants: Vec::new(),
            speech: Speech::default(),
            process,
            answers_queries: true,
        };
        player.greet()?;
        for (option, value) in &spec.options {
            player.tell(&format!("setoption name {option} value {value}"))?;
        }
        if let Some(game) = game {
            player.choose(game)?;
        }
        log::debug!("{name} is ready: {:?}, game {}", player.dialect, game.unwrap_or("its own"));
        Ok(player)
    }

    fn greet(&mut self) -> Result<(), Fault> {
        let deadline = clock::now() + self.spec.limits.startup();
        let mut second_try = match self.spec.dialect {
            None => {
                self.tell("ugi")?;
                Some(clock::now() + SECOND_TRY)
            }
            Some(Dialect::Ugi) => {
                self.tell("ugi")?;
                None
            }
            Some(Dialect::Uci) => {
                self.tell("uci")?;
                None
            }
        };
        loop {
            let heard = match self.process.line(second_try.map_or(deadline, |at| at.min(deadline))) {
                Ok(heard) => heard,
                Err(Silence::Deadline) if second_try.is_some_and(|at| at < deadline) => {
                    second_try = None;
                    self.tell("uci")?;
                    continue;
                }
                Err(Silence::Gone(how)) => return Err(Fault::NoStart(how)),
                Err(silence) => return Err(fault_of(silence, "it does not say ugiok or uciok")),
            };
            let mut words = heard.text.split_ascii_whitespace();
            match (words.next(), words.next()) {
                (Some("ugiok"), None) => self.dialect = Dialect::Ugi,
                (Some("uciok"), None) => self.dialect = Dialect::Uci,
                (Some("option"), Some("name")) => {
                    let name: Vec<&str> = words.take_while(|&word| word != "type").collect();
                    self.variants.extend(speech::variants_in(&heard.text));
                    self.options.push(name.join(" "));
                    continue;
                }
                _ => continue,
            }
            return Ok(());
        }
    }

    /// Sets the game, where the engine knows more than one: by its option `Game`, else by a `UCI_Variant` of its own,
    /// whose spelling is spoken from then on. An engine that was given one of its own (`option.Game=..`: the same
    /// game by another method, say, or `option.UCI_Variant=..`) keeps it.
    ///
    /// # Errors
    /// The engine has gone, or does not read.
    pub fn choose(&mut self, game: &str) -> Result<(), Fault> {
        let given =
            |name: &str| self.spec.options.iter().find(|(option, _)| option.eq_ignore_ascii_case(name));
        if given("Game").is_some() {
            return Ok(());
        }
        if let Some((_, variant)) = given("UCI_Variant") {
            self.speech = Speech::of(&self.catalog, game, Some(variant));
            return Ok(());
        }
        let (told, speech) = speech::choose(&self.catalog, game, self.has_option("Game"), &self.variants);
        self.speech = speech;
        told.map_or(Ok(()), |line| self.tell(&line))
    }

    /// Whether it has an option of this name, letter case aside.
    pub fn has_option(&self, name: &str) -> bool {
        self.options.iter().any(|option| option.eq_ignore_ascii_case(name))
    }

    /// Says what to draw lots from, to an engine that has an option `Seed` and was given none of its own.
    ///
    /// # Errors
    /// The engine has gone, or does not read.
    pub fn draw_lots_from(&mut self, seed: u64) -> Result<(), Fault> {
        let given = self.spec.options.iter().any(|(option, _)| option.eq_ignore_ascii_case("Seed"));
        match self.has_option("Seed") && !given {
            true => self.tell(&format!("setoption name Seed value {seed}")),
            false => Ok(()),
        }
    }

    /// Begins a new game and waits until the engine is ready for it.
    ///
    /// # Errors
    /// What it did instead of answering.
    pub fn new_game(&mut self) -> Result<(), Fault> {
        self.tell(match self.dialect {
            Dialect::Ugi => "uginewgame",
            Dialect::Uci => "ucinewgame",
        })?;
        self.ready()
    }

    /// Waits until the engine has done what it was told.
    ///
    /// # Errors
    /// What it did instead of answering.
    pub fn ready(&mut self) -> Result<(), Fault> {
        self.tell("isready")?;
        let deadline = clock::now() + self.spec.limits.stall();
        loop {
            match self.process.line(deadline) {
                Ok(heard) if heard.text == "readyok" => return Ok(()),
                Ok(heard) => refuse_stray(&heard)?,
                Err(silence) => return Err(fault_of(silence, "it does not say readyok")),
            }
        }
    }

    /// Asks for a move in the position that `position` sets up (`position startpos moves ..`).
    ///
    /// # Errors
    /// What it did instead of answering in time.
    pub fn think(&mut self, position: &str, clocks: &Clocks) -> Result<Answer, Fault> {
        self.think_of(position, clocks, "")
    }

    /// As [`Engine::think`], of this move only, which is written as in `protocol.md`.
    ///
    /// # Errors
    /// As [`Engine::think`].
    pub fn think_of_move(&mut self, position: &str, clocks: &Clocks, word: &str) -> Result<Answer, Fault> {
        self.think_of(position, clocks, &format!(" searchmoves {word}"))
    }

    fn think_of(&mut self, position: &str, clocks: &Clocks, more: &str) -> Result<Answer, Fault> {
        self.hear_strays()?;
        let question = format!("{}\n{}{more}", self.speech.position(position), self.go_line(clocks));
        let limit = self.spec.limits.longest(clocks.left[clocks.side.index()]) + self.spec.limits.margin();
        let asked = clock::now();
        let deadline = asked + limit + LATE;
        if let Err(silence) = self.process.send(&question, deadline) {
            return Err(fault_of(silence, "it does not read its input"));
        }
        let mut last_info = None;
        loop {
            let heard = match self.process.line(deadline) {
                Ok(heard) => heard,
                Err(silence) => return Err(fault_of(silence, "no bestmove came")),
            };
            let Some(answer) = heard.text.strip_prefix("bestmove") else {
                if heard.text.starts_with("info") && !heard.text.starts_with("info string") {
                    last_info = Some(heard.text);
                }
                if heard.at > deadline {
                    return Err(Fault::Stalls("no bestmove came".to_string()));
                }
                continue;
            };
            let took = heard.at.saturating_duration_since(asked);
            if took > limit {
                let over = (took - limit).as_micros();
                return Err(Fault::OnTime(u64::try_from(over).unwrap_or(u64::MAX)));
            }
            let claim = last_info.as_deref().and_then(|info| read_claim(info, self.dialect));
            let mut words = answer.split_ascii_whitespace();
            return match words.next() {
                Some(word) if answer.starts_with(|c: char| c.is_ascii_whitespace()) && !is_no_move(word) => {
                    Ok(Answer { word: self.speech.move_in(word), took, claim })
                }
                _ => Err(Fault::NoMove(heard.text.chars().take(EXCERPT).collect())),
            };
        }
    }

    fn go_line(&self, clocks: &Clocks) -> String {
        let limits = &self.spec.limits;
        let mut line = "go".to_string();
        let names = match self.dialect {
            Dialect::Ugi => ["p1time", "p1inc", "p2time", "p2inc"],
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

    /// Hears what was said without a question.
    ///
    /// # Errors
    /// A `bestmove` without `go`, or a flood.
    pub fn hear_strays(&mut self) -> Result<(), Fault> {
        for _ in 0..crate::process::LINES_LIMIT {
            match self.process.waiting_line() {
                Some(Ok(heard)) => refuse_stray(&heard)?,
                Some(Err(silence)) => return Err(fault_of(silence, "")),
                None => return Ok(()),
            }
        }
        Err(Fault::Floods("lines that nobody asked for".to_string()))
    }

    /// Asks a query of UGI about a position; `None` where the engine does not answer such things (it is not asked again
    /// then).
    ///
    /// # Errors
    /// The engine has gone, hangs or floods.
    pub fn query(&mut self, position: &str, what: &str) -> Result<Option<String>, Fault> {
        if !self.answers_queries || self.dialect == Dialect::Uci {
            return Ok(None);
        }
        self.hear_strays()?;
        self.ask(&format!("{}\nquery {what}", self.speech.position(position)))
    }

    /// Sends lines, the last of them a query, and waits for the `response`. An engine that answers `isready` only is
    /// one that knows no queries.
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
                    _ => refuse_stray(&heard)?,
                },
                Err(Silence::Deadline) if listens => {
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

    /// The last lines it wrote to stderr.
    pub fn last_words(&self) -> Vec<String> {
        self.process.last_words()
    }

    /// Says goodbye.
    pub fn quit(&mut self) -> Farewell {
        self.process.quit()
    }

    /// Ends it at once, with all it started.
    pub fn kill(&mut self) {
        self.process.kill();
    }
}

/// Words by which engines say that they have no move.
fn is_no_move(word: &str) -> bool {
    matches!(word, "0000" | "(none)" | "none" | "null" | "-")
}

fn refuse_stray(heard: &Heard) -> Result<(), Fault> {
    match heard.text.split_ascii_whitespace().next() {
        Some("bestmove") => {
            Err(Fault::BrokenProtocol(format!("\"{}\" without go", excerpt(&heard.text, EXCERPT))))
        }
        _ => Ok(()),
    }
}

fn fault_of(silence: Silence, what: &str) -> Fault {
    match silence {
        Silence::Deadline => Fault::Stalls(what.to_string()),
        Silence::Gone(how) => Fault::Disconnects(how),
        Silence::Flood(how) => Fault::Floods(how),
    }
}

/// The claim in an `info` line: `value win:12`, or `score mate 6` (plies in UGI, moves in UCI).
fn read_claim(info: &str, dialect: Dialect) -> Option<Claim> {
    let words: Vec<&str> =
        info.split_ascii_whitespace().take_while(|&word| word != "pv" && word != "string").collect();
    let after = |key: &str| words.iter().position(|&word| word == key).and_then(|at| words.get(at + 1));
    if let Some(value) = after("value").and_then(|word| Value::read(word)) {
        return Some(Claim::Exact(value));
    }
    if words.contains(&"lowerbound") || words.contains(&"upperbound") {
        return None;
    }
    let mate: i64 = after("mate")?.parse().ok()?;
    let (wdl, size) = if mate > 0 { (Wdl::Win, mate) } else { (Wdl::Loss, -mate) };
    let plies = match (dialect, wdl) {
        (Dialect::Ugi, _) => size,
        (Dialect::Uci, Wdl::Win) => size.checked_mul(2)? - 1,
        (Dialect::Uci, _) => size.checked_mul(2)?,
    };
    Some(Claim::Within(wdl, u32::try_from(plies).ok()?))
}

impl Claim {
    /// Whether the claim can stand beside the exact value: no stronger than it and of the same kind. `ends` is how
    /// the game ends by that value: in a game for points, who is ahead then.
    pub fn agrees(self, truth: Value, ends: Wdl) -> bool {
        match self {
            Claim::Exact(value) if value.plies().is_some() && truth.plies().is_some() => value == truth,
            Claim::Exact(value) if value.margin().is_some() || truth.margin().is_some() => value == truth,
            Claim::Exact(value) => value.wdl() == truth.wdl(),
            Claim::Within(wdl, plies) => wdl == ends && truth.plies().is_none_or(|least| plies >= least),
        }
    }

    /// The value, where the claim is exact.
    pub fn exact(self) -> Option<Value> {
        match self {
            Claim::Exact(value) => Some(value),
            Claim::Within(..) => None,
        }
    }

    /// Reads what [`Claim::words`] writes; `None` for anything else.
    pub fn read(words: &str) -> Option<Claim> {
        let Some((wdl, plies)) = words.split_once(" within ") else {
            return Value::read(words).map(Claim::Exact);
        };
        let wdl = match wdl {
            "win" => Wdl::Win,
            "loss" => Wdl::Loss,
            _ => return None,
        };
        Some(Claim::Within(wdl, plies.strip_suffix(" plies")?.parse().ok()?))
    }

    /// The claim in words.
    pub fn words(self, unit: grundy_core::value::Unit) -> String {
        match self {
            Claim::Exact(value) => value.show(unit).to_string(),
            Claim::Within(wdl, plies) => format!("{wdl} within {plies} plies"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_read_in_each_dialect() {
        let info = "info depth 3 score mate 4 pv a1 b1";
        assert_eq!(read_claim(info, Dialect::Ugi), Some(Claim::Within(Wdl::Win, 4)));
        assert_eq!(read_claim(info, Dialect::Uci), Some(Claim::Within(Wdl::Win, 7)));
        assert_eq!(read_claim("info score mate -2", Dialect::Uci), Some(Claim::Within(Wdl::Loss, 4)));
        assert_eq!(
            read_claim("info score cp 3 value -2", Dialect::Ugi),
            Some(Claim::Exact(Value::points(-2)))
        );
        assert_eq!(read_claim("info score mate 99999999999999999999", Dialect::Ugi), None);
        assert_eq!(read_claim("info score mate 9223372036854775807", Dialect::Uci), None);
        assert_eq!(read_claim("info score mate 3 lowerbound", Dialect::Ugi), None);
        assert_eq!(read_claim("info pv value win:3", Dialect::Ugi), None);
    }

    #[test]
    fn a_claim_may_be_weaker_than_the_truth_but_not_stronger() {
        let agrees = |claim: Claim, truth: Value| claim.agrees(truth, truth.wdl());
        assert!(agrees(Claim::Within(Wdl::Win, 9), Value::win_in(7)));
        assert!(!agrees(Claim::Within(Wdl::Win, 5), Value::win_in(7)));
        assert!(!agrees(Claim::Within(Wdl::Win, 5), Value::DRAW));
        assert!(agrees(Claim::Exact(Value::WIN), Value::win_in(3)));
        assert!(!agrees(Claim::Exact(Value::win_in(5)), Value::win_in(3)));
    }

    #[test]
    fn in_games_for_points_a_win_is_being_ahead_at_the_end() {
        let claim = Claim::Within(Wdl::Win, 9);
        assert!(claim.agrees(Value::points(-1), Wdl::Win), "two ahead, one of them will go");
        assert!(!claim.agrees(Value::points(1), Wdl::Loss) && !claim.agrees(Value::points(0), Wdl::Draw));
        assert!(!Claim::Exact(Value::points(1)).agrees(Value::points(-1), Wdl::Win));
    }
}

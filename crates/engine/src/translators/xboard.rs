//! The Chess Engine Communication Protocol of XBoard and WinBoard, version 2, for chess, its endings and Chess960.
//!
//! Moves are sent as coordinates, castling in Chess960 as `O-O`. Source: "Chess Engine Communication Protocol", T. Mann
//! and H. G. Muller (gnu.org/software/xboard/engine-intf.html).

use grundy_core::game::{GameResult, Player};
use grundy_core::text::excerpt;
use grundy_session::{Catalog, Session, Settings};

use super::report::{Heard, Report};
use super::translator::{Act, Translator, Urgency};
use crate::protocol::milliseconds;

/// The option that is true or false.
const CHECK: &str = "OwnBook";
/// The score of a mate, to which its moves are added.
const MATE: i64 = 100_000;
/// Time for a hint in milliseconds.
const HINT: u32 = 500;
/// The variants by their names in XBoard, each with the game.
const VARIANTS: [(&str, &str); 2] = [("normal", "chess"), ("fischerandom", "chess:960")];
/// Commands without effect here: opening books, ratings, time odds and what the engine does anyway.
const IGNORED: &[&str] = &[
    "accepted", "rejected", "random", "hard", "easy", "computer", "name", "rating", "ics", "bk", "nps",
    "egtpath", "pause", "resume", "beep",
];
/// Commands that end a search without a move.
const ABORTING: &[&str] =
    &["new", "variant", "force", "result", "setboard", "undo", "remove", "analyze", "exit", "protover"];

/// The purpose of the running search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Play,
    Hint,
    Analysis,
    /// None any more: its move is dropped.
    Nothing,
}

/// The clock of `level` and `st`.
#[derive(Clone, Copy, Debug, Default)]
struct Clock {
    /// Moves to a time control; 0 for the whole game.
    moves: u64,
    /// Increment in milliseconds.
    increment: u64,
    /// Milliseconds for each move, by `st`.
    each: Option<u64>,
    /// Milliseconds left to the engine and to its opponent.
    left: [Option<i64>; 2],
    depth: Option<u32>,
}

pub(super) struct XBoard {
    catalog: Catalog,
    rules: Session,
    /// The position before the moves; `None` for the game's start.
    start: Option<String>,
    /// The engine's colour; `None` in force mode.
    side: Option<Player>,
    clock: Clock,
    searching: Option<Purpose>,
    /// The state in which a command has ended the search for a move: the search goes on if nothing has changed.
    interrupted: Option<(String, String, usize)>,
    analyzing: bool,
    post: bool,
    last: Option<Report>,
    /// True if the search for the engine's last move has proved that it cannot win.
    cannot_win: bool,
}

impl XBoard {
    /// Returns a translator for chess, or for the game of the command line if it is a kind of chess.
    pub fn new(catalog: &Catalog, game: Option<&str>) -> Result<XBoard, String> {
        let standard = catalog.standard().ok_or("no chess")?.name;
        let name = game.unwrap_or(standard);
        if !catalog.is_standard(name) {
            return Err(format!(
                "XBoard's protocol plays chess: expected no game or one like chess:KQvKR, not {name}"
            ));
        }
        let rules = open(catalog, name)?;
        Ok(XBoard {
            catalog: *catalog,
            rules,
            start: None,
            side: Some(Player::Two),
            clock: Clock::default(),
            searching: None,
            interrupted: None,
            analyzing: false,
            post: false,
            last: None,
            cannot_win: false,
        })
    }

    /// Returns the commands that set up the engine's position.
    fn position(&self) -> Act {
        let start = self.start.as_ref().map_or_else(|| "startpos".to_owned(), |start| format!("fen {start}"));
        let moves = self.rules.history();
        let moves = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        Act::tell(format!("position {start}{moves}"))
    }

    /// Starts a search for this purpose, unless the game is over.
    fn search(&mut self, purpose: Purpose) -> Vec<Act> {
        if self.rules.ended().is_some() {
            return Vec::new();
        }
        let go = match purpose {
            Purpose::Analysis => "go infinite".to_owned(),
            Purpose::Hint => format!("go movetime {HINT}"),
            Purpose::Play | Purpose::Nothing => self.go(),
        };
        (self.searching, self.last) = (Some(purpose), None);
        vec![self.position(), Act::tell(go)]
    }

    fn go(&self) -> String {
        let Clock { moves, increment, each, left, depth } = self.clock;
        let mut go = "go".to_owned();
        if let Some(each) = each {
            go += &format!(" movetime {each}");
        } else if let Some(own) = left[0] {
            let [white, black] = match self.rules.turn() {
                Player::One => [own, left[1].unwrap_or(own)],
                Player::Two => [left[1].unwrap_or(own), own],
            };
            go += &format!(" wtime {white} btime {black} winc {increment} binc {increment}");
            if moves > 0 {
                let made = self.rules.history().len() as u64 / 2;
                go += &format!(" movestogo {}", moves - made % moves);
            }
        }
        if let Some(depth) = depth {
            go += &format!(" depth {depth}");
        }
        go
    }

    /// Asks the engine for a move if it is its turn.
    fn go_on(&mut self) -> Vec<Act> {
        if self.side == Some(self.rules.turn()) { self.search(Purpose::Play) } else { Vec::new() }
    }

    /// Returns what commands may change: the game, the position, and the number of moves.
    fn state(&self) -> (String, String, usize) {
        (self.rules.name().to_owned(), self.rules.position(), self.rules.history().len())
    }

    /// Sets up a game's start or a position.
    fn set_up(&mut self, position: Option<&str>) -> Result<(), String> {
        self.rules.setup(position).map_err(|why| why.to_string())?;
        self.start = position.map(str::to_owned);
        self.cannot_win = false;
        Ok(())
    }

    /// Changes to the game of this name, at its start.
    fn choose(&mut self, name: &str) -> Vec<Act> {
        match open(&self.catalog, name) {
            Ok(rules) => {
                (self.rules, self.start) = (rules, None);
                vec![Act::tell(format!("setoption name Game value {name}"))]
            }
            Err(why) => error("unsupported variant", &why),
        }
    }

    /// Begins a game (`new`): the engine plays Black, in standard chess unless the command line has another game.
    fn new_game(&mut self) -> Vec<Act> {
        let mut acts = Vec::new();
        let [(_, normal), others @ ..] = VARIANTS;
        if others.iter().any(|&(_, game)| game == self.rules.name()) {
            acts.extend(self.choose(normal));
        }
        let _ = self.set_up(None);
        (self.side, self.analyzing) = (Some(Player::Two), false);
        (self.clock.depth, self.last) = (None, None);
        acts.push(Act::tell("uginewgame"));
        acts
    }

    /// Plays the opponent's move.
    fn play(&mut self, word: &str) -> Vec<Act> {
        self.cannot_win = false;
        match self.rules.play(word) {
            // A host that does not take the claim of a draw for the end waits for a move.
            Ok(_) => self.result().map(Act::say).into_iter().chain(self.go_on()).collect(),
            Err(_) => {
                let over = if self.rules.ended().is_some() { " (game is over)" } else { "" };
                vec![Act::say(format!("Illegal move{over}: {}", excerpt(word, 40)))]
            }
        }
    }

    /// Returns the result of a finished game, or the claim of a draw by its history, if the engine plays.
    fn result(&self) -> Option<String> {
        let claimed = self.rules.ended().is_none();
        if claimed && self.side.is_none() {
            return None;
        }
        Some(
            match self.rules.result()? {
                GameResult::Win(Player::One) => "1-0 {White mates}",
                GameResult::Win(Player::Two) => "0-1 {Black mates}",
                GameResult::Draw if claimed => "1/2-1/2 {Draw by repetition or the fifty-move rule}",
                GameResult::Draw => "1/2-1/2 {Stalemate}",
            }
            .to_owned(),
        )
    }

    /// Takes back `plies` moves.
    fn take_back(&mut self, plies: usize) -> Vec<Act> {
        if self.rules.history().len() < plies {
            return error("no move to take back", "undo");
        }
        self.cannot_win = false;
        for _ in 0..plies {
            self.rules.undo();
        }
        Vec::new()
    }

    /// Sets the clock (`level MOVES BASE INCREMENT`), the base in minutes or minutes:seconds, the increment in seconds.
    fn level(&mut self, moves: &str, base: &str, increment: &str) -> Option<()> {
        let (minutes, seconds) = base.split_once(':').unwrap_or((base, "0"));
        let base = time(minutes)? * 60 + time(seconds)?;
        self.clock = Clock {
            moves: moves.parse().ok()?,
            increment: time(increment)?.unsigned_abs(),
            left: [Some(base); 2],
            depth: self.clock.depth,
            each: None,
        };
        Some(())
    }

    /// Obeys a command that sets something by a number or a word; `None` if it cannot be read.
    fn set(&mut self, command: &str, rest: &str) -> Option<Vec<Act>> {
        let words: Vec<&str> = rest.split_ascii_whitespace().collect();
        match (command, &words[..]) {
            ("level", [moves, base, increment, ..]) => self.level(moves, base, increment)?,
            ("st", [seconds, ..]) => {
                self.clock.each = Some(time(seconds)?.unsigned_abs().max(1));
            }
            ("sd", [depth, ..]) => self.clock.depth = Some(depth.parse().ok()?),
            ("time" | "otim", [time, ..]) => {
                let centiseconds: i64 = time.parse().ok()?;
                self.clock.left[usize::from(command == "otim")] = Some(centiseconds.saturating_mul(10));
            }
            ("memory", [megabytes, ..]) => {
                let megabytes: u64 = megabytes.parse().ok()?;
                return Some(vec![Act::tell(format!(
                    "setoption name Hash value {}",
                    megabytes.clamp(1, 65_536)
                ))]);
            }
            ("cores", [cores, ..]) => {
                let cores: u64 = cores.parse().ok()?;
                return Some(vec![Act::tell(format!(
                    "setoption name Threads value {}",
                    cores.clamp(1, 256)
                ))]);
            }
            ("option", [_, ..]) => {
                // A check of XBoard is 0 or 1.
                let (name, value) = match rest.split_once('=')? {
                    (name @ CHECK, "0") => (name, "false"),
                    (name @ CHECK, "1") => (name, "true"),
                    other => other,
                };
                return Some(vec![Act::tell(format!("setoption name {name} value {value}"))]);
            }
            _ => return None,
        }
        Some(Vec::new())
    }

    /// Obeys a command; the engine is idle.
    fn obey(&mut self, line: &str) -> Vec<Act> {
        let (command, rest) = line.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((line, ""));
        let rest = rest.trim();
        match command {
            "" | "xboard" | "?" | "." => Vec::new(),
            "protover" => features(),
            "new" => self.new_game(),
            "variant" => match VARIANTS.iter().find(|(name, _)| *name == rest) {
                Some((_, game)) => self.choose(game),
                None => error("unsupported variant", rest),
            },
            "force" => {
                (self.side, self.analyzing) = (None, false);
                Vec::new()
            }
            "result" => {
                self.side = None;
                Vec::new()
            }
            "go" => {
                self.side = Some(self.rules.turn());
                match self.rules.ended() {
                    Some(_) => self.result().map(Act::say).into_iter().collect(),
                    None => self.go_on(),
                }
            }
            "playother" => {
                self.side = Some(!self.rules.turn());
                Vec::new()
            }
            "analyze" => {
                (self.side, self.analyzing) = (None, true);
                Vec::new()
            }
            "exit" => {
                self.analyzing = false;
                Vec::new()
            }
            "setboard" => match self.set_up(Some(rest)) {
                Ok(()) => Vec::new(),
                Err(why) => vec![Act::say(format!("tellusererror Illegal position: {}", excerpt(&why, 200)))],
            },
            "usermove" => self.play(rest),
            "undo" => self.take_back(1),
            "remove" => self.take_back(2),
            "ping" => vec![Act::say(format!("pong {}", excerpt(rest, 40)))],
            "draw" if self.cannot_win => vec![Act::say("offer draw")],
            "draw" => Vec::new(),
            "hint" => self.search(Purpose::Hint),
            "post" | "nopost" => {
                self.post = command == "post";
                Vec::new()
            }
            ignored if IGNORED.contains(&ignored) => Vec::new(),
            "level" | "st" | "sd" | "time" | "otim" | "memory" | "cores" | "option" => {
                let acts = self.set(command, rest);
                acts.unwrap_or_else(|| error("bad argument", line))
            }
            // Protocol version 1 has moves without a command.
            word if rest.is_empty() && self.rules.is_legal(word) => self.play(word),
            _ => error("unknown command", line),
        }
    }

    /// Returns a move as XBoard reads it.
    fn spelt(&mut self, word: &str) -> String {
        let is_960 = VARIANTS[1].1 == self.rules.name();
        let note = if is_960 { self.rules.note(word).filter(|note| note.starts_with("O-O")) } else { None };
        note.map_or_else(|| word.to_owned(), |note| note.trim_end_matches(['+', '#']).to_owned())
    }

    /// Returns a line of thinking output: depth, score, centiseconds, nodes, moves.
    fn thought(report: &Report) -> String {
        let score = match report.mate {
            Some(plies) => plies.signum() * (MATE + (plies.abs() + 1) / 2),
            None => report.cp,
        };
        format!("{} {score} {} {} {}", report.depth, report.time / 10, report.nodes, report.pv.join(" "))
    }
}

/// Opens a game whose draws by repetition and by fifty moves are claimed.
fn open(catalog: &Catalog, name: &str) -> Result<Session, String> {
    let mut rules = catalog.open(name, &Settings::default())?;
    rules.claim_draws(true);
    Ok(rules)
}

/// Reads a time in seconds as milliseconds; `None` if it is negative.
fn time(seconds: &str) -> Option<i64> {
    milliseconds(seconds).filter(|&time| time >= 0)
}

fn error(what: &str, about: &str) -> Vec<Act> {
    vec![Act::say(format!("Error ({what}): {}", excerpt(about, 120)))]
}

/// Returns the answer to `protover 2`.
fn features() -> Vec<Act> {
    let variants: Vec<&str> = VARIANTS.iter().map(|&(name, _)| name).collect();
    vec![
        Act::say("feature done=0"),
        Act::say(format!(
            "feature myname=\"grundy {}\" variants=\"{}\" ping=1 setboard=1 playother=1 usermove=1 time=1 draw=1 sigint=0 \
             sigterm=0 reuse=1 analyze=1 colors=0 san=0 name=0 nps=0 debug=1 memory=1 smp=1",
            env!("CARGO_PKG_VERSION"),
            variants.join(","),
        )),
        Act::say("feature option=\"OwnBook -check 1\" option=\"Move Overhead -spin 10 0 60000\""),
        Act::say("feature done=1"),
    ]
}

impl Translator for XBoard {
    fn game(&self) -> &str {
        self.rules.name()
    }

    fn claims_draws(&self) -> bool {
        true
    }

    fn urgency(&mut self, line: &str) -> Urgency {
        let mut words = line.split_ascii_whitespace();
        let command = words.next().unwrap_or("");
        let Some(purpose) = self.searching else {
            return if command == "quit" { Urgency::Quits } else { Urgency::Waits };
        };
        let analysis = purpose == Purpose::Analysis;
        match command {
            "quit" => Urgency::Quits,
            "?" => Urgency::Stops,
            "." => Urgency::Answered(
                self.last
                    .iter()
                    .map(|report| {
                        format!("stat01: {} {} {} 0 0", report.time / 10, report.nodes, report.depth)
                    })
                    .collect(),
            ),
            "ping" if analysis => {
                Urgency::Answered(vec![format!("pong {}", excerpt(words.next().unwrap_or(""), 40))])
            }
            "post" | "nopost" => {
                self.post = command == "post";
                Urgency::Answered(Vec::new())
            }
            command if ABORTING.contains(&command) || analysis && !IGNORED.contains(&command) => {
                if purpose == Purpose::Play {
                    self.interrupted = Some(self.state());
                }
                self.searching = Some(Purpose::Nothing);
                Urgency::Stops
            }
            _ => Urgency::Waits,
        }
    }

    fn command(&mut self, line: &str) -> Vec<Act> {
        self.obey(line.trim())
    }

    fn idle(&mut self, ended: bool) -> Vec<Act> {
        if self.searching.is_none()
            && let Some(before) = self.interrupted.take()
            && before == self.state()
        {
            return self.go_on();
        }
        let analyzes = self.analyzing && self.searching.is_none() && !ended;
        if analyzes { self.search(Purpose::Analysis) } else { Vec::new() }
    }

    fn answer(&mut self, line: &str) -> Vec<String> {
        match Heard::read(line) {
            Heard::Report(report) if report.rank == 1 => {
                let shown = match self.searching {
                    Some(Purpose::Analysis) => true,
                    Some(Purpose::Nothing) => false,
                    _ => self.post,
                };
                let wanted = shown && !report.bound;
                let thought = wanted.then(|| XBoard::thought(&report));
                self.last = Some(report);
                thought.into_iter().collect()
            }
            Heard::Best(word) => match (self.searching.take(), word) {
                (Some(Purpose::Play), Some(word)) => {
                    let value = self.last.as_ref().and_then(|report| report.value.as_deref());
                    self.cannot_win = value.is_some_and(|value| value == "draw" || value.starts_with("loss"));
                    let spelt = self.spelt(word);
                    if self.rules.play(word).is_err() {
                        return vec![format!("telluser internal error: {word}")];
                    }
                    [format!("move {spelt}")].into_iter().chain(self.result()).collect()
                }
                (Some(Purpose::Hint), Some(word)) => vec![format!("Hint: {}", self.spelt(word))],
                _ => Vec::new(),
            },
            Heard::Error(why) => vec![format!("Error ({why}): the last command")],
            Heard::Note(note) => vec![format!("# {note}")],
            Heard::Report(_) | Heard::Other => Vec::new(),
        }
    }
}

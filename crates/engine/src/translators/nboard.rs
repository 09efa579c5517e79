//! The protocol of NBoard, version 2, for Othello on 8x8.
//!
//! Games are set up by GGF, evaluations are in discs for the player to move; `100%` in place of a depth marks one that is
//! proved. Source: the NBoard Protocol by C. Welty, which comes with NBoard and Ntest.

use grundy_core::text::excerpt;
use grundy_session::{Catalog, Session, Settings};

use super::report::{Heard, Report};
use super::translator::{Act, Translator, Urgency};

/// The game, and the cells of its board.
const GAME: &str = "othello:8x8";
const CELLS: usize = 64;
/// The most lines of a hint, which is what `MultiPV` takes.
const MOST_HINTS: u32 = 256;

/// The purpose of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Play,
    Hint,
    /// The evaluation of the position after this many moves.
    Analysis(usize),
    /// None any more: its answer is dropped.
    Nothing,
}

pub(super) struct NBoard {
    rules: Session,
    /// The position before the moves in OBF; `None` for the usual start.
    start: Option<String>,
    depth: Option<u32>,
    /// The number of lines that the engine shows.
    lines: u32,
    searching: Option<Purpose>,
    /// Numbers of moves after which positions are still to be analysed.
    to_analyze: Vec<usize>,
    last: Option<Report>,
}

impl NBoard {
    /// Returns a translator for Othello on 8x8.
    pub fn new(catalog: &Catalog, game: Option<&str>) -> Result<NBoard, String> {
        let rules = catalog.open(game.unwrap_or(GAME), &Settings::default())?;
        if game.is_some() && rules.name() != catalog.open(GAME, &Settings::default())?.name() {
            return Err(format!("NBoard's protocol plays {GAME}: expected no other game"));
        }
        Ok(NBoard {
            rules,
            start: None,
            depth: None,
            lines: 1,
            searching: None,
            to_analyze: Vec::new(),
            last: None,
        })
    }

    /// Sets up (`set game`) the position at the end of a game in GGF. If a move is refused the game before is restored; otherwise
    /// positions waiting for analysis are forgotten.
    fn set_game(&mut self, text: &str) -> Result<(), String> {
        let (mut start, mut moves) = (None, Vec::new());
        let text =
            text.find("(;").map(|at| &text[at + 2..]).ok_or("no GGF: expected (; and tags like BO[..]")?;
        let mut rest = text.split(";)").next().unwrap_or(text);
        while let Some((tag, behind)) = rest.split_once('[') {
            let (value, behind) =
                behind.split_once(']').ok_or("a value of the GGF does not end: expected ]")?;
            rest = behind;
            match tag.trim() {
                "GM" if !value.eq_ignore_ascii_case("othello") => {
                    return Err(format!("a game of {:?}: expected Othello", excerpt(value, 40)));
                }
                "BO" => start = Some(board(value)?),
                "B" | "W" => moves.push(value),
                _ => {}
            }
        }
        let before = (self.rules.history().to_vec(), self.start.clone());
        self.rules.setup(start.as_deref()).map_err(|why| why.to_string())?;
        let played = moves.into_iter().try_for_each(|word| self.play(word));
        if played.is_err() {
            // All of it, or nothing.
            let _ = self.rules.setup(before.1.as_deref());
            before.0.iter().for_each(|word| drop(self.rules.play(word)));
        } else {
            // Positions of the game before are not analysed any further.
            self.to_analyze.clear();
            self.start = start;
        }
        played
    }

    /// Plays `F5`, `PA` or `F5/EVAL/TIME`.
    fn play(&mut self, text: &str) -> Result<(), String> {
        let word = text.split('/').next().unwrap_or("").trim();
        let word =
            if word.get(..2).is_some_and(|two| two.eq_ignore_ascii_case("pa")) { "pass" } else { word };
        self.rules.play(&word.to_ascii_lowercase()).map(drop).map_err(|why| why.to_string())
    }

    /// Searches the position after `plies` moves of the game for this purpose, and shows `lines` lines.
    fn search(&mut self, purpose: Purpose, plies: usize, lines: u32) -> Vec<Act> {
        let mut acts = Vec::new();
        if std::mem::replace(&mut self.lines, lines) != lines {
            acts.push(Act::tell(format!("setoption name MultiPV value {lines}")));
        }
        let start = self.start.as_ref().map_or_else(|| "startpos".to_owned(), |start| format!("fen {start}"));
        let moves = self.rules.history().get(..plies).unwrap_or_default();
        let moves = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        acts.push(Act::tell(format!("position {start}{moves}")));
        let depth = self.depth.map_or_else(String::new, |depth| format!(" depth {depth}"));
        acts.push(Act::tell(format!("go{depth}")));
        (self.searching, self.last) = (Some(purpose), None);
        acts
    }

    /// Searches the current position.
    fn search_here(&mut self, purpose: Purpose, lines: u32) -> Vec<Act> {
        if self.rules.over().is_some() {
            return vec![Act::say("status the game is over")];
        }
        let mut acts = vec![Act::say("status grundy is thinking")];
        acts.extend(self.search(purpose, self.rules.history().len(), lines));
        acts
    }
}

/// Returns the board of a GGF, `8 CELLS PLAYER`, in OBF.
fn board(value: &str) -> Result<String, String> {
    let words: Vec<&str> = value.split_ascii_whitespace().collect();
    let expected =
        || format!("bad board {:?}: expected 8, 64 cells of *, O and -, and the player", excerpt(value, 100));
    let ["8", cells @ .., player] = &words[..] else { return Err(expected()) };
    let cells = cells.concat();
    if cells.len() != CELLS
        || !cells.bytes().all(|cell| b"*O-".contains(&cell))
        || !["*", "O"].contains(player)
    {
        return Err(expected());
    }
    Ok(format!("{cells} {player}"))
}

/// Returns moves as NBoard writes them, without blanks between them.
fn spelt(moves: &[String]) -> String {
    moves
        .iter()
        .map(|word| if word == "pass" { "PA".to_owned() } else { word.to_ascii_uppercase() })
        .collect()
}

/// Returns an evaluation in discs.
fn discs(report: &Report) -> String {
    format!("{:.2}", report.cp as f64 / 100.0)
}

impl Translator for NBoard {
    fn game(&self) -> &str {
        self.rules.name()
    }

    fn urgency(&mut self, line: &str) -> Urgency {
        match line.split_ascii_whitespace().next() {
            Some("quit") => Urgency::Quits,
            Some("ping") => {
                self.to_analyze.clear();
                match &mut self.searching {
                    None => Urgency::Waits,
                    Some(purpose) => {
                        *purpose = Purpose::Nothing;
                        Urgency::Stops
                    }
                }
            }
            _ => Urgency::Waits,
        }
    }

    fn command(&mut self, line: &str) -> Vec<Act> {
        let line = line.trim();
        let (command, rest) = line.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((line, ""));
        let rest = rest.trim();
        let failed = |why: String| vec![Act::say(format!("status Error: {}", excerpt(&why, 200)))];
        match command {
            "nboard" => vec![Act::say(concat!("set myname grundy ", env!("CARGO_PKG_VERSION")))],
            "set" => {
                let (key, value) = rest.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((rest, ""));
                match (key, value.trim().parse::<u32>()) {
                    ("depth", Ok(depth)) => {
                        self.depth = Some(depth.max(1));
                        Vec::new()
                    }
                    ("depth", Err(_)) => failed("set depth: expected a number of plies".to_owned()),
                    ("game", _) => match self.set_game(value) {
                        Ok(()) => Vec::new(),
                        Err(why) => failed(why),
                    },
                    // Draws are worth what the rules say.
                    _ => Vec::new(),
                }
            }
            "move" => match self.play(rest) {
                Ok(()) => Vec::new(),
                Err(why) => failed(why),
            },
            "hint" => match rest.parse::<u32>() {
                Ok(lines) => self.search_here(Purpose::Hint, lines.clamp(1, MOST_HINTS)),
                Err(_) => failed("hint: expected a number of moves".to_owned()),
            },
            "go" => self.search_here(Purpose::Play, 1),
            "ping" => vec![Act::say(format!("pong {}", excerpt(rest, 40)))],
            "learn" => vec![Act::say("learned")],
            "analyze" => {
                self.to_analyze = (0..=self.rules.history().len()).collect();
                if self.rules.over().is_some() {
                    self.to_analyze.pop();
                }
                vec![Act::say("status grundy is analyzing")]
            }
            // As the protocol demands, unknown lines are ignored.
            _ => Vec::new(),
        }
    }

    fn idle(&mut self, _ended: bool) -> Vec<Act> {
        let next = self.to_analyze.pop();
        next.map_or_else(Vec::new, |plies| self.search(Purpose::Analysis(plies), plies, 1))
    }

    fn answer(&mut self, line: &str) -> Vec<String> {
        match Heard::read(line) {
            Heard::Report(report) => {
                let mut lines = Vec::new();
                if self.searching == Some(Purpose::Hint) && !report.bound {
                    let depth =
                        report.value.as_ref().map_or_else(|| report.depth.to_string(), |_| "100%".to_owned());
                    lines.push(format!("search {} {} 0 {depth}", spelt(&report.pv), discs(&report)));
                }
                if matches!(self.searching, Some(Purpose::Hint | Purpose::Play)) && report.rank == 1 {
                    lines.push(format!("nodestats {} {:.2}", report.nodes, report.time as f64 / 1000.0));
                }
                if report.rank == 1 {
                    self.last = Some(report);
                }
                lines
            }
            Heard::Best(word) => match (self.searching.take(), word, self.last.take()) {
                (Some(Purpose::Play), Some(word), report) => {
                    let told = report.map_or_else(String::new, |report| {
                        format!("/{}/{:.2}", discs(&report), report.time as f64 / 1000.0)
                    });
                    vec![format!("=== {}{told}", spelt(&[word.to_owned()])), "status".to_owned()]
                }
                (Some(Purpose::Analysis(plies)), Some(_), Some(report)) => {
                    let done = self.to_analyze.is_empty().then(|| "status".to_owned());
                    [format!("analysis {plies} {}", discs(&report))].into_iter().chain(done).collect()
                }
                (Some(Purpose::Nothing), ..) => Vec::new(),
                _ => vec!["status".to_owned()],
            },
            Heard::Error(text) | Heard::Note(text) => vec![format!("status {text}")],
            Heard::Other => Vec::new(),
        }
    }
}

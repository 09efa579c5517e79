//! `grundy play`: a person against the engine, in the terminal or through a pipe.

use std::io::{self, BufReader, IsTerminal, Read, Write};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::protocol::{clean, read_line, value_word};
use anyhow::Result;
use clap::{Args, ValueEnum};
use grundy_core::files;
use grundy_core::game::{GameResult, Player};
use grundy_core::random::SplitMix64;
use grundy_session::Limits;
use grundy_session::{Catalog, Go, Session, Settings};

use super::output::stdout;
use super::shared::{Means, Usage, open, wrapped};

/// Moves shown by `moves`.
const SHOWN: usize = 200;
/// Moves shown after a word that was no move.
const EXAMPLES: usize = 8;

/// The commands besides moves.
const HELP: &str = "  moves   what is legal
  hint    a best move
  undo    takes back your last move
  value   what the position is worth
  board   shows the position
  new     begins another game
  help    these words
  quit    ends";

#[derive(Args)]
pub struct PlayArgs {
    /// The game
    game: String,
    /// The player who starts [default: ask]
    #[arg(long, value_enum)]
    first: Option<First>,
    /// Start from this position
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    position: Option<String>,
    /// Milliseconds the engine may search if it has no table
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    movetime: u64,
    /// Show the value of the position after each move
    #[arg(long)]
    values: bool,
    /// Percentage of the engine's moves played at random; --seed before play changes the choice
    #[arg(id = "play-weaken", long = "weaken", value_name = "PERCENT", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=100))]
    weaken: u32,
    #[command(flatten)]
    means: Means,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum First {
    /// You
    Me,
    /// The engine
    Engine,
}

/// The effect of a line of the player.
enum Turn {
    Played,
    Again,
    Restart,
    Quit,
}

/// Plays games until the player wants no other. `weaken` is the option given before the subcommand.
pub fn run(catalog: &Catalog, args: &PlayArgs, settings: &Settings, weaken: u32) -> Result<ExitCode> {
    let mut session = open(catalog, &args.game, &args.means.over(settings))?;
    session.setup(args.position.as_deref()).map_err(|refusal| Usage(refusal.to_string()))?;
    let mut terminal = Terminal {
        input: BufReader::new(io::stdin()),
        out: stdout(),
        bytes: Vec::new(),
        asks: io::stdin().is_terminal(),
    };
    let lots = SplitMix64(settings.seed.unwrap_or(0));
    let mut engine = Opponent { movetime: args.movetime, weaken: args.weaken.max(weaken), lots };
    writeln!(terminal.out, "{}", session.name())?;
    let letters = catalog.row(&args.game).map_or("", |row| row.letters);
    if !letters.is_empty() {
        writeln!(terminal.out, "{}", wrapped("letters: ", letters, 2))?;
    }
    let example =
        session.legal_moves(1).first().map_or(String::new(), |word| format!(", for example {word}"));
    writeln!(terminal.out, "type a move{example}, or one of:\n{HELP}")?;
    loop {
        let first = match args.first {
            Some(first) => first,
            None => match who_starts(&mut terminal)? {
                None => return Ok(ExitCode::SUCCESS),
                Some(first) => first,
            },
        };
        let person = if first == First::Me { session.turn() } else { !session.turn() };
        if !game(args, &mut session, &mut terminal, (person, &mut engine))? {
            return Ok(ExitCode::SUCCESS);
        }
        session.setup(args.position.as_deref()).map_err(|refusal| Usage(refusal.to_string()))?;
    }
}

/// The player at a terminal: lines in, text out.
struct Terminal<R, W> {
    input: BufReader<R>,
    out: W,
    bytes: Vec<u8>,
    asks: bool,
}

impl<R: Read, W: Write> Terminal<R, W> {
    /// Asks for a line; `None` at the end of input.
    fn ask(&mut self, prompt: &str) -> io::Result<Option<String>> {
        write!(self.out, "{prompt}")?;
        self.out.flush()?;
        let line = read_line(&mut self.input, &mut self.bytes);
        if !self.asks {
            writeln!(self.out)?;
        }
        Ok(line.map(|_| files::without_mark(&String::from_utf8_lossy(&self.bytes)).trim().to_owned()))
    }
}

/// Asks until one of the two answers is given; `None` at the end of input.
fn who_starts<R: Read, W: Write>(terminal: &mut Terminal<R, W>) -> io::Result<Option<First>> {
    let mut prompt = "Who starts, me or engine? ";
    loop {
        let Some(word) = terminal.ask(prompt)? else { return Ok(None) };
        match word.to_lowercase().as_str() {
            "me" | "m" | "i" => return Ok(Some(First::Me)),
            "engine" | "e" => return Ok(Some(First::Engine)),
            _ => prompt = "Please say me or engine: ",
        }
    }
}

/// Plays one game; returns whether another is wanted.
fn game<R: Read, W: Write>(
    args: &PlayArgs,
    session: &mut Session,
    terminal: &mut Terminal<R, W>,
    (person, engine): (Player, &mut Opponent),
) -> Result<bool> {
    writeln!(terminal.out, "you are player {}\n\n{}\n", person.digit(), session.draw_game())?;
    while session.over().is_none() {
        if args.values {
            let unit = session.unit();
            let value = session.value();
            writeln!(terminal.out, "value for the player to move: {}", value_word(value, unit))?;
        }
        if session.turn() == person {
            match persons_turn(session, terminal, person, engine)? {
                Turn::Played => {}
                Turn::Again => continue,
                Turn::Restart => return Ok(true),
                Turn::Quit => return Ok(false),
            }
        } else {
            let Some(word) = engine.choose(session) else { break };
            session.play(&word)?;
            writeln!(terminal.out, "engine plays {word}")?;
        }
        writeln!(terminal.out, "\n{}\n", session.draw_game())?;
    }
    let score = session.score().map_or(String::new(), |(one, two)| format!(" {one}-{two}"));
    match session.result() {
        Some(GameResult::Win(winner)) if winner == person => writeln!(terminal.out, "You win{score}.")?,
        Some(GameResult::Win(_)) => writeln!(terminal.out, "The engine wins{score}.")?,
        _ => writeln!(terminal.out, "A draw{score}.")?,
    }
    Ok(false)
}

fn persons_turn<R: Read, W: Write>(
    session: &mut Session,
    terminal: &mut Terminal<R, W>,
    person: Player,
    engine: &mut Opponent,
) -> Result<Turn> {
    let Some(line) = terminal.ask("your move> ")? else { return Ok(Turn::Quit) };
    let out = &mut terminal.out;
    match line.as_str() {
        "" => {}
        "quit" | "exit" => return Ok(Turn::Quit),
        "new" => return Ok(Turn::Restart),
        "help" | "?" => writeln!(out, "{HELP}")?,
        "board" => writeln!(out, "\n{}\n", session.draw_game())?,
        "moves" => {
            let words = session.legal_moves(SHOWN + 1);
            let more = if words.len() > SHOWN { " and more" } else { "" };
            let shown = words.len().min(SHOWN);
            writeln!(out, "legal: {}{more}", words[..shown].join(" "))?;
        }
        "hint" => match engine.best(session) {
            Some(word) => writeln!(out, "hint: {word}")?,
            None => writeln!(out, "no move is legal")?,
        },
        "value" => {
            let unit = session.unit();
            let value = session.value();
            match value {
                Some(_) => writeln!(out, "value for you: {}", value_word(value, unit))?,
                None => writeln!(out, "value for you: not known without a search (try hint)")?,
            }
        }
        "undo" => {
            // Back to the person's own last turn.
            let mut undone = session.undo();
            while undone && session.turn() != person && session.undo() {}
            if session.turn() != person {
                undone = false;
                writeln!(out, "the engine made the first move; nothing of yours to take back")?;
                if let Some(word) = engine.choose(session) {
                    session.play(&word)?;
                }
            } else if !undone {
                writeln!(out, "nothing to take back")?;
            }
            if undone {
                writeln!(out, "\n{}\n", session.draw_game())?;
            }
        }
        word => match session.play(word) {
            Ok(_) => return Ok(Turn::Played),
            Err(_) => {
                let words = session.legal_moves(EXAMPLES + 1);
                let more = if words.len() > EXAMPLES { " .. (type moves for all)" } else { "" };
                let some = words[..words.len().min(EXAMPLES)].join(" ");
                let word = clean(word);
                writeln!(out, "{word:?} is not a legal move here; legal: {some}{more}")?;
            }
        },
    }
    Ok(Turn::Again)
}

/// Maximum number of moves among which a weakened engine chooses.
const LISTED: usize = 1_000;

/// The engine's settings for its moves.
struct Opponent {
    /// Milliseconds for a search.
    movetime: u64,
    /// Percentage of its moves chosen at random.
    weaken: u32,
    lots: SplitMix64,
}

impl Opponent {
    /// Returns the engine's move.
    fn choose(&mut self, session: &mut Session) -> Option<String> {
        if self.weaken > 0 && self.lots.below(100) < self.weaken as usize {
            let legal = session.legal_moves(LISTED);
            return legal.get(self.lots.below(legal.len())).cloned();
        }
        self.best(session)
    }

    /// Returns a best move.
    fn best(&self, session: &mut Session) -> Option<String> {
        let hard = Some(Instant::now() + Duration::from_millis(self.movetime));
        let go = Go { limits: Limits { hard, ..Limits::default() }, ..Go::default() };
        session.think(&go, &AtomicBool::new(false), &mut |_| {})
    }
}

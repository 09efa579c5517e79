//! `grundy play`: a person against the engine, in the terminal or through a pipe.

mod commands;
mod files;
mod screen;
mod terminal;

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Result;
use clap::{Args, ValueEnum};
use grundy_core::game::{GameResult, Player};
use grundy_core::random::SplitMix64;
use grundy_core::words;
use grundy_session::{Catalog, Description, Level, Session, Settings, Shape};

use self::screen::{Screen, colour};
use self::terminal::{Terminal, WORDS};
use super::given::Given;
use super::shared::{self, Means, Usage, wrapped};
use super::stopping::INTERRUPTED;
use crate::protocol::value_word;

#[derive(Args)]
pub struct PlayArgs {
    #[command(flatten)]
    given: Given,
    /// The player who starts [default: ask]
    #[arg(long, value_enum)]
    first: Option<First>,
    /// Milliseconds the engine may search if it has no table
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    movetime: u64,
    /// The same in seconds
    #[arg(long, value_name = "SECONDS", conflicts_with = "movetime", value_parser = words::time)]
    seconds: Option<f64>,
    /// Show the value of the position before each of your moves
    #[arg(long)]
    values: bool,
    /// Strength of the engine: 1 to 8, from many slips to the full time, or perfect
    #[arg(long, value_name = "N", default_value_t = Level::PERFECT)]
    level: Level,
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

/// A game between a person and the engine.
struct Play<'a> {
    catalog: &'a Catalog,
    settings: Settings,
    session: Session,
    description: Description,
    /// The position from which the game begins, if that is not the game's start.
    start: Option<String>,
    person: Player,
    engine: Opponent,
    /// True once the person was told which side that is.
    told: bool,
    /// True if the value is shown before each of the person's moves.
    values: bool,
    /// The drawing that the person saw last.
    seen: Option<String>,
    /// The file to which the game was saved, or from which it was loaded.
    file: Option<String>,
    terminal: Terminal,
}

/// The effect of a line of the player.
enum Turn {
    /// The board has changed.
    Changed,
    Again,
    Restart,
    Quit,
}

/// Plays games until the player wants no other. `weaken` is the option given before the subcommand.
pub fn run(catalog: &Catalog, args: &PlayArgs, settings: &Settings, weaken: u32) -> Result<ExitCode> {
    let settings = args.means.over(settings);
    let (session, start, mut person, file) = match args.given.file(catalog) {
        Some(name) => {
            let loaded = files::load(catalog, "", &settings, name).map_err(Usage)?;
            (loaded.session, loaded.start, loaded.person, Some(loaded.file))
        }
        None => {
            let mut session = args.given.open(catalog, &settings)?;
            let position = session.position();
            let start = (position != session.at_start().position()).then_some(position);
            // What is saved, and taken back, begins where the game does.
            if start.is_some() {
                session.setup(start.as_deref())?;
            }
            (session, start, None, None)
        }
    };
    let random = SplitMix64(settings.seed.unwrap_or(0));
    let engine = Opponent {
        time: shared::time(args.movetime, args.seconds),
        level: args.level,
        weaken: args.weaken.max(weaken),
        random,
    };
    let description = describe(catalog, session.name());
    let mut play = Play {
        catalog,
        settings,
        start,
        session,
        description,
        person: person.unwrap_or(Player::One),
        engine,
        told: false,
        values: args.values,
        seen: None,
        file,
        terminal: Terminal::new(),
    };
    play.introduce()?;
    loop {
        let mover = play.session.turn();
        match args.first {
            Some(First::Me) => play.person = mover,
            Some(First::Engine) => play.person = !mover,
            // The file says who the person is.
            None if person.take().is_some() => {}
            None => {
                if !play.who_starts()? {
                    return Ok(play.code());
                }
            }
        }
        if !play.told {
            play.tell_side()?;
        }
        if !play.game()? {
            return Ok(play.code());
        }
        play.session.setup_typed(play.start.as_deref()).map_err(|refusal| Usage(refusal.to_string()))?;
        (play.seen, play.file, play.told) = (None, None, false);
    }
}

/// Returns the description of a game, which may be in no row of the catalog.
fn describe(catalog: &Catalog, name: &str) -> Description {
    let unnamed = || Description {
        title: name.to_owned(),
        about: String::new(),
        rules: String::new(),
        players: ["Player 1", "Player 2"].map(str::to_owned),
        shape: Shape::Grid,
    };
    catalog.row(name).map_or_else(unnamed, |row| row.describe(name))
}

impl Play<'_> {
    /// Returns the exit code at the end of input.
    fn code(&self) -> ExitCode {
        if self.terminal.interrupted { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS }
    }

    /// Explains the game, and what can be typed.
    fn introduce(&mut self) -> io::Result<()> {
        let Description { title, rules, .. } = &self.description;
        let name = self.session.name();
        let name_too = if title == name { String::new() } else { format!(" ({name})") };
        writeln!(self.terminal.out, "{}", wrapped("", &format!("{title}{name_too}"), 2))?;
        if !rules.is_empty() {
            writeln!(self.terminal.out, "{}", wrapped("", rules, 0))?;
        }
        let (letters, moves) = self.catalog.row(name).map_or(("", ""), |row| (row.letters, row.moves));
        for (label, text) in [("letters: ", letters), ("a move: ", moves)] {
            if !text.is_empty() {
                writeln!(self.terminal.out, "{}", wrapped(label, text, 2))?;
            }
        }
        let weights =
            self.session.weigh().map_or_else(Some, |file| file.map(|file| file.display().to_string()));
        if let Some(weights) = weights {
            writeln!(self.terminal.out, "{}", wrapped("weights: ", &weights, 2))?;
        }
        let example =
            self.session.legal_moves(1).first().map_or(String::new(), |word| format!(", for example {word}"));
        let words = "help (all commands), moves, hint, v (values), undo or quit";
        writeln!(self.terminal.out, "{}", wrapped("", &format!("type a move{example}, or {words}"), 2))
    }

    /// Asks who starts, and obeys commands until that is answered; a move is an answer, too. Returns false at the end of
    /// input and for `quit`.
    fn who_starts(&mut self) -> Result<bool> {
        let mut prompt = "Who starts, me or engine? ";
        let words = || {
            let commands = WORDS.into_iter().chain(["me", "engine"]);
            commands.map(str::to_owned).collect()
        };
        loop {
            let Some(line) = self.terminal.ask(prompt, words)? else { return Ok(false) };
            let mover = self.session.turn();
            self.person = mover;
            match line.to_lowercase().as_str() {
                "me" | "m" | "i" => return Ok(true),
                "engine" | "e" => {
                    self.person = !mover;
                    return Ok(true);
                }
                _ => {}
            }
            match self.obey(&line, true)? {
                Turn::Quit => return Ok(false),
                Turn::Changed => return Ok(true),
                Turn::Again | Turn::Restart => {}
            }
            prompt = "Please say me or engine (or load FILE, help, quit): ";
        }
    }

    /// Says which side the person has, and the engine's level if it is not perfect.
    fn tell_side(&mut self) -> io::Result<()> {
        self.told = true;
        let (number, name) = (self.person.digit(), &self.description.players[self.person.index()]);
        let named = if name.ends_with(number) { String::new() } else { format!(", {name}") };
        let level = self.engine.level;
        let level = if level == Level::PERFECT {
            String::new()
        } else {
            format!("; the engine plays at level {level}")
        };
        writeln!(self.terminal.out, "you are player {number}{named}{level}")
    }

    /// Plays one game; returns whether another is wanted.
    fn game(&mut self) -> Result<bool> {
        let mut shown = false;
        loop {
            let over = self.session.over().is_some();
            if !over && self.session.turn() != self.person {
                let Some(word) = self.engine.choose(&mut self.session) else { return Ok(false) };
                self.session.play(&word)?;
                writeln!(self.terminal.out, "engine plays {word}")?;
                continue;
            }
            if !shown {
                self.show()?;
                shown = true;
            }
            let prompt =
                if over { "the game is over: new, undo, save FILE or quit> " } else { "your move> " };
            match self.turn(prompt)? {
                Turn::Changed => shown = false,
                Turn::Again => {}
                Turn::Restart => return Ok(true),
                Turn::Quit => return Ok(false),
            }
        }
    }

    /// Returns the style of boards.
    fn screen(&self) -> Screen {
        let players = [0, 1].map(|at| colour(&self.description.players[at], at));
        Screen { marks: self.terminal.marks, colours: self.terminal.colours, players }
    }

    /// Shows the board, and the value or the result.
    fn show(&mut self) -> Result<()> {
        if self.values && self.session.over().is_none() {
            let (unit, value) = (self.session.unit(), self.session.value());
            writeln!(self.terminal.out, "value for the player to move: {}", value_word(value, unit))?;
        }
        let board = self.screen().board(&mut self.session, self.seen.as_deref());
        writeln!(self.terminal.out, "\n{board}\n")?;
        self.seen = Some(self.session.draw_game());
        if self.session.over().is_none() {
            return Ok(());
        }
        let score = self.session.score().map_or(String::new(), |(one, two)| format!(" {one}-{two}"));
        match self.session.result() {
            Some(GameResult::Win(winner)) if winner == self.person => {
                writeln!(self.terminal.out, "You win{score}.")?;
            }
            Some(GameResult::Win(_)) => writeln!(self.terminal.out, "The engine wins{score}.")?,
            _ => writeln!(self.terminal.out, "A draw{score}.")?,
        }
        Ok(())
    }
}

/// Maximum number of moves among which a weakened engine chooses.
const LISTED: usize = 1_000;

/// The engine's settings for its moves.
struct Opponent {
    /// The time of a search.
    time: Duration,
    level: Level,
    /// Percentage of its moves chosen at random.
    weaken: u32,
    random: SplitMix64,
}

impl Opponent {
    /// Returns the engine's move.
    fn choose(&mut self, session: &mut Session) -> Option<String> {
        if self.weaken > 0 && self.random.below(100) < self.weaken as usize {
            let legal = session.legal_moves(LISTED);
            return legal.get(self.random.below(legal.len())).cloned();
        }
        self.level.choose(session, self.time, &mut self.random, &AtomicBool::new(false))
    }

    /// Returns a best move.
    fn best(&mut self, session: &mut Session) -> Option<String> {
        Level::PERFECT.choose(session, self.time, &mut self.random, &AtomicBool::new(false))
    }
}

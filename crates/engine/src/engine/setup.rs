//! The handshake, the options and the choice of the game.

use std::io::{self, Write};
use std::time::Instant;

use super::options::{self, Change};
use super::state::Engine;
use crate::protocol::{Command, Dialect, HELP, clean};
use grundy_core::random::SplitMix64;
use grundy_session::{Settings, Variant, WeightsChoice};

impl<W: Write> Engine<W> {
    /// Writes (`ugi`, `uci`) name, author and options.
    pub fn greet(&mut self, command: &Command) -> io::Result<()> {
        self.dialect = if *command == Command::Uci { Dialect::Uci } else { Dialect::Ugi };
        let standard = self.catalog.standard().filter(|_| self.dialect == Dialect::Uci && !self.chosen);
        if let Some(row) = standard {
            self.game = self.with_sections(row.name.to_owned());
            self.open(None)?;
        }
        let claimed = self.draws_are_claimed();
        if let Some(session) = &mut self.session {
            session.claim_draws(claimed);
        }
        self.say(concat!("id name grundy ", env!("CARGO_PKG_VERSION")))?;
        self.say("id author the grundy developers")?;
        for line in options::lines(&self.catalog, self.dialect, &self.game, self.guest.as_ref()) {
            self.say(&line)?;
        }
        self.say(if self.dialect == Dialect::Ugi { "ugiok" } else { "uciok" })
    }

    /// Lists the commands (`help`), a line each.
    pub fn help(&mut self) -> io::Result<()> {
        HELP.lines().try_for_each(|line| self.note(line))
    }

    /// Sets an option (`setoption`).
    pub fn set_option(&mut self, name: &str, value: &str) -> io::Result<()> {
        if self.guest.as_ref().is_some_and(|guest| !guest.may_set(name)) {
            return self.error(&clean(&format!("option {name} may not be set here: unchanged")));
        }
        let weights = self.options.settings.weights.clone();
        match options::set(&mut self.options, &self.catalog, name, value) {
            Err(why) => self.error(&clean(&why)),
            Ok(Change::Unknown) => self.note(&clean(&format!("no option {name}: ignored"))),
            Ok(Change::Loop) => Ok(()),
            Ok(change @ (Change::Settings | Change::Seed)) => {
                if matches!(change, Change::Seed) {
                    self.random = SplitMix64(self.options.settings.seed.unwrap_or(0));
                }
                let settings = &mut self.options.settings;
                if let Some(session) = &mut self.session {
                    session.configure(settings);
                    if weights != settings.weights
                        && let WeightsChoice::File(_) = settings.weights
                        && let Err(why) = session.weigh()
                    {
                        settings.weights = weights;
                        session.configure(settings);
                        return self.error(&clean(&why));
                    }
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
                self.change_game(game, self.variant).map(|_| ())
            }
            Ok(Change::Game(game)) => self.choose(game).map(|_| ()),
            Ok(Change::Variant(name)) => {
                self.chosen = true;
                let known = self.catalog.variant(&name);
                let standard = self.catalog.standard().filter(|_| name == "standard");
                let ours = known.map(|variant| variant.game).or(standard.map(|row| row.name));
                let close = match ours {
                    None if self.catalog.row(&name).is_none() => self.catalog.close_variant(&name),
                    _ => None,
                };
                if let Some(close) = close {
                    return self.error(&clean(&format!("unknown variant {name:?}: did you mean {close}?")));
                }
                let game = ours.unwrap_or(&name).to_owned();
                let variant = known.filter(|variant| variant.differs() && self.dialect == Dialect::Uci);
                self.change_game(game, variant).map(|_| ())
            }
        }
    }

    /// Changes to the game of this name, the default one if it is empty; returns whether that was possible.
    pub fn choose(&mut self, game: String) -> io::Result<bool> {
        self.chosen = true;
        let game = if game.is_empty() { self.catalog.usual().to_owned() } else { game };
        self.change_game(game, None)
    }

    /// Returns the name with the sections switched on by options, if the game allows them.
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

    /// Reports whether a draw by the history of the game does not end it: so it is with chess in UCI and XBoard.
    fn draws_are_claimed(&self) -> bool {
        let claimed = match &self.translator {
            Some(translator) => translator.claims_draws(),
            None => self.dialect == Dialect::Uci,
        };
        claimed && self.catalog.is_standard(&self.game)
    }

    fn change_game(&mut self, game: String, variant: Option<Variant>) -> io::Result<bool> {
        let game = self.with_sections(game);
        let before = std::mem::replace(&mut self.game, game);
        if self.open(variant)? {
            return Ok(true);
        }
        self.game = before;
        Ok(false)
    }

    /// Opens `self.game`. If that fails, reports why and leaves the session unchanged.
    pub fn open(&mut self, variant: Option<Variant>) -> io::Result<bool> {
        let mut opened = self.catalog.open(&self.game, &self.options.settings);
        if let (Err(why), Some(_), WeightsChoice::File(_)) =
            (&opened, &self.session, &self.options.settings.weights)
        {
            // The weights may be those of the game before.
            let settings = Settings { weights: WeightsChoice::Found, ..self.options.settings.clone() };
            if let Ok(session) = self.catalog.open(&self.game, &settings) {
                let why = clean(&format!("{why}: not used any more"));
                opened = Ok(session);
                self.options.settings = settings;
                self.note(&why)?;
            }
        }
        self.opened = Instant::now();
        match opened {
            Ok(mut session) => {
                log::debug!("opens {}", session.name());
                session.claim_draws(self.draws_are_claimed());
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
}

//! Lines of other protocols: handed to their translator, whose acts the loop carries out.

use std::io::{self, Write};
use std::time::Instant;

use super::state::{Busy, Engine};
use crate::protocol::{Command, clean};
use crate::translators::{Act, Protocol, Translator, Urgency};

/// The first word of a client that speaks XBoard's protocol.
const XBOARD: &str = "xboard";

/// A line as the loop takes it.
pub(super) enum Heard {
    /// A line of UGI.
    Line(String),
    /// A command.
    Command(Command),
    /// Nothing more to do.
    Nothing,
    /// The end.
    Quit,
}

impl<W: Write> Engine<W> {
    /// Translates all lines from now on, and changes to the translator's game.
    pub fn translate_by(&mut self, translator: Box<dyn Translator>) {
        self.game = translator.game().to_owned();
        self.translator = Some(translator);
    }

    /// Takes a line that may be of another protocol, and stops a search that it ends.
    pub fn foreign(&mut self, line: String) -> io::Result<Heard> {
        let trusted_and_idle = self.guest.is_none() && matches!(self.busy, Busy::Idle);
        if self.translator.is_none() && trusted_and_idle && line.trim() == XBOARD {
            let game = self.chosen.then_some(self.game.as_str());
            match Protocol::XBoard.translator(&self.catalog, game) {
                Ok(translator) => {
                    self.translate_by(translator);
                    self.open(None)?;
                }
                Err(why) => self.error(&clean(&why))?,
            }
            return Ok(Heard::Nothing);
        }
        let Some(translator) = &mut self.translator else { return Ok(Heard::Line(line)) };
        match translator.urgency(&line) {
            Urgency::Waits => {}
            Urgency::Stops => self.stop()?,
            Urgency::Answered(lines) => {
                lines.iter().try_for_each(|line| self.write(line))?;
                return Ok(Heard::Nothing);
            }
            Urgency::Quits => return Ok(Heard::Quit),
        }
        Ok(Heard::Command(Command::Foreign(line)))
    }

    /// Translates a line and carries it out.
    pub fn translate(&mut self, line: &str, read: Instant) -> io::Result<()> {
        let acts = self.translator.as_mut().map_or_else(Vec::new, |translator| translator.command(line));
        self.carry_out(acts, read)
    }

    /// Carries out what the translator does while no line waits; returns whether there was anything.
    pub fn rest(&mut self, ended: bool) -> io::Result<bool> {
        let acts = self.translator.as_mut().map_or_else(Vec::new, |translator| translator.idle(ended));
        let any = !acts.is_empty();
        self.carry_out(acts, Instant::now())?;
        Ok(any)
    }

    fn carry_out(&mut self, acts: Vec<Act>, read: Instant) -> io::Result<()> {
        acts.into_iter().try_for_each(|act| match act {
            Act::Say(line) => self.write(&line),
            Act::Tell(line) => match Command::read(&line) {
                Ok(command) => self.obey(command, read),
                Err(why) => self.error(&clean(&why.to_string())),
            },
        })
    }
}

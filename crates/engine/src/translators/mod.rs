//! Protocols of other programs, translated line by line: the host's lines to commands of UGI for the engine's loop, the
//! engine's answers back to the host.
//!
//! A translator keeps the game in a session of its own, which it asks about rules only. Searches, their times and the
//! values are those of `go`: no protocol has a second mechanism for them.

mod gomocup;
mod hub;
mod nboard;
mod report;
mod translator;
mod xboard;

use grundy_session::Catalog;
pub(crate) use translator::{Act, Translator, Urgency};

/// A protocol that the engine speaks besides UGI, UCI and GTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The protocol of Piskvork and the Gomocup tournaments.
    Gomocup,
    /// Hub, version 2, for English draughts.
    Hub,
    /// NBoard, version 2, for Othello.
    NBoard,
    /// The Chess Engine Communication Protocol of XBoard and WinBoard, version 2.
    XBoard,
}

impl Protocol {
    /// Returns a translator for this game, or for the protocol's usual one.
    ///
    /// # Errors
    /// The protocol has no such game; one line.
    pub(crate) fn translator(
        self,
        catalog: &Catalog,
        game: Option<&str>,
    ) -> Result<Box<dyn Translator>, String> {
        Ok(match self {
            Protocol::Gomocup => Box::new(gomocup::Gomocup::new(catalog, game)?),
            Protocol::Hub => Box::new(hub::Hub::new(catalog, game)?),
            Protocol::NBoard => Box::new(nboard::NBoard::new(catalog, game)?),
            Protocol::XBoard => Box::new(xboard::XBoard::new(catalog, game)?),
        })
    }

    /// Checks that the protocol has this game.
    ///
    /// # Errors
    /// It has not; one line.
    pub(crate) fn check(self, catalog: &Catalog, game: Option<&str>) -> Result<(), String> {
        self.translator(catalog, game).map(drop)
    }
}

impl Protocol {
    /// Translates a host's lines without an engine, for tests: returns the lines for the engine after `> `, and those for
    /// the host. Every search ends without a move.
    ///
    /// # Errors
    /// The protocol has no such game; one line.
    pub fn translated(
        self,
        catalog: &Catalog,
        game: Option<&str>,
        text: &str,
    ) -> Result<Vec<String>, String> {
        let mut translator = self.translator(catalog, game)?;
        let mut lines = Vec::new();
        for line in text.lines() {
            match translator.urgency(line) {
                Urgency::Quits => break,
                Urgency::Answered(answers) => lines.extend(answers),
                Urgency::Waits | Urgency::Stops => {
                    let mut acts = translator.command(line);
                    acts.extend(translator.idle(true));
                    for act in acts {
                        match act {
                            Act::Say(line) => lines.push(line),
                            Act::Tell(line) => {
                                let searches = line.starts_with("go");
                                lines.push(format!("> {line}"));
                                if searches {
                                    lines.extend(translator.answer("bestmove 0000"));
                                }
                            }
                        }
                    }
                }
            }
        }
        Ok(lines)
    }
}

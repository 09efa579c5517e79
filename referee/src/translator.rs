//! Translators for engines of other protocols: of positions, moves and answers.

use std::time::Duration;

use grundy_session::Catalog;

use crate::engine_spec::{Dialect, Limits};
use crate::gomocup::{self, Field};
use crate::gtp::Controller;
use crate::setup::Setup;
use crate::xboard::{self, Host};

/// The protocol of an engine, with the position on its board.
pub enum Translator {
    /// The protocol of Gomocup.
    Gomocup(Box<Field>),
    /// The Go Text Protocol.
    Gtp(Box<Controller>),
    /// The protocol of XBoard and WinBoard.
    XBoard(Box<Host>),
}

impl Translator {
    /// Returns the translator for a game; `None` for an engine of a dialect of our own.
    ///
    /// # Errors
    /// The protocol does not have this game; one line.
    pub fn of(catalog: &Catalog, dialect: Dialect, game: &str) -> Result<Option<Translator>, String> {
        Ok(match dialect {
            Dialect::Ugi | Dialect::Uci => None,
            Dialect::Gomocup => Some(Translator::Gomocup(Box::new(Field::of(catalog, game)?))),
            Dialect::Gtp => Some(Translator::Gtp(Box::new(Controller::of(catalog, game)?))),
            Dialect::XBoard => Some(Translator::XBoard(Box::new(Host::of(catalog, game)?))),
        })
    }

    /// Returns the lines that greet the engine and name the board.
    pub fn greeting(&mut self) -> String {
        match self {
            Translator::Gomocup(field) => field.start(),
            Translator::Gtp(gtp) => gtp.greeting(),
            Translator::XBoard(host) => host.greeting(),
        }
    }

    /// Reads an answer to the greeting; `true` for the last.
    ///
    /// # Errors
    /// The engine refuses the board: what was said, and its answer.
    pub fn greeted(&mut self, line: &str) -> Result<bool, String> {
        match self {
            Translator::Gomocup(field) if line.starts_with("ERROR") => {
                Err(format!("{}: {line}", field.start()))
            }
            Translator::Gomocup(_) => Ok(line.trim_ascii() == "OK"),
            Translator::Gtp(gtp) => gtp.greeted(line),
            Translator::XBoard(host) => host.greeted(line),
        }
    }

    /// Returns the lines that answer what the engine has said in its greeting, once.
    pub fn take_replies(&mut self) -> Vec<String> {
        match self {
            Translator::XBoard(host) => host.take_replies(),
            Translator::Gomocup(_) | Translator::Gtp(_) => Vec::new(),
        }
    }

    /// Returns the silence after which the greeting counts as answered; `None` if an answer has to come.
    pub fn patience(&self) -> Option<Duration> {
        match self {
            Translator::XBoard(host) => host.patience(),
            Translator::Gomocup(_) | Translator::Gtp(_) => None,
        }
    }

    /// Ends a greeting that counts as answered.
    ///
    /// # Errors
    /// As [`Translator::greeted`].
    pub fn settle(&mut self) -> Result<(), String> {
        match self {
            Translator::XBoard(host) => host.settle(),
            Translator::Gomocup(_) | Translator::Gtp(_) => Ok(()),
        }
    }

    /// Checks that the engine can be told a position to start from.
    ///
    /// # Errors
    /// It cannot; one line.
    pub fn check_start(&self, start: &str) -> Result<(), String> {
        match self {
            Translator::XBoard(host) => host.check_start(start),
            // The other protocols have the same commands for every engine.
            Translator::Gomocup(_) | Translator::Gtp(_) => Ok(()),
        }
    }

    /// Returns what the answer to the greeting lacks so far; `None` if that is not known.
    pub fn missing(&self) -> Option<&'static str> {
        match self {
            Translator::XBoard(host) => host.missing(),
            Translator::Gomocup(_) | Translator::Gtp(_) => None,
        }
    }

    /// Empties the board for a new game; returns `true` if the greeting does so, which has to be repeated then.
    pub fn clear(&mut self) -> bool {
        match self {
            Translator::Gomocup(_) => true,
            Translator::Gtp(gtp) => {
                gtp.forget();
                false
            }
            Translator::XBoard(host) => host.clear(),
        }
    }

    /// Reports whether one process of the engine may play several games.
    pub fn may_play_again(&self) -> bool {
        match self {
            Translator::Gomocup(_) | Translator::Gtp(_) => true,
            Translator::XBoard(host) => host.may_play_again(),
        }
    }

    /// Returns the lines that ask for a move in a position. `left` has the times left on the clocks of the
    /// engine and of its opponent, and `moves_to_go` is the number of moves until the engine gets more; 0 if
    /// never.
    ///
    /// # Errors
    /// The protocol cannot set up the position; one line.
    pub fn question(
        &mut self,
        setup: &Setup,
        limits: &Limits,
        left: [Option<Duration>; 2],
        moves_to_go: u32,
    ) -> Result<String, String> {
        match self {
            Translator::Gomocup(field) => {
                setup.set_up(field.rules())?;
                Ok(field.question(limits, left[0]))
            }
            Translator::Gtp(gtp) => gtp.question(setup, limits, left[0], moves_to_go),
            Translator::XBoard(host) => host.question(setup, limits, left),
        }
    }

    /// Returns the move that a line answers a question with, with a blank before it, or a word that ends the
    /// game, or an empty word for a refusal; `None` if the line answers none.
    ///
    /// # Errors
    /// The engine refuses to set up the position, or claims a result falsely; one line.
    pub fn answer_in(&mut self, line: &str) -> Option<Result<String, String>> {
        match self {
            Translator::Gomocup(_) => {
                let refusal = line.starts_with("ERROR") || line.starts_with("UNKNOWN");
                let word = gomocup::move_in(line).map(|word| format!(" {word}"));
                word.or_else(|| refusal.then(String::new)).map(Ok)
            }
            Translator::Gtp(gtp) => gtp.answer_in(line),
            Translator::XBoard(host) => host.answer_in(line),
        }
    }

    /// Returns the score of a line that reports the engine's thinking, in centipawns for the engine; `None`
    /// for another line.
    pub fn score_in(&self, line: &str) -> Option<i64> {
        match self {
            Translator::Gomocup(_) | Translator::Gtp(_) => None,
            Translator::XBoard(_) => xboard::score_in(line),
        }
    }

    /// Returns what the user should know of the engine, once.
    pub fn take_notes(&mut self) -> Vec<String> {
        match self {
            Translator::Gomocup(_) => Vec::new(),
            Translator::Gtp(gtp) => gtp.take_notes(),
            Translator::XBoard(host) => host.take_notes(),
        }
    }

    /// Notes the move that the engine has answered with.
    pub fn answered(&mut self, word: &str) {
        match self {
            Translator::Gomocup(_) => {}
            Translator::Gtp(gtp) => gtp.answered(word),
            Translator::XBoard(host) => host.answered(word),
        }
    }

    /// Reports whether a line is a move that nobody asked for.
    pub fn is_unsolicited(&self, line: &str) -> bool {
        match self {
            Translator::Gomocup(_) => gomocup::move_in(line).is_some(),
            Translator::Gtp(_) => false,
            Translator::XBoard(host) => host.is_unsolicited(line),
        }
    }

    /// Reports whether a line ends the game by the engine's word, without a question as well.
    pub fn is_claim(&self, line: &str) -> bool {
        match self {
            Translator::XBoard(_) => xboard::is_claim(line),
            Translator::Gomocup(_) | Translator::Gtp(_) => false,
        }
    }

    /// Returns the line that sets an option.
    pub fn option(&self, name: &str, value: &str) -> String {
        match self {
            Translator::Gomocup(_) => format!("INFO {name} {value}"),
            Translator::Gtp(_) => format!("{name} {value}"),
            Translator::XBoard(_) => xboard::option(name, value),
        }
    }

    /// Returns the line that ends a conversation.
    pub fn end(&self) -> &'static str {
        match self {
            Translator::Gomocup(_) => "END",
            Translator::Gtp(_) | Translator::XBoard(_) => "quit",
        }
    }
}

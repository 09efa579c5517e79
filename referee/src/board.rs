//! Boards as engines of other protocols know them, for which the referee translates positions and moves.

use std::time::Duration;

use grundy_session::Catalog;

use crate::engine_spec::{Dialect, Limits};
use crate::gomocup::{self, Field};
use crate::gtp::Controller;
use crate::setup::Setup;
use crate::xboard::{self, Host};

/// The board of an engine.
pub enum Board {
    /// The protocol of Gomocup.
    Gomocup(Box<Field>),
    /// The Go Text Protocol.
    Gtp(Box<Controller>),
    /// The protocol of XBoard and WinBoard.
    XBoard(Box<Host>),
}

impl Board {
    /// Returns the board of a game; `None` for an engine of a dialect of our own.
    ///
    /// # Errors
    /// The protocol does not have this game; one line.
    pub fn of(catalog: &Catalog, dialect: Dialect, game: &str) -> Result<Option<Board>, String> {
        Ok(match dialect {
            Dialect::Ugi | Dialect::Uci => None,
            Dialect::Gomocup => Some(Board::Gomocup(Box::new(Field::of(catalog, game)?))),
            Dialect::Gtp => Some(Board::Gtp(Box::new(Controller::of(catalog, game)?))),
            Dialect::XBoard => Some(Board::XBoard(Box::new(Host::of(catalog, game)?))),
        })
    }

    /// Returns the lines that greet the engine and name the board.
    pub fn greeting(&mut self) -> String {
        match self {
            Board::Gomocup(field) => field.start(),
            Board::Gtp(gtp) => gtp.greeting(),
            Board::XBoard(host) => host.greeting(),
        }
    }

    /// Reads an answer to the greeting; `true` for the last.
    ///
    /// # Errors
    /// The engine refuses the board: what was said, and its answer.
    pub fn greeted(&mut self, line: &str) -> Result<bool, String> {
        match self {
            Board::Gomocup(field) if line.starts_with("ERROR") => Err(format!("{}: {line}", field.start())),
            Board::Gomocup(_) => Ok(line.trim_ascii() == "OK"),
            Board::Gtp(gtp) => gtp.greeted(line),
            Board::XBoard(host) => host.greeted(line),
        }
    }

    /// Returns the lines that answer what the engine has said in its greeting, once.
    pub fn take_replies(&mut self) -> Vec<String> {
        match self {
            Board::XBoard(host) => host.take_replies(),
            Board::Gomocup(_) | Board::Gtp(_) => Vec::new(),
        }
    }

    /// Returns the silence after which the greeting counts as answered; `None` if an answer has to come.
    pub fn patience(&self) -> Option<Duration> {
        match self {
            Board::XBoard(host) => host.patience(),
            Board::Gomocup(_) | Board::Gtp(_) => None,
        }
    }

    /// Ends a greeting that counts as answered.
    ///
    /// # Errors
    /// As [`Board::greeted`].
    pub fn settle(&mut self) -> Result<(), String> {
        match self {
            Board::XBoard(host) => host.settle(),
            Board::Gomocup(_) | Board::Gtp(_) => Ok(()),
        }
    }

    /// Checks that the engine can be told a position to start from.
    ///
    /// # Errors
    /// It cannot; one line.
    pub fn check_start(&self, start: &str) -> Result<(), String> {
        match self {
            Board::XBoard(host) => host.check_start(start),
            // The other protocols have the same commands for every engine.
            Board::Gomocup(_) | Board::Gtp(_) => Ok(()),
        }
    }

    /// Returns what the answer to the greeting lacks so far; `None` if that is not known.
    pub fn missing(&self) -> Option<&'static str> {
        match self {
            Board::XBoard(host) => host.missing(),
            Board::Gomocup(_) | Board::Gtp(_) => None,
        }
    }

    /// Empties the board for a new game; returns `true` if the greeting does so, which has to be repeated then.
    pub fn clear(&mut self) -> bool {
        match self {
            Board::Gomocup(_) => true,
            Board::Gtp(gtp) => {
                gtp.forget();
                false
            }
            Board::XBoard(host) => host.clear(),
        }
    }

    /// Reports whether one process of the engine may play several games.
    pub fn may_play_again(&self) -> bool {
        match self {
            Board::Gomocup(_) | Board::Gtp(_) => true,
            Board::XBoard(host) => host.may_play_again(),
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
            Board::Gomocup(field) => {
                setup.set_up(field.rules())?;
                Ok(field.question(limits, left[0]))
            }
            Board::Gtp(gtp) => gtp.question(setup, limits, left[0], moves_to_go),
            Board::XBoard(host) => host.question(setup, limits, left),
        }
    }

    /// Returns the move that a line answers a question with, with a blank before it, or a word that ends the
    /// game, or an empty word for a refusal; `None` if the line answers none.
    ///
    /// # Errors
    /// The engine refuses to set up the position, or claims a result falsely; one line.
    pub fn answer_in(&mut self, line: &str) -> Option<Result<String, String>> {
        match self {
            Board::Gomocup(_) => {
                let refusal = line.starts_with("ERROR") || line.starts_with("UNKNOWN");
                let word = gomocup::move_in(line).map(|word| format!(" {word}"));
                word.or_else(|| refusal.then(String::new)).map(Ok)
            }
            Board::Gtp(gtp) => gtp.answer_in(line),
            Board::XBoard(host) => host.answer_in(line),
        }
    }

    /// Returns the score of a line that reports the engine's thinking, in centipawns for the engine; `None`
    /// for another line.
    pub fn score_in(&self, line: &str) -> Option<i64> {
        match self {
            Board::Gomocup(_) | Board::Gtp(_) => None,
            Board::XBoard(_) => xboard::score_in(line),
        }
    }

    /// Returns what the user should know of the engine, once.
    pub fn take_notes(&mut self) -> Vec<String> {
        match self {
            Board::Gomocup(_) => Vec::new(),
            Board::Gtp(gtp) => gtp.take_notes(),
            Board::XBoard(host) => host.take_notes(),
        }
    }

    /// Notes the move that the engine has answered with.
    pub fn answered(&mut self, word: &str) {
        match self {
            Board::Gomocup(_) => {}
            Board::Gtp(gtp) => gtp.answered(word),
            Board::XBoard(host) => host.answered(word),
        }
    }

    /// Reports whether a line is a move that nobody asked for.
    pub fn is_unsolicited(&self, line: &str) -> bool {
        match self {
            Board::Gomocup(_) => gomocup::move_in(line).is_some(),
            Board::Gtp(_) => false,
            Board::XBoard(host) => host.is_unsolicited(line),
        }
    }

    /// Reports whether a line ends the game by the engine's word, without a question as well.
    pub fn is_claim(&self, line: &str) -> bool {
        match self {
            Board::XBoard(_) => xboard::is_claim(line),
            Board::Gomocup(_) | Board::Gtp(_) => false,
        }
    }

    /// Returns the line that sets an option.
    pub fn option(&self, name: &str, value: &str) -> String {
        match self {
            Board::Gomocup(_) => format!("INFO {name} {value}"),
            Board::Gtp(_) => format!("{name} {value}"),
            Board::XBoard(_) => xboard::option(name, value),
        }
    }

    /// Returns the line that ends a conversation.
    pub fn end(&self) -> &'static str {
        match self {
            Board::Gomocup(_) => "END",
            Board::Gtp(_) | Board::XBoard(_) => "quit",
        }
    }
}

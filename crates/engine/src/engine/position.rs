//! Commands that set up positions and play moves.

use std::io::{self, Write};
use std::time::Instant;

use grundy_session::{Refusal, Session};

use super::state::Engine;
use super::worker::Task;
use crate::protocol::{GoWords, Words, clean};

impl<W: Write> Engine<W> {
    /// Begins a game (`uginewgame`, `ucinewgame`, `new game [G]`): forgets what searches learned and sets up the start.
    pub fn new_game(&mut self, game: Option<String>) -> io::Result<()> {
        if let Some(game) = game
            && !self.choose(game)?
        {
            return Ok(());
        }
        if let Some(session) = &mut self.session {
            session.forget();
        }
        self.set_position(None, &Words::default())
    }

    /// Sets up a position (`position`), or the start, and plays moves from it.
    pub fn set_position(&mut self, fen: Option<String>, moves: &Words) -> io::Result<()> {
        let fen = fen.map(|fen| self.variant.map_or_else(|| fen.clone(), |v| v.position_in(&fen)));
        let Some(session) = &mut self.session else { return self.no_game() };
        match session.setup_given(fen.as_deref()) {
            Ok(()) => {
                self.refused = false;
                self.play_on(moves)
            }
            Err(why) => {
                self.refused = true;
                self.error(&clean(&why.to_string()))
            }
        }
    }

    /// Has the worker set up the position of an index (`position index`), since finding positions may take long.
    pub fn set_number(&mut self, numbering: Option<String>, number: u64, moves: Words) -> io::Result<()> {
        if self.session.is_none() {
            return self.no_game();
        }
        self.errand(Task::Place { numbering, number, moves })
    }

    /// Handles the worker's result of setting up a position by its number.
    pub fn placed(&mut self, done: Result<(), String>, moves: &Words) -> io::Result<()> {
        self.refused = done.is_err();
        match done {
            Ok(()) => self.play_on(moves),
            Err(why) => self.error(&clean(&why)),
        }
    }

    /// Counts a `position` that cannot be read as a refused position.
    pub fn refuse_position(&mut self, words: &str) -> io::Result<()> {
        self.refused = true;
        self.error(&format!(
            "bad position {:?}: expected startpos, fen F or index N, then perhaps moves M ..",
            clean(words)
        ))
    }

    /// Plays moves (`moves`); after an illegal one the position counts as refused.
    pub fn play_on(&mut self, moves: &Words) -> io::Result<()> {
        if self.refused {
            return self.error("no position to play on from: the last one was refused");
        }
        for word in moves.iter() {
            if let Err(why) = self.play(word, Session::play_moves) {
                self.refused = true;
                return self.error(&why);
            }
        }
        Ok(())
    }

    /// Plays one move (`move`) and, if the option is on, replies with another. An illegal move is reported and changes
    /// nothing.
    pub fn play_one(&mut self, word: &str, read: Instant) -> io::Result<()> {
        if self.refused {
            return self.play_on(&Words::default());
        }
        match self.play(word, |session, word| session.play(word).map(drop)) {
            Ok(()) if self.options.reply => self.go(GoWords::default(), read, true),
            Ok(()) => Ok(()),
            Err(why) => self.error(&why),
        }
    }

    /// Translates a word to the game's own notation and plays it by `play`.
    fn play(
        &mut self,
        word: &str,
        play: fn(&mut Session, &str) -> Result<(), Refusal>,
    ) -> Result<(), String> {
        let ours = self.variant.map_or_else(|| word.to_owned(), |v| v.move_in(word));
        let Some(session) = &mut self.session else { return Err("no game is set up".to_owned()) };
        play(session, &ours).map_err(|why| clean(&why.to_string()))
    }
}

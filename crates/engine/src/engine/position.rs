//! Positions and moves: what the next `go` or `query` is about.

use std::io::{self, Write};
use std::time::Instant;

use super::state::Engine;
use super::worker::Task;
use crate::protocol::{GoWords, clean};

impl<W: Write> Engine<W> {
    /// `uginewgame`, `ucinewgame`, `new game [G]`: forgets what was learned and goes to the start.
    pub fn new_game(&mut self, game: Option<String>) -> io::Result<()> {
        if let Some(game) = game
            && !self.choose(game)?
        {
            return Ok(());
        }
        if let Some(session) = &mut self.session {
            session.forget();
        }
        self.set_position(None, &[])
    }

    /// `position`: sets up a position, or the start, and plays moves from it.
    pub fn set_position(&mut self, fen: Option<String>, moves: &[String]) -> io::Result<()> {
        let fen = fen.map(|fen| self.variant.map_or_else(|| fen.clone(), |v| v.position_in(&fen)));
        let Some(session) = &mut self.session else { return self.no_game() };
        match session.setup(fen.as_deref()) {
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

    /// `position index`: the worker sets the position up, since its positions may have to be found first.
    pub fn set_number(
        &mut self,
        numbering: Option<String>,
        number: u64,
        moves: Vec<String>,
    ) -> io::Result<()> {
        if self.session.is_none() {
            return self.no_game();
        }
        self.errand(Task::Place { numbering, number, moves })
    }

    /// The worker has set a position up by its number, or has refused to.
    pub fn placed(&mut self, done: Result<(), String>, moves: &[String]) -> io::Result<()> {
        self.refused = done.is_err();
        match done {
            Ok(()) => self.play_on(moves),
            Err(why) => self.error(&clean(&why)),
        }
    }

    /// A `position` that cannot be read is a refused position like any other.
    pub fn refuse_position(&mut self, words: &str) -> io::Result<()> {
        self.refused = true;
        self.error(&format!(
            "bad position {:?}: expected startpos, fen F or index N, then perhaps moves M ..",
            clean(words)
        ))
    }

    /// `moves`: plays on; a move that is not legal makes the position a refused one.
    pub fn play_on(&mut self, moves: &[String]) -> io::Result<()> {
        if self.refused {
            return self.error("no position to play on from: the last one was refused");
        }
        for word in moves {
            if let Err(why) = self.play(word) {
                self.refused = true;
                return self.error(&why);
            }
        }
        Ok(())
    }

    /// `move`: plays one move and, where it was asked for, replies with another. A move that is not legal is named and
    /// changes nothing.
    pub fn play_one(&mut self, word: &str, read: Instant) -> io::Result<()> {
        if self.refused {
            return self.play_on(&[]);
        }
        match self.play(word) {
            Ok(()) if self.options.reply => self.go(GoWords::default(), read, true),
            Ok(()) => Ok(()),
            Err(why) => self.error(&why),
        }
    }

    fn play(&mut self, word: &str) -> Result<(), String> {
        let ours = self.variant.map_or_else(|| word.to_owned(), |v| v.move_in(word));
        let Some(session) = &mut self.session else { return Err("no game is set up".to_owned()) };
        session.play(&ours).map(|_| ()).map_err(|why| clean(&why.to_string()))
    }
}

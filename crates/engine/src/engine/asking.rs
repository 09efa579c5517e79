//! Queries: some are answered at once, the others by the worker.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::state::{Busy, Engine};
use super::worker::{Answer, Job, Task};
use crate::protocol::{Query, value_word};
use grundy_core::game::{GameResult, Player};
use grundy_session::Picked;

impl<W: Write> Engine<W> {
    /// Answers `query`.
    pub fn query(&mut self, query: Query) -> io::Result<()> {
        let Some(session) = &mut self.session else { return self.say("response none") };
        let yes_or_no = |yes: bool| if yes { "true" } else { "false" };
        let over = session.over();
        let quick = match &query {
            Query::PlayerOneTurn => yes_or_no(session.turn() == Player::One).to_owned(),
            Query::PlayerTwoTurn => yes_or_no(session.turn() == Player::Two).to_owned(),
            Query::Result if self.refused => "none".to_owned(),
            Query::GameOver => yes_or_no(over.is_some()).to_owned(),
            Query::Result => match session.result() {
                Some(GameResult::Win(Player::One)) => "p1win",
                Some(GameResult::Win(Player::Two)) => "p2win",
                Some(GameResult::Draw) => "draw",
                None => "none",
            }
            .to_owned(),
            _ if self.refused => "none".to_owned(),
            Query::Annotation { name, .. } if session.annotation() != Some(name) => "unknown".to_owned(),
            Query::Fen => {
                let fen = session.position();
                self.variant.map_or(fen.clone(), |v| v.position_out(&fen))
            }
            Query::IsLegal(word) => {
                let ours = self.variant.map_or_else(|| word.clone(), |v| v.move_in(word));
                yes_or_no(over.is_none() && session.is_legal(&ours)).to_owned()
            }
            Query::LegalMoves | Query::BestMoves | Query::Values if over.is_some() => "none".to_owned(),
            Query::Value if over.is_some() => value_word(over, session.unit()),
            Query::LegalMoves
            | Query::BestMoves
            | Query::Values
            | Query::Value
            | Query::Grundy
            | Query::CanonicalForm
            | Query::Thermograph
            | Query::Index(_)
            | Query::Annotation { .. } => {
                return self.errand(Task::Ask(query, self.options.query));
            }
        };
        self.say(&format!("response {quick}"))
    }

    /// Sends the session to the worker for a task other than a search; answers `readyok` at once while the worker has it.
    pub fn errand(&mut self, task: Task) -> io::Result<()> {
        let Some(session) = self.session.take() else { return self.say("readyok") };
        let stop = Arc::new(AtomicBool::new(false));
        let failed = match task {
            Task::Prepare(_) => "readyok",
            Task::Perft(_) => "Nodes searched: 0",
            _ => "response none",
        };
        let position = self.variant.map(|_| session.position());
        self.busy = Busy::Errand { stop: stop.clone(), position, failed };
        let _ = self.jobs.send(Job { session, task, stop });
        Ok(())
    }

    /// Writes the worker's answer about `position`.
    pub fn answered(&mut self, answer: Answer, position: &str) -> io::Result<()> {
        match answer {
            Answer::Ready(None) => self.say("readyok"),
            Answer::Ready(Some(why)) => {
                self.note(&format!("no table: {why}"))?;
                self.say("readyok")
            }
            Answer::Counted(Some(count)) => self.say(&format!("Nodes searched: {count}")),
            Answer::Counted(None) => self.note("stopped: the lines of play were not all counted"),
            Answer::Words(words) => self.say(&format!("response {words}")),
            Answer::Moves(_) | Answer::SomeMoves(_) => {
                let more = matches!(answer, Answer::SomeMoves(_)).then(|| Picked::MORE.to_owned());
                let (Answer::Moves(moves) | Answer::SomeMoves(moves)) = answer else { return Ok(()) };
                let words: Vec<String> = moves
                    .into_iter()
                    .map(|(word, behind)| {
                        self.variant.map_or(word.clone(), |v| v.move_out(&word, position)) + &behind
                    })
                    .chain(more)
                    .collect();
                self.say(&format!("response {}", words.join(" ")))
            }
            Answer::Placed(placed) => {
                let (done, moves) = *placed;
                self.placed(done, &moves)
            }
            Answer::Best(_) => Ok(()),
        }
    }
}

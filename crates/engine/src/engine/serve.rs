//! The loop: handles lines and messages of the worker, one at a time, until `quit` or the end of input.

use std::io::{self, Write};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, never, select};

use super::foreign::Heard;
use super::options;
use super::reader::Input;
use super::state::{Busy, Engine};
use super::worker::{Answer, Event, Task};
use crate::protocol::{Command, Unread, clean};

/// Time after `quit` in which running work may end by itself, as an answer from a table does.
const LAST_WORK: Duration = Duration::from_millis(50);
/// Time after that in which the stopped work may still answer.
const LAST_WORDS: Duration = Duration::from_millis(50);

/// True if the loop continues.
#[derive(PartialEq, Eq)]
enum Next {
    On,
    End,
}

impl<W: Write> Engine<W> {
    /// Serves until `quit`, or until everything received before the end of input is answered.
    pub fn serve(&mut self, lines: &Receiver<Input>, events: &Receiver<Event>) -> io::Result<()> {
        self.open(None)?;
        // No more lines are to be heard.
        let mut ended = false;
        // After `quit`: until when what is under way may go on, and whether it was stopped already.
        let mut end_by: Option<Instant> = None;
        let mut last_words = false;
        loop {
            while matches!(self.busy, Busy::Idle) {
                let Some(turn) = self.waiting.pop() else {
                    if self.quitting || !self.rest(ended)? {
                        break;
                    }
                    continue;
                };
                let command = if turn.hit { turn.command.after_ponderhit() } else { turn.command };
                let goes = matches!(command, Command::Go(_));
                self.obey(command, turn.since.unwrap_or_else(Instant::now))?;
                if goes && turn.stopped {
                    self.stop_errand();
                }
                if turn.stopped || ended {
                    self.release(turn.stopped)?;
                }
            }
            if ended && matches!(self.busy, Busy::Idle) {
                return Ok(());
            }
            let listen = !ended && (!self.waiting.is_full() || self.held());
            let alarm = match (self.alarm(), end_by) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
            let timer = alarm.map_or_else(never, crossbeam_channel::at);
            let closed = never();
            select! {
                recv(if listen { lines } else { &closed }) -> input => match input {
                    Ok(Input::TooLong) => self.error("line longer than 16 MiB skipped")?,
                    Ok(Input::Line(line, read)) => {
                        self.link.taken(line.len());
                        if self.hear(line, read)? == Next::End {
                            ended = true;
                            self.quitting = true;
                            end_by = Some(Instant::now() + LAST_WORK);
                            self.release(false)?;
                        }
                    }
                    Err(_) => {
                        ended = true;
                        end_by = self.guest.as_ref().map(|guest| Instant::now() + guest.patience);
                        self.release(false)?;
                    }
                },
                recv(events) -> event => match event {
                    Ok(event) => self.take(event)?,
                    Err(_) => return Ok(()),
                },
                recv(timer) -> _ => {
                    match end_by.filter(|by| *by <= Instant::now()) {
                        None => self.out_of_time()?,
                        Some(_) if last_words => return Ok(()),
                        Some(_) => {
                            last_words = true;
                            end_by = Some(Instant::now() + LAST_WORDS);
                            self.stop()?;
                        }
                    }
                },
            }
        }
    }

    /// Reports whether the search waits for `stop` or `ponderhit`, so that lines must be read.
    fn held(&self) -> bool {
        matches!(&self.busy, Busy::Search(search) if search.held)
    }

    /// Ends a search that no further `stop` will reach: one that waits for it, or with `any` every one.
    fn release(&mut self, any: bool) -> io::Result<()> {
        if any || self.held() { self.stop_search() } else { Ok(()) }
    }

    /// Ends (`stop`) the running search or table, and the waiting searches.
    pub fn stop(&mut self) -> io::Result<()> {
        self.waiting.stop();
        self.stop_errand();
        self.stop_search()
    }

    /// Ends the table, query or count that is under way.
    fn stop_errand(&self) {
        if let Busy::Errand { stop, .. } = &self.busy {
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// Stops running work that nobody waits for any more.
    pub fn halt(&self) {
        match &self.busy {
            Busy::Idle => {}
            Busy::Errand { .. } => self.stop_errand(),
            Busy::Search(search) => search.stop.store(true, Ordering::Relaxed),
        }
    }

    /// Handles one line: executes it at once, or queues it while other work is running.
    fn hear(&mut self, line: String, read: Instant) -> io::Result<Next> {
        log::trace!("< {}", clean(&line));
        let bytes = line.len();
        let line = match self.foreign(line)? {
            Heard::Line(line) => line,
            Heard::Command(command) => return self.queue(command, bytes, read),
            Heard::Nothing => return Ok(Next::On),
            Heard::Quit => return Ok(Next::End),
        };
        let command = match Command::read(&line) {
            Ok(command) => command,
            Err(Unread::Blank) => return Ok(Next::On),
            Err(why) => Command::Unread(clean(&why.to_string()).to_string()),
        };
        self.queue(command, bytes, read)
    }

    /// Executes a command at once, or queues it while other work is running. `bytes` is the length of its line.
    fn queue(&mut self, command: Command, bytes: usize, read: Instant) -> io::Result<Next> {
        match (command, &self.busy) {
            (Command::Quit, _) => return Ok(Next::End),
            (Command::Stop, _) => self.stop()?,
            (Command::PonderHit, _) => {
                self.waiting.hit();
                self.ponder_hit()?;
            }
            // Behind `bestmove` it waits for the commands before it.
            (Command::IsReady, Busy::Search(search)) if !search.told || self.waiting.is_empty() => {
                self.say("readyok")?
            }
            (Command::Silent, _) => {}
            (command, Busy::Idle) => self.obey(command, read)?,
            (command, _) if self.waiting.is_full() => {
                let text = format!("too many lines wait for the end of the search: skipped {command:?}");
                self.error(&clean(&text))?;
            }
            (command, busy) => {
                let idle =
                    matches!(busy, Busy::Search(search) if search.told) && self.waiting.is_for_the_session();
                self.waiting.push(command, bytes, idle.then_some(read));
            }
        }
        Ok(Next::On)
    }

    /// Executes a command; the loop has the session.
    pub fn obey(&mut self, command: Command, read: Instant) -> io::Result<()> {
        match command {
            Command::Ugi | Command::Uci => self.greet(&command),
            Command::IsReady => self.errand(Task::Prepare(self.options.settings.threads)),
            Command::NewGame(game) => self.new_game(game),
            Command::SetOption { name, value } => self.set_option(&name, &value),
            Command::Reply(on) => self.set_option(options::REPLY, if on { "true" } else { "false" }),
            Command::Position { fen, moves } => self.set_position(fen, &moves),
            Command::Numbered { numbering, number, moves } => self.set_number(numbering, number, moves),
            Command::Misplaced(words) => self.refuse_position(&words),
            Command::Unread(why) => self.error(&why),
            Command::Moves(moves) => self.play_on(&moves),
            Command::Move(word) => self.play_one(&word, read),
            Command::Go(words) => self.go(words, read, false),
            Command::Query(query) => self.query(query),
            Command::Help => self.help(),
            Command::Foreign(line) => self.translate(&line, read),
            // Served when they are heard.
            Command::Quit | Command::Stop | Command::PonderHit | Command::Silent => Ok(()),
        }
    }

    /// Handles a message of the worker.
    fn take(&mut self, event: Event) -> io::Result<()> {
        match event {
            Event::Info(info) => self.report(info),
            Event::Note(text) => self.note(&text),
            Event::Count(word, count) => {
                let word = match (&self.busy, self.variant) {
                    (Busy::Errand { position: Some(position), .. }, Some(variant)) => {
                        variant.move_out(&word, position)
                    }
                    _ => word,
                };
                self.say(&format!("{word}: {count}"))
            }
            Event::Progress(progress) => {
                let of = if progress.total > 0 { format!(" of {}", progress.total) } else { String::new() };
                self.note(&format!("{}: {}{of}", progress.what, progress.done))
            }
            Event::Done(session, Answer::Best(word)) => {
                self.session = Some(*session);
                self.found(word)
            }
            Event::Done(session, answer) => {
                self.busy = Busy::Idle;
                let position = session.position();
                self.session = Some(*session);
                self.answered(answer, &position)
            }
            Event::Failed(fault) => {
                log::error!("internal error: {fault}");
                let answer = match &self.busy {
                    Busy::Search(search) if search.told => None,
                    Busy::Errand { failed, .. } => Some(*failed),
                    _ => Some("bestmove 0000"),
                };
                self.busy = Busy::Idle;
                self.error("internal error: the work was abandoned, the game is set up anew")?;
                self.open(self.variant)?;
                self.refused = true;
                answer.map_or(Ok(()), |answer| self.say(answer))
            }
        }
    }
}

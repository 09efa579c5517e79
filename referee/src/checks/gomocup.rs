//! Checks of the Gomocup protocol.

use super::subject::{Checked, SEARCH, Subject, WHILE, ensure};
use crate::engine_spec::Limits;
use crate::gomocup::{self, Field};

/// Sets up the empty board.
fn start(subject: &mut Subject) -> Result<Field, String> {
    let field = subject.field()?;
    subject.say(&field.start())?;
    let heard = answer(subject)?;
    ensure(heard == "OK", || format!("{heard:?} instead of OK"))?;
    Ok(field)
}

/// Waits for the next line that is no message.
fn answer(subject: &mut Subject) -> Result<String, String> {
    loop {
        let heard = subject.hear(SEARCH)?.text;
        if !heard.starts_with("MESSAGE") && !heard.starts_with("DEBUG") {
            return Ok(heard);
        }
    }
}

/// Waits for a move that is legal in the position of the rules.
fn legal(subject: &mut Subject) -> Result<String, String> {
    let heard = answer(subject)?;
    let word = gomocup::move_in(&heard).ok_or_else(|| format!("{heard:?} instead of a move X,Y"))?;
    match subject.rules.is_legal(&word) {
        true => Ok(word),
        false => Err(format!("{heard:?} is no legal move in {}", subject.rules.position())),
    }
}

pub fn board(subject: &mut Subject) -> Checked {
    start(subject)?;
    subject.say("START 1000")?;
    let heard = answer(subject)?;
    ensure(heard.starts_with("ERROR"), || format!("{heard:?} instead of ERROR for START 1000"))
}

pub fn about(subject: &mut Subject) -> Checked {
    subject.say("ABOUT")?;
    let heard = answer(subject)?;
    ensure(heard.contains("name=\""), || format!("{heard:?} does not name the engine"))
}

pub fn info(subject: &mut Subject) -> Checked {
    start(subject)?;
    subject
        .say("INFO timeout_turn 100\nINFO game_type 1\nINFO rule 0\nINFO frobnicate x\nINFO max_memory 0")?;
    subject.silence(WHILE)
}

pub fn unknown(subject: &mut Subject) -> Checked {
    subject.say("FROBNICATE 1,2")?;
    let heard = answer(subject)?;
    ensure(heard.starts_with("UNKNOWN"), || format!("{heard:?} instead of UNKNOWN"))
}

pub fn whole_game(subject: &mut Subject) -> Checked {
    start(subject)?;
    subject.rules.setup(None).map_err(|e| e.to_string())?;
    subject.say("INFO timeout_turn 200\nBEGIN")?;
    while subject.rules.over().is_none() {
        let word = legal(subject)?;
        subject.rules.play(&word).map_err(|e| e.to_string())?;
        let Some(reply) = subject.rules.legal_moves(1).pop() else { break };
        subject.rules.play(&reply).map_err(|e| e.to_string())?;
        if subject.rules.over().is_none() {
            subject.say(&format!("TURN {}", gomocup::move_out(&reply)))?;
        }
    }
    Ok(())
}

pub fn positions(subject: &mut Subject) -> Checked {
    let mut field = start(subject)?;
    subject.rules.setup(None).map_err(|e| e.to_string())?;
    let limits = Limits { movetime: Some(200), ..Limits::default() };
    for _ in 0..4 {
        let Some(word) = subject.rules.legal_moves(1).pop() else { break };
        subject.rules.play(&word).map_err(|e| e.to_string())?;
        if subject.rules.over().is_some() {
            break;
        }
        let position = subject.rules.position();
        field.rules().setup(Some(&position)).map_err(|e| e.to_string())?;
        subject.say(&field.question(&limits, None))?;
        let word = legal(subject)?;
        subject.keeps_value(&word)?;
    }
    Ok(())
}

pub fn restart(subject: &mut Subject) -> Checked {
    start(subject)?;
    subject.rules.setup(None).map_err(|e| e.to_string())?;
    subject.say("INFO timeout_turn 200\nBEGIN")?;
    legal(subject)?;
    subject.say("RESTART")?;
    let heard = answer(subject)?;
    ensure(heard == "OK", || format!("{heard:?} instead of OK"))?;
    subject.say("BEGIN")?;
    legal(subject)?;
    Ok(())
}

pub fn end(subject: &mut Subject) -> Checked {
    start(subject)?;
    subject.say("END")?;
    // Its input stays open; an engine that has gone does not read the `quit`.
    subject.leave(true)
}

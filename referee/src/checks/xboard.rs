//! Checks of the protocol of XBoard and WinBoard, version 2.

use super::subject::{Checked, SEARCH, Subject, WHILE, ensure};

/// Plies of the game that is played.
const PLIES: usize = 8;
/// Positions that are asked about.
const POSITIONS: usize = 3;
/// A move that no piece makes.
const IMPOSSIBLE: &str = "a1h7";

/// Greets the engine, and returns the features that it names.
fn greet(subject: &mut Subject) -> Result<String, String> {
    subject.say("xboard\nprotover 2")?;
    let lines = subject.hear_through("feature", "done=1")?;
    Ok(lines.join(" "))
}

/// Waits for the next line that is no comment.
fn answer(subject: &mut Subject) -> Result<String, String> {
    loop {
        let heard = subject.hear(subject.soon)?.text;
        if !heard.starts_with('#') {
            return Ok(heard);
        }
    }
}

/// Sets up the position of the rules, in force mode.
fn set_up(subject: &mut Subject) -> Checked {
    let position = subject.rules.position();
    subject.say(&format!("new\nforce\nst 1\nsetboard {position}"))
}

/// Waits for a move that is legal in the position of the rules.
fn legal(subject: &mut Subject) -> Result<String, String> {
    let lines = subject.hear_until("move", SEARCH)?;
    subject.legal(lines.last())
}

pub fn features(subject: &mut Subject) -> Checked {
    let features = greet(subject)?;
    for feature in ["ping=1", "setboard=1", "usermove=1"] {
        ensure(features.contains(feature), || format!("no {feature}"))?;
    }
    Ok(())
}

pub fn ping(subject: &mut Subject) -> Checked {
    greet(subject)?;
    subject.say("ping 7")?;
    let heard = answer(subject)?;
    ensure(heard == "pong 7", || format!("{heard:?} instead of pong 7"))
}

pub fn unknown(subject: &mut Subject) -> Checked {
    greet(subject)?;
    subject.say("frobnicate 1")?;
    let heard = answer(subject)?;
    ensure(heard.starts_with("Error ("), || format!("{heard:?} instead of Error (unknown command)"))
}

pub fn illegal(subject: &mut Subject) -> Checked {
    greet(subject)?;
    set_up(subject)?;
    subject.say(&format!("usermove {IMPOSSIBLE}"))?;
    let heard = answer(subject)?;
    ensure(heard.starts_with("Illegal move"), || format!("{heard:?} instead of Illegal move"))
}

pub fn force(subject: &mut Subject) -> Checked {
    greet(subject)?;
    set_up(subject)?;
    let word = subject.rules.legal_moves(1).pop().ok_or("the game has no move at its start")?;
    subject.say(&format!("usermove {word}"))?;
    subject.silence(WHILE)
}

pub fn game(subject: &mut Subject) -> Checked {
    greet(subject)?;
    set_up(subject)?;
    subject.say("go")?;
    for _ in 0..PLIES / 2 {
        let word = legal(subject)?;
        subject.rules.play(&word).map_err(|e| e.to_string())?;
        let Some(reply) = subject.rules.legal_moves(1).pop() else { break };
        subject.rules.play(&reply).map_err(|e| e.to_string())?;
        subject.say(&format!("usermove {reply}"))?;
        if subject.rules.over().is_some() {
            break;
        }
    }
    Ok(())
}

pub fn positions(subject: &mut Subject) -> Checked {
    greet(subject)?;
    for _ in 0..POSITIONS {
        set_up(subject)?;
        subject.say("go")?;
        let word = legal(subject)?;
        subject.keeps_value(&word)?;
        subject.rules.play(&word).map_err(|e| e.to_string())?;
        if subject.rules.over().is_some() {
            break;
        }
    }
    Ok(())
}

pub fn quit(subject: &mut Subject) -> Checked {
    greet(subject)?;
    subject.leave(true)
}

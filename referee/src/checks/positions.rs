//! Checks of positions that are refused or finished, and of queries.

use grundy_core::game::{GameResult, Player};
use grundy_core::sorting;

use super::subject::{Checked, Subject, ensure};
use crate::engine_spec::Dialect;
use crate::setup::Setup;

/// Sets up a position that must be refused; returns the refusal.
fn refused(subject: &mut Subject, line: &str) -> Result<String, String> {
    subject.say(line)?;
    subject.say("isready")?;
    let mut lines = subject.hear_until("readyok", subject.soon)?;
    lines.pop();
    match &lines[..] {
        [one] if one.starts_with("info string error") => Ok(one.clone()),
        _ => Err(format!("{lines:?} instead of one info string error")),
    }
}

fn nothing_to_play(subject: &mut Subject) -> Checked {
    let (lines, _) = subject.go("go movetime 20")?;
    let last = lines.last().map_or("", String::as_str);
    ensure(last == "bestmove 0000", || format!("{last:?} instead of bestmove 0000"))
}

pub fn bad_position(subject: &mut Subject) -> Checked {
    subject.begin()?;
    refused(subject, "position fen this is no position")?;
    nothing_to_play(subject)?;
    if subject.dialect == Dialect::Ugi {
        let said = subject.query("result")?;
        ensure(said == "none", || format!("query result says {said:?}"))?;
    }
    Ok(())
}

pub fn illegal_move(subject: &mut Subject) -> Checked {
    subject.begin()?;
    let said = refused(subject, "position startpos moves no-such-move")?;
    ensure(said.contains("no-such-move"), || format!("{said:?} does not name the move"))?;
    nothing_to_play(subject)
}

pub fn recovers(subject: &mut Subject) -> Checked {
    subject.begin()?;
    refused(subject, "position fen this is no position")?;
    subject.position(&[])?;
    let (lines, _) = subject.go("go movetime 20")?;
    subject.legal(lines.last()).map(|_| ())
}

pub fn game_over_ugi(subject: &mut Subject) -> Checked {
    subject.begin()?;
    let line = subject.line_to_the_end()?;
    subject.position(&line)?;
    nothing_to_play(subject)
}

pub fn game_over_uci(subject: &mut Subject) -> Checked {
    subject.begin()?;
    let line = subject.line_to_the_end()?;
    subject.position(&line)?;
    let (lines, _) = subject.go("go movetime 20")?;
    let score = lines.iter().any(|line| {
        line.starts_with("info depth 0 ") && (line.contains(" score mate 0") || line.contains(" score cp 0"))
    });
    ensure(score, || "no info depth 0 with score mate 0 or cp 0".to_string())?;
    let last = lines.last().map_or("", String::as_str);
    ensure(last == "bestmove (none)", || format!("{last:?} instead of bestmove (none)"))
}

pub fn turn_query(subject: &mut Subject) -> Checked {
    subject.begin()?;
    let line = subject.line_to_the_end()?;
    for length in 0..line.len().min(3) {
        subject.position(&line[..length])?;
        for (query, player) in [("p1turn", Player::One), ("p2turn", Player::Two)] {
            let expected = (subject.rules.turn() == player).to_string();
            let said = subject.query(query)?;
            ensure(said == expected, || format!("query {query} says {said:?}, expected {expected}"))?;
        }
    }
    Ok(())
}

pub fn end_query(subject: &mut Subject) -> Checked {
    subject.begin()?;
    let line = subject.line_to_the_end()?;
    for length in [0, line.len()] {
        subject.position(&line[..length])?;
        let result = match subject.rules.result() {
            None => "none",
            Some(GameResult::Win(Player::One)) => "p1win",
            Some(GameResult::Win(Player::Two)) => "p2win",
            Some(GameResult::Draw) => "draw",
        };
        let over = subject.rules.over().is_some().to_string();
        for (query, expected) in [("gameover", over.as_str()), ("result", result)] {
            let said = subject.query(query)?;
            ensure(said == expected, || format!("query {query} says {said:?}, expected {expected}"))?;
        }
    }
    Ok(())
}

pub fn moves_query(subject: &mut Subject) -> Checked {
    subject.begin()?;
    subject.position(&[])?;
    let said = subject.query("legalmoves")?;
    let mut said: Vec<&str> = said.split_whitespace().collect();
    let mut expected = subject.rules.legal_moves(10_000);
    sorting::sort(&mut said);
    sorting::sort(&mut expected);
    ensure(said == expected, || format!("{} moves instead of {}", said.len(), expected.len()))?;
    let first = expected.first().cloned().unwrap_or_default();
    for (word, expected) in [(first.as_str(), "true"), ("no-such-move", "false")] {
        let said = subject.query(&format!("islegal {word}"))?;
        ensure(said == expected, || format!("query islegal {word} says {said:?}"))?;
    }
    Ok(())
}

pub fn fen_query(subject: &mut Subject) -> Checked {
    subject.begin()?;
    let line = subject.line_to_the_end()?;
    subject.position(&line[..line.len().min(2)])?;
    let fen = subject.query("fen")?;
    ensure(fen == subject.rules.position(), || format!("{fen:?}, expected {:?}", subject.rules.position()))?;
    subject.say(&subject.command(&Setup::position(&fen)))?;
    let again = subject.query("fen")?;
    ensure(again == fen, || format!("set up again it is {again:?}"))
}

pub fn value_query(subject: &mut Subject) -> Checked {
    subject.begin()?;
    subject.position(&[])?;
    let Some(truth) = subject.exact.value(&subject.rules.position()) else { return Ok(()) };
    let said = subject.query("value")?;
    ensure(said == subject.exact.words(truth), || {
        format!("{said:?}, expected {}", subject.exact.words(truth))
    })
}

pub fn unknown_query(subject: &mut Subject) -> Checked {
    subject.begin()?;
    let said = subject.query("weather")?;
    ensure(said == "unknown", || format!("{said:?} instead of unknown"))
}

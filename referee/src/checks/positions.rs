//! Checks of positions that are refused or finished, and of queries.

use grundy_core::game::{GameResult, Player};
use grundy_core::sorting;

use super::holds::{Checked, ensure};
use crate::spec::Dialect;
use crate::talk::Talk;

/// Sets up what is to be refused; the one line that refuses it.
fn refused(talk: &mut Talk, line: &str) -> Result<String, String> {
    talk.say(line)?;
    talk.say("isready")?;
    let mut lines = talk.hear_until("readyok", talk.soon)?;
    lines.pop();
    match &lines[..] {
        [one] if one.starts_with("info string error") => Ok(one.clone()),
        _ => Err(format!("{lines:?} instead of one info string error")),
    }
}

fn nothing_to_play(talk: &mut Talk) -> Checked {
    let (lines, _) = talk.go("go movetime 20")?;
    let last = lines.last().map_or("", String::as_str);
    ensure(last == "bestmove 0000", || format!("{last:?} instead of bestmove 0000"))
}

pub fn bad_position(talk: &mut Talk) -> Checked {
    talk.begin()?;
    refused(talk, "position fen this is no position")?;
    nothing_to_play(talk)?;
    if talk.dialect == Dialect::Ugi {
        let said = talk.query("result")?;
        ensure(said == "none", || format!("query result says {said:?}"))?;
    }
    Ok(())
}

pub fn illegal_move(talk: &mut Talk) -> Checked {
    talk.begin()?;
    let said = refused(talk, "position startpos moves no-such-move")?;
    ensure(said.contains("no-such-move"), || format!("{said:?} does not name the move"))?;
    nothing_to_play(talk)
}

pub fn recovers(talk: &mut Talk) -> Checked {
    talk.begin()?;
    refused(talk, "position fen this is no position")?;
    talk.position(&[])?;
    let (lines, _) = talk.go("go movetime 20")?;
    talk.legal(lines.last()).map(|_| ())
}

pub fn game_over_ugi(talk: &mut Talk) -> Checked {
    talk.begin()?;
    let line = talk.line_to_the_end()?;
    talk.position(&line)?;
    nothing_to_play(talk)
}

pub fn game_over_uci(talk: &mut Talk) -> Checked {
    talk.begin()?;
    let line = talk.line_to_the_end()?;
    talk.position(&line)?;
    let (lines, _) = talk.go("go movetime 20")?;
    let score = lines.iter().any(|line| {
        line.starts_with("info depth 0 ") && (line.contains(" score mate 0") || line.contains(" score cp 0"))
    });
    ensure(score, || "no info depth 0 with score mate 0 or cp 0".to_string())?;
    let last = lines.last().map_or("", String::as_str);
    ensure(last == "bestmove (none)", || format!("{last:?} instead of bestmove (none)"))
}

pub fn turn_query(talk: &mut Talk) -> Checked {
    talk.begin()?;
    let line = talk.line_to_the_end()?;
    for length in 0..line.len().min(3) {
        talk.position(&line[..length])?;
        for (query, player) in [("p1turn", Player::One), ("p2turn", Player::Two)] {
            let expected = (talk.rules.turn() == player).to_string();
            let said = talk.query(query)?;
            ensure(said == expected, || format!("query {query} says {said:?}, expected {expected}"))?;
        }
    }
    Ok(())
}

pub fn end_query(talk: &mut Talk) -> Checked {
    talk.begin()?;
    let line = talk.line_to_the_end()?;
    for length in [0, line.len()] {
        talk.position(&line[..length])?;
        let result = match talk.rules.result() {
            None => "none",
            Some(GameResult::Win(Player::One)) => "p1win",
            Some(GameResult::Win(Player::Two)) => "p2win",
            Some(GameResult::Draw) => "draw",
        };
        let over = talk.rules.over().is_some().to_string();
        for (query, expected) in [("gameover", over.as_str()), ("result", result)] {
            let said = talk.query(query)?;
            ensure(said == expected, || format!("query {query} says {said:?}, expected {expected}"))?;
        }
    }
    Ok(())
}

pub fn moves_query(talk: &mut Talk) -> Checked {
    talk.begin()?;
    talk.position(&[])?;
    let said = talk.query("legalmoves")?;
    let mut said: Vec<&str> = said.split_whitespace().collect();
    let mut expected = talk.rules.legal_moves(10_000);
    sorting::sort(&mut said);
    sorting::sort(&mut expected);
    ensure(said == expected, || format!("{} moves instead of {}", said.len(), expected.len()))?;
    let first = expected.first().cloned().unwrap_or_default();
    for (word, expected) in [(first.as_str(), "true"), ("no-such-move", "false")] {
        let said = talk.query(&format!("islegal {word}"))?;
        ensure(said == expected, || format!("query islegal {word} says {said:?}"))?;
    }
    Ok(())
}

pub fn fen_query(talk: &mut Talk) -> Checked {
    talk.begin()?;
    let line = talk.line_to_the_end()?;
    talk.position(&line[..line.len().min(2)])?;
    let fen = talk.query("fen")?;
    ensure(fen == talk.rules.position(), || format!("{fen:?}, expected {:?}", talk.rules.position()))?;
    talk.say(&format!("position fen {fen}"))?;
    let again = talk.query("fen")?;
    ensure(again == fen, || format!("set up again it is {again:?}"))
}

pub fn value_query(talk: &mut Talk) -> Checked {
    talk.begin()?;
    talk.position(&[])?;
    let Some(truth) = talk.truth.value(&talk.rules.position()) else { return Ok(()) };
    let said = talk.query("value")?;
    ensure(said == talk.truth.words(truth), || format!("{said:?}, expected {}", talk.truth.words(truth)))
}

pub fn unknown_query(talk: &mut Talk) -> Checked {
    talk.begin()?;
    let said = talk.query("weather")?;
    ensure(said == "unknown", || format!("{said:?} instead of unknown"))
}

//! Checks of the protocol of NBoard, version 2.

use grundy_core::game::Player;

use super::subject::{Checked, SEARCH, Subject, WHILE, ensure};

/// Plies of the game that is played, and of the game that is set up.
const PLIES: usize = 8;

pub fn greeting(subject: &mut Subject) -> Checked {
    subject.say("nboard 2\nset depth 2")?;
    let lines = subject.hear_until("set", subject.soon)?;
    let named = lines.last().is_some_and(|line| line.starts_with("set myname "));
    ensure(named, || format!("{lines:?} instead of set myname"))
}

/// Returns a move as NBoard writes it.
fn move_out(word: &str) -> String {
    if word == "pass" { "PA".to_owned() } else { word.to_ascii_uppercase() }
}

/// Greets the engine and sets up the position of the rules and moves from it, by GGF.
fn set_up(subject: &mut Subject, moves: &[String]) -> Checked {
    greeting(subject)?;
    let position = subject.rules.position();
    let (board, player) = position.split_once(' ').unwrap_or((&position[..], "1"));
    let cells: String = board.rsplit('/').map(|row| row.replace('X', "*").replace('.', "-")).collect();
    ensure(cells.len() == 64, || "NBoard plays on 8x8: --game othello".to_owned())?;
    let mut game = format!("(;GM[Othello]BO[8 {cells} {}]", if player == "1" { "*" } else { "O" });
    for word in moves {
        let side = if subject.rules.turn() == Player::One { 'B' } else { 'W' };
        game += &format!("{side}[{}]", move_out(word));
        subject.rules.play(word).map_err(|e| e.to_string())?;
    }
    subject.say(&format!("set game {game};)"))
}

/// Returns the legal move at the beginning of `text`, perhaps with an evaluation or other moves behind it.
fn legal(subject: &mut Subject, text: &str) -> Result<String, String> {
    let word = text.get(..2).map_or("", |word| if word == "PA" { "pass" } else { word }).to_ascii_lowercase();
    ensure(subject.rules.is_legal(&word), || {
        format!("{text:?} begins with no legal move in {}", subject.rules.position())
    })?;
    Ok(word)
}

/// Waits for a line that begins with `word`, and returns the legal move behind it.
fn told(subject: &mut Subject, word: &str) -> Result<String, String> {
    let line = subject.hear_until(word, SEARCH)?.pop().unwrap_or_default();
    legal(subject, line.split_whitespace().nth(1).unwrap_or(""))
}

pub fn ping(subject: &mut Subject) -> Checked {
    greeting(subject)?;
    subject.say("ping 7")?;
    let lines = subject.hear_until("pong", subject.soon)?;
    ensure(lines.last().is_some_and(|line| line == "pong 7"), || format!("{lines:?} instead of pong 7"))
}

pub fn unknown(subject: &mut Subject) -> Checked {
    greeting(subject)?;
    subject.say("frobnicate 1")?;
    subject.silence(WHILE)
}

pub fn game(subject: &mut Subject) -> Checked {
    set_up(subject, &[])?;
    for _ in 0..PLIES / 2 {
        subject.say("go")?;
        let word = told(subject, "===")?;
        subject.rules.play(&word).map_err(|e| e.to_string())?;
        let Some(reply) = subject.rules.legal_moves(1).pop() else { break };
        subject.rules.play(&reply).map_err(|e| e.to_string())?;
        subject.say(&format!("move {}\nmove {}", move_out(&word), move_out(&reply)))?;
    }
    Ok(())
}

pub fn position(subject: &mut Subject) -> Checked {
    let mut moves = Vec::new();
    for _ in 0..PLIES {
        let Some(word) = subject.rules.legal_moves(1).pop() else { break };
        subject.rules.play(&word).map_err(|e| e.to_string())?;
        moves.push(word);
    }
    subject.rules.setup(None).map_err(|e| e.to_string())?;
    set_up(subject, &moves)?;
    subject.say("go")?;
    told(subject, "===").map(drop)
}

pub fn hint(subject: &mut Subject) -> Checked {
    set_up(subject, &[])?;
    subject.say("hint 2")?;
    told(subject, "search").map(drop)
}

pub fn quit(subject: &mut Subject) -> Checked {
    greeting(subject)?;
    subject.leave(true)
}

//! Checks of the Hub protocol, version 2, for English draughts.

use super::subject::{Checked, SEARCH, Subject, WHILE, ensure};

/// Positions of a game that are set up.
const POSITIONS: usize = 4;

pub fn greeting(subject: &mut Subject) -> Checked {
    subject.say("hub")?;
    let lines = subject.hear_until("wait", subject.soon)?;
    ensure(lines.iter().any(|line| line.starts_with("id name=")), || format!("{lines:?} without id name="))?;
    subject.say("init")?;
    subject.hear_until("ready", subject.soon).map(drop)
}

/// Returns the column and the row from the top of a square such as a1.
fn place(square: &str) -> (usize, usize) {
    let bytes = square.as_bytes();
    let [column, row] = [0, 1].map(|at| usize::from(bytes.get(at).copied().unwrap_or(0)));
    (column.saturating_sub(usize::from(b'a')), usize::from(b'8').saturating_sub(row))
}

/// Returns the number of a square.
fn number((column, row): (usize, usize)) -> usize {
    4 * row + column / 2 + 1
}

/// Returns the numbers of a move's squares: from, to, and the men taken in order.
fn numbers(word: &str) -> Vec<usize> {
    let places: Vec<_> = word.split(['-', 'x']).map(place).collect();
    let mut taken: Vec<usize> = match word.contains('x') {
        true => places.windows(2).map(|w| number(((w[0].0 + w[1].0) / 2, (w[0].1 + w[1].1) / 2))).collect(),
        false => Vec::new(),
    };
    taken.sort_unstable();
    [places[0], places[places.len() - 1]].into_iter().map(number).chain(taken).collect()
}

/// Returns the position of the rules as Hub writes it.
fn position_out(subject: &Subject) -> String {
    let text = subject.rules.position();
    let (board, player) = text.split_once(' ').unwrap_or((&text, "1"));
    let mut out = if player == "1" { "W" } else { "B" }.to_owned();
    for (row, cells) in board.split('/').enumerate() {
        let dark = cells.chars().skip((row + 1) % 2).step_by(2);
        out.extend(dark.map(|cell| match cell {
            'x' => 'w',
            'X' => 'W',
            'o' => 'b',
            'O' => 'B',
            _ => 'e',
        }));
    }
    out
}

/// Asks for a move in the position of the rules, which the arguments `pos` set up; returns the move.
fn asked(subject: &mut Subject, pos: &str) -> Result<String, String> {
    subject.say(&format!("pos {pos}\nlevel move-time=0.2\ngo think"))?;
    let line = subject.hear_until("done", SEARCH)?.pop().unwrap_or_default();
    let told = line.split_whitespace().find_map(|word| word.strip_prefix("move=")).unwrap_or("");
    let mut wanted: Vec<usize> = told.split(['-', 'x']).map(|n| n.parse().unwrap_or(0)).collect();
    let behind = wanted.len().min(2);
    wanted[behind..].sort_unstable();
    let legal = subject.rules.legal_moves(1000).into_iter().find(|word| numbers(word) == wanted);
    legal.ok_or_else(|| format!("{line:?} is no legal move in {}", subject.rules.position()))
}

pub fn ping(subject: &mut Subject) -> Checked {
    greeting(subject)?;
    subject.say("ping")?;
    let lines = subject.hear_until("pong", subject.soon)?;
    ensure(lines.last().is_some_and(|line| line == "pong"), || format!("{lines:?} instead of pong"))
}

pub fn unknown(subject: &mut Subject) -> Checked {
    greeting(subject)?;
    subject.say("frobnicate x=1")?;
    subject.silence(WHILE)
}

pub fn positions(subject: &mut Subject) -> Checked {
    greeting(subject)?;
    for _ in 0..POSITIONS {
        let pos = format!("pos={}", position_out(subject));
        let word = asked(subject, &pos)?;
        subject.keeps_value(&word)?;
        subject.rules.play(&word).map_err(|e| e.to_string())?;
        if subject.rules.over().is_some() {
            break;
        }
    }
    Ok(())
}

pub fn moves(subject: &mut Subject) -> Checked {
    greeting(subject)?;
    let start = position_out(subject);
    let mut moves = Vec::new();
    for _ in 0..POSITIONS {
        let Some(word) = subject.rules.legal_moves(1).pop() else { break };
        let numbers: Vec<String> = numbers(&word).iter().map(usize::to_string).collect();
        moves.push(numbers.join(if word.contains('x') { "x" } else { "-" }));
        subject.rules.play(&word).map_err(|e| e.to_string())?;
        if subject.rules.over().is_some() {
            subject.rules.undo();
            moves.pop();
            break;
        }
    }
    asked(subject, &format!("pos={start} moves=\"{}\"", moves.join(" "))).map(drop)
}

pub fn stop(subject: &mut Subject) -> Checked {
    greeting(subject)?;
    let position = position_out(subject);
    subject.say(&format!("pos pos={position}\nlevel infinite\ngo analyze\nstop"))?;
    subject.hear_until("done", subject.soon).map(drop)
}

pub fn quit(subject: &mut Subject) -> Checked {
    greeting(subject)?;
    subject.leave(true)
}

//! Checks of what a search says: moves, lines, scores, values.

use grundy_core::value::{Value, Wdl};

use super::subject::{Checked, Subject, after, ensure};
use crate::engine_spec::Dialect;
use crate::setup;

pub fn bestmove(subject: &mut Subject) -> Checked {
    subject.begin()?;
    let mut line = Vec::new();
    subject.position(&line)?;
    for _ in 0..60 {
        if subject.rules.over().is_some() {
            break;
        }
        let (lines, _) = subject.go("go movetime 20")?;
        line.push(subject.legal(lines.last())?);
        subject.position(&line)?;
    }
    Ok(())
}

/// Returns the lines of one search from the start.
pub fn searched(subject: &mut Subject) -> Result<Vec<String>, String> {
    subject.begin()?;
    subject.position(&[])?;
    subject.go("go movetime 100").map(|(lines, _)| lines)
}

pub fn two_words(subject: &mut Subject) -> Checked {
    let lines = searched(subject)?;
    let last = lines.last().map_or("", String::as_str);
    ensure(last.split_whitespace().count() == 2, || format!("{last:?}"))
}

pub fn long_lines(subject: &mut Subject) -> Checked {
    let lines = searched(subject)?;
    let short = lines.iter().find(|line| line.len() < 8);
    ensure(short.is_none(), || format!("{short:?} is too short"))
}

pub fn last_info(subject: &mut Subject) -> Checked {
    let lines = searched(subject)?;
    let report = |line: &&String| line.starts_with("info ") && !line.starts_with("info string");
    let info = lines.iter().rfind(report).ok_or("no info line")?;
    for key in ["depth", "nodes", "time", "nps"] {
        let whole = after(info, key).is_some_and(|word| word.parse::<u64>().is_ok());
        ensure(whole, || format!("no whole {key} in {info:?}"))?;
    }
    let score = matches!(after(info, "score"), Some("cp" | "mate"));
    let bound = info.contains(" lowerbound") || info.contains(" upperbound");
    ensure(score && !bound, || format!("no score without bound in {info:?}"))
}

/// Returns the moves of the principal variation in an `info` line; `None` if it has none.
fn variation(line: &str) -> Option<Vec<&str>> {
    let (_, moves) = line.split_once(" pv ")?;
    Some(moves.split_whitespace().take_while(|&word| word != "string").collect())
}

pub fn pv(subject: &mut Subject) -> Checked {
    let lines = searched(subject)?;
    let mut first = None;
    for line in lines.iter().filter(|line| line.starts_with("info ")) {
        let Some(moves) = variation(line) else { continue };
        subject.rules.setup(None).map_err(|e| e.to_string())?;
        for word in &moves {
            subject.rules.play(&subject.move_in(word)).map_err(|e| format!("{line:?}: {e}"))?;
        }
        if after(line, "multipv").is_none_or(|rank| rank == "1") {
            first = moves.first().copied();
        }
    }
    let best = lines.last().and_then(|line| line.split_whitespace().nth(1));
    ensure(first.is_some() && first == best, || {
        format!("the last pv starts with {first:?}, the best move is {best:?}")
    })
}

pub fn short_pv(subject: &mut Subject) -> Checked {
    let lines = searched(subject)?;
    for line in lines.iter().filter(|line| line.contains(" score cp 0 ")) {
        if let Some([only]) = variation(line).as_deref() {
            subject.rules.setup(None).map_err(|e| e.to_string())?;
            subject.rules.play(&subject.move_in(only)).map_err(|e| e.to_string())?;
            ensure(subject.rules.over().is_some(), || format!("{line:?}"))?;
        }
    }
    Ok(())
}

/// Searches lines of moves from the start for a position about which `wanted` knows something: breadth first, `plies`
/// plies deep, the first ten moves of each position.
fn line_to<T>(
    subject: &mut Subject,
    plies: usize,
    wanted: fn(&mut Subject) -> Option<T>,
) -> Result<Option<(Vec<String>, T)>, String> {
    /// The most lines of one length.
    const MOST_LINES: usize = 2_000;
    let mut lines: Vec<Vec<String>> = vec![Vec::new()];
    for _ in 0..plies {
        let mut next = Vec::new();
        for line in lines {
            setup::set_up(&mut subject.rules, None, &line)?;
            if let Some(found) = wanted(subject) {
                return Ok(Some((line, found)));
            }
            let moves = subject.rules.legal_moves(10);
            next.extend(moves.into_iter().map(|word| [&line[..], &[word]].concat()));
        }
        lines = next;
        lines.truncate(MOST_LINES);
    }
    Ok(None)
}

/// Returns the value of an unfinished position that is won or lost in more than two plies.
fn decided(subject: &mut Subject) -> Option<Value> {
    let value = subject.exact.value(&subject.rules.position())?;
    value.plies().is_some_and(|plies| plies > 2).then_some(value)
}

pub fn mate_score(subject: &mut Subject) -> Checked {
    subject.begin()?;
    if subject.rules.unit().is_points() {
        return points_score(subject);
    }
    // A game without distances has no mate scores.
    let Some((line, value)) = line_to(subject, 6, decided)? else { return Ok(()) };
    subject.position(&line)?;
    let (lines, _) = subject.go("go")?;
    let info = lines.iter().rfind(|line| line.contains(" score ")).ok_or("no info line with a score")?;
    let plies = i64::from(value.plies().unwrap_or(0));
    let size = match subject.dialect {
        Dialect::Ugi | Dialect::Gomocup | Dialect::Gtp | Dialect::XBoard => plies,
        Dialect::Uci => (plies + 1) / 2,
    };
    let expected = if value.wdl() == Wdl::Win { size } else { -size };
    let said = after(info, "mate").and_then(|word| word.parse::<i64>().ok());
    ensure(said == Some(expected), || format!("expected score mate {expected} in {info:?}"))
}

/// Checks the score at the start of a game for points, if its value is known.
fn points_score(subject: &mut Subject) -> Checked {
    subject.position(&[])?;
    let Some(margin) = subject.exact.value(&subject.rules.position()).and_then(Value::margin) else {
        return Ok(());
    };
    let (lines, _) = subject.go("go")?;
    let info = lines.iter().rfind(|line| line.contains(" score ")).ok_or("no info line with a score")?;
    let said = after(info, "cp").and_then(|word| word.parse::<i64>().ok());
    let expected = 100 * i64::from(margin) / i64::from(subject.rules.unit().denominator().get());
    ensure(said == Some(expected), || format!("expected score cp {expected} in {info:?}"))
}

pub fn true_value(subject: &mut Subject) -> Checked {
    subject.begin()?;
    for moves in [0, 1, 2] {
        subject.rules.setup(None).map_err(|e| e.to_string())?;
        let mut line = Vec::new();
        for _ in 0..moves {
            let Some(word) = subject.rules.legal_moves(1).pop() else { break };
            subject.rules.play(&word).map_err(|e| e.to_string())?;
            line.push(word);
        }
        subject.position(&line)?;
        if subject.rules.over().is_some() {
            break;
        }
        let Some(truth) = subject.exact.value(&subject.rules.position()) else { return Ok(()) };
        let (lines, _) = subject.go("go movetime 100")?;
        for info in lines
            .iter()
            .filter(|line| line.starts_with("info ") && after(line, "multipv").is_none_or(|r| r == "1"))
        {
            let Some(word) = after(info, "value") else { continue };
            let said = Value::read(word).ok_or_else(|| format!("{word:?} is no value"))?;
            let same = said == truth || (said.plies().is_none() && said.wdl() == truth.wdl());
            ensure(same, || format!("{info:?}: the value is {}", subject.exact.words(truth)))?;
        }
    }
    Ok(())
}

/// Returns the moves that keep the value of a position, if others do not.
fn delicate(subject: &mut Subject) -> Option<Vec<String>> {
    let keeping = subject.exact.preserving_moves(&subject.rules.position()).keeping;
    let count = subject.rules.legal_moves(10).len();
    (!keeping.is_empty() && keeping.len() < count).then_some(keeping)
}

pub fn best_play(subject: &mut Subject) -> Checked {
    subject.begin()?;
    let Some((line, keeping)) = line_to(subject, 5, delicate)? else { return Ok(()) };
    subject.position(&line)?;
    let (lines, _) = subject.go("go movetime 100")?;
    let word = subject.legal(lines.last())?;
    ensure(keeping.contains(&word), || format!("{word} loses value, kept by {}", keeping.join(" ")))
}

pub fn searchmoves(subject: &mut Subject) -> Checked {
    subject.begin()?;
    subject.position(&[])?;
    for word in subject.rules.legal_moves(4) {
        let (lines, _) = subject.go(&format!("go searchmoves {word} movetime 20"))?;
        let played = subject.legal(lines.last())?;
        ensure(played == word, || format!("{played} was played, {word} was asked for"))?;
    }
    Ok(())
}

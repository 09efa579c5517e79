//! Checks of what a search says: moves, lines, scores, values.

use grundy_core::value::{Value, Wdl};

use super::holds::{Checked, after, ensure};
use crate::spec::Dialect;
use crate::talk::Talk;

pub fn bestmove(talk: &mut Talk) -> Checked {
    talk.begin()?;
    let mut line = Vec::new();
    talk.position(&line)?;
    for _ in 0..60 {
        if talk.rules.over().is_some() {
            break;
        }
        let (lines, _) = talk.go("go movetime 20")?;
        line.push(talk.legal(lines.last())?);
        talk.position(&line)?;
    }
    Ok(())
}

/// The lines of one search from the start.
pub fn searched(talk: &mut Talk) -> Result<Vec<String>, String> {
    talk.begin()?;
    talk.position(&[])?;
    talk.go("go movetime 100").map(|(lines, _)| lines)
}

pub fn two_words(talk: &mut Talk) -> Checked {
    let lines = searched(talk)?;
    let last = lines.last().map_or("", String::as_str);
    ensure(last.split_whitespace().count() == 2, || format!("{last:?}"))
}

pub fn long_lines(talk: &mut Talk) -> Checked {
    let lines = searched(talk)?;
    let short = lines.iter().find(|line| line.len() < 8);
    ensure(short.is_none(), || format!("{short:?} is too short"))
}

pub fn last_info(talk: &mut Talk) -> Checked {
    let lines = searched(talk)?;
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

pub fn pv(talk: &mut Talk) -> Checked {
    let lines = searched(talk)?;
    let mut first = None;
    for line in lines.iter().filter(|line| line.starts_with("info ")) {
        let Some((_, moves)) = line.split_once(" pv ") else { continue };
        talk.rules.setup(None).map_err(|e| e.to_string())?;
        for word in moves.split_whitespace() {
            talk.rules.play(&talk.ours(word)).map_err(|e| format!("{line:?}: {e}"))?;
        }
        if after(line, "multipv").is_none_or(|rank| rank == "1") {
            first = moves.split_whitespace().next();
        }
    }
    let best = lines.last().and_then(|line| line.split_whitespace().nth(1));
    ensure(first.is_some() && first == best, || {
        format!("the last pv starts with {first:?}, the best move is {best:?}")
    })
}

pub fn short_pv(talk: &mut Talk) -> Checked {
    let lines = searched(talk)?;
    for line in lines.iter().filter(|line| line.contains(" score cp 0 ")) {
        let Some((_, moves)) = line.split_once(" pv ") else { continue };
        let words: Vec<&str> = moves.split_whitespace().collect();
        if let [only] = words[..] {
            talk.rules.setup(None).map_err(|e| e.to_string())?;
            talk.rules.play(&talk.ours(only)).map_err(|e| e.to_string())?;
            ensure(talk.rules.over().is_some(), || format!("{line:?}"))?;
        }
    }
    Ok(())
}

/// A line of moves to a position that is won or lost in more than two plies, distance known.
fn decided(talk: &mut Talk) -> Result<Option<(Vec<String>, Value)>, String> {
    let mut lines: Vec<Vec<String>> = vec![Vec::new()];
    for _ in 0..6 {
        let mut next = Vec::new();
        for line in lines {
            talk.rules.setup(None).map_err(|e| e.to_string())?;
            for word in &line {
                talk.rules.play(word).map_err(|e| e.to_string())?;
            }
            if talk.rules.over().is_some() {
                continue;
            }
            let value = talk.truth.value(&talk.rules.position());
            if let Some(value) = value.filter(|value| value.plies().is_some_and(|plies| plies > 2)) {
                return Ok(Some((line, value)));
            }
            for word in talk.rules.legal_moves(9) {
                let mut longer: Vec<String> = line.clone();
                longer.push(word);
                next.push(longer);
            }
        }
        lines = next;
        lines.truncate(2000);
    }
    Ok(None)
}

pub fn mate_score(talk: &mut Talk) -> Checked {
    talk.begin()?;
    if talk.rules.unit().is_points() {
        return points_score(talk);
    }
    // A game without distances has no mates to count.
    let Some((line, value)) = decided(talk)? else { return Ok(()) };
    talk.position(&line)?;
    let (lines, _) = talk.go("go")?;
    let info = lines.iter().rfind(|line| line.contains(" score ")).ok_or("no info line with a score")?;
    let plies = i64::from(value.plies().unwrap_or(0));
    let size = match talk.dialect {
        Dialect::Ugi => plies,
        Dialect::Uci => (plies + 1) / 2,
    };
    let expected = if value.wdl() == Wdl::Win { size } else { -size };
    let said = after(info, "mate").and_then(|word| word.parse::<i64>().ok());
    ensure(said == Some(expected), || format!("expected score mate {expected} in {info:?}"))
}

/// At the start of a game for points, where its value is known.
fn points_score(talk: &mut Talk) -> Checked {
    talk.position(&[])?;
    let Some(margin) = talk.truth.value(&talk.rules.position()).and_then(Value::margin) else {
        return Ok(());
    };
    let (lines, _) = talk.go("go")?;
    let info = lines.iter().rfind(|line| line.contains(" score ")).ok_or("no info line with a score")?;
    let said = after(info, "cp").and_then(|word| word.parse::<i64>().ok());
    let expected = 100 * i64::from(margin) / i64::from(talk.rules.unit().parts().get());
    ensure(said == Some(expected), || format!("expected score cp {expected} in {info:?}"))
}

pub fn true_value(talk: &mut Talk) -> Checked {
    talk.begin()?;
    for moves in [0, 1, 2] {
        talk.rules.setup(None).map_err(|e| e.to_string())?;
        let mut line = Vec::new();
        for _ in 0..moves {
            let Some(word) = talk.rules.legal_moves(1).pop() else { break };
            talk.rules.play(&word).map_err(|e| e.to_string())?;
            line.push(word);
        }
        talk.position(&line)?;
        if talk.rules.over().is_some() {
            break;
        }
        let Some(truth) = talk.truth.value(&talk.rules.position()) else { return Ok(()) };
        let (lines, _) = talk.go("go movetime 100")?;
        for info in lines
            .iter()
            .filter(|line| line.starts_with("info ") && after(line, "multipv").is_none_or(|r| r == "1"))
        {
            let Some(word) = after(info, "value") else { continue };
            let said = Value::read(word).ok_or_else(|| format!("{word:?} is no value"))?;
            let same = said == truth || (said.plies().is_none() && said.wdl() == truth.wdl());
            ensure(same, || format!("{info:?}: the value is {}", talk.truth.words(truth)))?;
        }
    }
    Ok(())
}

/// A line of moves to a position in which some moves keep the value and others do not.
fn delicate(talk: &mut Talk) -> Result<Option<Vec<String>>, String> {
    let mut lines: Vec<Vec<String>> = vec![Vec::new()];
    for _ in 0..5 {
        let mut next = Vec::new();
        for line in lines {
            talk.rules.setup(None).map_err(|e| e.to_string())?;
            for word in &line {
                talk.rules.play(word).map_err(|e| e.to_string())?;
            }
            let moves = talk.rules.legal_moves(10);
            let keeping = talk.truth.keepers(&talk.rules.position()).keeping.len();
            if keeping > 0 && keeping < moves.len() {
                return Ok(Some(line));
            }
            for word in moves {
                let mut longer: Vec<String> = line.clone();
                longer.push(word);
                next.push(longer);
            }
        }
        lines = next;
        lines.truncate(500);
    }
    Ok(None)
}

pub fn best_play(talk: &mut Talk) -> Checked {
    talk.begin()?;
    let Some(line) = delicate(talk)? else { return Ok(()) };
    talk.position(&line)?;
    let (lines, _) = talk.go("go movetime 100")?;
    let word = talk.legal(lines.last())?;
    let keepers = talk.truth.keepers(&talk.rules.position());
    ensure(keepers.keeping.contains(&word), || {
        format!("{word} loses value, kept by {}", keepers.keeping.join(" "))
    })
}

pub fn searchmoves(talk: &mut Talk) -> Checked {
    talk.begin()?;
    talk.position(&[])?;
    for word in talk.rules.legal_moves(4) {
        let (lines, _) = talk.go(&format!("go searchmoves {word} movetime 20"))?;
        let played = talk.legal(lines.last())?;
        ensure(played == word, || format!("{played} was played, {word} was asked for"))?;
    }
    Ok(())
}

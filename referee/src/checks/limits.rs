//! Checks of the limits of a search and of what may be said while it lasts.

use std::time::Duration;

use super::holds::{Checked, WHILE, ensure};
use super::search::searched;
use crate::clock;
use crate::talk::Talk;

pub fn movetime(talk: &mut Talk) -> Checked {
    talk.begin()?;
    talk.position(&[])?;
    let mut best = Duration::MAX;
    for _ in 0..5 {
        let (lines, took) = talk.go("go movetime 10")?;
        talk.legal(lines.last())?;
        best = best.min(took);
    }
    ensure(best < Duration::from_millis(20), || format!("{} ms at the least", best.as_millis()))
}

pub fn small_limits(talk: &mut Talk) -> Checked {
    talk.begin()?;
    for limit in ["depth 1", "nodes 1", "depth 0", "nodes 0", "movetime 0", "movetime 1"] {
        talk.position(&[])?;
        let (lines, _) = talk.go(&format!("go {limit}"))?;
        talk.legal(lines.last()).map_err(|why| format!("{limit}: {why}"))?;
    }
    Ok(())
}

pub fn odd_go(talk: &mut Talk) -> Checked {
    talk.begin()?;
    for words in [
        "movetime 20 sideways",
        "sideways 3 movetime 20",
        "wtime -5 btime -5",
        "p1time 50 p2time 50",
        "wtime 50 btime 50 winc 0 binc 0 movestogo 3",
        "p2time 50",
        "movetime",
        "movetime x depth 1",
        "movetime 99999999999999999999 nodes 1",
    ] {
        talk.position(&[])?;
        let (lines, _) = talk.go(&format!("go {words}"))?;
        talk.legal(lines.last()).map_err(|why| format!("{words}: {why}"))?;
    }
    Ok(())
}

/// No `bestmove` for a while; other lines may come.
fn no_bestmove(talk: &mut Talk) -> Checked {
    let until = clock::now() + WHILE;
    while clock::now() < until {
        match talk.hear(until.saturating_duration_since(clock::now())) {
            Ok(heard) if heard.text.starts_with("bestmove") => {
                return Err("bestmove came before stop".to_string());
            }
            Ok(_) => {}
            Err(why) if why.contains("gone") => return Err(why),
            Err(_) => break,
        }
    }
    Ok(())
}

/// Says a line and wants this word back within 100 ms, the best of three.
fn promptly(talk: &mut Talk, say: &str, word: &str) -> Result<Vec<String>, String> {
    let asked = clock::now();
    talk.say(say)?;
    let lines = talk.hear_until(word, talk.soon)?;
    let took = clock::since(asked);
    ensure(took < Duration::from_millis(100), || format!("{word} took {} ms", took.as_millis()))?;
    Ok(lines)
}

fn three_times(talk: &mut Talk, one: fn(&mut Talk) -> Checked) -> Checked {
    talk.begin()?;
    let mut last = Ok(());
    for _ in 0..3 {
        last = one(talk);
        if last.as_ref().err().is_none_or(|why| !why.contains(" took ")) {
            return last;
        }
    }
    last
}

pub fn infinite(talk: &mut Talk) -> Checked {
    three_times(talk, |talk| {
        talk.position(&[])?;
        talk.say("go infinite")?;
        no_bestmove(talk)?;
        let lines = promptly(talk, "stop", "bestmove")?;
        talk.legal(lines.last()).map(|_| ())
    })
}

pub fn ponder(talk: &mut Talk) -> Checked {
    talk.begin()?;
    for end in ["ponderhit", "stop"] {
        talk.position(&[])?;
        talk.say("go ponder movetime 30")?;
        no_bestmove(talk).map_err(|why| why.replace("stop", end))?;
        talk.say(end)?;
        let lines = talk.hear_until("bestmove", talk.soon)?;
        talk.legal(lines.last())?;
    }
    Ok(())
}

pub fn early_stop(talk: &mut Talk) -> Checked {
    talk.begin()?;
    talk.position(&[])?;
    let (lines, _) = talk.go("go infinite\nstop")?;
    talk.legal(lines.last()).map(|_| ())
}

pub fn idle_stop(talk: &mut Talk) -> Checked {
    talk.begin()?;
    talk.say("stop\nponderhit\nstop")?;
    talk.silence(WHILE)
}

pub fn ready_in_search(talk: &mut Talk) -> Checked {
    three_times(talk, |talk| {
        talk.position(&[])?;
        talk.say("go infinite")?;
        let lines = promptly(talk, "isready", "readyok");
        talk.say("stop")?;
        talk.hear_until("bestmove", talk.soon)?;
        let early = lines?.iter().any(|line| line.starts_with("bestmove"));
        ensure(!early, || "isready ended the search".to_string())
    })
}

pub fn busy(talk: &mut Talk) -> Checked {
    talk.begin()?;
    talk.position(&[])?;
    talk.say("go infinite\nposition startpos")?;
    no_bestmove(talk)?;
    let refused = talk.traffic.iter().find(|line| line.starts_with("< info string error"));
    ensure(refused.is_none(), || format!("{refused:?} for a line that is to wait"))?;
    talk.say("stop")?;
    let lines = talk.hear_until("bestmove", talk.soon)?;
    talk.legal(lines.last()).map(|_| ())
}

pub fn after_bestmove(talk: &mut Talk) -> Checked {
    searched(talk)?;
    talk.silence(WHILE)
}

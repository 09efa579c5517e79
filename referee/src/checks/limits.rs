//! Checks of the limits of a search and of what may be said while it lasts.

use std::time::Duration;

use super::search::searched;
use super::subject::{Checked, Subject, WHILE, ensure};
use crate::clock;
use crate::setup::Setup;

pub fn movetime(subject: &mut Subject) -> Checked {
    subject.begin()?;
    subject.position(&[])?;
    let mut best = Duration::MAX;
    for _ in 0..5 {
        let (lines, took) = subject.go("go movetime 10")?;
        subject.legal(lines.last())?;
        best = best.min(took);
    }
    ensure(best < Duration::from_millis(20), || format!("{} ms at best", best.as_millis()))
}

pub fn small_limits(subject: &mut Subject) -> Checked {
    subject.begin()?;
    for limit in ["depth 1", "nodes 1", "depth 0", "nodes 0", "movetime 0", "movetime 1"] {
        subject.position(&[])?;
        let (lines, _) = subject.go(&format!("go {limit}"))?;
        subject.legal(lines.last()).map_err(|why| format!("{limit}: {why}"))?;
    }
    Ok(())
}

pub fn odd_go(subject: &mut Subject) -> Checked {
    subject.begin()?;
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
        subject.position(&[])?;
        let (lines, _) = subject.go(&format!("go {words}"))?;
        subject.legal(lines.last()).map_err(|why| format!("{words}: {why}"))?;
    }
    Ok(())
}

/// Fails if `bestmove` comes within a while; other lines may come.
fn no_bestmove(subject: &mut Subject) -> Checked {
    let until = clock::now() + WHILE;
    while clock::now() < until {
        match subject.hear(until.saturating_duration_since(clock::now())) {
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

/// Says a line and waits for `word`; fails after 100 ms.
fn promptly(subject: &mut Subject, say: &str, word: &str) -> Result<Vec<String>, String> {
    let asked = clock::now();
    subject.say(say)?;
    let lines = subject.hear_until(word, subject.soon)?;
    let took = clock::since(asked);
    ensure(took < Duration::from_millis(100), || format!("{word} took {} ms", took.as_millis()))?;
    Ok(lines)
}

fn three_times(subject: &mut Subject, one: fn(&mut Subject) -> Checked) -> Checked {
    subject.begin()?;
    let mut last = Ok(());
    for _ in 0..3 {
        last = one(subject);
        if last.as_ref().err().is_none_or(|why| !why.contains(" took ")) {
            return last;
        }
    }
    last
}

pub fn infinite(subject: &mut Subject) -> Checked {
    three_times(subject, |subject| {
        subject.position(&[])?;
        subject.say("go infinite")?;
        no_bestmove(subject)?;
        let lines = promptly(subject, "stop", "bestmove")?;
        subject.legal(lines.last()).map(|_| ())
    })
}

pub fn ponder(subject: &mut Subject) -> Checked {
    subject.begin()?;
    for end in ["ponderhit", "stop"] {
        subject.position(&[])?;
        subject.say("go ponder movetime 30")?;
        no_bestmove(subject).map_err(|why| why.replace("stop", end))?;
        subject.say(end)?;
        let lines = subject.hear_until("bestmove", subject.soon)?;
        subject.legal(lines.last())?;
    }
    Ok(())
}

pub fn early_stop(subject: &mut Subject) -> Checked {
    subject.begin()?;
    subject.position(&[])?;
    let (lines, _) = subject.go("go infinite\nstop")?;
    subject.legal(lines.last()).map(|_| ())
}

pub fn idle_stop(subject: &mut Subject) -> Checked {
    subject.begin()?;
    subject.say("stop\nponderhit\nstop")?;
    subject.silence(WHILE)
}

pub fn ready_in_search(subject: &mut Subject) -> Checked {
    three_times(subject, |subject| {
        subject.position(&[])?;
        subject.say("go infinite")?;
        let lines = promptly(subject, "isready", "readyok");
        subject.say("stop")?;
        subject.hear_until("bestmove", subject.soon)?;
        let early = lines?.iter().any(|line| line.starts_with("bestmove"));
        ensure(!early, || "isready ended the search".to_string())
    })
}

pub fn busy(subject: &mut Subject) -> Checked {
    subject.begin()?;
    subject.position(&[])?;
    subject.say(&format!("go infinite\n{}", subject.command(&Setup::default())))?;
    no_bestmove(subject)?;
    let refused = subject.traffic.iter().find(|line| line.starts_with("< info string error"));
    ensure(refused.is_none(), || format!("{refused:?} for a line that is to wait"))?;
    subject.say("stop")?;
    let lines = subject.hear_until("bestmove", subject.soon)?;
    subject.legal(lines.last()).map(|_| ())
}

pub fn after_bestmove(subject: &mut Subject) -> Checked {
    searched(subject)?;
    subject.silence(WHILE)
}

//! The checks of the conformance suite, one a rule of the protocol.

use std::time::{Duration, Instant};

use grundy::game::{GameResult, Player};
use grundy::value::{Unit, Value, Wdl};

use crate::conformance::Check;
use crate::spec::Dialect;
use crate::talk::{SOON, Talk};

const UGI: Option<Dialect> = Some(Dialect::Ugi);
const UCI: Option<Dialect> = Some(Dialect::Uci);
/// Long enough for an engine that says too much to say it.
const WHILE: Duration = Duration::from_millis(120);

/// All checks, in the order of their numbers.
#[rustfmt::skip]
pub static CHECKS: &[Check] = &[
    Check { name: "no-banner", dialect: None, run: no_banner, demands: "nothing is said before it is asked" },
    Check { name: "greeting", dialect: None, run: greeting, demands: "id name, id author, options, then ugiok or uciok, and nothing else" },
    Check { name: "options", dialect: None, run: options, demands: "option lines have one-word names, a type, a default inside its bounds" },
    Check { name: "ready", dialect: None, run: ready, demands: "isready is answered readyok, once, and nothing else" },
    Check { name: "many-ready", dialect: None, run: many_ready, demands: "a thousand isready in one write get a thousand readyok" },
    Check { name: "odd-options", dialect: None, run: odd_options, demands: "an unknown or half a setoption is survived" },
    Check { name: "unknown-command", dialect: None, run: unknown_command, demands: "an unknown line is survived and answered by info string at most" },
    Check { name: "blanks", dialect: None, run: blanks, demands: "blank lines, blanks around words and carriage returns change nothing" },
    Check { name: "garbage", dialect: None, run: garbage, demands: "control characters and a line of a megabyte are survived" },
    Check { name: "bestmove", dialect: None, run: bestmove, demands: "go is answered by one legal bestmove" },
    Check { name: "two-words", dialect: UGI, run: two_words, demands: "bestmove is exactly two words" },
    Check { name: "long-lines", dialect: None, run: long_lines, demands: "every line between go and bestmove has at least 8 bytes" },
    Check { name: "last-info", dialect: None, run: last_info, demands: "the last info before bestmove has a score without bound and whole depth, nodes, time and nps" },
    Check { name: "pv", dialect: None, run: pv, demands: "every pv is legal to its last move; the last pv starts with the best move" },
    Check { name: "short-pv", dialect: None, run: short_pv, demands: "a pv of one move with a drawn score ends the game" },
    Check { name: "mate-score", dialect: None, run: mate_score, demands: "score mate counts plies in UGI and the winner's moves in UCI; a point is score cp 100" },
    Check { name: "true-value", dialect: None, run: true_value, demands: "a value in an info line is the exact value" },
    Check { name: "best-play", dialect: None, run: best_play, demands: "a best move keeps the exact value" },
    Check { name: "movetime", dialect: None, run: movetime, demands: "movetime 10 is met with less than 10 ms over (best of five)" },
    Check { name: "small-limits", dialect: None, run: small_limits, demands: "depth 1 and nodes 1 are answered" },
    Check { name: "odd-go", dialect: None, run: odd_go, demands: "unknown words, missing and negative clocks still give a legal move" },
    Check { name: "searchmoves", dialect: None, run: searchmoves, demands: "searchmoves limits the moves that may be played" },
    Check { name: "infinite", dialect: None, run: infinite, demands: "go infinite waits for stop, and stop is answered within 100 ms" },
    Check { name: "ponder", dialect: None, run: ponder, demands: "go ponder waits for ponderhit or stop" },
    Check { name: "early-stop", dialect: None, run: early_stop, demands: "a stop right behind go gives a legal move" },
    Check { name: "idle-stop", dialect: None, run: idle_stop, demands: "stop and ponderhit without a search say nothing" },
    Check { name: "ready-in-search", dialect: None, run: ready_in_search, demands: "isready during a search is answered within 100 ms" },
    Check { name: "busy", dialect: None, run: busy, demands: "position during a search is refused and the search goes on" },
    Check { name: "after-bestmove", dialect: None, run: after_bestmove, demands: "nothing follows bestmove" },
    Check { name: "quit", dialect: None, run: quit, demands: "quit ends the engine within half a second, during a search too" },
    Check { name: "end-of-input", dialect: None, run: end_of_input, demands: "the end of input ends the engine, during a search too" },
    Check { name: "bad-position", dialect: None, run: bad_position, demands: "a bad position gets one info string error, then go answers bestmove 0000" },
    Check { name: "illegal-move", dialect: None, run: illegal_move, demands: "an illegal move in a position is named in one info string error" },
    Check { name: "recovers", dialect: None, run: recovers, demands: "after a refused position a good one is played again" },
    Check { name: "game-over", dialect: UGI, run: game_over_ugi, demands: "go in a finished position answers bestmove 0000" },
    Check { name: "game-over", dialect: UCI, run: game_over_uci, demands: "go in a finished position answers info depth 0 score mate 0 or cp 0, bestmove (none)" },
    Check { name: "new-game", dialect: None, run: new_game, demands: "a new game sets up the start position" },
    Check { name: "turn-query", dialect: UGI, run: turn_query, demands: "query p1turn and p2turn answer true or false" },
    Check { name: "end-query", dialect: UGI, run: end_query, demands: "query gameover and result are those of the rules, at the start and at the end" },
    Check { name: "moves-query", dialect: UGI, run: moves_query, demands: "query legalmoves and islegal are those of the rules" },
    Check { name: "fen-query", dialect: UGI, run: fen_query, demands: "query fen gives a position that can be set up again" },
    Check { name: "value-query", dialect: UGI, run: value_query, demands: "query value is the exact value" },
    Check { name: "unknown-query", dialect: UGI, run: unknown_query, demands: "an unknown query is answered response unknown" },
];

type Checked = Result<(), String>;

fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(otherwise()) }
}

/// The words of an info line as `key`, and what follows it.
fn after<'l>(line: &'l str, key: &str) -> Option<&'l str> {
    line.split_whitespace().skip_while(|&word| word != key).nth(1)
}

fn no_banner(talk: &mut Talk) -> Checked {
    talk.silence(2 * WHILE)
}

fn greeting(talk: &mut Talk) -> Checked {
    let lines = talk.greet()?;
    let known = ["id name ", "id author ", "option name "];
    let last = lines.len() - 1;
    let stray = lines[..last].iter().find(|line| !known.iter().any(|start| line.starts_with(start)));
    ensure(stray.is_none(), || format!("{stray:?} in the greeting"))?;
    for start in &known[..2] {
        ensure(lines.iter().filter(|line| line.starts_with(start)).count() == 1, || {
            format!("not one {start:?}")
        })?;
    }
    ensure(lines[last].split_whitespace().count() == 1, || {
        format!("{:?} has more than one word", lines[last])
    })?;
    talk.silence(WHILE)
}

fn options(talk: &mut Talk) -> Checked {
    for line in talk.greet()?.iter().filter(|line| line.starts_with("option")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let bad = || format!("{line:?}");
        let (Some(&"name"), Some(&"type"), Some(&kind)) = (words.get(1), words.get(3), words.get(4)) else {
            return Err(bad());
        };
        let default = after(line, "default");
        let number = |key: &str| after(line, key).and_then(|word| word.parse::<i128>().ok());
        let holds = match kind {
            "button" => true,
            "check" => matches!(default, Some("true" | "false")),
            "string" => default.is_some(),
            "spin" => match (number("default"), number("min"), number("max")) {
                (Some(default), Some(min), Some(max)) => min <= default && default <= max,
                _ => false,
            },
            "combo" => words.windows(2).any(|pair| pair[0] == "var" && Some(pair[1]) == default),
            _ => false,
        };
        ensure(holds, bad)?;
    }
    Ok(())
}

fn ready(talk: &mut Talk) -> Checked {
    talk.begin()?;
    talk.say("isready")?;
    let heard = talk.hear(SOON)?.text;
    ensure(heard == "readyok", || format!("{heard:?} instead of readyok"))?;
    talk.silence(WHILE)
}

fn many_ready(talk: &mut Talk) -> Checked {
    talk.begin()?;
    talk.say(&vec!["isready"; 1000].join("\n"))?;
    for _ in 0..1000 {
        let heard = talk.hear(SOON)?.text;
        ensure(heard == "readyok", || format!("{heard:?} instead of readyok"))?;
    }
    talk.silence(WHILE)
}

fn odd_options(talk: &mut Talk) -> Checked {
    talk.begin()?;
    for line in [
        "setoption name NoSuchOption value 1",
        "setoption",
        "setoption name",
        "setoption name Hash",
        "setoption name Hash value x",
        "setoption name Hash value 99999999999999999999",
        "setoption value 3",
    ] {
        talk.say(line)?;
    }
    only_info(talk)
}

/// Up to `readyok` nothing but `info string` is said.
fn only_info(talk: &mut Talk) -> Checked {
    talk.say("isready")?;
    let mut lines = talk.hear_until("readyok", SOON)?;
    lines.pop();
    let stray = lines.iter().find(|line| !line.starts_with("info string"));
    ensure(stray.is_none(), || format!("{stray:?} where only info string is allowed"))
}

fn unknown_command(talk: &mut Talk) -> Checked {
    talk.begin()?;
    for line in ["hello", "xyzzy 1 2 3", "bestmove a1", "go-away", "query"] {
        talk.say(line)?;
    }
    talk.say("isready")?;
    talk.hear_until("readyok", SOON).map(|_| ())
}

fn blanks(talk: &mut Talk) -> Checked {
    talk.begin()?;
    talk.say("\n\n   \nposition   startpos  \r")?;
    talk.rules.setup(None).map_err(|e| e.to_string())?;
    let (lines, _) = talk.go("  go   movetime   20 \r")?;
    talk.legal(lines.last()).map(|_| ())
}

fn garbage(talk: &mut Talk) -> Checked {
    talk.begin()?;
    talk.say("\u{0}\u{1}\u{7f}\u{feff}\u{fffd}")?;
    talk.say(&"x".repeat(1 << 20))?;
    talk.say(&format!("position fen {}", "9/".repeat(10_000)))?;
    talk.say("isready")?;
    talk.hear_until("readyok", SOON)?;
    talk.position(&[])?;
    let (lines, _) = talk.go("go movetime 20")?;
    talk.legal(lines.last()).map(|_| ())
}

fn bestmove(talk: &mut Talk) -> Checked {
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
fn searched(talk: &mut Talk) -> Result<Vec<String>, String> {
    talk.begin()?;
    talk.position(&[])?;
    talk.go("go movetime 100").map(|(lines, _)| lines)
}

fn two_words(talk: &mut Talk) -> Checked {
    let lines = searched(talk)?;
    let last = lines.last().map_or("", String::as_str);
    ensure(last.split_whitespace().count() == 2, || format!("{last:?}"))
}

fn long_lines(talk: &mut Talk) -> Checked {
    let lines = searched(talk)?;
    let short = lines.iter().find(|line| line.len() < 8);
    ensure(short.is_none(), || format!("{short:?} is too short"))
}

fn last_info(talk: &mut Talk) -> Checked {
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

fn pv(talk: &mut Talk) -> Checked {
    let lines = searched(talk)?;
    let mut first = None;
    for line in lines.iter().filter(|line| line.starts_with("info ")) {
        let Some((_, moves)) = line.split_once(" pv ") else { continue };
        talk.rules.setup(None).map_err(|e| e.to_string())?;
        for word in moves.split_whitespace() {
            talk.rules.play(word).map_err(|e| format!("{line:?}: {e}"))?;
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

fn short_pv(talk: &mut Talk) -> Checked {
    let lines = searched(talk)?;
    for line in lines.iter().filter(|line| line.contains(" score cp 0 ")) {
        let Some((_, moves)) = line.split_once(" pv ") else { continue };
        let words: Vec<&str> = moves.split_whitespace().collect();
        if let [only] = words[..] {
            talk.rules.setup(None).map_err(|e| e.to_string())?;
            talk.rules.play(only).map_err(|e| e.to_string())?;
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

fn mate_score(talk: &mut Talk) -> Checked {
    talk.begin()?;
    if talk.rules.unit() == Unit::Points {
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
    ensure(said == Some(100 * i64::from(margin)), || {
        format!("expected score cp {} in {info:?}", 100 * margin)
    })
}

fn true_value(talk: &mut Talk) -> Checked {
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

fn best_play(talk: &mut Talk) -> Checked {
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

fn movetime(talk: &mut Talk) -> Checked {
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

fn small_limits(talk: &mut Talk) -> Checked {
    talk.begin()?;
    for limit in ["depth 1", "nodes 1", "depth 0", "nodes 0", "movetime 0", "movetime 1"] {
        talk.position(&[])?;
        let (lines, _) = talk.go(&format!("go {limit}"))?;
        talk.legal(lines.last()).map_err(|why| format!("{limit}: {why}"))?;
    }
    Ok(())
}

fn odd_go(talk: &mut Talk) -> Checked {
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

fn searchmoves(talk: &mut Talk) -> Checked {
    talk.begin()?;
    talk.position(&[])?;
    for word in talk.rules.legal_moves(4) {
        let (lines, _) = talk.go(&format!("go searchmoves {word} movetime 20"))?;
        let played = talk.legal(lines.last())?;
        ensure(played == word, || format!("{played} was played, {word} was asked for"))?;
    }
    Ok(())
}

/// No `bestmove` for a while; other lines may come.
fn no_bestmove(talk: &mut Talk) -> Checked {
    let until = Instant::now() + WHILE;
    while Instant::now() < until {
        match talk.hear(until.saturating_duration_since(Instant::now())) {
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
    let asked = Instant::now();
    talk.say(say)?;
    let lines = talk.hear_until(word, SOON)?;
    let took = asked.elapsed();
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

fn infinite(talk: &mut Talk) -> Checked {
    three_times(talk, |talk| {
        talk.position(&[])?;
        talk.say("go infinite")?;
        no_bestmove(talk)?;
        let lines = promptly(talk, "stop", "bestmove")?;
        talk.legal(lines.last()).map(|_| ())
    })
}

fn ponder(talk: &mut Talk) -> Checked {
    talk.begin()?;
    for end in ["ponderhit", "stop"] {
        talk.position(&[])?;
        talk.say("go ponder movetime 30")?;
        no_bestmove(talk).map_err(|why| why.replace("stop", end))?;
        talk.say(end)?;
        let lines = talk.hear_until("bestmove", SOON)?;
        talk.legal(lines.last())?;
    }
    Ok(())
}

fn early_stop(talk: &mut Talk) -> Checked {
    talk.begin()?;
    talk.position(&[])?;
    let (lines, _) = talk.go("go infinite\nstop")?;
    talk.legal(lines.last()).map(|_| ())
}

fn idle_stop(talk: &mut Talk) -> Checked {
    talk.begin()?;
    talk.say("stop\nponderhit\nstop")?;
    talk.silence(WHILE)
}

fn ready_in_search(talk: &mut Talk) -> Checked {
    three_times(talk, |talk| {
        talk.position(&[])?;
        talk.say("go infinite")?;
        let lines = promptly(talk, "isready", "readyok");
        talk.say("stop")?;
        talk.hear_until("bestmove", SOON)?;
        let early = lines?.iter().any(|line| line.starts_with("bestmove"));
        ensure(!early, || "isready ended the search".to_string())
    })
}

fn busy(talk: &mut Talk) -> Checked {
    talk.begin()?;
    talk.position(&[])?;
    talk.say("go infinite\nposition startpos")?;
    no_bestmove(talk)?;
    let refused = talk.traffic.iter().filter(|line| line.starts_with("< info string error")).count();
    ensure(refused == 1, || format!("{refused} lines info string error instead of 1"))?;
    talk.say("stop")?;
    let lines = talk.hear_until("bestmove", SOON)?;
    talk.legal(lines.last()).map(|_| ())
}

fn after_bestmove(talk: &mut Talk) -> Checked {
    searched(talk)?;
    talk.silence(WHILE)
}

fn quit(talk: &mut Talk) -> Checked {
    talk.begin()?;
    talk.position(&[])?;
    talk.say("go infinite")?;
    talk.leave(true)
}

fn end_of_input(talk: &mut Talk) -> Checked {
    talk.begin()?;
    talk.position(&[])?;
    talk.say("go infinite")?;
    talk.leave(false)
}

/// Sets up what is to be refused; the one line that refuses it.
fn refused(talk: &mut Talk, line: &str) -> Result<String, String> {
    talk.say(line)?;
    talk.say("isready")?;
    let mut lines = talk.hear_until("readyok", SOON)?;
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

fn bad_position(talk: &mut Talk) -> Checked {
    talk.begin()?;
    refused(talk, "position fen this is no position")?;
    nothing_to_play(talk)?;
    if talk.dialect == Dialect::Ugi {
        let said = talk.query("result")?;
        ensure(said == "none", || format!("query result says {said:?}"))?;
    }
    Ok(())
}

fn illegal_move(talk: &mut Talk) -> Checked {
    talk.begin()?;
    let said = refused(talk, "position startpos moves no-such-move")?;
    ensure(said.contains("no-such-move"), || format!("{said:?} does not name the move"))?;
    nothing_to_play(talk)
}

fn recovers(talk: &mut Talk) -> Checked {
    talk.begin()?;
    refused(talk, "position fen this is no position")?;
    talk.position(&[])?;
    let (lines, _) = talk.go("go movetime 20")?;
    talk.legal(lines.last()).map(|_| ())
}

fn game_over_ugi(talk: &mut Talk) -> Checked {
    talk.begin()?;
    let line = talk.line_to_the_end()?;
    talk.position(&line)?;
    nothing_to_play(talk)
}

fn game_over_uci(talk: &mut Talk) -> Checked {
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

fn new_game(talk: &mut Talk) -> Checked {
    talk.begin()?;
    let mut line = talk.line_to_the_end()?;
    line.truncate(1);
    talk.position(&line)?;
    talk.say(if talk.dialect == Dialect::Ugi { "uginewgame" } else { "ucinewgame" })?;
    talk.rules.setup(None).map_err(|e| e.to_string())?;
    if talk.dialect == Dialect::Ugi {
        let expected = (talk.rules.turn() == Player::One).to_string();
        let said = talk.query("p1turn")?;
        ensure(said == expected, || format!("query p1turn says {said:?}"))?;
        let fen = talk.query("fen")?;
        return ensure(fen == talk.rules.position(), || format!("the position is {fen:?}"));
    }
    // A move that is not legal in the position before shows which position it is.
    let first = line.remove(0);
    let (lines, _) = talk.go(&format!("go searchmoves {first} movetime 20"))?;
    let played = talk.legal(lines.last())?;
    ensure(played == first, || format!("{played} was played where {first} is legal again"))
}

fn turn_query(talk: &mut Talk) -> Checked {
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

fn end_query(talk: &mut Talk) -> Checked {
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

fn moves_query(talk: &mut Talk) -> Checked {
    talk.begin()?;
    talk.position(&[])?;
    let said = talk.query("legalmoves")?;
    let mut said: Vec<&str> = said.split_whitespace().collect();
    let mut expected = talk.rules.legal_moves(10_000);
    said.sort_unstable();
    expected.sort_unstable();
    ensure(said == expected, || format!("{} moves instead of {}", said.len(), expected.len()))?;
    let first = expected.first().cloned().unwrap_or_default();
    for (word, expected) in [(first.as_str(), "true"), ("no-such-move", "false")] {
        let said = talk.query(&format!("islegal {word}"))?;
        ensure(said == expected, || format!("query islegal {word} says {said:?}"))?;
    }
    Ok(())
}

fn fen_query(talk: &mut Talk) -> Checked {
    talk.begin()?;
    let line = talk.line_to_the_end()?;
    talk.position(&line[..line.len().min(2)])?;
    let fen = talk.query("fen")?;
    ensure(fen == talk.rules.position(), || format!("{fen:?}, expected {:?}", talk.rules.position()))?;
    talk.say(&format!("position fen {fen}"))?;
    let again = talk.query("fen")?;
    ensure(again == fen, || format!("set up again it is {again:?}"))
}

fn value_query(talk: &mut Talk) -> Checked {
    talk.begin()?;
    talk.position(&[])?;
    let Some(truth) = talk.truth.value(&talk.rules.position()) else { return Ok(()) };
    let said = talk.query("value")?;
    ensure(said == talk.truth.words(truth), || format!("{said:?}, expected {}", talk.truth.words(truth)))
}

fn unknown_query(talk: &mut Talk) -> Checked {
    talk.begin()?;
    let said = talk.query("weather")?;
    ensure(said == "unknown", || format!("{said:?} instead of unknown"))
}

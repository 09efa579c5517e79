//! Checks of greeting, options and farewell, and of what an engine must survive.

use grundy_core::game::Player;

use super::holds::{Checked, WHILE, after, ensure};
use crate::spec::Dialect;
use crate::talk::Talk;

pub fn no_banner(talk: &mut Talk) -> Checked {
    talk.silence(2 * WHILE)
}

pub fn greeting(talk: &mut Talk) -> Checked {
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

pub fn options(talk: &mut Talk) -> Checked {
    for line in talk.greet()?.iter().filter(|line| line.starts_with("option")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let bad = || format!("{line:?}");
        // A name may be of several words.
        let named = words.get(1) == Some(&"name") && words.get(2).is_some_and(|&word| word != "type");
        let Some(kind) = after(line, "type").filter(|_| named) else { return Err(bad()) };
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

pub fn ready(talk: &mut Talk) -> Checked {
    talk.begin()?;
    talk.say("isready")?;
    let heard = talk.hear(talk.soon)?.text;
    ensure(heard == "readyok", || format!("{heard:?} instead of readyok"))?;
    talk.silence(WHILE)
}

pub fn many_ready(talk: &mut Talk) -> Checked {
    talk.begin()?;
    talk.say(&vec!["isready"; 1000].join("\n"))?;
    for _ in 0..1000 {
        let heard = talk.hear(talk.soon)?.text;
        ensure(heard == "readyok", || format!("{heard:?} instead of readyok"))?;
    }
    talk.silence(WHILE)
}

pub fn odd_options(talk: &mut Talk) -> Checked {
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
    let mut lines = talk.hear_until("readyok", talk.soon)?;
    lines.pop();
    let stray = lines.iter().find(|line| !line.starts_with("info string"));
    ensure(stray.is_none(), || format!("{stray:?} where only info string is allowed"))
}

pub fn unknown_command(talk: &mut Talk) -> Checked {
    talk.begin()?;
    for line in ["hello", "xyzzy 1 2 3", "bestmove a1", "go-away", "query"] {
        talk.say(line)?;
    }
    talk.say("isready")?;
    talk.hear_until("readyok", talk.soon).map(|_| ())
}

pub fn blanks(talk: &mut Talk) -> Checked {
    talk.begin()?;
    talk.say("\n\n   \nposition   startpos  \r")?;
    talk.rules.setup(None).map_err(|e| e.to_string())?;
    let (lines, _) = talk.go("  go   movetime   20 \r")?;
    talk.legal(lines.last()).map(|_| ())
}

pub fn garbage(talk: &mut Talk) -> Checked {
    talk.begin()?;
    talk.say("\u{0}\u{1}\u{7f}\u{feff}\u{fffd}")?;
    talk.say(&"x".repeat(1 << 20))?;
    talk.say(&format!("position fen {}", "9/".repeat(10_000)))?;
    talk.say("isready")?;
    talk.hear_until("readyok", talk.soon)?;
    talk.position(&[])?;
    let (lines, _) = talk.go("go movetime 20")?;
    talk.legal(lines.last()).map(|_| ())
}

pub fn quit(talk: &mut Talk) -> Checked {
    talk.begin()?;
    talk.position(&[])?;
    talk.say("go infinite")?;
    talk.leave(true)
}

pub fn end_of_input(talk: &mut Talk) -> Checked {
    talk.begin()?;
    talk.position(&[])?;
    talk.say("go infinite")?;
    talk.leave(false)
}

pub fn new_game(talk: &mut Talk) -> Checked {
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

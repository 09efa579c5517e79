//! Checks of greeting, options and exit, and of input that an engine must survive.

use grundy_core::game::Player;

use super::subject::{Checked, Subject, WHILE, after, ensure};
use crate::engine_spec::Dialect;
use crate::setup::Setup;

pub fn no_banner(subject: &mut Subject) -> Checked {
    subject.silence(2 * WHILE)
}

pub fn greeting(subject: &mut Subject) -> Checked {
    let lines = subject.greet()?;
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
    subject.silence(WHILE)
}

pub fn options(subject: &mut Subject) -> Checked {
    for line in subject.greet()?.iter().filter(|line| line.starts_with("option")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let bad = || format!("{line:?}");
        // A name may have several words.
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

pub fn ready(subject: &mut Subject) -> Checked {
    subject.begin()?;
    subject.say("isready")?;
    let heard = subject.hear(subject.soon)?.text;
    ensure(heard == "readyok", || format!("{heard:?} instead of readyok"))?;
    subject.silence(WHILE)
}

pub fn many_ready(subject: &mut Subject) -> Checked {
    subject.begin()?;
    subject.say(&vec!["isready"; 1000].join("\n"))?;
    for _ in 0..1000 {
        let heard = subject.hear(subject.soon)?.text;
        ensure(heard == "readyok", || format!("{heard:?} instead of readyok"))?;
    }
    subject.silence(WHILE)
}

pub fn odd_options(subject: &mut Subject) -> Checked {
    subject.begin()?;
    for line in [
        "setoption name NoSuchOption value 1",
        "setoption",
        "setoption name",
        "setoption name Hash",
        "setoption name Hash value x",
        "setoption name Hash value 99999999999999999999",
        "setoption value 3",
    ] {
        subject.say(line)?;
    }
    only_info(subject)
}

/// Fails if anything but `info string` comes before `readyok`.
fn only_info(subject: &mut Subject) -> Checked {
    subject.say("isready")?;
    let mut lines = subject.hear_until("readyok", subject.soon)?;
    lines.pop();
    let stray = lines.iter().find(|line| !line.starts_with("info string"));
    ensure(stray.is_none(), || format!("{stray:?} where only info string is allowed"))
}

pub fn unknown_command(subject: &mut Subject) -> Checked {
    subject.begin()?;
    for line in ["hello", "xyzzy 1 2 3", "bestmove a1", "go-away", "query"] {
        subject.say(line)?;
    }
    subject.say("isready")?;
    subject.hear_until("readyok", subject.soon).map(|_| ())
}

pub fn blanks(subject: &mut Subject) -> Checked {
    subject.begin()?;
    let command = subject.command(&Setup::default()).replacen(' ', "   ", 1);
    subject.say(&format!("\n\n   \n{command}  \r"))?;
    subject.rules.setup(None).map_err(|e| e.to_string())?;
    let (lines, _) = subject.go("  go   movetime   20 \r")?;
    subject.legal(lines.last()).map(|_| ())
}

pub fn garbage(subject: &mut Subject) -> Checked {
    subject.begin()?;
    subject.say("\u{0}\u{1}\u{7f}\u{feff}\u{fffd}")?;
    subject.say(&"x".repeat(1 << 20))?;
    subject.say(&format!("position fen {}", "9/".repeat(10_000)))?;
    subject.say("isready")?;
    subject.hear_until("readyok", subject.soon)?;
    subject.position(&[])?;
    let (lines, _) = subject.go("go movetime 20")?;
    subject.legal(lines.last()).map(|_| ())
}

pub fn quit(subject: &mut Subject) -> Checked {
    subject.begin()?;
    subject.position(&[])?;
    subject.say("go infinite")?;
    subject.leave(true)
}

pub fn end_of_input(subject: &mut Subject) -> Checked {
    subject.begin()?;
    subject.position(&[])?;
    subject.say("go infinite")?;
    subject.leave(false)
}

pub fn new_game(subject: &mut Subject) -> Checked {
    subject.begin()?;
    let mut line = subject.line_to_the_end()?;
    line.truncate(1);
    subject.position(&line)?;
    subject.new_game()?;
    subject.rules.setup(None).map_err(|e| e.to_string())?;
    if subject.dialect == Dialect::Ugi {
        let expected = (subject.rules.turn() == Player::One).to_string();
        let said = subject.query("p1turn")?;
        ensure(said == expected, || format!("query p1turn says {said:?}"))?;
        let fen = subject.query("fen")?;
        return ensure(fen == subject.rules.position(), || format!("the position is {fen:?}"));
    }
    // A move that was illegal in the previous position shows which position it is.
    let first = line.remove(0);
    let (lines, _) = subject.go(&format!("go searchmoves {first} movetime 20"))?;
    let played = subject.legal(lines.last())?;
    ensure(played == first, || format!("{played} was played where {first} is legal again"))
}

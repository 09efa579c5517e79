//! Regression suites: positions with what an engine must say and play there.
//!
//! A line is `position ; value win:5 ; best a1 b2 ; avoid c3`, or for chess an EPD with `bm`, `am` and `dm`. A position
//! is written as a FEN or like a command of the protocol: `startpos moves a1 b2`, `fen F moves a1`. A line `game NAME`
//! sets the game for those below it; `#` begins a remark.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use grundy_core::files;
use grundy_core::value::{Value, Wdl};
use grundy_session::{Catalog, Session};

use crate::engine::{Claim, Clocks, Engine};
use crate::output::deliver;
use crate::san;
use crate::settings::Thinking;
use crate::traffic::TrafficLog;
use crate::truth;
use crate::verdict::{Fault, Gravity};
use grundy_draw::escape;

/// The largest file of positions, in bytes.
const LARGEST_FILE: u64 = 1 << 28;

/// The suite's part of the command line.
#[derive(clap::Args, Debug)]
pub struct SuiteArgs {
    /// The positions with what is expected
    pub file: PathBuf,
    /// The engine: its command, with settings among the words as in `match`
    #[arg(long, value_name = "COMMAND")]
    pub engine: String,
    /// The game, where the file does not name it
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    #[command(flatten)]
    pub thinking: Thinking,
    /// Write the outcome as JUnit XML as well
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
}

/// A position and what is expected of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Case {
    line: usize,
    game: String,
    position: String,
    value: Option<Value>,
    mate_in: Option<u32>,
    best: Vec<String>,
    avoid: Vec<String>,
}

/// Runs a suite; the outcome in words.
///
/// # Errors
/// The file cannot be read or says what cannot be; one line.
pub fn run(catalog: &Catalog, args: &SuiteArgs) -> Result<(String, Gravity), String> {
    let text =
        files::read_text(&args.file, LARGEST_FILE).map_err(|e| format!("{}: {e}", args.file.display()))?;
    let cases =
        read(catalog, &text, args.game.as_deref()).map_err(|e| format!("{}:{e}", args.file.display()))?;
    let spec = args.thinking.specs(std::slice::from_ref(&args.engine))?.remove(0);
    let name = spec.name.clone().unwrap_or_default();
    let mut player: Option<(Engine, String)> = None;
    let mut out = String::new();
    let mut outcomes: Vec<(&Case, Result<(), String>)> = Vec::new();
    let mut worst = Gravity::Clean;
    for case in &cases {
        let outcome = with_engine(catalog, &mut player, case, |game| {
            Engine::start(catalog, &spec, Some(game), &name, &TrafficLog::default())
        });
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(fault) => {
                player = None;
                worst = worst.max(fault.gravity());
                Err(format!("the engine {fault}"))
            }
        };
        if let Err(why) = &outcome {
            worst = worst.max(Gravity::Slipped);
            let _ = writeln!(out, "FAIL line {}: {why}: position fen {}", case.line, case.position);
        }
        outcomes.push((case, outcome));
    }
    let passed = outcomes.iter().filter(|(_, outcome)| outcome.is_ok()).count();
    let _ = writeln!(out, "{passed} of {} positions as expected", outcomes.len());
    if let Some(path) = &args.junit {
        write_junit(path, &outcomes)?;
    }
    Ok((out, worst))
}

/// One case, with the engine that is running or a new one.
fn with_engine(
    catalog: &Catalog,
    player: &mut Option<(Engine, String)>,
    case: &Case,
    start: impl Fn(&str) -> Result<Engine, Fault>,
) -> Result<Result<(), String>, Fault> {
    let (mut engine, playing) = match player.take() {
        Some((mut engine, playing)) => {
            if playing != case.game {
                engine.choose(&case.game)?;
                engine.new_game()?;
            }
            (engine, case.game.clone())
        }
        None => {
            let mut engine = start(&case.game)?;
            engine.new_game()?;
            (engine, case.game.clone())
        }
    };
    let outcome = ask(catalog, &mut engine, case)?;
    *player = Some((engine, playing));
    Ok(outcome)
}

fn ask(catalog: &Catalog, player: &mut Engine, case: &Case) -> Result<Result<(), String>, Fault> {
    let Ok(mut rules) = truth::rules(catalog, &case.game) else { return Ok(Err("no such game".to_string())) };
    if let Err(e) = rules.setup(Some(&case.position)) {
        return Ok(Err(e.to_string()));
    }
    let clocks = Clocks {
        side: rules.turn(),
        left: [None; 2],
        increment: [std::time::Duration::ZERO; 2],
        moves_to_go: 0,
    };
    let command = format!("position fen {}", case.position);
    if rules.over().is_some() {
        let said = player.query(&command, "value")?.and_then(|said| Value::read(&said));
        return Ok(judge_value(case, said.map(Claim::Exact), &rules));
    }
    let answer = player.think(&command, &clocks)?;
    if rules.play(&answer.word).is_err() {
        return Err(Fault::IllegalMove(answer.word));
    }
    let word = rules.history().last().cloned().unwrap_or(answer.word);
    if !case.best.is_empty() && !case.best.contains(&word) {
        return Ok(Err(format!("played {word}, expected {}", case.best.join(" or "))));
    }
    if case.avoid.contains(&word) {
        return Ok(Err(format!("played {word}, which is to be avoided")));
    }
    let mut claim = answer.claim;
    if case.value.is_some()
        && let Some(value) = player.query(&command, "value")?.and_then(|said| Value::read(&said))
    {
        claim = Some(Claim::Exact(value));
    }
    if let Some(moves) = case.mate_in {
        let plies = match claim {
            Some(Claim::Exact(value)) if value.wdl() == Wdl::Win => value.plies(),
            Some(Claim::Within(Wdl::Win, plies)) => Some(plies),
            _ => None,
        };
        if plies.map(|plies| plies.div_ceil(2)) != Some(moves) {
            return Ok(Err(format!("no mate in {moves} was announced")));
        }
    }
    // Back to the position that was asked about.
    rules.undo();
    Ok(judge_value(case, claim, &rules))
}

fn judge_value(case: &Case, claim: Option<Claim>, rules: &Session) -> Result<(), String> {
    let unit = rules.unit();
    match (case.value, claim) {
        (None, _) => Ok(()),
        (Some(value), Some(claim)) if claim.agrees(value, rules.outcome(value)) => Ok(()),
        (Some(value), Some(claim)) => {
            Err(format!("said {}, expected {}", claim.words(unit), value.show(unit)))
        }
        (Some(value), None) => Err(format!("said no value, expected {}", value.show(unit))),
    }
}

fn read(catalog: &Catalog, text: &str, game: Option<&str>) -> Result<Vec<Case>, String> {
    let mut game = game.map(str::to_string);
    let mut cases = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let number = i + 1;
        let line = line.split('#').next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        if let Some(name) = line.strip_prefix("game ") {
            truth::rules(catalog, name.trim()).map_err(|e| format!("{number}: {e}"))?;
            game = Some(name.trim().to_string());
            continue;
        }
        let epd = [" bm ", " am ", " dm "].iter().any(|code| line.contains(code)) && !line.contains(" ; ");
        let name = match (&game, epd) {
            (Some(game), _) => game.clone(),
            (None, true) => san::game(catalog)?.to_string(),
            (None, false) => return Err(format!("{number}: which game? a line `game NAME`, or --game")),
        };
        let case = if epd { read_epd(catalog, line) } else { read_own(line) };
        let mut case = case.map_err(|e| format!("{number}: {e}"))?;
        let mut rules = truth::rules(catalog, &name).map_err(|e| format!("{number}: {e}"))?;
        if !epd {
            case.position = placed(&mut rules, &case.position).map_err(|e| format!("{number}: {e}"))?;
        }
        rules.setup(Some(&case.position)).map_err(|e| format!("{number}: {e}"))?;
        for word in case.best.iter().chain(&case.avoid) {
            if !rules.is_legal(word) {
                return Err(format!("{number}: {word} is no legal move there"));
            }
        }
        let mut spelt = |words: &[String]| words.iter().filter_map(|word| rules.spelling(word)).collect();
        let (best, avoid) = (spelt(&case.best), spelt(&case.avoid));
        cases.push(Case { line: number, game: name, best, avoid, ..case });
    }
    Ok(cases)
}

/// The position that `[position] startpos|[fen] F [moves M ..]` sets up.
fn placed(rules: &mut Session, text: &str) -> Result<String, String> {
    let text = text.strip_prefix("position ").unwrap_or(text).trim();
    let (place, moves) = match text.split_once(" moves") {
        Some((place, moves)) if moves.is_empty() || moves.starts_with(' ') => (place.trim(), moves),
        _ => (text, ""),
    };
    let start = Some(place.strip_prefix("fen ").unwrap_or(place)).filter(|&fen| fen != "startpos");
    rules.setup(start).map_err(|e| e.to_string())?;
    for word in moves.split_whitespace() {
        rules.play(word).map_err(|e| e.to_string())?;
    }
    Ok(rules.position())
}

fn read_own(line: &str) -> Result<Case, String> {
    let mut parts = line.split(';').map(str::trim);
    let position = parts.next().unwrap_or("").to_string();
    let mut case = Case { position, ..Case::default() };
    for part in parts.filter(|part| !part.is_empty()) {
        let (key, rest) = part.split_once(' ').unwrap_or((part, ""));
        let words = || rest.split_whitespace().map(str::to_string).collect();
        match key {
            "value" => {
                let value = Value::read(rest.trim());
                case.value = Some(value.ok_or_else(|| format!("{rest:?} is no value"))?);
            }
            "best" => case.best = words(),
            "avoid" => case.avoid = words(),
            _ => return Err(format!("{key:?}: expected value, best or avoid")),
        }
    }
    Ok(case)
}

/// Extended Position Description: four fields of a FEN and operations that end with `;`.
fn read_epd(catalog: &Catalog, line: &str) -> Result<Case, String> {
    let mut fields = line.splitn(5, ' ');
    let fen: Vec<&str> = fields.by_ref().take(4).collect();
    let mut case = Case { position: fen.join(" "), ..Case::default() };
    for operation in fields.next().unwrap_or("").split(';').map(str::trim).filter(|o| !o.is_empty()) {
        let (code, rest) = operation.split_once(' ').unwrap_or((operation, ""));
        let position = case.position.clone();
        let moves = || -> Result<Vec<String>, String> {
            rest.split_whitespace().map(|word| san::read(catalog, &position, word)).collect()
        };
        match code {
            "bm" => case.best = moves()?,
            "am" => case.avoid = moves()?,
            "dm" => case.mate_in = Some(rest.parse().map_err(|_| format!("dm {rest:?}: expected a number"))?),
            _ => {}
        }
    }
    Ok(case)
}

fn write_junit(path: &Path, outcomes: &[(&Case, Result<(), String>)]) -> Result<(), String> {
    let failures = outcomes.iter().filter(|(_, outcome)| outcome.is_err()).count();
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"grundy suite\" tests=\"{}\" failures=\"{failures}\">\n",
        outcomes.len()
    );
    for (case, outcome) in outcomes {
        let (class, name) = (escape(&case.game), escape(&case.position));
        let _ = write!(text, "  <testcase classname=\"{class}\" name=\"line {}: {name}\"", case.line);
        let _ = match outcome {
            Ok(()) => writeln!(text, "/>"),
            Err(why) => writeln!(text, "><failure message=\"{}\"/></testcase>", escape(why)),
        };
    }
    text += "</testsuite>\n";
    deliver(&text, Some(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::CATALOG;

    #[test]
    fn lines_say_what_is_expected() {
        let cases =
            read(&CATALOG, "game nim:1,2\n1,2 1 ; value win ; best 2:1 # remark\n\n0,1 2;best 2:1", None)
                .unwrap();
        assert_eq!((cases.len(), cases[0].line, cases[1].line), (2, 2, 4));
        assert_eq!(cases[0].value, Some(Value::WIN));
        let cases = read(
            &CATALOG,
            "game nim:1,2\nstartpos ; best 2:1\nposition startpos moves 1:1 ; best 2:2\nfen 1,2 1 moves 2:1;best 1:1",
            None,
        )
        .unwrap();
        let positions: Vec<&str> = cases.iter().map(|case| case.position.as_str()).collect();
        assert_eq!(positions, ["1,2 1", "0,2 2", "1,1 2"]);
        for bad in [
            "1,2 1",
            "game nim:1,2\nstartpos moves 9:9",
            "game nim:1,2\n1,2 1 ; worst x",
            "game nim:1,2\n1,2 1 ; best 9:9",
            "game nim:1,2\nx",
        ] {
            assert!(read(&CATALOG, bad, None).is_err(), "{bad}");
        }
    }
}

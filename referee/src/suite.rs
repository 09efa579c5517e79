//! Regression suites: positions with expected values and moves.
//!
//! A line is `position ; value win:5 ; best a1 b2 ; avoid c3`, for chess an EPD with `bm`, `am` and `dm`, for Othello a
//! line in OBF; see [`positions`]. A line `game NAME` sets the game for those below it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use grundy_core::files;
use grundy_core::text::{counted, excerpt};
use grundy_core::value::{Value, Wdl};
use grundy_engine::paths;
use grundy_session::{Catalog, Session};

use crate::claim::{Claim, Text};
use crate::engine::{Clocks, Engine};
use crate::engine_spec::EngineSpec;
use crate::games;
use crate::output::{deliver, escaped};
use crate::positions::{self, Epd, LARGEST_FILE};
use crate::san;
use crate::settings::Thinking;
use crate::setup::{Setup, command};
use crate::traffic::TrafficLog;
use crate::verdict::{Fault, Severity};

/// The most colons of a move with its value.
const MOST_COLONS: usize = 16;

/// Arguments of `referee suite`.
#[derive(clap::Args, Debug)]
pub struct SuiteArgs {
    /// The positions with what is expected
    pub file: PathBuf,
    /// The engine: its command, with settings among the words as in `match`
    #[arg(long, value_name = "COMMAND")]
    pub engine: String,
    /// The game of positions before the file's first `game NAME`
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    #[command(flatten)]
    pub thinking: Thinking,
    /// Also write the outcomes to this file as JUnit XML
    #[arg(long, value_name = "FILE", value_parser = paths::written())]
    pub junit: Option<PathBuf>,
}

/// A position and what is expected of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Case {
    line: usize,
    /// The name that an EPD gives it; empty for none.
    id: String,
    game: String,
    position: String,
    value: Option<Value>,
    mate_in: Option<u32>,
    best: Vec<String>,
    avoid: Vec<String>,
}

impl Case {
    /// Returns the line of the case, with its name.
    fn place(&self) -> String {
        match self.id.as_str() {
            "" => format!("line {}", self.line),
            id => format!("line {} ({})", self.line, excerpt(id, 80)),
        }
    }

    /// Reports whether the case expects anything.
    fn expects(&self) -> bool {
        self.value.is_some() || self.mate_in.is_some() || !self.best.is_empty() || !self.avoid.is_empty()
    }
}

/// Runs a suite; returns its report.
///
/// # Errors
/// The file cannot be read or says what cannot be; one line.
pub fn run(catalog: &Catalog, args: &SuiteArgs) -> Result<(String, Severity), String> {
    let text =
        files::read_text(&args.file, LARGEST_FILE).map_err(|e| format!("{}: {e}", args.file.display()))?;
    let cases =
        read(catalog, &text, args.game.as_deref()).map_err(|e| format!("{}:{e}", args.file.display()))?;
    if cases.is_empty() {
        return Err(format!(
            "{}: no positions: expected at least one, with what is expected of it",
            args.file.display()
        ));
    }
    let spec = args.thinking.specs(std::slice::from_ref(&args.engine))?.remove(0);
    let mut player: Option<(Engine, String)> = None;
    let mut out = String::new();
    let mut outcomes: Vec<(&Case, Result<(), String>)> = Vec::new();
    let mut worst = Severity::Clean;
    for case in &cases {
        let outcome = match with_engine(catalog, &mut player, case, &spec) {
            Ok(outcome) => {
                player.iter().try_for_each(|(engine, _)| engine.check_options())?;
                outcome
            }
            Err(fault) => {
                player = None;
                worst = worst.max(fault.severity());
                Err(format!("the engine {fault}"))
            }
        };
        if let Err(why) = &outcome {
            worst = worst.max(Severity::Slipped);
            let _ = writeln!(out, "FAIL {}: {why}: {}", case.place(), command::of(&case.position));
        }
        outcomes.push((case, outcome));
    }
    let passed = outcomes.iter().filter(|(_, outcome)| outcome.is_ok()).count();
    let _ = writeln!(out, "{passed} of {} as expected", counted(outcomes.len(), "position"));
    if let Some(path) = &args.junit {
        write_junit(path, &outcomes)?;
    }
    Ok((out, worst))
}

/// Runs one case, with the running engine or a new one.
fn with_engine(
    catalog: &Catalog,
    player: &mut Option<(Engine, String)>,
    case: &Case,
    spec: &EngineSpec,
) -> Result<Result<(), String>, Fault> {
    let mut engine = match player.take() {
        Some((engine, playing)) if playing == case.game => engine,
        Some((mut engine, _)) => {
            engine.choose(&case.game)?;
            engine.new_game()?;
            engine
        }
        None => Engine::begin(catalog, spec, &case.game, &TrafficLog::default())?,
    };
    let outcome = ask(catalog, &mut engine, case)?;
    *player = Some((engine, case.game.clone()));
    Ok(outcome)
}

fn ask(catalog: &Catalog, player: &mut Engine, case: &Case) -> Result<Result<(), String>, Fault> {
    let Ok(mut rules) = games::rules(catalog, &case.game) else { return Ok(Err("no such game".to_string())) };
    if let Err(e) = rules.setup(Some(&case.position)) {
        return Ok(Err(e.to_string()));
    }
    let clocks = Clocks::full(&player.spec.limits, rules.turn());
    let setup = Setup::position(&case.position);
    if rules.over().is_some() {
        let said = player.query(&setup, "value")?.and_then(|said| Value::read(&said));
        return Ok(judge_value(case, said.map(Claim::Exact), &rules));
    }
    let answer = player.think(&setup, &clocks)?;
    if rules.play(&answer.word).is_err() {
        return Err(Fault::illegal_move(&answer.word));
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
        && let Some(value) = player.query(&setup, "value")?.and_then(|said| Value::read(&said))
    {
        claim = Some(Claim::Exact(value));
    }
    if let Some(moves) = case.mate_in {
        let win = match claim {
            Some(Claim::Exact(value)) if value.wdl() == Wdl::Win => Some(value),
            Some(Claim::Within(Wdl::Win, plies)) => Some(Value::win_in(plies)),
            _ => None,
        };
        if win.and_then(Value::moves_to_mate) != Some(moves) {
            return Ok(Err(format!("no mate in {moves} was announced")));
        }
    }
    // Back to the position of the case.
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

/// Reads the lines of a suite; `game` is that of the lines before the first `game NAME`.
///
/// # Errors
/// A line cannot be read or expects nothing; one line that begins with its number.
pub(crate) fn read(catalog: &Catalog, text: &str, game: Option<&str>) -> Result<Vec<Case>, String> {
    let mut game = game.map(str::to_string);
    let mut cases = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let number = i + 1;
        let refused = |why: String| format!("{number}: {why}");
        let epd = positions::may_be_epd(catalog, game.as_deref()).then(|| Epd::read(line)).flatten();
        let line = positions::without_remark(line);
        if let (Some(name), None) = (line.strip_prefix("game "), &epd) {
            games::rules(catalog, name.trim()).map_err(refused)?;
            game = Some(name.trim().to_string());
            continue;
        }
        if line.is_empty() {
            continue;
        }
        let name = match (&game, &epd, catalog.recognize(line)) {
            (Some(game), _, _) => game.clone(),
            (None, Some(_), _) => san::game(catalog)?.to_string(),
            (None, None, Some(recognized)) => recognized.to_owned(),
            (None, None, None) => {
                return Err(refused("which game? a line `game NAME`, or --game".to_string()));
            }
        };
        let mut rules = games::rules(catalog, &name).map_err(refused)?;
        let case = match epd {
            Some(epd) => epd.and_then(|epd| read_epd(&epd)),
            None => read_own(&mut rules, line),
        };
        let mut case = Case { line: number, game: name, ..case.map_err(refused)? };
        if !case.expects() {
            let what = "nothing is expected there: expected value, best or avoid, in EPD bm, am or dm";
            return Err(refused(what.to_string()));
        }
        rules.setup(Some(&case.position)).map_err(|e| refused(e.to_string()))?;
        for words in [&mut case.best, &mut case.avoid] {
            for word in words {
                let spelt = rules.spelling(word);
                *word = spelt.ok_or_else(|| refused(format!("{word} is no legal move there")))?;
            }
        }
        if let Some(word) = case.best.iter().find(|word| case.avoid.contains(word)) {
            return Err(refused(format!("{word} is best and to be avoided: expected different moves")));
        }
        cases.push(case);
    }
    Ok(cases)
}

/// Reads a line in our notation, or in OBF: `BOARD X; f5:+3; d6:+1`, moves with their values.
fn read_own(rules: &mut Session, line: &str) -> Result<Case, String> {
    let mut parts = line.split(';').map(str::trim);
    Setup::read(parts.next().unwrap_or("")).set_up(rules)?;
    let mut case = Case { position: rules.position(), ..Case::default() };
    for part in parts.filter(|part| !part.is_empty()) {
        let (key, rest) = part.split_once(' ').unwrap_or((part, ""));
        let is_key = ["value", "best", "avoid"].contains(&key);
        // Moves may have a colon of their own: `2:1:win`, `best 2:1`.
        if part.contains(':') && !is_key {
            let mut colons = part
                .match_indices(':')
                .take(MOST_COLONS)
                .map(|(at, _)| (part[..at].trim(), part[at + 1..].trim()));
            let Some((word, value)) = colons.find(|(word, _)| rules.is_legal(word)) else {
                let part = excerpt(part, 200);
                return Err(format!(
                    "{part}: expected MOVE:VALUE with a legal move, or value, best or avoid"
                ));
            };
            let value = Value::read(value).ok_or_else(|| format!("{:?} is no value", excerpt(value, 200)))?;
            if case.value.is_none_or(|best| value > best) {
                (case.value, case.best) = (Some(value), Vec::new());
            }
            if case.value == Some(value) {
                case.best.push(word.to_string());
            }
            continue;
        }
        let words = || rest.split_whitespace().map(str::to_string).collect();
        match key {
            "value" => {
                let value = Value::read(rest.trim());
                case.value = Some(value.ok_or_else(|| format!("{:?} is no value", excerpt(rest, 200)))?);
            }
            "best" => case.best = words(),
            "avoid" => case.avoid = words(),
            _ => return Err(format!("{:?}: expected value, best or avoid", excerpt(key, 200))),
        }
    }
    Ok(case)
}

/// Reads what a line of EPD expects: moves, or in `dm` and `bm #3` the number of moves to a mate.
fn read_epd(epd: &Epd) -> Result<Case, String> {
    let moves = |code: &'static str| {
        let words = epd.operands(code).map(|word| word.trim_end_matches(','));
        // `exd6 e.p.` is one move.
        words.filter(|word| !["", "e.p.", "ep"].contains(word)).map(str::to_string)
    };
    let mut case = Case {
        id: epd.operands("id").collect::<Vec<_>>().join(" "),
        position: epd.fen.clone(),
        avoid: moves("am").collect(),
        ..Case::default()
    };
    for word in epd.operands("dm") {
        case.mate_in =
            Some(word.parse().map_err(|_| format!("dm {:?}: expected a number", excerpt(word, 200)))?);
    }
    for word in moves("bm") {
        match word.strip_prefix('#') {
            Some(number) => {
                let number = number
                    .parse()
                    .map_err(|_| format!("bm {:?}: expected a number behind #", excerpt(&word, 200)))?;
                case.mate_in = Some(number);
            }
            None => case.best.push(word),
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
        let (class, name) = (escaped(&case.game), escaped(&case.position));
        let place = escaped(&case.place());
        let _ = write!(text, "  <testcase classname=\"{class}\" name=\"{place}: {name}\"");
        let _ = match outcome {
            Ok(()) => writeln!(text, "/>"),
            Err(why) => writeln!(text, "><failure message=\"{}\"/></testcase>", escaped(why)),
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
            "game nim:1,2\n1,2 1",
            "game nim:1,2\nstartpos ;",
            "game nim:1,2\n1,2 1 ; best 2:1 2:2 ; avoid 2:1",
        ] {
            assert!(read(&CATALOG, bad, None).is_err(), "{bad}");
        }
    }

    #[test]
    fn epd_says_moves_and_mates_to_be_expected() {
        let board = "6k1/5ppp/8/8/8/8/8/R3R2K w - -";
        let one =
            |rest: &str| read(&CATALOG, &format!("{board} {rest}"), None).map(|mut cases| cases.remove(0));
        let case = one("bm Re8#, Ra8#; am 0-0 Kg2; id \"a; # b\";");
        assert_eq!(case, Err("1: 0-0 is no legal move there".to_string()));
        let case = one("bm Re8#, Ra8#; am Kg2; id \"a; # b\"; # rest").unwrap();
        assert_eq!(
            (case.best.join(" "), case.avoid.join(" ")),
            ("e1e8 a1a8".to_string(), "h1g2".to_string())
        );
        assert_eq!((one("bm #1;").unwrap().mate_in, one("dm 2").unwrap().mate_in), (Some(1), Some(2)));
        for bad in ["", "0 1", "id \"x\";", "bm;", "bm #x;", "dm x;", "c0 \"bm Ra8\";"] {
            assert!(one(bad).unwrap_err().starts_with("1: "), "{bad}");
        }
        let board = "---------------------------OX------XO---------------------------";
        let obf = read(&CATALOG, &format!("% all of them\n{board} X; F5:+0; D3:+0; C4:-2; % remark"), None)
            .unwrap();
        assert_eq!((obf[0].game.as_str(), obf[0].best.join(" ")), ("othello:8x8", "f5 d3".to_string()));
        assert_eq!((obf[0].line, obf[0].value), (2, Some(Value::points(0))));
        let remark = format!("{board} X; F5:+0; D3:+0 % a remark; and more\n  % {board} X; nothing");
        let remark = read(&CATALOG, &remark, None).unwrap();
        assert_eq!((remark.len(), remark[0].best.join(" ")), (1, "f5 d3".to_string()));
        let occupied = read(&CATALOG, &format!("{board} X; F5:+3; E5:+6;"), None);
        let expected = "expected MOVE:VALUE with a legal move, or value, best or avoid";
        assert_eq!(occupied.unwrap_err(), format!("1: E5:+6: {expected}"));
        let nim = |part: &str| read(&CATALOG, &format!("game nim:3,4\n3,4 1; {part}"), None);
        let valued = nim("2:1:win; 1:1:loss").unwrap();
        assert_eq!((valued[0].best.join(" "), valued[0].value), ("2:1".to_string(), Value::read("win")));
        assert_eq!(nim("win:5").unwrap_err(), format!("2: win:5: {expected}"));
        assert_eq!(nim("1:9:win").unwrap_err(), format!("2: 1:9:win: {expected}"));
        let none = read(&CATALOG, &format!("{board} X;"), None);
        assert!(none.unwrap_err().starts_with("1: nothing is expected there"));
        let domineering = read(&CATALOG, "game domineering:2x2\n#./.. 1 ; best b1 # remark", None).unwrap();
        assert_eq!(domineering[0].position, "#./.. 1");
    }
}

//! `grundy atlas`: the solved games of the literature and of this project, and their values solved again.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command as Process, ExitCode, Stdio};
use std::time::Instant;

use anyhow::Context;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use grundy_core::table::Folder;
use grundy_core::text::wrapped;
use grundy_core::value::{Score, Unit, Value};
use grundy_engine::output::stdout;
use grundy_engine::{Extra, Usage};
use grundy_session::{Catalog, Entry};

/// The subcommand.
pub const ATLAS: Extra = Extra { under: None, command, run };

/// Widths of the first columns of the list: name, game, value. A line has at most 80 characters.
const WIDTHS: [usize; 3] = [26, 25, 13];
/// As many entries are shown in full.
const FULL: usize = 3;
/// The most positions that `check` counts.
const COUNTED: u64 = 20_000;
/// The columns of numbers.
const NUMBERS: [&str; 3] = ["positions", "seconds", "megabytes"];
/// Follows a number of positions counted up to symmetry.
const CLASSES: &str = " classes";
/// The tables of values by size.
const SIZES: &str = include_str!("../sizes.tsv");

/// Reports whether each of the words stands in an entry's key, game, board or name, whatever the case; with `whole` not as a
/// part of a longer word.
fn matches(entry: &Entry, words: &[String], whole: bool) -> bool {
    let plain =
        |text: &str| format!(" {} ", text.to_lowercase().replace(|c: char| !c.is_alphanumeric(), " "));
    let text = plain(&["key", "game", "board", "name"].map(|column| entry.get(column)).join(" "));
    words.iter().map(|word| plain(word)).all(|word| text.contains(if whole { &word } else { word.trim() }))
}

/// Returns the value that was proved here, the published one in brackets if there is none.
fn value(entry: &Entry) -> String {
    match (entry.get("value"), entry.get("published")) {
        (Entry::EMPTY, Entry::EMPTY) => Entry::EMPTY.to_owned(),
        (Entry::EMPTY, published) => format!("({published})"),
        (value, _) => value.to_owned(),
    }
}

/// Returns the entries of a catalogue that match the words; an entry whose key or name is the only word is the only one.
fn entries(text: &'static str, words: &[String]) -> Vec<Entry> {
    let all: Vec<Entry> = Entry::all(text).collect();
    let whole = all.iter().any(|entry| matches(entry, words, true));
    let mut found: Vec<Entry> = all.into_iter().filter(|entry| matches(entry, words, whole)).collect();
    if let [key] = words
        && let Some(at) =
            found.iter().position(|entry| [entry.get("key"), entry.get("name")].contains(&key.as_str()))
    {
        found.swap(0, at);
        found.truncate(1);
    }
    found
}

/// Returns the keys of entries that match the words and are not among those `found`.
fn others(text: &'static str, words: &[String], found: &[Entry]) -> Vec<&'static str> {
    let whole = found.iter().any(|entry| matches(entry, words, true));
    let missing = |entry: &Entry| found.iter().all(|other| other.get("key") != entry.get("key"));
    let others = Entry::all(text).filter(|entry| matches(entry, words, whole) && missing(entry));
    others.map(|entry| entry.get("key")).collect()
}

fn command() -> Command {
    let words = || {
        Arg::new("words")
            .value_name("WORD")
            .num_args(0..)
            .help("Entries whose key, game, board or name contains each of the words [default: all]")
    };
    Command::new("atlas")
        .about("The solved games of the literature: value, source, and how each is solved here")
        .after_help(
            "Examples:\n  grundy atlas\n  grundy atlas connect four\n  grundy atlas check hex --seconds 10\n  \
             grundy atlas table cram",
        )
        .args_conflicts_with_subcommands(true)
        .arg(words())
        .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("One JSON object an entry"))
        .subcommand(
            Command::new("check")
                .about("Solve entries again and compare values and counts; exit code 1 if one differs")
                .arg(words())
                .arg(
                    Arg::new("seconds")
                        .long("seconds")
                        .value_name("S")
                        .value_parser(value_parser!(f64))
                        .default_value("60")
                        .help("Leave out entries that take longer, by the time in the catalogue"),
                ),
        )
        .subcommand(
            Command::new("table")
                .about("Values of a game by size, beside the published ones; continues where it was stopped")
                .arg(Arg::new("name").value_name("NAME").help("The table [default: list the tables]"))
                .arg(
                    Arg::new("seconds")
                        .long("seconds")
                        .value_name("S")
                        .value_parser(value_parser!(u32).range(1..))
                        .default_value("60")
                        .help("Give up a size after this time; a later run tries it again"),
                )
                .arg(
                    Arg::new("again")
                        .long("again")
                        .action(ArgAction::SetTrue)
                        .help("Solve every size anew, also those that an earlier run has solved"),
                ),
        )
}

fn run(catalog: &Catalog, arguments: &ArgMatches) -> anyhow::Result<ExitCode> {
    let words = |arguments: &ArgMatches| -> Vec<String> {
        arguments.get_many("words").into_iter().flatten().cloned().collect()
    };
    if let Some(("check", arguments)) = arguments.subcommand() {
        let most = arguments.get_one::<f64>("seconds").copied().unwrap_or(60.0);
        return check(&found(catalog, &words(arguments))?, most);
    }
    if let Some(("table", arguments)) = arguments.subcommand() {
        let seconds = arguments.get_one("seconds").copied().unwrap_or(60);
        let name = arguments.get_one::<String>("name").map(String::as_str);
        return table(name, seconds, arguments.get_flag("again"));
    }
    let words = words(arguments);
    let found = found(catalog, &words)?;
    let mut out = stdout();
    if arguments.get_flag("json") {
        for entry in &found {
            writeln!(out, "{}", object(entry))?;
        }
    } else if found.len() <= FULL {
        for (at, entry) in found.iter().enumerate() {
            if at > 0 {
                writeln!(out)?;
            }
            for (name, text) in entry.columns().iter().filter(|(_, text)| *text != Entry::EMPTY) {
                let (label, text) = in_words(entry, name, text);
                writeln!(out, "{}", wrapped(&format!("{label:<10} "), &text, 11))?;
            }
        }
        let others = others(catalog.known(), &words, &found);
        if !others.is_empty() {
            writeln!(out, "{:<10} {}", "see also", others.join(", "))?;
        }
    } else {
        for entry in &found {
            // The full name is what can be typed; without one the key, and the board, which no name tells.
            let (name, game) = (entry.get("name"), entry.get("game"));
            // Other names of the game stand in parentheses.
            let game = game.split(" (").next().unwrap_or(game);
            let [name, game] = match name == Entry::EMPTY {
                true => [entry.get("key").to_owned(), format!("{game}, {}", entry.get("board"))],
                false => [name.to_owned(), game.to_owned()],
            };
            let texts = [name, game, value(entry)];
            let columns: String = texts
                .iter()
                .zip(WIDTHS)
                .map(|(text, width)| format!("{:<width$} ", cut(text, width)))
                .collect();
            writeln!(out, "{columns}{}", cut(entry.get("status"), 79 - columns.chars().count()))?;
        }
        let next = "grundy atlas NAME shows one in full";
        writeln!(out, "{} entries; in brackets: published only; {next}", found.len())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns an entry as a JSON object: numbers as numbers, and null for an empty column. Classes of positions up to symmetry,
/// which stand in the column of the positions, have a field of their own.
fn object(entry: &Entry) -> serde_json::Value {
    let field = |name: &str, text: &str| match text {
        Entry::EMPTY => serde_json::Value::Null,
        _ if NUMBERS.contains(&name) => serde_json::from_str(text).unwrap_or_default(),
        _ => text.into(),
    };
    let columns = entry.columns().iter().map(|(name, text)| ((*name).to_owned(), field(name, text)));
    let mut object: serde_json::Map<String, serde_json::Value> = columns.collect();
    let classes = entry.get("positions").strip_suffix(CLASSES).unwrap_or(Entry::EMPTY);
    object.insert("classes".to_owned(), field("positions", classes));
    object.into()
}

/// The option of a proof of who wins, without the distance.
const FIRST: &str = " --distance first";

/// Returns the label and the text of a column of an entry as people read them: with units, and words in place of signs.
fn in_words<'c>(entry: &Entry, column: &'c str, text: &str) -> (&'c str, String) {
    let game = entry.get("name");
    match (column, text) {
        ("seen", "read") => ("seen", "the source, or a page that cites it, was read".to_owned()),
        ("seen", "computed") => ("seen", "an independent program finds the same".to_owned()),
        ("seen", "unverified") => ("seen", "cited from memory, not looked up".to_owned()),
        ("keeping", _) => ("kept by", text.to_owned()),
        ("how", "search") => {
            let first = if entry.get("proved").contains(FIRST) { FIRST } else { "" };
            ("solved by", format!("grundy solve {game} --by search{first}"))
        }
        ("how", "formula") => ("solved by", format!("a formula: grundy solve {game}")),
        ("how", "table") => ("solved by", format!("a table: grundy solve {game}")),
        ("seconds", _) => ("CPU time", format!("{text} s")),
        ("megabytes", _) => ("memory", format!("{text} MB")),
        _ => (column, text.to_owned()),
    }
}

/// Returns the entries that match the words.
fn found(catalog: &Catalog, words: &[String]) -> anyhow::Result<Vec<Entry>> {
    let mut found = entries(catalog.known(), words);
    if let ([word], true) = (words, found.is_empty()) {
        // By a common name of the game.
        found = entries(catalog.known(), &[catalog.full_name(word).into_owned()]);
    }
    if found.is_empty() {
        let why = format!("no entry contains {:?}: grundy atlas lists all", words.join(" "));
        return Err(Usage(why).into());
    }
    Ok(found)
}

/// Cuts a text to `width` characters.
fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(2)).chain("..".chars()).collect()
}

/// Solves the entries that take at most `most` seconds, and compares values.
fn check(found: &[Entry], most: f64) -> anyhow::Result<ExitCode> {
    let folder = std::env::temp_dir().join(format!("grundy-atlas-{}", std::process::id()));
    let mut out = stdout();
    let (mut right, mut wrong, mut left) = (0, 0, 0);
    for entry in found {
        let seconds: f64 = entry.get("seconds").parse().unwrap_or(f64::INFINITY);
        let expected = Value::read(entry.get("value"));
        let solved = entry.get("status") == "solved" && entry.get("name") != Entry::EMPTY;
        let Some(expected) = expected.filter(|_| solved && seconds <= most) else {
            left += 1;
            continue;
        };
        let start = Instant::now();
        // A search of which only the winner is listed may go on for long to find out how soon.
        let limit =
            (expected.is_unmeasured() && entry.get("how") == "search").then_some(3.0 * seconds + 60.0);
        let value = solve(entry, &folder, limit.map(|limit| limit as u32));
        let _ = fs::remove_dir_all(&folder);
        let (key, value, count) = (entry.get("key"), value?, count(entry)?);
        let taken = start.elapsed().as_secs_f64();
        let agreed = Value::read(&value).is_some_and(|value| agrees(value, expected));
        let counted = count.as_ref().filter(|(expected, found)| expected != found);
        let fault = match counted {
            _ if !agreed => Some((entry.get("value").to_owned(), value.clone())),
            counted => counted.cloned(),
        };
        if let Some((expected, found)) = fault {
            wrong += 1;
            writeln!(out, "DIFFERS {key}: {expected} expected, {found} found, {taken:.1} s")?;
        } else {
            right += 1;
            let count = count.map_or(String::new(), |(count, _)| format!(", {count}"));
            writeln!(out, "ok     {key} {value}{count}, {taken:.1} s")?;
        }
        out.flush()?;
    }
    writeln!(out, "as listed: {right}, different: {wrong}, left out: {left}")?;
    Ok(if wrong > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Reports whether a value is the expected one; an expected win or loss without a distance leaves the distance open, and an
/// expected outcome the points.
fn agrees(value: Value, expected: Value) -> bool {
    let coarse = expected.is_unmeasured() || value.margin().is_some() && expected.margin().is_none();
    value == expected || coarse && value.wdl() == expected.wdl()
}

/// Prints a table of values by size, line by line as they are found. Values found are kept in a file in the folder of tables,
/// so that a later run of the same version does not solve them again.
fn table(name: Option<&str>, seconds: u32, again: bool) -> anyhow::Result<ExitCode> {
    let all: Vec<Entry> = Entry::all(SIZES).collect();
    let mut names: Vec<&str> = all.iter().map(|entry| entry.get("table")).collect();
    names.dedup();
    let mut out = stdout();
    let Some(name) = name else {
        names.iter().try_for_each(|name| writeln!(out, "{name}"))?;
        writeln!(out, "grundy atlas table NAME solves its sizes and compares the values.")?;
        return Ok(ExitCode::SUCCESS);
    };
    if !names.contains(&name) {
        return Err(Usage(format!("no table {name:?}: expected one of {}", names.join(", "))).into());
    }
    let kept = Folder::find(None);
    kept.make()?;
    let kept = kept.path().join("sizes.tsv");
    let old = if again { String::new() } else { fs::read_to_string(&kept).unwrap_or_default() };
    let mut file = fs::OpenOptions::new().create(true).append(true).open(&kept)?;
    let folder = std::env::temp_dir().join(format!("grundy-atlas-{}", std::process::id()));
    let (mut solved, mut wrong, mut open) = (0, 0, 0);
    writeln!(out, "{:<24} {:<10} {:<10} seconds", "size", "published", "here")?;
    for entry in all.iter().filter(|entry| entry.get("table") == name) {
        let (size, published) = (entry.get("name"), entry.get("published"));
        let head = format!("{}\t{size}\t", env!("CARGO_PKG_VERSION"));
        let known = old.lines().rev().find_map(|line| line.strip_prefix(&head)?.split_once('\t'));
        let (here, taken) = match known {
            Some((value, taken)) => (value.to_owned(), taken.to_owned()),
            None => {
                let start = Instant::now();
                let value = solve(entry, &folder, Some(seconds));
                let _ = fs::remove_dir_all(&folder);
                (value?, format!("{:.1}", start.elapsed().as_secs_f64()))
            }
        };
        let is_value = here.starts_with(['0', '*']) || Value::read(&here).is_some();
        if is_value && known.is_none() {
            writeln!(file, "{head}{here}\t{taken}")?;
        }
        let fits = published == Entry::EMPTY
            || here == published
            || Value::read(&here).zip(Value::read(published)).is_some_and(|(one, other)| agrees(one, other));
        let note = match (is_value, fits) {
            (false, _) => " not solved",
            (true, true) => "",
            (true, false) => " DIFFERS",
        };
        *(if !is_value {
            &mut open
        } else if fits {
            &mut solved
        } else {
            &mut wrong
        }) += 1;
        let here = if is_value { &here } else { Entry::EMPTY };
        writeln!(out, "{size:<24} {published:<10} {here:<10} {taken}{note}")?;
        out.flush()?;
    }
    writeln!(
        out,
        "{solved} values, {wrong} differ from the published one, {open} not solved in {seconds} s"
    )?;
    Ok(if wrong > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Solves the start position of an entry in a process of its own, with tables in `folder`, and returns its value: a Grundy
/// number if the entry asks for it. What is not solved within `seconds` has another text.
fn solve(entry: &Entry, folder: &Path, seconds: Option<u32>) -> anyhow::Result<String> {
    let program = std::env::current_exe().context("the program's own path")?;
    let (name, how) = (entry.get("name"), entry.get("how"));
    let mut solve = Process::new(&program);
    solve.args(["solve", name, "--quiet"]);
    if let Some(seconds) = seconds {
        solve.args(["--seconds", &seconds.to_string()]);
    }
    if how == "search" {
        // How soon is not asked where only the winner is listed.
        if Value::read(entry.get("value")).is_some_and(Value::is_unmeasured) {
            solve.args(["--distance", "first"]);
        }
        let output = solve.args(["--by", "search"]).output()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let word = text.lines().rev().find_map(proved);
        return Ok(word.unwrap_or_else(|| said(&output.stderr)));
    }
    if how == "table" {
        let output = solve.arg("--tables").arg(folder).output()?;
        if !output.status.success() {
            return Ok(said(&output.stderr));
        }
    }
    let mut asked = Process::new(&program)
        .args(["--game", name, "--tables"])
        .arg(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    if let Some(mut input) = asked.stdin.take() {
        // The end of the input lets the answer come first; `quit` would cut it short.
        let query = if how == "number" { "cgt" } else { "value" };
        writeln!(
            input,
            "setoption name Query Time value {}\nquery {query}",
            u64::from(seconds.unwrap_or(600)) * 1_000
        )?;
    }
    let output = asked.wait_with_output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    // What the catalogue itself says is no witness for it.
    if text.lines().any(|line| line.starts_with("info string known: ")) {
        return Ok("no value of its own".to_owned());
    }
    let word = text.lines().find_map(|line| line.strip_prefix("response ")).map(str::to_owned);
    Ok(word.unwrap_or_else(|| "nothing".to_owned()))
}

/// Returns the value in a line of a search, or who wins if that is all that it says.
fn proved(line: &str) -> Option<String> {
    let (sign, rest) = line.strip_prefix("value ")?.split_once(' ')?;
    let word = rest.split('\t').next()?;
    let settled = match sign {
        "=" => return Some(word.to_owned()),
        ">=" => Score::AtLeast(Value::read(word)?).settled(),
        "<=" => Score::AtMost(Value::read(word)?).settled(),
        _ => None,
    };
    settled.map(|value| value.show(Unit::Outcome).to_string())
}

/// Counts the positions of an entry in a process of its own, if the catalogue has at most [`COUNTED`]: returns the expected
/// number and the one found.
fn count(entry: &Entry) -> anyhow::Result<Option<(String, String)>> {
    let number = entry.get("positions");
    if !number.parse().is_ok_and(|number: u64| number <= COUNTED) {
        return Ok(None);
    }
    let program = std::env::current_exe().context("the program's own path")?;
    let output = Process::new(program).args(["count", entry.get("name")]).output()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let found = text.lines().find_map(|line| line.strip_prefix("in all: ")?.split(',').next());
    let found = found.map_or_else(|| said(&output.stderr), str::to_owned);
    Ok(Some((format!("{number} positions"), found)))
}

/// Returns the last line that a process wrote to stderr.
fn said(stderr: &[u8]) -> String {
    String::from_utf8_lossy(stderr).lines().last().unwrap_or("nothing").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_session::Settings;

    fn entries(words: &[String]) -> Vec<Entry> {
        super::entries(crate::catalog::CATALOG.known(), words)
    }

    #[test]
    fn every_entry_has_all_columns_and_a_key_of_its_own() {
        let all = entries(&[]);
        assert!(all.len() > 200);
        let mut keys: Vec<&str> = all.iter().map(|entry| entry.get("key")).collect();
        keys.sort_unstable();
        assert!(keys.windows(2).all(|pair| pair[0] != pair[1]));
        for entry in &all {
            assert_eq!(entry.columns().len(), 16, "{}", entry.get("key"));
            assert!(entry.columns().iter().all(|(_, text)| !text.is_empty()), "{}", entry.get("key"));
            let status = entry.get("status");
            assert!(
                ["solved", "bounded", "not run", "missing", "not feasible"].contains(&status),
                "{}: {status}",
                entry.get("key")
            );
        }
    }

    #[test]
    fn an_entry_in_full_has_units_and_the_command_that_solves_it() {
        let entry = entries(&["connect4:7x6".to_owned()]).remove(0);
        let shown = |column: &'static str| in_words(&entry, column, entry.get(column)).1;
        assert_eq!(shown("how"), "grundy solve connect4:7x6 --by search");
        assert_eq!(shown("seconds"), format!("{} s", entry.get("seconds")));
        assert_eq!(shown("seen"), "the source, or a page that cites it, was read");
        assert_eq!(shown("value"), "win:41");
    }

    #[test]
    fn an_object_has_numbers_and_null_where_there_is_none() {
        for entry in &entries(&[]) {
            let object = object(entry);
            for column in NUMBERS {
                let (text, number) = (entry.get(column), &object[column]);
                let empty = text == Entry::EMPTY || text.ends_with(CLASSES);
                assert!(if empty { number.is_null() } else { number.is_number() }, "{object}");
            }
            assert_eq!(object["classes"].is_number(), entry.get("positions").ends_with(CLASSES), "{object}");
            assert_eq!(object["published"].is_null(), entry.get("published") == Entry::EMPTY, "{object}");
        }
        let tictactoe = object(&entries(&["tictactoe".to_owned()]).remove(0));
        assert_eq!((&tictactoe["positions"], &tictactoe["value"]), (&5478.into(), &"draw".into()));
    }

    #[test]
    fn a_key_finds_one_entry_and_a_word_many() {
        let tictactoe = ["tictactoe".to_owned()];
        assert_eq!(entries(&tictactoe).len(), 1);
        let text = crate::catalog::CATALOG.known();
        assert!(others(text, &tictactoe, &entries(&tictactoe)).contains(&"tictactoe-misere"));
        assert!(others(text, &["awari".to_owned()], &entries(&["awari".to_owned()])).is_empty());
        let hex = entries(&["HEX".to_owned()]);
        assert!(hex.len() > 2 && hex.iter().all(|entry| entry.get("game").starts_with("Hex")), "no hexapawn");
        assert!(entries(&["hexap".to_owned()]).len() > 2, "parts of words where no whole word fits");
        assert!(entries(&["no such game".to_owned()]).is_empty());
    }

    #[test]
    fn a_bound_that_settles_who_wins_is_a_value() {
        let read = |line| super::proved(line).unwrap_or_default();
        assert_eq!(read("value = win:15\tnodes 3\t0.1 s"), "win:15");
        assert_eq!(
            (read("value >= win:25\tnodes 3").as_str(), read("value <= loss\tnodes").as_str()),
            ("win", "loss")
        );
        for open in [
            "value >= draw\tn",
            "value <= win\tn",
            "value >= +3\tn",
            "value ~ +0.10\tdepth 3",
            "proved; best",
        ] {
            assert_eq!(read(open), "", "{open}");
        }
    }

    #[test]
    fn tables_of_sizes_name_games_and_values() {
        let all: Vec<Entry> = Entry::all(SIZES).collect();
        assert!(all.len() > 100);
        for entry in &all {
            let (name, published) = (entry.get("name"), entry.get("published"));
            assert_eq!(entry.columns().len(), 6, "{name}");
            assert!(crate::catalog::CATALOG.open(name, &Settings::default()).is_ok(), "{name}");
            assert!(["search", "table", "number"].contains(&entry.get("how")), "{name}");
            let value = Value::read(published).is_some();
            assert!(published == Entry::EMPTY || published.starts_with(['0', '*']) || value, "{name}");
        }
    }

    /// The page of the lists of other collections names games that there are.
    #[test]
    fn the_page_of_gamesman_names_games() {
        let page = include_str!("../docs/gamesman.md");
        let cells = page.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").nth(1));
        let words = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
        let names: Vec<&str> =
            words.filter(|word| !word.starts_with("length=") && *word != "graph:file=F").collect();
        assert!(names.len() > 60);
        for name in names {
            assert!(crate::catalog::CATALOG.open(name, &Settings::default()).is_ok(), "{name}");
        }
    }

    #[test]
    fn what_was_solved_is_known_by_the_name_of_the_game() {
        let open = |name| crate::catalog::CATALOG.open(name, &Settings::default());
        let proved = |entry: &Entry| ["solved", "bounded"].contains(&entry.get("status"));
        for entry in entries(&[]).iter().filter(|entry| proved(entry)) {
            let (key, name) = (entry.get("key"), entry.get("name"));
            let mut session = open(name).unwrap_or_else(|why| panic!("{key}: {why}"));
            // Values of several positions are for people alone.
            let Some(known) = entry.known() else { continue };
            assert_eq!(session.known_result(), Some(&known), "{key}: {}", session.name());
            assert!(known.source.starts_with("grundy "), "{key}: {}", known.source);
            let value = match known.score {
                Score::Exact(value) | Score::AtLeast(value) | Score::AtMost(value) => value,
                Score::Guess(_) => panic!("{key}: a guess"),
            };
            assert_eq!(
                session.unit().is_points(),
                value.show(session.unit()).to_string().starts_with(['+', '-'])
            );
            for word in &known.keeping.words {
                assert_eq!(session.spelling(word).as_ref(), Some(word), "{key}");
            }
            if let Some(word) = session.legal_moves(1).pop() {
                session.play(&word).unwrap();
                assert_eq!(session.known_result(), None, "{key} after {word}");
            }
        }
        for name in ["tictactoe", "connect4:7x6", "dots:4x4", "dots:4x5", "othello:6x6", "morris:9", "hex:5"]
        {
            assert!(open(name).unwrap().known_result().is_some(), "{name}");
        }
        let without = Settings { known: false, ..Settings::default() };
        let session = crate::catalog::CATALOG.open("dots:4x4", &without).unwrap();
        assert_eq!(session.known_result(), None);
    }
}

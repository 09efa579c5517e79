//! `grundy games`: the catalog, by families or one game in full.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use grundy_core::text::grouped;
use grundy_session::{Catalog, Numbering, Parameter, Row, Settings, quiet_work};

use super::output::stdout;
use super::shared::{Usage, WIDTH, entry, open, wrapped};

/// Moves that are shown as examples.
const EXAMPLES: usize = 8;
/// Time in which the positions of a game are counted if nobody waits.
const LONGEST: Duration = Duration::from_secs(60);
/// The same if somebody does.
const BRIEF: Duration = Duration::from_secs(1);

#[derive(Args)]
pub struct GamesArgs {
    /// Show one game in full: parameters, a position, moves, method, known results
    game: Vec<String>,
    /// Write the table in Markdown, as in docs/games.md
    #[arg(long, conflicts_with = "game")]
    markdown: bool,
}

pub fn run(catalog: &Catalog, args: &GamesArgs) -> Result<ExitCode> {
    let mut out = stdout();
    match args.game.join(" ").as_str() {
        "" if args.markdown => markdown(&mut out, catalog)?,
        "" => list(&mut out, catalog)?,
        name => one(&mut out, catalog, name)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the table of docs/games.md.
fn markdown(out: &mut impl Write, catalog: &Catalog) -> io::Result<()> {
    writeln!(out, "| game | parameters | what it is | solved by | table |\n|---|---|---|---|---|")?;
    for row in catalog.rows() {
        let parameters = if row.parameters.is_empty() {
            String::new()
        } else {
            format!("`{}`", row.parameters.replace('|', "\\|"))
        };
        let size = size(catalog, row.default, LONGEST).unwrap_or_default();
        writeln!(out, "| `{}` | {parameters} | {} | {} | {size} |", row.default, row.about, row.method)?;
    }
    Ok(())
}

/// Writes the games by family, a line each.
fn list(out: &mut impl Write, catalog: &Catalog) -> io::Result<()> {
    for family in catalog.families() {
        let name = family.rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
        writeln!(out, "{}", family.title)?;
        for row in family.rows {
            writeln!(out, "  {:name$}  {}", row.name, fitting(row.about, WIDTH - name - 4))?;
            let members = row.members();
            let own = |(full, _): &(&'static str, String)| full.split_once(':').map_or(*full, |(_, own)| own);
            let members: Vec<&str> = members.iter().map(own).collect();
            if !members.is_empty() {
                writeln!(out, "{}", wrapped(&format!("  {:name$}  ", ""), &members.join(", "), name + 4))?;
            }
        }
        writeln!(out)?;
    }
    writeln!(out, "grundy games NAME shows the parameters of a game, an example, and what is known.")
}

/// Cuts a text after a word to what fits.
fn fitting(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let kept: String = text.chars().take(width - 2).collect();
    let whole = kept.rsplit_once(' ').map_or(kept.as_str(), |(whole, _)| whole);
    format!("{} ..", whole.trim_end_matches([',', ':', ';']))
}

/// Returns one game in full; behind the bare name of a row of many games, a list of these.
fn one(out: &mut impl Write, catalog: &Catalog, name: &str) -> Result<()> {
    let mut session = open(catalog, name, &Settings::default())?;
    let row = catalog
        .row(name)
        .ok_or_else(|| Usage(format!("unknown game {name:?}: expected a name of grundy games")))?;
    let described = row.describe(session.name());
    writeln!(out, "{}", described.title)?;
    entry(out, "name", row.name)?;
    entry(out, "what it is", &described.about)?;
    entry(out, "rules", &described.rules)?;
    let full = session.name();
    entry(out, "full name", if full == row.name { "" } else { full })?;
    parameters(out, row)?;
    entry(out, "position", &session.position())?;
    let moves = session.legal_moves(EXAMPLES + 1);
    let more = if moves.len() > EXAMPLES { " .." } else { "" };
    entry(out, "moves", &format!("{}{more}", moves[..moves.len().min(EXAMPLES)].join(" ")))?;
    entry(out, "a move", row.moves)?;
    entry(out, "letters", row.letters)?;
    let [one, two] = &described.players;
    let named = one != "Player 1" && one != "X";
    entry(
        out,
        "players",
        &if named { format!("{one} is player one, {two} player two") } else { String::new() },
    )?;
    entry(out, "solved by", row.method)?;
    match session.weigh() {
        Ok(Some(file)) => entry(out, "weights", &format!("learned, {}", file.display()))?,
        Ok(None) => {}
        Err(why) => entry(out, "weights", &why)?,
    }
    let table = match size(catalog, session.name(), BRIEF).as_deref() {
        Some("") => "none".to_owned(),
        Some(size) => format!("{size} states for {}", session.name()),
        None => "of all positions, which are counted when it is solved".to_owned(),
    };
    entry(out, "table", &table)?;
    for Numbering { name, about, size } in session.numberings() {
        entry(out, &format!("index {name}"), &format!("{about} = {}", grouped(size)))?;
    }
    let others: Vec<&str> = row.variants.iter().map(|variant| variant.name).collect();
    entry(out, "in UCI", &others.join(", "))?;
    entry(out, "known", row.known)?;
    if let Some(known) = session.known_result() {
        entry(out, "value", &known.show(session.unit()))?;
    }
    let members = if name == row.name { row.members() } else { Vec::new() };
    let width = members.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, about) in members {
        writeln!(out, "{}", wrapped(&format!("  {name:width$}  "), &about, width + 4))?;
    }
    Ok(())
}

/// Returns the sections of a game's name, their meanings, and the rules without them.
fn parameters(out: &mut impl Write, row: &Row) -> io::Result<()> {
    const REPEAT: Parameter = Parameter::new(
        "repeat=3",
        "the third repetition of a position ends the game as a draw",
        "it goes on",
    );
    if row.details.is_empty() {
        entry(out, "parameters", row.parameters)?;
    }
    let repeat = row.repeats.then_some(&REPEAT);
    for Parameter { section, about, default } in row.details.iter().chain(repeat) {
        entry(out, section, &format!("{about} [{default}]"))?;
    }
    Ok(())
}

/// Returns the number of positions in the table of a game, grouped by thousands; empty if it has none, `None` if they are
/// not counted in `time`.
fn size(catalog: &Catalog, name: &str, time: Duration) -> Option<String> {
    let session = catalog.open(name, &Settings::default()).ok();
    let Some(table) = session.as_ref().and_then(|session| session.tabled(None)) else {
        return Some(String::new());
    };
    table.count_within(&quiet_work().within(time)).filter(|&count| count > 0).map(grouped)
}

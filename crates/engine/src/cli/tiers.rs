//! Tables of games solved tier by tier: which belong together, and their counts as one table.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Result, bail};
use grundy_core::table::{Folder, Table, kept_by};
use grundy_core::value::{Unit, Value, Wdl};
use grundy_session::{Catalog, Settings, Tabled};
use serde::Serialize;

use super::output::stdout;
use super::shared::open;

/// Returns the tables of a name: those of its tiers that exist, the files that the game keeps if it has no table, or the
/// one of that name or file.
pub(super) fn expanded(catalog: &Catalog, tables: Option<&Path>, which: &str) -> Result<Vec<String>> {
    if Path::new(which).exists() {
        return Ok(vec![which.to_owned()]);
    }
    let settings = Settings { tables: tables.map(Path::to_owned), ..Settings::default() };
    let session = open(catalog, which, &settings)?;
    let Some(game) = session.tabled(None) else {
        let mut kept = Folder::find(tables).list()?;
        kept.retain(|file| kept_by(file).is_some_and(|name| name == session.name()));
        return Ok(match kept.is_empty() {
            true => vec![which.to_owned()],
            false => kept.iter().map(|file| file.display().to_string()).collect(),
        });
    };
    let parts = game.parts();
    if parts.is_empty() {
        return Ok(vec![which.to_owned()]);
    }
    let folder = session.folder();
    let files = parts.iter().map(|part| folder.file(part.name())).filter(|file| file.exists());
    let files: Vec<String> = files.map(|file| file.display().to_string()).collect();
    if files.is_empty() {
        bail!("no table of {which} in {}; `grundy solve {which}` makes it", folder.path().display());
    }
    Ok(files)
}

/// Writes the header of the counts by tier, if a table of a game with tiers was named.
pub(super) fn begin(catalog: &Catalog, tables: Option<&Path>, which: &[String]) -> Result<()> {
    let settings = Settings { tables: tables.map(Path::to_owned), ..Settings::default() };
    let has_tiers = |name: &str| {
        let session = open(catalog, name, &settings).ok();
        session.is_some_and(|session| session.tabled(None).is_some_and(|game| counted(&*game)))
    };
    if which.iter().any(|which| !Path::new(which).exists() && has_tiers(which)) {
        writeln!(stdout(), "tier\tpositions\twin\tdraw\tloss\tover\tlongest")?;
    }
    Ok(())
}

/// Reports whether a table's sections are counted as tiers, by outcome.
pub(super) fn counted(game: &dyn Tabled) -> bool {
    game.unit() == Unit::Outcome && !game.sections().is_empty()
}

/// The counts of a section of a table: a tier, or the positions with equally many stones.
#[derive(Serialize)]
pub(super) struct Section {
    section: String,
    pub positions: u64,
    win: u64,
    draw: u64,
    loss: u64,
    /// Finished positions; `None` in games for points.
    #[serde(skip_serializing_if = "Option::is_none")]
    over: Option<u64>,
    /// Plies of the longest win or loss, in games for points the most plies to a gain or to the end; `None` if they are not
    /// stored.
    longest: Option<u32>,
    /// Positions by margin, in games for points.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    values: Vec<Counted>,
}

/// A value with the number of positions that have it.
#[derive(Serialize)]
pub(super) struct Counted {
    pub value: String,
    pub count: u64,
}

impl Counted {
    /// Returns counts with their values as text.
    pub fn list(counts: impl Iterator<Item = (Value, u64)>, unit: Unit) -> Vec<Counted> {
        counts.map(|(value, count)| Counted { value: value.show(unit).to_string(), count }).collect()
    }
}

/// Returns the counts of each section of a game for points: who is ahead, the number of positions by margin, and, if ranks
/// are stored, the most plies to a gain or to the end. Other games have none.
pub(super) fn margins(game: &dyn Tabled, table: &Table) -> impl Iterator<Item = Section> {
    let sections = if game.unit().is_points() { game.sections() } else { Vec::new() };
    sections.into_iter().map(move |(section, numbers)| {
        let mut counts: BTreeMap<Value, u64> = BTreeMap::new();
        let mut longest = None;
        for number in numbers {
            if let Some(value) = table.get(number) {
                *counts.entry(value).or_default() += 1;
                longest = longest.max(table.rank(number));
            }
        }
        let of =
            |wdl| counts.iter().filter(|(value, _)| value.wdl() == wdl).map(|(_, count)| count).sum::<u64>();
        Section {
            section,
            positions: counts.values().sum(),
            win: of(Wdl::Win),
            draw: of(Wdl::Draw),
            loss: of(Wdl::Loss),
            over: None,
            longest,
            values: Counted::list(counts.into_iter(), Unit::Points),
        }
    })
}

/// Writes the counts of sections of a game for points, if there are any.
pub(super) fn write_margins(out: &mut impl Write, sections: &[Section]) -> io::Result<()> {
    if sections.is_empty() {
        return Ok(());
    }
    writeln!(out, "section\tpositions\twin\tdraw\tloss\tlongest")?;
    for Section { section, positions, win, draw, loss, longest, .. } in sections {
        let longest = longest.map_or_else(|| "-".to_owned(), |plies| plies.to_string());
        writeln!(out, "{section}\t{positions}\t{win}\t{draw}\t{loss}\t{longest}")?;
    }
    writeln!(out, "section\tpositions\tvalue\tcount")?;
    for Section { section, positions, values, .. } in sections {
        for Counted { value, count } in values {
            writeln!(out, "{section}\t{positions}\t{value}\t{count}")?;
        }
    }
    Ok(())
}

/// Returns the counts of each section of a table: the men of mover and opponent, the positions up to symmetry, those won,
/// drawn and lost for the mover, the finished ones, and the longest win or loss in plies.
pub(super) fn rows(game: &dyn Tabled, table: &Table) -> impl Iterator<Item = Section> {
    game.sections().into_iter().map(move |(section, numbers)| {
        let (mut win, mut draw, mut loss, mut over, mut longest) = (0u64, 0u64, 0u64, 0u64, 0);
        for value in numbers.filter_map(|number| table.get(number)) {
            match value.wdl() {
                Wdl::Win => win += 1,
                Wdl::Draw => draw += 1,
                Wdl::Loss => loss += 1,
            }
            over += u64::from(value.plies() == Some(0));
            longest = longest.max(value.plies().unwrap_or(0));
        }
        let positions = win + draw + loss;
        let (over, longest) = (Some(over), Some(longest));
        Section { section, positions, win, draw, loss, over, longest, values: Vec::new() }
    })
}

/// Writes a line for each section of a table.
pub(super) fn write_rows(game: &dyn Tabled, table: &Table) -> Result<()> {
    let mut out = stdout();
    for Section { section, positions, win, draw, loss, over, longest, .. } in rows(game, table) {
        let (over, longest) = (over.unwrap_or(0), longest.unwrap_or(0));
        writeln!(out, "{section}\t{positions}\t{win}\t{draw}\t{loss}\t{over}\t{longest}")?;
    }
    Ok(())
}

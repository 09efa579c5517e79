//! `grundy tables`: lists, checks, converts and summarises the tables of a folder.

use std::collections::BTreeMap;
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use grundy_core::game::Player;
use grundy_core::table::{Disk, Folder, Header, Label, Maker, Meaning, Packing, Table, kept_by, write};
use grundy_core::text::{grouped, size, visible};
use grundy_core::threads;
use grundy_core::value::{Value, Wdl};
use grundy_session::{Assurance, Catalog, Session, Settings, Tabled};
use grundy_session::{Progress, SolveError, Work, quiet_work};
use serde::Serialize;

use super::making::{states, too_large};
use super::output::{closed, stdout};
use super::paths;
use super::progress::Meter;
use super::shared::{FAILED, Usage, log_line, no_table, open};
use super::solve::all_threads;
use super::tiers;

#[derive(Args)]
#[command(after_help = "In Python, Table.to_csv and Table.to_parquet write the values of all positions.")]
pub struct TablesArgs {
    /// Folder of tables [default: $GRUNDY_TABLES, else the platform's cache]
    #[arg(long, value_name = "DIR", global = true, value_parser = paths::tables())]
    tables: Option<PathBuf>,
    /// Number of threads [default: all]
    #[arg(long, value_name = "N", global = true, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Show no progress
    #[arg(long, short, global = true)]
    quiet: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the tables: game, positions, size, form, method
    List(List),
    /// Check tables, and print how far each may be believed: `proved`, `consistent`, or with --checksums `read`
    ///
    /// read: every checksum is right. consistent: every value that was compared follows from the rules and the values of its
    /// children. proved: consistent, and every value rests only on positions strictly nearer to the end of the game.
    /// proved-given: proved, if the values of other tables that it rests on are right.
    Verify(Verify),
    /// Write a table in the other form: compressed (the default) or plain
    Convert(Convert),
    /// Count wins, draws and losses, distances or margins, and show the longest wins; tier by tier, or by stones, if a game
    /// has such parts
    Stats(Stats),
}

#[derive(Args)]
struct List {
    /// One JSON object a table
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct Which {
    /// Games, or files of tables; all tables of the folder if none is named
    #[arg(value_name = "GAME|FILE")]
    which: Vec<String>,
}

#[derive(Args)]
struct Verify {
    #[command(flatten)]
    which: Which,
    /// Only the checksums
    #[arg(long)]
    checksums: bool,
}

#[derive(Args)]
struct Stats {
    #[command(flatten)]
    which: Which,
    /// One JSON object a table
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct Convert {
    /// A game, or a file of a table
    #[arg(value_name = "GAME|FILE", required = true)]
    which: Vec<String>,
    /// Blocks uncompressed, to be mapped into memory
    #[arg(long)]
    plain: bool,
}

pub fn run(catalog: &Catalog, args: &TablesArgs) -> Result<ExitCode> {
    match &args.command {
        Command::List(List { json }) => list(catalog, args, *json),
        Command::Verify(Verify { which, checksums: false }) => each(catalog, args, which, false, &verify),
        Command::Verify(Verify { which, checksums: true }) => each(catalog, args, which, false, &read),
        Command::Convert(convert) => self::convert(catalog, args, convert),
        Command::Stats(Stats { which, json }) => {
            if !json {
                tiers::begin(catalog, args.tables.as_deref(), &joined(catalog, &which.which))?;
            }
            each(catalog, args, which, *json, &|args, opened| stats(args, opened, *json))
        }
    }
}

fn list(catalog: &Catalog, args: &TablesArgs, json: bool) -> Result<ExitCode> {
    let mut code = ExitCode::SUCCESS;
    for path in files(args)? {
        let listed = match kept_by(&path) {
            Some(_) => opened(catalog, args, &path.to_string_lossy()).and_then(|opened| {
                opened.with_game(|game| {
                    Ok(Some(Listed::of(game.name(), &opened.table, Packing::Packed, game.maker(), &path)))
                })
            }),
            None => Table::open(&path).map_err(Into::into).map(|table| {
                let header = table.header()?;
                Some(Listed::of(&header.name, &table, header.packing, header.maker, &path))
            }),
        };
        match listed {
            Err(error) => {
                let error = format!("{error:#}");
                if json {
                    writeln!(stdout(), "{}", serde_json::json!({ "error": error }))?;
                } else {
                    writeln!(stdout(), "refused\t{}", visible(&error))?;
                }
                code = ExitCode::from(FAILED);
            }
            Ok(None) => {}
            Ok(Some(table)) if json => writeln!(stdout(), "{}", serde_json::to_string(&table)?)?,
            Ok(Some(table)) => table.write()?,
        }
    }
    Ok(code)
}

/// A table in the list.
#[derive(Serialize)]
struct Listed {
    game: String,
    /// Number of values, one for each index.
    values: u64,
    /// Size of the file.
    bytes: u64,
    form: &'static str,
    meaning: String,
    method: &'static str,
    file: String,
}

impl Listed {
    fn of(name: &str, table: &Table, packing: Packing, maker: Maker, path: &Path) -> Listed {
        let meaning: Meaning = table.coding().meaning;
        Listed {
            game: name.to_owned(),
            values: table.count(),
            bytes: std::fs::metadata(path).map_or(0, |file| file.len()),
            form: if packing == Packing::Plain { "plain" } else { "packed" },
            meaning: meaning.to_string(),
            method: match maker {
                Maker::Layers => "layers",
                Maker::Retrograde => "retrograde",
                Maker::BitParallel => "bit-parallel",
                Maker::Thresholds => "thresholds",
                Maker::Other => "other",
            },
            file: path.to_string_lossy().into_owned(),
        }
    }

    /// Prints the line of the table.
    fn write(&self) -> Result<()> {
        let Listed { game, values, bytes, form, meaning, method, file } = self;
        let (game, file) = (visible(game), visible(file));
        let (values, bytes) = (grouped(*values), size(*bytes));
        writeln!(stdout(), "{game}\t{values} values\t{bytes}\t{form}\t{meaning}\t{method}\t{file}")?;
        Ok(())
    }
}

/// A game, its table and the path of that.
struct Opened {
    session: Session,
    table: Table,
    path: PathBuf,
}

impl Opened {
    /// Runs `job` with the game's table as its method sees it.
    fn with_game<T>(&self, job: impl FnOnce(&dyn Tabled) -> Result<T>) -> Result<T> {
        match self.session.kept(&self.path) {
            Some(kept) => job(&*kept?.0),
            None => match self.session.tabled(None) {
                Some(game) => job(&*game),
                None => Err(no_table(self.session.name())),
            },
        }
    }
}

/// Opens a table by its game or its file.
fn opened(catalog: &Catalog, args: &TablesArgs, which: &str) -> Result<Opened> {
    let settings = Settings { tables: args.tables.clone(), ..Settings::default() };
    let (path, named) = if Path::new(which).exists() {
        (PathBuf::from(which), None)
    } else {
        let session = open(catalog, which, &settings)?;
        let folder = session.folder().clone();
        let path = folder.file(session.name());
        if !path.exists() {
            if let Some(table) = shipped(&session)? {
                return Ok(Opened { session, table, path: "part of the program".into() });
            }
            let name = session.name().to_owned();
            let Some(game) = session.tabled(None) else { return Err(no_table(&name)) };
            if let Some(why) = too_large(&folder, &*game, &quiet_work())? {
                let folder = folder.path().display();
                bail!("no table of {name} in {folder}, and {why}: grundy solve {name} answers without one");
            }
            return Err(SolveError::NoTable { name, folder: folder.path().to_owned() }.into());
        }
        (path, Some(session))
    };
    if let Some(name) = kept_by(&path) {
        let session = open(catalog, name, &settings)?;
        let Some(kept) = session.kept(&path) else { bail!("{}: {name} keeps no such file", path.display()) };
        let (_, table) = kept?;
        return Ok(Opened { session, table, path });
    }
    let session = match named {
        Some(session) => session,
        None => match Table::open(&path)?.header() {
            Some(header) => open(catalog, &header.name, &settings)?,
            None => bail!("{}: not a file", path.display()),
        },
    };
    let Some(game) = session.tabled(None) else { return Err(no_table(session.name())) };
    let table = Table::open_for(&path, game.name(), game.fingerprint(), game.count())?;
    drop(game);
    Ok(Opened { session, table, path })
}

/// Returns the table of a game that is part of the program.
fn shipped(session: &Session) -> Result<Option<Table>> {
    let game = session.tabled(None);
    let Some((game, file)) = game.as_ref().and_then(|game| Some((game, game.shipped()?))) else {
        return Ok(None);
    };
    let (header, table) = Table::read(file)
        .map_err(|flaw| anyhow::anyhow!("the table of {} in the program: {flaw}", game.name()))?;
    let same = header.name == game.name()
        && header.fingerprint == game.fingerprint()
        && header.count == game.count();
    Ok(same.then_some(table))
}

/// Returns the files of the folder; says on stderr that there are none.
fn files(args: &TablesArgs) -> Result<Vec<PathBuf>> {
    let folder = Folder::find(args.tables.as_deref());
    let files = folder.list()?;
    if files.is_empty() {
        log_line(&format!("no tables in {}: grundy solve GAME makes one", folder.path().display()));
    }
    Ok(files)
}

/// Returns the names of games and files, in which a section behind a blank belongs to the game before it: `dots 2x2`. A file of
/// rules or of a graph is the game of it.
fn joined(catalog: &Catalog, words: &[String]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for word in words {
        let begins = catalog.row(word).is_some() || word.contains(['.', '/']) || Path::new(word).exists();
        match names.last_mut().filter(|last| !begins && catalog.row(last).is_some()) {
            Some(last) => *last += &format!(" {word}"),
            None if catalog.game_of_file(word).is_some() => names.push(catalog.full_name(word).into_owned()),
            None => names.push(word.clone()),
        }
    }
    names
}

/// Runs `job` for each table that was named, or for all; a failure does not end the others, and is an object on stdout
/// with `json`.
fn each(
    catalog: &Catalog,
    args: &TablesArgs,
    which: &Which,
    json: bool,
    job: &dyn Fn(&TablesArgs, &Opened) -> Result<()>,
) -> Result<ExitCode> {
    let mut all = joined(catalog, &which.which);
    if all.is_empty() {
        all = files(args)?.iter().map(|path| path.display().to_string()).collect();
    }
    // Of no table nothing is proved.
    let mut code = if all.is_empty() { ExitCode::from(FAILED) } else { ExitCode::SUCCESS };
    let mut named = Vec::new();
    for which in &all {
        named.extend(tiers::expanded(catalog, args.tables.as_deref(), which)?);
    }
    for which in &named {
        match opened(catalog, args, which).and_then(|opened| job(args, &opened)) {
            Ok(()) => {}
            Err(error) if closed(&error) => return Err(error),
            Err(error) => {
                let told = format!("{error:#}");
                // A table may be refused for another file: that of its rules.
                let of = if Path::new(which).exists() && !told.contains(which.as_str()) {
                    format!("{which}: ")
                } else {
                    String::new()
                };
                let told = format!("{of}{told}");
                if named.len() == 1 && error.is::<Usage>() {
                    return Err(Usage(told).into());
                }
                match json {
                    true => writeln!(stdout(), "{}", serde_json::json!({ "error": told }))?,
                    false => log_line(&format!("error: {told}")),
                }
                code = ExitCode::from(FAILED);
            }
        }
    }
    Ok(code)
}

fn verify(args: &TablesArgs, opened: &Opened) -> Result<()> {
    let Opened { table, path, .. } = opened;
    let meter = Meter::new(args.quiet);
    let threads = args.threads.map_or_else(all_threads, usize::from);
    let began = Instant::now();
    let work = Work { threads, report: &|progress| meter.show(progress), ..quiet_work() };
    let verified = opened.with_game(|game| {
        let verified = game.verify(table, &work);
        Ok(verified.map(|assurance| (assurance, states(game, table.count()))))
    })?;
    meter.finish();
    match verified {
        Ok((assurance, states)) => tell(&assurance, &states, opened, began),
        Err(doubt) => {
            let (path, doubt) = (path.display().to_string(), doubt.to_string());
            match doubt.starts_with(&path) {
                true => bail!("{doubt}"),
                false => bail!("{path}: {doubt}"),
            }
        }
    }
}

/// Checks the checksums alone.
fn read(args: &TablesArgs, opened: &Opened) -> Result<()> {
    let meter = Meter::new(args.quiet);
    let threads = args.threads.map_or_else(all_threads, usize::from);
    let began = Instant::now();
    opened.table.check_with(threads, &mut |done, total| {
        meter.show(&Progress { what: "blocks checked".into(), done, total });
        true
    })?;
    meter.finish();
    let states = opened.with_game(|game| Ok(states(game, opened.table.count())))?;
    tell(&Assurance::Read, &states, opened, began)
}

fn tell(assurance: &Assurance, states: &str, opened: &Opened, began: Instant) -> Result<()> {
    let (path, seconds) = (opened.path.display(), began.elapsed().as_secs_f64());
    let why = if let Assurance::Consistent(why) = assurance { format!("; {why}") } else { String::new() };
    writeln!(stdout(), "{path}: {}, {states}, {seconds:.1} s{why}", assurance.word())?;
    Ok(())
}

fn convert(catalog: &Catalog, args: &TablesArgs, convert: &Convert) -> Result<ExitCode> {
    let names = joined(catalog, &convert.which);
    let [name] = &names[..] else {
        return Err(Usage(format!("expected one game or file, not {}", names.join(" and "))).into());
    };
    let opened = opened(catalog, args, name)?;
    let of = opened.with_game(|game| Ok(game.name().to_owned()))?;
    let Opened { session, table, path } = opened;
    if kept_by(&path).is_some() {
        bail!("{}: such a file has one form only", path.display());
    }
    table.check()?;
    let Some(Header { name, fingerprint, maker, .. }) = table.header().cloned() else {
        bail!("{}: not a file", path.display())
    };
    let folder = session.folder().moved(path.parent().unwrap_or(Path::new("")));
    let _lock = folder.lock(&of)?;
    let packing = if convert.plain { Packing::Plain } else { Packing::Packed };
    let threads = args.threads.map_or_else(all_threads, usize::from);
    write(&Disk, &path, &Label { name, fingerprint, maker }, &table, packing, threads)?;
    let bytes = std::fs::metadata(&path).map_or(0, |file| file.len());
    writeln!(stdout(), "{}: {}", path.display(), size(bytes))?;
    Ok(ExitCode::SUCCESS)
}

/// Number of positions shown with the longest win.
const SHOWN: usize = 3;

/// Statistics of a range of a table.
#[derive(Default)]
struct Counts {
    values: BTreeMap<Value, u64>,
    sides: BTreeMap<(Player, Wdl), u64>,
    holes: u64,
    /// The most plies of a win, and the first states that have them.
    longest: (Option<u32>, Vec<u64>),
}

impl Counts {
    fn of(game: &dyn Tabled, table: &Table, numbers: Range<u64>) -> Counts {
        let mut counts = Counts::default();
        let mut next = numbers.start;
        game.turns(numbers.clone(), &mut |number, turn| {
            counts.holes += number - next;
            counts.add(table, number, turn);
            next = number + 1;
        });
        counts.holes += numbers.end.saturating_sub(next);
        counts
    }

    /// Adds a state with a position, in which `turn` is to move.
    fn add(&mut self, table: &Table, number: u64, turn: Player) {
        let Some(value) = table.get(number) else {
            self.holes += 1;
            return;
        };
        *self.values.entry(value).or_default() += 1;
        *self.sides.entry((turn, value.wdl())).or_default() += 1;
        if value.wdl() == Wdl::Win {
            self.note(value.plies(), number);
        }
    }

    fn note(&mut self, plies: Option<u32>, number: u64) {
        if plies > self.longest.0 {
            self.longest = (plies, Vec::new());
        }
        if plies.is_some() && plies == self.longest.0 && self.longest.1.len() < SHOWN {
            self.longest.1.push(number);
        }
    }

    /// Adds the statistics of the states that follow.
    fn join(&mut self, next: Counts) {
        next.values.into_iter().for_each(|(value, n)| *self.values.entry(value).or_default() += n);
        next.sides.into_iter().for_each(|(side, n)| *self.sides.entry(side).or_default() += n);
        self.holes += next.holes;
        let (plies, numbers) = next.longest;
        numbers.into_iter().for_each(|number| self.note(plies, number));
    }
}

/// States counted between two reports, by each thread.
const COUNTED: u64 = 1 << 18;

/// The statistics of a table for programs.
#[derive(Serialize)]
struct Statistics {
    game: String,
    file: String,
    positions: u64,
    unused_indices: u64,
    /// Outcomes by the player to move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    players: Vec<Outcomes>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    values: Vec<tiers::Counted>,
    /// The tiers of the table, or its positions by stones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sections: Vec<tiers::Section>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    longest_wins: Vec<LongWin>,
}

/// Numbers of positions with a player to move, by outcome.
#[derive(Serialize)]
struct Outcomes {
    player: u8,
    win: u64,
    draw: u64,
    loss: u64,
}

#[derive(Serialize)]
struct LongWin {
    plies: u32,
    position: String,
}

impl Statistics {
    /// Describes a table whose sections alone are counted.
    fn by_sections(game: &dyn Tabled, table: &Table, path: &Path) -> Statistics {
        let sections: Vec<tiers::Section> = tiers::rows(game, table).collect();
        let positions = sections.iter().map(|section| section.positions).sum();
        Statistics {
            game: game.name().to_owned(),
            file: path.to_string_lossy().into_owned(),
            positions,
            unused_indices: table.count().saturating_sub(positions),
            players: Vec::new(),
            values: Vec::new(),
            sections,
            longest_wins: Vec::new(),
        }
    }

    /// Describes a table by the counts of `all` its states.
    fn of(game: &dyn Tabled, table: &Table, path: &Path, all: Counts) -> Statistics {
        let Counts { values, sides, holes, longest: (plies, numbers) } = all;
        let outcomes = |player: Player| {
            let [win, draw, loss] =
                [Wdl::Win, Wdl::Draw, Wdl::Loss].map(|wdl| sides.get(&(player, wdl)).copied().unwrap_or(0));
            let number = if player == Player::One { 1 } else { 2 };
            (win + draw + loss > 0).then_some(Outcomes { player: number, win, draw, loss })
        };
        let long_win = |number: u64| Some(LongWin { plies: plies?, position: game.position(number)?.1 });
        Statistics {
            game: game.name().to_owned(),
            file: path.to_string_lossy().into_owned(),
            positions: table.count() - holes,
            unused_indices: holes,
            players: [Player::One, Player::Two].into_iter().filter_map(outcomes).collect(),
            values: tiers::Counted::list(values.into_iter().rev(), game.unit()),
            sections: tiers::margins(game, table).collect(),
            longest_wins: numbers.into_iter().filter_map(long_win).collect(),
        }
    }

    /// Prints the statistics as text.
    fn write(&self) -> Result<()> {
        let mut out = stdout();
        writeln!(out, "{} ({})", self.game, self.file)?;
        let [positions, unused] = [self.positions, self.unused_indices].map(grouped);
        writeln!(out, "positions {positions}, unused indices {unused}")?;
        for Outcomes { player, win, draw, loss } in &self.players {
            let [win, draw, loss] = [*win, *draw, *loss].map(grouped);
            writeln!(out, "player {player} to move: win {win}, draw {draw}, loss {loss}")?;
        }
        for tiers::Counted { value, count } in &self.values {
            writeln!(out, "{value}\t{count}")?;
        }
        tiers::write_margins(&mut out, &self.sections)?;
        for LongWin { plies, position } in &self.longest_wins {
            writeln!(out, "longest win:{plies}\t{position}")?;
        }
        Ok(())
    }
}

fn stats(args: &TablesArgs, opened: &Opened, json: bool) -> Result<()> {
    opened.with_game(|game| stats_of(args, game, &opened.table, &opened.path, json))
}

fn stats_of(args: &TablesArgs, game: &dyn Tabled, table: &Table, path: &Path, json: bool) -> Result<()> {
    let meter = Meter::new(args.quiet);
    let threads = args.threads.map_or_else(all_threads, usize::from);
    let show = |what: &'static str, done, total| meter.show(&Progress { what: what.into(), done, total });
    table.check_with(threads, &mut |done, total| {
        show("blocks checked", done, total);
        true
    })?;
    let as_object = |statistics: &Statistics| -> Result<()> {
        writeln!(stdout(), "{}", serde_json::to_string(statistics)?)?;
        Ok(())
    };
    if tiers::counted(game) {
        meter.finish();
        return match json {
            true => as_object(&Statistics::by_sections(game, table, path)),
            false => tiers::write_rows(game, table),
        };
    }
    let work = Work { threads, report: &|progress| meter.show(progress), ..quiet_work() };
    game.prepare(&work, false)?;
    let mut all = Counts::default();
    for first in (0..table.count()).step_by(COUNTED as usize * threads) {
        let begins = (0..threads as u64).map(|thread| first + thread * COUNTED);
        let shares = begins.map(|begin| begin.min(table.count())..table.count().min(begin + COUNTED));
        let counted: Vec<Counts> = thread::scope(|scope| {
            let shares: Vec<_> =
                shares.map(|share| threads::start(scope, move || Counts::of(game, table, share))).collect();
            shares.into_iter().filter_map(threads::Part::join).collect()
        });
        if counted.len() < threads {
            bail!("{}: a thread died", path.display());
        }
        counted.into_iter().for_each(|counts| all.join(counts));
        show("positions counted", first, table.count());
    }
    meter.finish();
    let statistics = Statistics::of(game, table, path, all);
    if json { as_object(&statistics) } else { statistics.write() }
}

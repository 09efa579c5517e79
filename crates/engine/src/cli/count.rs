//! `grundy count`: lines of play, positions, positions up to symmetry and finished ones, ply by ply.

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Result, anyhow, bail};
use clap::Args;
use grundy_session::{Board, Catalog, Form, Listed, Progress, Settings};

use super::given::Given;
use super::methods::MEMORY_MB;
use super::output::stdout;
use super::progress::Meter;
use super::shared::{Usage, log_line};
use super::textbook::{Budget, Reach, comes_back};

#[derive(Args)]
#[command(override_usage = "grundy count [OPTIONS] <GAME> [POSITION]... [PLIES]")]
#[command(
    after_help = "A number as the last word is the plies to count, else it counts to the end of the game."
)]
pub struct CountArgs {
    #[command(flatten)]
    given: Given,
    /// Play on after the end of the game, as long as the board has room; finished are then the full boards
    #[arg(long)]
    past_the_end: bool,
    /// Memory limit
    #[arg(long, value_name = "MB", default_value_t = MEMORY_MB)]
    memory_limit: u64,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
}

/// Returns the set of the positions at a ply: one set serves even plies, one odd ones.
const fn set(ply: u32) -> usize {
    (ply % 2) as usize
}
/// The set of the symmetry classes at the present ply.
const CLASSES: usize = 2;
/// The set of the positions at the present ply without clocks, in games with a clock. The sets of lines keep clocks, since
/// clocks end games.
const CLOCKLESS: usize = 3;
/// The sets of the positions at all plies so far, of their classes and of their essences.
const SEEN: usize = 4;
const SEEN_CLASSES: usize = 5;
const SEEN_ESSENCES: usize = 6;
/// Positions between two reports.
const STRETCH: u32 = 1 << 10;

/// Counts at one ply, or at all plies together.
#[derive(Clone, Copy, Default)]
struct Ply {
    positions: u64,
    classes: u64,
    finished: u64,
    /// Essences, which values depend on; counted at all plies together only.
    essences: u64,
}

/// A count under way.
struct Count<'a> {
    board: Box<dyn Board>,
    listed: Listed,
    limit: u64,
    meter: &'a Meter,
    /// True if positions of one ply may differ in a clock alone.
    clocked: bool,
    /// All plies together; `None` once there was no memory to tell old positions from new ones.
    all: Option<Ply>,
}

pub fn run(catalog: &Catalog, mut args: CountArgs) -> Result<ExitCode> {
    let plies = args.given.last_number();
    let session = args.given.open(catalog, &Settings::default())?;
    let mut board = session.board().map_err(Usage)?;
    let listed = if args.past_the_end { Listed::Onward } else { Listed::Legal };
    if board.list(listed, 1).is_none() {
        let name = session.name();
        let refusal = format!("{name} cannot be played on past its end: expected a game such as tictactoe");
        return Err(Usage(refusal).into());
    }
    let meter = Meter::new(args.quiet);
    let limit = args.memory_limit.saturating_mul(1 << 20);
    let clocked = board.standing().clock.is_some();
    let mut count = Count { board, listed, limit, meter: &meter, clocked, all: Some(Ply::default()) };
    let mut out = stdout();
    writeln!(out, "ply\tlines\tpositions\tclasses\tfinished")?;
    (0..=SEEN_ESSENCES).for_each(|set| count.board.clear(set));
    count.board.insert(set(0), Form::Position);
    let mut lines = vec![1];
    let mut ply = 0;
    let mut asked = false;
    loop {
        let last = plies == Some(ply);
        let before = count.all.map(|all| all.positions);
        let done = count.ply(ply, &lines, last);
        meter.finish();
        let (here, next) = done?;
        let sum = lines.iter().try_fold(0u128, |sum, n| sum.checked_add(*n)).ok_or_else(too_many)?;
        writeln!(out, "{ply}\t{sum}\t{}\t{}\t{}", here.positions, here.classes, here.finished)?;
        out.flush()?;
        if last || next.is_empty() {
            break;
        }
        // A ply without a new position is followed by none: play ends, or is cyclic.
        if plies.is_none() && !asked && before == count.all.map(|all| all.positions) && before.is_some() {
            asked = true;
            let budget = Budget::new(None, limit);
            let mut board = session.board().map_err(Usage)?;
            if comes_back(&mut Reach::of(board.as_mut(), budget, false)?)? {
                log_line("play need not end, and from here on positions repeat: expected PLIES");
                break;
            }
        }
        (lines, ply) = (next, ply + 1);
    }
    if let (Some(Ply { positions, classes, finished, essences }), false) = (count.all, args.quiet) {
        log_line(&format!(
            "in all: {positions} positions, {classes} classes, {finished} finished; values depend on {essences}"
        ));
    }
    Ok(ExitCode::SUCCESS)
}

fn too_many() -> anyhow::Error {
    anyhow!("more than {} lines of play: expected fewer PLIES", u128::MAX)
}

impl Count<'_> {
    /// Counts one ply, and unless it is the last fills the set of the next. Returns the counts, and the number of lines
    /// that lead to each position of the next ply.
    fn ply(&mut self, ply: u32, lines: &[u128], last: bool) -> Result<(Ply, Vec<u128>)> {
        let (here, there) = (set(ply), set(ply + 1));
        self.board.clear(there);
        self.board.clear(CLASSES);
        self.board.clear(CLOCKLESS);
        let mut counts = Ply::default();
        let mut next: Vec<u128> = Vec::new();
        for (place, &lines_here) in (0..).zip(lines) {
            self.board.load(here, place);
            let over = match self.listed {
                Listed::Onward => self.board.list(Listed::Onward, 1).is_none_or(|moves| moves.is_empty()),
                _ => self.board.standing().over.is_some(),
            };
            let new_class = self.board.insert(CLASSES, Form::Canonical).1;
            let new = !self.clocked || self.board.insert(CLOCKLESS, Form::Clockless).1;
            counts.positions += u64::from(new);
            counts.finished += u64::from(over);
            counts.classes += u64::from(new_class);
            if let Some(all) = &mut self.all
                && self.board.insert(SEEN, Form::Clockless).1
            {
                all.positions += 1;
                all.finished += u64::from(over);
                all.classes += u64::from(self.board.insert(SEEN_CLASSES, Form::Canonical).1);
                all.essences += u64::from(self.board.insert(SEEN_ESSENCES, Form::Essence).1);
            }
            let listed =
                if last { Vec::new() } else { self.board.list(self.listed, usize::MAX).unwrap_or_default() };
            for m in listed {
                self.board.play(m);
                let (place, new) = self.board.insert(there, Form::Position);
                self.board.undo();
                if new {
                    next.push(0);
                }
                let lines = &mut next[place as usize];
                *lines = lines.checked_add(lines_here).ok_or_else(too_many)?;
            }
            if place % STRETCH == 0 {
                let what = format!("ply {ply}");
                self.meter.show(&Progress {
                    what: what.into(),
                    done: u64::from(place),
                    total: lines.len() as u64,
                });
                self.keep_to_the_limit(ply, (lines.len() + next.capacity()) as u64)?;
            }
        }
        Ok((counts, next))
    }

    /// Frees what only the totals need if memory is short.
    ///
    /// # Errors
    /// That was not enough.
    fn keep_to_the_limit(&mut self, ply: u32, counts: u64) -> Result<()> {
        let used = |board: &dyn Board| board.set_bytes() + counts * size_of::<u128>() as u64;
        if used(self.board.as_ref()) > self.limit && self.all.take().is_some() {
            (SEEN..=SEEN_ESSENCES).for_each(|set| self.board.clear(set));
        }
        if used(self.board.as_ref()) > self.limit {
            bail!("ply {ply} and the next need more than the {} MB of --memory-limit", self.limit >> 20);
        }
        Ok(())
    }
}

//! The proof of a table: the value of every position is what the rules make of the children's values, and rests only on
//! positions strictly nearer to the end.
//!
//! It is not enough that every value follows from the children: if positions can repeat, a win and a loss may support each
//! other in a cycle. A table of distances has no such cycle, since a distance is one more than that of the child it rests
//! on, as long as none is at the ceiling where counting ends. A table of points has none if every move leads to an earlier
//! [part](crate::parts::Parts), or if the ranks beside the margins fall. The same order proves outcomes; without one a table
//! of outcomes shows nothing of the kind, and its ranks are computed again.
//!
//! A method supplies the rules as a `Subject`; one [`Judge`] decides what may be called proved.

use std::ops::Range;

use grundy_session::{Assurance, Judge, Progress, SolveError, Support, VerifyError, Work};

use crate::backup::{Backup, Examined, found};
use crate::crew::{Crew, Meter, refuse_beyond};
use crate::layers::Acyclic;
use crate::parts::Parts;
use crate::ranked::least_width;
use crate::retrograde;
use crate::states::{StateNumbers, VisitNumber};
use grundy_core::game::{Indexed, MORE, Scored, step};
use grundy_core::random::SplitMix64;
use grundy_core::sorting;
use grundy_core::table::{Coding, Meaning, Table, Width};
use grundy_core::value::{Unit, Value, Wdl};

/// Positions that one task checks.
const TASK: u64 = 1 << 14;
/// Moves that won lately, which are tried first.
const RECENT: usize = 16;

/// Checks every checksum and then every position: an end has the value of the rules, any other position the best that a
/// child leaves to its mover, one ply further away; an index without a position is empty, unless the game's tables are
/// [loose](Indexed::loose).
///
/// Distances below the ceiling prove the table. Points are only consistent: see [`verify_acyclic`]. Outcomes are proved by
/// ranks that are computed again, and are consistent if memory does not suffice for these.
///
/// # Errors
/// The first doubt, lowest index first.
pub fn verify<G: Scored + Indexed>(
    game: &G,
    table: &Table,
    work: &Work<'_>,
) -> Result<Assurance, VerifyError> {
    let whole = Whole { game, parts: None };
    let assurance = verify_subject(&whole, table, work)?;
    match table.coding().meaning {
        Meaning::Outcome => by_ranks(&whole, retrograde::solve_ranks(game, work), table, work),
        _ => Ok(assurance),
    }
}

/// As [`verify`], for an acyclic game: points and outcomes are proved if every move follows the order of the states.
///
/// # Errors
/// As [`verify`].
pub fn verify_acyclic<G: Scored + Acyclic>(
    game: &G,
    table: &Table,
    work: &Work<'_>,
) -> Result<Assurance, VerifyError> {
    if table.coding().meaning.has_distances() {
        return verify(game, table, work);
    }
    let parts = Parts::by_order(game.order(), game.size()).map_err(VerifyError::Work)?;
    verify_in_parts(game, Some(&parts), table, work)
}

/// Checks every checksum and then every position, and compares every move with `parts`, if given.
///
/// # Errors
/// The first doubt, lowest index first.
pub(crate) fn verify_in_parts<G: Scored + Indexed>(
    game: &G,
    parts: Option<&Parts>,
    table: &Table,
    work: &Work<'_>,
) -> Result<Assurance, VerifyError> {
    verify_subject(&Whole { game, parts }, table, work)
}

/// Checks every checksum and then every position.
fn verify_subject(subject: &dyn Subject, table: &Table, work: &Work<'_>) -> Result<Assurance, VerifyError> {
    let loaded = checked(table, work)?;
    let table = loaded.as_ref().unwrap_or(table);
    Check { subject, table, work }.run()
}

/// Returns what supports the values in cells of this meaning. With `ordered`, every move is seen to lead to an earlier part
/// or to stay in a cyclic one, and every rank is compared.
pub(crate) fn support(meaning: Meaning, ordered: bool) -> Support {
    match (meaning, ordered) {
        (Meaning::Distance | Meaning::Alternating, _) => Support::Distances,
        (Meaning::Points, true) => Support::Order,
        (Meaning::Points, false) => Support::Nothing("nothing shows that no line of play is cyclic"),
        (Meaning::Ranked, true) => Support::Ranks,
        (Meaning::Ranked, false) => Support::Nothing("the ranks of its points were not looked at"),
        (Meaning::Outcome, true) => Support::Order,
        (Meaning::Outcome, false) => Support::Nothing("outcomes alone, without ranks"),
    }
}

/// The rules that a table is checked against.
pub(crate) trait Subject: Sync {
    /// Returns the number of states that the table should have.
    fn count(&self) -> u64;

    /// Returns the unit of its values.
    fn unit(&self) -> Unit;

    /// Reports whether the table may hold any value at an index without a position.
    fn loose(&self) -> bool;

    /// Reports whether [`Subject::examine`] compares every move with the order of the parts.
    fn ordered(&self) -> bool;

    /// Returns the other tables that the values rest on, in words.
    fn given(&self) -> Option<String> {
        None
    }

    /// Visits the positions of a range of indices, rising, each with what the rules and the table make of it.
    fn examine(&self, table: &Table, range: Range<u64>, visit: &mut dyn FnMut(u64, Examined));
}

/// All positions of a game.
struct Whole<'a, G> {
    game: &'a G,
    /// The parts that every move is compared with.
    parts: Option<&'a Parts>,
}

impl<G: Scored + Indexed> Subject for Whole<'_, G> {
    fn count(&self) -> u64 {
        self.game.size()
    }

    fn unit(&self) -> Unit {
        self.game.unit()
    }

    fn loose(&self) -> bool {
        self.game.loose()
    }

    fn ordered(&self) -> bool {
        self.parts.is_some()
    }

    fn examine(&self, table: &Table, range: Range<u64>, visit: &mut dyn FnMut(u64, Examined)) {
        let ranked = match table.coding().meaning {
            Meaning::Outcome if self.parts.is_some() => return self.examine_outcomes(table, range, visit),
            meaning => meaning == Meaning::Ranked,
        };
        self.game.walk(range, &mut |number, position| {
            if let Some(ended) = self.game.settled(&position) {
                return visit(number, Examined::Over(ended));
            }
            let mut backup = Backup::new(number, self.parts, ranked);
            self.game.child_indices(&position, &mut |child, step| {
                backup.add(child, step, found(table, child, ranked));
            });
            visit(number, backup.examined());
        });
    }
}

impl<G: Scored + Indexed> Whole<'_, G> {
    /// As [`Subject::examine`], for outcomes alone. Nothing is better than a win, so that the first move that wins decides a
    /// position; those that won lately are tried first.
    fn examine_outcomes(&self, table: &Table, range: Range<u64>, visit: &mut dyn FnMut(u64, Examined)) {
        let (mut moves, mut recent): (Vec<G::Move>, Vec<G::Move>) = (Vec::new(), Vec::new());
        self.game.walk(range, &mut |number, position| {
            if let Some(ended) = self.game.settled(&position) {
                return visit(number, Examined::Over(ended));
            }
            let mut backup = Backup::new(number, self.parts, false);
            let mut wins = |m: &G::Move| {
                let child = self.game.play(&position, *m);
                let step = step(self.game, &position, *m, &child);
                let child = self.game.index(&child);
                let found = found(table, child, false);
                backup.add(child, step, found);
                found.is_some_and(|(value, _)| value.back(step) == Value::WIN)
            };
            moves.clear();
            let _ = self.game.moves(&position, &mut |m| {
                moves.push(m);
                MORE
            });
            if let Some(at) = recent.iter().position(|m| moves.contains(m) && wins(m)) {
                recent[..=at].rotate_right(1);
            } else if let Some(m) = moves.iter().find(|m| !recent.contains(m) && wins(m)) {
                recent.truncate(RECENT - 1);
                recent.insert(0, *m);
            }
            visit(number, backup.examined());
        });
    }
}

/// A table being checked.
pub(crate) struct Check<'a> {
    /// The rules it is checked against.
    pub(crate) subject: &'a dyn Subject,
    /// The table, its checksums checked.
    pub(crate) table: &'a Table,
    /// The resources that the check may use.
    pub(crate) work: &'a Work<'a>,
}

/// Facts about a range of states that gave no doubt.
pub(crate) struct Seen {
    /// The least width that holds every value.
    width: Width,
    /// True if the distance of some end is unknown.
    unmeasured: bool,
}

impl Seen {
    /// Creates the facts about no state, in a table of this coding.
    pub(crate) fn new(coding: Coding) -> Seen {
        let least = if coding.meaning == Meaning::Outcome { Width::Quarter } else { Width::One };
        Seen { width: least, unmeasured: false }
    }

    /// Judges the value and rank that a table has for a position by what the rules and the children make of it.
    ///
    /// # Errors
    /// Why the position is doubted.
    pub(crate) fn judge(
        &mut self,
        coding: Coding,
        number: u64,
        (found, rank): (Option<Value>, u32),
        examined: Examined,
    ) -> Result<(), VerifyError> {
        let expected = match examined {
            Examined::Late(child) => return Err(VerifyError::Order { number, child }),
            Examined::Over(ended) => {
                self.unmeasured |= ended.is_unmeasured();
                coarse(coding, ended).map(|value| (value, 0))
            }
            Examined::Open(expected) => expected,
        };
        let value = expected.map(|(value, _)| value);
        Judge::new(coding.unit(), support(coding.meaning, true)).cell(number, found, value)?;
        let ranked = coding.meaning == Meaning::Ranked;
        if let Some((_, expected)) = expected.filter(|&(_, expected)| ranked && rank != expected) {
            return Err(VerifyError::Rank { number, found: rank, expected });
        }
        // What plain distances would need says whether alternating ones save room.
        let meaning = if coding.meaning.has_distances() { Meaning::Distance } else { coding.meaning };
        let least = match expected {
            Some(expected) if ranked => least_width(expected),
            _ => value.and_then(|value| Coding { meaning, ..coding }.least_width(value)),
        };
        self.width = self.width.max(least.unwrap_or(Width::Four));
        Ok(())
    }

    /// Adds the facts about another range.
    fn add(&mut self, other: &Seen) {
        self.width = self.width.max(other.width);
        self.unmeasured |= other.unmeasured;
    }

    /// Returns the facts as two words, to be sent to another shard.
    pub(crate) fn words(&self) -> (u64, u64) {
        (self.width as u64, self.unmeasured.into())
    }

    /// Adds the facts that another shard has sent as words.
    pub(crate) fn add_words(&mut self, width: u64, unmeasured: u64) {
        let widths = [Width::Quarter, Width::One, Width::Two];
        let width = widths.into_iter().find(|&known| known as u64 == width).unwrap_or(Width::Four);
        self.add(&Seen { width, unmeasured: unmeasured > 0 });
    }

    /// Compares the coding of a table with what its values need. Every method writes distances if all ends have one, in
    /// the least width that holds them all; only some methods test whether they alternate.
    ///
    /// # Errors
    /// [`VerifyError::Coding`] if they differ.
    pub(crate) fn agrees_with(&self, coding: Coding) -> Result<(), VerifyError> {
        let expected = match coding.meaning {
            Meaning::Outcome if !self.unmeasured => Coding { meaning: Meaning::Distance, width: Width::One },
            Meaning::Alternating if self.width > Width::One => {
                Coding { meaning: Meaning::Alternating, width: Width::One }
            }
            Meaning::Distance | Meaning::Alternating => {
                Coding { meaning: Meaning::Distance, width: self.width }
            }
            meaning => Coding { meaning, width: self.width },
        };
        VerifyError::unless_coded(coding, expected)
    }
}

/// Returns the value of an end as a table of this coding has it.
pub(crate) fn coarse(coding: Coding, ended: Value) -> Option<Value> {
    match coding.meaning {
        Meaning::Outcome => coding.encode(ended).and_then(|code| coding.decode(code)),
        Meaning::Distance | Meaning::Alternating | Meaning::Points | Meaning::Ranked => Some(ended),
    }
}

impl Check<'_> {
    /// Compares every value with what the rules and the children's values make of it. Outcomes without an order
    /// of the positions are at most consistent.
    ///
    /// # Errors
    /// The first doubt, lowest index first.
    pub(crate) fn run(&self) -> Result<Assurance, VerifyError> {
        let Check { subject, table, work } = *self;
        let coding = table.coding();
        if table.count() != subject.count() || coding.unit().is_points() != subject.unit().is_points() {
            return Err(VerifyError::Work(SolveError::Broken("the table is of another game".to_owned())));
        }
        let crew = Crew::new(work);
        let meter = Meter::new(work, "positions verified", table.count());
        let group = TASK * 16 * crew.size() as u64;
        let mut all = Seen::new(coding);
        for first in (0..table.count()).step_by(group as usize) {
            let end = table.count().min(first + group);
            let tasks = (first..end).step_by(TASK as usize).map(|begin| begin..end.min(begin + TASK));
            for seen in crew.map(tasks.collect(), &|range| self.stretch(range)) {
                all.add(&seen?);
            }
            meter.add(end - first).map_err(VerifyError::Work)?;
        }
        all.agrees_with(coding)?;
        let judge = Judge::new(coding.unit(), support(coding.meaning, subject.ordered()));
        Ok(judge.given(subject.given()).assurance())
    }

    /// Checks a range of states, up to the first doubt.
    fn stretch(&self, range: Range<u64>) -> Result<Seen, VerifyError> {
        let Check { subject, table, .. } = *self;
        let mut next = range.start;
        let mut seen = Seen::new(table.coding());
        let mut doubt = None;
        let empty = |from: u64, to: u64| {
            let said = (from..to).find(|&number| !subject.loose() && table.get(number).is_some());
            said.map(|number| VerifyError::Wrong { number, found: table.get(number), expected: None })
        };
        subject.examine(table, range.clone(), &mut |number, examined| {
            if doubt.is_none() {
                doubt = empty(next, number).or_else(|| self.position(number, examined, &mut seen).err());
                next = number + 1;
            }
        });
        match doubt.or_else(|| empty(next, range.end)) {
            Some(doubt) => Err(doubt),
            None => Ok(seen),
        }
    }

    fn position(&self, number: u64, examined: Examined, seen: &mut Seen) -> Result<(), VerifyError> {
        let coding = self.table.coding();
        let rank = if coding.meaning == Meaning::Ranked { self.table.rank(number) } else { Some(0) };
        seen.judge(coding, number, (self.table.get(number), rank.unwrap_or(u32::MAX)), examined)
    }
}

/// Proves a table of outcomes by ranks: the distance of each win and loss from the ends, every end counting as one.
fn by_ranks(
    subject: &dyn Subject,
    ranks: Result<Table, SolveError>,
    table: &Table,
    work: &Work<'_>,
) -> Result<Assurance, VerifyError> {
    match ranks {
        Ok(ranks) => compare_ranks(subject, &ranks, table, work),
        Err(error @ SolveError::TooLarge { .. }) => {
            Ok(Assurance::Consistent(format!("outcomes alone, and working out their ranks {error}")))
        }
        Err(error) => Err(VerifyError::Work(error)),
    }
}

/// Proves ranks, and that a table of outcomes agrees with them.
fn compare_ranks(
    subject: &dyn Subject,
    ranks: &Table,
    table: &Table,
    work: &Work<'_>,
) -> Result<Assurance, VerifyError> {
    let outcome = |value: Option<Value>| value.map(Value::wdl);
    let as_rank = |ended: Value| match ended.wdl() {
        _ if !ended.is_unmeasured() => ended,
        Wdl::Loss => Value::loss_in(0),
        _ => Value::win_in(0),
    };
    let judge = Judge::new(Unit::Outcome, Support::Distances);
    let crew = Crew::new(work);
    let meter = Meter::new(work, "ranks verified", table.count());
    let group = TASK * 16 * crew.size() as u64;
    for first in (0..table.count()).step_by(group as usize) {
        let end = table.count().min(first + group);
        let tasks = (first..end).step_by(TASK as usize).map(|begin| begin..end.min(begin + TASK));
        let wrong = crew.map(tasks.collect(), &|range: Range<u64>| {
            let mut wrong = None;
            subject.examine(ranks, range, &mut |number, examined| {
                let rank = ranks.get(number);
                let follows = match examined {
                    Examined::Over(ended) => Some(as_rank(ended)),
                    Examined::Open(best) => best.map(|(value, _)| value),
                    Examined::Late(_) => None,
                };
                let right = judge.value(rank, follows).is_ok() && outcome(rank) == outcome(table.get(number));
                if !right && wrong.is_none() {
                    let expected = rank.map(|rank| match rank.wdl() {
                        Wdl::Win => Value::WIN,
                        Wdl::Draw => Value::DRAW,
                        Wdl::Loss => Value::LOSS,
                    });
                    wrong = Some(VerifyError::Wrong { number, found: table.get(number), expected });
                }
            });
            wrong
        });
        if let Some(doubt) = wrong.into_iter().flatten().next() {
            return Err(doubt);
        }
        meter.add(end - first).map_err(VerifyError::Work)?;
    }
    Ok(Judge::new(Unit::Outcome, Support::Ranks).assurance())
}

/// Compares a table with `again`, one of the same states that was just built from the rules.
///
/// # Errors
/// The first state at which they differ.
pub(crate) fn verify_again(unit: Unit, table: &Table, again: &Table) -> Result<Assurance, VerifyError> {
    if table.count() != again.count() {
        return Err(VerifyError::Work(SolveError::Broken("the table is of another game".to_owned())));
    }
    let judge = Judge::new(unit, Support::SolvedAgain);
    for number in 0..table.count() {
        let (found, expected) = (table.get(number), again.get(number));
        // Indices without a position are empty in both.
        if found.is_some() || expected.is_some() {
            judge.cell(number, found, expected)?;
        }
    }
    Ok(judge.assurance())
}

/// Checks every checksum of a table. Returns it with its cells in memory if they are packed and fit there: children lie all
/// over a table, and unpacking a block for each would take hours.
///
/// # Errors
/// A checksum is wrong, or the work was stopped.
pub(crate) fn checked(table: &Table, work: &Work<'_>) -> Result<Option<Table>, VerifyError> {
    let mut more = |done, total| {
        (work.report)(&Progress { what: "blocks checked".into(), done, total });
        !work.stopped()
    };
    let fits = refuse_beyond(table.coding().bytes(table.count()), work).is_ok();
    let loaded = if table.is_packed() && fits {
        table.load(work.threads, &mut more).map_err(VerifyError::Table)?
    } else {
        None
    };
    if loaded.is_none() && !work.stopped() {
        table.check_with(work.threads, &mut more).map_err(VerifyError::Table)?;
    }
    if work.stopped() { Err(VerifyError::Work(SolveError::Stopped)) } else { Ok(loaded) }
}

/// Returns a checksum of the rules and the indexing: of up to a thousand positions spread over all states, of their values
/// if they are over, and of the indices of their children.
pub fn fingerprint<G: Scored + Indexed>(game: &G) -> u64 {
    fingerprint_of(game, 0..game.size())
}

/// As [`fingerprint`], over a range of states.
pub(crate) fn fingerprint_of<G: Scored + Indexed>(game: &G, numbers: Range<u64>) -> u64 {
    let states = StateNumbers::<G>::indexed();
    sampled(game.checksum(), numbers, &|number, visit| (states.expand)(game, number.into(), visit).ok())
}

/// Returns the checksum; `expand` visits the children of a state, or returns the value if the game is over there, and
/// `None` if the state has no position.
fn sampled(
    checksum: u64,
    numbers: Range<u64>,
    expand: &dyn Fn(u64, &mut VisitNumber<'_>) -> Option<Option<Value>>,
) -> u64 {
    const SAMPLES: u64 = 1000;
    let count = numbers.end - numbers.start;
    let mut sum = RunningHash::default();
    sum.add(count);
    if checksum != 0 {
        sum.add(checksum);
    }
    let mut children = Vec::new();
    for sample in 0..SAMPLES.min(count) {
        let spread = (count / SAMPLES) * sample + sample % 7;
        let number = if count <= SAMPLES { sample } else { spread.min(count - 1) };
        sum.add(number);
        children.clear();
        let over = expand(numbers.start + number, &mut |child, step| {
            children.push((child as u64, step.turn_passed, step.gain));
        });
        let Some(over) = over else { continue };
        if let Some(ended) = over {
            sum.add(ended.raw() as u64);
            continue;
        }
        // The order of moves is no part of the rules.
        sorting::sort(&mut children);
        for &(child, turn_passed, gain) in &children {
            sum.add(child);
            sum.add(u64::from(turn_passed) << 32 | u64::from(gain as u32));
        }
    }
    sum.0
}

/// A running checksum that is the same on every machine (the mixing function is splitmix64's).
#[derive(Default)]
struct RunningHash(u64);

impl RunningHash {
    fn add(&mut self, word: u64) {
        self.0 = SplitMix64(self.0 ^ word).bits();
    }
}

#[cfg(test)]
mod tests;

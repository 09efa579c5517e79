//! The proof of a table: at every position the value is what the rules make of the children's values, and what a value
//! rests on lies strictly nearer to the end.
//!
//! That every value follows from its children is not enough where positions can come again: a win and a loss may then
//! support each other in a circle. A table of distances has no such circle, since a distance is one more than that of
//! the child it rests on, as long as none is at the ceiling where counting ends. A table of points has none where every
//! move leads to a number that is filled before, or where ranks stand beside the margins and fall. A table of outcomes alone
//! shows nothing of the kind: ranks for it are worked out again.
//!
//! A method says what its table is checked against by a `Subject`; what may be called proved is decided by one [`Judge`].

use std::ops::Range;

use grundy_session::{Belief, Doubt, Judge, Progress, SolveError, Support, Work};

use crate::crew::{Crew, Meter, refuse_beyond};
use crate::layers::{Acyclic, Precedence};
use crate::ranked::{Ranked, judge_ranked, least_width};
use crate::retrograde;
use grundy_core::game::{Indexed, Scored};
use grundy_core::random::SplitMix64;
use grundy_core::sorting;
use grundy_core::table::{Coding, Meaning, Table, Width};
use grundy_core::value::{Unit, Value, Wdl};

/// Positions one task checks.
const TASK: u64 = 1 << 14;

/// Checks every checksum and then every position: an end has the value of the rules, any other the best that a
/// child leaves to its mover, one ply further away; a number that no position has is empty, unless the game's
/// tables are [loose](Indexed::loose).
///
/// Distances below the ceiling prove the table. Points are only consistent: see [`verify_acyclic`]. Outcomes are proved
/// by ranks that are worked out again, and are consistent where there is no room for these.
///
/// # Errors
/// The first doubt, lowest number first.
pub fn verify<G: Scored + Indexed>(game: &G, table: &Table, work: &Work<'_>) -> Result<Belief, Doubt> {
    let loaded = checked(table, work)?;
    let table = loaded.as_ref().unwrap_or(table);
    let belief = Check { subject: &Whole { game, order: None }, table, work }.run()?;
    if table.coding().meaning == Meaning::Outcome { by_ranks(game, table, work) } else { Ok(belief) }
}

/// As [`verify`], for a game whose numbers have an order: that every move keeps to it proves points too.
///
/// # Errors
/// As [`verify`].
pub fn verify_acyclic<G: Scored + Acyclic>(
    game: &G,
    table: &Table,
    work: &Work<'_>,
) -> Result<Belief, Doubt> {
    if table.coding().meaning != Meaning::Points {
        return verify(game, table, work);
    }
    let order = Precedence::new(game.order(), game.size()).map_err(Doubt::Work)?;
    let loaded = checked(table, work)?;
    let table = loaded.as_ref().unwrap_or(table);
    Check { subject: &Whole { game, order: Some(&order) }, table, work }.run()
}

/// What supports the values in cells of this meaning; `ordered` where every move is seen to lead to a number that comes
/// earlier, and every rank is compared.
pub(crate) fn support(meaning: Meaning, ordered: bool) -> Support {
    match (meaning, ordered) {
        (Meaning::Distance | Meaning::Alternating, _) => Support::Distances,
        (Meaning::Points, true) => Support::Order,
        (Meaning::Points, false) => Support::Nothing("nothing shows that no line of play goes round"),
        (Meaning::Ranked, true) => Support::Ranks,
        (Meaning::Ranked, false) => Support::Nothing("the ranks of its points were not looked at"),
        (Meaning::Outcome, _) => Support::Nothing("outcomes alone, without ranks"),
    }
}

/// What a table is checked against.
pub(crate) trait Subject: Sync {
    /// How many numbers the table should have.
    fn count(&self) -> u64;

    /// What its values count.
    fn unit(&self) -> Unit;

    /// Whether it may hold any value at numbers that no position has.
    fn loose(&self) -> bool;

    /// Whether [`Subject::examine`] reports every move that leads to a number that does not come earlier, and every rank.
    fn ordered(&self) -> bool;

    /// The other tables that the values rest on, in words.
    fn given(&self) -> Option<String> {
        None
    }

    /// Visits the positions of a range of numbers in rising order, each with what a table makes of it.
    fn examine(&self, table: &Table, range: Range<u64>, visit: &mut dyn FnMut(u64, Examined));
}

/// What the rules and a table make of a position.
pub(crate) enum Examined {
    /// It is over, and has this value.
    Over(Value),
    /// The best that the children leave to the mover; `None` where one has no value.
    Open(Option<Value>),
    /// The margin and rank that the children leave to the mover, in a table of ranks; `None` where one has no value.
    Ranked(Option<Ranked>),
    /// A move leads to this number, which does not come before the position's.
    Late(u64),
}

/// All positions of a game.
struct Whole<'a, G> {
    game: &'a G,
    /// Which numbers come before which, where that is checked.
    order: Option<&'a Precedence>,
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
        self.order.is_some()
    }

    fn examine(&self, table: &Table, range: Range<u64>, visit: &mut dyn FnMut(u64, Examined)) {
        self.game.walk(range, &mut |number, position| {
            if let Some(ended) = self.game.over(&position) {
                return visit(number, Examined::Over(ended));
            }
            let mut best = None;
            let mut missing = false;
            let mut late = None;
            self.game.child_numbers(&position, &mut |child, step| {
                if self.order.is_some_and(|order| !order.comes_before(child, number)) {
                    late.get_or_insert(child);
                }
                match table.get(child) {
                    Some(value) => best = best.max(Some(value.back(step))),
                    None => missing = true,
                }
            });
            let open = Examined::Open(best.filter(|_| !missing));
            visit(number, late.map_or(open, Examined::Late));
        });
    }
}

/// One table being checked.
pub(crate) struct Check<'a> {
    /// What it is checked against.
    pub(crate) subject: &'a dyn Subject,
    /// The table, its checksums checked.
    pub(crate) table: &'a Table,
    /// What the check may use.
    pub(crate) work: &'a Work<'a>,
}

/// What was seen in a stretch of numbers without a doubt.
pub(crate) struct Seen {
    /// The width that some value needs.
    width: Width,
    /// Whether the distance of some end is not known.
    unmeasured: bool,
}

impl Seen {
    /// Nothing yet, in a table of this coding.
    pub(crate) fn new(coding: Coding) -> Seen {
        let least = if coding.meaning == Meaning::Outcome { Width::Quarter } else { Width::One };
        Seen { width: least, unmeasured: false }
    }

    /// Adds a position: the value that was found, and what the rules and the children's values make of it.
    pub(crate) fn judge(
        &mut self,
        coding: Coding,
        number: u64,
        over: Option<Value>,
        found: Option<Value>,
        expected: Option<Value>,
    ) -> Result<(), Doubt> {
        Judge::new(coding.unit(), support(coding.meaning, true))
            .value(found, expected)
            .map_err(|unproved| Doubt::of(unproved, number, found, expected))?;
        self.unmeasured |= over.is_some_and(Value::is_unmeasured);
        // What plain distances would need says whether alternating ones save room.
        let meaning = if coding.meaning.has_distances() { Meaning::Distance } else { coding.meaning };
        let least = found.and_then(|value| Coding { meaning, ..coding }.least_width(value));
        self.width = self.width.max(least.unwrap_or(Width::Four));
        Ok(())
    }

    /// Adds the width that something needs.
    pub(crate) fn add_width(&mut self, width: Width) {
        self.width = self.width.max(width);
    }

    /// Adds what was seen in another stretch.
    fn add(&mut self, other: &Seen) {
        self.width = self.width.max(other.width);
        self.unmeasured |= other.unmeasured;
    }

    /// This as two words, to be sent to another shard.
    pub(crate) fn words(&self) -> (u64, u64) {
        (self.width as u64, self.unmeasured.into())
    }

    /// Adds what another shard has sent as words.
    pub(crate) fn add_words(&mut self, width: u64, unmeasured: u64) {
        let widths = [Width::Quarter, Width::One, Width::Two];
        let width = widths.into_iter().find(|&known| known as u64 == width).unwrap_or(Width::Four);
        self.add(&Seen { width, unmeasured: unmeasured > 0 });
    }

    /// Compares the coding of a table with what its values need. Every method writes distances where all ends have one,
    /// in the least cells that hold them all; only some look whether they alternate.
    pub(crate) fn agrees_with(&self, coding: Coding) -> Result<(), Doubt> {
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
        if coding == expected { Ok(()) } else { Err(Doubt::Coding { found: coding, expected }) }
    }
}

/// The value of an end as a table of this coding has it.
pub(crate) fn coarse(coding: Coding, ended: Value) -> Option<Value> {
    match coding.meaning {
        Meaning::Outcome => coding.encode(ended).and_then(|code| coding.decode(code)),
        Meaning::Distance | Meaning::Alternating | Meaning::Points | Meaning::Ranked => Some(ended),
    }
}

impl Check<'_> {
    /// Compares every value with what the rules and the children's values make of it. Outcomes alone are at most
    /// consistent here.
    pub(crate) fn run(&self) -> Result<Belief, Doubt> {
        let Check { subject, table, work } = *self;
        let coding = table.coding();
        if table.count() != subject.count() || coding.unit().is_points() != subject.unit().is_points() {
            return Err(Doubt::Work(SolveError::Broken("the table is of another game".to_owned())));
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
            meter.add(end - first).map_err(Doubt::Work)?;
        }
        all.agrees_with(coding)?;
        let judge = Judge::new(coding.unit(), support(coding.meaning, subject.ordered()));
        Ok(judge.given(subject.given()).belief())
    }

    /// Checks a stretch of numbers; the first doubt in it.
    fn stretch(&self, range: Range<u64>) -> Result<Seen, Doubt> {
        let Check { subject, table, .. } = *self;
        let mut next = range.start;
        let mut seen = Seen::new(table.coding());
        let mut doubt = None;
        let empty = |from: u64, to: u64| {
            let said = (from..to).find(|&number| !subject.loose() && table.get(number).is_some());
            said.map(|number| Doubt::Wrong { number, found: table.get(number), expected: None })
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

    fn position(&self, number: u64, examined: Examined, seen: &mut Seen) -> Result<(), Doubt> {
        let (coding, found) = (self.table.coding(), self.table.get(number));
        let ranked = coding.meaning == Meaning::Ranked;
        let (over, expected) = match examined {
            Examined::Over(ended) if ranked => return self.ranked(number, Some((ended, 0)), seen),
            Examined::Ranked(expected) => return self.ranked(number, expected, seen),
            Examined::Over(ended) => (Some(ended), coarse(coding, ended)),
            Examined::Open(best) => (None, best),
            Examined::Late(child) => return Err(Doubt::Order { number, child }),
        };
        seen.judge(coding, number, over, found, expected)
    }

    /// Compares a margin and its rank with what they should be.
    fn ranked(&self, number: u64, expected: Option<Ranked>, seen: &mut Seen) -> Result<(), Doubt> {
        let stands = self.table.rank(number).unwrap_or(u32::MAX);
        judge_ranked(number, (self.table.get(number), stands), expected)?;
        seen.add_width(expected.and_then(least_width).unwrap_or(Width::Four));
        Ok(())
    }
}

/// Proves a table of outcomes by ranks: how far each win and loss is from the ends, as if every end were one.
fn by_ranks<G: Scored + Indexed>(game: &G, table: &Table, work: &Work<'_>) -> Result<Belief, Doubt> {
    match retrograde::solve_ranks(game, work) {
        Ok(ranks) => compare_ranks(&Whole { game, order: None }, &ranks, table, work),
        Err(error @ SolveError::TooLarge { .. }) => {
            Ok(Belief::Consistent(format!("outcomes alone, and working out their ranks {error}")))
        }
        Err(error) => Err(Doubt::Work(error)),
    }
}

/// Proves ranks, and that a table of outcomes says the same.
fn compare_ranks(
    subject: &dyn Subject,
    ranks: &Table,
    table: &Table,
    work: &Work<'_>,
) -> Result<Belief, Doubt> {
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
                    Examined::Open(best) => best,
                    Examined::Late(_) | Examined::Ranked(_) => None,
                };
                let right = judge.value(rank, follows).is_ok() && outcome(rank) == outcome(table.get(number));
                if !right && wrong.is_none() {
                    let expected = rank.map(|rank| match rank.wdl() {
                        Wdl::Win => Value::WIN,
                        Wdl::Draw => Value::DRAW,
                        Wdl::Loss => Value::LOSS,
                    });
                    wrong = Some(Doubt::Wrong { number, found: table.get(number), expected });
                }
            });
            wrong
        });
        if let Some(doubt) = wrong.into_iter().flatten().next() {
            return Err(doubt);
        }
        meter.add(end - first).map_err(Doubt::Work)?;
    }
    Ok(Judge::new(Unit::Outcome, Support::Ranks).belief())
}

/// Compares a table with one of the same numbers that was made again from the rules.
///
/// # Errors
/// The first number at which they differ.
pub(crate) fn verify_again(unit: Unit, table: &Table, again: &Table) -> Result<Belief, Doubt> {
    if table.count() != again.count() {
        return Err(Doubt::Work(SolveError::Broken("the table is of another game".to_owned())));
    }
    let judge = Judge::new(unit, Support::SolvedAgain);
    for number in 0..table.count() {
        let (found, expected) = (table.get(number), again.get(number));
        // What no position has is the same in both.
        if found.is_some() || expected.is_some() {
            judge.value(found, expected).map_err(|unproved| Doubt::of(unproved, number, found, expected))?;
        }
    }
    Ok(judge.belief())
}

/// Checks every checksum of a table; gives it with its cells in memory where they are packed and fit there, since
/// children lie all over a table, and unpacking a block for each would take hours.
///
/// # Errors
/// A checksum is wrong, or the work was stopped.
pub(crate) fn checked(table: &Table, work: &Work<'_>) -> Result<Option<Table>, Doubt> {
    let mut more = |done, total| {
        (work.report)(&Progress { what: "blocks checked".to_owned(), done, total });
        !work.stopped()
    };
    let fits = refuse_beyond(table.coding().bytes(table.count()), work).is_ok();
    let loaded = if table.is_packed() && fits {
        table.load(work.threads, &mut more).map_err(Doubt::Table)?
    } else {
        None
    };
    if loaded.is_none() && !work.stopped() {
        table.check_with(work.threads, &mut more).map_err(Doubt::Table)?;
    }
    if work.stopped() { Err(Doubt::Work(SolveError::Stopped)) } else { Ok(loaded) }
}

/// A number that changes with the rules and the numbering: a checksum of up to a thousand positions spread over
/// all numbers, of their ends and of the numbers of their children.
pub fn fingerprint<G: Scored + Indexed>(game: &G) -> u64 {
    fingerprint_of(game, 0..game.size())
}

/// As [`fingerprint`], over a range of numbers.
pub(crate) fn fingerprint_of<G: Scored + Indexed>(game: &G, numbers: Range<u64>) -> u64 {
    const SAMPLES: u64 = 1000;
    let count = numbers.end - numbers.start;
    let mut sum = RunningHash::default();
    sum.add(count);
    if game.checksum() != 0 {
        sum.add(game.checksum());
    }
    for sample in 0..SAMPLES.min(count) {
        let number = if count <= SAMPLES { sample } else { (count / SAMPLES) * sample + sample % 7 };
        sum.add(number);
        let Some(position) = game.position(numbers.start + number) else { continue };
        if let Some(ended) = game.over(&position) {
            sum.add(ended.raw() as u64);
            continue;
        }
        let mut children = Vec::new();
        game.child_numbers(&position, &mut |child, step| {
            children.push((child, step.turn_passed, step.gain));
        });
        // The order of moves is no part of the rules.
        sorting::sort(&mut children);
        for (child, turn_passed, gain) in children {
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

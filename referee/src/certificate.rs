//! Certificates: what an audit proved, in a form that anyone can check by the rules alone.
//!
//! A section claims a value for every listed position, and lists for each either the one move of a strategy or all
//! moves (`*`). The check is local: the value of a position is the best of its moves, one ply further away, and every
//! move leads to a listed position or ends the game. A progress measure, the distance or a listed rank, falls towards
//! the end, so that no cycle of positions supports itself. `docs/certificates.md` states the theorem and its proof.

mod header;

use std::fmt;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use grundy_core::game::Player;
use grundy_core::section::{Heading, SectionWriter};
use grundy_core::text::counted;
use grundy_core::threads::share;
use grundy_core::value::{Unit, Value, Wdl};
use grundy_session::{Catalog, Judge, Played, Session, Successor, Support, Unproved};
use xxhash_rust::xxh3::xxh3_128;

use crate::games;
use crate::graph::{Node, NodeValue};
use crate::hash_index::HashIndex;

pub use grundy_core::section::Kind;
use header::{Header, Lines, shown, split};

/// A section as it was proved.
pub struct Section<'a> {
    /// The game by its full name.
    pub game: &'a str,
    /// The [digest](Session::digest) of the game's files, if it has any.
    pub digest: Option<&'a str>,
    /// The player whose moves are fixed, or a table.
    pub kind: Kind,
    /// The unit of the values.
    pub unit: Unit,
    /// The positions; the section is about the first.
    pub nodes: &'a [Node],
    /// The values of the positions.
    pub worth: &'a [NodeValue],
}

/// Returns the text of a section.
///
/// # Errors
/// None is expected: the text is written to memory.
pub fn write(section: &Section<'_>) -> io::Result<Vec<u8>> {
    let listed = || section.nodes.iter().zip(section.worth).filter(|(node, _)| node.over.is_none());
    let mut writer = SectionWriter::begin(
        Vec::new(),
        &Heading {
            game: section.game,
            digest: section.digest,
            kind: section.kind,
            start: &section.nodes[0].position,
            value: section.worth[0].value,
            unit: section.unit,
            count: listed().count(),
        },
    )?;
    for (node, worth) in listed() {
        let word = match (section.kind, &node.choice) {
            (Kind::Strategy(side), Some(word)) if node.turn == side => &**word,
            _ => "*",
        };
        writer.position(&node.position, worth.value, word, (worth.rank, worth.part))?;
    }
    writer.finish()
}

/// The statement that a checked section proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// The game.
    pub game: String,
    /// The digest of the game's files as they are now, if it has any.
    pub digest: Option<String>,
    /// Set if the section names this digest; older versions wrote none.
    pub names_digest: bool,
    /// The player whose moves were fixed, or a table.
    pub kind: Kind,
    /// The position it is about.
    pub start: String,
    /// The player to move there.
    pub turn: Player,
    /// The value for him.
    pub value: Value,
    /// The unit of the values.
    pub unit: Unit,
    /// The number of positions checked.
    pub positions: usize,
    /// The number of moves checked.
    pub moves: usize,
}

impl Proved {
    /// Returns the statement in lines; `by` says what it was checked by.
    pub fn report(&self, by: &str) -> Vec<String> {
        let Proved { game, start, positions, moves, .. } = self;
        let mut lines = vec![format!(
            "{game}: proved by {by} alone, {}, {}",
            counted(*positions, "position"),
            counted(*moves, "move")
        )];
        lines.extend(self.digest.as_ref().map(|digest| match self.names_digest {
            true => format!("  of the file with the digest {digest}"),
            false => format!(
                "  of the file as it is now, with the digest {digest}: the certificate is of an older version and \
                 names none"
            ),
        }));
        lines.push(format!("  {start}: {}", self.words()));
        lines
    }

    fn words(&self) -> String {
        let value = self.value.show(self.unit);
        let turn = self.turn.digit();
        match self.kind {
            Kind::Table => format!("the value is {value} for player {turn}, who is to move"),
            Kind::Strategy(side) => format!(
                "player {} gets at least this against any play: {value} as seen by player {turn}, who is to move",
                side.digit()
            ),
        }
    }
}

/// Returns what pairs of sections prove together: the value, if both players guarantee the same.
pub fn conclusions(sections: &[Proved]) -> Vec<String> {
    let of = |side: Player| sections.iter().filter(move |proved| proved.kind == Kind::Strategy(side));
    let pairs = of(Player::One).flat_map(|one| of(Player::Two).map(move |two| (one, two)));
    let about = |proved: &Proved| (proved.game.clone(), proved.digest.clone(), proved.start.clone());
    let same = pairs.filter(|(one, two)| about(one) == about(two));
    same.map(|(one, two)| {
        let sure = Guarantees { turn: one.turn, unit: one.unit, by: [one.value, two.value] };
        format!("{}: {sure}", one.game)
    })
    .collect()
}

/// The values that the two players' strategies guarantee in one position, as seen by the player to move.
#[derive(Clone, Copy, Debug)]
pub struct Guarantees {
    /// The player to move.
    pub turn: Player,
    /// The unit of the values.
    pub unit: Unit,
    /// The guarantees of player one and player two.
    pub by: [Value; 2],
}

impl Guarantees {
    /// Returns the lower and the upper bound of the position's value: the guarantee of the player to move, and that
    /// of the other.
    pub fn bounds(&self) -> (Value, Value) {
        let [one, two] = self.by;
        if self.turn == Player::One { (one, two) } else { (two, one) }
    }

    /// Returns the value if both guarantees prove one: exact if they are equal, without its distance if they differ
    /// in the distance alone.
    pub fn value(&self) -> Option<Value> {
        let (least, most) = self.bounds();
        match (least.wdl(), self.unit) {
            _ if least == most => Some(least),
            (Wdl::Win, Unit::Outcome) if most.wdl() == Wdl::Win => Some(Value::WIN),
            (Wdl::Loss, Unit::Outcome) if most.wdl() == Wdl::Loss => Some(Value::LOSS),
            _ => None,
        }
    }

    /// Reports whether the guarantees contradict each other: the lower bound is above the upper one.
    pub fn contradicts(&self) -> bool {
        let (least, most) = self.bounds();
        let measured = least.plies().is_some() && most.plies().is_some();
        least > most && (measured || self.unit.is_points() || least.wdl() > most.wdl())
    }
}

impl fmt::Display for Guarantees {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (least, most) = self.bounds();
        let (least_words, most_words) = (least.show(self.unit), most.show(self.unit));
        let turn = self.turn.digit();
        match self.value() {
            _ if self.contradicts() => {
                write!(f, "contradiction: at least {least_words} and at most {most_words}")
            }
            Some(value) if least == most || least.plies().is_none() || most.plies().is_none() => {
                write!(f, "value proved: {} for player {turn}, who is to move", value.show(self.unit))
            }
            Some(value) => {
                let value = value.show(self.unit);
                write!(
                    f,
                    "value proved: {value} for player {turn}, who is to move, {least_words} to {most_words}"
                )
            }
            None => {
                write!(
                    f,
                    "value not proved: between {least_words} and {most_words} for player {turn}, who is to move"
                )
            }
        }
    }
}

/// The accepted spellings of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// The standard spelling, as the rules write the move.
    Standard,
    /// Every spelling that the rules read; a second interpreter writes moves as numbers.
    Any,
}

/// Checks a file of one or more sections by the rules alone, on `threads` threads. Takes at most six times the memory of
/// `text`, besides `text` itself.
///
/// # Errors
/// The first thing that is wrong, with its position if it has one; one line.
pub fn check_text(
    catalog: &Catalog,
    text: &str,
    threads: usize,
    spelling: Spelling,
) -> Result<Vec<Proved>, String> {
    let mut rest = text;
    let mut proved = Vec::new();
    while !rest.is_empty() {
        let (section, claimed, after) = split(rest)?;
        if claimed != format!("{:032x}", xxh3_128(section.as_bytes())) {
            return Err("the checksum is wrong: the file is not as it was written".to_string());
        }
        proved.push(check_section(catalog, section, threads, spelling)?);
        rest = after;
    }
    if proved.is_empty() {
        return Err("the file is empty".to_string());
    }
    Ok(proved)
}

struct Entry<'t> {
    position: &'t str,
    value: Value,
    word: &'t str,
    /// The progress measure: falls along the moves that the value rests on.
    rank: u32,
    /// In cyclic games for points, the component: no move leads to a higher one.
    part: Option<u32>,
}

/// The positions of a section.
struct Listing<'t> {
    kind: Kind,
    unit: Unit,
    spelling: Spelling,
    judge: Judge,
    entries: Vec<Entry<'t>>,
    index: HashIndex,
}

impl<'t> Listing<'t> {
    fn of(&self, position: &str) -> Option<&Entry<'t>> {
        let number = self.index.find(position, |n| self.entries[n as usize].position)?;
        self.entries.get(number as usize)
    }
}

/// Checks one section without its checksum, moves in their standard spelling.
///
/// # Errors
/// The first thing that is wrong; one line.
pub fn check(catalog: &Catalog, text: &str, threads: usize) -> Result<Proved, String> {
    check_section(catalog, text, threads, Spelling::Standard)
}

fn check_section(
    catalog: &Catalog,
    text: &str,
    threads: usize,
    spelling: Spelling,
) -> Result<Proved, String> {
    let mut lines = Lines { text, at: 0 };
    let header = Header::read(&mut lines)?;
    let Header { kind, start, value, count, .. } = header;
    let mut rules = games::rules(catalog, header.game)?;
    header.same_game(&rules)?;
    let unit = rules.unit();
    header.spells_its_value(unit)?;
    let judge = Judge::new(unit, Support::Ranks);
    let lines = text[lines.at..].split_terminator('\n');
    let most = lines.clone().count().min(count);
    let mut listing = Listing {
        kind,
        unit,
        spelling,
        judge,
        entries: Vec::with_capacity(most),
        index: HashIndex::default(),
    };
    for line in lines.take(count.saturating_add(1)) {
        let entry = read_entry(line, &listing)?;
        let Listing { entries, index, .. } = &mut listing;
        if entries.first().is_some_and(|first| first.part.is_some() != entry.part.is_some()) {
            return Err(format!("{}: expected a part on every line or on none", shown(entry.position)));
        }
        if index.insert(entry.position, |n| entries[n as usize].position).is_err() {
            return Err(format!("{}: it is listed twice", shown(entry.position)));
        }
        entries.push(entry);
    }
    if listing.entries.len() != count {
        let more = if listing.entries.len() > count { "more" } else { "fewer" };
        return Err(format!("{more} positions instead of {count}"));
    }
    let moves = check_positions(&rules, &listing, threads)?;
    if let Some(why) = rules.unvalued() {
        return Err(why);
    }
    let of_start = |why: &str| format!("{}: {why}", shown(start));
    rules.setup(Some(start)).map_err(|e| e.to_string())?;
    let listed = match rules.over() {
        Some(over) => over,
        None => listing.of(start).ok_or_else(|| of_start("the start is not listed"))?.value,
    };
    if listing.judge.value(Some(value), Some(listed)).is_err() {
        return Err(of_start(&format!("the start is worth {}", listed.show(unit))));
    }
    Ok(Proved {
        game: header.game.to_owned(),
        digest: rules.digest().map(str::to_owned),
        names_digest: header.digest.is_some(),
        kind,
        start: start.to_owned(),
        turn: rules.turn(),
        value,
        unit,
        positions: count,
        moves,
    })
}

fn read_entry<'t>(line: &'t str, listing: &Listing<'_>) -> Result<Entry<'t>, String> {
    let Listing { unit, ref judge, .. } = *listing;
    let bad = || format!("bad line {:?}", shown(line));
    let mut fields = line.split('\t');
    let mut next = || fields.next().ok_or_else(bad);
    let (position, said, word) = (next()?, next()?, next()?);
    let value = Value::read(said).filter(|value| value.show(unit).to_string() == said).ok_or_else(bad)?;
    match judge.admits(value) {
        Ok(()) => {}
        Err(Unproved::Unit(_)) => return Err(bad()),
        Err(why) => return Err(format!("{}: {why}", shown(position))),
    }
    let numbered = |text: &str| text.parse().ok().filter(|n: &u32| n.to_string() == text);
    let mut ranked = |missing: String| numbered(fields.next().ok_or(missing)?).ok_or_else(bad);
    let rank = match (unit, value.plies()) {
        (Unit::Points | Unit::Fractions(_), _) => ranked(bad())?,
        (Unit::Outcome, Some(plies)) => plies,
        (Unit::Outcome, None) if value == Value::DRAW => 0,
        (Unit::Outcome, None) => {
            let position = shown(position);
            ranked(format!("{position}: {said} without a distance proves nothing, it needs a rank"))?
        }
    };
    let part = match (unit, fields.next()) {
        (_, None) => None,
        (Unit::Points | Unit::Fractions(_), Some(part)) => Some(numbered(part).ok_or_else(bad)?),
        (Unit::Outcome, Some(_)) => return Err(bad()),
    };
    match fields.next() {
        None => Ok(Entry { position, value, word, rank, part }),
        Some(_) => Err(bad()),
    }
}

/// Checks every position, in parallel; returns the number of moves.
fn check_positions(rules: &Session, listing: &Listing<'_>, threads: usize) -> Result<usize, String> {
    /// Positions that one thread takes at a time.
    const SHARE: usize = 256;
    let (next, moves) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let wrong: Mutex<Option<(usize, String)>> = Mutex::new(None);
    let work = |mut rules: Session| {
        loop {
            let begin = next.fetch_add(SHARE, Ordering::Relaxed);
            let Some(share) = listing.entries.get(begin..) else { return };
            for (at, entry) in (begin..).zip(share.iter().take(SHARE)) {
                match check_position(&mut rules, listing, entry) {
                    Ok(count) => {
                        moves.fetch_add(count, Ordering::Relaxed);
                    }
                    Err(why) => {
                        // No later positions are started; the first wrong one is reported.
                        next.store(listing.entries.len(), Ordering::Relaxed);
                        let mut wrong = wrong.lock().unwrap_or_else(PoisonError::into_inner);
                        if wrong.as_ref().is_none_or(|&(first, _)| at < first) {
                            *wrong = Some((at, format!("{}: {why}", shown(entry.position))));
                        }
                        return;
                    }
                }
            }
        }
    };
    let threads = threads.clamp(1, listing.entries.len().div_ceil(SHARE).max(1));
    std::thread::scope(|scope| {
        let work = &work;
        let worker = |rules: Session| move || work(rules);
        share(scope, (0..threads).map(|_| worker(rules.at_start())));
    });
    match wrong.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some((_, why)) => Err(why),
        None => Ok(moves.into_inner()),
    }
}

/// A summary of the moves of a position.
struct Seen {
    best: Option<Value>,
    /// The highest rank of a child.
    highest: u32,
    /// A move wins at an unknown distance.
    unmeasured: bool,
    /// A move wins, or is worth the listed margin, and leads to a lower rank or part.
    wins: bool,
}

/// Checks one position: its moves lead to listed or finished positions, the best of them is its value, and the
/// progress measure falls. Lists moves one by one, up to the first that is wrong; returns their number.
fn check_position(rules: &mut Session, listing: &Listing<'_>, entry: &Entry<'_>) -> Result<usize, String> {
    let Listing { kind, unit, ref judge, .. } = *listing;
    rules.setup(Some(entry.position)).map_err(|e| e.to_string())?;
    if rules.position() != entry.position {
        return Err(format!("it is not written as {}", shown(&rules.position())));
    }
    if rules.over().is_some() {
        return Err("the game is over there".to_string());
    }
    let turn = rules.turn();
    let mut seen = Seen { best: None, highest: 0, unmeasured: false, wins: false };
    let mut see = |next: &Successor| -> Result<(), String> {
        let (value, rank, part) = match (next.over, listing.of(&next.position)) {
            (Some(over), _) => {
                judge.admits(over).map_err(|why| format!("after {}: {why}", shown(&next.word)))?;
                (over, over.plies().unwrap_or(0), None)
            }
            (None, Some(child)) => (child.value, child.rank, child.part),
            (None, None) => {
                let (word, position) = (shown(&next.word), shown(&next.position));
                return Err(format!("after {word} comes {position}, which is not listed"));
            }
        };
        let back = value.back(next.step);
        if let Some(own) = entry.part {
            // Finished positions are below every part.
            let stays = part.is_some_and(|part| part >= own);
            if part > Some(own) {
                return Err(format!("after {} comes a higher part", shown(&next.word)));
            }
            if stays && next.step.gain != 0 {
                return Err(format!("{} gains points and stays in its part", shown(&next.word)));
            }
            let nearer = !stays || rank < entry.rank;
            if back == entry.value && back < Value::DRAW && !nearer {
                return Err(format!("after {} the end is not nearer", shown(&next.word)));
            }
            seen.wins |= back == entry.value && nearer;
            seen.best = seen.best.max(Some(back));
            return Ok(());
        }
        // Every line of a game for points must end; a loss without a distance must be nearer to the end after each move.
        let every = unit.is_points() || entry.value == Value::LOSS;
        if every && rank >= entry.rank {
            return Err(format!("after {} the end is not nearer", shown(&next.word)));
        }
        seen.wins |= back.wdl() == Wdl::Win && rank < entry.rank;
        seen.unmeasured |= back == Value::WIN;
        seen.highest = seen.highest.max(rank);
        seen.best = seen.best.max(Some(back));
        Ok(())
    };
    let mut count = 0;
    if entry.word == "*" {
        if kind == Kind::Strategy(turn) {
            return Err("no move is given where one is promised".to_string());
        }
        let mut wrong = Ok(());
        rules.each_successor(&mut |next| {
            count += 1;
            wrong = see(&next);
            wrong.is_ok()
        });
        wrong?;
    } else {
        if kind != Kind::Strategy(turn) {
            return Err("one move is given where all replies must be".to_string());
        }
        let Played { word, step } = rules.play(entry.word).map_err(|e| shown(&e.to_string()))?;
        if listing.spelling == Spelling::Standard && word != entry.word {
            return Err(format!(
                "expected the move {word:?}, found its other spelling {:?}",
                shown(entry.word)
            ));
        }
        let position = rules.position();
        // Set up without its history, which could end the game.
        rules.setup(Some(&position)).map_err(|e| e.to_string())?;
        see(&Successor { word, position, step, over: rules.over() })?;
        count = 1;
    }
    let Seen { best, highest, unmeasured, wins } = seen;
    let best = best.ok_or("it has no moves")?;
    let rests = match entry.value {
        // Without a distance the outcome suffices, and that the end comes nearer.
        Value::WIN => wins,
        Value::LOSS => best.wdl() == Wdl::Loss,
        _ => best == entry.value,
    };
    let proved = rests && judge.admits(entry.value).is_ok();
    if !proved && best.wdl() == Wdl::Win && entry.value == Value::WIN {
        return Err("no winning move has a lower rank".to_string());
    }
    if !proved {
        return Err(format!("listed as {}, its moves make it {}", entry.value.show(unit), best.show(unit)));
    }
    if unmeasured && entry.value != Value::WIN {
        return Err("a move wins without a distance: it may be nearer than what is listed".to_string());
    }
    if entry.part.is_some() {
        return match entry.value > Value::DRAW && !wins {
            true => Err("no move that is worth as much has a lower rank or leaves the part".to_owned()),
            false => Ok(count),
        };
    }
    if unit.is_points() && highest + 1 != entry.rank {
        return Err(format!(
            "listed with {} plies to the end, its moves make it {}",
            entry.rank,
            highest + 1
        ));
    }
    Ok(count)
}

#[cfg(test)]
mod tests;

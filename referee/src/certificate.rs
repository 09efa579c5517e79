//! Certificates: what an audit proved, written so that anyone can check it with the rules alone.
//!
//! A section claims a value for every position it lists, and for each position either the one move that an engine
//! plays there or all moves (`*`). The check is local: a position's value is the best of what its moves lead to, one
//! ply further away. Wins and losses carry their distance and points carry the most plies to the end, so that no
//! circle can pass for a win; every move must lead to a listed position or to the end of the game. That is enough:
//! by induction on the distance a claimed win is won, and what is claimed drawn can never leave the drawn positions
//! against the player who follows the moves.

use std::fmt::Write as _;

use grundy_core::game::Player;
use grundy_core::value::{Step, Unit, Value, Wdl};
use grundy_session::{Catalog, Session};
use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_128;

use crate::graph::{Node, Worth};
use crate::truth;

const MAGIC: &str = "grundy-certificate 1";

/// Whose moves a section fixes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A strategy for this player: one move where it is his turn, all replies where it is not.
    Strategy(Player),
    /// Values of positions with all their moves.
    Table,
}

impl Kind {
    fn words(self) -> String {
        match self {
            Kind::Strategy(player) => format!("strategy {}", player.digit()),
            Kind::Table => "table".to_string(),
        }
    }

    fn read(words: &str) -> Option<Kind> {
        match words.split_once(' ') {
            Some(("strategy", digit)) => Player::read(digit).map(Kind::Strategy),
            None if words == "table" => Some(Kind::Table),
            _ => None,
        }
    }
}

/// A section as it was proved.
pub struct Section<'a> {
    /// The game by its full name.
    pub game: &'a str,
    /// Whose moves it fixes.
    pub kind: Kind,
    /// What its values count.
    pub unit: Unit,
    /// The positions; the first is the one that the section is about.
    pub nodes: &'a [Node],
    /// What they are worth.
    pub worth: &'a [Worth],
}

/// Writes a section.
pub fn write(section: &Section<'_>) -> String {
    let mut text = String::new();
    let show = |value: Value| value.show(section.unit).to_string();
    let listed = || section.nodes.iter().zip(section.worth).filter(|(node, _)| node.over.is_none());
    let _ = writeln!(text, "{MAGIC}\ngame {}\nkind {}", section.game, section.kind.words());
    let (start, worth) = (&section.nodes[0].position, show(section.worth[0].value));
    let _ = writeln!(text, "start {start}\nvalue {worth}\npositions {}", listed().count());
    for (node, worth) in listed() {
        let word = match (section.kind, &node.choice) {
            (Kind::Strategy(side), Some(word)) if node.turn == side => word.as_str(),
            _ => "*",
        };
        let _ = write!(text, "{}\t{}", node.position, show(worth.value));
        match section.unit {
            Unit::Outcome => writeln!(text, "\t{word}"),
            Unit::Points => writeln!(text, "\t{word}\t{}", worth.rank),
        }
        .unwrap_or(());
    }
    let checksum = xxh3_128(text.as_bytes());
    let _ = writeln!(text, "checksum {checksum:032x}");
    text
}

/// What a checked section proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// The game.
    pub game: String,
    /// Whose moves were fixed.
    pub kind: Kind,
    /// The position it is about.
    pub start: String,
    /// The player to move there.
    pub turn: Player,
    /// The value for him.
    pub value: Value,
    /// What values count.
    pub unit: Unit,
    /// How many positions were checked.
    pub positions: usize,
    /// How many moves were checked.
    pub moves: usize,
}

impl Proved {
    /// The claim in words.
    pub fn words(&self) -> String {
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

/// Checks the text of a file of one or more sections by the rules alone.
///
/// # Errors
/// The first thing that is wrong, with the position where there is one; one line.
pub fn check_text(catalog: &Catalog, text: &str) -> Result<Vec<Proved>, String> {
    let mut rest = text;
    let mut proved = Vec::new();
    while !rest.is_empty() {
        let end = rest.find("\nchecksum ").ok_or("no checksum at the end")? + 1;
        let line_end = rest[end..].find('\n').ok_or("half a line at the end")? + end;
        let claimed = rest[end..line_end].trim_start_matches("checksum ");
        if claimed != format!("{:032x}", xxh3_128(&rest.as_bytes()[..end])) {
            return Err("the checksum is wrong: the file is not as it was written".to_string());
        }
        proved.push(check(catalog, &rest[..end])?);
        rest = &rest[line_end + 1..];
    }
    if proved.is_empty() {
        return Err("the file is empty".to_string());
    }
    Ok(proved)
}

struct Entry<'t> {
    value: Value,
    word: &'t str,
    rank: u32,
}

/// Checks one section, its checksum left out, by the rules alone.
///
/// # Errors
/// The first thing that is wrong; one line.
pub fn check(catalog: &Catalog, text: &str) -> Result<Proved, String> {
    let mut lines = text.lines();
    let mut field = |name: &str| -> Result<&str, String> {
        let line = lines.next().ok_or_else(|| format!("no line {name:?}"))?;
        let value = line.strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
        value.ok_or_else(|| format!("expected a line {name:?}, found {line:?}"))
    };
    if format!("grundy-certificate {}", field("grundy-certificate")?) != MAGIC {
        return Err(format!("expected {MAGIC:?}"));
    }
    let game = field("game")?.to_string();
    let kind = field("kind")?;
    let kind = Kind::read(kind).ok_or_else(|| format!("bad kind {kind:?}"))?;
    let start = field("start")?.to_string();
    let value = field("value")?;
    let value = Value::read(value).ok_or_else(|| format!("bad value {value:?}"))?;
    let count: usize = field("positions")?.parse().map_err(|_| "bad number of positions")?;
    let mut rules = truth::rules(catalog, &game)?;
    let unit = rules.unit();
    let mut entries: FxHashMap<&str, Entry<'_>> = FxHashMap::default();
    let mut order = Vec::with_capacity(count.min(text.len()));
    for line in lines {
        let (position, entry) = read_entry(line, unit)?;
        order.push(position);
        if entries.insert(position, entry).is_some() {
            return Err(format!("{position}: it stands there twice"));
        }
    }
    if entries.len() != count {
        return Err(format!("{} positions instead of {count}", entries.len()));
    }
    let mut moves = 0;
    for position in order {
        moves += check_position(&mut rules, kind, position, &entries[position], &entries, unit)
            .map_err(|why| format!("{position}: {why}"))?;
    }
    rules.setup(Some(&start)).map_err(|e| e.to_string())?;
    let listed = match rules.over() {
        Some(over) => over,
        None => entries.get(start.as_str()).ok_or_else(|| format!("{start}: the start is not listed"))?.value,
    };
    if listed != value {
        return Err(format!("{start}: the start is worth {}", listed.show(unit)));
    }
    Ok(Proved { game, kind, start, turn: rules.turn(), value, unit, positions: count, moves })
}

fn read_entry(line: &str, unit: Unit) -> Result<(&str, Entry<'_>), String> {
    let bad = || format!("bad line {line:?}");
    let mut fields = line.split('\t');
    let mut next = || fields.next().ok_or_else(bad);
    let (position, value, word) = (next()?, next()?, next()?);
    let rank = match unit {
        Unit::Outcome => 0,
        Unit::Points => next()?.parse().map_err(|_| bad())?,
    };
    let value = Value::read(value).ok_or_else(bad)?;
    if unit == Unit::Outcome && value.wdl() != Wdl::Draw && value.plies().is_none() {
        return Err(format!("{position}: {} without a distance proves nothing", value.show(unit)));
    }
    match fields.next() {
        None => Ok((position, Entry { value, word, rank })),
        Some(_) => Err(bad()),
    }
}

/// One position: its moves are there, lead to what is listed or over, and the best of them is its value.
fn check_position(
    rules: &mut Session,
    kind: Kind,
    position: &str,
    entry: &Entry<'_>,
    entries: &FxHashMap<&str, Entry<'_>>,
    unit: Unit,
) -> Result<usize, String> {
    rules.setup(Some(position)).map_err(|e| e.to_string())?;
    if rules.position() != position {
        return Err(format!("it is not written as {}", rules.position()));
    }
    if rules.over().is_some() {
        return Err("the game is over there".to_string());
    }
    let turn = rules.turn();
    let mut best: Option<Value> = None;
    let mut rank = 0;
    let mut see = |word: &str, child: &str, over: Option<Value>, step: Step| -> Result<(), String> {
        let (value, child_rank) = match (over, entries.get(child)) {
            (Some(over), _) => (over, 0),
            (None, Some(entry)) => (entry.value, entry.rank),
            (None, None) => return Err(format!("after {word} comes {child}, which is not listed")),
        };
        if unit == Unit::Points && child_rank >= entry.rank {
            return Err(format!("after {word} the end is not nearer"));
        }
        rank = rank.max(child_rank + 1);
        best = best.max(Some(value.back(step)));
        Ok(())
    };
    let mut count = 1;
    if entry.word == "*" {
        if kind == Kind::Strategy(turn) {
            return Err("no move is given where one is promised".to_string());
        }
        let successors = rules.successors(usize::MAX);
        count = successors.len();
        for next in &successors {
            see(&next.word, &next.position, next.over, next.step)?;
        }
    } else {
        if kind != Kind::Strategy(turn) {
            return Err("one move is given where all replies must be".to_string());
        }
        let step = rules.play(entry.word).map_err(|e| e.to_string())?.step;
        let child = rules.position();
        // Set up anew: what was played before must not end the game.
        rules.setup(Some(&child)).map_err(|e| e.to_string())?;
        see(entry.word, &child, rules.over(), step)?;
    }
    let best = best.ok_or("it has no moves")?;
    if best != entry.value {
        return Err(format!("listed as {}, its moves make it {}", entry.value.show(unit), best.show(unit)));
    }
    if unit == Unit::Points && rank != entry.rank {
        return Err(format!("listed with {} plies to the end, its moves make it {rank}", entry.rank));
    }
    Ok(count)
}

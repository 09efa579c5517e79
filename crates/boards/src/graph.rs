//! A token on a directed graph, cycles allowed, read from a Graphviz DOT file.
//!
//! * The mover pushes the token along an arrow. From a node with `owner=1` or `owner=2` that player moves; from nodes
//!   without an owner the players take turns.
//! * A node without exits ends the game: `value=win`, `loss` or `draw` for the player to move there; without a value he
//!   loses. `value=<number>`, like `3`, `-2.5` or `"1/3"`: the points he gets; then every end has one, and endless play
//!   is worth 0. If not all are whole, values are counted in fractions with a common denominator, and written so:
//!   `+5/2`, or `+2.5` if no value of the file is written as a fraction or without its first digit, `.5`.
//! * One node has `start=true`. Position: node and turn, `a 1`; move: the node moved to. Names that are not words are
//!   written by `words::escaped`, a blank as `%20`. An attribute set to an empty string is not set.
//!
//! Solved by retrograde analysis (outcomes), by layers (points: minimax), or by thresholds (points on a graph with a
//! cycle). Indices are those of nodes, ordered so that arrows of an acyclic graph lead to lower indices; if only some
//! nodes have an owner, a node has an index for each player to move.

use std::fmt;
use std::num::NonZeroU32;

use grundy_core::dot::{Dot, Node};
use grundy_core::game::{Flow, Game, Indexed, Notation, Player, Scored, hash_of};
use grundy_core::sorting;
use grundy_core::text::excerpt;
use grundy_core::value::{Denominator, Unit, Value};
use grundy_core::words;
use grundy_sums::impartial::Impartial;
use grundy_tables::layers::{Acyclic, Order};
use grundy_tables::retrograde::Reversible;
use grundy_tables::thresholds::Parted;

/// The rules on one graph.
#[derive(Clone)]
pub struct Graph {
    names: Vec<Box<str>>,
    /// Nodes in the order of their names.
    by_name: Vec<u32>,
    owners: Vec<Option<Player>>,
    /// The value of each node without exits.
    ends: Vec<Value>,
    exits: Arrows,
    entries: Arrows,
    start: u32,
    unit: Unit,
    /// `true` if a node can repeat.
    cyclic: bool,
    /// Nodes in the order of their indices; `rank` is the inverse.
    order: Vec<u32>,
    rank: Vec<u32>,
    /// Number of indices of each node: 2 if the node does not determine the turn.
    turns: u64,
}

/// The heads of all arrows by tail, each once and in rising order.
#[derive(Clone)]
struct Arrows {
    heads: Vec<u32>,
    /// Start of each tail's heads in `heads`; then the end.
    first: Vec<u32>,
}

/// The token's node and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The node, in the order in which the file names them.
    pub node: u32,
    /// The player to move.
    pub turn: Player,
}

impl Graph {
    /// Returns the game on a graph.
    ///
    /// # Errors
    /// An attribute has a wrong value, there is not exactly one start, a node with exits has a value, words and integers are
    /// mixed, or a graph for points has an end without a value.
    pub fn new(dot: &Dot) -> Result<Graph, String> {
        let names: Vec<Box<str>> = dot.nodes.iter().map(|node| words::escaped(&node.name).into()).collect();
        let owners: Vec<Option<Player>> = dot.nodes.iter().map(owner).collect::<Result<_, _>>()?;
        let count = names.len();
        let exits = Arrows::new(count, dot.arrows.iter().copied())?;
        let entries = Arrows::new(count, dot.arrows.iter().map(|&(tail, head)| (head, tail)))?;
        let start = start(dot)?;
        let (unit, ends) = ends(dot, &exits)?;
        let order = children_first(&exits, &entries);
        let acyclic = order.len() == count;
        let order = if acyclic { order } else { (0..count as u32).collect() };
        let mut rank = vec![0; count];
        order.iter().zip(0..).for_each(|(&node, n)| rank[node as usize] = n);
        let mut by_name: Vec<u32> = (0..count as u32).collect();
        sorting::sort_by_key(&mut by_name, |&node| &names[node as usize]);
        let owned = owners.iter().filter(|owner| owner.is_some()).count();
        let turns = if owned == 0 || owned == count { 1 } else { 2 };
        Ok(Graph {
            names,
            by_name,
            owners,
            ends,
            exits,
            entries,
            start,
            unit,
            cyclic: !acyclic,
            order,
            rank,
            turns,
        })
    }

    /// Reports whether a node can repeat.
    pub fn has_cycle(&self) -> bool {
        self.cyclic
    }

    /// Returns the number of nodes.
    pub fn nodes(&self) -> usize {
        self.names.len()
    }

    /// Returns the node of a name, which may also be written as in the file if it is a word there.
    fn find(&self, name: &str) -> Option<u32> {
        let find =
            |name: &str| self.by_name.binary_search_by(|&node| (*self.names[node as usize]).cmp(name)).ok();
        find(name).or_else(|| find(&words::escaped(name))).map(|place| self.by_name[place])
    }

    fn name(&self, node: u32) -> &str {
        &self.names[node as usize]
    }

    /// Returns the player to move from a node that `mover` has just moved to.
    #[inline]
    fn next(&self, node: u32, mover: Player) -> Player {
        self.owners[node as usize].unwrap_or(!mover)
    }
}

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a graph of {} nodes and {} arrows", self.nodes(), self.exits.heads.len())
    }
}

impl Arrows {
    fn new(nodes: usize, arrows: impl Iterator<Item = (u32, u32)>) -> Result<Arrows, String> {
        let mut list: Vec<(u32, u32)> = arrows.collect();
        sorting::sort(&mut list);
        list.dedup();
        u32::try_from(list.len())
            .map_err(|_| "too many arrows: expected fewer than 4,294,967,296".to_string())?;
        let mut first = vec![0; nodes + 1];
        list.iter().for_each(|&(tail, _)| first[tail as usize + 1] += 1);
        (0..nodes).for_each(|tail| first[tail + 1] += first[tail]);
        Ok(Arrows { heads: list.into_iter().map(|(_, head)| head).collect(), first })
    }

    #[inline]
    fn of(&self, node: u32) -> &[u32] {
        &self.heads[self.first[node as usize] as usize..self.first[node as usize + 1] as usize]
    }
}

/// Returns a node's name for a message.
fn shown(node: &Node) -> String {
    words::short(&words::escaped(&node.name))
}

fn owner(node: &Node) -> Result<Option<Player>, String> {
    let Some(word) = node.get("owner") else { return Ok(None) };
    let player = Player::read(word)
        .ok_or_else(|| format!("node {} has owner={}: expected 1 or 2", shown(node), excerpt(word, 24)));
    player.map(Some)
}

/// Returns the one node with `start=true`.
fn start(dot: &Dot) -> Result<u32, String> {
    let mut found = None;
    for (number, node) in (0..).zip(&dot.nodes) {
        let name = || shown(node);
        match (node.get("start"), found) {
            (None | Some("false"), _) => {}
            (Some("true"), None) => found = Some((number, node)),
            (Some("true"), Some((_, first))) => {
                let first = shown(first);
                return Err(format!("two starts, {first} and {}: expected one node with start=true", name()));
            }
            (Some(word), _) => {
                return Err(format!("node {} has start={}: expected true", name(), excerpt(word, 24)));
            }
        }
    }
    found.map(|(number, _)| number).ok_or_else(|| "no start: expected one node with start=true".to_string())
}

/// Maximum points of an end, in fractions: beyond them margins can no longer be told apart.
const MOST_POINTS: u32 = Value::MAX_POINTS as u32 - 1;
/// Maximum denominator of points.
const MOST_PARTS: u64 = 1_000_000;

/// The value of an end as it is written.
#[derive(Clone, Copy)]
enum End {
    Worth(Value),
    /// Points, as a fraction in lowest terms.
    Points(i64, u64),
}

impl End {
    fn read(word: &str) -> Option<End> {
        Some(match word.trim() {
            "win" => End::Worth(Value::win_in(0)),
            "loss" => End::Worth(Value::loss_in(0)),
            "draw" => End::Worth(Value::DRAW),
            _ => {
                let word = word.trim();
                let (size, negative) = match word.strip_prefix('-') {
                    Some(size) => (size, true),
                    None => (word.strip_prefix('+').unwrap_or(word), false),
                };
                let digits = |digits: &str| -> Option<u64> {
                    let plain =
                        (1..=10).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
                    plain.then(|| digits.parse().ok())?
                };
                let (over, under) = match (size.split_once('.'), size.split_once('/')) {
                    (Some((whole, decimals)), _) => {
                        // `.5` and `5.` are numerals of DOT, `.` is not.
                        let whole = if whole.is_empty() && !decimals.is_empty() { 0 } else { digits(whole)? };
                        let decimals = decimals.trim_end_matches('0');
                        let under = 10_u64.checked_pow(decimals.len() as u32).filter(|&n| n <= MOST_PARTS)?;
                        let rest = if decimals.is_empty() { 0 } else { digits(decimals)? };
                        (whole * under + rest, under)
                    }
                    (None, Some((over, under))) => (digits(over)?, digits(under).filter(|&n| n > 0)?),
                    (None, None) => (digits(size)?, 1),
                };
                let common = gcd(over, under);
                let over = i64::try_from(over / common).ok()?;
                End::Points(if negative { -over } else { over }, under / common)
            }
        })
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Returns the unit of values, and the value of each node without exits. Points that are not whole are counted in
/// fractions with a common denominator.
fn ends(dot: &Dot, exits: &Arrows) -> Result<(Unit, Vec<Value>), String> {
    let mut ends = vec![End::Worth(Value::loss_in(0)); dot.nodes.len()];
    // The first node with a value of each kind.
    let (mut points, mut outcome) = (None, None);
    let mut parts = 1_u64;
    for (number, node) in dot.nodes.iter().enumerate() {
        let name = || shown(node);
        let is_end = exits.of(number as u32).is_empty();
        let Some(word) = node.get("value") else {
            if is_end {
                outcome = outcome.or(Some((name(), "no value")));
            }
            continue;
        };
        if !is_end {
            return Err(format!(
                "node {} has exits and a value: expected a value only where there is no exit",
                name()
            ));
        }
        let refuse = || {
            let (word, most) = (excerpt(word, 24), MOST_POINTS);
            let expected = format!("win, loss, draw or a number like 3, -2.5 or 1/3 up to {most}");
            format!("node {} has value={word}: expected {expected}", name())
        };
        let end = End::read(word).ok_or_else(refuse)?;
        match end {
            End::Worth(_) => outcome = outcome.or(Some((name(), "a word"))),
            End::Points(over, under) => {
                points = points.or(Some(name()));
                parts = parts / gcd(parts, under) * under;
                if parts > MOST_PARTS {
                    let than = format!("points of more than {MOST_PARTS} parts");
                    return Err(format!("node {} has value={}: {than}", name(), excerpt(word, 24)));
                }
                if over.unsigned_abs() > u64::from(MOST_POINTS) * under {
                    return Err(refuse());
                }
            }
        }
        ends[number] = end;
    }
    let unit = match (points, outcome) {
        (Some(points), Some((other, has))) => {
            return Err(format!(
                "node {points} has a number for a value and node {other} {has}: expected numbers at all ends"
            ));
        }
        (Some(_), None) if parts == 1 => Unit::Points,
        (Some(_), None) => {
            let fractions = || NonZeroU32::new(parts as u32).map(Denominator::of);
            as_decimals(dot, &ends, parts).or_else(fractions).map_or(Unit::Points, Unit::Fractions)
        }
        (None, _) => Unit::Outcome,
    };
    let parts = u64::from(unit.denominator().get());
    let value = |(number, end): (usize, End)| match end {
        End::Worth(value) => Ok(value),
        End::Points(over, under) => {
            let margin =
                over.checked_mul((parts / under) as i64).and_then(|margin| i32::try_from(margin).ok());
            let margin = margin.filter(|margin| margin.unsigned_abs() <= MOST_POINTS);
            margin.map(Value::points).ok_or_else(|| {
                let name = shown(&dot.nodes[number]);
                format!("node {name} has {over}/{under} points, too many to be counted in parts of 1/{parts}")
            })
        }
    };
    Ok((unit, ends.into_iter().enumerate().map(value).collect::<Result<_, _>>()?))
}

/// Returns the number of decimals that the values of all ends fit, as a unit; `None` if they do not fit, or if a value
/// is written as a fraction or in DOT's form `.5`.
fn as_decimals(dot: &Dot, ends: &[End], parts: u64) -> Option<Denominator> {
    let other = |word: &str| word.contains('/') || word.trim_start_matches(['-', '+', ' ']).starts_with('.');
    if dot.nodes.iter().filter_map(|node| node.get("value")).any(other) {
        return None;
    }
    let digits = (1..=6).find(|&digits| 10_u64.pow(digits).is_multiple_of(parts))?;
    let fits = |end: &End| match *end {
        End::Worth(_) => true,
        End::Points(over, under) => {
            let margin = over.unsigned_abs().checked_mul(10_u64.pow(digits) / under);
            margin.is_some_and(|margin| margin <= Value::MAX_POINTS as u64)
        }
    };
    if ends.iter().all(fits) { Denominator::decimals(digits as u8) } else { None }
}

/// Returns the nodes in an order in which every arrow leads backwards, without nodes that can reach a cycle.
fn children_first(exits: &Arrows, entries: &Arrows) -> Vec<u32> {
    let nodes = exits.first.len() as u32 - 1;
    let mut open: Vec<u32> = (0..nodes).map(|node| exits.of(node).len() as u32).collect();
    let mut order: Vec<u32> = (0..nodes).filter(|&node| open[node as usize] == 0).collect();
    let mut done = 0;
    while let Some(&node) = order.get(done) {
        done += 1;
        for &before in entries.of(node) {
            open[before as usize] -= 1;
            if open[before as usize] == 0 {
                order.push(before);
            }
        }
    }
    order
}

impl Game for Graph {
    type Position = Position;
    /// The node moved to.
    type Move = u32;

    fn start(&self) -> Position {
        Position { node: self.start, turn: self.next(self.start, Player::Two) }
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    #[inline]
    fn over(&self, position: &Position) -> Option<Value> {
        self.exits.of(position.node).is_empty().then(|| self.ends[position.node as usize])
    }

    #[inline]
    fn moves(&self, position: &Position, visit: &mut impl FnMut(u32) -> Flow) -> Flow {
        self.exits.of(position.node).iter().try_for_each(|&node| visit(node))
    }

    #[inline]
    fn play(&self, position: &Position, m: u32) -> Position {
        Position { node: m, turn: self.next(m, position.turn) }
    }

    /// Ignores the player to move in positions that do not depend on him, without owners.
    fn essence(&self, position: &Position) -> Position {
        let turns = self.turns == 2 || self.owners[position.node as usize].is_some();
        if turns { *position } else { Position { turn: Player::One, ..*position } }
    }
}

impl Scored for Graph {
    fn unit(&self) -> Unit {
        self.unit
    }
}

impl Impartial for Graph {
    fn obstacle(&self) -> Option<String> {
        let owned = self.owners.iter().position(Option::is_some);
        let mut ends = (0..self.nodes() as u32).filter(|&node| self.exits.of(node).is_empty());
        let other = ends.find(|&node| self.ends[node as usize] != Value::loss_in(0));
        let name = |node: u32| words::short(self.name(node));
        match (self.unit, owned, other) {
            (Unit::Points | Unit::Fractions(_), ..) => Some("points decide, not the last move".to_owned()),
            (_, Some(node), _) => {
                Some(format!("node {} has an owner: the players have different moves", name(node as u32)))
            }
            (.., Some(node)) => {
                Some(format!("node {} is no loss: the last move does not decide", name(node)))
            }
            _ => None,
        }
    }

    fn loopy(&self) -> bool {
        self.cyclic
    }
}

impl Notation for Graph {
    fn write_position(&self, position: &Position) -> String {
        format!("{} {}", self.name(position.node), position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([name], turn) = words::fields(text, "a node's name")?;
        let node = self.find(name).ok_or_else(|| format!("no node {:?} in the graph", words::short(name)))?;
        match self.owners[node as usize] {
            Some(owner) if owner != turn => {
                Err(format!("player {} moves from {}: expected that turn", owner.digit(), words::short(name)))
            }
            _ => Ok(Position { node, turn }),
        }
    }

    fn write_move(&self, _position: &Position, m: u32) -> String {
        self.name(m).to_string()
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<u32> {
        let node = self.find(word)?;
        self.exits.of(position.node).binary_search(&node).ok().map(|_| node)
    }

    fn draw(&self, position: &Position) -> String {
        let exits = self.exits.of(position.node);
        let mut text = format!("{} ->", self.name(position.node));
        exits.iter().take(20).for_each(|&node| text.extend([" ", self.name(node)]));
        if exits.len() > 20 {
            text.push_str(" ..");
        }
        text
    }
}

impl Indexed for Graph {
    fn size(&self) -> u64 {
        self.nodes() as u64 * self.turns
    }

    fn checksum(&self) -> u64 {
        hash_of((&self.names, &self.owners, &self.ends, &self.exits.heads, &self.exits.first)) | 1
    }

    #[inline]
    fn index(&self, position: &Position) -> u64 {
        let turn = if self.turns == 2 { position.turn.index() as u64 } else { 0 };
        u64::from(self.rank[position.node as usize]) * self.turns + turn
    }

    #[inline]
    fn position(&self, index: u64) -> Option<Position> {
        let node = *self.order.get(usize::try_from(index / self.turns).ok()?)?;
        let turn = if index.is_multiple_of(self.turns) { Player::One } else { Player::Two };
        match self.owners[node as usize] {
            Some(owner) if self.turns == 2 && owner != turn => None,
            owner => Some(Position { node, turn: owner.unwrap_or(turn) }),
        }
    }
}

/// The order holds only if no node can be reached from itself.
impl Acyclic for Graph {
    fn order(&self) -> Order {
        // The order of nodes may not tell apart two positions of one node, but no arrow joins them.
        Order::Lower
    }
}

impl Reversible for Graph {
    fn predecessors(&self, position: &Position, visit: &mut impl FnMut(Position)) {
        for &node in self.entries.of(position.node) {
            for turn in [Player::One, Player::Two] {
                let possible = self.owners[node as usize].is_none_or(|owner| owner == turn);
                if possible && self.next(position.node, turn) == position.turn {
                    visit(Position { node, turn });
                }
            }
        }
    }
}

/// One part: no move gains points; the points of an end are its value.
impl Parted for Graph {
    fn parts(&self) -> Vec<u64> {
        vec![self.size()]
    }

    fn before(&self, position: &Position, visit: &mut impl FnMut(Position)) {
        self.predecessors(position, visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Graph, String> {
        Graph::new(&grundy_core::dot::read(text)?)
    }

    fn refusal(text: &str) -> String {
        read(&format!("digraph {{ {text} }}")).expect_err(text)
    }

    #[test]
    fn the_largest_points_are_below_the_ceiling() {
        for end in ["134217726", "-134217726", "\"67108863\""] {
            let game = read(&format!("digraph {{ a [start=true value={end}] }}")).unwrap();
            assert!(game.ends.iter().all(|value| !value.at_ceiling()), "{end}");
        }
    }

    #[test]
    fn files_that_are_no_game_are_refused_in_one_line() {
        for bad in [
            "",
            "a",
            "a [start=true] b [start=true]",
            "a [start=yes]",
            "a [start=true owner=3]",
            "a -> b a [start=true value=win]",
            "a [start=true value=3.5.1]",
            "a [start=true value=\"1/0\"]",
            "a [start=true value=0.00000001]",
            "a [start=true value=\"1/999983\"]; b [value=\"1/999979\"]",
            "a -> {b c} a [start=true]; b [value=134000000.5]; c [value=0.000001]",
            "a [start=true value=4000000000]",
            "a [start=true value=134217727]",
            "a [start=true value=-134217727]",
            "a -> {b c} a [start=true]; b [value=\"1/2\"]; c [value=67108864]",
            "a [start=true] -> b",
        ] {
            let refusal = refusal(bad);
            assert!(!refusal.contains('\n') && refusal.len() < 200, "{refusal}");
        }
    }

    #[test]
    fn points_ask_for_values_at_all_ends() {
        assert!(refusal("a [start=true]; a -> b; a -> c; b [value=1]").contains("node c no value"));
        assert!(refusal("a [start=true]; a -> {b c}; b [value=1]; c [value=win]").contains("node c a word"));
    }

    #[test]
    fn points_that_are_not_whole_are_counted_in_parts() {
        let ends = |b: &str, c: &str| {
            let dot =
                format!("digraph {{ a [start=true]; a -> {{b c}}; b [value=\"{b}\"]; c [value=\"{c}\"] }}");
            let game = read(&dot).unwrap();
            ["b 2", "c 2"].map(|node| {
                let value = game.over(&game.read_position(node).unwrap()).unwrap();
                value.show(game.unit()).to_string()
            })
        };
        assert_eq!(ends("2.5", "-3"), ["+2.5", "-3.0"]);
        assert_eq!(ends("2.5", "-0.25"), ["+2.50", "-0.25"]);
        assert_eq!(ends("1/10", "-3"), ["+1/10", "-30/10"]);
        assert_eq!(ends("0.10", "1/4"), ["+2/20", "+5/20"]);
        assert_eq!(ends("-1/3", "+0.5"), ["-2/6", "+3/6"]);
        assert_eq!(ends("2.0", "4/2"), ["+2", "+2"]);
        assert_eq!(ends(".5", "-.25"), ["+2/4", "-1/4"]);
        assert_eq!(ends("3.", " 2 "), ["+3", "+2"]);
        assert!([".", "-", "", "1.x", "--1", "1./2"].iter().all(|word| End::read(word).is_none()));
        assert_eq!(ends("-0.0", "0.000001"), ["+0.000000", "+0.000001"]);
    }

    #[test]
    fn names_that_are_no_words_are_written_as_words() {
        let dot = "digraph { \"a b\" [start=true]; \"a b\" -> { \"\" \"x=1\" \"50%\" \"p\\\"q\" moves } }";
        let game = read(dot).unwrap();
        let start = game.start();
        assert_eq!(game.write_position(&start), "a%20b 1");
        let words: Vec<String> = ["%", "x%3D1", "50%25", "p\"q", "%6Doves"].map(str::to_owned).into();
        let mut found = Vec::new();
        let _ = game.moves(&start, &mut |m| {
            found.push(game.write_move(&start, m));
            grundy_core::game::MORE
        });
        assert_eq!(found, words);
        for word in words.iter().map(String::as_str).chain(["50%"]) {
            let m = game.read_move(&start, word).unwrap();
            let after = game.play(&start, m);
            assert_eq!(game.read_position(&game.write_position(&after)), Ok(after), "{word}");
        }
        assert_eq!(refusal("\"a\nb\" [start=yes]"), "node a%0Ab has start=yes: expected true");
    }

    #[test]
    fn a_node_is_read_with_its_owners_turn_only() {
        let game = read("digraph { a [start=true]; b [owner=2]; a -> b -> c }").unwrap();
        assert_eq!(game.write_position(&game.start()), "a 1");
        assert!(game.read_position("b 2").is_ok());
        for bad in ["b 1", "b", "x", "", "a 3", "a 1 1"] {
            assert!(game.read_position(bad).is_err(), "{bad}");
        }
    }
}

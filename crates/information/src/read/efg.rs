//! Gambit's `.efg` files: games in extensive form, the nodes in depth-first order.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use num_traits::Zero;

use crate::fraction::{Fraction, bits};
use crate::tree::{Infoset, MOST, MOST_BITS, MOST_BITS_TOGETHER, Node, Side, Tree};

use super::contents::Refusal;
use super::nfg::head;
use super::words::{Word, Words};

/// A node, and the index of one of its branches.
type Branch = (usize, usize);

/// Definitions in the file so far.
#[derive(Default)]
struct Known {
    outcomes: HashMap<usize, [Fraction; 2]>,
    chances: HashMap<usize, Vec<(String, Fraction)>>,
    /// For a player's information set its index in the tree.
    infosets: HashMap<(Side, usize), usize>,
    in_order: Vec<Infoset>,
    /// Bytes of the names of chance actions, of every node.
    named: usize,
}

/// Maximum of those bytes: a file may name actions once and refer to them from very many nodes.
const MOST_NAMED: usize = 1 << 26;

/// Reads a tree of two players.
pub fn read(text: &str) -> Result<Tree, Refusal> {
    let words = &mut Words::new(text)?;
    let (title, players) = head(words, "EFG", "2", 2..=2)?;
    let _comment = words.text_if();
    let mut known = Known::default();
    let mut nodes: Vec<Node> = Vec::new();
    let mut lines = Vec::new();
    let mut together = 0;
    // Branches without a child yet, the next one last, each with the payments along the path to it.
    let mut open: Vec<(Option<Branch>, [Fraction; 2])> = vec![(None, [Fraction::zero(), Fraction::zero()])];
    while let Some((origin, mut paid)) = open.pop() {
        let at = nodes.len();
        lines.push(words.line());
        if let Some((parent, branch)) = origin {
            nodes[parent].lead(branch, at);
        }
        let refusal = words.refuse("a node: c, p or t");
        let kind = words.plain("a node: c, p or t")?;
        words.text("the name of a node")?;
        let mut node = match kind.as_str() {
            "c" => chance(words, &mut known)?,
            "p" => turn(words, &mut known)?,
            "t" => Node::End([Fraction::zero(), Fraction::zero()]),
            _ => return Err(refusal),
        };
        if let Some(payoffs) = outcome(words, &mut known)? {
            paid.iter_mut().zip(payoffs).for_each(|(sum, payoff)| *sum += payoff);
        }
        let length: u64 = paid.iter().map(bits).sum();
        together += length;
        if length > MOST_BITS || together > MOST_BITS_TOGETHER {
            return Err(Refusal::new(
                words.line(),
                "the payoffs on the way here add up to too long a number",
            ));
        }
        let branches = match &mut node {
            Node::End(payoffs) => {
                *payoffs = paid.clone();
                0
            }
            Node::Chance(branches) => branches.len(),
            Node::Turn(_, children) => children.len(),
        };
        if nodes.len() + open.len() + branches >= MOST {
            return Err(Refusal::new(words.line(), format!("more than {MOST} nodes")));
        }
        nodes.push(node);
        open.extend((0..branches).rev().map(|branch| (Some((at, branch)), paid.clone())));
    }
    if !words.done() {
        return Err(words.refuse("nothing behind the last node of the tree"));
    }
    let mut tree = Tree::new(title, nodes, known.in_order)
        .map_err(|flaw| Refusal::new(lines.get(flaw.node).copied().unwrap_or(0), flaw.reason))?;
    if let Ok(players) = <[String; 2]>::try_from(players) {
        tree.players = players;
    }
    Ok(tree)
}

fn chance(words: &mut Words, known: &mut Known) -> Result<Node, Refusal> {
    let line = words.line();
    let number = words.count("the number of an information set")?;
    let named = words.text_if().is_some();
    if words.take(&Word::Open) {
        let mut branches = Vec::new();
        while let Some(name) = words.text_if() {
            branches.push((name, words.number("a probability")?));
        }
        words.expect(&Word::Close)?;
        if known.chances.get(&number).is_some_and(|old| *old != branches) {
            return Err(Refusal::new(
                line,
                format!("chance {number} had other actions or probabilities before"),
            ));
        }
        known.chances.insert(number, branches);
    } else if named {
        return Err(words.refuse("actions in braces"));
    }
    let branches = known.chances.get(&number).filter(|branches| !branches.is_empty());
    let branches = branches.ok_or_else(|| Refusal::new(line, format!("chance {number} has no actions")))?;
    known.named += branches.iter().map(|(name, _)| name.len()).sum::<usize>();
    if known.named > MOST_NAMED {
        return Err(Refusal::new(line, format!("more than {MOST_NAMED} bytes of names of chance actions")));
    }
    Ok(Node::Chance(branches.iter().map(|(name, p)| (name.clone(), p.clone(), 0)).collect()))
}

fn turn(words: &mut Words, known: &mut Known) -> Result<Node, Refusal> {
    let line = words.line();
    let side = match words.count("the number of a player")? {
        1 => Side::One,
        2 => Side::Two,
        other => return Err(Refusal::new(line, format!("player {other}: expected 1 or 2"))),
    };
    let number = words.count("the number of an information set")?;
    let name = words.text_if();
    let mut actions = Vec::new();
    if words.take(&Word::Open) {
        // Actions of the same name are counted.
        let (mut used, mut counts) = (HashSet::new(), HashMap::new());
        while let Some(action) = words.text_if() {
            let mut name = action.clone();
            while !used.insert(name.clone()) {
                let count = counts.entry(action.clone()).or_insert(1);
                *count += 1;
                name = format!("{action} ({count})");
            }
            actions.push(name);
        }
        words.expect(&Word::Close)?;
    } else if name.is_some() {
        return Err(words.refuse("actions in braces"));
    }
    let player = side.index() + 1;
    let place = match known.infosets.get(&(side, number)) {
        Some(&place) => {
            let before = &known.in_order[place].actions;
            if !actions.is_empty() && actions != *before {
                let reason = format!(
                    "information set {number} of player {player} had other actions before: {before:?}"
                );
                return Err(Refusal::new(line, reason));
            }
            place
        }
        None if actions.is_empty() => {
            return Err(Refusal::new(
                line,
                format!("information set {number} of player {player} has no actions"),
            ));
        }
        None => {
            let name = name.filter(|name| !name.is_empty()).unwrap_or_else(|| number.to_string());
            known.in_order.push(Infoset { side, name, actions });
            known.infosets.insert((side, number), known.in_order.len() - 1);
            known.in_order.len() - 1
        }
    };
    Ok(Node::Turn(place, vec![0; known.in_order[place].actions.len()]))
}

/// Returns the payoffs of a node; `None` if it has none.
fn outcome(words: &mut Words, known: &mut Known) -> Result<Option<[Fraction; 2]>, Refusal> {
    let line = words.line();
    let number = words.count("the number of an outcome")?;
    let _name = words.text_if();
    if words.take(&Word::Open) {
        if number == 0 {
            return Err(Refusal::new(line, "outcome 0 has payoffs: expected none, or another number"));
        }
        let payoffs = [words.number("a payoff")?, words.number("a payoff")?];
        words.expect(&Word::Close)?;
        if known.outcomes.get(&number).is_some_and(|old| *old != payoffs) {
            return Err(Refusal::new(line, format!("outcome {number} had other payoffs before")));
        }
        known.outcomes.insert(number, payoffs);
    }
    match number {
        0 => Ok(None),
        _ => match known.outcomes.get(&number) {
            Some(payoffs) => Ok(Some(payoffs.clone())),
            None => Err(Refusal::new(line, format!("outcome {number} has no payoffs"))),
        },
    }
}

/// Writes a tree as an `.efg` file, with fractions for all numbers.
pub fn write(tree: &Tree) -> String {
    let quoted =
        |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " "));
    let [one, two] = tree.players.each_ref().map(|name| quoted(name));
    let mut text = format!("EFG 2 R {} {{ {one} {two} }}\n\"\"\n", quoted(&tree.title));
    let mut numbers = vec![0; tree.infosets().len()];
    let mut counts = [0, 0];
    let (mut chances, mut ends) = (0, 0);
    for node in tree.nodes() {
        let _ = match node {
            Node::Chance(branches) => {
                chances += 1;
                let branches: Vec<String> =
                    branches.iter().map(|(name, p, _)| format!("{} {p}", quoted(name))).collect();
                writeln!(text, "c \"\" {chances} \"\" {{ {} }} 0", branches.join(" "))
            }
            Node::Turn(infoset, _) => {
                let set = &tree.infosets()[*infoset];
                let side = set.side.index();
                if numbers[*infoset] == 0 {
                    counts[side] += 1;
                    numbers[*infoset] = counts[side];
                }
                let actions: Vec<String> = set.actions.iter().map(|action| quoted(action)).collect();
                let (player, number, name) = (side + 1, numbers[*infoset], quoted(&set.name));
                writeln!(text, "p \"\" {player} {number} {name} {{ {} }} 0", actions.join(" "))
            }
            Node::End([one, two]) => {
                ends += 1;
                writeln!(text, "t \"\" {ends} \"\" {{ {one}, {two} }}")
            }
        };
    }
    text
}

//! A game tree: its nodes, its information sets, and its validation.

use num_traits::{One, Signed, Zero};

use crate::fraction::{Fraction, bits, share_denominator};
use grundy_core::sorting;

/// Maximum number of nodes of a tree.
pub const MOST: usize = 2_000_000;
/// Maximum number of bits of a node's probability or payoff, which combine all numbers on the path to it.
pub const MOST_BITS: u64 = 1 << 16;
/// Maximum number of bits of all nodes' probabilities, and of all their payoffs.
pub const MOST_BITS_TOGETHER: u64 = 1 << 32;

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// Player 1.
    One,
    /// Player 2.
    Two,
}

impl Side {
    /// Both, in order.
    pub const BOTH: [Side; 2] = [Side::One, Side::Two];

    /// Returns 0 for player 1, 1 for player 2.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the other player.
    pub const fn other(self) -> Side {
        match self {
            Side::One => Side::Two,
            Side::Two => Side::One,
        }
    }
}

/// An information set: nodes that a player cannot tell apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Infoset {
    /// The player to move.
    pub side: Side,
    /// The player's knowledge, in words.
    pub name: String,
    /// The actions.
    pub actions: Vec<String>,
}

/// A node. Children are given by their indices, which are greater than their parent's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A chance node: name, probability and child of each branch.
    Chance(Vec<(String, Fraction, usize)>),
    /// A decision node: the index of its information set, and a child for each action.
    Turn(usize, Vec<usize>),
    /// The end: payoffs to both players.
    End([Fraction; 2]),
}

impl Node {
    /// Sets the child of a branch; an end has no branches.
    pub(crate) fn lead(&mut self, branch: usize, node: usize) {
        match self {
            Node::Chance(branches) => branches[branch].2 = node,
            Node::Turn(_, children) => children[branch] = node,
            Node::End(_) => {}
        }
    }
}

/// A tree with perfect recall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// The name of the game.
    pub title: String,
    /// The names of player 1 and 2.
    pub players: [String; 2],
    nodes: Vec<Node>,
    infosets: Vec<Infoset>,
    /// For each node the last sequence of both players that leads to it.
    reached: Vec<[usize; 2]>,
    /// For each information set the player's sequence that leads to it, and the index of his sequence that ends with
    /// its first action.
    sequences: Vec<(usize, usize)>,
    /// Number of sequences each player has, the empty one included.
    counts: [usize; 2],
}

/// The error in a tree, and its node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// The node.
    pub node: usize,
    /// The error.
    pub reason: String,
}

impl std::fmt::Display for Flaw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "node {}: {}", self.node + 1, self.reason)
    }
}

impl std::error::Error for Flaw {}

impl Tree {
    /// Returns the tree with these nodes, the root first and every subtree contiguous (depth first). The players are
    /// called `Player 1` and `Player 2`.
    ///
    /// # Errors
    /// The first node that breaks a rule: probabilities that are negative or do not add up to 1, a number of actions
    /// that differs from its information set's, or a player without perfect recall.
    pub fn new(title: String, nodes: Vec<Node>, infosets: Vec<Infoset>) -> Result<Tree, Flaw> {
        let flaw = |node: usize, reason: String| Err(Flaw { node, reason });
        if nodes.is_empty() || nodes.len() > MOST {
            return flaw(0, format!("{} nodes: expected 1 to {MOST}", nodes.len()));
        }
        let mut reached = vec![[usize::MAX; 2]; nodes.len()];
        reached[0] = [0, 0];
        let mut sequences = vec![(usize::MAX, usize::MAX); infosets.len()];
        let mut counts = [1, 1];
        // An upper bound of the length of each node's probability.
        let mut lengths = vec![0; nodes.len()];
        let mut together = 0;
        let mut longer: Vec<(usize, u64)> = Vec::new();
        for (at, node) in nodes.iter().enumerate() {
            let here = reached[at];
            if here[0] == usize::MAX {
                return flaw(at, "no other node leads to it".to_string());
            }
            let mut give = |child: usize, there: [usize; 2], length: u64| -> Result<(), Flaw> {
                together += length;
                if length > MOST_BITS || together > MOST_BITS_TOGETHER {
                    let reason = format!("the probability of node {} has too many digits", child + 1);
                    return Err(Flaw { node: at, reason });
                }
                match reached.get_mut(child).filter(|r| child > at && r[0] == usize::MAX) {
                    Some(place) => {
                        *place = there;
                        longer.push((child, length));
                        Ok(())
                    }
                    None => Err(Flaw { node: at, reason: format!("child {} is out of order", child + 1) }),
                }
            };
            match node {
                Node::End(_) => {}
                Node::Chance(branches) => {
                    if let Some((name, p, _)) = branches.iter().find(|(_, p, _)| p.is_negative()) {
                        return flaw(at, format!("the probability of {name:?} is {p}: expected 0 or more"));
                    }
                    if !share_denominator(branches.iter().map(|(_, p, _)| p), MOST_BITS) {
                        return flaw(
                            at,
                            "the probabilities of chance have too long a common denominator".into(),
                        );
                    }
                    let sum: Fraction = branches.iter().map(|(_, p, _)| p).sum();
                    if !sum.is_one() {
                        return flaw(at, format!("the probabilities of chance add up to {sum}: expected 1"));
                    }
                    for (_, p, child) in branches {
                        give(*child, here, lengths[at] + bits(p))?;
                    }
                }
                Node::Turn(number, children) => {
                    let Some(infoset) = infosets.get(*number) else {
                        return flaw(at, format!("there is no information set {number}"));
                    };
                    if infoset.actions.is_empty() || children.len() != infoset.actions.len() {
                        let (count, name) = (infoset.actions.len(), &infoset.name);
                        let children = children.len();
                        return flaw(at, format!("{children} actions: expected {count} as in {name:?}"));
                    }
                    let side = infoset.side.index();
                    let (parent, first) = &mut sequences[*number];
                    if *first == usize::MAX {
                        (*parent, *first) = (here[side], counts[side]);
                        counts[side] += children.len();
                    } else if *parent != here[side] {
                        let (player, name) = (side + 1, &infoset.name);
                        return flaw(
                            at,
                            format!(
                                "imperfect recall: player {player} comes to information set {name:?} by different \
                                 actions or knowledge of his own, which he would have to forget"
                            ),
                        );
                    }
                    for (action, child) in children.iter().enumerate() {
                        let mut there = here;
                        there[side] = *first + action;
                        give(*child, there, lengths[at])?;
                    }
                }
            }
            longer.drain(..).for_each(|(child, length)| lengths[child] = length);
        }
        let payoffs =
            nodes.iter().filter_map(|node| if let Node::End(both) = node { Some(both) } else { None });
        let probabilities =
            nodes.iter().filter_map(|node| if let Node::Chance(all) = node { Some(all) } else { None });
        if !share_denominator(payoffs.flatten(), MOST_BITS)
            || !share_denominator(probabilities.flatten().map(|(_, p, _)| p), MOST_BITS)
        {
            return flaw(
                0,
                format!(
                    "all payoffs or all probabilities have a common denominator of over {MOST_BITS} bits"
                ),
            );
        }
        if let Some(unused) = sequences.iter().position(|(_, first)| *first == usize::MAX) {
            return flaw(0, format!("information set {:?} has no node", infosets[unused].name));
        }
        let players = ["Player 1", "Player 2"].map(str::to_owned);
        Ok(Tree { title, players, nodes, infosets, reached, sequences, counts })
    }

    /// Returns the nodes.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Returns the information sets of both players.
    pub fn infosets(&self) -> &[Infoset] {
        &self.infosets
    }

    /// Returns the indices of a player's information sets, each after those that lead to it.
    pub fn infosets_of(&self, side: Side) -> Vec<usize> {
        let mut numbers: Vec<usize> =
            (0..self.infosets.len()).filter(|&h| self.infosets[h].side == side).collect();
        sorting::sort_by_key(&mut numbers, |&h| self.sequences[h].1);
        numbers
    }

    /// Returns the number of a player's sequences of actions, including the empty one.
    pub fn sequence_count(&self, side: Side) -> usize {
        self.counts[side.index()]
    }

    /// Returns the sequence of his own actions that leads a player to an information set; 0 is the empty one.
    pub fn sequence_to(&self, infoset: usize) -> usize {
        self.sequences[infoset].0
    }

    /// Returns the sequence that ends with an action at an information set.
    pub fn sequence(&self, infoset: usize, action: usize) -> usize {
        self.sequences[infoset].1 + action
    }

    /// Returns, for each node, the last sequence of both players that leads to it.
    pub fn reached(&self) -> &[[usize; 2]] {
        &self.reached
    }

    /// Returns, for each node, the product of the chance probabilities on the path to it.
    pub fn chances(&self) -> Vec<Fraction> {
        let mut chances = vec![Fraction::one(); self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            match node {
                Node::Chance(branches) => {
                    for (_, p, child) in branches {
                        chances[*child] = &chances[at] * p;
                    }
                }
                Node::Turn(_, children) => {
                    for child in children {
                        chances[*child] = chances[at].clone();
                    }
                }
                Node::End(_) => {}
            }
        }
        chances
    }

    /// Returns the sum of both payoffs, if it is the same at every end.
    pub fn constant_sum(&self) -> Option<Fraction> {
        let mut sums = self.nodes.iter().filter_map(|node| match node {
            Node::End([one, two]) => Some(one + two),
            _ => None,
        });
        let first = sums.next().unwrap_or_else(Fraction::zero);
        sums.all(|sum| sum == first).then_some(first)
    }
}

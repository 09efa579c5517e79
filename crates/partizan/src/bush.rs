//! Hackenbush on a graph: edges connected to the ground, cut by the player of their colour.
//!
//! * The graph is an undirected DOT file with one node `ground`; each edge is `color=blue` (player one's), `red` (player
//!   two's) or `green` (either's), also written `B`, `R`, `G`. Loops and parallel edges are allowed.
//! * A move cuts an edge; then every edge without a path to the ground goes too. The player who cannot move
//!   loses.
//! * Position `BRG-B 1`: a letter for each edge in the order of the file, `-` for one that is gone; move: the edge's
//!   number, counted from 1.
//!
//! Solved by canonical forms, one for each component connected to the ground. Source: "Winning Ways", 1982, chapter 7.

use grundy_core::bits::places;
use grundy_core::dot::Undirected;
use grundy_core::game::{Flow, Game, Notation, Player, Scored, hash_of};
use grundy_core::sorting;
use grundy_core::text::excerpt;
use grundy_core::value::Value;
use grundy_core::words;
use grundy_search::alpha_beta::{Bounds, Heuristic};
use grundy_sums::cgt::Partizan;

use crate::stalks::cuts;

/// Maximum number of edges.
pub const EDGES: usize = 128;

/// The rules of Hackenbush on one graph.
#[derive(Clone, Debug)]
pub struct Bush {
    /// The letter of each edge.
    letters: Vec<u8>,
    /// Both ends of each edge.
    ends: Vec<(u8, u8)>,
    ground: u8,
    /// The edges at each node.
    at: Vec<u128>,
}

/// The edges that are left, and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Edges, the first of the file in the lowest bit.
    pub edges: u128,
    /// The player to move.
    pub turn: Player,
}

/// Returns the members of a set of edges.
fn each(set: u128) -> impl Iterator<Item = u8> {
    places(set).map(|edge| edge as u8)
}

impl Bush {
    /// Returns the game on a graph.
    ///
    /// # Errors
    /// There is no node `ground`, an edge has no colour or no path to the ground, or there are too many edges.
    pub fn new(graph: &Undirected) -> Result<Bush, String> {
        if graph.edges.is_empty() || graph.edges.len() > EDGES {
            return Err(format!("{} edges: expected 1 to {EDGES}", graph.edges.len()));
        }
        // Nodes without an edge, of which there may be many, do not matter.
        let mut names: Vec<u32> = graph.edges.iter().flat_map(|edge| [edge.ends.0, edge.ends.1]).collect();
        sorting::sort(&mut names);
        names.dedup();
        let place = |node: u32| names.binary_search(&node).ok().and_then(|at| u8::try_from(at).ok());
        let ground = graph.nodes.iter().position(|node| node.name == "ground").and_then(|n| place(n as u32));
        let ground = ground.ok_or("no edge stands on the ground: expected a node named ground")?;
        let (mut letters, mut ends) = (Vec::new(), Vec::new());
        let mut at = vec![0; names.len()];
        for (number, edge) in graph.edges.iter().enumerate() {
            let colour = edge.get("color").unwrap_or("");
            letters.push(match colour {
                "blue" | "B" => b'B',
                "red" | "R" => b'R',
                "green" | "G" => b'G',
                _ => {
                    let shown = excerpt(colour, 24);
                    return Err(format!(
                        "edge {} has color={shown}: expected blue, red or green",
                        number + 1
                    ));
                }
            });
            let (Some(a), Some(b)) = (place(edge.ends.0), place(edge.ends.1)) else {
                return Err(format!("too many nodes: expected at most {}", u8::MAX));
            };
            ends.push((a, b));
            at[a as usize] |= 1 << number;
            at[b as usize] |= 1 << number;
        }
        let game = Bush { letters, ends, ground, at };
        let all = u128::MAX >> (128 - game.letters.len());
        match each(all & !game.grounded(all)).next() {
            Some(edge) => Err(format!("edge {} has no path to the ground", edge + 1)),
            None => Ok(game),
        }
    }

    /// Returns the edges of a set that have a path to the ground in it.
    fn grounded(&self, edges: u128) -> u128 {
        self.hanging(edges, edges & self.at[self.ground as usize])
    }

    /// Returns the edges of a set that are connected to the edges `first`, not counting connections by the ground.
    fn hanging(&self, edges: u128, first: u128) -> u128 {
        let (mut found, mut open) = (first, first);
        while open != 0 {
            let edge = open.trailing_zeros() as usize;
            open &= open - 1;
            for node in [self.ends[edge].0, self.ends[edge].1] {
                if node != self.ground {
                    let more = self.at[node as usize] & edges & !found;
                    found |= more;
                    open |= more;
                }
            }
        }
        found
    }

    fn cut(&self, edges: u128, edge: u8) -> u128 {
        self.grounded(edges & !(1 << edge))
    }

    /// Splits a set of edges into components, not counting connections by the ground.
    fn split(&self, mut edges: u128) -> Vec<u128> {
        let mut parts = Vec::new();
        while edges != 0 {
            let part = self.hanging(edges, edges & edges.wrapping_neg());
            parts.push(part);
            edges &= !part;
        }
        parts
    }

    /// Returns the edges of a set that `player` may cut.
    fn choices(&self, player: Player, edges: u128) -> impl Iterator<Item = u8> {
        each(edges).filter(move |&edge| cuts(player, self.letters[edge as usize]))
    }
}

impl Game for Bush {
    type Position = Position;
    /// The edge, counted from 0.
    type Move = u8;

    fn start(&self) -> Position {
        Position { edges: u128::MAX >> (128 - self.letters.len()), turn: Player::One }
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Value> {
        self.choices(position.turn, position.edges).next().is_none().then_some(Value::loss_in(0))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(u8) -> Flow) -> Flow {
        self.choices(position.turn, position.edges).try_for_each(visit)
    }

    fn play(&self, position: &Position, m: u8) -> Position {
        Position { edges: self.cut(position.edges, m), turn: !position.turn }
    }
}

impl Scored for Bush {}

impl Notation for Bush {
    fn write_position(&self, position: &Position) -> String {
        let letter = |(edge, &letter): (usize, &u8)| match position.edges >> edge & 1 {
            0 => '-',
            _ => letter as char,
        };
        let edges: String = self.letters.iter().enumerate().map(letter).collect();
        format!("{edges} {}", position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([word], turn) = words::fields(text, "a letter or - for each edge of the file")?;
        if word.len() != self.letters.len() {
            return Err(format!("expected {} edges, a letter or - for each", self.letters.len()));
        }
        let mut edges = 0;
        for (number, (mark, &letter)) in word.bytes().zip(&self.letters).enumerate() {
            match mark {
                b'-' => {}
                mark if mark == letter => edges |= 1 << number,
                _ => return Err(format!("edge {} is {}: expected that or -", number + 1, letter as char)),
            }
        }
        match each(edges & !self.grounded(edges)).next() {
            Some(edge) => Err(format!("edge {} has no path to the ground: expected -", edge + 1)),
            None => Ok(Position { edges, turn }),
        }
    }

    fn write_move(&self, _position: &Position, m: u8) -> String {
        (m + 1).to_string()
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<u8> {
        let edge = words::number(word, self.letters.len() as u64)?.checked_sub(1)? as u8;
        self.choices(position.turn, position.edges).find(|&other| other == edge)
    }
}

impl Partizan for Bush {
    /// A component of edges.
    type Part = u128;

    fn parts(&self, position: &Position) -> Vec<u128> {
        self.split(position.edges)
    }

    fn options(&self, &part: &u128, player: Player, visit: &mut dyn FnMut(Vec<u128>)) {
        for edge in self.choices(player, part) {
            visit(self.split(self.cut(part, edge)));
        }
    }
}

impl Heuristic for Bush {
    fn key(&self, position: &Position) -> u64 {
        hash_of((position.edges, position.turn))
    }

    fn guess(&self, position: &Position) -> i32 {
        let count = |player| self.choices(player, position.edges).count() as i32;
        100 * (count(position.turn) - count(!position.turn))
    }
}

impl Bounds for Bush {}

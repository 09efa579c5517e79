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
use grundy_core::game::{Flow, Player};
use grundy_core::sorting;
use grundy_core::text::excerpt;
use grundy_core::words;
use grundy_search::board::{BoardRules, Layout, Move, Position};

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

/// Returns the edges of a position or of a part, the first of the file in the lowest bit.
fn edges([low, high]: [u64; 2]) -> u128 {
    u128::from(low) | u128::from(high) << 64
}

/// Returns the form of a set of edges in positions and parts.
fn halves(edges: u128) -> [u64; 2] {
    [edges as u64, (edges >> 64) as u64]
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
    fn split(&self, mut edges: u128) -> Vec<[u64; 2]> {
        let mut parts = Vec::new();
        while edges != 0 {
            let part = self.hanging(edges, edges & edges.wrapping_neg());
            parts.push(halves(part));
            edges &= !part;
        }
        parts
    }

    /// Returns the edges of a set that `player` may cut.
    fn choices(&self, player: Player, edges: u128) -> impl Iterator<Item = u8> {
        each(edges).filter(move |&edge| cuts(player, self.letters[edge as usize]))
    }
}

impl BoardRules for Bush {
    fn layout(&self) -> Layout {
        Layout { cells: 64, rest: 0, stage: 0 }
    }

    fn start(&self) -> Position {
        Position { men: halves(u128::MAX >> (128 - self.letters.len())), ..Position::EMPTY }
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        let mut choices = self.choices(position.turn, edges(position.men));
        choices.try_for_each(|edge| visit(Move(edge.into())))
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let left = self.cut(edges(position.men), m.0 as u8);
        Position { men: halves(left), rest: 0, turn: !position.turn }
    }

    fn write_position(&self, position: &Position) -> String {
        let left = edges(position.men);
        let letter = |(edge, &letter): (usize, &u8)| if left >> edge & 1 == 0 { '-' } else { letter as char };
        let word: String = self.letters.iter().enumerate().map(letter).collect();
        format!("{word} {}", position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([word], turn) = words::fields(text, "a letter or - for each edge of the file")?;
        if word.len() != self.letters.len() {
            return Err(format!("expected {} edges, a letter or - for each", self.letters.len()));
        }
        let mut left = 0;
        for (number, (mark, &letter)) in word.bytes().zip(&self.letters).enumerate() {
            match mark {
                b'-' => {}
                mark if mark == letter => left |= 1 << number,
                _ => return Err(format!("edge {} is {}: expected that or -", number + 1, letter as char)),
            }
        }
        match each(left & !self.grounded(left)).next() {
            Some(edge) => Err(format!("edge {} has no path to the ground: expected -", edge + 1)),
            None => Ok(Position { men: halves(left), rest: 0, turn }),
        }
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        (m.0 + 1).to_string()
    }

    fn guess(&self, position: &Position) -> i32 {
        let count = |player| self.choices(player, edges(position.men)).count() as i32;
        100 * (count(position.turn) - count(!position.turn))
    }

    fn hint(&self, _position: &Position, _m: Move, _child: &Position) -> i32 {
        0
    }

    /// A part is a component of edges.
    fn parts(&self, position: &Position) -> Vec<[u64; 2]> {
        self.split(edges(position.men))
    }

    fn options(&self, part: [u64; 2], player: Player, visit: &mut dyn FnMut(Vec<[u64; 2]>)) {
        for edge in self.choices(player, edges(part)) {
            visit(self.split(self.cut(edges(part), edge)));
        }
    }
}

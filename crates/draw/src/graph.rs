//! The whole graph of a small game: its positions, their values, and the rounds of retrograde analysis that find them.
//!
//! A round looks at every position that is still open. One with a move into a position that is known to be lost for its
//! opponent is won; one all of whose moves lead to known positions is worth the best of them. Round 0 finds the finished
//! positions. What no round finds lies on a cycle that neither player need leave: a draw, in games that are won or lost.

use std::collections::HashMap;
use std::fmt;

use grundy_core::game::Player;
use grundy_core::value::{Step, Unit, Value, Wdl};
use grundy_session::{Progress, Session};

/// The graph of the positions that play can reach.
pub struct Graph {
    /// The game's full name.
    pub game: String,
    /// The unit of the values.
    pub unit: Unit,
    /// The positions, in the order in which a breadth-first search from the start finds them.
    pub nodes: Vec<Node>,
    /// The first round that finds nothing more.
    pub rounds: u32,
}

/// A position of a [`Graph`].
pub struct Node {
    /// The position as one line of text.
    pub position: String,
    /// The player to move.
    pub turn: Player,
    /// Plies of the shortest way from the start.
    pub ply: u32,
    /// The legal moves, in the game's order.
    pub edges: Vec<Edge>,
    /// The value for the player to move; `None` where neither the rounds nor the game's methods know it.
    pub value: Option<Value>,
    /// The round that found the value; `None` where none does.
    pub round: Option<u32>,
}

/// A move of a [`Node`].
pub struct Edge {
    /// The move.
    pub word: String,
    /// The index of the position after it.
    pub to: usize,
    /// The step: it tells whether the turn passes, and the points that the mover gains.
    pub step: Step,
}

/// Why a graph was not built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// The most positions that were allowed.
    pub limit: usize,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limit = self.limit;
        write!(
            f,
            "more than {limit} positions, symmetric ones counted apart: expected a smaller game or position, or a larger \
             --limit"
        )
    }
}

impl std::error::Error for TooLarge {}

impl Graph {
    /// Explores all positions that can be reached from the session's position, and runs retrograde analysis on them.
    /// The session is left at another position. `report` receives the progress.
    ///
    /// # Errors
    /// There are more than `limit` positions.
    pub fn explore(
        session: &mut Session,
        limit: usize,
        report: &dyn Fn(&Progress),
    ) -> Result<Graph, TooLarge> {
        let mut graph =
            Graph { game: session.name().to_owned(), unit: session.unit(), nodes: Vec::new(), rounds: 0 };
        let mut index = HashMap::new();
        let start = session.position();
        index.insert(start.clone(), 0);
        graph.nodes.push(Node::new(start, 0, session.over()));
        let mut next = 0;
        while next < graph.nodes.len() {
            let at = next;
            next += 1;
            report(&Progress { what: "positions explored".into(), done: next as u64, total: 0 });
            if session.setup(Some(&graph.nodes[at].position)).is_err() {
                continue;
            }
            graph.nodes[at].turn = session.turn();
            if graph.nodes[at].round.is_some() {
                continue;
            }
            let ply = graph.nodes[at].ply + 1;
            let (mut edges, nodes) = (Vec::new(), &mut graph.nodes);
            session.each_successor(&mut |successor| {
                let to = *index.entry(successor.position).or_insert_with_key(|position| {
                    nodes.push(Node::new(position.clone(), ply, successor.over));
                    nodes.len() - 1
                });
                edges.push(Edge { word: successor.word, to, step: successor.step });
                nodes.len() <= limit
            });
            if graph.nodes.len() > limit {
                return Err(TooLarge { limit });
            }
            graph.nodes[at].edges = edges;
        }
        graph.analyze();
        graph.complete(session, report);
        Ok(graph)
    }

    /// Settles positions round by round, until a round settles none.
    fn analyze(&mut self) {
        let points = self.unit.is_points();
        loop {
            self.rounds += 1;
            let open = || (0..self.nodes.len()).filter(|&at| self.nodes[at].round.is_none());
            let found: Vec<(usize, Value)> =
                open().filter_map(|at| Some((at, self.settled(at, points)?))).collect();
            if found.is_empty() {
                return;
            }
            for (at, value) in found {
                self.nodes[at].value = Some(value);
                self.nodes[at].round = Some(self.rounds);
            }
        }
    }

    /// Returns the value of the position at index `at` where those of its moves that are known settle it.
    fn settled(&self, at: usize, points: bool) -> Option<Value> {
        let edges = &self.nodes[at].edges;
        let known = || edges.iter().filter_map(|edge| Some(self.nodes[edge.to].value?.back(edge.step)));
        let best = known().max()?;
        (known().count() == edges.len() || !points && best.wdl() == Wdl::Win).then_some(best)
    }

    /// Takes the values that no round found from the game's methods; where these know none either, a position of a game
    /// that is won or lost is a draw.
    fn complete(&mut self, session: &mut Session, report: &dyn Fn(&Progress)) {
        for (node, done) in self.nodes.iter_mut().filter(|node| node.round.is_none()).zip(0..) {
            report(&Progress { what: "values of positions that no round finds".into(), done, total: 0 });
            let known = session.setup(Some(&node.position)).ok().and_then(|()| session.value());
            node.value = known.or((!self.unit.is_points()).then_some(Value::DRAW));
        }
    }

    /// Reports whether the move is one of the best of its position; `false` where a value is missing.
    pub fn is_best(&self, from: &Node, edge: &Edge) -> bool {
        self.nodes[edge.to].value.zip(from.value).is_some_and(|(after, value)| {
            let after = after.back(edge.step);
            after == value || value.is_unmeasured() && after.wdl() == value.wdl()
        })
    }

    /// Counts the positions that a round found: won, drawn, lost for the player to move.
    pub fn count(&self, round: Option<u32>) -> [usize; 3] {
        let mut counts = [0; 3];
        for node in self.nodes.iter().filter(|node| node.round == round) {
            match node.value.map(Value::wdl) {
                Some(Wdl::Win) => counts[0] += 1,
                Some(Wdl::Draw) => counts[1] += 1,
                Some(Wdl::Loss) => counts[2] += 1,
                None => {}
            }
        }
        counts
    }
}

impl Node {
    /// A position whose moves are not known yet; `over` is its value where the game is over there.
    fn new(position: String, ply: u32, over: Option<Value>) -> Node {
        Node { position, turn: Player::One, ply, edges: Vec::new(), value: over, round: over.map(|_| 0) }
    }

    /// Reports whether retrograde analysis knows the value after `round`; `None` stands for all values.
    pub fn is_shown(&self, round: Option<u32>) -> bool {
        round.is_none_or(|round| self.round.is_some_and(|found| found <= round))
    }

    /// Returns the value in the words of the protocol, `?` where it is not known.
    pub fn value_word(&self, unit: Unit) -> String {
        self.value.map_or_else(|| "?".to_owned(), |value| value.show(unit).to_string())
    }
}

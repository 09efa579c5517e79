//! A parsed and checked rules file: players, pieces, board, and the rules as a tree.

use xxhash_rust::xxh3::xxh3_64;

use crate::board::Board;
use crate::directives::Directives;
use crate::source::{Fault, Span};

/// A player's score or a variable: a name and the largest value; the least and the initial value are 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounded {
    /// The name.
    pub name: String,
    /// The largest value.
    pub bound: u32,
}

/// A game in the language, without macros.
#[derive(Clone, Debug)]
pub struct Program {
    /// The players in the order of the file, each with the bound of the score.
    pub players: Vec<Bounded>,
    /// The names of the pieces. A cell holds exactly one.
    pub pieces: Vec<String>,
    /// The players' scores and then the variables.
    pub variables: Vec<Bounded>,
    /// The board with the pieces on it at the start.
    pub board: Board,
    /// The rules.
    pub rules: Node,
    /// The directives of the comment lines.
    pub directives: Directives,
    /// Warnings for the author.
    pub warnings: Vec<Fault>,
    /// The beginning of each line of the file.
    pub lines: Vec<u32>,
    /// The beginning of each section: players, pieces, variables, board, rules.
    pub places: [crate::source::Span; 5],
}

/// A part of the rules and its place in the file.
#[derive(Clone, Debug)]
pub struct Node {
    /// The part.
    pub kind: Kind,
    /// Its beginning.
    pub span: Span,
}

/// A part of the rules.
#[derive(Clone, Debug)]
pub enum Kind {
    /// All parts, one after the other.
    Sequence(Vec<Node>),
    /// One of the parts.
    Choice(Vec<Node>),
    /// Any number of repetitions, including none.
    Star(Box<Node>),
    /// This many repetitions.
    Power(Box<Node>, u32),
    /// A step along an edge with this label.
    Shift(u16),
    /// A test that one of these pieces is on the cell.
    On(Vec<u8>),
    /// Puts this piece on the cell.
    Off(u8),
    /// Assigns a value to a variable.
    Assign(u16, Expr),
    /// A comparison of two values.
    Compare(Expr, Comparison, Expr),
    /// A test that the rules inside can be followed from here, or cannot if `negated`.
    Check {
        /// `true` if they must not lead anywhere.
        negated: bool,
        /// The rules inside.
        inside: Box<Node>,
    },
    /// Passes the turn to a player, or to the keeper if there is none.
    Switch(Option<u8>),
    /// Does nothing.
    Nothing,
}

/// A value in a comparison or an assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A number.
    Number(i64),
    /// A score or a variable.
    Variable(u16),
    /// The number of these pieces on the board.
    Count(u8),
    /// An operation on two values.
    Join(Operator, Box<(Expr, Expr)>),
}

/// An operator on two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// Their sum.
    Add,
    /// Their difference.
    Subtract,
    /// Their product.
    Multiply,
    /// The first divided by the second, truncated to an integer.
    Divide,
}

/// A comparison operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

impl Comparison {
    /// Reports whether the comparison holds between two numbers.
    pub fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::Unequal => left != right,
            Comparison::Less => left < right,
            Comparison::AtMost => left <= right,
            Comparison::Greater => left > right,
            Comparison::AtLeast => left >= right,
        }
    }
}

impl Operator {
    /// Applies the operator; `None` if there is no result (a division by zero) or it overflows.
    pub fn join(self, left: i64, right: i64) -> Option<i64> {
        match self {
            Operator::Add => left.checked_add(right),
            Operator::Subtract => left.checked_sub(right),
            Operator::Multiply => left.checked_mul(right),
            Operator::Divide => left.checked_div(right),
        }
    }
}

impl Program {
    /// Returns a checksum of the meaning of the rules, which ignores blanks, comments, macros and places in the text.
    pub fn checksum(&self) -> u64 {
        let mut text = String::new();
        for bounded in &self.variables {
            text.push_str(&format!("{} {};", bounded.name, bounded.bound));
        }
        text.push_str(&format!("{}|{:?}|", self.players.len(), self.pieces));
        self.board.describe(&mut text);
        describe(&self.rules, &mut text);
        text.push_str(&self.directives.meaning());
        xxh3_64(text.as_bytes()) | 1
    }
}

/// Appends a canonical text of the rules, without places.
fn describe(node: &Node, text: &mut String) {
    let list = |open: char, nodes: &[Node], text: &mut String| {
        text.push(open);
        for node in nodes {
            describe(node, text);
            text.push(',');
        }
        text.push(')');
    };
    match &node.kind {
        Kind::Sequence(nodes) => list('(', nodes, text),
        Kind::Choice(nodes) => list('|', nodes, text),
        Kind::Star(inside) => {
            text.push('*');
            describe(inside, text);
        }
        Kind::Power(inside, times) => {
            text.push_str(&format!("^{times}"));
            describe(inside, text);
        }
        Kind::Check { negated, inside } => {
            text.push(if *negated { '!' } else { '?' });
            describe(inside, text);
        }
        Kind::Nothing => {}
        leaf => text.push_str(&format!("{leaf:?}")),
    }
}

/// Visits the variables that an expression reads.
pub fn variables_of(expr: &Expr, visit: &mut impl FnMut(u16)) {
    match expr {
        Expr::Number(_) | Expr::Count(_) => {}
        Expr::Variable(variable) => visit(*variable),
        Expr::Join(_, pair) => {
            variables_of(&pair.0, visit);
            variables_of(&pair.1, visit);
        }
    }
}

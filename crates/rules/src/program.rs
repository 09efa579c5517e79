//! A rules file that was read and checked: who plays, with which pieces, on which board, and the rules as a tree.

use xxhash_rust::xxh3::xxh3_64;

use crate::board::Board;
use crate::directives::Directives;
use crate::source::{Fault, Span};

/// A player's score or a variable: a name and the largest value; the least is 0, and so is the first.
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
    /// The board with the pieces that stand on it at the start.
    pub board: Board,
    /// The rules.
    pub rules: Node,
    /// What stands in the comment lines that are for us alone.
    pub directives: Directives,
    /// What the author may want to know.
    pub warnings: Vec<Fault>,
    /// Where each line of the file begins.
    pub lines: Vec<u32>,
    /// Where each section begins: players, pieces, variables, board, rules.
    pub places: [crate::source::Span; 5],
}

/// A part of the rules and where it stands.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// Where it begins.
    pub span: Span,
}

/// What a part of the rules says.
#[derive(Clone, Debug)]
pub enum Kind {
    /// One after the other.
    Sequence(Vec<Node>),
    /// One of these.
    Choice(Vec<Node>),
    /// Any number of times, none included.
    Star(Box<Node>),
    /// So many times.
    Power(Box<Node>, u32),
    /// Along an edge with this label.
    Shift(u16),
    /// One of these pieces is on the cell.
    On(Vec<u8>),
    /// This piece is put on the cell.
    Off(u8),
    /// A variable gets a value.
    Assign(u16, Expr),
    /// Two values compare so.
    Compare(Expr, Comparison, Expr),
    /// From here the rules inside can be followed, or cannot where `negated`.
    Check {
        /// Whether they must not lead anywhere.
        negated: bool,
        /// The rules inside.
        inside: Box<Node>,
    },
    /// The turn goes to a player, or to the keeper where there is none.
    Switch(Option<u8>),
    /// Nothing.
    Nothing,
}

/// A value in a comparison or an assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A number.
    Number(i64),
    /// A score or a variable.
    Variable(u16),
    /// How many of these pieces are on the board.
    Count(u8),
    /// Two values joined.
    Join(Operator, Box<(Expr, Expr)>),
}

/// How two values are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// Their sum.
    Add,
    /// Their difference.
    Subtract,
    /// Their product.
    Multiply,
    /// The first divided by the second, cut to a whole number.
    Divide,
}

/// How two values compare.
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
    /// Whether two numbers compare so.
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
    /// Two numbers joined; `None` where the result is no number (a division by zero) or beyond all bounds.
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
    /// A checksum of what the rules mean: of all but blanks, comments, macros and places in the text.
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

/// The rules as a line, without places.
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

/// The variables that an expression reads, each shown to `visit`.
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

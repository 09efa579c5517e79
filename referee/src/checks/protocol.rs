//! The protocols that the conformance suite tests.

use grundy_session::Shape;

use crate::engine_spec::Dialect;

/// A protocol that the suite tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// Universal Game Interface.
    Ugi,
    /// Universal Chess Interface.
    Uci,
    /// The protocol of Piskvork and Gomocup.
    Gomocup,
    /// The protocol of XBoard and WinBoard.
    XBoard,
    /// The protocol of NBoard.
    NBoard,
    /// The Hub protocol of draughts.
    Hub,
}

/// All protocols, in the order of their checks.
pub const PROTOCOLS: [Protocol; 6] =
    [Protocol::Ugi, Protocol::Uci, Protocol::Gomocup, Protocol::XBoard, Protocol::NBoard, Protocol::Hub];

impl Protocol {
    /// Returns its name on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Protocol::Ugi => "ugi",
            Protocol::Uci => "uci",
            Protocol::Gomocup => "gomocup",
            Protocol::XBoard => "xboard",
            Protocol::NBoard => "nboard",
            Protocol::Hub => "hub",
        }
    }

    /// Reports whether a value of `--dialect` names it.
    pub fn is_in(self, dialect: &str) -> bool {
        dialect == self.word() || dialect == "both" && matches!(self, Protocol::Ugi | Protocol::Uci)
    }

    /// Returns the dialect in which an engine is launched; the checks of other protocols say everything themselves.
    pub fn dialect(self) -> Dialect {
        if self == Protocol::Uci { Dialect::Uci } else { Dialect::Ugi }
    }

    /// Returns the only shape of games that it is for; `None` for games of any shape.
    pub fn shape(self) -> Option<Shape> {
        match self {
            Protocol::Ugi | Protocol::Uci => None,
            Protocol::Gomocup => Some(Shape::Lines),
            Protocol::XBoard => Some(Shape::Chess),
            Protocol::NBoard => Some(Shape::Discs),
            Protocol::Hub => Some(Shape::Draughts),
        }
    }
}

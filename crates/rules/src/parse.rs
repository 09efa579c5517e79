//! The five sections: names first, then the board, then the rules.

use grundy_core::text::counted;
use rustc_hash::FxHashMap;

use crate::board::{self, Board};
use crate::directives::Directives;
use crate::expand::{Expanded, expand, unclosed};
use crate::lex::{Lexed, Name, Names, Tok, Token, lex, show};
use crate::limits;
use crate::points::bound_margins;
use crate::program::{Bounded, Comparison, Expr, Kind, Node, Operator, Program};
use crate::reader::{Parser, Symbol};
use crate::source::{Fault, Span};

/// Reads a rules file.
///
/// # Errors
/// The first fault, with its place.
pub fn parse(text: &str) -> Result<Program, Fault> {
    if text.len() as u64 > limits::TEXT {
        return Err(Fault::new(Span::default(), format!("a file of more than {} bytes", limits::TEXT)));
    }
    let mut names = Names::default();
    let lexed = lex(text, &mut names)?;
    let expanded = expand(&lexed, &mut names)?;
    let mut parser = Parser {
        names: &names,
        symbols: FxHashMap::default(),
        macros: &expanded.macros,
        tokens: &[],
        at: 0,
        end: Span::default(),
        depth: 0,
        operators: 0,
    };
    let read = sections(&mut parser, &expanded, &lexed);
    let replaced = parser.replaced();
    let Sections { players, pieces, variables, board, rules } = match read {
        Ok(sections) => sections,
        // A macro in the place of a name misleads the reader.
        Err(fault) => return Err(replaced.into_iter().next().unwrap_or(fault)),
    };
    let directives = Directives::read(&lexed.remarks, &pieces, &board)?;
    let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at as u32 + 1);
    let lines = std::iter::once(0).chain(breaks).collect();
    let (mut warnings, places) = (expanded.warnings, expanded.places);
    warnings.extend(replaced);
    let mut program =
        Program { players, pieces, variables, board, rules, directives, warnings, lines, places };
    bound_margins(&mut program)?;
    Ok(program)
}

/// The sections of a file.
struct Sections {
    players: Vec<Bounded>,
    pieces: Vec<String>,
    /// The players' scores and then the variables.
    variables: Vec<Bounded>,
    board: Board,
    rules: Node,
}

/// Reads the sections, each of which uses names of those before it.
fn sections<'a>(parser: &mut Parser<'a>, expanded: &'a Expanded, lexed: &Lexed) -> Result<Sections, Fault> {
    parser.begin(expanded, 0);
    let players = parser.bounded(&|at| Symbol::Player(at as u8))?;
    if players.len() != 2 {
        let what = format!(
            "a game of {}: expected 2, as in #players = first(100), second(100)",
            counted(players.len(), "player")
        );
        return Err(Fault::new(expanded.places[0], what));
    }
    parser.begin(expanded, 1);
    let pieces = parser.pieces()?;
    let own = players.len();
    parser.begin(expanded, 2);
    let variables = parser.bounded(&|at| Symbol::Variable((own + at) as u16))?;
    let variables: Vec<Bounded> = players.iter().cloned().chain(variables).collect();
    if variables.len() > limits::VARIABLES {
        let what = format!("more than {} players and variables", limits::VARIABLES);
        return Err(Fault::new(expanded.places[2], what));
    }
    parser.begin(expanded, 3);
    let board = board::read(parser)?;
    parser.begin(expanded, 4);
    let rules = parser.rules().map_err(|fault| match unclosed(&lexed.tokens) {
        Some(open) => Fault::new(open, "`(` is not closed: expected `)`"),
        None => fault,
    })?;
    Ok(Sections { players, pieces, variables, board, rules })
}

impl Parser<'_> {
    /// Reads `p(100), q(100)`.
    fn bounded(&mut self, symbol: &dyn Fn(usize) -> Symbol) -> Result<Vec<Bounded>, Fault> {
        let mut found = Vec::new();
        while self.peek().tok != Tok::End {
            let span = self.peek().span;
            let name = self.name("a name with its largest value as turn(99)")?;
            if found.len() >= limits::VARIABLES {
                return Err(Fault::new(span, format!("more than {} names", limits::VARIABLES)));
            }
            self.define(name, symbol(found.len()), span)?;
            self.expect("(")?;
            let bound = match self.peek().tok {
                Tok::Number(number) if number > 0 => number,
                _ => return Err(self.unexpected("the largest value, a number of at least 1")),
            };
            self.at += 1;
            self.expect(")")?;
            found.push(Bounded { name: self.names.word(name).to_owned(), bound });
            if !self.takes(",") {
                break;
            }
            if self.peek().tok == Tok::End {
                return Err(self.unexpected("another name"));
            }
        }
        match self.peek().tok {
            Tok::End => Ok(found),
            _ => Err(self.unexpected("`,` or the end of the section")),
        }
    }

    /// Reads `a, b, c`.
    fn pieces(&mut self) -> Result<Vec<String>, Fault> {
        let mut found = Vec::new();
        loop {
            let span = self.peek().span;
            let name = self.name("the name of a piece")?;
            if found.len() >= limits::PIECES {
                return Err(Fault::new(span, format!("more than {} pieces", limits::PIECES)));
            }
            self.define(name, Symbol::Piece(found.len() as u8), span)?;
            found.push(self.names.word(name).to_owned());
            if !self.takes(",") {
                break;
            }
        }
        match self.peek().tok {
            Tok::End => Ok(found),
            _ => Err(self.unexpected("`,` or the end of the section")),
        }
    }

    // ---- rules ----

    /// Reads the section of the rules.
    fn rules(&mut self) -> Result<Node, Fault> {
        let rules = self.sum()?;
        match self.peek().tok {
            Tok::End => Ok(rules),
            _ => Err(self.unexpected("an action, `+` or the end of the rules")),
        }
    }

    /// Reads `a + b + c`.
    fn sum(&mut self) -> Result<Node, Fault> {
        let span = self.peek().span;
        if self.depth >= limits::DEPTH {
            return Err(Fault::new(span, format!("parentheses nest more than {} deep", limits::DEPTH)));
        }
        self.depth += 1;
        let mut nodes = vec![self.sequence()?];
        while self.takes("+") {
            nodes.push(self.sequence()?);
        }
        self.depth -= 1;
        Ok(joined(nodes, Kind::Choice, span))
    }

    /// Reads `a b c`.
    fn sequence(&mut self) -> Result<Node, Fault> {
        let span = self.peek().span;
        let mut nodes = Vec::new();
        while let Some(node) = self.element()? {
            nodes.push(node);
        }
        if nodes.is_empty() {
            return Err(self.unexpected("an action: a direction, {..}, [..], (..), -> or ->>"));
        }
        Ok(joined(nodes, Kind::Sequence, span))
    }

    /// Reads one action with its suffix; `None` if no action begins.
    fn element(&mut self) -> Result<Option<Node>, Fault> {
        let Token { tok, span, .. } = self.peek();
        let kind = match tok {
            Tok::Name(name) => match self.symbol(name) {
                Some(Symbol::Label(label)) => {
                    self.at += 1;
                    return self.suffix(Node { kind: Kind::Shift(label), span }).map(Some);
                }
                Some(other) => {
                    let what = format!("{}, which is {}, not an action", show(tok, self.names), other.kind());
                    let hint = match other {
                        Symbol::Piece(_) => "`{..}` to test for it or `[..]` to put it",
                        Symbol::Player(_) => "`->` before it to give it the turn",
                        _ => "`{$ ..}` to compare it or `[$ ..]` to set it",
                    };
                    return Err(Fault::new(span, format!("unexpected {what}: expected {hint}")));
                }
                None => return Err(self.unknown(name, span)),
            },
            Tok::Sign("(") => {
                self.at += 1;
                let inside = self.sum()?;
                self.expect(")")?;
                return self.suffix(inside).map(Some);
            }
            Tok::Sign("{") => {
                self.at += 1;
                Kind::On(self.pieces_until("}")?)
            }
            Tok::Sign("[") => {
                self.at += 1;
                let pieces = self.pieces_until("]")?;
                if pieces.is_empty() {
                    return Err(Fault::new(span, "nothing to put: expected a piece as [piece]"));
                }
                let puts = pieces.into_iter().map(|piece| Node { kind: Kind::Off(piece), span }).collect();
                joined(puts, Kind::Choice, span).kind
            }
            Tok::Sign("[$") => {
                self.at += 1;
                self.assignments(span)?
            }
            Tok::Sign("{$") => {
                self.at += 1;
                let left = self.expression()?;
                let comparison = self.comparison()?;
                let right = self.expression()?;
                self.expect("}")?;
                Kind::Compare(left, comparison, right)
            }
            Tok::Sign(open @ ("{?" | "{!")) => {
                self.at += 1;
                let inside = self.sum()?;
                self.expect("}")?;
                Kind::Check { negated: open == "{!", inside: Box::new(inside) }
            }
            Tok::Sign("->>") => {
                self.at += 1;
                Kind::Switch(None)
            }
            Tok::Sign("->") => {
                self.at += 1;
                match self.peek().tok {
                    Tok::Name(name) => match self.symbol(name) {
                        Some(Symbol::Player(player)) => {
                            self.at += 1;
                            Kind::Switch(Some(player))
                        }
                        _ => {
                            let player = |symbol: Symbol| matches!(symbol, Symbol::Player(_));
                            return Err(self.unexpected_name("a player", &player));
                        }
                    },
                    _ => return Err(self.unexpected("a player")),
                }
            }
            Tok::Sign(".") => {
                self.at += 1;
                Kind::Nothing
            }
            _ => return Ok(None),
        };
        if matches!(self.peek().tok, Tok::Sign("*" | "^")) {
            return Err(self.unexpected("parentheses around the action, as ([x])*"));
        }
        Ok(Some(Node { kind, span }))
    }

    /// Returns the fault of a name in the rules that means nothing.
    fn unknown(&self, name: Name, span: Span) -> Fault {
        let called = self.tokens.get(self.at + 1).is_some_and(|next| next.tok == Tok::Sign("("));
        let mut own = self.macros.iter().filter(|own| own.name == name).peekable();
        let why = if own.peek().is_some() {
            match own.any(|own| called || own.parameters == 0) {
                true => "expected the macro of this name above it".to_owned(),
                false => "expected arguments, separated by `;`, for the macro of this name".to_owned(),
            }
        } else {
            match self.close(name, &|symbol: Symbol| matches!(symbol, Symbol::Label(_)), self.macros) {
                Some(close) => format!("did you mean `{}`?", grundy_core::words::short(close)),
                None => "expected a direction of the board or a macro defined above".to_owned(),
            }
        };
        let word = grundy_core::words::short(self.names.word(name));
        Fault::new(span, format!("unknown name `{word}`: {why}"))
    }

    /// Reads `*` or `^n` after a direction or parentheses.
    fn suffix(&mut self, node: Node) -> Result<Node, Fault> {
        let span = node.span;
        let kind = if self.takes("*") {
            Kind::Star(Box::new(node))
        } else if self.takes("^") {
            match self.peek().tok {
                Tok::Number(times) if times > 0 && times as usize <= limits::ACTIONS => {
                    self.at += 1;
                    Kind::Power(Box::new(node), times)
                }
                _ => return Err(self.unexpected("how often, a number of at least 1 and at most 2000000")),
            }
        } else {
            return Ok(node);
        };
        if matches!(self.peek().tok, Tok::Sign("*" | "^")) {
            return Err(self.unexpected("one suffix only: parentheses around what comes before"));
        }
        Ok(Node { kind, span })
    }

    fn pieces_until(&mut self, close: &'static str) -> Result<Vec<u8>, Fault> {
        let mut pieces = Vec::new();
        if self.takes(close) {
            return Ok(pieces);
        }
        loop {
            pieces.push(self.piece()?);
            if self.takes(close) {
                return Ok(pieces);
            }
            if !self.takes(",") {
                return Err(self.unexpected(&format!("`,` or `{close}`")));
            }
        }
    }

    fn assignments(&mut self, span: Span) -> Result<Kind, Fault> {
        let mut nodes = Vec::new();
        loop {
            let place = self.peek().span;
            let name = self.name("a variable or a player")?;
            let variable = match self.symbol(name) {
                Some(Symbol::Variable(variable)) => variable,
                Some(Symbol::Player(player)) => u16::from(player),
                _ => {
                    self.at -= 1;
                    let given = |symbol: Symbol| matches!(symbol, Symbol::Variable(_) | Symbol::Player(_));
                    return Err(self.unexpected_name("a variable or a player", &given));
                }
            };
            self.expect("=")?;
            let value = self.expression()?;
            nodes.push(Node { kind: Kind::Assign(variable, value), span: place });
            if !self.takes(",") {
                break;
            }
        }
        self.expect("]")?;
        Ok(joined(nodes, Kind::Sequence, span).kind)
    }

    fn comparison(&mut self) -> Result<Comparison, Fault> {
        let found = match self.peek().tok {
            Tok::Sign("==") => Comparison::Equal,
            Tok::Sign("!=") => Comparison::Unequal,
            Tok::Sign("<") => Comparison::Less,
            Tok::Sign("<=") => Comparison::AtMost,
            Tok::Sign(">") => Comparison::Greater,
            Tok::Sign(">=") => Comparison::AtLeast,
            _ => return Err(self.unexpected("a comparison: == != < <= > >=")),
        };
        self.at += 1;
        Ok(found)
    }

    // Arithmetic from the loosest to the tightest: `+`, `-`, `*`, `/`.

    fn expression(&mut self) -> Result<Expr, Fault> {
        self.operators = 0;
        self.added()
    }

    fn added(&mut self) -> Result<Expr, Fault> {
        if self.depth >= limits::DEPTH {
            return Err(self.unexpected(&format!("at most {} parentheses within each other", limits::DEPTH)));
        }
        self.depth += 1;
        let found = self.level(0);
        self.depth -= 1;
        found
    }

    fn level(&mut self, level: usize) -> Result<Expr, Fault> {
        const LEVELS: [(&str, Operator); 4] = [
            ("+", Operator::Add),
            ("-", Operator::Subtract),
            ("*", Operator::Multiply),
            ("/", Operator::Divide),
        ];
        let Some(&(sign, operator)) = LEVELS.get(level) else { return self.atom() };
        let mut left = self.level(level + 1)?;
        while self.takes(sign) {
            self.operators += 1;
            if self.operators > limits::OPERATORS {
                return Err(self.unexpected(&format!("at most {} operators in a value", limits::OPERATORS)));
            }
            let right = self.level(level + 1)?;
            left = Expr::Join(operator, Box::new((left, right)));
        }
        Ok(left)
    }

    fn atom(&mut self) -> Result<Expr, Fault> {
        let found = match self.peek().tok {
            Tok::Number(number) => Expr::Number(i64::from(number)),
            Tok::Name(name) => match self.symbol(name) {
                Some(Symbol::Variable(variable)) => Expr::Variable(variable),
                Some(Symbol::Player(player)) => Expr::Variable(u16::from(player)),
                Some(Symbol::Piece(piece)) => Expr::Count(piece),
                _ => {
                    let value = |symbol: Symbol| !matches!(symbol, Symbol::Label(_));
                    let expected = "a number, a variable, a player or a piece";
                    return Err(self.unexpected_name(expected, &value));
                }
            },
            Tok::Sign("(") => {
                self.at += 1;
                let inside = self.added()?;
                self.expect(")")?;
                return Ok(inside);
            }
            _ => return Err(self.unexpected("a number, a variable, a player or a piece")),
        };
        self.at += 1;
        Ok(found)
    }
}

/// Returns the only node, or all of them as one of this kind.
fn joined(mut nodes: Vec<Node>, kind: fn(Vec<Node>) -> Kind, span: Span) -> Node {
    match nodes.pop() {
        Some(node) if nodes.is_empty() => node,
        last => {
            nodes.extend(last);
            Node { kind: kind(nodes), span }
        }
    }
}

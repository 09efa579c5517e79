//! The reader of a section's tokens, and the symbol table.

use grundy_core::sorting;
use grundy_session::closest;
use rustc_hash::FxHashMap;

use crate::expand::{Defined, Expanded, SECTIONS};
use crate::lex::{Name, Names, Tok, Token, show};
use crate::source::{Fault, Span};

/// The meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// A player, which is also the variable of his score.
    Player(u8),
    /// A piece.
    Piece(u8),
    /// A variable.
    Variable(u16),
    /// A direction.
    Label(u16),
}

impl Symbol {
    /// Returns its kind in words.
    pub fn kind(self) -> &'static str {
        match self {
            Symbol::Player(_) => "a player",
            Symbol::Piece(_) => "a piece",
            Symbol::Variable(_) => "a variable",
            Symbol::Label(_) => "a direction",
        }
    }
}

/// Reads the tokens of one section.
pub struct Parser<'a> {
    /// All names of the file.
    pub names: &'a Names,
    /// The meanings of names.
    pub symbols: FxHashMap<Name, Symbol>,
    /// The macros of the file.
    pub macros: &'a [Defined],
    /// The tokens of the section.
    pub tokens: &'a [Token],
    /// Index of the next token.
    pub at: usize,
    /// The end of the section.
    pub end: Span,
    /// The nesting depth of parentheses.
    pub depth: usize,
    /// The operators of the current value.
    pub operators: usize,
}

impl<'a> Parser<'a> {
    /// Begins to read a section.
    pub fn begin(&mut self, expanded: &'a Expanded, section: usize) {
        self.tokens = &expanded.sections[section];
        self.end = self.tokens.last().map_or(expanded.places[section], |token| token.span);
        (self.at, self.depth) = (0, 0);
    }

    /// Returns the next token without taking it.
    pub fn peek(&self) -> Token {
        let end = Token { tok: Tok::End, span: self.end, pasted: false };
        self.tokens.get(self.at).copied().unwrap_or(end)
    }

    /// Takes the next token.
    pub fn take(&mut self) -> Token {
        let token = self.peek();
        self.at += 1;
        token
    }

    /// Takes a sign if it is next, and reports whether it was.
    pub fn takes(&mut self, sign: &'static str) -> bool {
        let there = self.peek().tok == Tok::Sign(sign);
        self.at += usize::from(there);
        there
    }

    /// Takes a sign.
    ///
    /// # Errors
    /// Another token is next.
    pub fn expect(&mut self, sign: &'static str) -> Result<(), Fault> {
        if self.takes(sign) { Ok(()) } else { Err(self.unexpected(&format!("`{sign}`"))) }
    }

    /// Returns the fault of an unexpected token.
    pub fn unexpected(&self, expected: &str) -> Fault {
        let token = self.peek();
        Fault::new(token.span, format!("unexpected {}: expected {expected}", show(token.tok, self.names)))
    }

    /// Returns the fault of an unexpected token, with the name of these meanings that may have been meant by it.
    pub fn unexpected_name(&self, expected: &str, meant: &dyn Fn(Symbol) -> bool) -> Fault {
        let close = match self.peek().tok {
            Tok::Name(name) => self.close(name, meant, &[]),
            _ => None,
        };
        match close {
            Some(close) => {
                let close = grundy_core::words::short(close);
                self.unexpected(&format!("{expected}; did you mean `{close}`?"))
            }
            None => self.unexpected(expected),
        }
    }

    /// Returns the name that may have been meant by this one: one of these meanings, or that of a macro.
    pub fn close(&self, name: Name, meant: &dyn Fn(Symbol) -> bool, macros: &[Defined]) -> Option<&str> {
        let symbols = self.symbols.iter().filter(|(_, symbol)| meant(**symbol));
        let mut known: Vec<Name> = symbols.map(|(known, _)| *known).collect();
        known.extend(macros.iter().map(|own| own.name));
        sorting::sort(&mut known);
        // Each word begins with some letter, which is not meant by it.
        let words = known.iter().map(|&known| self.names.word(known)).filter(|word| word.len() > 1);
        closest(self.names.word(name), words)
    }

    /// Returns the faults of macros that have the name of something else, which they replace.
    pub fn replaced(&self) -> Vec<Fault> {
        let plain = self.macros.iter().filter(|own| own.parameters == 0);
        let fault = |own: &Defined| {
            let (word, kind) =
                (grundy_core::words::short(self.names.word(own.name)), self.symbol(own.name)?.kind());
            let what =
                format!("`{word}` is {kind}, which this macro replaces: expected another name for the macro");
            Some(Fault::new(own.span, what))
        };
        plain.filter_map(fault).collect()
    }

    /// Takes a name.
    ///
    /// # Errors
    /// Another token is next.
    pub fn name(&mut self, what: &str) -> Result<Name, Fault> {
        match self.peek().tok {
            Tok::Name(name) => {
                self.at += 1;
                Ok(name)
            }
            _ => Err(self.unexpected(what)),
        }
    }

    /// Returns the meaning of a name; `None` if it has none.
    pub fn symbol(&self, name: Name) -> Option<Symbol> {
        self.symbols.get(&name).copied()
    }

    /// Gives a name a meaning.
    ///
    /// # Errors
    /// It has another meaning, or is reserved.
    pub fn define(&mut self, name: Name, symbol: Symbol, span: Span) -> Result<(), Fault> {
        let word = self.names.word(name);
        if SECTIONS.contains(&word) || ["hexagon", "cuboid", "rectangle"].contains(&word) {
            return Err(Fault::new(span, format!("`{word}` is reserved: expected another name")));
        }
        if let Some(other) = self.symbols.insert(name, symbol) {
            let what =
                format!("`{word}` is {} already: expected another name for {}", other.kind(), symbol.kind());
            return Err(Fault::new(span, what));
        }
        Ok(())
    }

    /// Takes the name of a piece.
    ///
    /// # Errors
    /// Another token is next.
    pub fn piece(&mut self) -> Result<u8, Fault> {
        match self.peek().tok {
            Tok::Name(name) => match self.symbol(name) {
                Some(Symbol::Piece(piece)) => {
                    self.at += 1;
                    Ok(piece)
                }
                _ => {
                    Err(self.unexpected_name("a piece", &|symbol: Symbol| matches!(symbol, Symbol::Piece(_))))
                }
            },
            _ => Err(self.unexpected("a piece")),
        }
    }
}

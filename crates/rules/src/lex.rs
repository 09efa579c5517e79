//! The lexer of rules files.

use grundy_core::files;
use rustc_hash::FxHashMap;

use crate::limits;
use crate::source::{Fault, Span};

/// A name, by its index in [`Names`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(pub u32);

/// All names of a file, each once.
#[derive(Clone, Debug, Default)]
pub struct Names {
    words: Vec<Box<str>>,
    numbers: FxHashMap<Box<str>, u32>,
}

impl Names {
    /// Returns the index of a name.
    pub fn number(&mut self, word: &str) -> Name {
        if let Some(&number) = self.numbers.get(word) {
            return Name(number);
        }
        let number = self.words.len() as u32;
        self.words.push(word.into());
        self.numbers.insert(word.into(), number);
        Name(number)
    }

    /// Returns the name with this index.
    pub fn word(&self, name: Name) -> &str {
        &self.words[name.0 as usize]
    }
}

/// Kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tok {
    /// A name.
    Name(Name),
    /// An unsigned number.
    Number(u32),
    /// A sign: one of [`SIGNS`].
    Sign(&'static str),
    /// The end of the text.
    End,
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// The kind.
    pub tok: Tok,
    /// The place.
    pub span: Span,
    /// `true` if it was pasted together, so that it is no macro call.
    pub pasted: bool,
}

/// All signs, longer ones before their prefixes.
pub const SIGNS: [&str; 33] = [
    "->>", "->", "{?", "{!", "{$", "[$", "==", "!=", "<=", ">=", "(", ")", "[", "]", "{", "}", "~", "#", "-",
    "+", "^", "/", "*", ".", ",", ";", ":", "=", "<", ">", "!", "?", "$",
];

/// A comment line that begins with `//@`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The beginning of the line.
    pub span: Span,
    /// The text after the sign, trimmed.
    pub text: String,
}

/// The tokens of a file.
#[derive(Clone, Debug, Default)]
pub struct Lexed {
    /// The tokens, without an end marker.
    pub tokens: Vec<Token>,
    /// The directives.
    pub remarks: Vec<Remark>,
}

/// Splits a text into tokens, dropping comments.
///
/// # Errors
/// A character begins no token, a number is too large, or a comment does not end.
pub fn lex(text: &str, names: &mut Names) -> Result<Lexed, Fault> {
    let bytes = text.as_bytes();
    let mut found = Lexed::default();
    let mut at = text.len() - files::without_mark(text).len();
    while let Some(&byte) = bytes.get(at) {
        let span = Span::at(at);
        let rest = &text[at..];
        if byte.is_ascii_whitespace() {
            at += 1;
        } else if let Some(comment) = rest.strip_prefix("//") {
            let line = comment.split('\n').next().unwrap_or("");
            if let Some(ours) = line.strip_prefix('@') {
                found.remarks.push(Remark { span, text: ours.trim().to_owned() });
            }
            at += 2 + line.len();
        } else if let Some(comment) = rest.strip_prefix("/*") {
            let length = comment
                .find("*/")
                .ok_or_else(|| Fault::new(span, "a comment without an end: expected */"))?;
            at += length + 4;
        } else if byte.is_ascii_alphabetic() {
            let length = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
            found.tokens.push(Token { tok: Tok::Name(names.number(&rest[..length])), span, pasted: false });
            at += length;
        } else if byte.is_ascii_digit() {
            let length = rest.bytes().take_while(u8::is_ascii_digit).count();
            let number = rest[..length].parse().ok().filter(|&n| n <= limits::BOUND);
            let number = number.ok_or_else(|| {
                Fault::new(span, format!("a number that is too large: expected at most {}", limits::BOUND))
            })?;
            found.tokens.push(Token { tok: Tok::Number(number), span, pasted: false });
            at += length;
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            found.tokens.push(Token { tok: Tok::Sign(sign), span, pasted: false });
            at += sign.len();
        } else {
            let odd = rest.chars().next().unwrap_or(' ');
            let shown: String = odd.escape_debug().collect();
            return Err(Fault::new(
                span,
                format!("unexpected character '{shown}': expected a name, a number or a sign"),
            ));
        }
    }
    Ok(found)
}

/// Returns a token in words, for a message.
pub fn show(tok: Tok, names: &Names) -> String {
    match tok {
        Tok::Name(name) => format!("`{}`", grundy_core::words::short(names.word(name))),
        Tok::Number(number) => format!("`{number}`"),
        Tok::Sign(sign) => format!("`{sign}`"),
        Tok::End => "end of the section".to_owned(),
    }
}

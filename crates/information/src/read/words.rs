//! The tokens of Gambit's files: plain words, quoted texts and braces; commas are blanks.

use crate::fraction::{self, Fraction};

use super::contents::Refusal;

/// Maximum number of words of a file.
const MOST_WORDS: usize = 1 << 24;

/// A word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// A text in quotes.
    Text(String),
    /// `{`.
    Open,
    /// `}`.
    Close,
    /// Anything else.
    Plain(String),
}

impl std::fmt::Display for Word {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Word::Text(text) => write!(f, "{text:?}"),
            Word::Open => f.write_str("{"),
            Word::Close => f.write_str("}"),
            Word::Plain(word) => {
                let short: String = word.chars().take(40).collect();
                write!(f, "{short:?}")
            }
        }
    }
}

/// The words of a text, each with its line.
pub struct Words {
    words: Vec<(usize, Word)>,
    at: usize,
}

impl Words {
    /// Splits a text into words.
    pub fn new(text: &str) -> Result<Words, Refusal> {
        let mut words = Vec::new();
        let mut line = 1;
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            if words.len() == MOST_WORDS {
                return Err(Refusal::new(line, format!("more than {MOST_WORDS} words in a file")));
            }
            match c {
                '\n' => line += 1,
                ',' => {}
                c if c.is_whitespace() => {}
                '{' => words.push((line, Word::Open)),
                '}' => words.push((line, Word::Close)),
                '"' => {
                    let begun = line;
                    let mut quoted = String::new();
                    loop {
                        match chars.next() {
                            None => return Err(Refusal::new(begun, "a quote that is never closed")),
                            Some('"') => break,
                            Some('\\') => quoted.extend(chars.next()),
                            Some(c) => {
                                line += usize::from(c == '\n');
                                quoted.push(c);
                            }
                        }
                    }
                    words.push((begun, Word::Text(quoted)));
                }
                c => {
                    let mut word = String::from(c);
                    while let Some(&c) = chars.peek() {
                        if c.is_whitespace() || matches!(c, ',' | '{' | '}' | '"') {
                            break;
                        }
                        word.push(c);
                        chars.next();
                    }
                    words.push((line, Word::Plain(word)));
                }
            }
        }
        Ok(Words { words, at: 0 })
    }

    /// Returns the line of the next word, or of the last one.
    pub fn line(&self) -> usize {
        self.words.get(self.at).or(self.words.last()).map_or(0, |(line, _)| *line)
    }

    /// Returns the next word without taking it.
    pub fn peek(&self) -> Option<&Word> {
        self.words.get(self.at).map(|(_, word)| word)
    }

    /// Reports whether all words were read.
    pub fn done(&self) -> bool {
        self.at == self.words.len()
    }

    /// Returns a refusal of the next word.
    pub fn refuse(&self, expected: &str) -> Refusal {
        match self.peek() {
            Some(word) => Refusal::new(self.line(), format!("found {word}: expected {expected}")),
            None => Refusal::new(self.line(), format!("the file ends: expected {expected}")),
        }
    }

    /// Takes the next word if it is this one, and reports whether it was.
    pub fn take(&mut self, wanted: &Word) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    /// Takes the next word, which must be this one.
    pub fn expect(&mut self, wanted: &Word) -> Result<(), Refusal> {
        if self.take(wanted) { Ok(()) } else { Err(self.refuse(&wanted.to_string())) }
    }

    /// Takes a quoted text if it is next.
    pub fn text_if(&mut self) -> Option<String> {
        let Some(Word::Text(text)) = self.peek() else { return None };
        let text = text.clone();
        self.at += 1;
        Some(text)
    }

    /// Takes a quoted text.
    pub fn text(&mut self, what: &str) -> Result<String, Refusal> {
        self.text_if().ok_or_else(|| self.refuse(&format!("{what} in quotes")))
    }

    /// Takes a plain word.
    pub fn plain(&mut self, what: &str) -> Result<String, Refusal> {
        let Some(Word::Plain(word)) = self.peek() else { return Err(self.refuse(what)) };
        let word = word.clone();
        self.at += 1;
        Ok(word)
    }

    /// Takes a nonnegative integer.
    pub fn count(&mut self, what: &str) -> Result<usize, Refusal> {
        let refusal = self.refuse(what);
        self.plain(what)?.parse().map_err(|_| refusal)
    }

    /// Takes a number.
    pub fn number(&mut self, what: &str) -> Result<Fraction, Refusal> {
        let line = self.line();
        fraction::read(&self.plain(what)?).map_err(|reason| Refusal::new(line, reason))
    }
}

//! Places in a rules file, and faults at them.

use std::fmt;

/// The place of a token: its own place in the text, and the place of the outermost macro call that produced it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The token's first byte.
    pub at: u32,
    /// The first byte of the macro call in the section's own text; the same as `at` if there is none.
    pub site: u32,
}

impl Span {
    /// Returns the place of a token that is in the text itself.
    pub const fn at(at: usize) -> Span {
        Span { at: at as u32, site: at as u32 }
    }
}

/// A fault of a rules file, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The place.
    pub span: Span,
    /// The fault and what was expected, on one line.
    pub what: String,
}

impl Fault {
    /// Returns a fault at a place.
    pub fn new(span: Span, what: impl Into<String>) -> Fault {
        Fault { span, what: what.into() }
    }

    /// Returns one line: line and column, both counted from 1, and the fault.
    pub fn line(&self, text: &str) -> String {
        let LineColumn { line, column } = place(text, self.span.at);
        let site = place(text, self.span.site);
        let call = if site.line == line {
            String::new()
        } else {
            format!(" (in a macro called on line {})", site.line)
        };
        format!("{line}:{column}: {}{call}", self.what)
    }

    /// Returns [`Fault::line`] with the line of the text below it and a caret under the place.
    pub fn show(&self, text: &str) -> String {
        let LineColumn { line, column } = place(text, self.span.at);
        let all = text.lines().nth(line - 1).unwrap_or("");
        // A window of a long line, so that it fits a terminal.
        let first = column.saturating_sub(60);
        let shown: String =
            all.chars().skip(first).take(100).map(|c| if c.is_control() { ' ' } else { c }).collect();
        let blanks = " ".repeat(column - 1 - first.min(column - 1));
        format!("{}\n  | {shown}\n  | {blanks}^", self.line(text))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

/// A line and a column, both counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineColumn {
    /// The line.
    pub line: usize,
    /// The column, in characters or bytes as the caller counts.
    pub column: usize,
}

/// Returns the line and column of a byte.
pub fn place(text: &str, at: u32) -> LineColumn {
    let mut at = (at as usize).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let before = &text[..at];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    LineColumn { line, column }
}

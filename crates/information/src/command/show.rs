//! Output of facts: one a line, or one game a line.

use std::io::{self, Write};

use grundy_core::text::visible;
use serde_json::Value;

use super::answer::Answer;

/// Writes the solution of one game: a line for each fact, or one line of JSON.
pub fn one(out: &mut impl Write, answer: &Answer, json: bool) -> io::Result<()> {
    if json {
        return writeln!(out, "{}", Value::Object(answer.json.clone()));
    }
    for fact in &answer.facts {
        writeln!(out, "{}", line(fact))?;
    }
    Ok(())
}

/// Writes the solution of one of many games: a single line.
pub fn in_a_line(out: &mut impl Write, answer: &Answer, json: bool) -> io::Result<()> {
    if json {
        return one(out, answer, true);
    }
    writeln!(out, "{}", line(&answer.facts.concat()))
}

/// Joins fields by tabs. Tabs, line ends and other invisible characters in a label of a file are escaped, a tab as
/// `\x09`.
fn line(fields: &[String]) -> String {
    fields.iter().map(|field| visible(field)).collect::<Vec<_>>().join("\t")
}

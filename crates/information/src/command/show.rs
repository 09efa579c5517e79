//! Facts as text: one a line, or one game a line.

use std::io::{self, Write};

use serde_json::Value;

use super::answer::Answer;

/// Writes the answer to one game: a line for each fact, or one line of JSON.
pub fn one(out: &mut impl Write, answer: &Answer, json: bool) -> io::Result<()> {
    if json {
        return writeln!(out, "{}", Value::Object(answer.json.clone()));
    }
    for fact in &answer.facts {
        writeln!(out, "{}", fact.join("\t"))?;
    }
    Ok(())
}

/// Writes the answer to one of many games: a single line.
pub fn in_a_line(out: &mut impl Write, answer: &Answer, json: bool) -> io::Result<()> {
    if json {
        return one(out, answer, true);
    }
    writeln!(out, "{}", answer.facts.concat().join("\t"))
}

//! The header of a section, and the extent of a section in a file.

use grundy_core::section::{Kind, MAGIC};
use grundy_core::text::excerpt;
use grundy_core::value::{Unit, Value};
use grundy_core::words;
use grundy_session::Session;

/// Splits a text into its first section, the checksum of it, and the rest. The header gives the number of positions,
/// so that a position may look like any line.
pub(super) fn split(text: &str) -> Result<(&str, &str, &str), String> {
    let mut lines = Lines { text, at: 0 };
    let Header { count, .. } = Header::read(&mut lines)?;
    for _ in 0..count {
        lines.next().map_err(|_| format!("fewer positions instead of {count}"))?;
    }
    let end = lines.at;
    let last = lines.next().map_err(|_| {
        format!("no checksum behind {count} positions: there are fewer positions, or the file was cut short")
    })?;
    let checksum = field(last, "checksum").map_err(|_| format!("more positions instead of {count}"))?;
    Ok((&text[..end], checksum, &text[lines.at..]))
}

/// The lines of a text, each of which ends.
pub(super) struct Lines<'t> {
    pub(super) text: &'t str,
    /// The number of bytes read.
    pub(super) at: usize,
}

impl<'t> Lines<'t> {
    fn next(&mut self) -> Result<&'t str, String> {
        let rest = &self.text[self.at..];
        match rest.find('\n') {
            Some(end) => {
                self.at += end + 1;
                Ok(&rest[..end])
            }
            None if rest.is_empty() => Err("the file ends early".to_string()),
            None => Err("an incomplete line at the end".to_string()),
        }
    }
}

/// Returns the value of a line of the header.
fn field<'t>(line: &'t str, name: &str) -> Result<&'t str, String> {
    let value = line.strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
    value.ok_or_else(|| format!("expected a line {name:?}, found {:?}", shown(line)))
}

/// The header of a section.
pub(super) struct Header<'t> {
    pub(super) game: &'t str,
    pub(super) digest: Option<&'t str>,
    pub(super) kind: Kind,
    pub(super) start: &'t str,
    pub(super) value: Value,
    /// The value as it is written.
    value_text: &'t str,
    /// The number of lines of positions that follow.
    pub(super) count: usize,
}

impl<'t> Header<'t> {
    pub(super) fn read(lines: &mut Lines<'t>) -> Result<Header<'t>, String> {
        let first = lines.next()?;
        if first.ends_with('\r') {
            return Err("its lines end in CRLF: expected LF, as it was written".to_string());
        }
        if format!("grundy-certificate {}", field(first, "grundy-certificate")?) != MAGIC {
            return Err(format!("expected {MAGIC:?}"));
        }
        let game = field(lines.next()?, "game")?;
        let mut next = lines.next()?;
        let digest = field(next, "digest").ok();
        if digest.is_some() {
            next = lines.next()?;
        }
        let kind = field(next, "kind")?;
        let kind = Kind::read(kind).ok_or_else(|| format!("bad kind {:?}", shown(kind)))?;
        let start = field(lines.next()?, "start")?;
        let value_text = field(lines.next()?, "value")?;
        let value = Value::read(value_text).ok_or_else(|| format!("bad value {:?}", shown(value_text)))?;
        let count = field(lines.next()?, "positions")?;
        let number = words::number(count, usize::MAX as u64);
        let count = number.ok_or_else(|| format!("bad number of positions {:?}", shown(count)))? as usize;
        Ok(Header { game, digest, kind, start, value, value_text, count })
    }

    /// Refuses a value in any spelling but that of a game whose values count `unit`: `+0` for `draw`.
    pub(super) fn spells_its_value(&self, unit: Unit) -> Result<(), String> {
        let expected = self.value.show(unit).to_string();
        match self.value_text == expected {
            true => Ok(()),
            false => Err(format!("bad value {:?}: expected {expected:?}", shown(self.value_text))),
        }
    }

    /// Compares the digest with that of the game as it was opened.
    pub(super) fn same_game(&self, rules: &Session) -> Result<(), String> {
        match (self.digest, rules.digest()) {
            (Some(claimed), Some(found)) if claimed != found => Err(format!(
                "{}: the game is another one now: its file has the digest {found}, the certificate is about {}",
                shown(self.game),
                shown(claimed)
            )),
            (Some(_), None) => Err(format!("{}: expected no digest, its name says it all", shown(self.game))),
            _ => Ok(()),
        }
    }
}

/// Returns an excerpt of a text in the file, safe for a terminal.
pub(super) fn shown(text: &str) -> String {
    excerpt(text, 200)
}

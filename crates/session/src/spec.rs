//! The full names of games: `name[:section]...`, where a section is a word, a `key=value` or a flag. `file=PATH` comes
//! last, since a path may contain colons; only `repeat=3` may follow it.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use grundy_core::text::excerpt;
use sha2::{Digest, Sha256};

use crate::closest::closest;

/// A game's full name, split into its sections. The function that opens the game takes the sections it knows, and
/// [`Spec::finish`] refuses the rest.
///
/// ```
/// use grundy_session::Spec;
/// let mut spec = Spec::new("mnk:4,4,3:misere");
/// assert_eq!(spec.name(), "mnk");
/// assert!(spec.flag("misere"));
/// assert_eq!(spec.numbers("columns,rows,k", ',', 1..=8), Ok(Some([4, 4, 3])));
/// assert_eq!(spec.finish("C,R,K misere"), Ok(()));
/// ```
#[derive(Clone, Debug)]
pub struct Spec<'a> {
    full: &'a str,
    name: &'a str,
    sections: Vec<&'a str>,
    /// A full name of the game for messages.
    example: Option<&'a str>,
    /// The digest of the meaning of files.
    digest: Option<Sha256>,
    /// The digest of that and of what tables of the game rest on besides.
    table_digest: Option<Sha256>,
}

/// Returns a digest in hexadecimal digits.
fn hexadecimal(digest: Option<Sha256>) -> Option<String> {
    Some(digest?.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

impl<'a> Spec<'a> {
    /// Splits a full name at its colons.
    pub fn new(full: &'a str) -> Spec<'a> {
        let mut sections = sections(full).into_iter();
        let name = sections.next().unwrap_or("");
        Spec { full, name, sections: sections.collect(), example: None, digest: None, table_digest: None }
    }

    /// Shows a full name of the game, if it has a size, wherever a size is refused.
    pub fn with_example(self, example: &'a str) -> Spec<'a> {
        Spec { example: Some(example), ..self }
    }

    /// Returns the whole name as it was typed.
    pub fn full(&self) -> &'a str {
        self.full
    }

    /// Returns the whole name without a section.
    pub fn without(&self, section: &str) -> String {
        let kept: Vec<&str> = sections(self.full).into_iter().filter(|&part| part != section).collect();
        kept.join(":")
    }

    /// Adds the meaning of a file named by the name, as text that is the same for all spellings of it. A game opened
    /// from a file must call this: certificates and records identify the game by the digest, too.
    pub fn means(&mut self, canonical: &str) {
        self.digest.get_or_insert_default().update(canonical.as_bytes());
        self.tables_mean(canonical);
    }

    /// Adds what the tables of a game that was read from a file rest on besides its meaning, such as its symmetries.
    pub fn tables_mean(&mut self, text: &str) {
        self.table_digest.get_or_insert_default().update(text.as_bytes());
    }

    /// Returns the SHA-256 of all texts [added](Spec::means), in hexadecimal digits; `None` if there were none.
    pub fn digest(&self) -> Option<String> {
        hexadecimal(self.digest.clone())
    }

    /// Returns the same of the texts that [tables](Spec::tables_mean) rest on.
    pub fn table_digest(&self) -> Option<String> {
        hexadecimal(self.table_digest.clone())
    }

    /// Returns the first word, which names the game.
    pub fn name(&self) -> &'a str {
        self.name
    }

    /// Returns the sections that were not taken.
    pub fn into_sections(self) -> Vec<&'a str> {
        self.sections
    }

    /// Takes everything after the first colon, for games that split it in their own way.
    pub fn rest(&mut self) -> &'a str {
        self.sections.clear();
        self.full.get(self.name.len() + 1..).unwrap_or("")
    }

    /// Takes a flag; returns whether it was there. One that is there twice is left over.
    pub fn flag(&mut self, flag: &str) -> bool {
        self.sections.iter().position(|s| *s == flag).map(|at| self.sections.remove(at)).is_some()
    }

    /// Takes the value of `key=value` if it is there.
    pub fn key(&mut self, key: &str) -> Option<&'a str> {
        let at = self
            .sections
            .iter()
            .position(|s| s.strip_prefix(key).is_some_and(|rest| rest.starts_with('=')))?;
        Some(&self.sections.remove(at)[key.len() + 1..])
    }

    /// Takes the number of `key=number` if it is there.
    ///
    /// # Errors
    /// It is no number or lies outside the range.
    pub fn number<T>(&mut self, key: &str, range: RangeInclusive<T>) -> Result<Option<T>, String>
    where
        T: FromStr + PartialOrd + Display,
    {
        self.key(key).map(|text| in_range(text, key, range)).transpose()
    }

    /// Takes the first section that is no `key=value`. Take flags first.
    pub fn word(&mut self) -> Option<&'a str> {
        let at = self.sections.iter().position(|s| !s.contains('='))?;
        Some(self.sections.remove(at))
    }

    /// Takes a size of `N` numbers joined by `x` (`3x4`), each within the range.
    ///
    /// # Errors
    /// The section is there and is no such size.
    pub fn size<const N: usize>(
        &mut self,
        what: &str,
        range: RangeInclusive<usize>,
    ) -> Result<Option<[usize; N]>, String> {
        self.numbers(what, 'x', range)
    }

    /// Takes exactly `N` numbers joined by `separator`, small or capital, each within the range.
    ///
    /// # Errors
    /// The section is there and is no such list.
    pub fn numbers<const N: usize, T>(
        &mut self,
        what: &str,
        separator: char,
        range: RangeInclusive<T>,
    ) -> Result<Option<[T; N]>, String>
    where
        T: FromStr + PartialOrd + Display + Copy + Default,
    {
        let Some(text) = self.word() else { return Ok(None) };
        let bad = || {
            let sized = self.example.filter(|example| example.contains(':'));
            let like = sized.map_or(String::new(), |example| format!(", as in {example}"));
            format!("bad size {:?}: expected {what}{like}", shown(text))
        };
        let mut numbers = [T::default(); N];
        let mut parts = text.split(|c: char| c.eq_ignore_ascii_case(&separator));
        for number in &mut numbers {
            let part = parts.next().ok_or_else(bad)?;
            // What is no number was not meant as one of a size.
            if part.is_empty() || part.bytes().any(|b| !b.is_ascii_digit() && b != b'-') {
                return Err(bad());
            }
            *number = in_range(part, what, range.clone())?;
        }
        if parts.next().is_some() {
            return Err(bad());
        }
        Ok(Some(numbers))
    }

    /// Takes a list of numbers joined by commas, each within the range.
    ///
    /// # Errors
    /// The section is there and is no such list.
    pub fn list<T>(&mut self, what: &str, range: RangeInclusive<T>) -> Result<Option<Vec<T>>, String>
    where
        T: FromStr + PartialOrd + Display + Clone,
    {
        let Some(text) = self.word() else { return Ok(None) };
        text.split(',').map(|part| in_range(part, what, range.clone())).collect::<Result<_, _>>().map(Some)
    }

    /// Takes the list of `key=number,number,..` if it is there.
    ///
    /// # Errors
    /// One of them is no number or lies outside the range.
    pub fn list_of<T>(&mut self, key: &str, range: RangeInclusive<T>) -> Result<Option<Vec<T>>, String>
    where
        T: FromStr + PartialOrd + Display + Clone,
    {
        let Some(text) = self.key(key) else { return Ok(None) };
        text.split(',').map(|part| in_range(part, key, range.clone())).collect::<Result<_, _>>().map(Some)
    }

    /// Refuses sections that were not taken.
    ///
    /// # Errors
    /// A section is left over; the line says what the game accepts.
    pub fn finish(self, expected: &str) -> Result<(), String> {
        fn key_of(section: &str) -> &str {
            section.split('=').next().unwrap_or(section)
        }
        let twice = |section: &str| {
            sections(self.full).iter().skip(1).filter(|&other| key_of(other) == key_of(section)).count() > 1
        };
        match self.sections.first() {
            None => Ok(()),
            Some(section) if twice(section) && expected.contains(key_of(section)) => {
                let (key, full) = (shown(key_of(section)), shown(self.full));
                Err(format!("{key:?} is there twice in {full:?}: expected {expected}, each once"))
            }
            Some(section) if expected.is_empty() => Err(format!(
                "unknown section {:?} in {:?}: expected no parameters",
                shown(section),
                shown(self.full)
            )),
            Some(section) => {
                let words =
                    expected.split(|c: char| !c.is_ascii_lowercase() && c != '-').filter(|w| w.len() > 2);
                let key = key_of(section);
                let help = match closest(key, words) {
                    Some(close) if close == expected => format!("did you mean {close}?"),
                    Some(close) if close != key => format!("did you mean {close}? Expected {expected}"),
                    _ => format!("expected {expected}"),
                };
                Err(format!("unknown section {:?} in {:?}: {help}", shown(section), shown(self.full)))
            }
        }
    }
}

/// Splits a full name at its colons, except those of a path after `file=`.
pub fn sections(full: &str) -> Vec<&str> {
    let (before, file) = match full.find(FILE) {
        Some(at) => (&full[..at], Some(&full[at + 1..])),
        None => (full, None),
    };
    let mut sections: Vec<&str> = before.split(':').collect();
    if let Some(file) = file {
        let repeat = file.rfind(":repeat=").unwrap_or(file.len());
        sections.push(&file[..repeat]);
        sections.extend(file.get(repeat + 1..));
    }
    sections
}

/// The beginning of the section whose value is the rest of the name.
const FILE: &str = ":file=";

/// Returns the paths of the files named in a game's full name; a sum may have one in each of its games.
///
/// ```
/// use grundy_session::files_of;
/// assert_eq!(files_of("graph:file=/a:b+c.dot:repeat=3"), ["/a:b+c.dot"]);
/// assert_eq!(files_of("sum:graph:file=/a:b.dot+nim:3+rules:file=/c"), ["/a:b.dot", "/c"]);
/// assert!(files_of("nim:3,5,7").is_empty());
/// ```
pub fn files_of(full: &str) -> Vec<&str> {
    // A sum is split into its games first.
    let games: Vec<&str> = if full.starts_with("sum:") { full.split('+').collect() } else { vec![full] };
    games.into_iter().flat_map(sections).filter_map(|section| section.strip_prefix("file=")).collect()
}

/// Shortens a part of a name for a message.
fn shown(text: &str) -> String {
    excerpt(text, 200)
}

/// Reads a plain decimal number within a range.
fn in_range<T>(text: &str, what: &str, range: RangeInclusive<T>) -> Result<T, String>
where
    T: FromStr + PartialOrd + Display,
{
    let plain = text.bytes().all(|b| b.is_ascii_digit() || b == b'-') && !text.is_empty();
    text.parse().ok().filter(|n| plain && range.contains(n)).ok_or_else(|| {
        let (least, most) = (range.start(), range.end());
        format!("bad number {:?} for {what}: expected {least} to {most}", shown(text))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_taken_in_any_order() {
        let mut spec = Spec::new("nim:max=3:3,5,7:misere");
        assert!(spec.flag("misere"));
        assert_eq!(spec.number("max", 1..=9u64), Ok(Some(3)));
        assert_eq!(spec.list("heaps", 0..=9u64), Ok(Some(vec![3, 5, 7])));
        assert_eq!(spec.finish("nothing else"), Ok(()));
    }

    #[test]
    fn what_nobody_takes_is_refused_with_what_was_expected() {
        let mut spec = Spec::new("dots:3x3:frobnicate");
        assert_eq!(spec.size::<2>("RxC", 1..=10), Ok(Some([3, 3])));
        let refusal = spec.finish("RxC").expect_err("frobnicate is unknown");
        assert!(refusal.contains("frobnicate") && refusal.contains("RxC"), "{refusal}");
        for (name, twice) in [("nim:misere:misere", "misere"), ("nim:max=1:max=2", "max")] {
            let mut spec = Spec::new(name);
            assert!(spec.flag("misere") || spec.key("max") == Some("1"));
            let refusal = spec.finish("max=K misere").expect_err("twice");
            assert!(refusal.starts_with(&format!("{twice:?} is there twice in {name:?}: ")), "{refusal}");
        }
    }

    #[test]
    fn a_path_may_have_colons() {
        let mut spec = Spec::new("police:misere:file=/maps/a:b.txt");
        assert!(spec.flag("misere"));
        assert_eq!(spec.key("file"), Some("/maps/a:b.txt"));
        assert_eq!(spec.finish(""), Ok(()));
        assert_eq!(Spec::new("graph:file=/a:x:repeat=3").without("repeat=3"), "graph:file=/a:x");
    }

    #[test]
    fn a_digest_is_the_sha_256_of_what_files_mean() {
        let mut spec = Spec::new("graph:file=a.dot");
        assert_eq!(spec.digest(), None);
        spec.means("a");
        spec.means("bc");
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(spec.digest().as_deref(), Some(abc));
    }

    #[test]
    fn a_misspelt_flag_gets_the_closest_one() {
        let refusal = Spec::new("nim:misre").finish("HEAP,HEAP,.. max=K misere");
        let refusal = refusal.expect_err("misre is unknown");
        assert!(refusal.contains("did you mean misere? Expected HEAP"), "{refusal}");
    }

    #[test]
    fn sizes_out_of_range_are_refused() {
        let refusal =
            Spec::new("g:3").with_example("g:3x4").size::<2>("RxC", 1..=10).expect_err("one number");
        assert_eq!(refusal, "bad size \"3\": expected RxC, as in g:3x4");
        let without = Spec::new("g:3").with_example("g").size::<2>("RxC", 1..=10).expect_err("one number");
        assert_eq!(without, "bad size \"3\": expected RxC");
        let comma = Spec::new("g:3,4").with_example("g:3x4").size::<2>("RxC", 1..=10).expect_err("a comma");
        assert_eq!(comma, "bad size \"3,4\": expected RxC, as in g:3x4");
        let large =
            Spec::new("g:1000000000000000000").numbers("HEAP", ',', 0..=1_000_000_000_000_000_000_u64);
        assert_eq!(large, Ok(Some([1_000_000_000_000_000_000])), "also where a usize has 32 bits");
        assert_eq!(Spec::new("g:3X4").size("RxC", 1..=10), Ok(Some([3, 4])));
        for bad in ["g:0x3", "g:3", "g:3x3x3", "g:3x", "g:99999999999999999999x3", "g:-1x3", "g:+1x3", "g:"] {
            assert!(Spec::new(bad).size::<2>("RxC", 1..=10).is_err(), "{bad}");
        }
    }
}

//! Canonical forms in words: numbers, ups and stars, switches, tinies, and braces for all others.
//!
//! ```text
//! form   = number | [number] small | "+-" number | "+-(" list ")" | "tiny(" form ")" | "miny(" form ")"
//!        | "{" list "|" list "}"
//! number = ["-"] digits ["/" power of two]          list = form {"," form}, sorted byte by byte
//! small  = ups [star] | star      ups = "^" | "^^" | "^" n | "v" | "vv" | "v" n      star = "*" | "*" n
//! ```
//!
//! The first rule that fits applies, so that a game has exactly one word.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::arena::{Arena, Form, Simple};
use super::dyadic::Dyadic;
use super::patience::{Gap, Patience};
use grundy_core::sorting;

/// Maximum length of a word, in bytes.
const LONGEST: usize = 60_000;

/// Returns the word of a form.
///
/// # Errors
/// The word would be too long, or the patience is exhausted.
pub fn write(arena: &mut Arena, form: Form, patience: &mut Patience<'_>) -> Result<String, Gap> {
    let mut writer = Writer { arena, patience, words: FxHashMap::default(), bytes: 0 };
    Ok(writer.word(form)?.as_ref().to_owned())
}

struct Writer<'a, 'w> {
    arena: &'a mut Arena,
    patience: &'a mut Patience<'w>,
    words: FxHashMap<Form, Rc<str>>,
    /// Size of all words in bytes.
    bytes: usize,
}

impl Writer<'_, '_> {
    fn word(&mut self, form: Form) -> Result<Rc<str>, Gap> {
        if let Some(word) = self.words.get(&form) {
            return Ok(word.clone());
        }
        self.patience.step()?;
        let word: Rc<str> = match self.arena.as_simple(form) {
            Some(simple) => simple_word(simple),
            None => self.other(form)?,
        }
        .into();
        self.bytes += word.len();
        if word.len() > LONGEST || self.bytes > 1_000 * LONGEST {
            return Err(Gap::OutOfBounds);
        }
        self.words.insert(form, word.clone());
        Ok(word)
    }

    fn other(&mut self, form: Form) -> Result<String, Gap> {
        let (left, right) = self.arena.options(form)?;
        if self.arena.negative(form)? == form {
            let number = |arena: &Arena| arena.as_simple(left[0]).filter(|s| s.ups == 0 && s.star == 0);
            return Ok(match number(self.arena) {
                Some(Simple { number, .. }) if left.len() == 1 => format!("+-{number}"),
                _ => format!("+-({})", self.list(&left)?),
            });
        }
        if let Some(inner) = self.tiny(&left, &right)? {
            return Ok(format!("tiny({})", self.word(inner)?));
        }
        let negative = self.arena.negative(form)?;
        let (left_of, right_of) = self.arena.options(negative)?;
        if let Some(inner) = self.tiny(&left_of, &right_of)? {
            return Ok(format!("miny({})", self.word(inner)?));
        }
        Ok(format!("{{{}|{}}}", self.list(&left)?, self.list(&right)?))
    }

    /// Returns `G` if these are the options of `{0|{0|-G}}` and `G` is positive.
    fn tiny(&mut self, left: &[Form], right: &[Form]) -> Result<Option<Form>, Gap> {
        let zero = self.arena.simple(Simple::number(Dyadic::ZERO))?;
        let ([first], [threat]) = (left, right) else { return Ok(None) };
        if *first != zero {
            return Ok(None);
        }
        let (of_left, of_right) = self.arena.options(*threat)?;
        let ([back], [answer]) = (&of_left[..], &of_right[..]) else { return Ok(None) };
        if *back != zero {
            return Ok(None);
        }
        let inner = self.arena.negative(*answer)?;
        Ok(self.arena.is_positive(inner, self.patience)?.then_some(inner))
    }

    fn list(&mut self, forms: &[Form]) -> Result<String, Gap> {
        let mut words = forms.iter().map(|&form| self.word(form)).collect::<Result<Vec<_>, _>>()?;
        sorting::sort(&mut words);
        Ok(words.join(","))
    }
}

/// Returns the word of a number with ups and a star.
fn simple_word(simple: Simple) -> String {
    let Simple { number, ups, star } = simple;
    let arrow = if ups > 0 { "^" } else { "v" };
    let ups = match ups.unsigned_abs() {
        0 => String::new(),
        1 => arrow.to_owned(),
        2 => arrow.repeat(2),
        n => format!("{arrow}{n}"),
    };
    let star = match star {
        0 => String::new(),
        1 => "*".to_owned(),
        n => format!("*{n}"),
    };
    match ups.is_empty() && star.is_empty() || number != Dyadic::ZERO {
        true => format!("{number}{ups}{star}"),
        false => format!("{ups}{star}"),
    }
}

//! The section `:repeat=3`: play that goes round in circles ends as a draw.
//!
//! It is a rule for play, as people end such games. Tables and searches do not know it: for them play without end is a
//! draw, which is the same with best play.

use std::collections::HashMap;

use crate::spec::sections;

/// The positions of a game so far and how often each has come.
#[derive(Default)]
pub(crate) struct Repeats {
    seen: HashMap<String, usize>,
    ended: bool,
}

impl Repeats {
    /// A game ends when a position has come so often.
    pub(crate) const MOST: usize = 3;

    /// The name without the section, and whether it had it.
    ///
    /// # Errors
    /// The section asks for another number.
    pub(crate) fn take_from(name: &str) -> Result<(String, bool), String> {
        let (found, rest): (Vec<&str>, Vec<&str>) =
            sections(name).into_iter().partition(|section| section.starts_with("repeat="));
        match found.as_slice() {
            [] => Ok((name.to_owned(), false)),
            ["repeat=3"] => Ok((rest.join(":"), true)),
            [other, ..] => Err(format!("bad section {:?}: expected repeat=3", short(other))),
        }
    }

    /// A game begins with this position.
    pub(crate) fn begin(&mut self, position: String) {
        self.seen.clear();
        self.came(position);
    }

    /// A move has led to this position.
    pub(crate) fn came(&mut self, position: String) {
        let count = self.seen.entry(position).or_default();
        *count += 1;
        self.ended = *count >= Repeats::MOST;
    }

    /// The move that led to this position is taken back.
    pub(crate) fn left(&mut self, position: &str) {
        // Play ends with the third repetition, so the position before was none.
        self.ended = false;
        if let Some(count) = self.seen.get_mut(position) {
            *count -= 1;
            if *count == 0 {
                self.seen.remove(position);
            }
        }
    }

    /// Whether the position has come so often that the game is over.
    pub(crate) fn ended(&self) -> bool {
        self.ended
    }
}

/// A section from outside, cut to what fits an error line.
fn short(section: &str) -> String {
    section.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_third_time_ends_the_game_until_it_is_taken_back() {
        let mut repeats = Repeats::default();
        repeats.begin("a".to_owned());
        for (position, ended) in [("b", false), ("a", false), ("b", false), ("a", true)] {
            repeats.came(position.to_owned());
            assert_eq!(repeats.ended(), ended);
        }
        repeats.left("a");
        assert!(!repeats.ended());
        repeats.came("c".to_owned());
        assert!(!repeats.ended());
        repeats.left("c");
        repeats.came("a".to_owned());
        assert!(repeats.ended());
        repeats.begin("a".to_owned());
        assert!(!repeats.ended());
    }

    #[test]
    fn the_section_stands_anywhere_and_has_one_value() {
        assert_eq!(Repeats::take_from("teeko:5x5:repeat=3"), Ok(("teeko:5x5".to_owned(), true)));
        assert_eq!(Repeats::take_from("teeko:repeat=3:5x5"), Ok(("teeko:5x5".to_owned(), true)));
        assert_eq!(Repeats::take_from("teeko"), Ok(("teeko".to_owned(), false)));
        for bad in ["teeko:repeat=2", "teeko:repeat=", "teeko:repeat=3:repeat=3"] {
            assert!(Repeats::take_from(bad).is_err(), "{bad}");
        }
    }
}

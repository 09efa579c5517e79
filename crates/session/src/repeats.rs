//! The section `:repeat=3` of a game's name: the third occurrence of a position ends the game as a draw.
//!
//! It is a rule for play, as people end such games. Tables and searches do not know it: to them endless play is a draw,
//! which gives the same values.

use crate::spec::sections;

/// Splits the section off a name. Returns the name without it, and whether the name had it.
///
/// # Errors
/// The section has another number.
pub(crate) fn split_repeat(name: &str) -> Result<(String, bool), String> {
    let (found, rest): (Vec<&str>, Vec<&str>) =
        sections(name).into_iter().partition(|section| section.starts_with("repeat="));
    match found.as_slice() {
        [] => Ok((name.to_owned(), false)),
        ["repeat=3"] => Ok((rest.join(":"), true)),
        [other, ..] => Err(format!("bad section {:?}: expected repeat=3", short(other))),
    }
}

/// Cuts a section from outside to the length of an error line.
fn short(section: &str) -> String {
    section.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_section_stands_anywhere_and_has_one_value() {
        assert_eq!(split_repeat("teeko:5x5:repeat=3"), Ok(("teeko:5x5".to_owned(), true)));
        assert_eq!(split_repeat("teeko:repeat=3:5x5"), Ok(("teeko:5x5".to_owned(), true)));
        assert_eq!(split_repeat("teeko"), Ok(("teeko".to_owned(), false)));
        for bad in ["teeko:repeat=2", "teeko:repeat=", "teeko:repeat=3:repeat=3"] {
            assert!(split_repeat(bad).is_err(), "{bad}");
        }
    }
}

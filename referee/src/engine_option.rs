//! Options that an engine announces in its greeting, and the values that they take.

use grundy_core::text::excerpt;

use crate::verdict::EXCERPT;

/// An option of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineOption {
    /// Its name.
    pub name: String,
    kind: OptionKind,
}

/// The values that an option takes.
#[derive(Clone, Debug, PartialEq, Eq)]
enum OptionKind {
    /// Any text, or none is announced.
    Any,
    /// `true` or `false`.
    Check,
    /// A whole number, at least and at most these.
    Spin(Option<i128>, Option<i128>),
    /// One of these words.
    Combo(Vec<String>),
}

impl EngineOption {
    /// Reads `option name N type T default D min A max B var V var W`; `None` for another line.
    pub fn read(line: &str) -> Option<EngineOption> {
        let mut words = line.split_ascii_whitespace();
        if (words.next(), words.next()) != (Some("option"), Some("name")) {
            return None;
        }
        let name: Vec<&str> = words.by_ref().take_while(|&word| word != "type").collect();
        let type_word = words.next().unwrap_or_default();
        let mut fields: Vec<(&str, String)> = Vec::new();
        for word in words {
            match fields.last_mut() {
                _ if ["default", "min", "max", "var"].contains(&word) => fields.push((word, String::new())),
                Some((_, value)) if value.is_empty() => word.clone_into(value),
                Some((_, value)) => *value = format!("{value} {word}"),
                None => {}
            }
        }
        let value = |key: &str| fields.iter().find(|(known, _)| *known == key).map(|(_, value)| value);
        let bound = |key: &str| value(key)?.parse::<i128>().ok();
        let is_whole = |key: &str| value(key).is_none_or(|value| value.parse::<i128>().is_ok());
        let words = fields.iter().filter(|(key, _)| *key == "var").map(|(_, value)| value.clone());
        let words: Vec<String> = words.collect();
        let kind = match type_word {
            "check" => OptionKind::Check,
            // Some engines have fractions there.
            "spin" if ["default", "min", "max"].into_iter().all(is_whole) => {
                OptionKind::Spin(bound("min"), bound("max"))
            }
            "combo" if !words.is_empty() => OptionKind::Combo(words),
            _ => OptionKind::Any,
        };
        Some(EngineOption { name: name.join(" "), kind })
    }

    /// Reports whether this is its name; case does not matter.
    pub fn is_called(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// Checks that it takes a value; case does not matter.
    ///
    /// # Errors
    /// It does not; what was expected.
    pub fn check(&self, value: &str) -> Result<(), String> {
        let any_of = |words: &[&str]| words.iter().any(|word| word.eq_ignore_ascii_case(value));
        let (fits, expected) = match &self.kind {
            OptionKind::Any => return Ok(()),
            // Games have parameters, which no list of names has.
            OptionKind::Combo(_) if self.is_called("Game") || self.is_called("UCI_Variant") => return Ok(()),
            OptionKind::Combo(words) => {
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                (any_of(&words), format!("one of {}", excerpt(&words.join(", "), EXCERPT)))
            }
            OptionKind::Check => (any_of(&["true", "false"]), "true or false".to_owned()),
            OptionKind::Spin(min, max) => {
                let within =
                    |number| min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max);
                let range = match (min, max) {
                    (Some(min), Some(max)) => format!(" from {min} to {max}"),
                    (Some(min), None) => format!(" from {min}"),
                    (None, Some(max)) => format!(" up to {max}"),
                    (None, None) => String::new(),
                };
                (value.parse::<i128>().is_ok_and(within), format!("a whole number{range}"))
            }
        };
        if fits {
            return Ok(());
        }
        Err(format!("expected {expected}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_of_the_announced_kind() {
        for (line, good, bad, expected) in [
            (
                "name Hash type spin default 16 min 1 max 64",
                &["1", "64"][..],
                &["0", "65", "x", "", "99999999999999999999"][..],
                "expected a whole number from 1 to 64",
            ),
            (
                "name Skill type spin default -5 min -20",
                &["-20", "99"],
                &["-21"],
                "expected a whole number from -20",
            ),
            ("name Move Overhead type spin", &["-3"], &["1.5"], "expected a whole number"),
            (
                "name Ponder type check default false",
                &["true", "False"],
                &["7", "on"],
                "expected true or false",
            ),
            (
                "name Style type combo default Very Solid var Very Solid var Wild",
                &["very solid", "Wild"],
                &["Solid", "Very"],
                "expected one of Very Solid, Wild",
            ),
            ("name Clear Hash type button", &["", "x"], &[], ""),
            ("name Book type string default <empty>", &["", "min 3"], &[], ""),
            ("name Odd", &["1"], &[], ""),
            ("name Empty type combo default x", &["x", "y"], &[], ""),
            ("name Contempt type spin default 0.5 min 0 max 1", &["0.25"], &[], ""),
            ("name Rate type spin min -1e9", &["1.5"], &[], ""),
            (
                "name Seed type spin min 0 max 18446744073709551615",
                &["18446744073709551615"],
                &["18446744073709551616"],
                "expected a whole number from 0 to 18446744073709551615",
            ),
            ("name game type combo default nim var nim var hex", &["hex:11"], &[], ""),
            ("name UCI_Variant type combo default chess var chess var mnk", &["mnk:5,5,4"], &[], ""),
        ] {
            let option = EngineOption::read(&format!("option {line}")).unwrap();
            assert!(line.starts_with(&format!("name {}", option.name)), "{option:?}");
            for value in good {
                assert_eq!(option.check(value), Ok(()), "{line}: {value}");
            }
            for value in bad {
                assert_eq!(option.check(value), Err(expected.to_owned()), "{line}: {value}");
            }
        }
        assert_eq!(EngineOption::read("id name x"), None);
    }
}

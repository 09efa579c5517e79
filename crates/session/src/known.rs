//! Known results: values of start positions that were proved earlier, each with its source.
//!
//! They stand in one text of columns separated by tabs, the catalogue of `grundy atlas`: lines that begin with `#` are
//! comments, the first other line names the columns, `-` is an empty column. A [`Catalog`](crate::Catalog) looks up the
//! game that it opens.

use std::time::Duration;

use grundy_core::value::{Score, Unit, Value, Wdl};

use crate::picked::Picked;
use crate::report::show;

/// A line of the catalogue: its columns by name.
#[derive(Clone, Debug)]
pub struct Entry {
    columns: Vec<(&'static str, &'static str)>,
}

/// A result that was proved earlier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// The proved value of the position for the player to move, or a bound of it.
    pub score: Score,
    /// The moves that keep the value, as far as they are known.
    pub keeping: Picked,
    /// CPU time of the proof, if it was measured.
    pub cost: Option<Duration>,
    /// The command that proved it, if the entry tells.
    pub command: Option<String>,
    /// True if that builds a table of all positions.
    pub by_table: bool,
    /// The proof in one line: command, month, and the count or certificate that shows it.
    pub source: String,
}

impl Entry {
    /// The text of an empty column.
    pub const EMPTY: &str = "-";

    /// Returns the entries of a catalogue.
    pub fn all(text: &'static str) -> impl Iterator<Item = Entry> {
        let mut lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        let names: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
        lines.map(move |line| Entry { columns: names.iter().copied().zip(line.split('\t')).collect() })
    }

    /// Returns the columns with their names.
    pub fn columns(&self) -> &[(&'static str, &'static str)] {
        &self.columns
    }

    /// Returns the text of a column; [`Entry::EMPTY`] if there is none.
    pub fn get(&self, column: &str) -> &'static str {
        self.columns.iter().find(|(name, _)| *name == column).map_or(Entry::EMPTY, |(_, text)| text)
    }

    /// Returns the text of a column that is not empty.
    fn full(&self, column: &str) -> Option<&'static str> {
        Some(self.get(column)).filter(|text| *text != Entry::EMPTY)
    }

    /// Returns the command that proves the value; `None` if the entry has none.
    pub fn command(&self) -> Option<String> {
        let name = self.full("name")?;
        match self.get("how") {
            "table" => Some(format!("grundy solve {name}")),
            "search" => Some(format!("grundy solve {name} --by search")),
            "formula" => Some(format!("grundy analyze {name}")),
            _ => None,
        }
    }

    /// Returns the published value with its source in words, `a draw (J. Schaeffer et al., 2007)`; `None` if there is none.
    pub fn published(&self) -> Option<String> {
        let value = self.full("published")?;
        let (word, plies) = value.split_once(':').map_or((value, None), |(word, plies)| (word, Some(plies)));
        let plies = plies.map_or_else(String::new, |plies| format!(" in {plies} plies"));
        let value = match word {
            "win" | "loss" => format!("a {word} for the player who begins{plies}"),
            "draw" => "a draw".to_owned(),
            _ if value.starts_with(['+', '-']) => format!("{value} points for the player who begins"),
            _ => value.to_owned(),
        };
        let source = self.full("source").map_or_else(String::new, |source| format!(" ({source})"));
        Some(value + &source)
    }

    /// Returns the result that was proved here; `None` if there is none, or its value is not of one position.
    pub fn known(&self) -> Option<Known> {
        let value = self.full("value")?;
        let score = match (self.get("status"), value.split_once(" or ")) {
            ("solved", None) => Score::Exact(Value::read(value)?),
            ("bounded", Some((least, "more"))) => Score::AtLeast(Value::read(least)?),
            ("bounded", Some((most, "less"))) => Score::AtMost(Value::read(most)?),
            _ => return None,
        };
        let words = self.full("keeping").unwrap_or(Picked::MORE).split(' ');
        let mut keeping = Picked { words: words.map(str::to_owned).collect(), complete: true };
        if keeping.words.last().is_some_and(|word| word == Picked::MORE) {
            keeping.words.pop();
            keeping.complete = false;
        }
        let seconds = self.get("seconds").parse().ok();
        let cost = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let (command, by_table) = (self.command(), self.get("how") == "table");
        let parts = [command.clone(), self.full("proved").map(str::to_owned)];
        let source = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
        Some(Known { score, keeping, cost, command, by_table, source })
    }
}

impl Known {
    /// Time of a proof above which its result is used before a search.
    const TRIFLE: Duration = Duration::from_secs(1);

    /// Returns the result of the game of this full name at its start, if the catalogue has it.
    pub(crate) fn find(text: &'static str, name: &str) -> Option<Known> {
        // Most games have no entry: only lines that contain the name are read.
        if name.is_empty() || !text.contains(name) {
            return None;
        }
        Entry::all(text).filter(|entry| entry.get("name") == name).find_map(|entry| entry.known())
    }

    /// Returns the value; `None` if only a bound of it is known.
    pub fn value(&self) -> Option<Value> {
        self.score.exact()
    }

    /// Returns the result and its source as one line.
    pub fn show(&self, unit: Unit) -> String {
        let keeping = match self.keeping.words.as_slice() {
            [] => String::new(),
            _ => format!(", kept by {}", self.keeping),
        };
        format!("{}{keeping}; proved by {}", show(None, Some(self.score), unit), self.source)
    }

    /// Reports whether the proof takes longer than a question waits for a search.
    pub fn is_costly(&self) -> bool {
        self.cost.is_none_or(|cost| cost >= Known::TRIFLE)
    }

    /// Returns the moves to which a search with little time is confined, since they keep the value; none if the result
    /// does not tell moves apart.
    pub(crate) fn candidates(&self) -> &[String] {
        match self.value() {
            Some(_) if self.is_costly() => &self.keeping.words,
            _ => &[],
        }
    }

    /// Returns what follows for a move: its value, or a bound of it.
    pub(crate) fn of_move(&self, word: &str, unit: Unit) -> Option<Score> {
        let value = self.value()?;
        let keeps = self.keeping.words.iter().any(|known| known == word);
        let only = self.keeping.complete && self.keeping.words.len() == 1;
        match (keeps, value.wdl()) {
            (true, _) if unit.is_points() || only => Some(Score::Exact(value)),
            (true, Wdl::Win) => Some(Score::Exact(Value::WIN)),
            (true, Wdl::Draw) => Some(Score::Exact(Value::DRAW)),
            // No move is worth more than its position.
            (false, _) if unit.is_points() => {
                let less = i32::from(self.keeping.complete);
                Some(Score::AtMost(Value::points(value.margin()? - less)))
            }
            (_, Wdl::Loss) => Some(Score::Exact(Value::LOSS)),
            (false, Wdl::Draw) if self.keeping.complete => Some(Score::Exact(Value::LOSS)),
            (false, Wdl::Draw) => Some(Score::AtMost(Value::DRAW)),
            (false, Wdl::Win) => self.keeping.complete.then_some(Score::AtMost(Value::DRAW)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# A comment.\nkey\tname\tvalue\thow\tseconds\tstatus\tkeeping\tproved\n\
        a\tgame:1\twin:41\tsearch\t18.7\tsolved\td\tNovember 2026, 41,100,000 nodes\n\
        b\tgame:2\t+0 or more\tsearch\t6700\tbounded\t-\t-\n\
        c\tgame:3\tdraw\ttable\t0.5\tsolved\tb2 ..\t-\n\
        d\tgame:4\t-\ttable\t0.5\tmissing\t-\t-\n\
        e\tgame:5\twin:5\tsearch\t9\tmissing\t-\t-\n";

    #[test]
    fn an_entry_becomes_a_result_with_its_source() {
        let known = Known::find(TEXT, "game:1").unwrap();
        assert_eq!(known.source, "grundy solve game:1 --by search, November 2026, 41,100,000 nodes");
        assert_eq!(
            (known.score, known.candidates()),
            (Score::Exact(Value::win_in(41)), &["d".to_owned()][..])
        );
        let line =
            "win:41, kept by d; proved by grundy solve game:1 --by search, November 2026, 41,100,000 nodes";
        assert_eq!(known.show(Unit::Outcome), line);
        assert_eq!(known.of_move("d", Unit::Outcome), Some(Score::Exact(Value::win_in(41))));
        assert_eq!(known.of_move("a", Unit::Outcome), Some(Score::AtMost(Value::DRAW)));
        let bound = Known::find(TEXT, "game:2").unwrap();
        assert_eq!((bound.score, bound.value()), (Score::AtLeast(Value::DRAW), None));
        assert!(bound.candidates().is_empty() && bound.of_move("a", Unit::Points).is_none());
        let draw = Known::find(TEXT, "game:3").unwrap();
        assert!(draw.candidates().is_empty(), "a search finds it at once");
        assert_eq!([&known, &draw].map(|known| known.by_table), [false, true]);
        assert_eq!(known.command.as_deref(), Some("grundy solve game:1 --by search"));
        assert_eq!(draw.of_move("b2", Unit::Outcome), Some(Score::Exact(Value::DRAW)));
        assert_eq!(draw.of_move("a1", Unit::Outcome), Some(Score::AtMost(Value::DRAW)));
    }

    #[test]
    fn what_was_not_proved_here_is_not_known() {
        for name in ["game:4", "game:5", "game", "other", ""] {
            assert_eq!(Known::find(TEXT, name), None, "{name}");
        }
        // A damaged line lacks its columns.
        assert_eq!(Known::find("key\tname\tvalue\tstatus\na\tgame:1\twin\n", "game:1"), None);
        assert_eq!(Known::find("key\tname\tvalue\tstatus\na\tgame:1\tmaybe\tsolved\n", "game:1"), None);
    }
}

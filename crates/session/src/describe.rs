//! A game described to people by its full name: its title, its rules in a few sentences, and its players.

use crate::catalog::Row;
use crate::repeats::split_repeat;
use crate::{Description, Spec};

impl Row {
    /// Describes the game with this full name, or the row's default game for the bare name. The words fit the sections
    /// of the name; a file that cannot be read is passed over.
    ///
    /// ```
    /// use grundy_session::Row;
    /// let row = Row::new("chomp", "chomp:8x8", |_| Err("not here".into())).title("Chomp").rules("Bite. Do not die.");
    /// let described = row.describe("chomp:4x5");
    /// assert_eq!((described.title.as_str(), described.rules.as_str()), ("Chomp 4x5", "Bite. Do not die."));
    /// assert_eq!(described.players, ["Player 1", "Player 2"]);
    /// ```
    pub fn describe(&self, name: &str) -> Description {
        let (name, repeat) = split_repeat(name).unwrap_or((name.to_owned(), false));
        let full = if name == self.name { self.default } else { &name };
        let usual = Description {
            title: self.title_of(full),
            about: self.about.to_owned(),
            rules: self.rules.to_owned(),
            players: self.players.map(str::to_owned),
            shape: self.shape,
        };
        let described = match self.description {
            Some(describe) => describe(&mut Spec::new(full), usual),
            None => usual,
        };
        described.adding(repeat, "A position that occurs for the third time ends the game as a draw.")
    }

    /// Returns the full names of the games of this row that are games of their own, each with what it is; empty if the
    /// row's games differ only by sizes and starts. A rules file is read for each.
    pub fn members(&self) -> Vec<(&'static str, String)> {
        let names = self.other_names;
        let first = |at: usize| !names[..at].iter().any(|(_, full)| *full == names[at].1);
        let described = |at: usize| (names[at].1, self.describe(names[at].1).about);
        (0..names.len())
            .filter(|&at| first(at))
            .map(described)
            .filter(|(_, about)| about != self.about)
            .collect()
    }

    /// Returns the title with the sections of a full name: sizes after a blank, flags and keys after a comma, of files
    /// the name without the folder. A board that is drawn in the name is left out.
    fn title_of(&self, full: &str) -> String {
        let flag = |section: &str| self.details.iter().any(|detail| detail.section == section);
        let mut title = if self.title.is_empty() { self.name } else { self.title }.to_owned();
        for section in Spec::new(full).into_sections() {
            match section.strip_prefix("file=") {
                Some(path) => title = title + ", " + path.rsplit('/').next().unwrap_or(path),
                None if section.contains('=') || flag(section) => title = title + ", " + section,
                None if section.contains('/') => {}
                None => title = title + " " + section,
            }
        }
        title
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Parameter;

    const NIM: Row = Row::new("nim", "nim:3,5,7", |_| Err("never opened".into()))
        .title("Nim")
        .details(&[Parameter::new("misere", "the last counter loses", "it wins")])
        .rules("Take counters from one heap. The last counter wins.")
        .described(|spec, usual| usual.reworded(spec.flag("misere"), "wins", "loses"));

    #[test]
    fn the_words_fit_the_sections_of_the_name() {
        let described = NIM.describe("nim");
        assert_eq!((described.title.as_str(), described.rules.as_str()), ("Nim 3,5,7", NIM.rules));
        let described = NIM.describe("nim:1,2:misere:max=2");
        assert_eq!(described.title, "Nim 1,2, misere, max=2");
        assert_eq!(described.rules, "Take counters from one heap. The last counter loses.");
    }

    #[test]
    fn a_title_names_a_file_without_its_folder() {
        assert_eq!(NIM.describe("nim:file=/srv/heaps/a:b.txt").title, "Nim, a:b.txt");
        assert_eq!(NIM.describe("nim:C../.*T").title, "Nim");
        let repeated = NIM.describe("nim:3:repeat=3");
        assert!(repeated.title == "Nim 3" && repeated.rules.ends_with("as a draw."), "{repeated:?}");
    }
}

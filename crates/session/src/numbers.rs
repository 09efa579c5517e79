//! Positions by number: in the game's table, and in the other numberings that the game has.

use std::time::Duration;

use crate::{Refusal, Session, Tabled, Work, quiet_work};

/// Time limit for finding positions that must be found before they have numbers.
const FINDING: Duration = Duration::from_secs(10);
/// Memory limit for them, in bytes.
const ROOM: u64 = 256 << 20;

impl Session {
    /// Returns the number of the position in the game's table, or in one of
    /// [`Tables::numberings`](crate::Tables::numberings). Positions that must be found before they have numbers are
    /// searched for at most 10 s. Images of a position may share its number.
    ///
    /// # Errors
    /// One line: the game has no table, or not this numbering, or the position has no number in it.
    pub fn number(&self, numbering: Option<&str>) -> Result<u64, String> {
        if let Some(name) = numbering {
            return self.board.number(name).ok_or_else(|| self.unknown(name));
        }
        let (table, unfound) = self.numbered_table()?;
        table.number(&self.position()).ok_or_else(|| {
            unfound.unwrap_or_else(|| format!("the table of {} does not hold the position", table.name()))
        })
    }

    /// Begins a new game from the position with this number in the game's table, or in one of
    /// [`Tables::numberings`](crate::Tables::numberings).
    ///
    /// # Errors
    /// As [`Session::number`], or no position has the number. The session is unchanged.
    pub fn setup_number(&mut self, numbering: Option<&str>, number: u64) -> Result<(), Refusal> {
        let position = self.numbered(numbering, number).map_err(|why| {
            let text = numbering.map_or(String::new(), |name| format!("{name} "));
            Refusal::Position { text: format!("index {text}{number}"), why }
        })?;
        self.setup(Some(&position))
    }

    /// Returns the position with a number as text.
    fn numbered(&self, numbering: Option<&str>, number: u64) -> Result<String, String> {
        let (position, size, unfound) = match numbering {
            Some(name) => {
                let known = self.numberings().into_iter().find(|known| known.name == name);
                let size = known.ok_or_else(|| self.unknown(name))?.size;
                (self.board.numbered(name, number), size, None)
            }
            None => {
                let (table, unfound) = self.numbered_table()?;
                (table.position(number).map(|(_, position)| position), table.count(), unfound)
            }
        };
        position.ok_or_else(|| match unfound {
            Some(why) => why,
            None if number < size => "no position has this index".to_owned(),
            None => format!("expected an index below {size}"),
        })
    }

    /// Returns the game's table, and a hint for the user if its positions could not be found.
    fn numbered_table(&self) -> Result<(Box<dyn Tabled + '_>, Option<String>), String> {
        let table = self.tabled(None);
        let table = table.ok_or_else(|| format!("{} has no table with indices of positions", self.name()))?;
        let unfound = find(&*table);
        match table.count() {
            0 | u64::MAX if unfound.is_none() => {
                Err(format!("{} has more positions than a table has indices", self.name()))
            }
            _ => Ok((table, unfound)),
        }
    }

    /// Returns the refusal of a numbering that the game does not have.
    fn unknown(&self, numbering: &str) -> String {
        let names: Vec<&str> = self.numberings().iter().map(|known| known.name).collect();
        let expected = match names.as_slice() {
            [] => "expected nothing, for that of its table".to_owned(),
            names => format!("expected {}, or nothing for that of its table", names.join(" or ")),
        };
        let shown: String = numbering.chars().take(60).collect();
        format!("no numbering {shown:?} of {}: {expected}", self.name())
    }
}

/// Finds the positions of a table that must be found before they have numbers. Returns a hint for the user if that takes
/// too long.
fn find(table: &dyn Tabled) -> Option<String> {
    let work = Work { memory_limit: Some(ROOM), ..quiet_work() }.within(FINDING);
    let (error, name) = (table.prepare(&work, false).err()?, table.name());
    Some(format!("the positions of {name} were not found in 10 s ({error}): grundy solve {name} finds them"))
}

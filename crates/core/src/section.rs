//! The text of a section of a certificate: positions with their values and moves, which `referee check` verifies.
//!
//! `docs/certificates.md` describes the format and proves what a section shows.

use std::io::{self, Write};

use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use crate::game::Player;
use crate::value::{Unit, Value};

/// The first line of a section.
pub const MAGIC: &str = "grundy-certificate 1";

/// The beginning of every certificate, of sections and of other kinds: `grundy-blocking`, `grundy-equilibrium`.
pub const BEGINNING: &str = "grundy-";

/// Appends the last line of a section, the checksum of all lines before it.
pub fn sealed(mut text: String) -> String {
    text.push_str(&checksum(xxh3_128(text.as_bytes())));
    text
}

/// Returns the last line of a section.
fn checksum(sum: u128) -> String {
    format!("checksum {sum:032x}\n")
}

/// The kinds of sections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A strategy of this player: one move in his positions, all replies in the other's.
    Strategy(Player),
    /// Values of positions with all their moves.
    Table,
}

impl Kind {
    /// Returns the kind as the header writes it.
    pub fn words(self) -> String {
        match self {
            Kind::Strategy(player) => format!("strategy {}", player.digit()),
            Kind::Table => "table".to_string(),
        }
    }

    /// Reads a kind as [`Kind::words`] writes it.
    pub fn read(words: &str) -> Option<Kind> {
        match words.split_once(' ') {
            Some(("strategy", digit)) => Player::read(digit).map(Kind::Strategy),
            None if words == "table" => Some(Kind::Table),
            _ => None,
        }
    }
}

/// The header of a section.
#[derive(Clone, Copy, Debug)]
pub struct Heading<'a> {
    /// The game by its full name.
    pub game: &'a str,
    /// The digest of the game's files, if it has any.
    pub digest: Option<&'a str>,
    /// The kind of the section: the strategy of a player, or a table.
    pub kind: Kind,
    /// The position that the section is about.
    pub start: &'a str,
    /// Its value for the player to move.
    pub value: Value,
    /// The unit of all values.
    pub unit: Unit,
    /// The number of positions.
    pub count: usize,
}

/// Writes a section line by line.
pub struct SectionWriter<W> {
    out: W,
    unit: Unit,
    sum: Xxh3,
}

impl<W: Write> SectionWriter<W> {
    /// Writes the header of a section.
    ///
    /// # Errors
    /// Those of `out`, here and below.
    pub fn begin(out: W, heading: &Heading<'_>) -> io::Result<SectionWriter<W>> {
        let Heading { game, digest, kind, start, value, unit, count } = *heading;
        let mut writer = SectionWriter { out, unit, sum: Xxh3::new() };
        let digest = digest.map_or(String::new(), |digest| format!("digest {digest}\n"));
        writer.put(&format!(
            "{MAGIC}\ngame {game}\n{digest}kind {}\nstart {start}\nvalue {}\npositions {count}\n",
            kind.words(),
            value.show(unit)
        ))?;
        Ok(writer)
    }

    /// Writes a position with its value, the move that is played there (`*`: all), and its rank and part, of which the
    /// line has what the format asks for.
    ///
    /// # Errors
    /// See [`SectionWriter::begin`].
    pub fn position(
        &mut self,
        position: &str,
        value: Value,
        word: &str,
        (rank, part): (u32, Option<u32>),
    ) -> io::Result<()> {
        let measures = match (self.unit, part) {
            (Unit::Outcome, _) if !value.is_unmeasured() => String::new(),
            (_, Some(part)) => format!("\t{rank}\t{part}"),
            (_, None) => format!("\t{rank}"),
        };
        self.put(&format!("{position}\t{}\t{word}{measures}\n", value.show(self.unit)))
    }

    /// Writes the checksum, which ends the section.
    ///
    /// # Errors
    /// See [`SectionWriter::begin`].
    pub fn finish(mut self) -> io::Result<W> {
        self.out.write_all(checksum(self.sum.digest128()).as_bytes())?;
        Ok(self.out)
    }

    fn put(&mut self, text: &str) -> io::Result<()> {
        self.sum.update(text.as_bytes());
        self.out.write_all(text.as_bytes())
    }
}

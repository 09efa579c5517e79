//! The door to a session's table, its types erased: make it, prove it, name its positions.

use crate::game::{Game, Heuristic, Notation, Player, Scored};
use crate::solve::groups::{Parted, Plan, Store};
use crate::solve::openings::{OpeningBook, Openings};
use crate::solve::verify::Doubt;
use crate::solve::{Oracle, SolveError, TableMethod, Work};
use crate::table::{Keep, Maker, Table};
use crate::value::Unit;

/// A game whose values fill a table.
pub trait Tabled: Sync {
    /// The game's full name with its parameters.
    fn name(&self) -> &str;

    /// What the values count.
    fn unit(&self) -> Unit;

    /// How many numbers there are.
    fn count(&self) -> u64;

    /// A number that changes with the rules and the numbering.
    fn fingerprint(&self) -> u64;

    /// Which method makes the table.
    fn maker(&self) -> Maker;

    /// Makes the table, going on from what was kept.
    ///
    /// # Errors
    /// The work was stopped, needs too much memory, or the game breaks a promise.
    fn solve(&self, work: &Work<'_>, keep: &mut dyn Keep) -> Result<Table, SolveError>;

    /// Proves a table: every checksum and the local equation of every position.
    ///
    /// # Errors
    /// The first doubt.
    fn verify(&self, table: &Table, work: &Work<'_>) -> Result<(), Doubt>;

    /// The player to move in the position with this number.
    fn turn(&self, number: u64) -> Option<Player>;

    /// The position with this number in words, and the player to move in it.
    fn position(&self, number: u64) -> Option<(Player, String)>;
}

/// A game with the method that makes its table.
pub(super) struct Door<'a, G: Game> {
    pub(super) name: &'a str,
    pub(super) game: &'a G,
    pub(super) method: TableMethod<G>,
}

impl<G: Scored + Notation> Tabled for Door<'_, G> {
    fn name(&self) -> &str {
        self.name
    }

    fn unit(&self) -> Unit {
        self.game.unit()
    }

    fn count(&self) -> u64 {
        self.method.size(self.game)
    }

    fn fingerprint(&self) -> u64 {
        self.method.fingerprint(self.game)
    }

    fn maker(&self) -> Maker {
        self.method.maker()
    }

    fn solve(&self, work: &Work<'_>, keep: &mut dyn Keep) -> Result<Table, SolveError> {
        self.method.solve(self.game, work, keep)
    }

    fn verify(&self, table: &Table, work: &Work<'_>) -> Result<(), Doubt> {
        self.method.verify(self.game, table, work)
    }

    fn turn(&self, number: u64) -> Option<Player> {
        self.method.position(self.game, number).map(|position| self.game.turn(&position))
    }

    fn position(&self, number: u64) -> Option<(Player, String)> {
        let position = self.method.position(self.game, number)?;
        Some((self.game.turn(&position), self.game.write_position(&position)))
    }
}

/// An opening book as a session needs it.
pub(super) trait Opened<G: Game>: Oracle<G> {
    /// The door to the book that is to be made, where its length is settled.
    fn door<'a>(&self, name: &'a str, game: &'a G) -> Option<Box<dyn Tabled + 'a>>;
}

impl<G: Scored + Notation + Heuristic> Opened<G> for Openings<G> {
    fn door<'a>(&self, name: &'a str, game: &'a G) -> Option<Box<dyn Tabled + 'a>> {
        Some(Box::new(OpeningsDoor { name, game, book: self.book(game)? }))
    }
}

/// A game with the opening book that is made of it.
struct OpeningsDoor<'a, G: Game> {
    name: &'a str,
    game: &'a G,
    book: OpeningBook<'a, G>,
}

impl<G: Scored + Notation + Heuristic> Tabled for OpeningsDoor<'_, G> {
    fn name(&self) -> &str {
        self.name
    }

    fn unit(&self) -> Unit {
        self.game.unit()
    }

    fn count(&self) -> u64 {
        self.book.count()
    }

    fn fingerprint(&self) -> u64 {
        self.book.fingerprint()
    }

    fn maker(&self) -> Maker {
        Maker::Other
    }

    fn solve(&self, work: &Work<'_>, keep: &mut dyn Keep) -> Result<Table, SolveError> {
        self.book.solve(work, keep)
    }

    fn verify(&self, table: &Table, work: &Work<'_>) -> Result<(), Doubt> {
        self.book.verify(table, work)
    }

    fn turn(&self, number: u64) -> Option<Player> {
        self.book.position(number).map(|position| self.game.turn(position))
    }

    fn position(&self, number: u64) -> Option<(Player, String)> {
        let position = self.book.position(number)?;
        Some((self.game.turn(position), self.game.write_position(position)))
    }
}

/// A game whose table is made part by part, whole or as an opening book.
pub trait Booked: Tabled {
    /// What a table of the positions with at most `drawn` moves made takes.
    ///
    /// # Errors
    /// The game is too large for such a table.
    fn plan(&self, drawn: usize) -> Result<Plan, SolveError>;

    /// The seconds that one thread takes for it, measured in half of one.
    ///
    /// # Errors
    /// The game is too large for such a table.
    fn seconds(&self) -> Result<f64, SolveError>;

    /// Makes the table of the positions with at most `drawn` moves made, going on from the store's parts.
    ///
    /// # Errors
    /// The work was stopped, needs too much memory, or a part could not be written.
    fn make(&self, drawn: usize, store: &mut dyn Store, work: &Work<'_>) -> Result<Table, SolveError>;
}

/// A game with the book of its values.
pub(super) struct BookDoor<'a, G: Game> {
    pub(super) name: &'a str,
    pub(super) game: &'a G,
    pub(super) book: &'a dyn Parted<G>,
}

impl<G: Scored + Notation> Booked for BookDoor<'_, G> {
    fn plan(&self, drawn: usize) -> Result<Plan, SolveError> {
        self.book.plan(self.game, drawn)
    }

    fn seconds(&self) -> Result<f64, SolveError> {
        self.book.seconds(self.game)
    }

    fn make(&self, drawn: usize, store: &mut dyn Store, work: &Work<'_>) -> Result<Table, SolveError> {
        self.book.solve(self.game, drawn, store, work)
    }
}

impl<G: Scored + Notation> Tabled for BookDoor<'_, G> {
    fn name(&self) -> &str {
        self.name
    }

    fn unit(&self) -> Unit {
        self.game.unit()
    }

    fn count(&self) -> u64 {
        self.book.count(self.game)
    }

    fn fingerprint(&self) -> u64 {
        self.book.fingerprint(self.game)
    }

    fn maker(&self) -> Maker {
        Maker::Layers
    }

    fn solve(&self, _work: &Work<'_>, _keep: &mut dyn Keep) -> Result<Table, SolveError> {
        Err(SolveError::Broken("this table is made part by part".to_owned()))
    }

    fn verify(&self, table: &Table, work: &Work<'_>) -> Result<(), Doubt> {
        self.book.verify(self.game, table, work)
    }

    fn turn(&self, number: u64) -> Option<Player> {
        Some(self.game.turn(&self.book.position(self.game, number)?))
    }

    fn position(&self, number: u64) -> Option<(Player, String)> {
        let position = self.book.position(self.game, number)?;
        Some((self.game.turn(&position), self.game.write_position(&position)))
    }
}

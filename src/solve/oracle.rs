//! A table as an oracle: exact values of all positions it has numbers for, from a file or made when first needed.

use std::sync::{Arc, Mutex, OnceLock};

use crate::game::{Acyclic, Game, Indexed, Reversible, Scored};
use crate::solve::verify::{Doubt, fingerprint, verify};
use crate::solve::{Oracle, SolveError, Work, bitparallel, layers, retrograde};
use crate::superposed::Endings;
use crate::table::{Folder, Keep, Maker, Meaning, NoKeep, Table};
use crate::value::Value;

/// A way to make a table of games of type `G`.
type Solve<G> = fn(&G, &Work<'_>, &mut dyn Keep) -> Result<Table, SolveError>;

/// A method that makes tables of games of type `G`, and all that one may ask about such a table.
pub struct TableMethod<G: Game> {
    maker: Maker,
    solve: Solve<G>,
    verify: fn(&G, &Table, &Work<'_>) -> Result<(), Doubt>,
    fingerprint: fn(&G) -> u64,
    size: fn(&G) -> u64,
    position: fn(&G, u64) -> Option<G::Position>,
}

impl<G: Game> Clone for TableMethod<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for TableMethod<G> {}

impl<G: Game> TableMethod<G> {
    fn new(maker: Maker, solve: Solve<G>) -> TableMethod<G>
    where
        G: Scored + Indexed,
    {
        TableMethod {
            maker,
            solve,
            verify: verify::<G>,
            fingerprint: fingerprint::<G>,
            size: G::size,
            position: G::position,
        }
    }

    /// Which method it is, for the table's header.
    pub fn maker(&self) -> Maker {
        self.maker
    }

    /// Makes the table, going on from what was kept.
    ///
    /// # Errors
    /// Those of the method.
    pub fn solve(&self, game: &G, work: &Work<'_>, keep: &mut dyn Keep) -> Result<Table, SolveError> {
        (self.solve)(game, work, keep)
    }

    /// Proves a table, as [`verify`] does.
    ///
    /// # Errors
    /// The first doubt.
    pub fn verify(&self, game: &G, table: &Table, work: &Work<'_>) -> Result<(), Doubt> {
        (self.verify)(game, table, work)
    }

    /// The fingerprint of the rules, as [`fingerprint`] takes it.
    pub fn fingerprint(&self, game: &G) -> u64 {
        (self.fingerprint)(game)
    }

    /// How many numbers there are.
    pub fn size(&self, game: &G) -> u64 {
        (self.size)(game)
    }

    /// The position with this number.
    pub fn position(&self, game: &G, number: u64) -> Option<G::Position> {
        (self.position)(game, number)
    }
}

/// Answers from a table. The first [`Oracle::prepare`] opens the table's file, where there is one, or makes the
/// table in memory, where that takes no more than about a second.
pub struct TableOracle<G: Game> {
    table: OnceLock<Arc<Table>>,
    method: Option<TableMethod<G>>,
    /// Tables of more numbers are not made unasked.
    quick: u64,
    /// The folder to look in, and the game's full name.
    place: Mutex<Option<(Folder, String)>>,
}

impl<G: Game> TableOracle<G> {
    /// An oracle over a table of the game it is asked about.
    pub fn new(table: impl Into<Arc<Table>>) -> TableOracle<G> {
        TableOracle { table: OnceLock::from(table.into()), method: None, quick: 0, place: Mutex::new(None) }
    }

    fn with_method(method: TableMethod<G>, quick: u64) -> TableOracle<G> {
        TableOracle { table: OnceLock::new(), method: Some(method), quick, place: Mutex::new(None) }
    }

    /// An oracle whose table is made by [`layers`]; unasked up to 16 million numbers.
    pub fn layers() -> TableOracle<G>
    where
        G: Scored + Acyclic,
    {
        TableOracle::with_method(TableMethod::new(Maker::Layers, layers::solve_kept), 1 << 24)
    }

    /// An oracle whose table is made by [`retrograde`] analysis; unasked up to half a million numbers.
    pub fn retrograde() -> TableOracle<G>
    where
        G: Scored + Indexed,
    {
        TableOracle::with_method(TableMethod::new(Maker::Retrograde, retrograde::solve_kept), 1 << 19)
    }

    /// An oracle whose table is made by [`retrograde`] analysis with the game's own predecessors; unasked up to two
    /// million numbers.
    pub fn reversible() -> TableOracle<G>
    where
        G: Scored + Reversible,
    {
        TableOracle::with_method(
            TableMethod::new(Maker::Retrograde, retrograde::solve_reversible_kept),
            1 << 21,
        )
    }

    /// An oracle whose table is made by [`bitparallel`]; never unasked, because a
    /// [`Library`](bitparallel::Library) answers faster than a table can be written.
    pub fn bitparallel() -> TableOracle<G>
    where
        G: Scored + Indexed + Endings + Clone + 'static,
    {
        TableOracle::with_method(TableMethod::new(Maker::BitParallel, bitparallel::solve_kept), 0)
    }

    /// Makes tables of up to so many numbers unasked.
    #[must_use]
    pub fn quick(mut self, numbers: u64) -> TableOracle<G> {
        self.quick = numbers;
        self
    }

    /// Says where to look for the table and under which name, until it has one.
    pub fn look_in(&self, folder: Folder, name: &str) {
        if let Ok(mut place) = self.place.lock() {
            *place = Some((folder, name.to_owned()));
        }
    }

    /// Whether there is a file to open.
    pub fn is_stored(&self) -> bool {
        let place = self.place.lock().ok().and_then(|place| place.clone());
        place.is_some_and(|(folder, name)| folder.file(&name).exists())
    }

    /// The table, where there is one by now.
    pub fn table(&self) -> Option<&Arc<Table>> {
        self.table.get()
    }

    /// The method that makes the table.
    pub fn method(&self) -> Option<TableMethod<G>> {
        self.method
    }
}

impl<G: Scored + Indexed> Oracle<G> for TableOracle<G> {
    fn prepare(&self, game: &G, _position: &G::Position, work: &Work<'_>) -> Result<(), SolveError> {
        let (None, Some(method)) = (self.table.get(), self.method) else { return Ok(()) };
        let place = self.place.lock().ok().and_then(|place| place.clone());
        if let Some((folder, name)) = &place {
            let file = folder.file(name);
            if file.exists() {
                match Table::open_for(&file, name, method.fingerprint(game), game.size()) {
                    Ok(table) if table.coding().unit() != game.unit() => {
                        log::warn!("{}: values of another kind", file.display());
                    }
                    Ok(table) => {
                        let _ = self.table.set(Arc::new(table));
                        return Ok(());
                    }
                    Err(error) => log::warn!("{error}"),
                }
            }
        }
        if game.size() > self.quick {
            let (folder, name) = place.unwrap_or_else(|| (Folder::find(None), String::new()));
            return Err(SolveError::NoTable { name, folder: folder.path().to_owned() });
        }
        let table = method.solve(game, work, &mut NoKeep)?;
        // Where another thread was faster its table is the same.
        let _ = self.table.set(Arc::new(table));
        Ok(())
    }

    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        let table = self.table.get()?;
        match game.over(position) {
            None => table.get(game.index(position)),
            // A finished position may lie outside the table: its value is a matter of the rules.
            Some(ended) if table.coding().meaning != Meaning::Outcome => Some(ended),
            Some(ended) => table.coding().decode(table.coding().encode(ended)?),
        }
    }

    fn as_table(&self) -> Option<&TableOracle<G>> {
        Some(self)
    }
}

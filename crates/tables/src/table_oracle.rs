//! Exact values from a table, which is read from a file or built when it is first needed.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use grundy_core::game::{Game, Indexed, Notation, Player, Scored};
use grundy_core::table::{Checkpoints, Coding, Maker, Meaning, NoCheckpoints, Scratch, Table, Width};
use grundy_core::value::{Unit, Value};
use grundy_session::{
    Assurance, Estimate, Home, Need, Shard, SolveError, Tabled, VerifyError, Work, quiet_work,
};

use crate::bitparallel::{memory, solve_table};
use crate::discovered::{Horizon, Numbered, Reached, reach, solve_numbered};
use crate::filed::Filed;
use crate::layers::{Acyclic, ByOutcome, shard::LayersShard};
use crate::moves::{ListMoves, MovesOf};
use crate::oracle::Oracle;
use crate::retrograde::{Reversible, Whole, shard::RetrogradeShard};
use crate::states::StateNumbers;
use crate::superposed::Endings;
use crate::verify::{fingerprint, verify, verify_acyclic};
use crate::{layers, retrograde};

/// A function that computes a table of games of type `G`.
type Solve<G> = fn(&G, &Work<'_>, &mut dyn Checkpoints) -> Result<Table, SolveError>;

/// A function that creates one of a number of shards of a table.
type MakeShard<G> = for<'a> fn(&'a G, u32, u32) -> Result<Box<dyn Shard + 'a>, SolveError>;

/// States computed in a second by one thread, for games of which only some states can be reached.
const NUMBERED: u64 = 1 << 23;
/// Number of such states that take as long as finding one position.
const FINDING: u64 = 56;

/// A preparation that a table needs before it is computed, proved or divided into shards; returns false beyond the horizon.
type Prepare<G> = fn(&G, &Horizon, &Work<'_>) -> Result<bool, SolveError>;

/// Passes each index of a range that has a position, with the player to move there.
type Turns<G> = fn(&G, Range<u64>, &mut dyn FnMut(u64, Player));

/// A method that computes tables of games of type `G`.
struct TableMethod<G: Game> {
    maker: Maker,
    /// About the states that one thread computes in a second; 0 if such a table is only built on request.
    speed: u64,
    solve: Solve<G>,
    /// A preparation, if any is needed.
    prepare: Option<Prepare<G>>,
    /// Counts the positions that play reaches, if some indices have none; 0 before the preparation.
    reached: Option<fn(&G) -> u64>,
    /// Creates a shard, if the method works in shards.
    shard: Option<MakeShard<G>>,
    /// Bytes of memory with cells of the least width.
    memory: fn(&G) -> u64,
    /// The least width of its cells.
    width: Width,
    /// The meanings that its cells may have.
    meanings: &'static [Meaning],
    verify: fn(&G, &Table, &Work<'_>) -> Result<Assurance, VerifyError>,
    fingerprint: fn(&G) -> u64,
    size: fn(&G) -> u64,
    position: fn(&G, u64) -> Option<G::Position>,
    turns: Turns<G>,
    number: fn(&G, &str) -> Option<u64>,
    states: StateNumbers<G>,
    write: fn(&G, &G::Position) -> String,
}

impl<G: Game> Clone for TableMethod<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for TableMethod<G> {}

impl<G: Scored + Indexed + Notation> TableMethod<G> {
    fn new(maker: Maker, speed: u64, solve: Solve<G>, memory: fn(&G) -> u64) -> TableMethod<G> {
        let meanings: &[Meaning] = match maker {
            Maker::Layers => &[Meaning::Distance, Meaning::Points],
            Maker::Retrograde => &[Meaning::Distance, Meaning::Alternating, Meaning::Outcome],
            Maker::Thresholds => &[Meaning::Ranked],
            Maker::BitParallel | Maker::Other => &[Meaning::Distance],
        };
        TableMethod {
            maker,
            speed,
            solve,
            prepare: None,
            reached: None,
            shard: None,
            memory,
            width: Width::One,
            meanings,
            verify: verify::<G>,
            fingerprint: fingerprint::<G>,
            size: G::size,
            position: G::position,
            turns: turns::<G>,
            number: number_in_table::<G>,
            states: StateNumbers::indexed(),
            write: G::write_position,
        }
    }
}

/// Knows the values in a table. [`Oracle::ready`] opens the table's file if there is one. Otherwise it builds the table in
/// memory, if that takes no longer than [`Need::automatic`] allows.
///
/// `OneHeap` is a heap of which a move takes one or two counters; whoever takes the last one wins.
///
/// ```
#[doc = include_str!("../doc/one_heap.txt")]
/// use grundy_session::quiet_work;
/// use grundy_tables::{Oracle, TableOracle, layers};
///
/// let game = OneHeap(10);
/// let oracle = TableOracle::new(layers::solve(&game, &quiet_work())?);
/// assert_eq!(oracle.value(&game, &(10, Player::One)), Some(Value::win_in(7)));
/// assert_eq!(oracle.value(&game, &(3, Player::Two)), Some(Value::loss_in(2)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TableOracle<G: Game> {
    table: Filed<Arc<Table>>,
    method: Option<TableMethod<G>>,
}

impl<G: Scored + Indexed + Notation> TableOracle<G> {
    fn with_method(method: TableMethod<G>) -> TableOracle<G> {
        TableOracle { table: Filed::default(), method: Some(method) }
    }

    /// Creates an oracle over a table of the game it is asked about.
    pub fn new(table: impl Into<Arc<Table>>) -> TableOracle<G> {
        let filed = Filed::default();
        filed.set(table.into());
        TableOracle { table: filed, method: None }
    }

    /// Creates an oracle whose table is computed by [`layers`].
    pub fn layers() -> TableOracle<G>
    where
        G: Acyclic,
    {
        let method = TableMethod::new(Maker::Layers, 1 << 24, layers::solve_resumable, G::size);
        let shard: MakeShard<G> = |game, part, parts| Ok(Box::new(LayersShard::new(game, (part, parts))?));
        TableOracle::with_method(TableMethod { verify: verify_acyclic::<G>, shard: Some(shard), ..method })
    }

    /// Creates an oracle whose table holds [outcomes](layers::solve_outcomes) alone; it is computed on request only.
    pub fn outcomes() -> TableOracle<G>
    where
        G: ByOutcome,
    {
        let memory = |game: &G| game.size() / 4;
        let method = TableMethod::new(Maker::Layers, 0, layers::solve_outcomes, memory);
        let meanings = &[Meaning::Outcome];
        TableOracle::with_method(TableMethod {
            verify: verify_acyclic::<G>,
            meanings,
            width: Width::Quarter,
            ..method
        })
    }

    /// Creates an oracle whose table is computed by [`retrograde`] analysis.
    pub fn retrograde() -> TableOracle<G> {
        let memory = |game: &G| retrograde::memory(game.size());
        let method = TableMethod::new(Maker::Retrograde, 1 << 19, retrograde::solve_resumable, memory);
        let shard: MakeShard<G> = |game, part, parts| {
            let moves = [(); 2].map(|()| Box::new(MovesOf { game }) as Box<dyn ListMoves>);
            Ok(Box::new(RetrogradeShard::reversed(
                Box::new(Whole(game)),
                moves,
                game.loose(),
                (part, parts),
            )?))
        };
        TableOracle::with_method(TableMethod { shard: Some(shard), ..method })
    }

    /// Creates an oracle whose table is computed by [`retrograde`] analysis with the game's own predecessors.
    pub fn reversible() -> TableOracle<G>
    where
        G: Reversible,
    {
        let (speed, memory) = (1 << 22, |game: &G| retrograde::memory(game.size()));
        let solve = retrograde::solve_reversible_resumable;
        let method = TableMethod::new(Maker::Retrograde, speed, solve, memory);
        let shard: MakeShard<G> =
            |game, part, parts| Ok(Box::new(RetrogradeShard::reversible(game, part, parts)?));
        TableOracle::with_method(TableMethod { shard: Some(shard), ..method })
    }

    /// Creates an oracle for indices of which some cannot be reached: by [`layers`] if no position can repeat, else by
    /// [`retrograde`] analysis.
    pub fn numbered(game: &G) -> TableOracle<G>
    where
        G: Numbered,
    {
        let oracle = if game.is_acyclic() { TableOracle::layers() } else { TableOracle::retrograde() };
        let memory: fn(&G) -> u64 = match game.is_acyclic() {
            true => |game| game.size() + game.size() / 8,
            false => |game| retrograde::memory(game.size()) + game.size() / 8,
        };
        oracle.reaching(solve_numbered::<G>, memory)
    }

    /// Creates an oracle for indices of which some cannot be reached, by [`retrograde`] analysis with the game's own
    /// predecessors.
    pub fn numbered_reversible() -> TableOracle<G>
    where
        G: Numbered + Reversible,
    {
        let solve: Solve<G> = |game, work, keep| {
            reach(game, &Horizon::default(), work)?;
            retrograde::solve_reversible_resumable(game, work, keep)
        };
        let memory = |game: &G| retrograde::memory(game.size()) + game.size() / 8;
        TableOracle::reversible().reaching(solve, memory)
    }

    /// Returns the oracle with a method that finds the reachable positions first.
    fn reaching(self, solve: Solve<G>, memory: fn(&G) -> u64) -> TableOracle<G>
    where
        G: Numbered,
    {
        let method = self.method.map(|method| TableMethod {
            speed: NUMBERED,
            solve,
            prepare: Some(reach::<G>),
            reached: Some(|game| game.reached().map_or(0, Reached::count)),
            memory,
            // The positions are not known yet.
            fingerprint: |game| Indexed::checksum(game),
            ..method
        });
        TableOracle { method, ..self }
    }

    /// Creates an oracle whose table is computed by [`bitparallel`](crate::bitparallel), on request only: a
    /// [`Library`](crate::bitparallel::Library) answers sooner than a table is built.
    pub fn bitparallel() -> TableOracle<G>
    where
        G: Endings + Clone + 'static,
    {
        let memory = memory::<G>;
        TableOracle::with_method(TableMethod::new(Maker::BitParallel, 0, solve_table, memory))
    }
}

impl<G: Game> TableOracle<G> {
    /// Returns the table, if it is open or built.
    pub fn table(&self) -> Option<&Arc<Table>> {
        self.table.get()
    }
}

/// A [`Prepare`] with the game erased.
type PrepareFor<'a> = dyn Fn(&Horizon) -> Result<bool, SolveError> + 'a;

/// The facts by which a table is opened or built automatically, with the type of the game erased.
struct TableFacts<'a> {
    /// True if its values are points.
    points: bool,
    /// The number of states.
    size: u64,
    /// See [`TableMethod::speed`].
    speed: u64,
    meanings: &'static [Meaning],
    fingerprint: &'a dyn Fn() -> u64,
    /// The preparation of the method, if it has one; returns false beyond the horizon.
    prepare: Option<&'a PrepareFor<'a>>,
    solve: &'a dyn Fn() -> Result<Table, SolveError>,
}

impl TableFacts<'_> {
    /// Opens the file of the table, or builds the table if that is cheap enough.
    fn ready(&self, filed: &Filed<Arc<Table>>, need: &Need<'_>) -> Result<(), SolveError> {
        let open = |path: &Path| {
            let table = Table::open_for(path, &need.home.name, (self.fingerprint)(), self.size)?;
            let serves = |coding: Coding| {
                coding.unit().is_points() == self.points && self.meanings.contains(&coding.meaning)
            };
            table.coded(path, serves).map(Arc::new)
        };
        filed.open_or_build(need, &open, &|tried| {
            let most = need.affords(self.speed);
            if self.size > most {
                return Ok(None);
            }
            if let Some(prepare) = self.prepare {
                let within = |most, until| prepare(&Horizon { positions: Some(most), until });
                if !tried.search(most / FINDING, need, &within)? {
                    return Ok(None);
                }
            }
            Ok(Some(Arc::new((self.solve)()?)))
        })
    }
}

impl<G: Scored + Indexed> Oracle<G> for TableOracle<G> {
    fn bytes(&self) -> u64 {
        self.table.get().map_or(0, |table| table.bytes())
    }

    fn ready(&self, game: &G, _position: &G::Position, need: &Need<'_>) -> Result<(), SolveError> {
        let (None, Some(method)) = (self.table.get(), self.method) else { return Ok(()) };
        let prepare =
            method.prepare.map(|prepare| move |horizon: &Horizon| prepare(game, horizon, need.work));
        let facts = TableFacts {
            points: game.unit().is_points(),
            size: game.size(),
            speed: method.speed,
            meanings: method.meanings,
            fingerprint: &|| (method.fingerprint)(game),
            prepare: prepare.as_ref().map(|prepare| prepare as &PrepareFor<'_>),
            solve: &|| (method.solve)(game, need.work, &mut NoCheckpoints),
        };
        facts.ready(&self.table, need)
    }

    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        let table = self.table.get()?;
        match game.over(position) {
            None => table.get(game.index(position)),
            // A finished position may have no state in the table: the rules give its value.
            Some(ended) if table.coding().meaning != Meaning::Outcome => Some(ended),
            Some(ended) => table.coding().decode(table.coding().encode(ended)?),
        }
    }

    fn states(&self, _game: &G) -> Option<StateNumbers<G>> {
        self.method.map(|method| method.states)
    }

    fn tabled<'a>(&'a self, game: &'a G, home: &'a Home, book: Option<u32>) -> Option<Box<dyn Tabled + 'a>> {
        let method = self.method.filter(|_| book.is_none())?;
        Some(Box::new(GameTable { name: &home.name, game, method }))
    }
}

/// A game with the method that computes its table.
struct GameTable<'a, G: Game> {
    name: &'a str,
    game: &'a G,
    method: TableMethod<G>,
}

/// Refuses a game whose states have no indices of 64 bits: its size is `u64::MAX`.
pub(crate) fn refuse_unnumbered(size: u64) -> Result<(), SolveError> {
    match size {
        u64::MAX => Err(SolveError::Numerous("more positions than can be numbered".to_owned())),
        _ => Ok(()),
    }
}

impl<G: Scored> Tabled for GameTable<'_, G> {
    fn name(&self) -> &str {
        self.name
    }

    fn unit(&self) -> Unit {
        self.game.unit()
    }

    fn count(&self) -> u64 {
        (self.method.size)(self.game)
    }

    fn reached(&self) -> Option<u64> {
        self.method.reached.map(|count| count(self.game))
    }

    fn fingerprint(&self) -> u64 {
        (self.method.fingerprint)(self.game)
    }

    fn maker(&self) -> Maker {
        self.method.maker
    }

    fn estimate(&self, _work: &Work<'_>) -> Result<Estimate, SolveError> {
        refuse_unnumbered(self.count())?;
        let TableMethod { memory, width, .. } = self.method;
        let disk = width.bytes(self.count().saturating_mul(2)).unwrap_or(u64::MAX);
        Ok(Estimate { width, disk, ..Estimate::in_one_piece(self.count(), memory(self.game)) })
    }

    fn solve(&self, work: &Work<'_>, scratch: &Scratch) -> Result<Table, SolveError> {
        refuse_unnumbered(self.count())?;
        let mut checkpoints = scratch.checkpoint(self.name, self.fingerprint(), self.count());
        (self.method.solve)(self.game, work, checkpoints.as_mut())
    }

    fn prepare(&self, work: &Work<'_>, _write: bool) -> Result<(), SolveError> {
        let Some(prepare) = self.method.prepare else { return Ok(()) };
        prepare(self.game, &Horizon::default(), work).map(|_| ())
    }

    fn shard(&self, part: u32, parts: u32) -> Option<Result<Box<dyn Shard + '_>, SolveError>> {
        let make = self.method.shard?;
        let ready = refuse_unnumbered(self.count()).and_then(|()| self.prepare(&quiet_work(), false));
        Some(ready.and_then(|()| make(self.game, part, parts)))
    }

    fn verify(&self, table: &Table, work: &Work<'_>) -> Result<Assurance, VerifyError> {
        self.prepare(work, false).map_err(VerifyError::Work)?;
        (self.method.verify)(self.game, table, work)
    }

    fn turns(&self, range: Range<u64>, visit: &mut dyn FnMut(u64, Player)) {
        (self.method.turns)(self.game, range, visit);
    }

    fn position(&self, number: u64) -> Option<(Player, String)> {
        let position = (self.method.position)(self.game, number)?;
        Some((self.game.turn(&position), (self.method.write)(self.game, &position)))
    }

    fn number(&self, position: &str) -> Option<u64> {
        (self.method.number)(self.game, position)
    }
}

/// Visits the positions of a range of states, rising, with the player to move.
pub(crate) fn turns<G: Indexed>(game: &G, range: Range<u64>, visit: &mut dyn FnMut(u64, Player)) {
    game.walk(range, &mut |number, position| visit(number, game.turn(&position)));
}

/// Returns the index that a position given as text has in a table of all states of its game; `None` if the text is no
/// position, or the table has no index for it.
pub(crate) fn number_in_table<G: Indexed + Notation>(game: &G, position: &str) -> Option<u64> {
    let number = game.index(&game.read_position(position).ok()?);
    // A finished position may have no state in the table.
    game.position(number).map(|_| number)
}

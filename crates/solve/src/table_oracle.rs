//! Exact values from a table, which is read from a file or made when it is first needed.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use grundy_core::game::{Game, Indexed, Notation, Player, Scored};
use grundy_core::table::{Checkpoints, Coding, Maker, Meaning, Scratch, Table};
use grundy_core::value::{Unit, Value};
use grundy_session::{Belief, Doubt, Estimate, Home, Need, Shard, SolveError, Tabled, Work, quiet_work};

use crate::bitparallel::{memory, solve_table};
use crate::discovered::{Horizon, Numbered, reach, solve_numbered};
use crate::filed::Filed;
use crate::layers::{Acyclic, shard::LayersShard};
use crate::moves::{ListMoves, MovesOf};
use crate::oracle::Oracle;
use crate::retrograde::{Reversible, Whole, shard::RetrogradeShard};
use crate::states::StateNumbers;
use crate::superposed::Endings;
use crate::verify::{fingerprint, verify, verify_acyclic};
use crate::{layers, retrograde};

/// A way to make a table of games of type `G`.
type Solve<G> = fn(&G, &Work<'_>, &mut dyn Checkpoints) -> Result<Table, SolveError>;

/// A way to make one of so many shards of a table.
type MakeShard<G> = for<'a> fn(&'a G, u32, u32) -> Result<Box<dyn Shard + 'a>, SolveError>;

/// Numbers a second of games of which only some can be reached, and how many numbers take as long as finding a position.
const NUMBERED: u64 = 1 << 23;
const FINDING: u64 = 56;

/// What is done before a table is made, proved or dealt out in shards; false where that goes beyond the horizon.
type Prepare<G> = fn(&G, &Horizon, &Work<'_>) -> Result<bool, SolveError>;

/// A method that makes tables of games of type `G`.
struct TableMethod<G: Game> {
    maker: Maker,
    /// About how many numbers one thread computes in a second; 0 where such a table is only made on request.
    speed: u64,
    solve: Solve<G>,
    /// Where anything is to be done first.
    prepare: Option<Prepare<G>>,
    /// Where the method works in shards.
    shard: Option<MakeShard<G>>,
    /// Bytes of memory with cells of one byte.
    memory: fn(&G) -> u64,
    /// What its cells may mean.
    meanings: &'static [Meaning],
    verify: fn(&G, &Table, &Work<'_>) -> Result<Belief, Doubt>,
    fingerprint: fn(&G) -> u64,
    size: fn(&G) -> u64,
    position: fn(&G, u64) -> Option<G::Position>,
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
            Maker::Retrograde => &[Meaning::Distance, Meaning::Outcome],
            Maker::Thresholds => &[Meaning::Ranked],
            Maker::BitParallel | Maker::Other => &[Meaning::Distance],
        };
        TableMethod {
            maker,
            speed,
            solve,
            prepare: None,
            shard: None,
            memory,
            meanings,
            verify: verify::<G>,
            fingerprint: fingerprint::<G>,
            size: G::size,
            position: G::position,
            number: number_in_table::<G>,
            states: StateNumbers::indexed(),
            write: G::write_position,
        }
    }
}

/// Knows the values in a table. [`Oracle::ready`] opens the table's file where there is one. Otherwise it makes the
/// table in memory, if that takes no longer than [`Need::unasked`] allows.
///
/// `OneHeap` is a heap of which a move takes one or two counters; who takes the last one wins.
///
/// ```
#[doc = include_str!("../doc/one_heap.txt")]
/// use grundy_session::quiet_work;
/// use grundy_solve::{Oracle, TableOracle, layers};
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
    /// How many positions were looked for in vain.
    in_vain: AtomicU64,
}

impl<G: Scored + Indexed + Notation> TableOracle<G> {
    fn with_method(method: TableMethod<G>) -> TableOracle<G> {
        TableOracle { table: Filed::default(), method: Some(method), in_vain: AtomicU64::new(0) }
    }

    /// An oracle over a table of the game it is asked about.
    pub fn new(table: impl Into<Arc<Table>>) -> TableOracle<G> {
        let filed = Filed::default();
        filed.set(table.into());
        TableOracle { table: filed, method: None, in_vain: AtomicU64::new(0) }
    }

    /// An oracle whose table is made by [`layers`].
    pub fn layers() -> TableOracle<G>
    where
        G: Acyclic,
    {
        let method = TableMethod::new(Maker::Layers, 1 << 24, layers::solve_resumable, G::size);
        let shard: MakeShard<G> = |game, part, parts| Ok(Box::new(LayersShard::new(game, (part, parts))?));
        TableOracle::with_method(TableMethod { verify: verify_acyclic::<G>, shard: Some(shard), ..method })
    }

    /// An oracle whose table is made by [`retrograde`] analysis.
    pub fn retrograde() -> TableOracle<G> {
        let memory = |game: &G| retrograde::memory(game.size());
        let method = TableMethod::new(Maker::Retrograde, 1 << 19, retrograde::solve_resumable, memory);
        let shard: MakeShard<G> = |game, part, parts| {
            let moves = [(); 2].map(|()| Box::new(MovesOf { game }) as Box<dyn ListMoves>);
            Ok(Box::new(RetrogradeShard::turned_round(Whole(game), moves, game.loose(), (part, parts))?))
        };
        TableOracle::with_method(TableMethod { shard: Some(shard), ..method })
    }

    /// An oracle whose table is made by [`retrograde`] analysis with the game's own predecessors.
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

    /// An oracle for positions with numbers of which some cannot be reached: by [`layers`] where no position comes
    /// again, else by [`retrograde`] analysis.
    pub fn numbered(game: &G) -> TableOracle<G>
    where
        G: Numbered,
    {
        let oracle = if game.is_acyclic() { TableOracle::layers() } else { TableOracle::retrograde() };
        let memory = match game.is_acyclic() {
            true => |game: &G| game.size() + game.size() / 8,
            false => |game: &G| retrograde::memory(game.size()) + game.size() / 8,
        };
        let method = oracle.method.map(|method| TableMethod {
            speed: NUMBERED,
            solve: solve_numbered::<G>,
            prepare: Some(reach::<G>),
            memory,
            // Which positions there are is not known yet.
            fingerprint: |game| Indexed::checksum(game),
            ..method
        });
        TableOracle { method, ..oracle }
    }

    /// An oracle whose table is made by [`bitparallel`](crate::bitparallel), on request only: a
    /// [`Library`](crate::bitparallel::Library) answers sooner than a table is made.
    pub fn bitparallel() -> TableOracle<G>
    where
        G: Endings + Clone + 'static,
    {
        let memory = memory::<G>;
        TableOracle::with_method(TableMethod::new(Maker::BitParallel, 0, solve_table, memory))
    }
}

impl<G: Game> TableOracle<G> {
    /// The table, where there is one by now.
    pub fn table(&self) -> Option<&Arc<Table>> {
        self.table.get()
    }
}

impl<G: Scored + Indexed> Oracle<G> for TableOracle<G> {
    fn bytes(&self) -> u64 {
        self.table.get().map_or(0, |table| table.bytes())
    }

    fn ready(&self, game: &G, _position: &G::Position, need: &Need<'_>) -> Result<(), SolveError> {
        let (None, Some(method)) = (self.table.get(), self.method) else { return Ok(()) };
        let Home { folder, name } = need.home;
        let opened = self.table.open(&folder.file(name), |path| {
            let table = Table::open_for(path, name, (method.fingerprint)(game), game.size())?;
            let points = game.unit().is_points();
            let serves = |coding: Coding| {
                coding.unit().is_points() == points && method.meanings.contains(&coding.meaning)
            };
            table.coded(path, serves).map(Arc::new)
        });
        if opened.is_some() {
            return Ok(());
        }
        let missing = || SolveError::NoTable { name: name.clone(), folder: folder.path().to_owned() };
        let allowed = u128::from(method.speed) * need.unasked.as_millis() / 1_000;
        if u128::from(game.size()) > allowed {
            return Err(missing());
        }
        if let Some(prepare) = method.prepare {
            // Positions are counted, so that every machine makes the same tables; the clock is for games of slow rules.
            let until = Instant::now().checked_add(need.unasked.saturating_mul(2));
            let most = u64::try_from(allowed).unwrap_or(u64::MAX) / FINDING;
            if most <= self.in_vain.load(Ordering::Relaxed) {
                return Err(missing());
            }
            let done = prepare(game, &Horizon { positions: Some(most), until }, need.work);
            if let Ok(false) | Err(SolveError::Broken(_)) = done {
                self.in_vain.fetch_max(most, Ordering::Relaxed);
            }
            if !done? {
                return Err(missing());
            }
        }
        self.table.set(Arc::new((method.solve)(game, need.work, &mut grundy_core::table::NoCheckpoints)?));
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

    fn states(&self, _game: &G) -> Option<StateNumbers<G>> {
        self.method.map(|method| method.states)
    }

    fn tabled<'a>(&'a self, game: &'a G, home: &'a Home, _book: Option<u32>) -> Option<Box<dyn Tabled + 'a>> {
        Some(Box::new(GameTable { name: &home.name, game, method: self.method? }))
    }
}

/// A game with the method that makes its table.
struct GameTable<'a, G: Game> {
    name: &'a str,
    game: &'a G,
    method: TableMethod<G>,
}

impl<G: Game> GameTable<'_, G> {
    /// Refuses a game whose positions have no numbers of 64 bits: its size is `u64::MAX`.
    fn refuse_unnumbered(&self) -> Result<(), SolveError> {
        match (self.method.size)(self.game) {
            u64::MAX => Err(SolveError::Broken("more positions than can be numbered".to_owned())),
            _ => Ok(()),
        }
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

    fn fingerprint(&self) -> u64 {
        (self.method.fingerprint)(self.game)
    }

    fn maker(&self) -> Maker {
        self.method.maker
    }

    fn estimate(&self) -> Result<Estimate, SolveError> {
        self.refuse_unnumbered()?;
        Ok(Estimate::in_one_piece(self.count(), (self.method.memory)(self.game)))
    }

    fn solve(&self, work: &Work<'_>, scratch: &Scratch) -> Result<Table, SolveError> {
        self.refuse_unnumbered()?;
        let mut checkpoints = scratch.checkpoint(self.name, self.fingerprint(), self.count());
        (self.method.solve)(self.game, work, checkpoints.as_mut())
    }

    fn prepare(&self, work: &Work<'_>, _write: bool) -> Result<(), SolveError> {
        let Some(prepare) = self.method.prepare else { return Ok(()) };
        prepare(self.game, &Horizon::default(), work).map(|_| ())
    }

    fn shard(&self, part: u32, parts: u32) -> Option<Result<Box<dyn Shard + '_>, SolveError>> {
        let make = self.method.shard?;
        let ready = self.refuse_unnumbered().and_then(|()| self.prepare(&quiet_work(), false));
        Some(ready.and_then(|()| make(self.game, part, parts)))
    }

    fn verify(&self, table: &Table, work: &Work<'_>) -> Result<Belief, Doubt> {
        self.prepare(work, false).map_err(Doubt::Work)?;
        (self.method.verify)(self.game, table, work)
    }

    fn turn(&self, number: u64) -> Option<Player> {
        (self.method.position)(self.game, number).map(|position| self.game.turn(&position))
    }

    fn position(&self, number: u64) -> Option<(Player, String)> {
        let position = (self.method.position)(self.game, number)?;
        Some((self.game.turn(&position), (self.method.write)(self.game, &position)))
    }

    fn number(&self, position: &str) -> Option<u64> {
        (self.method.number)(self.game, position)
    }
}

/// Returns the number that a position given as text has in a table of all numbers of its game; `None` if the text is no
/// position, or the table has no number for it.
pub(crate) fn number_in_table<G: Indexed + Notation>(game: &G, position: &str) -> Option<u64> {
    let number = game.index(&game.read_position(position).ok()?);
    // A finished position may lie outside the table.
    game.position(number).map(|_| number)
}

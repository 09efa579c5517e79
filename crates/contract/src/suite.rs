//! The builder of a game's contract: collects the checks and runs them.

use std::collections::HashSet;

use grundy_core::game::{Game, Indexed, Notation, Scored};
use grundy_search::alpha_beta::{Bounds, Heuristic};
use grundy_sums::cgt::Partizan;
use grundy_sums::formula::Formula;
use grundy_sums::sum::Sum;
use grundy_tables::endgames::Endgames;
use grundy_tables::layers::Acyclic;
use grundy_tables::retrograde::Reversible;
use grundy_tables::thresholds::{ByThresholds, Parted};
use grundy_tables::tiers::Tiered;
use grundy_tables::{Oracle, TableOracle};

use crate::brute::Brute;
use crate::subject::{Poke, Subject, random_positions};
use crate::{abilities, methods, rules, searching, tiers};

type Check<G> = Box<dyn Fn(&Subject<G>)>;
/// Derives another position whose value the brute force needs.
type Other<G> = fn(&G, &<G as Game>::Position) -> Option<<G as Game>::Position>;

/// The promises of one game, to be proved by [`Contract::run`].
pub struct Contract<G: Notation + Scored> {
    game: G,
    roots: Vec<G::Position>,
    limit: usize,
    standard_fen: bool,
    checks: Vec<Check<G>>,
    pokes: Vec<Poke<G>>,
    needs_values_of: Vec<Other<G>>,
}

// Each crate of games uses only some of these.
#[allow(dead_code)]
impl<G: Notation + Scored> Contract<G> {
    /// Starts a contract; rules and notation, which every game has, are always checked.
    pub fn new(game: G) -> Contract<G> {
        let start = game.start();
        let contract = Contract {
            game,
            roots: vec![start],
            limit: 60_000,
            standard_fen: false,
            checks: Vec::new(),
            pokes: Vec::new(),
            needs_values_of: Vec::new(),
        };
        contract
            .check(rules::moves_and_turns)
            .check(rules::points_add_up)
            .check(rules::cells_are_those_of_the_notation)
            .check(rules::canonical_positions_are_images)
            .check(rules::essences_keep_what_counts)
    }

    /// Checks everything reachable if that is at most this many positions (default 60,000), else the positions of
    /// random games.
    pub fn limit(mut self, positions: usize) -> Self {
        self.limit = positions;
        self
    }

    /// Adds a root, written as on the wire.
    pub fn from(mut self, position: &str) -> Self {
        let position = self.game.read_position(position).unwrap();
        self.roots.push(position);
        self
    }

    /// Replaces the start as a root by a position, written as on the wire: where only the ends of games are few enough.
    pub fn at(mut self, position: &str) -> Self {
        self.roots.clear();
        self.from(position)
    }

    /// Adds the positions of all indices as roots.
    pub fn every_index(mut self) -> Self
    where
        G: Indexed,
    {
        self.roots.extend((0..self.game.size()).filter_map(|n| self.game.position(n)));
        self
    }

    /// Declares that positions are in standard FEN: the turn is not the last field.
    pub fn standard_fen(mut self) -> Self {
        self.standard_fen = true;
        self
    }

    /// Checks the number of reachable positions, where images of each other count once.
    pub fn canonical(self, count: usize) -> Self {
        self.check(move |subject| {
            assert!(subject.exhaustive, "there are more positions than the limit");
            let found: HashSet<_> = subject.positions.iter().map(|p| subject.game.canonical(p)).collect();
            assert_eq!(found.len(), count, "positions up to symmetry");
        })
    }

    /// Checks the number of reachable positions.
    pub fn positions(self, count: usize) -> Self {
        self.check(move |subject| {
            assert!(subject.exhaustive, "there are more positions than the limit");
            assert_eq!(subject.positions.len(), count, "reachable positions");
        })
    }

    /// Checks the number of lines of play of 1, 2, 3 ... plies.
    pub fn perft(self, counts: &'static [u64]) -> Self {
        self.check(move |subject| {
            for (depth, &count) in (1..).zip(counts) {
                let found = grundy_core::game::perft(&subject.game, &subject.game.start(), depth);
                assert_eq!(found, count, "perft {depth}");
            }
        })
    }

    /// Checks that these images of a position (mirrored, turned, ...) have its value.
    pub fn symmetry(self, images: fn(&G, &G::Position) -> Vec<G::Position>) -> Self {
        self.check(move |subject| abilities::images_have_one_value(subject, images))
    }

    /// Proves [`Indexed`]: indices in range, one-to-one up to positions of one value.
    pub fn indexed(mut self) -> Self
    where
        G: Indexed,
    {
        self.needs_values_of.push(|game, position| game.position(game.index(position)));
        self.poke(|game, position| assert!(game.index(position) < game.size()))
            .check(abilities::indexing_is_one_to_one)
    }

    /// Checks the number of indices of reachable positions: positions up to symmetry.
    pub fn numbers(self, count: usize) -> Self
    where
        G: Indexed,
    {
        self.check(move |subject| {
            assert!(subject.exhaustive, "there are more positions than the limit");
            let numbers: HashSet<u64> = subject.positions.iter().map(|p| subject.game.index(p)).collect();
            assert_eq!(numbers.len(), count, "positions up to symmetry");
        })
    }

    /// Proves [`Acyclic`]: every move leads to an index that the order fills earlier.
    pub fn acyclic(self) -> Self
    where
        G: Acyclic,
    {
        self.check(abilities::moves_follow_the_order)
    }

    /// Proves [`Reversible`]: predecessors are exactly the reversed moves, as indices.
    pub fn reversible(self) -> Self
    where
        G: Reversible,
    {
        self.poke(|game, position| game.predecessors(position, &mut |_| {}))
            .check(abilities::predecessors_are_reversed_moves)
    }

    /// Proves [`Formula`]: its values, and that its moves keep them.
    pub fn formula(self) -> Self
    where
        G: Formula,
    {
        self.poke(|game, position| {
            game.formula(position);
            game.keeping_moves(position);
        })
        .check(methods::formula_is_right)
    }

    /// Proves [`Sum`]: options are the moves, and the components' Grundy numbers give the position's.
    pub fn sum(self) -> Self
    where
        G: Sum,
    {
        self.poke(|game, position| {
            game.parts(position);
        })
        .check(methods::parts_add_up)
    }

    /// Proves [`Partizan`]: moves, sizes and negatives of the parts, and outcomes of their sums.
    pub fn partizan(self) -> Self
    where
        G: Partizan,
    {
        self.poke(|game, position| {
            game.parts(position);
        })
        .check(methods::outcomes_of_sums_are_right)
    }

    /// Proves [`Heuristic`]: positions of one key have one value.
    pub fn heuristic(self) -> Self
    where
        G: Heuristic,
    {
        self.poke(|game, position| {
            game.key(position);
            game.guess(position);
        })
        .check(abilities::one_key_one_value)
    }

    /// Proves [`Heuristic`] and [`Bounds`], and that the search proves the brute force's values.
    pub fn search(self) -> Self
    where
        G: Heuristic + Bounds,
    {
        self.heuristic()
            .check(searching::bounds_hold_the_value)
            .check(searching::search_is_right)
            .check(searching::cut_searches_are_right)
            .check(searching::outcomes_are_kept)
            .check(searching::proofs_are_right)
    }

    /// Proves [`Heuristic::finish`].
    pub fn endgame(self) -> Self
    where
        G: Heuristic + Bounds,
    {
        self.check(searching::endgames_are_decided)
    }

    /// Proves [`Heuristic::retract`].
    pub fn retract(self) -> Self
    where
        G: Heuristic,
    {
        self.check(searching::moves_are_taken_back)
    }

    /// Checks the number of keys of reachable positions.
    pub fn keys(self, count: usize) -> Self
    where
        G: Heuristic,
    {
        self.check(move |subject| {
            assert!(subject.exhaustive, "there are more positions than the limit");
            let keys: HashSet<u64> = subject.positions.iter().map(|p| subject.game.key(p)).collect();
            assert_eq!(keys.len(), count, "keys");
        })
    }

    /// Proves [`Acyclic`] and the table that `layers::solve` makes.
    pub fn layers(self) -> Self
    where
        G: Acyclic,
    {
        self.acyclic().table("layers", TableOracle::layers)
    }

    /// Proves the table that `retrograde::solve` makes without predecessors.
    pub fn retrograde(self) -> Self
    where
        G: Indexed,
    {
        self.table("retrograde", TableOracle::retrograde)
    }

    /// Proves [`Reversible`] and the table that `retrograde::solve` makes with predecessors.
    pub fn backwards(self) -> Self
    where
        G: Reversible,
    {
        self.reversible().table("retrograde by predecessors", TableOracle::reversible)
    }

    /// Proves [`Tiered`]: moves keep to the tiers, and predecessors within them are reversed moves.
    pub fn tiered(self) -> Self
    where
        G: Tiered,
    {
        self.poke(|game, position| game.predecessors_within(position, &mut |_, _| {}))
            .check(tiers::tiers_are_kept)
    }

    /// Proves [`Tiered`] and the table of all tiers.
    pub fn tiers(self) -> Self
    where
        G: Tiered,
    {
        self.tiered().check(tiers::tables_are_right)
    }

    /// Proves [`Parted`] and the table that `thresholds::solve` makes.
    pub fn thresholds(self) -> Self
    where
        G: Parted,
    {
        let checked = self
            .poke(|game, position| game.before(position, &mut |_| {}))
            .check(abilities::moves_keep_to_the_parts)
            .check(methods::thresholds_are_proved);
        checked.table("thresholds", ByThresholds::default)
    }

    /// Proves the tables of [`Endgames`].
    pub fn endgames(self) -> Self
    where
        G: Endgames,
    {
        self.check(methods::endgames_are_right)
    }

    /// Proves a method: right on every position that was reached, its values consistent.
    pub fn oracle<O: Oracle<G> + 'static>(self, name: &'static str, make: fn() -> O) -> Self {
        self.check(move |subject| {
            let oracle = make();
            methods::oracle_is_right(subject, name, &oracle, &subject.positions);
        })
    }

    /// Proves a table: same as [`Contract::oracle`], and its values are consistent at every index.
    fn table<O: Oracle<G> + 'static>(self, name: &'static str, make: fn() -> O) -> Self
    where
        G: Indexed,
    {
        self.check(move |subject| {
            let table = make();
            methods::oracle_is_right(subject, name, &table, &subject.positions);
            let all = abilities::indices_to_try(&subject.game).filter_map(|n| subject.game.position(n));
            methods::oracle_is_right(subject, name, &table, &all.collect::<Vec<_>>());
        })
    }

    /// Runs all checks.
    pub fn run(self) {
        let brute = Brute::solve(&self.game, &self.roots, self.limit);
        let exhaustive = brute.is_some();
        let positions = match brute {
            Some(brute) => brute.positions,
            None => random_positions(&self.game, &self.roots),
        };
        let mut roots = positions.clone();
        for other in &self.needs_values_of {
            roots.extend(positions.iter().filter_map(|p| other(&self.game, p)));
        }
        // If play from the start is too much, the ends of games may still be few enough.
        let brute = Brute::solve(&self.game, &roots, 4 * self.limit);
        let subject = Subject { game: self.game, positions, exhaustive, brute };
        rules::words_are_read_back(&subject, self.standard_fen);
        for check in &self.checks {
            check(&subject);
        }
        rules::garbage_is_refused_politely(&subject, &self.pokes);
    }

    fn check(mut self, check: impl Fn(&Subject<G>) + 'static) -> Self {
        self.checks.push(Box::new(check));
        self
    }

    fn poke(mut self, poke: impl Fn(&G, &G::Position) + 'static) -> Self {
        self.pokes.push(Box::new(poke));
        self
    }
}

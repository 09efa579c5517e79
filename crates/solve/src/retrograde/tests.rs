use super::shard::RetrogradeShard;
use super::*;
use crate::together::together;
use grundy_core::game::{Flow, Game, MORE, Player};
use grundy_core::table::{Coding, Meaning, Width};
use grundy_core::value::Value;
use grundy_session::quiet_work;

/// A token on a graph: what each node's exits are, who owns it (0: players alternate), and what an end is worth.
pub(crate) struct Token {
    pub(crate) exits: Vec<Vec<usize>>,
    pub(crate) owner: Vec<usize>,
    pub(crate) ends: Vec<Value>,
}

impl Token {
    fn node(&self, position: &(usize, Player)) -> usize {
        position.0
    }
}

impl Game for Token {
    type Position = (usize, Player);
    type Move = usize;
    fn start(&self) -> Self::Position {
        (0, Player::One)
    }
    fn turn(&self, position: &Self::Position) -> Player {
        position.1
    }
    fn over(&self, position: &Self::Position) -> Option<Value> {
        let node = self.node(position);
        self.exits[node].is_empty().then(|| self.ends[node])
    }
    fn moves(&self, position: &Self::Position, visit: &mut impl FnMut(usize) -> Flow) -> Flow {
        self.exits[self.node(position)].iter().try_for_each(|&to| visit(to))
    }
    fn play(&self, position: &Self::Position, to: usize) -> Self::Position {
        let turn = match self.owner[to] {
            1 => Player::One,
            2 => Player::Two,
            _ => !position.1,
        };
        (to, turn)
    }
}
impl Scored for Token {}
impl Indexed for Token {
    fn size(&self) -> u64 {
        self.exits.len() as u64 * 2
    }
    fn index(&self, position: &Self::Position) -> u64 {
        (position.0 * 2 + position.1.index()) as u64
    }
    fn position(&self, index: u64) -> Option<Self::Position> {
        let (node, turn) = ((index / 2) as usize, index % 2);
        let owner = if turn == 0 { Player::One } else { Player::Two };
        (self.owner[node] == 0 || self.owner[node] == owner.index() + 1).then_some((node, owner))
    }
}
impl Reversible for Token {
    fn predecessors(&self, position: &Self::Position, visit: &mut impl FnMut(Self::Position)) {
        for from in 0..self.exits.len() {
            for turn in [Player::One, Player::Two] {
                let owned = self.owner[from] == 0 || self.owner[from] == turn.index() + 1;
                if owned && self.exits[from].iter().any(|&to| self.play(&(from, turn), to) == *position) {
                    visit((from, turn));
                }
            }
        }
    }
}

/// The values by repeated sweeps over all positions until nothing changes: slow, and another way than the one tested.
pub(crate) fn by_sweeps(game: &Token) -> Vec<Option<Value>> {
    let mut values: Vec<Option<Value>> =
        (0..game.size()).map(|n| game.position(n).map(|p| game.over(&p).unwrap_or(Value::DRAW))).collect();
    for _ in 0..game.size() + 2 {
        let old = values.clone();
        for number in 0..game.size() {
            let Some(position) = game.position(number).filter(|p| game.over(p).is_none()) else { continue };
            let mut best = None;
            let _ = grundy_core::game::children(game, &position, &mut |_, child, step| {
                best = best.max(Some(old[game.index(&child) as usize].unwrap().back(step)));
                MORE
            });
            values[number as usize] = best;
        }
    }
    values
}

/// A pseudo-random sequence; the tests must be the same every time.
pub(crate) struct Dice(pub(crate) u64);
impl Dice {
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % sides
    }
}

pub(crate) fn random_game(dice: &mut Dice, ends: &[Value]) -> Token {
    let nodes = 2 + dice.roll(30);
    let owned = dice.roll(2) == 1;
    let exits = (0..nodes)
        .map(|_| (0..dice.roll(5)).map(|_| dice.roll(nodes)).collect::<std::collections::BTreeSet<_>>())
        .map(|exits| exits.into_iter().collect())
        .collect();
    Token {
        exits,
        owner: (0..nodes).map(|_| if owned { dice.roll(3) } else { 0 }).collect(),
        ends: (0..nodes).map(|_| ends[dice.roll(ends.len())]).collect(),
    }
}

#[test]
fn a_thousand_random_graphs_agree_with_sweeps_on_one_thread_and_two() {
    let mut dice = Dice(1);
    let ends = [Value::win_in(0), Value::loss_in(0), Value::DRAW, Value::loss_in(0)];
    for number in 0..1000 {
        let game = random_game(&mut dice, &ends);
        let expected = by_sweeps(&game);
        let work = Work { threads: 1 + number % 2, ..quiet_work() };
        let tables = [
            solve(&game, &work).unwrap(),
            solve_reversible(&game, &work).unwrap(),
            solve_forwards(&game, &work).unwrap(),
        ];
        for table in &tables {
            let values: Vec<_> = (0..game.size()).map(|n| table.get(n)).collect();
            assert_eq!(values, expected, "graph {number}");
        }
        assert!(tables.iter().all(|table| *table == tables[0]));
    }
}

#[test]
fn ends_with_distances_of_their_own_are_counted_on_from() {
    let mut dice = Dice(7);
    let ends = [Value::win_in(0), Value::loss_in(3), Value::win_in(200), Value::DRAW, Value::loss_in(12)];
    for number in 0..300 {
        let game = random_game(&mut dice, &ends);
        let expected = by_sweeps(&game);
        for table in [solve(&game, &quiet_work()).unwrap(), solve_forwards(&game, &quiet_work()).unwrap()] {
            let values: Vec<_> = (0..game.size()).map(|n| table.get(n)).collect();
            assert_eq!(values, expected, "graph {number}");
        }
    }
}

#[test]
fn a_long_path_takes_wider_cells() {
    for (nodes, bytes) in [(100, 1), (1_000, 2), (40_000, 4)] {
        let game = Token {
            exits: (0..nodes).map(|n: usize| n.checked_sub(1).into_iter().collect()).collect(),
            owner: vec![0; nodes],
            ends: vec![Value::loss_in(0); nodes],
        };
        let table = solve(&game, &quiet_work()).unwrap();
        assert_eq!(table.cells().unwrap().len(), nodes * 2 * bytes);
        if nodes < 40_000 {
            assert_eq!(solve_forwards(&game, &quiet_work()).unwrap(), table);
        }
        for n in 0..nodes {
            let plies = n as u32;
            let expected = if n % 2 == 0 { Value::loss_in(plies) } else { Value::win_in(plies) };
            assert_eq!(table.get(2 * n as u64), Some(expected));
        }
    }
}

#[test]
fn many_children_take_wider_cells_only_while_they_are_counted() {
    // Node 0 leads to 300 nodes that all lead to the one end, which is won for the player who is to move there.
    let mut exits = vec![(1..=300).collect()];
    exits.extend(vec![vec![301]; 300]);
    exits.push(vec![]);
    let game = Token { owner: vec![0; 302], ends: vec![Value::loss_in(0); 302], exits };
    let table = solve(&game, &quiet_work()).unwrap();
    assert_eq!(table.get(0), Some(Value::loss_in(2)));
    assert_eq!(table.coding().width, Width::One);
}

#[test]
fn an_end_of_unknown_distance_leaves_outcomes_only() {
    let game =
        Token { exits: vec![vec![1, 2], vec![], vec![0]], owner: vec![0; 3], ends: vec![Value::LOSS; 3] };
    let table = solve(&game, &quiet_work()).unwrap();
    assert_eq!(table.coding(), Coding { meaning: Meaning::Outcome, width: Width::Quarter });
    assert_eq!(
        (table.get(0), table.get(2), table.get(4)),
        (Some(Value::WIN), Some(Value::LOSS), Some(Value::LOSS))
    );
}

#[test]
fn stopped_work_gives_no_table() {
    let stop = std::sync::atomic::AtomicBool::new(true);
    let game = random_game(&mut Dice(3), &[Value::DRAW]);
    let work = Work { stop: &stop, ..quiet_work() };
    assert_eq!(solve(&game, &work), Err(SolveError::Stopped));
    assert_eq!(solve_reversible(&game, &work), Err(SolveError::Stopped));
    assert_eq!(solve_forwards(&game, &work), Err(SolveError::Stopped));
}

#[test]
fn shards_make_the_same_tables_and_prove_them() {
    let mut dice = Dice(11);
    let measured = [Value::win_in(0), Value::loss_in(3), Value::win_in(200), Value::DRAW, Value::loss_in(0)];
    let outcomes = [Value::WIN, Value::LOSS, Value::DRAW, Value::loss_in(0)];
    for number in 0..600 {
        let ends = if number % 3 == 0 { &outcomes[..] } else { &measured[..4 + number % 2] };
        let game = random_game(&mut dice, ends);
        let parts = 1 + number as u32 % 4;
        let make = |part| -> Result<Box<dyn grundy_session::Shard + '_>, SolveError> {
            Ok(Box::new(RetrogradeShard::reversible(&game, part, parts)?))
        };
        let made = together(parts, game.size(), &make, &mut |sides| dice.roll(sides)).unwrap();
        let table = solve_reversible(&game, &quiet_work()).unwrap();
        assert_eq!((made.coding(), made.cells()), (table.coding(), table.cells()), "graph {number}");
    }
}

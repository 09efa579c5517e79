use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use super::shard::RetrogradeShard;
use super::spilled::{Room, solve_spilled};
use super::*;
use crate::moves::{ListMoves, Moves, MovesOf, Place};
use crate::together::{kept, together};
use grundy_core::game::{Flow, Game, MORE, Player};
use grundy_core::table::{Checkpoint, Coding, EveryCheckpoint, Label, Maker, Meaning, Width};
use grundy_core::value::Value;
use grundy_session::{Next, Outbox, Shard, quiet_work};

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
    random_graph(dice, nodes, ends)
}

/// Creates a random game of `nodes` nodes.
fn random_graph(dice: &mut Dice, nodes: usize, ends: &[Value]) -> Token {
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
    for (nodes, bytes) in [(100, 1), (254, 1), (255, 2), (1_000, 2), (40_000, 4)] {
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

/// Compares the shards of a game with its table, by its own predecessors and by its moves turned round.
fn compare_shards(game: &Token, parts: u32, dice: &mut Dice, at: &str) {
    let table = solve_reversible(game, &quiet_work()).unwrap();
    let reversible = |part| -> Result<Box<dyn grundy_session::Shard + '_>, SolveError> {
        Ok(Box::new(RetrogradeShard::reversible(game, part, parts)?))
    };
    let reversed = |part| -> Result<Box<dyn grundy_session::Shard + '_>, SolveError> {
        let moves = [(); 2].map(|()| Box::new(MovesOf { game }) as Box<dyn ListMoves>);
        Ok(Box::new(RetrogradeShard::reversed(Box::new(Whole(game)), moves, false, (part, parts))?))
    };
    let made = [
        together(parts, game.size(), &reversible, &mut |sides| dice.roll(sides)).unwrap(),
        together(parts, game.size(), &reversed, &mut |sides| dice.roll(sides)).unwrap(),
    ];
    for (made, how) in made.iter().zip(["own predecessors", "moves turned round"]) {
        assert_eq!((made.coding(), made.cells()), (table.coding(), table.cells()), "{at}, {how}");
    }
}

const MEASURED: [Value; 5] =
    [Value::win_in(0), Value::loss_in(3), Value::win_in(200), Value::DRAW, Value::loss_in(0)];
const OUTCOMES: [Value; 4] = [Value::WIN, Value::LOSS, Value::DRAW, Value::loss_in(0)];

#[test]
fn shards_make_the_same_tables_and_prove_them() {
    let mut dice = Dice(11);
    for number in 0..400 {
        let ends = if number % 3 == 0 { &OUTCOMES[..] } else { &MEASURED[..4 + number % 2] };
        let game = random_game(&mut dice, ends);
        compare_shards(&game, 1 + number as u32 % 4, &mut dice, &format!("graph {number}"));
    }
}

#[test]
fn shards_of_many_tasks_a_round_go_on_wherever_they_were_stopped() {
    let mut dice = Dice(13);
    for number in 0..24 {
        // Without ends of their own distances the positions of a distance are listed, with them they are scanned.
        let ends = match number % 4 {
            0 => &OUTCOMES[..],
            1 => &[Value::win_in(0), Value::loss_in(0)],
            2 => &[Value::win_in(0), Value::loss_in(3), Value::loss_in(12)],
            _ => &MEASURED[..],
        };
        let game = random_graph(&mut dice, 300, ends);
        compare_shards(&game, 1 + number as u32 % 5, &mut dice, &format!("graph {number}"));
    }
}

/// Adds a path of `length` nodes that leads to an end.
fn with_path(mut graph: Token, length: usize) -> Token {
    let nodes = graph.exits.len();
    graph.exits[3] = Vec::new();
    for node in 0..length {
        graph.exits.push(vec![if node == 0 { 3 } else { nodes - 1 + node }]);
        graph.owner.push(0);
        graph.ends.push(Value::loss_in(0));
    }
    graph
}

#[test]
fn shards_widen_their_cells_together() {
    let mut dice = Dice(17);
    // A long path, one on which distances alternate in one byte, an end that is very far, and a position of many moves:
    // each among others.
    let mut paths =
        [400, 220].map(|length| with_path(random_graph(&mut dice, 40, &[Value::loss_in(0)]), length));
    paths[1].owner.fill(0);
    let [long, alternating] = paths;
    let far = random_graph(&mut dice, 12, &[Value::loss_in(33_000), Value::win_in(0)]);
    let mut many = random_graph(&mut dice, 320, &[Value::loss_in(0), Value::win_in(2)]);
    many.exits[7] = (8..310).collect();
    let coding = solve_reversible(&alternating, &quiet_work()).unwrap().coding();
    assert_eq!(coding, Coding { meaning: Meaning::Alternating, width: Width::One });
    let games = [(&long, "long"), (&alternating, "alternating"), (&far, "far"), (&many, "many")];
    for (game, at) in games {
        for parts in [1, 3] {
            compare_shards(game, parts, &mut dice, at);
        }
    }
}

#[test]
fn a_byte_holds_alternating_distances_until_a_move_strays() {
    let mut dice = Dice(23);
    let (mut alternating, mut resumed) = (0, 0);
    for number in 0..6 {
        // The longest distances exceed a byte even by parity; some ends are far from the beginning on.
        let length = [150, 262][number / 3];
        let far = if number % 2 == 0 { Value::loss_in(0) } else { Value::loss_in(140) };
        let mut game = with_path(random_graph(&mut dice, 20, &[Value::loss_in(0), far]), length);
        game.owner.fill(0);
        if number % 3 == 0 {
            game.owner[20 + 125 + dice.roll(20)] = 1 + dice.roll(2);
        }
        let expected = solve_forwards(&game, &quiet_work()).unwrap();
        alternating += u32::from(expected.coding().meaning == Meaning::Alternating);
        let work = Work { threads: 1 + number % 2, ..quiet_work() };
        let mut every = EveryCheckpoint::default();
        let made = solve_reversible_resumable(&game, &work, &mut every).unwrap();
        assert_eq!((made.coding(), made.cells()), (expected.coding(), expected.cells()), "graph {number}");
        let kept = every.kept.swap_remove(every.kept.len() * 9 / 10);
        resumed += u32::from(kept.stage.last() == Some(&1));
        let mut later = EveryCheckpoint { from: Some(kept), kept: Vec::new() };
        let again = solve_reversible_resumable(&game, &work, &mut later).unwrap();
        assert_eq!(again.cells(), expected.cells(), "graph {number}");
    }
    assert!(alternating >= 2 && resumed >= 2, "a test of nothing: {alternating}, {resumed}");
}

/// The first nodes of a game as a part of its own; the values of the others are known.
#[derive(Clone, Copy)]
struct Front<'a> {
    game: &'a Token,
    len: u64,
    values: &'a Table,
}

impl Part for Front<'_> {
    fn len(&self) -> u64 {
        self.len
    }
    fn leaves(&self) -> bool {
        true
    }
    fn stays(&self) -> bool {
        true
    }

    fn look(&self, range: Range<u64>, sights: &mut Sights<'_>) {
        let mut moves = Moves::default();
        self.list(range, &mut moves);
        for (at, place) in moves.positions.iter().enumerate() {
            let mut inner = moves.children[moves.of(at)].to_vec();
            inner.sort_unstable_by_key(|&(child, step)| (child, step.turn_passed));
            inner.dedup();
            let open = Sight::open(inner.len() as u32, place.exit);
            sights.push(place.number, place.over.map_or(open, Sight::over));
        }
    }
}

impl ListMoves for Front<'_> {
    fn list(&self, range: Range<u64>, into: &mut Moves) {
        for number in range {
            let Some(position) = self.game.position(number) else { continue };
            let (over, mut exit) = (self.game.over(&position), None);
            if over.is_none() {
                self.game.child_indices(&position, &mut |child, step| {
                    if child < self.len {
                        into.children.push((child, step));
                    } else {
                        exit = exit.max(self.values.get(child).map(|value| value.back(step)));
                    }
                });
            }
            into.positions.push(Place { number, over, exit, end: into.children.len() });
        }
    }
}

impl Backward for Front<'_> {
    fn visit(&self, number: u64, visit: &mut impl FnMut(u64, bool)) {
        GamePredecessors { game: self.game }.visit(number, &mut |before, passed| {
            if before < self.len {
                visit(before, passed);
            }
        });
    }
}

#[test]
fn shards_of_a_part_take_the_moves_out_of_it_from_finished_tables() {
    let mut dice = Dice(31);
    for number in 0..120 {
        let ends = [Value::win_in(0), Value::loss_in(0), Value::loss_in(7), Value::DRAW];
        let nodes = 6 + dice.roll(if number % 10 == 0 { 200 } else { 30 });
        let mut game = random_graph(&mut dice, nodes, &ends[..2 + number % 3]);
        let front = 1 + dice.roll(nodes - 1);
        for exits in &mut game.exits[front..] {
            exits.retain(|&to| to >= front);
        }
        let values = solve(&game, &quiet_work()).unwrap();
        let part = Front { game: &game, len: 2 * front as u64, values: &values };
        let parts = 1 + number as u32 % 3;
        let make = |own| -> Result<Box<dyn Shard + '_>, SolveError> {
            let mut shard = RetrogradeShard::of_part(
                Box::new(part),
                Box::new(part),
                Box::new(part),
                false,
                (own, parts),
            )?;
            shard.rest_on("others");
            Ok(Box::new(shard))
        };
        let made = together(parts, part.len, &make, &mut |sides| dice.roll(sides)).unwrap();
        let expected = solve_part(Box::new(part), &part, &quiet_work(), &mut NoCheckpoints).unwrap();
        assert_eq!((made.coding(), made.cells()), (expected.coding(), expected.cells()), "graph {number}");
        for at in 0..part.len {
            assert_eq!(made.get(at), values.get(at), "graph {number}, position {at}");
        }
    }
}

/// A part whose work is stopped after a number of looks, as if it was killed.
struct Stopping<'a> {
    part: Front<'a>,
    left: AtomicUsize,
    stop: &'a AtomicBool,
}

impl Part for Stopping<'_> {
    fn len(&self) -> u64 {
        self.part.len
    }
    fn leaves(&self) -> bool {
        true
    }
    fn stays(&self) -> bool {
        true
    }
    fn look(&self, range: Range<u64>, sights: &mut Sights<'_>) {
        self.stop_some_time();
        self.part.look(range, sights);
    }
}

impl Stopping<'_> {
    fn stop_some_time(&self) {
        if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

impl Backward for &Stopping<'_> {
    fn visit(&self, number: u64, visit: &mut impl FnMut(u64, bool)) {
        self.stop_some_time();
        self.part.visit(number, visit);
    }
}

#[test]
fn a_part_from_blocks_on_the_disk_is_the_one_from_memory_however_often_it_is_stopped() {
    let mut dice = Dice(37);
    let mut alternating = 0;
    for number in 0..8 {
        let far = Value::loss_in([7, 150, 12, 160][number % 4]);
        let ends = [Value::loss_in(0), Value::DRAW, far, Value::win_in(0)];
        let nodes = 6 + dice.roll(if number % 10 == 0 { 200 } else { 30 });
        // Those of the last kind have distances that alternate.
        let alternates = number % 4 == 3;
        let mut game = random_graph(&mut dice, nodes, &ends[..if alternates { 3 } else { 2 + number % 3 }]);
        if alternates {
            game.owner.fill(0);
            game.ends[nodes - 1] = far;
            game.exits[nodes - 1] = Vec::new();
            (0..nodes - 1).for_each(|node| game.exits[node].truncate(1));
            (0..nodes / 2).for_each(|node| game.exits[node] = vec![nodes - 1]);
        }
        let front = nodes / 2 + dice.roll(nodes / 2);
        for exits in &mut game.exits[front..] {
            exits.retain(|&to| to >= front);
        }
        let values = solve(&game, &quiet_work()).unwrap();
        let part = Front { game: &game, len: 2 * front as u64, values: &values };
        let expected = solve_part(Box::new(part), &part, &quiet_work(), &mut NoCheckpoints).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let label = Label { name: "front".to_owned(), fingerprint: 1, maker: Maker::Retrograde };
        let (every, memory) = (Duration::ZERO, 512);
        let room = Room { folder: &folder.path().join("parts"), label, every, memory };
        let mut stopped = 0;
        let made = loop {
            let stop = AtomicBool::new(false);
            let left = AtomicUsize::new(2 + dice.roll(20 + 40 * stopped));
            let stopping = Stopping { part, left, stop: &stop };
            let back =
                Stopping { part, left: AtomicUsize::new(1 + dice.roll(20 + 40 * stopped)), stop: &stop };
            let work = Work { stop: &stop, threads: 1 + number % 2, ..quiet_work() };
            match solve_spilled(Box::new(stopping), &&back, &work, &room) {
                Ok(table) => break table,
                Err(error) => assert_eq!(error, SolveError::Stopped),
            }
            stopped += 1;
        };
        assert_eq!(made.coding(), expected.coding(), "graph {number}");
        alternating += u32::from(made.coding().meaning == Meaning::Alternating);
        for at in 0..part.len {
            assert_eq!(made.code(at), expected.code(at), "graph {number}, position {at}");
        }
    }
    assert!(alternating >= 2, "a test of nothing");
}

#[test]
fn what_is_kept_is_kept_again() {
    let mut dice = Dice(19);
    let game = random_graph(&mut dice, 100, &MEASURED);
    let mut shard = RetrogradeShard::reversible(&game, 0, 1).unwrap();
    loop {
        for _ in 0..dice.roll(6) {
            shard.work(&mut Outbox::default()).unwrap();
        }
        let report = shard.report();
        if shard.next(&[report]).unwrap() == Next::Done {
            break;
        }
        let once = kept(&shard);
        let mut other = RetrogradeShard::reversible(&game, 0, 1).unwrap();
        assert!(other.go_on(once.clone()));
        assert_eq!(kept(&other), once);
        if dice.roll(3) == 0 {
            shard = other;
        }
    }
}

#[test]
fn what_was_kept_of_another_size_is_not_gone_on_from() {
    let mut dice = Dice(23);
    let game = random_graph(&mut dice, 100, &MEASURED);
    let mut shard = RetrogradeShard::reversible(&game, 0, 1).unwrap();
    shard.work(&mut Outbox::default()).unwrap();
    let kept = kept(&shard);
    for bad in [
        Checkpoint { stage: Vec::new(), ..kept.clone() },
        Checkpoint { cells: Vec::new(), ..kept.clone() },
        Checkpoint { cells: vec![0; 7], ..kept.clone() },
        Checkpoint { width: Width::Quarter, ..kept.clone() },
        Checkpoint { stage: [&kept.stage[..3], &[1 << 40], &kept.stage[4..]].concat(), ..kept.clone() },
    ] {
        assert!(!RetrogradeShard::reversible(&game, 0, 1).unwrap().go_on(bad));
    }
}

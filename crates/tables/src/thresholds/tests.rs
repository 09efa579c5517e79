//! Random games for points with cycles, against sweeps; forged tables.

use super::shard::{Phase, ThresholdShard};
use super::*;
use crate::moves::{ListMoves, MovesOf};
use crate::parts::Parts;
use crate::together::{kept, together};
use grundy_core::game::Scored;
use grundy_core::game::{Flow, Game, Indexed, MORE, Player, children};
use grundy_core::random::SplitMix64;
use grundy_core::table::{Checkpoint, Checkpoints, Coding, Meaning, Snapshot, Table, Width};
use grundy_core::value::{Unit, Value};
use grundy_session::{Assurance, Next, Outbox, Shard, SolveError, quiet_work};

/// A token on a graph whose ends are worth points; a move to an earlier part may gain some. A number is a node.
pub(crate) struct Token {
    pub(crate) exits: Vec<Vec<usize>>,
    /// The player to move at each node.
    pub(crate) turn: Vec<Player>,
    pub(crate) ends: Vec<i32>,
    /// The points that a move to a node gains, from a later part.
    pub(crate) gain: Vec<i32>,
    pub(crate) parts: Vec<u64>,
}

impl Token {
    pub(crate) fn part(&self, node: usize) -> usize {
        self.parts.partition_point(|&end| end <= node as u64)
    }

    pub(crate) fn random(dice: &mut SplitMix64, largest: i32) -> Token {
        let nodes = 2 + (dice.bits() % 24) as usize;
        Token::of_nodes(dice, nodes, largest)
    }

    /// Creates a random game of a number of nodes.
    pub(crate) fn of_nodes(dice: &mut SplitMix64, nodes: usize, largest: i32) -> Token {
        let mut roll = |n: usize| (dice.bits() % n as u64) as usize;
        let mut parts: Vec<u64> = (0..roll(3)).map(|_| roll(nodes) as u64).collect();
        parts.sort_unstable();
        parts.push(nodes as u64);
        let player = |n| if n == 0 { Player::One } else { Player::Two };
        let turn = (0..nodes).map(|_| player(roll(2))).collect();
        let mut points = || roll(2 * largest as usize + 1) as i32 - largest;
        let (ends, gain) =
            ((0..nodes).map(|_| points()).collect(), (0..nodes).map(|_| points() / 2).collect());
        let mut token = Token { exits: vec![Vec::new(); nodes], turn, ends, gain, parts };
        for node in 0..nodes {
            let end = token.parts[token.part(node)] as usize;
            token.exits[node] = (0..roll(5)).map(|_| roll(end)).collect();
        }
        token
    }
}

impl Game for Token {
    type Position = usize;
    type Move = usize;
    fn start(&self) -> usize {
        0
    }
    fn turn(&self, node: &usize) -> Player {
        self.turn[*node]
    }
    fn over(&self, node: &usize) -> Option<Value> {
        self.exits[*node].is_empty().then(|| Value::points(self.ends[*node]))
    }
    fn moves(&self, node: &usize, visit: &mut impl FnMut(usize) -> Flow) -> Flow {
        self.exits[*node].iter().try_for_each(|&exit| visit(exit))
    }
    fn play(&self, _: &usize, exit: usize) -> usize {
        exit
    }
}

impl Scored for Token {
    fn unit(&self) -> Unit {
        Unit::Points
    }
    fn gain(&self, node: &usize, exit: usize) -> i32 {
        if self.part(exit) < self.part(*node) { self.gain[exit] } else { 0 }
    }
}

impl Indexed for Token {
    fn size(&self) -> u64 {
        self.exits.len() as u64
    }
    fn index(&self, node: &usize) -> u64 {
        *node as u64
    }
    fn position(&self, index: u64) -> Option<usize> {
        (index < self.size()).then_some(index as usize)
    }
}

impl Parted for Token {
    fn parts(&self) -> Vec<u64> {
        self.parts.clone()
    }
    fn before(&self, node: &usize, visit: &mut impl FnMut(usize)) {
        let leads = |from: &usize| self.part(*from) == self.part(*node) && self.exits[*from].contains(node);
        (0..self.exits.len()).filter(leads).for_each(visit);
    }
}

/// Part by part, the values of the game that is broken off after more and more plies there, until nothing changes.
fn by_sweeps(game: &Token) -> Vec<Value> {
    let mut values = vec![Value::DRAW; game.exits.len()];
    let begins = std::iter::once(0).chain(game.parts.iter().copied());
    for (begin, &end) in begins.zip(&game.parts) {
        loop {
            let worth = |node: usize| {
                game.over(&node).unwrap_or_else(|| {
                    let mut best = Value::LOSS;
                    let _ = children(game, &node, &mut |_, child, step| {
                        best = best.max(values[child].back(step));
                        MORE
                    });
                    best
                })
            };
            let part = begin as usize..end as usize;
            let swept: Vec<Value> = part.clone().map(worth).collect();
            if values[part.clone()] == swept {
                break;
            }
            values[part].copy_from_slice(&swept);
        }
    }
    values
}

fn values(table: &Table) -> Vec<Value> {
    (0..table.count()).map(|number| table.get(number).unwrap()).collect()
}

#[test]
fn random_games_have_the_values_of_sweeps() {
    let mut dice = SplitMix64(1);
    for largest in [1, 5, 100, 30_000, 10_000_000] {
        for _ in 0..600 {
            let game = Token::random(&mut dice, largest);
            let table = solve(&game, &quiet_work()).unwrap();
            assert_eq!(values(&table), by_sweeps(&game), "{:?}", game.exits);
            assert_eq!(verify(&game, &table, &quiet_work()).unwrap(), Assurance::Proved);
        }
    }
}

/// Compares the shards of a game with its table, by its own predecessors and by its reversed moves.
fn compare_shards<G: Scored + Parted>(game: &G, parts: u32, dice: &mut SplitMix64, at: &str) {
    let table = solve(game, &quiet_work()).unwrap();
    let mut roll = |sides: usize| (dice.bits() % sides as u64) as usize;
    let own = |part| -> Result<Box<dyn Shard + '_>, SolveError> {
        Ok(Box::new(ThresholdShard::new(game, (part, parts))?))
    };
    let reversed = |part| -> Result<Box<dyn Shard + '_>, SolveError> {
        let moves = [(); 3].map(|()| Box::new(MovesOf { game }) as Box<dyn ListMoves>);
        let all = Parts::by_ends(&game.parts()).list().to_vec();
        Ok(Box::new(ThresholdShard::reversed(game.size(), all, moves, (part, parts))?))
    };
    for (make, how) in [(&own as &dyn Fn(u32) -> _, "own"), (&reversed, "reversed")] {
        let made = together(parts, game.size(), make, &mut roll).unwrap();
        assert_eq!((made.coding(), made.cells()), (table.coding(), table.cells()), "{at}, {how}");
    }
}

#[test]
fn shards_make_the_same_tables_and_prove_them() {
    let mut dice = SplitMix64(3);
    for largest in [1, 5, 100, 30_000, 10_000_000] {
        for number in 0..60 {
            let game = Token::random(&mut dice, largest);
            compare_shards(&game, 1 + number % 4, &mut dice, &format!("{largest}, game {number}"));
        }
    }
}

#[test]
fn shards_of_large_parts_go_on_wherever_they_were_stopped() {
    let mut dice = SplitMix64(5);
    for number in 0..12 {
        let game = Token::of_nodes(&mut dice, 300, 4);
        compare_shards(&game, 1 + number % 5, &mut dice, &format!("game {number}"));
    }
}

#[test]
fn shards_widen_their_cells() {
    let mut dice = SplitMix64(7);
    for nodes in [250, 254, 255, 256, 257, 600] {
        compare_shards(&chain(nodes), 1 + nodes as u32 % 3, &mut dice, &format!("chain of {nodes}"));
    }
    // A move out of the part costs more than a byte holds, and another one nothing: the table needs no wider cells.
    let game = Token {
        exits: vec![vec![], vec![], vec![0, 1]],
        turn: vec![Player::One; 3],
        ends: vec![-1000, 0, 0],
        gain: vec![0; 3],
        parts: vec![2, 3],
    };
    compare_shards(&game, 2, &mut dice, "a loss that is left alone");
    // More moves than a byte counts.
    let mut many = Token::of_nodes(&mut dice, 600, 3);
    many.exits[599] = (0..600).collect();
    compare_shards(&many, 3, &mut dice, "many moves");
}

#[test]
fn what_is_kept_is_kept_again() {
    let mut dice = SplitMix64(11);
    let game = Token::of_nodes(&mut dice, 200, 6);
    let mut shard = ThresholdShard::new(&game, (0, 1)).unwrap();
    loop {
        for _ in 0..dice.bits() % 6 {
            shard.work(&mut Outbox::default()).unwrap();
        }
        let report = shard.report();
        if shard.next(&[report]).unwrap() == Next::Done {
            break;
        }
        let once = kept(&shard);
        let mut other = ThresholdShard::new(&game, (0, 1)).unwrap();
        assert!(other.go_on(once.clone()));
        assert_eq!(kept(&other), once);
        for bad in [
            Checkpoint { stage: Vec::new(), ..once.clone() },
            Checkpoint { cells: vec![0; 7], ..once.clone() },
            Checkpoint { width: Width::Quarter, ..once.clone() },
            Checkpoint { stage: [&[1 << 40], &once.stage[1..]].concat(), ..once.clone() },
            Checkpoint { cells: once.cells[..once.cells.len() - 1].to_vec(), ..once.clone() },
        ] {
            assert!(!ThresholdShard::new(&game, (0, 1)).unwrap().go_on(bad));
        }
        if dice.bits().is_multiple_of(3) {
            shard = other;
        }
    }
}

#[test]
fn a_message_of_another_table_is_refused() {
    let mut dice = SplitMix64(13);
    let game = Token::of_nodes(&mut dice, 100, 6);
    for length in 0..40 {
        let mut shard = ThresholdShard::new(&game, (0, 2)).unwrap();
        let message: Vec<u8> = (0..length).map(|_| dice.bits() as u8 & 3).collect();
        let _ = shard.take(1, &message, &mut Outbox::default());
        // The other shard is silent: this one does what it can alone.
        for _ in 0..100 {
            while shard.work(&mut Outbox::default()).unwrap() {}
            let report = shard.report();
            if shard.phase == Phase::Back || shard.next(&[report]).unwrap() == Next::Done {
                break;
            }
        }
        let _ = shard.take(1, &message, &mut Outbox::default());
    }
}

/// Margins that support each other in a cycle agree with their neighbours, but no ranks do.
#[test]
fn a_cycle_of_points_is_refused() {
    let game = Token {
        exits: vec![vec![1, 2], vec![0], vec![]],
        turn: vec![Player::One, Player::Two, Player::One],
        ends: vec![0, 0, -3],
        gain: vec![0; 3],
        parts: vec![3],
    };
    let coding = Coding { meaning: Meaning::Ranked, width: Width::One };
    let forged = |ranks: [u8; 2]| {
        let cells = vec![133, ranks[0], 123, ranks[1], 125, 0];
        Table::from_cells(coding, 3, cells).unwrap()
    };
    for ranks in [[0, 0], [1, 2], [254, 255], [255, 255], [0, 1]] {
        assert!(verify(&game, &forged(ranks), &quiet_work()).is_err());
    }
    let truth = solve(&game, &quiet_work()).unwrap();
    assert_eq!(values(&truth), [0, 0, -3].map(Value::points));
}

/// Random changes of cells, ranks too: what is proved is true.
#[test]
fn forged_tables_are_refused_or_true() {
    let mut dice = SplitMix64(7);
    let mut proved = 0;
    for _ in 0..400 {
        let game = Token::random(&mut dice, 3);
        let truth = by_sweeps(&game);
        let table = solve(&game, &quiet_work()).unwrap();
        let cells = table.cells().unwrap().to_vec();
        for _ in 0..40 {
            let mut cells = cells.clone();
            for _ in 0..1 + dice.bits() % 4 {
                let at = (dice.bits() % cells.len() as u64) as usize;
                cells[at] = if at.is_multiple_of(2) {
                    124 + (dice.bits() % 9) as u8
                } else {
                    (dice.bits() % 6) as u8
                };
            }
            let forged = Table::from_cells(table.coding(), table.count(), cells).unwrap();
            if verify(&game, &forged, &quiet_work()).is_ok() {
                assert_eq!(values(&forged), truth);
                proved += 1;
            }
        }
    }
    assert!(proved > 0);
}

/// A long way to the points takes cells that hold its rank.
#[test]
fn long_ranks_take_wider_cells() {
    let widths = [(200, Width::One), (255, Width::One), (256, Width::Two), (70_000, Width::Four)];
    for (nodes, width) in widths {
        let game = chain(nodes);
        let table = solve(&game, &quiet_work()).unwrap();
        assert_eq!(table.coding().width, width, "{nodes}");
        assert_eq!(
            (table.get(nodes as u64 - 1), table.rank(nodes as u64 - 1)),
            (Some(Value::points(2)), Some(nodes as u32 - 1))
        );
        assert_eq!(verify(&game, &table, &quiet_work()).unwrap(), Assurance::Proved);
    }
}

/// A row of nodes that knows what stands before each.
struct Chain(Token);

/// Each node leads to the one before it, and the last one also to itself.
fn chain(nodes: usize) -> Chain {
    let mut exits: Vec<Vec<usize>> = (0..nodes).map(|node| vec![usize::max(node, 1) - 1]).collect();
    exits[0].clear();
    exits[nodes - 1].push(nodes - 1);
    let (turn, ends, gain) = (vec![Player::One; nodes], vec![2; nodes], vec![0; nodes]);
    Chain(Token { exits, turn, ends, gain, parts: vec![nodes as u64] })
}

impl Game for Chain {
    type Position = usize;
    type Move = usize;
    fn start(&self) -> usize {
        0
    }
    fn turn(&self, node: &usize) -> Player {
        self.0.turn(node)
    }
    fn over(&self, node: &usize) -> Option<Value> {
        self.0.over(node)
    }
    fn moves(&self, node: &usize, visit: &mut impl FnMut(usize) -> Flow) -> Flow {
        self.0.moves(node, visit)
    }
    fn play(&self, node: &usize, exit: usize) -> usize {
        self.0.play(node, exit)
    }
}

impl Scored for Chain {
    fn unit(&self) -> Unit {
        Unit::Points
    }
}

impl Indexed for Chain {
    fn size(&self) -> u64 {
        self.0.size()
    }
    fn index(&self, node: &usize) -> u64 {
        self.0.index(node)
    }
    fn position(&self, index: u64) -> Option<usize> {
        self.0.position(index)
    }
}

impl Parted for Chain {
    fn parts(&self) -> Vec<u64> {
        self.0.parts()
    }
    fn before(&self, node: &usize, visit: &mut impl FnMut(usize)) {
        let next = [*node, node + 1].into_iter().filter(|&from| from < self.0.exits.len());
        next.filter(|&from| self.0.exits[from].contains(node)).for_each(visit);
    }
}

/// Work that is broken off at any margin goes on to the same table.
#[test]
fn checkpoints_go_on_where_the_work_stopped() {
    struct Kept {
        saves: usize,
        last: Option<Checkpoint>,
        resume: Option<Checkpoint>,
    }
    impl Checkpoints for Kept {
        fn resume(&mut self) -> Option<Checkpoint> {
            self.resume.take()
        }
        fn due(&self) -> bool {
            self.saves > 0
        }
        fn save(&mut self, snapshot: &Snapshot<'_>) {
            let mut cells = vec![0; snapshot.len as usize];
            (snapshot.copy)(0, &mut cells);
            self.saves -= 1;
            self.last = Some(Checkpoint { stage: snapshot.stage.to_vec(), width: snapshot.width, cells });
        }
    }
    let mut dice = SplitMix64(3);
    let mut resumed = 0;
    for largest in [5, 1_000] {
        for _ in 0..200 {
            let game = Token::random(&mut dice, largest);
            let table = solve(&game, &quiet_work()).unwrap();
            for saves in 1..6 {
                let mut kept = Kept { saves, last: None, resume: None };
                solve_resumable(&game, &quiet_work(), &mut kept).unwrap();
                let Some(last) = kept.last else { continue };
                resumed += 1;
                let mut kept = Kept { saves: 0, last: None, resume: Some(last) };
                assert!(solve_resumable(&game, &quiet_work(), &mut kept).unwrap() == table);
            }
        }
    }
    assert!(resumed > 500);
}

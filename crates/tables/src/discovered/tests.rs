//! Shards of cyclic games for points, of which nothing is known but the moves.

use grundy_core::game::{Flow, Game, MORE, Player, Scored, children};
use grundy_core::random::SplitMix64;
use grundy_core::table::{Meaning, NoCheckpoints};
use grundy_core::value::{Step, Unit, Value};
use grundy_session::{Shard, SolveError, quiet_work};
use std::sync::Arc;

use super::keys::Places;
use super::shard::shard;
use super::{Horizon, Packed, find, solve};
use crate::thresholds::tests::Token;
use crate::together::together;

/// A token on a graph that begins at the last node; with `free` every move may gain points.
struct Wanderer {
    token: Token,
    free: bool,
}

impl Game for Wanderer {
    type Position = usize;
    type Move = usize;
    fn start(&self) -> usize {
        self.token.exits.len() - 1
    }
    fn turn(&self, node: &usize) -> Player {
        self.token.turn(node)
    }
    fn over(&self, node: &usize) -> Option<Value> {
        self.token.over(node)
    }
    fn moves(&self, node: &usize, visit: &mut impl FnMut(usize) -> Flow) -> Flow {
        self.token.moves(node, visit)
    }
    fn play(&self, node: &usize, exit: usize) -> usize {
        self.token.play(node, exit)
    }
}

impl Scored for Wanderer {
    fn unit(&self) -> Unit {
        Unit::Points
    }
    fn gain(&self, node: &usize, exit: usize) -> i32 {
        if self.free { self.token.gain[exit] } else { self.token.gain(node, exit) }
    }
}

/// The part stands above the node.
impl Packed for Wanderer {
    fn bits(&self) -> Option<u32> {
        Some(40)
    }
    fn class_shift(&self) -> u32 {
        32
    }
    fn pack(&self, node: &usize) -> Option<u128> {
        Some((self.token.part(*node) as u128) << 32 | *node as u128)
    }
    fn unpack(&self, code: u128) -> usize {
        code as u32 as usize
    }
    fn expand(&self, code: u128, visit: &mut dyn FnMut(u128, Step)) -> Option<Value> {
        let node = self.unpack(code);
        let over = self.over(&node);
        if over.is_none() {
            let _ = children(self, &node, &mut |_, child, step| {
                visit(self.pack(&child).unwrap(), step);
                MORE
            });
        }
        over
    }
    fn fault(&self) -> Option<String> {
        None
    }
    fn checksum(&self) -> u64 {
        0
    }
}

#[test]
fn shards_make_the_tables_of_one_machine_with_ranks_and_without() {
    let mut dice = SplitMix64(17);
    let (mut ranked, mut unranked, mut refused) = (0, 0, 0);
    for number in 0..300 {
        let nodes = 2 + (dice.bits() % if number % 10 == 0 { 200 } else { 20 }) as usize;
        let mut token = Token::of_nodes(&mut dice, nodes, 1 + number % 7 * 30);
        let free = number % 2 == 0;
        if number % 4 == 0 {
            // No play is cyclic, though a class leads to itself.
            token.exits.iter_mut().enumerate().for_each(|(node, exits)| exits.retain(|&exit| exit < node));
        }
        let game = Wanderer { token, free };
        let found = Arc::new(find(&game, &Horizon::default(), &quiet_work()).unwrap().unwrap());
        let places = Arc::new(Places::new(&found.keys));
        let parts = 1 + number as u32 % 4;
        let make = |part| -> Result<Box<dyn Shard + '_>, SolveError> {
            shard(&game, &found, &places, (part, parts))
        };
        let mut roll = |sides: usize| (dice.bits() % sides as u64) as usize;
        let made = together(parts, found.keys.len() as u64, &make, &mut roll);
        match solve(&game, &found, &quiet_work(), &mut NoCheckpoints) {
            Ok(table) => {
                let made = made.unwrap();
                assert_eq!((made.coding(), made.cells()), (table.coding(), table.cells()), "game {number}");
                *if table.coding().meaning == Meaning::Ranked { &mut ranked } else { &mut unranked } += 1;
            }
            Err(error) => {
                assert_eq!(made.err(), Some(error), "game {number}");
                refused += 1;
            }
        }
    }
    assert!(ranked > 30 && unranked > 30 && refused > 30, "{ranked} {unranked} {refused}");
}

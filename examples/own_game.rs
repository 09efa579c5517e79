//! Your own game with the whole engine behind it: `cargo run --release --example own_game -- analyze twin-heaps`.
//!
//! Two heaps of counters. A move takes one or two counters from one heap, or one from each; a player who cannot move loses.
//! Under a hundred lines suffice for UGI, UCI and GTP, `analyze`, `play`, `solve`, `tables` and `perft`.
//! The referee with this game in it is `examples/own_referee.rs`.

use std::process::ExitCode;

use grundy::game::{Flow, Game, Indexed, MORE, Notation, Player, Scored};
use grundy::search::play::play;
use grundy::session::{Row, Shape};
use grundy::tables::TableOracle;
use grundy::tables::layers::{Acyclic, Order};
use grundy::value::Value;
use grundy::words::{fields, list};

/// The rules, with the heaps at the start of a game.
pub struct TwoHeaps([u8; 2]);

/// The heaps, and who is to move.
type Position = ([u8; 2], Player);

impl Game for TwoHeaps {
    type Position = Position;
    /// How many counters go from each heap.
    type Move = [u8; 2];

    fn start(&self) -> Position {
        (self.0, Player::One)
    }
    fn turn(&self, position: &Position) -> Player {
        position.1
    }
    fn over(&self, position: &Position) -> Option<Value> {
        (position.0 == [0, 0]).then_some(Value::loss_in(0))
    }
    fn moves(&self, &(heaps, _): &Position, visit: &mut impl FnMut([u8; 2]) -> Flow) -> Flow {
        for m in [[1, 0], [2, 0], [0, 1], [0, 2], [1, 1]] {
            if m[0] <= heaps[0] && m[1] <= heaps[1] {
                visit(m)?;
            }
        }
        MORE
    }
    fn play(&self, &(heaps, turn): &Position, m: [u8; 2]) -> Position {
        ([heaps[0] - m[0], heaps[1] - m[1]], !turn)
    }
}

impl Scored for TwoHeaps {}

impl Notation for TwoHeaps {
    fn write_position(&self, &([a, b], turn): &Position) -> String {
        format!("{a},{b} {}", turn.digit())
    }
    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([heaps], turn) = fields(text, "two heaps as 3,5")?;
        match list(heaps, "heaps", 200, 2)?[..] {
            [a, b] => Ok(([a as u8, b as u8], turn)),
            _ => Err("expected two heaps as 3,5".to_owned()),
        }
    }
    fn write_move(&self, _: &Position, [a, b]: [u8; 2]) -> String {
        format!("{a}-{b}")
    }
}

/// For a table of all positions: both heaps as one index. The value does not depend on the player to move.
impl Indexed for TwoHeaps {
    fn size(&self) -> u64 {
        201 * 201
    }
    fn index(&self, &([a, b], _): &Position) -> u64 {
        u64::from(a) * 201 + u64::from(b)
    }
    fn position(&self, n: u64) -> Option<Position> {
        (n < self.size()).then_some(([(n / 201) as u8, (n % 201) as u8], Player::One))
    }
}

impl Acyclic for TwoHeaps {
    fn order(&self) -> Order {
        Order::Lower
    }
}

/// The row of the catalog: the game's name, and the method that solves it.
pub const ROW: Row = Row::new("twin-heaps", "twin-heaps:3,5", |spec| {
    let heaps = spec.list("a heap", 0..=200_u8)?.unwrap_or_else(|| vec![3, 5]);
    let &[a, b] = &heaps[..] else { return Err(format!("{} heaps: expected two", heaps.len())) };
    Ok(play(spec, TwoHeaps([a, b])).oracle(TableOracle::layers()).session())
})
.parameters("HEAP,HEAP")
.about("take 1 or 2 from a heap, or 1 from each; last move wins")
.method("table by layers")
.shape(Shape::Heaps);

#[allow(dead_code)] // the referee's example takes the row only
fn main() -> ExitCode {
    grundy::main(&[ROW])
}

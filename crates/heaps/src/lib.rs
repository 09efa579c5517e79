//! Games of heaps: Nim and its relatives, most of them impartial, and the methods that solve them.
//!
//! Values come from formulas, from Grundy numbers by their recursion, or from the period of an octal game:
//!
//! ```
//! use grundy_core::game::Game;
//! use grundy_heaps::heap_game::HeapGame;
//! use grundy_heaps::nim::Nim;
//! use grundy_tables::Oracle;
//! use grundy_sums::formula::ByFormula;
//! use grundy_core::value::Value;
//! use grundy_session::quiet_work;
//!
//! let nim = HeapGame::new(Nim::new(vec![3, 5, 7], None, false)?);
//! assert_eq!(ByFormula.value(&nim, &nim.start()), Some(Value::WIN));
//! assert_eq!(ByFormula.keeping_moves(&nim, &nim.start()).map(|moves| moves.len()), Some(3));
//! assert_eq!(ByFormula.grundy(&nim, &nim.start(), &quiet_work()), Some(3 ^ 5 ^ 7));
//! # Ok::<(), String>(())
//! ```
//!
//! ```
//! use grundy_core::game::Game;
//! use grundy_heaps::heap_game::HeapGame;
//! use grundy_heaps::nim::Nim;
//! use grundy_tables::Oracle;
//! use grundy_sums::sum::BySum;
//! use grundy_core::value::Value;
//! use grundy_session::quiet_work;
//!
//! let nim = HeapGame::new(Nim::new(vec![3, 5, 6], Some(4), false)?);
//! let sum = BySum::default();
//! assert_eq!(sum.grundy(&nim, &nim.start(), &quiet_work()), Some(3 ^ 0 ^ 1));
//! assert_eq!(sum.value(&nim, &nim.start()), Some(Value::WIN));
//! # Ok::<(), String>(())
//! ```
//!
//! ```
//! use grundy_core::game::Game;
//! use grundy_heaps::heap_game::HeapGame;
//! use grundy_heaps::heaps::{Heaps, Rule};
//! use grundy_tables::Oracle;
//! use grundy_sums::octal::ByOctal;
//! use grundy_core::value::Value;
//! use grundy_session::quiet_work;
//!
//! let kayles = HeapGame::new(Heaps::new(Rule::read("kayles")?, vec![1_000_000_000], false)?);
//! let oracle = ByOctal::default();
//! assert_eq!(oracle.grundy(&kayles, &kayles.start(), &quiet_work()), Some(1)); // as heap 76: 1,000,000,000 is 4 mod 12
//! assert_eq!(oracle.period(&kayles).map(|p| p.length), Some(12));
//! # Ok::<(), String>(())
//! ```

pub mod chomp;
pub mod coins;
pub mod count;
pub mod fibonacci;
pub mod heap_game;
pub mod heaps;
pub mod increase;
pub mod moore;
pub mod nim;
pub mod nimble;
pub mod northcott;
// Without the rows a unit test of this crate compiles no method.
#[cfg(not(test))]
mod rows;
pub mod silver;
pub mod staircase;
pub mod stones;
pub mod subtract;
pub mod sum;
pub mod summand;
pub mod wythoff;

#[cfg(not(test))]
pub use rows::{ROWS, SUMMANDS, open_sum, sum_row};

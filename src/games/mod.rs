//! The games, one file each: rules, numbering, notation. No method is known here, and nothing prints.

pub mod chess;
pub mod chomp;
pub mod coins;
pub mod connect4;
pub mod count;
pub mod dots;
pub mod euler;
pub mod fibonacci;
pub mod graph;
pub mod heaps;
pub mod increase;
pub mod lgame;
pub mod mnk;
pub mod moore;
pub mod nim;
pub mod nimble;
pub mod northcott;
pub mod police;
pub mod row;
pub mod silver;
pub mod staircase;
pub mod stones;
pub mod subtract;
pub mod words;
pub mod wythoff;

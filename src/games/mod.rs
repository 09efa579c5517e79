//! The games, one file each: rules, numbering, notation. No method is known here, and nothing prints.

pub mod chess;
pub mod connect4;
pub mod count;
pub mod dots;
pub mod euler;
pub mod heaps;
pub mod lgame;
pub mod mnk;
pub mod nim;
pub mod stones;
pub mod subtract;
pub mod words;

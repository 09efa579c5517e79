//! Budgets: how large a rules file may be, and how long one question about a position may take. What goes beyond them
//! is refused by name.

/// The longest rules file, in bytes.
pub const TEXT: u64 = 4 << 20;
/// Tokens that macros may make of it, all steps of the expansion together.
pub const TOKENS: usize = 6_000_000;
/// How deep macros may call each other, and parentheses may nest.
pub const DEPTH: usize = 120;
/// Cells of a board.
pub const CELLS: usize = 4_096;
/// Pieces; a cell of a position is one byte.
pub const PIECES: usize = 200;
/// Players and variables together.
pub const VARIABLES: usize = 200;
/// The largest bound of a player's score or a variable.
pub const BOUND: u32 = 1_000_000_000;
/// Actions of the rules with powers written out.
pub const ACTIONS: usize = 2_000_000;
/// Steps that may pass in a position until the next legal move is found.
pub const STEPS: u64 = 20_000_000;
/// Moves of one position of a game that is to be solved.
pub const MOVES: usize = 1_000_000;
/// Modifiers of one move.
pub const MODIFIERS: usize = 20_000;
/// Modifiers inside a check that are in force at once.
pub const CHECKED: usize = 600;
/// Moves of the keeper between two moves of players.
pub const KEEPER: usize = 200_000;

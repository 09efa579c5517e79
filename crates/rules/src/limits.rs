//! Limits: the size of a rules file, and the work for one query of a position. Whatever exceeds them is refused by
//! name.

/// The longest rules file, in bytes.
pub const TEXT: u64 = 4 << 20;
/// Maximum number of tokens after the expansion of macros, all steps together.
pub const TOKENS: usize = 6_000_000;
/// Maximum depth of macro calls and of parentheses.
pub const DEPTH: usize = 120;
/// Maximum number of operators in a value, which bounds how deep it is.
pub const OPERATORS: usize = 2_000;
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
/// Maximum number of steps in a position, besides [`STEPS_OF_A_MOVE`] for each legal move found.
pub const STEPS: u64 = 20_000_000;
/// Steps that a legal move allows for: a millisecond.
pub const STEPS_OF_A_MOVE: u64 = 100_000;
/// Maximum number of moves of one position of a game that is to be solved.
pub const MOVES: usize = 1_000_000;
/// Modifiers of one move.
pub const MODIFIERS: usize = 20_000;
/// Maximum number of modifiers inside a check that are in force at once.
pub const CHECKED: usize = 600;
/// Moves of the keeper between two moves of players.
pub const KEEPER: usize = 200_000;

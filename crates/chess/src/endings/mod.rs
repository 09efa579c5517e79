//! Endings with few men, laid out for the bit-parallel method: the 64 squares of the last man are the bits of a word.
//!
//! A block is a pair of kings up to symmetry. Of the other men the last is indexed by the bits of a word, the one
//! before it by the 64 words of a plane, a third by the 64 planes of the block. Placements that cannot occur on a board
//! encode positions just after a special move:
//!
//! * two men of different colours on one square: the one of the side to move has just been taken, so the value is that
//!   of the smaller ending (an exit);
//! * a pawn on its last rank: it has been promoted, to the piece that is worst for the side to move (an exit);
//! * a pawn on its first rank: it has just made a double step on this file and is on its fourth rank, where it can be
//!   taken en passant; it moves nowhere, and all moves of the side to move are those of the position without that
//!   right, and the capture. A pawn so taken is encoded on its first rank, its captor on its third.
//!
//! Of an ending of two men with a pawn a portion with that pawn on one file has a smaller layout of its own
//! ([`FileLayout`]).
//!
//! An ending of three men with pawns is laid out in slices instead ([`Sliced`]): one pawn is fixed on a square of the
//! files a to d, and each such square gives a slice with two men. The fixed pawn's own moves lead to slices that are
//! already solved.
//!
//! Castling and the fifty-move rule are left out, as is usual in endgame tables with distances to mate.

mod arrangement;
mod census;
mod classes;
mod exits;
mod file_layout;
mod file_portion;
mod fixed_pawn;
mod forms;
mod indexed;
mod layout;
mod link;
mod man;
mod numbering;
mod on_file;
mod pairs;
mod place;
mod slices;
mod slicing;
mod unmoves;

pub use self::census::Census;
pub use self::file_layout::FileLayout;
pub use self::file_portion::OnFile;
pub use self::forms::Layout;
pub use self::layout::Planes;
pub use self::numbering::{Numbering, is_laid_out};
pub use self::slices::Sliced;
pub use self::slicing::Slicing;

//! The place of a chess position in its ending's layout.

use cozy_chess::Color;

use super::arrangement::Arrangement;
use super::pairs::turned;
use crate::material::{Material, ORDER};
use crate::rules::Position;
use grundy_tables::superposed::Place;

/// No place: the position has other men than the layout.
pub(super) const OUTSIDE: Place = Place { side: 0, word: usize::MAX, bit: 0 };

/// Returns the place of a position in its ending's layout; identical men are ordered by rising square.
pub(super) fn place(arrangement: &Arrangement, ending: Material, position: &Position) -> Option<Place> {
    let board = position.board();
    // If colours are exchanged the board is turned over with them.
    let swap = position.material() != ending;
    let flip = if swap { 56 } else { 0 };
    let color = |side: usize| if (side == 1) != swap { Color::Black } else { Color::White };
    let kings = [0, 1].map(|side| board.king(color(side)) as u8 ^ flip);
    let mut left: [_; 2] =
        std::array::from_fn(|side| ORDER.map(|piece| board.colored_pieces(color(side), piece)));
    let jumped = position.en_passant().map(|file| file as u8);
    let mut squares = [0; 3];
    for (to, man) in squares.iter_mut().zip(&arrangement.men) {
        let same = &mut left[usize::from(man.side)][usize::from(man.kind)];
        let square = same.next_square()?;
        *same ^= square.bitboard();
        let s = square as u8 ^ flip;
        let may_be_taken = man.is_pawn()
            && color(usize::from(man.side)) != board.side_to_move()
            && man.own_rank(s) == 3
            && jumped == Some(s & 7);
        *to = if may_be_taken { 8 * man.double_rank() + (s & 7) } else { s };
    }
    let squares = &mut squares[..arrangement.men.len()];
    let turn = if arrangement.sliced {
        let twins = (0..squares.len()).filter(|&i| arrangement.men[i] == arrangement.men[0]);
        let first = twins.min_by_key(|&i| Arrangement::seniority(squares[i]))?;
        squares.swap(0, first);
        u8::from(squares[0] & 7 > 3)
    } else {
        arrangement.pairs.find(kings[0], kings[1])?.turn
    };
    let kings = kings.map(|king| if arrangement.sliced { turned(turn, king) } else { king });
    let pair = arrangement.pairs.find(kings[0], kings[1])?.pair;
    squares.iter_mut().for_each(|square| *square = turned(turn, *square));
    for i in usize::from(arrangement.sliced)..squares.len() {
        let mut at = i;
        while at > usize::from(arrangement.sliced)
            && arrangement.men[at - 1] == arrangement.men[at]
            && squares[at - 1] > squares[at]
        {
            squares.swap(at - 1, at);
            at -= 1;
        }
    }
    let (word, bit) = arrangement.number(pair, squares)?;
    Some(Place { side: usize::from(board.side_to_move() != color(0)), word, bit })
}

//! The indexing of chess positions.

use cozy_chess::{BoardBuilder, Color, Piece, Square};

use super::man::{Man, kept};
use super::numbering::{BARE, Class, bare};
use super::place::place;
use crate::material::{Material, ORDER};
use crate::rules::{Chess, Position};
use grundy_core::game::Indexed;

impl Indexed for Chess {
    fn size(&self) -> u64 {
        self.numbering().size
    }

    fn index(&self, position: &Position) -> u64 {
        let numbering = self.numbering();
        let ending = kept(position.material());
        if ending == BARE {
            let board = position.board();
            let kings = [Color::White, Color::Black].map(|color| board.king(color) as u8);
            let step = bare().find(kings[0], kings[1]);
            let side = u64::from(board.side_to_move() == Color::Black);
            let pairs = bare().kings.len() as u64;
            return numbering.bare + side * pairs + step.map_or(0, |step| u64::from(step.pair));
        }
        // A position that was read is in the scope, so its class is here.
        let Some(class) = numbering.classes.get(&ending) else { return numbering.size };
        let Some(place) = place(&class.arrangement, ending, position) else { return numbering.size };
        class.first + place.side as u64 * class.span + place.word as u64 * 64 + place.bit as u64
    }

    fn loose(&self) -> bool {
        true
    }

    fn position(&self, index: u64) -> Option<Position> {
        let numbering = self.numbering();
        let mut builder = BoardBuilder::empty();
        let (men, kings, squares, side): (&[Man], _, _, _) = if index >= numbering.bare {
            let pairs = &bare().kings;
            let rest = (index - numbering.bare) as usize;
            (&[], *pairs.get(rest % pairs.len())?, [0; 3], rest / pairs.len())
        } else {
            let begins = |ending: &Material| numbering.classes.get(ending).is_some_and(|c| c.first <= index);
            let ending = numbering.order[numbering.order.partition_point(begins).checked_sub(1)?];
            let Class { first, span, arrangement } = numbering.classes.get(&ending)?;
            let (side, rest) = ((index - first) / span, (index - first) % span);
            let (word, bit) = ((rest / 64) as usize, (rest % 64) as u8);
            if arrangement.stands(side as usize, word) >> bit & 1 == 0 {
                return None;
            }
            let (kings, squares) = arrangement.squares(word, usize::from(bit))?;
            (&arrangement.men, kings, squares, side as usize)
        };
        if side > 1 {
            return None;
        }
        let mover = Color::ALL[side];
        let kinged = [(kings[0], Color::White), (kings[1], Color::Black)];
        let mut pieces = kinged.map(|(square, color)| (square, Piece::King, color)).to_vec();
        for (man, &square) in men.iter().zip(&squares) {
            let color = Color::ALL[usize::from(man.side)];
            let mut square = square;
            if man.is_pawn() && square >> 3 == man.double_rank() && color != mover {
                // A double step just made: the pawn is on its fourth rank.
                let file = square & 7;
                builder.en_passant = Some(Square::index(usize::from(man.rank(2) + file)));
                square = man.rank(3) + file;
            }
            pieces.push((square, ORDER[usize::from(man.kind)], color));
        }
        for (square, piece, color) in pieces {
            let on = &mut builder.board[usize::from(square)];
            if on.replace((piece, color)).is_some() {
                return None;
            }
        }
        builder.side_to_move = mover;
        let position = Position::new(builder.build().ok()?)?;
        (self.index(&position) == index).then_some(position)
    }
}

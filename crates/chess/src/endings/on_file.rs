//! Portions of the endings of two men with a pawn: that pawn is on one file, and so is the other man if it is a pawn.
//!
//! A portion holds all that play within the ending can lead to from any of its positions, since a pawn leaves its file only
//! by a capture. It has an index of its own: the pair of kings (all 3,612, with the pawn on the files a to d), the pawn's
//! rank from its own side, the square of the other man.

use super::arrangement::Arrangement;
use super::man::{Man, PAWN, kept, material};
use super::pairs::{Pairs, turned};
use crate::material::Material;
use grundy_tables::superposed::{Part, Place, Portion};

/// The number of files: chains are numbered by the file of the pawn, then by that of another pawn.
const FILES: usize = 8;

/// Returns the index among the men of the pawn whose file is fixed; `None` if the ending has no such portions.
pub(super) fn pawn(arrangement: &Arrangement) -> Option<usize> {
    match arrangement.men[..] {
        [a, b] if a != b => [a, b].iter().position(|man| man.is_pawn()),
        _ => None,
    }
}

/// Returns the number of words of a portion with one side to move.
pub(super) fn words() -> usize {
    Pairs::of(1).kings.len() * 8
}

/// Returns the number of chains, each of one portion.
pub(super) fn chains(arrangement: &Arrangement) -> usize {
    let pawns = arrangement.men.iter().filter(|man| man.is_pawn()).count();
    if pawns > 1 { 4 * FILES } else { 4 }
}

/// Returns the symmetry that maps a square to the files a to d.
fn turn_of(square: u8) -> u8 {
    u8::from(square & 7 > 3)
}

/// Returns the portion of a place of the whole ending; `None` if there is none.
pub(super) fn portion(arrangement: &Arrangement, place: Place) -> Option<Portion> {
    let pawn = pawn(arrangement)?;
    let (_, squares) = arrangement.squares(place.word, place.bit)?;
    let turn = turn_of(squares[pawn]);
    let [own, other] = [pawn, 1 - pawn].map(|i| usize::from(turned(turn, squares[i]) & 7));
    let chain = if arrangement.men[1 - pawn].is_pawn() { own * FILES + other } else { own };
    Some(Portion { chain, steps: 1 })
}

/// Returns the place in its portion of a place of the whole ending.
pub(super) fn place(arrangement: &Arrangement, portion: Portion, place: Place) -> Place {
    let found = pawn(arrangement).and_then(|pawn| {
        let (kings, squares) = arrangement.squares(place.word, place.bit)?;
        locate(arrangement, pawn, kings, [squares[0], squares[1]])
    });
    found.map_or(place, |(word, bit)| Place { word: portion.chain * words() + word, bit, ..place })
}

/// Returns the word in its portion and the bit of a placement of kings and men; `None` if the kings are adjacent.
#[inline]
pub(super) fn locate(
    arrangement: &Arrangement,
    pawn: usize,
    kings: [u8; 2],
    squares: [u8; 2],
) -> Option<(usize, usize)> {
    let turn = turn_of(squares[pawn]);
    let step = Pairs::of(1).find(turned(turn, kings[0]), turned(turn, kings[1]))?;
    let lane = arrangement.men[pawn].own_rank(turned(turn, squares[pawn]));
    let bit = turned(turn, squares[1 - pawn]);
    Some((usize::from(step.pair) * 8 + usize::from(lane), usize::from(bit)))
}

/// Returns the file of a portion's pawn, and that of the other man if it is a pawn.
pub(super) fn files(arrangement: &Arrangement, portion: Portion) -> (u8, Option<u8>) {
    let two = chains(arrangement) > 4;
    let chain = portion.chain as u8;
    if two { (chain / FILES as u8, Some(chain % FILES as u8)) } else { (chain, None) }
}

/// Returns the endings, or portions of them, that moves out of a portion lead to.
pub(super) fn needs(arrangement: &Arrangement, portion: Portion) -> Vec<Part<Material>> {
    let Some(pawn) = pawn(arrangement) else { return Vec::new() };
    let (men, (own, other)) = (&arrangement.men, files(arrangement, portion));
    let on = |file: u8| Some(Portion { chain: usize::from(file.min(7 - file)), steps: 1 });
    let promoted = |i: usize, kind: u8| Man { kind, ..men[i] };
    let mut list: Vec<Part<Material>> = men.iter().map(|&man| (kept(material([man])), None)).collect();
    for kind in 0..PAWN {
        let queen = promoted(pawn, kind);
        list.push((kept(material([queen])), None));
        list.push((kept(material([queen, men[1 - pawn]])), other.and_then(on)));
        if other.is_some() {
            list.push((kept(material([men[pawn], promoted(1 - pawn, kind)])), on(own)));
        }
    }
    let mut once: Vec<Part<Material>> = Vec::with_capacity(list.len());
    for part in list {
        if !once.contains(&part) {
            once.push(part);
        }
    }
    once
}

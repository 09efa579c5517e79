//! The men on the board, written like `KQvKR`.

use grundy_core::sorting;
use std::fmt;

use cozy_chess::{Board, Color, Piece};

/// The men beside the kings in the order in which an ending names them.
pub const ORDER: [Piece; 5] = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn];
const LETTERS: [char; 5] = ['Q', 'R', 'B', 'N', 'P'];
const PAWN: usize = 4;

/// The numbers of queens, rooks, bishops, knights and pawns that each colour has beside its king; white's first.
///
/// ```
/// use grundy_chess::Material;
/// let men = Material::read("KQvKR")?;
/// assert_eq!(men.men(), 4);
/// assert_eq!(men.swapped().to_string(), "KRvKQ");
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Material(pub [[u8; 5]; 2]);

impl Material {
    /// Returns the men on a board.
    pub fn of(board: &Board) -> Material {
        let count = |color| ORDER.map(|piece| board.colored_pieces(color, piece).len() as u8);
        Material([count(Color::White), count(Color::Black)])
    }

    /// Reads `KQvKR`: the men of one side, `v`, those of the other, a king first on each side.
    ///
    /// # Errors
    /// One line that says what was expected.
    pub fn read(text: &str) -> Result<Material, String> {
        let side = |men: &str| {
            let mut counts = [0u8; 5];
            for letter in men.strip_prefix('K')?.chars() {
                let kind = LETTERS.iter().position(|&l| l == letter)?;
                counts[kind] = counts[kind].checked_add(1)?;
            }
            let extra: u32 = counts.iter().map(|&n| u32::from(n)).sum();
            (extra <= 15 && counts[PAWN] <= 8).then_some(counts)
        };
        text.split_once('v')
            .and_then(|(one, other)| Some(Material([side(one)?, side(other)?])))
            .ok_or_else(|| format!("bad ending {text:?}: expected two sides of at most 16 men like KQvKR"))
    }

    /// Returns all material with at most `men` men, kings included, in both colourings.
    pub fn all(men: u32) -> Vec<Material> {
        let mut list = vec![Material([[0; 5]; 2])];
        let mut first = 0;
        for _ in 2..men {
            let last = list.len();
            for i in first..last {
                for (color, kind) in (0..2).flat_map(|color| (0..5).map(move |kind| (color, kind))) {
                    let mut more = list[i];
                    more.0[color][kind] += 1;
                    list.push(more);
                }
            }
            first = last;
        }
        sorting::sort(&mut list);
        list.dedup();
        list
    }

    /// Returns the same with the colours exchanged.
    pub fn swapped(self) -> Material {
        Material([self.0[1], self.0[0]])
    }

    /// Returns the number of men, kings included.
    pub fn men(self) -> u32 {
        2 + self.0.iter().flatten().map(|&n| u32::from(n)).sum::<u32>()
    }

    /// Reports whether there is a pawn.
    pub fn has_pawns(self) -> bool {
        self.0[0][PAWN] + self.0[1][PAWN] > 0
    }

    /// Reports whether captures and promotions can lead to `other`, without exchanging colours.
    pub fn leads_to(self, other: Material) -> bool {
        (0..2).all(|color| {
            let (from, to) = (self.0[color], other.0[color]);
            let promoted: u32 = (0..PAWN).map(|kind| u32::from(to[kind].saturating_sub(from[kind]))).sum();
            to[PAWN] <= from[PAWN] && promoted <= u32::from(from[PAWN] - to[PAWN])
        })
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (color, counts) in self.0.iter().enumerate() {
            f.write_str(if color == 0 { "K" } else { "vK" })?;
            for (letter, &count) in LETTERS.iter().zip(counts) {
                for _ in 0..count {
                    write!(f, "{letter}")?;
                }
            }
        }
        Ok(())
    }
}

/// Returns the refusal of a word that is no ending's name.
pub(crate) fn bad_ending(word: &str) -> String {
    let shown: String = word.chars().take(60).collect();
    match meant(word) {
        Some(ending) => format!("bad ending {shown:?}: expected chess:{ending}"),
        None => format!("bad ending {shown:?}: expected one like KQvKR, or 4men"),
    }
}

/// Returns the ending that a word means which has small letters, or no `v` between the sides: the second king begins the
/// other side.
fn meant(word: &str) -> Option<Material> {
    const LONGEST: usize = 40;
    let capitals = word.to_ascii_uppercase();
    let men: String = capitals.chars().filter(|c| !matches!(c, 'V' | '-')).take(LONGEST).collect();
    let (second, _) = men.match_indices('K').nth(1)?;
    let (one, other) = men.split_at(second);
    Material::read(&format!("{one}v{other}")).ok()
}

/// Returns the full name of the ending that a game's name is without its first word: `chess:KRvK` for `KRvK`; `None` for any
/// other name.
pub fn ending_of(name: &str) -> Option<String> {
    let is_men = |c: char| "KQRBNPV".contains(c.to_ascii_uppercase());
    let ending = meant(name).filter(|_| name.len() > 2 && name.chars().all(is_men))?;
    Some(format!("chess:{ending}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ending_in_another_spelling_is_named() {
        for word in ["KQKR", "KQkr", "kqvkr", "KQvkr", "kq-kr"] {
            assert_eq!(bad_ending(word), format!("bad ending {word:?}: expected chess:KQvKR"));
        }
        for word in ["KQ", "KXvK", "", "QKR"] {
            assert!(bad_ending(word).ends_with("expected one like KQvKR, or 4men"), "{word}");
        }
        assert_eq!(ending_of("KRvK").as_deref(), Some("chess:KRvK"));
        assert_eq!(ending_of("krk").as_deref(), Some("chess:KRvK"));
        assert_eq!(ending_of("kq-kr"), None);
        assert_eq!(ending_of("nim"), None);
    }
}

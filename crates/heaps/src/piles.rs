//! Heaps of counters and the player to move: the position of Nim and of its relatives.

use std::fmt;

use grundy_core::game::Player;
use grundy_core::words;

/// The heaps and the player to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Piles {
    /// Counters in each heap; emptied heaps are 0 in games that keep them.
    pub heaps: Vec<u64>,
    /// The player to move.
    pub turn: Player,
}

impl Piles {
    /// Returns the start of a game from these heaps.
    pub(super) fn start(heaps: &[u64]) -> Piles {
        Piles { heaps: heaps.to_vec(), turn: Player::One }
    }

    /// Returns the same heaps in rising order, the same player to move.
    pub(super) fn sorted(&self) -> Piles {
        let mut sorted = self.clone();
        sorted.heaps.sort_unstable();
        sorted
    }

    /// Reads the written form, `3,5,7 1`; at most `longest` heaps of at most `most` counters.
    ///
    /// # Errors
    /// One line that says what was expected.
    pub fn read(text: &str, most: u64, longest: usize) -> Result<Piles, String> {
        let ([heaps], turn) = words::fields(text, "heaps like 3,5,7")?;
        Ok(Piles { heaps: words::list(heaps, "heaps", most, longest)?, turn })
    }

    /// Draws the heaps for a terminal, one a line.
    pub fn draw(&self) -> String {
        words::draw_heaps(&self.heaps)
    }

    /// Reports whether all heaps are empty.
    pub fn is_empty(&self) -> bool {
        self.heaps.iter().all(|&heap| heap == 0)
    }

    /// Returns the heaps after a change, with the other player to move.
    pub(super) fn passed_on(&self, change: impl FnOnce(&mut Vec<u64>)) -> Piles {
        let mut heaps = self.heaps.clone();
        change(&mut heaps);
        Piles { heaps, turn: !self.turn }
    }
}

/// Writes the heaps joined by commas, `0` if there are none, and the turn.
impl fmt::Display for Piles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let heaps = if self.heaps.is_empty() { "0".to_owned() } else { words::join(&self.heaps) };
        write!(f, "{heaps} {}", self.turn.digit())
    }
}

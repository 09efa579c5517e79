//! Nim with increases (Poker Nim): each player also has a bank of counters, which he may add to a heap.
//!
//! * A move takes any number, at least 1, from one heap and out of the game, or adds any number, at least 1, from the
//!   mover's own bank to one heap. The player who cannot move loses.
//! * Position `3,5 2-1 1`: the heaps, then the banks of player one and player two. Moves `2:4` (take 4 from heap 2)
//!   and `2:+1` (add 1 to it). Emptied heaps stay, written `0`.
//!
//! Solved by formula: the banks change nothing, since an addition is answered by taking it away (Winning Ways, chapter
//! 3). The witness searches all reachable positions.

use grundy_core::game::{Flow, MORE, Player};
use grundy_core::sorting;
use grundy_core::words;

use crate::heap_game::{HeapRules, Move, Position};

/// Maximum number of counters in a heap or a bank.
pub const MOST: u64 = 1_000_000_000_000;
/// Maximum number of heaps.
pub const HEAPS: usize = 10_000;

/// The rules of Nim with increases.
#[derive(Clone, Debug)]
pub struct NimIncrease {
    heaps: Vec<u64>,
    banks: [u64; 2],
}

impl NimIncrease {
    /// Returns the game on these heaps and banks.
    ///
    /// # Errors
    /// There are no heaps or too many, not two banks, or too many counters.
    pub fn new(heaps: Vec<u64>, banks: &[u64]) -> Result<NimIncrease, String> {
        match *banks {
            [one, two]
                if (1..=HEAPS).contains(&heaps.len()) && heaps.iter().chain(banks).all(|&n| n <= MOST) =>
            {
                Ok(NimIncrease { heaps, banks: [one, two] })
            }
            _ => Err(format!(
                "nim-increase has 1 to {HEAPS} heaps and two banks of 0 to {MOST} counters: \
                 nim-increase:3,5:banks=2,1"
            )),
        }
    }

    /// Returns the bank of the player to move, and the heaps.
    fn bank_and_heaps(position: &Position) -> (u64, &[u64]) {
        (position.heaps[position.turn.index()], &position.heaps[2..])
    }

    fn legal(position: &Position, m: Move) -> bool {
        let (bank, heaps) = NimIncrease::bank_and_heaps(position);
        let heap = heaps.get(m.at()).copied();
        heap.is_some_and(|heap| (1..=if adds(m) { bank } else { heap }).contains(&m.by()))
    }
}

/// Returns the move that takes counters from a heap, or adds them from the bank.
fn change(heap: u32, counters: u64, add: bool) -> Move {
    Move::take(heap as usize, counters, add.into())
}

/// Reports whether the counters of a move come from the bank.
fn adds(m: Move) -> bool {
    m.by[1] == 1
}

/// A position is the banks of player one and two, then the heaps.
impl HeapRules for NimIncrease {
    fn start(&self) -> Vec<u64> {
        [&self.banks, &self.heaps[..]].concat()
    }

    fn is_over(&self, position: &Position) -> bool {
        let (bank, heaps) = NimIncrease::bank_and_heaps(position);
        bank == 0 && heaps.iter().all(|&heap| heap == 0)
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        let (bank, heaps) = NimIncrease::bank_and_heaps(position);
        for (heap, &most) in (0..).zip(heaps) {
            (1..=most).try_for_each(|counters| visit(change(heap, counters, false)))?;
            (1..=bank).try_for_each(|counters| visit(change(heap, counters, true)))?;
        }
        MORE
    }

    fn play(&self, position: &mut Position, m: Move) {
        if adds(m) {
            position.heaps[2 + m.at()] += m.by();
            position.heaps[position.turn.index()] -= m.by();
        } else {
            position.heaps[2 + m.at()] -= m.by();
        }
    }

    /// Sees the banks as the mover does, who is called player one.
    fn make_essence(&self, position: &mut Position) {
        if position.turn == Player::Two {
            position.heaps.swap(0, 1);
        }
        position.turn = Player::One;
    }

    fn make_canonical(&self, position: &mut Position) {
        sorting::sort_few(&mut position.heaps[2..]);
    }

    fn write(&self, heaps: &[u64]) -> String {
        format!("{} {}-{}", words::join(&heaps[2..]), heaps[0], heaps[1])
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([heaps, banks], turn) = words::fields(text, "heaps and banks like 3,5 2-1")?;
        // A heap may have grown by both banks.
        let heaps = words::list(heaps, "heaps", 3 * MOST, HEAPS)?;
        let banks = Move::read_dash(banks).filter(|&(one, two)| one.max(two) <= MOST);
        let (one, two) = banks.ok_or_else(|| format!("expected two banks of 0..{MOST} like 2-1"))?;
        if heaps.iter().any(|heap| heap + one + two > 3 * MOST) {
            return Err(format!("a heap and both banks together hold at most {} counters", 3 * MOST));
        }
        Ok(Position { heaps: [&[one, two], &heaps[..]].concat(), turn })
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        format!("{}:{}{}", m.at() + 1, if adds(m) { "+" } else { "" }, m.by())
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        let mut m = Move::read(&word.replacen(":+", ":", 1))?;
        m.by[1] = word.contains('+').into();
        NimIncrease::legal(position, m).then_some(m)
    }

    fn draw(&self, position: &Position) -> String {
        let heaps = words::draw_heaps(&position.heaps[2..]);
        format!("{heaps}banks: {} and {}\n", position.heaps[0], position.heaps[1])
    }

    fn grundy(&self, position: &Position) -> Option<u64> {
        Some(position.heaps[2..].iter().fold(0, |sum, heap| sum ^ heap))
    }

    fn keeping_moves(&self, position: &Position) -> Vec<Move> {
        let heaps = &position.heaps[2..];
        let number = heaps.iter().fold(0, |sum, heap| sum ^ heap);
        let to_zero = (0..).zip(heaps).map(|(heap, &now)| {
            let aim = now ^ number;
            change(heap, now.abs_diff(aim), aim > now)
        });
        to_zero.filter(|&m| NimIncrease::legal(position, m)).collect()
    }
}

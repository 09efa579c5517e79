//! Nim with increases (Poker Nim): each player also has a bank of counters, which he may add to a heap.
//!
//! * A move takes any number, at least 1, from one heap and out of the game, or adds any number, at least 1, from the
//!   mover's own bank to one heap. The player who cannot move loses.
//! * Position `3,5 2-1 1`: the heaps, then the banks of player one and player two. Moves `2:4` (take 4 from heap 2)
//!   and `2:+1` (add 1 to it). Emptied heaps stay, written `0`.
//!
//! Solved by formula: the banks change nothing, since an addition is answered by taking it away (Winning Ways, chapter
//! 3). The witness searches all reachable positions.

use grundy_core::game::{Flow, Game, MORE, Notation, Player, Scored, cannot_move};
use grundy_core::value::Value;
use grundy_core::words;
use grundy_sums::formula::Formula;

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

/// The heaps, the banks and the player to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Counters in each heap; emptied heaps stay as 0.
    pub heaps: Vec<u64>,
    /// Counters in the banks of player one and two.
    pub banks: [u64; 2],
    /// The player to move.
    pub turn: Player,
}

/// Takes from a heap or adds to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The heap, counted from 0.
    pub heap: u32,
    /// Number of counters.
    pub counters: u64,
    /// `true` if they come from the bank.
    pub add: bool,
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

    fn number(heaps: &[u64]) -> u64 {
        heaps.iter().fold(0, |sum, heap| sum ^ heap)
    }

    fn legal(position: &Position, m: Move) -> bool {
        let bank = position.banks[position.turn.index()];
        let heap = position.heaps.get(m.heap as usize).copied();
        heap.is_some_and(|heap| (1..=if m.add { bank } else { heap }).contains(&m.counters))
    }
}

impl Game for NimIncrease {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        Position { heaps: self.heaps.clone(), banks: self.banks, turn: Player::One }
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Value> {
        let stuck =
            position.banks[position.turn.index()] == 0 && position.heaps.iter().all(|&heap| heap == 0);
        stuck.then_some(cannot_move(false))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        let bank = position.banks[position.turn.index()];
        for (heap, &most) in (0..).zip(&position.heaps) {
            (1..=most).try_for_each(|counters| visit(Move { heap, counters, add: false }))?;
            (1..=bank).try_for_each(|counters| visit(Move { heap, counters, add: true }))?;
        }
        MORE
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let mut next = Position { turn: !position.turn, ..position.clone() };
        if m.add {
            next.heaps[m.heap as usize] += m.counters;
            next.banks[position.turn.index()] -= m.counters;
        } else {
            next.heaps[m.heap as usize] -= m.counters;
        }
        next
    }

    /// Sees the banks as the mover does, who is called player one.
    fn essence(&self, position: &Position) -> Position {
        let mut essence = Position { turn: Player::One, ..position.clone() };
        if position.turn == Player::Two {
            essence.banks.reverse();
        }
        essence
    }

    fn canonical(&self, position: &Position) -> Position {
        let mut canonical = position.clone();
        canonical.heaps.sort_unstable();
        canonical
    }
}

impl Scored for NimIncrease {}

impl Notation for NimIncrease {
    fn write_position(&self, position: &Position) -> String {
        let [one, two] = position.banks;
        format!("{} {one}-{two} {}", words::join(&position.heaps), position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([heaps, banks], turn) = words::fields(text, "heaps and banks like 3,5 2-1")?;
        // A heap may have grown by both banks.
        let heaps = words::list(heaps, "heaps", 3 * MOST, HEAPS)?;
        let bank = |word| words::number(word, MOST);
        let banks = banks.split_once('-').and_then(|(one, two)| Some([bank(one)?, bank(two)?]));
        let banks = banks.ok_or_else(|| format!("expected two banks of 0..{MOST} like 2-1"))?;
        if heaps.iter().any(|heap| heap + banks[0] + banks[1] > 3 * MOST) {
            return Err(format!("a heap and both banks together hold at most {} counters", 3 * MOST));
        }
        Ok(Position { heaps, banks, turn })
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        format!("{}:{}{}", m.heap + 1, if m.add { "+" } else { "" }, m.counters)
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        let (heap, counters) = word.split_once(':')?;
        let (counters, add) = counters.strip_prefix('+').map_or((counters, false), |rest| (rest, true));
        let heap = words::number(heap, HEAPS as u64)?.checked_sub(1)? as u32;
        let m = Move { heap, counters: words::number(counters, 3 * MOST)?, add };
        NimIncrease::legal(position, m).then_some(m)
    }

    fn draw(&self, position: &Position) -> String {
        let heaps = words::draw_heaps(&position.heaps);
        let [one, two] = position.banks;
        format!("{heaps}banks: {one} and {two}\n")
    }
}

impl Formula for NimIncrease {
    fn formula(&self, position: &Position) -> Value {
        if NimIncrease::number(&position.heaps) == 0 { Value::LOSS } else { Value::WIN }
    }

    fn keeping_moves(&self, position: &Position) -> Vec<Move> {
        let number = NimIncrease::number(&position.heaps);
        let mut keeping = Vec::new();
        if number == 0 {
            return keeping;
        }
        for (heap, &now) in (0..).zip(&position.heaps) {
            let aim = now ^ number;
            let m = Move { heap, counters: now.abs_diff(aim), add: aim > now };
            if NimIncrease::legal(position, m) {
                keeping.push(m);
            }
        }
        keeping
    }

    fn grundy(&self, position: &Position) -> Option<u64> {
        Some(NimIncrease::number(&position.heaps))
    }
}

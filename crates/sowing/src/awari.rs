//! Awari, by the rules of its solution.
//!
//! * Six pits a side. A move takes all stones of one of one's own pits and sows them one by one counterclockwise: into
//!   the rest of one's own pits, the other's, and one's own again, skipping the pit it began in.
//! * If the last stone makes a pit of the other hold 2 or 3, these are captured; so are those of the pit before it, if
//!   it is the other's and holds 2 or 3, and so on.
//! * A move after which the other has no stone is illegal where another move leaves him one.
//! * When the player to move has no stone, the game is over and all stones left are the other's. Endless play shares
//!   the stones left equally, so it is worth nothing to both.
//! * Position `4,4,4,4,4,4/4,4,4,4,4,4 0-0 1`: player one's pits and player two's, each from the left as their owner sees
//!   them, then the stones captured; move `1`, the pit counted from its owner's left.
//!
//! Solved by thresholds: a capture leaves fewer stones. A position is indexed as the mover sees it, those with fewer
//! stones first; captured stones are no part of the index. Boards of fewer pits a side are for tests.
//!
//! Source: J. W. Romein and H. E. Bal, "Solving Awari with parallel retrograde analysis", IEEE Computer 36(10), 2003:
//! 48 stones are a draw.

use std::ops::Range;
use std::sync::Arc;

use grundy_core::game::{Flow, Game, Indexed, MORE, Notation, Player, Scored};
use grundy_core::stones::Stones;
use grundy_core::value::{Step, Unit, Value};
use grundy_core::words;
use grundy_search::alpha_beta::{Bounds, Heuristic};
use grundy_tables::thresholds::Parted;

/// Maximum number of pits a side.
pub const MOST_PITS: usize = 6;
/// Maximum number of stones, on the board and captured.
pub const MOST_STONES: u8 = 48;
/// Room for all pits, the mover's first.
const ROOM: usize = 2 * MOST_PITS;

/// All pits as the player to move sees them: his from his left, then the other's from the other's left. Sowing goes from
/// each to the next, and from the last to the first.
type Board = [u8; ROOM];

/// The rules.
#[derive(Clone, Debug)]
pub struct Awari {
    /// Pits a side.
    pits: usize,
    start: Position,
    /// Maximum number of stones of the table's positions.
    stones: u8,
    /// Maximum number of stones of positions that are read, captured ones included.
    most: u8,
    numbers: Arc<Stones>,
}

/// The stones, and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Player one's pits and player two's, from their owner's left.
    pub pits: [[u8; MOST_PITS]; 2],
    /// The stones that player one and player two have captured.
    pub captured: [u8; 2],
    /// The player to move.
    pub turn: Player,
}

/// The result of a move on a board.
struct Sown {
    /// The board as the other player sees it, who is to move.
    board: Board,
    captured: u8,
}

impl Awari {
    /// Returns the game of six pits a side with `stones` stones, spread evenly from player one's first pit on.
    ///
    /// # Errors
    /// There are no stones, or too many.
    pub fn new(stones: u8) -> Result<Awari, String> {
        if !(1..=MOST_STONES).contains(&stones) {
            return Err(format!("no awari of {stones} stones: expected 1 to {MOST_STONES}"));
        }
        Ok(Awari::on_board(MOST_PITS, stones, MOST_STONES))
    }

    /// Returns the game that begins with these pits of player one and player two, each from its owner's left.
    ///
    /// # Errors
    /// There are no stones, or too many.
    pub fn with_pits(pits: [[u8; MOST_PITS]; 2]) -> Result<Awari, String> {
        let stones = pits.as_flattened().iter().map(|&pit| u32::from(pit)).sum::<u32>();
        let game = Awari::new(u8::try_from(stones).unwrap_or(u8::MAX))?;
        Ok(Awari { start: Position { pits, ..game.start }, ..game })
    }

    /// Returns the game of `pits` pits a side whose table holds positions of at most `stones` stones, and which reads
    /// positions of at most `most`. Boards of fewer than six pits are for tests.
    ///
    /// # Panics
    /// There are no pits, too many, or too many stones.
    pub fn on_board(pits: usize, stones: u8, most: u8) -> Awari {
        assert!((1..=MOST_PITS).contains(&pits) && stones <= most && most <= MOST_STONES);
        let numbers = Arc::new(Stones::new(2 * pits, most.into()));
        let empty = Position { pits: [[0; MOST_PITS]; 2], captured: [0; 2], turn: Player::One };
        Awari { pits, start: empty, stones, most, numbers }.with_stones(stones)
    }

    /// Returns the same rules with `stones` stones, spread evenly.
    fn with_stones(&self, stones: u8) -> Awari {
        let mut board = [0; ROOM];
        (0..usize::from(stones)).for_each(|stone| board[stone % (2 * self.pits)] += 1);
        let start = self.seen_by(&board, Player::One, [0; 2]);
        Awari { start, stones, ..self.clone() }
    }

    /// Returns the maximum number of stones of the table's positions.
    pub fn stones(&self) -> u8 {
        self.stones
    }

    /// Returns the board as the player to move sees it.
    #[inline]
    fn board(&self, position: &Position) -> Board {
        let mut board = [0; ROOM];
        let mover = position.turn.index();
        board[..self.pits].copy_from_slice(&position.pits[mover][..self.pits]);
        board[self.pits..2 * self.pits].copy_from_slice(&position.pits[1 - mover][..self.pits]);
        board
    }

    /// Returns the position of a board as seen by `turn`, who is to move.
    #[inline]
    fn seen_by(&self, board: &Board, turn: Player, captured: [u8; 2]) -> Position {
        let mut pits = [[0; MOST_PITS]; 2];
        let mover = turn.index();
        pits[mover][..self.pits].copy_from_slice(&board[..self.pits]);
        pits[1 - mover][..self.pits].copy_from_slice(&board[self.pits..2 * self.pits]);
        Position { pits, captured, turn }
    }

    /// Returns the board as the other player sees it.
    #[inline]
    fn turned(&self, board: &Board) -> Board {
        let mut turned = *board;
        turned[..2 * self.pits].rotate_left(self.pits);
        turned
    }

    #[inline]
    fn sow(&self, board: &Board, pit: usize) -> Sown {
        let all = 2 * self.pits;
        let mut after = *board;
        let mut at = pit;
        after[pit] = 0;
        for _ in 0..board[pit] {
            at = if at + 1 == all { 0 } else { at + 1 };
            if at == pit {
                at = if at + 1 == all { 0 } else { at + 1 };
            }
            after[at] += 1;
        }
        let mut captured = 0;
        while at >= self.pits && matches!(after[at], 2 | 3) {
            captured += after[at];
            after[at] = 0;
            at -= 1;
        }
        Sown { board: self.turned(&after), captured }
    }

    /// Reports whether the player to move has a stone.
    #[inline]
    fn can_move(&self, board: &Board) -> bool {
        board[..self.pits].iter().any(|&pit| pit > 0)
    }

    /// Visits every legal move of an unfinished board.
    #[inline]
    fn each_move(&self, board: &Board, visit: &mut impl FnMut(u8, &Sown) -> Flow) -> Flow {
        let mut starving = 0u32;
        let mut feeds = false;
        for pit in (0..self.pits).filter(|&pit| board[pit] > 0) {
            let sown = self.sow(board, pit);
            if self.can_move(&sown.board) {
                feeds = true;
                visit(pit as u8, &sown)?;
            } else {
                starving |= 1 << pit;
            }
        }
        if feeds {
            return MORE;
        }
        (0..self.pits)
            .filter(|pit| starving >> pit & 1 == 1)
            .try_for_each(|pit| visit(pit as u8, &self.sow(board, pit)))
    }
}

impl Game for Awari {
    type Position = Position;
    /// The pit, counted from 0.
    type Move = u8;

    fn start(&self) -> Position {
        self.start
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Value> {
        let board = self.board(position);
        (!self.can_move(&board)).then(|| Value::points(-stones(&board)))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(u8) -> Flow) -> Flow {
        self.each_move(&self.board(position), &mut |pit, _| visit(pit))
    }

    fn play(&self, position: &Position, m: u8) -> Position {
        let sown = self.sow(&self.board(position), m.into());
        let mut captured = position.captured;
        captured[position.turn.index()] += sown.captured;
        self.seen_by(&sown.board, !position.turn, captured)
    }

    /// Returns the board as the player to move sees it.
    fn essence(&self, position: &Position) -> Position {
        self.seen_by(&self.board(position), Player::One, [0; 2])
    }
}

/// Returns the number of stones on a board.
#[inline]
fn stones(board: &Board) -> i32 {
    board.iter().map(|&pit| i32::from(pit)).sum()
}

impl Scored for Awari {
    fn unit(&self) -> Unit {
        Unit::Points
    }

    fn gain(&self, position: &Position, m: u8) -> i32 {
        self.sow(&self.board(position), m.into()).captured.into()
    }

    fn score(&self, position: &Position) -> (i32, i32) {
        let [one, two] = position.captured;
        (one.into(), two.into())
    }
}

impl Indexed for Awari {
    fn size(&self) -> u64 {
        self.numbers.count(self.stones.into())
    }

    #[inline]
    fn index(&self, position: &Position) -> u64 {
        self.numbers.index(&self.board(position))
    }

    #[inline]
    fn position(&self, index: u64) -> Option<Position> {
        let board = (index < self.size()).then(|| self.numbers.arrangement(index))?;
        Some(self.seen_by(&board, Player::One, [0; 2]))
    }

    fn walk(&self, range: Range<u64>, visit: &mut impl FnMut(u64, Position)) {
        self.numbers.walk(range.start..range.end.min(self.size()), &mut |number, board| {
            visit(number, self.seen_by(board, Player::One, [0; 2]));
        });
    }

    fn child_indices(&self, position: &Position, visit: &mut impl FnMut(u64, Step)) {
        let _ = self.each_move(&self.board(position), &mut |_, sown| {
            let step = Step { turn_passed: true, gain: sown.captured.into() };
            visit(self.numbers.index(&sown.board), step);
            MORE
        });
    }
}

impl Parted for Awari {
    fn parts(&self) -> Vec<u64> {
        (0..=usize::from(self.stones)).map(|stones| self.numbers.count(stones)).collect()
    }

    /// Undoes sowing: takes the sown stones up again, one more at a time, and puts them into each empty pit of the
    /// other.
    fn before(&self, position: &Position, visit: &mut impl FnMut(Position)) {
        let all = 2 * self.pits;
        let now = self.board(position);
        let sown = self.turned(&now);
        let fed = self.can_move(&now);
        for pit in (0..self.pits).filter(|&pit| sown[pit] == 0) {
            let mut board = sown;
            let mut at = pit;
            loop {
                at = if at + 1 == all { 0 } else { at + 1 };
                if at == pit {
                    at = if at + 1 == all { 0 } else { at + 1 };
                }
                if board[at] == 0 {
                    break;
                }
                board[at] -= 1;
                board[pit] += 1;
                let captures = at >= self.pits && matches!(sown[at], 2 | 3);
                if !captures && (fed || self.is_legal(&board, pit)) {
                    visit(self.seen_by(&board, !position.turn, position.captured));
                }
            }
        }
    }

    fn smaller(&self) -> Vec<(String, Awari)> {
        let smaller = |stones| (format!("awari:{stones}"), self.with_stones(stones));
        (1..=self.stones).rev().map(smaller).collect()
    }
}

impl Awari {
    /// Reports whether the pit may be sown.
    fn is_legal(&self, board: &Board, pit: usize) -> bool {
        let mut legal = false;
        let _ = self.each_move(board, &mut |other, _| {
            legal |= usize::from(other) == pit;
            MORE
        });
        legal
    }
}

impl Notation for Awari {
    fn write_position(&self, position: &Position) -> String {
        let row =
            |pits: &[u8]| words::join(&pits[..self.pits].iter().map(|&pit| pit.into()).collect::<Vec<_>>());
        let ([mine, other], [one, two]) = (&position.pits, position.captured);
        format!("{}/{} {one}-{two} {}", row(mine), row(other), position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let expected = "pits such as 4,4,4/4,4,4, the stones captured such as 0-0";
        let (fields, turn) = match words::fields::<1>(text, expected) {
            Ok(([pits], turn)) if !pits.contains('-') => ([pits, "0-0"], turn),
            _ => words::fields::<2>(text, expected)?,
        };
        let pits = read_pits(fields[0], self.pits, self.most)?;
        let captured = words::score(fields[1], self.most.into())
            .filter(|score| score.iter().all(|&stones| stones >= 0))
            .ok_or_else(|| {
                format!("no stones captured: {:?}, expected such as 0-0", words::short(fields[1]))
            })?;
        let all =
            pits.as_flattened().iter().map(|&pit| i32::from(pit)).sum::<i32>() + captured[0] + captured[1];
        if all > i32::from(self.most) {
            return Err(format!(
                "{all} stones on the board and captured, at most {} are possible",
                self.most
            ));
        }
        Ok(Position { pits, captured: captured.map(|stones| stones as u8), turn })
    }

    fn write_move(&self, _position: &Position, m: u8) -> String {
        (m + 1).to_string()
    }

    /// Returns the pits as the players sit, player one below.
    fn draw(&self, position: &Position) -> String {
        words::draw_pits(position.pits.each_ref().map(|pits| &pits[..self.pits]), position.captured)
    }
}

/// Reads the pits of both players, each from its owner's left: `pits` a side, each of at most `most` stones.
///
/// # Errors
/// One line that says what was expected.
pub fn read_pits(text: &str, pits: usize, most: u8) -> Result<[[u8; MOST_PITS]; 2], String> {
    let sides: Vec<&str> = text.split('/').take(3).collect();
    let [one, two] = sides[..] else {
        return Err(format!("no pits: {:?}, expected two sides joined by /", words::short(text)));
    };
    let side = |text| -> Result<[u8; MOST_PITS], String> {
        let list = words::list(text, "stones in a pit", most.into(), pits)?;
        if list.len() < pits {
            return Err(format!("{} pits on a side, expected {pits}", list.len()));
        }
        let mut side = [0; MOST_PITS];
        side.iter_mut().zip(list).for_each(|(pit, stones)| *pit = stones as u8);
        Ok(side)
    };
    Ok([side(one)?, side(two)?])
}

impl Heuristic for Awari {
    /// Returns the index of the position, in which captured stones play no part.
    fn key(&self, position: &Position) -> u64 {
        self.index(position)
    }

    /// Prefers more stones on one's own side: they are more to sow with.
    fn guess(&self, position: &Position) -> i32 {
        let board = self.board(position);
        let side = |pits: &[u8]| pits.iter().map(|&pit| i32::from(pit)).sum::<i32>();
        10 * (side(&board[..self.pits]) - side(&board[self.pits..]))
    }

    /// Orders captures first, the larger before the smaller.
    fn hint(&self, position: &Position, m: u8, child: &Position) -> i32 {
        let mover = position.turn.index();
        8 * (i32::from(child.captured[mover]) - i32::from(position.captured[mover])) + i32::from(m)
    }

    fn noisy(&self, position: &Position, m: u8) -> bool {
        self.gain(position, m) > 0
    }

    fn cyclic(&self) -> bool {
        true
    }
}

impl Bounds for Awari {
    /// Bounds the value by the stones that are still on the board.
    fn bounds(&self, position: &Position, _target: Value) -> (Value, Value) {
        let all = stones(&self.board(position));
        (Value::points(-all), Value::points(all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stones_are_sown_past_their_own_pit_and_captured() {
        let game = Awari::new(48).unwrap();
        let play = |text: &str, word: &str| {
            let position = game.read_position(text).unwrap();
            let m = game.read_move(&position, word)?;
            Some(game.write_position(&game.play(&position, m)))
        };
        let plays =
            |text: &str, word: &str, after: &str| assert_eq!(play(text, word).as_deref(), Some(after));
        plays("4,4,4,4,4,4/4,4,4,4,4,4 0-0 1", "6", "4,4,4,4,4,0/5,5,5,5,4,4 0-0 2");
        plays("0,0,0,0,0,2/1,2,5,0,0,0 0-0 1", "6", "0,0,0,0,0,0/0,0,5,0,0,0 5-0 2");
        plays("0,0,0,0,0,3/1,3,2,0,0,0 1-2 1", "6", "0,0,0,0,0,0/2,4,0,0,0,0 4-2 2");
        plays("12,0,0,0,0,0/1,0,0,0,0,0 0-0 1", "1", "0,2,1,1,1,1/2,1,1,1,1,1 0-0 2");
        plays("1,1,0,0,0,0/1,0,0,0,0,0 0-0 1", "1", "0,2,0,0,0,0/1,0,0,0,0,0 0-0 2");
        // Where another move leaves the other a stone, this one is illegal; else it captures as usual.
        assert_eq!(play("1,0,0,0,0,1/1,0,0,0,0,0 0-0 1", "6"), None);
        plays("0,0,0,0,0,1/1,0,0,0,0,0 0-0 1", "6", "0,0,0,0,0,0/0,0,0,0,0,0 2-0 2");
        assert_eq!(play("1,0,0,0,0,1/0,0,0,0,0,0 0-0 1", "1"), None, "the other has nothing to sow");
    }

    #[test]
    fn what_is_no_position_is_refused() {
        let game = Awari::new(5).unwrap();
        assert!(
            game.read_position("4,4,4,4,4,4/4,4,4,4,4,4").is_ok(),
            "larger ones than the table's are positions"
        );
        for bad in [
            "",
            "4,4,4,4,4,4",
            "4,4,4,4,4/4,4,4,4,4,4",
            "4,4,4,4,4,4/4,4,4,4,4,5",
            "4,4,4,4,4,4/4,4,4,4,4,4 1-0",
            "0,0,0,0,0,1/0,0,0,0,0,0 -1-0",
            "0,0,0,0,0,1/0,0,0,0,0,0 0-0 3",
            "0,0,0,0,0,1/0,0,0,0,0,0/0,0,0,0,0,0",
            "0,0,0,0,0,1/0,0,0,0,0,99999999999999999999",
        ] {
            let refusal = game.read_position(bad).expect_err(bad);
            assert!(!refusal.contains('\n') && refusal.len() < 200, "{refusal}");
        }
    }
}

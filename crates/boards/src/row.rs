//! A row of numbers; a move takes one from either end.
//!
//! * The mover takes the leftmost number (`L`) or the rightmost (`R`); with one number left only `L` is legal, and `R`
//!   is read as it. At the end the larger sum wins.
//! * Up to 1,000 numbers of 0 to 10,000.
//! * Position `4,7,2,9 0-0 1`: the numbers left, the score, the turn; `-` when none is left. Read as well: three numbers
//!   or more split by blanks, then perhaps the score and the turn (`4 7 2 9`, `4 7 2 9 0-0 1`); a line with the count of
//!   numbers, and then the numbers, split by blanks or lines.
//!
//! Solved by layers over the intervals of the row ([`Interval`]). A row that is not part of the game's own has a table
//! of its own. Interval `from..to` has the index `1 + to (to - 1) / 2 + (to - 1 - from)`: without its left end it has
//! the index before, without its right end it lies in an earlier block.
//! Source: International Olympiad in Informatics 1996, "A Game"; there the count is even.

use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use grundy_core::game::{Flow, Game, Indexed, MORE, Notation, Player, Scored};
use grundy_core::value::{Step, Unit, Value};
use grundy_core::words;
use grundy_tables::frames::Framed;
use grundy_tables::layers::{Acyclic, Order};

/// Maximum length of a row.
pub const LONGEST: usize = 1_000;
/// The largest number.
pub const LARGEST: u64 = 10_000;
/// The largest score that is read.
const MOST_POINTS: i32 = LARGEST as i32 * LONGEST as i32;

/// Maximum count of numbers that is read; rows longer than [`LONGEST`] are then refused by their length.
const MOST_COUNTED: u64 = 1_000_000;

/// The rules with the row that a game starts with.
#[derive(Clone, Debug)]
pub struct NumberRow {
    numbers: Arc<[u16]>,
}

/// The rest of a row, the points so far and the player to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    left: Left,
    /// The points so far, player one's first.
    pub score: [i32; 2],
    /// The player to move.
    pub turn: Player,
}

/// An interval of a row that many positions share.
#[derive(Clone, Debug)]
struct Left {
    row: Arc<[u16]>,
    from: u16,
    to: u16,
}

impl Left {
    fn numbers(&self) -> &[u16] {
        &self.row[usize::from(self.from)..usize::from(self.to)]
    }
}

/// Rests are equal if their numbers are, whatever row they came from.
impl PartialEq for Left {
    fn eq(&self, other: &Left) -> bool {
        self.numbers() == other.numbers()
    }
}

impl Eq for Left {}

impl Hash for Left {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.numbers().hash(state);
    }
}

impl Position {
    /// Returns the numbers left.
    pub fn numbers(&self) -> &[u16] {
        self.left.numbers()
    }
}

/// An end of the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// The leftmost number.
    Left,
    /// The rightmost number.
    Right,
}

impl NumberRow {
    /// Returns the game from this row.
    ///
    /// # Errors
    /// There are no numbers, more than [`LONGEST`], or one above [`LARGEST`].
    pub fn new(numbers: &[u64]) -> Result<NumberRow, String> {
        if numbers.is_empty() || numbers.len() > LONGEST || numbers.iter().any(|&n| n > LARGEST) {
            return Err(format!("a row has 1 to {LONGEST} numbers of 0 to {LARGEST}: row:4,7,2,9"));
        }
        Ok(NumberRow { numbers: numbers.iter().map(|&n| n as u16).collect() })
    }

    /// Returns these numbers as a part of the game's own row if they are one, so that they share its table.
    fn part(&self, numbers: Vec<u16>) -> Left {
        let own = self.numbers.windows(numbers.len().max(1)).position(|window| window == numbers);
        match own {
            Some(from) => {
                Left { row: self.numbers.clone(), from: from as u16, to: (from + numbers.len()) as u16 }
            }
            None => Left { from: 0, to: numbers.len() as u16, row: numbers.into() },
        }
    }
}

impl Game for NumberRow {
    type Position = Position;
    type Move = End;

    fn start(&self) -> Position {
        let left = Left { row: self.numbers.clone(), from: 0, to: self.numbers.len() as u16 };
        Position { left, score: [0, 0], turn: Player::One }
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Value> {
        position.numbers().is_empty().then_some(Value::points(0))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(End) -> Flow) -> Flow {
        visit(End::Left)?;
        if position.numbers().len() > 1 { visit(End::Right) } else { MORE }
    }

    fn play(&self, position: &Position, m: End) -> Position {
        let mut next = position.clone();
        next.score[position.turn.index()] += self.gain(position, m);
        match m {
            End::Left => next.left.from += 1,
            End::Right => next.left.to -= 1,
        }
        next.turn = !position.turn;
        next
    }

    fn essence(&self, position: &Position) -> Position {
        Position { left: position.left.clone(), score: [0, 0], turn: Player::One }
    }

    fn canonical(&self, position: &Position) -> Position {
        let mut turned = position.numbers().to_vec();
        turned.reverse();
        if position.numbers() <= turned.as_slice() {
            return position.clone();
        }
        let left = Left { from: 0, to: turned.len() as u16, row: turned.into() };
        Position { left, ..position.clone() }
    }
}

impl Scored for NumberRow {
    fn unit(&self) -> Unit {
        Unit::Points
    }

    fn gain(&self, position: &Position, m: End) -> i32 {
        let numbers = position.numbers();
        let taken = if m == End::Left { numbers.first() } else { numbers.last() };
        taken.map_or(0, |&n| i32::from(n))
    }

    fn score(&self, position: &Position) -> (i32, i32) {
        (position.score[0], position.score[1])
    }
}

impl Notation for NumberRow {
    fn write_position(&self, position: &Position) -> String {
        let numbers: Vec<u64> = position.numbers().iter().map(|&n| u64::from(n)).collect();
        let row = if numbers.is_empty() { "-".to_string() } else { words::join(&numbers) };
        let [one, two] = position.score;
        format!("{row} {one}-{two} {}", position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        if let Some((count, numbers)) = text.split_once('\n') {
            return self.counted(count, numbers);
        }
        let expected = || "expected the numbers left, the score and the turn, as 4,7,2,9 0-0 1".to_string();
        let fields: Vec<&str> = text.split_ascii_whitespace().collect();
        // Three or more fields of digits are numbers split by blanks. Of two fields the second is the turn.
        let plain = |field: &&str| field.bytes().all(|byte| byte.is_ascii_digit());
        let blanks = fields.iter().take_while(|field| plain(field)).count();
        let count = if blanks > 2 { blanks } else { 1 };
        let (row, rest) = fields.split_at_checked(count).ok_or_else(expected)?;
        let numbers = match row {
            ["-"] => Vec::new(),
            row => words::list(&row.join(","), "numbers", LARGEST, LONGEST)?,
        };
        let mut fields = rest.iter().copied();
        let mut next = fields.next();
        let mut score = [0, 0];
        if let Some(field) = next.filter(|field| field.contains('-')) {
            score = words::score(field, MOST_POINTS).ok_or_else(expected)?;
            next = fields.next();
        }
        let turn = next.map_or(Some(Player::One), Player::read).ok_or_else(expected)?;
        if fields.next().is_some() {
            return Err(expected());
        }
        Ok(Position { left: self.part(numbers.into_iter().map(|n| n as u16).collect()), score, turn })
    }

    /// Detects a line with nothing but a count: that many numbers follow, in one line or in several.
    fn is_incomplete(&self, text: &str) -> bool {
        let (count, numbers) = text.split_once('\n').unwrap_or((text, ""));
        let Some(count) = words::number(count.trim(), MOST_COUNTED) else { return false };
        !text.contains('\n') || (numbers.split_ascii_whitespace().count() as u64) < count
    }

    fn write_move(&self, _position: &Position, m: End) -> String {
        if m == End::Left { "L".to_string() } else { "R".to_string() }
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<End> {
        match (position.numbers().len(), word) {
            (1.., "L") | (1, "R") => Some(End::Left),
            (2.., "R") => Some(End::Right),
            _ => None,
        }
    }
}

impl NumberRow {
    /// Reads `count` and that many numbers, split by blanks or lines: the whole row, nothing taken yet.
    fn counted(&self, count: &str, numbers: &str) -> Result<Position, String> {
        let expected = |found: usize| {
            let count = words::short(count.trim());
            format!("expected {count} numbers after the count {count}, found {found}")
        };
        let list: Vec<&str> = numbers.split_ascii_whitespace().collect();
        if words::number(count.trim(), MOST_COUNTED) != Some(list.len() as u64) {
            return Err(expected(list.len()));
        }
        let list = words::list(&list.join(","), "numbers", LARGEST, LONGEST)?;
        let left = self.part(list.into_iter().map(|n| n as u16).collect());
        Ok(Position { left, score: [0, 0], turn: Player::One })
    }
}

impl Framed for NumberRow {
    type Frame = Interval;

    fn frame(&self, position: &Position) -> Interval {
        Interval { row: position.left.row.clone() }
    }

    fn place(&self, frame: &Interval, position: &Position) -> Option<Part> {
        let Left { row, from, to } = &position.left;
        Arc::ptr_eq(row, &frame.row).then_some(Part { from: *from, to: *to })
    }
}

/// All intervals of one row, without scores: the game that a row's table is made of.
#[derive(Clone, Debug)]
pub struct Interval {
    row: Arc<[u16]>,
}

/// An interval of a row; its length determines the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    from: u16,
    to: u16,
}

impl Interval {
    fn number(from: u64, to: u64) -> u64 {
        if from == to { 0 } else { 1 + to * (to - 1) / 2 + (to - 1 - from) }
    }
}

impl Game for Interval {
    type Position = Part;
    type Move = End;

    fn start(&self) -> Part {
        Part { from: 0, to: self.row.len() as u16 }
    }

    fn turn(&self, part: &Part) -> Player {
        let gone = self.row.len() - usize::from(part.to - part.from);
        if gone.is_multiple_of(2) { Player::One } else { Player::Two }
    }

    #[inline]
    fn over(&self, part: &Part) -> Option<Value> {
        (part.from == part.to).then_some(Value::points(0))
    }

    fn moves(&self, part: &Part, visit: &mut impl FnMut(End) -> Flow) -> Flow {
        visit(End::Left)?;
        if part.to - part.from > 1 { visit(End::Right) } else { MORE }
    }

    fn play(&self, part: &Part, m: End) -> Part {
        match m {
            End::Left => Part { from: part.from + 1, to: part.to },
            End::Right => Part { from: part.from, to: part.to - 1 },
        }
    }
}

impl Scored for Interval {
    fn unit(&self) -> Unit {
        Unit::Points
    }

    fn gain(&self, part: &Part, m: End) -> i32 {
        let at = if m == End::Left { part.from } else { part.to - 1 };
        i32::from(self.row[usize::from(at)])
    }
}

impl Indexed for Interval {
    fn size(&self) -> u64 {
        let length = self.row.len() as u64;
        1 + length * (length + 1) / 2
    }

    #[inline]
    fn index(&self, part: &Part) -> u64 {
        Interval::number(u64::from(part.from), u64::from(part.to))
    }

    fn position(&self, index: u64) -> Option<Part> {
        let mut found = None;
        self.walk(index..index.checked_add(1)?, &mut |_, part| found = Some(part));
        found
    }

    fn walk(&self, range: Range<u64>, visit: &mut impl FnMut(u64, Part)) {
        let mut n = range.start;
        let end = range.end.min(self.size());
        if n == 0 && n < end {
            visit(0, Part { from: 0, to: 0 });
            n = 1;
        }
        // The block of intervals that end at `to` starts at 1 + to (to - 1) / 2.
        let mut to = (1..=self.row.len() as u64).rev().find(|to| to * (to - 1) / 2 < n).unwrap_or(1);
        while n < end {
            let mut from = to - 1 - (n - 1 - to * (to - 1) / 2);
            loop {
                visit(n, Part { from: from as u16, to: to as u16 });
                n += 1;
                if from == 0 || n == end {
                    break;
                }
                from -= 1;
            }
            to += 1;
        }
    }

    #[inline]
    fn child_indices(&self, part: &Part, visit: &mut impl FnMut(u64, Step)) {
        let (from, to) = (u64::from(part.from), u64::from(part.to));
        let step = |gain: u16| Step { turn_passed: true, gain: i32::from(gain) };
        visit(Interval::number(from + 1, to), step(self.row[from as usize]));
        if to - from > 1 {
            visit(Interval::number(from, to - 1), step(self.row[to as usize - 1]));
        }
    }
}

impl Acyclic for Interval {
    fn order(&self) -> Order {
        Order::Lower
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_numbered_without_a_gap_and_walked_in_order() {
        let frame = NumberRow::new(&[1; 30]).unwrap();
        let frame = frame.frame(&frame.start());
        let mut expected = 0;
        frame.walk(0..frame.size(), &mut |n, part| {
            assert_eq!((n, frame.index(&part), frame.position(n)), (expected, expected, Some(part)));
            expected += 1;
        });
        assert_eq!(expected, frame.size());
        assert_eq!(frame.position(frame.size()), None);
        assert_eq!(frame.position(u64::MAX), None);
    }

    #[test]
    fn any_row_is_read_and_nonsense_is_refused() {
        let game = NumberRow::new(&[4, 7, 2, 9]).unwrap();
        for (text, written) in [
            ("4,7,2,9", "4,7,2,9 0-0 1"),
            ("7,2 4-9 1", "7,2 4-9 1"),
            ("5,5,5 2", "5,5,5 0-0 2"),
            ("- 11-11 2", "- 11-11 2"),
            ("-", "- 0-0 1"),
        ] {
            assert_eq!(game.read_position(text).map(|p| game.write_position(&p)), Ok(written.to_string()));
        }
        for bad in
            ["", "x", "4,,7", "10001", "-1", "4 0-0-0 1", "4 0-0 3", "4 0-0 1 1", "4 1 0-0", "4 0-99999999 1"]
        {
            assert!(game.read_position(bad).is_err(), "{bad}");
        }
        assert!(
            NumberRow::new(&[]).is_err()
                && NumberRow::new(&[10_001]).is_err()
                && NumberRow::new(&[1; 1_001]).is_err()
        );
    }

    #[test]
    fn the_last_number_is_taken_by_either_word() {
        let game = NumberRow::new(&[4]).unwrap();
        assert_eq!(game.read_move(&game.start(), "R"), Some(End::Left));
        assert_eq!(game.read_move(&game.play(&game.start(), End::Left), "L"), None);
    }
}

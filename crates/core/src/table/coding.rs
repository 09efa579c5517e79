//! The encoding of values in cells: the only place where values become codes and back.

use crate::value::{Unit, Value, Wdl};

/// Kind of values that the cells of a table hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// Win, draw or loss, without distances.
    Outcome,
    /// Win or loss with its distance in plies, or draw.
    Distance,
    /// A distance where every win takes an odd number of plies and every loss an even one, so that the parity says
    /// which it is. This holds wherever the turn passes with every move and the player to move at the end has lost.
    Alternating,
    /// A margin of points.
    Points,
    /// A margin of points and its rank, a progress measure: the number of plies in which a gain or an end that the
    /// margin rests on is forced. Used by games for points in which positions may repeat.
    Ranked,
}

impl Meaning {
    /// Reports whether wins and losses have distances.
    pub const fn has_distances(self) -> bool {
        matches!(self, Meaning::Distance | Meaning::Alternating)
    }
}

impl std::fmt::Display for Meaning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Meaning::Outcome => "outcomes",
            Meaning::Distance => "distances",
            Meaning::Alternating => "distances that alternate",
            Meaning::Points => "points",
            Meaning::Ranked => "points with ranks",
        })
    }
}

/// Size of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Width {
    /// Two bits, four cells to a byte, the first in the lowest bits.
    Quarter,
    /// One byte.
    One,
    /// Two bytes, the lower first.
    Two,
    /// Four bytes, the lowest first.
    Four,
}

impl Width {
    /// Returns the largest code that fits.
    #[inline]
    pub const fn max_code(self) -> u32 {
        match self {
            Width::Quarter => 3,
            Width::One => u8::MAX as u32,
            Width::Two => u16::MAX as u32,
            Width::Four => u32::MAX,
        }
    }

    /// Returns the bytes that `count` cells take; `None` if that exceeds 64 bits.
    pub const fn bytes(self, count: u64) -> Option<u64> {
        match self {
            Width::Quarter => Some(count.div_ceil(4)),
            Width::One => Some(count),
            Width::Two => count.checked_mul(2),
            Width::Four => count.checked_mul(4),
        }
    }
}

impl std::fmt::Display for Width {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Width::Quarter => "2 bits",
            Width::One => "1 byte",
            Width::Two => "2 bytes",
            Width::Four => "4 bytes",
        })
    }
}

/// Meaning of a cell's integer.
///
/// Code 0 is a hole: an index that no position has. Without distances 1 is a loss, 2 a draw, 3 a win. With distances 1
/// is a draw, `2 + 2d` a loss in `d` plies, `3 + 2d` a win in `d`. With alternating distances 1 is a draw and `2 + d` a
/// loss or a win in `d`, so that one byte holds distances up to 253. For points the middle of the range is `+0`, so
/// that one byte holds margins from -127 to +127. With ranks each index has two cells of this width, its margin and its
/// rank, and only the margin is a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Coding {
    /// Kind of values.
    pub meaning: Meaning,
    /// Size of a cell.
    pub width: Width,
}

/// The code of a hole: an index that no position has.
pub const HOLE: u32 = 0;
/// The code of a draw in a table of distances.
pub const DRAW: u32 = 1;

/// Returns the code of a loss in `plies` in a table of distances.
#[inline]
pub const fn loss_code(plies: u32) -> u32 {
    2 + 2 * plies
}

/// Returns the code of a win in `plies` in a table of distances.
#[inline]
pub const fn win_code(plies: u32) -> u32 {
    3 + 2 * plies
}

/// A summary of the distances in some cells, from which [`Distances::coding`] chooses a coding. Its codes are those of
/// [`Meaning::Distance`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Distances {
    largest: u32,
    alternate: bool,
}

impl Default for Distances {
    fn default() -> Distances {
        Distances::NONE
    }
}

impl Distances {
    /// The summary of no cells.
    pub const NONE: Distances = Distances { largest: HOLE, alternate: true };

    /// Returns the summary of one cell with this code.
    #[inline]
    pub const fn of(code: u32) -> Distances {
        Distances { largest: code, alternate: alternates(code) }
    }

    /// Returns the summary of both sets of cells.
    #[inline]
    #[must_use]
    pub const fn and(self, other: Distances) -> Distances {
        let largest = if self.largest > other.largest { self.largest } else { other.largest };
        Distances { largest, alternate: self.alternate & other.alternate }
    }

    /// Returns the largest code.
    pub const fn largest(self) -> u32 {
        self.largest
    }

    /// Reports whether all wins and losses alternate.
    pub const fn alternate(self) -> bool {
        self.alternate
    }

    /// Encodes the summary for a message: the largest code, and 0 if all wins and losses alternate.
    pub const fn words(self) -> [u64; 2] {
        [self.largest as u64, !self.alternate as u64]
    }

    /// Decodes what [`Distances::words`] encoded.
    pub const fn of_words([largest, strays]: [u64; 2]) -> Distances {
        Distances { largest: largest as u32, alternate: strays == 0 }
    }

    /// Returns the smallest coding that holds these cells; alternating distances only if they save space.
    pub const fn coding(self) -> Coding {
        let Distances { largest, alternate } = self;
        let (meaning, width) = if largest <= Width::One.max_code() {
            (Meaning::Distance, Width::One)
        } else if alternate && alternating(largest) <= Width::One.max_code() {
            (Meaning::Alternating, Width::One)
        } else if largest <= Width::Two.max_code() {
            (Meaning::Distance, Width::Two)
        } else {
            (Meaning::Distance, Width::Four)
        };
        Coding { meaning, width }
    }
}

/// Reports whether a code of a distance is a hole, a draw, a loss in an even number of plies or a win in an odd one.
#[inline]
const fn alternates(code: u32) -> bool {
    code == HOLE || matches!(code % 4, 1 | 2)
}

/// Converts a code of [`Meaning::Distance`] to one of [`Meaning::Alternating`].
#[inline]
const fn alternating(code: u32) -> u32 {
    code / 2 + (code != HOLE) as u32
}

impl Coding {
    /// Returns the code of a value; `None` if it does not fit or is of the other kind.
    #[inline]
    pub const fn encode(self, value: Value) -> Option<u32> {
        let code = match self.meaning {
            Meaning::Outcome => match value.wdl() {
                Wdl::Loss => 1,
                Wdl::Draw => 2,
                Wdl::Win => 3,
            },
            Meaning::Distance => match (value.plies(), value.raw()) {
                (_, 0) => DRAW,
                (Some(plies), 1..) => win_code(plies),
                (Some(plies), _) => loss_code(plies),
                (None, _) => return None,
            },
            Meaning::Alternating => {
                match (Coding { meaning: Meaning::Distance, width: Width::Four }).encode(value) {
                    Some(code) if alternates(code) => alternating(code),
                    _ => return None,
                }
            }
            Meaning::Points | Meaning::Ranked => {
                let Some(margin) = value.margin() else { return None };
                let code = margin as i64 + self.even() as i64;
                if code < 1 || code > self.width.max_code() as i64 {
                    return None;
                }
                code as u32
            }
        };
        if code <= self.width.max_code() { Some(code) } else { None }
    }

    /// Returns the least width in which cells of this meaning can hold a value; `None` if none can.
    pub fn least_width(self, value: Value) -> Option<Width> {
        let widths: &[Width] = match self.meaning {
            Meaning::Outcome => &[Width::Quarter],
            Meaning::Alternating => &[Width::One],
            Meaning::Distance | Meaning::Points | Meaning::Ranked => &[Width::One, Width::Two, Width::Four],
        };
        widths.iter().copied().find(|&width| Coding { width, ..self }.encode(value).is_some())
    }

    /// Converts a code of [`Meaning::Distance`] to this coding, which must hold distances.
    #[inline]
    pub const fn of_distance(self, code: u32) -> u32 {
        match self.meaning {
            Meaning::Alternating => alternating(code),
            _ => code,
        }
    }

    /// Returns the value of a code; `None` for a hole.
    #[inline]
    pub const fn decode(self, code: u32) -> Option<Value> {
        if code == HOLE {
            return None;
        }
        Some(match self.meaning {
            Meaning::Outcome => match code {
                1 => Value::LOSS,
                2 => Value::DRAW,
                _ => Value::WIN,
            },
            Meaning::Distance => match code {
                DRAW => Value::DRAW,
                _ if code.is_multiple_of(2) => Value::loss_in((code - 2) / 2),
                _ => Value::win_in((code - 3) / 2),
            },
            Meaning::Alternating => match code {
                DRAW => Value::DRAW,
                _ if code.is_multiple_of(2) => Value::loss_in(code - 2),
                _ => Value::win_in(code - 2),
            },
            Meaning::Points | Meaning::Ranked => {
                let margin = code as i64 - self.even() as i64;
                Value::points(if margin > i32::MAX as i64 {
                    i32::MAX
                } else if margin < -(i32::MAX as i64) {
                    -i32::MAX
                } else {
                    margin as i32
                })
            }
        })
    }

    /// Returns the unit of the table's values.
    pub const fn unit(self) -> Unit {
        match self.meaning {
            Meaning::Points | Meaning::Ranked => Unit::Points,
            Meaning::Outcome | Meaning::Distance | Meaning::Alternating => Unit::Outcome,
        }
    }

    /// Returns the bytes that a table of `count` indices takes; `None` if that exceeds 64 bits.
    pub const fn bytes(self, count: u64) -> Option<u64> {
        match count.checked_mul(self.cells()) {
            Some(cells) => self.width.bytes(cells),
            None => None,
        }
    }

    /// Returns the number of cells an index has.
    #[inline]
    pub const fn cells(self) -> u64 {
        match self.meaning {
            Meaning::Ranked => 2,
            Meaning::Outcome | Meaning::Distance | Meaning::Alternating | Meaning::Points => 1,
        }
    }

    /// Returns the code of `+0`.
    #[inline]
    const fn even(self) -> u32 {
        self.width.max_code() / 2 + 1
    }
}

/// Returns the code of a cell in an array of cells of this width; the cell must exist.
#[inline]
pub(super) fn code_in(cells: &[u8], width: Width, index: usize) -> u32 {
    match width {
        Width::Quarter => u32::from(cells[index / 4] >> (index % 4 * 2) & 3),
        Width::One => u32::from(cells[index]),
        Width::Two => u32::from(u16::from_le_bytes([cells[2 * index], cells[2 * index + 1]])),
        Width::Four => {
            let at = 4 * index;
            u32::from_le_bytes([cells[at], cells[at + 1], cells[at + 2], cells[at + 3]])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTHS: [Width; 3] = [Width::One, Width::Two, Width::Four];

    #[test]
    fn every_code_has_one_value_and_every_value_its_code() {
        for meaning in [Meaning::Distance, Meaning::Points, Meaning::Ranked] {
            for width in WIDTHS {
                let coding = Coding { meaning, width };
                for code in (1..=255).chain(30_000..30_100) {
                    let Some(value) = coding.decode(code).filter(|_| code <= width.max_code()) else {
                        continue;
                    };
                    if value.margin().is_none_or(|m| m.abs() < Value::MAX_POINTS) {
                        assert_eq!(coding.encode(value), Some(code), "{coding:?} {value:?}");
                    }
                }
            }
        }
        let coding = Coding { meaning: Meaning::Alternating, width: Width::One };
        for code in 1..=255 {
            assert_eq!(coding.encode(coding.decode(code).unwrap()), Some(code));
        }
        assert_eq!(coding.decode(HOLE), None);
        let coding = Coding { meaning: Meaning::Outcome, width: Width::Quarter };
        for value in [Value::WIN, Value::DRAW, Value::LOSS] {
            assert_eq!(coding.encode(value).and_then(|c| coding.decode(c)), Some(value));
        }
    }

    #[test]
    fn what_does_not_fit_has_no_code() {
        let bytes = Coding { meaning: Meaning::Distance, width: Width::One };
        assert!(bytes.encode(Value::win_in(126)).is_some());
        assert_eq!(bytes.encode(Value::win_in(127)), None);
        assert_eq!(bytes.encode(Value::WIN), None);
        let points = Coding { meaning: Meaning::Points, width: Width::One };
        assert!(points.encode(Value::points(-127)).is_some() && points.encode(Value::points(127)).is_some());
        assert_eq!(points.encode(Value::points(128)), None);
        assert_eq!(points.encode(Value::points(-128)), None);
        assert_eq!(points.encode(Value::win_in(3)), None);
    }

    #[test]
    fn distances_that_alternate_take_one_byte_where_others_would_take_two() {
        const DISTANCES: Coding = Coding { meaning: Meaning::Distance, width: Width::Four };
        let coding_of = |values: &[Value]| {
            let codes = values.iter().map(|&value| DISTANCES.encode(value).unwrap());
            let seen = codes.map(Distances::of).fold(Distances::NONE, Distances::and);
            assert_eq!(Distances::of_words(seen.words()), seen);
            seen.coding()
        };
        let one = |meaning| Coding { meaning, width: Width::One };
        let two = Coding { meaning: Meaning::Distance, width: Width::Two };
        assert_eq!(coding_of(&[]), one(Meaning::Distance));
        assert_eq!(coding_of(&[Value::win_in(125), Value::loss_in(126)]), one(Meaning::Distance));
        let longest = [Value::DRAW, Value::win_in(253), Value::loss_in(252)];
        assert_eq!(coding_of(&longest), one(Meaning::Alternating));
        assert_eq!(coding_of(&[Value::loss_in(254)]), two);
        assert_eq!(coding_of(&[Value::win_in(253), Value::loss_in(1)]), two);
        assert_eq!(coding_of(&[Value::win_in(2), Value::loss_in(200)]), two);
        for code in
            [HOLE, DRAW].into_iter().chain((0..127).flat_map(|n| [loss_code(2 * n), win_code(2 * n + 1)]))
        {
            let again = one(Meaning::Alternating).of_distance(code);
            assert_eq!(one(Meaning::Alternating).decode(again), DISTANCES.decode(code), "{code}");
        }
        assert_eq!(one(Meaning::Alternating).encode(Value::loss_in(3)), None);
    }
}

//! Octal games and their named relatives: heaps of counters, taken from and split.
//!
//! * The code `0.77` has a digit for each number of counters that a move may take from one heap: the digit is the
//!   sum of 1 if nothing may be left of the heap, 2 if one heap, 4 if two. The digit before the point is 0 or 4:
//!   4 allows a split without taking.
//! * Named: `kayles` 0.77, `dawsons-kayles` 0.07, `dawsons-chess` 0.137, `laskers-nim` 4.333.. (take any number, or
//!   split), `grundys-game` (split a heap into two unequal ones).
//! * The player who cannot move loses; `misere`: wins. An emptied heap disappears; of a split the larger
//!   part comes first.
//! * Position `7,5 1`, no heaps `0`; moves `1:2` (take 2 from heap 1), `1:2:4-1` (and leave 4 and 1), `1:0:5-2`.
//!
//! Solved by Grundy numbers and their proved period (Guy and Smith 1956; Winning Ways, chapter 4), with the plain
//! recursion as witness. In misere play small sums are solved by searching all positions, others by the misere quotient
//! (Plambeck 2005; that of Kayles has 40 elements).

use grundy_core::game::{Flow, MORE};
use grundy_core::sorting;
use grundy_core::words;

use crate::heap_game::{HeapRules, Move, Position};
use grundy_sums::octal::OctalCode;

/// Maximum number of counters in a heap of an octal game with a finite code.
pub const MOST: u64 = 1_000_000_000_000_000_000;
/// Maximum number of heaps in a position.
pub const HEAPS: usize = 100_000;
/// Maximum number of digits of a code behind its point.
pub const DIGITS: usize = 64;

/// The moves that a heap allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The digits of an octal code, that before the point first.
    Code(Vec<u8>),
    /// Split a heap into two unequal ones (Grundy's game).
    GrundysGame,
    /// Take any number, or split a heap in two (Lasker's Nim).
    LaskersNim,
}

/// The rules of a heap game.
#[derive(Clone, Debug)]
pub struct Heaps {
    rule: Rule,
    heaps: Vec<u64>,
    misere: bool,
}

impl Rule {
    /// Reads a name or an octal code.
    ///
    /// ```
    /// use grundy_heaps::heaps::Rule;
    /// assert_eq!(Rule::read("kayles"), Ok(Rule::Code(vec![0, 7, 7])));
    /// assert!(Rule::read("0.78").is_err());
    /// ```
    ///
    /// # Errors
    /// The word is neither; the line says what is possible.
    pub fn read(word: &str) -> Result<Rule, String> {
        let code = match word {
            "grundys-game" => return Ok(Rule::GrundysGame),
            "laskers-nim" => return Ok(Rule::LaskersNim),
            "kayles" => "0.77",
            "dawsons-kayles" => "0.07",
            "dawsons-chess" => "0.137",
            code => code,
        };
        Rule::digits(code).map(Rule::Code).ok_or_else(|| {
            format!(
                "{:?} is no heap game: expected kayles, dawsons-kayles, dawsons-chess, grundys-game, laskers-nim \
                 or an octal code like 0.77, 0 or 4 before the point and 1 to {DIGITS} digits of 0..7 behind it, \
                 not all 0",
                words::short(word)
            )
        })
    }

    fn digits(code: &str) -> Option<Vec<u8>> {
        let (first, places) = code.split_once('.')?;
        let octal = |b: u8| (b'0'..=b'7').contains(&b).then(|| b - b'0');
        let mut digits: Vec<u8> = places.bytes().map(octal).collect::<Option<_>>()?;
        if !matches!(first, "0" | "4") || digits.is_empty() || digits.len() > DIGITS {
            return None;
        }
        digits.insert(0, if first == "4" { 4 } else { 0 });
        let length = digits.iter().rposition(|&d| d != 0)? + 1;
        digits.truncate(length);
        Some(digits)
    }

    /// Returns the maximum number of counters of a heap whose Grundy number can be found.
    const fn most(&self) -> u64 {
        match self {
            Rule::Code(_) => MOST,
            Rule::GrundysGame => 50_000,
            Rule::LaskersNim => 1_000_000,
        }
    }
}

impl Heaps {
    /// Returns a heap game from these heaps; empty ones are left out.
    ///
    /// # Errors
    /// There are too many heaps or one is too large.
    pub fn new(rule: Rule, heaps: Vec<u64>, misere: bool) -> Result<Heaps, String> {
        let game = Heaps { rule, heaps: Vec::new(), misere };
        if heaps.len() > HEAPS || heaps.iter().any(|&heap| heap > game.rule.most()) {
            return Err(format!(
                "at most {HEAPS} heaps of at most {} counters are possible here",
                game.rule.most()
            ));
        }
        Ok(Heaps { heaps: heaps.into_iter().filter(|&heap| heap > 0).collect(), ..game })
    }

    fn legal(&self, heap: u64, take: u64, split: u64) -> bool {
        let Some(rest) = heap.checked_sub(take) else { return false };
        let digit = self.digit(take);
        match (split, rest) {
            (0, 0) => digit & 1 != 0,
            (0, _) => digit & 2 != 0,
            _ => digit & 4 != 0 && split <= rest / 2 && !(self.unequal() && split * 2 == rest),
        }
    }

    /// Reports whether a heap has a move.
    fn movable(&self, heap: u64) -> bool {
        match self.rule {
            Rule::GrundysGame => heap >= 3,
            Rule::LaskersNim => heap >= 1,
            Rule::Code(_) => {
                (0..=self.longest(heap)).any(|take| self.legal(heap, take, 0) || self.legal(heap, take, 1))
            }
        }
    }
}

impl HeapRules for Heaps {
    fn start(&self) -> Vec<u64> {
        self.heaps.clone()
    }

    fn misere(&self) -> bool {
        self.misere
    }

    fn is_over(&self, position: &Position) -> bool {
        !position.heaps.iter().any(|&heap| self.movable(heap))
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        for (place, &heap) in position.heaps.iter().enumerate() {
            for take in 0..=self.longest(heap) {
                if self.legal(heap, take, 0) {
                    visit(Move::take(place, take, 0))?;
                }
                if self.digit(take) & 4 != 0 {
                    for split in 1..=(heap - take) / 2 {
                        if self.legal(heap, take, split) {
                            visit(Move::take(place, take, split))?;
                        }
                    }
                }
            }
        }
        MORE
    }

    fn play(&self, position: &mut Position, m: Move) {
        let (heaps, place, split) = (&mut position.heaps, m.at(), m.by[1]);
        let larger = heaps[place] - m.by() - split;
        if larger == 0 {
            heaps.remove(place);
        } else {
            heaps[place] = larger;
        }
        if split > 0 {
            heaps.insert(place + 1, split);
        }
    }

    /// Sorts the heaps, and drops those in which no move is possible.
    fn make_canonical(&self, position: &mut Position) {
        sorting::sort_few(&mut position.heaps);
        position.heaps.retain(|&heap| self.movable(heap));
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let mut position = Position::read_heaps(text, self.rule.most(), 2 * HEAPS)?;
        position.heaps.retain(|&heap| heap > 0);
        Ok(position)
    }

    fn write_move(&self, position: &Position, m: Move) -> String {
        let rest = position.heaps[m.at()] - m.by();
        match m.by[1] {
            0 => format!("{}:{}", m.at() + 1, m.by()),
            split => format!("{}:{}:{}-{split}", m.at() + 1, m.by(), rest - split),
        }
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        let mut parts = word.splitn(3, ':');
        let place = words::number(parts.next()?, position.heaps.len() as u64)?.checked_sub(1)? as usize;
        let &heap = position.heaps.get(place)?;
        let take = words::number(parts.next()?, MOST)?;
        let split = match parts.next() {
            None => 0,
            Some(split) => {
                let (larger, smaller) = Move::read_dash(split)?;
                let whole = larger.checked_add(smaller)?.checked_add(take)?;
                (smaller > 0 && larger >= smaller && whole == heap).then_some(smaller)?
            }
        };
        self.legal(heap, take, split).then(|| Move::take(place, take, split))
    }

    fn draw(&self, position: &Position) -> String {
        match position.heaps.is_empty() {
            true => "no heaps\n".to_owned(),
            false => words::draw_heaps(&position.heaps),
        }
    }

    fn heaps_are_parts(&self) -> bool {
        true
    }

    fn octal(&self) -> Option<&dyn OctalCode> {
        Some(self)
    }
}

impl OctalCode for Heaps {
    fn digit(&self, take: u64) -> u8 {
        match &self.rule {
            Rule::Code(digits) => {
                usize::try_from(take).ok().and_then(|t| digits.get(t)).copied().unwrap_or(0)
            }
            Rule::GrundysGame => {
                if take == 0 {
                    4
                } else {
                    0
                }
            }
            Rule::LaskersNim => {
                if take == 0 {
                    4
                } else {
                    3
                }
            }
        }
    }

    fn longest(&self, heap: u64) -> u64 {
        match &self.rule {
            Rule::Code(digits) => heap.min(digits.len() as u64 - 1),
            Rule::GrundysGame => 0,
            Rule::LaskersNim => heap,
        }
    }

    fn code_length(&self) -> Option<u64> {
        match &self.rule {
            Rule::Code(digits) => Some(digits.len() as u64 - 1),
            Rule::GrundysGame | Rule::LaskersNim => None,
        }
    }

    fn unequal(&self) -> bool {
        self.rule == Rule::GrundysGame
    }

    /// Returns the number in Lasker's Nim (E. Lasker, Brettspiele der Völker, 1931): in each group of four heaps the
    /// numbers of the last two are swapped.
    fn number(&self, heap: u64) -> Option<u64> {
        (self.rule == Rule::LaskersNim).then(|| match heap % 4 {
            3 => heap + 1,
            0 if heap > 0 => heap - 1,
            _ => heap,
        })
    }
}

//! Octal games and their named relatives: heaps of counters, taken from and split.
//!
//! * The code `0.77` has a digit for each number of counters that a move may take from one heap: the digit is the
//!   sum of 1 if nothing may be left of the heap, 2 if one heap, 4 if two. The digit before the point is 0 or 4:
//!   4 allows a split without taking.
//! * Named: `kayles` 0.77, `dawsons-kayles` 0.07, `dawsons-chess` 0.137, `laskers-nim` 4.333.. (take any number, or
//!   split), `grundys-game` (split a heap into two unequal ones).
//! * The player who cannot move loses; `misere`: wins. An emptied heap disappears; of a split the larger
//!   part comes first.
//! * Position `7,5 1`, no heaps `0`; moves `1:2` (take 2 from heap 1), `1:2:3-1` (and leave 3 and 1), `1:0:5-2`.
//!
//! Solved by Grundy numbers and their proved period (Guy and Smith 1956; Winning Ways, chapter 4), with the plain
//! recursion as witness. In misere play small sums are solved by searching all positions, others by the misere quotient
//! (Plambeck 2005; that of Kayles has 40 elements).

pub use crate::piles::Piles as Position;
use grundy_core::game::{Flow, Game, MORE, Notation, Player, Scored, cannot_move};
use grundy_core::value::Value;
use grundy_core::words;
use grundy_session::Work;
use grundy_sums::octal::Octal;
use grundy_sums::sum::Sum;

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

/// Takes from a heap and leaves the rest whole or split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The heap, counted from 0.
    pub heap: u32,
    /// Number of counters taken.
    pub take: u64,
    /// The smaller part of a split; 0 if the rest stays whole.
    pub split: u64,
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

    /// Reports whether the player who cannot move wins.
    pub const fn misere(&self) -> bool {
        self.misere
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

impl Game for Heaps {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        Position::start(&self.heaps)
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Value> {
        let ended = !position.heaps.iter().any(|&heap| self.movable(heap));
        ended.then_some(cannot_move(self.misere))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        for (place, &heap) in position.heaps.iter().enumerate() {
            for take in 0..=self.longest(heap) {
                if self.legal(heap, take, 0) {
                    visit(self.take(place, take, 0))?;
                }
                if self.digit(take) & 4 != 0 {
                    for split in 1..=(heap - take) / 2 {
                        if self.legal(heap, take, split) {
                            visit(self.take(place, take, split))?;
                        }
                    }
                }
            }
        }
        MORE
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let mut heaps = position.heaps.clone();
        let place = m.heap as usize;
        let larger = heaps[place] - m.take - m.split;
        if larger == 0 {
            heaps.remove(place);
        } else {
            heaps[place] = larger;
        }
        if m.split > 0 {
            heaps.insert(place + 1, m.split);
        }
        Position { heaps, turn: !position.turn }
    }

    fn essence(&self, position: &Position) -> Position {
        Position { turn: Player::One, ..position.clone() }
    }

    /// Returns the heaps in rising order, without those in which no move is possible.
    fn canonical(&self, position: &Position) -> Position {
        let mut canonical = position.sorted();
        canonical.heaps.retain(|&heap| self.movable(heap));
        canonical
    }
}

impl Scored for Heaps {}

impl Notation for Heaps {
    fn write_position(&self, position: &Position) -> String {
        position.to_string()
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let mut position = Position::read(text, self.rule.most(), HEAPS)?;
        position.heaps.retain(|&heap| heap > 0);
        Ok(position)
    }

    fn write_move(&self, position: &Position, m: Move) -> String {
        let rest = position.heaps[m.heap as usize] - m.take;
        match m.split {
            0 => format!("{}:{}", m.heap + 1, m.take),
            split => format!("{}:{}:{}-{split}", m.heap + 1, m.take, rest - split),
        }
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        let mut parts = word.splitn(3, ':');
        let place = words::number(parts.next()?, HEAPS as u64)?.checked_sub(1)?;
        let &heap = position.heaps.get(place as usize)?;
        let take = words::number(parts.next()?, MOST)?;
        let split = match parts.next() {
            None => 0,
            Some(split) => {
                let (larger, smaller) = split.split_once('-')?;
                let (larger, smaller) = (words::number(larger, MOST)?, words::number(smaller, MOST)?);
                (smaller > 0 && larger >= smaller && larger + smaller + take == heap).then_some(smaller)?
            }
        };
        self.legal(heap, take, split).then(|| self.take(place as usize, take, split))
    }

    fn draw(&self, position: &Position) -> String {
        if position.heaps.is_empty() {
            return "no heaps\n".to_owned();
        }
        position.draw()
    }
}

impl Sum for Heaps {
    type Part = u64;

    fn normal_play(&self) -> bool {
        !self.misere
    }

    fn parts(&self, position: &Position) -> Vec<u64> {
        position.heaps.clone()
    }

    fn options(&self, &heap: &u64, visit: &mut dyn FnMut(&[u64]) -> Flow) -> Flow {
        let lone = Position { heaps: vec![heap], turn: Player::One };
        self.moves(&lone, &mut |m| visit(&self.play(&lone, m).heaps))
    }

    /// Returns the number in Lasker's Nim (E. Lasker, Brettspiele der Völker, 1931): in each group of four heaps the
    /// numbers of the last two are swapped.
    fn grundy_of(&self, &heap: &u64, _work: &Work<'_>) -> Option<u64> {
        (self.rule == Rule::LaskersNim).then(|| match heap % 4 {
            3 => heap + 1,
            0 if heap > 0 => heap - 1,
            _ => heap,
        })
    }
}

impl Octal for Heaps {
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

    fn take(&self, heap: usize, take: u64, split: u64) -> Move {
        Move { heap: heap as u32, take, split }
    }
}

//! The table of a game that consists of solved classes, to be written to a file.

use super::class_table::ClassTable;
use super::library::Library;
use crate::superposed::{Endings, FAR, Place, WordCodes, decode};
use grundy_core::game::{Indexed, Scored};
use grundy_core::table::{Checkpoints, Coding, Meaning, Source, Table, Width};
use grundy_core::value::Value;
use grundy_session::{Progress, SolveError, Work};

/// Words that are written together. An unused index repeats the value of the one before among these, because that
/// compresses best.
const PLANE: u64 = 64;

/// Solves all classes of a game and creates a table of them whose cells are encoded on demand.
///
/// # Errors
/// As [`solve`](super::solve).
pub(crate) fn solve_table<G: Scored + Indexed + Endings + Clone + 'static>(
    game: &G,
    work: &Work<'_>,
    _checkpoints: &mut dyn Checkpoints,
) -> Result<Table, SolveError> {
    let library = Library::<G>::new(0);
    let count = game.size();
    let mut classes = game.classes();
    classes.sort_by_key(|&(_, first)| first);
    let needed = memory(game);
    if let Some(limit) = work.memory_limit.filter(|&limit| needed > limit) {
        return Err(SolveError::TooLarge { needed, limit });
    }
    let mut longest = 0;
    for &(ending, _) in &classes {
        longest = longest.max(library.make(game, ending, work)?.longest());
    }
    let fits = |width| Coding { meaning: Meaning::Distance, width }.encode(Value::win_in(longest)).is_some();
    let coding =
        Coding { meaning: Meaning::Distance, width: if fits(Width::One) { Width::One } else { Width::Two } };
    let mut numbers = Numbers { game: game.clone(), coding, classes: Vec::new(), behind: Vec::new(), end: 0 };
    for (ending, first) in classes {
        let Some(kept) = library.kept(ending) else { continue };
        numbers.end = first + 2 * kept.words() as u64 * 64;
        numbers.classes.push((first, ending, kept));
    }
    (work.report)(&Progress { what: "positions".into(), done: numbers.end, total: count });
    let (step, end) = (numbers.step(), numbers.end);
    let mut behind = vec![0; (count - end) as usize * step];
    game.walk(end..count, &mut |number, position| {
        let code = game.plain(&position).and_then(|value| coding.encode(value)).unwrap_or(0);
        behind[(number - end) as usize * step..][..step].copy_from_slice(&code.to_le_bytes()[..step]);
    });
    numbers.behind = behind;
    Ok(Table::from_source(coding, count, Box::new(numbers)))
}

/// Returns the bytes of memory that solving all classes of a game takes.
pub fn memory<G: Endings>(game: &G) -> u64 {
    Library::<G>::new(0).cost(game, game.classes().into_iter().map(|(ending, _)| (ending, None))).memory
}

/// The solved classes of a game, to be read by index.
struct Numbers<G: Endings> {
    game: G,
    coding: Coding,
    /// The classes with their first indices, in their order.
    classes: Vec<(u64, G::Ending, ClassTable)>,
    /// The cells of the indices after the classes.
    behind: Vec<u8>,
    end: u64,
}

impl<G: Endings> std::fmt::Debug for Numbers<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.classes.iter().map(|(_, ending, _)| ending)).finish()
    }
}

impl<G: Endings> Numbers<G> {
    /// Returns the bytes of a cell.
    fn step(&self) -> usize {
        if self.coding.width == Width::One { 1 } else { 2 }
    }

    /// Returns the cells of a plane: of some words of a class with one side to move.
    fn plane(
        &self,
        ending: G::Ending,
        kept: &ClassTable,
        side: usize,
        words: std::ops::Range<usize>,
    ) -> Vec<u8> {
        let step = self.step();
        let mut cells = Vec::with_capacity(words.len() * 64 * step);
        let mut last = [0; 2];
        let codes = |value: Value| (self.coding.encode(value).unwrap_or(0) as u16).to_le_bytes();
        for word in words {
            let stands = self.game.stands(ending, side, word);
            let read: WordCodes = kept.word(side, word);
            for (bit, &code) in read.0.iter().enumerate() {
                let value = match code {
                    _ if stands >> bit & 1 == 0 => None,
                    FAR => kept.value(Place { side, word, bit }),
                    _ => decode(code),
                };
                if let Some(value) = value {
                    last = codes(value);
                }
                cells.extend_from_slice(&last[..step]);
            }
        }
        cells
    }
}

impl<G: Endings> Source for Numbers<G> {
    fn copy(&self, offset: u64, into: &mut [u8]) {
        into.fill(0);
        let step = self.step() as u64;
        let end = offset + into.len() as u64;
        let mut at = offset;
        while at < end {
            let number = at / step;
            let (begin, cells) = if number >= self.end {
                (self.end * step, self.behind.clone())
            } else {
                let class = self.classes.partition_point(|&(first, _, _)| first <= number) - 1;
                let (first, ending, kept) = &self.classes[class];
                let words = kept.words() as u64;
                let (side, word) = ((number - first) / 64 / words, (number - first) / 64 % words);
                let word = word / PLANE * PLANE;
                let plane = word as usize..words.min(word + PLANE) as usize;
                let begin = (first + (side * words + word) * 64) * step;
                (begin, self.plane(*ending, kept, side as usize, plane))
            };
            let Some(rest) = cells.get((at - begin) as usize..).filter(|rest| !rest.is_empty()) else {
                return;
            };
            let room = &mut into[(at - offset) as usize..];
            let len = rest.len().min(room.len());
            room[..len].copy_from_slice(&rest[..len]);
            at += len as u64;
        }
    }
}

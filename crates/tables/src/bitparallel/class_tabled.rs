//! A class in a file as a table of its own: to be listed, checked and counted.

use std::fmt;
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::class_file::{Contents, contents, named_by};
use super::library::Library;
use super::packed::PackedClass;
use crate::backup::{Backup, Examined};
use crate::superposed::{Endings, Levels, Place, Portion, value_of};
use crate::verify::{Check, Subject};
use grundy_core::game::{Indexed, Notation, Player, Scored, children};
use grundy_core::table::{Coding, HOLE, Maker, Meaning, Scratch, Source, Table, TableError, Width};
use grundy_core::value::{Unit, Value};
use grundy_session::{Assurance, Estimate, SolveError, Tabled, VerifyError, Work};

/// A class, or a portion of one. Its indices: side to move, word, bit.
pub(super) struct ClassTabled<G: Endings>(Arc<Stored<G>>);

/// A file of an ending, with the game that names its positions.
struct Stored<G: Endings> {
    /// The game of the class alone.
    game: G,
    name: String,
    ending: G::Ending,
    portion: Option<Portion>,
    /// The first index of the class in the game.
    begin: u64,
    /// Words of the class with one side to move.
    span: usize,
    /// The index in the class of the chain's first word, and of the first word stored.
    chain: usize,
    first: usize,
    /// Words stored with one side to move.
    words: usize,
    class: PackedClass,
    levels: OnceLock<Option<Levels>>,
}

impl<G: Scored + Indexed + Notation + Endings + Clone + 'static> ClassTabled<G> {
    /// Opens the file of a class, whose game and name `single` returns; `None` if the file is not named like one of
    /// `prefix`.
    pub(super) fn open(
        game: &G,
        prefix: &str,
        path: &Path,
        single: fn(G::Ending) -> Option<(G, String)>,
    ) -> Option<Result<(ClassTabled<G>, Table), TableError>> {
        let (word, chain) = named_by(prefix, path)?;
        let ending = game.named(word)?;
        let (own, name) = single(ending)?;
        let contents = match contents(path, game, (ending, chain)) {
            Ok(contents) => contents,
            Err(flaw) => return Some(Err(TableError::new(path, flaw))),
        };
        let portion = contents.portion();
        let Contents { place, class } = contents;
        // A whole class is stored from its first word on.
        let [.., chain, first] = place.unwrap_or_default();
        let begin = own.classes().into_iter().find(|&(class, _)| class == ending)?.1;
        let name = match portion {
            Some(portion) => format!("{name}, {}", game.portion_words(ending, portion)),
            None => name,
        };
        let stored = Arc::new(Stored {
            span: game.words(ending),
            game: own,
            name,
            ending,
            portion,
            begin,
            chain,
            first,
            words: class.words(),
            class,
            levels: OnceLock::new(),
        });
        let table = stored.clone().table();
        Some(Ok((ClassTabled(stored), table)))
    }
}

impl<G: Scored + Indexed + Endings + Clone + 'static> Stored<G> {
    /// Returns the table of the stored values.
    fn table(self: Arc<Self>) -> Table {
        let count = self.count();
        let coding = Coding { meaning: Meaning::Distance, width: self.width() };
        Table::from_source(coding, count, Box::new(Values { stored: self, coding }))
    }

    /// Returns the least width that holds all distances.
    fn width(&self) -> Width {
        let far = self.class.far().iter().zip(0..).any(|(far, side)| {
            far.keys().any(|&number| {
                let word = (number / 64) as usize + self.chain;
                self.game.stands(self.ending, side, word) >> (number % 64) & 1 == 1
            })
        });
        if far { Width::Two } else { Width::One }
    }

    fn count(&self) -> u64 {
        2 * 64 * self.words as u64
    }

    /// Returns the index in the game of the first state with `side` to move.
    fn in_game(&self, side: u64) -> u64 {
        self.begin + 64 * (side * self.span as u64 + self.first as u64)
    }

    /// Returns the place in the class of a state.
    fn place(&self, number: u64) -> Place {
        let (side, rest) = (number / (self.count() / 2).max(1), number % (self.count() / 2).max(1));
        Place { side: side as usize, word: self.first + (rest / 64) as usize, bit: (rest % 64) as usize }
    }

    /// Returns the state of a place in the class; `None` if it is not stored.
    fn number(&self, place: Place) -> Option<u64> {
        let word = place.word.checked_sub(self.first).filter(|&word| word < self.words)?;
        Some(place.side as u64 * self.count() / 2 + 64 * word as u64 + place.bit as u64)
    }

    /// Visits the positions of a range of states, rising, that the portion was solved for.
    fn walk(&self, range: Range<u64>, visit: &mut dyn FnMut(u64, G::Position)) {
        let half = self.count() / 2;
        for side in 0..2 {
            let (from, to) = (range.start.max(side * half), range.end.min((side + 1) * half));
            let shift = self.in_game(side) - side * half;
            if from < to {
                self.game.walk(from + shift..to + shift, &mut |number, position| {
                    if self.covers(self.place(number - shift)) {
                        visit(number - shift, position);
                    }
                });
            }
        }
    }

    /// Reports whether a place lies in the portion that was solved, with all that can follow from it.
    fn covers(&self, place: Place) -> bool {
        let covered = |portion: Portion| {
            let needed = self.game.portion(self.ending, place);
            needed.is_some_and(|needed| needed.chain == portion.chain && needed.steps <= portion.steps)
        };
        self.portion.is_none_or(covered)
    }

    /// Returns the value at a place of the class; `None` if it is not stored.
    fn value(&self, place: Place) -> Option<Value> {
        let levels = self.levels.get_or_init(|| self.class.unpack()).as_ref()?;
        let stored = place.word.checked_sub(self.first)?;
        let code = levels.code(Place { word: stored, ..place });
        value_of(code, Place { word: place.word - self.chain, ..place }, &levels.far)
    }
}

/// The cells of a table, from the stored values.
struct Values<G: Endings> {
    stored: Arc<Stored<G>>,
    coding: Coding,
}

impl<G: Endings> fmt::Debug for Values<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.stored.name)
    }
}

impl<G: Scored + Indexed + Endings + Clone + 'static> Source for Values<G> {
    fn copy(&self, offset: u64, into: &mut [u8]) {
        let Values { stored, coding } = self;
        let step = if coding.width == Width::One { 1 } else { 2 };
        let (mut word, mut stands) = (None, 0);
        for (cell, number) in into.chunks_mut(step).zip(offset / step as u64..) {
            let place = stored.place(number);
            if word != Some((place.side, place.word)) {
                word = Some((place.side, place.word));
                stands = stored.game.stands(stored.ending, place.side, place.word);
            }
            let inside = number < stored.count() && stands >> place.bit & 1 == 1 && stored.covers(place);
            let value = if inside { stored.value(place) } else { None };
            let code = value.and_then(|value| coding.encode(value)).unwrap_or(HOLE);
            cell.copy_from_slice(&(code as u16).to_le_bytes()[..cell.len()]);
        }
    }
}

/// The rules of a class, and the values of the classes that it leads to.
struct Rules<'a, G: Endings> {
    stored: &'a Stored<G>,
    library: &'a Library<G>,
}

impl<G: Scored + Indexed + Endings + Clone + 'static> Rules<'_, G> {
    fn value(&self, table: &Table, position: &G::Position) -> Option<Value> {
        let Rules { stored, library } = self;
        match stored.game.ending(position) {
            Some(ending) if ending == stored.ending => {
                table.get(stored.number(stored.game.place(ending, position))?)
            }
            _ => crate::Oracle::value(*library, &stored.game, position),
        }
    }
}

impl<G: Scored + Indexed + Endings + Clone + 'static> Subject for Rules<'_, G> {
    fn count(&self) -> u64 {
        self.stored.count()
    }

    fn unit(&self) -> Unit {
        self.stored.game.unit()
    }

    fn loose(&self) -> bool {
        false
    }

    fn ordered(&self) -> bool {
        false
    }

    fn given(&self) -> Option<String> {
        let smaller: Vec<String> =
            self.stored.game.needs(self.stored.ending).iter().map(G::Ending::to_string).collect();
        (!smaller.is_empty()).then(|| format!("{}, which were solved again", smaller.join(" ")))
    }

    fn examine(&self, table: &Table, range: Range<u64>, visit: &mut dyn FnMut(u64, Examined)) {
        let game = &self.stored.game;
        self.stored.walk(range, &mut |number, position| {
            if let Some(ended) = game.over(&position) {
                return visit(number, Examined::Over(ended));
            }
            let mut backup = Backup::new(number, None, false);
            let _ = children(game, &position, &mut |_, child, step| {
                backup.add_worth(self.value(table, &child).map(|value| (value.back(step), 0)));
                ControlFlow::Continue(())
            });
            visit(number, backup.examined());
        });
    }
}

impl<G: Scored + Indexed + Notation + Endings + Clone + 'static> Tabled for ClassTabled<G> {
    fn name(&self) -> &str {
        &self.0.name
    }

    fn unit(&self) -> Unit {
        self.0.game.unit()
    }

    fn count(&self) -> u64 {
        self.0.count()
    }

    fn fingerprint(&self) -> u64 {
        self.0.game.fingerprint(self.0.ending)
    }

    fn maker(&self) -> Maker {
        Maker::BitParallel
    }

    fn estimate(&self, _work: &Work<'_>) -> Result<Estimate, SolveError> {
        let Stored { game, ending, portion, .. } = &*self.0;
        let seconds = Some(game.seconds(*ending, *portion));
        let memory = game.memory(*ending, *portion);
        Ok(Estimate { seconds, ..Estimate::in_one_piece(self.count(), memory) })
    }

    fn solve(&self, work: &Work<'_>, _scratch: &Scratch) -> Result<Table, SolveError> {
        let Stored { game, name, ending, portion, begin, span, chain, first, .. } = &*self.0;
        let library = Library::<G>::new(0);
        let class = match portion {
            Some(portion) => {
                library.make_portion(game, *ending, *portion, work)?;
                library.made_portion(*ending, portion.chain).and_then(|made| made.pack())
            }
            None => PackedClass::new(&*library.prepare(game, *ending, work)?),
        };
        let class = class.ok_or_else(|| SolveError::Broken("a class could not be packed".to_owned()))?;
        let (game, name, ending, portion) = (game.clone(), name.clone(), *ending, *portion);
        let (begin, span, chain, first) = (*begin, *span, *chain, *first);
        let (words, levels) = (class.words(), OnceLock::new());
        let again = Stored { game, name, ending, portion, begin, span, chain, first, words, class, levels };
        Ok(Arc::new(again).table())
    }

    fn verify(&self, table: &Table, work: &Work<'_>) -> Result<Assurance, VerifyError> {
        let Stored { game, ending, .. } = &*self.0;
        let library = Library::<G>::new(0);
        for smaller in game.needs(*ending) {
            library.prepare(game, smaller, work).map_err(VerifyError::Work)?;
        }
        Check { subject: &Rules { stored: &self.0, library: &library }, table, work }.run()
    }

    fn turns(&self, range: Range<u64>, visit: &mut dyn FnMut(u64, Player)) {
        self.0.walk(range, &mut |number, position| visit(number, self.0.game.turn(&position)));
    }

    fn position(&self, number: u64) -> Option<(Player, String)> {
        let mut found = None;
        self.0.walk(number..number + 1, &mut |_, position| {
            found = Some((self.0.game.turn(&position), self.0.game.write_position(&position)));
        });
        found
    }

    fn number(&self, position: &str) -> Option<u64> {
        let Stored { game, ending, .. } = &*self.0;
        let position = game.read_position(position).ok()?;
        let place =
            Some(game.place(*ending, &position)).filter(|_| game.ending(&position) == Some(*ending))?;
        let number = self.0.number(place)?;
        self.position(number).map(|_| number)
    }
}

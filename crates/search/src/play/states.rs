//! The states that can follow a position, each at its place: see [`Enumeration::begin_states`](grundy_session::Enumeration).

use std::ops::ControlFlow;

use grundy_core::game::{Game, MORE, Scored, each_child};
use grundy_core::interner::Interner;
use grundy_core::value::{Step, Value};

use grundy_tables::{NoPosition, StateNumbers, VisitNumber};

/// States in order of discovery: as the numbers of the game's method, else as essences of positions.
pub(super) enum StateSet<G: Game> {
    Numbers(StateNumbers<G>, KnownNumbers),
    Positions(Interner<G::Position>),
}

/// Numbers in order of discovery.
pub(super) enum KnownNumbers {
    /// For few numbers: the indices by number, counted from 1, and the numbers by index.
    Dense(Vec<u32>, Vec<u32>),
    Short(Interner<u64>),
    Long(Interner<u128>),
}

/// Numbers below this have their indices in an array, whose untouched pages take no memory.
const DENSE: u128 = 1 << 27;
/// Page size of the system in bytes.
const PAGE: usize = 1 << 12;

/// Receives the index of a successor, whether it is new, and the step of the move; returns whether to continue.
pub(super) type VisitPlace<'a> = dyn FnMut(u32, bool, Step) -> bool + 'a;

/// Visits the numbers after a number; see [`StateNumbers::expand`].
type Expand<'a> = dyn Fn(u128, &mut VisitNumber<'_>) -> Result<Option<Value>, NoPosition> + 'a;

impl KnownNumbers {
    /// Returns a set with this number of a method with `size` numbers at index 0.
    fn starting_with(number: u128, size: u128) -> KnownNumbers {
        if size <= DENSE && number < size {
            let mut places = vec![0; size as usize];
            places[number as usize] = 1;
            KnownNumbers::Dense(places, vec![number as u32])
        } else if size <= 1 << u64::BITS {
            KnownNumbers::Short(starting_with(number as u64))
        } else {
            KnownNumbers::Long(starting_with(number))
        }
    }

    /// Returns the number at an index.
    fn at(&self, place: u32) -> u128 {
        match self {
            KnownNumbers::Dense(_, known) => known[place as usize].into(),
            KnownNumbers::Short(known) => known.list()[place as usize].into(),
            KnownNumbers::Long(known) => known.list()[place as usize],
        }
    }

    /// Adds a number unless it is there. Returns its place in the order of discovery, and whether it is new. Only the dense set
    /// refuses a number that is too large: `None`.
    fn insert(&mut self, number: u128) -> Option<(u32, bool)> {
        match self {
            KnownNumbers::Dense(places, known) => {
                let place = places.get_mut(usize::try_from(number).ok()?)?;
                let new = *place == 0;
                if new {
                    known.push(number as u32);
                    *place = known.len() as u32;
                }
                Some((*place - 1, new))
            }
            KnownNumbers::Short(known) => Some(known.insert(number as u64)),
            KnownNumbers::Long(known) => Some(known.insert(number)),
        }
    }

    /// Returns the approximate size in bytes.
    fn bytes(&self) -> u64 {
        match self {
            KnownNumbers::Dense(places, known) => {
                let touched = (places.len() * size_of::<u32>()).min(known.len() * PAGE);
                (touched + known.capacity() * size_of::<u32>()) as u64
            }
            KnownNumbers::Short(known) => known.bytes(),
            KnownNumbers::Long(known) => known.bytes(),
        }
    }

    /// As [`StateSet::expand`]; `expand` visits the numbers after a number, or returns the value if the game is over.
    fn expand(
        &mut self,
        place: u32,
        expand: &Expand<'_>,
        visit: &mut VisitPlace<'_>,
    ) -> Result<Option<Value>, String> {
        let (mut more, mut lost) = (true, false);
        let over = expand(self.at(place), &mut |child, step| {
            if !more {
                return;
            }
            match self.insert(child) {
                Some((place, new)) => more = visit(place, new, step),
                None => (lost, more) = (true, false),
            }
        });
        over.ok().filter(|_| !lost).ok_or_else(|| "a number of the game's table is no position's".to_owned())
    }
}

impl<G: Scored> StateSet<G> {
    /// Returns a set with the state of this position at index 0.
    pub(super) fn new(game: &G, position: &G::Position, numbers: Option<StateNumbers<G>>) -> StateSet<G> {
        match numbers.and_then(|numbers| Some((numbers, (numbers.number)(game, position)?))) {
            Some((numbers, number)) => {
                StateSet::Numbers(numbers, KnownNumbers::starting_with(number, (numbers.size)(game)))
            }
            None => StateSet::Positions(starting_with(game.essence(position))),
        }
    }

    /// Visits the successors of a state. Returns the value, with none visited, if the game is over.
    ///
    /// # Errors
    /// One line: a number of the method is no position's.
    pub(super) fn expand(
        &mut self,
        game: &G,
        place: u32,
        visit: &mut VisitPlace<'_>,
    ) -> Result<Option<Value>, String> {
        match self {
            StateSet::Numbers(numbers, known) => {
                known.expand(place, &|number, visit| (numbers.expand)(game, number, visit), visit)
            }
            StateSet::Positions(known) => {
                let position = known.list()[place as usize].clone();
                let over = game.over(&position);
                if over.is_none() {
                    let _ = each_child(game, &position, &mut |_, child, step| {
                        let (place, new) = known.insert(game.essence(child));
                        if visit(place, new, step) { MORE } else { ControlFlow::Break(()) }
                    });
                }
                Ok(over)
            }
        }
    }

    /// Returns the approximate size in bytes, with `elsewhere` bytes of heap memory for each position.
    pub(super) fn bytes(&self, elsewhere: usize) -> u64 {
        match self {
            StateSet::Numbers(_, known) => known.bytes(),
            StateSet::Positions(known) => known.bytes() + (known.list().len() * elsewhere) as u64,
        }
    }
}

/// Returns an interner with one entry, at number 0.
fn starting_with<T: Eq + std::hash::Hash>(first: T) -> Interner<T> {
    let mut interner = Interner::default();
    interner.insert(first);
    interner
}

//! The states that can follow a position, each at its place: see [`Enumeration::begin_states`](grundy_session::Enumeration).

use std::ops::ControlFlow;

use grundy_core::game::{Game, MORE, Scored, each_child};
use grundy_core::interner::Interner;
use grundy_core::value::{Step, Value};

use grundy_tables::{NoPosition, StateNumbers};

/// States in order of discovery: as the numbers of the game's method, else as essences of positions.
pub(super) enum StateSet<G: Game> {
    /// For few numbers: the indices by number, counted from 1, and the numbers by index.
    Dense(StateNumbers<G>, Vec<u32>, Vec<u32>),
    Short(StateNumbers<G>, Interner<u64>),
    Long(StateNumbers<G>, Interner<u128>),
    Positions(Interner<G::Position>),
}

/// Numbers below this have their indices in an array, whose untouched pages take no memory.
const DENSE: u128 = 1 << 27;
/// Page size of the system in bytes.
const PAGE: usize = 1 << 12;

/// Receives the index of a successor, whether it is new, and the step of the move; returns whether to continue.
pub(super) type VisitPlace<'a> = dyn FnMut(u32, bool, Step) -> bool + 'a;

impl<G: Scored> StateSet<G> {
    /// Returns a set with the state of this position at index 0.
    pub(super) fn new(game: &G, position: &G::Position, numbers: Option<StateNumbers<G>>) -> StateSet<G> {
        let numbered = numbers.and_then(|numbers| Some((numbers, (numbers.number)(game, position)?)));
        match numbered.map(|(numbers, number)| (numbers, number, (numbers.size)(game))) {
            Some((numbers, number, size)) if size <= DENSE && number < size => {
                let mut places = vec![0; size as usize];
                places[number as usize] = 1;
                StateSet::Dense(numbers, places, vec![number as u32])
            }
            Some((numbers, number, size)) if size <= 1 << u64::BITS => {
                StateSet::Short(numbers, starting_with(number as u64))
            }
            Some((numbers, number, _)) => StateSet::Long(numbers, starting_with(number)),
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
        let mut more = true;
        let broken = |_| "a number of the game's table is no position's".to_owned();
        match self {
            StateSet::Dense(numbers, places, known) => {
                let own = known[place as usize].into();
                let mut lost = false;
                let mut reach = |child: u128, step| {
                    if !more {
                        return;
                    }
                    let Some(place) = usize::try_from(child).ok().and_then(|child| places.get_mut(child))
                    else {
                        lost = true;
                        return;
                    };
                    let new = *place == 0;
                    if new {
                        known.push(child as u32);
                        *place = known.len() as u32;
                    }
                    more = visit(*place - 1, new, step);
                };
                let over = (numbers.expand)(game, own, &mut reach);
                if lost { Err(broken(NoPosition)) } else { over.map_err(broken) }
            }
            StateSet::Short(numbers, known) => {
                let own = known.list()[place as usize].into();
                let mut reach = |child: u128, step| {
                    if more {
                        let (place, new) = known.insert(child as u64);
                        more = visit(place, new, step);
                    }
                };
                (numbers.expand)(game, own, &mut reach).map_err(broken)
            }
            StateSet::Long(numbers, known) => {
                let own = known.list()[place as usize];
                let mut reach = |child: u128, step| {
                    if more {
                        let (place, new) = known.insert(child);
                        more = visit(place, new, step);
                    }
                };
                (numbers.expand)(game, own, &mut reach).map_err(broken)
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
            StateSet::Dense(_, places, known) => {
                let touched = (places.len() * size_of::<u32>()).min(known.len() * PAGE);
                (touched + known.capacity() * size_of::<u32>()) as u64
            }
            StateSet::Short(_, known) => known.bytes(),
            StateSet::Long(_, known) => known.bytes(),
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

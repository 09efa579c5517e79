//! Moves backwards: asked of the game where it knows them, otherwise from its graph turned round.

use crate::game::{Indexed, Reversible, Scored};
use crate::solve::crew::{Meter, allocate};
use crate::solve::{SolveError, Work};

/// The positions that lead to a position in one move.
pub(super) trait Backward: Sync {
    /// Appends the number of each, and whether the turn passes by that move. One may come more than once.
    fn visit(&self, number: u64, into: &mut Vec<(u64, bool)>);
}

/// A game that knows its predecessors.
pub(super) struct Known<'a, G> {
    pub(super) game: &'a G,
}

impl<G: Reversible> Backward for Known<'_, G> {
    fn visit(&self, number: u64, into: &mut Vec<(u64, bool)>) {
        let Some(position) = self.game.position(number) else { return };
        let turn = self.game.turn(&position);
        self.game.predecessors(&position, &mut |predecessor| {
            into.push((self.game.index(&predecessor), self.game.turn(&predecessor) != turn));
        });
    }
}

/// The numbers that one move leads to, and whether the turn passes by it, each pair once: two moves to symmetric
/// positions are one.
pub(super) fn distinct_children<G: Scored + Indexed>(
    game: &G,
    position: &G::Position,
    into: &mut Vec<(u64, bool)>,
) {
    into.clear();
    game.child_numbers(position, &mut |child, step| into.push((child, step.turn_passed)));
    into.sort_unstable();
    into.dedup();
}

/// The graph of a game turned round: for each number the numbers that lead to it.
pub(super) struct Reversed {
    /// Where the predecessors of a number begin; those of the next begin where they end.
    begins: Vec<u64>,
    /// Twice the number, and one more where the turn passes.
    edges: Vec<u32>,
}

impl Reversed {
    /// Plays all moves of all positions, twice: once to count, once to note.
    pub(super) fn build<G: Scored + Indexed>(game: &G, work: &Work<'_>) -> Result<Reversed, SolveError> {
        let count = game.size();
        if count > 1 << 31 {
            return Err(SolveError::Broken(format!(
                "a graph of {count} positions is too large to turn round"
            )));
        }
        let mut begins = allocate(count + 1, 0u64)?;
        for_all_moves(game, &Meter::new(work, "counting moves", count), |_, child, _| {
            match begins.get_mut(child as usize + 1).filter(|_| child < count) {
                Some(begin) => {
                    *begin += 1;
                    Ok(())
                }
                None => Err(beyond(child)),
            }
        })?;
        for at in 1..begins.len() {
            begins[at] += begins[at - 1];
        }
        let mut edges = allocate(begins.last().copied().unwrap_or(0), 0u32)?;
        for_all_moves(
            game,
            &Meter::new(work, "turning moves round", count),
            |number, child, turn_passed| {
                // Filling moves each begin to the next one's place, which is put right below.
                let at = begins.get_mut(child as usize).ok_or_else(|| beyond(child))?;
                let edge = edges.get_mut(*at as usize).ok_or_else(|| beyond(child))?;
                *edge = (number as u32) << 1 | u32::from(turn_passed);
                *at += 1;
                Ok(())
            },
        )?;
        begins.rotate_right(1);
        if let Some(first) = begins.first_mut() {
            *first = 0;
        }
        Ok(Reversed { begins, edges })
    }
}

fn beyond(child: u64) -> SolveError {
    SolveError::Broken(format!("a move leads to number {child}, which is beyond the table"))
}

impl Backward for Reversed {
    fn visit(&self, number: u64, into: &mut Vec<(u64, bool)>) {
        let at = number as usize;
        let edges = &self.edges[self.begins[at] as usize..self.begins[at + 1] as usize];
        into.extend(edges.iter().map(|edge| (u64::from(edge >> 1), edge & 1 == 1)));
    }
}

/// Visits every move of every unfinished position as its number, the child's number, and whether the turn passes.
fn for_all_moves<G: Scored + Indexed>(
    game: &G,
    meter: &Meter<'_, '_>,
    mut visit: impl FnMut(u64, u64, bool) -> Result<(), SolveError>,
) -> Result<(), SolveError> {
    const STRETCH: u64 = 1 << 14;
    let mut list = Vec::new();
    for number in 0..game.size() {
        if number % STRETCH == 0 {
            meter.add(STRETCH)?;
        }
        let Some(position) = game.position(number).filter(|position| game.over(position).is_none()) else {
            continue;
        };
        distinct_children(game, &position, &mut list);
        for &(child, turn_passed) in &list {
            visit(number, child, turn_passed)?;
        }
    }
    Ok(())
}

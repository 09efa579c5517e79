//! A strategy of one player: a move wherever he is to move, and his answers to every reply.
//!
//! It proves a bound of a position's value by the rules alone. To keep it small, the player chooses a move to a position
//! that is listed already, or to the end of the game, if one is good enough. Otherwise the search is asked, for any move
//! that is good enough and not for the best.

use grundy_core::game::{Game, MORE, Notation, Player, Scored, children, legal_moves};
use grundy_core::interner::Interner;
use grundy_core::value::{Step, Value};
use grundy_session::{Listing, Progress, SolveError, Work};

use crate::Question;
use crate::play::SearchMethod;

/// The maximum length of a line of play, in plies: the depth of recursion.
const LONGEST: usize = 2000;
/// Positions listed between two reports.
const PULSE: usize = 1 << 12;

/// A strategy under construction.
struct Builder<'a, G: Game> {
    game: &'a G,
    search: &'a mut dyn SearchMethod<G>,
    player: Player,
    /// The least value of the player's moves, for him.
    target: Value,
    work: &'a Work<'a>,
    positions: Interner<G::Position>,
    /// The value of each listed position for the player to move; `None` while positions after it are being listed.
    values: Vec<Option<Value>>,
    /// The number of the player's move among the legal ones, where he is to move.
    choices: Vec<u32>,
}

/// Lists a strategy of `player` from `start` that gets him at least `target`, as
/// [`strategy`](grundy_session::Search::strategy) of a board does.
pub(crate) fn list<G: Scored + Notation>(
    game: &G,
    start: &G::Position,
    (player, target): (Player, Value),
    search: &mut dyn SearchMethod<G>,
    work: &Work<'_>,
    visit: &mut dyn FnMut(usize, Listing<'_>) -> bool,
) -> Result<Option<Value>, SolveError> {
    let (positions, values, choices) = (Interner::default(), Vec::new(), Vec::new());
    let mut builder = Builder { game, search, player, target, work, positions, values, choices };
    let Some(value) = builder.list(start, 0)? else { return Ok(None) };
    let Builder { positions, values, choices, .. } = builder;
    for ((position, value), choice) in positions.list().iter().zip(&values).zip(choices) {
        let Some(value) = *value else { continue };
        let chosen = (game.turn(position) == player).then(|| chosen(game, position, choice)).flatten();
        let word = chosen.map(|m| game.write_move(position, m));
        let text = game.write_position(position);
        if !visit(values.len(), Listing { position: &text, value, word: word.as_deref() }) {
            break;
        }
    }
    Ok(Some(value))
}

impl<G: Scored + Notation> Builder<'_, G> {
    /// Lists a position and all that can follow it. Returns its value for the player to move; `None` if a position after
    /// it is worth less than the target to the player.
    fn list(&mut self, position: &G::Position, depth: usize) -> Result<Option<Value>, SolveError> {
        if let Some(value) = self.game.over(position) {
            return Ok(Some(value));
        }
        let (number, new) = self.positions.insert(position.clone());
        let number = number as usize;
        if !new {
            let value = self.values[number];
            return value.map(Some).ok_or_else(|| SolveError::Broken("positions repeat".to_owned()));
        }
        if depth == LONGEST {
            return Err(SolveError::Broken(format!("a line of play has more than {LONGEST} plies")));
        }
        self.values.push(None);
        self.choices.push(0);
        if self.values.len().is_multiple_of(PULSE) {
            let what = format!("{} positions listed", self.values.len()).into();
            (self.work.report)(&Progress { what, done: 0, total: 0 });
        }
        let mut best = None;
        if self.game.turn(position) == self.player {
            let Some(choice) = self.choose(position)? else { return Ok(None) };
            self.choices[number] = choice;
            let Some((child, step)) = after(self.game, position).into_iter().nth(choice as usize) else {
                return Ok(None);
            };
            best = self.list(&child, depth + 1)?.map(|value| value.back(step));
        } else {
            for (child, step) in after(self.game, position) {
                let Some(value) = self.list(&child, depth + 1)? else { return Ok(None) };
                best = best.max(Some(value.back(step)));
            }
        }
        self.values[number] = best;
        Ok(best)
    }

    /// Returns the number of a move that is worth the target; `None` if there is none.
    fn choose(&mut self, position: &G::Position) -> Result<Option<u32>, SolveError> {
        let mut known: Option<(Value, u32)> = None;
        for (number, (child, step)) in (0..).zip(after(self.game, position)) {
            let listed = || self.values[self.positions.number(&child)? as usize];
            let Some(value) = self.game.over(&child).or_else(listed) else { continue };
            let value = value.back(step);
            if value >= self.target && known.is_none_or(|(best, _)| value > best) {
                known = Some((value, number));
            }
        }
        if let Some((_, number)) = known {
            return Ok(Some(number));
        }
        let question = Question { stop: self.work.stop, ..Question::new(self.game, position) };
        let found = self.search.reaching(&question, self.target).ok_or(SolveError::Stopped)?;
        let moves = legal_moves(self.game, position);
        Ok((0..).zip(moves).find(|&(_, m)| Some(m) == found).map(|(number, _)| number))
    }
}

/// Returns the positions after the legal moves, in the game's order.
fn after<G: Scored>(game: &G, position: &G::Position) -> Vec<(G::Position, Step)> {
    let mut list = Vec::new();
    let _ = children(game, position, &mut |_, child, step| {
        list.push((child, step));
        MORE
    });
    list
}

/// Returns the legal move with this number.
fn chosen<G: Game>(game: &G, position: &G::Position, number: u32) -> Option<G::Move> {
    legal_moves(game, position).get(number as usize).copied()
}

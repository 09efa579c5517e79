//! A strategy of one player: a move wherever he is to move, and his answers to every reply.
//!
//! It proves a bound of a position's value by the rules alone. To keep it small, the player chooses a move to a position
//! that is listed already, or to the end of the game, if one is good enough. Otherwise the search is asked, for any move
//! that is good enough and not for the best.

use grundy_core::game::Player;
use grundy_core::value::Value;

use crate::board::{Board, Drawing, Form, Listed, Move, MoveQuestion};
use crate::report::Listing;
use crate::settings::{Distance, Limits, Settings};
use crate::work::{Progress, SolveError, Work};

/// The maximum length of a line of play, in plies: the depth of recursion.
const LONGEST: usize = 2000;
/// Positions listed between two reports.
const PULSE: usize = 1 << 12;
/// The board's set of the listed positions.
const LISTED: usize = 0;

/// A strategy under construction.
struct Builder<'a> {
    /// Stands at the position that is being listed.
    board: &'a mut dyn Board,
    settings: &'a Settings,
    player: Player,
    /// The least value of the player's moves, for him.
    target: Value,
    work: &'a Work<'a>,
    /// The value of each listed position for the player to move; `None` while positions after it are being listed.
    values: Vec<Option<Value>>,
    /// The number of the player's move among the legal ones, where he is to move.
    choices: Vec<u32>,
}

/// Lists a strategy of `player` from the board's position that gets him at least `target`, as
/// [`Session::strategy`](crate::Session::strategy) does.
pub(crate) fn list(
    board: &mut dyn Board,
    settings: &Settings,
    (player, target): (Player, Value),
    work: &Work<'_>,
    visit: &mut dyn FnMut(usize, Listing<'_>) -> bool,
) -> Result<Option<Value>, SolveError> {
    board.clear(LISTED);
    let (values, choices) = (Vec::new(), Vec::new());
    let mut builder = Builder { board, settings, player, target, work, values, choices };
    let Some(value) = builder.list(0)? else { return Ok(None) };
    let Builder { board, values, choices, .. } = builder;
    for ((index, value), choice) in (0..).zip(&values).zip(choices) {
        let Some(value) = *value else { continue };
        board.load(LISTED, index);
        let own = board.standing().turn == player;
        let chosen = own.then(|| legal(board).get(choice as usize).copied()).flatten();
        let word = chosen.map(|m| board.word(m));
        let text = board.draw(Drawing::Line);
        if !visit(values.len(), Listing { position: &text, value, word: word.as_deref() }) {
            break;
        }
    }
    Ok(Some(value))
}

impl Builder<'_> {
    /// Lists the board's position and all that can follow it. Returns its value for the player to move; `None` if a
    /// position after it is worth less than the target to the player.
    fn list(&mut self, depth: usize) -> Result<Option<Value>, SolveError> {
        let standing = self.board.standing();
        if standing.over.is_some() {
            return Ok(standing.over);
        }
        // As it is: what the rules lead to is compared with what is listed.
        let (number, new) = self.board.insert(LISTED, Form::Clockless);
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
        let mut moves = legal(self.board);
        if standing.turn == self.player {
            let Some(choice) = self.choose(&moves)? else { return Ok(None) };
            self.choices[number] = choice as u32;
            moves = vec![moves[choice]];
        }
        let mut best = None;
        for m in moves {
            let step = self.board.play(m);
            let value = self.list(depth + 1)?;
            self.board.undo();
            let Some(value) = value else { return Ok(None) };
            best = best.max(Some(value.back(step)));
        }
        self.values[number] = best;
        Ok(best)
    }

    /// Returns the number of a move that is worth the target; `None` if there is none.
    fn choose(&mut self, moves: &[Move]) -> Result<Option<usize>, SolveError> {
        let mut known: Option<(Value, usize)> = None;
        for (number, &m) in moves.iter().enumerate() {
            let step = self.board.play(m);
            let over = self.board.standing().over;
            let listed = || self.values[self.board.index_in(LISTED, Form::Clockless)? as usize];
            let value = over.or_else(listed);
            self.board.undo();
            let Some(value) = value.map(|value| value.back(step)) else { continue };
            if value >= self.target && known.is_none_or(|(best, _)| value > best) {
                known = Some((value, number));
            }
        }
        if let Some((_, number)) = known {
            return Ok(Some(number));
        }
        if let Some(found) = self.board.reaching(self.target, self.settings, self.work.stop) {
            return Ok(moves.iter().position(|&m| Some(m) == found));
        }
        let asked = MoveQuestion { at_most: None, target: Some(self.target), distance: Distance::Exact };
        for (number, &m) in moves.iter().enumerate() {
            let limits = Limits::default();
            match self.board.bounds(m, &asked, self.settings, limits, self.work.stop) {
                (lo, _) if lo >= self.target => return Ok(Some(number)),
                (_, hi) if hi >= self.target => return Err(SolveError::Stopped),
                _ => {}
            }
        }
        Ok(None)
    }
}

/// Returns the legal moves, in the game's order.
fn legal(board: &mut dyn Board) -> Vec<Move> {
    board.list(Listed::Legal, usize::MAX).unwrap_or_default()
}

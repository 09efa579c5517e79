//! Rules files in which both players have the same moves and the player who cannot move loses: their Grundy numbers,
//! and as games of a sum.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use grundy_core::game::{Game, MORE, Notation, Player};
use grundy_core::value::Value;
use grundy_sums::impartial::Impartial;
use rustc_hash::FxHashSet;

use crate::directives::Scoring;
use crate::game::{Rules, width};
use crate::position::Position;
use crate::symmetry::{self, Image};

/// Maximum number of positions that are examined before a game may be part of a sum.
const POSITIONS: usize = 200_000;

impl Rules {
    /// Returns the exchange of the players if both have the same moves.
    fn exchange(&self) -> Option<&Image> {
        let found = || symmetry::exchange(&self.program, &self.code, &self.entries);
        self.exchange.get_or_init(found).as_ref()
    }

    /// Returns the position with player one to move, by exchanging the players, if both have the same moves. Otherwise returns it
    /// unchanged.
    pub(crate) fn seen_by_one(&self, position: &Position) -> Position {
        let Some(image) = self.exchange().filter(|_| self.turn(position) == Player::Two) else {
            return position.clone();
        };
        let mut seen = position.clone();
        // Both scores have the same bound, so they are equally long.
        let cells = self.program.board.cells();
        let length = width(self.program.variables[0].bound);
        let (one, two) = seen.data[cells..cells + 2 * length].split_at_mut(length);
        one.swap_with_slice(two);
        seen.entry = image.entries[usize::from(position.entry)];
        seen
    }

    /// Checks that each position is determined by its board alone, whoever is to move, as a sum writes it.
    ///
    /// # Errors
    /// It is not, or that was not shown: the reason.
    pub fn stands_in_sums(&self) -> Result<(), String> {
        let cannot = |why: &str| Err(format!("cannot stand in a sum: {why}"));
        if let Some(why) = self.obstacle() {
            return cannot(&why);
        }
        let start = self.essence(&self.start());
        let mut seen = FxHashSet::from_iter([start.clone()]);
        let mut open = VecDeque::from([start]);
        while let Some(position) = open.pop_front() {
            if let Some(why) = self.flaw(&position) {
                return cannot(&why);
            }
            let line = self.write_position(&position);
            let board = line.strip_suffix(" 1").unwrap_or_default();
            let read =
                |turn: &str| self.read_position(&format!("{board} {turn}")).map(|seen| self.essence(&seen));
            if board.contains(' ') || ["1", "2"].iter().any(|turn| read(turn).as_ref() != Ok(&position)) {
                return cannot(&format!("{line:?} is not known by its board alone"));
            }
            let _ = self.moves(&position, &mut |m| {
                let next = self.essence(&self.play(&position, m));
                if seen.insert(next.clone()) {
                    open.push_back(next);
                }
                if seen.len() > POSITIONS { ControlFlow::Break(()) } else { MORE }
            });
            if seen.len() > POSITIONS {
                return cannot(&format!("it has more than {POSITIONS} positions"));
            }
        }
        Ok(())
    }
}

impl Impartial for Rules {
    fn obstacle(&self) -> Option<String> {
        if self.program.directives.scoring == Scoring::Score {
            return Some("points decide, not the last move".to_owned());
        }
        let other = "the rules were not seen to give both players the same moves";
        self.exchange().is_none().then(|| other.to_owned())
    }

    fn flaw(&self, position: &Position) -> Option<String> {
        let turn = self.turn(position);
        match self.over(position) {
            Some(value) if value != Value::loss_in(0) => {
                Some("play can end otherwise than by the loss of who cannot move".to_owned())
            }
            Some(_) => None,
            None => {
                let keeps = |m| match self.turn(&self.play(position, m)) == turn {
                    true => ControlFlow::Break(()),
                    false => MORE,
                };
                let kept = self.moves(position, &mut { keeps }).is_break();
                kept.then(|| "a player can move twice in a row".to_owned())
            }
        }
    }

    /// Rules do not tell whether a position can repeat.
    fn loopy(&self) -> bool {
        true
    }
}

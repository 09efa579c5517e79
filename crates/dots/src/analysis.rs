//! Analysis for players beyond values: chains and loops, safe lines, and who is in control.
//!
//! A position is **loony** if a box with one open line is joined by it to a box with exactly two: its player may take
//! all available boxes and move on, or leave two boxes (of a loop four) and, as a rule, make the other move on
//! (*Winning Ways*, chapter 16). A move is loony if it passes the turn in a loony position. The **loony state** tells
//! who makes the next loony move if both play for boxes first and then for the state, each wanting the other to make
//! it. In a loony position the opponent has just made one.

use std::collections::HashMap;

use super::line_sets::Lines;
use super::loose_pieces::Piece;
use super::rules::{Dots, Line, Position};
use grundy_core::bits::Bits;
use grundy_core::game::{Game, legal_moves, step};
use grundy_core::value::Value;
use grundy_session::Annotation;
use grundy_tables::loony::{Known, Loony, LoonyStates};

/// The chains and loops of a position after all available boxes are taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Structure {
    /// Number of boxes that can be taken at once, one after another.
    pub ready: u32,
    /// The lengths of chains, including short ones, sorted. A chain ends at the border or at a joint.
    pub chains: Vec<u32>,
    /// The lengths of loops connected to nothing, sorted.
    pub loops: Vec<u32>,
    /// Number of lines that give nothing away.
    pub safe: u32,
}

/// Maximum number of positions whose loony states are remembered for one request.
const MOST_POSITIONS: usize = 4_000_000;

impl<B: Bits> Dots<B> {
    /// Returns the chains, loops and safe lines of a position.
    pub fn structure(&self, position: &Position<B>) -> Structure {
        let mut open = position.open;
        let before = self.unfinished(open).count();
        let _ = self.harvest(&mut open);
        let degrees = self.degrees(open);
        let mut structure = Structure { ready: before - degrees.any.count(), ..Structure::default() };
        let mut rest = degrees.two;
        while !rest.none() {
            let row = self.flood(rest.lowest_set(), rest, open);
            rest = rest.without(row);
            match self.piece(row, open) {
                Piece::Loop(boxes) => structure.loops.push(boxes),
                Piece::Chain(boxes) => structure.chains.push(boxes),
            }
        }
        structure.chains.sort_unstable();
        structure.loops.sort_unstable();
        structure.safe = open.without(self.around(degrees.two)).count();
        structure
    }

    /// Reports whether a position with these open lines is loony.
    fn is_offer(&self, open: Lines<B>) -> bool {
        let degrees = self.degrees(open);
        self.grow(degrees.one, open).meets(degrees.two)
    }

    /// Returns the loony state for the player to move, from the known values of other positions; `None` if they do not
    /// suffice.
    pub fn loony_state(&self, position: &Position<B>, known: &mut Known<'_, Position<B>>) -> Option<Loony> {
        self.state(position, known, &mut HashMap::new())
    }

    fn state(
        &self,
        position: &Position<B>,
        known: &mut Known<'_, Position<B>>,
        found: &mut HashMap<Lines<B>, Loony>,
    ) -> Option<Loony> {
        if self.over(position).is_some() {
            return Some(Loony::Nobody);
        }
        if self.is_offer(position.open) {
            return Some(Loony::Other);
        }
        if let Some(state) = (known.state)(position) {
            return Some(state);
        }
        let key = self.mirrors.canonical(position.open);
        if let Some(&state) = found.get(&key) {
            return Some(state);
        }
        let state = self.state_of_best_move(position, known, found)?;
        found.insert(key, state);
        Some(state)
    }

    /// Returns the best state that a move of the best value leads to.
    fn state_of_best_move(
        &self,
        position: &Position<B>,
        known: &mut Known<'_, Position<B>>,
        found: &mut HashMap<Lines<B>, Loony>,
    ) -> Option<Loony> {
        if found.len() >= MOST_POSITIONS {
            return None;
        }
        // All values first: only moves of the best value are followed.
        let mut best: Option<Value> = None;
        let mut rivals = Vec::new();
        for line in legal_moves(self, position) {
            let child = self.play(position, line);
            let step = step(self, position, line, &child);
            let worth = (known.value)(&child)?.back(step);
            if best.is_none_or(|best| worth > best) {
                rivals.clear();
                best = Some(worth);
            }
            if best == Some(worth) {
                rivals.push(child);
            }
        }
        let mut state = Loony::Mine;
        for child in rivals {
            state = state.max(self.state_before(position, &child, known, found)?);
            if state == Loony::Other {
                break;
            }
        }
        Some(state)
    }

    /// Returns the state of a move that leads to `child`, for the player who makes it.
    fn state_before(
        &self,
        position: &Position<B>,
        child: &Position<B>,
        known: &mut Known<'_, Position<B>>,
        found: &mut HashMap<Lines<B>, Loony>,
    ) -> Option<Loony> {
        let state = self.state(child, known, found)?;
        Some(if child.turn == position.turn { state } else { state.turned() })
    }
}

impl<B: Bits> LoonyStates for Dots<B> {
    fn has_states(&self) -> bool {
        self.setup().penalty == 0
    }

    #[inline]
    fn is_loony(&self, position: &Position<B>) -> bool {
        self.is_offer(position.open)
    }

    fn loony_marks(&self, position: &Position<B>, known: &mut Known<'_, Position<B>>) -> Annotation<Line> {
        let mut found = HashMap::new();
        // First the position: it needs the states of its best moves only.
        let own = self.state(position, known, &mut found);
        let moves = legal_moves(self, position).into_iter().map(|line| {
            let child = self.play(position, line);
            (line, Loony::mark(self.state_before(position, &child, known, &mut found)))
        });
        Annotation { position: Loony::mark(own), moves: moves.collect() }
    }

    fn remarks(&self, position: &Position<B>, known: &mut Known<'_, Position<B>>) -> Vec<String> {
        if self.over(position).is_some() {
            return Vec::new();
        }
        let Structure { ready, chains, loops, safe } = self.structure(position);
        let list = |lengths: &[u32]| match lengths {
            [] => "none".to_owned(),
            some => some.iter().map(u32::to_string).collect::<Vec<_>>().join(" "),
        };
        let long = chains.iter().filter(|&&boxes| boxes > 2).count();
        let mut lines = vec![
            format!("boxes ready to take: {ready}, safe lines then: {safe}"),
            format!("chains: {} (long ones: {long}), loops: {}", list(&chains), list(&loops)),
        ];
        let (me, other) = (position.turn.digit(), (!position.turn).digit());
        let mut found = HashMap::new();
        let state = self.state(position, known, &mut found);
        if self.is_offer(position.open) {
            // The fight for this loony move is over; the best moves show whether there is another one.
            let next = match self.state_of_best_move(position, known, &mut found) {
                Some(Loony::Other) => format!("player {other} must make the next one, too"),
                Some(Loony::Mine) => format!("player {me} must make the next one"),
                Some(Loony::Nobody) => "nobody need make another".to_owned(),
                None => "who makes the next one was not found in time".to_owned(),
            };
            lines.push(format!("loony ^: player {other} has just made a loony move; {next}"));
            return lines;
        }
        lines.push(match state {
            Some(Loony::Other) => {
                format!("loony ^: player {other} must make the next loony move, player {me} is in control")
            }
            Some(Loony::Mine) => {
                format!("loony v: player {me} must make the next loony move, player {other} is in control")
            }
            Some(Loony::Nobody) => "loony -: nobody need make a loony move".to_owned(),
            None => "loony ?: not found in time".to_owned(),
        });
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Setup;
    use grundy_core::game::Notation;

    fn at(setup: Setup, text: &str) -> (Dots<u32>, Position<u32>) {
        let game = Dots::new(setup).expect("fits");
        let position = game.read_position(text).expect("a position");
        (game, position)
    }

    /// Returns the value by plain negamax.
    fn value(game: &Dots<u32>, position: &Position<u32>) -> Value {
        let after = |line| {
            let child = game.play(position, line);
            value(game, &child).back(step(game, position, line, &child))
        };
        game.over(position)
            .unwrap_or_else(|| legal_moves(game, position).into_iter().map(after).max().expect("a move"))
    }

    fn states(game: &Dots<u32>, position: &Position<u32>) -> Annotation<Line> {
        game.loony_marks(position, &mut Known { value: &mut |p| Some(value(game, p)), state: &|_| None })
    }

    #[test]
    fn in_a_loony_position_the_other_has_just_made_a_loony_move() {
        // Both boxes can be taken and nothing is left then: no move is followed by another loony one.
        let (game, position) = at(Setup::empty(1, 2), "--/|.|/.-");
        let states = states(&game, &position);
        assert_eq!(states.position, '^');
        assert!(states.moves.iter().any(|(_, state)| *state == '-'), "{states:?}");
    }

    #[test]
    fn chains_and_loops_are_counted() {
        // A chain of three above, a chain of three below.
        let (game, position) = at(Setup::empty(2, 3), "---/..../---/..../---");
        let structure = game.structure(&position);
        assert_eq!((structure.chains.as_slice(), structure.safe), ([3, 3].as_slice(), 0));
        let (game, position) = at(Setup::empty(2, 2), "--/|.|/../|.|/--");
        assert_eq!(game.structure(&position).loops, [4]);
    }

    /// Reports whether a legal move is loony.
    fn is_loony(game: &Dots<u32>, position: &Position<u32>, line: Line) -> bool {
        let child = game.play(position, line);
        child.turn != position.turn && game.is_offer(child.open)
    }

    #[test]
    fn opening_a_long_chain_is_loony_and_opening_a_pair_in_the_middle_is_not() {
        let (game, position) = at(Setup::empty(1, 3), "---/..../---");
        let all = legal_moves(&game, &position);
        assert!(all.iter().all(|&line| is_loony(&game, &position, line)));
        assert_eq!(states(&game, &position).position, 'v');
        let (game, position) = at(Setup::empty(1, 2), "--/.../--");
        let middle = game.read_move(&position, "b1b2").expect("open");
        let side = game.read_move(&position, "a1a2").expect("open");
        assert!(!is_loony(&game, &position, middle) && is_loony(&game, &position, side));
        assert_eq!(states(&game, &position).position, '-');
    }

    #[test]
    fn moves_have_states_for_who_makes_them() {
        use Loony::{Mine, Nobody, Other};
        // Every line opens the chain: all are loony.
        let (game, position) = at(Setup::empty(1, 3), "---/..../---");
        let moves = states(&game, &position).moves;
        assert!(moves.len() == 4 && moves.iter().all(|(_, state)| *state == 'v'), "{moves:?}");
        // In a pair the middle line gives both boxes away and is not loony; the outer lines are.
        let (game, position) = at(Setup::empty(1, 2), "--/.../--");
        let moves = states(&game, &position).moves;
        let of = |word: &str| {
            let line = game.read_move(&position, word).expect("open");
            moves.iter().find(|(m, _)| *m == line).expect("listed").1
        };
        assert_eq!([of("a1a2"), of("b1b2"), of("c1c2")], ['v', '-', 'v']);
        assert_eq!((Mine.turned(), Other.turned(), Nobody.turned()), (Other, Mine, Nobody));
    }

    #[test]
    fn of_a_finished_fight_nobody_is_said_to_have_to_make_the_next_loony_move() {
        let says = |setup, text: &str| {
            let (game, position) = at(setup, text);
            let mut known = Known { value: &mut |p| Some(value(&game, p)), state: &|_| None };
            game.remarks(&position, &mut known)[2].clone()
        };
        let last = says(Setup::empty(1, 2), "--/|.|/.-");
        assert_eq!(last, "loony ^: player 2 has just made a loony move; nobody need make another");
        // The chain above was opened; the one below must be opened next by the player in zugzwang.
        let first = says(Setup::empty(2, 3), "---/|.../---/..../---");
        assert!(first.starts_with("loony ^: player 2 has just made a loony move; player "), "{first}");
        let open = says(Setup::empty(1, 3), "---/..../---");
        assert!(open.starts_with("loony v: player 1 must make the next loony move"), "{open}");
    }

    #[test]
    fn a_state_that_needs_unknown_values_is_not_made_up() {
        let (game, position) = at(Setup::empty(1, 3), "---/..../---");
        let mut nothing = Known { value: &mut |_| None, state: &|_| None };
        assert_eq!(game.loony_state(&position, &mut nothing), None);
        assert!(game.remarks(&position, &mut nothing)[2].starts_with("loony ?"));
    }
}

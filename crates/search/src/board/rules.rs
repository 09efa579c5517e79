//! The traits [`BoardRules`] and [`Indices`]: the rules of a game on a board, and formulas for the indices of its positions.

use std::fmt::Debug;
use std::ops::Range;

use grundy_core::drawing;
use grundy_core::game::{Flow, MORE, Player, hash_of};
use grundy_core::value::{Step, Value};
use grundy_tables::layers::{Order, Outcomes};

use super::position::{Image, Move, Position};
use crate::Visits;

/// Numbers of bits that hold a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Cells of the board.
    pub cells: u32,
    /// Bits of [`Position::rest`].
    pub rest: u32,
    /// Bits of [`BoardRules::stage`].
    pub stage: u32,
}

/// The rules and the notation of a game on a board of at most 64 cells.
pub trait BoardRules: Debug + Send + Sync + 'static {
    /// Returns the numbers of bits that hold a position.
    fn layout(&self) -> Layout;

    /// Returns the symmetries of the board, without the identity.
    fn symmetries(&self) -> Vec<Image> {
        Vec::new()
    }

    /// See `Game::canonical`; `None` for the least of the images by the [symmetries](BoardRules::symmetries).
    fn canonical(&self, _position: &Position) -> Option<Position> {
        None
    }

    /// See `Game::essence`.
    fn essence(&self, position: &Position) -> Position {
        *position
    }

    /// Returns the image of each cell under which the players change places, if there is one: a position has the same value
    /// for the player to move if the men change their colours and their cells. The rest must not change.
    fn exchange(&self) -> Option<Vec<usize>> {
        None
    }

    /// Returns a number that tells which positions can follow each other: tables are solved stage by stage. In a game
    /// that is not [cyclic](BoardRules::cyclic) no move stays in its stage. Games without such tables need none.
    fn stage(&self, _position: &Position) -> u64 {
        0
    }

    /// Reports whether positions can repeat.
    fn cyclic(&self) -> bool {
        false
    }

    /// See `Game::start`; by default the empty board with player one to move.
    fn start(&self) -> Position {
        Position::EMPTY
    }

    /// Returns the value of a finished game, as `Game::over`; positions without a move need not be recognized, since
    /// [`BoardRules::stuck`] gives their value.
    fn over(&self, _position: &Position) -> Option<Value> {
        None
    }

    /// Returns the value of a position without a move.
    fn stuck(&self, _position: &Position) -> Value {
        Value::loss_in(0)
    }

    /// See `Game::over`.
    fn ended(&self, position: &Position) -> Option<Value> {
        self.over(position).or_else(|| {
            let none = self.moves(position, &mut |_| Flow::Break(())).is_continue();
            none.then(|| self.stuck(position))
        })
    }

    /// See `Game::moves`; visits none in a position without a move.
    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow;

    /// See `Game::play`.
    fn play(&self, position: &Position, m: Move) -> Position;

    /// See `Notation::write_position`.
    fn write_position(&self, position: &Position) -> String;

    /// See `Notation::read_position`.
    ///
    /// # Errors
    /// One line that names what was wrong and what was expected.
    fn read_position(&self, text: &str) -> Result<Position, String>;

    /// See `Notation::write_move`.
    fn write_move(&self, position: &Position, m: Move) -> String;

    /// See `Notation::read_move`.
    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        let mut found = None;
        if self.ended(position).is_none() {
            let _ = self.moves(position, &mut |m| {
                let equal = self.write_move(position, m) == word;
                found = equal.then_some(m);
                if equal { Flow::Break(()) } else { MORE }
            });
        }
        found
    }

    /// See `Notation::draw`.
    fn draw(&self, position: &Position) -> String {
        let line = self.write_position(position);
        drawing::of_rows(&line).unwrap_or(line)
    }

    /// See `Heuristic::key`; `None` for one of the [canonical](BoardRules::canonical) position.
    fn key(&self, _position: &Position) -> Option<u64> {
        None
    }

    /// Returns a board and a number that decide a position's outcome, for `Heuristic::outcome_key`: images of the board by
    /// the [symmetries](BoardRules::symmetries) are alike. `None` for the key of the position.
    fn outcome_essence(&self, _position: &Position) -> Option<(Position, i32)> {
        None
    }

    /// See `Heuristic::guess`; by default ten times the number of moves of the player to move, less that of the other.
    fn guess(&self, position: &Position) -> i32 {
        let turned = Position { turn: !position.turn, ..*position };
        10 * (self.mobility(position) - self.mobility(&turned))
    }

    /// See `Heuristic::hint`; by default the fewer moves the other has left, the better.
    fn hint(&self, _position: &Position, _m: Move, child: &Position) -> i32 {
        -self.mobility(child)
    }

    /// Returns the number of moves.
    fn mobility(&self, position: &Position) -> i32 {
        let mut count = 0;
        let _ = self.moves(position, &mut |_| {
            count += 1;
            MORE
        });
        count
    }

    /// See `Bounds::bounds`.
    fn bounds(&self, _position: &Position) -> (Value, Value) {
        (Value::loss_in(1), Value::win_in(1))
    }

    /// See `Bounds::has_draws`.
    fn has_draws(&self) -> bool {
        true
    }

    /// See `Bounds::favours_proofs`.
    fn favours_proofs(&self) -> bool {
        false
    }

    /// See `Bounds::effort`.
    fn effort(&self, _position: &Position) -> [u32; 2] {
        [1, 1]
    }

    /// See `Bounds::candidates`.
    fn candidates(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        self.moves(position, visit)
    }

    /// Visits the [candidates](BoardRules::candidates) where only the outcome counts: one of them must keep it.
    fn outcome_candidates(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        self.candidates(position, visit)
    }

    /// See `Heuristic::brief`.
    fn brief(&self, _position: &Position) -> bool {
        false
    }

    /// See `Heuristic::finishes`.
    fn finishes(&self, _position: &Position) -> bool {
        false
    }

    /// See `Heuristic::finish`.
    fn finish(&self, _position: &Position, _target: Value, _visits: &mut Visits<'_>) -> Option<Value> {
        None
    }

    /// See `Impartial::obstacle`; only games with Grundy numbers are asked.
    fn obstacle(&self) -> Option<String> {
        None
    }

    /// Returns the parts whose sum a position is, as `Partizan::parts` or `Sum::parts`; only games that are valued by
    /// them have any. A part is the men of a component, moved to the top left and turned, or where parts keep their
    /// places, as they stand; or whatever else [`BoardRules::options`] understands.
    fn parts(&self, _position: &Position) -> Vec<[u64; 2]> {
        Vec::new()
    }

    /// Visits the parts after each move of `player` in a part, as `Partizan::options`; by default a part is the men of a
    /// position.
    fn options(&self, men: [u64; 2], player: Player, visit: &mut dyn FnMut(Vec<[u64; 2]>)) {
        let position = Position { men, rest: 0, turn: player };
        let _ = self.moves(&position, &mut |m| {
            visit(self.parts(&self.play(&position, m)));
            MORE
        });
    }

    /// See `Partizan::negative`.
    fn negative(&self, _part: [u64; 2]) -> Option<[u64; 2]> {
        None
    }

    /// See `Partizan::mobility`.
    fn moves_in(&self, part: [u64; 2], player: Player) -> u32 {
        let mut moves = 0;
        self.options(part, player, &mut |_| moves += 1);
        moves
    }

    /// See `Sum::normal_play`.
    fn normal_play(&self) -> bool {
        true
    }

    /// Visits what each move leaves of a part, as `Sum::options`, in a game in which both players have the same moves.
    fn each_option(&self, _part: [u64; 2], _visit: &mut dyn FnMut(&[[u64; 2]]) -> Flow) -> Flow {
        MORE
    }

    /// Returns a checksum of the rules: that of the start and its moves as text.
    fn checksum(&self) -> u64 {
        let (start, mut words) = (self.start(), String::new());
        let _ = self.moves(&start, &mut |m| {
            words += &self.write_move(&start, m);
            words.push(' ');
            MORE
        });
        hash_of((self.write_position(&start), words))
    }

    /// Returns the indices of the positions, if they have a formula.
    fn indices(&self) -> Option<&dyn Indices> {
        None
    }
}

/// Returns a proved bound that decides whether a value reaches `target`, as [`BoardRules::finish`] does.
/// `wins_within(own, plies)` reports whether the player to move if `own`, else the other, can win within these plies; `most` is
/// an upper bound of the plies that are left.
pub fn finished(
    target: Value,
    most: u32,
    has_draws: bool,
    mut wins_within: impl FnMut(bool, u32) -> bool,
) -> Value {
    // A win takes an odd number of plies, a loss an even one.
    let (longest_win, longest_loss) = (most.saturating_sub(1) | 1, most & !1);
    let wanted = target.plies();
    if target > Value::DRAW {
        let plies = wanted.map_or(longest_win, |plies| plies.saturating_sub(1) | 1).min(longest_win);
        match wins_within(true, plies) {
            true => Value::win_in(plies),
            false if plies < longest_win => Value::win_in(plies + 2),
            false if has_draws => Value::DRAW,
            false => Value::loss_in(longest_loss),
        }
    } else {
        let plies = wanted.map_or(longest_loss, |plies| plies.saturating_sub(1) & !1).min(longest_loss);
        match wins_within(false, plies) {
            true => Value::loss_in(plies),
            false if plies < longest_loss => Value::loss_in(plies + 2),
            false if has_draws => Value::DRAW,
            false => Value::win_in(longest_win),
        }
    }
}

/// Indices of positions by a formula, and their predecessors: for tables with one cell an index.
pub trait Indices: BoardRules {
    /// See `Indexed::size`.
    fn size(&self) -> u64;

    /// Returns the index of a position; `None` if it has none. Symmetric positions may share one.
    fn number(&self, position: &Position) -> Option<u64>;

    /// See `Indexed::position`.
    fn position(&self, number: u64) -> Option<Position>;

    /// See `Indexed::checksum`.
    fn checksum(&self) -> u64 {
        0
    }

    /// See `Acyclic::order`; none by default, for cyclic games.
    fn order(&self) -> Order {
        Order::Layers(Vec::new())
    }

    /// See `ByOutcome::runs`; none by default, for games whose tables hold distances.
    fn runs(&self) -> Vec<Vec<Range<u64>>> {
        Vec::new()
    }

    /// See `ByOutcome::decide`.
    fn decide(&self, _states: Range<u64>, _outcomes: &Outcomes) {}

    /// See `Indexed::settled`.
    fn settled(&self, position: &Position) -> Option<Value> {
        self.ended(position)
    }

    /// See `Indexed::child_count`.
    fn child_count(&self, _position: &Position) -> Option<u32> {
        None
    }

    /// See `Indexed::walk`.
    fn walk(&self, range: Range<u64>, visit: &mut dyn FnMut(u64, Position)) {
        for number in range {
            if let Some(position) = self.position(number) {
                visit(number, position);
            }
        }
    }

    /// See `Indexed::child_indices`.
    fn child_indices(&self, position: &Position, visit: &mut dyn FnMut(u64, Step)) {
        let _ = self.moves(position, &mut |m| {
            let child = self.play(position, m);
            let step = Step { turn_passed: child.turn != position.turn, gain: 0 };
            visit(self.number(&child).unwrap_or(u64::MAX), step);
            MORE
        });
    }

    /// See `Reversible::predecessors`; by default there are none, for methods that do not need them.
    fn predecessors(&self, _position: &Position, _visit: &mut dyn FnMut(Position)) {}
}

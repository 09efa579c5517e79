//! Random games of a rules file: how long they are, how many moves there are to choose from, who wins, and whether the scores of
//! both players have the same sum at every end, as values need.

use std::ops::ControlFlow;

use grundy_core::game::{Game, GameResult, MORE, Player};
use grundy_core::random::SplitMix64;
use grundy_session::Work;
use grundy_tables::discovered::differing_sums;

use crate::directives::Scoring;
use crate::game::Rules;
use crate::limits;
use crate::position::{Move, Position};

/// Number of random games.
const GAMES: usize = 200;
/// Number of plies after which a game is not continued.
const LONGEST: usize = 500;
/// Maximum number of moves of a position that are chosen from.
const MOST_MOVES: usize = 10_000;
/// Number of moves found, and of steps of the machine, after which no further game is played.
const BUDGET: (usize, u64) = (500_000, 10 * limits::STEPS);

/// The same limits of the games whose sums are compared: some 20 ms.
const SUMS: (usize, usize, u64) = (100, 20_000, 2_000_000);

/// A random game.
struct RandomGame {
    plies: usize,
    /// Number of moves of all its positions.
    moves: usize,
    /// The result; `None` if it was not over after [`LONGEST`] plies.
    result: Option<GameResult>,
    /// The sum of the scores, if the game ended for want of a move.
    sum: Option<i64>,
}

impl Rules {
    /// Returns why positions have no value: the scores at the ends of random games have different sums, and the file does not
    /// say what that means. `None` if no two such ends were met. The games are the same at every call.
    pub(crate) fn sums_differ(&self) -> Option<String> {
        if self.program.directives.scoring != Scoring::Outcome {
            return None;
        }
        // Rules of their own, since rules that run away in one of these games go on in others.
        let rules = Rules::from_program(self.program.clone()).ok()?;
        let (games, mut left, steps) = SUMS;
        let is_over = || rules.with(|machine| machine.spent) > steps;
        let (mut dice, mut first) = (SplitMix64(1), None);
        for _ in 0..games {
            let Some(sum) = random_game(&rules, &mut dice, &mut left, &is_over)?.sum else { continue };
            let first = *first.get_or_insert(sum);
            if sum != first {
                return Some(differing_sums(first.min(sum), first.max(sum)));
            }
        }
        None
    }
}

/// Plays random games from a fixed seed. Returns in lines how long they were and who won; no line if no game could be played.
pub fn lines(rules: &Rules, work: &Work<'_>) -> Vec<String> {
    let mut dice = SplitMix64(1);
    let mut games: Vec<RandomGame> = Vec::new();
    let mut left = BUDGET.0;
    let begun = rules.with(|machine| machine.spent);
    while games.len() < GAMES {
        let is_over =
            || work.stopped() || rules.with(|machine| machine.spent).saturating_sub(begun) > BUDGET.1;
        let Some(game) = random_game(rules, &mut dice, &mut left, &is_over) else { break };
        games.push(game);
    }
    let (plies, moves) = games.iter().fold((0, 0), |sum, game| (sum.0 + game.plies, sum.1 + game.moves));
    let lengths = || games.iter().map(|game| game.plies);
    let (Some(least), Some(most), 1..) = (lengths().min(), lengths().max(), plies) else { return Vec::new() };
    let count = games.len();
    let of = |result: Option<GameResult>| games.iter().filter(|game| game.result == result).count();
    let [one, two] = [Player::One, Player::Two]
        .map(|player| (&rules.program.players[player.index()].name, of(Some(GameResult::Win(player)))));
    let unfinished = match of(None) {
        0 => String::new(),
        unfinished => format!(", {unfinished} not over after {LONGEST} plies"),
    };
    let mean = |sum: usize, of: usize| sum as f64 / of as f64;
    vec![
        format!(
            "{count} random games: {least} to {most} plies, mean {:.1}; moves in a position: mean {:.1}",
            mean(plies, count),
            mean(moves, plies)
        ),
        format!(
            "won by {}: {}, by {}: {}; drawn: {}{unfinished}",
            one.0,
            one.1,
            two.0,
            two.1,
            of(Some(GameResult::Draw))
        ),
    ]
}

/// Plays one game; `None` if the moves in `left` do not suffice, or `is_over` says that the time is over.
fn random_game(
    rules: &Rules,
    dice: &mut SplitMix64,
    left: &mut usize,
    is_over: &dyn Fn() -> bool,
) -> Option<RandomGame> {
    let mut position = rules.start();
    let mut game = RandomGame { plies: 0, moves: 0, result: None, sum: None };
    let mut earlier: Vec<Position> = Vec::new();
    while game.plies < LONGEST {
        let mut moves: Vec<Move> = Vec::new();
        let _ = rules.moves(&position, &mut |m| {
            moves.push(m);
            if moves.len() < MOST_MOVES.min(*left + 1) { MORE } else { ControlFlow::Break(()) }
        });
        if is_over() || rules.fault().is_some() {
            return None;
        }
        if moves.is_empty() {
            game.result = Some(result(rules, &position));
            game.sum = Some(rules.variable(&position, 0) + rules.variable(&position, 1));
            return Some(game);
        }
        *left = left.checked_sub(moves.len())?;
        game.plies += 1;
        game.moves += moves.len();
        let next = rules.play(&position, moves[dice.below(moves.len())]);
        if rules.program.directives.repeat.is_some() {
            earlier.push(position);
            if rules.drawn_by_history(&earlier, &next) {
                game.result = Some(GameResult::Draw);
                return Some(game);
            }
        }
        position = next;
    }
    Some(game)
}

/// Returns the result of a finished game: the higher score wins.
fn result(rules: &Rules, position: &Position) -> GameResult {
    match rules.variable(position, 0).cmp(&rules.variable(position, 1)) {
        std::cmp::Ordering::Greater => GameResult::Win(Player::One),
        std::cmp::Ordering::Equal => GameResult::Draw,
        std::cmp::Ordering::Less => GameResult::Win(Player::Two),
    }
}

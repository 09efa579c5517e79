//! Games of the engine against itself, and the worth that each of their positions turned out to have.

use std::sync::atomic::AtomicBool;

use grundy_core::game::Player;
use grundy_core::random::{SplitMix64, mix};
use grundy_core::value::{Score, Step, Value};
use grundy_session::{Board, Go, Limits, Listed, Move, Settings, Standing};

use crate::model::Aim;

/// Plies after which a game is given up as a draw.
const LONGEST: usize = 400;
/// The share of the game's later course in the worth of a position; the rest is the search's own estimate (TD(λ)).
const LAMBDA: f32 = 0.8;
/// Denominator of the share of moves drawn by lot.
const WHIMS: usize = 16;

/// A position with the worth that it is to have.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The player to move.
    pub turn: Player,
    /// The cells.
    pub cells: Box<[u8]>,
    /// The worth for the player to move: see [`Aim::worth`].
    pub worth: f32,
}

/// How a game is played.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    /// The objective.
    pub aim: Aim,
    /// Depth of the searches, in plies.
    pub depth: u32,
    /// At most as many moves of the opening are drawn by lot.
    pub opening: usize,
    /// True if every move is drawn by lot, where no search proves the result: nothing is learned yet.
    pub random: bool,
}

/// A game that was played.
#[derive(Clone, Debug, Default)]
pub struct Played {
    /// The points of a board against its rival, if there was one: 1, 0.5 or 0.
    pub points: Option<f32>,
    /// Its positions, without those of the opening.
    pub samples: Vec<Sample>,
    /// Plies of the whole game.
    pub plies: usize,
    /// Nodes of all searches.
    pub nodes: u64,
    /// Searches.
    pub searches: u64,
}

/// The worth of a value for the player to move.
pub fn worth_of(value: Value, aim: Aim) -> f32 {
    match aim {
        Aim::Result => match value.cmp(&Value::DRAW) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.0,
            std::cmp::Ordering::Less => -1.0,
        },
        Aim::Margin(unit) => value.margin().unwrap_or(0) as f32 / unit,
    }
}

/// Returns the worth of the whole game for player one, the points scored so far included, of a position worth this much to
/// the player to move.
pub fn total(standing: &Standing, worth: f32, aim: Aim) -> f32 {
    let lead = match aim {
        Aim::Result => 0.0,
        Aim::Margin(unit) => (standing.score.0 - standing.score.1) as f32 / unit,
    };
    lead + if standing.turn == Player::One { worth } else { -worth }
}

/// The worth of a position before a move to one of this worth.
fn back(worth: f32, step: Step, aim: Aim) -> f32 {
    let gain = if let Aim::Margin(unit) = aim { step.gain as f32 / unit } else { 0.0 };
    gain + if step.turn_passed { -worth } else { worth }
}

/// Returns the worth that a search found, and whether that is proved; `None` for a bound that does not tell who wins.
pub fn worth_of_score(score: Score, aim: Aim) -> Option<(f32, bool)> {
    match (score, aim) {
        (Score::Exact(value), _) => Some((worth_of(value, aim), true)),
        (Score::AtLeast(value), Aim::Result) if value > Value::DRAW => Some((1.0, true)),
        (Score::AtMost(value), Aim::Result) if value < Value::DRAW => Some((-1.0, true)),
        (Score::Guess(hundredths), _) => Some((aim.worth(hundredths as f32 / aim.hundredths()), false)),
        (Score::AtLeast(value) | Score::AtMost(value), Aim::Margin(_)) => Some((worth_of(value, aim), false)),
        (Score::AtLeast(_) | Score::AtMost(_), Aim::Result) => None,
    }
}

/// Returns the settings of the searches.
pub fn settings() -> Settings {
    Settings { hash_mb: 4, ..Settings::default() }
}

/// Returns a legal move drawn by lot.
fn random_move(board: &mut dyn Board, random: &mut SplitMix64) -> Option<Move> {
    let moves = board.list(Listed::Legal, usize::MAX).unwrap_or_default();
    moves.get(random.below(moves.len())).copied()
}

/// A searched position of a game.
struct Ply {
    turn: Player,
    cells: Box<[u8]>,
    /// The worth that the search found.
    found: f32,
    /// The step of the move that was played.
    step: Step,
    /// True if the move was drawn by lot.
    whim: bool,
}

/// The boards that think for either player.
pub enum Sides<'a> {
    /// One board for both players.
    One(&'a mut dyn Board),
    /// A board for this player, and its rival for the other.
    Two(Player, &'a mut dyn Board, &'a mut dyn Board),
}

impl Sides<'_> {
    /// Calls `act` on each board.
    fn each(&mut self, mut act: impl FnMut(&mut dyn Board)) {
        match self {
            Sides::One(board) => act(&mut **board),
            Sides::Two(_, board, rival) => {
                act(&mut **board);
                act(&mut **rival);
            }
        }
    }

    /// Makes a move of the board of `turn`, who is to move, on each board.
    fn play(&mut self, turn: Player, m: Move) -> Step {
        let (own, other) = match self {
            Sides::One(board) => return board.play(m),
            Sides::Two(side, board, rival) if *side == turn => (&mut **board, &mut **rival),
            Sides::Two(_, board, rival) => (&mut **rival, &mut **board),
        };
        if let Some(same) = other.find(&own.word(m)) {
            other.play(same);
        }
        own.play(m)
    }

    /// Returns the board of a player.
    fn of(&mut self, player: Player) -> &mut dyn Board {
        match self {
            Sides::Two(side, _, rival) if *side != player => &mut **rival,
            Sides::One(board) | Sides::Two(_, board, _) => &mut **board,
        }
    }
}

/// Plays a game by the random numbers of this number; `None` if it was `over`, which is asked at every move, before its end.
/// `stop` ends a search.
pub fn play(
    mut sides: Sides<'_>,
    course: Course,
    number: u64,
    stop: &AtomicBool,
    over: &dyn Fn() -> bool,
) -> Option<Played> {
    let mut random = SplitMix64(mix(number));
    let settings = settings();
    let go = Go { limits: Limits { depth: Some(course.depth), ..Limits::default() }, ..Go::default() };
    // Every game is the same whatever the thread has played before.
    let mut ready = true;
    sides.each(|board| {
        board.forget();
        ready &= board.set_up(None).is_ok();
    });
    let mut played = Played::default();
    if !ready {
        return Some(played);
    }
    let opening = random.below(course.opening + 1);
    let mut line: Vec<Ply> = Vec::new();
    let mut end = 0.0;
    // The result for player one; games that are given up are drawn.
    let mut result = 0.0;
    let mut turn = Player::One;
    loop {
        if over() {
            return None;
        }
        let board = sides.of(turn);
        let standing = board.standing();
        turn = standing.turn;
        if let Some(value) = standing.over {
            end = worth_of(value, course.aim);
            result = total(&standing, end, course.aim);
            break;
        }
        let board = sides.of(turn);
        if played.plies >= LONGEST || board.drawn().is_some() {
            break;
        }
        played.plies += 1;
        if played.plies <= opening {
            let Some(m) = random_move(board, &mut random) else { break };
            sides.play(turn, m);
            continue;
        }
        let mut best = None;
        board.search(&go, &[], &settings, stop, &mut |info| {
            if info.rank == 1 {
                best = Some(info);
            }
        });
        let Some(info) = best else { break };
        played.nodes += info.nodes;
        played.searches += 1;
        let mut cells = Vec::new();
        board.cells(&mut cells);
        let found = worth_of_score(info.score, course.aim);
        if let Some((worth, true)) = found {
            let (turn, step) = (standing.turn, Step::PASSED);
            line.push(Ply { turn, cells: cells.into(), found: worth, step, whim: true });
            result = total(&standing, worth, course.aim);
            break;
        }
        let found = found.map_or(0.0, |(worth, _)| worth);
        let own = info.pv.first().and_then(|word| board.find(word));
        let whim = course.random || random.below(WHIMS) == 0;
        let m = if whim { random_move(board, &mut random) } else { own };
        let Some(m) = m.or(own) else { break };
        let step = sides.play(turn, m);
        let whim = whim && !course.random;
        line.push(Ply { turn: standing.turn, cells: cells.into(), found, step, whim });
    }
    if let Sides::Two(side, ..) = sides {
        let worth = if side == Player::One { result } else { -result };
        played.points = Some(if worth == 0.0 { 0.5 } else { f32::from(worth > 0.0) });
    }
    // From the end: what came of each position.
    let mut later = end;
    for Ply { turn, cells, found, step, whim } in line.into_iter().rev() {
        let course_of_game = back(later, step, course.aim);
        // After a whim the rest of the game says nothing about good play.
        let worth = match () {
            () if whim => found,
            () if course.random => course_of_game,
            () => (1.0 - LAMBDA) * found + LAMBDA * course_of_game,
        };
        played.samples.push(Sample { turn, cells, worth });
        later = worth;
    }
    Some(played)
}

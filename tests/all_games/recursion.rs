//! Near the end of its games, every row of the catalog agrees with plain recursion by its rules: its method, its search,
//! and the search beside the method. Each part may be right, and the two together wrong.

use std::time::Duration;

use grundy::catalog::CATALOG;
use grundy_core::random::SplitMix64;
use grundy_core::value::Value;
use grundy_session::{
    Board, Distance, Drawing, Form, Limits, Listed, Move, MoveQuestion, NEVER, Session, Settings,
};

/// Random games of each row.
const GAMES: u64 = 3;
/// The longest random game, in plies.
const LONGEST: usize = 300;
/// The most positions that recursion looks at from one position.
const POSITIONS: u32 = 2_000;
/// The most plies before the end of a random game that are compared.
const PLIES: usize = 8;
/// The longest time to build what answers about a position.
const PATIENCE: Duration = Duration::from_millis(300);

/// Values of positions by the rules alone.
struct Plain {
    /// The value of each position of the board's set 0; `None` while it is being looked at.
    values: Vec<Option<Value>>,
    left: u32,
}

impl Plain {
    /// Returns the value of the board's position; `None` if there are too many positions, or some repeat.
    fn of(board: &mut dyn Board) -> Option<Value> {
        board.clear(0);
        Plain { values: Vec::new(), left: POSITIONS }.value(board)
    }

    fn value(&mut self, board: &mut dyn Board) -> Option<Value> {
        if let Some(over) = board.standing().over {
            return Some(over);
        }
        let (number, new) = board.insert(0, Form::Essence);
        if !new {
            return self.values[number as usize];
        }
        self.values.push(None);
        self.left = self.left.checked_sub(1)?;
        let mut best = None;
        for m in legal(board) {
            let step = board.play(m);
            let value = self.value(board);
            board.undo();
            best = best.max(Some(value?.back(step)));
        }
        self.values[number as usize] = best;
        best
    }
}

fn legal(board: &mut dyn Board) -> Vec<Move> {
    board.list(Listed::Legal, usize::MAX).unwrap_or_default()
}

/// Reports whether a value that a method knows is the true one; it may know no distance.
fn agree(known: Value, truth: Value) -> bool {
    known == truth || known.is_unmeasured() && known.wdl() == truth.wdl()
}

/// Compares the board's position, of known value, with what the session and its search say. Returns whether one answered.
fn compare(session: &mut Session, board: &mut dyn Board, truth: Value) -> bool {
    let text = board.draw(Drawing::Line);
    let name = session.name().to_owned();
    session.setup(Some(&text)).unwrap_or_else(|why| panic!("{name} {text}: {why:?}"));
    let known = session.value_within(&session.work(&NEVER).within(PATIENCE));
    assert!(known.is_none_or(|known| agree(known, truth)), "{name} {text}: {known:?}, is {truth:?}");
    if !board.searches() || board.standing().over.is_some() {
        return known.is_some();
    }
    let settings = Settings { hash_mb: 1, ..Settings::default() };
    for m in legal(board) {
        let step = board.play(m);
        let child = Plain::of(board);
        board.undo();
        let worth = child.unwrap_or_else(|| panic!("{name} {text}: fewer positions follow")).back(step);
        for target in [None, Some(worth), Some(truth)] {
            let question = MoveQuestion { at_most: None, target, distance: Distance::Exact };
            let (lo, hi) = board.bounds(m, &question, &settings, Limits::default(), &NEVER);
            let word = board.word(m);
            let holds = |low: Value, high: Value| low <= high || agree(low, high) || agree(high, low);
            assert!(
                holds(lo, worth) && holds(worth, hi),
                "{name} {text} {word}, asked for {target:?}: {lo:?} to {hi:?}, is {worth:?}"
            );
        }
    }
    true
}

#[test]
fn every_row_agrees_with_plain_recursion_near_the_end_of_its_games() {
    let mut silent = Vec::new();
    for row in CATALOG.rows() {
        // The tables of these would take seconds.
        let small = match row.name {
            "dots" => "dots:2x3",
            "mnk" => "mnk:4,3,3",
            _ => row.default,
        };
        let mut session = CATALOG.open(small, &Settings { hash_mb: 1, ..Settings::default() }).unwrap();
        let mut answered = 0;
        for seed in 0..GAMES {
            session.setup(None).unwrap();
            let mut board = session.board().unwrap();
            let mut lots = SplitMix64(seed);
            for _ in 0..LONGEST {
                let moves = board.list(Listed::Legal, 4096).unwrap_or_default();
                if moves.is_empty() {
                    break;
                }
                board.play(moves[lots.below(moves.len())]);
            }
            for _ in 0..PLIES {
                let Some(truth) = Plain::of(&mut *board) else { break };
                answered += usize::from(compare(&mut session, &mut *board, truth));
                if !board.undo() {
                    break;
                }
            }
        }
        if answered == 0 {
            silent.push(row.name);
        }
    }
    // Their games repeat positions, or are longer than a random game.
    println!("no answer to compare: {silent:?}");
    assert!(silent.len() <= 12, "{silent:?}");
}

//! Checks of the abilities for the search, and of the search itself.

use std::collections::HashMap;

use grundy_core::game::{MORE, Notation, Scored, legal_moves, step};
use grundy_core::random::SplitMix64;
use grundy_core::value::{Score, Unit, Value};
use grundy_search::alpha_beta::{AlphaBeta, Bounds, Heuristic};
use grundy_search::pns::{ANY_WIN, ProofNumberSearch, ProofOutcome};
use grundy_search::{Question, Visits};
use grundy_session::Distance;
use grundy_session::{Limits, NEVER};

use crate::samples::thorough;
use crate::subject::Subject;

/// Number of positions that are searched.
const SEARCHED: usize = 300;
/// Number of searches that a limit cuts, and the most nodes of one.
const CUT: usize = 150;
const CUT_NODES: usize = 1_500;

/// Checks that the value lies within the bounds, and that one of the candidates has it.
pub fn bounds_hold_the_value<G: Notation + Scored + Bounds>(subject: &Subject<G>) {
    let game = &subject.game;
    for position in subject.positions.iter().filter(|p| game.over(p).is_none()) {
        let legal = legal_moves(game, position);
        let mut candidates = Vec::new();
        let _ = game.candidates(position, &mut |m| {
            candidates.push(m);
            MORE
        });
        let at = || subject.show(position);
        assert!(candidates.iter().all(|m| legal.contains(m)), "candidates that are not legal: {}", at());
        assert!(!candidates.is_empty(), "no candidates: {}", at());
        let Some(value) = subject.value(position) else { continue };
        for target in targets(value) {
            let (lo, hi) = game.bounds(position, target);
            assert!(lo <= value && value <= hi, "{lo:?} <= {value:?} <= {hi:?}: {}", at());
            if let Some(m) = game.forced(position).filter(|_| lo < hi) {
                assert_eq!(candidates, [m], "a forced move and other candidates: {}", at());
            }
        }
        if G::STRATEGIES {
            let (lo, hi) = game.bounds_of_root(position, 50, &NEVER);
            assert!(lo <= value && value <= hi, "of a root: {lo:?} <= {value:?} <= {hi:?}: {}", at());
        }
        let best = candidates.iter().any(|&m| {
            let child = game.play(position, m);
            subject.value(&child).is_none_or(|v| v.back(step(game, position, m, &child)) == value)
        });
        assert!(best, "no candidate is worth {value:?}: {}", at());
    }
}

/// Returns the targets that a position of this value is searched with.
fn targets(value: Value) -> [Value; 5] {
    [Value::loss_in(3), Value::DRAW, Value::points(1), value, Value::win_in(4)]
}

/// Checks that the game decides rightly which endgames it plays out, and announces them correctly.
pub fn endgames_are_decided<G: Notation + Scored + Heuristic>(subject: &Subject<G>) {
    let game = &subject.game;
    for position in subject.positions.iter().filter(|p| game.over(p).is_none()) {
        let at = || subject.show(position);
        let plays_out = game.finish(position, Value::DRAW, &mut unlimited()).is_some();
        assert_eq!(plays_out, game.finishes(position), "played out or not: {}", at());
        let Some(value) = subject.value(position) else { continue };
        for target in targets(value) {
            if let Some(answer) = game.finish(position, target, &mut unlimited()) {
                let within = if value >= target { target..=value } else { value..=target };
                assert!(within.contains(&answer), "played out: {answer:?} for {value:?}: {}", at());
                assert_eq!(answer >= target, value >= target, "played out: {answer:?}: {}", at());
            }
        }
    }
}

fn unlimited() -> Visits<'static> {
    Visits::new(0, u64::MAX, None, &[])
}

/// Checks that a retracted move leads back to the position.
pub fn moves_are_taken_back<G: Notation + Scored + Heuristic>(subject: &Subject<G>) {
    let game = &subject.game;
    for position in subject.positions.iter().filter(|p| game.over(p).is_none()) {
        game.retract(position, &mut |before, m| {
            let at = || format!("{} from {}", subject.show(position), subject.show(&before));
            assert!(game.over(&before).is_none(), "over before: {}", at());
            assert!(legal_moves(game, &before).contains(&m), "not legal: {}", at());
            assert!(game.play(&before, m) == *position, "not by {m:?}: {}", at());
        });
    }
}

/// Checks that the search proves the brute force's value, on one thread and on two, with and without the distance.
pub fn search_is_right<G>(subject: &Subject<G>)
where
    G: Notation + Scored + Heuristic + Bounds,
{
    let game = &subject.game;
    let known: Vec<_> = subject.positions.iter().filter_map(|p| Some((p, subject.value(p)?))).collect();
    for threads in [1, 2] {
        let mut exact = AlphaBeta::new(1, threads);
        let mut first = AlphaBeta::new(1, threads);
        // If play can be cyclic, a search is longer and proves less.
        let some = if game.cyclic() && !thorough() { SEARCHED / 3 } else { SEARCHED };
        let stride = (known.len() / some).max(1);
        for &(position, value) in known.iter().step_by(stride).skip(threads - 1).step_by(threads) {
            let question = Question::new(game, position);
            let found = exact.value(&question);
            let open = found.is_none() && game.cyclic();
            assert!(open || found == Some(value), "{}: {found:?}, not {value:?}", subject.show(position));
            let found = first.value(&Question { distance: Distance::First, ..question });
            assert!(found.is_none_or(|v| v.wdl() == value.wdl()), "{}", subject.show(position));
            let lines = exact.search(&question, &mut |_| {});
            let exact = lines.first().and_then(|line| line.score.exact());
            assert!(exact.is_none_or(|v| v == value), "{}", subject.show(position));
        }
    }
}

/// Checks that a search claims nothing false wherever a node limit cuts it, in every line that it reports.
pub fn cut_searches_are_right<G>(subject: &Subject<G>)
where
    G: Notation + Scored + Heuristic + Bounds,
{
    let game = &subject.game;
    let known: Vec<_> = subject.positions.iter().filter_map(|p| Some((p, subject.value(p)?))).collect();
    let mut random = SplitMix64(1);
    let mut search = AlphaBeta::new(1, 1);
    for _ in 0..if known.is_empty() { 0 } else { CUT * if thorough() { 100 } else { 1 } } {
        let (position, value) = known[random.below(known.len())];
        let most = random.below(CUT_NODES) + 1;
        let nodes = random.below(most) as u64 + 1;
        let lines = random.below(3) + 1;
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let question = Question { lines, limits, ..Question::new(game, position) };
        if random.below(4) == 0 {
            search = AlphaBeta::new(1, 1);
        }
        search.search(&question, &mut |info| {
            let at = || format!("{}: {info:?} after {nodes} nodes, {lines} lines", subject.show(position));
            if info.rank == 1 {
                assert!(allows(info.score, value), "{value:?}: {}", at());
            }
            let m = *info.pv.first().expect("a line has a move");
            let child = game.play(position, m);
            if let Some(worth) = subject.value(&child) {
                let worth = worth.back(step(game, position, m, &child));
                assert!(allows(info.score, worth), "the move's {worth:?}: {}", at());
            }
        });
    }
}

/// Reports whether a score is true of a position of this value. A win or a loss without a distance is any.
fn allows(score: Score, value: Value) -> bool {
    let than = |claim: Value| match claim.is_unmeasured() {
        true => value.wdl().cmp(&claim.wdl()),
        false => value.cmp(&claim),
    };
    match score {
        Score::Exact(claim) => than(claim).is_eq(),
        Score::AtLeast(claim) => than(claim).is_ge(),
        Score::AtMost(claim) => than(claim).is_le(),
        Score::Guess(_) => true,
    }
}

/// Checks that positions with one key of outcomes have one outcome, and that one of the moves that proof-number search tries
/// keeps it.
pub fn outcomes_are_kept<G: Notation + Scored + Heuristic + Bounds>(subject: &Subject<G>) {
    let game = &subject.game;
    if game.unit() != Unit::Outcome {
        return;
    }
    let mut outcomes = HashMap::new();
    for position in subject.positions.iter().filter(|p| game.over(p).is_none()) {
        let Some(value) = subject.value(position) else { continue };
        let at = || subject.show(position);
        let outcome = outcomes.entry(game.outcome_key(position)).or_insert(value.wdl());
        assert_eq!(*outcome, value.wdl(), "a key of another outcome: {}", at());
        for target in [ANY_WIN, Value::DRAW] {
            let mut reached = false;
            let (lo, hi) = game.open(position, target, &mut |m| {
                let child = game.play(position, m);
                let worth = subject.value(&child).map(|v| v.back(step(game, position, m, &child)));
                reached |= worth.is_none_or(|worth| worth >= target);
                MORE
            });
            assert!(lo <= value && value <= hi, "{lo:?} <= {value:?} <= {hi:?}: {}", at());
            assert!(lo >= target || value < target || reached, "no move tried reaches {target:?}: {}", at());
        }
    }
}

/// Checks proof-number search, for a win, for a draw and for the value itself.
pub fn proofs_are_right<G: Notation + Scored + Heuristic + Bounds>(subject: &Subject<G>) {
    let game = &subject.game;
    let known: Vec<_> = subject.positions.iter().filter_map(|p| Some((p, subject.value(p)?))).collect();
    let mut prover = ProofNumberSearch::new(1).unwrap();
    let limits = Limits { nodes: Some(3_000), ..Limits::default() };
    for &(position, value) in known.iter().step_by((known.len() / SEARCHED).max(1)) {
        for target in [ANY_WIN, Value::DRAW, value, Value::from_raw(value.raw() + 1)] {
            match prover.ask(game, position, target, &limits, &NEVER) {
                Some(ProofOutcome::Reached(m)) => {
                    let child = game.play(position, m);
                    let worth = subject.value(&child).map(|v| v.back(step(game, position, m, &child)));
                    assert!(worth.is_none_or(|v| v >= target), "{target:?}: {}", subject.show(position));
                    assert!(value >= target, "{target:?} of {value:?}: {}", subject.show(position));
                }
                Some(ProofOutcome::Missed) => {
                    assert!(value < target, "{target:?} of {value:?}: {}", subject.show(position));
                }
                None => {}
            }
        }
    }
}

//! Checks of methods: values against the brute force, and against each other at every position.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::ControlFlow;

use grundy_core::game::{MORE, Notation, Player, Scored, children, legal_moves, step};
use grundy_core::value::{Value, Wdl};
use grundy_search::sums::{SMALL, SumSearch};
use grundy_session::{Assurance, Work, quiet_work};
use grundy_sums::cgt::{Dyadic, Forms, Partizan, Patience, Simple};
use grundy_sums::formula::Formula;
use grundy_sums::sum::Sum;
use grundy_tables::Oracle;
use grundy_tables::endgames::{EndgameTable, Endgames};
use grundy_tables::thresholds::{self, Parted};

use crate::ready::ready;
use crate::subject::Subject;

/// Checks that a method's values are those of the brute force, and consistent by the rules alone: a finished game has
/// its result; otherwise the value is the best of the children's. So a win in `d` plies has a child lost in `d - 1` and
/// none faster, a loss in `d` only won children and one of them in `d - 1`, a draw a drawn child and no lost one, and a
/// margin is the best of the children's with the points of the move.
pub fn oracle_is_right<G: Notation + Scored>(
    subject: &Subject<G>,
    name: &str,
    oracle: &dyn Oracle<G>,
    positions: &[G::Position],
) {
    let game = &subject.game;
    for position in positions {
        ready(oracle, game, position);
        let at = || format!("{name}: {}", subject.show(position));
        let value = oracle.value(game, position).unwrap_or_else(|| panic!("no value: {}", at()));
        agrees_with_brute_force(subject, position, value, &at);
        let expected = match game.over(position) {
            Some(value) => value,
            None => best_child(game, position, &|child| oracle.value(game, child)).unwrap_or_else(|| {
                panic!("no value of a child: {}", at());
            }),
        };
        if value.plies().is_some() || value.margin().is_some() {
            assert_eq!(value, expected, "local equation: {}", at());
        } else {
            assert_eq!(value.wdl(), expected.wdl(), "local equation: {}", at());
        }
        if let Some(keeping) = oracle.keeping_moves(game, position) {
            moves_keep_the_value(subject, position, &keeping, &|child| oracle.value(game, child), &at);
        }
    }
}

/// Checks that the table made by thresholds is proved, the same on two threads, and has the brute force's values.
pub fn thresholds_are_proved<G: Notation + Scored + Parted>(subject: &Subject<G>) {
    let game = &subject.game;
    let table = thresholds::solve(game, &quiet_work()).unwrap();
    assert_eq!(thresholds::verify(game, &table, &quiet_work()).unwrap(), Assurance::Proved);
    let work = Work { threads: 2, ..quiet_work() };
    assert!(thresholds::solve(game, &work).unwrap() == table, "two threads make the same table");
    for position in subject.positions.iter().filter(|position| game.over(position).is_none()) {
        let Some(truth) = subject.value(position) else { continue };
        assert_eq!(table.get(game.index(position)), Some(truth), "thresholds: {}", subject.show(position));
    }
}

/// Checks that the endgame table of all parts has the values of the brute force, and that tables of fewer parts agree.
pub fn endgames_are_right<G: Notation + Endgames>(subject: &Subject<G>) {
    let game = &subject.game;
    let ends = game.parts();
    let work = Work { threads: 2, ..quiet_work() };
    let whole = EndgameTable::build(game, &ends, &work).unwrap();
    oracle_is_right(subject, "endgame table", &whole, &subject.positions);
    let first = EndgameTable::build(game, &ends[..ends.len() / 2], &quiet_work()).unwrap();
    for position in &subject.positions {
        let value = first.value(game, position);
        assert!(value.is_none() || value == whole.value(game, position), "{}", subject.show(position));
    }
}

/// Checks that a formula's values are right, and so are the moves it names.
pub fn formula_is_right<G: Notation + Scored + Formula>(subject: &Subject<G>) {
    let game = &subject.game;
    for position in &subject.positions {
        let at = || format!("formula: {}", subject.show(position));
        let value = game.formula(position);
        agrees_with_brute_force(subject, position, value, &at);
        match game.over(position) {
            Some(end) => assert_eq!(value.wdl(), end.wdl(), "{}", at()),
            None => {
                let best = best_child(game, position, &|child| Some(game.formula(child)))
                    .expect("a formula has values");
                assert_eq!(value.wdl(), best.wdl(), "local equation: {}", at());
                if game.unit().is_points() {
                    assert_eq!(value, best, "local equation: {}", at());
                }
                moves_keep_the_value(
                    subject,
                    position,
                    &game.keeping_moves(position),
                    &|c| Some(game.formula(c)),
                    &at,
                );
            }
        }
    }
}

/// Checks that a sum's components move as the position does, and that the exclusive or of their Grundy numbers is the
/// position's.
pub fn parts_add_up<G: Notation + Scored + Sum>(subject: &Subject<G>) {
    let game = &subject.game;
    let mut known = HashMap::new();
    for position in &subject.positions {
        let parts = live_parts(game, game.parts(position));
        let mut by_parts = BTreeSet::new();
        for i in 0..parts.len() {
            let _ = game.options(&parts[i], &mut |option| {
                let others = parts.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, part)| part);
                by_parts.insert(live_parts(game, others.chain(option).cloned().collect()));
                MORE
            });
        }
        let mut by_moves = BTreeSet::new();
        for m in legal_moves(game, position) {
            by_moves.insert(live_parts(game, game.parts(&game.play(position, m))));
        }
        assert_eq!(by_parts, by_moves, "options of the parts and moves: {}", subject.show(position));
        assert_eq!(parts.is_empty(), game.over(position).is_some(), "the end: {}", subject.show(position));
    }
    let Some(brute) = &subject.brute else { return };
    for (position, grundy) in brute.positions.iter().zip(brute.grundy_numbers()) {
        let sum =
            game.parts(position).iter().fold(0, |sum, part| sum ^ grundy_of_part(game, part, &mut known));
        assert_eq!(sum, grundy, "Grundy number: {}", subject.show(position));
        let won = subject.value(position).map(Value::wdl) == Some(Wdl::Win);
        assert_eq!(won, grundy != 0, "won by its Grundy number: {}", subject.show(position));
    }
}

/// Checks that outcomes of sums are those of the brute force, where no part is replaced by its form, where few are, and
/// as usual; and that the parts have moves, sizes and negatives as they should.
pub fn outcomes_of_sums_are_right<G: Notation + Scored + Partizan>(subject: &Subject<G>) {
    let game = &subject.game;
    let parts: HashSet<G::Part> =
        subject.positions.iter().flat_map(|position| game.parts(position)).collect();
    let mut forms = Forms::default();
    for part in &parts {
        moves_in_a_part_are_counted(game, part);
        a_part_and_its_negative_are_zero(game, part, &mut forms);
    }
    let mut searches = [0, 3, SMALL].map(|small| SumSearch::new(8, small).unwrap());
    for position in &subject.positions {
        let Some(value) = subject.value(position) else { return };
        for search in &mut searches {
            let wins = search.wins(game, position, &quiet_work(), &mut |_, _| {});
            assert_eq!(wins, Some(value.wdl() == Wdl::Win), "{}", subject.show(position));
        }
    }
}

/// Checks the number of each player's moves in a part, and that they leave smaller parts.
fn moves_in_a_part_are_counted<G: Partizan>(game: &G, part: &G::Part) {
    for player in [Player::One, Player::Two] {
        let mut moves = 0;
        game.options(part, player, &mut |rest| {
            moves += 1;
            let smaller = rest.iter().all(|left| game.part_size(left) < game.part_size(part));
            assert!(smaller, "{part:?} leads to {rest:?}");
        });
        assert_eq!(game.mobility(part, player), moves, "moves of {player:?} in {part:?}");
    }
}

/// Checks that a part is the negative of its negative, and that the player to move loses the sum of a small part and its
/// negative.
fn a_part_and_its_negative_are_zero<G: Partizan>(game: &G, part: &G::Part, forms: &mut Forms<G>) {
    let negative = game.negative(part).unwrap_or_else(|| panic!("no negative of {part:?}"));
    assert_eq!(game.negative(&negative).as_ref(), Some(part), "the negative of {negative:?}");
    for player in [Player::One, Player::Two] {
        let (own, exchanged) = (game.mobility(part, player), game.mobility(&negative, !player));
        assert_eq!(own, exchanged, "moves of {player:?} in {part:?} and its negative");
    }
    if game.part_size(part) > SMALL {
        return;
    }
    let mut patience = Patience::new(&quiet_work());
    let [form, opposite] = [part, &negative].map(|part| forms.part(game, part, &mut patience).unwrap());
    let arena = forms.arena();
    let zero = arena.simple(Simple::number(Dyadic::ZERO)).unwrap();
    assert_eq!(arena.sum(form, opposite, &mut patience), Ok(zero), "{part:?} and {negative:?}");
}

/// Returns the components that can still move, sorted.
fn live_parts<G: Sum>(game: &G, mut parts: Vec<G::Part>) -> Vec<G::Part> {
    parts.retain(|part| {
        let mut live = false;
        let _ = game.options(part, &mut |_| {
            live = true;
            ControlFlow::Break(())
        });
        live
    });
    parts.sort_unstable();
    parts
}

/// Returns the least number that no option has, by plain recursion; a number claimed by the game must agree.
fn grundy_of_part<G: Sum>(game: &G, part: &G::Part, known: &mut HashMap<G::Part, u64>) -> u64 {
    if let Some(&grundy) = known.get(part) {
        return grundy;
    }
    let mut options = Vec::new();
    let _ = game.options(part, &mut |option| {
        options.push(option.to_vec());
        MORE
    });
    let of_options: BTreeSet<u64> = options
        .iter()
        .map(|option| option.iter().fold(0, |sum, part| sum ^ grundy_of_part(game, part, known)))
        .collect();
    let grundy = (0..).find(|g| !of_options.contains(g)).expect("some number is free");
    if let Some(claimed) = game.grundy_of(part, &quiet_work()) {
        assert_eq!(claimed, grundy, "claimed Grundy number of {part:?}");
    }
    known.insert(part.clone(), grundy);
    grundy
}

fn agrees_with_brute_force<G: Notation + Scored>(
    subject: &Subject<G>,
    position: &G::Position,
    value: Value,
    at: &dyn Fn() -> String,
) {
    let Some(truth) = subject.value(position) else { return };
    if value.plies().is_some() || value.margin().is_some() {
        assert_eq!(value, truth, "brute force: {}", at());
    } else {
        assert_eq!(value.wdl(), truth.wdl(), "brute force: {}", at());
    }
}

fn best_child<G: Scored>(
    game: &G,
    position: &G::Position,
    value: &dyn Fn(&G::Position) -> Option<Value>,
) -> Option<Value> {
    let mut best = None;
    let mut known = true;
    let _ = children(game, position, &mut |_, child, step| {
        match value(&child) {
            Some(value) => best = best.max(Some(value.back(step))),
            None => known = false,
        }
        MORE
    });
    best.filter(|_| known)
}

/// Checks that named moves are legal, distinct, and keep the value, and that a won position has at least one.
fn moves_keep_the_value<G: Notation + Scored>(
    subject: &Subject<G>,
    position: &G::Position,
    keeping: &[G::Move],
    value: &dyn Fn(&G::Position) -> Option<Value>,
    at: &dyn Fn() -> String,
) {
    let game = &subject.game;
    if game.over(position).is_some() {
        return;
    }
    let legal = legal_moves(game, position);
    let worth = |m| {
        let child = game.play(position, m);
        value(&child).map(|v| v.back(step(game, position, m, &child)))
    };
    let best = best_child(game, position, value);
    if best.is_some_and(|value| value.wdl() == Wdl::Win) {
        assert!(!keeping.is_empty(), "no move keeps the win: {}", at());
    }
    for (i, &m) in keeping.iter().enumerate() {
        let word = game.write_move(position, m);
        assert!(legal.contains(&m), "{word} is not legal: {}", at());
        assert!(!keeping[..i].contains(&m), "{word} is named twice: {}", at());
        assert_eq!(
            worth(m).map(Value::wdl),
            best.map(Value::wdl),
            "{word} does not keep the value: {}",
            at()
        );
    }
}

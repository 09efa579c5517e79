//! Checks of tiers: that moves keep to them, what a game says of their borders, and the tables made of them.

use std::collections::BTreeSet;

use grundy_core::game::{MORE, Notation, Scored, children};
use grundy_core::random::fibonacci;
use grundy_core::value::Value;
use grundy_session::quiet_work;
use grundy_tables::tiers::{self, Exit, Tier, Tiered, see};
use grundy_tables::{TableOracle, retrograde};

use crate::abilities::indices_to_try;
use crate::methods;
use crate::subject::Subject;

/// Checks that tiers follow each other without a gap, that moves stay in theirs or lead to earlier ones, and that the
/// game's summary facts about them are true.
pub fn tiers_are_kept<G: Notation + Scored + Tiered>(subject: &Subject<G>) {
    let game = &subject.game;
    let tiers = game.tiers();
    let mut sorted = tiers.clone();
    sorted.sort_by_key(|tier| (tier.numbers.start, tier.numbers.end));
    let end = sorted.iter().fold(0, |end, tier| {
        assert_eq!(tier.numbers.start, end, "tier {} begins elsewhere", tier.name);
        tier.numbers.end
    });
    assert_eq!(end, game.size(), "the tiers do not reach the end");
    let names: BTreeSet<&str> = tiers.iter().map(|tier| tier.name.as_str()).collect();
    assert_eq!(names.len(), tiers.len(), "two tiers of one name");
    // Of large games, a sample of tiers and positions.
    let mut left: u64 = 1 << 18;
    for (at, tier) in tiers.iter().enumerate() {
        let (size, places) = (tier.numbers.end - tier.numbers.start, game.places(&tier.numbers));
        if size <= left / 4 {
            left -= size;
            places_are_right(game, tier);
            survey_is_right(game, &tiers, at, 0..places);
        } else if (size / places.max(1)) <= left / 8 {
            left -= size / places.max(1);
            survey_is_right(game, &tiers, at, places / 2..places / 2 + 1);
        }
    }
    let mut check = |position: &G::Position| borders_are_right(subject, &tiers, position);
    subject.positions.iter().for_each(&mut check);
    indices_to_try(game).step_by(5).filter_map(|n| game.position(n)).for_each(|p| check(&p));
}

/// Checks that the places of a tier's own order hold its positions, each once, with their indices.
fn places_are_right<G: Notation + Scored + Tiered>(game: &G, tier: &Tier) {
    let (mut numbers, mut placed) = (Vec::new(), Vec::new());
    game.walk(tier.numbers.clone(), &mut |number, _| numbers.push(number));
    let places = game.places(&tier.numbers);
    // In pieces, as threads take them.
    let piece = places / 3 + 1;
    for first in (0..places).step_by(piece as usize) {
        let piece = first..places.min(first + piece);
        game.walk_places(&tier.numbers, piece, &mut |number, position| {
            assert_eq!(game.index(&position), number, "tier {}", tier.name);
            placed.push(number);
        });
    }
    placed.sort_unstable();
    assert!(placed == numbers, "the places of tier {} hold other positions", tier.name);
}

/// Checks that a survey of positions agrees with looking at each by itself, whatever the finished tiers hold.
fn survey_is_right<G: Notation + Scored + Tiered>(
    game: &G,
    tiers: &[Tier],
    tier: usize,
    places: std::ops::Range<u64>,
) {
    let numbers = &tiers[tier].numbers;
    let exits = game.exits(tier);
    let worth = |number: u64, _| {
        let known = exits.iter().any(|&exit| tiers[exit].numbers.contains(&number));
        let plies = (fibonacci(number) >> 40) as u32 % 300;
        known.then(|| match fibonacci(number) >> 61 {
            0 => Value::DRAW,
            1 => Value::win_in(plies),
            _ => Value::loss_in(plies),
        })
    };
    let (mut surveyed, mut seen, mut see) = (Vec::new(), Vec::new(), see(game, numbers, &worth));
    game.survey(numbers, places.clone(), &worth, &mut |number, what| surveyed.push((number, what)));
    game.walk_places(numbers, places, &mut |number, position| seen.push((number, see(&position))));
    surveyed.sort_unstable_by_key(|&(number, _)| number);
    seen.sort_unstable_by_key(|&(number, _)| number);
    assert_eq!(surveyed.len(), seen.len(), "tier {}", tiers[tier].name);
    for (surveyed, seen) in surveyed.iter().zip(&seen) {
        assert_eq!(surveyed, seen, "tier {}", tiers[tier].name);
    }
}

fn borders_are_right<G: Notation + Scored + Tiered>(
    subject: &Subject<G>,
    tiers: &[Tier],
    position: &G::Position,
) {
    let game = &subject.game;
    let number = game.index(position);
    let tier_of =
        |n| tiers.iter().position(|tier| tier.numbers.contains(&n)).expect("a tier for every number");
    let tier = tier_of(number);
    let own = &tiers[tier].numbers;
    predecessors_lead_here(subject, own, position);
    if game.over(position).is_some() {
        return;
    }
    let exits = game.exits(tier);
    let (mut stay, mut leave, mut ends) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::<Value>::new());
    let at = || subject.show(position);
    let _ = children(game, position, &mut |m, child, step| {
        let to = game.index(&child);
        let word = game.write_move(position, m);
        if own.contains(&to) {
            assert!(tiers[tier].stays, "{word} stays in its tier: {}", at());
            stay.insert((to, step.turn_passed));
            let mut found = false;
            game.predecessors_within(&child, &mut |n, passed| {
                found |= (n, passed) == (number, step.turn_passed)
            });
            assert!(found, "{word} is not taken back: {}", at());
            return MORE;
        }
        let there = tier_of(to);
        assert!(there < tier && tiers[tier].leaves, "{word} leads to a later tier: {}", at());
        match game.over(&child) {
            Some(ended) if !exits.contains(&there) => {
                ends.insert(ended.back(step));
            }
            _ => {
                assert!(exits.contains(&there), "{word} leads to a tier that is not named: {}", at());
                leave.insert((to, step.turn_passed));
            }
        }
        MORE
    });
    if let Some(count) = game.staying(position) {
        assert_eq!(count as usize, stay.len(), "children in the tier: {}", at());
    }
    let (mut left, mut ended) = (BTreeSet::new(), BTreeSet::new());
    game.leave(position, &mut |exit| match exit {
        Exit::To(to, _) if own.contains(&to) => {}
        Exit::To(to, step) => {
            left.insert((to, step.turn_passed));
        }
        Exit::Ends(value) => {
            ended.insert(value);
        }
    });
    assert_eq!((left, ended), (leave, ends), "children in other tiers: {}", at());
}

/// Checks that every predecessor has a move here.
fn predecessors_lead_here<G: Notation + Scored + Tiered>(
    subject: &Subject<G>,
    own: &std::ops::Range<u64>,
    position: &G::Position,
) {
    let game = &subject.game;
    let number = game.index(position);
    game.predecessors_within(position, &mut |before, turn_passed| {
        let at = || format!("{before}, said to lead to {}", subject.show(position));
        assert!(own.contains(&before), "in another tier: {}", at());
        let from = game.position(before).unwrap_or_else(|| panic!("no position: {}", at()));
        assert!(game.over(&from).is_none(), "over: {}", at());
        let mut found = false;
        game.child_indices(&from, &mut |to, step| found |= (to, step.turn_passed) == (number, turn_passed));
        assert!(found, "{}", at());
    });
}

/// Checks that the table is right, and equal to that of retrograde analysis of all tiers together.
pub fn tables_are_right<G: Notation + Scored + Tiered>(subject: &Subject<G>) {
    let game = &subject.game;
    let table = tiers::solve(game, &quiet_work()).expect("a table");
    let whole = retrograde::solve(game, &quiet_work()).expect("a table");
    for number in 0..game.size() {
        let at = || game.position(number).map(|position| subject.show(&position));
        assert_eq!(table.get(number), whole.get(number), "number {number}: {:?}", at());
    }
    assert_eq!(table.coding(), whole.coding());
    let oracle = TableOracle::new(table);
    methods::oracle_is_right(subject, "tiers", &oracle, &subject.positions);
    let all = indices_to_try(game).filter_map(|n| game.position(n));
    methods::oracle_is_right(subject, "tiers", &oracle, &all.collect::<Vec<_>>());
}

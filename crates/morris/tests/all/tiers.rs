//! Single tiers: from checkpoints, without what they need, and against plain retrograde analysis of all of them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use grundy_contract::{open, resumes_from_each};
use grundy_core::game::Indexed;
use grundy_core::table::NoCheckpoints;
use grundy_morris::ROWS;
use grundy_morris::morris::{Morris, Variant};
use grundy_session::{SolveError, quiet_work};
use grundy_tables::tiers::{FinishedTier, Tiered, solve_tier};

/// Returns the place of a tier in the game's list.
fn place(game: &Morris, name: &str) -> usize {
    game.tiers().iter().position(|tier| tier.name == name).unwrap()
}

/// Returns the table of a tier with those that it needs before it.
fn made(game: &Morris, name: &str) -> (usize, Vec<FinishedTier>) {
    let tiers = game.tiers();
    let last = place(game, name);
    let mut all: Vec<FinishedTier> = Vec::new();
    let mut needed = vec![last];
    let mut at = 0;
    while at < needed.len() {
        let more: Vec<usize> =
            game.exits(needed[at]).into_iter().filter(|exit| !needed.contains(exit)).collect();
        needed.extend(more);
        at += 1;
    }
    needed.sort_unstable();
    for tier in needed {
        let table = solve_tier(game, tier, &all, &quiet_work(), &mut NoCheckpoints).unwrap();
        all.push((tiers[tier].numbers.clone(), Arc::new(table)));
    }
    (last, all)
}

#[test]
fn a_tier_goes_on_from_every_checkpoint_and_comes_out_the_same() {
    let game = Morris::new(Variant::Six, None);
    let (tier, all) = made(&game, "4-3");
    let kept = resumes_from_each(|work, checkpoints| solve_tier(&game, tier, &all, work, checkpoints));
    assert!(kept > 10, "{kept} checkpoints");
}

#[test]
fn a_tier_is_not_solved_without_those_that_it_leads_to() {
    let game = Morris::new(Variant::Six, None);
    let refusal = solve_tier(&game, place(&game, "4-3"), &[], &quiet_work(), &mut NoCheckpoints);
    let Err(SolveError::Broken(why)) = refusal else { panic!("{refusal:?}") };
    assert_eq!(why, "tier 4-3 leads to 3-3, which is not solved before it");
}

#[test]
fn tables_of_nine_have_a_value_for_every_position_and_none_for_other_numbers() {
    let game = Morris::new(Variant::Nine, None);
    let (_, all) = made(&game, "3-3");
    let (numbers, table) = &all[0];
    let mut positions = 0;
    for number in numbers.clone() {
        let there = game.position(number).is_some();
        assert_eq!(table.get(number - numbers.start).is_some(), there, "number {number}");
        positions += u64::from(there);
    }
    assert_eq!(positions, 169_626);
}

#[test]
fn on_a_clock_the_tables_of_endings_are_made_beside_the_search() {
    let mut session = open(&ROWS, "morris:6");
    let hurried = |session: &mut grundy_session::Session, position: Option<&str>| {
        session.setup(position).unwrap();
        session.ready(&quiet_work(), Some(Instant::now()))
    };
    // This may begin with small tiers of endings. Nothing waits for them.
    hurried(&mut session, None);
    let ending = Some("X.X/.../..../OO./O.X 0-0 2");
    let patience = Instant::now() + Duration::from_secs(60);
    let value = loop {
        if let Some(value) = hurried(&mut session, ending).value {
            break value;
        }
        assert!(Instant::now() < patience, "no table is made in the background");
        std::thread::sleep(Duration::from_millis(5));
    };
    let mut other = open(&ROWS, "morris:6");
    other.setup(ending).unwrap();
    assert_eq!(other.value(), Some(value), "the same as at leisure");
}

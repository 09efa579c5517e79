//! Play of a session by the table.

use std::time::{Duration, Instant};

use grundy_core::game::{GameResult, Player};
use grundy_core::value::{Score, Value};
use grundy_session::{Go, Limits, NEVER, Session};

fn open(name: &str) -> Session {
    grundy_contract::open(&grundy_sowing::ROWS, name)
}

/// Checks that a player who is ahead makes progress, whatever the other plays, and gets what was promised.
#[test]
fn a_margin_is_got_in_play() {
    let mut session = open("awari:9");
    let mut moves = 0;
    for seed in 0..200u64 {
        // Pits from a simple generator: any positions will do.
        let mut left = 9;
        let pits: Vec<u64> = (0..11u64)
            .map(|pit| {
                let here = (seed * 7_919 + pit * 104_729 + seed * pit) % 4;
                let here = here.min(left);
                left -= here;
                here
            })
            .collect();
        let row = |pits: &[u64]| pits.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
        session.setup(Some(&format!("{}/{},{left} 0-0 1", row(&pits[..6]), row(&pits[6..])))).unwrap();
        let promised = session.value().unwrap().margin().unwrap();
        if promised <= 0 {
            continue;
        }
        let mut plies = 0;
        while session.over().is_none() && session.value() != Some(Value::DRAW) {
            let best = session.think(&Go::default(), &NEVER, &mut |_| {}).unwrap();
            session.play(&best).unwrap();
            plies += 1;
            assert!(plies < 500, "cyclic");
        }
        let (one, two) = session.score().unwrap();
        let rest = session.over().and_then(Value::margin).unwrap_or(0);
        let rest = if session.turn() == Player::One { rest } else { -rest };
        assert_eq!(one - two + rest, promised);
        moves += plies;
    }
    assert!(moves > 500, "{moves}");
}

#[test]
fn larger_positions_are_searched_and_guesses_are_no_values() {
    let mut session = open("awari");
    let limits = Limits { hard: Some(Instant::now() + Duration::from_millis(300)), ..Limits::default() };
    let mut scores = Vec::new();
    let best = session.think(&Go { limits, ..Go::default() }, &NEVER, &mut |info| scores.push(info.score));
    assert!(best.is_some());
    assert!(!scores.is_empty() && scores.iter().all(|score| !matches!(score, Score::Exact(_))), "{scores:?}");
    assert_eq!(session.value(), None);
}

/// Each has one stone and walks it around the board behind the other's: after twelve plies all is as it was.
#[test]
fn a_third_repetition_shares_what_is_left() {
    for (captured, result) in [
        ("3-2", GameResult::Win(Player::One)),
        ("2-2", GameResult::Draw),
        ("0-2", GameResult::Win(Player::Two)),
    ] {
        let mut session = open("awari:48:repeat=3");
        let start = format!("1,0,0,0,0,0/1,0,0,0,0,0 {captured} 1");
        session.setup(Some(&start)).unwrap();
        for lap in 1..=2 {
            for pit in 1..=6 {
                for _ in 0..2 {
                    assert_eq!((session.over(), session.result()), (None, None), "lap {lap}, pit {pit}");
                    session.play(&pit.to_string()).unwrap();
                }
            }
            assert_eq!(session.position(), start);
        }
        // The stones left are shared: the captured ones decide.
        assert_eq!((session.over(), session.result()), (Some(Value::DRAW), Some(result)), "{captured}");
        assert!(session.undo() && session.over().is_none());
    }
}

#[test]
fn the_third_time_ends_the_game_until_it_is_taken_back() {
    let mut session = open("awari:48:repeat=3");
    let start = "1,0,0,0,0,0/1,0,0,0,0,0 2-2 1";
    let lap = |session: &mut Session| {
        for pit in (1..=6).flat_map(|pit| [pit, pit]) {
            assert_eq!(session.over(), None);
            session.play(&pit.to_string()).unwrap();
        }
    };
    session.setup(Some(start)).unwrap();
    lap(&mut session);
    assert_eq!((session.over(), session.repetitions()), (None, 2));
    lap(&mut session);
    assert_eq!((session.over(), session.repetitions()), (Some(Value::DRAW), 3));
    assert!(session.play("1").is_err() && session.at_start().over().is_none());
    assert!(session.undo() && session.over().is_none());
    session.play("6").unwrap();
    assert_eq!(session.over(), Some(Value::DRAW));
    // A new game has no history.
    session.setup(Some(start)).unwrap();
    assert_eq!((session.over(), session.repetitions()), (None, 1));
    let mut endless = open("awari:48");
    endless.setup(Some(start)).unwrap();
    (0..3).for_each(|_| lap(&mut endless));
    assert_eq!((endless.over(), endless.repetitions()), (None, 4));
}

#[test]
fn names_that_are_no_game_are_refused_in_one_line() {
    for bad in [
        "awari:0",
        "awari:49",
        "awari:-1",
        "awari:x",
        "awari:4,4/4,4",
        "awari:9:9",
        "awari:0,0,0,0,0,0/0,0,0,0,0,0",
    ] {
        let why = grundy_contract::try_open(&grundy_sowing::ROWS, bad).err().unwrap();
        assert!(!why.contains('\n') && why.len() < 200, "{bad}: {why}");
    }
    assert_eq!(open("awari:14").position(), "2,2,1,1,1,1/1,1,1,1,1,1 0-0 1");
    assert_eq!(open("awari").position(), "4,4,4,4,4,4/4,4,4,4,4,4 0-0 1");
    assert_eq!(open("awari:1,0,0,0,0,0/0,0,0,0,0,3").position(), "1,0,0,0,0,0/0,0,0,0,0,3 0-0 1");
}

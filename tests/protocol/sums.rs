//! Sums of games of several families, against plain recursion over their positions.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::time::{Duration, Instant};

use grundy::catalog;
use grundy::session::{
    Canonical, Go, Grundy, Limits, NEVER, OutcomeClass, STOPPED, Session, Settings, Thermograph, quiet_work,
};
use grundy::value::Wdl;

fn open(name: &str) -> Session {
    catalog::open(name, &Settings::default()).unwrap_or_else(|why| panic!("{name}: {why}"))
}

/// Returns the winner of every reachable position, `None` if play goes on for ever, by sweeps until nothing changes.
fn outcomes(session: &mut Session) -> HashMap<String, Option<bool>> {
    let mut children: HashMap<String, Vec<String>> = HashMap::new();
    let mut open = vec![session.position()];
    while let Some(position) = open.pop() {
        if let Entry::Vacant(place) = children.entry(position) {
            session.setup(Some(place.key())).expect("a position that a move led to");
            let list: Vec<String> =
                session.successors(usize::MAX).into_iter().map(|successor| successor.position).collect();
            open.extend(list.iter().cloned());
            place.insert(list);
        }
    }
    let mut known: HashMap<String, Option<bool>> = children.keys().map(|p| (p.clone(), None)).collect();
    loop {
        let mut changed = false;
        for (position, list) in &children {
            if known[position].is_some() {
                continue;
            }
            let found = if list.iter().any(|child| known[child] == Some(false)) {
                Some(true)
            } else {
                list.iter().all(|child| known[child] == Some(true)).then_some(false)
            };
            changed |= found.is_some();
            known.insert(position.clone(), found);
        }
        if !changed {
            return known;
        }
    }
}

/// Players cover two adjacent free cells of a row of five; a player who cannot move loses.
const ROW: &str = "
#players = first(100), second(100)
#pieces = e, x
#variables =
#board = rectangle(up,down,left,right, [e, e, e, e, e])
#anySquare = (left* + right*)
#turn(me; other) = ->me anySquare {e} [x] right {e} [x] [$ me=100, other=0]
#rules = [$ second=100] (turn(first; second) turn(second; first))*";

#[test]
fn sums_are_won_as_plain_recursion_says() {
    for name in [
        "sum:domineering:2x3+hackenbush:BR",
        "sum:hackenbush:GBR,R+nim:2+chomp:2x2",
        "sum:toads-and-frogs:TT..FF+snort:1x4",
        "sum:col:2x2+domineering:2x2+euler:1x3:normal",
        "sum:graph:file=FILE+nim:3",
        "sum:rules:file=ROW+nim:2+heaps:kayles:3",
        "sum:rules:file=ROW+domineering:2x2",
        "sum:graph:file=FILE+graph:file=FILE+nim:1",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cycles.dot");
        std::fs::write(
            &path,
            "digraph { a [start=true]; a -> b -> c -> a; b -> d; c -> e -> { d f }; f -> d }",
        )
        .unwrap();
        let row = folder.path().join("row.rbg");
        std::fs::write(&row, ROW).unwrap();
        let name = name.replace("FILE", path.to_str().unwrap()).replace("ROW", row.to_str().unwrap());
        let mut session = open(&name);
        for (position, won) in outcomes(&mut session) {
            session.setup(Some(&position)).unwrap();
            let value = session.over().or_else(|| session.value()).map(|value| value.wdl());
            let expected = won.map_or(Wdl::Draw, |won| if won { Wdl::Win } else { Wdl::Loss });
            assert_eq!(value, Some(expected), "{name} {position}");
            if session.over().is_none() {
                // The first move of a sorted list has the position's value.
                let best = session.values(100).moves[0].value.map(|value| value.wdl());
                assert_eq!(best, Some(expected), "{name} {position}");
            }
        }
    }
}

#[test]
fn what_a_sum_is_worth() {
    let form = |name: &str| open(name).canonical_form();
    let hot = form("sum:domineering:2x3+hackenbush:BR");
    assert_eq!(hot.to_string(), "{5/2|0}");
    let Canonical::Form { class, thermograph: Some(Thermograph { mast, .. }), .. } = &hot else {
        panic!("no thermograph: {hot}");
    };
    assert_eq!((*class, &*mast.mean, &*mast.temperature), (OutcomeClass::Next, "5/4", "5/4"));
    assert_eq!(form("sum:hackenbush:GB+nim:1+nim:2").to_string(), "^*2");
    assert_eq!(form("sum:hackenbush:G+nim:3").to_string(), "*2");
    assert_eq!(open("sum:hackenbush:G+nim:3").grundy(), Grundy::Nimber(2));
    let why = open("sum:hackenbush:BR+nim:3").grundy().to_string();
    assert!(why.starts_with("unknown ("), "{why}");
    for bad in [
        "sum:euler:2x2",
        "sum:tictactoe",
        "sum:nim:3+chess",
        "sum:hackenbush:X",
        "sum:col:3x3:x",
        "sum:rules:tictactoe",
        "sum:nim:1+rules:notakto",
    ] {
        let line =
            catalog::open(bad, &Settings::default()).err().unwrap_or_else(|| panic!("{bad} is accepted"));
        assert!(!line.contains('\n') && line.len() < 400, "{bad}: {line}");
    }
}

#[test]
fn the_games_that_a_sum_takes_are_listed() {
    let listed = catalog::CATALOG.row("sum").expect("a row").details[0].about;
    let listed: Vec<&str> = listed.split([' ', ',', ';']).collect();
    for row in catalog::CATALOG.rows() {
        let refused = catalog::open(&format!("sum:{}+nim:1", row.name), &Settings::default()).err();
        let unknown = refused.is_some_and(|why| why.contains("cannot stand in a sum: expected a game that"));
        assert_eq!(listed.contains(&row.name), !unknown, "{}", row.name);
    }
}

#[test]
fn a_question_ends_with_its_work_in_every_method() {
    for name in ["sum:domineering:8x8+domineering:8x8", "col:8x8", "snort:8x8", "sum:chomp:9x9+col:7x7"] {
        let began = Instant::now();
        let mut session = open(name);
        let work = quiet_work().within(Duration::from_millis(20));
        assert_eq!(session.value_within(&work), None, "{name}");
        let moves = session.values_within(500, &work).moves;
        assert!(!moves.is_empty() && moves.iter().all(|m| m.value.is_none()), "{name}");
        assert_eq!(session.canonical_form_within(&work), Canonical::NotInTime, "{name}");
        session.grundy_within(&work);
        let limits = Limits { hard: Some(Instant::now() + Duration::from_millis(20)), ..Limits::default() };
        assert!(session.think(&Go { limits, ..Go::default() }, &NEVER, &mut |_| {}).is_some(), "{name}");
        assert!(session.think(&Go::default(), &STOPPED, &mut |_| {}).is_some(), "{name}");
        assert!(began.elapsed() < Duration::from_secs(5), "{name}: {:?}", began.elapsed());
    }
}

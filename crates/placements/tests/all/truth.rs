//! Values computed by independent programs, one file a game.

use std::collections::BTreeMap;
use std::time::Duration;

use grundy_contract::TruthRow;
use grundy_core::value::{Unit, Wdl};
use grundy_placements::ROWS;
use grundy_session::{Analysis, NEVER, Session};

/// Calls `check` with each row of a file and the session of its game at its position.
fn each_row(rows: Vec<TruthRow>, mut check: impl FnMut(&TruthRow, &mut Session)) {
    let mut sessions: BTreeMap<String, Session> = BTreeMap::new();
    for row in rows {
        let game = row.get("game");
        let open = || match game {
            // A deal is a position.
            "collapsi" => grundy_contract::open(&ROWS, "collapsi:233X/1124/23O4/1312"),
            name => grundy_contract::open(&ROWS, name),
        };
        let session = sessions.entry(game.to_owned()).or_insert_with(open);
        let position = row.get("position");
        session.setup(Some(position)).unwrap_or_else(|why| panic!("{game} {position}: {why:?}"));
        assert_eq!(session.position(), position, "{game}");
        assert_eq!(session.legal_moves(usize::MAX).len() as u64, row.number("moves"), "{game} {position}");
        check(&row, session);
    }
}

fn analysis(session: &mut Session) -> Analysis {
    let work = session.work(&NEVER);
    session.analyze(usize::MAX, Duration::from_secs(60), &work)
}

fn sorted(mut words: Vec<String>) -> Vec<String> {
    words.sort();
    words
}

/// Compares value, best moves and those that keep the outcome.
fn values(rows: Vec<TruthRow>) {
    each_row(rows, |row, session| {
        let at = format!("{} {}", row.get("game"), row.get("position"));
        if let Some(ended) = session.over() {
            assert_eq!(ended.show(Unit::Outcome).to_string(), row.get("value"), "{at}");
            return;
        }
        let found = analysis(session);
        assert_eq!(found.show(Unit::Outcome), row.get("value"), "{at}");
        assert_eq!(sorted(found.best(Unit::Outcome).words), row.words("best", ' '), "{at}");
        assert_eq!(sorted(found.keeping(Unit::Outcome).words), row.words("keep", ' '), "{at}");
    });
}

/// Compares the outcome, the Grundy number and the moves that win.
fn numbers(rows: Vec<TruthRow>) {
    each_row(rows, |row, session| {
        let at = format!("{} {}", row.get("game"), row.get("position"));
        let outcome = if row.get("outcome") == "win" { Wdl::Win } else { Wdl::Loss };
        let number = match row.get("nimber") {
            "-" => None,
            "0" => Some(0),
            "*" => Some(1),
            word => Some(word[1..].parse().unwrap()),
        };
        let work = session.work(&NEVER);
        assert_eq!(session.grundy_within(&work).number(), number, "{at}");
        if let Some(ended) = session.over() {
            assert_eq!(ended.wdl(), outcome, "{at}");
            return;
        }
        let found = analysis(session);
        assert_eq!(found.value.map(|value| value.wdl()), Some(outcome), "{at}");
        if outcome == Wdl::Win {
            assert_eq!(sorted(found.keeping(Unit::Outcome).words), row.words("winning", ' '), "{at}");
        }
    });
}

#[test]
fn cram() {
    numbers(grundy_contract::rows!("cram.tsv"));
}

#[test]
fn tac_tix() {
    numbers(grundy_contract::rows!("tac-tix.tsv"));
}

#[test]
fn queens_kings_and_knights() {
    numbers(grundy_contract::rows!("queens.tsv"));
    numbers(grundy_contract::rows!("kings.tsv"));
    numbers(grundy_contract::rows!("knights.tsv"));
}

#[test]
fn subset_takeaway() {
    numbers(grundy_contract::rows!("subset-takeaway.tsv"));
}

#[test]
fn sim() {
    values(grundy_contract::rows!("sim.tsv"));
}

#[test]
fn y() {
    values(grundy_contract::rows!("y.tsv"));
}

#[test]
fn joust() {
    values(grundy_contract::rows!("joust.tsv"));
}

#[test]
fn lewthwaite() {
    values(grundy_contract::rows!("lewthwaite.tsv"));
}

#[test]
fn collapsi() {
    // Each deal has some hundred thousand positions.
    values(grundy_contract::rows!("collapsi.tsv").into_iter().step_by(10).collect());
}

#[test]
fn chopsticks() {
    values(grundy_contract::rows!("chopsticks.tsv"));
}

#[test]
fn wild_tictactoe() {
    values(grundy_contract::rows!("wild-tictactoe.tsv"));
}

#[test]
fn numerical_tictactoe() {
    values(grundy_contract::rows!("numerical-tictactoe.tsv"));
}

#[test]
fn quantik() {
    each_row(grundy_contract::rows!("quantik.tsv"), |row, session| {
        let at = format!("{} {}", row.get("game"), row.get("position"));
        let word = |value: Option<grundy_core::value::Value>| match value.map(|value| value.wdl()) {
            Some(Wdl::Win) => "win",
            Some(Wdl::Loss) => "loss",
            _ => "?",
        };
        if session.over().is_some() {
            assert_eq!(word(session.over()), row.get("value"), "{at}");
            return;
        }
        let found = analysis(session);
        assert_eq!(word(found.value), row.get("value"), "{at}");
        let keep = if word(found.value) == "win" { found.keeping(Unit::Outcome).words } else { Vec::new() };
        assert_eq!(sorted(keep), row.words("keep", ' '), "{at}");
    });
}

/// Known values of starts: Grundy numbers, and who wins in misere play. Sprouts: D. Applegate, G. Jacobson and D. Sleator, 1991;
/// Cram: J. Lemoine and S. Viennot, 2012; the others as computed for `shared/truth/impartial_boards.tsv`.
#[test]
fn boards_have_their_published_values() {
    for (name, number) in [
        ("sprouts:1", 0),
        ("sprouts:2", 0),
        ("sprouts:3", 1),
        ("sprouts:4", 1),
        ("sprouts:5", 1),
        ("cram:3x3", 0),
        ("cram:3x6", 4),
        ("cram:3x7", 1),
        ("cram:4x4", 0),
        ("cram:4x5", 2),
        ("cram:5x5", 0),
        ("tac-tix:2x6", 0),
        ("queens:6x6", 1),
        ("kings:6x6", 1),
        ("knights:5x5", 1),
        ("subset-takeaway:5", 0),
    ] {
        let mut session = grundy_contract::open(&ROWS, name);
        let work = session.work(&NEVER);
        assert_eq!(session.grundy_within(&work).number(), Some(number), "{name}");
    }
    for (name, outcome) in [
        ("sprouts:1:misere", Wdl::Win),
        ("sprouts:2:misere", Wdl::Loss),
        ("sprouts:3:misere", Wdl::Loss),
        ("sprouts:4:misere", Wdl::Loss),
        ("cram:2x8:misere", Wdl::Win),
        ("cram:1x7:misere", Wdl::Loss),
        ("tac-tix:4x4:misere", Wdl::Loss),
        ("tac-tix:4x5:misere", Wdl::Win),
    ] {
        let found = analysis(&mut grundy_contract::open(&ROWS, name));
        assert_eq!(found.value.map(|value| value.wdl()), Some(outcome), "{name}");
    }
}

//! Published values of games that are solved by search.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use grundy_core::game::{Game, Notation, Player, Scored, legal_moves};
use grundy_core::value::{Score, Value, Wdl};
use grundy_search::Question;
use grundy_search::alpha_beta::{AlphaBeta, Bounds, Heuristic};
use grundy_search::pns::{ProofNumberSearch, ProofOutcome};
use grundy_searched::ROWS;
use grundy_searched::connect4::Connect4;
use grundy_searched::domineering::{Domineering, Position};
use grundy_searched::hex::Hex;
use grundy_searched::kalah::Kalah;
use grundy_searched::othello::Othello;
use grundy_searched::pawns::Pawns;
use grundy_session::{Canonical, Distance, Go, Limits, NEVER, Session, Settings};

fn value<G: Scored + Heuristic + Bounds>(game: &G, position: &G::Position) -> Value {
    AlphaBeta::new(64, 2).value(&Question::new(game, position)).unwrap()
}

/// Returns the winner's outcome without its distance.
fn winner<G: Scored + Heuristic + Bounds>(game: &G, position: &G::Position) -> Wdl {
    let question = Question { distance: Distance::First, ..Question::new(game, position) };
    AlphaBeta::new(64, 2).value(&question).unwrap().wdl()
}

/// J. Tromp, "John's Connect Four Playground" (results by board size; distances recomputed by others).
#[test]
fn connect_four_on_small_boards() {
    for (columns, rows, expected) in [
        (4, 4, Value::DRAW),
        (5, 4, Value::DRAW),
        (4, 5, Value::DRAW),
        (6, 4, Value::loss_in(24)),
        (4, 6, Value::DRAW),
    ] {
        let game = Connect4::new(columns, rows).unwrap();
        assert_eq!(value(&game, &game.start()), expected, "{columns}x{rows}");
    }
}

/// With 256 MB on one thread in release: 5x5 0.1 M nodes, 6x5 0.6 M, 7x4 0.4 M, 8x4 4.9 M and 4 s, 6x6 10.8 M and 7 s.
#[test]
#[ignore = "takes minutes without optimisation"]
fn connect_four_on_larger_boards() {
    for (columns, rows, expected) in [
        (5, 5, Value::DRAW),
        (6, 5, Value::DRAW),
        (7, 4, Value::DRAW),
        (6, 6, Value::loss_in(36)),
        (8, 4, Value::loss_in(32)),
        (8, 5, Value::win_in(39)),
        (7, 6, Value::win_in(41)),
    ] {
        let game = Connect4::new(columns, rows).unwrap();
        assert_eq!(value(&game, &game.start()), expected, "{columns}x{rows}");
    }
}

/// J. Feinstein, 1993: the second player wins both by perfect play; with the empty cells given to the winner 4x4
/// is -10.
#[test]
fn othello_on_4x4() {
    for (win, expected) in [(false, -8), (true, -10)] {
        let game = Othello::new(4, 4, win).unwrap();
        assert_eq!(value(&game, &game.start()), Value::points(expected));
    }
}

/// A plain search without bit sets found the same (650,784 and 236,946 nodes); the two boards are images of each other.
#[test]
fn othello_on_6x4_and_4x6() {
    for (columns, rows) in [(6, 4), (4, 6)] {
        let game = Othello::new(columns, rows, false).unwrap();
        assert_eq!(value(&game, &game.start()), Value::points(16), "{columns}x{rows}");
    }
}

/// Some 900 million nodes in two questions: for a build with optimisation, and a table that holds them.
#[test]
#[ignore = "takes minutes with optimisation"]
fn othello_on_6x6() {
    let game = Othello::new(6, 6, false).unwrap();
    let found = AlphaBeta::new(512, 1).value(&Question::new(&game, &game.start()));
    assert_eq!(found, Some(Value::points(-4)));
}

/// Returns the outcome that proof numbers prove.
fn proved<G: Scored + Heuristic + Bounds>(game: &G, position: &G::Position) -> Wdl {
    let mut prover = ProofNumberSearch::new(64).unwrap();
    let mut reaches = |target| prover.ask(game, position, target, &Limits::default(), &NEVER).unwrap();
    match reaches(Value::from_raw(1)) {
        ProofOutcome::Reached(_) => Wdl::Win,
        ProofOutcome::Missed if reaches(Value::DRAW) == ProofOutcome::Missed => Wdl::Loss,
        ProofOutcome::Missed => Wdl::Draw,
    }
}

/// The first player wins (J. Nash). In release, one thread, 6x6: 65 nodes and 0.4 s.
#[test]
fn hex_is_won_by_the_first_player() {
    for side in 1..=5 {
        let game = Hex::new(side).unwrap();
        assert_eq!(winner(&game, &game.start()), Wdl::Win, "{side}");
        assert_eq!(proved(&game, &game.start()), Wdl::Win, "{side}");
    }
}

/// The 13 of 25 first moves that win. In release on one thread search takes 908 nodes and 1.0 s for all 25, proof
/// numbers take as many.
#[test]
fn hex_5x5_has_13_winning_first_moves() {
    let game = Hex::new(5).unwrap();
    let start = game.start();
    let mut won = Vec::new();
    for m in legal_moves(&game, &start) {
        let child = game.play(&start, m);
        let answer = proved(&game, &child);
        if cfg!(not(debug_assertions)) {
            assert_eq!(winner(&game, &child), answer);
        }
        if answer == Wdl::Loss {
            won.push(game.write_move(&start, m));
        }
    }
    won.sort();
    assert_eq!(won, HEX_5X5_WINS);
}

const HEX_5X5_WINS: [&str; 13] =
    ["a1", "a2", "b2", "b3", "b4", "c2", "c3", "c4", "d2", "d3", "d4", "e4", "e5"];

/// The openings of 6x6 that are proved in less than 200 positions, lost and won.
#[test]
fn openings_of_hex_6x6() {
    let game = Hex::new(6).unwrap();
    let start = game.start();
    for (words, opening) in [("a6 b6 c6 d6 e6", Wdl::Win), ("c4 d4 c5 d5 e5", Wdl::Loss)] {
        for word in words.split(' ') {
            let child = game.play(&start, game.read_move(&start, word).unwrap());
            assert_eq!(proved(&game, &child), opening, "{word}");
        }
    }
}

/// Checks that `analyze` reports who wins by each move long before it knows how soon.
#[test]
fn a_session_tells_who_wins_by_each_move_of_hex() {
    let mut session = grundy_contract::open(&grundy_searched::ROWS, "hex:5");
    let mut won = Vec::new();
    for word in session.legal_moves(25) {
        let hard = Some(Instant::now() + Duration::from_secs(60));
        let limits = Limits { hard, ..Limits::default() };
        let go = Go { limits, search_moves: vec![word.clone()], ..Go::default() };
        let stop = AtomicBool::new(false);
        let mut told = None;
        session.think(&go, &stop, &mut |info| {
            told = info.score.settled();
            stop.fetch_or(told.is_some(), Relaxed);
        });
        match told.map(Value::wdl) {
            Some(Wdl::Win) => won.push(word),
            other => assert_eq!(other, Some(Wdl::Loss), "{word}"),
        }
    }
    won.sort();
    assert_eq!(won, HEX_5X5_WINS);
}

/// Breuker, Uiterwijk and van den Herik, 2000: who wins when player one, who lays upright, starts, and when player two
/// starts. In release on one thread 5x5 takes 177 and 187 nodes, 6x6 3,533 and 3,766, 7x6 50,964 and 9,538 (0.2 s), 7x7
/// 153,931 and 138,466 (1.3 s and 0.6 s).
#[test]
fn domineering_by_who_starts() {
    use Wdl::{Loss, Win};
    let boards = [
        (2, 2, [Win, Win]),
        (3, 3, [Win, Win]),
        (4, 4, [Win, Win]),
        (5, 5, [Loss, Loss]),
        (6, 6, [Win, Win]),
        (7, 6, [Loss, Win]),
        (7, 7, [Win, Win]),
    ];
    for (rows, columns, expected) in boards {
        let game = Domineering::new(rows, columns).unwrap();
        let mut start = game.start();
        for (turn, result) in [Player::One, Player::Two].into_iter().zip(expected) {
            start.turn = turn;
            assert_eq!(winner(&game, &start), result, "{rows}x{columns}, {turn:?} starts");
        }
    }
}

/// Checks who wins each board of up to 20 cells, as read off its canonical form by `pycgt` 0.2 (`rectangle(rows,
/// columns).outcome`): the player of upright dominoes, the one of flat dominoes, the first, or the second. A row for
/// each number of rows. `dev/domineering.py` compares further positions.
#[test]
fn domineering_by_canonical_forms() {
    use Wdl::{Loss, Win};
    let boards = ["2HHHHHHH", "V11HV11H", "V11HHH", "VVV1V", "VHVH", "V1V", "V1", "VV"];
    for (rows, outcomes) in (1..).zip(boards) {
        for (columns, outcome) in (1..).zip(outcomes.chars()) {
            let expected = match outcome {
                'V' => [Win, Loss],
                'H' => [Loss, Win],
                '1' => [Win, Win],
                _ => [Loss, Loss],
            };
            let game = Domineering::new(rows, columns).unwrap();
            for (turn, result) in [Player::One, Player::Two].into_iter().zip(expected) {
                let start = Position { turn, ..game.start() };
                let found = game.over(&start).map_or_else(|| winner(&game, &start), Value::wdl);
                assert_eq!(found, result, "{rows}x{columns}, {turn:?} starts");
            }
        }
    }
}

/// M. Gardner, 1962; A. Saffidine, N. Jouandeau and T. Cazenave, "Solving Breakthrough with race patterns and job-level
/// proof number search", 2011.
#[test]
fn pawns_are_won_by_the_second_player() {
    let game = Pawns::hexapawn(3, 3).unwrap();
    assert_eq!(value(&game, &game.start()).wdl(), Wdl::Loss);
    let game = Pawns::breakthrough(4, 5).unwrap();
    assert_eq!(winner(&game, &game.start()), Wdl::Loss);
}

/// In release on one thread with 256 MB: 4.3 M nodes and 4.3 s.
#[test]
#[ignore = "takes half a minute without optimisation"]
fn breakthrough_on_5x5_is_won_by_the_second_player() {
    let game = Pawns::breakthrough(5, 5).unwrap();
    assert_eq!(winner(&game, &game.start()), Wdl::Loss);
}

/// G. Irving, J. Donkers and J. Uiterwijk, "Solving Kalah", 2000. In release on one thread with 1 GB: 35.9 M nodes and
/// 29 s; 6,3 takes 0.9 M nodes and 0.5 s.
#[test]
#[ignore = "takes minutes"]
fn kalah_of_six_pits_with_four_seeds() {
    let game = Kalah::new(6, 4).unwrap();
    assert_eq!(value(&game, &game.start()), Value::points(10));
}

/// Canonical forms of positions, and 4x4 and 5x5 boards as E. R. Berlekamp, "Blockbusting and domineering", 1988, and
/// CGSuite give them.
#[test]
fn domineering_has_the_canonical_forms_of_the_truth_file() {
    let form = |session: &mut Session| match session.canonical_form() {
        Canonical::Form { word, .. } => word,
        other => panic!("{}: {other}", session.position()),
    };
    let mut sessions: BTreeMap<String, Session> = BTreeMap::new();
    for row in grundy_contract::rows!("cgt_forms.tsv") {
        let game = row.get("game");
        let open = || grundy_contract::open(&grundy_searched::ROWS, game);
        let session = sessions.entry(game.to_owned()).or_insert_with(open);
        session.setup(Some(row.get("position"))).unwrap();
        assert_eq!(form(session), row.get("canonical"), "{game} {}", row.get("position"));
    }
    for (board, expected) in [
        ("1x1", "0"),
        ("2x1", "1"),
        ("1x3", "-1"),
        ("2x2", "+-1"),
        ("2x3", "{2|-1/2}"),
        ("2x4", "miny(2)"),
        ("5x5", "0"),
    ] {
        let mut session = grundy_contract::open(&grundy_searched::ROWS, &format!("domineering:{board}"));
        assert_eq!(form(&mut session), expected, "{board}");
    }
}

#[test]
fn an_analysis_has_the_values_of_all_moves_and_sound_bounds() {
    let minute = Duration::from_secs(60);
    for name in [
        "connect4:5x4",
        "othello:4x4",
        "domineering:4x4",
        "hexapawn:4x4",
        "kalah:3,2",
        "hex:3",
        "breakthrough:3x5",
    ] {
        let row = ROWS.iter().find(|row| name.split(':').next() == Some(row.name)).unwrap();
        let open = || row.open(name, &Settings::default()).unwrap();
        let mut session = open();
        let exact = session.analyze(100, minute, &session.work(&NEVER));
        let best = exact.list.moves.first().and_then(|m| m.value);
        assert!(best == exact.value && best.is_some_and(|value| !value.is_unmeasured()), "{name}: {exact:?}");
        let mut values = BTreeMap::new();
        for m in &exact.list.moves {
            let mut after = open();
            let step = after.play(&m.word).unwrap().step;
            let child = after.over().or_else(|| after.evaluate(minute, &after.work(&NEVER)).value);
            assert_eq!(m.value, child.map(|value| value.back(step)), "{name} {}", m.word);
            values.insert(m.word.clone(), m.value.unwrap());
        }
        assert!(exact.list.moves.is_sorted_by(|a, b| a.value >= b.value), "{name}: {exact:?}");
        for time in [0, 1, 2, 5, 10] {
            let mut session = open();
            let found = session.analyze(100, Duration::from_millis(time), &session.work(&NEVER));
            let sound = |value: Option<Value>, bound: Option<Score>, exact: Value| match (value, bound) {
                (Some(value), _) => value == exact || value.is_unmeasured() && value.wdl() == exact.wdl(),
                (None, Some(Score::AtLeast(least))) => exact >= least,
                (None, Some(Score::AtMost(most))) => exact <= most,
                (None, bound) => bound.is_none(),
            };
            assert!(sound(found.value, found.bound, exact.value.unwrap()), "{name}: {found:?}");
            assert_eq!(found.list.moves.len(), values.len(), "{name}");
            for m in found.list.moves {
                assert!(sound(m.value, m.bound, values[&m.word]), "{name}: {m:?}, {:?}", values[&m.word]);
            }
        }
    }
}

//! Endings under the fifty-move rule: values by the halfmove clock, against the rules and a plain search.

use grundy_chess::{Chess, Material, Position};
use grundy_contract::open;
use grundy_core::game::{Game, Notation, legal_moves};
use grundy_core::value::{Score, Step, Value};
use grundy_session::Go;
use grundy_session::{NEVER, quiet_work};
use grundy_solve::Oracle;

use super::endings::{library, random_position, seeded};
use super::plain;

/// The position with this halfmove clock.
fn with_clock(chess: &Chess, position: &Position, clock: u32) -> Position {
    let fen = chess.write_position(position);
    let fields: Vec<&str> = fen.split(' ').take(4).collect();
    chess.read_position(&format!("{} {clock} 90", fields.join(" "))).unwrap()
}

/// Clocks at which the rule matters for a value of so many plies: between "far too late" and "in time".
fn clock_for(plies: u32, random: &mut impl FnMut(u32) -> u32) -> u32 {
    let left = random(plies + 3);
    100 - left.min(100)
}

fn equations_hold_under_the_rule(names: &[&str], each: u32) -> u32 {
    let chess = Chess::new().with_rule50(true);
    let mut random = seeded(0x9e37_79b9_7f4a_7c15);
    let mut otherwise = 0;
    for name in names {
        let ending = Material::read(name).unwrap();
        let mut done = 0;
        // In some endings hardly any position is decided.
        for _ in 0..40 * each {
            if done == each {
                break;
            }
            let ending = if random(2) == 0 { ending } else { ending.swapped() };
            let Some(position) = random_position(&chess, ending, &mut random) else { continue };
            let Some(plain) = library().value(&chess, &position).and_then(Value::plies) else { continue };
            let position = with_clock(&chess, &position, clock_for(plain, &mut random));
            done += 1;
            if chess.over(&position).is_some() {
                continue;
            }
            let value = library().value(&chess, &position).unwrap();
            let mut best = None;
            for m in legal_moves(&chess, &position) {
                let child = library().value(&chess, &chess.play(&position, m)).unwrap();
                best = best.max(Some(child.back(Step::PASSED)));
            }
            assert_eq!(Some(value), best, "{name}: {}", chess.write_position(&position));
            otherwise += u32::from(value.plies().is_some_and(|plies| plies != plain));
        }
    }
    otherwise
}

#[test]
fn under_the_fifty_move_rule_a_position_is_worth_the_best_of_its_children() {
    let names = ["KQvK", "KBNvK", "KQvKR", "KRvKN", "KRRvK"];
    // Wins that take longer than without the rule, because they must capture first, are among them.
    assert!(equations_hold_under_the_rule(&names, 600) > 50);
}

#[test]
#[ignore = "all pawnless endings of four men: half a minute"]
fn under_the_fifty_move_rule_all_pawnless_endings_of_four_men_agree_with_their_children() {
    let names = super::endings::names(4, false);
    equations_hold_under_the_rule(&names.iter().map(String::as_str).collect::<Vec<_>>(), 5000);
}

/// The value with `left` plies to go by searching all lines; what captures leave is looked up in the plain solver.
fn searched(chess: &Chess, position: &Position, left: u32, men: &plain::Alone) -> Value {
    let moves = legal_moves(chess, position);
    if let (true, Some(value)) = (moves.is_empty(), chess.over(position)) {
        return value;
    }
    if left == 0 {
        return Value::DRAW;
    }
    let before = position.material().men();
    let worth = |child: Position| {
        if child.material().men() < before {
            men.value(&child)
        } else {
            searched(chess, &child, left - 1, men)
        }
    };
    let values = moves.into_iter().map(|m| worth(chess.play(position, m)).back(Step::PASSED));
    values.max().expect("a position that is not over has moves")
}

#[test]
#[ignore = "5 s, most of them for the plain solver"]
fn with_three_plies_left_the_tables_agree_with_a_plain_search_over_a_plain_solver() {
    let chess = Chess::new().with_rule50(true);
    let men = plain::Alone::new();
    let mut random = seeded(77);
    let mut seen = [0; 3];
    for name in ["KQvKR", "KRvKN", "KRvKB", "KQvKN"] {
        let ending = Material::read(name).unwrap();
        let mut done = 0;
        while done < 30 {
            let ending = if random(2) == 0 { ending } else { ending.swapped() };
            let Some(position) = random_position(&chess, ending, &mut random) else { continue };
            let left = random(3) + 1;
            let position = with_clock(&chess, &position, 100 - left);
            done += 1;
            let value = library().value(&chess, &position).unwrap();
            let fen = chess.write_position(&position);
            assert_eq!(value, searched(&chess, &position, left, &men), "{fen}");
            seen[usize::from(value > Value::DRAW) + 2 * usize::from(value < Value::DRAW)] += 1;
        }
    }
    assert!(seen[0] > 5 && seen[1] > 5, "{seen:?}");
}

/// What the engine says and plays: score, moves of the line, what it notes.
fn answer(game: &str, fen: &str) -> (Score, Vec<String>, Vec<String>) {
    let mut session = open(&grundy_chess::ROWS, game);
    session.setup(Some(fen)).unwrap();
    session.ready(&quiet_work(), None);
    let go = Go::default();
    let ready = session.ready_to_go(&go, &NEVER);
    let notes = ready.notes.clone();
    let mut last = None;
    session.go(ready, &go, &NEVER, &mut |info| last = Some((info.score, info.pv.clone()))).unwrap();
    let (score, pv) = last.unwrap();
    (score, pv, notes)
}

#[test]
fn a_win_that_would_come_too_late_is_a_draw_with_the_win_said_beside_it() {
    // Mate in 35 moves, 69 plies: with a clock of 40 the rook must be won earlier, which takes a move longer.
    let fen = |clock: u32| format!("8/8/r7/8/3k4/8/8/K1Q5 w - - {clock} 90");
    for game in ["chess:KQvKR:rule50", "chess"] {
        let (score, pv, notes) = answer(game, &fen(31));
        assert_eq!((score, pv.len(), notes.len()), (Score::Exact(Value::win_in(69)), 69, 0), "{game}");
        let (score, pv, notes) = answer(game, &fen(41));
        assert_eq!((score, pv.len()), (Score::Exact(Value::win_in(71)), 71), "{game}");
        assert_eq!(notes, ["win:69 without the fifty-move rule"]);
        let (score, _, notes) = answer(game, &fen(42));
        assert_eq!(score, Score::Exact(Value::DRAW), "{game}");
        assert_eq!(notes, ["win:69 without the fifty-move rule"]);
    }
    // An ending is played without the rule unless it was asked for.
    let (score, ..) = answer("chess:KQvKR", &fen(90));
    assert_eq!(score, Score::Exact(Value::win_in(69)));
}

#[test]
fn a_win_drawn_by_the_rule_is_played_on() {
    let mut session = open(&grundy_chess::ROWS, "chess:KQvKR:rule50");
    session.setup(Some("8/8/r7/8/3k4/8/8/K1Q5 w - - 60 90")).unwrap();
    let played = session.think(&Go::default(), &NEVER, &mut |_| {}).unwrap();
    let mut plain = open(&grundy_chess::ROWS, "chess:KQvKR");
    plain.setup(Some("8/8/r7/8/3k4/8/8/K1Q5 w - -")).unwrap();
    let best = plain.values(100).moves;
    assert_eq!(best.iter().find(|m| m.word == played).unwrap().value, Some(Value::win_in(69)));
}

#[test]
fn a_line_under_the_fifty_move_rule_ends_in_mate_in_time() {
    let chess = Chess::new().with_rule50(true);
    let mut random = seeded(5);
    let mut longer = 0;
    while longer < 40 {
        let ending = Material::read(["KRvKN", "KQvKR", "KRNvK"][random(3) as usize]).unwrap();
        let Some(position) = random_position(&chess, ending, &mut random) else { continue };
        let Some(plain) = library().value(&chess, &position).and_then(Value::plies) else { continue };
        if plain == 0 {
            continue;
        }
        let position = with_clock(&chess, &position, 101 - plain.min(100));
        let Some(plies) = library().value(&chess, &position).and_then(Value::plies) else { continue };
        longer += 1;
        let (score, pv, notes) = answer("chess:4men:rule50", &chess.write_position(&position));
        assert_eq!(score.exact().and_then(Value::plies), Some(plies));
        assert_eq!(notes.len(), 1);
        let mut now = position;
        for word in &pv {
            assert_eq!(chess.over(&now), None);
            let m = chess.read_move(&now, word).unwrap();
            now = chess.play(&now, m);
        }
        assert_eq!((pv.len(), chess.over(&now)), (plies as usize, Some(Value::loss_in(0))));
    }
}

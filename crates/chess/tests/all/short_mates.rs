//! Random positions of four men against a full search that knows nothing but the rules: the mates in few moves that it
//! finds are those of the tables, and where a table says that it takes longer it finds none.

use grundy_chess::{Chess, Material, Position};
use grundy_contract::open;
use grundy_core::game::{Game, Notation, legal_moves};
use grundy_core::value::{Score, Value};
use grundy_session::{Go, Limits, NEVER};
use grundy_tables::Oracle;

use super::endings::{library, names, random_position, seeded};

fn mated(chess: &Chess, position: &Position) -> bool {
    chess.over(position) == Some(Value::loss_in(0))
}

/// Reports whether the side to move mates in at most `moves` moves, whatever is answered.
pub fn mates_in(chess: &Chess, position: &Position, moves: u32) -> bool {
    moves > 0
        && legal_moves(chess, position).into_iter().any(|m| {
            let child = chess.play(position, m);
            mated(chess, &child) || (moves > 1 && is_mated_in(chess, &child, moves - 1))
        })
}

/// Reports whether the side to move has a move, and each of them lets the other side mate in at most `moves` moves.
fn is_mated_in(chess: &Chess, position: &Position, moves: u32) -> bool {
    let list = legal_moves(chess, position);
    !list.is_empty() && list.into_iter().all(|m| mates_in(chess, &chess.play(position, m), moves))
}

/// Compares one position with the table.
fn agrees(chess: &Chess, position: &Position, moves: u32) {
    let value = library().value(chess, position).expect("endings of four men are solved when they are met");
    let fen = chess.write_position(position);
    for moves in 1..=moves {
        let in_time = value > Value::DRAW && value.plies().is_some_and(|plies| plies < 2 * moves);
        assert_eq!(
            mates_in(chess, position, moves),
            in_time,
            "{fen}: mate in {moves}, the table says {value:?}"
        );
    }
    for moves in 1..moves {
        let lost = value.plies().is_some_and(|plies| (1..=2 * moves).contains(&plies));
        let in_time = value < Value::DRAW && lost;
        assert_eq!(
            is_mated_in(chess, position, moves),
            in_time,
            "{fen}: mated in {moves}, the table says {value:?}"
        );
    }
}

/// Compares `each` random positions of each ending of four men, half of them decided in few moves by the table.
fn short_mates_agree(each: u32, moves: u32) {
    let chess = Chess::new();
    let mut random = seeded(0x1234_5678_9abc);
    let mut short = 0;
    for name in [names(4, false), names(4, true)].concat() {
        let ending = Material::read(&name).expect("the tests name endings");
        let (mut done, mut tried) = (0, 0);
        while done < each && tried < 20_000 {
            tried += 1;
            let ending = if random(2) == 0 { ending } else { ending.swapped() };
            let Some(position) = random_position(&chess, ending, &mut random) else { continue };
            if chess.over(&position).is_some() {
                continue;
            }
            let value = library().value(&chess, &position).expect("it is solved when it is met");
            let decided = value.plies().is_some_and(|plies| plies < 2 * moves + 2);
            if done % 2 == 0 && !decided && tried < 10_000 {
                continue;
            }
            short += u32::from(decided);
            agrees(&chess, &position, moves);
            done += 1;
        }
        assert!(done > 0, "{name}");
    }
    assert!(short > 10 * each, "{short} decided in few moves");
}

#[test]
fn mates_in_few_moves_are_those_that_a_full_search_finds() {
    short_mates_agree(12, 3);
}

#[test]
#[ignore = "a quarter of a minute in a release build"]
fn mates_in_up_to_four_moves_are_those_that_a_full_search_finds() {
    short_mates_agree(200, 3);
    short_mates_agree(20, 4);
}

#[test]
fn mates_that_a_selective_search_claims_are_those_of_a_full_search() {
    let chess = Chess::new();
    let mut session = open(&grundy_chess::ROWS, "chess");
    let mut random = seeded(11);
    let (mut won, mut lost) = (0, 0);
    for _ in 0..250 {
        let mut position = chess.start();
        for _ in 0..30 + random(50) {
            let moves = legal_moves(&chess, &position);
            if moves.is_empty() {
                break;
            }
            position = chess.play(&position, moves[random(moves.len() as u32) as usize]);
        }
        if chess.over(&position).is_some() {
            continue;
        }
        let fen = chess.write_position(&position);
        session.setup(Some(&fen)).unwrap();
        let go = Go { limits: Limits { nodes: Some(1_000), ..Limits::default() }, ..Go::default() };
        let mut score = Score::Guess(0);
        session.think(&go, &NEVER, &mut |info| score = info.score).unwrap();
        let (Score::Exact(value) | Score::AtLeast(value) | Score::AtMost(value)) = score else { continue };
        match value.plies() {
            Some(plies @ (1 | 3)) => {
                assert!(mates_in(&chess, &position, plies.div_ceil(2)), "{fen}: {value:?}");
                won += 1;
            }
            Some(2) => {
                assert!(is_mated_in(&chess, &position, 1), "{fen}: {value:?}");
                lost += 1;
            }
            _ => {}
        }
    }
    // Few of these positions have a mate so near.
    assert!(won > 0, "{won} won, {lost} lost");
}

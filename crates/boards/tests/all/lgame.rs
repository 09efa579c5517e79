//! `lgame_*.tsv`: positions with A to move, values, numbers of moves of each kind, and the least of the eight images.
//! `lgame_sample.tsv` is one row in four of the file it comes from.

use std::collections::HashSet;

use grundy_boards::lgame::LGame;
use grundy_core::game::{Game, Indexed};
use grundy_core::value::{Value, Wdl};
use grundy_search::board::{BoardGame, BoardRules, Position};
use grundy_tables::{Oracle, TableOracle};

use super::{value, valued_moves};
use grundy_contract::rows;

fn solved() -> (BoardGame, TableOracle<BoardGame>) {
    let (game, table) = (BoardGame::new(LGame), TableOracle::reversible());
    grundy_contract::ready(&table, &game, &game.start());
    (game, table)
}

fn read(board: &str) -> Position {
    let rows = [&board[..4], &board[4..8], &board[8..12], &board[12..]].join("/");
    LGame.read_position(&rows).unwrap()
}

#[test]
fn lgame_is_as_in_the_truth_file() {
    let (game, table) = solved();
    for row in rows!("lgame_sample.tsv") {
        let board = row.get("board");
        let position = read(board);
        let truth = value(row.get("outcome"), row.get("plies").parse().unwrap());
        assert_eq!(table.value(&game, &position), Some(truth), "{board}");
        let moves = valued_moves(&game, &table, &position);
        let count = |keep: &dyn Fn(Value) -> bool| moves.iter().filter(|(_, v)| keep(*v)).count() as u64;
        assert_eq!(moves.len() as u64, row.number("n_moves"), "{board}");
        assert_eq!(count(&|v| v.wdl() == Wdl::Win), row.number("n_win_moves"), "{board}");
        assert_eq!(count(&|v| v == Value::DRAW), row.number("n_draw_moves"), "{board}");
        if truth.wdl() == Wdl::Win {
            assert_eq!(count(&|v| v == truth), row.number("n_fastest_win_moves"), "{board}");
        }
        assert_eq!(game.index(&position), game.index(&read(row.get("canonical"))), "{board}");
    }
}

#[test]
fn the_lost_classes_are_those_of_the_truth_file() {
    let (game, table) = solved();
    for row in rows!("lgame_lost_classes.tsv") {
        let lost = Value::loss_in(row.number("plies") as u32);
        assert_eq!(table.value(&game, &read(row.get("board"))), Some(lost));
    }
}

#[test]
fn positions_up_to_symmetry_are_won_drawn_and_lost_as_published() {
    let (game, table) = solved();
    let values: Vec<Value> =
        (0..game.size()).map(|n| table.value(&game, &game.position(n).unwrap()).unwrap()).collect();
    let count = |wdl| values.iter().filter(|v| v.wdl() == wdl).count();
    assert_eq!(
        (values.len(), count(Wdl::Win), count(Wdl::Draw), count(Wdl::Loss)),
        (2_296, 1_006, 1_261, 29)
    );
    assert_eq!(values.iter().filter(|v| v.wdl() == Wdl::Win).filter_map(|v| v.plies()).max(), Some(9));
    assert_eq!(values.iter().filter(|&&v| v == Value::loss_in(0)).count(), 15);
    let most = (0..game.size()).map(|n| valued_moves(&game, &table, &game.position(n).unwrap()).len()).max();
    assert_eq!(most, Some(221));
}

/// The source's two numberings, as the game has them. The first: 48 ways for each L, 16 cells for each neutral piece and 2
/// movers make 1,179,648 numbers, of which only those without overlaps are positions. The second numbers the neutral pieces
/// among the 8 cells that the Ls leave free: 48 x 48 x 8 x 8 x 2 make 294,912. In both a position has two numbers, one for
/// each order of the neutral pieces. Without any waste 656 pairs of Ls and 28 pairs of cells make 18,368 for one mover.
#[test]
fn both_numberings_of_the_source_are_reproduced() {
    let (game, ways) = (BoardGame::new(LGame), LGame::ways());
    let pairs = ways.iter().flat_map(|a| ways.iter().filter(move |&b| a & b == 0)).count();
    assert_eq!((ways.len(), pairs, pairs * 28), (48, 656, 18_368));
    let mut session = grundy_contract::open(&grundy_boards::ROWS, "lgame");
    let sizes: Vec<_> = session.numberings().iter().map(|known| (known.name, known.size)).collect();
    assert_eq!(sizes, [("absolute", 1_179_648), ("relative", 294_912)]);
    let at: [fn(u64) -> Option<Position>; 2] = [LGame::at_absolute, LGame::at_relative];
    let number: [fn(&Position) -> u64; 2] = [LGame::absolute, LGame::relative];
    let mut all = Vec::new();
    for ((name, size), (at, number)) in sizes.into_iter().zip(at.into_iter().zip(number)) {
        let held: Vec<(u64, Position)> = (0..size).filter_map(|n| Some((n, at(n)?))).collect();
        assert_eq!(held.len(), 2 * 2 * 18_368, "{name}");
        assert!(held.iter().all(|(n, position)| number(position) <= *n), "{name}: the lower cell is first");
        assert_eq!(held.iter().filter(|(n, position)| number(position) == *n).count(), 2 * 18_368, "{name}");
        assert_eq!(at(size), None, "{name}");
        assert_eq!(at(u64::MAX), None, "{name}");
        all.push(held.into_iter().map(|(_, position)| position).collect::<HashSet<_>>());
        grundy_contract::indices_round_trip(&mut session, Some(name), 30);
    }
    assert_eq!(all[0], all[1]);
    assert_eq!(
        session.number(Some("upside")),
        Err("no numbering \"upside\" of lgame: expected absolute or \
        relative, or nothing for that of its table"
            .to_owned())
    );
    // Each of the 2,296 indices represents the mover's eight images, by either player.
    let mut shared = vec![0; 2_296];
    all[0].iter().for_each(|position| shared[game.index(position) as usize] += 1);
    assert!(shared.iter().all(|&count| count == 16));
}

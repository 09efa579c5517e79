//! `lgame_*.tsv`: positions with A to move, values, numbers of moves of each kind, and the least of the eight images.
//! `lgame_sample.tsv` is one row in four of the file it comes from.

use std::collections::HashSet;

use grundy_boards::lgame::{LGame, Position};
use grundy_core::game::{Game, Indexed, Notation};
use grundy_core::value::{Value, Wdl};
use grundy_solve::{Oracle, TableOracle};

use super::{value, valued_moves};
use grundy_contract::rows;

fn solved() -> TableOracle<LGame> {
    let table = TableOracle::reversible();
    grundy_contract::ready(&table, &LGame, &LGame.start());
    table
}

fn read(board: &str) -> Position {
    let rows = [&board[..4], &board[4..8], &board[8..12], &board[12..]].join("/");
    LGame.read_position(&rows).unwrap()
}

#[test]
fn lgame_is_as_in_the_truth_file() {
    let table = solved();
    for row in rows!("lgame_sample.tsv") {
        let board = row.get("board");
        let position = read(board);
        let truth = value(row.get("outcome"), row.get("plies").parse().unwrap());
        assert_eq!(table.value(&LGame, &position), Some(truth), "{board}");
        let moves = valued_moves(&LGame, &table, &position);
        let count = |keep: &dyn Fn(Value) -> bool| moves.iter().filter(|(_, v)| keep(*v)).count() as u64;
        assert_eq!(moves.len() as u64, row.number("n_moves"), "{board}");
        assert_eq!(count(&|v| v.wdl() == Wdl::Win), row.number("n_win_moves"), "{board}");
        assert_eq!(count(&|v| v == Value::DRAW), row.number("n_draw_moves"), "{board}");
        if truth.wdl() == Wdl::Win {
            assert_eq!(count(&|v| v == truth), row.number("n_fastest_win_moves"), "{board}");
        }
        assert_eq!(LGame.index(&position), LGame.index(&read(row.get("canonical"))), "{board}");
    }
}

#[test]
fn the_lost_classes_are_those_of_the_truth_file() {
    let table = solved();
    for row in rows!("lgame_lost_classes.tsv") {
        let lost = Value::loss_in(row.number("plies") as u32);
        assert_eq!(table.value(&LGame, &read(row.get("board"))), Some(lost));
    }
}

#[test]
fn positions_up_to_symmetry_are_won_drawn_and_lost_as_published() {
    let table = solved();
    let values: Vec<Value> =
        (0..LGame.size()).map(|n| table.value(&LGame, &LGame.position(n).unwrap()).unwrap()).collect();
    let count = |wdl| values.iter().filter(|v| v.wdl() == wdl).count();
    assert_eq!(
        (values.len(), count(Wdl::Win), count(Wdl::Draw), count(Wdl::Loss)),
        (2_296, 1_006, 1_261, 29)
    );
    assert_eq!(values.iter().filter(|v| v.wdl() == Wdl::Win).filter_map(|v| v.plies()).max(), Some(9));
    assert_eq!(values.iter().filter(|&&v| v == Value::loss_in(0)).count(), 15);
    let most =
        (0..LGame.size()).map(|n| valued_moves(&LGame, &table, &LGame.position(n).unwrap()).len()).max();
    assert_eq!(most, Some(221));
}

/// The source's two numberings. The first: 48 ways for each L, 16 cells for each neutral piece and 2 movers make
/// 1,179,648 numbers, of which only those without overlaps are positions. The second: the mover's L comes first, so
/// that nobody has to say whose turn it is, and the neutral pieces, which are alike, share 16 * 16 / 2 numbers (the
/// cell of one, and how many cells the other is ahead of it, 1 to 8, around the board): 48 * 48 * 128 make 294,912.
/// Without any waste 656 pairs of Ls and 28 pairs of cells make 18,368 for one mover.
#[test]
fn both_numberings_of_the_source_are_reproduced() {
    let ways = LGame::ways();
    let mut wide = HashSet::new();
    let mut positions = HashSet::new();
    for n in 0..1_179_648_usize {
        let [mover, second, first] = [n % 2, n / 2 % 16, n / 32 % 16];
        let [b, a] = [n / 512 % 48, n / 512 / 48];
        let sets = [ways[a], ways[b], 1 << first, 1 << second];
        if sets.iter().map(|set| set.count_ones()).sum::<u32>()
            == (sets.iter().fold(0, |all, set| all | set)).count_ones()
        {
            wide.insert(n);
            let turn =
                if mover == 0 { grundy_core::game::Player::One } else { grundy_core::game::Player::Two };
            positions.insert(Position { ls: [a as u8, b as u8], neutrals: 1 << first | 1 << second, turn });
        }
    }
    assert_eq!((ways.len(), wide.len(), positions.len()), (48, 2 * 2 * 18_368, 2 * 18_368));
    // The second numbering: every number without an overlap is a position for one mover, and all of those have one.
    let mut seconds = HashSet::new();
    for n in 0..294_912_usize {
        let (ahead, first) = (n % 8 + 1, n / 8 % 16);
        let [b, a] = [n / 128 % 48, n / 128 / 48];
        let neutrals = 1u16 << first | 1 << ((first + ahead) % 16);
        if ways[a] & ways[b] == 0 && neutrals & (ways[a] | ways[b]) == 0 {
            let turn = grundy_core::game::Player::One;
            seconds.insert(Position { ls: [a as u8, b as u8], neutrals, turn });
        }
    }
    assert_eq!(seconds.len(), 18_368);
    assert!(seconds.iter().all(|position| positions.contains(position)));
    let pairs = ways.iter().flat_map(|a| ways.iter().filter(move |&b| a & b == 0)).count();
    assert_eq!((pairs, pairs * 28), (656, 18_368));
    // Each of the 2,296 numbers stands for the mover's eight images, by either player.
    let mut shared = vec![0; 2_296];
    positions.iter().for_each(|position| shared[LGame.index(position) as usize] += 1);
    assert!(shared.iter().all(|&count| count == 16));
}

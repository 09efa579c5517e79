//! Games on boards.

use super::graph_of;
use grundy_boards::euler::{Euler, Rules};
use grundy_boards::gomoku::Gomoku;
use grundy_boards::lgame::LGame;
use grundy_boards::mnk::Mnk;
use grundy_boards::police::Police;
use grundy_boards::qubic::Qubic;
use grundy_boards::row::NumberRow;
use grundy_boards::teeko::Teeko;
use grundy_tables::frames::ByFrames;

use grundy_contract::Contract;
use grundy_core::random::SplitMix64;
use grundy_search::board::{BoardGame, BoardRules};

fn board(rules: impl BoardRules) -> Contract<BoardGame> {
    Contract::new(BoardGame::new(rules))
}

fn mnk(columns: usize, rows: usize, k: usize, misere: bool) -> Contract<Mnk> {
    Contract::new(Mnk::new(columns, rows, k, misere).unwrap()).indexed().acyclic().heuristic()
}

#[test]
fn tictactoe() {
    mnk(3, 3, 3, false)
        .positions(5_478)
        .canonical(765)
        .keys(765)
        .perft(&[9, 72, 504, 3024, 15_120, 54_720, 148_176, 200_448, 127_872])
        .search()
        .layers()
        .retrograde()
        .run();
}

#[test]
fn misere_tictactoe() {
    mnk(3, 3, 3, true).positions(5_478).keys(765).search().layers().retrograde().run();
}

#[test]
fn mnk_on_other_boards() {
    mnk(4, 3, 3, false).limit(400_000).layers().run();
    mnk(2, 5, 2, true).layers().run();
    mnk(1, 1, 1, false).layers().run();
    mnk(5, 1, 3, false).run();
    mnk(4, 4, 4, false).limit(5_000).run();
    mnk(8, 5, 4, true).limit(1_000).run();
}

#[test]
fn mnk_on_boards_without_a_numbering() {
    Contract::new(Mnk::new(8, 8, 5, false).unwrap()).heuristic().limit(1_000).run();
    Contract::new(Mnk::new(26, 2, 5, false).unwrap()).heuristic().limit(1_000).run();
}

#[test]
fn euler() {
    let euler = |rows, columns, variant| {
        board(Euler::new(rows, columns, variant).unwrap()).indexed().heuristic().layers()
    };
    let (normal, short) = (|longest| Rules { normal: true, short: false, longest }, true);
    euler(4, 4, Rules::default()).limit(140_000).keys(8_548).numbers(65_536).run();
    euler(3, 4, Rules { short, ..normal(2) }).search().run();
    euler(1, 1, Rules { short, ..Rules::default() }).run();
    euler(2, 5, normal(4)).search().retrograde().run();
    board(Euler::new(5, 5, normal(3)).unwrap()).indexed().acyclic().heuristic().limit(1_000).run();
}

#[test]
fn lgame() {
    board(LGame)
        .positions(2 * 18_368)
        .canonical(2 * 2_296)
        .indexed()
        .numbers(2_296)
        .retrograde()
        .backwards()
        .run();
}

#[test]
fn police() {
    let police = |map| board(Police::new(map).unwrap()).indexed().retrograde().backwards().every_index();
    police("C..T").run();
    police("C.../*.*./...T/E*..").run();
    police("*C*E/..T./*.*.").run();
    police("..E/C.*/..T\n").run();
    police("CT").run();
}

/// Returns a graph of `nodes` nodes with arrows and attributes at random; arrows lead upwards where it is `acyclic`.
fn random_graph(seed: u64, nodes: usize, acyclic: bool, points: bool, owners: usize) -> String {
    let mut random = SplitMix64(seed);
    let mut text = "digraph { n0 [start=true];".to_string();
    for from in 0..nodes {
        let mut is_end = true;
        for _ in 0..random.below(4) {
            let to = if acyclic { from + 1 + random.below(nodes) } else { random.below(nodes) };
            if to < nodes {
                text += &format!("n{from} -> n{to};");
                is_end = false;
            }
        }
        let end = match (is_end, points) {
            (true, true) => format!("value={}", random.below(2_001) as i32 - 1_000),
            (true, false) => ["value=win", "value=loss", "value=draw", ""][random.below(4)].to_string(),
            _ => String::new(),
        };
        let owner = [String::new(), format!("owner={}", 1 + random.below(2))]
            [usize::from(random.below(2) < owners)]
        .clone();
        text += &format!("n{from} [{end} {owner}];");
    }
    text + "}"
}

#[test]
fn graphs() {
    for seed in 0..40 {
        // Nobody, some and everybody of the nodes has an owner.
        let owners = seed as usize % 3;
        let graph = |acyclic, points| {
            let text = random_graph(seed, 3 + seed as usize, acyclic, points, owners);
            Contract::new(graph_of(&text)).indexed().every_index()
        };
        graph(false, false).retrograde().backwards().run();
        graph(true, false).retrograde().backwards().layers().run();
        graph(true, true).reversible().layers().run();
    }
}

#[test]
fn row() {
    let row =
        |numbers: &[u64]| Contract::new(NumberRow::new(numbers).unwrap()).oracle("frames", ByFrames::default);
    row(&[4, 7, 2, 9]).perft(&[2, 4, 8, 8]).run();
    row(&[5]).run();
    row(&[3, 1, 4, 1, 5, 9, 2, 6, 5]).from("8,8,0,10000,1 7--3 2").run();
    row(&[10_000, 0, 1, 9_999].repeat(50)).limit(1_000).run();
}

#[test]
fn teeko() {
    let teeko =
        |columns, rows| Contract::new(Teeko::new(columns, rows, false).unwrap()).indexed().heuristic();
    teeko(3, 3).positions(6_490).numbers(5_900).retrograde().backwards().tiers().run();
    Contract::new(Teeko::new(3, 3, true).unwrap()).indexed().retrograde().backwards().run();
    teeko(4, 3).retrograde().backwards().limit(20_000).run();
    Contract::new(Teeko::new(5, 5, false).unwrap()).indexed().reversible().limit(500).run();
}

#[test]
fn gomoku_is_mnk_on_a_larger_board() {
    let gomoku = |columns, rows, k, misere| Contract::new(Gomoku::new(columns, rows, k, misere).unwrap());
    gomoku(3, 3, 3, false).heuristic().positions(5_478).run();
    gomoku(4, 2, 3, true).heuristic().run();
    gomoku(4, 2, 3, false).heuristic().search().run();
    gomoku(3, 2, 2, false).heuristic().search().run();
    gomoku(2, 2, 1, false).heuristic().search().run();
    gomoku(15, 15, 5, false).heuristic().limit(2).run();
}

/// The two ways in which the rules are written agree along games played at random.
#[test]
fn both_kinds_of_boards_have_the_same_games() {
    use grundy_core::game::{Game, Notation, legal_moves};
    for (columns, rows, k) in [(4, 4, 3), (6, 5, 4), (8, 8, 5), (7, 3, 3)] {
        let (small, large) =
            (Mnk::new(columns, rows, k, false).unwrap(), Gomoku::new(columns, rows, k, false).unwrap());
        let mut random = SplitMix64(7);
        for _ in 0..200 {
            let (mut a, mut b) = (small.start(), large.start());
            loop {
                assert_eq!(small.write_position(&a), large.write_position(&b));
                assert_eq!(small.over(&a), large.over(&b));
                assert_eq!(large.read_position(&large.write_position(&b)).as_ref(), Ok(&b));
                let moves = legal_moves(&small, &a);
                assert_eq!(moves.iter().map(|&m| u16::from(m)).collect::<Vec<_>>(), legal_moves(&large, &b));
                let Some(&m) = moves.get(random.below(moves.len().max(1))) else { break };
                (a, b) = (small.play(&a, m), large.play(&b, u16::from(m)));
            }
        }
    }
}

#[test]
fn qubic() {
    Contract::new(Qubic::default()).heuristic().limit(1_000).run();
}

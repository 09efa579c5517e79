//! `police_thief.tsv`: maps with the result for the policeman, who moves first; moves are steps down and right.

use grundy_boards::police::Police;
use grundy_core::game::Game;
use grundy_core::value::Wdl;
use grundy_search::board::{BoardGame, Move};
use grundy_tables::{Oracle, TableOracle};

use super::{pick, value, valued_moves};
use grundy_contract::rows;

#[test]
fn policeman_and_thief_are_as_in_the_truth_file() {
    for row in rows!("police_thief.tsv") {
        let game = BoardGame::new(Police::new(row.get("map")).unwrap());
        let start = game.start();
        let truth = value(row.get("result"), row.get("plies").parse().unwrap());
        let step = |m: Move| {
            let columns = row.get("cols").parse::<i32>().unwrap();
            let place = |cell: u64| (cell as i32 / columns, cell as i32 % columns);
            let (from, to) = (place(start.men[0]), place(m.0));
            format!("{},{}", to.0 - from.0, to.1 - from.1)
        };
        for table in [TableOracle::reversible(), TableOracle::retrograde()] {
            grundy_contract::ready(&table, &game, &start);
            assert_eq!(table.value(&game, &start), Some(truth), "{}", row.get("map"));
            let moves = valued_moves(&game, &table, &start);
            let best = pick(&moves, |v| v.wdl() == truth.wdl(), step);
            assert_eq!(best, row.words("best_police_moves", ';'), "{}", row.get("map"));
            if truth.wdl() != Wdl::Draw {
                let optimal = pick(&moves, |v| v == truth, step);
                assert_eq!(optimal, row.words("distance_optimal_police_moves", ';'), "{}", row.get("map"));
            }
        }
    }
}

//! Outcomes of sums of the parts of Col and Snort, against alpha-beta and against the values of other programs.

use std::collections::BTreeMap;

use grundy_contract::rows;
use grundy_core::game::{Game, MORE, Notation, children};
use grundy_core::value::{Score, Value, Wdl};
use grundy_partizan::ROWS;
use grundy_partizan::colouring::{Colouring, Rule};
use grundy_search::Question;
use grundy_search::alpha_beta::AlphaBeta;
use grundy_search::board::{BoardGame, Position};
use grundy_search::sums::{SMALL, SumSearch};
use grundy_session::{Distance, Go, Info, NEVER, Settings, quiet_work};

fn on_grid(rule: Rule, rows: usize, columns: usize) -> BoardGame {
    BoardGame::new(Colouring::on_grid(rule, rows, columns).unwrap())
}

/// Reports whether the player to move wins.
fn wins(search: &mut SumSearch<BoardGame>, game: &BoardGame, position: &Position) -> bool {
    search.wins(game, position, &quiet_work(), &mut |_, _| {}).unwrap()
}

/// The results of the start positions on 3x3 and 4x4 are those of `atlas.tsv`; those on 3x4 were found by a search
/// without a table, `grundy solve col:3x4 --by naive`.
#[test]
fn boards_have_the_outcomes_that_alpha_beta_proves() {
    for (rule, rows, columns, won) in [
        (Rule::Col, 3, 3, false),
        (Rule::Col, 3, 4, false),
        (Rule::Col, 4, 4, false),
        (Rule::Snort, 3, 3, true),
        (Rule::Snort, 3, 4, true),
        (Rule::Snort, 4, 4, false),
    ] {
        let game = on_grid(rule, rows, columns);
        let start = game.start();
        let mut positions = vec![start];
        let _ = children(&game, &start, &mut |_, child, _| {
            positions.push(child);
            MORE
        });
        let mut alpha_beta = AlphaBeta::new(16, 1);
        for small in [0, 3, SMALL] {
            let mut search = SumSearch::new(8, small).unwrap();
            let at = |position: &Position| format!("{rule:?} {}, {small}", game.write_position(position));
            assert_eq!(wins(&mut search, &game, &start), won, "{}", at(&start));
            for position in &positions {
                let question = Question { distance: Distance::First, ..Question::new(&game, position) };
                let value = alpha_beta.value(&question).unwrap();
                assert_eq!(wins(&mut search, &game, position), value.wdl() == Wdl::Win, "{}", at(position));
            }
        }
    }
}

#[test]
fn outcomes_are_those_of_another_program() {
    let mut games: BTreeMap<String, (BoardGame, [SumSearch<BoardGame>; 2])> = BTreeMap::new();
    for row in rows!("cgt_forms.tsv") {
        let (name, size) = row.get("game").split_once(':').unwrap();
        let rule = match name {
            "col" => Rule::Col,
            "snort" => Rule::Snort,
            _ => continue,
        };
        let (game, searches) = games.entry(row.get("game").to_owned()).or_insert_with(|| {
            let (rows, columns) = size.split_once('x').unwrap();
            let game = on_grid(rule, rows.parse().unwrap(), columns.parse().unwrap());
            (game, [0, 3].map(|small| SumSearch::new(8, small).unwrap()))
        });
        for (turn, winner) in [(1, "L"), (2, "R")] {
            let text = format!("{} {turn}", row.get("position"));
            let position = game.read_position(&text).unwrap();
            let won = [winner, "N"].contains(&row.get("outcome"));
            for search in searches.iter_mut() {
                assert_eq!(wins(search, game, &position), won, "{name} {text}");
            }
        }
    }
}

#[test]
fn a_part_and_its_negative_cancel_without_a_search() {
    for (rule, rows, columns, text) in [
        (Rule::Col, 3, 8, "...XO.../...OX.../...XO..."),
        (Rule::Snort, 3, 9, "...X.O.../...X.O.../...X.O..."),
    ] {
        let (game, mut search) = (on_grid(rule, rows, columns), SumSearch::new(4, SMALL).unwrap());
        for turn in 1..=2 {
            let position = game.read_position(&format!("{text} {turn}")).unwrap();
            assert!(!wins(&mut search, &game, &position), "{text} {turn}");
        }
        assert_eq!(search.nodes(), 0, "{text}");
    }
}

/// Returns the last report of a search without limits that starts from nothing known.
fn searched(name: &str, distance: Distance) -> Info {
    let (kind, _) = name.split_once(':').unwrap();
    let row = ROWS.iter().find(|row| row.name == kind).unwrap();
    let mut session = row.open(name, &Settings { distance, hash_mb: 32, ..Settings::default() }).unwrap();
    let mut last = None;
    session.think(&Go { alone: true, ..Go::default() }, &NEVER, &mut |info| last = Some(info));
    last.unwrap()
}

#[test]
fn a_session_that_asks_who_wins_is_answered_by_outcomes_of_sums() {
    for (name, won) in [("col:4x4", false), ("snort:4x4", false), ("snort:4x5", true)] {
        let info = searched(name, Distance::First);
        assert_eq!(info.score, if won { Score::AtLeast(Value::WIN) } else { Score::AtMost(Value::LOSS) });
        assert!((2..1_000).contains(&info.nodes), "{name}: {}", info.nodes);
        assert_eq!(info.pv.len(), 1, "{name}");
    }
}

#[test]
fn a_session_that_asks_for_the_distance_is_answered_by_alpha_beta() {
    for (name, value) in [("col:3x4", Value::loss_in(8)), ("snort:3x4", Value::win_in(7))] {
        assert_eq!(searched(name, Distance::Exact).score, Score::Exact(value), "{name}");
    }
}

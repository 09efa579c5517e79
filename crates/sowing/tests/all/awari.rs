//! Awari against the brute force and the truth files.

use std::collections::BTreeMap;

use grundy_contract::{Contract, rows};
use grundy_core::game::Indexed;
use grundy_core::table::Table;
use grundy_core::value::{Unit, Value};
use grundy_session::{Assurance, Work, quiet_work};
use grundy_sowing::awari::Awari;
use grundy_tables::thresholds;

fn contract(pits: usize, stones: u8) -> Contract<Awari> {
    Contract::new(Awari::on_board(pits, stones, stones)).every_index().indexed().thresholds().search()
}

/// All positions of small boards, those that no play reaches too.
#[test]
fn awari_of_few_pits() {
    contract(1, 12).run();
    contract(2, 9).run();
    contract(2, 14).run();
    contract(3, 7).run();
}

#[test]
fn awari() {
    contract(6, 2).run();
    Contract::new(Awari::on_board(6, 5, 5)).indexed().thresholds().run();
    Contract::new(Awari::new(48).unwrap()).heuristic().limit(1_000).run();
}

/// The values of each position of the truth file, and of each of its moves.
#[test]
fn small_positions_have_the_values_of_the_truth_file() {
    let mut session = grundy_contract::open(&grundy_sowing::ROWS, "awari");
    for row in rows!("awari_small.tsv") {
        let position = row.get("position");
        session.setup(Some(position)).unwrap();
        assert_eq!(session.position(), position);
        let show = |value: Option<Value>| value.unwrap().show(Unit::Points).to_string();
        assert_eq!(show(session.value()), row.get("value"), "{position}");
        let moves = session.values(usize::MAX).moves;
        let words: Vec<String> = moves.iter().map(|m| format!("{}={}", m.word, show(m.value))).collect();
        assert_eq!(words.join(" "), row.get("values").trim_start_matches('-'), "{position}");
        let best = moves.iter().filter(|m| m.value == moves[0].value).map(|m| m.word.clone());
        assert_eq!(best.collect::<Vec<_>>().join(" "), row.get("best").trim_start_matches('-'), "{position}");
    }
}

/// Returns how many positions of each number of stones have each value.
fn counts(game: &Awari, table: &Table) -> BTreeMap<(u64, Value), u64> {
    let mut counts = BTreeMap::new();
    let ends = thresholds::Parted::parts(game);
    game.walk(0..game.size(), &mut |number, _| {
        let stones = ends.partition_point(|&end| end <= number) as u64;
        *counts.entry((stones, table.get(number).unwrap())).or_default() += 1;
    });
    counts
}

/// Checks the rows of the file up to `stones` stones. Finished positions are counted by the rules.
fn counts_are_as_in_the_truth_file(stones: u8) {
    let game = Awari::on_board(6, stones, 48);
    let work = Work { threads: 2, ..quiet_work() };
    let table = thresholds::solve(&game, &work).unwrap();
    assert_eq!(thresholds::verify(&game, &table, &work).unwrap(), Assurance::Proved);
    let (counts, ends) = (counts(&game, &table), thresholds::Parted::parts(&game));
    let mut compared = 0;
    for row in rows!("awari_counts.tsv").iter().filter(|row| row.number("stones") <= stones.into()) {
        let (of, value) = (row.number("stones"), Value::read(row.get("value")).unwrap());
        assert_eq!(counts.get(&(of, value)), Some(&row.number("count")), "{of} stones, {value:?}");
        let first = if of == 0 { 0 } else { ends[of as usize - 1] };
        assert_eq!(ends[of as usize] - first, row.number("positions"), "{of} stones");
        compared += 1;
    }
    assert!(compared > 10);
}

#[test]
fn counts_of_values_are_as_in_the_truth_file() {
    counts_are_as_in_the_truth_file(9);
}

/// `cargo test --release -p grundy-sowing -- --ignored counts`
#[test]
#[ignore = "takes a minute, in the dev profile several"]
fn counts_to_16_stones_are_as_in_the_truth_file() {
    counts_are_as_in_the_truth_file(16);
}

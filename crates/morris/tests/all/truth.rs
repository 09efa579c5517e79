//! Values and counts by two programs from elsewhere: the rows of `morris_positions.tsv` and `morris.tsv`. Morris:6 was
//! counted by B. Liou, too (<https://github.com/brianhliou/solved-games>): 42,372,745 positions can be reached.

use std::collections::{BTreeMap, BTreeSet};

use grundy_contract::{TruthRow, open, ready, rows};
use grundy_core::game::{Game, Indexed, MORE, Notation, children};
use grundy_core::value::{Unit, Value, Wdl};
use grundy_morris::ROWS;
use grundy_morris::morris::{Morris, Position, Variant};
use grundy_tables::{Oracle, TierOracle};
use rustc_hash::FxHashSet;

/// Returns a game by its name in the files.
fn named(name: &str) -> (Morris, TierOracle) {
    let parts: Vec<&str> = name.split(':').skip(1).collect();
    let variant = match parts[0] {
        "3" => Variant::Three { diagonals: !parts.contains(&"nodiagonals") },
        "6" => Variant::Six,
        "9" => Variant::Nine,
        _ => Variant::Lasker,
    };
    let flies = if parts.contains(&"fly") { Some(true) } else { parts.contains(&"nofly").then_some(false) };
    let game = Morris::new(variant, flies);
    let oracle = TierOracle::new(&game, name.to_owned(), None).unwrap();
    (game, oracle)
}

fn positions_are_valued(wanted: fn(&str) -> bool) {
    let mut games: BTreeMap<String, (Morris, TierOracle)> = BTreeMap::new();
    let rows: Vec<TruthRow> = rows!("morris_positions.tsv");
    let mut seen = 0;
    for row in rows.iter().filter(|row| wanted(row.get("game"))) {
        let name = row.get("game");
        let (game, oracle) = games.entry(name.to_owned()).or_insert_with(|| named(name));
        let position = game.read_position(row.get("position")).unwrap();
        ready(oracle, game, &position);
        let value = oracle.value(game, &position).unwrap();
        let at = || format!("{name} {}", row.get("position"));
        assert_eq!(value.show(Unit::Outcome).to_string(), row.get("value"), "{}", at());
        let mut distinct = BTreeSet::new();
        if game.over(&position).is_none() {
            let _ = children(game, &position, &mut |_, child, _| {
                distinct.insert(game.write_position(&game.canonical(&child)));
                MORE
            });
        }
        assert_eq!(distinct.len() as u64, row.number("distinct_children"), "children of {}", at());
        seen += 1;
    }
    assert!(seen > 100, "rows were found");
}

#[test]
fn positions_of_three_have_their_values() {
    positions_are_valued(|game| game.starts_with("morris:3"));
}

#[test]
#[ignore = "tables of some million positions: cargo test --release -p grundy-morris -- --ignored"]
fn positions_of_larger_boards_have_their_values() {
    positions_are_valued(|game| !game.starts_with("morris:3"));
}

#[test]
fn starts_and_openings_have_their_values() {
    let value = |game: &str, position: Option<&str>| {
        let mut session = open(&ROWS, game);
        session.setup(position).unwrap();
        session.value().map(|value| value.show(Unit::Outcome).to_string())
    };
    assert_eq!(value("morris:3", None).as_deref(), Some("win:9"));
    assert_eq!(value("morris:3", Some(".../.X./... 2-3 2")).as_deref(), Some("loss:8"));
    assert_eq!(value("morris:3", Some("X../.../... 2-3 2")).as_deref(), Some("draw"));
    assert_eq!(value("morris:3", Some(".X./.../... 2-3 2")).as_deref(), Some("win:7"));
    assert_eq!(value("morris:3:fly", None).as_deref(), Some("draw"));
}

/// Counts of positions: all, by outcome for the mover, and those that are over; and the longest win or loss.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Count {
    positions: u64,
    win: u64,
    draw: u64,
    loss: u64,
    finished: u64,
    longest: u32,
}

impl Count {
    fn add(&mut self, weight: u64, value: Value, over: bool) {
        self.positions += weight;
        match value.wdl() {
            Wdl::Win => self.win += weight,
            Wdl::Draw => self.draw += weight,
            Wdl::Loss => self.loss += weight,
        }
        self.finished += if over { weight } else { 0 };
        self.longest = self.longest.max(value.plies().unwrap_or(0));
    }
}

/// Returns every class of positions that can be reached, whose turn it is counted.
fn reached(game: &Morris) -> FxHashSet<Position> {
    let mut seen = FxHashSet::default();
    let mut next = vec![game.start()];
    while let Some(position) = next.pop() {
        if !seen.insert(position) || game.over(&position).is_some() {
            continue;
        }
        let _ = children(game, &position, &mut |_, child, _| {
            let child = game.canonical(&child);
            if !seen.contains(&child) {
                next.push(child);
            }
            MORE
        });
    }
    seen
}

/// The counts of positions and of classes, by extent and the men of the mover and the other.
type Counts = BTreeMap<(&'static str, String), [Count; 2]>;

fn counted(game: &Morris, oracle: &TierOracle, dense: &[&str]) -> Counts {
    let mut counts = Counts::new();
    let mut add = |extent: &'static str, men: &str, position: &Position| {
        ready(oracle, game, position);
        let value = oracle.value(game, position).unwrap();
        let over = game.over(position).is_some();
        let [positions, classes] = counts.entry((extent, men.to_owned())).or_default();
        positions.add(game.images(position), value, over);
        classes.add(1, value, over);
    };
    for men in dense {
        game.walk(game.section(men).unwrap(), &mut |_, position| add("dense", men, &position));
    }
    if dense.is_empty() {
        for position in reached(game) {
            add("reachable", &game.men(&position), &position);
            add("reachable", "all", &position);
        }
    }
    counts
}

fn counts_are_right(wanted: fn(&str) -> bool) {
    let rows: Vec<TruthRow> = rows!("morris.tsv");
    let names: BTreeSet<&str> = rows.iter().map(|row| row.get("game")).filter(|game| wanted(game)).collect();
    for name in names {
        let of_game: Vec<&TruthRow> = rows.iter().filter(|row| row.get("game") == name).collect();
        let dense = of_game.iter().filter(|row| row.get("extent") == "dense").map(|row| row.get("men"));
        let (game, oracle) = named(name);
        let counts = counted(&game, &oracle, &dense.collect::<Vec<_>>());
        for row in of_game {
            row_is_right(&game, &oracle, &counts, row);
        }
    }
}

fn row_is_right(game: &Morris, oracle: &TierOracle, counts: &Counts, row: &TruthRow) {
    let (extent, men) = (row.get("extent"), row.get("men"));
    let at = format!("{} {extent} {men}", row.get("game"));
    if men == "start" {
        ready(oracle, game, &game.start());
        let value = oracle.value(game, &game.start()).unwrap();
        assert_eq!(value.show(Unit::Outcome).to_string(), row.get("start_value"), "{at}");
        return;
    }
    let extent = if extent == "dense" { "dense" } else { "reachable" };
    let [positions, classes] = &counts[&(extent, men.to_owned())];
    let expected = |names: [&str; 4]| names.map(|name| row.number(name));
    let found = |count: &Count| [count.positions, count.win, count.draw, count.loss];
    assert_eq!(found(positions), expected(["positions", "win", "draw", "loss"]), "{at}");
    assert_eq!(found(classes), expected(["classes", "class_win", "class_draw", "class_loss"]), "{at}");
    assert_eq!(positions.finished, row.number("finished"), "{at}");
    assert_eq!(u64::from(positions.longest), row.number("longest"), "{at}");
}

#[test]
fn counts_of_three_are_right() {
    counts_are_right(|game| game.starts_with("morris:3"));
}

#[test]
#[ignore = "tables of some million positions: cargo test --release -p grundy-morris -- --ignored"]
fn counts_of_larger_boards_are_right() {
    counts_are_right(|game| !game.starts_with("morris:3"));
}

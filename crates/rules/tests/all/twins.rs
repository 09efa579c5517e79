//! Games that were there before, written again as rules files: the same positions, moves and ends, so that every value is
//! the same. The graphs of both are walked side by side, each position by its own text.

use std::collections::{BTreeSet, VecDeque};

use grundy_session::{Row, Session, Settings};

fn open(rows: &[&'static [Row]], name: &str) -> Session {
    let first = name.split(':').next().unwrap();
    let row = rows.iter().flat_map(|rows| rows.iter()).find(|row| row.name == first).unwrap();
    row.open(name, &Settings::default()).unwrap()
}

/// Returns the board and the turn of a position.
fn board_and_turn(position: &str) -> (String, String) {
    let fields: Vec<&str> = position.split(' ').collect();
    (fields[0].to_owned(), fields[fields.len() - 1].to_owned())
}

/// Writes the board of a rules file like the game whose twin it is.
fn same(board: &str) -> String {
    board.to_owned()
}

fn heaps(board: &str) -> String {
    board.split('/').map(|row| row.matches('o').count().to_string()).collect::<Vec<_>>().join(",")
}

fn covered(board: &str) -> String {
    board.replace('X', "#")
}

fn laid_down(board: &str) -> String {
    board.replace('x', "A").replace('y', "B")
}

/// Walks both games from their starts; returns the number of positions compared.
fn compare(twin: &str, original: &str, write: fn(&str) -> String, most: usize) -> usize {
    let mut ours = open(&[&grundy_rules::ROWS], &format!("rules:{twin}"));
    let families: [&'static [Row]; 4] =
        [&grundy_boards::ROWS, &grundy_searched::ROWS, &grundy_heaps::ROWS, &grundy_partizan::ROWS];
    let mut theirs = open(&families, original);
    let told = |position: &str| {
        let (board, turn) = board_and_turn(position);
        format!("{} {turn}", write(&board))
    };
    assert_eq!(told(&ours.position()), theirs.position(), "{twin}");
    let mut seen: BTreeSet<String> = BTreeSet::from([ours.position()]);
    let mut open: VecDeque<String> = VecDeque::from([ours.position()]);
    let mut compared = 0;
    while let Some(position) = open.pop_front() {
        ours.setup(Some(&position)).unwrap();
        theirs.setup(Some(&told(&position))).unwrap_or_else(|why| panic!("{twin}: {position}: {why}"));
        compared += 1;
        assert_eq!(ours.over(), theirs.over(), "{twin}: {position}");
        if ours.over().is_some() {
            continue;
        }
        let mine = ours.successors(usize::MAX);
        let mut here: Vec<String> = mine.iter().map(|next| told(&next.position)).collect();
        let mut there: Vec<String> =
            theirs.successors(usize::MAX).into_iter().map(|next| next.position).collect();
        here.sort_unstable();
        here.dedup();
        there.sort_unstable();
        there.dedup();
        assert_eq!(here, there, "{twin}: {position}");
        if seen.len() < most {
            for next in mine {
                if seen.insert(next.position.clone()) {
                    open.push_back(next.position);
                }
            }
        }
    }
    compared
}

/// A rules file, the game it is a twin of, how its board is written there, and how many positions there are; 0 if they
/// are many.
type Twin = (&'static str, &'static str, fn(&str) -> String, usize);

/// The twins: the rules file, the game, how its board is written there, and all its positions where that many are few.
const TWINS: [Twin; 12] = [
    ("tictactoe", "tictactoe", same, 5_478),
    ("mnk", "mnk:4,3,3", same, 0),
    ("connect4", "connect4:5x4", same, 0),
    ("hexapawn", "hexapawn:3x3", same, 135),
    ("breakthrough", "breakthrough:4x4", same, 0),
    ("hex", "hex:3", same, 5_514),
    ("nim", "nim:3,5,7", heaps, 0),
    ("lgame", "lgame", laid_down, 0),
    ("domineering", "domineering:4x4", covered, 2_443),
    ("teeko", "teeko:4x4", same, 0),
    ("col", "col:3x3", same, 1_021),
    ("snort", "snort:3x3", same, 346),
];

#[test]
fn twins_have_the_same_positions_moves_and_ends() {
    for (twin, original, write, all) in TWINS {
        let compared = compare(twin, original, write, if all > 0 { usize::MAX } else { 1_500 });
        assert!(if all > 0 { compared == all } else { compared > 300 }, "{twin}: {compared}");
    }
}

/// Every position of the large ones: `cargo test --release -p grundy-rules --test all -- --ignored twins`.
#[test]
#[ignore = "some minutes"]
fn twins_have_the_same_positions_to_the_last() {
    for (twin, original, write, _) in TWINS {
        compare(twin, original, write, usize::MAX);
    }
}

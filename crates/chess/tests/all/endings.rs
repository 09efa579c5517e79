//! Endings of few men against counts and distances that others made.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use grundy_chess::endings::Census;
use grundy_chess::{Chess, Material, Position};
use grundy_core::game::{Game, Indexed, Notation, legal_moves};
use grundy_core::value::{Step, Value};
use grundy_session::{Work, quiet_work};
use grundy_tables::Oracle;
use grundy_tables::bitparallel::{Library, solve_on, solve_slices};
use grundy_tables::superposed::{Endings, Isa, Laid, Levels};

/// Won, drawn and lost positions, unique and on the full board, and the longest win and loss: made by a plain
/// independent solver, checked against two other makers' tables.
const COUNTS: &str = include_str!("../truth/chess_dtm.tsv");

/// Returns the tables of all tests: each is made once.
pub fn library() -> &'static Library<Chess> {
    static LIBRARY: OnceLock<Library<Chess>> = OnceLock::new();
    LIBRARY.get_or_init(Library::default)
}

pub fn table(name: &str) -> Arc<Levels> {
    let ending = Material::read(name).expect("the tests name endings");
    library().prepare(&Chess::new(), ending, &quiet_work()).expect("small enough")
}

fn counts_agree(only: impl Fn(&str) -> bool) {
    let mut seen = 0;
    for row in COUNTS.lines().skip(1) {
        let fields: Vec<&str> = row.split('\t').collect();
        let [name, side] = fields[..2] else { panic!("{row}") };
        if !only(name) {
            continue;
        }
        seen += 1;
        let census = Census::new(Material::read(name).unwrap(), &table(name), usize::from(side == "btm"));
        let number = |i: usize| fields[i].parse::<u64>().unwrap();
        assert_eq!(Census::wdl(&census.full), [number(5), number(6), number(7)], "{name} {side} full");
        assert_eq!(Census::wdl(&census.unique), [number(2), number(3), number(4)], "{name} {side} unique");
        let [win, loss] = census.longest();
        assert_eq!(win.unwrap_or(0).to_string(), fields[8], "{name} {side} longest win");
        assert_eq!(loss.map_or(-1, i64::from).to_string(), fields[12], "{name} {side} longest loss");
        if let Some(win) = win {
            assert_eq!(census.unique[win as usize + 1], number(10), "{name} {side} longest wins");
        }
        if let Some(loss) = loss {
            assert_eq!(census.unique[loss as usize + 1], number(13), "{name} {side} longest losses");
        }
    }
    assert!(seen > 0);
}

#[test]
fn endings_without_pawns_have_the_counts_of_others() {
    counts_agree(|name| !name.contains('P'));
}

#[test]
fn endings_with_pawns_have_the_counts_of_others() {
    counts_agree(|name| name.contains('P'));
}

/// Returns the value that a position must have by the values of its children.
fn by_children(chess: &Chess, position: &Position) -> Option<Value> {
    let mut best = None;
    for m in legal_moves(chess, position) {
        let child = chess.play(position, m);
        best = best.max(Some(library().value(chess, &child)?.back(Step::PASSED)));
    }
    best
}

/// Returns a random legal position with these men; where both sides have pawns often one in which a pawn has just made
/// a double step beside another.
pub fn random_position(
    chess: &Chess,
    ending: Material,
    random: &mut impl FnMut(u32) -> u32,
) -> Option<Position> {
    let mut board = ['1'; 64];
    let name = ending.to_string();
    let (white, black) = name.split_once('v').expect("an ending has two sides");
    let white_moves = random(2) == 0;
    let jumped = random(8) as usize;
    let beside = jumped.wrapping_add_signed(if random(2) == 0 { 1 } else { -1 });
    let passing = white.contains('P') && black.contains('P') && beside < 8 && random(2) == 0;
    if passing {
        // Rows from the top: the fifth rank of the side to move.
        let row = if white_moves { 3 } else { 4 };
        let (own, other) = if white_moves { ('P', 'p') } else { ('p', 'P') };
        (board[8 * row + jumped], board[8 * row + beside]) = (other, own);
    }
    let mut there = if passing { vec!['P', 'p'] } else { Vec::new() };
    for letter in white.chars().chain(black.chars().map(|c| c.to_ascii_lowercase())) {
        if let Some(at) = there.iter().position(|&l| l == letter) {
            there.remove(at);
            continue;
        }
        let square = random(64) as usize;
        if board[square] != '1' {
            return None;
        }
        board[square] = letter;
    }
    let rows: Vec<String> = board.chunks(8).map(|row| row.iter().collect()).collect();
    let side = if white_moves { "w" } else { "b" };
    let file = b'a' + jumped as u8;
    let rank = if white_moves { '6' } else { '3' };
    let with = format!("{} {side} - {}{rank}", rows.join("/"), char::from(file));
    let without = format!("{} {side} - -", rows.join("/"));
    chess.read_position(&with).or_else(|_| chess.read_position(&without)).ok()
}

/// Returns a small generator of numbers below a bound.
pub fn seeded(mut state: u64) -> impl FnMut(u32) -> u32 {
    move |below: u32| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        ((state >> 33) % u64::from(below)) as u32
    }
}

fn local_equations_hold(names: &[&str], each: u32) {
    let chess = Chess::new();
    let mut random = seeded(0x2545_f491_4f6c_dd1d);
    for name in names {
        let ending = Material::read(name).unwrap();
        let mut done = 0;
        while done < each {
            let ending = if random(2) == 0 { ending } else { ending.swapped() };
            let Some(position) = random_position(&chess, ending, &mut random) else { continue };
            done += 1;
            let value = library().value(&chess, &position);
            assert!(value.is_some());
            if chess.over(&position).is_none() {
                let fen = chess.write_position(&position);
                assert_eq!(value, by_children(&chess, &position), "{name}: {fen}");
            }
        }
    }
}

#[test]
fn a_position_is_worth_the_best_of_its_children() {
    local_equations_hold(
        &["KQvK", "KPvK", "KQvKR", "KNvKP", "KBNvK", "KNNvK", "KPPvK", "KRPvK", "KPvKP"],
        2000,
    );
}

#[test]
fn every_instruction_set_makes_the_same_table() {
    let chess = Chess::new();
    for name in ["KPvK", "KQvKR", "KNvKP"] {
        let ending = Material::read(name).unwrap();
        table(name);
        let Laid::Whole(layout) = chess.layout(ending, &|smaller: Material| library().get(smaller).unwrap())
        else {
            panic!("{name} is not laid out in slices")
        };
        let portable = solve_on(Isa::Portable, &layout, &quiet_work()).unwrap();
        for isa in [Isa::Avx2, Isa::Avx512].into_iter().filter(|isa| isa.available()) {
            let other = solve_on(isa, &layout, &quiet_work()).unwrap();
            assert!(portable.cells == other.cells && portable.longest == other.longest, "{name} {isa:?}");
        }
    }
}

/// Returns all pawnless endings with this many men, or all with pawns.
pub fn names(men: usize, pawns: bool) -> Vec<String> {
    fn sides(men: usize) -> Vec<String> {
        let mut lists = vec![String::new()];
        for _ in 0..men {
            lists = lists
                .iter()
                .flat_map(|list| "QRBNP".chars().map(move |c| format!("{list}{c}")))
                .filter(|list| list.chars().is_sorted_by_key(|c| "QRBNP".find(c)))
                .collect();
        }
        lists
    }
    let mut all = Vec::new();
    for black in 0..=(men - 2) / 2 {
        for one in sides(men - 2 - black) {
            for other in sides(black) {
                let name = format!("K{one}vK{other}");
                let keep = Chess::new()
                    .ending(&Chess::ending(Material::read(&name).unwrap()).unwrap().start())
                    .is_none_or(|kept| kept.to_string() == name);
                if keep && name.contains('P') == pawns {
                    all.push(name);
                }
            }
        }
    }
    all
}

#[test]
fn there_are_20_pawnless_endings_of_4_men_and_60_of_5() {
    assert_eq!((names(3, false).len(), names(3, true).len()), (4, 1));
    assert_eq!((names(4, false).len(), names(4, true).len()), (20, 10));
    assert_eq!(names(5, false).len(), 60);
}

/// Makes endings and prints what each takes: `cargo test --release --test chess -- --ignored --nocapture measured`.
fn measured(names: &[String], threads: usize) {
    let chess = Chess::new();
    let library = Library::default();
    let begin = Instant::now();
    for name in names {
        let now = Instant::now();
        let work = Work { threads, ..quiet_work() };
        let levels = library.prepare(&chess, Material::read(name).unwrap(), &work).unwrap();
        println!("{name} {:?} longest {}", now.elapsed(), levels.longest);
        if names.len() > 50 {
            library.forget(Material::read(name).unwrap());
        }
    }
    println!("all {} {:?}", names.len(), begin.elapsed());
}

#[test]
#[ignore = "a measurement"]
fn measured_4_men() {
    measured(&["KQvKR".to_owned()], 1);
    measured(&names(4, false), 1);
}

#[test]
#[ignore = "a measurement"]
fn measured_4_men_with_pawns() {
    measured(&names(4, true), 1);
}

#[test]
#[ignore = "a measurement: over a minute"]
fn measured_5_men() {
    measured(&names(5, false), 1);
}

/// Published longest mates of endings of five men with pawns, in moves, the side to move mating.
const PUBLISHED: [(&str, u32); 14] = [
    ("8/8/8/8/1p2P3/4P3/1k6/3K4 w - -", 127),
    ("8/4P3/7q/8/8/8/k1K1P3/8 w - -", 124),
    ("1N6/8/p7/8/8/8/2k1N3/K7 w - -", 115),
    ("8/7p/8/8/8/1B6/K6P/2k5 w - -", 67),
    ("8/5n2/8/8/8/7k/7P/3K3R w - -", 54),
    ("8/8/8/4R3/8/2k3N1/3p4/K7 w - -", 29),
    ("8/8/7P/3K4/5p2/4p3/8/7k w - -", 43),
    ("8/8/7P/8/4n3/1k6/8/3K3n w - -", 74),
    ("3K4/8/1P6/8/6p1/8/4b3/7k w - -", 51),
    ("1n6/1K1P4/8/8/8/8/4r3/1k6 w - -", 68),
    ("8/8/8/2K5/5p2/8/1Q2pk2/8 w - -", 41),
    ("K7/8/8/8/2k3P1/6P1/6P1/8 w - -", 33),
    ("7N/K5k1/8/8/8/6P1/6P1/8 w - -", 32),
    ("6k1/6NR/7P/8/8/8/8/K7 w - -", 17),
];

/// Compares the published mates of the endings that were solved, and returns how many these are.
fn published_mates_agree(chess: &Chess) -> usize {
    let mut compared = 0;
    for (fen, moves) in PUBLISHED {
        let position = chess.read_position(fen).unwrap();
        if library().get(chess.ending(&position).unwrap()).is_some() {
            assert_eq!(library().value(chess, &position), Some(Value::win_in(2 * moves - 1)), "{fen}");
            compared += 1;
        }
    }
    compared
}

#[test]
#[ignore = "minutes, and gigabytes of memory"]
fn endings_of_five_men_with_pawns_agree_with_their_children_and_with_published_mates() {
    let names = std::env::var("ENDINGS").unwrap_or("KRPvKR".to_owned());
    let chess = Chess::new();
    for name in names.split(' ') {
        let ending = Material::read(name).unwrap();
        let now = Instant::now();
        let work = Work { threads: 2, ..quiet_work() };
        let levels = library().prepare(&chess, ending, &work).unwrap();
        let far = levels.far.each_ref().map(|far| far.len());
        println!("{name} {:?} longest {}, beyond a cell {far:?}", now.elapsed(), levels.longest);
        drop(levels);
        local_equations_hold(&[name], 20_000);
    }
    println!("{} published mates", published_mates_agree(&chess));
}

/// Proves the local equation at every position of some slices of an ending: of every `stride`-th slice, promotions and
/// all other moves out of the ending included.
fn equations_hold_in_slices(name: &str, slices: u64, stride: u64) {
    let chess = Chess::new();
    let ending = Material::read(name).unwrap();
    let now = Instant::now();
    let work = Work { threads: 2, ..quiet_work() };
    library().prepare(&chess, ending, &work).unwrap();
    println!("{name} solved in {:?}", now.elapsed());
    // Those that were compressed to save memory are decompressed, for many queries.
    let mut tables: Vec<(Material, Arc<Levels>)> = Vec::new();
    for needed in chess.needs(ending).into_iter().chain([ending]) {
        tables.push((needed, library().get(needed).unwrap()));
    }
    let value = |position: &Position| {
        let own = chess.ending(position);
        match tables.iter().find(|(table, _)| Some(*table) == own) {
            Some((own, levels)) => levels.value(chess.place(*own, position)),
            None => library().value(&chess, position),
        }
    };
    let game = Chess::ending(ending).unwrap();
    let (_, first) = game.classes().into_iter().find(|&(class, _)| class == ending).unwrap();
    let levels = library().get(ending).unwrap();
    let span = levels.cells[0].len() as u64 * 64;
    assert_eq!(span % slices, 0);
    let numbers = span / slices;
    let proved = |number: u64| -> Option<()> {
        let position = game.position(number)?;
        let children = legal_moves(&chess, &position).into_iter();
        let children =
            children.map(|m| value(&chess.play(&position, m)).expect("it was solved").back(Step::PASSED));
        let stuck = if position.board().checkers().is_empty() { Value::DRAW } else { Value::loss_in(0) };
        let expected = children.max().unwrap_or(stuck);
        assert_eq!(value(&position), Some(expected), "{}", chess.write_position(&position));
        Some(())
    };
    let mut all = 0;
    for slice in (0..slices).step_by(stride as usize) {
        let next = AtomicU64::new(0);
        const BLOCK: u64 = 1 << 16;
        let crew = || {
            let mut count = 0u64;
            loop {
                let begin = next.fetch_add(BLOCK, Ordering::Relaxed);
                if begin >= 2 * numbers {
                    return count;
                }
                for n in begin..(begin + BLOCK).min(2 * numbers) {
                    let number = first + n / numbers * span + slice * numbers + n % numbers;
                    count += u64::from(proved(number).is_some());
                }
            }
        };
        let count: u64 = std::thread::scope(|scope| {
            let crews = [scope.spawn(crew), scope.spawn(crew)];
            crews.into_iter().map(|crew| crew.join().unwrap()).sum()
        });
        all += count;
        println!("{name} slice {slice}: {count} positions, {:?}", now.elapsed());
    }
    println!("{name}: {all} positions proved, {:?}", now.elapsed());
    assert!(all > 0);
}

#[test]
#[ignore = "minutes, and gigabytes of memory"]
fn every_position_of_some_slices_is_worth_the_best_of_its_children() {
    let names = std::env::var("ENDINGS").unwrap_or("KRPvKR".to_owned());
    let stride = std::env::var("STRIDE").map_or(5, |stride| stride.parse().unwrap());
    for name in names.split(' ') {
        // For each file six ranks of the fixed pawn, and its double steps if both sides have pawns.
        let both = name.split('v').all(|side| side.contains('P'));
        equations_hold_in_slices(name, if both { 28 } else { 24 }, stride);
    }
}

/// Solves an ending of five men under the rule that nobody may promote while there are five: that needs no other
/// ending of five men, and its slices must agree with each other all the same.
fn slices_agree(name: &str, each: u32) {
    let chess = Chess::new();
    let ending = Material::read(name).unwrap();
    let needed = chess.needs(ending);
    needed.iter().filter(|needed| needed.men() < 5).for_each(|needed| drop(table(&needed.to_string())));
    let none = Arc::new(Levels::default());
    let solved =
        |needed: Material| if needed.men() < 5 { library().get(needed).unwrap() } else { none.clone() };
    let Laid::Sliced(slices) = chess.layout(ending, &solved) else {
        panic!("{name} is not laid out in slices")
    };
    let levels = solve_slices(&slices, &Work { threads: 2, ..quiet_work() }).unwrap();
    let value = |position: &Position| {
        let five = position.material().men() == 5;
        if five { levels.value(chess.place(ending, position)) } else { library().value(&chess, position) }
    };
    let mut random = seeded(0x2545_f491_4f6c_dd1d);
    let (mut done, mut passing) = (0, 0);
    while done < each {
        let ending = if random(2) == 0 { ending } else { ending.swapped() };
        let Some(position) = random_position(&chess, ending, &mut random) else { continue };
        done += 1;
        passing += u32::from(position.en_passant().is_some());
        let children = legal_moves(&chess, &position).into_iter().filter_map(|m| {
            let child = chess.play(&position, m);
            let allowed = m.promotion.is_none() || child.material().men() < 5;
            allowed.then(|| value(&child).expect("it was solved").back(Step::PASSED))
        });
        let stuck = if position.board().checkers().is_empty() { Value::DRAW } else { Value::loss_in(0) };
        let expected = children.max().unwrap_or(stuck);
        assert_eq!(value(&position), Some(expected), "{}", chess.write_position(&position));
    }
    let both = name.split('v').all(|side| side.contains('P'));
    assert!(!both || passing > each / 5, "{passing} of {each} with a capture en passant");
}

#[test]
#[ignore = "half a minute, and a gigabyte of memory"]
fn slices_agree_with_each_other_where_nobody_promotes() {
    let names = std::env::var("ENDINGS").unwrap_or("KPPvKP".to_owned());
    names.split(' ').for_each(|name| slices_agree(name, 30_000));
}

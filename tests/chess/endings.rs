//! Endings of few men against counts and distances that others made.

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use grundy::game::{Game, Notation, legal_moves};
use grundy::games::chess::endings::Census;
use grundy::games::chess::{Chess, Material, Position};
use grundy::solve::bitparallel::{Library, solve_on};
use grundy::solve::{Oracle, Work, quiet_work};
use grundy::superposed::{Endings, Isa, Levels};
use grundy::value::{Step, Value};

/// Won, drawn and lost positions, unique and on the full board, and the longest win and loss: made by a plain
/// independent solver, checked against two other makers' tables.
const COUNTS: &str = include_str!("truth/chess_dtm.tsv");

/// The tables of all tests: each is made once.
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

/// The value that a position must have by the values of its children.
fn by_children(chess: &Chess, position: &Position) -> Option<Value> {
    let mut best = None;
    for m in legal_moves(chess, position) {
        let child = chess.play(position, m);
        best = best.max(Some(library().value(chess, &child)?.back(Step::PASSED)));
    }
    best
}

/// A random legal position with these men; sometimes one in which a pawn has just made a double step.
pub fn random_position(
    chess: &Chess,
    ending: Material,
    random: &mut impl FnMut(u32) -> u32,
) -> Option<Position> {
    let mut board = ['1'; 64];
    let name = ending.to_string();
    let (white, black) = name.split_once('v').expect("an ending has two sides");
    for letter in white.chars().chain(black.chars().map(|c| c.to_ascii_lowercase())) {
        let square = random(64) as usize;
        if board[square] != '1' {
            return None;
        }
        board[square] = letter;
    }
    let rows: Vec<String> = board.chunks(8).map(|row| row.iter().collect()).collect();
    let side = if random(2) == 0 { "w" } else { "b" };
    let file = b'a' + random(8) as u8;
    let rank = if side == "w" { '6' } else { '3' };
    let with = format!("{} {side} - {}{rank}", rows.join("/"), char::from(file));
    let without = format!("{} {side} - -", rows.join("/"));
    chess.read_position(&with).or_else(|_| chess.read_position(&without)).ok()
}

/// A small generator of numbers below a bound.
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
        let layout = chess.layout(ending, &|smaller| library().get(smaller).unwrap());
        let portable = solve_on(Isa::Portable, &layout, &quiet_work()).unwrap();
        for isa in [Isa::Avx2, Isa::Avx512].into_iter().filter(|isa| isa.available()) {
            let other = solve_on(isa, &layout, &quiet_work()).unwrap();
            assert!(portable.cells == other.cells && portable.longest == other.longest, "{name} {isa:?}");
        }
    }
}

/// All pawnless endings with so many men, and all with pawns.
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

#[test]
#[ignore = "minutes, and two gigabytes of memory"]
fn endings_of_five_men_with_pawns_agree_with_their_children() {
    let names = std::env::var("ENDINGS").unwrap_or("KRPvKR".to_owned());
    for name in names.split(' ') {
        let chess = Chess::new();
        let ending = Material::read(name).unwrap();
        let now = Instant::now();
        let work = Work { threads: 2, ..quiet_work() };
        let levels = library().prepare(&chess, ending, &work).unwrap();
        println!("{name} {:?} longest {}", now.elapsed(), levels.longest);
        local_equations_hold(&[name], 20_000);
        library().forget(ending);
    }
}

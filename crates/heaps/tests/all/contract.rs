//! Impartial games and other games of heaps.

use grundy_heaps::chomp::Chomp;
use grundy_heaps::coins::CoinTurning;
use grundy_heaps::count::Count;
use grundy_heaps::fibonacci::FibonacciNim;
use grundy_heaps::heaps::{Heaps, Rule};
use grundy_heaps::increase::NimIncrease;
use grundy_heaps::moore::MooreNim;
use grundy_heaps::nim::Nim;
use grundy_heaps::nimble::Nimble;
use grundy_heaps::northcott::Northcott;
use grundy_heaps::silver::SilverDollar;
use grundy_heaps::staircase::Staircase;
use grundy_heaps::stones::Stones;
use grundy_heaps::subtract::Subtract;
use grundy_heaps::sum::{Member, SideBySide};
use grundy_heaps::wythoff::Wythoff;
use grundy_sums::formula::ByFormula;
use grundy_sums::memo::ByMemo;
use grundy_sums::octal::ByOctal;
use grundy_sums::sum::BySum;

use super::heap_game;
use grundy_contract::Contract;

#[test]
fn nim() {
    let nim = |heaps: &[u64], max, misere| {
        Contract::new(heap_game(Nim::new(heaps.to_vec(), max, misere))).formula()
    };
    nim(&[3, 5, 7], None, false).sum().oracle("sum", BySum::default).run();
    nim(&[4, 0, 2], Some(3), false).sum().oracle("formula", || ByFormula).run();
    nim(&[3, 4, 5], None, true).run();
    nim(&[6, 5, 2], Some(2), true).run();
    nim(&[40; 10], None, false).limit(1_000).run();
}

#[test]
fn counting() {
    let count = |target, max| Contract::new(heap_game(Count::new(target, max)));
    count(21, 2).formula().acyclic().layers().oracle("formula", || ByFormula).run();
    count(50, 7).formula().acyclic().layers().run();
    count(1, 3).formula().acyclic().layers().run();
}

#[test]
fn subtraction() {
    let game = |set: &[u64], misere| heap_game(Subtract::new(40, set.to_vec(), misere));
    for set in [&[1, 2, 3][..], &[2, 5, 7], &[3], &[1, 4, 9]] {
        Contract::new(game(set, false)).acyclic().layers().sum().oracle("octal", ByOctal::default).run();
        Contract::new(game(set, true)).acyclic().layers().oracle("octal", ByOctal::default).run();
    }
}

#[test]
fn stones() {
    for row in ["..X.X..X", "XXX..", ".", "..........X.X"] {
        let contract = Contract::new(heap_game(Stones::new(row))).formula().sum().acyclic().layers();
        contract.oracle("sum", BySum::default).oracle("formula", || ByFormula).run();
    }
    Contract::new(heap_game(Stones::new(&"..X.X....X".repeat(20)))).formula().limit(200).run();
}

#[test]
fn heaps() {
    let game = |rule: &str, heaps: &[u64], misere| {
        heap_game(Heaps::new(Rule::read(rule).unwrap(), heaps.to_vec(), misere))
    };
    for rule in ["kayles", "grundys-game", "4.7", "0.007"] {
        let contract = Contract::new(game(rule, &[6, 3], false)).sum();
        contract.oracle("octal", ByOctal::default).oracle("sum", BySum::default).run();
        Contract::new(game(rule, &[5, 2], true)).oracle("memo", ByMemo::default).run();
    }
    Contract::new(game("laskers-nim", &[4, 2], false)).sum().oracle("octal", ByOctal::default).run();
    Contract::new(game("kayles", &[90, 7], false)).limit(40).oracle("octal", ByOctal::default).run();
}

#[test]
fn wythoff() {
    let contract = Contract::new(heap_game(Wythoff::new(&[9, 12], false))).formula().sum();
    contract.oracle("sum", BySum::default).run();
    Contract::new(heap_game(Wythoff::new(&[9, 12], true))).formula().run();
}

#[test]
fn chomp() {
    for (rows, columns) in [(3, 4), (1, 1), (5, 5)] {
        let contract = Contract::new(heap_game(Chomp::new(rows, columns))).acyclic().layers();
        contract.oracle("memo", ByMemo::default).run();
    }
}

#[test]
fn fibonacci_nim() {
    let contract = Contract::new(heap_game(FibonacciNim::new(30))).formula().sum();
    contract.oracle("sum", BySum::default).run();
}

#[test]
fn moore_nim() {
    let moore = |heaps: &[u64], k, misere| Contract::new(heap_game(MooreNim::new(heaps.to_vec(), k, misere)));
    moore(&[3, 2, 4], 2, false).formula().sum().oracle("sum", BySum::default).run();
    moore(&[2, 3, 1, 2], 3, true).formula().run();
}

#[test]
fn staircase_nim() {
    for floor in [true, false] {
        let contract = Contract::new(heap_game(Staircase::new(vec![3, 1, 2], floor))).formula().sum();
        contract.oracle("sum", BySum::default).run();
    }
}

#[test]
fn silver_dollar() {
    for (strip, plain) in [("..o..$o.o", false), (".o..o...o.o", true), ("....$", false), ("o$", false)] {
        let contract = Contract::new(heap_game(SilverDollar::new(strip, plain))).formula().sum();
        contract.oracle("sum", BySum::default).run();
    }
}

#[test]
fn northcott() {
    for (columns, rows) in [(4, "1-4,4-1"), (6, "2-5"), (2, "1-2,2-1")] {
        let contract = Contract::new(heap_game(Northcott::new(columns, rows))).formula().indexed();
        contract.retrograde().run();
    }
}

#[test]
fn nim_with_increases() {
    let contract = Contract::new(heap_game(NimIncrease::new(vec![2, 3], &[1, 2]))).formula();
    contract.oracle("memo", ByMemo::default).run();
}

#[test]
fn nimble() {
    let contract = Contract::new(heap_game(Nimble::new(vec![2, 5, 5, 7]))).formula().sum();
    contract.oracle("sum", BySum::default).run();
}

#[test]
fn turning_turtles_and_twins() {
    for twins in [false, true] {
        let contract = Contract::new(heap_game(CoinTurning::new("XOXOOXO", twins))).formula().sum();
        contract.oracle("sum", BySum::default).run();
    }
}

#[test]
fn sums() {
    let nim: Member = heap_game(Nim::new(vec![2, 1], Some(2), false)).into();
    let kayles: Member = heap_game(Heaps::new(Rule::read("kayles").unwrap(), vec![4], false)).into();
    let stones: Member = heap_game(Stones::new(".X.X")).into();
    let wythoff: Member = heap_game(Wythoff::new(&[1, 2], false)).into();
    let dollar: Member = heap_game(SilverDollar::new(".o.$", false)).into();
    let turtles: Member = heap_game(CoinTurning::new("XOO", false)).into();
    for members in
        [vec![nim.clone(), kayles.clone(), stones.clone()], vec![wythoff, dollar], vec![turtles, nim]]
    {
        let contract = Contract::new(SideBySide::new(members).unwrap()).sum();
        contract.oracle("sum", BySum::default).run();
    }
}

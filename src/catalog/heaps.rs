//! Rows of the impartial games and the other games of heaps.

use super::{Row, Spec, play};
use crate::games::chomp::{self, Chomp};
use crate::games::coins::CoinTurning;
use crate::games::count::{self, Count};
use crate::games::fibonacci::{self, FibonacciNim};
use crate::games::heaps::{self, Heaps, Rule};
use crate::games::increase::{self, NimIncrease};
use crate::games::moore::{self, MooreNim};
use crate::games::nim::{self, Nim};
use crate::games::nimble::{self, Nimble};
use crate::games::northcott::{self, Northcott};
use crate::games::silver::SilverDollar;
use crate::games::staircase::{self, Staircase};
use crate::games::stones::Stones;
use crate::games::subtract::{self, Subtract};
use crate::games::sum::{Member, SideBySide};
use crate::games::wythoff::{self, Wythoff};
use crate::solve::TableOracle;
use crate::solve::formula::{ByFormula, ByFormulaAndSum};
use crate::solve::memo::ByMemo;
use crate::solve::octal::ByOctal;
use crate::solve::sum::BySum;

pub(super) const NIM: Row = Row {
    name: "nim",
    parameters: "HEAP,HEAP,.. max=K misere",
    default: "nim:3,5,7",
    method: "formula (witness: sum)",
    about: "take from one heap; the last counter wins",
    open: |spec| {
        let game = read_nim(spec)?;
        Ok(play(spec, game).oracle(ByFormula).boxed())
    },
};

fn read_nim(spec: &mut Spec<'_>) -> Result<Nim, String> {
    let misere = spec.flag("misere");
    let max = spec.number("max", 1..=nim::MOST)?;
    let heaps = spec.list("a heap", 0..=nim::MOST)?.unwrap_or_else(|| vec![3, 5, 7]);
    Nim::new(heaps, max, misere)
}

pub(super) const COUNT: Row = Row {
    name: "count",
    parameters: "TARGET max=K",
    default: "count:21",
    method: "formula with distances (witness: table)",
    about: "add 1 to K (2); who reaches the target or goes beyond loses",
    open: |spec| {
        let max = spec.number("max", 1..=count::MOST)?.unwrap_or(2);
        let target = spec.numbers::<1>("TARGET", ',', 1..=count::MOST as usize)?.unwrap_or([21]);
        Ok(play(spec, Count::new(target[0] as u64, max)?).oracle(ByFormula).boxed())
    },
};

pub(super) const SUBTRACT: Row = Row {
    name: "subtract",
    parameters: "HEAP set=N,N,.. misere",
    default: "subtract:20:set=1,2,3",
    method: "Grundy numbers with their proved period (witness: table)",
    about: "take a number of the set (1,2,3) from one heap; who cannot loses",
    open: |spec| {
        let game = read_subtract(spec, 20)?;
        Ok(play(spec, game).oracle(ByOctal::default()).boxed())
    },
};

/// `subtract` takes a set; `matches` leaves it at 1,2,3.
fn read_subtract(spec: &mut Spec<'_>, usual: usize) -> Result<Subtract, String> {
    let misere = spec.flag("misere");
    let set = if spec.name() == "subtract" { spec.list_of("set", 1..=subtract::LARGEST)? } else { None };
    let [heap] = spec.numbers("HEAP", ',', 0..=subtract::MOST as usize)?.unwrap_or([usual]);
    Subtract::new(heap as u64, set.unwrap_or_else(|| vec![1, 2, 3]), misere)
}

pub(super) const MATCHES: Row = Row {
    name: "matches",
    parameters: "HEAP misere",
    default: "matches:21",
    method: "Grundy numbers with their proved period (witness: table)",
    about: "take 1, 2 or 3 from one heap; who cannot loses",
    open: |spec| {
        let game = read_subtract(spec, 21)?;
        Ok(play(spec, game).oracle(ByOctal::default()).boxed())
    },
};

pub(super) const STONES: Row = Row {
    name: "stones",
    parameters: "ROW table",
    default: "stones:..X.X..X",
    method: "formula; `table`: table by layers to 24 pits, with distances (witness: each other)",
    about: "move a stone 1 or 2 pits left without jumping; who cannot loses",
    open: |spec| {
        let table = spec.flag("table");
        let game = read_stones(spec)?;
        match table {
            false => Ok(play(spec, game).oracle(ByFormula).boxed()),
            true if game.pits() <= 24 => Ok(play(spec, game).oracle(TableOracle::layers()).boxed()),
            true => Err("stones: a table is possible for rows of at most 24 pits".to_owned()),
        }
    },
};

fn read_stones(spec: &mut Spec<'_>) -> Result<Stones, String> {
    Stones::new(spec.word().unwrap_or("..X.X..X"))
}

pub(super) const HEAPS: Row = Row {
    name: "heaps",
    parameters: "CODE HEAP,HEAP,.. misere",
    default: "heaps:kayles:7,5",
    method: "Grundy numbers with their proved period; misere: all positions of small sums (witness: sum)",
    about: "octal games: kayles, dawsons-kayles, dawsons-chess, grundys-game, laskers-nim, or a code like 0.77",
    open: |spec| {
        let game = read_heaps(spec)?;
        let misere = game.misere();
        let session = play(spec, game);
        Ok(if misere { session.oracle(ByMemo::default()) } else { session.oracle(ByOctal::default()) }
            .boxed())
    },
};

fn read_heaps(spec: &mut Spec<'_>) -> Result<Heaps, String> {
    let misere = spec.flag("misere");
    let rule = Rule::read(spec.word().unwrap_or("kayles"))?;
    let heaps = spec.list("a heap", 0..=heaps::MOST)?.unwrap_or_else(|| vec![7, 5]);
    Heaps::new(rule, heaps, misere)
}

pub(super) const WYTHOFF: Row = Row {
    name: "wythoff",
    parameters: "HEAP,HEAP misere",
    default: "wythoff:3,5",
    method: "formula; Grundy numbers by sum",
    about: "take from either heap or the same from both; who cannot loses",
    open: |spec| {
        let game = read_wythoff(spec)?;
        Ok(play(spec, game).oracle(ByFormulaAndSum::default()).boxed())
    },
};

fn read_wythoff(spec: &mut Spec<'_>) -> Result<Wythoff, String> {
    let misere = spec.flag("misere");
    let heaps = spec.list("a heap", 0..=wythoff::MOST)?.unwrap_or_else(|| vec![3, 5]);
    Wythoff::new(&heaps, misere)
}

pub(super) const CHOMP: Row = Row {
    name: "chomp",
    parameters: "RxC",
    default: "chomp:8x8",
    method: "table by layers to 50 million shapes",
    about: "bite a cell and all above and right of it; a1 is poison",
    open: |spec| {
        let most = chomp::ROWS.max(chomp::COLUMNS);
        let [rows, columns] = spec.size("RxC", 1..=most)?.unwrap_or([8, 8]);
        Ok(play(spec, Chomp::new(rows, columns)?).oracle(TableOracle::layers()).boxed())
    },
};

pub(super) const FIBONACCI_NIM: Row = Row {
    name: "fibonacci-nim",
    parameters: "HEAP",
    default: "fibonacci-nim:20",
    method: "formula; Grundy numbers by sum",
    about: "take at most twice what was taken last; the last counter wins",
    open: |spec| {
        let game = read_fibonacci(spec)?;
        Ok(play(spec, game).oracle(ByFormulaAndSum::default()).boxed())
    },
};

fn read_fibonacci(spec: &mut Spec<'_>) -> Result<FibonacciNim, String> {
    let heap = spec.numbers::<1>("HEAP", ',', 1..=fibonacci::MOST as usize)?.unwrap_or([20]);
    FibonacciNim::new(heap[0] as u64)
}

pub(super) const MOORE_NIM: Row = Row {
    name: "moore-nim",
    parameters: "HEAP,HEAP,.. k=K misere",
    default: "moore-nim:3,5,7:k=2",
    method: "formula; Grundy numbers by sum",
    about: "take from up to K (2) heaps at once; the last counter wins",
    open: |spec| {
        let game = read_moore(spec)?;
        Ok(play(spec, game).oracle(ByFormulaAndSum::default()).boxed())
    },
};

fn read_moore(spec: &mut Spec<'_>) -> Result<MooreNim, String> {
    let misere = spec.flag("misere");
    let k = spec.number("k", 1..=moore::AT_ONCE)?.unwrap_or(2);
    let heaps = spec.list("a heap", 0..=moore::MOST)?.unwrap_or_else(|| vec![3, 5, 7]);
    MooreNim::new(heaps, k, misere)
}

pub(super) const STAIRCASE_NIM: Row = Row {
    name: "staircase-nim",
    parameters: "COINS,COINS,.. floor nofloor",
    default: "staircase-nim:7,1,0,6",
    method: "formula (witness: sum)",
    about: "take coins one step down, to the floor (or step 1 is the bottom); who cannot loses",
    open: |spec| {
        let game = read_staircase(spec)?;
        Ok(play(spec, game).oracle(ByFormula).boxed())
    },
};

fn read_staircase(spec: &mut Spec<'_>) -> Result<Staircase, String> {
    let bottom = spec.flag("nofloor");
    if spec.flag("floor") && bottom {
        return Err("staircase-nim has a floor or none: expected floor or nofloor".to_owned());
    }
    let steps = spec.list("the coins of a step", 0..=staircase::MOST)?.unwrap_or_else(|| vec![7, 1, 0, 6]);
    Staircase::new(steps, !bottom)
}

pub(super) const SILVER_DOLLAR: Row = Row {
    name: "silver-dollar",
    parameters: "STRIP plain",
    default: "silver-dollar:..o..$.o.o",
    method: "formula; Grundy numbers by sum",
    about: "move a coin left without passing another; who bags the dollar wins (plain: no dollar, who cannot loses)",
    open: |spec| {
        let game = read_silver(spec)?;
        Ok(play(spec, game).oracle(ByFormulaAndSum::default()).boxed())
    },
};

fn read_silver(spec: &mut Spec<'_>) -> Result<SilverDollar, String> {
    let plain = spec.flag("plain");
    let usual = if plain { "..o..o.o.o" } else { "..o..$.o.o" };
    SilverDollar::new(spec.word().unwrap_or(usual), plain)
}

pub(super) const NORTHCOTT: Row = Row {
    name: "northcott",
    parameters: "W-B,W-B,.. columns=N",
    default: "northcott:1-8,1-8,1-8:columns=8",
    method: "formula (witness: retrograde)",
    about: "slide your man in one row without jumping the other's; who cannot loses",
    open: |spec| {
        let columns = spec.number("columns", 2..=northcott::COLUMNS)?.unwrap_or(8);
        let usual = vec![format!("1-{columns}"); 3].join(",");
        let rows = spec.word().unwrap_or(&usual).to_owned();
        Ok(play(spec, Northcott::new(columns, &rows)?).oracle(ByFormula).boxed())
    },
};

pub(super) const NIM_INCREASE: Row = Row {
    name: "nim-increase",
    parameters: "HEAP,HEAP,.. banks=N,N",
    default: "nim-increase:3,5,7:banks=2,2",
    method: "formula (witness: all positions of small games)",
    about: "take from one heap or add to it from your bank; who cannot loses",
    open: |spec| {
        let banks = spec.list_of("banks", 0..=increase::MOST)?.unwrap_or_else(|| vec![2, 2]);
        let heaps = spec.list("a heap", 0..=increase::MOST)?.unwrap_or_else(|| vec![3, 5, 7]);
        Ok(play(spec, NimIncrease::new(heaps, &banks)?).oracle(ByFormula).boxed())
    },
};

pub(super) const NIMBLE: Row = Row {
    name: "nimble",
    parameters: "SQUARE,SQUARE,..",
    default: "nimble:2,3,7,12",
    method: "formula (witness: sum)",
    about: "move a coin any number of squares left; square 1 is the end; who cannot loses",
    open: |spec| {
        let game = read_nimble(spec)?;
        Ok(play(spec, game).oracle(ByFormula).boxed())
    },
};

fn read_nimble(spec: &mut Spec<'_>) -> Result<Nimble, String> {
    let coins = spec.list("a square", 1..=nimble::MOST)?.unwrap_or_else(|| vec![2, 3, 7, 12]);
    Nimble::new(coins)
}

pub(super) const TURNING_TURTLES: Row = Row {
    name: "turning-turtles",
    parameters: "ROW",
    default: "turning-turtles:XOXOOX",
    method: "formula (witness: sum)",
    about: "turn an O to X, and one coin left of it if you like; who cannot loses",
    open: |spec| {
        let game = read_coins(spec)?;
        Ok(play(spec, game).oracle(ByFormula).boxed())
    },
};

pub(super) const TWINS: Row = Row {
    name: "twins",
    parameters: "ROW",
    default: "twins:XOXOOX",
    method: "formula (witness: sum)",
    about: "turn an O to X and one coin left of it; who cannot loses",
    open: |spec| {
        let game = read_coins(spec)?;
        Ok(play(spec, game).oracle(ByFormula).boxed())
    },
};

fn read_coins(spec: &mut Spec<'_>) -> Result<CoinTurning, String> {
    let twins = spec.name() == "twins";
    CoinTurning::new(spec.word().unwrap_or("XOXOOX"), twins)
}

pub(super) const SUM: Row = Row {
    name: "sum",
    parameters: "GAME+GAME+..",
    default: "sum:nim:3,5+heaps:kayles:7+stones:..X.X",
    method: "sum: the games' Grundy numbers, by formula where there is one",
    about: "impartial games side by side: move in one of them; who cannot loses",
    open: |spec| {
        let members = spec.rest().split('+').map(member).collect::<Result<_, _>>()?;
        Ok(play(spec, SideBySide::new(members)?).oracle(BySum::default()).boxed())
    },
};

/// A game of a sum by its full name.
fn member(name: &str) -> Result<Member, String> {
    let row = super::row(name).ok_or_else(|| super::unknown(name))?;
    let mut spec = Spec::new(if name == row.name { row.default } else { name });
    let member = match row.name {
        "nim" => read_nim(&mut spec)?.into(),
        "subtract" | "matches" => read_subtract(&mut spec, 20)?.into(),
        "stones" => read_stones(&mut spec)?.into(),
        "heaps" => read_heaps(&mut spec)?.into(),
        "wythoff" => read_wythoff(&mut spec)?.into(),
        "fibonacci-nim" => read_fibonacci(&mut spec)?.into(),
        "moore-nim" => read_moore(&mut spec)?.into(),
        "staircase-nim" => read_staircase(&mut spec)?.into(),
        "silver-dollar" => read_silver(&mut spec)?.into(),
        "nimble" => read_nimble(&mut spec)?.into(),
        "turning-turtles" | "twins" => read_coins(&mut spec)?.into(),
        other => {
            return Err(format!(
                "{other} cannot stand in a sum: expected nim, subtract, matches, stones, heaps, wythoff, \
                 fibonacci-nim, moore-nim, staircase-nim, silver-dollar, nimble, turning-turtles or twins"
            ));
        }
    };
    spec.finish(row.parameters)?;
    Ok(member)
}

//! Rows of the impartial games and the other games of heaps.

use crate::chomp::{self, Chomp};
use crate::coins::CoinTurning;
use crate::count::{self, Count};
use crate::fibonacci::{self, FibonacciNim};
use crate::heap_game::HeapGame;
use crate::heaps::{self, Heaps, Rule};
use crate::increase::{self, NimIncrease};
use crate::moore::{self, MooreNim};
use crate::nim::{self, Nim};
use crate::nimble::{self, Nimble};
use crate::northcott::{self, Northcott};
use crate::silver::SilverDollar;
use crate::staircase::{self, Staircase};
use crate::stones::{self, Stones};
use crate::subtract::{self, Subtract};
use crate::sum::{Member, Numbers, SideBySide};
use crate::summand::Other;
use crate::wythoff::{self, Wythoff};
use grundy_core::game::Indexed;
use grundy_core::words;
use grundy_search::play::play;
use grundy_session::{Description, Open, Parameter, Row, Session, Shape, Spec};
use grundy_sums::component::{self, SummandRow};
use grundy_sums::disjunctive::ByComponents;
use grundy_sums::formula::{ByFormula, ByFormulaAndSum};
use grundy_sums::impartial::ByMex;
use grundy_sums::misere::ByQuotient;
use grundy_sums::octal::{ByOctal, Octal};
use grundy_sums::sum::{BySum, Sum};
use grundy_tables::TableOracle;

/// The games of this family.
pub static ROWS: [Row; 17] = [
    NIM,
    COUNT,
    SUBTRACT,
    MATCHES,
    STONES,
    HEAPS,
    WYTHOFF,
    CHOMP,
    FIBONACCI_NIM,
    MOORE_NIM,
    STAIRCASE_NIM,
    SILVER_DOLLAR,
    NORTHCOTT,
    NIM_INCREASE,
    NIMBLE,
    TURNING_TURTLES,
    TWINS,
];

const NIM: Row = Row::new("nim", "nim:3,5,7", |spec| {
    let game = read_nim(spec)?;
    Ok(play(spec, game).oracle(ByFormula).session())
})
.parameters("HEAP,HEAP,.. max=K misere")
.about("take from one heap; the last counter wins")
.title("Nim")
.rules(
    "Take turns to take as many counters as you like, at least one, from one of the heaps. \
     Whoever takes the last counter wins.",
)
.described(|spec, usual| {
    let max = spec.key("max").map(|max| format!("at least one and at most {max} counters,"));
    usual
        .reworded(max.is_some(), "as many counters as you like, at least one,", max.as_deref().unwrap_or(""))
        .reworded(spec.flag("misere"), "last counter wins", "last counter loses")
})
.details(&[
    Parameter::new("HEAP,HEAP,..", "the heaps", "3,5,7"),
    Parameter::new("max=K", "at most K counters a move", "any number"),
    Parameter::new("misere", "the last counter loses", "it wins"),
])
.known("lost where the exclusive or of the heaps is 0 (Bouton 1901)")
.letters("o is a counter")
.moves("2:4 takes 4 counters from heap 2")
.method("formula; tests compare it with Grundy numbers by recursion")
.shape(Shape::Heaps);

fn read_nim(spec: &mut Spec<'_>) -> Result<HeapGame, String> {
    let misere = spec.flag("misere");
    let max = spec.number("max", 1..=nim::MOST)?;
    let heaps = spec.list("a heap", 0..=nim::MOST)?.unwrap_or_else(|| vec![3, 5, 7]);
    Nim::new(heaps, max, misere).map(HeapGame::new)
}

const COUNT: Row = Row::new("count", "count:21", |spec| {
    let max = spec.number("max", 1..=count::MOST)?.unwrap_or(2);
    let [target] = spec.numbers("TARGET", ',', 1..=count::MOST)?.unwrap_or([21]);
    Ok(play(spec, HeapGame::new(Count::new(target, max)?)).oracle(ByFormula).session())
})
.parameters("TARGET max=K")
.about("add 1 to K (2); who reaches the target or goes beyond loses")
.title("Counting")
.rules(
    "The count starts at 0, and the players take turns to add 1 or 2 to it. Whoever reaches or \
     passes 21 loses.",
)
.described(describe_count)
.details(&[
    Parameter::new("TARGET", "the number to stay below", "21"),
    Parameter::new("max=K", "the most that is added", "2"),
])
.moves("+2 adds 2 to the count")
.method("formula with distances; tests compare it with a table")
.shape(Shape::Heaps);

fn describe_count(spec: &mut Spec<'_>, usual: Description) -> Description {
    let max = spec.key("max").unwrap_or("2");
    let added = match max {
        "1" => "1".to_owned(),
        "2" => "1 or 2".to_owned(),
        _ => format!("1 to {max}"),
    };
    let target = spec.word().unwrap_or("21").to_owned();
    let title = usual.title.replacen("Counting", "Counting to", 1);
    usual.titled(title).reworded(true, "add 1 or 2", &format!("add {added}")).reworded(
        true,
        "passes 21",
        &format!("passes {target}"),
    )
}

const SUBTRACT: Row = Row::new("subtract", "subtract:20:set=1,2,3", |spec| {
    let game = read_subtract(spec, 20)?;
    Ok(play(spec, game).oracle(ByOctal::default()).session())
})
.parameters("HEAP set=N,N,.. misere")
.about("take a number of the set from one heap; last move wins")
.title("Subtraction Game")
.rules("Take turns to take 1, 2 or 3 counters from the heap. Whoever cannot move loses.")
.described(describe_subtract)
.details(&[
    Parameter::new("HEAP", "the heap", "20"),
    Parameter::new("set=N,N,..", "the numbers that may be taken", "1,2,3"),
    Parameter::new("misere", "who cannot take wins", "he loses"),
])
.known("Grundy numbers are periodic")
.moves("3 takes 3 counters")
.method("Grundy numbers with their proved period; tests compare them with a table")
.shape(Shape::Heaps);

fn describe_subtract(spec: &mut Spec<'_>, usual: Description) -> Description {
    let set = spec.key("set").unwrap_or("1,2,3");
    let numbers = match set.rsplit_once(',') {
        Some((others, last)) => format!("{} or {last}", others.replace(',', ", ")),
        None => set.to_owned(),
    };
    usual.reworded(true, "1, 2 or 3", &numbers).reworded(
        spec.flag("misere"),
        "cannot move loses",
        "cannot move wins",
    )
}

/// Reads the game: `subtract` has a set, `matches` always takes 1, 2 or 3.
fn read_subtract(spec: &mut Spec<'_>, usual: u64) -> Result<HeapGame, String> {
    let misere = spec.flag("misere");
    let set = if spec.name() == "subtract" { spec.list_of("set", 1..=subtract::LARGEST)? } else { None };
    let [heap] = spec.numbers("HEAP", ',', 0..=subtract::MOST)?.unwrap_or([usual]);
    Subtract::new(heap, set.unwrap_or_else(|| vec![1, 2, 3]), misere).map(HeapGame::new)
}

const MATCHES: Row = Row::new("matches", "matches:21", |spec| {
    let game = read_subtract(spec, 21)?;
    Ok(play(spec, game).oracle(ByOctal::default()).session())
})
.parameters("HEAP misere")
.about("take 1, 2 or 3 from one heap; who cannot move loses")
.title("Matches")
.rules(
    "Take turns to take 1, 2 or 3 matches from the heap. Whoever finds no match left loses, so \
     whoever takes the last match wins.",
)
.described(|spec, usual| {
    usual.reworded(
        spec.flag("misere"),
        "loses, so whoever takes the last match wins",
        "wins, so whoever takes the last match loses",
    )
})
.details(&[
    Parameter::new("HEAP", "the heap", "21"),
    Parameter::new("misere", "who cannot take wins", "he loses"),
])
.known("lost where the heap divides by 4")
.moves("3 takes 3 matches")
.method("Grundy numbers with their proved period; tests compare them with a table")
.shape(Shape::Heaps);

const STONES: Row = Row::new("stones", "stones:..X.X..X", |spec| {
    let table = spec.flag("table");
    let game = read_stones(spec)?;
    match table {
        false => Ok(play(spec, game).oracle(ByFormula).session()),
        true if game.size() <= stones::TABLE_SIZE => {
            Ok(play(spec, game).oracle(TableOracle::layers()).session())
        }
        true => Err(format!(
            "stones: a table is possible for rows of at most {} pits, or of at most {} ways to place the stones",
            stones::ALL_PITS,
            stones::TABLE_SIZE
        )),
    }
})
.parameters("ROW table")
.about("move a stone 1 or 2 pits left, no jumps; last move wins")
.title("Moving Stones")
.rules(
    "Take turns to move one stone 1 or 2 pits to the left into an empty pit, without jumping over \
     another stone. Whoever cannot move loses.",
)
.details(&[
    Parameter::new("ROW", "the pits from the left: . or X", "..X.X..X"),
    Parameter::new("table", "solve by a table, with distances, where that is small enough", "by formula"),
])
.known("Nim on the gaps modulo 3")
.letters("X is a stone, . an empty pit")
.moves("8-6 moves the stone in pit 8 to pit 6, counted from 1 at the left")
.method("formula; `table`: table by layers to 24 pits or 2^36 ways to place the stones, with distances; tests compare both")
.shape(Shape::Strip);

fn read_stones(spec: &mut Spec<'_>) -> Result<HeapGame, String> {
    Stones::new(spec.word().unwrap_or("..X.X..X")).map(HeapGame::new)
}

const HEAPS: Row = Row::new("heaps", "heaps:kayles:7,5", |spec| {
    let game = read_heaps(spec)?;
    let misere = !game.normal_play();
    let session = play(spec, game);
    Ok(if misere { session.oracle(ByQuotient::default()) } else { session.oracle(ByOctal::default()) }.session())
})
.parameters("CODE HEAP,HEAP,.. misere")
.about("octal games such as kayles, dawsons-chess or a code 0.77")
.title("Octal Game")
.rules(
    "Take turns to take counters from one heap. Whoever cannot move loses.",
)
.described(describe_heaps)
.details(&[
    Parameter::new(
        "CODE",
        "kayles, dawsons-kayles, dawsons-chess, grundys-game, laskers-nim, or an octal code",
        "kayles",
    ),
    Parameter::new("HEAP,HEAP,..", "the heaps", "7,5"),
    Parameter::new("misere", "who cannot move wins", "he loses"),
])
.other_names(&[
    ("kayles", "heaps:kayles"),
    ("dawsons-kayles", "heaps:dawsons-kayles"),
    ("dawsons-chess", "heaps:dawsons-chess"),
    ("grundys-game", "heaps:grundys-game"),
    ("laskers-nim", "heaps:laskers-nim"),
])
.known("Winning Ways, chapter 4: Kayles has period 12, Dawson's Kayles 34")
.moves("1:2 takes 2 from heap 1, 1:2:4-1 takes 2 and leaves heaps of 4 and 1, 1:0:5-2 only splits it")
.method("Grundy numbers with their proved period; only in misere play all positions of small sums, and the misere quotient where that is small")
.shape(Shape::Heaps);

fn describe_heaps(spec: &mut Spec<'_>, usual: Description) -> Description {
    let misere = spec.flag("misere");
    let code = spec.word().unwrap_or("kayles");
    let octal = format!(
        "take counters from one heap as the code {code} allows: its digit behind the point at place n says what may be \
         left of a heap from which n are taken, 1 nothing, 2 one heap, 4 two heaps, or a sum of these{}",
        if code.starts_with('4') { ", and a heap may be parted into two without taking" } else { "" }
    );
    let (title, moves) = match code {
        "kayles" => (
            "Kayles",
            "knock down one or two counters of a heap; what is left of it may be parted into two heaps, as if they stood in \
             a row",
        ),
        "dawsons-kayles" => (
            "Dawson's Kayles",
            "take exactly two counters from a heap; what is left of it may be parted into two heaps",
        ),
        "dawsons-chess" => (
            "Dawson's Chess",
            "take a heap of one counter, or two counters from a heap, or three, after which what is left of that heap may \
             be parted into two",
        ),
        "laskers-nim" => {
            ("Lasker's Nim", "take as many counters as you like from one heap, or part a heap into two")
        }
        "grundys-game" => ("Grundy's Game", "part a heap into two heaps of different sizes"),
        _ => ("", octal.as_str()),
    };
    let title = match title {
        "" => usual.title.clone(),
        name => usual.title.replacen(&format!("Octal Game {code}"), name, 1),
    };
    let end = if misere { "wins" } else { "loses" };
    usual.titled(title).ruled(format!("Take turns to {moves}. Whoever cannot move {end}."))
}

fn read_heaps(spec: &mut Spec<'_>) -> Result<HeapGame, String> {
    let misere = spec.flag("misere");
    let rule = Rule::read(spec.word().unwrap_or("kayles"))?;
    let heaps = spec.list("a heap", 0..=heaps::MOST)?.unwrap_or_else(|| vec![7, 5]);
    Heaps::new(rule, heaps, misere).map(HeapGame::new)
}

const WYTHOFF: Row = Row::new("wythoff", "wythoff:3,5", |spec| {
    let game = read_wythoff(spec)?;
    Ok(play(spec, game).oracle(ByFormulaAndSum::default()).session())
})
.parameters("HEAP,HEAP misere")
.about("take from one heap or as many from both; last move wins")
.title("Wythoff's Game")
.rules(
    "Take turns to take as many counters as you like from one heap, or the same number from both. \
     Whoever takes the last counter wins.",
)
.described(|spec, usual| usual.reworded(spec.flag("misere"), "last counter wins", "last counter loses"))
.details(&[
    Parameter::new("HEAP,HEAP", "the heaps", "3,5"),
    Parameter::new("misere", "who cannot move wins", "he loses"),
])
.known("lost at (1,2), (3,5), (4,7) .. of the golden ratio (Wythoff 1907)")
.letters("o is a counter")
.moves("2:3 takes 3 counters from heap 2, both:3 takes 3 from each heap")
.method("formula; Grundy numbers by sum")
.shape(Shape::Heaps);

fn read_wythoff(spec: &mut Spec<'_>) -> Result<HeapGame, String> {
    let misere = spec.flag("misere");
    let heaps = spec.list("a heap", 0..=wythoff::MOST)?.unwrap_or_else(|| vec![3, 5]);
    Wythoff::new(&heaps, misere).map(HeapGame::new)
}

fn read_chomp(spec: &mut Spec<'_>) -> Result<HeapGame, String> {
    let most = chomp::ROWS.max(chomp::COLUMNS);
    let [rows, columns] = spec.size("RxC", 1..=most)?.unwrap_or([8, 8]);
    Chomp::new(rows, columns).map(HeapGame::new)
}

const CHOMP: Row = Row::new("chomp", "chomp:8x8", |spec| {
    let game = read_chomp(spec)?;
    Ok(play(spec, game).oracle(TableOracle::layers()).worth(ByMex::default()).session())
})
.parameters("RxC")
.about("bite a cell and all above and right of it; a1 is poison")
.title("Chomp")
.rules(
    "Take turns to choose a cell of the chocolate bar and eat it together with everything that is \
     above it, to the right of it, or both. The cell at the bottom left is poisoned: whoever has \
     to eat it loses.",
)
.details(&[Parameter::new("RxC", "rows and columns", "8x8")])
.known("the first player wins on every board but 1x1; on squares by b2")
.letters("o is chocolate, # the poisoned cell")
.moves("c2 bites into the cell in column c of row 2; a1 is at the bottom left")
.method("table by layers to 50 million shapes")
.shape(Shape::Steps);

const FIBONACCI_NIM: Row = Row::new("fibonacci-nim", "fibonacci-nim:20", |spec| {
    let game = read_fibonacci(spec)?;
    Ok(play(spec, game).oracle(ByFormulaAndSum::default()).session())
})
.parameters("HEAP")
.about("take at most twice the last take; the last counter wins")
.title("Fibonacci Nim")
.rules(
    "Take turns to take counters from the heap: the first move takes as many as you like but not \
     all, each later move at most twice as many as the move before it. Whoever takes the last \
     counter wins.",
)
.details(&[Parameter::new("HEAP", "the heap", "20")])
.known("lost where the heap is a Fibonacci number (Whinihan 1963)")
.moves("3 takes 3 counters")
.method("formula; Grundy numbers by sum")
.shape(Shape::Limited);

fn read_fibonacci(spec: &mut Spec<'_>) -> Result<HeapGame, String> {
    let [heap] = spec.numbers("HEAP", ',', 1..=fibonacci::MOST)?.unwrap_or([20]);
    FibonacciNim::new(heap).map(HeapGame::new)
}

const MOORE_NIM: Row = Row::new("moore-nim", "moore-nim:3,5,7:k=2", |spec| {
    let game = read_moore(spec)?;
    Ok(play(spec, game).oracle(ByFormulaAndSum::default()).session())
})
.parameters("HEAP,HEAP,.. k=K misere")
.about("take from up to K (2) heaps at once; the last counter wins")
.title("Moore's Nim")
.rules(
    "Take turns to take counters from one heap, or from up to 2 heaps at once, as many as you \
     like from each. Whoever takes the last counter wins.",
)
.described(|spec, usual| {
    let heaps = format!("up to {} heaps", spec.key("k").unwrap_or("2"));
    usual.reworded(true, "up to 2 heaps", &heaps).reworded(
        spec.flag("misere"),
        "last counter wins",
        "last counter loses",
    )
})
.details(&[
    Parameter::new("HEAP,HEAP,..", "the heaps", "3,5,7"),
    Parameter::new("k=K", "the most heaps that a move takes from", "2"),
    Parameter::new("misere", "the last counter loses", "it wins"),
])
.known("Moore 1910: sums of binary digits modulo K+1")
.letters("o is a counter")
.moves("1:2,3:4 takes 2 counters from heap 1 and 4 from heap 3")
.method("formula; Grundy numbers by sum")
.shape(Shape::Heaps);

fn read_moore(spec: &mut Spec<'_>) -> Result<HeapGame, String> {
    let misere = spec.flag("misere");
    let k = spec.number("k", 1..=moore::AT_ONCE)?.unwrap_or(2);
    let heaps = spec.list("a heap", 0..=moore::MOST)?.unwrap_or_else(|| vec![3, 5, 7]);
    MooreNim::new(heaps, k, misere).map(HeapGame::new)
}

const STAIRCASE_NIM: Row = Row::new("staircase-nim", "staircase-nim:7,1,0,6", |spec| {
    let game = read_staircase(spec)?;
    Ok(play(spec, game).oracle(ByFormula).session())
})
.parameters("COINS,COINS,.. floor nofloor")
.about("take coins one step down; who cannot move loses")
.title("Staircase Nim")
.rules(
    "Take turns to move some coins, as many as you like, from one step to the next lower one; \
     from step 1 they go to the floor, where they stay. Whoever cannot move loses.",
)
.described(|spec, usual| {
    let floor = "from step 1 they go to the floor, where they stay";
    usual.reworded(spec.flag("nofloor"), floor, "on step 1 they stay")
})
.details(&[
    Parameter::new("COINS,COINS,..", "coins on step 1, 2, ..", "7,1,0,6"),
    Parameter::new("floor", "coins of step 1 go to the floor", "floor"),
    Parameter::new("nofloor", "step 1 is the bottom", "floor"),
])
.known("Nim on every other step")
.moves("4:2 moves 2 coins from step 4 down to step 3")
.method("formula; tests compare it with Grundy numbers by recursion")
.shape(Shape::Heaps);

fn read_staircase(spec: &mut Spec<'_>) -> Result<HeapGame, String> {
    let bottom = spec.flag("nofloor");
    if spec.flag("floor") && bottom {
        return Err("staircase-nim has a floor or none: expected floor or nofloor".to_owned());
    }
    let steps = spec.list("the coins of a step", 0..=staircase::MOST)?.unwrap_or_else(|| vec![7, 1, 0, 6]);
    Staircase::new(steps, !bottom).map(HeapGame::new)
}

const SILVER_DOLLAR: Row = Row::new("silver-dollar", "silver-dollar:..o..$.o.o", |spec| {
    let game = read_silver(spec)?;
    Ok(play(spec, game).oracle(ByFormulaAndSum::default()).session())
})
.parameters("STRIP plain")
.about("move a coin left past no other; bag the dollar to win")
.title("Silver Dollar")
.rules(
    "Take turns to move one coin to the left to a free cell, past no other coin; the leftmost \
     coin may go into the bag instead. Whoever puts the silver dollar into the bag wins.",
)
.described(|spec, usual| match spec.flag("plain") {
    true => Description {
        about: "move a coin left past no other; who cannot move loses".to_owned(),
        ..usual.ruled(
            "Take turns to move one coin to the left to a free cell, past no other coin. Whoever cannot move loses.",
        )
    },
    false => usual,
})
.details(&[
    Parameter::new(
        "STRIP",
        "cells from the left: . free, o coin, $ the dollar unless plain",
        "..o..$.o.o, plain ..o..o.o.o",
    ),
    Parameter::new("plain", "no dollar; who cannot move loses", "who bags the dollar wins"),
])
.known("Nim on every other gap")
.letters("o is a coin, $ the dollar (none if plain), . a free cell")
.moves(
    "6-4 moves the coin on cell 6 to cell 4, counted from 1 at the left; 3-0 bags the leftmost coin, here on \
     cell 3, unless plain",
)
.method("formula; Grundy numbers by sum")
.shape(Shape::Strip);

fn read_silver(spec: &mut Spec<'_>) -> Result<HeapGame, String> {
    let plain = spec.flag("plain");
    let usual = if plain { "..o..o.o.o" } else { "..o..$.o.o" };
    SilverDollar::new(spec.word().unwrap_or(usual), plain).map(HeapGame::new)
}

const NORTHCOTT: Row = Row::new("northcott", "northcott:1-8,1-8,1-8:columns=8", |spec| {
    let columns = spec.number("columns", 2..=northcott::COLUMNS)?.unwrap_or(8);
    let usual = vec![format!("1-{columns}"); 3].join(",");
    let rows = spec.word().unwrap_or(&usual).to_owned();
    Ok(play(spec, HeapGame::new(Northcott::new(columns, &rows)?)).oracle(ByFormula).session())
})
.parameters("W-B,W-B,.. columns=N")
.about("slide one of your men, no jumps; who cannot move loses")
.title("Northcott's Game")
.rules(
    "Take turns to slide one of your men along its row, forwards or backwards as far as you like, \
     but never past the man of the other player. Whoever cannot move loses.",
)
.players("White", "Black")
.details(&[
    Parameter::new("W-B,W-B,..", "columns of the white and the black man of each row", "1-8,1-8,1-8"),
    Parameter::new("columns=N", "columns of the board", "8"),
])
.known("Nim on the gaps")
.repeats()
.letters("W is player one's man, B player two's")
.moves("2:5 slides your man in row 2 to column 5")
.method("formula; tests compare it with retrograde analysis")
.shape(Shape::Rows);

const NIM_INCREASE: Row = Row::new("nim-increase", "nim-increase:3,5,7:banks=2,2", |spec| {
    let banks = spec.list_of("banks", 0..=increase::MOST)?.unwrap_or_else(|| vec![2, 2]);
    let heaps = spec.list("a heap", 0..=increase::MOST)?.unwrap_or_else(|| vec![3, 5, 7]);
    Ok(play(spec, HeapGame::new(NimIncrease::new(heaps, &banks)?)).oracle(ByFormula).session())
})
.parameters("HEAP,HEAP,.. banks=N,N")
.about("take from a heap or add from your bank; last move wins")
.title("Poker Nim")
.rules(
    "Take turns to take as many counters as you like out of one heap, or to add some from your \
     own bank to a heap. Whoever cannot move loses.",
)
.details(&[
    Parameter::new("HEAP,HEAP,..", "the heaps", "3,5,7"),
    Parameter::new("banks=N,N", "counters that each player may add", "2,2"),
])
.known("Nim: what is added is taken again")
.moves("2:4 takes 4 counters from heap 2, 2:+1 adds 1 to it from your bank")
.method("formula; tests compare it with all positions of small games")
.shape(Shape::Banks);

const NIMBLE: Row = Row::new("nimble", "nimble:2,3,7,12", |spec| {
    let game = read_nimble(spec)?;
    Ok(play(spec, game).oracle(ByFormula).session())
})
.parameters("SQUARE,SQUARE,..")
.about("move a coin left, as far as square 1; last move wins")
.title("Nimble")
.rules(
    "Take turns to move one coin to the left, as many squares as you like and past or onto other \
     coins. Square 1 is the end, and whoever cannot move loses.",
)
.details(&[Parameter::new("SQUARE,SQUARE,..", "the coins' squares", "2,3,7,12")])
.known("Nim on the squares less one")
.moves("12-5 moves a coin from square 12 to square 5")
.method("formula; tests compare it with Grundy numbers by recursion")
.shape(Shape::Coins);

fn read_nimble(spec: &mut Spec<'_>) -> Result<HeapGame, String> {
    let coins = spec.list("a square", 1..=nimble::MOST)?.unwrap_or_else(|| vec![2, 3, 7, 12]);
    Nimble::new(coins).map(HeapGame::new)
}

const TURNING_TURTLES: Row = Row::new("turning-turtles", "turning-turtles:XOXOOX", |spec| {
    let game = read_coins(spec)?;
    Ok(play(spec, game).oracle(ByFormula).session())
})
.parameters("ROW")
.about("turn an O to X, if you like one left of it; last move wins")
.title("Turning Turtles")
.rules(
    "Take turns to turn a coin from O to X; if you like, also turn one coin to the left of it, \
     either way. Whoever cannot move, because no coin shows O, loses.",
)
.details(&[Parameter::new("ROW", "coins from the left: X or O", "XOXOOX")])
.known("Nim on the places of the O")
.letters("O may be turned to X")
.moves("4 turns coin 4 to X, counted from 1 at the left; 4,2 turns coin 2 over as well")
.method("formula; tests compare it with Grundy numbers by recursion")
.shape(Shape::Strip);

const TWINS: Row = Row::new("twins", "twins:XOXOOX", |spec| {
    let game = read_coins(spec)?;
    Ok(play(spec, game).oracle(ByFormula).session())
})
.parameters("ROW")
.about("turn an O to X and a coin left of it; last move wins")
.title("Twins")
.rules(
    "Take turns to turn a coin from O to X and, with it, one coin to the left of it, either way. \
     Whoever cannot move loses.",
)
.details(&[Parameter::new("ROW", "coins from the left: X or O", "XOXOOX")])
.known("Nim on the places of the O less one")
.letters("O may be turned to X")
.moves("4,2 turns coin 4 to X and turns coin 2 over, counted from 1 at the left")
.method("formula; tests compare it with Grundy numbers by recursion")
.shape(Shape::Strip);

fn read_coins(spec: &mut Spec<'_>) -> Result<HeapGame, String> {
    let twins = spec.name() == "twins";
    CoinTurning::new(spec.word().unwrap_or("XOXOOX"), twins).map(HeapGame::new)
}

/// The sections of a sum.
static SUMS: [Parameter; 1] = [Parameter::new(
    "GAME+GAME+..",
    "full names of nim, subtract, matches, stones, heaps, wythoff, fibonacci-nim, moore-nim, staircase-nim, silver-dollar, \
     nimble, turning-turtles, twins, chomp, euler, graph, domineering, clobber, hackenbush, toads-and-frogs, col, snort, cram, \
     tac-tix, queens, kings, knights, subset-takeaway or rules; misere behind the last: who cannot move in any wins",
    "nim:3,5+heaps:kayles:7+stones:..X.X",
)];

/// Returns the row of sums, opened by `open`: a caller that knows all families says which of their games a sum can
/// have.
pub const fn sum_row(open: Open) -> Row {
    Row::new("sum", "sum:nim:3,5+heaps:kayles:7+stones:..X.X", open)
        .parameters("GAME+GAME+..")
        .about("games side by side: move in one; who cannot move loses")
        .title("Sum")
        .rules(
            "Several games stand side by side, and a move is a move in one of them, as you choose. Whoever cannot move in \
             any of them loses.",
        )
        .described(|spec, usual| {
            let rest = spec.rest();
            let (games, misere) = rest.strip_suffix("+misere").map_or((rest, false), |games| (games, true));
            let title = format!("Sum of {}{}", games.replace('+', " + "), if misere { ", misere" } else { "" });
            usual.titled(title).reworded(misere, "of them loses", "of them wins")
        })
        .details(&SUMS)
        .known("the exclusive or of the Grundy numbers (Sprague, Grundy); canonical forms are added (Conway)")
        .moves("2/1:2 makes the move 1:2 in the second game")
        .method(
            "sum: the games' Grundy numbers, by formula or period where there is one; else canonical forms; only in misere play all positions of small sums, and the misere quotient where that is small",
        )
        .shape(Shape::Sum)
}

/// Opens a sum of games of this family and of those of `others`.
///
/// # Errors
/// One line that names what was wrong in the name and says what was expected.
pub fn open_sum(spec: &mut Spec<'_>, others: &[&[SummandRow]]) -> Result<Session, String> {
    let rest = spec.rest();
    let (names, misere) = rest.strip_suffix("+misere").map_or((rest, false), |names| (names, true));
    let (flags, games): (Vec<&str>, Vec<&str>) = names.split('+').partition(|&name| name == "misere");
    if !flags.is_empty() && !games.is_empty() {
        let instead = format!("{}:{}+misere", spec.name(), games.join("+"));
        return Err(format!("misere is said of the whole sum, once and at its end: expected {instead}"));
    }
    let members: Vec<Member> =
        names.split('+').map(|name| member(name, others, spec)).collect::<Result<_, _>>()?;
    if misere {
        let game = SideBySide::new(members)?.misere()?;
        return Ok(play(spec, game).oracle(ByQuotient::default()).session());
    }
    let numbers = members.iter().map(periodic).collect();
    let game = SideBySide::new(members)?.with_numbers(numbers);
    Ok(match game.is_plain() {
        true => play(spec, game).oracle(BySum::default()).session(),
        false => play(spec, game).summing_oracle(ByComponents::default()).session(),
    })
}

/// Returns the Grundy numbers by heap of a game whose sequence has a period; `None` for other games.
fn periodic(member: &Member) -> Option<Numbers> {
    match member.clone() {
        Member::Heaps(game) if game.code().is_some() => {
            let octal = ByOctal::default();
            Some(Numbers::new(move |heap, work| octal.number(&game, heap, work)))
        }
        _ => None,
    }
}

/// Games of this family that a sum takes as components.
pub static SUMMANDS: [SummandRow; 1] = [SummandRow {
    name: "chomp",
    default: "chomp:8x8",
    parameters: "RxC",
    open: |spec| component::impartial(read_chomp(spec)?),
}];

/// Reads the sections of a game of heaps.
type Read = fn(&mut Spec<'_>) -> Result<HeapGame, String>;

/// Games of heaps that a sum may have, by name.
static MEMBERS: [(&str, Read); 13] = [
    ("nim", read_nim),
    ("subtract", |spec| read_subtract(spec, 20)),
    ("matches", |spec| read_subtract(spec, 21)),
    ("stones", read_stones),
    ("heaps", read_heaps),
    ("wythoff", read_wythoff),
    ("fibonacci-nim", read_fibonacci),
    ("moore-nim", read_moore),
    ("staircase-nim", read_staircase),
    ("silver-dollar", read_silver),
    ("nimble", read_nimble),
    ("turning-turtles", read_coins),
    ("twins", read_coins),
];

/// Returns a game of a sum by its full name.
fn member(name: &str, others: &[&[SummandRow]], sum: &mut Spec<'_>) -> Result<Member, String> {
    let first = name.split(':').next().unwrap_or("");
    let mut all = SUMMANDS.iter().chain(others.iter().copied().flatten());
    if let Some(summand) = all.find(|summand| summand.name == first) {
        return Ok(Other::new(summand.open(name, sum)?)?.into());
    }
    let row = ROWS.iter().find(|row| row.name == first).ok_or_else(|| no_part(name))?;
    let mut spec = Spec::new(if name == row.name { row.default } else { name });
    if row.name == "stones" && spec.flag("table") {
        let formula = spec.without("table");
        return Err(format!("{name} has a table, which a sum cannot add: expected {formula}, by formula"));
    }
    let (_, read) = MEMBERS.iter().find(|(known, _)| *known == row.name).ok_or_else(|| no_part(name))?;
    let game = read(&mut spec)?;
    spec.finish(row.parameters)?;
    Ok(game.into())
}

/// Returns the refusal of a name that is none of the games a sum may have.
fn no_part(name: &str) -> String {
    let shown = words::short(name.split(':').next().unwrap_or(""));
    let what = match shown.is_empty() {
        true => "a game of the sum is missing".to_owned(),
        false => format!("{shown} cannot stand in a sum"),
    };
    format!("{what}: expected a game that grundy games sum lists")
}

//! Rows of games on boards and graphs.

use crate::mnk::Mnk;
use crate::teeko::Teeko;
use grundy_search::alpha_beta::AlphaBeta;
use grundy_search::board::{BoardGame, BoardMethod};
use grundy_search::play::{NumberedBy, Proofs, play};
use grundy_session::{Description, Numbering, Parameter, Row, Shape, Spec, Spelling, Variant};
use grundy_tables::thresholds::ByThresholds;
use std::path::Path;

use crate::euler::{Euler, Rules};
use crate::gomoku::Gomoku;
use crate::graph::Graph;
use crate::lgame::LGame;
use crate::pairings::Pairings;
use crate::police::Police;
use crate::qubic::Qubic;
use crate::row;
use grundy_core::dot;
use grundy_core::files;
use grundy_core::grid::Grid;
use grundy_core::value::Unit;
use grundy_sums::component::{self, SummandRow};
use grundy_sums::impartial::ByMex;
use grundy_tables::TableOracle;
use grundy_tables::frames::ByFrames;

/// The largest file that is read, in bytes.
const LARGEST_FILE: u64 = 1 << 29;
/// The games of this family.
pub static ROWS: [Row; 9] = [
    Row::new("tictactoe", "tictactoe", |spec| {
        let misere = spec.flag("misere");
        // The name without a size is no example of one.
        let size = spec.size("RxC", 1..=64).map_err(|why| format!("{why}, as in tictactoe:3x3"))?;
        if let Some([rows, columns]) = size.filter(|&size| size != [3, 3]) {
            // A full side in a row, or three where that is too easy.
            let (short, long) = (rows.min(columns), rows.max(columns));
            let in_row = if short < 3 { long.min(3) } else { short };
            let other = format!("mnk:{columns},{rows},{in_row}");
            return Err(format!("tictactoe has a board of 3x3: expected {other} or another game of mnk"));
        }
        Ok(play(spec, Mnk::new(3, 3, 3, misere)?)
            .oracle(TableOracle::layers())
            .plays_on()
            .evaluated()
            .session())
    })
    .parameters("misere")
    .about("three in a row on 3x3")
    .title("Tic-tac-toe")
    .rules(
        "Take turns to put your mark, X or O, on a free cell. Whoever first has three marks in a \
         row, across, down or diagonally, wins; a full board without such a row is a draw.",
    )
    .players("X", "O")
    .described(|spec, usual| usual.reworded(spec.flag("misere"), "diagonally, wins", "diagonally, loses"))
    .details(&[Parameter::new("misere", "three in a row loses", "it wins")])
    .known("a draw; 5,478 positions, 765 up to symmetry, 255,168 games")
    .letters("X is player one, O player two, . a free cell")
    .method("table by layers")
    .shape(Shape::Lines)
    .other_names(&[("ttt", "tictactoe"), ("noughts-and-crosses", "tictactoe"), ("tre-i-rad", "tictactoe")])
    .variants(&[Variant { name: "tictactoe", game: "tictactoe", spelling: Spelling::Drops }]),
    Row::new("mnk", "mnk:4,4,4", |spec| {
        let misere = spec.flag("misere");
        let [m, n, k] = spec.numbers("M,N,K", ',', 1..=64)?.unwrap_or([4, 4, 4]);
        if m * n > Mnk::MOST_CELLS {
            return Ok(play(spec, Gomoku::new(m, n, k, misere)?).search::<AlphaBeta<_>>().session());
        }
        let game = Mnk::new(m, n, k, misere)?;
        Ok(play(spec, game)
            .oracle(TableOracle::layers())
            .search::<Proofs<_>>()
            .annotator(Pairings)
            .plays_on()
            .evaluated()
            .session())
    })
    .parameters("M,N,K misere")
    .about("K in a row on M columns and N rows")
    .title("In a Row")
    .rules(
        "Take turns to put your mark, X or O, on a free cell. Whoever first has K in a row, \
         across, down or diagonally, wins; a full board without such a row is a draw.",
    )
    .players("X", "O")
    .described(describe_mnk)
    .details(&[
        Parameter::new(
            "M,N,K",
            "columns and rows, to 20 each (26 on 64 cells), and stones in a row",
            "4,4,4",
        ),
        Parameter::new("misere", "K in a row loses", "it wins"),
    ])
    .known("3,3,3 and 4,4,4 are draws; 6,5,4 is won by the first player")
    .other_names(&[("gomoku", "mnk:15,15,5"), ("gobang", "mnk:15,15,5"), ("five-in-a-row", "mnk:15,15,5")])
    .variants(&[Variant { name: "gomoku", game: "mnk:15,15,5", spelling: Spelling::Ours }])
    .letters("X is player one, O player two, . a free cell")
    .method("table by layers to 16 cells, else proof numbers and search; beyond 64 cells, to 20x20, search")
    .shape(Shape::Lines),
    Row::new("teeko", "teeko:4x4", |spec| {
        let advanced = spec.flag("advanced");
        let [columns, rows] = spec.numbers("CxR", 'x', 3..=5)?.unwrap_or([4, 4]);
        let game = Teeko::new(columns, rows, advanced)?;
        Ok(play(spec, game).oracle(TableOracle::reversible()).search::<AlphaBeta<_>>().session())
    })
    .parameters("CxR advanced")
    .about("four men each: four in a row or in a square")
    .title("Teeko")
    .rules(
        "Take turns to put your four men on free cells; when all are down, move one of them each \
         turn to a free neighbouring cell, diagonals included. Whoever has all four in a row, or \
         in a square of four neighbours, wins; a player who cannot move loses, and endless play \
         is a draw.",
    )
    .players("Blue", "Red")
    .shape(Shape::Men)
    .described(|spec, usual| {
        let square = "in a square of four neighbours";
        usual.reworded(spec.flag("advanced"), square, "on the corners of a square of any size")
    })
    .details(&[
        Parameter::new("CxR", "columns and rows, 3 to 5", "4x4"),
        Parameter::new(
            "advanced",
            "the corners of a square of any size win, too",
            "squares of four neighbours",
        ),
    ])
    .known("5x5 is a draw; 5x5:advanced is won by the first player in 13 turns (Steele 1999)")
    .repeats()
    .letters("X is a man of player one, O one of player two, . a free cell")
    .moves("c3 puts a man on c3, c3-d4 moves one from c3 to d4")
    .method("table by retrograde analysis to 16 cells, larger ones from a file, else search"),
    QUBIC,
    EULER,
    LGAME,
    POLICE,
    GRAPH,
    ROW,
];

const QUBIC: Row = Row::new("qubic", "qubic", |spec| {
    Ok(play(spec, Qubic::default()).search::<Proofs<_>>().plays_on().session())
})
.about("four in a row in a cube of 4x4x4")
.title("Qubic")
.rules(
    "Take turns to put your mark, X or O, on a free cell of the cube. Whoever first has four in a row, \
     in any of its 76 lines, diagonals included, wins; a full cube without such a row is a draw.",
)
.players("X", "O")
.known("won by the first player (Patashnik 1980)")
.letters(
    "X is player one, O player two, . a free cell; the layers from below, each with its rows from the top",
)
.moves("b2.3 is the cell in column b, row 2 and layer 3 from below")
.method("proof numbers and search")
.shape(Shape::Lines)
.planned(|_| Some(Qubic::plan()));

/// Words for small numbers.
const WORDS: [&str; 11] =
    ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

fn describe_mnk(spec: &mut Spec<'_>, usual: Description) -> Description {
    let misere = spec.flag("misere");
    let [m, n, k] = spec.numbers("M,N,K", ',', 1..=64_usize).ok().flatten().unwrap_or([4, 4, 4]);
    let row = WORDS.get(k).map_or_else(|| k.to_string(), |&word| word.to_owned());
    let title = format!("{}{} in a Row {m}x{n}", row[..1].to_uppercase(), &row[1..]);
    // Large boards are drawn as those of Go.
    let stones = m.min(n) >= 9;
    let players = if stones { ["Black", "White"].map(str::to_owned) } else { usual.players.clone() };
    Description { players, ..usual }
        .titled(if misere { title + ", misere" } else { title })
        .reworded(stones, "your mark, X or O, on a free cell", "a stone on a free point")
        .reworded(true, "has K", &format!("has {row}"))
        .reworded(misere, "diagonally, wins", "diagonally, loses")
}

/// Games of this family that a sum can have.
pub static SUMMANDS: [SummandRow; 2] = [
    SummandRow {
        name: "euler",
        default: "euler:4x4",
        parameters: "RxC maxlen=K normal span=short",
        open: |spec| BoardGame::new(read_euler(spec)?).impartial_component(),
    },
    SummandRow {
        name: "graph",
        default: "graph",
        parameters: "file=F",
        open: |spec| component::impartial(read_graph(spec)?),
    },
];

fn read_euler(spec: &mut Spec<'_>) -> Result<Euler, String> {
    let normal = spec.flag("normal");
    let longest = spec.number("maxlen", 1..=Euler::MOST_CELLS)?.unwrap_or(Rules::default().longest);
    let short = match spec.key("span") {
        None => false,
        Some("short") => true,
        Some(word) => return Err(format!("bad span={word}: expected span=short")),
    };
    let [rows, columns] = spec.size("RxC", 1..=Euler::MOST_CELLS)?.unwrap_or([4, 4]);
    Euler::new(rows, columns, Rules { normal, short, longest })
}

fn describe_euler(spec: &mut Spec<'_>, usual: Description) -> Description {
    const RUN: &str = ", or a straight run of 2 or 3 free cells that begins at the edge of the board and points straight \
                       inwards";
    let (normal, short) = (spec.flag("normal"), spec.key("span").is_some());
    let longest = spec.key("maxlen").and_then(|longest| longest.parse().ok()).unwrap_or(3);
    let cells = match longest {
        1 | 3 => "2 or 3 free cells".to_owned(),
        2 => "2 free cells".to_owned(),
        _ => format!("2 to {longest} free cells"),
    };
    usual
        .reworded(longest == 1, RUN, "")
        .reworded(longest > 1, "2 or 3 free cells", &cells)
        .reworded(normal, "fills the board loses", "fills the board wins")
        .adding(short && longest > 1, "A nail may not reach from edge to edge.")
}

const EULER: Row = Row::new("euler", "euler:4x4", |spec| {
    Ok(BoardGame::new(read_euler(spec)?).session(spec, &[BoardMethod::Layers, BoardMethod::Mex]))
})
.parameters("RxC maxlen=K normal span=short")
.about("nails on a board of R rows; who fills it loses")
.shape(Shape::Covered)
.title("Euler's Nails")
.rules(
    "Take turns to put down a nail: it covers one free cell anywhere, or a straight run of 2 or 3 \
     free cells that begins at the edge of the board and points straight inwards. Whoever fills \
     the board loses.",
)
.described(describe_euler)
.details(&[
    Parameter::new("RxC", "rows and columns, to 25 cells", "4x4"),
    Parameter::new("maxlen=K", "the longest nail, in cells", "3"),
    Parameter::new("normal", "who fills the board wins", "he loses"),
    Parameter::new("span=short", "no nail reaches from edge to edge", "it may"),
])
.known("4x4 has 48 first moves and is lost for the first player in 13 plies")
.letters("X is a covered cell, . a free one")
.moves("a1 covers one cell, a1-a3 all cells from a1 to a3")
.method("table by layers");

/// The plain numberings of the L-Game.
static LGAME_NUMBERINGS: [NumberedBy<BoardGame>; 2] = [
    NumberedBy {
        facts: Numbering {
            name: "absolute",
            about: "ways of both Ls, cells of the neutral pieces, mover: 48 x 48 x 16 x 16 x 2",
            size: LGame::ABSOLUTE,
        },
        index: |_, position| LGame::absolute(position),
        position: |_, number| LGame::at_absolute(number),
    },
    NumberedBy {
        facts: Numbering {
            name: "relative",
            about: "with the neutral pieces' places among the 8 free cells: 48 x 48 x 8 x 8 x 2",
            size: LGame::RELATIVE,
        },
        index: |_, position| LGame::relative(position),
        position: |_, number| LGame::at_relative(number),
    },
];

const LGAME: Row = Row::new("lgame", "lgame", |spec| {
    Ok(BoardGame::new(LGame).numbered_session(spec, &[BoardMethod::Reversible], &LGAME_NUMBERINGS))
})
.about("the L-Game: who cannot move his L loses")
.title("L-Game")
.rules(
    "Lift your L, turn or flip it as you like, and put it down on four free cells that are not \
     all the same as before; then you may move one of the two neutral pieces to any free cell. A \
     player who cannot move his L loses; endless play is a draw.",
)
.known("a draw; 18,368 positions for one mover, the longest win takes 9 plies")
.repeats()
.letters("A is player one's L, B player two's, o a neutral piece, . a free cell")
.moves("b1b2b3c3 are the new cells of your L; :d4a1 after them moves a neutral piece from d4 to a1")
.method("table by retrograde analysis");

const POLICE: Row = Row::new("police", "police:C..../.*.*./....T/E....", |spec| {
    let game = match (spec.key("file"), spec.word()) {
        (Some(path), None) => {
            let longest = ((Grid::MOST_COLUMNS + 2) * Grid::MOST_ROWS) as u64;
            Police::new(&file(path, longest)?).map_err(|why| format!("{path}: {why}"))?
        }
        (None, Some(map)) => Police::new(map)?,
        _ => return Err("expected one map: police:C..T or police:file=F".to_string()),
    };
    spec.means(&game.canonical());
    Ok(BoardGame::new(game).session(spec, &[BoardMethod::Reversible]))
})
.parameters("MAP file=F")
.about("a policeman after a thief on a map; rows joined by /")
.title("Policeman and Thief")
.rules(
    "The policeman moves to any of the eight cells around him, the thief one cell up, down, left \
     or right; both may stay where they are, and walls stop both. The policeman wins on the cell \
     of the thief, the thief on an exit where no policeman is; endless play is a draw.",
)
.players("Policeman", "Thief")
.details(&[
    Parameter::new(
        "MAP",
        "rows from the top joined by /: . free, * wall, E exit, C and T",
        "C..../.*.*./....T/E....",
    ),
    Parameter::new("file=F", "the map in a file, a row a line", "the map in the name"),
])
.known("depends on the map")
.repeats()
.letters("C is the policeman (player one), T the thief, * a wall, E an exit, . a free cell")
.moves("the cell to which you move, or your own cell to stay there")
.method("table by retrograde analysis")
.shape(Shape::Map);

/// The graph of a bare `graph`.
const EXAMPLE: &str = "digraph example {
    a [start=true]
    a -> b -> c -> a
    b -> d
    c -> e
    d -> f
    e -> { b f }
    f [value=draw]
    e -> g -> h
}";

fn read_graph(spec: &mut Spec<'_>) -> Result<Graph, String> {
    let path = spec.key("file");
    let text = path.map(|path| file(path, LARGEST_FILE)).transpose()?;
    let named = |why| path.map_or_else(|| String::clone(&why), |path| format!("{path}: {why}"));
    let dot = dot::read(text.as_deref().unwrap_or(EXAMPLE)).map_err(named)?;
    spec.means(&dot.canonical(&["owner", "start", "value"]));
    Graph::new(&dot).map_err(named)
}

const GRAPH: Row = Row::new("graph", "graph", |spec| {
    let game = read_graph(spec)?;
    let (unit, cycle) = (grundy_core::game::Scored::unit(&game), game.has_cycle());
    let game = play(spec, game);
    let with_table = match (unit, cycle) {
        (Unit::Points | Unit::Fractions(_), true) => game.oracle(ByThresholds::default()),
        (Unit::Points | Unit::Fractions(_), false) => game.oracle(TableOracle::layers()),
        (Unit::Outcome, _) => game.oracle(TableOracle::reversible()),
    };
    Ok(with_table.worth(ByMex::default()).session())
})
.parameters("file=F")
.about("a token on a directed graph of a DOT file")
.title("Token on a Graph")
.rules(
    "Take turns to push the token along an arrow; from a node that has an owner, its owner \
     pushes. At a node that no arrow leaves the game is over: the player whose turn it is loses, \
     unless the file gives the node another value. Endless play is a draw.",
)
.details(&[Parameter::new(
    "file=F",
    "the DOT file of the graph: one node has start=true; owner=1 or 2 says who moves from a node, value=win, loss, draw or \
     a number what a node without exits is worth to the player to move (loss where it is not set)",
    "a small example",
)])
.known("depends on the graph")
.repeats()
.moves("the node to which the token moves")
.method("table by retrograde analysis, points by layers, or by thresholds if play can be cyclic")
.shape(Shape::Node);

const ROW: Row = Row::new("row", "row:4,7,2,9", |spec| {
    let numbers = spec.list("a number of the row", 0..=row::LARGEST)?.unwrap_or_else(|| vec![4, 7, 2, 9]);
    Ok(play(spec, row::NumberRow::new(&numbers)?).oracle(ByFrames::default()).session())
})
.parameters("N,N,..")
.about("take the leftmost or the rightmost number; most points win")
.title("Row of Numbers")
.rules(
    "Take turns to take the number at the left end or at the right end of the row, until none is \
     left. The player whose numbers add up to more wins; equal sums are a draw.",
)
.details(&[Parameter::new("N,N,..", "the numbers, to 1,000 of 0 to 10,000", "4,7,2,9")])
.known("depends on the numbers")
.moves("L takes the number at the left end, R the one at the right end")
.method("table by layers, one for each row")
.shape(Shape::Numbers);

/// Returns the text of a file that a game's name points to.
fn file(path: &str, longest: u64) -> Result<String, String> {
    files::read_text(Path::new(path), longest).map_err(|error| format!("cannot read {path:?}: {error}"))
}

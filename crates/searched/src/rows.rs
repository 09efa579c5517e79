//! Rows of the games that are searched.

use crate::connect4::{self, Connect4};
use crate::domineering::Domineering;
use crate::hex::Hex;
use crate::kalah::Kalah;
use crate::othello::{self, Othello};
use crate::pawns::Pawns;
use grundy_search::alpha_beta::AlphaBeta;
use grundy_search::openings::MOST_PLIES;
use grundy_search::play::{EndgameAlphaBeta, Proofs, play};
use grundy_session::{Parameter, Row, Shape, Spec, Spelling, Variant};
use grundy_sums::cgt::ByForms;
use grundy_sums::component::{self, SummandRow};
use grundy_tables::thresholds::ByThresholds;

/// Games of this family that a sum can have.
pub static SUMMANDS: [SummandRow; 1] = [SummandRow {
    name: "domineering",
    default: "domineering:6x6",
    parameters: "RxC",
    open: |spec| Ok(component::partizan(read_domineering(spec)?)),
}];

fn read_domineering(spec: &mut Spec<'_>) -> Result<Domineering, String> {
    let [rows, columns] = spec.numbers("RxC", 'x', 1..=64)?.unwrap_or([6, 6]);
    Domineering::new(rows, columns)
}

/// The opening book of `connect4:7x6`, as `grundy solve connect4:7x6 --book PLIES` writes it.
const BOOK: &[u8] = include_bytes!("../books/connect4-7x6.book");

/// Evaluations, as `grundy learn` writes them.
const BREAKTHROUGH: &[u8] = include_bytes!("../weights/breakthrough_8x8.weights");
const KALAH_4: &[u8] = include_bytes!("../weights/kalah_6,4.weights");
const KALAH_6: &[u8] = include_bytes!("../weights/kalah_6,6.weights");

/// The games of this family.
pub static ROWS: [Row; 7] = [
    Row::new("connect4", "connect4:7x6", |spec| {
        let book = spec.number("book", 1..=MOST_PLIES)?;
        let [columns, rows] = spec.numbers("CxR", 'x', 1..=64)?.unwrap_or([7, 6]);
        match Connect4::new(columns, rows) {
            Ok(game) => {
                let shipped = ([columns, rows] == [7, 6]).then_some(BOOK);
                let game = play(spec, game).openings(book, shipped);
                Ok(game.search::<AlphaBeta<_>>().session())
            }
            // Keys of larger boards are hashes, on which no book can be based.
            Err(_) => {
                let game = connect4::ConnectFour::<u128>::new(columns, rows)?;
                Ok(play(spec, game).search::<AlphaBeta<_>>().session())
            }
        }
    })
    .parameters("CxR book=PLIES")
    .about("four in a row with gravity, C columns and R rows")
    .title("Connect Four")
    .rules(
        "Take turns to drop a disc into a column, where it falls to the lowest free cell. Whoever \
         first has four discs in a row, across, up or diagonally, wins; a full board without such \
         a row is a draw.",
    )
    .players("Red", "Yellow")
    .details(&[
        Parameter::new("CxR", "columns and rows", "7x6"),
        Parameter::new("book=PLIES", "the opening book of this many plies", "the longest there is"),
    ])
    .other_names(&[
        ("c4", "connect4"),
        ("connect-four", "connect4"),
        ("four-in-a-row", "connect4"),
        ("vier-gewinnt", "connect4"),
        ("fyra-i-rad", "connect4"),
        ("puissance-4", "connect4"),
    ])
    .known("7x6 is won by the first player in 41 plies")
    .letters("X is player one, O player two, . a free cell")
    .moves("d drops a disc into column d")
    .method("opening book, which ships for 7x6, else search")
    .shape(Shape::Frame)
    .recognized(connect4::recognized)
    .variants(&[Variant { name: "cfour", game: "connect4:7x6", spelling: Spelling::Falls }]),
    Row::new("othello", "othello:8x8", |spec| {
        let win = match spec.key("score") {
            None => false,
            Some("win") => true,
            Some(other) => {
                return Err(format!("othello: score={other} is not known, expected score=win"));
            }
        };
        let [columns, rows] = spec.numbers("WxH", 'x', 1..=64)?.unwrap_or([8, 8]);
        Ok(play(spec, Othello::new(columns, rows, win)?).search::<AlphaBeta<_>>().session())
    })
    .parameters("WxH score=win")
    .about("enclose discs to turn them over; most discs at the end win")
    .title("Othello")
    .rules(
        "Put down a disc so that it and another of yours enclose discs of the other player in a \
         straight line, and turn over all that are enclosed; a player who cannot do so passes. \
         When neither can, the game is over, and the player with more discs wins.",
    )
    .players("Black", "White")
    .described(|spec, usual| {
        let win = spec.key("score") == Some("win");
        usual.reworded(win, "with more discs wins", "with more discs wins and gets the empty cells, too")
    })
    .details(&[
        Parameter::new("WxH", "columns and rows, each 4, 6 or 8", "8x8"),
        Parameter::new("score=win", "the winner gets the empty cells, too", "only the discs count"),
    ])
    .other_names(&[("reversi", "othello")])
    .known("4x4 is worth -8 to the first player, 4x6 +16, 4x8 +29 and 6x6 -4")
    .recognized(othello::recognized)
    .letters("X is player one, O player two, . a free cell")
    .moves("d3 puts a disc on d3; pass if no disc can be turned over")
    .method("search")
    .shape(Shape::Discs),
    Row::new("hex", "hex:5", |spec| {
        let [side] = spec.numbers("N", ',', 1..=Hex::MOST)?.unwrap_or([5]);
        Ok(play(spec, Hex::new(side)?).search::<Proofs<_>>().session())
    })
    .parameters("N")
    .about("a chain from border to border on N x N")
    .title("Hex")
    .rules(
        "Take turns to put a stone on a free cell. Player one wins by joining the top and the \
         bottom of the board with a chain of stones, player two by joining the left and the \
         right; one of them always does.",
    )
    .players("Blue", "Red")
    .details(&[Parameter::new("N", "side of the board, to 11", "5")])
    .known("the first player wins on every board")
    .letters("X is player one, who joins top and bottom, O player two, who joins left and right")
    .method("proof numbers and search over virtual connections")
    .shape(Shape::Hexagons),
    Row::new("domineering", "domineering:6x6", |spec| {
        let game = read_domineering(spec)?;
        Ok(play(spec, game).search::<AlphaBeta<_>>().worth(ByForms::default()).session())
    })
    .parameters("RxC")
    .about("one player lays dominoes upright, one flat; last move wins")
    .title("Domineering")
    .rules(
        "Take turns to lay a domino on two free cells: player one always upright, player two \
         always flat. Whoever has no place for another domino loses.",
    )
    .players("Vertical", "Horizontal")
    .details(&[Parameter::new("RxC", "rows and columns", "6x6")])
    .known("6x6 and 8x8 are won by the first player; 1x3 is worth a move to the second")
    .letters("# is a covered cell, . a free one; player one lays upright dominoes, player two flat ones")
    .moves("the lower or the left one of the two cells that are covered")
    .method("search"),
    Row::new("breakthrough", "breakthrough:5x5", |spec| {
        let [columns, rows] = spec.numbers("WxH", 'x', 1..=64)?.unwrap_or([5, 5]);
        Ok(play(spec, Pawns::breakthrough(columns, rows)?).search::<AlphaBeta<_>>().session())
    })
    .parameters("WxH")
    .about("pawns that only go forwards; who reaches the last row wins")
    .title("Breakthrough")
    .chessman('♟')
    .rules(
        "Move one of your pawns one cell forwards, straight or diagonally, to a free cell, or \
         take a pawn of the other player diagonally forwards. Whoever first reaches the last row \
         wins, and so does a player who leaves the other no pawn or no move.",
    )
    .players("White", "Black")
    .details(&[Parameter::new("WxH", "columns and rows", "5x5")])
    .letters("X is player one and goes up, O player two and goes down")
    .weights(&[("breakthrough:8x8", BREAKTHROUGH)])
    .moves("a1a2 moves a man from a1 to a2")
    .method("search"),
    Row::new("hexapawn", "hexapawn:3x3", |spec| {
        let [columns, rows] = spec.numbers("WxH", 'x', 1..=64)?.unwrap_or([3, 3]);
        Ok(play(spec, Pawns::hexapawn(columns, rows)?).search::<AlphaBeta<_>>().session())
    })
    .parameters("WxH")
    .about("a row of pawns each; reach the last row or leave no move")
    .title("Hexapawn")
    .chessman('♟')
    .rules(
        "Move one of your pawns one cell straight forwards to a free cell, or take a pawn of the \
         other player diagonally forwards. Whoever first reaches the last row wins, and so does a \
         player who leaves the other no pawn or no move.",
    )
    .players("White", "Black")
    .details(&[Parameter::new("WxH", "columns and rows", "3x3")])
    .known("3x3 is won by the second player")
    .letters("X is player one and goes up, O player two and goes down")
    .moves("a1a2 moves a pawn from a1 to a2")
    .method("search"),
    Row::new("kalah", "kalah:6,4", |spec| {
        let [pits, seeds] = spec.numbers("M,N", ',', 1..=160)?.unwrap_or([6, 4]);
        let game = Kalah::new(pits, seeds as u32)?;
        Ok(play(spec, game).oracle(ByThresholds::on_request()).search::<EndgameAlphaBeta<_>>().session())
    })
    .parameters("M,N")
    .about("sow seeds, M pits a side with N seeds each, empty captures")
    .title("Kalah")
    .rules(
        "Take all seeds out of one of your pits and sow them one by one, counterclockwise, into \
         your next pits, your store and the pits of the other player. If the last seed falls into \
         your store, you move again; if it falls into an empty pit of yours, that seed and those \
         opposite go to your store. When a player's pits are empty the other puts the seeds of \
         his own into his store, and whoever has more wins.",
    )
    .players("South", "North")
    .details(&[Parameter::new("M,N", "pits a side, to 8, and seeds a pit", "6,4")])
    .other_names(&[("mancala", "kalah")])
    .weights(&[("kalah:6,4", KALAH_4), ("kalah:6,6", KALAH_6)])
    .letters("the lower row, from the left, and the store on the right are player one's")
    .moves("3 sows the third of your pits, counted from your own left")
    .method("search with an endgame table, after a table by thresholds where there is one")
    .shape(Shape::Pits),
];

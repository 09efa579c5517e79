//! Rows of games of placing and taking away, and of other small games.

use crate::chopsticks::{Chopsticks, Transfers};
use crate::claims::Claims;
use crate::collapsi::Collapsi;
use crate::joust::Joust;
use crate::lewthwaite::Lewthwaite;
use crate::notakto::Notakto;
use crate::numerical::Numerical;
use crate::pentominoes::Pentominoes;
use crate::placement::{Kind, Placement};
use crate::quantik::Quantik;
use crate::quarto::Quarto;
use crate::sprouts::Sprouts;
use crate::subsets::Subsets;
use crate::wild::Wild;
use grundy_search::board::{BoardGame, BoardMethod, BoardRules};
use grundy_search::play::play;
use grundy_session::{CellForm, Open, Parameter, Row, Shape, Spec};
use grundy_sums::component::SummandRow;
use grundy_sums::memo::ByMemo;
use grundy_sums::outcomes::ByOutcomes;

/// The games of this family.
pub static ROWS: [Row; 19] = [
    CRAM,
    TAC_TIX,
    pieces("queens", "queens:6x6", "Queens", &[Parameter::new("RxC", SIZE, "6x6")])
        .chessman('♛')
        .rules("Take turns to put a queen on a cell that no queen attacks. Whoever cannot put one loses.")
        .known("nimbers 1 1 2 1 3 1 2 on squares of side 1 to 7 (H. Noon, G. Van Brummelen, 2006)"),
    pieces("kings", "kings:6x6", "Kings", &[Parameter::new("RxC", SIZE, "6x6")])
        .chessman('♚')
        .rules("Take turns to put a king on a cell that no king attacks. Whoever cannot put one loses.")
        .known("nimbers 1 1 1 0 4 1 on squares of side 1 to 6"),
    pieces("knights", "knights:5x5", "Knights", &[Parameter::new("RxC", SIZE, "5x5")])
        .chessman('♞')
        .rules("Take turns to put a knight on a cell that no knight attacks. Whoever cannot put one loses."),
    PENTOMINOES,
    SUBSET_TAKEAWAY,
    SIM,
    Y,
    JOUST,
    LEWTHWAITE,
    COLLAPSI,
    CHOPSTICKS,
    WILD,
    NOTAKTO,
    NUMERICAL,
    QUANTIK,
    QUARTO,
    SPROUTS,
];

/// Games of this family that a sum can have.
pub static SUMMANDS: [SummandRow; 6] = [
    summand("cram", "cram:4x4", "RxC"),
    summand("tac-tix", "tac-tix:4x4", "RxC"),
    summand("queens", "queens:6x6", "RxC"),
    summand("kings", "kings:6x6", "RxC"),
    summand("knights", "knights:5x5", "RxC"),
    SummandRow {
        name: "subset-takeaway",
        default: "subset-takeaway:4",
        parameters: "N",
        open: |spec| BoardGame::new(read_subsets(spec)?).impartial_component(),
    },
];

const fn summand(name: &'static str, default: &'static str, parameters: &'static str) -> SummandRow {
    SummandRow {
        name,
        default,
        parameters,
        open: |spec| BoardGame::new(read_placement(spec)?).impartial_component(),
    }
}

fn read_placement(spec: &mut Spec<'_>) -> Result<Placement, String> {
    let (kind, usual) = match spec.name() {
        "cram" => (Kind::Cram, 4),
        "tac-tix" => (Kind::TacTix, 4),
        "queens" => (Kind::Queens, 6),
        "kings" => (Kind::Kings, 6),
        _ => (Kind::Knights, 5),
    };
    let misere = matches!(kind, Kind::Cram | Kind::TacTix) && spec.flag("misere");
    let [rows, columns] = spec.size("RxC", 1..=Placement::MOST_CELLS)?.unwrap_or([usual; 2]);
    Placement::new(kind, rows, columns, misere)
}

/// Opens a game of placing or taking away: by Grundy numbers, or in misere play by a table or a search.
const PLACEMENT: Open = |spec| {
    let game = read_placement(spec)?;
    let methods: &[BoardMethod] = match game.normal_play() {
        true => &[BoardMethod::Outcomes],
        false => &[BoardMethod::Layers, BoardMethod::AlphaBeta],
    };
    Ok(BoardGame::new(game).session(spec, methods))
};

/// The method of these games.
const BY_COMPONENTS: &str = "Grundy numbers of the components, up to turning, mirroring and moving them";
/// The same with misere play.
const OR_MISERE: &str = "Grundy numbers of the components, up to turning, mirroring and moving them; only in misere play a table by layers \
                         to 25 cells, else search";

const CRAM: Row = Row::new("cram", "cram:4x4", PLACEMENT)
    .parameters("RxC misere")
    .about("cover two neighbours with a domino; last move wins")
    .title("Cram")
    .shape(Shape::Covered)
    .rules(
        "Take turns to lay a domino on two free cells that are neighbours, upright or flat. Whoever \
         cannot lay one loses.",
    )
    .described(|spec, usual| usual.reworded(spec.flag("misere"), "lay one loses", "lay one wins"))
    .details(&[
        Parameter::new("RxC", SIZE, "4x4"),
        Parameter::new("misere", "who cannot move wins", "he loses"),
    ])
    .known("nimbers 0 1 1 4 1 3 of 3x3 to 3x8, 0 2 0 3 of 4x4 to 4x7; 0 on boards of even sides")
    .letters("X is a covered cell, . a free one")
    .moves("a1-b1 covers the cells a1 and b1")
    .method(OR_MISERE);

const TAC_TIX: Row = Row::new("tac-tix", "tac-tix:4x4:misere", PLACEMENT)
    .parameters("RxC misere")
    .about("take a run of counters out of a row or column")
    .title("Tac-Tix")
    .rules(
        "Take turns to take as many counters as you like, at least one, out of one row or column, \
         where there is no gap between them. Whoever takes the last counter wins.",
    )
    .described(|spec, usual| usual.reworded(spec.flag("misere"), "last counter wins", "last counter loses"))
    .details(&[
        Parameter::new("RxC", SIZE, "4x4"),
        Parameter::new("misere", "the last counter loses", "it wins"),
    ])
    .other_names(&[("bulo", "tac-tix")])
    .known("4x4:misere is won by the second player")
    .letters("o is a counter, . an empty cell")
    .moves("a1-a3 takes the counters from a1 to a3, b2 takes one")
    .method(OR_MISERE);

/// The boards of these games.
const SIZE: &str = "rows and columns, to 64 cells";

/// Returns the row of a game of pieces that attack.
const fn pieces(
    name: &'static str,
    default: &'static str,
    title: &'static str,
    details: &'static [Parameter],
) -> Row {
    Row::new(name, default, PLACEMENT)
        .parameters("RxC")
        .about("put a piece where none attacks; last move wins")
        .title(title)
        .details(details)
        .letters("X is a piece, . a cell without one")
        .method(BY_COMPONENTS)
}

const PENTOMINOES: Row = Row::new("pentominoes", "pentominoes:5x5", |spec| {
    let [rows, columns] = spec.size("RxC", 1..=64)?.unwrap_or([5, 5]);
    Ok(BoardGame::new(Pentominoes::new(rows, columns)?).session(spec, &[BoardMethod::Proofs]))
})
.parameters("RxC")
.about("put one of twelve pieces of five cells; last move wins")
.title("Pentominoes")
.shape(Shape::Coloured)
.rules(
    "Take turns to put one of the twelve pieces of five cells that is left on free cells, turned and \
     mirrored as you like. Whoever cannot put one loses.",
)
.details(&[Parameter::new("RxC", SIZE, "5x5")])
.known("8x8 is won by the first player (H. K. Orman 1996)")
.letters("a letter is the piece on its cell, . a free cell")
.moves("F:a4a5b3b4c4 puts the piece F on these five cells")
.method("search");

fn read_subsets(spec: &mut Spec<'_>) -> Result<Subsets, String> {
    let [letters] = spec.numbers("N", ',', 1..=Subsets::MOST)?.unwrap_or([4]);
    Subsets::new(letters)
}

const SUBSET_TAKEAWAY: Row = Row::new("subset-takeaway", "subset-takeaway:4", |spec| {
    let game = read_subsets(spec)?;
    let methods: &[BoardMethod] = match game.letters() {
        Subsets::MOST => &[BoardMethod::OutcomeTable, BoardMethod::Mex],
        _ => &[BoardMethod::Memo, BoardMethod::Mex],
    };
    Ok(BoardGame::new(game).session(spec, methods))
})
.parameters("N")
.about("take a set and all that contain it; last move wins")
.title("Subset Take-Away")
.rules(
    "At the start there are all subsets of a few letters but the empty one and the whole. Take turns to \
     take a set and with it all sets that contain it. Whoever takes the last set wins.",
)
.details(&[Parameter::new("N", "letters, to 7", "4")])
.known("the second player wins with 2 to 6 letters, the first with 7 (A. E. Brouwer, J. D. Christensen 2018)")
.letters("the largest sets left; their subsets are left as well")
.moves("ab takes the set of a and b, and all sets that contain it")
.method("all positions up to the names of the letters; table of outcomes with 7 letters")
.shape(Shape::Sets);

fn read_sim(spec: &mut Spec<'_>) -> Result<Claims, String> {
    let maker = spec.flag("maker");
    let [points] = spec.numbers("N", ',', 3..=8)?.unwrap_or([6]);
    Claims::sim(points, maker)
}

const SIM: Row = Row::new("sim", "sim:6", |spec| {
    Ok(BoardGame::new(read_sim(spec)?).session(spec, &[BoardMethod::Layers, BoardMethod::Proofs]))
})
.parameters("N maker")
.about("draw lines between points; a triangle of your own loses")
.title("Sim")
.shape(Shape::Polygon)
.rules(
    "Take turns to draw, in your own colour, a line between two of the points. Whoever first has a \
     triangle of his own colour loses; if all lines are drawn without one, the game is a draw.",
)
.players("Red", "Blue")
.described(|spec, usual| usual.reworded(spec.flag("maker"), "his own colour loses", "his own colour wins"))
.details(&[
    Parameter::new("N", "points, 3 to 8", "6"),
    Parameter::new("maker", "a triangle wins", "it loses"),
])
.known("6 points: the second player wins (E. Mead, A. Rosa, C. Huang 1974); 5: a draw")
.letters("the lines ab ac .., bc .., and so on: X is player one's, O player two's, . free")
.moves("ab draws the line between the points a and b")
.method("table by layers to 6 points, else search")
.planned(|spec| Some(read_sim(spec).ok()?.plan(CellForm::Square)));

fn read_y(spec: &mut Spec<'_>) -> Result<Claims, String> {
    let [side] = spec.numbers("N", ',', 1..=10)?.unwrap_or([4]);
    Claims::y(side)
}

const Y: Row = Row::new("y", "y:4", |spec| {
    Ok(BoardGame::new(read_y(spec)?).session(spec, &[BoardMethod::Layers, BoardMethod::Proofs]))
})
.parameters("N")
.about("join the three sides of a triangle")
.title("Y")
.rules(
    "Take turns to put a stone on a free cell of the triangle. Whoever joins all three sides with a chain \
     of stones wins, where a corner belongs to both of its sides; one of the players always does.",
)
.players("Blue", "Red")
.details(&[Parameter::new("N", "side of the triangle, to 10", "4")])
.known("the first player wins on every board: in 1, 3, 5, 7, 9 plies on sides 1 to 5")
.letters("X is player one's stone, O player two's, . a free cell")
.method("table by layers to side 5, and to side 6 on request; else search")
.planned(|spec| Some(read_y(spec).ok()?.plan(CellForm::Hexagon)));

const JOUST: Row = Row::new("joust", "joust:4x4", |spec| {
    let [rows, columns] = spec.size("RxC", 1..=64)?.unwrap_or([4, 4]);
    let game = BoardGame::new(Joust::new(rows, columns)?);
    Ok(game.session(spec, &[BoardMethod::Memo, BoardMethod::AlphaBeta]))
})
.parameters("RxC")
.about("knights that burn the cells they leave")
.title("Joust")
.chessman('♞')
.rules(
    "Move your knight as in chess to a free cell; the cell that it leaves burns and can never be used \
     again. Whoever cannot move loses.",
)
.players("White", "Black")
.details(&[Parameter::new("RxC", SIZE, "4x4")])
.known("the second player wins where a side is even, by symmetry; 5x5 is won by the first in 19 plies")
.letters("X and O are the knights, # a burned cell, . a free one")
.moves("the cell to which your knight jumps")
.method("all positions that follow to two million, else search");

const LEWTHWAITE: Row = Row::new("lewthwaite", "lewthwaite:5", |spec| {
    let [side] = spec.numbers("N", ',', 3..=7)?.unwrap_or([5]);
    Ok(BoardGame::new(Lewthwaite::new(side)?).session(spec, &[BoardMethod::Memo]))
})
.parameters("N")
.about("move a man of your own into the hole")
.title("Lewthwaite's Game")
.rules(
    "Move one of your men into the hole from beside, above or below it, which leaves a new hole. Whoever \
     cannot move loses.",
)
.players("White", "Black")
.details(&[Parameter::new("N", "side of the board: 3, 5 or 7", "5")])
.known("the second player wins by pairing the cells into dominoes; 5x5 in 16 plies")
.letters("X is a man of player one, O one of player two, . the hole")
.moves("a2-b2 moves the man on a2 into the hole on b2")
.method("all positions that follow, to side 5");

/// The deal of a bare `collapsi`.
const DEAL: &str = "collapsi:233X/1124/23O4/1312";

const COLLAPSI: Row = Row::new("collapsi", DEAL, |spec| {
    let game = Collapsi::new(spec.word().ok_or_else(|| format!("expected the deal: {DEAL}"))?)?;
    Ok(BoardGame::new(game).session(spec, &[BoardMethod::Memo]))
})
.parameters("ROWS")
.about("pawns on a torus of cards that turn them down")
.title("Collapsi")
.rules(
    "Move your pawn as many steps as the card that it stands on says, from a joker 1 to 4: up, down, left \
     or right, over the edge to the other side, onto no card twice and none that is turned down. You may \
     pass the other pawn but not end there. The card that you leave is turned down. Whoever cannot move \
     loses.",
)
.players("Red", "Blue")
.details(&[Parameter::new(
    "ROWS",
    "the deal: four rows of 1 to 4, X and O on the jokers",
    "233X/1124/23O4/1312",
)])
.known("the first player wins 37.5 % of all deals (M. Young 2025)")
.letters("1 to 4 are cards, # one turned down, X and O the pawns; the cards under them follow, - a joker")
.moves("the cell on which your pawn ends")
.method("all positions that follow");

fn read_chopsticks(spec: &mut Spec<'_>) -> Result<Chopsticks, String> {
    let rollover = spec.flag("rollover");
    let fingers = spec.number("fingers", 2..=Chopsticks::MOST)?.unwrap_or(5);
    let transfers = match spec.key("transfers") {
        None => Transfers::Other,
        Some("none") => Transfers::None,
        Some("half") => Transfers::Half,
        Some("pass") => Transfers::Pass,
        Some("full") => Transfers::Full,
        Some("all") => Transfers::All,
        Some(other) => {
            return Err(format!("bad transfers={other}: expected none, half, pass, full or all"));
        }
    };
    Ok(Chopsticks::new(fingers as u8, rollover, transfers))
}

const CHOPSTICKS: Row = Row::new("chopsticks", "chopsticks", |spec| {
    let game = BoardGame::new(read_chopsticks(spec)?);
    Ok(game.session(spec, &[BoardMethod::Retrograde]))
})
.parameters("fingers=N rollover transfers=none|half|pass|full|all")
.about("tap hands until they are dead; who has no finger loses")
.title("Chopsticks")
.rules(
    "Tap with a hand one of the other player's hands, which then holds the sum of both; with five fingers \
     or more it is dead. Or share your own fingers anew between your hands, so that both have one and they \
     differ from before. Whoever has no finger left on his turn loses; endless play is a draw.",
)
.described(|spec, usual| {
    let fingers = spec.key("fingers").unwrap_or("5");
    let (rollover, transfers) = (spec.flag("rollover"), spec.key("transfers"));
    let share = " Or share your own fingers anew between your hands, so that both have one and they differ from before.";
    let instead = match transfers {
        Some("none") => "",
        Some("half") => " Or share an even hand beside a dead one in two halves.",
        Some("pass") => " Or share your own fingers between your hands: so that both have one, or as before.",
        Some("full") => " Or share your own fingers between your hands, so that they differ from before.",
        Some("all") => " Or share your own fingers between your hands as you like.",
        _ => share,
    };
    usual
        .reworded(fingers != "5", "five fingers", &format!("{fingers} fingers"))
        .reworded(rollover, "or more it is dead", &format!("it is dead, with more {fingers} are subtracted"))
        .reworded(true, share, instead)
})
.details(&[
    Parameter::new("fingers=N", "fingers with which a hand is dead, to 20", "5"),
    Parameter::new("rollover", "a hand of more has the sum less N", "it is dead"),
    Parameter::new("transfers=none|half|pass|full|all", "fingers are shared anew: not at all; half of a hand beside a dead one; pass: also as they are; full: a hand may be empty; all: both", "to other hands, none empty"),
])
.known("a draw; without transfers the second player wins in 8 plies, with full ones in 26")
.repeats()
.letters("fingers of both hands of player one, then of player two")
.moves("1x2 taps a hand of 2 with one of 1, 1+3 shares your fingers as 1 and 3; where allowed 0+4 empties a hand, the same hands pass")
.method("table by retrograde analysis")
.shape(Shape::Hands);

const WILD: Row = Row::new("wild-tictactoe", "wild-tictactoe", |spec| {
    let game = BoardGame::new(Wild::new(spec.flag("misere")));
    Ok(game.session(spec, &[BoardMethod::Layers]))
})
.parameters("misere")
.about("either player puts X or O, three alike win")
.title("Wild Tic-tac-toe")
.rules(
    "Take turns to put a cross or a nought, as you like, on a free cell. Whoever makes three alike in a row, \
     across, down or diagonally, wins; a full board without such a row is a draw.",
)
.described(|spec, usual| usual.reworded(spec.flag("misere"), "diagonally, wins", "diagonally, loses"))
.details(&[Parameter::new("misere", "three alike lose", "they win")])
.known("the first player wins in 7 plies by the centre; misere is a draw")
.letters("X is a cross, O a nought, . a free cell")
.moves("Xb2 puts a cross on b2, Ob2 a nought")
.method("table by layers")
.shape(Shape::Lines);

fn read_notakto(spec: &mut Spec<'_>) -> Result<Notakto, String> {
    let [boards] = spec.numbers("N", ',', 1..=Notakto::MOST)?.unwrap_or([3]);
    Notakto::new(boards)
}

const NOTAKTO: Row = Row::new("notakto", "notakto:3", |spec| {
    Ok(BoardGame::new(read_notakto(spec)?).session(spec, &[BoardMethod::Quotient]))
})
.parameters("N")
.about("crosses on some boards; the last three in a row loses")
.title("Notakto")
.rules(
    "Take turns to put a cross on a free cell of a board without three in a row; both have crosses. A board \
     with three in a row, across, down or diagonally, is dead. Whoever makes the last board dead loses.",
)
.details(&[Parameter::new("N", "boards, to 7", "3")])
.known("the first player wins on an odd number of boards, the second on an even one (T. E. Plambeck, G. Whitehead 2013)")
.letters("X is a cross, . a free cell")
.method("all positions up to symmetry on few boards, else the misere quotient, for who wins alone")
.planned(|spec| Some(read_notakto(spec).ok()?.plan()));

const NUMERICAL: Row = Row::new("numerical-tictactoe", "numerical-tictactoe", |spec| {
    Ok(BoardGame::new(Numerical).session(spec, &[BoardMethod::Discovered, BoardMethod::AlphaBeta]))
})
.about("odd against even numbers: a line of sum 15 wins")
.title("Numerical Tic-tac-toe")
.rules(
    "Take turns to put a number on a free cell, each only once: player one has 1, 3, 5, 7 and 9, player two \
     2, 4, 6 and 8. Whoever fills a row, column or diagonal of three whose sum is 15 wins; a full board \
     without one is a draw.",
)
.players("Odd", "Even")
.known("the first player wins (G. Markowsky 1990), in 9 plies")
.letters("a digit is the number on its cell, . a free cell")
.moves("7@b2 puts the number 7 on b2")
.method("search, or a table of all positions");

const QUANTIK: Row = Row::new("quantik", "quantik", |spec| {
    Ok(BoardGame::new(Quantik::default()).session(spec, &[BoardMethod::AlphaBeta]))
})
.about("four shapes in a row, column or quarter win")
.title("Quantik")
.shape(Shape::Figures)
.rules(
    "Put one of your shapes, two of each of four, on a free cell, where the other player has no such shape in \
     its row, column and quarter of the board. Whoever completes a row, column or quarter with all four \
     shapes, whoever's they are, wins; a player who cannot put a shape loses.",
)
.players("White", "Black")
.known("the second player wins")
.letters("A to D are player one's shapes, a to d player two's, . a free cell")
.moves("A@b2 puts the shape A on b2; player two writes a@b2")
.method("search over classes of 3,072 images");

const QUARTO: Row = Row::new("quarto", "quarto", |spec| {
    let game = BoardGame::new(Quarto::new(spec.flag("squares")));
    Ok(game.session(spec, &[BoardMethod::AlphaBeta]))
})
.parameters("squares")
.about("put the piece given to you; four alike in something win")
.title("Quarto")
.shape(Shape::Quarto)
.rules(
    "Put the piece that the other player has handed to you on a free cell and hand over another, the first \
     move only hands one over. Whoever puts the fourth of a row, column or diagonal that share one of four \
     properties wins; a full board without such four is a draw.",
)
.described(|spec, usual| {
    usual.reworded(spec.flag("squares"), "column or diagonal", "column, diagonal or square of 2x2")
})
.details(&[Parameter::new("squares", "four in a square of 2x2 win, too", "lines only")])
.known("a draw (L. Goossens 1998); with squares, too")
.letters("0 to f are the pieces, a bit for each property, . a free cell; then the piece handed over")
.moves("b2:9 puts the piece in hand on b2 and hands over piece 9; the first move is :9, the last b2")
.method("search over classes of 12,288 images");

const SPROUTS: Row = Row::new("sprouts", "sprouts:3", |spec| {
    let misere = spec.flag("misere");
    let [spots] = spec.numbers("N", ',', 1..=Sprouts::MOST)?.unwrap_or([3]);
    let board = play(spec, Sprouts::new(spots, misere)?);
    let board = if misere { board.oracle(ByMemo::default()) } else { board.oracle(ByOutcomes::default()) };
    Ok(board.session())
})
.parameters("N misere")
.about("join spots by lines that do not cross; last move wins")
.title("Sprouts")
.rules(
    "Draw a line from a spot to another one or back to itself, across no other line, and put a new spot on it. \
     No spot may have more than three ends of lines. Whoever cannot draw a line loses.",
)
.described(|spec, usual| usual.reworded(spec.flag("misere"), "a line loses", "a line wins"))
.details(&[
    Parameter::new("N", "spots, to 12", "3"),
    Parameter::new("misere", "who cannot move wins", "he loses"),
])
.known("the first player wins with N spots where N mod 6 is 3, 4 or 5, as far as computed; misere with 1 and 5")
.letters("0 1 2 are spots by their lines, letters spots met twice, . ends a boundary, } a region, ! a land")
.moves("the position after the move, without the player to move, or its number in the list of moves")
.method("Grundy numbers of lands by outcomes; only in misere play all positions that follow, to 5 spots")
.shape(Shape::Spots);

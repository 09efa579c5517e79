//! Rows of the games on boards.

use grundy_core::game::Player;
use grundy_core::words;
use grundy_search::board::{BoardGame, BoardMethod, BoardRules};
use grundy_search::play::{Proofs, play};
use grundy_session::{Description, Parameter, Row, Session, Shape, Spec};
use grundy_sums::component::SummandRow;
use grundy_tables::TierOracle;

use crate::amazons::Amazons;
use crate::clobber::Clobber;
use crate::dobutsu::Dobutsu;
use crate::dodgem::Dodgem;
use crate::draughts::Draughts;
use crate::fading::Fading;
use crate::fanorona::Fanorona;
use crate::gobblers::Gobblers;
use crate::hounds::Hounds;
use crate::kaooa::Kaooa;
use crate::konane::Konane;
use crate::liberties::Liberties;
use crate::musketeers::Musketeers;
use crate::slides::Slides;
use crate::tigers::Tigers;
use crate::tsoro::Tsoro;

/// Games of this family that a sum can have.
pub static SUMMANDS: [SummandRow; 1] = [SummandRow {
    name: "clobber",
    default: "clobber:4x4",
    parameters: "RxC",
    open: |spec| Ok(BoardGame::new(read_clobber(spec)?).component()),
}];

/// Returns a session of a game in which positions repeat.
fn cyclic(spec: &Spec<'_>, rules: impl BoardRules) -> Session {
    BoardGame::new(rules).session(spec, &[BoardMethod::Discovered, BoardMethod::Proofs])
}

/// Returns a session of a game in which positions repeat and have indices.
fn indexed(spec: &Spec<'_>, rules: impl BoardRules) -> Session {
    BoardGame::new(rules).session(spec, &[BoardMethod::NumberedReversible, BoardMethod::Proofs])
}

/// Returns a session of a game in which no position repeats: with a table to `most` cells, beyond them without, since a search
/// proves a start position in seconds where finding all positions takes minutes or hours.
fn acyclic(spec: &Spec<'_>, rules: impl BoardRules, most: u32) -> Session {
    sized(spec, rules, most, &[BoardMethod::Discovered, BoardMethod::Proofs])
}

/// Returns a session with these methods, of which the first, a table, serves boards to `most` cells.
fn sized(spec: &Spec<'_>, rules: impl BoardRules, most: u32, methods: &[BoardMethod]) -> Session {
    let methods = if rules.layout().cells > most { &methods[1..] } else { methods };
    BoardGame::new(rules).session(spec, methods)
}

/// Returns a session of a game with too many positions for a table.
fn searched(spec: &Spec<'_>, rules: impl BoardRules) -> Session {
    BoardGame::new(rules).session(spec, &[BoardMethod::Proofs])
}

/// Returns rows and columns.
fn size(spec: &mut Spec<'_>, usual: [usize; 2]) -> Result<[usize; 2], String> {
    Ok(spec.size("RxC", 1..=64)?.unwrap_or(usual))
}

fn read_clobber(spec: &mut Spec<'_>) -> Result<Clobber, String> {
    let [rows, columns] = size(spec, [4, 4])?;
    Clobber::new(rows, columns)
}

/// The learned evaluation of English draughts: `grundy learn draughts:24men --minutes 20`.
const DRAUGHTS: &[u8] = include_bytes!("../weights/draughts_24men.weights");
/// The learned evaluation of the usual board of Fanorona: `grundy learn fanorona:5x9 --minutes 20`.
const FANORONA: &[u8] = include_bytes!("../weights/fanorona_5x9.weights");

/// The games of this family.
pub static ROWS: [Row; 18] = [
    Row::new("nogo", "nogo:3x4", |spec| {
        let [rows, columns] = size(spec, [3, 4])?;
        Ok(acyclic(spec, Liberties::nogo(rows, columns)?, 20))
    })
    .parameters("RxC")
    .about("stones that leave every group a liberty; last move wins")
    .title("NoGo")
    .rules(
        "Take turns to put a stone on a free point. Every group of stones, yours and the other \
         player's, must then still have a free point beside it; whoever cannot put a stone loses.",
    )
    .players("Black", "White")
    .details(&[Parameter::new("RxC", "rows and columns, to 36 points", "3x4")])
    .known("3x3 and 3x5 are won by the first player, 3x4 and 4x4 by the second")
    .letters("X is player one, O player two, . a free point")
    .method("to 20 cells a table of the positions that can be reached, by layers; else proof numbers and search"),
    Row::new("atari-go", "atari-go:3x4", |spec| {
        let [rows, columns] = size(spec, [3, 4])?;
        Ok(acyclic(spec, Liberties::atari_go(rows, columns)?, 20))
    })
    .parameters("RxC")
    .about("Go in which the first capture wins")
    .title("Atari Go")
    .rules(
        "Take turns to put a stone on a free point, but not where it has no liberty and takes \
         nothing. Whoever first takes the last liberty of a group of the other player wins, and \
         whoever cannot put a stone loses.",
    )
    .players("Black", "White")
    .details(&[Parameter::new("RxC", "rows and columns, to 36 points", "3x4")])
    .known("3x3, 3x4 and 3x5 are won by the first player, 4x4 by the second")
    .letters("X is player one, O player two, . a free point; a taken group stays on the board")
    .method("to 20 cells a table of the positions that can be reached, by layers; else proof numbers and search")
    .other_names(&[("capture-go", "atari-go"), ("first-capture-go", "atari-go")]),
    Row::new("clobber", "clobber:4x4", |spec| {
        let rules = read_clobber(spec)?;
        let methods = [BoardMethod::Discovered, BoardMethod::SumProofs, BoardMethod::Forms];
        Ok(sized(spec, rules, 18, &methods))
    })
    .parameters("RxC")
    .about("each move takes a neighbour; last move wins")
    .title("Clobber")
    .rules(
        "Take a neighbour of the other player, above, below or beside one of your men, with that \
         man, which takes its place. Whoever has no man beside one of the other player loses.",
    )
    .players("Black", "White")
    .details(&[Parameter::new("RxC", "rows and columns, to 60 cells", "4x4")])
    .known("4x4 is won by the first player in 11 plies, 4x5 in 15; 3x6 by the second in 12, 4x6 and 5x5 in 18; 5x6 by the second")
    .letters("X is a man of player one, O one of player two, . a free cell")
    .moves("b3-b4 moves from b3 onto the other's man on b4")
    .method(
        "to 18 cells a table of the positions that can be reached, by layers; else who wins by outcomes of sums, how soon by \
         proof numbers and search",
    ),
    Row::new("konane", "konane:4x4", |spec| {
        let [rows, columns] = size(spec, [4, 4])?;
        Ok(acyclic(spec, Konane::new(rows, columns)?, 25))
    })
    .parameters("RxC")
    .about("jump over stones on a full checkerboard; last move wins")
    .title("Konane")
    .rules(
        "Player one takes one of the middle stones of his colour off the full board, player two one \
         of his beside the hole. From then on jump with a stone over a neighbour of the other player \
         into the free cell behind it, and on in that line as far as you like; what was jumped over \
         is taken. Whoever cannot jump loses.",
    )
    .players("Black", "White")
    .details(&[Parameter::new("RxC", "rows and columns, to 60 cells", "4x4")])
    .known("4x4 to 4x8, 5x6 and 6x6 are won by the second player, 5x5 by the first")
    .letters("X is a stone of player one, O one of player two, . a free cell")
    .moves("b3 takes the stone on b3 off, b1-b3 jumps from b1 to b3")
    .method("to 25 cells a table of the positions that can be reached, by layers; else proof numbers and search"),
    Row::new("amazons", "amazons:4x4", |spec| {
        let [rows, columns] = size(spec, [4, 4])?;
        Ok(searched(spec, Amazons::new(rows, columns)?))
    })
    .parameters("RxC")
    .about("queens that shoot arrows; last move wins")
    .title("Amazons")
    .chessman('♛')
    .rules(
        "Move one of your four amazons as a queen moves in chess, and then shoot an arrow from it, \
         which flies as a queen moves and blocks the cell where it lands for the rest of the game. \
         Neither passes over anything. Whoever cannot move loses.",
    )
    .players("White", "Black")
    .details(&[Parameter::new("RxC", "rows, 4 to 8, and columns, 4 or 5", "4x4")])
    .known("4x4 and 5x4 are won by the second player, 4x5, 5x5 and 6x4 by the first")
    .letters("X is an amazon of player one, O one of player two, # an arrow, . a free cell")
    .moves("b1-b3-d1 moves an amazon from b1 to b3, which shoots an arrow to d1")
    .method("proof numbers and search"),
    Row::new("fanorona", "fanorona:3x5", |spec| {
        // Proof numbers tell who wins in seconds where finding all positions takes hours.
        let rules = read_fanorona(spec)?;
        Ok(sized(spec, rules, 21, &[BoardMethod::Discovered, BoardMethod::Proofs]))
    })
    .parameters("RxC")
    .about("take whole lines by approach or by withdrawal")
    .title("Fanorona")
    .rules(
        "Step with a man along a line to a free point, and take the unbroken line of men of the \
         other player in front of it or, instead, behind it. Taking is forced where it is possible; \
         the same man may then take on in another direction, at points where it was not before. \
         Whoever has no man or no move left loses; endless play is a draw.",
    )
    .players("White", "Black")
    .details(&[Parameter::new("RxC", "rows and columns, odd, to 45 points; 5x9 is the usual board", "3x5")])
    .known("boards of three rows or columns and 7x5 are won by the first player, 5x7 by the second; 5x5 and 5x9 are draws (Schadd et al. 2008)")
    .repeats()
    .letters("X is a man of player one, O one of player two, . a free point")
    .moves("a1-b1 moves; b1-b2a takes by approach, b1-b2w by withdrawal; b1-b2a-c3w takes twice")
    .method(
        "to 21 points a table of the positions that can be reached, by retrograde analysis; else proof numbers and search",
    )
    .weights(&[("fanorona:5x9", FANORONA)])
    .planned(|spec| Some(read_fanorona(spec).ok()?.plan())),
    Row::new("dodgem", "dodgem:3", |spec| {
        let [side] = spec.numbers("N", ',', 1..=64)?.unwrap_or([3]);
        Ok(indexed(spec, Dodgem::new(side)?))
    })
    .parameters("N")
    .about("cars that leave the board on the far side")
    .title("Dodgem")
    .rules(
        "Move one of your cars one cell forwards or sideways, never backwards, to a free cell: player \
         one's cars go right and leave the board there, player two's go up and leave it there. A \
         player who cannot move, since his cars have left or are blocked, wins; endless play is a draw.",
    )
    .players("Right", "Up")
    .shape(Shape::Men)
    .details(&[Parameter::new("N", "side of the board, 2 to 7", "3")])
    .known("3 is won by the first player, 4 and 5 are draws (desJardins 1996)")
    .repeats()
    .letters("X is a car of player one, which goes right, O one of player two, which goes up")
    .moves("a3-b3 moves a car from a3 to b3, c3 alone takes one off the board from c3")
    .method("table of the positions that can be reached, by retrograde analysis; else search"),
    Row::new("infinite-tictactoe", "infinite-tictactoe", |spec| {
        let rules = Fading::new(spec.flag("misere"))?;
        Ok(cyclic(spec, rules))
    })
    .parameters("misere")
    .about("three marks each, the fourth takes the oldest away")
    .title("Infinite Tic-tac-toe")
    .shape(Shape::Ages)
    .rules(
        "Take turns to put your mark on a free cell; when you put the fourth, the oldest of your \
         marks disappears. Whoever has three marks in a row, across, down or diagonally, wins; \
         endless play is a draw.",
    )
    .described(misere)
    .details(&[Parameter::new("misere", "three in a row lose", "they win")])
    .known("won by the first player in 13 plies; misere a draw")
    .repeats()
    .letters("3 is the newest mark of player one, 2 and 1 the ones before it, c, b and a those of player two")
    .method("table of the positions that can be reached, by retrograde analysis"),
    Row::new("hare-and-hounds", "hare-and-hounds", |spec| {
        let rules = read_hounds(spec)?;
        Ok(cyclic(spec, rules))
    })
    .parameters("length=N first=hare")
    .about("three hounds that never go back corner a hare")
    .title("Hare and Hounds")
    .rules(
        "Player one moves one of three hounds along a line to a free point, never further left; player \
         two moves the hare along a line in any direction. The hounds win when the hare cannot move, \
         the hare when no hound is left of it any more; endless play is a draw.",
    )
    .players("Hounds", "Hare")
    .details(&[
        Parameter::new("length=N", "points of an outer row: 3, 5 or 7", "3"),
        Parameter::new("first=hare", "the hare begins", "the hounds begin"),
    ])
    .known("the hounds win in 23 plies, and in 24 if the hare begins; with length=7 a draw if it begins")
    .repeats()
    .letters("X is a hound, O the hare, . a free point")
    .moves("a2-b2 moves from a2 to b2")
    .method("table of the positions that can be reached, by retrograde analysis")
    .planned(|spec| Some(read_hounds(spec).ok()?.points().plan()))
    .other_names(&[("french-military-game", "hare-and-hounds")]),
    Row::new("kaooa", "kaooa", |spec| {
        let rules = read_kaooa(spec)?;
        Ok(cyclic(spec, rules))
    })
    .parameters("crows=N captures=K move=early")
    .about("crows against a vulture on a pentagram")
    .title("Kaooa")
    .rules(
        "Player one puts six crows on the points of the star, one a turn, and then moves one along a \
         line each turn; player two puts a vulture, which moves along a line or takes a crow by jumping \
         over it to the free point behind. The vulture wins with the third crow that it takes, the \
         crows win when it cannot move; endless play is a draw.",
    )
    .players("Crows", "Vulture")
    .described(describe_kaooa)
    .details(&[
        Parameter::new("crows=N", "number of crows, 3 to 9", "6"),
        Parameter::new("captures=K", "number of captures that win for the vulture", "3"),
        Parameter::new("move=early", "crows may move before all are put", "they may not"),
    ])
    .known("a draw; seven crows win in 15 plies")
    .repeats()
    .letters("X is a crow, O the vulture, . a free point; then crows and vulture in hand")
    .moves("p1 puts a man, p1-p2 moves one, p1xt3 jumps to t3 and takes; t1 to t5 are the tips, p1 to p5 the inner points")
    .method("table of the positions that can be reached, by retrograde analysis")
    .planned(|spec| Some(read_kaooa(spec).ok()?.points().plan())),
    Row::new("tsoro-yematatu", "tsoro-yematatu", |spec| {
        let rules = read_tsoro(spec)?;
        Ok(cyclic(spec, rules))
    })
    .parameters("jump=stuck")
    .about("three stones each on a triangle of seven points")
    .title("Tsoro Yematatu")
    .rules(
        "Take turns to put your three stones on free points; when all are down, move one of them along \
         a line to the free point, one step or over one other stone. Whoever has three stones on a line \
         wins; a player who cannot move loses, and endless play is a draw.",
    )
    .described(|spec, usual| {
        let stuck = spec.key("jump").is_some();
        usual.reworded(stuck, "or over one other stone", "or, if no step is possible, over one other stone")
    })
    .details(&[Parameter::new("jump=stuck", "only a player without a step may jump", "every player may")])
    .known("a draw; with jump=stuck won by the first player in 11 plies")
    .repeats()
    .letters("X is player one, O player two, . a free point; then the stones in hand")
    .moves("a2 puts a stone, a2-b2 moves one or jumps with it")
    .method("table of the positions that can be reached, by retrograde analysis")
    .planned(|spec| Some(read_tsoro(spec).ok()?.points().plan())),
    Row::new("dao", "dao", |spec| {
        let rules = Slides::dao(spec.flag("trap"))?;
        Ok(cyclic(spec, rules))
    })
    .parameters("trap")
    .about("four sliding men each: a row, a square or the corners")
    .title("Dao")
    .players("Blue", "Red")
    .shape(Shape::Men)
    .rules(
        "Slide one of your four men straight or diagonally until the edge or another man stops it. Four \
         men in a row or a column, in a square of four neighbours, or in the four corners win; endless \
         play is a draw.",
    )
    .described(|spec, usual| {
        let trap = spec.flag("trap");
        usual.adding(trap, "Whoever shuts a man of the other player in a corner with three of his own loses.")
    })
    .details(&[Parameter::new("trap", "who shuts a man of the other in a corner loses", "he may")])
    .known("a draw, also with the trap")
    .repeats()
    .letters("X is a man of player one, O one of player two, . a free cell")
    .moves("a4-a2 moves a man from a4 to a2")
    .method("table of the positions that can be reached, by retrograde analysis"),
    Row::new("neutreeko", "neutreeko", |spec| {
        let rules = Slides::neutreeko()?;
        Ok(cyclic(spec, rules))
    })
    .about("three sliding men each: three neighbours in a line")
    .title("Neutreeko")
    .players("Black", "White")
    .rules(
        "Slide one of your three men straight or diagonally until the edge or another man stops it. Three \
         men side by side in a row, a column or a diagonal win; endless play is a draw.",
    )
    .known("a draw; the longest win takes 51 plies")
    .repeats()
    .letters("X is a man of player one, O one of player two, . a free cell")
    .moves("c4-c5 moves a man from c4 to c5")
    .method("table of the positions that can be reached, by retrograde analysis"),
    Row::new("three-musketeers", "three-musketeers:5", |spec| {
        let [side] = spec.numbers("N", ',', 1..=64)?.unwrap_or([5]);
        let game = BoardGame::new(Musketeers::new(side)?);
        Ok(game.session(spec, &[BoardMethod::Layers, BoardMethod::Proofs]))
    })
    .parameters("N")
    .about("three who must take, against enemies who line them up")
    .title("Three Musketeers")
    .rules(
        "Player one steps with a musketeer onto a neighbouring enemy, above, below or beside him, and \
         takes it; player two moves an enemy one cell to a free one. The enemies win when the three \
         musketeers stand in one row or column, the musketeers when they have nothing to take; enemies \
         without a move lose.",
    )
    .players("Musketeers", "Enemies")
    .shape(Shape::Men)
    .details(&[Parameter::new("N", "side of the board, 3 or 5", "5")])
    .known(
        "5 is won by the enemies in 33 plies (the winner: Laire 2009, Elabridi 2017), 3 by the musketeers in 10",
    )
    .letters("X is a musketeer, O an enemy, . a free cell")
    .moves("c3xc4 takes the enemy on c4, c4-c3 moves an enemy")
    .method("table of all positions by layers, on request; proof numbers and search"),
    Row::new("gobblers", "gobblers", |spec| Ok(indexed(spec, Gobblers)))
        .about("pieces of three sizes that cover smaller ones on 3x3")
        .title("Gobblet Gobblers")
        .shape(Shape::Cups)
        .rules(
            "Put a new piece, or move one of yours that is on top, onto a free cell or onto a smaller \
             piece of either player; you have two of each of three sizes. Whoever has three pieces on top \
             in a row, across, down or diagonally, wins. If a lifted piece uncovers a row of the other \
             player and does not land on it, the other wins; endless play is a draw.",
        )
        .players("Orange", "Blue")
        .known("won by the first player (Possibly Wrong, 2024; Liou); 341,024,631 positions up to symmetry")
        .repeats()
        .letters("S, M, L are small, medium and large pieces of player one, s, m, l those of player two, - a free cell")
        .moves("L@b2 puts a large piece on b2, b2-c3 moves a piece from b2 to c3")
        .method("table of the positions that can be reached, by retrograde analysis, on request; else search")
        .other_names(&[("gobblet-gobblers", "gobblers")]),
    Row::new("dobutsu", "dobutsu", |spec| Ok(indexed(spec, Dobutsu::new()?)))
    .about("shogi on three columns and four rows; take the lion")
    .title("Dobutsu Shogi")
    .shape(Shape::Tiles)
    .rules(
        "Move a man one step: the lion any way, the giraffe straight, the elephant slanting, the chick \
         forwards, and the hen, which a chick becomes on the last row, any way but slanting backwards; or \
         put a man that you have taken on a free cell. Whoever takes the lion wins, and so does whoever \
         moves his own lion to the last row where it is not attacked; endless play is a draw.",
    )
    .players("Forest", "Sky")
    .known("won by the second player in 78 plies (Tanaka 2009); 246,803,167 positions")
    .repeats()
    .letters("L, G, E, C, H are lion, giraffe, elephant, chick and hen of player one, l, g, e, c, h those of player two; then the hands")
    .moves("b2-b3 moves, also to take; C@a2 drops a chick from the hand on a2")
    .method("table of the positions that can be reached, by retrograde analysis, on request; else search")
    .other_names(&[("doubutsu", "dobutsu"), ("dobutsu-shogi", "dobutsu"), ("lets-catch-the-lion", "dobutsu")]),
    Row::new("bagh-chal", "bagh-chal", |spec| {
        let game = Tigers::new()?;
        let oracle = TierOracle::of(&game, spec)?;
        Ok(play(spec, game).oracle(oracle).search::<Proofs<_>>().session())
    })
    .parameters("tier=T")
    .about("four tigers against twenty goats")
    .title("Bagh-Chal")
    .rules(
        "Player one puts a goat on a free point each turn, until all twenty are put, and then moves one along a \
         line to a free point. Player two moves one of four tigers so, or jumps with it over a goat to the free \
         point behind and takes it. The fifth goat taken wins for the tigers; a player who cannot move loses; \
         endless play is a draw.",
    )
    .players("Goats", "Tigers")
    .details(&[Parameter::new(
        "tier=T",
        "for solve and tables: one tier and those it needs, as 0h0t: no goat in hand, none taken",
        "all that follow the start",
    )])
    .known("a draw (Lim and Nievergelt 2009); 88,260,972 positions up to symmetry when all goats are put")
    .repeats()
    .letters("X is a goat, O a tiger, . a free point; then the goats in hand")
    .moves("c3 puts a goat, c3-c4 moves a man, a1xc3 takes the goat between a1 and c3")
    .method("tiers by goats in hand and taken, each by retrograde analysis, from files; else search")
    .planned(|_| Some(Tigers::new().ok()?.points().plan()))
    .other_names(&[("tigers-and-goats", "bagh-chal"), ("baghchal", "bagh-chal")]),
    Row::new("draughts", "draughts:4men", |spec| {
        let word = spec.word().unwrap_or("4men");
        let most = words::men(word).ok_or_else(|| format!("bad game {word:?}: expected 2men to 6men, or 24men"))?;
        let game = Draughts::new(most as usize)?;
        let oracle = match game.indexed() {
            indexed if most as usize == indexed => TierOracle::of(&game, spec)?,
            indexed => TierOracle::new(&game, format!("draughts:{indexed}men"), None)?,
        };
        Ok(play(spec, game).oracle(oracle).search::<Proofs<_>>().session())
    })
    .parameters("Nmen tier=T")
    .about("English draughts (checkers), or endings with few men")
    .title("Draughts")
    .described(|spec, usual| match spec.word() {
        Some("24men") => usual.titled("English Draughts"),
        _ => usual,
    })
    .many_starts(|spec| spec.word() != Some("24men"))
    .shape(Shape::Draughts)
    .rules(
        "Step slanting forwards with a man, or in any slanting direction with a king, to a free square, or \
         jump over one of the other player's to the free square behind and take it, on to the end of the \
         jumps. Taking is forced; a man on the last row becomes a king. Whoever has no man or no move left \
         loses; endless play is a draw.",
    )
    .players("Black", "White")
    .details(&[
        Parameter::new("Nmen", "men and kings of both players together, 2 to 6; 24 for the whole game", "4men"),
        Parameter::new("tier=T", "for solve and tables: one tier and those it needs, as 1m1k-0m1k", "all that follow the start"),
    ])
    .known("a draw (Schaeffer et al. 2007); the longest wins take 13, 61 and 109 plies with 2, 3 and 4 men")
    .repeats()
    .weights(&[("draughts:24men", DRAUGHTS)])
    .letters("x is a man and X a king of player one, who goes up, o and O those of player two")
    .moves("c3-d4 moves, c3xe5xg7 jumps twice and takes two men")
    .method("tiers by men and kings, each by retrograde analysis, small ones built when needed; else search")
    .other_names(&[("checkers-endings", "draughts"), ("checkers", "draughts:24men"), ("english-draughts", "draughts:24men")]),
];

fn read_fanorona(spec: &mut Spec<'_>) -> Result<Fanorona, String> {
    let [rows, columns] = size(spec, [3, 5])?;
    Fanorona::new(rows, columns)
}

fn read_hounds(spec: &mut Spec<'_>) -> Result<Hounds, String> {
    let length = spec.number("length", 0..=usize::MAX)?.unwrap_or(3);
    let first = match spec.key("first") {
        None => Player::One,
        Some("hare") => Player::Two,
        Some(other) => return Err(format!("bad first={other}: expected first=hare")),
    };
    Hounds::new(length, first)
}

fn read_kaooa(spec: &mut Spec<'_>) -> Result<Kaooa, String> {
    let early = match spec.key("move") {
        None => false,
        Some("early") => true,
        Some(other) => return Err(format!("bad move={other}: expected move=early")),
    };
    let (crows, captures) = (spec.number("crows", 3..=9)?, spec.number("captures", 1..=9)?);
    Kaooa::new(crows.unwrap_or(6), captures.unwrap_or(3), early)
}

fn read_tsoro(spec: &mut Spec<'_>) -> Result<Tsoro, String> {
    match spec.key("jump") {
        None => Ok(Tsoro::new(false)),
        Some("stuck") => Ok(Tsoro::new(true)),
        Some(other) => Err(format!("bad jump={other}: expected jump=stuck")),
    }
}

/// Numbers in words.
const NUMBERS: [&str; 10] = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
/// Ordinal numbers in words.
const ORDINALS: [&str; 10] =
    ["", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"];

fn describe_kaooa(spec: &mut Spec<'_>, usual: Description) -> Description {
    let mut number = |key: &str, usual: usize| {
        spec.key(key).and_then(|number| number.parse().ok()).filter(|&number| number < 10).unwrap_or(usual)
    };
    let (crows, captures) = (number("crows", 6), number("captures", 3));
    let early = spec.key("move").is_some();
    usual
        .reworded(crows != 6, "puts six crows", &format!("puts {} crows", NUMBERS[crows]))
        .reworded(captures != 3, "the third crow", &format!("the {} crow", ORDINALS[captures]))
        .adding(early, "Crows may move before all are put.")
}

fn misere(spec: &mut Spec<'_>, usual: Description) -> Description {
    usual.reworded(spec.flag("misere"), "diagonally, wins", "diagonally, loses")
}

//! The contract of every game of this family.

use grundy_contract::Contract;
use grundy_core::game::Notation;
use grundy_placements::chopsticks::{Chopsticks, Transfers};
use grundy_placements::claims::Claims;
use grundy_placements::collapsi::Collapsi;
use grundy_placements::joust::Joust;
use grundy_placements::lewthwaite::Lewthwaite;
use grundy_placements::notakto::Notakto;
use grundy_placements::numerical::Numerical;
use grundy_placements::pentominoes::Pentominoes;
use grundy_placements::placement::{Kind, Placement};
use grundy_placements::quantik::Quantik;
use grundy_placements::quarto::Quarto;
use grundy_placements::sprouts::Sprouts;
use grundy_placements::subsets::Subsets;
use grundy_placements::wild::Wild;
use grundy_search::board::{BoardGame, BoardRules};
use grundy_sums::memo::ByMemo;
use grundy_sums::misere::ByQuotient;
use grundy_sums::outcomes::ByOutcomes;
use grundy_tables::discovered::Discovered;

fn placement(kind: Kind, rows: usize, columns: usize, misere: bool) -> Contract<BoardGame> {
    board(Placement::new(kind, rows, columns, misere).unwrap())
}

fn board(rules: impl BoardRules) -> Contract<BoardGame> {
    Contract::new(BoardGame::new(rules))
}

#[test]
fn dominoes_and_counters() {
    for (kind, rows, columns) in [
        (Kind::Cram, 3, 3),
        (Kind::Cram, 4, 3),
        (Kind::Cram, 1, 6),
        (Kind::TacTix, 2, 4),
        (Kind::TacTix, 3, 3),
    ] {
        placement(kind, rows, columns, false).sum().indexed().layers().search().run();
        placement(kind, rows, columns, true).indexed().layers().search().run();
    }
    placement(Kind::TacTix, 5, 2, false).sum().search().oracle("outcomes", ByOutcomes::default).run();
    placement(Kind::Cram, 4, 4, false).sum().limit(20_000).run();
    placement(Kind::Cram, 7, 6, false).heuristic().limit(300).run();
    placement(Kind::Cram, 8, 8, true).heuristic().limit(300).run();
    placement(Kind::TacTix, 1, 1, false).sum().layers().run();
}

#[test]
fn pieces_that_attack() {
    for (kind, rows, columns) in [
        (Kind::Queens, 4, 4),
        (Kind::Queens, 5, 3),
        (Kind::Kings, 4, 4),
        (Kind::Kings, 2, 6),
        (Kind::Knights, 3, 3),
        (Kind::Knights, 3, 4),
    ] {
        placement(kind, rows, columns, false).sum().search().run();
    }
    placement(Kind::Queens, 8, 8, false).heuristic().limit(300).run();
    placement(Kind::Knights, 1, 1, false).sum().run();
}

#[test]
fn pentominoes() {
    let pentominoes = |rows, columns| board(Pentominoes::new(rows, columns).unwrap());
    pentominoes(3, 4).search().run();
    pentominoes(5, 3).heuristic().endgame().run();
    pentominoes(4, 4).heuristic().endgame().limit(100).run();
    pentominoes(8, 8).perft(&[2_308]).heuristic().limit(2).run();
}

#[test]
fn notakto() {
    let notakto = |boards| board(Notakto::new(boards).unwrap());
    notakto(1).canonical(48).oracle("quotient", ByQuotient::default).run();
    notakto(2).limit(3_000).run();
    notakto(7).limit(500).run();
}

#[test]
fn subset_takeaway() {
    let subsets = |letters| board(Subsets::new(letters).unwrap());
    subsets(1).run();
    subsets(2).oracle("memo", ByMemo::default).run();
    subsets(3).oracle("memo", ByMemo::default).run();
    subsets(4).oracle("memo", ByMemo::default).run();
    subsets(6).limit(1_000).run();
    subsets(7).limit(500).run();
}

#[test]
fn sim_and_y() {
    let sim = |points, maker| board(Claims::sim(points, maker).unwrap()).indexed().layers();
    sim(3, false).run();
    sim(4, false).search().run();
    sim(4, true).run();
    board(Claims::sim(5, false).unwrap()).limit(300).run();
    board(Claims::sim(7, false).unwrap()).heuristic().limit(4).run();
    let y = |side| board(Claims::y(side).unwrap()).indexed().layers();
    y(1).positions(2).run();
    y(2).positions(13).search().run();
    y(3).positions(257).heuristic().run();
    board(Claims::y(4).unwrap()).positions(16_505).canonical(2_827).run();
    board(Claims::y(10).unwrap()).heuristic().limit(300).run();
}

#[test]
#[ignore = "half a minute in a release build: each position has 120 or 40,320 images"]
fn sim_on_more_points() {
    board(Claims::sim(5, false).unwrap()).positions(14_953).canonical(177).run();
    board(Claims::sim(8, false).unwrap()).heuristic().limit(8).run();
}

#[test]
fn joust() {
    let joust = |rows, columns| board(Joust::new(rows, columns).unwrap()).heuristic();
    joust(3, 4).positions(47).search().oracle("memo", ByMemo::default).run();
    joust(4, 4).positions(521).canonical(133).search().oracle("memo", ByMemo::default).run();
    joust(5, 4).positions(16_211).canonical(16_096).oracle("memo", ByMemo::default).run();
    joust(2, 1).run();
    joust(8, 8).limit(500).run();
}

#[test]
fn lewthwaite() {
    let lewthwaite = |side| board(Lewthwaite::new(side).unwrap()).oracle("memo", ByMemo::default);
    lewthwaite(3).positions(57).canonical(9).run();
    lewthwaite(5).limit(80_000).positions(72_725).canonical(9_122).run();
    board(Lewthwaite::new(7).unwrap()).limit(500).run();
}

#[test]
fn collapsi() {
    let collapsi = Collapsi::new("4222/2133/43XO/1311").unwrap();
    board(collapsi).oracle("memo", ByMemo::default).limit(40_000).run();
}

#[test]
fn chopsticks() {
    let counted = |fingers, rollover, transfers, count| {
        board(Chopsticks::new(fingers, rollover, transfers)).positions(count).indexed().retrograde()
    };
    counted(5, false, Transfers::Other, 342).run();
    counted(5, false, Transfers::Pass, 418).run();
    counted(4, false, Transfers::None, 76).run();
    counted(7, false, Transfers::None, 624).run();
    counted(8, false, Transfers::None, 1_079).run();
    counted(3, false, Transfers::Other, 42).run();
    counted(8, false, Transfers::Other, 2_234).run();
    counted(5, true, Transfers::Other, 408).run();
}

#[test]
fn wild_and_numerical() {
    board(Wild::new(false)).positions(18_753).canonical(2_694).indexed().layers().run();
    board(Wild::new(true)).indexed().layers().run();
    board(Numerical).from("5../.2./1.8 1").search().limit(5_000).run();
}

#[test]
#[ignore = "takes half a minute without optimisation"]
fn numerical_in_full() {
    board(Numerical).oracle("discovered", Discovered::new).limit(2_000).run();
}

#[test]
fn quantik_and_quarto() {
    board(Quantik::default()).perft(&[64]).heuristic().limit(10).run();
    board(Quantik::default())
        .from(".Db./.C.d/bAcA/C..d 1")
        .from("A.../B.d./dC.b/...A 2")
        .heuristic()
        .limit(15)
        .run();
    for squares in [false, true] {
        board(Quarto::new(squares)).perft(&[16, 16 * 16 * 15]).heuristic().limit(4).run();
    }
    for position in [".4../.f32/05a./e.c1 8 2", "79../.af6/.5../eb81 0 2", "..50/.72./4d.8/3.cf 6 2"] {
        board(Quarto::new(false)).at(position).search().endgame().run();
    }
    for position in ["f3../4..9/0.a6/5c.1 7 2", "6.21/..e3/..78/5.0c b 2", "e9.2/0f.5/c6../3.b. 8 2"] {
        board(Quarto::new(true)).at(position).search().endgame().run();
    }
}

#[test]
fn sprouts() {
    let sprouts = |spots, misere| Contract::new(Sprouts::new(spots, misere).unwrap());
    for spots in 1..=3 {
        sprouts(spots, false).sum().oracle("outcomes", ByOutcomes::default).run();
    }
    sprouts(2, true).oracle("memo", ByMemo::default).run();
    sprouts(3, true).oracle("memo", ByMemo::default).run();
    sprouts(5, false).limit(8).run();
    let game = Sprouts::new(3, false).unwrap();
    for (board, expected) in
        [("0.".repeat(13) + "}!", "more than 12 boundaries"), ("0.}".repeat(120) + "!", "spots")]
    {
        let refused = game.read_position(&format!("{board} 1")).unwrap_err();
        assert!(refused.contains(expected), "{board}: {refused}");
    }
}

//! Games whose method is the search.

use grundy_searched::connect4::{Connect4, ConnectFour};
use grundy_searched::domineering::Domineering;
use grundy_searched::hex::Hex;
use grundy_searched::kalah::Kalah;
use grundy_searched::othello::Othello;
use grundy_searched::pawns::Pawns;

use grundy_contract::Contract;

fn connect4(columns: usize, rows: usize) -> Contract<Connect4> {
    Contract::new(Connect4::new(columns, rows).unwrap()).search().endgame().retract()
}

#[test]
fn connect_four() {
    connect4(4, 4).limit(200_000).positions(161_029).run();
    connect4(7, 6)
        .perft(&[7, 49, 343, 2_401, 16_807, 117_649, 823_536])
        .from("...X..O/X..O..X/OX.XO.O/XO.OX.X/OX.OX.O/XOXXOOX 2")
        .limit(20_000)
        .run();
    connect4(3, 3).run();
    connect4(1, 5).run();
    connect4(5, 3).limit(50_000).run();
    connect4(8, 7).limit(1_000).run();
    connect4(2, 31).limit(1_000).run();
    let large =
        |columns, rows| Contract::new(ConnectFour::<u128>::new(columns, rows).unwrap()).search().endgame();
    large(9, 7).limit(1_000).run();
    large(4, 4).limit(20_000).run();
}

#[test]
fn othello() {
    let othello =
        |columns, rows, win| Contract::new(Othello::new(columns, rows, win).unwrap()).search().endgame();
    othello(4, 4, false).perft(&[4, 12]).limit(30_000).run();
    othello(4, 4, true).limit(30_000).run();
    othello(6, 4, false).perft(&[4, 12]).limit(5_000).run();
    othello(4, 8, false).limit(1_000).run();
    othello(6, 6, false).perft(&[4, 12, 56]).limit(1_000).run();
    othello(8, 8, true).limit(1_000).run();
    othello(8, 8, false)
        .perft(&[4, 12, 56, 244, 1_396, 8_200, 55_092])
        .from("OOOOOOXX/OXOXXOXX/OOXOXXXX/OXOOXOXX/OXOXOXX./OOXXXXX./.OXXXX../..OOO.X. 1")
        .limit(20_000)
        .run();
}

#[test]
fn hex() {
    let hex = |side| Contract::new(Hex::new(side).unwrap()).search();
    hex(1).run();
    hex(2).run();
    hex(3).limit(20_000).run();
    hex(4).limit(1_000).run();
    hex(5).from("XOX.O/O.XOX/XO..O/OXOX./.XO.X 1").limit(20_000).run();
    hex(11).limit(1_000).run();
}

#[test]
fn domineering() {
    let domineering = |rows, columns| Contract::new(Domineering::new(rows, columns).unwrap()).search();
    domineering(3, 3).run();
    domineering(4, 4).limit(20_000).run();
    domineering(2, 5).run();
    domineering(1, 6).run();
    domineering(6, 1).run();
    domineering(8, 8).limit(1_000).run();
}

#[test]
fn breakthrough_and_hexapawn() {
    let breakthrough = |columns, rows| Contract::new(Pawns::breakthrough(columns, rows).unwrap()).search();
    breakthrough(2, 4).run();
    breakthrough(3, 5).limit(40_000).run();
    breakthrough(8, 8).perft(&[22, 484]).limit(1_000).run();
    let hexapawn = |columns, rows| Contract::new(Pawns::hexapawn(columns, rows).unwrap()).search();
    hexapawn(3, 3).run();
    hexapawn(4, 4).limit(40_000).run();
    hexapawn(2, 3).run();
}

#[test]
fn kalah() {
    let kalah = |pits, seeds| Contract::new(Kalah::new(pits, seeds).unwrap()).search();
    kalah(1, 4).thresholds().endgames().run();
    kalah(2, 3).thresholds().endgames().run();
    Contract::new(Kalah::new(3, 1).unwrap()).every_index().thresholds().run();
    kalah(3, 2).limit(40_000).run();
    kalah(6, 4).limit(1_000).run();
    kalah(8, 10).limit(1_000).run();
}

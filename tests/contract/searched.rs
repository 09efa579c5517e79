//! Games whose method is the search.

use grundy::games::connect4::Connect4;

use crate::suite::Contract;

fn connect4(columns: usize, rows: usize) -> Contract<Connect4> {
    Contract::new(Connect4::new(columns, rows).unwrap()).search()
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
}

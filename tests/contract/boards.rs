//! Games on boards.

use grundy::games::euler::{Euler, Variant};
use grundy::games::lgame::LGame;
use grundy::games::mnk::Mnk;

use crate::suite::Contract;

fn mnk(columns: usize, rows: usize, k: usize, misere: bool) -> Contract<Mnk> {
    Contract::new(Mnk::new(columns, rows, k, misere).unwrap()).indexed().acyclic().heuristic()
}

#[test]
fn tictactoe() {
    mnk(3, 3, 3, false)
        .positions(5_478)
        .keys(765)
        .perft(&[9, 72, 504, 3024, 15_120, 54_720, 148_176, 200_448, 127_872])
        .layers()
        .retrograde()
        .run();
}

#[test]
fn misere_tictactoe() {
    mnk(3, 3, 3, true).positions(5_478).keys(765).layers().retrograde().run();
}

#[test]
fn mnk_on_other_boards() {
    mnk(4, 3, 3, false).limit(400_000).layers().run();
    mnk(2, 5, 2, true).layers().run();
    mnk(1, 1, 1, false).layers().run();
    mnk(5, 1, 3, false).run();
    mnk(4, 4, 4, false).limit(5_000).run();
    mnk(8, 5, 4, true).limit(1_000).run();
}

#[test]
fn mnk_on_boards_without_a_numbering() {
    Contract::new(Mnk::new(8, 8, 5, false).unwrap()).heuristic().limit(1_000).run();
    Contract::new(Mnk::new(26, 2, 5, false).unwrap()).heuristic().limit(1_000).run();
}

#[test]
fn euler() {
    let euler = |rows, columns, variant| {
        Contract::new(Euler::new(rows, columns, variant).unwrap()).indexed().heuristic().layers()
    };
    let (normal, short) = (|longest| Variant { normal: true, short: false, longest }, true);
    euler(4, 4, Variant::default()).limit(140_000).keys(8_548).numbers(65_536).run();
    euler(3, 4, Variant { short, ..normal(2) }).run();
    euler(1, 1, Variant { short, ..Variant::default() }).run();
    euler(2, 5, normal(4)).retrograde().run();
    Contract::new(Euler::new(5, 5, normal(3)).unwrap()).indexed().acyclic().heuristic().limit(1_000).run();
}

#[test]
fn lgame() {
    Contract::new(LGame).positions(2 * 18_368).indexed().numbers(2_296).retrograde().backwards().run();
}

//! Draughts: Portable Draughts Notation (PDN).

use grundy_captures::draughts::Draughts;
use grundy_core::game::{Game, Notation};

#[test]
fn numbers_of_pdn_are_read() {
    let game = Draughts::new(24).unwrap();
    let start = game.start();
    assert_eq!(game.read_position("B:W21-32:B1-12"), Ok(start));
    let mut position = start;
    for word in ["11-15", "22-18", "15x22", "25x18"] {
        let m = game.read_move(&position, word).unwrap();
        position = game.play(&position, m);
    }
    let text = game.write_position(&position);
    assert_eq!(
        game.read_position("B:W18,21,23,24,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12").unwrap(),
        position
    );
    assert_eq!(game.read_position(&text), Ok(position));
    assert_eq!(game.read_move(&start, "11-16").map(|m| game.write_move(&start, m)).as_deref(), Some("c3-b4"));
    for word in ["11-17", "11x15", "33-34", "11-", "", "-"] {
        assert_eq!(game.read_move(&start, word), None, "{word}");
    }
    for text in ["B:W21:B33", "B:W0:B1", "X:W21:B1", "B:W21:C1", "B:", "B:W1-99999999999:B2"] {
        assert!(game.read_position(text).is_err(), "{text}");
    }
}

#[test]
fn long_jumps_are_named_by_their_ends_where_no_other_has_them() {
    let game = Draughts::new(6).unwrap();
    let read = |position: &str, word| {
        let position = game.read_position(position).unwrap();
        game.read_move(&position, word).map(|m| game.write_move(&position, m))
    };
    let [two, one] = ["B:W15,16,23,24:B11", "B:W16,24:B11"];
    assert_eq!(read(two, "11x27"), None);
    assert_eq!(read(two, "11x20x27").as_deref(), Some("c3xa5xc7"));
    assert_eq!(read(one, "11x27").as_deref(), Some("c3xa5xc7"));
}

//! Endings as tables: made by numbers, proved position by position, read back.

use grundy_chess::{Chess, Material};
use grundy_contract::open;
use grundy_core::game::{Game, Indexed, Notation, legal_moves};
use grundy_core::table::{Disk, Packing, Scratch, Table, write};
use grundy_session::quiet_work;
use grundy_tables::Oracle;

use super::endings::{library, random_position, seeded};

/// Makes the table of a game, proves the local equation at every position of it and of all that can come of it, and
/// returns how many numbers have positions. The table goes through a file: made in memory, it would lay out a block of
/// cells for every value that is asked for.
fn proved(name: &str) -> u64 {
    let session = open(&grundy_chess::ROWS, name);
    let game = session.tabled(None).unwrap();
    let made = game.solve(&quiet_work(), &Scratch::none()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    write(&Disk, &path, &game.label(), &made, Packing::Plain, 1).unwrap();
    let table = Table::open(&path).unwrap();
    game.verify(&table, &quiet_work()).unwrap();
    (0..table.count()).filter(|&number| game.position(number).is_some()).count() as u64
}

#[test]
fn every_position_of_king_and_queen_against_king_is_worth_the_best_of_its_children() {
    // By the independent counts: 18,081 white to move and 28,056 black to move up to symmetry; pairs of kings on the
    // diagonal keep both images, and there are bare kings.
    assert!(proved("chess:KQvK") > 18_081 + 28_056 + 2 * 462);
}

#[test]
#[ignore = "four million numbers: 3 s"]
fn every_position_of_king_and_pawn_against_king_is_worth_the_best_of_its_children() {
    assert!(proved("chess:KPvK") > 62_480 + 19_184 + 35_210 + 48_802);
}

#[test]
fn every_position_of_five_men_with_pawns_has_a_number_of_its_own() {
    let chess = Chess::new();
    let mut random = seeded(5);
    for name in ["KRPvKR", "KRvKRP", "KQPvKP", "KPPvKP", "KPvKPP", "KRPPvK", "KPPPvK", "KPPvKN"] {
        let ending = Material::read(name).unwrap();
        let game = Chess::ending(ending).unwrap();
        let (mut asked, mut passing) = (0, 0);
        while asked < 2000 {
            let Some(position) = random_position(&chess, ending, &mut random) else { continue };
            asked += 1;
            passing += u32::from(position.en_passant().is_some());
            let number = game.index(&position);
            let found = game.position(number).expect("the number has a position");
            let fen = chess.write_position(&position);
            assert_eq!(game.index(&found), number, "{fen}");
            // Symmetric positions have the same number, so that the same moves come of both.
            assert_eq!(legal_moves(&game, &found).len(), legal_moves(&game, &position).len(), "{fen}");
            assert_eq!(
                game.canonical(&found).en_passant().is_some(),
                position.en_passant().is_some(),
                "{fen}"
            );
        }
        assert!(passing > 0 || !name.split('v').all(|side| side.contains('P')), "{name}");
    }
}

#[test]
fn an_ending_of_too_many_men_has_no_table() {
    assert!(open(&grundy_chess::ROWS, "chess:KQQvKRR").tabled(None).is_none());
    assert!(open(&grundy_chess::ROWS, "chess").tabled(None).is_none());
}

#[test]
fn a_table_on_disk_says_what_the_tables_in_memory_say_however_the_board_is_turned() {
    let chess = Chess::new();
    let mut random = seeded(99);
    for name in ["KRRvK", "KNvKP"] {
        let ending = Material::read(name).unwrap();
        let game = Chess::ending(ending).unwrap();
        let session = open(&grundy_chess::ROWS, &format!("chess:{name}"));
        let made = session.tabled(None).unwrap().solve(&quiet_work(), &Scratch::none()).unwrap();
        let mut asked = 0;
        while asked < 5000 {
            let ending = if random(2) == 0 { ending } else { ending.swapped() };
            let Some(position) = random_position(&chess, ending, &mut random) else { continue };
            asked += 1;
            let value = made.get(game.index(&position));
            let fen = chess.write_position(&position);
            if chess.over(&position).is_none() {
                assert_eq!(value, library().value(&chess, &position), "{fen}");
            }
            let number = game.index(&position);
            assert_eq!(game.position(number).map(|found| game.index(&found)), Some(number), "{fen}");
        }
    }
}

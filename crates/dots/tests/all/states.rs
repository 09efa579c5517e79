//! Tables of loony states by groups of lines.

use std::collections::HashMap;
use std::time::Duration;

use grundy_core::game::{Indexed, Notation};
use grundy_core::table::{Disk, Folder, Packing, Scratch, Table, write};
use grundy_dots::{Dots, Setup};
use grundy_search::play::Play;
use grundy_session::{Assurance, Settings, SolveError, VerifyError, quiet_work};
use grundy_tables::groups::{
    Book, ByGroups, MemoryStore, Split, StringsAndCoins, kept_parts, solve, solve_states,
};
use grundy_tables::loony::{self, LoonyTable};

type Board = Dots<u32>;

#[test]
fn loony_states_by_groups_are_those_in_one_piece() {
    for (rows, cols) in [(1, 1), (1, 4), (2, 2), (2, 3)] {
        let game = Board::new(Setup::empty(rows, cols)).unwrap();
        let whole = loony::solve(&game, &quiet_work()).unwrap();
        let split = Split::new(&game.coins().unwrap()).unwrap();
        let values = solve(&split, usize::MAX, &mut MemoryStore::default(), &quiet_work()).unwrap();
        let store = &mut MemoryStore::default();
        let states = solve_states(&game, &split, &values, store, &quiet_work()).unwrap();
        let mut before = HashMap::new();
        let mut count = 0;
        for part in kept_parts(&split, split.strings()) {
            before.insert(part, count);
            count += split.size(part);
        }
        assert_eq!(states.count(), count);
        for number in 0..game.size() {
            let position = game.position(number).unwrap();
            let (part, at) = split.number(game.strings_left(&position));
            let found = states.get(before[&part] + at);
            assert_eq!(found, whole.get(number), "{}", game.write_position(&position));
        }
    }
}

#[test]
fn loony_states_by_groups_are_kept_in_a_file_and_proved_given_the_values() {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { tables: Some(folder.path().to_owned()), ..Settings::default() };
    let open = |states: bool| {
        let oracle = LoonyTable::new(Book::new(), ByGroups, "small".to_owned(), states);
        let name = if states { "small:loony" } else { "small" };
        let mut session =
            Play::new(name, Board::new(Setup::empty(2, 2)).unwrap()).annotating_oracle(oracle).session();
        session.configure(&settings);
        session
    };
    let tables = Folder::find(Some(folder.path()));
    tables.make().unwrap();
    let make = |states: bool| {
        let session = open(states);
        let game = session.tabled(None).unwrap();
        let table = game.solve(&quiet_work(), &Scratch::new(tables.clone(), Duration::MAX))?;
        write(&Disk, &tables.file(game.name()), &game.label(), &table, Packing::Packed, 1).unwrap();
        let path = tables.file(game.name());
        let written = Table::open_for(&path, game.name(), game.fingerprint(), game.count()).unwrap();
        Ok(game.verify(&written, &quiet_work()).unwrap())
    };
    let early: Result<Assurance, SolveError> = make(true);
    assert!(matches!(early, Err(SolveError::NoTable { .. })), "states rest on the values");
    assert_eq!(make(false), Ok(Assurance::Proved));
    assert_eq!(make(true), Ok(Assurance::Given("the table of small".to_owned())));
    // A state that is not what the rules make of it is found.
    let session = open(true);
    let game = session.tabled(None).unwrap();
    let table = Table::open_for(&tables.file("small:loony"), "small:loony", game.fingerprint(), game.count());
    let table = table.unwrap();
    let mut cells = vec![0; game.count().div_ceil(4) as usize];
    for number in 0..game.count() {
        let code = table.coding().encode(table.get(number).unwrap()).unwrap() as u8;
        let code = if number == 100 { code % 3 + 1 } else { code };
        cells[number as usize / 4] |= code << (2 * (number % 4));
    }
    let forged = Table::from_cells(table.coding(), game.count(), cells).unwrap();
    assert!(matches!(game.verify(&forged, &quiet_work()), Err(VerifyError::Wrong { .. })));
    // A session reads what it is asked for from the file.
    let mut session = open(false);
    session.setup(Some("--/|.|/.-/|||/-- 0-0 1")).unwrap();
    assert_eq!(session.annotate(&quiet_work().within(Duration::ZERO)).unwrap().position, '^');
    session.setup(None).unwrap();
    assert_ne!(session.annotate(&quiet_work().within(Duration::ZERO)).unwrap().position, '?');
}

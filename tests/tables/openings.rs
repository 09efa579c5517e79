//! An opening book in the folder of tables answers as far as it goes, and proves itself.

use std::sync::atomic::AtomicBool;

use grundy::catalog;
use grundy::session::{Go, Settings};
use grundy::solve::quiet_work;
use grundy::table::{Disk, Folder, Form, Label, NoKeep, Table, write};
use grundy::value::{Value, Wdl};

#[test]
fn the_engine_answers_from_an_opening_book_as_far_as_it_goes() {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { tables: Some(folder.path().to_owned()), ..Settings::default() };
    let open = |name| catalog::open(name, &settings).unwrap();
    assert_eq!(open("connect4:5x4").value(), None, "there is no book yet");
    assert!(open("connect4:5x4").tabled().is_none());

    let named = open("connect4:5x4:book=3");
    let door = named.tabled().unwrap();
    let table = door.solve(&quiet_work(), &mut NoKeep).unwrap();
    door.verify(&table, &quiet_work()).unwrap();
    let label = Label { name: door.name().to_owned(), fingerprint: door.fingerprint(), maker: door.maker() };
    let file = Folder::find(settings.tables.as_deref()).file(door.name());
    write(&Disk, &file, &label, &table, Form::Packed, 1).unwrap();
    door.verify(&Table::open(&file).unwrap(), &quiet_work()).unwrap();

    let mut session = open("connect4:5x4");
    // J. Tromp: 5 columns of 4 rows are a draw.
    assert_eq!(session.value(), Some(Value::DRAW));
    for (word, known) in [("c", true), ("c", true), ("d", true), ("a", false)] {
        let values = session.values(10).moves;
        let value = values.iter().find(|m| m.word == word).and_then(|m| m.value);
        session.play(word).unwrap();
        assert_eq!(session.value().is_some(), known, "after {word}");
        assert_eq!(value.map(Value::wdl), session.value().map(|v| turned(v.wdl())), "after {word}");
    }

    // At its end the book knows a position and none of its moves: it is left to search for one that keeps the value.
    let bare = tempfile::tempdir().unwrap();
    let without = Settings { tables: Some(bare.path().to_owned()), ..settings.clone() };
    let [with, without] = [&settings, &without].map(|settings| {
        let mut session = catalog::open("connect4:5x4", settings).unwrap();
        ["c", "c", "d"].iter().for_each(|word| session.play(word).unwrap());
        let mut last = None;
        session.go(&Go::default(), &AtomicBool::new(false), &mut |info| last = Some(info.clone()));
        last.unwrap()
    });
    assert_eq!(with.score, without.score);
    assert!(with.score.exact().is_some());
    assert!(with.nodes < without.nodes, "{} and {}", with.nodes, without.nodes);
}

fn turned(wdl: Wdl) -> Wdl {
    match wdl {
        Wdl::Win => Wdl::Loss,
        Wdl::Draw => Wdl::Draw,
        Wdl::Loss => Wdl::Win,
    }
}

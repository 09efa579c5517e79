//! An opening book in the folder of tables answers the positions it contains, and can be proved.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use grundy::catalog;
use grundy::games::connect4::Connect4;
use grundy::search::alpha_beta::AlphaBeta;
use grundy::search::play::Play;
use grundy::session::quiet_work;
use grundy::session::{Go, Session, Settings};
use grundy::table::{Disk, Folder, Label, Packing, Scratch, Table, write};
use grundy::value::{Value, Wdl};

#[test]
fn the_engine_answers_from_an_opening_book_as_far_as_it_goes() {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { tables: Some(folder.path().to_owned()), ..Settings::default() };
    let open = |name| catalog::open(name, &settings).unwrap();
    assert_eq!(open("connect4:5x4").value(), None, "there is no book yet");
    assert!(open("connect4:5x4").tabled(None).is_none());

    let named = open("connect4:5x4:book=3");
    let door = named.tabled(None).unwrap();
    let table = door.solve(&quiet_work(), &Scratch::none()).unwrap();
    door.verify(&table, &quiet_work()).unwrap();
    let label = door.label();
    let file = Folder::find(settings.tables.as_deref()).file(door.name());
    write(&Disk, &file, &label, &table, Packing::Packed, 1).unwrap();
    door.verify(&Table::open(&file).unwrap(), &quiet_work()).unwrap();

    let mut session = open("connect4:5x4");
    // J. Tromp: 5x4 is a draw.
    assert_eq!(session.value(), Some(Value::DRAW));
    for (word, known) in [("c", true), ("c", true), ("d", true), ("a", false)] {
        let values = session.values(10).moves;
        let value = values.iter().find(|m| m.word == word).and_then(|m| m.value);
        session.play(word).unwrap();
        assert_eq!(session.value().is_some(), known, "after {word}");
        assert_eq!(value.map(Value::wdl), session.value().map(|v| turned(v.wdl())), "after {word}");
    }

    // The book has the positions at its end, and some of those one move later follow from it: the rest
    // is searched, with the same result as without the book.
    let bare = tempfile::tempdir().unwrap();
    let without = Settings { tables: Some(bare.path().to_owned()), ..settings.clone() };
    let mut sides =
        [&settings, &without].map(|settings| (catalog::open("connect4:5x4", settings).unwrap(), settings));
    let mut nodes = [[0; 2]; 5];
    let mut known = [[0; 2]; 5];
    for line in lines(&mut sides[0].0, 4) {
        let mut said = Vec::new();
        for (side, (session, settings)) in sides.iter_mut().enumerate() {
            session.configure(settings);
            session.setup(None).unwrap();
            line.iter().for_each(|word| drop(session.play(word).unwrap()));
            let mut last = None;
            session.think(&Go::default(), &AtomicBool::new(false), &mut |info| last = Some(info.clone()));
            let last = last.unwrap();
            nodes[line.len()][side] += last.nodes;
            said.push(last.score);
        }
        assert_eq!(said[0], said[1], "after {line:?}");
        assert!(said[1].exact().is_some(), "after {line:?}");
        let value = sides[0].0.value();
        assert!(value.is_none() || value == said[1].exact(), "{value:?} after {line:?}");
        known[line.len()][0] += usize::from(value.is_some());
        known[line.len()][1] += 1;
    }
    assert!(known[..4].iter().all(|[found, all]| found == all), "{known:?}");
    assert!(known[4][0] > 0, "{known:?}");
    assert!(nodes.iter().all(|[with, without]| with < without), "{nodes:?}");
}

#[test]
fn a_book_that_ships_needs_no_folder() {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { tables: Some(folder.path().to_owned()), ..Settings::default() };
    let mut made = Vec::new();
    for plies in [2, 3] {
        let name = format!("connect4:5x4:book={plies}");
        let session = catalog::open(&name, &settings).unwrap();
        let door = session.tabled(None).unwrap();
        let table = door.solve(&quiet_work(), &Scratch::none()).unwrap();
        let label = Label { name, fingerprint: door.fingerprint(), maker: door.maker() };
        let file = folder.path().join(format!("{plies}.book"));
        let packing = if plies == 2 { Packing::Plain } else { Packing::Packed };
        write(&Disk, &file, &label, &table, packing, 1).unwrap();
        made.push(std::fs::read(&file).unwrap());
        assert_eq!(Table::read(made.last().unwrap()).unwrap().1, table);
    }
    let open = |book: &[u8], settings: &Settings| {
        let book: &'static [u8] = Box::leak(book.to_vec().into_boxed_slice());
        let game = Connect4::new(5, 4).unwrap();
        let play = Play::new("connect4:5x4", game).openings(None, Some(book));
        let mut session = play.search::<AlphaBeta<_>>().session();
        session.configure(settings);
        session
    };
    let known = |mut session: Session, moves: &[&str]| {
        moves.iter().for_each(|word| drop(session.play(word).unwrap()));
        session.value()
    };
    assert_eq!(known(open(&made[0], &settings), &[]), Some(Value::DRAW));
    assert_eq!(known(open(&made[0], &settings).at_start(), &["c", "c"]).map(Value::wdl), Some(Wdl::Draw));
    let off = Settings { own_book: false, ..settings.clone() };
    assert_eq!(known(open(&made[0], &off), &[]), None, "OwnBook turns it off");
    assert_eq!(known(open(&made[0], &off).at_start(), &[]), None, "in forks, too");
    // A longer one in the folder is preferred.
    let beyond = ["b", "b", "a"];
    assert_eq!(known(open(&made[0], &settings), &beyond), None);
    let file = Folder::find(settings.tables.as_deref()).file("connect4:5x4:book=3");
    std::fs::write(&file, &made[1]).unwrap();
    let value = known(open(&made[0], &settings), &beyond);
    assert!(value.is_some());
    std::fs::remove_file(&file).unwrap();
    assert_eq!(known(open(&made[1], &settings), &beyond), value);
    // No damaged byte is believed.
    for book in &made {
        for at in (0..book.len()).step_by(book.len() / 200) {
            let mut damaged = book.clone();
            damaged[at] ^= 4;
            assert!(Table::read(&damaged).is_err(), "byte {at}");
        }
        assert!((0..book.len()).step_by(97).all(|len| Table::read(&book[..len]).is_err()));
        assert_eq!(known(open(&book[..book.len() - 1], &settings), &[]), None);
    }
}

#[test]
fn the_book_that_ships_is_the_one_of_the_usual_board() {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { tables: Some(folder.path().to_owned()), ..Settings::default() };
    let mut session = catalog::open("connect4:7x6", &settings).unwrap();
    // J. Allen 1988, V. Allis 1988; distances by J. Tromp.
    assert_eq!(session.value(), Some(Value::win_in(41)));
    let said = session.values(7).moves.into_iter().map(|m| (m.word, m.value.map(Value::wdl)));
    let mut said: Vec<_> = said.collect();
    said.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    let outcomes: Vec<Wdl> = said.into_iter().filter_map(|(_, wdl)| wdl).collect();
    use Wdl::{Draw, Loss, Win};
    assert_eq!(outcomes, [Loss, Loss, Draw, Win, Draw, Loss, Loss]);
}

/// Returns one line to each position within `plies` plies, without mirror images.
fn lines(session: &mut Session, plies: usize) -> Vec<Vec<String>> {
    let mut all = vec![Vec::new()];
    let mut seen = HashSet::new();
    let mut done = 0;
    while done < all.len() {
        let line: Vec<String> = all[done].clone();
        done += 1;
        session.setup(None).unwrap();
        line.iter().for_each(|word| drop(session.play(word).unwrap()));
        if line.len() == plies {
            continue;
        }
        for word in session.legal_moves(9) {
            session.play(&word).unwrap();
            if seen.insert(session.canonical()) {
                all.push([&line[..], &[word]].concat());
            }
            session.undo();
        }
    }
    all
}

fn turned(wdl: Wdl) -> Wdl {
    match wdl {
        Wdl::Win => Wdl::Loss,
        Wdl::Draw => Wdl::Draw,
        Wdl::Loss => Wdl::Win,
    }
}

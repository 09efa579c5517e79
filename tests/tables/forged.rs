//! Forged tables of real games, with right checksums: whatever is proved is true.
//!
//! Every kind of table is here: the tests fail if a type that implements [`Tabled`], or a game of the catalog with a
//! table, has no forgeries.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use grundy::game::Notation as _;
use grundy::games::chess::Chess;
use grundy::games::dots::{Dots, Setup};
use grundy::session::{Assurance, Home, Need, Session, Settings, Tabled, quiet_work};
use grundy::table::{Coding, Disk, Folder, Label, Meaning, Packing, Scratch, Table, Width, write};
use grundy::tables::Oracle;
use grundy::tables::bitparallel::{Library, LibraryOracle};
use grundy::tables::groups::{Book, ByGroups};
use grundy::tables::loony::LoonyTable;
use grundy::value::Value;

use crate::tools::Dice;

/// The effort that the forgeries of a game take.
#[derive(Clone, Copy, PartialEq)]
enum Size {
    /// The values are compared with those of sweeps over the rules.
    Small,
    /// Its honest values, which other tests compare with outside figures, are the truth.
    Known,
    /// The same, and few forgeries are made.
    Few,
}

/// Small games of every kind of table; those with `.rbg` or `.dot` are files that [`write_files`] writes.
const GAMES: [(&str, Size); 16] = [
    ("graph", Size::Small),
    ("graph:file=points.dot", Size::Small),
    ("graph:file=halves.dot", Size::Small),
    ("police:C../.*./..T/E..", Size::Small),
    ("teeko:3x3", Size::Few),
    ("mnk:2,2,2", Size::Small),
    ("dots:1x2", Size::Small),
    ("dots:1x2:loony", Size::Known),
    ("chomp:3x3", Size::Small),
    ("stones:..X.X:table", Size::Small),
    ("euler:2x2", Size::Small),
    ("rules:file=round.rbg", Size::Small),
    ("rules:file=fill.rbg", Size::Small),
    ("rules:file=points.rbg", Size::Small),
    ("rules:file=coins.rbg", Size::Small),
    ("connect4:4x4:book=1", Size::Few),
];

/// Larger ones, which take minutes.
const LARGE: [(&str, Size); 2] = [("rules:tictactoe", Size::Few), ("chess:KRvK", Size::Few)];

/// A row of cells that begins with these pieces; more than 40 are not numbered by a formula.
fn row(begins: &str, filler: &str, length: usize) -> String {
    let cells: Vec<&str> = begins.split(',').chain(std::iter::repeat(filler)).take(length).collect();
    format!("#board = rectangle(up,down,left,right,[{}])\n#any = (left* + right*)\n", cells.join(","))
}

/// Writes the games of [`GAMES`] that come from files.
pub fn write_files(folder: &Path) {
    let head = |value: &str, pieces: &str| {
        format!("//@ value {value}\n#players = a(100), b(100)\n#pieces = {pieces}\n#variables =\n")
    };
    let files = [
        (
            "points.dot",
            "digraph { a [start=true]; a -> b -> a; a -> d; b -> c; c [value=2]; d [value=-1] }".to_owned(),
        ),
        (
            "halves.dot",
            "digraph { a [start=true]; a -> b; a -> c -> d; b [value=\"1/2\"]; d [value=-1] }".to_owned(),
        ),
        // Both players move one man to and fro.
        (
            "round.rbg",
            head("outcome", "e, x")
                + &row("x,e,e", "e", 45)
                + "#rules = [$ a=50, b=50](->a any {x} [e] (left + right) {e} [x] ->b any {x} [e] (left + right) {e} [x])*\n",
        ),
        // The player who fills the last free cell wins.
        (
            "fill.rbg",
            head("outcome", "e, x")
                + &row("e,x,e,e,x,e", "x", 45)
                + "#rules = (->a any {e} [x] [$ a=100, b=0] ->b any {e} [x] [$ a=0, b=100])*\n",
        ),
        // A cell counts two if the one on its left is free.
        (
            "points.rbg",
            head("score", "e, x")
                + &row("x,e,e,x,e,x,e,e", "x", 45)
                + "#turn(me) = ->me any {e} ({? left {e}} [x] [$ me=me+2] + {! left {e}} [x] [$ me=me+1])\n\
                   #rules = (turn(a) turn(b))*\n",
        ),
        // Each player's man steps left or right; stepping on a coin is a point.
        (
            "coins.rbg",
            head("score", "e, x, o, c, w")
                + &row("c,x,e,o,e,c", "w", 7)
                + "#turn(me; p) = ->me {$ c > 0} any {p} [e] (left + right) ({e} [p] + {c} [p] [$ me=me+1])\n\
                   #rules = (turn(a; x) turn(b; o))*\n",
        ),
    ];
    for (name, text) in files {
        std::fs::write(folder.join(name), text).unwrap();
    }
}

/// Opens a game with its tables, and its files, in a folder.
pub fn open(name: &str, folder: &Path) -> Session {
    let name = name.replace("file=", &format!("file={}/", folder.display()));
    let settings = Settings { tables: Some(folder.to_owned()), ..Settings::default() };
    grundy::catalog::open(&name, &settings).unwrap_or_else(|why| panic!("{name}: {why}"))
}

/// Returns the values of these positions by sweeps over all reachable positions, until nothing changes.
fn by_sweeps(session: &mut Session, roots: &[String]) -> HashMap<String, Value> {
    let mut moves = HashMap::new();
    let mut open = roots.to_vec();
    let mut values: HashMap<String, Value> = HashMap::new();
    while let Some(position) = open.pop() {
        if moves.contains_key(&position) {
            continue;
        }
        session.setup(Some(&position)).unwrap();
        let next = session.successors(usize::MAX);
        open.extend(next.iter().map(|next| next.position.clone()));
        values.insert(position.clone(), session.over().unwrap_or(Value::DRAW));
        moves.insert(position, next);
    }
    for _ in 0..=moves.len() {
        let seen = |position: &String| {
            let next = moves[position].iter();
            next.map(|next| values[&next.position].back(next.step)).max().unwrap_or(values[position])
        };
        let swept: HashMap<String, Value> =
            values.keys().map(|position| (position.clone(), seen(position))).collect();
        if swept == values {
            break;
        }
        values = swept;
    }
    values
}

/// Encodes values as cells; `None` if one does not fit.
fn cells_of(coding: Coding, values: &[Option<Value>]) -> Option<Vec<u8>> {
    let codes = values.iter().map(|value| value.map_or(Some(0), |value| coding.encode(value)));
    let codes: Vec<u32> = codes.collect::<Option<_>>()?;
    let size = coding.width.bytes(1)? as usize;
    Some(match coding.width {
        Width::Quarter => {
            let byte = |four: &[u32]| four.iter().rev().fold(0, |byte, &code| byte << 2 | code as u8);
            codes.chunks(4).map(byte).collect()
        }
        _ => codes.iter().flat_map(|code| code.to_le_bytes().into_iter().take(size)).collect(),
    })
}

/// Turns draws into wins of one player, at the maximum distance, as a bare outcome, or by a margin at the ceiling, so
/// that each value follows from the others.
fn decided(door: &dyn Tabled, honest: &Table, dice: &mut Dice) -> Option<Table> {
    let points = honest.coding().unit().is_points();
    let (coding, won) = match (points, dice.roll(2)) {
        (true, _) => {
            (Coding { meaning: Meaning::Points, width: Width::Four }, Value::points(Value::MAX_POINTS))
        }
        (false, 0) => {
            (Coding { meaning: Meaning::Distance, width: Width::Four }, Value::win_in(Value::MAX_PLIES))
        }
        (false, _) => (Coding { meaning: Meaning::Outcome, width: Width::Quarter }, Value::WIN),
    };
    let winner = dice.roll(2);
    let all = points && dice.roll(2) == 0;
    let mut turns = vec![None; honest.count() as usize];
    door.turns(0..honest.count(), &mut |number, player| turns[number as usize] = Some(player));
    let forged = |number: u64| {
        let value = honest.get(number)?;
        let mine = turns[number as usize].is_some_and(|player| player.index() == winner);
        let own = if mine { won } else { -won };
        Some(if all || value == Value::DRAW { own } else { value })
    };
    let values: Vec<Option<Value>> = (0..honest.count()).map(forged).collect();
    Table::from_cells(coding, honest.count(), cells_of(coding, &values)?)
}

/// Changes some cells as a forger would, and sometimes the kind and width of the cells.
fn changed(honest: &Table, dice: &mut Dice) -> Option<Table> {
    let (mut cells, mut coding) = (honest.cells()?.to_vec(), honest.coding());
    if dice.roll(4) == 0 && coding.width == Width::One {
        let width = [Width::Two, Width::Four][dice.roll(2)];
        let size = if width == Width::Two { 2 } else { 4 };
        cells =
            cells.iter().flat_map(|&code| (0..size).map(move |i| if i == 0 { code } else { 0 })).collect();
        coding.width = width;
    }
    if dice.roll(16) == 0 {
        let meanings =
            [Meaning::Distance, Meaning::Points, Meaning::Outcome, Meaning::Alternating, Meaning::Ranked];
        coding.meaning = meanings[dice.roll(5)];
    }
    for _ in 0..dice.roll(4) {
        let at = dice.roll(cells.len());
        cells[at] = match dice.roll(5) {
            0 => dice.roll(5) as u8,
            1 => cells[at] ^ 1,
            2 => cells[at].wrapping_add(2),
            3 => 255 - dice.roll(2) as u8,
            _ => cells[dice.roll(cells.len())],
        };
    }
    Table::from_cells(coding, honest.count(), cells)
}

/// Forges a table `count` times; returns how many were proved, each of which agrees with the honest one.
fn forge(name: &str, door: &dyn Tabled, honest: &Table, count: usize) -> usize {
    // A table may have any value at an index without a position.
    let positions: Vec<u64> = (0..honest.count()).filter(|&n| door.position(n).is_some()).collect();
    let mut dice = Dice(17);
    let mut proved = 0;
    for _ in 0..count {
        let forged = match dice.roll(8) {
            0 => decided(door, honest, &mut dice),
            _ => changed(honest, &mut dice),
        };
        let Some(table) = forged else { continue };
        match door.verify(&table, &quiet_work()) {
            Ok(Assurance::Proved | Assurance::Given(_)) => {
                proved += 1;
                for &number in &positions {
                    assert_eq!(table.get(number), honest.get(number), "{name}: {number} was proved");
                }
            }
            Ok(other) => assert_ne!(other, Assurance::Read),
            Err(_) => {}
        }
    }
    proved
}

/// The kind of a game's table: its type, its method, and whether it counts points.
type Kind = (String, String, bool);

fn kind(door: &dyn Tabled) -> Kind {
    (door.kind().to_owned(), format!("{:?}", door.maker()), door.unit().is_points())
}

/// Builds the honest table of a game, compares it with sweeps over the rules if that is little work, and forges it.
fn forge_game(name: &str, size: Size, folder: &Path, count: usize) -> (usize, Kind) {
    let mut session = open(name, folder);
    let scratch = Scratch::new(Folder::find(Some(folder)), std::time::Duration::from_secs(999));
    let (honest, texts) = {
        let door = session.tabled(None).unwrap_or_else(|| panic!("{name} has no table"));
        let honest = door.solve(&quiet_work(), &scratch).unwrap();
        let believed = door.verify(&honest, &quiet_work()).unwrap();
        assert!(matches!(believed, Assurance::Proved | Assurance::Given(_)), "{name}: {believed}");
        let texts = (0..door.count()).map(|n| door.position(n).map(|(_, text)| text));
        (honest, if size == Size::Small { texts.collect() } else { Vec::new() })
    };
    if size == Size::Small {
        // Some indices are of positions that cannot arise and cannot be set up.
        let roots = texts.iter().flatten().filter(|text| session.setup(Some(text)).is_ok());
        let roots: Vec<String> = roots.cloned().collect();
        let values = by_sweeps(&mut session, &roots);
        assert!(values.len() > 3, "{name}");
        for (number, text) in (0..).zip(&texts) {
            if let Some(value) = text.as_ref().and_then(|text| values.get(text)) {
                assert_eq!(honest.get(number), Some(*value), "{name}: {text:?}");
            }
        }
    }
    let door = session.tabled(None).unwrap();
    let count = if size == Size::Few { count.min(12) } else { count };
    (forge(name, &*door, &honest, count), kind(&*door))
}

/// Tables by groups of strings, of the values and of the loony states; games of the catalog make them only of boards with
/// many more lines.
fn forge_groups(count: usize) -> [(usize, Kind); 2] {
    let game = Dots::<u32>::new(Setup::read(["2x2"]).unwrap()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let home = Home { folder: Folder::find(Some(folder.path())), name: "dots:2x2".to_owned() };
    let book = Book::new();
    let door = book.tabled(&game, &home, None).unwrap();
    let honest = door.solve(&quiet_work(), &Scratch::none()).unwrap();
    // Tables that are stored in parts are copied into one piece.
    let values: Vec<Option<Value>> = (0..honest.count()).map(|number| honest.get(number)).collect();
    let cells = cells_of(honest.coding(), &values).unwrap();
    let honest = Table::from_cells(honest.coding(), honest.count(), cells).unwrap();
    assert_eq!(door.verify(&honest, &quiet_work()).unwrap(), Assurance::Proved);
    let (name, fingerprint, maker) = (home.name.clone(), door.fingerprint(), door.maker());
    let label = Label { name, fingerprint, maker };
    write(&Disk, &home.folder.file(&home.name), &label, &honest, Packing::Plain, 1).unwrap();
    let states = LoonyTable::new(Book::new(), ByGroups, home.name.clone(), true);
    let states = states.tabled(&game, &home, None).unwrap();
    let made = states.solve(&quiet_work(), &Scratch::none()).unwrap();
    let values: Vec<Option<Value>> = (0..made.count()).map(|number| made.get(number)).collect();
    let cells = cells_of(made.coding(), &values).unwrap();
    let made = Table::from_cells(made.coding(), made.count(), cells).unwrap();
    let believed = states.verify(&made, &quiet_work()).unwrap();
    assert!(matches!(believed, Assurance::Given(_)), "{believed}");
    let forged = [("groups", &*door, &honest), ("states by groups", &*states, &made)];
    forged.map(|(name, door, honest)| (forge(name, door, honest, count.min(30)), kind(door)))
}

/// Returns the tiers of a game, each given the others.
fn forge_tiers(count: usize) -> (usize, Kind) {
    let folder = tempfile::tempdir().unwrap();
    let session = open("morris:3", folder.path());
    let whole = session.tabled(None).unwrap();
    let honest = whole.solve(&quiet_work(), &Scratch::none()).unwrap();
    assert_eq!(whole.verify(&honest, &quiet_work()).unwrap(), Assurance::Proved);
    (forge("morris:3", &*whole, &honest, count.min(6)), kind(&*whole))
}

/// Returns the file of an ending of chess that was solved for a position.
fn forge_class(count: usize) -> (usize, Kind) {
    let (folder, chess) = (tempfile::tempdir().unwrap(), Chess::new());
    let home = Home { folder: Folder::find(Some(folder.path())), name: "chess".to_owned() };
    let library = Library::default().prompt().kept_as("chess").kept_from(0.0);
    let library: &'static Library<Chess> = Box::leak(Box::new(library));
    let oracle = || {
        LibraryOracle::new(library)
            .with_tables_of_endings(|men| Some((Chess::ending(men).ok()?, format!("chess:{men}"))))
    };
    let position = chess.read_position("8/8/8/3k4/8/8/8/KR6 w - -").unwrap();
    let need = Need {
        home: &home,
        automatic: std::time::Duration::MAX,
        quiet: std::time::Duration::MAX,
        patience: std::time::Duration::MAX,
        hurried: false,
        work: &quiet_work(),
    };
    // The file is written at last when the oracle is dropped.
    oracle().ready(&chess, &position, &need).unwrap();
    let oracle = oracle();
    let file = folder.path().join("chess_KRvK.class");
    let (door, made) = oracle.kept(&chess, &file).unwrap().unwrap();
    let values: Vec<Option<Value>> = (0..made.count()).map(|number| made.get(number)).collect();
    let cells = cells_of(made.coding(), &values).unwrap();
    let honest = Table::from_cells(made.coding(), made.count(), cells).unwrap();
    (forge("a file of chess", &*door, &honest, count.min(4)), kind(&*door))
}

/// Forges `count` tables of each of these games; returns how many were proved, and the kinds that occurred.
fn forge_many(games: &[(&str, Size)], count: usize) -> (usize, BTreeSet<Kind>) {
    let folder = tempfile::tempdir().unwrap();
    write_files(folder.path());
    let games = games.iter().map(|&(name, size)| forge_game(name, size, folder.path(), count));
    let all = games.chain(forge_groups(count)).chain([forge_tiers(count), forge_class(count)]);
    all.fold((0, BTreeSet::new()), |(proved, mut kinds), (more, kind)| {
        kinds.insert(kind);
        (proved + more, kinds)
    })
}

/// Returns the types that implement [`Tabled`] in the sources of the crates.
fn implementors() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("crates")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(path).unwrap();
                let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
                let code: Vec<&str> = code.collect();
                found.extend(code.join("\n").split("Tabled for ").skip(1).map(|rest| {
                    rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>()
                }));
            }
        }
    }
    found
}

#[test]
fn of_forged_tables_of_every_kind_only_true_ones_are_proved() {
    let (proved, kinds) = forge_many(&GAMES, 80);
    assert!(proved > 50, "some forgeries change nothing: {proved}");
    let types: BTreeSet<String> = kinds.iter().map(|(kind, _, _)| kind.clone()).collect();
    assert_eq!(
        types,
        implementors(),
        "a type of table without forgeries: give GAMES a game that has such a table"
    );
    for row in grundy::catalog::CATALOG.rows() {
        let session = row.open(row.name, &Settings::default()).unwrap();
        if let Some(door) = session.tabled(None) {
            let kind = kind(&*door);
            assert!(kinds.contains(&kind), "{}: no forgeries of {kind:?}: give GAMES such a game", row.name);
        }
    }
}

#[test]
#[ignore = "minutes: 13,000 forged tables of each game"]
fn of_200_000_forged_tables_only_true_ones_are_proved() {
    forge_many(&GAMES.map(|(name, size)| (name, if size == Size::Few { Size::Known } else { size })), 13_000);
    forge_many(&LARGE, 13_000);
}

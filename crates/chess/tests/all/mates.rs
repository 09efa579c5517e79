//! Mates as a UCI client sees them: the distance announced at any node limit, with a line that ends in mate.

use std::io::{self, BufRead, BufReader, PipeReader, PipeWriter, Write};
use std::thread;
use std::time::{Duration, Instant};

use grundy_chess::{Chess, Material};
use grundy_contract::{open, ready};
use grundy_core::game::{Game, Notation, legal_moves};
use grundy_core::table::Folder;
use grundy_core::value::{Step, Value, Wdl};
use grundy_engine::engine::{self, Config};
use grundy_session::{
    Catalog, Family, Go, Home, NEVER, Need, Settings, SolveError, Work, at_once, quiet_work,
};
use grundy_tables::Oracle;
use grundy_tables::bitparallel::{Library, LibraryOracle};
use grundy_tables::superposed::Endings;

use super::endings::{library, random_position, seeded};

const SAMPLE: &str = include_str!("../truth/kqkr_sample.tsv");

/// The engine as a client of its own would meet it, its streams being pipes.
struct Engine {
    to: PipeWriter,
    from: BufReader<PipeReader>,
}

static FAMILIES: &[Family] = &[Family { title: "Chess", rows: &grundy_chess::ROWS }];

impl Engine {
    fn start() -> Engine {
        let ((input, to), (from, output)) = (io::pipe().unwrap(), io::pipe().unwrap());
        let settings = Settings { tables: Some("/nonexistent".into()), ..Settings::default() };
        let config = Config { settings, ..Config::new(&Catalog::new(FAMILIES)) };
        thread::spawn(move || engine::run(input, output, config));
        let mut engine = Engine { to, from: BufReader::new(from) };
        engine.ask("uci", "uciok");
        engine
    }

    /// Says something and returns all lines to the one that begins so.
    fn ask(&mut self, words: &str, last: &str) -> Vec<String> {
        writeln!(self.to, "{words}").unwrap();
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            assert!(self.from.read_line(&mut line).unwrap() > 0, "the engine ended: {lines:?}");
            lines.push(line.trim_end().to_owned());
            if lines.last().unwrap().starts_with(last) {
                return lines;
            }
        }
    }
}

/// Checks that every line with a score announces this value, and shows it to the mate.
fn announced(chess: &Chess, fen: &str, value: Value, lines: &[String]) {
    let plies = value.plies().unwrap() as usize;
    let moves = plies.div_ceil(2) as i64 * if value > Value::DRAW { 1 } else { -1 };
    let mut scores = 0;
    for line in lines.iter().filter(|line| line.contains(" score ")) {
        scores += 1;
        assert!(line.contains(&format!(" score mate {moves} ")), "{fen}: {line}");
        let (_, pv) = line.split_once(" pv ").unwrap();
        let pv = pv.split(" string ").next().unwrap();
        let mut now = chess.read_position(fen).unwrap();
        for word in pv.split(' ') {
            assert_eq!(chess.over(&now), None, "{fen}: {line}");
            let m = chess.read_move(&now, word).unwrap();
            now = chess.play(&now, m);
        }
        assert_eq!(
            (pv.split(' ').count(), chess.over(&now)),
            (plies, Some(Value::loss_in(0))),
            "{fen}: {line}"
        );
        assert_eq!(lines.last().unwrap().split(' ').nth(1), pv.split(' ').next());
    }
    assert!(scores > 0, "{fen}: {lines:?}");
}

#[test]
fn a_thousand_mates_are_announced_exactly_at_any_node_limit() {
    let chess = Chess::new();
    let mut mates: Vec<(String, Value)> = SAMPLE
        .lines()
        .skip(1)
        .filter_map(|row| {
            let fields: Vec<&str> = row.split('\t').collect();
            let plies = fields[4].parse::<u32>().ok().filter(|&plies| plies > 0)?;
            let won = plies % 2 == 1;
            Some((fields[2].to_owned(), if won { Value::win_in(plies) } else { Value::loss_in(plies) }))
        })
        .collect();
    assert!(mates.len() > 600);
    let mut random = seeded(2);
    let ending = Material::read("KQvKR").unwrap();
    while mates.len() < 1000 {
        let ending = if random(2) == 0 { ending } else { ending.swapped() };
        let Some(position) = random_position(&chess, ending, &mut random) else { continue };
        let value = library().value(&chess, &position).unwrap();
        if value.plies().is_some_and(|plies| plies > 0) {
            mates.push((chess.write_position(&position), value));
        }
    }
    let mut engine = Engine::start();
    for ((fen, value), nodes) in mates.iter().zip([1, 2, 10, 100, 1000, 1_000_000].into_iter().cycle()) {
        writeln!(engine.to, "position fen {fen}").unwrap();
        let lines = engine.ask(&format!("go nodes {nodes}"), "bestmove");
        announced(&chess, fen, *value, &lines);
    }
}

#[test]
fn a_move_on_the_clock_does_not_wait_for_an_ending_and_the_next_one_knows_it() {
    let chess = Chess::new();
    for (game, fen) in
        [("chess", "8/8/8/3k4/8/4P3/r7/4K3 w - -"), ("chess:KRBvK", "8/8/8/3k4/8/4B3/R7/4K3 w - -")]
    {
        let value = library().value(&chess, &chess.read_position(fen).unwrap()).unwrap();
        let mut engine = Engine::start();
        writeln!(engine.to, "setoption name UCI_Variant value {game}\nposition fen {fen}").unwrap();
        let lines = engine.ask("go movetime 40", "bestmove");
        let men = chess.ending(&chess.read_position(fen).unwrap()).unwrap();
        assert_eq!(lines[0], format!("info string makes a table first: {men}"), "{lines:?}");
        engine.ask("isready", "readyok");
        // A loaded machine may still be making the table: the next move has the time to wait for it.
        let lines = engine.ask("go movetime 60000", "bestmove");
        announced(&chess, fen, value, &lines);
        // Then it is there.
        let lines = engine.ask("go movetime 60000", "bestmove");
        assert!(!lines[0].contains("makes a table"), "{lines:?}");
        announced(&chess, fen, value, &lines);
    }
}

#[test]
fn a_full_game_announces_what_an_ending_of_five_men_takes_unless_a_move_cannot_wait_for_it() {
    let mut session = open(&grundy_chess::ROWS, "chess");
    session.setup(Some("8/8/8/8/4k3/R7/2PK4/7r w - - 0 1")).unwrap();
    let none = at_once();
    let ready = session.ready(&none, None);
    assert_eq!((ready.value, ready.refused), (None, Some(SolveError::Stopped)));
    let [note] = &ready.notes[..] else { panic!("{:?}", ready.notes) };
    assert!(note.starts_with("makes a table first: KRPvKR, about "), "{note}");
    assert!(note.contains(" s of one thread and ") && note.ends_with("B of memory"), "{note}");
    let soon = Instant::now() + Duration::from_millis(50);
    assert_eq!(session.ready(&quiet_work(), Some(soon)).notes, [""; 0]);
}

/// An ending of four men with a pawn: what is solved for a position has the values of the whole ending, captures en passant
/// and promotions included.
#[test]
fn portions_by_file_have_the_values_of_the_whole() {
    let chess = Chess::new();
    let portions: &'static Library<Chess> = Box::leak(Box::new(Library::default().prompt()));
    let mut random = seeded(0x9e37_79b9_7f4a_7c15);
    // The file of the pawn, from the edge; with two pawns also that of the other one. All other endings follow from the second.
    for (name, chain, each) in [("KNPvK", 2, 1_000), ("KPvKP", 2 * 8 + 3, 2_000)] {
        let ending = Material::read(name).unwrap();
        let (mut done, mut passing) = (0, 0);
        while done < each {
            let ending = if random(2) == 0 { ending } else { ending.swapped() };
            let Some(position) = random_position(&chess, ending, &mut random) else { continue };
            let kept = chess.ending(&position).unwrap();
            let portion = chess.portion(kept, chess.place(kept, &position)).unwrap();
            if portion.chain != chain || chess.over(&position).is_some() {
                continue;
            }
            ready(portions, &chess, &position);
            let fen = chess.write_position(&position);
            let value = portions.value(&chess, &position);
            assert_eq!(value, library().value(&chess, &position), "{name}: {fen}");
            let worths = legal_moves(&chess, &position).into_iter().map(|m| {
                portions.value(&chess, &chess.play(&position, m)).expect("it follows").back(Step::PASSED)
            });
            assert_eq!(worths.max(), value, "{name}: {fen}");
            done += 1;
            passing += u32::from(position.en_passant().is_some());
        }
        assert!(portions.get(ending).is_none(), "{name} was solved as a whole");
        assert!(passing > 0 || name != "KPvKP");
    }
}

/// The time of the first answer of a position with pawns, all that it needs solved for it.
#[test]
#[ignore = "a measurement"]
fn measured_first_answer() {
    let fen = std::env::var("FEN").unwrap_or("8/4k3/8/3p4/8/4P3/4K3/8 w - - 0 1".to_owned());
    let position = Chess::new().read_position(&fen).unwrap();
    let chess = Chess::ending(Chess::new().ending(&position).unwrap()).unwrap();
    let library: &'static Library<Chess> = Box::leak(Box::new(Library::default().prompt()));
    let begin = Instant::now();
    ready(library, &chess, &position);
    println!("{fen}: {:?} in {:?}", library.value(&chess, &position), begin.elapsed());
}

/// A pawn's ending of five men: the portion that a position needs has the values of the whole, whatever the order in which
/// positions are met, and the files of one library are read by the next.
#[test]
#[ignore = "a minute in a release build, and gigabytes of memory"]
fn portions_of_an_ending_have_the_values_of_the_whole() {
    let name = std::env::var("ENDINGS").unwrap_or("KRPvKR".to_owned());
    let ending = Material::read(&name).unwrap();
    let chess = Chess::ending(ending).unwrap();
    let work = Work { threads: 2, ..quiet_work() };
    let portions: &'static Library<Chess> = Box::leak(Box::new(Library::default().prompt()));
    let mut random = seeded(0x2545_f491_4f6c_dd1d);
    let mut found = Vec::new();
    while found.len() < 4_000 {
        let ending = if random(2) == 0 { ending } else { ending.swapped() };
        let Some(position) = random_position(&chess, ending, &mut random) else { continue };
        if chess.over(&position).is_some() {
            continue;
        }
        ready(portions, &chess, &position);
        let value = portions.value(&chess, &position).expect("it is ready");
        let worths = legal_moves(&chess, &position).into_iter().map(|m| {
            portions.value(&chess, &chess.play(&position, m)).expect("it follows").back(Step::PASSED)
        });
        assert_eq!(worths.max(), Some(value), "{}", chess.write_position(&position));
        found.push((position, value));
    }
    library().prepare(&chess, ending, &work).unwrap();
    for (position, value) in found {
        assert_eq!(library().value(&chess, &position), Some(value), "{}", chess.write_position(&position));
    }
}

#[test]
#[ignore = "half a minute in a release build, and gigabytes of memory"]
fn a_full_game_mates_with_five_men_unless_the_clock_may_come_first() {
    let mut session = open(&grundy_chess::ROWS, "chess");
    // The bridge that Lucena described.
    let fen = |clock: u32| format!("1K1k4/1P6/8/8/8/8/r7/2R5 w - - {clock} 60");
    session.setup(Some(&fen(0))).unwrap();
    let began = Instant::now();
    let mate = session.value().and_then(Value::plies).expect("it is won");
    let list = session.values(100).moves;
    println!("{:?}, mate after {mate} plies", began.elapsed());
    assert_eq!((list[0].value, mate % 2), (Some(Value::win_in(mate)), 1));
    assert!(list.iter().all(|m| m.value.is_some()), "{list:?}");
    let mut line = Vec::new();
    session.think(&Go::default(), &NEVER, &mut |info| line = info.pv).unwrap();
    assert_eq!(line.len(), mate as usize, "{line:?}");
    // Too late by a ply: the rule decides what only a search can know.
    session.setup(Some(&fen(100 - mate))).unwrap();
    assert_eq!(session.value(), Some(Value::win_in(mate)));
    session.setup(Some(&fen(101 - mate))).unwrap();
    assert_eq!(session.value(), None);
}

/// A file of a solved ending is a table of its own: counted, proved given the endings that it leads to, refused if damaged.
#[test]
fn a_file_of_an_ending_is_checked_and_counted_as_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let chess = Chess::new();
    let home = Home { folder: Folder::find(Some(folder.path())), name: "chess".to_owned() };
    let library: &'static Library<Chess> =
        Box::leak(Box::new(Library::default().prompt().kept_as("chess").kept_from(0.0)));
    let oracle = || {
        LibraryOracle::new(library)
            .with_tables_of_endings(|ending| Some((Chess::ending(ending).ok()?, format!("chess:{ending}"))))
    };
    let position = chess.read_position("8/8/8/3k4/8/8/8/KQ6 w - -").unwrap();
    let need = Need {
        home: &home,
        automatic: Duration::MAX,
        quiet: Duration::MAX,
        patience: Duration::from_secs(60),
        hurried: false,
        work: &quiet_work(),
    };
    let solving = oracle();
    solving.ready(&chess, &position, &need).unwrap();
    drop(solving);
    let oracle = oracle();
    let file = |name: &str| folder.path().join(format!("chess_{name}.class"));
    let open = |name: &str| oracle.kept(&chess, &file(name)).expect("a file of chess");
    let (game, table) = open("KQvK").unwrap();
    assert_eq!((game.name(), game.count()), ("chess:KQvK", table.count()));
    let number = game.number("8/8/8/3k4/8/8/8/KQ6 w - - 0 1").unwrap();
    assert_eq!(table.get(number).map(Value::wdl), Some(Wdl::Win));
    let (_, shown) = game.position(number).unwrap();
    assert_eq!(game.number(&shown), Some(number));
    let assurance = game.verify(&table, &quiet_work()).unwrap();
    assert_eq!(assurance.word(), "proved", "{assurance}");
    let mut turns = 0;
    game.turns(0..game.count(), &mut |_, _| turns += 1);
    assert_eq!(turns, (0..game.count()).filter(|&number| table.get(number).is_some()).count());
    drop((game, table));
    assert!(oracle.kept(&chess, &folder.path().join("chess_KQQQQvK.class")).is_none());
    let mut damaged = std::fs::read(file("KQvK")).unwrap();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    std::fs::write(file("KQvK"), damaged).unwrap();
    assert!(open("KQvK").is_err());
}

/// The files of one library are read by the next, which solves only what has no file.
#[test]
#[ignore = "half a minute in a release build, and gigabytes of memory"]
fn solved_endings_are_kept_in_files() {
    let folder = tempfile::tempdir().unwrap();
    let chess = Chess::new();
    let home = Home { folder: Folder::find(Some(folder.path())), name: "chess".to_owned() };
    let mut found = Vec::new();
    for fen in
        ["1K1k4/1P6/8/8/8/8/r7/2R5 w - -", "1K1k4/1P6/8/8/8/8/r7/2R5 w - -", "1K1k4/8/6P1/8/8/8/r7/2R5 w - -"]
    {
        let library: &'static Library<Chess> =
            Box::leak(Box::new(Library::default().prompt().kept_as("test")));
        let oracle = LibraryOracle::new(library);
        let position = chess.read_position(fen).unwrap();
        let (began, work) = (Instant::now(), &quiet_work());
        let need = Need {
            home: &home,
            automatic: Duration::MAX,
            quiet: Duration::MAX,
            patience: Duration::from_secs(60),
            hurried: false,
            work,
        };
        oracle.ready(&chess, &position, &need).unwrap();
        println!("{:?}", began.elapsed());
        let worths = legal_moves(&chess, &position)
            .into_iter()
            .map(|m| oracle.value(&chess, &chess.play(&position, m)).expect("it follows").back(Step::PASSED));
        let value = oracle.value(&chess, &position);
        assert_eq!(worths.max(), value);
        found.push(value);
        drop(oracle);
        let files =
            ["KQRvKR", "KRBvKR", "KRNvKR", "KRPvKR_1", "KRRvKR"].map(|name| format!("test_{name}.class"));
        // The end of an oracle waits half a minute for its files; a loaded machine takes longer.
        let names = || {
            let names = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name());
            let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
            names.sort();
            names
        };
        while names() != files && began.elapsed() < Duration::from_secs(1_200) {
            thread::sleep(Duration::from_millis(100));
        }
        assert_eq!(names(), files);
    }
    assert!(found[0] > Some(Value::DRAW) && found[0] == found[1], "{found:?}");
}

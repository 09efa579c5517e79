//! Mates as a UCI client sees them: the distance announced at any node limit, with a line that ends in mate.

use std::io::{self, BufRead, BufReader, PipeReader, PipeWriter, Write};
use std::thread;

use grundy_chess::{Chess, Material};
use grundy_core::game::{Game, Notation};
use grundy_core::value::Value;
use grundy_engine::engine::{self, Config};
use grundy_session::{Catalog, Family, Settings};
use grundy_tables::Oracle;
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

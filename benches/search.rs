//! Nodes and time of the search on public test sets: `cargo bench --bench search -- connect4 FILE..` or `othello
//! FILE..`; the files are not part of this project.
//!
//! `connect4`: one position of the 7x6 board per line, the columns played counted from 1 and the score: 22 less the
//! stones of the winner at the end, negative for a loss of the player to move, 0 for a draw. `othello`: one position
//! per line, 64 cells from a1, the player to move, then `move:score;` for every move.

#![allow(clippy::print_stdout)] // this is a program for a terminal

use std::time::Instant;

use grundy::game::{Game, Notation};
use grundy::games::connect4::{Connect4, Position};
use grundy::games::othello::Othello;
use grundy::search::Question;
use grundy::search::alpha_beta::AlphaBeta;
use grundy::session::Limits;
use grundy::value::{Value, Wdl};

fn main() {
    let mut threads = 1;
    let mut hash_mb = 64;
    let mut kind = String::new();
    for arg in std::env::args().skip(1).filter(|a| a != "--bench") {
        match (arg.as_str(), arg.split_once('=')) {
            ("connect4" | "othello", _) => kind = arg,
            (_, Some(("threads", n))) => threads = n.parse().expect("a number of threads"),
            (_, Some(("hash", n))) => hash_mb = n.parse().expect("megabytes"),
            _ if kind == "connect4" => connect4(&arg, hash_mb, threads),
            _ if kind == "othello" => othello(&arg, hash_mb, threads),
            _ => println!("expected connect4 or othello, then files"),
        }
    }
}

fn connect4(file: &str, hash_mb: usize, threads: usize) {
    let text = std::fs::read_to_string(file).unwrap_or_else(|e| panic!("{file}: {e}"));
    let game = Connect4::new(7, 6).expect("the board fits a word");
    let score = |position: &Position, value: Value| {
        let mine = position.mine.count_ones() as i32;
        let other = position.all.count_ones() as i32 - mine;
        let stones = value.plies().map_or(0, |plies| plies.div_ceil(2) as i32);
        match value.wdl() {
            Wdl::Win => 22 - mine - stones,
            Wdl::Draw => 0,
            Wdl::Loss => -(22 - other - (value.plies().unwrap_or(0) / 2) as i32),
        }
    };
    let mut searcher = AlphaBeta::new(hash_mb, threads);
    searcher.allocate().expect("memory for the table");
    // The operating system gives memory when it is first touched: that is no part of what is measured.
    let warm = Limits { nodes: Some(60_000), ..Limits::default() };
    let _ = searcher.value(&Question { limits: warm, ..Question::new(&game, &game.start()) });
    let warm = searcher.nodes();
    let (mut wrong, mut count) = (0, 0);
    let (begun, cpu) = (Instant::now(), cpu_seconds());
    for line in text.lines() {
        let (columns, expected) = line.split_once(' ').unwrap_or((line, "0"));
        let columns = if columns == "-" { "" } else { columns };
        let position = game.after(columns).expect("a legal game");
        let value = searcher.value(&Question::new(&game, &position)).expect("no limit");
        wrong += i32::from(expected.parse() != Ok(score(&position, value)));
        count += 1;
    }
    let seconds = begun.elapsed().as_secs_f64();
    let nodes = searcher.nodes() - warm;
    let cpu = cpu_seconds() - cpu;
    println!(
        "{file}: {count} positions, {wrong} wrong; a position {:.1} nodes, {:.1} us of CPU, {:.1} us; {:.2} M nodes/s of CPU",
        nodes as f64 / f64::from(count),
        cpu * 1e6 / f64::from(count),
        seconds * 1e6 / f64::from(count),
        nodes as f64 / cpu / 1e6
    );
}

fn othello(file: &str, hash_mb: usize, threads: usize) {
    let text = std::fs::read_to_string(file).unwrap_or_else(|e| panic!("{file}: {e}"));
    // These sets give the empty cells to the winner.
    let game = Othello::new(8, 8, true).expect("a board of side 8");
    let mut all = (0, 0, 0.0);
    for (number, line) in (1..).zip(text.lines()) {
        let mut fields = line.split(';');
        let (cells, turn) = fields.next().and_then(|f| f.split_once(' ')).expect("64 cells and the turn");
        // The board is written from a1; ours from the top row.
        let rows: Vec<String> =
            (0..8).rev().map(|row| cells[8 * row..8 * row + 8].replace('-', ".").to_uppercase()).collect();
        let digit = if turn.trim() == "X" { 1 } else { 2 };
        let position = game.read_position(&format!("{} {digit}", rows.join("/"))).expect("a position");
        let scores = fields.filter_map(|f| f.split_once(':')?.1.trim().parse::<i32>().ok());
        let expected = scores.max();
        let mut searcher = AlphaBeta::new(hash_mb, threads);
        let (begun, cpu) = (Instant::now(), cpu_seconds());
        let value = searcher.value(&Question::new(&game, &position)).expect("no limit");
        let (seconds, cpu) = (begun.elapsed().as_secs_f64(), cpu_seconds() - cpu);
        let right = expected == value.margin();
        println!(
            "{number}: {} free, {value:?} {}, {} nodes, {cpu:.2} s of CPU, {seconds:.2} s",
            cells.matches('-').count(),
            if right { "right" } else { "WRONG" },
            searcher.nodes()
        );
        all = (all.0 + i32::from(!right), all.1 + searcher.nodes(), all.2 + cpu);
    }
    println!("{file}: {} wrong, {} nodes, {:.2} s of CPU", all.0, all.1, all.2);
}

/// Returns the CPU seconds of this process so far; 0 if the system does not report them.
fn cpu_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

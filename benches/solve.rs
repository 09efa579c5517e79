//! Speed of the table methods compared with the speed of the machine: `cargo bench --bench solve [NAME]..`.
//!
//! For each game: wall seconds on one thread and on two, CPU seconds of the one thread (not lengthened by other work on
//! the machine; rates are based on these), bytes per position, and as the limit the CPU seconds of one random read, in a
//! table of that size, for each move of the game.
#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use grundy::game::{Indexed, Scored};
use grundy::games::dots::{Dots, Setup};
use grundy::games::lgame::LGame;
use grundy::games::mnk::Mnk;
use grundy::games::teeko::Teeko;
use grundy::search::board::BoardGame;
use grundy::session::{SolveError, Work, quiet_work};
use grundy::table::Table;
use grundy::tables::layers::Acyclic;
use grundy::tables::retrograde::Reversible;
use grundy::tables::tiers::Tiered;
use grundy::tables::{layers, retrograde, tiers};

/// A solver of one game on some threads.
type Solver = Box<dyn Fn(&Work<'_>) -> Result<Table, SolveError>>;

struct Case {
    name: &'static str,
    method: &'static str,
    solver: Solver,
    moves: Box<dyn Fn() -> (u64, u64)>,
}

fn main() {
    let names: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    println!(
        "{:<17} {:<10} {:>9} {:>10} {:>8} {:>7} {:>7} {:>6} {:>8} {:>8} {:>5} {:>7}",
        "game",
        "method",
        "positions",
        "moves",
        "1 thread",
        "busy",
        "2 thr.",
        "Mpos/s",
        "Mmoves/s",
        "speed-up",
        "B/pos",
        "limit"
    );
    for case in cases() {
        if !names.is_empty() && !names.iter().any(|name| case.name.contains(name.as_str())) {
            continue;
        }
        let (positions, moves) = (case.moves)();
        let (one, busy, table) = best_time(&case.solver, 1);
        let (two, _, _) = best_time(&case.solver, 2);
        let bytes = table.cells().map_or(0, <[u8]>::len);
        println!(
            "{:<17} {:<10} {:>9} {:>10} {:>8.4} {:>7.4} {:>7.4} {:>6.2} {:>8.1} {:>8.2} {:>5.2} {:>7.4}",
            case.name,
            case.method,
            positions,
            moves,
            one.as_secs_f64(),
            busy.as_secs_f64(),
            two.as_secs_f64(),
            positions as f64 / busy.as_secs_f64() / 1e6,
            moves as f64 / busy.as_secs_f64() / 1e6,
            one.as_secs_f64() / two.as_secs_f64(),
            bytes as f64 / table.count() as f64,
            random_reads(bytes, moves).as_secs_f64(),
        );
    }
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("");
        println!("most memory of all this: {}", peak.trim_start_matches("VmHWM:").trim());
    }
}

fn cases() -> Vec<Case> {
    let mnk = |misere| Mnk::new(4, 4, 4, misere).expect("a board of 16 cells");
    let dots = || Dots::<u32>::new(Setup::empty(3, 3)).expect("24 lines fit 32 bits");
    vec![
        acyclic("mnk:4,4,4", mnk(false)),
        acyclic("mnk:4,4,4:misere", mnk(true)),
        acyclic("dots:3x3", dots()),
        cyclic("lgame", BoardGame::new(LGame)),
        cyclic("teeko:4x4", Teeko::new(4, 4, false).expect("a board of 16 cells")),
        forwards("teeko:4x4", Teeko::new(4, 4, false).expect("a board of 16 cells")),
        cyclic("teeko:5x4", Teeko::new(5, 4, false).expect("a board of 20 cells")),
        tiered("teeko:5x4", Teeko::new(5, 4, false).expect("a board of 20 cells")),
        cyclic("teeko:5x5", Teeko::new(5, 5, false).expect("a board of 25 cells")),
    ]
}

fn acyclic<G: Scored + Acyclic>(name: &'static str, game: G) -> Case {
    let game = Arc::new(game);
    let copy = Arc::clone(&game);
    Case {
        name,
        method: "layers",
        solver: Box::new(move |work| layers::solve(&*game, work)),
        moves: Box::new(move || count(&*copy)),
    }
}

fn cyclic<G: Scored + Reversible>(name: &'static str, game: G) -> Case {
    let game = Arc::new(game);
    let copy = Arc::clone(&game);
    Case {
        name,
        method: "retrograde",
        solver: Box::new(move |work| retrograde::solve_reversible(&*game, work)),
        moves: Box::new(move || count(&*copy)),
    }
}

/// Solves tier by tier, all in memory.
fn tiered<G: Tiered>(name: &'static str, game: G) -> Case {
    let game = Arc::new(game);
    let copy = Arc::clone(&game);
    Case {
        name,
        method: "tiers",
        solver: Box::new(move |work| tiers::solve(&*game, work)),
        moves: Box::new(move || count(&*copy)),
    }
}

/// Solves as if the game did not know its predecessors.
fn forwards<G: Scored + Indexed>(name: &'static str, game: G) -> Case {
    let game = Arc::new(game);
    let copy = Arc::clone(&game);
    Case {
        name,
        method: "forwards",
        solver: Box::new(move |work| retrograde::solve_forwards(&*game, work)),
        moves: Box::new(move || count(&*copy)),
    }
}

/// Counts positions and moves of a game.
fn count<G: Scored + Indexed>(game: &G) -> (u64, u64) {
    let (mut positions, mut moves) = (0, 0);
    game.walk(0..game.size(), &mut |_, position| {
        positions += 1;
        if game.over(&position).is_none() {
            game.child_indices(&position, &mut |_, _| moves += 1);
        }
    });
    (positions, moves)
}

/// Returns the best wall time and the best CPU time of this thread, of as many runs as fit into a few seconds.
fn best_time(solver: &Solver, threads: usize) -> (Duration, Duration, Table) {
    let work = Work { threads, ..quiet_work() };
    let first = Instant::now();
    let (mut clock, mut busy, mut last) = (Duration::MAX, Duration::MAX, None);
    let mut runs = 0;
    while last.is_none() || (runs < 50 && first.elapsed() < Duration::from_secs(4)) {
        let (began, worked) = (Instant::now(), worked());
        last = Some(solver(&work).expect("games of the bench can be solved"));
        clock = clock.min(began.elapsed());
        busy = busy.min(self::worked() - worked);
        runs += 1;
    }
    (clock, busy, last.expect("at least one run was made"))
}

/// Returns the CPU time of this thread so far; 0 if the system does not report it.
fn worked() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split(' ').next().and_then(|word| word.parse().ok()).unwrap_or(0))
}

/// Measures `reads` independent one-byte reads at random places of a table of `bytes` bytes.
fn random_reads(bytes: usize, reads: u64) -> Duration {
    let table: Vec<u8> = (0..bytes.max(1)).map(|n| n as u8).collect();
    let mut state = 88172645463325252u64;
    let mut sum = 0u64;
    let began = worked();
    for _ in 0..reads {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let at = ((u128::from(state) * table.len() as u128) >> 64) as usize;
        sum += u64::from(table[at]);
    }
    black_box(sum);
    worked() - began
}

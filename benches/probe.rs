//! Random probes of tables compared with raw random reads, and the size of tables on disk: `cargo bench --bench probe [NAME]..`.
//!
//! Each table is built, written in both forms and opened again; the figures are probes per second of CPU time of one
//! thread. `first` is the first probe of a file, including its opening.
#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use grundy::game::Scored;
use grundy::games::dots::{Dots, Setup};
use grundy::games::mnk::Mnk;
use grundy::games::teeko::Teeko;
use grundy::session::quiet_work;
use grundy::table::{Disk, Label, Maker, Packing, Table, write};
use grundy::tables::layers::Acyclic;
use grundy::tables::{layers, retrograde};

fn main() {
    let names: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    println!(
        "{:<17} {:>10} {:>10} {:>6}  {:>9} {:>9} {:>9} {:>9}  {:>8} {:>8}",
        "game", "bytes", "packed", "ratio", "raw M/s", "memory", "mapped", "packed", "open ms", "first ms"
    );
    for (name, make) in cases() {
        if names.is_empty() || names.iter().any(|wanted| name.contains(wanted.as_str())) {
            measure(name, &make());
        }
    }
}

/// A table and its builder.
type Case = (&'static str, Box<dyn Fn() -> Table>);

fn cases() -> Vec<Case> {
    fn by_layers<G: Scored + Acyclic>(game: &G) -> Table {
        layers::solve(game, &quiet_work()).expect("games of the bench can be solved")
    }
    let mnk = || Mnk::new(4, 4, 4, false).expect("a board of 16 cells");
    let dots = || Dots::<u32>::new(Setup::empty(3, 3)).expect("24 lines fit 32 bits");
    let teeko = || Teeko::new(4, 4, false).expect("a board of 16 cells");
    vec![
        ("mnk:4,4,4", Box::new(move || by_layers(&mnk()))),
        ("dots:3x3", Box::new(move || by_layers(&dots()))),
        (
            "teeko:4x4",
            Box::new(move || {
                retrograde::solve_reversible(&teeko(), &quiet_work()).expect("a small game of the bench")
            }),
        ),
    ]
}

fn measure(name: &str, table: &Table) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let label = Label { name: name.to_owned(), fingerprint: 0, maker: Maker::Other };
    let file = |packing| {
        let path = folder.path().join(if packing == Packing::Plain { "plain" } else { "packed" });
        write(&Disk, &path, &label, table, packing, 1).expect("room for a table");
        path
    };
    let (plain, packed) = (file(Packing::Plain), file(Packing::Packed));
    let size = |path: &std::path::Path| std::fs::metadata(path).map_or(0, |file| file.len());
    let began = Instant::now();
    let stored = Table::open(&packed).expect("a table just written");
    let opened = began.elapsed();
    black_box(stored.code(table.count() / 3));
    let first = began.elapsed();
    let mapped = Table::open(&plain).expect("a table just written");
    let cells = table.cells().expect("a table in memory");
    let rates = [
        rate(table.count(), |at| u32::from(cells[at as usize])),
        rate(table.count(), |at| table.code(at).expect("a cell of the table")),
        rate(table.count(), |at| mapped.code(at).expect("a cell of the table")),
        rate(table.count(), |at| stored.code(at).expect("a cell of the table")),
    ];
    println!(
        "{name:<17} {:>10} {:>10} {:>6.2}  {:>9.2} {:>9.2} {:>9.2} {:>9.3}  {:>8.3} {:>8.3}",
        cells.len(),
        size(&packed),
        cells.len() as f64 / size(&packed) as f64,
        rates[0],
        rates[1],
        rates[2],
        rates[3],
        opened.as_secs_f64() * 1e3,
        first.as_secs_f64() * 1e3,
    );
}

/// Returns millions of reads at random places per second.
fn rate(count: u64, read: impl Fn(u64) -> u32) -> f64 {
    let mut state = 88172645463325252u64;
    let (mut reads, mut sum) = (0u64, 0u64);
    let began = worked();
    while worked() - began < Duration::from_millis(500) {
        for _ in 0..20_000 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let at = (u128::from(state) * u128::from(count)) >> 64;
            sum += u64::from(read(at as u64));
        }
        reads += 20_000;
    }
    black_box(sum);
    reads as f64 / (worked() - began).as_secs_f64() / 1e6
}

/// Returns the CPU time of this thread so far; 0 if the system does not report it.
fn worked() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split(' ').next().and_then(|word| word.parse().ok()).unwrap_or(0))
}

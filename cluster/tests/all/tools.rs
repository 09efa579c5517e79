//! Functions that the tests share.

use std::fs;
use std::net::Ipv4Addr;
use std::path::Path;
use std::process::{Child, Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use grundy::catalog::CATALOG;
use grundy::random::SplitMix64;
use grundy::session::{Settings, quiet_work};
use grundy::table::{Disk, Packing, Scratch, write};

/// The program.
pub fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grundy-cluster"));
    command.env_remove("GRUNDY_CLUSTER_TOKEN").env_remove("RUST_LOG");
    command
}

/// The file that one machine writes.
pub fn expected(game: &str, form: Packing) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let session = CATALOG.open(game, &Settings::default()).unwrap();
    let game = session.tabled(None).unwrap();
    let table = game.solve(&quiet_work(), &Scratch::none()).unwrap();
    let path = folder.path().join("table");
    write(&Disk, &path, &game.label(), &table, form, 1).unwrap();
    fs::read(path).unwrap()
}

/// The file of a game in a folder.
pub fn made(folder: &Path, game: &str) -> Vec<u8> {
    let session = CATALOG.open(game, &Settings::default()).unwrap();
    fs::read(session.folder().moved(folder).file(session.name())).unwrap()
}

/// Returns addresses for `count` processes, which nobody else takes: each test has a loopback address of its own.
pub fn hosts(count: u16) -> Vec<String> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let (pid, next) = (std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let address = Ipv4Addr::new(127, 1 + (pid >> 8) as u8 % 254, pid as u8, 1 + next as u8 % 254);
    (0..count).map(|rank| format!("{address}:{}", 7400 + rank)).collect()
}

/// Waits until something is so. The time is for what hangs: no machine is so slow.
pub fn wait_until(mut so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !so() {
        assert!(begun.elapsed() < Duration::from_secs(900), "waited for too long");
        sleep(Duration::from_millis(5));
    }
}

/// Reports whether a process runs.
pub fn running(child: &mut Child) -> bool {
    child.try_wait().unwrap().is_none()
}

/// Returns the output of a process, which must end.
pub fn ended(mut child: Child) -> Output {
    wait_until(|| !running(&mut child));
    child.wait_with_output().unwrap()
}

/// Limits that no slow machine reaches.
pub const PATIENT: [&str; 4] = ["--patience", "300", "--start-within", "600"];

/// The names of the files in a folder.
pub fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// The output of a run on its two streams.
pub fn said(run: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&run.stdout), text(&run.stderr))
}

/// The processes that a process has started.
pub fn children(of: u32) -> Vec<u32> {
    let list = fs::read_to_string(format!("/proc/{of}/task/{of}/children")).unwrap_or_default();
    list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect()
}

/// Sends a signal to a process.
pub fn signal(pid: u32, name: &str) {
    let _ = Command::new("kill").args([format!("-{name}"), pid.to_string()]).output().unwrap();
}

/// Returns the text of a graph of this size, the same every time.
pub fn random_graph(nodes: usize) -> String {
    let mut random = SplitMix64(1);
    let mut text = String::from("digraph random {\n n0 [start=true]\n");
    for node in 0..nodes {
        for _ in 0..random.below(5) {
            let to = random.below(nodes);
            text.push_str(&format!(" n{node} -> n{to}\n"));
        }
    }
    text + "}\n"
}

/// Returns the text of a cyclic game for points: two men step about, and each coin that one steps on is a point.
pub fn coins(rows: &[&str]) -> String {
    let row = |row: &&str| {
        format!("[{}]", row.split("").filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join(","))
    };
    let board: Vec<String> = rows.iter().map(row).collect();
    format!(
        "//@ letters e=. x=X o=O c=$\n//@ value score\n#players = first(9), second(9)\n#pieces = e, x, o, c\n\
         #variables =\n#board = rectangle(up,down,left,right, {})\n#step = (up + down + left + right)\n\
         #turn(me; p) = ->me {{$ c > 0}} step* {{p}} [e] step ({{e}} [p] + {{c}} [p] [$ me = me + 1])\n\
         #rules = (turn(first; x) turn(second; o))*\n",
        board.join(" ")
    )
}

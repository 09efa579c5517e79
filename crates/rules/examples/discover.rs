//! Finds the positions of a rules file and solves them: `cargo run --release --example discover FILE THREADS`, both as
//! they are discovered and by the indices of a formula, if the game has one.

#![allow(clippy::print_stdout)]

use grundy_core::game::{Game, Indexed, Scored};
use grundy_core::table::NoCheckpoints;
use grundy_rules::game::Rules;
use grundy_session::{NEVER, Work};
use grundy_tables::discovered::{Horizon, Numbered, Packed, Reached, find, solve, solve_numbered};

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, path, threads] = &arguments[..] else { return Err("expected FILE THREADS".to_owned()) };
    let threads = threads.parse().map_err(|error| format!("{error}"))?;
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let rules = Rules::new(&text).map_err(|fault| fault.show(&text))?;
    let work = Work { stop: &NEVER, until: None, threads, memory_limit: None, report: &|_| {} };
    let began = processor_seconds();
    let found = find(&rules, &Horizon::default(), &work).map_err(|error| error.to_string())?;
    let found = found.ok_or("no end of positions")?;
    let discovered = processor_seconds();
    let table = solve(&rules, &found, &work, &mut NoCheckpoints).map_err(|error| error.to_string())?;
    let solved = processor_seconds();
    let start = rules.pack(&rules.start()).and_then(|start| found.keys.find(start));
    let value = start.and_then(|start| table.get(start as u64)).ok_or("the start has no value")?;
    let positions = found.positions(&rules).map_or("unknown".to_owned(), |count| count.to_string());
    println!(
        "{}: positions {positions}, numbers {}, symmetries {}, found in {:.1} s and solved in {:.1} s of processor time",
        value.show(rules.unit()),
        found.keys.len(),
        rules.canonical().len() + 1,
        discovered - began,
        solved - discovered
    );
    if !rules.is_numbered() {
        return Ok(());
    }
    let began = processor_seconds();
    let table = solve_numbered(&rules, &work, &mut NoCheckpoints).map_err(|error| error.to_string())?;
    let solved = processor_seconds();
    let value = table.get(rules.index(&rules.start())).ok_or("the start has no value")?;
    println!(
        "by a formula: {}: {} of {} numbers reached, solved in {:.1} s of processor time",
        value.show(rules.unit()),
        rules.reached().map_or(0, Reached::count),
        rules.size(),
        solved - began
    );
    Ok(())
}

/// Returns the processor time in seconds that all threads have taken; 0 if the system does not tell.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|ticks| ticks.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

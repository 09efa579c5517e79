//! Counts lines of play of a rules file: `cargo run --example perft FILE DEPTH`.

#![allow(clippy::print_stdout)]

use grundy_rules::machine::{Cursor, Machine};
use grundy_rules::parse::parse;
use grundy_rules::symbolic::compile;

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, path, depth] = &arguments[..] else { return Err("expected FILE DEPTH".to_owned()) };
    let depth: u32 = depth.parse().map_err(|error| format!("{error}"))?;
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let program = parse(&text).map_err(|fault| fault.show(&text))?;
    let code = compile(&program).map_err(|fault| fault.show(&text))?;
    let mut machine = Machine::new(&program, &code);
    let began = std::time::Instant::now();
    let start = machine.settle(&code, Cursor { at: code.start, cell: 0, turn: None });
    let count = start.map_or(0, |start| machine.perft(&code, start, depth));
    let seconds = began.elapsed().as_secs_f64();
    println!(
        "{count} {:.3} s, {} instructions, {} joins {:?}",
        seconds,
        code.all.len(),
        code.joins,
        machine.runaway
    );
    Ok(())
}

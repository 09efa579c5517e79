//! One ending of chess with all that it needs, solved once and cold: `cargo bench --bench endings -- KQvKR [ISA]`, where
//! ISA is `portable`, `avx2` or `avx512` (by default the best that the processor has). To be run under
//! `perf stat`, so that whole commands are compared.
#![allow(clippy::print_stdout)]

use std::collections::HashMap;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use grundy::games::chess::{Chess, Material};
use grundy::session::quiet_work;
use grundy::tables::bitparallel::solve_on;
use grundy::tables::superposed::{Endings, Isa, Laid, Levels};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let name = words.first().map_or("KQvKR", String::as_str);
    let isa = match words.get(1).map(String::as_str) {
        None => Isa::best(),
        Some("portable") => Isa::Portable,
        Some("avx2") => Isa::Avx2,
        Some("avx512") => Isa::Avx512,
        Some(other) => return refuse(&format!("{other}: portable, avx2 or avx512 was expected")),
    };
    if !isa.available() {
        return refuse(&format!("this processor has no {isa:?}"));
    }
    let ending = match Material::read(name).and_then(|ending| Chess::ending(ending).map(|_| ending)) {
        Ok(ending) => ending,
        Err(why) => return refuse(&why),
    };
    let began = Instant::now();
    let mut made = HashMap::new();
    match make(&Chess::new(), ending, isa, &mut made) {
        Ok(longest) => {
            println!(
                "{name} {isa:?}: {:.1} ms, longest {longest} plies",
                began.elapsed().as_secs_f64() * 1e3
            );
            ExitCode::SUCCESS
        }
        Err(why) => refuse(&why),
    }
}

/// Solves an ending after those that it needs; returns its longest distance.
fn make(
    chess: &Chess,
    ending: Material,
    isa: Isa,
    made: &mut HashMap<Material, Arc<Levels>>,
) -> Result<u32, String> {
    for needed in chess.needs(ending) {
        if !made.contains_key(&needed) {
            make(chess, needed, isa, made)?;
        }
    }
    let Laid::Whole(layout) = chess.layout(ending, &|needed: Material| made[&needed].clone()) else {
        return Err(format!("{ending} is solved in slices, not measured here"));
    };
    let levels = solve_on(isa, &layout, &quiet_work()).map_err(|error| error.to_string())?;
    let longest = levels.longest;
    made.insert(ending, Arc::new(levels));
    Ok(longest)
}

fn refuse(why: &str) -> ExitCode {
    println!("{why}");
    ExitCode::FAILURE
}

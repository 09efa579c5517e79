//! Times in Rust what `Game.values` does in Python: `values GAME` reads positions on stdin, one a line, and prints the seconds
//! of the best of three runs.

use std::io::Read;
use std::time::Instant;

use grundy::catalog;
use grundy::session::Settings;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = std::env::args().nth(1).ok_or("expected the name of a game")?;
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let positions: Vec<&str> = text.lines().collect();
    let mut session = catalog::open(&game, &Settings::default())?;
    session.value();
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let began = Instant::now();
        let mut known = 0;
        for position in &positions {
            session.setup(Some(position))?;
            known += u64::from(session.value().is_some());
        }
        assert_eq!(known, positions.len() as u64, "every value is known");
        best = best.min(began.elapsed().as_secs_f64());
    }
    println!("{best}");
    Ok(())
}

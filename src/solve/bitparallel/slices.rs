//! Classes in slices: each is solved by itself, after those of its chain that it leads to; chains side by side.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::solve;
use crate::solve::{Progress, SolveError, Work};
use crate::superposed::{Cells, Chain, Far, Levels, NONE, Slices, Step};

/// Solves a class that is laid out in slices.
///
/// # Errors
/// As [`solve`].
pub fn solve_slices<S: Slices>(slices: &S, work: &Work<'_>) -> Result<Levels, SolveError> {
    let (chains, words) = (slices.chains(), slices.length() * slices.words());
    let needed = (chains * words * 2 * 64) as u64;
    if let Some(limit) = work.memory_limit.filter(|&limit| needed > limit) {
        return Err(SolveError::TooLarge { needed, limit });
    }
    let mut levels =
        Levels { cells: [0, 1].map(|_| vec![Cells([NONE; 64]); chains * words]), ..Levels::default() };
    let [white, black] = &mut levels.cells;
    let jobs = white.chunks_mut(words).zip(black.chunks_mut(words)).enumerate();
    let jobs = Mutex::new(jobs.map(|(number, (white, black))| (number, [white, black])));
    let side_by_side = work.threads.clamp(1, chains.max(1));
    let total = (chains * slices.length()) as u64;
    let done = AtomicU64::new(0);
    let crew = || {
        let mut ended = Vec::new();
        loop {
            let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((number, cells)) = next else { return Ok(ended) };
            let report = |_: &Progress| {
                let done = done.load(Ordering::Relaxed);
                (work.report)(&Progress { what: "slices".into(), done, total });
            };
            let work = Work { threads: work.threads.div_ceil(side_by_side), report: &report, ..*work };
            let chain = Chain { cells, far: Default::default(), longest: 0 };
            let (far, longest) = solve_chain(slices, number, chain, &done, &work)?;
            ended.push((number, far, longest));
        }
    };
    let ended: Vec<Result<Vec<_>, SolveError>> = if side_by_side == 1 {
        vec![crew()]
    } else {
        std::thread::scope(|scope| {
            let crews: Vec<_> = (0..side_by_side).map(|_| scope.spawn(crew)).collect();
            let died = || Err(SolveError::Broken("a thread died".into()));
            crews.into_iter().map(|crew| crew.join().unwrap_or_else(|_| died())).collect()
        })
    };
    for ended in ended {
        for (number, far, longest) in ended? {
            let first = (number * words * 64) as u64;
            for (all, far) in levels.far.iter_mut().zip(far) {
                all.extend(far.into_iter().map(|(number, plies)| (first + number, plies)));
            }
            levels.longest = levels.longest.max(longest);
        }
    }
    Ok(levels)
}

/// Solves one chain, writes its cells and returns what stands beside them.
fn solve_chain<S: Slices>(
    slices: &S,
    number: usize,
    mut chain: Chain<'_>,
    done: &AtomicU64,
    work: &Work<'_>,
) -> Result<([Far; 2], u32), SolveError> {
    for step in 0..slices.length() {
        (work.report)(&Progress { what: String::new(), done: 0, total: 0 });
        if work.stopped() {
            return Err(SolveError::Stopped);
        }
        let (at, levels) = match slices.step(number, step, &chain) {
            Step::Solve(at, layout) => (at, solve(&layout, work)?),
            Step::Known(at, levels) => (at, levels),
        };
        let first = at * slices.words();
        for (side, cells) in levels.cells.iter().enumerate().filter(|(_, cells)| !cells.is_empty()) {
            chain.cells[side][first..first + cells.len()].copy_from_slice(cells);
        }
        for (all, far) in chain.far.iter_mut().zip(levels.far) {
            all.extend(far.into_iter().map(|(number, plies)| (first as u64 * 64 + number, plies)));
        }
        chain.longest = chain.longest.max(levels.longest);
        done.fetch_add(1, Ordering::Relaxed);
    }
    Ok((chain.far, chain.longest))
}

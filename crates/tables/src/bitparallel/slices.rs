//! Classes in slices: the slices of a chain are solved one after another, the chains in parallel.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::levels::solve;
use super::packed::PackedClass;
use crate::superposed::{
    ChainValues, Code, Far, Levels, NONE, Place, Portion, SliceWork, Slices, WordCodes, value_of,
};
use grundy_core::threads;
use grundy_core::value::Value;
use grundy_session::{Progress, SolveError, Work};

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
        Levels { cells: [0, 1].map(|_| vec![WordCodes([NONE; 64]); chains * words]), ..Levels::default() };
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
            let chain = ChainValues { lowest: 0, cells, far: Default::default(), longest: 0 };
            let (far, longest) = solve_chain(slices, number, 0..slices.length(), chain, &done, &work)?;
            ended.push((number, far, longest));
        }
    };
    let ended: Vec<Result<Vec<_>, SolveError>> = if side_by_side == 1 {
        vec![crew()]
    } else {
        std::thread::scope(|scope| {
            let crews: Vec<_> = (0..side_by_side).map(|_| threads::start(scope, crew)).collect();
            let died = || Err(SolveError::Broken("a thread died".into()));
            crews.into_iter().map(|crew| crew.join().unwrap_or_else(died)).collect()
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

/// The values of a portion of a class.
#[derive(Debug)]
pub struct PortionLevels {
    portion: Portion,
    /// The index of the chain's first word among those of the class.
    chain: usize,
    /// The index of the first word stored among those of the class.
    first: usize,
    /// The distances beside the cells are indexed from the beginning of the chain.
    levels: Arc<Levels>,
}

impl PortionLevels {
    /// Reports whether all of a portion is solved.
    pub fn covers(&self, portion: Portion) -> bool {
        self.portion.chain == portion.chain && self.portion.steps >= portion.steps
    }

    /// Returns a portion read from a file: its [place](PortionLevels::place) and its cells, which begin with those at
    /// the place's last word; `None` if they are damaged.
    pub(super) fn new(
        [chain, steps, chain_word, first]: [usize; 4],
        class: &PackedClass,
    ) -> Option<PortionLevels> {
        let portion = Portion { chain, steps };
        Some(PortionLevels { portion, chain: chain_word, first, levels: Arc::new(class.unpack()?) })
    }

    /// Returns the chain, the number of steps, and the first words of the chain and of the portion.
    pub(super) fn place(&self) -> [usize; 4] {
        [self.portion.chain, self.portion.steps, self.chain, self.first]
    }

    /// Returns the cells in compressed form; `None` if that fails.
    pub(super) fn pack(&self) -> Option<PackedClass> {
        PackedClass::new(&self.levels)
    }

    /// Returns the number of steps of its chain that are solved.
    pub(super) fn steps(&self) -> usize {
        self.portion.steps
    }

    /// Returns the values, without the words of the class before the first one stored.
    pub(super) fn levels(&self) -> Arc<Levels> {
        self.levels.clone()
    }

    /// Returns the longest distance, in plies.
    pub fn longest(&self) -> u32 {
        self.levels.longest
    }

    /// Returns its size in bytes.
    pub fn bytes(&self) -> u64 {
        self.levels.cells.iter().map(|cells| cells.len() as u64 * 64).sum()
    }

    /// Returns the code at a place of the class; [`NONE`] outside the portion.
    pub fn code(&self, place: Place) -> Code {
        let inside = place.word.checked_sub(self.first);
        inside.map_or(NONE, |word| self.levels.code(Place { word, ..place }))
    }

    /// Returns the codes of a word of the class; [`NONE`] outside the portion.
    pub fn word(&self, side: usize, word: usize) -> WordCodes {
        let inside = word.checked_sub(self.first).and_then(|word| self.levels.cells[side].get(word));
        inside.copied().unwrap_or(WordCodes([NONE; 64]))
    }

    /// Returns the value at a place of the class; `None` outside the portion, and if it is no position.
    pub fn value(&self, place: Place) -> Option<Value> {
        let word = place.word.checked_sub(self.chain)?;
        value_of(self.code(place), Place { word, ..place }, &self.levels.far)
    }
}

/// Solves a portion of a class that is laid out in slices; `earlier` is a smaller portion of the same chain, solved
/// before.
///
/// # Errors
/// As [`solve`].
pub fn solve_portion<S: Slices>(
    slices: &S,
    portion: Portion,
    earlier: Option<&PortionLevels>,
    work: &Work<'_>,
) -> Result<PortionLevels, SolveError> {
    let Portion { chain, steps } = portion;
    let words = slices.words();
    let lowest = slices.lowest(steps);
    let length = (slices.length() - lowest) * words;
    let needed = (length * 2 * 64) as u64;
    if let Some(limit) = work.memory_limit.filter(|&limit| needed > limit) {
        return Err(SolveError::TooLarge { needed, limit });
    }
    let mut levels =
        Levels { cells: [0, 1].map(|_| vec![WordCodes([NONE; 64]); length]), ..Levels::default() };
    if let Some(earlier) = earlier {
        for (cells, old) in levels.cells.iter_mut().zip(&earlier.levels.cells) {
            cells[length - old.len()..].copy_from_slice(old);
        }
        levels.far.clone_from(&earlier.levels.far);
        levels.longest = earlier.levels.longest;
    }
    let begin = earlier.map_or(0, |earlier| earlier.portion.steps);
    let done = AtomicU64::new(0);
    let report = |_: &Progress| {
        let (done, total) = (done.load(Ordering::Relaxed), (steps - begin) as u64);
        (work.report)(&Progress { what: "slices".into(), done, total });
    };
    let [white, black] = &mut levels.cells;
    let far = std::mem::take(&mut levels.far);
    let values = ChainValues { lowest, cells: [white, black], far, longest: levels.longest };
    let work = Work { report: &report, ..*work };
    (levels.far, levels.longest) = solve_chain(slices, chain, begin..steps, values, &done, &work)?;
    let chain = chain * slices.length() * words;
    Ok(PortionLevels { portion, chain, first: chain + lowest * words, levels: Arc::new(levels) })
}

/// Solves some steps of one chain, writes their cells and returns the distances stored beside all cells.
fn solve_chain<S: Slices>(
    slices: &S,
    number: usize,
    steps: Range<usize>,
    mut chain: ChainValues<'_>,
    done: &AtomicU64,
    work: &Work<'_>,
) -> Result<([Far; 2], u32), SolveError> {
    for step in steps {
        (work.report)(&Progress { what: "".into(), done: 0, total: 0 });
        if work.stopped() {
            return Err(SolveError::Stopped);
        }
        let (at, levels) = match slices.step(number, step, &chain) {
            SliceWork::Solve(at, layout) => (at, solve(&layout, work)?),
            SliceWork::Known(at, levels) => (at, levels),
        };
        let first = at * slices.words();
        let stored = (at - chain.lowest) * slices.words();
        for (side, cells) in levels.cells.iter().enumerate().filter(|(_, cells)| !cells.is_empty()) {
            chain.cells[side][stored..stored + cells.len()].copy_from_slice(cells);
        }
        for (all, far) in chain.far.iter_mut().zip(levels.far) {
            all.extend(far.into_iter().map(|(number, plies)| (first as u64 * 64 + number, plies)));
        }
        chain.longest = chain.longest.max(levels.longest);
        done.fetch_add(1, Ordering::Relaxed);
    }
    Ok((chain.far, chain.longest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::superposed::{
        BitRow, Exits, FAR, Isa, Lanes, Leaving, MAX_PLIES, Place, Superposed, code_of, note,
    };
    use grundy_core::value::Value;
    use grundy_session::quiet_work;

    /// A row of 512 places: a move leads one place down, and who cannot move has lost. On a bridge instead every move
    /// of the first side leads to the same place of a finished row.
    struct Walk {
        bridge: Option<Leaving>,
    }

    impl Superposed for Walk {
        fn blocks(&self) -> usize {
            1
        }

        fn rows(&self) -> usize {
            1
        }

        fn frame(&self, _block: usize, legal: [&mut [BitRow]; 2], lost_if_stuck: [&mut [BitRow]; 2]) {
            let [first, second] = legal;
            first[0] = BitRow([!0; 8]);
            second[0] = BitRow([if self.bridge.is_some() { 0 } else { !0 }; 8]);
            lost_if_stuck.into_iter().for_each(|rows| rows[0] = BitRow([!0; 8]));
        }

        fn fill_exits(&self, _side: usize, _block: usize, _cells: &mut [WordCodes]) {}

        fn exits<L: Lanes>(&self, _: usize, _: usize, _: Exits, _visit: impl FnMut(usize, u64)) -> bool {
            false
        }

        fn has_exits(&self, _side: usize, _block: usize, _code: Code) -> bool {
            false
        }

        fn longest_exit(&self) -> u32 {
            0
        }

        fn leaving(&self, side: usize) -> Option<&Leaving> {
            self.bridge.as_ref().filter(|_| side == 0)
        }

        fn reach(&self, _side: usize, _block: usize, live: &[u64]) -> u64 {
            live[0]
        }

        fn unmoves(
            &self,
            _isa: Isa,
            _side: usize,
            _block: usize,
            set: &[BitRow],
            _reset: Option<&[BitRow]>,
            _live: Option<&[u64]>,
            _groups: u64,
            out: &mut [BitRow],
        ) {
            let mut carried = 0;
            for (to, from) in out[0].0.iter_mut().zip(set[0].0) {
                *to = if self.bridge.is_some() { 0 } else { from << 1 | carried };
                carried = from >> 63;
            }
        }
    }

    /// A walk, and a bridge to it.
    struct Walks;

    impl Slices for Walks {
        type Slice = Walk;

        fn chains(&self) -> usize {
            2
        }

        fn length(&self) -> usize {
            2
        }

        fn words(&self) -> usize {
            8
        }

        fn lowest(&self, steps: usize) -> usize {
            2 - steps
        }

        fn step(&self, _chain: usize, step: usize, done: &ChainValues<'_>) -> SliceWork<Walk> {
            // The walk has the higher number, so that its numbers do not begin at 0.
            if step == 0 {
                return SliceWork::Solve(1, Walk { bridge: None });
            }
            let mut bridge = Leaving {
                cells: vec![WordCodes([NONE; 64]); 8],
                present: vec![[0; 4]],
                ..Leaving::default()
            };
            for number in 0..512u64 {
                let (word, bit) = (number as usize / 64, number as usize % 64);
                let found = done.cells[1][8 * (1 - done.lowest) + word].0[bit];
                let plies = 1 + match found {
                    FAR => done.far[1][&(512 + number)],
                    _ => u32::from(found) - 1,
                };
                let code = code_of(plies);
                bridge.cells[word].0[bit] = code;
                note(&mut bridge.present[0], code);
                bridge.longest = bridge.longest.max(plies);
                if code == FAR {
                    bridge.far.insert(number, plies);
                }
            }
            SliceWork::Solve(0, Walk { bridge: Some(bridge) })
        }
    }

    #[test]
    fn distances_beyond_a_cell_are_exact_and_cross_from_slice_to_slice() {
        for threads in 1..=3 {
            let levels = solve_slices(&Walks, &Work { threads, ..quiet_work() }).expect("small enough");
            assert_eq!(levels.longest, 512);
            assert!(levels.longest > MAX_PLIES);
            let decided = |plies: u32| {
                if plies.is_multiple_of(2) { Value::loss_in(plies) } else { Value::win_in(plies) }
            };
            for (chain, place) in (0..2).flat_map(|chain| (0..512).map(move |place| (chain, place))) {
                let at = |slice: usize, side: usize| Place {
                    side,
                    word: 16 * chain + 8 * slice + place / 64,
                    bit: place % 64,
                };
                for side in 0..2 {
                    assert_eq!(levels.value(at(1, side)), Some(decided(place as u32)));
                }
                assert_eq!(levels.value(at(0, 0)), Some(decided(place as u32 + 1)));
                assert_eq!(levels.value(at(0, 1)), None);
            }
        }
    }

    #[test]
    fn a_portion_has_the_values_of_the_class_and_grows() {
        let all = solve_slices(&Walks, &quiet_work()).expect("small enough");
        let solve = |steps, earlier: Option<&PortionLevels>| {
            solve_portion(&Walks, Portion { chain: 1, steps }, earlier, &quiet_work()).expect("small enough")
        };
        let (small, whole) = (solve(1, None), solve(2, None));
        let grown = solve(2, Some(&small));
        assert!(
            !small.covers(Portion { chain: 1, steps: 2 }) && !whole.covers(Portion { chain: 0, steps: 1 })
        );
        assert_eq!((small.longest(), whole.longest(), grown.longest()), (511, 512, 512));
        for (side, word, bit) in (0..2).flat_map(|side| (0..33).map(move |word| (side, word, 7 * word % 64)))
        {
            let place = Place { side, word, bit };
            let inside = |first: usize| all.value(place).filter(|_| word >= first);
            assert_eq!(small.value(place), inside(24), "{place:?}");
            assert_eq!((whole.value(place), grown.value(place)), (inside(16), inside(16)), "{place:?}");
            assert_eq!(grown.word(side, word), whole.word(side, word));
        }
    }
}

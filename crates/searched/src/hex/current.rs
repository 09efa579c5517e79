//! Hex as an electrical circuit: the current through a cell tells how much a connection depends on it.
//!
//! A player's circuit joins his two borders: a free cell is a resistor, a stone of his own a good conductor, a stone of the
//! opponent an insulator. The potentials are computed by successive over-relaxation.
//!
//! Source: C. Shannon's machine of about 1950; V. V. Anshelevich, "A hierarchical approach to computer Hex", Artificial
//! Intelligence 134, 2002.

use grundy_core::bits::indices;

use super::dead::Ring;

/// Resistances of a stone and of a free cell.
const STONE: f32 = 0.02;
const FREE: f32 = 1.0;
/// Sweeps over all cells, and the relaxation factor.
const SWEEPS: usize = 16;
const FACTOR: f32 = 1.5;

/// Returns the current through each free cell between a player's borders, as a share of the whole; zeros if nothing
/// connects them.
///
/// `rings` are the neighbours of each cell, `borders` the cells along the player's borders, `stones` his stones, `free` the free cells.
pub(super) fn currents(rings: &[Ring], borders: [u64; 2], stones: u64, free: u64) -> [f32; 64] {
    let mut resistance = [0.0; 64];
    indices(stones).for_each(|cell| resistance[cell] = STONE);
    indices(free).for_each(|cell| resistance[cell] = FREE);
    // The conductances of each cell: to its neighbours, then to the borders, and their sum.
    let open = stones | free;
    let mut conductances = [[0.0f32; 6]; 64];
    let mut ends = [[0.0f32; 2]; 64];
    let mut sums = [0.0f32; 64];
    let mut potential = [0.5f32; 66];
    for cell in indices(open) {
        for (k, &other) in rings[cell].iter().enumerate() {
            if usize::from(other) < 64 && open >> other & 1 == 1 {
                conductances[cell][k] = 1.0 / (resistance[cell] + resistance[usize::from(other)]);
            }
        }
        for side in 0..2 {
            if borders[side] >> cell & 1 == 1 {
                ends[cell][side] = 1.0 / resistance[cell];
            }
        }
        sums[cell] = conductances[cell].iter().chain(&ends[cell]).sum();
    }
    let neighbour = |other: u8| usize::from(other.min(64));
    for _ in 0..SWEEPS {
        for cell in indices(open).filter(|&cell| sums[cell] > 0.0) {
            let flows = rings[cell].iter().zip(&conductances[cell]);
            let sum: f32 = flows.map(|(&other, conductance)| potential[neighbour(other)] * conductance).sum();
            // The first border has the potential 1, the second 0.
            let aim = (sum + ends[cell][0]) / sums[cell];
            potential[cell] += FACTOR * (aim - potential[cell]);
        }
    }
    let mut currents = [0.0; 64];
    let mut whole = 0.0;
    for cell in indices(open) {
        let flows = rings[cell].iter().zip(&conductances[cell]);
        let through: f32 = flows
            .map(|(&other, conductance)| (potential[neighbour(other)] - potential[cell]).abs() * conductance)
            .sum();
        let entering = (1.0 - potential[cell]) * ends[cell][0];
        let leaving = potential[cell] * ends[cell][1];
        whole += entering;
        if free >> cell & 1 == 1 {
            currents[cell] = (through + entering.abs() + leaving.abs()) / 2.0;
        }
    }
    if whole > 0.0 {
        currents.iter_mut().for_each(|current| *current /= whole);
    }
    currents
}

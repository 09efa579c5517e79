//! Games read from texts that people bring, and the values of their positions from the end backwards.

mod backward;
mod pgn;
mod read;

pub use backward::Backward;
pub use pgn::write as write_pgn;
pub use read::{Game, Unread, read, read_or_lines, text_of};

#[cfg(test)]
mod tests {
    use grundy_session::{Catalog, Family};

    /// The games of unit tests.
    pub static CATALOG: Catalog = Catalog::new(FAMILIES);

    static FAMILIES: &[Family] = &[
        Family { title: "boards", rows: &grundy_boards::ROWS },
        Family { title: "searched", rows: &grundy_searched::ROWS },
        Family { title: "chess", rows: &grundy_chess::ROWS },
        Family { title: "heaps", rows: &grundy_heaps::ROWS },
        Family { title: "sowing", rows: &grundy_sowing::ROWS },
    ];
}

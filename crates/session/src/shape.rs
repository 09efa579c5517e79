//! The forms of pictures.

/// The way the positions of a game are drawn from their text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// Rows of cells joined by `/`. Other text is shown as it is.
    #[default]
    Grid,
    /// One row of cells.
    Strip,
    /// Rows of hexagons, each half a cell to the right of the one above.
    Hexagons,
    /// Dots with lines between them.
    Dots,
    /// Two rows of pits with a store at either end.
    Pits,
    /// Stalks of edges from the ground up, by the letters of their colours, joined by commas.
    Stalks,
    /// Heaps of counters, joined by commas.
    Heaps,
    /// Heaps, then the counters that each player has in hand.
    Banks,
    /// One heap, then the most that may be taken.
    Limited,
    /// Rows of cells of falling length, the lowest first, joined by commas.
    Steps,
    /// Coins on a strip of squares: the number of each coin's square, joined by commas.
    Coins,
    /// Rows of cells joined by `/`, with discs of two colours.
    Discs,
    /// Rows of cells joined by `/`, with men of two players.
    Men,
    /// Rows of cells joined by `/`, which two players paint.
    Painted,
    /// Rows of cells joined by `/`, of which `X` are covered.
    Covered,
    /// A frame with holes, rows joined by `/`, into which discs fall.
    Frame,
    /// Rows of cells joined by `/`, on which players make lines of marks.
    Lines,
    /// Two men on each of several rows.
    Rows,
    /// Numbers in a row.
    Numbers,
    /// A map followed by the cells of two figures.
    Map,
    /// The node of a graph.
    Node,
    /// Spots on lines: boundaries that end with `.`, regions with `}`, lands with `!`.
    Spots,
    /// A chess board by FEN.
    Chess,
    /// The points of squares within squares, rows from the top joined by `/`, with the lines between them.
    Points,
    /// Positions of several games joined by `+`.
    Sum,
    /// Rows of cells with draughts: `x` and `o` men, `X` and `O` kings.
    Draughts,
    /// Rows of cells with the tiles of Dobutsu Shogi, then those in hand.
    Tiles,
    /// Rows of cells joined by `/`, each of stacks of cups of three sizes, joined by commas.
    Cups,
    /// Rows of cells with marks by their age: `1` to `3` or `X` to `Z` from the oldest on, `a` to `c` or `A` to `C`.
    Ages,
    /// Rows of cells with the numbers from 1 on, written as letters from `A` on.
    Numbered,
    /// Rows of cells with four figures of each player.
    Figures,
    /// Rows of cells with pieces of four properties, then the piece that was handed over.
    Quarto,
    /// Rows of cells with pieces of several cells, a letter each.
    Coloured,
    /// Lines between points: those from the first, from the second, ..
    Polygon,
    /// The fingers of each player's hands.
    Hands,
    /// Sets of letters, joined by commas.
    Sets,
}

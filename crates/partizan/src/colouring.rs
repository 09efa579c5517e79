//! Col and Snort: players colour the cells of a map.
//!
//! * Player one colours a free cell `X`, player two `O`. In Col never beside a cell of one's own colour, in Snort never
//!   beside one of the other's. The player who cannot move loses.
//! * The map is a grid, on which cells are neighbours that share a side, or an undirected DOT graph without loops, in
//!   which a node may have `color=blue` (`X`) or `red` (`O`).
//! * Position `X../..O 1`, rows from the top; of a graph a mark for each node in the order of the file, `X.O 1`. Move:
//!   the square, `b2`, or the node's name as one word (`words::escaped`).
//!
//! Solved by canonical forms; beyond them who wins by outcomes of sums, how soon by search. Only the free cells that each
//! player may still colour matter; they fall into components that do not touch. Source: "Winning Ways", 1982, chapters 2
//! and 5; J. H. Conway, "On Numbers and Games", 1976.

use grundy_core::bits::{indices, places};
use grundy_core::dot::Undirected;
use grundy_core::game::{Flow, Player, hash_of};
use grundy_core::grid::Grid;
use grundy_core::sorting::sort_few;
use grundy_core::text::excerpt;
use grundy_core::value::Value;
use grundy_core::words;
use grundy_search::board::{BoardRules, Image, Layout, Move, Position, images};

/// Maximum number of cells of a map.
pub const CELLS: usize = 64;

/// The constraint on neighbours, which tells the two games apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// No two neighbours have one colour.
    Col,
    /// No two neighbours have different colours.
    Snort,
}

/// The rules on one map.
#[derive(Clone, Debug)]
pub struct Colouring {
    rule: Rule,
    map: Map,
    /// The neighbours of each cell.
    beside: Vec<u64>,
    /// The first column of a grid.
    left: u64,
    /// Cells of each player's colour, player one's first; a grid's cell 0 is at the top left.
    start: [u64; 2],
    symmetries: Vec<Image>,
}

#[derive(Clone, Debug)]
enum Map {
    Grid(Grid),
    Nodes(Vec<Box<str>>),
}

impl Colouring {
    /// Returns the game on a grid of `rows` by `columns` cells.
    ///
    /// # Errors
    /// The grid has no cell, more than [`CELLS`], or more than 26 columns.
    pub fn on_grid(rule: Rule, rows: usize, columns: usize) -> Result<Colouring, String> {
        let sides = (1..=Grid::MOST_COLUMNS).contains(&columns) && (1..=CELLS).contains(&rows);
        if !sides || rows * columns > CELLS {
            return Err(format!(
                "no map of {rows}x{columns}: expected rows x columns of 1 to {CELLS} cells, at most 26 columns"
            ));
        }
        let grid = Grid { columns, rows };
        let beside = (0..grid.cells()).map(|cell| grid.beside(cell)).collect();
        let symmetries = images(&grid.symmetries(), 0, 0);
        let left = (0..rows).fold(0, |set, row| set | 1 << (row * columns));
        Ok(Colouring { rule, map: Map::Grid(grid), beside, left, start: [0; 2], symmetries })
    }

    /// Returns the game on a graph.
    ///
    /// # Errors
    /// The graph has no node or too many, a loop, a colour other than blue and red, or colours that break the rule.
    pub fn on_graph(rule: Rule, graph: &Undirected) -> Result<Colouring, String> {
        if graph.nodes.is_empty() || graph.nodes.len() > CELLS {
            return Err(format!("{} nodes: expected 1 to {CELLS}", graph.nodes.len()));
        }
        let mut start = [0; 2];
        for (number, node) in graph.nodes.iter().enumerate() {
            let shown = words::short(&words::escaped(&node.name));
            match node.get("color") {
                None => {}
                Some("blue") => start[0] |= 1 << number,
                Some("red") => start[1] |= 1 << number,
                Some(word) => {
                    let word = excerpt(word, 24);
                    return Err(format!("node {shown} has color={word}: expected blue or red"));
                }
            }
        }
        let mut beside = vec![0; graph.nodes.len()];
        for edge in &graph.edges {
            let (a, b) = edge.ends;
            if a == b {
                let name = words::short(&words::escaped(&graph.nodes[a as usize].name));
                return Err(format!("node {name} is joined to itself: expected no loop"));
            }
            beside[a as usize] |= 1 << b;
            beside[b as usize] |= 1 << a;
        }
        let names = graph.nodes.iter().map(|node| words::escaped(&node.name).into()).collect();
        let game = Colouring { rule, map: Map::Nodes(names), beside, left: 0, start, symmetries: Vec::new() };
        game.check(start)?;
        Ok(game)
    }

    fn cells(&self) -> usize {
        self.beside.len()
    }

    /// Returns the neighbours of the cells of a set.
    #[inline]
    fn reach(&self, set: u64) -> u64 {
        if let Map::Grid(grid) = &self.map {
            let columns = grid.columns as u32;
            let upright = set.checked_shl(columns).unwrap_or(0) | set.checked_shr(columns).unwrap_or(0);
            let sideways = set << 1 & !self.left | (set & !self.left) >> 1;
            return (upright | sideways) & u64::MAX >> (64 - self.cells());
        }
        indices(set).fold(0, |near, cell| near | self.beside[cell])
    }

    /// Returns the cells that each player may still colour, player one's first.
    #[inline]
    fn open(&self, coloured: [u64; 2]) -> [u64; 2] {
        let free = u64::MAX >> (64 - self.cells()) & !(coloured[0] | coloured[1]);
        let [first, second] = coloured.map(|set| self.reach(set));
        match self.rule {
            Rule::Col => [free & !first, free & !second],
            Rule::Snort => [free & !second, free & !first],
        }
    }

    /// Checks that colours obey the rule.
    fn check(&self, coloured: [u64; 2]) -> Result<(), String> {
        let [first, second] = coloured;
        let broken = match self.rule {
            Rule::Col => first & self.reach(first) | second & self.reach(second),
            Rule::Snort => first & self.reach(second),
        };
        match broken {
            0 => Ok(()),
            cells => Err(format!(
                "the colour of {} breaks the rule: expected no neighbours of {}",
                self.name(cells.trailing_zeros() as u8),
                if self.rule == Rule::Col { "one colour" } else { "different colours" }
            )),
        }
    }

    fn name(&self, cell: u8) -> String {
        match &self.map {
            Map::Grid(grid) => grid.square(usize::from(cell)),
            Map::Nodes(names) => names[usize::from(cell)].to_string(),
        }
    }

    fn part(&self, open: [u64; 2]) -> Vec<[u64; 2]> {
        let mut parts = Vec::new();
        let mut left = open[0] | open[1];
        while left != 0 {
            let (mut found, mut fresh) = (0, left & left.wrapping_neg());
            while fresh != 0 {
                found |= fresh;
                fresh = self.joined(open, fresh) & left & !found;
            }
            left &= !found;
            parts.push(self.settled([open[0] & found, open[1] & found]));
        }
        parts
    }

    /// Returns the open cells next to those of `set` that a move on a cell of `set` can close, or that can close one of
    /// it.
    fn joined(&self, open: [u64; 2], set: u64) -> u64 {
        let [first, second] = open;
        let near = |cells: u64| self.reach(cells);
        match self.rule {
            // A neighbour of one's own colour closes a cell.
            Rule::Col => near(set & first) & first | near(set & second) & second,
            // A neighbour of the other's colour closes a cell.
            Rule::Snort => near(set & first) & second | near(set & second) & first,
        }
    }

    /// Returns the representative of a component's images: on a grid, those turned, mirrored and moved to the top left.
    fn settled(&self, part: [u64; 2]) -> [u64; 2] {
        let Map::Grid(grid) = &self.map else { return part };
        let moved = |part: [u64; 2]| {
            let shift = grid.corner(part[0] | part[1]);
            part.map(|set| set >> shift)
        };
        // Every image of a single cell is the first cell.
        let kept = moved(part);
        if (kept[0] | kept[1]) == 1 {
            return kept;
        }
        let images = self.symmetries.iter().map(|image| moved(part.map(|set| image.men.apply(set))));
        images.fold(kept, |least, image| least.min(image))
    }
}

impl BoardRules for Colouring {
    fn layout(&self) -> Layout {
        Layout { cells: self.cells() as u32, rest: 0, stage: 0 }
    }

    fn symmetries(&self) -> Vec<Image> {
        self.symmetries.clone()
    }

    fn start(&self) -> Position {
        Position { men: self.start, ..Position::EMPTY }
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        places(self.open(position.men)[position.turn.index()]).try_for_each(|cell| visit(Move(cell.into())))
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        position.after(position.own() | 1 << m.0, position.other(), 0)
    }

    fn write_position(&self, position: &Position) -> String {
        let mark = |cell: usize| match position.men.map(|set| set >> cell & 1) {
            [1, _] => 'X',
            [_, 1] => 'O',
            _ => '.',
        };
        let board = match &self.map {
            Map::Grid(grid) => grid.write(mark),
            Map::Nodes(names) => (0..names.len()).map(mark).collect(),
        };
        format!("{board} {}", position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let expected = match &self.map {
            Map::Grid(_) => "the map's rows from the top, as X../..O,",
            Map::Nodes(_) => "X, O or . for each node of the file",
        };
        let ([board], turn) = words::fields(text, expected)?;
        let grid = match &self.map {
            Map::Grid(grid) => *grid,
            Map::Nodes(names) => Grid { columns: names.len(), rows: 1 },
        };
        let mut men = [0; 2];
        grid.read_stones(board, |player, cell| men[player] |= 1 << cell)?;
        self.check(men)?;
        Ok(Position { men, rest: 0, turn })
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        self.name(m.0 as u8)
    }

    /// Returns the hash of the components of cells that may still be coloured up to images, the mover's first.
    fn key(&self, position: &Position) -> Option<u64> {
        let [first, second] = self.open(position.men);
        let mut parts =
            self.part(if position.turn == Player::One { [first, second] } else { [second, first] });
        sort_few(&mut parts);
        Some(hash_of(parts))
    }

    fn guess(&self, position: &Position) -> i32 {
        let open = self.open(position.men);
        let count = |player: Player| open[player.index()].count_ones() as i32;
        100 * (count(position.turn) - count(!position.turn))
    }

    fn hint(&self, position: &Position, _m: Move, child: &Position) -> i32 {
        let open = self.open(child.men);
        let own = position.turn.index();
        open[own].count_ones() as i32 - open[1 - own].count_ones() as i32
    }

    /// If the other player has nothing left to colour, the next move is the last.
    fn bounds(&self, position: &Position) -> (Value, Value) {
        let other = self.open(position.men)[(!position.turn).index()];
        (if other == 0 { Value::win_in(1) } else { Value::loss_in(2) }, Value::win_in(1))
    }

    /// A part is the cells of a component that each player may still colour.
    fn parts(&self, position: &Position) -> Vec<[u64; 2]> {
        self.part(self.open(position.men))
    }

    fn options(&self, part: [u64; 2], player: Player, visit: &mut dyn FnMut(Vec<[u64; 2]>)) {
        let own = player.index();
        let mut open = part[own];
        while open != 0 {
            let cell = open & open.wrapping_neg();
            open &= open - 1;
            let mut left = part.map(|set| set & !cell);
            let closed = if self.rule == Rule::Col { own } else { 1 - own };
            left[closed] &= !self.beside[cell.trailing_zeros() as usize];
            visit(self.part(left));
        }
    }

    /// Exchanges the cells that player one may colour and those that player two may.
    fn negative(&self, [one, two]: [u64; 2]) -> Option<[u64; 2]> {
        Some(self.settled([two, one]))
    }

    fn moves_in(&self, part: [u64; 2], player: Player) -> u32 {
        part[player.index()].count_ones()
    }
}

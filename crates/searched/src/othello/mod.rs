//! Othello on boards with sides of 4, 6 and 8 cells.
//!
//! * Two discs of each player start crosswise in the middle: on 8x8 `X` (player one) on d5 and e4, `O` on d4 and e5.
//! * A move places a disc where it encloses discs of the other in a straight line, and turns over all it encloses. A
//!   player without such a move must pass (`pass`); if neither has one the game is over.
//! * The value is the difference of the discs at the end for the player to move; `score=win` gives the empty cells to
//!   the winner.
//! * Position `......../.../...XO.../...OX... 1`, rows from the top; move `d3`. Boards of 64 letters and a player to
//!   move (OBF) are read as well.
//!
//! Solved by search; positions with few free cells have a search of their own (`last`). Boards are words of 64 bits,
//! bit 8 * row + column from the bottom left; smaller boards lie in that corner, and the cells around them stay empty.
//!
//! Source: rules of the World Othello Federation; the results of 4x4 and 6x6 are J. Feinstein's, 1993.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod bits;
mod evaluation;
mod geometry;
mod instructions;
mod last;
#[cfg(target_arch = "x86_64")]
mod last_avx2;
mod pattern;

use evaluation::{Evaluation, settled};
use geometry::Geometry;
use grundy_core::game::{Flow, Game, MORE, Notation, Player, Scored, each_move};
use grundy_core::grid::Grid;
use grundy_core::random::fold_pair;
use grundy_core::value::{Unit, Value};
use grundy_core::words;
use grundy_search::Visits;
use grundy_search::alpha_beta::{Bounds, Heuristic, Prediction};
use instructions::{Instructions, Plain};
use last::Discs;
pub use pattern::Shape;
#[cfg(target_family = "wasm")]
pub use pattern::read_weights_by;

/// The rules of Othello.
#[derive(Clone, Debug)]
pub struct Othello {
    board: Geometry,
    evaluation: Evaluation,
    #[cfg(target_arch = "x86_64")]
    avx2: Option<avx2::Avx2>,
}

/// Runs the job with the best instructions of this processor, and returns its answer from the function around it.
macro_rules! with_isa {
    ($game:expr, $job:expr) => {{
        #[cfg(target_arch = "x86_64")]
        if let Some(isa) = $game.avx2 {
            return isa.run($job);
        }
        Plain.run($job)
    }};
}

/// The discs, and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Discs of the player to move.
    pub mine: u64,
    /// Discs of the other player.
    pub other: u64,
    /// The player to move.
    pub turn: Player,
    /// The cells where he can place a disc: needed more than once at nearly every position.
    moves: u64,
}

/// The move that passes the turn.
pub const PASS: u8 = 64;
/// With at most this many free cells the search in `last` takes over.
const LAST: u32 = 9;
/// Up to this many discs symmetric images share a key; with more they rarely occur.
const MIRRORED: u32 = 12;
/// Hundredths of a standard deviation by which a shallow search must be beyond the window for a cut.
const CERTAINTY: i32 = 140;

/// Returns the depth of the search that predicts the score of one of this depth: about half of it, and of its parity.
pub fn shallow(depth: i32) -> i32 {
    let half = (depth + 1) / 2;
    half - (depth - half) % 2
}

impl Othello {
    /// Returns the game on a board of this size.
    ///
    /// # Errors
    /// A side is not 4, 6 or 8.
    pub fn new(columns: usize, rows: usize, winner_takes_empties: bool) -> Result<Othello, String> {
        if ![columns, rows].iter().all(|side| [4, 6, 8].contains(side)) {
            return Err(format!("no board of {columns}x{rows}: expected sides of 4, 6 or 8, as 8x8"));
        }
        let board = Geometry::new(columns, rows, winner_takes_empties);
        Ok(Othello {
            evaluation: Evaluation::new(&board),
            board,
            #[cfg(target_arch = "x86_64")]
            avx2: avx2::Avx2::new(),
        })
    }

    fn grid(&self) -> Grid {
        Grid { columns: self.board.columns, rows: self.board.rows }
    }

    /// Returns the bit of a cell of the grid.
    fn bit(&self, cell: usize) -> u64 {
        let (column, row) = self.grid().coordinates(cell);
        1 << (8 * (self.board.rows - 1 - row) + column)
    }

    /// Returns the position with these discs.
    #[inline]
    fn position(&self, mine: u64, other: u64, turn: Player) -> Position {
        Position { mine, other, turn, moves: self.moves_of(mine, other) }
    }

    /// Returns the discs that a disc on this cell turns over, and the other's moves after it.
    #[inline]
    fn turned(&self, mine: u64, other: u64, cell: u8) -> (u64, u64) {
        with_isa!(self, |isa| {
            let turned = isa.flips(mine, other, u32::from(cell));
            (turned, isa.moves_on(&self.board, other ^ turned, mine ^ turned | 1 << cell))
        })
    }

    /// Returns the number of free cells.
    #[inline]
    fn free(&self, position: &Position) -> u32 {
        (self.board.cells & !(position.mine | position.other)).count_ones()
    }

    /// Returns the symmetric images of the discs.
    fn images(&self, position: &Position) -> impl Iterator<Item = (u64, u64)> {
        let images = |discs| bits::images(discs, self.board.columns, self.board.rows).into_iter();
        images(position.mine).zip(images(position.other))
    }

    /// Returns the position of player one with these discs to move.
    pub fn with_discs(&self, mine: u64, other: u64) -> Position {
        self.position(mine, other, Player::One)
    }

    /// Adds the places of the position's fillings in the file of weights to `fillings`, and returns the general terms of
    /// the evaluation: a constant, 1 if the number of free cells is odd, and how many more moves and discs beside free
    /// cells the player to move has.
    pub fn inputs(&self, shape: &Shape, position: &Position, fillings: &mut Vec<u32>) -> [i32; 4] {
        let Position { mine, other, moves, .. } = *position;
        with_isa!(self, |isa| {
            shape.fillings(isa, mine, other, fillings);
            evaluation::general(isa, &self.board, mine, other, moves)
        })
    }

    /// Returns the cells where the first player of the two can place a disc.
    #[inline]
    fn moves_of(&self, mine: u64, other: u64) -> u64 {
        with_isa!(self, |isa| isa.moves_on(&self.board, mine, other))
    }
}

impl Game for Othello {
    type Position = Position;
    /// The bit of the cell, or [`PASS`].
    type Move = u8;

    fn start(&self) -> Position {
        let (c, r) = (self.board.columns / 2, self.board.rows / 2);
        let bit = |column: usize, row: usize| 1u64 << (8 * row + column);
        self.position(bit(c - 1, r) | bit(c, r - 1), bit(c - 1, r - 1) | bit(c, r), Player::One)
    }

    #[inline]
    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    #[inline]
    fn over(&self, position: &Position) -> Option<Value> {
        let Position { mine, other, moves, .. } = *position;
        let ended = moves == 0 && self.moves_of(other, mine) == 0;
        ended.then(|| Value::points(self.board.result(mine, other)))
    }

    #[inline]
    fn moves(&self, position: &Position, visit: &mut impl FnMut(u8) -> Flow) -> Flow {
        let mut cells = position.moves;
        if cells == 0 {
            return visit(PASS);
        }
        while cells != 0 {
            visit(cells.trailing_zeros() as u8)?;
            cells &= cells - 1;
        }
        MORE
    }

    #[inline]
    fn play(&self, position: &Position, m: u8) -> Position {
        let Position { mine, other, turn, .. } = *position;
        if m == PASS {
            return self.position(other, mine, !turn);
        }
        let (turned, moves) = self.turned(mine, other, m);
        Position { mine: other ^ turned, other: mine ^ turned | 1 << m, turn: !turn, moves }
    }

    /// Discs are seen by the player to move already.
    fn essence(&self, position: &Position) -> Position {
        Position { turn: Player::One, ..*position }
    }

    fn canonical(&self, position: &Position) -> Position {
        let (mine, other) = self.images(position).min().unwrap_or((position.mine, position.other));
        self.position(mine, other, position.turn)
    }
}

impl Scored for Othello {
    fn unit(&self) -> Unit {
        Unit::Points
    }
}

impl Othello {
    /// Reads a board as other programs write it (OBF): its cells from a1 to h8, rank by rank, `X` or `*`, `O`, `-` or
    /// `.`, then the player to move, `X` or `O`; `None` if the text has another form.
    fn read_letters(&self, text: &str) -> Option<Position> {
        let text: String = text.trim_end_matches(';').split_whitespace().collect();
        let cells = self.board.size() as usize;
        if !text.is_ascii() || text.len() != cells + 1 {
            return None;
        }
        let mut discs = [0u64; 2];
        for (cell, letter) in text[..cells].chars().enumerate() {
            let bit = 1 << (8 * (cell / self.board.columns) + cell % self.board.columns);
            match letter {
                'X' | 'x' | '*' => discs[0] |= bit,
                'O' | 'o' => discs[1] |= bit,
                '-' | '.' => {}
                _ => return None,
            }
        }
        let turn = match &text[cells..] {
            "X" | "x" | "*" => Player::One,
            "O" | "o" => Player::Two,
            _ => return None,
        };
        Some(self.position(discs[turn.index()], discs[1 - turn.index()], turn))
    }
}

/// Reports whether a text can only be of Othello on 8x8: a board in letters, or moves from the start as `F5D6C3`.
pub fn recognized(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let board = |line: &&str| {
        let cells: String = line.split(';').next().unwrap_or("").split_whitespace().collect();
        cells.len() == 65 && cells.chars().all(|cell| "XxOo*-.".contains(cell))
    };
    if let [first, ..] = lines[..]
        && board(&first)
    {
        return true;
    }
    let moves: String = text.split_whitespace().collect::<String>().to_ascii_lowercase();
    let squares: Vec<&str> = (0..moves.len() / 2).filter_map(|at| moves.get(2 * at..2 * at + 2)).collect();
    let is_square = |square: &&str| matches!(square.as_bytes(), [b'a'..=b'h', b'1'..=b'8']);
    // The first move, and its answers.
    const OPENINGS: [(&str, [&str; 3]); 4] = [
        ("f5", ["d6", "f4", "f6"]),
        ("c4", ["e3", "c5", "c3"]),
        ("d3", ["e3", "c3", "c5"]),
        ("e6", ["f4", "f6", "d6"]),
    ];
    let opens = |&(first, answers): &(&str, [&str; 3])| {
        squares.first() == Some(&first) && squares.get(1).is_some_and(|second| answers.contains(second))
    };
    moves.len().is_multiple_of(2)
        && squares.len() * 2 == moves.len()
        && squares.iter().all(is_square)
        && OPENINGS.iter().any(opens)
}

impl Notation for Othello {
    fn write_position(&self, position: &Position) -> String {
        let letters = if position.turn == Player::One { ['X', 'O'] } else { ['O', 'X'] };
        let letter = |cell| match self.bit(cell) {
            bit if position.mine & bit != 0 => letters[0],
            bit if position.other & bit != 0 => letters[1],
            _ => '.',
        };
        format!("{} {}", self.grid().write(letter), position.turn.digit())
    }

    fn cells(&self, position: &Position, cells: &mut Vec<u8>) {
        let mine = position.turn.index();
        let sets = [position.mine, position.other];
        self.grid().push_stones(cells, |side, cell| sets[side ^ mine] & self.bit(cell) != 0);
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        if let Some(position) = self.read_letters(text) {
            return Ok(position);
        }
        let ([board], turn) = words::fields(text, "the board's rows from the top, as ...XO.../...,")?;
        let mut discs = [0u64; 2];
        self.grid().read_stones(board, |side, cell| discs[side] |= self.bit(cell))?;
        let mover = turn.index();
        Ok(self.position(discs[mover], discs[1 - mover], turn))
    }

    fn write_move(&self, _position: &Position, m: u8) -> String {
        if m == PASS {
            return "pass".to_string();
        }
        format!("{}{}", char::from(b'a' + m % 8), m / 8 + 1)
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<u8> {
        let word = if ["--", "ps", "pa"].contains(&word) { "pass" } else { word };
        let mut found = None;
        if self.over(position).is_none() {
            let _ = each_move(self, position, &mut |m| {
                found = found.or_else(|| (self.write_move(position, m) == word).then_some(m));
                MORE
            });
        }
        found
    }

    fn draw(&self, position: &Position) -> String {
        let line = self.write_position(position);
        let mut text = String::new();
        for (row, cells) in line.split(' ').next().unwrap_or_default().split('/').enumerate() {
            text.push_str(&(self.board.rows - row).to_string());
            cells.chars().for_each(|cell| text.extend([' ', cell]));
            text.push('\n');
        }
        text.push(' ');
        (0..self.board.columns as u8).for_each(|column| text.extend([' ', char::from(b'a' + column)]));
        text
    }
}

impl Heuristic for Othello {
    #[inline]
    fn key(&self, position: &Position) -> u64 {
        let Position { mine, other, .. } = *position;
        let key = fold_pair(mine, other);
        if (mine | other).count_ones() > MIRRORED {
            return key;
        }
        self.images(position).map(|(mine, other)| fold_pair(mine, other)).min().unwrap_or(key)
    }

    fn guess(&self, position: &Position) -> i32 {
        let Position { mine, other, moves, .. } = *position;
        with_isa!(self, |isa| self.evaluation.guess(isa, &self.board, mine, other, moves))
    }

    /// Orders moves that leave the other few answers first.
    #[inline]
    fn hint(&self, _position: &Position, m: u8, child: &Position) -> i32 {
        let Position { mine, other, moves, .. } = *child;
        with_isa!(self, |isa| self.evaluation.hint(isa, &self.board, u32::from(m), mine, other, moves))
    }

    #[inline]
    fn hint_at_leaf(&self, _position: &Position, m: u8, child: &Position) -> i32 {
        let Position { mine, other, moves, .. } = *child;
        with_isa!(self, |_| self.evaluation.plain_hint(&self.board, u32::from(m), mine, other, moves))
    }

    fn prediction(&self, position: &Position, depth: i32) -> Option<Prediction> {
        if depth < 3 || self.board.side() != Some(8) {
            return None;
        }
        let shallow = shallow(depth);
        // The standard deviation, as `othello_fit predict` shows it; the slope is 1.
        let discs = (position.mine | position.other).count_ones() as i32;
        let deviation = (70 + 8 * discs) * if depth - shallow > 2 { 8 } else { 7 } / 7;
        Some(Prediction { depth: shallow, margin: deviation * CERTAINTY / 100 })
    }

    fn shares(&self, root: &Position, limited: bool) -> (u64, u64) {
        // A node of the proof search takes a fraction of the time of a guessed one.
        match self.free(root) {
            ..=20 => (64, 1),
            21..=24 => (if limited { 8 } else { 64 }, 1),
            _ => (1, if limited { 8 } else { 1 }),
        }
    }

    /// Returns 0: most games end with a full board.
    fn parity(&self, _position: &Position) -> Option<i32> {
        Some(0)
    }

    /// Searches deeper for move ordering if more cells are free, where good ordering saves more.
    fn foresight(&self, position: &Position) -> u32 {
        match self.free(position) {
            ..14 => 0,
            14..18 => 1,
            free => (free / 2 * 2 - 16).min(8),
        }
    }

    #[inline]
    fn finishes(&self, position: &Position) -> bool {
        self.free(position) <= LAST
    }

    fn finish(&self, position: &Position, target: Value, visits: &mut Visits<'_>) -> Option<Value> {
        let left = self.free(position);
        if left > LAST {
            return None;
        }
        let Position { mine, other, moves, .. } = *position;
        with_isa!(self, |isa| {
            let (discs, nodes) = (Discs { mine, other }, &mut visits.nodes);
            let value = last::last(isa, &self.board, discs, moves, left, target.raw(), nodes);
            Some(Value::points(value))
        })
    }
}

impl Bounds for Othello {
    fn bounds(&self, position: &Position, target: Value) -> (Value, Value) {
        let Position { mine, other, .. } = *position;
        with_isa!(self, |isa| {
            let (lo, hi) = settled(isa, &self.board, mine, other, target.raw());
            (Value::points(lo), Value::points(hi))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_core::game::legal_moves;

    #[test]
    fn images_share_a_key() {
        let game = Othello::new(6, 6, false).unwrap();
        let start = game.start();
        let keys: Vec<u64> =
            legal_moves(&game, &start).iter().map(|&m| game.key(&game.play(&start, m))).collect();
        assert_eq!(keys.len(), 4);
        assert!(keys.iter().all(|&key| key == keys[0]));
    }

    #[test]
    fn predictions_are_by_shallower_searches_of_the_same_parity() {
        let game = Othello::new(8, 8, false).unwrap();
        for depth in 3..40 {
            let prediction = game.prediction(&game.start(), depth).unwrap();
            assert!(1 <= prediction.depth && prediction.depth <= depth - 2 && prediction.margin > 0);
            assert_eq!(prediction.depth % 2, depth % 2);
        }
        assert!(game.prediction(&game.start(), 2).is_none());
    }

    #[test]
    fn an_estimate_favours_corners() {
        let game = Othello::new(8, 8, false).unwrap();
        let estimate = |text: &str| game.guess(&game.read_position(text).unwrap());
        let [good, bad] = ["X", "O"].map(|corner| {
            format!("{corner}......./.X....../..OX..../..XXO.../...OX.../....O.../......../........ 1")
        });
        assert!(estimate(&good) > estimate(&bad) + 500);
    }

    #[test]
    fn boards_and_games_of_other_programs_are_read() {
        let game = Othello::new(8, 8, false).unwrap();
        let start = "---------------------------OX------XO---------------------------";
        for text in [format!("{start} X;"), format!("{start}X"), format!("{} *", start.replace('X', "*"))] {
            assert_eq!(game.read_position(&text), Ok(game.start()), "{text}");
        }
        let lost = format!("-OX{} O", &"-".repeat(61));
        assert_eq!(
            game.write_position(&game.read_position(&lost).unwrap()).split(' ').next().unwrap().len(),
            71
        );
        assert!(game.read_position(&lost).unwrap().other.trailing_zeros() == 2, "c1");
        assert!(game.read_position(&format!("{start} Z")).is_err());
        for (text, right) in
            [("F5D6C3D3", true), ("f5 d6 c3", true), ("f5", false), ("f5a1", false), ("e2e4e7e5", false)]
        {
            assert_eq!(recognized(text), right, "{text}");
        }
        assert!(recognized(&format!("{start} X; F5:+0;\n")));
    }

    #[test]
    fn stable_discs_stay() {
        let game = Othello::new(4, 4, false).unwrap();
        let mut seed = 7u64;
        for _ in 0..300 {
            let mut line = vec![game.start()];
            while game.over(&line[line.len() - 1]).is_none() {
                let now = line[line.len() - 1];
                let list = legal_moves(&game, &now);
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                line.push(game.play(&now, list[(seed >> 33) as usize % list.len()]));
            }
            for (i, p) in line.iter().enumerate() {
                let stable = game.board.stable(p.mine, &game.board.full(p.mine | p.other));
                for q in &line[i..] {
                    let own = if q.turn == p.turn { q.mine } else { q.other };
                    assert_eq!(stable & !own, 0);
                }
            }
        }
    }
}

//! Kaooa, of India: crows against a vulture on a pentagram.
//!
//! * The tips `t1` to `t5` and the inner points `p1` to `p5`; line k runs through tk, pk, p(k+1) and t(k+2). Player one puts
//!   six crows `X`, one a turn, and then moves one along a line to a free neighbour each turn. Player two puts the vulture
//!   `O` on his first turn; then it steps along a line, or jumps over a crow to the free point behind, which takes the crow.
//! * The vulture wins with the third crow that it takes, the crows win when it cannot move; so does the vulture when no crow
//!   can. Endless play is a draw.
//! * Options: other numbers of crows and captures, and crows that may move before all are put.
//! * Position `X..../O.... 5-0 1`: tips, inner points, crows and vulture in hand. Moves `p1` (put), `p1-p2`, `p1xt3` (a jump to t3).
//!
//! Source: H. J. R. Murray, "A History of Board-Games Other than Chess", 1952.

use grundy_core::game::{Flow, MORE, Player};
use grundy_core::value::Value;
use grundy_core::words;
use grundy_search::board::{BoardRules, Image, Layout, Move, Position, images};
use grundy_session::Spot;

use crate::field::cells;
use crate::points::{Points, hands};

/// The rules of Kaooa. The rest of a position is the number of crows in hand, and the vulture in hand above it.
#[derive(Clone, Debug)]
pub struct Kaooa {
    points: Points,
    jumps: Vec<[usize; 3]>,
    crows: u32,
    captures: u32,
    /// True if crows may move before all are put.
    early: bool,
}

/// Bits of the number of crows in hand.
const HAND: u32 = 4;

impl Kaooa {
    /// Returns the game with this number of `crows`, of which `captures` lose; crows may move before all are put if `early`.
    ///
    /// # Errors
    /// There are not 3 to 9 crows, or not 1 to as many captures.
    pub fn new(crows: u32, captures: u32, early: bool) -> Result<Kaooa, String> {
        if !(3..=9).contains(&crows) || !(1..=crows).contains(&captures) {
            return Err(format!(
                "{crows} crows, {captures} captures: expected 3 to 9 crows, and at most as many captures"
            ));
        }
        let places = [
            (4.8, 0.0),
            (9.5, 3.5),
            (7.7, 9.0),
            (1.8, 9.0),
            (0.0, 3.5),
            (5.9, 3.5),
            (6.6, 5.6),
            (4.8, 6.9),
            (2.9, 5.6),
            (3.6, 3.5),
        ];
        let names = ["t1", "t2", "t3", "t4", "t5", "p1", "p2", "p3", "p4", "p5"];
        let spots =
            names.iter().zip(places).map(|(name, (x, y))| Spot { name: (*name).to_owned(), x, y }).collect();
        let lines = (0..5).map(|k| vec![k, 5 + k, 5 + (k + 1) % 5, (k + 2) % 5]).collect();
        let points = Points::new(spots, &[5, 5], lines);
        Ok(Kaooa { jumps: points.jumps(), points, crows, captures, early })
    }

    /// Returns the board, for drawings.
    pub fn points(&self) -> &Points {
        &self.points
    }

    fn crows_in_hand(position: &Position) -> u32 {
        (position.rest & ((1 << HAND) - 1)) as u32
    }

    fn vulture_in_hand(position: &Position) -> bool {
        position.rest >> HAND & 1 == 1
    }

    fn taken(&self, position: &Position) -> u32 {
        self.crows.saturating_sub(Kaooa::crows_in_hand(position) + position.men[0].count_ones())
    }
}

impl BoardRules for Kaooa {
    fn layout(&self) -> Layout {
        Layout { cells: 10, rest: HAND + 1, stage: 8 }
    }

    /// Five turns, each with and without the mirror image in the axis of t1.
    fn symmetries(&self) -> Vec<Image> {
        let turn = |by: usize| (0..10).map(move |point| point / 5 * 5 + (point + by) % 5);
        let mirror = |point: usize| if point < 5 { (5 - point) % 5 } else { 5 + (9 - point) % 5 };
        let turns = (0..5).map(|by| turn(by).collect());
        let mirrors = (0..5).map(|by| turn(by).map(mirror).collect());
        images(&turns.chain(mirrors).collect::<Vec<_>>(), 0, 0)
    }

    fn stage(&self, position: &Position) -> u64 {
        u64::from(Kaooa::crows_in_hand(position)) << 4 | u64::from(position.men[0].count_ones())
    }

    fn cyclic(&self) -> bool {
        true
    }

    fn start(&self) -> Position {
        Position { men: [0, 0], rest: u64::from(self.crows) | 1 << HAND, turn: Player::One }
    }

    fn over(&self, position: &Position) -> Option<Value> {
        let won = position.turn == Player::Two;
        let taken = self.taken(position) >= self.captures;
        taken.then(|| if won { Value::win_in(0) } else { Value::loss_in(0) })
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        let free = self.points.all() & !position.taken();
        let put = match position.turn {
            Player::One => Kaooa::crows_in_hand(position) > 0,
            Player::Two => Kaooa::vulture_in_hand(position),
        };
        if put {
            cells(free).try_for_each(|to| visit(Move::of(to, to)))?;
        }
        if put && !(self.early && position.turn == Player::One) {
            return MORE;
        }
        for from in cells(position.own()) {
            cells(self.points.near(from) & free).try_for_each(|to| visit(Move::of(from, to)))?;
        }
        if position.turn == Player::Two {
            let crows = position.men[0];
            for &[from, over, to] in &self.jumps {
                if position.men[1] >> from & crows >> over & free >> to & 1 == 1 {
                    visit(Move(Move::of(from, to).0 | (over as u64 + 1) << 12))?;
                }
            }
        }
        MORE
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let (from, to) = (m.from(), m.to());
        if from == to {
            let hand = if position.turn == Player::One { 1 } else { 1 << HAND };
            return position.after(position.own() | 1 << to, position.other(), position.rest - hand);
        }
        let taken = m.more().checked_sub(1).map_or(0, |over| 1 << over);
        position.after(position.own() & !(1 << from) | 1 << to, position.other() & !taken, position.rest)
    }

    fn draw(&self, position: &Position) -> String {
        self.points.plan().draw(self.write_position(position))
    }

    fn write_position(&self, position: &Position) -> String {
        let (crows, vulture) = (Kaooa::crows_in_hand(position), u8::from(Kaooa::vulture_in_hand(position)));
        format!("{} {crows}-{vulture} {}", self.points.write(position.men), position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([board, hand], turn) =
            words::fields(text, "the points and the men in hand, as X..../O.... 5-0,")?;
        let men = self.points.read(board)?;
        let [crows, vulture] = hands(hand, [self.crows, 1])?;
        let [on_board, vultures] = men.map(u64::count_ones);
        if vulture + vultures != 1 || crows + on_board > self.crows {
            return Err(format!(
                "too many or too few men: expected at most {} crows X and one vulture O",
                self.crows
            ));
        }
        // Before the vulture comes, the first crow alone is put.
        let first = u32::from(turn == Player::Two);
        if vulture == 1 && (crows, on_board) != (self.crows - first, first) {
            return Err("a vulture in hand that was to be put: expected it in hand for one turn".to_owned());
        }
        Ok(Position { men, rest: u64::from(crows) | u64::from(vulture) << HAND, turn })
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        let (from, to) = (self.points.name(m.from()), self.points.name(m.to()));
        match (m.from() == m.to(), m.more()) {
            (true, _) => to.to_owned(),
            (_, 0) => format!("{from}-{to}"),
            _ => format!("{from}x{to}"),
        }
    }
}

//! Positions and moves as text, and a drawing for a terminal.

use grundy_core::game::{Notation, Player};
use grundy_core::words::{number, short};

use crate::morris::{Morris, Move, Position};

/// The form of a position, for messages.
const EXPECTED: &str = "the points in rows from the top, the men in hand (9-9), and the turn, 1 or 2";

impl Morris {
    /// Returns the name of a point: `d6`.
    fn point(&self, point: u8) -> String {
        let (column, row) = self.board.places[usize::from(point)];
        format!("{}{}", char::from(b'a' + column), row + 1)
    }

    /// Returns the number of points in each row, from the top.
    fn rows(&self) -> Vec<usize> {
        let mut rows: Vec<(u8, usize)> = Vec::new();
        for &(_, row) in &self.board.places {
            match rows.last_mut() {
                Some((last, count)) if *last == row => *count += 1,
                _ => rows.push((row, 1)),
            }
        }
        rows.into_iter().map(|(_, count)| count).collect()
    }

    /// Returns the marks of all points.
    fn marks(&self, position: &Position) -> Vec<char> {
        let [one, two] = by_player(position.men, position.turn);
        let mark = |point| match (one >> point & 1, two >> point & 1) {
            (1, _) => 'X',
            (_, 1) => 'O',
            _ => '.',
        };
        (0..self.board.points).map(mark).collect()
    }

    /// Reads the points: the men of player one and two.
    fn read_points(&self, text: &str) -> Result<[u32; 2], String> {
        let rows = self.rows();
        let found: Vec<&str> = text.split('/').take(rows.len() + 1).collect();
        let fits = found.len() == rows.len() && found.iter().zip(&rows).all(|(row, &len)| row.len() == len);
        if !fits {
            let expected: Vec<String> = rows.iter().map(usize::to_string).collect();
            return Err(format!(
                "bad points {:?}: expected rows of {} points",
                short(text),
                expected.join("/")
            ));
        }
        let mut men = [0; 2];
        for (point, mark) in found.concat().chars().enumerate() {
            match mark {
                'X' => men[0] |= 1 << point,
                'O' => men[1] |= 1 << point,
                '.' => {}
                other => return Err(format!("bad mark {other:?}: expected X, O or .")),
            }
        }
        Ok(men)
    }

    /// Reads the men in hand, as `3-2`.
    fn read_hands(&self, text: &str) -> Result<[u8; 2], String> {
        let bad =
            || format!("bad men in hand {:?}: expected two numbers to {} as 3-2", short(text), self.most);
        let (one, two) = text.split_once('-').ok_or_else(bad)?;
        let men = |word| number(word, self.most.into()).map(|men| men as u8).ok_or_else(bad);
        Ok([men(one)?, men(two)?])
    }
}

/// Converts a pair of the mover's and the other's to player one's and player two's, or back.
fn by_player<T: Copy>(pair: [T; 2], turn: Player) -> [T; 2] {
    match turn {
        Player::One => pair,
        Player::Two => [pair[1], pair[0]],
    }
}

impl Notation for Morris {
    fn write_position(&self, position: &Position) -> String {
        let marks = self.marks(position);
        let mut rest = marks.as_slice();
        let mut rows = Vec::new();
        for len in self.rows() {
            let (row, below) = rest.split_at(len);
            rows.push(row.iter().collect::<String>());
            rest = below;
        }
        let [one, two] = by_player(position.hand, position.turn);
        format!("{} {one}-{two} {}", rows.join("/"), position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let words: Vec<&str> = text.split_ascii_whitespace().take(4).collect();
        let (points, hands, turn) = match *words.as_slice() {
            [points] => (points, None, None),
            [points, hands] if hands.contains('-') => (points, Some(hands), None),
            [points, turn] => (points, None, Some(turn)),
            [points, hands, turn] => (points, Some(hands), Some(turn)),
            _ => return Err(format!("expected {EXPECTED}")),
        };
        let turn = match turn {
            None => Player::One,
            Some(turn) => {
                Player::read(turn).ok_or_else(|| format!("the turn is 1 or 2, not {:?}", short(turn)))?
            }
        };
        let men = self.read_points(points)?;
        let hand = hands.map_or(Ok([0, 0]), |hands| self.read_hands(hands))?;
        for (player, (men, hand)) in [1, 2].into_iter().zip(men.into_iter().zip(hand)) {
            let all = men.count_ones() + u32::from(hand);
            if all > self.most.into() {
                return Err(format!("{all} men of player {player}: expected at most {}", self.most));
            }
        }
        Ok(Position { men: by_player(men, turn), hand: by_player(hand, turn), turn })
    }

    fn write_move(&self, _: &Position, m: Move) -> String {
        let from = m.from.map_or(String::new(), |from| self.point(from) + "-");
        let take = m.take.map_or(String::new(), |taken| format!("x{}", self.point(taken)));
        format!("{from}{}{take}", self.point(m.to))
    }

    fn draw(&self, position: &Position) -> String {
        let side = self.board.places.iter().map(|&(column, _)| usize::from(column)).max().unwrap_or(0);
        // A point every fourth column and every second line.
        let place = |point: usize| {
            let (column, row) = self.board.places[point];
            (4 * usize::from(column), 2 * (side - usize::from(row)))
        };
        let mut lines = vec![vec![' '; 4 * side + 1]; 2 * side + 1];
        for a in 0..self.board.points {
            for b in crate::board::points(self.board.near[a]).filter(|&b| b > a) {
                let ((ax, ay), (bx, by)) = (place(a), place(b));
                let (dx, dy) = (bx as isize - ax as isize, by as isize - ay as isize);
                let steps = if dx == 0 || dy == 0 { dx.abs().max(dy.abs()) } else { 2 };
                let stroke = match (dx, dy) {
                    (_, 0) => '-',
                    (0, _) => '|',
                    _ if dx * dy > 0 => '\\',
                    _ => '/',
                };
                for step in 1..steps {
                    let at = |from: usize, d: isize| (from as isize + d * step / steps) as usize;
                    lines[at(ay, dy)][at(ax, dx)] = stroke;
                }
            }
        }
        for (point, mark) in self.marks(position).into_iter().enumerate() {
            let (x, y) = place(point);
            lines[y][x] = mark;
        }
        let mut text = String::new();
        for (y, line) in lines.iter().enumerate() {
            let label = if y % 2 == 0 { (side + 1 - y / 2).to_string() } else { " ".to_owned() };
            let line: String = line.iter().collect();
            text += &format!("{label} {}\n", line.trim_end());
        }
        let letters: Vec<String> =
            (0..=side).map(|column| char::from(b'a' + column as u8).to_string()).collect();
        let [one, two] = by_player(position.hand, position.turn);
        text + &format!(
            "  {}\nin hand: X {one}, O {two}; player {} to move",
            letters.join("   "),
            position.turn.digit()
        )
    }
}

//! Boards of named points joined by lines, written as rows of points.

use grundy_core::game::Player;
use grundy_session::{CellForm, Plan, Spot};

/// A board of named points, in the order in which positions are written.
#[derive(Clone, Debug)]
pub struct Points {
    /// The name of each point, and its place in a drawing.
    spots: Vec<Spot>,
    /// The number of points in each row.
    rows: Vec<usize>,
    /// The lines, each with its points in order.
    lines: Vec<Vec<usize>>,
    /// The neighbours of each point.
    near: Vec<u64>,
}

impl Points {
    /// Returns a board of points, each with its name and its place in a drawing, in rows of these lengths, joined along
    /// lines.
    pub fn new(spots: Vec<Spot>, rows: &[usize], lines: Vec<Vec<usize>>) -> Points {
        let mut near = vec![0; spots.len()];
        for pair in lines.iter().flat_map(|line| line.windows(2)) {
            near[pair[0]] |= 1 << pair[1];
            near[pair[1]] |= 1 << pair[0];
        }
        Points { spots, rows: rows.to_vec(), lines, near }
    }

    /// Returns the number of points.
    pub fn count(&self) -> usize {
        self.spots.len()
    }

    /// Returns the set of all points.
    pub fn all(&self) -> u64 {
        (1 << self.spots.len()) - 1
    }

    /// Returns the points joined to a point.
    #[inline]
    pub fn near(&self, point: usize) -> u64 {
        self.near[point]
    }

    /// Returns the lines.
    pub fn lines(&self) -> &[Vec<usize>] {
        &self.lines
    }

    /// Returns the jumps along lines: from, over, to.
    pub fn jumps(&self) -> Vec<[usize; 3]> {
        let ahead =
            self.lines.iter().flat_map(|line| line.windows(3)).map(|jump| [jump[0], jump[1], jump[2]]);
        ahead.flat_map(|[from, over, to]| [[from, over, to], [to, over, from]]).collect()
    }

    /// Returns the name of a point.
    pub fn name(&self, point: usize) -> &str {
        &self.spots[point].name
    }

    /// Writes the rows, the men of player one as `X` and those of player two as `O`.
    pub fn write(&self, men: [u64; 2]) -> String {
        let (mut text, mut point) = (String::new(), 0);
        for (row, &count) in self.rows.iter().enumerate() {
            if row > 0 {
                text.push('/');
            }
            for _ in 0..count {
                text.push(match men.map(|set| set >> point & 1) {
                    [1, _] => 'X',
                    [_, 1] => 'O',
                    _ => '.',
                });
                point += 1;
            }
        }
        text
    }

    /// Reads what [`Points::write`] writes.
    ///
    /// # Errors
    /// One line that names what was expected.
    pub fn read(&self, text: &str) -> Result<[u64; 2], String> {
        let lengths: Vec<usize> = text.split('/').take(self.rows.len() + 1).map(str::len).collect();
        let mut men = [0; 2];
        let marks = text.bytes().filter(|&mark| mark != b'/');
        let known = marks.take(64).enumerate().all(|(point, mark)| {
            match mark {
                b'X' => men[0] |= 1 << point,
                b'O' => men[1] |= 1 << point,
                mark => return mark == b'.',
            }
            true
        });
        if known && lengths == self.rows {
            return Ok(men);
        }
        let lengths: Vec<String> = self.rows.iter().map(usize::to_string).collect();
        Err(format!("bad points: expected rows of {} marks X, O and . joined by '/'", lengths.join("/")))
    }

    /// Returns the geometry for drawings.
    pub fn plan(&self) -> Plan {
        let pairs = self.lines.iter().flat_map(|line| line.windows(2)).map(|pair| [pair[0], pair[1]]);
        Plan { form: CellForm::Point, cells: self.spots.clone(), lines: pairs.collect() }
    }
}

/// Returns a point named by its column and row, drawn in rows from the top.
pub fn square(column: usize, row: usize, rows: usize) -> Spot {
    let name = format!("{}{}", (b'a' + column as u8) as char, rows - row);
    Spot { name, x: column as f64, y: row as f64 }
}

/// Reads two numbers of men in hand: `3-3`.
///
/// # Errors
/// One line that names what was expected.
pub fn hands(field: &str, most: [u32; 2]) -> Result<[u32; 2], String> {
    let read = |word: &str, most: u32| grundy_core::words::number(word, most.into()).map(|n| n as u32);
    field.split_once('-').and_then(|(one, two)| Some([read(one, most[0])?, read(two, most[1])?])).ok_or_else(
        || {
            format!(
                "bad men in hand: expected two numbers to {}-{}, as {}-{}",
                most[0], most[1], most[0], most[1]
            )
        },
    )
}

/// Checks that men are put in turn, player one first, until all are on the board: `left` are those that each player still
/// has in hand, of `most` at the start.
///
/// # Errors
/// One line that names what was expected.
pub fn in_turn(left: [u32; 2], most: [u32; 2], turn: Player) -> Result<(), String> {
    let put = [most[0] - left[0], most[1] - left[1]];
    let done = left[1] == 0 && left[0] == 0;
    let fits = match turn {
        Player::One => put[0] == put[1] || done,
        Player::Two => put[0] == put[1] + 1 || done,
    };
    match fits {
        true => Ok(()),
        false => Err(format!(
            "{}-{} men put with player {} to move: expected men put in turn",
            put[0],
            put[1],
            turn.digit()
        )),
    }
}

//! The parameters of a game of Dots-and-Boxes, and their names.

use grundy_core::words::short;

/// Maximum number of rows and of columns of boxes.
pub const MAX_SIDE: u32 = 10;

/// The largest absolute value of a penalty, in points.
pub const MAX_PENALTY: i32 = 10_000_000;

/// The lines that are drawn before the first move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// None (American).
    Empty,
    /// The left and the bottom edge.
    Icelandic,
    /// The whole border.
    Swedish,
}

/// The parameters of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Rows of boxes, 1 to [`MAX_SIDE`].
    pub rows: u32,
    /// Columns of boxes, 1 to [`MAX_SIDE`].
    pub cols: u32,
    /// The lines drawn at the start.
    pub start: Start,
    /// Points off for the player who draws the last line.
    pub penalty: i32,
}

impl Setup {
    /// Returns an empty board without a penalty.
    pub const fn empty(rows: u32, cols: u32) -> Setup {
        Setup { rows, cols, start: Start::Empty, penalty: 0 }
    }

    /// Reads the sections after the game's name: `3x4`, `start=icelandic`, `penalty=2`; 3x3 without a size.
    ///
    /// # Errors
    /// One line that names the section and says what was expected.
    pub fn read<'a>(sections: impl IntoIterator<Item = &'a str>) -> Result<Setup, String> {
        let mut setup = Setup::empty(3, 3);
        let mut had = Vec::new();
        for (i, section) in sections.into_iter().enumerate() {
            let setting = section.split_once('=');
            if let Some((key, _)) = setting {
                if had.contains(&key) {
                    return Err(format!("{:?} is there twice: expected one {key}=", short(key)));
                }
                had.push(key);
            }
            match setting {
                None if i == 0 => (setup.rows, setup.cols) = size(section)?,
                Some(("start", kind)) => {
                    setup.start = match kind {
                        "empty" => Start::Empty,
                        "icelandic" => Start::Icelandic,
                        "swedish" => Start::Swedish,
                        _ => {
                            return Err(format!(
                                "bad start {:?}: expected empty, icelandic or swedish",
                                short(kind)
                            ));
                        }
                    }
                }
                Some(("penalty", points)) => {
                    setup.penalty =
                        points.parse().ok().filter(|p| (-MAX_PENALTY..=MAX_PENALTY).contains(p)).ok_or_else(|| {
                            // Values are whole numbers of points throughout, and a half-integer penalty would make them
                            // halves.
                            let half = if points.ends_with(".5") {
                                " (half-integer ones are worth the mean of the two beside them)"
                            } else {
                                ""
                            };
                            format!(
                                "bad penalty {:?}: expected a whole number from -{MAX_PENALTY} to {MAX_PENALTY}{half}",
                                short(points)
                            )
                        })?;
                }
                _ => {
                    return Err(format!(
                        "unknown section {:?} of dots: expected a size like 3x4 first, then start=KIND or penalty=P",
                        short(section)
                    ));
                }
            }
        }
        Ok(setup)
    }

    /// Returns the sections in their standard spelling, defaults left out: `3x4:start=icelandic:penalty=2`.
    pub fn name(&self) -> String {
        let mut name = format!("{}x{}", self.rows, self.cols);
        match self.start {
            Start::Empty => {}
            Start::Icelandic => name.push_str(":start=icelandic"),
            Start::Swedish => name.push_str(":start=swedish"),
        }
        if self.penalty != 0 {
            name.push_str(&format!(":penalty={}", self.penalty));
        }
        name
    }

    /// Returns the number of bits of a set of horizontal lines: the width of a word that
    /// [`Dots::new`](crate::Dots::new) requires.
    pub const fn width(&self) -> u32 {
        (self.rows + 1) * (self.cols + 1)
    }

    /// Returns the number of lines of the board.
    pub const fn lines(&self) -> u32 {
        (self.rows + 1) * self.cols + self.rows * (self.cols + 1)
    }

    /// Returns the number of lines open at the start.
    pub const fn open_lines(&self) -> u32 {
        match self.start {
            Start::Empty => self.lines(),
            Start::Icelandic => self.lines() - self.rows - self.cols,
            Start::Swedish => self.lines() - 2 * (self.rows + self.cols),
        }
    }
}

fn size(section: &str) -> Result<(u32, u32), String> {
    let side = |word: &str| {
        let plain = !word.is_empty() && word.len() < 3 && word.bytes().all(|b| b.is_ascii_digit());
        plain.then(|| word.parse().ok()).flatten().filter(|n| (1..=MAX_SIDE).contains(n))
    };
    section.split_once('x').and_then(|(rows, cols)| Some((side(rows)?, side(cols)?))).ok_or_else(|| {
        format!(
            "bad size {:?}: expected rows x columns of boxes, each 1 to {MAX_SIDE}, like 3x4",
            short(section)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_penalty_lies_between_its_bounds() {
        let read = |penalty: &str| Setup::read(["1x1", &format!("penalty={penalty}")]);
        for good in ["-10000000", "-1", "0", "+3", "10000000"] {
            assert!(read(good).is_ok(), "{good}");
        }
        // The least integer has no absolute value of its own type.
        for bad in
            ["-2147483648", "-2147483647", "2147483647", "10000001", "-10000001", "-9223372036854775808", ""]
        {
            let why = read(bad).expect_err(bad);
            assert!(why.contains("expected a whole number from -10000000 to 10000000"), "{why}");
        }
    }
}

//! Positions and moves of Dots-and-Boxes as text: `./../. 0-0 1` is the empty 1x1 board, `a1b1` its lower line; and
//! drawings for a terminal.

use super::line_sets::Lines;
use super::rules::{Dots, Line, Position};
use super::setup::Setup;
use grundy_core::bits::Bits;
use grundy_core::game::{Game, Notation, Player};
use grundy_core::words::{score as score_of, short};

/// Facts about the game so far that a drawing shows.
#[derive(Default)]
struct Marks<B> {
    /// The boxes that each player took.
    boxes: [B; 2],
    /// The line drawn last.
    last: Option<Line>,
}

/// The largest score that is read, of either player.
const MAX_SCORE: i32 = 1_000_000_000;

impl<B: Bits> Notation for Dots<B> {
    fn write_position(&self, position: &Position<B>) -> String {
        let mut text = String::with_capacity(self.lines.len() + 24);
        for (i, row) in rows(&self.setup).enumerate() {
            if i > 0 {
                text.push('/');
            }
            let drawn = if i % 2 == 0 { '-' } else { '|' };
            text.extend(row.map(|line| if self.line(line).meets(position.open) { '.' } else { drawn }));
        }
        let [one, two] = position.score;
        text.push_str(&format!(" {one}-{two} {}", position.turn.digit()));
        text
    }

    fn read_position(&self, text: &str) -> Result<Position<B>, String> {
        let mut fields = text.split_ascii_whitespace();
        let open = self.read_lines(fields.next().unwrap_or(""))?;
        let (mut score, mut turn) = ([0, 0], Player::One);
        let mut next = fields.next();
        if let Some(field) = next.filter(|f| f.contains('-')) {
            score = score_of(field, MAX_SCORE).ok_or_else(|| {
                let field = short(field);
                format!("bad score {field:?}: expected player one's points, a dash, player two's, like 3-1")
            })?;
            next = fields.next();
        }
        if let Some(field) = next {
            turn =
                Player::read(field).ok_or_else(|| format!("bad turn {:?}: expected 1 or 2", short(field)))?;
        }
        match fields.next() {
            None => Ok(Position { open, score, turn }),
            Some(more) => Err(format!("{:?} is too much: expected lines, score and turn", short(more))),
        }
    }

    fn write_move(&self, _position: &Position<B>, line: Line) -> String {
        let [[x1, y1], [x2, y2]] = self.dots(line);
        format!("{}{}{}{}", letter(x1), y1 + 1, letter(x2), y2 + 1)
    }

    fn read_move(&self, position: &Position<B>, word: &str) -> Option<Line> {
        let (first, rest) = read_dot(word)?;
        let (second, rest) = read_dot(rest)?;
        let ends = [first.min(second), first.max(second)];
        let line = (0..self.lines.len()).map(|n| Line(n as u8)).find(|&line| self.dots(line) == ends)?;
        (rest.is_empty() && self.line(line).meets(position.open)).then_some(line)
    }

    fn draw(&self, position: &Position<B>) -> String {
        self.labelled(position, &|_| None, &Marks::default())
    }

    /// Draws the last line as `===` or `!`, and the number of its owner in a box.
    fn draw_game(&self, earlier: &[Position<B>], position: &Position<B>) -> String {
        let mut marks = Marks::default();
        let after = earlier.iter().skip(1).chain([position]);
        for (before, after) in earlier.iter().zip(after) {
            let taken = self.unfinished(before.open).without(self.unfinished(after.open));
            marks.boxes[before.turn.index()] |= taken;
            marks.last = self.numbers(before.open.without(after.open)).next();
        }
        self.labelled(position, &|_| None, &marks)
    }

    fn draw_words(&self, position: &Position<B>, word: &dyn Fn(Line) -> Option<String>) -> String {
        self.labelled(position, word, &Marks::default())
    }

    /// Estimates from the number of open lines: a proved bound, and the nodes that empty boards of 3x3 (2^14), 3x4
    /// (2^17), 4x4 and 3x5 (2^24) took.
    fn effort(&self, position: &Position<B>) -> Option<String> {
        let open = position.open.count();
        let usual = (7 * open).saturating_sub(30) / 10;
        Some(format!("{open} lines open: at most 2^{open} positions, by experience about 2^{usual} nodes"))
    }
}

impl<B: Bits> Dots<B> {
    /// Returns the two ends of a line as column and row from the bottom left, both from 0; the left or lower dot first.
    pub fn dots(&self, line: Line) -> [[u32; 2]; 2] {
        let Setup { rows, cols, .. } = self.setup;
        let n = u32::from(line.0);
        match n.checked_sub((rows + 1) * cols) {
            None => [[n % cols, rows - n / cols], [n % cols + 1, rows - n / cols]],
            Some(v) => {
                let (column, row) = (v % (cols + 1), v / (cols + 1));
                [[column, rows - 1 - row], [column, rows - row]]
            }
        }
    }

    /// Draws the board, with the label that `label` returns, usually its value, on each open line. Finished boxes are
    /// filled with `#`.
    fn labelled(
        &self,
        position: &Position<B>,
        label: &dyn Fn(Line) -> Option<String>,
        marks: &Marks<B>,
    ) -> String {
        let labels: Vec<Option<String>> = (0..self.lines.len() as u32)
            .map(|n| Line(n as u8))
            .map(|line| if self.line(line).meets(position.open) { label(line) } else { None })
            .collect();
        let wide = labels.iter().flatten().map(|l| l.chars().count()).max().unwrap_or(0).max(3) | 1;
        let boxes = self.unfinished(position.open);
        let mut text = String::new();
        let mut box_row = 0;
        for (i, row) in rows(&self.setup).enumerate() {
            if i % 2 == 0 {
                text.push_str(&format!("{:>2} ", self.setup.rows + 1 - i as u32 / 2));
                text.push_str(&" ".repeat(wide / 2));
                for line in row {
                    let label = labels[usize::from(line.0)].as_deref().unwrap_or("");
                    let drawn = !self.line(line).meets(position.open);
                    let stroke = if marks.last == Some(line) { "=" } else { "-" };
                    let middle = if drawn { stroke.repeat(wide + 2) } else { format!(" {label:^wide$} ") };
                    text.push('+');
                    text.push_str(&middle);
                }
                text.push('+');
            } else {
                text.push_str("   ");
                for (c, line) in row.enumerate() {
                    let drawn = !self.line(line).meets(position.open);
                    let label = match drawn {
                        true if marks.last == Some(line) => "!",
                        true => "|",
                        false => labels[usize::from(line.0)].as_deref().unwrap_or(""),
                    };
                    text.push_str(&format!("{label:^wide$}"));
                    if (c as u32) < self.setup.cols {
                        let place = box_row * self.stride + c as u32;
                        let this = B::ONE << place;
                        let fill = match marks.boxes.map(|boxes| boxes.meets(this)) {
                            _ if boxes.meets(this) => "   ",
                            [true, _] => " 1 ",
                            [_, true] => " 2 ",
                            _ => " # ",
                        };
                        text.push_str(fill);
                    }
                }
                box_row += 1;
            }
            text.truncate(text.trim_end_matches(' ').len());
            text.push('\n');
        }
        text.push_str("   ");
        for column in 0..=self.setup.cols {
            text.push_str(&format!("{:^wide$}   ", letter(column)));
        }
        text.truncate(text.trim_end().len());
        let [one, two] = position.score;
        let whose = if self.over(position).is_some() {
            "the game is over".to_string()
        } else {
            format!("player {} to move", position.turn.digit())
        };
        text.push_str(&format!("\n   score {one}-{two}, {whose}\n"));
        text
    }

    fn read_lines(&self, board: &str) -> Result<Lines<B>, String> {
        let Setup { rows: height, cols, .. } = self.setup;
        let wrong = || {
            format!(
                "bad board {:?}: expected {} rows joined by /, by turns {cols} of - or . and {} of | or .",
                short(board),
                2 * height + 1,
                cols + 1
            )
        };
        let mut open = Lines::default();
        let mut given = board.split('/');
        for (i, row) in rows(&self.setup).enumerate() {
            let drawn = if i % 2 == 0 { '-' } else { '|' };
            let mut marks = given.next().ok_or_else(wrong)?.chars();
            for line in row {
                match marks.next().ok_or_else(wrong)? {
                    '.' => {
                        let Lines { h, v } = self.line(line);
                        open.h |= h;
                        open.v |= v;
                    }
                    mark if mark == drawn => {}
                    _ => return Err(wrong()),
                }
            }
            if marks.next().is_some() {
                return Err(wrong());
            }
        }
        if given.next().is_some() {
            return Err(wrong());
        }
        match self.numbers(open.without(self.open)).next() {
            None => Ok(open),
            Some(line) => {
                let [[x1, y1], [x2, y2]] = self.dots(line);
                let name = format!("{}{}{}{}", letter(x1), y1 + 1, letter(x2), y2 + 1);
                Err(format!("line {name} is open: expected it drawn, as this game starts with it"))
            }
        }
    }
}

/// Returns the lines in the order of a position: rows top first, horizontal and vertical by turns.
fn rows(setup: &Setup) -> impl Iterator<Item = impl Iterator<Item = Line>> {
    let &Setup { rows, cols, .. } = setup;
    (0..2 * rows + 1).map(move |i| {
        let (first, count) = match i % 2 {
            0 => (i / 2 * cols, cols),
            _ => ((rows + 1) * cols + i / 2 * (cols + 1), cols + 1),
        };
        (first..first + count).map(|n| Line(n as u8))
    })
}

fn letter(column: u32) -> char {
    char::from(b'a' + column as u8)
}

/// Returns a dot at the beginning of a word, as column and row from 0, and the rest of the word.
fn read_dot(word: &str) -> Option<([u32; 2], &str)> {
    let column = word.bytes().next().filter(u8::is_ascii_lowercase)? - b'a';
    let rest = &word[1..];
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let number = rest[..digits].strip_prefix(|c| c != '0').map(|_| &rest[..digits])?;
    Some(([u32::from(column), number.parse::<u32>().ok()? - 1], &rest[digits..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(rows: u32, cols: u32) -> Dots<u128> {
        Dots::new(Setup::empty(rows, cols)).expect("every board fits 128 bits")
    }

    #[test]
    fn lines_are_written_left_or_lower_dot_first() {
        let game = game(1, 1);
        let start = game.start();
        assert_eq!(game.write_position(&start), "./../. 0-0 1");
        let words: Vec<String> = (0..4).map(|n| game.write_move(&start, Line(n))).collect();
        assert_eq!(words, ["a2b2", "a1b1", "a1a2", "b1b2"]);
        assert_eq!(game.read_move(&start, "b2a2"), Some(Line(0)), "the other order is read as well");
    }

    #[test]
    fn wrong_words_are_no_moves() {
        let game = game(10, 10);
        for word in [
            "",
            "a",
            "a1",
            "a1a1",
            "a1b2",
            "a0a1",
            "a1a02",
            "a1c1",
            "A1B1",
            "a1b1b1",
            "k11l11",
            "a99999999999b1",
            "\u{e9}1b1",
        ] {
            assert_eq!(game.read_move(&game.start(), word), None, "{word}");
        }
        let top = game.read_move(&game.start(), "j11k11");
        assert_eq!(top, Some(Line(9)));
    }

    #[test]
    fn scores_may_be_negative_or_left_out() {
        let game = game(1, 1);
        for (text, score) in [("-/|./. 3--1 2", [3, -1]), ("-/|./. -2--5", [-2, -5]), ("-/|./. 2", [0, 0])] {
            assert_eq!(game.read_position(text).map(|p| p.score), Ok(score), "{text}");
        }
        for text in [
            "",
            "./../.. 1",
            "./.|/. 3",
            "./../. 1-2-3 1",
            "./../. - 1",
            "./../. 99999999999-0 1",
            "./../. 0-0 1 x",
        ] {
            assert!(game.read_position(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_game_is_drawn_with_its_last_move_and_whose_the_boxes_are() {
        let game = game(1, 2);
        let mut played = vec![game.start()];
        for word in ["a1a2", "a1b1", "a2b2", "b1b2", "b1c1"] {
            let now = *played.last().expect("the start at least");
            let line = game.read_move(&now, word).expect("legal");
            played.push(game.play(&now, line));
        }
        let position = played.pop().expect("five moves");
        let drawing = game.draw_game(&played, &position);
        let expected = " 2  +-----+     +\n    |  2  |\n 1  +-----+=====+\n    a     b     c\n   score 0-1, player 1 to move\n";
        assert_eq!(drawing, expected);
    }

    #[test]
    fn values_stand_at_their_lines() {
        let game = game(1, 1);
        let position = game.read_position("-/|./. 0-0 2").expect("a position");
        let drawing = game.draw_words(&position, &|line| Some(format!("-{}", line.0)));
        assert_eq!(
            drawing,
            " 2  +-----+\n    |    -3\n 1  + -1  +\n    a     b\n   score 0-0, player 2 to move\n"
        );
    }
}

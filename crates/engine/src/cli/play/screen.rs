//! Boards for a terminal of 80 columns and 24 lines: the last moves, the free squares of legal moves, and values marked.
//!
//! Nothing here knows a game. What a move changes is found by comparing the drawings before and after it.

use grundy_core::value::Unit;
use grundy_session::{MoveList, Session};

use crate::cli::shared::{WIDTH, readable, wrapped};

/// Maximum number of lines of a board, which leaves room for the moves, the prompt and the player's line.
const LINES: usize = 20;
/// Maximum number of moves that are tried to mark their squares.
const TRIED: usize = 400;
/// Maximum number of moves in a list of values.
const LISTED: usize = 40;
/// Widths of a cell with a value, preferred first.
const CELLS: [usize; 2] = [5, 4];

/// The style of drawings.
#[derive(Clone, Copy)]
pub struct Screen {
    /// True if boards get marks; otherwise they are drawn as the game draws them.
    pub marks: bool,
    /// True if marks are colours.
    pub colours: bool,
    /// The codes of the players' colours: see [`colour`].
    pub players: [u8; 2],
}

/// Returns the code of a colour, by the name of the player who has it; another one for each player without a colour.
pub fn colour(player: &str, at: usize) -> u8 {
    match player {
        "Red" => 31,
        "Yellow" => 33,
        "Blue" => 34,
        _ => [36, 33][at],
    }
}

/// A character of a drawing, by line and column.
type Spot = (usize, usize);

impl Screen {
    /// Draws the position. `before` is the drawing that the player saw last; what has changed since is marked.
    pub fn board(&self, session: &mut Session, before: Option<&str>) -> String {
        let now = session.draw_game();
        if !self.marks {
            return now;
        }
        let lines: Vec<Vec<char>> = lines(&now);
        if lines.len() > LINES || lines.iter().any(|line| line.len() >= WIDTH) {
            return wrapped("position ", &session.position(), 9);
        }
        let changed = before.map_or_else(Vec::new, |before| changes(before, &now));
        let legal = self.legal(session, &lines);
        let mut text = String::new();
        for (y, line) in lines.iter().enumerate() {
            let label = is_labels(line);
            for (x, &c) in line.iter().enumerate() {
                let (new, free) = (changed.contains(&(y, x)), legal.contains(&(y, x)));
                match self.colours {
                    true => self.coloured(&mut text, c, new, free, label),
                    // Round brackets in the blanks around what has changed.
                    false if c == ' ' && changed.contains(&(y, x + 1)) => text.push('('),
                    false if c == ' ' && x > 0 && changed.contains(&(y, x - 1)) => text.push(')'),
                    false => text.push(if free { '+' } else { c }),
                }
            }
            if !self.colours && !line.is_empty() && changed.contains(&(y, line.len() - 1)) {
                text.push(')');
            }
            text.push('\n');
        }
        text.truncate(text.trim_end_matches('\n').len());
        text
    }

    /// Writes a character in its colours.
    fn coloured(&self, text: &mut String, c: char, new: bool, free: bool, label: bool) {
        let piece = match c {
            'X' if !label => Some(self.players[0]),
            'O' if !label => Some(self.players[1]),
            _ => None,
        };
        let mut codes: Vec<String> = Vec::new();
        codes.extend(piece.map(|code| format!("1;{code}")));
        codes.extend((new && c != ' ').then(|| "7".to_owned()));
        codes.extend((free && c == '.').then(|| "1;32".to_owned()));
        match codes.is_empty() {
            true => text.push(c),
            false => *text += &format!("\x1b[{}m{c}\x1b[0m", codes.join(";")),
        }
    }

    /// Returns the free squares that legal moves fill; none if all free squares are such.
    fn legal(&self, session: &mut Session, lines: &[Vec<char>]) -> Vec<Spot> {
        let taken = lines.iter().flatten().any(|&c| c == '+') && !self.colours;
        let free = lines.iter().flatten().filter(|&&c| c == '.').count();
        let mut legal: Vec<Spot> = targets(session).into_iter().map(|(spot, _)| spot).collect();
        legal.sort_unstable();
        legal.dedup();
        if taken || legal.len() >= free { Vec::new() } else { legal }
    }

    /// Draws the position with the values of its moves, at their squares where they have one, and lists the best.
    pub fn values(&self, session: &mut Session, list: &MoveList) -> String {
        let unit = session.unit();
        let own = session.draw_values(list, None);
        let (board, cells) = match own != session.draw() {
            true => (Some(own), false),
            false => (stretched(session, list, unit), true),
        };
        let board = board.filter(|board| board.lines().count() <= LINES - 3);
        let board = board.map_or_else(String::new, |board| board.trim_end().to_owned() + "\n");
        let values: Vec<String> =
            list.moves.iter().take(LISTED).map(|valued| listed(&valued.show(unit))).collect();
        let shown: Vec<String> = list
            .moves
            .iter()
            .zip(&values)
            .map(|(valued, value)| format!("{} {value}", valued.word))
            .collect();
        let more = if list.truncated || list.moves.len() > shown.len() { ", .." } else { "" };
        let moves = wrapped("values: ", &format!("{}{more}", shown.join(", ")), 8);
        let legend = legend(unit, &values, if cells { &board } else { "" });
        format!("{board}{moves}\n{}", wrapped("", &legend, 2))
    }
}

/// Shortens a value for a cell: `+12`, `-7`, `=`, `?`, `+=` for at least a draw, `-=` for at most a draw, `<=+3`.
fn short(word: &str) -> String {
    let (bound, bare) = word.split_at(word.len() - word.trim_start_matches(['<', '>', '=']).len());
    match (bound, bare.split_once(':').unwrap_or((bare, ""))) {
        (">=", ("draw", _)) => "+=".to_owned(),
        ("<=", ("draw", _)) => "-=".to_owned(),
        (_, ("draw", _)) => "=".to_owned(),
        (_, ("win", plies)) => format!("{bound}+{plies}"),
        (_, ("loss", plies)) => format!("{bound}-{plies}"),
        _ => word.to_owned(),
    }
}

/// Shortens a value for a list, bounds in words: `+12`, `=`, `at most a draw`, `at least +3`.
fn listed(word: &str) -> String {
    readable(word, short)
}

/// Explains the signs that occur in the values of a list and in the cells of a board.
fn legend(unit: Unit, values: &[String], board: &str) -> String {
    let is_bound = |word: &&str| word.len() > 1 && (word.starts_with(['<', '>']) || word.ends_with('='));
    let cells = board.split_whitespace().filter(is_bound);
    let signs: Vec<&str> = values.iter().flat_map(|value| value.split(' ')).chain(cells).collect();
    let occurs = |sign: &str| signs.contains(&sign);
    let begins = |sign: &str| signs.iter().any(|word| word.starts_with(sign));
    let counts = |sign: char| {
        let digits = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
        unit == Unit::Outcome && signs.iter().any(|word| word.strip_prefix(sign).is_some_and(digits))
    };
    let meanings = [
        (unit != Unit::Outcome, "points still to come for you"),
        (counts('+'), "+n you win in n plies"),
        (occurs("+"), "+ you win"),
        (counts('-'), "-n you lose in n plies"),
        (occurs("-"), "- you lose"),
        (occurs("="), "= a draw"),
        (occurs("+="), "+= at least a draw"),
        (occurs("-="), "-= at most a draw"),
        (begins(">="), ">= at least"),
        (begins("<="), "<= at most"),
        (occurs("?"), "? not known"),
    ];
    let meanings: Vec<&str> =
        meanings.into_iter().filter_map(|(found, text)| found.then_some(text)).collect();
    meanings.join(", ")
}

/// Reports whether a line has the letters of columns, which are no pieces.
fn is_labels(line: &[char]) -> bool {
    let letters: Vec<char> = line.iter().copied().filter(|c| *c != ' ').collect();
    letters.len() > 1 && letters.iter().zip('a'..).all(|(&letter, expected)| letter == expected)
}

/// Returns the lines of a drawing without blank ones at its end.
fn lines(drawing: &str) -> Vec<Vec<char>> {
    drawing.trim_end().lines().map(|line| line.trim_end().chars().collect()).collect()
}

/// Returns the characters of `now` that differ from `before`; none if the drawings are not of one shape.
fn changes(before: &str, now: &str) -> Vec<Spot> {
    let (before, now) = (lines(before), lines(now));
    let alike = before.len() == now.len() && before.iter().zip(&now).all(|(one, two)| one.len() == two.len());
    if !alike {
        return Vec::new();
    }
    let spots = now.iter().enumerate().flat_map(|(y, line)| (0..line.len()).map(move |x| (y, x)));
    spots.filter(|&(y, x)| before[y][x] != now[y][x]).collect()
}

/// Returns the free square that each legal move fills, if it is one, with the move. Of a long list the first moves.
fn targets(session: &mut Session) -> Vec<(Spot, String)> {
    let now = session.draw();
    let before = lines(&now);
    let mut found = Vec::new();
    for word in session.legal_moves(TRIED) {
        if session.play(&word).is_err() {
            continue;
        }
        let after = session.draw();
        session.undo();
        let after_lines = lines(&after);
        let filled = |&(y, x): &Spot| before[y][x] == '.' && after_lines[y][x] != '.';
        let mut filled = changes(&now, &after).into_iter().filter(filled);
        if let (Some(spot), None) = (filled.next(), filled.next()) {
            found.push((spot, word));
        }
    }
    found
}

/// Returns the drawing with wider cells and the values at the squares that moves fill, of several moves the best; `None` if
/// the drawing is no grid of cells or no move fills a square.
fn stretched(session: &mut Session, list: &MoveList, unit: Unit) -> Option<String> {
    let targets = targets(session);
    if targets.is_empty() {
        return None;
    }
    let lines = lines(&session.draw());
    let columns = lines.iter().map(|line| line.len().div_ceil(2)).max()?;
    let width = CELLS.into_iter().find(|width| columns * width < WIDTH)?;
    let value_at = |spot: Spot| {
        let here = |valued: &&grundy_session::MoveValue| targets.contains(&(spot, valued.word.clone()));
        list.moves.iter().find(here).map(|valued| short(&valued.show(unit)))
    };
    // Characters are spread by half the width of a cell; a row without a label at the left has room for its first value.
    let bare = |line: &Vec<char>| line.first() != Some(&' ') && line.get(1) == Some(&' ');
    let edge = if lines.iter().any(bare) { width / 2 } else { 0 };
    let mut text = String::new();
    for (y, line) in lines.iter().enumerate() {
        let mut cells = (2..line.len()).filter(|&x| line[x] != ' ');
        let parity = cells.next().map(|x| x % 2);
        if cells.any(|x| Some(x % 2) != parity) {
            // Some cells are no single characters, as in rows of ten and more.
            return None;
        }
        let mut row: String = line.iter().take(2).filter(|c| **c != ' ').collect();
        let label = if line.first() == Some(&' ') || row.len() > 1 { width } else { width / 2 };
        row = format!("{:>1$}", value_at((y, 0)).unwrap_or(row), edge + label);
        for x in (2..line.len()).filter(|&x| line[x] != ' ') {
            let cell = value_at((y, x)).unwrap_or_else(|| line[x].to_string());
            let free = (edge + (x + 1) * width / 2).saturating_sub(row.chars().count());
            row += &format!("{cell:>free$}");
        }
        text += &row;
        text.push('\n');
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_changed_is_found_by_comparing_drawings() {
        assert_eq!(changes(" . .\n . .", " . X\n . ."), [(0, 3)]);
        assert_eq!(changes("1: ooo", "1: oo"), []);
        assert_eq!(changes("a\n\n", "b"), [(0, 0)]);
    }

    #[test]
    fn values_are_short() {
        let words = ["win:41", "loss:7", "draw", "?", "win", "-3", ">=draw", "<=+3"];
        assert_eq!(words.map(short), ["+41", "-7", "=", "?", "+", "-3", "+=", "<=+3"]);
        let words = ["win:41", "draw", "?", "<=draw", ">=+3"];
        assert_eq!(words.map(listed), ["+41", "=", "?", "at most a draw", "at least +3"]);
    }

    #[test]
    fn a_legend_explains_the_signs_that_occur() {
        let legend = |unit, values: &[&str], board: &str| {
            let values: Vec<String> = values.iter().map(|word| listed(word)).collect();
            legend(unit, &values, board)
        };
        assert_eq!(legend(Unit::Outcome, &["win", "loss"], ""), "+ you win, - you lose");
        let words = ["win:3", "draw", "<=draw", "?"];
        let board = " 2  +3  -=\n 1   =   ?\n     a   b";
        let meanings = "+n you win in n plies, = a draw, -= at most a draw, ? not known";
        assert_eq!(legend(Unit::Outcome, &words, board), meanings);
        assert_eq!(legend(Unit::Points, &["-3", "<=+9"], ""), "points still to come for you");
        assert_eq!(legend(Unit::Points, &["<=+9"], "<=+9"), "points still to come for you, <= at most");
    }
}

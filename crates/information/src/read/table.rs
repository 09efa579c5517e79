//! Tables of payoffs: rows by line, or by `/` or `;` on one line.
//!
//! In a table on one line a stroke separates rows: `1,-2/2,3` is a game of two rows. With `;`, or with strokes between
//! blanks, between the rows, strokes inside the cells are fractions: `1/2,1/3;1/4,1/5`. In a table with a row a line
//! they are fractions too, unless every line is a rectangle by its strokes: then each line is a game. Two tables with
//! an empty line between them, or `|` on one line, are the payoffs of both players. So is one table on one line with
//! strokes between blanks, the cells of which are pairs: `3,3 0,5 / 5,0 1,1`.
//!
//! Several lines of single numbers with `;` between them, which are a table of a spreadsheet or games of one column, are
//! read as the one or the other only if [`Lines`] or an empty line between two tables says so.

use grundy_core::text::counted;

use crate::bimatrix::Bimatrix;
use crate::fraction::{self, Fraction};
use crate::matrix::{MOST, Matrix};

use super::contents::{Contents, Refusal};

/// The meaning of the lines of a file with several lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lines {
    /// Games if every line has strokes and is a rectangle, or if they make no table; else rows of one table. Lines of
    /// single numbers between semicolons are refused.
    #[default]
    Guess,
    /// The rows of a table.
    Rows,
    /// Games, one a line.
    Games,
}

type Cells = Vec<Vec<Fraction>>;

/// Maximum number of numbers of a file: two of the largest tables.
const MOST_NUMBERS: usize = 2 * MOST * MOST;

/// Reads one game, or games one a line.
pub fn read(text: &str, lines: Lines) -> Result<Contents, Refusal> {
    let mut blocks: Vec<Vec<(usize, &str)>> = vec![Vec::new()];
    let mut numbers = 0;
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.starts_with('#') {
            continue;
        }
        let between = |c: char| c.is_whitespace() || matches!(c, ',' | '/' | ';' | '|');
        numbers += line.split(between).filter(|word| !word.is_empty()).count();
        if numbers > MOST_NUMBERS {
            return Err(Refusal::new(number + 1, format!("more than {MOST_NUMBERS} numbers in a file")));
        }
        match blocks.last_mut() {
            Some(block) if !line.is_empty() => block.push((number + 1, line)),
            Some(block) if !block.is_empty() => blocks.push(Vec::new()),
            _ => {}
        }
    }
    blocks.retain(|block| !block.is_empty());
    if lines == Lines::Games {
        return games(&blocks.concat());
    }
    match blocks.as_slice() {
        [] => Err(Refusal::new(0, "there are no payoffs, only comments")),
        [block] => one_block(block, lines),
        [row, column] => {
            // A line of a block is a row of a table there, and a table of its own elsewhere.
            let open = |block: &[_]| block.len() == 1 && are_cells_between_semicolons(block);
            if lines != Lines::Rows
                && let Some(block) = [row, column].into_iter().find(|block| open(block))
            {
                return Err(between_semicolons(block[0].0));
            }
            let cells = [single(row, lines)?, single(column, lines)?];
            bimatrix(column[0].0, cells)
        }
        [_, _, third, ..] => Err(Refusal::new(
            third[0].0,
            "a third table: expected one (payoffs to the row player) or two (payoffs to both); games one a line \
             stand without empty lines between them",
        )),
    }
}

fn one_block(block: &[(usize, &str)], lines: Lines) -> Result<Contents, Refusal> {
    if let [(number, line)] = block {
        if let Some((row, column)) = line.split_once('|') {
            return bimatrix(*number, [game(*number, row.trim())?, game(*number, column.trim())?]);
        }
        if let Some(cells) = pairs(*number, line).filter(|_| lines != Lines::Rows) {
            return bimatrix(*number, cells?);
        }
        return matrix(*number, single(block, lines)?).map(Contents::Matrix);
    }
    if lines == Lines::Rows {
        return matrix(block[0].0, rows(block)?).map(Contents::Matrix);
    }
    if are_cells_between_semicolons(block) {
        return Err(between_semicolons(block[0].0));
    }
    let strokes = |line: &str| line.contains(['/', ';']);
    let as_rows = rows(block);
    if !block.iter().any(|(_, line)| strokes(line)) {
        return matrix(block[0].0, as_rows?).map(Contents::Matrix);
    }
    if as_rows.is_ok() && !block.iter().all(|(_, line)| strokes(line)) {
        return matrix(block[0].0, as_rows?).map(Contents::Matrix);
    }
    match (games(block), as_rows) {
        (Err(_), Ok(cells)) => matrix(block[0].0, cells).map(Contents::Matrix),
        (Err(_), Err(refusal)) if !block.iter().all(|(_, line)| strokes(line)) => Err(refusal),
        (games, _) => games,
    }
}

/// Returns the refusal of lines that may be rows of a table or games of one column.
fn between_semicolons(line: usize) -> Refusal {
    Refusal::new(
        line,
        "one payoff between semicolons in every line: expected --lines rows for the rows of a table, --lines games for \
         games of one column",
    )
}

fn games(lines: &[(usize, &str)]) -> Result<Contents, Refusal> {
    let each = lines.iter().map(|&(number, line)| matrix(number, game(number, line)?));
    each.collect::<Result<Vec<Matrix>, Refusal>>().map(Contents::Matrices)
}

fn matrix(line: usize, cells: Cells) -> Result<Matrix, Refusal> {
    Matrix::new(cells).map_err(|reason| Refusal::new(line, reason))
}

fn bimatrix(line: usize, [row, column]: [Cells; 2]) -> Result<Contents, Refusal> {
    Bimatrix::new(matrix(line, row)?, matrix(line, column)?)
        .map(Contents::Bimatrix)
        .map_err(|reason| Refusal::new(line, reason))
}

/// Reads a block that is one table.
fn single(block: &[(usize, &str)], lines: Lines) -> Result<Cells, Refusal> {
    match block {
        [(number, line)] if lines != Lines::Rows => game(*number, line),
        _ => rows(block),
    }
}

/// Reads a table with a row a line.
fn rows(block: &[(usize, &str)]) -> Result<Cells, Refusal> {
    if let Some((number, _)) = block.get(MOST) {
        return Err(Refusal::new(*number, format!("row {}: expected at most {MOST} rows", MOST + 1)));
    }
    let cells = are_cells_between_semicolons(block);
    let commas = |line: &str| line.trim_end_matches(';').replace(';', ",");
    let read = |number: usize, line: &str| if cells { row(number, &commas(line)) } else { row(number, line) };
    let rows = block.iter().map(|&(number, line)| Ok((number, read(number, line)?)));
    rectangle(rows.collect::<Result<Vec<_>, Refusal>>()?, "line")
}

/// Reports whether every line has semicolons with a single number between them, as spreadsheets write tables.
fn are_cells_between_semicolons(block: &[(usize, &str)]) -> bool {
    let single = |cell: &str| !cell.trim().contains(|c: char| c.is_whitespace() || matches!(c, ',' | '|'));
    block.iter().all(|(_, line)| line.contains(';') && line.split(';').all(single))
}

/// Reads a table on one line.
fn game(number: usize, line: &str) -> Result<Cells, Refusal> {
    let parts: Vec<&str> = if line.contains(';') {
        line.trim_end_matches(';').split(';').collect()
    } else if line.contains(" / ") {
        line.split(" / ").collect()
    } else {
        line.split('/').collect()
    };
    let rows = parts.into_iter().map(|part| row(number, part.trim())).collect::<Result<Vec<_>, Refusal>>()?;
    // The stroke of a fraction has split a row.
    let hint = if line.contains(';') || line.contains(" / ") || !line.contains('/') {
        ""
    } else {
        "; fractions: split rows by ;"
    };
    on_one_line(number, rows, hint)
}

/// Checks that the rows of one line are equally long.
fn on_one_line(number: usize, rows: Vec<Vec<Fraction>>, hint: &str) -> Result<Cells, Refusal> {
    rectangle((1..).zip(rows).collect(), "row").map_err(|refusal| match refusal.line {
        0 => refusal,
        row => Refusal::new(number, format!("row {row}: {}{hint}", refusal.reason)),
    })
}

/// Reads a table on one line whose cells are pairs of payoffs, as the payoffs of both players; `None` for other lines.
/// Where each row is a single pair, the line is a table of two columns.
fn pairs(number: usize, line: &str) -> Option<Result<[Cells; 2], Refusal>> {
    let mut rows = Vec::new();
    for row in line.split(" / ") {
        rows.push(row.split_whitespace().map(pair).collect::<Option<Vec<[&str; 2]>>>()?);
    }
    if rows.len() < 2 || rows.iter().all(|row| row.len() < 2) {
        return None;
    }
    let side = |player: usize| -> Result<Cells, Refusal> {
        let mut cells = Vec::new();
        for row in &rows {
            let read = row.iter().map(|pair| fraction::read(pair[player]));
            let read = read.collect::<Result<Vec<Fraction>, String>>();
            cells.push(read.map_err(|reason| Refusal::new(number, reason))?);
        }
        on_one_line(number, cells, "")
    };
    Some(side(0).and_then(|row| Ok([row, side(1)?])))
}

/// Splits a word at its only comma.
fn pair(word: &str) -> Option<[&str; 2]> {
    let (one, two) = word.split_once(',')?;
    (!one.is_empty() && !two.is_empty() && !two.contains(',')).then_some([one, two])
}

/// Checks that the rows are equally long; a refusal names the row as its line.
fn rectangle(rows: Vec<(usize, Vec<Fraction>)>, what: &str) -> Result<Cells, Refusal> {
    let (first, width) = rows.first().map_or((0, 0), |(number, row)| (*number, row.len()));
    if let Some((number, row)) = rows.iter().find(|(_, row)| row.len() != width) {
        let reason = format!("{}: expected {width} as in {what} {first}", counted(row.len(), "payoff"));
        return Err(Refusal::new(*number, reason));
    }
    Ok(rows.into_iter().map(|(_, row)| row).collect())
}

/// Reads the payoffs of a row, separated by commas or by blanks.
fn row(number: usize, text: &str) -> Result<Vec<Fraction>, Refusal> {
    let read = |word: &str| fraction::read(word).map_err(|reason| Refusal::new(number, reason));
    if text.contains(',') {
        text.split(',').map(|word| read(word.trim())).collect()
    } else {
        let cells: Vec<Fraction> = text.split_whitespace().map(read).collect::<Result<_, _>>()?;
        if cells.is_empty() { Err(Refusal::new(number, "a row without payoffs")) } else { Ok(cells) }
    }
}

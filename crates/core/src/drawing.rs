//! Drawings of positions for a terminal.

/// Returns a drawing of a position whose first word is at least two rows joined by `/`, all of equally many cells: letters,
/// or words joined by commas. What follows but the turn stands below. `None` if the position has another form.
///
/// ```
/// assert_eq!(grundy_core::drawing::of_rows("X.O/... - 1").unwrap(), " 2 X . O\n 1 . . .\n   a b c\n-");
/// assert_eq!(grundy_core::drawing::of_rows("..X/.. 1"), None);
/// ```
pub fn of_rows(position: &str) -> Option<String> {
    const LETTERS: usize = 26;
    let mut words = position.split(' ');
    let cells = |row: &'_ str| -> Vec<String> {
        match row.contains(',') {
            true => row.split(',').map(str::to_owned).collect(),
            false => row.chars().map(String::from).collect(),
        }
    };
    let rows: Vec<Vec<String>> = words.next()?.split('/').map(cells).collect();
    let columns = rows[0].len();
    if rows.len() < 2 || columns > LETTERS || rows.iter().any(|row| row.len() != columns || columns < 2) {
        return None;
    }
    Some(format!("{}\n{}", labelled(&rows, columns), but_turn(words)).trim_end().to_owned())
}

/// Returns a drawing of a position whose first word is a row of cells that are counted from 1 at the left: the cells, and
/// their numbers below. What is wider than a terminal of 80 columns stays as it is.
///
/// ```
/// assert_eq!(grundy_core::drawing::of_row("TT.FF 1"), "T T . F F\n1 2 3 4 5");
/// ```
pub fn of_row(position: &str) -> String {
    const COLUMNS: usize = 80;
    let row = position.split(' ').next().unwrap_or_default();
    let count = row.chars().count();
    let width = count.to_string().len();
    if count * (width + 1) > COLUMNS {
        return row.to_owned();
    }
    let line = |cells: &mut dyn Iterator<Item = String>| {
        cells.map(|cell| format!("{cell:>width$}")).collect::<Vec<_>>().join(" ")
    };
    let cells = line(&mut row.chars().map(String::from));
    format!("{cells}\n{}", line(&mut (1..=count).map(|number| number.to_string())))
}

/// Returns rows of cells one below the other, with the numbers of the rows and the letters of the columns at the edges.
pub fn labelled(rows: &[Vec<String>], columns: usize) -> String {
    let width = rows.iter().flatten().map(|cell| cell.chars().count()).max().unwrap_or(1);
    let mut text = String::new();
    for (row, number) in rows.iter().zip((1..=rows.len()).rev()) {
        text += &format!("{number:>2}");
        row.iter().for_each(|cell| text += &format!(" {cell:>width$}"));
        text.push('\n');
    }
    text += "  ";
    ('a'..).take(columns).for_each(|letter| text += &format!(" {letter:>width$}"));
    text
}

/// Returns the words of a position but its turn, the last one.
///
/// ```
/// assert_eq!(grundy_core::drawing::but_turn(["2", "1"].into_iter()), "2");
/// ```
pub fn but_turn<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let mut words: Vec<&str> = words.collect();
    words.pop_if(|word| ["1", "2"].contains(word));
    words.join(" ")
}

//! The cells of a position as bytes, for evaluations that are learned: the same for every game, from its notation.

/// Appends the cells of a written position: a byte for each letter or sign of a board, or for each number of a list.
///
/// [`board`] has them. In a list of numbers each number is a cell, clamped to 255. On a board `/` separates rows
/// and a digit stands for that number of free cells, as in FEN; every other character is a cell.
///
/// ```
/// let cells = |text| {
///     let mut cells = Vec::new();
///     grundy_core::cells::read(text, &mut cells);
///     cells
/// };
/// assert_eq!(cells("X.O/.../... 1"), b"X.O......");
/// assert_eq!(cells("r2k/4 w - - 0 1"), b"r..k....");
/// assert_eq!(cells("4,10/0,300 5-3 2"), [4, 10, 0, 255]);
/// ```
pub fn read(text: &str, cells: &mut Vec<u8>) {
    let board = board(text);
    if is_list(board) {
        let numbers = board.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty());
        cells.extend(numbers.map(|number| number.parse().unwrap_or(u8::MAX)));
        return;
    }
    for sign in board.chars() {
        match sign {
            '/' | ' ' => {}
            '0'..='9' => cells.extend((0..sign as u8 - b'0').map(|_| FREE)),
            sign => cells.push(u8::try_from(sign).unwrap_or(u8::MAX)),
        }
    }
}

/// Returns the part of a written position that has its cells: the first field and, on a board of several layers, the fields
/// after it whose rows have the same lengths.
///
/// ```
/// assert_eq!(grundy_core::cells::board("X./.. .O/.. 2"), "X./.. .O/..");
/// assert_eq!(grundy_core::cells::board("X./.. O 2"), "X./..");
/// ```
pub fn board(text: &str) -> &str {
    let first = text.split(' ').next().unwrap_or_default();
    let mut end = first.len();
    if first.contains('/') {
        let shape = |field: &str| field.split('/').map(|row| row.chars().count()).collect::<Vec<_>>();
        let layers =
            text.split(' ').skip(1).take_while(|field| field.contains('/') && shape(field) == shape(first));
        end += layers.map(|layer| 1 + layer.len()).sum::<usize>();
    }
    &text[..end]
}

/// The byte of a free cell that a digit stands for.
pub const FREE: u8 = b'.';

/// Reports whether the first field of a written position is a list of numbers and no board of letters.
pub fn is_list(board: &str) -> bool {
    board.starts_with(|c: char| c.is_ascii_digit())
        && board.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | '/' | '-'))
}

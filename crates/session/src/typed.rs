//! Positions as people type them.

/// Returns a position typed without the slashes between its rows (`X........`, `X.. ... ...`) with those that `start`, a
/// position of the same game, has; `None` if it has slashes or other numbers of cells.
pub(crate) fn with_slashes(start: &str, typed: &str) -> Option<String> {
    let rows: Vec<usize> = start.split(' ').next()?.split('/').map(str::len).collect();
    let words: Vec<&str> = typed.split_whitespace().collect();
    let rows_apart =
        words.len() >= rows.len() && rows.iter().zip(&words).all(|(&row, word)| row == word.len());
    let (board, rest) = words.split_at_checked(if rows_apart { rows.len() } else { 1 })?;
    let cells = board.concat();
    if rows.len() < 2 || !cells.is_ascii() || cells.contains('/') || cells.len() != rows.iter().sum() {
        return None;
    }
    let mut after = cells.as_str();
    let cut = rows.iter().map(|&row| {
        let (row, behind) = after.split_at(row);
        after = behind;
        row
    });
    let board = cut.collect::<Vec<_>>().join("/");
    Some(std::iter::once(board.as_str()).chain(rest.iter().copied()).collect::<Vec<_>>().join(" "))
}

/// Returns a position typed without a turn with player two to move; `None` if it has a turn, or `start`, a position of the
/// same game, has none.
pub(crate) fn with_second(start: &str, typed: &str) -> Option<String> {
    let (fields, last) = start.rsplit_once(' ')?;
    let lacks = !typed.trim().is_empty()
        && ["1", "2"].contains(&last)
        && typed.split(' ').count() == fields.split(' ').count();
    lacks.then(|| format!("{typed} 2"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slashes_and_turns_are_added_where_they_are_missing() {
        let start = "../.. 1";
        for (typed, board) in
            [("X...", "X./.."), ("X. ..", "X./.."), ("X... 2", "X./.. 2"), ("X. .. 2", "X./.. 2")]
        {
            assert_eq!(with_slashes(start, typed).as_deref(), Some(board));
        }
        for typed in ["", "X./..", "X..", "X.. .", "ä.."] {
            assert_eq!(with_slashes(start, typed), None);
        }
        assert_eq!(with_second(start, "X./..").as_deref(), Some("X./.. 2"));
        assert_eq!((with_second(start, "X./.. 1"), with_second("a1", "a1")), (None, None));
        assert_eq!((with_second("3,5 1", ""), with_second("3,5 1", " ")), (None, None));
    }
}

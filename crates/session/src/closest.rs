//! Suggestions for misspelt names.

/// Returns the first of the closest `names`, if it is close enough to have been meant.
///
/// ```
/// use grundy_session::closest;
/// let names = ["tictactoe", "connect4", "othello"];
/// assert_eq!(closest("Othelo", names), Some("othello"));
/// assert_eq!(closest("connect", names), Some("connect4"));
/// assert_eq!(closest("xyzzy", names), None);
/// ```
pub fn closest<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed: String = typed.to_lowercase().chars().take(40).collect();
    // One slip in three letters, and no more than three.
    let slips = (typed.chars().count() / 3).min(3);
    names
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(&typed, name), name))
        .filter(|&(distance, name)| {
            distance <= slips || typed.len() > 2 && (name.starts_with(&typed) || typed.starts_with(name))
        })
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, name)| name)
}

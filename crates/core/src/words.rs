//! Elements of notation that several games share: the turn at the end of a position, numbers, lists, scores, rows.

use std::borrow::Cow;

use crate::game::Player;
use crate::text::is_visible;

/// Draws pits as the players sit: player one below with his pits from left to right, each store at its owner's right
/// hand.
///
/// ```
/// let drawn = grundy_core::words::draw_pits([&[1, 2], &[3, 4]], [5, 6]);
/// assert_eq!(drawn, "       4   3\n   6           5\n       1   2");
/// ```
pub fn draw_pits([one, two]: [&[u8]; 2], stores: [u8; 2]) -> String {
    let row = |pits: &mut dyn Iterator<Item = &u8>| pits.map(|s| format!("{s:>4}")).collect::<String>();
    let (below, above) = (row(&mut one.iter()), row(&mut two.iter().rev()));
    format!("    {above}\n{:>4}{}{:>4}\n    {below}", stores[1], " ".repeat(below.len()), stores[0])
}

/// Splits a position into its `N` fields and the turn; a missing turn is player one's.
///
/// ```
/// use grundy_core::game::Player;
/// use grundy_core::words::fields;
/// assert_eq!(fields("3,5,7 2", "heaps"), Ok((["3,5,7"], Player::Two)));
/// assert_eq!(fields("3,5,7", "heaps"), Ok((["3,5,7"], Player::One)));
/// assert!(fields::<1>("3,5,7 2 1", "heaps").is_err());
/// ```
///
/// # Errors
/// There are more or fewer fields, or the turn is neither `1` nor `2`; the line names `expected`.
pub fn fields<'t, const N: usize>(text: &'t str, expected: &str) -> Result<([&'t str; N], Player), String> {
    let words: Vec<&str> = text.split_ascii_whitespace().take(N + 2).collect();
    let turn = match words.len() {
        len if len == N => Player::One,
        len if len == N + 1 => {
            Player::read(words[N]).ok_or_else(|| format!("the turn is 1 or 2, not {:?}", short(words[N])))?
        }
        _ => return Err(format!("expected {expected} and then the turn, 1 or 2")),
    };
    let mut fields = [""; N];
    fields.copy_from_slice(&words[..N]);
    Ok((fields, turn))
}

/// Reads a number of digits only, without sign or leading zeros, up to `most`.
///
/// ```
/// use grundy_core::words::number;
/// assert_eq!(number("20", 100), Some(20));
/// assert!(number("+1", 9).or(number("01", 9)).or(number("10", 9)).or(number("", 9)).is_none());
/// ```
pub fn number(word: &str, most: u64) -> Option<u64> {
    let digits = word.bytes().all(|b| b.is_ascii_digit());
    let leading_zero = word.len() > 1 && word.starts_with('0');
    if !digits || leading_zero {
        return None;
    }
    word.parse().ok().filter(|&n| n <= most)
}

/// Reads a number of men, to 99, as names of games have it: `4men`.
///
/// ```
/// use grundy_core::words::men;
/// assert_eq!(["4men", "4", "xmen", "100men"].map(men), [Some(4), None, None, None]);
/// ```
pub fn men(word: &str) -> Option<u32> {
    number(word.strip_suffix("men")?, 99)?.try_into().ok()
}

/// The longest time that [`time`] reads.
const LONGEST_TIME: f64 = 1e9;

/// Reads a time above 0, in any unit.
///
/// # Errors
/// One line that names what was expected.
///
/// ```
/// use grundy_core::words::time;
/// assert_eq!(time("2.5"), Ok(2.5));
/// assert!(["", "0", "-1", "nan", "inf", "1e10"].into_iter().all(|word| time(word).is_err()));
/// ```
pub fn time(word: &str) -> Result<f64, String> {
    let read = word.parse().ok().filter(|&time| time > 0.0 && time <= LONGEST_TIME);
    read.ok_or_else(|| "expected a number above 0 and up to 1,000,000,000".to_owned())
}

/// Reads a time between two events, in any unit: 0 for as often as possible.
///
/// # Errors
/// One line that names what was expected.
pub fn interval(word: &str) -> Result<f64, String> {
    let read = word.parse().ok().filter(|time| (0.0..=LONGEST_TIME).contains(time));
    read.ok_or_else(|| "expected a number from 0 to 1,000,000,000".to_owned())
}

/// Reads numbers joined by commas: 1 to `longest` of them, each up to `most`.
///
/// # Errors
/// One line that names what was expected; `what` is the plural (`heaps`).
pub fn list(word: &str, what: &str, most: u64, longest: usize) -> Result<Vec<u64>, String> {
    let count = word.bytes().filter(|&b| b == b',').count() + 1;
    if count > longest {
        return Err(format!("{count} {what}, at most {longest} are possible"));
    }
    word.split(',')
        .map(|part| {
            number(part, most).ok_or_else(|| {
                format!("{what} are numbers of 0..{most} joined by commas, not {:?}", short(part))
            })
        })
        .collect()
}

/// Reads a score: player one's points, a dash, player two's, each of absolute value up to `most`: `3-1`, `3--1`.
///
/// ```
/// use grundy_core::words::score;
/// assert_eq!(score("3--1", 9), Some([3, -1]));
/// assert_eq!(score("-2147483648-0", 9), None);
/// assert_eq!(score("-3", 9).or(score("10-1", 9)).or(score("+1-1", 9)), None);
/// ```
pub fn score(field: &str, most: i32) -> Option<[i32; 2]> {
    let dash = 1 + field.get(1..)?.find('-')?;
    let points = |word: &str| {
        let digits = word.strip_prefix('-').unwrap_or(word);
        let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        plain.then(|| word.parse().ok()).flatten().filter(|p: &i32| p.unsigned_abs() <= most.unsigned_abs())
    };
    Some([points(&field[..dash])?, points(&field[dash + 1..])?])
}

/// Joins numbers by commas.
pub fn join(numbers: &[u64]) -> String {
    let mut text = String::with_capacity(numbers.len() * 4);
    for (i, n) in numbers.iter().enumerate() {
        if i > 0 {
            text.push(',');
        }
        text.push_str(&n.to_string());
    }
    text
}

/// Returns the beginning of a word from outside, for a one-line message.
pub fn short(word: &str) -> String {
    let mut text: String = word.chars().take(24).collect();
    if text.len() < word.len() {
        text.push_str("..");
    }
    text
}

/// Writes any name as one word, uniquely: blanks, invisible characters, `%`, `=` and `+` are replaced by their bytes,
/// like `%20` for a blank. (`=` separates a move from its value, `+` joins positions.)
///
/// ```
/// use grundy_core::words::escaped;
/// assert_eq!((escaped("a_1"), escaped("a b"), escaped("50%"), escaped("")), ("a_1".into(), "a%20b".into(), "50%25".into(), "%".into()));
/// assert_eq!((escaped("x=1\n"), escaped("é\u{a0}"), escaped("moves")), ("x%3D1%0A".into(), "é%C2%A0".into(), "%6Doves".into()));
/// ```
pub fn escaped(name: &str) -> Cow<'_, str> {
    let plain = |c: char| !matches!(c, ' ' | '%' | '=' | '+') && is_visible(c);
    if name.is_empty() {
        return "%".into();
    }
    // The keyword in front of the moves of a position.
    let reserved = name == "moves";
    if !reserved && name.chars().all(plain) {
        return name.into();
    }
    let mut word = String::with_capacity(name.len() + 8);
    for (place, c) in name.char_indices() {
        if plain(c) && !(reserved && place == 0) {
            word.push(c);
            continue;
        }
        for byte in c.encode_utf8(&mut [0; 4]).bytes() {
            word.push_str(&format!("%{byte:02X}"));
        }
    }
    word.into()
}

/// Draws a heap: its counters, or their number if there are many.
pub fn draw_heap(counters: u64) -> String {
    if counters <= 60 { "o".repeat(counters as usize) } else { format!("({counters})") }
}

/// Draws heaps, one a line, numbered from 1.
pub fn draw_heaps(heaps: &[u64]) -> String {
    (1..).zip(heaps).map(|(i, &heap)| format!("{i}: {}\n", draw_heap(heap))).collect()
}

/// Reads a row of cells, one letter each: 1 to `longest` of them.
///
/// ```
/// use grundy_core::words::row;
/// assert_eq!(row(".X.X", ".X", 10), Some([2, 4].as_slice().into()));
/// assert!(row("", ".X", 10).or(row(".x", ".X", 10)).or(row("....", ".X", 3)).is_none());
/// ```
///
/// Returns the cells, counted from 1, that do not show the first of `letters`; `None` if the row is too long, empty, or
/// has other letters.
pub fn row(text: &str, letters: &str, longest: usize) -> Option<Vec<u32>> {
    let known = (1..=longest).contains(&text.len()) && text.bytes().all(|b| letters.as_bytes().contains(&b));
    let free = letters.as_bytes().first();
    let taken = (1..).zip(text.bytes()).filter(|(_, b)| Some(b) != free);
    known.then(|| taken.map(|(place, _)| place).collect())
}

/// Writes a row of `length` cells: the given letters at their cells, counted from 1, and `free` elsewhere.
pub fn write_row(length: u32, free: char, taken: impl IntoIterator<Item = (u32, char)>) -> String {
    let mut cells = vec![free; length as usize];
    for (place, letter) in taken {
        cells[place as usize - 1] = letter;
    }
    cells.into_iter().collect()
}

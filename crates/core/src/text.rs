//! Text from outside made visible: output of engines, files and names must not control a terminal or hide characters.
//! Counts and sizes as people read them.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Returns a count in digits grouped by thousands.
///
/// ```
/// use grundy_core::text::grouped;
/// assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
/// ```
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Names a column of a board by letters: `a` to `z`, `aa` and so on.
///
/// ```
/// use grundy_core::text::column_name;
/// assert_eq!([0, 25, 26, 701, 702].map(column_name), ["a", "z", "aa", "zz", "aaa"]);
/// ```
pub fn column_name(column: usize) -> String {
    let mut name =
        column.checked_div(26).and_then(|rest| rest.checked_sub(1)).map_or(String::new(), column_name);
    name.push(char::from(b'a' + (column % 26) as u8));
    name
}

/// Returns a count with its noun, which takes an `s` in the plural.
///
/// ```
/// use grundy_core::text::counted;
/// assert_eq!([counted(1_usize, "move"), counted(2_000_u64, "move")], ["1 move", "2,000 moves"]);
/// ```
pub fn counted(count: impl TryInto<u64>, noun: &str) -> String {
    let count = count.try_into().unwrap_or(u64::MAX);
    format!("{} {noun}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// Returns a size with its unit: bytes below a million, else megabytes, gigabytes or terabytes.
///
/// ```
/// use grundy_core::text::size;
/// assert_eq!([4_335, 63_132_168, 2_451_000_000].map(size), ["4,335 bytes", "63.1 MB", "2.5 GB"]);
/// ```
pub fn size(bytes: u64) -> String {
    match bytes {
        ..1_000_000 => counted(bytes, "byte"),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        1_000_000_000..1_000_000_000_000 => format!("{:.1} GB", bytes as f64 / 1e9),
        _ => format!("{:.1} TB", bytes as f64 / 1e12),
    }
}

/// Maximum width of lines at a terminal that can be broken.
pub const WIDTH: usize = 80;

/// Stands for a blank at which a text is not broken: a character that no text has.
const UNBROKEN: &str = "\u{e000}";

/// Returns a text that [`wrapped`] leaves on one line, as a command that is to be copied.
pub fn unbroken(text: &str) -> String {
    text.replace(' ', UNBROKEN)
}

/// Returns a text of which parts are [`unbroken`] with plain blanks.
pub fn with_blanks(text: &str) -> String {
    text.replace(UNBROKEN, " ")
}

/// Returns a label and a text in lines of at most [`WIDTH`], indented by `indent` blanks after the first. The text is
/// broken at blanks, a word that is too long after a `/` or a comma; what is [`unbroken`] stays on one line.
///
/// ```
/// use grundy_core::text::{unbroken, wrapped};
/// assert_eq!(wrapped("see ", &"word ".repeat(18), 4).lines().nth(1), Some("    word word word "));
/// let command = "word/".repeat(18) + " word";
/// assert_eq!(wrapped("see ", &unbroken(&command), 4), format!("see {command}"));
/// ```
pub fn wrapped(label: &str, text: &str, indent: usize) -> String {
    let mut lines = label.to_owned();
    let mut used = label.chars().count();
    let mut empty = true;
    for word in text.split(' ') {
        let mut gap = usize::from(!empty);
        let long = indent + word.chars().count() > WIDTH && !word.contains(UNBROKEN);
        let pieces: Vec<&str> = if long { word.split_inclusive(['/', ',']).collect() } else { vec![word] };
        for piece in pieces {
            let length = piece.chars().count();
            if !empty && used + gap + length > WIDTH {
                lines = lines + "\n" + &" ".repeat(indent);
                (used, gap) = (indent, 0);
            }
            lines = lines + &" ".repeat(gap) + piece;
            used += gap + length;
            (empty, gap) = (false, 0);
        }
    }
    with_blanks(&lines)
}

/// Escapes every character that a reader cannot see: control characters, marks that change the direction of writing,
/// blanks other than the space, marks that combine with the character before them. `\x1b` is the escape character,
/// `\u{200b}` a blank without width.
///
/// ```
/// use grundy_core::text::visible;
/// assert_eq!(visible("plain words, \"even\" \\ quoted: \u{e9}"), "plain words, \"even\" \\ quoted: \u{e9}");
/// assert_eq!(visible("\u{1b}[31m red\n"), "\\x1b[31m red\\x0a");
/// assert_eq!(visible("a\u{a0}b\u{200b}\u{202e}c"), "a\\xa0b\\u{200b}\\u{202e}c");
/// ```
pub fn visible(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|b| (0x20..0x7f).contains(&b)) || text.chars().all(is_visible) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        write_out(c, &mut shown);
    }
    Cow::Owned(shown)
}

/// Escapes like [`visible`], but keeps line ends, for text of several lines.
///
/// ```
/// assert_eq!(grundy_core::text::visible_lines("a\r\nb\n"), "a\\x0d\nb\n");
/// ```
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| c == '\n' || is_visible(c)) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if c == '\n' { shown.push(c) } else { write_out(c, &mut shown) }
    }
    Cow::Owned(shown)
}

/// Returns at most `longest` characters of a text from outside, made visible; `...` replaces the rest.
///
/// ```
/// assert_eq!(grundy_core::text::excerpt("0123456789", 4), "0123...");
/// ```
pub fn excerpt(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}...", visible(&text[..end])),
        None => visible(text).into_owned(),
    }
}

/// Escapes JSON for a `script` element of a page: whatever a string of it holds, the text neither ends the element nor
/// begins another one, a comment or a character reference, and every parser reads the same JSON out of it.
///
/// ```
/// use grundy_core::text::json_in_script;
/// assert_eq!(json_in_script("[\"<!--<script>\", \"a&b\"]"), "[\"\\u003c!--\\u003cscript\\u003e\", \"a\\u0026b\"]");
/// ```
pub fn json_in_script(json: &str) -> String {
    // JSON has none of these characters outside strings, and inside strings each may be escaped by its code.
    let mut safe = String::with_capacity(json.len());
    for c in json.chars() {
        if matches!(c, '<' | '>' | '&' | '\u{2028}' | '\u{2029}') {
            // Writing into a string cannot fail.
            let _ = write!(safe, "\\u{:04x}", c as u32);
        } else {
            safe.push(c);
        }
    }
    safe
}

/// Shortens a line for people by cutting out its middle: what is wrong is said at its beginning, what to do about it at
/// its end, and an echoed line may be of any length.
///
/// ```
/// use grundy_core::text::brief;
/// assert_eq!(brief("bad number \"12x\""), "bad number \"12x\"");
/// let shown = brief(&format!("bad number {:?}: expected 1 to 9", "1".repeat(100_000))).into_owned();
/// assert!(shown.len() < 1_600 && shown.starts_with("bad number") && shown.ends_with("expected 1 to 9"));
/// ```
pub fn brief(text: &str) -> Cow<'_, str> {
    /// Bytes kept at the beginning and at the end.
    const KEPT: (usize, usize) = (1_000, 500);
    if text.len() <= KEPT.0 + KEPT.1 {
        return Cow::Borrowed(text);
    }
    let begin = (0..=KEPT.0).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let end = (text.len() - KEPT.1..).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    Cow::Owned(format!("{} ... {}", &text[..begin], &text[end..]))
}

fn write_out(c: char, shown: &mut String) {
    // Writing into a string cannot fail.
    let _ = match c {
        c if is_visible(c) => shown.write_char(c),
        c if (c as u32) < 0x100 => write!(shown, "\\x{:02x}", c as u32),
        c => write!(shown, "\\u{{{:x}}}", c as u32),
    };
}

/// Reports whether a character is visible by itself.
pub(crate) fn is_visible(c: char) -> bool {
    match c {
        ' '..='~' => true,
        // Letters by name, blank by looks: the Hangul fillers and the empty Braille cell.
        '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' | '\u{2800}' => false,
        // The standard library knows which characters print; the others escape to more than one.
        c => c.escape_debug().len() == 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_unseen_gets_through() {
        let hidden = "\0\u{7}\u{8}\t\r\u{7f}\u{85}\u{9b}\u{a0}\u{ad}\u{300}\u{61c}\u{115f}\u{2003}\u{200d}\u{200e}\u{2028}\
                      \u{202e}\u{2066}\u{2060}\u{2800}\u{3000}\u{3164}\u{fe0f}\u{feff}\u{fffe}\u{e000}\u{e0041}";
        for c in hidden.chars() {
            let shown = visible(c.encode_utf8(&mut [0; 4])).into_owned();
            assert!(shown.starts_with('\\') && shown.is_ascii(), "{c:?} as {shown:?}");
        }
        let seen = "Köln, 東京, Ελλάδα, \"quoted\" 'and' \\ so on → ½ ♔ 🂡";
        assert_eq!(visible(seen), seen);
    }

    #[test]
    fn a_line_is_broken_at_blanks_and_a_long_word_behind_a_slash() {
        let word = "x".repeat(30);
        assert_eq!(
            wrapped("  a  ", &format!("{word} {word} {word}"), 2),
            format!("  a  {word} {word}\n  {word}")
        );
        let board = ["."; 12].map(|cell| cell.repeat(9)).join("/");
        let lines = wrapped("  position  ", &format!("{board} 1"), 12);
        assert!(lines.lines().all(|line| line.chars().count() <= WIDTH), "{lines}");
        assert_eq!(lines.replace("\n            ", ""), format!("  position  {board} 1"));
        assert_eq!(lines.lines().count(), 2);
    }
}

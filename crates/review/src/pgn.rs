//! Portable Game Notation: one game is written; many are read by the import format, as tags and the words of moves.
//!
//! Reading leaves out comments (`{..}` and `;` to the end of the line), lines that begin with `%`, variations in parentheses,
//! annotations (`$3`, `!?`) and move numbers with their full stops. A bare number is kept, since in some games moves are
//! numbers. Source: PGN standard of 1994, sections 6 to 8. Moves that hold signs of PGN are written in quotes, as string tokens
//! (section 7): `"0.0.AB.}AB.}!"`.

use grundy_core::game::{GameResult, Player};
use grundy_session::Session;

/// The words that end a game.
const RESULTS: [&str; 6] = ["1-0", "0-1", "1/2-1/2", "*", "1/2", "½-½"];

/// A game as it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written<'t> {
    /// Tags and their values, in the order of the text.
    pub tags: Vec<(&'t str, String)>,
    /// The words that may be moves, in order.
    pub words: Vec<&'t str>,
}

impl Written<'_> {
    /// Returns the value of a tag, trimmed; `None` if it is missing, or its value is unknown.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let value = self.tags.iter().rfind(|(known, _)| known.eq_ignore_ascii_case(name))?.1.trim();
        Some(value).filter(|value| !["", "?", "-"].contains(value))
    }
}

/// The longest line of a PGN, in characters (section 4.3).
const WIDTH: usize = 79;

/// Writes the moves of a session as a PGN, in the notation of people where the game has one.
///
/// `start` is the position from which it began, if that is not the usual one. `tags` precede the result; `variant` names
/// a game that is not chess by the usual rules.
pub fn write(session: &Session, start: Option<&str>, tags: &[(&str, &str)], variant: Option<&str>) -> String {
    let result = match session.result() {
        Some(GameResult::Win(Player::One)) => "1-0",
        Some(GameResult::Win(Player::Two)) => "0-1",
        Some(GameResult::Draw) => "1/2-1/2",
        None => "*",
    };
    let begun = start.iter().flat_map(|&start| [("SetUp", "1"), ("FEN", start)]);
    let tags = tags.iter().copied().chain([("Result", result)]).chain(variant.map(|name| ("Variant", name)));
    let tags = tags
        .chain(begun)
        .map(|(tag, value)| format!("[{tag} \"{}\"]\n", value.replace('\\', "\\\\").replace('"', "\\\"")));
    let mut text: String = tags.collect();
    let mut replay = session.at_start();
    if replay.setup(start).is_err() {
        return text + "\n" + result + "\n";
    }
    let black = usize::from(replay.turn() == Player::Two);
    let mut tokens = Vec::new();
    for (ply, word) in (black..).zip(session.history()) {
        match ply % 2 {
            0 => tokens.push(format!("{}.", ply / 2 + 1)),
            _ if tokens.is_empty() => tokens.push(format!("{}...", ply / 2 + 1)),
            _ => {}
        }
        let written = replay.note(word).unwrap_or_else(|| word.clone());
        tokens.push(if is_plain(&written) { written } else { format!("\"{written}\"") });
        if replay.play(word).is_err() {
            break;
        }
    }
    tokens.push(result.to_owned());
    let mut width = WIDTH;
    for token in tokens {
        let fits = width + 1 + token.len() <= WIDTH;
        text.push(if fits { ' ' } else { '\n' });
        width = if fits { width + 1 } else { 0 } + token.len();
        text += &token;
    }
    text + "\n"
}

/// An iterator over the games of a text. Lines must end in `\n`.
pub struct Games<'t> {
    text: &'t str,
    rest: &'t str,
    /// The end of the line that the last tag was found in.
    line_end: usize,
}

/// The most tags of a game.
const MOST_TAGS: usize = 1_000;

impl<'t> Games<'t> {
    /// Reads the games of `text`.
    pub fn new(text: &'t str) -> Games<'t> {
        Games { text, rest: text, line_end: 0 }
    }

    /// Returns the position of the reader, in bytes.
    fn at(&self) -> usize {
        self.text.len() - self.rest.len()
    }

    fn fail<T>(&self, what: &str) -> Result<T, String> {
        let line = self.text[..self.at()].bytes().filter(|&byte| byte == b'\n').count() + 1;
        Err(format!("line {line}: {what}"))
    }

    fn begins_line(&self) -> bool {
        self.text[..self.at()].bytes().next_back().is_none_or(|byte| byte == b'\n')
    }

    /// Skips everything up to and including the next `end`, which ends `what`.
    fn skip_behind(&mut self, end: char, what: &str) -> Result<(), String> {
        let Some(at) = self.rest.find(end) else {
            return self.fail(&format!("{what} does not end: expected {end}"));
        };
        self.rest = &self.rest[at + end.len_utf8()..];
        Ok(())
    }

    /// Skips blanks, comments and lines that begin with `%`.
    fn skip(&mut self) -> Result<(), String> {
        loop {
            self.rest = self.rest.trim_start_matches(is_blank);
            if self.rest.starts_with(';') || self.rest.starts_with('%') && self.begins_line() {
                // The line's end stays: the next line may begin with `%`.
                self.rest = &self.rest[self.rest.find('\n').unwrap_or(self.rest.len())..];
            } else if self.rest.starts_with('{') {
                self.skip_behind('}', "a comment")?;
            } else {
                return Ok(());
            }
        }
    }

    /// Reads a tag: a name, and a value in quotes, in which `\"` and `\\` stand for `"` and `\`.
    fn tag(&mut self) -> Result<(&'t str, String), String> {
        if self.line_end <= self.at() {
            self.line_end = self.at() + self.rest.find('\n').unwrap_or(self.rest.len());
        }
        let line = &self.rest[..self.line_end - self.at()];
        let inner = line[1..].trim_start_matches(is_blank);
        let name = &inner[..inner.find(|c: char| is_blank(c) || c == '"' || c == ']').unwrap_or(inner.len())];
        let value = inner[name.len()..].trim_start_matches(is_blank);
        let (value, behind) = match value.strip_prefix('"') {
            None => match value.split_once(']') {
                Some((value, behind)) => (value.trim_end_matches(is_blank).to_owned(), behind),
                None => return self.fail("a tag does not end: expected ]"),
            },
            Some(quoted) => match quotes(quoted) {
                Some(read) => read,
                None => return self.fail("a tag does not end: expected a value in quotes, and ]"),
            },
        };
        self.rest = &self.rest[line.len() - behind.len()..];
        Ok((name, value))
    }

    /// Reads the next word, which is not blank.
    fn word(&mut self) -> &'t str {
        let mut from = 0;
        let end = loop {
            let Some(at) = self.rest[from..].find(ends_word).map(|at| from + at) else {
                break self.rest.len();
            };
            // `e8(Q)` is a promotion, and not a variation behind a move.
            let promotes =
                matches!(&self.rest.as_bytes()[at..], [b'(', piece, b')', ..] if b"QRBNqrbn".contains(piece));
            if !promotes || !self.rest[..at].ends_with(|c: char| c.is_ascii_digit() || c == '=') {
                break at;
            }
            from = at + 3;
        };
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn read(&mut self) -> Result<Option<Written<'t>>, String> {
        let mut game = Written::default();
        let mut depth = 0_u32;
        loop {
            self.skip()?;
            let Some(first) = self.rest.chars().next() else {
                return match depth {
                    0 => Ok(Some(game).filter(|game| *game != Written::default())),
                    _ => self.fail("a variation does not end: expected )"),
                };
            };
            match first {
                // A command like `[%clk 0:05:00]` outside a comment.
                '[' if self.rest[1..].starts_with('%') || depth > 0 && !self.begins_line() => {
                    self.skip_behind(']', "a command")?;
                }
                '[' if depth > 0 => return self.fail("a tag within a variation: expected )"),
                '[' if !game.words.is_empty() => return Ok(Some(game)),
                '[' if game.tags.len() >= MOST_TAGS => return self.fail("a game has too many tags"),
                '[' => game.tags.push(self.tag()?),
                '(' => {
                    depth += 1;
                    self.rest = &self.rest[1..];
                }
                ')' => {
                    depth = depth.saturating_sub(1);
                    self.rest = &self.rest[1..];
                }
                '$' => self.rest = self.rest[1..].trim_start_matches(|c: char| c.is_ascii_digit()),
                '!' | '?' | '<' | '>' | '}' | ']' => self.rest = &self.rest[1..],
                _ => {
                    let quoted = self.rest.strip_prefix('"').and_then(|rest| rest.split_once('"'));
                    let word = match quoted {
                        Some((word, rest)) => {
                            self.rest = rest;
                            word
                        }
                        None => self.word(),
                    };
                    match RESULTS.contains(&word) {
                        _ if depth > 0 => {}
                        _ if quoted.is_some() => {
                            game.words.extend(Some(word).filter(|word| !word.is_empty()))
                        }
                        true if game != Written::default() => return Ok(Some(game)),
                        true => {}
                        false => game.words.extend(Some(unnumbered(word)).filter(|word| !word.is_empty())),
                    }
                }
            }
        }
    }
}

impl<'t> Iterator for Games<'t> {
    type Item = Result<Written<'t>, String>;

    fn next(&mut self) -> Option<Self::Item> {
        let read = self.read().transpose();
        if matches!(read, Some(Err(_))) {
            self.rest = "";
        }
        read
    }
}

/// Reads a value behind its first quote; returns it with what follows the `]` of its tag. Some programs do not escape quotes
/// within values; then the last one of the line ends the value.
fn quotes(text: &str) -> Option<(String, &str)> {
    let behind = |at: usize| text[at..].trim_start_matches(is_blank).strip_prefix(']');
    // The last quote that a ] follows; looked for once, if at all.
    let mut last = None;
    let mut value = String::new();
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => {
                value.push(letters.next_if(|&(_, next)| next == '"' || next == '\\').map_or('\\', |(_, c)| c))
            }
            '"' => match behind(at + 1) {
                Some(behind) => return Some((value, behind)),
                None => {
                    let closing = || text.rmatch_indices('"').find(|&(at, _)| behind(at + 1).is_some());
                    let last = *last.get_or_insert_with(|| closing().map_or(0, |(at, _)| at));
                    if last <= at {
                        return None;
                    }
                    value.push('"');
                }
            },
            _ => value.push(letter),
        }
    }
    None
}

/// Removes the number of a move in front of a word: `12.e4`, `12...e5`, `..e5`.
fn unnumbered(word: &str) -> &str {
    let dots = ['.', '…'];
    let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if digits.starts_with(dots) { digits.trim_start_matches(dots) } else { word }
}

/// Reports whether a move is read again as it stands.
pub(crate) fn is_plain(word: &str) -> bool {
    let signs = |c: char| ends_word(c) || c == '"';
    !word.contains(signs) && unnumbered(word) == word && !word.starts_with('%') && !RESULTS.contains(&word)
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c.is_control() || matches!(c, '\u{feff}' | '\u{200b}')
}

fn ends_word(c: char) -> bool {
    is_blank(c) || "{}()[]<>$;!?".contains(c)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test that cannot go on should fail
    use super::*;
    use grundy_core::random::SplitMix64;

    fn words(text: &str) -> Vec<String> {
        let games = Games::new(text).collect::<Result<Vec<_>, _>>().unwrap();
        games.iter().map(|game| game.words.join(" ")).collect()
    }

    #[test]
    fn very_many_quotes_are_refused_at_once() {
        let text = format!("[White \"{}", "\" ".repeat(200_000));
        assert!(Games::new(&text).next().unwrap().is_err());
    }

    #[test]
    fn tags_of_one_line_are_read_in_time_and_are_not_too_many() {
        let games = "[a \"b\"] 1. e4 * ".repeat(200_000);
        assert_eq!(Games::new(&games).filter(Result::is_ok).count(), 200_000);
        let tags = "[a \"b\"]".repeat(2_000);
        assert!(Games::new(&tags).next().unwrap().unwrap_err().contains("too many tags"));
        assert!(Games::new("1. e4 [%clk 0:01").next().unwrap().unwrap_err().contains("does not end"));
    }

    #[test]
    fn words_are_found_without_blanks_between_them() {
        let one = [
            "1. e4 e5 2. Nf3 *",
            "1 e4 e5 2 Nf3",
            "1.e4 e5 2.Nf3 1-0",
            "1. e4{x}e5{y}2. Nf3",
            "1.e4$1e5$146 2.Nf3!?$10 1/2-1/2",
            "1. e4 ; rest (of {the line\ne5 2. Nf3",
            "% 1. d4\n1. e4 e5\n%\n2. Nf3",
            "1. e4 (1. d4 d5 (1... Nf6 {)} 2. c4) 2. c4) 1... e5 2. Nf3 (2. f4)",
            "1. e4! e5?! [%clk 0:01:00] 2…Nf3 {[%eval 0.2]} ½-½",
            "\u{feff}{a comment} ; another\n1. e4 <> e5 2. Nf3",
        ];
        for text in one {
            let found: Vec<String> = words(text).join("|").split(' ').map(str::to_owned).collect();
            let moves: Vec<&String> =
                found.iter().filter(|word| !["1", "2"].contains(&word.as_str())).collect();
            assert_eq!(moves, ["e4", "e5", "Nf3"], "{text}");
        }
        assert_eq!(words("1. e8(Q)(1. e8=R) e1=(Q) e5(e6) *"), ["e8(Q) e1=(Q) e5"]);
    }

    #[test]
    fn tags_are_read_as_others_write_them() {
        fn tags(text: &str) -> Vec<(&str, String)> {
            Games::new(text).next().unwrap().unwrap().tags
        }
        let one = |text: &str| tags(text).remove(0).1;
        assert_eq!(one("[White \"A]x\"]"), "A]x");
        assert_eq!(one("[White\t\"a \\\"b\\\" \\\\ c\\d\" ]"), "a \"b\" \\ c\\d");
        assert_eq!(one("[ White \"A \"Nick\" B\"]"), "A \"Nick\" B");
        assert_eq!(one("[White Anderssen]"), "Anderssen");
        assert_eq!(one("{c}\n; d\n% e\n[White \"x\"]"), "x");
        assert_eq!(tags("[White \"x\"][Black \"y\"] {c} [Site \"z; {\"]\n\n*").len(), 3);
        for bad in ["[White \"x", "[White \"x\"", "[White x", "[", "[White \"x\" y]"] {
            assert!(Games::new(bad).next().unwrap().unwrap_err().starts_with("line 1: "), "{bad}");
        }
    }

    #[test]
    fn games_end_with_their_result_or_where_tags_begin() {
        assert_eq!(
            words("1. e4 *\n1. d4 0-1\n\n[White \"a\"]\n1. c4\n[White \"b\"]\n\n*"),
            ["e4", "d4", "c4", ""]
        );
        assert_eq!(words("1. e4 1/2 - 1/2"), ["e4", "-"]);
        for bad in ["1. e4 {x", "1. e4 (1. d4", "1. e4 (1. d4\n[White \"x\"]\n"] {
            let read: Result<Vec<_>, _> = Games::new(bad).collect();
            assert!(read.unwrap_err().starts_with("line "), "{bad}");
        }
    }

    #[test]
    fn any_text_is_read_or_refused() {
        const PIECES: [&str; 24] = [
            "[",
            "]",
            "\"",
            "\\",
            "{",
            "}",
            "(",
            ")",
            ";",
            "%",
            "$",
            "!",
            "<",
            ">",
            "\n",
            " ",
            "1.",
            "e8(Q)",
            "(Q)",
            "é",
            "…",
            "1-0",
            "[White \"x\"]",
            "*",
        ];
        let mut random = SplitMix64(39);
        for _ in 0..3_000 {
            let text: String = (0..random.below(24)).map(|_| PIECES[random.below(PIECES.len())]).collect();
            assert!(Games::new(&text).take(100).count() < 100, "{text:?}");
        }
    }
}

//! Files with one position per line, for suites and openings: in our notation, or EPD for chess.
//!
//! In our notation a line is a position or like a command of the protocol, `startpos moves a1 b2` or `fen F moves
//! a1`, with or without `position` in front. A line of Extended Position Description has the first four fields of a
//! FEN, optionally the two clocks, and operations like `bm Re8# Ra8#; id "nr #7; a";`. `#`, or `%` as in files in OBF, at
//! the beginning of a word begins a comment outside of operations. Source of EPD: PGN standard of 1994, section 16.2.

use grundy_session::Catalog;

/// The largest file of positions, in bytes.
pub const LARGEST_FILE: u64 = 1 << 28;

/// A line of EPD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Epd {
    /// The position as a FEN of six fields.
    pub fen: String,
    /// Opcodes with their operands, quotes taken off.
    pub operations: Vec<(String, Vec<String>)>,
}

impl Epd {
    /// Returns the operands of all operations of this code.
    pub fn operands<'e>(&'e self, code: &'e str) -> impl Iterator<Item = &'e str> {
        self.operations
            .iter()
            .filter(move |(known, _)| known == code)
            .flat_map(|(_, operands)| operands)
            .map(String::as_str)
    }

    /// Reads a line of EPD; `None` if it is none.
    ///
    /// # Errors
    /// An operation cannot be read; one line.
    pub fn read(line: &str) -> Option<Result<Epd, String>> {
        let mut rest = line.trim_ascii();
        let mut fields: Vec<&str> = Vec::new();
        while fields.len() < 6 {
            let (word, behind) = rest.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((rest, ""));
            // The four fields may be followed by two numbers, the clocks of a FEN.
            if word.is_empty() || fields.len() >= 4 && !word.bytes().all(|byte| byte.is_ascii_digit()) {
                break;
            }
            fields.push(word);
            rest = behind.trim_ascii_start();
        }
        // A semicolon marks our notation.
        let board = fields.first().is_some_and(|board| board.contains('/')) && !fields.concat().contains(';');
        let side = fields.get(1).is_some_and(|side| ["w", "b"].contains(side));
        let code = rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or("");
        let begins = code.starts_with(|c: char| c.is_ascii_alphabetic()) && code != "moves";
        (fields.len() >= 4 && board && side && begins).then(|| {
            let operations = operations(rest)?;
            let mut clocks = [fields.get(4).copied().unwrap_or("0"), fields.get(5).copied().unwrap_or("1")]
                .map(str::to_string);
            for (clock, code) in clocks.iter_mut().zip(["hmvc", "fmvn"]) {
                if let Some((_, operands)) = operations.iter().rfind(|(known, _)| known == code) {
                    let number = operands.first().filter(|word| word.parse::<u32>().is_ok());
                    *clock = number.ok_or_else(|| format!("{code}: expected a number of moves"))?.clone();
                }
            }
            Ok(Epd { fen: [fields[..4].join(" "), clocks.join(" ")].join(" "), operations })
        })
    }
}

/// Reads operations: a code, then operands up to a semicolon outside of quotes; within quotes `\"` and `\\` mean `"`
/// and `\`.
fn operations(text: &str) -> Result<Vec<(String, Vec<String>)>, String> {
    let mut operations = Vec::new();
    let mut words: Vec<String> = Vec::new();
    let mut letters = text.chars().peekable();
    loop {
        while letters.next_if(char::is_ascii_whitespace).is_some() {}
        let end = match letters.peek() {
            None => true,
            Some(';') => letters.next().is_some(),
            // A comment behind the last operation.
            Some('#') if words.is_empty() => return Ok(operations),
            Some(_) => false,
        };
        if end {
            if !words.is_empty() {
                operations.push((words.remove(0), std::mem::take(&mut words)));
            }
            if letters.peek().is_none() {
                return Ok(operations);
            }
            continue;
        }
        let mut word = String::new();
        if letters.next_if_eq(&'"').is_some() {
            loop {
                match letters.next() {
                    Some('"') => break,
                    Some('\\') => {
                        word.extend(letters.next_if(|next| matches!(next, '"' | '\\')).or(Some('\\')))
                    }
                    Some(letter) => word.push(letter),
                    None => return Err("a text in quotes does not end: expected \"".to_string()),
                }
            }
        } else {
            while let Some(letter) = letters.next_if(|&next| next != ';' && !next.is_ascii_whitespace()) {
                word.push(letter);
            }
        }
        words.push(word);
    }
}

/// Returns the line without its comment.
pub fn without_remark(line: &str) -> &str {
    let mut from = 0;
    while let Some(at) = line[from..].find(['#', '%']).map(|at| from + at) {
        let begins = line[..at].chars().next_back().is_none_or(char::is_whitespace);
        let word = line[at..].split_whitespace().next().unwrap_or("");
        // A board whose first cells are covered, `#../#.. 1`.
        let cells = word.bytes().all(|byte| b"#./".contains(&byte)) && word.contains(['.', '/']);
        if begins && !cells {
            return line[..at].trim();
        }
        from = at + 1;
    }
    line.trim()
}

/// Reports whether lines of a file may be EPD: for chess, or if no game is named.
pub fn may_be_epd(catalog: &Catalog, game: Option<&str>) -> bool {
    game.is_none_or(|game| catalog.is_standard(game))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "6k1/5ppp/8/8/8/8/8/R3R2K";

    #[test]
    fn operations_are_read_with_what_stands_in_their_operands() {
        let read = |rest: &str| Epd::read(&format!("{BOARD} {rest}")).unwrap().unwrap();
        let epd = read("w - - bm Re8# Ra8#; id \"nr #7; \\\"a\\\" b\"; c0 \"\"; hmvc 2; fmvn 40;  # remark");
        assert_eq!(epd.fen, format!("{BOARD} w - - 2 40"));
        assert_eq!(epd.operands("bm").collect::<Vec<_>>(), ["Re8#", "Ra8#"]);
        assert_eq!(epd.operands("id").collect::<Vec<_>>(), ["nr #7; \"a\" b"]);
        assert_eq!(epd.operands("c0").collect::<Vec<_>>(), [""]);
        assert_eq!(read("b - - 7 30 am Kg1").fen, format!("{BOARD} b - - 7 30"));
        assert_eq!(read("w - - bm #1;").operands("bm").collect::<Vec<_>>(), ["#1"]);
        assert_eq!(read("w - - noop;;bm a4 ; ").operations.len(), 2);
        for other in [
            "w - -",
            "w - - 0 1",
            "w - - ; best e2e4",
            "w - - moves a1a2",
            "x - - bm Ra8;",
            "w - -;best a1a2",
        ] {
            assert_eq!(Epd::read(&format!("{BOARD} {other}")), None, "{other}");
        }
        assert!(Epd::read(&format!("{BOARD} w - - id \"x;")).unwrap().is_err());
        assert!(Epd::read(&format!("{BOARD} w - - hmvc x;")).unwrap().is_err());
    }

    #[test]
    fn a_remark_begins_a_word() {
        for (line, kept) in [
            ("# all", ""),
            ("#all of it", ""),
            ("##########", ""),
            ("1,2 1 # rest", "1,2 1"),
            ("#../#../... 2 # rest", "#../#../... 2"),
            (".#/#. 1", ".#/#. 1"),
            ("#. 1", "#. 1"),
            ("% all", ""),
            ("1,2 1; 2:1:+3 % rest; more", "1,2 1; 2:1:+3"),
            ("50% of it", "50% of it"),
        ] {
            assert_eq!(without_remark(line), kept, "{line}");
        }
    }
}

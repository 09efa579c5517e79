//! The words of pictures: the names of what stands on their places, for people who do not see it, where neither a letter nor the
//! colour of a man says it all; and their captions.

use grundy::session::{Row, Shape};
use grundy::text::grouped;

use crate::texts::{Texts, english};

/// The captions of pictures, as the keys of their texts; the English ones are those of the pictures.
const CAPTIONS: [&str; 4] = ["in-hand", "take-up-to", "banks", "no-line-left"];

/// Writes the caption of a picture in the language of a page.
pub fn captioned(svg: String, texts: Texts) -> String {
    CAPTIONS.into_iter().fold(svg, |svg, key| {
        svg.replace(&format!(">{}", english().get(key)), &format!(">{}", texts.get(key)))
    })
}

/// Adds to the places of a picture of a position the names of what stands there, as `data-man`, in the families that need them.
pub fn named(svg: String, row: &Row, position: &str, players: &[String; 2], texts: Texts) -> String {
    let sides = &Names { players, texts };
    const AT: &str = " data-at=\"";
    let marks = Marks::of(row, position);
    if marks.is_none() {
        return svg;
    }
    let mut parts = svg.split(AT);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let at = part.split('"').next().unwrap_or_default();
        if let Some(name) = marks.as_ref().and_then(|marks| marks.name(row, at, sides)) {
            out = out + " data-man=\"" + &grundy_draw::escape(&name) + "\"";
        }
        out = out + AT + part;
    }
    out
}

/// The names of the players, and the language.
struct Names<'n> {
    players: &'n [String; 2],
    texts: Texts,
}

/// The marks of a position.
enum Marks<'p> {
    /// On the cells of a board, rows from the top.
    Board(Vec<Vec<&'p str>>),
    /// In the pits of the player to move, from the left.
    Pits(Vec<&'p str>),
    /// Of the edges of stalks, from the ground up.
    Stalks(Vec<&'p str>),
}

impl<'p> Marks<'p> {
    fn of(row: &Row, position: &'p str) -> Option<Marks<'p>> {
        let mut fields = position.split(' ');
        let first = fields.next()?;
        // Marks that both players may put are no player's.
        let unowned = !row.letters.is_empty() && !row.letters.contains("player");
        match row.shape {
            Shape::Cups | Shape::Figures | Shape::Quarto | Shape::Coloured | Shape::Painted => {}
            Shape::Grid | Shape::Lines | Shape::Covered if unowned || is_lgame(row) => {}
            Shape::Pits => {
                let side = usize::from(fields.next_back() == Some("2"));
                return Some(Marks::Pits(first.split('/').nth(side)?.split(',').collect()));
            }
            Shape::Stalks => return Some(Marks::Stalks(first.split(',').collect())),
            _ => return None,
        }
        Some(Marks::Board(grundy_draw::marks(position)))
    }

    /// Returns the name of what stands on a place.
    fn name(&self, row: &Row, at: &str, sides: &Names<'_>) -> Option<String> {
        let texts = sides.texts;
        match self {
            Marks::Board(rows) => match at.strip_prefix(':') {
                // A piece beside the board.
                Some(piece) => of_mark(row, piece, sides),
                None => {
                    let column = usize::from(at.bytes().next()?.checked_sub(b'a')?);
                    let number: usize = at.get(1..)?.parse().ok()?;
                    of_mark(row, rows.get(rows.len().checked_sub(number)?)?.get(column)?, sides)
                }
            },
            Marks::Pits(pits) => {
                let stones = pits.get(at.parse::<usize>().ok()?.checked_sub(1)?)?;
                let count = stones.parse().map_or_else(|_| (*stones).to_owned(), grouped);
                Some(texts.counted(&count, "stone-1", "stone-n"))
            }
            Marks::Stalks(stalks) => {
                let (stalk, edge) = at.split_once(':')?;
                let stalk = stalks.get(stalk.parse::<usize>().ok()?.checked_sub(1)?)?;
                match stalk.chars().nth(edge.parse::<usize>().ok()?.checked_sub(1)?)? {
                    'B' => Some(of_player("edge-of", 1, sides)),
                    'R' => Some(of_player("edge-of", 2, sides)),
                    _ => Some(texts.get("edge-of-both").to_owned()),
                }
            }
        }
    }
}

/// Reports whether a game has the players' pieces of several cells, and neutral ones.
fn is_lgame(row: &Row) -> bool {
    row.letters.contains("neutral")
}

fn of_player(key: &'static str, player: u8, sides: &Names<'_>) -> String {
    sides.texts.fill(key, &[("player", &sides.players[usize::from(player == 2)])])
}

/// Returns the name of what a mark of a board stands for; `None` for a free cell.
fn of_mark(row: &Row, mark: &str, sides: &Names<'_>) -> Option<String> {
    let texts: Texts = sides.texts;
    let player = if mark.starts_with(|c: char| c.is_ascii_uppercase()) { 1 } else { 2 };
    if mark == "." || mark == "-" {
        return None;
    }
    Some(match row.shape {
        Shape::Cups => {
            let cup = |cup: char| {
                let key = match cup.to_ascii_uppercase() {
                    'S' => "small-of",
                    'M' => "medium-of",
                    _ => "large-of",
                };
                of_player(key, if cup.is_ascii_uppercase() { 1 } else { 2 }, sides)
            };
            // The uppermost first.
            mark.chars().rev().map(cup).collect::<Vec<_>>().join(", ")
        }
        Shape::Figures => {
            let key = match mark.to_ascii_uppercase().as_str() {
                "A" => "round-of",
                "B" => "square-of",
                "C" => "triangle-of",
                _ => "cross-of",
            };
            of_player(key, player, sides)
        }
        Shape::Quarto => {
            let piece = u8::from_str_radix(mark, 16).ok()?;
            let traits = [
                ["first-colour", "second-colour"],
                ["round-piece", "square"],
                ["large", "small"],
                ["solid", "hollow"],
            ];
            let words =
                traits.iter().enumerate().map(|(bit, pair)| texts.get(pair[usize::from(piece >> bit & 1)]));
            words.collect::<Vec<_>>().join(", ")
        }
        _ if is_lgame(row) => match mark {
            "A" => of_player("man-of", 1, sides),
            "B" => of_player("man-of", 2, sides),
            _ => texts.get("neutral-man").to_owned(),
        },
        Shape::Painted => match mark {
            "B" | "X" => of_player("man-of", 1, sides),
            "R" | "O" => of_player("man-of", 2, sides),
            other => other.to_owned(),
        },
        _ => match row.chessman {
            Some('\u{265a}') => texts.get("king").to_owned(),
            Some('\u{265b}') => texts.get("queen").to_owned(),
            Some('\u{265e}') => texts.get("knight").to_owned(),
            _ => mark.to_owned(),
        },
    })
}

#[cfg(test)]
mod tests {
    use grundy::catalog::CATALOG;

    use super::*;
    use crate::texts;
    use crate::words::names;

    fn shown(game: &str, position: &str, at: &str) -> String {
        let row = CATALOG.row(game).expect("a game");
        let texts = texts::english();
        let players = names(Some(row.describe(game).players), texts);
        named(format!("<rect data-at=\"{at}\"/>"), row, position, &players, texts)
    }

    #[test]
    fn places_say_what_stands_on_them() {
        for (game, position, at, name) in [
            ("gobblers", "Ls,-,-/-,-,-/-,-,- 1", "a3", "small man of Blue, large man of Orange"),
            ("quantik", ".c../..../..../.... 1", "b4", "triangle of Black"),
            ("quarto", "..../.6../..../.... 1 2", "b3", "blue, square, small, solid"),
            ("quarto", "..../.6../..../.... 1 2", ":9", "red, round, large, hollow"),
            ("lgame", "oAA./.BA./.BA./.BBo 1", "a4", "neutral man"),
            ("lgame", "oAA./.BA./.BA./.BBo 1", "b3", "man of Player 2"),
            ("awari", "1,2,1,1,1,1/1,1,0,0,0,0 0-0 1", "2", "2 stones"),
            ("hackenbush", "RBBG,B 1", "1:1", "edge of Red"),
            ("queens", "X...../....../....../....../....../...... 2", "a6", "queen"),
            ("wild-tictactoe", "X../.../... 2", "a3", "X"),
        ] {
            let expected = format!("<rect data-man=\"{name}\" data-at=\"{at}\"/>");
            assert_eq!(shown(game, position, at), expected, "{game}");
        }
        assert_eq!(shown("quantik", ".c../..../..../.... 1", "a4"), "<rect data-at=\"a4\"/>");
        assert_eq!(shown("tictactoe", "X../.../... 2", "a3"), "<rect data-at=\"a3\"/>");
    }

    #[test]
    fn captions_are_in_the_language_of_the_page() {
        for (game, position, caption) in [
            ("morris:3", ".../.../... 3-3 1", ">im Vorrat 3-3</text>"),
            ("kaooa", "...../..... 6-1 1", ">im Vorrat 6-1</text>"),
            ("fibonacci-nim:9", "9,4 1", ">höchstens 4</text>"),
            ("nim-increase:1:banks=2,2", "1 2-2 1", ">Banken 2-2</text>"),
        ] {
            let picture = captioned(grundy_draw::svg(&CATALOG, game, position, None), texts::named("de"));
            assert!(picture.contains(caption), "{game}: {picture}");
        }
    }
}

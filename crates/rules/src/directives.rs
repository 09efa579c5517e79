//! The comment lines `//@ ..`: extensions that other tools ignore.

use grundy_session::{Shape as Picture, closest};

use crate::board::{Board, Shape};
use crate::lex::Remark;
use crate::source::{Fault, Span};

/// The way in which the scores of a finished game decide it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scoring {
    /// The higher score wins. Scores whose sum differs between ends are refused for solving.
    #[default]
    Outcome,
    /// The higher score wins, whatever the sum of the scores.
    Difference,
    /// The difference of the scores is the margin in points.
    Score,
}

/// The form of written moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Moves {
    /// All squares that a move changes, joined by `-`.
    #[default]
    All,
    /// The first and the last of them.
    FromTo,
    /// The last one.
    To,
}

/// A symmetry that the author declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// Rotations of the board by a quarter or, if it is oblong, by a half; of a hexagon by a sixth, or a
    /// multiple of it that maps the board to itself.
    Rotate,
    /// Mirror images of the board.
    Reflect,
    /// The players and their pieces are exchanged.
    Colours,
    /// The cells of a graph are permuted.
    Graph,
}

impl Symmetry {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Symmetry::Rotate => "rotate",
            Symmetry::Reflect => "reflect",
            Symmetry::Colours => "colours",
            Symmetry::Graph => "graph",
        }
    }
}

/// The contents of the comment lines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Directives {
    /// The meaning of the scores.
    pub scoring: Scoring,
    /// The declared symmetries and their places.
    pub symmetry: Vec<(Symmetry, Span)>,
    /// Letters of pieces, by the index of the piece.
    pub letters: Vec<(u8, char)>,
    /// The form of written moves.
    pub moves: Moves,
    /// A description of the game in a few words.
    pub about: String,
    /// The name of the game as people write it.
    pub title: String,
    /// The rules in a few sentences; several lines follow each other.
    pub rules: String,
    /// The number of occurrences of a position that ends the game as a draw.
    pub repeat: Option<u32>,
    /// The most pieces of each kind, where the author says so.
    pub most: Vec<(u8, u32)>,
    /// The place of each of these numbers.
    pub bounds: Vec<Span>,
    /// Drawn positions of graph cells: columns from the left and rows from the top.
    pub places: Vec<(u16, [f64; 2])>,
    /// The form in which a board of rows is drawn.
    pub picture: Option<Picture>,
}

/// The first words of the lines.
const KEYS: [&str; 11] = [
    "value", "symmetry", "letters", "move", "about", "title", "rules", "repeat", "rank", "places", "picture",
];

/// The forms that a board of rows can be drawn in, by their names.
const PICTURES: [(&str, Picture); 7] = [
    ("marks", Picture::Grid),
    ("men", Picture::Men),
    ("discs", Picture::Discs),
    ("frame", Picture::Frame),
    ("hexagons", Picture::Hexagons),
    ("ages", Picture::Ages),
    ("numbers", Picture::Numbered),
];

/// Reports whether a sign may be the letter of a piece.
fn is_letter(c: char) -> bool {
    c.is_ascii_graphic() && !"/ =@_-,#".contains(c) && !c.is_ascii_digit()
}

/// Reads `column,row`.
fn coordinates(text: &str) -> Option<[f64; 2]> {
    let (x, y) = text.split_once(',')?;
    let number = |word: &str| word.parse().ok().filter(|number| (0.0..=100.0).contains(number));
    Some([number(x)?, number(y)?])
}

/// Returns a text of at most `most` characters without control characters.
pub(crate) fn plain(text: &str, most: usize) -> String {
    text.chars().filter(|c| !c.is_control()).take(most).collect()
}

impl Directives {
    /// Reads the lines.
    ///
    /// # Errors
    /// A line is no known directive, or has a wrong value.
    pub fn read(remarks: &[Remark], pieces: &[String], board: &Board) -> Result<Directives, Fault> {
        let mut found = Directives::default();
        let mut had = Vec::new();
        let piece = |word: &str, span: Span| {
            let at = pieces.iter().position(|piece| piece == word);
            at.map(|at| at as u8).ok_or_else(|| {
                let word = grundy_core::words::short(word);
                Fault::new(span, format!("unknown piece `{word}`: expected one of {}", pieces.join(", ")))
            })
        };
        for Remark { span, text } in remarks {
            let span = *span;
            let (key, value) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
            let value = value.trim();
            let expected = |expected: &str| {
                let value = grundy_core::words::short(value);
                Fault::new(span, format!("`//@ {key} {value}`: expected {expected}"))
            };
            if ["value", "move", "repeat"].contains(&key) {
                if had.contains(&key) {
                    return Err(Fault::new(span, format!("`//@ {key}` is there twice")));
                }
                had.push(key);
            }
            match key {
                "value" => {
                    found.scoring = match value {
                        "outcome" => Scoring::Outcome,
                        "difference" => Scoring::Difference,
                        "score" => Scoring::Score,
                        _ => return Err(expected("outcome, difference or score")),
                    }
                }
                "symmetry" => {
                    for word in value.split([',', ' ']).filter(|word| !word.is_empty()) {
                        let symmetry = match word {
                            "rotate" => Symmetry::Rotate,
                            "reflect" => Symmetry::Reflect,
                            "colours" | "colors" => Symmetry::Colours,
                            _ => return Err(expected("a list of rotate, reflect and colours")),
                        };
                        found.symmetry.push((symmetry, span));
                    }
                    if matches!(board.shape, Shape::Graph { .. })
                        && found.symmetry.iter().any(|(symmetry, _)| *symmetry != Symmetry::Colours)
                    {
                        return Err(expected("no rotate and no reflect for a graph, which has no geometry"));
                    }
                }
                "letters" => {
                    for word in value.split_whitespace() {
                        let (name, letter) =
                            word.split_once('=').ok_or_else(|| expected("piece=letter, as e=. w=X"))?;
                        let number = piece(name, span)?;
                        let mut chars = letter.chars();
                        let (Some(letter), None) = (chars.next().filter(|&c| is_letter(c)), chars.next())
                        else {
                            let name = grundy_core::words::short(name);
                            return Err(expected(&format!(
                                "one letter or sign for `{name}`, but none of / = @ _ - , # and no digit"
                            )));
                        };
                        let name = grundy_core::words::short(name);
                        if found.letters.iter().any(|&(other, _)| other == number) {
                            return Err(expected(&format!("one letter for `{name}`, which is there twice")));
                        }
                        if let Some(&(other, _)) = found.letters.iter().find(|&&(_, other)| other == letter) {
                            let other = grundy_core::words::short(&pieces[usize::from(other)]);
                            return Err(expected(&format!(
                                "another letter for `{name}`: `{letter}` is that of `{other}`"
                            )));
                        }
                        found.letters.push((number, letter));
                    }
                }
                "move" => {
                    found.moves = match value {
                        "all" => Moves::All,
                        "from-to" => Moves::FromTo,
                        "to" => Moves::To,
                        _ => return Err(expected("all, from-to or to")),
                    }
                }
                "about" => found.about = plain(value, 200),
                "title" => found.title = plain(value, 60),
                "rules" => {
                    let gap = if found.rules.is_empty() { "" } else { " " };
                    found.rules = plain(&format!("{}{gap}{value}", found.rules), 1_000);
                }
                "repeat" => {
                    let times = value.parse().ok().filter(|times| (2..=1_000).contains(times));
                    found.repeat = Some(times.ok_or_else(|| expected("how often, a number of 2 to 1000"))?);
                }
                "rank" => {
                    for word in value.split([',', ' ']).filter(|word| !word.is_empty()) {
                        let (name, most) = word
                            .split_once("<=")
                            .and_then(|(name, most)| Some((name, most.parse().ok()?)))
                            .ok_or_else(|| expected("piece<=number, as x<=3,o<=3"))?;
                        let piece = piece(name, span)?;
                        if found.most.iter().any(|&(other, _)| other == piece) {
                            return Err(expected("one number for each piece"));
                        }
                        found.most.push((piece, most));
                        found.bounds.push(span);
                    }
                    if value.is_empty() {
                        return Err(expected("piece<=number, as x<=3,o<=3"));
                    }
                }
                "places" => {
                    let Shape::Graph { names } = &board.shape else {
                        return Err(expected("no places for a board that is no graph"));
                    };
                    for word in value.split_whitespace() {
                        let (name, place) = word
                            .split_once('=')
                            .and_then(|(name, place)| Some((name, coordinates(place)?)))
                            .ok_or_else(|| expected("cell=column,row, as a1=0,2.5, numbers of 0 to 100"))?;
                        let cell = names.iter().position(|other| other == name).ok_or_else(|| {
                            let name = grundy_core::words::short(name);
                            Fault::new(span, format!("unknown cell `{name}`: expected one of the board"))
                        })?;
                        found.places.retain(|&(other, _)| usize::from(other) != cell);
                        found.places.push((cell as u16, place));
                    }
                }
                "picture" => {
                    let picture =
                        PICTURES.iter().find(|(name, _)| *name == value).map(|&(_, picture)| picture);
                    let known = || expected("marks, men, discs, frame, hexagons, ages or numbers");
                    found.picture = Some(picture.ok_or_else(known)?);
                }
                _ => {
                    let why = match closest(key, KEYS) {
                        Some(close) => format!("did you mean `{close}`?"),
                        None => format!("expected {}", KEYS.join(", ").replace(", picture", " or picture")),
                    };
                    let key = grundy_core::words::short(key);
                    return Err(Fault::new(span, format!("`//@ {key}`: {why}")));
                }
            }
        }
        Ok(found)
    }

    /// Returns the part that belongs to the rules, as a line.
    pub fn meaning(&self) -> String {
        let symmetry: Vec<Symmetry> = self.symmetry.iter().map(|&(symmetry, _)| symmetry).collect();
        format!("{:?}{symmetry:?}{:?}{:?}", self.scoring, self.repeat, self.most)
    }
}

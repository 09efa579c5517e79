//! The comment lines `//@ ..`: what only we need, and other tools pass over.

use crate::board::{Board, Layout};
use crate::lex::Remark;
use crate::source::{Fault, Span};

/// What the scores of a finished game count for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Worth {
    /// The higher score wins. Scores whose sum is not the same at every end are refused for solving.
    #[default]
    Outcome,
    /// The higher score wins, whatever the sum of the scores.
    Difference,
    /// The difference of the scores is the margin in points.
    Score,
}

/// How moves are written.
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
    /// Turning the board by a quarter or, where it is oblong, by a half; of a hexagon by a half.
    Rotate,
    /// Mirror images of the board.
    Reflect,
    /// The players and their pieces change places.
    Colours,
    /// The cells of a graph change places.
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

/// What stands in the lines for us alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Directives {
    /// What the scores count for.
    pub worth: Worth,
    /// Where symmetry was declared.
    pub symmetry: Vec<(Symmetry, Span)>,
    /// Letters of pieces, by the number of the piece.
    pub letters: Vec<(u8, char)>,
    /// How moves are written.
    pub moves: Moves,
    /// What the game is, in a few words.
    pub about: String,
    /// A position that has come so often ends the game as a draw.
    pub repeat: Option<u32>,
    /// The most pieces of each kind, where the author says so.
    pub most: Vec<(u8, u32)>,
    /// Where cells of a graph are drawn: columns from the left and rows from the top.
    pub places: Vec<(u16, [f64; 2])>,
}

/// Signs that may stand for a piece.
fn is_letter(c: char) -> bool {
    c.is_ascii_graphic() && !"/ =@_-,#".contains(c) && !c.is_ascii_digit()
}

/// `column,row`
fn coordinates(text: &str) -> Option<[f64; 2]> {
    let (x, y) = text.split_once(',')?;
    let number = |word: &str| word.parse().ok().filter(|number| (0.0..=100.0).contains(number));
    Some([number(x)?, number(y)?])
}

impl Directives {
    /// Reads the lines.
    ///
    /// # Errors
    /// A line that is not one of ours, or says what cannot be.
    pub fn read(remarks: &[Remark], pieces: &[String], board: &Board) -> Result<Directives, Fault> {
        let mut found = Directives::default();
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
            match key {
                "value" => {
                    found.worth = match value {
                        "outcome" => Worth::Outcome,
                        "difference" => Worth::Difference,
                        "score" => Worth::Score,
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
                    if matches!(board.shape, Layout::Graph { .. })
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
                            return Err(expected(
                                "one letter or sign for each piece, but none of / = @ _ - , # and no digit",
                            ));
                        };
                        if found.letters.iter().any(|&(p, l)| p == number || l == letter) {
                            return Err(expected("another letter for each piece"));
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
                "about" => found.about = value.chars().filter(|c| !c.is_control()).take(200).collect(),
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
                    }
                    if value.is_empty() {
                        return Err(expected("piece<=number, as x<=3,o<=3"));
                    }
                }
                "places" => {
                    let Layout::Graph { names } = &board.shape else {
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
                _ => {
                    let known = "value, symmetry, letters, move, about, repeat, rank or places";
                    let key = grundy_core::words::short(key);
                    return Err(Fault::new(span, format!("`//@ {key}`: expected {known}")));
                }
            }
        }
        Ok(found)
    }

    /// What of it is part of the rules, as a line.
    pub fn meaning(&self) -> String {
        let symmetry: Vec<Symmetry> = self.symmetry.iter().map(|&(symmetry, _)| symmetry).collect();
        format!("{:?}{symmetry:?}{:?}{:?}", self.worth, self.repeat, self.most)
    }
}

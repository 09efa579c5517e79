//! Positions as data for the AutoGUI of GamesCrafters' site GamesmanUni, read from their pictures: where places are, the men
//! on them, and moves between them. The images are that site's own.
//!
//! Sources: `games/image_autogui_data.py` of GamesCraftersUWAPI; `ImageAutoGUI.vue` of GamesmanUni.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::light::without_places;
use crate::parts::{attribute, escape};

/// The letters of the men that are no chessmen, and of what stands on no cell.
const CROSS: char = 'x';
const RING: char = 'o';
const FIRST: char = '1';
const SECOND: char = '2';
const STONE: char = '3';
const LINE: char = '4';
const FREE: char = '0';
const NOTHING: char = '-';
/// Chessmen in the order of their signs, which begin with this one.
const MEN: [char; 6] = ['K', 'Q', 'R', 'B', 'N', 'P'];
const KING: u32 = '♚' as u32;
/// The farthest that a man's centre is from that of its place, in cells.
const NEAR: f64 = 0.3;

/// A picture as data.
#[derive(Clone, Debug, PartialEq)]
pub struct Gui {
    /// Width and height.
    pub space: [f64; 2],
    /// The centres of the places.
    pub centers: Vec<[f64; 2]>,
    /// The images of that site below and above the men.
    pub background: Option<&'static str>,
    /// As [`Gui::background`], above the men.
    pub foreground: Option<&'static str>,
    /// The letters of men with their images and the width of each.
    pub images: Vec<(char, String, f64)>,
    /// The men on the places, a letter each.
    pub men: String,
    names: Vec<String>,
    /// The corner of the places at the left and the top, in units of the picture.
    corner: [f64; 2],
    /// The places on which something is drawn.
    taken: Vec<bool>,
}

/// An element of a picture.
struct Element<'p> {
    tag: &'p str,
    head: &'p str,
    text: &'p str,
    centre: [f64; 2],
    size: [f64; 2],
}

impl Element<'_> {
    /// Reports whether the middle of another element is near that of this one.
    fn is_near(&self, other: &Element<'_>) -> bool {
        (0..2).all(|side| (other.centre[side] - self.centre[side]).abs() < NEAR)
    }
}

impl Gui {
    /// Reads a picture with places, as [`crate::svg_with_places`] draws it; `None` if it has none, or parts with units of
    /// their own.
    pub fn of(picture: &str) -> Option<Gui> {
        if picture.matches("<svg").count() != 1 {
            return None;
        }
        let theme = attribute(picture.split('>').next()?, "class");
        let elements: Vec<Element<'_>> = picture.split('<').filter_map(read).collect();
        let (places, rest): (Vec<&Element<'_>>, Vec<&Element<'_>>) =
            elements.iter().partition(|element| element.head.contains(" data-at=\""));
        let edge = |side: usize, sign: f64| {
            places
                .iter()
                .map(|place| sign * place.centre[side] + place.size[side] / 2.0)
                .fold(f64::MIN, f64::max)
        };
        let ([left, top], [right, bottom]) = ([-edge(0, -1.0), -edge(1, -1.0)], [edge(0, 1.0), edge(1, 1.0)]);
        places.first()?;
        let (columns, rows) = ((right - left).round() as usize, (bottom - top).round() as usize);
        let chess = rest.iter().any(|element| chessman(element).is_some());
        // The frame of that site has a row more, for discs that are about to fall.
        let framed = theme.contains("frame") && rows == 6 && [6, 7].contains(&columns);
        let above = if framed { 1.0 } else { 0.0 };
        let place_at = |[x, y]: [f64; 2]| [round(x - left), round(y - top + above)];
        let on = |place: &Element<'_>| {
            let own = man(place).filter(|_| attribute(place.head, "class") != "c");
            own.or_else(|| {
                rest.iter().filter(|element| place.is_near(element)).find_map(|element| man(element))
            })
        };
        let taken = |place: &&Element<'_>| {
            let drawn = |element: &Element<'_>| match element.tag {
                "circle" => attribute(element.head, "class") != "hole",
                tag => tag == "text" || man(element).is_some(),
            };
            rest.iter().any(|element| place.is_near(element) && drawn(element))
        };
        let empty = if chess || framed { NOTHING } else { FREE };
        let men: String = places.iter().map(|place| on(place).unwrap_or(empty)).collect();
        let mut letters: Vec<char> = men.chars().filter(|&letter| letter != NOTHING).collect();
        letters.extend([CROSS, RING, FIRST, SECOND, STONE, LINE]);
        if chess {
            letters.extend(MEN.into_iter().flat_map(|man| [man, man.to_ascii_lowercase()]));
        }
        letters.sort_unstable();
        letters.dedup();
        let images = letters.into_iter().map(|letter| (letter, image(letter, theme), width(letter, framed)));
        Some(Gui {
            space: [round(right - left), round(bottom - top + above)],
            centers: places.iter().map(|place| place_at(place.centre)).collect(),
            background: match (chess, columns, rows, places.len()) {
                (true, 8, 8, 64) => Some("chess/wikipedia/grid.svg"),
                (false, 3, 3, 9) if theme == "b" => Some("ttt/3x3grid.svg"),
                _ => None,
            },
            foreground: match (framed, columns) {
                (true, 6) => Some("connect4/foreground6x6.svg"),
                (true, _) => Some("connect4/foreground6x7.svg"),
                _ => None,
            },
            images: images.collect(),
            men,
            corner: [left, top - above],
            taken: places.iter().map(taken).collect(),
            names: places.iter().map(|place| attribute(place.head, "data-at").to_owned()).collect(),
        })
    }

    /// Returns the place where the value of a move is written, in units of the picture, and whether a man is there.
    fn place_of(&self, word: &str) -> Option<([f64; 2], bool)> {
        let at = *self.named(word).first()?;
        let [x, y] = self.centers[at];
        Some(([round(x + self.corner[0]), round(y + self.corner[1])], self.taken[at]))
    }

    /// Writes a position: the player to move, 1 or 2, and the men.
    pub fn position(&self, turn: u8) -> String {
        format!("{turn}_{}", self.men)
    }

    /// Writes a move: of one place, or from one to another; `None` if it names no places, or more than two.
    pub fn move_of(&self, word: &str) -> Option<String> {
        match self.named(word)[..] {
            [at] => Some(format!("A_{NOTHING}_{at}")),
            [from, to] => Some(format!("M_{from}_{to}")),
            _ => None,
        }
    }

    /// Returns the numbers of the places that a move's word names, in order.
    fn named(&self, word: &str) -> Vec<usize> {
        let find = |name: &str| self.names.iter().position(|own| own == name);
        if let Some(at) = find(word).or_else(|| find(&format!("1:{word}"))) {
            return vec![at];
        }
        // A column: the lowest free cell of it, which comes last.
        if word.len() == 1 && word.chars().all(|letter| letter.is_ascii_lowercase()) {
            let free =
                |&at: &usize| self.men.chars().nth(at).is_some_and(|man| [NOTHING, FREE].contains(&man));
            let column = (0..self.names.len()).filter(|&at| self.names[at].starts_with(word));
            return column.rev().find(free).into_iter().collect();
        }
        let all = |parts: Vec<&str>| parts.into_iter().map(find).collect::<Option<Vec<usize>>>();
        all(word.split('-').collect()).or_else(|| all(cells(word))).unwrap_or_default()
    }
}

/// Writes values on a picture with places, which lose their names: each at the place where its move begins, the first of those
/// that begin there. A value is a sign, its class, and the move.
pub fn with_values(picture: &str, values: &[[String; 3]]) -> String {
    let mut written: BTreeMap<&str, String> = BTreeMap::new();
    let mut taken: Vec<[f64; 2]> = Vec::new();
    let gui = Gui::of(picture);
    for [sign, class, word] in values {
        let Some((at, man)) = gui.as_ref().and_then(|gui| gui.place_of(word)) else { continue };
        if taken.contains(&at) {
            continue;
        }
        taken.push(at);
        let (x, y) = (at[0], round(at[1] + if man { 0.43 } else { 0.12 }));
        let _ =
            write!(written.entry(class).or_default(), "<text x=\"{x}\" y=\"{y}\">{}</text>", escape(sign));
    }
    let groups = written.iter().map(|(class, texts)| format!("<g class=\"hint {class}\">{texts}</g>"));
    let plain = without_places(picture);
    let open = plain.strip_suffix("</svg>").unwrap_or(&plain);
    format!("{open}{}</svg>", groups.collect::<String>())
}

/// Splits a word into the cells that it names: letters and a number each.
fn cells(word: &str) -> Vec<&str> {
    let (mut found, mut start, mut digits) = (Vec::new(), 0, false);
    for (at, letter) in word.char_indices() {
        if digits && !letter.is_ascii_digit() {
            found.push(&word[start..at]);
            start = at;
        }
        digits = letter.is_ascii_digit();
    }
    if digits {
        found.push(&word[start..]);
    }
    found
}

fn round(x: f64) -> f64 {
    (x * 1000.0).round() / 1000.0
}

/// Reads an element behind its `<`; `None` if it has no place in the picture.
fn read(element: &str) -> Option<Element<'_>> {
    let (head, text) = element.split_once('>')?;
    let tag = head.split([' ', '/']).next()?;
    let number = |name| attribute(head, name).parse::<f64>().ok();
    let (centre, size) = match tag {
        "rect" => {
            let (width, height) = (number("width")?, number("height")?);
            ([number("x")? + width / 2.0, number("y")? + height / 2.0], [width, height])
        }
        "circle" => ([number("cx")?, number("cy")?], [2.0 * number("r")?; 2]),
        "ellipse" => ([number("cx")?, number("cy")?], [2.0 * number("rx")?, 2.0 * number("ry")?]),
        "text" => ([number("x")?, number("y")? - 0.25], [0.0; 2]),
        "path" => extent(attribute(head, "d"))?,
        _ => return None,
    };
    Some(Element { tag, head, text, centre, size })
}

/// Returns the centre and the size of a path of lines: `M`, then `L`, `l`, `m`, `h`, `v`, `z`.
fn extent(path: &str) -> Option<([f64; 2], [f64; 2])> {
    let mut spaced = String::new();
    for letter in path.chars() {
        let _ = if letter.is_ascii_alphabetic() {
            write!(spaced, " {letter} ")
        } else {
            write!(spaced, "{letter}")
        };
    }
    let (mut command, mut at, mut numbers) = ('M', [0.0f64; 2], Vec::new());
    let (mut least, mut most) = ([f64::MAX; 2], [f64::MIN; 2]);
    for word in spaced.split([' ', ',']).filter(|word| !word.is_empty()) {
        if let Some(letter) = word.chars().next().filter(char::is_ascii_alphabetic) {
            command = letter;
            continue;
        }
        numbers.push(word.parse::<f64>().ok()?);
        at = match (command, &numbers[..]) {
            ('h', &[x]) => [at[0] + x, at[1]],
            ('v', &[y]) => [at[0], at[1] + y],
            ('M' | 'L', &[x, y]) => [x, y],
            ('m' | 'l', &[x, y]) => [at[0] + x, at[1] + y],
            _ => continue,
        };
        numbers.clear();
        for side in 0..2 {
            (least[side], most[side]) = (least[side].min(at[side]), most[side].max(at[side]));
        }
    }
    let middle = [(least[0] + most[0]) / 2.0, (least[1] + most[1]) / 2.0];
    (least[0] <= most[0]).then_some((middle, [most[0] - least[0], most[1] - least[1]]))
}

/// Returns the letter of a chessman: capital if it is white.
fn chessman(element: &Element<'_>) -> Option<char> {
    let sign = element.text.chars().next().filter(|_| element.tag == "text")?;
    let man = *MEN.get(u32::from(sign).checked_sub(KING)? as usize)?;
    Some(if attribute(element.head, "class") == "w" { man } else { man.to_ascii_lowercase() })
}

/// Returns the letter of a man; `None` for anything else.
fn man(element: &Element<'_>) -> Option<char> {
    let class = attribute(element.head, "class");
    chessman(element).or(match class.split(' ').next()? {
        "x" => Some(CROSS),
        "o" => Some(RING),
        "f" => Some(FIRST),
        "s" => Some(SECOND),
        "k" if element.size[0] < 1.0 && element.size[0] > 0.2 => Some(STONE),
        "y" => Some(LINE),
        _ => None,
    })
}

/// Returns the image of a letter on a board of this material.
fn image(letter: char, theme: &str) -> String {
    let [first, second] = match theme.rsplit(' ').next().unwrap_or("") {
        "frame" => ["redpiece", concat!("yellow_", "circle")],
        "baize" | "goban" | "stones" => ["blackpiece", "whitepiece"],
        "men" => ["whitepiece", "blackpiece"],
        _ => ["bluepiece", "redpiece"],
    };
    let general = |name: &str| format!("general/{name}.svg");
    match letter {
        CROSS => "ttt/x.svg".to_owned(),
        RING => "ttt/o.svg".to_owned(),
        FIRST => general(first),
        SECOND => general(second),
        STONE => general("blackpiece"),
        LINE => general("bluepiece"),
        FREE => general("basichitbox"),
        man if man.is_ascii_uppercase() => format!("chess/wikipedia/{man}.svg"),
        man => format!("chess/wikipedia/{man}{man}.svg"),
    }
}

/// Returns the width of a letter's image, in cells.
fn width(letter: char, framed: bool) -> f64 {
    match letter {
        FIRST | SECOND if framed => 1.0,
        FIRST | SECOND | STONE | CROSS | RING => 0.75,
        LINE => 0.3,
        FREE => 0.9,
        _ => 1.0,
    }
}

//! Boards with pieces of different forms: draughts, tiles, cups, figures, polyominoes, marks that age; and games of lines, hands
//! and sets, which are drawn by their own positions.

use std::fmt::Write as _;

use crate::parts::{cell_name, escape, labels, open, open_from, piece, themed};

/// Returns the marks of a board: rows joined by `/`, each of letters, or of words joined by commas.
pub fn marks(position: &str) -> Vec<Vec<&str>> {
    let board = position.split_whitespace().next().unwrap_or("");
    board.split('/').map(marks_of_row).collect()
}

fn marks_of_row(row: &str) -> Vec<&str> {
    row.split(if row.contains(',') { "," } else { "" }).filter(|mark| !mark.is_empty()).collect()
}

/// Returns the class of the player whose letters are capital.
fn side(mark: &str) -> &'static str {
    if mark.starts_with(|letter: char| letter.is_ascii_uppercase()) { "f" } else { "s" }
}

/// Draws a board on which `draw` puts what a mark stands for, around the middle of a cell. Cells that are `dark` have the other
/// colour.
fn board(
    position: &str,
    before: Option<&str>,
    dark: fn(usize, usize) -> bool,
    draw: fn(&mut String, &str, f64, f64),
) -> String {
    let (now, old) = (marks(position), before.map_or_else(Vec::new, marks));
    let columns = now.first().map_or(0, Vec::len);
    let mut svg = open_from(0.45, columns as f64 + 0.65, now.len() as f64 + 0.5, 36.0);
    for (r, row) in now.iter().enumerate() {
        for (c, mark) in row.iter().enumerate() {
            let new = old.get(r).and_then(|row| row.get(c)).is_some_and(|was| was != mark);
            let class =
                [if dark(c, now.len() - r) { " d" } else { "" }, if new { " n" } else { "" }].concat();
            let (x, at) = (c + 1, cell_name(c, r, now.len()));
            let _ = write!(
                svg,
                "<rect class=\"c{class}\" data-at=\"{at}\" x=\"{x}\" y=\"{r}\" width=\"1\" height=\"1\"/>"
            );
        }
    }
    for (r, row) in now.iter().enumerate() {
        for (c, mark) in row.iter().enumerate() {
            draw(&mut svg, mark, c as f64 + 1.5, r as f64 + 0.5);
        }
    }
    labels(&mut svg, columns, now.len());
    svg + "</svg>"
}

fn plain(_: usize, _: usize) -> bool {
    false
}

fn disc(svg: &mut String, class: &str, x: f64, y: f64, radius: f64) {
    let _ = write!(svg, "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>");
}

/// Draws draughts: discs on the dark squares, kings with a crown.
pub fn draughts(position: &str, before: Option<&str>) -> String {
    board(
        position,
        before,
        |c, row| (c + row) % 2 == 1,
        |svg, mark, x, y| {
            if mark != "." {
                disc(svg, if mark.eq_ignore_ascii_case("x") { "f" } else { "s" }, x, y, 0.38);
            }
            if ["X", "O"].contains(&mark) {
                disc(svg, "crown", x, y, 0.22);
            }
        },
    )
}

/// Draws Dobutsu Shogi: tiles that point forwards, with a dot in each direction in which the man goes.
pub fn tiles(position: &str, before: Option<&str>) -> String {
    board(position, before, plain, |svg, mark, x, y| {
        if mark == "." {
            return;
        }
        // Player one goes up.
        let (class, up) = (side(mark), if side(mark) == "f" { 1.0 } else { -1.0 });
        let _ = write!(
            svg,
            "<path class=\"t {class} still\" d=\"M{} {}v{}l.38 {} .38 {}v{}z\"/>",
            x - 0.38,
            y + 0.4 * up,
            -0.54 * up,
            -0.26 * up,
            0.26 * up,
            0.54 * up
        );
        let ways: &[(f64, f64)] = match mark.to_ascii_uppercase().as_str() {
            "C" => &[(0.0, 1.0)],
            "E" => &[(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)],
            "G" => &[(0.0, 1.0), (1.0, 0.0), (-1.0, 0.0), (0.0, -1.0)],
            "H" => &[(0.0, 1.0), (1.0, 1.0), (-1.0, 1.0), (1.0, 0.0), (-1.0, 0.0), (0.0, -1.0)],
            _ => &[
                (0.0, 1.0),
                (1.0, 1.0),
                (-1.0, 1.0),
                (1.0, 0.0),
                (-1.0, 0.0),
                (0.0, -1.0),
                (1.0, -1.0),
                (-1.0, -1.0),
            ],
        };
        let mut dots = String::new();
        for (right, forwards) in ways {
            let high = if *forwards > 0.0 && *right == 0.0 { 0.3 } else { 0.27 * forwards };
            let _ = write!(dots, "M{:.2} {:.2}h0", x + 0.29 * right, y - high * up + 0.04 * up);
        }
        let _ = write!(
            svg,
            "<path class=\"ways {class} still\" d=\"{dots}\"/><text class=\"still tile\" x=\"{x}\" y=\"{:.2}\">{}</text>",
            y + 0.14 + 0.04 * up,
            escape(&mark.to_ascii_uppercase())
        );
    })
}

/// Draws cups of three sizes, those below another one smaller and on top.
pub fn cups(position: &str, before: Option<&str>) -> String {
    board(position, before, plain, |svg, stack, x, y| {
        for (depth, cup) in stack
            .split("")
            .filter(|cup| !["", "-"].contains(cup))
            .collect::<Vec<_>>()
            .iter()
            .rev()
            .enumerate()
        {
            let size = match cup.to_ascii_uppercase().as_str() {
                "S" => 0.2,
                "M" => 0.31,
                _ => 0.43,
            };
            let class = [side(cup), if depth == 0 { "" } else { " under" }].concat();
            disc(svg, &class, x, y, if depth == 0 { size } else { size * 0.5 });
        }
    })
}

/// Draws marks of which the oldest is about to disappear.
pub fn ages(position: &str, before: Option<&str>) -> String {
    let player = |mark: char| match mark {
        '1'..='3' | 'X'..='Z' => 1,
        'a'..='c' | 'A'..='C' => 2,
        _ => 0,
    };
    // A mark that has grown older is not new.
    let aged = |(was, now): (char, char)| if player(was) == player(now) { now } else { was };
    let before: Option<String> =
        before.map(|before| before.chars().zip(position.chars()).map(aged).collect());
    board(position, before.as_deref(), plain, |svg, mark, x, y| {
        let (sign, opacity) = match mark {
            "3" | "Z" => ('X', "1"),
            "2" | "Y" => ('X', ".7"),
            "1" | "X" => ('X', ".35"),
            "c" | "C" => ('O', "1"),
            "b" | "B" => ('O', ".7"),
            "a" | "A" => ('O', ".35"),
            _ => return,
        };
        let mut drawn = String::new();
        piece(&mut drawn, sign, x, y);
        *svg += &drawn.replace("/>", &format!(" opacity=\"{opacity}\"/>"));
    })
}

/// Draws the four figures of Quantik, with the quarters of the board.
pub fn figures(position: &str, before: Option<&str>) -> String {
    let picture = board(position, before, plain, |svg, mark, x, y| {
        let class = side(mark);
        let _ = match mark.to_ascii_uppercase().as_str() {
            "A" => write!(svg, "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\".32\"/>"),
            "B" => write!(
                svg,
                "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\".58\" height=\".58\"/>",
                x - 0.29,
                y - 0.29
            ),
            "C" => write!(svg, "<path class=\"{class}\" d=\"M{} {}h.72l-.36 -.64z\"/>", x - 0.36, y + 0.3),
            "D" => write!(
                svg,
                "<path class=\"{class}\" d=\"M{} {}h.24v.24h.24v.24h-.24v.24h-.24v-.24h-.24v-.24h.24z\"/>",
                x - 0.12,
                y - 0.36
            ),
            _ => Ok(()),
        };
    });
    picture.replace("</svg>", "<path class=\"g\" d=\"M3 0v4M1 2h4\"/></svg>")
}

/// Draws the pieces of Quarto on the board and beside it those that are left; the one that was handed over is marked. Each of the
/// four properties is one of the form: colour, corners, size, a hole.
pub fn quarto(position: &str, before: Option<&str>) -> String {
    const PIECES: &str = "0123456789abcdef";
    let draw = |svg: &mut String, mark: &str, x: f64, y: f64| {
        let Ok(number) = u8::from_str_radix(mark, 16) else { return };
        let class = if number & 1 == 0 { "f" } else { "s" };
        let size = if number & 4 == 0 { 0.35 } else { 0.25 };
        if number & 2 == 0 {
            disc(svg, class, x, y, size);
        } else {
            let (left, top, side) = (x - size, y - size, 2.0 * size);
            let _ = write!(
                svg,
                "<rect class=\"{class}\" x=\"{left}\" y=\"{top}\" width=\"{side}\" height=\"{side}\"/>"
            );
        }
        if number & 8 != 0 {
            disc(svg, "hole", x, y, 0.12);
        }
    };
    let picture = board(position, before, plain, draw);
    let mut fields = position.split_whitespace();
    let (placed, handed) = (fields.next().unwrap_or(""), fields.next().unwrap_or("-"));
    let mut svg = open_from(0.45, 9.4, 4.5, 36.0);
    svg += picture.split_once('>').map_or("", |(_, inner)| inner).trim_end_matches("</svg>");
    for (i, mark) in PIECES.char_indices().filter(|(_, mark)| !placed.contains(*mark)) {
        let (x, y, mark) = (5.7 + (i % 4) as f64, (i / 4) as f64, mark.to_string());
        let new = if mark == handed { " n" } else { "" };
        let _ = write!(
            svg,
            "<rect class=\"c tray{new}\" data-at=\":{mark}\" x=\"{x}\" y=\"{y}\" width=\"1\" height=\"1\"/>"
        );
        draw(&mut svg, &mark, x + 0.5, y + 0.5);
        let _ = write!(svg, "<text class=\"l q\" x=\"{:.2}\" y=\"{:.2}\">{mark}</text>", x + 0.09, y + 0.2);
    }
    svg + "</svg>"
}

/// Draws the pieces of a board in a colour for each letter.
pub fn coloured(position: &str, before: Option<&str>) -> String {
    board(position, before, plain, |svg, mark, x, y| {
        let Some(letter) = mark.bytes().next().filter(u8::is_ascii_uppercase) else { return };
        // The hues of neighbouring letters are far apart.
        let hue = u32::from(letter - b'A') * 137 % 360;
        let _ = write!(
            svg,
            "<rect x=\"{}\" y=\"{}\" width=\"1\" height=\"1\" fill=\"hsl({hue} 55% 60%)\"/>\
             <text class=\"n\" x=\"{x}\" y=\"{}\">{mark}</text>",
            x - 0.5,
            y - 0.5,
            y + 0.1
        );
    })
}

/// Draws the lines between the points of a polygon: rows of those from the first point, from the second, and so on.
pub fn polygon(position: &str, before: Option<&str>) -> String {
    let (now, old) = (marks(position), before.map_or_else(Vec::new, marks));
    let points = now.len() + 1;
    let radius = points as f64 * 0.5;
    let middle = radius + 0.7;
    let spot = |point: usize, far: f64| {
        let turn = std::f64::consts::TAU * (point as f64 + 0.5) / points as f64 - std::f64::consts::FRAC_PI_2;
        (middle + radius * far * turn.cos(), middle + radius * far * turn.sin())
    };
    let name = |point: usize| char::from(b'a' + point as u8);
    let mut svg = open(2.0 * middle, 2.0 * middle, 36.0);
    let mut drawn = String::new();
    for (from, row) in now.iter().enumerate() {
        for (step, mark) in row.iter().enumerate() {
            let to = from + 1 + step;
            let ((x, y), (u, v)) = (spot(from, 1.0), spot(to, 1.0));
            let new = old.get(from).and_then(|row| row.get(step)).is_some_and(|was| was != mark);
            let class = match *mark {
                "X" => "y",
                "O" => "y two",
                _ => "e",
            };
            // Lines through the middle have their value elsewhere.
            let along = if 2 * (to - from) == points { 0.36 } else { 0.5 };
            let line = format!(
                "<path class=\"{class}{}\" data-at=\"{}{}\" data-mid=\"{:.2} {:.2}\" d=\"M{x:.2} {y:.2}L{u:.2} {v:.2}\"/>",
                if new { " last" } else { "" },
                name(from),
                name(to),
                x + (u - x) * along,
                y + (v - y) * along
            );
            // Free lines lie below.
            *(if *mark == "." { &mut svg } else { &mut drawn }) += &line;
        }
    }
    svg += &drawn;
    for point in 0..points {
        let ((x, y), (u, v)) = (spot(point, 1.0), spot(point, 1.0 + 0.4 / radius));
        let _ = write!(
            svg,
            "<circle class=\"k\" cx=\"{x:.2}\" cy=\"{y:.2}\" r=\".1\"/><text class=\"l h\" x=\"{u:.2}\" y=\"{:.2}\">{}</text>",
            v + 0.12,
            name(point)
        );
    }
    svg + "</svg>"
}

/// Draws the hands of both players with their fingers, player two's above.
pub fn hands(position: &str) -> String {
    let mut svg = open(6.4, 3.9, 40.0);
    let rows = marks(position);
    for (row, class) in rows.iter().zip(["f", "s"]) {
        let top = if class == "f" { 2.0 } else { 0.2 };
        for (hand, fingers) in row.iter().enumerate() {
            let (left, count) = (0.3 + 3.0 * hand as f64, fingers.parse::<usize>().unwrap_or(0).min(12));
            let _ = write!(
                svg,
                "<rect class=\"t {class}\" x=\"{left}\" y=\"{top}\" width=\"2.8\" height=\"1.6\" rx=\".3\"/>"
            );
            let wide = 0.44_f64.min(2.0 / count.max(1) as f64);
            for finger in 0..count {
                let x = left + 0.3 + wide * finger as f64;
                let _ = write!(
                    svg,
                    "<rect class=\"{class}\" x=\"{x:.2}\" y=\"{}\" width=\"{:.2}\" height=\"1.1\" rx=\".14\"/>",
                    top + 0.25,
                    wide * 0.75
                );
            }
            let _ = write!(svg, "<text x=\"{}\" y=\"{}\">{count}</text>", left + 2.45, top + 1.0);
        }
    }
    svg + "</svg>"
}

/// Draws all sets of letters that are left, by their size; `None` if there are too many letters for a picture.
pub fn sets(game: &str, position: &str) -> Option<String> {
    let letters: usize =
        game.split_once(':').map_or("4", |(_, n)| n).parse().ok().filter(|n| (2..=5).contains(n))?;
    // The turn behind them names no set.
    let left: Vec<&str> = position.split([' ', ',']).collect();
    let named = |set: u32| -> String {
        (0..letters).filter(|i| set >> i & 1 == 1).map(|i| char::from(b'a' + i as u8)).collect()
    };
    let wide = letters as f64 * 0.3 + 0.4;
    let rows: Vec<Vec<u32>> = (1..letters as u32)
        .map(|size| (1..1 << letters).filter(|set: &u32| set.count_ones() == size).collect())
        .collect();
    let most = rows.iter().map(Vec::len).max().unwrap_or(1) as f64;
    let mut svg = open(most * (wide + 0.2) + 0.4, rows.len() as f64 * 1.1 + 0.2, 36.0);
    for (r, row) in rows.iter().enumerate() {
        let begin = 0.2 + (most - row.len() as f64) * (wide + 0.2) / 2.0;
        for (c, name) in row.iter().map(|&set| named(set)).enumerate() {
            // A set is left if it is part of a largest one.
            if !left.iter().any(|largest| name.chars().all(|letter| largest.contains(letter))) {
                continue;
            }
            let (x, y) = (begin + c as f64 * (wide + 0.2), (rows.len() - 1 - r) as f64 * 1.1 + 0.15);
            let _ = write!(
                svg,
                "<rect class=\"c\" data-at=\"{name}\" x=\"{x:.2}\" y=\"{y:.2}\" width=\"{wide}\" height=\".9\" rx=\".2\"/>\
                 <text x=\"{:.2}\" y=\"{:.2}\">{name}</text>",
                x + wide / 2.0,
                y + 0.62
            );
        }
    }
    Some(svg + "</svg>")
}

/// Adds the theme of the players' colours to a picture.
pub fn in_colours(picture: &str, theme: Option<&str>) -> String {
    theme.map_or_else(|| picture.to_owned(), |theme| themed(picture, theme))
}

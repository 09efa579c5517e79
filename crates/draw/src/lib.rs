//! Positions as pictures: small SVGs, drawn in a different way for each [`Shape`].
//!
//! Everything is drawn in units of cells from the position's own text. Colours are classes; [`STYLE`] defines them.
//!
//! ```
//! use grundy_draw::svg;
//! use grundy_session::{Catalog, Family, Row};
//!
//! static ROWS: [Row; 1] = [Row::new("noughts", "noughts", |_| Err(String::new()))];
//! static CATALOG: Catalog = Catalog::new(&[Family { title: "boards", rows: &ROWS }]);
//! assert!(svg(&CATALOG, "noughts", "X.O/.X./... 2", None).starts_with("<svg"));
//! ```

pub mod autogui;
pub mod graph;
pub mod graph_page;
mod graph_route;
pub mod graph_svg;
mod light;
mod lines;
mod parts;
mod pieces;
mod plan;
mod points;
mod spots;

pub use autogui::with_values;
pub use light::{compact, style_of, without_places};
pub use parts::escape;
pub use pieces::marks;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use grundy_core::text::column_name;
use grundy_session::{Catalog, Shape};
use parts::{
    attribute, cell_name, cells, cells_over, disc, is_board, labels, open, open_from, piece, rows_of, themed,
};

/// The colours of the pictures, as a style sheet. A page can define the custom properties `--board-*` otherwise.
pub const STYLE: &str = include_str!("style.css");

/// Draws a position and marks what differs from `before`. A position of unknown shape is written out.
pub fn svg(catalog: &Catalog, game: &str, position: &str, before: Option<&str>) -> String {
    without_places(&svg_with_places(catalog, game, position, before))
}

/// Draws a position as [`svg`] does, with the marks of free lines in Dots-and-Boxes, such as their loony states. Pictures of
/// other games have no room for marks.
pub fn svg_with_marks(
    catalog: &Catalog,
    game: &str,
    position: &str,
    before: Option<&str>,
    mark: &dyn Fn(&str) -> Option<String>,
) -> String {
    let mut picture = svg(catalog, game, position, before);
    if catalog.row(game).is_some_and(|row| row.shape == Shape::Dots) {
        let lines = position.split_whitespace().next().unwrap_or("");
        let end = picture.len() - "</svg>".len();
        picture.insert_str(end, &line_marks(lines, mark));
    }
    picture
}

/// Draws a position as [`svg`] does, with the names that make the picture clickable. Whatever a move may name has its name as
/// `data-at`: a cell (`b2`), a line between dots (`a1b1`), a pit (`3`), a number of counters of a heap (`2:4`).
pub fn svg_with_places(catalog: &Catalog, game: &str, position: &str, before: Option<&str>) -> String {
    let positions: Vec<&str> = before.into_iter().chain([position]).collect();
    svg_of_game(catalog, game, &positions)
}

/// Draws the last of the positions of a game, as [`svg_with_places`] does. The earlier ones, oldest first, tell what the last
/// move changed, and in Dots-and-Boxes whose the boxes are.
pub fn svg_of_game(catalog: &Catalog, game: &str, positions: &[&str]) -> String {
    let (position, before) = match positions {
        [.., before, position] => (*position, Some(*before)),
        [position] => (*position, None),
        [] => ("", None),
    };
    let row = catalog.row(game);
    let described = row.map(|row| row.describe(game));
    let shape = described.as_ref().map_or(Shape::Grid, |described| described.shape);
    let colours = described.as_ref().and_then(|described| colours(&described.players));
    let chessman = row.and_then(|row| row.chessman);
    let fields: Vec<&str> = position.split_whitespace().collect();
    let first = fields.first().copied().unwrap_or("");
    let plan = row.filter(|_| shape != Shape::Polygon).and_then(|row| row.plan(game));
    if let Some(picture) = plan.and_then(|plan| plan::picture(&plan, position, before)) {
        let picture = pieces::in_colours(&picture, colours);
        return match fields[..] {
            [_, hand, _] if is_hand(hand) => captioned(&picture, &format!("in hand {hand}")),
            _ => picture,
        };
    }
    match shape {
        Shape::Chess => chess(first, before),
        Shape::Dots => dots(first, before, &owners(positions)),
        Shape::Map if fields.len() >= 3 => police(&fields),
        Shape::Numbers => numbers(first),
        Shape::Pits => kalah(&fields),
        Shape::Hexagons if is_board(first) => hex(first, before),
        Shape::Rows => themed(&northcott(game, first), "men"),
        Shape::Coins => coins(game, first),
        Shape::Discs if is_board(first) => themed(&men(first, before, &disc), "baize"),
        Shape::Frame if is_board(first) => lines::frame(first, before),
        Shape::Lines if lines::is_goban(first) => lines::goban(game, first, before),
        Shape::Lines if is_board(first) => lines::crosses(game, first, before),
        Shape::Sum => sum(catalog, game, position),
        Shape::Node if fields.len() == 2 => node(first),
        Shape::Spots => spots::picture(first),
        Shape::Limited => captioned(&heaps(first.split(',').next().unwrap_or("")), &limit(first)),
        Shape::Banks if fields.len() == 3 => captioned(&heaps(first), &format!("banks {}", fields[1])),
        Shape::Stalks => stalks(first),
        Shape::Strip => strip(first),
        Shape::Points if points::is_board(first) => {
            pieces::in_colours(&points::picture(game, &fields, before), colours)
        }
        Shape::Steps => chomp(first),
        Shape::Heaps => heaps(first),
        Shape::Draughts if is_board(first) => pieces::in_colours(&pieces::draughts(first, before), colours),
        Shape::Tiles if fields.get(1).is_some_and(|hand| *hand != "-") => {
            captioned(&pieces::tiles(first, before), &format!("in hand {}", fields[1]))
        }
        Shape::Tiles => pieces::tiles(first, before),
        Shape::Cups => pieces::in_colours(&pieces::cups(first, before), colours),
        Shape::Ages if is_board(first) => pieces::ages(first, before),
        Shape::Numbered if is_board(first) => {
            grid(&rows_of(&numbered(first)), &rows_of(&numbered(before.unwrap_or_default())))
        }
        Shape::Figures if is_board(first) => pieces::in_colours(&pieces::figures(first, before), colours),
        Shape::Quarto if is_board(first) => pieces::quarto(position, before),
        Shape::Coloured if is_board(first) => pieces::coloured(first, before),
        Shape::Polygon => pieces::in_colours(&pieces::polygon(first, before), colours),
        Shape::Hands => pieces::hands(first),
        Shape::Sets => pieces::sets(game, first).unwrap_or_else(|| text(position)),
        Shape::Grid if is_board(first) && chessman.is_some() => {
            let white = if colours == Some("men") { "f" } else { "s" };
            men(first, before, &|svg, class, x, y| {
                let _ = write!(
                    svg,
                    "<text class=\"{}\" x=\"{x}\" y=\"{:.2}\">{}\u{fe0e}</text>",
                    if class == white { "w" } else { "z" },
                    y + 0.3,
                    chessman.unwrap_or_default()
                );
            })
        }
        Shape::Painted if is_board(first) => men(first, before, &|svg, class, x, y| {
            let (left, top) = (x - 0.46, y - 0.46);
            let _ = write!(
                svg,
                "<rect class=\"{class}\" x=\"{left}\" y=\"{top}\" width=\".92\" height=\".92\"/>"
            );
        }),
        Shape::Covered if is_board(first) => {
            let covered = |position: &str| position.replace('X', "#");
            let (now, old) = (covered(first), before.map(covered));
            grid(&rows_of(&now), &rows_of(old.as_deref().unwrap_or_default()))
        }
        // On a grid, too, men of players who are called by their colours.
        Shape::Men | Shape::Grid if is_board(first) && (shape == Shape::Men || colours.is_some()) => {
            pieces::in_colours(&men(first, before, &disc), colours)
        }
        _ if is_board(first) => grid(&rows_of(first), &rows_of(before.unwrap_or_default())),
        _ => text(position),
    }
}

/// Reports whether a field of a position is a number of men in hand, or one of each player: `19`, `6-1`.
fn is_hand(field: &str) -> bool {
    let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    field.split('-').all(number)
}

/// Returns the class of the men of players who are called by their colours.
fn colours(players: &[String; 2]) -> Option<&'static str> {
    match players.each_ref().map(String::as_str) {
        ["White", "Black"] => Some("men"),
        ["Black", "White"] => Some("stones"),
        ["Red", "Blue"] => Some("red"),
        ["Orange", "Blue"] => Some("orange"),
        _ => None,
    }
}

/// Writes the letters of a position from `A` on as the numbers from 1 on.
fn numbered(position: &str) -> String {
    let number =
        |sign: char| if ('A'..='I').contains(&sign) { (sign as u8 - b'A' + b'1') as char } else { sign };
    position.chars().map(number).collect()
}

/// Draws a board of cells with a mark each.
fn grid(rows: &[&str], old: &[&str]) -> String {
    let mut svg = cells(rows, old, |c, r| cell_name(c, r, rows.len()));
    labels(&mut svg, rows.first().map_or(0, |row| row.chars().count()), rows.len());
    svg + "</svg>"
}

/// Draws a board of cells; `put` draws a man of the class `f` or `s` around the middle of its cell.
fn men(board: &str, before: Option<&str>, put: &dyn Fn(&mut String, &str, f64, f64)) -> String {
    let empty = |text: &str| text.replace(['X', 'O'], ".");
    let (now, plain): (Vec<&str>, String) = (board.split('/').collect(), empty(board));
    let old = before.map_or_else(Vec::new, rows_of);
    let mut svg =
        cells_over(&plain.split('/').collect::<Vec<_>>(), &now, &old, |c, r| cell_name(c, r, now.len()));
    for (r, row) in now.iter().enumerate() {
        for (c, mark) in row.chars().enumerate() {
            let class = match mark {
                'X' => "f",
                'O' => "s",
                _ => continue,
            };
            put(&mut svg, class, c as f64 + 1.5, r as f64 + 0.5);
        }
    }
    labels(&mut svg, now.first().map_or(0, |row| row.chars().count()), now.len());
    svg + "</svg>"
}

/// Draws one row of cells, counted from 1.
fn strip(marks: &str) -> String {
    let mut svg = cells(&[marks], &[], |c, _| (c + 1).to_string());
    for c in 0..marks.chars().count() {
        let _ = write!(svg, "<text class=\"l\" x=\"{}\" y=\"1.36\">{}</text>", c as f64 + 1.5, c + 1);
    }
    svg + "</svg>"
}

/// Draws the board of a FEN with the usual chessmen.
fn chess(placement: &str, before: Option<&str>) -> String {
    let squares = |text: &str| -> Vec<char> {
        let placed = text.split_whitespace().next().unwrap_or("").chars().filter(|&c| c != '/');
        placed
            .flat_map(|c| match c.to_digit(10) {
                Some(n) => vec!['.'; n as usize],
                None => vec![c],
            })
            .collect()
    };
    let (now, old) = (squares(placement), before.map(squares).unwrap_or_default());
    let side = if placement.matches('/').count() == 2 { 3 } else { 8 };
    let mut svg = open_from(0.45, side as f64 + 0.65, side as f64 + 0.5, 34.0);
    for (i, &man) in now.iter().enumerate().take(side * side) {
        let (x, y) = (i % side + 1, i / side);
        // a1 is dark.
        let dark = if (x + y + side) % 2 == 0 { " d" } else { "" };
        let new = if old.get(i).is_some_and(|&was| was != man) { " n" } else { "" };
        let at = cell_name(i % side, y, side);
        let _ = write!(
            svg,
            "<rect class=\"c{dark}{new}\" data-at=\"{at}\" x=\"{x}\" y=\"{y}\" width=\"1\" height=\"1\"/>"
        );
        let glyph = match man.to_ascii_lowercase() {
            'k' => '♚',
            'q' => '♛',
            'r' => '♜',
            'b' => '♝',
            'n' => '♞',
            'p' => '♟',
            _ => continue,
        };
        let class = if man.is_ascii_uppercase() { "w" } else { "z" };
        let _ = write!(
            svg,
            "<text class=\"{class}\" x=\"{}\" y=\"{}\">{glyph}\u{fe0e}</text>",
            x as f64 + 0.5,
            y as f64 + 0.8
        );
    }
    labels(&mut svg, side, side);
    svg + "</svg>"
}

/// Reports whether the lines around a box are drawn.
fn is_closed(lines: &[&str], box_row: usize, column: usize) -> bool {
    let drawn =
        |r: usize, c: usize| lines.get(r).and_then(|row| row.chars().nth(c)).is_some_and(|m| m != '.');
    let r = 2 * box_row;
    drawn(r, column) && drawn(r + 2, column) && drawn(r + 1, column) && drawn(r + 1, column + 1)
}

/// Returns the class of each box's owner by row and column, `f` or `s`, as far as the positions tell: whoever is to move takes
/// the boxes of the next position, and those of the first one belong to the only player with points.
fn owners(positions: &[&str]) -> BTreeMap<(usize, usize), &'static str> {
    let mut owners = BTreeMap::new();
    let mut closed = |position: &str, class: Option<&'static str>| {
        let lines: Vec<&str> = position.split_whitespace().next().unwrap_or("").split('/').collect();
        let columns = lines.first().map_or(0, |row| row.chars().count());
        let boxes = (0..lines.len() / 2).flat_map(|r| (0..columns).map(move |c| (r, c)));
        for place in boxes.filter(|&(r, c)| is_closed(&lines, r, c)) {
            owners.entry(place).or_insert(class);
        }
    };
    let scored =
        |position: &str| match position.split_whitespace().nth(1).and_then(|score| score.split_once('-')) {
            Some((_, "0")) => Some("f"),
            Some(("0", _)) => Some("s"),
            _ => None,
        };
    if let Some(first) = positions.first() {
        closed(first, scored(first));
    }
    for pair in positions.windows(2) {
        closed(pair[1], Some(if pair[0].ends_with('2') { "s" } else { "f" }));
    }
    owners.into_iter().filter_map(|(place, class)| Some((place, class?))).collect()
}

/// Draws Dots-and-Boxes: rows of horizontal and vertical lines in turn, boxes in the colours of their owners.
fn dots(lines: &str, before: Option<&str>, owners: &BTreeMap<(usize, usize), &'static str>) -> String {
    let rows: Vec<&str> = lines.split('/').collect();
    let old = rows_of(before.unwrap_or_default());
    let columns = rows.first().map_or(0, |row| row.chars().count());
    let mut svg = open(columns as f64 + 2.0, rows.len() as f64 / 2.0 + 1.5, 44.0);
    for box_row in 0..rows.len() / 2 {
        for c in 0..columns {
            if is_closed(&rows, box_row, c) {
                let owner = owners.get(&(box_row, c)).map_or(String::new(), |owner| format!(" {owner}"));
                let _ = write!(
                    svg,
                    "<rect class=\"t{owner}\" x=\"{}\" y=\"{}\" width=\"1\" height=\"1\"/>",
                    c as f64 + 1.0,
                    box_row as f64 + 0.5
                );
            }
        }
    }
    for (r, row) in rows.iter().enumerate() {
        for (c, mark) in row.chars().enumerate() {
            let was = old.get(r).and_then(|row| row.chars().nth(c));
            let class = match (mark, was) {
                ('.', _) => "e",
                (_, Some('.')) => "y n",
                _ => "y",
            };
            let (x, y) = (c as f64 + 1.0, (r / 2) as f64 + 0.5);
            let step = if r % 2 == 0 { "h1" } else { "v1" };
            let at = line_name(r, c, rows.len());
            let _ = write!(svg, "<path class=\"{class}\" data-at=\"{at}\" d=\"M{x} {y}{step}\"/>");
        }
    }
    let dot_rows = rows.len().div_ceil(2);
    for r in 0..dot_rows {
        for c in 0..=columns {
            let _ = write!(svg, "<circle class=\"k\" cx=\"{}\" cy=\"{}\" r=\".08\"/>", c + 1, r as f64 + 0.5);
        }
        let _ = write!(svg, "<text class=\"l\" x=\".5\" y=\"{}\">{}</text>", r as f64 + 0.6, dot_rows - r);
    }
    for c in 0..=columns {
        let _ = write!(
            svg,
            "<text class=\"l\" x=\"{}\" y=\"{}\">{}</text>",
            c + 1,
            dot_rows as f64 + 0.2,
            column_name(c)
        );
    }
    svg + "</svg>"
}

/// Names a line in a row of lines by its two dots, the lower or the left one first.
fn line_name(r: usize, c: usize, rows: usize) -> String {
    let (lower, dots) = (r.div_ceil(2), rows.div_ceil(2));
    let other =
        if r.is_multiple_of(2) { cell_name(c + 1, lower, dots) } else { cell_name(c, lower - 1, dots) };
    format!("{}{other}", cell_name(c, lower, dots))
}

/// Draws marks in the middle of free lines.
fn line_marks(lines: &str, mark: &dyn Fn(&str) -> Option<String>) -> String {
    let rows: Vec<&str> = lines.split('/').collect();
    let mut svg = String::new();
    for (r, row) in rows.iter().enumerate() {
        for (c, _) in row.chars().enumerate().filter(|&(_, line)| line == '.') {
            let Some(mark) = mark(&line_name(r, c, rows.len())) else { continue };
            let (right, down) = if r.is_multiple_of(2) { (0.5, 0.1) } else { (0.0, 0.6) };
            let (x, y) = (c as f64 + 1.0 + right, (r / 2) as f64 + 0.5 + down);
            let _ = write!(svg, "<text class=\"i\" x=\"{x}\" y=\"{y}\">{}</text>", escape(&mark));
        }
    }
    svg
}

/// Draws the policeman's map with both figures on it.
fn police(fields: &[&str]) -> String {
    let rows: Vec<&str> = fields[0].split('/').collect();
    let mut svg = grid(&rows, &[]);
    let mut figures = String::new();
    for (cell, class) in [(fields[1], "f"), (fields[2], "s")] {
        let letters = cell.trim_end_matches(|c: char| c.is_ascii_digit());
        let column = letters.bytes().fold(0usize, |sum, b| sum * 26 + usize::from(b.wrapping_sub(b'a')) + 1);
        let row = cell[letters.len()..].parse::<usize>().ok().and_then(|n| rows.len().checked_sub(n));
        if let Some(row) = row {
            let (x, y) = (column as f64 + 0.5, row as f64 + 0.5);
            let _ = write!(
                figures,
                "<path class=\"{class} still\" d=\"M{:.2} {:.2}a.14 .14 0 1 0 .28 0a.14 .14 0 1 0 -.28 0z\
                 M{:.2} {:.2}c0 -.32 .08 -.42 .26 -.42s.26 .1 .26 .42z\"/>",
                x - 0.14,
                y - 0.28,
                x - 0.26,
                y + 0.3
            );
        }
    }
    svg.insert_str(svg.len() - "</svg>".len(), &figures);
    svg
}

/// Draws heaps of counters with the count below. Tall heaps stand in several columns; from a very large one some are shown.
fn heaps(list: &str) -> String {
    const TALLEST: u64 = 12;
    const MOST_COLUMNS: u64 = 10;
    const LEAST_WIDTH: f64 = 5.0;
    let counts: Vec<u64> = list.split(',').map(|n| n.parse().unwrap_or(0)).collect();
    if counts.len() > 30 {
        return text(list);
    }
    let top = counts.iter().map(|&n| n.min(TALLEST)).max().unwrap_or(0).max(1);
    let columns = |count: u64| count.div_ceil(TALLEST).clamp(1, MOST_COLUMNS);
    let width = |columns: u64| columns as f64 * 1.1 + 0.5;
    let all: f64 = counts.iter().map(|&count| width(columns(count))).sum();
    let aside = (LEAST_WIDTH - all).max(0.0) / 2.0;
    let mut svg = open(all + 2.0 * aside + 0.6, top as f64 * 0.5 + 1.6, 30.0);
    let mut left = aside + 0.6;
    for (i, &count) in counts.iter().enumerate() {
        let shown = count.min(TALLEST * columns(count));
        for k in 0..shown {
            let (x, y) = (left + (k / TALLEST) as f64 * 1.1, (top - k % TALLEST) as f64 * 0.5);
            // Whoever takes this counter takes those that are drawn after it.
            let at = format!("{}:{}", i + 1, shown - k);
            let _ = write!(
                svg,
                "<rect class=\"f\" data-at=\"{at}\" x=\"{x:.1}\" y=\"{y}\" width=\"1\" height=\".38\" rx=\".15\"/>"
            );
        }
        let x = left + width(columns(count)) / 2.0 - 0.3;
        left += width(columns(count));
        let _ = write!(svg, "<text class=\"l h\" x=\"{x}\" y=\"{}\">{count}</text>", top as f64 * 0.5 + 1.1);
    }
    svg + "</svg>"
}

/// Draws coins on a strip of squares, counted from 1; the strip is as long as the game's name says, or the last coin. Coins on
/// one square are stacked.
fn coins(game: &str, list: &str) -> String {
    const LONGEST: u64 = 40;
    let numbers = |text: &str| -> Vec<u64> { text.split(',').filter_map(|n| n.parse().ok()).collect() };
    let (coins, start) = (numbers(list), numbers(game.split(':').nth(1).unwrap_or("")));
    let last = coins.iter().chain(&start).copied().max().unwrap_or(0);
    if coins.is_empty() || last > LONGEST {
        return text(list);
    }
    let mut svg = cells(&[&".".repeat(last as usize)], &[], |c, _| (c + 1).to_string());
    for square in 1..=last {
        let x = square as f64 + 0.5;
        let stacked = coins.iter().filter(|&&coin| coin == square).count();
        for coin in 0..stacked.min(4) {
            disc(&mut svg, "f coin", x, 0.62 - coin as f64 * 0.12);
        }
        if stacked > 1 {
            let _ = write!(svg, "<text class=\"n\" x=\"{x}\" y=\".62\">{stacked}</text>");
        }
        let _ = write!(svg, "<text class=\"l\" x=\"{x}\" y=\"1.36\">{square}</text>");
    }
    svg + "</svg>"
}

/// Draws stalks of edges that stand on the ground, each edge in its colour and with its letter; other text is written out.
fn stalks(list: &str) -> String {
    const MOST: usize = 30;
    let stalks: Vec<&str> = list.split(',').map(|stalk| if stalk == "-" { "" } else { stalk }).collect();
    let top = stalks.iter().map(|stalk| stalk.len()).max().unwrap_or(0).max(1);
    if stalks.len() > MOST || top > MOST || !stalks.iter().all(|s| s.chars().all(|c| "BRG".contains(c))) {
        return text(list);
    }
    let mut svg = open(stalks.len() as f64 * 1.6 + 0.6, top as f64 * 0.8 + 1.2, 30.0);
    let ground = top as f64 * 0.8 + 0.2;
    let _ = write!(svg, "<path class=\"g\" d=\"M.2 {ground}h{}\"/>", stalks.len() as f64 * 1.6 + 0.2);
    for (i, stalk) in stalks.iter().enumerate() {
        let x = i as f64 * 1.6 + 1.1;
        for (k, colour) in stalk.chars().enumerate() {
            let y = ground - (k + 1) as f64 * 0.8;
            let class = match colour {
                'B' => "f",
                'R' => "s",
                _ => "u",
            };
            let at = format!("{}:{}", i + 1, k + 1);
            let _ = write!(
                svg,
                "<rect class=\"{class}\" data-at=\"{at}\" x=\"{}\" y=\"{}\" width=\".6\" height=\".72\" rx=\".1\"/>\
                 <text class=\"l h\" x=\"{}\" y=\"{}\">{colour}</text>",
                x - 0.3,
                y + 0.04,
                x - 0.52,
                y + 0.54
            );
        }
        let _ = write!(svg, "<text class=\"l\" x=\"{x}\" y=\"{}\">{}</text>", ground + 0.6, i + 1);
    }
    svg + "</svg>"
}

/// Draws the pits of both players with their seeds, player two's above, and the stores at the sides.
fn kalah(fields: &[&str]) -> String {
    let mut rows: Vec<Vec<&str>> =
        fields.first().map_or("", |f| f).split('/').map(|row| row.split(',').collect()).collect();
    // Each player's pits are written from his own left: seen from player one, those of player two run from the right.
    rows.reverse();
    rows[0].reverse();
    let mover = if fields.last() == Some(&"2") { 0 } else { 1 };
    let stores: Vec<&str> = fields.get(1).map_or("", |f| f).split('-').collect();
    let pits = rows.iter().map(Vec::len).max().unwrap_or(0).min(16);
    let mut svg = themed(&open(pits as f64 + 2.6, 2.9, 40.0), "wood");
    let width = pits as f64 + 2.5;
    let _ = write!(
        svg,
        "<rect class=\"plank\" x=\".05\" y=\".38\" width=\"{width}\" height=\"2.12\" rx=\".5\"/>"
    );
    for (r, row) in rows.iter().enumerate().take(2) {
        for (c, seeds) in row.iter().enumerate().take(pits) {
            let (x, y) = (c as f64 + 1.8, r as f64 + 0.94);
            let number = if r == 0 { row.len() - c } else { c + 1 };
            let at = if r == mover { format!(" data-at=\"{number}\"") } else { String::new() };
            let _ = write!(svg, "<circle class=\"c\"{at} cx=\"{x}\" cy=\"{y}\" r=\".45\"/>");
            sown(&mut svg, seeds, x, y);
            let below = if r == 0 { 0.3 } else { 2.82 };
            let _ = write!(svg, "<text class=\"l h\" x=\"{x}\" y=\"{below}\">{}</text>", escape(seeds));
        }
    }
    // Player one's store is at the right, as he sees the board.
    for (store, x) in stores.iter().zip([pits as f64 + 1.35, 0.15]) {
        let _ = write!(svg, "<rect class=\"c\" x=\"{x}\" y=\".5\" width=\"1.1\" height=\"1.88\" rx=\".4\"/>");
        let _ = write!(svg, "<text class=\"store\" x=\"{}\" y=\"1.64\">{}</text>", x + 0.55, escape(store));
    }
    svg + "</svg>"
}

/// Draws the seeds of a pit in a spiral around its middle, at most 24 of them.
fn sown(svg: &mut String, seeds: &str, x: f64, y: f64) {
    const MOST: usize = 24;
    let count = seeds.parse::<usize>().unwrap_or(0).min(MOST);
    for k in 0..count {
        // Each turned by the golden angle from the one before, so that they lie evenly.
        let (turn, far) = (
            k as f64 * 2.399_963,
            if count == 1 { 0.0 } else { 0.34 * ((k as f64 + 0.5) / count as f64).sqrt() },
        );
        let (x, y) = (x + far * turn.cos(), y + far * turn.sin());
        let _ = write!(svg, "<circle class=\"seed\" cx=\"{x:.2}\" cy=\"{y:.2}\" r=\".08\"/>");
    }
}

/// Draws a board of Hex: every row is half a cell further to the right, cells have six neighbours.
fn hex(board: &str, before: Option<&str>) -> String {
    let rows: Vec<&str> = board.split('/').collect();
    let old = rows_of(before.unwrap_or_default());
    let columns = rows.first().map_or(0, |row| row.chars().count());
    let mut svg = open(columns as f64 + rows.len() as f64 / 2.0 + 1.5, rows.len() as f64 * 0.87 + 1.3, 40.0);
    for (r, row) in rows.iter().enumerate() {
        let y = r as f64 * 0.87 + 0.6;
        let shift = r as f64 / 2.0 + 1.3;
        for (c, mark) in row.chars().enumerate() {
            let x = c as f64 + shift;
            let was = old.get(r).and_then(|row| row.chars().nth(c));
            let class = if was.is_some_and(|was| was != mark) { "c n" } else { "c" };
            let (left, top, at) = (x - 0.5, y - 0.29, cell_name(c, r, rows.len()));
            let _ = write!(
                svg,
                "<path class=\"{class}\" data-at=\"{at}\" d=\"M{left} {top:.2}l.5 -.29 .5 .29v.58l-.5 .29 -.5 -.29z\"/>"
            );
            match mark {
                'X' => disc(&mut svg, "f", x, y),
                'O' => disc(&mut svg, "s", x, y),
                other => piece(&mut svg, other, x, y),
            }
        }
        let (x, number) = (shift - 0.8, rows.len() - r);
        let _ = write!(svg, "<text class=\"l\" x=\"{x}\" y=\"{:.2}\">{number}</text>", y + 0.1);
    }
    borders(&mut svg, columns, rows.len());
    if let Some(stones) = lines::chain(&rows) {
        let at = |(c, r): (usize, usize)| {
            format!("{} {:.2}", c as f64 + r as f64 / 2.0 + 1.3, r as f64 * 0.87 + 0.6)
        };
        let path: Vec<String> = stones.into_iter().map(at).collect();
        let _ = write!(svg, "<path class=\"won\" d=\"M{}\"/>", path.join("L"));
    }
    for c in 0..columns {
        let (x, y) = (c as f64 + (rows.len() as f64 + 1.0) / 2.0 + 0.9, rows.len() as f64 * 0.87 + 0.75);
        let _ = write!(svg, "<text class=\"l\" x=\"{x}\" y=\"{y}\">{}</text>", column_name(c));
    }
    svg + "</svg>"
}

/// Draws the borders of a board of Hex in the colours of the players who join them: player one top and bottom.
fn borders(svg: &mut String, columns: usize, rows: usize) {
    let (left, right) = (0.8, columns as f64 + 0.8);
    let low = (rows.saturating_sub(1)) as f64;
    let (x, y) = (left + low / 2.0, low * 0.87 + 0.89);
    let top = "l.5 -.29 .5 .29".repeat(columns);
    let bottom = "l.5 .29 .5 -.29".repeat(columns);
    let side = format!("{}v.58", "v.58l.5 .29".repeat(rows.saturating_sub(1)));
    let _ = write!(
        svg,
        "<path class=\"edge one\" d=\"M{left} .31{top}M{x} {y:.2}{bottom}\"/><path class=\"edge two\" d=\"M{left} .31{side}M{right} .31{side}\"/>"
    );
}

/// Draws Northcott's rows with the men of player one and player two; the game's name says how many columns there are.
fn northcott(game: &str, rows: &str) -> String {
    let columns = game.split(':').find_map(|part| part.strip_prefix("columns=")?.parse().ok());
    let men = |row: &str| -> Option<(usize, usize)> {
        let (white, black) = row.split_once('-')?;
        Some((white.parse().ok()?, black.parse().ok()?))
    };
    let Some(men) = rows.split(',').map(men).collect::<Option<Vec<_>>>() else { return text(rows) };
    let last = men.iter().map(|&(white, black)| white.max(black)).max().unwrap_or(1);
    let columns = columns.unwrap_or(8).max(last);
    if columns > 64 {
        return text(rows);
    }
    let row = ".".repeat(columns);
    let lines = vec![row.as_str(); men.len()];
    // Rows are counted from the first, and the numbers at the edge from below.
    let mut svg = cells(&lines, &[], |c, r| format!("{}:{}", lines.len() - r, c + 1));
    for (r, &(white, black)) in men.iter().rev().enumerate() {
        for (man, class) in [(white, "f"), (black, "s")] {
            disc(&mut svg, class, man as f64 + 0.5, r as f64 + 0.5);
        }
    }
    for r in 0..lines.len() {
        let (y, number) = (r as f64 + 0.6, lines.len() - r);
        let _ = write!(svg, "<text class=\"l\" x=\".75\" y=\"{y}\">{number}</text>");
    }
    for c in 1..=columns {
        let (x, y) = (c as f64 + 0.5, lines.len() as f64 + 0.36);
        let _ = write!(svg, "<text class=\"l\" x=\"{x}\" y=\"{y}\">{c}</text>");
    }
    svg + "</svg>"
}

/// Draws the games of a sum side by side. A place is named as moves of the sum name it: by the number of its game, `/`, and its
/// name there.
fn sum(catalog: &Catalog, game: &str, position: &str) -> String {
    const BETWEEN: f64 = 0.8;
    const WIDEST: f64 = 13.0;
    let full = catalog.row(game).filter(|row| row.name == game).map_or(game, |row| row.default);
    let names = full.split_once(':').map_or("", |(_, names)| names);
    let (parts, turn) = position.rsplit_once(' ').unwrap_or((position, "1"));
    let pictures: Vec<String> = (1..)
        .zip(names.split('+').zip(parts.split('+')))
        .map(|(number, (name, part))| {
            let picture = svg_with_places(catalog, name, &format!("{part} {turn}"), None);
            picture.replace(" data-at=\"", &format!(" data-at=\"{number}/"))
        })
        .collect();
    // Side by side on the ground of their row, as many as are wide enough together.
    let mut rows: Vec<Vec<(&str, [f64; 4])>> = Vec::new();
    let mut used = WIDEST;
    for picture in &pictures {
        let size = view_of(picture);
        if used + size[2] > WIDEST {
            rows.push(Vec::new());
            used = 0.0;
        }
        used += size[2] + BETWEEN;
        if let Some(row) = rows.last_mut() {
            row.push((picture, size));
        }
    }
    let (mut inner, mut ground, mut width) = (String::new(), 0.0, 0.0_f64);
    for row in rows {
        ground += row.iter().map(|(_, size)| size[3]).fold(0.0, f64::max);
        let mut left = 0.0;
        for (picture, [_, _, wide, high]) in row {
            let (head, rest) = picture.split_once('>').unwrap_or((picture, ""));
            let (class, view) = (attribute(head, "class"), attribute(head, "viewBox"));
            let _ = write!(
                inner,
                "<svg class=\"{class}\" x=\"{left:.2}\" y=\"{:.2}\" width=\"{wide}\" height=\"{high}\" viewBox=\"{view}\">{rest}",
                ground - high
            );
            left += wide + BETWEEN;
        }
        width = width.max(left - BETWEEN);
        ground += BETWEEN;
    }
    open(width, ground - BETWEEN, 36.0) + &inner + "</svg>"
}

/// Returns left, top, width and height of a picture, in cells.
fn view_of(picture: &str) -> [f64; 4] {
    let head = picture.split('>').next().unwrap_or("");
    let sizes: Vec<f64> =
        attribute(head, "viewBox").split(' ').filter_map(|size| size.parse().ok()).collect();
    sizes.try_into().unwrap_or([0.0, 0.0, 1.0, 1.0])
}

/// Draws the node of a graph that the token is on.
fn node(name: &str) -> String {
    let width = (name.chars().count() as f64 * 0.4).max(1.0) + 1.0;
    let mut svg = open(width, 1.6, 40.0);
    let (x, radius) = (width / 2.0, width / 2.0 - 0.2);
    let _ = write!(svg, "<ellipse class=\"c n\" cx=\"{x}\" cy=\".8\" rx=\"{radius}\" ry=\".65\"/>");
    let _ = write!(svg, "<text x=\"{x}\" y=\"1\">{}</text>", escape(name));
    svg + "</svg>"
}

/// Says how much may be taken at most, in Fibonacci Nim.
fn limit(heap: &str) -> String {
    heap.split_once(',').map_or_else(String::new, |(_, limit)| format!("take up to {limit}"))
}

/// Adds a line of text below a picture.
fn captioned(picture: &str, caption: &str) -> String {
    let [left, top, width, height] = view_of(picture);
    let height = height + top;
    let (wide, unit) = (width.max(caption.chars().count() as f64 * 0.26), 30.0);
    let inner = picture.split_once('>').map_or("", |(_, inner)| inner).trim_end_matches("</svg>");
    let (y, caption) = (height + 0.3, escape(caption));
    format!(
        "{}{inner}<text class=\"l h\" x=\"{}\" y=\"{y}\">{caption}</text></svg>",
        open_from(left, wide, height + 0.6, unit),
        left + width / 2.0
    )
}

/// Draws Chomp from the length of each row, the lowest first.
fn chomp(list: &str) -> String {
    let lengths: Vec<usize> = list.split(',').map(|n| n.parse().unwrap_or(0)).collect();
    let columns = lengths.iter().copied().max().unwrap_or(0).min(40);
    let rows: Vec<String> = lengths
        .iter()
        .rev()
        .map(|&n| format!("{}{}", "A".repeat(n.min(columns)), ".".repeat(columns - n.min(columns))))
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let mut svg = themed(&grid(&rows, &[]), "chocolate");
    if lengths.first().is_some_and(|&lowest| lowest > 0) {
        let y = rows.len() as f64 - 0.5;
        svg.insert_str(
            svg.len() - "</svg>".len(),
            &format!("<circle class=\"u\" cx=\"1.5\" cy=\"{y}\" r=\".2\"/>"),
        );
    }
    svg
}

/// Draws numbers in a row, a card each.
fn numbers(list: &str) -> String {
    let numbers: Vec<&str> = list.split(',').collect();
    let shown = numbers.len().min(24);
    let mut svg = open(shown as f64 * 1.35 + 0.2, 1.8, 30.0);
    for (i, number) in numbers.iter().take(shown).enumerate() {
        let x = i as f64 * 1.35 + 0.15;
        let at = match i {
            0 => " data-at=\"L\"",
            _ if i + 1 == numbers.len() => " data-at=\"R\"",
            _ => "",
        };
        let _ =
            write!(svg, "<rect class=\"c\"{at} x=\"{x}\" y=\".1\" width=\"1.2\" height=\"1.6\" rx=\".14\"/>");
        let _ = write!(svg, "<text x=\"{}\" y=\"1.1\">{}</text>", x + 0.6, escape(number));
    }
    svg + "</svg>"
}

/// Writes a position out, in lines of a readable length.
fn text(position: &str) -> String {
    const WIDTH: usize = 40;
    let letters: Vec<char> = position.chars().take(1200).collect();
    let lines: Vec<String> = letters.chunks(WIDTH).map(|line| line.iter().collect()).collect();
    let mut svg = open(12.0, lines.len() as f64 * 0.6 + 0.6, 30.0);
    for (i, line) in lines.iter().enumerate() {
        let _ =
            write!(svg, "<text class=\"m\" x=\".2\" y=\"{}\">{}</text>", i as f64 * 0.6 + 0.6, escape(line));
    }
    svg + "</svg>"
}

#[cfg(test)]
mod tests {
    use grundy_session::{CellForm, Family, Plan, Row, Spot};

    use super::*;

    /// A game of which only the drawing is of interest.
    const fn row(name: &'static str, shape: Shape) -> Row {
        Row::new(name, name, |_| Err(String::new())).shape(shape)
    }

    const CATALOG: Catalog = Catalog::new(&[Family {
        title: "drawn",
        rows: &[
            row("tictactoe", Shape::Lines),
            row("mnk", Shape::Lines),
            row("connect4", Shape::Frame),
            row("chess", Shape::Chess),
            row("dots", Shape::Dots),
            row("police", Shape::Map),
            row("row", Shape::Numbers),
            row("kalah", Shape::Pits),
            row("hex", Shape::Hexagons),
            row("morris", Shape::Points),
            row("northcott", Shape::Rows),
            row("sum", Shape::Sum),
            row("graph", Shape::Node),
            row("fibonacci-nim", Shape::Limited),
            row("nim-increase", Shape::Banks),
            row("stones", Shape::Strip),
            row("hackenbush", Shape::Stalks),
            row("chomp", Shape::Steps),
            row("nimble", Shape::Coins),
            row("othello", Shape::Discs),
            row("nim", Shape::Heaps),
            row("gobblers", Shape::Cups),
            row("quarto", Shape::Quarto),
            row("sim", Shape::Polygon),
            row("subset-takeaway", Shape::Sets),
            row("pawns", Shape::Grid).players("White", "Black"),
            row("joust", Shape::Grid).players("White", "Black").chessman('♞'),
            row("queens", Shape::Grid).chessman('♛'),
            row("teeko", Shape::Men).players("Blue", "Red"),
            row("snort", Shape::Painted).players("Blue", "Red"),
            row("cram", Shape::Covered),
            row("wheel", Shape::Grid).planned(|_| Some(triangle(CellForm::Point))),
            row("combs", Shape::Grid).planned(|_| Some(triangle(CellForm::Hexagon))),
        ],
    }]);

    /// Three cells, two of them joined.
    fn triangle(form: CellForm) -> Plan {
        let spot = |name: &str, x, y| Spot { name: name.to_owned(), x, y };
        let cells = vec![spot("top", 1.0, 0.0), spot("n1", 0.0, 1.0), spot("n2", 2.0, 1.0)];
        Plan { form, cells, lines: vec![[0, 2]] }
    }

    #[test]
    fn marks_are_drawn_as_the_chessmen_that_they_stand_for() {
        let knights = svg("joust", "X./#O 1", None);
        assert!(knights.contains("<text class=\"w\" x=\"1.5\" y=\"0.80\">♞\u{fe0e}</text>"), "{knights}");
        assert!(
            knights.contains("<text class=\"z\" x=\"2.5\"") && knights.contains("class=\"k\""),
            "{knights}"
        );
        assert!(svg("queens", "X./.. 2", None).contains("<text class=\"z\""), "of no colour");
    }

    #[test]
    fn boards_with_a_plan_are_drawn_by_it() {
        let wheel = svg("wheel", "X.O 1", Some("XO. 2"));
        let drawn = |what: &str| wheel.matches(what).count();
        assert_eq!((drawn("class=\"g\""), drawn("class=\"c n\""), drawn("class=\"c\"")), (1, 2, 1));
        assert!(wheel.contains(">top</text>"));
        let combs = svg_with_places(&CATALOG, "combs", "X/.O 1", None);
        assert_eq!((combs.matches("z\"/>").count(), combs.matches("data-at=\"n2\"").count()), (3, 1));
        assert!(svg("wheel", "X.O. 1", None).contains(">X.O. 1</text>"), "another board is written out");
        assert!(svg("wheel", "X.O 2-1 1", None).contains(">in hand 2-1</text>"));
        assert!(!svg("wheel", "X.O 100,0 1", None).contains("in hand"));
    }

    fn svg(game: &str, position: &str, before: Option<&str>) -> String {
        super::svg(&CATALOG, game, position, before)
    }

    #[test]
    fn pictures_hold_what_the_position_says() {
        let board = svg("tictactoe", "X.O/.X./... 2", Some("X.O/.../... 1"));
        assert_eq!(board.matches("class=\"x\"").count(), 2);
        assert_eq!(board.matches("class=\"o\"").count(), 1);
        assert_eq!(board.matches("class=\"c n\"").count(), 1, "the new cell is marked");
        let nine = svg("morris:9", "X../.O./.../....../.../.../..X 7-8 1", None);
        assert_eq!((nine.matches("class=\"g\"").count(), nine.matches("class=\"c\"").count()), (16, 24));
        assert!(nine.contains("in hand 7-8"));
        let men = svg("chess:KQvKR", "8/8/8/3k4/8/8/1r6/KQ6 w - - 0 1", None);
        assert_eq!(men.matches('\u{fe0e}').count(), 4);
        let lines = svg("dots:1x1", "-/||/- 1-0 1", None);
        assert_eq!((lines.matches("class=\"y\"").count(), lines.matches("class=\"t f\"").count()), (4, 1));
        let map = svg("police", "../*E a2 b2 1", None);
        assert!(map.contains("class=\"f still\" d=\"M1.36 ") && map.contains("class=\"s still\" d=\"M2.36 "));
        assert_eq!(svg("nim:3,4", "3,4 1", None).matches("class=\"f\"").count(), 7);
        assert!(svg("graph:file=x", "<node> 1", None).contains(">&lt;node&gt;<"));
        let pits = svg("kalah:2,2", "2,2/2,30 0-0 1", None);
        assert_eq!(pits.matches("<circle class=\"c\"").count(), 4);
        assert_eq!(pits.matches("<circle class=\"seed\"").count(), 3 * 2 + 24, "as many seeds as fit a pit");
        let hex = svg("hex:2", "X./.O 1", None);
        let drawn = ["<path class=\"c\"", "<path class=\"edge", "class=\"f\"", "class=\"s\""]
            .map(|what| hex.matches(what).count());
        assert_eq!(drawn, [4, 2, 1, 1], "borders and stones");
        assert_eq!(svg("northcott:1-8:columns=8", "1-8 1", None).matches("class=\"c\"").count(), 8);
        assert_eq!(svg("sum:nim:3+stones:..X", "3+..X 1", None).matches("<svg").count(), 3);
        let edges = svg("hackenbush:BRG,B", "BRG,-,B 1", None);
        let drawn = ["f", "s", "u"].map(|class| edges.matches(&format!("class=\"{class}\"")).count());
        assert_eq!(drawn, [2, 1, 1], "blue, red and green edges");
        assert!(svg("fibonacci-nim:9", "9,4 1", None).contains("take up to 4"));
        assert!(svg("nim-increase:1:banks=2,2", "1 2-2 1", None).contains("banks 2-2"));
    }

    #[test]
    fn lines_that_win_are_drawn() {
        let won = |game: &str, position: &str| {
            let picture = svg(game, position, None);
            picture
                .split("class=\"won\" d=\"")
                .nth(1)
                .map(|rest| rest.split('"').next().unwrap_or("").to_owned())
        };
        assert_eq!(won("tictactoe", "X.O/.XO/..X 2").as_deref(), Some("M1.5 0.5L3.5 2.5"));
        assert_eq!(won("tictactoe", "X.O/.XO/.X. 2"), None);
        assert_eq!(won("connect4:4x4", "..../..../.XXX/OOOO 1").as_deref(), Some("M1.5 3.5L4.5 3.5"));
        assert_eq!(won("mnk:4,4,3:misere", "..O./.O../O.../XX.. 1").as_deref(), Some("M3.5 0.5L1.5 2.5"));
        let row = "........./".repeat(8) + "XXXXX.... 2";
        let goban = svg("mnk:9,9,5", &row, None);
        assert_eq!(
            (won("mnk:9,9,5", &row).is_some(), goban.matches("<circle class=\"f\"").count()),
            (true, 5)
        );
        assert!(goban.contains("class=\"b goban\"") && goban.matches("class=\"c\"").count() == 81);
    }

    #[test]
    fn boxes_have_the_colour_of_their_owner() {
        let game =
            ["../|||/.. 0-0 2", "-./|||/.. 0-0 2", "-./|||/-. 0-1 2", "--/|||/-. 0-1 1", "--/|||/-- 1-1 1"];
        let boxes = |positions: &[&str]| -> Vec<String> {
            let picture = svg_of_game(&CATALOG, "dots", positions);
            let classes =
                picture.split("<rect class=\"").skip(1).map(|rest| rest.split('"').next().unwrap_or(""));
            classes.map(str::to_owned).collect()
        };
        assert_eq!(boxes(&game), ["t s", "t f"]);
        assert_eq!(boxes(&game[3..]), ["t s", "t f"], "the first box by the score");
        assert_eq!(boxes(&game[4..]), ["t", "t"], "nothing tells whose they are");
    }

    #[test]
    fn pictures_show_what_the_game_is_played_with() {
        let drawn =
            |picture: &str, class: &str| picture.matches(&format!("<circle class=\"{class}\"")).count();
        assert_eq!(svg("nim:21", "21 1", None).matches("class=\"f\"").count(), 21);
        let strip = svg("nimble:2,3,12", "2,2,5 1", None);
        assert_eq!((strip.matches("class=\"c\"").count(), drawn(&strip, "f coin")), (12, 3));
        let (men, board) = (svg("northcott:1-3", "1-3 1", None), svg("othello", "XO/OO 1", Some("XO/OX 2")));
        assert_eq!((drawn(&men, "f"), drawn(&men, "s")), (1, 1));
        assert_eq!((drawn(&board, "f"), drawn(&board, "s")), (1, 3));
        assert_eq!(board.matches("class=\"c n\"").count(), 1, "the disc that was turned over is marked");
        let pawns = svg("pawns", "O./.X 1", None);
        assert!(pawns.contains("class=\"b men\"") && (drawn(&pawns, "f"), drawn(&pawns, "s")) == (1, 1));
        assert!(board.contains("viewBox=\"0.45 -0.04 "), "room for the border at the top");
        let drawn = |game: &str, class: &str| svg(game, "XO/.X 1", None).matches(class).count();
        assert_eq!(["<circle class=\"f\"", "<circle class=\"s\""].map(|disc| drawn("teeko", disc)), [2, 1]);
        assert_eq!(["<rect class=\"f\"", "<rect class=\"s\""].map(|cell| drawn("snort", cell)), [2, 1]);
        let covered = svg("cram", "XX/.. 2", Some("../.. 1"));
        assert_eq!(["class=\"k\"", "class=\"c n\""].map(|class| covered.matches(class).count()), [2, 2]);
        let values = ["+", "win", "1/1"].map(str::to_owned);
        let sum = with_values(&svg_with_places(&CATALOG, "sum:nim:3+stones:..X", "3+..X 1", None), &[values]);
        assert_eq!((sum.matches("<svg").count(), sum.matches("</svg>").count()), (3, 3));
    }

    #[test]
    fn places_have_the_names_that_moves_use() {
        let places = |game: &str, position: &str| -> Vec<String> {
            let picture = svg_with_places(&CATALOG, game, position, None);
            let mut found: Vec<String> = picture
                .split(" data-at=\"")
                .skip(1)
                .map(|rest| rest.split('"').next().unwrap_or("").to_owned())
                .collect();
            found.sort();
            found
        };
        assert_eq!(places("tictactoe", "X./.. 2"), ["a1", "a2", "b1", "b2"]);
        let six = places("morris:6", ".../.../..../.../... 6-6 1");
        let names = "a1 a3 a5 b2 b3 b4 c1 c2 c4 c5 d2 d3 d4 e1 e3 e5";
        assert_eq!(six.join(" "), names);
        assert_eq!(places("dots", "./../. 0-0 1"), ["a1a2", "a1b1", "a2b2", "b1b2"]);
        assert_eq!(places("nim", "1,2 1"), ["1:1", "2:1", "2:2"]);
        assert_eq!(places("nim", "14 1").len(), 14);
        assert_eq!(places("nimble:3", "2 1"), ["1", "2", "3"]);
        assert_eq!(places("kalah", "2,1/3,4 0-0 2"), ["1", "2"]);
        assert_eq!(places("row", "4,7,9 0-0 1"), ["L", "R"]);
        assert_eq!(places("stones", ".X 1"), ["1", "2"]);
        assert_eq!(places("northcott:1-3:columns=3", "1-3 1"), ["1:1", "1:2", "1:3"]);
        assert_eq!(places("sum:nim:2+tictactoe", "1+X. 1"), ["1/1:1"]);
        assert_eq!(places("sum:nim:2+stones:.X", "2+.X 1"), ["1/1:1", "1/1:2", "2/1", "2/2"]);
        assert!(!svg("tictactoe", "X./.. 2", None).contains("data-at"));
        assert_eq!(places("gobblers", "-,Ml/s,- 2").join(" "), "a1 a2 b1 b2");
        assert_eq!(places("quarto", "3./.. 5 1").len(), 4 + 15, "the board, and the pieces that are left");
        assert_eq!(places("sim", "X./. 2").join(" "), "ab ac bc");
        assert_eq!(places("subset-takeaway:3", "ab,c 1").join(" "), "a ab b c");
        assert_eq!(places("subset-takeaway:3", "ac 2").join(" "), "a ac c");
    }

    #[test]
    fn pictures_for_lists_have_fewer_bytes() {
        let board = svg("tictactoe", "X.O/.X./... 2", Some("X.O/.../... 1"));
        let light = compact(&board);
        assert!(
            light.contains("<path class=\"c n\" d=\"M2 1h1v1h-1z\"/>") && !light.contains("<rect"),
            "{light}"
        );
        assert_eq!((light.matches("h1v1h-1z").count(), light.matches("class=\"x\"").count()), (9, 2));
        let style = style_of(&light, STYLE);
        assert!(
            style.contains("svg.b .x {") && style.contains("svg.b .c.n {") && style.contains("--board-cell")
        );
        assert!(
            !style.contains("goban") && !style.contains(".edge") && style.len() < STYLE.len() / 2,
            "{style}"
        );
        let dark = "@media (prefers-color-scheme: dark) {\n  svg.b { --a: b; }\n  svg.b .k { c: d; } svg.b .x { e: f; }\n}\n";
        assert_eq!(
            style_of(&light, dark),
            "@media (prefers-color-scheme: dark) {\n  svg.b { --a: b; }svg.b .x { e: f; }}"
        );
    }

    #[test]
    fn pictures_are_data_for_other_pages() {
        let gui = |game: &str, position: &str| {
            autogui::Gui::of(&svg_with_places(&CATALOG, game, position, None)).expect("a board")
        };
        let board = gui("tictactoe", "X.O/.X./... 2");
        assert_eq!((board.position(2).as_str(), board.space), ("2_x0o0x0000", [3.0, 3.0]));
        assert_eq!(board.centers[..4], [[0.5, 0.5], [1.5, 0.5], [2.5, 0.5], [0.5, 1.5]]);
        assert_eq!(board.move_of("a2").as_deref(), Some("A_-_3"));
        let men = gui("chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
        assert_eq!((men.men.matches(['k', 'P', 'K']).count(), men.men.len()), (3, 64));
        assert_eq!((men.move_of("e2e4").as_deref(), men.move_of("0-0")), (Some("M_52_36"), None));
        assert_eq!(men.background, Some("chess/wikipedia/grid.svg"));
        let frame = gui("connect4", &format!("{}...X... 2", "......./".repeat(5)));
        assert_eq!((frame.space, frame.move_of("d").as_deref()), ([7.0, 7.0], Some("A_-_31")));
        assert_eq!(gui("dots", "-./.../.. 0-0 2").men.matches('4').count(), 1);
        assert_eq!(gui("nim", "2,1 1").move_of("1:2").as_deref(), Some("A_-_0"));
        assert_eq!(gui("hex", "X./.O 1").men, "1002");
        assert!(autogui::Gui::of(&svg_with_places(&CATALOG, "sum:nim:1+nim:2", "1+2 1", None)).is_none());
    }

    #[test]
    fn free_lines_bear_their_marks() {
        let mark = |line: &str| (line != "a1a2").then(|| format!("<{line}>"));
        let marked = super::svg_with_marks(&CATALOG, "dots", "./.|/. 0-0 1", None, &mark);
        let marks: Vec<&str> = marked.split("<text class=\"i\"").skip(1).collect();
        assert_eq!(marks.len(), 2, "neither the drawn line nor one without a mark");
        assert!(marks[0].starts_with(" x=\"1.5\" y=\"0.6\">&lt;a2b2&gt;</text>"), "{marked}");
        assert!(marks[1].starts_with(" x=\"1.5\" y=\"1.6\">&lt;a1b1&gt;</text>"), "{marked}");
        assert!(marked.ends_with("</svg>"));
        let other = super::svg_with_marks(&CATALOG, "tictactoe", "X./.. 2", None, &|_| Some("v".to_owned()));
        assert!(!other.contains("class=\"i\""));
    }

    #[test]
    fn odd_positions_do_not_break_the_pictures() {
        let games = [
            "chess",
            "dots",
            "police",
            "row",
            "stones",
            "chomp",
            "nim",
            "tictactoe",
            "x",
            "kalah",
            "hex",
            "morris",
        ];
        let more = [
            "nimble",
            "othello",
            "northcott",
            "sum:nim:3+stones:..X",
            "graph",
            "fibonacci-nim",
            "nim-increase",
        ];
        for game in games.into_iter().chain(more) {
            for position in
                ["", " ", "/", "///", "9", "a b c d", "-1 999999999999999999999", "äöü/ß 1", "1/22/3"]
            {
                assert!(svg(game, position, Some(position)).ends_with("</svg>"), "{game} {position:?}");
            }
        }
    }
}

//! A [`Graph`] as a picture: a layer of positions for each ply, coloured by value.

use std::fmt::Write as _;

use grundy_core::dot::quoted;
use grundy_core::value::{Value, Wdl};

use crate::graph::{Edge, Graph, Node};
use crate::graph_route::{Rect, Route, route};
use crate::parts::escape;

/// The colours of the picture, light and dark, as a style sheet.
pub const STYLE: &str = include_str!("graph.css");

/// Width of a character of a label, height of its lines, and the space between positions, in pixels.
const CHARACTER: f64 = 7.4;
const LINE: f64 = 15.0;
const GAP: f64 = 22.0;
const LAYER_GAP: f64 = 58.0;
/// Space between layers that stand side by side: a move is written between them.
const COLUMN_GAP: f64 = 74.0;
/// A label has at most this many lines of at most this many characters; a longer one is replaced by the index.
const LABEL_LINES: usize = 9;
const LABEL_WIDTH: usize = 16;
/// Moves are written beside their lines in graphs of at most this many moves.
const WRITTEN: usize = 90;
/// Number of sweeps that improve the order within the layers.
const SWEEPS: usize = 8;

/// The place of a position in the picture.
struct Spot {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
    lines: Vec<String>,
}

/// Draws the graph as a picture that needs no other file. With a `round` it shows what retrograde analysis knows after
/// that round; without one it shows all values.
pub fn svg(graph: &Graph, round: Option<u32>) -> String {
    picture(graph, round, &format!("<style>{STYLE}</style>"), None)
}

/// The position that play has reached.
pub struct Here<'a> {
    /// The position as one line of text.
    pub position: &'a str,
    /// The name of the picture for screen readers.
    pub label: &'a str,
    /// Returns the address that a move leads to.
    pub link: &'a dyn Fn(&str) -> String,
    /// Writes a value that is given in the words of the protocol.
    pub value: &'a dyn Fn(&str) -> String,
    /// Says in which round of retrograde analysis a position is found; `None` stands for none of them.
    pub found: &'a dyn Fn(Option<u32>) -> String,
}

/// Draws the graph with all values, for a page that has [`STYLE`]. The position that play has reached is marked, and the
/// positions after its moves are links. A graph that is taller than wide is drawn from left to right, as screens are wide.
pub fn linked(graph: &Graph, here: &Here<'_>) -> String {
    picture(graph, None, "", Some(here))
}

fn picture(graph: &Graph, round: Option<u32>, style: &str, here: Option<&Here<'_>>) -> String {
    // The parts of an image are nothing to a screen reader, those of a group may be links.
    let role = if here.is_some() { "group" } else { "img" };
    let (mut spots, layers) = places(graph);
    let size = |spots: &[Spot]| {
        let width = spots.iter().map(|spot| spot.x + spot.width / 2.0).fold(0.0, f64::max) + GAP;
        (width, spots.iter().map(|spot| spot.y + spot.height).fold(0.0, f64::max) + GAP)
    };
    let (mut width, mut height) = size(&spots);
    let sideways = here.is_some() && height > width;
    if sideways {
        place_sideways(&mut spots, &layers);
        (width, height) = size(&spots);
    }
    let written = graph.nodes.iter().map(|node| node.edges.len()).sum::<usize>() <= WRITTEN;
    let boxes: Vec<Rect> = spots.iter().map(|spot| rect(spot, sideways)).collect();
    let mut frame = Rect { left: 0.0, right: width, top: 0.0, bottom: height };
    let mut lines = String::new();
    for (from, node) in graph.nodes.iter().enumerate() {
        for edge in &node.edges {
            let class = edge_class(graph, node, edge, round);
            let word = written.then_some(edge.word.as_str());
            line(&mut lines, &mut frame, &route(&boxes, from, edge.to, sideways), &class, word);
        }
    }
    let label = here.map_or_else(|| format!("graph of {}", graph.game), |here| here.label.to_owned());
    let (left, top, width, height) =
        (frame.left, frame.top, frame.right - frame.left, frame.bottom - frame.top);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"whole\" viewBox=\"{left:.0} {top:.0} {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" role=\"{role}\" aria-label=\"{}\">{style}\
         <defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"7.5\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
         orient=\"auto-start-reverse\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>{lines}",
        escape(&label)
    );
    let at = here.and_then(|here| graph.nodes.iter().position(|node| node.position == here.position));
    let moves = at.map_or(&[][..], |at| &graph.nodes[at].edges);
    for (index, (node, spot)) in graph.nodes.iter().zip(&spots).enumerate() {
        let link =
            here.zip(moves.iter().find(|edge| edge.to == index)).map(|(here, edge)| (here.link)(&edge.word));
        if let Some(link) = &link {
            let _ = write!(svg, "<a href=\"{}\">", escape(link));
        }
        box_of(&mut svg, graph, node, spot, round, here.map(|here| (here, at == Some(index))));
        svg += if link.is_some() { "</a>" } else { "" };
    }
    svg + "</svg>\n"
}

/// Returns the attributes of a move's line: a best move is bold from the round on that finds both its positions.
fn edge_class(graph: &Graph, node: &Node, edge: &Edge, round: Option<u32>) -> String {
    if !graph.is_best(node, edge) {
        return "class=\"e\"".to_owned();
    }
    let to = &graph.nodes[edge.to];
    let hidden = if node.is_shown(round) && to.is_shown(round) { "" } else { " hidden" };
    let found = node.round.max(to.round).filter(|_| node.round.is_some() && to.round.is_some());
    let found = found.map_or(String::new(), |round| format!(" data-round=\"{round}\""));
    format!("class=\"e b{hidden}\"{found}")
}

/// Writes the graph in Graphviz's language; the best moves are bold.
pub fn dot(graph: &Graph, round: Option<u32>) -> String {
    let mut dot = format!("digraph {} {{\n    node [shape=box style=filled];\n", quoted(&graph.game));
    for (index, node) in graph.nodes.iter().enumerate() {
        let shown = node.is_shown(round);
        let value = if shown { node.value_word(graph.unit) } else { "?".to_owned() };
        let colour = match node.value.filter(|_| shown).map(Value::wdl) {
            Some(Wdl::Win) => "palegreen",
            Some(Wdl::Loss) => "lightpink",
            Some(Wdl::Draw) => "lightgrey",
            None => "white",
        };
        let found = node.round.filter(|_| shown).map_or(String::new(), |round| format!("\nround {round}"));
        let label = quoted(&format!("{}\n{value}{found}", node.position));
        let _ = writeln!(dot, "    n{index} [label={label} fillcolor={colour}];");
    }
    for (index, node) in graph.nodes.iter().enumerate() {
        for edge in &node.edges {
            let best =
                graph.is_best(node, edge) && node.is_shown(round) && graph.nodes[edge.to].is_shown(round);
            let style = if best { " style=bold" } else { "" };
            let _ = writeln!(dot, "    n{index} -> n{} [label={}{style}];", edge.to, quoted(&edge.word));
        }
    }
    dot + "}\n"
}

/// Lays the positions out: a row for each ply, in an order in which few lines cross. Returns the rows, too.
fn places(graph: &Graph) -> (Vec<Spot>, Vec<Vec<usize>>) {
    let mut spots: Vec<Spot> =
        graph.nodes.iter().enumerate().map(|(index, node)| spot(node, index)).collect();
    let layer_of = layer_of(graph);
    let depth = layer_of.iter().copied().max().unwrap_or(0);
    let mut layers: Vec<Vec<usize>> = vec![Vec::new(); depth + 1];
    for (index, &layer) in layer_of.iter().enumerate() {
        layers[layer].push(index);
    }
    let mut near: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
    for (index, node) in graph.nodes.iter().enumerate() {
        for edge in &node.edges {
            near[index].push(edge.to);
            near[edge.to].push(index);
        }
    }
    // Each layer is sorted by the mean place of the neighbours, downwards and upwards in turn.
    let mut rank = vec![0.0; graph.nodes.len()];
    for sweep in 0..=SWEEPS {
        let order: Vec<usize> =
            if sweep % 2 == 0 { (0..=depth).collect() } else { (0..=depth).rev().collect() };
        for at in order {
            let layer = &mut layers[at];
            if sweep > 0 {
                let mean = |index: usize| {
                    let others = near[index].iter().filter(|&&other| layer_of[other] != at);
                    let (sum, count) = others.fold((0.0, 0), |(s, n), &other| (s + rank[other], n + 1));
                    if count == 0 { rank[index] } else { sum / f64::from(count) }
                };
                let mut keyed: Vec<(f64, usize)> = layer.iter().map(|&index| (mean(index), index)).collect();
                keyed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                *layer = keyed.into_iter().map(|(_, index)| index).collect();
            }
            let count = layer.len() as f64;
            layer.iter().enumerate().for_each(|(place, &index)| rank[index] = (place as f64 + 0.5) / count);
        }
    }
    let widths: Vec<f64> =
        layers.iter().map(|layer| layer.iter().map(|&index| spots[index].width + GAP).sum()).collect();
    let widest = widths.iter().copied().fold(0.0, f64::max);
    let mut y = GAP;
    for (layer, width) in layers.iter().zip(&widths) {
        // A layer with room to spare is spread over half of it.
        let spare = (widest - width) / 2.0;
        let extra = spare / layer.len().max(1) as f64;
        let mut x = GAP / 2.0 + spare / 2.0;
        for &index in layer {
            let spot = &mut spots[index];
            x += extra / 2.0;
            spot.x = x + (spot.width + GAP) / 2.0;
            spot.y = y;
            x += spot.width + GAP + extra / 2.0;
        }
        y += layer.iter().map(|&index| spots[index].height).fold(0.0, f64::max) + LAYER_GAP;
    }
    (spots, layers)
}

/// Moves the layers side by side, each around the middle line.
fn place_sideways(spots: &mut [Spot], layers: &[Vec<usize>]) {
    let sum = |spots: &[Spot], layer: &[usize]| layer.iter().map(|&index| spots[index].height + GAP).sum();
    let highest: f64 = layers.iter().map(|layer| sum(spots, layer)).fold(0.0, f64::max);
    let mut x = GAP;
    for layer in layers {
        let widest = layer.iter().map(|&index| spots[index].width).fold(0.0, f64::max);
        let height: f64 = sum(spots, layer);
        let mut y = GAP + (highest - height) / 2.0;
        for &index in layer {
            let spot = &mut spots[index];
            (spot.x, spot.y) = (x + widest / 2.0, y);
            y += spot.height + GAP;
        }
        x += widest + COLUMN_GAP;
    }
}

/// Returns the layer of each position: the plies of the longest way from the start, so that every move leads down; in a
/// cyclic graph, those of the shortest way.
fn layer_of(graph: &Graph) -> Vec<usize> {
    let mut layer = vec![0; graph.nodes.len()];
    let mut entries = vec![0; graph.nodes.len()];
    graph.nodes.iter().flat_map(|node| &node.edges).for_each(|edge| entries[edge.to] += 1);
    let mut ready: Vec<usize> = (0..entries.len()).filter(|&index| entries[index] == 0).collect();
    let mut done = 0;
    while let Some(index) = ready.pop() {
        done += 1;
        for edge in &graph.nodes[index].edges {
            layer[edge.to] = layer[edge.to].max(layer[index] + 1);
            entries[edge.to] -= 1;
            if entries[edge.to] == 0 {
                ready.push(edge.to);
            }
        }
    }
    if done < layer.len() {
        layer = graph.nodes.iter().map(|node| node.ply as usize).collect();
    }
    layer
}

/// Returns the label of a position and its size. The rows of a board stand below each other.
fn spot(node: &Node, index: usize) -> Spot {
    let mut fields = node.position.split_whitespace();
    let mut lines: Vec<String> = fields.next().unwrap_or("").split('/').map(str::to_owned).collect();
    let rest: Vec<&str> = fields.collect();
    if !rest.is_empty() {
        if lines.len() == 1 && lines[0].chars().count() + 2 < LABEL_WIDTH {
            lines[0] = format!("{} {}", lines[0], rest.join(" "));
        } else {
            lines.push(rest.join(" "));
        }
    }
    if lines.len() > LABEL_LINES || lines.iter().any(|line| line.chars().count() > LABEL_WIDTH) {
        lines = vec![format!("#{}", index + 1)];
    }
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0).max(5);
    let width = longest as f64 * CHARACTER + 16.0;
    // One line more for the value.
    let height = (lines.len() + 1) as f64 * LINE + 10.0;
    Spot { x: 0.0, y: 0.0, width, height, lines }
}

/// Returns the box of a position; if layers stand side by side, x and y change places.
fn rect(spot: &Spot, sideways: bool) -> Rect {
    let (left, right) = (spot.x - spot.width / 2.0, spot.x + spot.width / 2.0);
    let (top, bottom) = (spot.y, spot.y + spot.height);
    match sideways {
        true => Rect { left: top, right: bottom, top: left, bottom: right },
        false => Rect { left, right, top, bottom },
    }
}

/// Draws the line of a move and extends the frame to hold it. `word` is written beside it.
fn line(svg: &mut String, frame: &mut Rect, route: &Route, class: &str, word: Option<&str>) {
    let [a, b, c, d] = route.points.map(|(x, y)| format!("{x:.1} {y:.1}"));
    let _ = match route.straight {
        true => write!(svg, "<path {class} d=\"M{a}L{d}\"/>"),
        false => write!(svg, "<path {class} d=\"M{a}C{b} {c} {d}\"/>"),
    };
    for (x, y) in route.samples() {
        frame.include(x, y, 4.0, 4.0);
    }
    if let Some(word) = word {
        let (x, y) = route.at(route.word);
        frame.include(x, y, word.chars().count() as f64 * CHARACTER / 2.0, LINE / 2.0);
        let _ = write!(svg, "<text class=\"w\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>", y + 4.0, escape(word));
    }
}

/// Draws the box of a position: its label, and its value where the round knows it. On a page it is written in the page's words,
/// and has the token if play has reached it.
fn box_of(
    svg: &mut String,
    graph: &Graph,
    node: &Node,
    spot: &Spot,
    round: Option<u32>,
    page: Option<(&Here<'_>, bool)>,
) {
    let class = match node.value.map(Value::wdl) {
        Some(Wdl::Win) => "won",
        Some(Wdl::Loss) => "lost",
        Some(Wdl::Draw) => "drawn",
        None => "open",
    };
    let hidden = if node.is_shown(round) { "" } else { " hidden" };
    let here = if page.is_some_and(|(_, reached)| reached) { " at" } else { "" };
    let found = node.round.map_or(String::new(), |round| format!(" data-round=\"{round}\""));
    let word = node.value_word(graph.unit);
    let (value, how) = match (page, node.round) {
        (Some((page, _)), round) => ((page.value)(&word), (page.found)(round)),
        (None, Some(0)) => (word, "finished".to_owned()),
        (None, Some(round)) => (word, format!("found in round {round}")),
        (None, None) => (word, "found by no round".to_owned()),
    };
    let turn = node.turn.digit();
    let _ = write!(
        svg,
        "<g class=\"n {class}{hidden}{here} p{turn}\"{found}><title>{}: {value}, {how}</title>\
         <rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"7\"/>",
        escape(&node.position),
        spot.x - spot.width / 2.0,
        spot.y,
        spot.width,
        spot.height
    );
    let mut y = spot.y + LINE;
    for text in &spot.lines {
        let _ = write!(svg, "<text x=\"{:.1}\" y=\"{y:.1}\">{}</text>", spot.x, escape(text));
        y += LINE;
    }
    let _ = write!(svg, "<text class=\"v\" x=\"{:.1}\" y=\"{y:.1}\">{value}</text></g>", spot.x);
}

//! A [`Graph`] as one page: the picture, and a slider over the rounds of retrograde analysis.

use std::fmt::Write as _;

use crate::graph::Graph;
use crate::graph_svg::svg;
use crate::parts::escape;

/// The script of the slider, which works on any page with [`controls`] and a picture of the graph.
pub const SCRIPT: &str = include_str!("graph.js");

/// Writes the page. It needs no other file and no network. The slider begins at `round`, or behind the last round.
pub fn page(graph: &Graph, round: Option<u32>) -> String {
    let game = escape(&graph.game);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{game}: retrograde analysis</title>\n<style>{STYLE}</style>\n\
         <header>\n<h1>{game}</h1>\n<p>{count} positions. Solid border: player one to move; dashed: player two. \
         <span class=\"k won\">won</span> <span class=\"k drawn\">drawn</span> <span class=\"k lost\">lost</span> \
         for the player to move.</p>\n{controls}</header>\n\
         <main tabindex=\"0\" aria-label=\"the graph\">\n{picture}</main>\n\
         <script>{SCRIPT}</script>\n</html>\n",
        count = graph.nodes.len(),
        controls = controls(graph, round),
        picture = svg(graph, None),
    )
}

/// Writes the slider over the rounds, which begins at `round`, or behind the last round.
pub fn controls(graph: &Graph, round: Option<u32>) -> String {
    let last = graph.rounds;
    let now = round.unwrap_or(last).min(last);
    let mut rounds = String::from("[");
    for round in (0..last).map(Some).chain([None]) {
        let [won, drawn, lost] = graph.count(round);
        let gap = if rounds.len() > 1 { "," } else { "" };
        let _ = write!(rounds, "{gap}[{won},{drawn},{lost}]");
    }
    format!(
        "<p class=\"rounds\"><button type=\"button\" id=\"round-back\" aria-label=\"Previous round\">&#9664;</button>\n\
         <input id=\"round\" type=\"range\" min=\"0\" max=\"{last}\" value=\"{now}\" aria-label=\"Round\" \
         data-rounds=\"{rounds}]\">\n\
         <button type=\"button\" id=\"round-on\" aria-label=\"Next round\">&#9654;</button>\n\
         <output id=\"round-said\" aria-live=\"polite\"></output></p>\n"
    )
}

const STYLE: &str = ":root{color-scheme:light dark}body{margin:0;font:16px/1.4 system-ui,sans-serif;\
    background:light-dark(#fff,#14181d);color:light-dark(#1d2733,#eef2f6)}\
    header{padding:.5rem 1rem;position:sticky;left:0;top:0;background:inherit;z-index:1}\
    h1{font-size:1.3rem;margin:0}p{margin:.3rem 0}.rounds button{font:inherit}\
    .k{padding:0 .4rem;border-radius:.3rem;border:1px solid}\
    .k.won{background:light-dark(#bfe6c3,#1f6b3a)}.k.drawn{background:light-dark(#e3ddcf,#55503f)}\
    .k.lost{background:light-dark(#f4c1bd,#8c2f2f)}\
    main{overflow:auto}svg.whole{display:block;margin:0 auto}";

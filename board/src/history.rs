//! The section of a page with the moves so far: what each cost, and the graph of the values.

use grundy::value::{Unit, Wdl};
use maud::{Markup, html};

use crate::address::address;
use crate::audit::{self, Course, Judged, Worth};
use crate::games::PositionRef;
use crate::texts::Texts;

/// The most moves of a game that are judged and drawn as a graph.
pub const LONGEST_GRAPH: usize = 400;

/// A game so far, as a page shows it.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    pub target: &'a PositionRef,
    pub course: &'a Course,
    pub unit: Unit,
    /// The names of the players.
    pub players: &'a [String; 2],
    pub texts: Texts,
}

impl Shown<'_> {
    /// Lists the moves so far, with what each cost and the graph of their values.
    pub fn section(self) -> Markup {
        let Shown { target, course, texts, .. } = self;
        let judged = |at: usize| course.moves.get(at).copied().unwrap_or(Judged::Open);
        let word = |at: usize| course.notes.get(at).map_or("", String::as_str);
        html! {
            @let open = course.moves.len() <= LONGEST_GRAPH && course.moves.contains(&Judged::Open);
            section id="game-section" aria-labelledby="game-title" {
                h2 id="game-title" { (texts.get("game")) }
                @if course.stages.len() > 1 { (self.graph()) }
                ol class="history" id="history" {
                    @for at in 0..target.moves.len() {
                        li class=[judged(at).loses_value().then_some("slip")] {
                            a href=(address(&target.cut(at + 1))) aria-current=[(at + 1 == target.moves.len()).then_some("true")] { (word(at)) }
                            @if let Some(words) = judged(at).words(texts) { span class="mark" title=(words) { (if judged(at).loses_value() { "?" } else { "~" }) } }
                        }
                    }
                }
                @if target.moves.is_empty() { p class="faint" id="none" { (texts.get("none-yet")) } }
                p id="audit" class="remark" { (audit::summary(&course.moves, texts).unwrap_or_default()) }
                @if open { button type="button" id="review" hidden { (texts.get("review")) } }
                ol id="slips" class="slips" {
                    @for at in 0..target.moves.len() {
                        @if let Some(words) = judged(at).words(texts) {
                            li {
                                a href=(address(&target.cut(at))) {
                                    (texts.fill("move-was", &[("number", &(at + 1).to_string()), ("move", word(at)), ("words", &words)]))
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// Draws the values of a game so far for player one, who is better above the middle: the final margin in games for points,
    /// else who wins, higher the sooner.
    fn graph(self) -> Markup {
        let Shown { target, course, unit, players, texts } = self;
        let worths: Vec<(usize, Worth)> =
            course.stages.iter().enumerate().filter_map(|(at, stage)| Some((at, stage.worth?))).collect();
        if worths.is_empty() {
            return html! {};
        }
        let largest =
            |size: fn(&Worth) -> u32| worths.iter().map(|(_, worth)| size(worth)).max().unwrap_or(0).max(1);
        let (longest, widest) = (
            largest(|worth| worth.plies.unwrap_or(0)),
            largest(|worth| worth.margin.map_or(0, i32::unsigned_abs)),
        );
        // From 1 at the top to -1.
        let height = |worth: &Worth| match (worth.margin.filter(|_| unit.is_points()), worth.outcome) {
            (Some(margin), _) => f64::from(margin) / f64::from(widest),
            (None, Wdl::Draw) => 0.0,
            (None, outcome) => {
                let near = worth.plies.map_or(0.5, |plies| 1.0 - f64::from(plies) / f64::from(longest + 1));
                (0.25 + 0.75 * near) * if outcome == Wdl::Win { 1.0 } else { -1.0 }
            }
        };
        let step = 20.0 / (course.stages.len() - 1).max(1) as f64;
        let points: Vec<(usize, f64, f64, String)> = worths
            .iter()
            .map(|(at, worth)| (*at, *at as f64 * step + 1.6, 1.7 - 1.3 * height(worth), self.told(worth)))
            .collect();
        let line: Vec<String> = points.iter().map(|(_, x, y, _)| format!("{x:.2},{y:.2}")).collect();
        let ends = match unit.is_points() {
            true => [f64::from(widest), -f64::from(widest)].map(|margin| margin_text(margin, unit)),
            false => ["1".to_owned(), "2".to_owned()],
        };
        html! {
            svg class="graph" viewBox="0 0 22.2 3.4" role="group" aria-label=(texts.fill("graph", &[("player", &players[0])])) {
                path class="axis" d="M1.4 1.7h20.6M1.4 .3v2.8" {}
                text x="1.2" y=".6" { (ends[0]) }
                text x="1.2" y="1.86" { (if unit.is_points() { "0" } else { "=" }) }
                text x="1.2" y="3.1" { (ends[1]) }
                polyline points=(line.join(" ")) {}
                @for (at, x, y, told) in &points {
                    @let name = match at {
                        0 => texts.get("start-of-game").to_owned(),
                        _ => texts.fill("move-of-game", &[("number", &at.to_string()), ("move", &course.notes[at - 1])]),
                    };
                    a href=(address(&target.cut(*at))) aria-label={ (name) ": " (told) } {
                        circle cx=(format!("{x:.2}")) cy=(format!("{y:.2}")) r=".2" { title { (name) ": " (told) } }
                    }
                }
            }
        }
    }

    /// Says a value of the graph.
    fn told(self, worth: &Worth) -> String {
        let Shown { unit, players, texts, .. } = self;
        let wins = |player: &str| match worth.plies {
            None => texts.fill("wins", &[("player", player)]),
            Some(plies) => {
                let count = texts.counted(&plies.to_string(), "ply-1", "ply-n");
                texts.fill("wins-in", &[("player", player), ("count", &count)])
            }
        };
        match (worth.margin.filter(|_| unit.is_points()), worth.outcome) {
            (Some(0), _) => texts.get("even").to_owned(),
            (Some(margin), _) => {
                let by = margin_text(f64::from(margin.abs()), unit);
                let winner = &players[usize::from(margin < 0)];
                texts.fill("wins-by", &[("player", winner), ("points", by.trim_start_matches('+'))])
            }
            (None, Wdl::Win) => wins(&players[0]),
            (None, Wdl::Draw) => texts.get("a-draw").to_owned(),
            (None, Wdl::Loss) => wins(&players[1]),
        }
    }
}

/// Writes a margin that is counted in parts of a point.
fn margin_text(margin: f64, unit: Unit) -> String {
    format!("{:+}", margin / f64::from(unit.denominator().get())).replace('-', "\u{2212}")
}

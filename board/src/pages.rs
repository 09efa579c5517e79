//! The pages: the list of games, and one page for every position of every game.
//!
//! A page is whole without its script: every move is a link. The script adds the keyboard, clicks on the board, and
//! answers that take time.

use axum::extract::{Path, Query};
use axum::http::{StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use grundy::session::Row;
use grundy::text::json_in_script;
use grundy::value::{Unit, Wdl};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde::Deserialize;
use serde_json::json;

use crate::address::{address, encoded};
use crate::answer::{Answer, Refused};
use crate::api::Asked;
use crate::app::{State, not_found};
use crate::audit::{self, Course, Judged, course};
use crate::games::{Place, set_up};
use crate::parameters;

/// Positions of a game whose values are drawn as a graph.
const LONGEST_GRAPH: usize = 400;
/// Moves that are listed on a page.
const LISTED: usize = 400;

fn page(title: &str, body: &Markup) -> Html<String> {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                link rel="stylesheet" href="/assets/board.css";
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                script src="/assets/board.js" defer {}
            }
            body {
                a class="skip" href="#main" { "Skip to content" }
                header { a class="home" href="/" { "grundy" } span class="motto" { "every move's value, exact or said to be open" } }
                (body)
            }
        }
    };
    Html(page.into_string())
}

/// `GET /`: all games with pictures.
pub async fn index(app: State) -> Response {
    let body = html! {
        main id="main" {
            h1 { "Games" }
            @for family in app.catalog.families() {
                h2 { (family.title) }
                ul class="games" {
                    @for row in family.rows {
                        li {
                            a href=(address(&Place::new(row.default, None, None))) {
                                img src={ "/picture?game=" (encoded(row.default)) } alt="" width="120" height="96" loading="lazy";
                                strong { (row.name) }
                            }
                            p { (row.about) }
                            p class="faint" { (row.method) }
                        }
                    }
                }
            }
            h2 { "Games that you bring" }
            form class="read" id="read" {
                label for="text" { "Drop a file here, or paste a PGN or a record of " code { "referee match" } }
                textarea id="text" name="text" rows="4" {}
                button type="submit" { "Open" }
                div id="found" role="status" {}
            }
            @if app.uploads.is_some() {
                form class="rules" id="rules" {
                    label for="rules-text" { "Or the rules of a game, in the language of Regular Boardgames" }
                    textarea id="rules-text" rows="4" spellcheck="false" {}
                    button type="submit" { "Play by these rules" }
                    div id="refusal" role="status" {}
                }
            }
        }
    };
    page("grundy: games", &body).into_response()
}

/// What a picture is of.
#[derive(Deserialize)]
pub struct Pictured {
    game: String,
    fen: Option<String>,
}

/// `GET /picture?game=..`: the start of a game, or a position, as an SVG file of its own.
pub async fn picture(app: State, Query(asked): Query<Pictured>) -> Response {
    let place = Place::new(&asked.game, asked.fen.as_deref(), None);
    let catalog = app.catalog;
    let drawn = app
        .by_rules(&place.clone(), move |session| {
            grundy_draw::svg(&catalog, &place.game, &session.position(), None)
        })
        .await;
    match drawn {
        Ok(svg) => {
            let style = format!("<style>{}</style>", grundy_draw::STYLE);
            let file = svg.replacen("<svg ", "<svg xmlns=\"http://www.w3.org/2000/svg\" ", 1);
            let file = file.replacen('>', &format!(">{style}"), 1);
            (
                [
                    (header::CONTENT_TYPE, "image/svg+xml"),
                    (header::CACHE_CONTROL, "max-age=3600"),
                    // The picture brings its own colours.
                    (header::CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'"),
                ],
                file,
            )
                .into_response()
        }
        Err(refused) => refused.into_response(),
    }
}

/// `GET /game/{game}?fen=..&moves=..`: a position.
pub async fn game(app: State, Path(game): Path<String>, Query(asked): Query<Asked>) -> Response {
    let place = asked.place(&game);
    let row = app.catalog.row(&game);
    let answer = match app.answer(&place, None).await {
        Ok(answer) => answer,
        Err(Refused::Wrong(why)) => return refused(row, &place, &why, !app.folders.is_empty()),
        Err(refused) => return refused.into_response(),
    };
    let (catalog, asked) = (app.catalog, place.clone());
    let drawn = app
        .ask(&place.cut(place.moves.len().saturating_sub(1)), move |session, _| {
            let before = (!asked.moves.is_empty()).then(|| session.position());
            let unit = session.unit();
            let course =
                if asked.moves.len() <= LONGEST_GRAPH { course(session, &asked) } else { Course::default() };
            let text = if set_up(session, &asked).is_ok() { session.draw_game() } else { String::new() };
            let position = session.position();
            let svg = grundy_draw::svg_with_places(&catalog, &asked.game, &position, before.as_deref());
            Some((svg, course, unit, text))
        })
        .await;
    let (svg, course, unit, text) = match drawn {
        Ok(Some(drawn)) => drawn,
        Ok(None) => return Refused::Broken.into_response(),
        Err(refused) => return refused.into_response(),
    };
    let title = format!("{} - grundy", place.game);
    let engines: Vec<&str> = app.engines.iter().map(|engine| engine.name.as_str()).collect();
    let body = html! {
        main id="main" class="play" {
            div class="left" {
                h1 { (answer.game) }
                @if let Some(row) = row { p class="faint" { (row.about) } }
                div id="board" { (PreEscaped(&svg)) }
                details class="text" { summary { "As text" } pre { (text) } }
                p id="standing" role="status" { (standing(&answer)) }
                (controls(&place))
                (players(&engines))
            }
            div class="right" {
                (values(&place, &answer))
                (history(&place, &course, unit))
                (input(row, &place, &answer, !app.folders.is_empty()))
            }
            script type="application/json" id="data" { (PreEscaped(data(&place, &answer))) }
        }
    };
    page(&title, &body).into_response()
}

/// What the script needs; nothing in it can end the script element.
fn data(place: &Place, answer: &Answer) -> String {
    let data = json!({ "game": place.game, "fen": place.fen, "moves": place.moves, "answer": answer });
    json_in_script(&data.to_string())
}

/// A refused name, position or move: what is wrong, and where one can go on.
fn refused(row: Option<&'static Row>, place: &Place, why: &str, files: bool) -> Response {
    let body = html! {
        main id="main" {
            h1 { "This cannot be shown" }
            p class="error" { (why) }
            @if let Some(row) = row {
                p { (row.name) ": " (row.about) ". Parameters: " code { (if row.parameters.is_empty() { "none" } else { row.parameters }) } "." }
                p { a href=(address(&Place::new(row.default, None, None))) { "Open " (row.default) } }
                (parameters::form(row, &place.game, files))
            }
            @if place.fen.is_some() || !place.moves.is_empty() {
                p { a href=(address(&Place::new(&place.game, None, None))) { "The start of " (place.game) } }
            }
        }
    };
    (StatusCode::BAD_REQUEST, page("grundy: refused", &body)).into_response()
}

/// Who is to move, what the position is worth, and how it ended.
fn standing(answer: &Answer) -> Markup {
    let (mover, other) = if answer.turn == 1 { (1, 2) } else { (2, 1) };
    html! {
        @match answer.over {
            Some("draw") => strong { "Over: a draw." },
            Some(winner) => strong { "Over: player " (winner) " has won." },
            None => {
                strong { "Player " (mover) " to move: " }
                span id="value" class={ "v " (answer.result) } data-value=(answer.value) { (spoken(&answer.value, other)) }
            }
        }
        @if let Some((one, two)) = answer.score { " Score " (one) "-" (two) "." }
        @if let Some(grundy) = answer.grundy { " Grundy number " (grundy) "." }
        @if let Some(mark) = &answer.loony { span id="loony" data-mark=(mark) { " " (next_loony(mark, answer.turn)) } }
        span id="remarks" { @for remark in &answer.remarks { br; span class="remark" { (remark) } } }
    }
}

/// What stands behind a move's value in Dots-and-Boxes.
const LOONY: &str =
    "Who makes the next loony move: v who makes this move, ^ the other, - nobody, ? not found yet";

/// Who makes the next loony move, in words.
fn next_loony(mark: &str, turn: u8) -> String {
    match mark {
        "v" => format!("Next loony move: player {turn} (v)."),
        "^" => format!("Player {} makes the next loony move, or has just made one (^).", 3 - turn),
        "-" => "Nobody makes a loony move.".to_owned(),
        _ => "Next loony move: not found yet (?).".to_owned(),
    }
}

/// A value as a person reads it.
fn spoken(value: &str, other: u8) -> String {
    let (open, bare) = value.strip_prefix('~').map_or(("", value), |bare| ("probably ", bare));
    let counted = |plies: &str| if plies == "1" { "1 ply".to_owned() } else { format!("{plies} plies") };
    let words = match bare.split_once(':') {
        Some(("win", plies)) => format!("+ wins in {}", counted(plies)),
        Some(("loss", plies)) => format!("\u{2212} player {other} wins in {}", counted(plies)),
        _ => match bare {
            "win" => "+ wins".to_owned(),
            "loss" => format!("\u{2212} player {other} wins"),
            "draw" => "= a draw with best play".to_owned(),
            "?" => "not proved yet".to_owned(),
            points => format!("{} points to come", points.replace('-', "\u{2212}")),
        },
    };
    format!("{open}{words}")
}

/// A value in as few letters as fit a cell: `+12`, `−7`, `=`, `?`.
fn short(value: &str) -> String {
    let (open, bare) = value.strip_prefix('~').map_or(("", value), |bare| ("~", bare));
    let words = match bare.split_once(':') {
        Some(("win", plies)) => format!("+{plies}"),
        Some((_, plies)) => format!("\u{2212}{plies}"),
        None => match bare {
            "win" => "+".to_owned(),
            "loss" => "\u{2212}".to_owned(),
            "draw" => "=".to_owned(),
            other => other.replace('-', "\u{2212}"),
        },
    };
    format!("{open}{words}")
}

fn controls(place: &Place) -> Markup {
    let back = place.cut(place.moves.len().saturating_sub(1));
    html! {
        nav class="controls" aria-label="Game" {
            a id="new" href=(address(&Place { moves: Vec::new(), fen: None, game: place.game.clone() })) { "New" }
            @if place.moves.is_empty() { span class="off" { "Take back" } } @else { a id="back" href=(address(&back)) { "Take back" } }
            button type="button" id="forward" disabled { "Forward" }
            button type="button" id="flip" aria-pressed="false" { "Flip" }
            button type="button" id="hints" aria-pressed="true" { "Values" }
            button type="button" id="copy-position" { "Copy position" }
            button type="button" id="copy-link" { "Copy link" }
        }
    }
}

fn players(engines: &[&str]) -> Markup {
    let side = |number: u8| {
        html! {
            label { "Player " (number) " "
                select id={ "player" (number) } {
                    option value="" { "a person" }
                    option value="perfect" { "grundy, perfect" }
                    option value="slips" { "grundy, slips now and then" }
                    @for engine in engines { option value={ "engine " (engine) } { (engine) } }
                }
            }
        }
    };
    html! { div class="players" { (side(1)) (side(2)) } }
}

/// The moves, best first.
fn values(place: &Place, answer: &Answer) -> Markup {
    let to = |word: &str| {
        let mut next = place.clone();
        next.moves.push(word.to_owned());
        address(&next)
    };
    html! {
        section aria-labelledby="moves-title" {
            h2 id="moves-title" { "Moves" }
            label class="unit" { "Values in "
                select id="unit" {
                    @if answer.unit == "points" { option value="points" { "points" } }
                    @else { option value="plies" { "plies" } option value="moves" { "moves of the winner" } }
                }
            }
            p id="search" role="status" { @if !answer.complete && answer.over.is_none() { "Values are looked for .." } }
            ol id="moves" class="moves" {
                @for m in answer.moves.iter().take(LISTED) {
                    li { a href=(to(&m.r#move)) data-move=(m.r#move) {
                        span class="word" { (m.note.as_deref().unwrap_or(&m.r#move)) }
                        span class={ "v " (m.result) } data-value=(m.value) { (short(&m.value)) }
                        @if let Some(mark) = &m.loony { span class="loony" title=(LOONY) { (mark) } }
                    } }
                }
            }
            @if answer.truncated || answer.moves.len() > LISTED { p class="faint" { "More moves are legal than are listed." } }
            p class="main" { button type="button" id="mainline" { "Main line" } " " span id="line" {} }
        }
    }
}

/// The moves so far, the value after each of them, and what each cost.
fn history(place: &Place, course: &Course, unit: Unit) -> Markup {
    let judged = |at: usize| course.moves.get(at).copied().unwrap_or(Judged::Open);
    html! {
        section aria-labelledby="game-title" {
            h2 id="game-title" { "Game" }
            @if course.outcomes.len() > 1 { (drawn(&course.outcomes, unit)) }
            ol class="history" id="history" {
                @for (at, word) in place.moves.iter().enumerate() {
                    li class=[judged(at).loses_value().then_some("slip")] {
                        a href=(address(&place.cut(at + 1))) aria-current=[(at + 1 == place.moves.len()).then_some("true")] { (word) }
                        @if let Some(words) = judged(at).words() { span class="mark" title=(words) { (if judged(at).loses_value() { "?" } else { "~" }) } }
                    }
                }
            }
            @if place.moves.is_empty() { p class="faint" id="none" { "No moves yet." } }
            p id="audit" class="remark" { (audit::summary(&course.moves).unwrap_or_default()) }
            ol id="slips" class="slips" {
                @for (at, word) in place.moves.iter().enumerate() {
                    @if let Some(words) = judged(at).words() { li { "Move " (at + 1) ", " (word) ": " (words) } }
                }
            }
        }
    }
}

/// The course of the game as a line: up is good for player one.
fn drawn(graph: &[Option<Wdl>], unit: Unit) -> Markup {
    let width = graph.len().saturating_sub(1).max(1);
    let height = |wdl: Wdl| match wdl {
        Wdl::Win => 0.5,
        Wdl::Draw => 1.5,
        Wdl::Loss => 2.5,
    };
    let step = 20.0 / width as f64;
    let known: Vec<(f64, f64)> = graph
        .iter()
        .enumerate()
        .filter_map(|(at, outcome)| outcome.map(|wdl| (at as f64 * step + 0.4, height(wdl))))
        .collect();
    let line: Vec<String> = known.iter().map(|(x, y)| format!("{x:.2},{y}")).collect();
    let what = if unit.is_points() { "by the final score" } else { "with best play" };
    html! {
        svg class="graph" viewBox="0 0 20.8 3" role="img" aria-label={ "Who wins " (what) " after each move: top is player 1" } {
            path class="axis" d="M0 1.5h20.8" {}
            polyline points=(line.join(" ")) {}
            @for (x, y) in &known { circle cx=(format!("{x:.2}")) cy=(y) r=".16" {} }
        }
    }
}

/// Another position, other parameters, other moves.
fn input(row: Option<&'static Row>, place: &Place, answer: &Answer, files: bool) -> Markup {
    html! {
        section aria-labelledby="input-title" {
            h2 id="input-title" { "Position" }
            form method="get" action=(format!("/game/{}", encoded(&place.game).replace('+', "%20"))) {
                label for="fen" { "Position in one line" }
                input id="fen" name="fen" value=(answer.position) spellcheck="false" autocomplete="off";
                label for="pasted" { "Moves from there, split by blanks" }
                input id="pasted" name="moves" spellcheck="false" autocomplete="off";
                button type="submit" { "Show" }
            }
        }
        section aria-labelledby="parameters-title" {
            h2 id="parameters-title" { "Another game" }
            @if let Some(row) = row { (parameters::form(row, &answer.game, files)) }
            form id="parameters" {
                label for="name" { "Any game by its full name" }
                input id="name" name="name" value=(answer.game) spellcheck="false" autocomplete="off";
                @if let Some(row) = row {
                    p class="faint" { "Default " code { (row.default) } ". " @if !row.parameters.is_empty() { "Parameters: " code { (row.parameters) } "." } }
                }
                button type="submit" { "Open" }
            }
        }
    }
}

/// Files of the pages.
pub async fn asset(Path(name): Path<String>) -> Response {
    let (kind, text) = match name.as_str() {
        "board.css" => {
            let style = concat!(include_str!("../assets/board.css"), "\n");
            return (
                [(header::CONTENT_TYPE, "text/css"), (header::CACHE_CONTROL, "max-age=600")],
                format!("{}{style}", grundy_draw::STYLE),
            )
                .into_response();
        }
        "board.js" => ("text/javascript", include_str!("../assets/board.js")),
        "icon.svg" => ("image/svg+xml", include_str!("../assets/icon.svg")),
        _ => return not_found(&name),
    };
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "max-age=600")], text).into_response()
}

/// Whatever else is asked for.
pub async fn missing(uri: Uri) -> Response {
    not_found(uri.path())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_said_with_sign_and_number() {
        assert_eq!(spoken("win:12", 2), "+ wins in 12 plies");
        assert_eq!(spoken("loss:1", 2), "\u{2212} player 2 wins in 1 ply");
        assert_eq!(
            (short("win:12"), short("loss:7"), short("draw")),
            ("+12".into(), "\u{2212}7".into(), "=".into())
        );
        assert_eq!((short("-3"), short("?"), short("~+2")), ("\u{2212}3".into(), "?".into(), "~+2".into()));
    }
}

//! The page of a position, one for every position of every game.
//!
//! A page works without its script: every move is a link. The script adds the keyboard, clicks on the board, and answers that
//! take time.

use std::time::Duration;

use axum::Json;
use axum::extract::{Path, Query};
use axum::http::{StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use grundy::game::Player;
use grundy::session::{Description, Row, Session, Shape};
use grundy::text::json_in_script;
use grundy::value::{Unit, Wdl};
use grundy_draw::graph::Graph;
use grundy_draw::graph_page::{self, controls as round_controls};
use grundy_draw::graph_svg::{self, Here, linked};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::json;

use crate::address::{address, encoded};
use crate::answer::Answer;
use crate::api::Asked;
use crate::app::{Effort, State};
use crate::audit::{self, Course, Judged, Worth, course};
use crate::cache::Lifetime;
use crate::error::ApiError;
use crate::games::PositionRef;
use crate::parameters;
use crate::words::{Sides, counted, short, spoken};

/// The most moves of a game that are judged and drawn as a graph.
const LONGEST_GRAPH: usize = 400;
/// The most positions of a game on a graph that are drawn as a whole.
const LARGEST_GRAPH: usize = 120;
/// The longest move that fits a narrow column of the list, in bytes.
const LONG_WORD: usize = 9;
/// The colours of pictures in the dark.
pub const DARK: &str = include_str!("../assets/dark.css");
/// The most moves that are listed on a page.
pub const LISTED: usize = 400;

/// Puts a body into the frame of all pages.
pub fn page(title: &str, body: &Markup) -> Html<String> {
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

/// A position as a page shows it.
struct View {
    answer: Answer,
    course: Course,
    unit: Unit,
    svg: String,
    /// The position as text, with marks from the game.
    text: String,
    description: Option<Description>,
    /// The moves as the game writes them.
    moves: Vec<String>,
}

/// `GET /game/{game}?fen=..&moves=..`: a position, with what is known of it at once.
pub async fn game(app: State, Path(game): Path<String>, Query(asked): Query<Asked>) -> Response {
    let mut target = asked.target(&game);
    let row = app.catalog.row(&game);
    let files = !app.folders.is_empty();
    let (catalog, asked) = (app.catalog, target.clone());
    let viewed = app.with(&target, Effort::Known, move |session, work| {
        let (answer, text) = (Answer::find(session, Duration::ZERO, work), session.draw_game());
        // As the game writes them.
        let asked = PositionRef { moves: session.history().to_vec(), ..asked };
        let course = course(session, &asked, LONGEST_GRAPH, None);
        let graph = row.filter(|row| row.shape == Shape::Node).and_then(|_| graph_of(session, &asked));
        let svg =
            graph.unwrap_or_else(|| grundy_draw::svg_of_game(&catalog, session.name(), &course.positions()));
        let description = row.map(|row| row.describe(session.name()));
        View { answer, course, unit: session.unit(), svg, text, description, moves: asked.moves }
    });
    let View { mut answer, course, unit, svg, text, description, moves } = match viewed.await {
        Ok(view) => view,
        Err(ApiError::BadRequest(why)) => return refused(row, &target, &why, files),
        Err(error) => return error.into_response(),
    };
    target.moves = moves;
    answer.game = app.games.shown(&answer.game);
    let sides = Sides::of(&answer, unit, description.as_ref().map(|described| described.players.clone()));
    let title = description.as_ref().map_or(&target.game, |described| &described.title);
    let title = format!("{title} - grundy");
    let engines: Vec<&str> = app.engines.iter().map(|engine| engine.name.as_str()).collect();
    let body = html! {
        main id="main" class="play" {
            div class="left" {
                @if let Some(described) = &description {
                    h1 { (described.title) }
                    p class="faint" id="game-rules" { (described.rules) " " code { (answer.game) } }
                } @else { h1 { (answer.game) } }
                div id="board" { (PreEscaped(&svg)) }
                details class="text" { summary { "As text" } pre id="text-board" { (text) } }
                p id="standing" { (standing(&answer, row, &sides)) }
                (controls(&target))
                (players(&engines, &sides, answer.complete))
            }
            div class="right" {
                (values(&target, &answer, &sides))
                (history(&target, &course, unit))
                (input(row, &target, &answer, files))
            }
            script type="application/json" id="data" { (PreEscaped(data(&target, &answer, &course, &sides))) }
        }
    };
    page(&title, &body).into_response()
}

/// `GET /api/{game}/review`: the section of the page with the moves so far, each judged by the values that are proved from the
/// last position to the first.
pub async fn review(
    app: State,
    Path(game): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, ApiError> {
    let (target, time) = (asked.target(&game), asked.time().min(app.limit));
    let (asked, settings) = (target.clone(), app.settings.clone());
    let (section, complete) = app
        .with(&target, Effort::Search(app.limit), move |session, work| {
            let asked = PositionRef { moves: session.history().to_vec(), ..asked };
            let course = course(session, &asked, LONGEST_GRAPH, Some((&settings, &work.within(time))));
            let complete = !course.moves.contains(&Judged::Open);
            (history(&asked, &course, session.unit()).into_string(), complete)
        })
        .await?;
    let mut response = Json(json!({ "html": section, "complete": complete })).into_response();
    if complete && !target.game.contains("file=") {
        response.extensions_mut().insert(Lifetime::Forever);
    }
    Ok(response)
}

/// Draws the whole graph of a game on a graph, with the token, the values, and a slider over the rounds of retrograde
/// analysis; `None` if it has too many positions.
fn graph_of(session: &Session, target: &PositionRef) -> Option<String> {
    let mut whole = session.fork();
    whole.setup(target.fen.as_deref()).ok()?;
    let graph = Graph::explore(&mut whole, LARGEST_GRAPH).ok()?;
    let link = |word: &str| {
        address(&PositionRef { moves: [&target.moves[..], &[word.to_owned()]].concat(), ..target.clone() })
    };
    let here = Here { position: &session.position(), link: &link };
    Some(linked(&graph, &here) + &round_controls(&graph, None))
}

/// Writes what the script needs; nothing in it can end the script element.
fn data(target: &PositionRef, answer: &Answer, course: &Course, sides: &Sides) -> String {
    let turns: Vec<u8> =
        course.stages.iter().map(|stage| if stage.turn == Player::One { 1 } else { 2 }).collect();
    let data = json!({
        "game": target.game, "fen": target.fen, "moves": target.moves, "turns": turns, "answer": answer,
        "denominator": sides.denominator, "players": sides.players,
    });
    json_in_script(&data.to_string())
}

/// Shows a refused name, position or move: what is wrong, and links to go on from.
fn refused(row: Option<&'static Row>, target: &PositionRef, why: &str, files: bool) -> Response {
    let body = html! {
        main id="main" {
            h1 { "This cannot be shown" }
            p class="error" { (why) }
            @if let Some(row) = row {
                p { (row.name) ": " (row.about) ". Parameters: " code { (if row.parameters.is_empty() { "none" } else { row.parameters }) } "." }
                p { a href=(address(&PositionRef::new(row.default, None, None))) { "Open " (row.default) } }
                (parameters::form(row, &target.game, files))
            }
            @if target.fen.is_some() || !target.moves.is_empty() {
                p { a href=(address(&PositionRef::new(&target.game, None, None))) { "The start of " (target.game) } }
            }
        }
    };
    (StatusCode::BAD_REQUEST, page("grundy: refused", &body)).into_response()
}

/// Says who is to move, the value of the position, and how the game ended.
fn standing(answer: &Answer, row: Option<&Row>, sides: &Sides) -> Markup {
    html! {
        @match answer.over {
            Some("draw") => strong { "Over: a draw." },
            Some(winner) => strong { "Over: " (sides.name(if winner == "1" { 1 } else { 2 })) " has won." },
            None => {
                strong { (sides.name(answer.turn)) " to move: " }
                span id="value" class={ "v " (answer.result) } data-value=(answer.value) { (spoken(&answer.value, sides)) }
            }
        }
        " " (tally(row, &answer.position, answer.score).unwrap_or_default())
        @if let Some(grundy) = answer.grundy { " Grundy number " (grundy) "." }
        @if let Some(mark) = &answer.loony { span id="loony" data-mark=(mark) { " " (next_loony(*mark, answer.turn)) } }
        span id="remarks" { @for remark in &answer.remarks { br; span class="remark" { (remark) } } }
    }
}

/// Says the score so far in games for points, or how many discs each player has if only these will count.
pub fn tally(row: Option<&Row>, position: &str, score: Option<(i32, i32)>) -> Option<String> {
    let (one, two) = score?;
    if row.is_some_and(|row| row.shape == Shape::Discs) {
        let board = position.split_whitespace().next().unwrap_or("");
        let [one, two] = ['X', 'O'].map(|disc| board.matches(disc).count());
        return Some(format!("Discs {one}\u{2011}{two}."));
    }
    Some(format!("Score {one}\u{2011}{two}."))
}

/// The legend of the mark behind a move's value in Dots-and-Boxes.
const LOONY: &str =
    "Who makes the next loony move: v who makes this move, ^ the other, - nobody, ? not found yet";

/// Says who makes the next loony move.
fn next_loony(mark: char, turn: u8) -> String {
    match mark {
        'v' => format!("Next loony move: player {turn} (v)."),
        '^' => format!("Player {} makes the next loony move, or has just made one (^).", 3 - turn),
        '-' => "Nobody makes a loony move.".to_owned(),
        _ => "Next loony move: not found yet (?).".to_owned(),
    }
}

fn controls(target: &PositionRef) -> Markup {
    let back = target.cut(target.moves.len().saturating_sub(1));
    html! {
        nav class="controls" aria-label="Game" {
            a id="new" href=(address(&PositionRef { moves: Vec::new(), fen: None, game: target.game.clone() })) { "New" }
            @if target.moves.is_empty() { span class="off" { "Take back" } } @else { a id="back" href=(address(&back)) { "Take back" } }
            button type="button" id="forward" disabled { "Forward" }
            button type="button" id="engine-move" hidden { "Engine moves" }
            button type="button" id="flip" aria-pressed="false" { "Flip" }
            button type="button" id="hints" aria-pressed="true" { "Values" }
            button type="button" id="copy-position" { "Copy position" }
            button type="button" id="copy-link" { "Copy link" }
            button type="button" id="puzzle" { "Puzzle" }
            button type="button" id="present" aria-pressed="false" { "Present" }
            details class="menu" id="save" {
                summary { "Save" }
                div {
                    @for (format, label) in [("svg", "Picture (SVG)"), ("png", "Picture (PNG)"), ("pgn", "Game (PGN)"), ("record", "Game (record)")] {
                        button type="button" data-save=(format) { (label) }
                    }
                }
            }
            button type="button" id="keys" aria-label="Keys" { "?" }
        }
    }
}

/// Asks who plays each side. Grundy plays perfectly only if the values are known.
fn players(engines: &[&str], sides: &Sides, exact: bool) -> Markup {
    let side = |number: u8| {
        html! {
            label { (sides.name(number)) " "
                select id={ "player" (number) } {
                    option value="" { "a person" }
                    option value="perfect" { (if exact { "grundy, perfect" } else { "grundy" }) }
                    @for level in 1..=8 { option value={ "level " (level) } { "grundy, level " (level) } }
                    option value="slips" { "grundy, slips now and then" }
                    @for engine in engines { option value={ "engine " (engine) } { (engine) } }
                }
            }
        }
    };
    html! { div class="players" { (side(1)) (side(2)) } }
}

/// Lists the moves, best first.
fn values(target: &PositionRef, answer: &Answer, sides: &Sides) -> Markup {
    let to = |word: &str| {
        let mut next = target.clone();
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
            " "
            label class="unit" { "Show "
                select id="shown" {
                    option value="all" { "all values" }
                    option value="best" { "the best moves" }
                    option value="ask" { "none until asked" }
                }
            }
            p id="search" role="status" { @if !answer.complete && answer.over.is_none() { "Values are being looked for .." } }
            @let long = answer.moves.iter().take(LISTED).any(|m| m.r#move.len() > LONG_WORD);
            ol id="moves" class={ "moves" @if long { " wide" } } {
                @for m in answer.moves.iter().take(LISTED) {
                    li { a href=(to(&m.r#move)) data-move=(m.r#move) {
                        span class="word" { (breakable(m.note.as_deref().unwrap_or(&m.r#move))) }
                        span class={ "v " (m.result) } data-value=(m.value) title=(spoken(&m.value, sides)) { (short(&m.value)) }
                        @if let Some(mark) = &m.loony { span class="loony" title=(LOONY) { (mark) } }
                    } }
                }
            }
            (legend(answer))
            @if answer.truncated || answer.moves.len() > LISTED { p class="faint" { "More moves are legal than are listed." } }
            p class="main" { button type="button" id="mainline" { "Main line" } " " span id="line" {} }
        }
    }
}

/// Explains the signs that the list may show.
fn legend(answer: &Answer) -> Markup {
    let points = answer.unit == "points";
    html! {
        details class="legend faint" id="legend" {
            summary { "Signs" }
            dl {
                @if points { dt { "+3 \u{2212}3" } dd { "points that the player to move gains or loses from here on" } }
                @else { dt { "+7 \u{2212}8" } dd { "the player to move wins or loses, with the distance to the end" } }
                dt { "=" } dd { "a draw" }
                dt { "?" } dd { "not proved yet" }
                dt { "~" } dd { "a judgement, not proved" }
                @if answer.loony.is_some() { dt { "v ^ -" } dd { (LOONY) } }
            }
        }
    }
}

/// Lets a long word break behind its punctuation only.
fn breakable(word: &str) -> Markup {
    html! {
        @for piece in word.split_inclusive([':', '-', '/', ',']) { (piece) wbr; }
    }
}

/// Lists the moves so far, with what each cost and the graph of their values.
fn history(target: &PositionRef, course: &Course, unit: Unit) -> Markup {
    let judged = |at: usize| course.moves.get(at).copied().unwrap_or(Judged::Open);
    html! {
        @let open = course.moves.len() <= LONGEST_GRAPH && course.moves.contains(&Judged::Open);
        section id="game-section" aria-labelledby="game-title" {
            h2 id="game-title" { "Game" }
            @if course.stages.len() > 1 { (graph(target, course, unit)) }
            ol class="history" id="history" {
                @for (at, word) in target.moves.iter().enumerate() {
                    li class=[judged(at).loses_value().then_some("slip")] {
                        a href=(address(&target.cut(at + 1))) aria-current=[(at + 1 == target.moves.len()).then_some("true")] { (word) }
                        @if let Some(words) = judged(at).words() { span class="mark" title=(words) { (if judged(at).loses_value() { "?" } else { "~" }) } }
                    }
                }
            }
            @if target.moves.is_empty() { p class="faint" id="none" { "No moves yet." } }
            p id="audit" class="remark" { (audit::summary(&course.moves).unwrap_or_default()) }
            @if open { button type="button" id="review" hidden { "Review" } }
            ol id="slips" class="slips" {
                @for (at, word) in target.moves.iter().enumerate() {
                    @if let Some(words) = judged(at).words() { li { "Move " (at + 1) ", " (word) ": " (words) } }
                }
            }
        }
    }
}

/// Draws the values of a game so far for player one, who is better above the middle: the final margin in games for points,
/// else who wins, higher the sooner.
fn graph(target: &PositionRef, course: &Course, unit: Unit) -> Markup {
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
        .map(|(at, worth)| (*at, *at as f64 * step + 1.6, 1.7 - 1.3 * height(worth), told(worth, unit)))
        .collect();
    let line: Vec<String> = points.iter().map(|(_, x, y, _)| format!("{x:.2},{y:.2}")).collect();
    let ends = match unit.is_points() {
        true => [f64::from(widest), -f64::from(widest)].map(|margin| margin_text(margin, unit)),
        false => ["1".to_owned(), "2".to_owned()],
    };
    html! {
        svg class="graph" viewBox="0 0 22.2 3.4" role="group" aria-label="Value after each move: player 1 is better above the middle" {
            path class="axis" d="M1.4 1.7h20.6M1.4 .3v2.8" {}
            text x="1.2" y=".6" { (ends[0]) }
            text x="1.2" y="1.86" { (if unit.is_points() { "0" } else { "=" }) }
            text x="1.2" y="3.1" { (ends[1]) }
            polyline points=(line.join(" ")) {}
            @for (at, x, y, told) in &points {
                @let name = match at { 0 => "Start".to_owned(), _ => format!("Move {at}, {}", target.moves[at - 1]) };
                a href=(address(&target.cut(*at))) aria-label={ (name) ": " (told) } {
                    circle cx=(format!("{x:.2}")) cy=(format!("{y:.2}")) r=".2" { title { (name) ": " (told) } }
                }
            }
        }
    }
}

/// Says a value of a game's graph.
fn told(worth: &Worth, unit: Unit) -> String {
    let plies = worth.plies.map_or_else(String::new, |plies| format!(" in {}", counted(&plies.to_string())));
    match (worth.margin.filter(|_| unit.is_points()), worth.outcome) {
        (Some(0), _) => "the final score is even".to_owned(),
        (Some(margin), _) => {
            let (player, by) = (if margin > 0 { 1 } else { 2 }, margin_text(f64::from(margin.abs()), unit));
            format!("player {player} wins by {}", by.trim_start_matches('+'))
        }
        (None, Wdl::Win) => format!("player 1 wins{plies}"),
        (None, Wdl::Draw) => "a draw".to_owned(),
        (None, Wdl::Loss) => format!("player 2 wins{plies}"),
    }
}

/// Writes a margin that is counted in parts of a point.
fn margin_text(margin: f64, unit: Unit) -> String {
    format!("{:+}", margin / f64::from(unit.denominator().get())).replace('-', "\u{2212}")
}

/// The forms for another position, other moves, other parameters.
fn input(row: Option<&'static Row>, target: &PositionRef, answer: &Answer, files: bool) -> Markup {
    html! {
        section aria-labelledby="input-title" {
            h2 id="input-title" { "Position" }
            form method="get" action=(format!("/game/{}", encoded(&target.game).replace('+', "%20"))) {
                label for="fen" { "Position in one line" }
                input id="fen" name="fen" value=(answer.position) spellcheck="false" autocomplete="off";
                label for="pasted" { "Moves from there, split by blanks; or a PGN" }
                textarea id="pasted" name="moves" rows="2" spellcheck="false" autocomplete="off" {}
                button type="submit" { "Show" }
                div id="found" role="status" {}
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

/// `GET /assets/{name}`: the files of the pages.
pub async fn asset(Path(name): Path<String>) -> Response {
    let (kind, text) = match name.as_str() {
        "board.css" => {
            let style = concat!(include_str!("../assets/board.css"), "\n");
            return (
                [(header::CONTENT_TYPE, "text/css"), (header::CACHE_CONTROL, "max-age=600")],
                format!("{}{}{DARK}{style}", grundy_draw::STYLE, graph_svg::STYLE),
            )
                .into_response();
        }
        "board.js" => {
            let script = include_str!("../assets/board.js").to_owned() + graph_page::SCRIPT;
            return (
                [(header::CONTENT_TYPE, "text/javascript"), (header::CACHE_CONTROL, "max-age=600")],
                script,
            )
                .into_response();
        }
        "icon.svg" => ("image/svg+xml", include_str!("../assets/icon.svg")),
        _ => return not_found(&name),
    };
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "max-age=600")], text).into_response()
}

/// Answers requests for anything else.
pub async fn missing(uri: Uri) -> Response {
    not_found(uri.path())
}

fn not_found(what: &str) -> Response {
    (StatusCode::NOT_FOUND, format!("{what} is not here\n")).into_response()
}

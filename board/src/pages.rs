//! The page of a position, one for every position of every game.
//!
//! A page works without its script: every move is a link. The script adds the keyboard, clicks on the board, and answers that
//! take time.

use std::time::Duration;

use axum::Json;
use axum::extract::{Path, Query};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use grundy::game::Player;
use grundy::session::{Canonical, Description, Grundy, Row, Session, Shape};
use grundy::text::json_in_script;
use grundy::value::Unit;
use grundy_draw::graph::Graph;
use grundy_draw::graph_page::controls as round_controls;
use grundy_draw::graph_svg::{Here, linked};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde::Deserialize;
use serde_json::json;

use crate::address::{address, encoded};
use crate::answer::Answer;
use crate::api::Asked;
use crate::app::{App, Effort, State};
use crate::audit::{Course, Judged, course};
use crate::cache::Lifetime;
use crate::error::ApiError;
use crate::games::PositionRef;
use crate::history::{LONGEST_GRAPH, Shown};
use crate::occupants;
use crate::parameters;
use crate::puzzles;
use crate::texts::{self, Named, Texts};
use crate::words::{Sides, names, short, spoken};

/// The most positions of a game on a graph that are drawn as a whole.
const LARGEST_GRAPH: usize = 120;
/// The longest move that fits a narrow column of the list, in bytes.
const LONG_WORD: usize = 9;
/// The most moves that are listed on a page.
pub const LISTED: usize = 400;

/// Puts a body into the frame of all pages.
pub fn page(title: &str, texts: Texts, body: &Markup) -> Html<String> {
    let page = html! {
        (DOCTYPE)
        html lang=(texts.code) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                link rel="stylesheet" href="/assets/board.css";
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                script src={ "/assets/board.js?lang=" (texts.code) } defer {}
            }
            body {
                a class="skip" href="#main" { (texts.get("skip")) }
                header {
                    a class="home" href="/" { "grundy" }
                    span class="motto" { (texts.get("motto")) }
                    nav class="languages" aria-label=(texts.get("languages")) {
                        @for table in texts::all() {
                            a href={ "/language?lang=" (table.code) } data-lang=(table.code) lang=(table.code) hreflang=(table.code)
                                aria-current=[(table.code == texts.code).then_some("true")] { (table.get("language")) }
                        }
                    }
                }
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
    /// True if the picture is of the whole graph of the game.
    whole: bool,
    /// The position as text, with marks from the game.
    text: String,
    description: Option<Description>,
    /// The moves as the game writes them.
    moves: Vec<String>,
}

/// `GET /game/{game}?fen=..&moves=..`: a position, with what is known of it at once.
pub async fn game(
    app: State,
    texts: Texts,
    Path(game): Path<String>,
    Query(asked): Query<Asked>,
    Query(Posed { puzzle, rating }): Query<Posed>,
) -> Response {
    let mut target = asked.target(&game);
    let row = app.catalog.row(&game);
    let files = !app.settings.files.folders().is_empty();
    let (catalog, asked) = (app.catalog, target.clone());
    let viewed = app.with(&target, Effort::Known, move |session, work| {
        let (answer, text) = (Answer::find(session, Duration::ZERO, work), session.draw_game());
        // As the game writes them.
        let asked = PositionRef { moves: session.history().to_vec(), ..asked };
        let course = course(session, &asked, LONGEST_GRAPH, None);
        let graph =
            row.filter(|row| row.shape == Shape::Node).and_then(|_| graph_of(session, &asked, None, texts));
        let whole = graph.is_some();
        let svg =
            graph.unwrap_or_else(|| grundy_draw::svg_of_game(&catalog, session.name(), &course.positions()));
        let description = row.map(|row| row.describe(session.name()));
        View { answer, course, unit: session.unit(), svg, whole, text, description, moves: asked.moves }
    });
    let View { mut answer, course, unit, svg, whole, text, description, moves } = match viewed.await {
        Ok(view) => view,
        Err(ApiError::BadRequest(why)) => return refused(&app, texts, &target, &why),
        Err(error) => return error.into_response(),
    };
    target.moves = moves;
    answer.game = app.games.shown(&answer.game);
    let sides =
        Sides::of(&answer, unit, description.as_ref().map(|described| described.players.clone()), texts);
    let svg = match row {
        Some(row) => occupants::named(svg, row, &answer.position, &sides.players, texts),
        None => svg,
    };
    let svg = occupants::captioned(svg, texts);
    let title = match (&description, row) {
        (Some(described), Some(row)) => texts.title(row.name, row.title, &described.title, &answer.game),
        _ => target.game.clone(),
    };
    let engines: Vec<&str> = app.engines.iter().map(|engine| engine.name.as_str()).collect();
    let uploaded = app.uploads.as_ref().is_some_and(|uploads| uploads.text_of(&answer.game).is_some());
    let shown = Shown { target: &target, course: &course, unit, players: &sides.players, texts };
    let body = html! {
        main id="main" class="play" {
            div class="left" {
                h1 { (title) }
                @if let Some(number) = puzzle { (puzzles::posed(&target.game, number, rating, &answer, texts)) }
                @if let Some(described) = &description {
                    p class="faint" id="game-rules" lang="en" { (described.rules) " " code { (answer.game) } }
                    @if let Some(row) = row { (more(row, texts)) }
                }
                div id="board" { (PreEscaped(&svg)) }
                div id="ahead" aria-hidden="true" hidden { span { (sides.name(1)) } div { div {} } span { (sides.name(2)) } }
                p id="clocks" hidden {}
                p id="standing" { (standing(&answer, row, &sides)) }
                p id="search" role="status" { @if !answer.complete && answer.over.is_none() { (texts.get("looking")) } }
                (controls(&target, turns(row), app.framed, texts))
                (players(&engines, &sides, answer.complete))
                @if !whole {
                    details id="whole" hidden { summary { (texts.get("whole")) } div {} }
                }
                details class="text" { summary { (texts.get("as-text")) } pre id="text-board" { (text) } }
            }
            div class="right" {
                (values(&target, &answer, &sides))
                (shown.section())
                (input(row, &target, &answer, files, texts))
            }
            script type="application/json" id="data" { (PreEscaped(data(&target, &answer, &course, &sides, uploaded))) }
        }
    };
    page(&format!("{title} - grundy"), texts, &body).into_response()
}

/// The query of a page with a puzzle.
#[derive(Deserialize)]
pub struct Posed {
    /// Its number.
    puzzle: Option<u64>,
    /// How hard it is.
    rating: Option<u32>,
}

/// `GET /api/{game}/rounds`: the graph of all positions of a game, or of those that follow from the position if it has too
/// many, with a slider over the rounds of retrograde analysis, in the language that the query names.
pub async fn rounds(
    app: State,
    Path(game): Path<String>,
    Query(asked): Query<Asked>,
    Query(Named { lang }): Query<Named>,
) -> Result<Response, ApiError> {
    let (target, asked, texts) = (asked.target(&game), asked.target(&game), texts::named(&lang));
    let drawn = app.with(&target, Effort::Rules, move |session, _| {
        let here = PositionRef { moves: session.history().to_vec(), ..asked };
        graph_of(session, &here, None, texts)
            .or_else(|| graph_of(session, &here, Some(&session.position()), texts))
    });
    let most = format!("more than {LARGEST_GRAPH} positions: expected a smaller game or a later position");
    let html = drawn.await?.ok_or(ApiError::BadRequest(most))?;
    Ok(Json(json!({ "html": html })).into_response())
}

/// `GET /api/{game}/review`: the section of the page with the moves so far, each judged by the values that are proved from the
/// last position to the first, in the language that the query names.
pub async fn review(
    app: State,
    Path(game): Path<String>,
    Query(asked): Query<Asked>,
    Query(Named { lang }): Query<Named>,
) -> Result<Response, ApiError> {
    let (target, time, texts) = (asked.target(&game), asked.time().min(app.limit), texts::named(&lang));
    let (asked, settings, row) = (target.clone(), app.settings.clone(), app.catalog.row(&game));
    let (section, complete) = app
        .with(&target, Effort::Search(app.limit), move |session, work| {
            let asked = PositionRef { moves: session.history().to_vec(), ..asked };
            let course = course(session, &asked, LONGEST_GRAPH, Some((&settings, &work.within(time))));
            let complete = !course.moves.contains(&Judged::Open);
            let players = names(row.map(|row| row.describe(session.name()).players), texts);
            let shown =
                Shown { target: &asked, course: &course, unit: session.unit(), players: &players, texts };
            (shown.section().into_string(), complete)
        })
        .await?;
    let mut response = Json(json!({ "html": section, "complete": complete })).into_response();
    if complete && !target.game.contains("file=") {
        response.extensions_mut().insert(Lifetime::Forever);
    }
    Ok(response)
}

/// Draws the graph of the positions that follow from `start`, or from where the game began, with the session's position, the
/// values, and a slider over the rounds of retrograde analysis; `None` if there are too many positions.
fn graph_of(session: &Session, target: &PositionRef, start: Option<&str>, texts: Texts) -> Option<String> {
    let mut whole = session.at_start();
    whole.setup_typed(start.or(target.fen.as_deref())).ok()?;
    let graph = Graph::explore(&mut whole, LARGEST_GRAPH, &|_| {}).ok()?;
    let link = |word: &str| {
        address(&PositionRef { moves: [&target.moves[..], &[word.to_owned()]].concat(), ..target.clone() })
    };
    let found = |round: Option<u32>| match round {
        Some(0) => texts.get("found-finished").to_owned(),
        Some(round) => texts.fill("found-round", &[("round", &round.to_string())]),
        None => texts.get("found-never").to_owned(),
    };
    let (position, label) = (session.position(), texts.get("whole"));
    let here = Here { position: &position, label, link: &link, value: &short, found: &found };
    Some(linked(&graph, &here) + &round_controls(&graph, None))
}

/// Writes what the script needs; nothing in it can end the script element.
fn data(target: &PositionRef, answer: &Answer, course: &Course, sides: &Sides, uploaded: bool) -> String {
    let turns: Vec<u8> =
        course.stages.iter().map(|stage| if stage.turn == Player::One { 1 } else { 2 }).collect();
    let data = json!({
        "game": target.game, "fen": target.fen, "moves": target.moves, "turns": turns, "answer": answer,
        "denominator": sides.denominator, "players": sides.players, "uploaded": uploaded,
    });
    json_in_script(&data.to_string())
}

/// Shows a refused name, position or move: what is wrong, and links to go on from.
pub fn refused(app: &App, texts: Texts, target: &PositionRef, why: &str) -> Response {
    let row = app.catalog.row(&target.game);
    let start = |game: &str| address(&PositionRef::new(game, None, None));
    let body = html! {
        main id="main" {
            h1 { (texts.get("refused")) }
            p class="error" id="refusal" role="status" { (why) }
            @if let Some(row) = row {
                p {
                    span lang="en" { (row.name) ": " (row.about) ". " } (texts.get("parameters")) ": "
                    @if row.parameters.is_empty() { (texts.get("none")) } @else { code { (row.parameters) } } "."
                }
                p { a href=(start(row.default)) { (texts.fill("open-default", &[("game", row.default)])) } }
                (parameters::form(row, &target.game, !app.settings.files.folders().is_empty(), texts))
            } @else {
                p { a href="/" { (texts.get("games")) } }
            }
            @if target.fen.is_some() || !target.moves.is_empty() {
                p { a href=(start(&target.game)) { (texts.fill("start-of", &[("game", &target.game)])) } }
            }
        }
    };
    (StatusCode::BAD_REQUEST, page(texts.get("refused"), texts, &body)).into_response()
}

/// Tells more of a game than its rules.
fn more(row: &Row, texts: Texts) -> Markup {
    let facts =
        [("letters", row.letters), ("a-move", row.moves), ("known", row.known), ("solved-by", row.method)];
    html! {
        details class="faint" id="more" {
            summary { (texts.get("more")) }
            dl lang="en" {
                @for (key, fact) in facts.into_iter().filter(|(_, fact)| !fact.is_empty()) {
                    dt lang=(texts.code) { (texts.get(key)) } dd { (fact) }
                }
                @if !row.other_names.is_empty() {
                    dt lang=(texts.code) { (texts.get("also")) }
                    dd { @for (name, game) in row.other_names { a href=(address(&PositionRef::new(game, None, None))) { (name) } " " } }
                }
            }
        }
    }
}

/// Says who is to move, the value of the position, and how the game ended.
fn standing(answer: &Answer, row: Option<&Row>, sides: &Sides) -> Markup {
    let texts = sides.texts;
    let number = match &answer.number {
        Grundy::Number(number) => Some(texts.fill("grundy-number", &[("number", &number.to_string())])),
        nimber @ Grundy::Nimber(_) => {
            Some(texts.fill("canonical-form", &[("form", &Canonical::of(nimber).to_string())]))
        }
        _ => None,
    };
    html! {
        @match answer.over {
            Some("draw") => strong { (texts.get("over-draw")) },
            Some(winner) => strong { (texts.fill("over-won", &[("player", sides.name(if winner == "1" { 1 } else { 2 }))])) },
            None => {
                // The colon is hidden together with the value.
                strong { (texts.fill("to-move", &[("player", sides.name(answer.turn))])) span class="stop" { ": " } }
                span id="value" class={ "v " (answer.result) } data-value=(answer.value) { (spoken(&answer.value, sides)) }
                "."
            }
        }
        " " (tally(row, &answer.position, answer.score, texts).unwrap_or_default())
        @if let Some(number) = &number { " " span id="grundy" { (number) } }
        @if let Some(mark) = answer.loony { span id="loony" data-mark=(mark) { " " (next_loony(mark, sides, answer.turn)) } }
        span id="remarks" lang="en" { @for remark in &answer.remarks { br; span class="remark" { (remark) } } }
    }
}

/// Says the score so far in games for points, or how many discs each player has if only these will count.
pub fn tally(row: Option<&Row>, position: &str, score: Option<(i32, i32)>, texts: Texts) -> Option<String> {
    let (one, two) = score?;
    if row.is_some_and(|row| row.shape == Shape::Discs) {
        let board = position.split_whitespace().next().unwrap_or("");
        let [one, two] = ['X', 'O'].map(|disc| board.matches(disc).count().to_string());
        return Some(texts.fill("discs", &[("one", &one), ("two", &two)]));
    }
    Some(texts.fill("score", &[("one", &one.to_string()), ("two", &two.to_string())]))
}

/// Says who makes the next loony move.
fn next_loony(mark: char, sides: &Sides, turn: u8) -> String {
    let player = match mark {
        'v' => turn,
        '^' => 3 - turn,
        '-' => return sides.texts.get("loony-nobody").to_owned(),
        _ => return sides.texts.get("loony-open").to_owned(),
    };
    sides.texts.fill("loony-next", &[("player", sides.name(player)), ("mark", &mark.to_string())])
}

/// Reports whether the board of a game can be looked at from the other side: heaps, rows and graphs have none.
fn turns(row: Option<&Row>) -> bool {
    use Shape::{
        Banks, Coins, Hands, Heaps, Limited, Node, Numbers, Polygon, Rows, Sets, Stalks, Steps, Strip, Sum,
    };
    let upright = row.is_some_and(|row| {
        matches!(
            row.shape,
            Banks
                | Coins
                | Hands
                | Heaps
                | Limited
                | Node
                | Numbers
                | Polygon
                | Rows
                | Sets
                | Stalks
                | Steps
                | Strip
                | Sum
        )
    });
    !upright
}

fn controls(target: &PositionRef, turns: bool, framed: bool, texts: Texts) -> Markup {
    let back = target.cut(target.moves.len().saturating_sub(1));
    let start = PositionRef { moves: Vec::new(), ..target.clone() };
    let button = |id: &str, key| html! { button type="button" id=(id) { (texts.get(key)) } };
    let hidden = |id: &str, key| html! { button type="button" id=(id) hidden { (texts.get(key)) } };
    let toggle = |id: &str, key, on: bool| html! { button type="button" id=(id) aria-pressed=(on) { (texts.get(key)) } };
    let saves = [("svg", "save-svg"), ("png", "save-png"), ("pgn", "save-pgn"), ("record", "save-record")];
    let clocks = [(1, 0), (3, 2), (5, 0), (10, 5), (30, 0)];
    html! {
        nav class="controls" aria-label=(texts.get("game")) {
            a id="new" href=(address(&PositionRef { fen: None, ..start.clone() })) { (texts.get("new")) }
            @if target.moves.is_empty() { span class="off" { (texts.get("back")) } } @else { a id="back" href=(address(&back)) { (texts.get("back")) } }
            button type="button" id="forward" disabled { (texts.get("forward")) }
            (hidden("engine-move", "engine-moves"))
            a id="rematch" href=(address(&start)) hidden { (texts.get("rematch")) }
            (button("hint", "hint"))
            (toggle("hints", "values", true))
            button type="button" id="flip" aria-pressed="false" hidden[!turns] { (texts.get("flip")) }
            (toggle("present", "present", false))
            a id="puzzle" href=(puzzles::link(puzzles::posable(&target.game), puzzles::today())) { (texts.get("puzzle")) }
            details class="menu" id="share" {
                summary { (texts.get("share")) }
                div {
                    (button("copy-link", "copy-link"))
                    (button("copy-position", "copy-position"))
                    @if framed { (button("copy-frame", "copy-frame")) }
                    (button("qr", "qr"))
                    @for (format, key) in saves {
                        button type="button" data-save=(format) { (texts.get(key)) }
                    }
                }
            }
            details class="menu" id="options" {
                summary { (texts.get("options")) }
                div {
                    (button("resign", "resign"))
                    label { (texts.get("clock")) " "
                        select id="clock" {
                            option value="" { (texts.get("clock-none")) }
                            @for (minutes, seconds) in clocks {
                                option value={ (minutes) "+" (seconds) } {
                                    (texts.fill("clock-of", &[("minutes", &minutes.to_string()), ("seconds", &seconds.to_string())]))
                                }
                            }
                        }
                    }
                    label hidden[!turns] { input type="checkbox" id="turning"; " " (texts.get("turning")) }
                    label { input type="checkbox" id="sound"; " " (texts.get("sound")) }
                }
            }
            button type="button" id="keys" aria-label=(texts.get("keys")) { "?" }
        }
    }
}

/// Asks who plays each side. Grundy plays perfectly only if the values are known.
fn players(engines: &[&str], sides: &Sides, exact: bool) -> Markup {
    let texts = sides.texts;
    let side = |number: u8| {
        html! {
            label { (sides.name(number)) " "
                select id={ "player" (number) } {
                    option value="" { (texts.get("person")) }
                    option value="perfect" { (if exact { texts.get("perfect") } else { texts.get("grundy") }) }
                    @for level in 1..=8 { option value={ "level " (level) } { (texts.fill("level", &[("level", &level.to_string())])) } }
                    option value="slips" { (texts.get("slips")) }
                    @for engine in engines { option value={ "engine " (engine) } { (engine) } }
                }
            }
        }
    };
    html! { div class="players" { (side(1)) (side(2)) } }
}

/// Lists the moves, best first.
fn values(target: &PositionRef, answer: &Answer, sides: &Sides) -> Markup {
    let texts = sides.texts;
    let to = |word: &str| {
        let mut next = target.clone();
        next.moves.push(word.to_owned());
        address(&next)
    };
    html! {
        section aria-labelledby="moves-title" {
            h2 id="moves-title" { (texts.get("moves")) }
            label class="unit" { (texts.get("values-in")) " "
                select id="unit" {
                    @if answer.unit == "points" { option value="points" { (texts.get("points")) } }
                    @else { option value="plies" { (texts.get("plies")) } option value="moves" { (texts.get("winner-moves")) } }
                }
            }
            " "
            label class="unit" { (texts.get("show")) " "
                select id="shown" {
                    option value="all" { (texts.get("show-all")) }
                    option value="best" { (texts.get("show-best")) }
                    option value="ask" { (texts.get("show-ask")) }
                }
            }
            @let long = answer.moves.iter().take(LISTED).any(|m| m.r#move.len() > LONG_WORD);
            ol id="moves" class={ "moves" @if long { " wide" } } {
                @for m in answer.moves.iter().take(LISTED) {
                    li { a href=(to(&m.r#move)) data-move=(m.r#move) {
                        span class="word" { (breakable(m.note.as_deref().unwrap_or(&m.r#move))) }
                        span class={ "v " (m.result) } data-value=(m.value) title=(spoken(&m.value, sides)) { (short(&m.value)) }
                        @if let Some(mark) = &m.loony { span class="loony" title=(texts.get("loony-legend")) { (mark) } }
                    } }
                }
            }
            (legend(answer, texts))
            @if answer.truncated || answer.moves.len() > LISTED { p class="faint" { (texts.get("more-moves")) } }
            p class="main" { button type="button" id="mainline" { (texts.get("main-line")) } " " span id="line" {} }
        }
    }
}

/// Explains the signs that the list may show.
fn legend(answer: &Answer, texts: Texts) -> Markup {
    let points = answer.unit == "points";
    html! {
        details class="legend faint" id="legend" {
            summary { (texts.get("signs")) }
            dl {
                @if points { dt { "+3 \u{2212}3" } dd { (texts.get("sign-points")) } }
                @else { dt { "+7 \u{2212}8" } dd { (texts.get("sign-plies")) } }
                dt { "=" } dd { (texts.get("sign-draw")) }
                dt { "?" } dd { (texts.get("sign-open")) }
                dt { "~" } dd { (texts.get("sign-guess")) }
                @if answer.loony.is_some() { dt { "v ^ -" } dd { (texts.get("loony-legend")) } }
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

/// The forms for another position, other moves, other parameters.
fn input(
    row: Option<&'static Row>,
    target: &PositionRef,
    answer: &Answer,
    files: bool,
    texts: Texts,
) -> Markup {
    html! {
        section aria-labelledby="input-title" {
            h2 id="input-title" { (texts.get("position")) }
            form method="get" action=(format!("/game/{}", encoded(&target.game).replace('+', "%20"))) {
                label for="fen" { (texts.get("position-line")) }
                input id="fen" name="fen" value=(answer.position) spellcheck="false" autocomplete="off";
                label for="pasted" { (texts.get("moves-or-pgn")) }
                textarea id="pasted" name="moves" rows="2" spellcheck="false" autocomplete="off" {}
                div class="found" {}
                button type="submit" { (texts.get("show-it")) }
            }
        }
        section aria-labelledby="parameters-title" {
            h2 id="parameters-title" { (texts.get("another-game")) }
            @if let Some(row) = row { (parameters::form(row, &answer.game, files, texts)) }
            form id="parameters" action="/open" {
                label for="name" { (texts.get("full-name")) }
                input id="name" name="name" value=(answer.game) spellcheck="false" autocomplete="off";
                @if let Some(row) = row {
                    p class="faint" { (texts.get("default")) ": " code { (row.default) } ". " @if !row.parameters.is_empty() { (texts.get("parameters")) ": " code { (row.parameters) } "." } }
                }
                button type="submit" { (texts.get("open")) }
            }
        }
    }
}

//! The files that pages load: style, script with its texts, icon.

use axum::extract::{Path, Query};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use grundy_draw::{graph_page, graph_svg};
use maud::html;

use crate::error::is_api;
use crate::pages::page;
use crate::texts::{self, Named, Texts};

/// The colours of pictures in the dark.
pub const DARK: &str = include_str!("../assets/dark.css");

/// `GET /assets/{name}`: the files of the pages; the script has the texts of the language `lang`.
pub async fn asset(Path(name): Path<String>, Query(Named { lang }): Query<Named>) -> Response {
    let (kind, text) = match name.as_str() {
        "board.css" => {
            let style = concat!(include_str!("../assets/board.css"), "\n");
            ("text/css", format!("{}{}{DARK}{style}", grundy_draw::STYLE, graph_svg::STYLE))
        }
        "board.js" => ("text/javascript", texts::named(&lang).script() + texts::SCRIPT + graph_page::SCRIPT),
        "texts.json" => ("application/json", texts::named(&lang).scripted.clone()),
        "icon.svg" => ("image/svg+xml", include_str!("../assets/icon.svg").to_owned()),
        _ => return not_found(&name),
    };
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "max-age=600")], text).into_response()
}

/// Answers requests for anything else.
pub async fn missing(uri: Uri, texts: Texts, headers: HeaderMap) -> Response {
    let accepted = headers.get(header::ACCEPT).and_then(|kinds| kinds.to_str().ok()).unwrap_or_default();
    if is_api(uri.path()) || !accepted.contains("text/html") {
        return not_found(uri.path());
    }
    let body = html! {
        main id="main" {
            h1 { (texts.get("refused")) }
            p class="error" { (uri.path()) }
            p { a href="/" { (texts.get("games")) } }
        }
    };
    (StatusCode::NOT_FOUND, page(texts.get("refused"), texts, &body)).into_response()
}

fn not_found(what: &str) -> Response {
    (StatusCode::NOT_FOUND, format!("not found: {what}; /docs lists the requests\n")).into_response()
}

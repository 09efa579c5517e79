//! `/docs`: the API explained, from its description for programs.

use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use serde_json::Value;

use crate::api::OPENAPI;
use crate::pages::page;
use crate::texts::Texts;

/// `GET /docs`: all requests with their parameters and an example each.
pub async fn docs(texts: Texts, headers: HeaderMap) -> Response {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("localhost:8080");
    let api: Value = serde_json::from_str(OPENAPI).unwrap_or_default();
    let requests = api["paths"].as_object().into_iter().flatten().flat_map(|(path, methods)| {
        methods.as_object().into_iter().flatten().map(move |(method, request)| (path, method, request))
    });
    let body = html! {
        main id="main" class="docs" lang="en" {
            h1 { "grundy-board: " (texts.get("for-programs")) }
            p { (api["info"]["description"].as_str().unwrap_or("")) }
            p { "For code generators: " a href="/api/openapi.json" { "openapi.json" } ". Errors are JSON with one line in the field "
                code { "error" } "." }
            @for (path, method, request) in requests { (described(host, path, method, request)) }
        }
    };
    page("grundy: API", texts, &body).into_response()
}

/// Describes a request.
fn described(host: &str, path: &str, method: &str, request: &Value) -> Markup {
    let text = |value: &Value| value.as_str().unwrap_or("").to_owned();
    let example = request["x-example"].as_str();
    html! {
        section {
            h2 { code { (method.to_uppercase()) " " (path) } }
            p { (text(&request["summary"])) "." }
            @if let Some(parameters) = request["parameters"].as_array() {
                dl {
                    @for parameter in parameters {
                        dt { code { (text(&parameter["name"])) } }
                        dd { (text(&parameter["description"])) @if parameter["required"] == true && parameter["in"] == "query" { " (required)" } }
                    }
                }
            }
            @if let Some(example) = example {
                @match example.split_once(' ') {
                    None => p { a href=(example) { code { "curl 'http://" (host) (example) "'" } } },
                    Some((address, body)) => p { code { "curl 'http://" (host) (address) "' --data-binary '" (body) "'" } },
                }
            }
            p class="faint" {
                @for (status, answer) in request["responses"].as_object().into_iter().flatten() {
                    (status) ": " (text(&answer["description"])) ". "
                }
            }
        }
    }
}

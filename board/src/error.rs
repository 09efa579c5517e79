//! Why a request got no answer; as JSON wherever programs ask.

use std::fmt;

use axum::Json;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{Response as HttpResponse, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// The paths of the API; their errors are JSON.
pub const API: [&str; 5] = ["/api/", "/picture", "/standard", "/uwapi", "/ugi"];
/// The longest text that becomes an error in JSON, in bytes.
const LONGEST_ERROR: usize = 1 << 16;

/// Why a request got no answer.
#[derive(Debug)]
pub enum ApiError {
    /// The request is wrong: one line that says what was expected.
    BadRequest(String),
    /// There is no such thing: its name.
    NotFound(String),
    /// Too many requests are waiting.
    Busy,
    /// The work panicked.
    Internal,
}

impl From<String> for ApiError {
    fn from(why: String) -> ApiError {
        ApiError::BadRequest(why)
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ApiError::BadRequest(why) => f.write_str(why),
            ApiError::NotFound(what) => write!(f, "not found: {what}"),
            ApiError::Busy => f.write_str("too many requests are waiting: try again in two seconds"),
            ApiError::Internal => f.write_str("the answer failed"),
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let body = Json(json!({ "error": self.to_string() }));
        match self {
            ApiError::BadRequest(_) => (StatusCode::BAD_REQUEST, body).into_response(),
            ApiError::NotFound(_) => (StatusCode::NOT_FOUND, body).into_response(),
            ApiError::Busy => {
                (StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, "2")], body).into_response()
            }
            ApiError::Internal => (StatusCode::INTERNAL_SERVER_ERROR, body).into_response(),
        }
    }
}

/// Reports whether a path belongs to the API.
pub fn is_api(path: &str) -> bool {
    API.iter().any(|start| path.starts_with(start))
}

/// Turns the errors in plain text that other layers make (a query that cannot be read, a wrong method) into JSON, for paths
/// of the API.
pub async fn in_json(request: Request, next: Next) -> Response {
    let api = is_api(request.uri().path());
    let response = next.run(request).await;
    let (mut parts, body) = response.into_parts();
    let status = parts.status;
    let kind = parts.headers.get(header::CONTENT_TYPE);
    let is_json = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    if !api || is_json || !(status.is_client_error() || status.is_server_error()) {
        return HttpResponse::from_parts(parts, body);
    }
    let text = to_bytes(body, LONGEST_ERROR).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&text).trim().replace('\n', " ");
    let why = if text.is_empty() { status.canonical_reason().unwrap_or("error").to_owned() } else { text };
    let body = json!({ "error": why }).to_string();
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.insert(header::CONTENT_TYPE, header::HeaderValue::from_static("application/json"));
    HttpResponse::from_parts(parts, Body::from(body))
}

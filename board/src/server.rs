//! The server: routes, headers, limits, connections, and a soft end.

use std::io::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderValue, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::routing::{get, post};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tower_http::compression::CompressionLayer;
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::set_header::SetResponseHeaderLayer;

use crate::app::{App, Args, State};
use crate::{api, bring, door, lichess, pages, parameters, uwapi, watch};

/// Bytes that a request may bring.
const LARGEST_BODY: usize = 4 << 20;
/// Connections that may be open.
const MOST_CONNECTIONS: usize = 12_000;
/// How long a client may take to say what it wants.
const HEADER_TIME: Duration = Duration::from_secs(10);
/// How long running answers are waited for at the end.
const SOFT_END: Duration = Duration::from_secs(5);
/// What pages may load: nothing but what comes from here.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// All routes.
pub fn router(app: &Arc<App>) -> Router {
    let set = |name: header::HeaderName, value: &'static str| {
        SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
    };
    Router::new()
        .route("/", get(pages::index))
        .route("/game/{game}", get(pages::game))
        .route("/open", get(parameters::open))
        .route("/assets/{name}", get(pages::asset))
        .route("/picture", get(pages::picture))
        .route("/api/games", get(api::games))
        .route("/api/openapi.json", get(api::description))
        .route("/api/rules", post(bring::rules))
        .route("/api/read", post(api::read))
        .route("/api/{game}/position", get(api::position))
        .route("/api/{game}/mainline", get(api::mainline))
        .route("/api/{game}/remarks", get(api::remarks))
        .route("/api/{game}/move", get(api::best_move))
        .route("/api/{game}/watch", get(watch::watch))
        .route("/standard", get(lichess::standard))
        .route("/standard/mainline", get(lichess::mainline))
        .route("/uwapi/", get(uwapi::games))
        .route("/uwapi/{game}/", get(uwapi::game))
        .route("/uwapi/{game}/{variant}/", get(uwapi::variant))
        .route("/uwapi/{game}/{variant}/positions/", get(uwapi::position))
        .route("/ugi", get(door::socket))
        .route("/health", get(api::health))
        .route("/metrics", get(api::metrics))
        .fallback(pages::missing)
        .layer(CompressionLayer::new())
        .layer(RequestBodyLimitLayer::new(LARGEST_BODY))
        .layer(set(header::CONTENT_SECURITY_POLICY, POLICY))
        .layer(set(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(set(header::REFERRER_POLICY, "no-referrer"))
        .layer(from_fn_with_state(app.clone(), account))
        .with_state(app.clone())
}

/// Logs and counts a request, and lets other sites read the API where that was asked for.
async fn account(app: State, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let what = format!("{} {}", request.method(), request.uri());
    let api = ["/api/", "/standard", "/uwapi/"].iter().any(|path| request.uri().path().starts_with(path));
    let mut response = next.run(request).await;
    if app.cors && api {
        response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    }
    let (status, time) = (response.status(), begun.elapsed());
    app.metrics.count(status.as_u16(), time);
    let what: String = what.chars().take(300).collect();
    log::info!("{} {what} {:.1} ms", status.as_u16(), time.as_secs_f64() * 1e3);
    response
}

/// Serves until the process is told to end.
///
/// # Errors
/// The address cannot be used; one line.
pub async fn serve(args: &Args, app: &Arc<App>) -> Result<(), String> {
    let address = SocketAddr::new(args.listen, args.port);
    let bind = async |address: SocketAddr| {
        TcpListener::bind(address).await.map_err(|error| format!("cannot listen on {address}: {error}"))
    };
    let listener = bind(address).await?;
    let bound = listener.local_addr().map_err(|error| error.to_string())?;
    if let Some(port) = args.ugi_port {
        let listener = bind(SocketAddr::new(args.listen, port)).await?;
        let bound = listener.local_addr().map_err(|error| error.to_string())?;
        announce(&format!("ugi://{bound}"));
        tokio::spawn(door::listen(app.clone(), listener));
    }
    let url = format!("http://{bound}");
    announce(&url);
    if args.open {
        open_browser(&url);
    }
    let service = TowerToHyperService::new(router(app));
    let free = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let mut ended = std::pin::pin!(told_to_end());
    let (closing, _) = tokio::sync::broadcast::channel::<()>(1);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut ended => break,
        };
        // A connection that failed, or no file left for it: others go on.
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        let Ok(seat) = free.clone().try_acquire_owned() else { continue };
        let _ = stream.set_nodelay(true);
        let (service, mut close) = (service.clone(), closing.subscribe());
        tokio::spawn(async move {
            let connection = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEADER_TIME)
                .max_buf_size(32 << 10)
                .serve_connection(TokioIo::new(stream), service)
                .with_upgrades();
            let mut connection = std::pin::pin!(connection);
            tokio::select! {
                _ = connection.as_mut() => {}
                _ = close.recv() => {
                    connection.as_mut().graceful_shutdown();
                    let _ = tokio::time::timeout(SOFT_END, connection).await;
                }
            }
            drop(seat);
        });
    }
    drop(listener);
    let _ = closing.send(());
    let all = u32::try_from(MOST_CONNECTIONS).unwrap_or(u32::MAX);
    let _ = tokio::time::timeout(SOFT_END, free.acquire_many(all)).await;
    log::info!("ended");
    Ok(())
}

/// Says where the board is, on stdout: scripts wait for this line.
fn announce(url: &str) {
    let mut out = std::io::stdout();
    let _ = writeln!(out, "{url}").and_then(|()| out.flush());
}

async fn told_to_end() {
    let terminated = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => drop(signal.recv().await),
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        () = terminated => {}
    }
}

fn open_browser(url: &str) {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    if let Err(error) = std::process::Command::new(opener).arg(url).spawn() {
        log::warn!("{opener}: {error}; open {url} yourself");
    }
}

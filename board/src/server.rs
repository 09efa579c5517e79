//! The server: connections, their limits, and a soft end.

use std::io::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use grundy::output::stdout;
use hyper_util::rt::TokioTimer;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::app::{App, Args};
use crate::door;
use crate::front::Front;
use crate::origin::Origins;
use crate::patience::Patient;
use crate::routes::router;

/// Connections that may be open.
const MOST_CONNECTIONS: usize = 12_000;
/// How long a client may take to say what it wants.
const HEADER_TIME: Duration = Duration::from_secs(10);
/// How long running answers are waited for at the end.
const SOFT_END: Duration = Duration::from_secs(5);
/// Files that are open beside connections, at most.
const OTHER_FILES: u64 = 1_000;

/// Serves until the process is told to end.
///
/// # Errors
/// The address cannot be used, or told; one line.
pub async fn serve(args: &Args, app: &Arc<App>) -> Result<(), String> {
    let most = room(MOST_CONNECTIONS);
    let address = SocketAddr::new(args.listen, args.port);
    let bind = async |address: SocketAddr| {
        TcpListener::bind(address).await.map_err(|error| format!("cannot listen on {address}: {error}"))
    };
    let listener = bind(address).await?;
    let bound = listener.local_addr().map_err(|error| error.to_string())?;
    if let Some(port) = args.ugi_port {
        let listener = bind(SocketAddr::new(args.listen, port)).await?;
        let bound = listener.local_addr().map_err(|error| error.to_string())?;
        announce(&format!("ugi://{bound}"))?;
        tokio::spawn(door::listen(app.clone(), listener));
    }
    let url = format!("http://{bound}");
    announce(&url)?;
    if args.open {
        open_browser(&url);
    }
    let service = Front::new(app, router(app), Origins::new(args.listen, &args.host, args.cors));
    let free = Arc::new(Semaphore::new(most));
    let mut ended = std::pin::pin!(told_to_end());
    let (closing, _) = tokio::sync::broadcast::channel::<()>(1);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut ended => break,
        };
        // A connection that failed, or no file left for it: others go on.
        let Ok((stream, visitor)) = accepted else {
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        let Ok(seat) = free.clone().try_acquire_owned() else { continue };
        let _ = stream.set_nodelay(true);
        let (service, mut close) = (service.before(visitor.ip()), closing.subscribe());
        tokio::spawn(async move {
            let connection = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEADER_TIME)
                .max_buf_size(32 << 10)
                .serve_connection(Patient::new(stream), service)
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
    let all = u32::try_from(most).unwrap_or(u32::MAX);
    let _ = tokio::time::timeout(SOFT_END, free.acquire_many(all)).await;
    log::info!("ended");
    Ok(())
}

/// Asks the system for room for so many connections, and says for how many there is.
fn room(wanted: usize) -> usize {
    let limit = getrlimit(Resource::Nofile);
    let files = wanted as u64 + OTHER_FILES;
    let (Some(now), most) = (limit.current, limit.maximum.unwrap_or(files)) else { return wanted };
    let files = now.max(files.min(most));
    if files > now && setrlimit(Resource::Nofile, Rlimit { current: Some(files), ..limit }).is_err() {
        return room_in(now).min(wanted);
    }
    room_in(files).min(wanted)
}

/// Connections for which there is room among so many open files.
fn room_in(files: u64) -> usize {
    let others = OTHER_FILES.min(files / 2);
    usize::try_from(files - others).unwrap_or(usize::MAX)
}

/// Says where the board is, on stdout: scripts wait for this line.
///
/// # Errors
/// It cannot be written, other than to a pipe that nobody reads.
fn announce(url: &str) -> Result<(), String> {
    match writeln!(stdout(), "{url}").and_then(|()| stdout().flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.to_string()),
        _ => Ok(()),
    }
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

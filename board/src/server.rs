//! The server: connections, their limits, and a graceful shutdown.

use std::io::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use grundy::output::stdout;
use hyper_util::rt::TokioTimer;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::app::App;
use crate::cli::Args;
use crate::middleware::Middleware;
use crate::origin::Origins;
use crate::routes::router;
use crate::system::{self, OPENER};
use crate::ugi;
use crate::write_timeout::WriteTimeout;

/// The most connections that may be open.
const MOST_CONNECTIONS: usize = 12_000;
/// The longest time in which a client may send its request.
const HEADER_TIME: Duration = Duration::from_secs(10);
/// The time for running answers to finish at the end.
const SHUTDOWN: Duration = Duration::from_secs(5);
/// The most files that are open beside connections.
const OTHER_FILES: u64 = 1_000;

/// Serves until the process is told to end.
///
/// # Errors
/// The board cannot listen on the address, or stdout cannot be written to; one line.
pub async fn serve(args: &Args, app: &Arc<App>) -> Result<(), String> {
    let most = allow_connections(MOST_CONNECTIONS);
    let listen = args.listen.address;
    let address = SocketAddr::new(listen, args.listen.port.unwrap_or(args.port));
    let bind = async |address: SocketAddr| {
        TcpListener::bind(address).await.map_err(|error| format!("cannot listen on {address}: {error}"))
    };
    let listener = bind(address).await?;
    let bound = listener.local_addr().map_err(|error| error.to_string())?;
    if let Some(port) = args.ugi_port {
        let listener = bind(SocketAddr::new(listen, port)).await?;
        let bound = listener.local_addr().map_err(|error| error.to_string())?;
        announce(&format!("ugi://{bound}"))?;
        tokio::spawn(ugi::listen(app.clone(), listener));
    }
    let url = format!("http://{bound}");
    announce(&url)?;
    if args.open {
        open_browser(&url);
    }
    let service = Middleware::new(app, router(app), Origins::new(listen, &args.host, args.cors), &args.embed);
    let free = Arc::new(Semaphore::new(most));
    let mut ended = std::pin::pin!(shutdown_signal());
    let (closing, _) = tokio::sync::broadcast::channel::<()>(1);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut ended => break,
        };
        // The connection failed, or no file is left for it: others go on.
        let Ok((stream, client)) = accepted else {
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        let Ok(permit) = free.clone().try_acquire_owned() else { continue };
        let _ = stream.set_nodelay(true);
        let (service, mut close) = (service.for_client(client.ip()), closing.subscribe());
        tokio::spawn(async move {
            let connection = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEADER_TIME)
                .max_buf_size(32 << 10)
                .serve_connection(WriteTimeout::new(stream), service)
                .with_upgrades();
            let mut connection = std::pin::pin!(connection);
            tokio::select! {
                _ = connection.as_mut() => {}
                _ = close.recv() => {
                    connection.as_mut().graceful_shutdown();
                    let _ = tokio::time::timeout(SHUTDOWN, connection).await;
                }
            }
            drop(permit);
        });
    }
    drop(listener);
    let _ = closing.send(());
    let all = u32::try_from(most).unwrap_or(u32::MAX);
    let _ = tokio::time::timeout(SHUTDOWN, free.acquire_many(all)).await;
    log::info!("ended");
    Ok(())
}

/// Raises the limit of open files for `wanted` connections; returns how many connections fit.
fn allow_connections(wanted: usize) -> usize {
    connections_within(system::allow_files(wanted as u64 + OTHER_FILES)).min(wanted)
}

/// Returns how many connections fit among `files` open files.
fn connections_within(files: u64) -> usize {
    let others = OTHER_FILES.min(files / 2);
    usize::try_from(files - others).unwrap_or(usize::MAX)
}

/// Prints the address of the board on stdout: scripts wait for this line.
///
/// # Errors
/// It cannot be written, unless nobody reads the pipe any more.
fn announce(url: &str) -> Result<(), String> {
    match writeln!(stdout(), "{url}").and_then(|()| stdout().flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.to_string()),
        _ => Ok(()),
    }
}

/// Waits for the signal to shut down.
async fn shutdown_signal() {
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        () = system::terminated() => {}
    }
}

fn open_browser(url: &str) {
    if let Err(error) = std::process::Command::new(OPENER).arg(url).spawn() {
        log::warn!("{OPENER}: {error}; open {url} yourself");
    }
}

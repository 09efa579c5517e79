//! UGI over a WebSocket or plain TCP: each connection has an engine of its own.

use std::io::{self, Read, Write};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::response::{IntoResponse, Response};
use crossbeam_channel::{Receiver, Sender, bounded};
use grundy::engine::{Config, Guest};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

use crate::app::{App, State};
use crate::client;
use crate::error::ApiError;
use crate::system;

/// The most engines that may run at a time.
const MOST_ENGINES: usize = 32;
/// The longest line, in bytes.
const LONGEST_LINE: usize = 1 << 16;
/// The time after which a client that reads nothing is given up.
const UNREAD: Duration = Duration::from_secs(30);
/// The time after which a client is given up with which no line was exchanged: its engine is free for others.
const IDLE: Duration = Duration::from_secs(3_600);
/// Lines that wait in either direction.
const WAITING: usize = 256;

/// The clients whose engines are running.
static RUNNING: Mutex<Vec<IpAddr>> = Mutex::new(Vec::new());

/// Permission to run an engine.
struct Permit(IpAddr);

impl Permit {
    /// Returns a permit for a client; `None` if too many engines are running. One client may have half of them.
    fn acquire(client: IpAddr) -> Option<Permit> {
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        let own = running.iter().filter(|&&other| other == client).count();
        if running.len() >= MOST_ENGINES || own >= MOST_ENGINES / 2 {
            return None;
        }
        running.push(client);
        Some(Permit(client))
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = running.iter().position(|&client| client == self.0) {
            running.swap_remove(at);
        }
    }
}

/// The engine's input: lines from a connection.
struct Input {
    lines: Receiver<String>,
    /// The rest of the current line.
    rest: Vec<u8>,
    /// The line behind the last one: `quit`, if no answer can be sent once the connection has ended.
    last: Option<&'static str>,
}

impl Read for Input {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            let last = || self.last.take().map(str::to_owned);
            let Some(line) = self.lines.recv().ok().or_else(last) else { return Ok(0) };
            self.rest = (line + "\n").into_bytes();
        }
        let taken = self.rest.len().min(into.len());
        into[..taken].copy_from_slice(&self.rest[..taken]);
        self.rest.drain(..taken);
        Ok(taken)
    }
}

/// The engine's output, on its way to a connection.
struct Output(mpsc::Sender<Vec<u8>>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.blocking_send(bytes.to_vec()).map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Starts an engine for a connection, which reads the line `last` when the connection has ended; `None` if no thread can be
/// started.
fn start(
    app: &Arc<App>,
    permit: Permit,
    last: Option<&'static str>,
) -> Option<(Sender<String>, mpsc::Receiver<Vec<u8>>)> {
    let (say, lines) = bounded(WAITING);
    let (output, said) = mpsc::channel(WAITING);
    let guest = Some(Guest::new(app.limit));
    let config = Config { settings: app.settings.clone(), guest, ..Config::new(&app.catalog) };
    let started = std::thread::Builder::new().name("ugi".to_owned()).spawn(move || {
        let _permit = permit;
        // Lookups come first.
        system::lower_priority(10);
        let _ = grundy::engine::run(Input { lines, rest: Vec::new(), last }, Output(output), config);
    });
    if let Err(error) = &started {
        log::error!("an engine was not started: {error}");
    }
    started.ok().map(|_| (say, said))
}

/// Reports whether a line is the first one of an HTTP request: a page has made a browser connect, and nothing in its request is a
/// command.
fn is_http(line: &str) -> bool {
    line.split_ascii_whitespace().next_back().is_some_and(|word| word.starts_with("HTTP/"))
}

/// `GET /ugi`: the protocol over a WebSocket, a message a line.
pub async fn socket(app: State, upgrade: WebSocketUpgrade) -> Response {
    let Some(permit) = Permit::acquire(client::current()) else { return ApiError::Busy.into_response() };
    let app = app.0;
    upgrade.max_message_size(LONGEST_LINE).on_upgrade(move |socket| converse(app, permit, socket))
}

/// Reports whether a client takes what is written for it; one that has read nothing for [`UNREAD`] is given up.
async fn written<E>(write: impl Future<Output = Result<(), E>>) -> bool {
    tokio::time::timeout(UNREAD, write).await.is_ok_and(|done| done.is_ok())
}

async fn converse(app: Arc<App>, permit: Permit, mut socket: WebSocket) {
    let Some((say, mut said)) = start(&app, permit, Some("quit")) else { return };
    let mut begun = Vec::new();
    loop {
        tokio::select! {
            message = socket.recv() => {
                let Some(Ok(message)) = message else { return };
                let Message::Text(text) = message else { continue };
                for line in text.lines() {
                    // A busy engine reads later: a client that floods it is disconnected.
                    if say.try_send(line.to_owned()).is_err() {
                        return;
                    }
                }
            }
            () = tokio::time::sleep(IDLE) => return,
            bytes = said.recv() => {
                let Some(bytes) = bytes else { return };
                begun.extend_from_slice(&bytes);
                let Some(end) = begun.iter().rposition(|&byte| byte == b'\n') else { continue };
                let whole: Vec<u8> = begun.drain(..=end).collect();
                for line in String::from_utf8_lossy(&whole).lines() {
                    if !written(socket.send(Message::Text(line.to_owned().into()))).await {
                        return;
                    }
                }
            }
        }
    }
}

/// Serves the protocol on plain TCP until the process ends.
pub async fn listen(app: Arc<App>, listener: TcpListener) {
    loop {
        // No file is left for the connection: the next one may find one.
        let Ok((stream, address)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        match Permit::acquire(client::of(address.ip())) {
            Some(permit) => drop(tokio::spawn(serve(app.clone(), permit, stream))),
            None => drop(stream),
        }
    }
}

async fn serve(app: Arc<App>, permit: Permit, mut stream: TcpStream) {
    let Some((say, mut said)) = start(&app, permit, None) else { return };
    let (reader, mut writer) = stream.split();
    let mut reader = BufReader::new(reader);
    let mut line = Vec::new();
    loop {
        let mut limited = (&mut reader).take(LONGEST_LINE as u64);
        tokio::select! {
            read = limited.read_until(b'\n', &mut line) => {
                if read.unwrap_or(0) == 0 {
                    break;
                }
                let text = String::from_utf8_lossy(&line).trim_end().to_owned();
                line.clear();
                if is_http(&text) || say.try_send(text).is_err() {
                    return;
                }
            }
            () = tokio::time::sleep(IDLE) => return,
            bytes = said.recv() => {
                let Some(bytes) = bytes else { return };
                if !written(writer.write_all(&bytes)).await {
                    return;
                }
            }
        }
    }
    // The input has ended: commands that were sent before are answered.
    drop(say);
    while let Some(bytes) = said.recv().await {
        if !written(writer.write_all(&bytes)).await {
            return;
        }
    }
}

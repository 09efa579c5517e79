//! UGI over a WebSocket or plain TCP: each connection speaks with an engine of its own.

use std::io::{self, Read, Write};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use crossbeam_channel::{Receiver, Sender, bounded};
use grundy::engine::{Config, Guest};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

use crate::app::{App, State};
use crate::games::admit_name;
use crate::visitor;

/// Engines that may run at a time.
const MOST: usize = 32;
/// No line is longer.
const LONGEST_LINE: usize = 1 << 16;
/// Lines that wait in either direction.
const WAITING: usize = 256;

/// For whom engines run.
static RUNNING: Mutex<Vec<IpAddr>> = Mutex::new(Vec::new());

/// A place among the engines that may run.
struct Seat(IpAddr);

impl Seat {
    /// A place for a visitor; half of them are for others.
    fn take(visitor: IpAddr) -> Option<Seat> {
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        let own = running.iter().filter(|&&other| other == visitor).count();
        if running.len() >= MOST || own >= MOST / 2 {
            return None;
        }
        running.push(visitor);
        Some(Seat(visitor))
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = running.iter().position(|&visitor| visitor == self.0) {
            running.swap_remove(at);
        }
    }
}

/// Lines from a connection, read by an engine.
struct Lines {
    heard: Receiver<String>,
    rest: Vec<u8>,
    /// What is read behind the last line: `quit`, where nobody can be answered any more once the connection has ended.
    last: Option<&'static str>,
}

impl Read for Lines {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            let last = || self.last.take().map(str::to_owned);
            let Some(line) = self.heard.recv().ok().or_else(last) else { return Ok(0) };
            self.rest = (line + "\n").into_bytes();
        }
        let taken = self.rest.len().min(into.len());
        into[..taken].copy_from_slice(&self.rest[..taken]);
        self.rest.drain(..taken);
        Ok(taken)
    }
}

/// What an engine says, on its way to a connection.
struct Voice(mpsc::Sender<Vec<u8>>);

impl Write for Voice {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.blocking_send(bytes.to_vec()).map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Starts an engine of its own for a connection, which reads `last` when that has ended; `None` where the system has no
/// thread for it.
fn start(
    app: &Arc<App>,
    seat: Seat,
    last: Option<&'static str>,
) -> Option<(Sender<String>, mpsc::Receiver<Vec<u8>>)> {
    let (say, heard) = bounded(WAITING);
    let (voice, said) = mpsc::channel(WAITING);
    let folders = app.folders.clone();
    let guest = Guest::new(app.limit, move |game| admit_name(game, &folders));
    let config = Config { settings: app.settings.clone(), guest: Some(guest), ..Config::new(&app.catalog) };
    let started = std::thread::Builder::new().name("ugi".to_owned()).spawn(move || {
        let _seat = seat;
        // The threads of the engine inherit this: visitors' searches give way to answers from tables.
        let _ = rustix::process::nice(10);
        let _ = grundy::engine::run(Lines { heard, rest: Vec::new(), last }, Voice(voice), config);
    });
    if let Err(error) = &started {
        log::error!("an engine was not started: {error}");
    }
    started.ok().map(|_| (say, said))
}

/// Whether a line is the first one of an HTTP request: a browser that was sent here by some page does not speak UGI,
/// and what the page put into its request is no command.
fn is_http(line: &str) -> bool {
    line.split_ascii_whitespace().next_back().is_some_and(|word| word.starts_with("HTTP/"))
}

/// `GET /ugi`: the protocol over a WebSocket, a message a line.
pub async fn socket(app: State, upgrade: WebSocketUpgrade) -> Response {
    let Some(seat) = Seat::take(visitor::current()) else {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many engines run").into_response();
    };
    let app = app.0;
    upgrade.max_message_size(LONGEST_LINE).on_upgrade(move |socket| converse(app, seat, socket))
}

async fn converse(app: Arc<App>, seat: Seat, mut socket: WebSocket) {
    let Some((say, mut said)) = start(&app, seat, Some("quit")) else { return };
    let mut begun = Vec::new();
    loop {
        tokio::select! {
            message = socket.recv() => {
                let Some(Ok(message)) = message else { return };
                let Message::Text(text) = message else { continue };
                for line in text.lines() {
                    // An engine that is busy reads later: a visitor who floods it is cut off.
                    if say.try_send(line.to_owned()).is_err() {
                        return;
                    }
                }
            }
            bytes = said.recv() => {
                let Some(bytes) = bytes else { return };
                begun.extend_from_slice(&bytes);
                let Some(end) = begun.iter().rposition(|&byte| byte == b'\n') else { continue };
                let whole: Vec<u8> = begun.drain(..=end).collect();
                for line in String::from_utf8_lossy(&whole).lines() {
                    if socket.send(Message::Text(line.to_owned().into())).await.is_err() {
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
        // No file was left for a connection: the next one may find one.
        let Ok((stream, address)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        match Seat::take(visitor::behind(address.ip())) {
            Some(seat) => drop(tokio::spawn(serve(app.clone(), seat, stream))),
            None => drop(stream),
        }
    }
}

async fn serve(app: Arc<App>, seat: Seat, mut stream: TcpStream) {
    let Some((say, mut said)) = start(&app, seat, None) else { return };
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
            bytes = said.recv() => {
                let Some(bytes) = bytes else { return };
                if writer.write_all(&bytes).await.is_err() {
                    return;
                }
            }
        }
    }
    // The end of what was asked: what is still to be answered is answered.
    drop(say);
    while let Some(bytes) = said.recv().await {
        if writer.write_all(&bytes).await.is_err() {
            return;
        }
    }
}

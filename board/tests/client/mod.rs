//! A board's server in a process of its own, and a client of a few lines.

#![allow(dead_code)] // each test program uses a part of it
#![allow(clippy::unwrap_used)] // a test that cannot go on should fail

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A server on a free port that ends with this.
pub struct Board {
    pub child: Child,
    pub address: String,
    pub ugi: Option<String>,
}

impl Board {
    pub fn start(arguments: &[&str]) -> Board {
        let port: &[&str] = if arguments.contains(&"--listen") { &[] } else { &["--port", "0"] };
        let mut child = Command::new(env!("CARGO_BIN_EXE_grundy-board"))
            .args(port)
            .args(arguments)
            .env("RUST_LOG", "off")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = child.stdout.as_mut().unwrap();
        let mut line = || {
            let mut line = Vec::new();
            let mut byte = [0];
            while output.read(&mut byte).unwrap() == 1 && byte[0] != b'\n' {
                line.push(byte[0]);
            }
            String::from_utf8(line).unwrap()
        };
        let mut first = line();
        let ugi = first.strip_prefix("ugi://").map(str::to_owned);
        if ugi.is_some() {
            first = line();
        }
        let address = first.strip_prefix("http://").unwrap_or_else(|| panic!("{first:?}")).to_owned();
        Board { child, address, ugi }
    }

    pub fn site(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn terminate(&self) {
        let done = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(done.success());
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A folder as a host of plain files serves it, below `/below/`; until the test ends.
pub struct Files {
    pub address: String,
}

impl Files {
    pub fn serve(folder: PathBuf) -> Files {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let folder = folder.clone();
                std::thread::spawn(move || serve_file(stream, &folder));
            }
        });
        Files { address }
    }
}

fn serve_file(mut stream: TcpStream, folder: &Path) {
    let mut request = String::new();
    let _ = BufReader::new(&stream).read_line(&mut request);
    let name = request.split(' ').nth(1).and_then(|path| path.strip_prefix("/below/")).unwrap_or("nothing");
    let kind = match name.rsplit('.').next() {
        Some("html") => "text/html",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    };
    let (status, bytes) =
        std::fs::read(folder.join(name)).map_or(("404 Not Found", Vec::new()), |bytes| ("200 OK", bytes));
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        bytes.len()
    );
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&bytes));
}

/// An answer of a server.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

pub fn get(address: &str, path: &str) -> Answer {
    send(address, &format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"), "")
}

pub fn post(address: &str, path: &str, body: &str) -> Answer {
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    send(address, &head, body)
}

/// Sends a request as it is and reads the answer to its end.
pub fn send(address: &str, head: &str, body: &str) -> Answer {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
    stream.write_all(head.as_bytes()).unwrap();
    // A body that is refused is not read to its end.
    let _ = stream.write_all(body.as_bytes());
    let mut bytes = Vec::new();
    let mut piece = [0; 1 << 14];
    // Not every server closes the connection that it was asked to close.
    while !whole(&bytes) {
        match stream.read(&mut piece) {
            Ok(read) if read > 0 => bytes.extend_from_slice(&piece[..read]),
            _ => break,
        }
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
    let chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
    let body = if chunked { joined(body) } else { body.to_owned() };
    Answer { status, head: head.to_owned(), body }
}

/// Reports whether an answer that says its length is there to its end.
fn whole(bytes: &[u8]) -> bool {
    let Some(head) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else { return false };
    let text = String::from_utf8_lossy(&bytes[..head]).to_ascii_lowercase();
    let length =
        text.split("content-length:").nth(1).and_then(|rest| rest.lines().next()?.trim().parse().ok());
    length.is_some_and(|length: usize| bytes.len() >= head + 4 + length)
}

/// The chunks of a body, joined.
fn joined(mut body: &str) -> String {
    let mut whole = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let Ok(size) = usize::from_str_radix(size.trim(), 16) else { break };
        if size == 0 || size > rest.len() || !rest.is_char_boundary(size) {
            break;
        }
        whole += &rest[..size];
        body = rest[size..].trim_start_matches("\r\n");
    }
    whole
}

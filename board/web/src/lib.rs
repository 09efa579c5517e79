//! The board as a module that a page runs by itself; see `make`. Elsewhere this crate is empty.
//!
//! The module reads a request from stdin and writes the answer to stdout, so that it shares no memory with the page and needs
//! only the few calls of WASI that `worker.js` has. The one piece of unsafe code is the name by which the host calls it.
#![cfg(target_family = "wasm")]
#![allow(unsafe_code)]

use std::io::{self, Read as _, Write as _};

/// Answers the request on stdin. Its events come first, in lines that begin with `event`.
#[unsafe(no_mangle)]
extern "C" fn answer() {
    let mut request = String::new();
    // What is no text is refused as an empty request.
    let _ = io::stdin().read_to_string(&mut request);
    write(&grundy_board::answer(&request, |name, data| write(format!("event {name} {data}\n").as_bytes())));
}

fn write(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    // A page that does not read gets nothing.
    let _ = out.write_all(bytes).and_then(|()| out.flush());
}

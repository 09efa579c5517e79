//! The board as a module that a page runs by itself; see `make`. Elsewhere this crate is empty.
//!
//! The module reads a request on its standard input and writes the answer on its standard output, so that it shares no
//! memory with the page and needs nothing of a host but the few calls of WASI that `worker.js` has.

#[cfg(target_family = "wasm")]
#[allow(unsafe_code)] // a name that a host can call
#[unsafe(no_mangle)]
extern "C" fn answer() {
    grundy_board::answer();
}

//! Games from rules files.
#![allow(clippy::unwrap_used)] // a test that cannot go on should fail

//! The referee against engines that play, misbehave or lie: each gets the verdict it has earned, the record is
//! complete, and nothing of theirs is left running.

#![allow(clippy::unwrap_used)] // a test that cannot go on should fail

mod audits;
mod conformance;
mod endurance;
mod judges;
mod misbehaviour;
mod reports;
mod tools;
mod tournaments;
mod xboard;

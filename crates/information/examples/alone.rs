//! The command lines of engine and referee with only the subcommands of this crate and no other game: builds in
//! seconds.
//!
//! It is the engine, or the referee if its file is named so (a link suffices):
//! `cargo run -p grundy-information --example alone -- equilibrium --example kuhn`.

use std::process::ExitCode;

use grundy_information::{certificate, command};
use grundy_referee::Verifier;
use grundy_session::Catalog;

static CATALOG: Catalog = Catalog::new(&[]);
const VERIFIERS: &[Verifier] = &[Verifier { magic: certificate::MAGIC, verify: certificate::verify }];

fn main() -> ExitCode {
    if std::env::args().next().is_some_and(|name| name.ends_with("referee")) {
        let judges = grundy_referee::Judges { verifiers: VERIFIERS, witnesses: &[] };
        return grundy_referee::main(&CATALOG, command::REFEREE, judges);
    }
    grundy_engine::main(&CATALOG, command::GRUNDY)
}

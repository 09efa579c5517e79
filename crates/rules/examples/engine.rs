//! The engine with only the games of rules files: quick to build.

use std::process::ExitCode;

use grundy_session::{Catalog, Family};

static FAMILIES: &[Family] = &[Family { title: "Rules", rows: &grundy_rules::ROWS }];
static CATALOG: Catalog = Catalog::new(FAMILIES);

fn main() -> ExitCode {
    grundy_engine::main(&CATALOG, &[])
}

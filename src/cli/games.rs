//! `grundy games`: the catalog as a table.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use grundy::catalog::ROWS;

#[derive(Args)]
pub struct GamesArgs {
    /// Write the table in Markdown, as it stands in the README
    #[arg(long)]
    markdown: bool,
}

pub fn run(args: &GamesArgs) -> Result<ExitCode> {
    let mut out = io::stdout().lock();
    if args.markdown {
        writeln!(out, "| game | parameters | what it is | solved by |\n|---|---|---|---|")?;
        for row in ROWS {
            let parameters = if row.parameters.is_empty() {
                String::new()
            } else {
                format!("`{}`", row.parameters.replace('|', "\\|"))
            };
            writeln!(out, "| `{}` | {parameters} | {} | {} |", row.default, row.about, row.method)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let width = |f: fn(&grundy::catalog::Row) -> &str| ROWS.iter().map(|r| f(r).len()).max().unwrap_or(0);
    let (name, parameters) = (width(|r| r.default), width(|r| r.parameters));
    for row in ROWS {
        writeln!(
            out,
            "{:name$}  {:parameters$}  {} [{}]",
            row.default, row.parameters, row.about, row.method
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

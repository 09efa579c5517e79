//! `grundy games`: the catalog as a table.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use grundy_session::{Catalog, Row, Settings};

#[derive(Args)]
pub struct GamesArgs {
    /// Write the table in Markdown, as it stands in the README
    #[arg(long)]
    markdown: bool,
}

pub fn run(catalog: &Catalog, args: &GamesArgs) -> Result<ExitCode> {
    let mut out = io::stdout().lock();
    if args.markdown {
        writeln!(out, "| game | parameters | what it is | solved by | table |\n|---|---|---|---|---|")?;
        for row in catalog.rows() {
            let parameters = if row.parameters.is_empty() {
                String::new()
            } else {
                format!("`{}`", row.parameters.replace('|', "\\|"))
            };
            let size = size(catalog, row);
            writeln!(out, "| `{}` | {parameters} | {} | {} | {size} |", row.default, row.about, row.method)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let width = |f: fn(&Row) -> &str| catalog.rows().map(|r| f(r).chars().count()).max().unwrap_or(0);
    let (name, parameters) = (width(|r| r.default), width(|r| r.parameters));
    for row in catalog.rows() {
        let size = size(catalog, row);
        writeln!(
            out,
            "{:name$}  {:parameters$}  {} [{}{}{size}]",
            row.default,
            row.parameters,
            row.about,
            row.method,
            if size.is_empty() { "" } else { "; table of " },
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// How many numbers the table of a row's default game has, by thousands; empty where it has none.
fn size(catalog: &Catalog, row: &Row) -> String {
    let count = catalog
        .open(row.default, &Settings::default())
        .ok()
        .and_then(|session| session.tabled(None).map(|table| table.count()));
    let Some(count) = count else { return String::new() };
    let digits = count.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

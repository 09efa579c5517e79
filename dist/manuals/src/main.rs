//! Writes the manual pages and the completions of grundy's programs into a folder: `man/`, `bash/`, `fish/` and `zsh/`.
//! They are made from the descriptions that the programs parse their command lines by, and from the catalog.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Command;
use clap::builder::PossibleValuesParser;
use clap_complete::{Shell, generate_to};
use grundy::catalog::CATALOG;

/// Ids of arguments that take the name of a game.
const GAMES: [&str; 4] = ["game", "games", "named", "given-game"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args_os().nth(1).ok_or("expected a folder to write to")?);
    let programs = [
        ("grundy", grundy::command()),
        ("referee", grundy::referee::command()),
        ("grundy-board", grundy_board::command()),
        ("grundy-cluster", grundy_cluster::command()),
    ];
    for name in ["man", "bash", "fish", "zsh"] {
        fs::create_dir_all(folder.join(name))?;
    }
    for (name, command) in programs {
        let command = command.name(name);
        let mut completed = with_games(command.clone());
        for (shell, place) in [(Shell::Bash, "bash"), (Shell::Fish, "fish"), (Shell::Zsh, "zsh")] {
            generate_to(shell, &mut completed, name, folder.join(place))?;
        }
        manuals(command, &folder.join("man"))?;
    }
    Ok(())
}

/// Returns a command whose arguments for a game, and those of its subcommands, list the catalog's games as values.
fn with_games(command: Command) -> Command {
    // In place: `mut_arg` would move the argument behind the other positional ones.
    let command = command.mut_args(|argument| match GAMES.contains(&argument.get_id().as_str()) {
        true => argument.value_parser(PossibleValuesParser::new(CATALOG.rows().map(|row| row.name))),
        false => argument,
    });
    let below: Vec<String> = command.get_subcommands().map(|below| below.get_name().to_owned()).collect();
    below.iter().fold(command, |command, name| command.mut_subcommand(name, with_games))
}

/// Writes the manual page of a command and of each subcommand: `grundy.1`, `grundy-solve.1`.
fn manuals(command: Command, folder: &Path) -> std::io::Result<()> {
    clap_mangen::generate_to(command, folder)
}

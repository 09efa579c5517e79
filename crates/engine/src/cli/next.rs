//! The next step after a question that was not answered: the command that answers it, and how long that takes.

use std::time::Duration;

use grundy_core::table::{Folder, Scratch};
use grundy_core::text::unbroken;
use grundy_session::{Catalog, Session};

use super::estimate;
use super::numbers::{about, time};
use super::verdict;

/// Returns the next step after a position of the game was not proved in `taken`, in one line whose command is [`unbroken`].
pub fn after_search(catalog: &Catalog, session: &Session, taken: Duration) -> String {
    if let Some(why) = infeasible(catalog, session) {
        return why;
    }
    let (command, taken) = (command(session), time(taken.as_secs_f64()));
    if let Some(entry) = catalog.infeasible(session.name()) {
        return format!(
            "not proved in {taken}; {command} goes on until Ctrl-C; a proof of the start is not feasible here: {}",
            entry.get("note")
        );
    }
    match session.known_result().and_then(estimate::seconds_of) {
        Some(seconds) if verdict::is_start(session) => {
            format!("not proved in {taken}; {command} proves it in {} of CPU time", about(seconds))
        }
        _ => format!(
            "not proved in {taken}; {command} goes on until it is, and says what it has proved at Ctrl-C"
        ),
    }
}

/// Returns the next step after `grundy solve` was stopped, with the command [`unbroken`]: it resumes, or takes more time. An
/// earlier proof has taken `seconds`. `first` is true if only the winner was asked for.
pub fn after_solve(
    catalog: &Catalog,
    session: &Session,
    folder: &Folder,
    seconds: Option<f64>,
    first: bool,
) -> String {
    let command = command(session);
    let scratch = Scratch::new(folder.clone(), Duration::MAX).parts(session.name());
    let saved = folder.part(session.name()).exists() || scratch.is_some_and(|parts| parts.exists());
    let table = session.tabled(None);
    let parts = table.as_ref().map_or_else(Vec::new, |game| game.parts());
    let tiers = parts.iter().filter(|part| folder.file(part.name()).exists()).count();
    match (saved, tiers, seconds) {
        (true, ..) => format!("{command} resumes from the checkpoint"),
        (false, 1, _) => format!("{command} resumes after the table that is built"),
        (false, 2.., _) => format!("{command} resumes after the {tiers} tables that are built"),
        (_, _, Some(seconds)) => {
            format!("{command} takes {}; --seconds N gives it N seconds", about(seconds))
        }
        _ if let Some(why) = infeasible(catalog, session) => why,
        _ => {
            // In a search distances may take many times as long as the winner; tables have both.
            let sooner = !first && session.searches() && !session.unit().is_points() && parts.is_empty();
            let sooner = if sooner { "--distance first asks who wins, not how soon; " } else { "" };
            let asked = if first { " --distance first" } else { "" };
            let command = command + &unbroken(&format!("{asked} --seconds 600"));
            format!("{command} works for ten minutes; {sooner}--estimate predicts the time")
        }
    }
}

/// Returns the reason why a start position cannot be proved here; `None` if it can, or if that is not known.
fn infeasible(catalog: &Catalog, session: &Session) -> Option<String> {
    let entry = verdict::infeasible(catalog, session)?;
    Some(format!("a proof of the start is not feasible here: {}", entry.get("note")))
}

/// Returns the command that solves the session's position, [`unbroken`].
fn command(session: &Session) -> String {
    let position = match verdict::is_start(session) {
        true => String::new(),
        false => format!(" --position {}", quoted(&session.position())),
    };
    unbroken(&format!("grundy solve {}{position}", quoted(session.name())))
}

/// Quotes a word for a shell, where it needs that.
pub(super) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-+=:,./@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

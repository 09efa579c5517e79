//! `grundy solve G --certificate FILE`: strategies that prove who wins, or that nobody does, as a certificate that `referee check`
//! verifies.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::{Result, anyhow};
use grundy_core::game::Player;
use grundy_core::pack::write_as_named;
use grundy_core::section::{Heading, Kind, SectionWriter};
use grundy_core::table::{Disk, write_whole};
use grundy_core::text::{counted, grouped};
use grundy_core::value::{Value, Wdl};
use grundy_session::{Session, Work};

use super::shared::Usage;

/// The least value of a win.
const ANY_WIN: Value = Value::from_raw(1);

/// Refuses a certificate of a game whose strategies are not searched for.
pub(super) fn check_possible(session: &Session) -> Result<()> {
    if !session.unit().is_points() && session.searches() {
        return Ok(());
    }
    Err(Usage(format!(
        "no certificate of {}: expected a game without points that is searched, such as connect4; \
         `referee audit --certificate` writes those of other games",
        session.name()
    ))
    .into())
}

/// Writes a strategy of the winner from the session's position, whose exact value is `value`, or in a draw one of each
/// player. Returns what was written, in words.
pub(super) fn write(session: &mut Session, value: Value, path: &Path, work: &Work<'_>) -> Result<String> {
    if let Some(text) = (value == Value::DRAW).then(|| session.certificate(work)).flatten() {
        write_whole(&Disk, path, |file| {
            write_as_named(path, file, |out: &mut dyn Write| out.write_all(text.as_bytes()))
        })?;
        let claims = text.lines().find_map(|line| line.strip_prefix("claims ")).unwrap_or_default();
        return Ok(format!(
            "{}: {}; referee check verifies it",
            path.display(),
            claims.parse().map_or(String::new(), |claims: u64| counted(claims, "claim"))
        ));
    }
    let turn = session.turn();
    let goals = match value.wdl() {
        Wdl::Win => vec![(turn, ANY_WIN)],
        Wdl::Loss => vec![(!turn, ANY_WIN)],
        Wdl::Draw => vec![(turn, Value::DRAW), (!turn, Value::DRAW)],
    };
    let mut counts = Vec::new();
    let mut failure = None;
    let written = write_whole(&Disk, path, |file| {
        let list = |out: &mut dyn Write| {
            for goal in goals {
                match section(session, goal, out, work) {
                    Ok(count) => counts.push(count),
                    Err(error) => {
                        failure = Some(error);
                        return Err(io::Error::other("no strategy"));
                    }
                }
            }
            Ok(())
        };
        write_as_named(path, BufWriter::with_capacity(1 << 20, file), list)
    });
    if let Some(error) = failure {
        return Err(error);
    }
    written?;
    let counts: Vec<String> = counts.into_iter().map(|count| grouped(count as u64)).collect();
    Ok(format!("{}: {} positions; referee check verifies it", path.display(), counts.join(" and ")))
}

/// Writes a strategy of a player that gets him at least the value. Returns the number of positions.
fn section(
    session: &mut Session,
    (player, target): (Player, Value),
    out: &mut dyn Write,
    work: &Work<'_>,
) -> Result<usize> {
    let (game, digest) = (session.name().to_owned(), session.digest().map(str::to_owned));
    let unit = session.unit();
    let mut out = Some(out);
    let mut writer: Option<io::Result<SectionWriter<&mut dyn Write>>> = None;
    let mut positions = 0;
    let listed = session.strategy(player, target, work, &mut |count, listing| {
        if let Some(out) = out.take() {
            let (digest, kind) = (digest.as_deref(), Kind::Strategy(player));
            let (start, value) = (listing.position, listing.value);
            let heading = Heading { game: &game, digest, kind, start, value, unit, count };
            positions = count;
            writer = Some(SectionWriter::begin(out, &heading));
        }
        let Some(Ok(section)) = &mut writer else { return false };
        let word = listing.word.unwrap_or("*");
        match section.position(listing.position, listing.value, word, (0, None)) {
            Ok(()) => true,
            Err(error) => {
                writer = Some(Err(error));
                false
            }
        }
    });
    match (listed, writer) {
        (Some(Ok(Some(_))), Some(writer)) => {
            writer?.finish()?;
            Ok(positions)
        }
        (Some(Err(error)), _) => Err(error.into()),
        _ => Err(anyhow!("the search found no strategy of player {}", player.digit())),
    }
}

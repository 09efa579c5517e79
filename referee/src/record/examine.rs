//! The examination of a record: its games are replayed by the rules, and compared with the schedule that its settings
//! make.
//!
//! Checksums detect damage. This examination also holds against a forger who has computed them anew: every game is in
//! the schedule, every move is legal, and every result follows from the moves.

use std::collections::HashMap;
use std::path::Path;

use grundy_core::value::{Unit, Value};
use grundy_session::{Catalog, Judge, REPETITIONS, Session, Support};

use super::file::{self, Contents, Location, ReadError, Record};
use super::line::{Departure, Game, Header, Move, Recorded};
use crate::adjudication::{Adjudication, Adjudicator};
use crate::claim::MATE;
use crate::exact;
use crate::games;
use crate::schedule::{self, Schedule};
use crate::verdict::{Ending, Fault, Outcome, Slip};
use crate::xboard::nobody_can_mate;

/// Reads a record for a report or an export; with `repair` the file is first truncated at its first damaged line.
///
/// # Errors
/// It cannot be read, is damaged, or contradicts the rules; one line that names the line.
pub fn read(catalog: &Catalog, path: &Path, repair: bool) -> Result<Contents, String> {
    let found = file::read(path).and_then(|contents| {
        examine(catalog, &contents, false)?;
        Ok(contents)
    });
    match found {
        Err(ReadError::Damaged(..)) if repair => {
            opened(catalog, path, true, false).map(|(_, contents)| contents)
        }
        found => found.map_err(|refusal| in_words(path, &refusal, REPAIR)),
    }
}

/// Opens a record to resume its run. An incomplete last line is cut off; with `repair`, everything from the first
/// damaged line on.
///
/// # Errors
/// As [`read`]; or it is in use, cannot be written, or is of an older version.
pub fn resume(catalog: &Catalog, path: &Path, repair: bool) -> Result<(Record, Contents), String> {
    opened(catalog, path, repair, true)
}

/// Opens a record to append proofs, also one of an older version. An incomplete last line is cut off.
///
/// # Errors
/// As [`read`]; or it is in use or cannot be written.
pub fn open(catalog: &Catalog, path: &Path) -> Result<(Record, Contents), String> {
    opened(catalog, path, false, false)
}

/// The advice for a damaged record of a command with `--repair`.
const REPAIR: &str = "; --repair cuts off from there";
/// The advice of a command without it.
const REPORT_REPAIR: &str = "; referee report --repair cuts off from there";

fn opened(catalog: &Catalog, path: &Path, repair: bool, resumes: bool) -> Result<(Record, Contents), String> {
    loop {
        let opened = Record::open(path).and_then(|(record, contents)| {
            examine(catalog, &contents, resumes)?;
            Ok((record, contents))
        });
        match opened {
            Ok((mut record, contents)) => {
                if resumes && !contents.is_sealed() {
                    return Err(format!(
                        "{}: written by an older version, without checksums: report and export read it, it cannot be \
                         resumed",
                        path.display()
                    ));
                }
                record.cut(contents.whole).map_err(|e| format!("{}: {e}", path.display()))?;
                return Ok((record, contents));
            }
            Err(ReadError::Damaged(at, what)) if repair && at != Location::HEADER => {
                cut(path, at).map_err(|why| format!("{}: {why}", path.display()))?;
                log::warn!("{}: cut off from line {} on: {what}", path.display(), at.line);
            }
            Err(refusal) => {
                return Err(in_words(path, &refusal, if resumes { REPAIR } else { REPORT_REPAIR }));
            }
        }
    }
}

/// Truncates a record before a line.
fn cut(path: &Path, at: Location) -> Result<(), String> {
    let mut options = std::fs::OpenOptions::new();
    let file = grundy_core::files::open_with(options.write(true), path).map_err(|e| e.to_string())?;
    file.try_lock().map_err(|_| "in use by another referee".to_string())?;
    file.set_len(at.from).and_then(|()| file.sync_all()).map_err(|e| e.to_string())
}

/// Returns a refusal with the `advice` for a line that can be cut off.
fn in_words(path: &Path, refusal: &ReadError, advice: &str) -> String {
    let advice = match refusal {
        ReadError::Damaged(at, _) if *at != Location::HEADER => advice,
        _ => "",
    };
    format!("{}: {refusal}{advice}", path.display())
}

/// Compares a record with the rules and its own schedule. To resume it, a file of openings must be unchanged; for a
/// report it need not exist any more.
fn examine(catalog: &Catalog, contents: &Contents, resumes: bool) -> Result<(), ReadError> {
    let header = &contents.header;
    let planned = Planned::of(catalog, header, resumes).map_err(|why| Location::HEADER.damaged(why))?;
    let adjudication = header.settings.adjudication().map_err(|why| Location::HEADER.damaged(why))?;
    let mut replayer = Replayer { catalog, header, adjudication, rules: HashMap::new() };
    replayer.same_games().map_err(ReadError::Unreadable)?;
    for (game, at) in contents.games.iter().zip(&contents.game_locations) {
        let checked = planned.compare(game, header).and_then(|()| replayer.replay(game));
        checked.map_err(|why| at.damaged(format!("game {}: {why}", game.id)))?;
    }
    for (departure, at) in contents.departures.iter().zip(&contents.departure_locations) {
        possible(departure, header).map_err(|why| at.damaged(why))?;
    }
    Ok(())
}

fn possible(departure: &Departure, header: &Header) -> Result<(), String> {
    if !header.names.contains(&departure.name) {
        return Err(format!("no engine of this run is called {:?}", departure.name));
    }
    if departure.words != departure.fault.to_string() {
        return Err(format!("{:?} are not the words for what the engine did", departure.words));
    }
    Ok(())
}

/// The schedule of the record.
struct Planned {
    /// `None` if the openings are not known, only the number of games.
    schedule: Option<Schedule>,
}

impl Planned {
    fn of(catalog: &Catalog, header: &Header, resumes: bool) -> Result<Planned, String> {
        let settings = &header.settings;
        let specs = settings.recorded_specs()?;
        let names: Vec<&str> = specs.iter().filter_map(|spec| spec.name.as_deref()).collect();
        if names != header.names {
            return Err(format!("its settings name the engines {names:?}, not {:?}", header.names));
        }
        if specs.len() < 2 {
            return Err("it has fewer than two engines".to_string());
        }
        let planned = schedule::plan(catalog, settings, specs.len());
        let fits = |schedule: &Schedule| schedule.len() == header.games;
        match planned {
            Ok(schedule) if fits(&schedule) => Ok(Planned { schedule: Some(schedule) }),
            _ if !resumes && settings.has_openings_file() => Ok(Planned { schedule: None }),
            Ok(schedule) => Err(format!("its settings make {} games, not {}", schedule.len(), header.games)),
            Err(why) => Err(format!("its settings make no plan: {why}")),
        }
    }

    /// Compares a game with the schedule.
    fn compare(&self, game: &Game, header: &Header) -> Result<(), String> {
        if !(1..=header.games).contains(&game.id) {
            return Err(format!("the run has the games 1 to {}", header.games));
        }
        let [one, two] = game.engines;
        if one == two || one.max(two) >= header.names.len() {
            return Err(format!("its engines are {one} and {two}, of {}", header.names.len()));
        }
        if game.players != game.engines.map(|engine| header.names[engine].clone()) {
            return Err(format!("its engines have other names than {:?}", game.players));
        }
        let Some(fixture) = self.schedule.as_ref().and_then(|schedule| schedule.get(game.id - 1)) else {
            return match header.settings.game.contains(&game.game) {
                true => Ok(()),
                false => Err(format!("{:?} is no game of this run", game.game)),
            };
        };
        let differs = [
            ("game", fixture.game != game.game),
            ("pair", fixture.pair != game.pair),
            ("engines", fixture.engines != game.engines),
            ("start", fixture.opening.start != game.start),
            ("opening", fixture.opening.moves != game.opening),
        ];
        match differs.iter().find(|(_, differs)| *differs) {
            Some((what, _)) => Err(format!("its {what} is not that of the plan")),
            None => Ok(()),
        }
    }
}

/// Replays games.
struct Replayer<'a> {
    catalog: &'a Catalog,
    header: &'a Header,
    adjudication: Adjudication,
    rules: HashMap<String, Session>,
}

impl Replayer<'_> {
    /// Compares the digests of games that are read from files with those of the record.
    fn same_games(&self) -> Result<(), String> {
        for (game, digest) in &self.header.digests {
            let rules = games::rules(self.catalog, game)?;
            if rules.digest() != Some(digest) {
                let found = rules.digest().unwrap_or("none");
                return Err(format!(
                    "{game} is another game now: its file has the digest {found}, the game that was played had {digest}"
                ));
            }
        }
        Ok(())
    }

    fn replay(&mut self, game: &Game) -> Result<(), String> {
        let open = || games::rules(self.catalog, &game.game);
        let rules = games::cached(&mut self.rules, &game.game, open)?;
        game.set_up(rules).map_err(|why| format!("its opening: {why}"))?;
        let most = self.header.settings.most_plies();
        let mut adjudicator = Adjudicator::new(self.adjudication, game.opening.len());
        let mut decided = None;
        for (i, m) in game.moves.iter().enumerate() {
            let in_time = i < most && decided.is_none();
            one_move(rules, game, m, in_time).map_err(|why| format!("move {}: {why}", i + 1))?;
            if m.score.is_some_and(|score| !(-MATE..=MATE).contains(&score)) {
                return Err(format!("move {}: its score is beyond that of a mate", i + 1));
            }
            decided = adjudicator.note(m.by, m.score);
        }
        the_end(rules, game, most, decided)?;
        match game.reason == game.ending.words(game.result) {
            true => Ok(()),
            false => Err(format!("{:?} are not the words for how it ended", game.reason)),
        }
    }
}

/// Reports whether the game has ended.
fn is_over(rules: &Session) -> bool {
    rules.result().is_some() || rules.repetitions() >= REPETITIONS
}

fn one_move(rules: &mut Session, game: &Game, m: &Move, in_time: bool) -> Result<(), String> {
    if is_over(rules) || !in_time {
        return Err("it comes after the end of the game".to_string());
    }
    if m.by != rules.turn() {
        let (said, turn) = (m.by.digit(), rules.turn().digit());
        return Err(format!("it is said to be player {said}'s, it is player {turn}'s"));
    }
    let before = m.slip.as_ref().map(|_| rules.position());
    let played = rules.play(&m.word).map_err(|e| e.to_string())?;
    if played.word != m.word {
        return Err(format!("{:?} is written {:?}", m.word, played.word));
    }
    if m.slip.as_ref().map(|slip| &slip.position) != before.as_ref() {
        return Err("its slip is said to be in another position".to_string());
    }
    let slip = m.slip.as_ref().map(|slip| slip.slip);
    let unit = rules.unit();
    match (value(m.before.as_ref(), unit)?, value(m.after.as_ref(), unit)?) {
        (Some(before), Some(after)) => {
            // A slip by repetition does not show in the values of a single move.
            let repeats = game.ending == Ending::Repetition && slip == Some(Slip::WinToDraw);
            match exact::slip(unit, before, after) {
                Ok(cost) if cost != slip && !repeats => Err("its values do not make its slip".to_string()),
                Err(_) if slip.is_some() => Err("its values contradict its slip".to_string()),
                _ => Ok(()),
            }
        }
        (None, None) if slip.is_none() || game.ending == Ending::Repetition => Ok(()),
        _ => Err("a value is missing".to_string()),
    }
}

/// Returns a value that is written as in this game and may be called proved.
fn value(recorded: Option<&Recorded<Value>>, unit: Unit) -> Result<Option<Value>, String> {
    let Some(recorded) = recorded else { return Ok(None) };
    let Recorded { value, text } = recorded;
    if *recorded != Recorded::new(*value, unit) {
        return Err(format!("{text:?} is no value of this game"));
    }
    Judge::new(unit, Support::Ranks).admits(*value).map_err(|why| format!("its values: {why}"))?;
    Ok(Some(*value))
}

/// Checks the end of a game of at most `most` plies behind its opening; `decided` is the result by the
/// engines' scores.
fn the_end(rules: &mut Session, game: &Game, most: usize, decided: Option<Outcome>) -> Result<(), String> {
    let wrong = |what: &str| Err(format!("its result {} is wrong: {what}", game.result));
    match &game.ending {
        Ending::Rules => match rules.result() {
            Some(result) if Outcome::from(result) == game.result => Ok(()),
            Some(result) => wrong(&format!("by the rules it is {}", Outcome::from(result))),
            None => wrong("by the rules it is not over"),
        },
        Ending::Repetition if rules.repetitions() < REPETITIONS => wrong("no position occurs three times"),
        Ending::Adjudication if decided != Some(game.result) || is_over(rules) => {
            wrong("the scores do not lead to it")
        }
        Ending::MaxPlies if game.moves.len() < most || is_over(rules) || decided.is_some() => {
            wrong("it did not end by its length")
        }
        Ending::Repetition | Ending::MaxPlies if game.result != Outcome::Draw => wrong("expected a draw"),
        Ending::Fault { side, fault } => {
            // Before the first move a player may fail who is not to move.
            let moves = !game.moves.is_empty()
                || matches!(
                    fault,
                    Fault::IllegalMove(_)
                        | Fault::NoMove(_)
                        | Fault::OnTime(_)
                        | Fault::Resigns
                        | Fault::ClaimsDraw
                );
            if game.result != fault.result(*side) {
                return wrong(&format!("expected {}", fault.result(*side)));
            }
            if moves && (*side != rules.turn() || is_over(rules) || decided.is_some()) {
                return wrong(&format!("player {} was not to move", side.digit()));
            }
            match fault {
                Fault::IllegalMove(word) if rules.is_legal(word) => wrong(&format!("{word:?} is legal")),
                Fault::ClaimsDraw if !nobody_can_mate(&rules.position()) => wrong("a side can mate"),
                _ => Ok(()),
            }
        }
        Ending::Interrupted if decided.is_some() => wrong("the scores had decided it"),
        Ending::Interrupted if game.result != Outcome::None => wrong("an interrupted game has none"),
        Ending::Repetition | Ending::MaxPlies | Ending::Adjudication | Ending::Interrupted => Ok(()),
    }
}

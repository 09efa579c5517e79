//! Whether a record can be true: its games are played over again by the rules, and compared with what its settings say
//! was to be played.
//!
//! Checksums find damage. What is looked at here holds against someone who has computed them anew: no game stands
//! there that the plan has not, no move that is not legal, no result that its moves do not lead to.

use std::collections::HashMap;
use std::path::Path;

use grundy_core::game::Player;
use grundy_core::value::{Unit, Value};
use grundy_session::{Catalog, Judge, Session, Support};

use super::file::{self, Contents, Place, Record, Refusal};
use super::line::{Departure, Game, Header, Move};
use crate::schedule::{self, Fixture};
use crate::truth;
use crate::verdict::{Ending, Outcome, Slip};

/// Reads a record, for a report or an export; with `repair` the file is first cut off where it is damaged.
///
/// # Errors
/// It cannot be read, is damaged, or says what cannot be; one line that names the line.
pub fn read(catalog: &Catalog, path: &Path, repair: bool) -> Result<Contents, String> {
    let found = file::read(path).and_then(|contents| {
        examine(catalog, &contents, false)?;
        Ok(contents)
    });
    match found {
        Err(Refusal::Damaged(..)) if repair => resume(catalog, path, true).map(|(_, contents)| contents),
        found => found.map_err(|refusal| in_words(path, &refusal)),
    }
}

/// Opens a record to go on with it; half a line at its end, left by a sudden end, is cut off, and with `repair` all
/// from the first damaged line on.
///
/// # Errors
/// As [`read`]; or it is in use, cannot be written, or is of an older version.
pub fn resume(catalog: &Catalog, path: &Path, repair: bool) -> Result<(Record, Contents), String> {
    opened(catalog, path, repair, true)
}

/// Opens a record to add something to it that no game needs, one of an older version too; half a line at its end is cut
/// off.
///
/// # Errors
/// As [`read`]; or it is in use or cannot be written.
pub fn open(catalog: &Catalog, path: &Path) -> Result<(Record, Contents), String> {
    opened(catalog, path, false, false)
}

fn opened(catalog: &Catalog, path: &Path, repair: bool, go_on: bool) -> Result<(Record, Contents), String> {
    loop {
        let opened = Record::open(path).and_then(|(record, contents)| {
            examine(catalog, &contents, go_on)?;
            Ok((record, contents))
        });
        match opened {
            Ok((mut record, contents)) => {
                if go_on && !contents.is_sealed() {
                    return Err(format!(
                        "{}: written by an older version, without checksums: report and export read it, it cannot be \
                         gone on with",
                        path.display()
                    ));
                }
                record.cut(contents.whole).map_err(|e| format!("{}: {e}", path.display()))?;
                return Ok((record, contents));
            }
            Err(Refusal::Damaged(place, what)) if repair && place != Place::HEADER => {
                cut(path, place).map_err(|why| format!("{}: {why}", path.display()))?;
                log::warn!("{}: cut off from line {} on: {what}", path.display(), place.line);
            }
            Err(refusal) => return Err(in_words(path, &refusal)),
        }
    }
}

/// Cuts a record off before a line.
fn cut(path: &Path, place: Place) -> Result<(), String> {
    let mut options = std::fs::OpenOptions::new();
    let file = grundy_core::files::open_with(options.write(true), path).map_err(|e| e.to_string())?;
    file.try_lock().map_err(|_| "in use by another referee".to_string())?;
    file.set_len(place.from).and_then(|()| file.sync_all()).map_err(|e| e.to_string())
}

fn in_words(path: &Path, refusal: &Refusal) -> String {
    let advice = match refusal {
        Refusal::Damaged(place, _) if *place != Place::HEADER => "; --repair cuts off from there",
        _ => "",
    };
    format!("{}: {refusal}{advice}", path.display())
}

/// Compares a record with the rules and with its own plan. To go on with it, openings in a file must still be those it
/// was begun with; for a look at it the file need not be there any more.
fn examine(catalog: &Catalog, contents: &Contents, go_on: bool) -> Result<(), Refusal> {
    let header = &contents.header;
    let planned = Planned::of(catalog, header, go_on).map_err(|why| Place::HEADER.damaged(why))?;
    let mut arbiter = Arbiter { catalog, header, rules: HashMap::new() };
    arbiter.same_games().map_err(Refusal::Unreadable)?;
    for (game, place) in contents.games.iter().zip(&contents.game_places) {
        let checked = planned.compare(game, header).and_then(|()| arbiter.replay(game));
        checked.map_err(|why| place.damaged(format!("game {}: {why}", game.id)))?;
    }
    for (departure, place) in contents.departures.iter().zip(&contents.departure_places) {
        possible(departure, header).map_err(|why| place.damaged(why))?;
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

/// What was to be played.
struct Planned {
    fixtures: Vec<Fixture>,
    /// Whether the openings are known as well; otherwise only their number was.
    openings: bool,
}

impl Planned {
    fn of(catalog: &Catalog, header: &Header, go_on: bool) -> Result<Planned, String> {
        let settings = &header.settings;
        let specs = settings.specs()?;
        let names: Vec<&str> = specs.iter().filter_map(|spec| spec.name.as_deref()).collect();
        if names != header.names {
            return Err(format!("its settings name the engines {names:?}, not {:?}", header.names));
        }
        if specs.len() < 2 {
            return Err("it has fewer than two engines".to_string());
        }
        let planned = schedule::plan(catalog, settings, specs.len());
        let fits = |fixtures: &Vec<Fixture>| fixtures.len() == header.games;
        match planned {
            Ok(fixtures) if fits(&fixtures) => Ok(Planned { fixtures, openings: true }),
            _ if !go_on && settings.has_openings_file() => {
                Ok(Planned { fixtures: Vec::new(), openings: false })
            }
            Ok(fixtures) => Err(format!("its settings make {} games, not {}", fixtures.len(), header.games)),
            Err(why) => Err(format!("its settings make no plan: {why}")),
        }
    }

    /// Compares a game with its plan.
    fn compare(&self, game: &Game, header: &Header) -> Result<(), String> {
        if !(1..=header.games).contains(&game.id) {
            return Err(format!("the run has the games 1 to {}", header.games));
        }
        let [one, two] = game.engines;
        if one == two || one.max(two) >= header.names.len() {
            return Err(format!("its engines are {one} and {two}, of {}", header.names.len()));
        }
        if game.players != game.engines.map(|engine| header.names[engine].clone()) {
            return Err(format!("its engines are called otherwise than {:?}", game.players));
        }
        let Some(fixture) = self.fixtures.get(game.id - 1).filter(|_| self.openings) else {
            return match header.settings.game.contains(&game.game) {
                true => Ok(()),
                false => Err(format!("{:?} is no game of this run", game.game)),
            };
        };
        let differs = [
            ("game", fixture.game != game.game),
            ("pair", fixture.pair != game.pair),
            ("engines", fixture.engines != game.engines),
            ("start", fixture.start != game.start),
            ("opening", fixture.opening != game.opening),
        ];
        match differs.iter().find(|(_, differs)| *differs) {
            Some((what, _)) => Err(format!("its {what} is not that of the plan")),
            None => Ok(()),
        }
    }
}

/// Plays games over again.
struct Arbiter<'a> {
    catalog: &'a Catalog,
    header: &'a Header,
    rules: HashMap<String, Session>,
}

impl Arbiter<'_> {
    /// Compares the games that are read from files with those that were played.
    fn same_games(&self) -> Result<(), String> {
        for (game, digest) in &self.header.digests {
            let rules = truth::rules(self.catalog, game)?;
            if rules.digest() != Some(digest) {
                let found = rules.digest().unwrap_or("none");
                return Err(format!(
                    "{game} is another game now: its file has the digest {found}, in the one that was played it was {digest}"
                ));
            }
        }
        Ok(())
    }

    fn replay(&mut self, game: &Game) -> Result<(), String> {
        if !self.rules.contains_key(&game.game) {
            let rules = truth::rules(self.catalog, &game.game)?;
            self.rules.insert(game.game.clone(), rules);
        }
        let Some(rules) = self.rules.get_mut(&game.game) else { return Ok(()) };
        rules.setup(game.start.as_deref()).map_err(|e| e.to_string())?;
        for word in &game.opening {
            rules.play(word).map_err(|e| format!("its opening: {e}"))?;
        }
        let most = self.header.settings.most_plies();
        for (i, m) in game.moves.iter().enumerate() {
            one_move(rules, game, m, i < most).map_err(|why| format!("move {}: {why}", i + 1))?;
        }
        the_end(rules, game, most)?;
        match game.reason == game.ending.words(game.result) {
            true => Ok(()),
            false => Err(format!("{:?} are not the words for how it ended", game.reason)),
        }
    }
}

/// Whether nobody need make a move any more.
fn is_over(rules: &Session) -> bool {
    rules.result().is_some() || rules.repetitions() >= 3
}

fn one_move(rules: &mut Session, game: &Game, m: &Move, in_time: bool) -> Result<(), String> {
    if is_over(rules) || !in_time {
        return Err("it stands behind the end of the game".to_string());
    }
    if m.by != digit(rules.turn()) {
        return Err(format!("it is said to be player {}'s, it is player {}'s", m.by, rules.turn().digit()));
    }
    let before = m.fault.as_ref().map(|_| rules.position());
    let played = rules.play(&m.word).map_err(|e| e.to_string())?;
    if played.word != m.word {
        return Err(format!("{:?} is written {:?}", m.word, played.word));
    }
    if let (Some(audit), Some(before)) = (&m.fault, before)
        && audit.position != format!("position fen {before}")
    {
        return Err("its slip is said to be in another position".to_string());
    }
    let slip = m.fault.as_ref().map(|audit| audit.slip);
    let unit = rules.unit();
    match (value(m.before.as_deref(), unit)?, value(m.after.as_deref(), unit)?) {
        (Some(before), Some(after)) => {
            // Who repeats a won position has slipped without the values of a single move showing it.
            let repeats = game.ending == Ending::Repetition && slip == Some(Slip::WinToDraw);
            match truth::slip(unit, before, after) {
                Ok(cost) if cost != slip && !repeats => Err("its values do not make its slip".to_string()),
                Err(_) if slip.is_some() => Err("its values contradict its slip".to_string()),
                _ => Ok(()),
            }
        }
        (None, None) if slip.is_none() || game.ending == Ending::Repetition => Ok(()),
        _ => Err("a value is missing".to_string()),
    }
}

/// A player as moves and faults name him.
fn digit(player: Player) -> u8 {
    match player {
        Player::One => 1,
        Player::Two => 2,
    }
}

fn value(words: Option<&str>, unit: Unit) -> Result<Option<Value>, String> {
    let Some(words) = words else { return Ok(None) };
    let value = Value::read(words).filter(|value| value.show(unit).to_string() == words);
    let value = value.ok_or_else(|| format!("{words:?} is no value"))?;
    Judge::new(unit, Support::Ranks).admits(value).map_err(|why| format!("its values: {why}"))?;
    Ok(Some(value))
}

fn the_end(rules: &Session, game: &Game, most: usize) -> Result<(), String> {
    let wrong = |what: &str| Err(format!("its result {} is wrong: {what}", game.result));
    match &game.ending {
        Ending::Rules => match rules.result() {
            Some(result) if Outcome::from(result) == game.result => Ok(()),
            Some(result) => wrong(&format!("by the rules it is {}", Outcome::from(result))),
            None => wrong("by the rules it is not over"),
        },
        Ending::Repetition if rules.repetitions() < 3 => wrong("no position stands there three times"),
        Ending::MaxPlies if game.moves.len() < most || is_over(rules) => {
            wrong("it did not end by its length")
        }
        Ending::Repetition | Ending::MaxPlies if game.result != Outcome::Draw => wrong("expected a draw"),
        Ending::Fault { side, .. } => {
            let Some(side) = [Player::One, Player::Two].into_iter().find(|p| digit(*p) == *side) else {
                return Err(format!("there is no player {side}"));
            };
            match game.result == Outcome::lost_by(side) {
                false => wrong(&format!("player {} has lost", side.digit())),
                true if !game.moves.is_empty() && (side != rules.turn() || is_over(rules)) => {
                    wrong(&format!("player {} was not to move", side.digit()))
                }
                true => Ok(()),
            }
        }
        Ending::Interrupted if game.result != Outcome::None => wrong("an interrupted game has none"),
        Ending::Repetition | Ending::MaxPlies | Ending::Interrupted => Ok(()),
    }
}

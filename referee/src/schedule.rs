//! The schedule of a run: pairings, openings and sides. Equal settings make equal schedules.

use std::path::Path;

use grundy_core::files::{self, FileError};
use grundy_core::random::{SplitMix64, mix};
use rustc_hash::FxHashSet;

use crate::games;
use crate::positions::{self, Epd, LARGEST_FILE};
use crate::settings::MatchSettings;
use crate::setup::Setup;
use grundy_review as reading;
use grundy_session::{Catalog, quiet_work};

/// A game to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its number, from 1.
    pub id: usize,
    /// The game by its full name.
    pub game: String,
    /// The two games of a pair share an opening and swap the sides.
    pub pair: usize,
    /// The engines of player one and two, by their index on the command line.
    pub engines: [usize; 2],
    /// The position before the engines are asked.
    pub opening: Setup,
    /// The seeds of player one and two, if the run has a seed.
    pub seeds: Option<[u64; 2]>,
}

/// The most games of a run.
const MOST_GAMES: usize = 1_000_000;
/// The most openings that are made.
const MOST_OPENINGS: usize = 100_000;
/// The most random openings of a run without a number of games.
const OPEN_ENDED_OPENINGS: usize = 1_000;
/// The expectation of every opening.
pub const LEAVES_A_GAME: &str = "expected one that leaves a game to play";
/// The longest opening that is made, in plies.
const LONGEST_OPENING: usize = 1000;

/// All games of a run, each made when it is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    games: Vec<Block>,
    pairings: Vec<[usize; 2]>,
    rounds: usize,
    seed: Option<u64>,
    /// Set if only the sequential test ends the run.
    pub open_ended: bool,
}

/// The part of a schedule that one game has.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Block {
    game: String,
    openings: Vec<Setup>,
    /// Games per pairing and round.
    each: usize,
}

/// Returns the schedule of a run. A sequential test without a number of games or rounds goes on until it is decided.
///
/// # Errors
/// A game, an opening or a position cannot be used; one line.
pub fn plan(catalog: &Catalog, settings: &MatchSettings, engines: usize) -> Result<Schedule, String> {
    let open_ended = !settings.sprt.is_empty() && settings.games.is_none() && settings.rounds.is_none();
    let mut rounds = settings.rounds.unwrap_or(1);
    let too_many = || format!("too many games: expected at most {MOST_GAMES} in a run");
    let pairings: Vec<[usize; 2]> = (0..engines)
        .flat_map(|a| (a + 1..engines).map(move |b| [a, b]))
        .filter(|pairing| !settings.gauntlet || pairing[0] == 0)
        .collect();
    let mut games = Vec::new();
    for game in &settings.game {
        let wanted = match open_ended {
            true => OPEN_ENDED_OPENINGS,
            false => rounds.saturating_mul(settings.games.unwrap_or(2).div_ceil(2)),
        };
        if wanted > MOST_GAMES {
            return Err(too_many());
        }
        let openings = openings(catalog, settings, game, wanted)?;
        let each = settings.games.unwrap_or_else(|| match &settings.openings {
            Some(text) if !text.starts_with("random:") => 2 * openings.len(),
            _ => 2,
        });
        games.push(Block { game: game.clone(), openings, each });
    }
    let a_round = games.iter().try_fold(0_usize, |sum, block| {
        block.each.checked_mul(pairings.len()).and_then(|games| games.checked_add(sum))
    });
    if open_ended {
        rounds = (MOST_GAMES / a_round.unwrap_or(MOST_GAMES).max(1)).max(1);
    }
    if a_round.and_then(|games| games.checked_mul(rounds)).is_none_or(|all| all > MOST_GAMES) {
        return Err(too_many());
    }
    Ok(Schedule { games, pairings, rounds, seed: settings.seed, open_ended })
}

impl Schedule {
    /// Returns the number of games.
    pub fn len(&self) -> usize {
        self.games.iter().map(|block| self.size(block)).sum()
    }

    /// Returns the first position that a game begins from in place of its usual start; `None` if none does.
    pub fn start_elsewhere(&self) -> Option<&str> {
        self.games.iter().find_map(|block| {
            let played = (self.rounds * block.each).div_ceil(2);
            block.openings.iter().take(played).find_map(|opening| opening.start.as_deref())
        })
    }

    /// Returns the number of games in a block.
    fn size(&self, block: &Block) -> usize {
        self.rounds * self.pairings.len() * block.each
    }

    /// Returns a game by its index, from 0; `None` behind the last.
    pub fn get(&self, index: usize) -> Option<Fixture> {
        let (mut within, mut pairs) = (index, 0);
        for block in &self.games {
            let (size, pairs_each) = (self.size(block), block.each.div_ceil(2));
            if within >= size {
                within -= size;
                pairs += self.rounds * self.pairings.len() * pairs_each;
                continue;
            }
            let (meeting, k) = (within / block.each, within % block.each);
            let (round, pairing) = (meeting / self.pairings.len(), meeting % self.pairings.len());
            let [a, b] = self.pairings[pairing];
            let nth = round * block.each + k;
            // A pair is numbered by its first game, which may be the last of the round before.
            let first = nth - nth % 2;
            let meeting = first / block.each * self.pairings.len() + pairing;
            let pair = pairs + meeting * pairs_each + first % block.each / 2 + 1;
            return Some(Fixture {
                id: index + 1,
                game: block.game.clone(),
                pair,
                engines: if nth.is_multiple_of(2) { [a, b] } else { [b, a] },
                opening: block.openings[nth / 2 % block.openings.len()].clone(),
                seeds: self.seed.map(|seed| seeds(seed, index)),
            });
        }
        None
    }
}

/// Returns the seeds of a game, from the seed of the run and the number of games before it: positive and below 2^31,
/// as engines take them.
fn seeds(seed: u64, before: usize) -> [u64; 2] {
    let mut random = SplitMix64(mix(seed) ^ before as u64);
    [(); 2].map(|()| random.bits() >> 33 | 1)
}

/// Returns the openings of a game, at least one, each once up to symmetry.
fn openings(
    catalog: &Catalog,
    settings: &MatchSettings,
    game: &str,
    wanted: usize,
) -> Result<Vec<Setup>, String> {
    let plies = |text: &str| {
        let number = text.parse::<usize>().ok().filter(|&plies| plies <= LONGEST_OPENING);
        number.ok_or_else(|| {
            format!("bad openings {text:?}: expected a number of plies, 0 to {LONGEST_OPENING}")
        })
    };
    let list = match settings.openings.as_deref() {
        None => {
            if let Some(position) = &settings.position {
                let mut rules = games::rules(catalog, game)?;
                rules.setup(Some(position)).map_err(|e| e.to_string())?;
                if rules.result().is_some() {
                    return Err(format!("position {position}: {game} is over there: {LEAVES_A_GAME}"));
                }
            }
            return Ok(vec![Setup { start: settings.position.clone(), moves: Vec::new() }]);
        }
        Some(text) => match (text.strip_prefix("all:"), text.strip_prefix("random:")) {
            (Some(number), _) => all_openings(catalog, game, plies(number)?)?,
            (_, Some(number)) => {
                random_openings(catalog, game, plies(number)?, wanted, settings.seed.unwrap_or(0))?
            }
            _ => openings_in_file(catalog, game, text)?,
        },
    };
    if list.is_empty() {
        return Err(format!("no opening of {game} is unfinished: {LEAVES_A_GAME}"));
    }
    Ok(list)
}

/// Returns the starts of a game: the usual one, or those of which one is drawn by lot, as in Chess960.
fn starts(catalog: &Catalog, game: &str) -> Vec<Option<String>> {
    let shuffled = catalog.row(game).map_or_else(Vec::new, |row| row.shuffled_starts(game));
    if shuffled.is_empty() { vec![None] } else { shuffled.into_iter().map(Some).collect() }
}

/// Returns every unfinished position after `plies` plies from a start, once up to symmetry.
fn all_openings(catalog: &Catalog, game: &str, plies: usize) -> Result<Vec<Setup>, String> {
    let mut rules = games::rules(catalog, game)?;
    let starts = starts(catalog, rules.name()).into_iter();
    let mut list: Vec<Setup> = starts.map(|start| Setup { start, moves: Vec::new() }).collect();
    for _ in 0..plies {
        let mut seen = FxHashSet::default();
        let mut next = Vec::new();
        for opening in list {
            opening.set_up(&mut rules)?;
            for word in rules.legal_moves(MOST_OPENINGS) {
                rules.play(&word).map_err(|e| e.to_string())?;
                if rules.result().is_none() && seen.insert(rules.canonical()) {
                    let mut moves = opening.moves.clone();
                    moves.push(word);
                    next.push(Setup { start: opening.start.clone(), moves });
                }
                rules.undo();
            }
            if next.len() > MOST_OPENINGS {
                return Err(format!("more than {MOST_OPENINGS} openings after {plies} plies of {game}"));
            }
        }
        list = next;
    }
    Ok(list)
}

/// Returns `wanted` random openings, each from a random start, or fewer if the game has no more.
fn random_openings(
    catalog: &Catalog,
    game: &str,
    plies: usize,
    wanted: usize,
    seed: u64,
) -> Result<Vec<Setup>, String> {
    let mut rules = games::rules(catalog, game)?;
    let starts = starts(catalog, rules.name());
    let mut random = SplitMix64(seed);
    let mut seen = FxHashSet::default();
    let mut list = Vec::new();
    for _ in 0..wanted.saturating_mul(20).max(100) {
        if list.len() == wanted.min(MOST_OPENINGS) {
            break;
        }
        let start = match &starts[..] {
            [start] => start,
            starts => &starts[random.below(starts.len())],
        };
        rules.setup(start.as_deref()).map_err(|e| e.to_string())?;
        for _ in 0..plies {
            let moves = rules.legal_moves(MOST_OPENINGS);
            if moves.is_empty() {
                break;
            }
            rules.play(&moves[random.below(moves.len())]).map_err(|e| e.to_string())?;
        }
        if rules.result().is_none() && seen.insert(rules.canonical()) {
            list.push(Setup { start: start.clone(), moves: rules.history().to_vec() });
        }
    }
    Ok(list)
}

/// Reads the openings in a file: a PGN, or one per line, a position as in a suite or moves from the start; see [`positions`].
fn openings_in_file(catalog: &Catalog, game: &str, path: &str) -> Result<Vec<Setup>, String> {
    let bytes = files::read(Path::new(path), LARGEST_FILE).map_err(|e| format!("openings {path}: {e}"))?;
    let begins = bytes.iter().take(2).copied().collect();
    if let Err(why @ FileError::Utf16) = files::text(begins) {
        return Err(format!("openings {path}: {why}"));
    }
    let text = reading::text_of(&bytes);
    let text = files::without_mark(&text);
    let mut rules = games::rules(catalog, game)?;
    if text.trim_start().starts_with('[') {
        return openings_in_pgn(catalog, game, text).map_err(|e| format!("{path}: {e}"));
    }
    let mut seen = FxHashSet::default();
    let (mut list, mut any) = (Vec::new(), false);
    for (number, line) in text.lines().enumerate() {
        let refused = |e: String| format!("{path}:{}: {e}", number + 1);
        let epd = positions::may_be_epd(catalog, Some(game)).then(|| Epd::read(line)).flatten();
        let epd = epd.transpose().map_err(refused)?;
        let line = positions::without_remark(line);
        if line.is_empty() {
            continue;
        }
        // What is expected of the position, as in a suite, does not matter.
        let position = line.split(';').next().unwrap_or_default();
        let mut opening = epd.map_or_else(|| Setup::read(position), |epd| Setup::position(&epd.fen));
        any = true;
        if let Err(why) = opening.set_up(&mut rules) {
            opening = Setup { start: None, moves: position.split_whitespace().map(str::to_owned).collect() };
            if opening.set_up(&mut rules).is_err() {
                let moves = moves_in(catalog, game, position).ok_or_else(|| refused(why))?;
                opening = Setup { start: None, moves };
                opening.set_up(&mut rules).map_err(refused)?;
            }
        }
        if rules.result().is_none() && seen.insert(rules.canonical()) {
            list.push(Setup { moves: rules.history().to_vec(), ..opening });
        }
    }
    match any {
        true => Ok(list),
        false => Err(format!("{path} has no openings: expected a PGN, or a position or moves a line")),
    }
}

/// Returns moves as people write them, with numbers; `None` if they are not of this game.
fn moves_in(catalog: &Catalog, game: &str, text: &str) -> Option<Vec<String>> {
    let open = |name: &str| games::rules(catalog, name);
    let mut read = reading::read(catalog, &open, game, None, text, &quiet_work()).ok()?;
    let read = read.pop().filter(|_| read.is_empty())?;
    Some(read.moves).filter(|moves| !moves.is_empty())
}

/// Reads the games of a PGN as openings.
fn openings_in_pgn(catalog: &Catalog, game: &str, text: &str) -> Result<Vec<Setup>, String> {
    let open = |name: &str| games::rules(catalog, name);
    let mut rules = games::rules(catalog, game)?;
    let mut seen = FxHashSet::default();
    let mut list = Vec::new();
    let read = reading::read(catalog, &open, game, None, text, &quiet_work())?;
    for (number, read) in (1..).zip(read) {
        if read.game != rules.name() {
            return Err(format!("game {number}: a game of {}, expected {}", read.game, rules.name()));
        }
        let opening = Setup { start: read.fen, moves: read.moves };
        opening.set_up(&mut rules).map_err(|why| format!("game {number}: {why}"))?;
        if rules.result().is_none() && seen.insert(rules.canonical()) {
            list.push(opening);
        }
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::tests::CATALOG;

    /// Returns the openings of the games of a run between two engines.
    fn openings_of(game: &str, openings: &str, games: Option<usize>, seed: u64) -> Vec<Setup> {
        let settings = MatchSettings {
            game: vec![game.to_owned()],
            openings: Some(openings.to_owned()),
            games,
            seed: Some(seed),
            ..MatchSettings::default()
        };
        let schedule = plan(&CATALOG, &settings, 2).unwrap();
        (0..schedule.len()).map(|index| schedule.get(index).unwrap().opening).collect()
    }

    #[test]
    fn chess960_begins_from_its_starts() {
        let drawn = openings_of("chess:960", "random:0", Some(20), 7);
        assert!(drawn.chunks(2).all(|pair| pair[0] == pair[1]), "{drawn:?}");
        let starts: BTreeSet<_> = drawn.iter().map(|opening| opening.start.clone().unwrap()).collect();
        assert_eq!(starts.len(), 10);
        assert_eq!(drawn, openings_of("chess:960", "random:0", Some(20), 7));
        assert_ne!(drawn, openings_of("chess:960", "random:0", Some(20), 8));
        let played = openings_of("chess:960", "random:3", Some(4), 7);
        assert!(played.iter().all(|opening| opening.start.is_some() && opening.moves.len() == 3));
        let all = openings_of("chess:960", "all:0", None, 7);
        let usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1";
        assert_eq!(all.len(), 2 * 960);
        assert_eq!(all[2 * 518].start.as_deref(), Some(usual));
        assert_eq!(openings_of("chess", "random:0", Some(2), 7), [Setup::default(), Setup::default()]);
    }
}

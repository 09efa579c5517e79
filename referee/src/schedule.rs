//! Who plays whom, from which opening and with which side: a list that the same settings always make the same.

use std::path::Path;

use grundy_core::files;
use grundy_core::random::{SplitMix64, mix};
use rustc_hash::FxHashSet;

use crate::positions::{self, Epd, LARGEST_FILE};
use crate::settings::MatchSettings;
use crate::truth;
use grundy_session::Catalog;

/// One game to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its number, from 1.
    pub id: usize,
    /// The game by its full name.
    pub game: String,
    /// The two games of a pair share an opening and swap the sides.
    pub pair: usize,
    /// Player one's engine and player two's, by their place on the command line.
    pub engines: [usize; 2],
    /// The position it begins from, where that is not the game's start.
    pub start: Option<String>,
    /// Moves played before the engines are asked.
    pub opening: Vec<String>,
    /// What player one and two draw their lots from, where the run has a seed.
    pub seeds: Option<[u64; 2]>,
}

/// A beginning: a position, or none for the game's start, and moves from there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// The position.
    pub start: Option<String>,
    /// The moves.
    pub moves: Vec<String>,
}

/// The most games of a run.
const MOST_GAMES: usize = 1_000_000;
/// The most openings that are made.
const MOST_OPENINGS: usize = 100_000;
/// The longest opening that is made, in plies.
const LONGEST_OPENING: usize = 1000;

/// All games of a run.
///
/// # Errors
/// A game, an opening or a position cannot be used; one line.
pub fn plan(catalog: &Catalog, settings: &MatchSettings, engines: usize) -> Result<Vec<Fixture>, String> {
    let rounds = settings.rounds.unwrap_or(1);
    let too_many = || format!("too many games: expected at most {MOST_GAMES} in a run");
    let pairings: Vec<[usize; 2]> = (0..engines)
        .flat_map(|a| (a + 1..engines).map(move |b| [a, b]))
        .filter(|pairing| !settings.gauntlet || pairing[0] == 0)
        .collect();
    let mut fixtures = Vec::new();
    let mut pairs = 0;
    for game in &settings.game {
        let wanted = rounds.saturating_mul(settings.games.unwrap_or(2).div_ceil(2));
        if wanted > MOST_GAMES {
            return Err(too_many());
        }
        let openings = openings(catalog, settings, game, wanted)?;
        let each = settings.games.unwrap_or_else(|| match &settings.openings {
            Some(text) if !text.starts_with("random:") => 2 * openings.len(),
            _ => 2,
        });
        let more = rounds.checked_mul(each).and_then(|all| all.checked_mul(pairings.len()));
        if more.and_then(|more| more.checked_add(fixtures.len())).is_none_or(|all| all > MOST_GAMES) {
            return Err(too_many());
        }
        for round in 0..rounds {
            for &[a, b] in &pairings {
                for k in 0..each {
                    let nth = round * each + k;
                    if k % 2 == 0 {
                        pairs += 1;
                    }
                    let opening = &openings[nth / 2 % openings.len()];
                    fixtures.push(Fixture {
                        id: fixtures.len() + 1,
                        game: game.clone(),
                        pair: pairs,
                        engines: if nth.is_multiple_of(2) { [a, b] } else { [b, a] },
                        start: opening.start.clone(),
                        opening: opening.moves.clone(),
                        seeds: settings.seed.map(|seed| seeds(seed, fixtures.len())),
                    });
                }
            }
        }
    }
    Ok(fixtures)
}

/// The seeds of a game, from that of the run and the games before it: positive and below 2^31, as engines take them.
fn seeds(seed: u64, before: usize) -> [u64; 2] {
    let mut random = SplitMix64(mix(seed) ^ before as u64);
    [(); 2].map(|()| random.bits() >> 33 | 1)
}

/// The openings of a game, at least one; of those that are images of each other only the first.
fn openings(
    catalog: &Catalog,
    settings: &MatchSettings,
    game: &str,
    wanted: usize,
) -> Result<Vec<Opening>, String> {
    let plies = |text: &str| {
        let number = text.parse::<usize>().ok().filter(|&plies| plies <= LONGEST_OPENING);
        number.ok_or_else(|| {
            format!("bad openings {text:?}: expected a number of plies, 0 to {LONGEST_OPENING}")
        })
    };
    let list = match settings.openings.as_deref() {
        None => {
            if let Some(position) = &settings.position {
                truth::rules(catalog, game)?.setup(Some(position)).map_err(|e| e.to_string())?;
            }
            return Ok(vec![Opening { start: settings.position.clone(), moves: Vec::new() }]);
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
        return Err(format!("no opening of {game} leaves a game to play"));
    }
    Ok(list)
}

/// Every unfinished position after so many plies, one of all that are images of each other.
fn all_openings(catalog: &Catalog, game: &str, plies: usize) -> Result<Vec<Opening>, String> {
    let mut rules = truth::rules(catalog, game)?;
    let mut list = vec![Opening::default()];
    for _ in 0..plies {
        let mut seen = FxHashSet::default();
        let mut next = Vec::new();
        for opening in list {
            rules.setup(None).map_err(|e| e.to_string())?;
            for word in &opening.moves {
                rules.play(word).map_err(|e| e.to_string())?;
            }
            for word in rules.legal_moves(MOST_OPENINGS) {
                rules.play(&word).map_err(|e| e.to_string())?;
                if rules.result().is_none() && seen.insert(rules.canonical()) {
                    let mut moves = opening.moves.clone();
                    moves.push(word);
                    next.push(Opening { start: None, moves });
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

/// Random openings; fewer than wanted where the game has no more.
fn random_openings(
    catalog: &Catalog,
    game: &str,
    plies: usize,
    wanted: usize,
    seed: u64,
) -> Result<Vec<Opening>, String> {
    let mut rules = truth::rules(catalog, game)?;
    let mut random = SplitMix64(seed);
    let mut seen = FxHashSet::default();
    let mut list = Vec::new();
    for _ in 0..wanted.saturating_mul(20).max(100) {
        if list.len() == wanted.min(MOST_OPENINGS) {
            break;
        }
        rules.setup(None).map_err(|e| e.to_string())?;
        for _ in 0..plies {
            let moves = rules.legal_moves(MOST_OPENINGS);
            if moves.is_empty() {
                break;
            }
            rules.play(&moves[random.below(moves.len())]).map_err(|e| e.to_string())?;
        }
        if rules.result().is_none() && seen.insert(rules.canonical()) {
            list.push(Opening { start: None, moves: rules.history().to_vec() });
        }
    }
    Ok(list)
}

/// The openings in a file, a position a line; see [`positions`].
fn openings_in_file(catalog: &Catalog, game: &str, path: &str) -> Result<Vec<Opening>, String> {
    let text =
        files::read_text(Path::new(path), LARGEST_FILE).map_err(|e| format!("openings {path}: {e}"))?;
    let mut rules = truth::rules(catalog, game)?;
    let mut seen = FxHashSet::default();
    let mut list = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let refused = |e: String| format!("{path}:{}: {e}", number + 1);
        let epd = positions::may_be_epd(catalog, Some(game)).then(|| Epd::read(line)).flatten();
        let epd = epd.transpose().map_err(refused)?;
        let line = positions::without_remark(line);
        if line.is_empty() {
            continue;
        }
        let place = match &epd {
            Some(epd) => (Some(epd.fen.as_str()), Vec::new()),
            None => positions::split(line),
        };
        positions::set_up(&mut rules, &place).map_err(refused)?;
        if rules.result().is_none() && seen.insert(rules.canonical()) {
            list.push(Opening { start: place.0.map(str::to_string), moves: rules.history().to_vec() });
        }
    }
    Ok(list)
}

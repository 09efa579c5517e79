//! Symmetries of a game, found by comparing the moves of positions with those of their images.

use grundy_core::game::Player;
use grundy_core::random::SplitMix64;
use grundy_core::sorting;
use grundy_core::value::{Step, Value};
use grundy_session::{Board, Drawing, Listed};

use crate::layout::{Layout, cells_of, turn_of};

/// Positions that a symmetry is tried on.
const TRIED: usize = 24;
/// The same where all must agree.
const STRICTLY: usize = 96;
/// Positions of which moves are compared must agree in this share: rules that a position does not show (castling, a
/// capture en passant) may differ.
const AGREEING: f64 = 0.9;
/// Positions that must have been compared.
const ENOUGH: usize = 6;
/// Plies after which a random game is given up.
const LONGEST: usize = 300;
/// Attempts to add a piece, so that an image is a position that can occur.
const REPAIRS: usize = 60;
/// Kinds of cells beyond which pairs of letters are not tried.
const KINDS: usize = 6;

/// An image of positions: cells move, letters change, and the players may change places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// The cell to which each cell moves.
    pub cells: Vec<u16>,
    /// The byte that each byte becomes.
    pub letters: [u8; 256],
    /// True if the other player is to move in the image.
    pub swaps: bool,
}

impl Symmetry {
    /// Returns the image of cells.
    pub fn image(&self, cells: &[u8]) -> Vec<u8> {
        let mut image = vec![0; cells.len()];
        for (&byte, &to) in cells.iter().zip(&self.cells) {
            image[usize::from(to)] = self.letters[usize::from(byte)];
        }
        image
    }

    /// Reports whether it leaves every position as it is.
    fn is_identity(&self) -> bool {
        !self.swaps && self.cells.iter().enumerate().all(|(at, &to)| at == usize::from(to))
    }
}

/// A position of a random game.
#[derive(Clone, Debug)]
pub struct Met {
    /// The position.
    pub text: String,
    /// True if the game is over.
    pub ended: bool,
}

/// Returns the positions of random games, the last of each included; those met so far once `over`.
///
/// # Errors
/// The game does not read its own start.
pub fn random_positions(
    board: &mut dyn Board,
    games: usize,
    random: &mut SplitMix64,
    over: &dyn Fn() -> bool,
) -> Result<Vec<Met>, String> {
    let mut positions = Vec::new();
    for _ in 0..games {
        board.set_up(None)?;
        for _ in 0..LONGEST {
            if over() {
                return Ok(positions);
            }
            let moves = board.list(Listed::Legal, usize::MAX).unwrap_or_default();
            positions.push(Met { text: board.draw(Drawing::Line), ended: moves.is_empty() });
            let Some(&m) = moves.get(random.below(moves.len())) else { break };
            board.play(m);
        }
    }
    Ok(positions)
}

/// Returns the symmetries of the cells that leave the turn as it is, the identity first, and one that exchanges the
/// players, if they have the same game.
///
/// `met` are positions of the game, of which some are compared. `strict` is for games of rules files, whose positions show
/// all that matters: images must agree everywhere, in scores and variables, too. Once `over`, no more are found.
pub fn find(
    board: &mut dyn Board,
    layout: &Layout,
    met: &[Met],
    random: &mut SplitMix64,
    strict: bool,
    over: &dyn Fn() -> bool,
) -> (Vec<Symmetry>, Option<Symmetry>) {
    let identity: [u8; 256] = std::array::from_fn(|byte| byte as u8);
    let maps = maps(&layout.places);
    let all: Vec<&str> = met.iter().map(|met| &*met.text).collect();
    // The ends of games and the positions before them tell most: few other moves end a large game.
    let ends: Vec<&str> = met.iter().filter(|met| met.ended).map(|met| &*met.text).collect();
    let last = met.windows(2).filter(|pair| pair[1].ended && !pair[0].ended);
    let last: Vec<&str> = last.map(|pair| &*pair[0].text).collect();
    let mut tried: Vec<&str> = Vec::new();
    let most = if strict { STRICTLY } else { TRIED };
    for (from, count) in [(&all, most), (&ends, most / 2), (&last, most / 2)] {
        tried.extend((0..count).filter_map(|_| from.get(random.below(from.len())).copied()));
    }
    let mut holds = |symmetry: &Symmetry| {
        // Just before the end a stone too many, which an exchange of the players may ask for, often ends the game.
        let count = if symmetry.swaps && !strict { TRIED + TRIED / 2 } else { tried.len() };
        agrees(board, layout, symmetry, &tried[..count.min(tried.len())], strict, &mut SplitMix64(1))
    };
    let of = |cells: &Vec<u16>, letters, swaps| Symmetry { cells: cells.clone(), letters, swaps };
    let mut kept: Vec<Symmetry> = Vec::new();
    for cells in &maps {
        let symmetry = of(cells, identity, false);
        if symmetry.is_identity() || !over() && holds(&symmetry) {
            kept.push(symmetry);
        }
    }
    let mut exchanges = vec![identity];
    if !layout.list {
        exchanges.splice(0..0, letter_maps(&all));
    }
    let swap = exchanges.iter().find_map(|letters| {
        let candidates = maps.iter().map(|cells| of(cells, *letters, true));
        candidates.into_iter().find(|symmetry| !over() && holds(symmetry))
    });
    (kept, swap)
}

/// Returns the candidates for symmetries of the places: reflections and rotations of the box around them.
fn maps(places: &[(i32, i32)]) -> Vec<Vec<u16>> {
    let right = places.iter().map(|place| place.0).max().unwrap_or(0);
    let bottom = places.iter().map(|place| place.1).max().unwrap_or(0);
    let mut found: Vec<Vec<u16>> = Vec::new();
    for turn in 0..8 {
        let image = |&(x, y): &(i32, i32)| {
            let (x, y) =
                (if turn & 1 == 0 { x } else { right - x }, if turn & 2 == 0 { y } else { bottom - y });
            if turn & 4 == 0 { (x, y) } else { (y, x) }
        };
        let to =
            |place: &(i32, i32)| places.iter().position(|other| *other == image(place)).map(|to| to as u16);
        let map: Option<Vec<u16>> = places.iter().map(to).collect();
        found.extend(map.filter(|map| !found.contains(map)));
    }
    found
}

/// Returns the exchanges of letters that may exchange the players: small letters with capitals, or two letters.
fn letter_maps(texts: &[&str]) -> Vec<[u8; 256]> {
    let mut kinds: Vec<u8> = texts.iter().flat_map(|text| cells_of(text)).collect();
    sorting::sort(&mut kinds);
    kinds.dedup();
    let identity: [u8; 256] = std::array::from_fn(|byte| byte as u8);
    let mut maps = Vec::new();
    if kinds.iter().any(u8::is_ascii_lowercase) && kinds.iter().any(u8::is_ascii_uppercase) {
        maps.push(identity.map(|byte| byte ^ if byte.is_ascii_alphabetic() { 0x20 } else { 0 }));
    }
    if kinds.len() <= KINDS {
        for (at, &a) in kinds.iter().enumerate() {
            for &b in &kinds[at + 1..] {
                let mut map = identity;
                (map[usize::from(a)], map[usize::from(b)]) = (b, a);
                maps.push(map);
            }
        }
    }
    // A free cell is no player's: those are tried last.
    sorting::sort_by_key(&mut maps, |map| {
        map[usize::from(grundy_core::cells::FREE)] != grundy_core::cells::FREE
    });
    maps
}

/// A move as seen from outside: the cells after it, the player to move, the step, whether the game is over, and the
/// [scores](scores_of) where they are compared.
type Seen = (Vec<u8>, Player, Step, Option<Value>, String);

/// Returns the scores and variables in a written position of a rules file; empty where they have their usual values.
fn scores_of(text: &str) -> &str {
    let mut fields = text.split(' ').skip(1);
    match (fields.next(), fields.next()) {
        (Some(scores), Some(_)) if !scores.starts_with('@') => scores,
        _ => "",
    }
}

/// Returns the moves of the position on a board, sorted; with their scores if `scored`.
fn moves(board: &dyn Board, scored: bool) -> Vec<Seen> {
    let mut list = Vec::new();
    board.each_successor(&mut |successor| {
        let text = &successor.position;
        let scores = if scored { scores_of(text) } else { "" };
        list.push((cells_of(text), turn_of(text), successor.step, successor.over, scores.to_owned()));
        true
    });
    sorted(list)
}

/// Sorts moves by the cells after them, the player to move, the points gained and the scores.
fn sorted(mut list: Vec<Seen>) -> Vec<Seen> {
    sorting::sort_by(&mut list, |a, b| (&a.0, a.1, a.2.gain, &a.4).cmp(&(&b.0, b.1, b.2.gain, &b.4)));
    list
}

/// Reports whether positions and their images have the same ends and the same moves.
fn agrees(
    board: &mut dyn Board,
    layout: &Layout,
    symmetry: &Symmetry,
    texts: &[&str],
    strict: bool,
    random: &mut SplitMix64,
) -> bool {
    // An exchange of the players exchanges scores, too: those of moves are not compared.
    let scored = strict && !symmetry.swaps;
    let (mut asked, mut agreed, mut repaired, mut as_good) = (0, 0, 0, 0);
    for text in texts {
        // A place in the rules may name a cell, which is not replaced by its image.
        if strict && text.contains('@') || board.set_up(Some(text)).is_err() {
            continue;
        }
        let cells = cells_of(text);
        let (over, list) = (board.standing().over, moves(board, scored));
        let image = symmetry.image(&cells);
        if board.set_up(Some(&layout.write(text, &image, symmetry.swaps))).is_ok() {
            // The end of a game has no moves to compare, and a rules file may write it with a place in the rules.
            if over.is_some() {
                continue;
            }
            asked += 1;
            let expected = list.into_iter().map(|(cells, turn, step, over, scores)| {
                (symmetry.image(&cells), if symmetry.swaps { !turn } else { turn }, step, over, scores)
            });
            let expected = sorted(expected.collect());
            agreed += usize::from(board.standing().over == over && moves(board, scored) == expected);
        } else if let Some(ended) = repaired_end(board, layout, text, &image, symmetry.swaps, random) {
            repaired += 1;
            as_good += usize::from(ended == over);
        }
        if strict && agreed < asked {
            return false;
        }
        // Hopeless candidates are the most.
        if asked.max(repaired) == 4 && agreed + as_good == 0 {
            return false;
        }
    }
    let enough = |good: usize, all: usize| good as f64 >= AGREEING * all as f64;
    let direct = asked >= ENOUGH && enough(agreed, asked);
    direct || asked == 0 && repaired >= ENOUGH && enough(as_good, repaired)
}

/// Sets up an image that is no position because the numbers of pieces do not fit the turn, with one piece more;
/// returns whether and how the game is over there. `None` if no such position is found.
fn repaired_end(
    board: &mut dyn Board,
    layout: &Layout,
    text: &str,
    image: &[u8],
    swaps: bool,
    random: &mut SplitMix64,
) -> Option<Option<Value>> {
    if layout.list {
        return None;
    }
    let mut kinds: Vec<u8> = image.to_vec();
    sorting::sort(&mut kinds);
    kinds.dedup();
    for _ in 0..REPAIRS {
        let mut changed = image.to_vec();
        let at = random.below(changed.len());
        if changed[at] != grundy_core::cells::FREE {
            continue;
        }
        changed[at] = kinds[random.below(kinds.len())];
        if board.set_up(Some(&layout.write(text, &changed, swaps))).is_ok() {
            return Some(board.standing().over);
        }
    }
    None
}

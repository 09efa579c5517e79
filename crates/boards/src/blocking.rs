//! Certificates of draws in a row: claims that neither player can complete a line, in the form that `docs/certificates.md`
//! describes.

use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;

use grundy_core::bits::indices;
use grundy_core::game::{Game, Notation, Player};
use grundy_core::section::sealed;
use grundy_search::breaker::claims::{Answer, Claim, Claims, Reason, Use};

use crate::mnk::{Mnk, Position};

/// The first line.
const FIRST: &str = "grundy-blocking 1";

/// Positions that are looked at for a proof, at most.
const ATTEMPTS: u32 = 1 << 25;

/// Returns the certificate that neither player can complete a line from a position; `None` if the search finds no proof
/// before `stop`.
pub(crate) fn certificate(game: &Mnk, position: &Position, stop: &AtomicBool) -> Option<String> {
    if game.is_misere() || game.over(position).is_some() {
        return None;
    }
    let mut claims = Claims::new(game.symmetries());
    let mut breaker = game.breaker(ATTEMPTS, stop);
    let mut ends = String::new();
    for player in [Player::One, Player::Two] {
        let stones = [player, !player].map(|player| position.stones[player.index()]);
        let moves = game.turn(position) == player;
        let (cell, then) = breaker.claim((stones[0], stones[1]), moves, &mut claims)?;
        let cell = cell.map_or("-".to_owned(), |cell| game.grid().square(cell));
        let _ = writeln!(ends, "player {}\t{cell}\t{}", player.digit(), used(then));
    }
    let mut text = format!("{FIRST}\ngame {}\n", game.name());
    let _ = writeln!(text, "position {}\nclaims {}", game.write_position(position), claims.list().len());
    for Claim { stones, reason } in claims.list() {
        let stones = squares(game, *stones, ",");
        let _ = match reason {
            Reason::Pairs(pairs) => {
                let pairs: Vec<String> = pairs.iter().map(|&pair| squares(game, pair, "-")).collect();
                writeln!(text, "pairs\t{stones}\t{}", listed(&pairs))
            }
            Reason::Answers(answers) => {
                let answer =
                    |Answer { cell, then }: &Answer| format!("{}:{}", game.grid().square(*cell), used(*then));
                let answers: Vec<String> = answers.iter().map(answer).collect();
                writeln!(text, "answers\t{stones}\t{}", listed(&answers))
            }
        };
    }
    Some(sealed(text + &ends))
}

/// Returns the text of the use of a claim: its number, and that of the symmetry unless it is the identity.
fn used(Use { claim, symmetry }: Use) -> String {
    match symmetry {
        None => claim.to_string(),
        Some(map) => format!("{claim}/{}", map + 1),
    }
}

fn squares(game: &Mnk, cells: u64, between: &str) -> String {
    let names: Vec<String> = indices(cells).map(|cell| game.grid().square(cell)).collect();
    if names.is_empty() { "-".to_owned() } else { names.join(between) }
}

fn listed(words: &[String]) -> String {
    if words.is_empty() { "-".to_owned() } else { words.join(",") }
}

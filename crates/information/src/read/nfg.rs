//! Gambit's `.nfg` files: games in strategic form, by payoffs or by outcomes.

use std::ops::RangeInclusive;

use grundy_core::text::counted;
use num_traits::Zero;

use crate::bimatrix::Bimatrix;
use crate::fraction::Fraction;
use crate::matrix::{MOST, Matrix};
use crate::several::{MOST_PAYOFFS, Several};

use super::contents::{Contents, Names, Refusal};
use super::words::{Word, Words};

/// Maximum number of players of a game.
const MOST_PLAYERS: usize = 16;

/// Reads a game, and its names; one of two players becomes a bimatrix game.
pub fn read(text: &str) -> Result<(Contents, Names), Refusal> {
    let words = &mut Words::new(text)?;
    let (_, names) = head(words, "NFG", "1", 2..=MOST_PLAYERS)?;
    let players = names.len();
    let mut names = Names { players: names, strategies: Vec::new() };
    words.expect(&Word::Open)?;
    let mut sizes = Vec::new();
    for _ in 0..players {
        let (size, named) = match words.peek() {
            Some(Word::Open) => {
                let named = strategies(words)?;
                (named.len(), named)
            }
            _ => (words.count("a number of strategies")?, Vec::new()),
        };
        sizes.push(size);
        names.strategies.push(named);
    }
    words.expect(&Word::Close)?;
    let _comment = words.text_if();
    let shown = sizes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" x ");
    let profiles = sizes.iter().try_fold(1_usize, |all, &size| all.checked_mul(size));
    let profiles = profiles.filter(|all| all.checked_mul(players).is_some_and(|all| all <= MOST_PAYOFFS));
    let fits = sizes.iter().all(|size| (1..=MOST).contains(size));
    let Some(profiles) = profiles.filter(|_| fits) else {
        let expected = format!("expected 1 to {MOST} each, and at most {MOST_PAYOFFS} payoffs");
        return Err(Refusal::new(words.line(), format!("{shown} strategies: {expected}")));
    };
    let outcomes = if words.take(&Word::Open) { Some(outcomes(words, players)?) } else { None };
    let mut payoffs = Vec::new();
    for _ in 0..profiles {
        payoffs.push(match &outcomes {
            None => each_payoff(words, players)?,
            Some(outcomes) => {
                let refusal = words.refuse(&format!("an outcome from 0 to {}", outcomes.len()));
                match words.count("the number of an outcome")? {
                    0 => vec![Fraction::zero(); players],
                    number => outcomes.get(number - 1).cloned().ok_or(refusal)?,
                }
            }
        });
    }
    if !words.done() {
        return Err(words.refuse(&format!("nothing behind the payoffs of {shown} strategies")));
    }
    let game = game(sizes, payoffs).map_err(|reason| Refusal::new(0, reason))?;
    Ok((game, names))
}

/// Returns the game with these strategies and payoffs, the first player's strategies changing fastest.
fn game(sizes: Vec<usize>, payoffs: Vec<Vec<Fraction>>) -> Result<Contents, String> {
    let [rows, columns] = sizes[..] else { return Several::new(sizes, payoffs).map(Contents::Several) };
    let cells = |player: usize| {
        let row = |i: usize| (0..columns).map(|j| payoffs[j * rows + i][player].clone()).collect();
        Matrix::new((0..rows).map(row).collect())
    };
    Bimatrix::new(cells(0)?, cells(1)?).map(Contents::Bimatrix)
}

/// Reads a payoff for each player.
fn each_payoff(words: &mut Words, players: usize) -> Result<Vec<Fraction>, Refusal> {
    (0..players).map(|_| words.number("a payoff")).collect()
}

/// Reads the head that both kinds of files share, up to the names of the players. Returns the title and these names, the
/// number of which must lie in `expected`.
pub fn head(
    words: &mut Words,
    magic: &str,
    version: &str,
    expected: RangeInclusive<usize>,
) -> Result<(String, Vec<String>), Refusal> {
    words.expect(&Word::Plain(magic.to_string()))?;
    words.expect(&Word::Plain(version.to_string()))?;
    if !words.take(&Word::Plain("D".to_string())) {
        words.expect(&Word::Plain("R".to_string()))?;
    }
    let title = words.text("a title")?;
    words.expect(&Word::Open)?;
    let line = words.line();
    let mut players = Vec::new();
    while let Some(name) = words.text_if() {
        players.push(name);
    }
    words.expect(&Word::Close)?;
    if !expected.contains(&players.len()) {
        let (least, most) = expected.into_inner();
        let range = if least == most { least.to_string() } else { format!("{least} to {most}") };
        return Err(Refusal::new(line, format!("{}: expected {range}", counted(players.len(), "player"))));
    }
    Ok((title, players))
}

/// Reads the names of a player's strategies.
fn strategies(words: &mut Words) -> Result<Vec<String>, Refusal> {
    words.expect(&Word::Open)?;
    let mut names = Vec::new();
    while let Some(name) = words.text_if() {
        names.push(name);
    }
    words.expect(&Word::Close)?;
    Ok(names)
}

fn outcomes(words: &mut Words, players: usize) -> Result<Vec<Vec<Fraction>>, Refusal> {
    let mut outcomes = Vec::new();
    while words.take(&Word::Open) {
        words.text("the name of an outcome")?;
        outcomes.push(each_payoff(words, players)?);
        words.expect(&Word::Close)?;
    }
    words.expect(&Word::Close)?;
    Ok(outcomes)
}

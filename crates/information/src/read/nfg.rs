//! Gambit's `.nfg` files: games in strategic form, by payoffs or by outcomes.

use num_traits::Zero;

use crate::bimatrix::Bimatrix;
use crate::fraction::Fraction;
use crate::matrix::{MOST, Matrix};

use super::contents::Refusal;
use super::words::{Word, Words};

/// Reads a game of two players.
pub fn read(text: &str) -> Result<Bimatrix, Refusal> {
    let words = &mut Words::new(text)?;
    head(words, "NFG", "1")?;
    words.expect(&Word::Open)?;
    let [rows, columns] = match words.peek() {
        Some(Word::Open) => [strategies(words)?, strategies(words)?],
        _ => [words.count("a number of strategies")?, words.count("a number of strategies")?],
    };
    words.expect(&Word::Close)?;
    let _comment = words.text_if();
    if rows == 0 || columns == 0 || rows > MOST || columns > MOST {
        return Err(Refusal::new(
            words.line(),
            format!("{rows} x {columns} strategies: expected 1 to {MOST}"),
        ));
    }
    let outcomes = if words.take(&Word::Open) { Some(outcomes(words)?) } else { None };
    let mut cells = [0, 1].map(|_| vec![vec![Fraction::zero(); columns]; rows]);
    // The row player's strategies change fastest.
    for j in 0..columns {
        for i in 0..rows {
            let payoffs = match &outcomes {
                None => [words.number("a payoff")?, words.number("a payoff")?],
                Some(outcomes) => {
                    let refusal = words.refuse(&format!("an outcome from 0 to {}", outcomes.len()));
                    match words.count("the number of an outcome")? {
                        0 => [Fraction::zero(), Fraction::zero()],
                        number => outcomes.get(number - 1).cloned().ok_or(refusal)?,
                    }
                }
            };
            for (cells, payoff) in cells.iter_mut().zip(payoffs) {
                cells[i][j] = payoff;
            }
        }
    }
    if !words.done() {
        return Err(words.refuse(&format!("nothing behind the payoffs of {rows} x {columns} strategies")));
    }
    let [row, column] = cells.map(Matrix::new);
    row.and_then(|row| Bimatrix::new(row, column?)).map_err(|reason| Refusal::new(0, reason))
}

/// Reads what both kinds of files begin with, up to the names of the players, which must be two.
pub fn head(words: &mut Words, magic: &str, version: &str) -> Result<String, Refusal> {
    words.expect(&Word::Plain(magic.to_string()))?;
    words.expect(&Word::Plain(version.to_string()))?;
    if !words.take(&Word::Plain("D".to_string())) {
        words.expect(&Word::Plain("R".to_string()))?;
    }
    let title = words.text("a title")?;
    words.expect(&Word::Open)?;
    let line = words.line();
    let mut players = 0;
    while words.text_if().is_some() {
        players += 1;
    }
    words.expect(&Word::Close)?;
    if players != 2 {
        return Err(Refusal::new(line, format!("{players} players: expected 2")));
    }
    Ok(title)
}

fn strategies(words: &mut Words) -> Result<usize, Refusal> {
    words.expect(&Word::Open)?;
    let mut count = 0;
    while words.text_if().is_some() {
        count += 1;
    }
    words.expect(&Word::Close)?;
    Ok(count)
}

fn outcomes(words: &mut Words) -> Result<Vec<[Fraction; 2]>, Refusal> {
    let mut outcomes = Vec::new();
    while words.take(&Word::Open) {
        words.text("the name of an outcome")?;
        outcomes.push([words.number("a payoff")?, words.number("a payoff")?]);
        words.expect(&Word::Close)?;
    }
    words.expect(&Word::Close)?;
    Ok(outcomes)
}

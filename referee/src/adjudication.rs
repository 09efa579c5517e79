//! Adjudication: results of games by the scores that the engines announce.

use grundy_core::game::Player;

use crate::claim::MATE;
use crate::verdict::Outcome;

/// The rules by which scores end games. By default none do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Adjudication {
    resign: Option<Resign>,
    draw: Option<Draw>,
}

/// A player loses whose scores of `moves` consecutive moves of his are -`score` or less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Resign {
    moves: u32,
    score: i64,
    /// Set if as many scores of the opponent have to be `score` or more.
    twosided: bool,
}

/// A game is drawn if for both players the scores of `moves` consecutive moves are between -`score` and
/// `score`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Draw {
    /// Half of the plies before which no game is drawn.
    after: u32,
    moves: u32,
    score: i64,
}

impl Adjudication {
    /// Reads the words of `--resign` and `--draw`; a rule without words is off.
    ///
    /// # Errors
    /// One line that says what was expected.
    pub fn read(resign: &[String], draw: &[String]) -> Result<Adjudication, String> {
        let wrong_resign = |text: &str| {
            format!(
                "bad --resign {text:?}: expected moves=M score=CP, M from 1 and CP from 1 to {MATE}, and twosided if \
                 both engines have to agree"
            )
        };
        let wrong_draw = |text: &str| {
            let most = MATE - 1;
            format!(
                "bad --draw {text:?}: expected after=N moves=M score=CP, M from 1 and CP from 0 to {most}"
            )
        };
        Ok(Adjudication {
            resign: read_rule(resign, Resign::read, wrong_resign)?,
            draw: read_rule(draw, Draw::read, wrong_draw)?,
        })
    }
}

/// Reads the words of a rule, which may be in one piece; `None` without words.
fn read_rule<T>(
    words: &[String],
    read: fn(&str) -> Option<T>,
    wrong: impl Fn(&str) -> String,
) -> Result<Option<T>, String> {
    let text = words.join(" ");
    match words.is_empty() {
        true => Ok(None),
        false => read(&text).map(Some).ok_or_else(|| wrong(&text)),
    }
}

impl Resign {
    fn read(text: &str) -> Option<Resign> {
        let ([moves, score], twosided) = words_in(text, ["moves", "score"])?;
        let (moves, score) = (moves?, i64::from(score?));
        (moves > 0 && (1..=MATE).contains(&score)).then_some(Resign { moves, score, twosided })
    }
}

impl Draw {
    fn read(text: &str) -> Option<Draw> {
        let ([after, moves, score], twosided) = words_in(text, ["after", "moves", "score"])?;
        let (after, moves, score) = (after?, moves?, i64::from(score?));
        (moves > 0 && score < MATE && !twosided).then_some(Draw { after, moves, score })
    }
}

/// Reads words `key=number`, each key at most once, and `twosided`; `None` if there is another word.
fn words_in<const N: usize>(text: &str, keys: [&str; N]) -> Option<([Option<u32>; N], bool)> {
    let (mut numbers, mut twosided) = ([None; N], false);
    for word in text.split_ascii_whitespace() {
        let Some((key, number)) = word.split_once('=') else {
            if word != "twosided" {
                return None;
            }
            twosided = true;
            continue;
        };
        let at = keys.iter().position(|known| *known == key)?;
        if numbers[at].replace(number.parse::<u32>().ok()?).is_some() {
            return None;
        }
    }
    Some((numbers, twosided))
}

/// The scores of one game, as far as a rule counts them.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    rules: Adjudication,
    plies: usize,
    /// For each player the consecutive moves, up to his last, whose scores count as lost.
    losing: [u32; 2],
    /// The same for scores that count as won.
    winning: [u32; 2],
    /// The same for scores that count as level.
    level: [u32; 2],
}

impl Adjudicator {
    /// Returns the adjudicator of a game after an opening of this many `plies`.
    pub fn new(rules: Adjudication, plies: usize) -> Adjudicator {
        Adjudicator { rules, plies, losing: [0; 2], winning: [0; 2], level: [0; 2] }
    }

    /// Notes the score of a move of player `by`, in centipawns from his point of view; returns the result if
    /// the scores decide the game.
    pub fn note(&mut self, by: Player, score: Option<i64>) -> Option<Outcome> {
        let i = by.index();
        self.plies += 1;
        if let Some(Resign { moves, score: least, twosided }) = self.rules.resign {
            count(&mut self.losing[i], score.is_some_and(|score| score <= -least));
            count(&mut self.winning[i], score.is_some_and(|score| score >= least));
            let lost = |player: Player| {
                self.losing[player.index()] >= moves
                    && (!twosided || self.winning[(!player).index()] >= moves)
            };
            if let Some(loser) = [by, !by].into_iter().find(|&player| lost(player)) {
                return Some(Outcome::lost_by(loser));
            }
        }
        if let Some(Draw { after, moves, score: most }) = self.rules.draw {
            count(&mut self.level[i], score.is_some_and(|score| (-most..=most).contains(&score)));
            if self.plies as u64 >= 2 * u64::from(after) && self.level.iter().all(|&level| level >= moves) {
                return Some(Outcome::Draw);
            }
        }
        None
    }
}

/// Counts one more of a series, or begins it anew.
fn count(series: &mut u32, goes_on: bool) {
    *series = if goes_on { series.saturating_add(1) } else { 0 };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(resign: &str, draw: &str) -> Result<Adjudication, String> {
        let words = |text: &str| -> Vec<String> { text.split_whitespace().map(str::to_owned).collect() };
        Adjudication::read(&words(resign), &words(draw))
    }

    /// A move without a score.
    const NONE: i64 = i64::MIN;

    /// Returns the number of scores after which a game is decided, and its result. The players move by turns,
    /// after an opening of two plies.
    fn decided(rules: Adjudication, scores: &[i64]) -> Option<(usize, Outcome)> {
        let mut adjudicator = Adjudicator::new(rules, 2);
        let players = [Player::One, Player::Two].into_iter().cycle();
        players.zip(scores).zip(1..).find_map(|((by, &score), count)| {
            let score = Some(score).filter(|&score| score != NONE);
            Some((count, adjudicator.note(by, score)?))
        })
    }

    #[test]
    fn a_player_resigns_by_his_own_scores_in_a_row() {
        let rules = read("moves=2 score=300", "").unwrap();
        assert_eq!(decided(rules, &[0, -300, 0, -299, 0, -300, 0, -MATE]), Some((8, Outcome::First)));
        assert_eq!(decided(rules, &[-400, 0, -400]), Some((3, Outcome::Second)));
        assert_eq!(decided(rules, &[-400, 0, NONE, 0, -400]), None, "a move without a score ends the series");
        let rules = read("twosided score=300 moves=2", "").unwrap();
        assert_eq!(decided(rules, &[-400, 0, -400, 300, -400, 300]), Some((6, Outcome::Second)));
        assert_eq!(decided(Adjudication::default(), &[-MATE; 9]), None);
    }

    #[test]
    fn a_draw_needs_the_scores_of_both_and_the_moves_before_it() {
        let rules = read("", "after=3 moves=2 score=5").unwrap();
        assert_eq!(decided(rules, &[0, 0, 5, -5]), Some((4, Outcome::Draw)));
        assert_eq!(decided(rules, &[0, 6, 0, 0, 0, 0]), Some((6, Outcome::Draw)));
        assert_eq!(decided(rules, &[0, NONE, 0, NONE, 0, NONE]), None);
        let rules = read("", "after=0 moves=1 score=0").unwrap();
        assert_eq!(decided(rules, &[0, 0]), Some((2, Outcome::Draw)));
    }

    #[test]
    fn words_that_mean_nothing_are_refused() {
        for bad in ["moves=3", "moves=0 score=5", "moves=1 score=0", "moves=x score=1", "moves=1 score=-5"] {
            assert!(read(bad, "").unwrap_err().starts_with("bad --resign"), "{bad}");
        }
        for bad in
            ["moves=1 moves=2 score=3", "moves=1 score=100001", "moves=1 score=3 both", "after=1 moves=1"]
        {
            assert!(read(bad, "").unwrap_err().contains("expected moves=M score=CP"), "{bad}");
        }
        for bad in ["moves=3 score=5", "after=1 moves=0 score=5", "after=1 moves=1 score=100000"] {
            assert!(read("", bad).unwrap_err().starts_with("bad --draw"), "{bad}");
        }
        assert!(read("", "after=1 moves=1 score=5 twosided").is_err());
        assert!(Adjudication::read(&[String::new()], &[]).is_err());
        assert!(Adjudication::read(&["moves=3 score=600".to_owned()], &[]).is_ok(), "words in one piece");
    }
}

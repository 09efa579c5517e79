//! Answers as text: the `info` line, values, and sanitised text from outside.

use std::fmt::Write;
use std::time::Duration;

use super::dialect::Dialect;
use grundy_core::text::excerpt;
use grundy_core::value::{Score, Unit, Value, Wdl};
use grundy_session::Info;

/// The score of a win or loss without a distance, in hundredths.
const SURE: i32 = 20_000;

/// Returns a value as the protocol writes it; `?` if it is not known.
pub fn value_word(value: Option<Value>, unit: Unit) -> String {
    value.map_or_else(|| "?".to_owned(), |v| v.show(unit).to_string())
}

/// Returns one `info` line of a search. `score` and `pv` take the place of those of `info`; `elapsed` is the time since
/// `go` was read.
pub fn info_line(info: &Info, score: Score, pv: &[String], dialect: Dialect, elapsed: Duration) -> String {
    let time = elapsed.as_millis();
    let nps = u128::from(info.nodes) * 1_000_000 / elapsed.as_micros().max(1);
    let mut line = format!(
        "info depth {} seldepth {} nodes {} nps {nps} time {time} hashfull {} multipv {} score {}",
        info.depth,
        info.seldepth,
        info.nodes,
        info.hashfull,
        info.rank,
        score_words(announced(score, pv), dialect, info.unit),
    );
    let value = match score {
        Score::Exact(value) => format!(" value {}", value.show(info.unit)),
        _ => String::new(),
    };
    let pv = if pv.is_empty() { String::new() } else { format!(" pv {}", pv.join(" ")) };
    let _ = match dialect {
        // UCI has no `value`, and some of its hosts drop what follows a word that they do not know.
        Dialect::Uci if !value.is_empty() => write!(line, "{pv} string{value}"),
        _ => write!(line, "{value}{pv}"),
    };
    line
}

/// Returns the score for the last line before `bestmove`, which has no bounds: a bound becomes the outcome that it
/// proves, else an estimate.
pub fn bound_free(score: Score, unit: Unit) -> Score {
    match (score.settled(), score) {
        (Some(value), _) => Score::Exact(value),
        (None, Score::AtLeast(v) | Score::AtMost(v)) => Score::Guess(hundredths(v, unit)),
        (None, guess) => guess,
    }
}

/// Returns the score without an exact distance that the line of play does not show: an exact mate has its line. A bound has none.
fn announced(score: Score, pv: &[String]) -> Score {
    match score {
        Score::Exact(value) if value.plies().is_some_and(|plies| pv.len() < plies as usize) => {
            Score::Exact(if value > Value::DRAW { Value::WIN } else { Value::LOSS })
        }
        _ => score,
    }
}

fn score_words(score: Score, dialect: Dialect, unit: Unit) -> String {
    match score {
        Score::Guess(cp) => format!("cp {cp}"),
        Score::Exact(value) => value_score(value, dialect, unit),
        Score::AtLeast(value) => format!("{} lowerbound", value_score(value, dialect, unit)),
        Score::AtMost(value) => format!("{} upperbound", value_score(value, dialect, unit)),
    }
}

fn value_score(value: Value, dialect: Dialect, unit: Unit) -> String {
    let size = match dialect {
        Dialect::Ugi => value.plies(),
        Dialect::Uci => value.moves_to_mate(),
    };
    let Some(size) = size.map(i64::from) else { return format!("cp {}", hundredths(value, unit)) };
    // "Mate in 0" has no sign: the side to move has lost, or in a misere game won, already.
    format!("mate {}", if value.wdl() == Wdl::Loss { -size } else { size })
}

fn hundredths(value: Value, unit: Unit) -> i32 {
    match (value.margin(), value.wdl()) {
        (Some(margin), _) if unit.is_points() => {
            let hundredths = i64::from(margin) * 100 / i64::from(unit.denominator().get());
            hundredths.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
        }
        (Some(_), _) | (None, Wdl::Draw) => 0,
        (None, Wdl::Win) => SURE,
        (None, Wdl::Loss) => -SURE,
    }
}

/// Returns text from outside as one short printable line.
pub fn clean(text: &str) -> String {
    excerpt(text, 200)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_plies_or_in_moves_of_the_winner() {
        let words = |v, d| value_score(v, d, Unit::Outcome);
        assert_eq!(words(Value::win_in(13), Dialect::Ugi), "mate 13");
        assert_eq!(words(Value::win_in(13), Dialect::Uci), "mate 7");
        assert_eq!(words(Value::loss_in(12), Dialect::Uci), "mate -6");
        assert_eq!(words(Value::loss_in(0), Dialect::Uci), "mate 0");
        assert_eq!(words(Value::WIN, Dialect::Uci), "cp 20000");
        assert_eq!(words(Value::LOSS, Dialect::Ugi), "cp -20000");
    }

    #[test]
    fn an_exact_mate_has_its_line_and_a_bound_by_a_mate_needs_none() {
        let words = |score, pv: &[String]| score_words(announced(score, pv), Dialect::Uci, Unit::Outcome);
        let pv = ["d1h5", "a7a6", "h5f7"].map(str::to_owned);
        assert_eq!(words(Score::Exact(Value::win_in(3)), &pv), "mate 2");
        assert_eq!(words(Score::Exact(Value::win_in(3)), &pv[..1]), "cp 20000");
        assert_eq!(words(Score::Exact(Value::loss_in(2)), &pv[..1]), "cp -20000");
        assert_eq!(words(Score::AtLeast(Value::win_in(3)), &pv[..1]), "mate 2 lowerbound");
        // A win without its distance would be less than the bound.
        assert_eq!(words(Score::AtMost(Value::win_in(3)), &pv[..1]), "mate 2 upperbound");
    }

    #[test]
    fn points_are_hundreds_of_cp_without_overflow() {
        assert_eq!(value_score(Value::points(-3), Dialect::Ugi, Unit::Points), "cp -300");
        assert_eq!(value_score(Value::points(i32::MAX), Dialect::Ugi, Unit::Points), "cp 2147483647");
    }
}

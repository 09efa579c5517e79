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

/// Returns the score without a distance that the line of play does not show: a line with a mate has its length.
fn announced(score: Score, pv: &[String]) -> Score {
    let told = |value: Value| match value.plies() {
        Some(plies) if pv.len() < plies as usize && value > Value::DRAW => Value::WIN,
        Some(plies) if pv.len() < plies as usize => Value::LOSS,
        _ => value,
    };
    match score {
        Score::Exact(value) => Score::Exact(told(value)),
        Score::AtLeast(value) => Score::AtLeast(told(value)),
        Score::AtMost(value) => Score::AtMost(told(value)),
        Score::Guess(_) => score,
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
    let Some(plies) = value.plies() else { return format!("cp {}", hundredths(value, unit)) };
    let size = match dialect {
        Dialect::Ugi => i64::from(plies),
        Dialect::Uci => i64::from(plies).div_euclid(2) + i64::from(plies % 2),
    };
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
    fn points_are_hundreds_of_cp_without_overflow() {
        assert_eq!(value_score(Value::points(-3), Dialect::Ugi, Unit::Points), "cp -300");
        assert_eq!(value_score(Value::points(i32::MAX), Dialect::Ugi, Unit::Points), "cp 2147483647");
    }
}

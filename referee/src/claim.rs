//! Claims: what an engine says a position is worth.

use grundy_core::value::{Unit, Value, Wdl};

use crate::engine_spec::Dialect;

/// The score of a mate, in centipawns: above any other.
pub const MATE: i64 = 100_000;

/// A statement of an engine about the value of a position for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// `value`: exactly this.
    Exact(Value),
    /// `score mate`: won or lost within this number of plies.
    Within(Wdl, u32),
}

/// Reports whether a line is an `info` line with a score of the position: of its best move, where several are told.
pub fn is_of_position(line: &str) -> bool {
    let Some(fields) = line.strip_prefix("info ") else { return false };
    let mut words = fields.split_ascii_whitespace().take_while(|word| !matches!(*word, "pv" | "string"));
    let mut scored = false;
    while let Some(word) = words.next() {
        match word {
            "score" => scored = true,
            "multipv" if words.next() != Some("1") => return false,
            _ => {}
        }
    }
    scored
}

/// The words of an `info` line, except its `pv`, and its `string`.
struct Fields<'l> {
    words: Vec<&'l str>,
    string: &'l str,
}

impl<'l> Fields<'l> {
    fn read(info: &'l str) -> Fields<'l> {
        let (fields, string) = info.split_once(" string ").unwrap_or((info, ""));
        let words = fields.split_ascii_whitespace().take_while(|&word| word != "pv").collect();
        Fields { words, string }
    }

    /// Returns the word after `key`.
    fn after(&self, key: &str) -> Option<&'l str> {
        let at = self.words.iter().position(|&word| word == key)?;
        self.words.get(at + 1).copied()
    }

    /// Reports whether the score is a bound only.
    fn is_bound(&self) -> bool {
        self.words.contains(&"lowerbound") || self.words.contains(&"upperbound")
    }
}

/// Reads the claim in an `info` line with a score: `value win:12`, which may be its `string`, or `score mate 6` (plies in
/// UGI, moves in UCI).
pub fn read_claim(info: &str, dialect: Dialect) -> Option<Claim> {
    let fields = Fields::read(info);
    let last = fields.string.strip_prefix("value ").filter(|_| fields.words.contains(&"score"));
    if let Some(value) = fields.after("value").or(last).and_then(Value::read) {
        return Some(Claim::Exact(value));
    }
    if fields.is_bound() {
        return None;
    }
    let mate: i64 = fields.after("mate")?.parse().ok()?;
    let (wdl, size) = if mate > 0 { (Wdl::Win, mate) } else { (Wdl::Loss, mate.checked_neg()?) };
    let plies = match (dialect, wdl) {
        (Dialect::Ugi | Dialect::Gomocup | Dialect::Gtp | Dialect::XBoard, _) => size,
        (Dialect::Uci, Wdl::Win) => size.checked_mul(2)? - 1,
        (Dialect::Uci, _) => size.checked_mul(2)?,
    };
    Some(Claim::Within(wdl, u32::try_from(plies).ok()?))
}

/// Reads the score in an `info` line, in centipawns for the player to move, at most [`MATE`], which a mate
/// counts; `None` for a bound.
pub fn read_score(info: &str) -> Option<i64> {
    let fields = Fields::read(info);
    if fields.is_bound() {
        return None;
    }
    let number = |key: &str| fields.after(key)?.parse::<i64>().ok();
    match number("mate") {
        Some(mate) => Some(if mate > 0 { MATE } else { -MATE }),
        None => number("cp").map(|score| score.clamp(-MATE, MATE)),
    }
}

impl Claim {
    /// Reports whether the claim is compatible with the exact value: of the same kind, and no stronger. `ends` is the
    /// outcome by that value: in a game for points, who is ahead at the end.
    pub fn agrees(self, truth: Value, ends: Wdl) -> bool {
        match self {
            Claim::Exact(value) if value.plies().is_some() && truth.plies().is_some() => value == truth,
            Claim::Exact(value) if value.margin().is_some() || truth.margin().is_some() => value == truth,
            Claim::Exact(value) => value.wdl() == truth.wdl(),
            Claim::Within(wdl, plies) => wdl == ends && truth.plies().is_none_or(|least| plies >= least),
        }
    }

    /// Returns the value of an exact claim.
    pub fn exact(self) -> Option<Value> {
        match self {
            Claim::Exact(value) => Some(value),
            Claim::Within(..) => None,
        }
    }
}

/// Values and claims as text.
pub trait Text: Copy {
    /// Reads what [`Text::words`] writes; `None` for anything else.
    fn read(words: &str) -> Option<Self>;
    /// Returns the text in a game whose values count `unit`.
    fn words(self, unit: Unit) -> String;
}

impl Text for Value {
    fn read(words: &str) -> Option<Value> {
        Value::read(words)
    }

    fn words(self, unit: Unit) -> String {
        self.show(unit).to_string()
    }
}

impl Text for Claim {
    fn read(words: &str) -> Option<Claim> {
        let Some((wdl, plies)) = words.split_once(" within ") else {
            return Value::read(words).map(Claim::Exact);
        };
        let wdl = match wdl {
            "win" => Wdl::Win,
            "loss" => Wdl::Loss,
            _ => return None,
        };
        Some(Claim::Within(wdl, plies.strip_suffix(" plies")?.parse().ok()?))
    }

    fn words(self, unit: Unit) -> String {
        match self {
            Claim::Exact(value) => value.show(unit).to_string(),
            Claim::Within(wdl, plies) => format!("{wdl} within {plies} plies"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_read_in_each_dialect() {
        let info = "info depth 3 score mate 4 pv a1 b1";
        assert_eq!(read_claim(info, Dialect::Ugi), Some(Claim::Within(Wdl::Win, 4)));
        assert_eq!(read_claim(info, Dialect::Uci), Some(Claim::Within(Wdl::Win, 7)));
        assert_eq!(read_claim("info score mate -2", Dialect::Uci), Some(Claim::Within(Wdl::Loss, 4)));
        assert_eq!(
            read_claim("info score cp 3 value -2", Dialect::Ugi),
            Some(Claim::Exact(Value::points(-2)))
        );
        assert_eq!(read_claim("info score mate 99999999999999999999", Dialect::Ugi), None);
        assert_eq!(read_claim("info score mate 9223372036854775807", Dialect::Uci), None);
        assert_eq!(read_claim("info score mate -9223372036854775808", Dialect::Ugi), None);
        assert_eq!(read_claim("info score mate 3 lowerbound", Dialect::Ugi), None);
        assert_eq!(read_claim("info pv value win:3", Dialect::Ugi), None);
        let exact = Some(Claim::Exact(Value::win_in(7)));
        assert_eq!(read_claim("info score mate 4 pv a1 b1 string value win:7", Dialect::Uci), exact);
        assert_eq!(read_claim("info string value win:7", Dialect::Uci), None);
    }

    #[test]
    fn scores_are_those_of_whole_lines() {
        for (info, score) in [
            ("info depth 3 score cp -45 nodes 7 pv a1 cp 3", Some(-45)),
            ("info depth 3 score cp 999999999", Some(MATE)),
            ("info depth 3 score mate 4 value win:4", Some(MATE)),
            ("info depth 0 score mate 0", Some(-MATE)),
            ("info depth 3 score cp 12 lowerbound", None),
            ("info depth 3 score cp x", None),
            ("info depth 3 nodes 5", None),
        ] {
            assert_eq!(read_score(info), score, "{info}");
        }
    }

    #[test]
    fn a_claim_may_be_weaker_than_the_truth_but_not_stronger() {
        let agrees = |claim: Claim, truth: Value| claim.agrees(truth, truth.wdl());
        assert!(agrees(Claim::Within(Wdl::Win, 9), Value::win_in(7)));
        assert!(!agrees(Claim::Within(Wdl::Win, 5), Value::win_in(7)));
        assert!(!agrees(Claim::Within(Wdl::Win, 5), Value::DRAW));
        assert!(agrees(Claim::Exact(Value::WIN), Value::win_in(3)));
        assert!(!agrees(Claim::Exact(Value::win_in(5)), Value::win_in(3)));
    }

    #[test]
    fn in_games_for_points_a_win_is_being_ahead_at_the_end() {
        let claim = Claim::Within(Wdl::Win, 9);
        assert!(claim.agrees(Value::points(-1), Wdl::Win), "two ahead, one of them will go");
        assert!(!claim.agrees(Value::points(1), Wdl::Loss) && !claim.agrees(Value::points(0), Wdl::Draw));
        assert!(!Claim::Exact(Value::points(1)).agrees(Value::points(-1), Wdl::Win));
    }
}

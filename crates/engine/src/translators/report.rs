//! The engine's lines of UGI, read back for other protocols.

/// The words of an `info` line with a score.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Report {
    pub depth: u32,
    pub nodes: u64,
    /// Milliseconds since `go`.
    pub time: u64,
    /// Rank among the lines of the search, from 1.
    pub rank: u32,
    /// Hundredths, unless `mate` is set.
    pub cp: i64,
    /// Plies to the end of a won or (negative) lost game.
    pub mate: Option<i64>,
    /// True if the score is a bound only.
    pub bound: bool,
    /// The exact value, if it is proved.
    pub value: Option<String>,
    pub pv: Vec<String>,
}

impl Report {
    /// Reads an `info` line; `None` if it has no score.
    pub fn read(line: &str) -> Option<Report> {
        let mut words = line.strip_prefix("info depth ")?.split(' ');
        let mut report = Report { depth: words.next()?.parse().ok()?, rank: 1, ..Report::default() };
        let mut scored = false;
        while let Some(word) = words.next() {
            match word {
                "nodes" => report.nodes = words.next()?.parse().ok()?,
                "time" => report.time = words.next()?.parse().ok()?,
                "multipv" => report.rank = words.next()?.parse().ok()?,
                "cp" => (report.cp, scored) = (words.next()?.parse().ok()?, true),
                "mate" => (report.mate, scored) = (Some(words.next()?.parse().ok()?), true),
                "lowerbound" | "upperbound" => report.bound = true,
                "value" => report.value = Some(words.next()?.to_owned()),
                "pv" => report.pv = words.by_ref().map(str::to_owned).collect(),
                _ => {}
            }
        }
        scored.then_some(report)
    }
}

/// A line of the engine that a translator may have to pass on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Heard<'l> {
    /// The move that answers `go`; `None` if there is none.
    Best(Option<&'l str>),
    /// A line of a search.
    Report(Report),
    /// An error message.
    Error(&'l str),
    /// A note for the player.
    Note(&'l str),
    /// Nothing of these.
    Other,
}

impl Heard<'_> {
    /// Reads a line of the engine.
    pub fn read(line: &str) -> Heard<'_> {
        if let Some(word) = line.strip_prefix("bestmove ") {
            return Heard::Best(Some(word).filter(|&word| word != "0000"));
        }
        match line.strip_prefix("info string ") {
            Some(text) => text.strip_prefix("error ").map_or(Heard::Note(text), Heard::Error),
            None => Report::read(line).map_or(Heard::Other, Heard::Report),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_engine_are_read_back() {
        let line = "info depth 9 seldepth 9 nodes 12 nps 3 time 4 hashfull 0 multipv 1 score mate -8 value loss:8 pv b2 a1";
        let Heard::Report(report) = Heard::read(line) else { panic!("{line}") };
        assert_eq!((report.depth, report.nodes, report.time, report.mate), (9, 12, 4, Some(-8)));
        assert_eq!((report.value.as_deref(), report.pv.join(" ").as_str()), (Some("loss:8"), "b2 a1"));
        assert_eq!(Heard::read("bestmove b2"), Heard::Best(Some("b2")));
        assert_eq!(Heard::read("bestmove 0000"), Heard::Best(None));
        assert_eq!(Heard::read("info string error no"), Heard::Error("no"));
        assert_eq!(Heard::read("info string makes a table"), Heard::Note("makes a table"));
        assert_eq!(Heard::read("readyok"), Heard::Other);
    }
}

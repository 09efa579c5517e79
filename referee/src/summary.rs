//! The summary of a run: the final table, the crosstable, strength, and severity.

use std::collections::{BTreeMap, HashMap};
use std::fmt::{self, Write as _};
use std::ops::Range;

use grundy_core::game::Player;
use grundy_core::sorting;
use grundy_core::text::counted;
use grundy_session::{Catalog, Session};
use rustc_hash::FxHashSet;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use crate::games;
use crate::output::WIDTH;
use crate::record::{Departure, Game};
use crate::settings::MatchSettings;
use crate::stats::{Scores, Sprt, Strength};
use crate::verdict::{Ending, Severity};

/// The fewest games for an estimate of strength.
const FEWEST_GAMES: u64 = 10;

/// The counts of one engine.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Wins, draws and losses as player one.
    pub first: [u64; 3],
    /// Wins, draws and losses as player two.
    pub second: [u64; 3],
    /// Moves that lost value.
    pub value_slips: u64,
    /// Moves that won slower or lost sooner than necessary.
    pub distance_slips: u64,
    /// Moves whose value was known.
    pub audited: u64,
    /// Games it lost by misbehaving, and departures of that kind.
    pub faults: u64,
    /// The time of each move, in microseconds.
    pub times: Vec<u64>,
}

impl Tally {
    /// Reports whether every move was audited and none lost value.
    pub fn is_perfect(&self) -> bool {
        self.value_slips == 0 && self.audited > 0 && self.audited == self.times.len() as u64
    }

    /// Returns the text of a figure about audited moves; `-` if there are none.
    fn of_audited(&self, figure: String) -> String {
        if self.audited > 0 { figure } else { "-".to_owned() }
    }

    /// Returns the texts of value slips and distance slips; `-` if no move was audited.
    pub fn slips(&self) -> [String; 2] {
        [self.value_slips, self.distance_slips].map(|slips| self.of_audited(slips.to_string()))
    }

    /// Returns wins, draws and losses with either side.
    pub fn all(&self) -> [u64; 3] {
        std::array::from_fn(|i| self.first[i] + self.second[i])
    }
}

/// Returns the tallies of all engines, by their index on the command line.
pub fn tallies(games: &[Game], departures: &[Departure], names: &[String]) -> Vec<Tally> {
    let mut tallies = vec![Tally::default(); names.len()];
    for game in games {
        for side in [Player::One, Player::Two] {
            let tally = &mut tallies[game.engines[side.index()]];
            if let Some(points) = game.result.double_points() {
                let (ours, column) = match side {
                    Player::One => (points, &mut tally.first),
                    Player::Two => (2 - points, &mut tally.second),
                };
                column[usize::try_from(2 - ours).unwrap_or(0)] += 1;
            }
            if let Ending::Fault { side: failed, fault } = &game.ending
                && *failed == side
                && fault.severity() != Severity::Clean
            {
                tally.faults += 1;
            }
            for m in game.moves.iter().filter(|m| m.by == side) {
                tally.times.push(m.us);
                tally.audited += u64::from(m.after.is_some());
                match &m.slip {
                    Some(record) if record.slip.loses_value() => tally.value_slips += 1,
                    Some(_) => tally.distance_slips += 1,
                    None => {}
                }
            }
        }
    }
    for departure in departures {
        if let Some(at) = names.iter().position(|name| *name == departure.name) {
            tallies[at].faults += 1;
        }
    }
    for tally in &mut tallies {
        sorting::sort(&mut tally.times);
    }
    tallies
}

/// Returns the severity of a run.
pub fn severity(games: &[Game], departures: &[Departure]) -> Severity {
    let games = games.iter().map(Game::severity);
    games.chain(departures.iter().map(|d| d.fault.severity())).max().unwrap_or_default()
}

/// Returns the scores of one engine against another: of games, and of pairs of games whose sides were swapped.
pub fn scores(games: &[Game], ours: usize, theirs: usize) -> (Scores, Scores) {
    let mut single = Scores::games();
    let mut double = Scores::pairs();
    let mut open: BTreeMap<usize, u32> = BTreeMap::new();
    for game in games {
        let points = match game.engines {
            [a, b] if (a, b) == (ours, theirs) => game.result.double_points(),
            [a, b] if (a, b) == (theirs, ours) => game.result.double_points().map(|p| 2 - p),
            _ => None,
        };
        let Some(points) = points else { continue };
        single.counts[points as usize] += 1;
        match open.remove(&game.pair) {
            Some(other) => double.counts[(points + other) as usize] += 1,
            None => {
                open.insert(game.pair, points);
            }
        }
    }
    (single, double)
}

/// Returns the state of a sequential test between the first two engines, and its decision.
pub fn test(games: &[Game], sprt: &Sprt) -> (f64, Option<usize>) {
    let (single, double) = scores(games, 0, 1);
    let llr = if double.total() > 0 { double.llr(sprt.elo) } else { single.llr(sprt.elo) };
    (llr, sprt.decision(llr))
}

/// The number of different games and positions in a run, up to symmetry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Variety {
    /// Different games.
    pub games: usize,
    /// Different positions, from the one before the first move to the one after the last.
    pub positions: usize,
}

impl fmt::Display for Variety {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let positions = counted(self.positions, "unique position");
        write!(f, "{} of them unique; {positions} (up to symmetry)", self.games)
    }
}

/// Counts the games and positions that are unique up to symmetry. A game that cannot be set up counts for nothing. Of one
/// that cannot be played over again the part before the first refused move counts.
pub fn variety(catalog: &Catalog, games: &[Game]) -> Variety {
    let mut lines: FxHashSet<u128> = FxHashSet::default();
    let mut positions: FxHashSet<u128> = FxHashSet::default();
    let mut rules: HashMap<String, Session> = HashMap::new();
    for game in games {
        let open = || games::rules(catalog, &game.game);
        let Ok(rules) = games::cached(&mut rules, &game.game, open) else { continue };
        if rules.setup(game.start.as_deref()).is_err() {
            continue;
        }
        let mut line = Xxh3::new();
        let mut count = |rules: &Session| {
            let text = format!("{} {}\n", game.game, rules.canonical());
            line.update(text.as_bytes());
            positions.insert(xxh3_128(text.as_bytes()));
        };
        count(rules);
        for word in game.opening.iter().chain(game.moves.iter().map(|m| &m.word)) {
            if rules.play(word).is_err() {
                break;
            }
            count(rules);
        }
        lines.insert(line.digest128());
    }
    Variety { games: lines.len(), positions: positions.len() }
}

/// Returns everything printed at the end of a run.
pub fn report(
    catalog: &Catalog,
    settings: &MatchSettings,
    names: &[String],
    games: &[Game],
    departures: &[Departure],
) -> String {
    let mut text = String::new();
    let tallies = tallies(games, departures, names);
    let mut rows = vec![
        ["engine", "games", "wins", "draws", "losses", "as 1st", "as 2nd", "value slips", "distance slips"]
            .iter()
            .chain(&["audited", "faults", "median", "p99", "worst"])
            .map(|s| (*s).to_string())
            .collect::<Vec<_>>(),
    ];
    for (name, tally) in names.iter().zip(&tallies) {
        let all = tally.all();
        let mut row = vec![name.clone(), all.iter().sum::<u64>().to_string()];
        row.extend(all.iter().map(u64::to_string));
        row.extend([tally.first, tally.second].map(|[w, d, l]| format!("{w}-{d}-{l}")));
        row.extend(tally.slips());
        row.push(tally.of_audited(format!("{}/{}", tally.audited, tally.times.len())));
        row.push(tally.faults.to_string());
        row.extend([50, 99, 100].map(|percent| time(percentile(&tally.times, percent))));
        rows.push(row);
    }
    let width = if settings.wide { usize::MAX } else { WIDTH };
    text += &columns(&rows, width);
    if names.len() > 2 {
        text.push('\n');
        text += &crosstable(names, games, width);
    }
    let variety = variety(catalog, games);
    let _ = writeln!(text, "\n{}, {variety}", counted(games.len(), "game"));
    for a in 0..names.len() {
        for b in a + 1..names.len() {
            let block = pairing(settings, names, games, [a, b]);
            text += &block;
            if !block.is_empty() && tallies[a].is_perfect() && tallies[b].is_perfect() {
                let _ =
                    writeln!(text, "Neither lost value in any move: these figures say nothing of strength.");
            }
        }
    }
    text
}

/// Returns the block of one pairing, in the words that scripts for other match runners look for.
fn pairing(settings: &MatchSettings, names: &[String], games: &[Game], [a, b]: [usize; 2]) -> String {
    let (single, double) = scores(games, a, b);
    let Some(strength) = strength(&single, &double) else { return String::new() };
    let mut text = String::new();
    let [losses, draws, wins] = [single.counts[0], single.counts[1], single.counts[2]];
    let points = wins as f64 + draws as f64 / 2.0;
    let share = 100.0 * points / single.total() as f64;
    let _ = writeln!(text, "--------------------------------------------------");
    let _ = writeln!(text, "Results of {} vs {} ({}):", names[a], names[b], settings.game.join(", "));
    if let Some(elo) = elo(&strength, single.total()) {
        let _ = writeln!(text, "Elo: {elo}");
        let _ = writeln!(text, "LOS: {:.2} %", 100.0 * strength.los);
    }
    let _ = writeln!(
        text,
        "Games: {}, Wins: {wins}, Losses: {losses}, Draws: {draws}, Points: {points:.1} ({share:.2} %)",
        single.total()
    );
    if double.total() > 0 {
        let counts: Vec<String> = double.counts.iter().map(u64::to_string).collect();
        let _ = writeln!(text, "Ptnml(0-2): [{}]", counts.join(", "));
    }
    if let (Ok(sprt), 0, 1) = (Sprt::new(&settings.sprt), a, b) {
        let (llr, decision) = test(games, &sprt);
        let [low, high] = sprt.bounds;
        let [elo0, elo1] = sprt.elo;
        let share = 100.0 * llr / if llr < 0.0 { -low } else { high };
        let _ = writeln!(text, "LLR: {llr:.2} ({share:.1}%) ({low:.2}, {high:.2}) [{elo0:.2}, {elo1:.2}]");
        let _ = match decision {
            Some(decision) => writeln!(text, "SPRT: H{decision} was accepted"),
            None => writeln!(text, "SPRT: undecided after {}", counted(single.total(), "game")),
        };
    }
    let _ = writeln!(text, "--------------------------------------------------");
    text
}

/// Returns an estimate of strength from the scores of games and of pairs. As in the test, games outside of complete pairs only
/// count if there are no pairs.
fn strength(single: &Scores, double: &Scores) -> Option<Strength> {
    double.strength().or_else(|| single.strength())
}

/// Returns a difference in strength and its error, whose interval may have no end; `None` if it is meaningless: of few games,
/// or if one side won all, or if all pairs ended alike.
fn elo(strength: &Strength, games: u64) -> Option<String> {
    let means = strength.elo.is_finite() && strength.error > 0.0 && games >= FEWEST_GAMES;
    let elo = format!("{:.2}", strength.elo);
    // Zero has no sign.
    let elo = if elo == "-0.00" { "0.00" } else { &elo };
    means.then(|| format!("{elo} +/- {:.2}", strength.error))
}

/// Reports whether a log tells the score after this number of games: after every ten, from a thousand on after every hundred, and
/// so on.
pub fn is_told(games: usize) -> bool {
    games >= 10 && games.is_multiple_of((10_usize.pow(games.ilog10()) / 10).max(10))
}

/// Returns a line of the points so far; of two engines with their difference in strength, and with the state of a test.
pub fn standing(names: &[String], games: &[Game], sprt: Option<&Sprt>) -> String {
    let mut points = vec![0_u64; names.len()];
    for game in games {
        if let Some(doubled) = game.result.double_points() {
            points[game.engines[0]] += u64::from(doubled);
            points[game.engines[1]] += u64::from(2 - doubled);
        }
    }
    let points = names.iter().zip(points).map(|(name, doubled)| format!("{name} {}", halves(doubled)));
    let points: Vec<String> = points.collect();
    let mut text = format!("Score after {}: {}", counted(games.len(), "game"), points.join(", "));
    let (single, double) = scores(games, 0, 1);
    if names.len() == 2
        && let Some(elo) = strength(&single, &double).and_then(|strength| elo(&strength, single.total()))
    {
        let _ = write!(text, "; Elo {elo}");
    }
    if let Some(sprt) = sprt {
        let (llr, [low, high]) = (test(games, sprt).0, sprt.bounds);
        let _ = write!(text, "; LLR {llr:.2} ({low:.2}, {high:.2})");
    }
    text
}

/// Returns the points of each engine against each other one, and its strength against all of them where games of the same
/// engines and sides have ended differently.
fn crosstable(names: &[String], games: &[Game], width: usize) -> String {
    let heads = names.iter().map(|name| format!("v {name}"));
    let mut rows =
        vec![std::iter::once("points of".to_string()).chain(heads).chain(["all".to_string()]).collect()];
    let mut elos = Vec::new();
    for (a, name) in names.iter().enumerate() {
        let mut row = vec![name.clone()];
        let mut doubled = 0;
        let (mut all, mut all_pairs, mut varied) = (Scores::games(), Scores::pairs(), false);
        for b in 0..names.len() {
            if a == b {
                row.push(String::new());
                continue;
            }
            let (single, double) = scores(games, a, b);
            varied |= strength(&single, &double).is_some_and(|strength| strength.error > 0.0);
            all.add(&single);
            all_pairs.add(&double);
            let counts = single.counts;
            doubled += counts[1] + 2 * counts[2];
            row.push(format!("{}/{}", halves(counts[1] + 2 * counts[2]), counts.iter().sum::<u64>()));
        }
        row.push(halves(doubled));
        rows.push(row);
        let strength = strength(&all, &all_pairs).filter(|_| varied);
        elos.push(strength.and_then(|strength| elo(&strength, all.total())));
    }
    if elos.iter().any(Option::is_some) {
        let words = elos.into_iter().map(|elo| elo.unwrap_or_else(|| "-".to_string()));
        let column = std::iter::once("Elo".to_string()).chain(words);
        rows.iter_mut().zip(column).for_each(|(row, word)| row.push(word));
    }
    columns(&rows, width)
}

/// Returns the text of points, from twice their number.
pub fn halves(doubled: u64) -> String {
    if doubled.is_multiple_of(2) { (doubled / 2).to_string() } else { format!("{}.5", doubled / 2) }
}

/// Returns a percentile of a sorted list; `None` if the list is empty, or has fewer than 100
/// entries for a percentage from 91 to 99.
pub fn percentile(sorted: &[u64], percent: usize) -> Option<u64> {
    let last = sorted.len().checked_sub(1)?;
    if percent > 90 && percent < 100 && sorted.len() < 100 {
        return None;
    }
    Some(sorted[(last * percent).div_ceil(100)])
}

/// Returns the text of a time in microseconds: in milliseconds, so that a column has one unit.
pub fn time(us: Option<u64>) -> String {
    match us {
        None => "-".to_string(),
        Some(us @ ..10_000) => format!("{}.{:03} ms", us / 1000, us % 1000),
        Some(us) => format!("{} ms", us / 1000),
    }
}

/// Aligns rows as columns: the first to the left, the others to the right. Columns beyond `width` are folded into further
/// tables below, each with the first column.
pub fn columns(rows: &[Vec<String>], width: usize) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widest =
        |i: usize| rows.iter().filter_map(|row| row.get(i)).map(|s| s.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count).map(widest).collect();
    let mut tables = Vec::new();
    let mut from = 1;
    while tables.is_empty() || from < count {
        let mut used = widths.first().copied().unwrap_or(0);
        let fits = widths.iter().skip(from).take_while(|column| {
            used += 2 + **column;
            used <= width
        });
        // A column that is wider than the table still has to be shown.
        let to = from + fits.count().max(1);
        tables.push(aligned(rows, &widths, from..to.min(count)));
        from = to;
    }
    tables.join("\n")
}

/// Aligns the first column and those of a range.
fn aligned(rows: &[Vec<String>], widths: &[usize], columns: Range<usize>) -> String {
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (i, cell) in row.iter().enumerate().filter(|(i, _)| *i == 0 || columns.contains(i)) {
            let fill = " ".repeat(widths[i] - cell.chars().count());
            let _ = if i == 0 { write!(line, "{cell}{fill}") } else { write!(line, "  {fill}{cell}") };
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::Outcome;

    /// Returns pairs of games in which the first engine scores these half points, and a game without its pair.
    fn played(pairs: &[u32], odd: Option<Outcome>) -> Vec<Game> {
        let game = |id: usize, pair: usize, engines: [usize; 2], result: Outcome| Game {
            id,
            game: "nim:1,2".to_owned(),
            pair,
            engines,
            players: ["a".to_owned(), "b".to_owned()],
            start: None,
            opening: Vec::new(),
            result,
            ending: Ending::Rules,
            reason: String::new(),
            began: 0,
            took_ms: 0,
            moves: Vec::new(),
            disputes: Vec::new(),
            stderr: Vec::new(),
        };
        let mut games = Vec::new();
        for (pair, &points) in pairs.iter().enumerate() {
            let first = [Outcome::Second, Outcome::Draw, Outcome::First][points.min(2) as usize];
            // Of the second game the first engine is player two.
            let second = [Outcome::First, Outcome::Draw, Outcome::Second][points.saturating_sub(2) as usize];
            games.push(game(2 * pair + 1, pair, [0, 1], first));
            games.push(game(2 * pair + 2, pair, [1, 0], second));
        }
        let last = odd.map(|result| game(2 * pairs.len() + 1, pairs.len(), [0, 1], result));
        games.extend(last);
        games
    }

    /// Returns the block of these games.
    fn block(pairs: &[u32], odd: Option<Outcome>) -> String {
        let names = ["a".to_owned(), "b".to_owned()];
        pairing(&MatchSettings::default(), &names, &played(pairs, odd), [0, 1])
    }

    #[test]
    fn a_log_tells_the_score_now_and_then() {
        let told: Vec<usize> = (0..1_500).filter(|&games| is_told(games)).collect();
        assert_eq!(told[..10], [10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
        assert_eq!(told[98..], [990, 1_000, 1_100, 1_200, 1_300, 1_400]);
        let games = played(&[4, 3, 2, 2, 1, 3], None);
        let names = ["a".to_owned(), "b".to_owned()];
        let text = standing(&names, &games, None);
        assert!(text.starts_with("Score after 12 games: a 7.5, b 4.5; Elo 88.74 +/- "), "{text}");
        let sprt = Sprt::new(&[0.0, 10.0, 0.05, 0.05]).unwrap();
        let text = standing(&names, &games, Some(&sprt));
        assert!(text.contains("; LLR 0.") && text.ends_with(" (-2.94, 2.94)"), "{text}");
        assert_eq!(standing(&names, &[], None), "Score after 0 games: a 0, b 0");
    }

    #[test]
    fn each_of_three_engines_has_its_strength_against_the_others() {
        let names = ["a", "b", "c"].map(str::to_owned);
        let text = crosstable(&names, &played(&[4, 3, 2, 2, 1, 3], None), WIDTH);
        let row = |name: &str| text.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
        assert!(row("a ").contains(" 88.74 +/- ") && row("b ").contains(" -88.74 +/- "), "{text}");
        assert!(row("c ").ends_with(" -"), "{text}");
    }

    #[test]
    fn a_game_without_its_pair_changes_no_estimate_of_strength() {
        let elo = |text: &str| text.lines().find(|line| line.starts_with("Elo: ")).map(str::to_owned);
        let even = block(&[4, 3, 2, 2, 1, 3], None);
        assert!(even.contains("Ptnml(0-2): [0, 1, 2, 2, 1]") && elo(&even).is_some(), "{even}");
        let odd = block(&[4, 3, 2, 2, 1, 3], Some(Outcome::First));
        assert!(odd.contains("Games: 13, ") && elo(&odd) == elo(&even), "{odd}");
    }

    #[test]
    fn an_interval_without_an_end_is_shown_and_a_score_without_a_loss_is_not() {
        let near = block(&[4, 4, 3, 4, 4, 4], None);
        assert!(
            near.contains("Points: 11.5 (95.83 %)") && near.contains("Ptnml(0-2): [0, 0, 0, 1, 5]"),
            "{near}"
        );
        assert!(near.contains("Elo: 544.69 +/- inf\nLOS: 100.00 %"), "{near}");
        assert!(!block(&[4; 6], None).contains("Elo"));
    }

    #[test]
    fn times_have_one_unit_and_counts_agree_with_their_nouns() {
        let times = [None, Some(41), Some(3_874), Some(53_999), Some(12_000_000)].map(time);
        assert_eq!(times, ["-", "0.041 ms", "3.874 ms", "53 ms", "12000 ms"]);
        let one = Variety { games: 1, positions: 1 }.to_string();
        assert_eq!(one, "1 of them unique; 1 unique position (up to symmetry)");
    }

    #[test]
    fn columns_that_do_not_fit_are_folded() {
        let row = |words: &str| words.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let rows = [row("engine games wins faults"), row("grundy 4 3 10")];
        let whole = "engine  games  wins  faults\ngrundy      4     3      10\n";
        assert_eq!(columns(&rows, 27), whole);
        let folded = "engine  games  wins\ngrundy      4     3\n\nengine  faults\ngrundy      10\n";
        assert_eq!(columns(&rows, 26), folded);
        assert_eq!(columns(&rows, 3).lines().count(), 3 * 3 - 1, "a table for each column");
    }
}

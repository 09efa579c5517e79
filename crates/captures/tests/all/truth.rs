//! Positions of `truth/positions.tsv`, and the counts and values of whole games, by a brute force of its own: `best` are the
//! moves with the best value, distance included, `keep` those that keep the outcome, `moves` is the number of words.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use grundy_captures::amazons::Amazons;
use grundy_captures::clobber::Clobber;
use grundy_captures::dobutsu::Dobutsu;
use grundy_captures::dodgem::Dodgem;
use grundy_captures::draughts::Draughts;
use grundy_captures::fading::Fading;
use grundy_captures::fanorona::Fanorona;
use grundy_captures::gobblers::Gobblers;
use grundy_captures::hounds::Hounds;
use grundy_captures::kaooa::Kaooa;
use grundy_captures::konane::Konane;
use grundy_captures::liberties::Liberties;
use grundy_captures::musketeers::Musketeers;
use grundy_captures::slides::Slides;
use grundy_captures::tigers::Tigers;
use grundy_captures::tsoro::Tsoro;
use grundy_contract::{TruthRow, rows};
use grundy_core::game::{Game, Indexed, Notation, Player, Scored, legal_moves, perft};
use grundy_core::table::NoCheckpoints;
use grundy_core::value::{Unit, Value, Wdl};
use grundy_search::Question;
use grundy_search::alpha_beta::{AlphaBeta, Heuristic};
use grundy_search::board::{BoardGame, Position};
use grundy_search::pns::{ANY_WIN, ProofNumberSearch, ProofOutcome};
use grundy_session::{Limits, NEVER, Work};
use grundy_tables::discovered::{Horizon, Numbered, Packed, Reached, find, reach, solve};
use grundy_tables::retrograde::solve_reversible;
use grundy_tables::tiers::{FinishedTier, Tiered, solve_tier};

use super::sums::reached;

/// Games that are solved in a moment: the positions that the start leads to, and its value.
const SMALL: &[(&str, u64, &str)] = &[
    ("nogo:1x9", 1_842, "win:5"),
    ("nogo:1x11", 13_015, "win:7"),
    ("nogo:2x3", 177, "loss:4"),
    ("nogo:2x5", 10_311, "win:7"),
    ("nogo:3x3", 3_884, "win:7"),
    ("atari-go:1x6", 182, "win:5"),
    ("atari-go:1x7", 493, "win:5"),
    ("atari-go:2x5", 14_215, "win:7"),
    ("atari-go:3x3", 5_172, "win:7"),
    ("clobber:1x3", 3, "win:1"),
    ("clobber:1x9", 229, "win:5"),
    ("clobber:1x13", 4_151, "loss:8"),
    ("clobber:1x15", 17_883, "loss:10"),
    ("clobber:2x3", 57, "loss:4"),
    ("clobber:2x6", 11_143, "loss:8"),
    ("konane:4x4", 3_673, "loss:6"),
    ("konane:4x5", 49_781, "loss:6"),
    ("fanorona:3x3", 1_012, "win:11"),
    ("dodgem:2", 23, "win:4"),
    ("dodgem:3", 2_055, "win:20"),
    ("hare-and-hounds", 2_116, "win:23"),
    ("hare-and-hounds:first=hare", 2_116, "loss:24"),
    ("hare-and-hounds:length=5", 15_127, "win:39"),
    ("hare-and-hounds:length=5:first=hare", 15_127, "loss:46"),
    ("kaooa", 21_696, "draw"),
    ("kaooa:crows=7:captures=4", 30_896, "win:15"),
    ("kaooa:crows=7:captures=3", 26_686, "win:15"),
    ("kaooa:move=early", 21_996, "win:15"),
    ("tsoro-yematatu", 815, "draw"),
    ("tsoro-yematatu:jump=stuck", 806, "win:11"),
];

/// Games that take from a tenth of a second to a minute with optimisation.
const LARGE: &[(&str, u64, &str)] = &[
    ("nogo:1x13", 92_996, "win:9"),
    ("nogo:3x4", 87_361, "loss:10"),
    ("nogo:3x5", 2_016_947, "win:13"),
    ("nogo:4x4", 5_820_817, "loss:14"),
    ("nogo:2x7", 650_363, "win:11"),
    ("nogo:2x8", 5_230_169, "win:13"),
    ("atari-go:2x7", 933_255, "win:11"),
    ("atari-go:3x4", 118_433, "win:9"),
    ("atari-go:3x5", 2_791_953, "win:9"),
    ("atari-go:4x4", 8_050_777, "loss:14"),
    ("clobber:1x17", 77_529, "loss:10"),
    ("clobber:1x18", 161_802, "win:11"),
    ("clobber:2x8", 392_487, "win:11"),
    ("clobber:2x9", 2_349_649, "loss:14"),
    ("clobber:3x5", 206_805, "win:9"),
    ("clobber:3x6", 3_492_126, "loss:12"),
    ("clobber:4x4", 600_161, "win:11"),
    ("konane:4x6", 1_779_315, "loss:8"),
    ("konane:5x5", 1_825_946, "win:15"),
    ("amazons:4x4", 9_795_829, "loss:8"),
    ("fanorona:3x5", 444_908, "win:11"),
    ("fanorona:5x3", 185_204, "win:13"),
    ("dodgem:4", 395_294, "draw"),
    ("infinite-tictactoe", 128_170, "win:13"),
    ("infinite-tictactoe:misere", 128_170, "draw"),
    ("dao", 1_783_948, "draw"),
    ("dao:trap", 1_768_108, "draw"),
    ("neutreeko", 6_935_248, "draw"),
    ("hare-and-hounds:length=7", 55_684, "win:65"),
    ("hare-and-hounds:length=7:first=hare", 55_684, "draw"),
];

/// Returns a game by its name.
fn game(name: &str) -> BoardGame {
    let (kind, rest) = name.split_once(':').unwrap_or((name, ""));
    let (rows, columns) = rest.split_once('x').unwrap_or((rest, rest));
    let [rows, columns] = [rows, columns].map(|number| number.parse().unwrap_or(0));
    match kind {
        "nogo" => BoardGame::new(Liberties::nogo(rows, columns).unwrap()),
        "atari-go" => BoardGame::new(Liberties::atari_go(rows, columns).unwrap()),
        "clobber" => BoardGame::new(Clobber::new(rows, columns).unwrap()),
        "konane" => BoardGame::new(Konane::new(rows, columns).unwrap()),
        "amazons" => BoardGame::new(Amazons::new(rows, columns).unwrap()),
        "fanorona" => BoardGame::new(Fanorona::new(rows, columns).unwrap()),
        "dodgem" => BoardGame::new(Dodgem::new(rows).unwrap()),
        "infinite-tictactoe" => BoardGame::new(Fading::new(rest == "misere").unwrap()),
        "hare-and-hounds" => {
            let length = [3, 5, 7].into_iter().find(|length| rest.contains(&format!("length={length}")));
            let first = if rest.contains("first=hare") { Player::Two } else { Player::One };
            BoardGame::new(Hounds::new(length.unwrap_or(3), first).unwrap())
        }
        "kaooa" => {
            let (crows, captures) = match rest {
                "crows=7:captures=3" => (7, 3),
                "crows=7:captures=4" => (7, 4),
                _ => (6, 3),
            };
            BoardGame::new(Kaooa::new(crows, captures, rest == "move=early").unwrap())
        }
        "tsoro-yematatu" => BoardGame::new(Tsoro::new(rest == "jump=stuck")),
        "three-musketeers" => BoardGame::new(Musketeers::new(rows).unwrap()),
        "dao" => BoardGame::new(Slides::dao(rest == "trap").unwrap()),
        "neutreeko" => BoardGame::new(Slides::neutreeko().unwrap()),
        "dobutsu" => BoardGame::new(Dobutsu::new().unwrap()),
        "gobblers" => BoardGame::new(Gobblers),
        _ => panic!("{name}"),
    }
}

fn by_game() -> BTreeMap<String, Vec<TruthRow>> {
    let mut games: BTreeMap<String, Vec<TruthRow>> = BTreeMap::new();
    for row in rows!("positions.tsv").into_iter().filter(|row| !row.get("game").starts_with("draughts")) {
        games.entry(row.get("game").to_owned()).or_default().push(row);
    }
    games
}

/// The exact value of a position, computed in any way.
type ValueOf<'a, G> = &'a mut dyn FnMut(&<G as Game>::Position) -> Value;

/// Compares a row with the rules, and with values if there are any.
fn compare<G: Scored + Notation>(game: &G, row: &TruthRow, value: Option<ValueOf<'_, G>>) {
    let at = || format!("{} {}", row.get("game"), row.get("position"));
    let position = game.read_position(row.get("position")).unwrap_or_else(|why| panic!("{}: {why}", at()));
    assert_eq!(game.write_position(&position), row.get("position"));
    let show = |value: Value| value.show(game.unit()).to_string();
    if let Some(over) = game.over(&position) {
        assert_eq!((show(over).as_str(), row.get("moves")), (row.get("value"), "0"), "{}", at());
        return;
    }
    let moves = legal_moves(game, &position);
    let mut words: Vec<String> = moves.iter().map(|&m| game.write_move(&position, m)).collect();
    let listed: HashSet<&String> = words.iter().collect();
    if row.get("moves") == "?" {
        return;
    }
    assert_eq!(listed.len() as u64, row.number("moves"), "{}: {words:?}", at());
    for word in row.words("best", ' ').iter().chain(&row.words("keep", ' ')).filter(|&word| word != "?") {
        assert!(listed.contains(word), "{}: {word} of {words:?}", at());
    }
    let Some(value) = value else { return };
    let values: Vec<Value> = moves
        .iter()
        .map(|&m| {
            let child = game.play(&position, m);
            let step = grundy_core::game::step(game, &position, m, &child);
            value(&child).back(step)
        })
        .collect();
    let best = *values.iter().max().unwrap();
    assert_eq!(show(best), row.get("value"), "{}", at());
    let mut with = |wanted: &dyn Fn(Value) -> bool| {
        let mut picked: Vec<String> = words
            .iter_mut()
            .zip(&values)
            .filter(|&(_, &value)| wanted(value))
            .map(|(word, _)| word.clone())
            .collect();
        picked.sort();
        picked
    };
    if row.get("best") != "?" {
        assert_eq!(with(&|value| value == best), row.words("best", ' '), "{}", at());
    }
    if row.get("keep") != "?" {
        assert_eq!(with(&|value| value.wdl() == best.wdl()), row.words("keep", ' '), "{}", at());
    }
}

/// The classes of Kaooa under the ten automorphisms of the pentagram, counted by another program.
#[test]
fn kaooa_has_2280_classes() {
    let game = game("kaooa");
    let work = Work { stop: &NEVER, until: None, threads: 1, memory_limit: None, report: &|_| {} };
    let found = find(&game, &Horizon::default(), &work).unwrap().unwrap();
    assert_eq!((found.keys.len(), found.positions(&game)), (2_280, Some(21_696)));
}

/// Solves a game by a table of the positions that the start leads to, and compares its rows; returns their number and the
/// value of the start.
fn solved(name: &str, rows: &[TruthRow], threads: usize) -> (u64, Value) {
    let game = game(name);
    let work = Work { stop: &NEVER, until: None, threads, memory_limit: None, report: &|_| {} };
    let found = find(&game, &Horizon::default(), &work).unwrap().unwrap();
    let table = solve(&game, &found, &work, &mut NoCheckpoints).unwrap();
    let mut value = |position: &Position| {
        let number = found.keys.find(game.pack(position).unwrap());
        number.map_or_else(|| panic!("{name}: not found: {position:?}"), |n| table.get(n as u64).unwrap())
    };
    rows.iter().for_each(|row| compare(&game, row, Some(&mut value)));
    // Where the start has fewer images than later positions, those are not counted by their images.
    (found.positions(&game).unwrap_or_else(|| reached(&game).len() as u64), value(&game.start()))
}

fn solved_games_are_right(games: &[(&str, u64, &str)], threads: usize) {
    let all = by_game();
    for &(name, count, expected) in games {
        let (positions, value) = solved(name, all.get(name).map_or(&[], Vec::as_slice), threads);
        assert_eq!((positions, value.show(Unit::Outcome).to_string().as_str()), (count, expected), "{name}");
    }
}

/// Rows of the games that neither list has.
#[test]
fn rows_of_other_small_games_have_the_values_of_other_programs() {
    for (name, rows) in by_game() {
        if !["dobutsu", "gobblers"].contains(&name.as_str())
            && SMALL.iter().chain(LARGE).all(|game| game.0 != name)
        {
            solved(&name, &rows, 1);
        }
    }
}

#[test]
fn small_games_have_the_counts_and_the_values_of_other_programs() {
    solved_games_are_right(SMALL, 1);
}

#[test]
#[ignore = "minutes: cargo test --release -p grundy-captures --test all -- --ignored large_games"]
fn large_games_have_the_counts_and_the_values_of_other_programs() {
    solved_games_are_right(LARGE, 2);
}

#[test]
fn moves_are_those_of_other_programs() {
    for (name, rows) in by_game() {
        let game = game(&name);
        rows.iter().for_each(|row| compare(&game, row, None));
    }
}

/// Draughts: each row with its tier and those below, and the longest wins of all positions with two and three men.
#[test]
fn draughts_has_the_values_of_other_programs() {
    let longest = draughts_are_right(2);
    assert_eq!(longest, Value::win_in(13));
}

/// The whole game: lines of play as other programs count them (A. Bik, <https://aartbik.blogspot.com/2009/02/perft-for-checkers.html>).
#[test]
fn draughts_has_the_lines_of_play_of_other_programs() {
    let game = Draughts::new(24).unwrap();
    for (depth, lines) in [(1, 7), (2, 49), (3, 302), (4, 1469), (5, 7361), (6, 36_768), (7, 179_740)] {
        assert_eq!(perft(&game, &game.start(), depth), lines);
    }
}

#[test]
#[ignore = "minutes: cargo test --release -p grundy-captures --test all -- --ignored draughts"]
fn draughts_of_three_and_four_men() {
    assert_eq!(draughts_are_right(3), Value::win_in(61));
    assert_eq!(draughts_are_right(4), Value::win_in(109));
}

/// Solves all endings with at most `most` men, compares the rows, and returns the longest win.
fn draughts_are_right(most: usize) -> Value {
    let game = Draughts::new(most).unwrap();
    let mut made: Vec<FinishedTier> = Vec::new();
    let (mut longest, mut placings) = (Value::win_in(1), [0; 7]);
    for (at, tier) in game.tiers().iter().enumerate() {
        let work = Work { stop: &NEVER, until: None, threads: 2, memory_limit: None, report: &|_| {} };
        let table = solve_tier(&game, at, &made, &work, &mut NoCheckpoints).unwrap();
        game.walk(tier.numbers.clone(), &mut |number, position| {
            let text = game.write_position(&position);
            placings[text.chars().filter(|c| "xXoO".contains(*c)).count()] += 1;
            let value = table.get(number - tier.numbers.start).unwrap();
            if value.wdl() == Wdl::Win {
                longest = longest.min(value);
            }
        });
        made.push((tier.numbers.clone(), Arc::new(table)));
    }
    // Placings of the authors of Chinook, for one player to move.
    let expected = [0, 120, 6_972, 261_224, 7_092_774];
    assert_eq!(placings[..=most], expected[..=most]);
    let mut value = |position: &<Draughts as Game>::Position| {
        let number = game.index(position);
        let (numbers, table) = made.iter().find(|(numbers, _)| numbers.contains(&number)).unwrap();
        game.over(position).unwrap_or_else(|| table.get(number - numbers.start).unwrap())
    };
    let rows: Vec<_> = rows!("positions.tsv")
        .into_iter()
        .filter(|row| row.get("game") == format!("draughts:{most}men"))
        .collect();
    assert!(!rows.is_empty());
    rows.iter().for_each(|row| compare(&game, row, Some(&mut value)));
    longest
}

/// Bagh-chal with all goats put: positions up to symmetry for each turn, by the goats taken. Those of both turns add up to the
/// 88,260,972 of Y. J. Lim and J. Nievergelt.
#[test]
fn bagh_chal_has_as_many_positions_as_published() {
    tigers_are_right(0..=2);
}

#[test]
#[ignore = "a minute: cargo test --release -p grundy-captures --test all -- --ignored bagh"]
fn bagh_chal_has_as_many_positions_as_published_with_four_goats_taken() {
    tigers_are_right(0..=4);
}

fn tigers_are_right(taken: std::ops::RangeInclusive<usize>) {
    let game = Tigers::new().unwrap();
    let classes = [33_481, 333_175, 2_105_695, 9_469_965, 32_188_170];
    let tiers = game.tiers();
    for taken in taken {
        let tier = tiers.iter().find(|tier| tier.name == format!("0h{taken}t")).unwrap();
        let mut count = [0; 2];
        game.walk(tier.numbers.clone(), &mut |_, position| count[game.turn(&position).index()] += 1);
        assert_eq!(count, [classes[taken]; 2]);
    }
}

/// T. Tanaka's counts, the distances counted by another program, and the rows of the file.
#[test]
#[ignore = "a quarter of an hour and 2 GB: cargo test --release -p grundy-captures -- --ignored dobutsu"]
fn dobutsu_has_the_counts_and_the_values_of_other_programs() {
    let game = game("dobutsu");
    let work = Work { stop: &NEVER, until: None, threads: 2, memory_limit: None, report: &|_| {} };
    assert!(reach(&game, &Horizon::default(), &work).unwrap());
    assert_eq!(game.reached().map(Reached::count), Some(246_803_167));
    let table = solve_reversible(&game, &work).unwrap();
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for number in 0..game.size() {
        if let Some(value) = table.get(number) {
            *counts.entry(value.show(game.unit()).to_string()).or_default() += 1;
        }
    }
    let outcome =
        |word: &str| counts.iter().filter(|(value, _)| value.starts_with(word)).map(|(_, n)| n).sum::<u64>();
    assert_eq!(["win", "loss", "draw"].map(outcome), [196_773_087, 47_347_380, 2_682_700]);
    assert!(counts.contains_key("win:173") && !counts.contains_key("win:175"));
    for row in rows!("dobutsu_distances.tsv") {
        assert_eq!(counts[row.get("value")], row.number("positions"), "{}", row.get("value"));
    }
    let found = |position: &Position| {
        game.settled(position).or_else(|| table.get(game.number(game.pack(position)?).ok()?))
    };
    assert_eq!(found(&game.start()), Some(Value::loss_in(78)));
    for row in &by_game()["dobutsu"] {
        let position = game.read_position(row.get("position")).unwrap();
        let Some(value) = found(&position) else {
            // Rows with moves were found by search, some where a lion had been left to be taken.
            assert_ne!(row.get("best"), "?", "{}", row.get("position"));
            continue;
        };
        assert_eq!(value.show(game.unit()).to_string(), row.get("value"), "{}", row.get("position"));
        // Where the lion can be taken, the table has no other moves.
        if value != Value::win_in(1) {
            compare(&game, row, Some(&mut |child| found(child).expect("a child in the table")));
        }
    }
}

/// Forced wins of a few plies by search, in games that are too large for a table in a test.
#[test]
fn forced_wins_are_those_of_other_programs() {
    for name in ["dobutsu", "gobblers"] {
        let game = game(name);
        let mut search = AlphaBeta::new(16, 1);
        for row in &by_game()[name] {
            let near = ["win:1", "win:3", "loss:2"].contains(&row.get("value"));
            if near && row.get("best") != "?" {
                let position = game.read_position(row.get("position")).unwrap();
                let found = search.value(&Question::new(&game, &position));
                assert_eq!(
                    found.map(|value| value.show(game.unit()).to_string()).as_deref(),
                    Some(row.get("value")),
                    "{name} {}",
                    row.get("position")
                );
            }
        }
    }
}

/// A piece that is lifted and opens a line of the other loses, unless it lands on that line, also if it makes a line of its
/// own.
#[test]
fn a_lifted_piece_of_gobblers_may_open_a_line() {
    let game = BoardGame::new(Gobblers);
    let after = |position: &str, word: &str| {
        let position = game.read_position(position).unwrap();
        let m = game.read_move(&position, word).unwrap();
        game.over(&game.play(&position, m))
    };
    let opens = "s,s,mL/-,-,-/M,M,- 1";
    assert_eq!(after(opens, "c3-c2"), Some(Value::win_in(0)));
    assert_eq!(after(opens, "c3-a3"), None);
    assert_eq!(after(opens, "c3-c1"), Some(Value::win_in(0)));
    assert_eq!(after(opens, "L@c1"), Some(Value::loss_in(0)));
}

/// The search finds the values of rows near the end of games without a table.
#[test]
fn rows_near_the_end_are_right_by_search() {
    for (name, rows) in by_game() {
        let game = game(&name);
        if game.cyclic() {
            continue;
        }
        let mut search = AlphaBeta::new(4, 1);
        for row in rows.iter().filter(|row| row.get("value").ends_with(['1', '2', '3', '4'])) {
            let mut value = |position: &Position| search.value(&Question::new(&game, position)).unwrap();
            if row.get("value").len() <= 6 {
                compare(&game, row, Some(&mut value));
            }
        }
    }
}

/// Boards too large for a table here. A plain depth-first search of another program found the same winners.
#[test]
fn larger_boards_have_their_values_by_search() {
    for (name, expected) in [("konane:4x7", "loss:8"), ("konane:4x8", "loss:14"), ("konane:5x6", "loss:22")] {
        let game = game(name);
        let found = AlphaBeta::new(64, 2).value(&Question::new(&game, &game.start())).unwrap();
        assert_eq!(found.show(game.unit()).to_string(), expected, "{name}");
    }
}

/// Boards with positions that repeat, too large for a table here. Another program, with tables of the endings of up to seven
/// men on 5x5, found the same.
#[test]
fn fanorona_has_its_values_by_proof_numbers() {
    for (name, won, drawn) in [("fanorona:3x9", true, true), ("fanorona:5x5", false, true)] {
        let game = game(name);
        let mut prover = ProofNumberSearch::new(64).unwrap();
        for (target, reached) in [(ANY_WIN, won), (Value::DRAW, drawn)] {
            let found = prover.ask(&game, &game.start(), target, &Limits::default(), &NEVER).unwrap();
            assert_eq!(matches!(found, ProofOutcome::Reached(_)), reached, "{name}");
        }
    }
}

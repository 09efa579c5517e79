//! Positions with values, best moves and numbers of moves by programs that have nothing to do with this one: the rows of
//! `truth/atlas.tsv`. `best` are the moves with the best value, distance included, `keep` those that keep the outcome.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use grundy_contract::{TruthRow, rows};
use grundy_core::game::{Game, MORE, Notation, Scored, children};
use grundy_core::table::NoCheckpoints;
use grundy_core::value::Value;
use grundy_rules::game::Rules;
use grundy_rules::library;
use grundy_rules::position::Position;
use grundy_session::{NEVER, Work};
use grundy_tables::discovered::{Horizon, Packed, find, solve};

/// Games that are solved in a moment: the positions that the start leads to, and its value.
const SMALL: &[(&str, u64, &str)] = &[
    ("hare-and-hounds", 2_116, "win:23"),
    ("hare-and-hounds:first=hare", 2_116, "loss:24"),
    ("y:1", 2, "win:1"),
    ("y:2", 13, "win:3"),
    ("y:3", 257, "win:5"),
    ("dodgem:2", 23, "win:4"),
    ("dodgem:3", 2_055, "win:20"),
    ("wild-tictactoe", 18_753, "win:7"),
    ("wild-tictactoe:misere", 18_753, "draw"),
    ("konane:4x4", 3_673, "loss:6"),
    ("clobber:1x3", 3, "win:1"),
    ("clobber:1x9", 229, "win:5"),
    ("clobber:1x13", 4_151, "loss:8"),
    ("clobber:2x3", 57, "loss:4"),
    ("clobber:2x4", 329, "win:5"),
    ("clobber:2x5", 1_889, "win:7"),
    ("clobber:3x3", 761, "win:5"),
    ("tant-fant", 3_080, "draw"),
    ("tsoro-yematatu", 815, "draw"),
    ("tsoro-yematatu:jump=stuck", 806, "win:11"),
    ("lewthwaite:3", 57, "loss:8"),
    ("joust:3x4", 47, "loss:10"),
    ("joust:4x4", 521, "loss:12"),
    ("1d-chess", 1_241, "win:11"),
    ("nogo:1x9", 1_842, "win:5"),
    ("nogo:2x3", 177, "loss:4"),
    ("nogo:2x4", 1_325, "loss:6"),
    ("atari-go:1x7", 493, "win:5"),
];

/// Games that take from a tenth of a second to minutes: without a table only the moves of their rows are compared.
const LARGE: &[(&str, u64, &str)] = &[
    ("hare-and-hounds:length=5", 15_127, "win:39"),
    ("hare-and-hounds:length=5:first=hare", 15_127, "loss:46"),
    ("hare-and-hounds:length=7", 55_684, "win:65"),
    ("hare-and-hounds:length=7:first=hare", 55_684, "draw"),
    ("sim:5", 14_953, "draw"),
    ("y:4", 16_505, "win:7"),
    ("y:5", 3_337_584, "win:9"),
    ("dodgem:4", 395_294, "draw"),
    ("dao", 1_783_948, "draw"),
    ("dao:trap", 1_768_108, "draw"),
    ("neutreeko", 6_935_248, "draw"),
    ("numerical-tictactoe", 9_003_966, "win:9"),
    ("konane:4x5", 49_781, "loss:6"),
    ("konane:4x6", 1_779_315, "loss:8"),
    ("konane:5x5", 1_825_946, "win:15"),
    ("clobber:1x17", 77_529, "loss:10"),
    ("clobber:2x9", 2_349_649, "loss:14"),
    ("clobber:3x5", 206_805, "win:9"),
    ("clobber:3x6", 3_492_126, "loss:12"),
    ("clobber:4x4", 600_161, "win:11"),
    ("kaooa", 21_696, "draw"),
    ("kaooa:crows=7:captures=4", 30_896, "win:15"),
    ("kaooa:crows=7:captures=3", 26_686, "win:15"),
    ("kaooa:move=early", 21_996, "win:15"),
    ("lewthwaite:5", 72_725, "loss:16"),
    ("joust:5x4", 16_211, "loss:14"),
    ("joust:5x5", 477_187, "win:19"),
    ("infinite-tictactoe", 128_170, "win:13"),
    ("infinite-tictactoe:misere", 128_170, "draw"),
    ("nogo:3x4", 87_361, "loss:10"),
    ("nogo:4x4", 5_820_817, "loss:14"),
    ("atari-go:3x4", 118_433, "win:9"),
    ("atari-go:4x4", 8_050_777, "loss:14"),
    ("amazons:4x4", 9_795_829, "loss:8"),
];

/// Returns a file of the folder with these rows in place of its board.
fn on_board(file: &str, rows: impl IntoIterator<Item = String>) -> String {
    let text = library::game(file).unwrap();
    let begin = text.find("    [").unwrap();
    let end = begin + text[begin..].find(")\n").unwrap();
    let rows: Vec<String> = rows.into_iter().map(|row| format!("    [{row}]")).collect();
    format!("{}{}{}", &text[..begin], rows.join("\n"), &text[end..])
}

/// Returns a file of the folder with a board of this size; `piece` names the piece at a row and a column, from the top left.
fn board(file: &str, rows: usize, columns: usize, piece: impl Fn(usize, usize) -> &'static str) -> String {
    let row = |y: usize| (0..columns).map(|x| piece(y, x)).collect::<Vec<_>>().join(", ");
    on_board(file, (0..rows).map(row))
}

/// Returns a text with each of the changes, which must be possible.
fn changed(text: &str, changes: &[(&str, &str)]) -> String {
    changes.iter().fold(text.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    })
}

/// Returns the rules of a game by the name that the rows have for it.
fn rules(game: &str) -> Rules {
    let mut parts = game.split(':');
    let name = parts.next().unwrap();
    let options: Vec<&str> = parts.collect();
    let has = |option: &str| options.contains(&option);
    let file = |name: &str| library::game(name).unwrap().to_owned();
    let first = options.first().copied().unwrap_or("");
    let (rows, columns) = first
        .split_once('x')
        .and_then(|(rows, columns)| Some((rows.parse().ok()?, columns.parse().ok()?)))
        .unwrap_or((first.parse().unwrap_or(0), first.parse().unwrap_or(0)));
    let text = match name {
        "hare-and-hounds" => {
            let length = options.iter().find_map(|option| option.strip_prefix("length="));
            let text = file(&length.map_or(name.to_owned(), |length| format!("{name}-{length}")));
            let turned =
                ("[$ hare=100] (turnOfHounds turnOfHare)", "[$ hounds=100] (turnOfHare turnOfHounds)");
            if has("first=hare") { changed(&text, &[turned]) } else { text }
        }
        "sim" if has("maker") => changed(
            &file("sim-5"),
            &[("[$ me=0, other=100]", "[$ me=100, other=0]"), ("[$ first=100]", "[$ second=100]")],
        ),
        "sim" => file("sim-5"),
        "y" => on_board("y-4", (1..=rows).map(|cells| vec!["e"; cells].join(", "))),
        "dodgem" => board("dodgem-4x4", rows, columns, |y, x| match (y + 1 == rows, x == 0) {
            (false, true) => "x",
            (true, false) => "o",
            _ => "e",
        }),
        "dao" if has("trap") => file("dao-trap"),
        "wild-tictactoe" if has("misere") => file("wild-misere"),
        "infinite-tictactoe" if has("misere") => changed(
            &file(name),
            &[("[$ me=100, other=0]", "[$ me=0, other=100]"), ("[$ second=100]", "[$ first=100]")],
        ),
        "konane" if has("4x4") => file("konane"),
        "konane" => file(&format!("konane-{first}")),
        "clobber" => board("clobber", rows, columns, |y, x| if (y + x) % 2 == 0 { "x" } else { "o" }),
        "kaooa" if has("captures=3") => {
            changed(&file("kaooa-seven"), &[("crow + hand > 3", "crow + hand > 4")])
        }
        "kaooa" if has("crows=7") => file("kaooa-seven"),
        "kaooa" if has("move=early") => {
            changed(&file(name), &[("{$ hand == 0} anySquare {crow}", "anySquare {crow}")])
        }
        "tsoro-yematatu" if has("jump=stuck") => file("tsoro-yematatu-stuck"),
        "lewthwaite" => {
            board(name, rows, columns, |y, x| match (y == rows / 2 && x == rows / 2, (y + x) % 2) {
                (true, _) => "e",
                (_, 0) => "o",
                _ => "x",
            })
        }
        "joust" => {
            board(name, rows, columns, |y, x| match (y + 1 == rows && x == 0, y == 0 && x + 1 == columns) {
                (true, _) => "x",
                (_, true) => "o",
                _ => "e",
            })
        }
        "nogo" | "atari-go" => board(&format!("{name}-3x4"), rows, columns, |_, _| "e"),
        "amazons" => file("amazons-4x4"),
        "1d-chess" => file("chess-1d"),
        _ => file(name),
    };
    Rules::new(&text).unwrap_or_else(|fault| panic!("{game}:{}", fault.show(&text)))
}

/// Replaces each sign of `from` by the one at its place in `to`.
fn exchanged(text: &str, from: &str, to: &str) -> String {
    text.chars().map(|c| from.find(c).map_or(c, |at| to.as_bytes()[at] as char)).collect()
}

/// Returns the position of a row as its rules file writes it.
fn position(row: &TruthRow) -> String {
    let fields: Vec<&str> = row.get("position").split(' ').collect();
    let (cells, turn) = (fields[0], fields[fields.len() - 1]);
    let cells = match row.get("game").split(':').next().unwrap() {
        // Cells of a graph stand in one row.
        "hare-and-hounds" | "sim" | "kaooa" | "tsoro-yematatu" => cells.replace('/', ""),
        // The marks from the newest on are 3 2 1 and c b a.
        "infinite-tictactoe" => exchanged(cells, "321cba", "ZYXCBA"),
        "numerical-tictactoe" => exchanged(cells, "123456789", "ABCDEFGHI"),
        // `#` is a hole.
        "joust" | "amazons" => cells.replace('#', "*"),
        _ => cells.to_owned(),
    };
    // The crows in hand stand behind the scores. What is in hand in Tsoro Yematatu follows from the men on the board.
    let scores = match (row.get("game").starts_with("kaooa"), turn) {
        (false, _) => String::new(),
        (true, turn) => {
            let hand = fields[1].split('-').next().unwrap();
            format!(" {},{hand}", if turn == "1" { "0,100" } else { "100,0" })
        }
    };
    format!("{cells}{scores} {turn}")
}

/// Returns the moves of a column as the rules file writes them.
fn words(row: &TruthRow, column: &str) -> BTreeSet<String> {
    let game = row.get("game").split(':').next().unwrap();
    let word = |word: String| match game {
        "wild-tictactoe" => format!("{}{}", &word[1..], &word[..1]),
        "numerical-tictactoe" => format!("{}{}", &word[2..], exchanged(&word[..1], "123456789", "ABCDEFGHI")),
        "kaooa" | "four-field-kono" => word.replace('x', "-"),
        _ => word,
    };
    row.words(column, ' ').into_iter().map(word).collect()
}

/// Compares a row with the rules, and with the values where there are any.
fn compare(rules: &Rules, row: &TruthRow, value: Option<&dyn Fn(&Position) -> Value>) {
    let at = format!("{} {}", row.get("game"), row.get("position"));
    let position = rules.read_position(&position(row)).unwrap_or_else(|why| panic!("{at}: {why}"));
    if row.number("moves") == 0 {
        // Where both players can have won by the last move, a position that is typed does not tell who has.
        let told = row.get("value") != "win:0" || !(at.starts_with("hare") || at.starts_with("dao"));
        if told {
            let over = rules.over(&position).map(|value| value.show(rules.unit()).to_string());
            assert_eq!(over.as_deref(), Some(row.get("value")), "{at}");
        }
        return;
    }
    let (mut legal, mut valued) = (BTreeSet::new(), Vec::new());
    let _ = children(rules, &position, &mut |m, child, step| {
        let word = rules.write_move(&position, m);
        valued.push((word.clone(), value.map(|value| value(&child).back(step))));
        legal.insert(word);
        MORE
    });
    assert_eq!(legal.len() as u64, row.number("moves"), "{at}: {legal:?}");
    let (mut best, mut keep) = (words(row, "best"), words(row, "keep"));
    if at.starts_with("numerical") && legal.iter().all(|word| word.len() == 2) {
        // The last number is not named.
        (best, keep) =
            [best, keep].map(|set| set.into_iter().map(|word| word[..2].to_owned()).collect()).into();
    }
    assert!(best.is_subset(&keep) && keep.is_subset(&legal), "{at}: {keep:?} in {legal:?}");
    let Some(value) = value else { return };
    let here = value(&position);
    assert_eq!(here.show(rules.unit()).to_string(), row.get("value"), "{at}");
    let those = |wanted: &dyn Fn(Value) -> bool| -> BTreeSet<String> {
        let kept = valued.iter().filter(|(_, value)| value.is_some_and(wanted));
        kept.map(|(word, _)| word.clone()).collect()
    };
    assert_eq!(those(&|value| value == here), best, "{at}");
    assert_eq!(those(&|value| value.wdl() == here.wdl()), keep, "{at}");
}

/// Returns the rows of each game.
fn by_game() -> BTreeMap<String, Vec<TruthRow>> {
    let mut games: BTreeMap<String, Vec<TruthRow>> = BTreeMap::new();
    rows!("atlas.tsv")
        .into_iter()
        .for_each(|row| games.entry(row.get("game").to_owned()).or_default().push(row));
    games
}

/// Counts the positions that the start leads to, one by one.
fn reached(rules: &Rules) -> u64 {
    let mut seen = HashSet::from([rules.start()]);
    let mut open = vec![rules.start()];
    while let Some(position) = open.pop() {
        let _ = children(rules, &position, &mut |_, child, _| {
            if seen.insert(child.clone()) {
                open.push(child);
            }
            MORE
        });
    }
    seen.len() as u64
}

/// Solves games and compares their counts, their values and their rows.
fn solved_games_are_right(games: &[(&str, u64, &str)], threads: usize) {
    let all = by_game();
    for &(game, count, expected) in games {
        let rules = rules(game);
        let work = Work { stop: &NEVER, until: None, threads, memory_limit: None, report: &|_| {} };
        let found = find(&rules, &Horizon::default(), &work).unwrap().unwrap();
        let table = solve(&rules, &found, &work, &mut NoCheckpoints).unwrap();
        let value = |position: &Position| {
            let number = found.keys.find(rules.pack(position).unwrap()).unwrap();
            table.get(number as u64).unwrap()
        };
        // Where the start has fewer images than later positions, those are not counted by their images.
        assert_eq!(found.positions(&rules).unwrap_or_else(|| reached(&rules)), count, "{game}");
        assert_eq!(value(&rules.start()).show(rules.unit()).to_string(), expected, "{game}");
        for row in &all[game] {
            compare(&rules, row, Some(&value));
        }
    }
}

#[test]
fn small_games_have_the_counts_and_the_values_of_other_programs() {
    solved_games_are_right(SMALL, 1);
}

#[test]
#[ignore = "minutes and some gigabytes: cargo test --release -p grundy-rules --test all -- --ignored large_games"]
fn large_games_have_the_counts_and_the_values_of_other_programs() {
    solved_games_are_right(LARGE, 2);
}

#[test]
fn moves_are_those_of_other_programs() {
    for (game, rows) in by_game() {
        let rules = rules(&game);
        rows.iter().for_each(|row| compare(&rules, row, None));
    }
}

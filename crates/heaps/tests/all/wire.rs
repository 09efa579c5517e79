//! The same rows asked in words, as a user asks them: a game's name, a position, and back come values and moves.

use std::collections::HashMap;

use grundy_contract::open;
use grundy_heaps::{open_sum, sum_row};
use grundy_session::{Grundy, Row, Session, Settings};

use super::outcome;
use grundy_contract::{TruthRow, rows};

/// Sessions by the game's name: a session is kept, as on a wire.
#[derive(Default)]
struct Desk(HashMap<String, Session>);

impl Desk {
    /// Returns the session of a game at a position.
    fn at(&mut self, game: &str, position: &str) -> &mut Session {
        let session = self.0.entry(game.to_owned()).or_insert_with(|| open(&grundy_heaps::ROWS, game));
        session.setup(Some(position)).unwrap_or_else(|e| panic!("{game}: {e}"));
        session
    }

    fn outcome(&mut self, game: &str, position: &str, row: &TruthRow, column: &str) {
        let value = self.at(game, position).value();
        assert_eq!(outcome(value), row.get(column), "{game} {position}");
    }

    /// Checks the moves that have the position's value, if it is won.
    fn winning(&mut self, game: &str, position: &str, mut moves: Vec<String>) {
        let session = self.at(game, position);
        let value = session.value();
        let list = session.values(1_000);
        assert!(!list.truncated || outcome(value) == "LOSS", "{game} {position}");
        if let Some(first) = list.moves.first() {
            assert_eq!(first.value, value, "the first move has the position's value: {game} {position}");
        }
        let winning = list.moves.into_iter().filter(|m| outcome(m.value) == "WIN");
        let mut words: Vec<String> = winning.map(|m| m.word).collect();
        words.sort();
        moves.sort();
        assert_eq!(words, moves, "{game} {position}");
    }

    fn grundy(&mut self, game: &str, position: &str, number: u64) {
        assert_eq!(self.at(game, position).grundy().number(), Some(number), "{game} {position}");
    }
}

/// Returns `pile:take`, with piles from 0, in the project's notation.
fn piles(row: &TruthRow) -> Vec<String> {
    let word = |word: &String| {
        let (pile, take) = word.split_once(':').unwrap();
        format!("{}:{take}", pile.parse::<u64>().unwrap() + 1)
    };
    row.words("win_moves", ';').iter().map(word).collect()
}

#[test]
fn nim_in_words() {
    let mut desk = Desk::default();
    for (file, game) in [("nim_normal.tsv", "nim"), ("nim_misere.tsv", "nim:misere")] {
        for row in rows!(file) {
            desk.outcome(game, row.get("piles"), &row, "outcome");
            desk.winning(game, row.get("piles"), piles(&row));
        }
    }
    for row in rows!("nim_bounded.tsv") {
        let misere = if row.get("play") == "misere" { ":misere" } else { "" };
        let game = format!("nim:max={}{misere}", row.get("k"));
        desk.outcome(&game, row.get("piles"), &row, "outcome");
        desk.winning(&game, row.get("piles"), piles(&row));
    }
    for row in rows!("nim_large.tsv") {
        let misere = if row.get("play") == "misere" { ":misere" } else { "" };
        let max = if row.number("k") == 0 { String::new() } else { format!(":max={}", row.get("k")) };
        desk.outcome(&format!("nim{max}{misere}"), row.get("piles"), &row, "outcome");
    }
}

#[test]
fn counting_and_subtraction_in_words() {
    let mut desk = Desk::default();
    for row in rows!("count_to_n.tsv") {
        let game = format!("count:{}:max={}", row.get("target"), row.get("k"));
        desk.outcome(&game, row.get("sum"), &row, "outcome");
        let adds = row.words("win_adds", ',').iter().map(|add| format!("+{add}")).collect();
        desk.winning(&game, row.get("sum"), adds);
    }
    for row in rows!("subtraction.tsv") {
        let game = format!("subtract:20:set={}", row.get("set"));
        desk.outcome(&game, row.get("n"), &row, "normal");
        desk.winning(&game, row.get("n"), row.words("win_takes_normal", ','));
        desk.grundy(&game, row.get("n"), row.number("grundy"));
        desk.outcome(&format!("{game}:misere"), row.get("n"), &row, "misere");
        if row.get("set") == "1,2,3" {
            desk.outcome("matches:21", row.get("n"), &row, "normal");
            desk.outcome("matches:21:misere", row.get("n"), &row, "misere");
        }
    }
}

#[test]
fn stones_in_words() {
    let mut desk = Desk::default();
    for row in rows!("stones_in_pits.tsv") {
        let step = |word: &String| {
            let (from, to) = word.split_once('>').unwrap();
            format!("{}-{}", from.parse::<u32>().unwrap() + 1, to.parse::<u32>().unwrap() + 1)
        };
        let moves: Vec<String> = row.words("win_moves", ';').iter().map(step).collect();
        let board = row.get("board");
        desk.outcome("stones", board, &row, "outcome");
        desk.winning("stones", board, moves);
        desk.grundy("stones", board, row.number("formula_xor"));
        if board.len() <= 12 {
            desk.outcome(&format!("stones:{board}:table"), board, &row, "outcome");
        }
    }
}

#[test]
fn octal_games_in_words() {
    let mut desk = Desk::default();
    let code = |name: &str| match name.split('(').next().unwrap() {
        "heap_remove3_split" => "0.007".to_owned(),
        "strip_no_adjacent_crosses" => "0.137".to_owned(),
        "treblecross_reduced" => "0.11337".to_owned(),
        name => name.trim_start_matches("octal ").replace('_', "-"),
    };
    for row in rows!("grundy_sequences.tsv") {
        desk.grundy(&format!("heaps:{}", code(row.get("game"))), row.get("n"), row.number("grundy"));
    }
    for row in rows!("octal_sums.tsv") {
        let game = format!("heaps:{}", code(row.get("game")));
        desk.grundy(&game, row.get("heaps"), row.number("grundy_sum"));
        desk.outcome(&game, row.get("heaps"), &row, "outcome");
    }
    for row in rows!("kayles_misere_single.tsv") {
        desk.outcome("heaps:kayles:misere", row.get("n"), &row, "misere_outcome");
    }
}

#[test]
fn classic_games_in_words() {
    let mut desk = Desk::default();
    for row in rows!("wythoff.tsv") {
        let heaps = format!("{},{}", row.get("a"), row.get("b"));
        desk.outcome("wythoff", &heaps, &row, "normal");
        desk.outcome("wythoff:misere", &heaps, &row, "misere");
        desk.grundy("wythoff", &heaps, row.number("grundy"));
    }
    for row in rows!("chomp.tsv") {
        let cell = |word: &String| {
            let (r, c) = word.split_once(':').unwrap();
            format!("{}{}", (b'a' + c.parse::<u8>().unwrap()) as char, r.parse::<u32>().unwrap() + 1)
        };
        desk.outcome("chomp", row.get("rows"), &row, "outcome");
        desk.winning("chomp", row.get("rows"), row.words("win_moves", ';').iter().map(cell).collect());
    }
    for row in rows!("fibonacci_nim.tsv") {
        let position = format!("{},{}", row.get("n"), row.get("limit"));
        desk.outcome("fibonacci-nim", &position, &row, "outcome");
        desk.winning("fibonacci-nim", &position, row.words("win_takes", ','));
    }
    for row in rows!("moore_nim.tsv") {
        desk.outcome(&format!("moore-nim:k={}", row.get("k")), row.get("piles"), &row, "outcome");
    }
    for row in rows!("staircase_nim.tsv") {
        desk.outcome(
            &format!("staircase-nim:{}", row.get("variant")),
            row.get("steps_1_to_n"),
            &row,
            "outcome",
        );
    }
    for row in rows!("nim_with_increases.tsv") {
        let position = format!("{} {}-{}", row.get("piles"), row.get("mover_bank"), row.get("opponent_bank"));
        desk.outcome("nim-increase", &position, &row, "outcome");
    }
}

#[test]
fn strip_games_in_words() {
    let mut desk = Desk::default();
    let strip = |cells: &[u64], dollar: Option<u64>| -> String {
        let letter = |cell| match cells.iter().position(|&c| c == cell) {
            None => '.',
            Some(i) if Some(i as u64) == dollar => '$',
            Some(_) => 'o',
        };
        (1..=*cells.last().unwrap()).map(letter).collect()
    };
    for row in rows!("silver_dollar.tsv") {
        let position = strip(&row.numbers("cells"), Some(row.number("dollar_index")));
        desk.outcome("silver-dollar", &position, &row, "outcome");
    }
    for row in rows!("strip_games.tsv") {
        let (game, text) = (row.get("game"), row.get("position"));
        let (game, position) = match game {
            "nimble" => (game.to_owned(), text.to_owned()),
            "nimble2" => ("silver-dollar:plain".to_owned(), strip(&row.numbers("position"), None)),
            "turning_turtles" | "twins" => (game.replace('_', "-"), text.to_owned()),
            northcott => {
                let columns: String = northcott.chars().filter(char::is_ascii_digit).collect();
                (format!("northcott:columns={columns}"), text.replace(':', "-").replace(';', ","))
            }
        };
        desk.outcome(&game, &position, &row, "outcome");
        desk.grundy(&game, &position, row.number("grundy_or_xor"));
    }
}

/// Sums of the games of this family.
static SUM: Row = sum_row(|spec| open_sum(spec, &[]));

/// Heaps whose numbers come from a period, and bars of chocolate without their poison.
#[test]
fn heaps_of_any_size_and_chomp_stand_in_sums() {
    let alone = |name| open(&grundy_heaps::ROWS, name).grundy().number().unwrap();
    for (name, number) in [
        ("sum:subtract:1000000000000:set=2,5,9+nim:7", 7 ^ alone("subtract:1000000000000:set=2,5,9")),
        ("sum:heaps:0.07:1000+matches:1000000002", 2 ^ alone("heaps:0.07:1000")),
        ("sum:chomp:1x4+chomp:3x1", 3 ^ 2),
        ("sum:chomp:2x2+nim:2", 0),
    ] {
        let mut session = SUM.open(name, &Settings::default()).unwrap();
        assert_eq!(session.grundy(), Grundy::Number(number), "{name}");
    }
}

/// Truths about single games in the rows must hold in sums of them.
#[test]
fn sums_add_up_in_words() {
    let octal: Vec<TruthRow> =
        rows!("octal_sums.tsv").into_iter().filter(|r| r.get("game") == "kayles").collect();
    for (a, b) in rows!("stones_in_pits.tsv").iter().zip(&octal) {
        for nim in [0, 1, 5] {
            let position = format!("{nim},0+{}+{}", b.get("heaps"), a.get("board"));
            let number = nim ^ a.number("formula_xor") ^ b.number("grundy_sum");
            let mut session =
                SUM.open("sum:nim:3,5+heaps:kayles:7+stones:..X.X", &Settings::default()).unwrap();
            session.setup(Some(&position)).unwrap();
            assert_eq!(session.grundy().number(), Some(number), "{position}");
        }
    }
}

#[test]
fn bad_names_are_refused_in_one_line() {
    for name in [
        "nim:",
        "nim:x",
        "nim:3:max=0",
        "nim:3,5:frob",
        "nim:99999999999999999999",
        "count:0",
        "count:5:max=0",
        "subtract:5:set=",
        "subtract:5:set=0",
        "subtract:-1",
        "matches:5:set=2",
        "stones:abc",
        "stones:",
        "heaps:0.8:7",
        "heaps:1.7",
        "heaps:kayles:7,x",
        "heaps:grundys-game:50001",
        "wythoff:3",
        "wythoff:3,5,7",
        "chomp:0x3",
        "chomp:99x26",
        "chomp:3",
        "fibonacci-nim:0",
        "moore-nim:3:k=0",
        "moore-nim:3:k=99",
        "staircase-nim:3:floor:nofloor",
        "silver-dollar:..o",
        "silver-dollar:$$",
        "silver-dollar:..$:plain",
        "northcott:1-9",
        "northcott:1-1",
        "northcott:columns=1",
        "nim-increase:3:banks=1",
        "nimble:0",
        "turning-turtles:xo",
        "twins:",
        "sum:",
        "sum:nim:3+",
        "sum:count:5",
        "sum:nim:3:misere+nim:5",
        "sum:nim:9000000",
        "sum:chomp:2x2:x",
    ] {
        let opened = match name.starts_with("sum") {
            true => SUM.open(name, &Settings::default()),
            false => grundy_contract::try_open(&grundy_heaps::ROWS, name),
        };
        match opened {
            Ok(_) => panic!("{name} is accepted"),
            Err(line) => {
                assert!(!line.is_empty() && !line.contains('\n') && line.len() < 400, "{name}: {line}")
            }
        }
    }
}

//! Dots-and-Boxes against the `dnb_*` files: values and best lines of positions on every board up to 3x4, start
//! positions, penalties and Nimstring.

use std::collections::HashMap;

use grundy_core::game::{Game, Indexed, Notation, Scored, legal_moves};
use grundy_core::table::Table;
use grundy_core::value::{Score, Value};
use grundy_dots::{Dots, Line, Position, Setup, Start};
use grundy_search::windows::Reduced;
use grundy_search::windows::WindowProver;
use grundy_session::{Limits, NEVER, quiet_work};
use grundy_tables::groups::StringsAndCoins;
use grundy_tables::groups::{GroupPart, MemoryStore, Split, kept_parts, solve};
use grundy_tables::layers;
use grundy_tables::loony::{self, Known, Loony};

use grundy_contract::{TruthRow, rows};

type Board = Dots<u32>;

fn board(setup: Setup) -> Board {
    Dots::new(setup).unwrap()
}

/// Returns the position with the lines drawn that a row's text says.
fn position(game: &Board, row: &TruthRow) -> Position<u32> {
    let mut position = game.start();
    for (n, drawn) in row.get("lines").bytes().enumerate() {
        let line = game.line(Line(n as u8));
        if drawn == b'1' {
            position.open = position.open.without(line);
        }
    }
    position
}

/// Plain negamax over sets of open lines, nothing left out.
struct Negamax<'g> {
    game: &'g Board,
    known: HashMap<u64, i32>,
}

impl Negamax<'_> {
    fn value(&mut self, position: &Position<u32>) -> i32 {
        if position.open.none() {
            return 0;
        }
        let number = self.game.index(position);
        if let Some(&value) = self.known.get(&number) {
            return value;
        }
        let moves = legal_moves(self.game, position);
        let best = moves.into_iter().map(|line| self.after(position, line)).max().unwrap();
        self.known.insert(number, best);
        best
    }

    fn after(&mut self, position: &Position<u32>, line: Line) -> i32 {
        let child = self.game.play(position, line);
        let value = self.value(&child);
        let value = if child.turn == position.turn { value } else { -value };
        value + self.game.gain(position, line)
    }
}

fn check_board(setup: Setup, file: &str) {
    let game = board(setup);
    let mut negamax = Negamax { game: &game, known: HashMap::new() };
    for row in rows!(file) {
        let position = position(&game, &row);
        let value: i32 = row.get("value").parse().unwrap();
        let lines = row.get("lines");
        assert_eq!(negamax.value(&position), value, "{file} {lines}");
        let keeping: Vec<String> = legal_moves(&game, &position)
            .into_iter()
            .filter(|&line| negamax.after(&position, line) == value)
            .map(|line| line.0.to_string())
            .collect();
        let expected = row.get("best_moves");
        assert_eq!(
            if keeping.is_empty() { "-".to_string() } else { keeping.join(",") },
            expected,
            "{file} {lines}"
        );
    }
}

#[test]
fn values_and_best_lines_of_small_boards_are_the_true_ones() {
    for (rows, cols) in [(1, 1), (1, 2), (1, 3), (2, 2)] {
        check_board(Setup::empty(rows, cols), &format!("dnb_{rows}x{cols}_all.tsv"));
        check_board(Setup::empty(rows, cols), &format!("dnb_{rows}x{cols}_sample.tsv"));
    }
    for (rows, cols) in [(1, 4), (1, 5), (2, 3)] {
        check_board(Setup::empty(rows, cols), &format!("dnb_{rows}x{cols}_sample.tsv"));
    }
}

#[test]
fn start_positions_of_all_three_kinds_are_worth_what_they_should() {
    for row in rows!("dnb_boards.tsv") {
        let start = match row.get("start") {
            "empty" => Start::Empty,
            "icelandic" => Start::Icelandic,
            _ => Start::Swedish,
        };
        let sides = (row.number("rows") as u32, row.number("cols") as u32);
        let setup = Setup { start, ..Setup::empty(sides.0, sides.1) };
        assert_eq!(u64::from(setup.lines()), row.number("lines_total"));
        assert_eq!(u64::from(setup.open_lines()), row.number("lines_open"));
        if setup.open_lines() > 17 {
            continue; // left to the table and the search
        }
        let game = board(setup);
        let mut negamax = Negamax { game: &game, known: HashMap::new() };
        let value: i32 = row.get("value").parse().unwrap();
        assert_eq!(negamax.value(&game.start()), value, "{setup:?}");
        let best = legal_moves(&game, &game.start());
        let best = best.into_iter().filter(|&line| negamax.after(&game.start(), line) == value).count();
        assert_eq!(best as u64, row.number("n_best_first_moves"), "{setup:?}");
    }
}

#[test]
fn penalties_for_the_last_line_count_as_they_should() {
    let mut boards: HashMap<_, (Board, HashMap<u64, i32>)> = HashMap::new();
    let mut checked = 0;
    for row in rows!("dnb_penalty.tsv") {
        let penalty: i32 = row.get("penalty").parse().unwrap();
        let key = (row.number("rows"), row.number("cols"), penalty);
        let setup = Setup { penalty, ..Setup::empty(key.0 as u32, key.1 as u32) };
        if setup.lines() > 16 {
            continue; // left to the table and the search
        }
        let (game, known) = boards.entry(key).or_insert_with(|| (board(setup), HashMap::new()));
        let position = position(game, &row);
        if position.open.none() {
            continue; // the file charges the penalty one step later
        }
        let mut negamax = Negamax { game, known: std::mem::take(known) };
        let value: i32 = row.get("value").parse().unwrap();
        assert_eq!(negamax.value(&position), value, "{key:?} {}", row.get("lines"));
        *known = negamax.known;
        checked += 1;
    }
    assert!(checked > 1000, "{checked} rows");
}

fn table(game: &Board) -> Table {
    layers::solve(game, &quiet_work()).unwrap()
}

/// Compares search and table on every `stride`-th position; returns the number of comparisons.
fn compare(setup: Setup, stride: usize) -> usize {
    let game = board(setup);
    let table = table(&game);
    let mut prover = WindowProver::new(64, 1);
    let mut compared = 0;
    for number in (1..game.size()).step_by(stride) {
        let position = game.position(number).unwrap();
        let found = prover.value(&game, &position, &Limits::default(), &NEVER, &mut |_, _| {});
        let true_value = table.get(number).unwrap();
        assert_eq!(found, Score::Exact(true_value), "{}", game.write_position(&position));
        compared += 1;
    }
    compared
}

#[test]
fn the_search_is_exact_in_every_position_of_small_boards() {
    for (rows, cols) in [(1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (2, 2), (3, 1), (2, 3), (3, 2)] {
        let setup = Setup::empty(rows, cols);
        assert_eq!(compare(setup, 1), (1 << setup.lines()) - 1);
    }
}

#[test]
fn the_search_is_exact_in_samples_of_larger_boards() {
    for (rows, cols, stride) in [(2, 4, 211), (1, 7, 307), (4, 2, 1009), (3, 3, 1999)] {
        compare(Setup::empty(rows, cols), stride);
    }
}

#[test]
fn the_search_is_exact_with_penalties_and_drawn_borders() {
    for penalty in [-30, -3, -1, 1, 2, 5, 100_000] {
        for (rows, cols, stride) in [(1, 3, 1), (2, 2, 1), (2, 3, 17)] {
            compare(Setup { penalty, ..Setup::empty(rows, cols) }, stride);
        }
    }
    for start in [Start::Icelandic, Start::Swedish] {
        for (rows, cols, stride) in [(2, 2, 1), (2, 3, 3), (3, 3, 37), (2, 4, 101), (4, 3, 2003)] {
            compare(Setup { start, ..Setup::empty(rows, cols) }, stride);
        }
    }
}

#[test]
fn positions_of_one_key_are_worth_the_same() {
    for (rows, cols, stride) in [(1, 5, 1), (2, 3, 1), (2, 4, 61), (3, 3, 499)] {
        let game = board(Setup::empty(rows, cols));
        let table = table(&game);
        let (mut values, mut looked, mut apart) = (HashMap::new(), 0, 0);
        for number in (1..game.size()).step_by(stride) {
            let position = game.position(number).unwrap();
            let offer = game.reduce(&position);
            if offer.gain > 0 || offer.price.is_some() {
                continue;
            }
            let key = |position: &Position<u32>| {
                let core = game.reduce(position).core;
                (game.known(&core), game.key(&core))
            };
            let value = table.get(number).unwrap();
            assert_eq!(*values.entry(key(&position)).or_insert(value), value, "{rows}x{cols} {number}");
            // Mirror images meet, but for a few where names could not tell joints apart.
            apart += usize::from(key(&position) != key(&game.canonical(&position)));
            looked += 1;
        }
        assert!(looked > 1000 && apart * 100 < looked, "{rows}x{cols}: {apart} of {looked}");
    }
}

/// Returns the values of all positions by index, in half points, if the last line costs `fine` half points.
fn in_half_points(game: &Board, fine: i32) -> Vec<i32> {
    let mut values = vec![0];
    for number in 1..game.size() {
        let position = game.position(number).unwrap();
        let worth = legal_moves(game, &position).into_iter().map(|line| {
            let child = game.play(&position, line);
            let value = values[game.index(&child) as usize] - if child.open.none() { fine } else { 0 };
            if child.turn == position.turn { 2 * game.gain(&position, line) + value } else { -value }
        });
        values.push(worth.max().unwrap());
    }
    values
}

#[test]
fn a_penalty_of_half_a_point_more_is_worth_the_mean_in_every_position() {
    for (rows, cols, penalties) in [(1, 3, -5..6), (2, 2, -3..4), (2, 3, 0..2)] {
        let game = board(Setup::empty(rows, cols));
        for penalty in penalties {
            let [below, half, above] = [0, 1, 2].map(|more| in_half_points(&game, 2 * penalty + more));
            for number in 1..below.len() {
                let (b, h, a) = (below[number], half[number], above[number]);
                assert!(
                    (a - b).abs() == 2 && 2 * h == a + b,
                    "{rows}x{cols} {penalty} {number}: {b} {h} {a}"
                );
            }
        }
    }
}

#[test]
#[ignore = "every position of 2x4 and 3x3: minutes"]
fn the_search_is_exact_in_every_position_of_2x4_and_3x3() {
    compare(Setup::empty(2, 4), 1);
    compare(Setup::empty(3, 3), 1);
}

#[test]
fn search_and_table_meet_the_values_of_larger_boards() {
    for (rows, cols) in [(1, 6), (1, 7), (2, 4), (3, 3), (2, 5), (3, 4), (1, 8)] {
        let game = board(Setup::empty(rows, cols));
        let mut prover = WindowProver::new(64, 1);
        for row in rows_of(rows, cols) {
            let position = position(&game, &row);
            if row.number("n_drawn") < 10 && rows * cols > 9 {
                continue; // the bench does them
            }
            let value: i32 = row.get("value").parse().unwrap();
            let found = prover.value(&game, &position, &Limits::default(), &NEVER, &mut |_, _| {});
            assert_eq!(found, Score::Exact(Value::points(value)), "{rows}x{cols} {}", row.get("lines"));
        }
    }
}

fn rows_of(height: u32, cols: u32) -> Vec<TruthRow> {
    rows!(&format!("dnb_{height}x{cols}_sample.tsv"))
}

#[test]
fn empty_boards_are_worth_what_was_published() {
    for (rows, cols, value) in
        [(1, 1, -1), (1, 2, 0), (2, 2, 2), (2, 3, -2), (2, 4, 2), (2, 5, -2), (3, 3, -3)]
    {
        let game = board(Setup::empty(rows, cols));
        let mut prover = WindowProver::new(64, 2);
        let found = prover.value(&game, &game.start(), &Limits::default(), &NEVER, &mut |_, _| {});
        assert_eq!(found, Score::Exact(Value::points(value)), "{rows}x{cols}");
    }
}

#[test]
fn values_for_consecutive_penalties_differ_by_one() {
    for (rows, cols) in [(1, 4), (2, 2), (2, 3)] {
        let value = |penalty: i32, number: u64| {
            let game = board(Setup { penalty, ..Setup::empty(rows, cols) });
            let mut prover = WindowProver::new(1, 1);
            let position = game.position(number).unwrap();
            let found = prover.value(&game, &position, &Limits::default(), &NEVER, &mut |_, _| {});
            found.exact().unwrap().margin().unwrap()
        };
        let size = board(Setup::empty(rows, cols)).size();
        for number in (1..size).step_by(size as usize / 61 + 1) {
            let values: Vec<i32> = (-9..=9).map(|penalty| value(penalty, number)).collect();
            assert!(values.windows(2).all(|pair| (pair[0] - pair[1]).abs() == 1), "{number}: {values:?}");
        }
    }
}

/// A table by groups of all positions of a board.
struct Grouped {
    split: Split,
    table: Table,
    before: HashMap<GroupPart, u64>,
}

impl Grouped {
    fn new(game: &Board) -> Grouped {
        let split = Split::new(&game.coins().unwrap()).unwrap();
        let table = solve(&split, split.strings(), &mut MemoryStore::default(), &quiet_work()).unwrap();
        let mut before = HashMap::new();
        let mut sum = 0;
        for part in kept_parts(&split, split.strings()) {
            before.insert(part, sum);
            sum += split.size(part);
        }
        Grouped { split, table, before }
    }

    fn value(&self, left: u64) -> Option<Value> {
        let (part, number) = self.split.number(left);
        self.table.get(self.before[&part] + number)
    }
}

#[test]
fn tables_by_groups_say_what_tables_by_layers_say_of_every_position() {
    let starts = [Start::Empty, Start::Icelandic, Start::Swedish];
    for (rows, cols) in [(1, 1), (1, 4), (2, 2), (3, 2), (2, 3)] {
        for start in starts {
            for penalty in [0, 3, -2, 100] {
                let game = board(Setup { start, penalty, ..Setup::empty(rows, cols) });
                let (layers, groups) = (table(&game), Grouped::new(&game));
                for number in 1..game.size() {
                    let left = game.strings_left(&game.position(number).unwrap());
                    assert_eq!(groups.value(left), layers.get(number), "{start:?} {penalty} {left:b}");
                }
            }
        }
    }
}

#[test]
fn tables_by_groups_meet_the_rows_of_every_board_to_3x3() {
    for (rows, cols) in [(1, 5), (1, 6), (1, 7), (2, 4), (3, 3)] {
        let game = board(Setup::empty(rows, cols));
        let groups = Grouped::new(&game);
        for row in rows_of(rows, cols) {
            let position = position(&game, &row);
            if position.open.none() {
                continue;
            }
            let value: i32 = row.get("value").parse().unwrap();
            let left = game.strings_left(&position);
            assert_eq!(groups.value(left), Some(Value::points(value)), "{}", row.get("lines"));
            let after = |line: Line| {
                let child = game.play(&position, line);
                let value = groups.value(game.strings_left(&child)).unwrap().margin().unwrap();
                game.gain(&position, line) + if child.turn == position.turn { value } else { -value }
            };
            let keeping = legal_moves(&game, &position).into_iter().filter(|&line| after(line) == value);
            let keeping: Vec<String> = keeping.map(|line| line.0.to_string()).collect();
            assert_eq!(keeping.join(","), row.get("best_moves"), "{rows}x{cols} {}", row.get("lines"));
        }
    }
}

#[test]
fn nimstring_is_the_penalty_game_of_one_point_more_than_there_are_boxes() {
    let mut boards: HashMap<_, (Board, Grouped)> = HashMap::new();
    for row in rows!("dnb_nimstring.tsv") {
        let (height, cols) = (row.number("rows") as u32, row.number("cols") as u32);
        let (game, groups) = boards.entry((height, cols)).or_insert_with(|| {
            let penalty = (height * cols) as i32 + 1;
            let game = board(Setup { penalty, ..Setup::empty(height, cols) });
            let groups = Grouped::new(&game);
            (game, groups)
        });
        let position = position(game, &row);
        let value = |p: &Position<u32>| groups.value(game.strings_left(p)).unwrap().margin().unwrap();
        let wins = |line: &Line| {
            let child = game.play(&position, *line);
            let value = if child.turn == position.turn { value(&child) } else { -value(&child) };
            // The penalty is in the value of the full board of this table.
            let gain = game.gain(&position, *line) + if child.open.none() { game.setup().penalty } else { 0 };
            value + gain > 0
        };
        let moves = legal_moves(game, &position);
        assert_eq!(moves.len() as u64, row.number("n_moves"));
        let winning = moves.iter().filter(|line| wins(line)).count();
        assert_eq!(winning as u64, row.number("n_win_moves"), "{height}x{cols} {}", row.get("lines"));
        assert_eq!(row.get("nimstring") == "WIN", value(&position) > 0, "{}", row.get("lines"));
    }
}

#[test]
fn empty_boards_with_penalties_have_their_values() {
    let mut checked = 0;
    for row in rows!("dnb_penalty_boards.tsv") {
        let penalty: i32 = row.get("penalty").parse().unwrap();
        let game =
            board(Setup { penalty, ..Setup::empty(row.number("rows") as u32, row.number("cols") as u32) });
        let mut prover = WindowProver::new(64, 1);
        let found = prover.value(&game, &game.start(), &Limits::default(), &NEVER, &mut |_, _| {});
        let value: i32 = row.get("value_empty").parse().unwrap();
        assert_eq!(found, Score::Exact(Value::points(value)), "{:?}", game.setup());
        checked += 1;
    }
    assert!(checked > 20, "{checked}");
}

/// Returns the state of a row's number.
fn loony_of(row: &TruthRow) -> Loony {
    match row.get("loony_state") {
        "1" => Loony::Other,
        "0" => Loony::Nobody,
        _ => Loony::Mine,
    }
}

/// Returns the loony state by plain recursion over [`Negamax`]: of the moves of best value the best state, but in a
/// loony position the other player has just made a loony move.
fn plain_state(
    negamax: &mut Negamax<'_>,
    position: &Position<u32>,
    found: &mut HashMap<u64, Loony>,
) -> Loony {
    let game = negamax.game;
    if position.open.none() {
        return Loony::Nobody;
    }
    // A box with one open line, and behind that line a box with two.
    let (height, cols) = (game.setup().rows as usize, game.setup().cols as usize);
    let open = |line: usize| game.line(Line(line as u8)).meets(position.open);
    let sides = |r: usize, c: usize| {
        let vertical = (height + 1) * cols + r * (cols + 1) + c;
        [r * cols + c, (r + 1) * cols + c, vertical, vertical + 1]
    };
    let boxes: Vec<Vec<usize>> = (0..height)
        .flat_map(|r| (0..cols).map(move |c| (r, c)))
        .map(|(r, c)| sides(r, c).into_iter().filter(|&line| open(line)).collect())
        .collect();
    let offers = boxes
        .iter()
        .any(|one| one.len() == 1 && boxes.iter().any(|other| other.len() == 2 && other.contains(&one[0])));
    if offers {
        return Loony::Other;
    }
    let number = game.index(position);
    if let Some(&state) = found.get(&number) {
        return state;
    }
    let value = negamax.value(position);
    let mut best = Loony::Mine;
    for line in legal_moves(game, position) {
        if negamax.after(position, line) == value {
            let child = game.play(position, line);
            let state = plain_state(negamax, &child, found);
            best = best.max(if child.turn == position.turn { state } else { state.turned() });
        }
    }
    found.insert(number, best);
    best
}

#[test]
fn loony_states_are_those_of_the_file_in_every_row() {
    let mut tables: HashMap<_, (Board, Table)> = HashMap::new();
    for row in rows!("dnb_loony.tsv") {
        let sides = (row.number("rows") as u32, row.number("cols") as u32);
        let (game, states) = tables.entry(sides).or_insert_with(|| {
            let game = board(Setup::empty(sides.0, sides.1));
            let states = loony::solve(&game, &quiet_work()).unwrap();
            (game, states)
        });
        let position = position(game, &row);
        let stored = states.get(game.index(&position));
        let expected = match loony_of(&row) {
            Loony::Other => Value::WIN,
            Loony::Nobody => Value::DRAW,
            Loony::Mine => Value::LOSS,
        };
        assert_eq!(stored, Some(expected), "{sides:?} {}", row.get("lines"));
    }
}

#[test]
fn loony_states_are_those_of_plain_recursion() {
    let mut checked = 0;
    for (rows, cols) in [(1, 1), (1, 2), (1, 3), (2, 2), (1, 4)] {
        let game = board(Setup::empty(rows, cols));
        let values = table(&game);
        let states = loony::solve(&game, &quiet_work()).unwrap();
        let mut negamax = Negamax { game: &game, known: HashMap::new() };
        let mut found = HashMap::new();
        for number in 1..game.size() {
            let position = game.position(number).unwrap();
            let plain = plain_state(&mut negamax, &position, &mut found);
            let mut value = |p: &Position<u32>| game.over(p).or_else(|| values.get(game.index(p)));
            let own = game.loony_state(&position, &mut Known { value: &mut value, state: &|_| None });
            let stored = match states.get(number) {
                Some(Value::WIN) => Loony::Other,
                Some(Value::LOSS) => Loony::Mine,
                _ => Loony::Nobody,
            };
            assert_eq!((own, stored), (Some(plain), plain), "{}", game.write_position(&position));
            checked += 1;
        }
    }
    assert_eq!(checked, 13_451);
}

#[test]
#[ignore = "10 million numbers of 2x5, and 3x4 from its start: a minute"]
fn early_rows_of_2x5_and_3x4_have_their_values() {
    let game = board(Setup::empty(2, 5));
    let groups = Grouped::new(&game);
    for row in rows_of(2, 5) {
        let left = game.strings_left(&position(&game, &row));
        let value: i32 = row.get("value").parse().unwrap();
        assert_eq!(groups.value(left), Some(Value::points(value)), "{}", row.get("lines"));
    }
    let game = board(Setup::empty(3, 4));
    let mut prover = WindowProver::new(512, 1);
    for row in rows_of(3, 4) {
        let value: i32 = row.get("value").parse().unwrap();
        let found = prover.value(&game, &position(&game, &row), &Limits::default(), &NEVER, &mut |_, _| {});
        assert_eq!(found, Score::Exact(Value::points(value)), "{}", row.get("lines"));
    }
}

/// Compares the table by groups and search on random positions of all numbers of lines; returns the number of
/// comparisons.
fn compare_by_lot(setup: Setup, count: usize) {
    let game = board(setup);
    let groups = Grouped::new(&game);
    let mut prover = WindowProver::new(256, 1);
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut lot = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for _ in 0..count {
        // Each number of lines left is as likely as any other, but for the fewest and the most.
        let mut left = 0;
        let lines = lot() % u64::from(setup.open_lines()) + 1;
        for _ in 0..lines {
            left |= 1 << (lot() % u64::from(setup.open_lines()));
        }
        let position = game.with_strings(left);
        let found = prover.value(&game, &position, &Limits::default(), &NEVER, &mut |_, _| {});
        assert_eq!(Some(found), groups.value(left).map(Score::Exact), "{}", game.write_position(&position));
    }
}

#[test]
fn tables_by_groups_and_search_agree_on_positions_by_lot() {
    compare_by_lot(Setup::empty(2, 4), 500);
    compare_by_lot(Setup { start: Start::Icelandic, penalty: 2, ..Setup::empty(3, 3) }, 500);
}

#[test]
#[ignore = "100,000 positions of each board: minutes"]
fn tables_by_groups_and_search_agree_on_100000_positions_of_every_size() {
    for (rows, cols) in [(1, 7), (2, 4), (3, 3), (1, 8), (2, 5), (3, 4)] {
        compare_by_lot(Setup::empty(rows, cols), 100_000);
    }
    for start in [Start::Icelandic, Start::Swedish] {
        compare_by_lot(Setup { start, ..Setup::empty(3, 4) }, 100_000);
    }
}

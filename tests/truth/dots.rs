//! Dots-and-Boxes against the `dnb_*` files: values and best lines of positions on every board up to 3x4, start
//! positions, penalties and Nimstring.

use std::collections::HashMap;

use grundy::game::{Game, Indexed, Scored, legal_moves};
use grundy::games::dots::{Dots, Line, Position, Setup, Start};

use crate::rows::{Row, rows};

type Board = Dots<u32>;

fn board(setup: Setup) -> Board {
    Dots::new(setup).unwrap()
}

/// The position with the lines drawn that a row's text says.
fn position(game: &Board, row: &Row) -> Position<u32> {
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
    for row in rows(file) {
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
    for row in rows("dnb_boards.tsv") {
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
    for row in rows("dnb_penalty.tsv") {
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

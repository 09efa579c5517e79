//! Outcomes of sums of groups of Clobber, against canonical forms and against the values of other programs.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use grundy_captures::ROWS;
use grundy_captures::clobber::Clobber;
use grundy_contract::{TruthRow, rows};
use grundy_core::game::{Game, MORE, Notation, Player, children, legal_moves};
use grundy_core::random::SplitMix64;
use grundy_core::value::{Score, Value};
use grundy_search::board::{BoardGame, Position};
use grundy_search::sums::{SMALL, SumSearch};
use grundy_session::{Distance, Go, NEVER, Settings, Work, at_once, quiet_work};
use grundy_sums::cgt::{Dyadic, Forms, Patience, Simple};

fn clobber(rows: usize, columns: usize) -> BoardGame {
    BoardGame::new(Clobber::new(rows, columns).unwrap())
}

fn search(megabytes: usize, small: u32) -> SumSearch<BoardGame> {
    SumSearch::new(megabytes, small).unwrap()
}

/// Reports whether the player to move wins.
fn wins(search: &mut SumSearch<BoardGame>, game: &BoardGame, position: &Position) -> bool {
    search.wins(game, position, &quiet_work(), &mut |_, _| {}).unwrap()
}

/// Reports whether the player to move wins, by the canonical form of the position.
fn wins_by_form(forms: &mut Forms<BoardGame>, game: &BoardGame, position: &Position) -> bool {
    let mut patience = Patience::new(&quiet_work());
    let form = forms.form(game, position, &mut patience).unwrap();
    let arena = forms.arena();
    let zero = arena.simple(Simple::number(Dyadic::ZERO)).unwrap();
    let lost = match position.turn {
        Player::One => arena.at_most(form, zero, &mut patience),
        Player::Two => arena.at_most(zero, form, &mut patience),
    };
    !lost.unwrap()
}

/// Compares positions with their canonical forms: where no part is replaced by its form, where few are, and as usual.
fn agree(game: &BoardGame, positions: impl IntoIterator<Item = Position>) {
    let mut searches = [0, 3, SMALL].map(|small| search(8, small));
    let mut forms = Forms::default();
    for position in positions {
        let expected = wins_by_form(&mut forms, game, &position);
        for search in &mut searches {
            assert_eq!(wins(search, game, &position), expected, "{}", game.write_position(&position));
        }
    }
}

/// Returns the positions that the start leads to.
pub fn reached(game: &BoardGame) -> HashSet<Position> {
    let mut seen = HashSet::from([game.start()]);
    let mut open = vec![game.start()];
    while let Some(position) = open.pop() {
        if game.over(&position).is_some() {
            continue;
        }
        let _ = children(game, &position, &mut |_, child, _| {
            if seen.insert(child) {
                open.push(child);
            }
            MORE
        });
    }
    seen
}

/// Returns the position in which the digit to base 3 of each cell tells its man.
fn arranged(cells: usize, mut number: usize, turn: Player) -> Position {
    let mut position = Position { turn, ..Position::EMPTY };
    for cell in 0..cells {
        if number % 3 < 2 {
            position.men[number % 3] |= 1 << cell;
        }
        number /= 3;
    }
    position
}

#[test]
fn outcomes_of_small_boards_are_those_of_the_canonical_forms() {
    for (rows, columns) in [(1, 11), (2, 5), (3, 3), (3, 4), (4, 3)] {
        let game = clobber(rows, columns);
        agree(&game, reached(&game));
    }
    for (rows, columns) in [(2, 4), (4, 2)] {
        let all = (0..3_usize.pow(8))
            .flat_map(|number| [Player::One, Player::Two].map(|turn| arranged(rows * columns, number, turn)));
        agree(&clobber(rows, columns), all);
    }
}

#[test]
fn outcomes_of_random_positions_are_those_of_the_canonical_forms() {
    let mut random = SplitMix64(16);
    for (rows, columns) in [(4, 4), (3, 6)] {
        let positions: Vec<Position> = (0..80)
            .map(|number| {
                let turn = if number % 2 == 0 { Player::One } else { Player::Two };
                arranged(rows * columns, random.below(3_usize.pow((rows * columns) as u32)), turn)
            })
            .collect();
        agree(&clobber(rows, columns), positions);
    }
}

#[test]
fn outcomes_are_those_of_another_program() {
    let is_clobber = |row: &TruthRow| row.get("game").starts_with("clobber");
    for row in rows!("positions.tsv").into_iter().filter(is_clobber) {
        let at = || format!("{} {}", row.get("game"), row.get("position"));
        let (_, size) = row.get("game").split_once(':').unwrap();
        let (rows, columns) = size.split_once('x').unwrap();
        let game = clobber(rows.parse().unwrap(), columns.parse().unwrap());
        let position = game.read_position(row.get("position")).unwrap();
        let mut search = search(32, SMALL);
        let won = row.get("value").starts_with("win");
        assert_eq!(wins(&mut search, &game, &position), won, "{}", at());
        let keep = row.words("keep", ' ');
        for m in legal_moves(&game, &position) {
            let keeps = wins(&mut search, &game, &game.play(&position, m)) != won;
            assert_eq!(keep.contains(&game.write_move(&position, m)), keeps, "{}", at());
        }
    }
}

#[test]
fn a_group_and_its_negative_cancel_without_a_search() {
    for (rows, columns, text) in [
        (5, 4, "XOXO/OXOX/..../OXOX/XOXO"),
        (5, 5, "XOXOX/OXXX./...../OXOXO/XOOO."),
        (5, 5, "XOXOX/XXXO./...../.XOOO/OXOXO"),
    ] {
        let (game, mut search) = (clobber(rows, columns), search(4, SMALL));
        for turn in 1..=2 {
            let position = game.read_position(&format!("{text} {turn}")).unwrap();
            assert!(!wins(&mut search, &game, &position), "{text} {turn}");
        }
        assert_eq!(search.nodes(), 0, "{text}");
    }
}

/// The results of `atlas.tsv`, found by alpha-beta.
#[test]
#[ignore = "a minute: cargo test --release -p grundy-captures --test all -- --ignored boards_of_25_cells"]
fn boards_of_25_cells_have_the_outcomes_of_the_atlas() {
    for (rows, columns, most) in [(4, 6, 1_800_000), (5, 5, 1_800_000)] {
        let (game, mut search) = (clobber(rows, columns), search(512, SMALL));
        assert!(!wins(&mut search, &game, &game.start()));
        assert!(search.nodes() < most, "{rows}x{columns}: {}", search.nodes());
    }
}

#[test]
fn a_small_table_is_enough_and_is_not_exceeded() {
    let game = clobber(4, 5);
    let mut nodes = Vec::new();
    for megabytes in [2, 32] {
        let mut search = search(megabytes, 5);
        assert!(wins(&mut search, &game, &game.start()));
        assert!(search.bytes() <= (megabytes as u64) << 20, "{}", search.bytes());
        nodes.push(search.nodes());
    }
    assert!(nodes[0] >= nodes[1], "{nodes:?}");
}

#[test]
fn a_search_ends_when_it_is_stopped() {
    let (game, mut search) = (clobber(5, 6), search(64, SMALL));
    assert_eq!(search.wins(&game, &game.start(), &at_once(), &mut |_, _| {}), None);
    let stop = AtomicBool::new(false);
    let work = Work { stop: &stop, ..quiet_work() };
    let mut told = 0;
    let found = search.wins(&game, &game.start(), &work, &mut |nodes, _| {
        told = nodes;
        stop.store(true, Relaxed);
    });
    assert_eq!(found, None);
    assert!(told > 0 && search.nodes() < 2 * told, "{told} {}", search.nodes());
    // What was found by then is true.
    let later = game.read_position("XOXOX./OXOX../....../.XO.../...... 1").unwrap();
    assert_eq!(wins(&mut search, &game, &later), wins_by_form(&mut Forms::default(), &game, &later));
}

#[test]
fn a_session_that_asks_who_wins_is_answered_by_outcomes_of_sums() {
    let row = ROWS.iter().find(|row| row.name == "clobber").unwrap();
    let settings = Settings { distance: Distance::First, hash_mb: 32, ..Settings::default() };
    for (name, won) in [("clobber:4x5", true), ("clobber:2x9", false)] {
        let mut session = row.open(name, &settings).unwrap();
        let mut last = None;
        session.think(&Go { alone: true, ..Go::default() }, &NEVER, &mut |info| last = Some(info));
        let info = last.unwrap();
        assert_eq!(info.score, if won { Score::AtLeast(Value::WIN) } else { Score::AtMost(Value::LOSS) });
        assert!((2..100_000).contains(&info.nodes), "{name}: {}", info.nodes);
    }
}

//! The naive interpreter against the quick one: the same moves at every position that is looked at.

use std::collections::BTreeMap;

use grundy_core::game::Game;
use grundy_core::random::SplitMix64;
use grundy_rules::game::Rules;
use grundy_rules::instructions::Op;
use grundy_rules::library;
use grundy_rules::naive::{Naive, Settled, State, Successor};
use grundy_rules::position::{Move, Position};
use grundy_rules::program::Kind;

use super::game;

type Key = (Vec<(u16, String)>, Vec<u8>, Vec<i64>, Option<u8>);

/// Returns the moves of a position by what they do and where they lead.
fn quick(rules: &Rules, position: &Position) -> BTreeMap<Key, (u32, Move)> {
    let mut census = BTreeMap::new();
    let cells = rules.program.board.cells();
    for (m, path) in rules.paths(position, usize::MAX) {
        let alone = path.len() == 1;
        let path = path
            .iter()
            .map(|&(modifier, cell)| {
                let kind = match rules.code.all[rules.code.modifiers[modifier as usize] as usize].op {
                    Op::Off(piece) => Kind::Off(piece),
                    Op::Assign(variable, value) => {
                        Kind::Assign(variable, rules.code.values[value as usize].clone())
                    }
                    Op::Switch(turn) => Kind::Switch(turn),
                    _ => Kind::Nothing,
                };
                // If the only effect is the end of the move, the cell is the current one before it.
                (if alone { 0 } else { cell }, format!("{kind:?}"))
            })
            .collect();
        let child = rules.play(position, m);
        let variables = (0..rules.program.variables.len()).map(|at| rules.variable(&child, at)).collect();
        let entry = rules.entries[usize::from(child.entry)];
        let turn = entry.at.map(|_| entry.player as u8);
        let key = (path, child.data[..cells].to_vec(), variables, turn);
        census.entry(key).or_insert((0, m)).0 += 1;
    }
    census
}

/// Returns the same by the naive interpreter, with the state after each.
fn naive(witness: &Naive, state: &State) -> BTreeMap<Key, (u32, Option<State>)> {
    let mut census = BTreeMap::new();
    for Successor { path, state } in witness.moves(state, usize::MAX).unwrap() {
        let alone = path.len() == 1;
        let path = path.into_iter().map(|(_, _, cell, what)| (if alone { 0 } else { cell }, what)).collect();
        let Settled { state, over } = witness.settle(state).unwrap();
        let open = (!over).then(|| state.clone());
        let key = (path, state.cells, state.variables, state.turn);
        census.entry(key).or_insert((0, open)).0 += 1;
    }
    census
}

/// Returns the first position at which a player is to move.
fn open_start(witness: &Naive) -> Option<State> {
    let Settled { state, over } = witness.start().unwrap();
    (!over).then_some(state)
}

/// Plays at random and compares the moves at every position.
fn compare(name: &str, rules: &Rules, games: u64, plies: usize) {
    let witness = Naive::new(&rules.program);
    for seed in 0..games {
        let mut random = SplitMix64(seed);
        let (mut position, mut state) = (rules.start(), open_start(&witness));
        for ply in 0..plies {
            let ours = quick(rules, &position);
            let Some(now) = &state else {
                assert!(ours.is_empty(), "{name}: over by the witness alone");
                break;
            };
            let theirs = naive(&witness, now);
            let counts: Vec<(&Key, u32)> = ours.iter().map(|(key, (count, _))| (key, *count)).collect();
            let others: Vec<(&Key, u32)> = theirs.iter().map(|(key, (count, _))| (key, *count)).collect();
            assert_eq!(counts, others, "{name}, game {seed}, ply {ply}");
            if ours.is_empty() {
                break;
            }
            let chosen = random.below(ours.len());
            let (key, (_, m)) = ours.iter().nth(chosen).unwrap();
            position = rules.play(&position, *m);
            state = theirs[key].1.clone();
        }
    }
}

#[test]
fn both_interpreters_see_the_same_moves() {
    for name in library::names() {
        // These have very long or very many moves.
        let (games, plies) = if ["lgame", "amazons-4x4"].contains(&name) { (1, 3) } else { (2, 30) };
        compare(name, &game(name), games, plies);
    }
}

#[test]
fn both_interpreters_count_the_same() {
    for (name, depth) in
        [("tictactoe", 3), ("three-mens-morris", 3), ("dodgem", 4), ("konane", 5), ("nim", 2)]
    {
        let rules = game(name);
        let witness = Naive::new(&rules.program);
        let start = open_start(&witness).unwrap();
        assert_eq!(witness.perft(&start, depth).unwrap(), rules.perft(&rules.start(), depth), "{name}");
    }
}

#[test]
fn both_interpreters_write_the_same_positions() {
    let mut names = library::names();
    names.retain(|&name| name != "lgame");
    std::thread::scope(|scope| {
        for half in names.chunks(names.len().div_ceil(2)) {
            scope.spawn(move || {
                for &name in half {
                    let plies = if ["quixo-4x4", "amazons-4x4"].contains(&name) { 1 } else { 3 };
                    they_write_the_same(name, plies);
                }
            });
        }
    });
}

#[test]
#[ignore = "8 s: the naive interpreter takes its time with these"]
fn both_interpreters_write_the_same_positions_of_games_with_very_many_paths() {
    they_write_the_same("lgame", 1);
    they_write_the_same("quixo-4x4", 3);
}

/// Compares all successors along a line of `plies` plies.
fn they_write_the_same(name: &str, plies: usize) {
    let settings = grundy_session::Settings::default();
    let full = format!("rules:{name}");
    let mut ours = grundy_rules::ROWS[0].open(&full, &settings).unwrap();
    let mut theirs = grundy_rules::WITNESSES[0].open(&full, &settings).unwrap();
    assert_eq!(ours.position(), theirs.position(), "{name}");
    for ply in 0..plies {
        assert_eq!(ours.over(), theirs.over(), "{name}");
        let position = ours.position();
        let mut here: Vec<_> = ours.successors(usize::MAX);
        let mut there: Vec<_> = theirs.successors(usize::MAX);
        let chosen = here.get(ply * 7 % here.len().max(1)).map(|next| next.position.clone());
        let key = |next: &grundy_session::Successor| {
            (next.position.clone(), next.step.gain, next.step.turn_passed, next.over)
        };
        here.sort_by_key(|next| next.position.clone());
        there.sort_by_key(|next| next.position.clone());
        let (here, there): (Vec<_>, Vec<_>) =
            (here.iter().map(key).collect(), there.iter().map(key).collect());
        assert_eq!(here, there, "{name}: {position}");
        let Some(chosen) = chosen else { break };
        ours.setup(Some(&chosen)).unwrap();
        theirs.setup(Some(&chosen)).unwrap();
    }
}

/// Games that try one part of the language each.
const SMALL: &[&str] = &[
    // Two occurrences are two moves; a star copies none.
    "({e} [a] + {e} [a]) ->first",
    "(right* + left*) {e} [a] ->second (right + right)* {e} [b] ->first",
    // A star whose actions change the board, bounded by a variable.
    "([$ n = n + 1] right)* {e} [a] ->second {$ n > 1} [b] ->first",
    // Checks within checks, with modifiers inside.
    "anySquare {? [a] right {! {e} [b] right {e}}} [a] ->second {! anySquare {a}} ->first",
    // Powers and copies.
    "(anySquare {e} [a])^2 ->second (right)^2 [b] ->first",
    // The keeper's loop.
    "anySquare {e} [a] ->> (anySquare {a} [b] ->>)* {! anySquare {a}} ->second anySquare {e} [a] ->first",
    // Arithmetic: + then - then * then /.
    "{$ 7 - 2 + 1 == 6} {$ 2 * 3 / 2 == 2} {$ e - a == 3} [$ n = 9 - 2 * 3] ->second [a] ->first",
    // A value out of bounds and a division by zero are no moves.
    "([$ n = n - 1] + [$ n = 5 / n] + [$ n = 11] + [$ n = 10]) ->second {$ n == 10} ->first",
];

#[test]
fn both_interpreters_agree_on_every_part_of_the_language() {
    for rules in SMALL {
        let text = format!(
            "#players = first(100), second(100) #pieces = e, a, b #variables = n(10)
             #board = rectangle(up,down,left,right,[e,e,e])
             #anySquare = (left* + right*)
             #rules = ->first ({rules})*"
        );
        let game = Rules::new(&text).unwrap_or_else(|fault| panic!("{}", fault.show(&text)));
        compare(rules, &game, 4, 8);
    }
}

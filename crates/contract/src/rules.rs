//! Checks of what every game has: rules, points, notation.

use std::collections::HashSet;
use std::ops::ControlFlow;

use grundy_core::game::{MORE, Notation, Player, Scored, each_child, legal_moves};
use grundy_core::value::Step;

use crate::samples::thorough;
use crate::subject::{Poke, Subject, some_moves};
use grundy_core::random::SplitMix64;

/// About how many children are checked for canonical positions.
const CHILDREN: usize = 40_000;

/// Checks that moves are distinct and in a fixed order, that an unfinished game has one, and that a listing can be
/// stopped early.
pub fn moves_and_turns<G: Notation + Scored>(subject: &Subject<G>) {
    let game = &subject.game;
    assert_eq!(game.over(&game.start()).is_some(), legal_moves(game, &game.start()).is_empty());
    for position in &subject.positions {
        if game.over(position).is_some() {
            continue;
        }
        let moves = legal_moves(game, position);
        let at = || subject.show(position);
        assert!(!moves.is_empty(), "unfinished without a move: {}", at());
        assert_eq!(moves, legal_moves(game, position), "order of moves: {}", at());
        let distinct: HashSet<_> = moves.iter().collect();
        assert_eq!(distinct.len(), moves.len(), "a move comes twice: {}", at());
        let mut seen = 0;
        let flow = game.moves(position, &mut |_| {
            seen += 1;
            ControlFlow::Break(())
        });
        assert!(seen == 1 && flow.is_break(), "a listing broken off goes on: {}", at());
        for m in moves {
            let child = game.play(position, m);
            assert_eq!(child, game.play(position, m), "a move has two effects: {}", at());
        }
    }
}

/// Checks that a move's gain is the increase of its mover's margin.
pub fn points_add_up<G: Notation + Scored>(subject: &Subject<G>) {
    let game = &subject.game;
    for position in &subject.positions {
        if let Some(end) = game.over(position).filter(|_| game.unit().is_points()) {
            assert!(end.margin().is_some(), "no points at the end: {}", subject.show(position));
        }
        for m in legal_moves(game, position) {
            let (before, after) = (game.score(position), game.score(&game.play(position, m)));
            let (one, two) = (after.0 - before.0, after.1 - before.1);
            let (mine, other) = if game.turn(position) == Player::One { (one, two) } else { (two, one) };
            assert_eq!(mine - other, game.gain(position, m), "points of a move: {}", subject.show(position));
        }
    }
}

/// Checks that the cells for learned evaluations are those of the written position.
pub fn cells_are_those_of_the_notation<G: Notation + Scored>(subject: &Subject<G>) {
    for position in &subject.positions {
        let (mut found, mut read) = (Vec::new(), Vec::new());
        subject.game.cells(position, &mut found);
        grundy_core::cells::read(&subject.game.write_position(position), &mut read);
        assert_eq!(found, read, "cells: {}", subject.show(position));
    }
}

/// Checks that the canonical position is an image: the same turn and score, its own canonical position, of the same
/// value, and with moves that lead to the same canonical positions.
pub fn canonical_positions_are_images<G: Notation + Scored>(subject: &Subject<G>) {
    let game = &subject.game;
    let beyond = |position: &G::Position| {
        let children = legal_moves(game, position).into_iter().map(|m| game.play(position, m));
        let mut words: Vec<String> =
            children.map(|child| game.write_position(&game.canonical(&child))).collect();
        words.sort_unstable();
        words
    };
    for position in some(subject) {
        let image = game.canonical(position);
        let at = || format!("{} as {}", subject.show(position), subject.show(&image));
        assert_eq!(game.canonical(&image), image, "not settled: {}", at());
        assert_eq!(game.turn(&image), game.turn(position), "another player moves: {}", at());
        assert_eq!(game.score(&image), game.score(position), "another score: {}", at());
        assert_eq!(game.over(&image), game.over(position), "another end: {}", at());
        // An image need not be reachable from the start.
        if let Some(value) = subject.value(&image) {
            assert_eq!(Some(value), subject.value(position), "another value: {}", at());
        }
        if image != *position {
            assert_eq!(beyond(&image), beyond(position), "other moves: {}", at());
        }
    }
}

/// Returns a sample of the positions, smaller if each has very many moves.
fn some<G: Notation + Scored>(subject: &Subject<G>) -> impl Iterator<Item = &G::Position> {
    let sample = |most: usize| subject.positions.iter().step_by((subject.positions.len() / most).max(1));
    let moves: usize = sample(100).map(|position| legal_moves(&subject.game, position).len()).sum();
    let each = moves / sample(100).count();
    sample(if thorough() { 2_000 } else { (CHILDREN / each.max(1)).clamp(100, 2_000) })
}

/// Checks the essence: it is its own essence, ends and gains as the position does, and its moves lead to the same
/// essences.
pub fn essences_keep_what_counts<G: Notation + Scored>(subject: &Subject<G>) {
    let game = &subject.game;
    let beyond = |position: &G::Position| {
        let mut words = Vec::new();
        if game.over(position).is_none() {
            let _ = each_child(game, position, &mut |_, child, Step { turn_passed, gain }| {
                words.push((game.write_position(&game.essence(child)), turn_passed, gain));
                MORE
            });
        }
        words.sort_unstable();
        words
    };
    for position in some(subject) {
        let essence = game.essence(position);
        let at = || format!("{} as {}", subject.show(position), subject.show(&essence));
        assert_eq!(game.essence(&essence), essence, "not settled: {}", at());
        assert_eq!(game.over(&essence), game.over(position), "another end: {}", at());
        if let Some(value) = subject.value(&essence) {
            assert_eq!(Some(value), subject.value(position), "another value: {}", at());
        }
        if essence != *position {
            assert_eq!(beyond(&essence), beyond(position), "other moves: {}", at());
        }
    }
}

/// Checks that `read(write(x)) == x` for positions and moves: one line a position, one word a move, no word twice.
pub fn words_are_read_back<G: Notation + Scored>(subject: &Subject<G>, standard_fen: bool) {
    let game = &subject.game;
    for (i, position) in subject.positions.iter().enumerate() {
        let text = game.write_position(position);
        assert!(!text.contains(['\n', '\r', '\t']) && !text.contains("  "), "not one line: {text:?}");
        assert_eq!(game.read_position(&text).as_ref(), Ok(position), "{text}");
        if !standard_fen {
            let (board, turn) = text.rsplit_once(' ').expect("a position ends with its turn");
            assert_eq!(turn, game.turn(position).digit(), "{text}");
            if turn == "1" {
                assert_eq!(game.read_position(board).as_ref(), Ok(position), "turn left out: {board}");
            }
        }
        // Reading a move may compare every legal move: of very many positions, a sample is read.
        if i % (subject.positions.len() / 3_000).max(1) != 0 {
            continue;
        }
        let mut words = HashSet::new();
        let moves = legal_moves(game, position);
        let stride = (moves.len() / 64).max(1);
        for (j, &m) in moves.iter().enumerate() {
            let word = game.write_move(position, m);
            assert!(!word.is_empty() && !word.contains(['=', ' ', '\t', '\n']), "not a word: {word:?}");
            if j % stride == 0 {
                assert_eq!(game.read_move(position, &word), Some(m), "{word} in {text}");
            }
            assert!(words.insert(word), "a word for two moves: {text}");
        }
        assert_eq!(game.read_move(position, "no-such-move"), None);
        assert!(!game.draw(position).is_empty());
    }
}

/// Checks that no text from outside panics: it is refused in one line, or is a position on which everything works.
pub fn garbage_is_refused_politely<G: Notation + Scored>(subject: &Subject<G>, pokes: &[Poke<G>]) {
    let game = &subject.game;
    let mut random = SplitMix64(7);
    let rounds = if thorough() { 4_000 } else { 1_000 };
    for round in 0..rounds {
        let position = &subject.positions[random.below(subject.positions.len())];
        let text = match round % 4 {
            0 => noise(&mut random, 40),
            _ => mutated(&game.write_position(position), &mut random),
        };
        match game.read_position(&text) {
            Err(why) => {
                assert!(!why.is_empty() && !why.contains('\n') && why.len() < 1_000, "{text:?}: {why:?}");
            }
            Ok(read) => {
                let written = game.write_position(&read);
                assert_eq!(
                    game.read_position(&written),
                    Ok(read.clone()),
                    "{text:?} was read as {written:?}"
                );
                game.turn(&read);
                game.score(&read);
                game.draw(&read);
                let moves = some_moves(game, &read, 50);
                assert!(game.over(&read).is_some() || !moves.is_empty(), "no move: {written}");
                for m in moves {
                    let child = game.play(&read, m);
                    pokes.iter().for_each(|poke| poke(game, &child));
                    game.over(&child);
                }
                pokes.iter().for_each(|poke| poke(game, &read));
            }
        }
        let word = match some_moves(game, position, 50).pop() {
            Some(m) if round % 4 != 0 => mutated(&game.write_move(position, m), &mut random),
            _ => noise(&mut random, 12),
        };
        if let Some(m) = game.read_move(position, &word) {
            assert!(legal_moves(game, position).contains(&m), "{word:?} is read as an illegal move");
        }
    }
    for text in
        ["", " ", "1", "0", "-", "/", "9999999999999999999999 1", &"x".repeat(100_000), &"/".repeat(70_000)]
    {
        if let Err(why) = game.read_position(text) {
            assert!(!why.is_empty() && !why.contains('\n') && why.len() < 1_000, "{why:?}");
        }
        assert_eq!(game.read_move(&game.start(), "9999999999999999999999999:99999999999999999999999"), None);
    }
}

const LETTERS: &[char] = &[
    '0', '1', '2', '3', '9', '-', '+', '/', '.', ' ', ',', ':', 'X', 'O', 'A', 'B', 'o', 'a', 'b', '*', 'é',
    '\0', '|',
];

fn noise(random: &mut SplitMix64, length: usize) -> String {
    (0..random.below(length)).map(|_| LETTERS[random.below(LETTERS.len())]).collect()
}

/// Returns the text with one to three letters changed, inserted, deleted or doubled.
fn mutated(text: &str, random: &mut SplitMix64) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(3) {
        let at = random.below(letters.len() + 1);
        let letter = LETTERS[random.below(LETTERS.len())];
        match random.below(4) {
            0 if at < letters.len() => letters[at] = letter,
            1 if at < letters.len() => drop(letters.remove(at)),
            2 if at < letters.len() => letters.insert(at, letters[at]),
            _ => letters.insert(at, letter),
        }
    }
    letters.into_iter().collect()
}

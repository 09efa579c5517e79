//! A slow, plain solver of endings with one man beside the kings, by itself: no word of it comes from the engine.

use grundy_chess::{Chess, Position};
use grundy_core::game::Notation;
use grundy_core::value::Value;
use grundy_tables::Oracle;

use super::endings::library;

type Square = (i8, i8);

/// White's king, black's king, white's man, white to move.
type Spot = (Square, Square, Square, bool);

const LINES: [Square; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONALS: [Square; 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

fn squares() -> impl Iterator<Item = Square> {
    (0..8).flat_map(|f| (0..8).map(move |r| (f, r)))
}

fn number((w, b, x, white): Spot) -> usize {
    let n = |(f, r): Square| (8 * r + f) as usize;
    ((n(w) * 64 + n(b)) * 64 + n(x)) * 2 + usize::from(white)
}

fn step(from: Square, by: Square) -> Option<Square> {
    let to = (from.0 + by.0, from.1 + by.1);
    ((0..8).contains(&to.0) && (0..8).contains(&to.1)).then_some(to)
}

fn king(from: Square) -> impl Iterator<Item = Square> {
    LINES.into_iter().chain(DIAGONALS).filter_map(move |by| step(from, by))
}

/// Returns the squares that a queen or rook can reach, including that of the first man in the way.
fn reach(man: char, from: Square, stops: [Square; 2]) -> impl Iterator<Item = Square> {
    let diagonals = if man == 'Q' { &DIAGONALS[..] } else { &[] };
    LINES.iter().chain(diagonals).flat_map(move |&by| {
        let mut at = Some(from);
        std::iter::from_fn(move || {
            at = step(at.filter(|at| !stops.contains(at))?, by);
            at
        })
    })
}

fn attacks(man: char, from: Square, stops: [Square; 2], target: Square) -> bool {
    reach(man, from, stops).any(|to| to == target)
}

fn beside(a: Square, b: Square) -> bool {
    (a.0 - b.0).abs() <= 1 && (a.1 - b.1).abs() <= 1
}

fn legal(man: char, (w, b, x, white): Spot) -> bool {
    let apart = w != x && b != x && !beside(w, b);
    apart && !(white && attacks(man, x, [w, b], b))
}

/// Returns the positions after a move; `None` for one that takes the last man.
fn children(man: char, (w, b, x, white): Spot) -> impl Iterator<Item = Option<Spot>> {
    let by_king = king(w).map(move |to| (to, b, x, false));
    let by_man = reach(man, x, [w, b]).filter(move |&to| to != w && to != b).map(move |to| (w, b, to, false));
    let of_white = by_king.chain(by_man).filter(move |&child| white && legal(man, child)).map(Some);
    let of_black = king(b).filter(move |_| !white).filter_map(move |to| {
        if to == x {
            (!beside(w, x)).then_some(None)
        } else {
            (legal(man, (w, to, x, false)) && !attacks(man, x, [w, to], to)).then_some(Some((w, to, x, true)))
        }
    });
    of_white.chain(of_black)
}

fn solve(man: char) -> Vec<Option<Value>> {
    let mut values: Vec<Option<Value>> = vec![None; 64 * 64 * 64 * 2];
    let all: Vec<Spot> = squares()
        .flat_map(|w| {
            squares().flat_map(move |b| squares().flat_map(move |x| [(w, b, x, true), (w, b, x, false)]))
        })
        .filter(|&spot| legal(man, spot))
        .collect();
    let (mut white, mut black): (Vec<Spot>, Vec<Spot>) = all.iter().partition(|spot| spot.3);
    for plies in 0.. {
        let turn = if plies % 2 == 0 { &mut black } else { &mut white };
        let mut new = Vec::new();
        turn.retain(|&spot| {
            let worth = |child: Option<Spot>| child.and_then(|child| values[number(child)]);
            let mut moves = children(man, spot).peekable();
            let decided = if plies % 2 == 1 {
                moves.any(|child| worth(child).is_some_and(|v| v < Value::DRAW))
            } else if moves.peek().is_none() {
                attacks(man, spot.2, [spot.0, spot.1], spot.1)
            } else {
                moves.all(|child| worth(child).is_some_and(|v| v > Value::DRAW))
            };
            if decided {
                new.push(number(spot));
            }
            !decided
        });
        let value = if plies % 2 == 1 { Value::win_in(plies) } else { Value::loss_in(plies) };
        if new.is_empty() && plies > 2 {
            break;
        }
        new.into_iter().for_each(|n| values[n] = Some(value));
    }
    all.into_iter().for_each(|spot| {
        values[number(spot)].get_or_insert(Value::DRAW);
    });
    values
}

/// The values of a queen or a rook alone with the kings; a knight or a bishop alone draws.
pub struct Alone {
    queen: Vec<Option<Value>>,
    rook: Vec<Option<Value>>,
}

impl Alone {
    pub fn new() -> Alone {
        Alone { queen: solve('Q'), rook: solve('R') }
    }

    /// Returns the value of a position with three men, read off its FEN.
    pub fn value(&self, position: &Position) -> Value {
        let fen = Chess::new().write_position(position);
        let (board, rest) = fen.split_once(' ').unwrap();
        let mut men = Vec::new();
        let (mut f, mut r) = (0, 7);
        for c in board.chars() {
            match c {
                '/' => (f, r) = (0, r - 1),
                '1'..='8' => f += c as i8 - '0' as i8,
                _ => {
                    men.push((c, (f, r)));
                    f += 1;
                }
            }
        }
        let at = |c: char| men.iter().find(|man| man.0 == c).map(|man| man.1);
        let (man, _) = *men.iter().find(|man| !"Kk".contains(man.0)).unwrap();
        // The side with the man is white in the tables.
        let (own, other) = if man.is_uppercase() { ('K', 'k') } else { ('k', 'K') };
        let spot = (
            at(own).unwrap(),
            at(other).unwrap(),
            at(man).unwrap(),
            rest.starts_with('w') == man.is_uppercase(),
        );
        match man.to_ascii_uppercase() {
            'Q' => self.queen[number(spot)].unwrap(),
            'R' => self.rook[number(spot)].unwrap(),
            _ => Value::DRAW,
        }
    }
}

/// Compares every `stride`-th position.
fn agrees(man: char, stride: usize) {
    let chess = Chess::new();
    let values = solve(man);
    let mut compared = 0;
    for w in squares() {
        for (b, x) in squares().flat_map(|b| squares().map(move |x| (b, x))) {
            for white in [true, false] {
                let Some(value) = values[number((w, b, x, white))] else { continue };
                compared += 1;
                if compared % stride != 0 {
                    continue;
                }
                let rows: Vec<String> = (0..8)
                    .rev()
                    .map(|r| {
                        let letter = |f| match (f, r) {
                            s if s == w => 'K',
                            s if s == b => 'k',
                            s if s == x => man,
                            _ => '1',
                        };
                        (0..8).map(letter).collect()
                    })
                    .collect();
                let fen = format!("{} {} - -", rows.join("/"), if white { "w" } else { "b" });
                let position = chess.read_position(&fen).unwrap();
                assert_eq!(library().value(&chess, &position), Some(value), "{fen}");
            }
        }
    }
    assert!(compared > 300_000);
}

#[test]
fn a_queen_alone_agrees_with_a_plain_solver() {
    agrees('Q', 7);
}

#[test]
#[ignore = "every position: 6 s"]
fn queen_and_rook_alone_agree_with_a_plain_solver_everywhere() {
    agrees('Q', 1);
    agrees('R', 1);
}

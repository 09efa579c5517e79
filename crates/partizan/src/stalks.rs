//! Hackenbush on stalks: edges that stand on each other, cut by the player of their colour.
//!
//! * A stalk is written from the ground up: `B` edges are player one's, `R` edges player two's, `G` edges either's. A
//!   move cuts an edge of one's own or a green one, and takes all above it. The player who cannot move
//!   loses.
//! * Position `RBBG,B 1`, a stalk cut down is `-`; move `1:3`: the 3rd edge of the 1st stalk.
//!
//! Solved by canonical forms. Stalks of blue and red edges are numbers by Berlekamp's rule, green ones nimbers.
//! Source: E. R. Berlekamp, J. H. Conway and R. K. Guy, "Winning Ways", 1982, chapters 1 and 7.

use grundy_core::game::{Flow, Game, MORE, Notation, Player, Scored, hash_of};
use grundy_core::sorting;
use grundy_core::value::Value;
use grundy_core::words;
use grundy_search::alpha_beta::{Bounds, Heuristic};
use grundy_sums::cgt::{Dyadic, Partizan, Simple};

/// Maximum number of stalks.
pub const STALKS: usize = 1_000;
/// Maximum number of edges of all stalks together.
pub const EDGES: usize = 5_000;

/// The rules of Hackenbush on stalks.
#[derive(Clone, Debug)]
pub struct Stalks {
    stalks: Vec<Box<[u8]>>,
}

/// The rest of the stalks, and the player to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The letters of each stalk from the ground up; empty if it is cut down.
    pub stalks: Vec<Box<[u8]>>,
    /// The player to move.
    pub turn: Player,
}

/// A cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The stalk, counted from 0.
    pub stalk: u32,
    /// The edge, counted from 0 from the ground; as many edges are left on the stalk.
    pub edge: u32,
}

/// Reports whether a player may cut an edge of this letter.
pub(crate) fn cuts(player: Player, letter: u8) -> bool {
    letter == b'G' || letter == if player == Player::One { b'B' } else { b'R' }
}

impl Stalks {
    /// Returns the game on stalks joined by commas, like `RBBG,B`.
    ///
    /// # Errors
    /// A stalk is empty or has other letters than B, R and G, or there are too many.
    pub fn new(text: &str) -> Result<Stalks, String> {
        let stalks = read(text)?;
        match stalks.iter().any(|stalk| stalk.is_empty()) {
            true => Err("a stalk has at least one edge at the start: hackenbush:RBBG,B".to_owned()),
            false => Ok(Stalks { stalks }),
        }
    }
}

/// Reads stalks joined by commas.
fn read(text: &str) -> Result<Vec<Box<[u8]>>, String> {
    let count = text.bytes().filter(|&b| b == b',').count() + 1;
    if count > STALKS || text.len() + 1 - count > EDGES {
        return Err(format!("too large: expected at most {STALKS} stalks of at most {EDGES} edges in all"));
    }
    let stalk = |word: &str| match word {
        "-" => Ok(Box::default()),
        word if !word.is_empty() && word.bytes().all(|b| matches!(b, b'B' | b'R' | b'G')) => {
            Ok(word.as_bytes().into())
        }
        word => Err(format!(
            "bad stalk {:?}: expected edges B, R and G from the ground up, or - for none",
            words::short(word)
        )),
    };
    text.split(',').map(stalk).collect()
}

impl Game for Stalks {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        Position { stalks: self.stalks.clone(), turn: Player::One }
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Value> {
        let mut edges = position.stalks.iter().flat_map(|stalk| stalk.iter());
        (!edges.any(|&letter| cuts(position.turn, letter))).then_some(Value::loss_in(0))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        for (stalk, letters) in (0..).zip(&position.stalks) {
            for (edge, &letter) in (0..).zip(letters.iter()) {
                if cuts(position.turn, letter) {
                    visit(Move { stalk, edge })?;
                }
            }
        }
        MORE
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let mut stalks = position.stalks.clone();
        let stalk = &mut stalks[m.stalk as usize];
        *stalk = stalk[..m.edge as usize].into();
        Position { stalks, turn: !position.turn }
    }

    fn canonical(&self, position: &Position) -> Position {
        let mut stalks = position.stalks.clone();
        sorting::sort_few(&mut stalks);
        Position { stalks, ..*position }
    }
}

impl Scored for Stalks {}

impl Notation for Stalks {
    fn write_position(&self, position: &Position) -> String {
        let word = |stalk: &[u8]| match stalk {
            [] => "-".to_owned(),
            letters => String::from_utf8_lossy(letters).into_owned(),
        };
        let words: Vec<String> = position.stalks.iter().map(|stalk| word(stalk)).collect();
        format!("{} {}", words.join(","), position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([stalks], turn) = words::fields(text, "the stalks joined by commas, like RBBG,B")?;
        Ok(Position { stalks: read(stalks)?, turn })
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        format!("{}:{}", m.stalk + 1, m.edge + 1)
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        let (stalk, edge) = word.split_once(':')?;
        let stalk = words::number(stalk, STALKS as u64)?.checked_sub(1)? as u32;
        let edge = words::number(edge, EDGES as u64)?.checked_sub(1)? as u32;
        let letter = *position.stalks.get(stalk as usize)?.get(edge as usize)?;
        cuts(position.turn, letter).then_some(Move { stalk, edge })
    }

    fn draw(&self, position: &Position) -> String {
        let edges =
            |stalk: &[u8]| -> String { stalk.iter().flat_map(|&letter| ['-', letter as char]).collect() };
        (1..).zip(&position.stalks).map(|(n, stalk)| format!("{n}: |{}\n", edges(stalk))).collect()
    }
}

impl Partizan for Stalks {
    /// The letters of a stalk.
    type Part = Box<[u8]>;

    fn parts(&self, position: &Position) -> Vec<Box<[u8]>> {
        position.stalks.iter().filter(|stalk| !stalk.is_empty()).cloned().collect()
    }

    fn options(&self, part: &Box<[u8]>, player: Player, visit: &mut dyn FnMut(Vec<Box<[u8]>>)) {
        for (edge, &letter) in part.iter().enumerate() {
            if cuts(player, letter) {
                visit(if edge == 0 { Vec::new() } else { vec![part[..edge].into()] });
            }
        }
    }

    fn simple(&self, part: &Box<[u8]>) -> Option<Simple> {
        let first = *part.first()?;
        let length = part.len() as i64;
        part.iter().all(|&letter| letter == first).then_some(match first {
            b'B' => Simple::number(Dyadic::whole(length)),
            b'R' => Simple::number(Dyadic::whole(-length)),
            _ => Simple::nimber(length.unsigned_abs()),
        })
    }
}

impl Heuristic for Stalks {
    fn key(&self, position: &Position) -> u64 {
        let mut stalks: Vec<&Box<[u8]>> = position.stalks.iter().filter(|stalk| !stalk.is_empty()).collect();
        sorting::sort_few(&mut stalks);
        hash_of((stalks, position.turn))
    }

    fn guess(&self, position: &Position) -> i32 {
        let count = |player| {
            let edges = position.stalks.iter().flat_map(|stalk| stalk.iter());
            edges.filter(|&&letter| cuts(player, letter)).count() as i32
        };
        100 * (count(position.turn) - count(!position.turn))
    }
}

impl Bounds for Stalks {}

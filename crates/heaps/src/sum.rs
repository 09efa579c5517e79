//! Sums: games side by side; a move is a move in one of them.
//!
//! * A move is a move in one of the games. A player who cannot move in any loses.
//! * Position `3,5+7+..X.X 1`: the games' positions without their turns, joined by `+`. Move `2/1:2`: in the 2nd game,
//!   counted from 1, the move `1:2`.
//!
//! Solved by Sprague and Grundy: the exclusive or of the games' Grundy numbers decides. Other families contribute games
//! in which the player who cannot move loses: impartial ones, loopy ones included, by their Grundy numbers,
//! and partizan ones, whose canonical forms are then added. In misere play a player who cannot move in any game wins:
//! small sums are solved by searching all positions, others by the misere quotient of their components if that is
//! small.

use std::fmt;
use std::sync::Arc;

use grundy_core::game::{Flow, Game, MORE, Notation, Player, Scored, cannot_move};
use grundy_core::value::Value;
use grundy_core::words;
use grundy_session::Work;
use grundy_sums::disjunctive::{Disjunctive, Summand};
use grundy_sums::formula::Formula;
use grundy_sums::sum::Sum;

use crate::heap_game::{self, HeapGame};
use crate::summand::Other;

/// Maximum number of games in a sum.
pub const GAMES: usize = 100;
/// Maximum number of moves of a position in a sum: all of them are listed to find the best.
pub const MOVES: usize = 2_000_000;

/// A game of a sum.
#[derive(Clone, Debug)]
pub enum Member {
    /// A game of this family.
    Heaps(HeapGame),
    /// A game whose types are erased: one of another family, or Chomp.
    Other(Other),
}

/// A position of a game of a sum, without the turn.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// A position of a game of this family, player one to move.
    Heaps(heap_game::Position),
    /// The board of another game as it writes it.
    Board(Arc<str>),
}

impl From<HeapGame> for Member {
    fn from(game: HeapGame) -> Member {
        Member::Heaps(game)
    }
}

impl From<Other> for Member {
    fn from(game: Other) -> Member {
        Member::Other(game)
    }
}

// Mismatched variants are ignored: a sum never mixes them.
impl Member {
    fn start(&self) -> State {
        match self {
            Member::Heaps(game) => State::Heaps(game.start()),
            Member::Other(game) => State::Board(game.component().start()),
        }
    }

    fn normal_play(&self) -> bool {
        match self {
            Member::Heaps(game) => game.normal_play(),
            Member::Other(_) => true,
        }
    }

    /// Visits the moves of a player, none if the game is over. A move of another family is an index.
    fn moves(&self, state: &State, turn: Player, visit: &mut dyn FnMut(heap_game::Move) -> Flow) -> Flow {
        match (self, state) {
            (Member::Heaps(game), State::Heaps(state)) if game.over(state).is_none() => {
                game.moves(state, &mut |m| visit(m))
            }
            (Member::Other(game), State::Board(board)) => {
                let count = game.component().steps(board, turn).len() as u32;
                (0..count).try_for_each(|index| visit(heap_game::Move::new(index, 0)))
            }
            _ => MORE,
        }
    }

    fn play(&self, state: &State, turn: Player, m: heap_game::Move) -> State {
        match (self, state) {
            (Member::Heaps(game), State::Heaps(state)) => {
                State::Heaps(heap_game::Position { turn: Player::One, ..game.play(state, m) })
            }
            (Member::Other(game), State::Board(board)) => {
                let mut steps = game.component().steps(board, turn);
                State::Board(if m.at() < steps.len() {
                    steps.swap_remove(m.at()).board
                } else {
                    board.clone()
                })
            }
            _ => state.clone(),
        }
    }

    /// Returns the text of a state without the turn.
    fn write(&self, state: &State) -> String {
        match (self, state) {
            (Member::Heaps(game), State::Heaps(state)) => {
                let text = game.write_position(state);
                text.split_once(' ').map_or(text.as_str(), |(heaps, _)| heaps).to_owned()
            }
            (_, State::Board(board)) => board.to_string(),
            _ => String::new(),
        }
    }

    fn read(&self, text: &str) -> Result<State, String> {
        match self {
            Member::Heaps(game) => game.read_position(text).map(State::Heaps),
            Member::Other(game) => {
                let ([board], _) = words::fields(text, "a board")?;
                game.component().read(board).map(State::Board)
            }
        }
    }

    fn write_move(&self, state: &State, turn: Player, m: heap_game::Move) -> String {
        match (self, state) {
            (Member::Heaps(game), State::Heaps(state)) => game.write_move(state, m),
            (Member::Other(game), State::Board(board)) => {
                let mut steps = game.component().steps(board, turn);
                if m.at() < steps.len() { steps.swap_remove(m.at()).word } else { String::new() }
            }
            _ => String::new(),
        }
    }

    fn read_move(&self, state: &State, turn: Player, word: &str) -> Option<heap_game::Move> {
        match (self, state) {
            (Member::Heaps(game), State::Heaps(state)) if game.over(state).is_none() => {
                game.read_move(state, word)
            }
            (Member::Other(game), State::Board(board)) => {
                Some(heap_game::Move::new(game.component().find(board, turn, word)?, 0))
            }
            _ => None,
        }
    }

    fn draw(&self, state: &State) -> String {
        match (self, state) {
            (Member::Heaps(game), State::Heaps(state)) => game.draw(state),
            (Member::Other(game), State::Board(board)) => game.component().draw(board),
            _ => String::new(),
        }
    }

    /// Returns the parts of a game of this family; other games have none.
    fn parts(&self, state: &State) -> Vec<Vec<u64>> {
        match (self, state) {
            (Member::Heaps(game), State::Heaps(state)) => game.parts(state),
            _ => Vec::new(),
        }
    }

    /// Returns the Grundy number of a part if the game's formula gives it.
    fn grundy_of(&self, part: &Vec<u64>, work: &Work<'_>) -> Option<u64> {
        let Member::Heaps(game) = self else { return None };
        let by_formula = game.grundy(&heap_game::Position::new(part.clone()));
        by_formula.or_else(|| game.grundy_of(part, work))
    }
}

/// The games that are played side by side.
#[derive(Clone, Debug)]
pub struct SideBySide {
    members: Vec<Member>,
    /// The Grundy numbers of each game's heaps, if its sequence has a period.
    numbers: Vec<Option<Numbers>>,
    /// `true` if a player who cannot move in any game wins.
    misere: bool,
}

/// Computes the Grundy number of a heap; `None` if the work ends first.
type OfHeap = dyn Fn(u64, &Work<'_>) -> Option<u64> + Send + Sync;

/// The Grundy numbers of a game's heaps.
#[derive(Clone)]
pub struct Numbers(Arc<OfHeap>);

impl Numbers {
    /// Wraps a function from a heap to its Grundy number.
    pub fn new(of_heap: impl Fn(u64, &Work<'_>) -> Option<u64> + Send + Sync + 'static) -> Numbers {
        Numbers(Arc::new(of_heap))
    }
}

impl fmt::Debug for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("numbers by heap")
    }
}

/// The games' positions and the player to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The position of each game.
    pub states: Vec<State>,
    /// The player to move.
    pub turn: Player,
}

/// A move in one of the games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The game, counted from 0.
    pub member: u32,
    /// The move in it.
    pub m: heap_game::Move,
}

impl SideBySide {
    /// Returns the sum of these games.
    ///
    /// # Errors
    /// There are none or too many, one of them is misere, or there are too many moves.
    pub fn new(members: Vec<Member>) -> Result<SideBySide, String> {
        if members.is_empty() || members.len() > GAMES {
            return Err(format!("a sum has 1 to {GAMES} games joined by +: sum:nim:3,5+heaps:kayles:7"));
        }
        if members.iter().any(|member| !member.normal_play()) {
            let expected = "leave `misere` out of its games; +misere at its end is for all of them";
            return Err(format!("a sum has only games in which who cannot move loses: {expected}"));
        }
        let game = SideBySide { numbers: vec![None; members.len()], members, misere: false };
        game.check(&game.start())?;
        Ok(game)
    }

    /// Returns the same sum with the Grundy numbers of some games' heaps.
    #[must_use]
    pub fn with_numbers(self, numbers: Vec<Option<Numbers>>) -> SideBySide {
        SideBySide { numbers, ..self }
    }

    /// Returns the same games in misere play: a player who cannot move in any of them wins.
    ///
    /// # Errors
    /// One of them is of another family, or Chomp.
    pub fn misere(self) -> Result<SideBySide, String> {
        match self.is_plain() {
            true => Ok(SideBySide { misere: true, ..self }),
            false => Err("a misere sum has games of heaps, coins and strips only".to_owned()),
        }
    }

    /// Reports whether all games are of this family and not Chomp, so that every part of them has a Grundy number.
    pub fn is_plain(&self) -> bool {
        !self.members.iter().any(|member| matches!(member, Member::Other(_)))
    }

    fn check(&self, position: &Position) -> Result<(), String> {
        let mut count = 0;
        let _ = self.moves(position, &mut |_| {
            count += 1;
            if count <= MOVES { MORE } else { Flow::Break(()) }
        });
        if count <= MOVES { Ok(()) } else { Err(format!("a sum has at most {MOVES} moves in a position")) }
    }
}

impl Game for SideBySide {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        Position { states: self.members.iter().map(Member::start).collect(), turn: Player::One }
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Value> {
        let over = self.moves(position, &mut |_| Flow::Break(())).is_continue();
        over.then_some(cannot_move(self.misere))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        for (i, (member, state)) in (0..).zip(self.members.iter().zip(&position.states)) {
            member.moves(state, position.turn, &mut |m| visit(Move { member: i, m }))?;
        }
        MORE
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let mut states = position.states.clone();
        let i = m.member as usize;
        states[i] = self.members[i].play(&states[i], position.turn, m.m);
        Position { states, turn: !position.turn }
    }

    /// Ignores the turn if all games are impartial.
    fn essence(&self, position: &Position) -> Position {
        let impartial = |member: &Member| match member {
            Member::Heaps(_) => true,
            Member::Other(other) => other.component().is_impartial(),
        };
        let turn = if self.members.iter().all(impartial) { Player::One } else { position.turn };
        Position { turn, ..position.clone() }
    }
}

impl Scored for SideBySide {}

impl Notation for SideBySide {
    fn write_position(&self, position: &Position) -> String {
        let states = self.members.iter().zip(&position.states);
        let words: Vec<String> = states.map(|(member, state)| member.write(state)).collect();
        format!("{} {}", words.join("+"), position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([states], turn) = words::fields(text, "the games' positions joined by +, like 3,5+7")?;
        let words: Vec<&str> = states.split('+').take(GAMES + 1).collect();
        if words.len() != self.members.len() {
            return Err(format!("expected the positions of {} games joined by +", self.members.len()));
        }
        let games = self.members.iter().zip(words);
        let states = games.map(|(member, word)| member.read(word)).collect::<Result<_, _>>()?;
        let position = Position { states, turn };
        self.check(&position)?;
        Ok(position)
    }

    fn write_move(&self, position: &Position, m: Move) -> String {
        let i = m.member as usize;
        format!("{}/{}", i + 1, self.members[i].write_move(&position.states[i], position.turn, m.m))
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        let (game, word) = word.split_once('/')?;
        let i = words::number(game, GAMES as u64)?.checked_sub(1)? as usize;
        let m = self.members.get(i)?.read_move(position.states.get(i)?, position.turn, word)?;
        Some(Move { member: i as u32, m })
    }

    fn draw(&self, position: &Position) -> String {
        let games = (1..).zip(self.members.iter().zip(&position.states));
        games.map(|(i, (member, state))| format!("game {i}\n{}\n", member.draw(state).trim_end())).collect()
    }
}

impl Sum for SideBySide {
    /// The game, counted from 0, and a component of it.
    type Part = (usize, Vec<u64>);

    fn normal_play(&self) -> bool {
        !self.misere
    }

    fn parts(&self, position: &Position) -> Vec<(usize, Vec<u64>)> {
        let games = self.members.iter().zip(&position.states).enumerate();
        games
            .flat_map(|(i, (member, state))| member.parts(state).into_iter().map(move |part| (i, part)))
            .collect()
    }

    fn options(&self, (i, part): &Self::Part, visit: &mut dyn FnMut(&[Self::Part]) -> Flow) -> Flow {
        let Member::Heaps(game) = &self.members[*i] else { return MORE };
        game.options(part, &mut |option| {
            let parts: Vec<Self::Part> = option.iter().map(|part| (*i, part.clone())).collect();
            visit(&parts)
        })
    }

    fn grundy_of(&self, (i, part): &Self::Part, work: &Work<'_>) -> Option<u64> {
        let by_period = || (self.numbers.get(*i)?.as_ref()?.0)(*part.first()?, work);
        self.members[*i].grundy_of(part, work).or_else(by_period)
    }
}

impl Disjunctive for SideBySide {
    fn summands<'a>(&'a self, position: &'a Position) -> Vec<Summand<'a, Self::Part>> {
        let games = self.members.iter().zip(&position.states).enumerate();
        games
            .map(|(i, (member, state))| match (member, state) {
                (Member::Other(game), State::Board(board)) => Summand::Component(game.component(), board),
                _ => Summand::Parts(member.parts(state).into_iter().map(|part| (i, part)).collect()),
            })
            .collect()
    }
}

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

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::coins::CoinTurning;
use crate::fibonacci::FibonacciNim;
use crate::heaps::Heaps;
use crate::moore::MooreNim;
use crate::nim::Nim;
use crate::nimble::Nimble;
use crate::silver::SilverDollar;
use crate::staircase::Staircase;
use crate::stones::Stones;
use crate::subtract::Subtract;
use crate::summand::Other;
use crate::wythoff::Wythoff;
use grundy_core::game::{Flow, Game, MORE, Notation, Player, Scored, cannot_move};
use grundy_core::value::Value;
use grundy_core::words;
use grundy_session::Work;
use grundy_sums::disjunctive::{Disjunctive, Summand};
use grundy_sums::sum::Sum;

/// Maximum number of games in a sum.
pub const GAMES: usize = 100;
/// Maximum number of moves of a position in a sum: all of them are listed to find the best.
pub const MOVES: usize = 2_000_000;

/// Games that can be part of a sum: one variant each of the game, its positions, its moves and its components.
macro_rules! members {
    ($($name:ident),*) => {
        /// A game of a sum.
        #[derive(Clone, Debug)]
        #[allow(missing_docs)] // Each variant is the game of its name.
        pub enum Member { $($name($name)),* }

        /// A position of a game of a sum, player one to move.
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum State { $($name(<$name as Game>::Position)),* }

        /// A move of a game of a sum.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum MemberMove { $($name(<$name as Game>::Move)),* }

        /// A component of a game of a sum.
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs)]
        pub enum MemberPart { $($name(<$name as Sum>::Part)),* }

        $(impl From<$name> for Member {
            fn from(game: $name) -> Member {
                Member::$name(game)
            }
        })*

        // Mismatched variants are ignored: a sum never mixes them.
        impl Member {
            fn start(&self) -> State {
                match self {
                    $(Member::$name(game) => {
                        let mut state = game.start();
                        state.turn = Player::One;
                        State::$name(state)
                    })*
                }
            }

            fn normal_play(&self) -> bool {
                match self {
                    $(Member::$name(game) => game.normal_play(),)*
                }
            }

            /// Returns the same state with this player to move.
            fn turned(&self, state: &State, turn: Player) -> State {
                match (self, state) {
                    $((Member::$name(_), State::$name(state)) => {
                        let mut state = state.clone();
                        state.turn = turn;
                        State::$name(state)
                    })*
                    _ => state.clone(),
                }
            }

            fn over(&self, state: &State) -> bool {
                match (self, state) {
                    $((Member::$name(game), State::$name(state)) => game.over(state).is_some(),)*
                    _ => true,
                }
            }

            fn moves(&self, state: &State, visit: &mut impl FnMut(MemberMove) -> Flow) -> Flow {
                match (self, state) {
                    $((Member::$name(game), State::$name(state)) => {
                        if game.over(state).is_some() {
                            return MORE;
                        }
                        game.moves(state, &mut |m| visit(MemberMove::$name(m)))
                    })*
                    _ => MORE,
                }
            }

            fn play(&self, state: &State, m: MemberMove) -> State {
                match (self, state, m) {
                    $((Member::$name(game), State::$name(state), MemberMove::$name(m)) => {
                        let mut state = game.play(state, m);
                        state.turn = Player::One;
                        State::$name(state)
                    })*
                    _ => state.clone(),
                }
            }

            fn write(&self, state: &State) -> String {
                match (self, state) {
                    $((Member::$name(game), State::$name(state)) => game.write_position(state),)*
                    _ => String::new(),
                }
            }

            fn read(&self, text: &str) -> Result<State, String> {
                match self {
                    $(Member::$name(game) => game.read_position(text).map(State::$name),)*
                }
            }

            fn write_move(&self, state: &State, m: MemberMove) -> String {
                match (self, state, m) {
                    $((Member::$name(game), State::$name(state), MemberMove::$name(m)) => {
                        game.write_move(state, m)
                    })*
                    _ => String::new(),
                }
            }

            fn read_move(&self, state: &State, word: &str) -> Option<MemberMove> {
                match (self, state) {
                    $((Member::$name(game), State::$name(state)) => {
                        if game.over(state).is_some() {
                            return None;
                        }
                        game.read_move(state, word).map(MemberMove::$name)
                    })*
                    _ => None,
                }
            }

            fn draw(&self, state: &State) -> String {
                match (self, state) {
                    $((Member::$name(game), State::$name(state)) => game.draw(state),)*
                    _ => String::new(),
                }
            }

            fn parts(&self, state: &State) -> Vec<MemberPart> {
                match (self, state) {
                    $((Member::$name(game), State::$name(state)) => {
                        game.parts(state).into_iter().map(MemberPart::$name).collect()
                    })*
                    _ => Vec::new(),
                }
            }

            fn options(&self, part: &MemberPart, visit: &mut dyn FnMut(Vec<MemberPart>) -> Flow) -> Flow {
                match (self, part) {
                    $((Member::$name(game), MemberPart::$name(part)) => game.options(part, &mut |option| {
                        visit(option.iter().cloned().map(MemberPart::$name).collect())
                    }),)*
                    _ => MORE,
                }
            }
        }
    };
}

members!(
    Nim,
    Subtract,
    Stones,
    Heaps,
    Wythoff,
    FibonacciNim,
    MooreNim,
    Staircase,
    SilverDollar,
    Nimble,
    CoinTurning,
    Other
);

impl Member {
    /// Returns the state with `turn` to move: only games of other families depend on it.
    fn seen<'a>(&self, state: &'a State, turn: Player) -> Cow<'a, State> {
        match (self, turn) {
            (Member::Other(_), Player::Two) => Cow::Owned(self.turned(state, turn)),
            _ => Cow::Borrowed(state),
        }
    }

    /// Returns the Grundy number of a component if the game's formula gives it.
    fn grundy_of(&self, part: &MemberPart, work: &Work<'_>) -> Option<u64> {
        match (self, part) {
            (Member::Nim(game), &MemberPart::Nim(heap)) => Some(game.rest(heap)),
            (Member::Subtract(game), MemberPart::Subtract(heap)) => game.grundy_of(heap, work),
            (Member::Heaps(game), MemberPart::Heaps(heap)) => game.grundy_of(heap, work),
            (Member::Stones(_), MemberPart::Stones(stones)) => Some(u64::from(Stones::number(stones))),
            (Member::Staircase(game), MemberPart::Staircase(steps)) => Some(game.number(steps)),
            (Member::SilverDollar(game), MemberPart::SilverDollar(strip)) => game.grundy_number(strip),
            (Member::Nimble(_), MemberPart::Nimble(square)) => Some(square - 1),
            (Member::CoinTurning(game), MemberPart::CoinTurning(heads)) => {
                Some(u64::from(game.number(heads)))
            }
            _ => None,
        }
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
    pub m: MemberMove,
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
    /// One of them is of another family.
    pub fn misere(self) -> Result<SideBySide, String> {
        match self.is_plain() {
            true => Ok(SideBySide { misere: true, ..self }),
            false => Err("a misere sum has games of heaps, coins and strips only".to_owned()),
        }
    }

    /// Reports whether all games are of this family, so that every part of them has a Grundy number.
    pub fn is_plain(&self) -> bool {
        !self.members.iter().any(|member| matches!(member, Member::Other(_)))
    }

    /// Returns the state of a game as the player to move sees it.
    fn seen<'a>(&self, position: &'a Position, game: usize) -> Cow<'a, State> {
        self.members[game].seen(&position.states[game], position.turn)
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
        let mut games = self.members.iter().zip(&position.states);
        let over = |(member, state): (&Member, &State)| member.over(&member.seen(state, position.turn));
        games.all(over).then_some(cannot_move(self.misere))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        for (i, (member, state)) in (0..).zip(self.members.iter().zip(&position.states)) {
            member.moves(&member.seen(state, position.turn), &mut |m| visit(Move { member: i, m }))?;
        }
        MORE
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let mut states = position.states.clone();
        let i = m.member as usize;
        states[i] = self.members[i].play(&self.members[i].seen(&states[i], position.turn), m.m);
        Position { states, turn: !position.turn }
    }

    /// Ignores the turn if all games are impartial.
    fn essence(&self, position: &Position) -> Position {
        let turn = if self.is_plain() { Player::One } else { position.turn };
        Position { turn, ..position.clone() }
    }
}

impl Scored for SideBySide {}

impl Notation for SideBySide {
    fn write_position(&self, position: &Position) -> String {
        let states = self.members.iter().zip(&position.states);
        let words: Vec<String> = states
            .map(|(member, state)| {
                let text = member.write(state);
                text.split_once(' ').map_or(text.as_str(), |(state, _)| state).to_owned()
            })
            .collect();
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
        format!("{}/{}", i + 1, self.members[i].write_move(&self.seen(position, i), m.m))
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        let (game, word) = word.split_once('/')?;
        let i = words::number(game, GAMES as u64)?.checked_sub(1)? as usize;
        let m = self.members.get(i)?.read_move(&self.seen(position, i), word)?;
        Some(Move { member: i as u32, m })
    }

    fn draw(&self, position: &Position) -> String {
        let games = (1..).zip(self.members.iter().zip(&position.states));
        games.map(|(i, (member, state))| format!("game {i}\n{}\n", member.draw(state).trim_end())).collect()
    }
}

impl Sum for SideBySide {
    /// The game, counted from 0, and a component of it.
    type Part = (usize, MemberPart);

    fn normal_play(&self) -> bool {
        !self.misere
    }

    fn parts(&self, position: &Position) -> Vec<(usize, MemberPart)> {
        let games = self.members.iter().zip(&position.states).enumerate();
        games
            .flat_map(|(i, (member, state))| member.parts(state).into_iter().map(move |part| (i, part)))
            .collect()
    }

    fn options(&self, (i, part): &(usize, MemberPart), visit: &mut dyn FnMut(&[Self::Part]) -> Flow) -> Flow {
        self.members[*i].options(part, &mut |option| {
            let parts: Vec<Self::Part> = option.into_iter().map(|part| (*i, part)).collect();
            visit(&parts)
        })
    }

    fn grundy_of(&self, (i, part): &(usize, MemberPart), work: &Work<'_>) -> Option<u64> {
        let heap = match part {
            MemberPart::Heaps(heap) | MemberPart::Subtract(heap) => Some(*heap),
            _ => None,
        };
        let by_period = || (self.numbers.get(*i)?.as_ref()?.0)(heap?, work);
        self.members[*i].grundy_of(part, work).or_else(by_period)
    }
}

impl Disjunctive for SideBySide {
    fn summands<'a>(&'a self, position: &'a Position) -> Vec<Summand<'a, Self::Part>> {
        let games = self.members.iter().zip(&position.states).enumerate();
        games
            .map(|(i, (member, state))| match (member, state) {
                (Member::Other(game), State::Other(state)) => {
                    Summand::Component(game.component(), &state.board)
                }
                _ => Summand::Parts(member.parts(state).into_iter().map(|part| (i, part)).collect()),
            })
            .collect()
    }
}

//! Chopsticks: two hands each, with fingers that are tapped on and shared anew.
//!
//! * Each starts with a finger on either hand. `1x2`: a hand of 1 taps a hand of 2 of the other player, which then has 3; a
//!   hand of as many as `fingers` (5) or more is dead and has 0. With `rollover` it has the sum modulo `fingers`.
//! * `1+3`: a transfer shares one's own fingers anew. Both hands have at least one finger then, none is dead, and the hands
//!   differ from those before, whatever their order. `none`: no transfers; `half`: only a hand beside a dead one, in two
//!   halves; `pass`: the hands may be those before; `full`: a hand may be empty; `all`: both.
//! * A player who has no finger on his turn has lost; play without end is a draw.
//! * Position `1,1/1,1 1`: the hands of player one, then of player two, the smaller first.
//!
//! Solved by retrograde analysis of all pairs of hands.

use grundy_core::game::{Flow, Game, Indexed, Notation, Player, Scored};
use grundy_core::value::Value;
use grundy_core::words;

/// Which transfers are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transfers {
    /// None.
    None,
    /// A single even hand in two halves.
    Half,
    /// Both hands have a finger and differ from before.
    Other,
    /// Both hands have a finger, or are those before.
    Pass,
    /// The hands differ from before.
    Full,
    /// Any.
    All,
}

/// The rules with their parameters.
#[derive(Clone, Debug)]
pub struct Chopsticks {
    fingers: u8,
    rollover: bool,
    transfers: Transfers,
}

/// The hands of both players, the smaller first, and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    hands: [[u8; 2]; 2],
    turn: Player,
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A hand of the first number taps one of the second.
    Tap(u8, u8),
    /// The own hands become these, the smaller first.
    Share(u8, u8),
}

impl Chopsticks {
    /// Largest number of fingers at which a hand is dead.
    pub const MOST: usize = 20;

    /// Returns the game in which a hand of `fingers` fingers is dead, or with `rollover` counts modulo `fingers`.
    pub fn new(fingers: u8, rollover: bool, transfers: Transfers) -> Chopsticks {
        Chopsticks { fingers, rollover, transfers }
    }

    /// Returns the number of pairs of hands.
    fn pairs(&self) -> u64 {
        let fingers = u64::from(self.fingers);
        fingers * (fingers + 1) / 2
    }

    /// Visits what the player to move may share his fingers into.
    fn each_share(&self, [low, high]: [u8; 2], visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        let sum = low + high;
        let (same, empty) = match self.transfers {
            Transfers::None => return Flow::Continue(()),
            Transfers::Half => {
                let lone = low == 0 && high > 0 && high.is_multiple_of(2);
                return if lone { visit(Move::Share(high / 2, high / 2)) } else { Flow::Continue(()) };
            }
            Transfers::Other => (false, false),
            Transfers::Pass => (true, false),
            Transfers::Full => (false, true),
            Transfers::All => (true, true),
        };
        for small in 0..=sum / 2 {
            let allowed = if small == low { same } else { small > 0 || empty };
            if allowed && sum - small < self.fingers {
                visit(Move::Share(small, sum - small))?;
            }
        }
        Flow::Continue(())
    }
}

fn sorted([one, other]: [u8; 2]) -> [u8; 2] {
    [one.min(other), one.max(other)]
}

impl Game for Chopsticks {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        Position { hands: [[1, 1]; 2], turn: Player::One }
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Value> {
        (position.hands[position.turn.index()] == [0, 0]).then_some(Value::loss_in(0))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        let mover = position.turn.index();
        let distinct = |[low, high]: [u8; 2]| {
            let second = if low == high { None } else { Some(high) };
            [Some(low), second].into_iter().flatten().filter(|&hand| hand > 0)
        };
        for own in distinct(position.hands[mover]) {
            for other in distinct(position.hands[1 - mover]) {
                visit(Move::Tap(own, other))?;
            }
        }
        self.each_share(position.hands[mover], visit)
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let mut next = Position { turn: !position.turn, ..*position };
        let mover = position.turn.index();
        match m {
            Move::Tap(own, other) => {
                let hands = &mut next.hands[1 - mover];
                let place = usize::from(hands[0] != other);
                hands[place] = match own + other {
                    sum if sum < self.fingers => sum,
                    sum if self.rollover => sum - self.fingers,
                    _ => 0,
                };
                *hands = sorted(*hands);
            }
            Move::Share(low, high) => next.hands[mover] = [low, high],
        }
        next
    }
}

impl Scored for Chopsticks {}

impl Notation for Chopsticks {
    fn write_position(&self, position: &Position) -> String {
        let [[a, b], [c, d]] = position.hands;
        format!("{a},{b}/{c},{d} {}", position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let expected = "the hands of both players, as 1,1/1,2,";
        let ([hands], turn) = words::fields(text, expected)?;
        let (one, two) = hands.split_once('/').ok_or_else(|| format!("expected {expected}"))?;
        let mut position = Position { hands: [[0; 2]; 2], turn };
        for (side, text) in [one, two].into_iter().enumerate() {
            let list = words::list(text, "hands", u64::from(self.fingers) - 1, 2)?;
            let [a, b] = list.try_into().map_err(|_| format!("expected {expected}"))?;
            position.hands[side] = sorted([a as u8, b as u8]);
        }
        match position.hands[1 - turn.index()] {
            [0, 0] => Err(format!("player {} has no finger and is not to move", (!turn).digit())),
            _ => Ok(position),
        }
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        match m {
            Move::Tap(own, other) => format!("{own}x{other}"),
            Move::Share(low, high) => format!("{low}+{high}"),
        }
    }
}

impl Indexed for Chopsticks {
    fn size(&self) -> u64 {
        2 * self.pairs() * self.pairs()
    }

    fn index(&self, position: &Position) -> u64 {
        let pair = |[low, high]: [u8; 2]| u64::from(high) * (u64::from(high) + 1) / 2 + u64::from(low);
        let [one, two] = position.hands.map(pair);
        2 * (one * self.pairs() + two) + position.turn.index() as u64
    }

    fn position(&self, index: u64) -> Option<Position> {
        let turn = if index.is_multiple_of(2) { Player::One } else { Player::Two };
        let pair = |number: u64| {
            let high = (0..u64::from(self.fingers)).rev().find(|high| high * (high + 1) / 2 <= number)?;
            Some([(number - high * (high + 1) / 2) as u8, high as u8])
        };
        let both = (index < self.size()).then_some(index / 2)?;
        let hands = [pair(both / self.pairs())?, pair(both % self.pairs())?];
        (hands[1 - turn.index()] != [0, 0]).then_some(Position { hands, turn })
    }
}

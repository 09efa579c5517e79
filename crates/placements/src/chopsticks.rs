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

use grundy_core::game::{Flow, Player};
use grundy_core::value::Value;
use grundy_core::words;
use grundy_search::board::{BoardRules, Indices, Layout, Move, Position};

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

/// [`Move::more`] of a transfer; a tap has 0.
const SHARE: u64 = 1;

/// The rules with their parameters. The rest of a position is a byte for each hand, player one's first, the smaller first. A
/// tap is a move from one's own hand to the other player's, a transfer one from the smaller of the new hands to the larger.
#[derive(Clone, Debug)]
pub struct Chopsticks {
    fingers: u8,
    rollover: bool,
    transfers: Transfers,
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
    fn each_share(&self, [low, high]: [u8; 2], visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        let share = |[low, high]: [u8; 2]| Move(Move::of(low.into(), high.into()).0 | SHARE << 12);
        let sum = low + high;
        let (same, empty) = match self.transfers {
            Transfers::None => return Flow::Continue(()),
            Transfers::Half => {
                let lone = low == 0 && high > 0 && high.is_multiple_of(2);
                return if lone { visit(share([high / 2; 2])) } else { Flow::Continue(()) };
            }
            Transfers::Other => (false, false),
            Transfers::Pass => (true, false),
            Transfers::Full => (false, true),
            Transfers::All => (true, true),
        };
        for small in 0..=sum / 2 {
            let allowed = if small == low { same } else { small > 0 || empty };
            if allowed && sum - small < self.fingers {
                visit(share([small, sum - small]))?;
            }
        }
        Flow::Continue(())
    }
}

fn sorted([one, other]: [u8; 2]) -> [u8; 2] {
    [one.min(other), one.max(other)]
}

/// Returns the hands of both players.
fn hands(position: &Position) -> [[u8; 2]; 2] {
    let [a, b, c, d, ..] = position.rest.to_le_bytes();
    [[a, b], [c, d]]
}

/// Returns the position with these hands.
fn holding([[a, b], [c, d]]: [[u8; 2]; 2], turn: Player) -> Position {
    Position { rest: u32::from_le_bytes([a, b, c, d]).into(), turn, ..Position::EMPTY }
}

impl BoardRules for Chopsticks {
    fn layout(&self) -> Layout {
        Layout { cells: 0, rest: 32, stage: 0 }
    }

    fn cyclic(&self) -> bool {
        true
    }

    fn start(&self) -> Position {
        holding([[1, 1]; 2], Player::One)
    }

    fn over(&self, position: &Position) -> Option<Value> {
        (hands(position)[position.turn.index()] == [0, 0]).then_some(Value::loss_in(0))
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        let (hands, mover) = (hands(position), position.turn.index());
        let distinct = |[low, high]: [u8; 2]| {
            let second = if low == high { None } else { Some(high) };
            [Some(low), second].into_iter().flatten().filter(|&hand| hand > 0)
        };
        for own in distinct(hands[mover]) {
            for other in distinct(hands[1 - mover]) {
                visit(Move::of(own.into(), other.into()))?;
            }
        }
        self.each_share(hands[mover], visit)
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let (mut hands, mover) = (hands(position), position.turn.index());
        let (from, to) = (m.from() as u8, m.to() as u8);
        if m.more() == SHARE {
            hands[mover] = [from, to];
        } else {
            let other = &mut hands[1 - mover];
            let place = usize::from(other[0] != to);
            other[place] = match from + to {
                sum if sum < self.fingers => sum,
                sum if self.rollover => sum - self.fingers,
                _ => 0,
            };
            *other = sorted(*other);
        }
        holding(hands, !position.turn)
    }

    fn draw(&self, position: &Position) -> String {
        let [[a, b], [c, d]] = hands(position);
        format!("player 1: {a} {b}\nplayer 2: {c} {d}")
    }

    fn write_position(&self, position: &Position) -> String {
        let [[a, b], [c, d]] = hands(position);
        format!("{a},{b}/{c},{d} {}", position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let expected = "the hands of both players, as 1,1/1,2";
        let ([hands], turn) = words::fields(text, &format!("{expected},"))?;
        let (one, two) = hands.split_once('/').ok_or_else(|| format!("expected {expected}"))?;
        let mut both = [[0; 2]; 2];
        for (side, text) in [one, two].into_iter().enumerate() {
            let list = words::list(text, "hands", u64::from(self.fingers) - 1, 2)?;
            let [a, b] = list.try_into().map_err(|_| format!("expected {expected}"))?;
            both[side] = sorted([a as u8, b as u8]);
        }
        match both[1 - turn.index()] {
            [0, 0] => Err(format!("player {} has no finger and is not to move", (!turn).digit())),
            _ => Ok(holding(both, turn)),
        }
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        format!("{}{}{}", m.from(), if m.more() == SHARE { '+' } else { 'x' }, m.to())
    }

    fn indices(&self) -> Option<&dyn Indices> {
        Some(self)
    }
}

impl Indices for Chopsticks {
    fn size(&self) -> u64 {
        2 * self.pairs() * self.pairs()
    }

    fn number(&self, position: &Position) -> Option<u64> {
        let pair = |[low, high]: [u8; 2]| u64::from(high) * (u64::from(high) + 1) / 2 + u64::from(low);
        let [one, two] = hands(position).map(pair);
        Some(2 * (one * self.pairs() + two) + position.turn.index() as u64)
    }

    fn position(&self, number: u64) -> Option<Position> {
        let turn = if number.is_multiple_of(2) { Player::One } else { Player::Two };
        let pair = |number: u64| {
            let high = (0..u64::from(self.fingers)).rev().find(|high| high * (high + 1) / 2 <= number)?;
            Some([(number - high * (high + 1) / 2) as u8, high as u8])
        };
        let both = (number < self.size()).then_some(number / 2)?;
        let hands = [pair(both / self.pairs())?, pair(both % self.pairs())?];
        (hands[1 - turn.index()] != [0, 0]).then_some(holding(hands, turn))
    }
}

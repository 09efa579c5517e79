//! How long one move may take: from the words of `go` to the limits of a search.

use std::time::{Duration, Instant};

use crate::protocol::GoWords;
use grundy_core::game::Player;
use grundy_session::Limits;

/// How long a bare `go` searches for a proof.
const BARE: Duration = Duration::from_secs(5);
/// A move is expected to be followed by so many where nothing is said.
const MOVES_TO_COME: u64 = 25;
/// Kept back from a clock, for the way of the answer.
const MARGIN: Duration = Duration::from_millis(6);

/// The limits of a search for which `go` was read at `read`.
pub(super) fn limits(go: &GoWords, mover: Player, read: Instant) -> Limits {
    let mut limits = Limits { depth: go.depth, nodes: go.nodes, ..Limits::default() };
    if let Some(moves) = go.mate {
        limits.depth = Some(limits.depth.unwrap_or(u32::MAX).min(moves.max(1).saturating_mul(2) - 1));
    }
    if go.infinite || go.ponder {
        limits.infinite = true;
        return limits;
    }
    let (soft, hard) = times(go, mover);
    let free = limits.depth.is_none() && limits.nodes.is_none();
    limits.soft = soft.map(|time| read + time);
    limits.hard = hard.or(free.then_some(BARE)).map(|time| read + time);
    limits
}

/// How long a pondering engine may go on once its move was guessed right.
pub(super) fn after_ponderhit(go: &GoWords, mover: Player) -> Duration {
    let (soft, hard) = times(go, mover);
    soft.or(hard).unwrap_or(BARE)
}

/// Soft and hard time for the move, where a clock or a time was given.
fn times(go: &GoWords, mover: Player) -> (Option<Duration>, Option<Duration>) {
    if let Some(time) = go.move_time {
        let time = millis(time.max(1));
        return (None, Some(time.saturating_sub((time / 4).min(Duration::from_millis(1)))));
    }
    let own = go.clocks[mover.index()];
    let clock = if own.time.is_some() { own } else { go.clocks[(!mover).index()] };
    let Some(left) = clock.time else { return (None, None) };
    let left = millis(left.max(1));
    let increment = millis(clock.increment.unwrap_or(0).max(0));
    let moves = u32::try_from(go.moves_to_go.unwrap_or(MOVES_TO_COME).clamp(1, 40)).unwrap_or(1);
    let usable = left.saturating_sub(MARGIN.min(left));
    let soft = (left / moves + increment * 3 / 4).min(usable);
    let hard =
        (soft * 3).min(if moves == 1 { usable } else { usable * 3 / 5 }).max(Duration::from_micros(500));
    (Some(soft.min(hard)), Some(hard))
}

/// Milliseconds, no more than a year of them: clocks from outside may be any number.
fn millis(n: i64) -> Duration {
    const YEAR: u64 = 365 * 24 * 3600 * 1000;
    Duration::from_millis(u64::try_from(n).unwrap_or(0).min(YEAR))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Command;

    fn read(line: &str) -> GoWords {
        match Command::read(line) {
            Ok(Command::Go(go)) => go,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_clock_is_never_used_up() {
        for left in [1, 5, 10, 100, 60_000, i64::MAX] {
            for rest in ["", " movestogo 1", " movestogo 0", " p1inc 5000", " p1inc 99999999999999"] {
                let (soft, hard) = times(&read(&format!("go p1time {left}{rest}")), Player::One);
                let (soft, hard) = (soft.expect("a clock"), hard.expect("a clock"));
                assert!(soft <= hard && hard <= millis(left), "{left}{rest}: {soft:?} {hard:?}");
            }
        }
    }

    #[test]
    fn a_negative_clock_is_one_of_a_millisecond() {
        let (_, hard) = times(&read("go wtime -500"), Player::One);
        assert!(hard.expect("a clock") <= millis(1));
    }

    #[test]
    fn with_only_the_opponents_clock_that_one_is_taken() {
        assert_eq!(times(&read("go btime 1000"), Player::One), times(&read("go wtime 1000"), Player::One));
    }

    #[test]
    fn a_bare_go_ends_after_five_seconds() {
        let now = Instant::now();
        assert_eq!(limits(&read("go"), Player::One, now).hard, Some(now + BARE));
        assert_eq!(limits(&read("go depth 3"), Player::One, now).hard, None);
    }
}

//! Time management: from the words of `go` to the limits of a search.

use std::time::{Duration, Instant};

use crate::protocol::GoWords;
use grundy_core::game::Player;
use grundy_session::Limits;

/// Time limit of a bare `go`.
const BARE: Duration = Duration::from_secs(5);
/// Time limit of a `go` whose limits were all unreadable: the client wanted one.
const MISREAD: Duration = Duration::from_millis(100);
/// Expected number of moves to come without `movestogo`.
const MOVES_TO_COME: u64 = 25;
/// Minimum time of a search, whatever the overhead.
const LEAST: Duration = Duration::from_millis(1);
/// At most this part of the clock is spent on one move, unless fewer moves are left until the next control: on a loaded
/// machine every answer may be late by tens of milliseconds.
const PARTS: u32 = 8;

/// Returns the limits of a search whose clock began at `began`; `overhead` is reserved for the delay of the answer.
pub(super) fn limits(go: &GoWords, mover: Player, began: Instant, overhead: Duration) -> Limits {
    let mut limits = Limits { depth: go.depth, nodes: go.nodes, ..Limits::default() };
    if let Some(moves) = go.mate {
        limits.depth = Some(limits.depth.unwrap_or(u32::MAX).min(moves.max(1).saturating_mul(2) - 1));
    }
    let free = is_free(go);
    if go.infinite || go.ponder {
        // A pondering search ends at its own limit, and its answer is held back.
        limits.infinite = go.infinite || free;
        return limits;
    }
    let (soft, hard) = times(go, mover, overhead);
    limits.soft = soft.map(|time| began + time);
    limits.hard = hard.or(free.then_some(unlimited(go))).map(|time| began + time);
    limits
}

/// Returns the time that a pondering engine has left after `ponderhit`; `None` if only depth or nodes limit it.
pub(super) fn after_ponderhit(go: &GoWords, mover: Player, overhead: Duration) -> Option<Duration> {
    let (soft, hard) = times(go, mover, overhead);
    soft.or(hard).or(is_free(go).then_some(unlimited(go)))
}

/// Reports whether neither depth nor nodes limit the search.
fn is_free(go: &GoWords) -> bool {
    go.depth.is_none() && go.nodes.is_none() && go.mate.is_none()
}

/// Returns the time of a search without limits.
fn unlimited(go: &GoWords) -> Duration {
    if go.faults.is_empty() { BARE } else { MISREAD }
}

/// Returns soft and hard time for the move, if a clock or a time was given.
fn times(go: &GoWords, mover: Player, overhead: Duration) -> (Option<Duration>, Option<Duration>) {
    // Of very little time a quarter is kept back, and no more.
    let kept_back = |time: Duration| time.saturating_sub(overhead.max(LEAST)).max(LEAST.min(time * 3 / 4));
    let most = go.move_time.map(|time| kept_back(millis(time.max(1))));
    let own = go.clocks[mover.index()];
    let clock = if own.time.is_some() || own.unread { own } else { go.clocks[(!mover).index()] };
    let Some(left) = clock.time else { return (None, most) };
    let usable = kept_back(millis(left.max(1)));
    let increment = millis(clock.increment.unwrap_or(0).max(0));
    let moves = u32::try_from(go.moves_to_go.unwrap_or(MOVES_TO_COME).clamp(1, 40)).unwrap_or(1);
    let share = match moves {
        1 => usable * 9 / 10,
        _ => usable / moves.min(PARTS),
    };
    let most = most.map_or(share, |most| most.min(share));
    let soft = (usable / moves + increment * 3 / 4).min(most);
    (Some(soft), Some((soft * 3).min(most)))
}

/// Converts milliseconds, clamped to a year: a client's clock may be any number.
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

    const TEN: Duration = Duration::from_millis(10);

    #[test]
    fn the_overhead_is_kept_back_from_a_time_for_the_move() {
        let hard = |line: &str, overhead| times(&read(line), Player::One, overhead).1.expect("a time");
        assert_eq!(hard("go movetime 100", TEN), Duration::from_millis(90));
        assert_eq!(hard("go movetime 100", TEN * 5), Duration::from_millis(50));
        assert_eq!(hard("go movetime 10", TEN), LEAST);
        assert_eq!(hard("go movetime 1", Duration::ZERO), LEAST * 3 / 4);
    }

    /// Of a second and a twentieth more for each move there is always enough left for a scheduler that comes late.
    #[test]
    fn a_short_clock_with_an_increment_never_runs_low() {
        let mut left = 1_000;
        for _ in 0..500 {
            let (_, hard) = times(&read(&format!("go p1time {left} p1inc 50")), Player::One, TEN);
            left = left - hard.expect("a clock").as_millis() as i64 - 10 + 50;
            assert!(left > 300, "{left}");
        }
    }

    #[test]
    fn a_clock_is_never_used_up() {
        for left in [1, 5, 10, 100, 60_000, i64::MAX] {
            for rest in ["", " movestogo 1", " movestogo 0", " p1inc 5000", " p1inc 99999999999999"] {
                for overhead in [Duration::ZERO, TEN, Duration::from_secs(60)] {
                    let (soft, hard) =
                        times(&read(&format!("go p1time {left}{rest}")), Player::One, overhead);
                    let (soft, hard) = (soft.expect("a clock"), hard.expect("a clock"));
                    assert!(soft <= hard && hard <= millis(left), "{left}{rest}: {soft:?} {hard:?}");
                    assert!(hard + overhead <= millis(left) || hard <= LEAST, "{left}{rest}: {hard:?}");
                }
            }
        }
    }

    #[test]
    fn a_negative_clock_is_one_of_a_millisecond() {
        let (_, hard) = times(&read("go wtime -500"), Player::One, TEN);
        assert!(hard.expect("a clock") <= millis(1));
    }

    #[test]
    fn with_only_the_opponents_clock_that_one_is_taken() {
        let times = |line: &str| times(&read(line), Player::One, TEN);
        assert_eq!(times("go btime 1000"), times("go wtime 1000"));
    }

    #[test]
    fn limits_that_cannot_be_read_make_no_other_search() {
        let now = Instant::now();
        let hard = |line: &str| limits(&read(line), Player::One, now, TEN).hard;
        for line in
            ["go movetime 100.5", "go depth x", "go wtime 100.7 btime 60000", "go nodes 1e6", "go mate x"]
        {
            assert_eq!(hard(line), Some(now + MISREAD), "{line}");
        }
        assert_eq!(hard("go depth x movetime 500"), Some(now + Duration::from_millis(490)));
        assert_eq!(hard("go wtime 1000 winc x"), hard("go wtime 1000"));
        assert_eq!(hard("go wtime 6000 movestogo 0"), hard("go wtime 6000"));
        assert_eq!(hard("go wtime 6000 movestogo -1"), hard("go wtime 6000"));
        assert_eq!(hard("go depth 3 nodes x"), None);
        assert!(limits(&read("go infinite depth x"), Player::One, now, TEN).infinite);
    }

    #[test]
    fn a_bare_go_ends_after_five_seconds() {
        let now = Instant::now();
        assert_eq!(limits(&read("go"), Player::One, now, TEN).hard, Some(now + BARE));
        assert_eq!(limits(&read("go depth 3"), Player::One, now, TEN).hard, None);
    }
}

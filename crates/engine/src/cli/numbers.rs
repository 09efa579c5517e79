//! Counts, rates and times as people read them: rounded, with their units.

use std::time::Duration;

use grundy_core::text::grouped;

/// Returns a number of units a second: `850/s`, `20.9 million/s`.
pub fn a_second(rate: f64) -> String {
    match rate {
        ..1e6 => format!("{}/s", grouped(rate as u64)),
        ..1e9 => format!("{:.1} million/s", rate / 1e6),
        _ => format!("{:.1} billion/s", rate / 1e9),
    }
}

/// Returns the rate of `count` units in `time`; `None` if the time is too short for it to mean anything.
pub fn rate(count: u64, time: Duration) -> Option<String> {
    const LEAST: Duration = Duration::from_millis(50);
    (time >= LEAST).then(|| a_second(count as f64 / time.as_secs_f64()))
}

/// Returns a time in the unit that fits it: `0.04 s`, `31 min`, `5.2 h`, `40 days`.
pub fn time(seconds: f64) -> String {
    const DAY: f64 = 86_400.0;
    const YEAR: f64 = 365.25 * DAY;
    match seconds {
        ..1.0 => format!("{seconds:.2} s"),
        ..10.0 => format!("{seconds:.1} s"),
        ..120.0 => format!("{seconds:.0} s"),
        ..7200.0 => format!("{:.0} min", seconds / 60.0),
        _ if seconds < 3.0 * DAY => format!("{:.1} h", seconds / 3600.0),
        _ if seconds < 2.0 * YEAR => format!("{:.0} days", seconds / DAY),
        _ if seconds < 10_000.0 * YEAR => format!("{} years", grouped((seconds / YEAR) as u64)),
        _ => "more than 10,000 years".to_owned(),
    }
}

/// Returns a time as a person says it: `about a minute`.
pub fn about(seconds: f64) -> String {
    match seconds {
        ..0.5 => "less than a second".to_owned(),
        0.5..2.0 => "about a second".to_owned(),
        45.0..90.0 => "about a minute".to_owned(),
        2700.0..5400.0 => "about an hour".to_owned(),
        _ if seconds >= 3e11 => time(seconds),
        _ => format!("about {}", time(seconds.round())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_and_have_their_units() {
        assert_eq!(
            [25_467.4, 20_864_035.543_5, 3e9].map(a_second),
            ["25,467/s", "20.9 million/s", "3.0 billion/s"]
        );
        let times = [0.044, 3.21, 27.4, 1860.0, 18_000.0, 3_600_000.0, 1e9, 1e30].map(time);
        let expected =
            ["0.04 s", "3.2 s", "27 s", "31 min", "5.0 h", "42 days", "31 years", "more than 10,000 years"];
        assert_eq!(times, expected);
        assert_eq!(
            [0.3, 27.4, 70.0, 900.0].map(about),
            ["less than a second", "about 27 s", "about a minute", "about 15 min"]
        );
    }
}

//! Counters of requests, in the text format of Prometheus.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Upper bounds of the buckets of request times, in milliseconds.
const BUCKETS: [u64; 8] = [1, 5, 20, 50, 100, 500, 1_000, 5_000];

/// The counters.
#[derive(Default)]
pub struct Metrics {
    requests: AtomicU64,
    refused: AtomicU64,
    faults: AtomicU64,
    busy: AtomicU64,
    micros: AtomicU64,
    /// Requests between one bound and the next.
    buckets: [AtomicU64; 8],
}

impl Metrics {
    /// Counts an answer by its status.
    pub fn count(&self, status: u16, time: Duration) {
        let add = |counter: &AtomicU64, by: u64| {
            counter.fetch_add(by, Ordering::Relaxed);
        };
        add(&self.requests, 1);
        match status {
            503 => add(&self.busy, 1),
            500.. => add(&self.faults, 1),
            400.. => add(&self.refused, 1),
            _ => {}
        }
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        add(&self.micros, micros);
        if let Some(at) = BUCKETS.iter().position(|bound| micros <= bound * 1_000) {
            add(&self.buckets[at], 1);
        }
    }

    /// Writes all counters; `waiting` is the length of the queue of analyses.
    pub fn text(&self, waiting: usize) -> String {
        let of = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let mut text = String::new();
        for (name, what, value) in [
            ("requests", "Requests answered.", of(&self.requests)),
            ("refused", "Requests that were wrong.", of(&self.refused)),
            ("busy", "Requests refused for want of room.", of(&self.busy)),
            ("faults", "Requests that failed.", of(&self.faults)),
        ] {
            let _ = writeln!(
                text,
                "# HELP grundy_{name}_total {what}\n# TYPE grundy_{name}_total counter\ngrundy_{name}_total {value}"
            );
        }
        let _ = writeln!(
            text,
            "# HELP grundy_waiting Requests that wait for an analysis.\n# TYPE grundy_waiting gauge\ngrundy_waiting {waiting}"
        );
        let _ = writeln!(
            text,
            "# HELP grundy_request_seconds Time from request to answer.\n# TYPE grundy_request_seconds histogram"
        );
        let mut within = 0;
        for (bucket, bound) in self.buckets.iter().zip(BUCKETS) {
            within += of(bucket);
            let _ = writeln!(text, "grundy_request_seconds_bucket{{le=\"{}\"}} {within}", bound as f64 / 1e3);
        }
        let all = of(&self.requests);
        let _ = writeln!(
            text,
            "grundy_request_seconds_bucket{{le=\"+Inf\"}} {all}\ngrundy_request_seconds_sum {}\ngrundy_request_seconds_count {all}",
            of(&self.micros) as f64 / 1e6
        );
        text
    }
}

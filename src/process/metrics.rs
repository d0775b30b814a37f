//! Metrics: counters of requests and their durations. Knows no call, no user and no address; other values are read when
//! Prometheus scrapes.
//!
//! Written by hand: only Prometheus' text format is needed of a client library, and the maintained ones write
//! OpenMetrics, with other names and another content type.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// Upper bounds of the duration buckets, in seconds.
const BUCKETS_SECONDS: [f64; 8] = [0.005, 0.025, 0.1, 0.25, 1.0, 2.5, 10.0, 30.0];

/// Counters since the start of the process.
pub struct Metrics {
    started: SystemTime,
    up_since: Instant,
    in_flight: AtomicU64,
    counts: Mutex<Counts>,
}

/// A request that is being answered; ends when dropped.
pub struct InFlight<'a>(&'a AtomicU64);

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[derive(Default)]
struct Counts {
    /// By name and status.
    requests: BTreeMap<(&'static str, u16), u64>,
    /// Number of requests that took at most as long as each bucket's bound.
    durations: [u64; BUCKETS_SECONDS.len()],
    all: u64,
    seconds: f64,
}

impl Default for Metrics {
    fn default() -> Metrics {
        Metrics {
            started: SystemTime::now(),
            up_since: Instant::now(),
            in_flight: AtomicU64::default(),
            counts: Mutex::default(),
        }
    }
}

impl Metrics {
    /// Returns how long the process has been running.
    #[must_use]
    pub fn uptime(&self) -> Duration {
        self.up_since.elapsed()
    }

    /// Counts a request as in flight.
    #[must_use]
    pub fn begin(&self) -> InFlight<'_> {
        self.in_flight.fetch_add(1, Ordering::Relaxed);
        InFlight(&self.in_flight)
    }

    /// Counts an answered request under one of Fluglog's names.
    pub fn count(&self, name: &'static str, status: u16, took: Duration) {
        let seconds = took.as_secs_f64();
        let mut counts = self.counts();
        *counts.requests.entry((name, status)).or_default() += 1;
        for (class, most) in counts.durations.iter_mut().zip(BUCKETS_SECONDS) {
            *class += u64::from(seconds <= most);
        }
        counts.all += 1;
        counts.seconds += seconds;
    }

    /// Formats all counters in Prometheus' text format 0.0.4, together with the current values `now`: name, help text,
    /// value.
    #[must_use]
    pub fn text(&self, now: &[(&str, &str, u64)]) -> String {
        let mut text = String::new();
        let started = self.started.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let start = ("process_start_time_seconds", "Start of the process.", started.as_secs());
        let in_flight = (
            "fluglog_requests_in_flight",
            "Requests that are being answered.",
            self.in_flight.load(Ordering::Relaxed),
        );
        // Writing into a string can't fail.
        for (name, help, value) in now.iter().chain([&start, &in_flight]) {
            let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} gauge\n{name} {value}");
        }
        let name = "fluglog_build_info";
        let version = env!("CARGO_PKG_VERSION");
        let _ = writeln!(
            text,
            "# HELP {name} The version that runs.\n# TYPE {name} gauge\n{name}{{version=\"{version}\"}} 1"
        );
        let counts = self.counts();
        let name = "fluglog_requests_total";
        let _ = writeln!(text, "# HELP {name} Answered requests.\n# TYPE {name} counter");
        for ((call, status), count) in &counts.requests {
            let _ = writeln!(text, "{name}{{call=\"{call}\",status=\"{status}\"}} {count}");
        }
        let name = "fluglog_request_seconds";
        let _ = writeln!(text, "# HELP {name} How long requests took.\n# TYPE {name} histogram");
        for (most, count) in BUCKETS_SECONDS.iter().zip(&counts.durations) {
            let _ = writeln!(text, "{name}_bucket{{le=\"{most}\"}} {count}");
        }
        let (all, seconds) = (counts.all, counts.seconds);
        let _ = writeln!(
            text,
            "{name}_bucket{{le=\"+Inf\"}} {all}\n{name}_sum {seconds}\n{name}_count {all}"
        );
        text
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_name_and_status_and_in_every_class_that_they_fit() {
        let metrics = Metrics::default();
        metrics.count("Login", 202, Duration::from_millis(20));
        metrics.count("Login", 202, Duration::from_millis(200));
        metrics.count("Login", 401, Duration::from_secs(60));
        let text = metrics.text(&[("fluglog_users", "Users.", 2)]);
        for line in [
            "# TYPE fluglog_users gauge",
            "fluglog_users 2",
            "fluglog_requests_total{call=\"Login\",status=\"202\"} 2",
            "fluglog_requests_total{call=\"Login\",status=\"401\"} 1",
            "fluglog_request_seconds_bucket{le=\"0.005\"} 0",
            "fluglog_request_seconds_bucket{le=\"0.025\"} 1",
            "fluglog_request_seconds_bucket{le=\"30\"} 2",
            "fluglog_request_seconds_bucket{le=\"+Inf\"} 3",
            "fluglog_request_seconds_count 3",
        ] {
            assert!(
                text.lines().any(|written| written == line),
                "{line} is missing:\n{text}"
            );
        }
    }
}

//! Cells as people write them: dates, times, numbers, durations.

mod dates;
mod durations;
mod numbers;

pub(crate) use dates::{
    Written, clock, clocks, date, is_short, moment_in, reads_as_date, reads_as_moment, reads_as_start, written,
};
pub(crate) use durations::{Duration, LONG_SECONDS, duration, duration_of, unit_word};
pub(crate) use numbers::{Number, degrees, position};

//! What a transaction costs: counts its rows, and ends work that takes too much of the writer's time. Knows no table.

use std::cell::Cell;
use std::time::Duration;

use fluglog_base::error::{Error, Result};
use fluglog_base::limits::cpu_budget::time_of_thread;
use fluglog_base::text;

/// Rows between two readings of the clock, each a system call.
const CLOCK_CHECK_ROWS: u64 = 1024;

#[derive(Default)]
pub struct Meter {
    rows: Cell<u64>,
    /// Processor time of this thread at which the work has to be done.
    ends: Option<Duration>,
}

impl Meter {
    /// Counts the rows of work of this thread, and bounds its processor time.
    pub fn bounded(most: Duration) -> Meter {
        Meter {
            ends: Some(time_of_thread() + most),
            ..Meter::default()
        }
    }

    pub fn rows(&self) -> u64 {
        self.rows.get()
    }

    /// Counts one row.
    ///
    /// # Errors
    /// [`Error::Conflict`] if the work has taken too long.
    pub fn count(&self) -> Result<()> {
        let rows = self.rows.get() + 1;
        self.rows.set(rows);
        match self.ends {
            Some(ends) if rows.is_multiple_of(CLOCK_CHECK_ROWS) && time_of_thread() > ends => {
                Err(Error::Conflict(text::TOO_MUCH_AT_ONCE))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_without_end_is_refused_and_work_without_bound_is_not() {
        let (bounded, free) = (Meter::bounded(Duration::ZERO), Meter::default());
        let refused = (0..=CLOCK_CHECK_ROWS).find_map(|_| bounded.count().err());
        assert_eq!(refused, Some(Error::Conflict(text::TOO_MUCH_AT_ONCE)));
        assert!((0..=CLOCK_CHECK_ROWS).all(|_| free.count().is_ok()));
    }
}

//! A CPU budget for the work on one picture or file: ends after a given processor time, or on cancellation.
//!
//! A decoder is stopped at its next read. So a decoder with a high compression ratio has to read while it works, as
//! those that decode pictures by rows do; the others are bounded by a picture's limit of pixels.

use std::cell::Cell;
use std::io::{self, BufRead, Read, Seek, SeekFrom};
use std::time::Duration;

use nix::time::{ClockId, clock_gettime};

use tokio_util::sync::CancellationToken;

/// Bytes between two readings of the clock, each a system call.
const CLOCK_CHECK_BYTES: usize = 64 * 1024;
/// Bytes that each read counts in addition to its own: a decoder can work long on few bytes.
const CALL_COST_BYTES: usize = 1024;

/// The limits of one piece of work.
pub struct CpuBudget<'w> {
    cancellation: &'w CancellationToken,
    ends: Duration,
    is_exhausted: Cell<bool>,
}

/// A source that fails once the budget is used up.
pub struct Limited<'e, R> {
    source: R,
    budget: &'e CpuBudget<'e>,
    /// Bytes since the last reading of the clock.
    unseen: usize,
}

impl<'w> CpuBudget<'w> {
    /// Starts the budget now, for this thread.
    pub fn new(cancellation: &'w CancellationToken, most: Duration) -> CpuBudget<'w> {
        CpuBudget {
            cancellation,
            ends: time_of_thread() + most,
            is_exhausted: Cell::new(false),
        }
    }

    /// Wraps a source so that it ends with the budget.
    pub fn limit<R>(&self, source: R) -> Limited<'_, R> {
        Limited {
            source,
            budget: self,
            unseen: 0,
        }
    }

    /// Returns whether the work was stopped.
    pub fn is_exhausted(&self) -> bool {
        self.is_exhausted.get()
    }
}

/// Returns the processor time that this thread has used.
#[must_use]
pub fn time_of_thread() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

impl<R> Limited<'_, R> {
    fn check(&mut self) -> io::Result<()> {
        self.unseen += CALL_COST_BYTES;
        if self.unseen >= CLOCK_CHECK_BYTES {
            self.unseen = 0;
            if self.budget.cancellation.is_cancelled() || time_of_thread() > self.budget.ends {
                self.budget.is_exhausted.set(true);
            }
        }
        match self.budget.is_exhausted() {
            true => Err(io::ErrorKind::TimedOut.into()),
            false => Ok(()),
        }
    }
}

impl<R: Read> Read for Limited<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.check()?;
        let length = self.source.read(buffer)?;
        self.unseen += length;
        Ok(length)
    }
}

impl<R: BufRead> BufRead for Limited<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.check()?;
        self.source.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.unseen += amount;
        self.source.consume(amount);
    }
}

impl<R: Seek> Seek for Limited<'_, R> {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.source.seek(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_for_nobody_ends_within_two_reads_of_64_kib_or_64_of_less() {
        let gone = CancellationToken::new();
        gone.cancel();
        let limit = Duration::from_secs(3600);
        for (length, most) in [(1, 64), (1000, 64), (CLOCK_CHECK_BYTES, 2)] {
            let source = || io::BufReader::with_capacity(length, io::repeat(b'a'));
            let (read, filled) = (CpuBudget::new(&gone, limit), CpuBudget::new(&gone, limit));
            let (mut to_read, mut to_fill) = (read.limit(source()), filled.limit(source()));
            let mut piece = vec![0; length];
            for _ in 0..most {
                let _ = to_read.read(&mut piece);
                let _ = to_fill.fill_buf();
                to_fill.consume(length);
            }
            assert!(read.is_exhausted() && filled.is_exhausted(), "{length}");
        }
    }
}

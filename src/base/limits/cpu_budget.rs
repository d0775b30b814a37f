//! The work on one picture or file and its end: after so much time of the processor, or when nobody waits for it any
//! more.
//!
//! A decoder is stopped where it reads on. So what decodes much out of little has to read while it works, as those of
//! pictures by lines do; others are bounded by the pixels that a picture has.

use std::cell::Cell;
use std::io::{self, BufRead, Read, Seek, SeekFrom};
use std::time::Duration;

use nix::time::{ClockId, clock_gettime};

use tokio_util::sync::CancellationToken;

/// Bytes between two looks at the clock, which is a call of the system.
const LOOK_BYTES: usize = 64 * 1024;
/// Bytes that a read counts as beside its own: a decoder can make much of few.
const READ_BYTES: usize = 1024;

/// The limits of one piece of work.
pub struct CpuBudget<'w> {
    cancellation: &'w CancellationToken,
    ends: Duration,
    is_over: Cell<bool>,
}

/// A source that fails once the budget is over.
pub struct Limited<'e, R> {
    source: R,
    budget: &'e CpuBudget<'e>,
    /// Bytes since the last look at the clock.
    unseen: usize,
}

impl<'w> CpuBudget<'w> {
    /// Begins now, on this thread.
    pub fn new(cancellation: &'w CancellationToken, most: Duration) -> CpuBudget<'w> {
        CpuBudget {
            cancellation,
            ends: time_of_thread() + most,
            is_over: Cell::new(false),
        }
    }

    /// A source that ends with it.
    pub fn on<R>(&self, source: R) -> Limited<'_, R> {
        Limited {
            source,
            budget: self,
            unseen: 0,
        }
    }

    /// Whether it was stopped.
    pub fn is_over(&self) -> bool {
        self.is_over.get()
    }
}

fn time_of_thread() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

impl<R> Limited<'_, R> {
    fn check(&mut self) -> io::Result<()> {
        self.unseen += READ_BYTES;
        if self.unseen >= LOOK_BYTES {
            self.unseen = 0;
            if self.budget.cancellation.is_cancelled() || time_of_thread() > self.budget.ends {
                self.budget.is_over.set(true);
            }
        }
        match self.budget.is_over() {
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
        for (length, most) in [(1, 64), (1000, 64), (LOOK_BYTES, 2)] {
            let source = || io::BufReader::with_capacity(length, io::repeat(b'a'));
            let (read, filled) = (CpuBudget::new(&gone, limit), CpuBudget::new(&gone, limit));
            let (mut to_read, mut to_fill) = (read.on(source()), filled.on(source()));
            let mut piece = vec![0; length];
            for _ in 0..most {
                let _ = to_read.read(&mut piece);
                let _ = to_fill.fill_buf();
                to_fill.consume(length);
            }
            assert!(read.is_over() && filled.is_over(), "{length}");
        }
    }
}

//! The work on one picture or file and its end: after so much time of the processor, or when nobody waits for it any more.
//!
//! A decoder is stopped where it reads on. So what decodes much out of little has to read while it works, as those of pictures by lines do;
//! others are bounded by the pixels that a picture has.

use std::cell::Cell;
use std::io::{self, BufRead, Read, Seek, SeekFrom};
use std::time::Duration;

use nix::time::{ClockId, clock_gettime};

use crate::base::waiting::Waiting;

/// Reads between two looks at the clock.
const READS: u32 = 64;

/// The limits of one piece of work.
pub struct Effort<'w> {
    waiting: &'w Waiting,
    ends: Duration,
    is_over: Cell<bool>,
}

/// A source that fails once the effort is over.
pub struct Limited<'e, R> {
    source: R,
    effort: &'e Effort<'e>,
    reads: u32,
}

impl<'w> Effort<'w> {
    /// Begins now, on this thread.
    pub fn new(waiting: &'w Waiting, most: Duration) -> Effort<'w> {
        Effort {
            waiting,
            ends: time_of_thread() + most,
            is_over: Cell::new(false),
        }
    }

    /// A source that ends with it.
    pub fn on<R>(&self, source: R) -> Limited<'_, R> {
        Limited {
            source,
            effort: self,
            reads: 0,
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
        self.reads += 1;
        if self.reads.is_multiple_of(READS) && (self.effort.waiting.is_over() || time_of_thread() > self.effort.ends) {
            self.effort.is_over.set(true);
        }
        match self.effort.is_over() {
            true => Err(io::ErrorKind::TimedOut.into()),
            false => Ok(()),
        }
    }
}

impl<R: Read> Read for Limited<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.check()?;
        self.source.read(buffer)
    }
}

impl<R: BufRead> BufRead for Limited<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.check()?;
        self.source.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.source.consume(amount);
    }
}

impl<R: Seek> Seek for Limited<'_, R> {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.source.seek(position)
    }
}

//! The minimum rate at which a client has to send or read. Knows no particular stream.
//!
//! Written by hand: maintained crates only limit inactivity, which a byte now and then evades.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::{Stream, StreamExt, stream};
use tokio::time::{Instant, Sleep};
use warp::Buf;

/// Bytes per second that a client has to send or read on average.
const MIN_BYTES_PER_SECOND: f64 = 1000.0;

/// A deadline that runs only while set.
pub(super) struct Deadline {
    sleep: Option<Pin<Box<Sleep>>>,
}

impl Deadline {
    pub(super) const fn unset() -> Deadline {
        Deadline { sleep: None }
    }

    pub(super) const fn is_set(&self) -> bool {
        self.sleep.is_some()
    }

    pub(super) fn clear(&mut self) {
        self.sleep = None;
    }

    /// Starts the deadline unless it is running.
    pub(super) fn start(&mut self, length: Duration) {
        self.sleep
            .get_or_insert_with(|| Box::pin(tokio::time::sleep_until(Instant::now() + length)));
    }

    /// Fails once the deadline has passed.
    pub(super) fn check(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        match self.sleep.as_mut().map(|sleep| sleep.as_mut().poll(context)) {
            Some(Poll::Ready(())) => Err(io::ErrorKind::TimedOut.into()),
            _ => Ok(()),
        }
    }
}

/// Watches the rate of one client. Counts only the time in which the server waits for the client: per `length` of
/// waiting, at least [`MIN_BYTES_PER_SECOND`] times `length` bytes have to move. Smaller transfers have to finish
/// within one `length`, and no single pause may be longer.
pub(super) struct MinimumRate {
    length: Duration,
    waited: Duration,
    bytes: u64,
    waiting_since: Option<Instant>,
    pause_deadline: Deadline,
}

impl MinimumRate {
    pub(super) fn new(seconds: f64) -> MinimumRate {
        MinimumRate {
            length: Duration::from_secs_f64(seconds),
            waited: Duration::ZERO,
            bytes: 0,
            waiting_since: None,
            pause_deadline: Deadline::unset(),
        }
    }

    pub(super) fn is_waiting(&self) -> bool {
        self.waiting_since.is_some()
    }

    /// The server has to wait for the client.
    pub(super) fn wait_for_client(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        if self.waiting_since.is_none() {
            self.waiting_since = Some(Instant::now());
            let spent = if self.is_fast_enough() {
                Duration::ZERO
            } else {
                self.waited
            };
            self.pause_deadline.start(self.length.saturating_sub(spent));
        }
        self.pause_deadline.check(context)
    }

    /// The client sent or read `bytes`.
    pub(super) fn record_bytes(&mut self, bytes: usize) -> io::Result<()> {
        self.pause_deadline.clear();
        self.bytes += bytes as u64;
        self.waited += self
            .waiting_since
            .take()
            .map_or(Duration::ZERO, |since| since.elapsed());
        if self.waited < self.length {
            return Ok(());
        }
        let quick = self.is_fast_enough();
        (self.waited, self.bytes) = (Duration::ZERO, 0);
        match quick {
            true => Ok(()),
            false => Err(io::ErrorKind::TimedOut.into()),
        }
    }

    fn is_fast_enough(&self) -> bool {
        self.bytes as f64 >= self.length.as_secs_f64() * MIN_BYTES_PER_SECOND
    }
}

/// Passes on the body of a request; fails when it comes too slowly.
pub fn at_minimum_rate<B: Buf, E>(
    body: impl Stream<Item = Result<B, E>> + Send,
    seconds: f64,
) -> impl Stream<Item = Result<B, io::Error>> + Send {
    let mut body = Box::pin(body);
    let mut rate = MinimumRate::new(seconds);
    stream::poll_fn(move |context| match body.poll_next_unpin(context) {
        Poll::Pending => match rate.wait_for_client(context) {
            Ok(()) => Poll::Pending,
            Err(error) => Poll::Ready(Some(Err(error))),
        },
        Poll::Ready(None) => Poll::Ready(None),
        Poll::Ready(Some(chunk)) => {
            let chunk = chunk.map_err(|_| io::ErrorKind::ConnectionAborted.into());
            let chunk = chunk.and_then(|chunk| rate.record_bytes(chunk.remaining()).map(|()| chunk));
            Poll::Ready(Some(chunk))
        }
    })
}

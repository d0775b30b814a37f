//! Waits for a condition with a deadline; no test waits for a guessed time.

use std::io::{ErrorKind, Result};
use std::time::{Duration, Instant};

/// Longer than anything takes on a busy machine; only a failing test waits that long.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Repeats until `ask` returns a value. Fails, naming `what`, at the deadline.
pub fn until<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(Instant::now() < deadline, "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(3));
    }
}

/// Reads again after a signal. Whoever stops and continues the process, or attaches to it, ends its reads that have a
/// timeout (signal(7)).
pub fn uninterrupted<T>(mut read: impl FnMut() -> Result<T>) -> Result<T> {
    loop {
        match read() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

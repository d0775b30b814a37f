//! Heavy work of a kind that is done one piece at a time, whoever asks for it. Knows no work.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::base::error::{Error, Result};
use crate::base::waiting::Waiting;

/// More don't wait: each holds a thread that others need.
const WAITING_MOST: usize = 24;
/// How often one who waits looks whether somebody waits for him.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// All turns of one kind of work.
#[derive(Default)]
pub struct Turns {
    state: Mutex<State>,
    freed: Condvar,
}

#[derive(Default)]
struct State {
    is_taken: bool,
    waiting: usize,
}

/// One turn, until it is dropped.
pub struct Turn<'t>(&'t Turns);

impl Turns {
    /// Waits for a turn.
    ///
    /// # Errors
    /// [`Error::Crowded`] when too many wait already, or nobody waits for this one any more.
    pub fn take(&self, waiting: &Waiting) -> Result<Turn<'_>> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.waiting >= WAITING_MOST {
            return Err(Error::Crowded);
        }
        state.waiting += 1;
        while state.is_taken && !waiting.is_over() {
            let (woken, _) = self
                .freed
                .wait_timeout(state, LOOK_EVERY)
                .unwrap_or_else(PoisonError::into_inner);
            state = woken;
        }
        state.waiting -= 1;
        if waiting.is_over() {
            return Err(Error::Crowded);
        }
        state.is_taken = true;
        Ok(Turn(self))
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner).is_taken = false;
        self.0.freed.notify_one();
    }
}

//! The memory of answers: how many large ones are made at once, and how much waits to be taken by clients. Knows no answer.
//!
//! The size of an answer is known once it is made. So a pilot whose answers nobody takes gets no turn to make another one, and of those
//! who wait for a turn the first one whose pilot may have it is next.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

use super::error::{Error, Result};
use super::id::UserId;

/// Bytes on their way out, in all and of one pilot, beyond which no further answer is made.
const MOST_BYTES: usize = 32 * 1024 * 1024;
const OF_ONE_MOST_BYTES: usize = 8 * 1024 * 1024;
/// Smaller answers aren't counted.
const SMALL_BYTES: usize = 16 * 1024;
/// Answers that are made at once, in all and for one pilot.
const MADE_MOST: usize = 8;
const MADE_OF_ONE_MOST: usize = 2;
/// How long an answer waits for its turn.
const PATIENCE: Duration = Duration::from_secs(20);

/// All answers.
#[derive(Default)]
pub struct Answers {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    all: Taken,
    pilots: HashMap<UserId, Taken>,
    /// In the order in which they came.
    waiting: VecDeque<(UserId, oneshot::Sender<Turn>)>,
}

#[derive(Clone, Copy, Default, PartialEq)]
struct Taken {
    made: usize,
    bytes: usize,
}

/// The right to make one answer.
pub struct Turn {
    answers: Arc<Answers>,
    pilot: UserId,
}

/// Counts an answer until it is dropped with its last byte.
pub struct Sending {
    answers: Arc<Answers>,
    pilot: UserId,
    bytes: usize,
}

impl std::fmt::Debug for Sending {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} bytes", self.bytes)
    }
}

impl Answers {
    /// The right to make an answer for a pilot, unless it has to be waited for. It takes nobody's turn: those who wait had no room.
    pub fn turn_now(self: &Arc<Answers>, pilot: UserId) -> Option<Turn> {
        let mut state = self.lock();
        state.has_room_for(pilot).then(|| self.begin(&mut state, pilot))
    }

    /// Waits until an answer may be made for a pilot.
    ///
    /// # Errors
    /// [`Error::Crowded`] when it takes too long: the pilot's other answers aren't taken.
    pub async fn turn(self: &Arc<Answers>, pilot: UserId) -> Result<Turn> {
        let (ready, turn) = oneshot::channel();
        self.lock().waiting.push_back((pilot, ready));
        self.go_on();
        match tokio::time::timeout(PATIENCE, turn).await {
            Ok(Ok(turn)) => Ok(turn),
            _ => Err(Error::Crowded),
        }
    }

    fn begin(self: &Arc<Answers>, state: &mut State, pilot: UserId) -> Turn {
        state.change(pilot, |taken| taken.made += 1);
        Turn {
            answers: Arc::clone(self),
            pilot,
        }
    }

    /// Gives turns to those who wait, as long as there is room.
    fn go_on(self: &Arc<Answers>) {
        while let Some((ready, turn)) = self.next() {
            // One who gave up: without the lock, because the turn ends here.
            drop(ready.send(turn));
        }
    }

    fn next(self: &Arc<Answers>) -> Option<(oneshot::Sender<Turn>, Turn)> {
        let mut state = self.lock();
        state.waiting.retain(|(_, ready)| !ready.is_closed());
        let next = state.waiting.iter().position(|(pilot, _)| state.has_room_for(*pilot))?;
        let (pilot, ready) = state.waiting.remove(next)?;
        Some((ready, self.begin(&mut state, pilot)))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn has_room_for(&self, pilot: UserId) -> bool {
        let own = self.pilots.get(&pilot).copied().unwrap_or_default();
        self.all.made < MADE_MOST
            && self.all.bytes < MOST_BYTES
            && own.made < MADE_OF_ONE_MOST
            && own.bytes < OF_ONE_MOST_BYTES
    }

    fn change(&mut self, pilot: UserId, change: impl Fn(&mut Taken)) {
        change(&mut self.all);
        let own = self.pilots.entry(pilot).or_default();
        change(own);
        if *own == Taken::default() {
            self.pilots.remove(&pilot);
        }
    }
}

impl Turn {
    /// The answer is made and goes out.
    #[must_use]
    pub fn made(self, bytes: usize) -> Option<Sending> {
        (bytes >= SMALL_BYTES).then(|| {
            self.answers.lock().change(self.pilot, |taken| taken.bytes += bytes);
            Sending {
                answers: Arc::clone(&self.answers),
                pilot: self.pilot,
                bytes,
            }
        })
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.answers.lock().change(self.pilot, |taken| taken.made -= 1);
        self.answers.go_on();
    }
}

impl Drop for Sending {
    fn drop(&mut self) {
        self.answers
            .lock()
            .change(self.pilot, |taken| taken.bytes -= self.bytes);
        self.answers.go_on();
    }
}

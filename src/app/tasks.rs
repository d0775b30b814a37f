//! Starts the server's own tasks and runs their work, within the budget of each. Knows no work.

use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::{Instant, Interval, MissedTickBehavior};

use fluglog_base::error::{Error, Result};
use fluglog_base::limits::permits;
use fluglog_base::limits::tasks::Task;

/// Starts a task.
pub fn start(task: Task, rounds: impl Future<Output = ()> + Send + 'static) -> JoinHandle<()> {
    tracing::debug!("the task {task:?} begins");
    tokio::spawn(rounds)
}

/// The times of a task's rounds, of which the first one begins after `delay`. A round that took long isn't made up for.
#[must_use]
pub fn rounds(task: Task, delay: Duration, of_setting: Duration) -> Interval {
    let every = task.budget().every.unwrap_or(of_setting);
    let mut rounds = tokio::time::interval_at(Instant::now() + delay, every);
    rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    rounds
}

/// Does a part of a task's work on a thread that may wait, for the permits of its budget only.
///
/// # Errors
/// [`Error::Internal`] if the work panics.
pub fn blocking<T: Send + 'static>(
    task: Task,
    work: impl FnOnce() -> T + Send + 'static,
) -> impl Future<Output = Result<T>> + Send {
    // The work begins at once, not when the future is polled.
    let done = tokio::task::spawn_blocking(move || permits::within(task.budget().permits, work));
    async move {
        done.await
            .map_err(|panic| Error::Internal(format!("a panic of the task {task:?}: {panic}")))
    }
}

//! The single writer: a thread that takes queued writes, runs them in one transaction and commits once. Knows no table.

use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use redb::WriteTransaction;
use redb_file::guarded;
use tokio::sync::watch;

use super::opened::Opened;
use super::writer::Writer;
use fluglog_base::error::{Error, Result};

/// Most writes in one commit, so that the first of them doesn't wait too long.
const MAX_WRITES_PER_COMMIT: usize = 64;

/// The queue of writes. Dropping the last clone ends the thread and joins it.
#[derive(Clone)]
pub struct Queue {
    thread: Arc<Thread>,
}

/// The sender and the thread; both are `Some` until dropped.
struct Thread {
    waiting: Option<Sender<Job>>,
    handle: Option<JoinHandle<()>>,
}

impl Drop for Thread {
    fn drop(&mut self) {
        drop(self.waiting.take());
        // A panic in the thread was already reported to the waiting caller.
        let _ = self.handle.take().map(JoinHandle::join);
    }
}

/// A job's work in a transaction. It stores its result itself.
type Work = Box<dyn FnMut(&Writer<'_>) -> Result<()> + Send>;

struct Job {
    run: Work,
    answer: SyncSender<Result<()>>,
}

/// How a job ended, before the transaction is committed.
enum Outcome {
    Succeeded,
    /// The job changed nothing and returned this error.
    Refused(Error),
    /// The job failed after changes: the whole transaction has to be aborted.
    Failed(Error),
}

impl Queue {
    /// Starts the thread. `failing` is set when the database has failed permanently.
    pub fn start(database: Arc<Opened>, failing: watch::Sender<bool>) -> std::io::Result<Queue> {
        let (waiting, jobs) = channel();
        let handle = std::thread::Builder::new()
            .name("writer".to_owned())
            .spawn(move || run(&database, &jobs, &failing))?;
        Ok(Queue {
            thread: Arc::new(Thread {
                waiting: Some(waiting),
                handle: Some(handle),
            }),
        })
    }

    /// Implements [`super::Store::write_later`].
    pub fn write_later(&self, work: impl FnMut(&Writer<'_>) -> Result<()> + Send + 'static) {
        let (answer, _) = sync_channel(1);
        let run = Box::new(work);
        // Ignored: without its thread the database is closed.
        let _ = self
            .thread
            .waiting
            .as_ref()
            .map(|waiting| waiting.send(Job { run, answer }));
    }

    /// Implements [`super::Store::write`].
    pub fn write<T: Send + 'static>(
        &self,
        mut work: impl FnMut(&Writer<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let result = Arc::new(Mutex::new(None));
        let slot = Arc::clone(&result);
        let (answer, answered) = sync_channel(1);
        let run = Box::new(move |writer: &Writer<'_>| {
            let value = work(writer)?;
            *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
            Ok(())
        });
        let gone = || Error::Busy("the writing thread has ended".to_owned());
        let waiting = self.thread.waiting.as_ref().ok_or_else(gone)?;
        waiting.send(Job { run, answer }).map_err(|_| gone())?;
        answered.recv().map_err(|_| gone())??;
        let value = result.lock().unwrap_or_else(PoisonError::into_inner).take();
        value.ok_or_else(|| Error::Internal("a write was committed without a result".to_owned()))
    }
}

fn run(database: &Opened, jobs: &Receiver<Job>, failing: &watch::Sender<bool>) {
    while let Ok(first) = jobs.recv() {
        let mut batch = vec![first];
        batch.extend(jobs.try_iter().take(MAX_WRITES_PER_COMMIT - 1));
        while !batch.is_empty() {
            match guarded(|| commit_together(database, &mut batch)) {
                Ok(Ok(())) => {}
                Ok(Err(cause)) | Err(cause) if database.was_full() => {
                    handle_full_disk(database, &mut batch, &cause, failing)
                }
                Ok(Err(cause)) | Err(cause) => handle_write_failure(database, &mut batch, &cause, failing),
            }
        }
    }
}

/// Handles a file that redb can't write: switches to read-only if it is damaged, or fails if the disk does.
fn handle_write_failure(database: &Opened, batch: &mut Vec<Job>, cause: &str, failing: &watch::Sender<bool>) {
    if !matches!(guarded(|| database.switch_to_read_only()), Ok(Ok(()))) {
        return fail(batch, cause, failing);
    }
    tracing::error!("the database is damaged and only read from now on: {cause}");
    answer_all(batch, &Error::ReadOnly);
}

/// Handles a full disk: reports it, and reopens the database for the next write, which may need no space. Where even
/// that has no room, the process restarts.
fn handle_full_disk(database: &Opened, batch: &mut Vec<Job>, cause: &str, failing: &watch::Sender<bool>) {
    tracing::error!("the disk is full: {cause}");
    let reopened = guarded(|| database.reopen().map_err(|error| format!("{error:?}"))).flatten();
    if let Err(error) = &reopened {
        tracing::error!("the database can't be opened again: {error}");
    }
    answer_all(batch, &Error::DiskFull(cause.to_owned()));
    if reopened.is_err() {
        failing.send_replace(true);
    }
}

/// Handles a failed disk: whether the writes are stored is unknown, so the callers are told and the process restarts.
fn fail(batch: &mut Vec<Job>, cause: &str, failing: &watch::Sender<bool>) {
    tracing::error!("the database can't be written: {cause}");
    answer_all(batch, &Error::Busy(cause.to_owned()));
    failing.send_replace(true);
}

fn answer_all(batch: &mut Vec<Job>, error: &Error) {
    for job in batch.drain(..) {
        // The caller may no longer wait.
        let _ = job.answer.send(Err(error.clone()));
    }
}

/// Runs the jobs in one transaction. Answers and removes the settled ones: all after a commit, only the failed one if
/// the transaction had to be aborted. An error is one of the disk.
fn commit_together(database: &Opened, batch: &mut Vec<Job>) -> std::result::Result<(), String> {
    if database.is_read_only() {
        answer_all(batch, &Error::ReadOnly);
        return Ok(());
    }
    let transaction = database.begin_write().map_err(|error| format!("{error:?}"))?;
    let mut refusals = Vec::with_capacity(batch.len());
    let mut changed = false;
    for at in 0..batch.len() {
        let (outcome, wrote) = attempt(&mut batch[at], &transaction);
        changed |= wrote;
        match outcome {
            Outcome::Succeeded => refusals.push(None),
            Outcome::Refused(Error::Busy(cause)) | Outcome::Failed(Error::Busy(cause)) => return Err(cause),
            Outcome::Refused(error) => refusals.push(Some(error)),
            Outcome::Failed(error) => {
                transaction.abort().map_err(cause)?;
                let spoiler = batch.remove(at);
                let _ = spoiler.answer.send(Err(error));
                return Ok(());
            }
        }
    }
    if changed {
        transaction.commit().map_err(cause)?;
        tracing::debug!("{} writes in one commit", batch.len());
    } else {
        transaction.abort().map_err(cause)?;
    }
    for (job, refusal) in batch.drain(..).zip(refusals) {
        let _ = job.answer.send(refusal.map_or(Ok(()), Err));
    }
    Ok(())
}

fn cause(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Runs a job; also returns whether it changed anything.
fn attempt(job: &mut Job, transaction: &WriteTransaction) -> (Outcome, bool) {
    let writer = Writer::new(transaction);
    let result = guarded(|| (job.run)(&writer));
    let changed = writer.changed.get();
    let outcome = match result {
        Ok(Ok(())) => Outcome::Succeeded,
        Ok(Err(error)) if !changed => Outcome::Refused(error),
        Ok(Err(error)) => Outcome::Failed(error),
        Err(panic) => Outcome::Failed(Error::Internal(format!("a write ended: {panic}"))),
    };
    (outcome, changed)
}

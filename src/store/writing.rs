//! The one writer: a thread that takes the writes that wait, runs them in one transaction and commits once. Knows no
//! table.

use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use redb::WriteTransaction;
use redb_file::guarded;
use tokio::sync::watch;

use super::opened::Opened;
use super::writer::Writer;
use crate::base::error::{Error, Result};

/// At most this many writes share one commit, so that the first of them doesn't wait for ever.
const MOST_WRITES_A_COMMIT: usize = 64;

/// The queue of waiting writes. Dropping the last clone ends the thread and waits for its end.
#[derive(Clone)]
pub struct Queue {
    thread: Arc<Thread>,
}

/// The two are there until the end.
struct Thread {
    waiting: Option<Sender<Job>>,
    handle: Option<JoinHandle<()>>,
}

impl Drop for Thread {
    fn drop(&mut self) {
        drop(self.waiting.take());
        // A panic in it was answered where it happened.
        let _ = self.handle.take().map(JoinHandle::join);
    }
}

/// The work of a job in a transaction. Its value is kept by itself.
type Work = Box<dyn FnMut(&Writer<'_>) -> Result<()> + Send>;

struct Job {
    run: Work,
    answer: SyncSender<Result<()>>,
}

/// How one job ended in a transaction that isn't committed yet.
enum Outcome {
    Done,
    /// It changed nothing and says why.
    Refused(Error),
    /// It failed halfway: the whole transaction must go.
    Spoiled(Error),
}

impl Queue {
    /// Starts the thread. `failing` is set when the database has failed for good.
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

    /// See [`super::Store::write_later`].
    pub fn write_later(&self, work: impl FnMut(&Writer<'_>) -> Result<()> + Send + 'static) {
        let (answer, _) = sync_channel(1);
        let run = Box::new(work);
        // Without its thread the database is closed.
        let _ = self
            .thread
            .waiting
            .as_ref()
            .map(|waiting| waiting.send(Job { run, answer }));
    }

    /// See [`super::Store::write`].
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
        batch.extend(jobs.try_iter().take(MOST_WRITES_A_COMMIT - 1));
        while !batch.is_empty() {
            match guarded(|| commit_together(database, &mut batch)) {
                Ok(Ok(())) => {}
                Ok(Err(cause)) | Err(cause) if database.was_full() => make_do(database, &mut batch, &cause, failing),
                Ok(Err(cause)) | Err(cause) => give_up(database, &mut batch, &cause, failing),
            }
        }
    }
}

/// redb can't write to the file: it is damaged and only read from now on, or the disk fails.
fn give_up(database: &Opened, batch: &mut Vec<Job>, cause: &str, failing: &watch::Sender<bool>) {
    if !matches!(guarded(|| database.only_read()), Ok(Ok(()))) {
        return fail(batch, cause, failing);
    }
    tracing::error!("the database is damaged and only read from now on: {cause}");
    answer_all(batch, &Error::ReadOnly);
}

/// The disk had no room for a write: says so, and opens the database again for the next one, which may need none.
fn make_do(database: &Opened, batch: &mut Vec<Job>, cause: &str, failing: &watch::Sender<bool>) {
    match guarded(|| database.reopen()) {
        Ok(Ok(())) => {
            tracing::error!("the disk is full: {cause}");
            answer_all(batch, &Error::Full(cause.to_owned()));
        }
        Ok(Err(error)) => fail(
            batch,
            &format!("{cause}, and it can't be opened again: {error:?}"),
            failing,
        ),
        Err(panic) => fail(batch, &panic, failing),
    }
}

/// After an error of the disk nobody knows what is stored: say so, and let the process start anew.
fn fail(batch: &mut Vec<Job>, cause: &str, failing: &watch::Sender<bool>) {
    tracing::error!("the database can't be written: {cause}");
    answer_all(batch, &Error::Busy(cause.to_owned()));
    failing.send_replace(true);
}

fn answer_all(batch: &mut Vec<Job>, error: &Error) {
    for job in batch.drain(..) {
        // A caller that no longer waits needs no answer.
        let _ = job.answer.send(Err(error.clone()));
    }
}

/// Runs the jobs in one transaction. Answers and removes those that are settled: all of them after a commit, only the
/// spoiling one when the transaction had to go. An error is one of the disk.
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
            Outcome::Done => refusals.push(None),
            Outcome::Refused(Error::Busy(cause)) | Outcome::Spoiled(Error::Busy(cause)) => return Err(cause),
            Outcome::Refused(error) => refusals.push(Some(error)),
            Outcome::Spoiled(error) => {
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

/// Runs one job; also tells whether it changed anything.
fn attempt(job: &mut Job, transaction: &WriteTransaction) -> (Outcome, bool) {
    let writer = Writer::new(transaction);
    let result = guarded(|| (job.run)(&writer));
    let changed = writer.changed.get();
    let outcome = match result {
        Ok(Ok(())) => Outcome::Done,
        Ok(Err(error)) if !changed => Outcome::Refused(error),
        Ok(Err(error)) => Outcome::Spoiled(error),
        Err(panic) => Outcome::Spoiled(Error::Internal(format!("a write ended: {panic}"))),
    };
    (outcome, changed)
}

//! The single writer: a thread that takes queued writes, runs them in transactions and commits several at once. Knows
//! no table.
//!
//! Pilots take turns: of each, one write is taken before the second one of another. Writes are taken into a commit only
//! for a short time, so that whoever comes meanwhile waits for one commit and not for all that others asked for.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use redb::WriteTransaction;
use redb_file::guarded;
use tokio::sync::watch;

use super::meter::Meter;
use super::opened::Opened;
use super::writer::Writer;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::UserId;

/// Most writes in one commit, and the time after which none is added, so that the first of them doesn't wait too long.
const MAX_WRITES_PER_COMMIT: usize = 64;
const MAX_TIME_PER_COMMIT: Duration = Duration::from_millis(50);
/// Most processor time of a pilot's write. The largest import takes a tenth of a second on a PC and some ten times as
/// long on a small machine.
const MAX_TIME_OF_PILOT: Duration = Duration::from_secs(10);

/// The queue of writes. Dropping the last clone ends the thread and joins it.
#[derive(Clone)]
pub struct Queue {
    thread: Arc<Thread>,
}

struct Thread {
    waiting: Arc<Waiting>,
    rows: Arc<AtomicU64>,
    /// `None` once dropped.
    handle: Option<JoinHandle<()>>,
}

impl Drop for Thread {
    fn drop(&mut self) {
        self.waiting.end();
        // A panic in the thread was already reported to the waiting caller.
        let _ = self.handle.take().map(JoinHandle::join);
    }
}

/// A job's work in a transaction. It stores its result itself.
type Work = Box<dyn FnMut(&Writer<'_>) -> Result<()> + Send>;

struct Job {
    /// The pilot whose turn it takes; `None` for the program's own writes, which have a turn as well.
    pilot: Option<UserId>,
    /// Most processor time that it takes.
    most: Option<Duration>,
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

/// Jobs that wait, by turns.
#[derive(Default)]
struct Waiting {
    turns: Mutex<Turns>,
    changed: Condvar,
}

#[derive(Default)]
struct Turns {
    /// The jobs of each pilot that has any, beginning with the pilot whose turn is next.
    queues: VecDeque<(Option<UserId>, VecDeque<Job>)>,
    has_ended: bool,
}

impl Turns {
    fn push(&mut self, job: Job) {
        match self.queues.iter_mut().find(|(pilot, _)| *pilot == job.pilot) {
            Some((_, jobs)) => jobs.push_back(job),
            None => self.queues.push_back((job.pilot, VecDeque::from([job]))),
        }
    }

    /// Takes a job of the pilot whose turn it is, who is last then.
    fn pop(&mut self) -> Option<Job> {
        let (pilot, mut jobs) = self.queues.pop_front()?;
        let job = jobs.pop_front();
        if !jobs.is_empty() {
            self.queues.push_back((pilot, jobs));
        }
        job
    }
}

impl Waiting {
    fn lock(&self) -> MutexGuard<'_, Turns> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a job. Without the thread it is dropped, which its caller notices.
    fn push(&self, job: Job) {
        let mut turns = self.lock();
        if !turns.has_ended {
            turns.push(job);
            self.changed.notify_one();
        }
    }

    fn try_next(&self) -> Option<Job> {
        self.lock().pop()
    }

    /// Waits for a job; `None` once the queue has ended and nothing is left.
    fn next(&self) -> Option<Job> {
        let waits = |turns: &mut Turns| turns.queues.is_empty() && !turns.has_ended;
        let turns = self.changed.wait_while(self.lock(), waits);
        turns.unwrap_or_else(PoisonError::into_inner).pop()
    }

    fn end(&self) {
        self.lock().has_ended = true;
        self.changed.notify_one();
    }
}

/// Drops all jobs when the thread ends, so that nobody waits for it.
struct Ending(Arc<Waiting>);

impl Drop for Ending {
    fn drop(&mut self) {
        self.0.end();
        self.0.lock().queues.clear();
    }
}

impl Queue {
    /// Starts the thread. `failing` is set when the database has failed permanently.
    pub fn start(database: Arc<Opened>, failing: watch::Sender<bool>) -> std::io::Result<Queue> {
        let (waiting, rows) = (Arc::<Waiting>::default(), Arc::<AtomicU64>::default());
        let (jobs, counted) = (Arc::clone(&waiting), Arc::clone(&rows));
        let handle = std::thread::Builder::new().name("writer".to_owned()).spawn(move || {
            let jobs = Ending(jobs);
            run(&database, &jobs.0, &counted, &failing);
        })?;
        Ok(Queue {
            thread: Arc::new(Thread {
                waiting,
                rows,
                handle: Some(handle),
            }),
        })
    }

    /// Implements [`super::Store::rows_of_writes`].
    pub fn rows(&self) -> u64 {
        self.thread.rows.load(Ordering::Relaxed)
    }

    /// Queues a write without waiting for it, as in [`super::Store::write_later`].
    pub fn enqueue(&self, pilot: Option<UserId>, work: impl FnMut(&Writer<'_>) -> Result<()> + Send + 'static) {
        let (answer, _) = sync_channel(1);
        let run = Box::new(work);
        let most = pilot.map(|_| MAX_TIME_OF_PILOT);
        self.thread.waiting.push(Job {
            pilot,
            most,
            run,
            answer,
        });
    }

    /// Implements [`super::Store::write`] and [`super::Store::write_for`].
    pub fn write<T: Send + 'static>(
        &self,
        pilot: Option<UserId>,
        work: impl FnMut(&Writer<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.write_within(pilot, pilot.map(|_| MAX_TIME_OF_PILOT), work)
    }

    /// Implements [`super::Store::write_task`].
    pub fn write_within<T: Send + 'static>(
        &self,
        pilot: Option<UserId>,
        most: Option<Duration>,
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
        self.thread.waiting.push(Job {
            pilot,
            most,
            run,
            answer,
        });
        let gone = |_| Error::Busy("the writing thread has ended".to_owned());
        answered.recv().map_err(gone)??;
        let value = result.lock().unwrap_or_else(PoisonError::into_inner).take();
        value.ok_or_else(|| Error::Internal("a write was committed without a result".to_owned()))
    }
}

fn run(database: &Opened, jobs: &Waiting, rows: &AtomicU64, failing: &watch::Sender<bool>) {
    let settle =
        |batch: &mut Vec<Job>, more: &mut dyn FnMut() -> Option<Job>| settle(database, batch, more, rows, failing);
    while let Some(first) = jobs.next() {
        let begun = Instant::now();
        let mut more = || match begun.elapsed() < MAX_TIME_PER_COMMIT {
            true => jobs.try_next(),
            false => None,
        };
        let mut batch = vec![first];
        let Some(spoiler) = settle(&mut batch, &mut more) else {
            continue;
        };
        // The jobs before the spoiler run once more together: one pilot's failure costs the others no more than that.
        let second = settle(&mut batch, &mut || None);
        batch.extend(second);
        for job in batch.into_iter().chain([spoiler]) {
            settle(&mut vec![job], &mut || None);
        }
    }
}

/// Runs and commits a batch and what `more` adds to it, and answers all of it. Returns the job that failed if there
/// were others before it: it has to run alone then, and the batch, which holds those, once more.
fn settle(
    database: &Opened,
    batch: &mut Vec<Job>,
    more: &mut dyn FnMut() -> Option<Job>,
    rows: &AtomicU64,
    failing: &watch::Sender<bool>,
) -> Option<Job> {
    match guarded(|| commit_together(database, batch, more, rows)) {
        Ok(Ok(spoiler)) => return spoiler,
        Ok(Err(cause)) | Err(cause) if database.was_full() => handle_full_disk(database, batch, &cause, failing),
        Ok(Err(cause)) | Err(cause) => handle_write_failure(database, batch, &cause, failing),
    }
    None
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

/// Handles a failed disk. Whether the writes are stored is unknown: the callers get an error, the process restarts.
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

/// Runs the jobs in one transaction, with those that `more` adds, and answers and removes them after the commit. A job
/// that fails after changes spoils the transaction: nothing is committed, the jobs before it stay, and it is returned,
/// or answered if it was alone. An error is one of the disk.
fn commit_together(
    database: &Opened,
    batch: &mut Vec<Job>,
    more: &mut dyn FnMut() -> Option<Job>,
    rows: &AtomicU64,
) -> std::result::Result<Option<Job>, String> {
    if database.is_read_only() {
        answer_all(batch, &Error::ReadOnly);
        return Ok(None);
    }
    let transaction = database.begin_write().map_err(|error| format!("{error:?}"))?;
    let mut refusals = Vec::with_capacity(batch.len());
    let mut changed = false;
    while let Some(job) = batch.get_mut(refusals.len()) {
        let (outcome, wrote) = attempt(job, &transaction, rows);
        changed |= wrote;
        match outcome {
            Outcome::Succeeded => refusals.push(None),
            Outcome::Refused(Error::Busy(cause)) | Outcome::Failed(Error::Busy(cause)) => return Err(cause),
            Outcome::Refused(error) => refusals.push(Some(error)),
            Outcome::Failed(error) => {
                transaction.abort().map_err(cause)?;
                let spoiler = batch.remove(refusals.len());
                if batch.is_empty() {
                    let _ = spoiler.answer.send(Err(error));
                    return Ok(None);
                }
                return Ok(Some(spoiler));
            }
        }
        if refusals.len() == batch.len() && batch.len() < MAX_WRITES_PER_COMMIT {
            batch.extend(more());
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
    Ok(None)
}

fn cause(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Runs a job; also returns whether it changed anything.
fn attempt(job: &mut Job, transaction: &WriteTransaction, rows: &AtomicU64) -> (Outcome, bool) {
    let writer = match job.most {
        Some(most) => Writer::metered(transaction, Meter::bounded(most)),
        None => Writer::new(transaction),
    };
    let result = guarded(|| (job.run)(&writer).and_then(|()| writer.derive_all()));
    rows.fetch_add(writer.rows(), Ordering::Relaxed);
    let changed = writer.changed.get();
    let outcome = match result {
        Ok(Ok(())) => Outcome::Succeeded,
        Ok(Err(error)) if !changed => Outcome::Refused(error),
        Ok(Err(error)) => Outcome::Failed(error),
        Err(panic) => Outcome::Failed(Error::Internal(format!("a write ended: {panic}"))),
    };
    (outcome, changed)
}

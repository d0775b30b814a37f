//! Changes of jobs: each in one transaction.

use super::model::{Counted, EntryChanges, Job, PutOff, Run, RunKind};
use super::standing::done_words;
use super::wire::{CompletedJob, MaintenanceJob, days_between};
use super::{cycles, prior, shown, table};
use crate::documents::NewFile;
use crate::equipment;
use crate::logs;
use crate::logs::model::{LogEntries, Subject};
use fluglog_accounts::guard::{Access, Right};
use fluglog_accounts::operation::{Operation, Outcome};
use fluglog_accounts::quotas;
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{EquipmentId, JobId, JobRunId, LogId};
use fluglog_base::number::count;
use fluglog_base::text;
use fluglog_base::time::{Date, WallTime};
use fluglog_store::blobs::UncommittedBlobs;
use fluglog_store::operations;
use fluglog_store::operations::model::Object;
use fluglog_store::{Snapshot, Writer};
use fluglog_web::multipart::Upload;

/// Most jobs of an item: saving a flight counts in each of them.
const MAX_JOBS: usize = 30;
/// Most runs of a job.
const MAX_RUNS: usize = 2000;
/// A job that was done so recently is done again only if the pilot says so: it may have been another phone.
const JUST_DONE_MINUTES: i64 = 5;

/// The job to save.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Target {
    Existing(JobId),
    New { id: JobId, since: WallTime },
}

/// Adds a job, or changes one. A new job that exists already is returned unchanged.
///
/// # Errors
/// [`Error::NotFound`] when there is no such item or job, or for the id of a deleted job; [`Error::Conflict`] for a
/// retired item or beyond the limit of jobs; [`Error::Invalid`] when the entries contradict each other.
pub(super) fn save(
    app: &App,
    operation: Operation,
    item: EquipmentId,
    target: Target,
    changes: Result<EntryChanges>,
) -> Result<MaintenanceJob> {
    let viewer = operation.viewer();
    let clock = app.clock.clone();
    operation.write(&app.store, move |writer| {
        let access = equipment::access_with(writer, &viewer, item, Right::Maintain)?;
        let owner = access.owner();
        let of = equipment::find(writer, &access, item)?;
        let id = match target {
            Target::Existing(id) | Target::New { id, .. } => id,
        };
        let done = |existed: bool| {
            let job = shown(writer, &access, &clock, item, id)?;
            let outcome = if existed { Outcome::existing } else { Outcome::new };
            Ok(outcome(object(&access, item, id), job))
        };
        if let Target::New { .. } = target {
            match table::find(writer, owner, item, id) {
                Err(Error::NotFound) => operations::check_id_unused(writer, owner, id.key())?,
                found => return found.and_then(|_| done(true)),
            }
        }
        if of.retirement.is_some() {
            return Err(Error::Conflict(text::JOB_OF_RETIRED));
        }
        let changes = changes.clone()?;
        match target {
            Target::Existing(id) => {
                let mut job = table::find(writer, owner, item, id)?;
                let was_done = table::runs(writer, owner, &job)?
                    .iter()
                    .any(|run| run.kind == RunKind::Done);
                job.change(of.kind, &changes, was_done)?;
                table::put(writer, owner, &job)?;
            }
            Target::New { id, since } => {
                check_count(writer, &access, item)?;
                let made = clock.unix_seconds();
                let job = Job::new(id, (item, of.kind), &changes, since, made)?;
                table::put_counting(writer, owner, &job)?;
            }
        }
        done(false)
    })
}

fn check_count(data: &Snapshot<'_>, access: &Access, item: EquipmentId) -> Result<()> {
    match table::count(data, access.owner(), item)? {
        ..MAX_JOBS => Ok(()),
        _ => Err(Error::Conflict(text::JOBS_TOO_MANY)),
    }
}

fn object(access: &Access, item: EquipmentId, job: JobId) -> Object {
    Object::of_equipment(access.owner(), item.key(), job.key())
}

/// Deletes a job with its runs. Their logs stay.
///
/// # Errors
/// [`Error::NotFound`] when there is no such job.
pub(super) fn delete(app: &App, operation: Operation, item: EquipmentId, id: JobId) -> Result<()> {
    let viewer = operation.viewer();
    let now = app.clock.unix_seconds();
    operation.write(&app.store, move |writer| {
        let access = equipment::access_with(writer, &viewer, item, Right::Maintain)?;
        let job = table::find(writer, access.owner(), item, id)?;
        operations::spend_id(writer, access.owner(), id.key(), now)?;
        table::remove(writer, access.owner(), &job)?;
        Ok(Outcome::new(Object::NONE, ()))
    })
}

/// What a pilot says of a job that is done or skipped.
#[derive(Debug, Clone)]
pub(super) struct RunForm {
    pub time: WallTime,
    pub info: String,
    /// Places of the steps that are ticked.
    pub ticked: Vec<usize>,
    /// Cents.
    pub cost: Option<i64>,
    /// Whether it may have been done a moment ago.
    pub again: bool,
}

/// Records that a job was done, with a log about it.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Conflict`] when it is finished; [`Error::Invalid`] when it was done later, or, unless
/// the form says so, a moment ago. If the disk or the database fails, nothing is stored.
pub(super) fn complete(
    app: &App,
    operation: Operation,
    item: EquipmentId,
    id: JobId,
    form: RunForm,
    upload: Option<Upload>,
) -> Result<CompletedJob> {
    let viewer = operation.viewer();
    let clock = app.clock.clone();
    let now = clock.unix_seconds();
    let limit = quotas::limit_of_space(app);
    let mut unnamed = UncommittedBlobs::new(&app.blobs);
    let file = upload
        .map(|upload| NewFile::store(&mut unnamed, upload.name, upload.content))
        .transpose()?;
    let stored = operation.write(&app.store, move |writer| {
        let access = equipment::access_with(writer, &viewer, item, Right::Maintain)?;
        let mut job = table::find(writer, access.owner(), item, id)?;
        let mut run = begin_run(writer, &access, &job, &form, RunKind::Done)?;
        let entries = LogEntries {
            info: log_text(writer, &access, &job, &run, &form)?,
            time: form.time,
        };
        let log = logs::attach(
            writer,
            &access,
            Subject::Equipment(item),
            entries,
            file.clone(),
            now,
            limit,
        )?;
        run.log = Some(log);
        end_run(writer, &access, &mut job, &mut run)?;
        let completed = CompletedJob {
            job: shown(writer, &access, &clock, item, id)?,
            run: run.id.to_string(),
            log: logs::load(writer, &access, &clock, &[log])?.pop(),
        };
        Ok(Outcome::new(object(&access, item, id), completed))
    });
    unnamed.settle(stored)
}

/// Returns the job after it was done, with its last run.
///
/// # Errors
/// [`Error::NotFound`] when there is no such job.
pub(super) fn completed(app: &App, access: &Access, item: EquipmentId, id: JobId) -> Result<CompletedJob> {
    app.store.read(|data| {
        let job = shown(data, access, &app.clock, item, id)?;
        let run = job.last_run.clone();
        let log = run
            .as_ref()
            .and_then(|run| run.log.as_ref())
            .and_then(|log| LogId::parse(log));
        Ok(CompletedJob {
            job,
            run: run.map(|run| run.run).unwrap_or_default(),
            log: logs::load(data, access, &app.clock, log.as_slice())?.pop(),
        })
    })
}

/// Restarts the count of a job without work.
///
/// # Errors
/// As for [`complete`].
pub(super) fn skip(
    app: &App,
    operation: Operation,
    item: EquipmentId,
    id: JobId,
    form: RunForm,
) -> Result<MaintenanceJob> {
    change(app, operation, item, id, move |writer, access, job| {
        let mut run = begin_run(writer, access, job, &form, RunKind::Skipped)?;
        end_run(writer, access, job, &mut run)
    })
}

/// Makes the run of a job, before the job restarts.
fn begin_run(data: &Snapshot<'_>, access: &Access, job: &Job, form: &RunForm, kind: RunKind) -> Result<Run> {
    if job.archived {
        return Err(Error::Conflict(text::JOB_ARCHIVED));
    }
    let owner = access.owner();
    if let Some(last) = table::last_run(data, owner, job)? {
        if form.time < last.time {
            return Err(Error::invalid("time", text::JOB_DONE_BEFORE_LAST));
        }
        let is_fresh = form.time.minutes() - last.time.minutes() <= JUST_DONE_MINUTES;
        if is_fresh && !form.again && last.kind == RunKind::Done && kind == RunKind::Done {
            return Err(Error::invalid("again", text::JOB_JUST_DONE));
        }
    }
    if table::count_runs(data, owner, job)? >= MAX_RUNS {
        return Err(Error::Conflict(text::JOB_RUNS_TOO_MANY));
    }
    let steps = &job.entries.steps;
    let ticked = steps.iter().enumerate().filter(|(at, _)| form.ticked.contains(at));
    Ok(Run {
        id: JobRunId::fresh(),
        time: form.time,
        kind,
        before: job.turn(),
        date: job.entries.date,
        counted: counted_until(data, access, job, form.time)?,
        steps: ticked.map(|(_, step)| step.clone()).collect(),
        info: match kind {
            RunKind::Done => String::new(),
            RunKind::Skipped => form.info.clone(),
        },
        cost: form.cost,
        log: None,
    })
}

/// Restarts the job at the time of the run, and stores both.
fn end_run(writer: &Writer<'_>, access: &Access, job: &mut Job, run: &mut Run) -> Result<()> {
    job.restart(run.kind, run.time);
    run.date = job.entries.date;
    table::put_run(writer, access.owner(), job, run)?;
    table::put_counting(writer, access.owner(), job)
}

/// Returns what a job had counted at a time, which may be before its last flights.
fn counted_until(data: &Snapshot<'_>, access: &Access, job: &Job, time: WallTime) -> Result<Counted> {
    let counted = table::counted(data, access.owner(), job)?;
    let later = table::rebuilt(data, access.owner(), job.item, time.max(job.since))?;
    let item = equipment::find(data, access, job.item)?;
    Ok(counted.plus(later, -1).plus(prior(job, &item), 1))
}

fn log_text(data: &Snapshot<'_>, access: &Access, job: &Job, run: &Run, form: &RunForm) -> Result<String> {
    let item = equipment::find(data, access, job.item)?;
    let cycles = cycles(data, access, job, &item, Some(run.time))?;
    let days = days_between(job.since.date(), run.time.date()).max(0);
    let mut lines = vec![done_words(job, run.counted, cycles, days)];
    lines.extend((!form.info.is_empty()).then(|| form.info.clone()));
    let steps = job.entries.steps.iter().enumerate();
    lines.extend(steps.map(|(at, step)| match form.ticked.contains(&at) {
        true => format!("✓ {step}"),
        false => format!("– {step}"),
    }));
    let cost = run
        .cost
        .map(|cents| format!("Kosten: {},{:02} €", count(cents.unsigned_abs() / 100), cents % 100));
    lines.extend(cost);
    Ok(lines.join("\n"))
}

/// How long a job is put off.
#[derive(Debug, Clone, Copy)]
pub(super) enum Wait {
    Until(Date),
    Flights(i64),
    Milliminutes(i64),
}

/// Puts a job off from a time on, or no longer.
///
/// # Errors
/// [`Error::NotFound`] when there is no such job; [`Error::Conflict`] when it is finished.
pub(super) fn put_off(
    app: &App,
    operation: Operation,
    item: EquipmentId,
    id: JobId,
    time: WallTime,
    wait: Option<Wait>,
) -> Result<MaintenanceJob> {
    change(app, operation, item, id, move |writer, access, job| {
        if job.archived {
            return Err(Error::Conflict(text::JOB_ARCHIVED));
        }
        let then = counted_until(writer, access, job, time)?;
        job.put_off = wait.map(|wait| match wait {
            Wait::Until(day) => PutOff::Until(day),
            Wait::Flights(flights) => PutOff::Flights(then.flights + flights),
            Wait::Milliminutes(milliminutes) => PutOff::Milliminutes(then.milliminutes + milliminutes),
        });
        table::put(writer, access.owner(), job)
    })
}

/// Silences a job, whose count goes on, or ends that.
///
/// # Errors
/// [`Error::NotFound`] when there is no such job.
pub(super) fn pause(app: &App, operation: Operation, item: EquipmentId, id: JobId, on: bool) -> Result<MaintenanceJob> {
    change(app, operation, item, id, move |writer, access, job| {
        job.paused = on;
        table::put(writer, access.owner(), job)
    })
}

fn change(
    app: &App,
    operation: Operation,
    item: EquipmentId,
    id: JobId,
    work: impl Fn(&Writer<'_>, &Access, &mut Job) -> Result<()> + Send + 'static,
) -> Result<MaintenanceJob> {
    let viewer = operation.viewer();
    let clock = app.clock.clone();
    operation.write(&app.store, move |writer| {
        let access = equipment::access_with(writer, &viewer, item, Right::Maintain)?;
        let mut job = table::find(writer, access.owner(), item, id)?;
        work(writer, &access, &mut job)?;
        let job = shown(writer, &access, &clock, item, id)?;
        Ok(Outcome::new(object(&access, item, id), job))
    })
}

/// Takes back the last run of a job: the count, the date and until when it was put off are as before. Its log is
/// deleted if `with_log`.
///
/// # Errors
/// [`Error::NotFound`] when there is no such run; [`Error::Conflict`] when it isn't the last one.
pub(super) fn delete_run(
    app: &App,
    operation: Operation,
    (item, id): (EquipmentId, JobId),
    run: JobRunId,
    with_log: bool,
) -> Result<MaintenanceJob> {
    let viewer = operation.viewer();
    let clock = app.clock.clone();
    let now = clock.unix_seconds();
    let (job, gone) = operation.write(&app.store, move |writer| {
        let access = equipment::access_with(writer, &viewer, item, Right::Maintain)?;
        let last = take_back(writer, &access, (item, id), run)?;
        let gone = match last
            .log
            .filter(|_| with_log)
            .map(|log| logs::delete_within(writer, &access, log, now))
        {
            None | Some(Err(Error::NotFound)) => None,
            Some(gone) => gone?,
        };
        let job = shown(writer, &access, &clock, item, id)?;
        Ok(Outcome::new(object(&access, item, id), (job, gone)))
    })?;
    app.blobs.remove_all(gone);
    Ok(job)
}

/// Takes back the last run of a job, and returns it.
fn take_back(writer: &Writer<'_>, access: &Access, (item, id): (EquipmentId, JobId), run: JobRunId) -> Result<Run> {
    let owner = access.owner();
    let mut job = table::find(writer, owner, item, id)?;
    let mut runs = table::runs(writer, owner, &job)?;
    if runs.iter().skip(1).any(|one| one.id == run) {
        return Err(Error::Conflict(text::JOB_RUN_NOT_LAST));
    }
    runs.retain(|one| one.id == run);
    let last = runs.pop().ok_or(Error::NotFound)?;
    job.take_back(&last);
    table::remove_run(writer, owner, &job, &last)?;
    table::put_counting(writer, owner, &job)?;
    Ok(last)
}

/// Adds a job of another Fluglog instance with its runs. Returns whether it is new.
///
/// # Errors
/// [`Error::NotFound`] when there is no such item.
pub fn add_foreign(writer: &Writer<'_>, access: &Access, job: &Job, runs: &[Run]) -> Result<bool> {
    access.check(Right::Maintain)?;
    equipment::find(writer, access, job.item)?;
    let owner = access.owner();
    let is_there = match table::find(writer, owner, job.item, job.id) {
        Err(Error::NotFound) => false,
        found => found.map(|_| true)?,
    };
    if is_there || table::count(writer, owner, job.item)? >= MAX_JOBS {
        return Ok(false);
    }
    table::put_counting(writer, owner, job)?;
    for run in runs.iter().take(MAX_RUNS) {
        table::put_run(writer, owner, job, run)?;
    }
    Ok(true)
}

#[cfg(test)]
mod tests;

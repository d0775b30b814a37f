//! Records of jobs, of their runs and of what they count.

use serde::{Deserialize, Serialize};

use super::model::{Counted, Entries, Job, PutOff, Repeat, Run, RunKind, Turn};
use crate::equipment;
use crate::equipment::model::{Use, milliminutes};
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{EquipmentId, JobId, JobRunId, LogId, OwnerId};
use fluglog_base::time::{Date, WallTime};
use fluglog_store::findings::{FindingKind, Findings, place};
use fluglog_store::record::Record;
use fluglog_store::{Snapshot, Writer, record, schema, under};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct JobRecord {
    title: String,
    steps: Vec<String>,
    milliminutes: Option<i64>,
    flights: Option<u32>,
    cycles: Option<u32>,
    days: Option<u32>,
    /// Days since 1970-01-01, as the other dates.
    date: Option<i32>,
    anchor: Option<i32>,
    repeat: u8,
    warn_share: u8,
    source: String,
    template: String,
    /// Minutes since 1970-01-01 00:00, wall clock.
    since: i64,
    put_off: Option<PutOffRecord>,
    paused: bool,
    archived: bool,
    /// Unix seconds.
    made: i64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum PutOffRecord {
    Until(i32),
    Flights(i64),
    Milliminutes(i64),
}

record!(JobRecord: (Owner, u128, u128) = JOBS);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct RunRecord {
    kind: u8,
    before: TurnRecord,
    date: Option<i32>,
    counted: CounterRecord,
    steps: Vec<String>,
    info: String,
    /// Cents.
    cost: Option<i64>,
    log: Option<u128>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct TurnRecord {
    since: i64,
    date: Option<i32>,
    put_off: Option<PutOffRecord>,
    archived: bool,
}

record!(RunRecord: (Owner, u128, u128, i64, u128) = JOB_RUNS);

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct CounterRecord {
    milliminutes: i64,
    flights: i64,
    untimed: i64,
}

record!(CounterRecord: (Owner, u128, u128) = JOB_COUNTERS);

type JobKey = (u128, u128, u128);

const fn key(owner: OwnerId, item: EquipmentId, job: JobId) -> JobKey {
    (owner.key(), item.key(), job.key())
}

/// Returns the jobs of an owner, or those of one item.
pub fn jobs(data: &Snapshot<'_>, owner: OwnerId, item: Option<EquipmentId>) -> Result<Vec<Job>> {
    let found = match item {
        Some(item) => data.scan::<JobRecord>(under((owner.key(), item.key())))?,
        None => data.of::<JobRecord>(owner)?,
    };
    found.into_iter().map(|(key, record)| job(key, record)).collect()
}

/// Returns a job of an item.
///
/// # Errors
/// [`Error::NotFound`] when the item of this owner has no such job.
pub fn find(data: &Snapshot<'_>, owner: OwnerId, item: EquipmentId, id: JobId) -> Result<Job> {
    let key = key(owner, item, id);
    job(key, data.get::<JobRecord>(key)?.ok_or(Error::NotFound)?)
}

/// Returns the number of jobs of an item.
pub fn count(data: &Snapshot<'_>, owner: OwnerId, item: EquipmentId) -> Result<usize> {
    data.count_keys(&schema::JOBS, under((owner.key(), item.key())))
}

/// Returns what a job has counted.
pub fn counted(data: &Snapshot<'_>, owner: OwnerId, job: &Job) -> Result<Counted> {
    let record = data.get::<CounterRecord>(key(owner, job.item, job.id))?;
    Ok(record.map(Counted::from).unwrap_or_default())
}

/// Stores a job whose count stays.
pub fn put(writer: &Writer<'_>, owner: OwnerId, job: &Job) -> Result<()> {
    let entries = &job.entries;
    let record = JobRecord {
        title: entries.title.clone(),
        steps: entries.steps.clone(),
        milliminutes: entries.milliminutes,
        flights: entries.flights,
        cycles: entries.cycles,
        days: entries.days,
        date: entries.date.map(Date::days),
        anchor: job.anchor.map(Date::days),
        repeat: entries.repeat.code(),
        warn_share: entries.warn_share,
        source: entries.source.clone(),
        template: entries.template.clone(),
        since: job.since.minutes(),
        put_off: job.put_off.map(PutOffRecord::from),
        paused: job.paused,
        archived: job.archived,
        made: job.made,
    };
    writer.put(key(owner, job.item, job.id), &record)
}

/// Stores a job that counts from another time on, with its count.
pub fn put_counting(writer: &Writer<'_>, owner: OwnerId, job: &Job) -> Result<()> {
    put(writer, owner, job)?;
    recount(writer, owner, job)
}

fn recount(writer: &Writer<'_>, owner: OwnerId, job: &Job) -> Result<()> {
    let counted = CounterRecord::from(rebuilt(writer, owner, job.item, job.since)?);
    writer.put(key(owner, job.item, job.id), &counted)
}

/// Returns what an item's finished flights that began at `since` or later have added.
pub fn rebuilt(data: &Snapshot<'_>, owner: OwnerId, item: EquipmentId, since: WallTime) -> Result<Counted> {
    let mut counted = Counted::default();
    for used in equipment::uses_from(data, owner, item, since)? {
        counted = counted.plus(of_use(Some(&used), since), 1);
    }
    Ok(counted)
}

/// Adds to the counts of an item's jobs what a flight, which was `before` and is `now`, changes.
pub fn count_flight(
    writer: &Writer<'_>,
    owner: OwnerId,
    item: EquipmentId,
    before: Option<&Use>,
    now: Option<&Use>,
) -> Result<()> {
    for key in writer.record_keys(&schema::JOBS, under((owner.key(), item.key())))? {
        let Some(record) = writer.get::<JobRecord>(key)? else {
            continue;
        };
        let since = WallTime::from_minutes(record.since).ok_or_else(damaged)?;
        let (was, is) = (of_use(before, since), of_use(now, since));
        if was == is {
            continue;
        }
        let counted = writer.get::<CounterRecord>(key)?.map(Counted::from).unwrap_or_default();
        writer.put(key, &CounterRecord::from(counted.plus(is, 1).plus(was, -1)))?;
    }
    Ok(())
}

/// Returns what a flight adds to a job that counts since a time.
fn of_use(used: Option<&Use>, since: WallTime) -> Counted {
    let Some(used) = used.filter(|used| !used.open && used.start >= since) else {
        return Counted::default();
    };
    let milliminutes = milliminutes(used.minutes);
    Counted {
        milliminutes,
        flights: 1,
        untimed: i64::from(milliminutes == 0),
    }
}

/// Removes a job with its runs; logs stay.
pub fn remove(writer: &Writer<'_>, owner: OwnerId, job: &Job) -> Result<()> {
    let key = key(owner, job.item, job.id);
    writer.remove_range::<RunRecord>(under(key))?;
    writer.remove::<CounterRecord>(key)?;
    writer.remove::<JobRecord>(key)
}

/// Gives the jobs of an item to another owner, with their runs and counts.
pub fn move_item(writer: &Writer<'_>, from: OwnerId, to: OwnerId, item: EquipmentId) -> Result<()> {
    let (from, to, item) = (from.key(), to.key(), item.key());
    writer.rekey::<JobRecord>(under((from, item)), |(.., job)| (to, item, job))?;
    writer.rekey::<CounterRecord>(under((from, item)), |(.., job)| (to, item, job))?;
    writer.rekey::<RunRecord>(under((from, item)), |(_, _, job, time, run)| (to, item, job, time, run))
}

/// Returns the last run of a job.
pub fn last_run(data: &Snapshot<'_>, owner: OwnerId, job: &Job) -> Result<Option<Run>> {
    let keys = data.keys_descending(&schema::JOB_RUNS, under(key(owner, job.item, job.id)), 1)?;
    let Some(key) = keys.first() else {
        return Ok(None);
    };
    data.get::<RunRecord>(*key)?.map(|record| run(*key, record)).transpose()
}

/// Returns the number of runs of an item's jobs.
pub fn count_of_item(data: &Snapshot<'_>, owner: OwnerId, item: EquipmentId) -> Result<usize> {
    data.count_keys(&schema::JOB_RUNS, under((owner.key(), item.key())))
}

/// Returns the number of runs of a job.
pub fn count_runs(data: &Snapshot<'_>, owner: OwnerId, job: &Job) -> Result<usize> {
    data.count_keys(&schema::JOB_RUNS, under(key(owner, job.item, job.id)))
}

/// Returns the runs of a job, latest first.
pub fn runs(data: &Snapshot<'_>, owner: OwnerId, job: &Job) -> Result<Vec<Run>> {
    let found = data.scan::<RunRecord>(under(key(owner, job.item, job.id)))?;
    found.into_iter().rev().map(|(key, record)| run(key, record)).collect()
}

pub fn put_run(writer: &Writer<'_>, owner: OwnerId, job: &Job, run: &Run) -> Result<()> {
    let record = RunRecord {
        kind: run.kind.code(),
        before: TurnRecord {
            since: run.before.since.minutes(),
            date: run.before.date.map(Date::days),
            put_off: run.before.put_off.map(PutOffRecord::from),
            archived: run.before.archived,
        },
        date: run.date.map(Date::days),
        counted: run.counted.into(),
        steps: run.steps.clone(),
        info: run.info.clone(),
        cost: run.cost,
        log: run.log.map(LogId::key),
    };
    writer.put(run_key(owner, job, run), &record)
}

pub fn remove_run(writer: &Writer<'_>, owner: OwnerId, job: &Job, run: &Run) -> Result<()> {
    writer.remove::<RunRecord>(run_key(owner, job, run))
}

fn run_key(owner: OwnerId, job: &Job, run: &Run) -> (u128, u128, u128, i64, u128) {
    let (owner, item, job) = key(owner, job.item, job.id);
    (owner, item, job, run.time.minutes(), run.id.key())
}

/// Checks every record, and the counts against the flights.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    findings.each::<JobRecord>(data, |findings, key, record| {
        let here = place(&JobRecord::TABLE, key);
        findings.refers(data, &here, &schema::EQUIPMENT, (key.0, key.1))?;
        match job(key, record) {
            Ok(job) => check_count(data, findings, OwnerId::from_key(key.0), &job),
            Err(_) => {
                findings.impossible::<JobRecord>(key);
                Ok(())
            }
        }
    })?;
    findings.each::<CounterRecord>(data, |findings, key, _| {
        if !data.has(&schema::JOBS, key)? {
            let what = FindingKind::RefersToNothing(place(&JobRecord::TABLE, key));
            let remove = move |writer: &Writer<'_>| writer.remove::<CounterRecord>(key);
            findings.derived(&place(&CounterRecord::TABLE, key), what, remove);
        }
        Ok(())
    })?;
    findings.each::<RunRecord>(data, |findings, key, record| {
        let job = (key.0, key.1, key.2);
        findings.refers(data, &place(&RunRecord::TABLE, key), &schema::JOBS, job)?;
        if run(key, record).is_err() {
            findings.impossible::<RunRecord>(key);
        }
        Ok(())
    })
}

fn check_count(data: &Snapshot<'_>, findings: &mut Findings, owner: OwnerId, job: &Job) -> Result<()> {
    let key = key(owner, job.item, job.id);
    let kept = match data.get::<CounterRecord>(key) {
        // Reported where all counts are read.
        Err(Error::Internal(_)) => return Ok(()),
        kept => kept?.map(Counted::from),
    };
    let rebuilt = match rebuilt(data, owner, job.item, job.since) {
        // The damaged use of a flight is reported with the equipment.
        Err(Error::Internal(_)) => return Ok(()),
        rebuilt => rebuilt?,
    };
    let what = match kept {
        Some(kept) if kept == rebuilt => return Ok(()),
        Some(_) => FindingKind::JobCountWrong,
        None => FindingKind::JobCountMissing,
    };
    let job = job.clone();
    let rebuild = move |writer: &Writer<'_>| recount(writer, owner, &job);
    findings.derived(&place(&CounterRecord::TABLE, key), what, rebuild);
    Ok(())
}

fn job((_, item, id): JobKey, record: JobRecord) -> Result<Job> {
    Ok(Job {
        id: JobId::from_key(id),
        item: EquipmentId::from_key(item),
        entries: Entries {
            title: record.title,
            steps: record.steps,
            milliminutes: record.milliminutes,
            flights: record.flights,
            cycles: record.cycles,
            days: record.days,
            date: date(record.date)?,
            repeat: Repeat::from_code(record.repeat).ok_or_else(damaged)?,
            warn_share: record.warn_share,
            source: record.source,
            template: record.template,
        },
        since: WallTime::from_minutes(record.since).ok_or_else(damaged)?,
        anchor: date(record.anchor)?,
        put_off: record.put_off.map(put_off).transpose()?,
        paused: record.paused,
        archived: record.archived,
        made: record.made,
    })
}

fn run((.., minute, id): (u128, u128, u128, i64, u128), record: RunRecord) -> Result<Run> {
    Ok(Run {
        id: JobRunId::from_key(id),
        time: WallTime::from_minutes(minute).ok_or_else(damaged)?,
        kind: RunKind::from_code(record.kind).ok_or_else(damaged)?,
        before: Turn {
            since: WallTime::from_minutes(record.before.since).ok_or_else(damaged)?,
            date: date(record.before.date)?,
            put_off: record.before.put_off.map(put_off).transpose()?,
            archived: record.before.archived,
        },
        date: date(record.date)?,
        counted: record.counted.into(),
        steps: record.steps,
        info: record.info,
        cost: record.cost,
        log: record.log.map(LogId::from_key),
    })
}

fn date(days: Option<i32>) -> Result<Option<Date>> {
    days.map(|days| Date::from_days(days).ok_or_else(damaged)).transpose()
}

fn put_off(record: PutOffRecord) -> Result<PutOff> {
    Ok(match record {
        PutOffRecord::Until(day) => PutOff::Until(Date::from_days(day).ok_or_else(damaged)?),
        PutOffRecord::Flights(flights) => PutOff::Flights(flights),
        PutOffRecord::Milliminutes(milliminutes) => PutOff::Milliminutes(milliminutes),
    })
}

fn damaged() -> Error {
    Error::Internal("a job of maintenance has an impossible value".to_owned())
}

impl From<PutOff> for PutOffRecord {
    fn from(put_off: PutOff) -> PutOffRecord {
        match put_off {
            PutOff::Until(day) => PutOffRecord::Until(day.days()),
            PutOff::Flights(flights) => PutOffRecord::Flights(flights),
            PutOff::Milliminutes(milliminutes) => PutOffRecord::Milliminutes(milliminutes),
        }
    }
}

impl From<Counted> for CounterRecord {
    fn from(counted: Counted) -> CounterRecord {
        CounterRecord {
            milliminutes: counted.milliminutes,
            flights: counted.flights,
            untimed: counted.untimed,
        }
    }
}

impl From<CounterRecord> for Counted {
    fn from(record: CounterRecord) -> Counted {
        Counted {
            milliminutes: record.milliminutes,
            flights: record.flights,
            untimed: record.untimed,
        }
    }
}

#[cfg(test)]
mod tests;

//! Maintenance: jobs of items that come due by hours, flights, chargings, days or a date. A job that is done becomes an
//! ordinary log, and its count starts again. Flights are known only by the uses of items: whoever saves one tells it.
//!
//! The modules stand in reading order, like those of the crate.

pub mod model;
mod templates;
mod standing;
mod table;
pub mod wire;
pub mod exchange;
pub mod write;
pub mod api;

pub use table::check;

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::equipment;
use crate::equipment::model::{Item, Kind, Use};
use crate::light::Light;
use crate::logs;
use crate::packs::charging;
use fluglog_accounts::guard::{Access, Right, Viewer};
use fluglog_accounts::spaces;
use fluglog_app::App;
use fluglog_base::error::Result;
use fluglog_base::id::{EquipmentId, JobId, OwnerId};
use fluglog_base::time::{Clock, Date, WallTime};
use fluglog_store::{Snapshot, Writer};
use model::{Counted, Job, Run};
use standing::{Present, USAGE_DAYS, standing};
use wire::{JobRun, JobTemplate, MaintenanceJob};

const DAY_MINUTES: i64 = 24 * 60;

/// Counts in the jobs of an item what a flight, which was `before` and is `now`, changes.
pub(crate) fn flown(
    writer: &Writer<'_>,
    access: &Access,
    item: EquipmentId,
    before: Option<&Use>,
    now: Option<&Use>,
) -> Result<()> {
    access.check(Right::Use)?;
    table::count_flight(writer, access.owner(), item, before, now)
}

/// Returns the jobs of one item, or of all items in use that the viewer maintains: gravest first, finished ones last.
///
/// # Errors
/// [`Error::NotFound`](fluglog_base::error::Error::NotFound) when there is no such item.
pub(crate) fn list(app: &App, viewer: &Viewer, item: Option<EquipmentId>) -> Result<Vec<MaintenanceJob>> {
    app.store.read(|data| {
        let mut jobs = Vec::new();
        for access in match item {
            Some(id) => vec![equipment::access_to(data, viewer, id)?],
            None => maintained(data, viewer)?,
        } {
            jobs.extend(list_of_owner(data, &app.clock, &access, item)?);
        }
        jobs.sort_by(|one, other| {
            let key = |job: &MaintenanceJob| (job.archived, Reverse(job.level));
            let rest = |job: &MaintenanceJob| job.rest.unwrap_or(f64::INFINITY);
            let names = |job: &MaintenanceJob| (job.item_name.clone(), job.title.clone());
            let by_rest = rest(one).total_cmp(&rest(other));
            key(one)
                .cmp(&key(other))
                .then(by_rest)
                .then_with(|| names(one).cmp(&names(other)))
        });
        Ok(jobs)
    })
}

/// Returns the access to the viewer's own items, and to those of spaces that the viewer maintains.
fn maintained(data: &Snapshot<'_>, viewer: &Viewer) -> Result<Vec<Access>> {
    let mut accesses = spaces::accesses(data, viewer)?;
    accesses.retain(|access| access.check(Right::Maintain).is_ok());
    Ok(accesses)
}

fn list_of_owner(
    data: &Snapshot<'_>,
    clock: &Clock,
    access: &Access,
    item: Option<EquipmentId>,
) -> Result<Vec<MaintenanceJob>> {
    let items = match item {
        Some(id) => HashMap::from([(id, equipment::find(data, access, id)?)]),
        None => equipment::all(data, access)?,
    };
    let mut reader = Reader::new(data, access, clock.now().date());
    let mut jobs = Vec::new();
    for job in table::jobs(data, access.owner(), item)? {
        let Some(of) = items.get(&job.item) else { continue };
        if item.is_some() || of.retirement.is_none() {
            jobs.push(reader.shown(clock, job, of)?);
        }
    }
    Ok(jobs)
}

/// Returns a job of an item.
///
/// # Errors
/// [`Error::NotFound`] when there is no such job.
pub(crate) fn get(app: &App, access: &Access, item: EquipmentId, job: JobId) -> Result<MaintenanceJob> {
    app.store.read(|data| shown(data, access, &app.clock, item, job))
}

fn shown(data: &Snapshot<'_>, access: &Access, clock: &Clock, item: EquipmentId, job: JobId) -> Result<MaintenanceJob> {
    let job = table::find(data, access.owner(), item, job)?;
    let item = equipment::find(data, access, item)?;
    Reader::new(data, access, clock.now().date()).shown(clock, job, &item)
}

/// Returns the runs of a job, latest first.
///
/// # Errors
/// [`Error::NotFound`] when there is no such job.
pub(crate) fn runs(app: &App, viewer: &Viewer, item: EquipmentId, job: JobId) -> Result<Vec<JobRun>> {
    app.store.read(|data| {
        let access = &equipment::access_to(data, viewer, item)?;
        let job = table::find(data, access.owner(), item, job)?;
        let runs = table::runs(data, access.owner(), &job)?;
        runs.into_iter()
            .map(|run| shown_run(data, access, &app.clock, run))
            .collect()
    })
}

fn shown_run(data: &Snapshot<'_>, access: &Access, clock: &Clock, run: Run) -> Result<JobRun> {
    let log = run.log.as_slice();
    let log = logs::load(data, access, clock, log)?.pop();
    Ok(JobRun::new(run, log))
}

/// Returns the proposals for jobs of a kind of items, or all.
pub(crate) fn templates(kind: Option<Kind>) -> Vec<JobTemplate> {
    let fits = |template: &&templates::Template| kind.is_none_or(|kind| template.kinds.contains(&kind));
    templates::ALL.iter().filter(fits).map(JobTemplate::from).collect()
}

/// A job that is due, or will be soon.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DueJob {
    pub item: EquipmentId,
    pub name: String,
    pub kind: Kind,
    pub job: JobId,
    pub title: String,
    pub is_overdue: bool,
    pub text: String,
}

/// Returns the jobs that are due or will be soon, of all items that the viewer maintains, without retired ones.
pub(crate) fn due(data: &Snapshot<'_>, viewer: &Viewer, now: WallTime) -> Result<Vec<DueJob>> {
    let mut due = Vec::new();
    for access in maintained(data, viewer)? {
        due.extend(due_of_owner(data, &access, now)?);
    }
    Ok(due)
}

fn due_of_owner(data: &Snapshot<'_>, access: &Access, now: WallTime) -> Result<Vec<DueJob>> {
    let jobs = table::jobs(data, access.owner(), None)?;
    if jobs.is_empty() {
        return Ok(Vec::new());
    }
    let items = equipment::all(data, access)?;
    let mut reader = Reader::new(data, access, now.date());
    let mut due = Vec::new();
    for job in jobs {
        let Some(item) = items.get(&job.item).filter(|item| item.retirement.is_none()) else {
            continue;
        };
        let standing = standing(&job, &reader.present(&job, item)?);
        if standing.level > Light::Green {
            due.push(DueJob {
                item: item.id,
                name: item.details.name.clone(),
                kind: item.kind,
                job: job.id,
                title: job.entries.title,
                is_overdue: standing.level == Light::Red,
                text: standing.text,
            });
        }
    }
    Ok(due)
}

/// Reads what jobs count, and the use of each item once.
struct Reader<'d> {
    data: &'d Snapshot<'d>,
    access: &'d Access,
    today: Date,
    usage: HashMap<EquipmentId, Counted>,
}

impl<'d> Reader<'d> {
    fn new(data: &'d Snapshot<'d>, access: &'d Access, today: Date) -> Reader<'d> {
        Reader {
            data,
            access,
            today,
            usage: HashMap::new(),
        }
    }

    fn shown(&mut self, clock: &Clock, job: Job, item: &Item) -> Result<MaintenanceJob> {
        let present = self.present(&job, item)?;
        let last_run = table::last_run(self.data, self.access.owner(), &job)?;
        let last_run = last_run
            .map(|run| shown_run(self.data, self.access, clock, run))
            .transpose()?;
        Ok(MaintenanceJob::new(job, item, &present, last_run))
    }

    fn present(&mut self, job: &Job, item: &Item) -> Result<Present> {
        let has_usage = job.entries.milliminutes.is_some() || job.entries.flights.is_some();
        Ok(Present {
            counted: table::counted(self.data, self.access.owner(), job)?.plus(prior(job, item), 1),
            cycles: cycles(self.data, self.access, job, item, None)?,
            usage: if has_usage {
                self.usage(job.item)?
            } else {
                Counted::default()
            },
            today: self.today,
            is_retired: item.retirement.is_some(),
        })
    }

    fn usage(&mut self, item: EquipmentId) -> Result<Counted> {
        if let Some(usage) = self.usage.get(&item) {
            return Ok(*usage);
        }
        let since = (i64::from(self.today.days()) - USAGE_DAYS) * DAY_MINUTES;
        let since = WallTime::from_minutes_clamped(since);
        let usage = table::rebuilt(self.data, self.access.owner(), item, since)?;
        self.usage.insert(item, usage);
        Ok(usage)
    }
}

/// Returns what a job counts of the flights from before Fluglog. They aren't in the kept counts, so that a change of
/// their numbers needs no other write.
fn prior(job: &Job, item: &Item) -> Counted {
    match item.prior.counts_since(job.since.date()) {
        true => Counted {
            milliminutes: i64::from(item.prior.minutes) * 1000,
            flights: item.prior.flights.into(),
            untimed: 0,
        },
        false => Counted::default(),
    }
}

/// Returns the finished chargings since a job counts, until a time, if it has a limit of them.
fn cycles(
    data: &Snapshot<'_>,
    access: &Access,
    job: &Job,
    item: &Item,
    until: Option<WallTime>,
) -> Result<Option<i64>> {
    if job.entries.cycles.is_none() {
        return Ok(None);
    }
    let chargings = charging::recorded(data, access, job.item)?;
    let ends = chargings
        .iter()
        .filter(|charging| !charging.is_discharge())
        .filter_map(|charging| charging.end);
    let counting = ends.filter(|end| *end >= job.since && until.is_none_or(|until| *end < until));
    let before = match item.prior.counts_since(job.since.date()) {
        true => item.prior.cycles.into(),
        false => 0,
    };
    let counted = i64::try_from(counting.count()).unwrap_or(i64::MAX);
    Ok(Some(counted.saturating_add(before)))
}

/// Returns all jobs of an owner with their runs, latest first.
pub fn all(data: &Snapshot<'_>, access: &Access) -> Result<Vec<(Job, Vec<Run>)>> {
    let jobs = table::jobs(data, access.owner(), None)?.into_iter();
    jobs.map(|job| {
        let runs = table::runs(data, access.owner(), &job)?;
        Ok((job, runs))
    })
    .collect()
}

/// Returns the number of times that the jobs of an item were done or skipped.
pub(crate) fn count_of_item(data: &Snapshot<'_>, owner: OwnerId, item: EquipmentId) -> Result<usize> {
    table::count_of_item(data, owner, item)
}

/// Gives the jobs of an item to another owner.
pub(crate) fn move_item(writer: &Writer<'_>, from: OwnerId, to: OwnerId, item: EquipmentId) -> Result<()> {
    table::move_item(writer, from, to, item)
}

#[cfg(test)]
pub(crate) mod tests;

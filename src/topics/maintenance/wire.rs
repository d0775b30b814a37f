//! Jobs, their runs and templates as answers.

use serde::Serialize;

use super::model::{Job, Run, hours_of};
use super::standing::{Present, Standing, standing};
use super::templates::Template;
use crate::equipment::model::{Item, Kind};
use crate::light::Light;
use crate::logs::model::Log;
use fluglog_base::time::Date;

/// What a job is limited by; the first that is reached makes it due.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct JobLimits {
    pub hours: Option<f64>,
    pub flights: Option<u32>,
    /// Chargings of a battery.
    pub cycles: Option<u32>,
    pub days: Option<u32>,
    /// DD.MM.YYYY, the next one.
    pub date: Option<String>,
}

/// What a job has counted since it was done last.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct JobCounters {
    pub hours: f64,
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub flights: i64,
    /// Flights without a flight time.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub flights_without_time: i64,
    #[cfg_attr(feature = "schema", ts(type = "number | null"))]
    pub cycles: Option<i64>,
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub days: i64,
}

/// A job of an item's maintenance.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct MaintenanceJob {
    /// The item.
    pub dpf_id: String,
    pub item_name: String,
    #[cfg_attr(feature = "schema", schema(value_type = u8, maximum = 4))]
    pub item_type: Kind,
    pub job_id: String,
    pub title: String,
    pub steps: Vec<String>,
    pub limits: JobLimits,
    /// `done`, `due` or `once`.
    pub repeat: String,
    /// Percent of a limit from which on it is due soon.
    pub warn_share: u8,
    pub source: String,
    pub template: String,
    /// dd.MM.yyyy HH:mm
    pub since: String,
    pub counters: JobCounters,
    /// The smallest part of a limit that is left; negative beyond it.
    pub rest: Option<f64>,
    pub level: Light,
    pub text: String,
    pub forecast: Option<String>,
    pub paused: bool,
    /// The job is done, and doesn't repeat.
    pub archived: bool,
    /// Until when the job is silent; `null` when it isn't put off.
    pub put_off: Option<String>,
    pub last_run: Option<JobRun>,
}

/// A time that a job was done or skipped.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct JobRun {
    pub run: String,
    /// `done` or `skipped`.
    pub kind: String,
    /// dd.MM.yyyy HH:mm
    pub time: String,
    pub hours: f64,
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub flights: i64,
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub days: i64,
    /// The steps that were ticked.
    pub steps: Vec<String>,
    /// The text of its log, or why it was skipped.
    pub info: Option<String>,
    /// €
    pub cost: Option<f64>,
    pub log: Option<String>,
}

/// A job that was done.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct CompletedJob {
    pub job: MaintenanceJob,
    pub run: String,
    /// `null` if it was deleted since.
    pub log: Option<Log>,
}

/// A proposal for a job.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct JobTemplate {
    pub template: String,
    pub title: String,
    /// Kinds of items that it is for.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<u8>))]
    pub types: Vec<Kind>,
    pub steps: Vec<String>,
    pub limits: JobLimits,
    /// `done`, `due` or `once`.
    pub repeat: String,
    pub source: String,
}

impl MaintenanceJob {
    #[must_use]
    pub(crate) fn new(job: Job, item: &Item, present: &Present, last_run: Option<JobRun>) -> MaintenanceJob {
        let Standing {
            rest,
            level,
            text,
            forecast,
            put_off,
        } = standing(&job, present);
        let (counted, entries) = (present.counted, job.entries);
        MaintenanceJob {
            dpf_id: job.item.to_string(),
            item_name: item.details.name.clone(),
            item_type: item.kind,
            job_id: job.id.to_string(),
            title: entries.title,
            steps: entries.steps,
            limits: JobLimits {
                hours: entries.milliminutes.map(hours_of),
                flights: entries.flights,
                cycles: entries.cycles,
                days: entries.days,
                date: entries.date.map(|date| date.to_string()),
            },
            repeat: entries.repeat.name().to_owned(),
            warn_share: entries.warn_share,
            source: entries.source,
            template: entries.template,
            since: job.since.to_string(),
            counters: JobCounters {
                hours: counted.hours(),
                flights: counted.flights,
                flights_without_time: counted.untimed,
                cycles: present.cycles,
                days: days_between(job.since.date(), present.today),
            },
            rest,
            level,
            text,
            forecast,
            paused: job.paused,
            archived: job.archived,
            put_off,
            last_run,
        }
    }
}

impl JobRun {
    #[must_use]
    pub(crate) fn new(run: Run, log: Option<Log>) -> JobRun {
        JobRun {
            run: run.id.to_string(),
            kind: run.kind.name().to_owned(),
            time: run.time.to_string(),
            hours: run.counted.hours(),
            flights: run.counted.flights,
            days: days_between(run.before.since.date(), run.time.date()),
            steps: run.steps,
            log: log.as_ref().map(|log| log.dpf_id.clone()),
            info: log
                .map(|log| log.info)
                .or(Some(run.info))
                .filter(|info| !info.is_empty()),
            cost: run.cost.map(euros),
        }
    }
}

impl From<&Template> for JobTemplate {
    fn from(template: &Template) -> JobTemplate {
        JobTemplate {
            template: template.name.to_owned(),
            title: template.title.to_owned(),
            types: template.kinds.to_vec(),
            steps: template.steps.iter().map(|step| (*step).to_owned()).collect(),
            limits: JobLimits {
                hours: template.hours.map(f64::from),
                flights: template.flights,
                cycles: template.cycles,
                days: template.days,
                date: None,
            },
            repeat: template.repeat.name().to_owned(),
            source: template.source.to_owned(),
        }
    }
}

pub(crate) fn days_between(from: Date, to: Date) -> i64 {
    i64::from(to.days() - from.days())
}

pub(crate) fn euros(cents: i64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "at most 100 million")]
    let euros = cents as f64 / 100.0;
    euros
}

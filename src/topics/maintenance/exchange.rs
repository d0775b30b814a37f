//! Jobs in exports: everything of a job and its runs, to be read again by another Fluglog.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::model::{Counted, EntryChanges, Job, PutOff, Run, RunKind, Turn, hours_of, tenths};
use super::wire::euros;
use crate::equipment::model::Kind;
use fluglog_base::id::{ClientChosenId, EquipmentId, JobId, JobRunId, LogId};
use fluglog_base::input::Fields;
use fluglog_base::time::{Clock, Date, WallTime};

/// More bytes in a text of a run can't have been entered.
const MAX_RUN_TEXT_BYTES: usize = 20_000;

/// A job in an export. Its entries are named as in the form.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExportedJob {
    pub dpf_id: String,
    pub equipment: String,
    pub title: String,
    pub steps: Vec<String>,
    pub hours: Option<f64>,
    pub flights: Option<u32>,
    pub cycles: Option<u32>,
    pub days: Option<u32>,
    pub repeat: String,
    pub warn_share: u8,
    pub source: String,
    pub template: String,
    /// DD.MM.YYYY, as entered; the next one of a series is that of the turn.
    pub anchor: Option<String>,
    pub paused: bool,
    /// dd.MM.yyyy HH:mm
    pub made: String,
    #[serde(flatten)]
    pub turn: ExportedTurn,
    /// Latest first.
    pub runs: Vec<ExportedRun>,
}

/// Where a job stands, or stood before a run.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExportedTurn {
    pub since: String,
    pub date: Option<String>,
    pub put_off_until: Option<String>,
    pub put_off_to_flights: Option<i64>,
    /// Thousandths of a minute.
    pub put_off_to_milliminutes: Option<i64>,
    pub archived: bool,
}

/// A time that a job was done or skipped, in an export.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExportedRun {
    pub dpf_id: String,
    pub kind: String,
    pub time: String,
    pub steps: Vec<String>,
    pub info: String,
    pub cost: Option<f64>,
    pub log: Option<String>,
    /// Thousandths of a minute, as counted then.
    pub milliminutes: i64,
    pub flights: i64,
    pub flights_without_time: i64,
    pub next_date: Option<String>,
    pub before: ExportedTurn,
}

impl ExportedJob {
    #[must_use]
    pub fn new(job: &Job, runs: &[Run], clock: &Clock) -> ExportedJob {
        let entries = &job.entries;
        ExportedJob {
            dpf_id: job.id.to_string(),
            equipment: job.item.to_string(),
            title: entries.title.clone(),
            steps: entries.steps.clone(),
            hours: entries.milliminutes.map(hours_of),
            flights: entries.flights,
            cycles: entries.cycles,
            days: entries.days,
            repeat: entries.repeat.name().to_owned(),
            warn_share: entries.warn_share,
            source: entries.source.clone(),
            template: entries.template.clone(),
            anchor: job.anchor.map(|date| date.to_string()),
            paused: job.paused,
            made: clock.wall_time_at(job.made).to_string(),
            turn: ExportedTurn::new(job.turn()),
            runs: runs.iter().map(ExportedRun::new).collect(),
        }
    }

    /// Returns the item in the source instance.
    #[must_use]
    pub(crate) fn item(&self) -> Option<EquipmentId> {
        EquipmentId::parse(&self.equipment)
    }

    /// Returns the job of an own item and its runs, read by the rules of the form; `None` if it breaks one. `instant`
    /// returns Unix seconds.
    #[must_use]
    pub(crate) fn read(
        &self,
        (item, kind): (EquipmentId, Kind),
        instant: impl FnOnce(Option<WallTime>) -> i64,
    ) -> Option<(Job, Vec<Run>)> {
        let form = json!({
            "title": self.title,
            "steps": self.steps.join("\n"),
            "hours": self.hours,
            "flights": self.flights,
            "cycles": self.cycles,
            "days": self.days,
            "date": self.turn.date,
            "repeat": self.repeat,
            "warnShare": self.warn_share,
            "source": self.source,
            "template": self.template,
        });
        let changes = EntryChanges::read(&Fields::from_json(&form.to_string()).ok()?).ok()?;
        let turn = self.turn.read()?;
        let made = instant(WallTime::parse(&self.made).ok());
        let id = JobId::from_client(&self.dpf_id)?;
        let mut job = Job::new(id, (item, kind), &changes, turn.since, made).ok()?;
        job.anchor = optional(self.anchor.as_deref(), |date| Date::parse(date).ok())?;
        job.paused = self.paused;
        job.put_off = turn.put_off;
        job.archived = turn.archived;
        let runs = self.runs.iter().map(ExportedRun::read).collect::<Option<_>>()?;
        Some((job, runs))
    }
}

impl ExportedTurn {
    fn new(turn: Turn) -> ExportedTurn {
        let (mut until, mut flights, mut milliminutes) = (None, None, None);
        match turn.put_off {
            None => {}
            Some(PutOff::Until(day)) => until = Some(day.to_string()),
            Some(PutOff::Flights(target)) => flights = Some(target),
            Some(PutOff::Milliminutes(target)) => milliminutes = Some(target),
        }
        ExportedTurn {
            since: turn.since.to_string(),
            date: turn.date.map(|date| date.to_string()),
            put_off_until: until,
            put_off_to_flights: flights,
            put_off_to_milliminutes: milliminutes,
            archived: turn.archived,
        }
    }

    fn read(&self) -> Option<Turn> {
        let until = optional(self.put_off_until.as_deref(), |day| Date::parse(day).ok())?;
        let put_off = until.map(PutOff::Until);
        let put_off = put_off.or(self.put_off_to_flights.map(PutOff::Flights));
        Some(Turn {
            since: WallTime::parse(&self.since).ok()?,
            date: optional(self.date.as_deref(), |date| Date::parse(date).ok())?,
            put_off: put_off.or(self.put_off_to_milliminutes.map(PutOff::Milliminutes)),
            archived: self.archived,
        })
    }
}

impl ExportedRun {
    fn new(run: &Run) -> ExportedRun {
        ExportedRun {
            dpf_id: run.id.to_string(),
            kind: run.kind.name().to_owned(),
            time: run.time.to_string(),
            steps: run.steps.clone(),
            info: run.info.clone(),
            cost: run.cost.map(euros),
            log: run.log.map(|log| log.to_string()),
            milliminutes: run.counted.milliminutes,
            flights: run.counted.flights,
            flights_without_time: run.counted.untimed,
            next_date: run.date.map(|date| date.to_string()),
            before: ExportedTurn::new(run.before),
        }
    }

    fn read(&self) -> Option<Run> {
        let is_count = |count: i64| (0..=i64::from(u32::MAX) * 1000).contains(&count);
        let counts = [self.milliminutes, self.flights, self.flights_without_time];
        let are_short = self
            .steps
            .iter()
            .chain([&self.info])
            .all(|text| text.len() <= MAX_RUN_TEXT_BYTES);
        if !are_short
            || !counts.into_iter().all(is_count)
            || self.cost.is_some_and(|cost| !(0.0..=1_000_000.0).contains(&cost))
        {
            return None;
        }
        Some(Run {
            id: JobRunId::from_client(&self.dpf_id)?,
            time: WallTime::parse(&self.time).ok()?,
            kind: RunKind::named(&self.kind)?,
            before: self.before.read()?,
            date: optional(self.next_date.as_deref(), |date| Date::parse(date).ok())?,
            counted: Counted {
                milliminutes: self.milliminutes,
                flights: self.flights,
                untimed: self.flights_without_time,
            },
            steps: self.steps.iter().take(20).cloned().collect(),
            info: self.info.clone(),
            cost: self.cost.map(|cost| tenths(cost * 10.0)),
            log: optional(self.log.as_deref(), LogId::parse)?,
        })
    }
}

/// Reads a value that may be absent; `None` when it is there and wrong.
#[expect(clippy::option_option, reason = "the outer one is the failure")]
fn optional<T>(text: Option<&str>, read: impl FnOnce(&str) -> Option<T>) -> Option<Option<T>> {
    match text {
        None => Some(None),
        Some(text) => read(text).map(Some),
    }
}

//! Jobs of maintenance: what a pilot enters of them, and what doing, skipping and putting off changes. No store, no
//! web.

use crate::equipment::model::Kind;
use fluglog_base::coded;
use fluglog_base::declared::Declared;
use fluglog_base::error::{Error, Result};
use fluglog_base::field::{Field, MAX_TEXT_CHARACTERS, changes};
use fluglog_base::id::{EquipmentId, JobId, JobRunId, LogId};
use fluglog_base::input::{Change, Fields};
use fluglog_base::text;
use fluglog_base::time::{Date, WallTime};

/// Thousandths of a minute in an hour.
pub(crate) const HOUR: i64 = 60_000;
/// Days between two dates of a yearly series.
const YEAR_DAYS: i64 = 365;
/// Longest time before a date that counts as soon.
const SOON_DAYS: i64 = 14;
const MAX_STEPS: usize = 20;
/// Preset share of a limit, in percent, from which on a job is due soon.
const WARN_SHARE: u8 = 10;

const TITLE: Field<String> = Field::line("title", MAX_TEXT_CHARACTERS);
/// One step a line.
const STEPS: Field<String> = Field::lines("steps", MAX_STEPS * (MAX_TEXT_CHARACTERS + 1));
const HOURS: Field<f64> = Field::number("hours");
const FLIGHTS: Field<u32> = Field::integer("flights", 1..=100_000, text::JOB_COUNT_OUT_OF_RANGE);
const CYCLES: Field<u32> = Field::integer("cycles", 1..=100_000, text::JOB_COUNT_OUT_OF_RANGE);
const DAYS: Field<u32> = Field::integer("days", 1..=3650, text::JOB_DAYS_OUT_OF_RANGE);
const DATE: Field<Date> = Field::date("date");
const REPEAT: Field<String> = Field::line("repeat", 10);
const WARN: Field<u8> = Field::integer("warnShare", 1..=50, text::JOB_WARN_OUT_OF_RANGE);
const SOURCE: Field<String> = Field::line("source", MAX_TEXT_CHARACTERS);
const TEMPLATE: Field<String> = Field::line("template", 40);
/// The day from which on a new job counts.
pub(crate) const SINCE: Field<Date> = Field::date("since");

const MEMBERS: &[Declared] = &[
    TITLE.declared(),
    STEPS.declared(),
    HOURS.declared(),
    FLIGHTS.declared(),
    CYCLES.declared(),
    DAYS.declared(),
    DATE.declared(),
    REPEAT.declared(),
    WARN.declared(),
    SOURCE.declared(),
    TEMPLATE.declared(),
    SINCE.declared(),
];

/// The entries of a job, as a JSON object.
pub(crate) const JOB: Field<Fields> = Field::object("job", MEMBERS);

coded! {
    /// What a job does after it was done.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum Repeat {
        /// The limits count from the time at which the job was done.
        #[default]
        Done = 0,
        /// The date moves on by the job's days, or else by a year.
        Due = 1,
        Once = 2,
    }
}

impl Repeat {
    /// Returns the name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Repeat::Done => "done",
            Repeat::Due => "due",
            Repeat::Once => "once",
        }
    }

    fn named(name: &str) -> Option<Repeat> {
        Repeat::ALL.into_iter().find(|repeat| repeat.name() == name)
    }
}

/// A job as entered by the pilot.
#[derive(Debug, Clone, PartialEq)]
pub struct Entries {
    pub title: String,
    pub steps: Vec<String>,
    /// Thousandths of a minute.
    pub milliminutes: Option<i64>,
    pub flights: Option<u32>,
    pub cycles: Option<u32>,
    pub days: Option<u32>,
    /// The next date.
    pub date: Option<Date>,
    pub repeat: Repeat,
    /// Percent of a limit.
    pub warn_share: u8,
    pub source: String,
    /// The template that it was made from.
    pub template: String,
}

impl Default for Entries {
    fn default() -> Entries {
        Entries {
            title: String::new(),
            steps: Vec::new(),
            milliminutes: None,
            flights: None,
            cycles: None,
            days: None,
            date: None,
            repeat: Repeat::default(),
            warn_share: WARN_SHARE,
            source: String::new(),
            template: String::new(),
        }
    }
}

changes! {
    /// Changes of a job by a form.
    EntryChanges of Entries {
        title: String = TITLE by title,
        steps: Vec<String> = STEPS by steps,
        milliminutes: Option<i64> = HOURS by hours,
        flights: Option<u32> = FLIGHTS by Field::change,
        cycles: Option<u32> = CYCLES by Field::change,
        days: Option<u32> = DAYS by Field::change,
        date: Option<Date> = DATE by Field::change,
        repeat: Repeat = REPEAT by repeat,
        warn_share: u8 = WARN by warn_share,
        source: String = SOURCE by Field::change_or_default,
        template: String = TEMPLATE by Field::change_or_default,
    }
}

fn title(field: &Field<String>, fields: &Fields) -> Result<Change<String>> {
    field.replacement(fields, text::JOB_TITLE_MISSING)
}

fn steps(field: &Field<String>, fields: &Fields) -> Result<Change<Vec<String>>> {
    let Change::Set(lines) = field.change_or_default(fields)? else {
        return Ok(Change::Keep);
    };
    let steps: Vec<_> = lines.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let is_long = |step: &&str| step.chars().nth(MAX_TEXT_CHARACTERS).is_some();
    match steps.len() > MAX_STEPS || steps.iter().any(is_long) {
        true => Err(field.invalid(text::JOB_STEPS_TOO_MANY)),
        false => Ok(Change::Set(steps.into_iter().map(str::to_owned).collect())),
    }
}

fn hours(field: &Field<f64>, fields: &Fields) -> Result<Change<Option<i64>>> {
    let Change::Set(hours) = field.change(fields)? else {
        return Ok(Change::Keep);
    };
    let limit = hours.map(|hours| {
        (0.1..=10_000.0)
            .contains(&hours)
            .then(|| tenths(hours) * HOUR / 10)
            .ok_or_else(|| field.invalid(text::JOB_HOURS_OUT_OF_RANGE))
    });
    limit.transpose().map(Change::Set)
}

/// Returns hours to thousandths.
#[must_use]
pub(crate) fn hours_of(milliminutes: i64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    let hours = milliminutes as f64 / HOUR as f64;
    (hours * 1000.0).round() / 1000.0
}

/// Returns a number of hours of a form in tenths.
pub(crate) fn tenths(hours: f64) -> i64 {
    // A value of `Field::number` has at most 9 digits before the point, so this fits.
    #[expect(clippy::cast_possible_truncation)]
    let tenths = (hours * 10.0).round() as i64;
    tenths
}

fn repeat(field: &Field<String>, fields: &Fields) -> Result<Change<Repeat>> {
    match field.change(fields)? {
        Change::Keep => Ok(Change::Keep),
        Change::Set(None) => Ok(Change::Set(Repeat::default())),
        Change::Set(Some(name)) => match Repeat::named(&name) {
            Some(repeat) => Ok(Change::Set(repeat)),
            None => Err(field.invalid(text::INVALID_INPUT)),
        },
    }
}

fn warn_share(field: &Field<u8>, fields: &Fields) -> Result<Change<u8>> {
    Ok(match field.change(fields)? {
        Change::Keep => Change::Keep,
        Change::Set(share) => Change::Set(share.unwrap_or(WARN_SHARE)),
    })
}

impl Entries {
    /// Checks the entries of a job of an item of this kind against each other.
    ///
    /// # Errors
    /// There is no title or no limit, cycles of an item that isn't charged, or a series without dates.
    fn check(&self, kind: Kind) -> Result<()> {
        if self.title.is_empty() {
            return Err(TITLE.invalid(text::JOB_TITLE_MISSING));
        }
        if self.cycles.is_some() && kind != Kind::Battery {
            return Err(CYCLES.invalid(text::JOB_CYCLES_OF_NO_BATTERY));
        }
        let has_date = self.days.is_some() || self.date.is_some();
        if self.repeat == Repeat::Due && !has_date {
            return Err(DATE.invalid(text::JOB_SERIES_WITHOUT_DATE));
        }
        let has_limit = has_date || self.milliminutes.is_some() || self.flights.or(self.cycles).is_some();
        match has_limit {
            true => Ok(()),
            false => Err(Error::invalid("hours", text::JOB_WITHOUT_LIMIT)),
        }
    }
}

/// Until when a job is put off: it is silent until this is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PutOff {
    Until(Date),
    /// Until the job has counted this number of flights.
    Flights(i64),
    /// Until the job has counted this number of thousandths of a minute.
    Milliminutes(i64),
}

impl PutOff {
    /// Returns whether the job is still put off.
    #[must_use]
    pub(crate) fn lasts(self, counted: Counted, today: Date) -> bool {
        match self {
            PutOff::Until(day) => today < day,
            PutOff::Flights(flights) => counted.flights < flights,
            PutOff::Milliminutes(milliminutes) => counted.milliminutes < milliminutes,
        }
    }
}

/// Where a job stands: what doing it changes, and undoing brings back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn {
    /// Flights that began at this time or later count.
    pub since: WallTime,
    pub date: Option<Date>,
    pub put_off: Option<PutOff>,
    /// The job is done, and doesn't repeat.
    pub archived: bool,
}

/// What the finished flights of an item have added.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counted {
    /// Thousandths of a minute.
    pub milliminutes: i64,
    pub flights: i64,
    /// Flights without a flight time.
    pub untimed: i64,
}

impl Counted {
    /// Returns the flight time in hours, to thousandths.
    #[must_use]
    pub fn hours(self) -> f64 {
        hours_of(self.milliminutes)
    }

    /// Returns the sum with `other` taken `times` times, such as −1.
    #[must_use]
    pub(crate) const fn plus(self, other: Counted, times: i64) -> Counted {
        Counted {
            milliminutes: self.milliminutes + times * other.milliminutes,
            flights: self.flights + times * other.flights,
            untimed: self.untimed + times * other.untimed,
        }
    }
}

/// A job as stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    pub id: JobId,
    pub item: EquipmentId,
    pub entries: Entries,
    pub since: WallTime,
    /// The date that the pilot entered, whose day of the year a yearly series keeps.
    pub anchor: Option<Date>,
    pub put_off: Option<PutOff>,
    pub paused: bool,
    pub archived: bool,
    /// Unix seconds.
    pub made: i64,
}

coded! {
    /// What a run did.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum RunKind {
        Done = 0,
        Skipped = 1,
    }
}

impl RunKind {
    /// Returns the name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            RunKind::Done => "done",
            RunKind::Skipped => "skipped",
        }
    }

    /// Returns the kind of this name.
    #[must_use]
    pub(crate) fn named(name: &str) -> Option<RunKind> {
        RunKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A time that a job was done or skipped.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    pub id: JobRunId,
    pub time: WallTime,
    pub kind: RunKind,
    pub before: Turn,
    /// The date of the job after it.
    pub date: Option<Date>,
    pub counted: Counted,
    /// The steps that were ticked.
    pub steps: Vec<String>,
    /// Why it was skipped.
    pub info: String,
    /// Cents.
    pub cost: Option<i64>,
    /// The log about it, which may have been deleted.
    pub log: Option<LogId>,
}

impl Job {
    /// Creates a job.
    ///
    /// # Errors
    /// The entries contradict each other.
    pub(crate) fn new(
        id: JobId,
        (item, kind): (EquipmentId, Kind),
        changes: &EntryChanges,
        since: WallTime,
        made: i64,
    ) -> Result<Job> {
        let mut job = Job {
            id,
            item,
            entries: Entries::default(),
            since,
            anchor: None,
            put_off: None,
            paused: false,
            archived: false,
            made,
        };
        job.change(kind, changes, false)?;
        Ok(job)
    }

    /// Changes the entries. A job that was done before and now doesn't repeat is finished; one that repeats isn't.
    ///
    /// # Errors
    /// The entries contradict each other.
    pub(crate) fn change(&mut self, kind: Kind, changes: &EntryChanges, was_done: bool) -> Result<()> {
        let before = (self.entries.date, self.entries.repeat);
        changes.apply(&mut self.entries);
        self.entries.check(kind)?;
        if self.entries.repeat == Repeat::Due && self.entries.date.is_none() {
            self.entries.date = self
                .entries
                .days
                .and_then(|days| plus_days(self.since.date(), days.into()));
        }
        if (self.entries.date, self.entries.repeat) != before {
            self.anchor = self.entries.date;
        }
        if self.entries.repeat != before.1 {
            self.archived = was_done && self.entries.repeat == Repeat::Once;
        }
        Ok(())
    }

    /// Returns what doing or skipping it changes.
    #[must_use]
    pub(crate) fn turn(&self) -> Turn {
        Turn {
            since: self.since,
            date: self.entries.date,
            put_off: self.put_off,
            archived: self.archived,
        }
    }

    /// Restarts the count at the time at which it was done or skipped.
    pub(crate) fn restart(&mut self, kind: RunKind, time: WallTime) {
        self.entries.date = self.date_after(kind, time.date());
        self.since = time;
        self.put_off = None;
        self.archived = self.entries.repeat == Repeat::Once;
    }

    /// Takes back the run that restarted it. A date that was entered since stays.
    pub(crate) fn take_back(&mut self, run: &Run) {
        self.since = run.before.since;
        self.put_off = run.before.put_off;
        self.archived = run.before.archived;
        if self.entries.date == run.date {
            self.entries.date = run.before.date;
        }
    }

    /// Returns the next date after a run on `day`.
    fn date_after(&self, kind: RunKind, day: Date) -> Option<Date> {
        let date = self.entries.date?;
        match self.entries.repeat {
            Repeat::Once => Some(date),
            // The days count from now on; a date alone comes again a year later.
            Repeat::Done if self.entries.days.is_some() => None,
            Repeat::Done => day.plus_years(1),
            Repeat::Due => Some(self.next_of_series(kind, date, day)),
        }
    }

    /// Returns the first date of the series whose warning begins after the day of a run: work done long before a date
    /// doesn't replace the work of that date. A skipped date doesn't stay.
    fn next_of_series(&self, kind: RunKind, date: Date, day: Date) -> Date {
        let mut next = date;
        let soon = i32::try_from(self.soon_days(self.series_days())).unwrap_or_default();
        while next.days() - soon <= day.days() || (kind == RunKind::Skipped && next == date) {
            let Some(later) = self.later(next) else { break };
            next = later;
        }
        next
    }

    fn later(&self, date: Date) -> Option<Date> {
        match self.entries.days {
            Some(days) => plus_days(date, days.into()),
            None => {
                let anchor = self.anchor.unwrap_or(date);
                let years = |date: Date| date.year_and_day().0.cast_signed();
                anchor.plus_years(years(date) + 1 - years(anchor))
            }
        }
    }

    fn series_days(&self) -> i64 {
        self.entries.days.map_or(YEAR_DAYS, i64::from)
    }

    /// Returns the day on which it is due by days or date, and the days between that day and the one before.
    pub(crate) fn due_days(&self) -> impl Iterator<Item = (Date, i64)> {
        let begun = self.since.date();
        let by_date = self.entries.date.map(|date| match self.entries.repeat {
            Repeat::Due => (date, self.series_days()),
            Repeat::Done | Repeat::Once => (date, i64::from(date.days() - begun.days()).max(1)),
        });
        let days = self.entries.days.filter(|_| self.entries.repeat != Repeat::Due);
        let by_days = days.and_then(|days| Some((plus_days(begun, days.into())?, i64::from(days))));
        by_date.into_iter().chain(by_days)
    }

    /// Returns how many days before its day a job is due soon, if `interval` days lie between two of them.
    #[must_use]
    pub(crate) fn soon_days(&self, interval: i64) -> i64 {
        SOON_DAYS.min(interval / 2)
    }
}

fn plus_days(date: Date, days: i64) -> Option<Date> {
    Date::from_days(i32::try_from(i64::from(date.days()) + days).ok()?)
}

#[cfg(test)]
mod tests;

//! Where a job stands: what is left, how urgent it is, and the sentence about it. A function of the job, of what was
//! counted and of the day.

use std::cmp::Ordering;

use super::model::{Counted, HOUR, Job, PutOff, Repeat};
use crate::light::Light;
use fluglog_base::number::{count, counted as noun, format_german};
use fluglog_base::time::Date;

/// Days of which the flights tell how much an item is used.
pub(crate) const USAGE_DAYS: i64 = 90;
/// Fewest flights of these days that tell it.
const USAGE_FLIGHTS: i64 = 5;
/// Longest forecast in days.
const FORECAST_DAYS: f64 = 730.0;

/// What a job counts at one time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Present {
    pub counted: Counted,
    /// Chargings since the job counts; known if it has a limit of them.
    pub cycles: Option<i64>,
    /// The item's flights of the last [`USAGE_DAYS`] days.
    pub usage: Counted,
    pub today: Date,
    pub is_retired: bool,
}

/// Where a job stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Standing {
    /// The smallest part of a limit that is left; negative beyond it.
    pub rest: Option<f64>,
    pub level: Light,
    pub text: String,
    pub forecast: Option<String>,
    pub put_off: Option<String>,
}

/// One limit of a job and what is used of it.
#[derive(Debug, Clone, Copy)]
struct Gauge {
    unit: Unit,
    used: i64,
    limit: i64,
    is_soon: bool,
}

#[derive(Debug, Clone, Copy)]
enum Unit {
    Milliminutes,
    Flights,
    Cycles,
    /// The day on which it is due.
    Days(Date),
}

/// Returns where a job stands.
#[must_use]
pub(crate) fn standing(job: &Job, present: &Present) -> Standing {
    let gravest = gauges(job, present).max_by(Gauge::compare);
    let level = gravest.map_or(Light::Grey, Gauge::level);
    let put_off = job
        .put_off
        .filter(|put_off| put_off.lasts(present.counted, present.today));
    let is_open = !job.archived && !present.is_retired;
    let is_silent = !is_open || job.paused || (put_off.is_some() && level > Light::Green);
    let due = gravest.map(Gauge::text).unwrap_or_default();
    let text = match put_off {
        _ if job.archived => "abgeschlossen".to_owned(),
        _ if present.is_retired => "ausgemustert".to_owned(),
        _ if job.paused => "pausiert".to_owned(),
        Some(put_off) if level == Light::Red => {
            format!("fällig, verschoben {}", put_off_words(put_off, present.counted))
        }
        Some(put_off) if level == Light::Amber => {
            format!("bald fällig, verschoben {}", put_off_words(put_off, present.counted))
        }
        _ => due,
    };
    Standing {
        rest: gravest.filter(|_| !job.archived).map(Gauge::rest),
        level: if is_silent { Light::Grey } else { level },
        text,
        forecast: gravest
            .filter(|_| is_open && !job.paused)
            .and_then(|gauge| gauge.forecast(&present.usage)),
        put_off: put_off
            .filter(|_| is_open)
            .map(|put_off| put_off_words(put_off, present.counted)),
    }
}

/// Returns the limits of a job.
fn gauges<'j>(job: &'j Job, present: &Present) -> impl Iterator<Item = Gauge> + use<'j> {
    let (counted, cycles, today) = (present.counted, present.cycles, present.today);
    let entries = &job.entries;
    let share = i64::from(entries.warn_share);
    let counting = move |unit, used: i64, limit: i64| {
        let left = limit - used;
        let is_last = !matches!(unit, Unit::Milliminutes) && left <= 1 && limit > 1;
        Gauge {
            unit,
            used,
            limit,
            is_soon: left * 100 <= share * limit || is_last,
        }
    };
    let hours = entries
        .milliminutes
        .map(|limit| counting(Unit::Milliminutes, counted.milliminutes, limit));
    let flights = entries
        .flights
        .map(|limit| counting(Unit::Flights, counted.flights, limit.into()));
    let cycles = entries.cycles.zip(cycles);
    let cycles = cycles.map(|(limit, used)| counting(Unit::Cycles, used, limit.into()));
    let days = job.due_days().map(move |(due, interval)| {
        let left = i64::from(due.days() - today.days());
        Gauge {
            unit: Unit::Days(due),
            used: interval - left,
            limit: interval,
            is_soon: left <= job.soon_days(interval),
        }
    });
    hours.into_iter().chain(flights).chain(cycles).chain(days)
}

impl Gauge {
    const fn left(self) -> i64 {
        self.limit - self.used
    }

    /// Returns the part that is left, for display and to compare limits; levels compare whole numbers.
    fn rest(self) -> f64 {
        // Hours of centuries in thousandths of minutes are below 2^53.
        #[expect(clippy::cast_precision_loss)]
        let rest = self.left() as f64 / self.limit as f64;
        (rest * 1000.0).round() / 1000.0
    }

    const fn level(self) -> Light {
        match self.left() {
            ..=0 => Light::Red,
            _ if self.is_soon => Light::Amber,
            _ => Light::Green,
        }
    }

    fn compare(&self, other: &Gauge) -> Ordering {
        let by_rest = other.rest().total_cmp(&self.rest());
        self.level().cmp(&other.level()).then(by_rest)
    }

    fn text(self) -> String {
        let (left, over) = (self.left(), -self.left());
        match self.unit {
            Unit::Days(_) if left == 0 => "heute fällig".to_owned(),
            _ if left == 0 => "jetzt fällig".to_owned(),
            Unit::Days(_) if over > 0 => format!("fällig seit {}", days(over)),
            Unit::Milliminutes if over > 0 => format!("fällig seit {}", hours(over)),
            Unit::Flights if over > 0 => format!("fällig seit {}", since_flights(over)),
            Unit::Cycles if over > 0 => format!("fällig seit {}", noun(over.unsigned_abs(), "Ladung", "Ladungen")),
            Unit::Days(due) => format!("noch {} (bis {due})", noun(left.unsigned_abs(), "Tag", "Tage")),
            Unit::Milliminutes => format!(
                "noch {} ({} von {} h)",
                hours(left),
                tenths(self.used),
                tenths(self.limit)
            ),
            Unit::Flights => {
                let left = noun(left.unsigned_abs(), "Flug", "Flüge");
                format!("noch {left} ({} von {})", self.used, count(self.limit.unsigned_abs()))
            }
            Unit::Cycles => {
                let left = noun(left.unsigned_abs(), "Ladung", "Ladungen");
                format!("noch {left} ({} von {})", self.used, count(self.limit.unsigned_abs()))
            }
        }
    }

    /// Returns when the limit will be reached, if the item goes on being used as in the last months.
    fn forecast(self, usage: &Counted) -> Option<String> {
        let used = match self.unit {
            Unit::Milliminutes => usage.milliminutes,
            Unit::Flights => usage.flights,
            Unit::Cycles | Unit::Days(_) => return None,
        };
        if usage.flights < USAGE_FLIGHTS || used <= 0 || self.left() <= 0 {
            return None;
        }
        #[expect(clippy::cast_precision_loss, reason = "both are far below 2^53")]
        let days = (self.left() as f64 * USAGE_DAYS as f64 / used as f64).ceil();
        let when = match days {
            ..2.0 => "einem Tag".to_owned(),
            ..14.0 => format!("{days} Tagen"),
            ..63.0 => format!("{} Wochen", (days / 7.0).round()),
            ..=FORECAST_DAYS => format!("{} Monaten", (days / 30.4).round()),
            _ => return None,
        };
        Some(format!("Bei Ihrer Nutzung etwa in {when}."))
    }
}

/// Prints hours rounded down to tenths.
pub(crate) fn tenths(milliminutes: i64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    let tenths = (milliminutes.max(0) / (HOUR / 10)) as f64;
    format_german(tenths / 10.0, 1)
}

/// Prints a time in hours, below one in minutes.
fn hours(milliminutes: i64) -> String {
    match milliminutes {
        ..HOUR => format!("{} min", (milliminutes + 999) / 1000),
        _ => format!("{} h", tenths(milliminutes)),
    }
}

/// After "seit", "in" and "nach".
pub(crate) fn days(days: i64) -> String {
    noun(days.unsigned_abs(), "Tag", "Tagen")
}

fn since_flights(flights: i64) -> String {
    match flights {
        1 => "einem Flug".to_owned(),
        _ => format!("{} Flügen", count(flights.unsigned_abs())),
    }
}

fn put_off_words(put_off: PutOff, counted: Counted) -> String {
    match put_off {
        PutOff::Until(day) => format!("bis {day}"),
        PutOff::Flights(flights) => {
            let left = (flights - counted.flights).unsigned_abs();
            format!("um {}", noun(left, "Flug", "Flüge"))
        }
        PutOff::Milliminutes(target) => format!("um {}", hours(target - counted.milliminutes)),
    }
}

/// Returns the first part of the log about a job that was done: what was done, and after how much use.
#[must_use]
pub(crate) fn done_words(job: &Job, counted: Counted, cycles: Option<i64>, days_since: i64) -> String {
    let entries = &job.entries;
    let mut after = Vec::new();
    if entries.milliminutes.is_some() || counted.milliminutes > 0 {
        after.push(format!("{} h", tenths(counted.milliminutes)));
    }
    if entries.flights.is_some() || counted.flights > 0 {
        after.push(noun(counted.flights.max(0).unsigned_abs(), "Flug", "Flügen"));
    }
    if let Some(cycles) = cycles {
        after.push(noun(cycles.unsigned_abs(), "Ladung", "Ladungen"));
    }
    if (entries.days.is_some() || entries.date.is_some() || after.is_empty()) && entries.repeat != Repeat::Once {
        after.push(days(days_since));
    }
    match after.is_empty() {
        true => format!("Erledigt: {}", entries.title),
        false => format!("Erledigt: {} (nach {})", entries.title, after.join(", ")),
    }
}

#[cfg(test)]
mod tests;

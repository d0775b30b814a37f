//! Sums, counts and records of the flights of a year. No store.
//!
//! Values are summed in integer billionths, so that the order of additions and removals doesn't matter.

use crate::flights::model::{Entries, StoredFlight};
use fluglog_base::id::FlightId;
use fluglog_base::time::{Month, WallTime};

pub(crate) const MONTHS_A_YEAR: usize = 12;

/// Larger than any value that a pilot can enter.
const MAXIMUM: f64 = 1e15;
const BILLIONTHS: f64 = 1e9;

/// A value of a flight that is summed.
#[derive(Debug, Clone, Copy)]
pub enum Value {
    Minutes,
    Distance,
    MaximumDistance,
    Speed,
    MaximumAltitude,
    Consumed,
}

impl Value {
    pub const ALL: [Value; 6] = [
        Value::Minutes,
        Value::Distance,
        Value::MaximumDistance,
        Value::Speed,
        Value::MaximumAltitude,
        Value::Consumed,
    ];

    const fn of(self, entries: &Entries) -> Option<f64> {
        match self {
            Value::Minutes => entries.fields.minutes,
            Value::Distance => entries.fields.distance,
            Value::MaximumDistance => entries.fields.maximum_distance,
            Value::Speed => entries.fields.speed,
            Value::MaximumAltitude => entries.fields.maximum_altitude,
            Value::Consumed => entries.fields.consumed_capacity,
        }
    }
}

/// Sum of values.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sum {
    pub billionths: i128,
}

impl Sum {
    fn add(&mut self, value: f64) {
        self.billionths += billionths(value);
    }

    fn subtract(&mut self, value: f64) {
        self.billionths -= billionths(value);
    }

    #[must_use]
    pub(crate) fn plus(self, other: Sum) -> Sum {
        Sum {
            billionths: self.billionths + other.billionths,
        }
    }

    /// Returns the sum as a float.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a double is near enough for what people read")]
    pub fn value(self) -> f64 {
        self.billionths as f64 / BILLIONTHS
    }
}

fn billionths(value: f64) -> i128 {
    #[expect(clippy::cast_possible_truncation, reason = "it was just clamped")]
    let billionths = (value.clamp(-MAXIMUM, MAXIMUM) * BILLIONTHS).round() as i128;
    billionths
}

/// Largest of some values, with its flight. Of equal values the earliest flight counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Maximum {
    pub value: f64,
    pub start: WallTime,
    pub flight: FlightId,
}

impl Maximum {
    fn exceeds(&self, other: &Maximum) -> bool {
        let is_earlier = || (self.start, other.flight) < (other.start, self.flight);
        self.value > other.value || self.value == other.value && is_earlier()
    }
}

/// Figures of one value, over the flights that have it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Figure {
    pub sum: Sum,
    pub flights: u32,
    pub largest: Option<Maximum>,
}

impl Figure {
    /// Combines the figures of two disjoint sets of flights.
    #[must_use]
    pub(crate) fn plus(&self, other: &Figure) -> Figure {
        let larger = match (self.largest, other.largest) {
            (Some(own), Some(other)) if other.exceeds(&own) => Some(other),
            (own, other) => own.or(other),
        };
        Figure {
            sum: self.sum.plus(other.sum),
            flights: self.flights + other.flights,
            largest: larger,
        }
    }

    /// Replaces a flight's value. Returns `false` if the largest value is no longer known.
    fn replace(&mut self, before: Option<Maximum>, now: Option<Maximum>) -> bool {
        if let Some(before) = before {
            self.sum.subtract(before.value);
            self.flights = self.flights.saturating_sub(1);
        }
        if let Some(now) = now {
            self.sum.add(now.value);
            self.flights += 1;
        }
        let largest = self.largest;
        match (largest, now) {
            _ if self.flights == 0 => self.largest = None,
            (Some(largest), now) if before == Some(largest) => match now {
                Some(now) if now == largest || now.exceeds(&largest) => self.largest = Some(now),
                _ => return false,
            },
            (Some(largest), Some(now)) if largest.exceeds(&now) => {}
            (_, Some(now)) => self.largest = Some(now),
            (_, None) => {}
        }
        true
    }
}

/// Number and total duration of flights.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FlightSum {
    pub flights: u32,
    /// Flights without a duration count as 0.
    pub minutes: Sum,
}

impl FlightSum {
    pub fn add(&mut self, flight: &StoredFlight) {
        self.flights += 1;
        self.minutes.add(flight.entries.fields.minutes.unwrap_or_default());
    }

    pub(crate) fn subtract(&mut self, flight: &StoredFlight) {
        self.flights = self.flights.saturating_sub(1);
        self.minutes.subtract(flight.entries.fields.minutes.unwrap_or_default());
    }

    /// Combines two disjoint sets of flights.
    #[must_use]
    pub(crate) fn plus(self, other: FlightSum) -> FlightSum {
        FlightSum {
            flights: self.flights + other.flights,
            minutes: self.minutes.plus(other.minutes),
        }
    }
}

/// Figures of each [`Value`], in the order of [`Value::ALL`].
pub type Figures = [Figure; Value::ALL.len()];

/// Sums of the finished flights of a year.
#[derive(Debug, Clone, PartialEq)]
pub struct Year {
    pub months: [FlightSum; MONTHS_A_YEAR],
    /// `None` for the flights of one item.
    pub figures: Option<Figures>,
}

impl Year {
    /// Creates a year without flights: for all flights, or for one item.
    #[must_use]
    pub fn empty(of_all: bool) -> Year {
        Year {
            months: Default::default(),
            figures: of_all.then(Figures::default),
        }
    }

    /// Returns whether it covers no flight.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.months.iter().all(|month| month.flights == 0)
    }

    /// Replaces a flight's contribution; both states are in this year. Returns `false` if the largest of some value is
    /// no longer known.
    pub fn replace(&mut self, before: Option<&StoredFlight>, now: Option<&StoredFlight>) -> bool {
        if let Some(before) = before {
            self.months[month_in_year(before).1].subtract(before);
        }
        if let Some(now) = now {
            self.months[month_in_year(now).1].add(now);
        }
        let figures = self.figures.as_mut();
        figures.is_none_or(|figures| replace(figures, before, now))
    }
}

/// Replaces the values of a flight. Returns `false` if the largest of some value is no longer known.
pub fn replace(figures: &mut Figures, before: Option<&StoredFlight>, now: Option<&StoredFlight>) -> bool {
    let mut is_known = true;
    for (figure, value) in figures.iter_mut().zip(Value::ALL) {
        let of = |flight: &StoredFlight| {
            Some(Maximum {
                value: value.of(&flight.entries)?,
                start: flight.entries.start,
                flight: flight.id,
            })
        };
        is_known &= figure.replace(before.and_then(of), now.and_then(of));
    }
    is_known
}

/// Returns whether two flights contribute equally to their year.
#[must_use]
pub(crate) fn contribute_equally(one: &StoredFlight, other: &StoredFlight) -> bool {
    let (one, other) = (&one.entries, &other.entries);
    one.start == other.start && Value::ALL.iter().all(|value| value.of(one) == value.of(other))
}

/// Returns the year of a flight and its month in that, counted from 0.
#[must_use]
pub(crate) fn month_in_year(flight: &StoredFlight) -> (u32, usize) {
    flight.entries.start.date().month().year_and_month()
}

/// Returns the months of some years, oldest first.
pub fn months(years: &[(u32, Year)]) -> impl Iterator<Item = (Month, FlightSum)> {
    years.iter().flat_map(|(year, sums)| {
        (0..)
            .zip(sums.months)
            .map(move |(month, sum)| (Month::of_year(*year, month), sum))
    })
}

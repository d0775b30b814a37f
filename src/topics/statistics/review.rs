//! Yearly reviews, computed from the sums of each year. Independent of storage and HTTP.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::model::FlightMonth;
use crate::equipment::model::Details;
use crate::flights::model::FlightRow;
use crate::flights::reviews::model::{GroupBy, Review as YearTotals, ReviewShare};
use crate::flights::years::model::{Figure, FlightSum, MONTHS_A_YEAR, Maximum, Value};
use fluglog_base::id::EquipmentId;
use fluglog_base::time::{Date, Month};

/// The most places, copters and packs of an answer: those with the most flight time.
const MAX_PARTS: usize = 100;

/// The values for which records are shown, in the order of the answer.
const RECORDS: [Value; 4] = [
    Value::Minutes,
    Value::MaximumDistance,
    Value::MaximumAltitude,
    Value::Speed,
];

/// A yearly review, or one of all time.
#[derive(Debug, Serialize, PartialEq)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct Review {
    /// The name of the copter or place; empty for all flights.
    pub name: String,
    pub flights: u32,
    /// Flight time in min; flights without one count as 0.
    pub minutes: f64,
    /// km
    pub distance: f64,
    /// The days with a flight, oldest first.
    pub days: Vec<ReviewDay>,
    /// The months of the year, January first; empty for all time.
    pub months: Vec<FlightMonth>,
    /// The months of the previous year; empty if it has no flight.
    pub months_before: Vec<FlightMonth>,
    /// All years with a flight, independent of the requested one, oldest first.
    pub years: Vec<ReviewYear>,
    pub longest: Option<BestFlight>,
    pub furthest: Option<BestFlight>,
    pub highest: Option<BestFlight>,
    pub fastest: Option<BestFlight>,
    pub places: ReviewParts,
    pub copters: ReviewParts,
    pub batteries: ReviewParts,
}

/// The flights of a day.
#[derive(Debug, Serialize, PartialEq)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct ReviewDay {
    /// `2026-05-03`
    pub day: String,
    pub flights: u32,
    pub minutes: f64,
}

/// The flights of a year.
#[derive(Debug, Serialize, PartialEq)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct ReviewYear {
    pub year: u32,
    pub flights: u32,
    pub minutes: f64,
}

/// A flight that holds a record.
#[derive(Debug, Clone, Serialize, PartialEq)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct BestFlight {
    pub dpf_id: String,
    pub start_time: String,
    /// min, m or km/h
    pub value: f64,
    pub location: String,
    /// The name of the copter.
    pub copter: String,
}

/// Where, or with what, the flights were.
#[derive(Debug, Serialize, PartialEq)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct ReviewParts {
    /// The total count; the answer lists at most 100.
    pub count: usize,
    /// Ordered by flight time, longest first.
    pub most: Vec<ReviewPart>,
}

/// The flights at a place, or with an item.
#[derive(Debug, Serialize, PartialEq)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct ReviewPart {
    /// The id of the item, or of the place, for requesting its review.
    pub dpf_id: String,
    pub name: String,
    pub flights: u32,
    pub minutes: f64,
}

/// Rounds the minutes to thousandths.
fn rounded_minutes(flown: FlightSum) -> f64 {
    (flown.minutes.value() * 1000.0).round() / 1000.0
}

fn total(review: &YearTotals) -> FlightSum {
    review
        .days
        .values()
        .fold(FlightSum::default(), |sum, day| sum.plus(*day))
}

/// Returns the months of a year; empty if it has no flight.
fn months(years: &[(u32, YearTotals)], year: u32) -> Vec<FlightMonth> {
    let Some((_, review)) = years.iter().find(|(own, _)| *own == year) else {
        return Vec::new();
    };
    let mut months = [FlightSum::default(); MONTHS_A_YEAR];
    for (day, flown) in &review.days {
        let month = Date::of_year(year, *day).map(|day| day.month().year_and_month().1);
        if let Some(month) = month.and_then(|month| months.get_mut(month)) {
            *month = month.plus(*flown);
        }
    }
    let months = (0..).zip(months).map(|(month, flown)| FlightMonth {
        month: Month::of_year(year, month).to_string(),
        flights: flown.flights,
        minutes: rounded_minutes(flown),
    });
    months.collect()
}

fn days((year, review): &(u32, YearTotals)) -> impl Iterator<Item = ReviewDay> {
    review.days.iter().filter_map(|(day, flown)| {
        Some(ReviewDay {
            day: Date::of_year(*year, *day)?.to_iso(),
            flights: flown.flights,
            minutes: rounded_minutes(*flown),
        })
    })
}

fn asked(years: &[(u32, YearTotals)], year: Option<u32>) -> impl Iterator<Item = &(u32, YearTotals)> {
    years
        .iter()
        .filter(move |(own, _)| year.is_none_or(|year| year == *own))
}

fn figure(years: &[(u32, YearTotals)], year: Option<u32>, value: Value) -> Figure {
    asked(years, year).fold(Figure::default(), |sum, (_, review)| {
        sum.plus(&review.figures[value as usize])
    })
}

/// Returns the records of a year or of all years.
#[must_use]
pub fn best(years: &[(u32, YearTotals)], year: Option<u32>) -> [Option<Maximum>; RECORDS.len()] {
    RECORDS.map(|value| figure(years, year, value).largest)
}

/// Adds the flights' data to the records.
#[must_use]
pub(crate) fn with_flights(
    best: [Option<Maximum>; RECORDS.len()],
    rows: &[FlightRow],
) -> [Option<BestFlight>; RECORDS.len()] {
    best.map(|largest| {
        let largest = largest?;
        let id = largest.flight.to_string();
        let row = rows.iter().find(|row| row.dpf_id == id)?;
        Some(BestFlight {
            start_time: row.start_time.clone(),
            value: largest.value,
            location: row.location.clone(),
            copter: row.copter.name.clone(),
            dpf_id: id,
        })
    })
}

impl ReviewParts {
    /// Orders shares by flight time and names them, those of items by `details`.
    #[must_use]
    pub fn of(
        by: GroupBy,
        shares: BTreeMap<u128, ReviewShare>,
        details: &HashMap<EquipmentId, Details>,
    ) -> ReviewParts {
        let mut shares: Vec<_> = shares.into_iter().collect();
        let by_minutes = |share: &ReviewShare| (share.flown.minutes.billionths, share.flown.flights);
        shares.sort_by_key(|(id, share)| (std::cmp::Reverse(by_minutes(share)), *id));
        let part = |(id, share): (u128, ReviewShare)| {
            let id = EquipmentId::from_key(id);
            let details = details.get(&id);
            ReviewPart {
                name: match by {
                    GroupBy::Place => share.name,
                    GroupBy::Copter | GroupBy::Battery => {
                        details.map(|details| details.name.clone()).unwrap_or_default()
                    }
                },
                dpf_id: id.to_string(),
                flights: share.flown.flights,
                minutes: rounded_minutes(share.flown),
            }
        };
        ReviewParts {
            count: shares.len(),
            most: shares.into_iter().take(MAX_PARTS).map(part).collect(),
        }
    }
}

impl Review {
    /// Makes the review of a year or of all years.
    #[must_use]
    pub fn new(
        name: String,
        years: &[(u32, YearTotals)],
        year: Option<u32>,
        best: &[Option<BestFlight>; RECORDS.len()],
        [places, copters, batteries]: [ReviewParts; 3],
    ) -> Review {
        let all = asked(years, year).fold(FlightSum::default(), |sum, (_, review)| sum.plus(total(review)));
        let [longest, furthest, highest, fastest] = best.clone();
        let of_year = |year: &(u32, YearTotals)| ReviewYear {
            year: year.0,
            flights: total(&year.1).flights,
            minutes: rounded_minutes(total(&year.1)),
        };
        Review {
            name,
            flights: all.flights,
            minutes: rounded_minutes(all),
            distance: figure(years, year, Value::Distance).sum.value(),
            days: asked(years, year).flat_map(days).collect(),
            months: year.map(|year| months(years, year)).unwrap_or_default(),
            months_before: year.map(|year| months(years, year - 1)).unwrap_or_default(),
            years: years.iter().map(of_year).collect(),
            longest,
            furthest,
            highest,
            fastest,
            places,
            copters,
            batteries,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flights::years::model::Sum;

    #[test]
    fn of_more_places_than_an_answer_has_those_that_were_flown_most_are_in_it() {
        let share = |id: u128| ReviewShare {
            name: id.to_string(),
            flown: FlightSum {
                flights: 1,
                minutes: Sum {
                    billionths: id as i128 * 1_000_000_000,
                },
            },
        };
        let shares = (1..=150).map(|id| (id, share(id))).collect();
        let places = ReviewParts::of(GroupBy::Place, shares, &HashMap::new());
        let names: Vec<_> = places.most.iter().map(|place| place.name.as_str()).collect();
        assert_eq!((places.count, names.len()), (150, 100));
        assert_eq!((names[0], places.most[0].minutes, names[99]), ("150", 150.0, "51"));
    }
}

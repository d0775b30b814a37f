//! The dashboard's figures, computed from flights and ready to show. No store, no web.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::base::number::{count, duration, with_unit};
use crate::base::time::Month;
use crate::flights::model::{Entries, StoredFlight};

/// Decimals of every figure but counts and times.
const DECIMALS: usize = 2;

/// Every figure as text; empty when there is no value.
#[derive(Debug, Serialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct Statistics {
    pub total_flight_time: String,
    pub total_flight_count: String,
    pub average_flight_time: String,
    pub maximum_flight_time: String,
    pub maximum_flight_time_date: String,
    pub maximum_flight_time_dpf_id: String,
    pub total_distance: String,
    pub maximum_distance: String,
    pub maximum_distance_date: String,
    pub maximum_distance_dpf_id: String,
    pub maximum_speed: String,
    pub maximum_speed_date: String,
    pub maximum_speed_dpf_id: String,
    pub average_speed: String,
    pub maximum_altitude: String,
    pub maximum_altitude_date: String,
    pub maximum_altitude_dpf_id: String,
    pub average_altitude: String,
    pub average_power_consumption: String,
}

/// The flights of one month.
#[derive(Debug, Serialize, PartialEq)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct FlightMonth {
    /// `2026-05`
    pub month: String,
    pub flights: u32,
    /// Flight time in whole minutes; flights without one count as 0.
    pub minutes: f64,
}

/// The figures of one value over those flights that have it.
#[derive(Default)]
struct Figure<'f> {
    sum: f64,
    flights: u32,
    largest: Option<(f64, &'f StoredFlight)>,
}

impl<'f> Figure<'f> {
    fn of(flights: &'f [StoredFlight], value: impl Fn(&Entries) -> Option<f64>) -> Figure<'f> {
        let mut figure = Figure::default();
        for flight in flights {
            let Some(value) = value(&flight.entries) else { continue };
            figure.sum += value;
            figure.flights += 1;
            // Of equal ones the earliest holds the record.
            let breaks_record = figure.largest.is_none_or(|(record, holder)| {
                value > record || (value == record && flight.entries.start < holder.entries.start)
            });
            if breaks_record {
                figure.largest = Some((value, flight));
            }
        }
        figure
    }

    fn total(&self, show: impl Fn(f64) -> String) -> String {
        if self.flights == 0 {
            String::new()
        } else {
            show(self.sum)
        }
    }

    fn average(&self, show: impl Fn(f64) -> String) -> String {
        self.total(|sum| show(sum / f64::from(self.flights)))
    }

    fn maximum(&self, show: impl Fn(f64) -> String) -> Maximum {
        match self.largest {
            None => Maximum::default(),
            Some((value, flight)) => Maximum {
                value: show(value),
                date: flight.entries.start.date().to_string(),
                flight: flight.id.to_string(),
            },
        }
    }
}

#[derive(Default)]
struct Maximum {
    value: String,
    date: String,
    flight: String,
}

/// The figures of these (finished) flights.
#[must_use]
pub fn statistics(flights: &[StoredFlight]) -> Statistics {
    let kilometres = |value| with_unit(value, DECIMALS, "km");
    let metres = |value| with_unit(value, DECIMALS, "m");
    let speed = |value| with_unit(value, DECIMALS, "km/h");
    let time = Figure::of(flights, |entries| entries.minutes);
    let distance = Figure::of(flights, |entries| entries.distance);
    let speeds = Figure::of(flights, |entries| entries.speed);
    let altitude = Figure::of(flights, |entries| entries.maximum_altitude);
    let longest = time.maximum(duration);
    let farthest = Figure::of(flights, |entries| entries.maximum_distance).maximum(metres);
    let fastest = speeds.maximum(speed);
    let highest = altitude.maximum(metres);
    Statistics {
        total_flight_time: time.total(duration),
        total_flight_count: count(flights.len() as u64),
        average_flight_time: time.average(duration),
        maximum_flight_time: longest.value,
        maximum_flight_time_date: longest.date,
        maximum_flight_time_dpf_id: longest.flight,
        total_distance: distance.total(kilometres),
        maximum_distance: farthest.value,
        maximum_distance_date: farthest.date,
        maximum_distance_dpf_id: farthest.flight,
        maximum_speed: fastest.value,
        maximum_speed_date: fastest.date,
        maximum_speed_dpf_id: fastest.flight,
        average_speed: speeds.average(speed),
        maximum_altitude: highest.value,
        maximum_altitude_date: highest.date,
        maximum_altitude_dpf_id: highest.flight,
        average_altitude: altitude.average(metres),
        average_power_consumption: Figure::of(flights, |entries| entries.consumed_capacity)
            .average(|value| with_unit(value, DECIMALS, "mAh")),
    }
}

/// The months from the first of these (finished) flights to the last, oldest first; those without a flight are there with zeros.
#[must_use]
pub fn months(flights: &[StoredFlight]) -> Vec<FlightMonth> {
    let mut flown: BTreeMap<Month, (u32, f64)> = BTreeMap::new();
    for flight in flights {
        let (count, minutes) = flown.entry(flight.entries.start.date().month()).or_default();
        *count += 1;
        *minutes += flight.entries.minutes.unwrap_or(0.0);
    }
    let Some(last) = flown.keys().next_back().copied() else {
        return Vec::new();
    };
    let first = flown.keys().next().copied();
    std::iter::successors(first, |month| (*month < last).then(|| month.next()))
        .map(|month| {
            let (flights, minutes) = flown.get(&month).copied().unwrap_or_default();
            FlightMonth {
                month: month.to_string(),
                flights,
                minutes: minutes.round(),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::id::{EquipmentId, FlightId};
    use crate::base::time::WallTime;
    use crate::equipment::model::Kind;
    use crate::flights::model::Part;

    fn flight(start: &str, change: impl Fn(&mut Entries)) -> StoredFlight {
        let mut entries = Entries::starting(WallTime::parse(start).unwrap());
        change(&mut entries);
        StoredFlight {
            id: FlightId::fresh(),
            entries,
            copter: Part {
                id: EquipmentId::fresh(),
                kind: Kind::Copter,
                weight: None,
            },
            equipments: vec![],
            payloads: vec![],
            weight: 0.0,
            open: false,
        }
    }

    #[test]
    fn without_flights_every_figure_but_their_count_is_empty() {
        let none = statistics(&[]);
        assert_eq!(none.total_flight_count, "0");
        assert_eq!(
            none.total_flight_time + &none.average_speed + &none.maximum_altitude_dpf_id,
            ""
        );
    }

    #[test]
    fn a_flight_without_a_value_does_not_pull_the_average_down() {
        let flights = [
            flight("01.03.2026 09:00", |entries| entries.speed = Some(40.0)),
            flight("02.03.2026 09:00", |entries| entries.speed = Some(51.0)),
            flight("03.03.2026 09:00", |_| ()),
        ];
        let figures = statistics(&flights);
        assert_eq!(figures.average_speed, "45,5 km/h");
        assert_eq!(figures.maximum_speed, "51 km/h");
        assert_eq!(figures.maximum_speed_date, "02.03.2026");
        assert_eq!(figures.maximum_speed_dpf_id, flights[1].id.to_string());
        assert_eq!(figures.total_flight_count, "3");
    }

    #[test]
    fn of_two_equal_records_the_earlier_one_holds() {
        let flights = [
            flight("02.03.2026 09:00", |entries| entries.minutes = Some(12.0)),
            flight("01.03.2026 09:00", |entries| entries.minutes = Some(12.0)),
        ];
        assert_eq!(statistics(&flights).maximum_flight_time_date, "01.03.2026");
        assert_eq!(statistics(&flights).total_flight_time, "24 min");
    }
}

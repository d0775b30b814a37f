//! The figures of the dashboard as formatted text. Independent of storage and HTTP.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::flights::years;
use crate::flights::years::model::{Figure, Value, Year};
use fluglog_base::number::{count, duration, with_unit};

/// Decimals of all figures except counts and times.
const DECIMALS: usize = 2;

/// Every figure as text; empty when there is no value.
#[derive(Debug, Serialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
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
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct FlightMonth {
    /// `2026-05`
    pub month: String,
    pub flights: u32,
    /// Flight time in min, in thousandths; flights without one count as 0.
    pub minutes: f64,
}

fn total(figure: &Figure, show: impl Fn(f64) -> String) -> String {
    match figure.flights {
        0 => String::new(),
        _ => show(figure.sum.value()),
    }
}

fn average(figure: &Figure, show: impl Fn(f64) -> String) -> String {
    total(figure, |sum| show(sum / f64::from(figure.flights)))
}

fn maximum(figure: &Figure, show: impl Fn(f64) -> String) -> Maximum {
    match figure.largest {
        None => Maximum::default(),
        Some(largest) => Maximum {
            value: show(largest.value),
            date: largest.start.date().to_string(),
            flight: largest.flight.to_string(),
        },
    }
}

#[derive(Default)]
struct Maximum {
    value: String,
    date: String,
    flight: String,
}

/// Returns the statistics over these years.
#[must_use]
pub fn statistics(years: &[(u32, Year)]) -> Statistics {
    let kilometres = |value| with_unit(value, DECIMALS, "km");
    let metres = |value| with_unit(value, DECIMALS, "m");
    let speed = |value| with_unit(value, DECIMALS, "km/h");
    let figure = |value: Value| {
        let figures = years.iter().filter_map(|(_, year)| year.figures.as_ref());
        figures.fold(Figure::default(), |sum, figures| sum.plus(&figures[value as usize]))
    };
    let flights = years::model::months(years).map(|(_, month)| u64::from(month.flights));
    let time = figure(Value::Minutes);
    let distance = figure(Value::Distance);
    let speeds = figure(Value::Speed);
    let altitude = figure(Value::MaximumAltitude);
    let longest = maximum(&time, duration);
    let farthest = maximum(&figure(Value::MaximumDistance), metres);
    let fastest = maximum(&speeds, speed);
    let highest = maximum(&altitude, metres);
    Statistics {
        total_flight_time: total(&time, duration),
        total_flight_count: count(flights.sum()),
        average_flight_time: average(&time, duration),
        maximum_flight_time: longest.value,
        maximum_flight_time_date: longest.date,
        maximum_flight_time_dpf_id: longest.flight,
        total_distance: total(&distance, kilometres),
        maximum_distance: farthest.value,
        maximum_distance_date: farthest.date,
        maximum_distance_dpf_id: farthest.flight,
        maximum_speed: fastest.value,
        maximum_speed_date: fastest.date,
        maximum_speed_dpf_id: fastest.flight,
        average_speed: average(&speeds, speed),
        maximum_altitude: highest.value,
        maximum_altitude_date: highest.date,
        maximum_altitude_dpf_id: highest.flight,
        average_altitude: average(&altitude, metres),
        average_power_consumption: average(&figure(Value::Consumed), |value| with_unit(value, DECIMALS, "mAh")),
    }
}

/// Returns the months from the first with a flight to the last, oldest first. Months without a flight in between have
/// zeros.
#[must_use]
pub fn months(years: &[(u32, Year)]) -> Vec<FlightMonth> {
    let flown: BTreeMap<_, _> = years::model::months(years).filter(|(_, sum)| sum.flights > 0).collect();
    let Some(last) = flown.keys().next_back().copied() else {
        return Vec::new();
    };
    let first = flown.keys().next().copied();
    std::iter::successors(first, |month| (*month < last).then(|| month.next()))
        .map(|month| {
            let sum = flown.get(&month).copied().unwrap_or_default();
            FlightMonth {
                month: month.to_string(),
                flights: sum.flights,
                minutes: (sum.minutes.value() * 1000.0).round() / 1000.0,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::equipment::model::Kind;
    use crate::flights::model::{Entries, FlightPart, StoredFlight};
    use fluglog_base::id::{EquipmentId, FlightId};
    use fluglog_base::time::WallTime;

    fn flight(start: &str, change: impl Fn(&mut Entries)) -> StoredFlight {
        let mut entries = Entries::starting(WallTime::parse(start).unwrap());
        change(&mut entries);
        StoredFlight {
            id: FlightId::fresh(),
            entries,
            copter: FlightPart {
                id: EquipmentId::fresh(),
                kind: Kind::Copter,
                weight: None,
                borrowed: None,
            },
            equipments: vec![],
            payloads: vec![],
            weight: 0.0,
            open: false,
        }
    }

    fn of_flights(flights: &[StoredFlight]) -> Statistics {
        let mut year = Year::empty(true);
        for flight in flights {
            year.replace(None, Some(flight));
        }
        statistics(&[(2026, year)])
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
            flight("01.03.2026 09:00", |entries| entries.fields.speed = Some(40.0)),
            flight("02.03.2026 09:00", |entries| entries.fields.speed = Some(51.0)),
            flight("03.03.2026 09:00", |_| ()),
        ];
        let figures = of_flights(&flights);
        assert_eq!(figures.average_speed, "45,5 km/h");
        assert_eq!(figures.maximum_speed, "51 km/h");
        assert_eq!(figures.maximum_speed_date, "02.03.2026");
        assert_eq!(figures.maximum_speed_dpf_id, flights[1].id.to_string());
        assert_eq!(figures.total_flight_count, "3");
    }

    #[test]
    fn of_two_equal_records_the_earlier_one_holds() {
        let flights = [
            flight("02.03.2026 09:00", |entries| entries.fields.minutes = Some(12.0)),
            flight("01.03.2026 09:00", |entries| entries.fields.minutes = Some(12.0)),
        ];
        assert_eq!(of_flights(&flights).maximum_flight_time_date, "01.03.2026");
        assert_eq!(of_flights(&flights).total_flight_time, "24 min");
    }
}

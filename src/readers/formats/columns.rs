//! CSV tables whose column labels contain a unit, as drone apps export them.

use super::lines::Row;
use super::values::{length_unit, speed_unit};
use crate::samples::{Point, Sample};

/// The meaning of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    Latitude,
    Longitude,
    Satellites,
    Height,
    Altitude,
    Speed,
    /// Speed in m/s unless the heading has another unit.
    MetresPerSecond,
    Volts,
    Amperes,
    /// Remaining charge in mAh.
    Left,
    /// Consumed charge in mAh.
    Consumed,
    HomeDistance,
}

/// mAh; more than any pack has. Remaining charge is turned into consumed charge by subtracting it from this.
const FULL: f64 = 400_000.0;

/// The columns that are used, each with the factor to the unit of samples.
pub(crate) struct Columns(Vec<(usize, Value, f64)>);

/// Splits a column's heading into label and unit, in lower case: `speed(mph)`, `OSD.hSpeed [MPH]`.
#[must_use]
pub fn label(cell: &str) -> (String, String) {
    let cell = cell.trim().to_ascii_lowercase();
    match cell.split_once(['(', '[']) {
        Some((label, unit)) => (
            label.trim().to_owned(),
            unit.trim_end_matches([')', ']']).trim().to_owned(),
        ),
        None => (cell, String::new()),
    }
}

impl Columns {
    /// Finds the columns of a header. If a value has several labels, the first one in `labels` that occurs is used.
    pub fn find(header: &[String], labels: &[(&str, Value)]) -> Columns {
        let mut columns: Vec<(usize, Value, f64)> = Vec::new();
        for (wanted, value) in labels {
            if columns.iter().any(|(_, known, _)| known == value) {
                continue;
            }
            let found = header.iter().enumerate().find_map(|(index, cell)| {
                let (label, unit) = label(cell);
                (label == *wanted || cell.trim().eq_ignore_ascii_case(wanted)).then_some((index, unit))
            });
            if let Some((index, unit)) = found {
                let unit = if unit.is_empty() { unit_of_name(wanted) } else { &unit };
                columns.push((index, *value, factor(*value, unit)));
            }
        }
        Columns(columns)
    }

    /// Returns the sample of a row.
    pub fn sample(&self, row: Row<'_>, seconds: Option<f64>) -> Sample {
        let mut sample = Sample {
            seconds,
            ..Sample::default()
        };
        let (mut latitude, mut longitude) = (None, None);
        for (index, value, factor) in &self.0 {
            let Some(number) = row.number(*index).map(|number| number * factor) else {
                continue;
            };
            let number = Some(number);
            match value {
                Value::Latitude => latitude = number,
                Value::Longitude => longitude = number,
                Value::Satellites => sample.satellites = number,
                Value::Height => sample.height = number,
                Value::Altitude => sample.altitude = number,
                Value::Speed | Value::MetresPerSecond => sample.speed = number,
                // Some apps write millivolts under a heading in volts.
                Value::Volts => sample.volts = number.map(|volts| if volts > 1000.0 { volts / 1000.0 } else { volts }),
                Value::Amperes => sample.amperes = number.map(f64::abs),
                Value::Left => sample.consumed = number.filter(|left| *left > 0.0).map(|left| FULL - left),
                Value::Consumed => sample.consumed = number,
                Value::HomeDistance => sample.home_distance = number,
            }
        }
        if let (Some(latitude), Some(longitude)) = (latitude, longitude) {
            sample.point = Some(Point { latitude, longitude });
        }
        sample
    }
}

fn unit_of_name(label: &str) -> &str {
    label.rsplit_once('_').map_or("", |(_, unit)| unit)
}

fn factor(value: Value, unit: &str) -> f64 {
    let known = match value {
        Value::Height | Value::Altitude | Value::HomeDistance => length_unit(unit),
        Value::Speed => speed_unit(unit),
        Value::MetresPerSecond => speed_unit(unit).or(Some(3.6)),
        Value::Volts if unit.eq_ignore_ascii_case("mv") => Some(0.001),
        Value::Amperes if unit.eq_ignore_ascii_case("ma") => Some(0.001),
        _ => None,
    };
    known.unwrap_or(1.0)
}

/// Returns the index of the first of the wanted labels that occurs.
#[must_use]
pub(crate) fn index_of(header: &[String], wanted: &[&str]) -> Option<usize> {
    wanted
        .iter()
        .find_map(|wanted| header.iter().position(|cell| label(cell).0 == *wanted))
}

//! How a pack ages: full cycles, its capacity by its chargings, the line through them and what may be left. Pure.
//!
//! The charge of a resting LiPo cell by its voltage is the table that chargers commonly use, ± 5 %. The line is that of
//! Theil and Sen: the median of the slopes of all pairs, which a single wrong value doesn't move.

use serde::Serialize;

use super::pack::{Chemistry, of_cells};
use crate::base::time::WallTime;

/// A flight, as far as it emptied a pack.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Emptied {
    pub start: WallTime,
    pub landing: WallTime,
    /// mAh
    pub consumed: Option<f64>,
}

/// A finished charging that raised the voltage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Charge {
    pub start: WallTime,
    pub end: WallTime,
    /// V
    pub from: f64,
    /// V
    pub to: f64,
    /// mAh
    pub charged: Option<f64>,
}

/// The make of a pack, for its trend.
#[derive(Debug, Clone, Copy)]
pub struct Nominal {
    pub cells: Option<u8>,
    pub chemistry: Chemistry,
    /// V of the full pack
    pub full: Option<f64>,
    /// mAh
    pub capacity: Option<f64>,
}

/// A charging, as far as it tells of the capacity.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct CapacityPoint {
    /// Full cycles before it
    pub cycles: f64,
    /// %, of the nominal capacity
    pub percent: f64,
    /// Days since the first of these points
    pub day: f64,
}

/// The trend of a pack.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct Trend {
    /// Charged since it is recorded, in full charges; null where the capacity isn't known
    pub cycles: Option<f64>,
    pub capacity: Vec<CapacityPoint>,
    /// %, by the last points; null before there are three
    pub percent: Option<f64>,
    /// % at cycle 0, and per cycle
    pub line: Option<[f64; 2]>,
    /// What may be left, in a sentence; "" where no charging told the capacity
    pub forecast: String,
}

/// Rested so long after a flight, a voltage tells the charge.
const REST_MINUTES: i64 = 60;
/// A charging from more tells too little.
const CHARGE_MOST: f64 = 0.5;
/// V a cell, below full
const FULL_TOLERANCE: f64 = 0.03;
const LAST_POINTS: usize = 5;
const POINTS_LEAST: usize = 3;
const LINE_POINTS: usize = 20;
const FORECAST_POINTS: usize = 8;
const FORECAST_DAYS: f64 = 60.0;
const FORECAST_CYCLES: f64 = 20.0;
/// %
const WORN: f64 = 80.0;

/// The trend by all chargings and flights of a pack, in any order.
#[must_use]
pub fn trend(nominal: Nominal, charges: &[Charge], flights: &[Emptied]) -> Trend {
    let mut charges = charges.to_vec();
    charges.sort_by_key(|charge| (charge.end, charge.start));
    let capacity = nominal.capacity.filter(|capacity| *capacity > 0.0);
    let amounts = amounts(&charges, flights);
    let mut points = Vec::new();
    let mut cycles = 0.0;
    let mut first = None;
    for (charge, amount) in charges.iter().zip(&amounts.charged) {
        if let Some((whole, nominal)) = whole(&nominal, charge, flights).zip(capacity) {
            let first = *first.get_or_insert(charge.end);
            // Fewer than 2^53 minutes.
            #[expect(clippy::cast_precision_loss)]
            let minutes = (charge.end.minutes() - first.minutes()) as f64;
            points.push(CapacityPoint {
                cycles: rounded(cycles, 2),
                percent: rounded(whole / nominal * 100.0, 1),
                day: rounded(minutes / (24.0 * 60.0), 2),
            });
        }
        cycles += capacity.map_or(0.0, |capacity| amount / capacity);
    }
    let sum: f64 = amounts.charged.iter().sum::<f64>() + amounts.without_charging;
    let percent = median_of_last(&points);
    let line = line(&points);
    Trend {
        cycles: capacity.map(|capacity| rounded(sum / capacity, 1)),
        forecast: forecast(&points, percent, line.as_ref()),
        percent,
        line: line.map(|line| [rounded(line.start, 2), rounded(line.slope, 4)]),
        capacity: points,
    }
}

/// mAh of each charge, and of the flights of a pack that was never charged here.
struct Amounts {
    charged: Vec<f64>,
    without_charging: f64,
}

fn amounts(charges: &[Charge], flights: &[Emptied]) -> Amounts {
    let taken = |from: Option<WallTime>, to: Option<WallTime>| {
        let between =
            |flight: &&Emptied| from.is_none_or(|from| from <= flight.start) && to.is_none_or(|to| flight.start < to);
        flights
            .iter()
            .filter(between)
            .filter_map(|flight| flight.consumed)
            .sum::<f64>()
    };
    let mut before = None;
    let mut charged = Vec::new();
    for charge in charges {
        charged.push(charge.charged.unwrap_or_else(|| taken(before, Some(charge.start))));
        before = Some(charge.end);
    }
    Amounts {
        without_charging: if charges.is_empty() { taken(None, None) } else { 0.0 },
        charged,
    }
}

/// mAh that the whole pack has by a charging from a resting voltage to full; `None` when it doesn't tell.
fn whole(nominal: &Nominal, charge: &Charge, flights: &[Emptied]) -> Option<f64> {
    let (cells, full, charged) = (nominal.cells?, nominal.full?, charge.charged?);
    if !matches!(nominal.chemistry, Chemistry::Polymer | Chemistry::Other) || charged <= 0.0 {
        return None;
    }
    let landed = flights.iter().filter(|flight| flight.start < charge.start);
    let landed = landed.map(|flight| flight.landing.minutes()).max();
    let is_rested = landed.is_none_or(|landed| charge.start.minutes() - landed >= REST_MINUTES);
    let part = charge_of_cell(charge.from / f64::from(cells));
    let is_full = charge.to >= full - of_cells(cells, FULL_TOLERANCE) - 1e-9;
    (is_rested && is_full && part <= CHARGE_MOST).then(|| charged / (1.0 - part))
}

/// The part of its charge that a LiPo cell has at rest, from 0 to 1.
fn charge_of_cell(volts: f64) -> f64 {
    const TABLE: [(f64, f64); 8] = [
        (3.27, 0.0),
        (3.69, 0.1),
        (3.75, 0.25),
        (3.80, 0.4),
        (3.85, 0.55),
        (3.95, 0.7),
        (4.08, 0.85),
        (4.20, 1.0),
    ];
    for [(low, low_part), (high, high_part)] in TABLE.array_windows() {
        if volts < *low {
            return 0.0;
        }
        if volts <= *high {
            return low_part + (volts - low) / (high - low) * (high_part - low_part);
        }
    }
    1.0
}

fn median_of_last(points: &[CapacityPoint]) -> Option<f64> {
    if points.len() < POINTS_LEAST {
        return None;
    }
    let last = &points[points.len().saturating_sub(LAST_POINTS)..];
    let percents: Vec<_> = last.iter().map(|point| point.percent).collect();
    median(percents).map(|percent| rounded(percent, 1))
}

struct Line {
    /// % at cycle 0
    start: f64,
    /// % per cycle
    slope: f64,
    /// The middle 80 % of the slopes, the smallest and the largest of them.
    slopes: [f64; 2],
}

fn line(points: &[CapacityPoint]) -> Option<Line> {
    let points = &points[points.len().saturating_sub(LINE_POINTS)..];
    if points.len() < POINTS_LEAST {
        return None;
    }
    let mut slopes = Vec::new();
    for (at, one) in points.iter().enumerate() {
        for other in &points[at + 1..] {
            let distance = other.cycles - one.cycles;
            if distance > 0.0 {
                slopes.push((other.percent - one.percent) / distance);
            }
        }
    }
    slopes.sort_by(f64::total_cmp);
    let slope = median(slopes.clone())?;
    let start = median(
        points
            .iter()
            .map(|point| point.percent - slope * point.cycles)
            .collect(),
    )?;
    let tenth = slopes.len() / 10;
    Some(Line {
        start,
        slope,
        slopes: [slopes[tenth], slopes[slopes.len() - 1 - tenth]],
    })
}

fn forecast(points: &[CapacityPoint], percent: Option<f64>, line: Option<&Line>) -> String {
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return String::new();
    };
    let (days, cycles) = (last.day - first.day, last.cycles - first.cycles);
    if percent.is_some_and(|percent| percent < WORN) {
        return "Schon unter 80 %.".to_owned();
    }
    if points.len() < FORECAST_POINTS {
        return format!(
            "Für eine Prognose fehlen Messungen ({} von {FORECAST_POINTS}).",
            points.len()
        );
    }
    if days < FORECAST_DAYS {
        return format!(
            "Für eine Prognose ist der Zeitraum zu kurz ({} von {FORECAST_DAYS} Tagen).",
            days.floor()
        );
    }
    if cycles < FORECAST_CYCLES {
        return format!(
            "Für eine Prognose fehlen Vollzyklen ({} von {FORECAST_CYCLES}).",
            cycles.floor()
        );
    }
    let (Some(percent), Some(line)) = (percent, line) else {
        return String::new();
    };
    let [steepest, flattest] = line.slopes;
    if line.slope >= 0.0 || flattest >= 0.0 {
        return "Kein Nachlassen zu erkennen.".to_owned();
    }
    let [soonest, latest] = [steepest, flattest].map(|slope| {
        let left = (percent - WORN) / -slope;
        ((left / 10.0).round() * 10.0).max(10.0)
    });
    match soonest.total_cmp(&latest).is_eq() {
        true => format!("Bei dieser Nutzung etwa {soonest} weitere Zyklen bis 80 %."),
        false => format!("Bei dieser Nutzung etwa {soonest} bis {latest} weitere Zyklen bis 80 %."),
    }
}

/// The middle one, or the mean of the two in the middle.
#[must_use]
pub fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() % 2 {
        1 => values.get(middle).copied(),
        _ => Some(f64::midpoint(
            *values.get(middle.checked_sub(1)?)?,
            *values.get(middle)?,
        )),
    }
}

fn rounded(value: f64, decimals: i32) -> f64 {
    let factor = 10_f64.powi(decimals);
    (value * factor).round() / factor
}

#[cfg(test)]
mod tests;

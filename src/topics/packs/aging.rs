//! State of health of a pack: full cycles, capacity as shown by its chargings, the line through those points, and a
//! forecast. Pure. [`Aging`] is the part that lists need, updated charge by charge.
//!
//! The state of charge of a resting LiPo cell by its voltage follows the table commonly used by chargers, ± 5 %. The
//! line is a Theil–Sen estimator: the median of the slopes of all pairs, which a single outlier doesn't move.

use serde::Serialize;

use super::state::pack_volts;
use crate::equipment::battery_profile::Chemistry;
use crate::equipment::model::Discharge;
use fluglog_base::time::WallTime;

/// A finished charging that raised the voltage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Charge {
    pub start: WallTime,
    pub end: WallTime,
    /// V; 0 if unknown
    pub from: f64,
    /// V; 0 if unknown
    pub to: f64,
    /// mAh
    pub charged: Option<f64>,
    /// mAh of the whole pack, as measured by its charger.
    pub measured: Option<f64>,
}

/// A charge from which the capacity of the pack can be estimated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CapacityMeasurement {
    pub charge: Charge,
    /// Whether the voltage before the charge was a resting voltage.
    pub is_rested: bool,
}

/// Sums over the charges and flights of a pack.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Aging {
    /// Charged thousandths of a mAh: integers, so that a sum can be reversed exactly.
    pub charged: i64,
    /// Whether equal parts of flights with several batteries are included.
    pub is_estimated: bool,
    /// End of the last charge.
    pub last_charge: Option<WallTime>,
    /// Start of the last charge without an amount, which is estimated from the flights before it.
    pub last_without_amount: Option<WallTime>,
    /// Latest charges from which the capacity can be estimated, oldest first.
    pub capacity_charges: Vec<CapacityMeasurement>,
}

/// Nominal values of a pack.
#[derive(Debug, Clone, Copy)]
pub struct Nominal {
    pub cells: Option<u8>,
    pub chemistry: Chemistry,
    /// V of the full pack
    pub full: Option<f64>,
    /// mAh
    pub capacity: Option<f64>,
}

/// Capacity of a pack, as estimated from one charging.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct CapacityPoint {
    /// Full cycles before it
    pub cycles: f64,
    /// % of the nominal capacity
    pub percent: f64,
    /// Days since the first of these points
    pub day: f64,
}

/// State of health of a pack.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct Trend {
    /// Recorded full cycles; null where the capacity isn't known
    pub cycles: Option<f64>,
    pub capacity: Vec<CapacityPoint>,
    /// % of the nominal capacity, median of the last points; null with fewer than three
    pub percent: Option<f64>,
    /// % at cycle 0, and per cycle
    pub line: Option<[f64; 2]>,
    /// Forecast as a sentence; "" if no charging shows the capacity
    pub forecast: String,
}

/// Time after a flight from which a voltage counts as a resting voltage.
const REST_MINUTES: i64 = 60;
/// Greatest state of charge at the start of a charging that shows the capacity.
const MAX_CHARGE: f64 = 0.5;
/// V per cell below full that still count as full.
const FULL_TOLERANCE: f64 = 0.03;
const LAST_POINTS: usize = 5;
/// Least factor of the voltage; a charge from half empty to full raises it more.
const MIN_RAISED: f64 = 1.05;
/// Most charges that are kept; only the latest show today's capacity.
const MAX_TELLING: usize = 16;
const MIN_POINTS: usize = 3;
const LINE_POINTS: usize = 20;
const FORECAST_POINTS: usize = 8;
const FORECAST_DAYS: f64 = 60.0;
const FORECAST_CYCLES: f64 = 20.0;
/// % at which a pack counts as worn.
const WORN: f64 = 80.0;

/// Computes the state of health from all charges and flights of a pack, in any order.
#[must_use]
pub fn trend(nominal: Nominal, charges: &[Charge], flights: &[Discharge]) -> Trend {
    let mut charges = charges.to_vec();
    charges.sort_by(order);
    let capacity = nominal.capacity.filter(|capacity| *capacity > 0.0);
    let mut points = Vec::new();
    let mut charged = 0;
    let mut first = None;
    let timeline = Timeline::of(flights);
    for (charge, (amount, _)) in charges.iter().zip(amounts(&charges, &timeline)) {
        if let Some(percent) = measurement(charge, &timeline).and_then(|telling| telling.percent(&nominal)) {
            let first = *first.get_or_insert(charge.end);
            // Less than 2^53 minutes.
            #[expect(clippy::cast_precision_loss)]
            let minutes = (charge.end.minutes() - first.minutes()) as f64;
            points.push(CapacityPoint {
                cycles: capacity.map_or(0.0, |capacity| rounded(milliamperehours(charged) / capacity, 2)),
                percent,
                day: rounded(minutes / (24.0 * 60.0), 2),
            });
        }
        charged += amount;
    }
    let aging = Aging::of(&charges, flights);
    let percent = aging.percent(&nominal);
    let line = line(&points);
    Trend {
        cycles: aging.cycles(nominal.capacity),
        forecast: forecast(&points, percent, line.as_ref()),
        percent,
        line: line.map(|line| [rounded(line.start, 2), rounded(line.slope, 4)]),
        capacity: points,
    }
}

/// Orders charges by their ends.
fn order(one: &Charge, other: &Charge) -> std::cmp::Ordering {
    (one.end, one.start)
        .cmp(&(other.end, other.start))
        .then(one.from.total_cmp(&other.from))
        .then(one.to.total_cmp(&other.to))
}

impl Aging {
    /// Computes the sums from all charges and flights of a pack, in any order.
    #[must_use]
    pub fn of(charges: &[Charge], flights: &[Discharge]) -> Aging {
        let mut charges = charges.to_vec();
        charges.sort_by(order);
        let flights = &Timeline::of(flights);
        let all: Vec<_> = charges
            .iter()
            .filter_map(|charge| measurement(charge, flights))
            .collect();
        let (charged, is_estimated) = match charges.is_empty() {
            true => flights.drawn(None, None),
            false => amounts(&charges, flights).fold((0, false), |(sum, is_estimated), (amount, is_shared)| {
                (sum + amount, is_estimated || is_shared)
            }),
        };
        let untold = charges.iter().filter(|charge| charge.charged.is_none());
        Aging {
            charged,
            is_estimated,
            last_charge: charges.iter().map(|charge| charge.end).max(),
            last_without_amount: untold.map(|charge| charge.start).max(),
            capacity_charges: all[all.len().saturating_sub(MAX_TELLING)..].to_vec(),
        }
    }

    /// Adds a charge, before which the pack last landed at `landed`. `None` when the sums must be computed from all
    /// charges and flights.
    #[must_use]
    pub fn with(mut self, charge: &Charge, landed: Option<WallTime>) -> Option<Aging> {
        let is_next = self.last_charge.is_some_and(|last| last < charge.end);
        self.charged += thousandths(charge.charged.filter(|_| is_next)?);
        self.last_charge = Some(charge.end);
        if shows_capacity(charge) {
            self.capacity_charges.push(CapacityMeasurement {
                charge: *charge,
                is_rested: is_rested(charge, landed),
            });
            let too_many = self.capacity_charges.len().saturating_sub(MAX_TELLING);
            self.capacity_charges.drain(..too_many);
        }
        Some(self)
    }

    /// Changes the consumption of a flight that began at `start` from `before` to `now`, in mAh. `None` when the sums
    /// must be computed from all charges and flights.
    #[must_use]
    pub fn with_flight(mut self, start: WallTime, before: Option<f64>, now: Option<f64>) -> Option<Aging> {
        if self.last_charge.is_none() {
            self.charged += thousandths(now.unwrap_or_default()) - thousandths(before.unwrap_or_default());
            return Some(self);
        }
        let is_behind = |began: WallTime| began <= start;
        let tells = self.last_without_amount.is_none_or(is_behind)
            && self
                .capacity_charges
                .iter()
                .all(|telling| is_behind(telling.charge.start));
        tells.then_some(self)
    }

    /// Returns full cycles of a pack with this capacity in mAh.
    #[must_use]
    pub fn cycles(&self, capacity: Option<f64>) -> Option<f64> {
        let capacity = capacity.filter(|capacity| *capacity > 0.0)?;
        Some(rounded(milliamperehours(self.charged) / capacity, 1))
    }

    /// Returns the median % of the nominal capacity over the last charges that show it; `None` with fewer than three.
    #[must_use]
    pub fn percent(&self, nominal: &Nominal) -> Option<f64> {
        let percents = self.last_points(nominal)?.into_iter().map(|(percent, _)| percent);
        median(percents.collect()).map(|percent| rounded(percent, 1))
    }

    /// Returns whether a charger measured the capacity in each of the charges that [`Aging::percent`] follows from.
    #[must_use]
    pub(crate) fn is_percent_measured(&self, nominal: &Nominal) -> bool {
        let points = self.last_points(nominal);
        points.is_some_and(|points| points.iter().all(|(_, is_measured)| *is_measured))
    }

    /// Returns % of the nominal capacity by the last charges that show it, and whether a charger measured it.
    fn last_points(&self, nominal: &Nominal) -> Option<Vec<(f64, bool)>> {
        let point =
            |telling: &CapacityMeasurement| Some((telling.percent(nominal)?, telling.charge.measured.is_some()));
        let points: Vec<_> = self.capacity_charges.iter().filter_map(point).collect();
        (points.len() >= MIN_POINTS).then(|| points[points.len().saturating_sub(LAST_POINTS)..].to_vec())
    }
}

/// Returns thousandths of a mAh of each charge in order, and whether they include equal parts of flights with several
/// batteries.
fn amounts(charges: &[Charge], flights: &Timeline) -> impl Iterator<Item = (i64, bool)> {
    let mut before = None;
    charges.iter().map(move |charge| {
        let amount = match charge.charged {
            Some(charged) => (thousandths(charged), false),
            None => flights.drawn(before, Some(charge.start)),
        };
        before = Some(charge.end);
        amount
    })
}

/// The flights of a pack by their starts, so that those between two times are found without a look at each.
struct Timeline {
    flights: Vec<Discharge>,
    /// What the first flights drew together, and how many of them have equal parts of several batteries: for none of
    /// them, for the first one, for the first two.
    sums: Vec<(i64, usize)>,
}

impl Timeline {
    fn of(flights: &[Discharge]) -> Timeline {
        let mut flights = flights.to_vec();
        flights.sort_by_key(|flight| (flight.start, flight.landing));
        let mut sums = vec![(0, 0)];
        sums.extend(flights.iter().scan((0, 0), |(drawn, shared), flight| {
            *drawn += flight.consumed.map_or(0, thousandths);
            *shared += usize::from(flight.is_shared);
            Some((*drawn, *shared))
        }));
        Timeline { flights, sums }
    }

    /// Returns the number of flights that began before `time`.
    fn count_before(&self, time: WallTime) -> usize {
        self.flights.partition_point(|flight| flight.start < time)
    }

    /// Returns what the flights drew that began in this time, and whether equal parts are among it.
    fn drawn(&self, from: Option<WallTime>, to: Option<WallTime>) -> (i64, bool) {
        let first = from.map_or(0, |from| self.count_before(from));
        let last = to.map_or(self.flights.len(), |to| self.count_before(to));
        let ((before, shared_before), (until, shared_until)) = (self.sums[first], self.sums[last.max(first)]);
        (until - before, shared_until > shared_before)
    }

    /// Returns the landing of the flight that began last before `time`.
    fn landed_before(&self, time: WallTime) -> Option<WallTime> {
        let last = self.count_before(time).checked_sub(1)?;
        Some(self.flights[last].landing)
    }
}

/// Converts mAh to thousandths, in which they are summed.
fn thousandths(amount: f64) -> i64 {
    // A value of `Field::number` has at most 9 digits before the point, so this fits.
    #[expect(clippy::cast_possible_truncation)]
    let rounded = (amount * 1000.0).round() as i64;
    rounded
}

fn milliamperehours(thousandths: i64) -> f64 {
    // Less than 2^53.
    #[expect(clippy::cast_precision_loss)]
    let amount = thousandths as f64;
    amount / 1000.0
}

fn shows_capacity(charge: &Charge) -> bool {
    let is_raised = charge.from > 0.0 && charge.to >= charge.from * MIN_RAISED;
    let is_told = charge.charged.is_some_and(|charged| charged > 0.0) && is_raised;
    is_told || charge.measured.is_some()
}

fn measurement(charge: &Charge, flights: &Timeline) -> Option<CapacityMeasurement> {
    shows_capacity(charge).then(|| CapacityMeasurement {
        charge: *charge,
        is_rested: is_rested(charge, flights.landed_before(charge.start)),
    })
}

/// Returns whether a charge began long enough after the last flight for a resting voltage.
fn is_rested(charge: &Charge, landed: Option<WallTime>) -> bool {
    landed.is_none_or(|landed| charge.start.minutes() - landed.minutes() >= REST_MINUTES)
}

impl CapacityMeasurement {
    /// Returns % of the nominal capacity: as measured by the charger, or estimated from a charge from a resting voltage
    /// to full.
    fn percent(&self, nominal: &Nominal) -> Option<f64> {
        let capacity = nominal.capacity.filter(|capacity| *capacity > 0.0)?;
        let whole = self.charge.measured.or_else(|| self.estimated_capacity(nominal))?;
        Some(rounded(whole / capacity * 100.0, 1))
    }

    /// Estimates the whole capacity in mAh.
    fn estimated_capacity(&self, nominal: &Nominal) -> Option<f64> {
        let charge = &self.charge;
        let (cells, full, charged) = (nominal.cells?, nominal.full?, charge.charged?);
        if !matches!(nominal.chemistry, Chemistry::Polymer | Chemistry::Other) {
            return None;
        }
        let part = state_of_charge(charge.from / f64::from(cells));
        let is_full = charge.to >= full - pack_volts(cells, FULL_TOLERANCE) - 1e-9;
        (self.is_rested && is_full && part <= MAX_CHARGE).then(|| charged / (1.0 - part))
    }
}

/// Returns the state of charge of a resting LiPo cell, from 0 to 1.
fn state_of_charge(volts: f64) -> f64 {
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

struct LinearFit {
    /// % at cycle 0
    start: f64,
    /// % per cycle
    slope: f64,
    /// Bounds of the middle 80 % of the slopes.
    slopes: [f64; 2],
}

fn line(points: &[CapacityPoint]) -> Option<LinearFit> {
    let points = &points[points.len().saturating_sub(LINE_POINTS)..];
    if points.len() < MIN_POINTS {
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
    Some(LinearFit {
        start,
        slope,
        slopes: [slopes[tenth], slopes[slopes.len() - 1 - tenth]],
    })
}

fn forecast(points: &[CapacityPoint], percent: Option<f64>, line: Option<&LinearFit>) -> String {
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

/// Returns the median; of an even number the mean of the two in the middle.
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

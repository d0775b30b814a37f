//! The hints of a pack: one function of all that is known of it and of now. `README.de.md` has their sources.
//!
//! It says what was measured and what makers say, never that a pack is safe.

use serde::Serialize;

use super::model::Item;
use super::pack::{Chemistry, PackState, microvolts};
use super::profile::FULL_DAYS;
use super::readings::model::{ReadingKind, StoredReading};
use super::trend::median;
use crate::base::number::german;
use crate::base::time::WallTime;

/// How grave a hint is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export, rename_all = "camelCase"))]
pub enum Level {
    Amber,
    Red,
}

/// The rule that a hint follows from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export, rename_all = "camelCase"))]
pub enum Rule {
    Full,
    Empty,
    Low,
    Unchecked,
    Idle,
    CellsApart,
    Resistance,
    OneCell,
    Capacity,
    LandedLow,
    Swollen,
    Damaged,
    Sum,
    ChargingOpen,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct BatteryHint {
    pub rule: Rule,
    pub level: Level,
    pub text: String,
}

const DAY: i64 = 24 * 60;
const FULL_RED_DAYS: i64 = 7;
const EMPTY_DAYS: [i64; 2] = [2, 7];
const UNCHECKED_DAYS: i64 = 90;
const IDLE_DAYS: i64 = 10;
const CHARGING_HOURS: i64 = 4;
/// µV
const APART: [i64; 2] = [30_000, 100_000];
const SUM_OFF: i64 = 300_000;
const LANDED: [i64; 2] = [3_300_000, 3_000_000];
/// Times the first value of the same cell.
const GROWN: [f64; 2] = [1.5, 2.0];
const BASELINE_READINGS: usize = 3;
/// °C
const SAME_TEMPERATURE: f64 = 5.0;
/// Times the median of the pack, and mΩ more.
const ABOVE_OTHERS: [f64; 2] = [1.5, 2.0];
/// %
const CAPACITY: [f64; 2] = [90.0, 80.0];

/// The hints of a pack, the gravest first. `readings`: the oldest first; `percent`: of its nominal capacity.
#[must_use]
pub fn hints(item: &Item, readings: &[StoredReading], percent: Option<f64>, now: WallTime) -> Vec<BatteryHint> {
    if item.retirement.is_some() {
        return Vec::new();
    }
    let found = looks(readings)
        .into_iter()
        .chain(of_state(item, readings, now))
        .chain(charging_open(item, now))
        .chain(landed_low(item))
        .chain(cells_apart(readings))
        .chain(sum_off(readings))
        .chain(resistance(readings))
        .chain(one_cell(readings))
        .chain(percent.and_then(capacity));
    let mut hints: Vec<_> = found.collect();
    hints.sort_by_key(|hint| std::cmp::Reverse(hint.level));
    hints
}

fn hint(rule: Rule, is_red: bool, text: String) -> BatteryHint {
    let level = if is_red { Level::Red } else { Level::Amber };
    BatteryHint { rule, level, text }
}

fn days(from: WallTime, now: WallTime) -> i64 {
    ((now.minutes() - from.minutes()) / DAY).max(0)
}

fn counted_days(days: i64) -> String {
    if days == 1 {
        "1 Tag".to_owned()
    } else {
        format!("{days} Tagen")
    }
}

fn of_state(item: &Item, readings: &[StoredReading], now: WallTime) -> Option<BatteryHint> {
    if item.profile.chemistry == Some(Chemistry::Smart) {
        return idle(item, readings, now);
    }
    if !item.are_cells_said() {
        return None;
    }
    let since = item.state_since();
    let past = since.map_or(0, |since| days(since, now));
    match item.state()? {
        PackState::Full => {
            let most = i64::from(item.profile.full_days.unwrap_or(FULL_DAYS));
            let volts = item
                .storage_volts(None)
                .map(|volts| format!(" (etwa {} V)", german(volts, 1)));
            let text = format!(
                "Seit {} voll. Fliegen oder auf Lagerspannung bringen{}.",
                counted_days(past),
                volts.unwrap_or_default()
            );
            (most > 0 && past >= most).then(|| hint(Rule::Full, past >= FULL_RED_DAYS, text))
        }
        PackState::Empty => {
            let text = format!("Seit {} leer.", counted_days(past));
            (past >= EMPTY_DAYS[0]).then(|| hint(Rule::Empty, past >= EMPTY_DAYS[1], text))
        }
        PackState::Low => {
            let volts = item.voltages().last().zip(item.cells());
            let cell = volts.map(|(volts, cells)| volts / f64::from(cells));
            let text = format!(
                "Zuletzt {} V je Zelle. Vor dem Laden prüfen.",
                german(cell.unwrap_or_default(), 1)
            );
            Some(hint(Rule::Low, true, text))
        }
        PackState::Storage => {
            let last = last_seen(item, readings)?;
            let text = format!("Seit {} Monaten nicht geprüft.", days(last, now) / 30);
            (days(last, now) >= UNCHECKED_DAYS).then(|| hint(Rule::Unchecked, false, text))
        }
        PackState::Partial | PackState::Charging | PackState::Flying => None,
    }
}

fn idle(item: &Item, readings: &[StoredReading], now: WallTime) -> Option<BatteryHint> {
    let past = days(last_seen(item, readings)?, now);
    let text = format!("Seit {past} Tagen unbenutzt. DJI rät zu 40–65 %.");
    (past >= IDLE_DAYS).then(|| hint(Rule::Idle, false, text))
}

/// When something was last recorded of a pack.
fn last_seen(item: &Item, readings: &[StoredReading]) -> Option<WallTime> {
    let flown = item.totals.last_start;
    let charged = item.charging.last_finished.map(|reading| reading.time);
    let read = readings.last().map(|reading| reading.time);
    flown.max(charged).max(read)
}

fn charging_open(item: &Item, now: WallTime) -> Option<BatteryHint> {
    let open = item.charging.open.as_ref()?;
    let hours = (now.minutes() - open.start.minutes()) / 60;
    (hours >= CHARGING_HOURS).then(|| hint(Rule::ChargingOpen, false, format!("Lädt seit {hours} Stunden.")))
}

fn landed_low(item: &Item) -> Option<BatteryHint> {
    let cells = item.cells().filter(|_| item.are_cells_said())?;
    let volts = item.totals.end_voltage?;
    let is_below = |cell| microvolts(volts) < cell * i64::from(cells);
    let cell = german(volts / f64::from(cells), 1);
    let text = format!("Letzter Flug endete bei {cell} V je Zelle.");
    is_below(LANDED[0]).then(|| hint(Rule::LandedLow, is_below(LANDED[1]), text))
}

/// Swollen or damaged, until the reading that says so is changed or deleted.
fn looks(readings: &[StoredReading]) -> Vec<BatteryHint> {
    const REST: &str = "Nicht mehr laden, nach Angaben des Herstellers entsorgen.";
    let mut looks = Vec::new();
    if readings.iter().any(|reading| reading.swollen) {
        looks.push(hint(Rule::Swollen, true, format!("Aufgebläht. {REST}")));
    }
    if readings.iter().any(|reading| reading.damaged) {
        looks.push(hint(Rule::Damaged, true, format!("Beschädigt. {REST}")));
    }
    looks
}

fn cells_apart(readings: &[StoredReading]) -> Option<BatteryHint> {
    let charged = |reading: &&StoredReading| reading.kind == ReadingKind::Charged && reading.cell_voltages.len() > 1;
    let cells = readings.iter().rev().find(charged)?.cell_voltages.iter();
    let cells: Vec<_> = cells.map(|volts| microvolts(*volts)).collect();
    let apart = cells.iter().max()? - cells.iter().min()?;
    // Fewer than 2^53.
    #[expect(clippy::cast_precision_loss)]
    let volts = apart as f64 / 1_000_000.0;
    let text = format!("Zellen {} V auseinander.", german(volts, 3));
    (apart >= APART[0]).then(|| hint(Rule::CellsApart, apart >= APART[1], text))
}

fn sum_off(readings: &[StoredReading]) -> Option<BatteryHint> {
    let last = readings.last().filter(|last| !last.cell_voltages.is_empty())?;
    let (volts, sum) = (last.voltage?, last.sum_of_cells());
    let text = format!(
        "Summe der Zellen {} V, Akku {} V: Wert prüfen.",
        german(sum, 2),
        german(volts, 2)
    );
    ((microvolts(volts) - microvolts(sum)).abs() > SUM_OFF).then(|| hint(Rule::Sum, false, text))
}

/// The cell whose inner resistance has grown most since the first readings.
fn resistance(readings: &[StoredReading]) -> Option<BatteryHint> {
    let last = readings.iter().rev().find(|reading| !reading.resistances.is_empty())?;
    let cells = last.resistances.len();
    let whole: Vec<_> = readings
        .iter()
        .filter(|reading| reading.resistances.len() == cells)
        .collect();
    let first = whole.get(..BASELINE_READINGS)?;
    let then = median(first.iter().filter_map(|reading| reading.temperature).collect());
    if let Some((now, then)) = last.temperature.zip(then)
        && (now - then).abs() > SAME_TEMPERATURE
    {
        return None;
    }
    let baseline = |cell: usize| median(first.iter().map(|reading| reading.resistances[cell]).collect());
    let grown = last.resistances.iter().enumerate().filter_map(|(cell, now)| {
        let baseline = baseline(cell)?;
        Some((cell, *now, baseline, now / baseline))
    });
    let (cell, now, baseline, times) = grown.max_by(|one, other| one.3.total_cmp(&other.3))?;
    let text = format!(
        "Zelle {}: {} mΩ, {}-mal so viel wie am Anfang ({}).",
        cell + 1,
        one_decimal(now),
        one_decimal(times),
        one_decimal(baseline)
    );
    (times >= GROWN[0]).then(|| hint(Rule::Resistance, times >= GROWN[1], text))
}

fn one_cell(readings: &[StoredReading]) -> Option<BatteryHint> {
    let last = readings.iter().rev().find(|reading| reading.resistances.len() > 1)?;
    let usual = median(last.resistances.clone())?;
    let cells = last.resistances.iter().enumerate();
    let (cell, worst) = cells.max_by(|one, other| one.1.total_cmp(other.1))?;
    let text = format!(
        "Zelle {} liegt {} % über den anderen.",
        cell + 1,
        german((worst / usual - 1.0) * 100.0, 0)
    );
    let stands_out = *worst >= usual * ABOVE_OTHERS[0] && worst - usual >= ABOVE_OTHERS[1];
    stands_out.then(|| hint(Rule::OneCell, false, text))
}

fn capacity(percent: f64) -> Option<BatteryHint> {
    let text = format!("Etwa {} % der Nennkapazität (geschätzt).", german(percent, 0));
    (percent < CAPACITY[0]).then(|| hint(Rule::Capacity, percent < CAPACITY[1], text))
}

/// "7,0": a charger shows it like this.
fn one_decimal(value: f64) -> String {
    format!("{value:.1}").replace('.', ",")
}

#[cfg(test)]
mod tests;

//! Condition of a pack, derived from its readings: damage, and how its cells differ from each other and from their
//! first values. Pure; `hints.rs` decides which values deserve a hint.

use super::model::{ReadingKind, StoredReading};
use crate::packs::aging::median;
use crate::packs::state::microvolts;
use fluglog_base::time::WallTime;

/// Number of first readings that form the baseline.
const BASELINE_READINGS: usize = 3;
/// Greatest difference between temperatures whose resistances can be compared, °C
const SAME_TEMPERATURE: f64 = 5.0;

/// Condition of a pack.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PackCondition {
    /// Time of the last reading.
    pub last: Option<WallTime>,
    pub swollen: bool,
    pub damaged: bool,
    /// Difference between its cells after a charge, µV.
    pub apart: Option<i64>,
    /// V; the sum of the cells and the voltage of the pack in the last reading.
    pub sum: Option<(f64, f64)>,
    pub growth: Option<ResistanceGrowth>,
    /// Cell with the highest internal resistance.
    pub highest: Option<HighestResistance>,
}

/// Cell whose internal resistance has grown most.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ResistanceGrowth {
    /// Counted from 1
    pub cell: u8,
    /// mΩ
    pub now: f64,
    /// mΩ, median of the first readings
    pub baseline: f64,
}

/// A cell compared with the others of its pack.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HighestResistance {
    /// Counted from 1
    pub cell: u8,
    /// mΩ
    pub now: f64,
    /// mΩ, median of all cells
    pub median: f64,
}

impl PackCondition {
    /// Computes the condition of a pack from its readings, oldest first.
    #[must_use]
    pub fn of(readings: &[StoredReading]) -> PackCondition {
        PackCondition {
            last: readings.last().map(|reading| reading.time),
            swollen: readings.iter().any(|reading| reading.swollen),
            damaged: readings.iter().any(|reading| reading.damaged),
            apart: apart(readings),
            sum: sum(readings),
            growth: growth(readings),
            highest: highest(readings),
        }
    }
}

fn apart(readings: &[StoredReading]) -> Option<i64> {
    let charged = |reading: &&StoredReading| reading.kind == ReadingKind::Charged && reading.cell_voltages.len() > 1;
    let cells = readings.iter().rev().find(charged)?.cell_voltages.iter();
    let cells: Vec<_> = cells.map(|volts| microvolts(*volts)).collect();
    Some(cells.iter().max()? - cells.iter().min()?)
}

fn sum(readings: &[StoredReading]) -> Option<(f64, f64)> {
    let last = readings.last().filter(|last| !last.cell_voltages.is_empty())?;
    Some((last.sum_of_cells(), last.voltage?))
}

fn growth(readings: &[StoredReading]) -> Option<ResistanceGrowth> {
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
    let growth = last.resistances.iter().enumerate().filter_map(|(cell, now)| {
        let baseline = baseline(cell)?;
        Some((from_one(cell), *now, baseline))
    });
    let (cell, now, baseline) = growth.max_by(|one, other| (one.1 / one.2).total_cmp(&(other.1 / other.2)))?;
    Some(ResistanceGrowth { cell, now, baseline })
}

fn highest(readings: &[StoredReading]) -> Option<HighestResistance> {
    let last = readings.iter().rev().find(|reading| reading.resistances.len() > 1)?;
    let median = median(last.resistances.clone())?;
    let cells = last.resistances.iter().enumerate();
    let (cell, now) = cells.max_by(|one, other| one.1.total_cmp(other.1))?;
    Some(HighestResistance {
        cell: from_one(cell),
        now: *now,
        median,
    })
}

/// Converts an index to the number that people count from 1. Packs have at most 14 cells.
fn from_one(cell: usize) -> u8 {
    u8::try_from(cell + 1).unwrap_or(u8::MAX)
}

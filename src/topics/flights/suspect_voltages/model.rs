//! Suspect voltages of a flight, and the types of answers about them. No store, no web.

use serde::Serialize;

use crate::flights::model::{FlightFields, StoredFlight};
use fluglog_base::id::FlightId;
use fluglog_readers::samples::is_below_cell_minimum;

/// Voltages at the start and end of a flight, in V.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Voltages {
    pub start: Option<f64>,
    pub end: Option<f64>,
}

impl Voltages {
    #[must_use]
    pub fn of(fields: &FlightFields) -> Voltages {
        Voltages {
            start: fields.start_voltage,
            end: fields.end_voltage,
        }
    }

    /// Returns whether one of them is too low for a pack of `cells` cells, or for any pack.
    #[must_use]
    pub(crate) fn are_too_low(&self, cells: Option<u8>) -> bool {
        let mut both = [self.start, self.end].into_iter().flatten();
        both.any(|volts| is_below_cell_minimum(volts, cells))
    }
}

/// Verdict on suspect voltages.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Verdict {
    /// The file hasn't been checked yet.
    Waiting,
    /// The voltages are wrong; these are the right ones from the file.
    Wrong(Voltages),
    /// The voltages can't be the pack's, and no file has the right ones.
    Implausible,
    /// The voltages have been repaired; these are the earlier ones.
    Repaired(Voltages),
}

/// A flight whose voltages are suspect.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SuspectFlight {
    pub flight: FlightId,
    pub verdict: Verdict,
}

/// A pilot's action on suspect voltages.
#[derive(Debug, Clone, Copy)]
pub(crate) enum VoltageAction {
    Repair,
    Undo,
    /// Keeps the voltages of this flight.
    Keep(FlightId),
}

impl VoltageAction {
    /// Returns the voltages of a flight after the action, and the new verdict; `None` when the action doesn't concern
    /// it.
    #[must_use]
    pub fn apply(self, verdict: Verdict, before: Voltages) -> Option<(Voltages, Verdict)> {
        match (self, verdict) {
            (VoltageAction::Repair, Verdict::Wrong(right)) => Some((right, Verdict::Repaired(before))),
            (VoltageAction::Undo, Verdict::Repaired(earlier)) => Some((earlier, Verdict::Wrong(before))),
            _ => None,
        }
    }
}

/// A flight with voltages that aren't its pack's.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct VoltageDoubt {
    pub dpf_id: String,
    pub start_time: String,
    /// Name of the copter.
    pub copter: String,
    /// V
    pub battery_start_voltage: Option<f64>,
    /// V
    pub battery_end_voltage: Option<f64>,
    /// Whether its file has the right voltages.
    pub is_mendable: bool,
    /// V, from the file; null if the file is gone or has no voltage that the pack can have.
    pub right_start_voltage: Option<f64>,
    /// V, like `rightStartVoltage`.
    pub right_end_voltage: Option<f64>,
}

impl VoltageDoubt {
    /// Creates the wire form; `None` when there is nothing for the pilot to do.
    #[must_use]
    pub fn new(flight: &StoredFlight, copter: String, verdict: Verdict) -> Option<VoltageDoubt> {
        let right = match verdict {
            Verdict::Wrong(right) => Some(right),
            Verdict::Implausible => None,
            Verdict::Waiting | Verdict::Repaired(_) => return None,
        };
        Some(VoltageDoubt {
            dpf_id: flight.id.to_string(),
            start_time: flight.entries.start.to_string(),
            copter,
            battery_start_voltage: flight.entries.fields.start_voltage,
            battery_end_voltage: flight.entries.fields.end_voltage,
            is_mendable: right.is_some(),
            right_start_voltage: right.and_then(|right| right.start),
            right_end_voltage: right.and_then(|right| right.end),
        })
    }
}

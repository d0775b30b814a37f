//! A doubt about the voltages of a flight, and the shape that calls answer with. No store, no web.

use serde::Serialize;

use crate::flights::model::{FlightFields, StoredFlight};
use fluglog_base::id::FlightId;
use fluglog_readers::samples::is_too_low;

/// Voltages at the start of a flight and at its end, in V.
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

    /// Whether one of them is lower than that of a pack of so many cells can be, or of any pack at its start.
    #[must_use]
    pub fn are_too_low(&self, cells: Option<u8>) -> bool {
        let mut both = [self.start, self.end].into_iter().flatten();
        both.any(|volts| is_too_low(volts, cells))
    }
}

/// The state of a doubt.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Verdict {
    /// The file wasn't looked through yet.
    Waiting,
    /// The file has these.
    Wrong(Voltages),
    /// They can't be the pack's, and no file says which are.
    Odd,
    /// They are right now. Before they were these.
    Mended(Voltages),
}

/// A flight whose voltages may not be those of its pack.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Doubt {
    pub flight: FlightId,
    pub verdict: Verdict,
}

/// The deed of a pilot about doubts.
#[derive(Debug, Clone, Copy)]
pub enum Deed {
    Mend,
    TakeBack,
    /// The voltages of this flight stay as they are.
    Keep(FlightId),
}

impl Deed {
    /// The voltages of a flight with such a doubt after the deed, and the verdict on them then.
    #[must_use]
    pub fn carry_out(self, verdict: Verdict, before: Voltages) -> Option<(Voltages, Verdict)> {
        match (self, verdict) {
            (Deed::Mend, Verdict::Wrong(right)) => Some((right, Verdict::Mended(before))),
            (Deed::TakeBack, Verdict::Mended(earlier)) => Some((earlier, Verdict::Wrong(before))),
            _ => None,
        }
    }
}

/// A flight with voltages that aren't its pack's, on the wire.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct VoltageDoubt {
    pub dpf_id: String,
    pub start_time: String,
    /// The name of the copter.
    pub copter: String,
    /// V
    pub battery_start_voltage: Option<f64>,
    /// V
    pub battery_end_voltage: Option<f64>,
    /// Whether its file says what is right.
    pub is_mendable: bool,
    /// V; what the file says, if the file is there and has a voltage that the pack can have.
    pub right_start_voltage: Option<f64>,
    /// V; likewise.
    pub right_end_voltage: Option<f64>,
}

impl VoltageDoubt {
    /// A doubt that its pilot can do something about.
    #[must_use]
    pub fn new(flight: &StoredFlight, copter: String, verdict: Verdict) -> Option<VoltageDoubt> {
        let right = match verdict {
            Verdict::Wrong(right) => Some(right),
            Verdict::Odd => None,
            Verdict::Waiting | Verdict::Mended(_) => return None,
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

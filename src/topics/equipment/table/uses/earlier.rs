//! The shape of uses in an earlier release.

use serde::{Deserialize, Serialize};

use super::UseRecord;
use fluglog_store::record::Initial;
use fluglog_store::upgrade;

/// Record of 1.4.0, before the capacity drawn from several batteries was stored.
#[derive(Serialize, Deserialize)]
pub(crate) struct UseRecord1 {
    start: i64,
    milliminutes: i64,
    start_voltage: Option<f64>,
    end_voltage: Option<f64>,
    consumed: Option<f64>,
    open: bool,
}

impl Initial for UseRecord1 {}

upgrade! {
    previous: UseRecord1 => UseRecord {
        shared: None,
        start, milliminutes, start_voltage, end_voltage, consumed, open,
    }
}

//! The shape of chargings' totals in an earlier release.

use serde::{Deserialize, Serialize};

use super::{ChargingRecord, ChargingTotalsRecord};
use fluglog_store::record::Initial;
use fluglog_store::upgrade;

/// Record of 1.5.0, in which each finished charging had a final voltage.
#[derive(Serialize, Deserialize)]
pub(crate) struct ChargingTotalsRecord1 {
    count: u32,
    last_end: Option<i64>,
    last_finished: Option<(i64, f64)>,
    open: Option<(u128, ChargingRecord)>,
}

impl Initial for ChargingTotalsRecord1 {}

upgrade! {
    previous: ChargingTotalsRecord1 => ChargingTotalsRecord {
        last_stated: None,
        count, last_end, last_finished, open,
    }
}

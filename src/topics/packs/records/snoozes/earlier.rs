//! The shape of snoozes in an earlier release.

use serde::{Deserialize, Serialize};

use super::SnoozeRecord;
use fluglog_store::record::Initial;
use fluglog_store::upgrade;

/// Record of 1.5.0, before single hints could be dismissed.
#[derive(Serialize, Deserialize)]
pub(crate) struct SnoozeRecord1 {
    until: i64,
}

impl Initial for SnoozeRecord1 {}

upgrade! {
    previous: SnoozeRecord1 => SnoozeRecord {
        until: Some(previous.until),
        dismissed: Vec::new(),
    }
}

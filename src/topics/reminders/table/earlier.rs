//! The shape of reminders in an earlier release.

use serde::{Deserialize, Serialize};

use super::ReminderRecord;
use fluglog_store::record::Initial;
use fluglog_store::upgrade;

/// Record of 1.5.0, which only knew packs.
#[derive(Serialize, Deserialize)]
pub(crate) struct ReminderRecord1 {
    day: Option<i32>,
    told: Vec<(u128, u8)>,
}

impl Initial for ReminderRecord1 {}

upgrade! {
    previous: ReminderRecord1 => ReminderRecord {
        day: previous.day,
        told: previous.told,
        proofs: Vec::new(),
        mails: Vec::new(),
    }
}

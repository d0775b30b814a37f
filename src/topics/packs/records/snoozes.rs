//! Records of snoozed packs.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use fluglog_base::error::{Error, Result};
use fluglog_base::id::{EquipmentId, OwnerId};
use fluglog_base::time::WallTime;
use fluglog_store::findings::{Findings, place};
use fluglog_store::record::Record;
use fluglog_store::{Snapshot, Writer, record, schema};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct SnoozeRecord {
    /// Minutes since 1970-01-01 00:00, wall clock.
    until: i64,
}

record!(SnoozeRecord: (Owner, u128) = BATTERY_SNOOZES);

/// Returns the snoozes of an owner by pack, including expired ones.
pub fn all(data: &Snapshot<'_>, owner: OwnerId) -> Result<HashMap<EquipmentId, WallTime>> {
    let snoozes = data.of::<SnoozeRecord>(owner)?;
    let snooze = |((_, battery), record)| Ok((EquipmentId::from_key(battery), stored(&record)?));
    snoozes.into_iter().map(snooze).collect()
}

/// Returns the end of a pack's snooze.
pub fn get(data: &Snapshot<'_>, owner: OwnerId, battery: EquipmentId) -> Result<Option<WallTime>> {
    let record = data.get::<SnoozeRecord>((owner.key(), battery.key()))?;
    record.map(|record| stored(&record)).transpose()
}

pub fn put(writer: &Writer<'_>, owner: OwnerId, battery: EquipmentId, until: Option<WallTime>) -> Result<()> {
    let key = (owner.key(), battery.key());
    match until {
        None => writer.remove::<SnoozeRecord>(key),
        Some(until) => writer.put(key, &SnoozeRecord { until: until.minutes() }),
    }
}

pub fn remove_all(writer: &Writer<'_>, owner: OwnerId) -> Result<()> {
    writer.remove_of::<SnoozeRecord>(owner)
}

/// Verifies that each snooze has its pack.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    findings.each::<SnoozeRecord>(data, |findings, key, record| {
        findings.refers(data, &place(&SnoozeRecord::TABLE, key), &schema::EQUIPMENT, key)?;
        if stored(&record).is_err() {
            findings.impossible::<SnoozeRecord>(key);
        }
        Ok(())
    })
}

fn stored(record: &SnoozeRecord) -> Result<WallTime> {
    let damaged = || Error::Internal("a snooze of a battery has an impossible time".to_owned());
    WallTime::from_minutes(record.until).ok_or_else(damaged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_store::record::assert_stored_as;

    #[test]
    fn a_snooze_keeps_its_bytes() {
        let snooze = SnoozeRecord { until: 29_000_000 };
        assert_stored_as::<SnoozeRecord>((1, 2), &snooze, "81fc8002750345555ddb");
        assert_eq!(stored(&snooze).unwrap().minutes(), 29_000_000);
    }
}

//! Records of snoozed packs and of dismissed hints.

mod earlier;

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
    until: Option<i64>,
    /// Codes of rules.
    dismissed: Vec<u8>,
}

record!(SnoozeRecord: (Owner, u128) = BATTERY_SNOOZES, with upgrade);

/// Hints of a pack that aren't shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Snooze {
    /// End of the snooze of all hints; it may have passed.
    pub until: Option<WallTime>,
    /// Codes of the rules whose hints are dismissed for good.
    pub dismissed: Vec<u8>,
}

/// Returns the snoozes of an owner by pack, including expired ones.
pub fn all(data: &Snapshot<'_>, owner: OwnerId) -> Result<HashMap<EquipmentId, Snooze>> {
    let snoozes = data.of::<SnoozeRecord>(owner)?;
    let snooze = |((_, battery), record)| Ok((EquipmentId::from_key(battery), stored(record)?));
    snoozes.into_iter().map(snooze).collect()
}

/// Returns the snooze of a pack.
pub fn get(data: &Snapshot<'_>, owner: OwnerId, battery: EquipmentId) -> Result<Snooze> {
    let record = data.get::<SnoozeRecord>((owner.key(), battery.key()))?;
    record.map_or_else(|| Ok(Snooze::default()), stored)
}

/// Changes the snooze of a pack; an empty one has no record.
pub fn change(
    writer: &Writer<'_>,
    owner: OwnerId,
    battery: EquipmentId,
    change: impl FnOnce(&mut Snooze),
) -> Result<()> {
    let mut snooze = get(writer, owner, battery)?;
    change(&mut snooze);
    let key = (owner.key(), battery.key());
    match snooze == Snooze::default() {
        true => writer.remove::<SnoozeRecord>(key),
        false => writer.put(key, &record(snooze)),
    }
}

pub(crate) fn move_item(writer: &Writer<'_>, from: u128, to: u128, battery: u128) -> Result<()> {
    writer.rekey::<SnoozeRecord>((from, battery)..=(from, battery), |_| (to, battery))
}

/// Verifies that each snooze has its pack.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    findings.each::<SnoozeRecord>(data, |findings, key, record| {
        findings.refers(data, &place(&SnoozeRecord::TABLE, key), &schema::EQUIPMENT, key)?;
        if stored(record).is_err() {
            findings.impossible::<SnoozeRecord>(key);
        }
        Ok(())
    })
}

fn record(snooze: Snooze) -> SnoozeRecord {
    SnoozeRecord {
        until: snooze.until.map(WallTime::minutes),
        dismissed: snooze.dismissed,
    }
}

fn stored(record: SnoozeRecord) -> Result<Snooze> {
    let damaged = || Error::Internal("a snooze of a battery has an impossible time".to_owned());
    let time = |minutes| WallTime::from_minutes(minutes).ok_or_else(damaged);
    Ok(Snooze {
        until: record.until.map(time).transpose()?,
        dismissed: record.dismissed,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_store::record::{assert_read_from, assert_stored_as};

    #[test]
    fn a_snooze_keeps_its_bytes() {
        let until = WallTime::from_minutes(29_000_000);
        let snooze = |dismissed| Snooze { until, dismissed };
        assert_read_from::<SnoozeRecord>((1, 2), "81fc8002750345555ddb", &record(snooze(Vec::new())));
        assert_stored_as::<SnoozeRecord>((1, 2), &record(snooze(vec![0, 4])), "8201fc8002750302000448c4fce7");
        assert_eq!(stored(record(snooze(vec![0, 4]))).unwrap(), snooze(vec![0, 4]));
    }
}

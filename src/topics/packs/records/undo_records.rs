//! Records of actions that can be undone: the chargings that a request changed, before and after.

use serde::{Deserialize, Serialize};

use super::charging::model::StoredCharging;
use super::charging::table::figures::{self, FiguresRecord};
use super::charging::table::{self, ChargingRecord};
use fluglog_base::error::Result;
use fluglog_base::id::{EquipmentId, RequestId, UserId};
use fluglog_store::findings::{Findings, place};
use fluglog_store::record::Record;
use fluglog_store::{Snapshot, Writer, record, schema};

/// Time for which an action is kept, so that a late attempt to undo it is answered with the reason.
const KEPT_SECONDS: i64 = 24 * 60 * 60;

/// The action of a request.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Undoable {
    /// Unix seconds.
    pub time: i64,
    pub changes: Vec<ChargingChange>,
}

/// A charging that a request finished or added.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ChargingChange {
    pub battery: EquipmentId,
    pub before: Option<StoredCharging>,
    pub after: StoredCharging,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct UndoRecord {
    time: i64,
    changes: Vec<ChangeRecord>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct ChangeRecord {
    battery: u128,
    charging: u128,
    before: Option<ChargingRecord>,
    after: ChargingRecord,
    /// The charger's figures before the action, which changes only their purpose; of an added charging, its own.
    figures: Option<FiguresRecord>,
}

record!(UndoRecord: (Owner, u128) = UNDOS);

/// Stores the action of a request, and removes expired ones.
pub fn put(writer: &Writer<'_>, user: UserId, request: RequestId, undoable: &Undoable) -> Result<()> {
    for (key, old) in writer.of::<UndoRecord>(user)? {
        if undoable.time - old.time > KEPT_SECONDS {
            writer.remove::<UndoRecord>(key)?;
        }
    }
    writer.put((user.key(), request.key()), &record(undoable))
}

pub fn find(data: &Snapshot<'_>, user: UserId, request: RequestId) -> Result<Option<Undoable>> {
    let record = data.get::<UndoRecord>((user.key(), request.key()))?;
    record.map(stored).transpose()
}

pub fn remove(writer: &Writer<'_>, user: UserId, request: RequestId) -> Result<()> {
    writer.remove::<UndoRecord>((user.key(), request.key()))
}

/// Verifies that each action has its user. The chargings may have changed since.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    findings.each::<UndoRecord>(data, |findings, key, record| {
        findings.refers(data, &place(&UndoRecord::TABLE, key), &schema::USERS, key.0)?;
        if stored(record).is_err() {
            findings.impossible::<UndoRecord>(key);
        }
        Ok(())
    })
}

fn record(undoable: &Undoable) -> UndoRecord {
    let change = |change: &ChargingChange| ChangeRecord {
        battery: change.battery.key(),
        charging: change.after.id.key(),
        before: change.before.as_ref().map(table::record),
        after: table::record(&change.after),
        figures: figures::record_of(&change.before.as_ref().unwrap_or(&change.after).figures),
    };
    UndoRecord {
        time: undoable.time,
        changes: undoable.changes.iter().map(change).collect(),
    }
}

fn stored(record: UndoRecord) -> Result<Undoable> {
    let change = |change: ChangeRecord| {
        let figures = change.figures.map(figures::stored).transpose()?.unwrap_or_default();
        let charging = |record: &ChargingRecord| {
            Ok::<_, fluglog_base::error::Error>(StoredCharging {
                figures: figures.clone(),
                ..table::stored(change.charging, record)?
            })
        };
        Ok(ChargingChange {
            battery: EquipmentId::from_key(change.battery),
            before: change.before.as_ref().map(charging).transpose()?,
            after: charging(&change.after)?,
        })
    };
    Ok(Undoable {
        time: record.time,
        changes: record.changes.into_iter().map(change).collect::<Result<_>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packs::records::charging::details::ChargerFigures;
    use fluglog_base::id::ChargingId;
    use fluglog_base::time::WallTime;
    use fluglog_store::record::assert_stored_as;

    #[test]
    fn an_action_that_can_be_undone_keeps_its_bytes() {
        let open = StoredCharging {
            id: ChargingId::from_key(7),
            start: WallTime::from_minutes(29_000_000).unwrap(),
            end: None,
            from_voltage: Some(21.6),
            to_voltage: None,
            from_cell_voltage: None,
            to_cell_voltage: None,
            charged: None,
            flight: None,
            figures: ChargerFigures {
                charger: "ISDT".to_owned(),
                ..ChargerFigures::default()
            },
        };
        let undoable = Undoable {
            time: 1_700_000_000,
            changes: vec![ChargingChange {
                battery: EquipmentId::from_key(3),
                after: StoredCharging {
                    end: WallTime::from_minutes(29_000_060),
                    to_voltage: Some(25.2),
                    ..open.clone()
                },
                before: Some(open),
            }],
        };
        assert_stored_as::<UndoRecord>(
            (1, 2),
            &record(&undoable),
            "81fc00e2a7ca01030701fc8002750300019a9999999999354000000000fc8002750301fcf8027503019a9999999999354001\
             33333333333339400000000100000000044953445400228be37f",
        );
        assert_eq!(stored(record(&undoable)).unwrap(), undoable);
    }
}

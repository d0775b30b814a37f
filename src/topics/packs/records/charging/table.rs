//! Records of chargings, and of their totals.

pub mod check;
mod earlier;
pub mod figures;

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::details::{ChargerFigures, Purpose};
use super::model::{ChargingTotals, StatedEnd, StoredCharging};
use crate::equipment::model::TimedVoltage;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{ChargingId, EquipmentId, OwnerId};
use fluglog_base::time::WallTime;
use fluglog_store::{Snapshot, Writer, owned_by, record, schema, under};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ChargingRecord {
    /// Minutes since 1970-01-01 00:00, wall clock.
    start: i64,
    end: Option<i64>,
    from_voltage: Option<f64>,
    to_voltage: Option<f64>,
    from_cell_voltage: Option<f64>,
    to_cell_voltage: Option<f64>,
    charged: Option<f64>,
}

record!(ChargingRecord: (Owner, u128, u128) = CHARGINGS);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct ChargingTotalsRecord {
    count: u32,
    last_end: Option<i64>,
    /// Minute of the end, and V.
    last_finished: Option<(i64, f64)>,
    open: Option<(u128, ChargingRecord)>,
    /// Minute of the end, and the purpose.
    last_stated: Option<(i64, u8)>,
}

record!(ChargingTotalsRecord: (Owner, u128) = CHARGING_TOTALS, with upgrade);

/// Returns the recorded chargings of a battery, in no particular order.
pub fn all(data: &Snapshot<'_>, owner: OwnerId, battery: EquipmentId) -> Result<Vec<StoredCharging>> {
    let mut figures = figures::all(data, owner, battery)?;
    let records = data.scan::<ChargingRecord>(under((owner.key(), battery.key())))?;
    let with_figures = |((.., id), record): ((_, _, u128), ChargingRecord)| {
        let figures = figures.remove(&id).unwrap_or_default();
        Ok(StoredCharging {
            figures,
            ..stored(id, &record)?
        })
    };
    records.into_iter().map(with_figures).collect()
}

/// Returns the ids of all chargings of an owner.
pub fn ids(data: &Snapshot<'_>, owner: OwnerId) -> Result<Vec<ChargingId>> {
    let keys = data.record_keys(&schema::CHARGINGS, owned_by(owner))?;
    Ok(keys.into_iter().map(|(.., id)| ChargingId::from_key(id)).collect())
}

/// Returns a recorded charging of a battery.
pub fn find(
    data: &Snapshot<'_>,
    owner: OwnerId,
    battery: EquipmentId,
    id: ChargingId,
) -> Result<Option<StoredCharging>> {
    let key = (owner.key(), battery.key(), id.key());
    let Some(record) = data.get::<ChargingRecord>(key)? else {
        return Ok(None);
    };
    Ok(Some(StoredCharging {
        figures: figures::get(data, key)?,
        ..stored(id.key(), &record)?
    }))
}

/// Returns the number of chargings of a battery before one more is added.
pub fn count_before_adding(writer: &Writer<'_>, owner: OwnerId, battery: EquipmentId) -> Result<usize> {
    let place = (owner.key(), battery.key());
    writer.count_before_adding::<ChargingRecord>(place, under(place))
}

/// Returns whether any battery of an owner has a charging with this id.
pub(crate) fn has_another(data: &Snapshot<'_>, owner: OwnerId, id: ChargingId) -> Result<bool> {
    for (_, battery) in data.record_keys(&schema::CHARGING_TOTALS, owned_by(owner))? {
        if data.has(&schema::CHARGINGS, (owner.key(), battery, id.key()))? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Stores a charging and updates the totals of its battery.
pub fn put(writer: &Writer<'_>, owner: OwnerId, battery: EquipmentId, charging: &StoredCharging) -> Result<()> {
    let key = (owner.key(), battery.key(), charging.id.key());
    let before = find(writer, owner, battery, charging.id)?;
    writer.put(key, &record(charging))?;
    figures::put(writer, key, &charging.figures)?;
    let known = totals(writer, owner, battery)?;
    if !known.follow(before.as_ref(), charging) {
        derive_totals(writer, owner, battery);
    }
    let totals = known.after(before.as_ref(), charging);
    writer.put((owner.key(), battery.key()), &totals_record(totals))
}

/// Removes a charging and updates the totals of its battery.
pub fn remove(writer: &Writer<'_>, owner: OwnerId, battery: EquipmentId, id: ChargingId) -> Result<()> {
    let key = (owner.key(), battery.key(), id.key());
    writer.remove::<ChargingRecord>(key)?;
    figures::put(writer, key, &ChargerFigures::default())?;
    derive_totals(writer, owner, battery);
    let known = totals(writer, owner, battery)?;
    let totals = ChargingTotals {
        open: known.open.filter(|open| open.id != id),
        ..known
    };
    writer.put((owner.key(), battery.key()), &totals_record(totals))
}

/// Computes the totals of a battery from all its chargings at the end of the transaction; until then only the open
/// charging is sure.
fn derive_totals(writer: &Writer<'_>, owner: OwnerId, battery: EquipmentId) {
    writer.derive_last::<ChargingTotalsRecord>((owner.key(), battery.key()), |writer, key| {
        let (owner, battery) = (OwnerId::from_key(key.0), EquipmentId::from_key(key.1));
        let totals = ChargingTotals::of(&all(writer, owner, battery)?);
        match totals == ChargingTotals::default() {
            true => writer.remove::<ChargingTotalsRecord>(key),
            false => writer.put(key, &totals_record(totals)),
        }
    });
}

fn totals_record(totals: ChargingTotals) -> ChargingTotalsRecord {
    ChargingTotalsRecord {
        count: totals.count,
        last_end: totals.last_end.map(WallTime::minutes),
        last_finished: totals
            .last_finished
            .map(|reading| (reading.time.minutes(), reading.volts)),
        open: totals.open.map(|open| (open.id.key(), record(&open))),
        last_stated: totals
            .last_stated
            .map(|stated| (stated.time.minutes(), stated.purpose.code())),
    }
}

/// Gives the chargings of a battery to another owner.
pub(crate) fn move_item(writer: &Writer<'_>, from: u128, to: u128, battery: u128) -> Result<()> {
    writer.rekey::<ChargingRecord>(under((from, battery)), |(.., id)| (to, battery, id))?;
    figures::move_item(writer, from, to, battery)?;
    writer.rekey::<ChargingTotalsRecord>((from, battery)..=(from, battery), |_| (to, battery))
}

/// Returns the totals of a battery's chargings.
pub(crate) fn totals(data: &Snapshot<'_>, owner: OwnerId, battery: EquipmentId) -> Result<ChargingTotals> {
    let record = data.get::<ChargingTotalsRecord>((owner.key(), battery.key()))?;
    record.map_or_else(|| Ok(ChargingTotals::default()), stored_totals)
}

/// Returns the totals of the chargings of each battery of an owner, by its key.
pub(crate) fn all_totals(data: &Snapshot<'_>, owner: OwnerId) -> Result<HashMap<(u128, u128), ChargingTotals>> {
    data.of::<ChargingTotalsRecord>(owner)?
        .into_iter()
        .map(|(key, record)| Ok((key, stored_totals(record)?)))
        .collect()
}

pub fn record(charging: &StoredCharging) -> ChargingRecord {
    ChargingRecord {
        start: charging.start.minutes(),
        end: charging.end.map(WallTime::minutes),
        from_voltage: charging.from_voltage,
        to_voltage: charging.to_voltage,
        from_cell_voltage: charging.from_cell_voltage,
        to_cell_voltage: charging.to_cell_voltage,
        charged: charging.charged,
    }
}

pub fn stored(id: u128, record: &ChargingRecord) -> Result<StoredCharging> {
    Ok(StoredCharging {
        id: ChargingId::from_key(id),
        start: time(record.start)?,
        end: record.end.map(time).transpose()?,
        from_voltage: record.from_voltage,
        to_voltage: record.to_voltage,
        from_cell_voltage: record.from_cell_voltage,
        to_cell_voltage: record.to_cell_voltage,
        charged: record.charged,
        flight: None,
        figures: ChargerFigures::default(),
    })
}

fn stored_totals(record: ChargingTotalsRecord) -> Result<ChargingTotals> {
    Ok(ChargingTotals {
        count: record.count,
        last_end: record.last_end.map(time).transpose()?,
        last_finished: record
            .last_finished
            .map(|(minute, volts)| {
                Ok::<_, Error>(TimedVoltage {
                    time: time(minute)?,
                    volts,
                })
            })
            .transpose()?,
        open: record.open.map(|(id, open)| stored(id, &open)).transpose()?,
        last_stated: record
            .last_stated
            .map(|(minute, code)| {
                Ok::<_, Error>(StatedEnd {
                    time: time(minute)?,
                    purpose: Purpose::from_code(code).ok_or_else(impossible_purpose)?,
                })
            })
            .transpose()?,
    })
}

fn impossible_purpose() -> Error {
    Error::Internal("a charging has an impossible purpose".to_owned())
}

fn time(minute: i64) -> Result<WallTime> {
    WallTime::from_minutes(minute).ok_or_else(|| Error::Internal("a charging has an impossible time".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_store::record::{assert_read_from, assert_stored_as};

    const OPEN: ChargingRecord = ChargingRecord {
        start: 29_000_000,
        end: None,
        from_voltage: Some(21.6),
        to_voltage: None,
        from_cell_voltage: Some(3.6),
        to_cell_voltage: None,
        charged: None,
    };

    #[test]
    fn a_charging_keeps_its_bytes() {
        assert_read_from::<ChargingRecord>(
            (1, 2, 3),
            "01fc8002750300019a999999999935400001cdcccccccccc0c4000007f5e876a",
            &OPEN,
        );
        assert_stored_as::<ChargingRecord>(
            (1, 2, 3),
            &OPEN,
            "81fc8002750300019a999999999935400001cdcccccccccc0c400000d9fa8694",
        );
        let finished = ChargingRecord {
            end: Some(29_000_060),
            to_voltage: Some(25.2),
            to_cell_voltage: Some(4.2),
            charged: Some(1100.0),
            ..OPEN
        };
        assert_read_from::<ChargingRecord>(
            (1, 2, 3),
            "01fc8002750301fcf8027503019a9999999999354001333333333333394001cdcccccccccc0c4001cdcccccccccc10400100000000\
             00309140615adde1",
            &finished,
        );
        assert_stored_as::<ChargingRecord>(
            (1, 2, 3),
            &finished,
            "81fc8002750301fcf8027503019a9999999999354001333333333333394001cdcccccccccc0c4001cdcccccccccc10400100000000\
             00309140e89d4b16",
        );
    }

    #[test]
    fn the_totals_of_a_battery_keep_their_bytes() {
        let totals = ChargingTotalsRecord {
            count: 3,
            last_end: Some(29_000_060),
            last_finished: Some((29_000_060, 25.2)),
            open: Some((7, OPEN)),
            last_stated: None,
        };
        assert_read_from::<ChargingTotalsRecord>(
            (1, 2),
            "010301fcf802750301fcf802750333333333333339400107fc8002750300019a999999999935400001cdcccccccccc0c400000a0cd\
             e917",
            &totals,
        );
        assert_read_from::<ChargingTotalsRecord>(
            (1, 2),
            "810301fcf802750301fcf802750333333333333339400107fc8002750300019a999999999935400001cdcccccccccc0c4000003b8f\
             ef7e",
            &totals,
        );
        let stated = ChargingTotalsRecord {
            last_stated: Some((29_000_090, 1)),
            ..totals
        };
        assert_stored_as::<ChargingTotalsRecord>(
            (1, 2),
            &stated,
            "820301fcf802750301fcf802750333333333333339400107fc8002750300019a999999999935400001cdcccccccccc0c4000\
             0001fc34037503015fb5e0aa",
        );
    }
}

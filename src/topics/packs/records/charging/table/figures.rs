//! Records of chargers' figures, stored beside those of the chargings. Empty figures have no record.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::packs::records::charging::details::{ChargerFigures, Purpose};
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{EquipmentId, OwnerId};
use fluglog_store::findings::{Findings, place};
use fluglog_store::record::Record;
use fluglog_store::{Snapshot, Writer, record, schema, under};

type FiguresKey = (u128, u128, u128);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct FiguresRecord {
    purpose: Option<u8>,
    end_cells: Vec<f64>,
    resistances: Vec<f64>,
    current: Option<f64>,
    charger: String,
    measured: Option<f64>,
}

record!(FiguresRecord: (Owner, u128, u128) = CHARGING_DETAILS);

/// Returns the figures of a battery's chargings, by their ids.
pub fn all(data: &Snapshot<'_>, owner: OwnerId, battery: EquipmentId) -> Result<HashMap<u128, ChargerFigures>> {
    let figures = data
        .scan::<FiguresRecord>(under((owner.key(), battery.key())))?
        .into_iter();
    figures.map(|((.., id), record)| Ok((id, stored(record)?))).collect()
}

/// Returns the figures of one charging.
pub fn get(data: &Snapshot<'_>, key: FiguresKey) -> Result<ChargerFigures> {
    let record = data.get::<FiguresRecord>(key)?;
    record.map_or_else(|| Ok(ChargerFigures::default()), stored)
}

pub fn put(writer: &Writer<'_>, key: FiguresKey, figures: &ChargerFigures) -> Result<()> {
    match record_of(figures) {
        None => writer.remove::<FiguresRecord>(key),
        Some(record) => writer.put(key, &record),
    }
}

/// Returns the record of figures; `None` when they are empty.
pub fn record_of(figures: &ChargerFigures) -> Option<FiguresRecord> {
    (*figures != ChargerFigures::default()).then(|| record(figures))
}

pub(crate) fn move_item(writer: &Writer<'_>, from: u128, to: u128, battery: u128) -> Result<()> {
    writer.rekey::<FiguresRecord>(under((from, battery)), |(.., id)| (to, battery, id))
}

/// Verifies that all figures have their charging, and returns them by its key.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<HashMap<FiguresKey, ChargerFigures>> {
    let mut all = HashMap::new();
    findings.each::<FiguresRecord>(data, |findings, key, record| {
        findings.refers(data, &place(&FiguresRecord::TABLE, key), &schema::CHARGINGS, key)?;
        match stored(record) {
            Ok(figures) => drop(all.insert(key, figures)),
            Err(_) => findings.impossible::<FiguresRecord>(key),
        }
        Ok(())
    })?;
    Ok(all)
}

fn record(figures: &ChargerFigures) -> FiguresRecord {
    FiguresRecord {
        purpose: figures.purpose.map(Purpose::code),
        end_cells: figures.end_cells.clone(),
        resistances: figures.resistances.clone(),
        current: figures.current,
        charger: figures.charger.clone(),
        measured: figures.measured,
    }
}

pub fn stored(record: FiguresRecord) -> Result<ChargerFigures> {
    let damaged = || Error::Internal("the figures of a charger have an impossible value".to_owned());
    let purpose = |code| Purpose::from_code(code).ok_or_else(damaged);
    Ok(ChargerFigures {
        purpose: record.purpose.map(purpose).transpose()?,
        end_cells: record.end_cells,
        resistances: record.resistances,
        current: record.current,
        charger: record.charger,
        measured: record.measured,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_store::record::assert_stored_as;

    #[test]
    fn the_figures_of_a_charger_keep_their_bytes() {
        let figures = ChargerFigures {
            purpose: Some(Purpose::Balance),
            end_cells: vec![4.2, 4.19],
            resistances: vec![4.7],
            current: Some(1.3),
            charger: "ISDT".to_owned(),
            measured: Some(1210.0),
        };
        assert_stored_as::<FiguresRecord>(
            (1, 2, 3),
            &record(&figures),
            "81010302cdcccccccccc1040c3f5285c8fc2104001cdcccccccccc124001cdccccccccccf43f0449534454010000000000e8\
             9240461b092b",
        );
        assert_eq!(stored(record(&figures)).unwrap(), figures);
    }
}

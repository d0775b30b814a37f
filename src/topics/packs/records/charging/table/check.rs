//! Verifies chargings: each has its battery, and the totals are right.

use std::collections::BTreeMap;

use super::{ChargingRecord, ChargingTotalsRecord, stored, totals_record};
use crate::packs::records::charging::model::{ChargingTotals, StoredCharging};
use fluglog_base::error::Result;
use fluglog_store::findings::{FindingKind, Findings, place};
use fluglog_store::record::Record;
use fluglog_store::{Snapshot, Writer, schema};

/// Chargings of each battery, by its key.
type Chargings = BTreeMap<(u128, u128), Vec<StoredCharging>>;

/// Verifies all records of chargings, and returns them.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<Chargings> {
    let mut chargings = Chargings::new();
    let mut figures = super::figures::check(data, findings)?;
    findings.each::<ChargingRecord>(data, |findings, key, charging| {
        let (owner, battery, id) = key;
        findings.refers(
            data,
            &place(&ChargingRecord::TABLE, key),
            &schema::EQUIPMENT,
            (owner, battery),
        )?;
        match stored(id, &charging) {
            Ok(charging) => chargings.entry((owner, battery)).or_default().push(StoredCharging {
                figures: figures.remove(&key).unwrap_or_default(),
                ..charging
            }),
            Err(_) => findings.impossible::<ChargingRecord>(key),
        }
        Ok(())
    })?;
    let mut all_totals: BTreeMap<_, _> = chargings
        .iter()
        .map(|(battery, chargings)| (*battery, ChargingTotals::of(chargings)))
        .collect();
    findings.each::<ChargingTotalsRecord>(data, |findings, key, totals| {
        let place = place(&ChargingTotalsRecord::TABLE, key);
        findings.refers(data, &place, &schema::EQUIPMENT, key)?;
        let expected = all_totals.remove(&key).unwrap_or_default();
        if totals != totals_record(expected.clone()) {
            let rebuild = move |writer: &Writer<'_>| writer.put(key, &totals_record(expected.clone()));
            findings.derived(&place, FindingKind::ChargingTotalsWrong, rebuild);
        }
        Ok(())
    })?;
    for (battery, totals) in all_totals {
        let place = place(&ChargingTotalsRecord::TABLE, battery);
        let rebuild = move |writer: &Writer<'_>| writer.put(battery, &totals_record(totals.clone()));
        findings.derived(&place, FindingKind::ChargingTotalsMissing, rebuild);
    }
    Ok(chargings)
}

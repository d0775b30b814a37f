//! The check of the chargings: each has its battery, and the totals are right.

use std::collections::BTreeMap;

use super::{ChargingRecord, ChargingTotalsRecord, stored, totals_record};
use crate::base::error::Result;
use crate::equipment::charging::model::{ChargingTotals, StoredCharging};
use crate::store::findings::{Findings, Wrong, place};
use crate::store::record::Record;
use crate::store::{Snapshot, Writer, schema};

/// Reads every record of the chargings.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    let mut chargings: BTreeMap<_, Vec<StoredCharging>> = BTreeMap::new();
    findings.each::<ChargingRecord>(data, |findings, key, charging| {
        let (owner, battery, id) = key;
        findings.refers(
            data,
            &place(&ChargingRecord::TABLE, key),
            &schema::EQUIPMENT,
            (owner, battery),
        )?;
        match stored(id, &charging) {
            Ok(charging) => chargings.entry((owner, battery)).or_default().push(charging),
            Err(_) => findings.impossible::<ChargingRecord>(key),
        }
        Ok(())
    })?;
    findings.each::<ChargingTotalsRecord>(data, |findings, key, totals| {
        let place = place(&ChargingTotalsRecord::TABLE, key);
        findings.refers(data, &place, &schema::EQUIPMENT, key)?;
        let expected = chargings.remove(&key).unwrap_or_default();
        if totals != totals_record(ChargingTotals::of(&expected)) {
            let rebuild = move |writer: &Writer<'_>| writer.put(key, &totals_record(ChargingTotals::of(&expected)));
            findings.derived(&place, Wrong::ChargingTotalsWrong, rebuild);
        }
        Ok(())
    })?;
    for (battery, chargings) in chargings {
        let place = place(&ChargingTotalsRecord::TABLE, battery);
        let rebuild = move |writer: &Writer<'_>| writer.put(battery, &totals_record(ChargingTotals::of(&chargings)));
        findings.derived(&place, Wrong::ChargingTotalsMissing, rebuild);
    }
    Ok(())
}

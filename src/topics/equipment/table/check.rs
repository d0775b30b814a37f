//! Verifies equipment: each item and use has its owner, its flight and its index entry, and the totals are right.

use std::collections::BTreeMap;

use super::shared_uses::{self, Borrowers, Pilot};
use super::uses::UseRecord;
use super::{EquipmentRecord, ItemParts, TotalsRecord, item};
use crate::equipment::model::{Discharge, Kind};
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{EquipmentId, FlightId, OwnerId};
use fluglog_store::findings::{FindingKind, Findings, place};
use fluglog_store::record::Record;
use fluglog_store::{Snapshot, Writer, schema};

/// Discharges of each battery, by its key.
pub type Discharges = BTreeMap<(u128, u128), Vec<Discharge>>;

/// Verifies items with their uses, totals and profiles, and returns the discharges of batteries. Stickers have a check
/// of their own.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<Discharges> {
    let mut flights = Discharges::new();
    findings.each::<EquipmentRecord>(data, |findings, key, record| {
        let (owner, id) = key;
        if record.kind == Kind::Battery.code() {
            flights.insert(key, Vec::new());
        }
        findings.refers_to_owner(data, &place(&EquipmentRecord::TABLE, key), owner)?;
        if item(id, record, None, ItemParts::default()).is_err() {
            findings.impossible::<EquipmentRecord>(key);
        }
        Ok(())
    })?;
    let mut places = Vec::new();
    let mut borrowers = Borrowers::default();
    let mut sums: BTreeMap<(u128, u128), Sum> = BTreeMap::new();
    findings.each::<UseRecord>(data, |findings, key, used| {
        let (owner, item, flight) = key;
        let place = place(&UseRecord::TABLE, key);
        findings.refers(data, &place, &schema::EQUIPMENT, (owner, item))?;
        let pilot = shared_uses::pilot_of(
            data,
            OwnerId::from_key(owner),
            EquipmentId::from_key(item),
            FlightId::from_key(flight),
        );
        let is_flown = match pilot {
            Ok(Pilot::User(user)) => data.has(&schema::FLIGHTS, (user.key(), flight))?,
            // The flight went with its pilot's account; an unreadable record has a finding of its own.
            Ok(Pilot::Deleted) | Err(Error::Internal(_)) => true,
            Err(other) => return Err(other),
        };
        if !is_flown {
            borrowers.report(data, findings, key)?;
        }
        places.extend(used.places(key));
        sums.entry((owner, item)).or_default().add(flight, &used);
        if let Some(flights) = flights.get_mut(&(owner, item)) {
            flights.extend(used.used(FlightId::from_key(flight)).map(|used| used.as_discharge()));
        }
        Ok(())
    })?;
    let record_of = |(owner, item, _, _, flight)| (owner, item, flight);
    findings.index::<UseRecord, _>(data, &schema::EQUIPMENT_USES_BY_START, places, record_of)?;
    findings.each::<TotalsRecord>(data, |findings, key, totals| {
        let place = place(&TotalsRecord::TABLE, key);
        findings.refers(data, &place, &schema::EQUIPMENT, key)?;
        let expected = sums.remove(&key).unwrap_or_default().totals();
        if expected != totals {
            let rebuild = move |writer: &Writer<'_>| writer.put(key, &expected);
            findings.derived(&place, FindingKind::FlightTotalsWrong, rebuild);
        }
        Ok(())
    })?;
    for (item, sum) in sums {
        let expected = sum.totals();
        let rebuild = move |writer: &Writer<'_>| writer.put(item, &expected);
        findings.derived(
            &place(&TotalsRecord::TABLE, item),
            FindingKind::FlightTotalsMissing,
            rebuild,
        );
    }
    super::battery_profile::check(data, findings)?;
    super::prior::check(data, findings)?;
    shared_uses::check(data, findings)?;
    super::authors::check(data, findings)?;
    Ok(flights)
}

/// Start of a use and its flight, by which the latest use is found.
type Order = (i64, u128);

/// Totals of an item's uses, computed from their records alone.
#[derive(Default)]
struct Sum {
    milliminutes: i64,
    last: Option<Order>,
    end_voltage: Option<(Order, f64)>,
    voltage: Option<(Order, (i64, f64))>,
    open_flight: Option<u128>,
}

impl Sum {
    fn add(&mut self, flight: u128, used: &UseRecord) {
        let order = (used.start, flight);
        self.milliminutes += used.milliminutes;
        self.last = self.last.max(Some(order));
        keep_latest(&mut self.end_voltage, order, used.end_voltage);
        keep_latest(&mut self.voltage, order, used.voltage());
        if used.open {
            self.open_flight = Some(flight);
        }
    }

    fn totals(self) -> TotalsRecord {
        TotalsRecord {
            milliminutes: self.milliminutes,
            last_start: self.last.map(|(start, _)| start),
            end_voltage: self.end_voltage.map(|(_, volts)| volts),
            voltage: self.voltage.map(|(_, reading)| reading),
            open_flight: self.open_flight,
        }
    }
}

fn keep_latest<T>(latest: &mut Option<(Order, T)>, order: Order, value: Option<T>) {
    let Some(value) = value else { return };
    if latest.as_ref().is_none_or(|(before, _)| *before < order) {
        *latest = Some((order, value));
    }
}

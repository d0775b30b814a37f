//! Verifies flights and what is derived from them.

use super::reviews::{self, ExpectedReviews};
use super::suspect_voltages;
use super::table;
use super::uses::used;
use super::years::{self, ExpectedYears};
use crate::equipment::model::Use;
use crate::equipment::{self, Pilot};
use fluglog_base::error::Result;
use fluglog_store::findings::{FindingKind, Findings};
use fluglog_store::open_flight;
use fluglog_store::{Snapshot, Writer};

/// Reads every record of the flights to verify the database, and compares them with what is derived from flights
/// elsewhere.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    let mut uses = 0;
    let (mut years, mut reviews) = (ExpectedYears::default(), ExpectedReviews::default());
    table::check::check(data, findings, |findings, place, owner, flight| {
        years.add(owner, flight);
        reviews.add(owner, flight);
        let used = used(flight);
        for part in flight.parts() {
            let (pilot, item, kind) = (owner, part.id, part.kind);
            let Some(owner) = part.owner(pilot) else {
                continue;
            };
            uses += 1;
            let id = flight.id;
            // An item may have been freed from the open flight.
            let closed = Use { open: false, ..used };
            let is_freed = used.open && equipment::is_use_stored(data, owner, item, &closed)?;
            let is_stored = is_freed || equipment::is_use_stored(data, owner, item, &used)?;
            let is_known = equipment::pilot_of(data, owner, item, id)? == Pilot::User(pilot);
            if !(is_stored && is_known) {
                let kept = if is_freed { closed } else { used };
                // The use and its pilot are written: the checks of the equipment remove either without the other.
                let rebuild = move |writer: &Writer<'_>| {
                    equipment::rewrite_use(writer, owner, item, &kept)?;
                    match is_known && owner == pilot.into() {
                        true => Ok(()),
                        false => equipment::put_pilot(writer, owner, item, id, pilot),
                    }
                };
                findings.derived(place, FindingKind::FlightUnlikeItsItems, rebuild);
            }
            if !equipment::is_there(data, owner, item)? {
                let what = FindingKind::FlownWithNothing;
                let rebuild = move |writer: &Writer<'_>| equipment::put_placeholder(writer, owner, item, kind);
                findings.derived(place, what, rebuild);
            }
        }
        if (open_flight::of(data, owner)? == Some(flight.id)) != flight.open {
            let open = flight.open.then_some(flight.id);
            let rebuild = move |writer: &Writer<'_>| open_flight::set(writer, owner, open);
            findings.derived(place, FindingKind::FlightOpenAndNot, rebuild);
        }
        Ok(())
    })?;
    uses += equipment::count_deleted_pilots(data)?;
    if findings.is_complete() && !findings.leaves_out_any() && equipment::count_uses(data)? != uses {
        findings.damage("equipment_uses", FindingKind::UsesOfNoFlight);
    }
    suspect_voltages::check(data, findings)?;
    years::check(data, findings, years)?;
    reviews::check(data, findings, reviews)
}

//! Verifies flights: each has its owner, its equipment and its index entry.

use super::borrowed::{self, BorrowedParts};
use super::{FlightRecord, place as place_in_index, stored};
use crate::flights::model::StoredFlight;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::UserId;
use fluglog_store::findings::{Findings, place};
use fluglog_store::record::Record;
use fluglog_store::{Snapshot, schema};

/// Verifies all records of flights, and calls `visit` with each one's place in the database and owner.
///
/// # Errors
/// A table is unreadable, or any error of `visit`.
pub fn check(
    data: &Snapshot<'_>,
    findings: &mut Findings,
    mut visit: impl FnMut(&mut Findings, &str, UserId, &StoredFlight) -> Result<()>,
) -> Result<()> {
    let mut places = Vec::new();
    borrowed::check(data, findings)?;
    findings.each::<FlightRecord>(data, |findings, key, flight| {
        let (owner, id) = (UserId::from_key(key.0), key.1);
        let place = place(&FlightRecord::TABLE, key);
        findings.refers(data, &place, &schema::USERS, key.0)?;
        let Ok(mut flight) = stored(id, flight) else {
            findings.impossible::<FlightRecord>(key);
            return Ok(());
        };
        match BorrowedParts::of_some(data, owner)?.apply(data, &mut flight) {
            // An unreadable part has a finding of its own.
            Ok(()) | Err(Error::Internal(_)) => {}
            Err(other) => return Err(other),
        }
        places.push(place_in_index(owner, &flight));
        visit(findings, &place, owner, &flight)
    })?;
    findings.index::<FlightRecord, _>(data, &schema::FLIGHTS_BY_START, places, |(owner, _, flight)| {
        (owner, flight)
    })
}

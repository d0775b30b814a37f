//! The flight in progress of each pilot; at most one.
//!
//! That a flight is in progress is also stored in the flight's own record, in the uses of its items, and in the items'
//! totals. The redundancy is deliberate: lists and statistics skip it while reading only flights, a battery's history
//! does while reading only uses, and whether an item may be retired is answered by its totals. One function writes all
//! four in one transaction, and a check compares them.

use serde::{Deserialize, Serialize};

use crate::findings::{FindingKind, Findings, place};
use crate::record::Record;
use crate::{Snapshot, Writer, record, schema};
use fluglog_base::error::Result;
use fluglog_base::id::{FlightId, UserId};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct OpenFlightRecord {
    flight: u128,
}

record!(OpenFlightRecord: u128 = OPEN_FLIGHTS);

/// Returns the pilot's flight in progress.
pub fn of(data: &Snapshot<'_>, user: UserId) -> Result<Option<FlightId>> {
    let open = data.get::<OpenFlightRecord>(user.key())?;
    Ok(open.map(|open| FlightId::from_key(open.flight)))
}

/// Sets the pilot's flight in progress.
pub fn set(writer: &Writer<'_>, user: UserId, flight: Option<FlightId>) -> Result<()> {
    match flight {
        Some(flight) => writer.put(user.key(), &OpenFlightRecord { flight: flight.key() }),
        None => writer.remove::<OpenFlightRecord>(user.key()),
    }
}

/// Reads every record for a check of the data.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    findings.each::<OpenFlightRecord>(data, |findings, user, open| {
        let place = place(&OpenFlightRecord::TABLE, user);
        findings.refers(data, &place, &schema::USERS, user)?;
        if !data.has(&schema::FLIGHTS, (user, open.flight))? {
            let rebuild = move |writer: &Writer<'_>| writer.remove::<OpenFlightRecord>(user);
            findings.derived(&place, FindingKind::UseOfNoFlight, rebuild);
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{assert_read_from, assert_stored_as};

    #[test]
    fn an_open_flight_keeps_its_bytes() {
        let open = OpenFlightRecord { flight: 1 << 64 };
        assert_read_from::<OpenFlightRecord>(1, "01fe000000000000000001000000000000003f84ffdb", &open);
        assert_stored_as::<OpenFlightRecord>(1, &open, "81fe00000000000000000100000000000000f33872cb");
    }
}

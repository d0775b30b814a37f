//! Records of the items of flights that aren't the pilot's own: whose they are, and their names as they were. A flight
//! reads right also when its pilot has left the space, or the item was renamed.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::flights::model::{Borrowed, StoredFlight};
use fluglog_base::error::Result;
use fluglog_base::id::{EquipmentId, FlightId, OwnerId, UserId};
use fluglog_store::findings::{FindingKind, Findings, place};
use fluglog_store::record::Record;
use fluglog_store::{Snapshot, Writer, owned_by, record, schema, under};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct BorrowedPartRecord {
    /// `None`: the item is gone with its owner.
    owner: Option<u128>,
    name: String,
    model: String,
}

record!(BorrowedPartRecord: (Owner, u128, u128) = BORROWED_PARTS);

/// The borrowed items of a pilot's flights.
pub(crate) struct BorrowedParts {
    user: UserId,
    /// The parts of all flights, if they were read at once.
    all: Option<HashMap<(u128, u128), Borrowed>>,
    /// Whether the pilot has borrowed anything.
    is_any: bool,
}

impl BorrowedParts {
    /// Prepares to read those of some flights.
    pub fn of_some(data: &Snapshot<'_>, user: UserId) -> Result<BorrowedParts> {
        let is_any = !data
            .keys_ascending(&schema::BORROWED_PARTS, owned_by(user), 1)?
            .is_empty();
        Ok(BorrowedParts {
            user,
            all: None,
            is_any,
        })
    }

    /// Reads those of all flights.
    pub fn of_all(data: &Snapshot<'_>, user: UserId) -> Result<BorrowedParts> {
        let found = data.scan::<BorrowedPartRecord>(owned_by(user))?.into_iter();
        let all: HashMap<_, _> = found
            .map(|((_, flight, item), record)| ((flight, item), record.borrowed()))
            .collect();
        Ok(BorrowedParts {
            user,
            is_any: !all.is_empty(),
            all: Some(all),
        })
    }

    /// Sets the owners and names of a flight's borrowed items.
    pub fn apply(&self, data: &Snapshot<'_>, flight: &mut StoredFlight) -> Result<()> {
        if !self.is_any {
            return Ok(());
        }
        let id = flight.id.key();
        for part in std::iter::once(&mut flight.copter).chain(&mut flight.equipments) {
            let borrowed = match &self.all {
                Some(all) => all.get(&(id, part.id.key())).cloned(),
                None => data
                    .get::<BorrowedPartRecord>((self.user.key(), id, part.id.key()))?
                    .map(BorrowedPartRecord::borrowed),
            };
            part.borrowed = borrowed;
        }
        Ok(())
    }
}

impl BorrowedPartRecord {
    fn borrowed(self) -> Borrowed {
        Borrowed {
            owner: self.owner.map(OwnerId::from_key),
            name: self.name,
            model: self.model,
        }
    }
}

/// Stores a borrowed item of a flight.
pub fn put(writer: &Writer<'_>, user: UserId, flight: FlightId, item: EquipmentId, borrowed: &Borrowed) -> Result<()> {
    let record = BorrowedPartRecord {
        owner: borrowed.owner.map(OwnerId::key),
        name: borrowed.name.clone(),
        model: borrowed.model.clone(),
    };
    writer.put((user.key(), flight.key(), item.key()), &record)
}

/// Returns a borrowed item of a flight.
pub(crate) fn get(data: &Snapshot<'_>, user: UserId, flight: FlightId, item: EquipmentId) -> Result<Option<Borrowed>> {
    let found = data.get::<BorrowedPartRecord>((user.key(), flight.key(), item.key()))?;
    Ok(found.map(BorrowedPartRecord::borrowed))
}

/// Forgets that an item of a flight is borrowed.
pub fn remove(writer: &Writer<'_>, user: UserId, flight: FlightId, item: EquipmentId) -> Result<()> {
    writer.remove::<BorrowedPartRecord>((user.key(), flight.key(), item.key()))
}

/// Removes the borrowed items of a flight.
pub(crate) fn remove_of_flight(writer: &Writer<'_>, user: UserId, flight: FlightId) -> Result<()> {
    writer.remove_range::<BorrowedPartRecord>(under((user.key(), flight.key())))
}

/// Returns the borrowed items of all flights of a pilot.
pub(crate) fn all(data: &Snapshot<'_>, user: UserId) -> Result<Vec<(FlightId, EquipmentId, Borrowed)>> {
    let found = data.scan::<BorrowedPartRecord>(owned_by(user))?.into_iter();
    Ok(found
        .map(|((_, flight, item), record)| {
            let (flight, item) = (FlightId::from_key(flight), EquipmentId::from_key(item));
            (flight, item, record.borrowed())
        })
        .collect())
}

/// Removes the borrowed items of all flights of a pilot.
pub fn remove_all(writer: &Writer<'_>, user: UserId) -> Result<()> {
    writer.remove_of::<BorrowedPartRecord>(user)
}

/// Verifies that each borrowed item has its flight, and that the use of it names the pilot.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    findings.each::<BorrowedPartRecord>(data, |findings, key, _| {
        if !data.has(&schema::FLIGHTS, (key.0, key.1))? {
            let rebuild = move |writer: &Writer<'_>| writer.remove::<BorrowedPartRecord>(key);
            findings.derived(
                &place(&BorrowedPartRecord::TABLE, key),
                FindingKind::UseOfNoFlight,
                rebuild,
            );
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_store::record::assert_stored_as;

    #[test]
    fn a_borrowed_part_keeps_its_bytes() {
        let part = BorrowedPartRecord {
            owner: Some(1 << 64),
            name: "Schulcopter".to_owned(),
            model: "Mavic".to_owned(),
        };
        assert_stored_as::<BorrowedPartRecord>(
            (1, 2, 3),
            &part,
            "8101fe000000000000000001000000000000000b536368756c636f70746572054d6176696393fd5015",
        );
        assert_eq!(part.borrowed().owner, Some(OwnerId::from_key(1 << 64)));
    }
}

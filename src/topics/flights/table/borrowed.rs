//! Records of the items of flights that aren't the pilot's own: whose they are, and their names as they were. A flight
//! reads right also when its pilot has left the space, or the item was renamed.

use std::collections::{BTreeSet, HashMap};

use serde::{Deserialize, Serialize};

use crate::flights::model::{Borrowed, StoredFlight};
use fluglog_base::error::Result;
use fluglog_base::id::{EquipmentId, FlightId, OwnerId, UserId};
use fluglog_store::deletions::{self, Step};
use fluglog_store::findings::{FindingKind, Findings, place};
use fluglog_store::record::Record;
use fluglog_store::{Snapshot, Writer, owned_by, record, schema, under};

/// Rows that change with a use whose pilot is forgotten: its index entries, the item's totals and its jobs.
const ROWS_OF_USE: usize = 20;

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
    /// Owners who are being deleted.
    deleted: BTreeSet<u128>,
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
            deleted: deletions::all(data)?,
        })
    }

    /// Reads those of all flights.
    pub fn of_all(data: &Snapshot<'_>, user: UserId) -> Result<BorrowedParts> {
        let deleted = deletions::all(data)?;
        let found = data.scan::<BorrowedPartRecord>(owned_by(user))?.into_iter();
        let all: HashMap<_, _> = found
            .map(|((_, flight, item), record)| ((flight, item), record.borrowed(&deleted)))
            .collect();
        Ok(BorrowedParts {
            user,
            is_any: !all.is_empty(),
            all: Some(all),
            deleted,
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
                    .map(|record| record.borrowed(&self.deleted)),
            };
            part.borrowed = borrowed;
        }
        Ok(())
    }
}

impl BorrowedPartRecord {
    fn borrowed(self, deleted: &BTreeSet<u128>) -> Borrowed {
        let owner = self.owner.filter(|owner| !deleted.contains(owner));
        Borrowed {
            owner: owner.map(OwnerId::from_key),
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
    found
        .map(|record| Ok(record.borrowed(&deletions::all(data)?)))
        .transpose()
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
    let deleted = deletions::all(data)?;
    Ok(found
        .map(|((_, flight, item), record)| {
            let (flight, item) = (FlightId::from_key(flight), EquipmentId::from_key(item));
            (flight, item, record.borrowed(&deleted))
        })
        .collect())
}

/// Removes borrowed items of flights of a deleted user, and calls `on_removed` with the flight, the item and its owner
/// who is still there.
pub fn forget(
    writer: &Writer<'_>,
    step: &mut Step,
    on_removed: impl Fn(FlightId, EquipmentId, OwnerId) -> Result<()>,
) -> Result<()> {
    let deleted = deletions::all(writer)?;
    step.remove::<BorrowedPartRecord>(writer, ROWS_OF_USE, |(_, flight, item), record| {
        if let Some(owner) = record.borrowed(&deleted).owner {
            on_removed(FlightId::from_key(flight), EquipmentId::from_key(item), owner)?;
        }
        Ok(Vec::new())
    })
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
        assert_eq!(part.borrowed(&BTreeSet::new()).owner, Some(OwnerId::from_key(1 << 64)));
    }
}

//! Records of who flew with an item that isn't the pilot's own. Without one, the flight is that of the item's owner.

use std::collections::{BTreeSet, HashMap};

use serde::{Deserialize, Serialize};

use super::uses::UseRecord;
use fluglog_base::error::Result;
use fluglog_base::id::{EquipmentId, FlightId, OwnerId, UserId};
use fluglog_store::deletions::{self, Step};
use fluglog_store::findings::{FindingKind, Findings, place};
use fluglog_store::record::Record;
use fluglog_store::{Snapshot, Writer, record, schema, under};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct SharedUseRecord {
    /// `None`: the pilot's account was deleted.
    user: Option<u128>,
}

record!(SharedUseRecord: (Owner, u128, u128) = SHARED_USES);

/// The pilot of a use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pilot {
    User(UserId),
    /// A pilot whose account was deleted.
    Deleted,
}

impl Pilot {
    fn of(record: &SharedUseRecord, deleted: &BTreeSet<u128>) -> Pilot {
        record
            .user
            .filter(|user| !deleted.contains(user))
            .map_or(Pilot::Deleted, |user| Pilot::User(UserId::from_key(user)))
    }

    /// Returns the account, if it is still there.
    #[must_use]
    pub fn user(self) -> Option<UserId> {
        match self {
            Pilot::User(user) => Some(user),
            Pilot::Deleted => None,
        }
    }
}

/// Returns the pilot of a use; the owner of the item, if that is a pilot and nobody else is recorded.
pub fn pilot_of(data: &Snapshot<'_>, owner: OwnerId, item: EquipmentId, flight: FlightId) -> Result<Pilot> {
    let recorded = recorded_pilot(data, owner, item, flight)?;
    Ok(recorded.unwrap_or(Pilot::User(UserId::from_key(owner.key()))))
}

/// Returns the recorded pilot of a use.
pub fn recorded_pilot(
    data: &Snapshot<'_>,
    owner: OwnerId,
    item: EquipmentId,
    flight: FlightId,
) -> Result<Option<Pilot>> {
    let found = data.get::<SharedUseRecord>((owner.key(), item.key(), flight.key()))?;
    found
        .map(|found| Ok(Pilot::of(&found, &deletions::all(data)?)))
        .transpose()
}

/// Returns the recorded pilots of an item's uses, by flight.
pub fn pilots_of(data: &Snapshot<'_>, owner: OwnerId, item: EquipmentId) -> Result<HashMap<FlightId, Pilot>> {
    let found = data.scan::<SharedUseRecord>(under((owner.key(), item.key())))?;
    let deleted = deletions::all(data)?;
    Ok(found
        .into_iter()
        .map(|((_, _, flight), record)| (FlightId::from_key(flight), Pilot::of(&record, &deleted)))
        .collect())
}

/// Returns the number of uses of pilots whose accounts were deleted.
pub fn count_deleted(data: &Snapshot<'_>) -> Result<u64> {
    let mut count = 0;
    data.each::<SharedUseRecord>(.., |_, record| count += u64::from(record.user.is_none()))?;
    Ok(count)
}

/// Records the pilot of a use. That of the owner's own flight isn't recorded.
pub fn put(writer: &Writer<'_>, owner: OwnerId, item: EquipmentId, flight: FlightId, pilot: Pilot) -> Result<()> {
    let key = (owner.key(), item.key(), flight.key());
    let user = pilot.user().map(UserId::key);
    match user == Some(owner.key()) {
        true => writer.remove::<SharedUseRecord>(key),
        false => writer.put(key, &SharedUseRecord { user }),
    }
}

/// Removes what is recorded of the pilot of a use.
pub fn remove(writer: &Writer<'_>, owner: OwnerId, item: EquipmentId, flight: FlightId) -> Result<()> {
    writer.remove::<SharedUseRecord>((owner.key(), item.key(), flight.key()))
}

/// Removes what is recorded of pilots who used items of a deleted user, or of a deleted space, and calls `on_removed`
/// with the item, the flight and each pilot who is still there.
pub fn forget(
    writer: &Writer<'_>,
    step: &mut Step,
    on_removed: impl Fn(EquipmentId, FlightId, UserId) -> Result<()>,
) -> Result<()> {
    let deleted = deletions::all(writer)?;
    step.remove::<SharedUseRecord>(writer, 2, |(_, item, flight), record| {
        if let Pilot::User(user) = Pilot::of(&record, &deleted) {
            on_removed(EquipmentId::from_key(item), FlightId::from_key(flight), user)?;
        }
        Ok(Vec::new())
    })
}

/// Verifies that each record is about a use that is there.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    findings.each::<SharedUseRecord>(data, |findings, key, record| {
        if !data.has(&schema::EQUIPMENT_USES, key)? {
            let place = place(&SharedUseRecord::TABLE, key);
            let rebuild = move |writer: &Writer<'_>| writer.remove::<SharedUseRecord>(key);
            match record.user {
                Some(_) => findings.derived(&place, FindingKind::UseOfNoFlight, rebuild),
                // No flight tells any more what the use was.
                None => findings.lost(&place, FindingKind::UseLost, rebuild),
            }
        }
        Ok(())
    })
}

/// The pilots of uses whose record of the pilot is lost, as their flights tell.
#[derive(Default)]
pub struct Borrowers(Option<HashMap<(u128, u128), u128>>);

impl Borrowers {
    /// Reports a use of which no flight of its pilot is known. If a flight of another pilot tells of it, it is that
    /// one's; else that of an item of a space stays without a pilot, and that of a pilot's own item is removed.
    pub fn report(&mut self, data: &Snapshot<'_>, findings: &mut Findings, key: (u128, u128, u128)) -> Result<()> {
        let (owner, item, flight) = key;
        let place = place(&UseRecord::TABLE, key);
        let is_recorded = data.has(&schema::SHARED_USES, key)?;
        let borrower = match is_recorded {
            true => None,
            false => self.of(data, flight, item)?,
        };
        let put = |user| move |writer: &Writer<'_>| writer.put(key, &SharedUseRecord { user });
        if borrower.is_some() {
            findings.derived(&place, FindingKind::UseOfNoFlight, put(borrower));
        } else if !is_recorded && data.has(&schema::SPACES, owner)? {
            findings.lost(&place, FindingKind::PilotOfUseLost, put(None));
        } else {
            let rebuild = move |writer: &Writer<'_>| writer.remove::<UseRecord>(key);
            findings.derived(&place, FindingKind::UseOfNoFlight, rebuild);
        }
        Ok(())
    }

    fn of(&mut self, data: &Snapshot<'_>, flight: u128, item: u128) -> Result<Option<u128>> {
        let read = || -> Result<HashMap<_, _>> {
            let mut borrowers = HashMap::new();
            for (user, flight, item) in data.record_keys(&schema::BORROWED_PARTS, ..)? {
                if data.has(&schema::FLIGHTS, (user, flight))? {
                    borrowers.insert((flight, item), user);
                }
            }
            Ok(borrowers)
        };
        let borrowers = match self.0.take() {
            Some(known) => known,
            None => read()?,
        };
        Ok(self.0.insert(borrowers).get(&(flight, item)).copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_store::record::assert_stored_as;

    #[test]
    fn a_shared_use_keeps_its_bytes() {
        let used = SharedUseRecord { user: Some(1 << 64) };
        assert_stored_as::<SharedUseRecord>((1, 2, 3), &used, "8101fe0000000000000000010000000000000068b398d2");
        assert_eq!(
            Pilot::of(&SharedUseRecord { user: None }, &BTreeSet::new()),
            Pilot::Deleted
        );
    }
}

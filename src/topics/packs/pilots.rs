//! Who flew with an item of a space and wrote about it, as one member may know it: the id of a flight only of the
//! member's own, the names of others as they let the space show them, and which entries are the member's.

use std::collections::HashMap;

use super::records::charging::model::{Charging, StoredCharging};
use super::records::readings::model::{BatteryReading, StoredReading};
use crate::equipment::{self, Authored, OwnEntries, Pilot};
use fluglog_accounts::guard::{Access, Viewer};
use fluglog_accounts::spaces;
use fluglog_base::error::Result;
use fluglog_base::id::{EquipmentId, FlightId, OwnerId, ReadingId, SpaceId};
use fluglog_base::secret::{digest, digest_key};
use fluglog_base::text;
use fluglog_store::{Snapshot, schema};

/// Returns how a space's equipment names the pilot of a use.
pub(crate) fn pilot_name(data: &Snapshot<'_>, owner: OwnerId, pilot: Pilot) -> Result<String> {
    match pilot {
        Pilot::User(user) => spaces::user_name(data, owner, user),
        Pilot::Deleted => Ok(text::FORMER_MEMBER.to_owned()),
    }
}

/// The pilots of an item's uses.
pub struct UsePilots {
    item: EquipmentId,
    /// `None`: nobody in particular, of whom no flight is.
    viewer: Option<Pilot>,
    /// Whether the item is the viewer's own: a use without a known pilot is then the viewer's, too.
    is_owner: bool,
    /// `None` for an item that only the viewer has flown: nothing is hidden.
    others: Option<HashMap<FlightId, (Pilot, String)>>,
    written: OwnEntries,
}

impl UsePilots {
    /// Reads the pilots of an item's uses.
    pub fn read(data: &Snapshot<'_>, viewer: &Viewer, access: &Access, item: EquipmentId) -> Result<UsePilots> {
        let pilots = equipment::pilots_of(data, access.owner(), item)?;
        UsePilots::with(data, viewer, access, item, pilots)
    }

    /// Reads the pilots of some of an item's uses.
    pub fn of_flights(
        data: &Snapshot<'_>,
        viewer: &Viewer,
        access: &Access,
        item: EquipmentId,
        flights: &[FlightId],
    ) -> Result<UsePilots> {
        let owner = access.owner();
        let recorded = flights.iter().map(|flight| {
            let pilot = equipment::recorded_pilot(data, owner, item, *flight)?;
            Ok(pilot.map(|pilot| (*flight, pilot)))
        });
        let recorded: Result<Vec<_>> = recorded.collect();
        UsePilots::with(data, viewer, access, item, recorded?.into_iter().flatten().collect())
    }

    /// Reads the pilots of the uses of a space's item, as all may know them: it tells the id of nobody's flight.
    ///
    /// # Errors
    /// The database can't be read.
    pub fn as_for_all(data: &Snapshot<'_>, space: SpaceId, item: EquipmentId) -> Result<UsePilots> {
        let owner = space.into();
        let pilots = equipment::pilots_of(data, owner, item)?;
        Ok(UsePilots {
            item,
            viewer: None,
            is_owner: false,
            others: Some(UsePilots::named(data, owner, pilots)?),
            written: OwnEntries::default(),
        })
    }

    fn with(
        data: &Snapshot<'_>,
        viewer: &Viewer,
        access: &Access,
        item: EquipmentId,
        pilots: HashMap<FlightId, Pilot>,
    ) -> Result<UsePilots> {
        let others = UsePilots::named(data, access.owner(), pilots)?;
        let is_shared = !access.is_own() || !others.is_empty();
        Ok(UsePilots {
            item,
            viewer: Some(Pilot::User(viewer.user())),
            is_owner: access.is_own(),
            others: is_shared.then_some(others),
            written: OwnEntries::read(data, access, item)?,
        })
    }

    fn named(
        data: &Snapshot<'_>,
        owner: OwnerId,
        pilots: HashMap<FlightId, Pilot>,
    ) -> Result<HashMap<FlightId, (Pilot, String)>> {
        let mut names: HashMap<Pilot, String> = HashMap::new();
        let mut others = HashMap::new();
        for (flight, pilot) in pilots {
            let name = match names.get(&pilot) {
                Some(name) => name.clone(),
                None => pilot_name(data, owner, pilot)?,
            };
            names.insert(pilot, name.clone());
            others.insert(flight, (pilot, name));
        }
        Ok(others)
    }

    /// Returns whether the viewer made a flight with the item.
    #[must_use]
    pub fn is_own(&self, flight: FlightId) -> bool {
        self.pilot(flight)
            .map_or(self.is_owner, |pilot| Some(pilot) == self.viewer)
    }

    fn pilot(&self, flight: FlightId) -> Option<Pilot> {
        let (pilot, _) = self.others.as_ref()?.get(&flight)?;
        Some(*pilot)
    }

    /// Returns the pilot's name of a flight with an item of a space; `None` where only the viewer flies.
    #[must_use]
    pub fn name(&self, flight: FlightId) -> Option<String> {
        let (_, name) = self.others.as_ref()?.get(&flight)?;
        Some(name.clone())
    }

    /// Returns the wire form of a charging, without the flight of another pilot behind it.
    #[must_use]
    pub fn charging(&self, charging: StoredCharging) -> Charging {
        let flight = charging.flight.filter(|flight| self.is_own(*flight));
        Charging {
            pilot: charging.flight.and_then(|flight| self.name(flight)),
            mine: self.mine(Authored::Charging(charging.id)),
            ..Charging::new(self.item, StoredCharging { flight, ..charging })
        }
    }

    fn mine(&self, entry: Authored) -> Option<bool> {
        self.written.has(entry).then_some(true)
    }

    /// Returns the id by which a reading is shown: one from the file of a flight has that flight's id.
    #[must_use]
    pub fn reading_id(&self, id: ReadingId) -> ReadingId {
        let flight = FlightId::from_key(id.key());
        match self.pilot(flight) {
            Some(pilot) if Some(pilot) != self.viewer => id_without_flight(self.item, flight),
            // A reading that no flight brought has no pilot.
            _ => id,
        }
    }

    /// Returns the wire form of a reading.
    #[must_use]
    pub fn reading(&self, reading: StoredReading) -> BatteryReading {
        let id = self.reading_id(reading.id);
        BatteryReading {
            mine: self.mine(Authored::Reading(reading.id)),
            ..BatteryReading::new(self.item, StoredReading { id, ..reading })
        }
    }
}

/// Returns the id of a reading from the file of a flight for those who mustn't learn the flight's id: other pilots, and
/// everyone once the flight is deleted.
pub(crate) fn id_without_flight(battery: EquipmentId, flight: FlightId) -> ReadingId {
    ReadingId::from_key(digest_key(&digest(&format!("{battery} {flight} reading"))).0)
}

/// Returns the id of a reading behind the one that a member knows: it may stand for the flight that it comes from.
pub(crate) fn id_of_reading(
    data: &Snapshot<'_>,
    access: &Access,
    battery: EquipmentId,
    shown: ReadingId,
) -> Result<ReadingId> {
    let flights = equipment::pilots_of(data, access.owner(), battery)?;
    let mut flights = flights.into_keys();
    if let Some(flight) = flights.find(|flight| id_without_flight(battery, *flight) == shown) {
        return Ok(ReadingId::from_key(flight.key()));
    }
    if data.has(
        &schema::BATTERY_READINGS,
        (access.owner().key(), battery.key(), shown.key()),
    )? {
        return Ok(shown);
    }
    // The pilot knows it by the id of the flight, which may have been deleted since.
    Ok(id_without_flight(battery, FlightId::from_key(shown.key())))
}

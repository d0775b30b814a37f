//! Readings of battery packs: voltages and internal resistances of their cells, and visible damage.

use super::model::Pack;
use super::pilots::{id_of_reading, id_without_flight};
use super::records::health::table as health;
use super::records::readings::model::{ReadingChanges, StoredReading};
use super::records::readings::table;
use super::table as packs_table;
use crate::equipment::{self, Authored};
use fluglog_accounts::guard::{Access, Right};
use fluglog_accounts::operation::{Operation, Outcome};
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{EquipmentId, FlightId, OwnerId, ReadingId};
use fluglog_base::text;
use fluglog_base::time::WallTime;
use fluglog_store::operations;
use fluglog_store::operations::model::Object;
use fluglog_store::{Snapshot, Writer};

/// Most readings of a battery.
const MAX_READINGS: usize = 5000;

/// Returns the readings of a battery, oldest first.
///
/// # Errors
/// The database can't be read.
pub fn of(data: &Snapshot<'_>, access: &Access, battery: EquipmentId) -> Result<Vec<StoredReading>> {
    table::all(data, access.owner(), battery)
}

/// Returns the ids of all readings of the owner.
pub fn ids(data: &Snapshot<'_>, access: &Access) -> Result<Vec<ReadingId>> {
    table::ids(data, access.owner())
}

/// Records a reading of another Fluglog instance; returns whether it is new. The number of its cell values isn't
/// checked.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Invalid`] when the item is no battery.
pub fn add_foreign(
    writer: &Writer<'_>,
    access: &Access,
    battery: EquipmentId,
    reading: &StoredReading,
) -> Result<bool> {
    access.check(Right::Maintain)?;
    put_foreign(writer, access, battery, reading)
}

fn put_foreign(writer: &Writer<'_>, access: &Access, battery: EquipmentId, reading: &StoredReading) -> Result<bool> {
    packs_table::find_battery_item(writer, access, battery, text::NO_PASSPORT)?;
    let owner = access.owner();
    if table::find(writer, owner, battery, reading.id)?.is_some() || is_full(writer, owner, battery)? {
        return Ok(false);
    }
    put(writer, owner, battery, reading)?;
    Ok(true)
}

/// Records the resting voltage of a battery from the file of a flight.
///
/// # Errors
/// Like [`add_foreign`].
pub fn add_from_file(
    writer: &Writer<'_>,
    access: &Access,
    battery: EquipmentId,
    (flight, landing, volts): (FlightId, WallTime, f64),
) -> Result<()> {
    access.check(Right::Use)?;
    put_foreign(writer, access, battery, &StoredReading::of_file(flight, landing, volts)).map(drop)
}

/// Removes the reading of a battery that came from the file of a flight. One that was edited since is no longer the
/// file's: it stays, without the flight's id.
pub fn remove_from_file(writer: &Writer<'_>, access: &Access, battery: EquipmentId, flight: FlightId) -> Result<()> {
    let (owner, id) = (access.owner(), ReadingId::from_key(flight.key()));
    let Some(told) = table::find(writer, owner, battery, id)? else {
        return Ok(());
    };
    remove(writer, owner, battery, id)?;
    if told.of_file {
        return Ok(());
    }
    let shown = id_without_flight(battery, flight);
    let id = match table::find(writer, owner, battery, shown)? {
        Some(_) => ReadingId::fresh(),
        None => shown,
    };
    put(writer, owner, battery, &StoredReading { id, ..told })
}

/// Returns one reading.
///
/// # Errors
/// [`Error::NotFound`] when there is no such reading.
pub fn get(app: &App, access: &Access, battery: EquipmentId, id: ReadingId) -> Result<StoredReading> {
    app.store
        .read(|data| table::find(data, access.owner(), battery, id)?.ok_or(Error::NotFound))
}

/// Changes a reading, or adds one at `new_at` unless the form has a time; if a new one exists already, returns that.
///
/// # Errors
/// [`Error::NotFound`], also for the id of a deleted reading; [`Error::Invalid`] when the item is no battery or a value
/// is impossible; [`Error::Conflict`]
/// beyond the limit of readings.
pub fn save(
    app: &App,
    operation: Operation,
    battery: EquipmentId,
    id: ReadingId,
    changes: ReadingChanges,
    new_at: Option<WallTime>,
) -> Result<StoredReading> {
    let viewer = operation.viewer();
    operation.write(&app.store, move |writer| {
        let access = equipment::access_with(writer, &viewer, battery, Right::Use)?;
        let owner = access.owner();
        let pack = find_battery(writer, &access, battery)?;
        let id = match new_at {
            Some(_) => id,
            None => id_to_change(writer, &access, battery, id)?,
        };
        let before = match (table::find(writer, owner, battery, id)?, new_at) {
            (Some(there), Some(_)) => return Ok(Outcome::new(object(&access, battery, id), there)),
            (None, Some(_)) if is_full(writer, owner, battery)? => {
                return Err(Error::Conflict(text::READINGS_TOO_MANY));
            }
            (None, Some(now)) => {
                operations::check_id_unused(writer, owner, id.key())?;
                StoredReading::new(id, now)
            }
            (before, None) => before.ok_or(Error::NotFound)?,
        };
        changes.check_cells(pack.stated_cells())?;
        let reading = changes.applied_to(before)?;
        put(writer, owner, battery, &reading)?;
        if new_at.is_some() {
            equipment::put_author(writer, &access, battery, Authored::Reading(id))?;
        }
        Ok(Outcome::new(object(&access, battery, id), reading))
    })
}

/// Returns the id of a reading that the pilot may change, behind the one that the pilot knows.
///
/// # Errors
/// [`Error::Forbidden`].
fn id_to_change(data: &Snapshot<'_>, access: &Access, battery: EquipmentId, shown: ReadingId) -> Result<ReadingId> {
    let id = id_of_reading(data, access, battery, shown)?;
    equipment::check_may_change(data, access, battery, Authored::Reading(id))?;
    Ok(id)
}

/// Deletes a reading.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Invalid`] when the item is no battery.
pub fn delete(app: &App, operation: Operation, battery: EquipmentId, id: ReadingId) -> Result<()> {
    let (viewer, now) = (operation.viewer(), app.clock.unix_seconds());
    operation.write(&app.store, move |writer| {
        let access = equipment::access_with(writer, &viewer, battery, Right::Use)?;
        let owner = access.owner();
        find_battery(writer, &access, battery)?;
        let id = id_to_change(writer, &access, battery, id)?;
        table::find(writer, owner, battery, id)?.ok_or(Error::NotFound)?;
        remove(writer, owner, battery, id)?;
        operations::spend_id(writer, owner, id.key(), now)?;
        Ok(Outcome::new(Object::NONE, ()))
    })
}

/// Returns whether a battery can't get one more reading.
fn is_full(writer: &Writer<'_>, owner: OwnerId, battery: EquipmentId) -> Result<bool> {
    Ok(table::count_before_adding(writer, owner, battery)? >= MAX_READINGS)
}

/// Stores a reading and updates the health of its battery.
fn put(writer: &Writer<'_>, owner: OwnerId, battery: EquipmentId, reading: &StoredReading) -> Result<()> {
    table::put(writer, owner, battery, reading)?;
    health::recompute(writer, owner, battery);
    Ok(())
}

/// Removes a reading and updates the health of its battery.
fn remove(writer: &Writer<'_>, owner: OwnerId, battery: EquipmentId, id: ReadingId) -> Result<()> {
    table::remove(writer, owner, battery, id)?;
    equipment::remove_author(writer, owner, battery, Authored::Reading(id))?;
    health::recompute(writer, owner, battery);
    Ok(())
}

fn object(access: &Access, battery: EquipmentId, id: ReadingId) -> Object {
    Object::of_equipment(access.owner(), battery.key(), id.key())
}

/// Returns an item that must be a battery.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Invalid`] when the item is no battery.
pub(crate) fn find_battery(data: &Snapshot<'_>, access: &Access, id: EquipmentId) -> Result<Pack> {
    packs_table::find_battery(data, access, id, text::NO_PASSPORT)
}

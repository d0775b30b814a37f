//! The chargings of batteries: those that a pilot records, and what flights took out of them.

pub mod model;
pub(super) mod table;

use super::model::{Item, Kind};
use crate::accounts::guard::Viewer;
use crate::accounts::operation::{Done, Operation};
use crate::app::App;
use crate::base::error::{Error, Result};
use crate::base::id::{ChargingId, EquipmentId};
use crate::base::text;
use crate::operations::model::Object;
use crate::store::Snapshot;
use model::{ChargingChanges, ChargingEntries, ChargingTotals, StoredCharging};

/// The name of a battery and its history, newest start first, with an entry for each flight that has a voltage.
///
/// # Errors
/// [`Error::NotYours`], or [`Error::Invalid`] when the item is no battery.
pub fn history(app: &App, viewer: &Viewer, battery: EquipmentId) -> Result<(String, Vec<StoredCharging>)> {
    app.store.read(|data| {
        let name = find_battery(data, viewer, battery)?.details.name;
        Ok((name, of(data, viewer, battery)?))
    })
}

/// The history of an item that is a battery of the viewer's, as [`history`].
pub fn of(data: &Snapshot<'_>, viewer: &Viewer, battery: EquipmentId) -> Result<Vec<StoredCharging>> {
    let owner = viewer.user();
    let mut chargings = table::all(data, owner, battery)?;
    if ChargingTotals::of(&chargings) != table::totals(data, owner, battery)? {
        return Err(Error::Internal(
            "chargings: they don't add up to their totals".to_owned(),
        ));
    }
    chargings.extend(super::table::charges_by_flights(data, owner, battery)?);
    chargings.sort_by_key(|charging| std::cmp::Reverse((charging.start, charging.id)));
    Ok(chargings)
}

/// Starts a charging, or records a finished one.
///
/// # Errors
/// [`Error::NotYours`], [`Error::Invalid`] when the item is no battery, [`Error::Conflict`] when it is retired or while another
/// charging is open.
pub fn add(app: &App, operation: Operation, battery: EquipmentId, entries: ChargingEntries) -> Result<StoredCharging> {
    let viewer = operation.viewer();
    operation.write(&app.store, move |writer| {
        if find_battery(writer, &viewer, battery)?.retirement.is_some() {
            return Err(Error::Conflict(text::CHARGING_OF_RETIRED));
        }
        if entries.end.is_none() && table::totals(writer, viewer.user(), battery)?.open.is_some() {
            return Err(Error::Conflict(text::CHARGING_ALREADY_OPEN));
        }
        let charging = StoredCharging::entered(ChargingId::fresh(), entries.clone());
        table::put(writer, viewer.user(), battery, &charging)?;
        Ok(Done::new(object(battery, charging.id), charging))
    })
}

/// Finishes an open charging, or changes a finished one.
///
/// # Errors
/// [`Error::NotYours`], [`Error::Invalid`] when the item is no battery or the charging would be incomplete, [`Error::Conflict`] for the
/// entry of a flight.
pub fn edit(
    app: &App,
    operation: Operation,
    battery: EquipmentId,
    id: ChargingId,
    changes: ChargingChanges,
) -> Result<StoredCharging> {
    let viewer = operation.viewer();
    operation.write(&app.store, move |writer| {
        let stored = find(writer, &viewer, battery, id)?;
        let charging = StoredCharging::entered(id, changes.apply(&stored)?);
        table::put(writer, viewer.user(), battery, &charging)?;
        Ok(Done::new(object(battery, id), charging))
    })
}

/// One charging that a pilot recorded.
///
/// # Errors
/// As [`edit`].
pub fn get(app: &App, viewer: &Viewer, battery: EquipmentId, id: ChargingId) -> Result<StoredCharging> {
    app.store.read(|data| find(data, viewer, battery, id))
}

const fn object(battery: EquipmentId, id: ChargingId) -> Object {
    Object(battery.key(), id.key())
}

fn find(data: &Snapshot<'_>, viewer: &Viewer, battery: EquipmentId, id: ChargingId) -> Result<StoredCharging> {
    let owner = viewer.user();
    find_battery(data, viewer, battery)?;
    if let Some(charging) = table::find(data, owner, battery, id)? {
        return Ok(charging);
    }
    let of_flights = super::table::charges_by_flights(data, owner, battery)?;
    Err(match of_flights.iter().any(|charging| charging.id == id) {
        true => Error::Conflict(text::CHARGING_OF_FLIGHT),
        false => Error::NotYours,
    })
}

fn find_battery(data: &Snapshot<'_>, viewer: &Viewer, id: EquipmentId) -> Result<Item> {
    let item = super::table::find(data, viewer.user(), id)?;
    if item.kind != Kind::Battery {
        return Err(Error::invalid("battery", text::NOT_A_BATTERY));
    }
    Ok(item)
}

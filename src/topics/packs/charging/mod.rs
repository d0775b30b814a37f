//! Chargings of batteries: those that pilots record, and what flights drew from them.

pub mod quick;
pub mod undo;

use super::model::Pack;
use super::records::charging::model::{ChargingForm, ChargingTotals, StoredCharging};
use super::records::charging::table;
use super::records::health::table as health;
use super::table as packs_table;
use crate::equipment::{self, Authored};
use fluglog_accounts::guard::{Access, Right, Viewer};
use fluglog_accounts::operation::{Operation, Outcome};
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{ChargingId, EquipmentId, FlightId, OwnerId};
use fluglog_base::page::Page;
use fluglog_base::text;
use fluglog_store::operations::model::Object;
use fluglog_store::{Snapshot, Writer};

/// Most chargings of a battery; a pack lives for a few hundred.
const MAX_CHARGINGS: usize = 5000;

/// Returns the name of a battery and its history, newest start first, with an entry for each flight that has a voltage.
///
/// # Errors
/// [`Error::NotFound`], or [`Error::Invalid`] when the item is no battery.
pub fn history(
    data: &Snapshot<'_>,
    access: &Access,
    battery: EquipmentId,
    page: Page<ChargingId>,
) -> Result<(String, Vec<Entry>)> {
    let name = find_battery(data, access, battery)?.item.details.name;
    let entries = of(data, access, battery)?.into_iter().map(|charging| Entry {
        id: charging.id,
        flight: charging.flight,
    });
    Ok((name, page.of(entries.collect(), |entry| entry.id)?))
}

/// An entry of the history, which is a charging or a flight.
#[derive(Clone, Copy)]
pub struct Entry {
    id: ChargingId,
    flight: Option<FlightId>,
}

/// Loads these entries of a battery's history; those deleted meanwhile are left out.
pub fn load(
    data: &Snapshot<'_>,
    access: &Access,
    battery: EquipmentId,
    entries: &[Entry],
) -> Result<Vec<StoredCharging>> {
    let mut found = Vec::new();
    for entry in entries {
        found.extend(match entry.flight {
            None => table::find(data, access.owner(), battery, entry.id)?,
            Some(flight) => equipment::use_of(data, access.owner(), battery, flight)?
                .and_then(|used| StoredCharging::of_flight(battery, &used)),
        });
    }
    Ok(found)
}

/// Returns the whole history of a battery, as in [`history`]. The caller checks that the item is a battery of the
/// viewer.
pub fn of(data: &Snapshot<'_>, access: &Access, battery: EquipmentId) -> Result<Vec<StoredCharging>> {
    let owner = access.owner();
    let mut chargings = table::all(data, owner, battery)?;
    if ChargingTotals::of(&chargings) != table::totals(data, owner, battery)? {
        return Err(Error::Internal(
            "chargings: they don't add up to their totals".to_owned(),
        ));
    }
    chargings.extend(of_flights(data, owner, battery)?);
    chargings.sort_by_key(|charging| std::cmp::Reverse((charging.start, charging.id)));
    Ok(chargings)
}

/// Returns the history entries of a battery's finished flights: one for each flight with a voltage.
fn of_flights(data: &Snapshot<'_>, owner: OwnerId, battery: EquipmentId) -> Result<Vec<StoredCharging>> {
    let uses = equipment::uses_of(data, owner, battery)?;
    let charge = |used| StoredCharging::of_flight(battery, used);
    Ok(uses.iter().filter_map(charge).collect())
}

/// Returns the ids of all recorded chargings of the owner.
pub fn ids(data: &Snapshot<'_>, access: &Access) -> Result<Vec<ChargingId>> {
    table::ids(data, access.owner())
}

/// Records a charging of another Fluglog instance, or of the demo; returns whether it is new.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Invalid`] when the item is no battery.
pub fn add_foreign(
    writer: &Writer<'_>,
    access: &Access,
    battery: EquipmentId,
    charging: &StoredCharging,
) -> Result<bool> {
    access.check(Right::Maintain)?;
    packs_table::find_battery_item(writer, access, battery, text::NOT_A_BATTERY)?;
    let owner = access.owner();
    if table::find(writer, owner, battery, charging.id)?.is_some() || is_full(writer, owner, battery)? {
        return Ok(false);
    }
    table::put(writer, owner, battery, charging)?;
    // More of them follow.
    health::recompute(writer, owner, battery);
    Ok(true)
}

/// Returns the recorded chargings of a battery, in no particular order.
pub fn recorded(data: &Snapshot<'_>, access: &Access, battery: EquipmentId) -> Result<Vec<StoredCharging>> {
    table::all(data, access.owner(), battery)
}

/// Starts a charging, or records a finished one.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Invalid`] when the item is no battery, [`Error::Conflict`] when it is retired or while
/// another charging is open.
pub fn add(
    app: &App,
    operation: Operation,
    battery: EquipmentId,
    id: ChargingId,
    form: ChargingForm,
) -> Result<StoredCharging> {
    let viewer = operation.viewer();
    let charging = form.charging(id, None)?;
    operation.write(&app.store, move |writer| {
        let access = equipment::access_with(writer, &viewer, battery, Right::Use)?;
        if let Some(there) = find_existing(writer, &access, battery, id)? {
            return Ok(Outcome::new(object(&access, battery, id), there));
        }
        let pack = find_battery(writer, &access, battery)?;
        if pack.item.retirement.is_some() {
            return Err(Error::Conflict(text::CHARGING_OF_RETIRED));
        }
        form.check_cells(pack.stated_cells())?;
        if is_full(writer, access.owner(), battery)? {
            return Err(Error::Conflict(text::CHARGINGS_TOO_MANY));
        }
        if charging.end.is_none() && table::totals(writer, access.owner(), battery)?.open.is_some() {
            return Err(Error::Conflict(text::CHARGING_ALREADY_OPEN));
        }
        put(writer, &access, battery, None, &charging)?;
        Ok(Outcome::new(object(&access, battery, id), charging.clone()))
    })
}

/// Like [`find_existing`], but first checks that the item is a battery of the viewer.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Invalid`] when the item is no battery, or like [`find_existing`].
pub(crate) fn find_existing_checked(
    app: &App,
    viewer: &Viewer,
    battery: EquipmentId,
    id: ChargingId,
) -> Result<Option<StoredCharging>> {
    app.store.read(|data| {
        let access = equipment::access_to(data, viewer, battery)?;
        find_battery(data, &access, battery)?;
        find_existing(data, &access, battery, id)
    })
}

/// Returns the charging with this id, if its battery has it already.
///
/// # Errors
/// [`Error::Conflict`] when another battery has a charging with this id.
fn find_existing(
    data: &Snapshot<'_>,
    access: &Access,
    battery: EquipmentId,
    id: ChargingId,
) -> Result<Option<StoredCharging>> {
    let owner = access.owner();
    let there = table::find(data, owner, battery, id)?;
    if there.is_none() && table::has_another(data, owner, id)? {
        return Err(Error::Conflict(text::ID_TAKEN));
    }
    Ok(there)
}

/// Finishes an open charging, or changes a finished one.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Invalid`] when the item is no battery or the charging would be incomplete,
/// [`Error::Conflict`] for the history entry of a flight.
pub fn edit(
    app: &App,
    operation: Operation,
    battery: EquipmentId,
    id: ChargingId,
    form: ChargingForm,
) -> Result<StoredCharging> {
    let viewer = operation.viewer();
    operation.write(&app.store, move |writer| {
        let access = equipment::access_with(writer, &viewer, battery, Right::Use)?;
        let stored = find(writer, &access, battery, id)?;
        // Any member finishes a charging that another began.
        if stored.end.is_some() {
            equipment::check_may_change(writer, &access, battery, Authored::Charging(id))?;
        }
        form.check_cells(find_battery(writer, &access, battery)?.stated_cells())?;
        let charging = form.charging(id, Some(&stored))?;
        put(writer, &access, battery, Some(&stored), &charging)?;
        Ok(Outcome::new(object(&access, battery, id), charging))
    })
}

/// Returns one recorded charging.
///
/// # Errors
/// Like [`edit`].
pub fn get(app: &App, access: &Access, battery: EquipmentId, id: ChargingId) -> Result<StoredCharging> {
    app.store.read(|data| find(data, access, battery, id))
}

/// Returns whether a battery can't get one more charging.
pub(crate) fn is_full(writer: &Writer<'_>, owner: OwnerId, battery: EquipmentId) -> Result<bool> {
    Ok(table::count_before_adding(writer, owner, battery)? >= MAX_CHARGINGS)
}

/// Stores a charging and updates what is derived from it; `before` is its earlier state. Who finishes a charging, and
/// says what went in, becomes its author.
fn put(
    writer: &Writer<'_>,
    access: &Access,
    battery: EquipmentId,
    before: Option<&StoredCharging>,
    charging: &StoredCharging,
) -> Result<()> {
    let owner = access.owner();
    table::put(writer, owner, battery, charging)?;
    // An open charging is not part of the health yet, so finishing one counts as an addition.
    if before.is_none_or(|before| before.end.is_none()) {
        equipment::put_author(writer, access, battery, Authored::Charging(charging.id))?;
        return health::add_charging(writer, owner, battery, charging);
    }
    health::recompute(writer, owner, battery);
    Ok(())
}

fn object(access: &Access, battery: EquipmentId, id: ChargingId) -> Object {
    Object::of_equipment(access.owner(), battery.key(), id.key())
}

fn find(data: &Snapshot<'_>, access: &Access, battery: EquipmentId, id: ChargingId) -> Result<StoredCharging> {
    let owner = access.owner();
    find_battery(data, access, battery)?;
    if let Some(charging) = table::find(data, owner, battery, id)? {
        return Ok(charging);
    }
    let of_flights = of_flights(data, owner, battery)?;
    Err(match of_flights.iter().any(|charging| charging.id == id) {
        true => Error::Conflict(text::CHARGING_OF_FLIGHT),
        false => Error::NotFound,
    })
}

fn find_battery(data: &Snapshot<'_>, access: &Access, id: EquipmentId) -> Result<Pack> {
    packs_table::find_battery(data, access, id, text::NOT_A_BATTERY)
}

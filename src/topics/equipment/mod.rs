//! Items of equipment with their stickers, their retirement, and their use by flights. Knows flights only by their ids,
//! and nothing of what is recorded of battery packs.
//!
//! The modules stand in reading order, like those of the crate.

pub mod code;
pub mod profile;
pub mod model;
mod table;
pub mod stickers;

pub use table::check::{Discharges, check};
pub use table::uses::{
    consumed_since, is_stored as is_use_stored, landed_before, rewrite as rewrite_use, use_of, uses_of,
};
pub use table::{is_battery, keys, stickers::check as check_stickers};

use std::collections::HashMap;

use fluglog_accounts::guard::{Access, Right};
use fluglog_accounts::operation::{Operation, Outcome};
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{EquipmentId, FlightId, OwnerId};
use fluglog_base::text;
use fluglog_base::time::WallTime;
use fluglog_store::operations;
use fluglog_store::operations::model::Object;
use fluglog_store::{Snapshot, Writer, schema};
use model::{DetailChanges, Details, Item, Kind, Retirement, Totals, Use};
use profile::{Profile, ProfileChanges};

/// Most items of an owner.
const MAX_ITEMS: usize = 2000;

/// Adds an item; if it exists already, returns that one.
///
/// # Errors
/// Like [`find_existing`], and [`Error::Conflict`] beyond the limit of items.
pub fn add(
    app: &App,
    operation: Operation,
    id: EquipmentId,
    kind: Kind,
    details: Details,
    profile: ProfileChanges,
) -> Result<Item> {
    let access = operation.access();
    access.check(Right::Maintain)?;
    let mut item = unused(id, kind, details, None);
    profile.apply(&mut item.profile);
    operation.write(&app.store, move |writer| {
        let object = Object::of_equipment(access.owner(), id.key(), 0);
        if let Some(there) = find_existing(writer, &access, id, kind)? {
            return Ok(Outcome::new(object, there));
        }
        check_count(writer, &access)?;
        check_number(writer, &access, &item)?;
        table::put(writer, access.owner(), &item)?;
        Ok(Outcome::new(object, item.clone()))
    })
}

/// Rejects an item beyond the limit: lists and flights read all items of an owner.
fn check_count(writer: &Writer<'_>, access: &Access) -> Result<()> {
    match table::count_before_adding(writer, access.owner())? {
        ..MAX_ITEMS => Ok(()),
        _ => Err(Error::Conflict(text::ITEMS_TOO_MANY)),
    }
}

/// Rejects a number that another item has.
fn check_number(data: &Snapshot<'_>, access: &Access, item: &Item) -> Result<()> {
    let Some(number) = item.profile.number else {
        return Ok(());
    };
    match table::with_number(data, access.owner(), number)? {
        Some(other) if other != item.id => Err(Error::Conflict(text::NUMBER_TAKEN)),
        _ => Ok(()),
    }
}

/// Returns the item with this id and kind, if it exists already.
///
/// # Errors
/// [`Error::NotFound`] for the id of something deleted, [`Error::Conflict`] for an id that something else has.
pub(crate) fn find_existing(data: &Snapshot<'_>, access: &Access, id: EquipmentId, kind: Kind) -> Result<Option<Item>> {
    let owner = access.owner();
    match table::find(data, owner, id) {
        Ok(item) if item.kind == kind => return Ok(Some(item)),
        Ok(_) => return Err(Error::Conflict(text::FLIGHT_ID_TAKEN)),
        Err(Error::NotFound) => {}
        Err(other) => return Err(other),
    }
    operations::check_id_unused(data, owner, id.key())?;
    // An item must not share its id with a flight: logs are found by the id of either.
    if data.has(&schema::FLIGHTS, (owner.key(), id.key()))? {
        return Err(Error::Conflict(text::FLIGHT_ID_TAKEN));
    }
    Ok(None)
}

/// Adds an item of another Fluglog instance, without its number if another item has that.
pub fn add_foreign(
    writer: &Writer<'_>,
    access: &Access,
    kind: Kind,
    details: Details,
    profile: Profile,
    retirement: Option<Retirement>,
) -> Result<EquipmentId> {
    access.check(Right::Maintain)?;
    check_count(writer, access)?;
    let mut item = unused(EquipmentId::fresh(), kind, details, retirement);
    item.profile = profile;
    match check_number(writer, access, &item) {
        Err(Error::Conflict(_)) => item.profile.number = None,
        checked => checked?,
    }
    table::put(writer, access.owner(), &item)?;
    Ok(item.id)
}

/// Creates an item without flights.
#[must_use]
pub fn unused(id: EquipmentId, kind: Kind, details: Details, retirement: Option<Retirement>) -> Item {
    Item {
        id,
        kind,
        details,
        retirement,
        totals: Totals::default(),
        profile: Profile::default(),
        sticker: None,
    }
}

/// Changes the entries of an item.
///
/// # Errors
/// [`Error::NotFound`] when there is no such item.
pub fn edit(
    app: &App,
    operation: Operation,
    id: EquipmentId,
    changes: DetailChanges,
    profile: ProfileChanges,
) -> Result<Item> {
    change(app, operation, id, move |item| {
        changes.apply(&mut item.details);
        profile.apply(&mut item.profile);
        Ok(())
    })
}

/// Changes the battery profile of an item.
///
/// # Errors
/// [`Error::NotFound`] when there is no such item, [`Error::Invalid`] when it is no battery.
pub(crate) fn edit_profile(
    app: &App,
    operation: Operation,
    battery: EquipmentId,
    profile: ProfileChanges,
) -> Result<Item> {
    change(app, operation, battery, move |item| {
        if item.kind != Kind::Battery {
            return Err(Error::invalid("battery", text::NO_PASSPORT));
        }
        profile.apply(&mut item.profile);
        Ok(())
    })
}

/// Retires an item.
///
/// # Errors
/// [`Error::NotFound`], or [`Error::Conflict`] when it is retired already or in the open flight.
pub fn retire(app: &App, operation: Operation, id: EquipmentId, reason: String) -> Result<Item> {
    let time = app.clock.now();
    change(app, operation, id, move |item| {
        if item.retirement.is_some() {
            return Err(Error::Conflict(text::EQUIPMENT_ALREADY_RETIRED));
        }
        if item.totals.open_flight.is_some() {
            return Err(Error::Conflict(text::EQUIPMENT_IN_OPEN_FLIGHT));
        }
        item.retirement = Some(Retirement {
            time,
            reason: reason.clone(),
        });
        Ok(())
    })
}

/// Ends the retirement of an item.
///
/// # Errors
/// [`Error::NotFound`], or [`Error::Conflict`] when it is in use.
pub(crate) fn reactivate(app: &App, operation: Operation, id: EquipmentId) -> Result<Item> {
    change(app, operation, id, |item| {
        if item.retirement.take().is_none() {
            return Err(Error::Conflict(text::EQUIPMENT_NOT_RETIRED));
        }
        Ok(())
    })
}

fn change(
    app: &App,
    operation: Operation,
    id: EquipmentId,
    work: impl Fn(&mut Item) -> Result<()> + Send + 'static,
) -> Result<Item> {
    let access = operation.access();
    access.check(Right::Maintain)?;
    let owner = access.owner();
    operation.write(&app.store, move |writer| {
        let mut item = table::find(writer, owner, id)?;
        let before = item.profile.number;
        work(&mut item)?;
        if item.profile.number != before {
            check_number(writer, &access, &item)?;
        }
        table::put(writer, owner, &item)?;
        Ok(Outcome::new(Object::of_equipment(owner, id.key(), 0), item))
    })
}

/// Returns an item, within a transaction of another topic.
///
/// # Errors
/// [`Error::NotFound`] when there is no such item.
pub fn find(data: &Snapshot<'_>, access: &Access, id: EquipmentId) -> Result<Item> {
    table::find(data, access.owner(), id)
}

/// Returns the details of items by id; items that don't exist are left out.
pub fn details(
    data: &Snapshot<'_>,
    access: &Access,
    items: impl Iterator<Item = EquipmentId>,
) -> Result<HashMap<EquipmentId, Details>> {
    table::details(data, access.owner(), &items.collect())
}

/// Returns the details of all items by id, including retired ones.
pub(crate) fn all_details(data: &Snapshot<'_>, access: &Access) -> Result<HashMap<EquipmentId, Details>> {
    table::all_details(data, access.owner())
}

/// Returns all items by id, including retired ones.
pub fn all(data: &Snapshot<'_>, access: &Access) -> Result<HashMap<EquipmentId, Item>> {
    let items = table::all(data, access.owner())?;
    Ok(items.into_iter().map(|item| (item.id, item)).collect())
}

/// Records how a flight used an item, replacing what the same flight recorded before, which is returned.
pub(crate) fn put_use(writer: &Writer<'_>, access: &Access, item: EquipmentId, used: &Use) -> Result<Option<Use>> {
    access.check(Right::Use)?;
    table::put_use(writer, access.owner(), item, used)
}

/// Returns the flights of an item, latest start first: the latest `most` between two positions in the list of flights,
/// or the earliest ones if only `after` is given.
pub(crate) fn flights_of(
    data: &Snapshot<'_>,
    access: &Access,
    item: EquipmentId,
    after: Option<(WallTime, FlightId)>,
    before: Option<(WallTime, FlightId)>,
    most: usize,
) -> Result<Vec<FlightId>> {
    table::uses::flights_of(data, access.owner(), item, after, before, most)
}

/// Removes the use of an item by a flight, and returns it.
pub(crate) fn remove_use(
    writer: &Writer<'_>,
    access: &Access,
    item: EquipmentId,
    flight: FlightId,
) -> Result<Option<Use>> {
    access.check(Right::Use)?;
    table::remove_use(writer, access.owner(), item, flight)
}

/// Removes all equipment of a deleted owner.
pub fn forget_owner(writer: &Writer<'_>, owner: OwnerId) -> Result<()> {
    table::remove_all(writer, owner)
}

/// Creates a nameless placeholder for a lost item, so that its flights can be shown.
pub(crate) fn put_placeholder(writer: &Writer<'_>, owner: OwnerId, id: EquipmentId, kind: Kind) -> Result<()> {
    let details = Details {
        name: text::UNKNOWN_ITEM.to_owned(),
        ..Details::default()
    };
    table::put(writer, owner, &unused(id, kind, details, None))
}

/// Returns whether an item has a record, readable or not.
pub fn is_there(data: &Snapshot<'_>, owner: OwnerId, id: EquipmentId) -> Result<bool> {
    data.has(&schema::EQUIPMENT, (owner.key(), id.key()))
}

/// Returns the number of uses of items by flights, of all pilots.
pub(crate) fn count_uses(data: &Snapshot<'_>) -> Result<u64> {
    data.count(&schema::EQUIPMENT_USES)
}

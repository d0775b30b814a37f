//! Items of equipment, their retirement, and what flights did to them. Knows no flight but its id.

pub mod api;
pub mod charging;
pub mod model;
pub mod pack;
mod table;

use std::collections::HashMap;

use crate::accounts::guard::Viewer;
use crate::accounts::operation::{Done, Operation};
use crate::app::App;
use crate::base::error::{Error, Result};
use crate::base::id::{EquipmentId, FlightId, UserId};
use crate::base::text;
use crate::operations::model::Object;
use crate::store::findings::Findings;
use crate::store::{Snapshot, Writer, schema};
use charging::model::ChargingTotals;
use model::{DetailChanges, Details, Item, Kind, Retirement, Totals, Use};

/// One item.
///
/// # Errors
/// [`Error::NotYours`] when the viewer has no such item.
pub fn get(app: &App, viewer: &Viewer, id: EquipmentId) -> Result<Item> {
    app.store.read(|data| table::find(data, viewer.user(), id))
}

/// The items that are active, or those that are retired, of every kind, by name.
pub fn list(app: &App, viewer: &Viewer, retired: bool) -> Result<Vec<Item>> {
    let mut items = app.store.read(|data| table::all(data, viewer.user()))?;
    items.retain(|item| item.retirement.is_some() == retired);
    model::sort_by_name(&mut items);
    Ok(items)
}

/// Adds an item.
pub fn add(app: &App, operation: Operation, kind: Kind, details: Details) -> Result<Item> {
    let owner = operation.viewer().user();
    let item = unused(EquipmentId::fresh(), kind, details, None);
    operation.write(&app.store, move |writer| {
        table::put(writer, owner, &item)?;
        Ok(Done::new(Object::of(item.id.key()), item.clone()))
    })
}

/// Adds an item of another Fluglog.
pub fn add_copied(
    writer: &Writer<'_>,
    viewer: &Viewer,
    kind: Kind,
    details: Details,
    retirement: Option<Retirement>,
) -> Result<EquipmentId> {
    let item = unused(EquipmentId::fresh(), kind, details, retirement);
    table::put(writer, viewer.user(), &item)?;
    Ok(item.id)
}

/// An item that was on no flight and never charged.
#[must_use]
pub fn unused(id: EquipmentId, kind: Kind, details: Details, retirement: Option<Retirement>) -> Item {
    Item {
        id,
        kind,
        details,
        retirement,
        totals: Totals::default(),
        charging: ChargingTotals::default(),
    }
}

/// Changes what the pilot entered about an item.
///
/// # Errors
/// [`Error::NotYours`] when the viewer has no such item.
pub fn edit(app: &App, operation: Operation, id: EquipmentId, changes: DetailChanges) -> Result<Item> {
    change(app, operation, id, move |item| {
        changes.apply(&mut item.details);
        Ok(())
    })
}

/// Retires an item.
///
/// # Errors
/// [`Error::NotYours`], or [`Error::Conflict`] when it is retired already or in the open flight.
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

/// Takes an item back into use.
///
/// # Errors
/// [`Error::NotYours`], or [`Error::Conflict`] when it is in use.
pub fn reactivate(app: &App, operation: Operation, id: EquipmentId) -> Result<Item> {
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
    let owner = operation.viewer().user();
    operation.write(&app.store, move |writer| {
        let mut item = table::find(writer, owner, id)?;
        work(&mut item)?;
        table::put(writer, owner, &item)?;
        Ok(Done::new(Object::of(id.key()), item))
    })
}

/// One item, in a transaction of another topic.
///
/// # Errors
/// [`Error::NotYours`] when the viewer has no such item.
pub fn find(data: &Snapshot<'_>, viewer: &Viewer, id: EquipmentId) -> Result<Item> {
    table::find(data, viewer.user(), id)
}

/// The details of items, by id, without those that the viewer doesn't have.
pub fn details(
    data: &Snapshot<'_>,
    viewer: &Viewer,
    items: impl Iterator<Item = EquipmentId>,
) -> Result<HashMap<EquipmentId, Details>> {
    table::details(data, viewer.user(), &items.collect())
}

/// The details of every item, retired ones too, by id.
pub fn all_details(data: &Snapshot<'_>, viewer: &Viewer) -> Result<HashMap<EquipmentId, Details>> {
    table::all_details(data, viewer.user())
}

/// All items of the viewer, retired ones too, by id.
pub fn all(data: &Snapshot<'_>, viewer: &Viewer) -> Result<HashMap<EquipmentId, Item>> {
    let items = table::all(data, viewer.user())?;
    Ok(items.into_iter().map(|item| (item.id, item)).collect())
}

/// Says what a flight did to an item, in place of what was said about the same flight before.
pub fn use_item(writer: &Writer<'_>, viewer: &Viewer, item: EquipmentId, used: &Use) -> Result<()> {
    table::put_use(writer, viewer.user(), item, used)
}

/// Takes back what a flight did to an item.
pub fn take_back_use(writer: &Writer<'_>, viewer: &Viewer, item: EquipmentId, flight: FlightId) -> Result<()> {
    table::remove_use(writer, viewer.user(), item, flight)
}

/// Removes all equipment of a user who is deleted.
pub fn forget_user(writer: &Writer<'_>, viewer: &Viewer) -> Result<()> {
    table::remove_all(writer, viewer.user())
}

/// Reads every record of the equipment for a check of the data.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    table::check::check(data, findings)
}

/// Whether exactly this is kept of what a flight did to an item.
pub fn keeps_use(data: &Snapshot<'_>, owner: UserId, item: EquipmentId, used: &Use) -> Result<bool> {
    table::keeps_use(data, owner, item, used)
}

/// Writes exactly this of what a flight did to an item, while a check writes anew what follows from the flights. Indexes and totals are left to it.
pub fn rewrite_use(writer: &Writer<'_>, owner: UserId, item: EquipmentId, used: &Use) -> Result<()> {
    table::rewrite_use(writer, owner, item, used)
}

/// Puts a nameless item in the place of one that is lost, so that its flights can be shown.
pub fn stand_in(writer: &Writer<'_>, owner: UserId, id: EquipmentId, kind: Kind) -> Result<()> {
    let details = Details {
        name: text::LOST_ITEM.to_owned(),
        ..Details::default()
    };
    table::put(writer, owner, &unused(id, kind, details, None))
}

/// Whether there is a record of an item, readable or not.
pub fn is_there(data: &Snapshot<'_>, owner: UserId, id: EquipmentId) -> Result<bool> {
    data.has(&schema::EQUIPMENT, (owner.key(), id.key()))
}

/// How many uses of items by flights are kept, of all pilots.
pub fn count_uses(data: &Snapshot<'_>) -> Result<u64> {
    data.count(&schema::EQUIPMENT_USES)
}

//! Items of equipment, their retirement, and what flights did to them. Knows no flight but its id.

pub mod api;
pub mod attention;
pub mod charging;
pub mod health;
pub mod hints;
pub mod model;
pub mod pack;
pub mod passport;
pub mod profile;
pub mod readings;
pub mod sets;
pub mod shown;
pub mod stickers;
mod table;
pub mod trend;
pub mod voltages;

use std::collections::HashMap;

use charging::model::ChargingTotals;
use fluglog_accounts::guard::{Access, Right, Viewer};
use fluglog_accounts::operation::{Done, Operation};
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{EquipmentId, FlightId, OwnerId};
use fluglog_base::text;
use fluglog_base::time::WallTime;
use fluglog_store::findings::Findings;
use fluglog_store::operations;
use fluglog_store::operations::model::Object;
use fluglog_store::{Snapshot, Writer, schema};
use health::Health;
use model::{DetailChanges, Details, Item, Kind, Retirement, Totals, Use};
use profile::{Profile, ProfileChanges};

/// An owner has no more items.
const ITEMS_MOST: usize = 2000;

/// One item.
///
/// # Errors
/// [`Error::NotYours`] when there is no such item.
pub fn get(app: &App, access: &Access, id: EquipmentId) -> Result<Item> {
    app.store.read(|data| table::find(data, access.owner(), id))
}

/// The items that are active, or those that are retired, of every kind, by name.
pub fn list(app: &App, access: &Access, retired: bool) -> Result<Vec<Item>> {
    let mut items = app.store.read(|data| table::all(data, access.owner()))?;
    items.retain(|item| item.retirement.is_some() == retired);
    model::sort_by_name(&mut items);
    Ok(items)
}

/// Adds an item. One that is there already is left alone.
///
/// # Errors
/// As [`there_already`], [`Error::Conflict`] for one item too many.
pub fn add(
    app: &App,
    operation: Operation,
    id: EquipmentId,
    kind: Kind,
    details: Details,
    profile: ProfileChanges,
) -> Result<Item> {
    let access = operation.access();
    access.check(Right::Keep)?;
    let mut item = unused(id, kind, details, None);
    profile.apply(&mut item.profile);
    operation.write(&app.store, move |writer| {
        let object = Object::of_gear(access.owner(), id.key(), 0);
        if let Some(there) = there_already(writer, &access, id, kind)? {
            return Ok(Done::new(object, there));
        }
        check_count(writer, &access)?;
        check_number(writer, &access, &item)?;
        table::put(writer, access.owner(), &item)?;
        Ok(Done::new(object, item.clone()))
    })
}

/// Refuses one item more than an owner may have: lists and flights look at all of them.
fn check_count(data: &Snapshot<'_>, access: &Access) -> Result<()> {
    match table::count(data, access.owner())? {
        ..ITEMS_MOST => Ok(()),
        _ => Err(Error::Conflict(text::ITEMS_TOO_MANY)),
    }
}

/// Refuses a number that another item has.
fn check_number(data: &Snapshot<'_>, access: &Access, item: &Item) -> Result<()> {
    let Some(number) = item.profile.number else {
        return Ok(());
    };
    match table::with_number(data, access.owner(), number)? {
        Some(other) if other != item.id => Err(Error::Conflict(text::NUMBER_TAKEN)),
        _ => Ok(()),
    }
}

/// The item of this id, if it is there already and of this kind.
///
/// # Errors
/// [`Error::NotYours`] for the id of something deleted, [`Error::Conflict`] for that of something else.
pub fn there_already(data: &Snapshot<'_>, access: &Access, id: EquipmentId, kind: Kind) -> Result<Option<Item>> {
    let owner = access.owner();
    match table::find(data, owner, id) {
        Ok(item) if item.kind == kind => return Ok(Some(item)),
        Ok(_) => return Err(Error::Conflict(text::FLIGHT_ID_TAKEN)),
        Err(Error::NotYours) => {}
        Err(other) => return Err(other),
    }
    operations::check_unspent(data, owner, id.key())?;
    // Logs are found by the id of what they are about, flight or item.
    if data.has(&schema::FLIGHTS, (owner.key(), id.key()))? {
        return Err(Error::Conflict(text::FLIGHT_ID_TAKEN));
    }
    Ok(None)
}

/// Adds an item of another Fluglog. Its number stays there when another item has it.
pub fn add_copied(
    writer: &Writer<'_>,
    access: &Access,
    kind: Kind,
    details: Details,
    profile: Profile,
    retirement: Option<Retirement>,
) -> Result<EquipmentId> {
    access.check(Right::Keep)?;
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
        profile: Profile::default(),
        health: Health::default(),
        set: None,
        sticker: None,
    }
}

/// Changes what the pilot entered about an item.
///
/// # Errors
/// [`Error::NotYours`] when there is no such item.
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

/// Changes what the pilot entered about what a battery is made of.
///
/// # Errors
/// [`Error::NotYours`] when there is no such item, [`Error::Invalid`] when it is no battery.
pub fn edit_profile(app: &App, operation: Operation, battery: EquipmentId, profile: ProfileChanges) -> Result<Item> {
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
    let access = operation.access();
    access.check(Right::Keep)?;
    let owner = access.owner();
    operation.write(&app.store, move |writer| {
        let mut item = table::find(writer, owner, id)?;
        let before = item.profile.number;
        work(&mut item)?;
        if item.profile.number != before {
            check_number(writer, &access, &item)?;
        }
        table::put(writer, owner, &item)?;
        Ok(Done::new(Object::of_gear(owner, id.key(), 0), item))
    })
}

/// One item, in a transaction of another topic.
///
/// # Errors
/// [`Error::NotYours`] when there is no such item.
pub fn find(data: &Snapshot<'_>, access: &Access, id: EquipmentId) -> Result<Item> {
    table::find(data, access.owner(), id)
}

/// The details of items, by id, without those that aren't there.
pub fn details(
    data: &Snapshot<'_>,
    access: &Access,
    items: impl Iterator<Item = EquipmentId>,
) -> Result<HashMap<EquipmentId, Details>> {
    table::details(data, access.owner(), &items.collect())
}

/// The details of every item, retired ones too, by id.
pub fn all_details(data: &Snapshot<'_>, access: &Access) -> Result<HashMap<EquipmentId, Details>> {
    table::all_details(data, access.owner())
}

/// All items of the access, retired ones too, by id.
pub fn all(data: &Snapshot<'_>, access: &Access) -> Result<HashMap<EquipmentId, Item>> {
    let items = table::all(data, access.owner())?;
    Ok(items.into_iter().map(|item| (item.id, item)).collect())
}

/// Says what a flight did to an item, in place of what was said about the same flight before.
pub fn use_item(writer: &Writer<'_>, access: &Access, item: EquipmentId, used: &Use) -> Result<()> {
    access.check(Right::Use)?;
    table::put_use(writer, access.owner(), item, used)
}

/// The flights that an item was on, the latest start first: between two places in the list of flights, the latest
/// `most` of them, or the earliest if there is only `after`.
pub fn flights_of(
    data: &Snapshot<'_>,
    access: &Access,
    item: EquipmentId,
    after: Option<(WallTime, FlightId)>,
    before: Option<(WallTime, FlightId)>,
    most: usize,
) -> Result<Vec<FlightId>> {
    table::uses::flights_of(data, access.owner(), item, after, before, most)
}

/// Takes back what a flight did to an item.
pub fn take_back_use(writer: &Writer<'_>, access: &Access, item: EquipmentId, flight: FlightId) -> Result<()> {
    access.check(Right::Use)?;
    table::remove_use(writer, access.owner(), item, flight)?;
    readings::forget_file(writer, access, item, flight)
}

/// Removes all equipment of a user who is deleted.
pub fn forget_user(writer: &Writer<'_>, viewer: &Viewer) -> Result<()> {
    table::remove_all(writer, viewer.user().into())
}

/// Makes what follows from records and an earlier version didn't keep.
pub fn fill(writer: &Writer<'_>) -> Result<()> {
    table::fill(writer)
}

/// Reads every record of the equipment for a check of the data.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    table::check::check(data, findings)
}

/// Whether exactly this is kept of what a flight did to an item.
pub fn keeps_use(data: &Snapshot<'_>, owner: OwnerId, item: EquipmentId, used: &Use) -> Result<bool> {
    table::uses::keeps(data, owner, item, used)
}

/// Writes exactly this of what a flight did to an item, while a check writes anew what follows from the flights.
/// Indexes and totals are left to it.
pub fn rewrite_use(writer: &Writer<'_>, owner: OwnerId, item: EquipmentId, used: &Use) -> Result<()> {
    table::uses::rewrite(writer, owner, item, used)
}

/// Puts a nameless item in the place of one that is lost, so that its flights can be shown.
pub fn stand_in(writer: &Writer<'_>, owner: OwnerId, id: EquipmentId, kind: Kind) -> Result<()> {
    let details = Details {
        name: text::LOST_ITEM.to_owned(),
        ..Details::default()
    };
    table::put(writer, owner, &unused(id, kind, details, None))
}

/// Whether there is a record of an item, readable or not.
pub fn is_there(data: &Snapshot<'_>, owner: OwnerId, id: EquipmentId) -> Result<bool> {
    data.has(&schema::EQUIPMENT, (owner.key(), id.key()))
}

/// How many uses of items by flights are kept, of all pilots.
pub fn count_uses(data: &Snapshot<'_>) -> Result<u64> {
    data.count(&schema::EQUIPMENT_USES)
}

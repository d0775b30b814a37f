//! Items of equipment with their stickers, their retirement, and their use by flights. Knows flights only by their ids,
//! and nothing of what is recorded of battery packs.
//!
//! The modules stand in reading order, like those of the crate.

pub mod code;
pub mod battery_profile;
pub mod prior;
pub mod model;
mod table;
pub mod stickers;
pub mod prior_flights;

pub(crate) use table::authors::{
    Authored, OwnEntries, is_own as is_own_entry, put as put_author, remove as remove_author,
};
pub use table::check::{Discharges, check};
pub use table::shared_uses::{Pilot, pilot_of, pilots_of, recorded_pilot};
pub use table::uses::{
    consumed_since, count_after_adding, is_stored as is_use_stored, landed_before, rewrite as rewrite_use, use_of,
    uses_from, uses_of,
};
pub use table::{is_battery, keys, stickers::check as check_stickers};

use std::collections::HashMap;

use battery_profile::{Profile, ProfileChanges};
use fluglog_accounts::guard::{Access, Right, Viewer};
use fluglog_accounts::operation::{Operation, Outcome};
use fluglog_accounts::spaces;
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{EquipmentId, FlightId, OwnerId, SpaceId, UserId};
use fluglog_base::text;
use fluglog_base::time::WallTime;
use fluglog_store::deletions::Step;
use fluglog_store::operations;
use fluglog_store::operations::model::Object;
use fluglog_store::{Snapshot, Writer, schema};
use model::{DetailChanges, Details, Item, Kind, Retirement, Totals, Use};
use prior::Prior;

/// Most items of an owner.
const MAX_ITEMS: usize = 2000;

/// Returns the access to an item: to the pilot's own, or else to one of a space.
///
/// # Errors
/// [`Error::NotFound`], or [`Error::Forbidden`] for an item of a space that the pilot has left.
pub fn access_to(data: &Snapshot<'_>, viewer: &Viewer, id: EquipmentId) -> Result<Access> {
    spaces::find(data, viewer, |access| match is_there(data, access.owner(), id)? {
        true => Ok(*access),
        false => Err(Error::NotFound),
    })
}

/// Like [`access_to`], with this right.
///
/// # Errors
/// Like [`access_to`], and [`Error::Forbidden`] without the right.
pub(crate) fn access_with(data: &Snapshot<'_>, viewer: &Viewer, id: EquipmentId, right: Right) -> Result<Access> {
    let access = access_to(data, viewer, id)?;
    access.check(right)?;
    Ok(access)
}

/// Checks that an entry about an item may be changed and deleted: any by who maintains the item, else by its author.
///
/// # Errors
/// [`Error::Forbidden`].
pub(crate) fn check_may_change(data: &Snapshot<'_>, access: &Access, item: EquipmentId, entry: Authored) -> Result<()> {
    match is_own_entry(data, access, item, entry)? {
        true => Ok(()),
        false => access.check(Right::Maintain),
    }
}

/// Returns an item with the access to it.
///
/// # Errors
/// Like [`access_to`].
pub(crate) fn find_for(data: &Snapshot<'_>, viewer: &Viewer, id: EquipmentId) -> Result<(Access, Item)> {
    spaces::find(data, viewer, |access| {
        Ok((*access, table::find(data, access.owner(), id)?))
    })
}

/// A new item as its form has it.
#[derive(Clone)]
pub struct NewItem {
    pub id: EquipmentId,
    pub kind: Kind,
    /// The space that gets it; `None` for the pilot.
    pub space: Option<SpaceId>,
    pub details: Details,
    pub profile: ProfileChanges,
}

/// Adds an item; if it exists already, returns that one. Returns the access to it as well.
///
/// # Errors
/// Like [`find_existing`]; [`Error::Conflict`] beyond the limit of items; [`Error::Forbidden`] without the right to add
/// one to the space.
pub fn add(app: &App, operation: Operation, new: NewItem) -> Result<(Access, Item)> {
    let viewer = operation.viewer();
    let mut item = unused(new.id, new.kind, new.details, None);
    new.profile.apply(&mut item.profile);
    let (id, space) = (new.id, new.space);
    operation.write(&app.store, move |writer| {
        let object = |access: &Access| Object::of_equipment(access.owner(), id.key(), 0);
        if let Some((access, there)) = find_existing(writer, &viewer, space, id, item.kind)? {
            return Ok(Outcome::new(object(&access), (access, there)));
        }
        let access = access_to_add(writer, &viewer, space)?;
        let object = object(&access);
        check_count(writer, &access)?;
        check_number(writer, &access, &item)?;
        table::put(writer, access.owner(), &item)?;
        Ok(Outcome::new(object, (access, item.clone())))
    })
}

/// Returns the access to the pilot's own items, or to those of a space, with the right to add one.
fn access_to_add(data: &Snapshot<'_>, viewer: &Viewer, space: Option<SpaceId>) -> Result<Access> {
    let access = match space {
        None => Access::own(viewer),
        Some(space) => Access::to(data, viewer, space.into())?,
    };
    access.check(Right::Maintain)?;
    Ok(access)
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

/// Returns the item with this id and kind, if it exists already: the pilot's own, or one of a space. A new one would
/// belong to `space`, or else to the pilot.
///
/// # Errors
/// [`Error::NotFound`] for the id of something deleted, [`Error::Conflict`] for an id that something else has.
pub(crate) fn find_existing(
    data: &Snapshot<'_>,
    viewer: &Viewer,
    space: Option<SpaceId>,
    id: EquipmentId,
    kind: Kind,
) -> Result<Option<(Access, Item)>> {
    match find_for(data, viewer, id) {
        Ok((access, item)) if item.kind == kind => return Ok(Some((access, item))),
        Ok(_) => return Err(Error::Conflict(text::FLIGHT_ID_TAKEN)),
        Err(Error::NotFound) => {}
        Err(other) => return Err(other),
    }
    let owner = space.map_or_else(|| viewer.user().into(), OwnerId::from);
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
        prior: Prior::default(),
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
    change(app, operation, id, move |_, item| {
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
    change(app, operation, battery, move |_, item| {
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
    change(app, operation, id, move |access, item| {
        if item.retirement.is_some() {
            return Err(Error::Conflict(text::EQUIPMENT_ALREADY_RETIRED));
        }
        if item.totals.open_flight.is_some() {
            return Err(Error::Conflict(match access.is_own() {
                true => text::EQUIPMENT_IN_OPEN_FLIGHT,
                false => text::SHARED_IN_OPEN_FLIGHT,
            }));
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
    change(app, operation, id, |_, item| {
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
    work: impl Fn(&Access, &mut Item) -> Result<()> + Send + 'static,
) -> Result<Item> {
    let viewer = operation.viewer();
    operation.write(&app.store, move |writer| {
        let access = access_with(writer, &viewer, id, Right::Maintain)?;
        let owner = access.owner();
        let mut item = table::find(writer, owner, id)?;
        let before = item.profile.number;
        work(&access, &mut item)?;
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

/// Records how the pilot's flight used an item, replacing what the same flight recorded before. Returns that, and what
/// is recorded now.
///
/// # Errors
/// [`Error::Conflict`] if another pilot's flight has the same id.
pub(crate) fn put_use(
    writer: &Writer<'_>,
    viewer: &Viewer,
    access: &Access,
    item: EquipmentId,
    used: &Use,
) -> Result<(Option<Use>, Use)> {
    access.check(Right::Use)?;
    let owner = access.owner();
    check_pilot(writer, viewer, owner, item, used.flight)?;
    if owner != viewer.user().into() {
        table::shared_uses::put(writer, owner, item, used.flight, Pilot::User(viewer.user()))?;
    }
    table::put_use(writer, owner, item, used)
}

/// Rejects a flight whose id another pilot's use of the item has: a client may choose it.
fn check_pilot(
    data: &Snapshot<'_>,
    viewer: &Viewer,
    owner: OwnerId,
    item: EquipmentId,
    flight: FlightId,
) -> Result<()> {
    let by_viewer = pilot_of(data, owner, item, flight)? == Pilot::User(viewer.user());
    match by_viewer || !data.has(&schema::EQUIPMENT_USES, (owner.key(), item.key(), flight.key()))? {
        true => Ok(()),
        false => Err(Error::Conflict(text::FLIGHT_ID_TAKEN)),
    }
}

/// Frees an item from a flight that is open: the item isn't in it any more, and the flight stays as it is. Returns the
/// use before and after it; `None` when the item is in no open flight.
pub(crate) fn close_use(writer: &Writer<'_>, owner: OwnerId, item: EquipmentId) -> Result<Option<(Use, Use)>> {
    let Some(flight) = table::find(writer, owner, item)?.totals.open_flight else {
        return Ok(None);
    };
    let Some(used) = use_of(writer, owner, item, flight)? else {
        return Ok(None);
    };
    let (_, closed) = table::put_use(writer, owner, item, &Use { open: false, ..used })?;
    Ok(Some((used, closed)))
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

/// Removes the use of an item by the pilot's flight, and returns it.
pub(crate) fn remove_use(
    writer: &Writer<'_>,
    viewer: &Viewer,
    access: &Access,
    item: EquipmentId,
    flight: FlightId,
) -> Result<Option<Use>> {
    access.check(Right::Use)?;
    let owner = access.owner();
    if pilot_of(writer, owner, item, flight)? != Pilot::User(viewer.user()) {
        return Ok(None);
    }
    let removed = table::remove_use(writer, owner, item, flight)?;
    table::shared_uses::remove(writer, owner, item, flight)?;
    Ok(removed)
}

/// Forgets the pilot of a use of others' equipment, whose account is deleted. The use stays, and isn't open any more.
pub(crate) fn forget_pilot(writer: &Writer<'_>, owner: OwnerId, item: EquipmentId, flight: FlightId) -> Result<()> {
    let Some(used) = use_of(writer, owner, item, flight)? else {
        return Ok(());
    };
    table::put_use(writer, owner, item, &Use { open: false, ..used })?;
    table::shared_uses::put(writer, owner, item, flight, Pilot::Deleted)
}

/// Records the pilot of a use again, which is lost.
pub(crate) fn put_pilot(
    writer: &Writer<'_>,
    owner: OwnerId,
    item: EquipmentId,
    flight: FlightId,
    pilot: UserId,
) -> Result<()> {
    table::shared_uses::put(writer, owner, item, flight, Pilot::User(pilot))
}

/// Returns the number of uses of pilots whose accounts were deleted.
pub(crate) fn count_deleted_pilots(data: &Snapshot<'_>) -> Result<u64> {
    table::shared_uses::count_deleted(data)
}

/// Removes what is recorded of pilots who used items of a deleted owner, as [`table::shared_uses::forget`] does.
pub(crate) fn forget_pilots(
    writer: &Writer<'_>,
    step: &mut Step,
    on_removed: impl Fn(EquipmentId, FlightId, UserId) -> Result<()>,
) -> Result<()> {
    table::shared_uses::forget(writer, step, on_removed)
}

/// Removes stickers of a deleted owner.
pub(crate) fn forget_stickers(writer: &Writer<'_>, step: &mut Step) -> Result<()> {
    table::stickers::forget(writer, step)
}

/// Gives an item to another owner, without the pilots of its uses. A number that another item has there is lost.
///
/// # Errors
/// [`Error::Conflict`] when that owner has too many items, or something else with this id.
pub(crate) fn move_item(writer: &Writer<'_>, from: OwnerId, to: OwnerId, id: EquipmentId) -> Result<()> {
    let access = Access::without_login(to);
    check_count(writer, &access)?;
    let is_taken = is_there(writer, to, id)? || writer.has(&schema::FLIGHTS, (to.key(), id.key()))?;
    if is_taken {
        return Err(Error::Conflict(text::FLIGHT_ID_TAKEN));
    }
    let mut item = table::find(writer, from, id)?;
    table::move_item(writer, from, to, id)?;
    match check_number(writer, &access, &item) {
        Err(Error::Conflict(_)) => {
            item.profile.number = None;
            table::put(writer, to, &item)
        }
        checked => checked,
    }
}

/// Gives the recorded pilot of a use to another owner's item.
pub(crate) fn move_pilot(
    writer: &Writer<'_>,
    (from, to): (OwnerId, OwnerId),
    item: EquipmentId,
    flight: FlightId,
) -> Result<Pilot> {
    let pilot = pilot_of(writer, from, item, flight)?;
    table::shared_uses::remove(writer, from, item, flight)?;
    table::shared_uses::put(writer, to, item, flight, pilot)?;
    Ok(pilot)
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

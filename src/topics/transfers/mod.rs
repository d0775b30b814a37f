//! What is done with items of a space as a whole: they move between a pilot and a space with their history, and are
//! freed from an open flight. Has no table of its own.

pub mod api;
pub mod model;

use crate::packs::records::charging::model::id_of_flight;
use crate::packs::{self, UsePilots, charging, readings};
use crate::{documents, equipment, flights, logs, maintenance, quota};
use fluglog_accounts::guard::{Access, Right, Viewer};
use fluglog_accounts::operation::{Operation, Outcome};
use fluglog_accounts::quotas;
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{ChargingId, EquipmentId, OwnerId, SpaceId};
use fluglog_base::limits::usage::Reservation;
use fluglog_base::page::Page;
use fluglog_base::text;
use fluglog_store::operations::model::Object;
use fluglog_store::{Snapshot, Writer, schema};
use logs::model::Subject;
use model::{MovePreview, SharedUse};

/// Most flights that a call moves, and records of other kinds: everybody's changes wait for its transaction. Each
/// flight changes some records.
const MAX_USES: usize = 5000;
const MAX_RECORDS: usize = 10_000;
/// Allowance for a flight or a record that moves, with its index keys.
const BYTES_OF_ONE: u64 = 512;

/// Moves an item to a space, or to the pilot: whoever manages it gives it away. The batteries of a set move together.
/// An item that is there already stays.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Forbidden`] without the right to give it away, or to add it there; [`Error::Conflict`]
/// while it is in an open flight, or beyond a limit; [`Error::QuotaUsedUp`] when its history doesn't fit there.
pub fn move_item(app: &App, operation: Operation, item: EquipmentId, space: Option<SpaceId>) -> Result<Access> {
    let (viewer, limit) = (operation.viewer(), quotas::limit_of_space(app));
    let (giver, reserved) = reserve(app, &viewer, item, space)?;
    let access = operation.write(&app.store, move |writer| {
        let from = equipment::access_to(writer, &viewer, item)?;
        let to = access_to_target(writer, &viewer, space)?;
        if from.owner() != to.owner() {
            from.check(Right::Manage)?;
            to.check(Right::Maintain)?;
            move_with_history(writer, from.owner(), to.owner(), item, true)?;
            if !to.is_own() {
                documents::check_room_of_space(writer, to.owner(), limit, 0)?;
            }
        }
        Ok(Outcome::new(Object::of_equipment(to.owner(), item.key(), 0), to))
    })?;
    if let Some(reserved) = reserved {
        reserved.commit();
    }
    app.usage.mark_stale(giver);
    Ok(access)
}

/// Returns the access to the owner to whom an item moves.
///
/// # Errors
/// As [`Access::to`].
pub(crate) fn access_to_target(data: &Snapshot<'_>, viewer: &Viewer, space: Option<SpaceId>) -> Result<Access> {
    match space {
        None => Ok(Access::own(viewer)),
        Some(space) => Access::to(data, viewer, space.into()),
    }
}

/// Reserves storage for what moves with an item, in the quota of the new owner. Returns the old one.
fn reserve(
    app: &App,
    viewer: &Viewer,
    item: EquipmentId,
    space: Option<SpaceId>,
) -> Result<(OwnerId, Option<Reservation>)> {
    let (from, to, bytes) = app.store.read(|data| {
        let from = equipment::access_to(data, viewer, item)?;
        let to = access_to_target(data, viewer, space)?;
        let mut bytes = 0;
        if from.owner() != to.owner() {
            from.check(Right::Manage)?;
            to.check(Right::Maintain)?;
            for item in packs::inseparable(data, from.owner(), item)? {
                let (uses, records) = history_of(data, &from, item)?;
                bytes += logs::bytes_of_item(data, &from, item)? + (uses + records) as u64 * BYTES_OF_ONE;
            }
        }
        Ok((from, to, bytes))
    })?;
    let reserved = match bytes {
        0 => None,
        bytes => quota::reserve_bytes(app, viewer, &to, bytes)?,
    };
    Ok((from.owner(), reserved))
}

/// Moves an item to another owner, however long its history is, as the operator may. Returns its name.
///
/// # Errors
/// [`Error::NotFound`] when nobody, or more than one owner, has an item with this id, [`Error::Conflict`] when the new
/// owner is gone; otherwise like [`move_item`].
pub fn move_by_operator(app: &App, item: EquipmentId, to: OwnerId) -> Result<String> {
    let (from, name) = app.store.write(move |writer| {
        if !(writer.has(&schema::USERS, to.key())? || writer.has(&schema::SPACES, to.key())?) {
            return Err(Error::Conflict(text::OWNER_GONE));
        }
        let mut owners = equipment::keys(writer)?.into_iter().filter(|(_, id)| *id == item);
        let (Some((from, _)), None) = (owners.next(), owners.next()) else {
            return Err(Error::NotFound);
        };
        let name = equipment::find(writer, &Access::without_login(from), item)?
            .details
            .name;
        if from != to {
            move_with_history(writer, from, to, item, false)?;
        }
        Ok((from, name))
    })?;
    app.usage.forget(from);
    app.usage.forget(to);
    Ok(name)
}

/// Moves an item with those that move together with it, and everything that is recorded of them; if `is_bounded`, only
/// what a call may move.
fn move_with_history(
    writer: &Writer<'_>,
    from: OwnerId,
    to: OwnerId,
    item: EquipmentId,
    is_bounded: bool,
) -> Result<()> {
    let items = packs::inseparable(writer, from, item)?;
    let owned = Access::without_login(from);
    let (mut uses, mut records) = (0, 0);
    for item in &items {
        if equipment::find(writer, &owned, *item)?.totals.open_flight.is_some() {
            return Err(Error::Conflict(text::MOVED_IN_FLIGHT));
        }
        let history = history_of(writer, &owned, *item)?;
        uses += history.0;
        records += history.1;
    }
    if is_bounded && (uses > MAX_USES || records > MAX_RECORDS) {
        return Err(Error::Conflict(text::MOVED_TOO_MUCH));
    }
    packs::move_set(writer, from, to, item)?;
    for item in items {
        let moved = equipment::find(writer, &owned, item)?;
        // Each topic that records something of items moves it here.
        equipment::move_item(writer, from, to, item)?;
        packs::move_item(writer, from, to, item)?;
        logs::move_of_item(writer, from, to, item)?;
        maintenance::move_item(writer, from, to, item)?;
        flights::follow_item(writer, from, to, &moved)?;
    }
    Ok(())
}

/// Returns the number of flights with an item, and of its other records.
fn history_of(data: &Snapshot<'_>, access: &Access, item: EquipmentId) -> Result<(usize, usize)> {
    let uses = equipment::flights_of(data, access, item, None, None, usize::MAX)?.len();
    let records = packs::count_of_item(data, access.owner(), item)?
        + maintenance::count_of_item(data, access.owner(), item)?
        + logs::ids(data, access, Subject::Equipment(item))?.len();
    Ok((uses, records))
}

/// Frees an item from the flight that is open with it, if there is one; the flight stays as it is.
///
/// # Errors
/// [`Error::NotFound`] when there is no such item, [`Error::Forbidden`] without the right.
pub fn free_item(app: &App, operation: Operation, item: EquipmentId) -> Result<Access> {
    let viewer = operation.viewer();
    operation.write(&app.store, move |writer| {
        let access = equipment::access_with(writer, &viewer, item, Right::Maintain)?;
        if let Some((before, now)) = packs::free(writer, access.owner(), item)? {
            maintenance::flown(writer, &access, item, Some(&before), Some(&now))?;
        }
        Ok(Outcome::new(
            Object::of_equipment(access.owner(), item.key(), 0),
            access,
        ))
    })
}

/// Returns what moves with an item.
///
/// # Errors
/// [`Error::NotFound`] when there is no such item for the viewer.
pub(crate) fn preview(app: &App, viewer: &Viewer, item: EquipmentId) -> Result<MovePreview> {
    app.store.read(|data| {
        let access = equipment::access_to(data, viewer, item)?;
        let mut preview = MovePreview::default();
        for item in packs::inseparable(data, access.owner(), item)? {
            preview.items += 1;
            add(data, &access, item, &mut preview)?;
        }
        Ok(preview)
    })
}

fn add(data: &Snapshot<'_>, access: &Access, item: EquipmentId, preview: &mut MovePreview) -> Result<()> {
    preview.uses += equipment::flights_of(data, access, item, None, None, usize::MAX)?.len();
    preview.chargings += charging::recorded(data, access, item)?.len();
    preview.readings += readings::of(data, access, item)?.len();
    for log in logs::ids(data, access, Subject::Equipment(item))? {
        preview.logs += 1;
        preview.documents += usize::from(logs::stored(data, access, log)?.document.is_some());
    }
    Ok(())
}

/// Returns the flights with an item, newest first, as the viewer may know them.
///
/// # Errors
/// [`Error::NotFound`] when there is no such item for the viewer.
pub(crate) fn uses(app: &App, viewer: &Viewer, item: EquipmentId, page: Page<ChargingId>) -> Result<Vec<SharedUse>> {
    app.store.read(|data| {
        let access = equipment::access_to(data, viewer, item)?;
        // Of a page only its own records are read, however many flights the item has.
        let most = page.limit.filter(|_| page.before.is_none()).unwrap_or(usize::MAX);
        let flights = equipment::flights_of(data, &access, item, None, None, most)?;
        let flights = page.of(flights, |flight| id_of_flight(item, *flight))?;
        let pilots = UsePilots::of_flights(data, viewer, &access, item, &flights)?;
        let uses = flights
            .iter()
            .map(|flight| equipment::use_of(data, access.owner(), item, *flight));
        let uses: Result<Vec<_>> = uses.collect();
        let shown = uses?.into_iter().flatten().map(|used| SharedUse {
            dpf_id: id_of_flight(item, used.flight).to_string(),
            start: used.start.to_string(),
            minutes: used.minutes,
            name: pilots.name(used.flight).unwrap_or_default(),
            own: pilots.is_own(used.flight),
            flight: pilots.is_own(used.flight).then(|| used.flight.to_string()),
            start_voltage: used.start_voltage,
            end_voltage: used.end_voltage,
            consumed: used.consumed,
            open: used.open,
        });
        Ok(shown.collect())
    })
}

#[cfg(test)]
mod tests;

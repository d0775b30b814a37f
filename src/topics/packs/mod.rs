//! Battery packs: what pilots record of them, and what follows from it for the state and health of each. Answers about
//! items of every kind come from here too, since an item is shown with its state.
//!
//! The modules stand in reading order, like those of the crate.

pub mod state;
pub mod voltages;
pub mod aging;
pub mod records;
pub mod model;
pub mod hints;
pub mod compare;
mod table;
pub mod wire;
mod pilots;
pub mod attention;
pub mod charging;
pub mod readings;
pub mod sets;
pub mod passport;
pub mod api;

use std::collections::{HashMap, HashSet};

use crate::equipment::model::{Kind, Use};
use crate::equipment::{self, Pilot};
use fluglog_accounts::guard::{Access, Right, Viewer};
use fluglog_accounts::spaces::{self, model::SpaceName};
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{EquipmentId, FlightId, OwnerId};
use fluglog_base::text;
use fluglog_base::time::WallTime;
use fluglog_store::findings::Findings;
use fluglog_store::{Snapshot, Writer, schema, under};
use model::{InUse, ListedPack, Pack, Shared, sort_by_name};
pub use pilots::UsePilots;
pub(crate) use pilots::pilot_name;
use records::{health, snoozes, undo_records};
pub use table::{all, find};
use wire::Equipment;

/// Returns an item.
///
/// # Errors
/// [`Error::NotFound`] when there is no such item.
pub fn get(app: &App, access: &Access, id: EquipmentId) -> Result<Pack> {
    app.store.read(|data| find(data, access, id))
}

/// Returns all items with which the pilot may fly: the own ones, then those of each space. An id that two of them have
/// is that of the first.
pub(crate) fn usable(data: &Snapshot<'_>, viewer: &Viewer) -> Result<Vec<Pack>> {
    let mut packs = Vec::new();
    let mut seen = HashSet::new();
    for access in spaces::accesses(data, viewer)? {
        if access.check(Right::Use).is_ok() {
            let mut more = all(data, &access)?;
            more.retain(|pack| seen.insert(pack.item.id));
            packs.extend(more);
        }
    }
    Ok(packs)
}

/// Returns the kinds of all items that the pilot may see, also of those that others may fly with and the pilot may not.
pub(crate) fn kinds(data: &Snapshot<'_>, viewer: &Viewer) -> Result<HashMap<EquipmentId, Kind>> {
    let mut kinds = HashMap::new();
    for access in spaces::accesses(data, viewer)? {
        let items = equipment::all(data, &access)?.into_values();
        kinds.extend(items.map(|item| (item.id, item.kind)));
    }
    Ok(kinds)
}

/// Returns the wire form of an item as it is now.
///
/// # Errors
/// [`Error::NotFound`] when there is no such item.
pub(crate) fn shown(app: &App, access: &Access, id: EquipmentId) -> Result<Equipment> {
    let now = app.clock.now();
    app.store
        .read(|data| equipment_of(data, access, find(data, access, id)?, now))
}

/// Returns the active or the retired items of every kind, by name: the pilot's own, then those of each space.
pub fn list(app: &App, viewer: &Viewer, retired: bool) -> Result<Vec<ListedPack>> {
    app.store.read(|data| {
        let mut list = Vec::new();
        for access in spaces::accesses(data, viewer)? {
            let mut packs = all(data, &access)?;
            packs.retain(|pack| pack.item.retirement.is_some() == retired);
            sort_by_name(&mut packs);
            let space = match access.is_own() {
                true => None,
                false => spaces::name_of(data, access.owner())?,
            };
            for pack in packs {
                list.push(listed(data, &access, space.clone(), pack)?);
            }
        }
        Ok(list)
    })
}

/// Returns the wire form of an item, with what a member is shown of one of a space.
pub(crate) fn equipment_of(data: &Snapshot<'_>, access: &Access, pack: Pack, now: WallTime) -> Result<Equipment> {
    let ListedPack { pack, shared } = listed(data, access, spaces::name_of(data, access.owner())?, pack)?;
    Ok(Equipment::new(pack, shared, now))
}

fn listed(data: &Snapshot<'_>, access: &Access, space: Option<SpaceName>, pack: Pack) -> Result<ListedPack> {
    let shared = match (space, access.right()) {
        (Some(space), Some(right)) => Some(Shared {
            space,
            right,
            in_use: in_use(data, access, &pack)?,
        }),
        _ => None,
    };
    Ok(ListedPack { pack, shared })
}

/// Returns who is flying with an item of a space, as that pilot lets the space know, and since when.
fn in_use(data: &Snapshot<'_>, access: &Access, pack: &Pack) -> Result<Option<InUse>> {
    let owner = access.owner();
    let Some(flight) = pack.item.totals.open_flight else {
        return Ok(None);
    };
    let used = equipment::use_of(data, owner, pack.item.id, flight)?;
    let pilot = equipment::pilot_of(data, owner, pack.item.id, flight)?;
    used.map(|used| {
        Ok(InUse {
            by: pilot_name(data, owner, pilot)?,
            since: used.start,
            mine: access.member().map(Pilot::User) == Some(pilot),
        })
    })
    .transpose()
}

/// Most flights of a battery: when an old one changes, its health is derived from all of them, while everybody's
/// changes wait.
const MAX_FLIGHTS: usize = 20_000;

/// Records how the pilot's flight used an item, replacing what the same flight recorded before. Returns the use before
/// and after it.
pub(crate) fn use_item(
    writer: &Writer<'_>,
    viewer: &Viewer,
    access: &Access,
    item: EquipmentId,
    used: &Use,
) -> Result<(Option<Use>, Use)> {
    let (before, now) = equipment::put_use(writer, viewer, access, item, used)?;
    update_after_flight(writer, access.owner(), item, before, Some(now))?;
    Ok((before, now))
}

/// Removes the use of an item by the pilot's flight, and returns it.
pub(crate) fn remove_use(
    writer: &Writer<'_>,
    viewer: &Viewer,
    access: &Access,
    item: EquipmentId,
    flight: FlightId,
) -> Result<Option<Use>> {
    let before = equipment::remove_use(writer, viewer, access, item, flight)?;
    if before.is_none() {
        return Ok(None);
    }
    update_after_flight(writer, access.owner(), item, before, None)?;
    readings::remove_from_file(writer, access, item, flight)?;
    Ok(before)
}

/// Frees an item from a flight that is open with it. Returns the use before and after it; `None` when the item is in no
/// open flight.
pub(crate) fn free(writer: &Writer<'_>, owner: OwnerId, item: EquipmentId) -> Result<Option<(Use, Use)>> {
    let freed = equipment::close_use(writer, owner, item)?;
    if let Some((before, now)) = freed {
        update_after_flight(writer, owner, item, Some(before), Some(now))?;
    }
    Ok(freed)
}

/// Forgets the pilot of a use, whose account is deleted. Returns the use before and after it.
pub(crate) fn forget_pilot(
    writer: &Writer<'_>,
    owner: OwnerId,
    item: EquipmentId,
    flight: FlightId,
) -> Result<[Option<Use>; 2]> {
    let before = equipment::use_of(writer, owner, item, flight)?;
    equipment::forget_pilot(writer, owner, item, flight)?;
    let now = equipment::use_of(writer, owner, item, flight)?;
    update_after_flight(writer, owner, item, before, now)?;
    Ok([before, now])
}

/// Updates the health of a battery after a flight changed from `before` to `now`.
fn update_after_flight(
    writer: &Writer<'_>,
    owner: OwnerId,
    item: EquipmentId,
    before: Option<Use>,
    now: Option<Use>,
) -> Result<()> {
    let [before, now] = [before, now].map(|used| used.as_ref().map(Use::as_discharge));
    if before == now || !equipment::is_battery(writer, owner, item)? {
        return Ok(());
    }
    if before.is_none() && equipment::count_after_adding(writer, owner, item)? > MAX_FLIGHTS {
        return Err(Error::Conflict(text::FLIGHTS_OF_PACK_TOO_MANY));
    }
    health::table::update_after_flight(writer, owner, item, before, now)
}

/// Returns the items that move together with one: the batteries of its set.
pub(crate) fn inseparable(data: &Snapshot<'_>, owner: OwnerId, item: EquipmentId) -> Result<Vec<EquipmentId>> {
    let set = records::sets::table::with_member(data, owner, item)?;
    Ok(set.map_or_else(|| vec![item], |set| set.members))
}

/// Returns the number of chargings and readings of an item.
pub(crate) fn count_of_item(data: &Snapshot<'_>, owner: OwnerId, item: EquipmentId) -> Result<usize> {
    let place = (owner.key(), item.key());
    let chargings = data.count_keys(&schema::CHARGINGS, under(place))?;
    Ok(chargings + data.count_keys(&schema::BATTERY_READINGS, under(place))?)
}

/// Gives what is recorded of a pack to another owner.
pub(crate) fn move_item(writer: &Writer<'_>, from: OwnerId, to: OwnerId, item: EquipmentId) -> Result<()> {
    let (from, to, item) = (from.key(), to.key(), item.key());
    records::charging::table::move_item(writer, from, to, item)?;
    records::readings::table::move_item(writer, from, to, item)?;
    snoozes::move_item(writer, from, to, item)?;
    health::table::move_item(writer, from, to, item)
}

/// Gives the set of a battery to another owner, whose batteries move as well.
///
/// # Errors
/// [`Error::Conflict`] when that owner has another set with this id.
pub(crate) fn move_set(writer: &Writer<'_>, from: OwnerId, to: OwnerId, battery: EquipmentId) -> Result<()> {
    let Some(set) = records::sets::table::with_member(writer, from, battery)? else {
        return Ok(());
    };
    if records::sets::table::find(writer, to, set.id)?.is_some() {
        return Err(Error::Conflict(text::ID_TAKEN));
    }
    records::sets::table::remove(writer, from, set.id)?;
    records::sets::table::put(writer, to, &set)
}

/// Computes the health of all batteries if none is stored, as in a database of an earlier version.
pub fn fill(writer: &Writer<'_>) -> Result<()> {
    if writer.count(&schema::BATTERY_HEALTH)? > 0 {
        return Ok(());
    }
    for (owner, item) in equipment::keys(writer)? {
        let filled = equipment::is_battery(writer, owner, item).and_then(|is_battery| match is_battery {
            true => health::table::compute(writer, owner, item),
            false => Ok(()),
        });
        match filled {
            // A damaged record doesn't stop the others.
            Ok(()) | Err(Error::Internal(_)) => {}
            Err(other) => return Err(other),
        }
    }
    Ok(())
}

/// Verifies the records of equipment and packs.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    let flights = equipment::check(data, findings)?;
    snoozes::check(data, findings)?;
    undo_records::check(data, findings)?;
    records::sets::table::check(data, findings)?;
    equipment::check_stickers(data, findings)?;
    let recorded = health::table::RecordsByPack {
        chargings: records::charging::table::check::check(data, findings)?,
        readings: records::readings::table::check(data, findings)?,
        flights,
    };
    health::table::check(data, findings, recorded)
}

#[cfg(test)]
mod tests;

//! Battery sets: packs that are chosen, charged and stored together, each with a passport of its own.

use std::collections::HashMap;

use super::records::sets::model::{MIN_MEMBERS, SetChanges, StoredSet};
use super::records::sets::table;
use super::table as packs_table;
use crate::equipment;
use fluglog_accounts::guard::{Access, Right, Viewer};
use fluglog_accounts::operation::{Operation, Outcome};
use fluglog_accounts::spaces;
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{EquipmentId, SetId};
use fluglog_base::text;
use fluglog_store::operations;
use fluglog_store::operations::model::Object;
use fluglog_store::{Snapshot, Writer};

/// Returns the sets of the owner.
pub fn all(data: &Snapshot<'_>, access: &Access) -> Result<Vec<StoredSet>> {
    table::all(data, access.owner())
}

/// The sets that batteries are in.
#[derive(Default)]
pub struct Memberships(HashMap<EquipmentId, SetId>);

impl Memberships {
    pub fn read(data: &Snapshot<'_>, access: &Access) -> Result<Memberships> {
        let mut memberships = Memberships::default();
        table::all(data, access.owner())?
            .iter()
            .for_each(|set| memberships.insert(set));
        Ok(memberships)
    }

    fn insert(&mut self, set: &StoredSet) {
        self.0.extend(set.members.iter().map(|member| (*member, set.id)));
    }
}

/// Adds a set of another Fluglog instance; returns whether it was added. It is skipped when it exists, one of its
/// batteries is in another set, or fewer than two of them exist.
///
/// # Errors
/// [`Error::NotFound`] for a battery that isn't the pilot's.
pub fn add_foreign(
    writer: &Writer<'_>,
    access: &Access,
    memberships: &mut Memberships,
    set: &StoredSet,
) -> Result<bool> {
    access.check(Right::Maintain)?;
    let is_there = table::find(writer, access.owner(), set.id)?.is_some();
    if is_there || set.members.len() < MIN_MEMBERS {
        return Ok(false);
    }
    match put(writer, access, memberships, set, set) {
        Err(Error::Conflict(_)) => Ok(false),
        put => {
            put?;
            memberships.insert(set);
            Ok(true)
        }
    }
}

/// Returns one set.
///
/// # Errors
/// [`Error::NotFound`] when there is no such set.
pub fn get(app: &App, access: &Access, id: SetId) -> Result<StoredSet> {
    app.store.read(|data| find(data, access, id))
}

/// Adds a set; if it exists already, returns that one.
///
/// # Errors
/// [`Error::NotFound`] for a battery or an id that isn't the pilot's, [`Error::Invalid`] for an item that is no
/// battery, [`Error::Conflict`] for a battery that is retired or in another set.
pub fn add(app: &App, operation: Operation, id: SetId, entries: SetChanges) -> Result<StoredSet> {
    let viewer = operation.viewer();
    operation.write(&app.store, move |writer| {
        let there = spaces::find(writer, &viewer, |access| Ok((*access, find(writer, access, id)?)));
        match there {
            Ok((access, there)) => return Ok(Outcome::new(object(&access, id), there)),
            Err(Error::NotFound) => {}
            Err(other) => return Err(other),
        }
        let nothing = StoredSet::unnamed(id);
        let set = entries.apply(nothing.clone())?;
        // The batteries of a set belong to one owner.
        let access = owner_of_members(writer, &viewer, &set)?;
        access.check(Right::Maintain)?;
        operations::check_id_unused(writer, access.owner(), id.key())?;
        put(writer, &access, &Memberships::read(writer, &access)?, &nothing, &set)?;
        Ok(Outcome::new(object(&access, id), set))
    })
}

/// Changes a set.
///
/// # Errors
/// Like [`add`].
pub fn edit(app: &App, operation: Operation, id: SetId, changes: SetChanges) -> Result<StoredSet> {
    let viewer = operation.viewer();
    operation.write(&app.store, move |writer| {
        let (access, before) = found(writer, &viewer, id)?;
        let set = changes.apply(before.clone())?;
        put(writer, &access, &Memberships::read(writer, &access)?, &before, &set)?;
        Ok(Outcome::new(object(&access, id), set))
    })
}

/// Deletes a set, but not its batteries.
///
/// # Errors
/// [`Error::NotFound`] when there is no such set.
pub fn delete(app: &App, operation: Operation, id: SetId) -> Result<()> {
    let (viewer, now) = (operation.viewer(), app.clock.unix_seconds());
    operation.write(&app.store, move |writer| {
        let (access, _) = found(writer, &viewer, id)?;
        table::remove(writer, access.owner(), id)?;
        operations::spend_id(writer, access.owner(), id.key(), now)?;
        Ok(Outcome::new(Object::NONE, ()))
    })
}

/// Returns the access to a set.
///
/// # Errors
/// [`Error::NotFound`] when there is no such set for the viewer.
pub(crate) fn access_to(data: &Snapshot<'_>, viewer: &Viewer, id: SetId) -> Result<Access> {
    spaces::find(data, viewer, |access| find(data, access, id).map(|_| *access))
}

/// Returns the access to the batteries of a new set with these entries.
///
/// # Errors
/// Like [`add`].
pub(crate) fn access_to_members(data: &Snapshot<'_>, viewer: &Viewer, entries: &SetChanges) -> Result<Access> {
    owner_of_members(data, viewer, &entries.apply(StoredSet::unnamed(SetId::fresh()))?)
}

fn owner_of_members(data: &Snapshot<'_>, viewer: &Viewer, set: &StoredSet) -> Result<Access> {
    match set.members.first() {
        Some(first) => equipment::access_to(data, viewer, *first),
        None => Ok(Access::own(viewer)),
    }
}

fn find(data: &Snapshot<'_>, access: &Access, id: SetId) -> Result<StoredSet> {
    table::find(data, access.owner(), id)?.ok_or(Error::NotFound)
}

/// Returns a set that the pilot may change.
fn found(data: &Snapshot<'_>, viewer: &Viewer, id: SetId) -> Result<(Access, StoredSet)> {
    let (access, set) = spaces::find(data, viewer, |access| Ok((*access, find(data, access, id)?)))?;
    access.check(Right::Maintain)?;
    Ok((access, set))
}

fn put(
    writer: &Writer<'_>,
    access: &Access,
    memberships: &Memberships,
    before: &StoredSet,
    set: &StoredSet,
) -> Result<()> {
    for member in &set.members {
        let item = packs_table::find_battery_item(writer, access, *member, text::NO_PASSPORT)?;
        if item.retirement.is_some() && !before.members.contains(member) {
            return Err(Error::Conflict(text::SET_OF_RETIRED));
        }
        if memberships.0.get(member).is_some_and(|other| *other != set.id) {
            return Err(Error::Conflict(text::IN_ANOTHER_SET));
        }
    }
    table::put(writer, access.owner(), set)
}

fn object(access: &Access, id: SetId) -> Object {
    Object::of_equipment(access.owner(), id.key(), 0)
}

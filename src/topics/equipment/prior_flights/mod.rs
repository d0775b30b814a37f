//! Hours from before Fluglog: what the pilot or an item had flown already, entered as numbers.

pub mod api;

use super::prior::{Prior, PriorChanges};
use super::table as items_table;
use super::table::prior as table;
use super::{access_to, access_with};
use fluglog_accounts::guard::{Access, Right, Viewer};
use fluglog_accounts::operation::{Operation, Outcome};
use fluglog_app::App;
use fluglog_base::error::Result;
use fluglog_base::id::EquipmentId;
use fluglog_store::operations::model::Object;
use fluglog_store::{Snapshot, Writer};

/// Changes what was before Fluglog for an item, or for the pilot.
///
/// # Errors
/// [`fluglog_base::error::Error::NotFound`] when there is no such item, `Forbidden` without the right, `Invalid` as for
/// [`PriorChanges::applied`].
pub(super) fn save(app: &App, operation: Operation, item: Option<EquipmentId>, changes: PriorChanges) -> Result<Prior> {
    let viewer = operation.viewer();
    operation.write(&app.store, move |writer| {
        let access = match item {
            Some(item) => access_with(writer, &viewer, item, Right::Maintain)?,
            None => Access::own(&viewer),
        };
        let owner = access.owner();
        let is_pack = match item {
            Some(item) => items_table::is_battery(writer, owner, item)?,
            None => false,
        };
        let prior = changes.applied(table::get(writer, owner, item)?, is_pack)?;
        table::put(writer, owner, item, &prior)?;
        let object = match item {
            Some(item) => Object::of_equipment(owner, item.key(), 0),
            None => Object::NONE,
        };
        Ok(Outcome::new(object, prior))
    })
}

/// Returns what was before Fluglog for an item, or for the pilot.
///
/// # Errors
/// [`fluglog_base::error::Error::NotFound`] when there is no such item.
pub(crate) fn of(data: &Snapshot<'_>, viewer: &Viewer, item: Option<EquipmentId>) -> Result<Prior> {
    let access = match item {
        Some(item) => access_to(data, viewer, item)?,
        None => Access::own(viewer),
    };
    table::get(data, access.owner(), item)
}

/// Returns what was before Fluglog for the pilot.
///
/// # Errors
/// The database can't be read.
pub fn of_pilot(data: &Snapshot<'_>, viewer: &Viewer) -> Result<Prior> {
    of(data, viewer, None)
}

/// Records what a new item of another Fluglog instance had flown before that.
///
/// # Errors
/// The database can't be written.
pub(crate) fn add_to_item(writer: &Writer<'_>, access: &Access, item: EquipmentId, prior: &Prior) -> Result<()> {
    access.check(Right::Maintain)?;
    table::put(writer, access.owner(), Some(item), prior)
}

/// Adds what the pilot had flown before another Fluglog, unless something is entered here. Returns whether it did.
///
/// # Errors
/// The database can't be read or written.
pub(crate) fn add_foreign(writer: &Writer<'_>, viewer: &Viewer, prior: &Prior) -> Result<bool> {
    let is_new = !prior.is_empty() && of_pilot(writer, viewer)?.is_empty();
    if is_new {
        table::put(writer, viewer.user().into(), None, prior)?;
    }
    Ok(is_new)
}

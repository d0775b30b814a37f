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
pub mod attention;
pub mod charging;
pub mod readings;
pub mod sets;
pub mod passport;
pub mod api;

use crate::equipment;
use crate::equipment::model::Use;
use fluglog_accounts::guard::Access;
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{EquipmentId, FlightId, OwnerId};
use fluglog_store::findings::Findings;
use fluglog_store::{Snapshot, Writer, schema};
use model::{Pack, sort_by_name};
use records::{health, snoozes, undo_records};
pub use table::{all, find};

/// Returns an item.
///
/// # Errors
/// [`Error::NotFound`] when there is no such item.
pub fn get(app: &App, access: &Access, id: EquipmentId) -> Result<Pack> {
    app.store.read(|data| find(data, access, id))
}

/// Returns the active or the retired items of every kind, by name.
pub fn list(app: &App, access: &Access, retired: bool) -> Result<Vec<Pack>> {
    let mut packs = app.store.read(|data| all(data, access))?;
    packs.retain(|pack| pack.item.retirement.is_some() == retired);
    sort_by_name(&mut packs);
    Ok(packs)
}

/// Records how a flight used an item, replacing what the same flight recorded before.
pub(crate) fn use_item(writer: &Writer<'_>, access: &Access, item: EquipmentId, used: &Use) -> Result<()> {
    let before = equipment::put_use(writer, access, item, used)?;
    update_after_flight(writer, access.owner(), item, before, Some(*used))
}

/// Removes the use of an item by a flight.
pub(crate) fn remove_use(writer: &Writer<'_>, access: &Access, item: EquipmentId, flight: FlightId) -> Result<()> {
    let before = equipment::remove_use(writer, access, item, flight)?;
    update_after_flight(writer, access.owner(), item, before, None)?;
    readings::remove_from_file(writer, access, item, flight)
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
    health::table::update_after_flight(writer, owner, item, before, now)
}

/// Removes what is recorded of the packs of a deleted owner.
pub fn forget_owner(writer: &Writer<'_>, owner: OwnerId) -> Result<()> {
    records::readings::table::remove_all(writer, owner)?;
    snoozes::remove_all(writer, owner)?;
    undo_records::remove_all(writer, owner)?;
    records::sets::table::remove_all(writer, owner)?;
    health::table::remove_all(writer, owner)?;
    records::charging::table::remove_all(writer, owner)
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

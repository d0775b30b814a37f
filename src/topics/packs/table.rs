//! Packs from the records of their items, chargings, health and sets.

use super::compare::assign_sets;
use super::model::Pack;
use super::records::charging::table as chargings;
use super::records::health::table as healths;
use super::records::sets::table as sets;
use super::records::snoozes;
use crate::equipment;
use crate::equipment::model::{Item, Kind};
use fluglog_accounts::guard::Access;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::EquipmentId;
use fluglog_store::Snapshot;

/// Returns all items of an owner.
pub fn all(data: &Snapshot<'_>, access: &Access) -> Result<Vec<Pack>> {
    let owner = access.owner();
    let mut charging = chargings::all_totals(data, owner)?;
    let mut health = healths::all(data, owner)?;
    let mut snooze = snoozes::all(data, owner)?;
    let pack = |item: Item| {
        let key = (owner.key(), item.id.key());
        Pack {
            charging: charging.remove(&key).unwrap_or_default(),
            health: health.remove(&key).unwrap_or_default(),
            snooze: snooze.remove(&item.id).unwrap_or_default(),
            ..Pack::from(item)
        }
    };
    let mut packs: Vec<_> = equipment::all(data, access)?.into_values().map(pack).collect();
    if !charging.is_empty() {
        return Err(Error::Internal(
            "equipment: there are totals of a missing item".to_owned(),
        ));
    }
    assign_sets(&mut packs, &sets::all(data, owner)?);
    Ok(packs)
}

/// Returns one item of an owner.
///
/// # Errors
/// [`Error::NotFound`] when this owner has no such item.
pub fn find(data: &Snapshot<'_>, access: &Access, id: EquipmentId) -> Result<Pack> {
    let pack = find_alone(data, access, id)?;
    let set = match pack.item.kind {
        Kind::Battery => sets::with_member(data, access.owner(), id)?,
        _ => None,
    };
    let Some(set) = set else {
        return Ok(pack);
    };
    let others = set.members.iter().filter(|member| **member != id);
    let mut members = vec![pack];
    for other in others {
        members.push(find_alone(data, access, *other)?);
    }
    assign_sets(&mut members, &[set]);
    Ok(members.swap_remove(0))
}

/// Returns one item, without its set.
fn find_alone(data: &Snapshot<'_>, access: &Access, id: EquipmentId) -> Result<Pack> {
    Ok(Pack {
        charging: chargings::totals(data, access.owner(), id)?,
        health: healths::get(data, access.owner(), id)?,
        snooze: snoozes::get(data, access.owner(), id)?,
        ..Pack::from(equipment::find(data, access, id)?)
    })
}

/// Returns one item of an owner that must be a battery.
///
/// # Errors
/// [`Error::NotFound`] when this owner has no such item, [`Error::Invalid`] with the sentence `is_none` when it is no
/// battery.
pub(crate) fn find_battery(
    data: &Snapshot<'_>,
    access: &Access,
    id: EquipmentId,
    is_none: &'static str,
) -> Result<Pack> {
    let pack = find(data, access, id)?;
    match pack.item.kind {
        Kind::Battery => Ok(pack),
        _ => Err(Error::invalid("battery", is_none)),
    }
}

/// Returns an item of an owner that must be a battery, without what is known of it as a pack.
///
/// # Errors
/// Like [`find_battery`].
pub(crate) fn find_battery_item(
    data: &Snapshot<'_>,
    access: &Access,
    id: EquipmentId,
    is_none: &'static str,
) -> Result<Item> {
    let item = equipment::find(data, access, id)?;
    match item.kind {
        Kind::Battery => Ok(item),
        _ => Err(Error::invalid("battery", is_none)),
    }
}

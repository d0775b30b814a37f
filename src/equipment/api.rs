//! Equipment calls: HTTP in and out, no rules.

use warp::http::StatusCode;

use super::charging;
use super::charging::model::{Charging, ChargingChanges, ChargingEntries, Chargings};
use super::model::{AllEquipments, DetailChanges, Details, Equipment, Item, Kind};
use crate::accounts::guard::Viewer;
use crate::accounts::operation::Operation;
use crate::app::App;
use crate::base::error::{Error, Result};
use crate::base::id::{ChargingId, EquipmentId};
use crate::base::input::{Fields, TEXT_MOST_CHARACTERS};
use crate::base::text;
use crate::operations::Object;
use crate::web::Request;
use crate::web::reply::Reply;

/// `GetEquipment`: dpfId → the item.
pub fn get_equipment(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    answer(super::get(app, viewer, id(&request.fields)?)?)
}

/// `GetEquipments`: type, deactivated → the items of a kind, active or retired.
pub fn get_equipments(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let kind = Kind::read(&request.fields)?;
    let retired = request.fields.truth("deactivated")?;
    let items = super::list(app, viewer, retired)?;
    Reply::json(StatusCode::OK, &of_kind(&items, kind))
}

/// `GetAllEquipments` → the active items of every kind.
pub fn get_all_equipments(app: &App, viewer: &Viewer, _request: &Request) -> Result<Reply> {
    let active = super::list(app, viewer, false)?;
    let all = AllEquipments {
        copters: of_kind(&active, Kind::Copter),
        batteries: of_kind(&active, Kind::Battery),
        goggles: of_kind(&active, Kind::Goggles),
        sender: of_kind(&active, Kind::Transmitter),
        video_cams: of_kind(&active, Kind::VideoCamera),
    };
    Reply::json(StatusCode::OK, &all)
}

/// `SaveNewEquipment`: equipment → the item.
pub fn save_new_equipment(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let form = request.fields.object("equipment")?;
    let kind = Kind::read(&form)?;
    answer(super::add(app, operation, kind, Details::read(kind, &form)?)?)
}

/// `SaveEditEquipment`: equipment with its dpfId, of which stays what isn't sent → the item.
pub fn save_edit_equipment(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let form = request.fields.object("equipment")?;
    let id = id(&form)?;
    // The kind of an item never changes.
    let kind = super::get(app, &operation.viewer(), id)?.kind;
    answer(super::edit(app, operation, id, DetailChanges::read(kind, &form)?)?)
}

/// `DeactivateEquipment`: dpfId, info → the item.
pub fn deactivate_equipment(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let id = id(&request.fields)?;
    let reason = request.fields.line("info", TEXT_MOST_CHARACTERS)?;
    if reason.is_empty() {
        return Err(Error::invalid("info", text::EQUIPMENT_REASON_MISSING));
    }
    answer(super::retire(app, operation, id, reason)?)
}

/// `ActivateEquipment`: dpfId → the item.
pub fn activate_equipment(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    answer(super::reactivate(app, operation, id(&request.fields)?)?)
}

/// An item as it is now, after the calls that change one.
pub fn item_now(app: &App, viewer: &Viewer, object: Object) -> Result<Reply> {
    answer(super::get(app, viewer, EquipmentId::from_key(object.0))?)
}

/// `SaveCharging`: battery, times, voltages, charged; dpfId when one is edited, of which stays what isn't sent → the charging.
pub fn save_charging(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let fields = &request.fields;
    let battery = battery(fields)?;
    let edited = fields
        .exact("dpfId")?
        .map(|id| ChargingId::parse(id).ok_or(Error::NotYours))
        .transpose()?;
    let charging = match edited {
        Some(id) => charging::edit(app, operation, battery, id, ChargingChanges::read(fields)?)?,
        None => charging::add(app, operation, battery, ChargingEntries::read(fields)?)?,
    };
    Reply::json(StatusCode::OK, &Charging::new(battery, charging))
}

/// A charging as it is now, after `SaveCharging`.
pub fn charging_now(app: &App, viewer: &Viewer, object: Object) -> Result<Reply> {
    let (battery, id) = (EquipmentId::from_key(object.0), ChargingId::from_key(object.1));
    let charging = charging::get(app, viewer, battery, id)?;
    Reply::json(StatusCode::OK, &Charging::new(battery, charging))
}

/// `GetChargings`: battery → its name and its chargings.
pub fn get_chargings(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let battery = battery(&request.fields)?;
    let (equipment_name, chargings) = charging::history(app, viewer, battery)?;
    let history = Chargings {
        equipment_name,
        chargings: chargings
            .into_iter()
            .map(|charging| Charging::new(battery, charging))
            .collect(),
    };
    Reply::json(StatusCode::OK, &history)
}

fn battery(fields: &Fields) -> Result<EquipmentId> {
    EquipmentId::parse(fields.required("battery")?).ok_or(Error::NotYours)
}

fn of_kind(items: &[Item], kind: Kind) -> Vec<Equipment> {
    let items = items.iter().filter(|item| item.kind == kind);
    items.cloned().map(Equipment::from).collect()
}

fn id(fields: &Fields) -> Result<EquipmentId> {
    EquipmentId::parse(fields.required("dpfId")?).ok_or(Error::NotYours)
}

fn answer(item: Item) -> Result<Reply> {
    Reply::json(StatusCode::OK, &Equipment::from(item))
}

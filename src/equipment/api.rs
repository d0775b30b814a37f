//! Equipment calls: HTTP in and out, no rules.

use warp::http::StatusCode;

use super::charging;
use super::charging::model::{Charging, ChargingEntries, Chargings};
use super::model::{AllEquipments, Details, Equipment, Item, Kind};
use crate::accounts::guard::Viewer;
use crate::app::App;
use crate::base::error::{Error, Result};
use crate::base::id::{ChargingId, EquipmentId};
use crate::base::input::{Fields, TEXT_MOST_CHARACTERS};
use crate::base::text;
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
    Reply::json(StatusCode::OK, &listed(app, viewer, kind, retired)?)
}

/// `GetAllEquipments` → the active items of every kind.
pub fn get_all_equipments(app: &App, viewer: &Viewer, _request: &Request) -> Result<Reply> {
    let active = |kind| listed(app, viewer, kind, false);
    let all = AllEquipments {
        copters: active(Kind::Copter)?,
        batteries: active(Kind::Battery)?,
        goggles: active(Kind::Goggles)?,
        sender: active(Kind::Transmitter)?,
        video_cams: active(Kind::VideoCamera)?,
    };
    Reply::json(StatusCode::OK, &all)
}

/// `SaveNewEquipment`: equipment → the item.
pub fn save_new_equipment(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let form = request.fields.object("equipment")?;
    let kind = Kind::read(&form)?;
    answer(super::add(app, viewer, kind, Details::read(kind, &form)?)?)
}

/// `SaveEditEquipment`: equipment with its dpfId, of which stays what isn't sent → the item.
pub fn save_edit_equipment(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let form = request.fields.object("equipment")?;
    let id = id(&form)?;
    answer(super::edit(app, viewer, id, move |kind, details| {
        details.apply(kind, &form)
    })?)
}

/// `DeactivateEquipment`: dpfId, info → the item.
pub fn deactivate_equipment(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let id = id(&request.fields)?;
    let reason = request.fields.line("info", TEXT_MOST_CHARACTERS)?;
    if reason.is_empty() {
        return Err(Error::invalid("info", text::EQUIPMENT_REASON_MISSING));
    }
    answer(super::retire(app, viewer, id, reason)?)
}

/// `ActivateEquipment`: dpfId → the item.
pub fn activate_equipment(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    answer(super::reactivate(app, viewer, id(&request.fields)?)?)
}

/// `SaveCharging`: battery, times, voltages, charged; dpfId when one is edited, of which stays what isn't sent → the charging.
pub fn save_charging(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let fields = &request.fields;
    let battery = battery(fields)?;
    let edited = fields
        .exact("dpfId")?
        .map(|id| ChargingId::parse(id).ok_or(Error::NotYours))
        .transpose()?;
    let charging = match edited {
        Some(id) => {
            let fields = fields.clone();
            charging::edit(app, viewer, battery, id, move |stored| {
                ChargingEntries::read(&fields, Some(stored))
            })?
        }
        None => charging::add(app, viewer, battery, ChargingEntries::read(fields, None)?)?,
    };
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

fn listed(app: &App, viewer: &Viewer, kind: Kind, retired: bool) -> Result<Vec<Equipment>> {
    let items = super::list(app, viewer, kind, retired)?;
    Ok(items.into_iter().map(Equipment::from).collect())
}

fn id(fields: &Fields) -> Result<EquipmentId> {
    EquipmentId::parse(fields.required("dpfId")?).ok_or(Error::NotYours)
}

fn answer(item: Item) -> Result<Reply> {
    Reply::json(StatusCode::OK, &Equipment::from(item))
}

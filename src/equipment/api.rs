//! Equipment calls: HTTP in and out, no rules. `calls.rs` says what each takes and answers.

use warp::http::StatusCode;

use super::charging;
use super::charging::model::{Charging, ChargingChanges, ChargingEntries, Chargings, ENTRIES};
use super::model::{AllEquipments, DETAILS, DetailChanges, Details, Equipment, Item, Kind, TYPE};
use crate::accounts::guard::Viewer;
use crate::accounts::operation::Operation;
use crate::app::App;
use crate::base::declared::{Declared, joined};
use crate::base::error::Result;
use crate::base::field::{Field, Required, TEXT_MOST_CHARACTERS};
use crate::base::id::{ChargingId, EquipmentId};
use crate::base::input::Fields;
use crate::base::text;
use crate::operations::model::Object;
use crate::web::Request;
use crate::web::reply::Reply;

const ID: Required<EquipmentId> = Field::id("dpfId").required(text::FIELD_MISSING);
const RETIRED: Field<bool> = Field::boolean("deactivated");
const NEW_ITEM: Required<Fields> =
    Field::object("equipment", joined!(&[TYPE.declared()], DETAILS)).required(text::FIELD_MISSING);
const EDITED_ITEM: Required<Fields> =
    Field::object("equipment", joined!(&[ID.declared()], DETAILS)).required(text::FIELD_MISSING);
const REASON: Required<String> = Field::line("info", TEXT_MOST_CHARACTERS).required(text::EQUIPMENT_REASON_MISSING);
const BATTERY: Required<EquipmentId> = Field::id("battery").required(text::FIELD_MISSING);
const CHARGING: Field<ChargingId> = Field::id("dpfId");

/// The fields of a call about one item.
pub const ONE: &[Declared] = &[ID.declared()];
/// The fields of `GetEquipments`.
pub const LIST: &[Declared] = &[TYPE.declared(), RETIRED.declared()];
/// The fields of `SaveNewEquipment`.
pub const NEW: &[Declared] = &[NEW_ITEM.declared()];
/// The fields of `SaveEditEquipment`.
pub const EDIT: &[Declared] = &[EDITED_ITEM.declared()];
/// The fields of `DeactivateEquipment`.
pub const DEACTIVATE: &[Declared] = &[ID.declared(), REASON.declared()];
/// The fields of `SaveCharging`.
pub const SAVE_CHARGING: &[Declared] = joined!(&[BATTERY.declared(), CHARGING.declared()], ENTRIES);
/// The fields of `GetChargings`.
pub const CHARGINGS: &[Declared] = &[BATTERY.declared()];

/// `GetEquipment`.
pub fn get_equipment(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    answer(super::get(app, viewer, ID.read(&request.fields)?)?)
}

/// `GetEquipments`.
pub fn get_equipments(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let kind = TYPE.read(&request.fields)?;
    let retired = RETIRED.read(&request.fields)?.unwrap_or_default();
    let items = super::list(app, viewer, retired)?;
    Reply::json(StatusCode::OK, &of_kind(&items, kind))
}

/// `GetAllEquipments`.
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

/// `SaveNewEquipment`.
pub fn save_new_equipment(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let form = NEW_ITEM.read(&request.fields)?;
    let kind = TYPE.read(&form)?;
    answer(super::add(app, operation, kind, Details::read(kind, &form)?)?)
}

/// `SaveEditEquipment`.
pub fn save_edit_equipment(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let form = EDITED_ITEM.read(&request.fields)?;
    let id = ID.read(&form)?;
    // The kind of an item never changes.
    let kind = super::get(app, &operation.viewer(), id)?.kind;
    answer(super::edit(app, operation, id, DetailChanges::read(kind, &form)?)?)
}

/// `DeactivateEquipment`.
pub fn deactivate_equipment(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let id = ID.read(&request.fields)?;
    let reason = REASON.read(&request.fields)?;
    answer(super::retire(app, operation, id, reason)?)
}

/// `ActivateEquipment`.
pub fn activate_equipment(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    answer(super::reactivate(app, operation, ID.read(&request.fields)?)?)
}

/// An item as it is now, after the calls that change one.
pub fn item_now(app: &App, viewer: &Viewer, object: Object) -> Result<Reply> {
    answer(super::get(app, viewer, EquipmentId::from_key(object.0))?)
}

/// `SaveCharging`.
pub fn save_charging(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let fields = &request.fields;
    let battery = BATTERY.read(fields)?;
    let charging = match CHARGING.read(fields)? {
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

/// `GetChargings`.
pub fn get_chargings(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let battery = BATTERY.read(&request.fields)?;
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

fn of_kind(items: &[Item], kind: Kind) -> Vec<Equipment> {
    let items = items.iter().filter(|item| item.kind == kind);
    items.cloned().map(Equipment::from).collect()
}

fn answer(item: Item) -> Result<Reply> {
    Reply::json(StatusCode::OK, &Equipment::from(item))
}

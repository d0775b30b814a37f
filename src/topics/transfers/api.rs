//! Calls about shared items as a whole: HTTP in and out, no rules. `CALLS` says what each takes and
//! answers.

use warp::http::StatusCode;

use crate::{equipment, packs};
use fluglog_accounts::call::{Answer, Call, Handler};
use fluglog_accounts::guard::{Access, Viewer, access_to};
use fluglog_accounts::operation::Operation;
use fluglog_app::App;
use fluglog_base::declared::Declared;
use fluglog_base::error::Result;
use fluglog_base::field::{Field, Required};
use fluglog_base::id::{ChargingId, EquipmentId, SpaceId};
use fluglog_base::input::Fields;
use fluglog_base::page::{LIMIT, Page};
use fluglog_base::text;
use fluglog_store::Snapshot;
use fluglog_store::operations::model::Object;
use fluglog_web::Request;
use fluglog_web::reply::Reply;

/// The calls of this topic.
#[rustfmt::skip]
pub const CALLS: &[Call] = &[
    Call::post("GetMovePreview", "What moves with an item.",
        Handler::Pilot(get_move_preview), ONE, &[Answer::json(200, "MovePreview")], &[]),
    Call::post("MoveEquipment",
        "Moves an item with its history to `space`, or without it to the pilot. The batteries of a set move together.",
        Handler::Change(move_equipment, item_now), MOVE, &[Answer::json(200, "Equipment")], &[409]).adds_nothing().writing_to(new_owner),
    Call::post("FreeEquipment",
        "Frees an item from the flight that is open with it, if there is one. The flight stays as it is, and open.",
        Handler::Change(free_equipment, item_now), ONE, &[Answer::json(200, "Equipment")], &[]).adds_nothing().writing_to(owner_of_item),
    Call::post("GetSharedUses",
        "The flights with an item, the newest first: when, how long and by whom, as each pilot lets the space know. \
         Another pilot's flight isn't named.",
        Handler::Pilot(get_shared_uses), USES, &[Answer::list(200, "SharedUse")], &[]).gzipped(),
];

const ID: Required<EquipmentId> = Field::id("dpfId").required(text::FIELD_MISSING);
const SPACE: Field<SpaceId> = Field::id("space");
const BEFORE: Field<ChargingId> = Field::id("before");

const ONE: &[Declared] = &[ID.declared()];
/// Fields of `MoveEquipment`.
const MOVE: &[Declared] = &[ID.declared(), SPACE.declared()];
/// Fields of `GetSharedUses`.
const USES: &[Declared] = &[ID.declared(), LIMIT.declared(), BEFORE.declared()];

fn owner_of_item(data: &Snapshot<'_>, viewer: &Viewer, fields: &Fields) -> Result<Vec<Access>> {
    Ok(vec![equipment::access_to(data, viewer, ID.read(fields)?)?])
}

fn new_owner(data: &Snapshot<'_>, viewer: &Viewer, fields: &Fields) -> Result<Vec<Access>> {
    Ok(vec![super::access_to_target(data, viewer, SPACE.read(fields)?)?])
}

fn get_move_preview(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::preview(app, viewer, ID.read(&request.fields)?)?)
}

fn move_equipment(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let item = ID.read(&request.fields)?;
    let access = super::move_item(app, operation, item, SPACE.read(&request.fields)?)?;
    packs::api::answer(app, &access, item)
}

fn free_equipment(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let item = ID.read(&request.fields)?;
    packs::api::answer(app, &super::free_item(app, operation, item)?, item)
}

/// Answers with an item as it is now, after a call that changed it.
fn item_now(app: &App, viewer: &Viewer, object: Object) -> Result<Reply> {
    packs::api::answer(app, &access_to(app, viewer, &object)?, EquipmentId::from_key(object.id))
}

fn get_shared_uses(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let page = Page::read(&request.fields, &BEFORE)?;
    Reply::json(
        StatusCode::OK,
        &super::uses(app, viewer, ID.read(&request.fields)?, page)?,
    )
}

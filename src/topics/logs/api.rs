//! HTTP handlers of the calls about logs of equipment, without rules; those of flights are in `flights`. `calls.rs`
//! declares what each call takes and answers.

use warp::http::StatusCode;

use super::model::{BEFORE, INFO, LogEntries, NEW_LOG, Subject, TIME};
use super::{DocumentChange, NewLog};
use crate::equipment;
use fluglog_accounts::call::{self, Answer, Call, Handler};
use fluglog_accounts::guard::{Access, Viewer, access_to};
use fluglog_accounts::operation::Operation;
use fluglog_app::App;
use fluglog_base::declared::Declared;
use fluglog_base::error::{Error, Result};
use fluglog_base::field::{Field, Required};
use fluglog_base::id::{EquipmentId, LogId};
use fluglog_base::input::Fields;
use fluglog_base::page::{LIMIT, Page};
use fluglog_base::text;
use fluglog_store::Snapshot;
use fluglog_store::operations::model::Object;
use fluglog_web::Request;
use fluglog_web::listing::LazyList;
use fluglog_web::multipart::Upload;
use fluglog_web::reply::Reply;

/// The calls of this topic.
#[rustfmt::skip]
pub const CALLS: &[Call] = &[
    Call::post("SaveEquipmentLog", "Adds a log to an item.",
        Handler::Upload(save_equipment_log, crate::documents::api::OPTIONAL_FILE, log_now), SAVE,
        &[Answer::json(201, "Log")], &[]).writing_to(owner_of_item),
    Call::post("GetEquipmentLogs", "The logs of an item, the newest first.",
        Handler::Pilot(get_equipment_logs), OF_ITEM, &[Answer::json(200, "EquipmentLogs")], &[]).gzipped(),
    Call::post("EditLog", "Changes a log of an item or a flight.",
        Handler::Upload(edit_log, crate::documents::api::OPTIONAL_FILE, log_now), EDIT,
        &[Answer::json(200, "Log")], &[]).adds_nothing().writing_to(owner_of_log),
    Call::post("DeleteLog", "Deletes a log with its document.",
        Handler::Change(delete_log, call::nothing), ONE, &[Answer::empty(200)], &[]).adds_nothing().writing_to(owner_of_log),
];

const ITEM: Required<EquipmentId> = Field::id("dpfId").required(text::FIELD_MISSING);
const LOG: Required<LogId> = Field::id("dpfId").required(text::FIELD_MISSING);
const REMOVE_DOCUMENT: Field<bool> = Field::boolean("removeDocument");

/// Fields of calls about the logs of one item of equipment.
const OF_ITEM: &[Declared] = &[ITEM.declared(), LIMIT.declared(), BEFORE.declared()];
/// Fields of calls about one log.
const ONE: &[Declared] = &[LOG.declared()];
/// Fields of `SaveEquipmentLog`.
const SAVE: &[Declared] = &[ITEM.declared(), NEW_LOG.declared(), INFO.declared(), TIME.declared()];
/// Fields of `EditLog`.
const EDIT: &[Declared] = &[
    LOG.declared(),
    INFO.declared(),
    TIME.declared(),
    REMOVE_DOCUMENT.declared(),
];

fn owner_of_item(data: &Snapshot<'_>, viewer: &Viewer, fields: &Fields) -> Result<Vec<Access>> {
    Ok(vec![equipment::access_to(data, viewer, ITEM.read(fields)?)?])
}

fn owner_of_log(data: &Snapshot<'_>, viewer: &Viewer, fields: &Fields) -> Result<Vec<Access>> {
    Ok(vec![super::access_to(data, viewer, LOG.read(fields)?)?])
}

fn save_equipment_log(app: &App, operation: Operation, request: &Request, uploads: Vec<Upload>) -> Result<Reply> {
    let item = ITEM.read(&request.fields)?;
    let access = access_or_own(app, &operation.viewer(), item)?;
    let log = match super::read_new(app, &access, Subject::Equipment(item), &request.fields)? {
        NewLog::Existing(log) => log,
        NewLog::New(id, entries) => super::add_to_item(app, operation, item, id, entries, uploads.into_iter().next())?,
    };
    Reply::json(StatusCode::CREATED, &log)
}

fn get_equipment_logs(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let id = ITEM.read(&request.fields)?;
    let access = access_or_own(app, viewer, id)?;
    let (empty, ids) = super::of_item(app, &access, id, Page::read(&request.fields, &BEFORE)?)?;
    let (clock, mut logs) = (app.clock.clone(), LazyList::of(&app.store, ids));
    Reply::json_list(&empty, move |most| {
        logs.next(most, |data, ids| super::load(data, &access, &clock, ids))
    })
}

/// Returns the access to an item. An unknown one is looked for among the pilot's own, once the form has been read.
fn access_or_own(app: &App, viewer: &Viewer, item: EquipmentId) -> Result<Access> {
    match app.store.read(|data| equipment::access_to(data, viewer, item)) {
        Err(Error::NotFound) => Ok(Access::own(viewer)),
        access => access,
    }
}

fn edit_log(app: &App, operation: Operation, request: &Request, uploads: Vec<Upload>) -> Result<Reply> {
    let id = LOG.read(&request.fields)?;
    let entries = LogEntries::read(&request.fields)?;
    let removes = REMOVE_DOCUMENT.read(&request.fields)?.unwrap_or_default();
    let change = match uploads.into_iter().next() {
        Some(file) => DocumentChange::Replace(file),
        None if removes => DocumentChange::Remove,
        None => DocumentChange::Keep,
    };
    Reply::json(StatusCode::OK, &super::edit(app, operation, id, entries, change)?)
}

/// The log after a call that saves one.
pub(crate) fn log_now(app: &App, viewer: &Viewer, object: Object) -> Result<Reply> {
    Reply::json(
        StatusCode::OK,
        &super::get(app, &access_to(app, viewer, &object)?, LogId::from_key(object.id))?,
    )
}

fn delete_log(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    super::delete(app, operation, LOG.read(&request.fields)?)?;
    Ok(Reply::empty(StatusCode::OK))
}

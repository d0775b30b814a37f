//! Import calls: HTTP in and out, no rules. `calls.rs` says what each takes and answers.

use warp::http::StatusCode;

pub use super::FILES;
use super::model::{CHOICES, FILE, MAPPING, SHIFTS, mapping_of, shifts_of};
use fluglog_accounts::guard::Viewer;
use fluglog_accounts::operation::Operation;
use fluglog_app::App;
use fluglog_base::declared::Declared;
use fluglog_base::error::Result;
use fluglog_base::field::{Field, Required};
use fluglog_base::id::{FlightId, ImportId};
use fluglog_base::text;
use fluglog_store::operations::model::Object;
use fluglog_web::Request;
use fluglog_web::multipart::Upload;
use fluglog_web::reply::Reply;

const ID: Required<ImportId> = Field::id("dpfId").required(text::FIELD_MISSING);

const FLIGHT: Required<FlightId> = Field::id("dpfId").required(text::FIELD_MISSING);

pub const PROFILE: &[Declared] = &[FLIGHT.declared()];
/// Fields of a call about one import.
pub const ONE: &[Declared] = &[ID.declared()];
pub const GET: &[Declared] = &[ID.declared(), SHIFTS.declared()];
pub const MAP: &[Declared] = &[ID.declared(), FILE.declared(), MAPPING.declared()];
pub const ACCEPT: &[Declared] = &[ID.declared(), CHOICES.declared()];

pub fn upload_import(app: &App, operation: Operation, _request: &Request, uploads: Vec<Upload>) -> Result<Reply> {
    if uploads.is_empty() {
        return Err(FILES.missing_error());
    }
    Reply::json(StatusCode::CREATED, &super::upload(app, operation, uploads)?)
}

/// Answers with the current state of an import, after `UploadImport` and `MapImportColumns`.
pub fn import_now(app: &App, viewer: &Viewer, object: Object) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::get(app, viewer, ImportId::from_key(object.id))?)
}

pub fn get_imports(app: &App, viewer: &Viewer, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::list(app, viewer)?)
}

pub fn get_import(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let id = ID.read(&request.fields)?;
    let shifts = shifts_of(SHIFTS.read(&request.fields)?.as_deref())?;
    Reply::json(StatusCode::OK, &super::get_shifted(app, viewer, id, shifts)?)
}

pub fn map_import_columns(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let id = ID.read(&request.fields)?;
    let file = FILE.read(&request.fields)?;
    let mapping = mapping_of(&MAPPING.read(&request.fields)?)?;
    Reply::json(StatusCode::OK, &super::map_columns(app, operation, id, file, &mapping)?)
}

pub fn accept_import(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let id = ID.read(&request.fields)?;
    let choices = CHOICES.read(&request.fields)?;
    Reply::json(StatusCode::OK, &super::accept(app, operation, id, &choices)?)
}

/// Answers with the outcome of an import, after `AcceptImport`.
pub fn accepted_now(app: &App, viewer: &Viewer, object: Object) -> Result<Reply> {
    let accepted = super::outcome(app, viewer, ImportId::from_key(object.id))?;
    Reply::json(StatusCode::OK, &accepted)
}

pub fn discard_import(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    super::discard(app, operation, ID.read(&request.fields)?)?;
    Ok(Reply::empty(StatusCode::OK))
}

pub fn get_flight_profile(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let profile = super::profile(app, viewer, FLIGHT.read(&request.fields)?)?;
    Reply::json(StatusCode::OK, &profile)
}

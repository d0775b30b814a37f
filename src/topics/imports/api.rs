//! Import calls: HTTP in and out, no rules. `CALLS` says what each takes and answers.

use warp::http::StatusCode;

pub use super::FILES;
use super::model::{CHOICES, FILE, MAPPING, SHIFTS, mapping_of, shifts_of};
use fluglog_accounts::call::{self, Answer, Call, Handler};
use fluglog_accounts::guard::Viewer;
use fluglog_accounts::operation::Operation;
use fluglog_app::App;
use fluglog_base::declared::Declared;
use fluglog_base::error::Result;
use fluglog_base::field::{Field, Required};
use fluglog_base::id::{FlightId, ImportId};
use fluglog_base::limits::permits::Kind;
use fluglog_base::text;
use fluglog_store::operations::model::Object;
use fluglog_web::Request;
use fluglog_web::multipart::Upload;
use fluglog_web::reply::Reply;

/// The calls of this topic.
#[rustfmt::skip]
pub const CALLS: &[Call] = &[
    Call::post("GetFlightProfile",
        "Height, speed, voltage, current and position over the time of a flight, from its file: at most 1,000 rows, \
         with every extreme.",
        Handler::Evaluation(get_flight_profile), PROFILE, &[Answer::json(200, "FlightProfile")], &[])
        .gzipped().waits_for(&[Kind::Evaluation]),
    Call::post("UploadImport",
        "Looks through logs of radios, drones and apps, and proposes the flights in them. `dpfId` is null when there \
         is none.",
        Handler::Upload(upload_import, FILES, import_now), &[], &[Answer::json(201, "Import")], &[409])
        .waits_for(&[Kind::Evaluation]),
    Call::post("GetImports", "The imports that wait to be accepted, the newest first.",
        Handler::Pilot(get_imports), &[], &[Answer::list(200, "ImportRow")], &[]).gzipped(),
    Call::post("GetImport",
        "One import that waits to be accepted. `shifts`, a JSON object, moves the times of files by minutes for this \
         look.",
        Handler::Pilot(get_import), GET, &[Answer::json(200, "Import")], &[409]).gzipped(),
    Call::post("MapImportColumns",
        "Reads a table anew. `mapping` is JSON: what its columns mean, their units, separator, decimal sign, order \
         of dates.",
        Handler::Change(map_import_columns, import_now), MAP, &[Answer::json(200, "Import")], &[409])
        .adds_nothing().waits_for(&[Kind::Evaluation]),
    Call::post("AcceptImport",
        "Takes over what `choices`, a JSON array, says of each proposal: all of it or nothing.",
        Handler::Change(accept_import, accepted_now), ACCEPT, &[Answer::json(200, "Accepted")], &[409])
        .waits_for(&[Kind::Evaluation, Kind::Picture]),
    Call::post("DiscardImport", "Discards an import with its files.",
        Handler::Change(discard_import, call::nothing), ONE, &[Answer::empty(200)], &[]).adds_nothing(),
];

const ID: Required<ImportId> = Field::id("dpfId").required(text::FIELD_MISSING);

const FLIGHT: Required<FlightId> = Field::id("dpfId").required(text::FIELD_MISSING);

const PROFILE: &[Declared] = &[FLIGHT.declared()];
/// Fields of a call about one import.
const ONE: &[Declared] = &[ID.declared()];
const GET: &[Declared] = &[ID.declared(), SHIFTS.declared()];
const MAP: &[Declared] = &[ID.declared(), FILE.declared(), MAPPING.declared()];
const ACCEPT: &[Declared] = &[ID.declared(), CHOICES.declared()];

fn upload_import(app: &App, operation: Operation, _request: &Request, uploads: Vec<Upload>) -> Result<Reply> {
    if uploads.is_empty() {
        return Err(FILES.missing_error());
    }
    Reply::json(StatusCode::CREATED, &super::upload(app, operation, uploads)?)
}

/// Answers with the current state of an import, after `UploadImport` and `MapImportColumns`.
fn import_now(app: &App, viewer: &Viewer, object: Object) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::get(app, viewer, ImportId::from_key(object.id))?)
}

fn get_imports(app: &App, viewer: &Viewer, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::list(app, viewer)?)
}

fn get_import(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let id = ID.read(&request.fields)?;
    let shifts = shifts_of(SHIFTS.read(&request.fields)?.as_deref())?;
    Reply::json(StatusCode::OK, &super::get_shifted(app, viewer, id, shifts)?)
}

fn map_import_columns(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let id = ID.read(&request.fields)?;
    let file = FILE.read(&request.fields)?;
    let mapping = mapping_of(&MAPPING.read(&request.fields)?)?;
    Reply::json(StatusCode::OK, &super::map_columns(app, operation, id, file, &mapping)?)
}

fn accept_import(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let id = ID.read(&request.fields)?;
    let choices = CHOICES.read(&request.fields)?;
    Reply::json(StatusCode::OK, &super::accept(app, operation, id, &choices)?)
}

/// Answers with the outcome of an import, after `AcceptImport`.
fn accepted_now(app: &App, viewer: &Viewer, object: Object) -> Result<Reply> {
    let accepted = super::outcome(app, viewer, ImportId::from_key(object.id))?;
    Reply::json(StatusCode::OK, &accepted)
}

fn discard_import(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    super::discard(app, operation, ID.read(&request.fields)?)?;
    Ok(Reply::empty(StatusCode::OK))
}

fn get_flight_profile(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let profile = super::profile(app, viewer, FLIGHT.read(&request.fields)?)?;
    Reply::json(StatusCode::OK, &profile)
}

//! Flight calls: HTTP in and out, no rules. `calls.rs` says what each takes and answers.

use warp::http::StatusCode;

use super::images::{self, IMAGES_MOST, NewImage};
use super::model::{self, CHANGED, CONFIGURATION, Configuration, EntryChanges, FINISHED, NewEntries, STARTING};
use super::suspect_voltages::model::VoltageAction;
use super::{NewFlight, OF_ITEM, Page};
use crate::logs::model::{INFO, NEW_LOG, Subject, TIME};
use crate::logs::{self, NewLog};
use fluglog_accounts::guard::{Access, Viewer};
use fluglog_accounts::operation::Operation;
use fluglog_app::App;
use fluglog_base::declared::{Declared, joined};
use fluglog_base::error::Result;
use fluglog_base::field::{Field, Required};
use fluglog_base::id::{FlightId, ImageId};
use fluglog_base::input::Fields;
use fluglog_base::page::{self, LIMIT};
use fluglog_base::text;
use fluglog_base::time::WallTime;
use fluglog_picture::format::Format;
use fluglog_store::operations::model::Object;
use fluglog_web::Request;
use fluglog_web::listing::LazyList;
use fluglog_web::multipart::{Files, Upload};
use fluglog_web::reply::Reply;
use fluglog_web::{content::Content, download};

const ID: Required<FlightId> = Field::id("dpfId").required(text::FIELD_MISSING);
const NEW_ID: Field<FlightId> = Field::new_id("dpfId");
const CONFIG: Required<Fields> = Field::object("config", CONFIGURATION).required(text::FIELD_MISSING);
const CHANGED_FLIGHT: Required<Fields> =
    Field::object("flight", joined!(&[ID.declared()], CHANGED)).required(text::FIELD_MISSING);
const FINISHED_FLIGHT: Required<Fields> = Field::object("flight", FINISHED).required(text::FIELD_MISSING);
const STARTING_FLIGHT: Field<Fields> = Field::object("flight", STARTING);
const END_FLIGHT: Field<bool> = Field::boolean("endFlight");
const BEFORE: Field<FlightId> = Field::id("before");
const AFTER: Field<FlightId> = Field::id("after");
const FLIGHT: Required<FlightId> = Field::id("flight").required(text::FIELD_MISSING);
const NEW_IMAGES: Field<Vec<ImageId>> = Field::new_ids("images", IMAGES_MOST, text::TOO_MANY_IMAGES);
const TAKE_BACK: Field<bool> = Field::boolean("takeBack");
const KEEP: Field<FlightId> = Field::id("keep");
const IMAGE: Required<ImageId> = Field::id("uuid").required(text::FIELD_MISSING);

/// Fields of `MendVoltages`.
pub const MEND: &[Declared] = &[TAKE_BACK.declared(), KEEP.declared()];
/// Fields of a call about one flight.
pub const ONE: &[Declared] = &[ID.declared()];
/// Fields of `GetFlightLogs`.
pub const LOGS: &[Declared] = &[ID.declared(), LIMIT.declared(), logs::model::BEFORE.declared()];
pub const CREATE: &[Declared] = &[
    CONFIG.declared(),
    STARTING_FLIGHT.declared(),
    model::START_TIME.declared(),
    NEW_ID.declared(),
];
pub const ADD: &[Declared] = &[CONFIG.declared(), FINISHED_FLIGHT.declared(), NEW_ID.declared()];
pub const SAVE: &[Declared] = &[CHANGED_FLIGHT.declared(), END_FLIGHT.declared()];
/// Fields of `GetFlights`.
pub const LIST: &[Declared] = &[
    LIMIT.declared(),
    BEFORE.declared(),
    AFTER.declared(),
    OF_ITEM.declared(),
];
/// Fields of `SaveFlightLog`.
pub const SAVE_LOG: &[Declared] = &[ID.declared(), NEW_LOG.declared(), INFO.declared(), TIME.declared()];
pub const UPLOAD_IMAGES: &[Declared] = &[FLIGHT.declared(), NEW_IMAGES.declared()];
/// Fields of `DeleteImage`.
pub const ONE_IMAGE_OF_FLIGHT: &[Declared] = &[IMAGE.declared(), FLIGHT.declared()];
/// Fields of a call that shows one image.
pub const ONE_IMAGE: &[Declared] = &[IMAGE.declared()];

pub fn create_flight(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let new = new_flight(&request.fields)?;
    let id = super::create(app, operation, new, read_starting(&request.fields, app.clock.now()))?;
    Ok(Reply::text(StatusCode::OK, id.to_string()))
}

fn read_starting(fields: &Fields, now: WallTime) -> Result<NewEntries> {
    let form = STARTING_FLIGHT.read(fields)?;
    NewEntries::read_open(model::START_TIME.read(fields)?, form.as_ref(), now)
}

/// Answers with the id of a flight if it still exists, after `CreateFlight`.
pub fn id_now(app: &App, viewer: &Viewer, object: Object) -> Result<Reply> {
    let flight = super::get(app, viewer, FlightId::from_key(object.id))?;
    Ok(Reply::text(StatusCode::OK, flight.dpf_id))
}

pub fn add_flight(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let new = new_flight(&request.fields)?;
    let form = FINISHED_FLIGHT.read(&request.fields);
    let entries = form.and_then(|form| NewEntries::read_finished(&form, app.clock.now()));
    let added = super::add(app, operation, new, entries)?;
    let status = if added.is_new {
        StatusCode::CREATED
    } else {
        StatusCode::OK
    };
    Reply::json(status, &added.flight)
}

/// Answers with the current state of a flight, after `AddFlight` and `SaveFlight`.
pub fn flight_now(app: &App, viewer: &Viewer, object: Object) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::get(app, viewer, FlightId::from_key(object.id))?)
}

pub fn get_voltage_doubts(app: &App, viewer: &Viewer, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::voltage_doubts(app, viewer)?)
}

pub fn repair_voltages(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let takes_back = TAKE_BACK.read(&request.fields)?.unwrap_or_default();
    let action = match KEEP.read(&request.fields)? {
        Some(flight) => VoltageAction::Keep(flight),
        None if takes_back => VoltageAction::Undo,
        None => VoltageAction::Repair,
    };
    Reply::json(StatusCode::OK, &super::repair_voltages(app, operation, action)?)
}

/// Answers with the remaining suspect voltages, after `MendVoltages`.
pub fn voltage_doubts_now(app: &App, viewer: &Viewer, _object: Object) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::voltage_doubts(app, viewer)?)
}

fn new_flight(fields: &Fields) -> Result<NewFlight> {
    Ok(NewFlight {
        id: NEW_ID.read(fields)?.unwrap_or_else(FlightId::fresh),
        configuration: Configuration::read(&CONFIG.read(fields)?)?,
    })
}

pub fn get_flight(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::get(app, viewer, ID.read(&request.fields)?)?)
}

pub fn get_flights(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let fields = &request.fields;
    let (before, after) = (BEFORE.read(fields)?, AFTER.read(fields)?);
    let (limit, item) = (LIMIT.read(fields)?, OF_ITEM.read(fields)?);
    let ids = super::ids(
        app,
        viewer,
        item,
        &Page {
            before,
            after,
            most: limit,
        },
    )?;
    if ids.is_empty() {
        return Ok(Reply::empty(StatusCode::NO_CONTENT));
    }
    let (viewer, mut flights) = (*viewer, LazyList::of(&app.store, ids));
    Reply::json_list(&[(); 0], move |most| {
        flights.next(most, |data, ids| super::rows(data, &viewer, ids))
    })
}

pub fn save_flight(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let form = CHANGED_FLIGHT.read(&request.fields)?;
    let finish = END_FLIGHT.read(&request.fields)?.unwrap_or_default();
    let flight = super::save(app, operation, ID.read(&form)?, EntryChanges::read(&form)?, finish)?;
    Reply::json(StatusCode::OK, &flight)
}

pub fn get_flight_track(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let track = super::origin::get(app, viewer, ID.read(&request.fields)?)?;
    Reply::json(StatusCode::OK, &track)
}

pub fn delete_flight(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    super::delete(app, operation, ID.read(&request.fields)?)?;
    Ok(Reply::empty(StatusCode::OK))
}

pub fn save_flight_log(app: &App, operation: Operation, request: &Request, uploads: Vec<Upload>) -> Result<Reply> {
    let flight = ID.read(&request.fields)?;
    let log = match logs::read_new(app, &operation.access(), Subject::Flight(flight), &request.fields)? {
        NewLog::Existing(log) => log,
        NewLog::New(id, entries) => super::add_log(app, operation, flight, id, entries, uploads.into_iter().next())?,
    };
    Reply::json(StatusCode::CREATED, &log)
}

pub fn get_flight_logs(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let part = page::Page::read(&request.fields, &logs::model::BEFORE)?;
    let (empty, ids) = super::flight_logs(app, viewer, ID.read(&request.fields)?, part)?;
    let (access, clock) = (Access::own(viewer), app.clock.clone());
    let mut found = LazyList::of(&app.store, ids);
    Reply::json_list(&empty, move |most| {
        found.next(most, |data, ids| logs::load(data, &access, &clock, ids))
    })
}

/// Limits of the files of `UploadImageForFlight`.
pub const IMAGES: Files = Files {
    field: images::FIELD,
    missing: Some(text::IMAGES_MISSING),
    most: images::IMAGES_MOST,
    too_many: text::TOO_MANY_IMAGES,
    most_bytes: images::UPLOAD_MOST_BYTES,
    too_large: text::IMAGES_TOO_LARGE,
};

pub fn upload_image_for_flight(
    app: &App,
    operation: Operation,
    request: &Request,
    uploads: Vec<Upload>,
) -> Result<Reply> {
    let flight = FLIGHT.read(&request.fields)?;
    if uploads.is_empty() {
        return Err(IMAGES.missing_error());
    }
    let ids = NEW_IMAGES.read(&request.fields)?;
    let ids = ids.unwrap_or_else(|| uploads.iter().map(|_| ImageId::fresh()).collect());
    if ids.len() != uploads.len() {
        return Err(NEW_IMAGES.invalid(text::INVALID_INPUT));
    }
    let files = ids.into_iter().zip(uploads);
    let files: Vec<_> = files
        .map(|(id, Upload { name, content })| NewImage { id, name, content })
        .collect();
    let images = images::add(app, operation, flight, &files)?;
    Reply::json(StatusCode::CREATED, &images)
}

pub fn delete_image(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let flight = FLIGHT.read(&request.fields)?;
    let images = images::delete(app, operation, flight, IMAGE.read(&request.fields)?)?;
    Reply::json(StatusCode::OK, &images)
}

/// Answers with the current ids of a flight's images, after `UploadImageForFlight` and `DeleteImage`.
pub fn images_now(app: &App, viewer: &Viewer, object: Object) -> Result<Reply> {
    let images = images::of_flight(app, viewer, FlightId::from_key(object.id))?;
    Reply::json(StatusCode::OK, &images)
}

pub fn get_image(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let image = images::get(app, viewer, IMAGE.read(&request.fields)?)?;
    let content = Content::verified(app.blobs.read_verified(&image.blob)?);
    Ok(download::picture(content, image.format.media_type()))
}

pub fn get_image_preview(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let image = images::get(app, viewer, IMAGE.read(&request.fields)?)?;
    let content = Content::verified(app.blobs.read_verified(&image.preview)?);
    Ok(download::picture(content, Format::Jpeg.media_type()))
}

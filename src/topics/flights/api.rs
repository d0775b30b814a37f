//! Flight calls: HTTP in and out, no rules. `CALLS` says what each takes and answers.

use warp::http::StatusCode;

use super::images::{self, MAX_IMAGES, NewImage};
use super::model::{
    CHANGED, CONFIGURATION, Configuration, ENDED, EntryChanges, FINISHED, INSTANTS, Instants, NewEntries, STARTED,
    STARTING,
};
use super::suspect_voltages::model::VoltageAction;
use super::{NewFlight, OF_ITEM, Page};
use crate::logs::model::{INFO, NEW_LOG, Subject, TIME};
use crate::logs::{self, NewLog};
use fluglog_accounts::call::{self, Answer, Call, Handler};
use fluglog_accounts::guard::{Access, Viewer};
use fluglog_accounts::operation::Operation;
use fluglog_app::App;
use fluglog_base::declared::{Declared, joined};
use fluglog_base::error::Result;
use fluglog_base::field::{Field, Required};
use fluglog_base::id::{FlightId, ImageId};
use fluglog_base::input::Fields;
use fluglog_base::limits::permits::Kind;
use fluglog_base::page::{self, LIMIT};
use fluglog_base::text;
use fluglog_base::time::Clock;
use fluglog_picture::format::Format;
use fluglog_store::operations::model::Object;
use fluglog_web::Request;
use fluglog_web::listing::LazyList;
use fluglog_web::multipart::{Files, Upload};
use fluglog_web::reply::Reply;
use fluglog_web::{content::Content, download};

/// The calls of this topic.
#[rustfmt::skip]
pub const CALLS: &[Call] = &[
    Call::post("CreateFlight",
        "Opens a flight, which starts now unless `startTime` or `startInstant` says otherwise, with what is known of \
         it, and answers its id. `startTime` alone is on the server's clock; with `startInstant`, on that of any zone.",
        Handler::Change(create_flight, id_now), CREATE, &[Answer::id(200)], &[409]),
    Call::post("GetFlight", "One flight.",
        Handler::Record(get_flight), ONE, &[Answer::json(200, "Flight")], &[]).gzipped(),
    Call::post("GetFlights",
        "The flights, the newest start first: all, or one page of `limit` flights that come after `before`; with \
         `equipment` only those that this item was on. 204 when there are none.",
        Handler::Pilot(get_flights), LIST, &[Answer::list(200, "FlightRow"), Answer::empty(204)], &[]).gzipped(),
    Call::post("AddFlight",
        "Adds a flight that is over; 200 when it is there already, or was open. Its `startTime` alone is on the \
         server's clock; with `startInstant`, on that of any zone.",
        Handler::Change(add_flight, flight_now), ADD,
        &[Answer::json(201, "Flight"), Answer::json(200, "Flight")], &[409]),
    Call::post("SaveFlight",
        "Changes a flight and, with `endFlight`, finishes it, at `endInstant` if that is known. What isn't sent stays, \
         what is empty is cleared; `startInstant` follows `startTime`.",
        Handler::Change(save_flight, flight_now), SAVE, &[Answer::json(200, "Flight")], &[409]).adds_nothing(),
    Call::post("DeleteFlight", "Deletes a flight with its images, logs and chargings.",
        Handler::Change(delete_flight, call::nothing), ONE, &[Answer::empty(200)], &[]).adds_nothing(),
    Call::post("GetVoltageDoubts",
        "The flights from files with voltages that aren't those of their packs, the newest start first, and what is \
         right as far as a file tells it.",
        Handler::Pilot(get_voltage_doubts), &[], &[Answer::list(200, "VoltageDoubt")], &[]).gzipped(),
    Call::post("MendVoltages",
        "Gives 200 of these flights the voltages that their files tell, and answers what is left. With `takeBack` \
         those that were mended have the old ones again; with `keep` the voltages of this flight stay as they are.",
        Handler::Change(repair_voltages, voltage_doubts_now), MEND, &[Answer::list(200, "VoltageDoubt")], &[])
            .adds_nothing(),
    Call::post("GetFlightTrack", "Where a flight flew, and the files that it comes from.",
        Handler::Pilot(get_flight_track), ONE, &[Answer::json(200, "FlightTrack")], &[]).gzipped(),
    Call::post("SaveFlightLog", "Adds a log to a flight.",
        Handler::Upload(save_flight_log, crate::documents::api::OPTIONAL_FILE, crate::logs::api::log_now), SAVE_LOG,
        &[Answer::json(201, "Log")], &[]),
    Call::post("GetFlightLogs", "The logs of a flight, the newest first.",
        Handler::Pilot(get_flight_logs), LOGS, &[Answer::json(200, "FlightLogs")], &[]).gzipped(),
    Call::post("UploadImageForFlight",
        "Adds images to a flight and answers the ids of all it has.",
        Handler::Upload(upload_image_for_flight, IMAGES, images_now), UPLOAD_IMAGES, &[Answer::ids(201)], &[])
        .waits_for(&[Kind::Picture]),
    Call::post("DeleteImage", "Deletes an image and answers the ids of the others.",
        Handler::Change(delete_image, images_now), ONE_IMAGE_OF_FLIGHT, &[Answer::ids(200)], &[]).adds_nothing(),
    Call::get("GetImage", "An image.",
        Handler::Pilot(get_image), ONE_IMAGE, &[Answer::picture()], &[]),
    Call::get("GetImagePreview", "An image, at most 480 pixels wide and high.",
        Handler::Pilot(get_image_preview), ONE_IMAGE, &[Answer::picture()], &[]),
];

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
const NEW_IMAGES: Field<Vec<ImageId>> = Field::new_ids("images", MAX_IMAGES, text::TOO_MANY_IMAGES);
const TAKE_BACK: Field<bool> = Field::boolean("takeBack");
const KEEP: Field<FlightId> = Field::id("keep");
const IMAGE: Required<ImageId> = Field::id("uuid").required(text::FIELD_MISSING);

/// Fields of `MendVoltages`.
const MEND: &[Declared] = &[TAKE_BACK.declared(), KEEP.declared()];
/// Fields of a call about one flight.
const ONE: &[Declared] = &[ID.declared()];
/// Fields of `GetFlightLogs`.
const LOGS: &[Declared] = &[ID.declared(), LIMIT.declared(), logs::model::BEFORE.declared()];
const CREATE: &[Declared] = joined!(
    &[CONFIG.declared(), STARTING_FLIGHT.declared(), NEW_ID.declared()],
    STARTED
);
const ADD: &[Declared] = joined!(
    &[CONFIG.declared(), FINISHED_FLIGHT.declared(), NEW_ID.declared()],
    INSTANTS
);
const SAVE: &[Declared] = joined!(&[CHANGED_FLIGHT.declared(), END_FLIGHT.declared()], ENDED);
/// Fields of `GetFlights`.
const LIST: &[Declared] = &[
    LIMIT.declared(),
    BEFORE.declared(),
    AFTER.declared(),
    OF_ITEM.declared(),
];
/// Fields of `SaveFlightLog`.
const SAVE_LOG: &[Declared] = &[ID.declared(), NEW_LOG.declared(), INFO.declared(), TIME.declared()];
const UPLOAD_IMAGES: &[Declared] = &[FLIGHT.declared(), NEW_IMAGES.declared()];
/// Fields of `DeleteImage`.
const ONE_IMAGE_OF_FLIGHT: &[Declared] = &[IMAGE.declared(), FLIGHT.declared()];
/// Fields of a call that shows one image.
const ONE_IMAGE: &[Declared] = &[IMAGE.declared()];

fn create_flight(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let new = new_flight(&request.fields)?;
    let id = super::create(app, operation, new, read_starting(&request.fields, &app.clock))?;
    Ok(Reply::text(StatusCode::OK, id.to_string()))
}

fn read_starting(fields: &Fields, clock: &Clock) -> Result<NewEntries> {
    let form = STARTING_FLIGHT.read(fields)?;
    NewEntries::read_open(fields, form.as_ref(), clock)
}

/// Answers with the id of a flight if it still exists, after `CreateFlight`.
fn id_now(app: &App, viewer: &Viewer, object: Object) -> Result<Reply> {
    let flight = super::get(app, viewer, FlightId::from_key(object.id))?;
    Ok(Reply::text(StatusCode::OK, flight.dpf_id))
}

fn add_flight(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let new = new_flight(&request.fields)?;
    let added = super::add(app, operation, new, read_finished(&request.fields, &app.clock))?;
    let status = if added.is_new {
        StatusCode::CREATED
    } else {
        StatusCode::OK
    };
    Reply::json(status, &added.flight)
}

fn read_finished(fields: &Fields, clock: &Clock) -> Result<NewEntries> {
    let form = FINISHED_FLIGHT.read(fields)?;
    NewEntries::read_finished(&form, Instants::read(fields)?, clock)
}

/// Answers with the current state of a flight, after `AddFlight` and `SaveFlight`.
fn flight_now(app: &App, viewer: &Viewer, object: Object) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::get(app, viewer, FlightId::from_key(object.id))?)
}

fn get_voltage_doubts(app: &App, viewer: &Viewer, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::voltage_doubts(app, viewer)?)
}

fn repair_voltages(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let takes_back = TAKE_BACK.read(&request.fields)?.unwrap_or_default();
    let action = match KEEP.read(&request.fields)? {
        Some(flight) => VoltageAction::Keep(flight),
        None if takes_back => VoltageAction::Undo,
        None => VoltageAction::Repair,
    };
    Reply::json(StatusCode::OK, &super::repair_voltages(app, operation, action)?)
}

/// Answers with the remaining suspect voltages, after `MendVoltages`.
fn voltage_doubts_now(app: &App, viewer: &Viewer, _object: Object) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::voltage_doubts(app, viewer)?)
}

fn new_flight(fields: &Fields) -> Result<NewFlight> {
    Ok(NewFlight {
        id: NEW_ID.read(fields)?.unwrap_or_else(FlightId::fresh),
        configuration: Configuration::read(&CONFIG.read(fields)?)?,
    })
}

fn get_flight(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::get(app, viewer, ID.read(&request.fields)?)?)
}

fn get_flights(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
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

fn save_flight(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let form = CHANGED_FLIGHT.read(&request.fields)?;
    let ends = END_FLIGHT.read(&request.fields)?.unwrap_or_default();
    let finish = ends.then(|| Instants::read_end(&request.fields)).transpose()?;
    let flight = super::save(app, operation, ID.read(&form)?, EntryChanges::read(&form)?, finish)?;
    Reply::json(StatusCode::OK, &flight)
}

fn get_flight_track(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let track = super::origin::get(app, viewer, ID.read(&request.fields)?)?;
    Reply::json(StatusCode::OK, &track)
}

fn delete_flight(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    super::delete(app, operation, ID.read(&request.fields)?)?;
    Ok(Reply::empty(StatusCode::OK))
}

fn save_flight_log(app: &App, operation: Operation, request: &Request, uploads: Vec<Upload>) -> Result<Reply> {
    let flight = ID.read(&request.fields)?;
    let log = match logs::read_new(app, &operation.access(), Subject::Flight(flight), &request.fields)? {
        NewLog::Existing(log) => log,
        NewLog::New(id, entries) => super::add_log(app, operation, flight, id, entries, uploads.into_iter().next())?,
    };
    Reply::json(StatusCode::CREATED, &log)
}

fn get_flight_logs(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let part = page::Page::read(&request.fields, &logs::model::BEFORE)?;
    let (empty, ids) = super::flight_logs(app, viewer, ID.read(&request.fields)?, part)?;
    let (access, clock) = (Access::own(viewer), app.clock.clone());
    let mut found = LazyList::of(&app.store, ids);
    Reply::json_list(&empty, move |most| {
        found.next(most, |data, ids| logs::load(data, &access, &clock, ids))
    })
}

/// Limits of the files of `UploadImageForFlight`.
const IMAGES: Files = Files {
    field: images::FIELD,
    missing: Some(text::IMAGES_MISSING),
    most: images::MAX_IMAGES,
    too_many: text::TOO_MANY_IMAGES,
    most_bytes: images::MAX_UPLOAD_BYTES,
    too_large: text::IMAGES_TOO_LARGE,
};

fn upload_image_for_flight(app: &App, operation: Operation, request: &Request, uploads: Vec<Upload>) -> Result<Reply> {
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

fn delete_image(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let flight = FLIGHT.read(&request.fields)?;
    let images = images::delete(app, operation, flight, IMAGE.read(&request.fields)?)?;
    Reply::json(StatusCode::OK, &images)
}

/// Answers with the current ids of a flight's images, after `UploadImageForFlight` and `DeleteImage`.
fn images_now(app: &App, viewer: &Viewer, object: Object) -> Result<Reply> {
    let images = images::of_flight(app, viewer, FlightId::from_key(object.id))?;
    Reply::json(StatusCode::OK, &images)
}

fn get_image(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let image = images::get(app, viewer, IMAGE.read(&request.fields)?)?;
    let content = Content::verified(app.blobs.read_verified(&image.blob)?);
    Ok(download::picture(content, image.format.media_type()))
}

fn get_image_preview(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let image = images::get(app, viewer, IMAGE.read(&request.fields)?)?;
    let content = Content::verified(app.blobs.read_verified(&image.preview)?);
    Ok(download::picture(content, Format::Jpeg.media_type()))
}

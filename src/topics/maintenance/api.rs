//! HTTP handlers of the calls about maintenance, without rules.

use warp::http::StatusCode;

use super::model::{EntryChanges, JOB, SINCE, tenths};
use super::write::{self, RunForm, Target, Wait};
use crate::done_at::{INSTANT, TIME, past_time, with_zone};
use crate::equipment;
use crate::equipment::model::Kind;
use crate::maintenance::model::HOUR;
use fluglog_accounts::call::{self, Answer, Call, Handler};
use fluglog_accounts::guard::{Access, Viewer, access_to};
use fluglog_accounts::operation::Operation;
use fluglog_app::App;
use fluglog_base::declared::Declared;
use fluglog_base::error::Result;
use fluglog_base::field::{Field, Required};
use fluglog_base::id::{EquipmentId, JobId, JobRunId};
use fluglog_base::input::Fields;
use fluglog_base::text;
use fluglog_base::time::{Date, WallTime};
use fluglog_store::operations::model::Object;
use fluglog_web::Request;
use fluglog_web::multipart::Upload;
use fluglog_web::reply::Reply;

/// The calls of this topic.
#[rustfmt::skip]
pub const CALLS: &[Call] = &[
    Call::post("GetMaintenance",
        "The maintenance jobs of an item, or of all items in use: gravest first, finished ones last.",
        Handler::Pilot(get_maintenance), LIST, &[Answer::list(200, "MaintenanceJob")], &[]).gzipped(),
    Call::post("SaveJob",
        "Adds a job to an item, or changes one. The first of its limits that is reached makes it due.",
        Handler::Change(save_job, job_now), SAVE, &[Answer::json(200, "MaintenanceJob")], &[])
        .adds_unless("jobId").writing_to(owner_of_item),
    Call::post("DeleteJob", "Deletes a job with its history. Its logs stay.",
        Handler::Change(delete_job, call::nothing), ONE, &[Answer::empty(200)], &[])
        .adds_nothing().writing_to(owner_of_item),
    Call::post("CompleteJob", "Records that a job was done: makes a log of its item, and restarts the count.",
        Handler::Upload(complete_job, crate::documents::api::OPTIONAL_FILE, completed_now), COMPLETE,
        &[Answer::json(201, "CompletedJob")], &[]).writing_to(owner_of_item),
    Call::post("SkipJob", "Restarts the count of a job without work.",
        Handler::Change(skip_job, job_now), SKIP, &[Answer::json(200, "MaintenanceJob")], &[])
        .writing_to(owner_of_item),
    Call::post("PutOffJob",
        "Silences a job until a day, or for some days, flights or hours; without any of them ends that.",
        Handler::Change(put_off_job, job_now), PUT_OFF, &[Answer::json(200, "MaintenanceJob")], &[])
        .adds_nothing().writing_to(owner_of_item),
    Call::post("PauseJob", "Silences a job, whose count goes on, or ends that.",
        Handler::Change(pause_job, job_now), PAUSE, &[Answer::json(200, "MaintenanceJob")], &[])
        .adds_nothing().writing_to(owner_of_item),
    Call::post("GetJobRuns", "When a job was done or skipped, the newest first.",
        Handler::Pilot(get_job_runs), ONE, &[Answer::list(200, "JobRun")], &[]).gzipped(),
    Call::post("DeleteJobRun", "Takes back the last time that a job was done or skipped: it counts as before.",
        Handler::Change(delete_job_run, job_now), DELETE_RUN, &[Answer::json(200, "MaintenanceJob")], &[])
        .adds_nothing().writing_to(owner_of_item),
    Call::post("GetJobTemplates", "Proposals for jobs with their sources.",
        Handler::Pilot(get_job_templates), TEMPLATES, &[Answer::list(200, "JobTemplate")], &[]),
];

/// Most characters of a text about a run: with the steps it fits into a log.
const MAX_INFO_CHARACTERS: usize = 5000;
const MAX_COST: f64 = 1_000_000.0;

const OF_ITEM: Field<EquipmentId> = Field::id("dpfId");
const ITEM: Required<EquipmentId> = OF_ITEM.required(text::FIELD_MISSING);
const EDITED: Field<JobId> = Field::id("jobId");
const JOB_ID: Required<JobId> = EDITED.required(text::FIELD_MISSING);
const NEW_JOB: Field<JobId> = Field::new_id("newJobId");
const ENTRIES: Required<Fields> = JOB.required(text::FIELD_MISSING);
const INFO: Field<String> = Field::lines("info", MAX_INFO_CHARACTERS);
/// Places of the ticked steps, such as `0,2`.
const STEPS: Field<String> = Field::line("steps", 100);
const COST: Field<f64> = Field::number("cost");
const AGAIN: Field<bool> = Field::boolean("again");
const UNTIL: Field<Date> = Field::date("until");
const DAYS: Field<u32> = Field::integer("days", 1..=365, text::JOB_PUT_OFF_OUT_OF_RANGE);
const FLIGHTS: Field<u32> = Field::integer("flights", 1..=1000, text::JOB_PUT_OFF_OUT_OF_RANGE);
const HOURS: Field<f64> = Field::number("hours");
const ON: Required<bool> = Field::boolean("on").required(text::FIELD_MISSING);
const RUN: Required<JobRunId> = Field::id("run").required(text::FIELD_MISSING);
const WITH_LOG: Field<bool> = Field::boolean("withLog");
const TYPE: Field<Kind> = Field::integer("type", 0..=4, text::EQUIPMENT_KIND_UNKNOWN);

const LIST: &[Declared] = &[OF_ITEM.declared()];
const SAVE: &[Declared] = &[
    ITEM.declared(),
    EDITED.declared(),
    NEW_JOB.declared(),
    ENTRIES.declared(),
];
/// Fields of calls about one job.
const ONE: &[Declared] = &[ITEM.declared(), JOB_ID.declared()];
const COMPLETE: &[Declared] = &[
    ITEM.declared(),
    JOB_ID.declared(),
    TIME.declared(),
    INSTANT.declared(),
    INFO.declared(),
    STEPS.declared(),
    COST.declared(),
    AGAIN.declared(),
];
const SKIP: &[Declared] = &[
    ITEM.declared(),
    JOB_ID.declared(),
    TIME.declared(),
    INSTANT.declared(),
    INFO.declared(),
];
const PUT_OFF: &[Declared] = &[
    ITEM.declared(),
    JOB_ID.declared(),
    TIME.declared(),
    INSTANT.declared(),
    UNTIL.declared(),
    DAYS.declared(),
    FLIGHTS.declared(),
    HOURS.declared(),
];
const PAUSE: &[Declared] = &[ITEM.declared(), JOB_ID.declared(), ON.declared()];
const DELETE_RUN: &[Declared] = &[ITEM.declared(), JOB_ID.declared(), RUN.declared(), WITH_LOG.declared()];
const TEMPLATES: &[Declared] = &[TYPE.declared()];

fn owner_of_item(app: &App, viewer: &Viewer, fields: &Fields) -> Result<Vec<Access>> {
    let item = ITEM.read(fields)?;
    Ok(vec![app.store.read(|data| equipment::access_to(data, viewer, item))?])
}

fn get_maintenance(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let jobs = super::list(app, viewer, OF_ITEM.read(&request.fields)?)?;
    Reply::json(StatusCode::OK, &jobs)
}

fn save_job(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let fields = &request.fields;
    let item = ITEM.read(fields)?;
    let (edited, new) = (EDITED.read(fields)?, NEW_JOB.read(fields)?);
    let form = ENTRIES.read(fields)?;
    let since = counts_since(&form, app.clock.now())?;
    let target = match edited {
        Some(id) => Target::Existing(id),
        None => Target::New {
            id: new.unwrap_or_else(JobId::fresh),
            since,
        },
    };
    let job = write::save(app, operation, item, target, EntryChanges::read(&form))?;
    Reply::json(StatusCode::OK, &job)
}

/// Returns the beginning of the day from which on a job counts, or `now`.
fn counts_since(form: &Fields, now: WallTime) -> Result<WallTime> {
    let Some(day) = SINCE.read(form)? else {
        return Ok(now);
    };
    let midnight = WallTime::from_minutes_clamped(i64::from(day.days()) * super::DAY_MINUTES);
    match midnight > now {
        true => Err(SINCE.invalid(text::TIME_IN_FUTURE)),
        false => Ok(midnight),
    }
}

fn delete_job(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let (item, job) = (ITEM.read(&request.fields)?, JOB_ID.read(&request.fields)?);
    write::delete(app, operation, item, job)?;
    Ok(Reply::empty(StatusCode::OK))
}

fn complete_job(app: &App, operation: Operation, request: &Request, uploads: Vec<Upload>) -> Result<Reply> {
    let fields = &with_zone(&request.fields)?;
    let (item, job) = (ITEM.read(fields)?, JOB_ID.read(fields)?);
    let form = RunForm {
        ticked: ticked(fields)?,
        cost: cents(fields)?,
        again: AGAIN.read(fields)?.unwrap_or_default(),
        ..run_form(app, fields)?
    };
    let completed = write::complete(app, operation, item, job, form, uploads.into_iter().next())?;
    Reply::json(StatusCode::CREATED, &completed)
}

fn run_form(app: &App, fields: &Fields) -> Result<RunForm> {
    Ok(RunForm {
        time: past_time(app, fields)?,
        info: INFO.read(fields)?.unwrap_or_default(),
        ticked: Vec::new(),
        cost: None,
        again: false,
    })
}

fn ticked(fields: &Fields) -> Result<Vec<usize>> {
    let places = STEPS.read(fields)?.unwrap_or_default();
    let places = places.split(',').map(str::trim).filter(|place| !place.is_empty());
    let places = places.map(|place| place.parse().map_err(|_| STEPS.invalid(text::INVALID_INPUT)));
    places.collect()
}

fn cents(fields: &Fields) -> Result<Option<i64>> {
    let cents = COST.read(fields)?.map(|euros| {
        // At most 100 million.
        #[expect(clippy::cast_possible_truncation)]
        (0.0..=MAX_COST)
            .contains(&euros)
            .then_some((euros * 100.0).round() as i64)
            .ok_or_else(|| COST.invalid(text::JOB_COST_OUT_OF_RANGE))
    });
    cents.transpose()
}

fn skip_job(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let fields = &with_zone(&request.fields)?;
    let (item, job) = (ITEM.read(fields)?, JOB_ID.read(fields)?);
    let job = write::skip(app, operation, item, job, run_form(app, fields)?)?;
    Reply::json(StatusCode::OK, &job)
}

fn put_off_job(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let fields = &with_zone(&request.fields)?;
    let (item, job) = (ITEM.read(fields)?, JOB_ID.read(fields)?);
    let time = past_time(app, fields)?;
    let job = write::put_off(app, operation, item, job, time, wait(time, fields)?)?;
    Reply::json(StatusCode::OK, &job)
}

fn wait(from: WallTime, fields: &Fields) -> Result<Option<Wait>> {
    let (until, days, flights) = (UNTIL.read(fields)?, DAYS.read(fields)?, FLIGHTS.read(fields)?);
    let hours = HOURS.read(fields)?;
    if hours.is_some_and(|hours| !(0.1..=1000.0).contains(&hours)) {
        return Err(HOURS.invalid(text::JOB_PUT_OFF_OUT_OF_RANGE));
    }
    let after = |days: u32| {
        let day = from.plus_minutes(i64::from(days) * super::DAY_MINUTES);
        day.map(|day| Wait::Until(day.date()))
    };
    Ok(until
        .map(Wait::Until)
        .or_else(|| days.and_then(after))
        .or_else(|| flights.map(|flights| Wait::Flights(flights.into())))
        .or_else(|| hours.map(|hours| Wait::Milliminutes(tenths(hours) * HOUR / 10))))
}

fn pause_job(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let (item, job) = (ITEM.read(&request.fields)?, JOB_ID.read(&request.fields)?);
    let job = write::pause(app, operation, item, job, ON.read(&request.fields)?)?;
    Reply::json(StatusCode::OK, &job)
}

fn get_job_runs(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let (item, job) = (ITEM.read(&request.fields)?, JOB_ID.read(&request.fields)?);
    Reply::json(StatusCode::OK, &super::runs(app, viewer, item, job)?)
}

fn delete_job_run(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let fields = &request.fields;
    let (item, job, run) = (ITEM.read(fields)?, JOB_ID.read(fields)?, RUN.read(fields)?);
    let with_log = WITH_LOG.read(fields)?.unwrap_or_default();
    let job = write::delete_run(app, operation, (item, job), run, with_log)?;
    Reply::json(StatusCode::OK, &job)
}

fn get_job_templates(_app: &App, _viewer: &Viewer, request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::templates(TYPE.read(&request.fields)?))
}

/// The job after a call that changed it.
fn job_now(app: &App, viewer: &Viewer, object: Object) -> Result<Reply> {
    let (item, job) = ids(object);
    Reply::json(
        StatusCode::OK,
        &super::get(app, &access_to(app, viewer, &object)?, item, job)?,
    )
}

/// The job after `CompleteJob`, with its last run.
fn completed_now(app: &App, viewer: &Viewer, object: Object) -> Result<Reply> {
    let (item, job) = ids(object);
    let completed = write::completed(app, &access_to(app, viewer, &object)?, item, job)?;
    Reply::json(StatusCode::CREATED, &completed)
}

const fn ids(object: Object) -> (EquipmentId, JobId) {
    (EquipmentId::from_key(object.id), JobId::from_key(object.part))
}

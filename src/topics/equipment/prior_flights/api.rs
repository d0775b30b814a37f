//! Calls about hours from before Fluglog: HTTP in and out, no rules. `CALLS` says what each takes and answers.

use warp::http::StatusCode;

use super::super::prior::{PriorChanges, PriorFlights, REQUIRED_PRIOR};
use crate::equipment;
use fluglog_accounts::call::{Answer, Call, Handler};
use fluglog_accounts::guard::{Access, Viewer};
use fluglog_accounts::operation::Operation;
use fluglog_app::App;
use fluglog_base::declared::Declared;
use fluglog_base::error::Result;
use fluglog_base::field::Field;
use fluglog_base::id::EquipmentId;
use fluglog_base::input::Fields;
use fluglog_store::operations::model::Object;
use fluglog_web::Request;
use fluglog_web::reply::Reply;

/// The calls about hours from before Fluglog.
#[rustfmt::skip]
pub const CALLS: &[Call] = &[
    Call::post("GetPriorFlights",
        "What an item, or without `dpfId` the pilot, had flown before Fluglog.",
        Handler::Pilot(get), ONE, &[Answer::json(200, "PriorFlights")], &[]),
    Call::post("SavePriorFlights",
        "Changes what an item, or without `dpfId` the pilot, had flown before Fluglog. What isn't sent stays, what is \
         empty is cleared; with no flight, minute or cycle nothing is left. It counts in books and figures, never in \
         statistics.",
        Handler::Change(save, saved_now), SAVE, &[Answer::json(200, "PriorFlights")], &[])
        .adds_nothing().writing_to(owner),
];

const ITEM: Field<EquipmentId> = Field::id("dpfId");

const ONE: &[Declared] = &[ITEM.declared()];
const SAVE: &[Declared] = &[ITEM.declared(), REQUIRED_PRIOR.declared()];

fn owner(app: &App, viewer: &Viewer, fields: &Fields) -> Result<Vec<Access>> {
    Ok(vec![match ITEM.read(fields)? {
        Some(item) => app.store.read(|data| equipment::access_to(data, viewer, item))?,
        None => Access::own(viewer),
    }])
}

fn get(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    reply_with(app, viewer, ITEM.read(&request.fields)?)
}

fn save(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let item = ITEM.read(&request.fields)?;
    let changes = PriorChanges::read(&REQUIRED_PRIOR.read(&request.fields)?)?;
    changes.check_day(app.clock.now().date())?;
    let prior = super::save(app, operation, item, changes)?;
    Reply::json(StatusCode::OK, &PriorFlights::from(prior))
}

/// Answers with what is stored now, after `SavePriorFlights`.
fn saved_now(app: &App, viewer: &Viewer, object: Object) -> Result<Reply> {
    let item = object.owner.map(|_| EquipmentId::from_key(object.id));
    reply_with(app, viewer, item)
}

fn reply_with(app: &App, viewer: &Viewer, item: Option<EquipmentId>) -> Result<Reply> {
    let prior = app.store.read(|data| super::of(data, viewer, item))?;
    Reply::json(StatusCode::OK, &PriorFlights::from(prior))
}

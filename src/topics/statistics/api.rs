//! HTTP handlers of the statistics calls, without rules. `calls.rs` declares what each call takes and answers.

use warp::http::StatusCode;

use crate::flights::OF_ITEM;
use crate::flights::reviews::model::ReviewFilter;
use fluglog_accounts::guard::Viewer;
use fluglog_app::App;
use fluglog_base::declared::Declared;
use fluglog_base::error::Result;
use fluglog_base::field::Field;
use fluglog_base::id::{EquipmentId, PlaceId};
use fluglog_base::text;
use fluglog_base::time::{FIRST_YEAR, LAST_YEAR};
use fluglog_web::Request;
use fluglog_web::reply::Reply;

/// Fields of `GetFlightMonths`.
pub const MONTHS: &[Declared] = &[OF_ITEM.declared()];

const YEAR: Field<u32> = Field::integer("year", FIRST_YEAR..=LAST_YEAR, text::INVALID_INPUT);
const COPTER: Field<EquipmentId> = Field::id("copter");
const PLACE: Field<PlaceId> = Field::id("place");

pub const REVIEW: &[Declared] = &[YEAR.declared(), COPTER.declared(), PLACE.declared()];

pub fn get_statistics(app: &App, viewer: &Viewer, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::get(app, viewer)?)
}

pub fn get_flight_months(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let item = OF_ITEM.read(&request.fields)?;
    Reply::json(StatusCode::OK, &super::months(app, viewer, item)?)
}

pub fn get_review(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let year = YEAR.read(&request.fields)?;
    let of = match (COPTER.read(&request.fields)?, PLACE.read(&request.fields)?) {
        (None, None) => ReviewFilter::All,
        (Some(copter), None) => ReviewFilter::Copter(copter),
        (None, Some(place)) => ReviewFilter::Place(place),
        (Some(_), Some(_)) => return Err(PLACE.invalid(text::COPTER_OR_PLACE)),
    };
    Reply::json(StatusCode::OK, &super::review(app, viewer, year, of)?)
}

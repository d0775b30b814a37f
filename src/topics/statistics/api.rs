//! HTTP handlers of the statistics calls, without rules. `calls.rs` declares what each call takes and answers.

use warp::http::StatusCode;

use crate::flights::OF_ITEM;
use crate::flights::reviews::model::ReviewFilter;
use fluglog_accounts::call::{Answer, Call, Handler};
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

/// The calls of this topic.
#[rustfmt::skip]
pub const CALLS: &[Call] = &[
    Call::post("GetStatistics", "The figures of all finished flights, each as a text.",
        Handler::Pilot(get_statistics), &[], &[Answer::json(200, "Statistics")], &[]).gzipped(),
    Call::post("GetFlightMonths",
        "What was flown in each month from the first to the last, the oldest first; with `equipment` only with this \
         item.",
        Handler::Pilot(get_flight_months), MONTHS, &[Answer::list(200, "FlightMonth")], &[]).gzipped(),
    Call::post("GetReview",
        "What the pilot looks back on: days, months, records, places, copters and packs of a `year`, or of all time; \
         with `copter` or `place` of these flights only.",
        Handler::Pilot(get_review), REVIEW, &[Answer::json(200, "Review")], &[]).gzipped(),
];

/// Fields of `GetFlightMonths`.
const MONTHS: &[Declared] = &[OF_ITEM.declared()];

const YEAR: Field<u32> = Field::integer("year", FIRST_YEAR..=LAST_YEAR, text::INVALID_INPUT);
const COPTER: Field<EquipmentId> = Field::id("copter");
const PLACE: Field<PlaceId> = Field::id("place");

const REVIEW: &[Declared] = &[YEAR.declared(), COPTER.declared(), PLACE.declared()];

fn get_statistics(app: &App, viewer: &Viewer, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::get(app, viewer)?)
}

fn get_flight_months(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let item = OF_ITEM.read(&request.fields)?;
    Reply::json(StatusCode::OK, &super::months(app, viewer, item)?)
}

fn get_review(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let year = YEAR.read(&request.fields)?;
    let of = match (COPTER.read(&request.fields)?, PLACE.read(&request.fields)?) {
        (None, None) => ReviewFilter::All,
        (Some(copter), None) => ReviewFilter::Copter(copter),
        (None, Some(place)) => ReviewFilter::Place(place),
        (Some(_), Some(_)) => return Err(PLACE.invalid(text::COPTER_OR_PLACE)),
    };
    Reply::json(StatusCode::OK, &super::review(app, viewer, year, of)?)
}

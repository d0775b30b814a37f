//! Flight calls: HTTP in and out, no rules.

use warp::http::StatusCode;

use super::Page;
use super::model::Configuration;
use crate::accounts::guard::Viewer;
use crate::app::App;
use crate::error::{Error, Result};
use crate::id::FlightId;
use crate::input::Fields;
use crate::text;
use crate::web::Request;
use crate::web::reply::Reply;

/// The most flights of one page.
const PAGE_MOST: usize = 500;

/// `CreateFlight`: config → the id of the new flight, as text.
pub fn create_flight(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let configuration = Configuration::read(&request.fields.object("config")?)?;
    let id = super::create(app, viewer, configuration)?;
    Ok(Reply::text(StatusCode::OK, id.to_string()))
}

/// `GetFlight`: dpfId → the flight.
pub fn get_flight(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::get(app, viewer, id(&request.fields)?)?)
}

/// `GetFlights`: all, or with limit and before one page → 200 with the flights, 204 when there are none.
pub fn get_flights(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let fields = &request.fields;
    let before = fields
        .exact("before")?
        .map(|id| FlightId::parse(id).ok_or(Error::NotYours))
        .transpose()?;
    let limit = fields
        .exact("limit")?
        .map(|limit| {
            let limit = limit.parse().ok().filter(|limit| (1..=PAGE_MOST).contains(limit));
            limit.ok_or_else(|| Error::invalid("limit", text::INVALID_INPUT))
        })
        .transpose()?;
    let page = (before.is_some() || limit.is_some()).then(|| Page {
        before,
        most: limit.unwrap_or(PAGE_MOST),
    });
    let flights = super::list(app, viewer, page)?;
    if flights.is_empty() {
        return Ok(Reply::empty(StatusCode::NO_CONTENT));
    }
    Reply::json(StatusCode::OK, &flights)
}

/// `SaveFlight`: flight with its dpfId, endFlight → the flight.
pub fn save_flight(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let form = request.fields.object("flight")?;
    let finish = request.fields.truth("endFlight")?;
    let flight = super::save(app, viewer, id(&form)?, move |entries| entries.apply(&form), finish)?;
    Reply::json(StatusCode::OK, &flight)
}

/// `DeleteFlight`: dpfId → 200.
pub fn delete_flight(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    super::delete(app, viewer, id(&request.fields)?)?;
    Ok(Reply::empty(StatusCode::OK))
}

fn id(fields: &Fields) -> Result<FlightId> {
    FlightId::parse(fields.required("dpfId")?).ok_or(Error::NotYours)
}

//! The calls of the statistics: HTTP out, no rules.

use warp::http::StatusCode;

use crate::accounts::guard::Viewer;
use crate::app::App;
use crate::base::error::Result;
use crate::web::Request;
use crate::web::reply::Reply;

/// `GetStatistics` → every figure as text.
pub fn get_statistics(app: &App, viewer: &Viewer, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::get(app, viewer)?)
}

/// `GetFlightMonths` → `[{month, flights, minutes}]`, the oldest month first.
pub fn get_flight_months(app: &App, viewer: &Viewer, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::months(app, viewer)?)
}

//! The calls of the statistics: HTTP out, no rules. `calls.rs` says what each takes and answers.

use warp::http::StatusCode;

use crate::accounts::guard::Viewer;
use crate::app::App;
use crate::base::error::Result;
use crate::web::Request;
use crate::web::reply::Reply;

/// `GetStatistics`.
pub fn get_statistics(app: &App, viewer: &Viewer, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::get(app, viewer)?)
}

/// `GetFlightMonths`.
pub fn get_flight_months(app: &App, viewer: &Viewer, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::months(app, viewer)?)
}

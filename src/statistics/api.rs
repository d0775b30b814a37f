//! The calls of the statistics: HTTP in and out, no rules. `calls.rs` says what each takes and answers.

use warp::http::StatusCode;

use crate::accounts::guard::Viewer;
use crate::app::App;
use crate::base::declared::Declared;
use crate::base::error::Result;
use crate::flights::OF_ITEM;
use crate::web::Request;
use crate::web::reply::Reply;

/// The fields of `GetFlightMonths`.
pub const MONTHS: &[Declared] = &[OF_ITEM.declared()];

pub fn get_statistics(app: &App, viewer: &Viewer, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::get(app, viewer)?)
}

pub fn get_flight_months(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let item = OF_ITEM.read(&request.fields)?;
    Reply::json(StatusCode::OK, &super::months(app, viewer, item)?)
}

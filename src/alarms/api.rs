//! The alarms call: HTTP in and out, no rules.

use warp::http::StatusCode;

use crate::accounts::guard::Viewer;
use crate::app::App;
use crate::base::error::Result;
use crate::web::Request;
use crate::web::reply::Reply;

pub fn get_server_problems(app: &App, viewer: &Viewer, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::problems_for(app, viewer)?)
}

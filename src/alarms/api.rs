//! The alarms call: HTTP in and out, no rules.

use warp::http::StatusCode;

use fluglog_accounts::guard::Viewer;
use fluglog_app::App;
use fluglog_base::error::Result;
use fluglog_web::Request;
use fluglog_web::reply::Reply;

pub fn get_server_problems(app: &App, viewer: &Viewer, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::problems_for(app, viewer)?)
}

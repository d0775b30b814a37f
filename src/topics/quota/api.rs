//! HTTP handler of the storage usage call. `calls.rs` declares what it takes and answers.

use warp::http::StatusCode;

use super::model::StorageUsage;
use fluglog_accounts::call::{Answer, Call, Handler};
use fluglog_accounts::guard::Viewer;
use fluglog_accounts::{quotas, spaces};
use fluglog_app::App;
use fluglog_base::declared::Declared;
use fluglog_base::error::Result;
use fluglog_base::field::Field;
use fluglog_base::id::SpaceId;
use fluglog_web::Request;
use fluglog_web::reply::Reply;

/// The calls of this topic.
#[rustfmt::skip]
pub const CALLS: &[Call] = &[
    Call::post("GetStorageUsage",
        "How many bytes the pilot's records and files have, or those of a space, and how many they may have.",
        Handler::Pilot(get_storage_usage), OF_WHOM, &[Answer::json(200, "StorageUsage")], &[]),
];

const SPACE: Field<SpaceId> = Field::id("space");
const OF_WHOM: &[Declared] = &[SPACE.declared()];

/// `GetStorageUsage`.
fn get_storage_usage(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let usage = match SPACE.read(&request.fields)? {
        Some(space) => {
            spaces::check_member(app, viewer, space)?;
            StorageUsage {
                bytes: super::storage_of_space(app, space)?,
                quota: quotas::limit_of_space(app),
            }
        }
        None => StorageUsage {
            bytes: super::storage_of(app, viewer)?,
            quota: quotas::limit(app, viewer)?,
        },
    };
    Reply::json(StatusCode::OK, &usage)
}

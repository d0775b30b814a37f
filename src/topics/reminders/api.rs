//! HTTP handlers of the reminder calls, without rules.

use warp::http::StatusCode;

use fluglog_accounts::call::{Answer, Call, Handler};
use fluglog_accounts::guard::Viewer;
use fluglog_accounts::operation::Operation;
use fluglog_app::App;
use fluglog_base::declared::Declared;
use fluglog_base::error::Result;
use fluglog_base::field::{Field, Required};
use fluglog_base::text;
use fluglog_store::operations::model::Object;
use fluglog_web::Request;
use fluglog_web::reply::Reply;

/// The calls of this topic.
#[rustfmt::skip]
pub const CALLS: &[Call] = &[
    Call::post("GetReminders",
        "Everything that waits to be done, of packs, maintenance and proofs: gravest first.",
        Handler::Pilot(get_reminders), &[], &[Answer::list(200, "ReminderLine")], &[]).gzipped(),
    Call::post("GetReminder",
        "Whether the pilot wants a mail when something waits.",
        Handler::Pilot(get_reminder), &[], &[Answer::json(200, "Reminder")], &[]),
    Call::post("SaveReminder",
        "Begins or ends mails about what waits: in the evening, two a week at most, when something became worse.",
        Handler::Change(save_reminder, reminder_now), SAVE, &[Answer::json(200, "Reminder")], &[]).adds_nothing(),
];

const ON: Required<bool> = Field::boolean("on").required(text::FIELD_MISSING);

const SAVE: &[Declared] = &[ON.declared()];

fn get_reminders(app: &App, viewer: &Viewer, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::list(app, viewer)?)
}

fn get_reminder(app: &App, viewer: &Viewer, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::get(app, viewer)?)
}

fn save_reminder(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let reminder = super::save(app, operation, ON.read(&request.fields)?)?;
    Reply::json(StatusCode::OK, &reminder)
}

/// The reminder after `SaveReminder`.
fn reminder_now(app: &App, viewer: &Viewer, _object: Object) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::get(app, viewer)?)
}

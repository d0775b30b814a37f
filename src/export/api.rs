//! The export calls: HTTP in and out. `calls.rs` declares their fields and answers.

use std::io::Write;
use std::time::Instant;

use warp::http::StatusCode;

use super::model::ExportSize;
use super::{Export, ExportError, Files, Subject};
use fluglog_accounts::access_log;
use fluglog_accounts::call::{Answer, Call, Handler};
use fluglog_accounts::guard::Viewer;
use fluglog_accounts::spaces;
use fluglog_app::App;
use fluglog_base::declared::Declared;
use fluglog_base::error::{Error, Result};
use fluglog_base::field::Field;
use fluglog_base::id::SpaceId;
use fluglog_base::limits::downloads::{HANDOVER_WAIT, error_of};
use fluglog_base::text;
use fluglog_topics::quota;
use fluglog_web::reply::Reply;
use fluglog_web::{Request, download};

/// The calls of the export.
#[rustfmt::skip]
pub const CALLS: &[Call] = &[
    Call::post("GetExportSize",
        "About how many bytes the export of the pilot or of a space has, if its download may begin now.",
        Handler::Pilot(get_export_size), OF_WHOM, &[Answer::json(200, "ExportSize")], &[409]),
    Call::get("GetExport",
        "All data of the pilot as a ZIP: tables, the same as JSON, tracks, and unless `withoutFiles` images and \
         documents; or the equipment of a space with its uses, for who manages it. Of a pilot one download runs at a \
         time, of all pilots two.",
        Handler::Pilot(get_export), EXPORT, &[Answer::file()], &[409]),
];

const WITHOUT_FILES: Field<bool> = Field::boolean("withoutFiles");

const SPACE: Field<SpaceId> = Field::id("space");

const OF_WHOM: &[Declared] = &[SPACE.declared()];
const EXPORT: &[Declared] = &[WITHOUT_FILES.declared(), SPACE.declared()];

/// `GetExportSize`. Called before the download because a browser shows no reason when a download is refused.
fn get_export_size(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let space = SPACE.read(&request.fields)?;
    if let Some(space) = space {
        app.store.read(|data| spaces::check_manager(data, viewer, space))?;
    }
    app.downloads.check(viewer.user(), Instant::now()).map_err(error_of)?;
    let bytes = match space {
        Some(space) => quota::storage_of_space(app, space)?,
        None => quota::storage_of(app, viewer)?,
    };
    Reply::json(StatusCode::OK, &ExportSize { bytes })
}

/// `GetExport`. Needs no password: a session can read all of this through other calls, and can even set a new
/// password.
fn get_export(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let user = viewer.user();
    let files = match WITHOUT_FILES.read(&request.fields)? {
        Some(true) => Files::LeftOut,
        _ => Files::Included,
    };
    let (subject, what) = match SPACE.read(&request.fields)? {
        Some(space) => (Subject::Space(space, Some(*viewer)), "export of a space's equipment"),
        None => (Subject::Pilot(*viewer), "export of all data"),
    };
    let download = app.downloads.begin_within(HANDOVER_WAIT, user).map_err(error_of)?;
    let export = Export::of(app, files, |_| Ok(subject))?;
    access_log::log_use(what, user, request.client.address);
    let name = export.file_name();
    let write = move |out: &mut dyn Write| match export.write(&mut download.metered(out)) {
        Ok(exported) => {
            tracing::info!(
                "the export of {user} was sent, {} of its files damaged",
                exported.damaged.len()
            );
            Ok(())
        }
        Err(ExportError::OutputClosed) if download.is_revoked() => {
            tracing::info!("the export of {user} was ended");
            Err(Error::ResourceBusy(text::DOWNLOADS_MANY))
        }
        Err(ExportError::OutputClosed) => {
            tracing::info!("the export of {user} was not taken to its end");
            Ok(())
        }
        Err(ExportError::Failed(error)) => Err(error),
    };
    Ok(download::attachment(Reply::written(write), &name))
}

//! The calls of the export: HTTP in and out. `calls.rs` says what each takes and answers.

use std::io::Write;
use std::time::Instant;

use warp::http::StatusCode;

use super::model::ExportSize;
use super::{Export, ExportError, Files};
use fluglog_accounts::access_log;
use fluglog_accounts::guard::Viewer;
use fluglog_app::App;
use fluglog_base::declared::Declared;
use fluglog_base::error::{Error, Result};
use fluglog_base::field::Field;
use fluglog_base::limits::downloads::{HANDOVER_WAIT, error_of};
use fluglog_base::text;
use fluglog_topics::quota;
use fluglog_web::reply::Reply;
use fluglog_web::{Request, download};

const WITHOUT_FILES: Field<bool> = Field::boolean("withoutFiles");

/// The fields of `GetExport`.
pub const EXPORT: &[Declared] = &[WITHOUT_FILES.declared()];

/// `GetExportSize`. A page asks first: a browser shows nobody why a download is refused.
pub fn get_export_size(app: &App, viewer: &Viewer, _request: &Request) -> Result<Reply> {
    app.downloads.check(viewer.user(), Instant::now()).map_err(error_of)?;
    let bytes = quota::storage_of(app, viewer)?;
    Reply::json(StatusCode::OK, &ExportSize { bytes })
}

/// `GetExport`. It needs no password: whoever is logged in can read all of it by other calls, and set a new password as
/// well.
pub fn get_export(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let user = viewer.user();
    let files = match WITHOUT_FILES.read(&request.fields)? {
        Some(true) => Files::LeftOut,
        _ => Files::Included,
    };
    let download = app.downloads.begin_within(HANDOVER_WAIT, user).map_err(error_of)?;
    let export = Export::of(app, files, |_| Ok(*viewer))?;
    access_log::log_use("export of all data", user, request.client.address);
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

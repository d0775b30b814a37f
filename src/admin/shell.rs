//! Tasks of the shell, performed for the browser, and times as it shows them.

use std::io;

use super::sentences::error_of_refusal;
use crate::archive::last_backup::BackupRecord;
use crate::control::task::Task;
use fluglog_app::App;
use fluglog_base::error::Result;

pub(super) fn perform<T: Task>(app: &App, task: T) -> Result<T::Outcome> {
    task.perform(app, &mut io::sink()).map_err(error_of_refusal)
}

pub(super) fn at(app: &App, seconds: i64) -> String {
    app.clock.wall_time_at(seconds).to_string()
}

/// The time of a backup and its failure; both empty if there was none.
pub(super) fn time_and_failure(app: &App, record: Option<&BackupRecord>) -> (String, String) {
    let result = record.map(|record| (at(app, record.finished), record.failure.clone()));
    result.unwrap_or_default()
}

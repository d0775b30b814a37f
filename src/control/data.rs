//! Operations on all data: the check and the backup.

use std::io::Write;

use serde::{Deserialize, Serialize};

use super::foreign;
use super::task::{Refusal, Task};
use crate::archive::check::{self, Report};
use crate::archive::{backup, last_backup};
use fluglog_app::App;
use fluglog_topics::imports::suspect_voltages;

/// Checks everything, and lists foreign entries. With `repair`, removes orphans and rebuilds derived data.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Check {
    pub repair: bool,
}

impl Task for Check {
    type Outcome = Report;
    const TAKES_ANY_DIRECTORY: bool = true;

    fn perform(self, app: &App, _: &mut dyn Write) -> Result<Report, Refusal> {
        // A running server has done this after its start.
        if app.listening.get().is_none()
            && let Err(error) = suspect_voltages::check_all(app)
        {
            tracing::warn!("voltages could not be looked at: {error:?}");
        }
        let mut report = check::check(app, self.repair)?;
        report.foreign = foreign::entries(&app.config.data_dir);
        Ok(report)
    }
}

/// Writes an archive of the current data to `out`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Backup;

impl Task for Backup {
    /// Number of damages found in the data.
    type Outcome = usize;

    fn perform(self, app: &App, out: &mut dyn Write) -> Result<usize, Refusal> {
        Ok(backup::write(app, out)?)
    }
}

/// Records the outcome of a backup, for `status`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RememberBackup {
    pub target: String,
    pub bytes: u64,
    /// One sentence; empty on success.
    pub failure: String,
    /// Whether root made it, in place of the user whose the data are.
    pub by_root: bool,
}

impl Task for RememberBackup {
    type Outcome = ();

    fn perform(self, app: &App, _: &mut dyn Write) -> Result<(), Refusal> {
        Ok(last_backup::remember(
            app,
            self.target,
            self.bytes,
            self.failure,
            self.by_root,
        )?)
    }
}

/// Records the outcome of sending a backup to a target, for `status`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RememberTarget {
    pub name: String,
    /// The archive's name at the target.
    pub archive: String,
    pub bytes: u64,
    /// One sentence; empty on success.
    pub failure: String,
    /// As in [`RememberBackup`].
    pub by_root: bool,
}

impl Task for RememberTarget {
    type Outcome = ();

    fn perform(self, app: &App, _: &mut dyn Write) -> Result<(), Refusal> {
        let RememberTarget {
            name,
            archive,
            bytes,
            failure,
            by_root,
        } = self;
        Ok(last_backup::remember_target(
            app, &name, archive, bytes, failure, by_root,
        )?)
    }
}

/// Records the outcome of a check of the newest backup in a folder, for `status`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RememberCheck {
    pub folder: String,
    /// One sentence; empty if the backup is intact.
    pub failure: String,
}

impl Task for RememberCheck {
    type Outcome = ();

    fn perform(self, app: &App, _: &mut dyn Write) -> Result<(), Refusal> {
        Ok(last_backup::remember_check(app, self.folder, self.failure)?)
    }
}

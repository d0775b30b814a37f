//! Operations on all data: the check and the backup.

use std::io::Write;

use serde::{Deserialize, Serialize};

use super::foreign;
use super::task::{Refusal, Task};
use crate::archive::check::{self, Report};
use crate::archive::{backup, last_backup};
use fluglog_app::App;
use fluglog_topics::imports::suspect_voltages;

/// Checks everything, and names what isn't Fluglog's; removes orphans if told so.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Check {
    pub repair: bool,
}

impl Task for Check {
    type Outcome = Report;
    const TAKES_ANY_DIRECTORY: bool = true;

    fn perform(self, app: &App, _: &mut dyn Write) -> Result<Report, Refusal> {
        // A server has it done since its start.
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

/// Writes an archive of the data as it is now to `out`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Backup;

impl Task for Backup {
    /// How many of the data are damaged.
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
    /// One sentence; empty when all went well.
    pub failure: String,
}

impl Task for RememberBackup {
    type Outcome = ();

    fn perform(self, app: &App, _: &mut dyn Write) -> Result<(), Refusal> {
        Ok(last_backup::remember(app, self.target, self.bytes, self.failure)?)
    }
}

/// Records how a backup went that was sent to a target, for `status`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RememberTarget {
    pub name: String,
    /// Its name there.
    pub archive: String,
    pub bytes: u64,
    /// One sentence; empty when all went well.
    pub failure: String,
}

impl Task for RememberTarget {
    type Outcome = ();

    fn perform(self, app: &App, _: &mut dyn Write) -> Result<(), Refusal> {
        let RememberTarget {
            name,
            archive,
            bytes,
            failure,
        } = self;
        Ok(last_backup::remember_target(app, &name, archive, bytes, failure)?)
    }
}

/// Records the outcome of a check of the newest backup in a folder, for `status`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RememberCheck {
    pub folder: String,
    /// One sentence; empty when the backup is sound.
    pub failure: String,
}

impl Task for RememberCheck {
    type Outcome = ();

    fn perform(self, app: &App, _: &mut dyn Write) -> Result<(), Refusal> {
        Ok(last_backup::remember_check(app, self.folder, self.failure)?)
    }
}

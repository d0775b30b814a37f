//! Records of the last backup, the last successful one (both also for each target), and the last check of a backup.

use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use fluglog_app::App;
use fluglog_base::error::Result;
use fluglog_store::builder::DatabaseBuilder;
use fluglog_store::findings::Findings;
use fluglog_store::record::Record;
use fluglog_store::{Snapshot, damaged, record};

/// A finished or failed backup, or the check of one.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct BackupRecord {
    /// Unix seconds.
    pub finished: i64,
    /// The path of the archive, `-` for standard output; for a check the folder; for a target the archive's name
    /// there.
    pub target: String,
    pub bytes: u64,
    /// One German sentence; empty on success.
    pub failure: String,
}

impl BackupRecord {
    /// The folder that the archive went to, or was meant for; `None` for standard output.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        let target = Path::new(&self.target);
        match target.extension() {
            _ if self.target == "-" => None,
            None if !self.failure.is_empty() => Some(target),
            _ => target.parent(),
        }
    }
}

/// Causes in sentences about a backup where the process may not write; systemd makes other folders read-only for the
/// service.
pub const NO_RIGHTS: &str = "dafür fehlen die Rechte";
pub const READ_ONLY: &str = "das Dateisystem ist schreibgeschützt";

/// Whether a backup failed because the process may not write to the place.
#[must_use]
pub fn is_forbidden(failure: &str) -> bool {
    [NO_RIGHTS, READ_ONLY].iter().any(|why| failure.contains(why))
}

/// The last backup, successful or not.
const LAST_KEY: u128 = 0;
/// The last check of the newest backup in a folder.
const CHECK_KEY: u128 = 1;
/// The last successful backup.
const GOOD_KEY: u128 = 2;

/// The last archive that was downloaded in a browser.
const DOWNLOAD_KEY: u128 = 3;
const RESTORED_KEY: u128 = 4;

/// The keys of the last backup to a target and the last successful one. Derived from the target's name, as targets
/// have no number.
fn target_keys(name: &str) -> [u128; 2] {
    let digest = Sha256::digest(format!("target {name}"));
    let key = digest.iter().take(16).fold(0, |key, byte| key << 8 | u128::from(*byte));
    // Outside the range of the fixed keys above.
    let first = (key | 1 << 127) & !1;
    [first, first + 1]
}

record!(BackupRecord: u128 = BACKUPS);

pub(crate) fn last_backup(app: &App) -> Result<Option<BackupRecord>> {
    app.store.read(|data| data.get::<BackupRecord>(LAST_KEY))
}

pub(crate) fn last_good(app: &App) -> Result<Option<BackupRecord>> {
    app.store.read(|data| match data.get::<BackupRecord>(GOOD_KEY)? {
        Some(good) => Ok(Some(good)),
        // 1.3.0 only stored the last backup.
        None => Ok(data
            .get::<BackupRecord>(LAST_KEY)?
            .filter(|last| last.failure.is_empty())),
    })
}

pub(crate) fn last_check(app: &App) -> Result<Option<BackupRecord>> {
    app.store.read(|data| data.get::<BackupRecord>(CHECK_KEY))
}

/// The last archive that was downloaded completely.
pub(crate) fn last_download(app: &App) -> Result<Option<BackupRecord>> {
    app.store.read(|data| data.get::<BackupRecord>(DOWNLOAD_KEY))
}

/// Records a complete download of an archive.
pub(crate) fn remember_download(app: &App, bytes: u64) -> Result<()> {
    let record = BackupRecord {
        finished: app.clock.unix_seconds(),
        target: "-".to_owned(),
        bytes,
        failure: String::new(),
    };
    app.store.write(move |writer| writer.put(DOWNLOAD_KEY, &record))
}

/// The last successful backup, as far as it can be read from a damaged database.
#[must_use]
pub fn recovered(data_dir: &Path) -> Option<BackupRecord> {
    let mut file = damaged::open_unverified(&data_dir.join(fluglog_store::FILE_NAME)).ok()?;
    let found = file.table(BackupRecord::TABLE.name(), &BackupRecord::TABLE);
    // A checksum is right under its own key only.
    let under = |key| found.rows.values().find_map(|bytes| record::decode(key, bytes).ok());
    under(GOOD_KEY).or_else(|| under(LAST_KEY).filter(|last: &BackupRecord| last.failure.is_empty()))
}

/// Records the archive that data are restored from.
pub(super) fn remember_restored(database: &DatabaseBuilder, record: &BackupRecord) -> Result<()> {
    database.write(|writer| writer.put(RESTORED_KEY, record))
}

/// The last backup, or the archive that the data were restored from, if that is newer.
pub(crate) fn last_copy(app: &App) -> Result<Option<BackupRecord>> {
    Ok(newer(last_backup(app)?, restored(app)?))
}

/// The last successful backup, or the archive that the data were restored from, if that is newer.
pub(crate) fn last_good_copy(app: &App) -> Result<Option<BackupRecord>> {
    Ok(newer(last_good(app)?, restored(app)?))
}

fn restored(app: &App) -> Result<Option<BackupRecord>> {
    app.store.read(|data| data.get::<BackupRecord>(RESTORED_KEY))
}

fn newer(one: Option<BackupRecord>, other: Option<BackupRecord>) -> Option<BackupRecord> {
    one.into_iter().chain(other).max_by_key(|backup| backup.finished)
}

/// Records a backup as the last one. After a failure for lack of rights, a success `by_root` is none of the service.
pub fn remember(app: &App, target: String, bytes: u64, failure: String, by_root: bool) -> Result<()> {
    let record = BackupRecord {
        finished: app.clock.unix_seconds(),
        target,
        bytes,
        failure,
    };
    put_last(app, [LAST_KEY, GOOD_KEY], record, by_root)
}

fn put_last(app: &App, [last, good]: [u128; 2], record: BackupRecord, by_root: bool) -> Result<()> {
    app.store.write(move |writer| {
        if record.failure.is_empty() {
            writer.put(good, &record)?;
        }
        let was_forbidden =
            || matches!(writer.get::<BackupRecord>(last), Ok(Some(before)) if is_forbidden(&before.failure));
        match by_root && record.failure.is_empty() && was_forbidden() {
            true => Ok(()),
            false => writer.put(last, &record),
        }
    })
}

/// The last backup to a target, and the last successful one.
pub fn of_target(app: &App, name: &str) -> Result<(Option<BackupRecord>, Option<BackupRecord>)> {
    let [last, good] = target_keys(name);
    app.store
        .read(|data| Ok((data.get::<BackupRecord>(last)?, data.get::<BackupRecord>(good)?)))
}

/// Records the outcome of sending a backup to a target, as [`remember`] does.
pub(crate) fn remember_target(
    app: &App,
    name: &str,
    archive: String,
    bytes: u64,
    failure: String,
    by_root: bool,
) -> Result<()> {
    let record = BackupRecord {
        finished: app.clock.unix_seconds(),
        target: archive,
        bytes,
        failure,
    };
    put_last(app, target_keys(name), record, by_root)
}

/// Records a check of the newest backup in a folder.
pub(crate) fn remember_check(app: &App, folder: String, failure: String) -> Result<()> {
    let record = BackupRecord {
        finished: app.clock.unix_seconds(),
        target: folder,
        bytes: 0,
        failure,
    };
    app.store.write(move |writer| writer.put(CHECK_KEY, &record))
}

/// Checks that the records are readable.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    findings.each::<BackupRecord>(data, |_, _, _| Ok(()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_store::record::{assert_read_from, assert_stored_as};

    #[test]
    fn the_last_backup_keeps_its_bytes() {
        let backup = BackupRecord {
            finished: 1_700_000_000,
            target: "/mnt/usb".to_owned(),
            bytes: 10_240,
            failure: String::new(),
        };
        assert_read_from::<BackupRecord>(1, "01fc00e2a7ca082f6d6e742f757362fb002800aa054dec", &backup);
        assert_stored_as::<BackupRecord>(1, &backup, "81fc00e2a7ca082f6d6e742f757362fb002800d979961f");
    }
}

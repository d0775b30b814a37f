//! The memory of backups: the last one, the last good one, both for each target as well, and the last check of one.

use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use fluglog_app::App;
use fluglog_base::error::Result;
use fluglog_store::findings::Findings;
use fluglog_store::record::{self, Initial, Record};
use fluglog_store::salvage::Salvage;
use fluglog_store::{Snapshot, Table, schema};

/// A backup that a command finished or gave up, or the check of one.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct BackupRecord {
    /// Unix seconds.
    pub finished: i64,
    /// The path of the archive, `-` for the standard output; of a check the folder; of a target the name that it has
    /// there.
    pub target: String,
    pub bytes: u64,
    /// One German sentence; empty when all went well.
    pub failure: String,
}

impl BackupRecord {
    /// The folder that it went to, or should have; `None` for the standard output.
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

/// The last backup, good or not.
const LAST_KEY: u128 = 0;
/// The last check of the newest backup in a folder.
const CHECK_KEY: u128 = 1;
/// The last backup without a failure.
const GOOD_KEY: u128 = 2;

/// The last archive that left the machine through a browser.
const DOWNLOAD_KEY: u128 = 3;

/// The last backup that went to a target, and the last good one. Targets have no number, but names.
fn target_keys(name: &str) -> [u128; 2] {
    let digest = Sha256::digest(format!("target {name}"));
    let key = digest.iter().take(16).fold(0, |key, byte| key << 8 | u128::from(*byte));
    // Far from the numbers above.
    let first = (key | 1 << 127) & !1;
    [first, first + 1]
}

impl Initial for BackupRecord {}

impl Record for BackupRecord {
    type Key = u128;
    const TABLE: Table<u128> = schema::BACKUPS;
}

/// The last backup, if there was one.
pub fn last_backup(app: &App) -> Result<Option<BackupRecord>> {
    app.store.read(|data| data.get::<BackupRecord>(LAST_KEY))
}

/// The last backup without a failure, if there was one.
pub fn last_good(app: &App) -> Result<Option<BackupRecord>> {
    app.store.read(|data| match data.get::<BackupRecord>(GOOD_KEY)? {
        Some(good) => Ok(Some(good)),
        // 1.3.0 knew the last one only.
        None => Ok(data
            .get::<BackupRecord>(LAST_KEY)?
            .filter(|last| last.failure.is_empty())),
    })
}

/// The last check of the newest backup, if there was one.
pub fn last_check(app: &App) -> Result<Option<BackupRecord>> {
    app.store.read(|data| data.get::<BackupRecord>(CHECK_KEY))
}

/// The last archive that was downloaded to its end, if any was.
pub fn last_download(app: &App) -> Result<Option<BackupRecord>> {
    app.store.read(|data| data.get::<BackupRecord>(DOWNLOAD_KEY))
}

/// Remembers an archive that was downloaded to its end.
pub fn remember_download(app: &App, bytes: u64) -> Result<()> {
    let record = BackupRecord {
        finished: app.clock.unix_seconds(),
        target: "-".to_owned(),
        bytes,
        failure: String::new(),
    };
    app.store.write(move |writer| writer.put(DOWNLOAD_KEY, &record))
}

/// The last good backup, as far as a damaged database still tells of it.
#[must_use]
pub fn last_good_from_damaged(data_dir: &Path) -> Option<BackupRecord> {
    let mut salvage = Salvage::quick(&data_dir.join(fluglog_store::FILE_NAME)).ok()?;
    let found = salvage.table(&BackupRecord::TABLE);
    // A checksum is right under its own key only.
    let under = |key| found.rows.values().find_map(|bytes| record::decode(key, bytes).ok());
    under(GOOD_KEY).or_else(|| under(LAST_KEY).filter(|last: &BackupRecord| last.failure.is_empty()))
}

/// Remembers a backup as the last one.
pub fn remember(app: &App, target: String, bytes: u64, failure: String) -> Result<()> {
    let record = BackupRecord {
        finished: app.clock.unix_seconds(),
        target,
        bytes,
        failure,
    };
    app.store.write(move |writer| {
        if record.failure.is_empty() {
            writer.put(GOOD_KEY, &record)?;
        }
        writer.put(LAST_KEY, &record)
    })
}

/// The last backup that was to go to a target, and the last that got there.
pub fn of_target(app: &App, name: &str) -> Result<(Option<BackupRecord>, Option<BackupRecord>)> {
    let [last, good] = target_keys(name);
    app.store
        .read(|data| Ok((data.get::<BackupRecord>(last)?, data.get::<BackupRecord>(good)?)))
}

/// Remembers how a backup went that was sent to the target of this name.
pub fn remember_target(app: &App, name: &str, archive: String, bytes: u64, failure: String) -> Result<()> {
    let record = BackupRecord {
        finished: app.clock.unix_seconds(),
        target: archive,
        bytes,
        failure,
    };
    let [last, good] = target_keys(name);
    app.store.write(move |writer| {
        if record.failure.is_empty() {
            writer.put(good, &record)?;
        }
        writer.put(last, &record)
    })
}

/// Remembers a check of the newest backup in a folder as the last one.
pub fn remember_check(app: &App, folder: String, failure: String) -> Result<()> {
    let record = BackupRecord {
        finished: app.clock.unix_seconds(),
        target: folder,
        bytes: 0,
        failure,
    };
    app.store.write(move |writer| writer.put(CHECK_KEY, &record))
}

/// Reads the record.
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

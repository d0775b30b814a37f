//! The memory of the last backup.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::base::error::Result;
use crate::store::findings::Findings;
use crate::store::record::{self, Initial, Record};
use crate::store::salvage::Salvage;
use crate::store::{self, Snapshot, Table, schema};

/// The last backup that a command finished or gave up.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct BackupRecord {
    /// Unix seconds.
    pub finished: i64,
    /// The path of the archive, `-` for the standard output.
    pub target: String,
    pub bytes: u64,
    /// One German sentence; empty when all went well.
    pub failure: String,
}

/// There is only the last one.
const LAST_KEY: u128 = 0;

impl Initial for BackupRecord {}

impl Record for BackupRecord {
    type Key = u128;
    const TABLE: Table<u128> = schema::BACKUPS;
}

/// The last backup, if there was one.
pub fn last_backup(app: &App) -> Result<Option<BackupRecord>> {
    app.store.read(|data| data.get::<BackupRecord>(LAST_KEY))
}

/// The last backup, as far as a damaged database still tells of it.
#[must_use]
pub fn salvaged(data_dir: &Path) -> Option<BackupRecord> {
    let mut salvage = Salvage::quick(&data_dir.join(store::FILE_NAME)).ok()?;
    let found = salvage.table(&BackupRecord::TABLE);
    found
        .rows
        .values()
        .find_map(|bytes| record::decode(LAST_KEY, bytes).ok())
}

/// Remembers a backup as the last one.
pub fn remember(app: &App, target: String, bytes: u64, failure: String) -> Result<()> {
    let record = BackupRecord {
        finished: app.clock.unix_seconds(),
        target,
        bytes,
        failure,
    };
    app.store.write(move |writer| writer.put(LAST_KEY, &record))
}

/// Reads the record.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    findings.each::<BackupRecord>(data, |_, _, _| Ok(()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::record::{assert_read_from, assert_stored_as};

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

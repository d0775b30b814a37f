//! What is remembered of the last backup, as a record.

use serde::{Deserialize, Serialize};

use crate::base::error::Result;
use crate::store::findings::Findings;
use crate::store::record::Record;
use crate::store::{Snapshot, Table, schema};

/// The last backup that a command finished or gave up.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct BackupRecord {
    /// Unix seconds.
    pub finished: i64,
    pub target: String,
    pub bytes: u64,
    /// A sentence; empty when all went well.
    pub failure: String,
}

/// There is only the last one.
pub const LAST_KEY: u128 = 0;

impl Record for BackupRecord {
    type Key = u128;
    const TABLE: Table<u128> = schema::BACKUPS;
    const VERSION: u8 = 1;
}

/// Reads the record.
///
/// # Errors
/// The table is unreadable.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    findings.each::<BackupRecord>(data, |_, _, _| Ok(()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::record::assert_stored_as;

    #[test]
    fn the_last_backup_keeps_its_bytes() {
        let backup = BackupRecord {
            finished: 1_700_000_000,
            target: "/mnt/usb".to_owned(),
            bytes: 10_240,
            failure: String::new(),
        };
        assert_stored_as(&backup, "01fc00e2a7ca082f6d6e742f757362fb002800aa054dec");
    }
}

//! The check of the documents: each has its owner and names its file, and that a log leads to each that isn't in the
//! store.

use std::collections::BTreeSet;

use super::{DocumentRecord, ShareRecord};
use fluglog_base::error::Result;
use fluglog_store::findings::{Findings, Wrong, place};
use fluglog_store::record::Record;
use fluglog_store::{Snapshot, schema};

/// Reads every record of the documents.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    findings.each::<DocumentRecord>(data, |findings, key, document| {
        let place = place(&DocumentRecord::TABLE, key);
        findings.names(&place, document.blob);
        findings.refers(data, &place, &schema::USERS, key.0)
    })?;
    // A share may outlive its document, and ends within the hour.
    findings.each::<ShareRecord>(data, |_, _, _| Ok(()))
}

/// Notes documents that belong to a log which none of them names. `named` are the keys of those that one does.
///
/// # Errors
/// A document is unreadable.
pub fn check_attached(data: &Snapshot<'_>, findings: &mut Findings, named: &BTreeSet<(u128, u128)>) -> Result<()> {
    for (key, document) in data.scan::<DocumentRecord>(..)? {
        if !document.listed && !named.contains(&key) {
            findings.disown(document.blob);
            findings.orphan::<DocumentRecord>(key, Wrong::DocumentOfNoLog);
        }
    }
    Ok(())
}

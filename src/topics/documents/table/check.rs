//! The consistency check of documents: each has its owner and its file, and each attached one has a log that refers to
//! it.

use std::collections::BTreeSet;

use super::{DocumentRecord, ShareRecord};
use fluglog_base::error::Result;
use fluglog_store::Snapshot;
use fluglog_store::findings::{FindingKind, Findings, place};
use fluglog_store::record::Record;

/// Checks every record of the documents.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    findings.each::<DocumentRecord>(data, |findings, key, document| {
        let place = place(&DocumentRecord::TABLE, key);
        findings.names(&place, document.blob);
        findings.refers_to_owner(data, &place, key.0)
    })?;
    // A share may outlive its document; it expires within an hour.
    findings.each::<ShareRecord>(data, |_, _, _| Ok(()))
}

/// Reports attached documents that no log refers to. `named` holds the keys of those that a log refers to.
///
/// # Errors
/// A document is unreadable.
pub(crate) fn check_attached(
    data: &Snapshot<'_>,
    findings: &mut Findings,
    named: &BTreeSet<(u128, u128)>,
) -> Result<()> {
    for (key, document) in data.scan::<DocumentRecord>(..)? {
        if !document.listed && !named.contains(&key) && !findings.leaves_out::<DocumentRecord>(key) {
            findings.disown(document.blob);
            findings.orphan::<DocumentRecord>(key, FindingKind::DocumentOfNoLog);
        }
    }
    Ok(())
}

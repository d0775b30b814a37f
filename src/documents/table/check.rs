//! What a check reads of documents: that each has its owner and names its file.

use super::{DocumentRecord, ShareRecord};
use crate::error::Result;
use crate::store::findings::{Findings, place};
use crate::store::record::Record;
use crate::store::{Snapshot, schema};

/// Reads every record of the documents.
///
/// # Errors
/// A table is unreadable.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    findings.each::<DocumentRecord>(data, |findings, key, document| {
        let place = place(&DocumentRecord::TABLE, key);
        findings.names(&place, document.blob);
        findings.refers(data, &place, &schema::USERS, key.0)
    })?;
    // A share may outlive its document, and ends within the hour.
    findings.each::<ShareRecord>(data, |_, _, _| Ok(()))
}

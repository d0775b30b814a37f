//! The consistency check of logs: each has its subject, its document and its index entry.

use std::collections::BTreeSet;

use super::{LogRecord, SubjectRecord, place as place_in_index, stored};
use crate::documents;
use fluglog_base::error::Result;
use fluglog_base::id::OwnerId;
use fluglog_store::findings::{Findings, place};
use fluglog_store::record::Record;
use fluglog_store::{Snapshot, schema};

/// Checks every record of the logs.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    let mut places = Vec::new();
    let mut documents_named = BTreeSet::new();
    findings.each::<LogRecord>(data, |findings, key, log| {
        let (owner, id) = key;
        let place = place(&LogRecord::TABLE, key);
        findings.refers_to_owner(data, &place, owner)?;
        match log.subject {
            SubjectRecord::Equipment(item) => findings.refers(data, &place, &schema::EQUIPMENT, (owner, item))?,
            SubjectRecord::Flight(flight) => findings.refers(data, &place, &schema::FLIGHTS, (owner, flight))?,
        }
        if let Some(document) = log.document {
            findings.refers(data, &place, &schema::DOCUMENTS, (owner, document))?;
            documents_named.insert((owner, document));
        }
        match stored(id, log) {
            Ok(log) => places.push(place_in_index(OwnerId::from_key(owner), &log)),
            Err(_) => findings.impossible::<LogRecord>(key),
        }
        Ok(())
    })?;
    findings.index::<LogRecord, _>(data, &schema::LOGS_BY_TIME, places, |(owner, _, _, log)| (owner, log))?;
    // Only if all logs were readable: an unreadable one may refer to any document.
    if findings.is_complete() {
        documents::check_attached(data, findings, &documents_named)?;
    }
    Ok(())
}

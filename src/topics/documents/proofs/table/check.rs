//! The check of proofs: each has its document, the proof that it renews, and the files of its pages.

use super::{ProofRecord, stored};
use fluglog_base::error::Result;
use fluglog_store::findings::{Findings, place};
use fluglog_store::record::Record;
use fluglog_store::{Snapshot, schema};

/// Checks every record of the proofs.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    findings.each::<ProofRecord>(data, |findings, key, proof| {
        let (owner, document) = key;
        let place = place(&ProofRecord::TABLE, key);
        for page in &proof.pages {
            findings.names(&place, page.blob);
        }
        findings.refers(data, &place, &schema::DOCUMENTS, key)?;
        if let Some(replaced) = proof.replaces {
            findings.refers(data, &place, &schema::PROOFS, (owner, replaced))?;
        }
        if stored(document, proof).is_err() {
            findings.impossible::<ProofRecord>(key);
        }
        Ok(())
    })
}

//! Verifies sources, tracks and profiles: each has its flight, and a source its index entry.

use super::{ProfileRecord, SourceRecord, TrackRecord, place as place_in_index};
use fluglog_base::error::Result;
use fluglog_store::findings::{Findings, place};
use fluglog_store::record::Record;
use fluglog_store::{Snapshot, schema};

/// Verifies all records of sources, tracks and profiles.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    let mut places = Vec::new();
    findings.each::<SourceRecord>(data, |findings, key, _| {
        let place = place(&SourceRecord::TABLE, key);
        places.push(place_in_index(key));
        findings.refers(data, &place, &schema::FLIGHTS, (key.0, key.1))
    })?;
    findings.index::<SourceRecord, _>(
        data,
        &schema::FLIGHTS_BY_SOURCE,
        places,
        |(user, digest, part, flight)| (user, flight, digest, part),
    )?;
    findings.each::<TrackRecord>(data, |findings, key, _| {
        findings.refers(data, &place(&TrackRecord::TABLE, key), &schema::FLIGHTS, key)
    })?;
    findings.each::<ProfileRecord>(data, |findings, key, _| {
        findings.refers(data, &place(&ProfileRecord::TABLE, key), &schema::FLIGHTS, key)
    })
}

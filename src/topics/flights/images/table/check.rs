//! Verifies images: each has its flight, its files and its index entry.

use super::{ImageRecord, place as place_in_index, stored};
use fluglog_base::error::Result;
use fluglog_base::id::UserId;
use fluglog_store::findings::{Findings, place};
use fluglog_store::record::Record;
use fluglog_store::{Snapshot, schema};

/// Verifies all records of images.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    let mut places = Vec::new();
    findings.each::<ImageRecord>(data, |findings, key, image| {
        let (owner, id) = key;
        let place = place(&ImageRecord::TABLE, key);
        findings.names(&place, image.blob);
        findings.names(&place, image.preview);
        findings.refers(data, &place, &schema::FLIGHTS, (owner, image.flight))?;
        match stored(id, &image) {
            Ok(image) => places.push(place_in_index(UserId::from_key(owner), &image)),
            Err(_) => findings.impossible::<ImageRecord>(key),
        }
        Ok(())
    })?;
    findings.index::<ImageRecord, _>(data, &schema::IMAGES_BY_PLACE, places, |(owner, _, _, image)| {
        (owner, image)
    })
}

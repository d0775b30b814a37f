//! Records of sources, tracks and profiles of flights, with the index by file.

pub mod check;

use serde::{Deserialize, Serialize};

use super::model::{Point, Source};
use fluglog_base::error::Result;
use fluglog_base::id::{FlightId, UserId};
use fluglog_readers::samples::Profile;
use fluglog_store::{Snapshot, Writer, owned_by, record, schema, under};

type Key = (u128, u128, u128, u32);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct SourceRecord {
    format: String,
    file: String,
    start: Option<i64>,
    is_utc: bool,
    added: i64,
}

record!(SourceRecord: (Owner, u128, u128, u32) = FLIGHT_SOURCES);

/// Points in millionths of a degree (11 cm).
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct TrackRecord {
    points: Vec<(i32, i32)>,
}

record!(TrackRecord: (Owner, u128) = FLIGHT_TRACKS);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct ProfileRecord {
    profile: Profile,
}

record!(ProfileRecord: (Owner, u128) = FLIGHT_PROFILES);

/// Stores a source and its index entry.
pub(crate) fn put_source(writer: &Writer<'_>, owner: UserId, flight: FlightId, source: &Source) -> Result<()> {
    let key = (owner.key(), flight.key(), source.digest, source.part);
    writer.insert_key(&schema::FLIGHTS_BY_SOURCE, place(key))?;
    let record = SourceRecord {
        format: source.format.clone(),
        file: source.file.clone(),
        start: source.start,
        is_utc: source.is_utc,
        added: source.added,
    };
    writer.put(key, &record)
}

#[expect(clippy::cast_possible_truncation, reason = "degrees in millionths fit")]
pub(crate) fn put_track(writer: &Writer<'_>, owner: UserId, flight: FlightId, track: &[Point]) -> Result<()> {
    let millionths = |degrees: f64| (degrees * 1e6).round() as i32;
    let points = track
        .iter()
        .map(|(latitude, longitude)| (millionths(*latitude), millionths(*longitude)));
    let record = TrackRecord {
        points: points.collect(),
    };
    writer.put((owner.key(), flight.key()), &record)
}

/// Returns the flights of a part of a file.
pub fn of_file(data: &Snapshot<'_>, owner: UserId, digest: u128, part: u32) -> Result<Vec<(FlightId, Source)>> {
    let user = owner.key();
    let places = data.keys_descending(&schema::FLIGHTS_BY_SOURCE, under((user, digest, part)), usize::MAX)?;
    let keys: Vec<Key> = places
        .into_iter()
        .map(|(.., flight)| (user, flight, digest, part))
        .collect();
    let records = data.get_all::<SourceRecord>(keys.iter().copied())?;
    Ok(records
        .into_iter()
        .zip(keys)
        .map(|(record, key)| stored(key, record))
        .collect())
}

/// Returns the parts of a file that became flights.
pub fn parts(data: &Snapshot<'_>, owner: UserId, digest: u128) -> Result<Vec<u32>> {
    let places = data.keys_descending(&schema::FLIGHTS_BY_SOURCE, under((owner.key(), digest)), usize::MAX)?;
    Ok(places.into_iter().map(|(_, _, part, _)| part).collect())
}

/// Returns the sources of a flight.
pub fn sources(data: &Snapshot<'_>, owner: UserId, flight: FlightId) -> Result<Vec<Source>> {
    let records = data.scan::<SourceRecord>(under((owner.key(), flight.key())))?;
    Ok(records.into_iter().map(|(key, record)| stored(key, record).1).collect())
}

/// Returns all sources of a user.
pub(crate) fn all_sources(data: &Snapshot<'_>, owner: UserId) -> Result<Vec<(FlightId, Source)>> {
    let records = data.of::<SourceRecord>(owner)?;
    Ok(records.into_iter().map(|(key, record)| stored(key, record)).collect())
}

/// Returns the track of a flight; empty without one.
pub fn track(data: &Snapshot<'_>, owner: UserId, flight: FlightId) -> Result<Vec<Point>> {
    let record = data.get::<TrackRecord>((owner.key(), flight.key()))?;
    Ok(record.map(points).unwrap_or_default())
}

/// Returns the tracks of these flights; empty for one without.
pub fn tracks(data: &Snapshot<'_>, owner: UserId, flights: &[FlightId]) -> Result<Vec<Vec<Point>>> {
    let keys = flights.iter().map(|flight| (owner.key(), flight.key()));
    let records = data.get_each::<TrackRecord>(keys)?.into_iter();
    Ok(records.map(|record| record.map(points).unwrap_or_default()).collect())
}

pub(crate) fn put_profile(writer: &Writer<'_>, owner: UserId, flight: FlightId, profile: &Profile) -> Result<()> {
    let record = ProfileRecord {
        profile: profile.clone(),
    };
    writer.put((owner.key(), flight.key()), &record)
}

/// Returns the profile of a flight; empty without one.
pub fn profile(data: &Snapshot<'_>, owner: UserId, flight: FlightId) -> Result<Profile> {
    let record = data.get::<ProfileRecord>((owner.key(), flight.key()))?;
    Ok(record.map(|record| record.profile).unwrap_or_default())
}

/// Returns the flights of a user with a profile.
pub fn with_profile(data: &Snapshot<'_>, owner: UserId) -> Result<Vec<FlightId>> {
    let keys = data.record_keys(&schema::FLIGHT_PROFILES, owned_by(owner))?;
    Ok(keys.into_iter().map(|(_, flight)| FlightId::from_key(flight)).collect())
}

/// Returns the flights of a user with a track.
pub fn with_track(data: &Snapshot<'_>, owner: UserId) -> Result<Vec<FlightId>> {
    let keys = data.record_keys(&schema::FLIGHT_TRACKS, owned_by(owner))?;
    Ok(keys.into_iter().map(|(_, flight)| FlightId::from_key(flight)).collect())
}

/// Removes sources, track and profile of a flight.
pub fn remove_all(writer: &Writer<'_>, owner: UserId, flight: FlightId) -> Result<()> {
    for (key, _) in writer.scan::<SourceRecord>(under((owner.key(), flight.key())))? {
        writer.remove_key(&schema::FLIGHTS_BY_SOURCE, place(key))?;
        writer.remove::<SourceRecord>(key)?;
    }
    writer.remove::<TrackRecord>((owner.key(), flight.key()))?;
    writer.remove::<ProfileRecord>((owner.key(), flight.key()))
}

fn place((user, flight, digest, part): Key) -> (u128, u128, u32, u128) {
    (user, digest, part, flight)
}

fn stored((_, flight, digest, part): Key, record: SourceRecord) -> (FlightId, Source) {
    let source = Source {
        digest,
        part,
        format: record.format,
        file: record.file,
        start: record.start,
        is_utc: record.is_utc,
        added: record.added,
    };
    (FlightId::from_key(flight), source)
}

fn points(record: TrackRecord) -> Vec<Point> {
    let degrees = |millionths: i32| f64::from(millionths) / 1e6;
    let points = record.points.into_iter();
    points
        .map(|(latitude, longitude)| (degrees(latitude), degrees(longitude)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_store::record::assert_stored_as;
    use fluglog_store::rows::Rows as _;

    #[test]
    fn a_source_keeps_its_bytes() {
        let source = SourceRecord {
            format: "edgetx".to_owned(),
            file: "Cinewhoop-2026-06-17.csv".to_owned(),
            start: Some(1_781_690_520),
            is_utc: false,
            added: 1_781_700_000,
        };
        assert_stored_as::<SourceRecord>(
            (1, 2, 3, 4),
            &source,
            "81066564676574781843696e6577686f6f702d323032362d30362d31372e63737601fc30e164d400fc402b65d4a6583d79",
        );
    }

    #[test]
    fn a_track_keeps_its_bytes() {
        let track = TrackRecord {
            points: vec![(53_323_833, 8_150_849), (-53_323_900, 0)],
        };
        assert_stored_as::<TrackRecord>((1, 2), &track, "8102fc72505b06fc82bef800fcf7505b06005c09a4b8");
    }

    #[test]
    fn a_profile_keeps_its_bytes() {
        let profile = ProfileRecord {
            profile: Profile {
                seconds: vec![0, 150],
                height: vec![None, Some(-12)],
                speed: Vec::new(),
                voltage: vec![Some(1683), Some(1671)],
                current: vec![Some(250), None],
                points: vec![Some((53_323_833, -8_150_849)), None],
                resting_voltage: Some(1702),
            },
        };
        assert_stored_as::<ProfileRecord>(
            (1, 2),
            &profile,
            "8102009602000117000201fb260d01fb0e0d0201fbf401000201fc72505b06fc81bef8000001fb4c0dd59be839",
        );
    }

    #[test]
    fn the_longest_profile_takes_64_kb_at_most() {
        let rows = fluglog_readers::profile::MAX_ROWS;
        let column = vec![Some(i32::MIN); rows];
        let profile = ProfileRecord {
            profile: Profile {
                seconds: vec![u32::MAX; rows],
                height: column.clone(),
                speed: column.clone(),
                voltage: column.clone(),
                current: column,
                points: vec![Some((i32::MIN, i32::MIN)); rows],
                resting_voltage: Some(i32::MIN),
            },
        };
        let directory = tempfile::tempdir().unwrap();
        let store = fluglog_store::Store::open(directory.path(), true).unwrap();
        store.write(move |writer| writer.put((1, 2), &profile)).unwrap();
        let bytes = store.read(|data| schema::FLIGHT_PROFILES.bytes_of(data, 1)).unwrap();
        assert!(bytes <= 64 * 1024, "{bytes}");
    }
}

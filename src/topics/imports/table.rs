//! Records of imports: what was found in files, tracks and profiles, and what columns and names stand for.

use serde::{Deserialize, Serialize};

use fluglog_base::error::{Error, Result};
use fluglog_base::id::{EquipmentId, ImportId, UserId};
use fluglog_base::secret::{digest, digest_key};
use fluglog_readers::samples::Profile;
use fluglog_store::blobs::BlobRecord;
use fluglog_store::findings::{Findings, place};
use fluglog_store::record::{Initial, Record, Versioned};
use fluglog_store::{Snapshot, Table, Writer, schema};

/// Tracks of an import in degrees, each with the index of its flight.
pub type Tracks = Vec<(u32, Vec<(f64, f64)>)>;

/// Profiles of an import, each with the index of its flight.
pub type Profiles = Vec<(u32, Profile)>;

/// Foreign flights of an import, each with the indexes of its file and its part.
pub type Copies = Vec<((u32, u32), CopyRecord)>;

/// Latitude and longitude in millionths of a degree.
type PointRecord = (i32, i32);

/// States of an import, as stored on disk.
pub const OPEN: u8 = 0;
pub const ACCEPTED: u8 = 1;
pub const EXPIRED: u8 = 2;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ImportRecord {
    /// Unix seconds.
    pub time: i64,
    pub state: u8,
    /// Blobs of the uploaded files.
    pub blobs: Vec<BlobRecord>,
    pub files: Vec<FileRecord>,
    pub flights: Vec<FoundFlightRecord>,
    pub omitted: Vec<OmittedRecord>,
    pub answer: Option<AnswerRecord>,
    /// For each export of another Fluglog instance, the assets that can be imported; after the import, those that were.
    pub belongings: Vec<BelongingsRecord>,
}

/// Numbers of the assets (what it holds beside its flights) of an export of another Fluglog instance.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct BelongingsRecord {
    /// Index of its file.
    pub file: u32,
    /// Items with which no flight of the import was flown.
    pub items: u32,
    pub chargings: u32,
    pub readings: u32,
    pub sets: u32,
    pub logs: u32,
    pub documents: u32,
    pub images: u32,
    /// Assets that exceed the limits.
    pub left: u32,
    /// Files that couldn't be read when the import was accepted.
    pub missing: u32,
}

impl BelongingsRecord {
    /// Returns whether there is anything to import, now or later.
    pub fn has_any(&self) -> bool {
        [
            self.items,
            self.chargings,
            self.readings,
            self.sets,
            self.logs,
            self.documents,
            self.images,
            self.left,
        ] != [0; 8]
    }
}

/// A file, or a member of an archive.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FileRecord {
    pub name: String,
    pub bytes: u64,
    /// Index of its blob.
    pub blob: u32,
    /// Index among the members of the archive.
    pub member: Option<u32>,
    /// Digest of the content.
    pub digest: u128,
    pub format: Option<u8>,
    pub message: String,
    /// New flights that exceed the limits.
    pub surplus: u32,
    pub columns: Vec<ColumnRecord>,
    /// JSON; empty if the file is no table.
    pub mapping: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ColumnRecord {
    pub name: String,
    pub examples: Vec<String>,
}

/// A flight in a file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FoundFlightRecord {
    /// Index of its file.
    pub file: u32,
    /// Index of the flight in its file.
    pub part: u32,
    /// Whether a flight of this part of the file existed when the file was uploaded.
    pub was_taken: bool,
    /// Milliseconds since 1970 on the clock of the file.
    pub start: Option<i64>,
    /// Days since 1970.
    pub day: Option<i64>,
    pub is_utc: bool,
    /// Milliseconds
    pub duration: Option<i64>,
    pub is_still: bool,
    pub start_point: Option<(f64, f64)>,
    pub end_point: Option<(f64, f64)>,
    pub height: Option<f64>,
    pub distance: Option<f64>,
    pub farthest: Option<f64>,
    pub speed: Option<f64>,
    pub start_volts: Option<f64>,
    pub end_volts: Option<f64>,
    pub consumed: Option<f64>,
    /// Index of the mode in [`crate::readers::samples::Mode::ALL`].
    pub mode: Option<u8>,
    pub name: String,
    pub model: String,
    pub copter_serial: String,
    pub battery_serial: String,
    pub battery_name: String,
    pub location: String,
    pub notes: String,
    pub hints: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OmittedRecord {
    pub file: u32,
    pub part: String,
    pub reason: String,
}

/// Outcome of an accepted import.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnswerRecord {
    /// Digest of the choices.
    pub choices: u128,
    pub created: Vec<u128>,
    pub completed: Vec<u128>,
    pub skipped: u32,
}

impl ImportRecord {
    /// Creates an open, empty import.
    pub fn new(time: i64) -> ImportRecord {
        ImportRecord {
            time,
            state: OPEN,
            blobs: Vec::new(),
            files: Vec::new(),
            flights: Vec::new(),
            omitted: Vec::new(),
            answer: None,
            belongings: Vec::new(),
        }
    }
}

impl Versioned for ImportRecord {
    type Previous = ImportRecord2;

    fn upgrade(previous: ImportRecord2) -> ImportRecord {
        ImportRecord {
            time: previous.time,
            state: previous.state,
            blobs: previous.blobs,
            files: previous.files,
            flights: previous.flights.into_iter().map(FoundFlightRecord::from).collect(),
            omitted: previous.omitted,
            answer: previous.answer,
            belongings: Vec::new(),
        }
    }
}

/// Record of 1.4.0, before assets could be imported.
#[derive(Serialize, Deserialize)]
pub struct ImportRecord2 {
    time: i64,
    state: u8,
    blobs: Vec<BlobRecord>,
    files: Vec<FileRecord>,
    flights: Vec<FoundFlightRecord2>,
    omitted: Vec<OmittedRecord>,
    answer: Option<AnswerRecord>,
}

/// Record of a flight before the flight mode was read.
#[derive(Serialize, Deserialize)]
struct FoundFlightRecord2 {
    file: u32,
    part: u32,
    was_taken: bool,
    start: Option<i64>,
    day: Option<i64>,
    is_utc: bool,
    duration: Option<i64>,
    is_still: bool,
    start_point: Option<(f64, f64)>,
    end_point: Option<(f64, f64)>,
    height: Option<f64>,
    distance: Option<f64>,
    farthest: Option<f64>,
    speed: Option<f64>,
    start_volts: Option<f64>,
    end_volts: Option<f64>,
    consumed: Option<f64>,
    name: String,
    model: String,
    copter_serial: String,
    battery_serial: String,
    battery_name: String,
    location: String,
    notes: String,
    hints: Vec<String>,
}

impl From<FoundFlightRecord2> for FoundFlightRecord {
    fn from(previous: FoundFlightRecord2) -> FoundFlightRecord {
        FoundFlightRecord {
            file: previous.file,
            part: previous.part,
            was_taken: previous.was_taken,
            start: previous.start,
            day: previous.day,
            is_utc: previous.is_utc,
            duration: previous.duration,
            is_still: previous.is_still,
            start_point: previous.start_point,
            end_point: previous.end_point,
            height: previous.height,
            distance: previous.distance,
            farthest: previous.farthest,
            speed: previous.speed,
            start_volts: previous.start_volts,
            end_volts: previous.end_volts,
            consumed: previous.consumed,
            mode: None,
            name: previous.name,
            model: previous.model,
            copter_serial: previous.copter_serial,
            battery_serial: previous.battery_serial,
            battery_name: previous.battery_name,
            location: previous.location,
            notes: previous.notes,
            hints: previous.hints,
        }
    }
}

impl Versioned for ImportRecord2 {
    type Previous = ImportRecord1;

    fn upgrade(previous: ImportRecord1) -> ImportRecord2 {
        let file = |file: FileRecord1| FileRecord {
            name: file.name,
            bytes: file.bytes,
            blob: file.blob,
            member: file.member,
            digest: file.digest,
            format: file.format,
            message: file.message,
            surplus: 0,
            columns: file.columns,
            mapping: file.mapping,
        };
        ImportRecord2 {
            time: previous.time,
            state: previous.state,
            blobs: previous.blobs,
            files: previous.files.into_iter().map(file).collect(),
            flights: previous.flights,
            omitted: previous.omitted,
            answer: previous.answer,
        }
    }
}

/// Record before `surplus`, whose number was part of the message.
#[derive(Serialize, Deserialize)]
pub struct ImportRecord1 {
    time: i64,
    state: u8,
    blobs: Vec<BlobRecord>,
    files: Vec<FileRecord1>,
    flights: Vec<FoundFlightRecord2>,
    omitted: Vec<OmittedRecord>,
    answer: Option<AnswerRecord>,
}

#[derive(Serialize, Deserialize)]
struct FileRecord1 {
    name: String,
    bytes: u64,
    blob: u32,
    member: Option<u32>,
    digest: u128,
    format: Option<u8>,
    message: String,
    columns: Vec<ColumnRecord>,
    mapping: String,
}

impl Initial for ImportRecord1 {}

impl Record for ImportRecord {
    type Key = (u128, u128);
    const TABLE: Table<(u128, u128)> = schema::IMPORTS;
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct FoundTrackRecord {
    points: Vec<PointRecord>,
}

impl Initial for FoundTrackRecord {}

impl Record for FoundTrackRecord {
    type Key = (u128, u128, u32);
    const TABLE: Table<(u128, u128, u32)> = schema::IMPORT_TRACKS;
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct FoundProfileRecord {
    profile: Profile,
}

impl Initial for FoundProfileRecord {}

impl Record for FoundProfileRecord {
    type Key = (u128, u128, u32);
    const TABLE: Table<(u128, u128, u32)> = schema::IMPORT_PROFILES;
}

/// A flight of another Fluglog instance with its items, the copter first: JSON, as in its export.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CopyRecord {
    /// Id in the source instance.
    pub id: u128,
    pub flight: String,
    pub items: Vec<String>,
}

impl Initial for CopyRecord {}

impl Record for CopyRecord {
    type Key = (u128, u128, u32, u32);
    const TABLE: Table<(u128, u128, u32, u32)> = schema::IMPORT_FOREIGN_FLIGHTS;
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct MappingRecord {
    mapping: String,
}

impl Initial for MappingRecord {}

impl Record for MappingRecord {
    type Key = (u128, u128);
    const TABLE: Table<(u128, u128)> = schema::IMPORT_MAPPINGS;
}

/// A file of the admin's drop folder that was read.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct DroppedRecord {
    /// Unix seconds.
    time: i64,
}

impl Initial for DroppedRecord {}

impl Record for DroppedRecord {
    type Key = (u128, u128);
    const TABLE: Table<(u128, u128)> = schema::IMPORT_DROPS;
}

/// The item that a name or serial number in files stands for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AliasRecord {
    pub item: u128,
    /// Normalized for comparison.
    pub text: String,
    /// Minutes by which the clock behind this name is shifted.
    pub shift_minutes: i64,
}

impl Initial for AliasRecord {}

impl Record for AliasRecord {
    type Key = (u128, u128);
    const TABLE: Table<(u128, u128)> = schema::EQUIPMENT_ALIASES;
}

/// Returns an import of a user.
///
/// # Errors
/// [`Error::NotFound`] when this user has no such import.
pub fn find(data: &Snapshot<'_>, owner: UserId, id: ImportId) -> Result<ImportRecord> {
    data.get::<ImportRecord>((owner.key(), id.key()))?
        .ok_or(Error::NotFound)
}

/// Returns all imports of a user.
pub fn all(data: &Snapshot<'_>, owner: UserId) -> Result<Vec<(ImportId, ImportRecord)>> {
    let records = data.scan::<ImportRecord>((owner.key(), 0)..=(owner.key(), u128::MAX))?;
    Ok(records
        .into_iter()
        .map(|((_, id), record)| (ImportId::from_key(id), record))
        .collect())
}

/// Returns the imports of all users.
pub fn of_everyone(data: &Snapshot<'_>) -> Result<Vec<(UserId, ImportId, ImportRecord)>> {
    let records = data.scan::<ImportRecord>(..)?.into_iter();
    Ok(records
        .map(|((user, id), record)| (UserId::from_key(user), ImportId::from_key(id), record))
        .collect())
}

pub fn put(writer: &Writer<'_>, owner: UserId, id: ImportId, import: &ImportRecord) -> Result<()> {
    writer.put((owner.key(), id.key()), import)
}

/// Removes an import with what was found in it. The caller removes its blobs after the commit.
pub fn remove(writer: &Writer<'_>, owner: UserId, id: ImportId) -> Result<()> {
    remove_found(writer, owner, id)?;
    writer.remove::<ImportRecord>((owner.key(), id.key()))
}

/// Removes tracks, profiles and foreign flights of an import.
pub fn remove_found(writer: &Writer<'_>, owner: UserId, id: ImportId) -> Result<()> {
    remove_drawn(writer, owner, id)?;
    writer.remove_range::<CopyRecord>(of_import(owner, id))
}

pub fn remove_drawn(writer: &Writer<'_>, owner: UserId, id: ImportId) -> Result<()> {
    let (user, id) = (owner.key(), id.key());
    writer.remove_range::<FoundTrackRecord>((user, id, 0)..=(user, id, u32::MAX))?;
    writer.remove_range::<FoundProfileRecord>((user, id, 0)..=(user, id, u32::MAX))
}

#[expect(clippy::cast_possible_truncation, reason = "degrees in millionths fit")]
pub fn put_track(writer: &Writer<'_>, owner: UserId, id: ImportId, flight: u32, track: &[(f64, f64)]) -> Result<()> {
    let millionths = |degrees: f64| (degrees * 1e6).round() as i32;
    let points = track
        .iter()
        .map(|(latitude, longitude)| (millionths(*latitude), millionths(*longitude)));
    let record = FoundTrackRecord {
        points: points.collect(),
    };
    writer.put((owner.key(), id.key(), flight), &record)
}

/// Returns the tracks of an import, by the index of the flight.
pub fn tracks(data: &Snapshot<'_>, owner: UserId, id: ImportId) -> Result<Tracks> {
    let (user, id) = (owner.key(), id.key());
    let records = data.scan::<FoundTrackRecord>((user, id, 0)..=(user, id, u32::MAX))?;
    let degrees = |(latitude, longitude): PointRecord| (f64::from(latitude) / 1e6, f64::from(longitude) / 1e6);
    Ok(records
        .into_iter()
        .map(|((.., flight), record)| (flight, record.points.into_iter().map(degrees).collect()))
        .collect())
}

pub fn put_profiles(writer: &Writer<'_>, owner: UserId, id: ImportId, profiles: &Profiles) -> Result<()> {
    profiles.iter().try_for_each(|(flight, profile)| {
        let profile = profile.clone();
        writer.put((owner.key(), id.key(), *flight), &FoundProfileRecord { profile })
    })
}

/// Returns the profiles of an import, by the index of the flight.
pub fn profiles(data: &Snapshot<'_>, owner: UserId, id: ImportId) -> Result<Profiles> {
    let (user, id) = (owner.key(), id.key());
    let records = data.scan::<FoundProfileRecord>((user, id, 0)..=(user, id, u32::MAX))?;
    Ok(records
        .into_iter()
        .map(|((.., flight), record)| (flight, record.profile))
        .collect())
}

pub fn put_copies(writer: &Writer<'_>, owner: UserId, id: ImportId, copies: &Copies) -> Result<()> {
    copies
        .iter()
        .try_for_each(|((file, part), copy)| writer.put((owner.key(), id.key(), *file, *part), copy))
}

pub fn copies(data: &Snapshot<'_>, owner: UserId, id: ImportId) -> Result<Copies> {
    let records = data.scan::<CopyRecord>(of_import(owner, id))?;
    Ok(records
        .into_iter()
        .map(|((.., file, part), record)| ((file, part), record))
        .collect())
}

fn of_import(owner: UserId, id: ImportId) -> std::ops::RangeInclusive<(u128, u128, u32, u32)> {
    let (user, id) = (owner.key(), id.key());
    (user, id, 0, 0)..=(user, id, u32::MAX, u32::MAX)
}

/// Returns the key of a text: a digest of what the text is used for and the text itself.
fn key_of(owner: UserId, kind: &str, text: &str) -> (u128, u128) {
    (owner.key(), digest_key(&digest(&format!("{kind}\n{text}"))).0)
}

/// Returns the mapping that was last chosen for a table with these headings.
pub fn mapping(data: &Snapshot<'_>, owner: UserId, headings: &str) -> Result<Option<String>> {
    let record = data.get::<MappingRecord>(key_of(owner, "table", headings))?;
    Ok(record.map(|record| record.mapping))
}

/// Remembers the mapping of a table with these headings.
pub fn put_mapping(writer: &Writer<'_>, owner: UserId, headings: &str, mapping: &str) -> Result<()> {
    let record = MappingRecord {
        mapping: mapping.to_owned(),
    };
    writer.put(key_of(owner, "table", headings), &record)
}

/// Returns what a normalized name or serial number stands for.
pub fn alias(data: &Snapshot<'_>, owner: UserId, kind: &str, folded: &str) -> Result<Option<AliasRecord>> {
    data.get::<AliasRecord>(key_of(owner, kind, folded))
}

/// Returns whether a file of the admin's drop folder was read already.
pub fn was_dropped(data: &Snapshot<'_>, owner: UserId, digest: u128) -> Result<bool> {
    data.has(&schema::IMPORT_DROPS, (owner.key(), digest))
}

/// Remembers that a file of the admin's drop folder was read.
pub fn put_dropped(writer: &Writer<'_>, owner: UserId, digest: u128, time: i64) -> Result<()> {
    writer.put((owner.key(), digest), &DroppedRecord { time })
}

/// Kind of the aliases that are ids of another Fluglog instance.
const COPIED: &str = "fluglog";

/// Returns the item that an id of another Fluglog instance stands for.
pub fn copied_item(data: &Snapshot<'_>, owner: UserId, there: EquipmentId) -> Result<Option<EquipmentId>> {
    let alias = alias(data, owner, COPIED, &there.to_string())?;
    Ok(alias.map(|alias| EquipmentId::from_key(alias.item)))
}

/// Remembers the item that an id of another Fluglog instance stands for.
pub fn put_copied_item(writer: &Writer<'_>, owner: UserId, there: EquipmentId, item: EquipmentId) -> Result<()> {
    let alias = AliasRecord {
        item: item.key(),
        text: there.to_string(),
        shift_minutes: 0,
    };
    put_alias(writer, owner, COPIED, &alias)
}

/// Remembers what a normalized name or serial number stands for.
pub fn put_alias(writer: &Writer<'_>, owner: UserId, kind: &str, alias: &AliasRecord) -> Result<()> {
    writer.put(key_of(owner, kind, &alias.text), alias)
}

/// Returns all aliases of a user.
pub fn aliases(data: &Snapshot<'_>, owner: UserId) -> Result<Vec<AliasRecord>> {
    let records = data.scan::<AliasRecord>((owner.key(), 0)..=(owner.key(), u128::MAX))?;
    Ok(records.into_iter().map(|(_, record)| record).collect())
}

/// Removes everything of a user.
pub fn remove_all(writer: &Writer<'_>, owner: UserId) -> Result<()> {
    let user = owner.key();
    writer.remove_range::<ImportRecord>((user, 0)..=(user, u128::MAX))?;
    writer.remove_range::<FoundTrackRecord>((user, 0, 0)..=(user, u128::MAX, u32::MAX))?;
    writer.remove_range::<FoundProfileRecord>((user, 0, 0)..=(user, u128::MAX, u32::MAX))?;
    writer.remove_range::<CopyRecord>((user, 0, 0, 0)..=(user, u128::MAX, u32::MAX, u32::MAX))?;
    writer.remove_range::<MappingRecord>((user, 0)..=(user, u128::MAX))?;
    writer.remove_range::<DroppedRecord>((user, 0)..=(user, u128::MAX))?;
    writer.remove_range::<AliasRecord>((user, 0)..=(user, u128::MAX))
}

/// Reads every record of the imports to verify the database.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    findings.each::<ImportRecord>(data, |findings, key, import| {
        let place = place(&ImportRecord::TABLE, key);
        for blob in &import.blobs {
            findings.names(&place, *blob);
        }
        findings.refers(data, &place, &schema::USERS, key.0)
    })?;
    findings.each::<FoundTrackRecord>(data, |findings, key, _| {
        findings.refers(
            data,
            &place(&FoundTrackRecord::TABLE, key),
            &schema::IMPORTS,
            (key.0, key.1),
        )
    })?;
    findings.each::<FoundProfileRecord>(data, |findings, key, _| {
        let place = place(&FoundProfileRecord::TABLE, key);
        findings.refers(data, &place, &schema::IMPORTS, (key.0, key.1))
    })?;
    findings.each::<CopyRecord>(data, |findings, key, _| {
        findings.refers(data, &place(&CopyRecord::TABLE, key), &schema::IMPORTS, (key.0, key.1))
    })?;
    findings.each::<MappingRecord>(data, |findings, key, _| {
        findings.refers(data, &place(&MappingRecord::TABLE, key), &schema::USERS, key.0)
    })?;
    findings.each::<DroppedRecord>(data, |findings, key, _| {
        findings.refers(data, &place(&DroppedRecord::TABLE, key), &schema::USERS, key.0)
    })?;
    findings.each::<AliasRecord>(data, |findings, key, alias| {
        let place = place(&AliasRecord::TABLE, key);
        findings.refers(data, &place, &schema::EQUIPMENT, (key.0, alias.item))
    })
}

#[cfg(test)]
mod tests;

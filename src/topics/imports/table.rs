//! Records of imports: what was found in files, tracks and profiles, and what columns and names stand for.

mod earlier;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::model::{EXPIRES_SECONDS, normalized};
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{Blob, BlobId, EquipmentId, ImportId, UserId};
use fluglog_base::secret::{digest, digest_key};
use fluglog_base::text;
use fluglog_readers::samples::Profile;
use fluglog_store::blobs::BlobRecord;
use fluglog_store::deletions::Step;
use fluglog_store::findings::{Findings, place};
use fluglog_store::record::Record;
use fluglog_store::{Snapshot, Writer, record, schema, under};

/// Tracks of an import in degrees, each with the index of its flight.
pub(crate) type Tracks = Vec<(u32, Vec<(f64, f64)>)>;

/// Profiles of an import, each with the index of its flight.
pub(crate) type Profiles = Vec<(u32, Profile)>;

/// Foreign flights of an import, each with the indexes of its file and its part.
pub(crate) type ForeignFlightRows = Vec<((u32, u32), ForeignFlightRecord)>;

/// Latitude and longitude in millionths of a degree.
type PointRecord = (i32, i32);

/// States of an import, as stored on disk.
pub(crate) const OPEN: u8 = 0;
pub const ACCEPTED: u8 = 1;
pub(crate) const EXPIRED: u8 = 2;

/// An import with what was found in its files.
#[derive(Clone, Default)]
pub(crate) struct ImportDraft {
    pub record: ImportRecord,
    pub tracks: Tracks,
    pub profiles: Profiles,
    pub foreign_flights: ForeignFlightRows,
}

impl ImportDraft {
    /// Returns the identity of a flight: the digest of its file and its index in that, or its id in the source instance
    /// and 0.
    pub fn source(&self, flight: &FoundFlightRecord) -> (u128, u32) {
        let place = (flight.file, flight.part);
        let foreign = self.foreign_flights.iter().find(|(of, _)| *of == place);
        let file = self.record.files.get(flight.file as usize);
        let of_file = || (file.map_or(0, |file| file.digest), flight.part);
        foreign.map_or_else(of_file, |(_, foreign)| (foreign.id, 0))
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ImportRecord {
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
    pub assets: Vec<AssetsRecord>,
}

/// Numbers of the assets (what it holds beside its flights) of an export of another Fluglog instance.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct AssetsRecord {
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
    /// Jobs of maintenance.
    pub jobs: u32,
    /// 1 for flights and hours from before Fluglog.
    pub prior: u32,
}

impl AssetsRecord {
    /// Returns whether there is anything to import, now or later.
    pub(crate) fn has_any(&self) -> bool {
        [
            self.items,
            self.chargings,
            self.readings,
            self.sets,
            self.logs,
            self.documents,
            self.images,
            self.left,
            self.jobs,
            self.prior,
        ] != [0; 10]
    }
}

/// A file, or a member of an archive.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct FileRecord {
    pub name: String,
    pub bytes: u64,
    /// Index of its blob.
    pub blob: u32,
    /// Where in its blob: the index of a member of an archive and, from bit 16, of a sheet and 1.
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
    /// JSON; empty if nothing is to be asked about the table.
    pub questions: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ColumnRecord {
    pub name: String,
    pub examples: Vec<String>,
}

/// A flight in a file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct FoundFlightRecord {
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
    pub figures: FiguresRecord,
    /// Index of the mode in [`fluglog_readers::samples::Mode::ALL`].
    pub mode: Option<u8>,
    pub about: AboutRecord,
}

/// The figures of a flight but its mode.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct FiguresRecord {
    pub start_point: Option<(f64, f64)>,
    pub end_point: Option<(f64, f64)>,
    pub height: Option<f64>,
    pub distance: Option<f64>,
    pub farthest: Option<f64>,
    pub speed: Option<f64>,
    pub start_volts: Option<f64>,
    pub end_volts: Option<f64>,
    pub consumed: Option<f64>,
}

/// Names, serial numbers and notes from a file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct AboutRecord {
    pub name: String,
    pub model: String,
    pub copter_serial: String,
    pub battery_serial: String,
    pub battery_name: String,
    pub location: String,
    pub weather: String,
    pub purpose: String,
    pub notes: String,
    pub hints: Vec<String>,
}

impl AboutRecord {
    /// Returns the copter's names and serial number, each with its kind of alias.
    pub fn copter_names(&self) -> [(&'static str, &str); 3] {
        [
            ("serial", &self.copter_serial),
            ("copter", &self.name),
            ("copter", &self.model),
        ]
    }

    /// Returns the battery's name and serial number, each with its kind of alias.
    pub fn battery_names(&self) -> [(&'static str, &str); 2] {
        [("serial", &self.battery_serial), ("battery", &self.battery_name)]
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct OmittedRecord {
    pub file: u32,
    pub part: String,
    pub reason: String,
}

/// Outcome of an accepted import.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct AnswerRecord {
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
            ..ImportRecord::default()
        }
    }

    /// Returns whether it can't be accepted any more at `now`, in Unix seconds.
    pub fn is_old(&self, now: i64) -> bool {
        now - self.time > EXPIRES_SECONDS
    }

    /// Refuses an expired import.
    ///
    /// # Errors
    /// [`Error::Conflict`] when it has expired.
    pub(crate) fn check_not_expired(&self, now: i64) -> Result<()> {
        match self.state == EXPIRED || (self.state == OPEN && self.is_old(now)) {
            true => Err(Error::Conflict(text::IMPORT_EXPIRED)),
            false => Ok(()),
        }
    }

    /// Refuses an import that can't be reviewed or accepted any more.
    ///
    /// # Errors
    /// [`Error::Conflict`] when it has expired, [`Error::NotFound`] when it was accepted.
    pub(crate) fn check_open(&self, now: i64) -> Result<()> {
        self.check_not_expired(now)?;
        match self.state {
            OPEN => Ok(()),
            _ => Err(Error::NotFound),
        }
    }

    pub fn file(&self, place: u32) -> Result<&FileRecord> {
        self.files.get(place as usize).ok_or_else(missing_file)
    }

    /// Returns the blob of an uploaded file, or of the archive that a member is in.
    pub fn blob(&self, file: &FileRecord) -> Result<Blob> {
        let blob = self.blobs.get(file.blob as usize).ok_or_else(missing_file)?;
        Ok((*blob).into())
    }

    pub(crate) fn blob_ids(&self) -> impl Iterator<Item = BlobId> {
        self.blobs.iter().map(|blob| BlobId::from_key(blob.id))
    }
}

fn missing_file() -> Error {
    Error::Internal("an import names a missing file".to_owned())
}

record!(ImportRecord: (Owner, u128) = IMPORTS, with upgrade);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct FoundTrackRecord {
    points: Vec<PointRecord>,
}

record!(FoundTrackRecord: (Owner, u128, u32) = IMPORT_TRACKS);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct FoundProfileRecord {
    profile: Profile,
}

record!(FoundProfileRecord: (Owner, u128, u32) = IMPORT_PROFILES);

/// A flight of another Fluglog instance with its items, the copter first: JSON, as in its export.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ForeignFlightRecord {
    /// Id in the source instance.
    pub id: u128,
    pub flight: String,
    pub items: Vec<String>,
}

record!(ForeignFlightRecord: (Owner, u128, u32, u32) = IMPORT_FOREIGN_FLIGHTS);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct MappingRecord {
    mapping: String,
}

record!(MappingRecord: (Owner, u128) = IMPORT_MAPPINGS);

/// A file of the admin's drop folder that was read.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct DroppedRecord {
    /// Unix seconds.
    time: i64,
}

record!(DroppedRecord: (Owner, u128) = IMPORT_DROPS);

/// The item that a name or serial number in files stands for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct AliasRecord {
    pub item: u128,
    /// Normalized for comparison.
    pub text: String,
    /// Minutes by which the clock behind this name is shifted.
    pub shift_minutes: i64,
}

record!(AliasRecord: (Owner, u128) = EQUIPMENT_ALIASES);

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
    let records = data.of::<ImportRecord>(owner)?;
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

/// Returns an import of a user with what was found in its files.
///
/// # Errors
/// Like [`find`].
pub(crate) fn draft(data: &Snapshot<'_>, owner: UserId, id: ImportId) -> Result<ImportDraft> {
    Ok(ImportDraft {
        record: find(data, owner, id)?,
        tracks: tracks(data, owner, id)?,
        profiles: profiles(data, owner, id)?,
        foreign_flights: foreign_flights(data, owner, id)?,
    })
}

/// Stores an import with what was found in its files, replacing what it had.
pub(crate) fn put_draft(writer: &Writer<'_>, owner: UserId, id: ImportId, draft: &ImportDraft) -> Result<()> {
    put(writer, owner, id, &draft.record)?;
    let (user, id) = (owner.key(), id.key());
    for (flight, track) in &draft.tracks {
        writer.put((user, id, *flight), &track_record(track))?;
    }
    for (flight, profile) in &draft.profiles {
        let profile = profile.clone();
        writer.put((user, id, *flight), &FoundProfileRecord { profile })?;
    }
    for ((file, part), foreign) in &draft.foreign_flights {
        writer.put((user, id, *file, *part), foreign)?;
    }
    Ok(())
}

/// Stores an import without tracks, profiles and foreign flights.
pub fn put(writer: &Writer<'_>, owner: UserId, id: ImportId, import: &ImportRecord) -> Result<()> {
    remove(writer, owner, id)?;
    writer.put((owner.key(), id.key()), import)
}

/// Removes an import with what was found in its files. The caller removes its blobs after the commit.
pub fn remove(writer: &Writer<'_>, owner: UserId, id: ImportId) -> Result<()> {
    let import = (owner.key(), id.key());
    writer.remove_range::<ForeignFlightRecord>(under(import))?;
    writer.remove_range::<FoundTrackRecord>(under(import))?;
    writer.remove_range::<FoundProfileRecord>(under(import))?;
    writer.remove::<ImportRecord>(import)
}

#[expect(clippy::cast_possible_truncation, reason = "degrees in millionths fit")]
fn track_record(track: &[(f64, f64)]) -> FoundTrackRecord {
    let millionths = |degrees: f64| (degrees * 1e6).round() as i32;
    let points = track
        .iter()
        .map(|(latitude, longitude)| (millionths(*latitude), millionths(*longitude)));
    FoundTrackRecord {
        points: points.collect(),
    }
}

/// Returns the tracks of an import, by the index of the flight.
fn tracks(data: &Snapshot<'_>, owner: UserId, id: ImportId) -> Result<Tracks> {
    let records = data.scan::<FoundTrackRecord>(under((owner.key(), id.key())))?;
    let degrees = |(latitude, longitude): PointRecord| (f64::from(latitude) / 1e6, f64::from(longitude) / 1e6);
    Ok(records
        .into_iter()
        .map(|((.., flight), record)| (flight, record.points.into_iter().map(degrees).collect()))
        .collect())
}

/// Returns the profiles of an import, by the index of the flight.
fn profiles(data: &Snapshot<'_>, owner: UserId, id: ImportId) -> Result<Profiles> {
    let records = data.scan::<FoundProfileRecord>(under((owner.key(), id.key())))?;
    Ok(records
        .into_iter()
        .map(|((.., flight), record)| (flight, record.profile))
        .collect())
}

fn foreign_flights(data: &Snapshot<'_>, owner: UserId, id: ImportId) -> Result<ForeignFlightRows> {
    let records = data.scan::<ForeignFlightRecord>(under((owner.key(), id.key())))?;
    Ok(records
        .into_iter()
        .map(|((.., file, part), record)| ((file, part), record))
        .collect())
}

/// Returns the key of a text: a digest of what the text is used for and the text itself.
fn key_of(owner: UserId, kind: &str, text: &str) -> (u128, u128) {
    (owner.key(), digest_of(kind, text))
}

/// Returns the digest of what a text is used for and the text itself.
fn digest_of(kind: &str, text: &str) -> u128 {
    digest_key(&digest(&format!("{kind}\n{text}"))).0
}

/// Returns the mapping that was last chosen for a table with these headings.
pub fn mapping(data: &Snapshot<'_>, owner: UserId, headings: &str) -> Result<Option<String>> {
    let record = data.get::<MappingRecord>(key_of(owner, "table", headings))?;
    Ok(record.map(|record| record.mapping))
}

/// Remembers the mapping of a table with these headings.
pub(crate) fn put_mapping(writer: &Writer<'_>, owner: UserId, headings: &str, mapping: &str) -> Result<()> {
    let record = MappingRecord {
        mapping: mapping.to_owned(),
    };
    writer.put(key_of(owner, "table", headings), &record)
}

/// Returns whether a file of the admin's drop folder was read already.
pub fn was_read_from_drop_folder(data: &Snapshot<'_>, owner: UserId, digest: u128) -> Result<bool> {
    data.has(&schema::IMPORT_DROPS, (owner.key(), digest))
}

/// Remembers that a file of the admin's drop folder was read.
pub(crate) fn put_dropped(writer: &Writer<'_>, owner: UserId, digest: u128, time: i64) -> Result<()> {
    writer.put((owner.key(), digest), &DroppedRecord { time })
}

/// Kind of the aliases that are ids of another Fluglog instance.
const FOREIGN_ID: &str = "fluglog";

/// Aliases that were read for one import: items by their names and serial numbers.
pub(crate) struct Aliases(BTreeMap<u128, AliasRecord>);

impl Aliases {
    /// Returns what a normalized name or serial number stands for.
    pub fn get(&self, kind: &str, normalized: &str) -> Option<&AliasRecord> {
        self.0.get(&digest_of(kind, normalized))
    }

    pub(crate) fn learn(&mut self, kind: &str, alias: AliasRecord) {
        self.0.insert(digest_of(kind, &alias.text), alias);
    }
}

/// Returns what the names of these kinds stand for. Other names of the user aren't read, so a damaged one of them does
/// no harm.
pub fn aliases<'n>(
    data: &Snapshot<'_>,
    owner: UserId,
    names: impl IntoIterator<Item = (&'static str, &'n str)>,
) -> Result<Aliases> {
    let keys = names
        .into_iter()
        .map(|(kind, name)| key_of(owner, kind, &normalized(name)));
    let records = data.get_some::<AliasRecord>(keys)?;
    Ok(Aliases(
        records.into_iter().map(|((_, key), alias)| (key, alias)).collect(),
    ))
}

/// Returns everything that names, serial numbers and ids of another Fluglog instance stand for.
pub(crate) fn all_aliases(data: &Snapshot<'_>, owner: UserId) -> Result<Vec<AliasRecord>> {
    let records = data.of::<AliasRecord>(owner)?;
    Ok(records.into_iter().map(|(_, alias)| alias).collect())
}

/// Returns the item that an id of another Fluglog instance stands for.
pub(crate) fn foreign_item(data: &Snapshot<'_>, owner: UserId, source_id: EquipmentId) -> Result<Option<EquipmentId>> {
    let alias = data.get::<AliasRecord>(key_of(owner, FOREIGN_ID, &source_id.to_string()))?;
    Ok(alias.map(|alias| EquipmentId::from_key(alias.item)))
}

/// Remembers the item that an id of another Fluglog instance stands for.
pub(crate) fn put_foreign_item(
    writer: &Writer<'_>,
    owner: UserId,
    source_id: EquipmentId,
    item: EquipmentId,
) -> Result<()> {
    let alias = AliasRecord {
        item: item.key(),
        text: source_id.to_string(),
        shift_minutes: 0,
    };
    put_alias(writer, owner, FOREIGN_ID, &alias)
}

/// Remembers what a normalized name or serial number stands for.
pub(crate) fn put_alias(writer: &Writer<'_>, owner: UserId, kind: &str, alias: &AliasRecord) -> Result<()> {
    writer.put(key_of(owner, kind, &alias.text), alias)
}

/// Removes imports of a deleted user.
pub fn forget(writer: &Writer<'_>, step: &mut Step) -> Result<()> {
    step.remove::<ImportRecord>(writer, 1, |_, import| Ok(import.blob_ids().collect()))
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
    findings.each::<ForeignFlightRecord>(data, |findings, key, _| {
        findings.refers(
            data,
            &place(&ForeignFlightRecord::TABLE, key),
            &schema::IMPORTS,
            (key.0, key.1),
        )
    })?;
    findings.each::<MappingRecord>(data, |findings, key, _| {
        findings.refers(data, &place(&MappingRecord::TABLE, key), &schema::USERS, key.0)
    })?;
    findings.each::<DroppedRecord>(data, |findings, key, _| {
        findings.refers(data, &place(&DroppedRecord::TABLE, key), &schema::USERS, key.0)
    })?;
    findings.each::<AliasRecord>(data, |findings, key, _| {
        // The item may be in a space, also in one that the pilot has left.
        findings.refers(data, &place(&AliasRecord::TABLE, key), &schema::USERS, key.0)
    })
}

#[cfg(test)]
mod tests;

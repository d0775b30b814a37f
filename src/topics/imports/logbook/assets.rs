//! Assets in the export of another Fluglog instance, that is everything beside its flights: items, chargings, readings
//! and battery sets, logs, documents and images. Read with the same validation as forms; what exists here already is
//! skipped. Knows no transaction.

use std::collections::HashSet;

use serde::Deserialize;
use serde_json::{Value, json};

use super::existing::ExistingIds;
use super::foreign::ForeignItem;
use super::reader::Reader;
use crate::documents::model::DESCRIPTION;
use crate::documents::proofs::model::{MAX_PAGES, ProofChanges, StoredProof};
use crate::documents::proofs::public_text;
use crate::equipment::model::Kind;
use crate::equipment::prior::{self, Prior};
use crate::imports::table::AssetsRecord;
use crate::logs::model::{LogEntries, Subject};
use crate::maintenance::exchange::ExportedJob;
use crate::packs::records::charging::details::{ChargerFigures, FigureChanges};
use crate::packs::records::charging::model::{ChargingForm, StoredCharging};
use crate::packs::records::readings::model::{ReadingChanges, StoredReading};
use crate::packs::records::sets::model::{SetChanges, StoredSet};
use fluglog_base::error::Error;
use fluglog_base::id::{
    ChargingId, ClientChosenId, DocumentId, EquipmentId, FlightId, ImageId, LogId, ReadingId, SetId,
};
use fluglog_base::input::Fields;
use fluglog_base::text;
use fluglog_base::time::{WallTime, Zone};
use fluglog_readers::formats::pilot_export::{self, PilotExport};
use fluglog_readers::samples::ReadError;
use fluglog_web::multipart::sanitized_name;

const CHARGINGS: &str = "json/chargings.json";
const READINGS: &str = "json/readings.json";
const SETS: &str = "json/sets.json";
const JOBS: &str = "json/jobs.json";
const LOGS: &str = "json/logs.json";
const DOCUMENTS: &str = "json/documents.json";
const PROOFS: &str = "json/proofs.json";
const FEEDBACK: &str = "json/feedback.json";
const PROFILE: &str = "json/profile.json";
const ALIASES: &str = "json/equipment-aliases.json";

/// Most chargings, logs, documents and images that one import takes, so that its transaction blocks other writers for
/// less than a second on a small machine.
const MAX_ASSETS: usize = 2000;
/// Most bytes of their texts.
const MAX_TEXTS_BYTES: usize = 8 * 1024 * 1024;
/// Most images and pages of proofs among them: each one is cleaned again.
const MAX_IMAGES: usize = 100;

/// Flights that logs and images may belong to, by their ids in the source instance.
pub(crate) struct KnownFlights<'f> {
    /// Flights that exist here or come with this import.
    pub available: &'f HashSet<u128>,
    /// All flights that the whole export can bring.
    pub eventual: &'f HashSet<u128>,
}

/// A finished charging; `battery` is the id in the source instance.
#[derive(Debug, Clone)]
pub(crate) struct ForeignCharging {
    pub battery: EquipmentId,
    pub charging: StoredCharging,
}

/// A log; `subject` is the id in the source instance.
#[derive(Debug, Clone)]
pub(crate) struct ForeignLog {
    pub id: LogId,
    pub subject: Subject,
    pub entries: LogEntries,
    pub created: Option<WallTime>,
    pub file: Option<ArchivedFile>,
}

/// A document in the pilot's document store.
#[derive(Debug, Clone)]
pub(crate) struct ForeignDocument {
    pub id: DocumentId,
    pub description: String,
    pub uploaded: Option<WallTime>,
    pub file: ArchivedFile,
    pub proof: Option<ForeignProof>,
}

/// What a document proves; ids of documents are the same here.
#[derive(Debug, Clone)]
pub(crate) struct ForeignProof {
    /// Without its pages.
    pub proof: StoredProof,
    pub replaced_by: Option<DocumentId>,
    /// Paths of the pictures of its pages in the archive.
    pub pages: Vec<String>,
}

/// An image; `flight` is the id in the source instance.
#[derive(Debug, Clone)]
pub(crate) struct ForeignImage {
    pub id: ImageId,
    pub flight: FlightId,
    pub path: String,
}

/// A file in the archive.
#[derive(Debug, Clone)]
pub(crate) struct ArchivedFile {
    pub name: String,
    pub path: String,
}

/// Assets that can be imported.
#[derive(Debug, Clone, Default)]
pub(crate) struct Assets {
    /// Sorted by start, oldest first.
    pub chargings: Vec<ForeignCharging>,
    /// Each with the id of its battery in the source instance.
    pub readings: Vec<(EquipmentId, StoredReading)>,
    /// `members` are ids in the source instance.
    pub sets: Vec<StoredSet>,
    /// The pilot's flights from before Fluglog, as numbers.
    pub prior: Prior,
    /// Jobs of maintenance with their runs.
    pub jobs: Vec<ExportedJob>,
    pub logs: Vec<ForeignLog>,
    pub documents: Vec<ForeignDocument>,
    pub images: Vec<ForeignImage>,
    /// Number of assets that exceed the limits.
    pub left: u32,
    omissions: Omissions,
    texts: usize,
}

/// Numbers of assets that can't be imported, by reason.
#[derive(Debug, Clone, Copy, Default)]
struct Omissions {
    open_chargings: usize,
    unreadable: usize,
    of_flights: usize,
    documents: usize,
    images: usize,
    feedback: usize,
    photos: usize,
    aliases: usize,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ChargingOutline {
    dpf_id: String,
    battery: String,
    charge_end_time: String,
    flight: Option<String>,
    #[serde(default)]
    details: Option<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReadingOutline {
    dpf_id: String,
    battery: String,
    time: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SetOutline {
    dpf_id: String,
    name: String,
    members: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LogOutline {
    dpf_id: String,
    create_time: String,
    equipment: Option<String>,
    flight: Option<String>,
    document_obj: Option<Named>,
    document_file: Option<String>,
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DocumentOutline {
    dpf_id: String,
    name: String,
    upload_time: String,
    of_log: bool,
    file: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ProofOutline {
    dpf_id: String,
    replaced_by: String,
    page_files: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FlightOutline {
    dpf_id: String,
    #[serde(default)]
    images: Vec<String>,
    #[serde(default)]
    image_files: Vec<String>,
}

#[derive(Deserialize)]
struct AliasOutline {
    text: String,
}

#[derive(Default, Deserialize)]
struct ProfileOutline {
    #[serde(default)]
    photo: String,
    #[serde(default)]
    prior: Option<Value>,
}

/// Returns the items of an export, and the number of items that break a rule.
///
/// # Errors
/// See [`ReadError`].
pub fn items(reader: &mut Reader<'_>) -> Result<(Vec<ForeignItem>, usize), ReadError> {
    let equipment = reader.export.equipment(reader.archive)?;
    let listed = reader.member(&equipment, pilot_export::read_items)?;
    let items: Vec<_> = listed.values().flat_map(|json| ForeignItem::read(json)).collect();
    let broken = listed.len() - items.len();
    Ok((items, broken))
}

/// Reads the assets that don't exist here yet, within the limits, without those whose files are in another part of the
/// export.
///
/// # Errors
/// See [`ReadError`].
pub fn read(
    reader: &mut Reader<'_>,
    existing: &ExistingIds,
    flights: &KnownFlights<'_>,
    zone: Zone,
) -> Result<Assets, ReadError> {
    let mut found = Assets::default();
    let export = reader.export;
    reader.list_in(CHARGINGS, |json| found.charging(json, existing, zone))?;
    reader.list_in(READINGS, |json| found.reading(json, existing))?;
    reader.list_in(SETS, |json| found.set(json, existing))?;
    reader.list_in(JOBS, |json| found.job(json, existing))?;
    reader.list_in(LOGS, |json| found.log(json, existing, flights, export))?;
    reader.list_in(DOCUMENTS, |json| found.document(json, existing, export))?;
    reader.list_in(PROOFS, |json| found.proof(json, export))?;
    reader.list(&export.flights, |json| found.images_of(json, existing, flights, export))?;
    found
        .chargings
        .sort_by_key(|foreign| (foreign.charging.start, foreign.charging.id));
    found.drop_without_file(reader)?;
    reader.list_in(FEEDBACK, |_| found.omissions.feedback += 1)?;
    reader.list_in(ALIASES, |json| found.omissions.aliases += usize::from(is_learned(json)))?;
    found.profile(reader, existing)?;
    Ok(found)
}

/// Converts an export's object to the fields of a form, where a list is one text with `;` between the values.
fn as_form(mut object: Value) -> Result<Fields, Error> {
    let values = object
        .as_object_mut()
        .into_iter()
        .flat_map(|fields| fields.values_mut());
    for value in values {
        if let Value::Array(list) = value {
            let list: Vec<_> = list.iter().map(Value::to_string).collect();
            *value = Value::String(list.join(";"));
        }
    }
    Fields::from_json(&object.to_string())
}

/// Returns whether an alias is a name from files, not an id of another Fluglog instance.
fn is_learned(json: &str) -> bool {
    let outline: Result<AliasOutline, _> = serde_json::from_str(json);
    outline.is_ok_and(|alias| EquipmentId::parse(&alias.text).is_none())
}

impl Assets {
    /// Reads what the pilot had flown before the other Fluglog; the rest of a profile stays there.
    fn profile(&mut self, reader: &mut Reader<'_>, existing: &ExistingIds) -> Result<(), ReadError> {
        let Some(member) = reader.export.file(reader.archive, PROFILE)? else {
            return Ok(());
        };
        let profile: Option<ProfileOutline> = reader.member(&member, pilot_export::read_object)?;
        let profile = profile.unwrap_or_default();
        self.omissions.photos = usize::from(!profile.photo.is_empty());
        if let Some(prior) = profile.prior.filter(|_| !existing.has_prior) {
            let object = json!({"prior": prior});
            let read = Fields::from_json(&object.to_string()).and_then(|fields| prior::read_exported(&fields, false));
            match read {
                Ok(prior) => self.prior = prior,
                Err(_) => self.omissions.unreadable += 1,
            }
        }
        Ok(())
    }

    /// Returns the record with the numbers of the assets.
    pub fn record(&self, file: u32, items: usize) -> AssetsRecord {
        let count = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        AssetsRecord {
            file,
            items: count(items),
            chargings: count(self.chargings.len()),
            readings: count(self.readings.len()),
            sets: count(self.sets.len()),
            logs: count(self.logs.len()),
            documents: count(self.documents.len()),
            images: count(self.images.len()),
            left: self.left,
            missing: 0,
            jobs: count(self.jobs.len()),
            prior: u32::from(!self.prior.is_empty()),
        }
    }

    /// Returns the files of documents and of logs, by the id of the document or log.
    pub(crate) fn files_by_id(&self) -> impl Iterator<Item = (u128, &ArchivedFile)> {
        let of_logs = self
            .logs
            .iter()
            .filter_map(|log| Some((log.id.key(), log.file.as_ref()?)));
        let documents = self.documents.iter();
        of_logs.chain(documents.map(|document| (document.id.key(), &document.file)))
    }

    /// Returns the paths of all files in the archive.
    pub fn paths(&self) -> HashSet<String> {
        let documents = self.files_by_id().map(|(_, file)| &file.path);
        documents
            .chain(self.images.iter().map(|image| &image.path))
            .chain(self.pages())
            .cloned()
            .collect()
    }

    /// Returns the paths of all pages of proofs.
    fn pages(&self) -> impl Iterator<Item = &String> {
        let proofs = self.documents.iter().filter_map(|document| document.proof.as_ref());
        proofs.flat_map(|proof| &proof.pages)
    }

    /// Returns one sentence for each kind of asset that can't be imported, with its number. `broken` counts items that
    /// break a rule.
    pub fn omitted(&self, broken: usize) -> Vec<String> {
        let Omissions {
            open_chargings,
            unreadable,
            of_flights,
            documents,
            images,
            feedback,
            photos,
            aliases,
        } = self.omissions;
        [
            (open_chargings, text::IMPORT_SKIPS_OPEN_CHARGINGS),
            (unreadable + broken, text::IMPORT_SKIPS_UNREADABLE),
            (of_flights, text::IMPORT_SKIPS_OF_FLIGHTS),
            (documents, text::IMPORT_SKIPS_DOCUMENTS),
            (images, text::IMPORT_SKIPS_IMAGES),
            (aliases, text::IMPORT_SKIPS_ALIASES),
            (feedback, text::IMPORT_SKIPS_FEEDBACK),
            (photos, text::IMPORT_SKIPS_PHOTO),
        ]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| text::import_skips(count, what))
        .collect()
    }

    fn has_room(&mut self, bytes: usize) -> bool {
        let of_packs = self.chargings.len() + self.readings.len() + self.sets.len();
        let count = of_packs + self.jobs.len() + self.logs.len() + self.documents.len() + self.images.len();
        self.texts += bytes;
        let has_room = count < MAX_ASSETS && self.texts <= MAX_TEXTS_BYTES;
        self.left += u32::from(!has_room);
        has_room
    }

    fn charging(&mut self, json: &str, existing: &ExistingIds, zone: Zone) {
        let Ok(outline) = serde_json::from_str::<ChargingOutline>(json) else {
            self.omissions.unreadable += 1;
            return;
        };
        // The charging of a flight is derived from the flight.
        let is_there = |id: &ChargingId| existing.chargings.contains(&id.key());
        let id = ChargingId::from_client(&outline.dpf_id);
        if outline.flight.is_some() || id.as_ref().is_some_and(is_there) {
            return;
        }
        if outline.charge_end_time.is_empty() {
            self.omissions.open_chargings += 1;
            return;
        }
        let form = Fields::from_json(json).and_then(|fields| ChargingForm::read(&fields.in_zone(Some(zone))));
        let figures = outline.details.map_or_else(
            || Ok(FigureChanges::default()),
            |details| FigureChanges::read(&as_form(details)?),
        );
        let charging = id.ok_or(Error::NotFound).and_then(|id| form?.finished(id));
        match (EquipmentId::parse(&outline.battery), charging, figures) {
            (Some(battery), Ok(charging), Ok(figures)) => {
                if self.has_room(0) {
                    let figures = figures.applied_to(ChargerFigures::default());
                    let charging = StoredCharging { figures, ..charging };
                    self.chargings.push(ForeignCharging { battery, charging });
                }
            }
            _ => self.omissions.unreadable += 1,
        }
    }

    fn reading(&mut self, json: &str, existing: &ExistingIds) {
        let read = || {
            let outline: ReadingOutline = serde_json::from_str(json).ok()?;
            let (id, battery) = (
                ReadingId::from_client(&outline.dpf_id)?,
                EquipmentId::parse(&outline.battery)?,
            );
            let fields = as_form(serde_json::from_str(json).ok()?).ok()?;
            let unsaid = StoredReading::new(id, WallTime::parse(&outline.time).ok()?);
            Some((battery, ReadingChanges::read(&fields).ok()?.applied_to(unsaid).ok()?))
        };
        match read() {
            Some((_, reading)) if existing.readings.contains(&reading.id.key()) => {}
            Some(reading) => {
                if self.has_room(json.len()) {
                    self.readings.push(reading);
                }
            }
            None => self.omissions.unreadable += 1,
        }
    }

    fn set(&mut self, json: &str, existing: &ExistingIds) {
        let read = || {
            let outline: SetOutline = serde_json::from_str(json).ok()?;
            let id = SetId::from_client(&outline.dpf_id)?;
            let form = json!({"name": outline.name, "members": outline.members.join(";")});
            let changes = SetChanges::read(&as_form(form).ok()?).ok()?;
            changes.apply(StoredSet::unnamed(id)).ok()
        };
        match read() {
            Some(set) if existing.sets.contains(&set.id.key()) => {}
            Some(set) => {
                if self.has_room(json.len()) {
                    self.sets.push(set);
                }
            }
            None => self.omissions.unreadable += 1,
        }
    }

    fn job(&mut self, json: &str, existing: &ExistingIds) {
        let read = || {
            let job: ExportedJob = serde_json::from_str(json).ok()?;
            // What the kind of its item allows is checked when the item is known; a battery allows most.
            let (read, _) = job.read((job.item()?, Kind::Battery), |_| 0)?;
            Some((read.id, job))
        };
        match read() {
            Some((id, _)) if existing.jobs.contains(&id.key()) => {}
            Some((_, job)) => {
                if self.has_room(json.len()) {
                    self.jobs.push(job);
                }
            }
            None => self.omissions.unreadable += 1,
        }
    }

    fn log(&mut self, json: &str, existing: &ExistingIds, flights: &KnownFlights<'_>, export: &PilotExport) {
        let read = || {
            let outline: LogOutline = serde_json::from_str(json).ok()?;
            let subject = match (&outline.equipment, &outline.flight) {
                (Some(id), None) => Subject::Equipment(EquipmentId::parse(id)?),
                (None, Some(id)) => Subject::Flight(FlightId::parse(id)?),
                _ => return None,
            };
            let file = outline.document_obj.map(|document| ArchivedFile {
                name: sanitized_name(&document.name),
                path: outline.document_file.unwrap_or_default(),
            });
            Some(ForeignLog {
                id: LogId::from_client(&outline.dpf_id)?,
                subject,
                entries: LogEntries::read(&Fields::from_json(json).ok()?).ok()?,
                created: WallTime::parse(&outline.create_time).ok(),
                file,
            })
        };
        let Some(log) = read() else {
            self.omissions.unreadable += 1;
            return;
        };
        let waits = log
            .file
            .as_ref()
            .is_some_and(|file| export.is_in_other_part(&file.path));
        let is_there = existing.logs.contains(&log.id.key());
        if !waits && !is_there && self.is_imported(log.subject, flights) && self.has_room(json.len()) {
            self.logs.push(log);
        }
    }

    /// Returns whether the subject of a log or image is imported too.
    fn is_imported(&mut self, subject: Subject, flights: &KnownFlights<'_>) -> bool {
        let Subject::Flight(flight) = subject else {
            return true;
        };
        self.omissions.of_flights += usize::from(!flights.eventual.contains(&flight.key()));
        flights.available.contains(&flight.key())
    }

    fn document(&mut self, json: &str, existing: &ExistingIds, export: &PilotExport) {
        let read = || {
            let outline: DocumentOutline = serde_json::from_str(json).ok()?;
            let description = DESCRIPTION.read(&Fields::from_json(json).ok()?).ok()?;
            let document = ForeignDocument {
                id: DocumentId::from_client(&outline.dpf_id)?,
                description: description.unwrap_or_default(),
                uploaded: WallTime::parse(&outline.upload_time).ok(),
                file: ArchivedFile {
                    name: sanitized_name(&outline.name),
                    path: outline.file,
                },
                proof: None,
            };
            Some((document, outline.of_log))
        };
        match read() {
            // Imported with its log.
            Some((_, true)) => {}
            Some((document, false)) => {
                let is_there = existing.documents.contains(&document.id.key());
                if !export.is_in_other_part(&document.file.path) && !is_there && self.has_room(json.len()) {
                    self.documents.push(document);
                }
            }
            None => self.omissions.unreadable += 1,
        }
    }

    /// Reads what a document proves, which comes with the document.
    fn proof(&mut self, json: &str, export: &PilotExport) {
        let read = || {
            let outline: ProofOutline = serde_json::from_str(json).ok()?;
            let id = DocumentId::from_client(&outline.dpf_id)?;
            let (proof, _) = ProofChanges::read(&Fields::from_json(json).ok()?)
                .ok()?
                .applied(id, None)
                .ok()?;
            let replaced_by = DocumentId::parse(&outline.replaced_by);
            let mut pages = outline.page_files;
            pages.retain(|path| !export.is_in_other_part(path));
            (pages.len() <= MAX_PAGES).then_some(ForeignProof {
                proof,
                replaced_by,
                pages,
            })
        };
        let Some(proof) = read() else {
            self.omissions.unreadable += 1;
            return;
        };
        let id = proof.proof.document;
        let Some(place) = self.documents.iter().position(|document| document.id == id) else {
            return;
        };
        if self.pages().count() + proof.pages.len() > MAX_IMAGES {
            self.documents.remove(place);
            self.left += 1;
        } else if let Some(document) = self.documents.get_mut(place) {
            document.description = public_text(&document.description);
            document.file.name = public_text(&document.file.name);
            document.proof = Some(proof);
        }
    }

    fn images_of(&mut self, json: &str, existing: &ExistingIds, flights: &KnownFlights<'_>, export: &PilotExport) {
        let outline: Result<FlightOutline, _> = serde_json::from_str(json);
        let Ok(FlightOutline {
            dpf_id,
            images,
            image_files,
        }) = outline
        else {
            return;
        };
        let Some(flight) = FlightId::parse(&dpf_id) else {
            return;
        };
        for (id, path) in images.iter().zip(image_files) {
            let Some(id) = ImageId::from_client(id) else {
                self.omissions.unreadable += 1;
                continue;
            };
            let waits = export.is_in_other_part(&path);
            if waits || existing.images.contains(&id.key()) || !self.is_imported(Subject::Flight(flight), flights) {
                continue;
            }
            if self.images.len() + self.pages().count() >= MAX_IMAGES {
                self.left += 1;
            } else if self.has_room(path.len()) {
                self.images.push(ForeignImage { id, flight, path });
            }
        }
    }

    /// Drops what omissions its file in the archive (an export can be made without files). A log stays, without its
    /// document.
    fn drop_without_file(&mut self, reader: &mut Reader<'_>) -> Result<(), ReadError> {
        let held = reader.export.files(reader.archive, &self.paths())?;
        let is_held = |path: &String| held.contains_key(path);
        for log in &mut self.logs {
            if log.file.as_ref().is_some_and(|file| !is_held(&file.path)) {
                log.file = None;
                self.omissions.documents += 1;
            }
        }
        let counted = (self.documents.len(), self.images.len());
        self.documents.retain(|document| is_held(&document.file.path));
        for proof in self.documents.iter_mut().filter_map(|document| document.proof.as_mut()) {
            let count = proof.pages.len();
            proof.pages.retain(|path| is_held(path));
            self.omissions.images += count - proof.pages.len();
        }
        self.images.retain(|image| is_held(&image.path));
        self.omissions.documents += counted.0 - self.documents.len();
        self.omissions.images += counted.1 - self.images.len();
        Ok(())
    }
}

//! Flights from files: a pilot uploads logs of radios, drones and apps, reviews the flights found in them, and imports
//! the wanted ones. No flight is created without that review.

mod acceptance;
pub mod api;
mod belongings;
mod carried;
mod copies;
mod decisions;
pub mod doubts;
mod evaluate;
mod exported;
mod gathered;
mod history;
pub mod model;
mod profiles;
mod review;
mod table;

use std::collections::HashMap;

use crate::documents::NewFile;
use crate::flights::origin;
use carried::{Archive, Carried, Kept};
use decisions::Decisions;
pub use evaluate::FILE_MOST_BYTES;
use evaluate::UnreadFile;
use fluglog_accounts::guard::Viewer;
use fluglog_accounts::operation::{Operation, Outcome};
use fluglog_accounts::quotas;
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{Blob, BlobId, EquipmentId, FlightId, ImportId};
use fluglog_base::limits::usage::Reservation;
use fluglog_base::secret::{digest, digest_key};
use fluglog_base::text;
use fluglog_readers::formats::table::{Layout, Mapping};
use fluglog_store::blobs::UncommittedBlobs;
use fluglog_store::findings::Findings;
use fluglog_store::operations::model::Object;
use fluglog_store::{Snapshot, Writer};
use fluglog_web::multipart::{Files, Upload};
use gathered::Gathered;
use history::History;
use model::{Accepted, Choice, EXPIRES_SECONDS, FORGOTTEN_SECONDS, Import, ImportRow, Moved, OPEN_MOST, Shifts};
pub use profiles::profile;
use review::Known;
use table::{ACCEPTED, AnswerRecord, BelongingsRecord, EXPIRED, FileRecord, ImportRecord, OPEN};

/// Limits of one upload: 20 files of 100 MB each, 200 MB together.
pub const FILES: Files = Files {
    field: "files",
    missing: Some(text::IMPORT_FILE_MISSING),
    most: 20,
    too_many: text::IMPORT_TOO_MANY_FILES,
    most_bytes: 209_715_200,
    too_large: text::IMPORT_FILES_TOO_LARGE,
};

/// Evaluates uploaded files. They are kept until the import is accepted, discarded, or a week old; if they hold nothing
/// to import, they aren't kept at all.
///
/// # Errors
/// [`Error::UnsupportedFile`] when no file is of a known format, [`Error::FilesTooLarge`], [`Error::Conflict`] while
/// five imports are open, [`Error::TooManyRequests`] when the request was cancelled, or the disk fails.
pub fn upload(app: &App, operation: Operation, uploads: Vec<Upload>) -> Result<Import> {
    let viewer = operation.viewer();
    check_open(&app.store.read(|data| table::all(data, viewer.user()))?)?;
    let history = History { app, viewer: &viewer };
    let mut gathered = Gathered::default();
    let mut refusal = None;
    let several = uploads.len() > 1;
    for (blob, upload) in (0..).zip(&uploads) {
        let _permit = app.evaluation_permits.acquire_blocking(&operation.requester(), 1)?;
        let bytes = upload.content.bytes();
        if bytes > evaluate::FILE_MOST_BYTES {
            return Err(Error::FilesTooLarge(text::IMPORT_FILE_TOO_LARGE));
        }
        let source = UnreadFile {
            file: upload.content.read()?,
            name: &upload.name,
            bytes,
            sha256: upload.content.sha256(),
        };
        let found = evaluate::evaluate(source, operation.requester().cancellation, history)?;
        for evaluated in found {
            if evaluated.format.is_none() && refusal.is_none() {
                let sentence = Error::UnsupportedFile(evaluated.message.clone());
                refusal = Some(if several {
                    sentence.of_file(&upload.name)
                } else {
                    sentence
                });
            }
            gathered.add(evaluated, blob);
        }
    }
    let (mut record, beside) = gathered.import(app.clock.unix_seconds());
    if record.files.iter().all(|file| file.format.is_none()) {
        return Err(refusal.unwrap_or_else(|| Error::UnsupportedFile(text::IMPORT_UNKNOWN_FILE.to_owned())));
    }
    let has_flights = !record.flights.is_empty() || record.files.iter().any(|file| !file.columns.is_empty());
    let is_empty = !has_flights && record.belongings.is_empty();
    if is_empty {
        return app
            .store
            .read(|data| Known::new(data, &viewer, &app.clock, &[], &[])?.import(None, &record, &[]));
    }
    let mut unnamed = UncommittedBlobs::new(&app.blobs);
    for upload in uploads {
        record.blobs.push(unnamed.keep(upload.content)?.into());
    }
    let id = ImportId::fresh();
    unnamed.settle(operation.write(&app.store, move |writer| {
        check_open(&table::all(writer, viewer.user())?)?;
        let mut record = record.clone();
        for flight in &mut record.flights {
            let place = (flight.file, flight.part);
            let copy = beside.copies.iter().find(|(of, _)| *of == place);
            let (digest, part) = match (copy, record.files.get(flight.file as usize)) {
                (Some((_, copy)), _) => (copy.id, 0),
                (None, file) => (file.map_or(0, |file| file.digest), flight.part),
            };
            flight.was_taken = !origin::of_file(writer, &viewer, digest, part)?.is_empty();
        }
        table::put(writer, viewer.user(), id, &record)?;
        put_tracks(writer, &viewer, id, &beside.tracks)?;
        table::put_profiles(writer, viewer.user(), id, &beside.profiles)?;
        table::put_copies(writer, viewer.user(), id, &beside.copies)?;
        Ok(Outcome::new(Object::of(id.key()), ()))
    }))?;
    get(app, &viewer, id)
}

/// Returns an open import.
///
/// # Errors
/// [`Error::NotFound`] when the viewer has no import with this id, or it was accepted; [`Error::Conflict`] when it
/// expired.
pub fn get(app: &App, viewer: &Viewer, id: ImportId) -> Result<Import> {
    get_shifted(app, viewer, id, Shifts::new())
}

/// Returns an open import with the times of its files shifted: starts, duplicates and the matching open flight follow.
/// Nothing is stored.
///
/// # Errors
/// Like [`get`].
pub fn get_shifted(app: &App, viewer: &Viewer, id: ImportId, shifts: Shifts) -> Result<Import> {
    let now = app.clock.unix_seconds();
    let (record, tracks) = app.store.read(|data| {
        let record = table::find(data, viewer.user(), id)?;
        check_not_expired(&record, now)?;
        Ok((record, table::tracks(data, viewer.user(), id)?))
    })?;
    match record.state {
        OPEN => app.store.read(|data| {
            let copies = table::copies(data, viewer.user(), id)?;
            let known = Known::new(data, viewer, &app.clock, &copies, &[])?.shifted(shifts);
            known.import(Some(id), &record, &tracks)
        }),
        _ => Err(Error::NotFound),
    }
}

/// Returns the open imports, newest first.
pub fn list(app: &App, viewer: &Viewer) -> Result<Vec<ImportRow>> {
    let now = app.clock.unix_seconds();
    let mut imports = app.store.read(|data| table::all(data, viewer.user()))?;
    imports.retain(|(_, import)| import.state == OPEN && !is_old(import, now));
    imports.sort_by_key(|(id, import)| std::cmp::Reverse((import.time, *id)));
    let rows = imports.into_iter().map(|(id, import)| ImportRow {
        dpf_id: id.to_string(),
        time: app.clock.wall_time_at(import.time).to_string(),
        flights: u32::try_from(import.flights.len()).unwrap_or(u32::MAX),
        files: import.files.into_iter().map(|file| file.name).collect(),
    });
    Ok(rows.collect())
}

/// Reads a table of an import again with another mapping, and remembers the mapping for tables with the same headings.
///
/// # Errors
/// Like [`get`]; [`Error::Invalid`] for a file that is no table, or a mapping that has no date or one meaning twice.
pub fn map_columns(app: &App, operation: Operation, id: ImportId, place: u32, mapping: &Mapping) -> Result<Import> {
    let viewer = operation.viewer();
    let now = app.clock.unix_seconds();
    let file = move |record: &ImportRecord| {
        check_usable(record, now)?;
        let file = record.files.get(place as usize).filter(|file| !file.columns.is_empty());
        file.cloned()
            .ok_or_else(|| Error::invalid("file", text::IMPORT_NO_TABLE))
    };
    let found = app.store.read(|data| table::find(data, viewer.user(), id))?;
    let table_file = file(&found)?;
    if !mapping.is_usable()
        || mapping
            .columns
            .keys()
            .any(|index| usize::from(*index) >= table_file.columns.len())
    {
        return Err(Error::invalid("mapping", text::IMPORT_MAPPING_IMPOSSIBLE));
    }
    let evaluated = {
        let _permit = app.evaluation_permits.acquire_blocking(&operation.requester(), 1)?;
        let blob = blob_of(&found, &table_file)?;
        let source = UnreadFile {
            file: app.blobs.read(blob.id)?.0,
            name: &table_file.name,
            bytes: table_file.bytes,
            sha256: blob.sha256,
        };
        evaluate::evaluate_as(
            source,
            table_file.member,
            operation.requester().cancellation,
            History { app, viewer: &viewer },
            mapping,
        )?
    };
    let headings = evaluated.layout.as_ref().map(Layout::headings).unwrap_or_default();
    let json = gathered::json_of(mapping);
    let mut gathered = Gathered::default();
    gathered.add(evaluated, table_file.blob);
    let (part, _) = gathered.import(found.time);
    operation.write(&app.store, move |writer| {
        let mut record = table::find(writer, viewer.user(), id)?;
        file(&record)?;
        let mut tracks = table::tracks(writer, viewer.user(), id)?;
        let mut profiles = table::profiles(writer, viewer.user(), id)?;
        table::remove_drawn(writer, viewer.user(), id)?;
        if let (Some(own), Some(read)) = (record.files.get_mut(place as usize), part.files.first()) {
            own.message.clone_from(&read.message);
            own.surplus = read.surplus;
            own.mapping.clone_from(&json);
        }
        let places = gathered::replace_flights(&mut record, place, &part.flights);
        let moved = |at: &mut u32| places.get(at).inspect(|new| *at = **new).is_some();
        tracks.retain_mut(|(at, _)| moved(at));
        profiles.retain_mut(|(at, _)| moved(at));
        put_tracks(writer, &viewer, id, &tracks)?;
        table::put_profiles(writer, viewer.user(), id, &profiles)?;
        table::put(writer, viewer.user(), id, &record)?;
        table::put_mapping(writer, viewer.user(), &headings, &json)?;
        Ok(Outcome::new(Object::of(id.key()), ()))
    })?;
    get(app, &viewer, id)
}

/// Discards an import with its files.
///
/// # Errors
/// [`Error::NotFound`] when the viewer has no such import.
pub fn discard(app: &App, operation: Operation, id: ImportId) -> Result<()> {
    let viewer = operation.viewer();
    let gone = operation.write(&app.store, move |writer| {
        let record = table::find(writer, viewer.user(), id)?;
        table::remove(writer, viewer.user(), id)?;
        Ok(Outcome::new(Object::NONE, blob_ids(&record)))
    })?;
    app.blobs.remove_all(gone);
    Ok(())
}

/// Imports what the pilot chose, all of it or nothing. Idempotent: repeated with the same choices it returns the same
/// answer.
///
/// # Errors
/// [`Error::NotFound`] for an import or item that isn't the viewer's; [`Error::Invalid`] for wrong choices, no copter
/// or no start; [`Error::Conflict`] when the import expired, or was accepted with other choices; or the disk fails.
pub fn accept(app: &App, operation: Operation, id: ImportId, json: &str) -> Result<Accepted> {
    let viewer = operation.viewer();
    let choices = Choice::read_all(json)?;
    let asked = digest_key(&digest(json)).0;
    let clock = app.clock.clone();
    let now = clock.unix_seconds();
    // A concurrent call that commits first removes the files of the import.
    let hold = app.blobs.hold();
    let found = app.store.read(|data| table::find(data, viewer.user(), id))?;
    let mut unnamed = UncommittedBlobs::new(&app.blobs);
    let mut reserved = Vec::new();
    let prepared = match found.state == OPEN && !is_old(&found, now) {
        true => {
            let mut kept = Kept {
                unnamed: &mut unnamed,
                reserved: &mut reserved,
            };
            Some(prepare(app, &operation, (id, &found), choices, &mut kept)?)
        }
        false => None,
    };
    drop(hold);
    let (answer, gone) = unnamed.settle(operation.write(&app.store, move |writer| {
        let mut record = table::find(writer, viewer.user(), id)?;
        check_not_expired(&record, now)?;
        if let (ACCEPTED, Some(answer)) = (record.state, &record.answer) {
            let unneeded = prepared.as_ref().map(Prepared::blobs).unwrap_or_default();
            return match answer.choices == asked {
                true => Ok(Outcome::new(
                    Object::of(id.key()),
                    (accepted(answer, &record.belongings), unneeded),
                )),
                false => Err(Error::Conflict(text::IMPORT_CLOSED)),
            };
        }
        // If the record differs, the mapping of a table was changed meanwhile.
        let prepared = prepared.as_ref().filter(|_| record == found);
        let prepared = prepared.ok_or_else(|| Error::invalid("choices", text::IMPORT_CHOICES_WRONG))?;
        let files = (prepared.kept.clone(), prepared.carried.clone());
        let written = acceptance::write(writer, &viewer, &clock, &prepared.decisions, files, asked)?;
        let gone = blob_ids(&record).into_iter().chain(written.unneeded).collect();
        let accepted = accepted(&written.answer, &written.moved);
        record = ImportRecord {
            state: ACCEPTED,
            answer: Some(written.answer),
            belongings: written.moved,
            ..ImportRecord::new(record.time)
        };
        table::remove_found(writer, viewer.user(), id)?;
        table::put(writer, viewer.user(), id, &record)?;
        Ok(Outcome::new(Object::of(id.key()), (accepted, gone)))
    }))?;
    reserved.into_iter().flatten().for_each(Reservation::commit);
    app.blobs.remove_all(gone);
    // The uploaded files are gone, so usage may have dropped.
    app.usage.mark_stale(viewer.user());
    Ok(answer)
}

/// Plan of an import, with its files on disk.
struct Prepared {
    decisions: Decisions,
    /// Files that become documents, by their index in the import.
    kept: HashMap<u32, NewFile>,
    carried: Vec<Carried>,
}

impl Prepared {
    fn blobs(&self) -> Vec<BlobId> {
        let kept = self.kept.values().map(|file| file.blob.id);
        kept.chain(self.carried.iter().flat_map(Carried::blobs)).collect()
    }
}

/// Plans all choices, and writes the files to disk that become documents or belong to assets.
fn prepare(
    app: &App,
    operation: &Operation,
    (id, found): (ImportId, &ImportRecord),
    choices: Vec<Choice>,
    files: &mut Kept<'_, '_>,
) -> Result<Prepared> {
    let viewer = operation.viewer();
    let (places, choices) = decisions::belongings_chosen(found, choices)?;
    let _permit = match places.is_empty() {
        true => None,
        false => Some(app.evaluation_permits.acquire_blocking(&operation.requester(), 1)?),
    };
    let file_at = |place: u32| {
        let file = found.files.get(place as usize);
        file.ok_or_else(|| Error::Internal("an import names a missing file".to_owned()))
    };
    let mut archives = Vec::new();
    for place in places {
        let (content, _) = app.blobs.read(blob_of(found, file_at(place)?)?.id)?;
        archives.push(Archive::open(app, viewer, operation.requester().cancellation, content)?);
    }
    let items: Vec<_> = archives.iter().flat_map(|archive| archive.items.clone()).collect();
    let decisions = app
        .store
        .read(|data| decisions::decide(data, &viewer, &app.clock, (id, found), &choices, &items))?;
    let mut carried = Vec::new();
    for archive in archives {
        carried.push(archive.carry(decisions.copies(), files)?);
    }
    let mut kept = HashMap::new();
    for place in decisions::files_to_keep(found, &choices) {
        let file = file_at(place)?;
        files.reserved.push(quotas::reserve_more(app, &viewer, file.bytes)?);
        let (content, _) = app.blobs.read(blob_of(found, file)?.id)?;
        let mut copy = app.blobs.begin()?;
        evaluate::copy(content, file.member, &mut copy)?;
        kept.insert(place, NewFile::store(files.unnamed, file.name.clone(), copy)?);
    }
    Ok(Prepared {
        decisions,
        kept,
        carried,
    })
}

/// Returns the outcome of an accepted import.
///
/// # Errors
/// [`Error::NotFound`] when the viewer has no such import, or it wasn't accepted.
pub fn outcome(app: &App, viewer: &Viewer, id: ImportId) -> Result<Accepted> {
    let record = app.store.read(|data| table::find(data, viewer.user(), id))?;
    let answer = record.answer.as_ref().ok_or(Error::NotFound)?;
    Ok(accepted(answer, &record.belongings))
}

/// Returns whether a file with this digest was read from the admin's drop folder for the viewer already.
///
/// # Errors
/// The database can't be read.
pub fn was_dropped(data: &Snapshot<'_>, viewer: &Viewer, digest: u128) -> Result<bool> {
    table::was_dropped(data, viewer.user(), digest)
}

/// Records the digests of files that were read from the admin's drop folder.
///
/// # Errors
/// The disk fails.
pub fn remember_dropped(app: &App, operation: Operation, digests: Vec<u128>) -> Result<()> {
    let (user, now) = (operation.viewer().user(), app.clock.unix_seconds());
    operation.write(&app.store, move |writer| {
        for digest in &digests {
            table::put_dropped(writer, user, *digest, now)?;
        }
        Ok(Outcome::new(Object::NONE, ()))
    })
}

/// Removes the files of imports that are a week old, and the rest of imports that are two weeks old, of all pilots.
///
/// # Errors
/// The database fails.
pub fn forget_old(app: &App) -> Result<()> {
    let now = app.clock.unix_seconds();
    let old = move |record: &ImportRecord| {
        (record.state == OPEN && is_old(record, now)) || now - record.time > FORGOTTEN_SECONDS
    };
    let any = app
        .store
        .read(|data| Ok(table::of_everyone(data)?.iter().any(|(.., record)| old(record))))?;
    if !any {
        return Ok(());
    }
    let gone = app.store.write(move |writer| {
        let mut gone = Vec::new();
        for (owner, id, mut record) in table::of_everyone(writer)? {
            if !old(&record) {
                continue;
            }
            gone.extend(blob_ids(&record));
            table::remove(writer, owner, id)?;
            if now - record.time <= FORGOTTEN_SECONDS {
                record = ImportRecord {
                    state: EXPIRED,
                    ..ImportRecord::new(record.time)
                };
                table::put(writer, owner, id, &record)?;
            }
        }
        Ok(gone)
    })?;
    app.blobs.remove_all(gone);
    Ok(())
}

/// Returns the blobs of the viewer's imports.
pub fn blobs(data: &Snapshot<'_>, viewer: &Viewer) -> Result<Vec<BlobId>> {
    let imports = table::all(data, viewer.user())?;
    Ok(imports.iter().flat_map(|(_, import)| blob_ids(import)).collect())
}

/// Returns the names and serial numbers by which files call the viewer's items.
pub fn aliases(data: &Snapshot<'_>, viewer: &Viewer) -> Result<Vec<(String, EquipmentId)>> {
    let aliases = table::aliases(data, viewer.user())?.into_iter();
    Ok(aliases
        .map(|alias| (alias.text, EquipmentId::from_key(alias.item)))
        .collect())
}

/// Removes everything of a user who is deleted. The caller removes the returned blobs after the commit.
pub fn forget_user(writer: &Writer<'_>, viewer: &Viewer) -> Result<Vec<BlobId>> {
    let gone = blobs(writer, viewer)?;
    table::remove_all(writer, viewer.user())?;
    Ok(gone)
}

/// Reads every record of the imports to verify the database.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    table::check(data, findings)
}

fn is_old(record: &ImportRecord, now: i64) -> bool {
    now - record.time > EXPIRES_SECONDS
}

fn check_not_expired(record: &ImportRecord, now: i64) -> Result<()> {
    match record.state == EXPIRED || (record.state == OPEN && is_old(record, now)) {
        true => Err(Error::Conflict(text::IMPORT_EXPIRED)),
        false => Ok(()),
    }
}

fn check_usable(record: &ImportRecord, now: i64) -> Result<()> {
    check_not_expired(record, now)?;
    match record.state {
        OPEN => Ok(()),
        _ => Err(Error::NotFound),
    }
}

fn check_open(imports: &[(ImportId, ImportRecord)]) -> Result<()> {
    let open = imports.iter().filter(|(_, import)| import.state == OPEN).count();
    match open >= OPEN_MOST {
        true => Err(Error::Conflict(text::IMPORT_TOO_MANY_OPEN)),
        false => Ok(()),
    }
}

fn accepted(answer: &AnswerRecord, belongings: &[BelongingsRecord]) -> Accepted {
    let ids = |keys: &[u128]| keys.iter().map(|key| FlightId::from_key(*key).to_string()).collect();
    let sum = |count: fn(&BelongingsRecord) -> u32| belongings.iter().map(count).sum();
    Accepted {
        created: ids(&answer.created),
        completed: ids(&answer.completed),
        skipped: answer.skipped,
        moved: Moved {
            items: sum(|one| one.items),
            chargings: sum(|one| one.chargings),
            readings: sum(|one| one.readings),
            sets: sum(|one| one.sets),
            logs: sum(|one| one.logs),
            documents: sum(|one| one.documents),
            images: sum(|one| one.images),
            missing: sum(|one| one.missing),
        },
    }
}

fn blob_ids(record: &ImportRecord) -> Vec<BlobId> {
    record.blobs.iter().map(|blob| BlobId::from_key(blob.id)).collect()
}

fn blob_of(record: &ImportRecord, file: &FileRecord) -> Result<Blob> {
    let blob = record.blobs.get(file.blob as usize);
    let blob = blob.ok_or_else(|| Error::Internal("an import names a missing file".to_owned()))?;
    Ok((*blob).into())
}

fn put_tracks(writer: &Writer<'_>, viewer: &Viewer, id: ImportId, tracks: &[(u32, Vec<(f64, f64)>)]) -> Result<()> {
    tracks
        .iter()
        .try_for_each(|(flight, track)| table::put_track(writer, viewer.user(), id, *flight, track))
}

#[cfg(test)]
mod tests;

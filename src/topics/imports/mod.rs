//! Flights from files: a pilot uploads logs of radios, drones and apps, reviews the flights found in them, and imports
//! the wanted ones. No flight is created without that review.

pub mod api;
mod clips;
mod commit;
mod draft;
mod evaluate;
mod history;
mod logbook;
pub mod model;
mod plan;
mod profiles;
mod review;
pub mod suspect_voltages;
mod table;

use crate::flights::origin;
use commit::Committed;
use draft::DraftBuilder;
pub use evaluate::MAX_FILE_BYTES;
use evaluate::UnreadFile;
use fluglog_accounts::guard::Viewer;
use fluglog_accounts::operation::{Operation, Outcome};
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{BlobId, EquipmentId, ImportId, UserId};
use fluglog_base::limits::tasks::Task;
use fluglog_base::limits::usage::Reservation;
use fluglog_base::secret::{digest, digest_key};
use fluglog_base::text;
use fluglog_readers::formats::table::{Layout, Mapping};
use fluglog_store::Snapshot;
use fluglog_store::blobs::UncommittedBlobs;
use fluglog_store::findings::Findings;
use fluglog_store::operations::model::Object;
use fluglog_web::multipart::{Files, Upload};
use history::History;
use logbook::staged::Destination;
use model::{Accepted, Choice, FORGOTTEN_SECONDS, Import, ImportRow, MAX_OPEN, Shifts};
pub use profiles::profile;
use review::Matcher;
pub use table::forget;
use table::{EXPIRED, ImportRecord, OPEN};

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
    let mut read = Vec::new();
    let mut refusal = None;
    let several = uploads.len() > 1;
    for (blob, upload) in (0..).zip(&uploads) {
        let _permit = app.evaluation_permits.acquire_blocking(&operation.requester(), 1)?;
        let bytes = upload.content.bytes();
        if bytes > evaluate::MAX_FILE_BYTES {
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
            read.push((blob, evaluated));
        }
    }
    clips::join(&mut read);
    let mut builder = DraftBuilder::default();
    for (blob, evaluated) in read {
        builder.add(evaluated, blob);
    }
    let mut draft = builder.build(app.clock.unix_seconds());
    let record = &draft.record;
    if record.files.iter().all(|file| file.format.is_none()) {
        return Err(refusal.unwrap_or_else(|| Error::UnsupportedFile(text::IMPORT_UNKNOWN_FILE.to_owned())));
    }
    let has_flights = !record.flights.is_empty() || record.files.iter().any(|file| !file.columns.is_empty());
    if !has_flights && record.assets.is_empty() {
        let matcher = app
            .store
            .read(|data| Matcher::new(data, &viewer, &app.clock, &draft, &[]))?;
        return Ok(matcher.import(None));
    }
    let mut unnamed = UncommittedBlobs::new(&app.blobs);
    for upload in uploads {
        draft.record.blobs.push(unnamed.keep(upload.content)?.into());
    }
    let id = ImportId::fresh();
    unnamed.settle(operation.write(&app.store, move |writer| {
        check_open(&table::all(writer, viewer.user())?)?;
        let mut taken = Vec::with_capacity(draft.record.flights.len());
        for flight in &draft.record.flights {
            let (digest, part) = draft.source(flight);
            taken.push(!origin::of_file(writer, &viewer, digest, part)?.is_empty());
        }
        for (flight, was_taken) in draft.record.flights.iter_mut().zip(taken) {
            flight.was_taken = was_taken;
        }
        table::put_draft(writer, viewer.user(), id, &draft)?;
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
pub(crate) fn get_shifted(app: &App, viewer: &Viewer, id: ImportId, shifts: Shifts) -> Result<Import> {
    let draft = app.store.read(|data| table::draft(data, viewer.user(), id))?;
    draft.record.check_open(app.clock.unix_seconds())?;
    let matcher = app
        .store
        .read(|data| Matcher::new(data, viewer, &app.clock, &draft, &[]))?;
    Ok(matcher.shifted(shifts).import(Some(id)))
}

/// Returns the open imports, newest first.
pub fn list(app: &App, viewer: &Viewer) -> Result<Vec<ImportRow>> {
    let now = app.clock.unix_seconds();
    let mut imports = app.store.read(|data| table::all(data, viewer.user()))?;
    imports.retain(|(_, import)| import.check_open(now).is_ok());
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
pub(crate) fn map_columns(
    app: &App,
    operation: Operation,
    id: ImportId,
    place: u32,
    mapping: &Mapping,
) -> Result<Import> {
    let viewer = operation.viewer();
    let now = app.clock.unix_seconds();
    let file = move |record: &ImportRecord| {
        record.check_open(now)?;
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
        let blob = found.blob(&table_file)?;
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
    // The next list with these headings may be of another year.
    let json = draft::json_of(&Mapping {
        year: None,
        ..mapping.clone()
    });
    let mut builder = DraftBuilder::default();
    builder.add(evaluated, table_file.blob);
    let read = builder.build(found.time).record;
    operation.write(&app.store, move |writer| {
        let mut draft = table::draft(writer, viewer.user(), id)?;
        file(&draft.record)?;
        draft::replace_table(&mut draft, place, &read);
        table::put_draft(writer, viewer.user(), id, &draft)?;
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
        Ok(Outcome::new(Object::NONE, record.blob_ids().collect::<Vec<_>>()))
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
    let chosen = (choices, digest_key(&digest(json)).0, app.clock.unix_seconds());
    // A concurrent call that commits first removes the files of the import.
    let hold = app.blobs.hold();
    let draft = app.store.read(|data| table::draft(data, viewer.user(), id))?;
    let mut destination = Destination {
        unnamed: UncommittedBlobs::new(&app.blobs),
        reserved: Vec::new(),
    };
    let plan = plan::plan(app, &operation, (id, &draft), chosen, &mut destination)?;
    drop(hold);
    let clock = app.clock.clone();
    let Destination { unnamed, reserved } = destination;
    let Committed { answer, unused } = unnamed.settle(operation.write(&app.store, move |writer| {
        let committed = commit::commit(writer, &viewer, &clock, &plan)?;
        Ok(Outcome::new(Object::of(id.key()), committed))
    }))?;
    reserved.into_iter().flatten().for_each(Reservation::commit);
    app.blobs.remove_all(unused);
    // The uploaded files are gone, so usage may have dropped.
    app.usage.mark_stale(viewer.user().into());
    Ok(answer)
}

/// Returns the outcome of an accepted import.
///
/// # Errors
/// [`Error::NotFound`] when the viewer has no such import, or it wasn't accepted.
pub fn outcome(app: &App, viewer: &Viewer, id: ImportId) -> Result<Accepted> {
    app.store.read(|data| {
        let record = table::find(data, viewer.user(), id)?;
        let answer = record.answer.as_ref().ok_or(Error::NotFound)?;
        commit::accepted(data, viewer, answer, &record.assets)
    })
}

/// Returns whether a file with this digest was read from the admin's drop folder for the viewer already.
///
/// # Errors
/// The database can't be read.
pub fn was_read_from_drop_folder(data: &Snapshot<'_>, viewer: &Viewer, digest: u128) -> Result<bool> {
    table::was_read_from_drop_folder(data, viewer.user(), digest)
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
        (record.state == OPEN && record.is_old(now)) || now - record.time > FORGOTTEN_SECONDS
    };
    let mut over = app.store.read(table::of_everyone)?;
    over.retain(|(.., record)| old(record));
    // One in a transaction: what was found in its files has many rows.
    for (owner, id, _) in over {
        let gone = app.store.write_task(Task::Expired, move |writer| {
            let record = match table::find(writer, owner, id) {
                Ok(record) if old(&record) => record,
                Ok(_) | Err(Error::NotFound) => return Ok(Vec::new()),
                Err(error) => return Err(error),
            };
            table::remove(writer, owner, id)?;
            if now - record.time <= FORGOTTEN_SECONDS {
                let expired = ImportRecord {
                    state: EXPIRED,
                    ..ImportRecord::new(record.time)
                };
                table::put(writer, owner, id, &expired)?;
            }
            Ok(record.blob_ids().collect())
        })?;
        app.blobs.remove_all(gone);
    }
    Ok(())
}

/// Returns the blobs of a user's imports.
pub fn blobs(data: &Snapshot<'_>, user: UserId) -> Result<Vec<BlobId>> {
    let imports = table::all(data, user)?;
    Ok(imports.iter().flat_map(|(_, import)| import.blob_ids()).collect())
}

/// Returns the names and serial numbers by which files call the viewer's items.
pub fn aliases(data: &Snapshot<'_>, viewer: &Viewer) -> Result<Vec<(String, EquipmentId)>> {
    let aliases = table::all_aliases(data, viewer.user())?;
    Ok(aliases
        .into_iter()
        .map(|alias| (alias.text, EquipmentId::from_key(alias.item)))
        .collect())
}

/// Reads every record of the imports to verify the database.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    table::check(data, findings)
}

fn check_open(imports: &[(ImportId, ImportRecord)]) -> Result<()> {
    let open = imports.iter().filter(|(_, import)| import.state == OPEN).count();
    match open >= MAX_OPEN {
        true => Err(Error::Conflict(text::IMPORT_TOO_MANY_OPEN)),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests;

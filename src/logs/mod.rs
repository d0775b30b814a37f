//! Log entries on equipment and on flights, with their documents. Knows no flight but its id: the flights say whether there is one.

pub mod api;
pub mod model;
mod table;

use crate::accounts::guard::Viewer;
use crate::accounts::operation::{Done, Operation};
use crate::app::App;
use crate::base::error::Result;
use crate::base::id::{BlobId, EquipmentId, LogId};
use crate::base::time::Clock;
use crate::documents::{self, NewFile};
use crate::equipment;
use crate::operations::model::Object;
use crate::store::blobs::Unnamed;
use crate::store::findings::Findings;
use crate::store::{Snapshot, Writer};
use crate::web::multipart::Upload;
use model::{EquipmentLogs, Log, LogEntries, StoredLog, Subject};

/// A change of a log's document.
pub enum DocumentChange {
    Keep,
    Remove,
    Replace(Upload),
}

/// Adds a log. `check` says whether the viewer has its subject.
///
/// # Errors
/// As `check`, or the disk or the database fails; then nothing of it stays.
pub fn add(
    app: &App,
    operation: Operation,
    subject: Subject,
    entries: LogEntries,
    upload: Option<Upload>,
    check: impl Fn(&Snapshot<'_>) -> Result<()> + Send + 'static,
) -> Result<Log> {
    let viewer = operation.viewer();
    let clock = app.clock.clone();
    let now = clock.unix_seconds();
    let mut unnamed = Unnamed::new(&app.blobs);
    let file = upload
        .map(|upload| NewFile::keep(&mut unnamed, upload.name, upload.content))
        .transpose()?;
    let stored = operation.write(&app.store, move |writer| {
        check(writer)?;
        let document = file
            .clone()
            .map(|file| documents::attach(writer, &viewer, file, now))
            .transpose()?;
        let log = StoredLog {
            id: LogId::fresh(),
            subject,
            entries: entries.clone(),
            created: now,
            document,
        };
        table::put(writer, viewer.user(), &log, None)?;
        Ok(Done::new(
            Object::of(log.id.key()),
            shown(&clock, writer, &viewer, log)?,
        ))
    });
    unnamed.settle(stored)
}

/// Adds a log with a file that is on disk, in the transaction that makes its subject.
pub fn attach(
    writer: &Writer<'_>,
    viewer: &Viewer,
    subject: Subject,
    entries: LogEntries,
    file: NewFile,
    now: i64,
) -> Result<()> {
    let log = StoredLog {
        id: LogId::fresh(),
        subject,
        entries,
        created: now,
        document: Some(documents::attach(writer, viewer, file, now)?),
    };
    table::put(writer, viewer.user(), &log, None)
}

/// Adds a log to an item of equipment.
///
/// # Errors
/// [`crate::base::error::Error::NotYours`] when the viewer has no such item; else as [`add`].
pub fn add_to_item(
    app: &App,
    operation: Operation,
    item: EquipmentId,
    entries: LogEntries,
    upload: Option<Upload>,
) -> Result<Log> {
    let owner = operation.viewer();
    add(app, operation, Subject::Equipment(item), entries, upload, move |data| {
        equipment::find(data, &owner, item).map(drop)
    })
}

/// One log.
///
/// # Errors
/// [`crate::base::error::Error::NotYours`] when the viewer has no such log.
pub fn get(app: &App, viewer: &Viewer, id: LogId) -> Result<Log> {
    app.store.read(|data| {
        let log = table::find(data, viewer.user(), id)?;
        shown(&app.clock, data, viewer, log)
    })
}

/// The logs of an item of equipment.
///
/// # Errors
/// [`crate::base::error::Error::NotYours`] when the viewer has no such item.
pub fn of_item(app: &App, viewer: &Viewer, item: EquipmentId) -> Result<EquipmentLogs> {
    app.store.read(|data| {
        let details = equipment::find(data, viewer, item)?.details;
        Ok(EquipmentLogs {
            name: model::title(&details.model, &details.name),
            equipment_name: details.name,
            logs: of(app, data, viewer, Subject::Equipment(item))?,
        })
    })
}

/// The logs of a subject that is the viewer's, the latest time first.
pub fn of(app: &App, data: &Snapshot<'_>, viewer: &Viewer, subject: Subject) -> Result<Vec<Log>> {
    table::of(data, viewer.user(), subject)?
        .into_iter()
        .map(|log| shown(&app.clock, data, viewer, log))
        .collect()
}

/// All logs of the viewer, in no order that means anything.
pub fn all(data: &Snapshot<'_>, viewer: &Viewer) -> Result<Vec<StoredLog>> {
    table::all(data, viewer.user())
}

/// Changes a log.
///
/// # Errors
/// [`crate::base::error::Error::NotYours`], or the disk or the database fails; then nothing is changed.
pub fn edit(app: &App, operation: Operation, id: LogId, entries: LogEntries, change: DocumentChange) -> Result<Log> {
    let viewer = operation.viewer();
    let clock = app.clock.clone();
    let now = clock.unix_seconds();
    let mut unnamed = Unnamed::new(&app.blobs);
    let removes = !matches!(change, DocumentChange::Keep);
    let file = match change {
        DocumentChange::Replace(upload) => Some(NewFile::keep(&mut unnamed, upload.name, upload.content)?),
        DocumentChange::Keep | DocumentChange::Remove => None,
    };
    let stored = operation.write(&app.store, move |writer| {
        let before = table::find(writer, viewer.user(), id)?;
        let mut log = before.clone();
        log.entries = entries.clone();
        let mut gone = None;
        if removes {
            gone = before
                .document
                .map(|document| documents::detach(writer, &viewer, document))
                .transpose()?;
            log.document = file
                .clone()
                .map(|file| documents::attach(writer, &viewer, file, now))
                .transpose()?;
        }
        table::put(writer, viewer.user(), &log, Some(&before))?;
        Ok(Done::new(
            Object::of(id.key()),
            (shown(&clock, writer, &viewer, log)?, gone),
        ))
    });
    let (log, gone) = unnamed.settle(stored)?;
    app.blobs.remove_all(gone);
    Ok(log)
}

/// Deletes a log with its document.
///
/// # Errors
/// [`crate::base::error::Error::NotYours`] when the viewer has no such log.
pub fn delete(app: &App, operation: Operation, id: LogId) -> Result<()> {
    let viewer = operation.viewer();
    let gone = operation.write(&app.store, move |writer| {
        let log = table::find(writer, viewer.user(), id)?;
        Ok(Done::new(Object::NONE, remove(writer, &viewer, &log)?))
    })?;
    app.blobs.remove_all(gone);
    Ok(())
}

/// Removes all logs of a subject, in the transaction that removes the subject. The blobs are the caller's to remove, once this is
/// committed.
pub fn remove_all(writer: &Writer<'_>, viewer: &Viewer, subject: Subject) -> Result<Vec<BlobId>> {
    let mut gone = Vec::new();
    for log in table::of(writer, viewer.user(), subject)? {
        gone.extend(remove(writer, viewer, &log)?);
    }
    Ok(gone)
}

/// Removes all logs of a user who is deleted; the documents remove theirs themselves.
pub fn forget_user(writer: &Writer<'_>, viewer: &Viewer) -> Result<()> {
    table::remove_all(writer, viewer.user())
}

fn remove(writer: &Writer<'_>, viewer: &Viewer, log: &StoredLog) -> Result<Option<BlobId>> {
    table::remove(writer, viewer.user(), log)?;
    log.document
        .map(|document| documents::detach(writer, viewer, document))
        .transpose()
}

fn shown(clock: &Clock, data: &Snapshot<'_>, viewer: &Viewer, log: StoredLog) -> Result<Log> {
    let document = log
        .document
        .map(|document| documents::attached(data, viewer, document))
        .transpose()?;
    Ok(Log::new(log, document, clock))
}

/// Reads every record of the logs for a check of the data.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    table::check::check(data, findings)
}

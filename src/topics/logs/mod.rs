//! Log entries on equipment and on flights, with their documents. Knows no flight but its id: the flights say whether
//! there is one.

pub mod api;
pub mod model;
mod table;

use crate::documents::{self, NewFile};
use crate::equipment;
use fluglog_accounts::guard::{Access, Right, Viewer};
use fluglog_accounts::operation::{Done, Operation};
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{BlobId, EquipmentId, LogId};
use fluglog_base::input::Fields;
use fluglog_base::page::Page;
use fluglog_base::text;
use fluglog_base::time::Clock;
use fluglog_store::blobs::Unnamed;
use fluglog_store::findings::Findings;
use fluglog_store::operations;
use fluglog_store::operations::model::Object;
use fluglog_store::{Snapshot, Writer};
use fluglog_web::multipart::Upload;
use model::{EquipmentLogs, Log, LogEntries, NEW_LOG, StoredLog, Subject};

/// A change of a log's document.
pub enum DocumentChange {
    Keep,
    Remove,
    Replace(Upload),
}

/// Adds a log. One that is there already is left alone. `check` says whether its subject is there.
///
/// # Errors
/// As `check`, or the disk or the database fails; then nothing of it stays.
pub fn add(
    app: &App,
    operation: Operation,
    subject: Subject,
    id: LogId,
    entries: LogEntries,
    upload: Option<Upload>,
    check: impl Fn(&Snapshot<'_>) -> Result<()> + Send + 'static,
) -> Result<Log> {
    let access = operation.access();
    access.check(Right::Keep)?;
    let clock = app.clock.clone();
    let now = clock.unix_seconds();
    let mut unnamed = Unnamed::new(&app.blobs);
    let file = upload
        .map(|upload| NewFile::keep(&mut unnamed, upload.name, upload.content))
        .transpose()?;
    let blob = file.as_ref().map(|file| file.blob.id);
    let stored = operation.write(&app.store, move |writer| {
        check(writer)?;
        let object = Object::of_gear(access.owner(), id.key(), 0);
        if let Some(there) = there_already(writer, &access, subject, id)? {
            return Ok(Done::new(object, (shown(&clock, writer, &access, there)?, false)));
        }
        let document = file
            .clone()
            .map(|file| documents::attach(writer, &access, file, now))
            .transpose()?;
        let log = StoredLog {
            id,
            subject,
            entries: entries.clone(),
            created: now,
            document,
        };
        table::put(writer, access.owner(), &log, None)?;
        Ok(Done::new(object, (shown(&clock, writer, &access, log)?, true)))
    });
    let (log, is_new) = unnamed.settle(stored)?;
    app.blobs.remove_all(blob.filter(|_| !is_new));
    Ok(log)
}

/// The log of this id, if it is there already and about this.
///
/// # Errors
/// [`Error::NotYours`] for the id of a deleted one, [`Error::Conflict`] for that of a log about something else.
fn there_already(data: &Snapshot<'_>, access: &Access, subject: Subject, id: LogId) -> Result<Option<StoredLog>> {
    match table::find(data, access.owner(), id) {
        Ok(log) if log.subject == subject => Ok(Some(log)),
        Ok(_) => Err(Error::Conflict(text::ID_TAKEN)),
        Err(Error::NotYours) => operations::check_unspent(data, access.owner(), id.key()).map(|()| None),
        Err(other) => Err(other),
    }
}

/// What a form of a new log asks for.
pub enum NewLog {
    /// It was sent before.
    There(Log),
    Fresh(LogId, LogEntries),
}

/// Reads the form of a new log. When that log is there already, the rest of its form isn't looked at.
///
/// # Errors
/// As [`there_already`] and [`LogEntries::read`].
pub fn read_new(app: &App, access: &Access, subject: Subject, fields: &Fields) -> Result<NewLog> {
    let Some(id) = NEW_LOG.read(fields)? else {
        return Ok(NewLog::Fresh(LogId::fresh(), LogEntries::read(fields)?));
    };
    let there = app.store.read(|data| {
        let there = there_already(data, access, subject, id)?;
        there.map(|log| shown(&app.clock, data, access, log)).transpose()
    })?;
    Ok(match there {
        Some(log) => NewLog::There(log),
        None => NewLog::Fresh(id, LogEntries::read(fields)?),
    })
}

/// Adds a log with a file that is on disk, in the transaction that makes its subject.
pub fn attach(
    writer: &Writer<'_>,
    access: &Access,
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
        document: Some(documents::attach(writer, access, file, now)?),
    };
    table::put(writer, access.owner(), &log, None)
}

/// Adds a log of another Fluglog, with a file that is on disk; whether it wasn't there yet. `file` has the time of its
/// upload.
pub fn add_copied(writer: &Writer<'_>, access: &Access, log: StoredLog, file: Option<(NewFile, i64)>) -> Result<bool> {
    access.check(Right::Keep)?;
    match table::find(writer, access.owner(), log.id) {
        Ok(_) => return Ok(false),
        Err(Error::NotYours) => {}
        Err(other) => return Err(other),
    }
    let attached = file.map(|(file, uploaded)| documents::attach(writer, access, file, uploaded));
    let document = attached.transpose()?;
    table::put(writer, access.owner(), &StoredLog { document, ..log }, None)?;
    Ok(true)
}

/// Adds a log to an item of equipment.
///
/// # Errors
/// [`Error::NotYours`] when there is no such item; else as [`add`].
pub fn add_to_item(
    app: &App,
    operation: Operation,
    item: EquipmentId,
    id: LogId,
    entries: LogEntries,
    upload: Option<Upload>,
) -> Result<Log> {
    let access = operation.access();
    add(
        app,
        operation,
        Subject::Equipment(item),
        id,
        entries,
        upload,
        move |data| equipment::find(data, &access, item).map(drop),
    )
}

/// One log.
///
/// # Errors
/// [`Error::NotYours`] when there is no such log.
pub fn get(app: &App, access: &Access, id: LogId) -> Result<Log> {
    app.store.read(|data| {
        let log = table::find(data, access.owner(), id)?;
        shown(&app.clock, data, access, log)
    })
}

/// The logs of an item of equipment: their heading, and their ids on this page, the latest time first.
///
/// # Errors
/// [`Error::NotYours`] when there is no such item.
pub fn of_item(
    app: &App,
    access: &Access,
    item: EquipmentId,
    page: Page<LogId>,
) -> Result<(EquipmentLogs, Vec<LogId>)> {
    app.store.read(|data| {
        let details = equipment::find(data, access, item)?.details;
        let empty = EquipmentLogs {
            name: model::title(&details.model, &details.name),
            equipment_name: details.name,
            logs: Vec::new(),
        };
        Ok((empty, page.of(ids(data, access, Subject::Equipment(item))?, |id| *id)?))
    })
}

/// The logs of a subject that is there, the latest time first.
pub fn ids(data: &Snapshot<'_>, access: &Access, subject: Subject) -> Result<Vec<LogId>> {
    table::ids(data, access.owner(), subject)
}

/// These logs, without those that aren't there.
pub fn some(data: &Snapshot<'_>, access: &Access, clock: &Clock, ids: &[LogId]) -> Result<Vec<Log>> {
    let logs = table::some(data, access.owner(), ids)?;
    logs.into_iter().map(|log| shown(clock, data, access, log)).collect()
}

/// All logs of the access, the latest time first.
pub fn all(data: &Snapshot<'_>, access: &Access) -> Result<Vec<LogId>> {
    table::all(data, access.owner())
}

/// A log as it is stored.
///
/// # Errors
/// [`Error::NotYours`] when it isn't there.
pub fn stored(data: &Snapshot<'_>, access: &Access, id: LogId) -> Result<StoredLog> {
    table::find(data, access.owner(), id)
}

/// Changes a log.
///
/// # Errors
/// [`Error::NotYours`], or the disk or the database fails; then nothing is changed.
pub fn edit(app: &App, operation: Operation, id: LogId, entries: LogEntries, change: DocumentChange) -> Result<Log> {
    let access = operation.access();
    access.check(Right::Keep)?;
    let clock = app.clock.clone();
    let now = clock.unix_seconds();
    let mut unnamed = Unnamed::new(&app.blobs);
    let removes = !matches!(change, DocumentChange::Keep);
    let file = match change {
        DocumentChange::Replace(upload) => Some(NewFile::keep(&mut unnamed, upload.name, upload.content)?),
        DocumentChange::Keep | DocumentChange::Remove => None,
    };
    let stored = operation.write(&app.store, move |writer| {
        let before = table::find(writer, access.owner(), id)?;
        let mut log = before.clone();
        log.entries = entries.clone();
        let mut gone = None;
        if removes {
            gone = before
                .document
                .map(|document| documents::detach(writer, &access, document))
                .transpose()?;
            log.document = file
                .clone()
                .map(|file| documents::attach(writer, &access, file, now))
                .transpose()?;
        }
        table::put(writer, access.owner(), &log, Some(&before))?;
        Ok(Done::new(
            Object::of_gear(access.owner(), id.key(), 0),
            (shown(&clock, writer, &access, log)?, gone),
        ))
    });
    let (log, gone) = unnamed.settle(stored)?;
    app.blobs.remove_all(gone);
    Ok(log)
}

/// Deletes a log with its document.
///
/// # Errors
/// [`Error::NotYours`] when there is no such log.
pub fn delete(app: &App, operation: Operation, id: LogId) -> Result<()> {
    let access = operation.access();
    access.check(Right::Keep)?;
    let now = app.clock.unix_seconds();
    let gone = operation.write(&app.store, move |writer| {
        let log = table::find(writer, access.owner(), id)?;
        operations::spend_id(writer, access.owner(), id.key(), now)?;
        Ok(Done::new(Object::NONE, remove(writer, &access, &log)?))
    })?;
    app.blobs.remove_all(gone);
    Ok(())
}

/// Removes all logs of a subject, in the transaction that removes the subject. The blobs are the caller's to remove,
/// once this is committed.
pub fn remove_all(writer: &Writer<'_>, access: &Access, subject: Subject) -> Result<Vec<BlobId>> {
    let mut gone = Vec::new();
    let ids = table::ids(writer, access.owner(), subject)?;
    for log in table::some(writer, access.owner(), &ids)? {
        gone.extend(remove(writer, access, &log)?);
    }
    Ok(gone)
}

/// Removes all logs of a user who is deleted; the documents remove theirs themselves.
pub fn forget_user(writer: &Writer<'_>, viewer: &Viewer) -> Result<()> {
    table::remove_all(writer, viewer.user().into())
}

fn remove(writer: &Writer<'_>, access: &Access, log: &StoredLog) -> Result<Option<BlobId>> {
    table::remove(writer, access.owner(), log)?;
    log.document
        .map(|document| documents::detach(writer, access, document))
        .transpose()
}

fn shown(clock: &Clock, data: &Snapshot<'_>, access: &Access, log: StoredLog) -> Result<Log> {
    let document = log
        .document
        .map(|document| documents::attached(data, access, document))
        .transpose()?;
    Ok(Log::new(log, document, clock))
}

/// Reads every record of the logs for a check of the data.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    table::check::check(data, findings)
}

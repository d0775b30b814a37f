//! Log entries about equipment and flights, with their documents. Flights are known by id only: the callers in
//! `flights` check that a flight exists.

pub mod api;
pub mod model;
mod table;

use crate::documents::{self, NewFile};
use crate::equipment::{self, Authored};
use fluglog_accounts::guard::{Access, Right, Viewer};
use fluglog_accounts::operation::{Operation, Outcome};
use fluglog_accounts::{quotas, spaces};
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{BlobId, DocumentId, EquipmentId, LogId, OwnerId};
use fluglog_base::input::Fields;
use fluglog_base::page::Page;
use fluglog_base::text;
use fluglog_base::time::Clock;
use fluglog_store::blobs::UncommittedBlobs;
use fluglog_store::findings::Findings;
use fluglog_store::operations;
use fluglog_store::operations::model::Object;
use fluglog_store::{Snapshot, Writer};
use fluglog_web::multipart::Upload;
use model::{EquipmentLogs, Log, LogEntries, NEW_LOG, StoredLog, Subject};

pub enum DocumentChange {
    Keep,
    Remove,
    Replace(Upload),
}

/// Adds a log. An existing log with the id is returned unchanged. `check` fails if the subject doesn't exist, and
/// returns the access to its owner.
///
/// # Errors
/// An error of `check`. If the disk or the database fails, nothing is stored.
pub fn add(
    app: &App,
    operation: Operation,
    subject: Subject,
    id: LogId,
    entries: LogEntries,
    upload: Option<Upload>,
    check: impl Fn(&Snapshot<'_>) -> Result<Access> + Send + 'static,
) -> Result<Log> {
    let (clock, limit) = (app.clock.clone(), quotas::limit_of_space(app));
    let now = clock.unix_seconds();
    let mut unnamed = UncommittedBlobs::new(&app.blobs);
    let file = upload
        .map(|upload| NewFile::store(&mut unnamed, upload.name, upload.content))
        .transpose()?;
    let blob = file.as_ref().map(|file| file.blob.id);
    let stored = operation.write(&app.store, move |writer| {
        let access = check(writer)?;
        access.check(Right::Use)?;
        let object = Object::of_equipment(access.owner(), id.key(), 0);
        if let Some(there) = find_existing(writer, &access, subject, id)? {
            return Ok(Outcome::new(object, (shown(&clock, writer, &access, there)?, false)));
        }
        let document = file
            .clone()
            .map(|file| attach_within(writer, &access, file, now, limit))
            .transpose()?;
        let log = StoredLog {
            id,
            subject,
            entries: entries.clone(),
            created: now,
            document,
        };
        put_new(writer, &access, &log)?;
        Ok(Outcome::new(object, (shown(&clock, writer, &access, log)?, true)))
    });
    let (log, is_new) = unnamed.settle(stored)?;
    app.blobs.remove_all(blob.filter(|_| !is_new));
    Ok(log)
}

/// Stores a new log, with its author if it is about an item of a space.
fn put_new(writer: &Writer<'_>, access: &Access, log: &StoredLog) -> Result<()> {
    table::put(writer, access.owner(), log, None)?;
    match log.subject {
        Subject::Equipment(item) => equipment::put_author(writer, access, item, Authored::Log(log.id)),
        Subject::Flight(_) => Ok(()),
    }
}

/// Attaches a file to a log. That of an item of a space has to fit into the space's quota.
fn attach_within(
    writer: &Writer<'_>,
    access: &Access,
    file: NewFile,
    now: i64,
    limit: Option<u64>,
) -> Result<DocumentId> {
    if !access.is_own() {
        documents::check_room_of_space(writer, access.owner(), limit, file.bytes)?;
    }
    documents::attach(writer, access, file, now)
}

/// Returns the log with this id if it exists and is about this subject.
///
/// # Errors
/// [`Error::NotFound`] for the id of a deleted log, [`Error::Conflict`] for that of a log about another subject.
fn find_existing(data: &Snapshot<'_>, access: &Access, subject: Subject, id: LogId) -> Result<Option<StoredLog>> {
    match table::find(data, access.owner(), id) {
        Ok(log) if log.subject == subject => Ok(Some(log)),
        Ok(_) => Err(Error::Conflict(text::ID_TAKEN)),
        Err(Error::NotFound) => operations::check_id_unused(data, access.owner(), id.key()).map(|()| None),
        Err(other) => Err(other),
    }
}

/// The form of a new log, read.
pub(crate) enum NewLog {
    /// The log exists: the form was sent before.
    Existing(Log),
    New(LogId, LogEntries),
}

/// Reads the form of a new log. If that log exists already, the other fields aren't checked.
///
/// # Errors
/// As [`find_existing`] and [`LogEntries::read`].
pub(crate) fn read_new(app: &App, access: &Access, subject: Subject, fields: &Fields) -> Result<NewLog> {
    let Some(id) = NEW_LOG.read(fields)? else {
        return Ok(NewLog::New(LogId::fresh(), LogEntries::read(fields)?));
    };
    let there = app.store.read(|data| {
        let there = find_existing(data, access, subject, id)?;
        there.map(|log| shown(&app.clock, data, access, log)).transpose()
    })?;
    Ok(match there {
        Some(log) => NewLog::Existing(log),
        None => NewLog::New(id, LogEntries::read(fields)?),
    })
}

/// Adds a log, with its file if one is on disk, in a transaction of another topic. The file of an item of a space
/// has to fit into `limit`, the quota of spaces.
///
/// # Errors
/// [`Error::QuotaUsedUp`].
pub fn attach(
    writer: &Writer<'_>,
    access: &Access,
    subject: Subject,
    entries: LogEntries,
    file: Option<NewFile>,
    now: i64,
    limit: Option<u64>,
) -> Result<LogId> {
    let attached = file.map(|file| attach_within(writer, access, file, now, limit));
    let log = StoredLog {
        id: LogId::fresh(),
        subject,
        entries,
        created: now,
        document: attached.transpose()?,
    };
    put_new(writer, access, &log)?;
    Ok(log.id)
}

/// Adds a log from another Fluglog instance, with a file that is on disk and the time of its upload in Unix seconds.
/// Returns whether the log is new.
pub fn add_foreign(writer: &Writer<'_>, access: &Access, log: StoredLog, file: Option<(NewFile, i64)>) -> Result<bool> {
    access.check(Right::Maintain)?;
    match table::find(writer, access.owner(), log.id) {
        Ok(_) => return Ok(false),
        Err(Error::NotFound) => {}
        Err(other) => return Err(other),
    }
    let attached = file.map(|(file, uploaded)| documents::attach(writer, access, file, uploaded));
    let document = attached.transpose()?;
    table::put(writer, access.owner(), &StoredLog { document, ..log }, None)?;
    Ok(true)
}

/// Adds a log about an item of equipment.
///
/// # Errors
/// [`Error::NotFound`] when there is no such item; otherwise as [`add`].
pub fn add_to_item(
    app: &App,
    operation: Operation,
    item: EquipmentId,
    id: LogId,
    entries: LogEntries,
    upload: Option<Upload>,
) -> Result<Log> {
    let viewer = operation.viewer();
    add(
        app,
        operation,
        Subject::Equipment(item),
        id,
        entries,
        upload,
        move |data| equipment::access_to(data, &viewer, item),
    )
}

/// Returns a log.
///
/// # Errors
/// [`Error::NotFound`] when there is no such log.
pub fn get(app: &App, access: &Access, id: LogId) -> Result<Log> {
    app.store.read(|data| {
        let log = table::find(data, access.owner(), id)?;
        shown(&app.clock, data, access, log)
    })
}

/// Returns the heading of the logs about an item of equipment, and the ids on this page, latest time first.
///
/// # Errors
/// [`Error::NotFound`] when there is no such item.
pub(crate) fn of_item(
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

/// Returns the ids of the logs about an existing subject, latest time first.
pub fn ids(data: &Snapshot<'_>, access: &Access, subject: Subject) -> Result<Vec<LogId>> {
    table::ids(data, access.owner(), subject)
}

/// Returns the logs with these ids; missing ones are skipped.
pub fn load(data: &Snapshot<'_>, access: &Access, clock: &Clock, ids: &[LogId]) -> Result<Vec<Log>> {
    let logs = table::load(data, access.owner(), ids)?;
    logs.into_iter().map(|log| shown(clock, data, access, log)).collect()
}

/// Returns the bytes of the texts and documents of all logs about an item.
pub(crate) fn bytes_of_item(data: &Snapshot<'_>, access: &Access, item: EquipmentId) -> Result<u64> {
    let ids = table::ids(data, access.owner(), Subject::Equipment(item))?;
    let logs = table::load(data, access.owner(), &ids)?;
    let bytes = logs.into_iter().map(|log| {
        let document = log.document.map(|document| documents::attached(data, access, document));
        Ok(log.entries.info.len() as u64 + document.transpose()?.map_or(0, |document| document.bytes))
    });
    bytes.sum()
}

/// Returns the ids of all logs of the owner, latest time first.
pub fn all(data: &Snapshot<'_>, access: &Access) -> Result<Vec<LogId>> {
    table::all(data, access.owner())
}

/// Returns a log as stored.
///
/// # Errors
/// [`Error::NotFound`] when there is no such log.
pub fn stored(data: &Snapshot<'_>, access: &Access, id: LogId) -> Result<StoredLog> {
    table::find(data, access.owner(), id)
}

/// Returns the access to a log.
///
/// # Errors
/// [`Error::NotFound`] when there is no such log for the viewer.
pub(crate) fn access_to(data: &Snapshot<'_>, viewer: &Viewer, id: LogId) -> Result<Access> {
    spaces::find(data, viewer, |access| {
        table::find(data, access.owner(), id).map(|_| *access)
    })
}

/// Returns a log that the pilot may change.
fn found(data: &Snapshot<'_>, viewer: &Viewer, id: LogId) -> Result<(Access, StoredLog)> {
    let look = |access: &Access| Ok((*access, table::find(data, access.owner(), id)?));
    let (access, log) = spaces::find(data, viewer, look)?;
    match log.subject {
        Subject::Equipment(item) => equipment::check_may_change(data, &access, item, Authored::Log(id))?,
        Subject::Flight(_) => access.check(Right::Maintain)?,
    }
    Ok((access, log))
}

/// Changes a log.
///
/// # Errors
/// [`Error::NotFound`]; the disk or the database fails, then nothing is changed.
pub fn edit(app: &App, operation: Operation, id: LogId, entries: LogEntries, change: DocumentChange) -> Result<Log> {
    let viewer = operation.viewer();
    let (clock, limit) = (app.clock.clone(), quotas::limit_of_space(app));
    let now = clock.unix_seconds();
    let mut unnamed = UncommittedBlobs::new(&app.blobs);
    let removes = !matches!(change, DocumentChange::Keep);
    let file = match change {
        DocumentChange::Replace(upload) => Some(NewFile::store(&mut unnamed, upload.name, upload.content)?),
        DocumentChange::Keep | DocumentChange::Remove => None,
    };
    let stored = operation.write(&app.store, move |writer| {
        let (access, before) = found(writer, &viewer, id)?;
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
                .map(|file| attach_within(writer, &access, file, now, limit))
                .transpose()?;
        }
        table::put(writer, access.owner(), &log, Some(&before))?;
        Ok(Outcome::new(
            Object::of_equipment(access.owner(), id.key(), 0),
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
/// [`Error::NotFound`] when there is no such log.
pub fn delete(app: &App, operation: Operation, id: LogId) -> Result<()> {
    let (viewer, now) = (operation.viewer(), app.clock.unix_seconds());
    let gone = operation.write(&app.store, move |writer| {
        let (access, _) = found(writer, &viewer, id)?;
        Ok(Outcome::new(Object::NONE, delete_within(writer, &access, id, now)?))
    })?;
    app.blobs.remove_all(gone);
    Ok(())
}

/// Like [`delete`], in a transaction of another topic, which removes the blob after the commit.
pub(crate) fn delete_within(writer: &Writer<'_>, access: &Access, id: LogId, now: i64) -> Result<Option<BlobId>> {
    let log = table::find(writer, access.owner(), id)?;
    operations::spend_id(writer, access.owner(), id.key(), now)?;
    remove(writer, access, &log)
}

/// Removes all logs about a subject, in the transaction that removes the subject. The caller removes the blobs after
/// the commit.
pub fn remove_all(writer: &Writer<'_>, access: &Access, subject: Subject) -> Result<Vec<BlobId>> {
    let mut gone = Vec::new();
    let ids = table::ids(writer, access.owner(), subject)?;
    for log in table::load(writer, access.owner(), &ids)? {
        gone.extend(remove(writer, access, &log)?);
    }
    Ok(gone)
}

/// Gives the logs about an item to another owner, with their documents.
///
/// # Errors
/// [`Error::Conflict`] when that owner has another log with the id of one.
pub(crate) fn move_of_item(writer: &Writer<'_>, from: OwnerId, to: OwnerId, item: EquipmentId) -> Result<()> {
    let ids = table::ids(writer, from, Subject::Equipment(item))?;
    for log in table::load(writer, from, &ids)? {
        match table::find(writer, to, log.id) {
            Err(Error::NotFound) => {}
            Ok(_) => return Err(Error::Conflict(text::ID_TAKEN)),
            Err(other) => return Err(other),
        }
        table::remove(writer, from, &log)?;
        table::put(writer, to, &log, None)?;
        if let Some(document) = log.document {
            documents::move_attached(writer, from, to, document)?;
        }
    }
    Ok(())
}

fn remove(writer: &Writer<'_>, access: &Access, log: &StoredLog) -> Result<Option<BlobId>> {
    table::remove(writer, access.owner(), log)?;
    if let Subject::Equipment(item) = log.subject {
        equipment::remove_author(writer, access.owner(), item, Authored::Log(log.id))?;
    }
    log.document
        .map(|document| documents::detach(writer, access, document))
        .transpose()
}

fn shown(clock: &Clock, data: &Snapshot<'_>, access: &Access, log: StoredLog) -> Result<Log> {
    let document = log
        .document
        .map(|document| documents::attached(data, access, document))
        .transpose()?;
    let mine = match log.subject {
        Subject::Equipment(item) => equipment::is_own_entry(data, access, item, Authored::Log(log.id))?,
        Subject::Flight(_) => false,
    };
    Ok(Log {
        mine: mine.then_some(true),
        ..Log::new(log, document, clock)
    })
}

/// Checks every record of the logs.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    table::check::check(data, findings)
}

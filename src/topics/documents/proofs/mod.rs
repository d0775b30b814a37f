//! Proofs: documents in the store with a kind, an end, and pictures of their pages, which a pilot shows on the meadow.
//!
//! A proof has the id of its document, and what it says of itself beside it. No flight is locked by one, and nothing
//! here says what is allowed: it tells what was entered and when that ends.

pub mod api;
pub mod kinds;
pub mod model;
mod operator_id;
mod table;

use super::model::{MAX_DOCUMENT_BYTES, StoredDocument};
use fluglog_accounts::guard::Viewer;
use fluglog_accounts::operation::{Operation, Outcome};
use fluglog_accounts::quotas;
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{BlobId, DocumentId, OwnerId, PageId};
use fluglog_base::limits::usage::Reservation;
use fluglog_base::text;
use fluglog_base::time::Date;
use fluglog_picture::Picture;
use fluglog_store::blobs::UncommittedBlobs;
use fluglog_store::findings::Findings;
use fluglog_store::operations::model::Object;
use fluglog_store::{Snapshot, Writer, guarded};
use fluglog_web::multipart::Upload;
use kinds::ProofRules;
use model::{Damaged, Due, FlightProof, MAX_PAGES_BYTES, MAX_PROOFS, Page, Proof, ProofChanges, StoredProof};
use operator_id::Cut;
pub use table::forget;

/// Name of the form field with the document and its pages.
pub(crate) const FILES: &str = "files";

/// A document to be added as a proof.
pub struct NewProof {
    pub id: DocumentId,
    pub description: String,
    pub changes: ProofChanges,
    pub file: Upload,
    /// Pictures of its pages; none for a document that is a picture itself.
    pub pages: Vec<Upload>,
}

/// Returns all proofs of the viewer with their documents, in no particular order.
pub fn all(data: &Snapshot<'_>, viewer: &Viewer) -> Result<Vec<(StoredProof, StoredDocument)>> {
    of_owner(data, viewer.user().into())
}

/// The proofs of a pilot that can be read, and those that are damaged, which the check names.
struct Readable {
    proofs: Vec<(StoredProof, StoredDocument)>,
    damaged: Vec<Damaged>,
}

/// Some damaged pages make the database panic, which here ends nothing but this read.
fn readable(data: &Snapshot<'_>, viewer: &Viewer) -> Result<Readable> {
    guarded(|| read_what_can_be(data, viewer))
        .unwrap_or_else(|panic| Err(Error::Internal(format!("a read of the proofs ended: {panic}"))))
}

fn read_what_can_be(data: &Snapshot<'_>, viewer: &Viewer) -> Result<Readable> {
    let owner = OwnerId::from(viewer.user());
    match of_owner(data, owner) {
        Err(Error::Internal(_)) => {}
        all => {
            return Ok(Readable {
                proofs: all?,
                damaged: Vec::new(),
            });
        }
    }
    let (stored, damaged) = table::readable(data, owner)?;
    let named = |document: &DocumentId| super::table::find(data, owner, *document).ok();
    let mut damaged: Vec<_> = damaged
        .into_iter()
        .map(|document| Damaged::new(document, named(&document).as_ref()))
        .collect();
    let mut proofs = Vec::new();
    for proof in stored {
        match super::table::find(data, owner, proof.document) {
            Err(Error::NotFound) => {}
            Err(Error::Internal(_)) => damaged.push(Damaged::new(proof.document, None)),
            document => proofs.push((proof, document?)),
        }
    }
    Ok(Readable { proofs, damaged })
}

/// Leaves out a proof whose document was lost with a part of the database.
fn of_owner(data: &Snapshot<'_>, owner: OwnerId) -> Result<Vec<(StoredProof, StoredDocument)>> {
    let proofs = table::all(data, owner)?;
    let with_document = proofs.into_iter().filter_map(|proof| {
        let document = super::table::find(data, owner, proof.document);
        match document {
            Err(Error::NotFound) => None,
            document => Some(document.map(|document| (proof, document))),
        }
    });
    with_document.collect()
}

/// Returns the answer about all proofs of the viewer, the gravest first, before them the damaged ones.
pub(crate) fn list(app: &App, viewer: &Viewer) -> Result<Vec<Proof>> {
    let today = app.clock.now().date();
    app.store.read(|data| {
        let Readable { proofs, damaged } = readable(data, viewer)?;
        let damaged = damaged.iter().map(Proof::damaged);
        Ok(damaged.chain(Proof::all(&proofs, today)).collect())
    })
}

/// Returns what is proposed for each kind today.
pub(crate) fn rules(app: &App) -> Vec<ProofRules> {
    ProofRules::all(app.clock.now().date())
}

/// Returns the answer about one proof.
///
/// # Errors
/// [`Error::NotFound`] when the viewer has no such proof.
pub(crate) fn get(app: &App, viewer: &Viewer, document: DocumentId) -> Result<Proof> {
    let today = app.clock.now().date();
    app.store
        .read(|data| shown(data, viewer.user().into(), document, today))
}

fn shown(data: &Snapshot<'_>, owner: OwnerId, document: DocumentId, today: Date) -> Result<Proof> {
    let id = document.to_string();
    let mut proofs = Proof::all(&of_owner(data, owner)?, today).into_iter();
    proofs.find(|proof| proof.dpf_id == id).ok_or(Error::NotFound)
}

/// Returns the proof of a document that exists already, if there is one.
///
/// # Errors
/// [`Error::NotFound`] for the id of a deleted document, [`Error::Conflict`] for that of one that proves nothing.
fn existing(data: &Snapshot<'_>, owner: OwnerId, id: DocumentId, today: Date) -> Result<Option<Proof>> {
    if super::table::find_existing(data, owner, id)?.is_none() {
        return Ok(None);
    }
    match shown(data, owner, id, today) {
        Err(Error::NotFound) => Err(Error::Conflict(text::ID_TAKEN)),
        proof => proof.map(Some),
    }
}

/// Adds a document and what it proves. An existing proof with the id is returned unchanged.
///
/// # Errors
/// The entries or the pictures break a rule, there are too many proofs, or the disk or the database fails; then nothing
/// is stored.
pub fn add(app: &App, operation: Operation, new: NewProof) -> Result<Proof> {
    let (viewer, today, id) = (operation.viewer(), app.clock.now().date(), new.id);
    let owner = OwnerId::from(viewer.user());
    let (mut proof, cut) = new.changes.applied(id, None)?;
    // Checked before the expensive work, and again within the transaction.
    let there = app.store.read(|data| {
        let there = existing(data, owner, id, today)?;
        if there.is_none() {
            check(data, owner, &proof)?;
        }
        Ok(there)
    })?;
    if let Some(there) = there {
        return Ok(there);
    }
    if new.file.content.bytes() > MAX_DOCUMENT_BYTES {
        return Err(Error::FilesTooLarge(text::FILE_TOO_LARGE));
    }
    let mut unnamed = UncommittedBlobs::new(&app.blobs);
    let own = match new.pages.is_empty() {
        true => {
            let mut file = new.file.content.read()?;
            own_page(app, &operation, &mut unnamed, (&mut file, new.file.content.bytes()))?
        }
        false => None,
    };
    let (page, reserved) = own.unzip();
    proof.pages = pages_of(app, &operation, &mut unnamed, &new.pages)?;
    proof.pages.extend(page);
    let (name, in_name) = operator_id::public_part(&new.file.name);
    let (description, in_description) = operator_id::public_part(&new.description);
    let bytes = new.file.content.bytes();
    let document = StoredDocument {
        id,
        name,
        bytes,
        description,
        uploaded: app.clock.unix_seconds(),
        blob: unnamed.keep(new.file.content)?,
        listed: true,
    };
    let unused: Vec<_> = blobs_of(&proof).chain([document.blob.id]).collect();
    let hint = cut.and(in_name).and(in_description).hint();
    let stored = unnamed.settle(operation.write(&app.store, move |writer| {
        let object = Object::of(id.key());
        if let Some(there) = existing(writer, owner, id, today)? {
            return Ok(Outcome::new(object, (there, false)));
        }
        check(writer, owner, &proof)?;
        super::table::put(writer, owner, &document)?;
        table::put(writer, owner, &proof)?;
        let proof = Proof {
            hint,
            ..shown(writer, owner, id, today)?
        };
        Ok(Outcome::new(object, (proof, true)))
    }));
    let (proof, is_new) = stored?;
    if let Some(reserved) = reserved.flatten().filter(|_| is_new) {
        reserved.commit();
    }
    if !is_new {
        app.blobs.remove_all(unused);
    }
    Ok(proof)
}

/// Changes what a document of the store proves, or says it for the first time.
///
/// # Errors
/// [`Error::NotFound`] if the store has no such document of the viewer; the entries break a rule; there are too many
/// proofs.
pub fn save(app: &App, operation: Operation, id: DocumentId, changes: ProofChanges) -> Result<Proof> {
    let (viewer, today) = (operation.viewer(), app.clock.now().date());
    let owner = OwnerId::from(viewer.user());
    // Checked before the expensive work, and again within the transaction.
    let (document, before) = app.store.read(|data| {
        let document = super::table::find_listed(data, owner, id)?;
        let before = table::find(data, owner, id)?;
        check(data, owner, &changes.applied(id, before.as_ref())?.0)?;
        Ok((document, before))
    })?;
    let mut unnamed = UncommittedBlobs::new(&app.blobs);
    let own = match before {
        Some(_) => None,
        None => {
            let (mut file, bytes) = app.blobs.read(document.blob.id)?;
            own_page(app, &operation, &mut unnamed, (&mut file, bytes))?
        }
    };
    let (page, reserved) = own.unzip();
    let stored = unnamed.settle(operation.write(&app.store, move |writer| {
        let mut document = super::table::find_listed(writer, owner, id)?;
        let before = table::find(writer, owner, id)?;
        let (mut proof, cut) = changes.applied(id, before.as_ref())?;
        let is_first = before.is_none();
        if is_first {
            proof.pages.extend(page);
        }
        check(writer, owner, &proof)?;
        let (name, in_name) = operator_id::public_part(&document.name);
        let (description, in_description) = operator_id::public_part(&document.description);
        if in_name.and(in_description) != Cut::Nothing {
            (document.name, document.description) = (name, description);
            super::table::put(writer, owner, &document)?;
        }
        table::put(writer, owner, &proof)?;
        let proof = Proof {
            hint: cut.and(in_name).and(in_description).hint(),
            ..shown(writer, owner, id, today)?
        };
        Ok(Outcome::new(Object::of(id.key()), (proof, is_first)))
    }));
    let (proof, is_first) = stored?;
    if let Some(reserved) = reserved.flatten().filter(|_| is_first) {
        reserved.commit();
    }
    if !is_first {
        app.blobs.remove_all(page.map(|page| page.blob.id));
    }
    Ok(proof)
}

/// Replaces the pictures of a proof's pages.
///
/// # Errors
/// [`Error::NotFound`] when the viewer has no such proof, an error of [`fluglog_picture::prepare`], or the disk or the
/// database fails.
pub fn save_pages(app: &App, operation: Operation, id: DocumentId, pages: &[Upload]) -> Result<Proof> {
    let (viewer, today) = (operation.viewer(), app.clock.now().date());
    let owner = OwnerId::from(viewer.user());
    let find = move |data: &Snapshot<'_>| table::find(data, owner, id)?.ok_or(Error::NotFound);
    app.store.read(find)?;
    let mut unnamed = UncommittedBlobs::new(&app.blobs);
    let pages = pages_of(app, &operation, &mut unnamed, pages)?;
    let (proof, gone) = unnamed.settle(operation.write(&app.store, move |writer| {
        let before = find(writer)?;
        let gone: Vec<_> = blobs_of(&before).collect();
        let pages = pages.clone();
        table::put(writer, owner, &StoredProof { pages, ..before })?;
        let proof = shown(writer, owner, id, today)?;
        Ok(Outcome::new(Object::of(id.key()), (proof, gone)))
    }))?;
    app.blobs.remove_all(gone);
    Ok(proof)
}

/// Makes a proof an ordinary document again.
///
/// # Errors
/// [`Error::NotFound`] when the viewer has no such proof.
pub fn delete(app: &App, operation: Operation, id: DocumentId) -> Result<()> {
    let owner = OwnerId::from(operation.viewer().user());
    let gone = operation.write(&app.store, move |writer| {
        table::find(writer, owner, id)?.ok_or(Error::NotFound)?;
        Ok(Outcome::new(Object::NONE, remove(writer, owner, id)?))
    })?;
    app.blobs.remove_all(gone);
    Ok(())
}

/// Returns a page of a proof.
///
/// # Errors
/// [`Error::NotFound`] when the viewer has no such proof, or that has no such page.
pub fn page(app: &App, viewer: &Viewer, id: DocumentId, page: PageId) -> Result<Page> {
    let proof = app.store.read(|data| table::find(data, viewer.user().into(), id))?;
    let pages = proof.map(|proof| proof.pages).unwrap_or_default();
    pages.into_iter().find(|one| one.id == page).ok_or(Error::NotFound)
}

/// Returns the viewer's proofs whose end is near or past, the gravest first, each with the last reminder that is
/// reached. Damage is told like what has ended.
pub fn due(data: &Snapshot<'_>, viewer: &Viewer, today: Date) -> Result<Vec<Due>> {
    let Readable { proofs, damaged } = match readable(data, viewer) {
        Err(Error::Internal(_)) => return Ok(vec![Due::all_damaged()]),
        readable => readable?,
    };
    let damaged = damaged.iter().map(Due::damaged);
    Ok(damaged.chain(model::due(&proofs, today)).collect())
}

/// Returns which of the viewer's proofs held on a day, nothing for a pilot without proofs; and whether damage keeps
/// that from being known.
pub(crate) fn held_on(data: &Snapshot<'_>, viewer: &Viewer, day: Date) -> Result<(Vec<FlightProof>, bool)> {
    match readable(data, viewer) {
        Ok(Readable { proofs, damaged }) => Ok((model::held_on(&proofs, day), !damaged.is_empty())),
        Err(Error::Internal(_)) => Ok((Vec::new(), true)),
        Err(error) => Err(error),
    }
}

/// Removes what a document proves, if anything. What renewed it renews the one before it. The caller removes the blobs
/// after the commit.
pub(super) fn remove(writer: &Writer<'_>, owner: OwnerId, id: DocumentId) -> Result<Vec<BlobId>> {
    let Some(proof) = table::find(writer, owner, id)? else {
        return Ok(Vec::new());
    };
    table::remove(writer, owner, id)?;
    let later = table::all(writer, owner)?.into_iter();
    for later in later.filter(|later| later.replaces == Some(id)) {
        let replaces = proof.replaces;
        table::put(writer, owner, &StoredProof { replaces, ..later })?;
    }
    Ok(blobs_of(&proof).collect())
}

/// Returns a new description of a document: that of a proof without the secret end of a number.
pub(super) fn public_description(data: &Snapshot<'_>, owner: OwnerId, id: DocumentId, typed: &str) -> Result<String> {
    Ok(match table::find(data, owner, id)? {
        Some(_) => public_text(typed),
        None => typed.to_owned(),
    })
}

/// Returns a text without the secret ends of numbers in it.
pub(crate) fn public_text(typed: &str) -> String {
    operator_id::public_part(typed).0
}

/// Adds what a new document of another Fluglog instance proves, without what it renews; returns whether there was room.
pub(crate) fn add_foreign(writer: &Writer<'_>, viewer: &Viewer, proof: StoredProof) -> Result<bool> {
    let owner = OwnerId::from(viewer.user());
    let has_room = table::all(writer, owner)?.len() < MAX_PROOFS;
    if has_room {
        table::put(
            writer,
            owner,
            &StoredProof {
                replaces: None,
                ..proof
            },
        )?;
    }
    Ok(has_room)
}

/// Lets a proof renew another one as in the instance that they come from, if both are here and it is possible.
pub(crate) fn link_foreign(writer: &Writer<'_>, viewer: &Viewer, new: DocumentId, old: DocumentId) -> Result<()> {
    let owner = OwnerId::from(viewer.user());
    let Some(proof) = table::find(writer, owner, new)?.filter(|proof| proof.replaces.is_none()) else {
        return Ok(());
    };
    let replaces = (old != new).then_some(old);
    let proof = StoredProof { replaces, ..proof };
    match model::check_replaces(&proof, &table::all(writer, owner)?) {
        Ok(()) => table::put(writer, owner, &proof),
        Err(_) => Ok(()),
    }
}

/// Returns the blobs of all pages of an owner's proofs, and the number of proofs.
pub fn blobs(data: &Snapshot<'_>, owner: OwnerId) -> Result<(usize, Vec<BlobId>)> {
    let proofs = table::all(data, owner)?;
    Ok((proofs.len(), proofs.iter().flat_map(blobs_of).collect()))
}

/// Checks every record of the proofs.
pub(crate) fn check_records(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    table::check::check(data, findings)
}

/// Checks that a proof may be stored beside the others.
fn check(data: &Snapshot<'_>, owner: OwnerId, proof: &StoredProof) -> Result<()> {
    let all = table::all(data, owner)?;
    let is_new = all.iter().all(|other| other.document != proof.document);
    if is_new && all.len() >= MAX_PROOFS {
        return Err(Error::Conflict(text::PROOFS_TOO_MANY));
    }
    model::check_replaces(proof, &all)
}

fn blobs_of(proof: &StoredProof) -> impl Iterator<Item = BlobId> + use<'_> {
    proof.pages.iter().map(|page| page.blob.id)
}

/// Prepares the pictures of pages.
fn pages_of(
    app: &App,
    operation: &Operation,
    unnamed: &mut UncommittedBlobs<'_>,
    uploads: &[Upload],
) -> Result<Vec<Page>> {
    if uploads.iter().map(|page| page.content.bytes()).sum::<u64>() > MAX_PAGES_BYTES {
        return Err(Error::FilesTooLarge(text::PROOF_PAGES_TOO_LARGE));
    }
    let pages = uploads.iter().map(|Upload { name, content }| {
        let requester = operation.requester();
        let memory = &app.picture_memory;
        let picture = fluglog_picture::prepare(memory, &requester, FILES, &mut content.read()?, content.bytes());
        kept(unnamed, &picture.map_err(|error| error.of_file(name))?)
    });
    pages.collect()
}

/// Makes a document that is a picture its own page, with the room for it; `None` for any other document.
fn own_page(
    app: &App,
    operation: &Operation,
    unnamed: &mut UncommittedBlobs<'_>,
    (file, bytes): (&mut (impl std::io::Read + std::io::Seek + Send), u64),
) -> Result<Option<(Page, Option<Reservation>)>> {
    match fluglog_picture::prepare(&app.picture_memory, &operation.requester(), FILES, file, bytes) {
        Ok(picture) => {
            let reserved = quotas::reserve_more(app, &operation.viewer(), picture.content.len() as u64)?;
            Ok(Some((kept(unnamed, &picture)?, reserved)))
        }
        Err(Error::Invalid { .. } | Error::UnsupportedFile(_) | Error::FilesTooLarge(_)) => Ok(None),
        Err(other) => Err(other),
    }
}

/// Stores the picture of a page.
pub(crate) fn kept(unnamed: &mut UncommittedBlobs<'_>, picture: &Picture) -> Result<Page> {
    Ok(Page {
        id: PageId::fresh(),
        format: picture.format,
        blob: unnamed.write(&picture.content)?,
    })
}

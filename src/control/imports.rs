//! Files of the admin's that become an import of a pilot, as if the pilot had sent them.

use std::fs::File;
use std::io::{BufReader, Read, Write};

use serde::{Deserialize, Serialize};

use super::task::{Refusal, Task};
use super::users;
use fluglog_accounts::guard::{self, Viewer};
use fluglog_accounts::operation::Operation;
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::BlobId;
use fluglog_base::limits::usage::Reservation;
use fluglog_base::text;
use fluglog_store::blobs::{BlobWriter, Blobs};
use fluglog_topics::imports::FILES;
use fluglog_topics::imports::model::Import;
use fluglog_topics::{imports, quota};
use fluglog_web::multipart::{Upload, sanitized_name};

/// Bytes that are copied at a time.
const CHUNK_BYTES: usize = 256 * 1024;

/// Looks through files for a pilot, who reviews the flights in them as those of any upload.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ImportFiles {
    pub email: String,
    pub files: Vec<StagedFile>,
}

/// A file in the folder of the blobs: the server may not be allowed to read where the admin has it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct StagedFile {
    pub name: String,
    /// The id of the blob that holds it.
    pub blob: String,
}

/// The findings in the files.
#[derive(Debug, Serialize, Deserialize)]
pub struct Imported {
    pub flights: usize,
    /// Whether there is something to review.
    pub waits: bool,
    /// The names of files, and why there is nothing in them or not everything.
    pub messages: Vec<(String, String)>,
}

impl Task for ImportFiles {
    type Outcome = Imported;

    fn perform(self, app: &App, _: &mut dyn Write) -> std::result::Result<Imported, Refusal> {
        let named = app.store.read(|data| guard::named_by_admin(data, &self.email));
        let viewer = named.map_err(|error| users::about(&self.email, error))?;
        let mut files = Vec::new();
        for StagedFile { name, blob } in self.files {
            let id = BlobId::parse(&blob).ok_or_else(|| Refusal::from(Error::NotFound))?;
            files.push((name, app.blobs.read(id)?.0));
        }
        let import = import(app, viewer, files).map_err(Refusal::of_a_call)?;
        Ok(Imported {
            flights: import.proposals.len(),
            waits: import.dpf_id.is_some(),
            messages: import.files.into_iter().map(|file| (file.name, file.message)).collect(),
        })
    }
}

/// Looks through files for a pilot with the limits of an upload.
///
/// # Errors
/// As [`imports::upload`]; there is no room on the disk or for the pilot.
pub fn import(app: &App, viewer: Viewer, files: Vec<(String, File)>) -> Result<Import> {
    app.blobs.check_space_for_records()?;
    if files.len() > FILES.most {
        return Err(Error::invalid(FILES.field, FILES.too_many));
    }
    let mut uploads = Vec::new();
    let mut left = FILES.most_bytes;
    for (name, file) in files {
        let upload = upload(app, &name, file, left)?;
        left -= upload.content.bytes();
        uploads.push(upload);
    }
    let lengths = uploads.iter().map(|upload| upload.content.bytes());
    let reserved = quota::reserve(app, &viewer, 0, lengths)?;
    let import = imports::upload(app, Operation::not_idempotent(viewer).as_addition(), uploads)?;
    reserved.into_iter().for_each(Reservation::commit);
    Ok(import)
}

/// Remembers which files of the admin's folder were looked through for a pilot.
///
/// # Errors
/// The disk fails.
pub fn remember(app: &App, viewer: Viewer, digests: Vec<u128>) -> Result<()> {
    imports::remember_dropped(app, Operation::not_idempotent(viewer), digests)
}

fn upload(app: &App, name: &str, file: File, most: u64) -> Result<Upload> {
    let content = copy_to_blobs(&app.blobs, file, most)?;
    let name = sanitized_name(name);
    Ok(Upload { name, content })
}

/// A file of the admin's in the folder of the blobs.
///
/// # Errors
/// It has more bytes than `most`, or the disk fails.
pub fn copy_to_blobs(blobs: &Blobs, file: File, most: u64) -> Result<BlobWriter> {
    let mut content = blobs.begin()?;
    // One byte more tells that it is too long.
    let mut reader = BufReader::with_capacity(CHUNK_BYTES, file.take(most + 1));
    let read = content.copy(&mut reader)?;
    read.map_err(|error| Error::Busy(format!("a file to import can't be read: {error}")))?;
    match content.bytes() > most {
        true => Err(Error::FilesTooLarge(text::IMPORT_FILES_TOO_LARGE)),
        false => Ok(content),
    }
}

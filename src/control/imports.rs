//! Imports the admin's files for a pilot, as if the pilot had uploaded them.

use std::fs::File;
use std::io::{BufReader, Read, Write};

use serde::{Deserialize, Serialize};

use super::task::{Refusal, Task};
use super::users;
use fluglog_accounts::guard::{self, Access, Viewer};
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

/// Size of the buffer for copying.
const CHUNK_BYTES: usize = 256 * 1024;

/// Reads files for a pilot, who then reviews the flights found in them.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ImportFiles {
    pub email: String,
    pub files: Vec<StagedFile>,
}

/// A copy of an admin's file in the folder of the blobs: the server may not be allowed to read the original.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct StagedFile {
    pub name: String,
    /// The id of the blob with its content.
    pub blob: String,
}

/// What was found in the files.
#[derive(Debug, Serialize, Deserialize)]
pub struct Imported {
    pub flights: usize,
    /// Whether flights wait for a review.
    pub waits: bool,
    /// Names of files, each with the reason why nothing, or not everything, was read from it.
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

/// Reads files for a pilot, within the limits of an upload.
///
/// # Errors
/// As for [`imports::upload`]; also if there is no room on the disk or for the pilot.
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
    let reserved = quota::reserve(app, &viewer, &[Access::own(&viewer)], 0, lengths)?;
    let import = imports::upload(app, Operation::not_idempotent(viewer).as_addition(), uploads)?;
    reserved.into_iter().for_each(Reservation::commit);
    Ok(import)
}

/// Records which files of `import_dir` have been read for a pilot.
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

/// Copies an admin's file into the folder of the blobs.
///
/// # Errors
/// The file is larger than `most`, or the disk fails.
pub(crate) fn copy_to_blobs(blobs: &Blobs, file: File, most: u64) -> Result<BlobWriter> {
    let mut content = blobs.begin()?;
    // One byte more shows that the file is too long.
    let mut reader = BufReader::with_capacity(CHUNK_BYTES, file.take(most + 1));
    let read = content.copy(&mut reader)?;
    read.map_err(|error| Error::Busy(format!("a file to import can't be read: {error}")))?;
    match content.bytes() > most {
        true => Err(Error::FilesTooLarge(text::IMPORT_FILES_TOO_LARGE)),
        false => Ok(content),
    }
}

//! Assets of an export on their way into the database: read again from the archive, their files written to disk.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::BufReader;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::assets::{self, ArchivedFile, Assets, KnownFlights};
use super::existing::ExistingIds;
use super::foreign::ForeignItem;
use super::reader::Reader;
use crate::documents::NewFile;
use crate::documents::model::MAX_DOCUMENT_BYTES;
use crate::documents::proofs;
use crate::documents::proofs::model::Page;
use fluglog_accounts::guard::Viewer;
use fluglog_accounts::quotas;
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{Blob, BlobId, DocumentId, ImageId};
use fluglog_base::limits::cpu_budget::CpuBudget;
use fluglog_base::limits::permits::{Held, Requester};
use fluglog_base::limits::usage::Reservation;
use fluglog_base::text;
use fluglog_picture::Picture;
use fluglog_picture::format::Format;
use fluglog_readers::formats::pilot_export::{self, PilotExport};
use fluglog_readers::formats::zip::{self, Member};
use fluglog_readers::samples::ReadError;
use fluglog_store::blobs::{BlobWriter, UncommittedBlobs};

/// CPU time for reading an archive, without its pictures.
const MAX_CPU_TIME: Duration = Duration::from_secs(30);
/// Most bytes of all files of an archive, unpacked.
const MAX_FILES_BYTES: u64 = 209_715_200;
const CHUNK_BYTES: usize = 64 * 1024;

/// An archive whose assets are imported.
pub struct Archive<'a> {
    app: &'a App,
    viewer: Viewer,
    cancellation: CancellationToken,
    file: File,
    export: PilotExport,
    pub items: Vec<ForeignItem>,
}

/// Assets with their files on disk.
#[derive(Clone, Default)]
pub(crate) struct StagedAssets {
    pub items: Vec<ForeignItem>,
    pub assets: Assets,
    /// Files by the id of their document or log.
    pub files: HashMap<u128, NewFile>,
    pub pictures: HashMap<ImageId, (Format, Blob, Blob)>,
    /// Pages of proofs by the id of their document.
    pub pages: HashMap<DocumentId, Vec<Page>>,
    /// Number of files that couldn't be read.
    pub missing: u32,
}

impl StagedAssets {
    /// Returns all blobs it has on disk.
    pub fn blobs(&self) -> impl Iterator<Item = BlobId> {
        let files = self.files.values().map(|file| file.blob.id);
        let pictures = self.pictures.values();
        let pages = self.pages.values().flatten().map(|page| page.blob.id);
        files
            .chain(pictures.flat_map(|(_, blob, preview)| [blob.id, preview.id]))
            .chain(pages)
    }
}

/// Destination of the files.
pub struct Destination<'b> {
    pub unnamed: UncommittedBlobs<'b>,
    /// Quota reservations, held until the records of the files are committed.
    pub reserved: Vec<Option<Reservation>>,
}

impl<'a> Archive<'a> {
    /// Opens an archive and reads its items.
    ///
    /// # Errors
    /// The archive can't be read any more.
    pub fn open(app: &'a App, viewer: Viewer, cancellation: &CancellationToken, mut file: File) -> Result<Archive<'a>> {
        let export = pilot_export::find(&mut file).map_err(unreadable)?;
        let mut archive = Archive {
            app,
            viewer,
            cancellation: cancellation.clone(),
            file,
            export: export.ok_or_else(|| unreadable(ReadError::Malformed(0)))?,
            items: Vec::new(),
        };
        (archive.items, _) = archive.read(assets::items)?;
        Ok(archive)
    }

    fn read<T>(&mut self, read: impl FnOnce(&mut Reader<'_>) -> std::result::Result<T, ReadError>) -> Result<T> {
        let budget = CpuBudget::new(&self.cancellation, MAX_CPU_TIME);
        let mut reader = Reader {
            archive: &mut self.file,
            export: &self.export,
            budget: &budget,
        };
        read(&mut reader).map_err(unreadable)
    }

    /// Writes the files of the assets to disk. `coming` are the flights of this import, by their ids in the source
    /// instance. Between two images those go first who wait for the turn of an evaluation.
    ///
    /// # Errors
    /// The archive can't be read any more, the pilot's quota is used up, or the disk fails.
    pub fn stage(
        mut self,
        existing: &ExistingIds,
        coming: impl Iterator<Item = u128>,
        destination: &mut Destination<'_>,
        turn: &mut Option<Held>,
    ) -> Result<StagedAssets> {
        let flights: HashSet<_> = existing.flights.iter().copied().chain(coming).collect();
        let known = KnownFlights {
            available: &flights,
            eventual: &flights,
        };
        let zone = self.app.clock.zone();
        let assets = self.read(|reader| assets::read(reader, existing, &known, zone))?;
        // A file that several assets name is taken once: its bytes came once.
        let mut members = self.export.files(&mut self.file, &assets.paths()).map_err(unreadable)?;
        let mut staged = StagedAssets {
            items: std::mem::take(&mut self.items),
            ..StagedAssets::default()
        };
        let mut left = MAX_FILES_BYTES;
        for (id, ArchivedFile { name, path }) in assets.files_by_id() {
            match self.unpacked(members.remove(path), &mut left, destination)? {
                Some(content) => {
                    let file = NewFile::store(&mut destination.unnamed, name.clone(), content)?;
                    staged.files.insert(id, file);
                }
                None => staged.missing += 1,
            }
        }
        for image in &assets.images {
            self.give_way(turn)?;
            let content = self.unpacked(members.remove(&image.path), &mut left, destination)?;
            match content.map(|content| self.picture(&content)).transpose()?.flatten() {
                Some(picture) => {
                    let blob = destination.unnamed.write(&picture.content)?;
                    let preview = destination.unnamed.write(&picture.preview)?;
                    staged.pictures.insert(image.id, (picture.format, blob, preview));
                }
                None => staged.missing += 1,
            }
        }
        for document in &assets.documents {
            for path in document.proof.iter().flat_map(|proof| &proof.pages) {
                self.give_way(turn)?;
                let content = self.unpacked(members.remove(path), &mut left, destination)?;
                match content.map(|content| self.picture(&content)).transpose()?.flatten() {
                    Some(picture) => {
                        let page = proofs::kept(&mut destination.unnamed, &picture)?;
                        staged.pages.entry(document.id).or_default().push(page);
                    }
                    None => staged.missing += 1,
                }
            }
        }
        Ok(StagedAssets { assets, ..staged })
    }

    /// Lets those go first who wait for the turn of an evaluation.
    fn give_way(&self, turn: &mut Option<Held>) -> Result<()> {
        if let Some(held) = turn.take() {
            let given = self.app.evaluation_permits.give_way(held, &self.requester(), 1);
            *turn = Some(given?);
        }
        Ok(())
    }

    fn requester(&self) -> Requester<'_> {
        Requester {
            pilot: self.viewer.user(),
            cancellation: &self.cancellation,
        }
    }

    /// Unpacks a file of the archive; `None` when that fails.
    fn unpacked(
        &mut self,
        member: Option<Member>,
        left: &mut u64,
        destination: &mut Destination<'_>,
    ) -> Result<Option<BlobWriter>> {
        let Some(member) = member else {
            return Ok(None);
        };
        let mut incoming = self.app.blobs.begin()?;
        let mut archive = BufReader::with_capacity(CHUNK_BYTES, &mut self.file);
        let Ok(mut content) = zip::open(&mut archive, &member, MAX_DOCUMENT_BYTES.min(*left)) else {
            return Ok(None);
        };
        if incoming.copy(&mut content)?.is_err() {
            return Ok(None);
        }
        *left -= incoming.bytes().min(*left);
        destination
            .reserved
            .push(quotas::reserve_more(self.app, &self.viewer, incoming.bytes())?);
        Ok(Some(incoming))
    }

    /// Cleans an image and makes its preview again, because the archive may come from anybody; `None` for a bad image.
    fn picture(&self, content: &BlobWriter) -> Result<Option<Picture>> {
        let requester = self.requester();
        let memory = &self.app.picture_memory;
        match fluglog_picture::prepare(memory, &requester, "files", &mut content.read()?, content.bytes()) {
            Ok(picture) => Ok(Some(picture)),
            Err(Error::Invalid { .. } | Error::UnsupportedFile(_) | Error::FilesTooLarge(_)) => Ok(None),
            Err(other) => Err(other),
        }
    }
}

/// Maps a fault to an error. The archive was read once already, so the cause is time or the disk.
fn unreadable(fault: ReadError) -> Error {
    match fault {
        ReadError::Io(error) => Error::Busy(format!("a file of an import can't be read: {error}")),
        ReadError::Cancelled => Error::Conflict(text::IMPORT_TOO_LONG),
        ReadError::LimitExceeded => Error::Conflict(text::IMPORT_TOO_MUCH),
        ReadError::Malformed(_) => Error::Internal("an export of an import is damaged".to_owned()),
    }
}

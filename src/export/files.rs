//! The paths of the files in the archive.

use std::collections::HashMap;

use super::everything::Everything;
use super::names::Names;
use fluglog_base::id::{Blob, DocumentId, FlightId, PageId};
use fluglog_base::time::Clock;

/// A stored file to be added to the archive.
pub(crate) struct FileEntry {
    /// Path in the archive.
    pub path: String,
    pub blob: Blob,
    /// Time of the upload or of the flight's start, dd.MM.yyyy HH:mm; empty if unknown.
    pub time: String,
}

/// A record of a flight that becomes a file in the archive.
pub(crate) struct RecordEntry {
    /// Path in the archive.
    pub path: String,
    pub flight: FlightId,
    pub what: RecordKind,
}

pub enum RecordKind {
    /// A track, with start and place of its flight.
    Track(String),
    Profile,
}

/// The paths of images, tracks, documents and pages of proofs in the archive.
#[derive(Default)]
pub(crate) struct Paths {
    images: HashMap<String, String>,
    tracks: HashMap<String, String>,
    profiles: HashMap<String, String>,
    documents: HashMap<DocumentId, String>,
    pages: HashMap<PageId, String>,
    pub photo: String,
}

impl Paths {
    /// The path of an image, by its id on the wire.
    pub(crate) fn of_image(&self, id: &str) -> String {
        self.images.get(id).cloned().unwrap_or_default()
    }

    /// The path of a flight's track, by the flight's id on the wire; empty without a track.
    pub fn of_track(&self, flight: &str) -> String {
        self.tracks.get(flight).cloned().unwrap_or_default()
    }

    /// The path of a flight's profile, by the flight's id on the wire; empty without a profile.
    pub(crate) fn of_profile(&self, flight: &str) -> String {
        self.profiles.get(flight).cloned().unwrap_or_default()
    }

    pub fn of_document(&self, id: DocumentId) -> String {
        self.documents.get(&id).cloned().unwrap_or_default()
    }

    pub fn of_page(&self, id: PageId) -> String {
        self.pages.get(&id).cloned().unwrap_or_default()
    }
}

/// Assigns unique paths to all files, tracks and profiles.
pub fn of(everything: &Everything<'_>, clock: &Clock) -> (Paths, Vec<FileEntry>, Vec<RecordEntry>) {
    let mut paths = Paths::default();
    let mut enclosed = Vec::new();
    if let Some(blob) = everything.photo {
        paths.photo = "profilfoto.jpg".to_owned();
        enclosed.push(FileEntry {
            path: paths.photo.clone(),
            blob,
            time: String::new(),
        });
    }
    let mut names = Names::default();
    for image in &everything.images {
        let title = everything.title(image.flight);
        let name = names.take(&format!("{}.{}", title.of_file(), image.format.extension()));
        let path = format!("bilder/{name}");
        paths.images.insert(image.id.to_string(), path.clone());
        enclosed.push(FileEntry {
            path,
            blob: image.blob,
            time: title.start.clone(),
        });
    }
    let mut records = Vec::new();
    let mut names = Names::default();
    for flight in &everything.tracks {
        let title = everything.title(*flight).of_file();
        let path = format!("tracks/{}", names.take(&format!("{title}.gpx")));
        paths.tracks.insert(flight.to_string(), path.clone());
        records.push(RecordEntry {
            path,
            flight: *flight,
            what: RecordKind::Track(title),
        });
    }
    let mut names = Names::default();
    for flight in &everything.profiles {
        let title = everything.title(*flight).of_file();
        let path = format!("verlauf/{}", names.take(&format!("{title}.json")));
        paths.profiles.insert(flight.to_string(), path.clone());
        records.push(RecordEntry {
            path,
            flight: *flight,
            what: RecordKind::Profile,
        });
    }
    documents(everything, clock, &mut paths, &mut enclosed);
    (paths, enclosed, records)
}

/// Assigns paths to the documents, each followed by the pages of what it proves, so that an import in parts takes them
/// together.
fn documents(everything: &Everything<'_>, clock: &Clock, paths: &mut Paths, enclosed: &mut Vec<FileEntry>) {
    let proofs = everything.proofs.iter().map(|(proof, _)| (proof.document, proof));
    let proofs: HashMap<_, _> = proofs.collect();
    let (mut names, mut names_of_pages) = (Names::default(), Names::default());
    for document in &everything.documents {
        let time = clock.wall_time_at(document.uploaded).to_string();
        let path = format!("dokumente/{}", names.take(&document.name));
        paths.documents.insert(document.id, path.clone());
        enclosed.push(FileEntry {
            path,
            blob: document.blob,
            time: time.clone(),
        });
        let pages = proofs.get(&document.id).map_or(&[][..], |proof| &proof.pages);
        let stem = document
            .name
            .rsplit_once('.')
            .map_or(document.name.as_str(), |(stem, _)| stem);
        for (place, page) in (1..).zip(pages) {
            let name = format!("{stem}, Seite {place}.{}", page.format.extension());
            let path = format!("nachweise/{}", names_of_pages.take(&name));
            paths.pages.insert(page.id, path.clone());
            enclosed.push(FileEntry {
                path,
                blob: page.blob,
                time: time.clone(),
            });
        }
    }
}

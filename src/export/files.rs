//! The path of each of a pilot's files in the archive.

use std::collections::HashMap;

use super::everything::Everything;
use super::names::Names;
use crate::base::id::{Blob, DocumentId};
use crate::base::time::Clock;
use crate::flights::model::Flight;

/// A file on its way into the archive.
pub struct Enclosed {
    /// In the archive.
    pub path: String,
    pub blob: Blob,
    /// dd.MM.yyyy HH:mm: of its upload, or of the start of its flight; empty when nobody knows.
    pub time: String,
}

/// The paths of images, tracks and documents in the archive.
#[derive(Default)]
pub struct Paths {
    images: HashMap<String, String>,
    tracks: HashMap<String, String>,
    documents: HashMap<DocumentId, String>,
    pub photo: String,
}

impl Paths {
    /// Of an image, by its id on the wire.
    pub fn of_image(&self, id: &str) -> String {
        self.images.get(id).cloned().unwrap_or_default()
    }

    /// Of the track of a flight, by its id on the wire; empty without one.
    pub fn of_track(&self, flight: &str) -> String {
        self.tracks.get(flight).cloned().unwrap_or_default()
    }

    /// Of a document.
    pub fn of_document(&self, id: DocumentId) -> String {
        self.documents.get(&id).cloned().unwrap_or_default()
    }
}

/// All files, each under a name of its own.
pub fn of(everything: &Everything, clock: &Clock) -> (Paths, Vec<Enclosed>) {
    let mut paths = Paths::default();
    let mut enclosed = Vec::new();
    if let Some(blob) = everything.photo {
        paths.photo = "profilfoto.jpg".to_owned();
        enclosed.push(Enclosed {
            path: paths.photo.clone(),
            blob,
            time: String::new(),
        });
    }
    let flights: HashMap<_, _> = everything
        .flights
        .iter()
        .map(|flight| (flight.dpf_id.as_str(), flight))
        .collect();
    let mut names = Names::default();
    for image in &everything.images {
        let flight = flights.get(image.flight.to_string().as_str());
        let title = flight.map_or(String::new(), |flight| title(flight));
        let time = flight.map_or("", |flight| &flight.start_time);
        let name = names.take(&format!("{title}.{}", image.format.extension()));
        let path = format!("bilder/{name}");
        paths.images.insert(image.id.to_string(), path.clone());
        enclosed.push(Enclosed {
            path,
            blob: image.blob,
            time: time.to_owned(),
        });
    }
    let mut names = Names::default();
    for (id, _) in &everything.tracks {
        let id = id.to_string();
        let flight = flights.get(id.as_str());
        let title = flight.map_or(String::new(), |flight| title(flight));
        paths
            .tracks
            .insert(id, format!("tracks/{}", names.take(&format!("{title}.gpx"))));
    }
    let mut names = Names::default();
    for document in &everything.documents {
        let path = format!("dokumente/{}", names.take(&document.name));
        paths.documents.insert(document.id, path.clone());
        enclosed.push(Enclosed {
            path,
            blob: document.blob,
            time: clock.wall_time_at(document.uploaded).to_string(),
        });
    }
    (paths, enclosed)
}

/// Start and place of a flight.
pub fn title(flight: &Flight) -> String {
    format!("{} {}", sortable(&flight.start_time), flight.location)
        .trim()
        .to_owned()
}

/// `01.03.2026 09:05` → `2026-03-01 09-05`
fn sortable(time: &str) -> String {
    let parts: Vec<_> = time.split(['.', ' ', ':']).collect();
    match parts.as_slice() {
        [day, month, year, hour, minute] => format!("{year}-{month}-{day} {hour}-{minute}"),
        _ => String::new(),
    }
}

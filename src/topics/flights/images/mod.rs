//! Images of flights: at most five each, upright, without metadata, with a small preview for lists.

pub mod model;
mod table;

use fluglog_accounts::guard::Viewer;
use fluglog_accounts::operation::{Operation, Outcome};
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{Blob, BlobId, FlightId, ImageId, UserId};
use fluglog_base::text;
use fluglog_picture::format::Format;
use fluglog_store::blobs::{BlobWriter, UncommittedBlobs};
use fluglog_store::findings::Findings;
use fluglog_store::operations;
use fluglog_store::operations::model::Object;
use fluglog_store::{Snapshot, Writer};
use model::StoredImage;
pub use table::forget;

/// Most images of one flight.
pub const MAX_IMAGES: usize = 5;
/// Most bytes of all images of one upload: 50 MB.
pub(crate) const MAX_UPLOAD_BYTES: u64 = 52_428_800;
/// Name of the form field with the images.
pub(crate) const FIELD: &str = "files";

/// An uploaded picture to be added.
pub struct NewImage {
    pub id: ImageId,
    /// Name of the uploaded file.
    pub name: String,
    pub content: BlobWriter,
}

/// Adds images to a flight, all or none, and returns the ids of all its images.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Invalid`] for more than five, an error of [`fluglog_picture::prepare`], or the disk or
/// the database fails.
pub fn add(app: &App, operation: Operation, flight: FlightId, files: &[NewImage]) -> Result<Vec<ImageId>> {
    let viewer = operation.viewer();
    let ids: Vec<_> = files.iter().map(|file| file.id).collect();
    let fits = |there: usize, new: usize| match there + new <= MAX_IMAGES {
        true => Ok(()),
        false => Err(Error::invalid(FIELD, text::TOO_MANY_IMAGES)),
    };
    // Checked before the expensive work, and again within the transaction.
    let there = app.store.read(|data| {
        let there = find_existing(data, &viewer, flight, &ids)?;
        if there.is_none() {
            fits(table::of(data, viewer.user(), flight)?.len(), files.len())?;
        }
        Ok(there)
    })?;
    if let Some(images) = there {
        return Ok(images);
    }
    let mut unnamed = UncommittedBlobs::new(&app.blobs);
    let mut new = Vec::with_capacity(files.len());
    for NewImage { id, name, content } in files {
        let requester = operation.requester();
        let picture = fluglog_picture::prepare(
            &app.picture_memory,
            &requester,
            FIELD,
            &mut content.read()?,
            content.bytes(),
        );
        // With a single file its name needn't be mentioned.
        let picture = picture.map_err(|error| if files.len() > 1 { error.of_file(name) } else { error })?;
        let (blob, preview) = (unnamed.write(&picture.content)?, unnamed.write(&picture.preview)?);
        new.push((*id, picture.format, blob, preview));
    }
    let unused: Vec<_> = new
        .iter()
        .flat_map(|(_, _, blob, preview)| [blob.id, preview.id])
        .collect();
    let (images, is_new) = unnamed.settle(operation.write(&app.store, move |writer| {
        if let Some(images) = find_existing(writer, &viewer, flight, &ids)? {
            return Ok(Outcome::new(Object::of(flight.key()), (images, false)));
        }
        let there = table::of(writer, viewer.user(), flight)?;
        fits(there.len(), new.len())?;
        let first = there.last().map_or(0, |last| last.place + 1);
        for (place, (id, format, blob, preview)) in (first..).zip(&new) {
            let image = StoredImage {
                id: *id,
                flight,
                place,
                format: *format,
                blob: *blob,
                preview: *preview,
            };
            table::put(writer, viewer.user(), &image)?;
        }
        Ok(Outcome::new(
            Object::of(flight.key()),
            (of(writer, &viewer, flight)?, true),
        ))
    }))?;
    if !is_new {
        app.blobs.remove_all(unused);
    }
    Ok(images)
}

/// Adds an image of another Fluglog instance to a flight; returns whether it is new and the flight had room.
pub fn add_foreign(
    writer: &Writer<'_>,
    viewer: &Viewer,
    flight: FlightId,
    id: ImageId,
    (format, blob, preview): (Format, Blob, Blob),
) -> Result<bool> {
    match table::find(writer, viewer.user(), id) {
        Ok(_) => return Ok(false),
        Err(Error::NotFound) => {}
        Err(other) => return Err(other),
    }
    let there = table::of(writer, viewer.user(), flight)?;
    if there.len() >= MAX_IMAGES {
        return Ok(false);
    }
    let image = StoredImage {
        id,
        flight,
        place: there.last().map_or(0, |last| last.place + 1),
        format,
        blob,
        preview,
    };
    table::put(writer, viewer.user(), &image)?;
    Ok(true)
}

/// Returns all images of a flight, if these are among them already.
///
/// # Errors
/// [`Error::NotFound`] when the viewer has no such flight, or for the id of a deleted image; [`Error::Conflict`] for
/// the id of an image of another flight.
fn find_existing(
    data: &Snapshot<'_>,
    viewer: &Viewer,
    flight: FlightId,
    ids: &[ImageId],
) -> Result<Option<Vec<ImageId>>> {
    super::table::find(data, viewer.user(), flight)?;
    let images = of(data, viewer, flight)?;
    if ids.iter().all(|id| images.contains(id)) {
        return Ok(Some(images));
    }
    for id in ids {
        if table::find(data, viewer.user(), *id).is_ok() {
            return Err(Error::Conflict(text::ID_TAKEN));
        }
        operations::check_id_unused(data, viewer.user().into(), id.key())?;
    }
    Ok(None)
}

/// Deletes an image of a flight, and returns the ids of the remaining ones.
///
/// # Errors
/// [`Error::NotFound`] when the viewer's flight has no such image.
pub fn delete(app: &App, operation: Operation, flight: FlightId, id: ImageId) -> Result<Vec<ImageId>> {
    let viewer = operation.viewer();
    let now = app.clock.unix_seconds();
    let (image, left) = operation.write(&app.store, move |writer| {
        let image = table::find(writer, viewer.user(), id)?;
        if image.flight != flight {
            return Err(Error::NotFound);
        }
        table::remove(writer, viewer.user(), &image)?;
        operations::spend_id(writer, viewer.user().into(), id.key(), now)?;
        Ok(Outcome::new(
            Object::of(flight.key()),
            (image, of(writer, &viewer, flight)?),
        ))
    })?;
    app.blobs.remove_all([image.blob.id, image.preview.id]);
    Ok(left)
}

/// Returns one image.
///
/// # Errors
/// [`Error::NotFound`] when the viewer has no such image.
pub fn get(app: &App, viewer: &Viewer, id: ImageId) -> Result<StoredImage> {
    app.store.read(|data| table::find(data, viewer.user(), id))
}

/// Returns the ids of a flight's images.
///
/// # Errors
/// [`Error::NotFound`] when the viewer has no such flight.
pub fn of_flight(app: &App, viewer: &Viewer, flight: FlightId) -> Result<Vec<ImageId>> {
    app.store.read(|data| {
        super::table::find(data, viewer.user(), flight)?;
        of(data, viewer, flight)
    })
}

/// Returns the ids of a flight's images, in the order in which they were added.
pub fn of(data: &Snapshot<'_>, viewer: &Viewer, flight: FlightId) -> Result<Vec<ImageId>> {
    let images = table::of(data, viewer.user(), flight)?;
    Ok(images.into_iter().map(|image| image.id).collect())
}

/// Returns the first image of each flight.
pub(crate) fn first_of_each(
    data: &Snapshot<'_>,
    viewer: &Viewer,
    flights: impl Iterator<Item = FlightId>,
) -> Result<Vec<Option<ImageId>>> {
    table::first_of_each(data, viewer.user(), flights)
}

/// Returns all images of the viewer, in no particular order.
pub fn all(data: &Snapshot<'_>, viewer: &Viewer) -> Result<Vec<StoredImage>> {
    table::all(data, viewer.user())
}

/// Removes all images of a flight. The caller removes their blobs after the commit.
pub fn remove_all(writer: &Writer<'_>, viewer: &Viewer, flight: FlightId) -> Result<Vec<BlobId>> {
    let mut gone = Vec::new();
    for image in table::of(writer, viewer.user(), flight)? {
        table::remove(writer, viewer.user(), &image)?;
        gone.extend([image.blob.id, image.preview.id]);
    }
    Ok(gone)
}

/// Returns the blobs of all images of a user.
pub fn blobs(data: &Snapshot<'_>, user: UserId) -> Result<Vec<BlobId>> {
    let images = table::all(data, user)?.into_iter();
    Ok(images.flat_map(|image| [image.blob.id, image.preview.id]).collect())
}

/// Reads every record of the images to verify the database.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    table::check::check(data, findings)
}

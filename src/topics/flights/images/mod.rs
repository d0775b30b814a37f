//! The images of flights: at most five each, upright, without metadata, with a small one for lists.

pub mod model;
mod table;

use fluglog_accounts::guard::Viewer;
use fluglog_accounts::operation::{Done, Operation};
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{Blob, BlobId, FlightId, ImageId};
use fluglog_base::text;
use fluglog_picture::format::Format;
use fluglog_store::blobs::{Incoming, Unnamed};
use fluglog_store::findings::Findings;
use fluglog_store::operations;
use fluglog_store::operations::model::Object;
use fluglog_store::{Snapshot, Writer};
use model::StoredImage;

/// Images of one flight.
pub const IMAGES_MOST: usize = 5;
/// All images of one upload together, in bytes: 50 MB.
pub const UPLOAD_MOST_BYTES: u64 = 52_428_800;
/// The field that images come in.
pub const FIELD: &str = "files";

/// A picture that is to be an image.
pub struct NewImage {
    pub id: ImageId,
    /// As its owner called it.
    pub name: String,
    pub content: Incoming,
}

/// Adds images to a flight, all of them or none; the ids of all that it has then.
///
/// # Errors
/// [`Error::NotYours`], [`Error::Invalid`] for more than five, what [`fluglog_picture::prepare`] says, or the disk or
/// the database fails.
pub fn add(app: &App, operation: Operation, flight: FlightId, files: &[NewImage]) -> Result<Vec<ImageId>> {
    let viewer = operation.viewer();
    let ids: Vec<_> = files.iter().map(|file| file.id).collect();
    let fits = |there: usize, new: usize| match there + new <= IMAGES_MOST {
        true => Ok(()),
        false => Err(Error::invalid(FIELD, text::TOO_MANY_IMAGES)),
    };
    // Before the work; and once more when nobody else can add any.
    let there = app.store.read(|data| {
        let there = there_already(data, &viewer, flight, &ids)?;
        if there.is_none() {
            fits(table::of(data, viewer.user(), flight)?.len(), files.len())?;
        }
        Ok(there)
    })?;
    if let Some(images) = there {
        return Ok(images);
    }
    let mut unnamed = Unnamed::new(&app.blobs);
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
        // Of one alone everybody knows which.
        let picture = picture.map_err(|error| if files.len() > 1 { error.of_file(name) } else { error })?;
        let (blob, preview) = (unnamed.write(&picture.content)?, unnamed.write(&picture.preview)?);
        new.push((*id, picture.format, blob, preview));
    }
    let unused: Vec<_> = new
        .iter()
        .flat_map(|(_, _, blob, preview)| [blob.id, preview.id])
        .collect();
    let (images, is_new) = unnamed.settle(operation.write(&app.store, move |writer| {
        if let Some(images) = there_already(writer, &viewer, flight, &ids)? {
            return Ok(Done::new(Object::of(flight.key()), (images, false)));
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
        Ok(Done::new(
            Object::of(flight.key()),
            (of(writer, &viewer, flight)?, true),
        ))
    }))?;
    if !is_new {
        app.blobs.remove_all(unused);
    }
    Ok(images)
}

/// Adds an image of another Fluglog to a flight; whether it wasn't there yet and the flight had room.
pub fn add_copied(
    writer: &Writer<'_>,
    viewer: &Viewer,
    flight: FlightId,
    id: ImageId,
    (format, blob, preview): (Format, Blob, Blob),
) -> Result<bool> {
    match table::find(writer, viewer.user(), id) {
        Ok(_) => return Ok(false),
        Err(Error::NotYours) => {}
        Err(other) => return Err(other),
    }
    let there = table::of(writer, viewer.user(), flight)?;
    if there.len() >= IMAGES_MOST {
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

/// All images of a flight, if these are among them already.
///
/// # Errors
/// [`Error::NotYours`] when the viewer has no such flight, or for the id of a deleted image; [`Error::Conflict`] for
/// that of another one.
fn there_already(
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
        operations::check_unspent(data, viewer.user().into(), id.key())?;
    }
    Ok(None)
}

/// Deletes an image of a flight; the ids of those that it still has.
///
/// # Errors
/// [`Error::NotYours`] when the viewer's flight has no such image.
pub fn delete(app: &App, operation: Operation, flight: FlightId, id: ImageId) -> Result<Vec<ImageId>> {
    let viewer = operation.viewer();
    let now = app.clock.unix_seconds();
    let (image, left) = operation.write(&app.store, move |writer| {
        let image = table::find(writer, viewer.user(), id)?;
        if image.flight != flight {
            return Err(Error::NotYours);
        }
        table::remove(writer, viewer.user(), &image)?;
        operations::spend_id(writer, viewer.user().into(), id.key(), now)?;
        Ok(Done::new(
            Object::of(flight.key()),
            (image, of(writer, &viewer, flight)?),
        ))
    })?;
    app.blobs.remove_all([image.blob.id, image.preview.id]);
    Ok(left)
}

/// One image.
///
/// # Errors
/// [`Error::NotYours`] when the viewer has no such image.
pub fn get(app: &App, viewer: &Viewer, id: ImageId) -> Result<StoredImage> {
    app.store.read(|data| table::find(data, viewer.user(), id))
}

/// The ids of a flight's images.
///
/// # Errors
/// [`Error::NotYours`] when the viewer has no such flight.
pub fn of_flight(app: &App, viewer: &Viewer, flight: FlightId) -> Result<Vec<ImageId>> {
    app.store.read(|data| {
        super::table::find(data, viewer.user(), flight)?;
        of(data, viewer, flight)
    })
}

/// The ids of a flight's images, in the order in which they came.
pub fn of(data: &Snapshot<'_>, viewer: &Viewer, flight: FlightId) -> Result<Vec<ImageId>> {
    let images = table::of(data, viewer.user(), flight)?;
    Ok(images.into_iter().map(|image| image.id).collect())
}

/// The image of each of these flights that came first.
pub fn first_of_each(
    data: &Snapshot<'_>,
    viewer: &Viewer,
    flights: impl Iterator<Item = FlightId>,
) -> Result<Vec<Option<ImageId>>> {
    table::first_of_each(data, viewer.user(), flights)
}

/// All images of the viewer, in no order that means anything.
pub fn all(data: &Snapshot<'_>, viewer: &Viewer) -> Result<Vec<StoredImage>> {
    table::all(data, viewer.user())
}

/// Removes all images of a flight. Their blobs are the caller's to remove, once this is committed.
pub fn remove_all(writer: &Writer<'_>, viewer: &Viewer, flight: FlightId) -> Result<Vec<BlobId>> {
    let mut gone = Vec::new();
    for image in table::of(writer, viewer.user(), flight)? {
        table::remove(writer, viewer.user(), &image)?;
        gone.extend([image.blob.id, image.preview.id]);
    }
    Ok(gone)
}

/// Removes all images of a user who is deleted. Their blobs are the caller's to remove, once this is committed.
pub fn forget_user(writer: &Writer<'_>, viewer: &Viewer) -> Result<Vec<BlobId>> {
    let images = table::all(writer, viewer.user())?;
    table::remove_all(writer, viewer.user())?;
    Ok(images
        .iter()
        .flat_map(|image| [image.blob.id, image.preview.id])
        .collect())
}

/// Reads every record of the images for a check of the data.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    table::check::check(data, findings)
}

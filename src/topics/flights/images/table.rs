//! Records of images, with their index by place.

pub mod check;

use serde::{Deserialize, Serialize};

use super::model::StoredImage;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{Blob, FlightId, ImageId, UserId};
use fluglog_picture::format::Format;
use fluglog_store::blobs::BlobRecord;
use fluglog_store::deletions::Step;
use fluglog_store::{Snapshot, Writer, record, schema, under};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct ImageRecord {
    flight: u128,
    /// Larger for each later image of a flight.
    place: u32,
    format: u8,
    blob: BlobRecord,
    preview: BlobRecord,
}

record!(ImageRecord: (Owner, u128) = IMAGES);

/// Returns an image of a user.
///
/// # Errors
/// [`Error::NotFound`] when this user has no such image.
pub fn find(data: &Snapshot<'_>, owner: UserId, id: ImageId) -> Result<StoredImage> {
    let record = data
        .get::<ImageRecord>((owner.key(), id.key()))?
        .ok_or(Error::NotFound)?;
    stored(id.key(), &record)
}

/// Returns the images of a flight, in the order in which they were added.
pub fn of(data: &Snapshot<'_>, owner: UserId, flight: FlightId) -> Result<Vec<StoredImage>> {
    let (user, flight) = (owner.key(), flight.key());
    let mut places = data.keys_descending(&schema::IMAGES_BY_PLACE, under((user, flight)), usize::MAX)?;
    places.reverse();
    data.get_all::<ImageRecord>(places.iter().map(|(user, .., image)| (*user, *image)))?
        .iter()
        .zip(&places)
        .map(|(record, (.., image))| stored(*image, record))
        .collect()
}

/// Returns the first image of each flight.
pub(crate) fn first_of_each(
    data: &Snapshot<'_>,
    owner: UserId,
    flights: impl Iterator<Item = FlightId>,
) -> Result<Vec<Option<ImageId>>> {
    let places = flights.map(|flight| under((owner.key(), flight.key())));
    let firsts = data.first_keys(&schema::IMAGES_BY_PLACE, places)?.into_iter();
    Ok(firsts
        .map(|first| first.map(|(.., image)| ImageId::from_key(image)))
        .collect())
}

/// Returns all images of a user, in no particular order.
pub fn all(data: &Snapshot<'_>, owner: UserId) -> Result<Vec<StoredImage>> {
    data.of::<ImageRecord>(owner)?
        .iter()
        .map(|((_, image), record)| stored(*image, record))
        .collect()
}

pub fn put(writer: &Writer<'_>, owner: UserId, image: &StoredImage) -> Result<()> {
    writer.insert_key(&schema::IMAGES_BY_PLACE, place(owner, image))?;
    let record = ImageRecord {
        flight: image.flight.key(),
        place: image.place,
        format: image.format.code(),
        blob: image.blob.into(),
        preview: image.preview.into(),
    };
    writer.put((owner.key(), image.id.key()), &record)
}

/// Removes an image. The caller removes its blobs after the commit.
pub fn remove(writer: &Writer<'_>, owner: UserId, image: &StoredImage) -> Result<()> {
    writer.remove_key(&schema::IMAGES_BY_PLACE, place(owner, image))?;
    writer.remove::<ImageRecord>((owner.key(), image.id.key()))
}

/// Removes images of a deleted user.
pub fn forget(writer: &Writer<'_>, step: &mut Step) -> Result<()> {
    step.remove::<ImageRecord>(writer, 1, |_, record| {
        Ok([record.blob, record.preview].map(|blob| Blob::from(blob).id).into())
    })
}

fn place(owner: UserId, image: &StoredImage) -> (u128, u128, u32, u128) {
    (owner.key(), image.flight.key(), image.place, image.id.key())
}

fn stored(id: u128, record: &ImageRecord) -> Result<StoredImage> {
    Ok(StoredImage {
        id: ImageId::from_key(id),
        flight: FlightId::from_key(record.flight),
        place: record.place,
        format: Format::from_code(record.format)
            .ok_or_else(|| Error::Internal("an image has an impossible format".to_owned()))?,
        blob: record.blob.into(),
        preview: record.preview.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_store::Store;
    use fluglog_store::record::{assert_read_from, assert_stored_as};

    #[test]
    fn an_image_keeps_its_bytes() {
        let image = ImageRecord {
            flight: 7,
            place: 3,
            format: 2,
            blob: BlobRecord {
                id: u128::MAX,
                sha256: [1; 32],
            },
            preview: BlobRecord { id: 9, sha256: [2; 32] },
        };
        assert_read_from::<ImageRecord>(
            (1, 2),
            "01070302feffffffffffffffffffffffffffffffff0101010101010101010101010101010101010101010101010101010101010101\
             090202020202020202020202020202020202020202020202020202020202020202442a4ddc",
            &image,
        );
        assert_stored_as::<ImageRecord>(
            (1, 2),
            &image,
            "81070302feffffffffffffffffffffffffffffffff0101010101010101010101010101010101010101010101010101010101010101\
             09020202020202020202020202020202020202020202020202020202020202020200a446bc",
        );
    }

    #[test]
    fn images_stand_in_the_order_in_which_they_came_whatever_their_ids_are() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(directory.path(), true).unwrap();
        let [owner, other] = [1, 2].map(UserId::from_key);
        let blob = |id| BlobRecord { id, sha256: [0; 32] }.into();
        let image = move |place, id| StoredImage {
            id: ImageId::from_key(id),
            flight: FlightId::from_key(5),
            place,
            format: Format::Png,
            blob: blob(id),
            preview: blob(id),
        };
        store
            .write(move |writer| {
                for (place, id) in [(0, 90), (1, 10), (2, 50)] {
                    put(writer, owner, &image(place, id))?;
                    put(writer, other, &image(place, id))?;
                }
                remove(writer, owner, &image(1, 10))
            })
            .unwrap();
        let ids = |owner| {
            let found = store.read(|data| of(data, owner, FlightId::from_key(5))).unwrap();
            found.iter().map(|image| image.id.key()).collect::<Vec<_>>()
        };
        assert_eq!((ids(owner), ids(other)), (vec![90, 50], vec![90, 10, 50]));
    }
}

//! Stored form of images.

use fluglog_base::id::{Blob, FlightId, ImageId};
use fluglog_picture::format::Format;

/// A stored image.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StoredImage {
    pub id: ImageId,
    pub flight: FlightId,
    /// Position among the images of the flight.
    pub place: u32,
    pub format: Format,
    pub blob: Blob,
    /// A JPEG.
    pub preview: Blob,
}

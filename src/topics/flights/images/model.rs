//! Images as they are stored.

use fluglog_base::id::{Blob, FlightId, ImageId};
use fluglog_picture::format::Format;

/// An image as it is stored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StoredImage {
    pub id: ImageId,
    pub flight: FlightId,
    /// Orders the images of a flight.
    pub place: u32,
    pub format: Format,
    pub blob: Blob,
    /// A JPEG.
    pub preview: Blob,
}

//! The formats of pictures, their headers, and reasons for refusal.

use std::borrow::Cow;
use std::io::Cursor;

use fluglog_base::coded;
use fluglog_base::error::Error;
use fluglog_base::limits::cpu_budget::Limited;
use fluglog_base::text;

/// Longer side of a preview, in pixels.
pub(crate) const PREVIEW_SIDE_PIXELS: u32 = 480;

/// Content for a decoder. A single type, because the decoders are compiled once per type.
pub(super) type LimitedSource<'s> = Limited<'s, Cursor<Cow<'s, [u8]>>>;

coded! {
    /// The accepted formats.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Format {
        Jpeg = 0,
        Png = 1,
        WebP = 2,
        Gif = 3,
    }
}

impl Format {
    /// Returns the file extension.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Format::Jpeg => "jpg",
            Format::Png => "png",
            Format::WebP => "webp",
            Format::Gif => "gif",
        }
    }

    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Format::Jpeg => "image/jpeg",
            Format::Png => "image/png",
            Format::WebP => "image/webp",
            Format::Gif => "image/gif",
        }
    }
}

/// Why a picture is refused.
#[derive(Debug, PartialEq)]
pub enum Refusal {
    NotAPicture,
    Heic,
    Avif,
    Svg,
    TooManyPixels,
    TooLarge,
    /// Decoding takes too long, such as many scans over few bytes.
    TooMuchWork,
    Broken,
}

impl Refusal {
    /// Converts the refusal into an error of the picture's field.
    pub fn error(self, field: &'static str) -> Error {
        match self {
            Refusal::NotAPicture => Error::UnsupportedFile(text::NO_PICTURE.to_owned()),
            Refusal::Heic => Error::UnsupportedFile(text::PICTURE_IS_HEIC.to_owned()),
            Refusal::Avif => Error::UnsupportedFile(text::PICTURE_IS_AVIF.to_owned()),
            Refusal::Svg => Error::UnsupportedFile(text::PICTURE_IS_SVG.to_owned()),
            Refusal::TooManyPixels => Error::invalid(field, text::TOO_MANY_PIXELS),
            Refusal::TooLarge => Error::FilesTooLarge(text::PICTURE_TOO_LARGE),
            Refusal::TooMuchWork => Error::invalid(field, text::PICTURE_TOO_MUCH_WORK),
            Refusal::Broken => Error::invalid(field, text::PICTURE_BROKEN),
        }
    }
}

/// The header of a picture, which is read before anything else.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Header {
    pub format: Format,
    pub width: u32,
    pub height: u32,
    /// Memory for decoding, without the file.
    pub decoding_bytes: u64,
    /// Memory of the decoded pixels.
    pub pixels_bytes: u64,
    /// Memory for decoding at preview size, without the file; `None` where that isn't possible.
    pub scaled_bytes: Option<u64>,
    /// Whether it is a JPEG in several scans, each of which refines the one before.
    pub progressive: bool,
    /// Whether its preview is made of one value of each 8 × 8 block.
    pub coarse: bool,
}

/// Creates the header of a picture whose decoder needs `more_bytes` per pixel in addition to `pixel_bytes`.
pub(crate) fn sized(format: Format, width: u32, height: u32, pixel_bytes: u64, more_bytes: u64) -> Header {
    let pixels = u64::from(width) * u64::from(height);
    Header {
        format,
        width,
        height,
        decoding_bytes: pixels.saturating_mul(pixel_bytes + more_bytes),
        pixels_bytes: pixels.saturating_mul(pixel_bytes),
        scaled_bytes: None,
        progressive: false,
        coarse: false,
    }
}

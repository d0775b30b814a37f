//! The kinds of pictures, what their header says, and why one isn't taken.

use std::borrow::Cow;
use std::io::Cursor;

use fluglog_base::error::Error;
use fluglog_base::limits::cpu_budget::Limited;
use fluglog_base::text;

/// The longer side of a preview, in pixels.
pub const PREVIEW_SIDE_PIXELS: u32 = 480;

/// A content on its way to a decoder. One type for all, because each type is another copy of the decoders in the
/// binary.
pub(super) type Metered<'s> = Limited<'s, Cursor<Cow<'s, [u8]>>>;

/// The kinds of pictures that are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Jpeg,
    Png,
    WebP,
    Gif,
}

impl Format {
    const ALL: [Format; 4] = [Format::Jpeg, Format::Png, Format::WebP, Format::Gif];

    /// The code that records hold.
    #[must_use]
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The format with this code.
    #[must_use]
    pub fn from_code(code: u8) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.code() == code)
    }

    /// How names of such files end.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Format::Jpeg => "jpg",
            Format::Png => "png",
            Format::WebP => "webp",
            Format::Gif => "gif",
        }
    }

    /// Its media type.
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

/// Why a picture isn't taken.
#[derive(Debug, PartialEq)]
pub enum Refusal {
    NoPicture,
    Heic,
    Svg,
    TooManyPixels,
    TooLarge,
    /// Many scans over few bytes, or whatever else takes too long.
    TooMuchWork,
    Broken,
}

impl Refusal {
    /// The error of the field that the picture came in.
    pub fn error(self, field: &'static str) -> Error {
        match self {
            Refusal::NoPicture => Error::WrongKindOfFile(text::NO_PICTURE.to_owned()),
            Refusal::Heic => Error::WrongKindOfFile(text::PICTURE_IS_HEIC.to_owned()),
            Refusal::Svg => Error::WrongKindOfFile(text::PICTURE_IS_SVG.to_owned()),
            Refusal::TooManyPixels => Error::invalid(field, text::TOO_MANY_PIXELS),
            Refusal::TooLarge => Error::FilesTooLarge(text::PICTURE_TOO_LARGE),
            Refusal::TooMuchWork => Error::invalid(field, text::PICTURE_TOO_MUCH_WORK),
            Refusal::Broken => Error::invalid(field, text::PICTURE_BROKEN),
        }
    }
}

/// The header of a picture, read before anything else of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Header {
    pub format: Format,
    pub width: u32,
    pub height: u32,
    /// Memory to decode it, without its file.
    pub decoding_bytes: u64,
    /// Memory of the decoded pixels.
    pub pixels_bytes: u64,
    /// Memory to decode it at the size of a preview, without its file, where that can be done.
    pub scaled_bytes: Option<u64>,
    /// A JPEG in several scans, each of which refines the one before.
    pub progressive: bool,
}

/// A picture whose decoder needs so many bytes a pixel besides the pixels themselves.
pub fn sized(format: Format, width: u32, height: u32, pixel_bytes: u64, more_bytes: u64) -> Header {
    let pixels = u64::from(width) * u64::from(height);
    Header {
        format,
        width,
        height,
        decoding_bytes: pixels.saturating_mul(pixel_bytes + more_bytes),
        pixels_bytes: pixels.saturating_mul(pixel_bytes),
        scaled_bytes: None,
        progressive: false,
    }
}

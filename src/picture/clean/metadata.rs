//! Metadata that files carry along.

/// A colour profile has a few hundred bytes to some ten thousand; that of a printer is no picture's.
pub const PROFILE_MOST_BYTES: usize = 128 * 1024;
/// The prefix of EXIF data.
pub const EXIF: &[u8] = b"Exif\0\0";

//! Metadata in picture files.

/// Limit of a colour profile. Profiles in pictures have a few hundred to some ten thousand bytes; larger ones describe
/// printers.
pub(crate) const MAX_PROFILE_BYTES: usize = 128 * 1024;
/// Prefix of EXIF data.
pub const EXIF: &[u8] = b"Exif\0\0";

//! The length of file names. Knows no file.

/// File systems take no longer names, in bytes.
pub const MOST_BYTES: usize = 255;
/// The ending of a name counts as its kind only up to this length.
const EXTENSION_MOST_BYTES: usize = 20;

/// The name with `mark` before its extension, cut in its middle to what fits.
#[must_use]
pub fn cut(name: &str, mark: &str) -> String {
    let (stem, extension) = match name.rfind('.') {
        Some(dot) if dot > 0 && name.len() - dot <= EXTENSION_MOST_BYTES => name.split_at(dot),
        _ => (name, ""),
    };
    let room = MOST_BYTES - mark.len() - extension.len();
    if stem.len() <= room {
        return format!("{stem}{mark}{extension}");
    }
    let stem = &stem[..stem.floor_char_boundary(room)];
    format!("{}{mark}{extension}", stem.trim_end())
}

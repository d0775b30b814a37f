//! Shortens file names. Knows no file.

/// Most bytes in a name on common file systems.
pub const MOST_BYTES: usize = 255;
/// Longest suffix that counts as an extension.
const EXTENSION_MOST_BYTES: usize = 20;

/// Inserts `mark` before the extension, shortening the stem so that the name fits into [`MOST_BYTES`].
#[must_use]
pub fn insert_mark(name: &str, mark: &str) -> String {
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

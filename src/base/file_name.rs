//! Shortens file names. Knows no file.

/// Most bytes in a name on common file systems.
pub const MAX_BYTES: usize = 255;
/// Longest suffix that counts as an extension.
const MAX_EXTENSION_BYTES: usize = 20;

/// Inserts `mark` before the extension, shortening the stem so that the name fits into [`MAX_BYTES`].
#[must_use]
pub fn insert_mark(name: &str, mark: &str) -> String {
    let (stem, extension) = match name.rfind('.') {
        Some(dot) if dot > 0 && name.len() - dot <= MAX_EXTENSION_BYTES => name.split_at(dot),
        _ => (name, ""),
    };
    let room = MAX_BYTES - mark.len() - extension.len();
    if stem.len() <= room {
        return format!("{stem}{mark}{extension}");
    }
    let stem = &stem[..stem.floor_char_boundary(room)];
    format!("{}{mark}{extension}", stem.trim_end())
}

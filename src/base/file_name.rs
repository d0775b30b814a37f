//! File names that any system takes. Knows no file.

/// Most bytes in a name on common file systems.
pub const MAX_BYTES: usize = 255;
/// Longest suffix that counts as an extension.
const MAX_EXTENSION_BYTES: usize = 20;

/// Names that Windows reserves for devices, whatever extension follows.
const RESERVED: [&str; 4] = ["con", "prn", "aux", "nul"];
const RESERVED_WITH_DIGIT: [&str; 2] = ["com", "lpt"];

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

/// Replaces path separators and characters that file systems refuse or shells interpret.
#[must_use]
pub fn safe(wanted: &str) -> String {
    let replaced: String = wanted
        .chars()
        .map(|character| match character {
            '/' | '\\' | '<' | '>' | ':' | '"' | '|' | '?' | '*' => '_',
            // Marks of writing direction can disguise a file's extension.
            '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => '_',
            character if character.is_control() => '_',
            character => character,
        })
        .collect();
    // Windows drops trailing spaces and dots; a leading dot hides a file.
    let trimmed = replaced.trim().trim_end_matches(['.', ' ']);
    let name = match trimmed.strip_prefix('.') {
        Some(rest) => format!("_{rest}"),
        None => trimmed.to_owned(),
    };
    match name.as_str() {
        "" => "Datei".to_owned(),
        name if is_reserved(name) => format!("_{name}"),
        _ => name,
    }
}

fn is_reserved(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_lowercase();
    let numbered = |start: &&str| {
        let rest = stem.strip_prefix(*start);
        rest.is_some_and(|rest| rest.chars().count() == 1 && rest.chars().all(|digit| "0123456789¹²³".contains(digit)))
    };
    RESERVED.contains(&stem.as_str()) || RESERVED_WITH_DIGIT.iter().any(numbered)
}

//! redb's own check of all pages. It may repair what it checks, so it works on an [`Overlay`].

use std::path::Path;

use redb::Builder;

use crate::guard::guarded;
use crate::overlay::Overlay;

/// Reads a whole file and returns whether redb finds it intact. The file isn't changed; nobody may write to it
/// meanwhile.
pub fn is_intact(builder: &Builder, path: &Path) -> bool {
    let checked = guarded(|| -> Result<bool, String> {
        let overlay = Overlay::of(path).map_err(|error| error.to_string())?;
        let mut database = builder
            .create_with_backend(overlay)
            .map_err(|error| error.to_string())?;
        database.check_integrity().map_err(|error| error.to_string())
    });
    matches!(checked, Ok(Ok(true)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use redb::{Database, TableDefinition};

    const TEXTS: TableDefinition<u64, &str> = TableDefinition::new("texts");

    fn database() -> (tempfile::TempDir, std::path::PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("integrity.redb");
        let database = Database::create(&path).unwrap();
        let transaction = database.begin_write().unwrap();
        for number in 0..500 {
            let text = format!("Text {number}").repeat(5);
            transaction
                .open_table(TEXTS)
                .unwrap()
                .insert(number, text.as_str())
                .unwrap();
        }
        transaction.commit().unwrap();
        drop(database);
        (directory, path)
    }

    #[test]
    fn a_file_is_intact_until_a_bit_of_a_row_is_wrong() {
        let (_directory, path) = database();
        assert!(is_intact(&Builder::new(), &path));
        let mut bytes = std::fs::read(&path).unwrap();
        let row = bytes.windows(8).position(|part| part == b"Text 123").unwrap();
        bytes[row] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        assert!(!is_intact(&Builder::new(), &path));
        assert!(std::fs::read(&path).unwrap() == bytes, "looking changed the file");
        assert!(!is_intact(&Builder::new(), &path.with_extension("gone")));
    }
}

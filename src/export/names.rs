//! File names that any system can unpack. Knows no files.

use std::collections::HashSet;

use fluglog_base::file_name::{insert_mark, safe};

/// `01.03.2026 09:05` → `2026-03-01 09-05`, so that sorting by name sorts by time. Empty if `time` is malformed.
pub(crate) fn sortable(time: &str) -> String {
    let parts: Vec<_> = time.split(['.', ' ', ':']).collect();
    match parts.as_slice() {
        [day, month, year, hour, minute] => format!("{year}-{month}-{day} {hour}-{minute}"),
        _ => String::new(),
    }
}

/// The names already used in one folder.
#[derive(Default)]
pub struct Names(HashSet<String>);

impl Names {
    /// Returns a safe name close to `wanted` that is unique in this folder, ignoring case.
    pub fn take(&mut self, wanted: &str) -> String {
        let safe = safe(wanted);
        let mut name = insert_mark(&safe, "");
        let mut number = 2;
        while !self.0.insert(name.to_lowercase()) {
            name = insert_mark(&safe, &format!(" ({number})"));
            number += 1;
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alone(wanted: &str) -> String {
        Names::default().take(wanted)
    }

    #[test]
    fn an_ordinary_name_stays_as_it_is() {
        for name in ["Übersicht.pdf", "a b-c_d (1).tar.gz", "🚁.jpg", "ohne", "a..b"] {
            assert_eq!(alone(name), name);
        }
    }

    #[test]
    fn a_name_is_no_path_and_nothing_that_a_system_refuses() {
        for (wanted, expected) in [
            ("../../etc/passwd", "_._.._etc_passwd"),
            ("C:\\a\\b.txt", "C__a_b.txt"),
            ("..", "Datei"),
            ("", "Datei"),
            (" . ", "Datei"),
            (".profile", "_profile"),
            ("a.", "a"),
            ("a\u{202E}fdp.exe", "a_fdp.exe"),
            ("a\nb", "a_b"),
            ("CON", "_CON"),
            ("nul.tar.gz", "_nul.tar.gz"),
            ("Lpt1.txt", "_Lpt1.txt"),
            ("com¹", "_com¹"),
            ("Com10.txt", "Com10.txt"),
            ("Konsole.txt", "Konsole.txt"),
        ] {
            assert_eq!(alone(wanted), expected, "{wanted:?}");
        }
    }

    #[test]
    fn a_name_that_is_taken_gets_a_number() {
        let mut names = Names::default();
        let taken: Vec<_> = ["a.txt", "A.txt", "a.txt", "ü", "Ü"]
            .map(|name| names.take(name))
            .into();
        assert_eq!(taken, ["a.txt", "A (2).txt", "a (3).txt", "ü", "Ü (2)"]);
    }

    #[test]
    fn a_long_name_is_cut_and_keeps_its_extension() {
        let mut names = Names::default();
        let long = format!("{}.jpeg", "ä".repeat(300));
        let (first, second) = (names.take(&long), names.take(&long));
        assert!(
            first.len() <= 255 && first.len() >= 253 && first.ends_with("ä.jpeg"),
            "{first}"
        );
        assert!(second.len() <= 255 && second.ends_with("ä (2).jpeg"), "{second}");
        assert_eq!(alone(&"x".repeat(300)), "x".repeat(255));
        let odd = format!("a.{}", "y".repeat(300));
        assert_eq!(alone(&odd), odd[..255]);
    }
}

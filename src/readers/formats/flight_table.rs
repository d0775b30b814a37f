//! The table of all fields of flights that a Fluglog writes: its rows, whichever program has saved it since.

use fluglog_base::csv::unescaped;

use super::lines::{Table, Utf8Reader, head_text, separator};
use crate::samples::{ReadError, ReadResult};

/// The heading of the first column; the number is that of the columns' meaning.
pub const FIRST_HEADING: &str = "Fluglog 1";

/// Returns whether these are the headings of such a table.
pub(super) fn is_header(cells: &[String]) -> bool {
    cells.first().is_some_and(|first| first.trim() == FIRST_HEADING)
}

/// A row of the table, with its cells in the order of the headings.
pub struct FlightRow<'r> {
    headings: &'r [String],
    cells: &'r [String],
}

impl FlightRow<'_> {
    /// Returns the text under a heading as it was written; empty if there is no such column.
    #[must_use]
    pub fn cell(&self, heading: &str) -> &str {
        let place = self.headings.iter().position(|name| name == heading);
        let cell = place.and_then(|place| self.cells.get(place));
        cell.map_or("", |cell| unescaped(cell))
    }
}

/// Calls `take` for each row of a table that begins with `head`.
///
/// # Errors
/// See [`ReadError`].
pub fn read(source: Utf8Reader<'_>, head: &[u8], mut take: impl FnMut(FlightRow<'_>) -> ReadResult) -> ReadResult {
    let mut table = Table::new(source, separator_of(&head_text(head)));
    let headings = loop {
        let row = table.next()?.ok_or(ReadError::Malformed(0))?;
        let headings: Vec<_> = row.iter().map(|heading| heading.into_owned()).collect();
        if is_header(&headings) {
            break headings;
        }
    };
    let mut cells = Vec::with_capacity(headings.len());
    while let Some(row) = table.next()? {
        cells.clear();
        cells.extend((0..row.len()).map(|place| row.exact_cell(place).into_owned()));
        // A spreadsheet program keeps the separators of rows that were emptied.
        if cells.iter().any(|cell| !cell.is_empty()) {
            take(FlightRow {
                headings: &headings,
                cells: &cells,
            })?;
        }
    }
    Ok(())
}

/// Returns the separator of the headings, above which there may be a title.
fn separator_of(head: &str) -> u8 {
    let begins = |line: &&str| {
        let first = line.split([',', ';']).next().unwrap_or_default();
        first.trim().trim_matches('"').trim() == FIRST_HEADING
    };
    separator(head.lines().find(begins).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(table: &str, names: [&str; 2]) -> Vec<[String; 2]> {
        let mut found = Vec::new();
        let mut source = table.as_bytes();
        let source = Utf8Reader::new(&mut source, table.as_bytes()).unwrap();
        read(source, table.as_bytes(), |row| {
            found.push(names.map(|name| row.cell(name).to_owned()));
            Ok(())
        })
        .unwrap();
        found
    }

    #[test]
    fn cells_are_found_by_their_headings_and_are_as_they_were_written() {
        for separator in [';', ','] {
            let table =
                "\u{FEFF}Fluglog 1;Ort;Notizen\r\n1;'=1+1;\" zwei\n Zeilen\n\"\r\n;;\r\n2;''+1;'n Abend\r\n3\r\n"
                    .replace(';', &separator.to_string());
            assert_eq!(
                rows(&table, ["Notizen", "Ort"]),
                [[" zwei\n Zeilen\n", "=1+1"], ["'n Abend", "'+1"], ["", ""]].map(|row| row.map(str::to_owned)),
            );
            assert_eq!(rows(&table, ["Fluglog 1", "Farbe"]).len(), 3);
        }
    }

    #[test]
    fn a_title_above_the_headings_does_not_say_what_separates_cells() {
        for separator in [";", ","] {
            for title in [
                "Meine Flüge",
                "2025, 2026, 2027",
                "2025; 2026; 2027",
                "\r\n\"Meine; alle\"",
            ] {
                let table = ["Fluglog 1", "Ort\r\n1", "Wiese\r\n"].join(separator);
                let table = format!("\u{FEFF}{title}\r\n\r\n{table}");
                assert_eq!(
                    rows(&table, ["Fluglog 1", "Ort"]),
                    [["1", "Wiese"].map(str::to_owned)],
                    "{title}"
                );
            }
        }
    }
}

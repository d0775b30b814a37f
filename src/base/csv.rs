//! Tables that spreadsheet programs with German settings open on a double click. Knows no topic.
//!
//! UTF-8 with a byte order mark, semicolons, decimal commas, CRLF. Text that a program would take for a formula is
//! prefixed with an apostrophe, also after apostrophes of its own; numbers aren't.

use std::io::Write;

use ::csv::{Terminator, WriterBuilder};

use crate::error::{Error, Result};

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

pub enum Cell {
    Text(String),
    Number(Option<f64>),
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::Text(text)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Text(text.to_owned())
    }
}

impl From<f64> for Cell {
    fn from(number: f64) -> Cell {
        Cell::Number(Some(number))
    }
}

impl From<Option<f64>> for Cell {
    fn from(number: Option<f64>) -> Cell {
        Cell::Number(number)
    }
}

impl From<bool> for Cell {
    fn from(truth: bool) -> Cell {
        if truth { "ja" } else { "nein" }.into()
    }
}

impl Cell {
    fn shown(self) -> String {
        match self {
            Cell::Text(text) if is_escaped(&text) => format!("'{text}"),
            Cell::Text(text) => text,
            Cell::Number(number) => number
                .map(|number| number.to_string().replace('.', ","))
                .unwrap_or_default(),
        }
    }
}

/// Returns whether a text begins like a formula, after any number of apostrophes: so that none of its own is lost.
fn is_escaped(text: &str) -> bool {
    let rest = text.trim_start_matches('\'');
    rest.starts_with(['=', '+', '-', '@', '\t', '\r', '\n'])
}

/// Returns a text of a table as it was before it was written there.
#[must_use]
pub fn unescaped(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|text| is_escaped(text)).unwrap_or(cell)
}

/// Writes a table with a heading for each column.
///
/// # Errors
/// A row fails, or `out` can't be written.
pub fn write_table<const WIDTH: usize>(
    out: &mut dyn Write,
    headings: [&str; WIDTH],
    rows: impl IntoIterator<Item = Result<[Cell; WIDTH]>>,
) -> Result<()> {
    write_rows(out, &headings, rows)
}

/// Writes a table whose columns are chosen at run time.
///
/// # Errors
/// As for [`write_table`]; a row has more or fewer cells than there are headings.
pub fn write_rows<Row: IntoIterator<Item = Cell>>(
    out: &mut dyn Write,
    headings: &[&str],
    rows: impl IntoIterator<Item = Result<Row>>,
) -> Result<()> {
    let unwritten = |error: &dyn std::fmt::Display| Error::Internal(format!("a table can't be written: {error}"));
    out.write_all(BYTE_ORDER_MARK).map_err(|error| unwritten(&error))?;
    let mut writer = WriterBuilder::new()
        .delimiter(b';')
        .terminator(Terminator::CRLF)
        .from_writer(out);
    writer.write_record(headings).map_err(|error| unwritten(&error))?;
    for row in rows {
        writer
            .write_record(row?.into_iter().map(Cell::shown))
            .map_err(|error| unwritten(&error))?;
    }
    writer.flush().map_err(|error| unwritten(&error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_table_opens_in_a_german_spreadsheet() {
        let rows = [
            ["Müller; \"Ada\"".into(), 1250.5.into()],
            ["zwei\nZeilen".into(), Cell::Number(None)],
            ["".into(), (-3.0).into()],
        ];
        let mut bytes = Vec::new();
        write_table(&mut bytes, ["Name", "Gewicht (g)"], rows.map(Ok)).unwrap();
        assert_eq!(
            String::from_utf8(bytes).unwrap(),
            "\u{FEFF}Name;Gewicht (g)\r\n\"Müller; \"\"Ada\"\"\";1250,5\r\n\"zwei\nZeilen\";\r\n;-3\r\n"
        );
    }

    #[test]
    fn a_text_is_never_a_formula_and_a_number_stays_a_number() {
        for text in ["=1+1", "+49 40", "-", "@SUM(A1)", "\t=1", "\r=1", "\n=1"] {
            assert_eq!(Cell::from(text).shown(), format!("'{text}"));
            let twice = format!("'{text}");
            assert_eq!(Cell::from(twice.as_str()).shown(), format!("''{text}"));
        }
        assert_eq!(Cell::from("'n Abend").shown(), "'n Abend");
        assert_eq!(Cell::from(" =1").shown(), " =1");
        assert_eq!(Cell::from(-0.25).shown(), "-0,25");
        assert_eq!(Cell::from(123_456_789.0).shown(), "123456789");
    }

    proptest! {
        #[test]
        fn a_text_comes_back_as_it_was(text in "['=+a@\n\t-]{0,5}") {
            let shown = Cell::from(text.as_str()).shown();
            prop_assert_eq!(unescaped(&shown), text);
        }
    }
}

//! The beginning of a table: what is above its flights.

use super::guess;
use super::mapping::Mapping;
use crate::formats::lines::{Row, Table, Utf8Reader, head_text};
use crate::samples::{ReadError, ReadResult};

/// The beginning of a table, which has its headings if there are any.
pub(super) struct Head(String);

impl Head {
    pub fn of(head: &[u8]) -> Head {
        Head(head_text(head).into_owned())
    }

    fn headings(&self, mapping: &Mapping) -> Option<guess::Headings> {
        guess::headings(&self.0, mapping.separator)
    }

    pub fn names(&self, mapping: &Mapping) -> Vec<String> {
        self.headings(mapping)
            .map(|headings| headings.names)
            .unwrap_or_default()
    }
}

/// Reads the rows below the headings; all of a table without headings.
pub(super) fn below_headings(
    source: Utf8Reader<'_>,
    head: &Head,
    mapping: &Mapping,
    mut take: impl FnMut(Row<'_>) -> ReadResult,
) -> ReadResult {
    let separator = u8::try_from(mapping.separator).map_err(|_| ReadError::Malformed(0))?;
    let mut table = Table::new(source, separator);
    let above = head.headings(mapping).map_or(0, |headings| headings.below);
    for _ in 0..above {
        table.next()?;
    }
    while let Some(row) = table.next()? {
        take(row)?;
    }
    Ok(())
}

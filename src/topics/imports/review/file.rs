//! A file of an import for display.

mod questions;

use crate::imports::model::{ImportColumn, ImportFile};
use crate::imports::table::FileRecord;
use fluglog_base::number;
use fluglog_base::text;
use fluglog_readers::formats::Format;
use fluglog_readers::formats::table::Mapping;

/// Returns format, message and, of a table, the columns of a file; `shown` of its flights are proposed.
pub fn file(record: &FileRecord, shown: usize) -> ImportFile {
    let mapping: Option<Mapping> = serde_json::from_str(&record.mapping).ok();
    let word = |index: usize| {
        let mapping = mapping.as_ref()?;
        let index = u16::try_from(index).ok()?;
        let meaning = mapping.columns.get(&index)?;
        let word = serde_json::to_value(meaning).ok()?.as_str()?.to_owned();
        Some((word, mapping.units.get(&index).cloned().unwrap_or_default()))
    };
    let sign = |sign: Option<char>| sign.map(String::from).unwrap_or_default();
    let columns = record.columns.iter().enumerate().map(|(index, column)| {
        let (guess, unit) = word(index).unwrap_or_default();
        let own = mapping.as_ref().zip(u16::try_from(index).ok());
        let decimal = own.and_then(|(mapping, index)| mapping.decimals.get(&index).copied());
        ImportColumn {
            name: column.name.clone(),
            examples: column.examples.clone(),
            guess,
            unit,
            decimal: sign(decimal),
        }
    });
    let order = mapping
        .as_ref()
        .and_then(|mapping| serde_json::to_value(mapping.date_order).ok());
    ImportFile {
        name: record.name.clone(),
        size: number::size(record.bytes),
        format: record
            .format
            .and_then(Format::from_code)
            .map_or("", Format::wire_name)
            .to_owned(),
        message: message(record, shown),
        surplus: record.surplus,
        columns: (!record.columns.is_empty()).then(|| columns.collect()),
        separator: sign(mapping.as_ref().map(|mapping| mapping.separator)),
        decimal: sign(mapping.as_ref().map(|mapping| mapping.decimal)),
        date_order: order
            .as_ref()
            .and_then(serde_json::Value::as_str)
            .unwrap_or_default()
            .to_owned(),
        year: mapping.as_ref().and_then(|mapping| mapping.year),
        questions: questions::shown(record),
    }
}

fn message(record: &FileRecord, shown: usize) -> String {
    let mut message = record.message.clone();
    if record.surplus > 0 {
        if !message.is_empty() {
            message.push(' ');
        }
        message.push_str(&text::import_shows_part(shown, record.surplus));
    }
    message
}

//! Spreadsheets of Excel and LibreOffice. A sheet becomes the text that the program itself would save as CSV, so that
//! it is read as any other table.
//!
//! Archives of untrusted files are unpacked within limits first: the crate `calamine` has none. Sheets of LibreOffice
//! are read here, because `calamine` expands repeated cells in memory, and a few bytes claim millions.

use std::fmt::Write as _;
use std::io::{BufRead, Cursor, Read, Seek, Write};

use calamine::{DataRef, ExcelDateTime, ExcelDateTimeType, Reader as _, Xlsx};
use zip::CompressionMethod::Stored;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::lines::{MAX_LINE, Utf8Reader};
use super::values::display_text;
use super::xml::{self, XmlEvent, append};
use super::zip::{Member, open};
use crate::samples::ReadError;

/// The most bytes of the unpacked sheets with all that describes them, and of the texts that the sheets share; and how
/// many such texts.
const MAX_SHEETS_BYTES: u64 = 12 * 1024 * 1024;
const MAX_STRINGS_BYTES: u64 = 4 * 1024 * 1024;
const MAX_STRINGS: usize = 100_000;
/// The most bytes of a LibreOffice file, which is read piece by piece.
const MAX_CONTENT_BYTES: u64 = 100 * 1024 * 1024;
/// The most sheets, the most bytes of all sheets as text, and the most columns of a sheet and characters of a cell.
const MAX_SHEETS: usize = 50;
const MAX_TEXT_BYTES: usize = 8 * 1024 * 1024;
const MAX_COLUMNS: usize = 200;
const CELL_CHARACTERS: usize = 2000;
/// The most equal rows in a row that LibreOffice writes once.
const MAX_EQUAL_ROWS: usize = 200;
/// Excel's number of the last day of the year 9999.
const LAST_DAY: f64 = 2_958_465.0;
const SEPARATOR: char = ';';

/// The program that wrote a spreadsheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Workbook {
    Excel,
    LibreOffice,
    /// Excel's binary format and that of Numbers, which aren't read.
    Unreadable,
}

/// A sheet as CSV.
pub struct Sheet {
    pub name: String,
    pub text: Vec<u8>,
}

impl Workbook {
    /// Returns which spreadsheet an archive with these members is; `None` if it is none.
    #[must_use]
    pub fn of(members: &[Member]) -> Option<Workbook> {
        let has = |name: &str| members.iter().any(|member| member.name.eq_ignore_ascii_case(name));
        if has("xl/workbook.xml") {
            return Some(Workbook::Excel);
        }
        if has("mimetype") && has("content.xml") {
            return Some(Workbook::LibreOffice);
        }
        let is_unreadable = has("xl/workbook.bin") || has("Index/Document.iwa") || has("Index.zip");
        is_unreadable.then_some(Workbook::Unreadable)
    }

    /// Returns the sheets that have any cells, in order.
    ///
    /// # Errors
    /// The spreadsheet is damaged, protected by a password or too large, or the disk fails.
    pub fn sheets(self, archive: &mut (impl BufRead + Seek), members: &[Member]) -> Result<Vec<Sheet>, ReadError> {
        match self {
            Workbook::Excel => sheets_of_excel(archive, members),
            Workbook::LibreOffice => sheets_of_libre_office(archive, members),
            Workbook::Unreadable => Err(ReadError::Malformed(0)),
        }
    }
}

fn sheets_of_excel(archive: &mut (impl BufRead + Seek), members: &[Member]) -> Result<Vec<Sheet>, ReadError> {
    let damaged = |_| ReadError::Malformed(0);
    let mut workbook = Xlsx::new(unpacked(archive, members)?).map_err(damaged)?;
    let names = workbook.sheet_names();
    let is_1904 = workbook.has_1904_epoch();
    let mut sheets = Vec::new();
    let mut bytes = 0;
    for name in names.into_iter().take(MAX_SHEETS) {
        // A chart has no cells.
        let Ok(mut cells) = workbook.worksheet_cells_reader(&name) else {
            continue;
        };
        let mut table = TextTable::after(bytes);
        let mut row = 0;
        while let Some(cell) = cells.next_cell().map_err(damaged)? {
            let (of, column) = cell.get_position();
            if of != row {
                table.end_row(1)?;
                row = of;
            }
            table.set(
                usize::try_from(column).unwrap_or(MAX_COLUMNS),
                text_of(cell.get_value(), is_1904),
            );
        }
        table.end_row(1)?;
        bytes = table.bytes;
        sheets.extend(table.sheet(&name));
    }
    Ok(sheets)
}

/// Copies the parts of an Excel file that are needed for its cells to an uncompressed archive in memory.
fn unpacked(archive: &mut (impl BufRead + Seek), members: &[Member]) -> Result<Cursor<Vec<u8>>, ReadError> {
    let mut copy = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(Stored);
    let mut left = MAX_SHEETS_BYTES;
    for member in members {
        let name = member.name.to_ascii_lowercase();
        let file = name.rsplit('/').next().unwrap_or_default();
        let is_sheet = name.contains("worksheets/") && file.ends_with(".xml");
        let is_strings = file == "sharedstrings.xml";
        if !is_sheet && !is_strings && !file.ends_with(".rels") && file != "workbook.xml" && file != "styles.xml" {
            continue;
        }
        let most = if is_strings { MAX_STRINGS_BYTES } else { left };
        let mut content = Vec::new();
        {
            let packed = open(archive, member, u64::MAX)?;
            match is_sheet {
                true => copy_cells(packed, &mut content, most)?,
                false => copy_all(packed, &mut content, most)?,
            }
        }
        match is_strings {
            true if memchr::memmem::find_iter(&content, b"<si").count() > MAX_STRINGS => {
                return Err(ReadError::LimitExceeded);
            }
            true => {}
            false => left -= content.len() as u64,
        }
        copy.start_file(member.name.as_str(), options)
            .map_err(|_| ReadError::Malformed(0))?;
        copy.write_all(&content)?;
    }
    let copy = copy.finish().map_err(|_| ReadError::Malformed(0))?;
    Ok(Cursor::new(copy.into_inner()))
}

fn copy_all(packed: impl BufRead, content: &mut Vec<u8>, most: u64) -> Result<(), ReadError> {
    packed.take(most + 1).read_to_end(content)?;
    match content.len() as u64 > most {
        true => Err(ReadError::LimitExceeded),
        false => Ok(()),
    }
}

/// Copies a sheet without its empty cells and rows: Excel writes each one that was ever formatted, up to millions.
fn copy_cells(mut packed: impl BufRead, content: &mut Vec<u8>, most: u64) -> Result<(), ReadError> {
    let mut piece = Vec::new();
    loop {
        piece.clear();
        let length = (&mut packed).take(MAX_LINE as u64).read_until(b'>', &mut piece)?;
        if length == 0 {
            return Ok(());
        }
        let is_numbered = memchr::memmem::find(&piece, b" r=\"").is_some();
        let is_empty = (piece.starts_with(b"<c ") || piece.starts_with(b"<row ")) && piece.ends_with(b"/>");
        if is_empty && is_numbered {
            continue;
        }
        content.extend_from_slice(&piece);
        if content.len() as u64 > most {
            return Err(ReadError::LimitExceeded);
        }
    }
}

/// Returns a cell as Excel would save it.
fn text_of(value: &DataRef<'_>, is_1904: bool) -> String {
    match value {
        DataRef::String(text) => text.clone(),
        DataRef::SharedString(text) => (*text).to_owned(),
        DataRef::Bool(true) => "WAHR".to_owned(),
        DataRef::Bool(false) => "FALSCH".to_owned(),
        DataRef::DateTimeIso(text) => date_of_iso(text),
        DataRef::DurationIso(text) => duration_of_iso(text),
        DataRef::DateTime(time) => date_of_excel(time, is_1904),
        #[expect(clippy::cast_precision_loss, reason = "a cell has 15 digits")]
        DataRef::Int(value) => number(*value as f64),
        DataRef::Float(value) => number(*value),
        _ => String::new(),
    }
}

/// Writes a number with a decimal point, and never with three decimals, which may be read as thousands.
fn number(value: f64) -> String {
    let text = format!("{value:.9}");
    let text = match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => &text,
    };
    match text.split_once('.') {
        Some((_, decimals)) if decimals.len() == 3 => format!("{text}0"),
        _ => text.to_owned(),
    }
}

/// Excel keeps times as days since 1900 or 1904, and times of day and durations as parts of a day.
fn date_of_excel(time: &ExcelDateTime, is_1904: bool) -> String {
    let days = time.as_f64();
    if !(0.0..=LAST_DAY).contains(&days) {
        return number(days);
    }
    // Rounded, because fractions of days aren't exact.
    let seconds = (days * 86_400.0).round();
    if days < 1.0 || time.is_duration() {
        return time_of(seconds);
    }
    let day = ExcelDateTime::new((seconds / 86_400.0).floor(), ExcelDateTimeType::DateTime, is_1904);
    let (year, month, day, ..) = day.to_ymd_hms_milli();
    let date = format!("{day:02}.{month:02}.{year}");
    match seconds.rem_euclid(86_400.0) {
        0.0 => date,
        seconds => format!("{date} {}", time_of(seconds)),
    }
}

/// Writes a time of day or a duration, always with seconds, so that all cells of a column have one form.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a float is cut to the nearest whole number there is"
)]
fn time_of(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{hours}:{minutes:02}:{seconds:02}")
}

/// `2026-04-03` and `2026-04-03T14:05:00`.
fn date_of_iso(text: &str) -> String {
    let (date, time) = text.split_once('T').unwrap_or((text, ""));
    let parts: Vec<&str> = date.split('-').collect();
    let date = match parts.as_slice() {
        [year, month, day] => format!("{day}.{month}.{year}"),
        _ => date.to_owned(),
    };
    let time = time.split(['.', 'Z']).next().unwrap_or_default();
    match time {
        "" | "00:00:00" => date,
        time => format!("{date} {time}"),
    }
}

/// `PT14H05M00S`.
fn duration_of_iso(text: &str) -> String {
    let mut seconds = 0.0;
    let mut digits = String::new();
    for character in text.trim_start_matches("PT").chars() {
        let factor = match character {
            'H' => 3600.0,
            'M' => 60.0,
            'S' => 1.0,
            _ => {
                digits.push(if character == ',' { '.' } else { character });
                continue;
            }
        };
        let Some(value) = super::values::number(&digits) else {
            return text.to_owned();
        };
        seconds += value * factor;
        digits.clear();
    }
    time_of(seconds)
}

fn sheets_of_libre_office(archive: &mut (impl BufRead + Seek), members: &[Member]) -> Result<Vec<Sheet>, ReadError> {
    let content = members.iter().find(|member| member.name == "content.xml");
    let mut content = open(archive, content.ok_or(ReadError::Malformed(0))?, MAX_CONTENT_BYTES)?;
    let mut sheets = Vec::new();
    let mut bytes = 0;
    let mut name = String::new();
    let mut table: Option<TextTable> = None;
    let mut row = LibreOfficeRow::default();
    xml::read(Utf8Reader::new(&mut content, &[])?, |piece| {
        match (piece, &mut table) {
            (XmlEvent::Begin("table", attributes), None) if sheets.len() < MAX_SHEETS => {
                name = value_of(attributes, "name").unwrap_or_default().to_owned();
                table = Some(TextTable::after(bytes));
            }
            (XmlEvent::End("table"), Some(ended)) => {
                bytes = ended.bytes;
                sheets.extend(std::mem::take(ended).sheet(&name));
                table = None;
            }
            (XmlEvent::Begin("table-row", attributes), Some(_)) => row.begin(attributes),
            (XmlEvent::End("table-row"), Some(table)) => table.end_row(row.repeats)?,
            (XmlEvent::Begin("table-cell" | "covered-table-cell", attributes), Some(_)) => row.begin_cell(attributes),
            (XmlEvent::End("table-cell" | "covered-table-cell"), Some(table)) => row.end_cell(table),
            (XmlEvent::Begin("annotation", _), _) => row.is_in_note = true,
            (XmlEvent::End("annotation"), _) => row.is_in_note = false,
            (XmlEvent::Begin("p", _), _) if !row.text.is_empty() => append(&mut row.text, " "),
            (XmlEvent::Begin("s", _), _) => append(&mut row.text, " "),
            (XmlEvent::Text(text), _) if row.is_in_cell && !row.is_in_note => append(&mut row.text, text),
            _ => {}
        }
        Ok(())
    })?;
    Ok(sheets)
}

/// The row of a LibreOffice sheet that is being read.
#[derive(Default)]
struct LibreOfficeRow {
    repeats: usize,
    column: usize,
    is_in_cell: bool,
    is_in_note: bool,
    cell_repeats: usize,
    /// The value of the cell in an attribute; else its text is the value.
    value: Option<String>,
    text: String,
}

impl LibreOfficeRow {
    fn begin(&mut self, attributes: &[(String, String)]) {
        self.repeats = count_of(attributes, "number-rows-repeated");
        self.column = 0;
    }

    fn begin_cell(&mut self, attributes: &[(String, String)]) {
        self.is_in_cell = true;
        self.cell_repeats = count_of(attributes, "number-columns-repeated");
        self.text.clear();
        let of = |name| value_of(attributes, name);
        self.value = of("date-value")
            .map(date_of_iso)
            .or_else(|| of("time-value").map(duration_of_iso))
            .or_else(|| of("value").and_then(super::values::number).map(number));
    }

    fn end_cell(&mut self, table: &mut TextTable) {
        self.is_in_cell = false;
        let text = self.value.take().unwrap_or_else(|| std::mem::take(&mut self.text));
        let end = self.column.saturating_add(self.cell_repeats);
        if !text.is_empty() {
            for column in self.column..end.min(MAX_COLUMNS) {
                table.set(column, text.clone());
            }
        }
        self.column = end;
    }
}

fn value_of<'a>(attributes: &'a [(String, String)], wanted: &str) -> Option<&'a str> {
    let found = attributes.iter().find(|(name, _)| name == wanted);
    found.map(|(_, value)| value.as_str())
}

fn count_of(attributes: &[(String, String)], name: &str) -> usize {
    value_of(attributes, name)
        .and_then(|value| value.parse().ok())
        .unwrap_or(1)
}

/// The cells of a sheet as text.
#[derive(Default)]
struct TextTable {
    row: Vec<String>,
    /// Each row with the number of its cells.
    rows: Vec<(String, usize)>,
    width: usize,
    /// Bytes of the rows, including sheets before.
    bytes: usize,
}

impl TextTable {
    fn after(bytes: usize) -> TextTable {
        TextTable {
            bytes,
            ..TextTable::default()
        }
    }

    fn set(&mut self, column: usize, text: String) {
        if column >= MAX_COLUMNS || text.is_empty() {
            return;
        }
        if self.row.len() <= column {
            self.row.resize(column + 1, String::new());
        }
        if let Some(cell) = self.row.get_mut(column) {
            *cell = match text.len() > CELL_CHARACTERS {
                true => text.chars().take(CELL_CHARACTERS).collect(),
                false => text,
            };
        }
    }

    /// Ends a row that is there as often as `repeats`. An empty one is left out.
    fn end_row(&mut self, repeats: usize) -> Result<(), ReadError> {
        let cells = std::mem::take(&mut self.row);
        if cells.is_empty() {
            return Ok(());
        }
        let mut line = String::new();
        for (index, cell) in cells.iter().enumerate() {
            if index > 0 {
                line.push(SEPARATOR);
            }
            match cell.contains([SEPARATOR, '"', '\n', '\r']) {
                true => {
                    let _ = write!(line, "\"{}\"", cell.replace('"', "\"\""));
                }
                false => line.push_str(cell),
            }
        }
        self.width = self.width.max(cells.len());
        for _ in 0..repeats.min(MAX_EQUAL_ROWS) {
            self.bytes += line.len() + MAX_COLUMNS;
            if self.bytes > MAX_TEXT_BYTES {
                return Err(ReadError::LimitExceeded);
            }
            self.rows.push((line.clone(), cells.len()));
        }
        Ok(())
    }

    /// Returns the sheet, with equally many cells in each row; `None` without any cells.
    fn sheet(self, name: &str) -> Option<Sheet> {
        let mut text = String::new();
        for (line, cells) in &self.rows {
            text.push_str(line);
            text.extend(std::iter::repeat_n(SEPARATOR, self.width - cells));
            text.push('\n');
        }
        (!text.is_empty()).then(|| Sheet {
            name: display_text(name, 60),
            text: text.into_bytes(),
        })
    }
}

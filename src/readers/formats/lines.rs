//! Text in any encoding, read by lines or as CSV, with bounded memory.

use std::borrow::Cow;
use std::io::{self, BufRead, Read};

use csv_core::ReadRecordResult;
use encoding_rs::{CoderResult, Decoder, Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use super::values::number;
use crate::samples::ReadError;

/// The most bytes of a line or of a CSV row.
pub const MAX_LINE: usize = 1024 * 1024;
/// The most cells of a row.
const MAX_CELLS: usize = 2000;
/// The number of bytes from which the encoding is detected.
pub const HEAD_BYTES: usize = 64 * 1024;
const CHUNK_BYTES: usize = 16 * 1024;

/// Detects the encoding of a text from its beginning. Returns it with the length of the byte order mark.
fn encoding(head: &[u8]) -> (&'static Encoding, usize) {
    if let Some((encoding, mark)) = Encoding::for_bom(head) {
        return (encoding, mark);
    }
    match head {
        // UTF-16 without a byte order mark: every other byte is 0.
        [0, first, 0, second, ..] if *first != 0 && *second != 0 => (UTF_16BE, 0),
        [first, 0, second, 0, ..] if *first != 0 && *second != 0 => (UTF_16LE, 0),
        _ => match std::str::from_utf8(head) {
            Err(error) if error.error_len().is_some() => (WINDOWS_1252, 0),
            _ => (UTF_8, 0),
        },
    }
}

/// Decodes the beginning of a file.
pub(crate) fn head_text(head: &[u8]) -> Cow<'_, str> {
    let (encoding, mark) = encoding(head);
    let head = head.get(mark..).unwrap_or_default();
    encoding.decode_without_bom_handling(head).0
}

/// A source decoded to UTF-8, without a byte order mark.
pub struct Utf8Reader<'s> {
    source: &'s mut dyn BufRead,
    /// `None` for UTF-8.
    decoder: Option<Decoder>,
    text: Vec<u8>,
    start: usize,
    end: usize,
    is_over: bool,
}

impl<'s> Utf8Reader<'s> {
    /// Makes a decoder; `head` is the beginning of the source.
    ///
    /// # Errors
    /// The source fails.
    pub fn new(source: &'s mut dyn BufRead, head: &[u8]) -> io::Result<Utf8Reader<'s>> {
        let (encoding, mut mark) = encoding(head);
        while mark > 0 {
            let skipped = source.fill_buf()?.len().min(mark);
            if skipped == 0 {
                break;
            }
            source.consume(skipped);
            mark -= skipped;
        }
        let is_utf_8 = encoding == UTF_8;
        Ok(Utf8Reader {
            source,
            decoder: (!is_utf_8).then(|| encoding.new_decoder_without_bom_handling()),
            text: vec![0; if is_utf_8 { 0 } else { CHUNK_BYTES }],
            start: 0,
            end: 0,
            is_over: false,
        })
    }
}

/// Reads the bytes that are in the buffer of a source.
///
/// # Errors
/// The source fails.
pub(crate) fn read_buffered(source: &mut impl BufRead, out: &mut [u8]) -> io::Result<usize> {
    let ready = source.fill_buf()?;
    let length = ready.len().min(out.len());
    out[..length].copy_from_slice(&ready[..length]);
    source.consume(length);
    Ok(length)
}

impl Read for Utf8Reader<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        read_buffered(self, out)
    }
}

impl BufRead for Utf8Reader<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let Some(decoder) = &mut self.decoder else {
            return self.source.fill_buf();
        };
        while self.start == self.end && !self.is_over {
            let raw = self.source.fill_buf()?;
            let is_last = raw.is_empty();
            let (result, read, written, _) = decoder.decode_to_utf8(raw, &mut self.text, is_last);
            self.source.consume(read);
            (self.start, self.end) = (0, written);
            self.is_over = is_last && result == CoderResult::InputEmpty;
        }
        Ok(&self.text[self.start..self.end])
    }

    fn consume(&mut self, length: usize) {
        match self.decoder {
            Some(_) => self.start = self.end.min(self.start + length),
            None => self.source.consume(length),
        }
    }
}

/// The lines of a text.
pub struct Lines<'s> {
    source: Utf8Reader<'s>,
    /// Bytes of the last returned line that are still in the source's buffer.
    given: usize,
    /// A line that spans several fills of the source's buffer.
    line: Vec<u8>,
    /// Number of lines read so far.
    pub number: u64,
}

impl<'s> Lines<'s> {
    pub fn new(source: Utf8Reader<'s>) -> Lines<'s> {
        Lines {
            source,
            given: 0,
            line: Vec::new(),
            number: 0,
        }
    }

    /// Returns the next line without its end; `None` after the last one.
    ///
    /// # Errors
    /// A line longer than 1 MiB, or the source fails.
    pub fn next(&mut self) -> Result<Option<Cow<'_, str>>, ReadError> {
        Ok(self.next_bytes()?.map(String::from_utf8_lossy))
    }

    /// Like [`Lines::next`], without decoding invalid UTF-8.
    ///
    /// # Errors
    /// As [`Lines::next`].
    pub(crate) fn next_bytes(&mut self) -> Result<Option<&[u8]>, ReadError> {
        self.source.consume(std::mem::take(&mut self.given));
        self.line.clear();
        loop {
            let ready = self.source.fill_buf()?;
            let end = memchr::memchr(b'\n', ready);
            let length = end.map_or(ready.len(), |end| end + 1);
            if self.line.len() + length > MAX_LINE {
                return Err(ReadError::Malformed(self.number + 1));
            }
            if self.line.is_empty() && end.is_some() {
                self.given = length;
                self.number += 1;
                return Ok(Some(without_end(&self.source.fill_buf()?[..length])));
            }
            self.line.extend_from_slice(&ready[..length]);
            self.source.consume(length);
            if length == 0 || end.is_some() {
                break;
            }
        }
        if self.line.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        Ok(Some(without_end(&self.line)))
    }
}

fn without_end(mut line: &[u8]) -> &[u8] {
    while let [shorter @ .., b'\n' | b'\r'] = line {
        line = shorter;
    }
    line
}

/// Returns the separator of a log's table that begins with `head`: programs with German settings write semicolons, and
/// decimal commas with them.
pub(crate) fn separator(head: &str) -> u8 {
    let lines = head.lines().take(4).flat_map(str::bytes);
    let (mut commas, mut semicolons) = (0, 0);
    for byte in lines {
        commas += u32::from(byte == b',');
        semicolons += u32::from(byte == b';');
    }
    if semicolons > commas { b';' } else { b',' }
}

/// The rows of a CSV table.
pub struct Table<'s> {
    source: Utf8Reader<'s>,
    /// Whether numbers have a decimal comma.
    has_decimal_commas: bool,
    reader: csv_core::Reader,
    cells: Vec<u8>,
    ends: Vec<usize>,
    /// Number of rows read so far.
    pub number: u64,
}

#[derive(Clone, Copy)]
pub struct Row<'t> {
    cells: &'t [u8],
    ends: &'t [usize],
    has_decimal_commas: bool,
}

impl<'s> Table<'s> {
    pub fn new(source: Utf8Reader<'s>, separator: u8) -> Table<'s> {
        Table {
            source,
            has_decimal_commas: separator == b';',
            reader: csv_core::ReaderBuilder::new().delimiter(separator).build(),
            cells: vec![0; CHUNK_BYTES],
            ends: vec![0; MAX_CELLS + 1],
            number: 0,
        }
    }

    /// Returns the next row; `None` after the last one. Empty lines are skipped.
    ///
    /// # Errors
    /// A row of more than 1 MiB or 2,000 cells, or the source fails.
    pub fn next(&mut self) -> Result<Option<Row<'_>>, ReadError> {
        let (mut bytes, mut cells) = (0, 0);
        loop {
            let ready = self.source.fill_buf()?;
            let (result, read, written, ended) =
                self.reader
                    .read_record(ready, &mut self.cells[bytes..], &mut self.ends[cells..]);
            self.source.consume(read);
            bytes += written;
            cells += ended;
            match result {
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull if self.cells.len() < MAX_LINE => {
                    self.cells.resize(self.cells.len() * 2, 0)
                }
                ReadRecordResult::OutputFull | ReadRecordResult::OutputEndsFull => {
                    return Err(ReadError::Malformed(self.number + 1));
                }
                ReadRecordResult::Record => {
                    self.number += 1;
                    return Ok(Some(Row {
                        cells: &self.cells[..bytes],
                        ends: &self.ends[..cells],
                        has_decimal_commas: self.has_decimal_commas,
                    }));
                }
                ReadRecordResult::End => return Ok(None),
            }
        }
    }
}

impl<'t> Row<'t> {
    /// Number of cells.
    pub fn len(self) -> usize {
        self.ends.len()
    }

    /// Returns a trimmed cell; empty if it doesn't exist.
    pub fn cell(self, index: usize) -> Cow<'t, str> {
        String::from_utf8_lossy(self.bytes(index))
    }

    /// Parses the number in a cell.
    pub fn number(self, index: usize) -> Option<f64> {
        match self.has_decimal_commas {
            true => number(self.cell(index).replace(',', ".")),
            false => number(self.bytes(index)),
        }
    }

    /// Returns a cell with the blanks around it; empty if it doesn't exist.
    pub fn exact_cell(self, index: usize) -> Cow<'t, str> {
        String::from_utf8_lossy(self.exact_bytes(index))
    }

    fn bytes(self, index: usize) -> &'t [u8] {
        self.exact_bytes(index).trim_ascii()
    }

    fn exact_bytes(self, index: usize) -> &'t [u8] {
        let end = self.ends.get(index).copied().unwrap_or_default();
        let start = index.checked_sub(1).and_then(|before| self.ends.get(before));
        let cell = self.cells.get(start.copied().unwrap_or_default()..end);
        cell.unwrap_or_default()
    }

    /// Returns all cells.
    pub fn iter(self) -> impl Iterator<Item = Cow<'t, str>> {
        (0..self.len()).map(move |index| self.cell(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lines_are_the_same_in_pieces_of_any_length(text in "([a-c]{0,9}\r?\n){0,9}[a-c]{0,9}", piece in 1usize..30) {
            let mut source = io::BufReader::with_capacity(piece, text.as_bytes());
            let mut lines = Lines::new(Utf8Reader::new(&mut source, &[]).unwrap());
            let mut read = Vec::new();
            while let Some(line) = lines.next().unwrap() {
                read.push(line.into_owned());
            }
            prop_assert_eq!(read.len() as u64, lines.number);
            prop_assert_eq!(read, text.lines().map(str::to_owned).collect::<Vec<_>>());
        }
    }
}

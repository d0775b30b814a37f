//! JSON from untrusted files: limits for texts and nesting, enforced before a parser keeps them in memory.

use std::fmt;
use std::io::{self, Read};

use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::lines::{Utf8Reader, read_buffered};
use crate::samples::{ReadError, ReadResult};

/// The most bytes of a text.
const MAX_TEXT: usize = 64 * 1024;
/// The deepest nesting of arrays and objects.
const MAX_DEPTH: usize = 64;
/// The most bytes of one element of a list that is read element by element.
const MAX_ELEMENT: usize = 1024 * 1024;

/// A source of JSON that fails when a limit is exceeded.
pub(crate) struct LimitedJson<'s> {
    source: Utf8Reader<'s>,
    /// Bytes of the current text.
    text: Option<usize>,
    is_escaped: bool,
    depth: usize,
    /// Bytes of the current number or literal.
    word: usize,
    /// Bytes of the current white space.
    gap: usize,
    /// Bytes of the current element, and the limit for them.
    element: usize,
    element_most: usize,
}

impl<'s> LimitedJson<'s> {
    pub fn new(source: Utf8Reader<'s>) -> LimitedJson<'s> {
        LimitedJson {
            source,
            text: None,
            is_escaped: false,
            depth: 0,
            word: 0,
            gap: 0,
            element: 0,
            element_most: usize::MAX,
        }
    }

    /// Counts a byte. Returns whether all limits still hold.
    fn accepts(&mut self, byte: u8) -> bool {
        self.element = if self.depth > 1 { self.element + 1 } else { 0 };
        if self.element > self.element_most {
            return false;
        }
        if let Some(length) = &mut self.text {
            *length += 1;
            let length = *length;
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' => self.is_escaped = true,
                b'"' => self.text = None,
                _ => {}
            }
            return length <= MAX_TEXT;
        }
        self.word = if byte.is_ascii_alphanumeric() { self.word + 1 } else { 0 };
        self.gap = if byte.is_ascii_whitespace() { self.gap + 1 } else { 0 };
        match byte {
            b'"' => self.text = Some(0),
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.depth <= MAX_DEPTH && self.word.max(self.gap) <= MAX_TEXT
    }
}

impl Read for LimitedJson<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let length = read_buffered(&mut self.source, out)?;
        match out[..length].iter().all(|byte| self.accepts(*byte)) {
            true => Ok(length),
            false => Err(io::ErrorKind::InvalidData.into()),
        }
    }
}

/// Passes each element of a list on, as raw JSON.
///
/// # Errors
/// Not a list, an element of more than 1 MiB, a failing source, or an error from `take`.
pub(crate) fn each_element(source: Utf8Reader<'_>, take: &mut dyn FnMut(&RawValue) -> ReadResult) -> ReadResult {
    let guarded = LimitedJson {
        element_most: MAX_ELEMENT,
        ..LimitedJson::new(source)
    };
    let mut fault = None;
    let mut reader = serde_json::Deserializer::from_reader(guarded);
    let done = reader.deserialize_seq(List {
        take,
        fault: &mut fault,
    });
    match fault {
        Some(fault) => Err(fault),
        None => done.and_then(|()| reader.end()).map_err(self::fault),
    }
}

struct List<'t> {
    take: &'t mut dyn FnMut(&RawValue) -> ReadResult,
    fault: &'t mut Option<ReadError>,
}

impl<'de> Visitor<'de> for List<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(element) = list.next_element::<Box<RawValue>>()? {
            if let Err(fault) = (self.take)(&element) {
                *self.fault = Some(fault);
                return Err(A::Error::custom("stopped"));
            }
        }
        Ok(())
    }
}

/// Converts an error of the parser.
#[must_use]
pub fn fault(error: serde_json::Error) -> ReadError {
    let line = error.line() as u64;
    match error.io_error_kind() {
        None | Some(io::ErrorKind::InvalidData) => ReadError::Malformed(line),
        Some(kind) => io::Error::from(kind).into(),
    }
}

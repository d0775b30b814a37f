//! XML from untrusted files: without document type, so without entity definitions; nesting and the length of a piece
//! are limited.

use std::io::{self, BufRead, Read};

use quick_xml::Reader;
use quick_xml::events::Event;

use super::lines::{MAX_LINE, Utf8Reader, read_buffered};
use crate::samples::ReadError;

/// The deepest nesting of elements.
const MAX_DEPTH: usize = 64;

/// Returns whether a document has a tag of this name, with or without a namespace.
pub fn matches(start: &str, name: &str) -> bool {
    start.starts_with('<')
        && start.match_indices(name).any(|(at, _)| {
            let before = start[..at].chars().next_back();
            let after = start[at + name.len()..].chars().next();
            matches!(before, Some('<' | ':')) && matches!(after, Some('>' | ' ' | '\n' | '\r' | '\t' | '/'))
        })
}

/// A source that fails when one piece of markup or text exceeds the limit of a line, before the parser keeps all of it.
struct LimitedXml<'s> {
    source: Utf8Reader<'s>,
    /// Bytes since the last piece.
    bytes: usize,
}

impl Read for LimitedXml<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        read_buffered(self, out)
    }
}

impl BufRead for LimitedXml<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.bytes > MAX_LINE {
            return Err(io::ErrorKind::InvalidData.into());
        }
        self.source.fill_buf()
    }

    fn consume(&mut self, length: usize) {
        self.bytes += length;
        self.source.consume(length);
    }
}

pub(crate) enum XmlEvent<'x> {
    /// An element's local name and attributes.
    Begin(&'x str, &'x [(String, String)]),
    End(&'x str),
    Text(&'x str),
}

/// Passes the pieces of a document on, in order.
///
/// # Errors
/// A document type, elements nested too deep, a piece that is too long, malformed XML, a failing source, or an error
/// from `take`.
pub fn read(
    source: Utf8Reader<'_>,
    mut take: impl FnMut(XmlEvent<'_>) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    let mut reader = Reader::from_reader(LimitedXml { source, bytes: 0 });
    reader.config_mut().check_end_names = false;
    let mut buffer = Vec::new();
    let mut depth = 0_usize;
    let mut pieces = 0;
    loop {
        buffer.clear();
        reader.get_mut().bytes = 0;
        let damaged = ReadError::Malformed(pieces);
        pieces += 1;
        let event = match reader.read_event_into(&mut buffer) {
            Ok(event) => event,
            Err(quick_xml::Error::Io(error)) if error.kind() != io::ErrorKind::InvalidData => {
                return Err(io::Error::from(error.kind()).into());
            }
            Err(_) => return Err(damaged),
        };
        match event {
            Event::Start(ref tag) | Event::Empty(ref tag) => {
                let is_empty = matches!(event, Event::Empty(_));
                if depth == MAX_DEPTH {
                    return Err(damaged);
                }
                let name = tag.local_name().as_ref().to_owned();
                let attributes: Vec<(String, String)> = tag
                    .attributes()
                    .with_checks(false)
                    .take(16)
                    .filter_map(Result::ok)
                    .map(|attribute| {
                        let name = attribute.key.local_name().as_ref().to_owned();
                        (name, attribute.value.into_owned())
                    })
                    .collect();
                take(XmlEvent::Begin(&name, &attributes))?;
                if is_empty {
                    take(XmlEvent::End(&name))?;
                } else {
                    depth += 1;
                }
            }
            Event::End(tag) => {
                depth = depth.checked_sub(1).ok_or(damaged)?;
                take(XmlEvent::End(tag.local_name().as_ref()))?;
            }
            Event::Text(text) => take(XmlEvent::Text(&text))?,
            Event::CData(text) => take(XmlEvent::Text(&text))?,
            Event::GeneralRef(name) => {
                let character = match &*name {
                    "amp" => "&",
                    "lt" => "<",
                    "gt" => ">",
                    "quot" => "\"",
                    "apos" => "'",
                    _ => " ",
                };
                take(XmlEvent::Text(character))?;
            }
            Event::DocType(_) => return Err(damaged),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
            Event::Eof => return if depth == 0 { Ok(()) } else { Err(damaged) },
        }
    }
}

/// Appends to a text up to its limit.
pub fn append(text: &mut String, more: &str) {
    if text.len() + more.len() <= MAX_LINE {
        text.push_str(more);
    }
}

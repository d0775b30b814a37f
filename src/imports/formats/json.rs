//! JSON from strangers: texts and depth have a limit before a parser keeps them in memory.

use std::io::{self, Read};

use super::lines::{Decoded, read_buffered};
use crate::imports::samples::Fault;

/// Bytes of a text.
const TEXT_MOST: usize = 64 * 1024;
/// Arrays and objects in each other.
const DEPTH_MOST: usize = 64;

/// A source of JSON that fails at its limits.
pub struct Guarded<'s> {
    source: Decoded<'s>,
    /// Bytes of the text that it is in.
    text: Option<usize>,
    is_escaped: bool,
    depth: usize,
    /// Bytes of a number or a word.
    word: usize,
}

impl<'s> Guarded<'s> {
    pub fn new(source: Decoded<'s>) -> Guarded<'s> {
        Guarded {
            source,
            text: None,
            is_escaped: false,
            depth: 0,
            word: 0,
        }
    }

    /// Whether the limits still hold after this byte.
    fn takes(&mut self, byte: u8) -> bool {
        if let Some(length) = &mut self.text {
            *length += 1;
            let length = *length;
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' => self.is_escaped = true,
                b'"' => self.text = None,
                _ => {}
            }
            return length <= TEXT_MOST;
        }
        self.word = if byte.is_ascii_alphanumeric() { self.word + 1 } else { 0 };
        match byte {
            b'"' => self.text = Some(0),
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.depth <= DEPTH_MOST && self.word <= TEXT_MOST
    }
}

impl Read for Guarded<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let length = read_buffered(&mut self.source, out)?;
        match out[..length].iter().all(|byte| self.takes(*byte)) {
            true => Ok(length),
            false => Err(io::ErrorKind::InvalidData.into()),
        }
    }
}

/// The fault that a parser's error stands for.
#[must_use]
pub fn fault(error: serde_json::Error) -> Fault {
    let line = error.line() as u64;
    match error.io_error_kind() {
        None | Some(io::ErrorKind::InvalidData) => Fault::Damaged(line),
        Some(kind) => io::Error::from(kind).into(),
    }
}

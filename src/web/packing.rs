//! Answers in gzip, which every browser takes, also over plain http. Knows no call.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

/// Shorter answers fit into one packet as they are (RFC 879: 1,460 bytes on an Ethernet, with their header).
pub(super) const LEAST_BYTES: usize = 1024;

/// RFC 9110, section 12.5.3, as far as browsers use it: a listed coding counts unless its weight is zero.
#[must_use]
pub fn accepts(accepted: &str, encoding: &str) -> bool {
    accepted.split(',').any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(encoding));
        named && !parts.any(|weight| matches!(weight, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
    })
}

/// Packs an answer, piece by piece. Its window and tables are some 400 kB of memory.
/// Quickly: lists of flights shrink to a tenth all the same.
pub(super) struct Packer(GzEncoder<Vec<u8>>);

impl Packer {
    pub(super) fn new() -> Packer {
        Packer(GzEncoder::new(Vec::new(), Compression::fast()))
    }

    /// Packs a piece and returns the bytes that are ready.
    pub(super) fn piece(&mut self, bytes: &[u8]) -> Vec<u8> {
        // Writing into memory can't fail.
        let _ = self.0.write_all(bytes);
        std::mem::take(self.0.get_mut())
    }

    /// The rest.
    pub(super) fn end(&mut self) -> Vec<u8> {
        let _ = self.0.try_finish();
        std::mem::take(self.0.get_mut())
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_encoding_counts_unless_its_weight_is_zero() {
        assert!(super::accepts("gzip, deflate, br;q=0.5", "br"));
        assert!(!super::accepts("gzip;q=0, br", "gzip"));
        assert!(!super::accepts("", "gzip"));
    }
}

//! Compresses answers with gzip, which every browser accepts, even over plain HTTP. Knows no call.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

/// Shorter answers fit into one packet uncompressed (RFC 879: 1,460 bytes on Ethernet, with their header).
pub(super) const MIN_BYTES: usize = 1024;

/// Evaluates `Accept-Encoding` (RFC 9110, section 12.5.3) as far as browsers use it: a listed coding is accepted unless
/// its weight is zero.
#[must_use]
pub fn accepts(accepted: &str, encoding: &str) -> bool {
    accepted.split(',').any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(encoding));
        named && !parts.any(|weight| matches!(weight, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
    })
}

/// Compresses an answer in pieces. Its window and tables take about 400 kB of memory. Uses the fast level, at which
/// lists of flights still shrink to a tenth.
pub(super) struct GzipStream(GzEncoder<Vec<u8>>);

impl GzipStream {
    pub(super) fn new() -> GzipStream {
        GzipStream(GzEncoder::new(Vec::new(), Compression::fast()))
    }

    /// Compresses a piece and returns the output that is ready.
    pub(super) fn piece(&mut self, bytes: &[u8]) -> Vec<u8> {
        // Writing into memory can't fail.
        let _ = self.0.write_all(bytes);
        std::mem::take(self.0.get_mut())
    }

    /// Ends the stream and returns the rest of the output.
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

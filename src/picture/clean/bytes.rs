//! Reads bytes and numbers from the front of a file. Knows no format.

pub(super) struct Cursor<'b>(pub &'b [u8]);

impl<'b> Cursor<'b> {
    pub(super) fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|byte| byte[0])
    }
}

/// Reads a big-endian 16-bit number from the front of `bytes`.
pub(super) fn be_u16(bytes: &[u8]) -> Option<u32> {
    Some(u32::from(u16::from_be_bytes(bytes.get(..2)?.try_into().ok()?)))
}

/// Reads a big-endian 32-bit number from the front of `bytes`.
pub(super) fn be_u32(bytes: &[u8]) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(..4)?.try_into().ok()?))
}

/// Reads a little-endian 16-bit number from the front of `bytes`.
pub(super) fn le_u16(bytes: &[u8]) -> Option<u32> {
    Some(u32::from(u16::from_le_bytes(bytes.get(..2)?.try_into().ok()?)))
}

/// Reads a little-endian 24-bit number from the front of `bytes`.
pub(super) fn le_u24(bytes: &[u8]) -> Option<u32> {
    let bytes = bytes.get(..3)?;
    Some(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0]))
}

/// Reads a little-endian 32-bit number from the front of `bytes`.
pub(super) fn le_u32(bytes: &[u8]) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(..4)?.try_into().ok()?))
}

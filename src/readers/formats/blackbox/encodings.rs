//! The encodings of values in a frame (`blackbox_encoding.c`).

/// The bytes of a frame and the position of the next value.
pub struct Cursor<'b> {
    pub bytes: &'b [u8],
    pub at: usize,
}

impl Cursor<'_> {
    pub fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    pub fn skip(&mut self, count: usize) -> Option<()> {
        self.at += count;
        (self.at <= self.bytes.len()).then_some(())
    }

    /// Reads a variable-length integer: seven bits per byte, lowest first, in at most five bytes.
    pub(crate) fn unsigned(&mut self) -> Option<u32> {
        let mut value = 0;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.byte()?;
            value |= u32::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    /// Reads a zigzag-encoded integer: positive numbers are stored as even ones, negative ones as odd.
    pub fn signed(&mut self) -> Option<i64> {
        let value = i64::from(self.unsigned()?);
        Some(value >> 1 ^ -(value & 1))
    }

    fn byte_as_number(&mut self) -> Option<i64> {
        self.byte().map(i64::from)
    }

    /// Reads `count` bytes, lowest first.
    fn little_endian(&mut self, count: u32) -> Option<i64> {
        (0..count).try_fold(0, |value, index| Some(value | self.byte_as_number()? << (8 * index)))
    }

    /// Reads `TAG8_8SVB`: a byte whose bits tell which of up to eight values aren't 0. A single value has no such byte.
    pub(crate) fn eight(&mut self, count: usize, values: &mut Vec<i64>) -> Option<()> {
        if count == 1 {
            values.push(self.signed()?);
            return Some(());
        }
        let present = self.byte()?;
        for index in 0..count {
            values.push(match present >> index & 1 {
                1 => self.signed()?,
                _ => 0,
            });
        }
        Some(())
    }

    /// Reads `TAG2_3S32`: three values of two, four or six bits, or of whole bytes.
    pub fn three(&mut self) -> Option<[i64; 3]> {
        let lead = self.byte_as_number()?;
        Some(match lead >> 6 {
            0 => [lead >> 4, lead >> 2, lead].map(|value| sign_extended(value, 2)),
            1 => {
                let next = self.byte_as_number()?;
                [lead, next >> 4, next].map(|value| sign_extended(value, 4))
            }
            2 => [lead, self.byte_as_number()?, self.byte_as_number()?].map(|value| sign_extended(value, 6)),
            _ => self.three_of_bytes(lead)?,
        })
    }

    /// Reads `TAG2_3SVARIABLE`: three values of two bits; of five, five and four; of eight, seven and seven; or of
    /// whole bytes.
    pub(crate) fn three_of_any_width(&mut self) -> Option<[i64; 3]> {
        let lead = self.byte_as_number()?;
        Some(match lead >> 6 {
            0 => [lead >> 4, lead >> 2, lead].map(|value| sign_extended(value, 2)),
            1 => {
                let bits = lead << 8 | self.byte_as_number()?;
                [
                    sign_extended(bits >> 9, 5),
                    sign_extended(bits >> 4, 5),
                    sign_extended(bits, 4),
                ]
            }
            2 => {
                let bits = lead << 16 | self.byte_as_number()? << 8 | self.byte_as_number()?;
                [
                    sign_extended(bits >> 14, 8),
                    sign_extended(bits >> 7, 7),
                    sign_extended(bits, 7),
                ]
            }
            _ => self.three_of_bytes(lead)?,
        })
    }

    /// Reads three values of one to four bytes; two bits of the leading byte tell the length of each.
    fn three_of_bytes(&mut self, lead: i64) -> Option<[i64; 3]> {
        let mut value = |shift: u32| {
            let bytes = u32::try_from(lead >> shift & 3).unwrap_or_default() + 1;
            self.little_endian(bytes).map(|value| sign_extended(value, 8 * bytes))
        };
        Some([value(0)?, value(2)?, value(4)?])
    }

    /// Reads `TAG8_4S16`: four values of 0, 4, 8 or 16 bits, without padding.
    pub fn four(&mut self) -> Option<[i64; 4]> {
        let widths = self.byte()?;
        let (mut held, mut bits) = (0_i64, 0_u32);
        let mut values = [0; 4];
        for (index, value) in values.iter_mut().enumerate() {
            let width = match widths >> (2 * index) & 3 {
                0 => continue,
                1 => 4,
                2 => 8,
                _ => 16,
            };
            while bits < width {
                held = held << 8 | self.byte_as_number()?;
                bits += 8;
            }
            bits -= width;
            *value = sign_extended(held >> bits, width);
        }
        Some(values)
    }
}

/// Sign-extends the lowest `bits` of a number.
pub(crate) fn sign_extended(value: i64, bits: u32) -> i64 {
    let above = 64 - bits;
    value << above >> above
}

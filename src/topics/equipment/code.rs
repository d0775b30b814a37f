//! Codes of stickers. No store, no web.

use std::fmt;

/// Crockford's base32: without I, L, O and U, which look like digits or form words.
const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH: usize = 8;
const BITS_OF_DIGIT: usize = 5;
const LARGEST: u64 = (1 << (LENGTH * BITS_OF_DIGIT)) - 1;

/// Code on a sticker, which identifies an item but grants no access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Code(u64);

impl Code {
    /// Creates a code from random bits; surplus bits are dropped.
    #[must_use]
    pub(crate) const fn of_bits(bits: u64) -> Code {
        Code(bits & LARGEST)
    }

    /// Parses a code as people type it: case, blanks and dashes don't count, and I, L and O stand for the digits that
    /// they look like.
    #[must_use]
    pub fn parse(text: &str) -> Option<Code> {
        let mut number = 0;
        let mut length = 0;
        for letter in text.bytes().filter(|letter| !matches!(letter, b' ' | b'-')) {
            let letter = match letter.to_ascii_uppercase() {
                b'I' | b'L' => b'1',
                b'O' => b'0',
                other => other,
            };
            let digit = DIGITS.iter().position(|digit| *digit == letter)?;
            length += 1;
            if length > LENGTH {
                return None;
            }
            number = number << BITS_OF_DIGIT | digit as u64;
        }
        (length == LENGTH).then_some(Code(number))
    }

    /// Returns the key of this code in a table.
    #[must_use]
    pub fn key(self) -> u128 {
        self.0.into()
    }

    /// Converts from the number in a record; `None` if no code has it.
    #[must_use]
    pub(crate) fn from_number(number: u64) -> Option<Code> {
        (number <= LARGEST).then_some(Code(number))
    }

    /// Returns the number for a record.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(LENGTH);
        for place in (0..LENGTH).rev() {
            let digit = usize::try_from(self.0 >> (place * BITS_OF_DIGIT)).unwrap_or(0) % DIGITS.len();
            text.push(char::from(DIGITS[digit]));
        }
        formatter.write_str(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_code_is_read_as_people_type_it() {
        let code = Code::parse("01ABCXYZ").unwrap();
        for typed in ["01abcxyz", "O1ABC-XYZ", "0l ab cx yz", "oIabcxyz"] {
            assert_eq!(Code::parse(typed), Some(code), "{typed}");
        }
        for wrong in ["", "01ABCXY", "01ABCXYZ0", "01ABCXYU", "01ABCXY!", "01ABCXYä"] {
            assert_eq!(Code::parse(wrong), None, "{wrong}");
        }
        assert_eq!(Code::from_number(LARGEST + 1), None);
    }

    proptest! {
        #[test]
        fn a_code_reads_back_what_it_prints(bits: u64) {
            let code = Code::of_bits(bits);
            prop_assert_eq!(code.to_string().len(), LENGTH);
            prop_assert_eq!(Code::parse(&code.to_string()), Some(code));
            prop_assert_eq!(Code::from_number(code.number()), Some(code));
        }
    }
}

//! The forms in which a text can have the same letters.

use std::borrow::Cow;

use icu_normalizer::ComposingNormalizerBorrowed;

/// Returns a text with one character for each letter with an accent (Unicode's form NFC), as fonts have them. Names of
/// files on a Mac have two.
#[must_use]
pub fn composed(text: &str) -> Cow<'_, str> {
    match text.is_ascii() {
        true => Cow::Borrowed(text),
        false => ComposingNormalizerBorrowed::new_nfc().normalize(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_and_its_accent_become_one_character() {
        assert_eq!(composed("U\u{308}bung, Cafe\u{301}, x\u{302}"), "Übung, Café, x\u{302}");
        assert_eq!(composed("Übung 🚁"), "Übung 🚁");
    }
}

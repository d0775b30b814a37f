//! The number of an operator (e-ID) and its secret end, which is cut wherever it is typed: three letters and 13
//! characters stand on the aircraft, the three characters that may follow prove who registered it.

use fluglog_base::error::{Error, Result};
use fluglog_base::text;

/// Characters of the public part.
const PUBLIC: usize = 16;
/// Letters of the country at its beginning.
const COUNTRY: usize = 3;
/// Characters of the secret end.
const SECRET: usize = 3;
/// The states of EASA, whose codes stand in front of numbers.
const COUNTRIES: &str = "AUT BEL BGR HRV CYP CZE DNK EST FIN FRA DEU GRC HUN ISL IRL ITA LVA LIE LTU LUX MLT NLD NOR \
                         POL PRT ROU SVK SVN ESP SWE CHE";
/// The characters of the check digit, by their values.
const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";

/// What was left out of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    Nothing,
    /// A secret end that fits its number.
    Fitting,
    /// A secret end whose number has another check digit.
    Unfitting,
}

impl Cut {
    /// Returns the sentence about it.
    #[must_use]
    pub fn hint(self) -> Option<&'static str> {
        match self {
            Cut::Nothing => None,
            Cut::Fitting => Some(text::PROOF_END_CUT),
            Cut::Unfitting => Some(text::PROOF_END_UNFIT),
        }
    }

    /// The graver of two.
    #[must_use]
    pub fn and(self, other: Cut) -> Cut {
        match (self, other) {
            (Cut::Unfitting, _) | (_, Cut::Unfitting) => Cut::Unfitting,
            (Cut::Fitting, _) | (_, Cut::Fitting) => Cut::Fitting,
            (Cut::Nothing, Cut::Nothing) => Cut::Nothing,
        }
    }
}

/// Reads a typed number: without blanks and its secret end, the country in capitals and the rest in small letters.
///
/// # Errors
/// [`Error::Invalid`]: it has another form.
pub fn read(field: &'static str, typed: &str) -> Result<(String, Cut)> {
    let wrong = || Error::invalid(field, text::PROOF_NUMBER_NO_EID);
    if !typed
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || c.is_whitespace() || is_dash(c))
    {
        return Err(wrong());
    }
    let number: Vec<u8> = typed.bytes().filter(u8::is_ascii_alphanumeric).collect();
    let has_country = number.iter().take(COUNTRY).all(u8::is_ascii_alphabetic);
    if !has_country || ![PUBLIC, PUBLIC + SECRET].contains(&number.len()) {
        return Err(wrong());
    }
    let (public, secret) = number.split_at(PUBLIC);
    let cut = match secret.is_empty() {
        true => Cut::Nothing,
        false if is_fitting(public, secret) => Cut::Fitting,
        false => Cut::Unfitting,
    };
    let cased = public.iter().enumerate().map(|(at, byte)| match at < COUNTRY {
        true => char::from(byte.to_ascii_uppercase()),
        false => char::from(byte.to_ascii_lowercase()),
    });
    Ok((cased.collect(), cut))
}

/// Leaves the secret ends of all numbers out of a text, which else stays as it is.
#[must_use]
pub fn public_part(typed: &str) -> (String, Cut) {
    let (mut public, mut cut) = (String::with_capacity(typed.len()), Cut::Nothing);
    let mut rest = typed;
    while !rest.is_empty() {
        let word = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric()).len();
        match secret_after(rest, word) {
            Some((kept, end, found)) => {
                public.push_str(&rest[..kept]);
                cut = cut.and(found);
                rest = &rest[end..];
            }
            None => {
                let next = rest[word..].chars().next().map_or(0, char::len_utf8);
                public.push_str(&rest[..word + next]);
                rest = &rest[word + next..];
            }
        }
    }
    (public, cut)
}

/// If the first `word` bytes are a number with its end, or a number before a dash and its end: returns the bytes to be
/// kept, and where the end ends.
fn secret_after(text: &str, word: usize) -> Option<(usize, usize, Cut)> {
    let bytes = text.as_bytes();
    if word == PUBLIC + SECRET {
        // Written in one piece it may be any word, so only a fitting check digit tells.
        let (public, secret) = bytes[..word].split_at(PUBLIC);
        let is_number = looks_like_number(public) && is_fitting(public, secret);
        return is_number.then_some((PUBLIC, word, Cut::Fitting));
    }
    let dash = text[word..].chars().next().filter(|c| is_dash(*c))?.len_utf8();
    let end = word + dash + SECRET;
    let secret = bytes.get(word + dash..end)?;
    let is_end = secret.iter().all(u8::is_ascii_alphanumeric)
        && !bytes.get(end).is_some_and(u8::is_ascii_alphanumeric)
        && word == PUBLIC;
    let public = &bytes[..word];
    let is_fitting = is_end && is_fitting(public, secret);
    // A word of letters, such as „Betreibernummern-LBA“, is a number only if its check digit fits.
    let has_digit = public.iter().any(u8::is_ascii_digit);
    (is_end && looks_like_number(public) && (is_fitting || has_digit)).then_some((
        word,
        end,
        if is_fitting { Cut::Fitting } else { Cut::Unfitting },
    ))
}

fn looks_like_number(public: &[u8]) -> bool {
    let has_country = |country: &str| {
        public
            .get(..COUNTRY)
            .is_some_and(|code| code.eq_ignore_ascii_case(country.as_bytes()))
    };
    COUNTRIES.split(' ').any(has_country)
}

fn is_dash(c: char) -> bool {
    matches!(c, '-' | '_' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// Returns whether the last character of the public part checks the others and the secret end: Luhn's sum modulo 36.
fn is_fitting(public: &[u8], secret: &[u8]) -> bool {
    let value = |byte: &u8| {
        let small = byte.to_ascii_lowercase();
        DIGITS.iter().position(|digit| *digit == small)
    };
    let Some((check, number)) = public.get(COUNTRY..).and_then(<[u8]>::split_last) else {
        return false;
    };
    let mut sum = 0;
    for (place, byte) in number.iter().chain(secret).rev().enumerate() {
        let Some(digit) = value(byte) else { return false };
        let product = digit * (2 - place % 2);
        sum += product / DIGITS.len() + product % DIGITS.len();
    }
    let expected = (DIGITS.len() - sum % DIGITS.len()) % DIGITS.len();
    value(check) == Some(expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of EASA's AMC1 to Article 14(8).
    const EXAMPLE: &str = "FIN87astrdge12k8-xyz";

    #[test]
    fn the_secret_end_of_a_typed_number_is_cut() {
        let cases = [
            (EXAMPLE, "FIN87astrdge12k8", Cut::Fitting),
            ("fin 87AS trdge 12k8 – XYZ", "FIN87astrdge12k8", Cut::Fitting),
            ("FIN87astrdge12k8xyz", "FIN87astrdge12k8", Cut::Fitting),
            ("FIN87astrdge12k8-xya", "FIN87astrdge12k8", Cut::Unfitting),
            ("deu87ASTRDGE12K8", "DEU87astrdge12k8", Cut::Nothing),
        ];
        for (typed, public, cut) in cases {
            assert_eq!(read("number", typed), Ok((public.to_owned(), cut)), "{typed}");
        }
    }

    #[test]
    fn a_number_of_another_form_is_refused() {
        let wrong = [
            "",
            "FIN87astrdge12k",
            "FIN87astrdge12k8-x",
            "F1N87astrdge12k8",
            "FIN87astrdge12kß",
            "FIN87/trdge12k8",
        ];
        for typed in wrong {
            assert!(read("number", typed).is_err(), "{typed}");
        }
    }

    #[test]
    fn the_secret_end_is_cut_within_a_text() {
        let cases = [
            (
                "e-ID FIN87astrdge12k8-xyz vom LBA",
                "e-ID FIN87astrdge12k8 vom LBA",
                Cut::Fitting,
            ),
            ("FIN87astrdge12k8-xyz.pdf", "FIN87astrdge12k8.pdf", Cut::Fitting),
            ("FIN87astrdge12k8_xya.pdf", "FIN87astrdge12k8.pdf", Cut::Unfitting),
            ("(FIN87astrdge12k8xyz)", "(FIN87astrdge12k8)", Cut::Fitting),
            (
                "ä FIN87astrdge12k8–xyz, FIN87astrdge12k8-xyz",
                "ä FIN87astrdge12k8, FIN87astrdge12k8",
                Cut::Fitting,
            ),
        ];
        for (typed, public, cut) in cases {
            assert_eq!(public_part(typed), (public.to_owned(), cut), "{typed}");
        }
    }

    #[test]
    fn a_text_without_a_secret_end_stays_as_it_is() {
        for typed in [
            "",
            "Betreibernummern-LBA.pdf",
            "Rechnung20261128-001.pdf",
            "Deutschlandkarte-Ost",
            "FIN87astrdge12k8",
            "FIN87astrdge12k8-xyzz",
            "FIN87astrdge12k8-xy",
            "FIN87astrdge12k8 von Max",
            "Haftpflichtversicherungsnummer-123",
            "Zeugnis – für 2026_27.pdf",
        ] {
            assert_eq!(public_part(typed), (typed.to_owned(), Cut::Nothing), "{typed}");
        }
    }
}

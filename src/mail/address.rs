//! E-mail addresses: which are accepted, and when two are equal. Knows no user.

use fluglog_base::field::MAX_TEXT_CHARACTERS;
use fluglog_base::secret::{digest, digest_key};

/// Limit of RFC 5321, section 4.5.3.1.1.
const MAX_LOCAL_PART_BYTES: usize = 64;

/// An e-mail address as typed, and in lower case for comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Email {
    pub typed: String,
    pub folded: String,
}

impl Email {
    /// Parses a bare address: a local part, `@`, and a domain with a dot. No names, quotes, comments or lists. This is
    /// the only place that folds case; letters that merely look alike stay different.
    #[must_use]
    pub fn parse(text: &str) -> Option<Email> {
        if text.contains(char::is_control) {
            return None;
        }
        let text = text.trim();
        let (local, domain) = text.split_once('@')?;
        let odd = |character: char| character.is_whitespace() || "@,;:<>()[]\\\"".contains(character);
        let labels_fit = domain.contains('.') && domain.split('.').all(|label| !label.is_empty());
        let fits = !local.is_empty()
            && local.len() <= MAX_LOCAL_PART_BYTES
            && labels_fit
            && text.chars().count() <= MAX_TEXT_CHARACTERS
            && !local.contains(odd)
            && !domain.contains(odd);
        fits.then(|| Email {
            typed: text.to_owned(),
            folded: text.to_lowercase(),
        })
    }

    /// Returns the key of the address in tables, regardless of case.
    #[must_use]
    pub fn key(&self) -> (u128, u128) {
        digest_key(&digest(&self.folded))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_plain_address_is_taken_and_its_case_folded() {
        let email = Email::parse(" Otto.Müller@Example.ORG ").unwrap();
        assert_eq!(email.typed, "Otto.Müller@Example.ORG");
        assert_eq!(email.folded, "otto.müller@example.org");
    }

    #[test]
    fn anything_but_one_plain_address_is_refused() {
        let long = format!("a@{}.de", "b".repeat(200));
        for wrong in [
            "",
            "a",
            "a@b",
            "@b.de",
            "a@",
            "a@b..de",
            "a@.de",
            "a b@c.de",
            "a@b.de,c@d.de",
            "a@b.de\r\nBcc: c@d.de",
            "<a@b.de>",
            "a@@b.de",
            "\"a\"@b.de",
            "a@[127.0.0.1]",
            "a@b.de\n",
            "\ta@b.de",
            &long,
        ] {
            assert_eq!(Email::parse(wrong), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn folding_twice_changes_nothing(local in "[a-zA-ZäÖß]{1,10}", domain in "[a-zA-Z]{1,10}") {
            let once = Email::parse(&format!("{local}@{domain}.de")).unwrap().folded;
            prop_assert_eq!(Email::parse(&once).unwrap().folded, once.clone());
        }
    }
}

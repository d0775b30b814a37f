//! Rules of accounts and the shapes that calls answer with. No store, no web.

use serde::Serialize;

use crate::error::{Error, Result};
use crate::id::FlightId;
use crate::text;

/// Characters of a password: fewer are guessed, more are an attack on the hash.
pub const PASSWORD_CHARACTERS: std::ops::RangeInclusive<usize> = 8..=crate::input::TEXT_MOST_CHARACTERS;
/// RFC 5321, section 4.5.3.1.1.
const LOCAL_PART_MOST_BYTES: usize = 64;

/// An e-mail address as it was typed, and folded for comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Email {
    pub typed: String,
    pub folded: String,
}

impl Email {
    /// Reads one plain address: a local part, `@`, and a domain with a dot. No names, quotes, comments or lists. Case is folded
    /// here and nowhere else; letters that merely look alike stay different.
    #[must_use]
    pub fn parse(text: &str) -> Option<Email> {
        let text = text.trim();
        let (local, domain) = text.split_once('@')?;
        let odd = |character: char| {
            character.is_whitespace() || character.is_control() || "@,;:<>()[]\\\"".contains(character)
        };
        let labels_fit = domain.contains('.') && domain.split('.').all(|label| !label.is_empty());
        let fits = !local.is_empty()
            && local.len() <= LOCAL_PART_MOST_BYTES
            && labels_fit
            && text.chars().count() <= crate::input::TEXT_MOST_CHARACTERS
            && !local.contains(odd)
            && !domain.contains(odd);
        fits.then(|| Email {
            typed: text.to_owned(),
            folded: text.to_lowercase(),
        })
    }
}

/// Checks the length of a new password. Every character counts as typed, blanks too.
///
/// # Errors
/// Too short or too long.
pub fn check_new_password(password: &str) -> Result<()> {
    let characters = password.chars().count();
    if characters < *PASSWORD_CHARACTERS.start() {
        return Err(Error::invalid("password", text::PASSWORD_TOO_SHORT));
    }
    if characters > *PASSWORD_CHARACTERS.end() {
        return Err(Error::invalid("password", text::PASSWORD_TOO_LONG));
    }
    Ok(())
}

/// What the user interface knows of the one who is logged in.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct SessionUser {
    pub nickname: String,
    /// Path of the photo, or empty.
    pub photo: String,
    #[cfg_attr(test, ts(as = "Option<String>"))]
    pub open_flight: Option<FlightId>,
}

/// The answer to a login.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct LoggedIn {
    #[serde(flatten)]
    pub user: SessionUser,
    /// The persistent login token; empty unless it was asked for.
    pub token: String,
}

/// The profile.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct DetailedUser {
    pub email: String,
    pub nickname: String,
    pub photo: String,
    pub firstname: String,
    pub lastname: String,
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
            &long,
        ] {
            assert_eq!(Email::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_password_is_counted_in_characters() {
        assert!(check_new_password("1234567").is_err());
        assert!(check_new_password("äöüßäöü🙂").is_ok());
        assert!(check_new_password(&"x".repeat(201)).is_err());
    }

    proptest! {
        #[test]
        fn folding_twice_changes_nothing(local in "[a-zA-ZäÖß]{1,10}", domain in "[a-zA-Z]{1,10}") {
            let once = Email::parse(&format!("{local}@{domain}.de")).unwrap().folded;
            prop_assert_eq!(Email::parse(&once).unwrap().folded, once.clone());
        }
    }
}

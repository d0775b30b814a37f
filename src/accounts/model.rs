//! Rules of accounts and the shapes that calls answer with. No store, no web.

use serde::{Deserialize, Serialize};

use crate::base::error::Error;
use crate::base::field::TEXT_MOST_CHARACTERS;
use crate::base::id::{Blob, FlightId, UserId};
use crate::base::secret::digest;
use crate::base::text;

/// Characters of a password: fewer are guessed, more are an attack on the hash.
pub const PASSWORD_CHARACTERS: std::ops::RangeInclusive<usize> = 8..=TEXT_MOST_CHARACTERS;
/// Characters of a nickname.
pub const NICKNAME_MOST_CHARACTERS: usize = 50;

/// A rule that a nickname or a password breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rule {
    NicknameMissing,
    NicknameTooLong,
    NicknameWithControlCharacters,
    PasswordTooShort,
    PasswordTooLong,
    PasswordWithControlCharacters,
}

impl Rule {
    /// The sentence that states it, for pilots and for the admin.
    #[must_use]
    pub fn sentence(self) -> String {
        match self {
            Rule::NicknameMissing => text::NICKNAME_MISSING.to_owned(),
            Rule::NicknameTooLong => text::too_long(NICKNAME_MOST_CHARACTERS),
            Rule::PasswordTooShort => text::PASSWORD_TOO_SHORT.to_owned(),
            Rule::PasswordTooLong => text::PASSWORD_TOO_LONG.to_owned(),
            Rule::NicknameWithControlCharacters | Rule::PasswordWithControlCharacters => {
                text::CONTROL_CHARACTERS.to_owned()
            }
        }
    }

    fn field(self) -> &'static str {
        match self {
            Rule::NicknameMissing | Rule::NicknameTooLong | Rule::NicknameWithControlCharacters => "nickname",
            Rule::PasswordTooShort | Rule::PasswordTooLong | Rule::PasswordWithControlCharacters => "password",
        }
    }
}

impl From<Rule> for Error {
    fn from(rule: Rule) -> Error {
        Error::invalid(rule.field(), rule.sentence())
    }
}

/// Checks a new password. Every character counts as typed, blanks too.
///
/// # Errors
/// Too short, too long, or with control characters.
pub fn check_new_password(password: &str) -> Result<(), Rule> {
    let characters = password.chars().count();
    if characters < *PASSWORD_CHARACTERS.start() {
        return Err(Rule::PasswordTooShort);
    }
    check_password(password)
}

/// Refuses what no password can be.
///
/// # Errors
/// Too long, or with control characters.
pub fn check_password(password: &str) -> Result<(), Rule> {
    if password.chars().nth(*PASSWORD_CHARACTERS.end()).is_some() {
        return Err(Rule::PasswordTooLong);
    }
    if password.contains(char::is_control) {
        return Err(Rule::PasswordWithControlCharacters);
    }
    Ok(())
}

/// A nickname as it is stored.
///
/// # Errors
/// Empty, too long, or with control characters.
pub fn checked_nickname(nickname: &str) -> Result<String, Rule> {
    if nickname.chars().nth(NICKNAME_MOST_CHARACTERS).is_some() {
        return Err(Rule::NicknameTooLong);
    }
    // Line and paragraph separator are no control characters to Unicode.
    if nickname.contains(|c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')) {
        return Err(Rule::NicknameWithControlCharacters);
    }
    match nickname.trim() {
        "" => Err(Rule::NicknameMissing),
        nickname => Ok(nickname.to_owned()),
    }
}

/// A browser whose name we don't know.
pub const UNKNOWN_BROWSER: &str = "unbekannter Browser";

/// The name of a browser, as people say it: „Firefox auf Android“. Anyone can send anything, so only names of ours are shown.
#[must_use]
pub fn browser_name(sent: Option<&str>) -> String {
    const BROWSERS: [(&str, &str); 6] = [
        ("Edg", "Edge"),
        ("OPR/", "Opera"),
        ("SamsungBrowser/", "Samsung Internet"),
        ("Firefox/", "Firefox"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ];
    const SYSTEMS: [(&str, &str); 6] = [
        ("Android", "Android"),
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Windows", "Windows"),
        ("Mac OS X", "Mac"),
        ("Linux", "Linux"),
    ];
    let sent = sent.unwrap_or_default();
    let known = |names: &[(&str, &'static str)]| {
        let found = names.iter().find(|(sign, _)| sent.contains(sign));
        found.map(|(_, name)| *name)
    };
    match (known(&BROWSERS), known(&SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser} auf {system}"),
        _ => UNKNOWN_BROWSER.to_owned(),
    }
}

/// Where a browser is, as far as that can be said of its address.
#[must_use]
pub const fn place_name(is_near: bool) -> &'static str {
    if is_near { "in diesem Netz" } else { "von außerhalb" }
}

/// The account of a user, as browsers tell whose data they keep.
#[must_use]
pub fn account(user: UserId) -> String {
    const_hex::encode(&digest(&format!("account {user}"))[..8])
}

/// The path of a photo for an `<img>`; empty when there is none. It changes with the photo, because browsers cache it for good.
#[must_use]
pub fn photo_path(photo: Option<Blob>) -> String {
    photo.map_or_else(String::new, |blob| format!("/app/api/GetPhoto?uuid={}", blob.id))
}

/// The logged-in user, as the user interface needs it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct SessionUser {
    /// Tells accounts apart, and says nothing else: 16 hexadecimal digits that stay the same for good.
    pub account: String,
    pub nickname: String,
    /// Path of the photo, or empty.
    pub photo: String,
    #[cfg_attr(test, ts(as = "Option<String>"), schema(value_type = Option<String>))]
    pub open_flight: Option<FlightId>,
}

/// The answer to a login.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct LoggedIn {
    #[serde(flatten)]
    pub user: SessionUser,
    /// The persistent login token; empty unless it was asked for.
    pub token: String,
}

/// The answer to a login by mail.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct LoginNumber {
    /// Two digits, which the mail's reader has to type.
    pub number: String,
}

/// Which browser asked to be logged in.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct LoginRequest {
    /// „Chrome auf Android“, or „unbekannter Browser“.
    pub browser: String,
    /// „in diesem Netz“ or „von außerhalb“, as the server sees its address.
    pub from: String,
    /// dd.MM.yyyy HH:mm
    pub time: String,
}

/// The profile.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
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

    #[test]
    fn an_account_stays_the_same_for_good() {
        assert_eq!(account(UserId::from_key(7)), "540f331623c66845");
        assert_ne!(account(UserId::from_key(7)), account(UserId::from_key(8)));
    }

    #[test]
    fn a_password_is_counted_in_characters() {
        assert!(check_new_password("1234567").is_err());
        assert!(check_new_password("äöüßäöü🙂").is_ok());
        assert!(check_new_password(&"x".repeat(201)).is_err());
    }

    #[test]
    fn a_browser_is_called_as_people_call_it() {
        let names = [
            (
                "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0",
                "Firefox auf Android",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0",
                "Edge auf Windows",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
                "Safari auf iPhone",
            ),
            ("curl/8.0", UNKNOWN_BROWSER),
            ("Firefox/140.0", UNKNOWN_BROWSER),
            ("Ihre Zahl lautet: 42", UNKNOWN_BROWSER),
            (" ", UNKNOWN_BROWSER),
            (
                "Ihre Zahl lautet: 42 Chrome/140.0.0.0 Windows https://evil.example",
                "Chrome auf Windows",
            ),
        ];
        for (sent, shown) in names {
            assert_eq!(browser_name(Some(sent)), shown);
        }
        assert_eq!(browser_name(None), UNKNOWN_BROWSER);
    }
}

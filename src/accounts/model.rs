//! Rules of accounts and the shapes that calls answer with. No store, no web.

use serde::{Deserialize, Serialize};

use super::spaces::model::SessionSpace;
use fluglog_base::error::Error;
use fluglog_base::field::MAX_TEXT_CHARACTERS;
use fluglog_base::id::{Blob, FlightId, LoginId, UserId};
use fluglog_base::secret::digest;
use fluglog_base::text;

/// The allowed number of characters: shorter passwords are easily guessed, longer ones overload the hash function.
pub(crate) const PASSWORD_CHARACTERS: std::ops::RangeInclusive<usize> = 8..=MAX_TEXT_CHARACTERS;
/// The 10,000 most common passwords of at least eight characters, in lower case (from zxcvbn's list, MIT).
const COMMON_PASSWORDS: &str = include_str!("../../embed/passwords.txt");
/// Words that many German passwords begin with, in lower case, collected by hand. Guessers try them first, followed by
/// digits and punctuation.
const COMMON_WORDS: &str = include_str!("../../embed/words-of-passwords.txt");
pub const MAX_NICKNAME_CHARACTERS: usize = 50;

/// A rule for nicknames and passwords.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rule {
    NicknameMissing,
    NicknameTooLong,
    NicknameWithControlCharacters,
    PasswordTooShort,
    PasswordTooLong,
    PasswordWithControlCharacters,
    /// The password is among the most common.
    PasswordCommon,
    /// The password is the nickname, the e-mail address or a part of the address, perhaps with digits or punctuation
    /// around it.
    PasswordIsName,
}

impl Rule {
    /// Returns the sentence that explains the rule, for pilots and for the admin.
    #[must_use]
    pub fn sentence(self) -> String {
        match self {
            Rule::NicknameMissing => text::NICKNAME_MISSING.to_owned(),
            Rule::NicknameTooLong => text::too_long(MAX_NICKNAME_CHARACTERS),
            Rule::PasswordTooShort => text::PASSWORD_TOO_SHORT.to_owned(),
            Rule::PasswordCommon => text::PASSWORD_COMMON.to_owned(),
            Rule::PasswordIsName => text::PASSWORD_IS_NAME.to_owned(),
            Rule::PasswordTooLong => text::PASSWORD_TOO_LONG.to_owned(),
            Rule::NicknameWithControlCharacters | Rule::PasswordWithControlCharacters => {
                text::CONTROL_CHARACTERS.to_owned()
            }
        }
    }

    fn field(self) -> &'static str {
        match self {
            Rule::NicknameMissing | Rule::NicknameTooLong | Rule::NicknameWithControlCharacters => "nickname",
            Rule::PasswordTooShort
            | Rule::PasswordTooLong
            | Rule::PasswordWithControlCharacters
            | Rule::PasswordCommon
            | Rule::PasswordIsName => "password",
        }
    }
}

impl From<Rule> for Error {
    fn from(rule: Rule) -> Error {
        Error::invalid(rule.field(), rule.sentence())
    }
}

/// Checks a new password. Every character counts as typed, including spaces.
///
/// # Errors
/// Too short, too long, with control characters, very common, or no more than the e-mail address or the nickname.
pub(crate) fn check_new_password(password: &str, email: &str, nickname: &str) -> Result<(), Rule> {
    let characters = password.chars().count();
    if characters < *PASSWORD_CHARACTERS.start() {
        return Err(Rule::PasswordTooShort);
    }
    check_password(password)?;
    let folded = [password, email, nickname].map(str::to_lowercase);
    let [password, email, nickname] = folded.each_ref().map(String::as_str);
    let bare = |text: &str| text.trim_matches(|end: char| !end.is_alphabetic()).to_owned();
    let names = [nickname, email, email.split('@').next().unwrap_or_default()];
    let is_name = |name: &str| name == password || (!bare(password).is_empty() && bare(name) == bare(password));
    if names.into_iter().any(is_name) || email.contains(password) {
        return Err(Rule::PasswordIsName);
    }
    let word = password.trim_end_matches(|last: char| !last.is_alphabetic());
    let is_common =
        COMMON_PASSWORDS.lines().any(|common| common == password) || COMMON_WORDS.lines().any(|common| common == word);
    if is_common {
        return Err(Rule::PasswordCommon);
    }
    Ok(())
}

/// Refuses text that can't be any account's password, before it is hashed.
///
/// # Errors
/// Too long, or with control characters.
pub(crate) fn check_password(password: &str) -> Result<(), Rule> {
    if password.chars().nth(*PASSWORD_CHARACTERS.end()).is_some() {
        return Err(Rule::PasswordTooLong);
    }
    if password.contains(char::is_control) {
        return Err(Rule::PasswordWithControlCharacters);
    }
    Ok(())
}

/// Returns a nickname as it is stored: trimmed.
///
/// # Errors
/// Empty, too long, or with control characters.
pub(crate) fn checked_nickname(nickname: &str) -> Result<String, Rule> {
    if nickname.chars().nth(MAX_NICKNAME_CHARACTERS).is_some() {
        return Err(Rule::NicknameTooLong);
    }
    // Unicode doesn't count the line and paragraph separators as control characters.
    if nickname.contains(|c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')) {
        return Err(Rule::NicknameWithControlCharacters);
    }
    match nickname.trim() {
        "" => Err(Rule::NicknameMissing),
        nickname => Ok(nickname.to_owned()),
    }
}

/// The name of an unrecognised browser.
pub(crate) const UNKNOWN_BROWSER: &str = "unbekannter Browser";

/// Returns the usual name of a browser from its `User-Agent`, such as „Firefox auf Android“. The header may contain
/// anything, so only names from these lists are returned.
#[must_use]
pub(crate) fn browser_name(sent: Option<&str>) -> String {
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

/// Returns a browser's name after „mit“, in the dative.
#[must_use]
pub(crate) fn with_browser(name: &str) -> String {
    match name {
        UNKNOWN_BROWSER => "mit einem unbekannten Browser".to_owned(),
        name => format!("mit {name}"),
    }
}

/// Returns where a browser is, as far as its network address tells.
#[must_use]
pub const fn place_name(is_near: bool) -> &'static str {
    if is_near { "aus diesem Netz" } else { "von außerhalb" }
}

/// Returns the pseudonym by which browsers tell whose data they store.
#[must_use]
pub fn account(user: UserId) -> String {
    const_hex::encode(&digest(&format!("account {user}"))[..8])
}

/// Returns the path of a photo for an `<img>`; empty without a photo. Each photo has its own path, since browsers cache
/// it without a check.
#[must_use]
pub(crate) fn photo_path(photo: Option<Blob>) -> String {
    photo.map_or_else(String::new, |blob| format!("/app/api/GetPhoto?uuid={}", blob.id))
}

/// The logged-in user, as the user interface needs it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct SessionUser {
    /// A pseudonym of the account: 16 hexadecimal digits that never change.
    pub account: String,
    pub nickname: String,
    /// Path of the photo, or empty.
    pub photo: String,
    #[cfg_attr(feature = "schema", ts(as = "Option<String>"), schema(value_type = Option<String>))]
    pub open_flight: Option<FlightId>,
    /// True for a pilot with proofs; absent for others.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional), schema(nullable = false))]
    pub has_proofs: Option<bool>,
    /// The pilot's households and clubs, the oldest first; absent without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(
        feature = "schema",
        ts(as = "Option<Vec<SessionSpace>>", optional),
        schema(nullable = false)
    )]
    pub spaces: Vec<SessionSpace>,
}

/// The user of the session.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct CheckedSession {
    #[serde(flatten)]
    pub user: SessionUser,
    /// Whether the browser stays logged in after it was closed.
    pub remembered: bool,
    /// Where the proxy that has logged the pilot in ends its login.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional), schema(nullable = false))]
    pub logout_url: Option<String>,
}

/// The answer to a login.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct LoggedIn {
    #[serde(flatten)]
    pub user: SessionUser,
    /// The persistent login token; empty unless it was asked for.
    pub token: String,
}

/// The answer to a login by mail.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct LoginNumber {
    /// Two digits, which the mail's reader has to type.
    pub number: String,
}

/// The browser that requested a login.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct LoginRequest {
    /// „Chrome auf Android“, or „unbekannter Browser“.
    pub browser: String,
    /// „aus diesem Netz“ or „von außerhalb“, as the server sees its address.
    pub from: String,
    /// dd.MM.yyyy HH:mm
    pub time: String,
    /// Whether the request confirms an operator who is logged in already.
    pub admin: bool,
}

/// A browser that is logged in.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct DeviceSession {
    #[cfg_attr(feature = "schema", ts(as = "String"), schema(value_type = String))]
    pub dpf_id: LoginId,
    /// „Chrome auf Android“, or „unbekannter Browser“.
    pub browser: String,
    /// dd.MM.yyyy HH:mm
    pub since: String,
    /// dd.MM.yyyy HH:mm; up to 15 minutes too early.
    pub last_seen: String,
    /// Whether it is the requesting browser.
    pub current: bool,
    /// Whether it stays logged in when it is closed.
    pub remembered: bool,
}

/// The profile.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct DetailedUser {
    pub email: String,
    pub nickname: String,
    pub photo: String,
    pub firstname: String,
    pub lastname: String,
    /// How finders of equipment reach the pilot: printed on stickers and shown to others who scan one.
    pub contact: String,
}

/// Whether the server waits for its first account.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct SetupState {
    /// Whether there is no account yet: the address that the server printed at its start makes the first.
    pub open: bool,
}

/// An invitation to an account.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct Invitation {
    /// The suggested nickname; empty without one.
    pub nickname: String,
}

/// The user whose password a reset link sets.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct PasswordReset {
    pub nickname: String,
    pub email: String,
}

/// The address that a mailed link confirms.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct NewAddress {
    pub email: String,
}

/// The ways in which a pilot can log in.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct LoginWays {
    /// Whether there is a password; without one a mail is the only way.
    pub has_password: bool,
}

/// The pilot's rights as an operator.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct AdminState {
    pub operator: bool,
    /// Whether the settings let this server be run in the browser.
    pub admin_ui: bool,
    /// For how many seconds the operator counts as confirmed; 0: a confirmation is needed.
    pub confirmed_seconds: u32,
    pub proof: AdminProof,
    /// Whether there is a mail server: without one, mails stay on the machine.
    pub sends_mail: bool,
}

/// The way in which an operator confirms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub enum AdminProof {
    Password,
    /// The number from a mail: there is no password, or an unconfirmed session has set it.
    Mail,
    /// Only the shell: an unconfirmed session has changed the address as well.
    Shell,
}

/// The domain of placeholder accounts. No mail reaches it (RFC 2606).
const PLACEHOLDER_DOMAIN: &str = "@gerettet.invalid";

/// Returns the address of a placeholder account, which replaces a lost account until an admin gives it to its pilot.
#[must_use]
pub(crate) fn placeholder_address(number: usize) -> String {
    format!("konto-{number}{PLACEHOLDER_DOMAIN}")
}

/// Returns whether an address is that of a placeholder account.
#[must_use]
pub(crate) fn is_placeholder(email: &str) -> bool {
    email.ends_with(PLACEHOLDER_DOMAIN)
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
        let check = |password: &str| check_new_password(password, "anna@example.org", "Anna");
        assert!(check("qwepoiu").is_err());
        assert!(check("äöüßäöü🙂").is_ok());
        assert!(check(&"x".repeat(201)).is_err());
    }

    #[test]
    fn a_password_that_others_try_first_is_refused() {
        let check = |password: &str, nickname: &str| check_new_password(password, "Anna.Luft@example.org", nickname);
        for common in [
            "password",
            "12345678",
            "PassWort",
            "qwertzui",
            "iloveyou",
            "Passwort1",
            "qwertz123",
            "Sommer2026!",
        ] {
            assert_eq!(check(common, "Anna"), Err(Rule::PasswordCommon), "{common}");
        }
        for named in [
            "anna.luft@example.org",
            "anna.luft",
            "ANNA1234",
            "1 Anna 2 !",
            "anna.luft1",
            "ANNA.LUFT@EXAMPLE.ORG!",
        ] {
            assert_eq!(check(named, "Anna"), Err(Rule::PasswordIsName), "{named}");
        }
        assert_eq!(check("Luftikus", "Luftikus"), Err(Rule::PasswordIsName));
        assert_eq!(check("Luftikus7!", "Luftikus7"), Err(Rule::PasswordIsName));
        assert_eq!(check("20262026", "20262026"), Err(Rule::PasswordIsName));
        assert_eq!(check("Flieger-Anna-7", "Anna"), Ok(()));
        assert_eq!(check("Bauernhof-7", "Al"), Ok(()));
        assert_eq!(check("7 Sommer im Watt", "Al"), Ok(()));
        assert_eq!(check("Galgenvogel-7", "Al"), Ok(()));
        assert_eq!(COMMON_PASSWORDS.lines().count(), 10_000);
    }

    #[test]
    fn a_browser_is_called_as_people_call_it() {
        let names = [
            (
                "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0",
                "Firefox auf Android",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 \
                 Safari/537.36 Edg/140.0",
                "Edge auf Windows",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) \
                 Version/18.0 Mobile/15E148 Safari/604.1",
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

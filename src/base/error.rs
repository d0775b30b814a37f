//! The errors that a user can meet. Knows no HTTP (web/reply.rs maps them to statuses) and no database.
//!
//! Every variant that a user may see has one German sentence to be shown unchanged. The text of [`Error::Internal`],
//! [`Error::Busy`] and [`Error::DiskFull`] is for the log only.

use crate::text;

/// The error of every operation that a pilot requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// A value breaks a rule. `field` is the field's name on the wire, so that the form shows the sentence beside it.
    Invalid {
        field: Option<&'static str>,
        sentence: String,
    },
    /// No valid login.
    NotLoggedIn,
    /// A login failed; deliberately without the cause.
    LoginRefused,
    /// The record doesn't exist for this user: it is unknown, someone else's, or of another kind.
    NotFound,
    /// The pilot knows the record but may not do this with it, and why.
    Forbidden(&'static str),
    /// A sticker that leads to nothing of this pilot's, and why.
    Sticker(String),
    /// The operation needs a recent confirmation of the operator's password.
    ConfirmationRequired,
    /// Another site sent the request, according to its headers.
    CrossSite,
    /// The request doesn't match the stored state any more.
    Conflict(&'static str),
    /// An item is in an open flight: of whom and since when.
    InUse(String),
    /// The request was carried out before; the stored outcome is the answer.
    Repeated,
    /// This server doesn't offer the operation.
    Disabled(&'static str),
    /// A link, code or share that has expired, was used up, or never existed.
    Gone(&'static str),
    /// The request is larger than its limit.
    TooLarge,
    /// The call doesn't accept a body of this content type.
    WrongContentType,
    /// A file, or all files of one upload together, are larger than their limit.
    FilesTooLarge(&'static str),
    /// The call doesn't accept a file of this kind.
    UnsupportedFile(String),
    /// The pilot, or a space, has used up the quota.
    QuotaUsedUp(&'static str),
    /// The database is damaged and therefore read-only.
    ReadOnly,
    /// The disk is full. The cause is for the log.
    DiskFull(String),
    /// Too many attempts; the next one is allowed after this many seconds.
    RateLimited { retry_after_seconds: u64 },
    /// One client sends too many requests at once.
    TooManyRequests,
    /// Other users occupy all of a resource; a later attempt may succeed.
    ResourceBusy(&'static str),
    /// The store can't answer now; a later attempt may succeed. The cause is for the log.
    Busy(String),
    /// A bug or damaged data. The cause is for the log.
    Internal(String),
}

/// The result of every operation that a pilot requests.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Creates the error of a value of `field` that breaks the rule stated in `sentence`.
    #[must_use]
    pub fn invalid(field: &'static str, sentence: impl Into<String>) -> Error {
        Error::Invalid {
            field: Some(field),
            sentence: sentence.into(),
        }
    }

    /// Prefixes the sentence with the name of the file it is about.
    #[must_use]
    pub fn of_file(self, name: &str) -> Error {
        let named = |sentence: String| format!("Datei „{name}“: {sentence}");
        match self {
            Error::Invalid { field, sentence } => Error::Invalid {
                field,
                sentence: named(sentence),
            },
            Error::UnsupportedFile(sentence) => Error::UnsupportedFile(named(sentence)),
            other => other,
        }
    }

    /// Returns the German sentence for the user.
    #[must_use]
    pub fn sentence(&self) -> &str {
        match self {
            Error::Invalid { sentence, .. } => sentence,
            Error::NotLoggedIn => text::NOT_LOGGED_IN,
            Error::LoginRefused => text::LOGIN_REFUSED,
            Error::NotFound => text::NO_ACCESS,
            Error::Sticker(sentence) | Error::InUse(sentence) => sentence,
            Error::ConfirmationRequired => text::CONFIRMATION_REQUIRED,
            Error::CrossSite => text::CROSS_SITE,
            Error::Forbidden(sentence)
            | Error::Conflict(sentence)
            | Error::Disabled(sentence)
            | Error::Gone(sentence)
            | Error::ResourceBusy(sentence)
            | Error::QuotaUsedUp(sentence) => sentence,
            Error::Repeated => text::ALREADY_DONE,
            Error::TooLarge => text::TOO_LARGE,
            Error::WrongContentType => text::WRONG_CONTENT_TYPE,
            Error::FilesTooLarge(sentence) => sentence,
            Error::UnsupportedFile(sentence) => sentence,
            Error::ReadOnly => text::READ_ONLY,
            Error::DiskFull(_) => text::FULL,
            Error::RateLimited { .. } => text::RATE_LIMITED,
            Error::TooManyRequests => text::CROWDED,
            Error::Busy(_) => text::BUSY,
            Error::Internal(_) => text::INTERNAL,
        }
    }
}

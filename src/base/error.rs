//! The errors that a user can meet. Knows no HTTP (web/reply.rs makes the status) and no database.
//!
//! Every variant that a user may see carries one German sentence, fit to be shown as it is. The
//! text of [`Error::Internal`], [`Error::Busy`] and [`Error::Full`] is for the log only.

use crate::text;

/// The one error of everything a pilot asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// A value breaks a rule. `field` is the name of the field on the wire, for the form that shows the sentence.
    Invalid {
        field: Option<&'static str>,
        sentence: String,
    },
    /// No valid login.
    NotLoggedIn,
    /// A login failed; the same answer for every cause.
    LoginRefused,
    /// The thing doesn't exist for this user: unknown, someone else's, or of another kind.
    NotYours,
    /// A sticker that leads this pilot to nothing of their own, and why.
    Sticker(String),
    /// It takes the password of who runs the server, shown a short while ago.
    PasswordAgain,
    /// The request says itself that another site sent it.
    OtherSite,
    /// The request fits no longer to what is stored by now.
    Conflict(&'static str),
    /// The request was carried out before; the server answers with what it did then.
    Repeated,
    /// This server doesn't offer it.
    NotOffered(&'static str),
    /// A link, code or share that was good once, or never.
    Gone(&'static str),
    /// The request is larger than its limit.
    TooLarge,
    /// The body isn't of the kind that this call takes.
    WrongContentType,
    /// A file, or all files of one upload together, are larger than their limit.
    FilesTooLarge(&'static str),
    /// A file isn't of a kind that is taken here.
    WrongKindOfFile(String),
    /// The pilot has used up the room on this server that one pilot may have.
    QuotaUsedUp,
    /// The database is damaged so that nothing more is stored.
    ReadOnly,
    /// The disk has no room for more. The cause is for the log.
    Full(String),
    /// Too many tries; the next one may come in this many seconds.
    RateLimited { retry_after_seconds: u64 },
    /// One client asks too much at once.
    Crowded,
    /// Others use all that there is of it. It may work later.
    Occupied(&'static str),
    /// It may work later: the store can't answer now. The cause is for the log.
    Busy(String),
    /// A defect or damaged data. The cause is for the log.
    Internal(String),
}

/// The result of everything a pilot asks for.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// A value of the field `field` breaks the rule that `sentence` states.
    #[must_use]
    pub fn invalid(field: &'static str, sentence: impl Into<String>) -> Error {
        Error::Invalid {
            field: Some(field),
            sentence: sentence.into(),
        }
    }

    /// The same with the name of the file in front that it is about.
    #[must_use]
    pub fn of_file(self, name: &str) -> Error {
        let named = |sentence: String| format!("Datei „{name}“: {sentence}");
        match self {
            Error::Invalid { field, sentence } => Error::Invalid {
                field,
                sentence: named(sentence),
            },
            Error::WrongKindOfFile(sentence) => Error::WrongKindOfFile(named(sentence)),
            other => other,
        }
    }

    /// The German sentence for the user.
    #[must_use]
    pub fn sentence(&self) -> &str {
        match self {
            Error::Invalid { sentence, .. } => sentence,
            Error::NotLoggedIn => text::NOT_LOGGED_IN,
            Error::LoginRefused => text::LOGIN_REFUSED,
            Error::NotYours => text::NOT_YOURS,
            Error::Sticker(sentence) => sentence,
            Error::PasswordAgain => text::PASSWORD_AGAIN,
            Error::OtherSite => text::OTHER_SITE,
            Error::Conflict(sentence)
            | Error::NotOffered(sentence)
            | Error::Gone(sentence)
            | Error::Occupied(sentence) => sentence,
            Error::Repeated => text::ALREADY_DONE,
            Error::TooLarge => text::TOO_LARGE,
            Error::WrongContentType => text::WRONG_CONTENT_TYPE,
            Error::FilesTooLarge(sentence) => sentence,
            Error::WrongKindOfFile(sentence) => sentence,
            Error::QuotaUsedUp => text::QUOTA_USED_UP,
            Error::ReadOnly => text::READ_ONLY,
            Error::Full(_) => text::FULL,
            Error::RateLimited { .. } => text::RATE_LIMITED,
            Error::Crowded => text::CROWDED,
            Error::Busy(_) => text::BUSY,
            Error::Internal(_) => text::INTERNAL,
        }
    }
}

//! The admin's operations on users. Independent of the command line and of other topics' data.

use serde::{Deserialize, Serialize};

use super::access::{self, AccessEnd};
use super::guard::{self, Viewer};
use super::model::{self, Rule};
use super::quotas::{self, Quota};
use super::table::{self, UserRecord};
use super::{access_log, addresses, notices, registration, unverified};
use fluglog_app::App;
use fluglog_app::mail_queue::model::QueuedMail;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{Blob, BlobId, UserId};
use fluglog_base::text;
use fluglog_mail::address::Email;
use fluglog_store::{Snapshot, Writer};

/// A user in the list of all users.
#[derive(Debug, Serialize, Deserialize)]
pub struct ListedUser {
    pub email: String,
    pub nickname: String,
    pub disabled: bool,
    pub operator: bool,
    /// Unix seconds.
    pub created: i64,
    /// Unix seconds.
    pub last_login: Option<i64>,
    /// The user's own quota in bytes, if one is set; 0: unlimited.
    pub own_quota: Option<u64>,
}

/// Why a user wasn't added or changed.
#[derive(Debug)]
pub enum ChangeError {
    /// A value breaks this rule.
    Rule(Rule),
    /// The user is the only operator who can log in.
    LastOperator,
    Failed(Error),
}

impl From<Rule> for ChangeError {
    fn from(rule: Rule) -> ChangeError {
        ChangeError::Rule(rule)
    }
}

impl From<Error> for ChangeError {
    fn from(error: Error) -> ChangeError {
        ChangeError::Failed(error)
    }
}

/// Adds a user whose address counts as verified.
///
/// # Errors
/// [`Error::Conflict`] when the address is taken; a malformed address or nickname; a password that breaks a rule.
pub fn add_user(
    app: &App,
    email: &str,
    nickname: &str,
    password: Option<&str>,
    is_operator: bool,
) -> std::result::Result<UserId, ChangeError> {
    let email = Email::parse(email).ok_or_else(|| Error::invalid("email", text::EMAIL_INVALID))?;
    let nickname = model::checked_nickname(nickname)?;
    if let Some(password) = password {
        model::check_new_password(password, &email.typed, &nickname)?;
    }
    let user = UserRecord {
        password: password.map(|password| app.hasher.hash(password)).transpose()?,
        operator: is_operator,
        is_verified: true,
        ..UserRecord::new(&email, nickname, app.clock.unix_seconds())
    };
    let id = UserId::fresh();
    app.store
        .write(move |writer| table::insert(writer, id, &email, &user))?;
    Ok(id)
}

/// Makes a locked placeholder account for a user whose records are left but whose account is lost. Returns its
/// placeholder address.
pub fn make_placeholder(writer: &Writer<'_>, user: UserId, number: usize, now: i64) -> Result<String> {
    let address = model::placeholder_address(number);
    let email = Email::parse(&address).ok_or_else(|| Error::invalid("email", text::EMAIL_INVALID))?;
    let record = UserRecord {
        disabled: true,
        ..UserRecord::new(&email, format!("Gerettetes Konto {number}"), now)
    };
    table::insert(writer, user, &email, &record)?;
    Ok(address)
}

/// Returns all users, ordered by address.
pub fn list_users(app: &App) -> Result<Vec<ListedUser>> {
    let users = app.store.read(table::all_with_quotas)?;
    Ok(users
        .into_iter()
        .map(|(user, own_quota)| ListedUser {
            email: user.email,
            nickname: user.nickname,
            disabled: user.disabled,
            operator: user.operator,
            created: user.created,
            last_login: user.last_login,
            own_quota,
        })
        .collect())
}

/// Returns the address of each user.
///
/// # Errors
/// A user record can't be read.
pub fn addresses(data: &Snapshot<'_>) -> Result<Vec<(UserId, String)>> {
    table::addresses(data)
}

/// One user, as the admin sees it.
#[derive(Debug, Serialize, Deserialize)]
pub struct UserDetails {
    pub email: String,
    pub nickname: String,
    pub firstname: String,
    pub lastname: String,
    /// How finders of equipment reach the user.
    pub contact: String,
    /// Unix seconds.
    pub created: i64,
    /// Unix seconds.
    pub last_login: Option<i64>,
    pub disabled: bool,
    pub operator: bool,
    pub has_password: bool,
    /// Open sessions: they end when the browser is closed or after a day without use.
    pub sessions: usize,
    /// Browsers with a persistent login.
    pub login_tokens: usize,
    /// As [`ListedUser::own_quota`].
    pub own_quota: Option<u64>,
}

/// Returns the details of a user; `now` is in Unix seconds.
pub fn details(data: &Snapshot<'_>, viewer: &Viewer, now: i64) -> Result<UserDetails> {
    let id = viewer.user();
    let user = table::present(data, id)?;
    let (sessions, tokens) = table::logins(data, id, &user)?;
    Ok(UserDetails {
        sessions: sessions
            .iter()
            .filter(|(_, session)| !guard::is_expired(session, now))
            .count(),
        login_tokens: tokens.len(),
        email: user.email,
        nickname: user.nickname,
        firstname: user.firstname,
        lastname: user.lastname,
        contact: table::contact(data, id)?,
        created: user.created,
        last_login: user.last_login,
        disabled: user.disabled,
        operator: user.operator,
        has_password: user.password.is_some(),
        own_quota: table::quota(data, id)?,
    })
}

/// An admin's change to a user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Change {
    Password(String),
    LogOut,
    Disable { even_last_operator: bool },
    Enable,
}

/// Changes a user. A new password and `Enable` also lift the rate limits that lock out unknown browsers.
///
/// # Errors
/// [`Error::NotFound`] when there is no such user; a password that breaks a rule; [`ChangeError::LastOperator`].
pub fn change_user(app: &App, email: &str, change: &Change) -> std::result::Result<(), ChangeError> {
    let ending = match change {
        Change::Password(_) => Some((AccessEnd::SetByAdmin, "new password")),
        Change::LogOut => Some((AccessEnd::EveryLogin, "every login")),
        Change::Disable { .. } => Some((AccessEnd::Disabled, "disabled")),
        Change::Enable => None,
    };
    let lifts = matches!(change, Change::Password(_) | Change::Enable);
    let lifted = lifts.then(|| email.to_owned());
    let now = app.clock.unix_seconds();
    let (password, disabled) = match change {
        Change::Password(password) => {
            let account = app.store.read(|data| {
                let user = guard::named_by_admin(data, email)?.user();
                table::present(data, user)
            })?;
            model::check_new_password(password, &account.email, &account.nickname)?;
            (Some(app.hasher.hash(password)?), None)
        }
        Change::LogOut => (None, None),
        Change::Disable { .. } => (None, Some(true)),
        Change::Enable => (None, Some(false)),
    };
    let email = email.to_owned();
    let spares = matches!(change, Change::Disable { even_last_operator } if !even_last_operator);
    let changed = app.store.write(move |writer| {
        let user = guard::named_by_admin(writer, &email)?.user();
        if spares && is_last_operator(writer, user)? {
            return Ok(None);
        }
        let mut record = match ending {
            Some((ending, _)) => access::revoke(writer, ending, user, &access::BrowserKeys::default())?,
            None => table::present(writer, user)?,
        };
        if let Some(password) = &password {
            record.password = Some(password.clone());
            record.is_verified = true;
            let letter = QueuedMail::PasswordChanged {
                user: user.key(),
                time: now,
                by: None,
            };
            notices::queue_password_mail(writer, &record, letter)?;
        }
        record.disabled = disabled.unwrap_or(record.disabled);
        writer.put(user.key(), &record)?;
        Ok(Some(user))
    })?;
    let user = changed.ok_or(ChangeError::LastOperator)?;
    if let Some((_, what)) = ending {
        access_log::log_end(what, user, None);
    }
    app.mail_queued.notify_one();
    if let Some(email) = lifted {
        notices::clear_rate_limits(app, &email);
    }
    Ok(())
}

/// Returns whether the user is the only operator who can log in.
pub fn is_last_operator(data: &Snapshot<'_>, user: UserId) -> Result<bool> {
    let record = table::present(data, user)?;
    Ok(record.operator && !record.disabled && table::operators(data)? == 1)
}

/// Changes to a user's account; `None` keeps the value.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserChange {
    pub email: Option<String>,
    pub nickname: Option<String>,
    pub operator: Option<bool>,
    pub quota: Option<Quota>,
}

/// Changes a user's address, nickname, quota or operator right. Logins stay valid; a new address is announced by mail
/// to the old one.
///
/// # Errors
/// [`Error::NotFound`] when there is no such user, [`Error::Conflict`] when the new address is taken; a malformed
/// address or nickname; [`ChangeError::LastOperator`].
pub fn rename_user(app: &App, email: &str, new: &UserChange) -> std::result::Result<(), ChangeError> {
    let invalid = || Error::invalid("email", text::EMAIL_INVALID);
    let new_email = new
        .email
        .as_deref()
        .map(|email| Email::parse(email).ok_or_else(invalid))
        .transpose()?;
    let nickname = new.nickname.as_deref().map(model::checked_nickname).transpose()?;
    let (is_operator, quota) = (new.operator, new.quota);
    let email = email.to_owned();
    let now = app.clock.unix_seconds();
    let is_done = app.store.write(move |writer| {
        let viewer = guard::named_by_admin(writer, &email)?;
        let mut user = table::present(writer, viewer.user())?;
        if is_operator == Some(false) && user.operator && table::operators(writer)? <= usize::from(!user.disabled) {
            return Ok(false);
        }
        user.operator = is_operator.unwrap_or(user.operator);
        if let Some(nickname) = &nickname {
            user.nickname.clone_from(nickname);
        }
        writer.put(viewer.user().key(), &user)?;
        if let Some(quota) = quota {
            quotas::put(writer, viewer.user(), quota)?;
        }
        if let Some(new) = &new_email {
            addresses::change(writer, &viewer, new, now)?;
            unverified::note_email(writer, viewer.user(), false)?;
        }
        Ok(true)
    })?;
    app.mail_queued.notify_one();
    if is_done {
        Ok(())
    } else {
        Err(ChangeError::LastOperator)
    }
}

/// Removes a user and the user's logins. Returns the blobs that the caller removes after the commit.
pub fn forget_user(writer: &Writer<'_>, viewer: &Viewer) -> Result<Vec<BlobId>> {
    let id = viewer.user();
    let email = address(writer, viewer)?;
    let photo = table::photo(writer, id)?;
    access::revoke(writer, AccessEnd::Deleted, id, &access::BrowserKeys::default())?;
    unverified::forget(writer, id)?;
    registration::forget_address(writer, &email)?;
    table::remove(writer, id, &email)?;
    Ok(photo.into_iter().map(|photo| photo.id).collect())
}

/// Returns the address of a user.
pub fn address(data: &Snapshot<'_>, viewer: &Viewer) -> Result<Email> {
    table::address(&table::present(data, viewer.user())?)
}

/// Returns the photo of a user.
pub fn photo(data: &Snapshot<'_>, viewer: &Viewer) -> Result<Option<Blob>> {
    table::photo(data, viewer.user())
}

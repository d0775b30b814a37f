//! Records of users and their sessions, with their indexes.

pub mod check;
mod earlier;

use serde::{Deserialize, Serialize};

use fluglog_base::error::{Error, Result};
use fluglog_base::id::{Blob, UserId};
use fluglog_base::limits::tasks::Task;
use fluglog_mail::address::Email;
use fluglog_store::blobs::BlobRecord;
use fluglog_store::{Snapshot, Store, Writer, record, schema};

/// An account.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct UserRecord {
    pub email: String,
    pub nickname: String,
    pub firstname: String,
    pub lastname: String,
    /// PHC string; without one the user logs in by mail.
    pub password: Option<String>,
    pub disabled: bool,
    /// Unix seconds.
    pub created: i64,
    /// Unix seconds.
    pub last_login: Option<i64>,
    /// Raised to end all logins: sessions, tokens and links of a lower generation are no longer valid.
    pub generation: u32,
    /// Whether the user runs this server.
    pub operator: bool,
    /// Whether the mailbox was verified, or the admin set the address.
    pub is_verified: bool,
}

impl UserRecord {
    /// A new user without a password.
    #[must_use]
    pub fn new(email: &Email, nickname: String, created: i64) -> UserRecord {
        UserRecord {
            email: email.typed.clone(),
            nickname,
            firstname: String::new(),
            lastname: String::new(),
            password: None,
            disabled: false,
            created,
            last_login: None,
            generation: 0,
            operator: false,
            is_verified: false,
        }
    }
}

record!(UserRecord: u128 = USERS, with upgrade);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct UserByEmailRecord {
    user: u128,
}

record!(UserByEmailRecord: (u128, u128) = USERS_BY_EMAIL);

/// A session of one browser.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct SessionRecord {
    pub user: u128,
    pub generation: u32,
    /// Unix seconds.
    pub last_seen: i64,
    /// Unix seconds.
    pub since: i64,
    /// As returned by `model::browser_name`.
    pub browser: String,
    /// The id of the persistent login that opened it.
    pub of_token: Option<u128>,
}

impl SessionRecord {
    /// Returns the id of its login: half of a digest, which can't be used to log in.
    #[must_use]
    pub fn login(&self, key: (u128, u128)) -> u128 {
        self.of_token.unwrap_or(key.0)
    }
}

record!(SessionRecord: (u128, u128) = SESSIONS, with upgrade);

/// A persistent login.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct LoginTokenRecord {
    pub user: u128,
    pub generation: u32,
    /// Unix seconds.
    pub created: i64,
    /// Unix seconds.
    pub last_seen: i64,
    /// As returned by `model::browser_name`.
    pub browser: String,
}

record!(LoginTokenRecord: (u128, u128) = LOGIN_TOKENS, with upgrade);

/// A browser that a user has logged in with, by its device cookie.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct DeviceRecord {
    /// Unix seconds.
    pub created: i64,
    /// Unix seconds.
    pub last_seen: i64,
}

record!(DeviceRecord: (Owner, u128, u128) = DEVICES);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PhotoRecord {
    pub blob: BlobRecord,
}

record!(PhotoRecord: u128 = PHOTOS);

/// How finders of a user's equipment reach the user.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ContactRecord {
    pub text: String,
}

record!(ContactRecord: u128 = CONTACTS);

/// A user's own storage limit, which replaces that of the settings.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct QuotaRecord {
    /// 0: unlimited.
    pub bytes: u64,
}

record!(QuotaRecord: u128 = QUOTAS);

/// Adds a user with the index entry of the address. The first user becomes an operator.
///
/// # Errors
/// [`Error::Conflict`] when another user has the address.
pub fn insert(writer: &Writer<'_>, id: UserId, email: &Email, user: &UserRecord) -> Result<()> {
    if by_email(writer, email)?.is_some() {
        return Err(Error::Conflict(fluglog_base::text::EMAIL_TAKEN));
    }
    // Except a placeholder account: nobody knows whose it is.
    let operator = user.operator || (!user.disabled && writer.count(&schema::USERS)? == 0);
    writer.put(email.key(), &UserByEmailRecord { user: id.key() })?;
    writer.put(
        id.key(),
        &UserRecord {
            operator,
            ..user.clone()
        },
    )
}

/// Returns the number of operators who can log in.
pub fn operators(data: &Snapshot<'_>) -> Result<usize> {
    let runs = |user: &UserRecord| user.operator && !user.disabled;
    Ok(all(data)?.iter().filter(|user| runs(user)).count())
}

/// Returns the only user, if that user isn't an operator.
pub(crate) fn only_user_if_not_operator(data: &Snapshot<'_>) -> Result<Option<(u128, UserRecord)>> {
    let mut users = data.scan::<UserRecord>(..)?;
    let only = if users.len() == 1 { users.pop() } else { None };
    Ok(only.filter(|(_, user)| !user.operator))
}

/// Stores a user with a new address, which must be free.
pub(crate) fn put_with_new_email(
    writer: &Writer<'_>,
    id: UserId,
    old: &Email,
    new: &Email,
    user: &UserRecord,
) -> Result<()> {
    writer.remove::<UserByEmailRecord>(old.key())?;
    writer.put(new.key(), &UserByEmailRecord { user: id.key() })?;
    writer.put(id.key(), user)
}

/// Returns the user of an address.
pub(crate) fn by_email(data: &Snapshot<'_>, email: &Email) -> Result<Option<(UserId, UserRecord)>> {
    match data.get::<UserByEmailRecord>(email.key()) {
        Ok(None) => Ok(None),
        Ok(Some(found)) => {
            let id = UserId::from_key(found.user);
            Ok(Some((id, existing(data, id)?)))
        }
        // On a lost page: the users have their addresses, too.
        Err(Error::Internal(_)) => find_by_email(data, email),
        Err(error) => Err(error),
    }
}

fn find_by_email(data: &Snapshot<'_>, email: &Email) -> Result<Option<(UserId, UserRecord)>> {
    let is_sought = |user: &UserRecord| Email::parse(&user.email).is_some_and(|own| own.folded == email.folded);
    let mut users = data.scan::<UserRecord>(..)?.into_iter();
    let found = users.find(|(_, user)| is_sought(user));
    Ok(found.map(|(id, user)| (UserId::from_key(id), user)))
}

/// Returns a user that another record refers to.
///
/// # Errors
/// The user is missing: the database is damaged.
pub fn existing(data: &Snapshot<'_>, id: UserId) -> Result<UserRecord> {
    data.get::<UserRecord>(id.key())?
        .ok_or_else(|| Error::Internal("a record names a missing user".to_owned()))
}

/// Returns a user who existed when the request began.
///
/// # Errors
/// [`Error::NotLoggedIn`]: deleted since.
pub fn present(data: &Snapshot<'_>, id: UserId) -> Result<UserRecord> {
    data.get::<UserRecord>(id.key())?.ok_or(Error::NotLoggedIn)
}

/// Returns the address of a user.
///
/// # Errors
/// The stored address is malformed: the database is damaged.
pub fn address(user: &UserRecord) -> Result<Email> {
    Email::parse(&user.email).ok_or_else(|| Error::Internal("a user has no address".to_owned()))
}

/// Removes sessions of a user whose key matches.
pub(crate) fn forget_sessions(writer: &Writer<'_>, id: UserId, goes: impl Fn((u128, u128)) -> bool) -> Result<()> {
    let sessions = writer.scan::<SessionRecord>(..)?.into_iter();
    let mut gone = sessions.filter(|(key, session)| session.user == id.key() && goes(*key));
    gone.try_for_each(|(key, _)| writer.remove::<SessionRecord>(key))
}

/// Removes persistent logins of a user whose key matches.
pub(crate) fn forget_tokens(writer: &Writer<'_>, id: UserId, goes: impl Fn((u128, u128)) -> bool) -> Result<()> {
    let tokens = writer.scan::<LoginTokenRecord>(..)?.into_iter();
    let mut gone = tokens.filter(|(key, token)| token.user == id.key() && goes(*key));
    gone.try_for_each(|(key, _)| writer.remove::<LoginTokenRecord>(key))
}

/// Returns all users, ordered by address.
pub fn all(data: &Snapshot<'_>) -> Result<Vec<UserRecord>> {
    let mut users: Vec<_> = data.scan::<UserRecord>(..)?.into_iter().map(|(_, user)| user).collect();
    users.sort_by(|one, other| one.email.cmp(&other.email));
    Ok(users)
}

/// Returns the address of each user.
pub fn addresses(data: &Snapshot<'_>) -> Result<Vec<(UserId, String)>> {
    let users = data.scan::<UserRecord>(..)?.into_iter();
    Ok(users
        .map(|(user, record)| (UserId::from_key(user), record.email))
        .collect())
}

/// Returns all users, ordered by address, each with the user's own quota if one is set.
pub(crate) fn all_with_quotas(data: &Snapshot<'_>) -> Result<Vec<(UserRecord, Option<u64>)>> {
    let mut users = Vec::new();
    for (user, record) in data.scan::<UserRecord>(..)? {
        users.push((record, quota(data, UserId::from_key(user))?));
    }
    users.sort_by(|(one, _), (other, _)| one.email.cmp(&other.email));
    Ok(users)
}

/// Returns the photo of a user.
pub fn photo(data: &Snapshot<'_>, user: UserId) -> Result<Option<Blob>> {
    let record = data.get::<PhotoRecord>(user.key())?;
    Ok(record.map(|photo| photo.blob.into()))
}

/// Returns how finders of a user's equipment reach the user; empty without a contact.
pub fn contact(data: &Snapshot<'_>, user: UserId) -> Result<String> {
    let record = data.get::<ContactRecord>(user.key())?;
    Ok(record.map(|contact| contact.text).unwrap_or_default())
}

/// Returns a user's own quota in bytes, if one is set; 0: unlimited.
pub fn quota(data: &Snapshot<'_>, user: UserId) -> Result<Option<u64>> {
    let record = data.get::<QuotaRecord>(user.key())?;
    Ok(record.map(|quota| quota.bytes))
}

/// Records with their keys, which are digests.
pub(crate) type Keyed<R> = Vec<((u128, u128), R)>;

/// Returns the sessions and persistent tokens of a user that are still valid.
pub fn logins(
    data: &Snapshot<'_>,
    id: UserId,
    user: &UserRecord,
) -> Result<(Keyed<SessionRecord>, Keyed<LoginTokenRecord>)> {
    let mut sessions = data.scan::<SessionRecord>(..)?;
    sessions.retain(|(_, session)| session.user == id.key() && session.generation == user.generation);
    let mut tokens = data.scan::<LoginTokenRecord>(..)?;
    tokens.retain(|(_, token)| token.user == id.key() && token.generation == user.generation);
    Ok((sessions, tokens))
}

/// Removes the least recently `used` sessions among `which` until `most` are left; `newest` always stays.
pub(crate) fn forget_oldest_sessions(
    writer: &Writer<'_>,
    newest: (u128, u128),
    most: usize,
    which: impl Fn(&SessionRecord) -> bool,
    used: impl Fn((u128, u128), &SessionRecord) -> i64,
) -> Result<()> {
    let mut sessions = writer.scan::<SessionRecord>(..)?;
    sessions.retain(|(_, session)| which(session));
    sessions.sort_by_key(|(key, session)| std::cmp::Reverse((*key == newest, used(*key, session), session.since)));
    sessions
        .into_iter()
        .skip(most)
        .try_for_each(|(key, _)| writer.remove::<SessionRecord>(key))
}

/// Returns a user's browser by key.
pub fn device(data: &Snapshot<'_>, user: UserId, key: (u128, u128)) -> Result<Option<DeviceRecord>> {
    data.get::<DeviceRecord>((user.key(), key.0, key.1))
}

/// Stores a user's browser.
pub(crate) fn put_device(writer: &Writer<'_>, user: UserId, key: (u128, u128), device: &DeviceRecord) -> Result<()> {
    writer.put((user.key(), key.0, key.1), device)
}

/// Returns which of the browsers any user has logged in with.
pub(crate) fn known_devices(data: &Snapshot<'_>, keys: &[(u128, u128)]) -> Result<Vec<(u128, u128)>> {
    let mut known = Vec::new();
    data.each::<DeviceRecord>(.., |(_, first, second), _| {
        if keys.contains(&(first, second)) {
            known.push((first, second));
        }
    })?;
    Ok(known)
}

/// Keeps the `most` most recently seen browsers of a user and removes the others.
pub(crate) fn forget_oldest_devices(writer: &Writer<'_>, user: UserId, most: usize) -> Result<()> {
    let mut devices = writer.of::<DeviceRecord>(user)?;
    devices.sort_by_key(|(_, device)| std::cmp::Reverse(device.last_seen));
    devices
        .into_iter()
        .skip(most)
        .try_for_each(|(key, _)| writer.remove::<DeviceRecord>(key))
}

/// Removes browsers that match.
pub(crate) fn forget_devices(
    store: &Store,
    goes: impl Fn(&DeviceRecord) -> bool + Clone + Send + 'static,
) -> Result<()> {
    store
        .remove_over::<DeviceRecord>(Task::Expired, move |_, device| goes(device))
        .map(drop)
}

/// Removes browsers of a user whose key matches.
pub(crate) fn forget_devices_of(writer: &Writer<'_>, user: UserId, goes: impl Fn((u128, u128)) -> bool) -> Result<()> {
    let devices = writer.of::<DeviceRecord>(user)?.into_iter();
    let mut gone = devices.map(|(key, _)| key).filter(|key| goes((key.1, key.2)));
    gone.try_for_each(|key| writer.remove::<DeviceRecord>(key))
}

/// Removes a user whose access has ended. The caller removes the photo's blob after the commit.
pub fn remove(writer: &Writer<'_>, id: UserId, email: &Email) -> Result<()> {
    writer.remove::<PhotoRecord>(id.key())?;
    writer.remove::<ContactRecord>(id.key())?;
    writer.remove::<QuotaRecord>(id.key())?;
    writer.remove::<UserByEmailRecord>(email.key())?;
    writer.remove::<UserRecord>(id.key())
}

#[cfg(test)]
mod tests;

//! Users and their sessions as records, with their indexes.

pub mod check;

use serde::{Deserialize, Serialize};

use super::model::UNKNOWN_BROWSER;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{Blob, UserId};
use fluglog_mail::address::Email;
use fluglog_store::blobs::BlobRecord;
use fluglog_store::record::{Initial, Record, Versioned};
use fluglog_store::{Snapshot, Table, Writer, schema};

/// An account.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UserRecord {
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
    /// Grows when all sessions and tokens must end; those of an older one are no longer valid.
    pub generation: u32,
    /// Whether it runs this server.
    pub operator: bool,
    /// Whether its mailbox was proved to be its own, or the admin named it.
    pub proved: bool,
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
            proved: false,
        }
    }
}

impl Versioned for UserRecord {
    type Previous = UserRecord2;

    fn upgrade(previous: UserRecord2) -> UserRecord {
        UserRecord {
            // Without a password a mail was the only way in. With one, nobody knows how the account was made.
            proved: previous.password.is_none(),
            email: previous.email,
            nickname: previous.nickname,
            firstname: previous.firstname,
            lastname: previous.lastname,
            password: previous.password,
            disabled: previous.disabled,
            created: previous.created,
            last_login: previous.last_login,
            generation: previous.generation,
            operator: previous.operator,
        }
    }
}

/// The record of 1.4.0.
#[derive(Serialize, Deserialize)]
pub struct UserRecord2 {
    email: String,
    nickname: String,
    firstname: String,
    lastname: String,
    password: Option<String>,
    disabled: bool,
    created: i64,
    last_login: Option<i64>,
    generation: u32,
    operator: bool,
}

impl Versioned for UserRecord2 {
    type Previous = UserRecord1;

    fn upgrade(previous: UserRecord1) -> UserRecord2 {
        UserRecord2 {
            email: previous.email,
            nickname: previous.nickname,
            firstname: previous.firstname,
            lastname: previous.lastname,
            password: previous.password,
            disabled: previous.disabled,
            created: previous.created,
            last_login: previous.last_login,
            generation: previous.generation,
            operator: false,
        }
    }
}

/// The record of 1.3.0.
#[derive(Serialize, Deserialize)]
pub struct UserRecord1 {
    email: String,
    nickname: String,
    firstname: String,
    lastname: String,
    password: Option<String>,
    disabled: bool,
    created: i64,
    last_login: Option<i64>,
    generation: u32,
}

impl Initial for UserRecord1 {}

impl Record for UserRecord {
    type Key = u128;
    const TABLE: Table<u128> = schema::USERS;
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct UserByEmailRecord {
    user: u128,
}

impl Initial for UserByEmailRecord {}

impl Record for UserByEmailRecord {
    type Key = (u128, u128);
    const TABLE: Table<(u128, u128)> = schema::USERS_BY_EMAIL;
}

/// The login of one browser.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionRecord {
    pub user: u128,
    pub generation: u32,
    /// Unix seconds.
    pub last_seen: i64,
    /// Unix seconds.
    pub since: i64,
    /// A name of ours.
    pub browser: String,
    /// The id of the persistent login that it belongs to.
    pub of_token: Option<u128>,
}

impl SessionRecord {
    /// The id of its login: half of a digest, which opens nothing.
    #[must_use]
    pub fn login(&self, key: (u128, u128)) -> u128 {
        self.of_token.unwrap_or(key.0)
    }
}

impl Versioned for SessionRecord {
    type Previous = SessionRecord1;

    fn upgrade(previous: SessionRecord1) -> SessionRecord {
        SessionRecord {
            user: previous.user,
            generation: previous.generation,
            last_seen: previous.last_seen,
            since: previous.last_seen,
            browser: UNKNOWN_BROWSER.to_owned(),
            of_token: None,
        }
    }
}

/// The record of 1.3.0.
#[derive(Serialize, Deserialize)]
pub struct SessionRecord1 {
    user: u128,
    generation: u32,
    last_seen: i64,
}

impl Initial for SessionRecord1 {}

impl Record for SessionRecord {
    type Key = (u128, u128);
    const TABLE: Table<(u128, u128)> = schema::SESSIONS;
}

/// A persistent login.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LoginTokenRecord {
    pub user: u128,
    pub generation: u32,
    /// Unix seconds.
    pub created: i64,
    /// Unix seconds.
    pub last_seen: i64,
    /// A name of ours.
    pub browser: String,
}

impl Versioned for LoginTokenRecord {
    type Previous = LoginTokenRecord1;

    fn upgrade(previous: LoginTokenRecord1) -> LoginTokenRecord {
        LoginTokenRecord {
            user: previous.user,
            generation: previous.generation,
            created: previous.created,
            last_seen: previous.created,
            browser: UNKNOWN_BROWSER.to_owned(),
        }
    }
}

/// The record of 1.3.0.
#[derive(Serialize, Deserialize)]
pub struct LoginTokenRecord1 {
    user: u128,
    generation: u32,
    created: i64,
}

impl Initial for LoginTokenRecord1 {}

impl Record for LoginTokenRecord {
    type Key = (u128, u128);
    const TABLE: Table<(u128, u128)> = schema::LOGIN_TOKENS;
}

/// A browser that a user has logged in with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeviceRecord {
    /// Unix seconds.
    pub created: i64,
    /// Unix seconds.
    pub last_seen: i64,
}

impl Initial for DeviceRecord {}

impl Record for DeviceRecord {
    type Key = (u128, u128, u128);
    const TABLE: Table<(u128, u128, u128)> = schema::DEVICES;
}

/// The photo of a user.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct PhotoRecord {
    pub blob: BlobRecord,
}

impl Initial for PhotoRecord {}

impl Record for PhotoRecord {
    type Key = u128;
    const TABLE: Table<u128> = schema::PHOTOS;
}

/// How finders of a user's gear reach the user.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct ContactRecord {
    pub text: String,
}

impl Initial for ContactRecord {}

impl Record for ContactRecord {
    type Key = u128;
    const TABLE: Table<u128> = schema::CONTACTS;
}

/// How much room a user may have, instead of what the settings give each.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct QuotaRecord {
    /// 0: as much as there is.
    pub bytes: u64,
}

impl Initial for QuotaRecord {}

impl Record for QuotaRecord {
    type Key = u128;
    const TABLE: Table<u128> = schema::QUOTAS;
}

/// Adds a user and the index of its address. The first one runs the server.
///
/// # Errors
/// [`Error::Conflict`] when the address has a user.
pub fn insert(writer: &Writer<'_>, id: UserId, email: &Email, user: &UserRecord) -> Result<()> {
    if by_email(writer, email)?.is_some() {
        return Err(Error::Conflict(fluglog_base::text::EMAIL_TAKEN));
    }
    // Not an account that stands in for a lost one: nobody knows whose it is.
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

/// The users who run the server and can log in.
pub fn operators(data: &Snapshot<'_>) -> Result<usize> {
    let runs = |user: &UserRecord| user.operator && !user.disabled;
    Ok(all(data)?.iter().filter(|user| runs(user)).count())
}

/// The only user, if it doesn't run the server yet.
pub fn only_user_without_right(data: &Snapshot<'_>) -> Result<Option<(u128, UserRecord)>> {
    let mut users = data.scan::<UserRecord>(..)?;
    let only = if users.len() == 1 { users.pop() } else { None };
    Ok(only.filter(|(_, user)| !user.operator))
}

/// Stores a user with another address, which nobody else has.
pub fn put_under(writer: &Writer<'_>, id: UserId, old: &Email, new: &Email, user: &UserRecord) -> Result<()> {
    writer.remove::<UserByEmailRecord>(old.key())?;
    writer.put(new.key(), &UserByEmailRecord { user: id.key() })?;
    writer.put(id.key(), user)
}

/// The user of an address.
pub fn by_email(data: &Snapshot<'_>, email: &Email) -> Result<Option<(UserId, UserRecord)>> {
    let Some(found) = data.get::<UserByEmailRecord>(email.key())? else {
        return Ok(None);
    };
    let id = UserId::from_key(found.user);
    Ok(Some((id, existing(data, id)?)))
}

/// A user that some record names.
///
/// # Errors
/// The user isn't there: damage.
pub fn existing(data: &Snapshot<'_>, id: UserId) -> Result<UserRecord> {
    data.get::<UserRecord>(id.key())?
        .ok_or_else(|| Error::Internal("a record names a missing user".to_owned()))
}

/// A user that was there when its request began.
///
/// # Errors
/// [`Error::NotLoggedIn`]: it was deleted since.
pub fn present(data: &Snapshot<'_>, id: UserId) -> Result<UserRecord> {
    data.get::<UserRecord>(id.key())?.ok_or(Error::NotLoggedIn)
}

/// The address of a user.
///
/// # Errors
/// It has none: damage.
pub fn address(user: &UserRecord) -> Result<Email> {
    Email::parse(&user.email).ok_or_else(|| Error::Internal("a user has no address".to_owned()))
}

/// Removes sessions of a user.
pub fn forget_sessions(writer: &Writer<'_>, id: UserId, goes: impl Fn((u128, u128)) -> bool) -> Result<()> {
    let sessions = writer.scan::<SessionRecord>(..)?.into_iter();
    let mut gone = sessions.filter(|(key, session)| session.user == id.key() && goes(*key));
    gone.try_for_each(|(key, _)| writer.remove::<SessionRecord>(key))
}

/// Removes persistent logins of a user.
pub fn forget_tokens(writer: &Writer<'_>, id: UserId, goes: impl Fn((u128, u128)) -> bool) -> Result<()> {
    let tokens = writer.scan::<LoginTokenRecord>(..)?.into_iter();
    let mut gone = tokens.filter(|(key, token)| token.user == id.key() && goes(*key));
    gone.try_for_each(|(key, _)| writer.remove::<LoginTokenRecord>(key))
}

/// All users, by address.
pub fn all(data: &Snapshot<'_>) -> Result<Vec<UserRecord>> {
    let mut users: Vec<_> = data.scan::<UserRecord>(..)?.into_iter().map(|(_, user)| user).collect();
    users.sort_by(|one, other| one.email.cmp(&other.email));
    Ok(users)
}

/// The address of each user.
pub fn addresses(data: &Snapshot<'_>) -> Result<Vec<(UserId, String)>> {
    let users = data.scan::<UserRecord>(..)?.into_iter();
    Ok(users
        .map(|(user, record)| (UserId::from_key(user), record.email))
        .collect())
}

/// All users, by address, each with how much room it may have, if somebody said.
pub fn all_with_quotas(data: &Snapshot<'_>) -> Result<Vec<(UserRecord, Option<u64>)>> {
    let mut users = Vec::new();
    for (user, record) in data.scan::<UserRecord>(..)? {
        users.push((record, quota(data, UserId::from_key(user))?));
    }
    users.sort_by(|(one, _), (other, _)| one.email.cmp(&other.email));
    Ok(users)
}

/// The photo of a user, if there is one.
pub fn photo(data: &Snapshot<'_>, user: UserId) -> Result<Option<Blob>> {
    let record = data.get::<PhotoRecord>(user.key())?;
    Ok(record.map(|photo| photo.blob.into()))
}

/// How finders of a user's gear reach the user; empty when nobody said.
pub fn contact(data: &Snapshot<'_>, user: UserId) -> Result<String> {
    let record = data.get::<ContactRecord>(user.key())?;
    Ok(record.map(|contact| contact.text).unwrap_or_default())
}

/// How much room a user may have, if somebody said; 0: as much as there is.
pub fn quota(data: &Snapshot<'_>, user: UserId) -> Result<Option<u64>> {
    let record = data.get::<QuotaRecord>(user.key())?;
    Ok(record.map(|quota| quota.bytes))
}

/// Records with their keys, which are digests.
pub type Kept<R> = Vec<((u128, u128), R)>;

/// The sessions and persistent tokens of a user that are still good for a login.
pub fn logins(
    data: &Snapshot<'_>,
    id: UserId,
    user: &UserRecord,
) -> Result<(Kept<SessionRecord>, Kept<LoginTokenRecord>)> {
    let mut sessions = data.scan::<SessionRecord>(..)?;
    sessions.retain(|(_, session)| session.user == id.key() && session.generation == user.generation);
    let mut tokens = data.scan::<LoginTokenRecord>(..)?;
    tokens.retain(|(_, token)| token.user == id.key() && token.generation == user.generation);
    Ok((sessions, tokens))
}

/// Removes those sessions among `which` that were `used` longest ago, until `most` are left; `newest` stays.
pub fn forget_oldest_sessions(
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

/// The browser of a user that has this key.
pub fn device(data: &Snapshot<'_>, user: UserId, key: (u128, u128)) -> Result<Option<DeviceRecord>> {
    data.get::<DeviceRecord>((user.key(), key.0, key.1))
}

/// Stores a browser of a user.
pub fn put_device(writer: &Writer<'_>, user: UserId, key: (u128, u128), device: &DeviceRecord) -> Result<()> {
    writer.put((user.key(), key.0, key.1), device)
}

/// Those of these browsers that some user has logged in with.
pub fn known_devices(data: &Snapshot<'_>, keys: &[(u128, u128)]) -> Result<Vec<(u128, u128)>> {
    let mut known = Vec::new();
    data.each::<DeviceRecord>(.., |(_, first, second), _| {
        if keys.contains(&(first, second)) {
            known.push((first, second));
        }
    })?;
    Ok(known)
}

/// Removes all browsers of a user but those that were seen last.
pub fn forget_oldest_devices(writer: &Writer<'_>, user: UserId, most: usize) -> Result<()> {
    let mut devices = writer.scan::<DeviceRecord>(devices_of(user))?;
    devices.sort_by_key(|(_, device)| std::cmp::Reverse(device.last_seen));
    devices
        .into_iter()
        .skip(most)
        .try_for_each(|(key, _)| writer.remove::<DeviceRecord>(key))
}

/// Removes browsers.
pub fn forget_devices(writer: &Writer<'_>, goes: impl Fn(&DeviceRecord) -> bool) -> Result<()> {
    for (key, device) in writer.scan::<DeviceRecord>(..)? {
        if goes(&device) {
            writer.remove::<DeviceRecord>(key)?;
        }
    }
    Ok(())
}

/// Removes browsers of a user.
pub fn forget_devices_of(writer: &Writer<'_>, user: UserId, goes: impl Fn((u128, u128)) -> bool) -> Result<()> {
    let devices = writer.scan::<DeviceRecord>(devices_of(user))?.into_iter();
    let mut gone = devices.map(|(key, _)| key).filter(|key| goes((key.1, key.2)));
    gone.try_for_each(|key| writer.remove::<DeviceRecord>(key))
}

fn devices_of(user: UserId) -> std::ops::RangeInclusive<(u128, u128, u128)> {
    (user.key(), 0, 0)..=(user.key(), u128::MAX, u128::MAX)
}

/// Removes a user whose access has ended. The blob of the photo is the caller's to remove.
pub fn remove(writer: &Writer<'_>, id: UserId, email: &Email) -> Result<()> {
    writer.remove::<PhotoRecord>(id.key())?;
    writer.remove::<ContactRecord>(id.key())?;
    writer.remove::<QuotaRecord>(id.key())?;
    writer.remove::<UserByEmailRecord>(email.key())?;
    writer.remove::<UserRecord>(id.key())
}

#[cfg(test)]
mod tests;

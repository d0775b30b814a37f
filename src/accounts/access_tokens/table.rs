//! Records of personal access tokens.

use serde::{Deserialize, Serialize};

use crate::table::{Keyed, UserRecord};
use fluglog_base::error::Result;
use fluglog_base::id::UserId;
use fluglog_base::limits::tasks::Task;
use fluglog_store::{Snapshot, Store, Writer, record};

/// A personal access token.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct AccessTokenRecord {
    pub user: u128,
    pub generation: u32,
    pub name: String,
    pub may_write: bool,
    /// Unix seconds.
    pub made: i64,
    /// Unix seconds.
    pub ends: i64,
    /// Unix seconds.
    pub last_used: Option<i64>,
}

record!(AccessTokenRecord: (u128, u128) = ACCESS_TOKENS);

/// Returns the tokens of a user that no event has ended.
pub(crate) fn of(data: &Snapshot<'_>, id: UserId, user: &UserRecord) -> Result<Keyed<AccessTokenRecord>> {
    let mut tokens = data.scan::<AccessTokenRecord>(..)?;
    tokens.retain(|(_, token)| token.user == id.key() && token.generation == user.generation);
    Ok(tokens)
}

/// Removes tokens of a user that match.
pub(crate) fn forget(
    writer: &Writer<'_>,
    id: UserId,
    goes: impl Fn((u128, u128), &AccessTokenRecord) -> bool,
) -> Result<()> {
    let tokens = writer.scan::<AccessTokenRecord>(..)?.into_iter();
    let mut gone = tokens.filter(|(key, token)| token.user == id.key() && goes(*key, token));
    gone.try_for_each(|(key, _)| writer.remove::<AccessTokenRecord>(key))
}

/// Removes the tokens of all users that have ended.
pub(crate) fn forget_ended(store: &Store, now: i64) -> Result<()> {
    store
        .remove_over::<AccessTokenRecord>(Task::Expired, move |_, token| token.ends <= now)
        .map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_store::record::assert_stored_as;

    #[test]
    fn an_access_token_keeps_its_bytes() {
        let token = AccessTokenRecord {
            user: 7,
            generation: 3,
            name: "Wetterstation".to_owned(),
            may_write: true,
            made: 1_700_000_000,
            ends: 1_707_776_000,
            last_used: Some(1_700_000_300),
        };
        assert_stored_as::<AccessTokenRecord>(
            (1, 2),
            &token,
            "8107030d57657474657273746174696f6e01fc00e2a7cafc003095cb01fc58e4a7ca73472421",
        );
    }
}

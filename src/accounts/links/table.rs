//! Records of one-time links that haven't been used yet.

use serde::{Deserialize, Serialize};

use fluglog_base::error::Result;
use fluglog_base::id::UserId;
use fluglog_store::{Writer, record};

/// A one-time link.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct AccountLinkRecord {
    pub purpose: Purpose,
    /// Unix seconds.
    pub ends: i64,
}

/// What a link allows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Purpose {
    /// Making an account.
    Account {
        /// The suggested nickname; empty without one.
        nickname: String,
    },
    /// Setting a password, until the user's logins are ended (which raises `generation`).
    Password { user: u128, generation: u32 },
    /// Changing to this address, to which the link was mailed.
    Email { user: u128, email: String },
}

record!(AccountLinkRecord: (u128, u128) = ACCOUNT_LINKS);

/// Removes links that match.
pub fn forget(writer: &Writer<'_>, goes: impl Fn(&AccountLinkRecord) -> bool) -> Result<()> {
    for (key, link) in writer.scan::<AccountLinkRecord>(..)? {
        if goes(&link) {
            writer.remove::<AccountLinkRecord>(key)?;
        }
    }
    Ok(())
}

/// Removes a user's links for changing the address.
pub fn forget_new_addresses(writer: &Writer<'_>, id: UserId) -> Result<()> {
    forget(
        writer,
        |link| matches!(link.purpose, Purpose::Email { user, .. } if user == id.key()),
    )
}

/// Removes a user's reset links.
pub(crate) fn forget_resets(writer: &Writer<'_>, id: UserId) -> Result<()> {
    forget(
        writer,
        |link| matches!(link.purpose, Purpose::Password { user, .. } if user == id.key()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_store::record::assert_stored_as;

    #[test]
    fn a_link_keeps_its_bytes() {
        let stored = |purpose: Purpose, bytes: &str| {
            let link = AccountLinkRecord {
                purpose,
                ends: 1_700_000_000,
            };
            assert_stored_as::<AccountLinkRecord>((1, 2), &link, bytes);
        };
        let nickname = "Ada".to_owned();
        stored(Purpose::Account { nickname }, "810003416461fc00e2a7cae514b7e2");
        let generation = 300;
        stored(
            Purpose::Password { user: 7, generation },
            "810107fb2c01fc00e2a7cafcd0bf68",
        );
        let email = "ada@example.org".to_owned();
        stored(
            Purpose::Email { user: 7, email },
            "8102070f616461406578616d706c652e6f7267fc00e2a7ca1515c4ff",
        );
    }
}

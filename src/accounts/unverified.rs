//! Passwords and addresses that an unconfirmed session has set. A thief of the session could have set them, so they
//! work for a login but don't confirm an operator.

use serde::{Deserialize, Serialize};

use fluglog_base::error::Result;
use fluglog_base::id::UserId;
use fluglog_store::{Snapshot, Writer, record};

/// What is unverified of a user.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct UnverifiedRecord {
    pub password: bool,
    pub email: bool,
}

record!(UnverifiedRecord: u128 = UNVERIFIED);

/// Returns what is unverified of a user; nothing if there is no record.
pub fn of(data: &Snapshot<'_>, user: UserId) -> Result<UnverifiedRecord> {
    Ok(data.get::<UnverifiedRecord>(user.key())?.unwrap_or_default())
}

/// Records whether the password of a user is unverified.
pub(crate) fn note_password(writer: &Writer<'_>, user: UserId, is_unverified: bool) -> Result<()> {
    let before = of(writer, user)?;
    put(
        writer,
        user,
        UnverifiedRecord {
            password: is_unverified,
            ..before
        },
    )
}

/// Records whether the address of a user is unverified.
pub(crate) fn note_email(writer: &Writer<'_>, user: UserId, is_unverified: bool) -> Result<()> {
    let before = of(writer, user)?;
    put(
        writer,
        user,
        UnverifiedRecord {
            email: is_unverified,
            ..before
        },
    )
}

/// Clears the record: everything is verified, or the user is about to be deleted.
pub fn forget(writer: &Writer<'_>, user: UserId) -> Result<()> {
    put(writer, user, UnverifiedRecord::default())
}

fn put(writer: &Writer<'_>, user: UserId, record: UnverifiedRecord) -> Result<()> {
    if record == UnverifiedRecord::default() {
        return writer.remove::<UnverifiedRecord>(user.key());
    }
    writer.put(user.key(), &record)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_store::record::assert_stored_as;

    #[test]
    fn what_is_unproven_keeps_its_bytes() {
        let record = UnverifiedRecord {
            password: true,
            email: false,
        };
        assert_stored_as::<UnverifiedRecord>(1, &record, "810100740a6128");
    }
}

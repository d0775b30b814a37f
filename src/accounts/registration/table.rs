//! Records of registrations that wait for their code.

use serde::{Deserialize, Serialize};

use fluglog_base::error::Result;
use fluglog_store::{Writer, record};

/// A registration begun in one browser.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct RegistrationRecord {
    /// As typed.
    pub email: String,
    pub nickname: String,
    /// PHC string of the code's hash; `None` until the mail is written.
    pub code: Option<String>,
    /// Unix seconds.
    pub created: i64,
    pub tries: u8,
}

record!(RegistrationRecord: (u128, u128) = REGISTRATIONS);

/// Removes registrations that match.
pub fn forget(writer: &Writer<'_>, goes: impl Fn(&RegistrationRecord) -> bool) -> Result<()> {
    for (key, registration) in writer.scan::<RegistrationRecord>(..)? {
        if goes(&registration) {
            writer.remove::<RegistrationRecord>(key)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_store::record::{assert_read_from, assert_stored_as};

    #[test]
    fn a_registration_keeps_its_bytes() {
        let registration = RegistrationRecord {
            email: "ada@example.org".to_owned(),
            nickname: "Ada".to_owned(),
            code: Some("$argon2id$".to_owned()),
            created: 5,
            tries: 2,
        };
        assert_read_from::<RegistrationRecord>(
            (1, 2),
            "010f616461406578616d706c652e6f726703416461010a246172676f6e326964240a02907006a6",
            &registration,
        );
        assert_stored_as::<RegistrationRecord>(
            (1, 2),
            &registration,
            "810f616461406578616d706c652e6f726703416461010a246172676f6e326964240a02991d252f",
        );
    }
}

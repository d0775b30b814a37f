//! Mails that wait to be sent, as records.

use serde::{Deserialize, Serialize};

use super::model::{Letter, MailKey};
use crate::base::error::Result;
use crate::mail::address::Email;
use crate::store::findings::Findings;
use crate::store::record::{Initial, Record};
use crate::store::{Snapshot, Table, Writer, schema};

/// The one mail of its kind that waits for an address, or the memory of the last one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MailRecord {
    pub to: String,
    /// Nothing waits once it is sent or out of date.
    pub letter: Option<Letter>,
    /// Unix seconds.
    pub waiting_since: i64,
    pub attempts: u32,
    /// Not before this time, in unix seconds.
    pub next: i64,
    /// Unix seconds.
    pub last_try: Option<i64>,
    /// Why the last try failed; a clause for the admin.
    pub why: String,
}

impl Initial for MailRecord {}

impl Record for MailRecord {
    type Key = MailKey;
    const TABLE: Table<MailKey> = schema::MAILS;
}

/// All mails, those that wait longest first.
pub fn all(data: &Snapshot<'_>) -> Result<Vec<(MailKey, MailRecord)>> {
    let mut mails = data.scan::<MailRecord>(..)?;
    mails.sort_by_key(|(_, mail)| mail.waiting_since);
    Ok(mails)
}

/// Reads every record for a check of the data. A mail may outlive what it is about: then it is out of date.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    findings.each::<MailRecord>(data, |_, _, _| Ok(()))
}

/// Forgets addresses that nothing waits for and that were last written to before `before` (unix seconds).
pub fn forget(writer: &Writer<'_>, before: i64) -> Result<()> {
    for (key, mail) in writer.scan::<MailRecord>(..)? {
        if mail.letter.is_none() && mail.last_try.is_none_or(|last| last < before) {
            writer.remove::<MailRecord>(key)?;
        }
    }
    Ok(())
}

/// Forgets an address, and what waits for it.
pub fn forget_address(writer: &Writer<'_>, email: &Email) -> Result<()> {
    let (first, second) = email.key();
    writer.remove_range::<MailRecord>((first, second, 0)..=(first, second, u8::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::record::{assert_read_from, assert_stored_as};

    #[test]
    fn a_mail_that_waits_keeps_its_bytes() {
        let mail = MailRecord {
            to: "ada@example.org".to_owned(),
            letter: Some(Letter::Login {
                request: (1, 2),
                base: "http://pi".to_owned(),
            }),
            waiting_since: 1,
            attempts: 2,
            next: -1,
            last_try: Some(3),
            why: "so".to_owned(),
        };
        assert_read_from::<MailRecord>(
            (1, 2, 3),
            "010f616461406578616d706c652e6f72670100010209687474703a2f2f7069020201010602736f898b4d5d",
            &mail,
        );
        assert_stored_as::<MailRecord>(
            (1, 2, 3),
            &mail,
            "810f616461406578616d706c652e6f72670100010209687474703a2f2f7069020201010602736f3dd8ffbf",
        );
        let code = MailRecord {
            letter: Some(Letter::Code { registration: (7, 300) }),
            last_try: None,
            ..mail
        };
        assert_read_from::<MailRecord>(
            (1, 2, 3),
            "010f616461406578616d706c652e6f7267010107fb2c010202010002736f6de36430",
            &code,
        );
        assert_stored_as::<MailRecord>(
            (1, 2, 3),
            &code,
            "810f616461406578616d706c652e6f7267010107fb2c010202010002736ff1442c07",
        );
    }
}

//! Waiting mails as records.

mod earlier;

use serde::{Deserialize, Serialize};

use super::model::{Lane, MailKey, QueuedMail};
use fluglog_base::error::Result;
use fluglog_base::limits::tasks::Task;
use fluglog_mail::address::Email;
use fluglog_store::findings::Findings;
use fluglog_store::{Snapshot, Store, Writer, record, under};

/// The letters that wait for an address in one line, and when the last mail was sent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct MailRecord {
    /// In the order of sending.
    pub letters: Vec<WaitingLetter>,
    /// Attempts to send the first letter.
    pub attempts: u32,
    /// Earliest time of the next attempt, in Unix seconds.
    pub next: i64,
    /// Unix seconds.
    pub last_try: Option<i64>,
    /// Why the last attempt failed, as a clause for the admin.
    pub why: String,
}

/// A letter in a line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct WaitingLetter {
    pub letter: QueuedMail,
    pub to: String,
    /// Unix seconds.
    pub since: i64,
    /// As in [`super::model::Priority::turn`].
    pub turn: u32,
}

record!(MailRecord: MailKey = MAILS, with upgrade);

/// Returns all lines, those with the oldest letters first.
pub fn all(data: &Snapshot<'_>) -> Result<Vec<(MailKey, MailRecord)>> {
    let mut mails = data.scan::<MailRecord>(..)?;
    mails.sort_by_key(|(_, mail)| mail.letters.iter().map(|waiting| waiting.since).min());
    Ok(mails)
}

/// Reads every record for a check of the data. A letter may outlive its subject; it is obsolete then.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    findings.each::<MailRecord>(data, |_, _, _| Ok(()))
}

/// Forgets addresses without waiting letters once their last mail no longer limits new ones. `now` in Unix seconds.
pub fn forget(store: &Store, now: i64) -> Result<()> {
    let is_over = move |key: MailKey, mail: &MailRecord| {
        let before = now - Lane::memory_seconds(key.2);
        mail.letters.is_empty() && mail.last_try.is_none_or(|last| last < before)
    };
    store.remove_over::<MailRecord>(Task::Expired, is_over).map(drop)
}

/// Forgets an address and the letters that wait for it.
pub fn forget_address(writer: &Writer<'_>, email: &Email) -> Result<()> {
    let (first, second) = email.key();
    writer.remove_range::<MailRecord>(under((first, second)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_store::record::{assert_read_from, assert_stored_as};

    fn waiting(letter: QueuedMail) -> MailRecord {
        MailRecord {
            letters: vec![WaitingLetter {
                letter,
                to: "ada@example.org".to_owned(),
                since: 1,
                turn: 0,
            }],
            attempts: 2,
            next: -1,
            last_try: Some(3),
            why: "so".to_owned(),
        }
    }

    #[test]
    fn a_mail_that_waits_keeps_its_bytes() {
        let login = waiting(QueuedMail::Login {
            request: (1, 2),
            base: "http://pi".to_owned(),
        });
        for stored in [
            "010f616461406578616d706c652e6f72670100010209687474703a2f2f7069020201010602736f898b4d5d",
            "810f616461406578616d706c652e6f72670100010209687474703a2f2f7069020201010602736f3dd8ffbf",
        ] {
            assert_read_from::<MailRecord>((1, 2, 3), stored, &login);
        }
        let code = MailRecord {
            last_try: None,
            ..waiting(QueuedMail::Code { registration: (7, 300) })
        };
        for stored in [
            "010f616461406578616d706c652e6f7267010107fb2c010202010002736f6de36430",
            "810f616461406578616d706c652e6f7267010107fb2c010202010002736ff1442c07",
        ] {
            assert_read_from::<MailRecord>((1, 2, 3), stored, &code);
        }
        let mut both = login;
        both.letters.extend(code.letters);
        both.letters[1].turn = 4;
        both.letters.push(WaitingLetter {
            letter: QueuedMail::PasswordChanged {
                user: 5,
                time: 6,
                by: Some(crate::mail_queue::model::ChangedBy {
                    browser: "Firefox auf Android".to_owned(),
                    is_near: true,
                }),
            },
            ..both.letters[0].clone()
        });
        let mut of_addresses = waiting(QueuedMail::NewAddress {
            user: 5,
            base: "http://pi".to_owned(),
        });
        of_addresses.letters.push(WaitingLetter {
            letter: QueuedMail::AddressChanged { user: 5, time: 6 },
            ..of_addresses.letters[0].clone()
        });
        assert_stored_as::<MailRecord>(
            (1, 2, 4),
            &of_addresses,
            "8202030509687474703a2f2f70690f616461406578616d706c652e6f7267020004050c0f616461406578616d706c652e6f72670200\
             0201010602736ff61207e8",
        );
        let asked = waiting(QueuedMail::AddressRequested {
            user: 5,
            time: 6,
            email: "neu@example.org".to_owned(),
        });
        assert_stored_as::<MailRecord>(
            (1, 2, 5),
            &asked,
            "820106050c0f6e6575406578616d706c652e6f72670f616461406578616d706c652e6f726702000201010602736fa7bac172",
        );
        assert_stored_as::<MailRecord>(
            (1, 2, 3),
            &both,
            "820300010209687474703a2f2f70690f616461406578616d706c652e6f726702000107fb2c010f616461406578616d706c652e6f72\
             67020402050c011346697265666f782061756620416e64726f6964010f616461406578616d706c652e6f726702000201010602736f\
             5ba6805c",
        );
    }
}

//! Pilots' feedback on the program. Only the admin reads it.

pub mod api;
mod table;

use std::time::Instant;

use serde::{Deserialize, Serialize};

use fluglog_accounts::guard::Viewer;
use fluglog_accounts::operation::{Operation, Outcome};
use fluglog_app::App;
use fluglog_base::declared::Declared;
use fluglog_base::error::{Error, Result};
use fluglog_base::field::{Field, MAX_LONG_TEXT_CHARACTERS, MAX_TEXT_CHARACTERS, Required};
use fluglog_base::id::{FeedbackId, UserId};
use fluglog_base::input::Fields;
use fluglog_base::limits::rate_limit::Limit;
use fluglog_base::text;
use fluglog_store::findings::{Findings, place};
use fluglog_store::operations::model::Object;
use fluglog_store::record::Record;
use fluglog_store::{Snapshot, Writer, owned_by, schema};
use table::FeedbackRecord;

/// The most messages of one pilot within 15 minutes.
const MAX_SENT: usize = 20;
/// The most messages of one pilot.
const MAX_KEPT: usize = 100;

#[derive(Debug, Serialize, Deserialize)]
pub struct Feedback {
    pub version: String,
    pub message: String,
    /// 1 to 10.
    pub rate: u8,
}

const MESSAGE: Required<String> =
    Field::lines("message", MAX_LONG_TEXT_CHARACTERS).required(text::FEEDBACK_MESSAGE_MISSING);
const RATE: Required<u8> = Field::integer("rate", 1..=10, text::FEEDBACK_RATE).required(text::FEEDBACK_RATE);
const VERSION: Field<String> = Field::line("version", MAX_TEXT_CHARACTERS);

pub const FIELDS: &[Declared] = &[MESSAGE.declared(), RATE.declared(), VERSION.declared()];

impl Feedback {
    /// Reads the form.
    ///
    /// # Errors
    /// The message is missing, a text is too long, or the rate isn't a number from 1 to 10.
    pub(crate) fn from_fields(fields: &Fields) -> Result<Feedback> {
        Ok(Feedback {
            message: MESSAGE.read(fields)?,
            rate: RATE.read(fields)?,
            version: VERSION.read(fields)?.unwrap_or_default(),
        })
    }
}

/// Feedback with its author.
#[derive(Debug, Serialize, Deserialize)]
pub struct FeedbackEntry {
    pub email: String,
    pub nickname: String,
    pub feedback: Feedback,
    /// Unix seconds.
    pub sent: i64,
}

/// Stores feedback.
///
/// # Errors
/// [`Error::RateLimited`], [`Error::Conflict`] beyond the limit of a pilot, or the database can't be written.
pub fn send(app: &App, operation: Operation, feedback: Feedback) -> Result<()> {
    let user = operation.viewer().user();
    // A dropped try counts: there is no outcome to wait for.
    drop(app.rate_limiter.begin(
        &[Limit::per_quarter_hour(&format!("feedback {user}"), MAX_SENT)],
        Instant::now(),
    )?);
    let record = FeedbackRecord {
        version: feedback.version,
        message: feedback.message,
        rate: feedback.rate,
        sent: app.clock.unix_seconds(),
    };
    let id = FeedbackId::fresh();
    operation.write(&app.store, move |writer| {
        put(writer, user, id, &record)?;
        Ok(Outcome::new(Object::NONE, ()))
    })
}

fn put(writer: &Writer<'_>, user: UserId, id: FeedbackId, record: &FeedbackRecord) -> Result<()> {
    match writer.count_before_adding::<FeedbackRecord>((user.key(), 0), owned_by(user))? {
        ..MAX_KEPT => writer.put((user.key(), id.key()), record),
        _ => Err(Error::Conflict(text::FEEDBACK_TOO_MUCH)),
    }
}

/// Feedback of a pilot.
#[derive(Clone, Copy)]
pub struct FeedbackKey(u128, u128);

/// Returns the keys of all feedback, oldest first.
pub fn keys(app: &App) -> Result<Vec<FeedbackKey>> {
    let mut all = Vec::new();
    app.store
        .read(|data| data.each::<FeedbackRecord>(.., |key, record| all.push((record.sent, key))))?;
    all.sort_unstable();
    Ok(all.into_iter().map(|(_, (user, id))| FeedbackKey(user, id)).collect())
}

/// Loads this feedback; what was deleted meanwhile is left out.
pub fn load(data: &Snapshot<'_>, keys: &[FeedbackKey]) -> Result<Vec<FeedbackEntry>> {
    let keys = keys.iter().map(|FeedbackKey(user, id)| (*user, *id));
    listed(data, data.get_some::<FeedbackRecord>(keys)?)
}

/// Returns the viewer's feedback, oldest first.
pub fn of(data: &Snapshot<'_>, viewer: &Viewer) -> Result<Vec<FeedbackEntry>> {
    let mut own = listed(data, data.of::<FeedbackRecord>(viewer.user())?)?;
    own.sort_by_key(|listed| listed.sent);
    Ok(own)
}

fn listed(data: &Snapshot<'_>, records: Vec<((u128, u128), FeedbackRecord)>) -> Result<Vec<FeedbackEntry>> {
    records
        .into_iter()
        .map(|((user, _), record)| {
            let (email, nickname) = fluglog_accounts::names(data, UserId::from_key(user))?;
            Ok(FeedbackEntry {
                email,
                nickname,
                feedback: Feedback {
                    version: record.version,
                    message: record.message,
                    rate: record.rate,
                },
                sent: record.sent,
            })
        })
        .collect()
}

/// Removes the feedback of a deleted user.
pub fn forget_user(writer: &Writer<'_>, viewer: &Viewer) -> Result<()> {
    writer.remove_of::<FeedbackRecord>(viewer.user())
}

/// Checks every record of feedback.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    findings.each::<FeedbackRecord>(data, |findings, key, _| {
        findings.refers(data, &place(&FeedbackRecord::TABLE, key), &schema::USERS, key.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<Feedback> {
        let pairs = pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Feedback::from_fields(&Fields::from_pairs(pairs).unwrap().declared_as(FIELDS))
    }

    #[test]
    fn feedback_has_a_message_and_a_rate_from_1_to_10() {
        let feedback = read(&[("message", "Gut\r\nso"), ("rate", "10"), ("version", "1.3.0")]).unwrap();
        assert_eq!((feedback.message.as_str(), feedback.rate), ("Gut\nso", 10));
        for rate in ["0", "11", "5.5", "-1", "fünf", "256"] {
            assert_eq!(
                read(&[("message", "Gut"), ("rate", rate)]).err(),
                Some(Error::invalid("rate", text::FEEDBACK_RATE)),
                "{rate}"
            );
        }
        assert!(read(&[("message", "Gut")]).is_err());
        for message in ["", " ", "\n"] {
            assert_eq!(
                read(&[("message", message), ("rate", "5")]).err(),
                Some(Error::invalid("message", text::FEEDBACK_MESSAGE_MISSING))
            );
        }
    }

    #[test]
    fn a_pilot_has_a_hundred_messages_at_most() {
        let directory = tempfile::tempdir().unwrap();
        let store = fluglog_store::Store::open(directory.path(), true).unwrap();
        let add = |user| {
            let record = FeedbackRecord {
                version: String::new(),
                message: "Gut".to_owned(),
                rate: 9,
                sent: 5,
            };
            store.write(move |writer| put(writer, UserId::from_key(user), FeedbackId::fresh(), &record))
        };
        let statuses: Vec<_> = (0..102).map(|_| add(1)).collect();
        assert_eq!(statuses.iter().filter(|status| status.is_ok()).count(), 100);
        assert_eq!(statuses[101], Err(Error::Conflict(text::FEEDBACK_TOO_MUCH)));
        assert_eq!(add(2), Ok(()));
    }
}

//! Records of logs, with their index by time.

pub mod check;

use serde::{Deserialize, Serialize};

use super::model::{LogEntries, StoredLog, Subject};
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{DocumentId, EquipmentId, FlightId, LogId, OwnerId};
use fluglog_base::time::WallTime;
use fluglog_store::{Snapshot, Writer, owned_by, record, schema, under};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct LogRecord {
    subject: SubjectRecord,
    info: String,
    /// Minutes since 1970-01-01 00:00, wall clock time.
    time: i64,
    /// Unix seconds.
    created: i64,
    document: Option<u128>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum SubjectRecord {
    Equipment(u128),
    Flight(u128),
}

record!(LogRecord: (Owner, u128) = LOGS);

/// Returns a log of a user.
///
/// # Errors
/// [`Error::NotFound`] when this user has no such log.
pub fn find(data: &Snapshot<'_>, owner: OwnerId, id: LogId) -> Result<StoredLog> {
    let record = data.get::<LogRecord>((owner.key(), id.key()))?.ok_or(Error::NotFound)?;
    stored(id.key(), record)
}

/// Returns the ids of the logs about a subject, latest time first.
///
/// # Errors
/// [`Error::Internal`] when the index refers to a missing log.
pub fn ids(data: &Snapshot<'_>, owner: OwnerId, subject: Subject) -> Result<Vec<LogId>> {
    let (user, of) = (owner.key(), subject_key(subject));
    let places = data.keys_descending(&schema::LOGS_BY_TIME, under((user, of)), usize::MAX)?;
    let are_there = data.has_all(&schema::LOGS, places.iter().map(|(user, .., log)| (*user, *log)))?;
    let ids = places.into_iter().map(|(.., log)| LogId::from_key(log)).collect();
    are_there
        .then_some(ids)
        .ok_or_else(|| Error::Internal("logs: some of the index are missing".to_owned()))
}

/// Returns logs of a user; missing ones are skipped.
pub fn load(data: &Snapshot<'_>, owner: OwnerId, ids: &[LogId]) -> Result<Vec<StoredLog>> {
    let records = data.get_each::<LogRecord>(ids.iter().map(|id| (owner.key(), id.key())))?;
    let found = records.into_iter().zip(ids);
    found
        .filter_map(|(record, id)| Some(stored(id.key(), record?)))
        .collect()
}

/// Returns the ids of all logs of a user, latest time first.
pub fn all(data: &Snapshot<'_>, owner: OwnerId) -> Result<Vec<LogId>> {
    let mut times = Vec::new();
    data.each::<LogRecord>(owned_by(owner), |(_, id), record| times.push((record.time, id)))?;
    times.sort_unstable_by(|one, other| other.cmp(one));
    Ok(times.into_iter().map(|(_, id)| LogId::from_key(id)).collect())
}

/// Stores a log. `before` is the stored version that it replaces, whose index entry is removed.
pub fn put(writer: &Writer<'_>, owner: OwnerId, log: &StoredLog, before: Option<&StoredLog>) -> Result<()> {
    let (old, new) = (before.map(|before| place(owner, before)), place(owner, log));
    if old != Some(new) {
        if let Some(old) = old {
            writer.remove_key(&schema::LOGS_BY_TIME, old)?;
        }
        writer.insert_key(&schema::LOGS_BY_TIME, new)?;
    }
    let record = LogRecord {
        subject: match log.subject {
            Subject::Equipment(id) => SubjectRecord::Equipment(id.key()),
            Subject::Flight(id) => SubjectRecord::Flight(id.key()),
        },
        info: log.entries.info.clone(),
        time: log.entries.time.minutes(),
        created: log.created,
        document: log.document.map(DocumentId::key),
    };
    writer.put((owner.key(), log.id.key()), &record)
}

/// Removes a log.
pub fn remove(writer: &Writer<'_>, owner: OwnerId, log: &StoredLog) -> Result<()> {
    writer.remove_key(&schema::LOGS_BY_TIME, place(owner, log))?;
    writer.remove::<LogRecord>((owner.key(), log.id.key()))
}

fn place(owner: OwnerId, log: &StoredLog) -> (u128, u128, i64, u128) {
    (
        owner.key(),
        subject_key(log.subject),
        log.entries.time.minutes(),
        log.id.key(),
    )
}

/// Ids of equipment and of flights never collide: both are random.
const fn subject_key(subject: Subject) -> u128 {
    match subject {
        Subject::Equipment(id) => id.key(),
        Subject::Flight(id) => id.key(),
    }
}

fn stored(id: u128, record: LogRecord) -> Result<StoredLog> {
    Ok(StoredLog {
        id: LogId::from_key(id),
        subject: match record.subject {
            SubjectRecord::Equipment(id) => Subject::Equipment(EquipmentId::from_key(id)),
            SubjectRecord::Flight(id) => Subject::Flight(FlightId::from_key(id)),
        },
        entries: LogEntries {
            info: record.info,
            time: WallTime::from_minutes(record.time)
                .ok_or_else(|| Error::Internal("a log has an impossible time".to_owned()))?,
        },
        created: record.created,
        document: record.document.map(DocumentId::from_key),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_store::Store;
    use fluglog_store::record::{assert_read_from, assert_stored_as};
    use proptest::prelude::*;

    #[test]
    fn a_log_keeps_its_bytes() {
        let log = LogRecord {
            subject: SubjectRecord::Equipment(7),
            info: "Propeller getauscht".to_owned(),
            time: 29_000_000,
            created: 1_700_000_000,
            document: None,
        };
        assert_read_from::<LogRecord>(
            (1, 2),
            "0100071350726f70656c6c657220676574617573636874fc80027503fc00e2a7ca0081cdf2bc",
            &log,
        );
        assert_stored_as::<LogRecord>(
            (1, 2),
            &log,
            "8100071350726f70656c6c657220676574617573636874fc80027503fc00e2a7ca007142427e",
        );
        let of_flight = LogRecord {
            subject: SubjectRecord::Flight(u128::MAX),
            document: Some(u128::MAX),
            ..log
        };
        assert_read_from::<LogRecord>(
            (1, 2),
            "0101feffffffffffffffffffffffffffffffff1350726f70656c6c657220676574617573636874fc80027503fc00e2a7ca01feffff\
             ffffffffffffffffffffffffffffd15cdbad",
            &of_flight,
        );
        assert_stored_as::<LogRecord>(
            (1, 2),
            &of_flight,
            "8101feffffffffffffffffffffffffffffffff1350726f70656c6c657220676574617573636874fc80027503fc00e2a7ca01feffff\
             ffffffffffffffffffffffffffff6e33dfa2",
        );
    }

    fn log(time: i64) -> StoredLog {
        StoredLog {
            id: LogId::fresh(),
            subject: Subject::Flight(FlightId::from_key(5)),
            entries: LogEntries {
                info: "a".to_owned(),
                time: WallTime::from_minutes(time).unwrap(),
            },
            created: 0,
            document: None,
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn logs_stand_by_time_whatever_is_changed(times in proptest::collection::vec((0i64..1000, 0i64..1000), 1..8)) {
            let directory = tempfile::tempdir().unwrap();
            let store = Store::open(directory.path(), true).unwrap();
            let [owner, other] = [1, 2].map(OwnerId::from_key);
            for (first, then) in &times {
                let before = log(*first);
                let mut after = before.clone();
                after.entries.time = WallTime::from_minutes(*then).unwrap();
                store.write(move |writer| {
                    put(writer, owner, &before, None)?;
                    put(writer, other, &before, None)?;
                    put(writer, owner, &after, Some(&before))
                }).unwrap();
            }
            let found = store.read(|data| load(data, owner, &ids(data, owner, log(0).subject)?)).unwrap();
            let mut expected: Vec<_> = times.iter().map(|(_, then)| *then).collect();
            expected.sort_by_key(|time| std::cmp::Reverse(*time));
            prop_assert_eq!(found.iter().map(|log| log.entries.time.minutes()).collect::<Vec<_>>(), expected);
            let removed = found.clone();
            store.write(move |writer| removed.iter().try_for_each(|log| remove(writer, owner, log))).unwrap();
            prop_assert!(store.read(|data| load(data, owner, &ids(data, owner, log(0).subject)?)).unwrap().is_empty());
            let others = store.read(|data| ids(data, other, log(0).subject)).unwrap();
            prop_assert_eq!(others.len(), times.len());
        }
    }
}

//! Records of reminders and of what was told.

mod earlier;

use serde::{Deserialize, Serialize};

use super::model::{Mark, Reported};
use crate::documents::proofs::model::Step;
use crate::packs::hints::Level;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::UserId;
use fluglog_base::time::Date;
use fluglog_store::findings::{Findings, place};
use fluglog_store::record::Record;
use fluglog_store::{Snapshot, Writer, record, schema};

/// The reminder of a user who wants mails; others have no record.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct ReminderRecord {
    /// The day of the last check, in days since 1970-01-01, as the other days.
    day: Option<i32>,
    /// The packs and jobs that were told with their levels, ordered by id: 0 amber, 1 red.
    told: Vec<(u128, u8)>,
    /// The proofs that were told: document, end and days before it, ordered by id.
    proofs: Vec<(u128, i32, i16)>,
    /// The days of the last mails, oldest first.
    mails: Vec<i32>,
}

record!(ReminderRecord: u128 = REMINDERS, with upgrade);

/// The last check of what waits for a user who wants mails.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct LastSeen {
    pub day: Option<Date>,
    pub told: Reported,
    pub mails: Vec<Date>,
}

/// Returns every user who wants mails, with the day of the last check. Leaves out damaged records, which `check`
/// reports.
pub fn all(data: &Snapshot<'_>) -> Result<Vec<(UserId, Option<Date>)>> {
    let mut all = Vec::new();
    for user in data.record_keys(&schema::REMINDERS, ..)? {
        match data.get::<ReminderRecord>(user) {
            Ok(Some(record)) => all.push((UserId::from_key(user), record.day.and_then(Date::from_days))),
            Ok(None) | Err(Error::Internal(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(all)
}

pub fn get(data: &Snapshot<'_>, user: UserId) -> Result<Option<LastSeen>> {
    data.get::<ReminderRecord>(user.key())?
        .map(|record| last_seen(&record))
        .transpose()
}

pub fn put(writer: &Writer<'_>, user: UserId, last_seen: &LastSeen) -> Result<()> {
    let (mut told, mut proofs) = (Vec::new(), Vec::new());
    for (key, mark) in &last_seen.told {
        match mark {
            Mark::Level(level) => told.push((*key, u8::from(*level == Level::Red))),
            Mark::Step(step) => proofs.push((*key, step.until, step.days)),
        }
    }
    told.sort_unstable();
    proofs.sort_unstable();
    let record = ReminderRecord {
        day: last_seen.day.map(Date::days),
        told,
        proofs,
        mails: last_seen.mails.iter().map(|day| day.days()).collect(),
    };
    writer.put(user.key(), &record)
}

pub fn remove(writer: &Writer<'_>, user: UserId) -> Result<()> {
    writer.remove::<ReminderRecord>(user.key())
}

/// Checks that each record has its user. What was told may have been deleted.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    findings.each::<ReminderRecord>(data, |findings, user, record| {
        findings.refers(data, &place(&ReminderRecord::TABLE, user), &schema::USERS, user)?;
        if last_seen(&record).is_err() {
            findings.impossible::<ReminderRecord>(user);
        }
        Ok(())
    })
}

fn last_seen(record: &ReminderRecord) -> Result<LastSeen> {
    let levels = record.told.iter().map(|(key, level)| match level {
        0 => Ok((*key, Mark::Level(Level::Amber))),
        1 => Ok((*key, Mark::Level(Level::Red))),
        _ => Err(impossible()),
    });
    let steps = record.proofs.iter().map(|(key, until, days)| {
        let step = Step {
            until: *until,
            days: *days,
        };
        Ok((*key, Mark::Step(step)))
    });
    let date = |day: i32| Date::from_days(day).ok_or_else(impossible);
    Ok(LastSeen {
        day: record.day.map(date).transpose()?,
        told: levels.chain(steps).collect::<Result<_>>()?,
        mails: record.mails.iter().map(|day| date(*day)).collect::<Result<_>>()?,
    })
}

fn impossible() -> Error {
    Error::Internal("a reminder is impossible".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_store::record::{assert_read_from, assert_stored_as};

    #[test]
    fn a_reminder_keeps_its_bytes() {
        let record = |proofs, mails| ReminderRecord {
            day: Some(20_782),
            told: vec![(1, 0), (2, 1)],
            proofs,
            mails,
        };
        let before = record(Vec::new(), Vec::new());
        assert_read_from::<ReminderRecord>(7, "8101fb5ca202010002014de29ca0", &before);
        let now = record(vec![(3, 21_000, 30)], vec![20_780, 20_782]);
        assert_stored_as::<ReminderRecord>(7, &now, "8201fb5ca202010002010103fb10a43c02fb58a2fb5ca2e2642981");
        let read = last_seen(&now).unwrap();
        assert_eq!((read.day.map(Date::days), read.told.len()), (Some(20_782), 3));
        let impossible = ReminderRecord {
            told: vec![(1, 2)],
            ..record(Vec::new(), Vec::new())
        };
        assert!(last_seen(&impossible).is_err());
    }
}

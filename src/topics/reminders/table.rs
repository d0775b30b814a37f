//! Records of reminders and the levels that were reported.

use serde::{Deserialize, Serialize};

use super::model::Levels;
use crate::packs::hints::Level;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{EquipmentId, UserId};
use fluglog_base::time::Date;
use fluglog_store::findings::{Findings, place};
use fluglog_store::record::Record;
use fluglog_store::{Snapshot, Writer, record, schema};

/// The reminder of a user who wants mails; others have no record.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct ReminderRecord {
    /// The day of the last check, in days since 1970-01-01.
    day: Option<i32>,
    /// The packs that needed attention then with their levels, ordered by id: 0 amber, 1 red.
    told: Vec<(u128, u8)>,
}

record!(ReminderRecord: u128 = REMINDERS);

/// The last check of the packs of a user who wants mails.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct LastSeen {
    pub day: Option<Date>,
    pub levels: Levels,
}

/// Returns every user who wants mails, with the day of the last check.
pub fn all(data: &Snapshot<'_>) -> Result<Vec<(UserId, Option<Date>)>> {
    let reminders = data.scan::<ReminderRecord>(..)?;
    let shown = |(user, record): (u128, ReminderRecord)| (UserId::from_key(user), record.day.and_then(Date::from_days));
    Ok(reminders.into_iter().map(shown).collect())
}

pub fn get(data: &Snapshot<'_>, user: UserId) -> Result<Option<LastSeen>> {
    data.get::<ReminderRecord>(user.key())?
        .map(|record| last_seen(&record))
        .transpose()
}

pub fn put(writer: &Writer<'_>, user: UserId, last_seen: &LastSeen) -> Result<()> {
    let mut told = Vec::with_capacity(last_seen.levels.len());
    for (pack, level) in &last_seen.levels {
        let pack: EquipmentId = pack.parse().map_err(|_| impossible())?;
        told.push((pack.key(), u8::from(*level == Level::Red)));
    }
    told.sort_unstable();
    let record = ReminderRecord {
        day: last_seen.day.map(Date::days),
        told,
    };
    writer.put(user.key(), &record)
}

pub fn remove(writer: &Writer<'_>, user: UserId) -> Result<()> {
    writer.remove::<ReminderRecord>(user.key())
}

/// Checks that each record has its user. Its packs may have been deleted.
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
    let told = record.told.iter().map(|(pack, level)| match level {
        0 => Ok((EquipmentId::from_key(*pack).to_string(), Level::Amber)),
        1 => Ok((EquipmentId::from_key(*pack).to_string(), Level::Red)),
        _ => Err(impossible()),
    });
    Ok(LastSeen {
        day: record
            .day
            .map(|day| Date::from_days(day).ok_or_else(impossible))
            .transpose()?,
        levels: told.collect::<Result<_>>()?,
    })
}

fn impossible() -> Error {
    Error::Internal("a reminder of packs is impossible".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_store::record::assert_stored_as;

    #[test]
    fn a_reminder_keeps_its_bytes() {
        let record = ReminderRecord {
            day: Some(20_782),
            told: vec![(1, 0), (2, 1)],
        };
        assert_stored_as::<ReminderRecord>(7, &record, "8101fb5ca202010002014de29ca0");
        let read = last_seen(&record).unwrap();
        assert_eq!((read.day.map(Date::days), read.levels.len()), (Some(20_782), 2));
        assert!(
            last_seen(&ReminderRecord {
                day: None,
                told: vec![(1, 2)]
            })
            .is_err()
        );
    }
}

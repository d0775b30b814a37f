//! The consistency check of accounts: every user is readable, and every other record belongs to one.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    ContactRecord, DeviceRecord, LoginTokenRecord, PhotoRecord, QuotaRecord, SessionRecord, UserByEmailRecord,
    UserRecord,
};
use crate::access_tokens::table::AccessTokenRecord;
use crate::links::table::AccountLinkRecord;
use crate::mail_login::table::{LoginLinkRecord, LoginRequestRecord};
use crate::model;
use crate::registration::table::RegistrationRecord;
use crate::unverified::UnverifiedRecord;
use fluglog_base::error::Result;
use fluglog_mail::address::Email;
use fluglog_store::findings::{FindingKind, Findings, place};
use fluglog_store::record::Record;
use fluglog_store::{Snapshot, schema};

/// Checks every record of the accounts.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    users(data, findings)?;
    findings.each::<SessionRecord>(data, |findings, key, session| {
        if !data.has(&schema::USERS, session.user)? {
            findings.orphan::<SessionRecord>(key, FindingKind::LoginOfNobody);
        }
        Ok(())
    })?;
    findings.each::<LoginTokenRecord>(data, |findings, key, token| {
        if !data.has(&schema::USERS, token.user)? {
            findings.orphan::<LoginTokenRecord>(key, FindingKind::LoginOfNobody);
        }
        Ok(())
    })?;
    findings.each::<AccessTokenRecord>(data, |findings, key, token| {
        if !data.has(&schema::USERS, token.user)? {
            findings.orphan::<AccessTokenRecord>(key, FindingKind::LoginOfNobody);
        }
        Ok(())
    })?;
    findings.each::<DeviceRecord>(data, |findings, key, _| {
        if !data.has(&schema::USERS, key.0)? {
            findings.orphan::<DeviceRecord>(key, FindingKind::LoginOfNobody);
        }
        Ok(())
    })?;
    findings.each::<PhotoRecord>(data, |findings, user, photo| {
        let place = place(&PhotoRecord::TABLE, user);
        findings.names(&place, photo.blob);
        findings.refers(data, &place, &schema::USERS, user)
    })?;
    findings.each::<ContactRecord>(data, |findings, user, _| {
        findings.refers(data, &place(&ContactRecord::TABLE, user), &schema::USERS, user)
    })?;
    findings.each::<QuotaRecord>(data, |findings, user, _| {
        findings.refers(data, &place(&QuotaRecord::TABLE, user), &schema::USERS, user)
    })?;
    findings.each::<UnverifiedRecord>(data, |findings, user, _| {
        findings.refers(data, &place(&UnverifiedRecord::TABLE, user), &schema::USERS, user)
    })?;
    // These records expire, and may outlive the user or request that they refer to.
    findings.each::<LoginRequestRecord>(data, |_, _, _| Ok(()))?;
    findings.each::<LoginLinkRecord>(data, |_, _, _| Ok(()))?;
    findings.each::<RegistrationRecord>(data, |_, _, _| Ok(()))?;
    findings.each::<AccountLinkRecord>(data, |_, _, _| Ok(()))
}

fn users(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    let mut addresses = BTreeMap::new();
    let mut placeholders = BTreeSet::new();
    findings.each::<UserRecord>(data, |findings, key, user| {
        let place = place(&UserRecord::TABLE, key);
        if model::is_placeholder(&user.email) {
            placeholders.insert(key);
        }
        match Email::parse(&user.email) {
            None => findings.damage(&place, FindingKind::EmailInvalid),
            Some(email) => {
                if addresses.insert(email.key(), key).is_some() {
                    findings.damage(&place, FindingKind::EmailOfTwoUsers);
                }
            }
        }
        Ok(())
    })?;
    findings.each::<UserByEmailRecord>(data, |findings, key, found| {
        let expected = addresses.remove(&key);
        // The index entry with a lost account's address still leads to the placeholder.
        if expected == Some(found.user) || placeholders.contains(&found.user) {
            return Ok(());
        }
        if data.has(&schema::USERS, found.user)? {
            let what = FindingKind::EmailOfAnotherUser;
            findings.derived(&place(&UserByEmailRecord::TABLE, key), what, move |writer| {
                writer.remove::<UserByEmailRecord>(key)
            });
        } else if owns_records(data, found.user)? {
            findings.damage(&place(&UserByEmailRecord::TABLE, key), FindingKind::EmailOfLostUser);
        } else {
            findings.orphan::<UserByEmailRecord>(key, FindingKind::EmailOfNobody);
        }
        Ok(())
    })?;
    for (address, user) in addresses {
        let what = FindingKind::NotFoundByEmail;
        findings.derived(&place(&UserRecord::TABLE, user), what, move |writer| {
            writer.put(address, &UserByEmailRecord { user })
        });
    }
    Ok(())
}

/// Returns whether there are records of a user. Unreadable ones count.
fn owns_records(data: &Snapshot<'_>, user: u128) -> Result<bool> {
    for table in schema::of_owners() {
        if table.bytes_of(data, user)? > 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_store::Store;
    use fluglog_store::blobs::BlobRecord;

    #[test]
    fn the_address_of_a_lost_account_stays_as_long_as_there_are_records_of_its_user() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(directory.path(), true).unwrap();
        let [owner, nobody] = [7, 8];
        store
            .write(move |writer| {
                let blob = BlobRecord { id: 9, sha256: [0; 32] };
                writer.put(owner, &PhotoRecord { blob })?;
                writer.put((1, 1), &UserByEmailRecord { user: owner })?;
                writer.put((2, 2), &UserByEmailRecord { user: nobody })
            })
            .unwrap();
        let mut findings = Findings::default();
        store.examine(|data| users(data, &mut findings)).unwrap();
        let damages: Vec<_> = findings.damages().iter().map(|finding| &finding.wrong).collect();
        assert_eq!(damages, [&FindingKind::EmailOfLostUser]);
        let orphans: Vec<_> = findings.orphans().map(|finding| &finding.place).collect();
        assert_eq!(orphans, [&place(&UserByEmailRecord::TABLE, (2, 2))]);
    }
}

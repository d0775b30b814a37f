//! The check of the accounts: every user is readable, and everything here has one.

use std::collections::BTreeMap;

use super::{DeviceRecord, LoginTokenRecord, PhotoRecord, SessionRecord, UserByEmailRecord, UserRecord};
use crate::accounts::links::table::AccountLinkRecord;
use crate::accounts::mail_login::table::{LoginLinkRecord, LoginRequestRecord};
use crate::accounts::registration::table::RegistrationRecord;
use crate::base::error::Result;
use crate::mail::address::Email;
use crate::store::findings::{Findings, Wrong, place};
use crate::store::record::Record;
use crate::store::{Snapshot, schema};

/// Reads every record of the accounts.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    users(data, findings)?;
    findings.each::<SessionRecord>(data, |findings, key, session| {
        if !data.has(&schema::USERS, session.user)? {
            findings.orphan::<SessionRecord>(key, Wrong::LoginOfNobody);
        }
        Ok(())
    })?;
    findings.each::<LoginTokenRecord>(data, |findings, key, token| {
        if !data.has(&schema::USERS, token.user)? {
            findings.orphan::<LoginTokenRecord>(key, Wrong::LoginOfNobody);
        }
        Ok(())
    })?;
    findings.each::<DeviceRecord>(data, |findings, key, _| {
        if !data.has(&schema::USERS, key.0)? {
            findings.orphan::<DeviceRecord>(key, Wrong::LoginOfNobody);
        }
        Ok(())
    })?;
    findings.each::<PhotoRecord>(data, |findings, user, photo| {
        let place = place(&PhotoRecord::TABLE, user);
        findings.names(&place, photo.blob);
        findings.refers(data, &place, &schema::USERS, user)
    })?;
    // These end by themselves, and may outlive what they name.
    findings.each::<LoginRequestRecord>(data, |_, _, _| Ok(()))?;
    findings.each::<LoginLinkRecord>(data, |_, _, _| Ok(()))?;
    findings.each::<RegistrationRecord>(data, |_, _, _| Ok(()))?;
    findings.each::<AccountLinkRecord>(data, |_, _, _| Ok(()))
}

fn users(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    let mut addresses = BTreeMap::new();
    findings.each::<UserRecord>(data, |findings, key, user| {
        let place = place(&UserRecord::TABLE, key);
        match Email::parse(&user.email) {
            None => findings.damage(&place, Wrong::EmailInvalid),
            Some(email) => {
                if addresses.insert(email.key(), key).is_some() {
                    findings.damage(&place, Wrong::EmailOfTwoUsers);
                }
            }
        }
        Ok(())
    })?;
    findings.each::<UserByEmailRecord>(data, |findings, key, found| {
        let expected = addresses.remove(&key);
        if expected == Some(found.user) {
            return Ok(());
        }
        if data.has(&schema::USERS, found.user)? {
            let what = Wrong::EmailOfAnotherUser;
            findings.derived(&place(&UserByEmailRecord::TABLE, key), what, move |writer| {
                writer.remove::<UserByEmailRecord>(key)
            });
        } else {
            findings.orphan::<UserByEmailRecord>(key, Wrong::EmailOfNobody);
        }
        Ok(())
    })?;
    for (address, user) in addresses {
        let what = Wrong::NotFoundByEmail;
        findings.derived(&place(&UserRecord::TABLE, user), what, move |writer| {
            writer.put(address, &UserByEmailRecord { user })
        });
    }
    Ok(())
}

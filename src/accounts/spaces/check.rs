//! The consistency check of spaces: every membership is of an existing user and space, and somebody manages each space.

use std::collections::BTreeSet;

use super::model::Right;
use super::table::{InvitationRecord, MembershipRecord, SpaceRecord, index_key};
use fluglog_base::error::Result;
use fluglog_store::findings::{FindingKind, Findings, place};
use fluglog_store::record::Record;
use fluglog_store::{Snapshot, schema};

/// Checks every record of the spaces.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    let (mut index, mut managed) = (Vec::new(), BTreeSet::new());
    findings.each::<MembershipRecord>(data, |findings, (space, user), membership| {
        let place = place(&MembershipRecord::TABLE, (space, user));
        let Ok(role) = membership.right() else {
            findings.impossible::<MembershipRecord>((space, user));
            return Ok(());
        };
        index.push(index_key(space, user, &membership));
        if role == Right::Manage && membership.ended.is_none() {
            managed.insert(space);
        }
        findings.refers(data, &place, &schema::SPACES, space)?;
        findings.refers(data, &place, &schema::USERS, user)
    })?;
    findings.index::<MembershipRecord, _>(data, &schema::SPACES_OF_USER, index, |(user, _, space)| (space, user))?;
    findings.each::<SpaceRecord>(data, |findings, key, space| {
        if space.kind().is_err() {
            findings.impossible::<SpaceRecord>(key);
        }
        if !managed.contains(&key) {
            findings.damage(&place(&SpaceRecord::TABLE, key), FindingKind::SpaceWithoutManager);
        }
        Ok(())
    })?;
    findings.each::<InvitationRecord>(data, |findings, key, invitation| {
        if invitation.right().is_err() {
            findings.impossible::<InvitationRecord>(key);
        }
        let place = place(&InvitationRecord::TABLE, key);
        findings.refers(data, &place, &schema::SPACES, invitation.space)?;
        findings.refers(data, &place, &schema::USERS, invitation.by)
    })
}

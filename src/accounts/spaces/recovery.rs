//! Spaces in a database of which records are lost.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::model::{Right, SpaceKind};
use super::table::{self, InvitationRecord, MembershipRecord, SpaceRecord};
use fluglog_base::error::Result;
use fluglog_base::id::{SpaceId, UserId};
use fluglog_store::{Writer, schema};

/// Makes a placeholder club for each space that memberships name but whose record is lost. Returns their names.
pub fn make_placeholders(writer: &Writer<'_>, now: i64) -> Result<Vec<String>> {
    let named = writer.record_keys(&schema::MEMBERSHIPS, ..)?.into_iter();
    let named: BTreeSet<_> = named.map(|(space, _)| space).collect();
    let mut made = Vec::new();
    for space in named {
        if !writer.has(&schema::SPACES, space)? {
            let name = format!("Geretteter Bereich {}", made.len() + 1);
            let record = SpaceRecord::new(SpaceKind::Club, name.clone(), now, String::new());
            writer.put(space, &record)?;
            made.push(name);
        }
    }
    Ok(made)
}

/// Removes the memberships and invitations of lost users. Where nobody is left who manages a space, the member
/// does who could do most, of several the one who was there first.
pub fn drop_lost_members(writer: &Writer<'_>) -> Result<()> {
    for (key, invitation) in writer.scan::<InvitationRecord>(..)? {
        if !(writer.has(&schema::USERS, invitation.by)? && writer.has(&schema::SPACES, invitation.space)?) {
            writer.remove::<InvitationRecord>(key)?;
        }
    }
    for (space, user) in writer.record_keys(&schema::MEMBERSHIPS, ..)? {
        if !writer.has(&schema::USERS, user)? {
            table::remove_membership(writer, SpaceId::from_key(space), UserId::from_key(user))?;
        }
    }
    for space in super::all(writer)? {
        promote_first(writer, space)?;
    }
    Ok(())
}

fn promote_first(writer: &Writer<'_>, space: SpaceId) -> Result<()> {
    let first = table::members(writer, space)?
        .into_iter()
        .max_by_key(|(user, membership)| (membership.role, Reverse((membership.since, user.key()))));
    match first {
        Some((user, membership)) if membership.right()? != Right::Manage => {
            let membership: MembershipRecord = membership.with_role(Right::Manage);
            table::put_membership(writer, space, user, &membership)
        }
        _ => Ok(()),
    }
}

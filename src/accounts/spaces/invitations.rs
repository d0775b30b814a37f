//! Invitations into a space: links that a manager hands out. The database holds only digests of their tokens.

use std::net::IpAddr;
use std::time::Instant;

use base64::Engine as _;

use super::model::{self, InvitationLink, Right, Space, SpaceInvitation, SpaceKind, SpaceToJoin};
use super::table::{self, InvitationRecord, MembershipRecord};
use super::{StoredSpace, check_right, check_room, count_items, existing};
use crate::guard::Viewer;
use crate::links::{self, NewAccount};
use crate::operation::{Operation, Outcome};
use crate::sessions::{Browser, Login};
use crate::table as accounts;
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{InvitationId, SpaceId, UserId};
use fluglog_base::limits::connections::network;
use fluglog_base::limits::rate_limit::Limit;
use fluglog_base::limits::tasks::Task;
use fluglog_base::secret::{Token, digest, digest_key};
use fluglog_base::text;
use fluglog_store::operations::model::Object;
use fluglog_store::{Snapshot, Store, Writer};

const DAY_SECONDS: i64 = 24 * 60 * 60;
/// The most invitations into a space that can be accepted at a time.
const MAX_OPEN: usize = 100;
const MAX_MEMBERS: usize = 500;
/// Wrong tokens from one network address within 15 minutes.
const TRIES_FROM_ADDRESS: usize = 20;

/// The choices of a manager for an invitation; `None` stands for the usual one.
#[derive(Clone, Copy)]
pub(crate) struct NewInvitation {
    pub role: Option<Right>,
    pub days: Option<u32>,
    pub uses: Option<u32>,
}

/// Makes an invitation.
///
/// # Errors
/// As [`check_right`]; [`Error::Conflict`] when too many are open.
pub(crate) fn add(
    app: &App,
    operation: Operation,
    space: SpaceId,
    new: NewInvitation,
    base: &str,
) -> Result<InvitationLink> {
    let viewer = operation.viewer();
    let now = app.clock.unix_seconds();
    let token = Token::fresh()?;
    let key = digest_key(&token.digest());
    let ends = now + i64::from(new.days.unwrap_or(model::DEFAULT_DAYS)) * DAY_SECONDS;
    let link = format!("{base}/app/invite#{}", token.as_str());
    let code = fluglog_picture::qr_code(&link)?;
    operation.write(&app.store, move |writer| {
        check_right(writer, &viewer, space, Right::Manage)?;
        if table::open_invitations(writer, space, now)?.len() >= MAX_OPEN {
            return Err(Error::Conflict(text::TOO_MANY_INVITATIONS));
        }
        let role = match new.role {
            Some(role) => role,
            None => existing(writer, space)?.kind()?.usual_role(),
        };
        // A member who left within the second of the invitation may still come back by it.
        let made = table::last_ended(writer, space)?.map_or(now, |ended| now.max(ended + 1));
        let invitation = InvitationRecord::new(space, role, viewer.user(), made, ends, new.uses.unwrap_or(1));
        writer.put(key, &invitation)?;
        Ok(Outcome::new(Object::NONE, ()))
    })?;
    Ok(InvitationLink {
        dpf_id: InvitationId::from_key(key.0),
        link,
        img: base64::engine::general_purpose::STANDARD.encode(code),
        ends: app.clock.wall_time_at(ends).to_string(),
    })
}

/// Returns the invitations that can be accepted, the oldest first.
///
/// # Errors
/// As [`check_right`].
pub(crate) fn list(app: &App, viewer: &Viewer, space: SpaceId) -> Result<Vec<SpaceInvitation>> {
    let now = app.clock.unix_seconds();
    let open = app.store.read(|data| {
        check_right(data, viewer, space, Right::Manage)?;
        let open = table::open_invitations(data, space, now)?.into_iter();
        open.map(|(key, invitation)| Ok((key, nickname(data, invitation.by)?, invitation.right()?, invitation)))
            .collect::<Result<Vec<_>>>()
    })?;
    let shown = open.into_iter().map(|(key, by, role, invitation)| SpaceInvitation {
        dpf_id: InvitationId::from_key(key.0),
        role: role.code(),
        by,
        made: app.clock.wall_time_at(invitation.made).to_string(),
        ends: app.clock.wall_time_at(invitation.expires).to_string(),
        uses: invitation.uses,
        uses_left: invitation.uses_left,
    });
    Ok(shown.collect())
}

/// Ends an invitation.
///
/// # Errors
/// As [`check_right`]; [`Error::NotFound`] when it can't be accepted any more.
pub(crate) fn delete(app: &App, operation: Operation, space: SpaceId, id: InvitationId) -> Result<()> {
    let viewer = operation.viewer();
    let now = app.clock.unix_seconds();
    operation.write(&app.store, move |writer| {
        check_right(writer, &viewer, space, Right::Manage)?;
        let mut open = table::open_invitations(writer, space, now)?.into_iter();
        let (key, _) = open.find(|(key, _)| key.0 == id.key()).ok_or(Error::NotFound)?;
        writer.remove::<InvitationRecord>(key)?;
        Ok(Outcome::new(Object::NONE, ()))
    })
}

fn nickname(data: &Snapshot<'_>, user: u128) -> Result<String> {
    Ok(accounts::existing(data, UserId::from_key(user))?.nickname)
}

/// Returns what an invitation says, without a login.
///
/// # Errors
/// [`Error::Gone`]: used up, expired, ended or unknown. [`Error::RateLimited`] after too many wrong tokens.
pub(crate) fn look(app: &App, token: &str, viewer: Option<Viewer>, from: IpAddr) -> Result<SpaceToJoin> {
    let now = app.clock.unix_seconds();
    let key = digest_key(&digest(token));
    guessing(app, from, || {
        app.store.read(|data| {
            let invitation = unexpired(data, key, now)?;
            let id = SpaceId::from_key(invitation.space);
            let user = viewer.map(|viewer| viewer.user());
            let space = match user {
                Some(user) if is_member(data, id, user)? => Some(id),
                _ => {
                    check_acceptable(data, &invitation, user)?;
                    None
                }
            };
            let record = existing(data, id)?;
            Ok(SpaceToJoin {
                kind: record.kind()?.code(),
                name: record.name,
                role: invitation.right()?.code(),
                by: nickname(data, invitation.by)?,
                members: table::members(data, id)?.len(),
                items: count_items(data, id)?,
                ends: app.clock.wall_time_at(invitation.expires).to_string(),
                space,
            })
        })
    })
}

/// Makes the viewer a member. Who is one already stays as is.
///
/// # Errors
/// As [`look`]; [`Error::Conflict`] when the space is full or the viewer is in too many.
pub(crate) fn accept(app: &App, operation: Operation, token: &str, name_shown: bool, from: IpAddr) -> Result<Space> {
    let user = operation.viewer().user();
    let now = app.clock.unix_seconds();
    let key = digest_key(&digest(token));
    let space = guessing(app, from, || {
        operation.write(&app.store, move |writer| {
            let space = join(writer, key, user, name_shown, now)?;
            Ok(Outcome::new(
                Object::of(space.key()),
                StoredSpace::read(writer, space, user)?,
            ))
        })
    })?;
    Ok(space.shown(app))
}

/// Makes an account that is a member from the start, and logs in. The invitation is the permission, whatever the
/// settings say about registration.
///
/// # Errors
/// As [`accept`]; a malformed address or nickname; a password that breaks a rule; [`Error::Conflict`] for a taken
/// address.
pub(crate) fn register(
    app: &App,
    token: &str,
    (email, nickname, password): (&str, &str, &str),
    name_shown: bool,
    from: &Browser,
) -> Result<Login> {
    let now = app.clock.unix_seconds();
    let key = digest_key(&digest(token));
    guessing(app, from.address, || {
        let new = NewAccount::checked(app, email, nickname, password)?;
        app.store
            .read(|data| check_acceptable(data, &unexpired(data, key, now)?, None))?;
        let new = new.with_password(app, password)?;
        links::make_account(app, new, from, "an invitation into a space", move |writer, user| {
            join(writer, key, user, name_shown, now).map(drop)
        })
    })
}

/// Limits wrong tokens.
fn guessing<T>(app: &App, from: IpAddr, work: impl FnOnce() -> Result<T>) -> Result<T> {
    let from_address = format!("invitations {}", network(from));
    let limit = Limit::per_quarter_hour(&from_address, TRIES_FROM_ADDRESS);
    let this_try = app.rate_limiter.begin(&[limit], Instant::now())?;
    let done = work();
    if !matches!(done, Err(Error::Gone(_))) {
        this_try.succeed();
    }
    done
}

fn join(writer: &Writer<'_>, key: (u128, u128), user: UserId, name_shown: bool, now: i64) -> Result<SpaceId> {
    let mut invitation = unexpired(writer, key, now)?;
    let space = SpaceId::from_key(invitation.space);
    if is_member(writer, space, user)? {
        return Ok(space);
    }
    check_acceptable(writer, &invitation, Some(user))?;
    check_room(writer, user)?;
    if table::members(writer, space)?.len() >= MAX_MEMBERS {
        return Err(Error::Conflict(text::SPACE_FULL));
    }
    let is_household = existing(writer, space)?.kind()? == SpaceKind::Household;
    let membership = MembershipRecord::new(invitation.right()?, now, name_shown || is_household);
    table::put_membership(writer, space, user, &membership)?;
    invitation.uses_left -= 1;
    writer.put(key, &invitation)?;
    Ok(space)
}

fn is_member(data: &Snapshot<'_>, space: SpaceId, user: UserId) -> Result<bool> {
    let membership = table::membership(data, space, user)?;
    Ok(membership.is_some_and(|membership| membership.ended.is_none()))
}

fn unexpired(data: &Snapshot<'_>, key: (u128, u128), now: i64) -> Result<InvitationRecord> {
    let found = data.get::<InvitationRecord>(key)?;
    found
        .filter(|invitation| now < invitation.expires)
        .ok_or(Error::Gone(text::SPACE_INVITATION_GONE))
}

/// Checks that somebody who is no member may use an invitation: it has a use left, whoever made it isn't disabled, and
/// it was made after the user's former membership had ended.
fn check_acceptable(data: &Snapshot<'_>, invitation: &InvitationRecord, user: Option<UserId>) -> Result<()> {
    let space = SpaceId::from_key(invitation.space);
    let former = match user {
        Some(user) => table::membership(data, space, user)?,
        None => None,
    };
    let is_later = former
        .and_then(|former| former.ended)
        .is_none_or(|ended| invitation.made > ended);
    let is_by_active = !accounts::existing(data, UserId::from_key(invitation.by))?.disabled;
    match invitation.uses_left > 0 && is_later && is_by_active {
        true => Ok(()),
        false => Err(Error::Gone(text::SPACE_INVITATION_GONE)),
    }
}

/// Removes expired invitations.
pub(crate) fn forget(store: &Store, now: i64) -> Result<()> {
    store
        .remove_over::<InvitationRecord>(Task::Expired, move |_, invitation| invitation.expires <= now)
        .map(drop)
}

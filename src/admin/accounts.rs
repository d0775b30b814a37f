//! Accounts and spaces: lists, invitations, links, changes and deletions.

use super::model::{AdminAccount, AdminLink, AdminSpace};
use super::sentences::error_of_refusal;
use super::shell::{at, perform};
use crate::control::spaces::{ListSpaces, ListedSpace};
use crate::control::users::{
    self, ChangeUser, DeleteUser, InviteUser, Link, ListUsers, RenameUser, ResetPassword, Room, ShowUser,
};
use fluglog_accounts::administration::{self, Change, ListedUser, UserChange};
use fluglog_accounts::guard::{self, Admin};
use fluglog_accounts::quotas::Quota;
use fluglog_accounts::spaces::model::{SpaceKind, SpaceOfUser};
use fluglog_app::App;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::UserId;
use fluglog_base::text;
use fluglog_mail::address::Email;

/// All accounts, sorted by address.
pub fn accounts(app: &App, admin: &Admin) -> Result<Vec<AdminAccount>> {
    let listed = perform(app, ListUsers)?;
    let own = own_address(app, admin)?;
    let shown = |(user, room): (ListedUser, Room)| AdminAccount {
        own: user.email == own,
        created: at(app, user.created),
        last_login: user.last_login.map(|login| at(app, login)).unwrap_or_default(),
        used_bytes: room.used,
        quota_bytes: room.most,
        own_quota: user.own_quota.is_some(),
        email: user.email,
        nickname: user.nickname,
        disabled: user.disabled,
        operator: user.operator,
    };
    Ok(listed.into_iter().map(shown).collect())
}

/// All spaces, by name.
pub fn spaces(app: &App, _admin: &Admin) -> Result<Vec<AdminSpace>> {
    let listed = perform(app, ListSpaces)?;
    let shown = |space: ListedSpace| AdminSpace {
        kind: match space.details.is_household {
            true => SpaceKind::Household.code(),
            false => SpaceKind::Club.code(),
        },
        created: at(app, space.details.created),
        members: space.details.members.len(),
        managers: space.details.managers().map(|member| member.nickname.clone()).collect(),
        items: space.details.items,
        used_bytes: space.used,
        quota_bytes: space.most,
        name: space.details.name,
    };
    Ok(listed.into_iter().map(shown).collect())
}

/// The spaces of an account, with what becomes of each when the account is deleted.
pub fn spaces_of_account(app: &App, _admin: &Admin, email: &str) -> Result<Vec<SpaceOfUser>> {
    let email = email.to_owned();
    Ok(perform(app, ShowUser { email })?.spaces)
}

fn own_address(app: &App, admin: &Admin) -> Result<String> {
    let viewer = admin.viewer();
    app.store
        .read(|data| administration::address(data, &viewer))
        .map(|email| email.typed)
}

/// The account with this address, for the log.
///
/// # Errors
/// The address is malformed or has no account.
pub fn account(app: &App, email: &str) -> Result<UserId> {
    if Email::parse(email).is_none() {
        return Err(Error::invalid("email", text::EMAIL_INVALID));
    }
    let found = app.store.read(|data| guard::named_by_admin(data, email));
    found.map(|viewer| viewer.user()).map_err(|error| match error {
        Error::NotFound => Error::Conflict(text::ACCOUNT_GONE),
        other => other,
    })
}

/// Makes an invitation link.
pub fn invite(app: &App, _admin: &Admin, nickname: Option<String>, days: u32) -> Result<AdminLink> {
    let link = perform(app, InviteUser { nickname, days })?;
    Ok(shown_link(app, link))
}

/// Makes a link for a new password, or mails one.
pub fn reset(app: &App, _admin: &Admin, email: String, by_mail: bool) -> Result<AdminLink> {
    if !by_mail {
        let link = perform(app, ResetPassword { email })?;
        return Ok(shown_link(app, link));
    }
    if !app.config.smtp.is_set() {
        return Err(Error::Conflict(text::NO_MAIL_SERVER));
    }
    users::mail_reset(app, &email).map_err(error_of_refusal)?;
    Ok(AdminLink {
        url: String::new(),
        ends: String::new(),
    })
}

fn shown_link(app: &App, link: Link) -> AdminLink {
    AdminLink {
        ends: at(app, link.ends),
        url: link.url,
    }
}

/// Disables or enables an account, or grants or revokes the operator's right.
pub fn change(
    app: &App,
    _admin: &Admin,
    email: &str,
    is_disabled: Option<bool>,
    is_operator: Option<bool>,
) -> Result<()> {
    let email = email.to_owned();
    if is_operator.is_some() {
        let new = UserChange {
            operator: is_operator,
            ..UserChange::default()
        };
        let email = email.clone();
        perform(app, RenameUser { email, new })?;
    }
    match is_disabled {
        Some(true) => change_to(
            app,
            email,
            Change::Disable {
                even_last_operator: false,
            },
        ),
        Some(false) => change_to(app, email, Change::Enable),
        None => Ok(()),
    }
}

/// Sets an account's storage limit. Data beyond it aren't deleted.
pub(crate) fn save_quota(app: &App, _admin: &Admin, email: String, quota: Quota) -> Result<()> {
    let new = UserChange {
        quota: Some(quota),
        ..UserChange::default()
    };
    perform(app, RenameUser { email, new })
}

pub fn log_out(app: &App, _admin: &Admin, email: String) -> Result<()> {
    change_to(app, email, Change::LogOut)
}

fn change_to(app: &App, email: String, change: Change) -> Result<()> {
    perform(app, ChangeUser { email, change })
}

/// Deletes an account with everything in it. `typed` repeats its address as confirmation.
///
/// # Errors
/// `typed` is another address, or the account is the last operator's.
pub fn delete(app: &App, _admin: &Admin, email: String, typed: &str) -> Result<()> {
    let same = |text: &str| Email::parse(text).map(|email| email.folded);
    if same(&email) != same(typed) {
        return Err(Error::invalid("typed", text::TYPED_ADDRESS_DIFFERS));
    }
    let task = DeleteUser {
        email,
        even_last_operator: false,
    };
    perform(app, task).map(drop)
}

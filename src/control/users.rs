//! Tasks about users.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::task::{Refusal, Task};
use crate::export::model::Exported;
use crate::export::{self, ExportError, Files, Subject};
use fluglog_accounts::administration::{self, Change, ChangeError, ListedUser, UserChange, UserDetails};
use fluglog_accounts::guard::{Access, Viewer};
use fluglog_accounts::links::{self, IssuedLink};
use fluglog_accounts::spaces::model::{SpaceOfUser, WhenDeleted};
use fluglog_accounts::{access_log, guard, quotas, spaces};
use fluglog_app::App;
use fluglog_base::error::Error;
use fluglog_base::id::EquipmentId;
use fluglog_mail::address::Email;
use fluglog_mail::outbox;
use fluglog_store::Snapshot;
use fluglog_topics::logbook::model::{BookOrder, Form, Period};
use fluglog_topics::{equipment, logbook, quota, registry};
use fluglog_web::link_base;

/// Adds a user with a verified address; without a password, the user logs in by mail.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct AddUser {
    pub email: String,
    pub nickname: String,
    pub password: Option<String>,
    pub operator: bool,
}

impl Task for AddUser {
    type Outcome = ();

    fn perform(self, app: &App, _: &mut dyn Write) -> Result<(), Refusal> {
        let password = self.password.as_deref();
        administration::add_user(app, &self.email, &self.nickname, password, self.operator)
            .map(drop)
            .map_err(|unchanged| unchanged_about(&self.email, unchanged))
    }
}

/// Lists all users, sorted by address.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ListUsers;

/// A user's storage, in bytes.
#[derive(Debug, Serialize, Deserialize)]
pub struct Room {
    pub used: u64,
    /// The limit; `None` without one.
    pub most: Option<u64>,
}

impl Task for ListUsers {
    type Outcome = Vec<(ListedUser, Room)>;

    fn perform(self, app: &App, _: &mut dyn Write) -> Result<Vec<(ListedUser, Room)>, Refusal> {
        let mut users = Vec::new();
        for user in administration::list_users(app)? {
            let viewer = app.store.read(|data| guard::named_by_admin(data, &user.email));
            // A user may have been deleted in the meantime.
            if let Ok(viewer) = viewer {
                let room = Room {
                    used: quota::storage_of(app, &viewer)?,
                    most: quotas::effective_limit(app, user.own_quota),
                };
                users.push((user, room));
            }
        }
        Ok(users)
    }
}

/// Shows a user and the amount of its data.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ShowUser {
    pub email: String,
}

/// A user with the amount of its data.
#[derive(Debug, Serialize, Deserialize)]
pub struct ShownUser {
    pub details: UserDetails,
    /// Number of objects per topic.
    pub holdings: BTreeMap<String, usize>,
    /// Size of images, previews, documents and the photo.
    pub file_bytes: u64,
    /// The storage limit in bytes; `None` without one.
    pub quota: Option<u64>,
    pub spaces: Vec<SpaceOfUser>,
}

impl Task for ShowUser {
    type Outcome = ShownUser;

    fn perform(self, app: &App, _: &mut dyn Write) -> Result<ShownUser, Refusal> {
        let now = app.clock.unix_seconds();
        let shown = app.store.read(|data| {
            let viewer = guard::named_by_admin(data, &self.email)?;
            let details = administration::details(data, &viewer, now)?;
            let spaces = spaces::members::spaces_of_user(data, &viewer)?;
            Ok((details, registry::holdings(data, &viewer)?, spaces))
        });
        let (details, holdings, spaces) = shown.map_err(|error| about(&self.email, error))?;
        let counts = holdings.counts.into_iter();
        Ok(ShownUser {
            quota: quotas::effective_limit(app, details.own_quota),
            details,
            holdings: counts.map(|(name, count)| (name.to_owned(), count)).collect(),
            // A missing file counts as empty.
            file_bytes: holdings
                .blobs
                .into_iter()
                .filter_map(|id| app.blobs.bytes(id).ok())
                .sum(),
            spaces,
        })
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ChangeUser {
    pub email: String,
    pub change: Change,
}

impl Task for ChangeUser {
    type Outcome = ();

    fn perform(self, app: &App, _: &mut dyn Write) -> Result<(), Refusal> {
        administration::change_user(app, &self.email, &self.change)
            .map_err(|unchanged| unchanged_about(&self.email, unchanged))?;
        wake_waiting_logins(app);
        Ok(())
    }
}

/// Makes a link for creating one account, even while registration is closed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct InviteUser {
    pub nickname: Option<String>,
    pub days: u32,
}

/// Makes a link for setting a user's password once.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ResetPassword {
    pub email: String,
}

/// A link to be passed on.
#[derive(Debug, Serialize, Deserialize)]
pub struct Link {
    pub url: String,
    /// Unix seconds.
    pub ends: i64,
}

impl Link {
    fn to(app: &App, page: &str, given: &IssuedLink) -> Link {
        Link {
            url: format!("{}/app/{page}#{}", link_base::admin_base(app), given.token.as_str()),
            ends: given.ends,
        }
    }
}

impl Task for InviteUser {
    type Outcome = Link;

    fn perform(self, app: &App, _: &mut dyn Write) -> Result<Link, Refusal> {
        let given = links::invite(app, self.nickname.as_deref(), self.days)
            .map_err(|unchanged| unchanged_about("", unchanged))?;
        Ok(Link::to(app, "invitation", &given))
    }
}

impl Task for ResetPassword {
    type Outcome = Link;

    fn perform(self, app: &App, _: &mut dyn Write) -> Result<Link, Refusal> {
        let given = links::reset(app, &self.email).map_err(|error| not_reset(&self.email, error))?;
        Ok(Link::to(app, "passwordReset", &given))
    }
}

/// Mails a user a link for setting the password once.
///
/// # Errors
/// As for [`ResetPassword`].
pub fn mail_reset(app: &App, email: &str) -> Result<(), Refusal> {
    links::mail_reset(app, email, &link_base::admin_base(app)).map_err(|error| not_reset(email, error))
}

fn not_reset(typed: &str, error: Error) -> Refusal {
    match error {
        Error::Conflict(_) => Refusal::UserDisabled(typed.trim().to_owned()),
        error => about(typed, error),
    }
}

/// Changes a user's address, nickname, storage limit or operator's right.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RenameUser {
    pub email: String,
    pub new: UserChange,
}

impl Task for RenameUser {
    type Outcome = ();

    fn perform(self, app: &App, _: &mut dyn Write) -> Result<(), Refusal> {
        administration::rename_user(app, &self.email, &self.new).map_err(|unchanged| {
            let is_about_new = matches!(
                unchanged,
                ChangeError::Failed(Error::Conflict(_) | Error::Invalid { .. })
            );
            let new = self.new.email.as_deref();
            unchanged_about(new.filter(|_| is_about_new).unwrap_or(&self.email), unchanged)
        })
    }
}

/// Deletes a user with all data: the account, unsent mails to the user, then all records and files in bounded steps.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct DeleteUser {
    pub email: String,
    pub even_last_operator: bool,
}

/// The result of a deletion.
#[derive(Debug, Serialize, Deserialize)]
pub struct Deleted {
    /// The folder with mails to the user that couldn't be removed.
    pub mails_left_in: Option<PathBuf>,
}

impl Task for DeleteUser {
    type Outcome = Deleted;

    fn perform(self, app: &App, _: &mut dyn Write) -> Result<Deleted, Refusal> {
        let DeleteUser {
            email,
            even_last_operator,
        } = self.clone();
        let now = app.clock.unix_seconds();
        let gone = app.store.write(move |writer| {
            let viewer = guard::named_by_admin(writer, &email)?;
            let typed = || email.trim().to_owned();
            if !even_last_operator && administration::is_last_operator(writer, viewer.user())? {
                return Ok(Err(Refusal::LastOperator(typed())));
            }
            let spaces = unmanaged_without(writer, &viewer)?;
            if !spaces.is_empty() {
                let email = typed();
                return Ok(Err(Refusal::LastManager { email, spaces }));
            }
            Ok(Ok((viewer.user(), registry::begin_deletion(writer, &viewer, now)?)))
        });
        let (user, (deleted, gone)) = gone.map_err(|error| about(&self.email, error))??;
        access_log::log_end("deleted", user, None);
        wake_waiting_logins(app);
        app.blobs.remove_all(gone);
        let address = Email::parse(&self.email).map(|email| email.folded);
        let folder = app.mailer.outbox();
        let removed = outbox::remove(folder, |to| Email::parse(to).map(|email| email.folded) == address);
        if let Err(error) = &removed {
            tracing::warn!("mails to a deleted user stay in the outbox: {error}");
        }
        for owner in deleted {
            registry::finish_deletion_or_later(app, owner);
        }
        Ok(Deleted {
            mails_left_in: removed.is_err().then(|| folder.to_owned()),
        })
    }
}

/// Returns the names of the spaces that nobody else manages, though they have other members.
fn unmanaged_without(data: &Snapshot<'_>, viewer: &Viewer) -> fluglog_base::error::Result<Vec<String>> {
    let spaces = spaces::members::spaces_of_user(data, viewer)?.into_iter();
    let unmanaged = spaces.filter(|space| space.when_deleted == WhenDeleted::Unmanaged);
    Ok(unmanaged.map(|space| space.name).collect())
}

/// Writes all data of a user to `out` as a ZIP.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Export {
    pub email: String,
}

impl Task for Export {
    type Outcome = Exported;

    fn perform(self, app: &App, out: &mut dyn Write) -> Result<Exported, Refusal> {
        // Keeps files that are deleted during the export.
        let _hold = app.blobs.hold();
        let whose = |data: &Snapshot<'_>| guard::named_by_admin(data, &self.email).map(Subject::Pilot);
        let export = export::Export::of(app, Files::Included, whose).map_err(|error| about(&self.email, error))?;
        export.write(out).map_err(|unfinished| match unfinished {
            ExportError::OutputClosed => Refusal::NotTaken,
            ExportError::Failed(error) => about(&self.email, error),
        })
    }
}

/// Writes a book of a user's flights to `out`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct MakeLogbook {
    pub email: String,
    pub year: Option<u32>,
    /// The name of the item whose book it is.
    pub item: Option<String>,
    pub csv: bool,
}

impl Task for MakeLogbook {
    /// Number of flights.
    type Outcome = u64;

    fn perform(self, app: &App, out: &mut dyn Write) -> Result<u64, Refusal> {
        let viewer = app.store.read(|data| guard::named_by_admin(data, &self.email));
        let viewer = viewer.map_err(|error| about(&self.email, error))?;
        let item = match &self.item {
            Some(name) => Some(item_named(app, &viewer, name)?),
            None => None,
        };
        let order = BookOrder {
            item,
            period: self.year.map(Period::of_year).unwrap_or_default(),
        };
        let form = if self.csv { Form::Csv } else { Form::Pdf };
        let book = logbook::make(app, &viewer, order, form).map_err(Refusal::of_a_call)?;
        out.write_all(&book.content).map_err(|_| Refusal::NotTaken)?;
        Ok(book.flights)
    }
}

/// Returns the only item with this name.
fn item_named(app: &App, viewer: &Viewer, name: &str) -> Result<EquipmentId, Refusal> {
    let items = app.store.read(|data| equipment::all(data, &Access::own(viewer)))?;
    let mut named = items.values().filter(|item| item.details.name == name);
    match (named.next(), named.next()) {
        (Some(item), None) => Ok(item.id),
        (None, _) => Err(Refusal::AsInTheApp(format!("Kein Equipment heißt „{name}“."))),
        (Some(_), Some(_)) => Err(Refusal::AsInTheApp(format!(
            "Mehr als ein Equipment heißt „{name}“; benennen Sie eines davon um."
        ))),
    }
}

/// Wakes browsers that wait for a login by mail that can no longer succeed.
fn wake_waiting_logins(app: &App) {
    app.logins_settled.send_modify(|count| *count = count.wrapping_add(1));
}

fn unchanged_about(typed: &str, unchanged: ChangeError) -> Refusal {
    match unchanged {
        ChangeError::Rule(rule) => Refusal::Rule(rule),
        ChangeError::LastOperator => Refusal::LastOperator(typed.trim().to_owned()),
        ChangeError::Failed(error) => about(typed, error),
    }
}

/// Why a task about the user with the address `typed` failed.
pub fn about(typed: &str, error: Error) -> Refusal {
    let is_taken = matches!(error, Error::Conflict(_));
    let is_address = matches!(error, Error::Invalid { field, .. } if field == Some("email"));
    if !(is_taken || is_address || error == Error::NotFound) {
        return Refusal::from(error);
    }
    match Email::parse(typed) {
        None => Refusal::NotAnAddress(typed.to_owned()),
        Some(email) if is_taken => Refusal::AddressTaken(email.typed),
        Some(email) => Refusal::UserUnknown(email.typed),
    }
}

//! Daily mails about packs that need attention, for pilots who want them: at most one a day, in the evening, and only
//! when a pack became worse.

pub mod api;
pub mod model;
mod table;

use std::sync::Arc;
use std::time::Duration;

use crate::packs::attention;
use fluglog_accounts::administration;
use fluglog_accounts::guard::{self, Viewer};
use fluglog_accounts::operation::{Operation, Outcome};
use fluglog_app::App;
use fluglog_app::mail_queue;
use fluglog_app::mail_queue::model::{Lane, Priority, QueuedMail};
use fluglog_base::error::{Error, Result};
use fluglog_base::id::UserId;
use fluglog_base::time::WallTime;
use fluglog_mail::letter::{self, Mail};
use fluglog_store::findings::Findings;
use fluglog_store::operations::model::Object;
use fluglog_store::{Snapshot, Writer};
use fluglog_web::link_base;
use model::Reminder;
use table::LastSeen;

/// How often the hour is checked.
const EVERY: Duration = Duration::from_secs(5 * 60);

/// Returns whether the pilot wants the mails.
pub fn get(app: &App, viewer: &Viewer) -> Result<Reminder> {
    let last_seen = app.store.read(|data| table::get(data, viewer.user()))?;
    Ok(Reminder {
        on: last_seen.is_some(),
    })
}

/// Turns the mails on or off. The first mail after turning on lists every pack that needs attention.
pub fn save(app: &App, operation: Operation, on: bool) -> Result<Reminder> {
    let user = operation.viewer().user();
    operation.write(&app.store, move |writer| {
        match on {
            true if table::get(writer, user)?.is_some() => {}
            true => table::put(writer, user, &LastSeen::default())?,
            false => table::remove(writer, user)?,
        }
        Ok(Outcome::new(Object::NONE, Reminder { on }))
    })
}

/// Sends the mails for as long as the server runs.
pub async fn watch(app: Arc<App>) {
    let mut every = tokio::time::interval(EVERY);
    loop {
        every.tick().await;
        let app = Arc::clone(&app);
        let looked = tokio::task::spawn_blocking(move || check_all(&app)).await;
        if !matches!(looked, Ok(Ok(()))) {
            tracing::warn!("packs of which pilots want to be told could not be looked at");
        }
    }
}

fn check_all(app: &App) -> Result<()> {
    let now = app.clock.now();
    if app.store.is_read_only() || now.hour() < app.config.reminder_hour {
        return Ok(());
    }
    let today = now.date();
    // Only pilots who weren't checked today and who can log in, since each check writes, which wears the SD card.
    let due = app.store.read(|data| {
        let mut due = table::all(data)?;
        due.retain(|(user, day)| *day != Some(today) && guard::without_login(data, *user).is_ok());
        Ok(due)
    })?;
    if due.is_empty() {
        return Ok(());
    }
    for (user, _) in due {
        let seconds = app.clock.unix_seconds();
        // A damaged record of one pilot doesn't keep others from their mails.
        if let Err(error) = app
            .store
            .write(move |writer| queue_if_worse(writer, user, now, seconds))
        {
            tracing::warn!("the packs of a pilot could not be looked at: {error:?}");
        }
    }
    app.mail_queued.notify_one();
    Ok(())
}

/// Queues a mail if a pack became worse, and stores the current levels.
fn queue_if_worse(writer: &Writer<'_>, user: UserId, now: WallTime, seconds: i64) -> Result<()> {
    let (Some(last), Ok(viewer)) = (table::get(writer, user)?, guard::without_login(writer, user)) else {
        return Ok(());
    };
    let levels = model::levels(&attention::hints_of_pilot(writer, &viewer, now)?);
    if model::is_worse(&last.levels, &levels) {
        let email = administration::address(writer, &viewer)?;
        let place = Priority {
            line: Lane::Packs,
            turn: 0,
        };
        mail_queue::put(
            writer,
            &email,
            QueuedMail::Packs { user: user.key() },
            place,
            seconds,
            0,
        )?;
    }
    let last_seen = LastSeen {
        day: Some(now.date()),
        levels,
    };
    table::put(writer, user, &last_seen)
}

/// Writes the mail; `None` if no pack needs attention any more, or the user is gone or disabled.
pub fn compose(app: &App, user: UserId, to: &str) -> Result<Option<Mail>> {
    let now = app.clock.now();
    let found = app.store.read(|data| {
        let viewer = guard::without_login(data, user)?;
        let hints = attention::hints_of_pilot(data, &viewer, now)?;
        Ok((fluglog_accounts::names(data, user)?.1, hints))
    });
    let (nickname, hints) = match found {
        Err(Error::NotFound) => return Ok(None),
        found => found?,
    };
    let lines: Vec<_> = hints
        .iter()
        .map(|hint| format!("- {}: {}", hint.name, hint.text))
        .collect();
    let values = [
        ("nickname", nickname.as_str()),
        ("packs", &lines.join("\n")),
        ("server", &link_base::admin_base(app)),
    ];
    Ok((!lines.is_empty()).then(|| letter::PACKS.to(to, &values)))
}

/// Removes the reminder of a deleted user.
pub fn forget_user(writer: &Writer<'_>, viewer: &Viewer) -> Result<()> {
    table::remove(writer, viewer.user())
}

/// Checks every record of reminders.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    table::check(data, findings)
}

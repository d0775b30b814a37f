//! What waits to be done, of every topic in one list, and mails about it for pilots who want them: at most one a day,
//! in the evening, two in a week, and only when something became worse.

pub mod api;
pub mod model;
mod table;

use std::sync::Arc;
use std::time::Duration;

use crate::documents::proofs;
use crate::maintenance;
use crate::packs::attention;
use fluglog_accounts::administration;
use fluglog_accounts::guard::{self, Viewer};
use fluglog_accounts::operation::{Operation, Outcome};
use fluglog_app::App;
use fluglog_app::mail_queue;
use fluglog_app::mail_queue::model::{Lane, Priority, QueuedMail};
use fluglog_app::tasks;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::{EquipmentId, UserId};
use fluglog_base::limits::tasks::Task;
use fluglog_base::time::WallTime;
use fluglog_mail::letter::{self, Mail};
use fluglog_store::findings::Findings;
use fluglog_store::operations::model::Object;
use fluglog_store::{Snapshot, Writer};
use fluglog_web::link_base;
use model::{Decision, LineTopic, Reminder, ReminderLine, Waiting};
use table::LastSeen;

/// Reads what waits in one topic.
type Source = fn(&Snapshot<'_>, &Viewer, WallTime) -> Result<Vec<Waiting>>;

/// The topics in which something can wait.
const SOURCES: [Source; 3] = [
    |data, viewer, now| {
        let due = proofs::due(data, viewer, now.date())?;
        Ok(due.into_iter().map(Waiting::of_proof).collect())
    },
    |data, viewer, now| {
        let due = maintenance::due(data, viewer, now)?;
        Ok(due.into_iter().map(Waiting::of_job).collect())
    },
    |data, viewer, now| {
        let hints = attention::hints_of_pilot(data, viewer, now)?.into_iter();
        let waiting = |hint: attention::PackHint| Some(Waiting::of_pack(EquipmentId::parse(&hint.dpf_id)?, hint));
        Ok(hints.filter_map(waiting).collect())
    },
];

/// Returns everything that waits, gravest first.
fn waiting(data: &Snapshot<'_>, viewer: &Viewer, now: WallTime) -> Result<Vec<Waiting>> {
    let mut all = Vec::new();
    for source in SOURCES {
        all.extend(source(data, viewer, now)?);
    }
    model::sort(&mut all);
    model::settle_groups(&mut all);
    Ok(all)
}

/// Returns the lines about everything that waits, gravest first.
pub(crate) fn list(app: &App, viewer: &Viewer) -> Result<Vec<ReminderLine>> {
    let now = app.clock.now();
    let all = app.store.read(|data| waiting(data, viewer, now))?;
    Ok(all.into_iter().map(|one| one.line).collect())
}

/// Returns whether the pilot wants the mails.
pub fn get(app: &App, viewer: &Viewer) -> Result<Reminder> {
    let last_seen = app.store.read(|data| table::get(data, viewer.user()))?;
    Ok(Reminder {
        on: last_seen.is_some(),
    })
}

/// Turns the mails on or off. The first mail after turning on lists everything that waits.
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
    let mut rounds = tasks::rounds(Task::Reminders, Duration::ZERO, Duration::MAX);
    loop {
        rounds.tick().await;
        let app = Arc::clone(&app);
        let looked = tasks::blocking(Task::Reminders, move || check_all(&app)).await;
        if !matches!(looked, Ok(Ok(()))) {
            tracing::warn!("what pilots want to be told of could not be looked at");
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
        // A damaged record of one pilot doesn't keep others from their mails.
        if let Err(error) = check_one(app, user, now) {
            tracing::warn!("what waits for a pilot could not be looked at: {error:?}");
        }
    }
    app.mail_queued.notify_one();
    Ok(())
}

/// Queues a mail if something became worse, and stores what was told. What waits is read while nobody waits for the
/// writer: a pilot may have thousands of items.
fn check_one(app: &App, user: UserId, now: WallTime) -> Result<()> {
    let looked = app.store.read(|data| {
        let (Some(last), Ok(viewer)) = (table::get(data, user)?, guard::without_login(data, user)) else {
            return Ok(None);
        };
        let decision = model::decide(&last.told, &last.mails, &waiting(data, &viewer, now)?, now.date());
        Ok(Some((last, decision)))
    })?;
    let Some((last, decision)) = looked else { return Ok(()) };
    let seconds = app.clock.unix_seconds();
    app.store.write_task(Task::Reminders, move |writer| {
        let is_as_read = table::get(writer, user)?.is_some_and(|now| now == last);
        match guard::without_login(writer, user) {
            Ok(viewer) if is_as_read => note(writer, &viewer, &decision, now, seconds),
            _ => Ok(()),
        }
    })
}

fn note(writer: &Writer<'_>, viewer: &Viewer, decision: &Decision, now: WallTime, seconds: i64) -> Result<()> {
    let user = viewer.user();
    if decision.is_mailed {
        let email = administration::address(writer, viewer)?;
        let place = Priority {
            line: Lane::Reminders,
            turn: 0,
        };
        mail_queue::put(
            writer,
            &email,
            QueuedMail::Reminders { user: user.key() },
            place,
            seconds,
            0,
        )?;
    }
    let last_seen = LastSeen {
        day: Some(now.date()),
        told: decision.told.clone(),
        mails: decision.mails.clone(),
    };
    table::put(writer, user, &last_seen)
}

/// Writes the mail; `None` if nothing waits any more, or the user is gone or disabled.
pub fn compose(app: &App, user: UserId, to: &str) -> Result<Option<Mail>> {
    let now = app.clock.now();
    let found = app.store.read(|data| {
        let viewer = guard::without_login(data, user)?;
        Ok((fluglog_accounts::names(data, user)?.1, waiting(data, &viewer, now)?))
    });
    let (nickname, waiting) = match found {
        Err(Error::NotFound) => return Ok(None),
        found => found?,
    };
    let are_packs = waiting.iter().all(|one| one.line.topic == LineTopic::Battery);
    let lines = model::in_mail(&waiting);
    let values = [
        ("nickname", nickname.as_str()),
        ("lines", &lines),
        ("server", &link_base::admin_base(app)),
    ];
    let letter = if are_packs { letter::PACKS } else { letter::WAITING };
    Ok((!lines.is_empty()).then(|| letter.to(to, &values)))
}

/// Removes the reminder of a deleted user.
pub fn forget_user(writer: &Writer<'_>, viewer: &Viewer) -> Result<()> {
    table::remove(writer, viewer.user())
}

/// Checks every record of reminders.
pub fn check(data: &Snapshot<'_>, findings: &mut Findings) -> Result<()> {
    table::check(data, findings)
}

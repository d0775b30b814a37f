//! Problems of the server, reported to its operators: on their home page, in the log, and by mail at most once a day.

pub mod api;
mod sentences;

use std::mem::discriminant;
use std::sync::Arc;
use std::time::Duration;

use crate::control::status::{self, Problem};
use fluglog_accounts::guard::Viewer;
use fluglog_app::App;
use fluglog_app::mail_queue;
use fluglog_app::mail_queue::model::{Lane, ONE_MAIL_OF_PROBLEMS_IN_SECONDS, Priority, QueuedMail};
use fluglog_app::tasks;
use fluglog_base::error::Result;
use fluglog_base::id::UserId;
use fluglog_base::limits::tasks::Task;
use fluglog_mail::address::Email;
use fluglog_mail::letter::{self, Mail};
use fluglog_topics::reminders;
use fluglog_web::link_base;
pub use sentences::{BACKUP_ON_SAME_DISK, ExplainedProblem, explain};

const FIRST_BACKUP_WITHIN_SECONDS: i64 = 2 * 24 * 60 * 60;

/// The problems that the viewer can act on; empty unless the viewer is an operator.
pub(crate) fn problems_for(app: &App, viewer: &Viewer) -> Result<Vec<ExplainedProblem>> {
    if !fluglog_accounts::is_operator(app, viewer)? {
        return Ok(Vec::new());
    }
    let problems = problems_to_report(app)?;
    Ok(problems.iter().map(|problem| explained(app, problem)).collect())
}

/// Checks for problems as long as the server runs. Logs new ones; while any exist, mails the admin's address.
pub async fn watch(app: Arc<App>) {
    let mut rounds = tasks::rounds(Task::Problems, Duration::ZERO, Duration::MAX);
    let mut known = Vec::new();
    let mut is_disk_named = false;
    let mut mailed = None;
    loop {
        rounds.tick().await;
        let looked = {
            let app = Arc::clone(&app);
            tasks::blocking(Task::Problems, move || find_problems(&app)).await
        };
        let Ok(Ok((problems, has_backup_on_its_disk))) = looked else {
            tracing::warn!("problems of the server could not be looked for");
            continue;
        };
        if has_backup_on_its_disk && !is_disk_named {
            tracing::warn!("{BACKUP_ON_SAME_DISK}");
            is_disk_named = true;
        }
        // Only the kind is compared: a problem with changed figures isn't new.
        for problem in problems
            .iter()
            .filter(|problem| !known.contains(&discriminant(*problem)))
        {
            tracing::error!("{}", line(&explained(&app, problem)));
        }
        match app.store.is_read_only() {
            true => send_once_a_day(&app, &problems, &mut mailed).await,
            false if !problems.is_empty() => app.mail_queued.notify_one(),
            false => {}
        }
        known = problems.iter().map(discriminant).collect();
    }
}

/// Sends the mail directly, because a read-only database can't queue it. The time of the last mail is lost on restart.
async fn send_once_a_day(app: &App, problems: &[Problem], last: &mut Option<i64>) {
    let now = app.clock.unix_seconds();
    let is_told = last.is_some_and(|last| now - last < ONE_MAIL_OF_PROBLEMS_IN_SECONDS);
    let Some(admin) = Email::parse(&app.config.admin_mail).filter(|_| !is_told) else {
        return;
    };
    if let Some(mail) = mail_about(app, problems, &admin.typed) {
        match app.mailer.send(&mail).await {
            Ok(_) => *last = Some(now),
            Err(failure) => tracing::warn!("the mail about problems could not be sent: {failure}"),
        }
    }
}

/// Returns the problems, and whether the last backup is on the same disk as the data.
fn find_problems(app: &App) -> Result<(Vec<Problem>, bool)> {
    let problems = problems_to_report(app)?;
    let is_mailed = !problems.is_empty() && !app.store.is_read_only();
    if let Some(admin) = Email::parse(&app.config.admin_mail).filter(|_| is_mailed) {
        let place = Priority {
            line: Lane::Problems,
            turn: 0,
        };
        let now = app.clock.unix_seconds();
        let since = now - ONE_MAIL_OF_PROBLEMS_IN_SECONDS;
        let is_told = app
            .store
            .read(|data| mail_queue::was_mailed_since(data, Lane::Problems, &admin, since))?;
        if !is_told {
            app.store.write_task(Task::Problems, move |writer| {
                mail_queue::put(writer, &admin, QueuedMail::Problems, place, now, 0)
            })?;
        }
    }
    Ok((problems, status::has_backup_on_its_disk(app).unwrap_or(false)))
}

/// The problems worth an alarm. Without users there are none, and in the first days the backup timer hasn't run yet.
fn problems_to_report(app: &App) -> Result<Vec<Problem>> {
    let first_user = match fluglog_accounts::first_user_added(app) {
        Ok(None) => return Ok(Vec::new()),
        Ok(Some(added)) => added,
        // A user record is unreadable.
        Err(_) => 0,
    };
    let mut problems = status::problems(app)?;
    if app.clock.unix_seconds() < first_user + FIRST_BACKUP_WITHIN_SECONDS {
        problems.retain(|problem| !matches!(problem, Problem::NoBackup { .. }));
    }
    Ok(problems)
}

/// Writes the mail for any queued letter: those that [`watch`] queues, and those of the topics.
///
/// # Errors
/// As for [`accounts::compose`] and [`reminders::compose`].
pub fn compose(app: &App, letter: &QueuedMail, to: &str) -> Result<Option<Mail>> {
    match letter {
        QueuedMail::Problems => Ok(mail_about(app, &problems_to_report(app)?, to)),
        QueuedMail::Reminders { user } => reminders::compose(app, UserId::from_key(*user), to),
        letter => fluglog_accounts::compose(app, letter, to),
    }
}

fn mail_about(app: &App, problems: &[Problem], to: &str) -> Option<Mail> {
    let lines: Vec<_> = problems
        .iter()
        .map(|problem| format!("- {}", line(&explained(app, problem))))
        .collect();
    let server = link_base::admin_base(app);
    let mail = || letter::PROBLEMS.to(to, &[("problems", &lines.join("\n\n")), ("server", &server)]);
    (!lines.is_empty()).then(mail)
}

fn explained(app: &App, problem: &Problem) -> ExplainedProblem {
    explain(problem, &app.clock, app.config.config_file.as_deref())
}

fn line(explanation: &ExplainedProblem) -> String {
    format!("{}: {}", explanation.sentence, explanation.command)
}

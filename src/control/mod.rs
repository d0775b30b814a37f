//! The admin's operations on accounts and on the server, with a server running or without one. Knows no command line.

mod check;
mod letters;
pub mod socket;
pub mod status;
mod users;

use std::io::Write;

use serde::{Deserialize, Serialize};

use crate::accounts::administration::Change;
use crate::app::App;
use crate::archive::last_backup;
use crate::base::error::Error;

/// What a command asks for. It travels over the control socket, or is answered at once.
#[derive(Debug, Serialize, Deserialize)]
pub enum Question {
    AddUser {
        email: String,
        nickname: String,
        password: Option<String>,
    },
    ListUsers {
        json: bool,
    },
    ShowUser {
        email: String,
        json: bool,
    },
    SetPassword {
        email: String,
        password: String,
    },
    LogOutUser {
        email: String,
    },
    DisableUser {
        email: String,
    },
    EnableUser {
        email: String,
    },
    DeleteUser {
        email: String,
    },
    TestMail {
        to: String,
    },
    Outbox {
        all: bool,
    },
    ListFeedback {
        json: bool,
    },
    Status {
        json: bool,
    },
    /// Answered by the bytes of an archive, too.
    Export {
        email: String,
    },
    /// Answered by the bytes of an archive, too.
    Backup,
    /// What became of it, for whoever asks later.
    RememberBackup {
        target: String,
        bytes: u64,
        failure: String,
    },
    Check {
        repair: bool,
    },
}

/// What the command prints, and whether it did its work.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// For stdout.
    Done(String),
    /// One sentence for stderr.
    Refused(String),
    /// It did its work and found something wrong: a text for stdout and one sentence for stderr.
    Found { report: String, sentence: String },
}

/// Answers a question, in the server or in the command itself. What is more than a text goes to `out`.
#[must_use]
pub fn answer(app: &App, question: Question, out: &mut dyn Write) -> Answer {
    let result = match question {
        Question::AddUser {
            email,
            nickname,
            password,
        } => users::add(app, &email, &nickname, password.as_deref()),
        Question::ListUsers { json } => users::list(app, json),
        Question::ShowUser { email, json } => users::show(app, &email, json),
        Question::SetPassword { email, password } => users::change(app, &email, &Change::Password(password)),
        Question::LogOutUser { email } => users::change(app, &email, &Change::LogOut),
        Question::DisableUser { email } => users::change(app, &email, &Change::Disable),
        Question::EnableUser { email } => users::change(app, &email, &Change::Enable),
        Question::DeleteUser { email } => users::delete(app, &email),
        Question::TestMail { to } => return letters::test_mail(app, &to),
        Question::Outbox { all } => letters::outbox(app, all),
        Question::ListFeedback { json } => letters::list_feedback(app, json),
        Question::Status { json } => status::show(app, json),
        Question::Export { email } => return users::export(app, &email, out),
        Question::Backup => return check::back_up(app, out),
        Question::RememberBackup { target, bytes, failure } => {
            last_backup::remember(app, target, bytes, failure).map(|()| String::new())
        }
        Question::Check { repair } => return check::check(app, repair),
    };
    match result {
        Ok(text) => Answer::Done(text),
        Err(error) => refused(app, &error),
    }
}

/// The sentence of an error; its cause is for the log. Where it is the data or the disk, an admin can do more than a pilot.
fn refused(app: &App, error: &Error) -> Answer {
    let dir = app.config.data_dir.display();
    Answer::Refused(match error {
        Error::Internal(cause) | Error::Busy(cause) => {
            tracing::error!("{cause}");
            format!(
                "Die Daten in {dir} sind nicht lesbar oder nicht schreibbar; „fluglog check“ zeigt, was beschädigt ist."
            )
        }
        Error::Full(cause) => {
            tracing::error!("{cause}");
            format!("In {dir} kann nicht geschrieben werden: der Speicher ist voll. Schaffen Sie Platz.")
        }
        error => error.sentence().to_owned(),
    })
}

//! What the shell can ask: users, demo data; with a server running or without one. Knows no command line.

pub mod demo;
mod letters;
pub mod socket;
pub mod status;

use serde::{Deserialize, Serialize};

use crate::accounts::{self, Change};
use crate::app::App;
use crate::error::Error;

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
}

/// What the command prints, and whether it did its work.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// For stdout.
    Done(String),
    /// One sentence for stderr.
    Refused(String),
}

/// Answers a question, in the server or in the command itself.
#[must_use]
pub fn answer(app: &App, question: Question) -> Answer {
    let result = match question {
        Question::AddUser {
            email,
            nickname,
            password,
        } => add_user(app, &email, &nickname, password.as_deref()),
        Question::ListUsers { json } => list_users(app, json),
        Question::SetPassword { email, password } => change_user(app, &email, &Change::Password(password)),
        Question::LogOutUser { email } => change_user(app, &email, &Change::LogOut),
        Question::DisableUser { email } => change_user(app, &email, &Change::Disable),
        Question::EnableUser { email } => change_user(app, &email, &Change::Enable),
        Question::TestMail { to } => return letters::test_mail(app, &to),
        Question::Outbox { all } => letters::outbox(app, all),
        Question::ListFeedback { json } => letters::list_feedback(app, json),
        Question::Status { json } => status::show(app, json),
    };
    match result {
        Ok(text) => Answer::Done(text),
        Err(error) => {
            if let Error::Internal(cause) | Error::Busy(cause) = &error {
                crate::log::error(cause);
            }
            Answer::Refused(error.sentence().to_owned())
        }
    }
}

fn add_user(app: &App, email: &str, nickname: &str, password: Option<&str>) -> Result<String, Error> {
    accounts::add_user(app, email, nickname, password)?;
    Ok(match password {
        Some(_) => format!("{} ist angelegt.\n", email.trim()),
        None => format!("{} ist angelegt und hat noch kein Passwort.\n", email.trim()),
    })
}

fn change_user(app: &App, email: &str, change: &Change) -> Result<String, Error> {
    accounts::change_user(app, email, change)?;
    // Whoever waits for a login by mail waits in vain.
    app.logins_settled.send_modify(|count| *count = count.wrapping_add(1));
    let done = match change {
        Change::Password(_) => "hat ein neues Passwort und ist überall abgemeldet",
        Change::LogOut => "ist überall abgemeldet",
        Change::Disable => "ist gesperrt und überall abgemeldet",
        Change::Enable => "ist nicht mehr gesperrt",
    };
    Ok(format!("{} {done}.\n", email.trim()))
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct UserLine {
    email: String,
    nickname: String,
    disabled: bool,
    created: String,
    last_login: String,
}

fn list_users(app: &App, json: bool) -> Result<String, Error> {
    let at = |seconds| app.clock.wall_time_at(seconds).to_string();
    let lines: Vec<_> = accounts::list_users(app)?
        .into_iter()
        .map(|user| UserLine {
            email: user.email,
            nickname: user.nickname,
            disabled: user.disabled,
            created: at(user.created),
            last_login: user.last_login.map(at).unwrap_or_default(),
        })
        .collect();
    if json {
        let json = serde_json::to_string_pretty(&lines).map_err(|error| Error::Internal(error.to_string()))?;
        return Ok(json + "\n");
    }
    if lines.is_empty() {
        return Ok("Es gibt noch keine Benutzer. `fluglog user add` legt den ersten an.\n".to_owned());
    }
    let longest = |text: fn(&UserLine) -> &str| lines.iter().map(|line| text(line).chars().count()).max().unwrap_or(0);
    let (email, nickname) = (longest(|line| &line.email), longest(|line| &line.nickname));
    Ok(lines
        .iter()
        .map(|line| {
            let state = match (line.disabled, line.last_login.as_str()) {
                (true, _) => "gesperrt".to_owned(),
                (false, "") => "noch nie angemeldet".to_owned(),
                (false, time) => format!("zuletzt angemeldet {time}"),
            };
            format!(
                "{:email$}  {:nickname$}  angelegt {}  {state}\n",
                line.email, line.nickname, line.created
            )
        })
        .collect())
}

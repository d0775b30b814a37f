//! The admin's tasks on accounts and on the server, each a type of its own with the outcome that it has. They are the
//! same with a server running, which answers over the socket, and without one. Knows no command line: times are unix seconds, sizes are
//! bytes, and what a command prints is its own. The only German here is what others wrote down: a damage that a topic describes, a
//! failure that a mail server or a backup left, the sentence of a rule that pilots read, too.

pub mod data;
pub mod mails;
pub mod socket;
pub mod status;
pub mod users;

use std::io::Write;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::base::error::Error;

/// Something that an admin can ask for.
pub trait Task: Clone + Serialize + DeserializeOwned + Into<AnyTask> {
    type Outcome: Serialize + DeserializeOwned;
    /// Whether it can be asked of a data directory that has lost some of its parts: it tells which.
    const TAKES_ANY_DIRECTORY: bool = false;

    /// Does it, in the server or in the command itself. What is more than a value goes to `out`.
    ///
    /// # Errors
    /// See [`Refusal`].
    fn perform(self, app: &App, out: &mut dyn Write) -> Result<Self::Outcome, Refusal>;
}

/// Lists all tasks: each can be asked over the socket.
macro_rules! tasks {
    ($($room:ident::$name:ident),* $(,)?) => {
        /// A task on its way over the control socket.
        #[derive(Serialize, Deserialize)]
        pub enum AnyTask {
            $($name($room::$name),)*
        }

        $(impl From<$room::$name> for AnyTask {
            fn from(task: $room::$name) -> AnyTask {
                AnyTask::$name(task)
            }
        })*

        impl AnyTask {
            /// The line that answers it.
            fn answer(self, app: &App, out: &mut dyn Write) -> serde_json::Result<Vec<u8>> {
                match self {
                    $(AnyTask::$name(task) => serde_json::to_vec(&answer(app, task, out)),)*
                }
            }
        }
    };
}

tasks! {
    users::AddUser,
    users::ListUsers,
    users::ShowUser,
    users::ChangeUser,
    users::DeleteUser,
    users::Export,
    mails::TestMail,
    mails::Outbox,
    mails::ListFeedback,
    status::ShowStatus,
    data::Backup,
    data::RememberBackup,
    data::Check,
}

/// What a task came to, and the zone that its times are to be read in.
#[derive(Serialize, Deserialize)]
pub struct Answer<T> {
    pub time_zone: String,
    pub outcome: Result<T, Refusal>,
}

/// Performs a task.
#[must_use]
pub fn answer<T: Task>(app: &App, task: T, out: &mut dyn Write) -> Answer<T::Outcome> {
    Answer {
        time_zone: app.config.time_zone.name().to_owned(),
        outcome: task.perform(app, out),
    }
}

/// Why a task isn't done.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refusal {
    /// This is no e-mail address.
    NotAnAddress(String),
    /// This address has no user.
    UserUnknown(String),
    /// This address has a user.
    AddressTaken(String),
    /// A value breaks a rule of the accounts; the sentence that states the rule.
    Rule(String),
    /// Whoever asked takes no more of what goes to `out`.
    NotTaken,
    /// The disk has no room for more. The log has the cause of this and the next.
    StorageFull,
    /// The data can't be read or written.
    DataUnusable,
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        match error {
            Error::Internal(cause) | Error::Busy(cause) => {
                tracing::error!("{cause}");
                Refusal::DataUnusable
            }
            Error::Full(cause) => {
                tracing::error!("{cause}");
                Refusal::StorageFull
            }
            other => Refusal::Rule(other.sentence().to_owned()),
        }
    }
}

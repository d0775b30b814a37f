//! The kinds of tasks, and the reasons why one isn't done.

use std::io::Write;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use fluglog_accounts::model::Rule;
use fluglog_app::App;
use fluglog_base::error::Error;

/// Something that an admin can ask for.
pub trait Task: Clone + Serialize + DeserializeOwned {
    type Outcome: Serialize + DeserializeOwned;
    /// Whether it can be asked of a data directory that has lost some of its parts: it tells which.
    const TAKES_ANY_DIRECTORY: bool = false;

    /// Does it, in the server or in the command itself. Output that isn't part of the outcome goes to `out`.
    ///
    /// # Errors
    /// See [`Refusal`].
    fn perform(self, app: &App, out: &mut dyn Write) -> Result<Self::Outcome, Refusal>;
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
    /// This user is disabled.
    UserDisabled(String),
    /// Nobody but this user runs the server.
    LastOperator(String),
    /// A value breaks this rule of the accounts.
    Rule(Rule),
    /// The settings can't be read; one sentence.
    Configuration(String),
    /// The sentence that a pilot would read in the app.
    AsInTheApp(String),
    /// The caller takes no more of what goes to `out`.
    NotTaken,
    /// The data are damaged so that nothing more is stored.
    ReadOnly,
    /// The disk has no room for more. The log has the cause of this and the next.
    StorageFull,
    /// The data can't be read or written.
    DataUnusable,
}

impl Refusal {
    /// That of something which pilots do by a call as well.
    #[must_use]
    pub fn of_a_call(error: Error) -> Refusal {
        match error {
            Error::Internal(_) | Error::Busy(_) | Error::ReadOnly | Error::DiskFull(_) => Refusal::from(error),
            other => Refusal::AsInTheApp(other.sentence().to_owned()),
        }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        match error {
            Error::Internal(cause) | Error::Busy(cause) => {
                tracing::error!("{cause}");
                Refusal::DataUnusable
            }
            Error::ReadOnly => Refusal::ReadOnly,
            Error::DiskFull(cause) => {
                tracing::error!("{cause}");
                Refusal::StorageFull
            }
            other => {
                tracing::error!("a task was refused: {other:?}");
                Refusal::DataUnusable
            }
        }
    }
}

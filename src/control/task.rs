//! The interface of tasks, and the reasons for refusing one.

use std::io::Write;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use fluglog_accounts::model::Rule;
use fluglog_app::App;
use fluglog_base::error::Error;

/// A task that an admin can request.
pub trait Task: Clone + Serialize + DeserializeOwned {
    type Outcome: Serialize + DeserializeOwned;
    /// Whether the task also works on a data directory with missing parts, because it reports them.
    const TAKES_ANY_DIRECTORY: bool = false;

    /// Performs the task, in the server or in the command's own process. Streamed output goes to `out`.
    ///
    /// # Errors
    /// See [`Refusal`].
    fn perform(self, app: &App, out: &mut dyn Write) -> Result<Self::Outcome, Refusal>;
}

/// Why a task wasn't performed.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refusal {
    /// The text isn't an e-mail address.
    NotAnAddress(String),
    /// No user has this address.
    UserUnknown(String),
    /// Another user has this address.
    AddressTaken(String),
    /// The user with this address is disabled.
    UserDisabled(String),
    /// The user with this address is the only operator.
    LastOperator(String),
    /// Nobody else manages these spaces of the user with this address, which have other members.
    LastManager { email: String, spaces: Vec<String> },
    /// No space has this name or id.
    SpaceUnknown(String),
    /// Several spaces have this name.
    SpaceAmbiguous(String),
    /// The user with this address is no member of the space.
    NotAMember { email: String, space: String },
    /// A value violates this rule for accounts.
    Rule(Rule),
    /// The settings can't be read; the text is one sentence.
    Configuration(String),
    /// The sentence that the app would show to a pilot.
    AsInTheApp(String),
    /// The caller no longer accepts the streamed output.
    NotTaken,
    /// The database is so damaged that nothing can be stored.
    ReadOnly,
    /// The disk is full. For this and the next the log has the cause.
    StorageFull,
    /// The data can't be read or written.
    DataUnusable,
}

impl Refusal {
    /// Converts the error of an operation that calls of the API perform, too.
    #[must_use]
    pub(crate) fn of_a_call(error: Error) -> Refusal {
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

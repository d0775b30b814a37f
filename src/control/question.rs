//! All tasks as messages for the control socket, and the answers.

use std::io::Write;

use serde::{Deserialize, Serialize};

use super::task::{Refusal, Task};
use super::{data, imports, mails, spaces, status, transfers, users};
use fluglog_app::App;

/// Lists all tasks that can be sent over the socket.
macro_rules! tasks {
    ($($room:ident::$name:ident),* $(,)?) => {
        /// A task as sent over the control socket.
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
            /// Performs the task and returns the line that answers it.
            ///
            /// # Errors
            /// The outcome can't be written as JSON.
            pub fn answer(self, app: &App, out: &mut dyn Write) -> serde_json::Result<Vec<u8>> {
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
    users::RenameUser,
    users::InviteUser,
    users::ResetPassword,
    users::DeleteUser,
    users::Export,
    users::MakeLogbook,
    imports::ImportFiles,
    transfers::MoveItem,
    mails::TestMail,
    mails::Outbox,
    mails::ListFeedback,
    status::ShowStatus,
    data::Backup,
    data::RememberBackup,
    data::RememberCheck,
    data::RememberTarget,
    data::Check,
    spaces::ListSpaces,
    spaces::ShowSpace,
    spaces::MakeManager,
    spaces::DeleteSpace,
    spaces::ExportSpace,
}

/// The outcome of a task, and the time zone for displaying its times.
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

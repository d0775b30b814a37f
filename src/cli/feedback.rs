//! `fluglog feedback …`

use clap::Subcommand;

use super::{Failure, data_dir};
use crate::base::config::Config;
use crate::control::Question;

/// What can be done with feedback.
#[derive(Subcommand)]
pub enum Command {
    /// Zeigt, was Piloten über den Feedback-Dialog gesendet haben
    List {
        /// Als JSON
        #[arg(long)]
        json: bool,
    },
}

/// Asks the server, or the database when no server runs.
pub fn run(config: Config, command: Command) -> Result<(), Failure> {
    let Command::List { json } = command;
    data_dir::ask(config, Question::ListFeedback { json })
}

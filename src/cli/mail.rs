//! `fluglog mail …`

use clap::Subcommand;

use super::{Failure, data_dir};
use crate::base::config::Config;
use crate::control::Question;

/// What can be done with mails.
#[derive(Subcommand)]
pub enum Command {
    /// Sendet eine Testmail und zeigt die Antwort des Mailservers
    Test {
        /// E-Mail-Adresse, an die sie geht
        #[arg(value_name = "ADDRESS")]
        address: String,
    },
    /// Zeigt Mails, die auf dem Server liegen oder auf den Mailserver warten
    Outbox {
        /// Alle, nicht nur die neuesten
        #[arg(long)]
        all: bool,
    },
}

/// Asks the server, or the database when no server runs.
pub fn run(config: Config, command: Command) -> Result<(), Failure> {
    let question = match command {
        Command::Test { address } => Question::TestMail { to: address },
        Command::Outbox { all } => Question::Outbox { all },
    };
    data_dir::ask(config, question)
}

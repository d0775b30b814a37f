//! `fluglog user …`

use std::io::BufRead;

use clap::Subcommand;

use super::{Failure, data_dir, usage};
use crate::admin::Question;
use crate::config::Config;

/// What can be done with users.
#[derive(Subcommand)]
pub enum Command {
    /// Legt einen Benutzer an
    #[command(help_template = usage::HELP, next_help_heading = "Optionen")]
    Add {
        /// E-Mail-Adresse
        #[arg(long, value_name = "E")]
        email: String,
        /// Name, unter dem der Benutzer erscheint
        #[arg(long, value_name = "N")]
        nickname: String,
        /// Liest das Passwort aus einer Zeile der Standardeingabe
        #[arg(long)]
        password_stdin: bool,
    },
    /// Zeigt alle Benutzer
    #[command(help_template = usage::HELP, next_help_heading = "Optionen")]
    List {
        /// Als JSON
        #[arg(long)]
        json: bool,
    },
}

/// Asks the server, or the database when no server runs.
pub fn run(config: Config, command: Command) -> Result<(), Failure> {
    let question = match command {
        Command::Add {
            email,
            nickname,
            password_stdin,
        } => Question::AddUser {
            email,
            nickname,
            password: password_stdin.then(read_password).transpose()?,
        },
        Command::List { json } => Question::ListUsers { json },
    };
    data_dir::ask(config, question)
}

/// One line, without its end. Blanks belong to a password.
fn read_password() -> Result<String, Failure> {
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).map_err(|_| {
        Failure::new(
            Failure::REFUSED,
            "Das Passwort konnte nicht gelesen werden; geben Sie es als eine Zeile Text in die Standardeingabe.",
        )
    })?;
    let password = line.strip_suffix('\n').unwrap_or(&line);
    Ok(password.strip_suffix('\r').unwrap_or(password).to_owned())
}

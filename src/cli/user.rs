//! `fluglog user …`

use std::io::BufRead;

use clap::{Args, Subcommand};

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
    /// Gibt einem Benutzer ein neues Passwort und meldet ihn überall ab
    #[command(help_template = usage::HELP)]
    SetPassword {
        #[command(flatten)]
        user: User,
        /// Liest das Passwort aus einer Zeile der Standardeingabe
        #[arg(long, required = true)]
        password_stdin: bool,
    },
    /// Meldet einen Benutzer auf allen Geräten ab
    #[command(help_template = usage::HELP)]
    Logout {
        #[command(flatten)]
        user: User,
    },
    /// Sperrt einen Benutzer und meldet ihn überall ab
    #[command(help_template = usage::HELP)]
    Disable {
        #[command(flatten)]
        user: User,
    },
    /// Hebt die Sperre eines Benutzers auf
    #[command(help_template = usage::HELP)]
    Enable {
        #[command(flatten)]
        user: User,
    },
    /// Zeigt alle Benutzer
    #[command(help_template = usage::HELP, next_help_heading = "Optionen")]
    List {
        /// Als JSON
        #[arg(long)]
        json: bool,
    },
}

/// Which user is meant.
#[derive(Args)]
pub struct User {
    /// E-Mail-Adresse des Benutzers
    #[arg(value_name = "E-MAIL", required_unless_present = "named")]
    email: Option<String>,
    /// Dasselbe als Option
    #[arg(long = "email", value_name = "E", conflicts_with = "email")]
    named: Option<String>,
}

impl User {
    /// clap demands one of the two.
    fn email(self) -> String {
        self.email.or(self.named).unwrap_or_default()
    }
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
        Command::SetPassword { user, .. } => Question::SetPassword {
            email: user.email(),
            password: read_password()?,
        },
        Command::Logout { user } => Question::LogOutUser { email: user.email() },
        Command::Disable { user } => Question::DisableUser { email: user.email() },
        Command::Enable { user } => Question::EnableUser { email: user.email() },
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

//! `fluglog user …`

use clap::{Args, Subcommand};

use super::{Failure, data_dir, prompt};
use crate::base::config::Config;
use crate::control::Question;

/// What can be done with users.
#[derive(Subcommand)]
pub enum Command {
    /// Legt einen Benutzer an
    Add {
        /// E-Mail-Adresse
        #[arg(long, value_name = "E")]
        email: String,
        /// Name, unter dem der Benutzer erscheint
        #[arg(long, value_name = "N")]
        nickname: String,
        /// Liest das Passwort aus einer Zeile der Standardeingabe; an einem Terminal wird es zweimal verdeckt abgefragt
        #[arg(long)]
        password_stdin: bool,
    },
    /// Gibt einem Benutzer ein neues Passwort und meldet ihn überall ab
    SetPassword {
        #[command(flatten)]
        user: User,
        /// Liest das Passwort aus einer Zeile der Standardeingabe; an einem Terminal wird es zweimal verdeckt abgefragt
        #[arg(long, required = true)]
        password_stdin: bool,
    },
    /// Meldet einen Benutzer auf allen Geräten ab
    Logout {
        #[command(flatten)]
        user: User,
    },
    /// Sperrt einen Benutzer und meldet ihn überall ab
    Disable {
        #[command(flatten)]
        user: User,
    },
    /// Hebt die Sperre eines Benutzers auf
    Enable {
        #[command(flatten)]
        user: User,
    },
    /// Löscht einen Benutzer mit allem, was er gespeichert hat
    Delete {
        #[command(flatten)]
        user: User,
        /// Fragt nicht nach
        #[arg(long)]
        yes: bool,
    },
    /// Zeigt einen Benutzer und was er gespeichert hat
    Show {
        #[command(flatten)]
        user: User,
        /// Als JSON
        #[arg(long)]
        json: bool,
    },
    /// Zeigt alle Benutzer
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
            password: password_stdin.then(prompt::new_password).transpose()?,
        },
        Command::SetPassword { user, .. } => Question::SetPassword {
            email: user.email(),
            password: prompt::new_password()?,
        },
        Command::Logout { user } => Question::LogOutUser { email: user.email() },
        Command::Disable { user } => Question::DisableUser { email: user.email() },
        Command::Enable { user } => Question::EnableUser { email: user.email() },
        Command::Delete { user, yes } => {
            let email = user.email();
            if !yes {
                ask_whether_to_delete(&email)?;
            }
            Question::DeleteUser { email }
        }
        Command::Show { user, json } => Question::ShowUser {
            email: user.email(),
            json,
        },
        Command::List { json } => Question::ListUsers { json },
    };
    data_dir::ask(config, question)
}

/// Nothing is deleted by a slip of the finger, nor by a script that doesn't say so.
fn ask_whether_to_delete(email: &str) -> Result<(), Failure> {
    let refused = |sentence: &str| Failure::new(Failure::REFUSED, format!("{sentence} Es wurde nichts gelöscht."));
    if !prompt::somebody_is_there() {
        return Err(refused(
            "„user delete“ löscht alle Daten eines Benutzers und verlangt --yes.",
        ));
    }
    let question = format!(
        "{} und alle Flüge, Geräte, Bilder und Dokumente endgültig löschen? Bitte „ja“ eingeben: ",
        email.trim()
    );
    if prompt::agrees(&question) {
        Ok(())
    } else {
        Err(refused("Nicht bestätigt."))
    }
}

//! `fluglog equipment …`

use clap::{ArgGroup, Subcommand};
use serde::Serialize;

use super::failure::Failure;
use super::{data_dir, output};
use crate::control::transfers::MoveItem;
use fluglog_config::Config;

/// Commands about equipment.
#[derive(Subcommand)]
pub enum Command {
    /// Verschiebt Equipment mit allem, was dazu aufgezeichnet ist, zu einem Haushalt, Verein oder Benutzer
    #[command(group(ArgGroup::new("target").required(true).args(["space", "user"])))]
    Move {
        /// Kennung des Equipments, wie sie in der Adresse seiner Seite steht
        #[arg(value_name = "ID")]
        item: String,
        /// Haushalt oder Verein, mit Namen oder Kennung
        #[arg(long, value_name = "BEREICH")]
        space: Option<String>,
        /// E-Mail-Adresse des Benutzers
        #[arg(long, value_name = "E")]
        user: Option<String>,
        /// Als JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Serialize)]
struct Printed {
    name: String,
    to: String,
}

/// Performs a command about equipment, in the running server or directly.
pub fn run(config: &Config, command: Command) -> Result<(), Failure> {
    let Command::Move {
        item,
        space,
        user,
        json,
    } = command;
    let moved = data_dir::ask(config, MoveItem { item, space, user })?.value;
    match json {
        true => output::say_json(&Printed {
            name: moved.name,
            to: moved.to,
        }),
        false => {
            let name = output::without_control_characters(&moved.name);
            output::say(&format!("{name} gehört jetzt zu {}.\n", moved.to))
        }
    }
}

//! `fluglog status`: also a health check, so that it ends with 0 only when a server answers.

use std::io;

use super::{Failure, data_dir};
use crate::base::config::Config;
use crate::control::Question;

/// Asks the server; what the database tells without one is shown, too.
pub fn run(config: Config, json: bool) -> Result<(), Failure> {
    let directory = config.data_dir.clone();
    let answered = data_dir::ask_either(&config, Question::Status { json }, &mut io::sink())?;
    let by_a_server = answered.by_a_server;
    answered.print()?;
    if by_a_server {
        return Ok(());
    }
    Err(Failure::new(
        Failure::REFUSED,
        format!(
            "Für {} läuft kein Server; „sudo systemctl start fluglog“ oder „fluglog serve“ startet ihn.",
            directory.display()
        ),
    ))
}

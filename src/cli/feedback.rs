//! `fluglog feedback …`

use std::fmt::Write as _;

use clap::Subcommand;
use serde::Serialize;

use super::failure::Failure;
use super::{data_dir, output};
use crate::control::mails::ListFeedback;
use fluglog_config::Config;

/// Commands about feedback.
#[derive(Subcommand)]
pub enum Command {
    /// Zeigt, was Piloten über den Feedback-Dialog gesendet haben
    List {
        /// Als JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Printed {
    time: String,
    email: String,
    nickname: String,
    rate: u8,
    version: String,
    message: String,
}

/// Performs a command about feedback, in the running server or directly.
pub fn run(config: &Config, command: Command) -> Result<(), Failure> {
    let Command::List { json } = command;
    let answered = data_dir::ask(config, ListFeedback)?;
    let all: Vec<_> = answered
        .value
        .into_iter()
        .map(|listed| Printed {
            time: answered.clock.wall_time_at(listed.sent).to_string(),
            email: listed.email,
            nickname: listed.nickname,
            rate: listed.feedback.rate,
            version: listed.feedback.version,
            message: listed.feedback.message,
        })
        .collect();
    if json {
        return output::say_json(&all);
    }
    if all.is_empty() {
        return output::say("Es gibt noch kein Feedback.\n");
    }
    let mut shown = String::new();
    // Writing into a string can't fail.
    for one in &all {
        let _ = writeln!(
            shown,
            "{}  {} von 10  {} <{}>  Version {}",
            one.time, one.rate, one.nickname, one.email, one.version
        );
        for line in one.message.lines() {
            let _ = writeln!(shown, "    {}", output::without_control_characters(line));
        }
    }
    output::say(&shown)
}

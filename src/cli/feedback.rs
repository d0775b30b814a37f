//! `fluglog feedback …`

use std::fmt::Write as _;

use clap::Subcommand;
use serde::Serialize;

use super::failure::Failure;
use super::{data_dir, output, refusal};
use crate::control::mails::ListFeedback;
use fluglog_config::Config;
use fluglog_topics::feedback::FeedbackEntry;

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
    let mut lines = Vec::new();
    let answered = data_dir::ask_for(config, ListFeedback, &mut lines)?;
    answered.value.map_err(|refusal| refusal::failure(config, refusal))?;
    let printed = |line: &[u8]| {
        let listed: FeedbackEntry = serde_json::from_slice(line).ok()?;
        Some(Printed {
            time: answered.clock.wall_time_at(listed.sent).to_string(),
            email: listed.email,
            nickname: listed.nickname,
            rate: listed.feedback.rate,
            version: listed.feedback.version,
            message: listed.feedback.message,
        })
    };
    let all: Vec<_> = lines.split(|byte| *byte == b'\n').filter_map(printed).collect();
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

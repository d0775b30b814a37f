//! `fluglog mail …`

use std::fmt::Write as _;

use clap::Subcommand;
use serde::Serialize;

use super::failure::Failure;
use super::{data_dir, output};
use crate::control::mails::{Outbox, TestMail, Tested, TestedNow};
use fluglog_config::Config;

/// Number of kept mails that are shown without `--all`.
const SHOWN: usize = 20;

/// Commands about mails.
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
        /// Als JSON
        #[arg(long)]
        json: bool,
    },
}

/// The mails, as JSON.
#[derive(Serialize)]
struct Printed {
    outbox: Vec<PrintedKept>,
    waiting: Vec<PrintedWaiting>,
}

#[derive(Serialize)]
struct PrintedKept {
    file: String,
    to: String,
    subject: String,
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PrintedWaiting {
    since: String,
    to: String,
    attempts: u32,
    /// Why the last attempt failed; empty before the first.
    failure: String,
}

/// Performs a command about mails, in the running server or directly.
pub fn run(config: &Config, command: Command) -> Result<(), Failure> {
    match command {
        Command::Test { address } => test(config, address),
        Command::Outbox { all, json } => outbox(config, all, json),
    }
}

fn test(config: &Config, to: String) -> Result<(), Failure> {
    let TestedNow { tested, needs_restart } = data_dir::ask(config, TestMail { to: to.clone() })?.value;
    let to = to.trim();
    let told = match tested {
        Tested::Taken { server, answer } => output::say(&format!(
            "Die Testmail an {to} ist gesendet. {server} antwortet: {answer}\n"
        )),
        Tested::Kept { path } => Err(Failure::new(
            Failure::REFUSED,
            format!(
                "Die Testmail an {to} wurde nicht gesendet: Es ist kein Mailserver eingestellt (smtp.host). Sie liegt \
                 in {}",
                path.display()
            ),
        )),
        Tested::NotSent(why) => Err(Failure::new(
            Failure::REFUSED,
            format!("Die Testmail an {to} wurde nicht gesendet: {why}. Prüfen Sie die Einstellungen unter [smtp]."),
        )),
    };
    if needs_restart {
        output::say(
            "Der laufende Server sendet noch mit den früheren Einstellungen; „sudo systemctl restart fluglog“ startet \
             ihn neu.\n",
        )?;
    }
    told
}

fn outbox(config: &Config, all: bool, json: bool) -> Result<(), Failure> {
    let most = if all { usize::MAX } else { SHOWN };
    let answered = data_dir::ask(config, Outbox { most })?;
    let mails = answered.value;
    let waiting: Vec<_> = mails
        .waiting
        .into_iter()
        .map(|mail| PrintedWaiting {
            since: answered.clock.wall_time_at(mail.since).to_string(),
            to: mail.to,
            attempts: mail.attempts,
            failure: mail.why,
        })
        .collect();
    if json {
        let outbox = mails.kept.into_iter().map(|mail| PrintedKept {
            file: mail.name,
            to: mail.to,
            subject: mail.subject,
            text: mail.text,
        });
        return output::say_json(&Printed {
            outbox: outbox.collect(),
            waiting,
        });
    }
    if mails.kept.is_empty() && waiting.is_empty() {
        return output::say("Der Postausgang ist leer.\n");
    }
    let mut shown = String::new();
    // Writing into a string can't fail.
    for mail in &mails.kept {
        let _ = writeln!(shown, "{}  an {}: {}\n", mail.name, mail.to, mail.subject);
        for line in mail.text.trim().lines() {
            let _ = writeln!(shown, "    {}", output::without_control_characters(line));
        }
        shown.push('\n');
    }
    for mail in &waiting {
        let _ = write!(shown, "wartet seit {}  an {}", mail.since, mail.to);
        let _ = match mail.attempts {
            0 => writeln!(shown),
            1 => writeln!(shown, ", 1 Versuch: {}", mail.failure),
            attempts => writeln!(shown, ", {attempts} Versuche: {}", mail.failure),
        };
    }
    output::say(&shown)
}

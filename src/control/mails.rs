//! Tasks about mails, and the feedback of pilots.

use std::io::Write;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::task::{Refusal, Task};
use fluglog_app::App;
use fluglog_app::mail_queue::{self, Waiting};
use fluglog_base::error::Error;
use fluglog_mail::Mailer;
use fluglog_mail::address::Email;
use fluglog_mail::letter;
use fluglog_mail::outbox::{self, OutboxMail};
use fluglog_mail::outcome::{Delivery, Failure};
use fluglog_topics::feedback;
use fluglog_web::listing::LazyList;

/// Sends a mail immediately, with the settings that the file has now.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TestMail {
    pub to: String,
}

/// The outcome of a test mail.
#[derive(Debug, Serialize, Deserialize)]
pub enum Tested {
    /// Accepted by the mail server `server` (`host:port`) with its `answer`.
    Taken {
        server: String,
        answer: String,
    },
    /// No mail server is set; the mail was written to this file.
    Kept {
        path: PathBuf,
    },
    NotSent(Failure),
}

/// The outcome of a test mail with the settings that the file has now.
#[derive(Debug, Serialize, Deserialize)]
pub struct TestedNow {
    pub tested: Tested,
    /// Whether the running server still uses other settings.
    pub needs_restart: bool,
}

impl Task for TestMail {
    type Outcome = TestedNow;

    fn perform(self, app: &App, _: &mut dyn Write) -> Result<TestedNow, Refusal> {
        let to = Email::parse(&self.to).ok_or(Refusal::NotAnAddress(self.to))?;
        let time = app.clock.now().to_string();
        let mail = letter::TEST.to(&to.typed, &[("time", &time)]);
        let now = app.config.reload();
        let now = now.map_err(|error| Refusal::Configuration(error.to_string()))?;
        let tested = match Mailer::new(&now).send_blocking(&mail) {
            Ok(Delivery::Accepted(answer)) => Tested::Taken {
                server: format!("{}:{}", now.smtp.host, now.smtp.effective_port()),
                answer,
            },
            Ok(Delivery::Stored(path)) => Tested::Kept { path },
            Err(failure) => Tested::NotSent(failure),
        };
        Ok(TestedNow {
            tested,
            needs_restart: now.smtp != app.config.smtp,
        })
    }
}

/// Lists mails that wait to be sent, and the newest in the outbox.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Outbox {
    /// Number of mails from the outbox.
    pub most: usize,
}

/// Mails that haven't been sent.
#[derive(Debug, Serialize, Deserialize)]
pub struct Mails {
    pub kept: Vec<OutboxMail>,
    pub waiting: Vec<Waiting>,
}

impl Task for Outbox {
    type Outcome = Mails;

    fn perform(self, app: &App, _: &mut dyn Write) -> Result<Mails, Refusal> {
        let kept = outbox::newest(app.mailer.outbox(), self.most)
            .map_err(|error| Error::Internal(format!("the outbox can't be read: {error}")))?;
        Ok(Mails {
            kept,
            waiting: mail_queue::unsent(app)?,
        })
    }
}

/// Writes all feedback out, oldest first: each as [`feedback::FeedbackEntry`] in a line of JSON.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ListFeedback;

impl Task for ListFeedback {
    type Outcome = ();

    fn perform(self, app: &App, out: &mut dyn Write) -> Result<(), Refusal> {
        /// Feedback in memory at a time.
        const PIECE: usize = 20;
        let mut listed = LazyList::of(&app.store, feedback::keys(app)?);
        loop {
            let piece = listed.next(PIECE, feedback::load)?;
            if piece.is_empty() {
                return Ok(());
            }
            let mut lines = Vec::new();
            for one in piece {
                serde_json::to_writer(&mut lines, &one).map_err(|error| Error::Internal(error.to_string()))?;
                lines.push(b'\n');
            }
            out.write_all(&lines).map_err(|_| Refusal::NotTaken)?;
        }
    }
}

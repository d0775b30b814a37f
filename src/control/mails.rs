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
use fluglog_mail::outbox::{self, Kept};
use fluglog_mail::outcome::{Delivery, Failure};
use fluglog_topics::feedback::{self, FeedbackEntry};

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
    pub kept: Vec<Kept>,
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

/// Lists all feedback, oldest first.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ListFeedback;

impl Task for ListFeedback {
    type Outcome = Vec<FeedbackEntry>;

    fn perform(self, app: &App, _: &mut dyn Write) -> Result<Vec<FeedbackEntry>, Refusal> {
        Ok(feedback::list(app)?)
    }
}

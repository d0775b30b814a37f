//! Operations on mails, and the feedback of pilots.

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

/// Sends a mail at once, by the settings as they are in the file now.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TestMail {
    pub to: String,
}

/// The outcome of a test mail.
#[derive(Debug, Serialize, Deserialize)]
pub enum Tested {
    /// The mail server, as `host:port`, and what it said.
    Taken {
        server: String,
        answer: String,
    },
    /// Without a mail server: the file.
    Kept {
        path: PathBuf,
    },
    NotSent(Failure),
}

/// The test of the settings as they are in the file now.
#[derive(Debug, Serialize, Deserialize)]
pub struct TestedNow {
    pub tested: Tested,
    /// Whether the running server still sends by other settings.
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

/// The mails that wait to be sent, and the newest that lie in the outbox.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Outbox {
    /// So many of the outbox.
    pub most: usize,
}

/// Mails that have not left.
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

/// All feedback, the oldest first.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ListFeedback;

impl Task for ListFeedback {
    type Outcome = Vec<FeedbackEntry>;

    fn perform(self, app: &App, _: &mut dyn Write) -> Result<Vec<FeedbackEntry>, Refusal> {
        Ok(feedback::list(app)?)
    }
}

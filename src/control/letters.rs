//! What the shell asks about mails and feedback.

use std::fmt::Write as _;

use serde::Serialize;

use super::Answer;
use crate::accounts::guard;
use crate::app::App;
use crate::base::error::Error;
use crate::mail::letter;
use crate::mail::{Failure, Sent, outbox};
use crate::{feedback, mail_queue};

/// So many kept mails are shown unless all are asked for.
const SHOWN: usize = 20;

/// Sends a mail at once and says what the mail server said.
pub fn test_mail(app: &App, to: &str) -> Answer {
    let to = match guard::email_of_admin(to) {
        Ok(to) => to,
        Err(error) => return Answer::Refused(error.sentence().to_owned()),
    };
    let time = app.clock.now().to_string();
    let mail = letter::TEST.to(&to.typed, &[("time", &time)]);
    match app.mailer.send_and_wait(&mail) {
        Ok(Sent::Taken(answer)) => Answer::Done(format!(
            "Die Testmail an {} ist gesendet. {}:{} antwortet: {answer}\n",
            to.typed,
            app.config.smtp.host,
            app.config.smtp.effective_port()
        )),
        Ok(Sent::Kept(path)) => Answer::Done(format!(
            "Es ist kein Mailserver eingestellt (smtp.host); die Testmail an {} liegt in {}\n",
            to.typed,
            path.display()
        )),
        Err(Failure(why)) => Answer::Refused(format!(
            "Die Testmail an {} wurde nicht gesendet: {why}. Prüfen Sie die Einstellungen unter [smtp].",
            to.typed
        )),
    }
}

/// The mails that wait to be sent, and those that lie in the outbox with their text.
pub fn outbox(app: &App, all: bool) -> Result<String, Error> {
    let at = |seconds| app.clock.wall_time_at(seconds).to_string();
    let most = if all { usize::MAX } else { SHOWN };
    let kept = outbox::newest(app.mailer.outbox(), most)
        .map_err(|error| Error::Internal(format!("the outbox can't be read: {error}")))?;
    let waiting = mail_queue::waiting(app)?;
    if kept.is_empty() && waiting.is_empty() {
        return Ok("Der Postausgang ist leer.\n".to_owned());
    }
    let mut shown = String::new();
    // Writing into a string can't fail.
    for mail in &kept {
        let _ = writeln!(shown, "{}  an {}: {}\n", mail.name, mail.to, mail.subject);
        for line in mail.text.trim().lines() {
            let _ = writeln!(shown, "    {}", plain(line));
        }
        shown.push('\n');
    }
    for mail in &waiting {
        let _ = write!(shown, "wartet seit {}  an {}", at(mail.since), mail.to);
        let _ = match mail.tries {
            0 => writeln!(shown),
            1 => writeln!(shown, ", 1 Versuch: {}", mail.why),
            tries => writeln!(shown, ", {tries} Versuche: {}", mail.why),
        };
    }
    Ok(shown)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FeedbackLine {
    time: String,
    email: String,
    nickname: String,
    rate: u8,
    version: String,
    message: String,
}

/// What pilots sent.
pub fn list_feedback(app: &App, json: bool) -> Result<String, Error> {
    let lines: Vec<_> = feedback::list(app)?
        .into_iter()
        .map(|listed| FeedbackLine {
            time: app.clock.wall_time_at(listed.sent).to_string(),
            email: listed.email,
            nickname: listed.nickname,
            rate: listed.feedback.rate,
            version: listed.feedback.version,
            message: listed.feedback.message,
        })
        .collect();
    if json {
        let json = serde_json::to_string_pretty(&lines).map_err(|error| Error::Internal(error.to_string()))?;
        return Ok(json + "\n");
    }
    if lines.is_empty() {
        return Ok("Es gibt noch kein Feedback.\n".to_owned());
    }
    let mut shown = String::new();
    for line in &lines {
        let _ = writeln!(
            shown,
            "{}  {} von 10  {} <{}>  Version {}",
            line.time, line.rate, line.nickname, line.email, line.version
        );
        for text in line.message.lines() {
            let _ = writeln!(shown, "    {}", plain(text));
        }
    }
    Ok(shown)
}

/// What somebody wrote must not draw on the admin's terminal.
fn plain(line: &str) -> String {
    line.chars()
        .map(|character| if character.is_control() { ' ' } else { character })
        .collect()
}

//! The texts of mails, from `embed/mail`. Knows no user and no way of sending.
//!
//! Each letter is a text and a page with the same content. A place `{{name}}` in them takes a value, which the page
//! shows as text only. Nothing in a page is loaded from elsewhere.

/// A mail that is ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mail {
    /// One plain address.
    pub to: String,
    pub subject: String,
    pub text: String,
    pub html: String,
}

/// A text whose first line is the subject, and its page.
pub struct Letter {
    text: &'static str,
    html: &'static str,
}

/// Asks for the confirmation of a login: `nickname`, `time`, `browser`, `from`, `link`.
pub const LOGIN: Letter = Letter {
    text: include_str!("../../embed/mail/login.txt"),
    html: include_str!("../../embed/mail/login.html"),
};
/// Asks for the confirmation of who runs the server: as [`LOGIN`].
pub const ADMIN: Letter = Letter {
    text: include_str!("../../embed/mail/admin.txt"),
    html: include_str!("../../embed/mail/admin.html"),
};
/// Brings the code of a registration: `code`.
pub const CODE: Letter = Letter {
    text: include_str!("../../embed/mail/code.txt"),
    html: include_str!("../../embed/mail/code.html"),
};
/// Tells of a new password: `nickname`, `time`, `by`.
pub const PASSWORD: Letter = Letter {
    text: include_str!("../../embed/mail/password.txt"),
    html: include_str!("../../embed/mail/password.html"),
};
/// Tells that the password is over: `nickname`, `time`.
pub const PASSWORD_ENDED: Letter = Letter {
    text: include_str!("../../embed/mail/password-ended.txt"),
    html: include_str!("../../embed/mail/password-ended.html"),
};
/// Brings a link to a new password: `nickname`, `link`.
pub const PASSWORD_RESET: Letter = Letter {
    text: include_str!("../../embed/mail/password-reset.txt"),
    html: include_str!("../../embed/mail/password-reset.html"),
};
/// Asks for the confirmation of another address: `link`.
pub const NEW_ADDRESS: Letter = Letter {
    text: include_str!("../../embed/mail/new-address.txt"),
    html: include_str!("../../embed/mail/new-address.html"),
};
/// Tells the address of an account that another one was asked for: `nickname`, `time`, `email`.
pub const ADDRESS_ASKED: Letter = Letter {
    text: include_str!("../../embed/mail/address-asked.txt"),
    html: include_str!("../../embed/mail/address-asked.html"),
};
/// Tells the old address of the new one: `nickname`, `time`, `email`.
pub const ADDRESS_CHANGED: Letter = Letter {
    text: include_str!("../../embed/mail/address-changed.txt"),
    html: include_str!("../../embed/mail/address-changed.html"),
};
/// Tells who runs the server what is wrong with it: `problems`, `server`.
pub const PROBLEMS: Letter = Letter {
    text: include_str!("../../embed/mail/problems.txt"),
    html: include_str!("../../embed/mail/problems.html"),
};
/// Tells a pilot what packs wait for: `nickname`, `packs`, `server`.
pub const PACKS: Letter = Letter {
    text: include_str!("../../embed/mail/packs.txt"),
    html: include_str!("../../embed/mail/packs.html"),
};
/// Shows that mails arrive: `time`.
pub const TEST: Letter = Letter {
    text: include_str!("../../embed/mail/test.txt"),
    html: include_str!("../../embed/mail/test.html"),
};

const SUBJECT: &str = "Betreff: ";

impl Letter {
    /// The mail to one address, with these values in their places.
    #[must_use]
    pub fn to(&self, address: &str, values: &[(&str, &str)]) -> Mail {
        let (subject, text) = self.text.split_once("\n\n").unwrap_or_default();
        Mail {
            to: address.to_owned(),
            subject: subject.strip_prefix(SUBJECT).unwrap_or(subject).to_owned(),
            text: fill(text, values, str::to_owned),
            html: fill(self.html, values, escape),
        }
    }
}

/// Puts values into their places, once: what a value brings along is no place.
fn fill(template: &str, values: &[(&str, &str)], shown: fn(&str) -> String) -> String {
    let mut filled = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        filled.push_str(before);
        if let Some((_, value)) = values.iter().find(|(known, _)| *known == name) {
            filled.push_str(&shown(value));
        }
        rest = after;
    }
    filled + rest
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    const LETTERS: [(Letter, &[&str]); 11] = [
        (PASSWORD_RESET, &["nickname", "link"]),
        (PASSWORD_ENDED, &["nickname", "time"]),
        (NEW_ADDRESS, &["link"]),
        (ADDRESS_ASKED, &["nickname", "time", "email"]),
        (ADDRESS_CHANGED, &["nickname", "time", "email"]),
        (PROBLEMS, &["problems", "server"]),
        (PACKS, &["nickname", "packs", "server"]),
        (PASSWORD, &["nickname", "time", "by"]),
        (LOGIN, &["nickname", "time", "browser", "from", "link"]),
        (CODE, &["code"]),
        (TEST, &["time"]),
    ];

    #[test]
    fn every_letter_has_a_subject_and_the_same_places_in_text_and_page() {
        for (letter, names) in LETTERS {
            let values: Vec<_> = names.iter().map(|name| (*name, *name)).collect();
            let mail = letter.to("anna@example.org", &values);
            assert!(letter.text.starts_with(SUBJECT) && mail.subject.len() > 10, "{mail:?}");
            for name in names {
                let place = format!("{{{{{name}}}}}");
                assert!(letter.text.contains(&place) && letter.html.contains(&place), "{place}");
            }
            for shown in [&mail.text, &mail.html] {
                assert!(!shown.contains("{{") && !shown.contains("}}"), "{shown}");
            }
        }
    }

    #[test]
    fn markup_in_a_mail_stays_text() {
        let rogue = "\"><meta http-equiv=refresh><script>alert('x')</script>{{link}}";
        let mail = LOGIN.to("anna@example.org", &[("nickname", rogue), ("link", "http://pi/")]);
        assert!(
            !mail.html.contains("<script") && !mail.html.contains("<meta http-equiv"),
            "{}",
            mail.html
        );
        assert!(
            mail.html
                .contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;{{link}}")
        );
        assert!(mail.text.contains(rogue));
    }

    #[test]
    fn nothing_in_a_page_comes_from_elsewhere() {
        for (letter, _) in LETTERS {
            for foreign in ["src=", "url(", "http://", "https://", "<link", "@import", "<script"] {
                assert!(!letter.html.contains(foreign), "{foreign}");
            }
        }
    }
}

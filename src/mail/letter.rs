//! The texts of mails, from `embed/mail`. Knows no user and no transport.
//!
//! Each letter is a text and an HTML page with the same content. A placeholder `{{name}}` is replaced by a value, which
//! the page escapes. Pages load nothing from other servers.

use fluglog_base::template::{escape, fill};

/// A mail that is ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mail {
    /// A bare address.
    pub to: String,
    pub subject: String,
    pub text: String,
    pub html: String,
}

/// A template: a text whose first line is the subject, and its HTML page.
pub struct Template {
    text: &'static str,
    html: &'static str,
}

/// Asks to confirm a login. Placeholders: `nickname`, `time`, `browser`, `from`, `link`.
pub const LOGIN: Template = Template {
    text: include_str!("../../embed/mail/login.txt"),
    html: include_str!("../../embed/mail/login.html"),
};
/// Asks an operator to confirm themselves. Placeholders as in [`LOGIN`].
pub const ADMIN: Template = Template {
    text: include_str!("../../embed/mail/admin.txt"),
    html: include_str!("../../embed/mail/admin.html"),
};
/// Contains the code of a registration. Placeholder: `code`.
pub const CODE: Template = Template {
    text: include_str!("../../embed/mail/code.txt"),
    html: include_str!("../../embed/mail/code.html"),
};
/// Reports a new password. Placeholders: `nickname`, `time`, `by`.
pub const PASSWORD: Template = Template {
    text: include_str!("../../embed/mail/password.txt"),
    html: include_str!("../../embed/mail/password.html"),
};
/// Reports that the password has become invalid. Placeholders: `nickname`, `time`.
pub const PASSWORD_ENDED: Template = Template {
    text: include_str!("../../embed/mail/password-ended.txt"),
    html: include_str!("../../embed/mail/password-ended.html"),
};
/// Contains a link for setting a new password. Placeholders: `nickname`, `link`.
pub const PASSWORD_RESET: Template = Template {
    text: include_str!("../../embed/mail/password-reset.txt"),
    html: include_str!("../../embed/mail/password-reset.html"),
};
/// Asks to confirm a new address. Placeholder: `link`.
pub const NEW_ADDRESS: Template = Template {
    text: include_str!("../../embed/mail/new-address.txt"),
    html: include_str!("../../embed/mail/new-address.html"),
};
/// Reports to the current address that a change to another one was requested. Placeholders: `nickname`, `time`,
/// `email`.
pub const ADDRESS_REQUESTED: Template = Template {
    text: include_str!("../../embed/mail/address-asked.txt"),
    html: include_str!("../../embed/mail/address-asked.html"),
};
/// Reports to the old address that it was replaced. Placeholders: `nickname`, `time`, `email`.
pub const ADDRESS_CHANGED: Template = Template {
    text: include_str!("../../embed/mail/address-changed.txt"),
    html: include_str!("../../embed/mail/address-changed.html"),
};
/// Reports problems of the server to the operator. Placeholders: `problems`, `server`.
pub const PROBLEMS: Template = Template {
    text: include_str!("../../embed/mail/problems.txt"),
    html: include_str!("../../embed/mail/problems.html"),
};
/// Reports to a pilot which packs need attention. Placeholders: `nickname`, `lines`, `server`.
pub const PACKS: Template = Template {
    text: include_str!("../../embed/mail/packs.txt"),
    html: include_str!("../../embed/mail/packs.html"),
};
/// Reports to a pilot what waits to be done, not only of packs. Placeholders: `nickname`, `lines`, `server`.
pub const WAITING: Template = Template {
    text: include_str!("../../embed/mail/waiting.txt"),
    html: include_str!("../../embed/mail/waiting.html"),
};
/// Tests that mails arrive. Placeholder: `time`.
pub const TEST: Template = Template {
    text: include_str!("../../embed/mail/test.txt"),
    html: include_str!("../../embed/mail/test.html"),
};

const SUBJECT: &str = "Betreff: ";

impl Template {
    /// Fills in the values and returns the mail to an address.
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

#[cfg(test)]
mod tests {
    use super::*;

    const LETTERS: [(Template, &[&str]); 12] = [
        (PASSWORD_RESET, &["nickname", "link"]),
        (PASSWORD_ENDED, &["nickname", "time"]),
        (NEW_ADDRESS, &["link"]),
        (ADDRESS_REQUESTED, &["nickname", "time", "email"]),
        (ADDRESS_CHANGED, &["nickname", "time", "email"]),
        (PROBLEMS, &["problems", "server"]),
        (PACKS, &["nickname", "lines", "server"]),
        (WAITING, &["nickname", "lines", "server"]),
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

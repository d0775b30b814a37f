//! Letters that wait to be composed.

use serde::{Deserialize, Serialize};

use crate::mail::address::Email;

/// Address and kind of letter: 0, or [`CODE`].
pub type MailKey = (u128, u128, u8);

/// The kind of letters that bring the code of a registration.
pub const CODE: u8 = 1;

/// A letter to compose. No secret: link and code are made when the mail is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Letter {
    Login {
        request: (u128, u128),
        /// The base of its link.
        base: String,
    },
    Code {
        registration: (u128, u128),
    },
}

impl Letter {
    /// Its key among the mails to an address.
    #[must_use]
    pub fn key(&self, email: &Email) -> MailKey {
        let (first, second) = email.key();
        (first, second, if self.is_code() { CODE } else { 0 })
    }

    /// Whether it brings the code of a registration.
    #[must_use]
    pub fn is_code(&self) -> bool {
        matches!(self, Letter::Code { .. })
    }
}
